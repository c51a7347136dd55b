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
#include "base/carve.h"
#include "expr/expression.h"
#include "expr/modes.h"
#include "expr/ops.h"
#include "expr/rounding.h"
#include "expr/signs.h"
#include "hydevs/error.h"

#include <math.h>
#include <string.h>

/* What two blocks of one kind have in common, as bytes. */
typedef struct {
  const guint8 *bytes;
  guint n, hash;
} Content;

typedef struct {
  HyKind kind;
  HyTimeDegree time;
  Content content;
} Entry; /* and behind it its arrays */

struct HyKinds {
  GHashTable *by_content; /* Content -> Entry, which has it */
  GArray *constant;       /* const double *, of the block at hand: what stands for its inputs */
  guint8 *content;        /* likewise, all that makes its kind ... */
  gsize n, capacity;      /* ... so many bytes of it, in so many */
  HyXBuilder *builder;
  GArray *out; /* HyX: likewise */
};

static void entry_free(gpointer data)
{
  Entry *entry = data;
  HyKindWork *w = entry->kind.work;
  hy_linked_free(w->linked[HY_INPUTS_TOGETHER]);
  hy_linked_free(w->linked[HY_INPUTS_APART]);
  if (w->time != NULL) {
    hy_x_degree_clear(w->time);
  }
  g_free(w->reg); /* and what is behind it */
  g_free(w->ahead);
  g_free(w->rounding);
  hy_program_free(entry->kind.program);
  g_free(entry);
}

static guint content_hash(gconstpointer content)
{
  return ((const Content *)content)->hash;
}

static gboolean content_equal(gconstpointer a, gconstpointer b)
{
  const Content *x = a, *y = b;
  return x->hash == y->hash && x->n == y->n && memcmp(x->bytes, y->bytes, x->n) == 0;
}

static Content content_of(const HyKinds *kinds)
{
  Content content = {.bytes = kinds->content, .n = (guint)kinds->n};
  guint64 h = content.n, word = 0;
  guint k = 0;
  for (; k + sizeof word <= content.n; k += sizeof word) {
    memcpy(&word, content.bytes + k, sizeof word);
    h = (h ^ word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  for (; k < content.n; k++) {
    h = h * 33 + content.bytes[k];
  }
  content.hash = (guint)h;
  return content;
}

HyKinds *hy_kinds_new(void)
{
  HyKinds *kinds = g_new0(HyKinds, 1);
  kinds->by_content = g_hash_table_new_full(content_hash, content_equal, NULL, entry_free);
  kinds->constant = g_array_new(FALSE, FALSE, sizeof(double *));
  kinds->builder = hy_x_builder_new();
  kinds->out = g_array_new(FALSE, FALSE, sizeof(HyX));
  return kinds;
}

void hy_kinds_free(HyKinds *kinds)
{
  if (kinds != NULL) {
    g_hash_table_unref(kinds->by_content);
    g_array_unref(kinds->constant);
    g_free(kinds->content);
    hy_x_builder_free(kinds->builder);
    g_array_unref(kinds->out);
    g_free(kinds);
  }
}

guint hy_kinds_n(const HyKinds *kinds)
{
  return g_hash_table_size(kinds->by_content);
}

/* Content ------------------------------------------------------------------------------------- */

static inline void put(HyKinds *kinds, gconstpointer data, gsize size)
{
  if (G_UNLIKELY(kinds->n + size > kinds->capacity)) {
    kinds->capacity = 2 * (kinds->n + size);
    kinds->content = g_realloc(kinds->content, kinds->capacity);
  }
  memcpy(kinds->content + kinds->n, data, size);
  kinds->n += size;
}

static void put_param(HyKinds *out, const HyParam *p, const guint8 *state)
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
    if (reals.n > 0) { /* else there may be no memory */
      put(out, reals.v, reals.n * sizeof *reals.v);
    }
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
static void put_content(HyKinds *out, const HySetup *setup, const void *state,
                        const double *const *constant)
{
  out->n = 0;
  put(out, &setup->klass, sizeof(gpointer));
  const guint sizes[] = {setup->n_in, setup->n_out, setup->order, 0}; /* in words of the hash */
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

/* Of each input the number that stands for it, or NULL. A piece that moves is none. */
static const double *const *find_constants(HyKinds *kinds, const HySetup *setup)
{
  static const double nothing = 0.0;
  g_array_set_size(kinds->constant, setup->n_in + 1);
  const double **constant = (const double **)(gpointer)kinds->constant->data;
  for (guint k = 0; k < setup->n_in; k++) {
    const HyValue *v = setup->input[k] == HY_CONSTANT ? setup->value[k] : NULL;
    gboolean stands = v != NULL && v->c[1] == 0.0 && v->c[2] == 0.0 && v->c[3] == 0.0;
    constant[k] = stands ? &v->c[0] : v == NULL && setup->input[k] != HY_WIRED ? &nothing : NULL;
  }
  return constant;
}

/* Making one ---------------------------------------------------------------------------------- */

/* Modes are numbered in the order of their nodes, as the program has them. */
static void number_modes(HyKind *kind, const HyXBuilder *b)
{
  hy_x_reach(b, kind->out, kind->n_out, TRUE, kind->decide);
  for (HyX x = 0; x < b->n; x++) {
    kind->mode_of[x] = kind->n_modes;
    kind->n_modes += kind->decide[x] && b->node[x].op == HY_X_MODE;
  }
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
  const HyNode *n = &b->node[x];
  if (n->op == HY_X_CONST) {
    return isfinite(n->v);
  }
  if (n->op == HY_X_DIV) {
    return hy_x_is_const(b, n->b) && isnormal(b->node[n->b].v);
  }
  return hy_x_operands(n->op) == 0 || hy_ops[n->op].domain == HY_TOTAL;
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
  HyTimeDegree *time = kind->work->time;
  hy_x_degree_init(time, kind->n_in, b->n, n - 1);
  guint degree = hy_x_degree(time, b->node, b->n, kind->decide);
  kind->exact = degree < n;
  kind->whole = degree <= n && n < 4;
}

static void find_limits(HyKind *kind, const HyXBuilder *b)
{
  gboolean any = FALSE;
  for (guint k = 0; k < kind->n_out; k++) {
    kind->limits[k] = hy_limited_find(b, kind->out[k]);
    any = any || isfinite(kind->limits[k].lower) || isfinite(kind->limits[k].upper);
  }
  if (!any) {
    kind->limits = NULL;
  }
}

static guint64 find_roots(const HyKind *kind, const HyXBuilder *b)
{
  guint64 roots = 0;
  for (guint k = 0; k < MIN(kind->n_out, 64) && kind->n_modes > 0; k++) {
    roots |= (guint64)hy_x_is_never_negative(b, kind->out[k]) << k;
  }
  return roots;
}

static void lay_out_work(const HyKind *kind, HyCarve *carve)
{
  HyKindWork *w = kind->work;
  gsize n_modes = kind->program->n_modes;
  w->reg = hy_carve(carve, kind->program->n_regs * sizeof *w->reg);
  if (!kind->exact) {
    w->sides = hy_carve(carve, 2 * n_modes * sizeof *w->sides);
    w->beyond = hy_carve(carve, (kind->n_out + 2 * n_modes) * sizeof *w->beyond);
  }
  w->modes = hy_carve(carve, hy_modes_work_size((guint)n_modes));
}

/* Evaluations of a kind until it is linked. */
#define KIND_OFTEN 64

static void kind_make_work(const HyKind *kind)
{
  HyKindWork *w = kind->work;
  HyCarve carve = {NULL, 0};
  lay_out_work(kind, &carve);
  carve = (HyCarve){g_malloc0(carve.size), 0};
  lay_out_work(kind, &carve);
  gboolean linked = kind->program->plain && kind->program->n_modes == 0;
  w->left[HY_INPUTS_TOGETHER] = w->left[HY_INPUTS_APART] = linked ? KIND_OFTEN : 0;
  hy_program_prepare(kind->program, w->reg);
  w->first = w->reg[kind->program->out[0]];
  for (gsize k = 0; !kind->exact && k < kind->n_out + 2 * (gsize)kind->program->n_modes; k++) {
    w->beyond[k] = NAN;
  }
}

/* The arrays behind KIND, for as many as it says. */
static void lay_out(HyKind *kind, HyCarve *carve)
{
  gsize n = kind->n_nodes;
  kind->node = hy_carve(carve, n * sizeof *kind->node);
  kind->out = hy_carve(carve, kind->n_out * sizeof *kind->out);
  kind->mode_of = hy_carve(carve, n * sizeof *kind->mode_of);
  kind->need = hy_carve(carve, n * sizeof *kind->need);
  kind->decide = hy_carve(carve, n * sizeof *kind->decide);
  kind->feeds = hy_carve(carve, kind->n_in * sizeof *kind->feeds);
  kind->limits = hy_carve(carve, kind->n_out * sizeof *kind->limits);
  kind->work = hy_carve(carve, sizeof *kind->work);
  kind->constant = hy_carve(carve, kind->n_in * sizeof *kind->constant);
  double *number = hy_carve(carve, kind->n_in * sizeof *number);
  for (guint k = 0; number != NULL && k < kind->n_in; k++) {
    kind->constant[k] = &number[k];
  }
}

static Entry *entry_alloc(const HyKind *like, const Content *content)
{
  HyKind measured = *like;
  HyCarve carve = {NULL, 0};
  hy_carve(&carve, sizeof(Entry));
  lay_out(&measured, &carve);
  hy_carve(&carve, content->n);
  Entry *entry = g_malloc0(carve.size);
  entry->kind = *like;
  entry->content = *content;
  carve = (HyCarve){(guint8 *)entry, 0};
  hy_carve(&carve, sizeof(Entry));
  lay_out(&entry->kind, &carve);
  entry->content.bytes = memcpy(hy_carve(&carve, content->n), content->bytes, content->n);
  entry->kind.work->time = &entry->time;
  return entry;
}

static void kind_describe(HyKind *kind, const HyXBuilder *b, const HyX *out,
                          const double *const *constant)
{
  memcpy(kind->node, b->node, b->n * sizeof *b->node);
  memcpy(kind->out, out, kind->n_out * sizeof *out);
  for (guint k = 0; k < kind->n_in; k++) {
    if (constant[k] != NULL) {
      *kind->constant[k] = *constant[k];
    } else {
      kind->constant[k] = NULL;
    }
  }
}

static Entry *entry_new(HyKinds *kinds, const Content *content, const HySetup *setup,
                        const void *state, const double *const *constant, GError **error)
{
  HyXBuilder *b = kinds->builder;
  g_array_set_size(kinds->out, setup->n_out + 1);
  HyX *out = (HyX *)(gpointer)kinds->out->data;
  if (!hy_x_describe(b, setup->klass, state, setup->n_in, setup->n_out, constant, out, error)) {
    return NULL;
  }
  HyKind like = {.kinds = kinds,
                 .klass = setup->klass,
                 .n_in = setup->n_in,
                 .n_out = setup->n_out,
                 .n_nodes = b->n};
  Entry *entry = entry_alloc(&like, content);
  HyKind *kind = &entry->kind;
  kind_describe(kind, b, out, constant);
  number_modes(kind, b);
  find_safe(kind, b);
  find_degree(kind, b, setup->order);
  find_limits(kind, b);
  kind->roots = find_roots(kind, b);
  guint lanes = kind->exact ? setup->order : MIN(setup->order + 1, 4);
  kind->program = hy_program_new(b, kind->out, setup->n_out, setup->n_in, lanes, error);
  if (kind->program == NULL) {
    entry_free(entry);
    return NULL;
  }
  kind_make_work(kind);
  return entry;
}

HyReg *hy_kind_ahead(const HyKind *kind)
{
  HyKindWork *w = kind->work;
  if (w->ahead == NULL) {
    w->ahead = g_new(HyReg, kind->program->n_regs);
    hy_program_prepare(kind->program, w->ahead);
  }
  return w->ahead;
}

const double *hy_kind_rounding(const HyKind *kind, const double *in, const guint8 *mode)
{
  HyKindWork *w = kind->work;
  if (w->rounding == NULL) {
    w->rounding = g_new0(double, 2 * (gsize)kind->n_nodes);
  }
  double *e = w->rounding + kind->n_nodes;
  const HyRounded x = {
      .node = kind->node, .n = kind->n_nodes, .need = kind->decide, .mode_of = kind->mode_of};
  hy_x_rounding(&x, in, mode, w->rounding, e);
  return e;
}

void hy_kind_link(const HyKind *kind, HyInputs inputs)
{
  kind->work->linked[inputs] =
      hy_linked_new_from(kind->program, kind->work->reg, inputs == HY_INPUTS_APART);
}

HyX hy_kind_mode(const HyKind *kind, guint mode)
{
  HyX x = kind->n_nodes - 1; /* of several with this number only the last is made use of */
  while (kind->node[x].op != HY_X_MODE || kind->mode_of[x] != mode) {
    x--;
  }
  return x;
}

const HyKind *hy_kinds_find(HyKinds *kinds, const HySetup *setup, const void *state, GError **error)
{
  const double *const *constant = find_constants(kinds, setup);
  put_content(kinds, setup, state, constant);
  Content content = content_of(kinds);
  Entry *entry = g_hash_table_lookup(kinds->by_content, &content);
  if (entry == NULL) {
    entry = entry_new(kinds, &content, setup, state, constant, error);
    if (entry != NULL) {
      g_hash_table_insert(kinds->by_content, &entry->content, entry);
    }
  }
  return entry != NULL ? &entry->kind : NULL;
}
