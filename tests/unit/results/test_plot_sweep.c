/* Tables of a sweep as pictures: what is drawn, as numbers; and how many runs spread. */
#include "results/plot_bands.h"
#include "results/plot_chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

static HyTable *table;
static GError *error;
static HySidecar *sidecar;

void setUp(void)
{
}

void tearDown(void)
{
  g_clear_pointer(&table, hy_table_free);
  g_clear_pointer(&sidecar, hy_sidecar_free);
  g_clear_error(&error);
}

static HyTable *read_text(const char *text)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "r.csv", NULL);
  g_file_set_contents(file, text, -1, NULL);
  HyTable *t = hy_table_read(file, &error);
  remove(file);
  remove(dir);
  TEST_ASSERT_NOT_NULL_MESSAGE(t, error != NULL ? error->message : "");
  return t;
}

static HyTable *drawn(const char *text, const HyPlotOptions *how, HyPlotLooks *looks)
{
  table = read_text(text);
  HyPlotOptions o = *how;
  o.csv = "mc.csv";
  HyPlotSource s = {.o = &o, .table = table};
  TEST_ASSERT_TRUE(hy_plot_is_sweep(table));
  return hy_plot_sweep(&s, looks, &sidecar, &error);
}

static void holds(const HyTable *t, guint column, const char *name, const double *wanted)
{
  TEST_ASSERT_EQUAL_STRING(name, t->column[column].name);
  for (gsize k = 0; k < t->n_rows; k++) {
    double v = t->column[column].v[k];
    TEST_ASSERT_TRUE_MESSAGE(v == wanted[k] || (isnan(v) && isnan(wanted[k])), name);
  }
}

/* Two values of R and three of f, in any order: y = 10 R + f, z = f. */
static const char grid[] = "run,R,f,status,y,z,events,why\n"
                           "0,2,3,0,23,3,9,\n1,1,3,0,13,3,9,\n2,1,1,0,11,1,9,\n"
                           "3,1,2,0,12,2,9,\n4,2,2,4,,,9,\"it ends, \"\"here\"\"\"\n"
                           "5,2,1,0,21,1,9,\n";

static void test_a_grid_is_curves_over_its_last_parameter(void)
{
  HyPlotLooks looks = {0};
  g_autoptr(HyTable) t = drawn(grid, &(HyPlotOptions){0}, &looks);
  TEST_ASSERT_FALSE(looks.points);
  TEST_ASSERT_EQUAL_UINT(5, t->n);
  TEST_ASSERT_EQUAL_UINT(3, t->n_rows);
  holds(t, 0, "f", (const double[]){1, 2, 3});
  holds(t, 1, "y, R = 1", (const double[]){11, 12, 13});
  holds(t, 2, "y, R = 2", (const double[]){21, NAN, 23});
  holds(t, 3, "z, R = 1", (const double[]){1, 2, 3});
  TEST_ASSERT_EQUAL_STRING("mc.csv: 6 runs, 1 failed", sidecar->title);
}

static void test_the_parameter_that_is_asked_for_stands_along_the_axis(void)
{
  HyPlotLooks looks = {0};
  g_autoptr(HyTable) t = drawn(grid, &(HyPlotOptions){.over = "R", .columns = "y"}, &looks);
  TEST_ASSERT_EQUAL_UINT(4, t->n);
  holds(t, 0, "R", (const double[]){1, 2});
  holds(t, 1, "y, f = 1", (const double[]){11, 21});
  holds(t, 2, "y, f = 2", (const double[]){12, NAN});
}

/* 2 of the 3 runs have one value of a: no grid. y follows b. */
static void test_other_plans_are_points_over_what_moves_the_measure(void)
{
  HyPlotLooks looks = {0};
  g_autoptr(HyTable) t = drawn("run,a,b,lot,status,y,events,why\n0,1,9,A,0,90,1,\n1,2,8,B,0,80,1,\n"
                               "2,1,7,A,0,70,1,\n3,3,6,A,limit,,1,\n",
                               &(HyPlotOptions){0}, &looks);
  TEST_ASSERT_TRUE(looks.points);
  TEST_ASSERT_EQUAL_UINT(2, t->n);
  holds(t, 0, "b", (const double[]){6, 7, 8, 9});
  holds(t, 1, "y", (const double[]){NAN, 70, 80, 90});
  TEST_ASSERT_EQUAL_STRING("mc.csv: 4 runs, 1 failed", sidecar->title);
}

static void test_a_histogram_counts_runs_also_equal_ones(void)
{
  HyPlotLooks looks = {0};
  g_autoptr(HyTable) t =
      drawn("run,a,status,y,events,why\n0,1,0,2,1,\n1,2,0,2,1,\n2,3,0,2,1,\n3,4,0,3,1,\n",
            &(HyPlotOptions){.histogram = "values"}, &looks);
  TEST_ASSERT_EQUAL_UINT(3, t->n_rows); /* 1.5, 2.5, 3.5 */
  TEST_ASSERT_EQUAL_DOUBLE(3, t->column[1].v[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1, t->column[1].v[1]);
  TEST_ASSERT_EQUAL_STRING("mc.csv: 4 runs, mean 2.25, deviation 0.5, 98 % within 2 .. 2.97",
                           sidecar->title);
}

static void test_runs_out_of_bounds_have_not_failed(void)
{
  HyPlotLooks looks = {0};
  hy_table_free(drawn("run,a,status,y,events,why\n0,1,0,1,1,\n1,2,5,3,1,above\n2,3,5,4,1,above\n"
                      "3,4,time,,1,\n",
                      &(HyPlotOptions){0}, &looks));
  TEST_ASSERT_EQUAL_STRING("mc.csv: 4 runs, 2 out of bounds, 1 failed", sidecar->title);
}

static void refuses(const char *text, const HyPlotOptions *how, const char *wanted)
{
  HyPlotLooks looks = {0};
  TEST_ASSERT_NULL(drawn(text, how, &looks));
  TEST_ASSERT_EQUAL_STRING(wanted, error->message);
  tearDown();
}

static void test_what_cannot_be_drawn_is_told(void)
{
  refuses(grid, &(HyPlotOptions){.fft = "hann"},
          "mc.csv: a spectrum is of a signal over time; the rows here are the runs of a sweep");
  refuses(grid, &(HyPlotOptions){.from = 1, .to = 2},
          "mc.csv: a part is of a signal over time; the rows here are the runs of a sweep");
  refuses(grid, &(HyPlotOptions){.over = "Q"},
          "mc.csv: no column \"Q\" with numbers; it has R, f, status, y, z, events, why");
  refuses(grid, &(HyPlotOptions){.histogram = "values"},
          "mc.csv: a histogram of which of these? --columns y, z");
  refuses(grid, &(HyPlotOptions){.histogram = "steps", .columns = "y"},
          "mc.csv: runs of a sweep have no steps; --histogram values counts them by a measure");
  refuses("run,a,status,y,events,why\n0,1,4,,1,no\n", &(HyPlotOptions){0},
          "mc.csv: no run has a measure to draw");
  refuses("run,a,status,y,events,why\n", &(HyPlotOptions){0}, "mc.csv: has no runs to draw");
}

static void test_bands_are_of_recordings(void)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "mc.csv", NULL);
  g_autofree char *out = g_build_filename(dir, "mc.png", NULL);
  g_file_set_contents(file, grid, -1, NULL);
  HyPlotOptions o = {.csv = file, .out = out, .bands = TRUE};
  TEST_ASSERT_FALSE(hy_plot_csv(&o, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "mc.csv: is the table of a sweep; --bands"),
                               error->message);
  remove(file);
  remove(dir);
}

static HyChart *chart(const char *text, const HyPlotOptions *how)
{
  table = read_text(text);
  HyPlotOptions o = *how;
  o.csv = "mc.csv";
  HyPlotSource s = {.o = &o, .table = table};
  return o.tornado ? hy_plot_tornado(&s, &error) : hy_plot_map(&s, &error);
}

static void test_boxes_of_a_map_reach_half_way_to_their_neighbours(void)
{
  g_autoptr(HyChart) c = chart(grid, &(HyPlotOptions){.map = "f,R", .columns = "y"});
  TEST_ASSERT_FALSE(c->points);
  TEST_ASSERT_EQUAL_UINT(6, c->box->len);
  const HyBox *b = &g_array_index(c->box, HyBox, 0);
  const double wanted[] = {3, 2, 2.5, 3.5, 1.5, 2.5, 23};
  const double is[] = {b->x, b->y, b->left, b->right, b->low, b->high, b->v};
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(wanted, is, G_N_ELEMENTS(wanted));
  TEST_ASSERT_TRUE(isnan(g_array_index(c->box, HyBox, 4).v));
}

static void test_maps_of_other_plans_are_points(void)
{
  g_autoptr(HyChart) c = chart("run,a,b,status,y,events,why\n0,1,9,0,90,1,\n1,2,8,0,80,1,\n",
                               &(HyPlotOptions){.map = "a,b"});
  TEST_ASSERT_TRUE(c->points);
}

static void test_a_map_says_how_many_runs_it_hides(void)
{
  g_autoptr(HyChart) c = chart("run,a,b,c,status,y,events,why\n0,1,8,1,0,90,1,\n1,2,8,1,0,80,1,\n"
                               "2,1,8,2,0,70,1,\n3,2,8,2,4,,1,no\n4,1,9,1,0,1,1,\n",
                               &(HyPlotOptions){.map = "a,b"});
  TEST_ASSERT_EQUAL_STRING("mc.csv: 5 runs, 1 failed, 1 of them behind others at the same place",
                           c->title);
}

static void test_a_map_is_over_two_parameters(void)
{
  static const char *const wrong[] = {"f", "f,", ",f", "f,f", "f,Q", "y,f"};
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    TEST_ASSERT_NULL(chart(grid, &(HyPlotOptions){.map = wrong[k], .columns = "y"}));
    TEST_ASSERT_EQUAL_STRING("mc.csv: a map is over two parameters that vary, as --map A,B; here "
                             "vary: R, f",
                             error->message);
    tearDown();
  }
}

/* y = 100 + 3 a - 20 b exactly, a in -1 .. 3, b in 0 .. 1, on a grid with a hole. */
static void test_bars_are_what_a_plane_says(void)
{
  g_autoptr(GString) text = g_string_new("run,a,b,c,status,y,events,why\n");
  for (int a = -1; a <= 3; a++) {
    for (int b = 0; b <= 1; b++) {
      gboolean hole = a == 0 && b == 1;
      g_string_append_printf(text, "0,%d,%d,5,%d,", a, b, hole ? 4 : 0);
      g_string_append_printf(text, hole ? ",1,\n" : "%d,1,\n", 100 + 3 * a - 20 * b);
    }
  }
  g_autoptr(HyChart) c = chart(text->str, &(HyPlotOptions){.tornado = TRUE});
  TEST_ASSERT_EQUAL_UINT(4, c->box->len);
  TEST_ASSERT_EQUAL_STRING("a, -1 to 3", c->names->pdata[0]);
  TEST_ASSERT_EQUAL_STRING("b, 0 to 1", c->names->pdata[1]);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(c->title, "a plane explains 100 %"), c->title);
  double mean_a = 10.0 / 9, mean_b = 4.0 / 9; /* of the nine runs that have y */
  const double wanted[] = {3 * (-1 - mean_a), 3 * (3 - mean_a), 20 * mean_b, -20 * (1 - mean_b)};
  for (guint k = 0; k < 4; k++) {
    const HyBox *b = &g_array_index(c->box, HyBox, k);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted[k], b->left + b->right);
    TEST_ASSERT_EQUAL_DOUBLE(k % 2, b->v);
  }
}

/* y = 2 a - b, all of them so large or so small that their squares are no numbers. */
static void test_bars_of_numbers_without_squares(void)
{
  g_autoptr(HyChart) c = chart("run,a,b,status,y,events,why\n0,0,0,0,0,1,\n1,1e-300,0,0,2e300,1,\n"
                               "2,0,1e300,0,-1e300,1,\n3,1e-300,1e300,0,1e300,1,\n",
                               &(HyPlotOptions){.tornado = TRUE});
  TEST_ASSERT_NOT_NULL_MESSAGE(c, error != NULL ? error->message : "");
  const double wanted[] = {0.5, -0.5, -1, 1}; /* the shorter one is first */
  for (guint k = 0; k < 4; k++) {
    const HyBox *b = &g_array_index(c->box, HyBox, k);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted[k], (b->left + b->right) / 1e300);
  }
}

static void test_a_name_with_a_percent_sign_is_no_format(void)
{
  g_autoptr(HyChart) c = chart("run,tol %g,status,y,events,why\n0,1,0,1,1,\n1,2,0,3,1,\n",
                               &(HyPlotOptions){.tornado = TRUE});
  g_autoptr(GString) script = g_string_new(NULL);
  hy_chart_script(script, c);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(script->str, "\"tol %%g, 1 to 2\" 0"), script->str);
}

static void test_a_long_name_leaves_room_for_the_bars(void)
{
  g_autofree char *name = g_strnfill(300, 'n');
  g_autofree char *text =
      g_strdup_printf("run,%s,status,y,events,why\n0,1,0,1,1,\n1,2,0,3,1,\n", name);
  g_autoptr(HyChart) c = chart(text, &(HyPlotOptions){.tornado = TRUE});
  TEST_ASSERT_LESS_THAN(60, strlen(c->names->pdata[0]));
  TEST_ASSERT_TRUE(g_str_has_suffix(c->names->pdata[0], "n, 1 to 2"));
}

/* b varies in the run that has failed alone; a has 0 .. 38 once and 39 in 362 runs, of which 5 %
 * are below 20. */
static void test_ends_of_bars_are_those_of_runs(void)
{
  g_autoptr(GString) text = g_string_new("run,a,b,status,y,events,why\n99,3,8,4,,1,no\n");
  for (int k = 0; k <= 400; k++) {
    g_string_append_printf(text, "%d,%d,7,0,%d,1,\n", k, MIN(k, 39), 2 * MIN(k, 39));
  }
  g_autoptr(HyChart) c = chart(text->str, &(HyPlotOptions){.tornado = TRUE});
  TEST_ASSERT_NOT_NULL_MESSAGE(c, error != NULL ? error->message : "");
  TEST_ASSERT_EQUAL_UINT(1, c->names->len);
  TEST_ASSERT_EQUAL_STRING("a, 20 to 39", c->names->pdata[0]);
}

static void test_parameters_that_follow_from_each_other_have_no_bars(void)
{
  TEST_ASSERT_NULL(chart("run,a,b,status,y,events,why\n0,1,2,0,1,1,\n1,2,4,0,5,1,\n2,3,6,0,2,1,\n"
                         "3,4,8,0,2,1,\n",
                         &(HyPlotOptions){.tornado = TRUE}));
  TEST_ASSERT_EQUAL_STRING(
      "mc.csv: \"y\": the runs do not tell its parameters apart: too few runs, "
      "or parameters that follow from each other",
      error->message);
  tearDown();
  TEST_ASSERT_NULL(chart("run,a,status,y,events,why\n0,1,0,1,1,\n1,2,0,1,1,\n",
                         &(HyPlotOptions){.tornado = TRUE}));
  TEST_ASSERT_EQUAL_STRING("mc.csv: \"y\": the measure does not vary", error->message);
}

/* Bands: x = k t in runs k = 0 .. 20, so that 5 % of them are below k = 1. */
static GArray *lines(gboolean one_grid)
{
  GArray *runs = g_array_new(FALSE, TRUE, sizeof(HyPlotRun));
  g_array_set_clear_func(runs, hy_plot_run_clear);
  for (int k = 0; k <= 20; k++) {
    gboolean middle = one_grid || k % 2 == 1;
    g_autofree char *between = middle ? g_strdup_printf("1,%d\n", k) : g_strdup("");
    g_autofree char *text = g_strdup_printf("time,x\n0,0\n%s2,%d\n", between, 2 * k);
    HyPlotRun r = {.called = "r", .table = read_text(text)};
    guint column = 1;
    r.holds = g_new0(gboolean, 2);
    r.chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(r.chosen, column);
    g_array_append_val(runs, r);
  }
  return runs;
}

static void test_bands_are_parts_of_the_runs(void)
{
  static const double parts[] = {10, 1, 5, 15, 19};
  for (gboolean one_grid = FALSE; one_grid <= TRUE; one_grid++) {
    g_autoptr(GArray) runs = lines(one_grid);
    g_autoptr(HyTable) t =
        hy_plot_bands((const HyPlotRun *)(gpointer)runs->data, runs->len, &sidecar, &error);
    TEST_ASSERT_EQUAL_UINT(1 + HY_BAND_COLUMNS, t->n);
    TEST_ASSERT_EQUAL_UINT(one_grid ? 3 : 1001, t->n_rows);
    for (gsize row = 0; row < t->n_rows; row++) {
      for (guint k = 0; k < HY_BAND_COLUMNS; k++) {
        double wanted = parts[k] * t->column[0].v[row];
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, wanted, t->column[1 + k].v[row]);
      }
    }
    tearDown();
  }
}

static void test_quantiles_are_straight_between_values(void)
{
  static const double v[] = {1, 2, 4};
  TEST_ASSERT_EQUAL_DOUBLE(1, hy_plot_quantile(v, 3, 0));
  TEST_ASSERT_EQUAL_DOUBLE(1.5, hy_plot_quantile(v, 3, 0.25));
  TEST_ASSERT_EQUAL_DOUBLE(3, hy_plot_quantile(v, 3, 0.75));
  TEST_ASSERT_EQUAL_DOUBLE(4, hy_plot_quantile(v, 3, 1));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_grid_is_curves_over_its_last_parameter);
  RUN_TEST(test_the_parameter_that_is_asked_for_stands_along_the_axis);
  RUN_TEST(test_other_plans_are_points_over_what_moves_the_measure);
  RUN_TEST(test_a_histogram_counts_runs_also_equal_ones);
  RUN_TEST(test_runs_out_of_bounds_have_not_failed);
  RUN_TEST(test_what_cannot_be_drawn_is_told);
  RUN_TEST(test_bands_are_of_recordings);
  RUN_TEST(test_boxes_of_a_map_reach_half_way_to_their_neighbours);
  RUN_TEST(test_maps_of_other_plans_are_points);
  RUN_TEST(test_a_map_says_how_many_runs_it_hides);
  RUN_TEST(test_a_map_is_over_two_parameters);
  RUN_TEST(test_bars_are_what_a_plane_says);
  RUN_TEST(test_bars_of_numbers_without_squares);
  RUN_TEST(test_a_name_with_a_percent_sign_is_no_format);
  RUN_TEST(test_a_long_name_leaves_room_for_the_bars);
  RUN_TEST(test_ends_of_bars_are_those_of_runs);
  RUN_TEST(test_parameters_that_follow_from_each_other_have_no_bars);
  RUN_TEST(test_bands_are_parts_of_the_runs);
  RUN_TEST(test_quantiles_are_straight_between_values);
  return UNITY_END();
}
