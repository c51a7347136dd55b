/* The script of a figure. Every text goes through hy_plot_quote(), every file name is absolute:
 * gnuplot would run what follows a "|". */
#include "plot_script.h"

#include "hydevs/trace.h"

#include <string.h>

#define WIDTH     1200 /* pixels of a picture */
#define BINS      1600 /* columns of pixels that data are thinned to: enough for such a PDF */
#define TOP       50   /* pixels for the title, */
#define BOTTOM    60   /* the time axis, */
#define LEFT      100  /* the numbers at the left, */
#define BETWEEN   22   /* between two panels, */
#define LETTER    7.8  /* and about the width of a letter */
#define SMALLEST  0.3  /* of the usual size, beside a low panel */
#define FONT      10.5 /* points */
#define LABEL     34   /* letters of a label that are shown */
#define TERM_ROWS 12   /* of a panel, at least */

/* Okabe and Ito's, which colour-blind people can tell apart, without their yellow. */
static const char *const colours[HY_PANEL_CURVES] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#404040", "#8c510a",
};

/* In double quotes three letters have a meaning, and stand there as their numbers. In single quotes
 * none has, but a text that begins with a quote is read as two. */
void hy_plot_quote(GString *out, const char *text)
{
  g_autofree char *plain = hy_plain_text(text, FALSE);
  g_string_append_c(out, '"');
  for (const char *at = plain; *at != '\0'; at++) {
    if (strchr("\"\\`", *at) != NULL) {
      g_string_append_printf(out, "\\%03o", (guint)*at);
    } else {
      g_string_append_c(out, *at);
    }
  }
  g_string_append_c(out, '"');
}

static void add_number(GString *out, const char *before, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%s%s", before, g_ascii_formatd(text, sizeof text, "%.15g", v));
}

char *hy_plot_short(const char *label, gboolean term)
{
  g_autofree char *valid = g_utf8_make_valid(label, -1);
  glong n = g_utf8_strlen(valid, -1);
  if (n <= LABEL) {
    return g_steal_pointer(&valid);
  }
  return g_strconcat(term ? "..." : "\342\200\246", g_utf8_offset_to_pointer(valid, n - LABEL + 1),
                     NULL);
}

/* Axes ---------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  double factor;
} TimeUnit;

static TimeUnit time_unit(const HyFigure *f)
{
  if (f->decades || f->axis != NULL) {
    return (TimeUnit){"Hz", 1};
  }
  static const TimeUnit units[] = {
      {"s", 1}, {"ms", 1e3}, {"\302\265s", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
  double size = MAX(fabs(f->from), fabs(f->to));
  guint k = 0;
  while (size > 0 && k + 1 < G_N_ELEMENTS(units) && size * units[k].factor < 0.9999999) {
    k++;
  }
  return units[k];
}

/* As many digits as neighbouring marks need to differ. */
static void add_format(GString *out, const char *axis, double from, double to)
{
  double size = MAX(fabs(from), fabs(to)), range = to - from;
  int digits = range > 0 && size > 0 ? (int)ceil(log10(size / range)) + 2 : 6;
  g_string_append_printf(out, "set format %s '%%.%dg'\n", axis, CLAMP(digits, 6, 15));
}

typedef struct {
  double from, to;
} Range;

static gboolean stands_on_zero(const HyPanel *p)
{
  return p->n > 0 && (p->curve[0].lines || p->curve[0].filled);
}

static void widen(Range *r, const double *v, gsize n)
{
  for (gsize k = 0; k < n; k++) {
    if (isfinite(v[k])) {
      r->from = MIN(r->from, v[k]);
      r->to = MAX(r->to, v[k]);
    }
  }
}

static Range range_of(const HyFigure *f, const HyPanel *p)
{
  Range r = {INFINITY, -INFINITY};
  for (guint c = 0; c < p->n; c++) {
    const HyCurve *is = &p->curve[c];
    widen(&r, f->bands ? is->band[0] : is->v, f->n_rows);
    widen(&r, f->bands ? is->band[3] : is->v, f->n_rows);
    gboolean stands = (p->curve[c].lines || p->curve[c].filled) && !f->log_y; /* on 0 */
    r.from = stands ? MIN(r.from, 0.0) : r.from;
  }
  if (f->log_y) {
    return (Range){r.from / 1.2, r.to * 1.2};
  }
  double size = MAX(fabs(r.from), fabs(r.to));
  double room = r.to - r.from > 1e-12 * size ? 0.06 * (r.to - r.from) : size > 0 ? 0.1 * size : 1;
  return (Range){r.from == 0.0 && stands_on_zero(p) ? 0.0 : r.from - room, r.to + room};
}

/* Data ---------------------------------------------------------------------------------------- */

/* $pNcN: a block of "x y" lines; an empty one interrupts the curve. */
static void add_curve(GString *out, const HyFigure *f, guint panel, guint curve, double factor)
{
  const HyCurve *c = &f->panel[panel].curve[curve];
  guint bins = f->file != NULL ? BINS : MAX(f->columns, 1);
  Range y = range_of(f, &f->panel[panel]);
  g_autoptr(GArray) points =
      f->path || f->points
          ? hy_plot_thin_path(f->t, c->v, f->n_rows, f->to - f->from, y.to - y.from, bins)
          : hy_plot_thin(f->t, c->v, f->n_rows, f->from, f->to, bins);
  g_string_append_printf(out, "$p%uc%u << END\n", panel, curve);
  double last = NAN;
  for (guint k = 0; k < points->len; k++) {
    const HyPoint *p = &g_array_index(points, HyPoint, k);
    if (isnan(p->y)) {
      g_string_append_c(out, '\n');
    } else {
      add_number(out, "", p->x * factor);
      add_number(out, " ", p->y);
      g_string_append_c(out, '\n');
    }
    last = p->y;
  }
  if (c->steps && !isnan(last) && !isnan(f->hold)) {
    add_number(out, "", f->hold * factor);
    add_number(out, " ", last);
    g_string_append_c(out, '\n');
  }
  g_string_append(out, "END\n");
}

/* $pNcNb: lines of "x low low high high". */
static void add_band(GString *out, const HyFigure *f, guint panel, guint curve, double factor)
{
  const HyCurve *c = &f->panel[panel].curve[curve];
  g_string_append_printf(out, "$p%uc%ub << END\n", panel, curve);
  for (gsize k = 0; k < f->n_rows; k++) {
    if (isnan(c->band[0][k])) {
      g_string_append_c(out, '\n');
      continue;
    }
    add_number(out, "", f->t[k] * factor);
    for (guint j = 0; j < G_N_ELEMENTS(c->band); j++) {
      add_number(out, " ", c->band[j][k]);
    }
    g_string_append_c(out, '\n');
  }
  g_string_append(out, "END\n");
}

/* Many periods that are seen as an area. */
static gboolean is_band(const HyFigure *f, guint panel, guint curve)
{
  Range y = range_of(f, &f->panel[panel]);
  return f->file != NULL && f->panel[panel].curve[curve].swing > 0.02 * (y.to - y.from);
}

/* The band that is next to be drawn, the widest first: one that swings less than BEFORE and as much
 * as any other, and of equal ones all at once. */
static double next_swing(const HyFigure *f, guint panel, double before)
{
  double swing = 0.0;
  for (guint k = 0; k < f->panel[panel].n; k++) {
    double v = f->panel[panel].curve[k].swing;
    swing = v < before && is_band(f, panel, k) ? MAX(swing, v) : swing;
  }
  return swing;
}

/* Bands lie behind the curves, and what is behind a band is seen through it. */
static const char *add_bands(GString *out, const HyFigure *f, guint panel)
{
  const HyPanel *p = &f->panel[panel];
  const char *comma = "plot";
  double swing = INFINITY;
  while ((swing = next_swing(f, panel, swing)) > 0.0) {
    for (guint k = 0; k < p->n; k++) {
      if (p->curve[k].swing == swing) {
        g_string_append_printf(out, "%s $p%uc%u using 1:2 with %s lc rgb '#60%s' lw 1 notitle",
                               comma, panel, k, p->curve[k].steps ? "steps" : "lines",
                               colours[k] + 1);
        comma = ", \\\n ";
      }
    }
  }
  return comma;
}

static const char *style_of(const HyFigure *f, const HyCurve *c)
{
  return f->points ? "points pt 7 ps 0.5" : c->lines ? "impulses" : c->steps ? "steps" : "lines";
}

/* What is filled lies behind all curves. */
static const char *add_fillings(GString *out, const HyFigure *f, guint panel, const char *comma)
{
  const HyPanel *p = &f->panel[panel];
  for (guint k = 0; k < p->n && f->file != NULL; k++) {
    if (f->bands) {
      g_string_append_printf(out,
                             "%s $p%uc%ub using 1:2:5 with filledcurves lc rgb '#c8%s' notitle, "
                             "\\\n $p%uc%ub using 1:3:4 with filledcurves lc rgb '#a0%s' notitle",
                             comma, panel, k, colours[k] + 1, panel, k, colours[k] + 1);
      comma = ", \\\n ";
    }
    if (p->curve[k].filled) {
      g_string_append_printf(
          out, "%s $p%uc%u using 1:2 with fillsteps fs solid noborder lc rgb '#b0%s' notitle",
          comma, panel, k, colours[k] + 1);
      comma = ", \\\n ";
    }
  }
  return comma;
}

static void add_plot(GString *out, const HyFigure *f, guint panel)
{
  const HyPanel *p = &f->panel[panel];
  const char *comma = add_fillings(out, f, panel, add_bands(out, f, panel));
  for (guint k = 0; k < p->n; k++) {
    g_autofree char *label = hy_plot_short(p->curve[k].label, f->file == NULL);
    if (is_band(f, panel, k)) {
      g_string_append_printf(out, "%s keyentry with lines lt %u", comma, k + 1);
    } else {
      g_string_append_printf(out, "%s $p%uc%u using 1:2 with %s lt %u", comma, panel, k,
                             style_of(f, &p->curve[k]), k + 1);
    }
    g_string_append(out, " title ");
    hy_plot_quote(out, label);
    comma = ", \\\n ";
  }
  g_string_append_c(out, '\n');
}

/* Looks --------------------------------------------------------------------------------------- */

/* How large letters are, beside what they usually are. */
static double letters(const HyFigure *f)
{
  return f->font_size > 0.0 ? f->font_size / FONT : 1.0;
}

static double width(const HyFigure *f)
{
  return f->width > 0.0 ? 100.0 * f->width : WIDTH;
}

static double height(const HyFigure *f)
{
  int n = MAX((int)f->n, 1), panel = n == 1 ? 460 : f->n == 2 ? 300 : 220;
  return f->height > 0.0 ? 100.0 * f->height
                         : (TOP + BOTTOM) * letters(f) + n * panel + (n - 1) * BETWEEN;
}

static void add_font(GString *out, const HyFigure *f, double usual)
{
  g_autofree char *font =
      g_strdup_printf("%s,%.4g", f->font != NULL ? f->font : "sans", usual * letters(f));
  g_string_append(out, " font ");
  hy_plot_quote(out, font);
}

static void add_terminal(GString *out, const HyFigure *f)
{
  double w = width(f), h = height(f), scale = f->dpi > 0 ? f->dpi / 100.0 : 1.0;
  if (f->file == NULL) {
    g_string_append_printf(out, "set terminal dumb size %u,%u noenhanced aspect 1 %s\n", f->columns,
                           MAX(f->rows / MAX(f->n, 1), TERM_ROWS), f->colour ? "ansi" : "mono");
    return;
  }
  if (g_str_has_suffix(f->file, ".svg")) {
    g_string_append_printf(out,
                           "set terminal svg size %.0f,%.0f dynamic noenhanced background rgb "
                           "'white'",
                           w, h);
    add_font(out, f, 13);
  } else if (g_str_has_suffix(f->file, ".pdf")) {
    g_string_append_printf(out, "set terminal pdfcairo size %.4gin,%.4gin noenhanced", w / 100,
                           h / 100);
    add_font(out, f, 10);
  } else {
    g_string_append_printf(out,
                           "set terminal pngcairo size %.0f,%.0f fontscale %.4g linewidth %.4g "
                           "noenhanced",
                           w * scale, h * scale, scale, scale);
    add_font(out, f, FONT);
  }
  g_string_append(out, "\nset output ");
  hy_plot_quote(out, f->file);
  g_string_append_c(out, '\n');
}

static glong longest_label(const HyFigure *f)
{
  glong n = 0;
  for (guint p = 0; p < f->n; p++) {
    for (guint k = 0; k < f->panel[p].n; k++) {
      g_autofree char *label = hy_plot_short(f->panel[p].curve[k].label, FALSE);
      n = MAX(n, g_utf8_strlen(label, -1));
    }
  }
  return n;
}

static void add_layout(GString *out, const HyFigure *f)
{
  if (f->file == NULL) { /* one picture after the other: multiplot loses lines between them */
    return;
  }
  g_string_append_printf(out, "set multiplot layout %u,1 title ", f->n);
  hy_plot_quote(out, f->title);
  double w = width(f), h = height(f), large = letters(f);
  g_string_append_printf(out, " font ',%.4g'", 12 * large);
  add_number(out, " margins ", LEFT * large / w);
  add_number(out, ",", 1 - (44 + large * (24 + LETTER * (double)longest_label(f))) / w);
  add_number(out, ",", BOTTOM * large / h);
  add_number(out, ",", 1 - TOP * large / h);
  add_number(out, " spacing 0,", BETWEEN / h);
  g_string_append_c(out, '\n');
}

static void add_looks(GString *out, const HyFigure *f)
{
  for (guint k = 0; k < HY_PANEL_CURVES; k++) {
    g_string_append_printf(out, "set linetype %u lc rgb '%s' lw 1.6\n", k + 1, colours[k]);
  }
  if (f->file != NULL) {
    g_string_append(out, "set border 3 lc rgb '#808080'\n"
                         "set tics nomirror out scale 0.6 textcolor rgb '#303030'\n"
                         "set grid lc rgb '#e4e4e4' lw 0.7 lt 1\n"
                         "set key at graph 1.012,1 left top vertical Left reverse samplen 1.6\n");
  } else {
    g_string_append(out, "set tics nomirror\nset border 3\nset key tmargin center "
                         "horizontal width 2 samplen 3\n");
  }
}

/* A mark with its frequency at each decade, and small ones between them. */
static void add_decades(GString *out, const HyFigure *f)
{
  static const char *const names[] = {"1m",  "10m",  "100m", "1",   "10",   "100", "1k",
                                      "10k", "100k", "1M",   "10M", "100M", "1G"};
  const char *comma = "";
  g_string_append(out, "set xtics (");
  for (int decade = (int)floor(f->from); decade <= (int)ceil(f->to); decade++) {
    gboolean named = decade >= -3 && decade + 3 < (int)G_N_ELEMENTS(names);
    g_autofree char *other = g_strdup_printf("1e%d", decade);
    g_string_append_printf(out, "%s'%s' %d", comma, named ? names[decade + 3] : other, decade);
    for (int k = 2; k < 10; k++) {
      add_number(out, ", '' ", decade + log10(k));
      g_string_append(out, " 1");
    }
    comma = ", ";
  }
  g_string_append(out, ")\nset xlabel 'frequency (Hz)'\n");
}

static void add_first_axis(GString *out, const HyFigure *f, TimeUnit unit)
{
  if (f->log_x) {
    g_string_append(out, "set format x '%g'\n");
  } else {
    add_format(out, "x", f->from * unit.factor, f->to * unit.factor);
  }
  if (f->axis != NULL) {
    g_string_append(out, "set xlabel ");
    hy_plot_quote(out, f->axis);
    g_string_append_c(out, '\n');
  } else {
    g_string_append_printf(out, "set xlabel 't in %s'\n", unit.name);
  }
}

/* It stands upright beside its panel: letters are smaller where it is longer than that is high. */
static void add_ylabel(GString *out, const HyFigure *f, const char *text)
{
  g_autofree char *label = hy_plot_short(text, f->file == NULL);
  double between = ((int)f->n - 1) * BETWEEN;
  double room = (height(f) - (TOP + BOTTOM) * letters(f) - between) / (int)f->n;
  double needs = LETTER * letters(f) * (double)g_utf8_strlen(label, -1);
  g_string_append(out, "set ylabel ");
  hy_plot_quote(out, label);
  if (f->file != NULL && needs > room) {
    g_string_append_printf(out, " font ',%.4g'", FONT * letters(f) * MAX(room / needs, SMALLEST));
  }
  g_string_append_c(out, '\n');
}

static void add_panel(GString *out, const HyFigure *f, guint panel, TimeUnit unit)
{
  const HyPanel *p = &f->panel[panel];
  Range y = range_of(f, p);
  add_number(out, "set yrange [", y.from);
  add_number(out, ":", y.to);
  g_string_append(out, "]\n");
  if (f->log_y) { /* marks at powers of ten */
    g_string_append(out, "set logscale y\nset format y '%g'\n");
  } else {
    add_format(out, "y", y.from, y.to);
  }
  add_ylabel(out, f, p->unit != NULL ? p->unit : "");
  if (panel + 1 < f->n) {
    g_string_append(out, "set format x ''\nset xlabel\n");
  } else {
    add_first_axis(out, f, unit);
  }
  if (f->decades) {
    add_decades(out, f);
    g_string_append(out, panel + 1 < f->n ? "set format x ''\nset xlabel\n" : "");
  }
  add_plot(out, f, panel);
}

char *hy_plot_script(const HyFigure *f)
{
  GString *out = g_string_new("set encoding utf8\nset datafile nocolumnheaders\n");
  if (f->chart != NULL) {
    add_terminal(out, f);
    hy_chart_script(out, f->chart);
    g_string_append(out, "unset output\n");
    return g_string_free(out, FALSE);
  }
  TimeUnit unit = time_unit(f);
  if (f->file == NULL && unit.factor == 1e6) {
    unit.name = "us";
  }
  for (guint p = 0; p < f->n; p++) {
    for (guint k = 0; k < f->panel[p].n; k++) {
      add_curve(out, f, p, k, unit.factor);
      if (f->bands) {
        add_band(out, f, p, k, unit.factor);
      }
    }
  }
  add_terminal(out, f);
  add_looks(out, f);
  add_layout(out, f);
  double room = (f->path || f->points) && !f->log_x ? 0.03 * (f->to - f->from) : 0;
  room = f->to > f->from ? room : f->to != 0 ? fabs(f->to) * 0.1 : 1;
  g_string_append(out, f->log_x ? "set logscale x\n" : "");
  add_number(out, "set xrange [", (f->from - room) * unit.factor);
  add_number(out, ":", (f->to + room) * unit.factor);
  g_string_append(out, "]\n");
  for (guint p = 0; p < f->n; p++) {
    add_panel(out, f, p, unit);
  }
  if (f->file != NULL) {
    g_string_append(out, "unset multiplot\nunset output\n");
  }
  return g_string_free(out, FALSE);
}
