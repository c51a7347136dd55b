/* Choices say facts, more >= less, about what they lead to: where the mode of z = p - q is 1, p >=
 * q, else q >= p. A node is never negative where it is the greater side of a fact whose other side
 * is not negative, p - q itself or -q with p <= 0, or where it is made of such nodes: sums,
 * products, squares, exponentials, choices between them.
 *
 * It holds of the formula. What is computed may differ: a mode turns a rounding late, a method
 * looks beyond the crossing that ends its step, so abs(x) is -1e-17, or -1e-3 in a step that will
 * be taken back. Functions that end at 0 go on there (HY_X_ROOT in ops.c). */
#include "signs.h"

#include <math.h>

#define DEEPEST     12 /* nodes below each other */
#define MOST_VISITS 64 /* a diagram may have as many paths as it likes */

typedef struct Known {
  HyXFact is;
  const struct Known *above;
} Known;

typedef struct {
  const HyXBuilder *b;
  guint left;
} Look;

static gboolean never_negative(Look *l, HyX x, const Known *known, guint depth);

guint hy_x_supposed(const HyXBuilder *b)
{
  return b->n_facts;
}

void hy_x_suppose(HyXBuilder *b, HyX more, HyX less)
{
  if (b->n_facts < HY_X_FACTS) {
    b->fact[b->n_facts++] = (HyXFact){more, less};
  }
}

void hy_x_suppose_back(HyXBuilder *b, guint n)
{
  b->n_facts = n;
}

static gboolean is_number_at_most_0(const HyXBuilder *b, HyX x)
{
  return x == HY_X_ZERO || (hy_x_is_const(b, x) && b->node[x].v <= 0.0);
}

static gboolean is_opposite(const HyXBuilder *b, HyX x, HyX a)
{
  return a != HY_X_ZERO && ((b->node[x].op == HY_X_NEG && b->node[x].a == a) ||
                            (b->node[a].op == HY_X_NEG && b->node[a].a == x));
}

/* X is not negative where FACT holds. */
static gboolean follows(Look *l, HyX x, HyXFact fact, guint depth)
{
  const HyNode *node = &l->b->node[x];
  if (fact.more == x) {
    return fact.less == HY_X_ZERO || never_negative(l, fact.less, NULL, depth - 1);
  }
  return (node->op == HY_X_SUB && node->a == fact.more && node->b == fact.less) ||
         (is_number_at_most_0(l->b, fact.more) && is_opposite(l->b, x, fact.less));
}

static HyXFact fact_of(const HyXBuilder *b, HyX mode, gboolean yes)
{
  HyX z = b->node[mode].a;
  gboolean difference = b->node[z].op == HY_X_SUB;
  HyX p = difference ? b->node[z].a : z, q = difference ? b->node[z].b : HY_X_ZERO;
  return yes ? (HyXFact){p, q} : (HyXFact){q, p};
}

static gboolean both_sides(Look *l, const HyNode *choice, const Known *known, guint depth)
{
  const HyNode *mode = &l->b->node[choice->a];
  if (mode->op != HY_X_MODE || mode->a != mode->c) {
    return never_negative(l, choice->b, known, depth - 1) &&
           never_negative(l, choice->c, known, depth - 1);
  }
  Known yes = {fact_of(l->b, choice->a, TRUE), known};
  Known no = {fact_of(l->b, choice->a, FALSE), known};
  return never_negative(l, choice->b, &yes, depth - 1) &&
         never_negative(l, choice->c, &no, depth - 1);
}

static gboolean is_even(const HyXBuilder *b, HyX x)
{
  return hy_x_is_const(b, x) && fmod(b->node[x].v, 2.0) == 0.0;
}

static gboolean never_negative(Look *l, HyX x, const Known *known, guint depth)
{
  const HyNode *node = &l->b->node[x];
  if (depth == 0 || l->left == 0) {
    return FALSE;
  }
  l->left--;
  for (const Known *k = known; k != NULL; k = k->above) {
    if (follows(l, x, k->is, depth)) {
      return TRUE;
    }
  }
  for (guint k = 0; k < l->b->n_facts; k++) {
    if (follows(l, x, l->b->fact[k], depth)) {
      return TRUE;
    }
  }
  switch (node->op) {
  case HY_X_CONST:
    return node->v >= 0.0;
  case HY_X_SELECT:
    return both_sides(l, node, known, depth);
  case HY_X_MUL:
    return node->a == node->b || (never_negative(l, node->a, known, depth - 1) &&
                                  never_negative(l, node->b, known, depth - 1));
  case HY_X_ADD:
  case HY_X_DIV:
    return never_negative(l, node->a, known, depth - 1) &&
           never_negative(l, node->b, known, depth - 1);
  case HY_X_POW:
    return is_even(l->b, node->b) || never_negative(l, node->a, known, depth - 1);
  case HY_X_ROOT:
  case HY_X_ROOT_POW:
    return never_negative(l, node->a, known, depth - 1);
  case HY_X_SQRT:
  case HY_X_EXP:
  case HY_X_COSH:
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean hy_x_is_never_negative(const HyXBuilder *b, HyX x)
{
  Look l = {b, MOST_VISITS};
  return never_negative(&l, x, NULL, DEEPEST);
}
