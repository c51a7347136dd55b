/* What is waited for at the start, found from the wires before the first event.
 *
 * What a block says follows some of its inputs; others only decide its modes. Both are expected:
 * what cannot be known yet is not said, and a block that says what 0 makes of an input which says 2
 * a little later tells an event that never was to whoever counts, samples or is reset. But a mode
 * has a value from the start, and where the input that decides it follows from what the block says
 * itself, somebody has to begin: a diode and the function that computes its current from its
 * resistance would wait for each other for ever. So within such a ring (a strongly connected part
 * of the wires between those who wait for signals) an input that only decides modes is 0 until it
 * comes, unless it is certain to come at the first instant: from states, from sources that speak
 * then, and from blocks before this one in the order of ties that are certain to speak themselves.
 */
#include "room_internal.h"
#include "row_modes.h"
#include "static_block.h"

#include "coupled/order_graph.h"

typedef struct {
  HyRoom *room;
  guint8 *certain; /* [atomics]: it speaks at the first instant */
  guint *part;     /* [atomics]: of the ring that it is in */
} Find;

/* The owner of what comes in at PORT of ATOMIC; or n: nobody in the model. */
static guint owner_at(const HyRoom *room, guint atomic, guint port)
{
  const HyFlat *flat = room->diagram.flat;
  const HyFlatSources *sources = room->diagram.sources;
  guint slot = sources->slot[sources->first[atomic] + port];
  return slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
}

/* What comes in at PORT of ATOMIC is not to be waited for. */
static gboolean is_open(const Find *f, guint atomic, guint port)
{
  guint owner = owner_at(f->room, atomic, port), n = f->room->diagram.flat->n;
  gboolean before = owner < n && (f->room->kind[owner] == NULL || owner < atomic);
  return owner < n && f->part[owner] == f->part[atomic] && !(before && f->certain[owner]);
}

static void expect(HyStaticState *own, guint port)
{
  own->arrival[port] = HY_EXPECTED;
  own->undecided--;
  own->missing++;
  own->tn = INFINITY;
}

/* A static block. */
static void wait_for_modes(const Find *f, guint atomic)
{
  HyRoom *room = f->room;
  HyStaticState *own = room->block[atomic];
  gboolean open = FALSE, certain = TRUE;
  for (guint k = 0; k < own->form.kind->n_in; k++) {
    if (own->arrival[k] == HY_ARRIVED) {
      continue;
    }
    guint owner = owner_at(room, atomic, k);
    gboolean left = own->arrival[k] == HY_UNDECIDED && is_open(f, atomic, k);
    if (own->arrival[k] == HY_UNDECIDED && !left && !own->by_row && !hy_static_is_deaf(own, k)) {
      expect(own, k);
    }
    open |= left;
    certain &= left || (owner < room->diagram.flat->n && f->certain[owner] &&
                        (room->kind[owner] == NULL || owner < atomic));
  }
  if (own->by_row && !open) {
    hy_row_modes_wait(room, atomic);
  }
  if (own->led && !open) {
    hy_static_hold(own, TRUE);
  }
  f->certain[atomic] = certain != FALSE;
}

static gboolean anybody_decides(const HyRoom *room)
{
  guint a = 0;
  while (a < room->diagram.flat->n && (room->kind[a] == NULL || room->block[a]->undecided == 0)) {
    a++;
  }
  return a < room->diagram.flat->n;
}

/* To those who wait for signals: a state does not, nor does what is certain to speak. */
static void add_wires(const Find *f, HyOrderGraph *g, guint atomic)
{
  const HyFlat *flat = f->room->diagram.flat;
  for (guint slot = flat->first_out[atomic]; slot < flat->first_out[atomic + 1]; slot++) {
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      HyFlatTarget t = flat->targets[k];
      HyWire wire = {
          .to = t.atomic, .in = t.port, .out = slot - flat->first_out[atomic], .feeds = TRUE};
      if (!f->certain[t.atomic]) {
        g_array_append_val(g->wires, wire);
      }
    }
  }
}

static void find_rings(Find *f)
{
  guint n = f->room->diagram.flat->n;
  HyOrderGraph g = {.flat = f->room->diagram.flat,
                    .n = n,
                    .atomic = g_new(guint, (gsize)n + 1),
                    .breaks = g_new0(guint8, (gsize)n + 1),
                    .first = g_new0(guint, (gsize)n + 1),
                    .wires = g_array_new(FALSE, FALSE, sizeof(HyWire)),
                    .part = g_new0(guint, (gsize)n + 1),
                    .rank = g_new0(guint, (gsize)n + 1)};
  for (guint a = 0; a < n; a++) {
    g.atomic[a] = a;
    g.first[a] = g.wires->len;
    if (!f->certain[a]) {
      add_wires(f, &g, a);
    }
  }
  g.first[n] = g.wires->len;
  hy_order_parts(&g);
  f->part = g_steal_pointer(&g.part);
  hy_order_graph_clear(&g);
}

void hy_room_wait(HyRoom *room, HyRoomSpeaks *speaks, gpointer user)
{
  guint n = room->diagram.flat->n;
  if (!anybody_decides(room)) {
    return;
  }
  Find f = {room, g_new0(guint8, (gsize)n + 1), NULL};
  for (guint a = 0; a < n; a++) {
    f.certain[a] = room->kind[a] == NULL && speaks(user, a);
  }
  find_rings(&f);
  for (guint a = 0; a < n; a++) {
    if (room->kind[a] != NULL) {
      wait_for_modes(&f, a);
    }
  }
  g_free(f.certain);
  g_free(f.part);
}
