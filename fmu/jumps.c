#include "jumps.h"

#include "equations/room_internal.h"
#include "sim/engine.h"

#include <string.h>

typedef struct {
  const HySim *sim;
  guint8 *moves; /* [slots] */
} Moving;

/* A signal from outside may be set at any time, and counts as one that moves. */
static gboolean source_moves(const Moving *m, guint atomic, guint port)
{
  const HyFlatSources *sources = &m->sim->sources;
  guint slot = sources->slot[sources->first[atomic] + port];
  guint slots = m->sim->graph->first_out[m->sim->n];
  return slot != HY_NO_SOURCE && (slot >= slots || m->moves[slot] != 0);
}

static gboolean any_source_moves(const Moving *m, guint atomic)
{
  const HyFlatSources *sources = &m->sim->sources;
  guint n = sources->first[atomic + 1] - sources->first[atomic];
  for (guint k = 0; k < n; k++) {
    if (source_moves(m, atomic, k)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* A function: of the inputs that its value follows, and not by modes alone. */
static gboolean function_moves(const Moving *m, guint atomic, const HyKind *kind)
{
  for (guint k = 0; k < kind->n_in; k++) {
    if (kind->feeds[k] && source_moves(m, atomic, k)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Sources of which only these stand still. */
static gboolean source_stands(const HyAtomicClass *klass)
{
  static const char *const stand[] = {"constant",  "step",  "pulse", "square",
                                      "generator", "lever", NULL};
  return g_strv_contains(stand, klass->name);
}

static gboolean port_moves(const Moving *m, guint atomic, const HyPort *port)
{
  const HyAtomicClass *klass = m->sim->atoms[atomic].klass;
  const HyKind *kind = m->sim->room != NULL ? m->sim->room->kind[atomic] : NULL;
  if (port->kind == HY_EVENT) {
    return FALSE;
  }
  if (kind != NULL) {
    return function_moves(m, atomic, kind);
  }
  if (klass->order != NULL || klass->held != NULL) {
    return TRUE;
  }
  if (klass->in == NULL || klass->in->name == NULL) {
    return !source_stands(klass);
  }
  return port->moves && any_source_moves(m, atomic);
}

/* TRUE: something is known to move that was not. */
static gboolean look_at(Moving *m, guint atomic)
{
  const HyAtomicClass *klass = m->sim->atoms[atomic].klass;
  const guint *first = m->sim->graph->first_out;
  const HyPort *port = klass->out;
  gboolean more = FALSE;
  for (guint slot = first[atomic]; slot < first[atomic + 1]; slot++) {
    if (!m->moves[slot] && port_moves(m, atomic, port)) {
      m->moves[slot] = 1;
      more = TRUE;
    }
    port += port->array ? 0 : 1;
  }
  return more;
}

guint8 *hy_moving_slots(const HySim *sim)
{
  Moving m = {sim, g_new0(guint8, (gsize)sim->graph->first_out[sim->n] + 1)};
  for (gboolean more = TRUE; more;) { /* what moves stays so: this comes to an end */
    more = FALSE;
    for (guint a = 0; a < sim->n; a++) {
      more |= look_at(&m, a);
    }
  }
  return m.moves;
}
