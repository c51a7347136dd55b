/* One cell of Tyson's model of the cell cycle: six states, rates from 1e-2 to 1e6, a stiff pair. */
#include "driver.h"
#include "numerics/taylor.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

enum { C2, CP, PM, M, Y, YP };

static const double k1 = 0.015, k3 = 200.0, k4 = 180.0, k4p = 0.018, k6 = 1.0, k7 = 0.6, k8 = 1e6,
                    k9 = 1e3;

static int evaluations;

/* pM F(M) with F = k4' + k4 (M/CT)^2, CT = C2 + CP + pM + M */
static void activation(int n, double (*q)[4], double *r)
{
  double f[4] = {0.0, 0.0, 0.0, 0.0};
  for (int k = 0; k < n; k++) {
    f[k] = q[C2][k] + q[CP][k] + q[PM][k] + q[M][k];
  }
  hy_taylor_div(n, q[M], f, f);
  hy_taylor_mul(n, f, f, f);
  hy_taylor_scale(n, k4, f, f);
  f[0] += k4p;
  hy_taylor_mul(n, q[PM], f, r);
}

static void cell(int i, int n, double (*q)[4], double *dx)
{
  double cpy[4];
  double pmf[4];
  hy_taylor_mul(n, q[CP], q[Y], cpy);
  activation(n, q, pmf);
  for (int k = 0; k < n; k++) {
    const double f[6] = {
        k6 * q[M][k] - k8 * q[C2][k] + k9 * q[CP][k],
        -k3 * cpy[k] + k8 * q[C2][k] - k9 * q[CP][k],
        k3 * cpy[k] - pmf[k],
        pmf[k] - k6 * q[M][k],
        (k == 0 ? k1 : 0.0) - k3 * cpy[k],
        k6 * q[M][k] - k7 * q[YP][k],
    };
    dx[k] = f[i];
  }
  evaluations++;
}

static double cell_partial(int i, double (*q)[4])
{
  double ct = q[C2][0] + q[CP][0] + q[PM][0] + q[M][0];
  double g = q[M][0] / ct;
  const double a[6] = {
      -k8,
      -k3 * q[Y][0] - k9,
      -k4p - k4 * g * g + 2.0 * q[PM][0] * k4 * g * g / ct,
      2.0 * q[PM][0] * k4 * g * (1.0 - g) / ct - k6,
      -k3 * q[CP][0],
      -k7,
  };
  return a[i];
}

static const DriverSystem cycle = {
    .n = 6,
    .x0 = {0.0, 0.75, 0.25, 0.0, 0.0, 0.0},
    .reads = {1U << C2 | 1U << CP | 1U << M, 1U << C2 | 1U << CP | 1U << Y,
              1U << C2 | 1U << CP | 1U << PM | 1U << M | 1U << Y,
              1U << C2 | 1U << CP | 1U << PM | 1U << M, 1U << CP | 1U << Y, 1U << M | 1U << YP},
    .f = cell,
    .partial = cell_partial,
};

static void check(const char *method, double tol, double want, double within)
{
  const double dq[6] = {tol, tol, tol, tol, tol, tol};
  Driver d;
  evaluations = 0;
  driver_start(&d, &cycle, hy_method_find(method)->quantizer, dq, tol);
  driver_run(&d, 50.0, 1000000);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within * want, want, evaluations, method);
}

/* The prototype counted 356 804 at 1e-3: that is what q = x - g/a in place of -u/a gives. */
static void test_liqss1(void)
{
  check("liqss1", 1e-3, 16698, 0.05);
  check("liqss1", 1e-5, 1305442, 0.01);
}

static void test_liqss2(void)
{
  check("liqss2", 1e-3, 480874, 0.01);
  check("liqss2", 1e-5, 477684, 0.01);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_liqss1);
  RUN_TEST(test_liqss2);
  return UNITY_END();
}
