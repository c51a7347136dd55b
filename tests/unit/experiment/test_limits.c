/* What is limited, beside the same formula evaluated plainly: min, max, limit() and what if() makes
 * of them, outermost and within, and the types of the libraries that say such. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define W (2 * G_PI * 50)

static double between(double v, double lower, double upper)
{
  return v < lower ? lower : v > upper ? upper : v;
}

static double half_wave(double t)
{
  return fmax(-sin(W * t), 0);
}

static double duty_wave(double t)
{
  return 0.8 * fmax(-sin(W * t), 0);
}

static double capped(double t)
{
  return between(1.3 * cos(W * t), -1, 1);
}

static double cut(double t)
{
  return fmin(0.2, exp(-100 * t));
}

static double inner(double t)
{
  return t > 0.007 ? -2 * sin(W * t) : fmax(1 - 100 * t, 0.5);
}

static double jumped(double t)
{
  return sin(W * t) > 0.5 ? 5 : fmin(1000 * (t - 0.002), 1);
}

static double nested(double t)
{
  return fmin(fmax(sin(W * t), -0.5), 0.7) + fmax(cos(W * t), 0);
}

static double two_ways(double t)
{
  double v = 1.5 * sin(W * t);
  return t > 0.01 ? fmax(v, -1) : fmin(v, 1);
}

static double leg_of(double t, guint n)
{
  double u[3], most = -INFINITY, least = INFINITY;
  for (guint k = 0; k < 3; k++) {
    u[k] = 400 * cos(W * t - k * 2 * G_PI / 3);
    most = fmax(most, u[k]);
    least = fmin(least, u[k]);
  }
  return between((u[n] - least) / 600 + 0.5 * (1 - (most - least) / 600), 0, 1);
}

static double first_leg(double t)
{
  return leg_of(t, 0);
}

static double third_leg(double t)
{
  return leg_of(t, 2);
}

/* Of four levels: cell n of three takes its third of -1 .. 1, or all take all of it. */
static double lowest_cell(double t)
{
  return between(1.5 * (1.3 * sin(W * t) + 1), 0, 1);
}

static double middle_cell(double t)
{
  return between(1.5 * (1.3 * sin(W * t) + 1) - 1, 0, 1);
}

static double highest_cell(double t)
{
  return between(1.5 * (1.3 * sin(W * t) + 1) - 2, 0, 1);
}

static double each_cell(double t)
{
  return between((1.3 * sin(W * t) + 1) / 2, 0, 1);
}

/* power.cell: its duty, and that times the current, where both current and voltage change sign. */
static double cell_duty(double t)
{
  double g = 0.5 + 0.1 * cos(3 * W * t), v = g * g * fmax(6 + 8 * sin(W * t), 0);
  return fmax(g, v / (v + 4 * fmax(-2 * sin(W * t), 0) + 1e-9));
}

static double cell_current(double t)
{
  return cell_duty(t) * -2 * sin(W * t);
}

/* Formulas whose comparisons touch their level, or turn together with others. */
static double rectified(double t)
{
  return fabs(sin(100 * G_PI * t));
}

static double squared(double t)
{
  return sin(600 * t) * sin(600 * t);
}

static double at_once(double t)
{
  double s = 100 * t;
  return fmax(fmin(cos(2 * G_PI * s), s), 1 - (s > 1 ? 2 : s * s - 1));
}

#define MULTILEVEL(carriers)                                                                       \
  "<block name='d' type='control.multilevel' N='4' period='1m' m='1.3*sin(w*t)' "                  \
  "carriers='" carriers "'/>"
#define CELL                                                                                       \
  "<circuit name='c' g='0.5 + 0.1*cos(3*w*t)' i='-2*sin(w*t)' u='6 + 8*sin(w*t)'>"                 \
  "<in name='g'/><in name='i'/><in name='u'/><voltage name='U' nodes='p 0' value='24'/>"           \
  "<block name='cell' type='power.cell' s1='p' s2='0' d1='q' d2='0' gate='g' I='i' V='u' VC='u' "  \
  "L='100u' f='20k' fidelity='averaged'/><resistor name='R' nodes='q 0' R='1'/>"                   \
  "<out name='y' from='cell.iS'/></circuit>"

static const struct {
  const char *body, *path;
  double (*wanted)(double t);
  double lower, upper; /* never beyond */
} cases[] = {
    {"<function name='d' formula='max(-sin(w*t), 0)'/>", "d", half_wave, 0, 2},
    {"<function name='d' formula='max(0, -sin(w*t))'/>", "d", half_wave, 0, 2},
    {"<function name='d' formula='0.8*max(-sin(w*t), 0)'/>", "d", duty_wave, -1e-9, 2},
    {"<function name='d' formula='if(0 > -sin(w*t), 0, -sin(w*t))'/>", "d", half_wave, 0, 2},
    {"<function name='d' formula='limit(1.3*cos(w*t), -1, 1)'/>", "d", capped, -1, 1},
    {"<saturation name='d' in='1.3*cos(w*t)' lower='-1' upper='1'/>", "d", capped, -1, 1},
    {"<function name='d' formula='min(0.2, exp(-100*t) + 0*w)'/>", "d", cut, 0, 0.2},
    {"<function name='d' formula='if(t > 7m, -2*sin(w*t), max(1 - 100*t, 0.5))'/>", "d", inner, -3,
     3},
    {"<function name='d' formula='if(sin(w*t) > 0.5, 5, min(1k*(t - 2m), 1))'/>", "d", jumped, -3,
     5},
    {"<function name='d' formula='min(max(sin(w*t), -0.5), 0.7) + max(cos(w*t), 0)'/>", "d", nested,
     -1, 3},
    {"<function name='d' formula='if(t > 10m, max(1.5*sin(w*t), -1), min(1.5*sin(w*t), 1))'/>", "d",
     two_ways, -1, 2},
    {"<block name='d' type='pi' kp='1' ki='0' lower='-1' upper='1' in='1.3*cos(w*t)'/>", "d.out",
     capped, -1, 1},
    {"<block name='d' type='pid' kp='1' ki='0' kd='0' lower='-1' upper='1' in='1.3*cos(w*t)'/>",
     "d.out", capped, -1, 1},
    {"<block name='d' type='control.pi' kp='1' ki='0' lower='-1' upper='1' in='1.3*cos(w*t)'/>",
     "d.out", capped, -1, 1},
    {"<block name='d' type='control.pid' kp='1' ki='0' kd='0' lower='-1' upper='1' "
     "in='1.3*cos(w*t)'/>",
     "d.out", capped, -1, 1},
    {"<block name='d' type='control.min_max' u='400*cos(w*t), 400*cos(w*t - 2*pi/3), "
     "400*cos(w*t - 4*pi/3)' dc='600'/>",
     "d.duty[1]", first_leg, 0, 1},
    {MULTILEVEL("opposite"), "d/cell[1].duty", lowest_cell, 0, 1},
    {MULTILEVEL("in_phase"), "d/cell[2].duty", middle_cell, 0, 1},
    {MULTILEVEL("alternate"), "d/cell[3].duty", highest_cell, 0, 1},
    {MULTILEVEL("shifted"), "d/cell[2].duty", each_cell, 0, 1},
    {CELL, "c/cell/d", cell_duty, 0, 1.1},
    {CELL, "c.y", cell_current, -2.1, 2.1},
    {"<function name='d' formula='abs(sin(600*t)*sin(600*t)) + 0*w'/>", "d", squared, -0.1, 2},
    {"<function name='d' formula='abs(sin(w*t))'/>", "d", rectified, 0, 1.1},
    {"<function name='d' formula='max(min(cos(2*w*t), 100*t), 1 - if(1e4*t*t > 1, 2, 1e4*t*t - "
     "1))'/>",
     "d", at_once, -2, 3},
    {"<block name='d' type='control.svm' alpha='400*cos(w*t)' beta='400*sin(w*t)' dc='600'/>",
     "d.duty[3]", third_leg, 0, 1},
};

/* Where a formula jumps, the instant is known as well as what decides it. */
static gboolean is_near_a_jump(guint k, double t)
{
  double near = 1e-4;
  return (cases[k].wanted == inner || cases[k].wanted == jumped || cases[k].wanted == two_ways) &&
         fabs(cases[k].wanted(t + near) - cases[k].wanted(t - near)) > 0.5;
}

static void check_case(guint k, const char *method, double tolerance)
{
  g_autofree char *body = g_strdup_printf(
      "<param name='w' value='2*pi*50'/>%s<integrator name='x' in='-x'/>"
      "<experiment stop='25m' record='%s' grid='20u' method='%s' dqrel='%g' dqmin='%g'/>",
      cases[k].body, cases[k].path, method, tolerance, tolerance);
  g_autoptr(HyLoaded) loaded = library_load(body);
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
    double t = hy_recorder_time(table, row), is = hy_recorder_value(table, row, 0);
    TEST_ASSERT_TRUE_MESSAGE(is >= cases[k].lower && is <= cases[k].upper, body);
    if (!is_near_a_jump(k, t)) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(8 * tolerance, cases[k].wanted(t), is, body);
    }
  }
}

static void test_what_is_limited_is_what_its_formula_says(void)
{
  static const char *const methods[] = {"qss2", "qss3", "cvode_bdf"};
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
      check_case(k, methods[m], 1e-2);
      check_case(k, methods[m], 1e-4);
    }
  }
}

/* h' = 3 - h down to nothing left to gain, then -2: h(1) = 3 (1 - 1/e), h(2) = h(1) - 2. */
static void test_a_limit_of_one_branch_is_none_of_another(void)
{
  static const char *const methods[] = {"qss1",   "qss2",    "qss3",      "liqss1", "liqss2",
                                        "liqss3", "mliqss2", "cvode_bdf", "rkf45",  "auto"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double h[1];
    g_autofree char *body =
        g_strdup_printf("<integrator name='h' in='if(t > 1, -2, max(3 - h, 0))'/>"
                        "<experiment stop='2' method='%s' record='h' dqrel='1e-4' dqmin='1e-4'/>",
                        methods[m]);
    library_end(body, 1, h);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, 1 - 3 * exp(-1), h[0], methods[m]);
  }
}

/* A jump of w puts abs(w) on its other side, and min(1, ...) beyond in the mode that abs(w) had:
 * that is none of its crossings. And 1 + abs(abs(w)) is 0 until both modes have turned. z' = f - z,
 * f being constant between edges. */
static void test_a_jump_turns_modes_one_after_the_other(void)
{
  static const char *const methods[] = {"qss3", "cvode_bdf", "euler",      "rk4",
                                        "ab3",  "bdf2",      "trapezoidal"};
  double decay = exp(-0.5), z[2];
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autofree char *body = g_strdup_printf(
        "<pulse name='w' start='0.5005' end='2' low='-1' high='2'/>"
        "<pulse name='v' start='0.5005' end='2' low='2' high='-1'/>"
        "<integrator name='x' in='min(1, if(t >= -1, -abs(w), x)) - x'/>"
        "<integrator name='y' in='1/(1 + abs(abs(v))) - y'/>"
        "<experiment stop='1.0005' method='%s' hstep='1m' dqrel='1e-4' dqmin='1e-4' record='x y'/>",
        methods[m]);
    library_end(body, 2, z);
    double before = 1 - exp(-0.5005);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, -before * decay - 2 * (1 - decay), z[0], methods[m]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3, before / 3 * decay + (1 - decay) / 2, z[1], methods[m]);
  }
}

/* Where u gets to the level of both, the outer comparison is found at its level, too, but by then
 * it is one with t: 2 t - 1 < t. z' = 1/2 - z. */
static void test_a_level_that_jumps_away_is_not_reached(void)
{
  static const char *const methods[] = {"qss3",          "cvode_bdf", "cvode_adams", "euler",
                                        "rk4",           "ab4",       "abm4",        "bdf5",
                                        "rk45_doubling", "taylor2"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double z[1];
    g_autofree char *body = g_strdup_printf(
        "<ramp name='u' duration='1' height='2' offset='-1'/>"
        "<integrator name='z' in='if(u >= if(-0.3 > u, -0.3, t), 5, 0.5) - z'/>"
        "<experiment stop='0.9' method='%s' hstep='1m' dqrel='1e-4' dqmin='1e-4' record='z'/>",
        methods[m]);
    library_end(body, 1, z);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, 0.5 * (1 - exp(-0.9)), z[0], methods[m]);
  }
}

/* BQSS by rows hears of a jump before the mode that it turns: z' is still 0 then, and q has gone
 * nowhere. z = 2 (1 - exp(-(t - 0.31))) after w > z. */
static void test_a_level_is_chosen_once_all_modes_are_known(void)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  g_autoptr(HyLoaded) loaded = library_load(
      "<pulse name='w' start='0.31' end='2' low='-1' high='2'/>"
      "<integrator name='z' in='max(z, w) - z'/>"
      "<experiment stop='1' grid='1' method='bqss' dqrel='1e-4' dqmin='1e-4' record='z'/>");
  settings.rows = TRUE;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE(run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2 * (1 - exp(-0.69)),
                            hy_recorder_value(hy_run_table(run, 0), 1, 0));
}

/* v/(1 + |v|) > v where v < 0: at v = 0 it has no slope. f is 1 for half a period. */
static void test_a_crossing_without_a_slope_is_passed(void)
{
  static const char *const methods[] = {"qss2", "qss3", "cvode_bdf", "euler", "rk4", "bdf2"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double z[1];
    g_autofree char *body = g_strdup_printf(
        "<sine name='v' amplitude='1.5' frequency='1.3'/>"
        "<function name='f' formula='if(v/(1 + abs(v)) > v, 1, 0)'/><integrator name='z' in='f'/>"
        "<experiment stop='1' method='%s' hstep='1m' dqrel='2m' dqmin='2m' record='z'/>",
        methods[m]);
    library_end(body, 1, z);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, 0.5 / 1.3, z[0], methods[m]);
  }
}

/* Duties of two legs that take turns, over many of their periods. */
static void test_a_half_wave_is_a_duty(void)
{
  static const char *const duties[] = {"max(0.9*sin(w*t), 0)", "0.9*max(0, sin(w*t))",
                                       "max(-0.9*sin(w*t), 0)", "limit(1.4*sin(w*t), 0, 1)"};
  static const char *const tolerances[] = {"1e-2", "1e-3", "1e-5"};
  for (guint k = 0; k < 12; k++) {
    double area[1];
    g_autofree char *body = g_strdup_printf(
        "<param name='w' value='2*pi*4529.8'/><pwm name='g' period='4.4152u' duty='%s'/>"
        "<integrator name='x' in='g'/>"
        "<experiment stop='10/4529.8' record='x' dqrel='%s' dqmin='1e-9' method='qss2'/>",
        duties[k / 3], tolerances[k % 3]);
    library_end(body, 1, area);
    double s = asin(1 / 1.4),
           mean = k / 3 < 3 ? 0.9 / G_PI : (1.4 * (1 - cos(s)) + G_PI_2 - s) / G_PI;
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.03 * mean, mean, area[0] * 4529.8 / 10, body);
  }
}

/* The integral of limit(a + b sin(x), 0, 1) from FROM to TO, both within -pi/2 .. pi/2; b > 0. */
static double limited_sine(double a, double b, double from, double to)
{
  double x0 = between(asin(between(-a / b, -1, 1)), from, to);
  double x1 = between(asin(between((1 - a) / b, -1, 1)), from, to);
  return a * (x1 - x0) + b * (cos(x0) - cos(x1)) + to - x1;
}

/* Each gate is on for what its limited duty says: after each quarter of a period of m, but for a
 * part of the carrier's. */
static void test_cells_of_a_multilevel_are_on_for_their_duty(void)
{
  static const double quarter[5] = {0, G_PI_2, 0, -G_PI_2, 0};
  static const char *const carriers[] = {"in_phase", "opposite", "alternate", "shifted"};
  static const char *const methods[] = {"qss2", "cvode_bdf"};
  for (guint k = 0; k < 8; k++) {
    g_autofree char *body = g_strdup_printf(
        "<block name='p' type='control.multilevel' N='4' period='20u' m='1.3*sin(2*pi*50*t)' "
        "carriers='%s'/><integrator name='x' count='3' in='p.gate[i]'/>"
        "<experiment stop='20m' grid='5m' record='x[*]' method='%s' dqrel='1e-4' dqmin='1e-9'/>",
        carriers[k / 2], methods[k % 2]);
    g_autoptr(HyLoaded) loaded = library_load(body);
    g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
    const HyRecorder *table = hy_run_table(run, 0);
    for (guint n = 0; n < 3; n++) {
      double a = k / 2 < 3 ? 1.5 - n : 0.5, b = k / 2 < 3 ? 1.95 : 0.65, wanted = 0;
      for (guint q = 1; q < 5; q++) {
        wanted +=
            limited_sine(a, b, fmin(quarter[q - 1], quarter[q]), fmax(quarter[q - 1], quarter[q])) /
            W;
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-6, wanted, hy_recorder_value(table, q, n), body);
      }
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_limited_is_what_its_formula_says);
  RUN_TEST(test_a_limit_of_one_branch_is_none_of_another);
  RUN_TEST(test_a_jump_turns_modes_one_after_the_other);
  RUN_TEST(test_a_level_that_jumps_away_is_not_reached);
  RUN_TEST(test_a_level_is_chosen_once_all_modes_are_known);
  RUN_TEST(test_a_crossing_without_a_slope_is_passed);
  RUN_TEST(test_a_half_wave_is_a_duty);
  RUN_TEST(test_cells_of_a_multilevel_are_on_for_their_duty);
  return UNITY_END();
}
