/* Multirate integration: each group is a part of the system with a fixed step of its own, hstep,
 * and its method says how it informs the faster groups that read it (HyRateInformation).
 *
 * A step of a group from T with h is computed at once, with what it knows then: begin + h f(T), by
 * Euler's method; or, corrected m times, backward Euler as P(EC)^m E: predicted by Euler, then m
 * times z = begin + h f(T + h, z). Only afterwards follow the steps of the faster groups within it.
 * With two groups, and m = 0 or 2 for the fast one, these are the six algorithms III.5.1 to III.5.6
 * of the thesis on multirate simulators of plants. All are of order 1.
 *
 * Who has the larger hstep is slower, and has its turn first where instants are the same. A group
 * reads a slower one as that one informs it, also where a corrector asks for the end of the step;
 * and all others, the faster ones among them, as they are at the beginning of its own step. For
 * everybody else the states are lines.
 *
 * All groups share one grid, origin + k hstep. 3 * 0.1 is not 30 * 0.01, so an instant that is
 * within rounding of one of a slower group is that one. */
#include "classic_internal.h"

#include <string.h>

typedef struct {
  double *begin;       /* [n] at t0 */
  double *slope;       /* [n] of the line to t1 */
  double *before;      /* [n] working memory */
  double *half, *rate; /* [n] likewise */
  guint64 steps, evaluations;
} Rate;

/* Others -------------------------------------------------------------------------------------- */

static double hstep_of(const HyClassic *g)
{
  return hy_classic_member(g, 0)->set->hstep;
}

gboolean hy_multirate_is_slower(const HyClassic *g, const HyClassic *than)
{
  return hstep_of(g) > hstep_of(than);
}

HyClassic *hy_multirate_source(const HyClassic *g, guint slot, guint32 *place)
{
  guint32 state = g->room->members.state_of[slot];
  const HyRoomState *s = state > 0 ? hy_room_state(g->room, state - 1) : NULL;
  *place = HY_NO_PLACE;
  if (!hy_multirate_is(g) || s == NULL || !hy_family_is_classic(s->member->family)) {
    return NULL;
  }
  HyClassic *source = hy_room_group(g->room, s->member->group)->classic;
  *place = s->place;
  return source != g && hy_multirate_is(source) ? source : NULL;
}

/* I at T, which is in the step that stands; with what is to be added at its end. */
static double state_at(const HyClassic *g, guint32 i, double t)
{
  const Rate *r = g->method_state;
  const HyQState *v = hy_classic_member(g, i)->v;
  if (!g->begun || v->asked) {
    return hy_qstate_x(v, t);
  }
  if (t >= g->t1) {
    return g->z[i] + (g->offset[i] + hy_classic_missing(g, i, g->t1));
  }
  return r->begin[i] + (t - g->t0) * r->slope[i];
}

HyPiece hy_multirate_information(const HyClassic *g, const HyClassic *source, guint32 i, double t)
{
  const Rate *r = source->method_state;
  if (!hy_multirate_is_slower(source, g) || !source->begun || t >= source->t1) {
    return (HyPiece){.c = {state_at(source, i, t)}, .t = t};
  }
  switch (source->method->information) {
  case HY_RATE_INTERPOLATED:
    return (HyPiece){.c = {r->begin[i], r->slope[i]}, .t = source->t0};
  case HY_RATE_ADVANCED:
    return (HyPiece){.c = {source->z[i]}, .t = source->t0};
  default:
    return (HyPiece){.c = {r->begin[i]}, .t = source->t0};
  }
}

gboolean hy_multirate_reads_faster(const HyClassic *g)
{
  gboolean found = FALSE;
  for (guint k = 0; k < g->rows.n_outer && !found; k++) {
    guint32 place;
    const HyClassic *source = hy_multirate_source(g, g->rows.outer[k], &place);
    found = source != NULL && hy_multirate_is_slower(g, source);
  }
  return found;
}

gboolean hy_multirate_waits(const HyClassic *g)
{
  for (guint k = 0; k < g->rows.n_outer; k++) {
    guint32 place;
    const HyClassic *source = hy_multirate_source(g, g->rows.outer[k], &place);
    if (source != NULL && !source->begun && hy_multirate_is_slower(source, g)) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean are_equal(const HyPiece *a, const HyPiece *b)
{
  return a->t == b->t && a->c[0] == b->c[0] && a->c[1] == b->c[1];
}

gboolean hy_multirate_is_misled(const HyClassic *g, const HyClassic *by)
{
  for (guint k = 0; k < g->rows.n_outer; k++) {
    guint32 place;
    const HyClassic *source = hy_multirate_source(g, g->rows.outer[k], &place);
    if (source == NULL || source != by) {
      continue;
    }
    HyPiece now = hy_multirate_information(g, source, place, g->t0);
    if (!are_equal(&now, &g->rows.assumed[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The grid ------------------------------------------------------------------------------------ */

/* T, or the instant of the slowest group that is T but for rounding. */
static double shared_instant(const HyClassic *g, double t)
{
  const HyRoom *room = g->room;
  double origin = room->groups.rate_origin, near = hy_classic_near(hstep_of(g), t);
  for (guint k = 0; k < room->groups.rates->len; k++) {
    const HyClassic *s = g_ptr_array_index(room->groups.rates, k);
    if (!hy_multirate_is_slower(s, g)) {
      break;
    }
    double its = origin + round((t - origin) / hstep_of(s)) * hstep_of(s);
    if (fabs(its - t) <= near) {
      return its;
    }
  }
  return t;
}

/* Life ---------------------------------------------------------------------------------------- */

static Rate *multirate_make(const HyClassic *g)
{
  Rate *r = g_new0(Rate, 1);
  r->begin = g_new0(double, g->n);
  r->slope = g_new0(double, g->n);
  r->before = g_new0(double, g->n);
  r->half = g_new0(double, g->n);
  r->rate = g_new0(double, g->n);
  return r;
}

static const char *multirate_start(HyClassic *g, double t)
{
  HyRoom *room = g->room;
  if (g->method_state == NULL) {
    g->method_state = multirate_make(g);
  }
  if (!g->begun) {
    Rate *r = g->method_state;
    r->steps = r->evaluations = 0;
  }
  room->groups.rate_origin = isnan(room->groups.rate_origin) ? t : room->groups.rate_origin;
  g->t0 = g->t1 = t;
  return NULL;
}

static void multirate_tape(HyClassic *g, HyTape *tape)
{
  if (g->begun && g->method_state == NULL) { /* in a file, of a group of another method here */
    g->method_state = multirate_make(g);
  }
  Rate *r = g->method_state;
  if (g->begun) {
    HY_TAPE(tape, r->steps);
    HY_TAPE(tape, r->evaluations);
    HY_TAPE_ARRAY(tape, r->begin, g->n);
    HY_TAPE_ARRAY(tape, r->slope, g->n);
  }
}

static void multirate_clear(HyClassic *g)
{
  Rate *r = g->method_state;
  if (r != NULL) {
    g_free(r->begin);
    g_free(r->slope);
    g_free(r->before);
    g_free(r->half);
    g_free(r->rate);
    g_free(r);
  }
}

/* Steps --------------------------------------------------------------------------------------- */

/* z = begin + h f at T, with the states Y. */
static gboolean multirate_evaluate(HyClassic *g, double t, double h, const double *y)
{
  Rate *r = g->method_state;
  r->evaluations++;
  gboolean finite = hy_classic_rhs(g, t, y, r->slope);
  for (guint i = 0; i < g->n; i++) {
    g->z[i] = r->begin[i] + h * r->slope[i];
  }
  return finite;
}

/* From begin at T0 to z at T. */
static const char *multirate_integrate(HyClassic *g, double t0, double t)
{
  Rate *r = g->method_state;
  gboolean finite = multirate_evaluate(g, t0, t - t0, r->begin);
  for (int m = 0; m < g->method->corrections && finite; m++) {
    memcpy(r->before, g->z, g->n * sizeof *g->z);
    finite = multirate_evaluate(g, t, t - t0, r->before);
  }
  if (finite && hy_columns_finite(g->n, g->z)) {
    return NULL;
  }
  guint i = 0;
  while (i + 1 < g->n && isfinite(g->z[i])) {
    i++;
  }
  return hy_classic_why(g, i, "a step leads to a value that is not finite");
}

/* To the next instant of the common grid. What was missing is in the beginning of the step. */
static const char *multirate_step(HyClassic *g)
{
  Rate *r = g->method_state;
  double h = hstep_of(g), t0 = g->t1;
  double t = shared_instant(g, hy_classic_grid(g->room->groups.rate_origin, h, t0));
  if (!(t > t0)) {
    return hy_classic_why(g, 0, "the instants of two steps cannot be told apart");
  }
  for (guint i = 0; i < g->n; i++) {
    r->begin[i] = g->z[i] + g->offset[i];
    if (g->halves.x != NULL) {
      g->halves.x[i] += g->offset[i];
    }
    g->offset[i] = 0.0;
  }
  const char *why = multirate_integrate(g, t0, t);
  if (why != NULL) {
    memcpy(g->z, r->begin, g->n * sizeof *g->z);
    return why;
  }
  g->t0 = t0;
  g->t1 = t;
  r->steps++;
  return NULL;
}

/* A step that ends where it began has been none. */
static const char *multirate_finish(HyClassic *g, double t)
{
  Rate *r = g->method_state;
  if (t > g->t0) {
    return multirate_integrate(g, g->t0, t);
  }
  r->steps--;
  memcpy(g->z, r->begin, g->n * sizeof *g->z);
  return NULL;
}

/* From X at T0 to X at T, as multirate_integrate() does. */
static gboolean half_step(HyClassic *g, double t0, double t, double *x)
{
  Rate *r = g->method_state;
  memcpy(r->half, x, g->n * sizeof *x);
  gboolean finite = TRUE;
  for (int m = 0; m <= g->method->corrections && finite; m++) {
    finite = hy_classic_rhs(g, m == 0 ? t0 : t, x, r->rate);
    for (guint i = 0; i < g->n; i++) {
      x[i] = r->half[i] + (t - t0) * r->rate[i];
    }
  }
  return finite && hy_columns_finite(g->n, x);
}

static gboolean multirate_halves(HyClassic *g, double t, double *x)
{
  double middle = g->t0 + 0.5 * (t - g->t0);
  return half_step(g, g->t0, middle, x) && half_step(g, middle, t, x);
}

static void multirate_dense(HyClassic *g, double t, int order, double *z)
{
  const Rate *r = g->method_state;
  for (guint i = 0; i < g->n; i++) {
    z[i] = order == 1 ? r->slope[i] : t < g->t1 ? r->begin[i] + (t - g->t0) * r->slope[i] : g->z[i];
  }
}

static void multirate_totals(const HyClassic *g, HyClassicTotals *totals)
{
  const Rate *r = g->method_state;
  if (r != NULL && g->begun) {
    totals->steps += r->steps;
    totals->evaluations += r->evaluations;
  }
}

const HyStepper hy_classic_multirate = {.start = multirate_start,
                                        .step = multirate_step,
                                        .finish = multirate_finish,
                                        .dense = multirate_dense,
                                        .totals = multirate_totals,
                                        .clear = multirate_clear,
                                        .tape = multirate_tape,
                                        .halves = multirate_halves};
