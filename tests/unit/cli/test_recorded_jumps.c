/* What a recording says of jumps, bends and events of one instant: the trapezoidal rule over its
 * rows gives the mean of the closed form, on every engine with the same bytes. */
#include "command.h"

#include <math.h>
#include <stdio.h>

static char *dir;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  remove(file);
  remove(dir);
  g_clear_pointer(&dir, g_free);
}

/* The table, the same from every engine. */
static char *recorded(const char *body)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  g_autofree char *xml =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>\n", body);
  TEST_ASSERT_TRUE(g_file_set_contents(file, xml, -1, NULL));
  g_autofree char *first = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *out = NULL, *err = NULL;
    const char *words[WORDS] = {"run", file, "-o", "-", "--engine", engines[k]};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
    if (first == NULL) {
      first = g_steal_pointer(&out);
    } else {
      TEST_ASSERT_EQUAL_STRING_MESSAGE(first, out, engines[k]);
    }
  }
  return g_steal_pointer(&first);
}

/* Of the first column, by the trapezoidal rule; *N the number of rows. */
static double mean(const char *table, guint *n)
{
  g_auto(GStrv) rows = g_strsplit(table, "\n", -1);
  double t = NAN, v = NAN, t0 = NAN, sum = 0;
  for (*n = 0; *rows[*n + 1] != '\0'; ++*n) {
    g_auto(GStrv) cell = g_strsplit(rows[*n + 1], ",", -1);
    double at = g_ascii_strtod(cell[0], NULL), value = g_ascii_strtod(cell[1], NULL);
    if (*n > 0) {
      sum += (at - t) * (value + v) / 2;
    } else {
      t0 = at;
    }
    t = at;
    v = value;
  }
  return sum / (t - t0);
}

static void test_a_sawtooth_has_the_mean_of_a_sawtooth(void)
{
  guint n;
  g_autofree char *table =
      recorded("<sawtooth name=\"s\"/><experiment stop=\"4.5\" record=\"s\"/>");
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (4 * 0.5 + 0.125) / 4.5, mean(table, &n));
  TEST_ASSERT_EQUAL_UINT(10, n); /* 0, two sides of 1 .. 4, 4.5 */
  TEST_ASSERT_TRUE(g_str_has_suffix(table, "\n4,1\n4,0\n4.5,0.5\n"));
}

/* While i = 10 - 20 s is positive the diode conducts (10 i + 20)/0.5, which goes from 240 to 40;
 * then about 0. */
static void test_the_current_of_a_diode_has_its_mean(void)
{
  guint n;
  g_autofree char *table =
      recorded("<sawtooth name=\"s\"/><function name=\"i\" formula=\"10-20*s\"/>"
               "<diode name=\"D\" i=\"i\" ron=\"0.5\" roff=\"1e9\"/>"
               "<function name=\"iD\" formula=\"10*(i+2)/D\"/>"
               "<experiment stop=\"4\" record=\"iD\"/>");
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 70, mean(table, &n));
}

/* x = t - t^2/2 from 0 to 3, of which QSS3 needs one step: its mean is 0. */
static void test_a_bend_has_rows_between(void)
{
  guint n;
  g_autofree char *table =
      recorded("<integrator name=\"v\" in=\"-1\" x0=\"1\"/><integrator name=\"x\" in=\"v\"/>"
               "<experiment stop=\"3\" method=\"qss3\" record=\"x\"/>");
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0, mean(table, &n));
  TEST_ASSERT_TRUE(n >= 10 && n < 40);
}

static void test_every_event_of_an_instant_is_a_row(void)
{
  g_autofree char *table =
      recorded("<generator name=\"a\" first=\"1\" period=\"1\" values=\"1, 2\"/>"
               "<generator name=\"b\" first=\"1\" period=\"1\" values=\"3, 4\"/>"
               "<generator name=\"c\" first=\"1\" period=\"1\" values=\"5, 6\"/>"
               "<server name=\"s\" time=\"0\" in=\"a b c\"/><sink name=\"k\" in=\"s\"/>"
               "<experiment stop=\"2.5\" record=\"k\"/>");
  TEST_ASSERT_EQUAL_STRING("time,k.in\n1,1\n1,3\n1,5\n2,2\n2,4\n2,6\n2.5,6\n", table);
}

/* On a grid a row is an instant, with what came last. */
static void test_a_grid_keeps_one_row_an_instant(void)
{
  g_autofree char *table = recorded(
      "<sawtooth name=\"s\"/><generator name=\"a\" first=\"1\" period=\"9\" values=\"1\"/>"
      "<generator name=\"b\" first=\"1\" period=\"9\" values=\"2\"/><sink name=\"k\" in=\"a b\"/>"
      "<experiment stop=\"1.5\" record=\"s k\" grid=\"0.5\"/>");
  TEST_ASSERT_EQUAL_STRING("time,s,k.in\n0,0,\n0.5,0.5,\n1,0,2\n1.5,0.5,2\n", table);
}

/* Events hold their last value at the instants of a list, as on a grid of equal steps. */
static void test_events_stand_in_a_list_of_instants(void)
{
  g_autofree char *table =
      recorded("<generator name=\"g\" period=\"1\" values=\"5, 6, 7, 8\"/>"
               "<counter name=\"c\" in=\"g\"/>"
               "<experiment stop=\"5\" grid=\"0, 1.5, 2.5, 4\" record=\"g c\"/>");
  TEST_ASSERT_EQUAL_STRING("time,g,c\n0,5,1\n1.5,6,2\n2.5,7,3\n4,8,4\n", table);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_events_stand_in_a_list_of_instants);
  RUN_TEST(test_a_sawtooth_has_the_mean_of_a_sawtooth);
  RUN_TEST(test_the_current_of_a_diode_has_its_mean);
  RUN_TEST(test_a_bend_has_rows_between);
  RUN_TEST(test_every_event_of_an_instant_is_a_row);
  RUN_TEST(test_a_grid_keeps_one_row_an_instant);
  return UNITY_END();
}
