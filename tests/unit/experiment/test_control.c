/* library/control.xml: each type against a closed form, or against small steps of its equations. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define FINE "method='qss3' dqrel='1e-8' dqmin='1e-9'"
#define NEAR 1e-6

/* Controllers -------------------------------------------------------------------------------------
 */

/* An error of 1, then -1: x is at its limit after 1 s and comes back from there at once. */
static void test_clamping_holds_the_integral_within_the_limits(void)
{
  double x[3];
  library_end("<pulse name='e' low='-1' high='1' start='0' end='2'/>"
              "<block type='control.pi' name='c' in='e' kp='0.5' ki='2' lower='-1' upper='2'/>"
              "<pi name='s' in='e' kp='0.5' ki='2' lower='-1' upper='2'/>"
              "<experiment stop='2.25' " FINE " record='c.out c.u s'/>",
              3, x);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, -0.5 + 2 - 2 * 0.25, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, x[0], x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, x[0], x[2]);
  library_end("<pulse name='e' low='1' high='-1' start='0' end='3'/>"
              "<block type='control.pi' name='c' in='e' kp='0.5' ki='2' lower='-1' upper='2' "
              "initial='1'/>"
              "<experiment stop='2' " FINE " record='c.out c.u'/>",
              2, x);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, -1, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, -1.5, x[1]);
}

/* x' = ki e until u = upper; then x' = ki e + kt (upper - kp e - x). Tracked: from the start. */
static void test_back_calculation_and_tracking_are_exponential(void)
{
  double x[4], t = 1.5, at = (2 - 0.5) / 2;
  library_end("<block type='control.pi' name='b' in='1' kp='0.5' ki='2' upper='2' kt='3' "
              "antiwindup='back_calculation'/>"
              "<block type='control.pi' name='d' in='1' kp='0.5' ki='2' upper='2' "
              "antiwindup='back_calculation'/>"
              "<block type='control.pi' name='f' in='1' kp='0.5' ki='2' kt='3' track='-1' "
              "antiwindup='tracking' initial='0.25'/>"
              "<experiment stop='1.5' " FINE " record='b.u d.u b.out f.out'/>",
              4, x);
  double rest = 1.5 + 2.0 / 3, rest_d = 1.5 + 2.0 / 4, rest_f = -1.5 + 2.0 / 3;
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 0.5 + rest + (1.5 - rest) * exp(-3 * (t - at)), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 0.5 + rest_d + (1.5 - rest_d) * exp(-4 * (t - at)), x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 2, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 0.5 + rest_f + (0.25 - rest_f) * exp(-3 * t), x[3]);
}

/* y' = u - y/2, u = 1.5 at most, x at most 1.5; w = 3. */
static void limited_loop(double t, const double *x, double *dx)
{
  (void)t;
  double e = 3 - x[0];
  dx[0] = fmin(e + x[1], 1.5) - x[0] / 2;
  dx[1] = x[1] >= 1.5 ? fmin(2 * e, 0) : 2 * e;
}

/* The same recursion as a program: samples of 1.5 - 2 t at 0.05 + 0.1 k. */
static void test_a_sampled_pi_from_sample_to_sample(void)
{
  double x[4], clamped = 0.2, back = 0.2, out[2] = {0};
  library_end("<block type='control.pi' name='a' in='1.5 - 2*t' kp='0.5' ki='2' lower='-0.4' "
              "upper='0.6' initial='0.2' period='0.1' start='0.05'/>"
              "<block type='control.pi' name='b' in='1.5 - 2*t' kp='0.5' ki='2' lower='-0.4' "
              "upper='0.6' initial='0.2' period='0.1' start='0.05' "
              "antiwindup='back_calculation'/>"
              "<experiment stop='1.3' record='a.out b.out a/integral/x b/integral/x'/>",
              4, x);
  for (guint k = 0; k <= 12; k++) {
    double e = 1.5 - 2 * (0.05 + 0.1 * k), u = 0.5 * e + back;
    out[0] = fmin(fmax(0.5 * e + clamped, -0.4), 0.6);
    out[1] = fmin(fmax(u, -0.4), 0.6);
    if (k < 12) { /* the last one says what the samples before it have left */
      clamped = fmin(fmax(clamped + 0.1 * 2 * e, -0.4), 0.6);
      back += 0.1 * (2 * e + 4 * (out[1] - u));
    }
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, out[0], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, out[1], x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, clamped, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, back, x[3]);
}

/* Out of the limit while the error is still above 0: nothing may go to and fro there. */
static void test_a_loop_leaves_its_limit_without_chatter(void)
{
  double x[2], y[2] = {0};
  for (guint k = 0; k < 2; k++) {
    g_autofree char *body =
        g_strdup_printf("<%s name='c' in='3 - y' kp='1' ki='2' lower='-1' upper='1.5'/>"
                        "<integrator name='y' in='c.out - y/2'/>"
                        "<experiment stop='5' " FINE " record='y c.out'/>",
                        k == 0 ? "block type='control.pi'" : "pi");
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    HyTotals totals;
    hy_sim_totals(hy_run_sim(run), &totals);
    TEST_ASSERT_LESS_THAN_UINT64(10000, totals.cycles);
    library_end(body, 2, x);
    rk4(limited_loop, 2, (memset(y, 0, sizeof y), y), 1e-4, 50000);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, y[0], x[0]);
  }
}

/* At its limit from the start, with an error that touches 0 there and is below it for 14 ns: x is
 * not where its polynomial was by 1e-18, and time has to go on. e = a t^2 - y, y = c (1 - e^(-b
 * t)), and x is the integral of ki e. */
static void test_at_rest_at_its_limit_it_does_not_chatter(void)
{
  const double a = 36e6, b = 3000, c = 0.5 / b, t = 2e-4;
  const double wanted[2] = {2 * (a * t * t - c * (1 - exp(-b * t))),
                            4000 * (a * t * t * t / 3 - c * (t - (1 - exp(-b * t)) / b))};
  for (guint k = 0; k < 2; k++) {
    g_autofree char *body = g_strdup_printf(
        "<%s name='s' in='36e6*t^2 - y' kp='2' ki='4000' lower='0' upper='10'/>"
        "<integrator name='y' in='0.5 - 3000*y' x0='-8e-12' method='qss3'/>"
        "<experiment stop='2e-4' method='rkf45' dqrel='1e-6' dqmin='1e-7' record='s.out'/>",
        k == 0 ? "block type='control.pi'" : "pi");
    g_autoptr(HyLoaded) loaded = library_load(body);
    for (HyEngine e = HY_TREE; e <= HY_FUSED; e++) {
      g_autoptr(GError) error = NULL;
      HyRunSettings settings = HY_RUN_SETTINGS;
      settings.engine = hy_engine_name(e);
      g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
      gboolean goes = hy_sim_init(hy_run_sim(run), 0, &error);
      guint steps = 0;
      while (goes && steps < 10000 && hy_sim_step(hy_run_sim(run), t, &goes, &error)) {
        steps++;
      }
      TEST_ASSERT_TRUE(!goes && error == NULL);
    }
    double out;
    library_end(body, 1, &out);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, wanted[0] + wanted[1], out);
  }
}

/* A ramp: kp t + ki t^2/2 + kd (1 - e^(-t/filter)). And a loop with an inertia, not limited. */
static void test_a_pid_by_its_closed_forms(void)
{
  double x[2], wanted[2], t = 0.3;
  library_end("<block type='control.pid' name='c' in='t' kp='2' ki='3' kd='0.4' filter='50m'/>"
              "<block type='control.pid' name='d' in='1 - y' kp='2' ki='3' kd='0' lower='-9' "
              "upper='9'/>"
              "<integrator name='y' in='d.out - y'/>"
              "<experiment stop='0.3' " FINE " record='c.out y'/>",
              2, x);
  const double a[2][2] = {{-3, 1}, {-3, 0}};
  plane(a, (double[]){2, 3}, (double[]){0, 0}, t, wanted);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 2 * t + 1.5 * t * t + 0.4 * (1 - exp(-t / 50e-3)), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, wanted[0], x[1]);
}

/* Current and power -------------------------------------------------------------------------------
 */

/* Up by 3 a second, down by 1: 5.5 at 11/6 s, then a triangle of 4/3 s, between 4.5 and 5.5. */
static void test_a_hysteresis_keeps_a_current_in_its_band(void)
{
  double x[2], t = 10, fall = fmod(t - 11 / 6.0, 4 / 3.0);
  library_end("<block type='control.hysteresis_current' name='h' wanted='5' i='i' band='1'/>"
              "<integrator name='i' in='if(h.gate &gt; 0.5, 3, -1)'/>"
              "<experiment stop='10' " FINE " record='i.x h.gate'/>",
              2, x);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, fall < 1 ? 5.5 - fall : 4.5 + 3 * (fall - 1), x[0]);
  TEST_ASSERT_EQUAL_DOUBLE(fall < 1 ? 0 : 1, x[1]);
}

/* Up by UP, down by DOWN, a period of 1: from one period to the next. */
static void check_peak(double up, double down, double slope, double most, double start,
                       double phase)
{
  double x[1], i = start - phase * down;
  g_autofree char *body = g_strdup_printf(
      "<block type='control.peak_current' name='p' wanted='5' i='i' period='1' phase='%g' "
      "slope='%g' most='%g'/>"
      "<integrator name='i' x0='%g' in='if(p.gate &gt; 0.5, %g, -%g)'/>"
      "<experiment stop='%g' " FINE " record='i.x'/>",
      phase, slope, most, start, up, down, 7 + phase);
  library_end(body, 1, x);
  for (guint k = 0; k < 7; k++) {
    double duty = fmin(fmax((5 - i) / (up + slope), 0), most);
    i += up * duty - down * (1 - duty);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, i, x[0]);
}

static void test_peak_current_mode_from_period_to_period(void)
{
  check_peak(3, 1, 0.5, 0.9, 3, 0);
  check_peak(3, 1, 0, 1, 3, 0);
  check_peak(1, 3, 0, 1, 4.1, 0);     /* above half: errors grow threefold and turn */
  check_peak(1, 3, 1.5, 1, 4.1, 0);   /* die at once */
  check_peak(1, 0.5, 0, 0.25, -2, 0); /* at the largest duty */
  check_peak(3, 1, 0.5, 0.9, 7, 0);   /* begins above the peak */
  check_peak(3, 1, 0.5, 0.9, 3, 0.3);
}

/* A panel behind a lag of 20 ms, 5 samples a time constant apart; the rules as a program. */
static double panel(double v)
{
  return 5 * (1 - exp((v - 40) / 3));
}

static void check_mppt(const char *rule, double hold)
{
  double x[1], ref = 20, v = 20, v0 = 0, i0 = 0;
  g_autofree char *body = g_strdup_printf(
      "<integrator name='v' in='(m.ref - v)/20m' x0='20'/>"
      "<function name='i' formula='5*(1 - exp((v - 40)/3))'/>"
      "<block type='control.mppt' name='m' rule='%s' period='0.1' step='0.5' initial='20' v='v' "
      "i='i' hold='%g' upper='32.6'/>"
      "<experiment stop='4.05' " FINE " record='m.ref'/>",
      rule, hold);
  library_end(body, 1, x);
  for (guint k = 0; k <= 40; k++) {
    double i = panel(v), dv = v - v0, slope = fabs(dv) > 0.05 ? (i - i0) / dv + i / v : (i - i0);
    double part = fabs(dv) > 0.05 ? i / v : i;
    gboolean up = rule[0] == 'p' ? (v * i - v0 * i0) * dv > 0 : slope > hold * part;
    gboolean down = rule[0] == 'p' ? !up : -slope > hold * part;
    ref = fmin(ref + (up - down) * 0.5, 32.6);
    v0 = v;
    i0 = i;
    v = ref + (v - ref) * exp(-5);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, ref, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1, 32.1, x[0]); /* the top is at 32.3 V */
}

/* The peak comes from a regulator: 5 + (2 - x) and next to nothing of the integral, x being 1. A
 * current of 1 A is below it and rises by 2 A a period of 10 us, one of 8 A is above and falls by 1
 * A. So it is from the first period on, in whatever order blocks are stated. */
static void test_the_first_period_of_a_peak_below_a_regulator(void)
{
  static const char *const part[] = {
      "<block type='control.pi' name='p' in='2 - x' kp='1' ki='1' initial='5'/>",
      "<block type='control.peak_current' name='g' wanted='p.out' i='i' period='10u'/>",
      "<integrator name='i' x0='%s' in='if(g.gate > 0.5, 200k, -100k)'/>",
      "<integrator name='x' x0='1' in='0*x'/>"};
  static const guint order[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 2, 0, 3}, {2, 3, 0, 1}};
  static const char *const methods[] = {"auto", "qss2", "block_liqss2", "cvode_bdf"};
  for (guint k = 0; k < 2 * G_N_ELEMENTS(order) * G_N_ELEMENTS(methods); k++) {
    const guint *o = order[k / 2 % G_N_ELEMENTS(order)];
    g_autofree char *form = g_strconcat(part[o[0]], part[o[1]], part[o[2]], part[o[3]], NULL);
    g_auto(GStrv) ends = g_strsplit(form, "%s", 2);
    g_autofree char *body =
        g_strdup_printf("%s%s%s<experiment stop='19.9u' method='%s' record='i'/>", ends[0],
                        k % 2 == 0 ? "1" : "8", ends[1], methods[k / 2 / G_N_ELEMENTS(order)]);
    double i;
    library_end(body, 1, &i);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, k % 2 == 0 ? 4.98 : 6.01, i, body);
  }
}

static void test_trackers_find_the_top(void)
{
  check_mppt("perturb", 0.02);
  check_mppt("conductance", 0.02);
  check_mppt("conductance", 0.4);
}

/* Linear systems ----------------------------------------------------------------------------------
 */

/* (s + 4)/((s + 1)(s + 2)(s + 3)) and (2 s^2 + 1)/(s^2 + 3 s + 2), all coefficients twice. */
static void test_steps_of_transfer_functions(void)
{
  double x[3], t = 0.8;
  library_end("<block type='control.transfer' name='a' num='2, 8' den='2, 12, 22, 12' in='1'/>"
              "<block type='control.transfer' name='b' num='4, 0, 2' den='2, 6, 4' in='1'/>"
              "<block type='control.transfer' name='c' num='3' den='0.5, 1' in='1'/>"
              "<experiment stop='0.8' " FINE " record='a b c'/>",
              3, x);
  double a = 4 / 6.0 - 3 / 2.0 * exp(-t) + exp(-2 * t) - 1 / 6.0 * exp(-3 * t);
  double b = 0.5 - 3 * exp(-t) + 4.5 * exp(-2 * t);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, a, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, b, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 3 * (1 - exp(-2 * t)), x[2]);
}

static void test_state_spaces_continuous_and_sampled(void)
{
  double x[4], z[2] = {1, -1}, wanted[2], input = 0;
  library_end("<block type='control.state_space' name='c' n='2' p='2' A='-1, 2, -3, -0.5' "
              "B='1, 0, 2, 3' C='1, 1, 0, 2' D='0, 0, 1, 5' x0='1, -1' u='2, 3'/>"
              "<block type='control.state_space' name='d' n='2' p='2' A='0.3, 0.2, -0.3, 0.5' "
              "B='1, 0, 2, 3' C='1, 1, 0, 2' D='0, 0, 1, 5' x0='1, -1' u='t, 3' period='0.1'/>"
              "<experiment stop='0.75' " FINE " record='c.y[*] d.y[*]'/>",
              4, x);
  const double a[2][2] = {{-1, 2}, {-3, -0.5}};
  plane(a, (double[]){2, 2 * 2 + 3 * 3}, (double[]){1, -1}, 0.75, wanted);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, wanted[0] + wanted[1], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 2 * wanted[1] + 2 + 15, x[1]);
  for (guint k = 0; k < 8; k++) {
    double y[2] = {z[0] + z[1], 2 * z[1] + (input = k * 0.1) + 15};
    memcpy(wanted, y, sizeof y);
    double next = 0.3 * z[0] + 0.2 * z[1] + input;
    z[1] = -0.3 * z[0] + 0.5 * z[1] + 2 * input + 9;
    z[0] = next;
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, wanted[0], x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, wanted[1], x[3]);
}

/* A sine of twice the frequency, when all else has died: Im(H e^(j w t)). */
static void test_filters_at_twice_their_frequency(void)
{
  double x[6], r = 2, Q = 3;
  library_end(
      "<block type='control.first_order' name='a' frequency='10' in='sin(40*pi*t)'/>"
      "<block type='control.first_order' name='b' pass='high' frequency='10' "
      "in='sin(40*pi*t)'/>"
      "<block type='control.second_order' name='c' Q='3' frequency='10' in='sin(40*pi*t)'/>"
      "<block type='control.second_order' name='d' Q='3' pass='high' frequency='10' "
      "in='sin(40*pi*t)'/>"
      "<block type='control.second_order' name='e' Q='3' pass='band' frequency='10' "
      "in='sin(40*pi*t)'/>"
      "<block type='control.second_order' name='f' Q='3' pass='notch' frequency='10' "
      "in='sin(40*pi*t)'/>"
      "<experiment stop='1.31' method='qss3' dqrel='1e-6' dqmin='1e-7' record='a b c d e f'/>",
      6, x);
  complex double s = CMPLX(0, r), first = 1 + s, second = 1 + s / Q + s * s;
  complex double wanted[] = {1 / first,      s / first,      1 / second,
                             s * s / second, s / Q / second, (1 + s * s) / second};
  for (guint k = 0; k < 6; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, cimag(wanted[k] * cexp(CMPLX(0, 40 * G_PI * 1.31))), x[k]);
  }
}

static void test_a_soft_start_fades_in(void)
{
  double x[3];
  library_end("<block type='control.soft_start' name='a' start='1' duration='4' in='5'/>"
              "<block type='control.soft_start' name='b' start='1' duration='4' in='5' "
              "shape='smooth'/>"
              "<block type='control.soft_start' name='c' duration='0.5' in='t' shape='smooth'/>"
              "<experiment stop='2' " FINE " record='a b c'/>",
              3, x);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 5 * 0.25, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 5 * 0.0625 * 2.5, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(NEAR, 2, x[2]);
}

/* Modulators --------------------------------------------------------------------------------------
 */

/* duty = 0.1 + 40 t, 10 periods of 1 ms: what is on, by how the duty is sampled. */
static double on_time(const char *carrier, const char *sampling, double phase)
{
  double x[1];
  g_autofree char *body = g_strdup_printf(
      "<block type='control.pwm' name='p' period='1m' phase='%g' carrier='%s' sampling='%s' "
      "duty='0.1 + 40*t'/><integrator name='on' in='p.gate'/>"
      "<experiment stop='10m' method='qss3' dqmin='1e-9' record='on.x'/>",
      phase, carrier, sampling);
  library_end(body, 1, x);
  return x[0];
}

static void test_pulses_are_as_wide_as_their_samples(void)
{
  double once = 0, twice = 0, natural = 0, late = 0;
  for (guint k = 0; k < 10; k++) {
    once += 1e-3 * (0.1 + 0.04 * k);
    twice += 1e-3 * (0.1 + 0.04 * (k + 0.25));
    natural += 1e-3 * (0.1 + 0.04 * k) / (1 - 0.04); /* duty meets the carrier */
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, once, on_time("sawtooth", "once", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, once, on_time("triangle", "once", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, twice, on_time("triangle", "twice", 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, natural, on_time("sawtooth", "natural", 0));
  /* carriers begin at 0.3 + k ms; of the period of t = 0, which has 0.3 ms to go, the duty is 0.1
   * and the pulse is over */
  for (guint k = 0; k < 10; k++) {
    double d = 0.1 + 0.04 * (k + 0.3);
    late += 1e-3 * (k < 9 ? d : fmin(d, 0.7));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, late, on_time("sawtooth", "once", 0.3e-3));
}

/* Of N gates as many are on as N times the duty says, one more or less; and all are equal. */
static void test_interleaved_gates_share_a_period(void)
{
  g_autoptr(HyLoaded) loaded = library_load(
      "<block type='control.interleaved' name='p' N='5' period='1m' duty='0.5'/>"
      "<integrator name='on' in='p.gate[4]'/><function name='sum' formula='sum(p.gate[*])'/>"
      "<experiment stop='6m' method='qss3' dqmin='1e-9'>"
      "<record path='sum on.x' grid='50u'/></experiment>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *r = hy_run_table(run, 0);
  guint more = 0;
  for (guint64 row = 1; row + 1 < hy_recorder_rows(r); row += 2) { /* between the edges */
    double sum = hy_recorder_value(r, row, 0);
    TEST_ASSERT_TRUE(sum == 2 || sum == 3);
    more += sum == 3;
  }
  TEST_ASSERT_EQUAL_UINT(30, more);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3e-3, hy_recorder_value(r, hy_recorder_rows(r) - 1, 1));
}

/* What N levels say at an instant, part AT of a period, and their mean over 3. */
static void check_levels(const char *carriers, guint n, double m, double at, double wanted)
{
  double x[2];
  g_autofree char *body = g_strdup_printf(
      "<block type='control.multilevel' name='p' N='%u' period='1m' m='%g' carriers='%s'/>"
      "<integrator name='mean' in='p.level/3m'/><sample_hold name='s' in='p.level' period='1m' "
      "start='%gm'/>"
      "<experiment stop='3m' method='qss3' dqmin='1e-9' record='s mean.x'/>",
      n, m, carriers, at);
  library_end(body, 2, x);
  TEST_ASSERT_EQUAL_DOUBLE(wanted, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, (m + 1) / 2 * (n - 1), x[1]);
}

static void test_levels_follow_their_carriers(void)
{
  static const char *const all[] = {"in_phase", "opposite", "alternate"};
  for (guint k = 0; k < 3; k++) { /* three levels: "opposite" turns cell 1, "alternate" cell 2 */
    check_levels(all[k], 3, 0.5, 0.1, k == 2 ? 1 : 2);
    check_levels(all[k], 3, 0.5, 0.5, k == 2 ? 2 : 1);
    check_levels(all[k], 3, -0.5, 0.1, k == 1 ? 0 : 1);
    check_levels(all[k], 3, -0.5, 0.5, k == 1 ? 1 : 0);
  }
  /* five: cells 1 and 2 are turned, or 2 and 4 */
  check_levels("opposite", 5, -0.25, 0.1, 1); /* cell 2 has 0.5 */
  check_levels("alternate", 5, 0.75, 0.1, 3); /* cell 4 */
  check_levels("opposite", 5, 0.75, 0.1, 4);
  check_levels("shifted", 3, 0.25, 0.05, 1); /* 0.625 around 0, and around half a period */
  check_levels("shifted", 3, 0.25, 0.25, 2);
  check_levels("shifted", 5, 0.75, 0.05, 3); /* 0.875, four of them */
  check_levels("shifted", 5, 0.75, 0.12, 4);
}

/* Dwell times of the textbooks: in sector s, at an angle w from its begin, the vector before has
 * t1 = sqrt(3) V/dc sin(60 - w), the one behind t2 = sqrt(3) V/dc sin(w). */
static void test_duties_are_the_dwell_times_of_space_vectors(void)
{
  static const guint upper[6] = {1, 3, 2, 6, 4, 5}; /* bit n: leg n + 1, of vector 1 ... 6 */
  for (guint k = 0; k < 12; k++) {
    double x[10], angle = (k + 0.37) * G_PI / 6, V = 300, dc = 600;
    guint s = k / 2, behind = (s + 1) % 6;
    double w = angle - s * G_PI / 3, share = k % 3 / 2.0;
    double t1 = sqrt(3) * V / dc * sin(G_PI / 3 - w), t2 = sqrt(3) * V / dc * sin(w);
    g_autofree char *body = g_strdup_printf(
        "<block type='control.svm' name='v' alpha='%.17g' beta='%.17g' dc='%g' share='%g'/>"
        "<block type='control.min_max' name='m' u='%.17g, %.17g, %.17g' dc='%g' share='%g'/>"
        "<experiment stop='1' record='v.duty[*] v.sector m.duty[*]'/>",
        V * cos(angle), V * sin(angle), dc, share, V * cos(angle) + 11,
        V * cos(angle - 2 * G_PI / 3) + 11, V * cos(angle + 2 * G_PI / 3) + 11, dc, share);
    library_end(body, 7, x);
    for (guint n = 0; n < 3; n++) {
      double wanted =
          share * (1 - t1 - t2) + (upper[s] >> n & 1) * t1 + (upper[behind] >> n & 1) * t2;
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted, x[n]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted, x[4 + n]);
    }
    TEST_ASSERT_EQUAL_DOUBLE(s + 1, x[3]);
  }
}

/* On for 10, off for 2 (too short for the lower switch), on for 5, off for 10, on for 2 (too short
 * for the upper one), off. */
static void test_dead_time_keeps_both_off(void)
{
  g_autoptr(HyLoaded) loaded =
      library_load("<pulse name='a' start='5' end='15'/><pulse name='b' start='17' end='22'/>"
                   "<pulse name='c' start='32' end='34'/>"
                   "<block type='control.dead_time' name='d' gate='a + b + c' time='3'/>"
                   "<experiment stop='50' record='d.high d.low'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *r = hy_run_table(run, 0);
  static const double at[] = {0, 3, 5, 8, 15, 20, 22, 25, 32, 37},
                      high[] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0},
                      low[] = {0, 1, 0, 0, 0, 0, 0, 1, 0, 1};
  for (guint k = 0; k < G_N_ELEMENTS(at); k++) {
    guint64 row = 0;
    while (row + 1 < hy_recorder_rows(r) && hy_recorder_time(r, row + 1) <= at[k]) {
      row++;
    }
    TEST_ASSERT_EQUAL_DOUBLE(at[k], hy_recorder_time(r, row));
    TEST_ASSERT_EQUAL_DOUBLE(high[k], hy_recorder_value(r, row, 0));
    TEST_ASSERT_EQUAL_DOUBLE(low[k], hy_recorder_value(r, row, 1));
  }
}

/* Transformations ---------------------------------------------------------------------------------
 */

static void test_transformations_there_and_back(void)
{
  double x[13], angle = 0.7, turn = 2 * G_PI / 3;
  library_end(
      "<block type='control.from_dq' name='u' d='3' q='4' angle='0.7'/>"
      "<function name='v' count='3' formula='u.u[i] + 5'/>"
      "<block type='control.clarke' name='c' u='v[*]'/>"
      "<block type='control.clarke_back' name='b' alpha='c.alpha' beta='c.beta' zero='c.zero'/>"
      "<block type='control.to_dq' name='d' u='v[*]' angle='0.7'/>"
      "<block type='control.park' name='p' alpha='c.alpha' beta='c.beta' angle='0.7'/>"
      "<experiment stop='1' record='v[*] c.alpha c.beta c.zero b.u[*] d.d d.q p.d p.q'/>",
      13, x);
  for (guint n = 0; n < 3; n++) {
    double u = 5 + 3 * cos(angle - n * turn) - 4 * sin(angle - n * turn);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, u, x[n]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, u, x[6 + n]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3 * cos(angle) - 4 * sin(angle), x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3 * sin(angle) + 4 * cos(angle), x[4]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5, x[5]);
  for (guint k = 0; k < 4; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, k % 2 == 0 ? 3 : 4, x[9 + k]);
  }
}

/* The angle by which the grid is ahead, and the integral part: d' = wg - w0 - x - kp sin(d). */
static void locking(double t, const double *x, double *dx)
{
  (void)t;
  dx[0] = 2 * G_PI * (52 - 50) - x[1] - 180 * sin(x[0]);
  dx[1] = 180 * 180 / 2.0 * sin(x[0]);
}

static void test_a_pll_locks_as_its_equations_say(void)
{
  double x[5], y[2] = {0.8, 0};
  library_end("<function name='u' count='3' formula='325*cos(2*pi*52*t + 0.8 - (i - 1)*2*pi/3)'/>"
              "<block type='control.pll' name='p' u='u[*]' amplitude='325'/>"
              "<function name='f' formula='p.f - 50'/>"
              "<experiment stop='20m' method='qss3' dqrel='1e-7' dqmin='1e-8' record='p.angle f "
              "p.d p.q p.w'/>",
              5, x);
  rk4(locking, 2, y, 1e-6, 20000);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 2 * G_PI * 52 * 20e-3 + 0.8 - y[0], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, y[1] / 2 / G_PI, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 325 * cos(y[0]), x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 325 * sin(y[0]), x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 2 * G_PI * 50 + y[1] + 180 * sin(y[0]), x[4]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_clamping_holds_the_integral_within_the_limits);
  RUN_TEST(test_back_calculation_and_tracking_are_exponential);
  RUN_TEST(test_a_sampled_pi_from_sample_to_sample);
  RUN_TEST(test_a_loop_leaves_its_limit_without_chatter);
  RUN_TEST(test_at_rest_at_its_limit_it_does_not_chatter);
  RUN_TEST(test_a_pid_by_its_closed_forms);
  RUN_TEST(test_a_hysteresis_keeps_a_current_in_its_band);
  RUN_TEST(test_peak_current_mode_from_period_to_period);
  RUN_TEST(test_the_first_period_of_a_peak_below_a_regulator);
  RUN_TEST(test_trackers_find_the_top);
  RUN_TEST(test_steps_of_transfer_functions);
  RUN_TEST(test_state_spaces_continuous_and_sampled);
  RUN_TEST(test_filters_at_twice_their_frequency);
  RUN_TEST(test_a_soft_start_fades_in);
  RUN_TEST(test_pulses_are_as_wide_as_their_samples);
  RUN_TEST(test_interleaved_gates_share_a_period);
  RUN_TEST(test_levels_follow_their_carriers);
  RUN_TEST(test_duties_are_the_dwell_times_of_space_vectors);
  RUN_TEST(test_dead_time_keeps_both_off);
  RUN_TEST(test_transformations_there_and_back);
  RUN_TEST(test_a_pll_locks_as_its_equations_say);
  return UNITY_END();
}
