/* Newton's method on x(T) - x(0) = 0 (T. J. Aprille, T. N. Trick: Steady-state analysis of
 * nonlinear circuits with periodic inputs; with saltation, numerics/orbit.c):
 *
 *   x  becomes  x + (I - Phi)^-1 (x(T) - x),   Phi = d x(T)/d x
 *
 * A few periods are run first, so that what conducts when is about right; then each step of Newton
 * is a period from a new x, the same T each time. What a group remembers beside its states, its
 * modes, is carried over from the end of one period to the start of the next. Where Phi is not
 * known exactly it is taken from differences: two periods more for each state. */
#include "common_period.h"
#include "steady_internal.h"

#include "base/sized.h"
#include "coupled/model_internal.h"
#include "equations/owned.h"
#include "experiment/run.h"
#include "groups/groups.h"
#include "numerics/dense.h"
#include "numerics/eigen.h"

#include <float.h>
#include <string.h>

#define METHOD   "block_liqss2"
#define INSTEAD  "cvode_bdf" /* where that is not exact, if it is there */
#define FIRST    1U          /* periods before the first step */
#define PATIENCE 2U          /* steps that have led away */
#define LOST                                                                                       \
  4U /* times that nothing drew a state back; each time the run goes on twice as long              \
      */
#define SETTLE       4U     /* periods where a step has led away */
#define NEUTRAL      1e-10  /* a multiplier that is as near to 1 is 1 */
#define ROUGH        1e-7   /* of a value: what is reached where the run is no exact one */
#define MOST_FURTHER 1000.0 /* periods that are looked at beside those */
#define SPARED       20U /* steps whose differences are not counted: they are two periods a state */
#define FORGETS      1e3 /* tolerances by which a second period may differ */
#define DISTURBED    1e-6 /* of a value: a difference, where the run is exact, */
#define SHAKEN       1e-4 /* and where it is not */

/* Whoever waits ---------------------------------------------------------------------------------
 */

static gboolean tell_stage(const HySteady *s, const HySteadyStage *stage, GError **error)
{
  if (s->set.progress == NULL || s->set.progress(s->set.user, stage)) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_INTERRUPTED, "%s: interrupted",
              hy_model_name(hy_loaded_model(s->loaded)));
  return FALSE;
}

/* All steps that are not taken yet are behind the periods that are. */
static double last_residual(const HySteady *s)
{
  return s->periods > FIRST ? s->residual : NAN;
}

gboolean hy_steady_goes_on(const HySteady *s, const char *what, double part, GError **error)
{
  HySteadyStage stage = {.what = what, .part = part, .residual = last_residual(s)};
  return tell_stage(s, &stage, error);
}

static gboolean lap_goes_on(gpointer user, double part, guint64 events, GError **error)
{
  const HySteady *s = user;
  HySteadyStage stage = {.what = "period",
                         .number = s->periods + 1,
                         .part = part,
                         .events = events,
                         .residual = last_residual(s)};
  return tell_stage(s, &stage, error);
}

/* Simulations --------------------------------------------------------------------------------- */

static void choose_method(HySim *sim, const char *method)
{
  g_autofree HyMethodChoice *choice = g_new0(HyMethodChoice, (gsize)sim->n + 1);
  for (guint a = 0; a < sim->n; a++) {
    choice[a].method = hy_class_method(sim->atoms[a].klass) != NULL ? method : NULL;
  }
  hy_sim_choose_methods(sim, choice);
  hy_sim_put_together(sim);
}

HySim *hy_steady_sim(const HySteady *s, const HyLoaded *loaded, GError **error)
{
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, error);
  if (sim == NULL) {
    return NULL;
  }
  const HyExperiment *x = hy_loaded_experiment(loaded);
  hy_sim_set_seed(sim, isnan(x->seed) ? 0 : (guint64)x->seed);
  choose_method(sim, s->method);
  for (guint k = 0; k < s->output->len; k++) {
    hy_sim_watch_slot(sim, g_array_index(s->output, HySteadyOutput, k).slot);
  }
  for (guint k = 0; s->modulator != NULL && k < s->modulator->len; k++) {
    hy_sim_watch_slot(sim, g_array_index(s->modulator, HyModulator, k).duty);
  }
  return sim;
}

/* X as hy_sim_start_at() takes it. */
static void set_start(const HySteady *s, HySim *sim, const double *x)
{
  for (guint a = 0; a < sim->n; a++) {
    s->start[a] = NAN;
  }
  for (guint k = 0; k < s->n; k++) {
    s->start[s->atomic[k]] = x[k];
  }
  hy_sim_start_at(sim, &(HyStart){s->start, s->mode, s->n_modes});
}

static gboolean run_from(HySteady *s, HySim *sim, const double *x, HyLap *lap, GError **error)
{
  set_start(s, sim, x);
  return hy_sim_init(sim, s->from, error) && hy_lap_run(lap, sim, s->from + s->period, error);
}

gboolean hy_steady_lap(HySteady *s, HySim *sim, HyLap *lap, GError **error)
{
  return run_from(s, sim, s->x, lap, error);
}

static void read_states(const HySteady *s, const HySim *sim, double t, double *x)
{
  for (guint k = 0; k < s->n; k++) {
    x[k] = hy_sim_value(sim, s->atomic[k], t);
  }
}

/* The owned modes as they are; TRUE: they were others before. */
static gboolean read_modes(HySteady *s, const HySim *sim)
{
  guint n = sim->room->first_flag[sim->n];
  gboolean same = s->mode != NULL && s->n_modes == n;
  g_autofree guint8 *now = g_new0(guint8, (gsize)n + 1);
  for (guint k = 0; k < sim->room->owned->len; k++) {
    guint32 flag = hy_owned(sim->room, k)->flag;
    now[flag] = sim->room->flag[flag];
  }
  same = same && memcmp(now, s->mode, n) == 0;
  g_free(s->mode);
  s->mode = g_steal_pointer(&now);
  s->n_modes = n;
  return !same;
}

/* Where it begins --------------------------------------------------------------------------- */

static gboolean find_states(HySteady *s, GError **error)
{
  g_autoptr(GArray) atomic = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint a = 0; a < s->sim->n; a++) {
    if (hy_class_method(s->sim->atoms[a].klass) != NULL) {
      g_array_append_val(atomic, a);
    }
  }
  s->n = atomic->len;
  if (s->n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: no block of this model has a continuous state, as an integrator has, so there "
                "is nothing that could come to rest",
                hy_model_name(hy_loaded_model(s->loaded)));
    return FALSE;
  }
  gsize n = s->n;
  s->atomic = g_memdup2(atomic->data, n * sizeof *s->atomic);
  s->x = g_new0(double, n);
  s->after = g_new0(double, n);
  s->size = g_new0(double, n);
  s->phi = g_new0(double, n *n);
  s->multiplier = g_new0(double complex, n);
  s->start = g_new0(double, (gsize)s->sim->n + 1);
  return TRUE;
}

/* Modulators whose duty has a linear row. Newly allocated, [atomics + 1]. */
static guint8 *find_known(const HySteady *s)
{
  const HyRoom *room = s->sim->room;
  guint8 *known = g_new0(guint8, (gsize)s->sim->n + 1);
  for (guint k = 0; k < s->modulator->len; k++) {
    const HyModulator *m = &g_array_index(s->modulator, HyModulator, k);
    known[m->atomic] = hy_modulator_is_known(m, room);
  }
  return known;
}

/* Where the block has given way, or what it does not see. */
static void find_why(HySteady *s)
{
  HyGroupTotals g = {0};
  guint foreign = HY_NO_SOURCE;
  if (hy_sim_n_groups(s->sim) > 0) {
    hy_sim_group(s->sim, 0, &g);
  }
  if (s->lap->exact) {
    g_autofree guint8 *known = find_known(s);
    foreign = hy_exact_foreign(s->sim->room, known);
  } else {
    s->why = g.because != NULL ? g_strdup_printf("its states have no exact steps: %s", g.because)
                               : g_strdup("its equations are not known");
  }
  if (foreign != HY_NO_SOURCE) {
    g_autofree char *path = hy_sim_path(s->sim, foreign);
    s->why = g_strdup_printf("%s (%s) hears the states and acts on them", path,
                             s->sim->atoms[foreign].klass->name);
  } else if (s->why == NULL && s->set.differences > 0.0) {
    s->why = g_strdup("asked for");
  }
  s->exact = s->why == NULL;
  s->set.tolerance = fmax(s->set.tolerance, s->lap->exact ? 0.0 : ROUGH);
}

static gboolean run_once(HySteady *s, GError **error)
{
  return hy_sim_init(s->sim, s->t0, error) && hy_lap_run(s->lap, s->sim, s->from, error);
}

/* FALSE: there is none. */
static gboolean has_instead(void)
{
  g_autofree char *why =
      hy_group_refuses(hy_method_find(INSTEAD), &(HyGroupSettings){.abstol = 1.0});
  return why == NULL;
}

/* What has come in the place of exact steps is made for steps that are seldom as exact. */
static gboolean run_instead(HySteady *s, GError **error)
{
  if (s->lap->exact || !has_instead()) {
    return TRUE;
  }
  s->method = INSTEAD;
  hy_sim_free(s->sim);
  s->sim = hy_steady_sim(s, s->loaded, error);
  return s->sim != NULL && run_once(s, error);
}

/* From the start of the experiment. */
static gboolean run_first(HySteady *s, GError **error)
{
  s->t0 = hy_loaded_experiment(s->loaded)->start;
  s->from = s->t0 + FIRST * s->period;
  if (!run_once(s, error)) {
    return FALSE;
  }
  find_why(s);
  if (!run_instead(s, error)) {
    return FALSE;
  }
  s->periods = FIRST;
  read_states(s, s->sim, s->from, s->x);
  read_modes(s, s->sim);
  return TRUE;
}

/* Periods ----------------------------------------------------------------------------------- */

static void see_sizes(HySteady *s)
{
  double largest = 0.0;
  for (guint i = 0; i < s->n; i++) {
    s->size[i] = fmax(fabs(s->x[i]), fabs(s->after[i]));
  }
  for (guint k = 0; k < s->lap->pieces->len && s->lap->exact; k++) {
    for (guint i = 0; i < s->n; i++) {
      s->size[i] = fmax(s->size[i], fabs(hy_lap_piece(s->lap, k)->x0[i]));
    }
  }
  for (guint i = 0; i < s->n; i++) {
    largest = fmax(largest, s->size[i]);
  }
  for (guint i = 0; i < s->n; i++) {
    s->size[i] = fmax(s->size[i], largest > 0.0 ? DBL_EPSILON * largest : 1.0);
  }
}

static double distance(const HySteady *s, const double *x, const double *y)
{
  double most = 0.0;
  for (guint i = 0; i < s->n; i++) {
    most = fmax(most, fabs(x[i] - y[i]) / s->size[i]);
  }
  return most;
}

/* One period from X. */
static gboolean run_period(HySteady *s, GError **error)
{
  if (!hy_steady_lap(s, s->sim, s->lap, error)) {
    return FALSE;
  }
  s->periods++;
  read_states(s, s->sim, s->lap->to, s->after);
  s->turned = read_modes(s, s->sim);
  see_sizes(s);
  s->residual = distance(s, s->x, s->after);
  return TRUE;
}

/* Of which only the end is wanted. */
static HyLap *lap_beside(const HySteady *s)
{
  HyLap *lap = hy_lap_new();
  hy_lap_limit(lap, s->lap);
  lap->forgets = TRUE;
  return lap;
}

/* Where a period from X leads to, but H beside it in state K. */
static gboolean run_beside(HySteady *s, HySim *sim, guint k, double h, double *y, GError **error)
{
  g_autofree double *x = g_memdup2(s->x, s->n * sizeof *s->x);
  g_autoptr(HyLap) lap = lap_beside(s);
  x[k] += h;
  if (!run_from(s, sim, x, lap, error)) {
    return FALSE;
  }
  s->periods++;
  s->beside++;
  read_states(s, sim, lap->to, y);
  return TRUE;
}

/* PHI from differences, column after column, from both sides. */
static gboolean differ(HySteady *s, GError **error)
{
  gsize n = s->n;
  g_autofree double *more = g_new(double, n), *less = g_new(double, n);
  g_autoptr(HySim) sim = hy_steady_sim(s, s->loaded, error);
  double usual = s->lap->exact ? DISTURBED : SHAKEN;
  double size = s->set.differences > 0.0 ? s->set.differences : usual;
  for (guint k = 0; sim != NULL && k < n; k++) {
    double h = size * s->size[k];
    if (!run_beside(s, sim, k, h, more, error) || !run_beside(s, sim, k, -h, less, error)) {
      return FALSE;
    }
    for (guint i = 0; i < n; i++) {
      s->phi[i * n + k] = (more[i] - less[i]) / (2.0 * h);
    }
  }
  return sim != NULL;
}

static gboolean find_monodromy(HySteady *s, GError **error)
{
  if (!s->exact) {
    return differ(s, error);
  }
  int n = (int)s->n;
  guint count = s->lap->pieces->len;
  g_autofree HyStretch *stretch = hy_lap_stretches(s->lap);
  g_autofree double complex *work = g_new(double complex, hy_orbit_room(n));
  hy_orbit_start(n, s->phi);
  for (guint k = 0; k < count; k++) {
    if (!hy_steady_goes_on(s, "sensitivities", (double)k / count, error)) {
      return FALSE;
    }
    hy_orbit_pass(n, &stretch[k], &stretch[count - 1], s->phi, work);
  }
  return TRUE;
}

/* Newton ------------------------------------------------------------------------------------ */

/* Nothing draws back what is in mode K of RIGHT, the eigenvectors. */
static gboolean refuse_singular(const HySteady *s, const double complex *right, gsize k,
                                GError **error)
{
  gsize most = 0;
  for (gsize i = 0; i < s->n; i++) {
    double share = cabs(right[i * s->n + k]) / s->size[i];
    most = share > cabs(right[most * s->n + k]) / s->size[most] ? i : most;
  }
  g_autofree char *path = hy_sim_path(s->sim, s->atomic[most]);
  g_set_error(
      error, HY_ERROR, HY_ERROR_MODEL,
      "%s: what it has at the start it keeps: a multiplier is 1, so there is no one periodic "
      "state but as many as one likes, or none; let something draw it back, as a "
      "resistance does",
      path);
  return FALSE;
}

/* The eigenvalues of PHI; none of them is 1, or a period far from the steady state has shown
 * nothing of what draws back: *LOST. */
static gboolean find_eigenvalues(HySteady *s, gboolean *lost, GError **error)
{
  gsize n = s->n;
  g_autofree double complex *room = g_new(double complex, hy_eigen_room((int)n) + 2 * n * n);
  if (!hy_eigen((int)n, s->phi, s->multiplier, room, room + n * n, room + 2 * n * n)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: its multipliers could not be computed",
                hy_model_name(hy_loaded_model(s->loaded)));
    return FALSE;
  }
  for (gsize k = 0; k < n; k++) {
    if (cabs(s->multiplier[k] - 1.0) <= NEUTRAL) {
      *lost = ++s->lost <= LOST;
      return !*lost && refuse_singular(s, room, k, error);
    }
  }
  return TRUE;
}

/* DX = (I - PHI)^-1 (AFTER - X), in units of the sizes. */
static gboolean find_step(HySteady *s, double *dx, gboolean *lost, GError **error)
{
  gsize n = s->n;
  g_autofree double *a = g_new(double, n *n), *pivot = g_new(double, n);
  *lost = FALSE;
  if (!find_monodromy(s, error) || !find_eigenvalues(s, lost, error)) {
    return FALSE;
  }
  for (gsize i = 0; i < n; i++) {
    for (gsize k = 0; k < n; k++) {
      a[i * n + k] = (i == k ? 1.0 : 0.0) - s->phi[i * n + k] * (s->size[k] / s->size[i]);
    }
    dx[i] = (s->after[i] - s->x[i]) / s->size[i];
  }
  if (!hy_dense_factor((int)n, a, pivot, NULL)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no step leads from a period to a steady one",
                hy_model_name(hy_loaded_model(s->loaded)));
    return FALSE;
  }
  hy_dense_solve((int)n, a, pivot, dx);
  for (gsize i = 0; i < n; i++) {
    dx[i] *= s->size[i];
  }
  return TRUE;
}

static gboolean may_go_on(const HySteady *s, GError **error)
{
  guint spared = s->newton < SPARED ? s->beside : 0;
  if (s->periods - spared < s->set.most) {
    return TRUE;
  }
  char residual[HY_DOUBLE_SIZE];
  g_set_error(
      error, HY_ERROR, HY_ERROR_RUN,
      "%s: no periodic state was found in %u periods; the last one changed a state by %s of "
      "its largest value. Perhaps it repeats after several periods (--period), or never%s%s",
      hy_model_name(hy_loaded_model(s->loaded)), s->periods, hy_double_text(residual, s->residual),
      s->exact ? "" : "; sensitivities are differences of runs, because ", s->exact ? "" : s->why);
  return FALSE;
}

/* The run itself finds the way where Newton does not. */
static gboolean settle(HySteady *s, guint periods, GError **error)
{
  for (guint k = 0; k < periods; k++) {
    memcpy(s->x, s->after, s->n * sizeof *s->x);
    if (!may_go_on(s, error) || !run_period(s, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* To where Newton's method sees the steady state, and a period from there. */
static gboolean step(HySteady *s, GError **error)
{
  g_autofree double *dx = g_new(double, s->n);
  gboolean lost;
  if (!may_go_on(s, error)) {
    return FALSE;
  }
  if (!find_step(s, dx, &lost, error)) {
    return lost && settle(s, SETTLE << s->lost, error);
  }
  for (guint i = 0; i < s->n; i++) {
    s->x[i] += dx[i];
  }
  s->newton++;
  return run_period(s, error);
}

/* Until a period changes nothing. Where another switch conducts now, a step may lead away at first;
 * where steps go on to do so they are followed by plain periods. */
static gboolean iterate(HySteady *s, GError **error)
{
  guint away = 0;
  if (!run_period(s, error)) {
    return FALSE;
  }
  for (double before = INFINITY; s->residual > s->set.tolerance || s->turned;) {
    away += s->residual > before;
    if (away > PATIENCE && !settle(s, SETTLE, error)) {
      return FALSE;
    }
    away = away > PATIENCE ? 0 : away;
    before = s->residual;
    if (!step(s, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static void set_elsewhere(const HySteady *s, GError **error)
{
  char period[HY_DOUBLE_SIZE];
  g_autofree char *block = hy_common_period_misses(s->loaded, s->period);
  const char *name = hy_model_name(hy_loaded_model(s->loaded));
  if (block != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: a further period of %s s from the state that was found ends elsewhere; %s",
                name, hy_double_text(period, s->period), block);
  } else {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: a second period from the state that was found ends elsewhere, so a block "
                "remembers what is no state of an integrator: a delay, a counter, a controller in "
                "discrete time; such models cannot be analysed yet, unless all of it repeats after "
                "a longer --period",
                name);
  }
}

/* A second period; of one that is stated and shorter than that of a source so many that each source
 * has been round. */
static double further(const HySteady *s)
{
  double all = ceil(hy_common_period_longest(s->loaded) / s->period);
  return isnan(s->set.period) ? 1.0 : fmin(fmax(all, 1.0), MOST_FURTHER);
}

/* Where other blocks remember something, too, or the period is not taken from the sources, further
 * ones must end as the first. */
static gboolean check_further(const HySteady *s, GError **error)
{
  g_autofree double *x = g_new(double, s->n);
  g_autoptr(HyLap) lap = lap_beside(s);
  double laps = further(s), to = s->lap->to + laps * s->period;
  lap->limits.events *= (guint64)laps;
  double grown = fmax(1.0, pow(cabs(s->multiplier[0]), laps)); /* what is left, if unstable */
  if (s->exact && isnan(s->set.period) && !hy_exact_remembers(s->sim->room) &&
      !hy_common_period_may_miss(s->loaded)) {
    return TRUE;
  }
  if (!hy_lap_run(lap, s->sim, to, error)) {
    return FALSE;
  }
  read_states(s, s->sim, to, x);
  if (distance(s, x, s->after) <= FORGETS * grown * s->set.tolerance) {
    return TRUE;
  }
  set_elsewhere(s, error);
  return FALSE;
}

/* In the state that was found. */
static gboolean find_multipliers(HySteady *s, GError **error)
{
  for (guint k = 0; s->lap->exact && k < s->lap->pieces->len; k++) {
    const HyLapPiece *p = hy_lap_piece(s->lap, k);
    s->together += p->event && !p->parallel;
  }
  gboolean lost = FALSE;
  s->lost = LOST;
  return find_monodromy(s, error) && find_eigenvalues(s, &lost, error);
}

static gboolean find_modulators(HySteady *s, GError **error)
{
  g_autoptr(HySim) sim = hy_steady_sim(s, s->loaded, error);
  if (sim == NULL) {
    return FALSE;
  }
  s->modulator = hy_modulators_find(sim);
  for (guint k = 0; k < s->modulator->len; k++) {
    g_array_index(s->modulator, HyModulator, k).watch = s->output->len + k;
  }
  s->lap->modulators = s->modulator;
  return TRUE;
}

static gboolean find(HySteady *s, GError **error)
{
  if (!find_modulators(s, error)) {
    return FALSE;
  }
  s->sim = hy_steady_sim(s, s->loaded, error);
  if (s->sim == NULL || !find_states(s, error) || !run_first(s, error) || !iterate(s, error) ||
      !find_multipliers(s, error)) {
    return FALSE;
  }
  return hy_steady_integrate(s, error) && check_further(s, error);
}

static gboolean check_settings(const HyLoaded *loaded, const HySteadySettings *set, GError **error)
{
  const char *what = NULL;
  if (!(isnan(set->period) || (set->period > 0.0 && isfinite(set->period)))) {
    what = "the period must be a time above 0; NaN: that of the sources";
  } else if (!(set->tolerance >= 0.0)) {
    what = "the tolerance must be 0 or more";
  } else if (!(set->differences >= 0.0 && isfinite(set->differences))) {
    what = "differences must be parts of a state, or 0";
  } else if (set->most == 0) {
    what = "one period at least has to be simulated";
  } else if (set->harmonics > HY_STEADY_HARMONICS) {
    what = "there are at most 10000 harmonics";
  }
  if (what != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_model_name(hy_loaded_model(loaded)),
                what);
  }
  return what == NULL;
}

HySteady *hy_steady_new_sized(const HyLoaded *loaded, const HySteadySettings *settings, gsize size,
                              GError **error)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  HySteadySettings set = HY_STEADY_SETTINGS;
  if (!hy_sized_take(&set, settings, size, "HySteadySettings", error) ||
      !check_settings(loaded, &set, error)) {
    return NULL;
  }
  g_autoptr(HySteady) s = g_new0(HySteady, 1);
  s->loaded = loaded;
  s->set = set;
  s->period = s->set.period;
  s->method = METHOD;
  s->lap = hy_lap_new();
  s->lap->limits = (HyLapLimits){s->set.most_events, s->set.most_bytes, lap_goes_on, s};
  s->output = g_array_new(FALSE, TRUE, sizeof(HySteadyOutput));
  if ((isnan(s->period) && !hy_common_period(loaded, &s->period, error)) ||
      !hy_steady_find_outputs(s, error) || !find(s, error)) {
    return NULL;
  }
  return g_steal_pointer(&s);
}

void hy_steady_free(HySteady *s)
{
  if (s == NULL) {
    return;
  }
  for (guint k = 0; k < s->output->len; k++) {
    HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    g_free(o->path);
    g_free(o->harmonic);
  }
  g_array_unref(s->output);
  g_clear_pointer(&s->modulator, g_array_unref);
  hy_lap_free(s->lap);
  hy_sim_free(s->sim);
  g_free(s->atomic);
  g_free(s->x);
  g_free(s->after);
  g_free(s->size);
  g_free(s->start);
  g_free(s->mode);
  g_free(s->why);
  g_free(s->phi);
  g_free(s->multiplier);
  g_free(s);
}

/* The same blocks at the same places: of one file, perhaps loaded with other tolerances. */
static gboolean are_alike(const HySim *a, const HySim *b)
{
  gboolean alike = a->n == b->n;
  for (guint k = 0; alike && k < a->n; k++) {
    g_autofree char *path = hy_sim_path(a, k), *other = hy_sim_path(b, k);
    alike = strcmp(path, other) == 0 && strcmp(a->atoms[k].klass->name, b->atoms[k].klass->name) ==
                                            0; /* a load may make its own */
  }
  return alike;
}

void hy_run_from_steady(HyRun *run, const HySteady *s)
{
  g_return_if_fail(run != NULL && s != NULL);
  g_return_if_fail(are_alike(s->sim, run->sim));
  set_start(s, run->sim, s->x);
  run->steady = s->period;
}
