/* What is common to the classic methods: the frame of a step, its acceptance, what the world sees.
 */
#include "classic.h"
#include "classic_steps.h"

#include <float.h>
#include <math.h>
#include <string.h>

const HyOdeSettings hy_ode_settings = {
    .rtol = 1e-3,
    .atol = 1e-6,
    .first = 1e-5,
    .least = 0.0,
    .root = 4,
    .newton = 1e-12,
    .newton_max = 20,
};

#define VECTORS 5 /* x, dx, x0, dx0, next */
#define WORK    8

size_t hy_ode_room(const HyOdeMethod *method, int n)
{
  size_t vectors = (size_t)(VECTORS + WORK + method->past) * (size_t)n;
  return vectors + (method->implicit ? hy_newton_room(n) : 0);
}

void hy_ode_init(HyOdeRun *r, const HyOdeMethod *method, const HyOde *ode,
                 const HyOdeSettings *settings, double *room)
{
  size_t n = (size_t)ode->n;
  *r = (HyOdeRun){
      .method = method, .ode = *ode, .set = *settings, .h = settings->first, .room = room};
  double **vectors[VECTORS] = {&r->x, &r->dx, &r->x0, &r->dx0, &r->next};
  for (int i = 0; i < VECTORS; i++, room += n) {
    *vectors[i] = room;
  }
  for (int i = 0; i < WORK; i++, room += n) {
    r->work[i] = room;
  }
  for (int i = 0; i < method->past; i++, room += n) {
    r->past[i] = room;
  }
  r->newton.room = room;
}

void hy_ode_start(HyOdeRun *r, double t, const double *x)
{
  size_t bytes = (size_t)r->ode.n * sizeof *x;
  memmove(r->x, x, bytes);
  memcpy(r->x0, r->x, bytes);
  r->t = r->t0 = t;
  r->fresh = r->fresh0 = false;
  r->known = 0;
}

static void ode_swap(double **a, double **b)
{
  double *keep = *a;
  *a = *b;
  *b = keep;
}

void hy_ode_back(HyOdeRun *r)
{
  ode_swap(&r->x, &r->x0);
  ode_swap(&r->dx, &r->dx0);
  r->t = r->t0;
  r->h = r->h0;
  r->fresh = r->fresh0;
  r->fresh0 = false;
  r->known = 0;
  r->counts.accepted--;
}

/* ---- for the methods ---- */

void hy_ode_f(HyOdeRun *r, double t, const double *x, double *dx)
{
  r->counts.evaluations++;
  r->ode.f(r->ode.user, t, x, dx);
}

const double *hy_ode_slope(HyOdeRun *r)
{
  if (!r->fresh) {
    hy_ode_f(r, r->t, r->x, r->dx);
    r->fresh = true;
  }
  return r->dx;
}

double hy_ode_typical(const HyOdeRun *r)
{
  return r->set.rtol > 0.0 ? r->set.atol / r->set.rtol : 1.0;
}

void hy_ode_push(HyOdeRun *r, const double *v)
{
  int m = r->method->past;
  double *oldest = r->past[m - 1];
  memmove(r->past + 1, r->past, (size_t)(m - 1) * sizeof *r->past);
  r->past[0] = oldest;
  memcpy(oldest, v, (size_t)r->ode.n * sizeof *v);
  r->known += r->known < m ? 1 : 0;
}

static double ode_largest(int n, const double *v)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(v[i]));
  }
  return most;
}

/* An instant later, at which neither x nor t has changed by more than half of the digits. */
static double ode_instant(HyOdeRun *r)
{
  double f = ode_largest(r->ode.n, hy_ode_slope(r));
  double size = ode_largest(r->ode.n, r->x) + hy_ode_typical(r);
  double d = sqrt(DBL_EPSILON) * fmin(size / f, fmax(fabs(r->t), 1.0));
  return r->t + fmax(d, 16.0 * DBL_EPSILON * fabs(r->t));
}

/* The derivative of f along (1, f), by a difference. */
static void second_by_difference(HyOdeRun *r, double *ddx)
{
  const double *f = hy_ode_slope(r);
  double *y = r->work[1];
  double later = ode_instant(r);
  double d = later - r->t;
  for (int i = 0; i < r->ode.n; i++) {
    y[i] = r->x[i] + d * f[i];
  }
  hy_ode_f(r, later, y, ddx);
  for (int i = 0; i < r->ode.n; i++) {
    ddx[i] = (ddx[i] - f[i]) / d;
  }
}

void hy_ode_second(HyOdeRun *r, double *ddx)
{
  if (r->ode.second == NULL) {
    second_by_difference(r, ddx);
    return;
  }
  r->ode.second(r->ode.user, r->t, r->x, hy_ode_slope(r), ddx);
}

/* ---- a step ---- */

bool hy_ode_finite(int n, const double *v)
{
  double zero = 0.0;
  for (int i = 0; i < n; i++) {
    zero += 0.0 * v[i]; /* NaN if it is not finite */
  }
  return zero == 0.0;
}

/* x is x0 from now on, and `next` is x. */
static void ode_accept(HyOdeRun *r, double t1)
{
  r->counts.accepted++;
  r->t0 = r->t;
  r->t = t1;
  ode_swap(&r->x0, &r->x);
  ode_swap(&r->x, &r->next);
  ode_swap(&r->dx0, &r->dx);
  r->fresh0 = r->fresh;
  r->fresh = false;
}

/* Beyond what the rounding of T1 does to it. */
static bool other_spacing(const HyOdeRun *r, double h)
{
  return fabs(h - r->spacing) > 1e-9 * h + 4.0 * DBL_EPSILON * fabs(r->t);
}

static HyOdeEnd fixed_step(HyOdeRun *r, double t1)
{
  double h = t1 - r->t;
  if (r->known > 0 && other_spacing(r, h)) {
    r->known = 0;
  }
  r->spacing = r->h = h;
  HyOdeEnd end = r->method->step(r, h);
  if (end == HY_ODE_DONE && !hy_ode_finite(r->ode.n, r->next)) {
    end = HY_ODE_NOT_FINITE;
  }
  if (end != HY_ODE_DONE) {
    r->known = 0; /* the present has become the past already */
    return end;
  }
  ode_accept(r, t1);
  return end;
}

/* Where the error falls more slowly than the method's order says, at the limit of stability, the
 * formula alone would come down to the tolerance in ever smaller steps and never get there. */
static double ode_growth(const HyOdeRun *r, double error)
{
  int root = r->method->root > 0 ? r->method->root : r->set.root;
  double g = r->method->safety * pow(1.0 / error, 1.0 / root);
  return fmin(fmax(g, 0.1), error > 1.0 ? 0.999 : 10.0);
}

/* A step that T1 has cut short says little about the next one, which is then as long as it would
 * have been without T1. */
static HyOdeEnd adaptive_step(HyOdeRun *r, double t1)
{
  for (;;) {
    bool cut = r->t + r->h * (1.0 + 1e-10) >= t1;
    double h = cut ? t1 - r->t : r->h;
    double error = 0.0;
    HyOdeEnd end = r->method->attempt(r, h, &error);
    if (end != HY_ODE_DONE) {
      return end;
    }
    if (!hy_ode_finite(r->ode.n, r->next)) {
      error = INFINITY;
    }
    double proposal = h * ode_growth(r, error);
    if (error <= 1.0) {
      r->h0 = r->h;
      r->h = cut ? fmax(r->h, proposal) : proposal;
      ode_accept(r, cut ? t1 : r->t + h);
      return HY_ODE_DONE;
    }
    r->counts.rejected++;
    r->h = proposal;
    if (proposal < r->set.least || r->t + proposal == r->t) {
      return isinf(error) ? HY_ODE_NOT_FINITE : HY_ODE_TOO_SMALL;
    }
  }
}

HyOdeEnd hy_ode_step(HyOdeRun *r, double t1)
{
  if (!(t1 > r->t)) {
    return HY_ODE_DONE;
  }
  return r->method->adaptive ? adaptive_step(r, t1) : fixed_step(r, t1);
}

HyOdeEnd hy_ode_advance(HyOdeRun *r, double t1)
{
  HyOdeEnd end = HY_ODE_DONE;
  while (end == HY_ODE_DONE && r->t < t1) {
    end = hy_ode_step(r, t1);
  }
  return end;
}

/* ---- what the world sees ---- */

static const double *first_slope(HyOdeRun *r)
{
  if (!r->fresh0) {
    hy_ode_f(r, r->t0, r->x0, r->dx0);
    r->fresh0 = true;
  }
  return r->dx0;
}

void hy_ode_piece(HyOdeRun *r, int i, double *c)
{
  double h = r->t - r->t0;
  c[0] = r->x0[i];
  c[1] = c[2] = c[3] = 0.0;
  if (!(h > 0.0)) {
    return;
  }
  double mean = (r->x[i] - r->x0[i]) / h;
  if (r->method->order == 1) {
    c[1] = mean;
    return;
  }
  double f0 = first_slope(r)[i];
  c[1] = f0;
  c[2] = (mean - f0) / h;
  if (r->method->order > 2) {
    double f1 = hy_ode_slope(r)[i];
    c[2] = (3.0 * mean - 2.0 * f0 - f1) / h;
    c[3] = (f0 + f1 - 2.0 * mean) / (h * h);
  }
}
