/* When f may jump next, as far as that is known ahead: an edge of a gate.
 *
 * A method that chooses its steps knows nothing of what comes. It would step over an edge and be
 * brought back by its dense output, which at the low order after a start is as rough as the
 * tolerance lets it be; and its first step may reach over most of a switching period. Both happen
 * at every edge and add up (buck converter, 200 edges, 1e-3: 6.1e-3 of error, beside 3.5e-4
 * of the same method told the edges).
 *
 * A source whose last word is a constant has its next event because it will say another one; what
 * is said in pieces (a sine) goes on smoothly. So steps end at the next event of the sources of the
 * first kind behind the inputs and modes of a group. It is a hint and no more: whatever comes
 * earlier, later or not at all is met as before.
 *
 * A method that is exact from one word to the next takes a source that is a sine for what it is:
 * the pieces that are cut from it say nothing new. */
#include "classic_internal.h"

#include "base/number.h"

/* Slots that lead to the group, looked at already; and those still to be looked at. */
typedef struct {
  HyClassic *g;
  GHashTable *seen; /* GUINT_TO_POINTER(slot + 1) */
  GArray *stack;    /* guint32 */
} Walk;

static void walk_to(Walk *w, guint slot)
{
  const HyFlat *flat = w->g->room->diagram.flat;
  if (slot < flat->first_out[flat->n] && g_hash_table_add(w->seen, GUINT_TO_POINTER(slot + 1))) {
    g_array_append_val(w->stack, slot);
  }
}

static void walk_to_inputs(Walk *w, guint atomic)
{
  const HyFlatSources *sources = w->g->room->diagram.sources;
  for (guint k = sources->first[atomic]; k < sources->first[atomic + 1]; k++) {
    walk_to(w, sources->slot[k]);
  }
}

/* Backwards through static blocks, to what is neither one nor a state. */
static void walk_on(Walk *w, guint32 slot)
{
  HyRoom *room = w->g->room;
  guint atomic = room->diagram.flat->owner[slot];
  if (room->kind[atomic] != NULL) {
    walk_to_inputs(w, atomic);
  } else if (room->members.state_at[atomic] == 0) {
    g_array_append_val(w->g->rows.source, slot);
    room->heard[slot] = room->heard[slot] == HY_UNHEARD    ? HY_HEARD
                        : room->heard[slot] == HY_OF_MODES ? HY_FROM_OUTSIDE
                                                           : room->heard[slot];
  }
}

static int slots_ascending(gconstpointer a, gconstpointer b)
{
  const guint32 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

void hy_classic_find_sources(HyClassic *g)
{
  const HyRoom *room = g->room;
  Walk w = {g, g_hash_table_new(NULL, NULL), g_array_new(FALSE, FALSE, sizeof(guint32))};
  g->rows.source = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < g->rows.n_outer; k++) {
    walk_to(&w, g->rows.outer[k]);
  }
  for (guint k = 0; k < g->rows.n_flags; k++) {
    walk_to_inputs(&w, hy_part_of(room->first_flag, room->diagram.flat->n, g->rows.flag[k]));
  }
  while (w.stack->len > 0) {
    guint32 slot = g_array_index(w.stack, guint32, w.stack->len - 1);
    g_array_set_size(w.stack, w.stack->len - 1);
    walk_on(&w, slot);
  }
  g_array_sort(g->rows.source, slots_ascending);
  g_hash_table_unref(w.seen);
  g_array_unref(w.stack);
}

static gboolean is_constant(const HyPiece *said)
{
  return !isnan(said->t) && said->c[1] == 0.0 && said->c[2] == 0.0 && said->c[3] == 0.0;
}

/* The next event after T of a source behind the group: of those that say constants, or else of
 * those that are no sines. */
static double next_event(const HyClassic *g, double t, gboolean constants)
{
  const HyRoom *room = g->room;
  double soonest = INFINITY;
  for (guint k = 0; k < g->rows.source->len && room->sources.next != NULL; k++) {
    guint32 slot = g_array_index(g->rows.source, guint32, k);
    HySine sine;
    if (constants ? is_constant(&room->signal[slot]) : !hy_room_is_sine(room, slot, &sine)) {
      double next = room->sources.next(room->sources.user, room->diagram.flat->owner[slot]);
      soonest = next > t && next < soonest ? next : soonest;
    }
  }
  return soonest;
}

double hy_classic_next_jump(const HyClassic *g, double t)
{
  return next_event(g, t, TRUE);
}

double hy_classic_next_word(const HyClassic *g, double t)
{
  return next_event(g, t, FALSE);
}
