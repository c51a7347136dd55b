#include "mliqss.h"
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
  return n == 1 ? hy_liqss1_choose(l, q) : n == 2 ? hy_liqss2_choose(l, q) : hy_liqss3_choose(l, q);
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

HY_EACH_METHOD void member_read(Member *m, const HyQState *v, int n, double t)
{
  double x[4] = {v->x[0], v->x[1], v->x[2], v->x[3]};
  *m = (Member){.q = {v->q[0], v->q[1], v->q[2]}};
  hy_poly_shift(x, n + 1, t - v->tx);
  hy_poly_shift(m->q, n, t - v->tq);
  hy_poly_derivative(x, HY_POLY_MAX, m->dx);
  m->x = x[0];
  m->dq = hy_quantum(v->rel, v->min, x[0]);
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

/* Whether i, by its next q, would change x_j' so much that the answer of j changed x_i' in turn. */
HY_EACH_METHOD bool mliqss_conflict(const Member *i, Member *j, int n, double (*a)[2], double h)
{
  double fj[3];
  mliqss_after(j->dx, a[1][0], i, n, fj);
  if (!mliqss_changed(j->dx, fj, n)) {
    return false;
  }
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

/* What an own step leaves, as hy_step_implicit does it. */
HY_EACH_METHOD void mliqss_take(HyMliqss *m, const int n, unsigned i, double t, const double *q)
{
  HyQState *v = m->v[i];
  hy_step_advance(v, n, t);
  v->dq = hy_quantum(v->rel, v->min, v->x[0]);
  v->q_was = hy_poly_at(v->q, n, t - v->tq);
  v->dx_was = v->x[1];
  memcpy(v->q, q, (size_t)n * sizeof *q);
  v->tq = v->own = t;
  v->asked = true;
  v->tn = hy_step_implicit_time(v, n, t);
  m->steps++;
  m->changed(m->user, i, t);
}

/* Both of a pair take the step that is made for them: J now, with everything that follows from it
 * while q_i is still the old one; the next q of i, not set yet, and h are those of the pair. */
static __attribute__((noinline)) void mliqss_pair(HyMliqss *m, unsigned i, unsigned j, double t,
                                                  Member *mine, double *h, const HyPair *p)
{
  HyPairStep step;
  bool found = hy_pair_step(p, m->n, &step);
  m->conflicts++;
  m->looks += (unsigned long)step.looks;
  m->solves += (unsigned long)step.solves;
  if (!found) {
    return;
  }
  m->pairs++;
  mliqss_take(m, m->n, j, t, step.q[1]);
  member_read(mine, m->v[i], m->n, t); /* x_i' has changed */
  memcpy(mine->next, step.q[0], sizeof step.q[0]);
  *h = step.h;
}

/* One partner. */
HY_EACH_METHOD void mliqss_meet(HyMliqss *m, const int n, unsigned i, const HyMliqssPartner *with,
                                double t, Member *mine, double *h, double aii)
{
  double a[2][2] = {{aii, m->partial(m->user, i, with->by_j, t)},
                    {m->partial(m->user, with->j, with->by_i, t), 0.0}};
  if (a[0][1] == 0.0 || a[1][0] == 0.0) {
    return;
  }
  a[1][1] = m->partial(m->user, with->j, HY_MLIQSS_SELF, t);
  Member other;
  member_read(&other, m->v[with->j], n, t);
  if (mliqss_conflict(mine, &other, n, a, *h)) {
    HyPair p = pair_of(mine, &other, n, a);
    mliqss_pair(m, i, with->j, t, mine, h, &p);
  }
}

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
  unsigned count = 0;
  const HyMliqssPartner *partner = m->partners(m->user, i, &count);
  for (unsigned k = 0; k < count; k++) {
    mliqss_meet(m, n, i, &partner[k], t, &mine, &h, v->a);
  }
  mliqss_take(m, n, i, t, mine.next);
}

void hy_mliqss_step(HyMliqss *m, unsigned i, double t)
{
  HyQState *v = m->v[i];
  if (v->pieces < m->n) { /* the pieces of the start */
    m->solo->step(v, t);
    m->changed(m->user, i, t);
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
  m->changed(m->user, i, t);
}
