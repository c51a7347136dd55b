/* Natural sampling: the edges of a pwm are where its duty, as it is, meets the carrier, whatever
 * the tolerance. Against closed forms, and each period of a loop solved beside. */
#include "circuit_run.h"

static const double tolerances[] = {1e-2, 1e-6};
static const char *const engines[] = {"tree", "flat", "fused"};

static HyRun *run_with(HyLoaded **loaded, const char *body, const char *engine, double tol,
                       const char *experiment)
{
  g_autofree char *text = g_strdup_printf(
      "%s<experiment method='block_liqss2' dqrel='%g' dqmin='%g' %s/>", body, tol, tol, experiment);
  *loaded = load_text(text);
  return go(*loaded, engine);
}

static double sine_duty(double t)
{
  return 0.5 + 0.4 * sin(100.0 * 3.14159265358979323846 * t);
}

static double falling_duty(double t)
{
  return 0.1 + 0.8 * exp(-t / 3e-3);
}

static double squared_duty(double t)
{
  return 0.1 + 0.8 * exp(-2.0 * t / 3e-3);
}

/* The sines of the models below. */
static double slow(double t)
{
  return 0.4 * sin(100.0 * G_PI * t);
}

static double fast(double t)
{
  return 0.9 * sin(300.0 * G_PI * t);
}

static double limited_duty(double t)
{
  return fmin(fmax(0.5 + fast(t), 0.05), 0.9);
}

static double rectified_duty(double t)
{
  return 0.05 + fabs(fast(t));
}

static double greater_duty(double t)
{
  return fmax(0.3 + slow(t), 0.5 + 0.4 * fast(t));
}

static double bent_duty(double t)
{
  return 0.45 + fast(t) * slow(t);
}

/* Of a period of 0.1 ms. */
static double sawtooth(double t)
{
  return fmod(t, 1e-4) / 1e-4;
}

static double triangle(double t)
{
  return 1.0 - fabs(1.0 - 2.0 * sawtooth(t));
}

typedef struct {
  const char *duty, *carrier;
  double (*duty_at)(double t), (*carrier_at)(double t);
} Sampling;

static const Sampling samplings[] = {
    {"0.5+0.4*sin(2*pi*50*t)", "sawtooth", sine_duty, sawtooth},
    {"0.5+0.4*sin(2*pi*50*t)", "triangle", sine_duty, triangle},
    {"0.5+w", "sawtooth", sine_duty, sawtooth},
    {"0.1+0.8*c.v", "sawtooth", falling_duty, sawtooth},
    {"0.1+0.8*c.v", "triangle", falling_duty, triangle},
    {"0.1+0.8*c.v^2", "sawtooth", squared_duty, sawtooth},
    {"0.1+0.8*c.v*c.v", "triangle", squared_duty, triangle},
    {"limit(0.5+u, 0.05, 0.9)", "sawtooth", limited_duty, sawtooth},
    {"limit(0.5+u, 0.05, 0.9)", "triangle", limited_duty, triangle},
    {"0.05+abs(u)", "triangle", rectified_duty, triangle},
    {"max(0.3+w, 0.5+0.4*u)", "triangle", greater_duty, triangle},
    {"0.45+u*w", "sawtooth", bent_duty, sawtooth},
};

/* Both edges of each of 100 periods, but those that begin a sawtooth. */
static guint check_edges(const HyRun *run, const Sampling *s)
{
  const HyRecorder *table = hy_run_table(run, 0);
  guint edges = 0;
  for (guint64 n = 1; n < hy_recorder_rows(table); n++) {
    double t = hy_recorder_time(table, n);
    gboolean turned = hy_recorder_value(table, n, 0) != hy_recorder_value(table, n - 1, 0);
    edges += turned;
    if (turned && (s->carrier[0] == 't' || hy_recorder_value(table, n, 0) == 0.0)) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, s->carrier_at(t), s->duty_at(t));
    }
  }
  return edges;
}

/* The gate is a pwm, or a comparison with a carrier. */
static void check_samplings(gboolean pwm)
{
  for (guint k = 0; k < G_N_ELEMENTS(samplings) * G_N_ELEMENTS(engines) * 2; k++) {
    const Sampling *s = &samplings[k / 6];
    g_autofree char *gate =
        pwm ? g_strdup_printf("<pwm name='g' period='0.1m' duty='%s' carrier='%s'/>", s->duty,
                              s->carrier)
            : g_strdup_printf("<%s name='carrier' frequency='10k'/>"
                              "<function name='g' formula='if(%s &gt; carrier, 1, 0)'/>",
                              s->carrier, s->duty);
    g_autofree char *body = g_strdup_printf(
        "<sine name='w' amplitude='0.4' frequency='50'/>"
        "<sine name='u' amplitude='0.9' frequency='150'/>%s"
        "<circuit name='c'><capacitor name='C' nodes='a 0' C='1u' v0='1'/>"
        "<resistor name='R' nodes='a 0' R='3k'/><out name='v' from='C.v'/></circuit>",
        gate);
    g_autoptr(HyLoaded) loaded = NULL;
    g_autoptr(HyRun) run =
        run_with(&loaded, body, engines[k % 3], tolerances[k / 3 % 2], "stop='9.999m' record='g'");
    TEST_ASSERT_EQUAL_UINT(s->carrier[0] == 't' ? 200 : 199, check_edges(run, s));
  }
}

static void test_edges_are_where_the_duty_meets_the_carrier(void)
{
  check_samplings(TRUE);
}

/* The same by a formula. */
static void test_comparisons_with_a_carrier_are_where_they_meet(void)
{
  check_samplings(FALSE);
}

/* 10 V on 1 mH and 1 Ohm while the gate is on; duty = 0.5 - K (i - 5). */
#define K 0.05

/* Where in a period that begins with I the duty meets the carrier, in parts of it. */
static double edge_of_period(double i)
{
  double low = 0.0, high = 1.0;
  for (int n = 0; n < 100; n++) {
    double s = 0.5 * (low + high), now = 10.0 + (i - 10.0) * exp(-0.1 * s);
    *(0.5 - K * (now - 5.0) > s ? &low : &high) = s;
  }
  return low;
}

static void test_a_loop_is_right_at_any_tolerance(void)
{
  const char *body =
      "<pwm name='g' period='0.1m' duty='0.5 - 0.05*(c.i - 5)'/><circuit name='c' g='g'>"
      "<in name='g'/><voltage name='U' nodes='in 0' value='10*g'/>"
      "<resistor name='R' nodes='in a' R='1'/><inductor name='L' nodes='a 0' L='1m'/>"
      "<out name='i' from='L.i'/></circuit>";
  for (guint k = 0; k < G_N_ELEMENTS(engines) * G_N_ELEMENTS(tolerances); k++) {
    g_autoptr(HyLoaded) loaded = NULL;
    g_autoptr(HyRun) run = run_with(&loaded, body, engines[k % 3], tolerances[k / 3],
                                    "stop='10m' grid='0.1m' record='c/L.i'");
    double i = 0.0;
    for (guint n = 1; n < 100; n++) {
      double s = edge_of_period(i);
      i = 10.0 + (i - 10.0) * exp(-0.1 * s);
      i *= exp(-0.1 * (1.0 - s));
      TEST_ASSERT_DOUBLE_WITHIN(1e-10, i, hy_recorder_value(hy_run_table(run, 0), n, 0));
    }
  }
}

/* How often the gate of BODY, run for 1 ms, has turned; the last time at *AT. */
static guint turns(const char *body, const char *engine, double *at)
{
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyRun) run = run_with(&loaded, body, engine, 1e-3, "stop='1m' record='g'");
  const HyRecorder *table = hy_run_table(run, 0);
  guint n = 0;
  for (guint64 k = 1; k < hy_recorder_rows(table); k++) {
    if (hy_recorder_value(table, k, 0) != hy_recorder_value(table, k - 1, 0)) {
      n++;
      *at = hy_recorder_time(table, k);
    }
  }
  return n;
}

#define FALLING                                                                                    \
  "<circuit name='c'><capacitor name='C' nodes='a 0' C='1u' v0='1'/>"                              \
  "<resistor name='R' nodes='a 0' R='1k'/><out name='v' from='C.v'/></circuit>"

/* What comes from outside is answered at once; and the period that is on is not ended by it. */
static void test_a_jump_turns_the_gate_at_once(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    double at = 0.0;
    TEST_ASSERT_EQUAL_UINT(1, turns("<step name='h' at='0.3m' from='0.5' to='-0.2'/>" FALLING
                                    "<pwm name='g' period='10m' duty='0.3*c.v+h'/>",
                                    engines[e], &at));
    TEST_ASSERT_TRUE(at == 0.3e-3);
  }
}

/* Nor is an edge taken back by what it does to the duty itself at the same instant. */
static void test_an_edge_is_not_taken_back_by_its_own_jump(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    double at = 0.0;
    TEST_ASSERT_EQUAL_UINT(
        18, turns(FALLING "<pwm name='g' period='0.11m' duty='0.3*c.v + if(g &gt; 0.5, 0, 0.05)'/>",
                  engines[e], &at));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.99e-3, at);
  }
}

/* A duty of 0 or 1 makes no pulse. */
static void test_a_duty_at_its_limits_makes_no_pulse(void)
{
  static const char *const carriers[] = {"sawtooth", "triangle"};
  for (guint k = 0; k < G_N_ELEMENTS(engines) * G_N_ELEMENTS(carriers); k++) {
    double at = 0.0;
    g_autofree char *high = g_strdup_printf(
        FALLING "<pwm name='g' period='10u' carrier='%s' duty='limit(5*c.v, 0, 1)'/>",
        carriers[k / 3]);
    g_autofree char *low = g_strdup_printf(
        FALLING "<pwm name='g' period='10u' carrier='%s' duty='limit(c.v - 5, 0, 1)'/>",
        carriers[k / 3]);
    TEST_ASSERT_EQUAL_UINT(0, turns(high, engines[k % 3], &at));
    TEST_ASSERT_EQUAL_UINT(0, turns(low, engines[k % 3], &at));
  }
}

static void test_a_duty_outside_its_range_ends_the_run(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyLoaded) loaded =
        load_text(FALLING "<pwm name='g' period='0.1m' duty='c.v - 0.5'/><experiment stop='1m' "
                          "method='block_liqss2' record='g'/>");
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = engines[e];
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    TEST_ASSERT_NOT_NULL(run);
    TEST_ASSERT_FALSE(hy_run_record(run, &error) && hy_run_go(run, &error));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "is outside 0 .. 1 at t = 0.0007"),
                                 error->message);
    g_clear_error(&error);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_edges_are_where_the_duty_meets_the_carrier);
  RUN_TEST(test_comparisons_with_a_carrier_are_where_they_meet);
  RUN_TEST(test_a_loop_is_right_at_any_tolerance);
  RUN_TEST(test_a_jump_turns_the_gate_at_once);
  RUN_TEST(test_an_edge_is_not_taken_back_by_its_own_jump);
  RUN_TEST(test_a_duty_at_its_limits_makes_no_pulse);
  RUN_TEST(test_a_duty_outside_its_range_ends_the_run);
  return UNITY_END();
}
