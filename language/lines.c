/* Lines become couplings: each end is a port of a component, kinds and units are compared, a
 * constant goes down to where it is used.
 *
 * Needs all components of the scope (block.c) and their port arrays in full length (wires.c).
 * Leaves couplings and constants in the HyModel, and in the scope which inputs have a source. */
#include "language/lines.h"
#include "atomics/machine/machine.h"
#include "coupled/model_internal.h"
#include "coupled/order.h"
#include "language/checks.h"
#include "language/circuits.h"
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
const HyPort *hy_class_port(const HyPort *ports, guint number)
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
PortKind hy_input_kind(Loader *l, const Scope *s, guint component, guint port, const char **unit)
{
  const HyAtomicClass *klass = hy_model_class(s->model, component);
  *unit = NULL;
  if (klass != NULL) {
    const HyPort *p = hy_class_port(klass->in, port);
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
  if (hy_is_element(end->entry)) {
    g_string_assign(text, hy_network_element_name(s, end));
  } else if (end->entry->kind == E_BLOCK && end->entry->n_index > 0) {
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
  if (a != NULL && !hy_note_once(l, a, warning ? REPORTED_WARNING : REPORTED_ERROR)) {
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

/* N lines more from where LINE is. FALSE: they are too many, which is reported: from each of many
 * to each of many others there are more than a machine can keep, however few the blocks are. */
gboolean hy_may_have_lines(Loader *l, const Scope *s, const Line *line, guint64 n)
{
  guint64 most = MAX(l->options.max_blocks / 4, 4 * l->n_blocks);
  l->n_lines += n;
  if (!l->stopped && l->n_lines > most) {
    g_autoptr(GString) path = g_string_new(NULL);
    hy_scope_path(s, path);
    const char *block = line->to.entry != NULL ? line->to.entry->name : "";
    const char *slash = path->len > 0 && *block != '\0' ? "/" : "";
    const char *colon = path->len > 0 || *block != '\0' ? ": " : "";
    hy_report_error(
        l->report, line->file->name, line->attribute != NULL ? line->attribute->line : 0,
        "%s%s%s%smore than %" G_GUINT64_FORMAT
        " wires; the limit is a quarter of that of blocks, or four for each block (--max-blocks)",
        path->str, slash, block, colon, most);
    l->stopped = TRUE;
  }
  return !l->stopped;
}

/* To be drawn when all components are there; what a wire becomes is counted then. */
void hy_keep_line(Loader *l, Scope *s, const Line *line)
{
  if (line->wire != NULL || hy_may_have_lines(l, s, line, 1)) {
    g_array_append_val(s->lines, *line);
  }
}

/* Ends -> components and ports ----------------------------------------------------------------- */

/* Something was said of an attribute of the block: its ports may be missing because of that. */
static gboolean is_faulty(const Loader *l, const Entry *e)
{
  for (guint k = 0; e->plan != NULL && k < e->plan->n; k++) {
    if (hy_was_reported(l, e->plan->item[k].attribute, REPORTED_ERROR | REPORTED_ELSEWHERE)) {
      return TRUE;
    }
  }
  return FALSE;
}

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
  if (p->port >= n && !is_faulty(l, end->entry)) {
    say(l, s, line, p->component, FALSE, "\"%s[%u]\" does not exist", ports[k].name,
        MAX(end->port_index, 1));
  }
  if (p->port >= n) {
    return FALSE;
  }
  return TRUE;
}

static const PortRange *range_of(const Scope *child, const Entry *port, gboolean outgoing)
{
  return outgoing ? &child->out[port->slot] : &child->in[port->slot];
}

/* PORT of an inner model is left out by its `if`; that is reported. */
static gboolean is_left_out(Loader *l, const Scope *s, const Line *line, const End *end,
                            gboolean outgoing, const Entry *port)
{
  const Copies *copies = &s->copies[end->entry->slot];
  const PortRange *range = range_of(copies->child[end->copy], port, outgoing);
  if (port->cond == NULL || range->n > 0) {
    return FALSE;
  }
  if (!hy_was_reported(l, port->cond, REPORTED_ERROR)) {
    say(l, s, line, copies->component[end->copy], FALSE,
        "%s \"%s\" of %s is left out there by its if", outgoing ? "output" : "input", port->name,
        end->entry->name);
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
  const PortRange *range = range_of(child, port, outgoing);
  guint index = port->count != NULL ? end->port_index : 1;
  if (is_left_out(l, s, line, end, outgoing, port)) {
    return FALSE;
  }
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

static gboolean find_place(Loader *l, Scope *s, const Line *line, const End *end, gboolean outgoing,
                           Place *p)
{
  Entry *e = end->entry;
  *p = (Place){.component = end->component, .port = end->number, .kind = PORT_SIGNAL};
  if (e == NULL) {
    if (end->component >= hy_model_n(s->model)) {
      return FALSE; /* its block was left out */
    }
    if (!outgoing) {
      p->kind = hy_input_kind(l, s, p->component, p->port, &p->unit);
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
  if (hy_is_element(e)) {
    guint k = hy_find_port(e->klass->out, end->port, NULL);
    p->unit = k != G_MAXUINT ? e->klass->out[k].unit : NULL;
    return outgoing && hy_network_place(s, end, &p->component, &p->port);
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
  if (line->attribute != NULL && hy_was_reported(l, line->attribute, REPORTED_ERROR)) {
    return; /* there may be very many */
  }
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

/* "uS.trigger", the place that a line leads to; what the formulas of a machine read has no name of
 * its own. Newly allocated. */
static char *place_text(const Scope *s, const Line *line, const Place *to)
{
  const HyAtomicClass *klass =
      to->component != HY_SELF ? hy_model_class(s->model, to->component) : NULL;
  const HyMachine *m = hy_machine_of(klass);
  if (m != NULL && to->port >= m->n_in) {
    return g_strdup_printf("a formula of %s", hy_model_component_name(s->model, to->component));
  }
  if (to->component == HY_SELF) {
    return g_strdup(line->to.entry->name);
  }
  g_autofree char *port = hy_model_in_name(s->model, to->component, to->port);
  return g_strdup_printf("%s.%s", hy_model_component_name(s->model, to->component), port);
}

/* Whether a block of the class reads a signal and is no state: it looks at it when an event comes.
 * Of machines nobody knows how many they wait for. */
static gboolean is_sampler(const HyAtomicClass *klass)
{
  gboolean reads = FALSE;
  for (const HyPort *p = klass != NULL ? klass->in : NULL; p != NULL && p->name != NULL; p++) {
    reads |= p->kind == HY_SIGNAL;
  }
  return reads && klass->order == NULL && hy_machine_of(klass) == NULL;
}

/* The parameter NAME of a block, where it is; NULL: there is none. */
static gconstpointer parameter(const HyModel *m, guint component, const char *name)
{
  gsize size;
  const guint8 *image = hy_component_image(m, component, &size);
  const HyAtomicClass *klass = hy_model_class(m, component);
  const HyParam *p = klass != NULL && image != NULL ? klass->params : NULL;
  while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0) {
    p++;
  }
  return p != NULL && p->name != NULL ? image + p->offset : NULL;
}

/* A block that says a list of values, and it anew behind its end. */
static gboolean repeats(const HyModel *m, guint component)
{
  const gboolean *repeat = parameter(m, component, "repeat");
  return repeat != NULL && *repeat;
}

/* How many values a block of a list of them has to say; G_MAXUINT: it has no such list. */
static guint n_values(const HyModel *m, guint component)
{
  const HyAtomicClass *klass = hy_model_class(m, component);
  const HyParam *p = klass != NULL ? klass->params : NULL;
  while (p != NULL && p->name != NULL && p->kind != HY_VALUES) {
    p++;
  }
  if (p == NULL || p->name == NULL) {
    return G_MAXUINT;
  }
  gsize size;
  const guint8 *image = hy_component_image(m, component, &size);
  if (image == NULL) { /* its parameters have mistakes */
    return G_MAXUINT;
  }
  return ((const HyValues *)(gconstpointer)(image + p->offset))->n;
}

/* Events are counted, not looked at: each piece of a signal would be one, for whatever reason it
 * was said. And a list of one value is no clock. */
static void check_events(Loader *l, const Scope *s, const Line *line, const Place *from,
                         const Place *to)
{
  gboolean once = from->kind == PORT_EVENT && to->component != HY_SELF &&
                  from->component != HY_SELF &&
                  is_sampler(hy_model_class(s->model, to->component)) &&
                  n_values(s->model, from->component) == 1 && !repeats(s->model, from->component);
  if (from->kind != PORT_SIGNAL && !once) {
    return;
  }
  g_autofree char *at = place_text(s, line, to);
  g_autofree char *name = end_text(s, &line->from);
  if (once) {
    say(l, s, line, to->component, TRUE,
        "%s gets one event in the whole run: \"%s\" has one value to say, and its period goes from "
        "one value to the next",
        at, name);
  } else {
    say(l, s, line, to->component, TRUE,
        "%s takes events and \"%s\" gives a signal: each piece of it counts as one, both edges of "
        "a pulse, each step of a state; put a crossing between, or take a generator",
        at, name);
  }
}

/* Legal is every wire; a signal input behind events, an event input behind signals and unlike units
 * are warnings. */
static void check_kinds(Loader *l, const Scope *s, const Line *line, const Place *from,
                        const Place *to)
{
  if (to->kind == PORT_EVENT) {
    check_events(l, s, line, from, to);
  }
  gboolean events = from->kind == PORT_EVENT && to->kind == PORT_SIGNAL;
  gboolean units = from->unit != NULL && to->unit != NULL && hy_units_differ(from->unit, to->unit);
  if (!events && !units) {
    return;
  }
  g_autofree char *at = place_text(s, line, to);
  g_autofree char *name = end_text(s, &line->from);
  if (events) {
    say(l, s, line, to->component, TRUE,
        "%s takes a signal and \"%s\" gives events; their payload must be a number", at, name);
  }
  if (units) {
    say(l, s, line, to->component, TRUE, "%s is in \"%s\" but \"%s\" gives \"%s\"", at, to->unit,
        name, from->unit);
  }
}

/* What is wrong with a wire from a block to itself; KLASS: NULL of a coupled one. */
static const char *why_not_itself(const HyAtomicClass *klass)
{
  if (klass == NULL || !hy_answers_at_once(klass)) {
    return "a block may not feed itself directly (put a function between)";
  }
  return hy_breaks_loops(klass) ? "whatever it says comes back, so nothing determines it"
                                : "it answers at once, so that is an algebraic loop; break it with "
                                  "an integrator, a delay or a loop_breaker";
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
      say(l, s, line, to->component, FALSE, "wired to itself; %s",
          why_not_itself(hy_component(s->model, to->component)->klass));
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

void hy_mark_source(Loader *l, Scope *s, const Line *line, guint32 number)
{
  Place to;
  if (find_place(l, s, line, &line->to, FALSE, &to)) {
    guint32 *source = source_of(s, &to);
    *source = *source == 0 ? number : *source;
  }
}

void hy_draw_line(Loader *l, Scope *s, const Line *line, guint32 number)
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
    hy_mark_source(l, s, line, number);
    return;
  }
  if (from.component == HY_SELF && s->in_state[from.port] == HY_CONSTANT) {
    put_constant(l, s, line, &to, s->in_const[from.port], number);
    return;
  }
  draw(l, s, line, &from, &to, number);
}
