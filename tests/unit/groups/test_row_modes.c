/* Modes that are decided by rows: what a diode or a relay does is known in closed form, and the
 * functions that only feed it are not run. */
#include "group_run.h"

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  const char *method;
  gboolean rows; /* evaluated for states that decide alone */
  double
      tol; /* a quantum for each turn; from order 2 on a straight line is one, but for rounding */
} Way;

static const Way ways[] = {{"mliqss1", FALSE, 12e-3},
                           {"mliqss2", FALSE, 1e-9},
                           {"liqss2", TRUE, 1e-9},
                           {"qss2", TRUE, 1e-9},
                           {"qss3", TRUE, 1e-9}};

static void begin(Run *r, const char *inside, const Way *way, HyEngine engine)
{
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" method=\"%s\" "
      "dqrel=\"0\" dqmin=\"1e-3\"/></hydevs>\n",
      inside, way->method);
  load(r, text, engine);
  hy_sim_set_rows(r->sim, way->rows);
  start(r);
}

static guint64 toggles(const Run *r)
{
  HyTotals t;
  hy_sim_totals(r->sim, &t);
  return t.toggles;
}

static guint64 internal(const Run *r, const char *path)
{
  guint atomic = 0;
  guint64 n_int, n_ext;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(r->sim, path, &atomic), path);
  hy_sim_counts(r->sim, atomic, &n_int, &n_ext);
  return n_int;
}

/* x at T, in all engines and ways. */
static void expect_at(const char *inside, double t, double x, guint64 turns)
{
  for (guint w = 0; w < G_N_ELEMENTS(ways); w++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      begin(&r, inside, &ways[w], engines[e]);
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(ways[w].tol, x, at(&r, "x", t), ways[w].method);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(turns, toggles(&r), ways[w].method);
      clear(&r);
    }
  }
}

/* 2 x between -1 and 1: x is a triangle of height 0.5 and period 2. */
#define RELAY                                                                                      \
  "<function name=\"f\" formula=\"2*x\"/>"                                                         \
  "<hysteresis name=\"h\" in=\"f\" lower=\"-1\" upper=\"1\" low=\"1\" high=\"-1\"/>"               \
  "<integrator name=\"x\" in=\"h\"/>"

static void test_a_relay_swings_between_its_levels(void)
{
  expect_at(RELAY, 0.25, 0.25, 0);
  expect_at(RELAY, 1.25, -0.25, 1);
  expect_at(RELAY, 10.2, 0.2, 10);
}

/* Nothing is said before f has spoken: 0 would be above the level, and x run away with 100. */
static void test_a_mode_waits_for_what_decides_it(void)
{
  expect_at("<function name=\"f\" formula=\"x - 10\"/>"
            "<comparator name=\"c\" in=\"f\" level=\"-1\" low=\"1\" high=\"100\"/>"
            "<integrator name=\"x\" in=\"c\"/>",
            0.5, 0.5, 0);
}

/* Two modes of one block: slope 1 up to 1, 1/2 up to 2, none from there. */
static void test_two_modes_of_one_block(void)
{
  const char *inside = "<function name=\"v\" formula=\"if(x > 2, 0, 0.5) + if(x > 1, 0, 0.5)\"/>"
                       "<integrator name=\"x\" in=\"v\"/>";
  expect_at(inside, 0.75, 0.75, 0);
  expect_at(inside, 2.5, 1.75, 1);
}

/* One mode reads the other: such modes are not decided by rows. Slope 1 up to 1/2, 3 up to 1,
 * then 1. */
static void test_a_mode_that_reads_another(void)
{
  expect_at("<function name=\"v\" formula=\"if(x - if(x > 1, 2, 0) > 0.5, 3, 1)\"/>"
            "<integrator name=\"x\" in=\"v\"/>",
            2.0, 7.0 / 3.0, 3);
}

/* A gate as payload of events, and a state: x rises in [1, 2). */
static void test_a_mode_of_a_state_and_of_events(void)
{
  expect_at("<generator name=\"g\" period=\"1\" first=\"1\" values=\"1, 0\"/>"
            "<function name=\"f\" formula=\"x + 20*g\"/>"
            "<comparator name=\"c\" in=\"f\" level=\"10\"/>"
            "<integrator name=\"x\" in=\"c\"/>",
            2.5, 1.0, 2);
}

/* f is never run, and the relay only when it turns, but for its start. */
static void test_who_only_feeds_a_mode_is_not_run(void)
{
  for (guint w = 0; w < G_N_ELEMENTS(ways); w++) {
    Run r;
    begin(&r, RELAY, &ways[w], HY_FUSED);
    go(&r, 10.2);
    TEST_ASSERT_EQUAL_UINT64(0, internal(&r, "f"));
    TEST_ASSERT_LESS_THAN_UINT64(10 + 3, internal(&r, "h"));
    clear(&r);
  }
}

/* Whatever happens, to nobody. */
static void look_away(gpointer user, const HyTransition *transition)
{
  (void)user, (void)transition;
}

static void test_watching_changes_nothing(void)
{
  static const HyTrace trace = {.transition = look_away};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autofree char *text =
        g_strdup("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">" RELAY
                 "<experiment stop=\"1\" method=\"mliqss2\" dqrel=\"0\" dqmin=\"1e-3\"/></hydevs>");
    load(&r, text, engines[e]);
    hy_sim_set_trace(r.sim, &trace);
    start(&r);
    go(&r, 10.2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.2, at(&r, "x", 10.2));
    TEST_ASSERT_EQUAL_UINT64(10, toggles(&r));
    clear(&r);
  }
}

/* At t = 1 the switch makes f divide by 0. Nobody but a mode reads f. */
static void test_what_is_not_finite_ends_the_run(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autoptr(GError) error = NULL;
    begin(&r,
          "<step name=\"g\" at=\"1\" to=\"1\"/>"
          "<switch name=\"R\" control=\"g\" on=\"0\" off=\"1\"/>"
          "<function name=\"f\" formula=\"(x - 5)/R\"/>"
          "<comparator name=\"c\" in=\"f\" level=\"0.5\"/>"
          "<integrator name=\"x\" in=\"c + 1\"/>",
          &ways[1], engines[e]);
    TEST_ASSERT_FALSE(hy_sim_run(r.sim, 2, &error));
    TEST_ASSERT_EQUAL_STRING("f: division by zero: (x - 5) / R = -4 / 0 at t = 1", error->message);
    clear(&r);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_relay_swings_between_its_levels);
  RUN_TEST(test_a_mode_waits_for_what_decides_it);
  RUN_TEST(test_two_modes_of_one_block);
  RUN_TEST(test_a_mode_that_reads_another);
  RUN_TEST(test_a_mode_of_a_state_and_of_events);
  RUN_TEST(test_who_only_feeds_a_mode_is_not_run);
  RUN_TEST(test_watching_changes_nothing);
  RUN_TEST(test_what_is_not_finite_ends_the_run);
  return UNITY_END();
}
