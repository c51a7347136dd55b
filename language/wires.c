/* The couplings of a scope, once all its components are there; then what is still without a
 * source.
 *
 * Needs Lines from attributes (block.c, source.c) and the <wire> elements. A wire goes from each
 * of its first ends to each of the others, once for each of its copies. An End becomes a component
 * and a port number here, a line of an array port that wires fill makes it longer, and a constant
 * goes to all that reads it, through coupled models.
 *
 * A signal input takes one source: a second one is reported with the line of the first. Kinds and
 * units of both ends are compared. An input without a source is an error, unless it may stay open
 * or a message about its block was given already. */
#include "coupled/model_internal.h"
#include "language/expand.h"
#include <string.h>

#define IS_CONSTANT G_MAXUINT32 /* in place of a line: a constant came from outside */

typedef struct {
  guint component, port;
  PortKind kind;
  const char *unit;
} Place;

/* What a component is -------------------------------------------------------------------------- */

/* Port NUMBER when elements of arrays are counted one by one: from the first array on, all belong
 * to it. NULL: there is no such port. */
static const HyPort *class_port(const HyPort *ports, guint number)
{
  for (guint k = 0; ports != NULL && ports[k].name != NULL; k++) {
    if (k == number || ports[k].array) {
      return &ports[k];
    }
  }
  return NULL;
}

/* The port of an inner model to which element NUMBER belongs. */
static Entry *port_entry(const GPtrArray *ports, const PortRange *range, guint number)
{
  for (guint k = 0; k < ports->len; k++) {
    if (number >= range[k].first && number < range[k].first + range[k].n) {
      return g_ptr_array_index(ports, k);
    }
  }
  return NULL;
}

/* What arrives at an input, and its unit: by the class, or by the port of the inner model. */
static PortKind input_kind(Loader *l, const Scope *s, guint component, guint port,
                           const char **unit)
{
  const HyAtomicClass *klass = hy_model_class(s->model, component);
  *unit = NULL;
  if (klass != NULL) {
    const HyPort *p = class_port(klass->in, port);
    *unit = p != NULL ? p->unit : NULL;
    return p != NULL && p->kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
  }
  Scope *child = s->child_of[component];
  Entry *p = port_entry(child->define->in, child->in, port);
  if (p == NULL) {
    return PORT_UNKNOWN;
  }
  *unit = p->unit;
  return hy_port_kind(l, child->define, p);
}

/* Names for messages --------------------------------------------------------------------------- */

/* An end as a user would write it. Newly allocated. */
static char *end_text(const Scope *s, const End *end)
{
  GString *text = g_string_new(NULL);
  if (end->entry == NULL) {
    return g_string_free(g_string_append(text, hy_model_component_name(s->model, end->component)),
                         FALSE);
  }
  g_string_append(text, end->entry->name);
  if (end->entry->kind == E_BLOCK && end->entry->n_index > 0) {
    gint64 at[HY_MAX_INDICES];
    hy_copy_indices(end->entry, &s->copies[end->entry->slot], end->copy, at);
    g_string_truncate(text, 0);
    hy_copy_name(end->entry, at, text);
  }
  if (end->port != NULL) {
    g_string_append_printf(text, ".%s", end->port);
  }
  if (end->port_index > 0) {
    g_string_append_printf(text, "[%u]", end->port_index);
  }
  return g_string_free(text, FALSE);
}

static void say(Loader *l, const Scope *s, const Line *line, guint component, gboolean warning,
                const char *format, ...) G_GNUC_PRINTF(6, 7);
/* About a line: in the line of its attribute, once, with the path of the block it leads to. */
static void say(Loader *l, const Scope *s, const Line *line, guint component, gboolean warning,
                const char *format, ...)
{
  const HyAttribute *a = line->attribute;
  if (a != NULL && !hy_say_once(l, a, warning ? SAID_WARNING : SAID_ERROR)) {
    return;
  }
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autoptr(GString) path = g_string_new(NULL);
  if (!warning || s->parent != NULL) {
    hy_scope_path(s, path);
    g_string_append(path, path->len > 0 ? "/" : "");
  }
  guint at = a != NULL                ? a->line
             : line->to.entry != NULL ? line->to.entry->line
             : line->wire != NULL     ? line->wire->line
                                      : 0;
  if (warning) {
    hy_report_warning(l->report, line->file->name, at, "%s%s", path->str, what);
    return;
  }
  g_string_append(path, component != HY_SELF     ? hy_model_component_name(s->model, component)
                        : line->to.entry != NULL ? line->to.entry->name
                                                 : "");
  hy_report_error(l->report, line->file->name, at, "%s: %s", path->str, what);
}

/* Ends -> components and ports ----------------------------------------------------------------- */

static gboolean place_of_class(Loader *l, const Scope *s, const Line *line, const End *end,
                               gboolean outgoing, Place *p)
{
  const HyAtomicClass *klass = end->entry->klass;
  const HyPort *ports = outgoing ? klass->out : klass->in;
  guint k = hy_find_port(ports, end->port, NULL);
  guint n =
      outgoing ? hy_model_n_out(s->model, p->component) : hy_model_n_in(s->model, p->component);
  if (k == G_MAXUINT) {
    say(l, s, line, p->component, FALSE, "%s %s has no %s", klass->name, end->entry->name,
        outgoing ? "output" : "input");
    return FALSE;
  }
  p->kind = ports[k].kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
  p->unit = outgoing && k == 0 && end->entry->unit != NULL ? end->entry->unit : ports[k].unit;
  p->port = k;
  if (ports[k].array) {
    guint index = MAX(end->port_index, 1);
    p->port = hy_port_number(ports, n, k, index);
    if (p->port >= n && !outgoing &&
        index <= l->options.max_blocks) { /* a wire may lengthen the array */
      say(l, s, line, p->component, FALSE, "\"%s[%u]\" does not exist (%s has %u)", ports[k].name,
          index, ports[k].name, n - k);
      return FALSE;
    }
  }
  if (p->port >= n) {
    say(l, s, line, p->component, FALSE, "\"%s[%u]\" does not exist", ports[k].name,
        end->port_index);
    return FALSE;
  }
  return TRUE;
}

/* The port of an inner model that an end means. FALSE: none, and that is reported. */
static gboolean place_of_coupled(Loader *l, const Scope *s, const Line *line, const End *end,
                                 gboolean outgoing, Place *p)
{
  Scope *child = s->copies[end->entry->slot].child[end->copy];
  const Define *d = child->define;
  const GPtrArray *ports = outgoing ? d->out : d->in;
  Entry *port = end->port == NULL ? (ports->len > 0 ? g_ptr_array_index(ports, 0) : NULL)
                                  : g_hash_table_lookup(outgoing ? d->outs : d->inner, end->port);
  if (port == NULL || port->bad) {
    return FALSE;
  }
  const PortRange *range = outgoing ? &child->out[port->slot] : &child->in[port->slot];
  guint index = port->count != NULL ? end->port_index : 1;
  if (index < 1 || index > range->n || (port->count == NULL && end->port_index > 0)) {
    if (range->n > 0 || port->count != NULL) {
      say(l, s, line, p->component, FALSE, "\"%s\" of %s has %u element%s; write %s[1] ...",
          port->name, end->entry->name, range->n, range->n == 1 ? "" : "s", port->name);
    }
    return FALSE;
  }
  p->port = range->first + index - 1;
  p->kind = hy_port_kind(l, child->define, port);
  p->unit = outgoing && port->unit == NULL && port->slot == 0 ? end->entry->unit : port->unit;
  return TRUE;
}

static gboolean find_place(Loader *l, const Scope *s, const Line *line, const End *end,
                           gboolean outgoing, Place *p)
{
  Entry *e = end->entry;
  *p = (Place){.component = end->component, .port = end->number, .kind = PORT_SIGNAL};
  if (e == NULL) {
    if (end->component >= hy_model_n(s->model)) {
      return FALSE; /* its block was left out */
    }
    if (!outgoing) {
      p->kind = input_kind(l, s, p->component, p->port, &p->unit);
    }
    return TRUE;
  }
  if (e->kind == E_IN || e->kind == E_OUT) {
    const PortRange *range = e->kind == E_IN ? &s->in[e->slot] : &s->out[e->slot];
    p->component = HY_SELF;
    p->port = range->first + (end->port_index > 0 ? end->port_index - 1 : 0);
    p->kind = hy_port_kind(l, s->define, e);
    p->unit = e->unit;
    return range->n > 0;
  }
  p->component = s->copies[e->slot].component[end->copy];
  if (p->component >= hy_model_n(s->model)) {
    return FALSE;
  }
  return e->klass != NULL ? place_of_class(l, s, line, end, outgoing, p)
                          : place_of_coupled(l, s, line, end, outgoing, p);
}

/* Lines ---------------------------------------------------------------------------------------- */

static guint32 *source_of(Scope *s, const Place *to)
{
  return to->component == HY_SELF ? &s->out_source[to->port]
                                  : &s->source[s->in_base[to->component] + to->port];
}

/* With both, and how they are added. */
static void two_sources(Loader *l, const Scope *s, const Line *line, const Place *to, guint32 first)
{
  g_autofree char *port = to->component == HY_SELF
                              ? hy_model_out_name(s->model, HY_SELF, to->port)
                              : hy_model_in_name(s->model, to->component, to->port);
  const Line *other = first != IS_CONSTANT ? &g_array_index(s->lines, Line, first - 1) : line;
  g_autofree char *a = other->constant ? g_strdup("a number") : end_text(s, &other->from);
  g_autofree char *b = line->constant ? g_strdup("a number") : end_text(s, &line->from);
  guint at = other->attribute != NULL ? other->attribute->line : 0;
  say(l, s, line, to->component, FALSE,
      "%s \"%s\" has two sources, %s (line %u) and %s (line %u); add them with a formula: %s=\"%s "
      "+ %s\"",
      to->component == HY_SELF ? "output" : "input", port, a, at, b,
      line->attribute != NULL ? line->attribute->line : 0, to->component == HY_SELF ? "from" : port,
      a, b);
}

/* Puts a constant at an input; of a coupled model it waits there for the lines inside. */
static void put_constant(Loader *l, Scope *s, const Line *line, const Place *to, double v,
                         guint32 number)
{
  if (to->component == HY_SELF) {
    say(l, s, line, HY_SELF, FALSE,
        "wired straight from input \"%s\"; put a block between, e.g. from=\"1*%s\"",
        line->from.entry != NULL ? line->from.entry->name : "?",
        line->from.entry != NULL ? line->from.entry->name : "?");
    return;
  }
  guint32 *source = source_of(s, to);
  if (*source != 0) {
    two_sources(l, s, line, to, *source);
    return;
  }
  if (to->kind == PORT_EVENT) {
    g_autofree char *port = hy_model_in_name(s->model, to->component, to->port);
    say(l, s, line, to->component, FALSE, "input \"%s\" takes events; a number is no event", port);
    return;
  }
  *source = number;
  if (hy_model_class(s->model, to->component) != NULL) {
    hy_model_set_input(s->model, to->component, to->port, v, NULL);
    return;
  }
  Scope *child = s->child_of[to->component];
  if (child->in_const == NULL) {
    child->in_const = g_new0(double, child->n_in);
  }
  child->in_const[to->port] = v;
  child->in_state[to->port] = HY_CONSTANT;
}

/* Legal is every wire; a signal input behind events and unlike units are warnings. */
static void check_kinds(Loader *l, const Scope *s, const Line *line, const Place *from,
                        const Place *to)
{
  g_autofree char *name = NULL;
  if (from->kind == PORT_EVENT && to->kind == PORT_SIGNAL) {
    name = end_text(s, &line->from);
    g_autofree char *port =
        to->component != HY_SELF ? hy_model_in_name(s->model, to->component, to->port) : NULL;
    say(l, s, line, to->component, TRUE,
        "%s%s%s takes a signal and \"%s\" gives events; their payload must be a number",
        to->component != HY_SELF ? hy_model_component_name(s->model, to->component)
                                 : line->to.entry->name,
        port != NULL ? "." : "", port != NULL ? port : "", name);
  }
  if (from->unit != NULL && to->unit != NULL && hy_units_differ(from->unit, to->unit)) {
    g_free(name);
    name = end_text(s, &line->from);
    g_autofree char *port =
        to->component != HY_SELF ? hy_model_in_name(s->model, to->component, to->port) : NULL;
    say(l, s, line, to->component, TRUE, "%s%s%s is in \"%s\" but \"%s\" gives \"%s\"",
        to->component != HY_SELF ? hy_model_component_name(s->model, to->component)
                                 : line->to.entry->name,
        port != NULL ? "." : "", port != NULL ? port : "", to->unit, name, from->unit);
  }
}

/* A line between two places: not from a model's input straight to its output, not to the block
 * itself, and one only at a signal input. NUMBER is kept at the input, to name the first of two. */
static void draw(Loader *l, Scope *s, const Line *line, const Place *from, const Place *to,
                 guint32 number)
{
  if (from->component == to->component) {
    if (from->component == HY_SELF) {
      const char *in = line->from.entry->name;
      say(l, s, line, HY_SELF, FALSE,
          "wired straight from input \"%s\"; put a block between, e.g. from=\"1*%s\"", in, in);
    } else {
      say(l, s, line, to->component, FALSE,
          "wired to itself; a block may not feed itself directly (put a function between)");
    }
    return;
  }
  guint32 *source = source_of(s, to);
  if (*source != 0 && to->kind == PORT_SIGNAL) {
    two_sources(l, s, line, to, *source);
    return;
  }
  if (*source == 0) {
    *source = number;
  }
  check_kinds(l, s, line, from, to);
  if (to->component != HY_SELF && s->child_of != NULL && s->child_of[to->component] != NULL) {
    s->child_of[to->component]->in_state[to->port] = HY_WIRED;
  }
  GError *error = NULL;
  if (!hy_model_connect(s->model, from->component, from->port, to->component, to->port, &error)) {
    say(l, s, line, to->component, FALSE, "%s", error->message);
    g_error_free(error);
  }
}

static void draw_line(Loader *l, Scope *s, const Line *line, guint32 number)
{
  Place from, to;
  if (!find_place(l, s, line, &line->to, FALSE, &to)) {
    return;
  }
  if (line->constant) {
    put_constant(l, s, line, &to, line->number, number);
    return;
  }
  if (!find_place(l, s, line, &line->from, TRUE, &from)) {
    guint32 *source = source_of(s, &to); /* it has one, only a wrong one */
    *source = *source == 0 ? number : *source;
    return;
  }
  if (from.component == HY_SELF && s->in_state[from.port] == HY_CONSTANT) {
    put_constant(l, s, line, &to, s->in_const[from.port], number);
    return;
  }
  draw(l, s, line, &from, &to, number);
}

/* Wires ---------------------------------------------------------------------------------------- */

/* Sources: signals, with "*" and indices folded. */
static void wire_ends(Env *env, const HyFormula *f, gboolean outgoing, GArray *ends)
{
  const HyFormula *folded = hy_env_fold(env, f);
  for (guint32 k = 0; folded != NULL && k < folded->n; k++) {
    End end;
    if (folded->child[k]->kind == HY_F_REF && hy_env_end(env, folded->child[k], outgoing, &end)) {
      g_array_append_val(ends, end);
    }
  }
}

/* A target is not a value: its name is looked up by hy_env_end alone. */
static HyNameKind target_value(gpointer user, const HyFormula *ref, const gint64 *at,
                               HyNameValue *value, GError **error)
{
  Env *env = user;
  for (guint k = 0; k < env->n_index; k++) {
    if (env->index[k] == ref->ref.name) {
      value->number = (double)env->at[k];
      return HY_NAME_NUMBER;
    }
  }
  const Entry *e = hy_scope_find(env->scope, ref->ref.name);
  gboolean out = g_hash_table_lookup(env->scope->define->outs, ref->ref.name) != NULL;
  return (e != NULL && e->kind == E_BLOCK) || out ? HY_NAME_SIGNAL
                                                  : hy_env_scope.value(user, ref, at, value, error);
}

/* Targets are inputs, which have no value in a formula, so their names are looked up another way.
 */
static void target_ends(Env *env, const HyFormula *f, GArray *ends)
{
  HyFormulaScope scope = {.user = env, .value = target_value, .extent = hy_env_scope.extent};
  GError *error = NULL;
  const HyFormula *folded = hy_formula_fold(env->loader->scratch, f, &scope, &error);
  if (folded == NULL) {
    hy_problem_error(env, error);
    return;
  }
  for (guint32 k = 0; k < folded->n; k++) {
    End end;
    if (folded->child[k]->kind == HY_F_REF && hy_env_end(env, folded->child[k], FALSE, &end)) {
      g_array_append_val(ends, end);
    }
  }
}

/* Copies of a wire, their number in each index to EXTENT. Wires are limited like blocks, since
 * they cost as much. */
static guint32 wire_count(Loader *l, Scope *s, Entry *w, guint32 *extent)
{
  Env env = hy_env(l, s, w, w->count);
  env.what = "count=";
  guint64 total = 1;
  for (guint k = 0; k < w->n_index; k++) {
    double v;
    gint64 n;
    if (!hy_env_number(&env, w->f_count->child[k], &v)) {
      return 0;
    }
    if (!hy_formula_whole(v, &n) || n < 0) {
      hy_problem(&env, "count=\"%s\" is %g, not a whole number from 0", w->count->value, v);
      return 0;
    }
    extent[k] = (guint32)MIN(n, (gint64)G_MAXUINT32);
    total = MIN(total * extent[k], (guint64)1 << 40);
  }
  l->n_wires += total;
  if (l->n_wires > 4 * l->options.max_blocks) {
    hy_problem(&env,
               "more than %" G_GUINT64_FORMAT
               " wires; the limit is four for each block (--max-blocks)",
               4 * l->options.max_blocks);
    l->stopped = TRUE;
    return 0;
  }
  return (guint32)total;
}

/* The ends of one copy of a wire (End): it goes from each of the first to each of the others. */
typedef struct {
  GArray *from, *to;
} WireEnds;

/* One copy of a wire. */
static void wire_copy(Loader *l, Scope *s, Entry *w, const gint64 *at, WireEnds *ends,
                      guint32 number)
{
  Env env = hy_env(l, s, w, w->cond);
  hy_env_copy(&env, w, at);
  env.what = "if=";
  double yes = 1;
  if (w->f_cond != NULL && !hy_env_number(&env, w->f_cond, &yes)) {
    return;
  }
  if (yes == 0) {
    return;
  }
  g_array_set_size(ends->from, 0);
  g_array_set_size(ends->to, 0);
  env.mode = MODE_SOURCE;
  env.attribute = w->from;
  wire_ends(&env, w->f_from, TRUE, ends->from);
  env.attribute = w->to;
  target_ends(&env, w->f_to, ends->to);
  for (guint a = 0; a < ends->from->len; a++) {
    for (guint b = 0; b < ends->to->len; b++) {
      Line line = {.attribute = w->to, .file = env.file, .wire = w};
      line.from = g_array_index(ends->from, End, a);
      line.to = g_array_index(ends->to, End, b);
      g_array_index(s->lines, Line, number) =
          line; /* in place of the wire: messages find it there */
      draw_line(l, s, &line, number + 1);
    }
  }
  hy_formula_pool_clear(l->scratch);
}

/* Once for all instances; FALSE: reported. */
static gboolean parse_wire(Loader *l, Scope *s, Entry *w)
{
  if (w->f_from == NULL) {
    Env env = hy_env(l, s, w, w->from);
    w->f_from = hy_env_parse(&env, HY_TEXT_ENDS, w->from->value);
    env.attribute = w->to;
    w->f_to = hy_env_parse(&env, HY_TEXT_ENDS, w->to->value);
    env.attribute = w->cond;
    w->f_cond = w->cond != NULL ? hy_env_parse(&env, HY_TEXT_EXPRESSION, w->cond->value) : NULL;
    w->bad |= w->f_from == NULL || w->f_to == NULL || (w->cond != NULL && w->f_cond == NULL);
  }
  return !w->bad;
}

/* from="a.out" to="b.in" */
static gboolean draw_plain_wire(Loader *l, Scope *s, Entry *w, guint32 number)
{
  Env env = hy_env(l, s, w, w->to);
  Line line = {.attribute = w->to, .file = env.file, .wire = w};
  if (w->bad || w->count != NULL || w->cond != NULL ||
      !hy_plain_end(&env, w->from->value, TRUE, &line.from) ||
      !hy_plain_end(&env, w->to->value, FALSE, &line.to)) {
    return FALSE;
  }
  g_array_index(s->lines, Line, number) = line;
  draw_line(l, s, &line, number + 1);
  return TRUE;
}

/* Copy after copy; a plain wire is drawn without making formulas. */
static void draw_wire(Loader *l, Scope *s, Entry *w, guint32 number)
{
  if (draw_plain_wire(l, s, w, number) || w->bad || !parse_wire(l, s, w)) {
    return;
  }
  guint32 extent[HY_MAX_INDICES] = {0};
  guint32 n = w->count != NULL ? wire_count(l, s, w, extent) : 1;
  Copies shape = {.n = n};
  memcpy(shape.extent, extent, sizeof extent);
  WireEnds ends = {g_array_new(FALSE, FALSE, sizeof(End)), g_array_new(FALSE, FALSE, sizeof(End))};
  for (guint32 k = 0; k < n; k++) {
    gint64 at[HY_MAX_INDICES] = {0};
    hy_copy_indices(w, &shape, k, at);
    wire_copy(l, s, w, at, &ends, number);
  }
  g_array_unref(ends.from);
  g_array_unref(ends.to);
}

/* Whether some wire may lead to the output port OUT: its name is looked for in their texts. */
gboolean hy_is_wired(const Define *d, const Entry *out)
{
  for (guint k = 0; k < d->entries->len; k++) {
    const Entry *w = g_ptr_array_index(d->entries, k);
    if (w->kind == E_WIRE && w->to != NULL && strstr(w->to->value, out->name) != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Port arrays that wires fill: to="sum.in[3]" -------------------------------------------------- */

/* The array behind an end has as many elements as the highest index that a wire names. */
static void lengthen(Scope *s, const End *end)
{
  const HyAtomicClass *klass = end->entry != NULL ? end->entry->klass : NULL;
  guint k = klass != NULL ? hy_find_port(klass->in, end->port, NULL) : G_MAXUINT;
  guint component =
      klass != NULL ? s->copies[end->entry->slot].component[end->copy] : HY_NO_COMPONENT;
  if (k == G_MAXUINT || !klass->in[k].array || component >= hy_model_n(s->model)) {
    return;
  }
  guint index = MAX(end->port_index, 1);
  if (k + index > hy_model_n_in(s->model, component) && index <= 65536) {
    hy_model_set_array(s->model, component, index, index);
  }
}

/* Before any line is drawn, since ports cannot be added later. Wires of models without port arrays
 * are not looked at. */
static void lengthen_arrays(Loader *l, Scope *s)
{
  gboolean arrays = FALSE;
  for (guint k = 0; k < s->define->blocks->len && !arrays; k++) {
    const Entry *e = g_ptr_array_index(s->define->blocks, k);
    const HyPort *p = e->klass != NULL ? e->klass->in : NULL;
    for (; p != NULL && p->name != NULL; p++) {
      arrays |= p->array && !hy_takes_names(e->klass);
    }
  }
  for (guint k = 0; arrays && k < s->lines->len; k++) {
    Entry *w = g_array_index(s->lines, Line, k).wire;
    if (w == NULL || w->bad || !parse_wire(l, s, w)) {
      continue;
    }
    guint32 extent[HY_MAX_INDICES] = {0};
    guint32 n = w->count != NULL ? wire_count(l, s, w, extent) : 1;
    Copies shape = {.n = n};
    memcpy(shape.extent, extent, sizeof extent);
    g_autoptr(GArray) to = g_array_new(FALSE, FALSE, sizeof(End));
    for (guint32 c = 0; c < n; c++) {
      gint64 at[HY_MAX_INDICES] = {0};
      Env env = hy_env(l, s, w, w->to);
      hy_copy_indices(w, &shape, c, at);
      hy_env_copy(&env, w, at);
      env.mode = MODE_SOURCE;
      target_ends(&env, w->f_to, to);
    }
    for (guint e = 0; e < to->len; e++) {
      lengthen(s, &g_array_index(to, End, e));
    }
    hy_formula_pool_clear(l->scratch);
  }
}

/* Inputs without source ------------------------------------------------------------------------ */

/* An open signal input is an error, an open event input a warning: nothing may ever come there. */
static void say_open(Loader *l, Scope *s, const Entry *e, guint32 copy, const char *port,
                     PortKind kind)
{
  gint64 at[HY_MAX_INDICES] = {0};
  if (hy_was_said(l, e, SAID_ERROR) || !hy_say_once(l, e, SAID_OPEN)) {
    return;
  }
  hy_copy_indices(e, &s->copies[e->slot], copy, at);
  g_autoptr(GString) path = g_string_new(NULL);
  hy_scope_path(s, path);
  g_string_append(path, path->len > 0 ? "/" : "");
  hy_copy_name(e, at, path);
  const char *file = e->define->file->name;
  if (kind == PORT_SIGNAL) {
    g_autofree char *plain = g_strndup(port, strcspn(port, "["));
    hy_report_error(l->report, file, e->line,
                    "%s: input \"%s\" has no source; write %s=\"0\" if zero is meant", path->str,
                    port, plain);
  } else {
    hy_report_warning(l->report, file, e->line, "%s: input \"%s\" has no source", path->str, port);
  }
}

/* Whether a message about one of the block's attributes was given: then an open input is its
 * consequence. */
static gboolean has_said(const Loader *l, const Entry *e)
{
  const HyTree *tree = e->define->file->tree;
  const HyElement *x = hy_element(tree, e->element);
  for (guint32 k = 0; k < x->n_attributes; k++) {
    if (hy_was_said(l, hy_attribute(tree, x, k), SAID_ERROR | SAID_ELSEWHERE)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Also an array that must have elements and has none. */
static void check_open(Loader *l, Scope *s, const Entry *e, guint32 copy)
{
  guint component = s->copies[e->slot].component[copy];
  if (component >= hy_model_n(s->model)) {
    return;
  }
  guint n = hy_model_n_in(s->model, component);
  for (guint p = 0; p < n; p++) {
    if (s->source[s->in_base[component] + p] != 0) {
      continue;
    }
    const HyPort *port = e->klass != NULL ? class_port(e->klass->in, p) : NULL;
    const char *unit;
    if ((port != NULL && port->optional) || has_said(l, e)) {
      continue;
    }
    g_autofree char *name = hy_model_in_name(s->model, component, p);
    say_open(l, s, e, copy, name, input_kind(l, s, component, p, &unit));
  }
  const HyPort *array = e->klass != NULL ? class_port(e->klass->in, n) : NULL;
  if (array != NULL && array->array && !array->optional && n == (guint)(array - e->klass->in) &&
      !has_said(l, e)) {
    say_open(l, s, e, copy, array->name, array->kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL);
  }
}

/* Where the source of each input will be noted, by the number of the line + 1. */
static void prepare(Scope *s)
{
  guint n = hy_model_n(s->model);
  s->in_base = g_new(guint32, n + 1);
  guint32 total = 0;
  for (guint k = 0; k < n; k++) {
    s->in_base[k] = total;
    total += hy_model_n_in(s->model, k);
  }
  s->in_base[n] = total;
  s->source = g_new0(guint32, MAX(total, 1));
  s->out_source = g_new0(guint32, MAX(s->n_out, 1));
}

/* Inner models by component, for constants and ports. */
static void index_children(Scope *s)
{
  for (guint k = 0; k < s->define->blocks->len; k++) {
    const Copies *c = &s->copies[k];
    for (guint32 i = 0; c->child != NULL && !c->bad && i < c->n; i++) {
      if (c->child[i] != NULL && c->component[i] < hy_model_n(s->model)) {
        if (s->child_of == NULL) {
          s->child_of = g_new0(Scope *, hy_model_n(s->model));
        }
        s->child_of[c->component[i]] = c->child[i];
      }
    }
  }
}

/* Lines in the order of the file: the couplings of a source keep it. Then what is still open;
 * functions are left out, whose inputs come from their formula. */
void hy_scope_lines(Loader *l, Scope *s)
{
  lengthen_arrays(l, s);
  prepare(s);
  index_children(s);
  for (guint k = 0; k < s->lines->len && !l->stopped; k++) {
    Line line = g_array_index(s->lines, Line, k);
    if (line.wire != NULL) {
      draw_wire(l, s, line.wire, k);
    } else {
      draw_line(l, s, &line, k + 1);
    }
  }
  for (guint k = 0; k < s->define->blocks->len && !l->stopped; k++) {
    const Entry *e = g_ptr_array_index(s->define->blocks, k);
    gboolean function = e->klass != NULL && hy_takes_names(e->klass);
    for (guint32 c = 0; !s->copies[k].bad && !e->bad && !function && c < s->copies[k].n; c++) {
      check_open(l, s, e, c);
    }
  }
}
