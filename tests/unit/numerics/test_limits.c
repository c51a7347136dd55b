/* The limit of a step by its inputs, for a method that looks at them at its own two ends only:
 * x' = -x + q with a q of pulses, which may not be lost, and with a q of many small stairs, which
 * may not all become steps. */
#include "classic_run.h"
#include "numerics/step_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define EVENTS  10000
#define END     5.0
#define LONGEST 0.5

typedef struct {
  int n;
  double t[EVENTS], q[EVENTS]; /* q from t on; the first at 0 */
} Signal;

static Signal input;

static void add(double t, double q)
{
  TEST_ASSERT_TRUE(input.n < EVENTS);
  input.t[input.n] = t;
  input.q[input.n++] = q;
}

/* The line between the two ends of the step under way. */
typedef struct {
  double t0, t1, q0, q1;
} Line;

static void filter(void *user, double t, const double *x, double *dx)
{
  const Line *l = user;
  dx[0] = -x[0] + l->q0 + (l->q1 - l->q0) * (t - l->t0) / (l->t1 - l->t0);
}

/* Where the step from T that would end at END has to end, given the events in between; I is the
 * last event at T. */
static double limited(double t, double end, int i, double tolerance)
{
  double begin = input.q[i];
  double integral = 0.0;
  double from = t;
  for (; i + 1 < input.n && input.t[i + 1] < end; i++) {
    double now = input.t[i + 1];
    integral += input.q[i] * (now - from);
    from = now;
    HyInputChange c = {.e = now - t, .begin = begin, .value = input.q[i + 1], .integral = integral};
    end = fmin(end, fmax(now, t + hy_input_limit(&c, 1.0, tolerance)));
  }
  return end;
}

/* The last event before T, or at T. */
static int event_at(double t, int i, bool itself)
{
  while (i + 1 < input.n && (input.t[i + 1] < t || (itself && input.t[i + 1] == t))) {
    i++;
  }
  return i;
}

/* Heun, with Euler's method as the estimate of the error. */
static double run(double eps, bool limit, long *steps)
{
  HyOdeRun r;
  Line line = {0.0, 1.0, 0.0, 0.0};
  HyOde ode = {.n = 1, .f = filter, .user = &line};
  classic_start(&r, "rk2", &ode, NULL, 0.0, (double[1]){0.0});
  double h = 1e-3;
  int i = 0;
  while (r.t < END) {
    double tolerance = eps * fabs(r.x[0]) + eps;
    double end = fmin(r.t + h, END);
    end = limit ? limited(r.t, end, i, tolerance) : end;
    /* a step that ends at an event takes the value before it */
    line = (Line){r.t, end, input.q[i], input.q[event_at(end, i, false)]};
    double x = r.x[0];
    double before = r.t;
    hy_ode_restart(&r); /* another line */
    double slope = 0.0;
    filter(&line, r.t, &x, &slope);
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, end));
    double taken = end - before;
    double error = fabs(r.x[0] - (x + taken * slope));
    h = fmin(LONGEST, taken * fmin(fmax(0.9 * sqrt(tolerance / error), 0.1), 4.0));
    if (error > tolerance) {
      hy_ode_start(&r, before, &x);
      r.counts.accepted--;
      continue;
    }
    i = event_at(r.t, i, true);
  }
  double x = r.x[0];
  *steps = r.counts.accepted;
  classic_free(&r);
  return x;
}

/* 100 for a millisecond, twice. */
static void test_no_pulse_is_lost(void)
{
  static const double at[2] = {2.037, 3.511};
  double exact = 0.0;
  input.n = 0;
  add(0.0, 0.0);
  for (int i = 0; i < 2; i++) {
    add(at[i], 100.0);
    add(at[i] + 0.001, 0.0);
    exact += 100.0 * (exp(at[i] + 0.001 - END) - exp(at[i] - END));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.027740, exact);
  long steps = 0;
  TEST_ASSERT_DOUBLE_WITHIN(5e-4, exact, run(1e-3, true, &steps));
  TEST_ASSERT_TRUE(steps <= 60);
  TEST_ASSERT_TRUE(fabs(run(1e-3, false, &steps)) < 1e-9); /* as if there had been none */
}

static void stairs(double quantum)
{
  double q = 0.0;
  input.n = 0;
  add(0.0, 0.0);
  for (int k = 1; k <= 2000000; k++) {
    double t = k * (END / 2000000);
    double s = sin(3.0 * t);
    if (fabs(s - q) >= quantum) {
      q += s > q ? quantum : -quantum;
      add(t, q);
    }
  }
}

static void test_stairs_do_not_all_become_steps(void)
{
  static const double quantum[] = {0.01, 0.001};
  static const double eps[] = {1e-3, 1e-2};
  for (int i = 0; i < 2; i++) {
    stairs(quantum[i]);
    long steps = 0;
    double x = run(eps[i], true, &steps);
    double exact = (sin(3.0 * END) - 3.0 * cos(3.0 * END) + 3.0 * exp(-END)) / 10.0;
    TEST_ASSERT_TRUE(input.n > 900 * (i == 0 ? 1 : 10));
    TEST_ASSERT_TRUE(steps <= 200);
    TEST_ASSERT_DOUBLE_WITHIN(3.0 * eps[i], exact, x);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_no_pulse_is_lost);
  RUN_TEST(test_stairs_do_not_all_become_steps);
  return UNITY_END();
}
