/* Blocks that take sines for what they are: closed forms to the last digits whatever the quantum of
 * the source, in resonance too, crossings that read the sine itself, and who still hears pieces. */
#include "group_run.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define COARSE "method=\"block_liqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\""

/* A coil and a resistance: x' = (100 sin(w t + 0.3) + 2 - x)/0.01, directly, behind functions, from
 * three sources of which two are behind the first, and as formulas of the time. One step, and
 * nothing is heard. */
static void test_a_sine_is_one_step(void)
{
  static const char *const input[] = {
      "<sine name=\"u\" amplitude=\"100\" frequency=\"50\" phase=\"0.3\" offset=\"2\"/>",
      "<sine name=\"s\" amplitude=\"-50\" frequency=\"50\" phase=\"0.3\"/>"
      "<gain name=\"g\" in=\"s\" k=\"-2\"/><function name=\"u\" formula=\"g + 2\"/>",
      "<three_phase name=\"e\" amplitude=\"100\" frequency=\"50\" phase=\"0.3\"/>"
      "<function name=\"u\" formula=\"2 - e.b - e.c\"/>",
      "<function name=\"u\" formula=\"100*sin(2*pi*50*t + 0.3) + 2\"/>",
      "<constant name=\"c\" value=\"0.3\"/>"
      "<function name=\"s\" formula=\"cos(c + 100*pi*t - pi/2) - sin(-100*pi*t - c)/2\"/>"
      "<function name=\"u\" formula=\"20*cos(pi/2 - 100*pi*t - 0.3) + 2*(1 + 80/3*s)\"/>"};
  double w = 100.0 * G_PI, a = 100.0;
  for (guint k = 0; k < G_N_ELEMENTS(input); k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *inside =
          g_strdup_printf("%s<integrator name=\"x\" in=\"(u - x)/10m\"/>", input[k]);
      setup_with(&r, inside, COARSE, engines[e]);
      for (int i = 1; i <= 30; i++) {
        double t = 3.7e-3 * i, lag = atan2(w, a), part = a / hypot(a, w);
        double x = 100.0 * part * (sin(w * t + 0.3 - lag) - sin(0.3 - lag) * exp(-a * t)) -
                   2.0 * expm1(-a * t);
        go(&r, t);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-11, x, at(&r, "x", t), input[k]);
      }
      TEST_ASSERT_EQUAL_UINT64(1, totals(&r).steps);
      TEST_ASSERT_EQUAL_UINT64(0, totals(&r).inputs);
      TEST_ASSERT_EQUAL_UINT64(0, totals(&r).restarts);
      clear(&r);
    }
  }
}

/* Driven as fast as it swings: x = (sin t - t cos t)/2 grows; and beside another frequency. */
static void test_resonance_without_damping(void)
{
  Run r;
  setup_with(&r,
             "<sine name=\"u\" amplitude=\"1\" frequency=\"1/(2*pi)\"/>"
             "<sine name=\"s\" amplitude=\"1\" frequency=\"1/pi\"/>"
             "<integrator name=\"x\" in=\"v\"/>"
             "<integrator name=\"v\" in=\"u + 3*s - x\"/>",
             COARSE, HY_FUSED);
  for (int i = 1; i <= 100; i++) {
    double t = 3.0 * i;
    double x = 0.5 * (sin(t) - t * cos(t)) + 2.0 * sin(t) - sin(2.0 * t);
    go(&r, t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * t * t, x, at(&r, "x", t));
  }
  TEST_ASSERT_EQUAL_UINT64(1, totals(&r).steps);
  clear(&r);
}

/* A state behind a diode, x' = b sin(w t) - a x with other numbers in each mode, which turns off
 * where falls and on where rises changes its sign, z = c x + d sin(w t): solved piece by piece. */
typedef struct {
  double a[2], b[2]; /* [mode] */
  double c, d;
  double w, t, x;
  guint mode, turned;
} Rectifier;

static double rectifier_x(const Rectifier *r, double t)
{
  double a = r->a[r->mode], lag = atan2(r->w, a), size = r->b[r->mode] / hypot(a, r->w);
  double s = t - r->t, before = size * sin(r->w * r->t - lag);
  return size * sin(r->w * t - lag) + (r->x - before) * exp(-a * s);
}

static double rectifier_z(const Rectifier *r, double t)
{
  double z = r->c * rectifier_x(r, t) + r->d * sin(r->w * t);
  return r->mode == 1 ? z : -z;
}

/* To T: looked at in steps of 1e-5 after the first instants of a mode, then halved. */
static double rectifier_at(Rectifier *r, double t)
{
  double from = r->t + 1e-7, step = 1e-5;
  while (from < t) {
    double to = fmin(from + step, t);
    if (!(rectifier_z(r, to) < 0.0)) {
      from = to;
      continue;
    }
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (from + to);
      *(rectifier_z(r, middle) < 0.0 ? &to : &from) = middle;
    }
    r->x = rectifier_x(r, to);
    r->t = to;
    r->mode = 1 - r->mode;
    r->turned++;
    from = to + 1e-7;
  }
  return rectifier_x(r, t);
}

static void check_rectifier(const char *rectifier, const char *beside, Rectifier exact,
                            double exactly)
{
  double end = NAN;
  g_autofree char *inside = g_strconcat(rectifier, beside, NULL);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Rectifier x = exact;
    Run r;
    setup_with(&r, inside, COARSE, engines[e]);
    for (int i = 1; i <= 80; i++) {
      double t = 2.3e-3 * i;
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN(exactly, rectifier_at(&x, t), at(&r, "x", t));
    }
    TEST_ASSERT_EQUAL_UINT64(x.turned, totals(&r).crossings);
    if (beside[0] == '\0') {
      TEST_ASSERT_EQUAL_UINT64(x.turned + 1, totals(&r).steps);
      TEST_ASSERT_EQUAL_UINT64(0, totals(&r).inputs);
    }
    end = e == 0 ? at(&r, "x", 0.184) : end;
    TEST_ASSERT_TRUE(end == at(&r, "x", 0.184));
    clear(&r);
  }
}

/* A coil: the diode's current is the state. Off, 1e5 Ohm leak. */
static void test_a_rectifier_with_a_coil(void)
{
  double L = 0.01, on = 1.0 + 1e-3, off = 1.0 + 1e5;
  check_rectifier("<sine name=\"u\" amplitude=\"100\" frequency=\"50\"/>"
                  "<diode name=\"D\" i=\"x\" ron=\"1m\" roff=\"100k\"/>"
                  "<integrator name=\"x\" in=\"(u - (1 + D)*x)/10m\"/>",
                  "",
                  (Rectifier){.a = {off / L, on / L},
                              .b = {100.0 / L, 100.0 / L},
                              .c = 1.0,
                              .w = 100.0 * G_PI,
                              .mode = 1,
                              .turned = 1},
                  2e-13);
}

/* A capacitor: the diode's current reads the sine, which is above what is left of it. A gate beside
 * it, which has nothing to do with it, makes the block judge its diode at every edge: by the sine,
 * of which the source says but a rough idea. */
static void test_a_rectifier_with_a_capacitor(void)
{
  static const char *const beside[] = {
      "", "<square name=\"p\" frequency=\"10k\"/><integrator name=\"q\" in=\"p - q\"/>"};
  double C = 1e-4, on = 0.5 + 1e-3, off = 0.5 + 1e5;
  for (guint k = 0; k < G_N_ELEMENTS(beside); k++) {
    check_rectifier("<sine name=\"u\" amplitude=\"100\" frequency=\"50\" dqrel=\"0.3\"/>"
                    "<diode name=\"D\" i=\"i\" ron=\"1m\" roff=\"100k\"/>"
                    "<function name=\"i\" formula=\"(u - x)/(0.5 + D)\"/>"
                    "<integrator name=\"x\" in=\"(i - x/200)/100u\"/>",
                    beside[k],
                    (Rectifier){.a = {(1.0 / off + 1.0 / 200.0) / C, (1.0 / on + 1.0 / 200.0) / C},
                                .b = {100.0 / off / C, 100.0 / on / C},
                                .c = -1.0,
                                .d = 100.0,
                                .w = 100.0 * G_PI,
                                .mode = 1,
                                .turned = 1},
                    1e-9);
  }
}

/* The same with the sine as a formula, which the row of the crossing has, too. */
static void test_a_rectifier_with_a_formula(void)
{
  double C = 1e-4, on = 0.5 + 1e-3, off = 0.5 + 1e5;
  check_rectifier("<param name=\"f\" value=\"50\"/>"
                  "<diode name=\"D\" i=\"i\" ron=\"1m\" roff=\"100k\"/>"
                  "<function name=\"i\" formula=\"(100*sin(2*pi*f*t) - x)/(0.5 + D)\"/>"
                  "<integrator name=\"x\" in=\"(i - x/200)/100u\"/>",
                  "",
                  (Rectifier){.a = {(1.0 / off + 1.0 / 200.0) / C, (1.0 / on + 1.0 / 200.0) / C},
                              .b = {100.0 / off / C, 100.0 / on / C},
                              .c = -1.0,
                              .d = 100.0,
                              .w = 100.0 * G_PI,
                              .mode = 1,
                              .turned = 1},
                  1e-9);
}

/* A mode chooses among sines of several rates; they are what sources say. */
static void test_a_mode_may_choose_a_sine(void)
{
  Run r, other;
  static const char gate[] = "<pwm name=\"p\" period=\"0.3\" duty=\"0.4\"/>";
  g_autofree char *formula = g_strconcat(
      gate, "<integrator name=\"x\" in=\"if(p > 0.5, 3*sin(7*t), cos(5*t) - x)\"/>", NULL);
  g_autofree char *source = g_strconcat(gate,
                                        "<sine name=\"a\" amplitude=\"3\" frequency=\"7/(2*pi)\"/>"
                                        "<sine name=\"b\" frequency=\"5/(2*pi)\" phase=\"pi/2\"/>"
                                        "<integrator name=\"x\" in=\"if(p > 0.5, a, b - x)\"/>",
                                        NULL);
  setup_with(&r, formula, COARSE, HY_FUSED);
  setup_with(&other, source, COARSE, HY_FUSED);
  for (int k = 1; k <= 50; k++) {
    double t = 0.0731 * k;
    go(&r, t);
    go(&other, t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, at(&other, "x", t), at(&r, "x", t));
  }
  TEST_ASSERT_EQUAL_UINT64(totals(&other).steps, totals(&r).steps);
  TEST_ASSERT_TRUE(totals(&r).steps < 40);
  clear(&r);
  clear(&other);
}

/* Whose argument is no line for ever, or which something else multiplies, is no sine. */
static void test_what_is_no_sine_is_stepped(void)
{
  static const char *const input[] = {"sin(x)", "sin(t*t)", "sin(t + x)", "sin(t + r)",
                                      "sin(s)", "s*sin(t)", "sin(t + p)", "t*sin(t)",
                                      "tan(t)", "sin(t)^2", "sin(c)"};
  for (guint k = 0; k < G_N_ELEMENTS(input); k++) {
    Run r;
    HyGroupTotals g;
    g_autofree char *inside = g_strdup_printf("<constant name=\"c\" value=\"1\"/>"
                                              "<ramp name=\"r\" start=\"1\" duration=\"2\"/>"
                                              "<sine name=\"s\" frequency=\"1\"/>"
                                              "<pwm name=\"p\" period=\"1\" duty=\"0.5\"/>"
                                              "<integrator name=\"x\" in=\"%s - x\"/>",
                                              input[k]);
    setup_with(&r, inside, COARSE, HY_FUSED);
    go(&r, 0.1);
    hy_sim_group(r.sim, 0, &g);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("block_liqss2", g.stated, input[k]);
    TEST_ASSERT_EQUAL_STRING("they are not linear while no switch turns", g.because);
    clear(&r);
  }
}

/* A state of another method and a function hear the pieces of the source as ever, and of the block
 * pieces that hold, also where whole periods of the sine lie between what else happens. */
static void test_others_hear_pieces(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_with(&r,
               "<sine name=\"u\" amplitude=\"1\" frequency=\"1\"/>"
               "<square name=\"p\" frequency=\"0.125\"/><integrator name=\"q\" in=\"p - q\"/>"
               "<integrator name=\"x\" in=\"2*pi*u\" x0=\"-1\"/>"
               "<integrator name=\"y\" in=\"x\" method=\"qss3\"/>"
               "<integrator name=\"z\" in=\"u*u\" method=\"qss3\"/>",
               "method=\"block_liqss2\" dqrel=\"1e-4\" dqmin=\"1e-4\"", engines[e]);
    for (int k = 1; k <= 40; k++) {
      double t = 0.21 * k, w = 2.0 * G_PI;
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, -cos(w * t), at(&r, "x", t));
      TEST_ASSERT_DOUBLE_WITHIN(1e-3, -sin(w * t) / w, at(&r, "y", t));
      TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.5 * t - sin(2.0 * w * t) / (4.0 * w), at(&r, "z", t));
    }
    clear(&r);
  }
}

/* So does a coil with a capacitor: 4 of its periods are one of the gate, and what is told of it has
 * not been at rest. */
static void test_others_hear_what_swings(void)
{
  Run r;
  setup_with(&r,
             "<square name=\"p\" frequency=\"0.125\"/><integrator name=\"q\" in=\"p - q\"/>"
             "<integrator name=\"x\" in=\"2*pi*v\" x0=\"1\"/>"
             "<integrator name=\"v\" in=\"-2*pi*x\"/>"
             "<integrator name=\"y\" in=\"x\" method=\"qss3\"/>",
             "method=\"block_liqss2\" dqrel=\"1e-4\" dqmin=\"1e-4\"", HY_FUSED);
  for (int k = 1; k <= 40; k++) {
    double t = 0.21 * k, w = 2.0 * G_PI;
    go(&r, t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, sin(w * t) / w, at(&r, "y", t));
  }
  clear(&r);
}

/* Ramps, steps and the time itself are one piece for as long as they go on. */
static void test_a_line_is_one_step(void)
{
  Run r;
  setup_with(&r,
             "<ramp name=\"u\" start=\"1\" duration=\"2\" height=\"4\"/>"
             "<constant name=\"c\" value=\"1\"/>"
             "<integrator name=\"x\" in=\"u - x\"/>"
             "<integrator name=\"y\" in=\"3*t + c - 1 - y\" " COARSE "/>",
             COARSE, HY_FUSED);
  go(&r, 1e3);
  HyGroupTotals x, y;
  hy_sim_group(r.sim, 0, &x);
  hy_sim_group(r.sim, 1, &y);
  TEST_ASSERT_EQUAL_UINT64(3, x.totals.steps);
  TEST_ASSERT_EQUAL_UINT64(1, y.totals.steps);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 4.0, at(&r, "x", 1e3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3.0 * (1e3 - 1.0), at(&r, "y", 1e3));
  clear(&r);
}

/* No sine at all, and one that is far from any rate. */
static void test_a_sine_that_stands_still_and_a_fast_one(void)
{
  Run r;
  setup_with(&r,
             "<sine name=\"u\" amplitude=\"5\" frequency=\"0\" phase=\"0.5*pi\"/>"
             "<sine name=\"v\" amplitude=\"0\" frequency=\"3\" offset=\"2\"/>"
             "<sine name=\"f\" amplitude=\"1e9\" frequency=\"1e6\"/>"
             "<integrator name=\"x\" in=\"u + v + f - x\"/>",
             COARSE, HY_FUSED);
  double w = 2e6 * G_PI, t = 1.25e-6 + 1e-3, lag = atan2(w, 1.0), size = 1e9 / hypot(1.0, w);
  go(&r, t);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, -7.0 * expm1(-t) + size * (sin(w * t - lag) + sin(lag) * exp(-t)),
                            at(&r, "x", t));
  TEST_ASSERT_EQUAL_UINT64(1, totals(&r).steps);
  clear(&r);
}

/* A chain of integrators has one rate and one vector. */
static void test_a_sine_before_a_chain_of_integrators(void)
{
  Run r;
  setup(&r,
        "<sine name=\"u\" amplitude=\"1\" frequency=\"1/(2*pi)\"/>"
        "<integrator name=\"v\" in=\"u\" x0=\"-1\"/>"
        "<integrator name=\"x\" in=\"v\"/><integrator name=\"y\" in=\"x\" x0=\"1\"/>",
        "block_liqss2", "1e-3", HY_FUSED);
  for (int k = 1; k <= 10; k++) {
    go(&r, k);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, -cos(k), at(&r, "v", k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, -sin(k), at(&r, "x", k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, cos(k), at(&r, "y", k));
  }
  HyGroupTotals g;
  hy_sim_group(r.sim, 0, &g);
  TEST_ASSERT_NULL(g.stated);
  clear(&r);
}

/* What is not linear is stepped, and whoever steps it is told pieces. */
static void test_who_comes_in_its_place_hears_pieces(void)
{
  static const char inside[] = "<sine name=\"u\" amplitude=\"1\" frequency=\"1/(2*pi)\"/>"
                               "<integrator name=\"v\" in=\"u\" x0=\"-1\"/>"
                               "<integrator name=\"x\" in=\"v*v\"/>";
  Run r, other;
  HyGroupTotals g;
  setup(&r, inside, "block_liqss2", "1e-5", HY_FUSED);
  go(&r, 5);
  hy_sim_group(r.sim, 0, &g);
  TEST_ASSERT_EQUAL_STRING("block_liqss2", g.stated);
  setup(&other, inside, g.method, "1e-5", HY_FUSED);
  go(&other, 5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2.5 + 0.25 * sin(10), at(&r, "x", 5));
  TEST_ASSERT_TRUE(at(&r, "x", 5) == at(&other, "x", 5));
  TEST_ASSERT_TRUE(totals(&r).inputs > 20);
  clear(&r);
  clear(&other);
}

/* A copy goes on to the same bits, wherever between pieces and crossings it was made. */
static void test_a_copy_goes_on_as_the_original(void)
{
  static const double when[] = {0.0, 1.1e-3, 10e-3, 13.7e-3, 20.3e-3};
  for (guint k = 0; k < G_N_ELEMENTS(when); k++) {
    Run r;
    g_autoptr(GError) error = NULL;
    setup_with(&r,
               "<sine name=\"u\" amplitude=\"100\" frequency=\"50\"/>"
               "<diode name=\"D\" i=\"x\" ron=\"1m\" roff=\"100k\"/>"
               "<integrator name=\"x\" in=\"(u - (1 + D)*x)/10m\"/>"
               "<integrator name=\"y\" in=\"x\" method=\"qss3\"/>",
               COARSE, HY_FUSED);
    go(&r, when[k]);
    g_autoptr(HySnapshot) copy = hy_sim_save(r.sim, &error);
    TEST_ASSERT_NOT_NULL(copy);
    go(&r, 0.05);
    double x = at(&r, "x", 0.05), y = at(&r, "y", 0.05);
    TEST_ASSERT_TRUE(hy_sim_load(r.sim, copy, &error));
    go(&r, 0.05);
    TEST_ASSERT_TRUE(x == at(&r, "x", 0.05) && y == at(&r, "y", 0.05));
    clear(&r);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_sine_is_one_step);
  RUN_TEST(test_resonance_without_damping);
  RUN_TEST(test_a_rectifier_with_a_coil);
  RUN_TEST(test_a_rectifier_with_a_capacitor);
  RUN_TEST(test_a_rectifier_with_a_formula);
  RUN_TEST(test_a_mode_may_choose_a_sine);
  RUN_TEST(test_what_is_no_sine_is_stepped);
  RUN_TEST(test_others_hear_pieces);
  RUN_TEST(test_others_hear_what_swings);
  RUN_TEST(test_a_line_is_one_step);
  RUN_TEST(test_a_sine_that_stands_still_and_a_fast_one);
  RUN_TEST(test_a_sine_before_a_chain_of_integrators);
  RUN_TEST(test_who_comes_in_its_place_hears_pieces);
  RUN_TEST(test_a_copy_goes_on_as_the_original);
  return UNITY_END();
}
