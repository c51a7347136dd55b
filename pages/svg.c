/* A drawing as SVG: a picture by itself, and a part of a page, where each block and wire says by
 * data-path, data-from and data-to what it is. */
#include "pages/chart.h"

#include "hydevs/text.h"

#include <math.h>
#include <string.h>

static const char style[] =
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;fill:#111}"
    ".box{fill:#fff;stroke:#111;stroke-width:1}rect.frame{fill:#f7f9fb;stroke:#445;stroke-width:1}"
    ".frame .frame rect.frame{fill:#eaf0f5}.behind{fill:#fff;stroke:#111;stroke-width:1}"
    ".wire,.lead,.symbol,.icon{fill:none;stroke:#111;stroke-width:1;stroke-linejoin:round;"
    "stroke-linecap:round}.icon{stroke:#234}"
    ".dot,.head{fill:#111;stroke:none}.head.event{fill:#fff;stroke:#111;stroke-width:1}"
    ".name{fill:#111}.port,.value,.node{fill:#555}.pin{fill:#fff;stroke:#111;stroke-width:1}";

/* Wires ---------------------------------------------------------------------------------------- */

static void add_ends(GString *out, const HyDiagram *d, const HyWire *w)
{
  const HyDrawn *from = hy_drawn(d, w->from), *to = hy_drawn(d, w->to);
  const struct {
    const char *key;
    const HyDrawn *drawn;
    const char *port;
  } ends[] = {{"from", from, g_ptr_array_index(from->out, w->from_port)},
              {"to", to, g_ptr_array_index(to->in, w->to_port)}};
  for (guint k = 0; k < 2; k++) {
    g_string_append_printf(out, " data-%s=\"", ends[k].key);
    hy_xml_text(out, ends[k].drawn->path);
    g_string_append_c(out, '.');
    hy_xml_text(out, ends[k].drawn->component == HY_SELF ? ends[k].drawn->name : ends[k].port);
    g_string_append_c(out, '"');
  }
}

static void wire_svg(GString *out, const HyDiagram *d, const HyWire *w)
{
  const HyDrawn *from = hy_drawn(d, w->from), *to = hy_drawn(d, w->to);
  if (from->form != HY_DRAWN_BLOCK) {
    hy_chart_arc_svg(out, d, w);
    return;
  }
  gboolean event = from->out_event[w->from_port] || to->in_event[w->to_port];
  g_string_append_printf(out, "<path class=\"wire%s\"", event ? " event" : "");
  add_ends(out, d, w);
  g_string_append(out, " d=\"");
  for (guint k = 0; k < w->n; k++) {
    g_string_append_printf(out, "%c%g,%g", k == 0 ? 'M' : 'L', w->point[k].x, w->point[k].y);
  }
  g_string_append(out, "\"/>");
  HyCorner end = w->point[w->n - 1];
  if (to->component != HY_SELF) {
    g_string_append_printf(out, "<path class=\"head%s\" d=\"M%g,%gl-7,-3.5v7z\"/>",
                           event ? " event" : "", end.x, end.y);
  }
}

/* Blocks --------------------------------------------------------------------------------------- */

void hy_svg_rect(GString *out, const char *klass, double x, double y, double w, double h, double r)
{
  g_string_append_printf(
      out, "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"%g\"/>", klass, x,
      y, w, h, r);
}

static void port_names(GString *out, const HyDrawn *d, const HyBox *box)
{
  const GPtrArray *in = d->signs != NULL ? d->signs : d->in;
  for (guint k = 0; k < d->in->len; k++) {
    hy_svg_text(out, 4, d->at[k] + 3.5, 10, 's', "port", g_ptr_array_index(in, k));
  }
  for (guint k = 0; d->signs == NULL && k < d->out->len; k++) {
    hy_svg_text(out, box->w - 4, d->at[d->in->len + k] + 3.5, 10, 'e', "port",
                g_ptr_array_index(d->out, k));
  }
}

static void outline(GString *out, const HyDrawn *d, const HyBox *box)
{
  const char *klass = d->klass != NULL ? d->klass->name : "";
  gboolean frame = hy_is_frame(d);
  for (gint k = d->copies > 1 ? 2 : 0; k > 0; k--) {
    hy_svg_rect(out, "behind", 3.0 * k, 3.0 * k, box->w, box->h, 2);
  }
  if (strcmp(klass, "gain") == 0) {
    g_string_append_printf(out, "<path class=\"box\" d=\"M0,0V%gL%g,%gZ\"/>", box->h, box->w,
                           box->h / 2);
  } else if (strcmp(klass, "sum") == 0 && d->in->len <= 3) {
    hy_svg_rect(out, "box", 0, 0, box->w, box->h, 12);
  } else {
    hy_svg_rect(out, frame ? "frame" : "box", 0, 0, box->w, box->h, frame ? 6 : 2);
  }
}

static double widest(const GPtrArray *names)
{
  double w = 0;
  for (guint k = 0; k < names->len; k++) {
    w = MAX(w, hy_text_width(g_ptr_array_index(names, k), 10));
  }
  return w;
}

/* In the middle of what the names of ports leave. */
static void what_it_says(GString *out, const HyDrawn *d, const HyBox *box)
{
  double middle = box->w / 2 + (d->port_names ? (widest(d->in) - widest(d->out)) / 2 : 0);
  gboolean gain = d->klass != NULL && strcmp(d->klass->name, "gain") == 0;
  if (d->text != NULL) {
    guint lines = hy_text_lines(d->text);
    hy_svg_text(out, gain ? box->w * 0.38 : middle, box->h / 2 + 4.2 - 7.2 * (lines - 1), 12, 'm',
                "text", d->text);
  } else if (d->klass != NULL) {
    g_string_append_printf(out, "<g transform=\"translate(%g,%g)\">", middle, box->h / 2);
    hy_icon_svg(out, d->klass->name);
    g_string_append(out, "</g>");
  }
}

static void pin_svg(GString *out, const HyDrawn *d, const HyBox *box, gboolean outermost)
{
  if (outermost) {
    hy_svg_rect(out, "pin", 0, 0, box->w, box->h, 8);
    hy_svg_text(out, box->w / 2, 12, 11, 'm', "name", d->name);
  } else {
    hy_svg_text(out, d->output ? box->w - 4 : 4, 4, 10, d->output ? 'e' : 's', "port", d->name);
    g_string_append_printf(out, "<path class=\"wire\" d=\"M0,8H%g\"/>", box->w);
  }
}

static void diagram_svg(GString *out, const HyDiagram *d, gboolean outermost);

static void inside_svg(GString *out, const HyDrawn *d)
{
  if (d->inside != NULL) {
    g_string_append_printf(out, "<g transform=\"translate(0,%g)\">", HY_INSIDE_TOP);
    diagram_svg(out, d->inside, FALSE);
    g_string_append(out, "</g>");
  } else if (d->schematic != NULL) {
    g_autofree char *path = g_strconcat(d->path, "/", NULL);
    g_string_append_printf(out, "<g transform=\"translate(%g,%g)\">", hy_inside_left(d),
                           HY_INSIDE_TOP);
    hy_schematic_svg(d->schematic, path, out);
    g_string_append(out, "</g>");
  } else if (d->chart != NULL) {
    g_string_append_printf(out, "<g transform=\"translate(%g,%g)\">", hy_inside_left(d),
                           HY_INSIDE_TOP);
    diagram_svg(out, d->chart, FALSE);
    g_string_append(out, "</g>");
  }
}

static void block_svg(GString *out, const HyDrawn *d, const HyBox *box, gboolean outermost)
{
  gboolean frame = hy_is_frame(d);
  if (d->form != HY_DRAWN_BLOCK) {
    hy_chart_item_svg(out, d, box);
    return;
  }
  g_string_append_printf(out, "<g class=\"%s\" data-path=\"",
                         d->component == HY_SELF ? "port-of"
                         : frame                 ? "block frame"
                                                 : "block");
  hy_xml_text(out, d->path);
  g_string_append_printf(out, "\" transform=\"translate(%g,%g)\"><title>", box->x, box->y);
  hy_xml_text(out, d->about);
  g_string_append(out, "</title>");
  if (d->component == HY_SELF) {
    pin_svg(out, d, box, outermost);
  } else {
    outline(out, d, box);
    inside_svg(out, d);
    if (!frame) {
      what_it_says(out, d, box);
    }
    if (d->port_names || d->signs != NULL) {
      port_names(out, d, box);
    }
    if (d->name != NULL) {
      double shift = d->copies > 1 ? 6 : 0;
      hy_svg_text(out, frame ? 10 : box->w / 2, frame ? 18 : box->h + 13 + shift, 12,
                  frame ? 's' : 'm', "name", d->name);
    }
  }
  g_string_append(out, "</g>\n");
}

static void diagram_svg(GString *out, const HyDiagram *d, gboolean outermost)
{
  for (guint k = 0; k < d->drawn->len; k++) {
    block_svg(out, hy_drawn(d, k), hy_layout_box(&d->layout, k), outermost);
  }
  for (guint k = 0; k < d->layout.wire->len; k++) {
    wire_svg(out, d, hy_layout_wire(&d->layout, k));
  }
  for (guint k = 0; k < d->layout.dots->len; k++) {
    const HyCorner *p = &g_array_index(d->layout.dots, HyCorner, k);
    g_string_append_printf(out, "<circle class=\"dot\" cx=\"%g\" cy=\"%g\" r=\"2.4\"/>", p->x,
                           p->y);
  }
}

void hy_diagram_svg(const HyDiagram *d, GString *out)
{
  double notes = d->notes != NULL ? hy_text_width(d->notes, 12) : 0;
  double w = MAX(d->layout.w, ceil(notes)) + 32, h = d->layout.h + 32;
  h += d->notes != NULL ? 16 + ceil(14.4 * hy_text_lines(d->notes)) : 0;
  g_string_append_printf(out,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                         "viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"",
                         w, h, w, h);
  hy_xml_text(out, hy_model_name(d->model));
  g_string_append_printf(out, "\">\n<style>%s</style>\n<g transform=\"translate(16.5,16.5)\">\n",
                         style);
  diagram_svg(out, d, TRUE);
  if (d->notes != NULL) {
    hy_svg_text(out, 0, d->layout.h + 28, 12, 's', "port", d->notes);
  }
  g_string_append(out, "</g>\n</svg>\n");
}
