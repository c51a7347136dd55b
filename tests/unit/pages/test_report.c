/* The page of a run: what is packed, how many points there are, what it says. What it does in a
 * browser is tested in tests/pages/report. */
#include "base/hint.h"
#include "hydevs/pages.h"
#include "pages/report.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

static char *dir;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  for (const char *name; (name = g_dir_read_name(files)) != NULL;) {
    g_autofree char *file = g_build_filename(dir, name, NULL);
    g_unlink(file);
  }
  g_rmdir(dir);
  g_clear_pointer(&dir, g_free);
}

/* By hand: 0, half, all of 2^32 - 1; 1, -2, 0.5 are 0x3f800000, 0xc0000000, 0x3f000000. */
static void test_points_are_packed_little_endian(void)
{
  static const guchar wanted[] = {0, 0, 0,    0,    0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff,
                                  0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0,    0,    0,    0x3f};
  const double t[] = {2, 4, 6}, v[] = {1, -2, 0.5};
  g_autofree char *packed = hy_page_pack(t, v, 3, 2, 6);
  gsize n;
  g_autofree guchar *bytes = g_base64_decode(packed, &n);
  TEST_ASSERT_EQUAL_UINT(sizeof wanted, n);
  TEST_ASSERT_EQUAL_MEMORY(wanted, bytes, n);
  g_autofree char *nothing = hy_page_pack(NULL, NULL, 0, 0, 0);
  TEST_ASSERT_EQUAL_STRING("", nothing);
}

static void test_points_are_shared_among_signals(void)
{
  TEST_ASSERT_EQUAL_UINT(100000, hy_page_points(1));
  TEST_ASSERT_EQUAL_UINT(100000, hy_page_points(2));
  TEST_ASSERT_EQUAL_UINT(70000, hy_page_points(3));
  TEST_ASSERT_EQUAL_UINT(3281, hy_page_points(64));
}

/* A page of MODEL, run to its end. */
static char *page_of(const char *model, const HyRunTold *told)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = hy_load_memory(model, strlen(model), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  g_autofree char *csv = g_build_filename(dir, "m.csv", NULL);
  TEST_ASSERT_TRUE(hy_run_record_both(run, (const char *[]){csv, NULL}, &error));
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  GString *page = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(hy_run_page(loaded, run, told, page, &error),
                           error != NULL ? error->message : "");
  return g_string_free(page, FALSE);
}

static guint count(const char *text, const char *part)
{
  guint n = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
    n++;
  }
  return n;
}

static void test_a_page_has_all_of_a_small_run(void)
{
  static const char model[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\" doc=\"what &lt;it> is\">"
      "<integrator name=\"x\" in=\"1\" unit=\"V\"/><integrator name=\"y\" in=\"x\" unit=\"A\"/>"
      "<integrator name=\"z\" in=\"-x\" unit=\"V\"/>"
      "<experiment stop=\"1\" grid=\"0.25\" method=\"qss2\" record=\"x y z\"/></hydevs>";
  HyRunTold told = {"hydevs run 'm<1>.xml'", "to t = 1", "m.xml:1: x & y smell"};
  g_autofree char *page = page_of(model, &told), *again = page_of(model, &told);
  TEST_ASSERT_EQUAL_STRING(page, again);
  TEST_ASSERT_EQUAL_UINT(3, count(page, ",\"n\":5,\"from\":0,\"to\":1,"));
  TEST_ASSERT_NOT_NULL(strstr(page, "{\"name\":\"z\",\"unit\":\"V\",\"step\":false"));
  TEST_ASSERT_NOT_NULL(strstr(page, "what &lt;it&gt; is"));
  TEST_ASSERT_NOT_NULL(strstr(page, "m&lt;1&gt;.xml"));
  TEST_ASSERT_NOT_NULL(strstr(page, "x &amp; y smell"));
  TEST_ASSERT_NOT_NULL(strstr(page, "id=\"provenance\""));
  TEST_ASSERT_NULL(strstr(page, "class=\"warning thinned\""));
  const char *x = strstr(page, "[[{\"name\":\"x\""), *z = strstr(page, "{\"name\":\"z\"");
  const char *y = strstr(page, "[{\"name\":\"y\"");
  TEST_ASSERT_TRUE(x != NULL && x < z && z < y); /* those of one unit stand together */
}

/* 300,000 rows are more than a signal may have; 70 signals more than a page shows. */
static void test_what_a_page_leaves_out_is_told(void)
{
  g_autofree char *page =
      page_of("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><sine name=\"s\" frequency=\"1000\"/>"
              "<experiment stop=\"3\" grid=\"10u\" record=\"s\"/></hydevs>",
              &(HyRunTold){0});
  TEST_ASSERT_NOT_NULL(strstr(page, "Each signal has 100000 points here at most"));
  const char *n = strstr(page, "\"n\":");
  guint64 points = g_ascii_strtoull(n + 4, NULL, 10);
  TEST_ASSERT_TRUE(points > 60000 && points <= 100000);
  g_autofree char *many = page_of(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><integrator name=\"x\" count=\"70\" in=\"1\"/>"
      "<experiment stop=\"1\" grid=\"0.5\" method=\"qss1\" record=\"x[*]\"/></hydevs>",
      &(HyRunTold){0});
  TEST_ASSERT_NOT_NULL(strstr(many, "The first 64 of 70 signals are shown."));
  TEST_ASSERT_EQUAL_UINT(64, count(many, "\"points\":\""));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_points_are_packed_little_endian);
  RUN_TEST(test_points_are_shared_among_signals);
  RUN_TEST(test_a_page_has_all_of_a_small_run);
  RUN_TEST(test_what_a_page_leaves_out_is_told);
  return UNITY_END();
}
