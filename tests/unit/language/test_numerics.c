/* What a model file says of methods and tolerances comes to the blocks, and files are found beside
 * it. */
#include "atomics/continuous/quantized.h"
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define HEAD "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"

static HyLoaded *load(const char *inside, HyReport *report)
{
  g_autofree char *text = g_strconcat(HEAD, inside, "</hydevs>\n", NULL);
  return hy_load_memory(text, strlen(text), "m.xml", NULL, report);
}

static void check_integrator(HySim *sim, const char *path, const char *method, double rel,
                             double min)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
  const HyQuantized *s = hy_sim_state(sim, atomic);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(method, s->member.method->name, path);
  TEST_ASSERT_TRUE_MESSAGE(rel == s->v.rel, path);
  TEST_ASSERT_TRUE_MESSAGE(min == s->v.min, path);
}

static void test_method_and_quantum_in_force_are_the_integrators(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      load("<integrator name=\"a\" in=\"1\"/>\n"
           "<integrator name=\"b\" in=\"1\" method=\"liqss3\" dqmin=\"1u\"/>\n"
           "<coupled name=\"c\" method=\"bqss\"><integrator name=\"d\" in=\"1\"/></coupled>\n"
           "<sine name=\"s\"/>\n"
           "<experiment stop=\"1\" method=\"qss1\" dqrel=\"1e-2\" dqmin=\"1e-4\"/>\n",
           report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  check_integrator(sim, "a", "qss1", 1e-2, 1e-4);
  check_integrator(sim, "b", "liqss3", 1e-2, 1e-6);
  check_integrator(sim, "c/d", "bqss", 1e-2, 1e-4);
}

static void test_without_a_word_it_is_qss2(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load("<integrator name=\"a\" in=\"1\"/>\n", report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_TREE, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  check_integrator(sim, "a", "qss2", 1e-3, 1e-6);
}

/* The messages of a load with --method qss3. */
static void check_said(const char *inside, const char *messages)
{
  g_autofree char *text = g_strconcat(HEAD, inside, "</hydevs>\n", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.method = "qss3"}, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL(loaded);
  TEST_ASSERT_EQUAL_STRING(messages, said);
}

static void test_a_method_that_no_state_follows_is_a_warning(void)
{
  check_said("<integrator name=\"a\" in=\"1\"/>\n", "");
  check_said(
      "<integrator name=\"a\" in=\"1\"/>\n<integrator name=\"b\" in=\"1\" method=\"bqss\"/>\n", "");
  check_said("<coupled name=\"c\" method=\"bqss\">\n<integrator name=\"d\" in=\"1\"/>\n"
             "<integrator name=\"e\" in=\"1\"/></coupled>\n",
             "m.xml:3: warning: c/d: its method bqss is stated nearer than in the experiment, and "
             "so is that of all 2 states: none follows --method qss3; --set PATH.method=qss3 "
             "reaches the block at PATH\n");
  check_said("<sine name=\"s\"/>\n",
             "--method: warning: qss3: the model has no continuous state\n");
}

static void check_refused(const char *inside, const char *message)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(inside, report);
  TEST_ASSERT_NULL(loaded);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING(message, text);
}

static void test_a_quantum_of_0_is_refused_with_its_line(void)
{
  check_refused("<integrator name=\"a\" in=\"1\" dqmin=\"0\"/>\n",
                "m.xml:2: a: dqmin = 0 must be above 0\n");
  check_refused("<integrator name=\"a\" in=\"1\" method=\"liqs2\"/>\n",
                "m.xml:2: a: no method \"liqs2\"; did you mean \"liqss2\"?\n");
}

/* path="wind.csv" is beside the model file, wherever the program was started. */
static void test_a_file_is_found_beside_the_model(void)
{
  g_autofree char *folder = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename(folder, "wind.csv", NULL);
  g_autofree char *xml = g_build_filename(folder, "m.xml", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_TRUE(g_file_set_contents(csv, "t,speed\n0,1\n1,2\n", -1, NULL));
  TEST_ASSERT_TRUE(g_file_set_contents(
      xml, HEAD "<file_source name=\"w\" path=\"wind.csv\"/>\n</hydevs>\n", -1, NULL));
  g_autoptr(HyLoaded) loaded = hy_load_file(xml, NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(sim, 0, &error), error != NULL ? error->message : "");
  g_unlink(csv);
  g_unlink(xml);
  g_rmdir(folder);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_method_and_quantum_in_force_are_the_integrators);
  RUN_TEST(test_without_a_word_it_is_qss2);
  RUN_TEST(test_a_method_that_no_state_follows_is_a_warning);
  RUN_TEST(test_a_quantum_of_0_is_refused_with_its_line);
  RUN_TEST(test_a_file_is_found_beside_the_model);
  return UNITY_END();
}
