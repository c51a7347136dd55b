/* Which copies a set meets, and which of several sets that meet one counts: the last that is
 * stated. All states are of 0, so that each keeps its x0. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <string.h>
#include <unity.h>

#define N 6

void setUp(void)
{
}

void tearDown(void)
{
}

/* x0 of the states PATH, in which %u is 1 to N. */
static void assert_x0(const char *blocks, const char *sets, const char *path, const double *wanted)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><param name=\"n\" value=\"2\"/>%s"
                      "<experiment stop=\"1\">%s</experiment></hydevs>",
                      blocks, sets);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){0}, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
  for (guint k = 0; k < N; k++) {
    g_auto(GStrv) parts = g_strsplit(path, "%u", 2);
    g_autofree char *one = g_strdup_printf("%s%u%s", parts[0], k + 1, parts[1]);
    guint atomic;
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, one, &atomic), one);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(wanted[k], hy_sim_value(sim, atomic, 0), one);
  }
}

#define COPIES         "<integrator name=\"x\" count=\"6\" in=\"0\"/><integrator name=\"y\" in=\"0\"/>"
#define TYPE           "<type name=\"t\"><integrator name=\"x\" in=\"0\"/></type>"
#define SET(block, x0) "<set block=\"" block "\" x0=\"" x0 "\"/>"

static void test_the_last_set_counts(void)
{
  const double all[] = {7, 7, 7, 5, 7, 7}, own[] = {1, 2, 8, 8, 8, 8}, late[] = {9, 9, 9, 9, 9, 9};
  assert_x0(COPIES, SET("x[4]", "1") SET("x[*]", "7") SET("x[4]", "2") SET("x[4]", "5"), "x[%u]",
            all);
  assert_x0(COPIES, SET("x[2]", "3") SET("**/*", "8") SET("x[2]", "2") SET("x[1]", "1"), "x[%u]",
            own);
  assert_x0(COPIES, SET("x[2]", "3") SET("x[6]", "8") SET("*", "9"), "x[%u]", late);
}

static void test_indices_and_slices(void)
{
  const double all[] = {0, 4, 3, 3, 3, 6};
  assert_x0(COPIES, SET("x[n]", "1") SET("x[2..5]", "3") SET("x[n*1]", "4") SET("x[3*n]", "6"),
            "x[%u]", all);
}

/* A name alone is the block of that name, and not its copies. */
static void test_names_without_an_index(void)
{
  const double names[] = {1, 2, 2, 2, 2, 0};
  g_autoptr(GString) blocks = g_string_new(NULL);
  for (guint k = 1; k <= N; k++) {
    g_string_append_printf(blocks, "<integrator name=\"x%u\" in=\"0\"/>", k);
  }
  assert_x0(blocks->str, SET("x1", "1") SET("x2", "2") SET("x5", "2") SET("x3", "2") SET("x4", "2"),
            "x%u", names);
}

/* Below a copy of a coupled model: those that go on inside it, in their order. */
static void test_sets_go_on_inside(void)
{
  const double all[] = {1, 5, 3, 5, 5, 4};
  assert_x0(TYPE "<block type=\"t\" name=\"b\" count=\"6\"/>",
            SET("b[3]/x", "2") SET("b[*]/x", "5") SET("b[6]/x", "4") SET("b[1]/x", "7")
                SET("b[3]/*", "3") SET("**/b[1]/x", "1"),
            "b[%u]/x", all);
  const double deep[] = {1, 2, 3, 4, 5, 6};
  assert_x0("<type name=\"t\"><integrator name=\"x\" count=\"6\" in=\"0\"/></type>"
            "<type name=\"u\"><block type=\"t\" name=\"b\"/></type><block type=\"u\" name=\"c\"/>",
            SET("**/x[*]", "1") SET("c/b/x[2]", "2") SET("c/b/x[3]", "3") SET("c/*/x[4]", "4")
                SET("**/x[5]", "5") SET("c/**/x[6]", "6"),
            "c/b/x[%u]", deep);
}

/* The second index tells copies with equal first ones apart. */
static void test_two_indices(void)
{
  const double all[] = {1, 2, 1, 5, 1, 7};
  assert_x0("<integrator name=\"x\" count=\"2,6\" in=\"0\" x0=\"1\"/>",
            SET("x[2,2]", "2") SET("x[2,4]", "5") SET("x[1,3]", "4") SET("x[2,6]", "7"), "x[2,%u]",
            all);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_last_set_counts);
  RUN_TEST(test_indices_and_slices);
  RUN_TEST(test_names_without_an_index);
  RUN_TEST(test_sets_go_on_inside);
  RUN_TEST(test_two_indices);
  return UNITY_END();
}
