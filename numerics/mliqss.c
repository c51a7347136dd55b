#include "mliqss.h"
#include "choose.h"
#include "pair.h"
#include "steps.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* One variable at the instant of the decision; all polynomials in Taylor coefficients from now. */
typedef struct {
  double x, dq;
  double dx[4];   /* x' */
  double q[4];    /* as it is */
  double next[4]; /* as it would become */
} Member;

HY_EACH_METHOD double mliqss_choose(int n, const HyLocal *l, double *q)
{
  return n == 1 ? hy_choose1(l, q) : n == 2 ? hy_choose2(l, q) : hy_choose3(l, q);
}

HY_EACH_METHOD bool mliqss_changed(const double *a, const double *b, int n)
{
  for (int k = 0; k < n; k++) {
    if (fabs(a[k] - b[k]) > 0.5 * fabs(a[k] + b[k])) {
      return true;
    }
  }
  return false;
}

bool hy_mliqss_changed(const double *a, const double *b, int n)
{
  return mliqss_changed(a, b, n);
}

HY_EACH_METHOD void member_read_slope(Member *m, const HyQState *v, int n, double t)
{
  double x[4] = {v->x[0], v->x[1], v->x[2], v->x[3]};
  hy_poly_shift(x, n + 1, t - v->tx);
  hy_poly_derivative(x, HY_POLY_MAX, m->dx);
  m->x = x[0];
}

HY_EACH_METHOD void member_read_rest(Member *m, const HyQState *v, int n, double t)
{
  for (int k = 0; k < n; k++) {
    m->q[k] = v->q[k];
  }
  hy_poly_shift(m->q, n, t - v->tq);
  m->dq = hy_qstate_quantum(v, m->x);
}

HY_EACH_METHOD void member_read(Member *m, const HyQState *v, int n, double t)
{
  member_read_slope(m, v, n, t);
  member_read_rest(m, v, n, t);
}

/* x' after q has become q + A (next - q) for the variable whose partial derivative is A. */
HY_EACH_METHOD void mliqss_after(const double *dx, double a, const Member *m, int n, double *f)
{
  for (int k = 0; k < n; k++) {
    f[k] = dx[k] + a * (m->next[k] - m->q[k]);
  }
}

/* The step of LIQSS for the derivative f in place of x'; returns its h. */
HY_EACH_METHOD double mliqss_liqss(const Member *m, int n, double a, const double *f, double *q)
{
  HyLocal l = {.x = m->x, .a = a, .dq = m->dq};
  for (int k = 0; k < n; k++) {
    l.u[k] = f[k] - a * m->q[k];
  }
  if (n < 3) {
    return mliqss_choose(n, &l, q);
  }
  l.u[2] *= 2.0;
  double h = mliqss_choose(n, &l, q);
  q[2] *= 0.5;
  return h;
}

static double mliqss_direction(double c)
{
  return c == 0.0 ? 0.0 : copysign(1.0, c);
}

/* q of order 2 a quantum away from x, on the side from which LIQSS would come, with the slope of an
 * implicit step H. */
static void mliqss_propose2(const Member *m, double a, const double *f, double h, double *q)
{
  double w = f[0] - a * m->q[0];
  double dw = f[1] - a * m->q[1];
  q[0] = m->x - mliqss_direction(f[1]) * m->dq;
  if (h < INFINITY) {
    q[1] = (a * q[0] + w + h * dw) / (1.0 - h * a);
  } else if (a != 0.0) {
    q[1] = -dw / a;
  } else { /* the step of this variable alone */
    q[1] = w + mliqss_direction(dw) * sqrt(2.0 * m->dq * fabs(dw));
  }
}

/* The q that the partner would take with derivative F: that of its own step, but for n = 2, where
 * the cheap guess foresees fewer conflicts that are none (150 000 evaluations instead of 340 000 on
 * the line of test_mliqss.c). */
HY_EACH_METHOD void mliqss_propose(Member *m, int n, double a, const double *f, double h)
{
  if (n == 2) {
    mliqss_propose2(m, a, f, h, m->next);
  } else {
    mliqss_liqss(m, n, a, f, m->next);
  }
}

/* Whether the answer of j, whose x_j' the next q of i has made FJ, changes x_i' in turn. */
HY_EACH_METHOD bool mliqss_conflict(const Member *i, Member *j, int n, double (*a)[2],
                                    const double *fj, double h)
{
  mliqss_propose(j, n, a[1][1], fj, h);
  double fi[3];
  double fi_then[3];
  mliqss_after(i->dx, a[0][0], i, n, fi);
  mliqss_after(fi, a[0][1], j, n, fi_then);
  return mliqss_changed(fi, fi_then, n);
}

HY_EACH_METHOD HyPair pair_of(const Member *i, const Member *j, int n, double (*a)[2])
{
  HyPair p = {.x = {i->x, j->x}, .dq = {i->dq, j->dq}};
  memcpy(p.a, a, sizeof p.a);
  for (int k = 0; k < n; k++) {
    double f = k == 2 ? 2.0 : 1.0;
    p.u[0][k] = f * (i->dx[k] - a[0][0] * i->q[k] - a[0][1] * j->q[k]);
    p.u[1][k] = f * (j->dx[k] - a[1][0] * i->q[k] - a[1][1] * j->q[k]);
  }
  return p;
}

/* What an own step leaves, as hy_step_implicit does it; but where f_i reads q_i (A is not 0), the
 * next instant is left to the answer of x_i'. */
HY_EACH_METHOD void mliqss_take(HyMliqss *m, const int n, unsigned i, double t, double a,
                                const double *q)
{
  HyQState *v = m->v[i];
  hy_step_arrive(v, n, t);
  v->q_was = hy_poly_at(v->q, n, t - v->tq);
  v->dx_was = v->x[1];
  memcpy(v->q, q, (size_t)n * sizeof *q);
  v->tq = v->own = t;
  v->asked = true;
  if (a == 0.0) {
    v->tn = hy_step_implicit_time(v, n, t);
  }
  m->steps++;
}

/* The step that is made for both of a pair. J takes its part; the next q of i, not set yet, and h
 * are those of the pair. False: there is none. */
HY_EACH_METHOD bool mliqss_pair(HyMliqss *m, const int n, unsigned j, double t, Member *mine,
                                double *h, const HyPair *p)
{
  HyPairStep step;
  bool found = hy_pair_step(p, n, &step);
  m->conflicts++;
  m->looks += (unsigned long)step.looks;
  m->solves += (unsigned long)step.solves;
  if (!found) {
    return false;
  }
  m->pairs++;
  mliqss_take(m, n, j, t, p->a[1][1], step.q[1]);
  memcpy(mine->next, step.q[0], sizeof step.q[0]);
  *h = step.h;
  return true;
}

/* One partner: whether it takes a step with i. Mostly x_j' does not care, and nothing more is
 * asked; so it is where A_ji is 0. */
HY_EACH_METHOD bool mliqss_meet(HyMliqss *m, const int n, unsigned i, const HyMliqssPartner *with,
                                double t, Member *mine, double *h, double aii)
{
  double a[2][2] = {{aii, 0.0}, {m->partial(m->user, with->j, with->by_i, t), 0.0}};
  Member other;
  double fj[3];
  member_read_slope(&other, m->v[with->j], n, t);
  mliqss_after(other.dx, a[1][0], mine, n, fj);
  if (!mliqss_changed(other.dx, fj, n)) {
    return false;
  }
  a[0][1] = m->partial(m->user, i, with->by_j, t);
  a[1][1] = m->partial(m->user, with->j, HY_MLIQSS_SELF, t);
  member_read_rest(&other, m->v[with->j], n, t);
  if (!mliqss_conflict(mine, &other, n, a, fj, *h)) {
    return false;
  }
  HyPair p = pair_of(mine, &other, n, a);
  return mliqss_pair(m, n, with->j, t, mine, h, &p);
}

/* A partner that has stepped is told together with i, unless there is another one to meet, who has
 * to know. */
HY_EACH_METHOD void mliqss_step(HyMliqss *m, const int n, unsigned i, double t)
{
  HyQState *v = m->v[i];
  Member mine;
  member_read(&mine, v, n, t);
  v->a = m->partial(m->user, i, HY_MLIQSS_SELF, t);
  double h = mliqss_liqss(&mine, n, v->a, mine.dx, mine.next);
  if (!hy_poly_finite(mine.next, n)) { /* the explicit piece keeps the bound */
    hy_step_tangent_piece(v, n, t, mine.next);
    h = 0.0;
  }
  unsigned count = 0, with = i;
  const HyMliqssPartner *partner = m->partners(m->user, i, &count);
  for (unsigned k = 0; k < count; k++) {
    if (with != i) {
      m->changed(m->user, with, with, t);
      member_read(&mine, v, n, t); /* x_i' has changed */
    }
    with = mliqss_meet(m, n, i, &partner[k], t, &mine, &h, v->a) ? partner[k].j : i;
  }
  mliqss_take(m, n, i, t, v->a, mine.next);
  m->changed(m->user, i, with, t);
}

void hy_mliqss_step(HyMliqss *m, unsigned i, double t)
{
  HyQState *v = m->v[i];
  if (v->pieces < m->n) { /* the pieces of the start */
    m->solo->step(v, t);
    m->changed(m->user, i, i, t);
  } else if (m->n == 2) {
    mliqss_step(m, 2, i, t);
  } else if (m->n == 1) {
    mliqss_step(m, 1, i, t);
  } else {
    mliqss_step(m, 3, i, t);
  }
}

/* Where f holds q: the path on which q and x run in parallel. There q' = a q + u, so each
 * coefficient follows from the next higher one. False: f does not pull q to it. */
static bool mliqss_equilibrium(const Member *m, int n, double a, double *e)
{
  double higher = 0.0;
  for (int k = n - 1; k >= 0; k--) {
    double u = m->dx[k] - a * m->q[k];
    e[k] = ((k + 1) * higher - u) / a;
    higher = e[k];
  }
  return a < 0.0 && hy_poly_finite(e, n);
}

void hy_mliqss_follow(HyMliqss *m, unsigned i, double t)
{
  HyQState *v = m->v[i];
  if (m->n < 2 || v->pieces < m->n || v->tn <= t || v->own == t) {
    return; /* no slope, or a step is due, or has just been */
  }
  Member mine;
  member_read(&mine, v, m->n, t);
  double e[4] = {0.0, 0.0, 0.0, 0.0};
  if (!mliqss_equilibrium(&mine, m->n, m->partial(m->user, i, HY_MLIQSS_SELF, t), e) ||
      fabs(e[0] - mine.q[0]) > v->dq || !hy_mliqss_changed(e + 1, mine.q + 1, m->n - 1)) {
    return;
  }
  hy_step_advance(v, m->n, t);
  v->q[0] = mine.q[0];
  memcpy(v->q + 1, e + 1, (size_t)(m->n - 1) * sizeof *e);
  v->tq = t;
  v->tn = hy_step_implicit_time(v, m->n, t);
  m->changed(m->user, i, i, t);
}
