/* The equations of a model as a file of C or Modelica: a run tells what its sources say, the room
 * of equations writes it. */
#include "equations/modelica.h"
#include "equations/standalone.h"
#include "hydevs/equations.h"
#include "sim/engine.h"

#include <string.h>

typedef struct {
  HySim *sim;
  GArray *words; /* HyWord */
} Hear;

static void hear(gpointer user, const HyTransition *x)
{
  const Hear *h = user;
  const HyFlat *flat = h->sim->graph;
  if (x->kind != HY_LAMBDA || x->event->port < 0 || h->sim->room == NULL) {
    return;
  }
  HyWord w = {.slot = flat->first_out[x->atomic] + (guint)x->event->port, .t = x->t};
  if (hy_standalone_reads(h->sim->room, w.slot) && x->event->value.payload == NULL) {
    memcpy(w.c, x->event->value.c, sizeof w.c);
    g_array_append_val(h->words, w);
  }
}

typedef enum { AS_C, AS_MODELICA, AS_MICRO } Language;

static gboolean write_as(Language language, HySim *sim, double t0, double tf, GString *out,
                         GError **error)
{
  g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(HyWord));
  Hear h = {sim, words};
  if (tf < t0 || !isfinite(tf)) {
    char start[HY_DOUBLE_SIZE], end[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: the end, t = %s, is no time after the start, t = %s",
                hy_model_name(sim->model), hy_double_text(end, tf), hy_double_text(start, t0));
    return FALSE;
  }
  hy_sim_set_trace(sim, &(HyTrace){.user = &h, .transition = hear});
  g_autoptr(HyEquations) e = hy_equations_new(sim, t0, error);
  if (e == NULL) {
    return FALSE;
  }
  guint n = hy_equations_n(e);
  if (n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: there are no equations: no block of this model has a continuous state, as an "
                "integrator has",
                hy_equations_model(e));
    return FALSE;
  }
  g_autofree double *start = g_new(double, n);
  for (guint k = 0; k < n; k++) {
    start[k] = hy_equations_value(e, k, t0);
  }
  if (!hy_sim_run(sim, tf, error)) {
    return FALSE;
  }
  double end = hy_sim_finished(sim) != NULL ? hy_sim_time(sim) : tf; /* no word after it is known */
  HyStandalone with = {hy_equations_model(e), t0, end, start, words};
  return language == AS_C ? hy_standalone_c(sim->room, &with, out, error)
                          : hy_modelica(sim->room, &with, language == AS_MICRO, out, error);
}

gboolean hy_equations_c(HySim *sim, double t0, double tf, GString *out, GError **error)
{
  g_return_val_if_fail(sim != NULL && out != NULL, FALSE);
  return write_as(AS_C, sim, t0, tf, out, error);
}

gboolean hy_equations_modelica(HySim *sim, double t0, double tf, gboolean micro, GString *out,
                               GError **error)
{
  g_return_val_if_fail(sim != NULL && out != NULL, FALSE);
  return write_as(micro ? AS_MICRO : AS_MODELICA, sim, t0, tf, out, error);
}
