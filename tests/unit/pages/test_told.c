/* What a page keeps of messages. */
#include "hydevs/pages.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* The lines of MODEL's page from FROM on. */
static char *page_of(const char *model, double from)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = hy_load_memory(model, strlen(model), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = "tree";
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  HySim *sim = hy_run_sim(run);
  g_autoptr(HyTold) told = hy_told_new(hy_loaded_model(loaded), from, HY_TOLD_MOST);
  hy_told_watch(told, sim);
  hy_sim_set_trace(sim, &(HyTrace){.user = told, .message = hy_told_message});
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, hy_run_stop(run), &error));
  GString *page = g_string_new(NULL);
  hy_explain_page(loaded, told, NULL, page);
  return g_string_free(page, FALSE);
}

static void expect_line(const char *page, const char *line)
{
  TEST_ASSERT_TRUE_MESSAGE(strstr(page, line) != NULL, line);
}

/* By hand: x' = -q with quanta of 1/4. q stays while x falls by 1/4, which takes 1/4 of 1/q. */
static const char falls[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><integrator name=\"x\" in=\"-x\" x0=\"1\" "
    "method=\"qss1\" dqrel=\"0\" dqmin=\"0.25\"/><experiment stop=\"0.6\"/></hydevs>";

static void test_it_has_what_an_integrator_holds(void)
{
  g_autofree char *page = page_of(falls, 0);
  expect_line(page, "\t0.25\te\t0\t(x=1,q=1)\t0\t1,-1\t1\t0.25\n");
  expect_line(page, "\te\t0\t(x=0.75,q=0.75)\t0\t0.75,-0.75\t0.75\t0.25\n");
}

/* A page that begins between two of its events knows it, too. */
static void test_it_has_what_was_held_before(void)
{
  g_autofree char *page = page_of(falls, 0.3);
  expect_line(page, "s\t1\t0.25\t");
  expect_line(page, "(x=0.75,q=0.75)\t0\t0.75,-0.75\t0.75\t0.25\n");
}

/* A state of mliqss2 is moved by its row, before anything reaches the block. By hand: x goes down
 * by 0.375 t^2 until it is 0.002 from its q, at t = 0.0730; x then says 0.998998, and from here on
 * the slope of v, which is -0.75 t = -0.0547722557 now, is 0.25 - 0.998998. */
static void test_it_has_what_changes_without_a_message(void)
{
  g_autofree char *page = page_of("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                                  "<integrator name=\"x\" in=\"v\" x0=\"1\"/>"
                                  "<integrator name=\"v\" in=\"-x + if(x &gt; 0.5, 0.25, 0)\"/>"
                                  "<experiment stop=\"0.1\" method=\"mliqss2\"/></hydevs>",
                                  0);
  expect_line(page, "\nh\t3\t\t0\t-0.0547722557505,-0.748998,");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_it_has_what_an_integrator_holds);
  RUN_TEST(test_it_has_what_was_held_before);
  RUN_TEST(test_it_has_what_changes_without_a_message);
  return UNITY_END();
}
