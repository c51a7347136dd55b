/* Spectra, histograms and sizes of pictures, as numbers in a .csv and as files. */
#include "hydevs/error.h"
#include "hydevs/plot.h"
#include "results/csv_read.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

#define PERIODS 10

static char *dir, *csv, *out;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  csv = g_build_filename(dir, "run.csv", NULL);
  out = g_build_filename(dir, "out.csv", NULL);
}

void tearDown(void)
{
  static const char *const names[] = {"run.csv", "run.csv.json", "out.csv", "out.png", "out.svg"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *file = g_build_filename(dir, names[k], NULL);
    g_unlink(file);
  }
  g_rmdir(dir);
  g_free(csv);
  g_free(out);
  g_free(dir);
}

/* A pulse of 5 for 0.3 of each second, as events; and a triangle from 0 to 1 and back, 0 at its
 * ends, as a signal, with a jump of a third column in the middle. */
static void write_recording(void)
{
  g_autoptr(GString) text = g_string_new("time,gate,saw,jump\n");
  for (guint k = 0; k < PERIODS; k++) {
    g_string_append_printf(text, "%u,5,0,0\n%u.3,0,0.6,0\n%u.5,0,1,0\n%u.5,0,1,1\n", k, k, k, k);
  }
  g_string_append_printf(text, "%u,5,0,0\n", PERIODS);
  TEST_ASSERT_TRUE(g_file_set_contents(csv, text->str, -1, NULL));
  g_autofree char *beside = g_strconcat(csv, ".json", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(
      beside,
      "{\"model\": \"m\", \"t0\": 0, \"tf\": 10, \"end\": 10, \"columns\": ["
      "{\"path\": \"gate\", \"kind\": \"event\", \"unit\": \"V\"},"
      "{\"path\": \"saw\", \"kind\": \"signal\", \"order\": 1, \"unit\": \"A\"},"
      "{\"path\": \"jump\", \"kind\": \"signal\", \"order\": 0}]}",
      -1, NULL));
}

static HyTable *numbers(const HyPlotOptions *how)
{
  HyPlotOptions o = *how;
  g_autoptr(GError) error = NULL;
  o.csv = csv;
  o.out = out;
  write_recording();
  TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
  HyTable *table = hy_table_read(out, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(table, error != NULL ? error->message : "");
  return table;
}

static void refuses(const HyPlotOptions *how, const char *wanted)
{
  HyPlotOptions o = *how;
  g_autoptr(GError) error = NULL;
  o.csv = csv;
  o.name = "R";
  o.out = o.out != NULL ? o.out : out;
  TEST_ASSERT_FALSE(hy_plot_csv(&o, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, wanted), error->message);
}

static void test_a_spectrum_has_the_lines_of_the_closed_form(void)
{
  g_autoptr(HyTable) table =
      numbers(&(HyPlotOptions){.fft = "none", .fmax = 20, .columns = "gate,saw"});
  TEST_ASSERT_EQUAL_UINT(3, table->n);
  TEST_ASSERT_EQUAL_UINT(201, table->n_rows); /* every tenth of a Hz */
  TEST_ASSERT_EQUAL_STRING("frequency", table->column[0].name);
  for (guint m = 0; m <= 200; m++) {
    double n = m / 10.0, gate = 0, saw = 0;
    if (m == 0) {
      gate = 1.5;
      saw = 0.5;
    } else if (m % 10 == 0) {
      gate = 5 * 2 / (M_PI * n) * fabs(sin(M_PI * n * 0.3));
      saw = (m / 10) % 2 == 1 ? 4 / (M_PI * M_PI * n * n) : 0;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, n, table->column[0].v[m]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, gate, table->column[1].v[m]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, saw, table->column[2].v[m]);
  }
}

/* Of a part, from 2.5 to 4.5: two periods; and what goes to decibels. */
static void test_a_part_has_its_own_lines_also_in_decibels(void)
{
  g_autoptr(HyTable) table = numbers(&(HyPlotOptions){
      .fft = "hann", .fmax = 8, .columns = "saw", .from = 2.5, .to = 4.5, .db = TRUE});
  TEST_ASSERT_EQUAL_UINT(17, table->n_rows);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 20 * log10(4 / (M_PI * M_PI)), table->column[1].v[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 20 * log10(4 / (9 * M_PI * M_PI)), table->column[1].v[6]);
}

/* A triangle is as long in each stretch of its values. */
static void test_a_histogram_of_a_signal_is_of_time(void)
{
  g_autoptr(HyTable) table =
      numbers(&(HyPlotOptions){.histogram = "values", .columns = "saw", .bins = 7});
  TEST_ASSERT_EQUAL_UINT(8, table->n_rows);
  for (guint k = 0; k < 7; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, k / 7.0, table->column[0].v[k]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 100 / 7.0, table->column[1].v[k]);
  }
  TEST_ASSERT_EQUAL_STRING("value from (A)", table->column[0].name);
}

/* Each event once, whatever rows other columns have; whole numbers have a bin each. */
static void test_a_histogram_of_events_counts_them(void)
{
  g_autoptr(HyTable) table = numbers(&(HyPlotOptions){.histogram = "values", .columns = "gate"});
  TEST_ASSERT_EQUAL_UINT(7, table->n_rows);
  for (guint k = 0; k < 6; k++) {
    double wanted = k == 0 ? PERIODS : k == 5 ? PERIODS + 1 : 0;
    TEST_ASSERT_EQUAL_DOUBLE(k - 0.5, table->column[0].v[k]);
    TEST_ASSERT_EQUAL_DOUBLE(wanted, table->column[1].v[k]);
  }
}

/* As many bins as are asked for, also where all values are one. */
static void test_a_constant_has_the_bins_that_are_asked_for(void)
{
  static const guint asked[] = {1, 4, 7};
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n0,3\n1,3\n2,3\n", -1, NULL));
  for (guint k = 0; k < G_N_ELEMENTS(asked); k++) {
    g_autoptr(GError) error = NULL;
    HyPlotOptions o = {.csv = csv, .out = out, .histogram = "values", .bins = asked[k]};
    TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
    g_autoptr(HyTable) table = hy_table_read(out, NULL);
    TEST_ASSERT_EQUAL_UINT(asked[k] + 1, table->n_rows);
    double all = 0;
    for (guint i = 0; i < asked[k]; i++) {
      all += table->column[1].v[i];
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 100, all);
  }
}

/* 0.3 and 0.7 of a second between events; the line of a signal bends twice a second, and is not
 * bent by rows of others. */
static void test_steps_are_times_between_events(void)
{
  g_autoptr(HyTable) table = numbers(
      &(HyPlotOptions){.histogram = "steps", .columns = "gate,saw", .bins = 4}); /* 0.3, 0.4, ... */
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3, table->column[0].v[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.7, table->column[0].v[4]);
  const double gate[] = {PERIODS - 1, 0, 0, PERIODS - 1}, saw[] = {0, 0, 2 * PERIODS - 2, 0};
  for (guint k = 0; k < 4; k++) {
    TEST_ASSERT_EQUAL_DOUBLE(gate[k], table->column[1].v[k]);
    TEST_ASSERT_EQUAL_DOUBLE(saw[k], table->column[2].v[k]);
  }
}

static void test_what_has_no_spectrum_or_histogram_is_told(void)
{
  write_recording();
  refuses(&(HyPlotOptions){.fft = "hann", .fmax = 0.05},
          "R: up to 0.05 Hz the 10 s that are shown have too few periods");
  refuses(&(HyPlotOptions){.fft = "hann", .fmax = 1e12}, "have too many lines");
  refuses(&(HyPlotOptions){.histogram = "values"},
          "\"gate\" and \"saw\" are of different units or kinds");
  refuses(&(HyPlotOptions){.out = "x.csv"}, "x.csv: a picture is a .png, .svg or .pdf");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n0,\n1,2\n2,3\n", -1, NULL));
  refuses(&(HyPlotOptions){.fft = "hann"}, "R: \"a\" has no number at 0");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n1,2\n", -1, NULL));
  refuses(&(HyPlotOptions){.fft = "hann"}, "R: one instant has no spectrum");
  refuses(&(HyPlotOptions){.histogram = "steps"}, "R: there are no steps to count");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n0,1e308\n1,-1e308\n2,0\n", -1, NULL));
  refuses(&(HyPlotOptions){.histogram = "values"},
          "R: values from -1e+308 to 1e+308 are too far apart");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n1,2\n", -1, NULL));
  refuses(&(HyPlotOptions){.histogram = "values"}, "R: \"a\" has no value for any time");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n0,1\n2,2\n1,3\n", -1, NULL));
  refuses(&(HyPlotOptions){.histogram = "values"}, "R: the time goes back in row 3");
  refuses(&(HyPlotOptions){.histogram = "steps"}, "R: the time goes back in row 3");
  refuses(&(HyPlotOptions){.fft = "hann"}, "R: the time goes back in row 3");
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "time,a\n0,1\nnan,2\n", -1, NULL));
  refuses(&(HyPlotOptions){.histogram = "values"}, "R: the time is no number in row 2");
}

static guint32 big_endian(const char *at)
{
  guint32 v;
  memcpy(&v, at, sizeof v);
  return GUINT32_FROM_BE(v);
}

/* As large as asked for, in pixels of its resolution. */
static void test_pictures_have_their_size(void)
{
  g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
  if (gnuplot == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed");
  }
  g_autofree char *png = g_build_filename(dir, "out.png", NULL);
  g_autofree char *svg = g_build_filename(dir, "out.svg", NULL);
  g_autoptr(GError) error = NULL;
  HyPlotOptions o = {.csv = csv,
                     .out = png,
                     .fft = "hann",
                     .width = 3,
                     .height = 2,
                     .dpi = 300,
                     .font = "Serif",
                     .font_size = 8};
  write_recording();
  TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
  g_autofree char *bytes = NULL, *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(png, &bytes, NULL, NULL));
  TEST_ASSERT_EQUAL_UINT(900, big_endian(bytes + 16));
  TEST_ASSERT_EQUAL_UINT(600, big_endian(bytes + 20));
  o.out = svg;
  o.fft = NULL;
  o.histogram = "steps";
  TEST_ASSERT_TRUE_MESSAGE(hy_plot_csv(&o, &error), error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_get_contents(svg, &text, NULL, NULL));
  TEST_ASSERT_NOT_NULL(strstr(text, "viewBox=\"0 0 300 200\""));
  TEST_ASSERT_NOT_NULL(strstr(text, "Serif"));
  TEST_ASSERT_NOT_NULL(strstr(text, "length of a step (s)"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_spectrum_has_the_lines_of_the_closed_form);
  RUN_TEST(test_a_part_has_its_own_lines_also_in_decibels);
  RUN_TEST(test_a_histogram_of_a_signal_is_of_time);
  RUN_TEST(test_a_histogram_of_events_counts_them);
  RUN_TEST(test_a_constant_has_the_bins_that_are_asked_for);
  RUN_TEST(test_steps_are_times_between_events);
  RUN_TEST(test_what_has_no_spectrum_or_histogram_is_told);
  RUN_TEST(test_pictures_have_their_size);
  return UNITY_END();
}
