/* Why there is no value. All operations are done once more in plain doubles, in their order; the
 * first whose result is not finite while its operands are is at fault, if the outputs are made of
 * it as the modes are now. It is said with its operands as text and as numbers. */
#include "fault.h"
#include "hydevs/trace.h"
#include "print.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX 120 /* bytes of an operation in a message, about */

typedef struct {
  const HyXBuilder *b;
  const char *const *name;
} Names;

static void put_name(gpointer user, HyX x, GString *out)
{
  const Names *names = user;
  const HyNode *n = &names->b->node[x];
  g_string_append(out, n->op == HY_X_IN ? names->name[n->a] : "...");
}

static void put_number(GString *text, double v)
{
  char number[HY_DOUBLE_SIZE];
  g_string_append(text, hy_double_text(number, v));
}

/* Operation X with numbers for its operands. */
static void put_numbers(const HyXBuilder *b, HyX x, const double *value, GString *text)
{
  const HyNode *n = &b->node[x];
  gboolean infix = n->op <= HY_X_POW || n->op == HY_X_ROOT_POW;
  if (!infix) {
    g_string_append_printf(text, "%s(", hy_ops[n->op].name);
  }
  put_number(text, value[n->a]);
  if (hy_x_operands(n->op) == 2) {
    g_string_append_printf(text, infix ? " %s " : "%s ", infix ? hy_ops[n->op].name : ",");
    put_number(text, value[n->b]);
  }
  g_string_append(text, infix ? "" : ")");
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
  Names names = {b, name};
  HyXPrinter printer = {.node = b->node,
                        .leaf = put_name,
                        .user = &names,
                        .most = text->len + TEXT_MAX,
                        .deepest = 6};
  hy_x_print(&printer, x, text);
  g_string_append(text, " = ");
  put_numbers(b, x, value, text);
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
