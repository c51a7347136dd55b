/* Factors of a linear row y = sum of a_k x_k + a in two doubles each (numerics/two.h): one pass up
 * for the values where all slots are 0, one down for what the row changes with each node, as in
 * gradient.c. What rows of circuits are made of, G (u - (G u + H x)/(G + H)), has factors that are
 * small differences of large numbers: G (1 - G/(G + H)) has no digits left in doubles where G/H is
 * 1e16, and here has sixteen. */
#include "factors.h"

#include <math.h>
#include <string.h>

typedef struct {
  const HyTemplate *t;
  const double *number;
  const guint8 *flag;
  Two *v;       /* of each node, where all slots are 0 */
  Two *weight;  /* what the row changes with it */
  guint8 *slot; /* it is made of one */
} Factors;

static HyX chosen(const Factors *f, const HyNode *n)
{
  return f->flag[f->t->node[n->a].a] ? n->b : n->c;
}

/* Of the four operations; of others, which are numbers here, rounded. */
static Two operated(const HyNode *n, Two a, Two c)
{
  double y;
  switch (n->op) {
  case HY_X_ADD:
    return two_add(a, c);
  case HY_X_SUB:
    return two_add(a, two_minus(c));
  case HY_X_MUL:
    return two_times(a, c);
  case HY_X_DIV:
    return two_over(a, c);
  case HY_X_NEG:
    return two_minus(a);
  default:
    hy_x_series(n->op, 1, &a.h, &c.h, &y);
    return two_of(y);
  }
}

/* FALSE: a slot goes into something else. */
static gboolean go_up(const Factors *f, guint k)
{
  const HyNode *n = &f->t->node[k];
  guint operands = hy_x_operands(n->op);
  f->slot[k] = n->op == HY_X_IN;
  f->v[k] = two_of(0.0);
  if (n->op == HY_X_CONST) {
    f->v[k] = two_of(f->number[n->a]);
  } else if (n->op == HY_X_SELECT) {
    f->v[k] = f->v[chosen(f, n)];
    f->slot[k] = f->slot[chosen(f, n)];
  } else if (operands > 0) {
    HyX second = operands > 1 ? n->b : n->a;
    f->v[k] = operated(n, f->v[n->a], f->v[second]);
    f->slot[k] = f->slot[n->a] | f->slot[second];
  }
  return !f->slot[k] || operands == 0 || n->op <= HY_X_DIV || n->op == HY_X_NEG;
}

static void hand_to(const Factors *f, HyX x, Two w)
{
  f->weight[x] = two_add(f->weight[x], w);
}

static void go_down(const Factors *f, guint k)
{
  const HyNode *n = &f->t->node[k];
  Two w = f->weight[k];
  switch (n->op) {
  case HY_X_ADD:
  case HY_X_SUB:
    hand_to(f, n->a, w);
    hand_to(f, n->b, n->op == HY_X_ADD ? w : two_minus(w));
    break;
  case HY_X_MUL:
    hand_to(f, n->a, two_times(w, f->v[n->b]));
    hand_to(f, n->b, two_times(w, f->v[n->a]));
    break;
  case HY_X_DIV: /* the divisor is a number */
    hand_to(f, n->a, two_over(w, f->v[n->b]));
    break;
  case HY_X_NEG:
    hand_to(f, n->a, two_minus(w));
    break;
  case HY_X_SELECT:
    hand_to(f, chosen(f, n), w);
    break;
  default:
    break;
  }
}

static gboolean is_number(Two a)
{
  return isfinite(a.h) && isfinite(a.l);
}

gboolean hy_template_factors(const HyTemplate *t, const double *number, const guint8 *flag,
                             Two *coef)
{
  gsize n = t->n_nodes;
  g_autofree Two *v = g_new0(Two, 2 * n + 1);
  g_autofree guint8 *slot = g_new0(guint8, n + 1);
  const Factors f = {t, number, flag, v, v + n, slot};
  gboolean ok = TRUE;
  for (guint k = 0; k < n; k++) {
    ok = go_up(&f, k) && ok;
  }
  coef[t->n_slots] = v[n - 1];
  ok = ok && is_number(v[n - 1]);
  f.weight[n - 1] = two_of(1.0);
  for (guint k = 0; k < t->n_slots; k++) {
    coef[k] = two_of(0.0);
  }
  for (guint k = (guint)n; k-- > 0 && ok;) {
    if (t->node[k].op == HY_X_IN) {
      coef[t->node[k].a] = f.weight[k];
      ok = is_number(f.weight[k]);
    } else if (f.slot[k]) {
      go_down(&f, k);
    }
  }
  return ok;
}
