/* BQSS: q is one of the two levels beside x, always the one to which x moves; a state that would
 * move away from a q already settled at this instant is frozen. */
#include "steps.h"

static const double hysteresis = 0.01; /* of the levels, in quanta */

static void bqss_levels(HyQState *v)
{
  v->lower = v->x[0] - v->dq;
  v->upper = v->x[0] + v->dq;
}

/* Starts from the lower level; the first answer may make it step to the upper one. */
static void bqss_start(HyQState *v, double t, double x0)
{
  hy_step_start(v, t, x0);
  bqss_levels(v);
  v->q[0] = v->lower;
}

/* x has reached q exactly; the levels move to both sides of it. */
static void bqss_reached(HyQState *v)
{
  v->x[0] = v->q[0];
  v->dq = hy_qstate_quantum(v, v->x[0]);
  bqss_levels(v);
}

static void bqss_step(HyQState *v, double t)
{
  hy_step_advance(v, 1, t);
  if (v->pieces == 0) {
    v->pieces = 1;
    v->q[0] = v->lower;
    v->tn = INFINITY;
    return;
  }
  if (!v->wrong) {
    bqss_reached(v);
  }
  if (v->x[1] != 0.0) {
    v->q[0] = v->x[1] > 0.0 ? v->upper : v->lower;
  }
  v->tq = t;
  v->own = t;
  v->wrong = false;
  double s = (v->q[0] - v->x[0]) / v->x[1];
  v->tn = s >= 0.0 && isfinite(v->x[1]) ? hy_step_after(t, s) : INFINITY;
}

static void bqss_piece(const HyQState *v, double t, double *q)
{
  HyQState next = *v;
  bqss_step(&next, t);
  q[0] = next.q[0];
}

/* A level that x has left behind by more than a quantum follows it. */
static void bqss_follow(HyQState *v)
{
  double gap = v->dq * (1.0 + hysteresis);
  if (v->x[0] - v->lower >= gap) {
    v->lower += v->dq;
  }
  if (v->upper - v->x[0] >= gap) {
    v->upper -= v->dq;
  }
}

static void bqss_derivative(HyQState *v, double t, const double *dx)
{
  bool due = v->tn <= t && v->own != t;
  bool settled = v->own == t; /* by a step; what has only looked on so far may still change */
  hy_step_advance(v, 1, t);
  v->x[1] = dx[0];
  if (due) {
    if (!v->wrong && v->pieces > 0) {
      bqss_reached(v);
      v->wrong = true;
    }
    v->tn = t;
    return;
  }
  if (!settled) {
    bqss_follow(v);
  }
  double gap = v->q[0] - v->x[0];
  v->tn = INFINITY;
  if (!isfinite(dx[0]) || dx[0] == 0.0) {
    return;
  }
  if (dx[0] * gap > 0.0) {
    v->tn = hy_step_after(t, gap / dx[0]);
  } else if (settled) {
    v->x[1] = 0.0;
  } else {
    v->wrong = true;
    v->tn = t;
  }
}

static void bqss_reset(HyQState *v, double t, double x0)
{
  hy_step_reset(v, 1, t, x0);
  v->dq = hy_qstate_quantum(v, x0);
  bqss_levels(v);
  v->wrong = true;
}

const HyQuantizer hy_bqss = {
    .order = 1,
    .bound = 1.0 + 0.01, /* and the hysteresis */
    .start = bqss_start,
    .step = bqss_step,
    .piece = bqss_piece,
    .derivative = bqss_derivative,
    .reset = bqss_reset,
};
