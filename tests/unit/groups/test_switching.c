/* Classic groups and mLIQSS beside diodes and relays, against closed forms and references made in
 * another way. */
#include "group_run.h"
#include "unity.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Methods that choose their step do not carry it over a jump of f: x is the integral of a square
 * wave, a triangle between 0 and 1/2, for as long as one looks. */
static void test_a_step_does_not_outgrow_what_jumps(void)
{
  static const char *const methods[] = {"rkf45", "rk45_doubling", "cvode_bdf", "cvode_adams"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *numerics = g_strdup_printf("method=\"%s\"", methods[m]);
      setup_with(&r,
                 "<square name=\"s\" low=\"-1\" high=\"1\" frequency=\"1\"/>"
                 "<integrator name=\"x\" in=\"s\"/>",
                 numerics, engines[e]);
      for (int k = 1; k < 400; k++) {
        go(&r, 0.25 * k);
        double triangle = k % 2 == 0 ? (k % 4 == 0 ? 0.0 : 0.5) : 0.25;
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, triangle, at(&r, "x", 0.25 * k), methods[m]);
      }
      clear(&r);
    }
  }
}

/* A sampled PI controller: s = 1 - y at k T, I' = ki s, and a gate that is on from k T until the
 * ramp of slope 1/T meets 0.5 + (I + s)/5; y' = 4 gate - 2 - y. All of it in closed form. */
typedef struct {
  double ki, y, integral;
} SampledPi;

static void pi_period(SampledPi *c, double period)
{
  double s = 1.0 - c->y, on = (0.5 + 0.2 * (c->integral + s)) / (1.0 / period - 0.2 * c->ki * s);
  on = fmin(fmax(on, 0.05 * period), 0.95 * period);
  c->y = 2.0 + (c->y - 2.0) * exp(-on);
  c->y = -2.0 + (c->y + 2.0) * exp(on - period);
  c->integral += c->ki * s * period;
}

/* Its duty is a state of the group, which says it anew at every step; so an edge may come a digit
 * before the end of a step, and the method would go on with the f that it was. */
static void test_an_edge_just_before_the_end_of_a_step(void)
{
  static const char *const methods[] = {"cvode_bdf", "cvode_adams", "rkf45"};
  static const double gains[] = {0.1, 0.5, 1.0};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(gains); k++) {
      Run r;
      SampledPi exact = {.ki = gains[k]};
      g_autofree char *inside = g_strdup_printf(
          "<sample_hold name=\"s\" in=\"1 - y\" period=\"0.3\"/>"
          "<integrator name=\"I\" in=\"%g*s\"/>"
          "<saturation name=\"d\" in=\"0.5 + 0.2*(I + s)\" lower=\"0.05\" upper=\"0.95\"/>"
          "<pwm name=\"g\" period=\"0.3\" duty=\"d\"/>"
          "<integrator name=\"y\" in=\"4*g - 2 - y\"/>",
          gains[k]);
      setup(&r, inside, methods[m], "1e-9", HY_FUSED);
      for (int n = 1; n <= 66; n++) {
        pi_period(&exact, 0.3);
        go(&r, 0.3 * n);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, exact.y, at(&r, "y", 0.3 * n), methods[m]);
      }
      clear(&r);
    }
  }
}

/* What the edges of a source do to x' = s - x, s = +-1 for half a second each: after every half
 * second x is on its way to the other side, and the errors of all steps add up. A method that knows
 * when the next edge comes ends a step there, and goes back by dense output never. */
static void test_steps_end_at_edges_that_are_known_ahead(void)
{
  static const char *const methods[] = {"cvode_bdf", "cvode_adams", "rkf45", "rk45_doubling"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" reltol=\"1e-3\" abstol=\"1e-3\"", methods[m]);
    setup_with(&r,
               "<square name=\"s\" low=\"-1\" high=\"1\" frequency=\"1\"/>"
               "<gain name=\"g\" in=\"s\" k=\"1\"/><integrator name=\"x\" in=\"g - x\"/>",
               numerics, HY_FUSED);
    double x = 0.0, part = exp(-0.5);
    for (int k = 1; k <= 100; k++) {
      double to = k % 2 == 1 ? 1.0 : -1.0;
      go(&r, 0.5 * k);
      x = to + (x - to) * part;
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, x, at(&r, "x", 0.5 * k), methods[m]);
    }
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, totals(&r).closed, methods[m]);
    clear(&r);
  }
}

/* A rectifier: a coil L and a load R behind a diode, Ron small and Roff large. When the diode turns
 * at i = 0 nothing jumps, but the time constant changes from L/R to L/Roff: a method that keeps its
 * Jacobian, or its step, goes through the roof. The current is that of a half wave: zero from
 * the instant at which the closed form of the conducting phase comes back to 0. */
static const char rectifier[] = "<sine name=\"v\" amplitude=\"10\" frequency=\"50\"/>"
                                "<diode name=\"Rd\" i=\"i\" ron=\"1e-4\" roff=\"1e5\"/>"
                                "<integrator name=\"i\" in=\"(v - (1 + Rd)*i)/0.01\"/>";

/* The current of the first half wave while the diode conducts. */
static double conducting(double t)
{
  double w = 2.0 * G_PI * 50.0, R = 1.0001, L = 0.01, z2 = R * R + w * w * L * L;
  return 10.0 / z2 * (R * sin(w * t) - w * L * cos(w * t) + w * L * exp(-R / L * t));
}

static void check_rectifier(const char *method, double tol, HyEngine engine, double tolerance)
{
  Run r;
  g_autofree char *numerics =
      g_strdup_printf("method=\"%s\" dqrel=\"%g\" dqmin=\"%g\" reltol=\"%g\" abstol=\"%g\"", method,
                      tol, tol, tol, tol);
  setup_with(&r, rectifier, numerics, engine);
  double most = 0.0;
  gboolean on = TRUE;
  for (int k = 1; k <= 190; k++) {
    double t = 1e-4 * k, i = conducting(t);
    go(&r, t);
    on = on && i > 0.0;
    most = fmax(most, fabs(at(&r, "i", t) - (on ? i : 0.0)));
  }
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, 0.0, most, numerics);
  clear(&r);
}

static void test_a_diode_that_turns_without_a_jump_is_noticed(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    check_rectifier("cvode_bdf", 1e-4, engines[e], 5e-3);
    check_rectifier("cvode_bdf", 1e-7, engines[e], 2e-4); /* what leaks: 10 V / Roff */
    check_rectifier("mliqss2", 1e-4, engines[e], 5e-3);
  }
}

/* Four diodes as blocks with functions between them, so all of them decide at one instant, twice a
 * period, and each by currents that the others make: R and L behind a bridge see |v|. */
static const char bridge[] =
    "<sine name=\"v\" amplitude=\"10\" frequency=\"50\"/>"
    "<diode name=\"R1\" i=\"i1\" ron=\"1e-3\" roff=\"1e6\"/>"
    "<diode name=\"R2\" i=\"i2\" ron=\"1e-3\" roff=\"1e6\"/>"
    "<diode name=\"R3\" i=\"i3\" ron=\"1e-3\" roff=\"1e6\"/>"
    "<diode name=\"R4\" i=\"i4\" ron=\"1e-3\" roff=\"1e6\"/>"
    "<function name=\"p\" formula=\"(v/R1 - i)/(1/R1 + 1/R2)\"/>"
    "<function name=\"n\" formula=\"(v/R3 + i)/(1/R3 + 1/R4)\"/>"
    "<function name=\"i1\" formula=\"(v - p)/R1\"/><function name=\"i2\" formula=\"-p/R2\"/>"
    "<function name=\"i3\" formula=\"(n - v)/R3\"/><function name=\"i4\" formula=\"n/R4\"/>"
    "<integrator name=\"i\" in=\"(p - n - i)/0.01\"/>";

/* Behind |v| and two diodes, half wave after half wave. */
static double behind_a_bridge(double t)
{
  double w = 2.0 * G_PI * 50.0, R = 1.0 + 2e-3, L = 0.01, z2 = R * R + w * w * L * L, i = 0.0;
  double half = 0.01;
  while (t > half) {
    t -= half;
    i = 10.0 / z2 * w * L + (i + 10.0 / z2 * w * L) * exp(-R / L * half);
  }
  return 10.0 / z2 * (R * sin(w * t) - w * L * cos(w * t)) +
         (i + 10.0 / z2 * w * L) * exp(-R / L * t);
}

static void check_bridge(const char *method, double tol, HyEngine engine, double tolerance)
{
  Run r;
  g_autofree char *numerics =
      g_strdup_printf("method=\"%s\" dqrel=\"%g\" dqmin=\"%g\" reltol=\"%g\" abstol=\"%g\"", method,
                      tol, tol, tol, tol);
  setup_with(&r, bridge, numerics, engine);
  for (int k = 1; k <= 100; k++) {
    double t = 1e-3 * k;
    go(&r, t);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, behind_a_bridge(t), at(&r, "i", t), numerics);
  }
  clear(&r);
}

static void test_diodes_that_decide_at_one_instant_come_to_rest(void)
{
  static const char *const methods[] = {"mliqss2", "cvode_bdf", "liqss2"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      check_bridge(methods[m], 1e-3, engines[e], 5e-2);
      check_bridge(methods[m], 1e-4, engines[e], 1e-2);
      check_bridge(methods[m], 1e-5, engines[e], 1e-3);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_step_does_not_outgrow_what_jumps);
  RUN_TEST(test_an_edge_just_before_the_end_of_a_step);
  RUN_TEST(test_steps_end_at_edges_that_are_known_ahead);
  RUN_TEST(test_diodes_that_decide_at_one_instant_come_to_rest);
  RUN_TEST(test_a_diode_that_turns_without_a_jump_is_noticed);
  return UNITY_END();
}
