/* What nonlinear functions say behind pieces that never end: r = t is one piece for ever, so
 * nothing but the function itself can notice that its own piece has ended. Against closed forms;
 * the same in all engines. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const HyEngine engines[] = {HY_TREE, HY_FLAT, HY_FUSED};

typedef struct {
  const char *inside, *method;
  double tol;
  gboolean rows;
} Case;

typedef struct {
  gboolean ok;
  double x, t; /* x at the end, and when that was */
  guint64 cycles;
} Result;

/* To t = 4, or until it fails: then WHY says of what. */
static Result run(const Case *c, HyEngine engine, char **why)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><integrator name=\"r\" in=\"1\"/>"
                      "%s<experiment stop=\"4\" method=\"%s\" dqrel=\"%g\" dqmin=\"%g\"/></hydevs>",
                      c->inside, c->method, c->tol, c->tol);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
  hy_sim_set_rows(sim, c->rows);
  hy_sim_set_limit(sim, 10000);
  Result result = {.ok = hy_sim_init(sim, 0.0, &error) && hy_sim_run(sim, 4.0, &error)};
  HyTotals totals;
  guint atomic = 0;
  hy_sim_totals(sim, &totals);
  TEST_ASSERT_TRUE(hy_sim_find(sim, "x", &atomic));
  result.t = hy_sim_time(sim);
  result.x = hy_sim_value(sim, atomic, result.ok ? 4.0 : result.t);
  result.cycles = totals.cycles;
  if (why != NULL) {
    *why = g_strdup(error != NULL ? error->message : "");
  }
  hy_sim_free(sim);
  hy_loaded_free(loaded);
  return result;
}

/* The same bits from all engines. */
static Result agreed(const Case *c, char **why)
{
  Result first = run(c, engines[0], why);
  for (guint k = 1; k < G_N_ELEMENTS(engines); k++) {
    Result other = run(c, engines[k], NULL);
    TEST_ASSERT_EQUAL_MESSAGE(first.ok, other.ok, c->inside);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&first.x, &other.x, sizeof first.x, c->inside);
    if (!first.ok) { /* else the end of a piece that nobody reads may be the last event */
      TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&first.t, &other.t, sizeof first.t, c->inside);
    }
  }
  return first;
}

typedef struct {
  const char *method;
  gboolean rows;
  double tol;
} Way;

/* Under qss1 pieces are constants, and so are their functions: the states themselves take steps. */
static const Way ways[] = {
    {"qss1", FALSE, 1e-3},    {"qss2", FALSE, 1e-3},    {"qss2", FALSE, 1e-5},
    {"qss2", TRUE, 1e-5},     {"qss3", FALSE, 1e-5},    {"qss3", TRUE, 1e-3},
    {"liqss2", FALSE, 1e-5},  {"liqss3", TRUE, 1e-5},   {"mliqss2", FALSE, 1e-3},
    {"mliqss2", FALSE, 1e-5}, {"mliqss3", FALSE, 1e-5},
};

typedef struct {
  const char *inside;
  double x, size; /* at t = 4; the integral of |x'| */
} Integral;

#define X(formula) "<integrator name=\"x\" in=\"" formula "\"/>"

#define S "<integrator name=\"s\" in=\"2\"/>" /* s = 2 t */

static const Integral integrals[] = {
    {X("r*r"), 64.0 / 3.0, 64.0 / 3.0},
    {X("r^4"), 204.8, 204.8},
    {X("r*r*r - 3*r"), 40.0, 44.5},
    {X("(r - 2)^3"), 0.0, 8.0},
    {X("r^1.5"), 12.8, 12.8},
    {X("sqrt(r)"), 16.0 / 3.0, 16.0 / 3.0},
    {X("1/(1 + r)"), 1.6094379124341003, 1.6094379124341003},
    {X("exp(-r)"), 0.98168436111126578, 0.98},
    {X("sin(r)"), 1.6536436208636119, 2.4},
    {X("sin(100*r)"), 0.01525296338642536, 2.6},
    {X("sin(10*r*r)"), 0.2103528040817517, 2.6},
    {X("tanh(5*(r - 2))"), 0.0, 3.8},
    {X("tanh(40*(r - 2))"), 0.0, 4.0},
    {X("1/(1 + 100*(r - 2)^2)"), 0.30416758621459, 0.31},
    {X("exp(-20*(r - 2)*(r - 2))"), 0.3963327297606011, 0.4},
    {X("if(r*r > 2, 1, 0)"), 2.5857864376269049, 2.6},
    {X("abs(r*r - 2)"), 17.104569499661586, 17.1},
    {"<ramp name=\"s\" start=\"1\" duration=\"3\" height=\"3\"/>" X("r*s"), 13.5, 13.5},
    {"<product name=\"p\" in=\"r, r\"/><division name=\"d\" in=\"p\" by=\"r + 1\"/>" X("d"),
     5.6094379124341, 5.6},
    {"<power name=\"p\" in=\"r\" n=\"3\"/>" X("p"), 64.0, 64.0},
    /* By rows in two parts, of which one is looked at. */
    {S X("r*r*r - 3*s"), 16.0, 34.0},
    {S X("2*(s - 3*(r - 2)^3)/4"), 8.0, 12.7},
    {S X("r^4 - 2*s + 1"), 176.8, 180.0},
    {S X("sqrt(r) - s"), -32.0 / 3.0, 10.7},
    {S X("sin(10*r*r) + s - 2"), 8.2103528040817517, 11.0},
    /* Behind quantized states most pieces live shorter than they hold; slopes that jump. */
    {"<integrator name=\"s\" in=\"c\"/><integrator name=\"c\" x0=\"1\" in=\"-s\"/>" X("s*s*s*s"),
     1.243663459693649, 4.0},
    {"<ramp name=\"s\" start=\"3.9\" duration=\"0.1\" height=\"100\"/><integrator name=\"y\" "
     "in=\"1\"/>" X("y*0.01*s*s"),
     13.25, 13.25},
};

static void test_a_function_of_a_ramp_is_followed(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(integrals); k++) {
    for (guint w = 0; w < G_N_ELEMENTS(ways); w++) {
      Case c = {integrals[k].inside, ways[w].method, ways[w].tol, ways[w].rows};
      g_autofree char *who = g_strdup_printf("%s, %s, %g", c.inside, c.method, c.tol);
      g_autofree char *why = NULL;
      Result r = agreed(&c, &why);
      TEST_ASSERT_TRUE_MESSAGE(r.ok, why);
      double allowed = 8.0 * c.tol * (1.0 + integrals[k].size);
      TEST_ASSERT_TRUE_MESSAGE(fabs(r.x - integrals[k].x) <= allowed, who);
    }
  }
}

typedef struct {
  const char *inside;
  double t;
  const char *why; /* of the block; NULL: a pole, which x itself cannot pass */
} End;

static const End ends[] = {
    {X("log(1 - 0.3*r)"), 10.0 / 3.0, "log("},
    {X("sqrt(1 - 0.3*r)"), 10.0 / 3.0, "sqrt("},
    {X("asin(r/2)"), 2.0, "asin("},
    {X("exp(exp(2*r))"), 3.2824794425, "exp("},
    {X("1/(1 - 0.5*r)"), 2.0, NULL},
};

static void test_where_a_function_ends_the_run_ends(void)
{
  static const Way some[] = {{"qss2", FALSE, 1e-3}, {"qss3", FALSE, 1e-5}, {"liqss2", FALSE, 1e-3}};
  for (guint k = 0; k < G_N_ELEMENTS(ends); k++) {
    for (guint w = 0; w < G_N_ELEMENTS(some); w++) {
      Case c = {ends[k].inside, some[w].method, some[w].tol, some[w].rows};
      g_autofree char *why = NULL;
      Result r = agreed(&c, &why);
      TEST_ASSERT_FALSE_MESSAGE(r.ok, c.inside);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, ends[k].t, r.t);
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, ends[k].why != NULL ? ends[k].why : "x"), why);
    }
  }
}

/* In a group the equation of the state fails, and the state is named. */
static void test_where_a_row_ends_the_run_ends(void)
{
  for (guint k = 0; ends[k].why != NULL; k++) {
    Case c = {ends[k].inside, k % 2 == 0 ? "mliqss2" : "mliqss3", 1e-3, FALSE};
    g_autofree char *why = NULL;
    Result r = agreed(&c, &why);
    TEST_ASSERT_FALSE_MESSAGE(r.ok, c.inside);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, ends[k].t, r.t);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(why, "x"), why);
  }
}

/* Words in geometric progression, not at every instant; and none where a piece says it all. */
static void test_it_is_said_as_often_as_needed(void)
{
  Case c = {X("r*r"), "qss2", 1e-3, FALSE};
  Result r = agreed(&c, NULL);
  TEST_ASSERT_TRUE(r.cycles > 50 && r.cycles < 400);
  c = (Case){X("r*r"), "qss3", 1e-3, FALSE};
  TEST_ASSERT_TRUE(agreed(&c, NULL).cycles < 40);
  c = (Case){"<function name=\"f\" formula=\"2*r + 1\"/>" X("0"), "qss2", 1e-3, FALSE};
  TEST_ASSERT_TRUE(agreed(&c, NULL).cycles < 12);
}

/* A formula at an input has the tolerance of its block. */
static void test_the_tolerance_is_that_of_the_block(void)
{
  Case c = {"<integrator name=\"x\" in=\"r*r\" dqrel=\"1e-7\" dqmin=\"1e-7\"/>", "qss2", 1e-2,
            FALSE};
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 64.0 / 3.0, agreed(&c, NULL).x);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_function_of_a_ramp_is_followed);
  RUN_TEST(test_where_a_function_ends_the_run_ends);
  RUN_TEST(test_where_a_row_ends_the_run_ends);
  RUN_TEST(test_it_is_said_as_often_as_needed);
  RUN_TEST(test_the_tolerance_is_that_of_the_block);
  return UNITY_END();
}
