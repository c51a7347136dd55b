/* Simulates x' = f(q) with one method and no engine: the next event by a scan over tn. For tests,
 * so that the figures of the methods are checked on the arithmetic alone. */
#ifndef HYDEVS_TESTS_DRIVER_H
#define HYDEVS_TESTS_DRIVER_H

#include "numerics/methods.h"
#include "numerics/poly.h"

#include <math.h>
#include <string.h>

#define DRIVER_STATES 6

/* M: HyMethod, those of one state, which stand first in the table. */
#define EACH_QUANTIZED(m)                                                                          \
  for (const HyMethod *(m) = hy_methods; (m)->family == HY_FAMILY_QUANTIZED; (m)++)

typedef struct {
  int n;
  double x0[DRIVER_STATES];
  unsigned reads[DRIVER_STATES]; /* bit j of reads[i]: f_i reads q_j */
  /* the first N Taylor coefficients of f_i; q[j] holds those of q_j, all at the same instant */
  void (*f)(int i, int n, double (*q)[4], double *dx);
  double (*partial)(int i, double (*q)[4]); /* of f_i by q_i; NULL: learned */
} DriverSystem;

typedef struct {
  const DriverSystem *system;
  const HyQuantizer *method;
  HyQState v[DRIVER_STATES];
  int steps[DRIVER_STATES]; /* new pieces of q after the first n */
  double t;                 /* of the last event */
} Driver;

static inline void driver_q(const Driver *d, double t, double (*q)[4])
{
  for (int j = 0; j < d->system->n; j++) {
    memset(q[j], 0, sizeof q[j]);
    memcpy(q[j], d->v[j].q, sizeof d->v[j].q);
    hy_poly_shift(q[j], d->method->order, t - d->v[j].tq);
  }
}

static inline void driver_evaluate(Driver *d, int i, double t)
{
  double q[DRIVER_STATES][4];
  double dx[4] = {0.0, 0.0, 0.0, 0.0};
  driver_q(d, t, q);
  d->system->f(i, d->method->order, q, dx);
  d->method->derivative(&d->v[i], t, dx);
}

/* Every state announces its next piece, then all derivatives follow: n times. */
static inline void driver_start(Driver *d, const DriverSystem *system, const HyQuantizer *method,
                                const double *dq, double rel)
{
  *d = (Driver){.system = system, .method = method};
  for (int i = 0; i < system->n; i++) {
    d->v[i] = (HyQState){.min = dq[i], .rel = rel, .learn = system->partial == NULL};
    method->start(&d->v[i], 0.0, system->x0[i]);
  }
  for (int k = 0; k < method->order; k++) {
    for (int i = 0; i < system->n; i++) {
      method->step(&d->v[i], 0.0);
    }
    for (int i = 0; i < system->n; i++) {
      driver_evaluate(d, i, 0.0);
    }
  }
}

/* The state whose turn it is, or -1: nothing happens until tf. */
static inline int driver_next(const Driver *d, double tf)
{
  int next = -1;
  double tn = INFINITY;
  for (int i = 0; i < d->system->n; i++) {
    if (d->v[i].tn < tn) {
      tn = d->v[i].tn;
      next = i;
    }
  }
  return tn <= tf ? next : -1;
}

static inline void driver_step(Driver *d, int i)
{
  double t = d->v[i].tn;
  if (d->system->partial != NULL) {
    double q[DRIVER_STATES][4];
    driver_q(d, t, q);
    d->v[i].a = d->system->partial(i, q);
  }
  d->t = t;
  d->steps[i]++;
  d->method->step(&d->v[i], t);
  for (int j = 0; j < d->system->n; j++) {
    if (d->system->reads[j] >> i & 1U) {
      driver_evaluate(d, j, t);
    }
  }
}

static inline int driver_all_steps(const Driver *d)
{
  int sum = 0;
  for (int i = 0; i < d->system->n; i++) {
    sum += d->steps[i];
  }
  return sum;
}

static inline void driver_run(Driver *d, double tf, int most)
{
  for (int i = driver_next(d, tf); i >= 0 && driver_all_steps(d) < most; i = driver_next(d, tf)) {
    driver_step(d, i);
  }
}

#endif
