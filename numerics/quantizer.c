#include "quantizer.h"
#include "poly.h"
#include "steps.h"

#include <math.h>
#include <string.h>

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
      .half_turn = v->half_turn,
      .tn = t,
      .a = v->a,
      .learn = v->learn,
      .own = -INFINITY,
  };
  v->dq = hy_qstate_quantum(v, x0);
}

void hy_step_reset(HyQState *v, int n, double t, double x0)
{
  hy_step_advance(v, n, t);
  v->x[0] = x0;
  v->tn = t;
  v->own = -INFINITY;
}

/* A state that its group moves ------------------------------------------------------------------
 */

static void led_start(HyQState *v, double t, double x0)
{
  v->x[0] = v->q[0] = x0;
  v->tx = v->tq = v->tn = t;
  v->own = -INFINITY;
}

static void led_step(HyQState *v, double t)
{
  (void)t;
  v->pieces = 3;
  v->tn = INFINITY;
}

static void led_piece(const HyQState *v, double t, double *q)
{
  (void)t;
  memcpy(q, v->q, sizeof v->q);
}

static void led_derivative(HyQState *v, double t, const double *dx)
{
  (void)v, (void)t, (void)dx;
}

static void led_reset(HyQState *v, double t, double x0)
{
  memset(v->x, 0, sizeof v->x);
  v->x[0] = x0;
  v->tx = v->tn = t;
  v->asked = true;
}

const HyQuantizer hy_led = {
    .order = 3,
    .bound = 1.0,
    .start = led_start,
    .step = led_step,
    .piece = led_piece,
    .derivative = led_derivative,
    .reset = led_reset,
};
