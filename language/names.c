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
#include "language/names.h"
#include "hydevs/text.h"
#include "language/circuits.h"
#include "language/network.h"
#include <string.h>

#define LISTED 10 /* names shown of each sort */

HyNameKind hy_name_silent(GError **error)
{
  g_set_error_literal(error, HY_SILENT, 0, "reported");
  return HY_NAME_ERROR;
}

HyNameKind hy_name_wrong(GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, what);
  return HY_NAME_ERROR;
}

/* Looking up ---------------------------------------------------------------------------------- */

static gboolean is_live(const Scope *s, const Entry *e)
{
  return e->kind != E_BLOCK || !hy_is_choice(e) || s->copies == NULL || s->copies[e->slot].n > 0 ||
         s->copies[e->slot].bad;
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

Entry *hy_define_find(const Define *d, const char *name, gboolean with_port)
{
  Entry *e = with_port ? g_hash_table_lookup(d->elements, name) : NULL;
  return e != NULL ? e : g_hash_table_lookup(d->inner, name);
}

Entry *hy_scope_find_ref(const Scope *scope, const HyFormula *ref)
{
  Entry *e = hy_define_find(scope->define, ref->ref.name, ref->ref.port != NULL);
  return e != NULL && e->same != NULL ? live(scope, e) : e;
}

/* Not more than LISTED of them. */
static void list_names(const Define *d, gboolean (*wanted)(const Entry *), const char *title,
                       GString *out)
{
  guint n = 0;
  g_string_append_printf(out, "%s%s:", out->len > 1 ? "; " : "", title);
  for (guint k = 0; k < d->entries->len && n <= LISTED; k++) {
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

gboolean hy_is_value(const Entry *e)
{
  return e->kind == E_PARAM || e->kind == E_LET;
}

/* FALSE: there are so many of its kind before this one that nobody will see it. */
static gboolean is_read(const Env *env)
{
  return env->loader->n_unknown <= HY_MAX_MESSAGES;
}

static void offer(const Env *env, EntryKind kind, HyNearest *nearest)
{
  const Define *d = env->scope->define;
  if (!is_read(env)) {
    return;
  }
  for (guint k = 0; k < d->entries->len; k++) {
    const Entry *e = g_ptr_array_index(d->entries, k);
    if (e->kind == kind && e != env->entry) {
      hy_nearest_offer(nearest, e->name);
    }
  }
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

/* `t` is the time where nobody else has this name. */
static gboolean is_time(const HyFormula *ref)
{
  return !ref->own && strcmp(ref->ref.name, HY_TIME) == 0;
}

/* Nobody has this name: no index, no entry here, none that may be seen from here. */
static gboolean is_nowhere(const Env *env, const HyFormula *ref)
{
  const char *name = ref->ref.name;
  HyNameValue ignored;
  if (ref->own || is_time(ref) ||
      hy_index_value(env->index, env->at, env->n_index, name, &ignored) || is_unknown(env, name) ||
      (env->named != NULL && is_named_input(env, name))) {
    return FALSE;
  }
  for (const Scope *s = env->scope; s != NULL; s = s->around) {
    if (hy_scope_find(s, name) != NULL ||
        (s->around != NULL && s->entry != NULL &&
         hy_index_value(s->entry->index, s->at, s->entry->n_index, name, &ignored))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The names in F that nobody has, each once. */
static void find_nowhere(const Env *env, const HyFormula *f, guint depth, GPtrArray *names)
{
  if (f->kind == HY_F_REF) {
    if (is_nowhere(env, f) && !g_ptr_array_find(names, f->ref.name, NULL)) {
      g_ptr_array_add(names, hy_key(f->ref.name));
    }
    return;
  }
  for (guint32 k = 0; f->kind != HY_F_NUMBER && f->kind != HY_F_NOTHING && depth > 0 && k < f->n;
       k++) {
    find_nowhere(env, f->child[k], depth - 1, names);
  }
}

/* What a machine has itself; of what has unknowns otherwise they are told in its own words. */
static const char *const *own_names(const Env *env)
{
  static const char *const none[] = {NULL};
  return env->entry != NULL && env->entry->machine != NULL && env->unknown != NULL ? env->unknown
                                                                                   : none;
}

static void offer_all(const Env *env, HyNearest *nearest)
{
  for (const char *const *own = own_names(env); *own != NULL; own++) {
    hy_nearest_offer(nearest, *own);
  }
  if (env->mode == MODE_SOURCE) {
    offer(env, E_BLOCK, nearest);
    offer(env, E_IN, nearest);
  }
  offer(env, E_PARAM, nearest);
  offer(env, E_LET, nearest);
}

/* What other languages call otherwise; NULL: no such word. */
static const char *called_here(const char *word)
{
  static const char *const words[][2] = {{"time", HY_TIME}, {"yes", "true"},  {"no", "false"},
                                         {"on", "true"},    {"off", "false"}, {"True", "true"},
                                         {"False", "false"}};
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    if (strcmp(word, words[k][0]) == 0) {
      return words[k][1];
    }
  }
  return NULL;
}

/* "a" here; did you mean "b"? - of several: "a", "c" (did you mean "d"?) here */
static void list_nowhere(const Env *env, const GPtrArray *names, GString *text)
{
  const char *last = "";
  g_autofree char *hint = NULL;
  for (guint k = 0; k < names->len; k++) {
    HyNearest nearest = {.word = g_ptr_array_index(names, k)};
    offer_all(env, &nearest);
    if (nearest.best == NULL) {
      nearest.best = called_here(nearest.word);
    }
    g_free(hint);
    hint = hy_did_you_mean(nearest.best);
    g_string_append_printf(text, "%s\"%s\"", k > 0 ? ", " : "", nearest.word);
    if (names->len > 1 && nearest.best != NULL) {
      g_string_append_printf(text, " (%s)", hint + strlen("; "));
    }
    last = names->len == 1 ? hint : "";
  }
  g_string_append_printf(text, " here%s", last);
}

/* NAMES, which nobody has, with the nearest ones and all that there are. */
static HyNameKind unknown_names(const Env *env, const GPtrArray *names, GError **error)
{
  g_assert(env->scope != NULL);
  const Define *d = env->scope->define;
  g_autoptr(GString) text = g_string_new(NULL), list = g_string_new("(");
  env->loader->n_unknown++;
  list_nowhere(env, names, text);
  if (!is_read(env)) {
    return hy_name_wrong(error, "nothing is called %s", text->str);
  }
  for (const char *const *own = own_names(env); *own != NULL; own++) {
    g_string_append_printf(list, "%s%s", list->len > 1 ? " " : "of the machine: ", *own);
  }
  if (env->mode == MODE_SOURCE) {
    list_names(d, is_block, "blocks", list);
    list_names(d, is_in, "ports", list);
  }
  list_names(d, hy_is_value, "parameters", list);
  g_string_append_c(list, ')');
  return hy_name_wrong(error, "nothing is called %s %s", text->str, list->str);
}

/* With the others of the formula. */
static HyNameKind unknown(const Env *env, const HyFormula *ref, GError **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  g_ptr_array_add(names, hy_key(ref->ref.name));
  if (env->formula != NULL) {
    find_nowhere(env, env->formula, HY_FOLDED_DEPTH, names);
  }
  return unknown_names(env, names, error);
}

void hy_name_nowhere(const Env *env, GError **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  find_nowhere(env, env->formula, HY_FOLDED_DEPTH, names);
  if (names->len > 0) {
    g_clear_error(error);
    unknown_names(env, names, error);
  }
}

/* Parameters ---------------------------------------------------------------------------------- */

/* A parameter or let as a number, as numbers, or as one of them by its index. */
static HyNameKind value_of_param(const Env *env, Scope *scope, Entry *e, const HyFormula *ref,
                                 const gint64 *at, HyNameValue *out, GError **error)
{
  e->used = 1;
  if (ref->ref.port != NULL) {
    return hy_name_wrong(error, "\"%s.%s\": %s is a parameter and has no ports", e->name,
                         ref->ref.port, e->name);
  }
  const Value *v = hy_scope_value(env->loader, scope, e);
  if (v->state == V_BAD) {
    return hy_name_silent(error);
  }
  if (v->shape == V_TEXT && ref->n_index == 0) {
    const HyFile *f = e->define->file;
    out->text = v->text;
    out->choices = hy_text_of(f, hy_element(f->tree, e->element), HY_W_CHOICES);
    return HY_NAME_TEXT;
  }
  if (v->shape == V_TEXT) {
    return hy_name_wrong(error, "\"%s\" is a text; it takes no index", e->name);
  }
  if (ref->n_index == 0) {
    out->number = v->shape == V_NUMBER ? v->number : 0;
    out->numbers = v->shape == V_NUMBERS ? v->numbers : NULL;
    out->n = v->shape == V_NUMBERS ? v->n : 1;
    return v->shape == V_NUMBER ? HY_NAME_NUMBER : HY_NAME_NUMBERS;
  }
  if (v->shape == V_NUMBER) {
    return hy_name_wrong(error, "\"%s\" is one number; it takes no index", e->name);
  }
  if (ref->n_index != 1 || at[0] < 1 || at[0] > v->n) {
    return hy_name_wrong(error, "\"%s[%" G_GINT64_FORMAT "]\" does not exist (%s has 1..%u)",
                         e->name, at[0], e->name, v->n);
  }
  out->number = v->numbers[at[0] - 1];
  return HY_NAME_NUMBER;
}

/* Names are of the pool, so equal ones are one pointer. */
gboolean hy_index_value(const char *const *names, const gint64 *at, guint n, const char *name,
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
    return hy_name_wrong(
        error,
        "%s is computed while loading and %s is a signal; use <function name=\"%s\" "
        "formula=\"%s\"/>",
        what, signal->str, name, text);
  }
  if (strcmp(what, "if=") == 0) {
    return hy_name_wrong(
        error,
        "if= is decided while loading and %s is a signal; use <switch> or if(...) in a formula",
        signal->str);
  }
  if (g_str_has_suffix(what, "=")) {
    return hy_name_wrong(error, "%s is decided while loading and %s is a signal", what,
                         signal->str);
  }
  return hy_name_wrong(
      error,
      "%s is a parameter, fixed while loading, and %s is a signal; write a formula, e.g. <function "
      "name=\"%s\" formula=\"%s*y\"/>",
      what, signal->str, name, signal->str);
}

/* The name of an input port for what REF means: "v", or "T_in" for a port or copy of something. */
static char *port_for(const Entry *e, const HyFormula *ref)
{
  gboolean plain = ref->ref.port == NULL && ref->n_index == 0;
  return plain ? g_strdup(e->name)
               : g_strdup_printf("%s_in", ref->ref.port != NULL ? ref->ref.port : e->name);
}

/* A block or port of the model around is named inside: says how it is brought in, as it is written
 * there. */
static HyNameKind of_the_model_around(const Env *env, const Entry *e, const HyFormula *ref,
                                      GError **error)
{
  const char *inside = env->scope->define->name;
  g_autofree char *port = port_for(e, ref), *text = hy_formula_text(ref);
  return hy_name_wrong(
      error,
      "\"%s\" is a %s of the model around \"%s\"; bring it in by an input port: <in "
      "name=\"%s\"/> and "
      "%s=\"%s\" at %s",
      e->name,
      hy_is_node(e)        ? "node"
      : e->kind == E_BLOCK ? "block"
                           : "port",
      inside, port, port, text, inside);
}

/* Parameters, lets and indices of the models around, where they may be seen; else the time. */
HyNameKind hy_value_outside(const Env *env, const HyFormula *ref, const gint64 *at,
                            HyNameValue *out, GError **error)
{
  for (Scope *s = env->scope; s != NULL; s = s->around) {
    if (s != env->scope) {
      Entry *e = hy_scope_find(s, ref->ref.name);
      if (e != NULL && hy_is_value(e)) {
        return e->bad ? hy_name_silent(error) : value_of_param(env, s, e, ref, at, out, error);
      }
      if (e != NULL && env->mode == MODE_SOURCE && (s == env->scope->around || is_time(ref))) {
        return of_the_model_around(env, e, ref, error);
      }
    }
    if (s->around != NULL && s->entry != NULL &&
        hy_index_value(s->entry->index, s->at, s->entry->n_index, ref->ref.name, out)) {
      return HY_NAME_NUMBER;
    }
  }
  return !is_time(ref)                ? unknown(env, ref, error)
         : env->mode == MODE_CONSTANT ? not_while_loading(env, ref, error)
                                      : HY_NAME_SIGNAL;
}

/* Signals ------------------------------------------------------------------------------------- */

/* The order in which a name is looked up: indices of the copy, unknowns and named inputs of a
 * formula, entries of the model, then the models around. */
static HyNameKind env_value(gpointer user, const HyFormula *ref, const gint64 *at, HyNameValue *out,
                            GError **error)
{
  Env *env = user;
  const char *name = ref->ref.name;
  if (!ref->own) {
    if (hy_index_value(env->index, env->at, env->n_index, name, out)) {
      return HY_NAME_NUMBER;
    }
    if (is_unknown(env, name) || (env->named != NULL && is_named_input(env, name))) {
      return HY_NAME_SIGNAL;
    }
  }
  gboolean coils = env->names == NAMES_INDUCTORS; /* which have no port */
  Entry *e = coils ? hy_define_find(env->scope->define, name, TRUE) : NULL;
  e = e != NULL && hy_is_element(e) ? e : hy_scope_find_ref(env->scope, ref);
  if (env->names != NAMES_SIGNALS && e != NULL && hy_is_element(e)) { /* else it is in an index */
    return hy_network_name(env, e, ref, at, error);
  }
  if (e == NULL || (ref->own && e->kind != E_IN)) {
    return ref->own ? hy_name_wrong(error, "this model has no input port \"%s\"", name)
                    : hy_value_outside(env, ref, at, out, error);
  }
  if (hy_is_value(e)) {
    return e->bad ? hy_name_silent(error) : value_of_param(env, env->scope, e, ref, at, out, error);
  }
  if (env->mode == MODE_CONSTANT) {
    return not_while_loading(env, ref, error);
  }
  return e->kind == E_IN ? hy_signal_of_port(env, e, ref, at, error)
                         : hy_signal_of_block(env, e, ref, at, out, error);
}

static gboolean extent_of_copies(const Entry *e, const Copies *c, guint dim, gint64 *hi,
                                 GError **error)
{
  if (dim >= e->n_index) {
    hy_name_wrong(error,
                  e->n_index == 0 ? "\"%s\" has no copies; it takes no index"
                                  : "\"%s\" takes fewer indices",
                  e->name);
    return FALSE;
  }
  *hi = c->extent[dim];
  return TRUE;
}

/* Of a block's index, or of an output port of its copies. */
static gboolean extent_of_block(const Env *env, Scope *s, Entry *e, const HyFormula *ref,
                                const gint64 *at, guint dim, gint64 *hi, GError **error)
{
  if (e->bad || s->copies == NULL || !hy_scope_placed(env->loader, s, e) ||
      s->copies[e->slot].bad) {
    hy_name_silent(error);
    return FALSE;
  }
  const Copies *c = &s->copies[e->slot];
  if (e->node_port && dim < ref->n_index) {
    *hi = e->count != NULL ? c->extent[0] : 1;
    return TRUE;
  }
  if (hy_is_node(e)) {
    hy_name_wrong(error, "\"%s\" is a node; say which: %s[1..3].v", e->name, e->name);
    return FALSE;
  }
  if (dim < ref->n_index) {
    return extent_of_copies(e, c, dim, hi, error);
  }
  guint32 copy = hy_which_copy(env, e, ref, at, error);
  if (copy == HY_NO_COMPONENT || !hy_check_port(e, ref, TRUE, error)) {
    return FALSE;
  }
  copy = copy == COPY_BEFORE || copy == COPY_AFTER ? 0 : copy; /* as many as the copies have */
  const Entry *p = c->child != NULL ? g_hash_table_lookup(e->inside->outs, ref->ref.port) : NULL;
  const Scope *child = p != NULL && copy < c->n ? c->child[copy] : NULL;
  if (p != NULL && copy < c->n && (child == NULL || child->out == NULL)) { /* in work */
    hy_name_wrong(error, "the length of \"%s.%s\" depends on itself; give it a number", e->name,
                  p->name);
    return FALSE;
  }
  *hi = child != NULL ? child->out[p->slot].n : hy_is_element(e) ? 2 : 1; /* windings */
  return TRUE;
}

/* The range of "*". */
static gboolean env_extent(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                           gint64 *lo, gint64 *hi, GError **error)
{
  Env *env = user;
  Entry *e = hy_scope_find_ref(env->scope, ref);
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
  if (hy_is_value(e)) {
    e->used = 1;
    const Value *v = hy_scope_value(env->loader, s, e);
    *hi = v->state == V_DONE && v->shape == V_NUMBERS ? v->n : 1;
    return v->state == V_BAD ? (hy_name_silent(error), FALSE) : TRUE;
  }
  if (e->kind == E_IN) {
    *hi = s->in != NULL ? s->in[e->slot].n : 0;
    return TRUE;
  }
  if (env->mode == MODE_CONSTANT) {
    not_while_loading(env, ref, error);
    return FALSE;
  }
  return extent_of_block(env, s, e, ref, at, dim, hi, error);
}

const HyFormulaScope hy_env_scope = {.value = env_value, .extent = env_extent};
