/* What is decided while loading by texts and by what is connected: text parameters in conditions,
 * open types, ports with an `if`, lengths of port arrays, indices beside ports of their name. Every
 * model is made of integrators of constants, so that x(1) is known in closed form. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static HyLoaded *load(const char *inside, const char *const *set)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>", inside);
  HyLoaded *loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.set = set}, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  return loaded;
}

/* The state PATH of the model is X at t = 1, on every engine. */
static void assert_at_1(const char *inside, const char *const *set, const char *path, double x)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyLoaded) loaded = load(inside, set);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
    guint atomic;
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, x, hy_sim_value(sim, atomic, 1), path);
  }
}

static void test_texts_decide(void)
{
  static const char model[] =
      "<param name=\"kind\" kind=\"text\" value=\"a\" choices=\"a b\"/>"
      "<param name=\"who\" kind=\"text\" value=\"me\"/>"
      "<let name=\"k\" value=\"if(kind == 'a' and who != 'you', 3, 5)\"/>"
      "<integrator name=\"x\" in=\"1\" if=\"kind == 'a'\"/>"
      "<integrator name=\"x\" in=\"2\" if=\"not (kind == 'a')\"/>"
      "<integrator name=\"y\" in=\"if(kind == who, 7, x0)\" if=\"'a' == kind\"/>"
      "<integrator name=\"z\" in=\"k\"/><let name=\"x0\" value=\"4\"/>";
  const char *const other[] = {"kind=b", NULL}, *const you[] = {"who=you", NULL},
                    *const same[] = {"who=a", NULL};
  assert_at_1(model, NULL, "x", 1);
  assert_at_1(model, other, "x", 2);
  assert_at_1(model, NULL, "z", 3);
  assert_at_1(model, you, "z", 5);
  assert_at_1(model, NULL, "y", 4);
  assert_at_1(model, same, "y", 7);
}

/* The type of each instance is its own, and the first of them decides nothing for the others. */
static void test_a_text_names_the_type(void)
{
  static const char model[] =
      "<type name=\"up\"><integrator name=\"x\" in=\"1\"/><out name=\"x\"/></type>"
      "<type name=\"down\"><integrator name=\"w\" in=\"-2\"/><out name=\"y\" from=\"w\"/></type>"
      "<type name=\"f\"><param name=\"kind\" kind=\"text\" value=\"up\"/>"
      "<block name=\"b\" type=\"{kind}\"/><block name=\"c\" count=\"2\" type=\"{kind}\"/>"
      "<integrator name=\"s\" in=\"b + sum(c[*])\"/></type>"
      "<block name=\"A\" type=\"f\"/><block name=\"B\" type=\"f\" kind=\"down\"/>"
      "<block name=\"C\" type=\"f\" kind=\"{k}\" count=\"2\"/>"
      "<param name=\"k\" kind=\"text\" value=\"down\"/>";
  assert_at_1(model, NULL, "A/s", 1.5); /* 3 t, integrated */
  assert_at_1(model, NULL, "B/s", -3);
  assert_at_1(model, NULL, "C[2]/c[1]/w", -2);
  assert_at_1(model, (const char *const[]){"k=up", NULL}, "C[2]/s", 1.5);
}

static void test_ports_may_be_left_out(void)
{
  static const char model[] =
      "<type name=\"f\"><param name=\"more\" kind=\"boolean\" value=\"false\"/>"
      "<in name=\"u\"/><in name=\"v\" if=\"more\"/><in name=\"w\" count=\"2\" if=\"more\"/>"
      "<integrator name=\"x\" method=\"qss3\" in=\"u + if(more, v, 0) + sum(w[*])\"/>"
      "<out name=\"x\"/><out name=\"z\" from=\"2*x + v\" if=\"more\"/></type>"
      "<block name=\"A\" type=\"f\" u=\"1\"/>"
      "<block name=\"B\" type=\"f\" u=\"A\" v=\"1\" w=\"10, 20\" more=\"true\"/>"
      "<integrator name=\"s\" method=\"qss3\" in=\"B.z\"/>";
  assert_at_1(model, NULL, "A/x", 1);
  assert_at_1(model, NULL, "B/x", 31.5);
  assert_at_1(model, NULL, "s", 31 + 1.0 / 3 + 1); /* of 2 (31 t + t^2/2) + 1 */
}

/* Also where a list names a block whose own length is found first, or a chain beyond its end. */
static void test_lengths_are_found(void)
{
  static const char model[] =
      "<type name=\"f\"><param name=\"N\" kind=\"integer\"/><in name=\"u\" count=\"N\"/>"
      "<integrator name=\"x\" in=\"sum(u[*]) + 100*N\"/><out name=\"y\" from=\"x + i\" "
      "count=\"N\"/></type>"
      "<block name=\"A\" type=\"f\" u=\"B.y[*], 1\"/>"
      "<block name=\"B\" type=\"f\" u=\"1, 2\"/>"
      "<block name=\"C\" type=\"f\" N=\"2\" u=\"B.y[*]\"/>"
      "<block name=\"D\" type=\"f\" count=\"2\" u=\"q[i-1], 0\"/>"
      "<integrator name=\"q\" in=\"1\" count=\"2\" before=\"3\"/>";
  assert_at_1(model, NULL, "B/x", 203);
  assert_at_1(model, NULL, "A/x", 203 + 3 + 1 + 300); /* twice 203 t, and 1 + 2 */
  assert_at_1(model, NULL, "C/x", 203 + 3 + 200);
  assert_at_1(model, NULL, "D[1]/x", 203);
  assert_at_1(model, NULL, "D[2]/x", 200.5);
}

/* Of lists of parameters, too; and how long a list or a slice is, of numbers or of signals. */
static void test_lengths_of_lists(void)
{
  static const char model[] =
      "<type name=\"f\"><param name=\"N\" kind=\"integer\"/><param name=\"k\" count=\"N\"/>"
      "<param name=\"w\" value=\"1, 2\"/><in name=\"u\"/><in name=\"v\" count=\"2\"/>"
      "<let name=\"n\" value=\"length(v) + length(u)\"/>"
      "<integrator name=\"x\" in=\"u*sum(k[*]) + 10*N + 100*length(w) + 1000*length(u, "
      "v[*])\"/></type>"
      "<param name=\"mine\" value=\"1, 2, 3\"/>"
      "<block name=\"A\" type=\"f\" k=\"1, 2, 3, 4\" u=\"1\" v=\"1, 2\"/>"
      "<block name=\"B\" type=\"f\" k=\"7\" u=\"1\" w=\"mine\" v=\"1, 2\"/>"
      "<block name=\"C\" type=\"f\" k=\"mine, 4\" u=\"1\" w=\"mine[2..3], 1, 1\" v=\"1, 2\"/>"
      "<block name=\"D\" type=\"f\" k=\"2\" N=\"3\" u=\"1\" v=\"1, 2\"/>";
  assert_at_1(model, NULL, "A/x", 10 + 40 + 200 + 3000);
  assert_at_1(model, NULL, "B/x", 7 + 10 + 300 + 3000);
  assert_at_1(model, NULL, "C/x", 10 + 40 + 400 + 3000);
  assert_at_1(model, NULL, "D/x", 6 + 30 + 200 + 3000);
}

static void test_infinity_decides(void)
{
  static const char model[] =
      "<type name=\"f\"><param name=\"most\" value=\"inf\"/><in name=\"u\"/>"
      "<function name=\"cut\" if=\"most != inf\" formula=\"min(u, most)\"/>"
      "<integrator name=\"x\" in=\"if(most == inf, u, cut)\"/></type>"
      "<block name=\"A\" type=\"f\" u=\"5\"/><block name=\"B\" type=\"f\" u=\"5\" most=\"3\"/>";
  assert_at_1(model, NULL, "A/x", 5);
  assert_at_1(model, NULL, "B/x", 3);
}

/* The index that nobody names is the first of i, j, k that is no port and no block. */
static void test_an_index_gives_way_to_ports(void)
{
  static const char model[] =
      "<type name=\"f\"><in name=\"i\"/><integrator name=\"x\" count=\"3\" in=\"i + 10*j\"/>"
      "<integrator name=\"k\" in=\"1\"/><integrator name=\"g\" count=\"2, 2\" index=\"a b\" "
      "in=\"a + 10*b\"/></type><block name=\"A\" type=\"f\" i=\"5\"/>";
  assert_at_1(model, NULL, "A/x[3]", 35);
  assert_at_1(model, NULL, "A/g[1,2]", 21);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_texts_decide);
  RUN_TEST(test_a_text_names_the_type);
  RUN_TEST(test_ports_may_be_left_out);
  RUN_TEST(test_lengths_are_found);
  RUN_TEST(test_lengths_of_lists);
  RUN_TEST(test_infinity_decides);
  RUN_TEST(test_an_index_gives_way_to_ports);
  return UNITY_END();
}
