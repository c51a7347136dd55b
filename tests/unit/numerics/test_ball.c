/* The bouncing ball of the thesis: what a step across the contact costs, and what its location
 * gives. x' = v, v' = -g - s (k x + b v) / m, s = 1 below 0. */
#include "classic_run.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  bool by_state; /* contact is where x <= 0; else what is said here */
  bool contact;
} Ball;

static void ball(void *user, double t, const double *x, double *dx)
{
  const Ball *b = user;
  (void)t;
  bool contact = b->by_state ? x[0] <= 0.0 : b->contact;
  dx[0] = x[1];
  dx[1] = -9.81 - (contact ? 1e6 * x[0] + 30.0 * x[1] : 0.0);
}

static const double begin[2] = {1.0, 0.0};
static const double exact = 0.228679014; /* x(5), piecewise in closed form */

static double without_events(int steps)
{
  HyOdeRun r;
  Ball b = {.by_state = true};
  HyOde ode = {.n = 2, .f = ball, .user = &b};
  classic_start(&r, "rk4", &ode, NULL, 0.0, begin);
  classic_to(&r, 5.0, steps);
  double x = r.x[0];
  classic_free(&r);
  return x;
}

/* A step to T1 from where the run is, and back again if x changes sign in it. */
static bool crosses(HyOdeRun *r, double t1, bool contact)
{
  double t = r->t;
  double x[2] = {r->x[0], r->x[1]};
  TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(r, t1));
  bool crossed = contact ? r->x[0] > 0.0 : r->x[0] < 0.0;
  if (crossed) {
    hy_ode_start(r, t, x);
  }
  return crossed;
}

/* The last step before the crossing within (t, T1), by bisection; then the other branch. */
static void locate(HyOdeRun *r, Ball *b, double t1)
{
  double low = r->t;
  double high = t1;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    double t = r->t;
    double x[2] = {r->x[0], r->x[1]};
    if (crosses(r, middle, b->contact)) {
      high = middle;
    } else {
      low = middle;
      hy_ode_start(r, t, x);
    }
  }
  TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(r, high));
  b->contact = !b->contact;
  hy_ode_start(r, r->t, r->x);
}

static double with_events(double contact_step, int *steps)
{
  HyOdeRun r;
  Ball b = {.contact = false};
  HyOde ode = {.n = 2, .f = ball, .user = &b};
  classic_start(&r, "rk4", &ode, NULL, 0.0, begin);
  *steps = 0;
  while (r.t < 5.0) {
    double t1 = fmin(r.t + (b.contact ? contact_step : 0.01), 5.0);
    if (crosses(&r, t1, b.contact)) {
      locate(&r, &b, t1);
    }
    (*steps)++;
  }
  double x = r.x[0];
  classic_free(&r);
  return x;
}

/* Steps across the contact: the ball gains energy, or loses it, and half the step need not be
 * better. (Rounding decides in which part of a step a bounce falls, so only a few digits hold.) */
static void test_steps_across_the_contact_are_wrong(void)
{
  static const struct {
    int steps;
    double x;
  } rows[] = {{1250, 18.893},  {2500, 0.0},     {5000, 0.0923},
              {10000, 0.1999}, {50000, 0.2453}, {500000, 0.2297}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(5e-4, rows[i].x, without_events(rows[i].steps));
  }
}

static void test_location_beats_half_a_million_steps(void)
{
  static const struct {
    double contact_step, x;
    int steps;
  } rows[] = {{5e-4, 0.205756530, 545}, {2e-4, 0.228501163, 599}, {1e-4, 0.228676554, 695}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int steps = 0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, rows[i].x, with_events(rows[i].contact_step, &steps));
    TEST_ASSERT_EQUAL_INT(rows[i].steps, steps);
  }
  int steps = 0;
  double few = with_events(1e-4, &steps);
  TEST_ASSERT_TRUE(fabs(few - exact) < 3e-6 && fabs(without_events(500000) - exact) > 5e-4);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_steps_across_the_contact_are_wrong);
  RUN_TEST(test_location_beats_half_a_million_steps);
  return UNITY_END();
}
