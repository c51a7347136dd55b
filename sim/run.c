/* Running: root cycles until a time, inputs from outside, and what has become of the run. */
#include "engine.h"

void hy_sim_tell(const HySim *sim, guint atomic, double t, HyTransitionKind kind, double e,
                 const HyEvent *event)
{
  sim->set.trace.transition(sim->set.trace.user, &(HyTransition){t, atomic, kind, e, event});
}

gboolean hy_sim_verdict(const HySim *sim, GError **error)
{
  if (sim->error != NULL) {
    g_propagate_error(error, g_error_copy(sim->error));
  }
  return sim->error == NULL;
}

static gboolean may_run(const HySim *sim, double t, const char *what, GError **error)
{
  if (!sim->ready) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: the simulation has not been initialised",
                hy_model_name(sim->model));
    return FALSE;
  }
  if (!hy_sim_verdict(sim, error)) {
    return FALSE;
  }
  if (isnan(t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s nan is not a time",
                hy_model_name(sim->model), what);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_sim_run(HySim *sim, double tf, GError **error)
{
  g_return_val_if_fail(sim != NULL, FALSE);
  if (!may_run(sim, tf, "end time", error)) {
    return FALSE;
  }
  guint64 chunk = sim->set.progress != NULL ? 1U << 16 : G_MAXUINT64;
  while (sim->finished == NULL && sim->ops->run(sim, tf, chunk) == chunk) {
    if (!sim->set.progress(sim->set.progress_user, sim->now.t, sim->now.totals.cycles)) {
      char text[HY_DOUBLE_SIZE];
      g_set_error(error, HY_ERROR, HY_ERROR_INTERRUPTED, "%s: interrupted at t = %s",
                  hy_model_name(sim->model), hy_double_text(text, sim->now.t));
      return FALSE;
    }
  }
  if (sim->now.n_wrong > 0 && tf > sim->now.t && sim->error == NULL) {
    hy_sim_fail_values(sim);
  }
  return hy_sim_verdict(sim, error);
}

gboolean hy_sim_step(HySim *sim, double tf, gboolean *done, GError **error)
{
  g_return_val_if_fail(sim != NULL && done != NULL, FALSE);
  *done = FALSE;
  if (!may_run(sim, tf, "end time", error)) {
    return FALSE;
  }
  *done = sim->finished == NULL && sim->ops->run(sim, tf, 1) == 1;
  return hy_sim_verdict(sim, error);
}

gboolean hy_sim_input(HySim *sim, double t, guint port, const HyValue *value, GError **error)
{
  g_return_val_if_fail(sim != NULL && value != NULL, FALSE);
  if (!may_run(sim, t, "input at", error)) {
    return FALSE;
  }
  const char *name = hy_model_name(sim->model);
  if (port >= sim->model->in->len) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: has no input port %u; it has %u", name, port,
                sim->model->in->len);
    return FALSE;
  }
  double next = hy_sim_next(sim);
  if (t < sim->now.t || t > next || isinf(t)) {
    char now[HY_DOUBLE_SIZE], a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE,
        "%s: input at t = %s is outside the time from the last event, %s, to the next one, %s",
        name, hy_double_text(now, t), hy_double_text(a, sim->now.t), hy_double_text(b, next));
    return FALSE;
  }
  HyValue x = *value;
  if (x.payload != NULL) {
    g_variant_ref_sink(x.payload);
  } else if (!isfinite(x.c[0]) || !isfinite(x.c[1]) || !isfinite(x.c[2]) || !isfinite(x.c[3])) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: an input that is not finite", name);
    return FALSE;
  }
  if (t > sim->now.t) {
    hy_sim_tell_instant(sim, t);
  }
  sim->ops->input(sim, t, port, &x);
  sim->now.t = t;
  g_clear_pointer(&x.payload, g_variant_unref);
  return hy_sim_verdict(sim, error);
}
