/* Exponential diodes beside their equations by hand: v = u + Rs j, j = Is (exp(u/Vt) - 1),
 * i = j + v/Roff, solved by halving, or with the junction's voltage u as the state. */
#include "circuit_run.h"

#define CVODE "method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' "

typedef struct {
  double is, vt, rs, roff;
} Diode;

#define KELVIN 8.617333262e-5

static double junction_current(const Diode *d, double u)
{
  return d->is * expm1(u / d->vt);
}

static double diode_voltage(const Diode *d, double u)
{
  return u + d->rs * junction_current(d, u);
}

static double diode_current(const Diode *d, double u)
{
  return junction_current(d, u) + diode_voltage(d, u) / d->roff;
}

/* The u where N such diodes in series with R have the voltage E. */
static double junction_at(const Diode *d, double e, double r, double n)
{
  double low = fmin(e, 0), high = fmax(e, 0);
  for (guint k = 0; k < 200; k++) {
    double u = (low + high) / 2;
    *(n * diode_voltage(d, u) + r * diode_current(d, u) < e ? &low : &high) = u;
  }
  return (low + high) / 2;
}

/* Of both signs, beside a source of 5 V and 2 Ohm; T and n make the thermal voltage. */
static void test_a_diode_and_a_resistance(void)
{
  const Diode d = {1e-6, 1.5 * KELVIN * 350, 0.1, 1e4};
  double u = junction_at(&d, 5, 2, 1), back = junction_at(&d, -5, 2, 1), end[4];
  run_all("<circuit name='c'><voltage name='U' nodes='in 0' value='5'/>"
          "<resistor name='R' nodes='in a' R='2'/><exponential_diode name='D' nodes='a 0' Is='1u' "
          "n='1.5' T='350' Rs='0.1' Roff='10k'/><resistor name='Q' nodes='in b' R='2'/>"
          "<exponential_diode name='B' nodes='0 b' Is='1u' n='1.5' T='350' Rs='0.1' Roff='10k'/>"
          "</circuit><experiment stop='1' grid='1' record='c/D.v c/D.i c/B.v c/B.i'/>",
          4, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, diode_voltage(&d, u), end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, diode_current(&d, u), end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, diode_voltage(&d, back), end[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, diode_current(&d, back), end[3]);
}

static const Diode fast = {1e-9, 2 * KELVIN * 300.15, 1e-2, 1e6};
#define FAST "Is='1n' n='2' Rs='10m'"

/* A coil of 1 mH lets its 2 A go through a diode: L i' = -v. With u as the state, which the current
 * follows: u' = i'/(di/du). */
static void test_a_coil_feeds_a_diode(void)
{
  double u = 0.0, i = 2.0, end[2], low = 0, high = 2;
  for (guint k = 0; k < 200; k++) {
    u = (low + high) / 2;
    *(diode_current(&fast, u) < i ? &low : &high) = u;
  }
  for (guint k = 0; k < 20000; k++) {
    double h = 1e-3 / 20000, slope[4], at = u;
    for (guint s = 0; s < 4; s++) {
      double dj = (junction_current(&fast, at) + fast.is) / fast.vt;
      slope[s] = -diode_voltage(&fast, at) / 1e-3 / (dj + (1 + fast.rs * dj) / fast.roff);
      at = u + h * (s < 2 ? 0.5 : 1) * slope[s];
    }
    u += h / 6 * (slope[0] + 2 * slope[1] + 2 * slope[2] + slope[3]);
  }
  run_all("<circuit name='c'><inductor name='L' nodes='0 a' L='1m' i0='2'/>"
          "<exponential_diode name='D' nodes='a 0' " FAST "/></circuit>"
          "<experiment stop='1m' grid='1m' " CVODE "record='c/D.i c/D.v'/>",
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, diode_current(&fast, u), end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, diode_voltage(&fast, u), end[1]);
}

/* A rectifier of 10 V and 1 Ohm into 0.1 F beside 4 Ohm: v' = (i - v/4)/0.1. */
#define RECTIFIER(more)                                                                            \
  "<circuit name='c'><voltage name='U' nodes='in 0' value='10*sin(2*pi*t)'/>"                      \
  "<resistor name='R1' nodes='in x' R='1'/><exponential_diode name='D' nodes='x y' " FAST more     \
  "/><resistor name='R' nodes='y 0' R='4'/><capacitor name='C' nodes='y 0' C='0.1'/></circuit>"

static double rectifier_slope(double t, double v)
{
  double u = junction_at(&fast, 10 * sin(2 * G_PI * t) - v, 1, 1);
  return (diode_current(&fast, u) - v / 4) / 0.1;
}

static double rectifier(double stop)
{
  double v = 0, h = stop / 4000;
  for (guint k = 0; k < 4000; k++) {
    double t = k * h, a = rectifier_slope(t, v), b = rectifier_slope(t + h / 2, v + h / 2 * a),
           c = rectifier_slope(t + h / 2, v + h / 2 * b), d = rectifier_slope(t + h, v + h * c);
    v += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return v;
}

static void test_a_rectifier_by_every_kind_of_method(void)
{
  static const struct {
    const char *method, *tolerance;
    double within;
  } methods[] = {{"cvode_bdf", "1e-10", 1e-7},  {"rkf45", "1e-8", 1e-5},   {"qss3", "1e-6", 1e-3},
                 {"liqss2", "1e-5", 1e-3},      {"mliqss2", "1e-5", 1e-3}, {"auto", "1e-6", 1e-3},
                 {"block_liqss2", "1e-6", 1e-3}};
  double wanted = rectifier(1.2), end[1];
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *body = g_strdup_printf(
        RECTIFIER("") "<experiment stop='1.2' grid='1.2' method='%s' dqrel='%s' dqmin='%s' "
                      "record='c/C.v'/>",
        methods[k].method, methods[k].tolerance, methods[k].tolerance);
    run_all(body, 1, end);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(methods[k].within, wanted, end[0], methods[k].method);
  }
}

/* A state of 10 ps behind 10 mOhm: the same but for what it keeps. */
static void test_a_capacitance_of_the_junction(void)
{
  double end[1];
  run_all(RECTIFIER(" Cj='1n'") "<experiment stop='1.2' grid='1.2' method='cvode_bdf' "
                                "dqrel='1e-8' dqmin='1e-8' record='c/C.v'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, rectifier(1.2), end[0]);
}

/* A bridge, whose diodes set the currents of one another: three have a capacitance. */
static void test_a_bridge_of_diodes(void)
{
  const Diode d = {1e-9, KELVIN * 300.15, 1e-3, 1e12};
  double u = junction_at(&d, 5, 3, 2), end[1];
  const char *bridge =
      "<circuit name='c'><voltage name='U' nodes='in b' value='-5'/><resistor name='Q' "
      "nodes='in a' R='1'/><exponential_diode name='D1' nodes='a p' Is='1n' Roff='1T'/>"
      "<exponential_diode name='D2' nodes='b p' Is='1n' Roff='1T'%s/><exponential_diode name='D3' "
      "nodes='0 a' Is='1n' Roff='1T'%s/><exponential_diode name='D4' nodes='0 b' Is='1n' Roff='1T'"
      "%s/><resistor name='R' nodes='p 0' R='2'/></circuit><experiment stop='1m' grid='1m' " CVODE
      "record='c/R.i'/>";
  g_autofree char *body = g_strdup_printf(bridge, " Cj='1n'", " Cj='1n'", " Cj='1n'");
  run_all(body, 1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, diode_current(&d, u), end[0]);
  g_autofree char *without = g_strdup_printf(bridge, "", "", "");
  expect_message(without, "c: exponential diodes set the currents of one another: D1, D2, D3, D4; "
                          "give all but one of them a capacitance (Cj)");
}

/* Behind 2 : 1, with a source that reads the diode: i is that of 2.5 V behind 1/4 Ohm, and 4 Ohm.
 */
static void test_a_diode_beside_sources_that_read(void)
{
  double u = junction_at(&fast, 2.5, 4.25, 1), end[3], i = diode_current(&fast, u);
  run_all("<circuit name='c'><voltage name='U' nodes='in 0' value='5'/><resistor name='Q' "
          "nodes='in a' R='1'/><transformer name='T' nodes='a 0 s 0' ratio='2'/>"
          "<exponential_diode name='D' nodes='s x' " FAST "/><resistor name='R' nodes='x 0' R='4'/>"
          "<current name='F' nodes='0 z' value='3*D.i + D.v'/><resistor name='Z' nodes='z 0' "
          "R='1'/></circuit><experiment stop='1' grid='1' record='c/D.i c/T.i[1] c/z.v'/>",
          3, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, i, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, i / 2, end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3 * i + diode_voltage(&fast, u), end[2]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_diode_and_a_resistance);
  RUN_TEST(test_a_coil_feeds_a_diode);
  RUN_TEST(test_a_rectifier_by_every_kind_of_method);
  RUN_TEST(test_a_capacitance_of_the_junction);
  RUN_TEST(test_a_bridge_of_diodes);
  RUN_TEST(test_a_diode_beside_sources_that_read);
  return UNITY_END();
}
