/* The script of a chart of boxes or coloured points. */
#include "plot_chart.h"

#include <math.h>

/* Viridis at eight places: of even lightness, and told apart in grey and by colour-blind people. */
static const char palette[] =
    "set palette defined (0 '#440154', 1 '#46327e', 2 '#365c8d', 3 '#277f8e', 4 '#1fa187', "
    "5 '#4ac16d', 6 '#a0da39', 7 '#fde725')\n";

static void add_numbers(GString *out, const double *v, guint n)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  for (guint k = 0; k < n; k++) {
    g_string_append_printf(out, "%s%s", k > 0 ? " " : "",
                           g_ascii_formatd(text, sizeof text, "%.15g", v[k]));
  }
  g_string_append_c(out, '\n');
}

/* $d: the boxes that have a value. */
static void add_boxes(GString *out, const HyChart *c)
{
  g_string_append(out, "$d << END\n");
  for (guint k = 0; k < c->box->len; k++) {
    const HyBox *b = &g_array_index(c->box, HyBox, k);
    if (isfinite(b->v)) {
      const double v[] = {b->x,    b->y, MIN(b->left, b->right), MAX(b->left, b->right), b->low,
                          b->high, b->v};
      add_numbers(out, v, G_N_ELEMENTS(v));
    }
  }
  g_string_append(out, "END\n");
}

static void add_label(GString *out, const char *which, const char *text)
{
  g_string_append_printf(out, "set %s ", which);
  hy_plot_quote(out, text);
  g_string_append_c(out, '\n');
}

/* The texts of tics are formats of the number there. */
static void add_names(GString *out, const HyChart *c)
{
  g_string_append(out, "set ytics (");
  for (guint k = 0; k < c->names->len; k++) {
    g_autoptr(GString) name = g_string_new(c->names->pdata[k]);
    g_string_replace(name, "%", "%%", 0);
    g_string_append(out, k > 0 ? ", " : "");
    hy_plot_quote(out, name->str);
    g_string_append_printf(out, " %u", k);
  }
  g_string_append_printf(out, ")\nset yrange [-0.6:%g]\n", c->names->len - 0.4);
  g_string_append(out, "set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead "
                       "lc rgb '#808080' lw 1\n");
}

void hy_chart_script(GString *out, const HyChart *c)
{
  add_boxes(out, c);
  g_string_append(out, "unset key\nset border 3 lc rgb '#808080'\n"
                       "set tics nomirror out scale 0.6 textcolor rgb '#303030'\n");
  add_label(out, "title", c->title);
  add_label(out, "xlabel", c->x);
  add_label(out, "ylabel", c->y);
  if (c->names != NULL) {
    add_names(out, c);
    g_string_append(out, "set offsets graph 0.03, graph 0.03, 0, 0\n"
                         "set key tmargin right horizontal\nset style fill solid 0.8 noborder\n"
                         "plot $d using ($7 < 0.5 ? $1 : NaN):2:3:4:5:6 with boxxyerror "
                         "lc rgb '#e69f00' title 'parameter low', \\\n"
                         " $d using ($7 > 0.5 ? $1 : NaN):2:3:4:5:6 with boxxyerror "
                         "lc rgb '#0072b2' title 'parameter high'\n");
    return;
  }
  g_string_append(out, palette);
  add_label(out, "cblabel", c->v);
  g_string_append(out, c->points ? "plot $d using 1:2:7 with points pt 7 ps 0.7 lc palette\n"
                                 : "set autoscale xfix\nset autoscale yfix\n"
                                   "plot $d using 1:2:3:4:5:6:7 with boxxyerror fs solid "
                                   "lc palette\n");
}
