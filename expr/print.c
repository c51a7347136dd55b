/* Nodes as text: the strength of an operation, from sums up to names, says where brackets are
 * needed. */
#include "print.h"
#include "hydevs/trace.h"

#include <math.h>

/* How strongly the text of a node holds together. */
typedef enum { AT_SUM, AT_PRODUCT, AT_SIGN, AT_POWER, AT_PRIMARY } Strength;

static double number_at(const HyXPrinter *p, const HyNode *n)
{
  return n->b != 0 ? p->number[n->a] : n->v;
}

static Strength strength(const HyXPrinter *p, const HyNode *n)
{
  static const Strength of[] = {[HY_X_ADD] = AT_SUM,
                                [HY_X_SUB] = AT_SUM,
                                [HY_X_MUL] = AT_PRODUCT,
                                [HY_X_DIV] = AT_PRODUCT,
                                [HY_X_POW] = AT_POWER};
  gboolean number = n->op == HY_X_CONST;
  if (n->op == HY_X_NEG || (number && signbit(number_at(p, n)))) {
    return p->signs_apart ? AT_SUM : AT_SIGN;
  }
  guint32 op = n->op == HY_X_ROOT_POW ? HY_X_POW : n->op;
  return !number && op < G_N_ELEMENTS(of) ? of[op] : AT_PRIMARY;
}

static void put_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, hy_double_text(text, v));
}

static void put(HyXPrinter *p, HyX x, Strength least, guint depth, GString *out);

/* a + (-b) is a - b to the last bit, and is written so; likewise a - (-b). */
static void put_sum(HyXPrinter *p, const HyNode *n, guint depth, GString *out)
{
  const HyNode *right = &p->node[n->b];
  gboolean minus = right->op == HY_X_CONST && signbit(number_at(p, right));
  gboolean turned = minus || right->op == HY_X_NEG;
  put(p, n->a, AT_SUM, depth, out);
  g_string_append(out, (n->op == HY_X_ADD) != turned ? " + " : " - ");
  if (minus) {
    put_number(out, -number_at(p, right));
  } else {
    put(p, turned ? right->a : n->b, AT_PRODUCT, depth, out);
  }
}

/* Two operands, each in brackets if it is weaker than LEFT and RIGHT. */
static void put_pair(HyXPrinter *p, const HyNode *n, Strength left, const char *sign,
                     Strength right, guint depth, GString *out)
{
  put(p, n->a, left, depth, out);
  g_string_append(out, sign);
  put(p, n->b, right, depth, out);
}

static void put_call(HyXPrinter *p, const HyNode *n, guint depth, GString *out)
{
  g_string_append(out, p->called != NULL ? p->called(p->user, n->op) : hy_ops[n->op].name);
  g_string_append_c(out, '(');
  put(p, n->a, AT_SUM, depth, out);
  if (hy_x_operands(n->op) == 2) {
    g_string_append(out, ", ");
    put(p, n->b, AT_SUM, depth, out);
  }
  g_string_append_c(out, ')');
}

static void put_between(const HyXPrinter *p, HyX flag, guint part, GString *out)
{
  if (p->choice != NULL) {
    p->choice(p->user, flag, part, out);
    return;
  }
  g_string_append(out, part == 0 ? "if(" : part == 1 ? ", " : ")");
  if (part == 0) {
    p->leaf(p->user, flag, out);
    g_string_append(out, ", ");
  }
}

static void put_choice(HyXPrinter *p, const HyNode *n, guint depth, GString *out)
{
  put_between(p, n->a, 0, out);
  put(p, n->b, AT_SUM, depth, out);
  put_between(p, n->a, 1, out);
  put(p, n->c, AT_SUM, depth, out);
  put_between(p, n->a, 2, out);
}

static void put_node(HyXPrinter *p, HyX x, guint depth, GString *out)
{
  const HyNode *n = &p->node[x];
  switch (n->op) {
  case HY_X_CONST:
    put_number(out, number_at(p, n));
    break;
  case HY_X_SELECT:
    put_choice(p, n, depth, out);
    break;
  case HY_X_ADD:
  case HY_X_SUB:
    put_sum(p, n, depth, out);
    break;
  case HY_X_MUL:
  case HY_X_DIV:
    put_pair(p, n, AT_PRODUCT, n->op == HY_X_MUL ? " * " : " / ", AT_POWER, depth, out);
    break;
  case HY_X_NEG: /* -(a b) is (-a) b to the last bit */
    g_string_append_c(out, '-');
    put(p, n->a, AT_PRODUCT, depth, out);
    break;
  case HY_X_POW:
  case HY_X_ROOT_POW:
    put_pair(p, n, AT_PRIMARY, "^", AT_POWER, depth, out);
    break;
  case HY_X_IN:
  case HY_X_FLAG:
  case HY_X_MODE:
    p->leaf(p->user, x, out);
    break;
  default:
    put_call(p, n, depth, out);
    break;
  }
}

/* A node that is used twice is written twice, so a text can be far longer than its expression. */
static void put(HyXPrinter *p, HyX x, Strength least, guint depth, GString *out)
{
  if (out->len > p->most || depth > p->deepest) {
    g_string_append(out, "...");
    p->cut = TRUE;
    return;
  }
  gboolean brackets = strength(p, &p->node[x]) < least;
  g_string_append(out, brackets ? "(" : "");
  put_node(p, x, depth + 1, out);
  g_string_append(out, brackets ? ")" : "");
}

void hy_x_print(HyXPrinter *p, HyX x, GString *out)
{
  put(p, x, AT_SUM, 0, out);
}
