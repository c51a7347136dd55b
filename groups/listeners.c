/* Who is listened to. What a member of a classic group says may reach nobody but such groups, which
 * evaluate rows; then it says nothing. A static block that leads to nobody else is idle, also one
 * whose modes a group decides: rows have them as flags. One that runs, as a switch does for its
 * gate, is mute at the outputs that nobody takes. Only wires, rows and watchers decide, so it is
 * the same in all engines.
 *
 * Found by a walk backwards along the wires from those who listen: watched atomics, blocks with
 * modes or state, ports with several sources. A hub is needed as an atomic unless all that it is
 * made of and all that read it are one group, which evaluates it itself. */
#include "classic_internal.h"
#include "equations/static_block.h"
#include "groups.h"
#include "hydevs/trace.h"

typedef struct {
  const HyRoom *room;
  const guint8 *watched; /* [atomics]: HyWatched; NULL: nobody watches anything */
  guint8 *needed;        /* [atomics]: static blocks that lead to somebody who listens */
  GArray *stack;         /* guint32: needed, and what leads to them not looked at yet */
} Search;

static gboolean is_watched(const Search *s, guint atomic)
{
  return s->watched != NULL && s->watched[atomic];
}

/* A block whose modes are decided elsewhere does not look at what decides them. */
static gboolean takes(const HyRoom *room, guint atomic, guint port)
{
  return !hy_static_is_deaf(room->block[atomic], port);
}

/* To what comes along a wire. The derivative of a member is its row; of one of which a trace wants
 * all transitions it comes by the wire, too. */
static gboolean listeners_listens(const Search *s, HyFlatTarget to, gboolean begun)
{
  const HyRoom *room = s->room;
  const HyFlatSources *sources = room->diagram.sources;
  if ((s->watched != NULL && s->watched[to.atomic] == HY_WATCH_ALL) ||
      sources->slot[sources->first[to.atomic] + to.port] == HY_MANY_SOURCES) {
    return TRUE;
  }
  if (room->kind[to.atomic] != NULL) {
    const HyStaticState *own = room->block[to.atomic];
    return s->needed[to.atomic] && takes(room, to.atomic, to.port) &&
           !(begun && own->reads != HY_READS_NOT && !hy_static_is_outer(own, to.port));
  }
  if (begun && hy_meeting_at(room, to.atomic, to.port) != NULL) {
    return FALSE;
  }
  const HyMember *m = hy_room_member(room, to.atomic);
  return m == NULL || !hy_family_is_classic(m->family) || to.port != 0;
}

/* BEGUN: as it is when groups have begun, and compute their readings. */
static gboolean is_heard(const Search *s, guint slot, gboolean begun)
{
  const HyFlat *flat = s->room->diagram.flat;
  for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
    if (listeners_listens(s, flat->targets[k], begun)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The classic group of STATE, or G_MAXUINT. */
static guint group_of(const HyRoom *room, guint32 state)
{
  const HyMember *m = hy_room_state(room, state)->member;
  return hy_family_is_classic(m->family) ? m->group : G_MAXUINT;
}

/* Through other hubs, too, which are few deep (rows.c). */
static gboolean is_made_of(const HyRoom *room, const HyHub *hub, guint group)
{
  const HyRunRow *r = &room->run[hub->row];
  gboolean all = TRUE;
  for (guint k = 0; k < r->n_slots && all; k++) {
    const HyHub *inner = hy_rows_hub(&room->rows, r->slot[k]);
    guint32 state = inner == NULL ? room->members.state_of[r->slot[k]] : 0;
    all = inner != NULL ? is_made_of(room, inner, group)
                        : state > 0 && group_of(room, state - 1) == group;
  }
  return all;
}

/* Rows that read what is said at SLOT get it without the block that says it: nobody reads it, or it
 * is a hub, and all that it is made of, and all members that read it, are one group, which computes
 * it itself. A block with several sources at a port is a slot of rows, too, and no hub. */
static gboolean is_inner(const HyRoom *room, guint slot)
{
  const HyHub *hub = hy_rows_hub(&room->rows, slot);
  guint32 first = room->members.by_slot.first[slot], end = room->members.by_slot.first[slot + 1];
  guint group = G_MAXUINT;
  gboolean inner = TRUE;
  for (guint32 k = first; k < end; k++) {
    guint other = group_of(room, room->members.by_slot.item[k]);
    group = k == first ? other : group;
    inner &= other != G_MAXUINT && other == group;
  }
  return first == end || (inner && hub != NULL && is_made_of(room, hub, group));
}

/* What nobody reads may fail, and that is to be reported; sums and products of what is finite do
 * not, but beyond all numbers. */
static gboolean is_end(const Search *s, guint slot)
{
  const HyFlat *flat = s->room->diagram.flat;
  return flat->start[slot] == flat->start[slot + 1] && !s->room->kind[flat->owner[slot]]->safe;
}

/* Whatever it leads to. */
static gboolean is_asked_for(const Search *s, guint atomic)
{
  const HyFlat *flat = s->room->diagram.flat;
  if (is_watched(s, atomic) ||
      (s->room->kind[atomic]->n_modes > 0 && !s->room->block[atomic]->led)) {
    return TRUE;
  }
  for (guint slot = flat->first_out[atomic]; slot < flat->first_out[atomic + 1]; slot++) {
    if (is_end(s, slot) || is_heard(s, slot, FALSE) || !is_inner(s->room, slot)) {
      return TRUE;
    }
  }
  return FALSE;
}

static void listeners_need(Search *s, guint32 atomic)
{
  if (s->room->kind[atomic] != NULL && !s->needed[atomic]) {
    s->needed[atomic] = 1;
    g_array_append_val(s->stack, atomic);
  }
}

/* Backwards along the wires. */
static void find_needed(Search *s)
{
  const HyFlatSources *sources = s->room->diagram.sources;
  guint n = s->room->diagram.flat->n, slots = s->room->diagram.flat->first_out[n];
  for (guint32 a = 0; a < n; a++) {
    if (s->room->kind[a] != NULL && is_asked_for(s, a)) {
      listeners_need(s, a);
    }
  }
  while (s->stack->len > 0) {
    guint32 a = g_array_index(s->stack, guint32, s->stack->len - 1);
    g_array_set_size(s->stack, s->stack->len - 1);
    for (guint k = sources->first[a]; k < sources->first[a + 1]; k++) {
      if (sources->slot[k] < slots && takes(s->room, a, k - sources->first[a])) {
        listeners_need(s, s->room->diagram.flat->owner[sources->slot[k]]);
      }
    }
  }
}

/* It waits for one input more than it has; and nobody waits for what it would say. */
static void make_idle(HyRoom *room, guint atomic)
{
  const HyFlat *flat = room->diagram.flat;
  room->block[atomic]->missing++;
  room->block[atomic]->tn = INFINITY;
  for (guint slot = flat->first_out[atomic]; slot < flat->first_out[atomic + 1]; slot++) {
    room->heard[slot] = 0;
    for (guint32 k = room->members.by_slot.first[slot]; k < room->members.by_slot.first[slot + 1];
         k++) {
      hy_room_state(room, room->members.by_slot.item[k])->member->missing--;
    }
  }
}

/* Those behind SLOT that GROUP reads are all who hear it until it has begun. */
static gboolean is_hushed(const Search *s, guint slot, guint32 group)
{
  const HyFlat *flat = s->room->diagram.flat;
  gboolean all = !is_heard(s, slot, TRUE);
  for (guint k = flat->start[slot]; k < flat->start[slot + 1] && all; k++) {
    HyFlatTarget to = flat->targets[k];
    const HyStaticState *own = s->room->kind[to.atomic] != NULL ? s->room->block[to.atomic] : NULL;
    all = hy_meeting_at(s->room, to.atomic, to.port) == NULL &&
          (own == NULL || own->reads == HY_READS_NOT || own->group == group);
  }
  return all;
}

/* Outputs of a block that runs, at which nobody takes anything. */
static void make_mute(const Search *s, guint atomic)
{
  const HyFlat *flat = s->room->diagram.flat;
  HyStaticState *own = s->room->block[atomic];
  guint first = flat->first_out[atomic], end = MIN(first + 64, flat->first_out[atomic + 1]);
  for (guint slot = first; slot < end && !is_watched(s, atomic); slot++) {
    gboolean inner = is_inner(s->room, slot), mute = inner && !is_heard(s, slot, FALSE);
    own->mute |= (guint64)mute << (slot - first);
    own->hushed |= (guint64)(inner && is_hushed(s, slot, own->group)) << (slot - first);
  }
}

/* A group of another rate asks for itself. */
static gboolean listeners_informs(const HyClassic *g, guint32 reader)
{
  const HyRoom *room = g->room;
  guint group = group_of(room, reader);
  return group != G_MAXUINT && hy_multirate_is(g) &&
         hy_multirate_is(hy_room_group(room, group)->classic);
}

/* Who has to hear of member I: by words (speaker), or because a row reads it directly (reader). */
static void find_readers(const Search *s, HyClassic *g, guint32 i)
{
  const HyRoom *room = g->room;
  guint slot = g->rows.slot[i];
  if (is_watched(s, hy_room_state(room, g->state[i])->atomic) || is_heard(s, slot, TRUE)) {
    g_array_append_val(g->out.speaker, i);
    g->out.open[i] = 2;
  }
  for (guint32 k = room->members.by_slot.first[slot]; k < room->members.by_slot.first[slot + 1];
       k++) {
    if (!hy_classic_has(g, room->members.by_slot.item[k]) &&
        !listeners_informs(g, room->members.by_slot.item[k])) {
      g_array_append_val(g->out.reader, room->members.by_slot.item[k]);
      g->out.open[i] |= 1;
    }
  }
  g->out.seen = g->out.speaker->len > 0 || g->out.reader->len > 0 || g->spoken > 0;
}

static void search_init(Search *s, const HyRoom *room, const guint8 *watched)
{
  const HyFlat *flat = room->diagram.flat;
  *s = (Search){.room = room,
                .watched = watched,
                .needed = g_new0(guint8, (gsize)flat->n + 1),
                .stack = g_array_new(FALSE, FALSE, sizeof(guint32))};
}

void hy_classic_listen(HyRoom *room, const guint8 *watched)
{
  Search s;
  if (room->groups.classic->len == 0) {
    return;
  }
  search_init(&s, room, watched);
  find_needed(&s);
  for (guint a = 0; a < room->diagram.flat->n; a++) {
    if (room->kind[a] != NULL && !s.needed[a]) {
      make_idle(room, a);
    } else if (room->kind[a] != NULL && (room->kind[a]->n_modes > 0 || room->kind[a]->n_out > 1)) {
      make_mute(&s, a);
    }
  }
  for (guint k = 0; k < room->members.group->len; k++) {
    HyClassic *g = hy_room_group(room, k)->classic;
    for (guint i = 0; g != NULL && i < g->n; i++) {
      find_readers(&s, g, i);
    }
  }
  g_free(s.needed);
  g_array_unref(s.stack);
}

/* Before a run ------------------------------------------------------------------------------- */

/* A state, or a block that answers at once and has not been looked at, is behind an input. */
static gboolean look_behind(Search *s, guint32 atomic)
{
  const HyFlat *flat = s->room->diagram.flat;
  const HyFlatSources *sources = s->room->diagram.sources;
  gboolean heard = FALSE;
  for (guint k = sources->first[atomic]; k < sources->first[atomic + 1]; k++) {
    if (sources->slot[k] < flat->first_out[flat->n]) {
      guint32 owner = flat->owner[sources->slot[k]];
      heard |= hy_room_member(s->room, owner) != NULL;
      listeners_need(s, owner);
    }
  }
  return heard;
}

gboolean hy_groups_are_heard(const HyRoom *room)
{
  guint n = room->diagram.flat->n;
  g_autofree guint8 *needed = g_new0(guint8, (gsize)n + 1);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint32));
  Search s = {room, NULL, needed, stack};
  gboolean heard = FALSE;
  for (guint32 a = 0; a < n; a++) {
    heard |= room->kind[a] == NULL && hy_room_member(room, a) == NULL && look_behind(&s, a);
  }
  while (stack->len > 0 && !heard) {
    guint32 a = g_array_index(stack, guint32, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    heard = look_behind(&s, a);
  }
  return heard;
}
