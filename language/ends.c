/* Blocks and ports that a reference names: which copy, which port, as a value in a formula or as
 * the end of a line. Needs the types of blocks (types.c) and their copies (place.c). */
#include "coupled/model_internal.h"
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"
#include <string.h>

/* "a/b.out" where A is a model and b a block in it. */
static gboolean through_a_wall(const Env *env, const Entry *a, GError **error)
{
  const char *text = env->attribute != NULL ? env->attribute->value : "";
  gsize n = strlen(a->name);
  if (a->inside == NULL || strncmp(text, a->name, n) != 0 || text[n] != '/') {
    return FALSE;
  }
  const char *slash = text + n;
  g_autofree char *inner = g_strndup(slash + 1, strcspn(slash + 1, ".[ /"));
  const Entry *b =
      g_hash_table_lookup(a->inside->inner, hy_formula_pool_name(env->loader->pool, inner));
  if (b == NULL) {
    return FALSE;
  }
  hy_name_wrong(
      error,
      "\"%s\" is inside another model; give \"%s\" an output port: <out name=\"...\" from=\"%s\"/>",
      text, a->name, hy_is_element(b) ? slash + 1 : inner);
  return TRUE;
}

static void list_class_ports(const HyPort *p, GString *list)
{
  for (; p != NULL && p->name != NULL; p++) {
    hy_list_word(list, p->name);
  }
}

static void list_ports(const GPtrArray *ports, GString *list)
{
  for (guint k = 0; k < ports->len; k++) {
    const Entry *port = g_ptr_array_index(ports, k);
    g_assert(port != NULL);
    hy_list_word(list, port->name);
  }
}

/* Of a class or of a definition. */
static gboolean is_param_of(const Entry *e, const char *name)
{
  const Entry *p = e->klass == NULL ? g_hash_table_lookup(e->inside->inner, name) : NULL;
  return e->klass != NULL ? hy_class_param(e->klass, name) != NULL : p != NULL && hy_is_value(p);
}

static void list_ports_of(const Entry *e, gboolean outgoing, GString *list)
{
  if (e->klass != NULL) {
    list_class_ports(outgoing ? e->klass->out : e->klass->in, list);
  } else {
    list_ports(outgoing ? e->inside->out : e->inside->in, list);
  }
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
    return hy_name_wrong(error, "\"%s.%s\" is a parameter, not an %s", e->name, port, word);
  }
  list_ports_of(e, outgoing, list);
  if (port == NULL || list->len == 0) {
    return hy_name_wrong(error, "%s %s has no %s", type, e->name, word);
  }
  return hy_name_wrong(error, "%s %s has no %s \"%s\"; it has: %s", type, e->name, word, port,
                       list->str);
}

/* Always FALSE. */
static gboolean no_such_winding(const Entry *e, const char *port, GError **error)
{
  hy_name_wrong(error, "transformer \"%s\" has two windings: %s.%s[1] or %s.%s[2]", e->name,
                e->name, port, e->name, port);
  return FALSE;
}

static gboolean check_class_port(const Entry *e, const HyFormula *ref, gboolean outgoing,
                                 GError **error)
{
  const char *port = ref->ref.port;
  const HyPort *ports = outgoing ? e->klass->out : e->klass->in;
  guint k = hy_find_port(ports, port, NULL);
  if (k == G_MAXUINT) {
    no_such_port(e, port, outgoing, error);
    return FALSE;
  }
  if (hy_is_element(e) && ports[k].array && ref->n_port_index != 1) {
    return no_such_winding(e, ports[k].name, error);
  }
  if (ref->n_port_index > 0 && !ports[k].array) {
    hy_name_wrong(error, "%s.%s is one port; it takes no index", e->name, ports[k].name);
    return FALSE;
  }
  return TRUE;
}

static gboolean check_inside_port(const Entry *e, const char *port, gboolean outgoing,
                                  GError **error)
{
  const Define *d = e->inside;
  const GPtrArray *all = outgoing ? d->out : d->in;
  const Entry *first = all->len > 0 ? g_ptr_array_index(all, 0) : NULL;
  const Entry *p = port == NULL ? first : g_hash_table_lookup(outgoing ? d->outs : d->inner, port);
  if (p == NULL || p->kind != (outgoing ? E_OUT : E_IN)) {
    no_such_port(e, port, outgoing, error);
    return FALSE;
  }
  return TRUE;
}

/* Checks the port of a block that REF names. */
gboolean hy_check_port(const Entry *e, const HyFormula *ref, gboolean outgoing, GError **error)
{
  if (ref->ref.port == NULL && outgoing && hy_is_element(e)) {
    hy_name_wrong(error,
                  hy_is_node(e) ? "\"%s\" is a node; its voltage is %s.v"
                                : "\"%s\" is an element of the circuit: %s.i or %s.v?",
                  e->name, e->name, e->name);
    return FALSE;
  }
  return e->klass != NULL ? check_class_port(e, ref, outgoing, error)
                          : check_inside_port(e, ref->ref.port, outgoing, error);
}

/* An index where one of several outputs is meant: three_phase has a, b and c. */
static void no_index(const Entry *e, const HyFormula *ref, GError **error)
{
  g_autoptr(GString) list = g_string_new(NULL);
  list_ports_of(e, TRUE, list);
  gboolean several = ref->ref.port == NULL && strchr(list->str, ' ') != NULL;
  hy_name_wrong(error, "\"%s\" has no copies; it takes no index%s%s", e->name,
                several ? "; it has the outputs: " : "", several ? list->str : "");
}

/* Of a block that is not repeated. */
static guint32 only_copy(const Copies *c, const Entry *e, const HyFormula *ref, GError **error)
{
  if (ref->n_index == 0 && c->n > 0) {
    return 0;
  }
  if (ref->n_index > 0) {
    no_index(e, ref, error);
  } else {
    hy_name_wrong(error, "\"%s\" is left out here by its if", e->name);
  }
  return HY_NO_COMPONENT;
}

/* A block with copies is named without an index, or with too few: says how it is done. */
static guint32 wrong_indices(const Copies *c, const Entry *e, const HyFormula *ref, GError **error)
{
  if (ref->n_index > 0) {
    hy_name_wrong(error, "\"%s\" takes %u indices, not %u", e->name, e->n_index, ref->n_index);
    return HY_NO_COMPONENT;
  }
  g_autofree char *port =
      ref->ref.port != NULL ? g_strconcat(".", ref->ref.port, NULL) : g_strdup("");
  static const char *const one[] = {"1", "1,1", "1,1,1"}, *const all[] = {"*", "*,*", "*,*,*"};
  hy_name_wrong(error, "\"%s\" has %u copies; write %s[%s]%s ... or sum(%s[%s]%s)", e->name, c->n,
                e->name, one[e->n_index - 1], port, e->name, all[e->n_index - 1], port);
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
  hy_name_wrong(error, "\"%s\" does not exist (%s has %s)%s", name->str, e->name,
                c->n > 0 ? range->str : "no copies", say);
  return HY_NO_COMPONENT;
}

/* The number of the copy of block E that AT means; COPY_BEFORE, COPY_AFTER; HY_NO_COMPONENT: an
 * error. */
guint32 hy_which_copy(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                      GError **error)
{
  const Copies *c = &env->scope->copies[e->slot];
  if (hy_is_node(e) && e->n_index == ref->n_index) {
    return hy_node_copy(env, e, at, error);
  }
  if (hy_is_node(e)) {
    hy_name_wrong(error, "node \"%s\" takes %u ind%s, not %u", e->name, e->n_index,
                  e->n_index == 1 ? "ex" : "ices", ref->n_index);
    return HY_NO_COMPONENT;
  }
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
    hy_name_wrong(error, "this copy of \"%s\" is left out by its if", e->name);
    return HY_NO_COMPONENT;
  }
  return (guint32)number;
}

/* A block's output as a value in a formula; beyond its copies what stands there. */
HyNameKind hy_signal_of_block(const Env *env, Entry *e, const HyFormula *ref, const gint64 *at,
                              HyNameValue *out, GError **error)
{
  if (e->bad || env->scope->copies == NULL || !hy_scope_placed(env->loader, env->scope, e) ||
      env->scope->copies[e->slot].bad) {
    return hy_name_silent(error);
  }
  guint32 copy = hy_which_copy(env, e, ref, at, error);
  if (copy == HY_NO_COMPONENT) {
    return HY_NAME_ERROR;
  }
  if ((copy == COPY_BEFORE || copy == COPY_AFTER) && env->scope->boundary == NULL &&
      env->scope->define->is_circuit) {
    return hy_name_wrong(error,
                         "\"%s\" beyond its copies cannot stand in what an element needs; "
                         "write what is there",
                         e->name);
  }
  if (copy == COPY_BEFORE || copy == COPY_AFTER) {
    if (env->scope->boundary == NULL) { /* only a length is asked for, before there are any */
      return HY_NAME_SIGNAL;
    }
    const Boundary *b = &env->scope->boundary[2 * e->slot + (copy == COPY_AFTER)];
    if (b->state == BOUNDARY_NUMBER) {
      out->number = b->number;
      return HY_NAME_NUMBER;
    }
    return b->state == BOUNDARY_END || b->state == BOUNDARY_FORMULA ? HY_NAME_SIGNAL
                                                                    : hy_name_silent(error);
  }
  return !through_a_wall(env, e, error) && hy_check_port(e, ref, TRUE, error) ? HY_NAME_SIGNAL
                                                                              : HY_NAME_ERROR;
}

/* An input port of the model itself, or an element of one. */
HyNameKind hy_signal_of_port(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                             GError **error)
{
  if (e->bad) {
    return hy_name_silent(error);
  }
  guint n = env->scope->in[e->slot].n;
  if (e->cond != NULL && n == 0) {
    return hy_name_wrong(error, "input port \"%s\" is left out here by its if", e->name);
  }
  if (ref->ref.port != NULL) {
    return hy_name_wrong(error, "\"%s.%s\": %s is an input port", e->name, ref->ref.port, e->name);
  }
  if (e->count == NULL) {
    return ref->n_index == 0
               ? HY_NAME_SIGNAL
               : hy_name_wrong(error, "\"%s\" is one port; it takes no index", e->name);
  }
  if (ref->n_index == 0) {
    return hy_name_wrong(error, "\"%s\" has %u elements; write %s[1] ... or %s[*]", e->name, n,
                         e->name, e->name);
  }
  if (ref->n_index != 1 || at[0] < 1 || at[0] > n) {
    return hy_name_wrong(error, "\"%s[%" G_GINT64_FORMAT "]\" does not exist (%s has 1..%u)",
                         e->name, at[0], e->name, n);
  }
  return HY_NAME_SIGNAL;
}

/* Ends ---------------------------------------------------------------------------------------- */

/* Beyond the copies stands block E, named without a port, and REF asks for one: whether that is
 * E's, too. A block with one output stands for whatever is asked, as a number does, unless the
 * output has the name that is asked; of one with several the asked one is meant, and must exist. */
gboolean hy_asks_port(const Entry *e, const HyFormula *ref)
{
  const char *port = ref->ref.port;
  if (port == NULL || e->kind != E_BLOCK) {
    return FALSE;
  }
  if (e->klass == NULL) {
    return e->inside->out->len != 1 || g_hash_table_lookup(e->inside->outs, port) != NULL;
  }
  guint n;
  return hy_find_port(e->klass->out, port, &n) != G_MAXUINT || n != 1;
}

static guint32 port_index(const HyFormula *ref)
{
  return ref->n_port_index > 0 ? (guint32)CLAMP(ref->ref.at[ref->n_index], 0, G_MAXINT32) : 0;
}

/* What before= or after= says, as the source that REF asks for. */
static gboolean end_beyond(Env *env, const HyFormula *ref, const Boundary *b, End *end)
{
  *end = b->end;
  if (end->port != NULL || !hy_asks_port(end->entry, ref)) {
    return TRUE;
  }
  GError *error = NULL;
  if (!hy_check_port(end->entry, ref, TRUE, &error)) {
    hy_problem_error(env, error);
    return FALSE;
  }
  end->port = ref->ref.port;
  end->port_index = port_index(ref);
  return TRUE;
}

/* A port of the model that the line is in: its inputs are sources, its outputs targets. */
static gboolean end_of_own_port(Env *env, Entry *e, const HyFormula *ref, End *end)
{
  *end = (End){.entry = e, .port_index = ref->n_index > 0 ? (guint32)ref->ref.at[0] : 0};
  guint n = e->kind == E_IN ? env->scope->in[e->slot].n : env->scope->out[e->slot].n;
  if (e->cond != NULL && n == 0) {
    hy_problem(env, "port \"%s\" is left out here by its if", e->name);
    return FALSE;
  }
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
  Entry *e = hy_scope_find_ref(env->scope, ref);
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

/* E, or what REF means outside, is neither a block nor a port that can be this end of a line: only
 * the time is one. FALSE: reported. */
static gboolean end_of_no_port(Env *env, const Entry *e, const HyFormula *ref, gboolean outgoing,
                               End *end)
{
  GError *error = NULL;
  HyNameValue ignored;
  if (e == NULL && hy_value_outside(env, ref, ref->ref.at, &ignored, &error) == HY_NAME_SIGNAL) {
    return hy_clock_end(env, ref, end);
  }
  if (e != NULL) {
    hy_name_wrong(&error, "\"%s\" is %s, not an %s", e->name,
                  e->kind == E_IN ? "an input port of the model itself" : "a parameter",
                  outgoing ? "output" : "input");
  }
  if (error == NULL) {
    hy_name_wrong(&error, "\"%s\" is a number; a wire goes from an output to an input",
                  ref->ref.name);
  }
  hy_problem_error(env, error);
  return FALSE;
}

/* Where a line begins or ends. FALSE: it can do neither, and that is reported. */
gboolean hy_env_end(Env *env, const HyFormula *ref, gboolean outgoing, End *end)
{
  Entry *e = end_entry(env, ref, outgoing);
  GError *error = NULL;
  if (e == NULL && outgoing && hy_network_hidden(env->scope, ref, end)) {
    return TRUE;
  }
  if (e == NULL || hy_is_value(e) || (!outgoing && e->kind == E_IN)) {
    return end_of_no_port(env, e, ref, outgoing, end);
  }
  if (e->kind != E_BLOCK) {
    return end_of_own_port(env, e, ref, end);
  }
  if (e->bad || env->scope->copies[e->slot].bad) {
    return FALSE;
  }
  guint32 copy = hy_which_copy(env, e, ref, ref->ref.at, &error);
  if (copy == HY_NO_COMPONENT || (copy < COPY_AFTER && !hy_check_port(e, ref, outgoing, &error))) {
    hy_problem_error(env, error);
    return FALSE;
  }
  if (copy >= COPY_AFTER) {
    const Boundary *b = &env->scope->boundary[2 * e->slot + (copy == COPY_AFTER)];
    if (b->state != BOUNDARY_END || !outgoing) {
      hy_problem(env, "\"%s\" beyond its copies is no port", e->name);
      return FALSE;
    }
    return end_beyond(env, ref, b, end);
  }
  *end = (End){.entry = e, .copy = copy, .port = ref->ref.port, .port_index = port_index(ref)};
  if (hy_is_element(e)) {
    gint64 winding = ref->n_port_index > 0 ? ref->ref.at[ref->n_index] : 1;
    if ((winding < 1 || winding > 2) && !no_such_winding(e, end->port, &error)) {
      hy_problem_error(env, error);
      return FALSE;
    }
    hy_network_want(env->scope, end);
  }
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
  if (e == NULL || e->kind != E_BLOCK || e->count != NULL || hy_is_choice(e) || e->bad ||
      e->klass == NULL || hy_is_element(e) || env->scope->copies[e->slot].bad) {
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
