/* Text in drawings. A drawing is made without the fonts with which it is read, so widths are those
 * of Helvetica (its Adobe Font Metrics, which Arial and Liberation Sans share), and each text says
 * how wide it is to be. */
#include "pages/diagram.h"

#include "hydevs/text.h"

#include <string.h>

/* Of the letters from blank to ~, in thousandths of the size. */
static const guint16 width[95] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

double hy_text_width(const char *text, double size)
{
  double widest = 0, w = 0;
  for (const char *s = text; *s != '\0'; s += g_utf8_skip[(guchar)*s]) {
    guchar c = (guchar)*s;
    if (c == '\n') {
      w = 0;
    } else {
      gboolean wide = c >= 0x80 && g_unichar_iswide(g_utf8_get_char(s));
      w += c >= ' ' && c <= '~' ? width[c - ' '] : wide ? 1000 : 600;
    }
    widest = MAX(widest, w);
  }
  return widest * size / 1000;
}

guint hy_text_lines(const char *text)
{
  guint n = 1;
  for (; *text != '\0'; text++) {
    n += *text == '\n';
  }
  return n;
}

/* How many letters of TEXT, longer than WIDTH, stand in the first line: up to the last blank. */
static glong first_line(const char *text, guint width)
{
  glong best = 0;
  const char *s = text;
  for (guint k = 0; k < width; k++, s += g_utf8_skip[(guchar)*s]) {
    best = *s == ' ' ? (glong)k : best;
  }
  return best > (glong)width / 3 ? best : (glong)width;
}

char *hy_text_fit(const char *text, guint width, guint lines)
{
  g_autofree char *plain = hy_plain_text(text, FALSE);
  GString *out = g_string_new(NULL);
  const char *rest = g_strstrip(plain);
  for (guint k = 1; g_utf8_strlen(rest, -1) > (glong)width; k++) {
    glong n = k < lines ? first_line(rest, width) : (glong)width - 1;
    const char *end = g_utf8_offset_to_pointer(rest, n);
    g_string_append_len(out, rest, end - rest);
    if (k == lines) {
      g_string_append(out, "…");
      return g_string_free(out, FALSE);
    }
    g_string_append_c(out, '\n');
    rest = *end == ' ' ? end + 1 : end;
  }
  g_string_append(out, rest);
  return g_string_free(out, FALSE);
}

void hy_xml_text(GString *out, const char *text)
{
  g_autofree char *plain = hy_plain_text(text, TRUE);
  g_autofree char *escaped = g_markup_escape_text(plain, -1);
  g_string_append(out, escaped);
}

void hy_svg_text(GString *out, double x, double y, double size, char anchor, const char *klass,
                 const char *text)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    double w = hy_text_width(lines[k], size);
    g_string_append_printf(
        out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" class=\"%s\"", x,
        y + 1.2 * size * k, size,
        anchors[anchor == 's'   ? 0
                : anchor == 'm' ? 1
                                : 2],
        klass);
    if (w > 0) {
      g_string_append_printf(out, " textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\"", w);
    }
    g_string_append_c(out, '>');
    hy_xml_text(out, lines[k]);
    g_string_append(out, "</text>");
  }
}

char *hy_without_indices(const char *name)
{
  GString *plain = g_string_new(NULL);
  guint depth = 0;
  for (; *name != '\0'; name++) {
    depth += *name == '[';
    if (depth == 0) {
      g_string_append_c(plain, *name);
    }
    depth -= *name == ']' && depth > 0;
  }
  return g_string_free(plain, FALSE);
}
