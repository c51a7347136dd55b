/* library/power.xml: lines, panels and batteries, each against its closed form. */
#include "library_model.h"

#include <complex.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define EXACT "method='block_liqss2' dqrel='1e-8' dqmin='1e-9'"

/* Lines -----------------------------------------------------------------------------------------
 */

/* Voltage and current at a for those at b: N sections, one after the other from b on. */
static void chain(guint N, double w, const double line[4], complex double *v, complex double *i)
{
  double L = line[0] / N, C = line[1] / N, R = line[2] / N, G = line[3] / N;
  for (guint k = 0; k < N; k++) {
    *i += (G + I * w * C) * *v;
    *v += (R + I * w * L) * *i;
  }
}

/* A sine of 20 kHz on lines of 1, 2 and 6 sections, settled: the phasors at both ends. */
static void test_a_line_by_its_phasors(void)
{
  static const guint N[] = {1, 2, 6};
  static const double lines[][4] = {{250e-6, 100e-9, 20, 1e-3}, {250e-6, 100e-9, 0, 0}};
  double w = 2 * G_PI * 20e3, t = 1001.25e-6;
  for (guint k = 0; k < 6; k++) {
    const double *line = lines[k / 3];
    guint n = N[k % 3];
    g_autofree char *body = g_strdup_printf(
        "<sine name='u' amplitude='100' frequency='20k'/><circuit name='c' u='u'><in name='u'/>"
        "<voltage name='U' nodes='in 0' value='u'/><resistor name='R1' nodes='in a' R='60'/>"
        "<block type='power.lc_line' name='x' N='%u' a='a' b='b' g='0' L='250u' C='100n' R='%g'"
        " G='%g'/><resistor name='R2' nodes='b 0' R='30'/>"
        "<out name='i' from='x.i[1]'/><out name='v' from='x.v[%u]'/></circuit>"
        "<experiment stop='1001.25u' " EXACT " record='c.i c.v'/>",
        n, line[2], line[3], n);
    double x[2];
    library_end(body, 2, x);
    complex double v = 1, i = 1 / 30.0;
    chain(n, w, line, &v, &i);
    complex double b = 100 / (v + 60 * i) * cexp(I * w * t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, cimag(b * i), x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, cimag(b), x[1]);
  }
}

/* A step into a line of 5 us and 50 Ohm that ends in 50 Ohm: half of it arrives after 5 us, nothing
 * long before, all of it soon after; and until then 50 Ohm is what the source sees. */
static void test_a_line_by_its_delay_and_impedance(void)
{
  g_autoptr(HyLoaded) loaded = library_load(
      "<circuit name='c'><voltage name='U' nodes='in 0' value='100'/>"
      "<resistor name='R1' nodes='in a' R='50'/>"
      "<block type='power.lc_line' name='x' N='16' a='a' b='b' g='0' L='250u' C='100n'/>"
      "<resistor name='R2' nodes='b 0' R='50'/>"
      "<out name='i' from='x.i[1]'/><out name='v' from='x.v[16]'/></circuit>"
      "<integrator name='q' in='c.i'/><integrator name='f' in='c.v'/>"
      "<experiment stop='60u' " EXACT " record='q f c.v' grid='0, 4u, 5u, 6u, 60u'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_DOUBLE_WITHIN(3, 0, hy_recorder_value(table, 1, 2));
  TEST_ASSERT_DOUBLE_WITHIN(9, 25, hy_recorder_value(table, 2, 2)); /* it overshoots afterwards */
  TEST_ASSERT_DOUBLE_WITHIN(13, 50, hy_recorder_value(table, 3, 2));
  TEST_ASSERT_DOUBLE_WITHIN(0.02 * 4e-6, 4e-6, hy_recorder_value(table, 1, 0));
  /* the area that is missing at b: half the voltage for the delay, C in front of it and behind */
  double missing = 50 * 60e-6 - hy_recorder_value(table, 4, 1);
  TEST_ASSERT_DOUBLE_WITHIN(0.01 * 50 * 5e-6, 50 * 5e-6, missing);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 50, hy_recorder_value(table, 4, 2));
}

/* Panels ----------------------------------------------------------------------------------------
 */

typedef struct {
  double Iph, I0, a, Rs, Rp;
} Panel;

/* 60 cells of 9.2 A and 38 V, Rs 0.3, Rp 300, 4 mA/K. */
static Panel panel_at(double G, double T)
{
  double k = 8.617333262e-5, a0 = 60 * 1.3 * k * 298.15, TK = T + 273.15;
  double I0 = (9.2 * (1 + 0.3 / 300) - 38 / 300.0) / (exp(38 / a0) - exp(0.3 * 9.2 / a0));
  double Iph = 38 / 300.0 + I0 * expm1(38 / a0);
  return (Panel){.Iph = Iph * (1 + 4e-3 / 9.2 * (T - 25)) * G / 1000,
                 .I0 = I0 * pow(TK / 298.15, 3) * exp(1.12 / (1.3 * k) * (1 / 298.15 - 1 / TK)),
                 .a = a0 * TK / 298.15,
                 .Rs = 0.3,
                 .Rp = 300};
}

/* The current for a voltage, by halving. */
static double panel_current(const Panel *p, double v)
{
  double low = -20, high = 20;
  for (guint k = 0; k < 100; k++) {
    double i = (low + high) / 2, vd = v + p->Rs * i;
    double rest = p->Iph - p->I0 * expm1(vd / p->a) - vd / p->Rp - i;
    low = rest > 0 ? i : low;
    high = rest > 0 ? high : i;
  }
  return low;
}

#define PANEL(G, T, LOAD)                                                                          \
  "<circuit name='c'><block type='power.pv' name='pv' p='p' n='0' G='" G "' T='" T "' Isc='9.2'"   \
  " Voc='38' cells='60' Rs='0.3' Rp='300' kI='4m'/>" LOAD                                          \
  "<out name='v' from='pv.v'/><out name='i' from='pv.i'/><out name='P' from='pv.P'/></circuit>"    \
  "<experiment stop='1m' method='%s' dqrel='1e-8' dqmin='1e-8' record='c.v c.i c.P'/>"

static void panel_run(const char *G, const char *T, double V, const char *method, double *x)
{
  g_autofree char *body = g_strdup_printf(
      PANEL("%s", "%s", "<voltage name='U' nodes='p 0' value='%.17g'/>"), G, T, V, method);
  library_end(body, 3, x);
}

/* What the data sheet says, which the parameters are made of. */
static void test_a_panel_is_what_its_data_sheet_says(void)
{
  double x[3];
  panel_run("1000", "25", 0, "cvode_bdf", x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 9.2, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, x[2]);
  panel_run("1000", "25", 38, "cvode_bdf", x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, x[1]);
}

/* Along the curve, warm and cold, in full sun and little of it; also a signal of temperature. */
static void test_a_panel_along_its_curve(void)
{
  static const struct {
    const char *G, *T;
    double g, t;
  } at[] = {{"1000", "25", 1000, 25},
            {"300", "25", 300, 25},
            {"800", "60", 800, 60},
            {"1000*t/1m", "-10 + 20*t/1m", 1000, 10}};
  static const double V[] = {-2, 0, 15, 25, 30, 34, 40};
  for (guint k = 0; k < G_N_ELEMENTS(at); k++) {
    Panel p = panel_at(at[k].g, at[k].t);
    for (guint n = 0; n < G_N_ELEMENTS(V); n++) {
      double x[3], i = panel_current(&p, V[n]);
      panel_run(at[k].G, at[k].T, V[n], "cvode_bdf", x);
      TEST_ASSERT_DOUBLE_WITHIN(k == 3 ? 2e-2 : 2e-6, i, x[1]); /* C takes what vd changes by */
      TEST_ASSERT_DOUBLE_WITHIN(k == 3 ? 1 : 1e-4, V[n] * i, x[2]);
    }
  }
  Panel warm = panel_at(1000, 75), cold = panel_at(1000, 25);
  double fall = (warm.a * log(warm.Iph / warm.I0) - cold.a * log(cold.Iph / cold.I0)) / 50 / 38;
  TEST_ASSERT_DOUBLE_WITHIN(5e-4, -3e-3, fall); /* a third of a percent a kelvin, as silicon has */
}

/* At a resistance, by methods of each kind. */
static void test_a_panel_and_a_resistance(void)
{
  static const char *const methods[] = {"cvode_bdf", "liqss2", "block_liqss2", "auto"};
  Panel p = panel_at(1000, 25);
  double low = 0, high = 40;
  for (guint k = 0; k < 100; k++) {
    double v = (low + high) / 2, i = panel_current(&p, v);
    low = i > v / 4 ? v : low;
    high = i > v / 4 ? high : v;
  }
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *body =
        g_strdup_printf(PANEL("1000", "25", "<resistor name='R' nodes='p 0' R='4'/>"), methods[k]);
    g_auto(GStrv) parts = g_strsplit(body, "1e-8", -1);
    g_autofree char *loose = g_strjoinv(k == 0 ? "1e-8" : "1e-5", parts);
    double x[3];
    library_end(loose, 3, x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, low, x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, low / 4, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-1, low * low / 4, x[2]);
  }
}

/* Batteries -------------------------------------------------------------------------------------
 */

/* 1 A h at 60 A for 15 s: from 0.8 over the corner of the curve at 0.6 down to 0.55; and with no
 * pairs, charged. */
static void test_a_battery_is_discharged(void)
{
  double x[4], t = 15;
  library_end(
      "<circuit name='c'><block type='power.battery' name='b' p='p' n='0' Q='1' M='3'"
      " ocv='3, 3.6, 4.2' at='0, 0.6, 1' R0='10m' N='2' R='5m, 8m' C='400, 10k' soc0='0.8'/>"
      "<current name='J' nodes='p 0' value='60'/><out name='v' from='b.v'/>"
      "<out name='s' from='b.soc'/><out name='e' from='b.voc'/><out name='i' from='b.i'/>"
      "</circuit><experiment stop='15' " EXACT " record='c.v c.s c.e c.i'/>",
      4, x);
  double soc = 0.8 - 60 * t / 3600, ocv = 3 + 0.6 * soc / 0.6;
  double pairs = 60 * (5e-3 * -expm1(-t / 2) + 8e-3 * -expm1(-t / 80));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, ocv - 0.6 - pairs, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, soc, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, ocv, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 60, x[3]);
  library_end("<circuit name='c'><block type='power.battery' name='b' p='p' n='0' Q='2' M='5'"
              " ocv='10, 11, 12, 13, 14' R0='0.5' soc0='0'/>"
              "<voltage name='U' nodes='p 0' value='15'/><out name='s' from='b.soc'/></circuit>"
              "<experiment stop='1000' " EXACT " record='c.s'/>",
              1, x);
  /* soc' = (5 - 4 soc)/0.5/7200 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1.25 * -expm1(-8.0 / 7200 * 1000), x[0]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_line_by_its_phasors);
  RUN_TEST(test_a_line_by_its_delay_and_impedance);
  RUN_TEST(test_a_panel_is_what_its_data_sheet_says);
  RUN_TEST(test_a_panel_along_its_curve);
  RUN_TEST(test_a_panel_and_a_resistance);
  RUN_TEST(test_a_battery_is_discharged);
  return UNITY_END();
}
