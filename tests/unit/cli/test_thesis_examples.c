/* The examples of the thesis: whole runs against CVODE, counts against the published ones and those
 * of a prototype (methods by hand-written loops), and that every run ends. */
#include "thesis.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The error is twice the tolerance, and less where the goal says so; more where a front or a pulse
 * comes a little late, and where stages, each on its own clock, ring. */
static const ThesisRun runs[] = {
    {"buck", "coarse", "expected.csv", NULL, 2e-3},
    {"buck", "fine", "expected.csv", NULL, 2e-5},
    {"cuk", "coarse", "expected.csv", NULL, 2e-3},
    {"cuk", "fine", "expected.csv", NULL, 2e-5},
    {"buck-ls", "coarse", "expected.csv", NULL, 2e-3},
    {"buck-ls", "fine", "expected.csv", NULL, 2e-5},
    {"buck-ld", "coarse", "expected.csv", NULL, 2e-3},
    {"buck-ld", "fine", "expected.csv", NULL, 2e-5},
    {"buck-heatsink", "coarse", "expected.csv", NULL, 2e-3},
    {"buck-heatsink", "fine", "expected.csv", NULL, 2e-5},
    {"cuk-interleaved", "start", "expected-start.csv", NULL, 2e-3},
    {"cuk-interleaved", "coarse", "expected.csv", NULL, 2e-3},
    {"cuk-interleaved", "fine", "expected.csv", NULL, 1e-5},
    {"cuk-interleaved", "shifted", "expected-shifted.csv", NULL, 1e-2},
    {"cuk-interleaved", "shifted_fine", "expected-shifted.csv", NULL, 2e-4},
    {"adr", "coarse", "expected.csv", NULL, 2e-2},
    {"adr", "fine", "expected.csv", NULL, 5e-4},
    {"tyson", "coarse", "expected.csv", NULL, 6e-2},
    {"tyson", "fine", "expected.csv", NULL, 5e-4},
    {"cuk-ls", "coarse", "expected.csv", NULL, 1e-7},
    {"cuk-ls", "fine", "expected.csv", NULL, 1e-7},
    {"buck-ls-interleaved", "coarse", "expected.csv", NULL, 5e-6},
    {"cuk-ls-interleaved", "coarse", "expected.csv", NULL, 5e-6},
    {"cuk-ls-interleaved", "fine", "expected.csv", NULL, 5e-6},
};

#ifdef HY_SUNDIALS
/* The error of CVODE alone is 7e-3 and 7e-2: its norm is over all states. */
static const ThesisRun mixed[] = {
    {"buck-heatsink", "mixed", "expected.csv", NULL, 1e-2},
    {"adr-varying", "mixed", "expected.csv", NULL, 2e-2},
    {"adr-varying", "mixed_block", "expected.csv", NULL, 2e-2},
};

static void test_mixed_runs_are_near_the_tables_on_all_engines(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(mixed); k++) {
    thesis_check(&mixed[k]);
    thesis_check_tree(&mixed[k]);
  }
}
#endif

static void test_fused_and_flat_are_as_near_as_the_tolerance_promises(void)
{
  for (gsize k = 0; k < G_N_ELEMENTS(runs); k++) {
    thesis_check(&runs[k]);
  }
}

static void test_coarse_runs_end(void)
{
  thesis_all_end("1e-1");
  thesis_all_end("1e-2");
}

static void test_the_tree_writes_the_same(void)
{
  static const ThesisRun all[] = {{.name = "buck", .experiment = "coarse"},
                                  {.name = "cuk", .experiment = "coarse"},
                                  {.name = "buck-heatsink", .experiment = "coarse"},
                                  {.name = "cuk-interleaved", .experiment = "start"},
                                  {.name = "buck-ls", .experiment = "coarse"},
                                  {.name = "buck-ld", .experiment = "coarse"},
                                  {.name = "cuk-ls", .experiment = "coarse"},
                                  {.name = "buck-ls-interleaved", .experiment = "coarse"},
                                  {.name = "cuk-ls-interleaved", .experiment = "coarse"}};
  for (gsize k = 0; k < G_N_ELEMENTS(all); k++) {
    thesis_check_tree(&all[k]);
  }
}

/* Its first experiment is CVODE. */
static gboolean needs_sundials(const char *name)
{
#ifdef HY_SUNDIALS
  (void)name;
  return FALSE;
#else
  return strcmp(name, "adr-varying") == 0;
#endif
}

static void test_no_model_earns_a_warning(void)
{
  g_autofree char *folder = repository("examples/thesis");
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  guint n = 0;
  while ((name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *model = g_build_filename(folder, name, "model.xml", NULL);
    g_autofree char *readme = g_build_filename(folder, name, "README.md", NULL);
    g_autofree char *out = NULL, *err = NULL;
    if (g_file_test(model, G_FILE_TEST_EXISTS) && !needs_sundials(name)) {
      const char *words[WORDS] = {"check", "--strict", model};
      TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), out);
      TEST_ASSERT_TRUE_MESSAGE(g_file_test(readme, G_FILE_TEST_EXISTS), readme);
      n++;
    }
  }
  TEST_ASSERT_EQUAL_UINT(needs_sundials("adr-varying") ? 11 : 12, n);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_fused_and_flat_are_as_near_as_the_tolerance_promises);
#ifdef HY_SUNDIALS
  RUN_TEST(test_mixed_runs_are_near_the_tables_on_all_engines);
#endif
  RUN_TEST(test_coarse_runs_end);
  RUN_TEST(test_the_tree_writes_the_same);
  RUN_TEST(test_no_model_earns_a_warning);
  return UNITY_END();
}
