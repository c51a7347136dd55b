/* Sources behind a block are found backwards through static blocks, when the first of its crossings
 * is due. That is a hint for what is near, such as a carrier and a limited reference: it goes
 * through few blocks, and a crossing that waits in vain happens a digit of the time later. */
#include "turns.h"

#include "room_internal.h"

#include <float.h>
#include <math.h>

#define MOST_BLOCKS 32U
#define DIGITS      (4.0 * DBL_EPSILON) /* of the time: what rounding makes of an instant */

static gboolean has_inputs(const HyFlatSources *sources, guint atomic)
{
  gboolean any = FALSE;
  for (guint k = sources->first[atomic]; k < sources->first[atomic + 1]; k++) {
    any |= sources->slot[k] != HY_NO_SOURCE;
  }
  return any;
}

static gboolean is_in(const GArray *list, guint32 what)
{
  gboolean any = FALSE;
  for (guint k = 0; k < list->len && !any; k++) {
    any = g_array_index(list, guint32, k) == what;
  }
  return any;
}

/* What feeds ATOMIC goes to BLOCKS, or to FOUND. */
static void look_behind(const HyRoom *room, guint atomic, GArray *blocks, GArray *found)
{
  const HyFlat *flat = room->diagram.flat;
  const HyFlatSources *sources = room->diagram.sources;
  for (guint k = sources->first[atomic]; k < sources->first[atomic + 1]; k++) {
    guint slot = sources->slot[k];
    if (slot >= flat->first_out[flat->n]) {
      continue; /* none, or several */
    }
    guint32 owner = flat->owner[slot];
    if (room->kind[owner] != NULL && blocks->len < MOST_BLOCKS && !is_in(blocks, owner)) {
      g_array_append_val(blocks, owner);
    } else if (room->kind[owner] == NULL && !has_inputs(sources, owner) && !is_in(found, owner)) {
      g_array_append_val(found, owner);
    }
  }
}

static GArray *sources_behind(const HyRoom *room, guint32 atomic)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof(guint32));
  GArray *blocks = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_val(blocks, atomic);
  for (guint k = 0; k < blocks->len; k++) {
    look_behind(room, g_array_index(blocks, guint32, k), blocks, found);
  }
  g_array_unref(blocks);
  return found;
}

static const GArray *known_sources(HyRoom *room, guint atomic)
{
  if (room->turns == NULL) {
    room->turns = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  }
  GArray *found = g_hash_table_lookup(room->turns, GUINT_TO_POINTER(atomic));
  if (found == NULL) {
    found = sources_behind(room, atomic);
    g_hash_table_insert(room->turns, GUINT_TO_POINTER(atomic), found);
  }
  return found;
}

double hy_room_turn_at(HyRoom *room, guint atomic, double t)
{
  double turn = -INFINITY;
  const GArray *found = room->sources.next != NULL ? known_sources(room, atomic) : NULL;
  for (guint k = 0; found != NULL && k < found->len; k++) {
    double next = room->sources.next(room->sources.user, g_array_index(found, guint32, k));
    turn = next >= t && next <= t + DIGITS * fabs(t) ? fmax(turn, next) : turn;
  }
  return turn;
}

void hy_room_free_turns(HyRoom *room)
{
  g_clear_pointer(&room->turns, g_hash_table_unref);
}
