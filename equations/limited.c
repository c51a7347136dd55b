/* A choice says one of its branches, so what it says is walked from the output down to the branches
 * that are no choices. On the way each mode without memory that compares something with a number
 * says a fact about it:
 *
 *   z = a - v    a >= v where the mode is 1, a <= v where it is 0     (and a itself, v being 0)
 *   z = v - a    the other way round, and so for -a
 *
 * and as a branch is what all choices above it say, what is known of any of them is known of it. So
 * each branch has bounds of its own. A limit of the output is a bound that all of them keep: the
 * widest of those branches that move, where the outermost of the constants says just that. If a
 * constant is beyond, the moving ones never get there, and there is nothing to limit; likewise
 * where no branch moves, or none rests there, as with abs(). A sum, a product, a function of
 * limited things is a branch without bounds: what is known of an operand between two crossings
 * holds but for rounding, which its result may make as large as it likes. NaN is no choice: it is a
 * fault. */
#include "limited.h"

#include <math.h>

#define MOST_VISITS 256 /* a diagram may have as many paths as it likes: then it has no bounds */

typedef struct Fact {
  HyX of;
  HyKindLimits is;
  const struct Fact *above; /* of the choices that lead here */
} Fact;

typedef struct {
  const HyXBuilder *b;
  HyKindLimits moving, resting; /* of all branches until now; lower > upper: there was none */
  guint left;
} Walk;

static const HyKindLimits none = {-INFINITY, INFINITY};

/* What z = a - v says of a where the mode is YES. */
static Fact fact_about(const HyXBuilder *b, HyX a, double v, gboolean yes, const Fact *above)
{
  if (b->node[a].op == HY_X_NEG) { /* -n - v > 0 */
    a = b->node[a].a;
    v = -v;
    yes = !yes;
  }
  return (Fact){a, yes ? (HyKindLimits){v, INFINITY} : (HyKindLimits){-INFINITY, v}, above};
}

/* What the mode of CHOICE says where it is YES. */
static Fact fact_of(const HyXBuilder *b, const HyNode *choice, gboolean yes, const Fact *above)
{
  const HyNode *mode = &b->node[choice->a], *z = &b->node[mode->a];
  if (mode->op != HY_X_MODE || mode->a != mode->c) {
    return (Fact){choice->a, none, above};
  }
  if (z->op == HY_X_SUB && hy_x_is_const(b, z->b)) {
    return fact_about(b, z->a, b->node[z->b].v, yes, above);
  }
  if (z->op == HY_X_SUB && hy_x_is_const(b, z->a)) {
    return fact_about(b, z->b, b->node[z->a].v, !yes, above);
  }
  return fact_about(b, mode->a, 0.0, yes, above);
}

static HyKindLimits in_both(HyKindLimits a, HyKindLimits b)
{
  return (HyKindLimits){fmax(a.lower, b.lower), fmin(a.upper, b.upper)};
}

static void widen(HyKindLimits *all, double lower, double upper)
{
  all->lower = fmin(all->lower, lower);
  all->upper = fmax(all->upper, upper);
}

/* X is said where FACTS hold, and then IS is known of it. */
static void walk(Walk *w, HyX x, HyKindLimits is, const Fact *facts)
{
  const HyNode *node = &w->b->node[x];
  if (w->left == 0) {
    w->moving = none;
    return;
  }
  w->left--;
  for (const Fact *f = facts; f != NULL; f = f->above) {
    if (f->of == x) {
      is = in_both(is, f->is);
    } else if (node->op == HY_X_NEG && f->of == node->a) {
      is = in_both(is, (HyKindLimits){-f->is.upper, -f->is.lower});
    }
  }
  if (node->op == HY_X_SELECT) {
    Fact yes = fact_of(w->b, node, TRUE, facts), no = fact_of(w->b, node, FALSE, facts);
    walk(w, node->b, is, &yes);
    walk(w, node->c, is, &no);
  } else if (hy_x_is_const(w->b, x)) {
    widen(&w->resting, node->v, node->v);
  } else {
    widen(&w->moving, is.lower, is.upper);
  }
}

HyKindLimits hy_limited_find(const HyXBuilder *b, HyX out)
{
  Walk w = {b, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}, MOST_VISITS};
  walk(&w, out, none, NULL);
  if (w.moving.lower > w.moving.upper) {
    return none;
  }
  return (HyKindLimits){w.resting.lower == w.moving.lower ? w.moving.lower : -INFINITY,
                        w.resting.upper == w.moving.upper ? w.moving.upper : INFINITY};
}
