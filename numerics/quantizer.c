#include "quantizer.h"
#include "poly.h"
#include "steps.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const HyQuantizer *const hy_quantizers[] = {
    &hy_qss1, &hy_qss2, &hy_qss3, &hy_bqss, &hy_liqss1, &hy_liqss2, &hy_liqss3, NULL,
};

const HyQuantizer *hy_quantizer_find(const char *name)
{
  for (const HyQuantizer *const *m = hy_quantizers; *m != NULL; m++) {
    if (strcmp((*m)->name, name) == 0) {
      return *m;
    }
  }
  return NULL;
}

double hy_qstate_x(const HyQState *v, double t)
{
  return hy_poly_at(v->x, 4, t - v->tx);
}

double hy_qstate_q(const HyQState *v, double t)
{
  return hy_poly_at(v->q, 3, t - v->tq);
}

bool hy_qstate_finite(const HyQState *v)
{
  return hy_poly_finite(v->x, 4) && hy_poly_finite(v->q, 3);
}

void hy_qstate_refresh(HyQState *v, double t, int n, const double *dx)
{
  hy_step_take_derivative(v, n, t, dx);
}

void hy_step_start(HyQState *v, double t, double x0)
{
  *v = (HyQState){
      .x = {x0},
      .tx = t,
      .q = {x0},
      .tq = t,
      .rel = v->rel,
      .min = v->min,
      .tn = t,
      .a = v->a,
      .learn = v->learn,
      .own = -INFINITY,
      .moved = -INFINITY,
  };
  v->dq = hy_quantum(v->rel, v->min, x0);
}

void hy_step_reset(HyQState *v, int n, double t, double x0)
{
  hy_step_advance(v, n, t);
  v->x[0] = x0;
  v->tn = t;
  v->own = -INFINITY;
}
