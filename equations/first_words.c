/* What is waited for at the start, found from the wires before the first event.
 *
 * What a block says follows some of its inputs; others only decide its modes. The former are
 * expected; the latter need not be, since a mode has a value from the start: a diode and the
 * function that computes its current from its resistance would wait for each other for ever. But a
 * block that says what 0 makes of an input which says 2 at the same instant tells an event that
 * never was to whoever counts, samples or is reset. So it waits for what is certain to come: from
 * states, from sources that speak at the start, and from blocks before it in the order of ties
 * that are certain to speak themselves. In a cycle one block stands behind another, so nobody
 * waits for itself. */
#include "room_internal.h"
#include "static_block.h"

/* What comes in at PORT of ATOMIC does so at the first instant, without ATOMIC. */
static gboolean is_certain(const HyRoom *room, const guint8 *speaks, guint atomic, guint port)
{
  const HyFlat *flat = room->diagram.flat;
  const HyFlatSources *sources = room->diagram.sources;
  guint slot = sources->slot[sources->first[atomic] + port];
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  return owner < flat->n && speaks[owner] && (room->kind[owner] == NULL || owner < atomic);
}

/* TRUE: ATOMIC speaks at the first instant. */
static gboolean wait_for_modes(HyRoom *room, const guint8 *speaks, guint atomic)
{
  HyStaticState *own = room->block[atomic];
  gboolean all = TRUE;
  for (guint k = 0; k < own->form.kind->n_in; k++) {
    gboolean certain = own->arrival[k] == HY_ARRIVED || is_certain(room, speaks, atomic, k);
    all &= certain || own->arrival[k] == HY_UNDECIDED;
    if (certain && own->arrival[k] == HY_UNDECIDED && !own->by_row && !hy_static_is_deaf(own, k)) {
      own->arrival[k] = HY_EXPECTED;
      own->undecided--;
      own->missing++;
      own->tn = INFINITY;
    }
  }
  return all;
}

static gboolean anybody_decides(const HyRoom *room)
{
  guint a = 0;
  while (a < room->diagram.flat->n && (room->kind[a] == NULL || room->block[a]->undecided == 0)) {
    a++;
  }
  return a < room->diagram.flat->n;
}

void hy_room_wait(HyRoom *room, HyRoomSpeaks *speaks, gpointer user)
{
  guint n = room->diagram.flat->n;
  if (!anybody_decides(room)) {
    return;
  }
  g_autofree guint8 *certain = g_new0(guint8, (gsize)n + 1);
  for (guint a = 0; a < n; a++) {
    certain[a] = room->kind[a] == NULL && speaks(user, a);
  }
  for (guint a = 0; a < n; a++) {
    if (room->kind[a] != NULL) {
      certain[a] = wait_for_modes(room, certain, a) != FALSE;
    }
  }
}
