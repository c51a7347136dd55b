/* Templates: the canonical form of a row, its degree, and its partial derivatives as expressions.
 *
 * A row y = f(x_1, ..., x_n) is a list of nodes v_k, each an operation on earlier ones. With d_k
 * the derivative of v_k by one slot,
 *
 *   d_k = 1 for that slot, 0 for others and for numbers,
 *   d_k = sum over the operands i of (dv_k / dv_i) d_i       (forward mode; rules: ops.c)
 *
 * so that one pass upwards gives the partial derivative as nodes of a builder, which become a
 * program. A choice is differentiated branch by branch, its mode held fixed. What is linear in its
 * slots is a sum of such factors and of the row where all slots are 0. */
#include "template.h"
#include "base/hint.h"
#include "slopes.h"

#include <math.h>
#include <string.h>

/* Canonical form ------------------------------------------------------------------------------ */

enum { NEEDED = 1, EXPONENT };

/* The exponent of a power is part of the shape: a square is not a cube. */
static void mark_exponents(const HyXBuilder *b, guint8 *need)
{
  for (HyX x = 0; x < b->n; x++) {
    const HyNode *n = &b->node[x];
    if (need[x] && n->op == HY_X_POW && hy_x_is_const(b, n->b)) {
      need[n->b] = EXPONENT;
    }
  }
}

HyNode hy_node_moved(const HyNode *node, const HyX *map)
{
  HyNode n = {.op = node->op};
  guint operands = hy_x_operands(node->op);
  if (operands > 0) {
    n.a = map[node->a];
    n.b = operands == 2 ? map[node->b] : 0;
  } else if (node->op == HY_X_SELECT) {
    n.a = map[node->a];
    n.b = map[node->b];
    n.c = map[node->c];
  } else {
    n = *node;
  }
  return n;
}

/* What the leaf N of the row stands for, noted, and its place. */
static HyNode leaf(HyShape *s, const HyNode *n, gboolean exponent)
{
  HyNode canonical = {.op = n->op};
  if (n->op == HY_X_CONST) {
    canonical.a = s->as.n_numbers++;
    canonical.b = 1;
    canonical.c = exponent; /* then V is known */
    canonical.v = exponent ? n->v : 0.0;
    g_array_index(s->number, double, canonical.a) = n->v;
  } else {
    GArray *list = n->op == HY_X_IN ? s->slot : s->flag;
    canonical.a = n->op == HY_X_IN ? s->as.n_slots++ : s->as.n_flags++;
    g_array_index(list, guint32, canonical.a) = n->a;
  }
  return canonical;
}

void hy_shape_init(HyShape *s)
{
  *s = (HyShape){.slot = g_array_new(FALSE, FALSE, sizeof(guint32)),
                 .number = g_array_new(FALSE, FALSE, sizeof(double)),
                 .flag = g_array_new(FALSE, FALSE, sizeof(guint32)),
                 .node = g_array_new(FALSE, FALSE, sizeof(HyNode)),
                 .need = g_array_new(FALSE, FALSE, sizeof(guint8)),
                 .map = g_array_new(FALSE, FALSE, sizeof(HyX))};
}

void hy_shape_clear(HyShape *s)
{
  GArray *const all[] = {s->slot, s->number, s->flag, s->node, s->need, s->map};
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    g_array_unref(all[k]);
  }
}

static void set_sizes(HyShape *s, guint slots, guint numbers, guint flags, guint nodes)
{
  g_array_set_size(s->slot, slots);
  g_array_set_size(s->number, numbers);
  g_array_set_size(s->flag, flags);
  g_array_set_size(s->node, nodes);
}

void hy_shape_take(HyShape *s, const HyXBuilder *b, HyX root)
{
  set_sizes(s, b->n, b->n, b->n, b->n); /* room for any; what is used is cut below */
  g_array_set_size(s->need, b->n);
  g_array_set_size(s->map, b->n);
  guint8 *need = (guint8 *)s->need->data;
  HyX *map = (HyX *)(gpointer)s->map->data;
  HyNode *node = (HyNode *)(gpointer)s->node->data;
  s->as = (HyTemplate){.self = HY_NO_SLOT, .node = node};
  hy_x_reach(b, &root, 1, TRUE, need);
  mark_exponents(b, need);
  for (HyX x = 0; x <= root; x++) {
    if (need[x]) {
      const HyNode *n = &b->node[x];
      gboolean inner = hy_x_operands(n->op) > 0 || n->op == HY_X_SELECT;
      map[x] = s->as.n_nodes++;
      node[map[x]] = inner ? hy_node_moved(n, map) : leaf(s, n, need[x] == EXPONENT);
    }
  }
  set_sizes(s, s->as.n_slots, s->as.n_numbers, s->as.n_flags, s->as.n_nodes);
}

HyTemplate *hy_template_new(const HyShape *s)
{
  HyTemplate *t = g_memdup2(&s->as, sizeof *t);
  t->node = g_memdup2(s->as.node, s->as.n_nodes * sizeof *t->node);
  return t;
}

static void clear_form(HyForm *f)
{
  hy_program_free(f->program);
  g_free(f->reg);
  hy_linked_free(f->linked);
}

void hy_template_free(HyTemplate *t)
{
  if (t == NULL) {
    return;
  }
  for (guint k = 0; t->partial != NULL && k < t->n_slots; k++) {
    hy_program_free(t->partial[k]);
    g_free(t->partial_reg[k]);
    hy_linked_free(t->partial_linked[k]);
  }
  g_free(t->partial_linked);
  hy_linked_free(t->linked);
  g_free(t->partial);
  g_free(t->partial_reg);
  g_free(t->work);
  hy_x_degree_clear(&t->time);
  hy_program_free(t->value);
  clear_form(&t->one);
  clear_form(&t->further);
  hy_program_free(t->partials);
  hy_linked_free(t->partials_linked);
  hy_slopes_free(t->slopes);
  g_free(t->partials_reg);
  hy_program_free(t->linear);
  g_free(t->linear_reg);
  hy_template_free(t->straight);
  hy_template_free(t->curved);
  g_free(t->straight_slot);
  g_free(t->straight_place);
  g_free(t->bends);
  g_free(t->reg);
  g_free(t->node);
  g_free(t);
}

guint hy_template_hash(gconstpointer template)
{
  const HyTemplate *t = template;
  guint64 h = t->self;
  for (guint k = 0; k < t->n_nodes; k++) {
    const HyNode *n = &t->node[k];
    h = (h ^ n->op ^ (guint64)n->a << 8 ^ (guint64)n->b << 24 ^ (guint64)n->c << 40) *
        G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (guint)h;
}

gboolean hy_template_equal(gconstpointer a, gconstpointer b)
{
  const HyTemplate *s = a, *t = b;
  return s->n_nodes == t->n_nodes && s->self == t->self && s->n_slots == t->n_slots &&
         memcmp(s->node, t->node, s->n_nodes * sizeof *s->node) == 0;
}

/* Degree -------------------------------------------------------------------------------------- */

static void find_degree(HyTemplate *t, guint lanes)
{
  HyTimeDegree by_slots;
  hy_x_degree_init(&by_slots, t->n_slots, t->n_nodes, 1);
  t->degree = (HyDegree)MIN(hy_x_degree(&by_slots, t->node, t->n_nodes, NULL), HY_NONLINEAR);
  hy_x_degree_clear(&by_slots);
  hy_x_degree_init(&t->time, t->n_slots, t->n_nodes, lanes - 1);
  guint in_time = hy_x_degree(&t->time, t->node, t->n_nodes, NULL);
  t->exact = in_time < lanes;
  t->whole = in_time <= lanes && lanes < 4;
  t->nearly = in_time <= lanes + 1 && lanes == 2;
}

static HyLinked *linked(const HyProgram *p, HyReg *reg)
{
  return p->plain ? hy_linked_new(p, reg) : NULL;
}

gboolean hy_template_compile(HyTemplate *t, guint lanes)
{
  if (t->value != NULL) {
    return TRUE;
  }
  const HyXBuilder b = {.node = t->node, .n = t->n_nodes};
  HyX row = t->n_nodes - 1;
  find_degree(t, lanes);
  t->value = hy_program_new(&b, &row, 1, t->n_slots, t->exact ? lanes : MIN(lanes + 1, 4), NULL);
  if (t->value == NULL) {
    return FALSE;
  }
  t->reg = g_new0(HyReg, (gsize)t->value->n_regs + 1);
  t->linked = linked(t->value, t->reg);
  t->partial = g_new0(HyProgram *, (gsize)t->n_slots + 1);
  t->partial_reg = g_new0(HyReg *, (gsize)t->n_slots + 1);
  t->partial_linked = g_new0(HyLinked *, (gsize)t->n_slots + 1);
  if (t->degree == HY_NONLINEAR) {
    hy_template_split(t, lanes);
  }
  return TRUE;
}

/* As VALUE could be made, so can it. */
static void make_form(const HyTemplate *t, guint lanes, HyForm *f)
{
  const HyXBuilder b = {.node = t->node, .n = t->n_nodes};
  HyX row = t->n_nodes - 1;
  f->program = hy_program_new(&b, &row, 1, t->n_slots, lanes, NULL);
  f->reg = g_new0(HyReg, (gsize)f->program->n_regs + 1);
  f->linked = linked(f->program, f->reg);
}

static inline void run_on(const HyProgram *p, const HyLinked *l, const double *number, HyReg *reg,
                          const guint8 *flag)
{
  if (l != NULL) {
    hy_linked_run(l, number);
  } else {
    hy_program_run_with(p, number, reg, flag);
  }
}

void hy_template_run(HyTemplate *t, const double *number, const guint8 *flag)
{
  if (t->numbers != number) {
    hy_program_fix(t->value, number, t->reg);
    t->numbers = number;
  }
  run_on(t->value, t->linked, number, t->reg, flag);
}

/* On inputs that stand in its registers. */
static const double *run_form(HyForm *f, const double *number, const guint8 *flag)
{
  if (f->numbers != number) {
    hy_program_fix(f->program, number, f->reg);
    f->numbers = number;
  }
  run_on(f->program, f->linked, number, f->reg, flag);
  return f->reg[f->program->out[0]];
}

void hy_template_go_further(HyTemplate *t)
{
  if (t->further.program == NULL) {
    make_form(t, MIN(t->value->lanes + 1, 4), &t->further);
  }
}

const double *hy_template_run_further(HyTemplate *t, const double *number, const guint8 *flag)
{
  return run_form(&t->further, number, flag);
}

const HyProgram *hy_template_one(HyTemplate *t)
{
  if (t->one.program == NULL) {
    make_form(t, 1, &t->one);
  }
  return t->one.program;
}

double hy_template_at(HyTemplate *t, const double *value, const double *number, const guint8 *flag)
{
  const HyProgram *p = hy_template_one(t);
  for (guint k = 0; k < p->n_load; k++) {
    t->one.reg[p->load[k]][0] = value[p->load[k]];
  }
  return run_form(&t->one, number, flag)[0];
}

/* Derivatives --------------------------------------------------------------------------------- */

static gboolean is_zero(const HyXBuilder *b, HyX x)
{
  return hy_x_is_const(b, x) && b->node[x].v == 0.0;
}

/* Nothing that node N is made of changes. */
static gboolean rests(const HyXBuilder *b, const HyNode *n, const HyX *d)
{
  guint operands = hy_x_operands(n->op);
  if (n->op == HY_X_SELECT) {
    return is_zero(b, d[n->b]) && is_zero(b, d[n->c]);
  }
  return operands == 0 || (is_zero(b, d[n->a]) && (operands == 1 || is_zero(b, d[n->b])));
}

/* The derivative of node N, which is Y in B; of its operands, which are VALUE, D. */
static HyX rule(HyXBuilder *b, const HyNode *n, HyX y, const HyX *value, const HyX *d, HyX zero)
{
  if (rests(b, n, d)) {
    return zero;
  }
  if (n->op == HY_X_SELECT) {
    return hy_x_select(b, value[n->a], d[n->b], d[n->c]);
  }
  gboolean two = hy_x_operands(n->op) == 2;
  HyTerm a[2] = {{.x = value[n->a]}, {.x = two ? value[n->b] : zero}};
  HyTerm da[2] = {{.x = d[n->a]}, {.x = two ? d[n->b] : zero}};
  return hy_op_rule(b, n->op, (HyTerm){.x = y}, a, da).x;
}

/* An exponent as it is, other numbers as further inputs. */
static HyX row_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  const HyTemplate *t = user;
  return n->op == HY_X_CONST && n->c == 0 ? hy_x_in(b, t->n_slots + n->a)
                                          : hy_x_same_leaf(NULL, b, x, n);
}

static HyXMap row_map(const HyTemplate *t, HyXBuilder *b, HyX *to)
{
  return (HyXMap){.b = b, .node = t->node, .map = to, .leaf = row_leaf, .user = hy_key(t)};
}

/* By SLOT, the nodes of the row being VALUE; D is working memory. */
static HyX differentiated(const HyTemplate *t, guint slot, HyXBuilder *b, const HyX *value, HyX *d)
{
  HyX zero = hy_x_const(b, 0.0), one = hy_x_const(b, 1.0);
  for (guint k = 0; k < t->n_nodes; k++) {
    const HyNode *n = &t->node[k];
    d[k] = n->op != HY_X_IN ? rule(b, n, value[k], value, d, zero) : n->a == slot ? one : zero;
  }
  return d[t->n_nodes - 1];
}

static void copy_nodes(const HyTemplate *t, HyXBuilder *b, HyX *value)
{
  HyXMap m = row_map(t, b, value);
  hy_x_map(&m, t->n_nodes, NULL);
}

HyX hy_template_differentiate(const HyTemplate *t, guint slot, HyXBuilder *b)
{
  g_autofree HyX *value = g_new0(HyX, (gsize)t->n_nodes + 1);
  g_autofree HyX *d = g_new0(HyX, (gsize)t->n_nodes + 1);
  hy_x_builder_reset(b);
  copy_nodes(t, b, value);
  return differentiated(t, slot, b, value, d);
}

HyX hy_x_differentiate(HyXBuilder *b, HyX y, HyX by)
{
  g_autofree HyX *value = g_new0(HyX, (gsize)y + 1), *d = g_new0(HyX, (gsize)y + 1);
  HyX zero = hy_x_const(b, 0.0);
  for (HyX k = 0; k <= y; k++) {
    HyNode n = b->node[k]; /* the nodes move when there are more */
    value[k] = k;
    d[k] = k == by ? hy_x_const(b, 1.0) : n.op == HY_X_IN ? zero : rule(b, &n, k, value, d, zero);
  }
  return d[y];
}

/* Coefficients -------------------------------------------------------------------------------- */

/* Node K where all slots are 0; of its operands, which are REST. */
static HyX at_zero(const HyTemplate *t, HyXBuilder *b, guint k, HyX *rest)
{
  const HyNode *n = &t->node[k];
  HyXMap m = row_map(t, b, rest);
  if (n->op == HY_X_IN) {
    return hy_x_const(b, 0.0);
  }
  if (hy_x_operands(n->op) == 0) {
    return hy_x_map_node(&m, k);
  }
  HyX second = hy_x_operands(n->op) == 2 ? rest[n->b] : rest[n->a];
  return hy_term(b, n->op, (HyTerm){.x = rest[n->a]}, (HyTerm){.x = second}).x;
}

void hy_template_differentiate_all(const HyTemplate *t, HyXBuilder *b, HyX *out)
{
  g_autofree HyX *value = g_new0(HyX, (gsize)t->n_nodes + 1);
  g_autofree HyX *work = g_new0(HyX, (gsize)t->n_nodes + 1);
  copy_nodes(t, b, value);
  for (guint slot = 0; slot < t->n_slots; slot++) {
    out[slot] = differentiated(t, slot, b, value, work);
  }
}

/* All coefficients of a linear row as one program of its numbers and flags. */
static void make_linear(HyTemplate *t)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *work = g_new0(HyX, (gsize)t->n_nodes + 1);
  g_autofree HyX *out = g_new0(HyX, (gsize)t->n_slots + 1);
  hy_template_differentiate_all(t, b, out);
  for (guint k = 0; k < t->n_nodes; k++) {
    work[k] = at_zero(t, b, k, work);
  }
  out[t->n_slots] = work[t->n_nodes - 1];
  t->linear = hy_program_new(b, out, t->n_slots + 1, t->n_slots + t->n_numbers, 1, NULL);
  if (t->linear != NULL) {
    t->linear_reg = g_new0(HyReg, (gsize)t->linear->n_regs + 1);
    hy_program_prepare(t->linear, t->linear_reg);
  }
}

void hy_template_coefficients(HyTemplate *t, const double *number, const guint8 *flag, double *coef)
{
  if (t->linear == NULL && t->n_slots <= HY_WIDE) {
    make_linear(t);
  }
  if (t->linear == NULL) {
    memset(coef, 0, t->n_slots * sizeof *coef); /* where the slots are 0, the row is the rest */
    hy_template_gradient(t, coef, number, flag, coef);
    coef[t->n_slots] = t->work[t->n_nodes - 1];
    return;
  }
  for (guint k = 0; k < t->linear->n_load; k++) {
    guint in = t->linear->load[k];
    t->linear_reg[in][0] = in < t->n_slots ? 0.0 : number[in - t->n_slots];
  }
  hy_program_run(t->linear, 0, t->linear->n_ins, t->linear_reg, flag);
  for (guint k = 0; k <= t->n_slots; k++) {
    coef[k] = t->linear_reg[t->linear->out[k]][0];
  }
}

static void make_partial(HyTemplate *t, guint slot)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX d = hy_template_differentiate(t, slot, b);
  HyProgram *p = hy_program_new(b, &d, 1, t->n_slots + t->n_numbers, 1, NULL);
  if (p != NULL) {
    t->partial_reg[slot] = g_new0(HyReg, (gsize)p->n_regs + 1);
    hy_program_prepare(p, t->partial_reg[slot]);
    t->partial_linked[slot] = linked(p, t->partial_reg[slot]);
  }
  t->partial[slot] = p;
}

const HyProgram *hy_template_partial_program(HyTemplate *t, guint slot)
{
  if (G_UNLIKELY(t->partial[slot] == NULL)) {
    make_partial(t, slot);
  }
  return t->partial[slot];
}

double hy_template_partial_run(const HyTemplate *t, guint slot, const guint8 *flag)
{
  const HyProgram *p = t->partial[slot];
  HyReg *reg = t->partial_reg[slot];
  run_on(p, t->partial_linked[slot], p->number, reg, flag);
  return reg[p->out[0]][0];
}

double hy_template_partial(HyTemplate *t, guint slot, const double *value, const double *number,
                           const guint8 *flag)
{
  const HyProgram *p = hy_template_partial_program(t, slot);
  if (p == NULL) {
    return NAN;
  }
  HyReg *reg = t->partial_reg[slot];
  for (guint k = 0; k < p->n_load; k++) {
    guint in = p->load[k];
    reg[in][0] = in < t->n_slots ? value[in] : number[in - t->n_slots];
  }
  return hy_template_partial_run(t, slot, flag);
}

const HyProgram *hy_template_partials(HyTemplate *t)
{
  if (t->partials == NULL && t->n_slots <= HY_WIDE) {
    g_autoptr(HyXBuilder) b = hy_x_builder_new();
    g_autofree HyX *out = g_new0(HyX, (gsize)t->n_slots + 1);
    hy_template_differentiate_all(t, b, out);
    t->partials = hy_program_new(b, out, t->n_slots, t->n_slots + t->n_numbers, 1, NULL);
  }
  return t->partials;
}

/* The registers of the program of all partials, when they are first asked for. */
static const HyProgram *template_partials_here(HyTemplate *t)
{
  const HyProgram *p = hy_template_partials(t);
  if (p != NULL && t->partials_reg == NULL) {
    t->partials_reg = g_new0(HyReg, (gsize)p->n_regs + 1);
    hy_program_prepare(p, t->partials_reg);
    t->partials_linked = linked(p, t->partials_reg);
  }
  return p;
}

void hy_template_all_partials(HyTemplate *t, const double *value, const double *number,
                              const guint8 *flag, double *partial)
{
  const HyProgram *p = template_partials_here(t);
  for (guint k = 0; k < t->n_slots && p == NULL; k++) {
    partial[k] = hy_template_partial(t, k, value, number, flag);
  }
  if (p == NULL) {
    return;
  }
  for (guint k = 0; k < p->n_load; k++) {
    guint in = p->load[k];
    t->partials_reg[in][0] = in < t->n_slots ? value[in] : number[in - t->n_slots];
  }
  run_on(p, t->partials_linked, p->number, t->partials_reg, flag);
  for (guint k = 0; k < t->n_slots; k++) {
    partial[k] = t->partials_reg[p->out[k]][0];
  }
}
