/* Running error analysis (J. H. Wilkinson; N. J. Higham: Accuracy and Stability of Numerical
 * Algorithms, section 3.3): of y = op(a, c)
 *
 *   e(y) = u |y| + |dy/da| e(a) + |dy/dc| e(c)
 *
 * u being half the distance from 1 to the next number. It grows where equal numbers are subtracted:
 * e stays what it was of them, and y is nothing. */
#include "rounding.h"

#include <float.h>
#include <math.h>

/* The part of E(y) that comes with the operands, which are exact more often than not. */
static double rounding_of_operands(const HyNode *n, const double *v, const double *e, double y)
{
  const HyTerm operand[] = {{.v = v[n->a]}, {.v = v[n->b]}};
  const HyX at[] = {n->a, n->b};
  double sum = 0.0;
  for (guint k = 0; k < hy_x_operands(n->op) && k < 2; k++) {
    if (e[at[k]] > 0.0) {
      const HyTerm by[2] = {{.v = k == 0}, {.v = k == 1}};
      sum += fabs(hy_op_rule(NULL, n->op, (HyTerm){.v = y}, operand, by).v) * e[at[k]];
    }
  }
  return sum;
}

static gboolean rounding_takes_first(const HyRounded *x, const HyNode *select, const guint8 *mode)
{
  const HyNode *by = &x->node[select->a];
  return by->op == HY_X_FLAG ? x->flag[by->a] : mode[x->mode_of[select->a]];
}

static void rounding_of_node(const HyRounded *x, guint k, const double *in, const guint8 *mode,
                             double *v, double *e)
{
  const HyNode *n = &x->node[k];
  HyX taken;
  e[k] = 0.0;
  switch (n->op) {
  case HY_X_IN:
    v[k] = in[n->a];
    e[k] = x->wrong != NULL ? x->wrong[n->a] : 0.0;
    break;
  case HY_X_CONST:
    v[k] = x->number != NULL ? x->number[n->a] : n->v;
    break;
  case HY_X_MODE:
    v[k] = mode[x->mode_of[k]];
    break;
  case HY_X_FLAG:
    v[k] = x->flag[n->a];
    break;
  case HY_X_SELECT:
    taken = rounding_takes_first(x, n, mode) ? n->b : n->c;
    v[k] = v[taken];
    e[k] = e[taken];
    break;
  default:
    hy_x_series(n->op, 1, &v[n->a], &v[hy_x_operands(n->op) > 1 ? n->b : n->a], &v[k]);
    e[k] = 0.5 * DBL_EPSILON * fabs(v[k]) + rounding_of_operands(n, v, e, v[k]);
    break;
  }
  e[k] = isfinite(e[k]) ? e[k] : 0.0;
}

void hy_x_rounding(const HyRounded *x, const double *in, const guint8 *mode, double *v, double *e)
{
  for (guint k = 0; k < x->n; k++) {
    if (x->need == NULL || x->need[k]) {
      rounding_of_node(x, k, in, mode, v, e);
    }
  }
}
