/* From the tree of a formula to nodes. A comparison is a mode that changes at a located instant,
 * and what depends on it a choice:
 *
 *   a > c ? yes : no          one mode, of a - c; a < c, a >= c and a <= c are made of it
 *   a == c ? yes : no         a > c ? no : (c > a ? no : yes)
 *   p and q ? yes : no        p ? (q ? yes : no) : no
 *
 * Functions that are no node are composed as their row of hy_ops says. */
#include "expression.h"
#include "formula_internal.h"
#include "hydevs/error.h"
#include "signs.h"

#include <string.h>

struct HyExpression {
  guint hash;
  const HyExpression *plain; /* itself, or the one whose nodes it has */
  const char *names;         /* of its inputs, a line each; NULL: of a plain one */
  guint n_nodes, n_out;
  guint n_in, n_unknown; /* the highest that it names */
  HyX *out;              /* [n_out], behind NODE */
  HyNode node[];         /* [n_nodes] */
};

struct HyExpressions {
  GHashTable *all;   /* HyExpression, a set */
  GHashTable *named; /* those with names: a set */
  GStringChunk *names;
  GString *text; /* of the names at hand */
  HyXBuilder *builder;
};

typedef struct {
  HyXBuilder *b;
  const HyFormulaRefs *refs;
  const gint *place;
} Translation;

/* Conditions ---------------------------------------------------------------------------------- */

static HyX value(Translation *x, const HyFormula *f);

static HyX if_equal(Translation *x, HyX a, HyX c, HyX yes, HyX no)
{
  return hy_x_if_above(x->b, a, c, no, hy_x_if_above(x->b, c, a, no, yes));
}

static HyX compared(Translation *x, const HyFormula *f, HyX yes, HyX no)
{
  HyX a = value(x, f->child[0]), c = value(x, f->child[1]);
  switch (f->ops[1]) {
  case '<':
    return hy_x_if_above(x->b, c, a, yes, no);
  case '>':
    return hy_x_if_above(x->b, a, c, yes, no);
  case 'l': /* <= */
    return hy_x_if_above(x->b, a, c, no, yes);
  case 'g': /* >= */
    return hy_x_if_above(x->b, c, a, no, yes);
  case '=':
    return if_equal(x, a, c, yes, no);
  default:
    return if_equal(x, a, c, no, yes);
  }
}

static HyX chosen(Translation *x, const HyFormula *condition, HyX yes, HyX no)
{
  const HyFormula *f = condition;
  HyX result = f->kind == HY_F_AND ? yes : no;
  switch (f->kind) {
  case HY_F_COMPARE:
    return compared(x, f, yes, no);
  case HY_F_NOT:
    return chosen(x, f->child[0], no, yes);
  case HY_F_AND:
    for (guint k = f->n; k-- > 0;) {
      result = chosen(x, f->child[k], result, no);
    }
    return result;
  case HY_F_OR:
    for (guint k = f->n; k-- > 0;) {
      result = chosen(x, f->child[k], yes, result);
    }
    return result;
  default:
    return if_equal(x, value(x, f), hy_x_const(x->b, 0.0), no, yes);
  }
}

/* Values -------------------------------------------------------------------------------------- */

static HyX negative(Translation *x, HyX a)
{
  return hy_x_op(x->b, HY_X_NEG, a, a);
}

/* A function that ends at 0 stands in F, which is what facts are for. */
static gboolean has_root(const HyFormula *f)
{
  gboolean found = f->kind == HY_F_POW || (f->kind == HY_F_CALL && f->function == HY_X_SQRT);
  for (guint k = 0; k < f->n && !found; k++) {
    found = has_root(f->child[k]);
  }
  return found;
}

/* What is known where CONDITION is YES. */
static void suppose(Translation *x, const HyFormula *condition, gboolean yes)
{
  const HyFormula *f = condition;
  if (f->kind == HY_F_COMPARE && f->ops[1] != '=' && f->ops[1] != '!') {
    HyX a = value(x, f->child[0]), c = value(x, f->child[1]);
    gboolean more = (f->ops[1] == '>' || f->ops[1] == 'g') == yes;
    hy_x_suppose(x->b, more ? a : c, more ? c : a);
  } else if (f->kind == HY_F_NOT) {
    suppose(x, f->child[0], !yes);
  } else if (f->kind == (yes ? HY_F_AND : HY_F_OR)) {
    for (guint k = 0; k < f->n; k++) {
      suppose(x, f->child[k], yes);
    }
  }
}

/* F where CONDITION is YES. */
static HyX value_where(Translation *x, const HyFormula *condition, gboolean yes, const HyFormula *f)
{
  guint before = hy_x_supposed(x->b);
  if (has_root(f)) {
    suppose(x, condition, yes);
  }
  HyX v = value(x, f);
  hy_x_suppose_back(x->b, before);
  return v;
}

/* Joined from the first argument to the last, or all of them together. */
static HyX called(Translation *x, const HyFormula *f)
{
  const HyOp *op = &hy_ops[f->function];
  if (op->choice) {
    HyX yes = value_where(x, f->child[0], TRUE, f->child[1]);
    return chosen(x, f->child[0], yes, value_where(x, f->child[0], FALSE, f->child[2]));
  }
  HyX arg[3] = {value(x, f->child[0])};
  for (guint k = 1; k < f->n; k++) {
    HyX a = value(x, f->child[k]);
    if (op->joined != NULL) {
      arg[0] = op->joined(x->b, arg[0], a);
    } else {
      arg[k] = a;
    }
  }
  if (op->operands > 0) {
    return hy_x_op(x->b, (HyXOp)f->function, arg[0], arg[1]);
  }
  return op->composed != NULL ? op->composed(x->b, arg, f->n) : arg[0];
}

static HyX chain(Translation *x, const HyFormula *f)
{
  HyX v = value(x, f->child[0]);
  for (guint k = 1; k < f->n; k++) {
    HyXOp op = f->kind == HY_F_SUM ? (f->ops[k] == '+' ? HY_X_ADD : HY_X_SUB)
                                   : (f->ops[k] == '*' ? HY_X_MUL : HY_X_DIV);
    v = hy_x_op(x->b, op, v, value(x, f->child[k]));
  }
  return v;
}

static HyX reference(const Translation *x, const HyFormula *f)
{
  guint slot = hy_formula_refs_slot(x->refs, f);
  gint place = x->place != NULL ? x->place[slot] : (gint)slot + 1;
  return hy_x_in(x->b, place > 0 ? (guint)place - 1 : HY_UNKNOWN + (guint)-place - 1);
}

static HyX value(Translation *x, const HyFormula *f)
{
  HyX a;
  switch (f->kind) {
  case HY_F_NUMBER:
    return hy_x_const(x->b, f->number);
  case HY_F_REF:
    return reference(x, f);
  case HY_F_NEG:
    return negative(x, value(x, f->child[0]));
  case HY_F_POW:
    a = value(x, f->child[0]);
    return hy_x_op(x->b, HY_X_POW, a, value(x, f->child[1]));
  case HY_F_PRODUCT:
  case HY_F_SUM:
    return chain(x, f);
  case HY_F_CALL:
    return called(x, f);
  default: /* a condition */
    a = hy_x_const(x->b, 1.0);
    return chosen(x, f, a, hy_x_const(x->b, 0.0));
  }
}

/* The set ------------------------------------------------------------------------------------- */

static gsize node_bytes(const HyExpression *e)
{
  return e->n_nodes * sizeof(HyNode);
}

static guint expression_hash(gconstpointer e)
{
  return ((const HyExpression *)e)->hash;
}

static gboolean expression_equal(gconstpointer a, gconstpointer b)
{
  const HyExpression *x = a, *y = b;
  return x->n_nodes == y->n_nodes && x->n_out == y->n_out && x->n_in == y->n_in &&
         x->n_unknown == y->n_unknown && memcmp(x->node, y->node, node_bytes(x)) == 0 &&
         memcmp(x->out, y->out, x->n_out * sizeof *x->out) == 0;
}

static guint named_hash(gconstpointer e)
{
  const HyExpression *x = e;
  return GPOINTER_TO_UINT(x->plain) / 16 * 31 + GPOINTER_TO_UINT(x->names);
}

static gboolean named_equal(gconstpointer a, gconstpointer b)
{
  const HyExpression *x = a, *y = b;
  return x->plain == y->plain && x->names == y->names;
}

HyExpressions *hy_expressions_new(void)
{
  HyExpressions *all = g_new(HyExpressions, 1);
  all->all = g_hash_table_new_full(expression_hash, expression_equal, g_free, NULL);
  all->named = g_hash_table_new_full(named_hash, named_equal, g_free, NULL);
  all->names = g_string_chunk_new(1024);
  all->text = g_string_new(NULL);
  all->builder = hy_x_builder_new();
  return all;
}

void hy_expressions_free(HyExpressions *all)
{
  if (all != NULL) {
    g_hash_table_unref(all->all);
    g_hash_table_unref(all->named);
    g_string_chunk_free(all->names);
    g_string_free(all->text, TRUE);
    hy_x_builder_free(all->builder);
    g_free(all);
  }
}

/* The nodes of the builder as an expression whose parts are OUT, new or the equal one. */
static const HyExpression *kept(HyExpressions *all, const HyX *out, guint n_out, guint n_in,
                                guint n_unknown)
{
  const HyXBuilder *b = all->builder;
  HyExpression *e = g_malloc(sizeof *e + b->n * sizeof *e->node + n_out * sizeof *out);
  *e = (HyExpression){.n_nodes = b->n, .n_out = n_out, .n_in = n_in, .n_unknown = n_unknown};
  e->plain = e;
  e->out = (HyX *)(gpointer)(e->node + b->n);
  if (b->n > 0) { /* a list may be empty */
    memcpy(e->node, b->node, node_bytes(e));
  }
  memcpy(e->out, out, n_out * sizeof *out);
  e->hash = n_out;
  for (guint k = 0; k < b->n; k++) {
    e->hash = e->hash * 31 + hy_node_hash(&b->node[k]);
  }
  const HyExpression *known = g_hash_table_lookup(all->all, e);
  if (known != NULL) {
    g_free(e);
    return known;
  }
  g_hash_table_add(all->all, e);
  return e;
}

/* The byte behind the name and the indices that begin at S. */
static const char *end_of_name(const char *s)
{
  while (hy_is_name(*s)) {
    s++;
  }
  for (guint depth = 0; *s == '[' || (depth > 0 && *s != '\0'); s++) {
    depth += *s == '[';
    depth -= *s == ']';
    if (depth == 0) {
      return s + 1;
    }
  }
  return s;
}

/* Where its name stands in the text WRITTEN; NULL: it comes from another one. */
static const char *name_in(const char *written, const HyFormula *ref)
{
  const char *start = written + MIN(ref->offset, strlen(written));
  const char *s = start + (ref->own && *start == '.');
  gsize length = strlen(ref->ref.name);
  return strncmp(s, ref->ref.name, length) != 0 || hy_is_name(s[length]) ? NULL : s;
}

gboolean hy_formula_is_written(const HyFormula *ref, const char *written)
{
  return name_in(written, ref) != NULL;
}

/* REF as it stands in the text WRITTEN, or if it comes from another one, as it is. */
static void append_written(GString *out, const char *written, const HyFormula *ref)
{
  const char *s = name_in(written, ref);
  if (s == NULL) {
    hy_formula_print(ref, out);
    return;
  }
  const char *start = s - (ref->own && s > written && s[-1] == '.');
  s = end_of_name(s);
  s = ref->ref.port != NULL && *s == '.' ? end_of_name(s + 1) : s;
  g_string_append_len(out, start, s - start);
}

/* PLAIN with the names that its inputs have in WRITTEN; copies that are written alike share it. */
static const HyExpression *with_names(HyExpressions *all, const HyExpression *plain,
                                      const HyFormulaRefs *refs, const gint *place,
                                      const char *written)
{
  g_string_truncate(all->text, 0);
  for (guint k = 0; k < refs->n; k++) {
    if (place == NULL || place[k] > 0) { /* the inputs in their order */
      append_written(all->text, written, refs->ref[k]);
      g_string_append_c(all->text, '\n');
    }
  }
  HyExpression named = {.plain = plain,
                        .names = g_string_chunk_insert_const(all->names, all->text->str)};
  const HyExpression *known = g_hash_table_lookup(all->named, &named);
  if (known == NULL) {
    HyExpression *e = g_memdup2(&named, sizeof named);
    g_hash_table_add(all->named, e);
    known = e;
  }
  return known;
}

const HyExpression *hy_expressions_take(HyExpressions *all, const HyFormula *f,
                                        const HyFormulaRefs *refs, const gint *place,
                                        const char *written)
{
  Translation x = {.b = all->builder, .refs = refs, .place = place};
  gint least = 0, most = place == NULL ? (gint)refs->n : 0;
  for (guint k = 0; place != NULL && k < refs->n; k++) {
    least = MIN(least, place[k]);
    most = MAX(most, place[k]);
  }
  const HyFormula *const *part = f->kind == HY_F_LIST ? f->child : &f;
  guint n = f->kind == HY_F_LIST ? f->n : 1;
  g_autofree HyX *out = g_new(HyX, (gsize)n + 1);
  hy_x_builder_reset(all->builder);
  for (guint k = 0; k < (guint)most; k++) {
    hy_x_in(all->builder, k);
  }
  for (guint k = 0; k < n; k++) {
    out[k] = value(&x, part[k]);
  }
  const HyExpression *plain = kept(all, out, n, (guint)most, (guint)-least);
  return written != NULL && refs->n > 0 ? with_names(all, plain, refs, place, written) : plain;
}

const HyExpression *hy_expression_plain(const HyExpression *e)
{
  return e->plain;
}

char *hy_expression_input(const HyExpression *e, guint k)
{
  const char *s = e->names, *end = s != NULL ? strchr(s, '\n') : NULL;
  while (end != NULL && k-- > 0) {
    s = end + 1;
    end = strchr(s, '\n');
  }
  return end != NULL ? g_strndup(s, (gsize)(end - s)) : NULL;
}

/* Text ---------------------------------------------------------------------------------------- */

static HyNameKind input_name(gpointer user, const HyFormula *ref, const gint64 *at,
                             HyNameValue *value, GError **error)
{
  (void)value;
  const guint *n_in = user;
  gboolean known = strcmp(ref->ref.name, "in") == 0 || strcmp(ref->ref.name, "out") == 0;
  gboolean plain = ref->ref.port == NULL && !ref->own && ref->n_index == 1;
  if (!known || !plain || at[0] < 1 || at[0] > G_MAXINT) {
    g_autofree char *text = hy_formula_text(ref);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is not an input; there are %u, from in[1] on",
                text, *n_in);
    return HY_NAME_ERROR;
  }
  return HY_NAME_SIGNAL;
}

static gboolean input_extent(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                             gint64 *lo, gint64 *hi, GError **error)
{
  (void)ref, (void)at, (void)dim, (void)error;
  *lo = 1;
  *hi = *(const guint *)user;
  return TRUE;
}

const HyExpression *hy_expressions_parse(HyExpressions *all, const char *text, guint n_in,
                                         GError **error)
{
  const HyFormulaScope scope = {.user = &n_in, .value = input_name, .extent = input_extent};
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  const HyFormula *f = hy_formula_parse(pool, HY_TEXT_LIST, text, error);
  f = f != NULL ? hy_formula_fold(pool, f, &scope, error) : NULL;
  for (guint k = 0; f != NULL && k < f->n; k++) {
    if (f->child[k]->kind >= HY_F_ITEMS) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "formula \"%s\" has no value", text);
      return NULL;
    }
  }
  if (f == NULL) {
    return NULL;
  }
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  g_autofree gint *place = g_new(gint, (gsize)refs->n + 1);
  for (guint k = 0; k < refs->n; k++) {
    gint at = (gint)refs->ref[k]->ref.at[0];
    place[k] = refs->ref[k]->ref.name[0] == 'i' ? at : -at;
  }
  return hy_expressions_take(all, f, refs, place, NULL);
}

/* Use ----------------------------------------------------------------------------------------- */

typedef struct {
  const HyX *in, *map;
  guint n_in;
} Inputs;

static HyX expression_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  (void)x;
  const Inputs *i = user;
  switch (n->op) {
  case HY_X_IN:
    return i->in[n->a < HY_UNKNOWN ? n->a : n->a - HY_UNKNOWN + i->n_in];
  case HY_X_MODE:
    return hy_x_crossing(b, i->map[n->a], HY_CROSS_BOTH);
  default:
    return hy_x_const(b, n->v);
  }
}

/* The builder holds the inputs IN and nothing else, as it did when E was made. */
static gboolean is_as_made(const HyExpression *e, const HyXBuilder *b, const HyX *in, guint n_in)
{
  gboolean same = b->n == n_in && e->n_in == n_in && e->n_unknown == 0;
  for (guint k = 0; same && k < n_in; k++) {
    same = in[k] == k && b->node[k].op == HY_X_IN && b->node[k].a == k;
  }
  return same;
}

gboolean hy_expression_nodes(const HyExpression *e, HyXBuilder *b, const HyX *in, guint n_in,
                             guint n_unknown, HyX *out, guint n, GError **error)
{
  e = e->plain;
  if (e->n_in > n_in || e->n_unknown > n_unknown) {
    gboolean input = e->n_in > n_in;
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s[%u] is not an input; there are %u, from in[1] on", input ? "in" : "out",
                input ? e->n_in : e->n_unknown, n_in);
    return FALSE;
  }
  if (e->n_out != n) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "formula has %u parts, and %u are meant", e->n_out,
                n);
    return FALSE;
  }
  if (is_as_made(e, b, in, n_in)) {
    hy_x_append(b, e->node + n_in, e->n_nodes - n_in);
    memcpy(out, e->out, n * sizeof *out);
    return TRUE;
  }
  g_autofree HyX *map = g_new(HyX, (gsize)e->n_nodes + 1);
  Inputs inputs = {in, map, n_in};
  HyXMap m = {b, e->node, map, expression_leaf, &inputs};
  hy_x_map(&m, e->n_nodes, NULL);
  for (guint k = 0; k < n; k++) {
    out[k] = map[e->out[k]];
  }
  return TRUE;
}

static guint64 number_take(guint64 number, guint64 v)
{
  number = (number ^ v) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  return number ^ number >> 29;
}

guint64 hy_expression_number(const HyExpression *e)
{
  guint64 number = number_take(e->n_nodes, e->n_out);
  for (guint k = 0; k < e->n_nodes; k++) {
    const HyNode *x = &e->node[k];
    guint64 v;
    memcpy(&v, &x->v, sizeof v);
    number = number_take(number, ((guint64)x->op << 32) | x->a);
    number = number_take(number, ((guint64)x->b << 32) | x->c);
    number = number_take(number, v);
  }
  for (guint k = 0; k < e->n_out; k++) {
    number = number_take(number, e->out[k]);
  }
  return number;
}
