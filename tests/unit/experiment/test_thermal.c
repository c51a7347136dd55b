/* library/thermal.xml: each type against a closed form, or against small steps of its equations. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define FINE "method='qss3' dqrel='1e-8' dqmin='1e-9'"

static void test_a_step_of_power_into_cells_of_foster(void)
{
  double x[1], wanted = 40;
  const double R[] = {0.1, 0.2, 0.3}, tau[] = {1e-3, 10e-3, 0.1}, t = 20e-3;
  library_end("<block type='thermal.foster' name='f' N='3' R='0.1, 0.2, 0.3' tau='1m, 10m, 0.1' "
              "P='50' case='40'/>"
              "<experiment stop='20m' " FINE " record='f.T'/>",
              1, x);
  for (guint k = 0; k < 3; k++) {
    wanted += 50 * R[k] * (1 - exp(-t / tau[k]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, wanted, x[0]);
}

/* Two cells by their eigenvalues, which are real; and three, which hold what has not flown out. */
static void test_a_step_of_power_into_cells_of_cauer(void)
{
  double x[6];
  library_end("<block type='thermal.cauer' name='c' N='2' R='0.5, 0.25' C='0.1, 0.4' P='50' "
              "case='30' T0='30'/>"
              "<block type='thermal.cauer' name='d' N='3' R='0.1, 0.2, 0.3' C='0.1, 0.4, 1' P='50' "
              "case='30' T0='30'/>"
              "<integrator name='kept' in='50 - d.flow'/>"
              "<experiment stop='0.1' " FINE " record='c.T c.flow kept d/cell[*]'/>",
              6, x);
  /* C1 T1' = P - (T1 - T2)/R1, C2 T2' = (T1 - T2)/R1 - T2/R2, of temperatures over the case */
  double a = -20, b = 20, c = 5, d = -15, m = (a + d) / 2, q = sqrt(m * m - (a * d - b * c)),
         t = 0.1;
  double e = exp(m * t) * cosh(q * t), h = exp(m * t) * sinh(q * t) / q;
  double s1 = 50 * 0.75, s2 = 50 * 0.25; /* in the end */
  double T1 = s1 - e * s1 - h * ((a - m) * s1 + b * s2),
         T2 = s2 - e * s2 - h * (c * s1 + (d - m) * s2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 30 + T1, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, T2 / 0.25, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, x[2], 0.1 * x[3] + 0.4 * x[4] + x[5] - 1.5 * 30);
}

/* x over the air: five sections of 2 J/K, 0.2 K/W from one to the next, 10 K/W to the air. */
static void five_sections(double t, const double *x, double *dx)
{
  (void)t;
  for (guint k = 0; k < 5; k++) {
    double in = k == 1 ? 30 : 0;
    in += k > 0 ? (x[k - 1] - x[k]) / 0.2 : 0;
    in += k < 4 ? (x[k + 1] - x[k]) / 0.2 : 0;
    dx[k] = (in - x[k] / 10) / 2;
  }
}

static void test_a_heat_sink_warms_up(void)
{
  double x[2], y[5] = {0};
  library_end(
      "<block type='thermal.heat_sink' name='h' N='5' R='1' Ra='2' C='10' at='2' P='30' air='25'/>"
      "<experiment stop='2' " FINE " record='h.T h.end'/>",
      2, x);
  rk4(five_sections, 5, y, 1e-3, 2000);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 25 + y[1], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 25 + y[4], x[1]);
}

/* In the end the temperatures are a hyperbolic cosine of the distance from the far end. */
static void test_a_heat_sink_in_the_end(void)
{
  double x[2], sum = 0, mu = acosh(1 + 0.5 * (1.0 / 40) / (2 * 40.0));
  library_end(
      "<block type='thermal.heat_sink' name='h' N='40' R='1' Ra='2' C='0.1' P='30' air='25'/>"
      "<experiment stop='5' method='block_liqss2' record='h.T h.end'/>",
      2, x);
  for (guint k = 1; k <= 40; k++) {
    sum += cosh((40.5 - k) * mu);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 25 + 30 * 80 * cosh(39.5 * mu) / sum, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 25 + 30 * 80 * cosh(0.5 * mu) / sum, x[1]);
}

/* 10 A and 400 V by turns, a thousand times a second; the energies of the data sheet scaled. */
static void test_the_energy_of_toggles_and_of_conduction(void)
{
  double x[4];
  library_end("<square name='g' frequency='1k' duty='0.25' start='0.5m'/>"
              "<block type='thermal.losses' name='l' i='if(g &gt; 0.5, 10, 0)' v='if(g &gt; 0.5, "
              "0, 400)' on='g' T='125'"
              " Ron='10m' Vf='1' alpha='5m' Eon='1m' Eoff='2m' iref='20' vref='600'/>"
              "<integrator name='E' in='l.P'/><integrator name='Ec' in='l.conduction'/><integrator "
              "name='Es' in='l.switching'/>"
              "<function name='both' formula='Ec + Es'/>"
              "<experiment stop='0.1' " FINE " record='E both Ec Es'/>",
              4, x);
  double conduction = 0.1 * 0.25 * (10e-3 * (1 + 5e-3 * 100) * 100 + 10);
  double switching = 100 * (1e-3 + 2e-3) * 10 / 20 * 400 / 600;
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, conduction, x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, switching, x[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, x[1], x[0]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_step_of_power_into_cells_of_foster);
  RUN_TEST(test_a_step_of_power_into_cells_of_cauer);
  RUN_TEST(test_a_heat_sink_warms_up);
  RUN_TEST(test_a_heat_sink_in_the_end);
  RUN_TEST(test_the_energy_of_toggles_and_of_conduction);
  return UNITY_END();
}
