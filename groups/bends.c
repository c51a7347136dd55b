/* The nodes of a row (expr/template.h), each of them straight, a line, or a node of f. What is
 * linear in lines is one, what else an operation makes of them bends, and so does all that is made
 * of that. A choice is the branch that holds. */
#include "bends.h"

#include "expr/enclose.h"

#include <string.h>

#define NONE G_MAXUINT
#define LINE HY_X_IN /* a: which */

struct HyBentNode {
  guint32 op; /* LINE, HY_X_CONST: v; or an operation on two nodes before it */
  guint a, b;
  double v;
};

typedef struct {
  HyClassic *g;
  gsize wide;
  HyBentAdd *add;
  gconstpointer user;
  GArray *line, *node; /* double, WIDE for each; HyBentNode */
} Build;

/* Of a node of the row: a line that is not used yet has no node. */
typedef struct {
  double *line; /* NULL: it bends */
  guint node;
} Part;

gboolean hy_bent_row_is_possible(const HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  gboolean all = TRUE;
  for (guint k = 0; k < r->shape->n_nodes && all; k++) {
    all = hy_x_operands(r->shape->node[k].op) == 0 || hy_op_encloses(r->shape->node[k].op);
  }
  for (guint k = 0; k < r->n_slots && all; k++) { /* through hubs, which are few deep (rows.c) */
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    all = hub == NULL || hy_bent_row_is_possible(g, hub->row);
  }
  return all;
}

static gboolean is_number(const Build *b, const Part *p)
{
  gsize k = 0;
  while (p->line != NULL && k + 1 < b->wide && p->line[k] == 0.0) {
    k++;
  }
  return p->line != NULL && k + 1 == b->wide;
}

static double number_of(const Build *b, const Part *p)
{
  return p->line[b->wide - 1];
}

static guint put_node(const Build *b, guint32 op, guint first, guint second, double v)
{
  HyBentNode n = {op, first, second, v};
  g_array_append_val(b->node, n);
  return b->node->len - 1;
}

/* The node that P is, once. */
static guint node_of(const Build *b, Part *p)
{
  if (p->node == NONE && is_number(b, p)) {
    p->node = put_node(b, HY_X_CONST, 0, 0, number_of(b, p));
  } else if (p->node == NONE) {
    p->node = put_node(b, LINE, b->line->len / (guint)b->wide, 0, 0.0);
    g_array_append_vals(b->line, p->line, (guint)b->wide);
  }
  return p->node;
}

/* To LINE. */
static void add_line(const Build *b, const double *from, double factor, double *line)
{
  for (gsize k = 0; k < b->wide; k++) {
    line[k] += factor * from[k];
  }
}

/* Two numbers, or one. */
static void add_number(const Build *b, guint32 op, const Part *p, const Part *q, double *line)
{
  double x = number_of(b, p), y = number_of(b, q);
  hy_x_series(op, 1, &x, &y, &line[b->wide - 1]);
}

static void divide_line(const Build *b, const double *from, double by, double *line)
{
  for (gsize k = 0; k < b->wide; k++) {
    line[k] = from[k] / by;
  }
}

/* As a line, from such operands (of one argument Q is P); FALSE: it bends. */
static gboolean is_straight(const Build *b, guint32 op, const Part *p, const Part *q, double *line)
{
  if (p->line == NULL || q->line == NULL) {
    return FALSE;
  }
  gboolean first = is_number(b, p), second = is_number(b, q);
  if (op == HY_X_NEG) {
    add_line(b, p->line, -1.0, line);
  } else if (op == HY_X_ADD || op == HY_X_SUB) {
    add_line(b, p->line, 1.0, line);
    add_line(b, q->line, op == HY_X_SUB ? -1.0 : 1.0, line);
  } else if (first && second) {
    add_number(b, op, p, q, line);
  } else if (op == HY_X_MUL && first) {
    add_line(b, q->line, number_of(b, p), line);
  } else if (op == HY_X_MUL && second) {
    add_line(b, p->line, number_of(b, q), line);
  } else if (op == HY_X_DIV && second) {
    divide_line(b, p->line, number_of(b, q), line);
  } else {
    return FALSE;
  }
  return TRUE;
}

static guint build_row(const Build *b, guint32 row);

/* What stands at SLOT. */
static Part part_of_slot(const Build *b, guint slot, double *line)
{
  if (b->add(b->user, b->g, slot, 1.0, line)) {
    return (Part){line, NONE};
  }
  return (Part){NULL, build_row(b, hy_rows_hub(&b->g->room->rows, slot)->row)};
}

static guint chosen(const HyRunRow *r, const HyNode *n, const guint8 *choice)
{
  return choice[r->shape->node[n->a].a] ? n->b : n->c;
}

/* The nodes of R that count in these modes. */
static guint8 *needed(const HyRunRow *r, const guint8 *choice)
{
  guint8 *need = g_new0(guint8, (gsize)r->shape->n_nodes + 1);
  need[r->shape->n_nodes - 1] = 1;
  for (guint k = r->shape->n_nodes; k-- > 0;) {
    const HyNode *n = &r->shape->node[k];
    guint operands = hy_x_operands(n->op);
    if (need[k] && n->op == HY_X_SELECT) {
      need[chosen(r, n, choice)] = 1;
    } else if (need[k] && operands > 0) {
      need[n->a] = 1;
      need[operands == 2 ? n->b : n->a] = 1;
    }
  }
  return need;
}

/* Node N of R, the parts before it being PART; LINE is 0 and its own. */
static Part part_of(const Build *b, const HyRunRow *r, const HyNode *n, Part *part,
                    const guint8 *choice, double *line)
{
  switch (n->op) {
  case HY_X_IN:
    return part_of_slot(b, r->slot[n->a], line);
  case HY_X_CONST:
    line[b->wide - 1] = r->number[n->a];
    return (Part){line, NONE};
  case HY_X_SELECT:
    return part[chosen(r, n, choice)];
  default:
    break;
  }
  Part *second = &part[hy_x_operands(n->op) == 2 ? n->b : n->a];
  if (is_straight(b, n->op, &part[n->a], second, line)) {
    return (Part){line, NONE};
  }
  guint first = node_of(b, &part[n->a]);
  return (Part){NULL, put_node(b, n->op, first, node_of(b, second), 0.0)};
}

/* Returns the node that ROW is. */
static guint build_row(const Build *b, guint32 row)
{
  const HyRunRow *r = &b->g->room->run[row];
  guint n = r->shape->n_nodes;
  g_autofree double *line = g_new0(double, (gsize)n * b->wide + 1);
  g_autofree Part *part = g_new0(Part, (gsize)n + 1);
  g_autofree guint8 *choice =
      g_memdup2(hy_classic_choices(b->g, row), (gsize)r->shape->n_flags + 1);
  g_autofree guint8 *need = needed(r, choice);
  for (guint k = 0; k < n; k++) {
    if (need[k]) {
      part[k] = part_of(b, r, &r->shape->node[k], part, choice, line + k * b->wide);
    }
  }
  return node_of(b, &part[n - 1]);
}

/* f, or -f, of the lines. */
static HyEnclosure bend_value(const void *of, const HyEnclosure *line, double h)
{
  const HyBentRow *b = of;
  for (guint k = 0; k < b->n_nodes; k++) {
    const HyBentNode *n = &b->node[k];
    b->at[k] = n->op == LINE         ? line[n->a]
               : n->op == HY_X_CONST ? hy_enclosure_of(n->v)
                                     : hy_op_enclose(n->op, &b->at[n->a], &b->at[n->b], h);
  }
  const HyEnclosure *f = &b->at[b->n_nodes - 1];
  return b->negative ? hy_enclose_neg(f, h) : *f;
}

HyBentRow *hy_bent_row_new(HyClassic *g, guint32 row, gboolean as_such, gsize wide, gsize sines,
                           HyBentAdd *add, gconstpointer user)
{
  Build build = {g,
                 wide,
                 add,
                 user,
                 g_array_new(FALSE, TRUE, sizeof(double)),
                 g_array_new(FALSE, FALSE, sizeof(HyBentNode))};
  guint root = build_row(&build, row);
  if (build.line->len == 0) { /* a number, in these modes: whoever watches wants a line */
    g_array_set_size(build.line, (guint)wide);
  }
  g_array_set_size(build.node, root + 1); /* what comes behind it is read by nobody */
  HyBentRow *b = g_new0(HyBentRow, 1);
  b->n = build.line->len / (guint)wide;
  b->negative = !as_such;
  b->n_nodes = build.node->len;
  b->node = (HyBentNode *)(gpointer)g_array_free(build.node, FALSE);
  b->line = (double *)(gpointer)g_array_free(build.line, FALSE);
  b->weight = g_new0(double, (gsize)b->n * 2 * g->n + 1);
  b->at = g_new0(HyEnclosure, b->n_nodes);
  b->look = g_new0(double complex, 2 * (gsize)b->n * (g->n + sines) + 1);
  b->wave = g_new0(double complex, b->n *sines + 1);
  b->watch = (HyBentWatch){.n = (int)b->n,
                           .line = g_new0(HyWatch, b->n + 1),
                           .value = bend_value,
                           .of = b,
                           .now = g_new0(HyEnclosure, b->n + 1),
                           .share = g_new0(double, b->n + 1)};
  return b;
}

void hy_bent_row_free(HyBentRow *b)
{
  if (b != NULL) {
    g_free(b->line);
    g_free(b->weight);
    g_free(b->node);
    g_free(b->at);
    g_free(b->look);
    g_free(b->wave);
    g_free(b->watch.line);
    g_free(b->watch.now);
    g_free(b->watch.share);
    g_free(b);
  }
}
