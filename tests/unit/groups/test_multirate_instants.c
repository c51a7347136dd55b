/* Groups of multirate methods: instants that are the same, jumps, and others beside them. */
#include "group_run.h"

static const char *const information_names[] = {"interpolated", "advanced", "delayed"};

/* ---- instants: z' = 1, so a step of y' = z grows by what z is said to be ---- */

typedef struct {
  const char *slow, *fast;
  double h_slow, h_fast, start, span;
} Pace;

static double said_by_clock(const Pace *p, const char *information, gboolean slow_first)
{
  Run r;
  g_autofree char *fast = g_strdup_printf(
      "<integrator name=\"y\" in=\"z\" method=\"euler_delayed\" hstep=\"%s\"/>", p->fast);
  g_autofree char *slow = g_strdup_printf(
      "<integrator name=\"z\" in=\"1\" method=\"euler_%s\" hstep=\"%s\"/>", information, p->slow);
  g_autofree char *inside = g_strconcat(slow_first ? slow : fast, slow_first ? fast : slow, NULL);
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>", inside);
  load(&r, text, HY_FUSED);
  TEST_ASSERT_TRUE(hy_sim_init(r.sim, p->start, NULL));
  go(&r, p->start + p->span);
  double y = at(&r, "y", p->start + p->span);
  clear(&r);
  return y;
}

/* In step I of the fast group the slow one is in its step floor(i h / H): a tie that is missed says
 * the value of the step before. */
static void test_no_tie_is_missed(void)
{
  static const Pace paces[] = {
      {"0.1", "0.001", 0.1, 0.001, 0.0, 200.0},   {"0.1", "0.01", 0.1, 0.01, 0.0, 1000.0},
      {"0.01", "0.001", 0.01, 0.001, 0.0, 60.0},  {"0.3", "0.1", 0.3, 0.1, 0.0, 3000.0},
      {"0.7", "0.1/3", 0.7, 0.1 / 3, 0.0, 700.0}, {"0.3", "0.2", 0.3, 0.2, 0.0, 600.0},
      {"0.25", "0.1", 0.25, 0.1, 0.0, 50.0},
  };
  for (guint k = 0; k < G_N_ELEMENTS(paces) * 2; k++) {
    const Pace *p = &paces[k / 2];
    long steps = lround(p->span / p->h_fast);
    double advanced = 0.0, delayed = 0.0;
    for (long i = 0; i < steps; i++) {
      double step = floor((double)i * p->h_fast / p->h_slow + 1e-6);
      delayed += p->h_fast * p->h_slow * step;
      advanced += p->h_fast * p->h_slow * (step + 1.0);
    }
    double missed = p->h_fast * p->h_slow; /* by one tie */
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.1 * missed, delayed, said_by_clock(p, "delayed", k % 2),
                                      p->fast);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.1 * missed, advanced, said_by_clock(p, "advanced", k % 2),
                                      p->fast);
  }
}

/* z rests until what it reads has spoken, y follows it all the time. The grid of both is the one on
 * which they began, at 0. */
static void test_who_moves_late_keeps_the_grid(void)
{
  static const char *const parts[] = {
      "<integrator name=\"a\" in=\"1\" method=\"euler_delayed\" hstep=\"1e9\"/>",
      "<integrator name=\"y\" in=\"z\" method=\"euler_delayed\" hstep=\"0.01\"/>",
      "<integrator name=\"z\" in=\"one\" method=\"euler_advanced\" hstep=\"0.07\"/>",
      "<sample_hold name=\"one\" in=\"1\" period=\"1e10\" start=\"3000.01\"/>"};
  static const int orders[3][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
  for (int k = 0; k < 9; k++) {
    Run r;
    const int *o = orders[k / 3];
    g_autofree char *inside = g_strconcat(parts[o[0]], parts[o[1]], parts[o[2]], parts[o[3]], NULL);
    setup_with(&r, inside, "", engines[k % 3]);
    go(&r, 3007.06);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 7.05, at(&r, "z", 3007.06));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.05 * 0.05 + 0.07 * (100 * 0.05 + 5050 * 0.07),
                              at(&r, "y", 3007.06));
    clear(&r);
  }
}

/* The order of the three blocks that is number K. */
static char *permuted(const char *const *parts, int k)
{
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const int *o = orders[k];
  return g_strconcat(parts[o[0]], parts[o[1]], parts[o[2]], NULL);
}

/* z rests until its input comes at 0.5, as does a. y moves before, from where it jumps to 5 at
 * 0.25, and says so, in lines: s' = y. */
static void test_a_state_that_waits_may_jump(void)
{
  static const char *const methods[] = {"euler_delayed", "euler"};
  for (int k = 0; k < 36; k++) {
    Run r;
    double y = 5.0, area = 0.25;
    gboolean told = k < 18;
    g_autofree char *waits = g_strdup_printf(
        "<coupled name=\"c\" z=\"z\" g=\"g\" one=\"one\" method=\"%s\" hstep=\"0.01\">"
        "<in name=\"z\"/><in name=\"one\"/><in name=\"g\" kind=\"event\"/>"
        "<out name=\"y\" from=\"y\"/><integrator name=\"a\" in=\"%s\"/><reset_integrator "
        "name=\"y\" "
        "in=\"z - y\" reset=\"g\" value=\"5\" x0=\"1\"/></coupled>",
        methods[!told], told ? "z - y" : "one");
    const char *const parts[] = {
        waits,
        "<integrator name=\"z\" in=\"one\" x0=\"1\" method=\"euler_advanced\" hstep=\"0.1\"/>"
        "<sample_hold name=\"one\" in=\"1\" period=\"10\" start=\"0.5\"/>",
        "<generator name=\"g\" first=\"0.25\" period=\"9\" values=\"1\"/>"
        "<integrator name=\"s\" in=\"c.y\"/>"};
    g_autofree char *inside = permuted(parts, k / 3 % 6);
    setup_with(&r, inside, "", engines[k % 3]);
    go(&r, 0.5);
    for (int i = 0; i < 25; i++) {
      double before = y;
      y += 0.01 * (1.0 - y);
      area += 0.01 * 0.5 * (before + y);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, area, at(&r, "s", 0.5));
    go(&r, 1);
    for (int i = 0; i < 50; i++) {
      double z = told ? 1.0 + 0.1 * ceil((i + 1) * 0.1 - 1e-9) : 1.0 + 0.01 * i;
      y += 0.01 * (z - y);
    }
    TEST_ASSERT_DOUBLE_WITHIN(told ? 1e-13 : 1e-3, y, at(&r, "c/y", 1));
    clear(&r);
  }
}

/* ---- inputs and states that jump: y' = z - 5 y in steps of 0.01, z' = u - z in steps of 0.1 ----
 */

/* U jumps from 0 to 10 after JUMP steps of y. The slow step that it falls into ends there, and the
 * next one ends on the grid again; y is told of it at once (z advanced). */
static double with_a_jump(int jump)
{
  double y = 1.0, z = 2.0, end = 0.0, f = 0.0, begin = 0.0;
  for (int i = 0; i < 100; i++) {
    if (i % 10 == 0 || i == jump) {
      z = i == 0 ? z : i % 10 == 0 ? end : z + (i - begin) * 0.01 * f;
      f = (i >= jump ? 10.0 : 0.0) - z;
      begin = i;
      end = z + (10 - i % 10) * 0.01 * f;
    }
    y += 0.01 * (end - 5.0 * y);
  }
  return y;
}

static void test_a_jump_is_told_at_once_whoever_comes_first(void)
{
  static const int jumps[] = {30, 35, 99, 50, 7};
  for (int k = 0; k < 30; k++) {
    int jump = jumps[k / 6];
    g_autofree char *u = g_strdup_printf("<step name=\"u\" at=\"%g\" to=\"10\"/>", jump * 0.01);
    const char *const parts[] = {
        u,
        "<integrator name=\"y\" in=\"z - 5*y\" x0=\"1\" method=\"euler_delayed\" hstep=\"0.01\"/>",
        "<integrator name=\"z\" in=\"u - z\" x0=\"2\" method=\"euler_advanced\" hstep=\"0.1\"/>"};
    g_autofree char *inside = permuted(parts, k % 6);
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      HyGroupTotals slow, fast;
      setup_with(&r, inside, "", engines[e]);
      go(&r, 1);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, with_a_jump(jump), at(&r, "y", 1), u);
      gboolean slow_first = strstr(inside, "\"z\"") < strstr(inside, "\"y\"");
      hy_sim_group(r.sim, slow_first ? 0 : 1, &slow);
      hy_sim_group(r.sim, slow_first ? 1 : 0, &fast);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(101, fast.totals.steps, u);
      if (jump % 10 != 0) { /* 0.3 is before 3 * 0.1 */
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, slow.totals.restarts, u);
        TEST_ASSERT_EQUAL_UINT64_MESSAGE(12, slow.totals.steps, u);
      }
      clear(&r);
    }
  }
}

/* y, in steps of 0.01, jumps to 5 at 0.5, which is an instant of z, too. */
static void test_a_state_that_jumps_is_read_as_it_is_then(void)
{
  static const char *const parts[] = {
      "<generator name=\"g\" first=\"0.5\" period=\"9\" values=\"1\"/>",
      "<reset_integrator name=\"y\" in=\"-y\" reset=\"g\" value=\"5\" x0=\"1\" "
      "method=\"euler_delayed\" hstep=\"0.01\"/>",
      "<integrator name=\"z\" in=\"y - z\" method=\"pec2e_delayed\" hstep=\"0.1\"/>"};
  double y = 1.0, z = 0.0;
  for (int i = 0; i < 100; i++) {
    y = i == 50 ? 5.0 : y;
    for (double begin = z, m = 0; i % 10 == 0 && m < 3; m++) {
      z = begin + 0.1 * (y - z);
    }
    y -= 0.01 * y;
  }
  for (int k = 0; k < 18; k++) {
    Run r;
    g_autofree char *inside = permuted(parts, k / 3);
    setup_with(&r, inside, "", engines[k % 3]);
    go(&r, 1);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-13, y, at(&r, "y", 1), inside);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-13, z, at(&r, "z", 1), inside);
    clear(&r);
  }
}

/* ---- beside others ---- */

static void test_others_see_the_line(void)
{
  static const char *const heard[] = {"", "<integrator name=\"q\" in=\"z - q\"/>"};
  static const char *const methods[] = {"euler_interpolated", "pec2e_advanced", "pec2e_delayed"};
  for (int k = 0; k < 6; k++) {
    Run r;
    g_autofree char *inside =
        g_strdup_printf("<integrator name=\"z\" in=\"-z\" x0=\"1\" method=\"%s\" hstep=\"0.1\"/>%s",
                        methods[k / 2], heard[k % 2]);
    double end = k < 2 ? 0.9 : 1 - 0.1 * (1 - 0.1 * (1 - 0.1));
    setup_with(&r, inside, "", HY_FLAT);
    go(&r, 0.025);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-14, 0.75 + 0.25 * end, at(&r, "z", 0.025), methods[k / 2]);
    clear(&r);
  }
}

/* z' = v and v' = -4 z - 0.2 v + x at two rates, x' = -x + z by QSS2: of order 1 as a whole. */
static void test_beside_qss2_the_error_is_that_of_the_step(void)
{
  for (int k = 0; k < 3; k++) {
    double error[2];
    for (int half = 0; half < 2; half++) {
      Run r;
      double h = half == 0 ? 1e-3 : 5e-4;
      g_autofree char *inside = g_strdup_printf(
          "<integrator name=\"x\" in=\"z - x\" dqrel=\"1e-6\" dqmin=\"1e-7\"/>"
          "<integrator name=\"z\" in=\"v\" x0=\"1\" method=\"euler_%s\" hstep=\"%g\"/>"
          "<integrator name=\"v\" in=\"-4*z - 0.2*v + x\" method=\"pec2e_delayed\" "
          "hstep=\"%g\"/>",
          information_names[k], 4.0 * h, h);
      setup_with(&r, inside, "", engines[k]);
      go(&r, 2);
      error[half] =
          hypot(at(&r, "z", 2) - mixed_reference(2, 1), at(&r, "v", 2) - mixed_reference(2, 2));
      clear(&r);
    }
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.1, 1.0, log2(error[0] / error[1]), information_names[k]);
  }
}

/* A mean of 40 slow states is a block of its own, which fast rows read (HyHub); each of the states
 * is the one of the other diagram. */
static void test_information_goes_through_hubs(void)
{
  g_autoptr(GString) mean = g_string_new("<function name=\"m\" formula=\"(");
  for (int k = 1; k <= 40; k++) {
    g_string_append_printf(mean, "%sz[%d]", k > 1 ? " + " : "", k);
  }
  g_string_append(mean, ")/40\"/>");
  for (int k = 0; k < 3; k++) {
    double y[2];
    for (int hub = 0; hub < 2; hub++) {
      Run r;
      g_autofree char *inside = g_strdup_printf(
          "<integrator name=\"y\" count=\"2\" in=\"%s - 3*y[i]\" method=\"pec2e_delayed\" "
          "hstep=\"0.01\"/>%s"
          "<integrator name=\"z\" count=\"%d\" x0=\"1\" in=\"-z[i] - y[1]\" method=\"euler_%s\" "
          "hstep=\"0.05\"/>",
          hub ? "m" : "z[1]", hub ? mean->str : "", hub ? 40 : 1, information_names[k]);
      setup_with(&r, inside, "", engines[k]);
      go(&r, 2);
      y[hub] = at(&r, "y[2]", 2);
      clear(&r);
    }
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-13, y[0], y[1], information_names[k]);
  }
}

/* ---- what has no answer ---- */

static void test_a_step_has_to_be_stated(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  load(&r,
       "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><integrator name=\"x\" in=\"-x\" "
       "method=\"pec2e_delayed\"/></hydevs>",
       HY_FLAT);
  TEST_ASSERT_FALSE(hy_sim_init(r.sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING(
      "x: method \"pec2e_delayed\" needs a step; state hstep beside it, or --hstep",
      error->message);
  clear(&r);
}

static void test_what_is_not_finite_is_named(void)
{
  static const char fast[] = "<integrator name=\"%s\" in=\"%s\" x0=\"1\" method=\"euler_advanced\" "
                             "hstep=\"%s\"/>";
  for (guint e = 0; e < 2 * G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autoptr(GError) error = NULL;
    g_autofree char *y = g_strdup_printf(fast, "y", "-y + z", "0.01");
    g_autofree char *z = g_strdup_printf(fast, "z", "1e300*z - y", "0.1");
    g_autofree char *inside = g_strconcat(e % 2 == 0 ? y : z, e % 2 == 0 ? z : y, NULL);
    setup_with(&r, inside, "", engines[e / 2]);
    TEST_ASSERT_FALSE(hy_sim_run(r.sim, 1, &error));
    TEST_ASSERT_EQUAL_STRING(
        "z: euler_advanced: a step leads to a value that is not finite at t = 0.1", error->message);
    clear(&r);
  }
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_no_tie_is_missed);
  RUN_TEST(test_who_moves_late_keeps_the_grid);
  RUN_TEST(test_a_state_that_waits_may_jump);
  RUN_TEST(test_a_jump_is_told_at_once_whoever_comes_first);
  RUN_TEST(test_a_state_that_jumps_is_read_as_it_is_then);
  RUN_TEST(test_others_see_the_line);
  RUN_TEST(test_beside_qss2_the_error_is_that_of_the_step);
  RUN_TEST(test_information_goes_through_hubs);
  RUN_TEST(test_a_step_has_to_be_stated);
  RUN_TEST(test_what_is_not_finite_is_named);
  return UNITY_END();
}
