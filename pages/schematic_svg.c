/* A circuit as SVG: symbols of elements between -24 and 24, plus at the left. */
#include "pages/diagram.h"

#include <string.h>

typedef struct {
  const char *kind, *path;
} Symbol;

static const Symbol symbols[] = {
    {"resistor", "M-24,0H-14M-14,-6H14V6H-14ZM14,0H24"},
    {"inductor", "M-24,0H-16A4,4 0 0 1 -8,0A4,4 0 0 1 0,0A4,4 0 0 1 8,0A4,4 0 0 1 16,0H24"},
    {"capacitor", "M-24,0H-3M-3,-10V10M3,-10V10M3,0H24"},
    {"voltage", "M-24,0H-12A12,12 0 0 1 12,0A12,12 0 0 1 -12,0M12,0H24M-8,-3V3M-10,0H-5M8,-3V3"},
    {"current", "M-24,0H-12A12,12 0 0 1 12,0A12,12 0 0 1 -12,0M12,0H24M-8,0H8M3,-4L8,0L3,4"},
    {"ideal_switch", "M-24,0H-10L10,-9M10,0H24M-10,0v.1M10,0v.1"},
    {"ideal_diode", "M-24,0H24M-8,-8V8L8,0ZM8,-8V8"},
    {"exponential_diode", "M-24,0H24M-8,-8V8L8,0ZM8,-8V8"},
    {"thyristor", "M-24,0H24M-8,-8V8L8,0ZM8,-8V8M8,0L14,8"},
    {"transistor", "M-24,0H-10L10,-7M10,0H24M-16,0V12H-5M16,0V12H5M5,7V17L-5,12ZM-5,7V17"},
    {"probe", "M-24,0H-9A9,9 0 0 1 9,0A9,9 0 0 1 -9,0M9,0H24"},
};

static const char *symbol_of(const char *kind)
{
  for (guint k = 0; k < G_N_ELEMENTS(symbols); k++) {
    if (strcmp(symbols[k].kind, kind) == 0) {
      return symbols[k].path;
    }
  }
  return "M-24,0H-14M-14,-8H14V8H-14ZM14,0H24";
}

static void open_part(GString *out, const HyPlacedPart *p, const char *path)
{
  g_string_append(out, "<g class=\"part\" data-path=\"");
  hy_xml_text(out, path);
  hy_xml_text(out, p->part->name);
  g_string_append(out, "\"><title>");
  hy_xml_text(out, p->part->name);
  g_string_append_printf(out, ": %s", p->part->kind);
  if (p->part->value != NULL) {
    g_string_append_c(out, ' ');
    hy_xml_text(out, p->part->value);
  }
  g_string_append(out, "</title>");
}

/* A transformer is two coils; another circuit a box with its ends. */
static void box_svg(GString *out, const HyPlacedPart *p)
{
  g_string_append_printf(out, "<rect class=\"box\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>",
                         p->x - p->w / 2, p->y - p->h / 2, p->w, p->h);
  guint n = p->part->n;
  for (guint k = 0; p->part->end != NULL && k < n; k++) {
    hy_svg_text(out, p->x - p->w / 2 + 4, p->y - p->h / 2 + 24 + 64.0 * k, 10, 's', "port",
                p->part->end[k]);
  }
  if (p->part->end == NULL) {
    g_string_append_printf(out,
                           "<path class=\"icon\" transform=\"translate(%g,%g)\" "
                           "d=\"M-6,-20a5,5 0 0 1 0,10a5,5 0 0 1 0,10a5,5 0 0 1 0,10a5,5 0 0 1 0,10"
                           "M6,-20a5,5 0 0 0 0,10a5,5 0 0 0 0,10a5,5 0 0 0 0,10a5,5 0 0 0 0,10"
                           "M-1.5,-20V20M1.5,-20V20\"/>",
                           p->x, p->y);
  }
  hy_svg_text(out, p->x, p->y - p->h / 2 - 5, 11, 'm', "name", p->part->name);
  if (p->part->end != NULL && p->part->value != NULL && n > 1) { /* between the first two ends */
    g_auto(GStrv) line = g_strsplit(p->part->value, "\n", 3);
    for (guint k = 0; k < 2 && line[k] != NULL; k++) {
      g_autofree char *fits = hy_text_fit(line[k], 10, 1);
      hy_svg_text(out, p->x, p->y - p->h / 2 + 50 + 12.0 * k, 10, 'm', "value", fits);
    }
  }
}

static void element_svg(GString *out, const HyPlacedPart *p)
{
  g_autofree char *value =
      p->part->value != NULL ? hy_text_fit(p->part->value, 16, 1) : g_strdup("");
  g_string_append_printf(
      out, "<path class=\"symbol\" transform=\"translate(%g,%g) rotate(%d)\" d=\"%s\"/>", p->x,
      p->y, p->turn, symbol_of(p->part->kind));
  if (p->turn % 180 == 0) {
    gboolean deep = strcmp(p->part->kind, "transistor") == 0;
    hy_svg_text(out, p->x, p->y - (deep && p->turn == 180 ? 19 : 14), 11, 'm', "name",
                p->part->name);
    hy_svg_text(out, p->x, p->y + (deep && p->turn == 0 ? 28 : 22), 10, 'm', "value", value);
  } else {
    hy_svg_text(out, p->x + 15, p->y - 2, 11, 's', "name", p->part->name);
    hy_svg_text(out, p->x + 15, p->y + 11, 10, 's', "value", value);
  }
}

void hy_schematic_svg(const HySchematic *s, const char *path, GString *out)
{
  for (guint k = 0; k < s->strokes->len; k++) {
    const HyStroke *t = &g_array_index(s->strokes, HyStroke, k);
    g_string_append_printf(out, "<path class=\"lead\" d=\"M%g,%gL%g,%g\"/>", t->x1, t->y1, t->x2,
                           t->y2);
  }
  for (guint k = 0; k < s->parts->len; k++) {
    const HyPlacedPart *p = &g_array_index(s->parts, HyPlacedPart, k);
    open_part(out, p, path);
    (p->w > 0 ? box_svg : element_svg)(out, p);
    g_string_append(out, "</g>");
  }
  for (guint k = 0; k < s->marks->len; k++) {
    const HyMark *m = &g_array_index(s->marks, HyMark, k);
    if (m->text == NULL) {
      g_string_append_printf(out, "<circle class=\"dot\" cx=\"%g\" cy=\"%g\" r=\"2.4\"/>", m->x,
                             m->y);
    } else if (strcmp(m->text, "0") == 0) {
      g_string_append_printf(out, "<path class=\"lead\" d=\"M%g,%gv4m-8,0h16m-13,3h10m-7,3h4\"/>",
                             m->x, m->y);
    } else {
      hy_svg_text(out, m->x, m->y, 10, 'm', "node", m->text);
    }
  }
}
