/* Elements whose law is a formula: coils with a flux, capacitors with a charge, switches and diodes
 * whose Ron is a signal. Against closed forms, and against equations by hand in other states (the
 * flux, the charge) by the rule of Runge and Kutta in steps that make 1e-12. */
#include "circuit_run.h"

/* N steps of length H of x' = f(x), two states. */
static void runge_kutta(void (*f)(const double *x, double *dx), double *x, double h, guint n)
{
  for (guint k = 0; k < n; k++) {
    double a[2], b[2], c[2], d[2], y[2];
    f(x, a);
    for (guint i = 0; i < 2; i++) {
      y[i] = x[i] + h / 2 * a[i];
    }
    f(y, b);
    for (guint i = 0; i < 2; i++) {
      y[i] = x[i] + h / 2 * b[i];
    }
    f(y, c);
    for (guint i = 0; i < 2; i++) {
      y[i] = x[i] + h * c[i];
    }
    f(y, d);
    for (guint i = 0; i < 2; i++) {
      x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
  }
}

#define CVODE "method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' "

/* Flux psi = 2 asinh(i/3) beside a capacitor of 1/2 F: i = 3 sinh(psi/2), psi' = v, v' = -2 i. */
static void saturating(const double *x, double *dx)
{
  dx[0] = x[1];
  dx[1] = -2 * 3 * sinh(x[0] / 2);
}

/* asinh(x) is log(x + sqrt(x x + 1)). */
#define SATURATING                                                                                 \
  "<circuit name='c'><inductor name='L' nodes='a 0' flux='2*log(L.i/3 + sqrt((L.i/3)^2 + 1))'/>"   \
  "<capacitor name='C' nodes='a 0' C='0.5' v0='4'/></circuit>"

static void test_a_coil_saturates(void)
{
  double x[2] = {0, 4}, end[2];
  runge_kutta(saturating, x, 1e-4, 30000);
  run_all(SATURATING "<experiment stop='3' grid='3' " CVODE "record='c/L.i c/C.v'/>", 2, end);
  TEST_ASSERT_DOUBLE_WITHIN(2e-7, 3 * sinh(x[0] / 2), end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-7, x[1], end[1]);
}

/* The integral of i over psi, 6 (cosh(psi/2) - 1), and C v v/2 stay together what they were. */
static void test_a_flux_keeps_the_energy(void)
{
  double end[2];
  run_all(SATURATING "<experiment stop='300' grid='300' " CVODE "record='c/L.i c/C.v'/>", 2, end);
  double cosh_half = sqrt(1 + end[0] * end[0] / 9);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 4.0, 6 * (cosh_half - 1) + end[1] * end[1] / 4);
}

/* By the other methods that take what is not linear. */
static void test_methods_take_a_flux(void)
{
  static const struct {
    const char *method;
    double within;
  } methods[] = {{"qss3", 1e-2}, {"mliqss2", 5e-2}, {"rkf45", 1e-3}, {"block_liqss2", 1e-3}};
  double x[2] = {0, 4}, end[2];
  runge_kutta(saturating, x, 1e-4, 30000);
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *body =
        g_strdup_printf(SATURATING "<experiment stop='3' grid='3' method='%s' dqrel='1e-5' "
                                   "dqmin='1e-5' record='c/L.i c/C.v'/>",
                        methods[k].method);
    run_all(body, 2, end);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(methods[k].within, 3 * sinh(x[0] / 2), end[0],
                                      methods[k].method);
  }
}

/* A flux by pieces: 2 H up to 1 A, 1/2 H beyond; 1 V, 2 s to the bend, and 1 s more make 3 A. */
static void test_a_flux_may_have_a_bend(void)
{
  double end[1];
  run_all("<circuit name='c'><voltage name='U' nodes='a 0' value='1'/><inductor name='L' count='2' "
          "nodes='a 0' flux='if(L[i].i &lt; 1, 2*L[i].i, 1.5 + L[i].i/2)'/></circuit>"
          "<experiment stop='3' grid='3' " CVODE "record='c/L[2].i'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 3, end[0]);
}

/* In series with a coil of 1 H, so that one of them follows from the other: (1 + dpsi/di) i' = v.
 */
static void test_a_flux_in_a_cut_of_coils(void)
{
  double end[2];
  run_all("<circuit name='c'><voltage name='U' nodes='a 0' value='6'/><inductor name='L1' "
          "nodes='a b' L='1'/><inductor name='L2' nodes='b 0' flux='L2.i + L2.i^3'/></circuit>"
          "<experiment stop='2' grid='2' " CVODE "record='c/L1.i c/L2.i'/>",
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 2, end[0]); /* 6 t = 2 i + i^3 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, end[0], end[1]);
}

/* q = v + v^3 filled by 1 A: 10 As at 10 s are 2 V; and beside 1 F, q = 2 v + v^3: 12 As. */
static void test_a_capacitor_has_a_charge(void)
{
  double end[2];
  run_all("<circuit name='c'><current name='I' nodes='0 a' value='1'/>"
          "<capacitor name='C' nodes='a 0' charge='C.v + C.v^3'/>"
          "<current name='J' nodes='0 b' value='1.2'/><capacitor name='D' nodes='b 0' C='1'/>"
          "<capacitor name='E' nodes='b 0' charge='E.v^3 + E.v'/></circuit>"
          "<experiment stop='10' grid='10' " CVODE "record='c/C.v c/E.v'/>",
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 2, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 2, end[1]);
}

/* Ron as the time says, Vf beside it: v = Vf (1 - Ron/Roff) + Ron i; a switch by a temperature. */
static void test_an_on_resistance_may_be_a_signal(void)
{
  double end[3], ron = 0.5 * (1 + 0.4);
  run_all("<circuit name='c'><voltage name='U' nodes='a 0' value='10'/>"
          "<ideal_diode name='D' nodes='a b' Ron='0.5*(1 + t/5)' Vf='1' Roff='1k'/>"
          "<resistor name='R' nodes='b 0' R='4'/><voltage name='T' nodes='h 0' value='50'/>"
          "<transistor name='S' nodes='a d' gate='1 - t' Ron='0.1*(1 + 0.01*(T.v - 25))' Rd='1m' "
          "Roff='1k'/><resistor name='Q' nodes='d 0' R='1'/></circuit>"
          "<experiment stop='2' grid='0.25' " CVODE "record='c/D.i c/D.v c/Q.i'/>",
          3, end);
  double i = (10 - (1 - ron / 1000)) / (4 + ron);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, i, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1 - ron / 1000 + ron * i, end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 10 / (1 + 1000.0), end[2]); /* off */
}

static void test_laws_that_cannot_be(void)
{
  static const char *const bad[][2] = {
      {"<inductor name='L' nodes='a 0' flux='L.i*t'/>",
       "c/L: flux=\"L.i*t\" is no formula of L.i and numbers alone"},
      {"<inductor name='L' nodes='a 0' flux='2'/>", "is no formula of L.i and numbers alone"},
      {"<inductor name='L' nodes='a 0' flux='-L.i'/>", "does not rise where i = 0"},
      {"<inductor name='L' nodes='a 0' L='1' flux='L.i'/>", "it has L or flux, not both"},
      {"<inductor name='L' nodes='a 0'/>", "inductor needs L (H)"},
      {"<inductor name='L' nodes='a 0' flux='L.i'/><inductor name='M' nodes='a 0' L='1'/>"
       "<coupling name='K' inductors='L M' k='0.5'/>",
       "L has a flux, couplings are of inductors with an L"},
      {"<capacitor name='C' nodes='a 0' charge='L.v'/>", "c/C: "},
      {"<ideal_diode name='D' nodes='a 0' Ron='0'/>", "Ron = 0 must be above 0"},
      {"<transistor name='S' nodes='a 0' gate='1' Ron='t'/>", "transistor needs Rd (Ohm)"},
      {"<ideal_switch name='S' nodes='a 0' Ron='1'/>", "ideal_switch needs control"}};
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    g_autofree char *body = g_strdup_printf(
        "<circuit name='c'><resistor name='R' nodes='a 0' R='1'/>%s</circuit>", bad[k][0]);
    expect_message(body, bad[k][1]);
    hy_report_free(report);
    report = hy_report_new();
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_coil_saturates);
  RUN_TEST(test_a_flux_keeps_the_energy);
  RUN_TEST(test_methods_take_a_flux);
  RUN_TEST(test_a_flux_may_have_a_bend);
  RUN_TEST(test_a_flux_in_a_cut_of_coils);
  RUN_TEST(test_a_capacitor_has_a_charge);
  RUN_TEST(test_an_on_resistance_may_be_a_signal);
  RUN_TEST(test_laws_that_cannot_be);
  return UNITY_END();
}
