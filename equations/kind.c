/* Kinds by what they are made of: class, parameters, constants of inputs, number of inputs. Two
 * blocks with equal ones are one kind, found by a hash of these bytes: texts and lists of numbers
 * are compared by content, a list of event values is like no other.
 *
 * A kind's program has one lane more than the model's pieces, where the block is not linear: the
 * coefficient that foresees how long a piece holds (docs/theory.md, section 2). EXACT: polynomials
 * in give a polynomial of the model's order out, whatever their coefficients. FEEDS: of each input
 * whether an output follows it at once, by what the nodes of the outputs are made of, modes left
 * out. */
#include "kind.h"
#include "expr/expression.h"
#include "hydevs/error.h"

#include <math.h>
#include <string.h>

struct HyKinds {
  GHashTable *by_content; /* GBytes -> HyKind */
  GByteArray *content;    /* of the block at hand */
  HyXBuilder *builder;
};

static void kind_clear_work(HyKindWork *w)
{
  if (w->time != NULL) {
    hy_x_degree_clear(w->time);
  }
  g_free(w->time);
  g_free(w->reg);
  g_free(w->ahead);
  g_free(w->beyond);
  g_free(w->sides);
  g_free(w);
}

static void kind_free(gpointer data)
{
  HyKind *kind = data;
  for (guint k = 0; k < kind->n_in; k++) {
    g_free(kind->constant[k]);
  }
  g_free(kind->constant);
  g_free(kind->node);
  g_free(kind->out);
  g_free(kind->mode_of);
  g_free(kind->need);
  g_free(kind->feeds);
  g_free(kind->decide);
  g_free(kind->limits);
  kind_clear_work(kind->work);
  hy_program_free(kind->program);
  g_free(kind);
}

HyKinds *hy_kinds_new(void)
{
  HyKinds *kinds = g_new0(HyKinds, 1);
  kinds->by_content =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, kind_free);
  kinds->content = g_byte_array_new();
  kinds->builder = hy_x_builder_new();
  return kinds;
}

void hy_kinds_free(HyKinds *kinds)
{
  if (kinds != NULL) {
    g_hash_table_unref(kinds->by_content);
    g_byte_array_unref(kinds->content);
    hy_x_builder_free(kinds->builder);
    g_free(kinds);
  }
}

guint hy_kinds_n(const HyKinds *kinds)
{
  return g_hash_table_size(kinds->by_content);
}

/* Content ------------------------------------------------------------------------------------- */

static void put(GByteArray *out, gconstpointer data, gsize size)
{
  g_byte_array_append(out, data, (guint)size);
}

static void put_param(GByteArray *out, const HyParam *p, const guint8 *state)
{
  const guint8 *at = state + p->offset;
  HyReals reals;
  const char *text;
  const HyExpression *formula;
  switch (p->kind) {
  case HY_TEXT:
    memcpy(&text, at, sizeof text);
    put(out, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
    break;
  case HY_REALS:
    memcpy(&reals, at, sizeof reals);
    put(out, &reals.n, sizeof reals.n);
    put(out, reals.v, reals.n * sizeof *reals.v);
    break;
  case HY_VALUES:
    put(out, at, sizeof(HyValues)); /* the list itself: never equal to another block's */
    break;
  case HY_FORMULA:
    formula = hy_expression_plain(hy_expression_at(at)); /* equal ones are one */
    put(out, &formula, sizeof(gpointer));
    break;
  case HY_BOOLEAN:
    put(out, at, sizeof(gboolean));
    break;
  default:
    put(out, at, sizeof(gint64)); /* a double, too */
    break;
  }
}

/* All that two blocks of one kind have in common, as bytes. */
static void put_content(GByteArray *out, const HySetup *setup, const void *state,
                        const double *const *constant)
{
  g_byte_array_set_size(out, 0);
  put(out, &setup->klass, sizeof(gpointer));
  const guint sizes[] = {setup->n_in, setup->n_out, setup->order};
  put(out, sizes, sizeof sizes);
  for (const HyParam *p = setup->klass->params; p != NULL && p->name != NULL; p++) {
    put_param(out, p, state);
  }
  for (guint k = 0; k < setup->n_in; k++) {
    if (constant[k] != NULL) {
      put(out, &k, sizeof k);
      put(out, constant[k], sizeof(double));
    }
  }
}

/* Making one ---------------------------------------------------------------------------------- */

/* Modes are numbered in the order of their nodes, as the program has them. */
static void number_modes(HyKind *kind, const HyXBuilder *b)
{
  g_autofree guint8 *need = g_new0(guint8, (gsize)b->n + 1);
  hy_x_reach(b, kind->out, kind->n_out, TRUE, need);
  for (HyX x = 0; x < b->n; x++) {
    kind->mode_of[x] = kind->n_modes;
    kind->n_modes += need[x] && b->node[x].op == HY_X_MODE;
  }
  kind->need = g_new0(guint8, (gsize)b->n + 1);
  hy_x_reach(b, kind->out, kind->n_out, FALSE, kind->need);
  for (HyX x = 0; x < b->n; x++) {
    if (kind->need[x] && b->node[x].op == HY_X_IN) {
      kind->feeds[b->node[x].a] = 1;
    }
  }
}

/* Whether node X has a value for any of its operands. */
static gboolean is_safe(const HyXBuilder *b, HyX x)
{
  switch (b->node[x].op) {
  case HY_X_CONST:
    return isfinite(b->node[x].v);
  case HY_X_IN:
  case HY_X_MODE:
  case HY_X_SELECT:
  case HY_X_ADD:
  case HY_X_SUB:
  case HY_X_MUL:
  case HY_X_NEG:
  case HY_X_SIN:
  case HY_X_COS:
    return TRUE;
  case HY_X_DIV:
    return hy_x_is_const(b, b->node[x].b) && isnormal(b->node[b->node[x].b].v);
  default:
    return FALSE;
  }
}

static void find_safe(HyKind *kind, const HyXBuilder *b)
{
  kind->safe = TRUE;
  for (HyX x = 0; x < b->n; x++) {
    kind->safe &= !kind->need[x] || is_safe(b, x);
  }
}

/* What pieces of N coefficients, that is of degree n - 1, become. */
static void find_degree(HyKind *kind, const HyXBuilder *b, guint n)
{
  HyTimeDegree *time = kind->work->time = g_new0(HyTimeDegree, 1);
  hy_x_degree_init(time, kind->n_in, b->n, n - 1);
  kind->decide = g_new0(guint8, (gsize)b->n + 1);
  hy_x_reach(b, kind->out, kind->n_out, TRUE, kind->decide);
  guint degree = hy_x_degree(time, b->node, b->n, kind->decide);
  kind->exact = degree < n;
  kind->whole = degree <= n && n < 4;
}

/* The choice X is V while A is beyond it: a crossing of A - V, or of V - A. */
static void take_limit(const HyXBuilder *b, const HyNode *choice, HyX a, HyKindLimits *limits)
{
  const HyNode *mode = &b->node[choice->a], *z = &b->node[mode->a];
  double v = b->node[choice->b].v;
  gboolean limit = mode->op == HY_X_MODE && mode->a == mode->c && hy_x_is_const(b, choice->b);
  gboolean over = z->op == HY_X_SUB && z->a == a && z->b == choice->b;
  gboolean under = z->op == HY_X_SUB && z->b == a && z->a == choice->b;
  if (limit && (over || (mode->a == a && v == 0.0))) { /* a - 0 is a */
    limits->upper = MIN(limits->upper, v);
  } else if (limit && under) {
    limits->lower = MAX(limits->lower, v);
  }
}

/* An output that is a signal or else one of its limits, as saturation and limit() are. */
static HyKindLimits limits_of(const HyXBuilder *b, HyX out)
{
  HyKindLimits limits = {-INFINITY, INFINITY};
  HyX a = out;
  while (b->node[a].op == HY_X_SELECT) {
    a = b->node[a].c;
  }
  for (HyX x = out; b->node[x].op == HY_X_SELECT; x = b->node[x].c) {
    take_limit(b, &b->node[x], a, &limits);
  }
  return limits;
}

static void find_limits(HyKind *kind, const HyXBuilder *b)
{
  gboolean any = FALSE;
  kind->limits = g_new0(HyKindLimits, (gsize)kind->n_out + 1);
  for (guint k = 0; k < kind->n_out; k++) {
    kind->limits[k] = limits_of(b, kind->out[k]);
    any = any || isfinite(kind->limits[k].lower) || isfinite(kind->limits[k].upper);
  }
  if (!any) {
    g_clear_pointer(&kind->limits, g_free);
  }
}

static HyReg *kind_registers(const HyKind *kind)
{
  HyReg *reg = g_new(HyReg, (gsize)kind->program->n_regs + 1);
  hy_program_prepare(kind->program, reg);
  return reg;
}

static void kind_make_work(const HyKind *kind)
{
  HyKindWork *w = kind->work;
  gsize n = kind->n_out + 2 * (gsize)kind->program->n_modes;
  w->reg = kind_registers(kind);
  w->first = w->reg[kind->program->out[0]];
  w->ahead = kind_registers(kind);
  if (!kind->exact) {
    w->sides = g_new0(HyPiece, 2 * (gsize)kind->program->n_modes + 1);
    w->beyond = g_new(double, n);
    for (gsize k = 0; k < n; k++) {
      w->beyond[k] = NAN;
    }
  }
}

static HyKind *kind_new(HyXBuilder *b, const HySetup *setup, const void *state,
                        const double *const *constant, GError **error)
{
  gsize n_in = setup->n_in, n_out = setup->n_out;
  HyKind *kind = g_new0(HyKind, 1);
  *kind = (HyKind){.klass = setup->klass,
                   .n_in = setup->n_in,
                   .n_out = setup->n_out,
                   .work = g_new0(HyKindWork, 1),
                   .out = g_new0(HyX, n_out + 1),
                   .constant = g_new0(double *, n_in + 1),
                   .feeds = g_new0(guint8, n_in + 1)};
  for (guint k = 0; k < n_in; k++) {
    kind->constant[k] = constant[k] != NULL ? g_memdup2(constant[k], sizeof(double)) : NULL;
  }
  if (hy_x_describe(b, setup->klass, state, setup->n_in, setup->n_out, constant, kind->out,
                    error)) {
    kind->n_nodes = b->n;
    kind->node = g_memdup2(b->node, b->n * sizeof *b->node);
    kind->mode_of = g_new0(guint32, (gsize)b->n + 1);
    number_modes(kind, b);
    find_safe(kind, b);
    find_degree(kind, b, setup->order);
    find_limits(kind, b);
    guint lanes = kind->exact ? setup->order : MIN(setup->order + 1, 4);
    kind->program = hy_program_new(b, kind->out, setup->n_out, setup->n_in, lanes, error);
  }
  if (kind->program == NULL) {
    kind_free(kind);
    return NULL;
  }
  kind_make_work(kind);
  return kind;
}

HyX hy_kind_mode(const HyKind *kind, guint mode)
{
  HyX x = kind->n_nodes - 1; /* of several with this number only the last is made use of */
  while (kind->node[x].op != HY_X_MODE || kind->mode_of[x] != mode) {
    x--;
  }
  return x;
}

const HyKind *hy_kinds_find(HyKinds *kinds, const HySetup *setup, const void *state,
                            const double *const *constant, GError **error)
{
  put_content(kinds->content, setup, state, constant);
  g_autoptr(GBytes) key = g_bytes_new_static(kinds->content->data, kinds->content->len);
  HyKind *kind = g_hash_table_lookup(kinds->by_content, key);
  if (kind == NULL) {
    kind = kind_new(kinds->builder, setup, state, constant, error);
    if (kind != NULL) {
      g_hash_table_insert(kinds->by_content, g_bytes_new(kinds->content->data, kinds->content->len),
                          kind);
    }
  }
  return kind;
}
