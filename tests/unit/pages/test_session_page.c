/* The page of a session before anybody is connected: what it knows of the model, and that nothing
 * of the model gets out of where it stands. What it does in a browser is tested in
 * tests/pages/session.
 */
#include "hydevs/pages.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static char *page_of(const char *model)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = hy_load_memory(model, strlen(model), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_NOT_NULL(run);
  GString *page = g_string_new(NULL);
  hy_session_page(loaded, run, page);
  return g_string_free(page, FALSE);
}

static void test_it_shows_what_the_experiment_records(void)
{
  static const char model[] =
      "<hydevs xmlns='urn:hydevs:1' name='tank'><doc>A tank.</doc>"
      "<integrator name='h' in='1 - h' unit='m'/>"
      "<generator name='jobs' period='1' values='1'/>"
      "<experiment stop='7' label='One tank'><record path='h' label='level'/>"
      "<record path='h.x'/><record path='jobs'/></experiment></hydevs>";
  g_autofree char *page = page_of(model);
  static const char data[] =
      "<script type=\"application/json\" id=\"session\">{\"stop\":7,\"signals\":["
      "{\"path\":\"h\",\"label\":\"level\",\"unit\":\"m\",\"event\":false},"
      "{\"path\":\"h.x\",\"label\":\"h.x\",\"unit\":\"m\",\"event\":false},";
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, data), strstr(page, "id=\"session\""));
  TEST_ASSERT_NOT_NULL(
      strstr(page, "\"path\":\"jobs\",\"label\":\"jobs\",\"unit\":\"\",\"event\":true"));
  TEST_ASSERT_NOT_NULL(strstr(page, "<h1>One tank</h1>"));
  TEST_ASSERT_NOT_NULL(strstr(page, "<p class=\"doc about\">A tank.</p>"));
  TEST_ASSERT_NOT_NULL(strstr(page, "<g class=\"block\" data-path=\"h\""));
  TEST_ASSERT_NOT_NULL(strstr(page, "id=\"malfunctions\""));
}

static void test_it_may_speak_to_this_machine_alone(void)
{
  g_autofree char *page = page_of("<hydevs xmlns='urn:hydevs:1' name='m'><constant name='a' "
                                  "value='1'/><experiment stop='1'/></hydevs>");
  TEST_ASSERT_NOT_NULL(strstr(page, "default-src 'none'"));
  TEST_ASSERT_NOT_NULL(strstr(page, "connect-src 'self' ws://127.0.0.1:* ws://localhost:*\">"));
  TEST_ASSERT_NOT_NULL(strstr(page, "{\"stop\":1,\"signals\":[]}"));
  TEST_ASSERT_NULL(strstr(page, " src="));
  TEST_ASSERT_NULL(strstr(page, "<!-- the"));
}

static void test_texts_of_the_model_stay_texts(void)
{
  g_autofree char *page = page_of(
      "<hydevs xmlns='urn:hydevs:1' name='m'><doc>&lt;script&gt;alert(1)&lt;/script&gt;</doc>"
      "<constant name='a' value='1' unit='&lt;/script&gt;'/><experiment stop='1' label='&lt;b&gt;'>"
      "<record path='a' label='&lt;/script&gt;&lt;img&gt;'/></experiment></hydevs>");
  TEST_ASSERT_NOT_NULL(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  TEST_ASSERT_NOT_NULL(strstr(page, "<h1>&lt;b&gt;</h1>"));
  TEST_ASSERT_NOT_NULL(strstr(page, "\"label\":\"\\u003c/script>\\u003cimg>\""));
  TEST_ASSERT_NULL(strstr(page, "<img"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_it_shows_what_the_experiment_records);
  RUN_TEST(test_it_may_speak_to_this_machine_alone);
  RUN_TEST(test_texts_of_the_model_stay_texts);
  return UNITY_END();
}
