/* All partial derivatives of a row at once: one pass up for the values, one down for what the row
 * changes with each node. For wide rows, where a program for each slot would be quadratic. */
#include "rounding.h"
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

/* What y = op(a, c) changes with each of its operands. */
static void slopes(guint32 op, const HyTerm *operand, HyTerm y, guint n, double *d)
{
  for (guint k = 0; k < n; k++) {
    const HyTerm by[2] = {{.v = k == 0}, {.v = k == 1}};
    d[k] = hy_op_rule(NULL, op, y, operand, by).v;
  }
}

/* What the row changes with node K, which is W, goes on to its operands. */
static void hand_down(const HyTemplate *t, guint k, double w, const double *v, const guint8 *flag,
                      double *weight)
{
  const HyNode *n = &t->node[k];
  guint operands = hy_x_operands(n->op);
  if (n->op == HY_X_SELECT) {
    weight[flag[t->node[n->a].a] ? n->b : n->c] += w;
  } else if (operands > 0) {
    double d[2];
    const HyX at[] = {n->a, n->b};
    slopes(n->op, (HyTerm[]){{.v = v[n->a]}, {.v = v[n->b]}}, (HyTerm){.v = v[k]}, operands, d);
    for (guint i = 0; i < operands && i < 2; i++) {
      weight[at[i]] += w * d[i];
    }
  }
}

static double *template_work(HyTemplate *t)
{
  if (t->work == NULL) {
    t->work = g_new(double, 2 * (gsize)t->n_nodes);
  }
  return t->work;
}

void hy_template_gradient(HyTemplate *t, const double *value, const double *number,
                          const guint8 *flag, double *gradient)
{
  double *v = template_work(t), *weight = v + t->n_nodes;
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

double hy_template_rounding(HyTemplate *t, const double *value, const double *wrong,
                            const double *number, const guint8 *flag)
{
  double *v = template_work(t), *e = v + t->n_nodes;
  const HyRounded x = {
      .node = t->node, .n = t->n_nodes, .flag = flag, .number = number, .wrong = wrong};
  hy_x_rounding(&x, value, NULL, v, e);
  return e[t->n_nodes - 1];
}
