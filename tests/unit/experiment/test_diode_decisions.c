/* Which diodes conduct, as their signs say: a diode that is off has no forward voltage, one that is
 * on no reverse current, beyond what rounding makes of the states. However well they block,
 * whatever the tolerance. */
#include "circuit_run.h"

static const double blocked[] = {1e4, 1e6, 1e9, 1e10, 1e11}; /* Roff */

/* LOADED is freed after the run. */
static HyRun *record(HyLoaded **loaded, const char *body, const char *method, double tol,
                     double stop, double grid, const char *columns)
{
  g_autofree char *text =
      g_strdup_printf("%s<experiment stop='%g' grid='%g' method='%s' dqrel='%g' dqmin='%g' "
                      "record='%s'/>",
                      body, stop, grid, method, tol, tol, columns);
  *loaded = load_text(text);
  return go(*loaded, "fused");
}

static double value_at(const HyRun *run, guint row, guint column)
{
  return hy_recorder_value(hy_run_table(run, 0), row, column);
}

/* A square wave of 12 V feeds a coil through a stray one and a diode; while it is below 0 the coil
 * goes on through another diode, and its current falls by (R + Ron)/L. What leaks is 12 V/Roff. */
static void check_free_wheel(const char *method, double off, double tol)
{
  double rate = (0.4 + 2e-3) / 15e-3, leak = 12.0 / off;
  g_autofree char *body = g_strdup_printf(
      "<square name='u' low='-12' high='12' frequency='50'/><circuit name='c' u='u'><in name='u'/>"
      "<voltage name='U' nodes='in 0' value='u'/><inductor name='Ls' nodes='in a' L='20u' i0='8'/>"
      "<ideal_diode name='D1' nodes='a y' Ron='2m' Roff='%g'/>"
      "<ideal_diode name='D2' nodes='0 y' Ron='2m' Roff='%g'/>"
      "<inductor name='L' nodes='y o' L='15m' i0='8'/><resistor name='R' nodes='o 0' R='0.4'/>"
      "</circuit>",
      off, off);
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyRun) run = record(&loaded, body, method, tol, 19e-3, 1e-3, "c/L.i c/D2.i c/D2.on");
  for (guint k = 11; k < 19; k++) {
    double i = value_at(run, k, 0), next = value_at(run, k + 1, 0);
    TEST_ASSERT_TRUE_MESSAGE(value_at(run, k, 2) == 1.0, body);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(30.0 * (tol + leak), i, value_at(run, k, 1), body);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(30.0 * (tol + leak), i * exp(-rate * 1e-3), next, body);
  }
}

static void test_a_freewheeling_diode_conducts_however_well_it_blocks(void)
{
  static const char *const methods[] = {"block_liqss2", "cvode_bdf", "block_liqss2_error"};
  static const double tolerances[] = {1e-3, 1e-6, 1e-2};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    for (guint k = 0; k < G_N_ELEMENTS(blocked); k++) {
      for (guint j = 0; j < (m < 2 ? 3 : 2); j++) {
        check_free_wheel(methods[m], blocked[k], tolerances[j]);
      }
    }
  }
}

/* i of a coil and R from rest at u sin(w t). */
static double coil_at(double R, double L, double u, double w, double t)
{
  double z2 = R * R + w * w * L * L;
  return u / z2 * (R * sin(w * t) - w * L * cos(w * t) + w * L * exp(-R / L * t));
}

/* One of two antiparallel diodes conducts at any time: together they are a resistance, but for
 * 4 V/Roff. A band as wide as the tolerance would be a thousand volts of it. */
static void test_antiparallel_diodes_take_turns(void)
{
  static const double tolerances[] = {1e-2, 1e-4, 1e-6};
  for (guint k = 0; k < G_N_ELEMENTS(blocked); k++) {
    for (guint j = 0; j < G_N_ELEMENTS(tolerances); j++) {
      g_autofree char *body = g_strdup_printf(
          "<sine name='u' amplitude='4' frequency='1k'/><circuit name='c' u='u'><in name='u'/>"
          "<voltage name='U' nodes='in 0' value='u'/><inductor name='L' nodes='in a' L='0.5m'/>"
          "<ideal_diode name='D1' nodes='a b' Ron='1m' Roff='%g'/>"
          "<ideal_diode name='D2' nodes='b a' Ron='1m' Roff='%g'/>"
          "<resistor name='R' nodes='b 0' R='2'/></circuit>",
          blocked[k], blocked[k]);
      g_autoptr(HyLoaded) loaded = NULL;
      g_autoptr(HyRun) run =
          record(&loaded, body, "block_liqss2", tolerances[j], 10e-3, 0.17e-3, "c/L.i");
      for (guint n = 1; n < 58; n++) {
        double i = coil_at(2.001, 0.5e-3, 4.0, 6283.185307179586, 0.17e-3 * n);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(4.0 / blocked[k] + 1e-8, i, value_at(run, n, 0), body);
      }
    }
  }
}

/* Draws --------------------------------------------------------------------------------------- */

#define CIRCUITS 100
#define DIODES   4

static guint64 dice;

static double uniform(double from, double to)
{
  dice = dice * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
  return from + (to - from) * (double)(dice >> 11) * 0x1p-53;
}

static double decades(double from, double to)
{
  return pow(10.0, uniform(from, to));
}

/* Coils and a capacitor behind a sine and a switch that chops it, with a pair of antiparallel
 * diodes, one that goes on freely and one that rectifies; Roff of all is 1e4 to 1e10 Ohm. */
typedef struct {
  double on, off, rc;
} Drawn;

static char *draw(Drawn *of)
{
  static const char *const between[DIODES] = {"b d", "d b", "0 e", "b e"};
  GString *s = g_string_new(NULL);
  double on = of->on = decades(-4, -2), off = of->off = decades(4, 10);
  of->rc = decades(-3, 0);
  g_string_append_printf(
      s,
      "<sine name='u' amplitude='%g' frequency='%g'/><pwm name='g' period='%g' duty='%g'/>"
      "<circuit name='c' u='u' g='g'><in name='u'/><in name='g'/>"
      "<voltage name='U' nodes='in 0' value='u'/><resistor name='Rin' nodes='in a' R='%g'/>"
      "<inductor name='L1' nodes='a b' L='%g'/><inductor name='L2' nodes='e f' L='%g' i0='%g'/>"
      "<resistor name='R2' nodes='f 0' R='%g'/><capacitor name='C1' nodes='h 0' C='%g'/>"
      "<resistor name='RC' nodes='d h' R='%g'/><resistor name='RL' nodes='h 0' R='%g'/>",
      uniform(5, 50), decades(2, 4), decades(-5, -3.5), uniform(0.2, 0.8), decades(-1, 1),
      decades(-5.5, -3), decades(-5, -2), uniform(0, 3), decades(-1, 1), decades(-6.5, -4.5),
      of->rc, decades(1, 3));
  for (int k = 0; k < DIODES; k++) {
    g_string_append_printf(s, "<ideal_diode name='D%d' nodes='%s' Ron='%g' Roff='%g'/>", k,
                           between[k], on, off);
  }
  g_string_append_printf(s,
                         "<ideal_switch name='S' nodes='b 0' control='g' Ron='%g' Roff='%g'/>"
                         "</circuit>",
                         on, off);
  return g_string_free(s, FALSE);
}

/* Of three equations by Gauss, with pivots as they come: a network of resistances has good ones. */
static void solve_nodes(long double m[3][4], long double *v)
{
  for (int k = 0; k < 3; k++) {
    for (int i = k + 1; i < 3; i++) {
      long double by = m[i][k] / m[k][k];
      for (int j = k; j < 4; j++) {
        m[i][j] -= by * m[k][j];
      }
    }
  }
  for (int k = 2; k >= 0; k--) {
    v[k] = m[k][3];
    for (int j = k + 1; j < 3; j++) {
      v[k] -= m[k][j] * v[j];
    }
    v[k] /= m[k][k];
  }
}

/* The currents of the diodes by Kirchhoff's law at the nodes b, d and e, from the states of the row
 * and its modes. */
static void diode_currents(const HyRun *run, guint row, const Drawn *of, double *i)
{
  long double g[DIODES + 1], v[3], h = 1.0L / (long double)of->rc;
  for (guint k = 0; k <= DIODES; k++) {
    g[k] = 1.0L / (long double)(value_at(run, row, 3 + k) > 0.0 ? of->on : of->off);
  }
  long double pair = g[0] + g[1];
  long double m[3][4] = {
      {pair + g[3] + g[4], -pair, -g[3], (long double)value_at(run, row, 0)},
      {-pair, pair + h, 0.0L, h * (long double)value_at(run, row, 2)},
      {-g[3], 0.0L, g[2] + g[3], -(long double)value_at(run, row, 1)},
  };
  solve_nodes(m, v);
  i[0] = (double)(g[0] * (v[0] - v[1]));
  i[1] = (double)(g[1] * (v[1] - v[0]));
  i[2] = (double)(-g[2] * v[2]);
  i[3] = (double)(g[3] * (v[0] - v[2]));
}

/* In every row each diode has the sign of its mode. What rounding makes of a current that leaks, a
 * difference of currents up to MOST that some hundred operations have made, is 1e-13 MOST;
 * eliminating conductances adds a digit of 50 V behind Ron. Through one that is on flows what a
 * voltage makes of it that is right as far as the modes of the block are: to six digits. */
static void check_signs(const HyRun *run, const Drawn *of, const char *body)
{
  double most = 1.0, i[DIODES];
  for (guint row = 1; row < hy_recorder_rows(hy_run_table(run, 0)); row++) {
    most = fmax(most, fabs(value_at(run, row, 0)) + fabs(value_at(run, row, 1)));
    diode_currents(run, row, of, i);
    for (guint k = 0; k < DIODES; k++) {
      gboolean on = value_at(run, row, 3 + k) > 0.0;
      double wrong = on ? -i[k] : i[k],
             bound = (on ? 1e-6 : 1e-13) * most + 50.0 * 0x1p-63 / of->on;
      if (!(wrong <= bound)) {
        g_autofree char *words = g_strdup_printf("D%u: %g A where %g is rounding, row %u: %s", k,
                                                 i[k], bound, row, body);
        TEST_FAIL_MESSAGE(words);
      }
    }
  }
}

static void test_signs_fit_in_random_circuits(void)
{
  static const double tolerances[] = {1e-2, 1e-4, 1e-6};
  dice = 20;
  for (int c = 0; c < CIRCUITS; c++) {
    Drawn of;
    g_autofree char *body = draw(&of);
    g_autoptr(HyLoaded) loaded = NULL;
    g_autoptr(HyRun) run = record(&loaded, body, "block_liqss2", tolerances[c % 3], 2e-3, 1.3e-5,
                                  "c/L1.i c/L2.i c/C1.v c/D0.on c/D1.on c/D2.on c/D3.on c/S.on");
    check_signs(run, &of, body);
  }
}

/* A diode beside a relay that slides, in functions: it conducts where its current is above 0, and
 * blocks where that is below. What inputs change within the tolerance of a step, 13 mA here, is
 * far more than ever leaks, and no rounding: counted as such it left the diode off. */
static void test_a_diode_beside_what_slides_has_the_sign_of_its_current(void)
{
  static const char body[] = "<sine name='s' amplitude='80' frequency='13k' phase='2.3'/>"
                             "<diode name='D' i='i' ron='30m' roff='15k'/><function name='i' "
                             "formula='(s - u)/(D + 0.04)'/>"
                             "<switch name='h' control='2 - j' level='0' off='-11' on='11'/>"
                             "<integrator name='v' in='(j - v/4.5)/29u'/>"
                             "<integrator name='u' in='(l - u/35 + i + 3*(s - u))/2u'/>"
                             "<integrator name='j' in='(h - v)/2m'/>"
                             "<integrator name='l' in='(s - u - 2.5m*l)/0.12m' x0='4'/>";
  static const char *const methods[] = {"cvode_bdf", "block_liqss2"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    g_autoptr(HyLoaded) loaded = NULL;
    g_autoptr(HyRun) run = record(&loaded, body, methods[m], 1e-3, 1.3e-3, 1.0e-6, "D i");
    for (guint row = 1; row < hy_recorder_rows(hy_run_table(run, 0)); row++) {
      double i = value_at(run, row, 1);
      if (value_at(run, row, 0) < 1.0 ? i < -2.5 : i > 2e-5) { /* 80 mV of the tolerance */
        g_autofree char *words = g_strdup_printf("%s, row %u: %g A", methods[m], row, i);
        TEST_FAIL_MESSAGE(words);
      }
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_freewheeling_diode_conducts_however_well_it_blocks);
  RUN_TEST(test_antiparallel_diodes_take_turns);
  RUN_TEST(test_a_diode_beside_what_slides_has_the_sign_of_its_current);
  RUN_TEST(test_signs_fit_in_random_circuits);
  return UNITY_END();
}
