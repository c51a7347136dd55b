/* Pictures: what gnuplot is told, and that it draws. */
#include "hydevs/error.h"
#include "hydevs/plot.h"
#include "results/json.h"
#include "results/plot_script.h"
#include "results/plot_window.h"
#include "results/sidecar.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

static char *dir, *csv;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  csv = g_build_filename(dir, "run.csv", NULL);
}

static void remove_folder(const char *folder)
{
  GDir *d = g_dir_open(folder, 0, NULL);
  for (const char *name = g_dir_read_name(d); name != NULL; name = g_dir_read_name(d)) {
    g_autofree char *file = g_build_filename(folder, name, NULL);
    g_unlink(file);
  }
  g_dir_close(d);
  g_rmdir(folder);
}

void tearDown(void)
{
  remove_folder(dir);
  g_free(csv);
  g_free(dir);
}

static void write_text(const char *name, const char *text)
{
  g_autofree char *file = g_build_filename(dir, name, NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

/* Script --------------------------------------------------------------------------------------- */

static void test_texts_mean_nothing_to_gnuplot(void)
{
  static const char *const cases[][2] = {
      {"", "\"\""},
      {"it's", "\"it's\""},
      {"'tis \"q\"", "\"'tis \\042q\\042\""},
      {"`rm x` @m \\n %d {/Symbol a} $v #", "\"\\140rm x\\140 @m \\134n %d {/Symbol a} $v #\""},
      {"a\nset output\r\x1b", "\"a set output \\134x1b\""},
      {"\342\204\246\377\302\233", "\"\342\204\246\357\277\275\\134u009b\""},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GString) out = g_string_new(NULL);
    hy_plot_quote(out, cases[k][0]);
    TEST_ASSERT_EQUAL_STRING(cases[k][1], out->str);
  }
}

static const double times[] = {0, 0.001, 0.002}, values[] = {1, NAN, 3};

static void test_the_script_has_a_panel_a_unit_and_steps_for_events(void)
{
  HyFigure f = {.title = "it's",
                .t = times,
                .n_rows = 3,
                .to = 0.004,
                .hold = 0.004,
                .file = "/tmp/a'b.png",
                .n = 2,
                .panel = {{.unit = "V", .n = 1, .curve = {{.label = "u", .v = values}}},
                          {.n = 1, .curve = {{.label = "n", .v = values, .steps = TRUE}}}}};
  g_autofree char *script = hy_plot_script(&f);
  static const char *const parts[] = {
      "$p0c0 << END\n0 1\n\n2 3\nEND\n",      /* interrupted, in ms */
      "$p1c0 << END\n0 1\n\n2 3\n4 3\nEND\n", /* holds until the end */
      "set output \"/tmp/a'b.png\"\n",
      "set multiplot layout 2,1 title \"it's\"",
      "set ylabel \"V\"\nset format x ''\nset xlabel\nplot $p0c0 ",
      " using 1:2 with lines lt 1 title \"u\"\n",
      "set xlabel 't in ms'\nplot $p1c0 using 1:2 with steps lt 1 title \"n\"\n",
  };
  for (guint k = 0; k < G_N_ELEMENTS(parts); k++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(script, parts[k]), script);
  }
}

/* An upright label that is longer than its panel is high has smaller letters, and its end is what
 * is shown of a very long one. */
static void test_long_units_have_room(void)
{
  HyFigure f = {.title = "t",
                .t = times,
                .n_rows = 3,
                .to = 0.004,
                .hold = 0.004,
                .file = "/tmp/a.png",
                .n = 3,
                .panel = {{.unit = "V", .n = 1, .curve = {{.label = "u", .v = values}}},
                          {.unit = "vehicles per hour and lane of road",
                           .n = 1,
                           .curve = {{.label = "x", .v = values}}},
                          {.unit = "thousands of vehicles per hour and lane of road",
                           .n = 1,
                           .curve = {{.label = "y", .v = values}}}}};
  g_autofree char *script = hy_plot_script(&f);
  static const char *const parts[] = {
      "set ylabel \"V\"\n",
      "set ylabel \"vehicles per hour and lane of road\" font ',8.71'\n", /* 220 of 265 pixels */
      "set ylabel \"\342\200\246ehicles per hour and lane of road\" font ',8.71'\n",
  };
  for (guint k = 0; k < G_N_ELEMENTS(parts); k++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(script, parts[k]), script);
  }
  TEST_ASSERT_NULL(strstr(script, "thousands"));
}

/* y = x^2 is a straight line of slope 2 on axes that are both logarithmic. */
static void test_logarithmic_axes(void)
{
  HyFigure f = {
      .title = "t",
      .axis = "it's N",
      .t = (const double[]){1, 10, 100},
      .n_rows = 3,
      .from = 1,
      .to = 100,
      .hold = NAN,
      .log_x = TRUE,
      .log_y = TRUE,
      .file = "/tmp/a.svg",
      .n = 1,
      .panel = {{.n = 1, .curve = {{.label = "u", .v = (const double[]){1, 100, 10000}}}}}};
  g_autofree char *script = hy_plot_script(&f);
  static const char *const parts[] = {
      "set logscale x\nset xrange [1:100]\n", "set yrange [0.833333333333333:12000]\n",
      "set logscale y\n", "set xlabel \"it's N\"\n", "$p0c0 << END\n1 1\n10 100\n100 10000\nEND\n"};
  for (guint k = 0; k < G_N_ELEMENTS(parts); k++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(script, parts[k]), script);
  }
}

static void test_thinning_keeps_the_extremes(void)
{
  guint n = 1000000;
  g_autofree double *t = g_new(double, n), *v = g_new(double, n);
  for (guint k = 0; k < n; k++) {
    t[k] = k;
    v[k] = sin(k * 1e-3);
  }
  v[123456] = 7;
  v[654321] = -7;
  v[500000] = NAN;
  GArray *points = hy_plot_thin(t, v, n, 0, n - 1, 1000);
  TEST_ASSERT_LESS_OR_EQUAL_UINT(4 * 1001 + 5, points->len);
  guint high = 0, low = 0, gaps = 0;
  for (guint k = 0; k < points->len; k++) {
    const HyPoint *p = &g_array_index(points, HyPoint, k);
    TEST_ASSERT_TRUE(k == 0 || p->x >= g_array_index(points, HyPoint, k - 1).x);
    high += p->x == 123456 && p->y == 7;
    low += p->x == 654321 && p->y == -7;
    gaps += isnan(p->y);
  }
  TEST_ASSERT_TRUE(high == 1 && low == 1 && gaps == 1);
  TEST_ASSERT_EQUAL_DOUBLE(n - 1, g_array_index(points, HyPoint, points->len - 1).x);
  g_array_unref(points);
}

static void test_few_points_stay_as_they_are(void)
{
  GArray *points = hy_plot_thin(times, values, 3, 0, 0.002, 100);
  TEST_ASSERT_EQUAL_UINT(3, points->len);
  g_array_unref(points);
}

/* A curve that swings more often than there are pixels is drawn behind the others, seen through. */
static void test_many_periods_are_a_band_behind_the_curves(void)
{
  guint n = 4000;
  g_autofree double *t = g_new(double, n), *wide = g_new(double, n), *narrow = g_new(double, n);
  for (guint k = 0; k < n; k++) {
    t[k] = k;
    wide[k] = k % 2 == 0 ? -1 : 1;
    narrow[k] = k % 2 == 0 ? 0.499 : 0.501;
  }
  TEST_ASSERT_EQUAL_DOUBLE(0, hy_plot_swing(wide, 1001, 1000));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 2, hy_plot_swing(wide, n, 1000));
  HyFigure f = {.title = "",
                .t = t,
                .n_rows = n,
                .to = n,
                .hold = NAN,
                .file = "/tmp/x.png",
                .n = 1,
                .panel = {{.n = 2,
                           .curve = {{.label = "w", .v = wide, .swing = 2},
                                     {.label = "n", .v = narrow, .swing = 2e-3}}}}};
  g_autofree char *script = hy_plot_script(&f);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(script, "plot $p0c0 using 1:2 with lines lc rgb '#600072b2' lw 1 notitle, \\\n  "
                     "keyentry with lines lt 1 title \"w\", \\\n  "
                     "$p0c1 using 1:2 with lines lt 2 title \"n\"\n"),
      strstr(script, "plot "));
}

static void check_error(const HyPlotOptions *o, HyErrorCode code, const char *message)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE_MESSAGE(hy_plot_csv(o, &error), message);
  g_auto(GStrv) parts = g_strsplit(error->message, dir, -1);
  g_autofree char *shown = g_strjoinv("DIR", parts);
  TEST_ASSERT_EQUAL_STRING(message, shown);
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, (int)code));
}

/* Window --------------------------------------------------------------------------------------- */

/* The rows of "0,0,7 / 1,10, / 2,30,8 / 2,40, / 4,0,", cut at FROM and TO, as text; the second
 * column is a line, the third holds. */
static char *cut(double from, double to)
{
  write_text("run.csv", "time,u,n\n0,0,7\n1,10,\n2,30,8\n2,40,\n4,0,\n");
  g_autoptr(HyTable) table = hy_table_read(csv, NULL);
  static const gboolean holds[] = {FALSE, FALSE, TRUE};
  if (!hy_plot_window(table, from, to, holds)) {
    return g_strdup("nothing");
  }
  GString *out = g_string_new(NULL);
  for (gsize k = 0; k < table->n_rows; k++) {
    g_string_append_printf(out, "%g,%g,%g ", table->column[0].v[k], table->column[1].v[k],
                           table->column[2].v[k]);
  }
  return g_string_free(out, FALSE);
}

static void check_cut(double from, double to, const char *wanted)
{
  g_autofree char *got = cut(from, to);
  TEST_ASSERT_EQUAL_STRING(wanted, got);
}

static void test_a_window_is_cut_where_it_begins_and_ends(void)
{
  static const char all[] = "0,0,7 1,10,nan 2,30,8 2,40,nan 4,0,nan ";
  check_cut(-INFINITY, INFINITY, all);
  check_cut(0, 4, all);
  check_cut(0.5, 1.5, "0.5,5,7 1,10,nan 1.5,20,7 ");
  check_cut(1.25, 1.5, "1.25,15,7 1.5,20,7 ");
  check_cut(3, INFINITY, "3,20,8 4,0,nan ");
  check_cut(-1, 0.5, "0,0,7 0.5,5,7 ");
  check_cut(4.5, 5, "nothing");
  check_cut(-2, -1, "nothing");
}

static void test_a_window_without_rows_is_told(void)
{
  write_text("run.csv", "time,a\n0,1\n1,2\n");
  check_error(&(HyPlotOptions){.csv = csv, .from = 2, .to = 3}, HY_ERROR_USAGE,
              "DIR/run.csv: nothing to draw from 2 to 3: it is from 0 to 1");
}

/* gnuplot puts three points of y = x^2 at equal distances. */
static void test_gnuplot_draws_a_power_as_a_straight_line(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot"), *svg = NULL;
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  g_autofree char *out = g_build_filename(dir, "run.svg", NULL);
  g_autoptr(GError) error = NULL;
  write_text("run.csv", "N,u\n1,3\n10,300\n100,30000\n");
  TEST_ASSERT_TRUE(hy_plot_csv(&(HyPlotOptions){.csv = csv, .out = out, .log = "xy"}, &error));
  TEST_ASSERT_TRUE(g_file_get_contents(out, &svg, NULL, NULL));
  g_autoptr(GRegex) path = g_regex_new("M([0-9.]+),([0-9.]+) L([0-9.]+),([0-9.]+) "
                                       "L([0-9.]+),([0-9.]+) *'",
                                       0, 0, NULL);
  g_autoptr(GMatchInfo) found = NULL;
  gboolean straight = FALSE;
  for (g_regex_match(path, svg, 0, &found); g_match_info_matches(found);
       g_match_info_next(found, NULL)) {
    double at[6];
    for (int k = 0; k < 6; k++) {
      g_autofree char *text = g_match_info_fetch(found, k + 1);
      at[k] = g_ascii_strtod(text, NULL);
    }
    straight |= at[4] > at[0] && at[5] < at[1] && fabs(at[0] + at[4] - 2 * at[2]) < 0.3 &&
                fabs(at[1] + at[5] - 2 * at[3]) < 0.3;
  }
  TEST_ASSERT_TRUE_MESSAGE(straight, svg);
}

/* The picture of a.csv and, with B, b.csv. */
static char *picture(gboolean b)
{
  g_autofree char *second = g_build_filename(dir, "b.csv", NULL);
  g_autofree char *out = g_build_filename(dir, "run.svg", NULL);
  const char *const with[] = {second, NULL};
  g_autoptr(GError) error = NULL;
  char *svg = NULL;
  HyPlotOptions o = {.csv = csv, .with = b ? with : NULL, .out = out};
  TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_get_contents(out, &svg, NULL, NULL));
  return svg;
}

/* One panel is 570 pixels with all around it, two are 732. */
static void test_signals_of_other_sizes_have_other_panels(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  write_text("run.csv", "time,u,v,zero\n0,1,20,0\n1,-2,3,0\n");
  g_autofree char *one = picture(FALSE);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(one, "viewBox=\"0 0 1200 570\""), one);
  write_text("run.csv", "time,u,v,zero\n0,1,200,0\n1,-2,3,0\n");
  g_autofree char *two = picture(FALSE);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(two, "viewBox=\"0 0 1200 732\""), two);
}

/* COLUMNS as hy_plot_figure() has them: how many panels they make, each with the first that takes
 * it. */
static guint panels_of(const HyPanelled *columns, guint n, gboolean logarithms)
{
  HyShared panel[16];
  guint many = 0;
  for (guint k = 0; k < n; k++) {
    guint at = 0;
    while (at < many && !hy_panel_takes(&panel[at], &columns[k], logarithms)) {
      at++;
    }
    if (at == many) {
      panel[many++] = hy_panel_of(&columns[k]);
    } else {
      hy_panel_add(&panel[at], &columns[k]);
    }
  }
  return many;
}

/* Each moves over a tenth of its panel at least, whoever came before: 1, 8, 64 are not one by
 * steps. */
static void test_nothing_is_flat_beside_others(void)
{
  const HyPanelled chain[] = {{NULL, FALSE, 0, 1}, {NULL, FALSE, 0, 8}, {NULL, FALSE, 0, 64}};
  TEST_ASSERT_EQUAL_UINT(2, panels_of(chain, 3, FALSE));
  TEST_ASSERT_EQUAL_UINT(1, panels_of(chain, 3, TRUE));
  const HyPanelled down[] = {{NULL, FALSE, 0, 64}, {NULL, FALSE, 0, 8}, {NULL, FALSE, 0, 1}};
  TEST_ASSERT_EQUAL_UINT(2, panels_of(down, 3, FALSE));
  const HyPanelled ripple[] = {{NULL, FALSE, 999, 1001}, {NULL, FALSE, 0, 900}};
  TEST_ASSERT_EQUAL_UINT(
      2, panels_of(ripple, 2, FALSE)); /* of like size, and the ripple is not seen */
  const HyPanelled level[] = {{NULL, FALSE, 0, 11}, {NULL, FALSE, 12, 12}, {NULL, FALSE, 0, 0}};
  TEST_ASSERT_EQUAL_UINT(1, panels_of(level, 3, FALSE)); /* what stands still is seen, too */
  const HyPanelled far[] = {{NULL, FALSE, -1, 1}, {NULL, FALSE, 1000, 1000}};
  TEST_ASSERT_EQUAL_UINT(2, panels_of(far, 2, FALSE));
  const HyPanelled stated[] = {{"V", FALSE, 0, 1}, {"V", TRUE, 0, 1e6}, {"A", FALSE, 0, 1}};
  TEST_ASSERT_EQUAL_UINT(2, panels_of(stated, 3, FALSE));
  const HyPanelled events[] = {{NULL, FALSE, 0, 1}, {NULL, TRUE, 0, 1}, {NULL, TRUE, 0, 1e6}};
  TEST_ASSERT_EQUAL_UINT(2, panels_of(events, 3, FALSE));
  const double v[] = {NAN, 3, -INFINITY, -2};
  HyPanelled of = hy_panelled("V", TRUE, v, 4);
  TEST_ASSERT_EQUAL_DOUBLE(-2, of.low);
  TEST_ASSERT_EQUAL_DOUBLE(3, of.high);
}

static void test_two_recordings_are_in_one_picture(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  write_text("run.csv", "time,u\n0,1\n1,2\n");
  write_text("b.csv", "time,u\n0,3\n2,2\n");
  g_autofree char *svg = picture(TRUE);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(svg, "viewBox=\"0 0 1200 570\""), svg);
  TEST_ASSERT_NOT_NULL(strstr(svg, "run.csv)</text>"));
  TEST_ASSERT_NOT_NULL(strstr(svg, "b.csv)</text>"));
}

/* A circle in many points and both directions: all of it is there, within half a pixel of it. */
static void test_a_path_goes_forth_and_back(void)
{
  enum { N = 20000 };
  g_autofree double *x = g_new(double, N), *y = g_new(double, N);
  for (guint k = 0; k < N; k++) {
    x[k] = cos(2 * G_PI * k / (N - 1));
    y[k] = sin(2 * G_PI * k / (N - 1));
  }
  x[N / 2] = NAN;
  g_autoptr(GArray) points = hy_plot_thin_path(x, y, N, 2, 2, 100);
  TEST_ASSERT_LESS_THAN_UINT(1000, points->len);
  TEST_ASSERT_GREATER_THAN_UINT(500, points->len);
  guint gaps = 0;
  double last = 0;
  for (guint k = 0; k < points->len; k++) {
    const HyPoint *p = &g_array_index(points, HyPoint, k);
    gaps += isnan(p->y);
    if (!isnan(p->y)) {
      double angle = atan2(p->y, p->x);
      angle += angle < last - 3 ? 2 * G_PI : 0;
      TEST_ASSERT_DOUBLE_WITHIN(0.03, last, angle);
      last = angle;
    }
  }
  TEST_ASSERT_EQUAL_UINT(1, gaps);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * G_PI, last);
}

static void test_a_column_may_take_the_place_of_the_time(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot"), *svg = NULL;
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  g_autofree char *out = g_build_filename(dir, "run.svg", NULL);
  g_autoptr(GError) error = NULL;
  write_text("run.csv", "time,u,v\n0,1,0\n1,0,1\n2,-1,0\n3,0,-1\n4,1,0\n");
  write_text("run.csv.json", "{\"t0\": 0, \"tf\": 90, \"columns\": [{\"path\": \"u\", \"unit\": "
                             "\"V\", \"label\": \"input\"}]}");
  HyPlotOptions o = {.csv = csv, .out = out, .over = "u"};
  TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_get_contents(out, &svg, NULL, NULL));
  TEST_ASSERT_NOT_NULL(strstr(svg, "input (V)</text>"));
  TEST_ASSERT_NULL(strstr(svg, "time"));
  TEST_ASSERT_NULL(strstr(svg, ">90<"));
  o.over = "w";
  TEST_ASSERT_FALSE(hy_plot_csv(&o, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(error->message, "run.csv: no column \"w\" with numbers; it has u, v"), error->message);
}

static void test_what_has_no_logarithm_is_told(void)
{
  write_text("run.csv", "time,a,b\n0,1,1\n1,2,-3\n");
  check_error(&(HyPlotOptions){.csv = csv, .log = "x"}, HY_ERROR_USAGE,
              "DIR/run.csv: \"time\" is 0 in row 1, which has no logarithm: --log=y, or --from a "
              "time above 0");
  check_error(&(HyPlotOptions){.csv = csv, .log = "y"}, HY_ERROR_USAGE,
              "DIR/run.csv: \"b\" is -3 in row 2, which has no logarithm: leave it out with "
              "--columns");
}

/* Errors --------------------------------------------------------------------------------------- */

static void test_what_cannot_be_drawn(void)
{
  HyPlotOptions o = {.csv = csv};
  check_error(&o, HY_ERROR_RUN, "DIR/run.csv: cannot read: No such file or directory");
  write_text("run.csv", "time,a\n");
  check_error(&o, HY_ERROR_RUN, "DIR/run.csv: has no rows to draw");
  write_text("run.csv", "time,a\n0,x\n");
  check_error(&o, HY_ERROR_RUN, "DIR/run.csv: no column with numbers to draw");
  write_text("run.csv", "name,a\n0,1\nx,1\n");
  check_error(&o, HY_ERROR_RUN, "DIR/run.csv: row 2: the first column, \"name\", is not a time");
  write_text("run.csv", "time,a,\"b[1,2]\"\n0,1,2\n");
  o.columns = "b[1,2],c";
  check_error(&o, HY_ERROR_USAGE, "DIR/run.csv: no column \"c\"; it has a, b[1,2]");
  o.columns = NULL;
  o.out = "x.gif";
  check_error(&o, HY_ERROR_USAGE, "x.gif: a picture is a .png, .svg or .pdf");
  o.out = "/nowhere/x.png";
  check_error(&o, HY_ERROR_RUN, "/nowhere/x.png: cannot write: No such file or directory");
  o.out = NULL;
  write_text("run.csv.json", "{\"columns\": [{\"path\": 1}, {\"unit\": ");
  check_error(&o, HY_ERROR_RUN, "DIR/run.csv.json: not what hydevs writes beside a recording");
}

static void test_without_gnuplot_the_remedy_is_told(void)
{
  write_text("run.csv", "time,a\n0,1\n");
  g_autofree char *search = g_strdup(g_getenv("PATH"));
  g_setenv("PATH", dir, TRUE);
  check_error(&(HyPlotOptions){.csv = csv}, HY_ERROR_RUN,
              "DIR/run.png: gnuplot is needed to draw and is not installed; install it (Debian, "
              "Ubuntu: apt-get install gnuplot-nox), or open the CSV with another program");
  g_setenv("PATH", search, TRUE);
}

/* JSON ------------------------------------------------------------------------------------------
 */

static void test_broken_json_is_noticed(void)
{
  static const char *const broken[] = {" ",
                                       "{",
                                       "[]",
                                       "{\"a\"",
                                       "{\"a\":",
                                       "{\"a\":1",
                                       "{\"a\":\"",
                                       "{1",
                                       "{]}",
                                       "{\"a\":[}",
                                       "{\"a\":\"\\x\"}",
                                       "{\"a\":\"\\u12\"}",
                                       "{\"columns\": 3}"};
  for (guint k = 0; k < G_N_ELEMENTS(broken); k++) {
    write_text("run.csv.json", broken[k]);
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_NULL_MESSAGE(hy_sidecar_read(csv, &error), broken[k]);
    TEST_ASSERT_NOT_NULL_MESSAGE(error, broken[k]);
  }
  g_autoptr(GError) none = NULL; /* of a run that was killed as it began */
  write_text("run.csv.json", "");
  TEST_ASSERT_NULL(hy_sidecar_read(csv, &none));
  TEST_ASSERT_NULL(none);
  g_autofree char *deep = g_strnfill(100000, '[');
  g_autofree char *text = g_strconcat("{\"a\": ", deep, NULL);
  write_text("run.csv.json", text);
  TEST_ASSERT_NULL(hy_sidecar_read(csv, NULL));
}

static void test_unknown_members_are_passed_over(void)
{
  write_text("run.csv.json",
             "{\"x\": [1, {\"y\": [null, true, -1e3, \"\\u00e9\\n\"]}, {}], "
             "\"model\": \"a\\\\\\u00e9\", \"tf\": null,\n"
             " \"columns\": [{\"new\": {}, \"path\": \"p\", \"kind\": \"event\"}]}");
  g_autoptr(GError) error = NULL;
  g_autoptr(HySidecar) s = hy_sidecar_read(csv, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(s, error != NULL ? error->message : "");
  TEST_ASSERT_EQUAL_STRING("a\\\303\251", s->model);
  TEST_ASSERT_TRUE(isnan(s->tf) && hy_sidecar_find(s, "p")->event);
  TEST_ASSERT_NULL(hy_sidecar_find(s, "q"));
}

/* gnuplot ---------------------------------------------------------------------------------------
 */

static void draw_as(const char *ending, const char *signature)
{
  g_autofree char *out = g_strdup_printf("%s/it's %%d%s", dir, ending), *text = NULL;
  g_autoptr(GError) error = NULL;
  gsize size = 0;
  hy_plot_csv(&(HyPlotOptions){.csv = csv, .out = out, .title = "'tis `false` \\n @x"}, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_get_contents(out, &text, &size, NULL));
  TEST_ASSERT_GREATER_THAN_size_t(1000, size);
  TEST_ASSERT_EQUAL_MEMORY(signature, text, strlen(signature));
  TEST_ASSERT_TRUE(strcmp(ending, ".svg") != 0 || strstr(text, "'tis `false` \\n @x") != NULL);
}

static void test_gnuplot_draws_all_formats(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  g_autoptr(GString) text = g_string_new("time,u,n,\"j\n'`touch x`\",same,late\n");
  for (guint k = 0; k < 2000; k++) {
    g_string_append_printf(text, "%u.5e-6,%u,%u,\"('job', %u)\",1e5,%s\n", k, k * k % 1000, k / 500,
                           k, k == 1999 ? "-3" : "");
  }
  write_text("run.csv", text->str);
  write_text("run.csv.json", "{\"model\": \"m\", \"t0\": 0, \"tf\": 0.003, \"end\": 0.003, "
                             "\"columns\": [{\"path\": \"u\", \"unit\": \"\342\204\246'\"}, "
                             "{\"path\": \"n\", \"kind\": \"event\"}]}");
  draw_as(".png", "\211PNG\r\n\032\n");
  draw_as(".svg", "<?xml");
  draw_as(".pdf", "%PDF-");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_texts_mean_nothing_to_gnuplot);
  RUN_TEST(test_the_script_has_a_panel_a_unit_and_steps_for_events);
  RUN_TEST(test_long_units_have_room);
  RUN_TEST(test_logarithmic_axes);
  RUN_TEST(test_gnuplot_draws_a_power_as_a_straight_line);
  RUN_TEST(test_signals_of_other_sizes_have_other_panels);
  RUN_TEST(test_nothing_is_flat_beside_others);
  RUN_TEST(test_two_recordings_are_in_one_picture);
  RUN_TEST(test_a_path_goes_forth_and_back);
  RUN_TEST(test_a_column_may_take_the_place_of_the_time);
  RUN_TEST(test_what_has_no_logarithm_is_told);
  RUN_TEST(test_thinning_keeps_the_extremes);
  RUN_TEST(test_few_points_stay_as_they_are);
  RUN_TEST(test_many_periods_are_a_band_behind_the_curves);
  RUN_TEST(test_a_window_is_cut_where_it_begins_and_ends);
  RUN_TEST(test_a_window_without_rows_is_told);
  RUN_TEST(test_what_cannot_be_drawn);
  RUN_TEST(test_without_gnuplot_the_remedy_is_told);
  RUN_TEST(test_broken_json_is_noticed);
  RUN_TEST(test_unknown_members_are_passed_over);
  RUN_TEST(test_gnuplot_draws_all_formats);
  return UNITY_END();
}
