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
#include "language/env.h"
#include "language/lines.h"
#include <string.h>

/* An open signal input is an error, an open event input a warning: nothing may ever come there. */
static void say_open(Loader *l, Scope *s, const Entry *e, guint32 copy, const char *port,
                     PortKind kind)
{
  gint64 at[HY_MAX_INDICES] = {0};
  if (hy_was_reported(l, e, REPORTED_ERROR) || !hy_note_once(l, e, REPORTED_OPEN)) {
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
    if (hy_was_reported(l, hy_attribute(tree, x, k), REPORTED_ERROR | REPORTED_ELSEWHERE)) {
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
  const Scope *child = s->child_of != NULL ? s->child_of[component] : NULL;
  n = child != NULL ? child->n_in : n; /* without those of signals that a network carries in */
  for (guint p = 0; p < n; p++) {
    if (s->source[s->in_base[component] + p] != 0) {
      continue;
    }
    const HyPort *port = e->klass != NULL ? hy_class_port(e->klass->in, p) : NULL;
    const char *unit;
    if ((port != NULL && port->optional) || has_said(l, e)) {
      continue;
    }
    g_autofree char *name = hy_model_in_name(s->model, component, p);
    say_open(l, s, e, copy, name, hy_input_kind(l, s, component, p, &unit));
  }
  const HyPort *array = e->klass != NULL ? hy_class_port(e->klass->in, n) : NULL;
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
  hy_lengthen_arrays(l, s);
  prepare(s);
  index_children(s);
  for (guint k = 0; k < s->lines->len && !l->stopped; k++) {
    Line line = g_array_index(s->lines, Line, k);
    if (line.wire != NULL) {
      hy_draw_wire(l, s, line.wire, k);
    } else {
      hy_draw_line(l, s, &line, k + 1);
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
