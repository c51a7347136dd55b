/* Adams' methods. The past is f, the latest first; until there is enough of it the steps are those
 * of Runge and Kutta, whose error at each of these few steps is of the same order or smaller. */
#include "classic_steps.h"

/* Of order 4, and from 5 on of order 5: then the local error is h^6. */
static void adams_start(HyOdeRun *r, double h)
{
  if (r->method->order <= 4) {
    hy_ode_rk4_from(r, r->t, r->x, r->past[0], h, r->next);
  } else {
    hy_ode_rkf45_from(r, r->t, r->x, r->past[0], h, r->work[6], r->next);
  }
}

static const double ab[6][6] = {
    {1.0},
    {3.0 / 2, -1.0 / 2},
    {23.0 / 12, -16.0 / 12, 5.0 / 12},
    {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
    {1901.0 / 720, -2774.0 / 720, 2616.0 / 720, -1274.0 / 720, 251.0 / 720},
    {4277.0 / 1440, -7923.0 / 1440, 9982.0 / 1440, -7298.0 / 1440, 2877.0 / 1440, -475.0 / 1440},
};

static void adams_bashforth(const HyOdeRun *r, int order, double h, double *x1)
{
  for (int i = 0; i < r->ode.n; i++) {
    double sum = 0.0;
    for (int k = 0; k < order; k++) {
      sum += ab[order - 1][k] * r->past[k][i];
    }
    x1[i] = r->x[i] + h * sum;
  }
}

static HyOdeEnd ab_step(HyOdeRun *r, double h)
{
  hy_ode_push(r, hy_ode_slope(r));
  if (r->known < r->method->order) {
    adams_start(r, h);
  } else {
    adams_bashforth(r, r->method->order, h, r->next);
  }
  return HY_ODE_DONE;
}

/* Predicted by Bashforth, corrected once by Moulton; what is remembered is f at the corrected x. */
static HyOdeEnd abm4_step(HyOdeRun *r, double h)
{
  hy_ode_push(r, hy_ode_slope(r));
  if (r->known < 4) {
    adams_start(r, h);
    return HY_ODE_DONE;
  }
  double *predicted = r->work[0];
  double *f = r->work[1];
  adams_bashforth(r, 4, h, predicted);
  hy_ode_f(r, r->t + h, predicted, f);
  for (int i = 0; i < r->ode.n; i++) {
    r->next[i] =
        r->x[i] +
        h / 24.0 * (9.0 * f[i] + 19.0 * r->past[0][i] - 5.0 * r->past[1][i] + r->past[2][i]);
  }
  return HY_ODE_DONE;
}

const HyOdeMethod hy_ode_ab1 = {.order = 1, .past = 1, .step = ab_step};
const HyOdeMethod hy_ode_ab2 = {.order = 2, .past = 2, .step = ab_step};
const HyOdeMethod hy_ode_ab3 = {.order = 3, .past = 3, .step = ab_step};
const HyOdeMethod hy_ode_ab4 = {.order = 4, .past = 4, .step = ab_step};
const HyOdeMethod hy_ode_ab5 = {.order = 5, .past = 5, .step = ab_step};
const HyOdeMethod hy_ode_ab6 = {.order = 6, .past = 6, .step = ab_step};
const HyOdeMethod hy_ode_abm4 = {.order = 4, .past = 4, .step = abm4_step};
