/* A stiff nonlinear line of 1000 states (advection, diffusion, reaction) on the arithmetic alone:
 * the counts of LIQSS2 with and without a fresh derivative at own steps. */
#include "numerics/methods.h"
#include "numerics/poly.h"
#include "numerics/taylor.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define N      1000
#define LEAVES 1024

static const double a = 1.0, d = 0.001, r = 1000.0, h = 10.0 / N;

typedef struct {
  const HyQuantizer *method;
  HyQState v[N + 1];        /* 1..N; u_0 = 1 */
  double first[2 * LEAVES]; /* a tree of minima over tn */
  int steps, evaluations;
} Line;

static Line line;

static void line_q(int j, double t, double *q)
{
  memset(q, 0, 4 * sizeof *q);
  q[0] = 1.0;
  if (j > 0) {
    memcpy(q, line.v[j].q, sizeof line.v[j].q);
    hy_poly_shift(q, line.method->order, t - line.v[j].tq);
  }
}

/* u_i' = -a (u_i - u_(i-1))/h + d (u_(i+1) - 2 u_i + u_(i-1))/h^2 + r (u_i^2 - u_i^3) */
static void line_f(int i, double t, double *dx)
{
  double left[4];
  double u[4];
  double right[4];
  double uu[4];
  double uuu[4];
  int n = line.method->order;
  line_q(i - 1, t, left);
  line_q(i, t, u);
  line_q(i < N ? i + 1 : N - 1, t, right);
  hy_taylor_mul(n, u, u, uu);
  hy_taylor_mul(n, uu, u, uuu);
  for (int k = 0; k < n; k++) {
    dx[k] = -a * (u[k] - left[k]) / h + d * (right[k] - 2.0 * u[k] + left[k]) / (h * h) +
            r * (uu[k] - uuu[k]);
  }
  line.evaluations++;
}

static double line_partial(int i, double t)
{
  double u[4];
  line_q(i, t, u);
  return -a / h - 2.0 * d / (h * h) + r * (2.0 * u[0] - 3.0 * u[0] * u[0]);
}

static void line_evaluate(int i, double t)
{
  double dx[4];
  line_f(i, t, dx);
  line.method->derivative(&line.v[i], t, dx);
}

static void line_schedule(int i)
{
  int p = LEAVES + i;
  line.first[p] = line.v[i].tn;
  for (p /= 2; p > 0; p /= 2) {
    int left = 2 * p;
    line.first[p] = fmin(line.first[left], line.first[left + 1]);
  }
}

static void line_start(const HyQuantizer *method, double tol)
{
  line = (Line){.method = method};
  for (int p = 0; p < 2 * LEAVES; p++) {
    line.first[p] = INFINITY;
  }
  for (int i = 1; i <= N; i++) {
    line.v[i] = (HyQState){.rel = tol, .min = tol};
    method->start(&line.v[i], 0.0, i <= N / 5 ? 1.0 : 0.0);
  }
  for (int k = 0; k < method->order; k++) {
    for (int i = 1; i <= N; i++) {
      method->step(&line.v[i], 0.0);
    }
    for (int i = 1; i <= N; i++) {
      line_evaluate(i, 0.0);
    }
  }
  for (int i = 1; i <= N; i++) {
    line_schedule(i);
  }
}

static void line_step(bool refresh)
{
  int p = 1;
  while (p < LEAVES) {
    int left = 2 * p;
    p = line.first[left] == line.first[p] ? left : left + 1;
  }
  int i = p - LEAVES;
  double t = line.first[p];
  line.v[i].a = line_partial(i, t);
  if (refresh) {
    double dx[4];
    line_f(i, t, dx);
    hy_qstate_refresh(&line.v[i], t, line.method->order, dx);
  }
  line.method->step(&line.v[i], t);
  line.steps++;
  for (int j = i > 1 ? i - 1 : 1; j <= i + 1 && j <= N; j++) {
    line_evaluate(j, t);
    line_schedule(j);
  }
  line_schedule(i);
}

static void check(double tol, bool refresh, int steps, double within)
{
  line_start(hy_method_find("liqss2")->quantizer, tol);
  while (line.first[1] <= 10.0) {
    line_step(refresh);
  }
  TEST_ASSERT_DOUBLE_WITHIN(within * steps, steps, line.steps);
  for (int i = 1; i <= N; i++) { /* the front has passed */
    TEST_ASSERT_DOUBLE_WITHIN(50.0 * tol, 1.0, hy_qstate_x(&line.v[i], 10.0));
  }
}

static void test_liqss2(void)
{
  check(1e-3, false, 257193, 1e-3); /* 773 283 evaluations in all */
  TEST_ASSERT_DOUBLE_WITHIN(773.0, 773283, line.evaluations);
}

static void test_liqss2_with_refresh(void)
{
  check(1e-2, true, 23853, 1e-3);
  check(1e-3, true, 39644, 1e-3);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_liqss2);
  RUN_TEST(test_liqss2_with_refresh);
  return UNITY_END();
}
