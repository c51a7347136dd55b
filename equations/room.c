/* The equations of one simulation: made while blocks are initialised, then a table of last words
 * and modes that is kept up to date. Who reads what is found here; the values of rows are computed
 * in row_values.c, and those who have to look again are found in members.c. */
#include "angles.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "meetings.h"
#include "members.h"
#include "owned.h"
#include "readings.h"
#include "rests.h"
#include "row_modes.h"
#include "state_blocks.h"
#include "static_block.h"
#include "turns.h"

#include "numerics/poly.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Making one ---------------------------------------------------------------------------------- */

/* Nothing but empty lists: blocks make themselves known while they are initialised. */
HyRoom *hy_room_new(const HyFlat *flat, const HyFlatSources *sources, guint lanes,
                    const HyGroupOps *ops)
{
  HyRoom *room = g_new0(HyRoom, 1);
  gsize n = flat->n;
  *room =
      (HyRoom){.ops = ops,
               .set = {.exact = TRUE, .refresh = TRUE},
               .memory = hy_arena_new(),
               .kinds = hy_kinds_new(),
               .kind = g_new0(const HyKind *, n + 1),
               .block = g_new0(struct HyStaticState *, n + 1),
               .leads = g_new0(guint8, n + 1),
               .first_flag = g_new0(guint32, n + 1),
               .states = g_array_new(FALSE, FALSE, sizeof(HyRoomState)),
               .work.value = g_array_new(FALSE, FALSE, sizeof(double)),
               .work.choice = g_array_new(FALSE, FALSE, sizeof(guint8)),
               .state_of_row = g_array_new(FALSE, FALSE, sizeof(guint32)),
               .owned = g_array_new(FALSE, FALSE, sizeof(HyOwned)),
               .readings = g_ptr_array_new_with_free_func(g_free),
               .meetings = g_ptr_array_new(),
               .watched = g_array_new(FALSE, FALSE, sizeof(HyRoomWatched)),
               .modes.block = g_array_new(FALSE, FALSE, sizeof(HyRowModes)),
               .modes.side = g_array_new(FALSE, FALSE, sizeof(struct HyModeSides)),
               .members.touched = g_array_new(FALSE, FALSE, sizeof(guint32)),
               .members.hubs = g_array_new(FALSE, FALSE, sizeof(guint32)),
               .members.state_at = g_new0(guint32, n + 1),
               .groups.classic = g_ptr_array_new(),
               .groups.rates = g_ptr_array_new(),
               .groups.rate_origin = NAN,
               .members.group = g_array_new(FALSE, FALSE, sizeof(HyRoomGroup)),
               .members.group_by = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
               .local.t = NAN};
  room->diagram = (HyDiagram){.flat = flat,
                              .sources = sources,
                              .kind = room->kind,
                              .first_flag = room->first_flag,
                              .lanes = lanes};
  return room;
}

static void free_kept(HyRoom *room)
{
  for (guint k = 0; k < room->rows.rows->len; k++) {
    g_free(room->kept[k].set);
    g_free(room->kept[k].coef);
  }
  g_free(room->kept);
}

void hy_room_free(HyRoom *room)
{
  if (room == NULL) {
    return;
  }
  if (room->derived) {
    free_kept(room);
    hy_rows_clear(&room->rows);
  }
  room->ops->clear(room);
  for (guint k = 0; k < room->members.group->len; k++) {
    g_free(hy_room_group(room, k)->why);
  }
  hy_kinds_free(room->kinds);
  hy_arena_free(room->memory);
  g_free(room->kind);
  g_free(room->block);
  g_free(room->in_place);
  g_free(room->leads);
  g_free(room->first_flag);
  g_array_unref(room->states);
  g_array_unref(room->work.value);
  g_array_unref(room->work.choice);
  g_free(room->signal);
  g_free(room->in);
  g_free(room->members.state_at);
  g_array_unref(room->members.group);
  g_hash_table_unref(room->members.group_by);
  g_free(room->heard);
  hy_room_free_turns(room);
  g_free(room->flag);
  g_free(room->toggled);
  g_free(room->members.decided);
  hy_lists_clear(&room->by_flag);
  hy_lists_clear(&room->members.by_slot);
  hy_lists_clear(&room->members.awaited);
  hy_lists_clear(&room->members.looking);
  hy_lists_clear(&room->members.gathering);
  g_free(room->groups.first_partner);
  g_free(room->groups.partner);
  g_free(room->groups.partials);
  g_free(room->groups.partial);
  g_array_unref(room->state_of_row);
  g_array_unref(room->owned);
  g_ptr_array_unref(room->readings);
  g_ptr_array_unref(room->meetings);
  hy_made_of_free(room->made);
  g_array_unref(room->modes.block);
  g_array_unref(room->modes.side);
  g_free(room->modes.at);
  hy_lists_clear(&room->modes.by_slot);
  g_array_unref(room->watched);
  g_free(room->members.due);
  g_array_unref(room->members.touched);
  g_array_unref(room->members.hubs);
  g_free(room->members.state_of);
  g_free(room->members.v);
  g_free(room->members.table);
  g_free(room->members.reader);
  g_free(room->run);
  g_free(room->rests.unsure);
  g_free(room->rests.run);
  hy_template_free(room->rests.shape);
  g_free(room);
}

void hy_room_set(HyRoom *room, gboolean exact, gboolean refresh, gboolean rows)
{
  room->set = (HyRoomSettings){.exact = exact, .refresh = refresh, .by_rows = rows};
}

void hy_room_set_sources(HyRoom *room, HyRoomNext *next, HyRoomSine *sine, gpointer user)
{
  room->sources = (HyRoomSources){next, sine, user};
}

gboolean hy_room_is_sine(const HyRoom *room, guint slot, HySine *sine)
{
  const HyFlat *flat = room->diagram.flat;
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  return owner < flat->n && room->sources.sine != NULL &&
         room->sources.sine(room->sources.user, owner, slot - flat->first_out[owner], sine) &&
         sine->frequency > 0.0;
}

gboolean hy_room_hears_sine(const HyRoom *room, guint atomic, guint port, HySine *sine)
{
  const HyFlatSources *sources = room->diagram.sources;
  return hy_room_is_sine(room, sources->slot[sources->first[atomic] + port], sine);
}

void hy_room_watch(HyRoom *room, guint slot)
{
  HyRoomWatched w = {slot, HY_NO_ROW};
  g_array_append_val(room->watched, w);
}

gpointer hy_room_memory(HyRoom *room, gsize size)
{
  return hy_arena_take(room->memory, size);
}

HyKinds *hy_room_kinds(HyRoom *room)
{
  return room->kinds;
}

void hy_room_add_static(HyRoom *room, guint atomic, const HyKind *kind, struct HyStaticState *block)
{
  room->kind[atomic] = kind;
  room->block[atomic] = block;
}

/* The group of the members that have METHOD from the element STATED. */
static guint find_group(HyRoom *room, const HyMethod *method, guint stated)
{
  gint64 key = (gint64)(method - hy_methods) << 32 | stated;
  gpointer found = g_hash_table_lookup(room->members.group_by, &key);
  if (found == NULL) {
    HyRoomGroup group = {.first = room->states->len};
    g_array_append_val(room->members.group, group);
    found = GUINT_TO_POINTER(room->members.group->len);
    g_hash_table_insert(room->members.group_by, g_memdup2(&key, sizeof key), found);
  }
  return GPOINTER_TO_UINT(found) - 1;
}

/* All of a classic group go by one step. */
static gboolean join_group(HyRoom *room, const HySetup *setup, HyMember *member, GError **error)
{
  member->group = find_group(room, member->method, setup->group);
  HyRoomGroup *group = hy_room_group(room, member->group);
  if (group->n++ == 0 || !hy_family_is_classic(member->family)) {
    return TRUE;
  }
  const HyRoomState *first = hy_room_state(room, group->first);
  double other = first->member->set->hstep;
  if (member->set->hstep == other) {
    return TRUE;
  }
  const HyFlat *flat = room->diagram.flat;
  g_autofree char *path =
      hy_model_path(hy_flat_model(flat, first->atomic), hy_flat_component(flat, first->atomic));
  char own[HY_DOUBLE_SIZE], its[HY_DOUBLE_SIZE];
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "hstep = %s, but %s of the same group has %s; a group has one step, so state hstep "
              "where the method is stated",
              hy_double_text(own, member->set->hstep), path, hy_double_text(its, other));
  return FALSE;
}

/* A state's row is wanted if its method decides with others, if rows are evaluated in place of
 * signals, or if the method is implicit and takes its partials from here. */
gboolean hy_room_add_state(HyRoom *room, const HySetup *setup, HyMember *member, GError **error)
{
  if (member->family != HY_FAMILY_QUANTIZED && !join_group(room, setup, member, error)) {
    return FALSE;
  }
  gboolean wired = setup->input[0] == HY_WIRED;
  HyRoomState state = {.atomic = setup->number,
                       .wired = wired,
                       .number = wired ? NAN : setup->value[0]->c[0],
                       .row = HY_NO_ROW,
                       .member = member};
  member->state = room->states->len;
  g_array_append_val(room->states, state);
  member->by_row = member->family != HY_FAMILY_QUANTIZED || room->set.by_rows;
  room->members.on |= member->by_row;
  room->asked |= member->by_row || (member->quantizer->implicit && room->set.exact);
  room->members.state_at[setup->number] = room->states->len;
  return TRUE;
}

HyMember *hy_room_member(const HyRoom *room, guint atomic)
{
  guint32 state = room->members.state_at[atomic];
  return state > 0 ? hy_room_state(room, state - 1)->member : NULL;
}

/* Flags, the modes of all static blocks, are numbered through: block after block. */
static void number_flags(HyRoom *room)
{
  guint32 n = 0;
  guint atomics = room->diagram.flat->n;
  for (guint a = 0; a < atomics; a++) {
    room->first_flag[a] = n;
    n += room->kind[a] != NULL ? room->kind[a]->n_modes : 0;
  }
  room->first_flag[atomics] = n;
  room->flag = g_new0(guint8, (gsize)n + 1);
  room->toggled = g_new0(guint64, (gsize)n + 1);
}

/* What a row is made of, by pointers, so that evaluating it looks nothing up. */
static void look_up_rows(HyRoom *room)
{
  const HyRows *rows = &room->rows;
  guint slots = 0, flags = 0;
  gsize parts = rows->slot->len; /* where the slots of straight parts begin */
  g_free(room->in);
  g_free(room->run);
  g_free(room->kept);
  room->in = g_new(const HyPiece *, parts + rows->coef->len + 1);
  for (guint k = 0; k < rows->slot->len; k++) {
    room->in[k] = &room->signal[g_array_index(rows->slot, guint32, k)];
  }
  room->run = g_new(HyRunRow, (gsize)rows->rows->len + 1);
  room->kept = g_new0(HyKeptFactors, (gsize)rows->rows->len + 1);
  for (guint32 r = 0; r < rows->rows->len; r++) {
    HyTemplate *shape = hy_row_template(rows, r), *sum = hy_row_linear(rows, r);
    const HyPiece **in = room->in + hy_row(rows, r)->slots;
    room->run[r] = (HyRunRow){
        .shape = shape,
        .slot = hy_row_slots(rows, r),
        .in = in,
        .number = hy_row_numbers(rows, r),
        .flag = hy_row_flags(rows, r),
        .sum = sum,
        .sum_in = in,
        .coef = sum != NULL ? &g_array_index(rows->coef, double, hy_row(rows, r)->coef) : NULL,
        .bent = shape->curved != NULL ? shape->curved : shape,
        .n_sum = sum != NULL ? sum->n_slots : 0,
        .n_slots = shape->n_slots,
        .linear = sum == shape,
        .validity.foreseen = NAN,
        .stale = TRUE};
    if (shape->straight != NULL) {
      room->run[r].sum_in = room->in + parts;
      for (guint k = 0; k < sum->n_slots; k++) {
        room->in[parts++] = in[shape->straight_slot[k]];
      }
    }
    slots = MAX(slots, shape->n_slots);
    flags = MAX(flags, shape->n_flags);
  }
  g_array_set_size(room->work.value, 2 * slots + 1);
  g_array_set_size(room->work.choice, flags + 1);
}

#define ALL_GROUPS G_MAXUINT

/* States of exact blocks in GROUP that have rows; newly allocated. */
static guint32 *states_of_group(const HyRoom *room, guint group, guint *n)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 k = 0; k < room->states->len; k++) {
    const HyRoomState *s = hy_room_state(room, k);
    if (s->row != HY_NO_ROW && s->member->family == HY_FAMILY_BLOCK &&
        (group == ALL_GROUPS || s->member->group == group)) {
      g_array_append_val(list, k);
    }
  }
  *n = list->len;
  return (guint32 *)(gpointer)g_array_free(list, FALSE);
}

/* Faster than that blocks cannot tell each other anything: each of their steps would be as short.
 */
#define TOO_FAST 1e8

static void join_groups(HyRoom *room)
{
  guint n;
  g_autofree guint32 *state = states_of_group(room, ALL_GROUPS, &n);
  g_autofree guint *group = g_new(guint, (gsize)n + 1);
  gboolean several = FALSE;
  for (guint i = 0; i < n; i++) {
    group[i] = hy_room_state(room, state[i])->member->group;
    several |= group[i] != group[0];
  }
  double rate = several ? hy_state_blocks_join(room, state, n, TOO_FAST, group) : 0.0;
  for (guint i = 0; i < n && rate > 0.0; i++) {
    HyMember *m = hy_room_state(room, state[i])->member;
    if (m->group != group[i]) {
      hy_room_group(room, m->group)->n--;
      hy_room_group(room, group[i])->n++;
      hy_room_group(room, group[i])->joined = rate;
      m->group = group[i];
    }
  }
}

/* They become a group of their own; those of the first block stay where they are. */
static void make_group(HyRoom *room, guint number, const HyStateBlocks *blocks, guint k)
{
  const HyStateBlock *b = &g_array_index(blocks->block, HyStateBlock, k);
  const guint32 *state = blocks->state + b->first;
  HyRoomGroup group = {.first = state[0],
                       .n = b->n,
                       .of = blocks->n_states,
                       .joined = hy_room_group(room, number)->joined,
                       .why = hy_state_block_why(b)};
  if (k > 0) {
    g_array_append_val(room->members.group, group);
    number = room->members.group->len - 1;
  } else {
    *hy_room_group(room, number) = group;
  }
  for (guint i = 0; i < b->n; i++) {
    hy_room_state(room, state[i])->member->group = number;
  }
}

/* Groups of exact blocks: from the equations, which are known now. */
static void divide_groups(HyRoom *room)
{
  guint stated = room->members.group->len;
  gboolean any = FALSE;
  for (guint32 k = 0; k < room->states->len; k++) {
    any |= hy_room_state(room, k)->member->family == HY_FAMILY_BLOCK;
  }
  if (!any || room->together) {
    return;
  }
  look_up_rows(room); /* as far as they have been derived */
  join_groups(room);
  for (guint number = 0; number < stated; number++) {
    guint n;
    g_autofree guint32 *state = states_of_group(room, number, &n);
    HyStateBlocks *blocks = n > 0 ? hy_state_blocks_new(room, state, n, HY_BLOCK_FEW_STATES) : NULL;
    for (guint k = 0; blocks != NULL && k < blocks->block->len; k++) {
      make_group(room, number, blocks, k);
    }
    hy_state_blocks_free(blocks);
  }
}

/* What is watched: read as if by the first state. */
static void derive_watched(HyRoom *room, HyDeriver *d)
{
  const guint32 first = 0;
  for (guint k = 0; k < room->watched->len && room->states->len > 0; k++) {
    HyRoomWatched *w = &g_array_index(room->watched, HyRoomWatched, k);
    w->row = hy_derive_signal(d, w->slot, HY_NO_SOURCE);
    if (w->row != HY_NO_ROW) {
      g_array_append_val(room->state_of_row, first);
    }
  }
}

/* Rows of hubs come first, then one for each state whose derivative is known: a number, or what an
 * atomic says. What comes in at the ports of the root, or from several sources, has none. */
static void derive_rows(HyRoom *room, const guint8 *watched)
{
  const HyFlat *flat = room->diagram.flat;
  HyDeriver *d = hy_deriver_new(&room->diagram, &room->rows);
  const guint32 none = HY_NO_STATE; /* of hubs */
  for (guint k = 0; k < room->rows.rows->len; k++) {
    g_array_append_val(room->state_of_row, none);
  }
  for (guint k = 0; k < room->states->len; k++) {
    HyRoomState *s = hy_room_state(room, k);
    guint source = room->diagram.sources->slot[room->diagram.sources->first[s->atomic]];
    if (!s->wired) {
      s->row = hy_derive_number(d, s->number);
    } else if (source < flat->first_out[flat->n]) {
      s->row = hy_derive_signal(d, source, flat->first_out[s->atomic]);
    }
    if (s->row != HY_NO_ROW) {
      g_array_append_val(room->state_of_row, k);
    }
  }
  divide_groups(room);
  room->made = hy_made_of_new(room);
  hy_owned_find(room, d, room->made);
  hy_meetings_find(room, d, room->made);
  hy_readings_find(room, d, room->made, watched);
  hy_row_modes_find(room, d);
  derive_watched(room, d);
  hy_deriver_free(d);
}

/* Which rows read each flag. */
static void find_readers(HyRoom *room)
{
  HyListMaker make;
  hy_list_maker_init(&make, room->first_flag[room->diagram.flat->n]);
  for (int pass = 0; pass < 2; pass++) {
    for (guint32 r = 0; r < room->rows.rows->len; r++) {
      const guint32 *flag = hy_row_flags(&room->rows, r);
      for (guint k = 0; k < hy_row_template(&room->rows, r)->n_flags; k++) {
        hy_list_maker_put(&make, pass, flag[k], r);
      }
    }
    hy_list_maker_turn(&make, pass);
  }
  room->by_flag = make.lists;
  guint most = room->by_flag.first[room->first_flag[room->diagram.flat->n]];
  g_array_set_size(room->members.touched, most); /* each is added without a call */
  g_array_set_size(room->members.hubs, most);
}

/* Somebody behind the wires of SLOT is in HAS, [atomics]. */
static gboolean leads_to(const HyFlat *flat, guint slot, const guint8 *has)
{
  gboolean any = FALSE;
  for (guint k = flat->start[slot]; k < flat->start[slot + 1] && !any; k++) {
    any = has[flat->targets[k].atomic];
  }
  return any;
}

/* Which static blocks have modes, or lead to one that has through others without. Blocks come after
 * those that feed them. */
static guint8 *find_deciders(const HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  guint8 *decides = g_new0(guint8, (gsize)flat->n + 1);
  for (guint a = flat->n; a-- > 0;) {
    const HyKind *kind = room->kind[a];
    decides[a] = kind != NULL && kind->n_modes > 0;
    for (guint k = flat->first_out[a]; kind != NULL && k < flat->first_out[a + 1]; k++) {
      decides[a] |= leads_to(flat, k, decides) ? 1 : 0;
    }
  }
  return decides;
}

/* What no row reads may decide modes all the same: of a comparison of two sources, say. */
static void find_heard_of_modes(HyRoom *room, guint slots)
{
  const HyFlat *flat = room->diagram.flat;
  g_autofree guint8 *decides = find_deciders(room);
  for (guint k = 0; k < slots; k++) {
    gboolean outside = room->kind[flat->owner[k]] == NULL;
    room->heard[k] = outside && leads_to(flat, k, decides) ? HY_OF_MODES : HY_UNHEARD;
  }
}

/* Only what rows read, and what states say, has to be in the table. */
static void find_heard(HyRoom *room, guint slots)
{
  const HyFlat *flat = room->diagram.flat;
  room->heard = g_new0(guint8, (gsize)slots + 1);
  find_heard_of_modes(room, slots);
  for (guint k = 0; k < room->rows.slot->len; k++) {
    guint slot = g_array_index(room->rows.slot, guint32, k);
    gboolean outside = slot < slots && room->kind[flat->owner[slot]] == NULL;
    room->heard[slot] = outside ? HY_FROM_OUTSIDE : HY_HEARD;
  }
  for (guint k = 0; k < room->states->len; k++) {
    room->heard[flat->first_out[hy_room_state(room, k)->atomic]] = HY_HEARD;
  }
}

void hy_room_keep_together(HyRoom *room)
{
  room->together = TRUE;
}

/* Rows are derived now, if anybody wants them; then who reads what, and groups. */
void hy_room_start(HyRoom *room, gboolean all, const guint8 *watched)
{
  number_flags(room);
  hy_room_find_angles(room);
  if (!room->asked && !all) {
    return;
  }
  guint slots = room->diagram.flat->first_out[room->diagram.flat->n];
  room->signal = g_new0(HyPiece, (gsize)slots + 1);
  for (guint k = 0; k < slots; k++) {
    room->signal[k].t = NAN;
  }
  clock_t start = clock();
  hy_rows_init(&room->rows);
  room->derived = TRUE;
  derive_rows(room, watched);
  find_readers(room);
  room->count.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  look_up_rows(room);
  find_heard(room, slots);
  if (room->members.on) {
    hy_members_start(room);
    room->ops->listen(room, watched);
  }
}

guint64 *hy_room_steps(HyRoom *room)
{
  return &room->count.steps;
}

/* Listening ----------------------------------------------------------------------------------- */

gboolean hy_room_listens(const HyRoom *room)
{
  return room->derived;
}

gboolean hy_room_hears(const HyRoom *room, guint slot)
{
  return room->derived && room->heard[slot] >= HY_HEARD;
}

/* A word that no row reads is not kept. One that a group has put into the table itself is there
 * already, and has touched its readers. */
void hy_room_said(HyRoom *room, guint slot, double t, const HyValue *value)
{
  HyPiece *s = &room->signal[slot];
  if (room->heard[slot] < HY_HEARD) {
    room->causes += room->heard[slot] == HY_OF_MODES;
    return;
  }
  if (room->members.on && hy_members_take_told(room, slot)) {
    return;
  }
  if (G_UNLIKELY(room->members.gathers)) {
    hy_meetings_gather(room, slot, t);
  }
  gboolean first = !hy_piece_is_said(s);
  room->causes += room->heard[slot] == HY_FROM_OUTSIDE;
  memcpy(s->c, value->c, sizeof s->c);
  if (G_UNLIKELY(value->payload != NULL) && !hy_static_number(value->payload, s->c)) {
    s->c[0] = NAN;
  }
  s->t = t;
  room->words++;
  if (room->members.on) {
    hy_row_modes_said(room, slot, t);
    hy_members_touch_readers(room, slot, t, first);
    hy_meetings_hear(room, slot, t);
    if (G_UNLIKELY(first)) {
      hy_readings_hear_first(room, slot, t);
    }
  }
}

const guint8 *hy_room_modes(const HyRoom *room, guint atomic)
{
  return room->flag + room->first_flag[atomic];
}

gboolean hy_room_mode(const HyRoom *room, guint atomic, guint m, gboolean *up)
{
  const HyStaticState *own = room->kind[atomic] != NULL ? room->block[atomic] : NULL;
  if (own == NULL || own->modes == NULL || m >= own->form.program->n_modes) {
    return FALSE;
  }
  *up = own->led ? hy_room_modes(room, atomic)[m] != 0 : hy_modes_is_up(own->modes, m);
  return TRUE;
}

gboolean hy_room_causes(const HyRoom *room, guint64 *causes)
{
  *causes = room->causes;
  return room->derived;
}

/* A mode that ROW reads has changed: it has other factors, and whoever is behind it is to be
 * touched.
 */
static inline void turn_row(HyRoom *room, guint32 row, double t)
{
  guint32 state = g_array_index(room->state_of_row, guint32, row);
  GArray *list = state == HY_NO_STATE ? room->members.hubs : room->members.touched;
  room->run[row].stale = TRUE;
  if (state < room->states->len || state == HY_NO_STATE) {
    ((guint32 *)(gpointer)list->data)[list->len++] = row;
    if (state != HY_NO_STATE && room->members.on) {
      room->members.table[state].way = HY_ROW_ODD;
    }
  } else if (state != HY_OF_READING) {
    hy_row_modes_touch(room, room->modes.at[state - room->states->len], t);
  }
}

/* Members are touched when all modes of the block have been set, each once. */
void hy_room_decided(HyRoom *room, guint atomic, double t, const guint8 *mode, guint n)
{
  guint32 first = room->first_flag[atomic];
  gboolean new = room->members.on && !room->members.decided[atomic];
  const guint32 *by_flag = room->derived ? room->by_flag.first : NULL;
  guint most = by_flag != NULL ? by_flag[first + n] - by_flag[first] : 0;
  room->members.touched->len = room->members.hubs->len = 0; /* there is room for all rows */
  for (guint32 f = first; f < first + n; f++) {
    guint8 set = mode[f - first];
    if (room->flag[f] == set && !new) {
      continue;
    }
    hy_meetings_gather_all(room, t);
    room->toggled[f] += room->flag[f] != set;
    room->flag[f] = set;
    room->words++;
    room->flips++;
    room->causes++;
    for (guint32 k = most > 0 ? by_flag[f] : 0; most > 0 && k < by_flag[f + 1]; k++) {
      turn_row(room, room->by_flag.item[k], t);
    }
  }
  if (room->members.on) {
    room->members.decided[atomic] = 1;
    if (G_UNLIKELY(new && room->opened)) {
      memset(room->rests.unsure + first, 0, n);
    }
    hy_members_touch_rows(room, t, new);
    if (room->members.hubs->len > 0) {
      hy_members_turn_hubs(room, t);
    }
    hy_meetings_turn(room, first, n, t);
  }
}

guint64 hy_room_toggles(const HyRoom *room, guint atomic, guint mode)
{
  guint64 n = 0;
  for (guint32 f = room->first_flag[atomic]; f < room->first_flag[atomic + 1]; f++) {
    n += mode == HY_ALL_MODES || f == room->first_flag[atomic] + mode ? room->toggled[f] : 0;
  }
  return n;
}

guint64 hy_room_flips(const HyRoom *room)
{
  return room->flips;
}

/* Counts --------------------------------------------------------------------------------------- */

void hy_room_counts(const HyRoom *room, HyRoomCounts *counts)
{
  *counts = (HyRoomCounts){.kinds = hy_kinds_n(room->kinds),
                           .evaluations = room->count.evaluations,
                           .partials = room->count.partials,
                           .steps = room->count.steps,
                           .seconds = room->count.seconds};
  for (guint n = 1; n < G_N_ELEMENTS(room->groups.mliqss); n++) {
    counts->steps += room->groups.mliqss[n].steps;
    counts->pairs += room->groups.mliqss[n].pairs;
  }
  for (guint32 f = 0; f < room->first_flag[room->diagram.flat->n]; f++) {
    counts->toggles += room->toggled[f];
  }
  if (!room->derived) {
    return;
  }
  room->ops->count(room, counts);
  const HyRows *r = &room->rows;
  counts->rows = r->rows->len;
  counts->templates = r->templates->len;
  for (guint k = 0; k < r->templates->len; k++) {
    const HyTemplate *t = g_ptr_array_index(r->templates, k);
    counts->linear += t->degree != HY_NONLINEAR ? t->n_rows : 0;
  }
  counts->bytes = r->rows->len * sizeof(HyRow) + r->slot->len * sizeof(guint32) +
                  r->number->len * sizeof(double) + r->flag->len * sizeof(guint32) +
                  r->coef->len * sizeof(double) + r->sequence->len * sizeof(guint32);
}
