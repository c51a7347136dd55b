/* Why there is no value. All operations are done once more in plain doubles, in their order; the
 * first whose result is not finite while its operands are is at fault, if the outputs are made of
 * it as the modes are now. It is said with its operands as text and as numbers. */
#include "fault.h"
#include "hydevs/trace.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX 60 /* bytes of an operand in a message, about */

static void print_number(GString *text, double v)
{
  char number[HY_DOUBLE_SIZE];
  g_string_append(text, hy_double_text(number, v));
}

static void print(const HyXBuilder *b, HyX x, const char *const *name, guint depth, GString *text);

/* The same without brackets around a sum, a product and the like. */
static void print_bare(const HyXBuilder *b, HyX x, const char *const *name, guint depth,
                       GString *text)
{
  gsize start = text->len;
  print(b, x, name, depth, text);
  if (text->str[start] == '(') {
    g_string_truncate(text, text->len - 1);
    g_string_erase(text, (gssize)start, 1);
  }
}

/* X as text; "..." below DEPTH and once the text is long. */
static void print(const HyXBuilder *b, HyX x, const char *const *name, guint depth, GString *text)
{
  const HyNode *n = &b->node[x];
  guint operands = hy_x_operands(n->op);
  if (n->op == HY_X_IN) {
    g_string_append(text, name[n->a]);
  } else if (n->op == HY_X_CONST) {
    print_number(text, n->v);
  } else if (operands == 0 || depth == 0 || text->len > TEXT_MAX) {
    g_string_append(text, "...");
  } else if (n->op <= HY_X_POW) {
    g_string_append_c(text, '(');
    print(b, n->a, name, depth - 1, text);
    g_string_append_printf(text, " %s ", hy_ops[n->op].name);
    print(b, n->b, name, depth - 1, text);
    g_string_append_c(text, ')');
  } else {
    g_string_append_printf(text, "%s(", hy_ops[n->op].name);
    print_bare(b, n->a, name, depth - 1, text);
    if (operands == 2) {
      g_string_append(text, ", ");
      print_bare(b, n->b, name, depth - 1, text);
    }
    g_string_append_c(text, ')');
  }
}

static void operand_text(const HyXBuilder *b, HyX x, const char *const *name, const double *value,
                         gboolean bare, GString *text)
{
  if (name == NULL) {
    print_number(text, value[x]);
    return;
  }
  g_autoptr(GString) own = g_string_new(NULL);
  if (bare) {
    print_bare(b, x, name, 6, own);
  } else {
    print(b, x, name, 6, own);
  }
  g_string_append(text, own->str);
}

/* Operation X with its operands as text (NAME given) or as numbers. */
static void operation_text(const HyXBuilder *b, HyX x, const char *const *name, const double *value,
                           GString *text)
{
  const HyNode *n = &b->node[x];
  gboolean infix = n->op <= HY_X_POW;
  if (!infix) {
    g_string_append_printf(text, "%s(", hy_ops[n->op].name);
  }
  operand_text(b, n->a, name, value, !infix, text);
  if (hy_x_operands(n->op) == 2) {
    g_string_append_printf(text, infix ? " %s " : "%s ", infix ? hy_ops[n->op].name : ",");
    operand_text(b, n->b, name, value, !infix, text);
  }
  if (!infix) {
    g_string_append_c(text, ')');
  }
}

static char *operation_fault(const HyXBuilder *b, HyX x, const char *const *name,
                             const double *value)
{
  const HyNode *n = &b->node[x];
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean by_zero = n->op == HY_X_DIV && value[n->b] == 0.0;
  if (by_zero) {
    g_string_append(text, "division by zero: ");
  }
  operation_text(b, x, name, value, text);
  g_string_append(text, " = ");
  operation_text(b, x, NULL, value, text);
  if (!by_zero) {
    g_string_append(text, isnan(value[x]) ? " is not a number" : " is infinite");
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static void evaluate(const HyXBuilder *b, const guint8 *need, const double *in, const guint8 *mode,
                     double *value)
{
  guint n_modes = 0;
  for (HyX x = 0; x < b->n; x++) {
    const HyNode *n = &b->node[x];
    if (!need[x]) {
      continue;
    }
    if (hy_x_operands(n->op) > 0) {
      hy_x_series(n->op, 1, &value[n->a], &value[n->b], &value[x]);
    } else if (n->op == HY_X_SELECT) {
      value[x] = value[value[n->a] != 0.0 ? n->b : n->c];
    } else if (n->op == HY_X_MODE) {
      value[x] = mode[n_modes++];
    } else {
      value[x] = n->op == HY_X_IN ? in[n->a] : n->v;
    }
  }
}

/* Marks what the outputs are now made of: of a select only the branch taken. */
static void mark_live(const HyXBuilder *b, const HyX *out, guint n_out, const double *value,
                      guint8 *live)
{
  for (guint k = 0; k < n_out; k++) {
    live[out[k]] = 1;
  }
  for (HyX x = b->n; x-- > 0;) {
    const HyNode *n = &b->node[x];
    guint operands = live[x] ? hy_x_operands(n->op) : 0;
    if (operands > 0) {
      live[n->a] = live[operands == 2 ? n->b : n->a] = 1;
    } else if (live[x] && n->op == HY_X_SELECT) {
      live[n->a] = live[value[n->a] != 0.0 ? n->b : n->c] = 1;
    } else if (live[x] && n->op == HY_X_MODE) {
      live[value[x] != 0.0 ? n->c : n->a] = 1;
    }
  }
}

/* Whether X is where it begins. */
static gboolean fails(const HyXBuilder *b, HyX x, const double *value)
{
  const HyNode *n = &b->node[x];
  guint operands = hy_x_operands(n->op);
  if (operands == 0) {
    return n->op == HY_X_IN && isnan(value[x]);
  }
  gboolean finite = isfinite(value[n->a]) && (operands == 1 || isfinite(value[n->b]));
  return isnan(value[x]) || (finite && isinf(value[x]));
}

char *hy_x_fault(const HyXBuilder *b, const HyX *out, guint n_out, const double *in,
                 const guint8 *mode, const char *const *name)
{
  g_autofree guint8 *mark = g_new0(guint8, (gsize)b->n + 1);
  g_autofree double *value = g_new0(double, (gsize)b->n + 1);
  hy_x_reach(b, out, n_out, TRUE, mark);
  evaluate(b, mark, in, mode, value);
  memset(mark, 0, b->n);
  mark_live(b, out, n_out, value, mark);
  for (HyX x = 0; x < b->n; x++) {
    if (mark[x] && fails(b, x, value)) {
      return b->node[x].op == HY_X_IN
                 ? g_strdup_printf("input %s is not a number", name[b->node[x].a])
                 : operation_fault(b, x, name, value);
    }
  }
  return NULL;
}
