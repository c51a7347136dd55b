/* How a run ends before its time: the first error of a block, with its path; a block that has seen
 * what it was waiting for; signals that are not finite when time passes. */
#include "engine.h"

#include "base/hint.h"

#include <string.h>

double hy_sim_fail(HySim *sim, guint atomic, double t, const char *format, ...)
{
  if (sim->error == NULL) {
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *path = hy_sim_path(sim, atomic);
    char time[HY_DOUBLE_SIZE];
    sim->error = g_error_new(HY_ERROR, HY_ERROR_RUN, "%s: %s at t = %s", path, what,
                             hy_double_text(time, t));
  }
  return NAN;
}

/* A fault may be older than the instant at which it ends the run; then its text says since when. */
static double fail_of_class(HySim *sim, guint atomic, double t, const char *why)
{
  if (sim->error == NULL && strstr(why, " at t = ") != NULL) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    sim->error = g_error_new(HY_ERROR, HY_ERROR_RUN, "%s: %s", path, why);
  }
  return hy_sim_fail(sim, atomic, t, "%s", why);
}

/* A class that says -INFINITY has reached what it was waiting for. */
static double finish(HySim *sim, guint atomic, const HyAtom *a, double t)
{
  if (sim->finished == NULL) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    g_autofree char *why = a->klass->fault != NULL ? a->klass->fault(a->state) : NULL;
    char time[HY_DOUBLE_SIZE];
    sim->finished = g_strdup_printf("%s: %s at t = %s", path, why != NULL ? why : "finished",
                                    hy_double_text(time, t));
  }
  return NAN;
}

double hy_sim_fail_schedule(HySim *sim, const HyAtom *a, double t, double got)
{
  guint atomic = (guint)(a - sim->atoms);
  char text[HY_DOUBLE_SIZE];
  if (got == -INFINITY && a->klass->next != NULL) {
    return finish(sim, atomic, a, t);
  }
  if (isnan(got) && a->klass->fault != NULL) {
    g_autofree char *why = a->klass->fault(a->state);
    return fail_of_class(sim, atomic, t, why);
  }
  if (a->klass->ta != NULL) {
    return hy_sim_fail(sim, atomic, t, "%s: time advance ta = %s is %s", a->klass->name,
                       hy_double_text(text, got), isnan(got) ? "not a number" : "negative");
  }
  return hy_sim_fail(sim, atomic, t, "%s: next event %s is %s", a->klass->name,
                     hy_double_text(text, got), isnan(got) ? "not a number" : "in the past");
}

void hy_sim_fail_port(HySim *sim, guint atomic, double t, gint port)
{
  const HyAtom *a = &sim->atoms[atomic];
  hy_sim_fail(sim, atomic, t, "%s: lambda sends to port %d; it has %u output port%s",
              a->klass->name, port, a->n_out, a->n_out == 1 ? "" : "s");
}

static HyWrong *find_wrong(const HySim *sim, guint atomic, gint port)
{
  for (guint k = 0; k < sim->wrong->len; k++) {
    HyWrong *w = &g_array_index(sim->wrong, HyWrong, k);
    if (w->atomic == atomic && w->port == port) {
      return w;
    }
  }
  return NULL;
}

void hy_sim_note_value(HySim *sim, guint atomic, double t, const HyEvent *y)
{
  const HyPort *port = sim->atoms[atomic].klass->out;
  for (gint k = 0; k < y->port && !port->array; k++) {
    port++;
  }
  HyWrong *known = find_wrong(sim, atomic, y->port);
  double bad = 0; /* the first coefficient that is not finite */
  for (guint k = 4; k-- > 0;) {
    bad = isfinite(y->value.c[k]) ? bad : y->value.c[k];
  }
  if (bad == 0 || port->kind != HY_SIGNAL) {
    if (known != NULL) {
      g_array_remove_index(sim->wrong, (guint)(known - (HyWrong *)(gpointer)sim->wrong->data));
      sim->now.n_wrong = sim->wrong->len;
    }
  } else if (known == NULL) {
    HyWrong w = {atomic, y->port, t, bad};
    g_array_append_val(sim->wrong, w);
    sim->now.n_wrong = sim->wrong->len;
  }
}

void hy_sim_fail_values(HySim *sim)
{
  const HyWrong *w = &g_array_index(sim->wrong, HyWrong, 0);
  char text[HY_DOUBLE_SIZE];
  const HyRoot *owner = sim->model->owner;
  g_autofree char *port = hy_model_out_name(owner->coupled[owner->atomics[w->atomic].coupled],
                                            owner->atomics[w->atomic].component, (guint)w->port);
  hy_sim_fail(sim, w->atomic, w->t, "%s: output \"%s\" is %s", sim->atoms[w->atomic].klass->name,
              port, hy_double_text(text, w->value));
}
