/* Building expressions: equal nodes are one node, found by hash with open addressing, and numbers
 * are folded where that cannot change a result. Nothing is re-associated and nothing that could be
 * NaN goes away: 0*x stays.
 *
 * The degree in time, of polynomials of degrees a and c: a sum has the greater one, a product a +
 * c, a power with the whole exponent n has n a, a quotient by a number a; all else is no polynomial
 * unless its operands do not move. So a block knows whether the coefficients that it says are all
 * there are. */
#include "builder.h"
#include "signs.h"

#include <math.h>
#include <string.h>

HyXBuilder *hy_x_builder_new(void)
{
  HyXBuilder *b = g_new0(HyXBuilder, 1);
  b->mask = 63;
  b->table = g_new0(HyX, b->mask + 1);
  return b;
}

void hy_x_builder_free(HyXBuilder *b)
{
  if (b != NULL) {
    g_free(b->node);
    g_free(b->table);
    g_free(b);
  }
}

void hy_x_builder_reset(HyXBuilder *b)
{
  if (b->mask > 1023) { /* one large expression must not make all later ones expensive */
    g_free(b->table);
    b->mask = 63;
    b->table = g_new(HyX, b->mask + 1);
  }
  memset(b->table, 0, ((gsize)b->mask + 1) * sizeof *b->table);
  b->n = b->entered = b->n_facts = 0;
}

/* Nodes --------------------------------------------------------------------------------------- */

static guint64 bits_of(double v)
{
  guint64 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

guint hy_node_hash(const HyNode *node)
{
  guint64 h = bits_of(node->v);
  const guint32 part[] = {node->op, node->a, node->b, node->c};
  for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
    h = (h ^ part[k]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (guint)h;
}

static gboolean same(const HyNode *x, const HyNode *y)
{
  return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
         bits_of(x->v) == bits_of(y->v);
}

static void enter(HyXBuilder *b, HyX x)
{
  guint place = hy_node_hash(&b->node[x]) & b->mask;
  while (b->table[place] != 0) {
    place = (place + 1) & b->mask;
  }
  b->table[place] = x + 1;
}

static void grow(HyXBuilder *b)
{
  g_free(b->table);
  while (2 * b->n > b->mask) {
    b->mask = 2 * b->mask + 1;
  }
  b->table = g_new0(HyX, (gsize)b->mask + 1);
  for (b->entered = 0; b->entered < b->n; b->entered++) {
    enter(b, b->entered);
  }
}

static void make_room(HyXBuilder *b, guint n)
{
  if (b->n + n > b->room) {
    b->room = MAX(MAX(32, 2 * b->room), b->n + n);
    b->node = g_renew(HyNode, b->node, b->room);
  }
}

static HyX appended(HyXBuilder *b, HyNode what)
{
  make_room(b, 1);
  b->node[b->n] = what;
  return b->n++;
}

void hy_x_append(HyXBuilder *b, const HyNode *node, guint n)
{
  make_room(b, n);
  memcpy(b->node + b->n, node, n * sizeof *node);
  b->n += n;
}

/* Nodes that stand in no table yet. */
static void enter_rest(HyXBuilder *b)
{
  if (2 * b->n > b->mask) {
    grow(b);
  }
  for (; b->entered < b->n; b->entered++) {
    enter(b, b->entered);
  }
}

/* The number of NODE, a new one if there is none equal. */
static HyX node(HyXBuilder *b, HyNode what)
{
  if (G_UNLIKELY(b->entered < b->n)) {
    enter_rest(b);
  }
  guint place = hy_node_hash(&what) & b->mask;
  for (; b->table[place] != 0; place = (place + 1) & b->mask) {
    if (same(&b->node[b->table[place] - 1], &what)) {
      return b->table[place] - 1;
    }
  }
  HyX x = appended(b, what);
  b->table[place] = x + 1;
  b->entered = b->n;
  if (2 * b->n > b->mask) {
    grow(b);
  }
  return x;
}

HyX hy_x_const(HyXBuilder *b, double v)
{
  g_return_val_if_fail(b != NULL, 0);
  return node(b, (HyNode){.op = HY_X_CONST, .v = v});
}

HyX hy_x_literal(HyXBuilder *b, double v)
{
  return appended(b, (HyNode){.op = HY_X_CONST, .a = b->n + 1, .v = v});
}

HyX hy_x_in(HyXBuilder *b, guint port)
{
  return node(b, (HyNode){.op = HY_X_IN, .a = port});
}

HyX hy_x_flag(HyXBuilder *b, guint which)
{
  return node(b, (HyNode){.op = HY_X_FLAG, .a = which});
}

/* Arithmetic ---------------------------------------------------------------------------------- */

void hy_x_series(guint32 op, int n, const double *a, const double *b, double *r)
{
  const HyOp *o = &hy_ops[op];
  if (o->operands == 2) {
    o->series_two(n, a, b, r);
  } else {
    o->series_one(n, a, r);
  }
}

static gboolean is_number(const HyXBuilder *b, HyX x, double v)
{
  const HyNode *n = &b->node[x];
  return n->op == HY_X_CONST && bits_of(n->v) == bits_of(v); /* 0 is not -0 */
}

/* What needs no operation: x*1, 1*x, x/1, x-0, x+(-0), -(-x); x*(-1) is -x. TRUE: *RESULT is it. */
static gboolean simplified(HyXBuilder *b, guint32 op, HyX a, HyX c, HyX *result)
{
  *result = a;
  switch (op) {
  case HY_X_ADD:
    *result = is_number(b, a, -0.0) ? c : a;
    return is_number(b, c, -0.0) || is_number(b, a, -0.0);
  case HY_X_SUB:
    return is_number(b, c, 0.0);
  case HY_X_MUL:
    *result = is_number(b, a, 1.0) ? c : a;
    return is_number(b, c, 1.0) || is_number(b, a, 1.0);
  case HY_X_DIV:
    return is_number(b, c, 1.0);
  case HY_X_NEG:
    *result = b->node[a].a;
    return b->node[a].op == HY_X_NEG;
  default:
    return FALSE;
  }
}

/* Both are numbers, and so is the result. What comes out infinite or NaN stays an operation, so
 * that an error can name it. */
static gboolean folded(HyXBuilder *b, guint32 op, HyX a, HyX c, HyX *result)
{
  if (!hy_x_is_const(b, a) || (hy_x_operands(op) == 2 && !hy_x_is_const(b, c))) {
    return FALSE;
  }
  double v;
  hy_x_series(op, 1, &b->node[a].v, &b->node[c].v, &v);
  if (!isfinite(v)) {
    return FALSE;
  }
  *result = hy_x_const(b, v);
  return TRUE;
}

static gboolean is_no_whole_number(const HyXBuilder *b, HyX x)
{
  return hy_x_is_const(b, x) && fmod(b->node[x].v, 1.0) != 0.0;
}

static HyX operation(HyXBuilder *b, guint32 op, HyX a, HyX c)
{
  HyX result;
  guint operands = hy_x_operands(op);
  a = hy_x_number(b, a);
  c = operands == 2 ? hy_x_number(b, c) : a;
  if (operands == 0) {
    return hy_ops[op].composed(b, &a, 1);
  }
  if (folded(b, op, a, c, &result) || simplified(b, op, a, c, &result)) {
    return result;
  }
  if ((op == HY_X_SQRT || (op == HY_X_POW && is_no_whole_number(b, c))) &&
      hy_x_is_never_negative(b, a)) {
    op = op == HY_X_SQRT ? HY_X_ROOT : HY_X_ROOT_POW;
  }
  if (op == HY_X_MUL && (is_number(b, a, -1.0) || is_number(b, c, -1.0))) {
    return operation(b, HY_X_NEG, is_number(b, a, -1.0) ? c : a, 0);
  }
  return node(b, (HyNode){.op = op, .a = a, .b = operands == 2 ? c : 0});
}

static gboolean is_node(const HyXBuilder *b, HyX x)
{
  return b != NULL && x < b->n;
}

HyX hy_x_op(HyXBuilder *b, HyXOp op, HyX a, HyX c)
{
  g_return_val_if_fail(is_node(b, a) && (guint)op < HY_X_CONST, a);
  g_return_val_if_fail(hy_x_operands(op) < 2 || is_node(b, c), a);
  return operation(b, op, a, c);
}

/* Modes --------------------------------------------------------------------------------------- */

static HyX mode(HyXBuilder *b, HyX rises, HyX falls)
{
  return node(b, (HyNode){.op = HY_X_MODE, .a = rises, .c = falls});
}

HyX hy_x_crossing(HyXBuilder *b, HyX z, HyCrossingKind how)
{
  g_return_val_if_fail(is_node(b, z) && how == HY_CROSS_BOTH, z);
  z = hy_x_number(b, z);
  return hy_x_is_const(b, z) ? hy_x_const(b, b->node[z].v > 0.0) : mode(b, z, z);
}

HyX hy_x_latch(HyXBuilder *b, HyX rises, HyX falls)
{
  rises = hy_x_number(b, rises);
  return hy_x_is_const(b, rises) ? hy_x_const(b, b->node[rises].v > 0.0)
                                 : mode(b, rises, hy_x_number(b, falls));
}

HyX hy_x_select(HyXBuilder *b, HyX mode, HyX if_set, HyX if_clear)
{
  g_return_val_if_fail(is_node(b, mode) && is_node(b, if_set) && is_node(b, if_clear), if_clear);
  if (hy_x_is_const(b, mode)) {
    return b->node[mode].v != 0.0 ? if_set : if_clear;
  }
  g_return_val_if_fail(b->node[mode].op == HY_X_MODE || b->node[mode].op == HY_X_FLAG, if_clear);
  if_set = hy_x_number(b, if_set);
  if_clear = hy_x_number(b, if_clear);
  if (if_set == if_clear) {
    return if_set;
  }
  return node(b, (HyNode){.op = HY_X_SELECT, .a = mode, .b = if_set, .c = if_clear});
}

HyX hy_x_if_above(HyXBuilder *b, HyX a, HyX c, HyX yes, HyX no)
{
  HyX z = hy_x_op(b, HY_X_SUB, a, c);
  return hy_x_select(b, hy_x_crossing(b, z, HY_CROSS_BOTH), yes, no);
}

HyX hy_x_number(HyXBuilder *b, HyX x)
{
  if (b->node[x].op != HY_X_MODE && b->node[x].op != HY_X_FLAG) {
    return x;
  }
  HyX one = hy_x_const(b, 1.0), zero = hy_x_const(b, 0.0);
  return node(b, (HyNode){.op = HY_X_SELECT, .a = x, .b = one, .c = zero});
}

/* --------------------------------------------------------------------------------------------- */

void hy_x_reach(const HyXBuilder *b, const HyX *out, guint n_out, gboolean through_modes,
                guint8 *need)
{
  memset(need, 0, b->n);
  for (guint k = 0; k < n_out; k++) {
    need[out[k]] = 1;
  }
  for (HyX x = b->n; x-- > 0;) {
    const HyNode *n = &b->node[x];
    guint operands = hy_x_operands(n->op);
    if (!need[x]) {
      continue;
    }
    if (operands >= 1) {
      need[n->a] = need[operands == 2 ? n->b : n->a] = 1;
    } else if (n->op == HY_X_SELECT) {
      need[n->b] = need[n->c] = 1;
      need[n->a] |= through_modes;
    } else if (n->op == HY_X_MODE) {
      need[n->a] = need[n->c] = 1;
    }
  }
}

HyX hy_x_map_node(const HyXMap *m, HyX x)
{
  const HyNode *n = &m->node[x];
  guint operands = hy_x_operands(n->op);
  if (operands > 0) {
    return operation(m->b, n->op, m->map[n->a], operands == 2 ? m->map[n->b] : 0);
  }
  if (n->op == HY_X_SELECT) {
    HyX mode = m->leaf(m->user, m->b, n->a, &m->node[n->a]);
    return hy_x_select(m->b, mode, m->map[n->b], m->map[n->c]);
  }
  return m->leaf(m->user, m->b, x, n);
}

void hy_x_map(const HyXMap *m, guint n, const guint8 *need)
{
  for (HyX x = 0; x < n; x++) {
    if (need == NULL || need[x]) {
      m->map[x] = hy_x_map_node(m, x);
    }
  }
}

HyX hy_x_same_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  (void)user, (void)x;
  return n->op == HY_X_IN     ? hy_x_in(b, n->a)
         : n->op == HY_X_FLAG ? hy_x_flag(b, n->a)
                              : hy_x_const(b, n->v);
}

/* Of one node, those of its operands being known. */
static guint degree_of(const HyNode *node, const HyNode *n, const guint8 *in, const guint8 *degree)
{
  guint operands = hy_x_operands(n->op);
  guint a = operands > 0 ? degree[n->a] : 0, c = operands == 2 ? degree[n->b] : 0;
  if (operands == 0) {
    return n->op == HY_X_IN ? in[n->a] : n->op == HY_X_SELECT ? MAX(degree[n->b], degree[n->c]) : 0;
  }
  double p = NAN;
  switch (hy_ops[n->op].growth) {
  case HY_GROWS_AS_SUM:
    return MAX(a, c);
  case HY_GROWS_AS_PRODUCT:
    return a + c;
  case HY_GROWS_AS_QUOTIENT:
    return c == 0 ? a : HY_X_MOST;
  case HY_GROWS_AS_POWER:
    p = node[n->b].op == HY_X_CONST ? node[n->b].v : NAN;
    break;
  default:
    break;
  }
  return p >= 0.0 && p < HY_X_MOST && p == floor(p) ? (guint)p * a : a + c > 0 ? HY_X_MOST : 0;
}

void hy_x_degree_init(HyTimeDegree *d, guint n_in, guint n_nodes, guint of_inputs)
{
  guint8 *room = g_new0(guint8, (gsize)n_in + n_nodes + 1);
  *d = (HyTimeDegree){.in = room, .node = room + n_in, .stale = TRUE};
  memset(d->in, (int)of_inputs, n_in);
}

void hy_x_degree_clear(HyTimeDegree *d)
{
  g_free(d->in); /* and the nodes behind it */
}

guint hy_x_degree(HyTimeDegree *d, const HyNode *node, guint n, const guint8 *need)
{
  guint most = 0;
  for (guint k = 0; k < n && d->stale; k++) {
    d->node[k] = (guint8)MIN(degree_of(node, &node[k], d->in, d->node), HY_X_MOST);
    most = need == NULL || need[k] ? MAX(most, d->node[k]) : most;
  }
  d->degree = d->stale ? most : d->degree;
  d->stale = FALSE;
  return d->degree;
}

gboolean hy_x_describe(HyXBuilder *b, const HyAtomicClass *klass, const void *state, guint n_in,
                       guint n_out, const double *const *constant, HyX *out, GError **error)
{
  hy_x_builder_reset(b);
  g_autofree HyX *in = g_new(HyX, (gsize)n_in + 1);
  for (guint k = 0; k < n_in; k++) {
    gboolean known = constant != NULL && constant[k] != NULL;
    in[k] = known ? hy_x_const(b, *constant[k]) : hy_x_in(b, k);
  }
  memset(out, 0, n_out * sizeof *out); /* the first node, where a class says nothing */
  if (!klass->describe(state, b, in, n_in, out, error)) {
    return FALSE;
  }
  for (guint k = 0; k < n_out; k++) {
    out[k] = hy_x_number(b, out[k]);
  }
  return TRUE;
}
