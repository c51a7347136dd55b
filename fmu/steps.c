/* An instance and the time: its start, steps, events. */
#include "instance_internal.h"

#include "hydevs/text.h"

#include <float.h>
#include <string.h>

#define SAME_TIME 1e-9 /* of a step: how far off its start may be, which importers sum up */

void hy_fmu_load_table(HyFmu *f, HyTape *tape)
{
  hy_tape_begin(tape, HY_TAPE_DROP);
  hy_recorder_tape(f->table, tape);
  hy_tape_begin(tape, HY_TAPE_LOAD);
  hy_recorder_tape(f->table, tape);
}

/* The importer knows all that has been said. */
static void show(HyFmu *f)
{
  for (guint k = 0; k < f->n_outputs; k++) {
    HyFmuOutput *out = &f->output[k];
    if (out->discrete) {
      out->shown = hy_recorder_now(f->table, k, f->t);
      out->told = out->said;
    }
  }
}

/* Feeding ------------------------------------------------------------------------------------- */

static gboolean feed_port(HyFmu *f, guint port, double v, GError **error)
{
  HyValue value = {.c = {v}};
  return hy_sim_input(hy_run_sim(f->run), f->t, port, &value, error);
}

/* A signal that is set to what it is says nothing. An event is a new value, or one more. */
static gboolean is_news(const HyFmuInput *in)
{
  return in->value != in->fed || (in->events && in->count != in->told);
}

static void tell_missed(const HyFmu *f, guint port)
{
  gint64 more = f->input[port].count - f->input[port].told;
  if (f->input[port].events && more > 1) {
    char t[HY_DOUBLE_SIZE];
    g_autofree char *name = hy_model_in_name(hy_loaded_model(f->loaded), HY_SELF, port);
    g_autofree char *text = g_strdup_printf(
        "%s: %" G_GINT64_FORMAT " events came at t = %s at once; the model has heard one, "
        "with the last value: use the event mode and early return",
        name, more, hy_double_text(t, f->t));
    hy_fmu_tell(f, TRUE, text);
  }
}

/* All that is new, at the instant at hand. */
static gboolean feed(HyFmu *f, GError **error)
{
  for (guint k = 0; k < f->n_inputs; k++) {
    HyFmuInput *in = &f->input[k];
    if (in->set && is_news(in)) {
      tell_missed(f, k);
      if (!feed_port(f, k, in->value, error)) {
        return FALSE;
      }
    }
    in->set = FALSE;
    in->fed = in->value;
    in->told = in->count;
  }
  return TRUE;
}

static gboolean is_fed(const HyFmu *f)
{
  for (guint k = 0; k < f->n_inputs; k++) {
    if (f->input[k].set && is_news(&f->input[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The start ----------------------------------------------------------------------------------- */

/* Signals have a value from the start on; events are still to come. */
static gboolean feed_first(HyFmu *f, GError **error)
{
  for (guint k = 0; k < f->n_inputs; k++) {
    HyFmuInput *in = &f->input[k];
    if (!in->events && !feed_port(f, k, in->value, error)) {
      return FALSE;
    }
    in->set = FALSE;
    in->first = in->fed = in->value;
    in->told = in->count;
  }
  return TRUE;
}

/* All over from the start: what is set in the initialization counts from there. */
static gboolean start(HyFmu *f, GError **error)
{
  if (f->sets_changed && !hy_fmu_rebuild(f, error)) {
    return FALSE;
  }
  HySim *sim = hy_run_sim(f->run);
  for (guint k = 0; k < f->n_outputs; k++) {
    f->output[k].said = f->output[k].told = 0;
    f->output[k].last = NAN;
  }
  if (f->table != NULL) {
    hy_fmu_load_table(f, &f->blank);
  }
  f->t = f->t0;
  f->finished = FALSE;
  if (!hy_sim_init(sim, f->t0, error) || !feed_first(f, error) || !hy_sim_run(sim, f->t0, error)) {
    return FALSE;
  }
  f->stale = FALSE;
  f->finished = hy_sim_finished(sim) != NULL;
  show(f);
  return TRUE;
}

gboolean hy_fmu_begin(HyFmu *f, double t, gboolean events, GError **error)
{
  f->t0 = t;
  f->events = events;
  f->phase = HY_FMU_STARTING;
  f->stale = TRUE;
  f->in_events = FALSE;
  return hy_fmu_settle(f, error);
}

gboolean hy_fmu_started(HyFmu *f, GError **error)
{
  if (!hy_fmu_settle(f, error)) {
    return FALSE;
  }
  f->phase = HY_FMU_RUNNING;
  f->spoke = FALSE;
  return TRUE;
}

/* Running ------------------------------------------------------------------------------------- */

static void look_at_end(HyFmu *f)
{
  HySim *sim = hy_run_sim(f->run);
  const char *finished = hy_sim_finished(sim);
  if (finished != NULL && !f->finished) {
    f->finished = TRUE;
    f->t = hy_sim_time(sim);
    hy_fmu_tell(f, FALSE, finished);
  }
}

/* Up to T; EARLY: no further than to the first word of a discrete output, or to the end. */
static gboolean run_to(HyFmu *f, double t, gboolean early, GError **error)
{
  HySim *sim = hy_run_sim(f->run);
  gboolean more = early;
  while (more && !f->spoke) {
    if (!hy_sim_step(sim, t, &more, error)) {
      return FALSE;
    }
  }
  if (early && f->spoke) {
    f->t = hy_sim_time(sim);
  } else {
    if (!hy_sim_run(sim, t, error)) {
      return FALSE;
    }
    f->t = t;
  }
  look_at_end(f);
  return TRUE;
}

static gboolean may_step(const HyFmu *f, double from, double to, GError **error)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  double slack = SAME_TIME * fabs(to - from) + 8 * DBL_EPSILON * fabs(f->t);
  if (f->finished) {
    const char *why = hy_sim_finished(hy_run_sim(f->run));
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the run has ended: %s", why);
  } else if (!(to > from) || isinf(to)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "a step from t = %s to %s: a step takes time",
                hy_double_text(a, from), hy_double_text(b, to));
  } else if (!(fabs(from - f->t) <= slack) || to <= f->t) {
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE,
        "a step from t = %s: the model is at t = %s, and goes elsewhere by a state that was "
        "saved there alone",
        hy_double_text(a, from), hy_double_text(b, f->t));
  } else {
    return TRUE;
  }
  return FALSE;
}

gboolean hy_fmu_step(HyFmu *f, double from, double to, gboolean early, HyFmuStep *step,
                     GError **error)
{
  early = early && f->events;
  *step = (HyFmuStep){.t = f->t};
  if (!may_step(f, from, to, error)) {
    return FALSE;
  }
  f->spoke = FALSE;
  gboolean ok = from <= f->t || run_to(f, from, early, error);
  if (ok && !f->finished && !(early && f->spoke)) {
    ok = feed(f, error) && run_to(f, to, early, error);
  }
  *step = (HyFmuStep){.t = f->t, .event = f->events && f->spoke, .finished = f->finished};
  if (!f->events) {
    show(f);
  }
  return ok;
}

void hy_fmu_enter_event(HyFmu *f)
{
  f->in_events = TRUE;
  f->spoke = FALSE;
  show(f);
}

/* What was set in the event mode, and what comes of it up to the next word. */
static gboolean go_on(HyFmu *f, GError **error)
{
  f->spoke = FALSE;
  gboolean ok = f->finished || (feed(f, error) && run_to(f, f->t, TRUE, error));
  show(f);
  return ok;
}

gboolean hy_fmu_settle(HyFmu *f, GError **error)
{
  if (f->phase == HY_FMU_STARTING && f->stale) {
    return start(f, error);
  }
  return f->phase != HY_FMU_RUNNING || !f->in_events || !is_fed(f) || go_on(f, error);
}

gboolean hy_fmu_update(HyFmu *f, gboolean *more, gboolean *finished, GError **error)
{
  gboolean ok = go_on(f, error);
  *more = ok && !f->finished && hy_sim_next(hy_run_sim(f->run)) <= f->t;
  *finished = f->finished;
  return ok;
}

gboolean hy_fmu_leave_event(HyFmu *f, GError **error)
{
  gboolean ok = hy_fmu_settle(f, error);
  f->in_events = FALSE;
  return ok;
}

void hy_fmu_end(HyFmu *f)
{
  if (f->phase != HY_FMU_RUNNING) {
    return;
  }
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_run(report, f->run);
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    hy_fmu_tell(f, TRUE, m->text);
  }
}
