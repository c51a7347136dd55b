/* The models that come with PowerDEVS, where HYDEVS_POWERDEVS names their folder: what is read is
 * what stands there, the structure is that of its own preprocessor, and runs agree with closed
 * forms, maps, and what its engine says where that is right. */
#include "editor-export/pdm.h"
#include "hydevs/hydevs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

static const char *folder;

void setUp(void)
{
}

void tearDown(void)
{
}

static char *contents(const char *name, const char *suffix)
{
  g_autofree char *path = g_strdup_printf("%s/%s%s", folder, name, suffix);
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, NULL, NULL), path);
  g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
  g_free(text);
  return g_strjoinv("\n", lines);
}

static char *without_blanks(const char *text)
{
  g_auto(GStrv) parts = g_strsplit_set(text, " \t\n", -1);
  return g_strjoinv("", parts);
}

typedef struct {
  guint atomics, coupled, parameters, lines, points, ports, ic, eic, eoc;
} Counts;

static void count(const PdmBlock *b, Counts *n)
{
  n->lines += b->lines->len;
  n->points += b->points->len;
  n->ports += b->ports->len;
  for (guint k = 0; k < b->couplings->len; k++) {
    const PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
    n->ic += c->from >= 0 && c->to >= 0;
    n->eic += c->from < 0;
    n->eoc += c->to < 0;
  }
  for (guint k = 0; k < b->blocks->len; k++) {
    const PdmBlock *child = g_ptr_array_index(b->blocks, k);
    n->atomics += !child->coupled;
    n->coupled += child->coupled;
    n->parameters += child->coupled ? 0 : child->params->len;
    count(child, n);
  }
}

static const struct {
  const char *name;
  Counts n;
} models[] = {{"tank", {5, 1, 24, 8, 1, 2, 5, 1, 1}},
              {"lotka_volterra", {6, 0, 36, 15, 5, 0, 10, 0, 0}},
              {"nl_stiff", {8, 0, 26, 21, 7, 0, 14, 0, 0}},
              {"nicholson_bailey", {5, 0, 15, 12, 4, 0, 8, 0, 0}},
              {"qoperator", {3, 0, 11, 4, 1, 0, 3, 0, 0}},
              {"dc_drive", {14, 1, 68, 23, 4, 2, 17, 1, 1}},
              {"buck_disc", {22, 1, 81, 53, 14, 5, 30, 7, 2}},
              {"dining_philosophers", {22, 0, 66, 52, 16, 0, 36, 0, 0}},
              {"oberle_and_pesch", {5, 0, 16, 8, 2, 0, 6, 0, 0}},
              {"vector1", {7, 0, 29, 12, 3, 0, 9, 0, 0}},
              {"rtview", {6, 0, 25, 3, 0, 0, 3, 0, 0}}};

static void test_all_is_read_and_written_again(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    g_autofree char *text = contents(models[k].name, ".pdm"),
                    *pds = contents(models[k].name, ".pds");
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(PdmFile) file = pdm_read("a.pdm", text, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(file, said);
    Counts n = {0};
    count(file->root, &n);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&models[k].n, &n, sizeof n, models[k].name);
    g_autoptr(GString) again = g_string_new(NULL), structure = g_string_new(NULL);
    pdm_write(file, again);
    pds_write(file, structure);
    g_autofree char *a = without_blanks(text), *b = without_blanks(again->str);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(a, b, models[k].name);
    g_autofree char *c = without_blanks(pds), *d = without_blanks(structure->str);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(c, d, models[k].name);
  }
}

static void test_palettes_are_read_and_written_again(void)
{
  static const char *const names[] = {"discrete", "hybrid"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *text = contents(names[k], ".pdl");
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(PdmFile) file = pdm_read("a.pdl", text, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(file, said);
    g_autoptr(GString) again = g_string_new(NULL);
    pdm_write(file, again);
    g_autofree char *a = without_blanks(text), *b = without_blanks(again->str);
    TEST_ASSERT_EQUAL_STRING(a, b);
  }
}

/* Runs ------------------------------------------------------------------------------------------
 */

static HyRun *go(const char *name, double stop, const char *const *sets, HyLoaded **loaded)
{
  g_autofree char *text = contents(name, ".pdm"), *file = g_strconcat(name, ".pdm", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  const HyLoadOptions options = {.formats = hy_formats(), .set = sets};
  *loaded = hy_load_memory(text, strlen(text), file, &options, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(*loaded, said);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = stop;
  HyRun *run = hy_run_new(*loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error),
                           error != NULL ? error->message : "");
  return run;
}

static double last(const HyRun *run, guint column)
{
  const HyRecorder *r = hy_run_table(run, 0);
  return hy_recorder_value(r, hy_recorder_rows(r) - 1, column);
}

/* Ends NAME at STOP with VALUE in COLUMN, as far as TOLERANCE. */
static void ends(const char *name, double stop, guint column, double value, double tolerance)
{
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyRun) run = go(name, stop, NULL, &loaded);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, value, last(run, column), name);
}

static void test_models_do_what_they_should(void)
{
  /* x' = 0.5 - 0.2 x from 1 on, x(0) = 2; the quantum is 1e-3 x. */
  ends("tank", 10, 0, 2.5 + (2 * exp(-0.2) - 2.5) * exp(-0.2 * 9), 2.4e-3);
  /* By DOP853 with 1e-13; a quantum of 1e-3 over 12 orbits. */
  ends("lotka_volterra", 300, 0, 1.907405, 0.02);
  ends("lotka_volterra", 300, 1, 1.585589, 0.02);
  /* x1 + x2 tends to 2.01 to a quantum of 0.01. */
  ends("nl_stiff", 500, 0, 0, 0.02);
  ends("nl_stiff", 500, 1, 2, 0.02);
  ends("qoperator", 10, 0, 1, 0);
  /* What PowerDEVS ends with; a quantum is 0.06, the ripple 0.01. */
  ends("dc_drive", 5, 0, 59.0621, 0.06);
  ends("rtview", 10, 2, 53, 0);
}

/* Hosts and parasites: h' = 1.5 h exp(-p/100), p' = h (1 - exp(-p/100)), once a period. */
static void test_the_map_of_nicholson_and_bailey(void)
{
  double h = 120, p = 40;
  for (guint k = 0; k < 50; k++) {
    double next = 1.5 * h * exp(-p / 100);
    p = h * (1 - exp(-p / 100));
    h = next;
  }
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyRun) run = go("nicholson_bailey", 50, NULL, &loaded);
  double a = last(run, 0), b = last(run, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * fmax(h, p), fmin(h, p), fmin(a, b));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * fmax(h, p), fmax(h, p), fmax(a, b));
}

/* y' = -1.5 y(t - 1) (1 + y), y = t before 0: until 1 it is exp(0.75 (1 - (t - 1)^2)) - 1, from
 * then on by steps of RK4 with y(t - 1) between them by Hermite's cubics. */
static double delayed(const double *y, const double *f, double h, gssize k, double part)
{
  if (k < 0) {
    return ((double)k + part) * h;
  }
  double s = part, s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * y[k] + (s3 - 2 * s2 + s) * h * f[k] +
         (3 * s2 - 2 * s3) * y[k + 1] + (s3 - s2) * h * f[k + 1];
}

static double oberle_and_pesch(guint end)
{
  enum { N = 500 };
  const double h = 1.0 / N;
  g_autofree double *y = g_new0(double, end *N + 2), *f = g_new0(double, end *N + 2);
  f[0] = 1.5;
  for (gssize k = 0; k < (gssize)end * N; k++) {
    double d0 = delayed(y, f, h, k - N, 0), d1 = delayed(y, f, h, k - N, 0.5),
           d2 = delayed(y, f, h, k - N, 1);
    double k1 = -1.5 * d0 * (1 + y[k]), k2 = -1.5 * d1 * (1 + y[k] + h / 2 * k1);
    double k3 = -1.5 * d1 * (1 + y[k] + h / 2 * k2), k4 = -1.5 * d2 * (1 + y[k] + h * k3);
    y[k + 1] = y[k] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    f[k + 1] = -1.5 * d2 * (1 + y[k + 1]);
  }
  return y[(gsize)end * N];
}

static void test_a_delay_differential_equation(void)
{
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, expm1(0.75), oberle_and_pesch(1));
  ends("oberle_and_pesch", 0.5, 0, -0.5, 1e-9); /* y(t - 1) is plotted */
  ends("oberle_and_pesch", 2, 0, expm1(0.75), 3e-3);
  ends("oberle_and_pesch", 11, 0, oberle_and_pesch(10), 3e-2);
}

/* Each of them eats for 1 and thinks for 1 at least; neighbours never eat together. In 20 two eat
 * ten times, two nine times; a place says 0 at the start, then 1 and 0 each time. */
static void test_philosophers_dine(void)
{
  static const guint64 said[] = {21, 19, 21, 19};
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyRun) run = go("dining_philosophers", 20, NULL, &loaded);
  for (guint k = 0; k < 4; k++) {
    g_autofree char *name = g_strdup_printf("E%u", k + 1);
    guint atomic;
    guint64 n_int, n_ext;
    TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), name, &atomic));
    hy_sim_counts(hy_run_sim(run), atomic, &n_int, &n_ext);
    TEST_ASSERT_EQUAL_UINT64(said[k], n_int);
  }
}

/* x' = noise - x for each of three; Scilab's first rand() is where they start. */
static void test_a_vector_starts_where_scilab_says(void)
{
  for (guint k = 0; k < 3; k++) {
    ends("vector1", 0, k, 0.2113248654, 1e-9);
  }
}

int main(void)
{
  folder = g_getenv("HYDEVS_POWERDEVS");
  UNITY_BEGIN();
  if (folder == NULL) {
    puts("HYDEVS_POWERDEVS names no folder with the models of PowerDEVS; nothing was tested");
    return UNITY_END();
  }
  RUN_TEST(test_all_is_read_and_written_again);
  RUN_TEST(test_palettes_are_read_and_written_again);
  RUN_TEST(test_models_do_what_they_should);
  RUN_TEST(test_the_map_of_nicholson_and_bailey);
  RUN_TEST(test_a_delay_differential_equation);
  RUN_TEST(test_philosophers_dine);
  RUN_TEST(test_a_vector_starts_where_scilab_says);
  return UNITY_END();
}
