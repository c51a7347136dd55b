/* One pass over blocks, which come after those that feed them, says of which states each output is
 * made: none, those of one group, or others. A block can be led if the inputs of all of its modes
 * are made of the states of one classic group; then its outputs are made of the group, too, since
 * the group decides when they jump. A diode comes before the block that says its current, so the
 * blocks are gone through until nothing is found any more. */
#include "made_of.h"

#include "meetings.h"
#include "state_blocks.h"
#include "static_block.h"

#include <string.h>

static guint32 both(guint32 a, guint32 b)
{
  return a == HY_NOBODY ? b : b == HY_NOBODY || a == b ? a : HY_OTHERS;
}

/* The groups that can own crossings choose where their steps end. */
static guint32 group_of_state(const HyRoom *room, guint32 state)
{
  const HyMember *m = hy_room_state(room, state)->member;
  return hy_family_is_classic(m->family) && m->family != HY_FAMILY_MULTIRATE ? m->group : HY_OTHERS;
}

HyFamily hy_made_of_family(const HyMadeOf *m, guint32 group)
{
  return hy_room_state(m->room, hy_room_group(m->room, group)->first)->member->family;
}

/* Of a node of a row, the flags held fixed: a constant, a line in the time, linear in what the row
 * reads and in sines of such lines (groups/classic_sines.c), or anything else. */
typedef enum { CONSTANT, LINE, LINEAR, BENT } Shape;

/* The time of the run, one line for ever. */
static gboolean is_time(const HyFlat *flat, guint slot)
{
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  return owner < flat->n &&
         strcmp(hy_model_class(hy_flat_model(flat, owner), hy_flat_component(flat, owner))->name,
                "clock") == 0;
}

static Shape shape_of_node(const HyMadeOf *m, guint32 row, const HyNode *n, const guint8 *of)
{
  guint operands = hy_x_operands(n->op);
  Shape a = operands > 0 ? (Shape)of[n->a] : CONSTANT;
  Shape b = operands > 1 ? (Shape)of[n->b] : CONSTANT;
  switch (n->op) {
  case HY_X_IN:
    return is_time(m->room->diagram.flat, hy_row_slots(&m->room->rows, row)[n->a]) ? LINE : LINEAR;
  case HY_X_ADD:
  case HY_X_SUB:
  case HY_X_NEG:
    return MAX(a, b);
  case HY_X_SELECT:
    return (Shape)MAX(of[n->b], of[n->c]);
  case HY_X_MUL:
    return a == CONSTANT ? b : b == CONSTANT ? a : BENT;
  case HY_X_DIV:
    return b == CONSTANT ? a : BENT;
  case HY_X_SIN:
  case HY_X_COS:
    return a == LINE ? LINEAR : a == CONSTANT ? CONSTANT : BENT;
  default:
    return a == CONSTANT && b == CONSTANT ? CONSTANT : BENT;
  }
}

gboolean hy_made_of_is_linear(const HyMadeOf *m, guint32 row)
{
  const HyTemplate *t = hy_row_template(&m->room->rows, row);
  g_autofree guint8 *of = g_new0(guint8, (gsize)t->n_nodes + 1);
  Shape shape = CONSTANT;
  gboolean linear = TRUE;
  for (guint k = 0; k < t->n_nodes; k++) {
    shape = shape_of_node(m, row, &t->node[k], of);
    of[k] = (guint8)shape;
  }
  linear = t->degree != HY_NONLINEAR || shape < BENT;
  for (guint k = 0; k < t->n_slots && linear; k++) { /* through hubs, which are few deep (rows.c) */
    const HyHub *hub = hy_rows_hub(&m->room->rows, hy_row_slots(&m->room->rows, row)[k]);
    linear = hub == NULL || hy_made_of_is_linear(m, hub->row);
  }
  return linear;
}

guint hy_made_of_degree(const HyMadeOf *m, guint32 row)
{
  const HyTemplate *t = hy_row_template(&m->room->rows, row);
  if (hy_made_of_is_linear(m, row)) {
    return 1;
  }
  HyTimeDegree by_slots;
  hy_x_degree_init(&by_slots, t->n_slots, t->n_nodes, 1);
  for (guint k = 0; k < t->n_slots; k++) { /* through hubs, which are few deep (rows.c) */
    const HyHub *hub = hy_rows_hub(&m->room->rows, hy_row_slots(&m->room->rows, row)[k]);
    by_slots.in[k] = hub != NULL ? (guint8)hy_made_of_degree(m, hub->row) : 1;
  }
  guint degree = hy_x_degree(&by_slots, t->node, t->n_nodes, NULL);
  hy_x_degree_clear(&by_slots);
  return degree;
}

/* Which groups are solved exactly: blocks of few states whose rows are linear while no mode turns.
 */
static void find_exact(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  for (guint k = 0; k < room->members.group->len; k++) {
    m->exact[k] = hy_made_of_family(m, k) == HY_FAMILY_BLOCK &&
                  hy_room_group(room, k)->n <= HY_BLOCK_MOST_STATES;
  }
  for (guint32 k = 0; k < room->states->len; k++) {
    const HyRoomState *s = hy_room_state(room, k);
    guint group = s->member->group;
    if (s->member->family == HY_FAMILY_BLOCK && m->exact[group]) {
      m->exact[group] = s->row != HY_NO_ROW && hy_made_of_is_linear(m, s->row);
    }
  }
}

/* Those that an implicit method for stiff equations steps, whose rows are all known. */
static void find_balanced(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  for (guint k = 0; k < room->members.group->len; k++) {
    const HyMember *first = hy_room_state(room, hy_room_group(room, k)->first)->member;
    m->balanced[k] = first->family == HY_FAMILY_CVODE && first->method->stiff;
  }
  for (guint32 k = 0; k < room->states->len; k++) {
    const HyRoomState *s = hy_room_state(room, k);
    if (s->row == HY_NO_ROW) {
      m->balanced[s->member->group] = FALSE;
    }
  }
}

static guint32 of_source(const HyMadeOf *m, const guint32 *of, guint source)
{
  const HyFlat *flat = m->room->diagram.flat;
  return source == HY_NO_SOURCE               ? HY_NOBODY
         : source >= flat->first_out[flat->n] ? HY_OTHERS
                                              : of[source];
}

static gboolean has_sine(const HyKind *kind)
{
  gboolean any = FALSE;
  for (guint k = 0; k < kind->n_nodes && !any; k++) {
    any = kind->node[k].op == HY_X_SIN || kind->node[k].op == HY_X_COS;
  }
  return any;
}

/* An input of a static block that its outputs follow, or with MODES any one, is made of a sine, or
 * becomes one, of the time. */
static gboolean hears_waves(const HyMadeOf *m, guint atomic, gboolean modes)
{
  const HyFlat *flat = m->room->diagram.flat;
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyKind *kind = m->room->kind[atomic];
  gboolean any = FALSE;
  for (guint k = 0; k < kind->n_in && !any; k++) {
    guint source = sources->slot[sources->first[atomic] + k];
    any = (modes || kind->feeds[k]) && source < flat->first_out[flat->n] &&
          (m->waves[source] || (is_time(flat, source) && has_sine(kind)));
  }
  return any;
}

/* A limit of a sine, a comparison of one with a carrier; what could not be led (can_be_led()) is
 * nobody's. */
static guint32 of_waves(const HyMadeOf *m, guint atomic, gboolean modes)
{
  const HyKind *kind = m->room->kind[atomic];
  gboolean can = m->alone != HY_NOBODY && kind->n_modes > 0 && kind->n_out == 1 &&
                 kind->n_in <= 64 && !m->refused[atomic];
  if (!can || !hears_waves(m, atomic, modes)) {
    return HY_NOBODY;
  }
  return m->alone;
}

guint32 hy_made_of_inputs(const HyMadeOf *m, const guint32 *of, guint atomic, gboolean modes)
{
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyKind *kind = m->room->kind[atomic];
  guint32 all = HY_NOBODY;
  for (guint k = 0; k < kind->n_in; k++) {
    if (modes || kind->feeds[k]) {
      all = both(all, of_source(m, of, sources->slot[sources->first[atomic] + k]));
    }
  }
  return all == HY_NOBODY ? of_waves(m, atomic, modes) : all;
}

static gint64 reading_of(guint32 group, guint32 flag)
{
  return (gint64)((guint64)group << 32 | flag);
}

/* Through hubs, which are few deep (rows.c). */
static void mark_flags(HyMadeOf *m, guint32 row, guint32 group)
{
  const HyRows *rows = &m->room->rows;
  const HyTemplate *t = hy_row_template(rows, row);
  for (guint k = 0; k < t->n_flags; k++) {
    guint32 flag = hy_row_flags(rows, row)[k];
    gint64 key = reading_of(group, flag);
    m->reader[flag] = both(m->reader[flag], group < HY_OTHERS ? group : HY_NOBODY);
    if (!g_hash_table_contains(m->reads, &key)) {
      g_hash_table_add(m->reads, g_memdup2(&key, sizeof key));
    }
  }
  for (guint k = 0; rows->hub->len > 0 && k < t->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(rows, hy_row_slots(rows, row)[k]);
    guint32 *seen = hub != NULL ? &m->hub[hub - (const HyHub *)(gpointer)rows->hub->data] : NULL;
    if (seen != NULL && *seen != group) {
      *seen = group;
      mark_flags(m, hub->row, group);
    }
  }
}

static void find_flag_readers(HyMadeOf *m)
{
  for (guint32 k = 0; k < m->room->states->len; k++) {
    const HyRoomState *s = hy_room_state(m->room, k);
    if (s->row != HY_NO_ROW) {
      mark_flags(m, s->row, group_of_state(m->room, k));
    }
  }
}

gboolean hy_made_of_is_read_by(const HyMadeOf *m, guint atomic, guint32 group)
{
  gboolean read = FALSE;
  for (guint32 k = m->room->first_flag[atomic]; k < m->room->first_flag[atomic + 1]; k++) {
    gint64 key = reading_of(group, k);
    read |= g_hash_table_contains(m->reads, &key);
  }
  return read;
}

/* The one group that owns crossings whose rows read its modes; HY_NOBODY, HY_OTHERS. */
static guint32 reader_of(const HyMadeOf *m, guint atomic)
{
  guint32 of = HY_NOBODY;
  for (guint32 k = m->room->first_flag[atomic]; k < m->room->first_flag[atomic + 1]; k++) {
    of = both(of, m->reader[k]);
  }
  return of;
}

/* Its value is a function of the states of GROUP. */
static gboolean is_function(const HyMadeOf *m, guint atomic, guint32 group)
{
  const HyKind *kind = m->room->kind[atomic];
  return kind != NULL && kind->n_out == 1 && kind->n_in <= 64 && group < HY_OTHERS &&
         hy_made_of_inputs(m, m->states, atomic, FALSE) == group &&
         hy_made_of_inputs(m, m->of, atomic, FALSE) == group;
}

gboolean hy_made_of_is_readable(const HyMadeOf *m, guint atomic, guint32 group)
{
  return is_function(m, atomic, group) && m->exact[group];
}

gboolean hy_made_of_is_balanced(const HyMadeOf *m, guint atomic, guint32 group)
{
  return is_function(m, atomic, group) && m->balanced[group] &&
         m->room->kind[atomic]->n_modes == 0 && hy_made_of_outer(m, atomic, FALSE) == 0;
}

/* Mode and value of a block come from the same states: one whose modes a group decides though its
 * rows do not read them, and whose value follows states, must be readable; or its
 * value is heard by a meeting, or decides another mode, which are made of these states, too. What a
 * limited output says is confined whoever decides its modes. Inputs are bits of a word. */
static gboolean can_be_led(const HyMadeOf *m, guint atomic, guint32 group)
{
  const HyKind *kind = m->room->kind[atomic];
  gboolean read = hy_made_of_is_read_by(m, atomic, group) &&
                  hy_made_of_inputs(m, m->states, atomic, TRUE) == group;
  gboolean follows = hy_made_of_inputs(m, m->states, atomic, FALSE) != HY_NOBODY;
  return kind->n_in <= 64 &&
         (read || hy_made_of_is_readable(m, atomic, group) ||
          ((!follows || (m->met[atomic] && !m->exact[group])) && kind->limits == NULL));
}

static guint32 leader_of(const HyMadeOf *m, guint atomic)
{
  gboolean can = m->room->kind[atomic]->n_modes > 0 && !m->refused[atomic];
  guint32 of = can ? hy_made_of_inputs(m, m->of, atomic, TRUE) : HY_NOBODY;
  return of < HY_OTHERS && can_be_led(m, atomic, of) ? of : HY_NOBODY;
}

static gboolean is_sine(const HyRoom *room, guint slot)
{
  guint owner = room->diagram.flat->owner[slot], port = slot - room->diagram.flat->first_out[owner];
  HySine sine;
  return room->sources.sine != NULL && room->sources.sine(room->sources.user, owner, port, &sine);
}

/* A source that says pieces of one function: the time, or a sine. */
static gboolean is_smooth(const HyRoom *room, guint slot)
{
  return is_time(room->diagram.flat, slot) || is_sine(room, slot);
}

gboolean hy_made_of_goes_on(const HyMadeOf *m, guint slot)
{
  return slot < m->room->diagram.flat->first_out[m->room->diagram.flat->n] &&
         is_smooth(m->room, slot);
}

/* Blocks come after those that feed them. */
static void find_waves(HyMadeOf *m)
{
  const HyFlat *flat = m->room->diagram.flat;
  for (guint a = 0; a < flat->n; a++) {
    gboolean hears = m->room->kind[a] != NULL && hears_waves(m, a, FALSE);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      m->waves[slot] = hears || (m->room->kind[a] == NULL && is_sine(m->room, slot));
    }
  }
}

static void mark_met(HyMadeOf *m, guint atomic, guint port)
{
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyFlat *flat = m->room->diagram.flat;
  guint slot = sources->slot[sources->first[atomic] + port];
  if (slot < flat->first_out[flat->n]) {
    m->met[flat->owner[slot]] = 1;
  }
}

/* Blocks come after those that feed them. */
static void find_met(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  for (guint k = 0; k < room->meetings->len; k++) {
    if (!hy_meeting(room, k)->probes) {
      mark_met(m, hy_meeting(room, k)->atomic, hy_meeting(room, k)->port);
    }
  }
  for (guint a = room->diagram.flat->n; a-- > 0;) {
    const HyKind *kind = room->kind[a];
    for (guint k = 0; kind != NULL && k < kind->n_in; k++) {
      if (kind->n_modes > 0 || (m->met[a] && kind->feeds[k])) {
        mark_met(m, a, k);
      }
    }
  }
}

static void find_alone(HyMadeOf *m)
{
  guint32 all = HY_NOBODY;
  for (guint32 k = 0; k < m->room->states->len; k++) {
    guint32 group = group_of_state(m->room, k);
    all = group == HY_OTHERS ? all : both(all, group);
  }
  m->alone = all < HY_OTHERS && m->exact[all] ? all : HY_NOBODY;
}

static void start_slots(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  const HyFlat *flat = room->diagram.flat;
  for (guint slot = 0; slot < flat->first_out[flat->n]; slot++) {
    guint owner = flat->owner[slot];
    guint32 state = room->kind[owner] == NULL ? room->members.state_at[owner] : 0;
    gboolean first = flat->first_out[owner] == slot;
    m->of[slot] = m->states[slot] = state == 0 ? HY_NOBODY
                                    : first    ? group_of_state(room, state - 1)
                                               : HY_OTHERS;
    m->jumps[slot] = room->kind[owner] == NULL && (state == 0 || !first) && !is_smooth(room, slot);
  }
}

/* One pass over all blocks; TRUE: something has been found. */
static gboolean find_makers(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  const HyFlat *flat = room->diagram.flat;
  gboolean found = FALSE;
  for (guint a = 0; a < flat->n; a++) {
    if (room->kind[a] == NULL) {
      continue;
    }
    guint32 states = hy_made_of_inputs(m, m->states, a, FALSE), leader = leader_of(m, a);
    guint32 of = both(hy_made_of_inputs(m, m->of, a, FALSE), leader);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      of = both(m->of[slot], of); /* what has once been found stays: so this comes to an end */
      found |= m->of[slot] != of || m->states[slot] != states;
      m->of[slot] = of;
      m->states[slot] = states;
    }
    found |= m->leader[a] != leader;
    m->leader[a] = leader;
  }
  return found;
}

static gboolean class_moves(const HyFlat *flat, guint atomic)
{
  const HyPort *p =
      hy_model_class(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic))->out;
  while (p != NULL && p->name != NULL && !p->moves) {
    p++;
  }
  return p != NULL && p->name != NULL;
}

/* What moves as a group has said that it does. A group cannot compute what is behind it: each of
 * its words would be answered by another one, which would make the group speak again. These are
 * atomics that are no functions, and functions in modes that nobody leads, or of too many inputs.
 */
static gboolean answers_words(const HyMadeOf *m, guint atomic)
{
  const HyFlat *flat = m->room->diagram.flat;
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyKind *kind = m->room->kind[atomic];
  if (kind != NULL) {
    gboolean alone = kind->n_modes > 0 && m->leader[atomic] == HY_NOBODY &&
                     hy_made_of_inputs(m, m->of, atomic, TRUE) != HY_NOBODY;
    return (alone || kind->n_in > 64) &&
           hy_made_of_inputs(m, m->states, atomic, FALSE) != HY_NOBODY;
  }
  guint32 of = HY_NOBODY;
  gboolean moves = class_moves(flat, atomic);
  for (guint k = sources->first[atomic]; moves && k < sources->first[atomic + 1]; k++) {
    of = both(of, of_source(m, m->of, sources->slot[k]));
  }
  return of != HY_NOBODY;
}

static gboolean find_answers(HyMadeOf *m)
{
  const HyFlat *flat = m->room->diagram.flat;
  gboolean found = FALSE;
  for (guint a = 0; a < flat->n; a++) {
    gboolean answers = answers_words(m, a);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1] && answers; slot++) {
      found |= m->of[slot] != HY_OTHERS;
      m->of[slot] = HY_OTHERS;
    }
  }
  return found;
}

static void find_groups(HyMadeOf *m)
{
  do {
    while (find_makers(m)) {
    }
  } while (find_answers(m));
}

/* At a source of what is made of GROUP; what is made of nobody hands on where it starts anew. */
static gboolean source_jumps(const HyMadeOf *m, guint source, guint32 group)
{
  const HyFlat *flat = m->room->diagram.flat;
  return source != HY_NO_SOURCE &&
         (source >= flat->first_out[flat->n] || m->jumps[source] ||
          (group < HY_OTHERS && m->starts[source] != HY_NOBODY && m->starts[source] != group));
}

guint64 hy_made_of_outer(const HyMadeOf *m, guint atomic, gboolean modes)
{
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyKind *kind = m->room->kind[atomic];
  guint32 group = m->of[m->room->diagram.flat->first_out[atomic]];
  guint64 outer = 0;
  for (guint k = 0; k < kind->n_in && k < 64; k++) {
    gboolean jumps = source_jumps(m, sources->slot[sources->first[atomic] + k], group);
    gboolean counts = kind->feeds[k] || (modes && kind->n_modes > 0); /* else nothing reads it */
    outer |= (guint64)(jumps && counts) << k;
  }
  return outer;
}

/* Where rows of a group read a mode, its toggle is a new start of that group, which then looks at
 * all that it leads and reads: before that a switch is on and the diodes beside it are not. To
 * blocks of other groups, and where no such rows read it, it is a jump: HY_OTHERS. */
static guint32 starts_by_modes(const HyMadeOf *m, guint atomic)
{
  guint32 leader = m->leader[atomic], reader = reader_of(m, atomic);
  if (m->room->kind[atomic]->n_modes == 0 ||
      (leader != HY_NOBODY && hy_made_of_outer(m, atomic, TRUE) == 0)) {
    return HY_NOBODY;
  }
  if (leader != HY_NOBODY) {
    return hy_made_of_is_read_by(m, atomic, leader) ? leader : HY_OTHERS;
  }
  return reader != HY_NOBODY ? reader : HY_OTHERS;
}

/* At a new start of which group its outputs jump: by its modes, and by what it follows. */
static guint32 starts_of(const HyMadeOf *m, guint atomic)
{
  const HyFlatSources *sources = m->room->diagram.sources;
  const HyKind *kind = m->room->kind[atomic];
  guint32 starts = starts_by_modes(m, atomic);
  for (guint k = 0; k < kind->n_in; k++) {
    guint source = sources->slot[sources->first[atomic] + k];
    if (kind->feeds[k] && source < m->room->diagram.flat->first_out[m->room->diagram.flat->n]) {
      starts = both(starts, m->starts[source]);
    }
  }
  return starts;
}

static gboolean find_jumps(HyMadeOf *m)
{
  const HyRoom *room = m->room;
  const HyFlat *flat = room->diagram.flat;
  gboolean found = FALSE;
  for (guint a = 0; a < flat->n; a++) {
    const HyKind *kind = room->kind[a];
    if (kind == NULL) {
      continue;
    }
    guint32 starts = starts_of(m, a);
    gboolean jumps = kind->n_in > 64 || hy_made_of_outer(m, a, FALSE) != 0 || starts == HY_OTHERS;
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      starts = both(m->starts[slot], starts); /* as above: so this comes to an end */
      found |= (jumps && !m->jumps[slot]) || m->starts[slot] != starts;
      m->jumps[slot] |= jumps;
      m->starts[slot] = starts;
    }
  }
  return found;
}

void hy_made_of_refuse(HyMadeOf *m, guint atomic)
{
  m->refused[atomic] = TRUE;
}

void hy_made_of_settle(HyMadeOf *m)
{
  if (m != NULL) {
    find_groups(m);
    while (find_jumps(m)) {
    }
  }
}

static gboolean anybody_owns(const HyRoom *room)
{
  gboolean any = FALSE;
  for (guint32 k = 0; k < room->states->len; k++) {
    any |= group_of_state(room, k) != HY_OTHERS;
  }
  return any;
}

static guint32 *list_of_nobody(guint n)
{
  guint32 *list = g_new(guint32, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    list[k] = HY_NOBODY;
  }
  return list;
}

HyMadeOf *hy_made_of_new(const HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  guint slots = flat->first_out[flat->n];
  if (!anybody_owns(room)) {
    return NULL;
  }
  HyMadeOf *m = g_new(HyMadeOf, 1);
  *m = (HyMadeOf){.room = room,
                  .of = list_of_nobody(slots),
                  .states = list_of_nobody(slots),
                  .exact = g_new0(guint8, (gsize)room->members.group->len + 1),
                  .balanced = g_new0(guint8, (gsize)room->members.group->len + 1),
                  .jumps = g_new0(guint8, (gsize)slots + 1),
                  .waves = g_new0(guint8, (gsize)slots + 1),
                  .starts = list_of_nobody(slots),
                  .leader = list_of_nobody(flat->n),
                  .met = g_new0(guint8, (gsize)flat->n + 1),
                  .refused = g_new0(guint8, (gsize)flat->n + 1),
                  .reader = list_of_nobody(room->first_flag[flat->n]),
                  .reads = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                  .hub = list_of_nobody(room->rows.hub->len)};
  find_exact(m);
  find_balanced(m);
  find_alone(m);
  find_met(m);
  find_waves(m);
  start_slots(m);
  find_flag_readers(m);
  find_groups(m);
  return m;
}

void hy_made_of_free(HyMadeOf *m)
{
  if (m != NULL) {
    g_free(m->of);
    g_free(m->states);
    g_free(m->exact);
    g_free(m->balanced);
    g_free(m->jumps);
    g_free(m->waves);
    g_free(m->starts);
    g_free(m->leader);
    g_free(m->met);
    g_free(m->refused);
    g_free(m->reader);
    g_hash_table_unref(m->reads);
    g_free(m->hub);
    g_free(m);
  }
}
