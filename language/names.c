/* What a name means where it stands: indices, parameters, ports, blocks; and the words for names
 * that mean nothing.
 *
 * An Env is a place in a file as seen from one instance: scope, entry, copy, attribute. Folding a
 * formula in an Env asks three things of it: the value of a reference (a number now, or a signal
 * that only a run has), the range of "*", and the end of a wire that a reference is. Names are
 * looked up from inside to outside: indices of the copy, entries of the define, then parameters
 * and indices of the models around as far as the text is inside of theirs.
 *
 * Needs Defines, and values and copies of the scope (params.c, place.c), which it asks for as they
 * are needed. Leaves nothing but messages: for a name that is not there, the nearest one that is;
 * for one that is, but of another kind or behind a wall, that. */
#include "hydevs/text.h"
#include "hydevs/trace.h"
#include "language/expand.h"
#include <string.h>

#define LISTED 10 /* names shown of each sort */

static HyNameKind silent(GError **error)
{
  g_set_error_literal(error, HY_SILENT, 0, "reported");
  return HY_NAME_ERROR;
}

static HyNameKind wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static HyNameKind wrong(GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, what);
  return HY_NAME_ERROR;
}

/* Environments -------------------------------------------------------------------------------- */

Env hy_env(Loader *l, Scope *scope, const Entry *entry, const HyAttribute *attribute)
{
  return (Env){.loader = l,
               .scope = scope,
               .entry = entry,
               .attribute = attribute,
               .file = entry != NULL ? entry->define->file : scope->define->file};
}

void hy_env_copy(Env *env, const Entry *entry, const gint64 *at)
{
  env->n_index = entry->n_index;
  for (guint k = 0; k < entry->n_index; k++) {
    env->index[k] = entry->index[k];
    env->at[k] = at[k];
  }
}

/* NULL: reported at the attribute of ENV. */
const HyFormula *hy_env_parse(const Env *env, HyTextKind kind, const char *text)
{
  GError *error = NULL;
  const HyFormula *f = hy_formula_parse(env->loader->pool, kind, text, &error);
  if (f == NULL) {
    hy_problem_error(env, error);
  }
  return f;
}

/* What is known now becomes a number; NULL: reported. The result lives until the scratch is
 * cleared. */
const HyFormula *hy_env_fold(Env *env, const HyFormula *formula)
{
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  GError *error = NULL;
  const HyFormula *f = hy_formula_fold(env->loader->scratch, formula, &scope, &error);
  if (f == NULL) {
    hy_problem_error(env, error);
  }
  return f;
}

/* The formula that REF stands for beyond the copies of a block; NULL: it is none of these. */
static const HyFormula *boundary_of(const Env *env, const HyFormula *ref)
{
  const Entry *e = ref->own || ref->n_index != 1 ? NULL : hy_scope_find(env->scope, ref->ref.name);
  if (e == NULL || e->kind != E_BLOCK || e->n_index != 1) {
    return NULL;
  }
  const Boundary *b = &env->scope->boundary[2 * (gsize)e->slot];
  b += ref->ref.at[0] != 0;
  gboolean beyond =
      ref->ref.at[0] == 0 || ref->ref.at[0] == (gint64)env->scope->copies[e->slot].n + 1;
  return beyond && b->state == BOUNDARY_FORMULA ? b->formula : NULL;
}

/* A copy of F in which references beyond the copies are what before= and after= say; F itself
 * where there are none. */
static const HyFormula *replace(Env *env, const HyFormula *f, guint depth)
{
  if (f->kind == HY_F_REF) {
    const HyFormula *b = boundary_of(env, f);
    return b != NULL ? b : f;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || depth == 0) {
    return f;
  }
  const HyFormula **child = g_new(const HyFormula *, MAX(f->n, 1));
  gboolean changed = FALSE;
  for (guint32 k = 0; k < f->n; k++) {
    child[k] = replace(env, f->child[k], depth - 1);
    changed |= child[k] != f->child[k];
  }
  if (!changed) {
    g_free(child);
    return f;
  }
  HyFormula *copy = g_memdup2(f, sizeof *f);
  copy->child = child;
  g_ptr_array_add(env->loader->made, child);
  g_ptr_array_add(env->loader->made, copy);
  return copy;
}

const HyFormula *hy_env_boundaries(Env *env, const HyFormula *folded)
{
  return folded != NULL && env->scope->boundary != NULL ? replace(env, folded, HY_FOLDED_DEPTH)
                                                        : folded;
}

/* The value of a formula in which no signal may stand. FALSE: reported. */
gboolean hy_env_number(Env *env, const HyFormula *formula, double *v)
{
  if (formula->kind == HY_F_NUMBER) {
    *v = formula->number;
    return TRUE;
  }
  HyFormulaScope scope = hy_env_scope;
  scope.user = env;
  GError *error = NULL;
  if (!hy_formula_constant(env->loader->scratch, formula, &scope, v, &error)) {
    hy_problem_error(env, error);
    return FALSE;
  }
  return TRUE;
}

/* Looking up ---------------------------------------------------------------------------------- */

static gboolean is_live(const Scope *s, const Entry *e)
{
  return e->kind != E_BLOCK || e->cond == NULL || s->copies == NULL || s->copies[e->slot].n > 0;
}

/* Of several entries of one name the one whose `if` holds. */
static Entry *live(const Scope *s, Entry *e)
{
  Entry *first = e;
  for (; e != NULL; e = e->same) {
    if (is_live(s, e)) {
      return e;
    }
  }
  return first;
}

Entry *hy_scope_find(const Scope *scope, const char *name)
{
  Entry *e = g_hash_table_lookup(scope->define->inner, name);
  return e != NULL && e->same != NULL ? live(scope, e) : e;
}

/* Not more than LISTED of them. */
static void list_names(const Define *d, gboolean (*wanted)(const Entry *), const char *title,
                       GString *out)
{
  guint n = 0;
  g_string_append_printf(out, "%s%s:", out->len > 1 ? "; " : "", title);
  for (guint k = 0; k < d->entries->len; k++) {
    const Entry *e = g_ptr_array_index(d->entries, k);
    if (wanted(e) && e->name != NULL && ++n <= LISTED) {
      g_string_append_printf(out, " %s", e->name);
    }
  }
  g_string_append(out, n == 0 ? " none" : n > LISTED ? " ..." : "");
}

static gboolean is_block(const Entry *e)
{
  return e->kind == E_BLOCK;
}

static gboolean is_in(const Entry *e)
{
  return e->kind == E_IN;
}

static gboolean is_value(const Entry *e)
{
  return e->kind == E_PARAM || e->kind == E_LET;
}

/* "a/b.out" where A is a model and b a block in it. */
static gboolean through_a_wall(const Env *env, const Entry *a, GError **error)
{
  const char *text = env->attribute != NULL ? env->attribute->value : "",
             *slash = strchr(text, '/');
  gsize n = strlen(a->name);
  if (slash == NULL || a->inside == NULL || strncmp(text, a->name, n) != 0 || text + n != slash) {
    return FALSE;
  }
  g_autofree char *inner = g_strndup(slash + 1, strcspn(slash + 1, ".[ /"));
  const Entry *b =
      g_hash_table_lookup(a->inside->inner, hy_formula_pool_name(env->loader->pool, inner));
  if (b == NULL) {
    return FALSE;
  }
  wrong(
      error,
      "\"%s\" is inside another model; give \"%s\" an output port: <out name=\"...\" from=\"%s\"/>",
      text, a->name, inner);
  return TRUE;
}

#define MOST_CANDIDATES 5000U /* looked at for "did you mean" */

static void offer(const Env *env, EntryKind kind, HyNearest *nearest)
{
  const Define *d = env->scope->define;
  if (hy_report_errors(env->loader->report) > HY_MAX_MESSAGES) {
    return; /* nobody will read it */
  }
  for (guint k = 0; k < MIN(d->entries->len, MOST_CANDIDATES); k++) {
    const Entry *e = g_ptr_array_index(d->entries, k);
    if (e->kind == kind && e != env->entry) {
      hy_nearest_offer(nearest, e->name);
    }
  }
}

/* A name that nobody has, with the nearest one and all that there are. */
static HyNameKind unknown(const Env *env, const HyFormula *ref, GError **error)
{
  const Define *d = env->scope->define;
  HyNearest nearest = {.word = ref->ref.name};
  if (env->mode == MODE_SOURCE) {
    offer(env, E_BLOCK, &nearest);
    offer(env, E_IN, &nearest);
  }
  offer(env, E_PARAM, &nearest);
  offer(env, E_LET, &nearest);
  g_autoptr(GString) list = g_string_new("(");
  if (env->mode == MODE_SOURCE) {
    list_names(d, is_block, "blocks", list);
    list_names(d, is_in, "ports", list);
  }
  list_names(d, is_value, "parameters", list);
  g_string_append_c(list, ')');
  g_autofree char *hint = hy_did_you_mean(nearest.best);
  return wrong(error, "nothing is called \"%s\" here%s %s", ref->ref.name, hint, list->str);
}

/* Parameters ---------------------------------------------------------------------------------- */

/* A parameter or let as a number, as numbers, or as one of them by its index. */
static HyNameKind value_of_param(const Env *env, Scope *scope, Entry *e, const HyFormula *ref,
                                 const gint64 *at, HyNameValue *out, GError **error)
{
  e->used = 1;
  if (ref->ref.port != NULL) {
    return wrong(error, "\"%s.%s\": %s is a parameter and has no ports", e->name, ref->ref.port,
                 e->name);
  }
  const Value *v = hy_scope_value(env->loader, scope, e);
  if (v->state == V_BAD) {
    return silent(error);
  }
  if (v->shape == V_TEXT) {
    return wrong(error, "%s is a text; in formulas only numbers stand (in texts: {%s})", e->name,
                 e->name);
  }
  if (ref->n_index == 0) {
    out->number = v->shape == V_NUMBER ? v->number : 0;
    out->numbers = v->shape == V_NUMBERS ? v->numbers : NULL;
    out->n = v->shape == V_NUMBERS ? v->n : 1;
    return v->shape == V_NUMBER ? HY_NAME_NUMBER : HY_NAME_NUMBERS;
  }
  if (v->shape == V_NUMBER) {
    return wrong(error, "\"%s\" is one number; it takes no index", e->name);
  }
  if (ref->n_index != 1 || at[0] < 1 || at[0] > v->n) {
    return wrong(error, "\"%s[%" G_GINT64_FORMAT "]\" does not exist (%s has 1..%u)", e->name,
                 at[0], e->name, v->n);
  }
  out->number = v->numbers[at[0] - 1];
  return HY_NAME_NUMBER;
}

/* Names are of the pool, so equal ones are one pointer. */
static gboolean index_value(const char *const *names, const gint64 *at, guint n, const char *name,
                            HyNameValue *out)
{
  for (guint k = 0; k < n; k++) {
    if (names[k] == name) {
      out->number = (double)at[k];
      return TRUE;
    }
  }
  return FALSE;
}

/* Parameters, lets and indices of the models around, where they may be seen. */
static HyNameKind value_outside(const Env *env, const HyFormula *ref, const gint64 *at,
                                HyNameValue *out, GError **error)
{
  for (Scope *s = env->scope; s != NULL; s = s->around) {
    if (s != env->scope) {
      Entry *e = hy_scope_find(s, ref->ref.name);
      if (e != NULL && is_value(e)) {
        return e->bad ? silent(error) : value_of_param(env, s, e, ref, at, out, error);
      }
      if (e != NULL && env->mode == MODE_SOURCE && s == env->scope->around) {
        const char *inside = env->scope->define->name;
        return wrong(error,
                     "\"%s\" is a %s of the model around \"%s\"; bring it in by an input port: <in "
                     "name=\"%s\"/> and "
                     "%s=\"%s\" at %s",
                     e->name, e->kind == E_BLOCK ? "block" : "port", inside, e->name, e->name,
                     e->name, inside);
      }
    }
    if (s->around != NULL && s->entry != NULL &&
        index_value(s->entry->index, s->at, s->entry->n_index, ref->ref.name, out)) {
      return HY_NAME_NUMBER;
    }
  }
  return unknown(env, ref, error);
}

/* Signals ------------------------------------------------------------------------------------- */

/* A signal stands where a number is needed now: says how that can be written instead. */
static HyNameKind not_while_loading(const Env *env, const HyFormula *ref, GError **error)
{
  const char *what = env->what != NULL ? env->what : "";
  const char *text = env->attribute != NULL ? env->attribute->value : "";
  g_autoptr(GString) signal = g_string_new(ref->ref.name);
  if (ref->ref.port != NULL) {
    g_string_append_printf(signal, ".%s", ref->ref.port);
  }
  const char *name = env->entry != NULL && env->entry->name != NULL ? env->entry->name : "...";
  if (strcmp(what, "let") == 0 || strcmp(what, "param") == 0) {
    return wrong(error,
                 "%s is computed while loading and %s is a signal; use <function name=\"%s\" "
                 "formula=\"%s\"/>",
                 what, signal->str, name, text);
  }
  if (strcmp(what, "if=") == 0) {
    return wrong(
        error,
        "if= is decided while loading and %s is a signal; use <switch> or if(...) in a formula",
        signal->str);
  }
  if (g_str_has_suffix(what, "=")) {
    return wrong(error, "%s is decided while loading and %s is a signal", what, signal->str);
  }
  return wrong(
      error,
      "%s is a parameter, fixed while loading, and %s is a signal; write a formula, e.g. <function "
      "name=\"%s\" formula=\"%s*y\"/>",
      what, signal->str, name, signal->str);
}

/* The first port where NAME is NULL; G_MAXUINT: none. FIXED: how many the class has. */
guint hy_find_port(const HyPort *ports, const char *name, guint *fixed)
{
  guint k = 0, found = G_MAXUINT;
  for (; ports != NULL && ports[k].name != NULL; k++) {
    if (found == G_MAXUINT && (name == NULL || strcmp(ports[k].name, name) == 0)) {
      found = k;
    }
  }
  if (fixed != NULL) {
    *fixed = k;
  }
  return found;
}

static void list_class_ports(const HyPort *p, GString *list)
{
  for (; p != NULL && p->name != NULL; p++) {
    g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", p->name);
  }
}

static void list_ports(const GPtrArray *ports, GString *list)
{
  for (guint k = 0; k < ports->len; k++) {
    g_string_append_printf(list, "%s%s", k > 0 ? ", " : "",
                           ((Entry *)g_ptr_array_index(ports, k))->name);
  }
}

/* Of a class or of a definition. */
static gboolean is_param_of(const Entry *e, const char *name)
{
  for (const HyParam *p = e->klass != NULL ? e->klass->params : NULL; p != NULL && p->name != NULL;
       p++) {
    if (strcmp(p->name, name) == 0) {
      return TRUE;
    }
  }
  const Entry *p = e->klass == NULL ? g_hash_table_lookup(e->inside->inner, name) : NULL;
  return p != NULL && is_value(p);
}

/* A block has no such port: says which it has. */
static HyNameKind no_such_port(const Entry *e, const char *port, gboolean outgoing, GError **error)
{
  g_autoptr(GString) list = g_string_new(NULL);
  const char *word = outgoing ? "output" : "input";
  const char *type = e->klass != NULL            ? e->klass->name
                     : e->inside->around != NULL ? "coupled"
                                                 : e->inside->name;
  if (port != NULL && is_param_of(e, port)) {
    return wrong(error, "\"%s.%s\" is a parameter, not an %s", e->name, port, word);
  }
  if (e->klass != NULL) {
    list_class_ports(outgoing ? e->klass->out : e->klass->in, list);
  } else {
    list_ports(outgoing ? e->inside->out : e->inside->in, list);
  }
  if (port == NULL || list->len == 0) {
    return wrong(error, "%s %s has no %s", type, e->name, word);
  }
  return wrong(error, "%s %s has no %s \"%s\"; it has: %s", type, e->name, word, port, list->str);
}

/* Checks the port of a block that REF names. */
static gboolean check_port(const Entry *e, const HyFormula *ref, gboolean outgoing, GError **error)
{
  const char *port = ref->ref.port;
  if (e->klass != NULL) {
    const HyPort *ports = outgoing ? e->klass->out : e->klass->in;
    guint k = hy_find_port(ports, port, NULL);
    if (k == G_MAXUINT) {
      no_such_port(e, port, outgoing, error);
      return FALSE;
    }
    if (ref->n_port_index > 0 && !ports[k].array) {
      wrong(error, "%s.%s is one port; it takes no index", e->name, ports[k].name);
      return FALSE;
    }
    return TRUE;
  }
  const Define *d = e->inside;
  const Entry *p = port == NULL ? ((outgoing ? d->out : d->in)->len > 0
                                       ? g_ptr_array_index(outgoing ? d->out : d->in, 0)
                                       : NULL)
                   : outgoing   ? g_hash_table_lookup(d->outs, port)
                                : g_hash_table_lookup(d->inner, port);
  if (p == NULL || p->kind != (outgoing ? E_OUT : E_IN)) {
    no_such_port(e, port, outgoing, error);
    return FALSE;
  }
  return TRUE;
}

/* Of a block that is not repeated. */
static guint32 only_copy(const Copies *c, const Entry *e, const HyFormula *ref, GError **error)
{
  if (ref->n_index == 0 && c->n > 0) {
    return 0;
  }
  if (ref->n_index > 0) {
    wrong(error, "\"%s\" has no copies; it takes no index", e->name);
  } else {
    wrong(error, "\"%s\" is left out here by its if", e->name);
  }
  return HY_NO_COMPONENT;
}

/* A block with copies is named without an index, or with too few: says how it is done. */
static guint32 wrong_indices(const Copies *c, const Entry *e, const HyFormula *ref, GError **error)
{
  if (ref->n_index > 0) {
    wrong(error, "\"%s\" takes %u indices, not %u", e->name, e->n_index, ref->n_index);
    return HY_NO_COMPONENT;
  }
  g_autofree char *port =
      ref->ref.port != NULL ? g_strconcat(".", ref->ref.port, NULL) : g_strdup("");
  static const char *const one[] = {"1", "1,1", "1,1,1"}, *const all[] = {"*", "*,*", "*,*,*"};
  wrong(error, "\"%s\" has %u copies; write %s[%s]%s ... or sum(%s[%s]%s)", e->name, c->n, e->name,
        one[e->n_index - 1], port, e->name, all[e->n_index - 1], port);
  return HY_NO_COMPONENT;
}

/* Beyond the copies: before= or after=, or an error. */
static guint32 beyond(const Copies *c, const Entry *e, const gint64 *at, GError **error)
{
  gboolean before = e->n_index == 1 && at[0] == 0,
           after = e->n_index == 1 && at[0] == (gint64)c->extent[0] + 1;
  if ((before && e->before != NULL) || (after && e->after != NULL)) {
    return before ? COPY_BEFORE : COPY_AFTER;
  }
  g_autoptr(GString) name = g_string_new(NULL), range = g_string_new(NULL);
  hy_copy_name(e, at, name);
  for (guint k = 0; k < e->n_index; k++) {
    g_string_append_printf(range, "%s1..%u", k > 0 ? ", " : "", c->extent[k]);
  }
  const char *say = before  ? "; say what it stands for with before=\"...\""
                    : after ? "; say what it stands for with after=\"...\""
                            : "";
  wrong(error, "\"%s\" does not exist (%s has %s)%s", name->str, e->name,
        c->n > 0 ? range->str : "no copies", say);
  return HY_NO_COMPONENT;
}

/* The number of the copy of block E that AT means; COPY_BEFORE, COPY_AFTER; HY_NO_COMPONENT: an
 * error. */
static guint32 which_copy(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                          GError **error)
{
  const Copies *c = &env->scope->copies[e->slot];
  if (e->n_index == 0) {
    return only_copy(c, e, ref, error);
  }
  if (ref->n_index != e->n_index) {
    return wrong_indices(c, e, ref, error);
  }
  guint64 number = 0;
  for (guint k = 0; k < e->n_index; k++) {
    if (at[k] < 1 || at[k] > c->extent[k]) {
      return beyond(c, e, at, error);
    }
    number = number * c->extent[k] + (guint64)(at[k] - 1);
  }
  if (c->component[number] == HY_LEFT_OUT) {
    wrong(error, "this copy of \"%s\" is left out by its if", e->name);
    return HY_NO_COMPONENT;
  }
  return (guint32)number;
}

/* A block's output as a value in a formula; beyond its copies what stands there. */
static HyNameKind signal_of_block(const Env *env, const Entry *e, const HyFormula *ref,
                                  const gint64 *at, HyNameValue *out, GError **error)
{
  if (e->bad || env->scope->copies == NULL || env->scope->copies[e->slot].bad) {
    return silent(error);
  }
  guint32 copy = which_copy(env, e, ref, at, error);
  if (copy == HY_NO_COMPONENT) {
    return HY_NAME_ERROR;
  }
  if (copy == COPY_BEFORE || copy == COPY_AFTER) {
    const Boundary *b = &env->scope->boundary[2 * e->slot + (copy == COPY_AFTER)];
    if (b->state == BOUNDARY_NUMBER) {
      out->number = b->number;
      return HY_NAME_NUMBER;
    }
    return b->state == BOUNDARY_END || b->state == BOUNDARY_FORMULA ? HY_NAME_SIGNAL
                                                                    : silent(error);
  }
  return !through_a_wall(env, e, error) && check_port(e, ref, TRUE, error) ? HY_NAME_SIGNAL
                                                                           : HY_NAME_ERROR;
}

/* An input port of the model itself, or an element of one. */
static HyNameKind signal_of_port(const Env *env, const Entry *e, const HyFormula *ref,
                                 const gint64 *at, GError **error)
{
  if (e->bad) {
    return silent(error);
  }
  guint n = env->scope->in[e->slot].n;
  if (ref->ref.port != NULL) {
    return wrong(error, "\"%s.%s\": %s is an input port", e->name, ref->ref.port, e->name);
  }
  if (e->count == NULL) {
    return ref->n_index == 0 ? HY_NAME_SIGNAL
                             : wrong(error, "\"%s\" is one port; it takes no index", e->name);
  }
  if (ref->n_index == 0) {
    return wrong(error, "\"%s\" has %u elements; write %s[1] ... or %s[*]", e->name, n, e->name,
                 e->name);
  }
  if (ref->n_index != 1 || at[0] < 1 || at[0] > n) {
    return wrong(error, "\"%s[%" G_GINT64_FORMAT "]\" does not exist (%s has 1..%u)", e->name,
                 at[0], e->name, n);
  }
  return HY_NAME_SIGNAL;
}

/* An attribute of the block whose formula is read. */
static gboolean is_named_input(const Env *env, const char *name)
{
  const Plan *plan = env->named;
  for (guint k = 0; plan != NULL && k < plan->n; k++) {
    const Item *i = &plan->item[k];
    if (i->role == R_NAMED &&
        strcmp(hy_tree_name(env->file->tree, i->attribute->name), name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean is_unknown(const Env *env, const char *name)
{
  const char *const *k = env->unknown;
  while (k != NULL && *k != NULL && *k != name) {
    k++;
  }
  return k != NULL && *k != NULL;
}

/* The order in which a name is looked up: indices of the copy, unknowns and named inputs of a
 * formula, entries of the model, then the models around. */
static HyNameKind env_value(gpointer user, const HyFormula *ref, const gint64 *at, HyNameValue *out,
                            GError **error)
{
  Env *env = user;
  const char *name = ref->ref.name;
  if (!ref->own) {
    if (index_value(env->index, env->at, env->n_index, name, out)) {
      return HY_NAME_NUMBER;
    }
    if (is_unknown(env, name) || (env->named != NULL && is_named_input(env, name))) {
      return HY_NAME_SIGNAL;
    }
  }
  Entry *e = hy_scope_find(env->scope, name);
  if (e == NULL || (ref->own && e->kind != E_IN)) {
    return ref->own ? wrong(error, "this model has no input port \"%s\"", name)
                    : value_outside(env, ref, at, out, error);
  }
  if (is_value(e)) {
    return e->bad ? silent(error) : value_of_param(env, env->scope, e, ref, at, out, error);
  }
  if (env->mode == MODE_CONSTANT) {
    return not_while_loading(env, ref, error);
  }
  return e->kind == E_IN ? signal_of_port(env, e, ref, at, error)
                         : signal_of_block(env, e, ref, at, out, error);
}

/* The range of "*". */
static gboolean env_extent(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                           gint64 *lo, gint64 *hi, GError **error)
{
  Env *env = user;
  Entry *e = hy_scope_find(env->scope, ref->ref.name);
  Scope *s = env->scope;
  while (e == NULL && s->around != NULL) {
    s = s->around;
    e = hy_scope_find(s, ref->ref.name);
  }
  *lo = 1;
  if (e == NULL) {
    unknown(env, ref, error);
    return FALSE;
  }
  if (is_value(e)) {
    e->used = 1;
    const Value *v = hy_scope_value(env->loader, s, e);
    *hi = v->state == V_DONE && v->shape == V_NUMBERS ? v->n : 1;
    return v->state == V_BAD ? (silent(error), FALSE) : TRUE;
  }
  if (e->kind == E_IN) {
    *hi = s->in != NULL ? s->in[e->slot].n : 0;
    return TRUE;
  }
  if (env->mode == MODE_CONSTANT) {
    not_while_loading(env, ref, error);
    return FALSE;
  }
  if (e->bad || s->copies == NULL || s->copies[e->slot].bad) {
    silent(error);
    return FALSE;
  }
  const Copies *c = &s->copies[e->slot];
  if (dim < ref->n_index) {
    if (dim >= e->n_index) {
      wrong(error,
            e->n_index == 0 ? "\"%s\" has no copies; it takes no index"
                            : "\"%s\" takes fewer indices",
            e->name);
      return FALSE;
    }
    *hi = c->extent[dim];
    return TRUE;
  }
  guint32 copy = which_copy(env, e, ref, at, error);
  if (copy == HY_NO_COMPONENT || copy == COPY_BEFORE || copy == COPY_AFTER ||
      !check_port(e, ref, TRUE, error)) {
    return FALSE;
  }
  const Entry *p = c->child != NULL ? g_hash_table_lookup(e->inside->outs, ref->ref.port) : NULL;
  *hi = p != NULL ? c->child[copy]->out[p->slot].n : 1;
  return TRUE;
}

const HyFormulaScope hy_env_scope = {.value = env_value, .extent = env_extent};

/* Ends ---------------------------------------------------------------------------------------- */

/* A port of the model that the line is in: its inputs are sources, its outputs targets. */
static gboolean end_of_own_port(Env *env, Entry *e, const HyFormula *ref, End *end)
{
  *end = (End){.entry = e, .port_index = ref->n_index > 0 ? (guint32)ref->ref.at[0] : 0};
  guint n = e->kind == E_IN ? env->scope->in[e->slot].n : env->scope->out[e->slot].n;
  if ((e->count != NULL) != (ref->n_index == 1) || ref->ref.port != NULL ||
      (ref->n_index == 1 && (ref->ref.at[0] < 1 || ref->ref.at[0] > n))) {
    hy_problem(env, "\"%s\" is a port with %u element%s", e->name, n, n == 1 ? "" : "s");
    return FALSE;
  }
  return TRUE;
}

static Entry *end_entry(Env *env, const HyFormula *ref, gboolean outgoing)
{
  Entry *out = outgoing ? NULL : g_hash_table_lookup(env->scope->define->outs, ref->ref.name);
  Entry *e = hy_scope_find(env->scope, ref->ref.name);
  if (!outgoing && out != NULL &&
      (ref->own || e == NULL || (e->kind == E_BLOCK && ref->ref.port == NULL))) {
    /* "y" as target: the block's input if it has one, else the port */
    gboolean takes = e != NULL && !ref->own && e->kind == E_BLOCK &&
                     (e->klass != NULL ? e->klass->in != NULL && e->klass->in->name != NULL
                                       : e->inside->in->len > 0);
    return takes ? e : out;
  }
  return e;
}

/* Where a line begins or ends. FALSE: it can do neither, and that is reported. */
gboolean hy_env_end(Env *env, const HyFormula *ref, gboolean outgoing, End *end)
{
  Entry *e = end_entry(env, ref, outgoing);
  GError *error = NULL;
  if (e == NULL || is_value(e) || (!outgoing && e->kind == E_IN)) {
    HyNameValue ignored;
    if (e == NULL) {
      value_outside(env, ref, ref->ref.at, &ignored, &error);
    } else {
      wrong(&error, "\"%s\" is %s, not an %s", e->name,
            e->kind == E_IN ? "an input port of the model itself" : "a parameter",
            outgoing ? "output" : "input");
    }
    if (error == NULL) {
      wrong(&error, "\"%s\" is a number; a wire goes from an output to an input", ref->ref.name);
    }
    hy_problem_error(env, error);
    return FALSE;
  }
  if (e->kind != E_BLOCK) {
    return end_of_own_port(env, e, ref, end);
  }
  if (e->bad || env->scope->copies[e->slot].bad) {
    return FALSE;
  }
  guint32 copy = which_copy(env, e, ref, ref->ref.at, &error);
  if (copy == HY_NO_COMPONENT || (copy < COPY_AFTER && !check_port(e, ref, outgoing, &error))) {
    hy_problem_error(env, error);
    return FALSE;
  }
  if (copy >= COPY_AFTER) {
    const Boundary *b = &env->scope->boundary[2 * e->slot + (copy == COPY_AFTER)];
    if (b->state != BOUNDARY_END || !outgoing) {
      hy_problem(env, "\"%s\" beyond its copies is no port", e->name);
      return FALSE;
    }
    *end = b->end;
    return TRUE;
  }
  *end = (End){.entry = e,
               .copy = copy,
               .port = ref->ref.port,
               .port_index = ref->n_port_index > 0
                                 ? (guint32)CLAMP(ref->ref.at[ref->n_index], 0, G_MAXINT32)
                                 : 0};
  return TRUE;
}

/* The same for a text that is no more than "block" or "block.port" of an atomic that is there
 * once, without parsing it: most ends of large models are. FALSE: it is not so plain. */
gboolean hy_plain_end(const Env *env, const char *text, gboolean outgoing, End *end)
{
  const char *dot = strchr(text, '.');
  char name[64];
  gsize n = dot != NULL ? (gsize)(dot - text) : strlen(text);
  if (n == 0 || n >= sizeof name || (dot != NULL && !hy_name_is_legal(dot + 1))) {
    return FALSE;
  }
  memcpy(name, text, n);
  name[n] = '\0';
  if (!hy_name_is_legal(name)) {
    return FALSE;
  }
  Entry *e =
      g_hash_table_lookup(env->scope->define->inner, hy_formula_pool_name(env->loader->pool, name));
  if (e == NULL || e->kind != E_BLOCK || e->count != NULL || e->cond != NULL || e->bad ||
      e->klass == NULL || env->scope->copies[e->slot].bad) {
    return FALSE;
  }
  const HyPort *ports = outgoing ? e->klass->out : e->klass->in;
  guint port = hy_find_port(ports, dot != NULL ? dot + 1 : NULL, NULL);
  if (port == G_MAXUINT || ports[port].array) {
    return FALSE;
  }
  *end = (End){.entry = e, .port = dot != NULL ? ports[port].name : NULL};
  return TRUE;
}

/* Texts --------------------------------------------------------------------------------------- */

/* What {name} stands for in a text: a text parameter as it is, any formula as a number. */
static gboolean append_value(Env *env, const char *name, GString *out)
{
  const char *known = hy_formula_pool_name(env->loader->pool, name);
  HyNameValue number = {0};
  if (!index_value(env->index, env->at, env->n_index, known, &number)) {
    Scope *s = env->scope;
    Entry *e = NULL;
    for (; s != NULL && e == NULL; s = s->around) {
      e = hy_scope_find(s, known);
      if (e != NULL && is_value(e)) {
        e->used = 1;
        const Value *v = hy_scope_value(env->loader, s, e);
        if (v->state == V_DONE && v->shape == V_TEXT) {
          g_string_append(out, v->text);
          return TRUE;
        }
      }
    }
    const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, name);
    if (f == NULL || !hy_env_number(env, f, &number.number)) {
      return FALSE;
    }
  }
  char buffer[HY_DOUBLE_SIZE];

  g_string_append(out, hy_double_text(buffer, number.number));
  return TRUE;
}

/* A text with all {...} replaced. NULL: one has no value, which is reported. */
const char *hy_env_text(Env *env, const char *text)
{
  if (strchr(text, '{') == NULL) {
    return text;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  while (*text != '\0') {
    const char *end = *text == '{' ? strchr(text, '}') : NULL;
    if (end == NULL) {
      g_string_append_c(out, *text++);
      continue;
    }
    g_autofree char *name = g_strndup(text + 1, (gsize)(end - text - 1));
    Mode mode = env->mode;
    env->mode = MODE_CONSTANT;
    gboolean ok = append_value(env, g_strstrip(name), out);
    env->mode = mode;
    if (!ok) {
      return NULL;
    }
    text = end + 1;
  }
  return g_string_chunk_insert_const(env->loader->strings, out->str);
}
