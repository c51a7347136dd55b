/* What the methods share: the frame of a step, around the one formula in which they differ. For the
 * .c files of this folder and for fast-engine/fused_rows.c; inline with a constant n, so that each
 * method gets its own code. */
#ifndef HYDEVS_NUMERICS_STEPS_H
#define HYDEVS_NUMERICS_STEPS_H

#include "leave.h"
#include "quadratic.h"
#include "quantizer.h"

#include <math.h>
#include <stdbool.h>

/* A compiler left to itself makes one function for all n of what is used often. */
#define HY_EACH_METHOD static inline __attribute__((always_inline))

/* The methods that have this frame. */
extern const HyQuantizer hy_qss1, hy_qss2, hy_qss3, hy_liqss1, hy_liqss2, hy_liqss3;

/* The local model x' = a q + u at an own step. u holds true derivatives (u, u', u''), as the papers
 * have it, and so does the q that a method chooses. */
typedef struct {
  double x, a, dq;
  double u[3];
} HyLocal;

/* q(0), q'(0), q''(0) at the largest step h of the implicit formula that keeps |q - x| <= dq;
 * returns h, INFINITY if nothing ends it. */
typedef double HyChoose(const HyLocal *l, double *q);

HyChoose hy_liqss1_choose, hy_liqss2_choose, hy_liqss3_choose;

/* The origin of a piece goes on by E; no coefficient changes where that is nothing. */
HY_EACH_METHOD void hy_step_shift(double *c, int n, double e)
{
  if (e > 0.0) {
    hy_poly_move(c, n, e);
  }
}

HY_EACH_METHOD void hy_step_advance(HyQState *v, int n, double t)
{
  hy_step_shift(v->x, n + 1, t - v->tx);
  v->tx = t;
}

HY_EACH_METHOD void hy_step_take_derivative(HyQState *v, int n, double t, const double *dx)
{
  hy_step_advance(v, n, t);
  hy_poly_integral(v->x, n, dx);
}

HY_EACH_METHOD double hy_step_after(double t, double s)
{
  return s < INFINITY ? t + s : INFINITY;
}

/* d = x - q from t on; x has been advanced. */
HY_EACH_METHOD void hy_step_error(const HyQState *v, int n, double t, double *d)
{
  double q[4] = {v->q[0], v->q[1], v->q[2], 0.0};
  hy_step_shift(q, n, t - v->tq);
  for (int k = 0; k < n; k++) {
    d[k] = v->x[k] - q[k];
  }
  d[n] = v->x[n];
}

/* q becomes the first n coefficients of x: all of an explicit step, and the pieces of the start. */
HY_EACH_METHOD void hy_step_tangent_piece(const HyQState *v, int n, double t, double *q)
{
  double x[4] = {v->x[0], v->x[1], v->x[2], v->x[3]};
  hy_poly_shift(x, n + 1, t - v->tx);
  q[0] = x[0];
  if (n > 1) {
    q[1] = x[1];
  }
  if (n > 2) {
    q[2] = x[2];
  }
}

HY_EACH_METHOD void hy_step_tangent(HyQState *v, int n, double t)
{
  hy_step_tangent_piece(v, n, t, v->q);
  v->tq = t;
}

/* The explicit methods' event: |d| = dq. The one foreseen until now is mostly not far from it. */
HY_EACH_METHOD double hy_step_explicit_time(const HyQState *v, int n, double t)
{
  double d[4];
  hy_step_error(v, n, t, d);
  return hy_step_after(t, hy_leave(d, n + 1, v->dq, v->tn - t));
}

/* The same just after q has become the tangent of x: d is x[n] s^n alone. */
HY_EACH_METHOD double hy_step_tangent_time(const HyQState *v, int n, double t)
{
  double sum = v->x[0] + (n > 1 ? v->x[1] : 0.0) + (n > 2 ? v->x[2] : 0.0);
  bool finite = isfinite(sum) || hy_poly_finite(v->x, n);
  return hy_step_after(t, finite ? hy_leave_power(v->x[n], n, v->dq) : INFINITY);
}

/* x and q meet when their last different derivatives do: d is T (s - h)^n / n! by construction, and
 * an n-fold root cannot be computed. Accepted if they really come together. */
HY_EACH_METHOD double hy_step_meeting(const double *d, int n)
{
  double s = -d[n - 1] / (n * d[n]);
  if (s > 0.0 && s < INFINITY && (n == 1 || fabs(hy_poly_at(d, n + 1, s)) <= 0.5 * fabs(d[0]))) {
    return s;
  }
  return n == 1 ? INFINITY : hy_poly_root(d, n + 1);
}

/* The same of order 2, written out where D does more than leave 0. */
HY_EACH_METHOD double hy_step_meeting2(const double *d)
{
  if (d[0] > 0.0 ? d[1] >= 0.0 && d[2] >= 0.0 : d[1] <= 0.0 && d[2] <= 0.0) {
    return INFINITY;
  }
  if (!hy_is_plain_quadratic(d) || d[2] == 0.0) {
    return hy_poly_finite(d, 3) ? hy_step_meeting(d, 2) : INFINITY;
  }
  double s = -d[1] / (2.0 * d[2]);
  if (s > 0.0 && s < INFINITY && fabs(hy_poly_at(d, 3, s)) <= 0.5 * fabs(d[0])) {
    return s;
  }
  double root[2];
  return hy_plain_quadratic(d, root) ? hy_smaller_positive(root) : INFINITY;
}

/* The implicit methods' event: x meets q, or leaves the band |d| < 2 dq. Below the noise threshold
 * x and q coincide and a meeting would be rounding. */
HY_EACH_METHOD double hy_step_implicit_time(const HyQState *v, int n, double t)
{
  double d[4];
  hy_step_error(v, n, t, d);
  double s = hy_leave(d, n + 1, 2.0 * v->dq, v->tn - t);
  double noise = n == 1 ? 0.0 : 1e-6 * v->dq;
  if (fabs(d[0]) > noise && (n == 2 || hy_poly_finite(d, n + 1))) {
    s = hy_smaller(s, n == 2 ? hy_step_meeting2(d) : hy_step_meeting(d, n));
  }
  return hy_step_after(t, s);
}

HY_EACH_METHOD double hy_step_time(const HyQState *v, int n, bool implicit, double t)
{
  return implicit ? hy_step_implicit_time(v, n, t) : hy_step_explicit_time(v, n, t);
}

/* The pieces of the start; false when they are all out. */
HY_EACH_METHOD bool hy_step_starts(HyQState *v, int n, bool implicit, double t)
{
  if (v->pieces >= n) {
    return false;
  }
  v->pieces++;
  hy_step_tangent(v, n, t);
  v->tn = v->pieces < n ? INFINITY
          : implicit    ? hy_step_implicit_time(v, n, t)
                        : hy_step_tangent_time(v, n, t);
  v->own = t;
  v->asked = false;
  return true;
}

/* An own step comes in three parts: x as it is now, the new q, the next instant. Who knows that x'
 * answers the new q at once may leave the last one to hy_step_answer(), unless n > 2: the search
 * there begins at the instant that was foreseen before. */
HY_EACH_METHOD void hy_step_arrive(HyQState *v, int n, double t)
{
  hy_step_advance(v, n, t);
  v->dq = hy_qstate_quantum(v, v->x[0]);
}

HY_EACH_METHOD void hy_step_explicit_q(HyQState *v, int n, double t)
{
  for (int k = 0; k < n; k++) {
    v->q[k] = v->x[k];
  }
  v->tq = v->own = t;
}

HY_EACH_METHOD void hy_step_explicit(HyQState *v, int n, double t)
{
  hy_step_arrive(v, n, t);
  if (!hy_step_starts(v, n, false, t)) {
    hy_step_explicit_q(v, n, t);
    v->tn = hy_step_tangent_time(v, n, t);
  }
}

/* Whether the change of q at the last own step is large enough to divide by. */
HY_EACH_METHOD bool hy_step_moved(const HyQState *v)
{
  return fabs(v->q[0] - v->q_was) > 1e-13 * (fabs(v->q[0]) + fabs(v->q_was));
}

/* a as it is known when q has to change again. No answer to the last own step is one, too: x' does
 * not depend on q, since a block whose output stays as it is says nothing, and what follows q at
 * once has its turn before the next own step. */
HY_EACH_METHOD double hy_step_known(const HyQState *v)
{
  return v->learn && v->asked && hy_step_moved(v) ? 0.0 : v->a;
}

/* u = x' - a q from the derivative in force, never kept across events. */
HY_EACH_METHOD HyLocal hy_step_local(const HyQState *v, int n, double t)
{
  double a = hy_step_known(v);
  double x[4] = {v->x[0], v->x[1], v->x[2], v->x[3]};
  double q[3] = {v->q[0], v->q[1], v->q[2]};
  hy_poly_shift(x, n + 1, t - v->tx);
  hy_poly_shift(q, n, t - v->tq);
  HyLocal l = {.x = x[0], .a = a, .dq = hy_qstate_quantum(v, x[0])};
  l.u[0] = x[1] - a * q[0];
  if (n > 1) {
    l.u[1] = 2.0 * x[2] - a * q[1];
  }
  if (n > 2) {
    l.u[2] = 6.0 * x[3] - a * (2.0 * q[2]);
  }
  return l;
}

HY_EACH_METHOD void hy_step_implicit_piece(const HyQState *v, int n, double t, HyChoose *choose,
                                           double *q)
{
  double chosen[3] = {0.0, 0.0, 0.0};
  if (v->pieces >= n) {
    HyLocal l = hy_step_local(v, n, t);
    choose(&l, chosen);
  }
  if (v->pieces < n || !hy_poly_finite(chosen, n)) {
    hy_step_tangent_piece(v, n, t,
                          q); /* an a beyond all sense: the explicit piece keeps the bound */
    return;
  }
  q[0] = chosen[0];
  if (n > 1) {
    q[1] = chosen[1];
  }
  if (n > 2) {
    q[2] = 0.5 * chosen[2];
  }
}

HY_EACH_METHOD void hy_step_implicit_q(HyQState *v, int n, double t, HyChoose *choose)
{
  v->a = hy_step_known(v);
  v->asked = false;
  bool after_reset = v->own == -INFINITY; /* others jump, too: x' will not only answer q */
  v->q_was = hy_poly_at(v->q, n, t - v->tq);
  v->dx_was = v->x[1];
  hy_step_implicit_piece(v, n, t, choose, v->q);
  v->tq = v->own = t;
  v->asked = !after_reset;
}

HY_EACH_METHOD void hy_step_implicit(HyQState *v, int n, double t, HyChoose *choose)
{
  hy_step_arrive(v, n, t);
  if (!hy_step_starts(v, n, true, t)) {
    hy_step_implicit_q(v, n, t, choose);
    v->tn = hy_step_implicit_time(v, n, t);
  }
}

/* The first answer to an own step tells how x' depends on q. */
HY_EACH_METHOD void hy_step_learn(HyQState *v, double t, double dx)
{
  if (v->learn && v->asked && t == v->own && hy_step_moved(v)) {
    double a = (dx - v->dx_was) / (v->q[0] - v->q_was);
    v->a = isfinite(a) ? a : v->a;
  } else {
    v->a = hy_step_known(v);
  }
  v->asked = false;
}

/* X' has become DX; STARTED: the pieces of the start are out. */
HY_EACH_METHOD void hy_step_answer(HyQState *v, int n, bool implicit, bool started, double t,
                                   const double *dx)
{
  if (implicit) {
    hy_step_learn(v, t, dx[0]);
  }
  hy_step_take_derivative(v, n, t, dx);
  bool due = v->tn <= t && v->own != t;
  v->tn = due || !started ? t : hy_step_time(v, n, implicit, t);
}

HY_EACH_METHOD void hy_step_derivative(HyQState *v, int n, bool implicit, double t,
                                       const double *dx)
{
  hy_step_answer(v, n, implicit, v->pieces >= n, t, dx);
}

void hy_step_start(HyQState *v, double t, double x0);
void hy_step_reset(HyQState *v, int n, double t, double x0);

#endif
