/* All partial derivatives of a row at once: one pass up for the values, one down for what the row
 * changes with each node. For wide rows, where a program for each slot would be quadratic. */
#include "template.h"

#include <math.h>
#include <string.h>

static void find_values(const HyTemplate *t, const double *value, const double *number,
                        const guint8 *flag, double *v)
{
  for (guint k = 0; k < t->n_nodes; k++) {
    const HyNode *n = &t->node[k];
    switch (n->op) {
    case HY_X_IN:
      v[k] = value[n->a];
      break;
    case HY_X_CONST:
      v[k] = number[n->a];
      break;
    case HY_X_FLAG:
      v[k] = 0.0; /* only decides */
      break;
    case HY_X_SELECT:
      v[k] = flag[t->node[n->a].a] ? v[n->b] : v[n->c];
      break;
    default:
      hy_x_series(n->op, 1, &v[n->a], &v[n->b], &v[k]);
      break;
    }
  }
}

/* dy/da of a function y = f(a) of one argument. */
static double slope(guint32 op, double a, double y)
{
  switch (op) {
  case HY_X_NEG:
    return -1.0;
  case HY_X_SQRT:
    return 0.5 / y;
  case HY_X_EXP:
    return y;
  case HY_X_LOG:
    return 1.0 / a;
  case HY_X_LOG10:
    return 1.0 / log(10.0) / a;
  case HY_X_SIN:
    return cos(a);
  case HY_X_COS:
    return -sin(a);
  case HY_X_TAN:
    return 1.0 + y * y;
  case HY_X_ASIN:
    return 1.0 / sqrt(1.0 - a * a);
  case HY_X_ACOS:
    return -1.0 / sqrt(1.0 - a * a);
  case HY_X_ATAN:
    return 1.0 / (1.0 + a * a);
  case HY_X_SINH:
    return cosh(a);
  case HY_X_COSH:
    return sinh(a);
  default:
    return 1.0 - y * y; /* tanh */
  }
}

/* dy/da and dy/dc of y = a op c. */
static void slopes(guint32 op, double a, double c, double y, double *da, double *dc)
{
  switch (op) {
  case HY_X_ADD:
  case HY_X_SUB:
    *da = 1.0;
    *dc = op == HY_X_ADD ? 1.0 : -1.0;
    break;
  case HY_X_MUL:
    *da = c;
    *dc = a;
    break;
  case HY_X_DIV:
    *da = 1.0 / c;
    *dc = -y / c;
    break;
  case HY_X_POW:
    *da = c == 0.0 ? 0.0 : c * pow(a, c - 1.0);
    *dc = y * log(a);
    break;
  default: /* atan2 */
    *da = c / (a * a + c * c);
    *dc = -a / (a * a + c * c);
    break;
  }
}

/* What the row changes with node K, which is W, goes on to its operands. */
static void hand_down(const HyTemplate *t, guint k, double w, const double *v, const guint8 *flag,
                      double *weight)
{
  const HyNode *n = &t->node[k];
  if (n->op == HY_X_SELECT) {
    weight[flag[t->node[n->a].a] ? n->b : n->c] += w;
  } else if (hy_x_operands(n->op) == 2) {
    double da, dc;
    slopes(n->op, v[n->a], v[n->b], v[k], &da, &dc);
    weight[n->a] += w * da;
    weight[n->b] += w * dc;
  } else if (hy_x_operands(n->op) == 1) {
    weight[n->a] += w * slope(n->op, v[n->a], v[k]);
  }
}

void hy_template_gradient(HyTemplate *t, const double *value, const double *number,
                          const guint8 *flag, double *gradient)
{
  if (t->work == NULL) {
    t->work = g_new(double, 2 * (gsize)t->n_nodes);
  }
  double *v = t->work, *weight = t->work + t->n_nodes;
  find_values(t, value, number, flag, v);
  memset(weight, 0, t->n_nodes * sizeof *weight);
  weight[t->n_nodes - 1] = 1.0;
  for (guint k = t->n_nodes; k-- > 0;) {
    if (t->node[k].op == HY_X_IN) {
      gradient[t->node[k].a] = weight[k];
    } else if (weight[k] != 0.0) { /* 0 times infinity is 0 here */
      hand_down(t, k, weight[k], v, flag, weight);
    }
  }
}
