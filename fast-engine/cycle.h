/* One root cycle of any atomic, as both engines of this folder have it: lambda, its delivery, dint,
 * and the new instant. */
#ifndef HY_FAST_ENGINE_CYCLE_H
#define HY_FAST_ENGINE_CYCLE_H

#include "sim/agenda.h"
#include "sim/engine.h"

/* Of a word of four coefficients; a sum that is just too large is looked at by whoever asks. */
static inline gboolean hy_cycle_is_finite(const double *c)
{
  return isfinite(c[0] + c[1] + (c[2] + c[3]));
}

/* To whoever reads SLOT. FALSE: the run has ended. */
typedef gboolean HyDeliver(HySim *sim, gpointer engine, double t, guint slot, HyEvent *y);
/* The next event of ATOMIC is at TN. */
typedef void HyPlace(gpointer engine, guint atomic, double tn);

HY_AGENDA_INLINE gboolean hy_cycle(HySim *sim, gpointer engine, double t, guint atomic,
                                   HyDeliver *deliver, HyPlace *place)
{
  HyEvent y = hy_atom_lambda(sim, atomic, t);
  gint port = -1;
  if (hy_atom_output(sim, atomic, t, &y)) {
    port = y.port;
    gboolean ok = deliver(sim, engine, t, sim->graph->first_out[atomic] + (guint)port, &y);
    hy_atom_delivered(&y);
    if (!ok) {
      return FALSE;
    }
  } else if (G_UNLIKELY(sim->error != NULL)) {
    return FALSE;
  }
  double tn = hy_atom_internal(sim, atomic, t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  place(engine, atomic, tn);
  hy_atom_said(sim, atomic, port, t, &y);
  return TRUE;
}

#endif
