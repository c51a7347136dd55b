/* The algorithms are those of NLopt (S. Johnson). They see parameters as places in 0 .. 1 of their
 * ranges. A run that has failed has an infinite value; quadratic and linear models of infinity make
 * NLopt stop at once, with success, anywhere. So it is told a number that is worse than all it has
 * seen; and since such a number bends a model for long, the search begins again from the best run,
 * with smaller steps, until it meets no failure or finds nothing better; and likewise where it has
 * gone far beyond the limits and stays there, as where what is limited does not change any more. */
#include "sweeps/optimiser.h"
#include "hydevs/error.h"

#include <math.h>
#include <string.h>

#ifdef HY_NLOPT
#include <nlopt.h>

enum { MOST_ROUNDS = 6, MOST_ASTRAY = 10, COBYLA = 1 };

static const struct {
  const char *name;
  nlopt_algorithm algorithm;
  gboolean local, limits;
  guint least; /* parameters */
} methods[] = {
    {"bobyqa", NLOPT_LN_BOBYQA, TRUE, FALSE, 2},
    [COBYLA] = {"cobyla", NLOPT_LN_COBYLA, TRUE, TRUE, 1},
    {"direct", NLOPT_GN_DIRECT, FALSE, FALSE, 1},
    {"crs2", NLOPT_GN_CRS2_LM, FALSE, FALSE, 1},
};

typedef struct {
  const HySearch *of;
  HyFound *found;
  nlopt_opt nlopt;
  guint64 most;      /* runs until now */
  guint astray;      /* runs beyond the limits, one after the other */
  gboolean lost;     /* too many of them, in this round */
  gboolean stop;     /* somebody has said so, or the first run has failed */
  double *x;         /* [n]: the parameters */
  double *last;      /* [n]: the place that was tried last, */
  double value;      /* what NLopt was told of it */
  double *beyond;    /* [n_limits]; */
  double *best;      /* [n]: the best place */
  double low, worst; /* of the values of runs that have not failed */
  double *far;       /* [n_limits]: the largest excess */
} Search;

static void parameters(const HySearch *of, const double *place, double *x)
{
  for (guint k = 0; k < of->n; k++) {
    const HySpan *r = &of->range[k];
    double v =
        r->log ? r->low * pow(r->high / r->low, place[k]) : r->low + (r->high - r->low) * place[k];
    x[k] = CLAMP(v, r->low, r->high);
  }
}

static double place_of(const HySpan *r, double v)
{
  double place =
      r->log ? log(v / r->low) / log(r->high / r->low) : (v - r->low) / (r->high - r->low);
  return CLAMP(place, 0.0, 1.0);
}

/* The numbers that a failed run is told to have. */
static void tell_failed(Search *s)
{
  s->value = s->worst + fmax(s->worst - s->low, fmax(fabs(s->worst), 1e-300) * 1e-3);
  for (guint k = 0; k < s->of->n_limits; k++) {
    s->beyond[k] = fmax(s->far[k], 0.0);
  }
}

static void tell_tried(Search *s)
{
  gboolean within = TRUE;
  for (guint k = 0; k < s->of->n_limits; k++) {
    within = within && s->beyond[k] <= 0.0;
    s->far[k] = fmax(s->far[k], s->beyond[k]);
  }
  s->low = fmin(s->low, s->value);
  s->worst = fmax(s->worst, s->value);
  s->found->beyond += within ? 0 : 1;
  s->astray = within ? 0 : s->astray + 1;
  if (within && (s->found->best == G_MAXUINT64 || s->value < s->found->value)) {
    s->found->best = s->found->runs - 1;
    s->found->value = s->value;
    memcpy(s->best, s->last, s->of->n * sizeof *s->best);
  }
}

/* What is no number is no value. */
static HyTried run_at(Search *s)
{
  parameters(s->of, s->last, s->x);
  HyTried tried = s->of->try(s->of->user, s->x, &s->value, s->beyond);
  gboolean finite = tried != HY_TRIED || isfinite(s->value);
  for (guint k = 0; finite && tried == HY_TRIED && k < s->of->n_limits; k++) {
    finite = isfinite(s->beyond[k]);
  }
  return finite ? tried : HY_TRIED_FAILED;
}

/* What is known of PLACE; NLopt asks for the value and the limits of one place in turns. */
static void look(Search *s, const double *place)
{
  if (s->found->runs > 0 && memcmp(place, s->last, s->of->n * sizeof *place) == 0) {
    return;
  }
  s->lost = s->found->best != G_MAXUINT64 && s->astray > MOST_ASTRAY * (s->of->n + 1);
  if (s->stop || s->lost || s->found->runs >= s->most) {
    nlopt_force_stop(s->nlopt);
    return;
  }
  memcpy(s->last, place, s->of->n * sizeof *place);
  HyTried tried = run_at(s);
  s->stop = tried == HY_TRIED_STOP || (tried == HY_TRIED_FAILED && s->found->runs == 0);
  s->found->runs += tried == HY_TRIED_STOP ? 0 : 1;
  s->found->failed += tried == HY_TRIED_FAILED ? 1 : 0;
  if (s->stop) {
    nlopt_force_stop(s->nlopt);
  } else if (tried == HY_TRIED) {
    tell_tried(s);
  } else {
    tell_failed(s);
  }
}

static double objective(unsigned n, const double *place, double *gradient, void *user)
{
  (void)n;
  (void)gradient;
  Search *s = (Search *)user;
  look(s, place);
  return s->value;
}

static void limits(unsigned m, double *result, unsigned n, const double *place, double *gradient,
                   void *user)
{
  (void)n;
  (void)gradient;
  Search *s = (Search *)user;
  look(s, place);
  memcpy(result, s->beyond, m * sizeof *result);
}

static const char *reason(nlopt_result result, const Search *s)
{
  if (s->found->runs >= s->of->most) {
    return "all runs are used";
  }
  switch (result) {
  case NLOPT_SUCCESS:
  case NLOPT_XTOL_REACHED:
    return "the steps are as small as asked";
  case NLOPT_ROUNDOFF_LIMITED:
    return "the steps are as small as rounding lets them be";
  case NLOPT_FORCED_STOP:
    return "stopped";
  default:
    return nlopt_result_to_string(result);
  }
}

/* One search of NLopt from the best place there is. */
static nlopt_result round_from(Search *s, guint method, double step)
{
  const guint n = s->of->n;
  g_autofree double *x = g_memdup2(s->best, n * sizeof *x);
  double value;
  s->nlopt = nlopt_create(methods[method].algorithm, n);
  nlopt_set_lower_bounds1(s->nlopt, 0.0);
  nlopt_set_upper_bounds1(s->nlopt, 1.0);
  nlopt_set_min_objective(s->nlopt, objective, s);
  if (s->of->n_limits > 0) {
    nlopt_add_inequality_mconstraint(s->nlopt, s->of->n_limits, limits, s, NULL);
  }
  nlopt_set_xtol_abs1(s->nlopt, s->of->step);
  if (methods[method].local) {
    nlopt_set_initial_step1(s->nlopt, step);
  }
  nlopt_srand((unsigned long)s->of->seed);
  nlopt_result result = nlopt_optimize(s->nlopt, x, &value);
  nlopt_destroy(s->nlopt);
  return result;
}

/* From the best place, with first steps of STEP, until no run fails or nothing better is found. */
static nlopt_result rounds(Search *s, guint method, double step)
{
  for (guint round = 0;; round++) {
    guint64 failed = s->found->failed, best = s->found->best;
    s->astray = 0;
    nlopt_result result = round_from(s, method, step);
    gboolean clean = s->found->failed == failed || (round > 0 && s->found->best == best);
    if ((clean && !s->lost) || round == MOST_ROUNDS || s->stop || s->found->runs >= s->most) {
      return result;
    }
    step = fmax(0.1 * step, 10.0 * s->of->step);
  }
}

/* A search of the whole box comes near to the best place and is slow from there on: a quarter of
 * the runs is left for cobyla. */
static void search_all(Search *s, guint method)
{
  nlopt_result result;
  if (methods[method].local) {
    s->most = s->of->most;
    result = rounds(s, method, 0.25);
  } else {
    s->most = s->of->most - s->of->most / 4;
    result = round_from(s, method, 0.0);
    s->most = s->of->most;
    if (!s->stop) {
      result = rounds(s, COBYLA, 0.01);
    }
  }
  s->found->why = reason(result, s);
}

static gboolean choose(const HySearch *search, guint *method, GError **error)
{
  const char *name = search->method;
  if (name == NULL) {
    name = search->n_limits > 0 || search->n == 1 ? "cobyla" : "bobyqa";
  }
  for (*method = 0; strcmp(methods[*method].name, name) != 0;) {
    if (++*method == G_N_ELEMENTS(methods)) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is none of %s", name, HY_OPTIMISERS);
      return FALSE;
    }
  }
  if (search->n < methods[*method].least) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is for %u parameters or more; take cobyla",
                name, methods[*method].least);
    return FALSE;
  }
  if (search->n_limits > 0 && !methods[*method].limits) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s knows no limits; cobyla does", name);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_search(const HySearch *search, HyFound *found, GError **error)
{
  g_return_val_if_fail(search != NULL && search->n > 0 && found != NULL, FALSE);
  guint method;
  *found = (HyFound){.best = G_MAXUINT64, .value = NAN};
  if (!choose(search, &method, error)) {
    return FALSE;
  }
  const gsize n = search->n, m = search->n_limits;
  g_autofree double *room = g_new0(double, 3 * n + 2 * m);
  Search s = {.of = search,
              .found = found,
              .x = room,
              .last = room + n,
              .best = room + 2 * n,
              .beyond = room + 3 * n,
              .far = room + 3 * n + m,
              .low = INFINITY,
              .worst = -INFINITY};
  for (guint k = 0; k < n; k++) {
    s.best[k] = place_of(&search->range[k], search->range[k].start);
  }
  found->method = methods[method].name;
  search_all(&s, method);
  if (found->runs > 0 && found->runs == found->failed) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "the run that the search begins with has failed");
    return FALSE;
  }
  return TRUE;
}

#else

gboolean hy_search(const HySearch *search, HyFound *found, GError **error)
{
  (void)search;
  (void)found;
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "hydevs was built without NLopt: install libnlopt-dev, configure and build again");
  return FALSE;
}

#endif
