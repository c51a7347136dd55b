/* Periodic steady states against closed forms, against differences of runs, and against a run by
 * another method. */
#include "plants.h"

static const struct {
  const char *name, *body;
  guint n;
  double h;     /* of differences: so small that the same switches conduct */
  double close; /* rates of 1e10 make more of the rounding in differences */
} plants[] = {
    {"buck", BUCK, 2, 1e-4, 3e-9},       {"buck with a stray coil", BUCK_LS, 3, 1e-4, 3e-9},
    {"boost", BOOST, 2, 1e-4, 3e-9},     {"full bridge", FULL_BRIDGE, 3, 1e-4, 3e-9},
    {"flyback", FLYBACK, 2, 1e-5, 3e-9}, {"LLC", LLC, 4, 1e-4, 1e-8}};

void setUp(void)
{
}

void tearDown(void)
{
}

static HySteady *steady_with(const HyLoaded *loaded, double differences)
{
  HySteadySettings set = HY_STEADY_SETTINGS;
  set.differences = differences;
  return plant_steady(loaded, &set);
}

static void test_a_few_periods_lead_to_rounding(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    g_autoptr(HyLoaded) loaded = plant_load(plants[k].body, "", NULL);
    g_autoptr(HySteady) s = plant_steady(loaded, NULL);
    TEST_ASSERT_TRUE_MESSAGE(hy_steady_is_exact(s), plants[k].name);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(plants[k].n, hy_steady_n(s), plants[k].name);
    TEST_ASSERT_TRUE_MESSAGE(hy_steady_periods(s) <= 8, plants[k].name);
    TEST_ASSERT_TRUE_MESSAGE(hy_steady_residual(s) <= 1e-11, plants[k].name);
  }
}

/* Differences from both sides err like their square; of two sizes that is taken out (L. F.
 * Richardson). Each state in units of its rms. */
static void test_the_monodromy_is_that_of_differences(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    guint n = plants[k].n;
    g_autoptr(HyLoaded) loaded = plant_load(plants[k].body, "", NULL);
    g_autoptr(HySteady) s = plant_steady(loaded, NULL);
    g_autoptr(HySteady) a = steady_with(loaded, plants[k].h);
    g_autoptr(HySteady) b = steady_with(loaded, 0.5 * plants[k].h);
    TEST_ASSERT_FALSE(hy_steady_is_exact(a));
    for (guint i = 0; i < n * n; i++) {
      double unit = hy_steady_rms(s, i % n) / hy_steady_rms(s, i / n);
      double differs = (4.0 * hy_steady_monodromy(b)[i] - hy_steady_monodromy(a)[i]) / 3.0;
      double exact = hy_steady_monodromy(s)[i];
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(plants[k].close, differs * unit, exact * unit,
                                        plants[k].name);
    }
  }
}

/* x' = A x + b for TAU, by Taylor's series in short steps. */
static void move(double a[2][2], const double *b, double tau, double *x)
{
  int steps = 64;
  for (int k = 0; k < steps; k++) {
    double term[2] = {x[0], x[1]};
    for (int j = 1; j < 16; j++) {
      double next[2];
      for (int i = 0; i < 2; i++) {
        next[i] = (a[i][0] * term[0] + a[i][1] * term[1] + (j == 1 ? b[i] : 0.0)) * tau / steps / j;
      }
      for (int i = 0; i < 2; i++) {
        term[i] = next[i];
        x[i] += next[i];
      }
    }
  }
}

/* The buck in continuous conduction: one motion while the switch conducts and one while the diode
 * does. Seen from the coil both are a source behind a resistance. */
static void buck_period(double *x)
{
  double parallel = 1.0 / (1.0 / 0.01 + 1.0 / 1e5), C = 100e-6, L = 1e-3;
  double a[2][2] = {{-parallel / L, -1.0 / L}, {1.0 / C, -0.1 / C}};
  double on = 24.0 * 1e5 / (1e5 + 0.01), off = 24.0 * 0.01 / (1e5 + 0.01);
  move(a, (const double[2]){on / L, 0.0}, 35e-6, x);
  move(a, (const double[2]){off / L, 0.0}, 65e-6, x);
}

static void test_a_buck_is_its_discrete_model(void)
{
  g_autoptr(HyLoaded) loaded = plant_load(BUCK, "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  double zero[2] = {0, 0}, columns[2][2] = {{1, 0}, {0, 1}};
  double x[2] = {hy_steady_value(s, 0), hy_steady_value(s, 1)}, was[2] = {x[0], x[1]};
  buck_period(x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, was[0], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, was[1], x[1]);
  buck_period(zero);
  for (int c = 0; c < 2; c++) {
    buck_period(columns[c]);
    for (int i = 0; i < 2; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, columns[c][i] - zero[i], hy_steady_monodromy(s)[2 * i + c]);
    }
  }
}

/* design/circuits.md 5: where a run of 200 periods has come to, confirmed by other tools. */
static void test_a_full_bridge_ends_where_it_was_seen_to_end(void)
{
  g_autoptr(HyLoaded) loaded = plant_load(FULL_BRIDGE, "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, -2.770483, hy_steady_value(s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 24.513919, hy_steady_value(s, 1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 402.964407, hy_steady_value(s, 2));
}

#ifdef HY_SUNDIALS
/* Five periods of CVODE from there lead back. */
static void test_another_method_stays_there(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(plants); k++) {
    g_autoptr(HyLoaded) loaded = plant_load(plants[k].body, "method='cvode_bdf'", NULL);
    g_autoptr(HySteady) s = plant_steady(loaded, NULL);
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.stop = 5 * hy_steady_period(s);
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, NULL);
    hy_run_from_steady(run, s);
    TEST_ASSERT_TRUE_MESSAGE(hy_run_go(run, NULL), plants[k].name);
    double largest = 0.0;
    for (guint i = 0; i < hy_steady_n(s); i++) {
      largest = fmax(largest, fabs(hy_steady_value(s, i)));
    }
    for (guint i = 0; i < hy_steady_n(s); i++) {
      g_autofree char *path = hy_steady_state(s, i);
      guint atomic;
      TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), path, &atomic));
      double x = hy_sim_value(hy_run_sim(run), atomic, settings.stop);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-5 * largest, hy_steady_value(s, i), x, plants[k].name);
    }
  }
}

/* x' = a cos(w t) - x^3: against the classic method of Runge and Kutta in 20,000 steps. */
static void test_what_is_not_linear_is_found_by_differences(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<sine name='s' amplitude='2' frequency='0.5'/><integrator name='x' "
                 "in='s - x*x*x' x0='0.3'/>",
                 "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  TEST_ASSERT_FALSE(hy_steady_is_exact(s));
  double x = hy_steady_value(s, 0), h = 2.0 / 20000;
  for (int k = 0; k < 20000; k++) {
    double t = k * h, f[4], at[4] = {0, 0.5, 0.5, 1};
    for (int j = 0; j < 4; j++) {
      double y = x + (j > 0 ? at[j] * h * f[j - 1] : 0.0);
      f[j] = 2.0 * sin(G_PI * (t + at[j] * h)) - y * y * y;
    }
    x += h / 6.0 * (f[0] + 2.0 * f[1] + 2.0 * f[2] + f[3]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, hy_steady_value(s, 0), x);
}
#endif

/* Peak current: on at the clock, off when iL + mc t reaches 3 A; slopes m1 and -m2. */
#define PEAK                                                                                       \
  "<param name='mc' value='0'/><pwm name='clock' period='10u' duty='0.01'/>"                       \
  "<sawtooth name='saw' frequency='100k'/>"                                                        \
  "<hysteresis name='gate' in='100*clock - iL - mc*10u*saw' lower='-3' upper='50'/>"               \
  "<integrator name='iL' in='(24*gate - 15)/100u'/>"

static void check_peak(const char *set, double mc, gboolean stable)
{
  const char *sets[] = {set, NULL};
  double m1 = 9.0 / 100e-6, m2 = 15.0 / 100e-6, real, imaginary;
  g_autoptr(HyLoaded) loaded = plant_load(PEAK, "", sets);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  g_autofree char *verdict = hy_steady_verdict(s);
  TEST_ASSERT_TRUE(hy_steady_is_exact(s));
  hy_steady_multiplier(s, 0, &real, &imaginary);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -(m2 - mc) / (m1 + mc), real);
  TEST_ASSERT_EQUAL_DOUBLE(0, imaginary);
  /* On for D = m2/(m1 + m2) of the period. */
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.0 - (mc + m1) * 6.25e-6, hy_steady_value(s, 0));
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(verdict, stable ? "stable" : "unstable, period doubl"),
                           verdict);
}

static void test_peak_current_doubles_its_period_without_slope_compensation(void)
{
  check_peak("mc=0", 0.0, FALSE);
  check_peak("mc=20k", 2e4, FALSE);
  check_peak("mc=75k", 7.5e4, TRUE);
  check_peak("mc=150k", 1.5e5, TRUE); /* dead beat */
}

/* A latch that is a block of its own and a comparator before it: differences. */
static void test_a_latch_behind_a_comparator_is_the_same(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<pwm name='clock' period='10u' duty='0.01'/>"
                 "<function name='trip' formula='if(iL &gt; 3, 1, 0)'/>"
                 "<hysteresis name='gate' in='clock - 2*trip' lower='-1' upper='0.5'/>"
                 "<integrator name='iL' in='(24*gate - 15)/100u'/>",
                 "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  double real, imaginary;
  hy_steady_multiplier(s, 0, &real, &imaginary);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -15.0 / 9.0, real);
}

/* A controller whose modulator is a comparison, or a pwm, is known exactly; one that samples is
 * not. */
#define LOOP                                                                                       \
  "<function name='duty' formula='0.2 + 0.05*(5 - uC)'/>"                                          \
  "<integrator name='iL' in='(24*gate - uC)/1m'/><integrator name='uC' in='(iL - uC/10)/100u'/>"

static void test_two_modulators_have_one_monodromy(void)
{
  g_autoptr(HyLoaded) a =
      plant_load("<sawtooth name='saw' frequency='10k'/>"
                 "<function name='gate' formula='if(duty &gt; saw, 1, 0)'/>" LOOP,
                 "", NULL);
  g_autoptr(HyLoaded) b = plant_load("<pwm name='gate' period='100u' duty='duty'/>" LOOP, "", NULL);
  g_autoptr(HySteady) x = plant_steady(a, NULL), y = plant_steady(b, NULL);
  TEST_ASSERT_TRUE(hy_steady_is_exact(x));
  TEST_ASSERT_TRUE(hy_steady_is_exact(y));
  for (guint i = 0; i < 4; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, hy_steady_monodromy(x)[i], hy_steady_monodromy(y)[i]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, hy_steady_value(x, 1), hy_steady_value(y, 1));
}

static void check_by_differences(const char *body, double close)
{
  g_autoptr(HyLoaded) loaded = plant_load(body, "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL), d = steady_with(loaded, 1e-4);
  TEST_ASSERT_TRUE(hy_steady_is_exact(s));
  TEST_ASSERT_FALSE(hy_steady_is_exact(d));
  for (guint i = 0; i < 4; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(close, hy_steady_monodromy(d)[i], hy_steady_monodromy(s)[i]);
  }
}

/* Both edges of a pwm with a triangle move, and through switches that it commands. */
static void test_a_modulator_with_a_triangle_is_that_of_differences(void)
{
  check_by_differences("<function name='duty' formula='0.3 + 0.1*(5 - uC) - 0.05*iL'/>"
                       "<pwm name='gate' period='100u' duty='duty' carrier='triangle' phase='30u'/>"
                       "<switch name='S' control='gate' on='24' off='0'/>"
                       "<integrator name='iL' in='(S - uC)/1m'/>"
                       "<integrator name='uC' in='(iL - uC/10)/100u'/>",
                       1e-5);
}

/* The product of two states turns a hysteresis. */
static void test_a_crossing_that_bends_is_that_of_differences(void)
{
  check_by_differences(
      "<sine name='s' frequency='0.5' amplitude='2'/><integrator name='x' in='v'/>"
      "<integrator name='v' in='1 - 4*x - 0.8*v + s - g'/>"
      "<hysteresis name='g' in='x*(1 + v)' lower='0.1' upper='0.3' low='0' high='1'/>",
      1e-7);
}

/* x is sampled when a period begins and held: x(T) = (e + (1 - e)(-0.5)) x, e = e^-1. */
static void test_a_controller_that_samples_is_known_by_differences(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<square name='s'/><sample_hold name='h' in='x' period='1'/>"
                 "<integrator name='x' in='s - x - 0.5*h'/>",
                 "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  double real, imaginary, e = exp(-1.0);
  TEST_ASSERT_FALSE(hy_steady_is_exact(s));
  hy_steady_multiplier(s, 0, &real, &imaginary);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, e - 0.5 * (1.0 - e), real);
}

/* u' = (s - u)/tau, s a square wave of 0 and 1: a series of Fourier in closed form, and the rms by
 * u = 1 - a e^(-t/tau) and then a e^(-t/tau), a = 1/(1 + e^(-T/2 tau)). */
static void test_means_and_harmonics_of_a_square_behind_a_lag(void)
{
  g_autoptr(HyLoaded) loaded = plant_load("<square name='s' frequency='1'/><integrator name='u' "
                                          "in='(s - u)/0.3'/><function name='p' formula='s*u'/>",
                                          "record='u s p'", NULL);
  HySteadySettings set = HY_STEADY_SETTINGS;
  set.harmonics = 9;
  g_autoptr(HySteady) s = plant_steady(loaded, &set);
  double tau = 0.3, e = exp(-0.5 / tau), a = 1.0 / (1.0 + e), amplitude, phase;
  double rise = 0.5 - 2.0 * a * tau * (1.0 - e), square = a * a * tau / 2.0 * (1.0 - e * e);
  TEST_ASSERT_EQUAL_STRING("u", hy_steady_output(s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5, hy_steady_mean(s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, sqrt(rise + 2.0 * square), hy_steady_rms(s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5 - a * tau * (1.0 - e), hy_steady_mean(s, 2));
  for (guint k = 1; k <= 9; k++) {
    double w = 2.0 * G_PI * k;
    double of_square = k % 2 == 1 ? 2.0 / (G_PI * k) : 0.0;
    TEST_ASSERT_TRUE(hy_steady_harmonic(s, 0, k, &amplitude, &phase));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, of_square / hypot(1.0, w * tau), amplitude);
    if (k % 2 == 1) { /* a sine is a cosine a quarter of a turn later */
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, -G_PI / 2.0 - atan(w * tau), phase);
    }
  }
  TEST_ASSERT_FALSE(hy_steady_harmonic(s, 0, 10, &amplitude, &phase));
}

/* Over a period what is stored comes back: what goes in is what is lost. */
static void test_powers_balance(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load(BUCK "<function name='pin' formula='U*(iL - iD)'/>"
                      "<function name='ps' formula='Rs*(iL - iD)*(iL - iD)'/>"
                      "<function name='pd' formula='Rd*iD*iD'/>"
                      "<function name='po' formula='uC*uC/10'/>",
                 "record='pin ps pd po'", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  double in = hy_steady_mean(s, 0);
  double lost = hy_steady_mean(s, 1) + hy_steady_mean(s, 2) + hy_steady_mean(s, 3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, in, lost);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, 8.39 * 8.39 / 10, in);
}

/* A window begins anew with each lap: it has no part in it, nor has what follows from it. */
static void test_what_windows_measure_is_no_output(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load(BUCK "<window name='w' in='uC' width='100u'/><gain name='g' in='w'/>",
                 "record='w g uC'", NULL);
  g_autoptr(HyLoaded) alone = plant_load(BUCK, "record='uC'", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  g_autoptr(HySteady) t = plant_steady(alone, NULL);
  TEST_ASSERT_TRUE(hy_steady_is_exact(s));
  TEST_ASSERT_EQUAL_UINT(1, hy_steady_n_outputs(s));
  TEST_ASSERT_EQUAL_STRING("uC", hy_steady_output(s, 0));
  TEST_ASSERT_EQUAL_DOUBLE(hy_steady_mean(t, 0), hy_steady_mean(s, 0));
}

static void refused(const char *body, const char *message)
{
  g_autoptr(HyLoaded) loaded = plant_load(body, "", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySteady) s = hy_steady_new(loaded, NULL, &error);
  TEST_ASSERT_NULL(s);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

/* x' = s - x: what a period of s adds at its end is the integral of s(t) exp(t - 1). */
static void test_a_trapezoid_repeats_after_its_parts(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<trapezoid name='s' high='1' rise='0.1' up='0.3' fall='0.1' down='0.5'/>"
                 "<integrator name='x' in='s - x'/>",
                 "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  double rise = (1 - 0.9 * exp(0.1)) / 0.1, up = exp(0.4) - exp(0.1);
  double fall = (exp(0.5) - 1.1 * exp(0.4)) / 0.1;
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1, hy_steady_period(s));
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, (rise + up + fall) * exp(-1) / (1 - exp(-1)),
                            hy_steady_value(s, 0));
}

static void test_what_has_no_steady_state_is_told(void)
{
  refused("<integrator name='x' in='-x'/>",
          "m: no source of this model is periodic (a pwm, square, sine ...), so it has no period; "
          "state --period T if you know one");
  refused("<square name='s'/><step name='f'/><integrator name='x' in='s + f - x'/>",
          "f: step is not periodic, so there is no steady state to look for; state --period T "
          "where it makes no difference");
  refused("<square name='s'/><sine name='w' frequency='0.7853981633974483'/>"
          "<integrator name='x' in='s + w - x'/>",
          "w: its period, 1.2732395447351628 s, and that of s, 1 s, have no common one within "
          "10000 of them; state --period T");
  refused("<square name='s'/><gain name='g' in='s' k='2'/>",
          "m: no block of this model has a continuous state, as an integrator has, so there is "
          "nothing that could come to rest");
  refused("<square name='s'/><integrator name='a' in='s'/><integrator name='x' in='s - x'/>",
          "a: what it has at the start it keeps: a multiplier is 1, so there is no one periodic "
          "state but as many as one likes, or none; let something draw it back, as a resistance "
          "does");
}

static void test_a_controller_that_remembers_is_told(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<square name='s' frequency='10'/><unit_delay name='d' in='x' period='0.1'/>"
                 "<integrator name='x' in='s - 0.3*x - 2*d'/>",
                 "", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySteady) s = hy_steady_new(loaded, NULL, &error);
  TEST_ASSERT_NULL(s);
  TEST_ASSERT_TRUE_MESSAGE(strstr(error->message, "remembers what is no state") != NULL,
                           error->message);
}

/* 100 us and 150 us: 300 us. */
static void test_periods_have_a_common_one(void)
{
  g_autoptr(HyLoaded) loaded =
      plant_load("<pwm name='a' period='100u' duty='0.3'/><pwm name='b' period='150u' duty='0.5'/>"
                 "<sine name='c' frequency='0'/><integrator name='x' in='a + b + c - 1000*x'/>",
                 "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  TEST_ASSERT_DOUBLE_WITHIN(1e-18, 300e-6, hy_steady_period(s));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.8e-3, hy_steady_mean(s, 0));
}

#ifdef HY_SUNDIALS
/* x[k]' = p - k x[k]: too many for exact steps, and more periods of differences than are run else;
 * with a = e^(-k T/2) each begins at a/(1 + a)/k. */
static void test_many_states_take_more_differences(void)
{
  g_autoptr(HyLoaded) loaded = plant_load("<pwm name='p' period='10m' duty='0.5'/>"
                                          "<integrator name='x' count='110' in='p - i*x[i]'/>",
                                          "", NULL);
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  TEST_ASSERT_FALSE(hy_steady_is_exact(s));
  for (guint k = 1; k <= hy_steady_n(s); k++) {
    double a = exp(-0.005 * k);
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, a / (1.0 + a) / k, hy_steady_value(s, k - 1));
  }
}
#endif

/* Stages by their names, each from 0 to 1 at most; ENDS: the one in which nobody waits any more. */
typedef struct {
  const char *ends;
  guint seen, periods;
  double residual;
} Waiting;

static gboolean waits(gpointer user, const HySteadyStage *at)
{
  static const char *const stages[] = {"period", "sensitivities", "means"};
  Waiting *w = user;
  guint k = 0;
  while (strcmp(stages[k], at->what) != 0) {
    TEST_ASSERT_TRUE_MESSAGE(++k < G_N_ELEMENTS(stages), at->what);
  }
  TEST_ASSERT_TRUE(at->part >= 0.0 && at->part <= 1.0);
  w->seen |= 1U << k;
  w->periods = MAX(w->periods, at->number);
  w->residual = at->residual;
  return g_strcmp0(w->ends, at->what) != 0;
}

static void test_who_waits_hears_how_far_it_is_and_may_end_it(void)
{
  g_autoptr(HyLoaded) loaded = plant_load(BUCK, "", NULL);
  HySteadySettings set = HY_STEADY_SETTINGS;
  Waiting w = {0};
  set.progress = waits;
  set.user = &w;
  g_autoptr(HySteady) s = hy_steady_new(loaded, &set, NULL);
  TEST_ASSERT_EQUAL_HEX(7, w.seen);
  TEST_ASSERT_EQUAL_UINT(hy_steady_periods(s), w.periods);
  TEST_ASSERT_EQUAL_DOUBLE(hy_steady_residual(s), w.residual);
  static const char *const ends[] = {"period", "sensitivities", "means"};
  for (guint k = 0; k < G_N_ELEMENTS(ends); k++) {
    g_autoptr(GError) error = NULL;
    w = (Waiting){.ends = ends[k]};
    g_autoptr(HySteady) none = hy_steady_new(loaded, &set, &error);
    TEST_ASSERT_NULL(none);
    TEST_ASSERT_TRUE_MESSAGE(g_error_matches(error, HY_ERROR, HY_ERROR_INTERRUPTED), ends[k]);
    TEST_ASSERT_EQUAL_STRING("m: interrupted", error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_who_waits_hears_how_far_it_is_and_may_end_it);
  RUN_TEST(test_a_few_periods_lead_to_rounding);
  RUN_TEST(test_the_monodromy_is_that_of_differences);
  RUN_TEST(test_a_buck_is_its_discrete_model);
  RUN_TEST(test_a_full_bridge_ends_where_it_was_seen_to_end);
#ifdef HY_SUNDIALS
  RUN_TEST(test_another_method_stays_there);
  RUN_TEST(test_what_is_not_linear_is_found_by_differences);
  RUN_TEST(test_many_states_take_more_differences);
#endif
  RUN_TEST(test_peak_current_doubles_its_period_without_slope_compensation);
  RUN_TEST(test_a_latch_behind_a_comparator_is_the_same);
  RUN_TEST(test_two_modulators_have_one_monodromy);
  RUN_TEST(test_a_modulator_with_a_triangle_is_that_of_differences);
  RUN_TEST(test_a_crossing_that_bends_is_that_of_differences);
  RUN_TEST(test_a_controller_that_samples_is_known_by_differences);
  RUN_TEST(test_means_and_harmonics_of_a_square_behind_a_lag);
  RUN_TEST(test_powers_balance);
  RUN_TEST(test_what_windows_measure_is_no_output);
  RUN_TEST(test_a_trapezoid_repeats_after_its_parts);
  RUN_TEST(test_what_has_no_steady_state_is_told);
  RUN_TEST(test_a_controller_that_remembers_is_told);
  RUN_TEST(test_periods_have_a_common_one);
  return UNITY_END();
}
