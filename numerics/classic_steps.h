/* What the classic methods share; for the files of this folder. */
#ifndef HYDEVS_NUMERICS_CLASSIC_STEPS_H
#define HYDEVS_NUMERICS_CLASSIC_STEPS_H

#include "classic.h"

void hy_ode_f(HyOdeRun *r, double t, const double *x, double *dx); /* counted */
const double *hy_ode_slope(HyOdeRun *r);                           /* f(t, x), found once */
void hy_ode_second(HyOdeRun *r, double *ddx);                      /* x'' at (t, x) */
double hy_ode_typical(const HyOdeRun *r); /* the size below which a state is as good as 0 */
bool hy_ode_finite(int n, const double *v);
void hy_ode_push(HyOdeRun *r, const double *v); /* the latest of the past, which shifts */

/* Explicit steps of H from (T, X), whose slope is K1. X1 may be neither. */
void hy_ode_rk4_from(HyOdeRun *r, double t, const double *x, const double *k1, double h,
                     double *x1);
void hy_ode_rkf45_from(HyOdeRun *r, double t, const double *x, const double *k1, double h,
                       double *x4, double *x5);

/* Z = BASE + GAMMA f(T1, Z); Z is the guess. */
HyOdeEnd hy_ode_implicit(HyOdeRun *r, double t1, double gamma, double *base, double *z);
/* The matrix 1 - GAMMA df/dx at (T, X), whose slope is DX: Z = (...)^-1 GAMMA DX. */
HyOdeEnd hy_ode_linear(HyOdeRun *r, double t, const double *x, const double *dx, double gamma,
                       double *z);

#endif
