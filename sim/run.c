/* Running: root cycles until a time, inputs from outside, and what has become of the run. */
#include "smells.h"

#include <float.h>
#include <math.h>

void hy_sim_tell(const HySim *sim, guint atomic, double t, HyTransitionKind kind, double e,
                 const HyEvent *event)
{
  const HyTrace *trace = &sim->set.trace, *check = trace->check;
  const HyTransition said = {t, atomic, kind, e, event};
  trace->transition(trace->user, &said);
  if (check != NULL && atomic < check->n_watched && check->watched[atomic] != HY_WATCH_NOTHING) {
    check->transition(check->user, &said);
  }
}

void hy_sim_pass(HySim *sim, double t)
{
  const HyTrace *trace = &sim->set.trace;
  if (t >= sim->now.check) {
    trace->check->instant(trace->check->user, t);
  }
  if (trace->instant != NULL) {
    trace->instant(trace->user, t);
  }
}

gboolean hy_sim_verdict(const HySim *sim, GError **error)
{
  if (sim->error != NULL) {
    g_propagate_error(error, g_error_copy(sim->error));
  }
  return sim->error == NULL;
}

gboolean hy_sim_may_call(const HySim *sim, const char *call, GError **error)
{
  static const char *const who[] = {"", "its progress function", "a block or a watcher"};
  if (sim->inside != HY_NOT_INSIDE) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: %s() is called from inside the simulation, by %s; return first",
                hy_model_name(sim->model), call, who[sim->inside]);
  }
  return sim->inside == HY_NOT_INSIDE;
}

gboolean hy_sim_may_run(const HySim *sim, const char *call, double t, const char *what,
                        GError **error)
{
  if (!hy_sim_may_call(sim, call, error)) {
    return FALSE;
  }
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

/* While each of many cycles brings the time so little further that the end would take more than
 * HY_FURTHER as long, nobody will live to see it; nor where each of its instants is HY_DIGITS of
 * the last digit after the one before, as those of a sliding mode that a classic method chases. */
#define HY_FURTHER       1e15
#define HY_DIGITS        4.0
#define HY_MANY_INSTANTS 1000

static void stretch_begin(const HySim *sim, HyPace *s)
{
  s->from = sim->now.totals.cycles;
  s->to = s->from + MAX(G_GUINT64_CONSTANT(1000000), G_GUINT64_CONSTANT(10000) * sim->n);
  s->instants = sim->now.instants;
  s->t = sim->now.t;
}

static gboolean stretch_stands(const HySim *sim, double tf, const HyPace *s)
{
  double t = sim->now.t, further = t - s->t;
  double instants = (double)(sim->now.instants - s->instants);
  if (sim->now.totals.cycles - s->from <= sim->now.at_t + 1) {
    return FALSE; /* all at one instant: the limit of those says how many may be */
  }
  return (isfinite(tf) && tf - t > HY_FURTHER * further) ||
         (instants > HY_MANY_INSTANTS && further <= HY_DIGITS * DBL_EPSILON * fabs(t) * instants);
}

/* The block that has moved most often. */
static guint busiest(const HySim *sim)
{
  guint most = 0;
  for (guint a = 1; a < sim->n; a++) {
    most = sim->atoms[a].n_int > sim->atoms[most].n_int ? a : most;
  }
  return most;
}

/* FALSE: sim->error is set. Limit 0 asks for any number of events, and for these, too. */
static gboolean comes_further(HySim *sim, double tf, HyPace *s)
{
  guint64 cycles = sim->now.totals.cycles;
  if (cycles < s->to) {
    return TRUE;
  }
  if (sim->set.limit > 0 && stretch_stands(sim, tf, s)) {
    g_autofree char *path = hy_sim_path(sim, busiest(sim));
    char from[HY_DOUBLE_SIZE], to[HY_DOUBLE_SIZE], end[HY_DOUBLE_SIZE];
    sim->error =
        g_error_new(HY_ERROR, HY_ERROR_ILLEGITIMATE,
                    "endless: %" G_GUINT64_FORMAT " events have brought the time from t = "
                    "%s to no more than %s, and would never reach %s; most events are of %s",
                    cycles - s->from, hy_double_text(from, s->t), hy_double_text(to, sim->now.t),
                    hy_double_text(end, tf), path);
    return FALSE;
  }
  stretch_begin(sim, s);
  return TRUE;
}

/* So many cycles that whoever asks about the progress is heard some ten times a second, however
 * long a cycle takes. */
static guint64 next_chunk(guint64 chunk, gint64 *since)
{
  gint64 now = g_get_monotonic_time(), took = now - *since;
  *since = now;
  if (took > G_USEC_PER_SEC / 10) {
    return MAX(chunk / 2, 1);
  }
  return took < G_USEC_PER_SEC / 40 ? MIN(2 * chunk, 1U << 16) : chunk;
}

/* Nothing is left of the first instant, and what is not known then will not come at it: what groups
 * do without is done before time advances. */
static void end_first_instant(HySim *sim)
{
  sim->now.opened = TRUE;
  if (sim->room != NULL && hy_room_open(sim->room, sim->now.t)) {
    sim->ops->follow(sim, sim->now.t);
  }
}

/* As HyEngineOps.run. */
static guint64 run_cycles(HySim *sim, double tf, guint64 max)
{
  guint64 done = 0;
  if (!sim->now.opened && tf >= sim->now.t) {
    done = sim->ops->run(sim, sim->now.t, max);
    if (done == max || sim->error != NULL || sim->finished != NULL ||
        sim->ops->next(sim) <= sim->now.t) {
      return done;
    }
    end_first_instant(sim);
  }
  return done + sim->ops->run(sim, tf, max - done);
}

/* CHUNK cycles, and on the way a look at what has come of them where one is due. FALSE: that was
 * all. */
static gboolean run_chunk(HySim *sim, double tf, guint64 chunk)
{
  const guint64 *cycles = &sim->now.totals.cycles, end = *cycles + chunk;
  while (*cycles < end) {
    guint64 due = hy_smells_due(sim), most = MIN(end - *cycles, due);
    if (run_cycles(sim, tf, most) < most) {
      return FALSE;
    }
    if (most == due) {
      hy_smells_look(sim, tf);
    }
  }
  return sim->error == NULL;
}

/* What is left of the instant at hand is done before a run is interrupted, so that what is known of
 * that instant, and recorded, is what the whole run would have known; but for an instant that has
 * very many cycles. */
#define HY_LEFT 65536
static void finish_instant(HySim *sim, double tf)
{
  for (guint k = 0; k < HY_LEFT && sim->finished == NULL && sim->error == NULL; k++) {
    if (sim->ops->next(sim) > sim->now.t || run_cycles(sim, tf, 1) == 0) {
      return;
    }
  }
}

static gboolean goes_on(HySim *sim)
{
  sim->inside = HY_BETWEEN_EVENTS;
  gboolean on = sim->set.progress(sim->set.progress_user, sim->now.t, sim->now.totals.cycles);
  sim->inside = HY_IN_EVENT;
  return on;
}

static gboolean run_until(HySim *sim, double tf, GError **error)
{
  HyPace stretch;
  stretch_begin(sim, &stretch);
  guint64 chunk = sim->set.progress != NULL ? 64 : 1U << 16;
  gint64 since = g_get_monotonic_time();
  hy_smells_start(sim);
  while (sim->finished == NULL && run_chunk(sim, tf, chunk) && comes_further(sim, tf, &stretch)) {
    if (sim->set.progress == NULL) {
      continue;
    }
    chunk = next_chunk(chunk, &since);
    if (!goes_on(sim)) {
      char text[HY_DOUBLE_SIZE];
      finish_instant(sim, tf);
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

gboolean hy_sim_run(HySim *sim, double tf, GError **error)
{
  g_return_val_if_fail(sim != NULL, FALSE);
  if (!hy_sim_may_run(sim, G_STRFUNC, tf, "end time", error)) {
    return FALSE;
  }
  sim->inside = HY_IN_EVENT;
  gboolean ok = run_until(sim, tf, error);
  sim->inside = HY_NOT_INSIDE;
  return ok;
}

/* One stretch goes on over calls that follow each other, each of which may be short. */
static gboolean run_some(HySim *sim, double tf, guint64 max_cycles, gboolean *done, GError **error)
{
  HyPace *s = &sim->some;
  if (s->to == 0 || sim->some_end != sim->now.totals.cycles) {
    stretch_begin(sim, s);
  }
  hy_smells_start(sim);
  *done = sim->finished != NULL || !run_chunk(sim, tf, max_cycles);
  if (sim->error == NULL && comes_further(sim, tf, s) && *done && sim->now.n_wrong > 0 &&
      tf > sim->now.t) {
    hy_sim_fail_values(sim);
  }
  sim->some_end = sim->now.totals.cycles;
  *done = *done && sim->error == NULL;
  return hy_sim_verdict(sim, error);
}

gboolean hy_sim_run_some(HySim *sim, double tf, guint64 max_cycles, gboolean *done, GError **error)
{
  g_return_val_if_fail(sim != NULL && done != NULL, FALSE);
  *done = FALSE;
  if (!hy_sim_may_run(sim, G_STRFUNC, tf, "end time", error)) {
    return FALSE;
  }
  sim->inside = HY_IN_EVENT;
  gboolean ok = run_some(sim, tf, max_cycles, done, error);
  sim->inside = HY_NOT_INSIDE;
  return ok;
}

gboolean hy_sim_step(HySim *sim, double tf, gboolean *done, GError **error)
{
  g_return_val_if_fail(sim != NULL && done != NULL, FALSE);
  *done = FALSE;
  if (!hy_sim_may_run(sim, G_STRFUNC, tf, "end time", error)) {
    return FALSE;
  }
  sim->inside = HY_IN_EVENT;
  *done = sim->finished == NULL && run_cycles(sim, tf, 1) == 1;
  sim->inside = HY_NOT_INSIDE;
  return hy_sim_verdict(sim, error);
}

gboolean hy_sim_meets(const HySim *sim, double t, const char *what, GError **error)
{
  double next = hy_sim_next(sim);
  if (t >= sim->now.t && t <= next && !isinf(t)) {
    return TRUE;
  }
  char now[HY_DOUBLE_SIZE], a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "%s: %s t = %s is outside the time from the last event, %s, to the next one, %s",
              hy_model_name(sim->model), what, hy_double_text(now, t),
              hy_double_text(a, sim->now.t), hy_double_text(b, next));
  return FALSE;
}

gboolean hy_sim_input(HySim *sim, double t, guint port, const HyValue *value, GError **error)
{
  g_return_val_if_fail(sim != NULL && value != NULL, FALSE);
  if (!hy_sim_may_run(sim, G_STRFUNC, t, "input at", error)) {
    return FALSE;
  }
  const char *name = hy_model_name(sim->model);
  if (port >= sim->model->in->len) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: has no input port %u; it has %u", name, port,
                sim->model->in->len);
    return FALSE;
  }
  if (!hy_sim_meets(sim, t, "input at", error)) {
    return FALSE;
  }
  HyValue x = *value;
  if (x.payload != NULL) {
    g_variant_ref_sink(x.payload);
  } else if (!isfinite(x.c[0]) || !isfinite(x.c[1]) || !isfinite(x.c[2]) || !isfinite(x.c[3])) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: an input that is not finite", name);
    return FALSE;
  }
  sim->inside = HY_IN_EVENT;
  if (t > sim->now.t && !sim->now.opened) {
    end_first_instant(sim);
  }
  if (t > sim->now.t) {
    hy_sim_tell_instant(sim, t);
  }
  sim->ops->input(sim, t, port, &x);
  hy_sim_keep_word(&sim->words[sim->n_words - sim->model->in->len + port], t, &x);
  sim->inside = HY_NOT_INSIDE;
  sim->now.t = t;
  g_clear_pointer(&x.payload, g_variant_unref);
  return hy_sim_verdict(sim, error);
}
