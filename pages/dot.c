/* A drawing as DOT, for graphviz and what reads it: coupled models as clusters, ports as nodes. */
#include "pages/diagram.h"

#include "hydevs/text.h"

static void quoted(GString *out, const char *a, const char *b)
{
  g_autofree char *text = g_strconcat(a, b, NULL);
  hy_dot_string(out, text);
}

/* The node at which a wire ends: of an open model its port. */
static void end_of(GString *out, const HyDrawn *d, const char *port)
{
  g_autofree char *name = g_strconcat(d->inside != NULL ? "." : "", port, NULL);
  g_autofree char *pin = g_strconcat(".", d->name != NULL ? d->name : "", NULL);
  quoted(out, d->path, d->component == HY_SELF ? pin : d->inside != NULL ? name : "");
}

static void state_node(GString *out, const char *path, const HyDrawn *state)
{
  g_autofree char *name = g_strconcat(":", state->state != NULL ? state->state : "", NULL);
  quoted(out, path, name);
}

/* The states of machine B, with arcs between them where the drawing has two, one to the text and
 * one behind it. */
static void chart(GString *out, const HyDrawn *b)
{
  const HyDiagram *d = b->chart;
  for (guint k = 0; k < d->drawn->len; k++) {
    const HyDrawn *x = hy_drawn(d, k);
    if (x->form == HY_DRAWN_LABEL) {
      continue;
    }
    state_node(out, b->path, x);
    g_string_append(out, " [label=");
    quoted(out, x->text, "");
    g_string_append(out, x->form == HY_DRAWN_START   ? ", shape=point];\n"
                         : x->form == HY_DRAWN_FINAL ? ", style=rounded, peripheries=2];\n"
                                                     : ", style=rounded];\n");
  }
  for (guint k = 0; k < d->layout.wire->len; k++) {
    const HyWire *w = hy_layout_wire(&d->layout, k);
    const HyDrawn *label = hy_drawn(d, w->to);
    const HyWire *end = label->form == HY_DRAWN_LABEL ? hy_layout_wire(&d->layout, ++k) : w;
    state_node(out, b->path, hy_drawn(d, w->from));
    g_string_append(out, " -> ");
    state_node(out, b->path, hy_drawn(d, end->to));
    g_string_append(out, " [label=");
    quoted(out, end != w ? label->text : "", "");
    g_string_append(out, "];\n");
  }
}

static void cluster(GString *out, const HyDiagram *d)
{
  for (guint k = 0; k < d->drawn->len; k++) {
    const HyDrawn *b = hy_drawn(d, k);
    if (b->inside != NULL) {
      g_string_append(out, "subgraph ");
      quoted(out, "cluster ", b->path);
      g_string_append(out, " {\nlabel=");
      quoted(out, b->name != NULL ? b->name : b->path, "");
      g_string_append(out, ";\n");
      cluster(out, b->inside);
      g_string_append(out, "}\n");
      continue;
    }
    if (b->chart != NULL) {
      g_string_append(out, "subgraph ");
      quoted(out, "cluster ", b->path);
      g_string_append(out, " {\n");
      chart(out, b);
    }
    end_of(out, b, "");
    g_string_append(out, " [label=");
    const char *what = b->klass != NULL ? b->klass->name : "";
    g_autofree char *label =
        g_strconcat(b->name != NULL ? b->name : "", b->name != NULL ? "\n" : "",
                    b->text != NULL && b->klass != NULL ? b->text : what, NULL);
    quoted(out, label, "");
    g_string_append(out, b->component == HY_SELF ? ", shape=oval];\n" : "];\n");
    g_string_append(out, b->chart != NULL ? "}\n" : "");
  }
  for (guint k = 0; k < d->layout.wire->len; k++) {
    const HyWire *w = hy_layout_wire(&d->layout, k);
    const HyDrawn *from = hy_drawn(d, w->from), *to = hy_drawn(d, w->to);
    end_of(out, from, g_ptr_array_index(from->out, w->from_port));
    g_string_append(out, " -> ");
    end_of(out, to, g_ptr_array_index(to->in, w->to_port));
    g_string_append(out, ";\n");
  }
}

void hy_diagram_dot(const HyDiagram *d, GString *out)
{
  g_string_append(out, "digraph ");
  quoted(out, hy_model_name(d->model), "");
  g_string_append(out, " {\nrankdir=LR;\nnode [shape=box, fontname=Helvetica];\n");
  cluster(out, d);
  g_string_append(out, "}\n");
}
