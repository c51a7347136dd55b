/* Frequency responses against closed forms, and against what comes out when a small sine is put
 * into the model itself: the steady state of many periods, and its harmonics. */
#include "hydevs/bode.h"
#include "plants.h"

#include <complex.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* A steady state with what it was loaded from. */
typedef struct {
  HyLoaded *loaded, *more, *less;
  HySteady *steady;
  HyBode *bode;
} Answer;

static void answer_clear(Answer *a)
{
  hy_bode_free(a->bode);
  hy_steady_free(a->steady);
  hy_loaded_free(a->loaded);
  hy_loaded_free(a->more);
  hy_loaded_free(a->less);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Answer, answer_clear)

/* VALUE: of the parameter FROM; NaN: it is none. */
static void answer(Answer *a, const char *body, const char *from, double value, const char *to,
                   gboolean loop)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *record = g_strdup_printf("record='%s'", to);
  HyBodeSettings set = HY_BODE_SETTINGS;
  set.from = from;
  set.to = to;
  set.loop = loop;
  set.step = 1e-6 * (value != 0.0 ? value : 1.0);
  *a = (Answer){.loaded = plant_load(body, record, NULL)};
  if (!isnan(value)) {
    char text[2][HY_DOUBLE_SIZE];
    g_autofree char *more =
        g_strdup_printf("%s=%s", from, hy_double_text(text[0], value + set.step));
    g_autofree char *less =
        g_strdup_printf("%s=%s", from, hy_double_text(text[1], value - set.step));
    a->more = plant_load(body, record, (const char *[]){more, NULL});
    a->less = plant_load(body, record, (const char *[]){less, NULL});
  }
  set.more = a->more;
  set.less = a->less;
  a->steady = plant_steady(a->loaded, NULL);
  a->bode = hy_bode_new(a->steady, &set, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(a->bode, error != NULL ? error->message : "");
}

static double complex at(const Answer *a, double f)
{
  double real, imaginary;
  TEST_ASSERT_TRUE(hy_bode_at(a->bode, f, &real, &imaginary));
  return real + I * imaginary;
}

static void near(double relative, double complex expected, double complex got, const char *what)
{
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(relative * cabs(expected), creal(expected), creal(got), what);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(relative * cabs(expected), cimag(expected), cimag(got), what);
}

/* Two lags, one of them fast; a gate elsewhere makes the period. */
#define LAGS                                                                                       \
  "<param name='U' value='3'/><constant name='c' value='2'/>"                                      \
  "<pwm name='g' period='1m' duty='0.3'/>"                                                         \
  "<integrator name='x' in='(U + c + g - x)/2m'/><integrator name='y' in='(x - y)/10n'/>"

static void test_what_is_linear_is_its_transfer_function(void)
{
  static const char *const from[] = {"U", "c"};
  for (guint k = 0; k < 2; k++) {
    g_auto(Answer) a = {0};
    answer(&a, LAGS, from[k], k == 0 ? 3.0 : NAN, "y", FALSE);
    for (guint i = 0; i < 10; i++) {
      double f = 0.01 * pow(3.0, i);
      double complex s = 2.0 * G_PI * f * I;
      near(k == 0 ? 1e-8 : 1e-12, 1.0 / (1.0 + 2e-3 * s) / (1.0 + 1e-8 * s), at(&a, f), from[k]);
    }
  }
}

/* A state: what is added to x' of the first lag. */
static void test_a_state_is_driven_by_its_derivative(void)
{
  g_auto(Answer) a = {0};
  answer(&a, LAGS, "x", NAN, "y", FALSE);
  double complex s = 2.0 * G_PI * 100.0 * I;
  near(1e-12, 2e-3 / (1.0 + 2e-3 * s) / (1.0 + 1e-8 * s), at(&a, 100.0), "x");
}

/* The averaged model, far below the switching frequency: the switch and the diode are alike. */
static void test_a_buck_is_its_averaged_model_at_low_frequencies(void)
{
  g_auto(Answer) a = {0};
  answer(&a, BUCK, "duty", 0.35, "uC", FALSE);
  for (guint k = 0; k < 8; k++) {
    double f = ldexp(1.0, (int)k);
    double complex s = 2.0 * G_PI * f * I, z = 1.0 / (0.1 + 100e-6 * s);
    near(1e-3, 24.0 * z / (z + 1e-3 * s + 0.01), at(&a, f), "duty");
  }
}

/* With resistances in series: D' U / (D'^2 R + r) ..., R. D. Middlebrook and S. Cuk; the right half
 * plane's zero included. */
static void test_a_boost_is_its_averaged_model_at_low_frequencies(void)
{
  g_auto(Answer) a = {0};
  answer(&a, BOOST, "duty", 0.5, "uC", FALSE);
  double D = 0.5, r = 0.01, R = 50.0, L = 1e-3, C = 100e-6, U = 24.0;
  double u = U * D * R / (D * D * R + r), i = u / (D * R);
  for (guint k = 1; k < 6; k++) {
    double f = ldexp(1.0, (int)k);
    double complex s = 2.0 * G_PI * f * I;
    double complex to = (D * u - (s * L + r) * i) / ((s * L + r) * (s * C + 1.0 / R) + D * D);
    near(3e-3, to, at(&a, f), "duty");
  }
}

/* What comes out of BODY, with EPS sin(2 pi f t) in it and f = fs M/K, at f. */
static double complex injected(const char *body, const char *to, double T, int m, int k, double eps)
{
  g_autofree char *record = g_strdup_printf("record='%s'", to);
  g_autoptr(HyLoaded) loaded = plant_load(body, record, NULL);
  HySteadySettings set = HY_STEADY_SETTINGS;
  double amplitude, phase;
  set.period = k * T;
  set.harmonics = (guint)m;
  g_autoptr(HySteady) s = plant_steady(loaded, &set);
  TEST_ASSERT_TRUE(hy_steady_harmonic(s, 0, (guint)m, &amplitude, &phase));
  return amplitude / eps * cexp(I * (phase + 0.5 * G_PI));
}

/* The same model with the parameter NAME in a formula replaced by NAME + a sine. */
static char *with_sine(const char *body, const char *name, double f, double eps)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  g_autofree char *in = g_strdup_printf("@%s", name), *sine = g_strdup_printf("(%s + wave)", name);
  g_auto(GStrv) parts = g_strsplit(body, in, -1);
  g_autofree char *changed = g_strjoinv(sine, parts);
  g_auto(GStrv) rest = g_strsplit(changed, "@", -1);
  g_autofree char *plain = g_strjoinv("", rest);
  return g_strdup_printf("<sine name='wave' amplitude='%s' frequency='%s'/>%s",
                         hy_double_text(a, eps), hy_double_text(b, f), plain);
}

static char *without(const char *body)
{
  g_auto(GStrv) parts = g_strsplit(body, "@", -1);
  return g_strjoinv("", parts);
}

/* A boost with its duty, source and load current marked. */
#define MARKED_BOOST                                                                               \
  "<param name='U' value='24'/><param name='duty' value='0.5'/><param name='iz' value='0'/>"       \
  "<pwm name='gate' period='50u' duty='@duty'/>"                                                   \
  "<switch name='Rs' control='gate' on='10m' off='100k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10m' roff='100k'/>"                                                \
  "<function name='vx' formula='(iL + uC/Rd)/(1/Rs + 1/Rd)'/>"                                     \
  "<function name='iD' formula='(Rs*iL - uC)/(Rs + Rd)'/>"                                         \
  "<integrator name='iL' in='(@U - vx)/1m'/>"                                                      \
  "<integrator name='uC' in='(iD - uC/50 + @iz)/100u'/>"
/* In discontinuous conduction: what the diode ends moves with all. */
#define MARKED_FLYBACK                                                                             \
  "<param name='U' value='36'/><param name='duty' value='0.25'/><param name='iz' value='0'/>"      \
  "<pwm name='gate' period='25u' duty='@duty'/>"                                                   \
  "<switch name='Rs' control='gate' on='10m' off='500k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10m' roff='500k'/>"                                                \
  "<function name='v' formula='(@U/Rs - 0.5*uC/Rd - iM)/(1/Rs + 0.25/Rd)'/>"                       \
  "<function name='iD' formula='(-0.5*v - uC)/Rd'/>"                                               \
  "<integrator name='iM' in='v/150u'/>"                                                            \
  "<integrator name='uC' in='(iD - uC/60 + @iz)/100u'/>"

static const struct {
  const char *name, *body, *from;
  double value, T;
} marked[] = {{"boost, duty", MARKED_BOOST, "duty", 0.5, 50e-6},
              {"boost, U", MARKED_BOOST, "U", 24, 50e-6},
              {"boost, iz", MARKED_BOOST, "iz", 0, 50e-6},
              {"flyback, duty", MARKED_FLYBACK, "duty", 0.25, 25e-6},
              {"flyback, U", MARKED_FLYBACK, "U", 36, 25e-6},
              {"flyback, iz", MARKED_FLYBACK, "iz", 0, 25e-6}};

static void test_what_is_put_in_comes_out(void)
{
  static const int m[] = {1, 1, 1, 1, 2}, k[] = {50, 20, 10, 5, 5};
  for (guint i = 0; i < G_N_ELEMENTS(marked); i++) {
    g_auto(Answer) a = {0};
    g_autofree char *body = without(marked[i].body);
    answer(&a, body, marked[i].from, marked[i].value, "uC", FALSE);
    for (guint j = 0; j < G_N_ELEMENTS(m); j++) {
      double f = m[j] / (k[j] * marked[i].T), eps = 1e-4 * fmax(marked[i].value, 0.1);
      g_autofree char *with = with_sine(marked[i].body, marked[i].from, f, eps);
      near(1e-3, injected(with, "uC", marked[i].T, m[j], k[j], eps), at(&a, f), marked[i].name);
    }
  }
}

/* A buck whose duty a controller makes: at its input is put in, and both sides are looked at. */
#define LOOP(add)                                                                                  \
  CONTROLLER(add)                                                                                  \
  "<sawtooth name='saw' frequency='10k'/><function name='gate' formula='if(vm &gt; saw, 1, 0)'/>"
#define PWM_LOOP CONTROLLER("") "<pwm name='gate' period='100u' duty='vm'/>"
#define CONTROLLER(add)                                                                            \
  "<param name='e' value='0'/>"                                                                    \
  "<integrator name='w' in='20*(5 - uC)'/>"                                                        \
  "<function name='vc' formula='w + 0.02*(5 - uC)'/><function name='vm' formula='vc + e" add "'/>" \
  "<integrator name='iL' in='(24*gate - uC - 0.1*iL)/1m'/>"                                        \
  "<integrator name='uC' in='(iL - uC/10)/100u'/>"

static void test_the_loop_gain_is_what_comes_back(void)
{
  static const int k[] = {50, 20, 10, 5};
  g_auto(Answer) a = {0}, b = {0};
  answer(&a, LOOP(""), "e", 0.0, "vc", TRUE);
  answer(&b, PWM_LOOP, "e", 0.0, "vc", TRUE);
  for (guint j = 0; j < G_N_ELEMENTS(k); j++) {
    double f = 1e4 / k[j], eps = 1e-4;
    char text[HY_DOUBLE_SIZE];
    g_autofree char *with =
        g_strdup_printf("<sine name='wave' amplitude='1e-4' frequency='%s'/>" LOOP(" + wave"),
                        hy_double_text(text, f));
    double complex before = injected(with, "vc", 1e-4, 1, k[j], eps);
    double complex after = injected(with, "vm", 1e-4, 1, k[j], eps);
    near(1e-3, -before / after, at(&a, f), "vc");
    near(1e-3, -before / after, at(&b, f), "vc, by a pwm");
  }
}

/* An integrator with a delay of nothing: L = w0/s crosses at w0 with 90 degrees left. The modulator
 * of a sawtooth is a gain. */
static void test_margins_of_an_integrator(void)
{
  g_auto(Answer) a = {0};
  answer(&a,
         "<param name='e' value='0'/><pwm name='g' period='1m' duty='0.5'/>"
         "<function name='vc' formula='-100*x'/><function name='vm' formula='vc + e'/>"
         "<integrator name='x' in='vm + g'/>",
         "e", 0.0, "vc", TRUE);
  HyMargins m = hy_bode_margins(a.bode);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 100.0 / (2.0 * G_PI), m.crossover);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 90.0, m.phase);
  TEST_ASSERT_TRUE(isnan(m.reversal) && isnan(m.gain));
}

/* Three lags of 1 ms and a gain of 4: -180 degrees at sqrt 3/(2 pi ms), where 8 is the limit. */
static void test_margins_of_three_lags(void)
{
  g_auto(Answer) a = {0};
  answer(&a,
         "<param name='e' value='0'/><pwm name='g' period='1m' duty='0.5'/>"
         "<function name='vc' formula='-4*z'/><function name='vm' formula='vc + e'/>"
         "<integrator name='x' in='(vm + g - x)/1m'/><integrator name='y' in='(x - y)/1m'/>"
         "<integrator name='z' in='(y - z)/1m'/>",
         "e", 0.0, "vc", TRUE);
  HyMargins m = hy_bode_margins(a.bode);
  double w = sqrt(cbrt(16.0) - 1.0); /* |1 + jw|^3 = 4 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, w * 1e3 / (2.0 * G_PI), m.crossover);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 180.0 - 3.0 * atan(w) * 180.0 / G_PI, m.phase);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, sqrt(3.0) * 1e3 / (2.0 * G_PI), m.reversal);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 20.0 * log10(2.0), m.gain);
}

static void refused(const char *body, const char *from, double value, const char *to,
                    const char *message)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *record = g_strdup_printf("record='%s'", to);
  char text[2][HY_DOUBLE_SIZE];
  double step = 1e-6;
  g_autofree char *more = g_strdup_printf("%s=%s", from, hy_double_text(text[0], value + step));
  g_autofree char *less = g_strdup_printf("%s=%s", from, hy_double_text(text[1], value - step));
  g_autoptr(HyLoaded) loaded = plant_load(body, record, NULL), up = NULL, down = NULL;
  if (!isnan(value)) {
    up = plant_load(body, record, (const char *[]){more, NULL});
    down = plant_load(body, record, (const char *[]){less, NULL});
  }
  HyBodeSettings set = HY_BODE_SETTINGS;
  set.from = from;
  set.to = to;
  set.more = up;
  set.less = down;
  set.step = step;
  g_autoptr(HySteady) s = plant_steady(loaded, NULL);
  g_autoptr(HyBode) b = hy_bode_new(s, &set, &error);
  TEST_ASSERT_NULL(b);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static void test_what_has_no_answer_is_told(void)
{
  refused(LAGS, "nothing", NAN, "y",
          "nothing is no parameter of the model (<param>), no state, and no source that the states "
          "read; hydevs equations shows states and sources");
  refused(
      "<param name='R' value='10'/><square name='s'/><integrator name='x' in='s - x/R'/>", "R", 10,
      "x",
      "R changes how states act on one another, as a resistance does; what oscillates must be a "
      "source, a duty, or a reference");
  refused("<square name='s'/><integrator name='x' in='s - x'/><function name='p' formula='x*x'/>",
          "x", NAN, "p",
          "p does not follow from states and sources by a linear equation between events");
  refused("<square name='s'/><sample_hold name='h' in='x' period='1'/>"
          "<integrator name='x' in='s - x - 0.5*h'/>",
          "x", NAN, "x",
          "m: how it answers to small oscillations is not known exactly, because h (sample_hold) "
          "hears the states and acts on them");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_linear_is_its_transfer_function);
  RUN_TEST(test_a_state_is_driven_by_its_derivative);
  RUN_TEST(test_a_buck_is_its_averaged_model_at_low_frequencies);
  RUN_TEST(test_a_boost_is_its_averaged_model_at_low_frequencies);
  RUN_TEST(test_what_is_put_in_comes_out);
  RUN_TEST(test_the_loop_gain_is_what_comes_back);
  RUN_TEST(test_margins_of_an_integrator);
  RUN_TEST(test_margins_of_three_lags);
  RUN_TEST(test_what_has_no_answer_is_told);
  return UNITY_END();
}
