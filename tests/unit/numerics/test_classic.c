/* The classic methods against exact solutions: error tables, stability limits, step control,
 * discontinuities, what is seen between steps, failures. */
#include "classic_run.h"
#include "numerics/classic.h"

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

static char text[200];

static void close_to(double tolerance, double expected, double got, const char *what)
{
  snprintf(text, sizeof text, "%s: %.10g, not %.10g", what, got, expected);
  TEST_ASSERT_TRUE_MESSAGE(fabs(got - expected) <= tolerance * fabs(expected), text);
}

/* ---- x' = -3 x^3 + t, x(0) = 1 ---- */

static void cubic(void *user, double t, const double *x, double *dx)
{
  (void)user;
  dx[0] = -3.0 * x[0] * x[0] * x[0] + t;
}

static void cubic_jacobian(void *user, double t, const double *x, double *j)
{
  (void)user;
  (void)t;
  j[0] = -9.0 * x[0] * x[0];
}

static void cubic_second(void *user, double t, const double *x, const double *f, double *ddx)
{
  (void)user;
  (void)t;
  ddx[0] = -9.0 * x[0] * x[0] * f[0] + 1.0;
}

static const HyOde plain = {.n = 1, .f = cubic};
static const HyOde with_derivatives = {
    .n = 1, .f = cubic, .jacobian = cubic_jacobian, .second = cubic_second};
static const double one[1] = {1.0};
static const double cubic_at_1 = 0.63681564380197;

static double cubic_error(const char *name, const HyOde *ode, int steps)
{
  HyOdeRun r;
  classic_start(&r, name, ode, NULL, 0.0, one);
  classic_to(&r, 1.0, steps);
  double error = r.x[0] - cubic_at_1;
  classic_free(&r);
  return error;
}

static void test_rk4_has_the_stages_of_the_course(void)
{
  HyOdeRun r;
  classic_start(&r, "rk4", &plain, NULL, 0.0, one);
  classic_to(&r, 0.1, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.7945315400, r.x[0]);
  TEST_ASSERT_EQUAL_INT(4, r.counts.evaluations);
  classic_free(&r);
}

static void test_errors_are_those_of_the_table(void)
{
  static const struct {
    const char *name;
    double error[3]; /* with 40, 80, 160 steps */
  } rows[] = {
      {"euler", {-3.5932e-3, -1.7844e-3, -8.8941e-4}},
      {"ab1", {-3.5932e-3, -1.7844e-3, -8.8941e-4}},
      {"taylor2", {1.9133e-4, 4.4711e-5, 1.0822e-5}},
      {"rk2", {1.0689e-4, 2.5930e-5, 6.3834e-6}},
      {"rk2_midpoint", {1.4873e-4, 3.5285e-5, 8.5988e-6}},
      {"rk4", {1.6651e-8, 1.1693e-9, 7.6413e-11}},
      {"ab4", {2.7534e-5, 2.0206e-6, 1.3790e-7}},
      {"abm4", {-2.7778e-6, -1.8133e-7, -1.1476e-8}},
      {"backward_euler", {3.5092e-3, 1.7637e-3, 8.8424e-4}},
      {"bdf1", {3.5092e-3, 1.7637e-3, 8.8424e-4}},
      {"semi_implicit_euler", {-3.4964e-3, -1.8021e-3, -9.1464e-4}},
      {"trapezoidal", {-8.4037e-5, -2.0983e-5, -5.2442e-6}},
  };
  const HyOde *odes[] = {&plain, &with_derivatives};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int k = 0; k < 3; k++) {
      for (int o = 0; o < 2; o++) {
        close_to(0.02, rows[i].error[k], cubic_error(rows[i].name, odes[o], 40 << k), rows[i].name);
      }
    }
  }
}

/* The exact solution, by far smaller steps. */
static double cubic_exact(double t)
{
  HyOdeRun r;
  classic_start(&r, "rk4", &plain, NULL, 0.0, one);
  classic_to(&r, t, 2000);
  double x = r.x[0];
  classic_free(&r);
  return t > 0.0 ? x : 1.0;
}

/* From the instant at which the past of the method is complete, exactly. */
static double bdf_error(const char *name, int steps)
{
  HyOdeRun r;
  double h = 1.0 / steps;
  int begin = hy_method_find(name)->order - 1;
  double x = cubic_exact(begin * h);
  classic_start(&r, name, &with_derivatives, NULL, begin * h, &x);
  for (int k = begin - 1; k >= 0; k--) {
    x = cubic_exact(k * h);
    r.past[r.known++][0] = x;
    r.spacing = h;
  }
  classic_to(&r, 1.0, steps - begin);
  double error = r.x[0] - cubic_at_1;
  classic_free(&r);
  return error;
}

static void test_bdf_with_an_exact_past_is_that_of_the_table(void)
{
  static const struct {
    const char *name;
    double error[4]; /* with 20, 40, 80, 160 steps */
  } rows[] = {
      {"bdf2", {-1.303e-3, -3.291e-4, -8.297e-5, -2.085e-5}},
      {"bdf3", {3.449e-4, 5.091e-5, 6.981e-6, 9.166e-7}},
      {"bdf4", {-1.527e-4, -1.381e-5, -1.078e-6, -7.620e-8}},
      {"bdf5", {8.097e-5, 4.855e-6, 2.258e-7, 8.834e-9}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int k = 0; k < 4; k++) {
      close_to(0.02, rows[i].error[k], bdf_error(rows[i].name, 20 << k), rows[i].name);
    }
  }
}

/* Also where a multistep method has to make its own start. */
static void test_every_method_has_its_order(void)
{
  EACH_TEXTBOOK(m)
  {
    if (!m->textbook->adaptive) {
      double coarse = cubic_error(m->name, &plain, 80);
      double fine = cubic_error(m->name, &plain, 160);
      double order = log2(fabs(coarse / fine));
      TEST_ASSERT_TRUE_MESSAGE(fabs(order - m->textbook->order) < 0.45, m->name);
    }
  }
}

/* ---- x'' + b x' + c x = 0: oscillations and stiffness ---- */

typedef struct {
  double b, c;
  double x0;
} Second;

static void second_order(void *user, double t, const double *x, double *dx)
{
  const Second *s = user;
  (void)t;
  dx[0] = x[1];
  dx[1] = -s->c * x[0] - s->b * x[1];
}

static void second_order_jacobian(void *user, double t, const double *x, double *j)
{
  const Second *s = user;
  (void)t;
  (void)x;
  j[0] = 0.0;
  j[1] = 1.0;
  j[2] = -s->c;
  j[3] = -s->b;
}

/* x(0) = x0, x'(0) = 0 */
static double second_exact(const Second *s, double t)
{
  double d = 0.25 * s->b * s->b - s->c;
  double a = -0.5 * s->b;
  if (d < 0.0) {
    double w = sqrt(-d);
    return s->x0 * exp(a * t) * (cos(w * t) - a / w * sin(w * t));
  }
  double fast = a - sqrt(d);
  double slow = s->c / fast;
  return s->x0 * (fast * exp(slow * t) - slow * exp(fast * t)) / (fast - slow);
}

static HyOde second_ode(Second *s)
{
  return (HyOde){.n = 2, .f = second_order, .jacobian = second_order_jacobian, .user = s};
}

typedef struct {
  double most, last;
} Errors;

/* Steps of H to T, or to the last before it. */
static Errors second_errors(Second *s, const char *name, double h, double end)
{
  HyOdeRun r;
  HyOde ode = second_ode(s);
  double x0[2] = {s->x0, 0.0};
  Errors e = {0.0, 0.0};
  classic_start(&r, name, &ode, NULL, 0.0, x0);
  for (int k = 1; k * h < end + 1e-9; k++) {
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, k * h));
    e.last = fabs(r.x[0] - second_exact(s, r.t));
    e.most = fmax(e.most, e.last);
  }
  classic_free(&r);
  return e;
}

static void test_oscillations_have_the_errors_of_the_course(void)
{
  static const struct {
    double xi, h;
    double error[4]; /* RK2: max, at 12.6; RK4: likewise */
  } rows[] = {
      {0.0, 0.01, {0.0184134, 0.000550856, 9.20738e-08, 2.66e-09}},
      {0.0, 0.02, {0.0737017, 0.00159999, 1.4743e-06, 2.85e-08}},
      {0.0, 0.05, {0.46141, 0.000660503, 5.77027e-05, 5.27453e-07}},
      {0.0, 0.1, {1.84966, 0.0650926, 0.000926407, 5.21685e-05}},
      {0.0, 0.2, {7.46971, 0.636557, 0.0149166, 0.00222895}},
      {0.0, 0.5, {48.5259, 11.4347, 0.594626, 0.302936}},
      {0.0, 1.0, {315.427, 202.553, 9.48041, 9.48041}},
      {0.5, 0.01, {0.00111826, 2.57389e-05, 6.54e-09, 9.4e-11}},
      {0.5, 0.02, {0.00450306, 0.00010426, 1.04983e-07, 1.48e-09}},
      {0.5, 0.05, {0.0286968, 0.000675277, 4.13652e-06, 5.58e-08}},
      {0.5, 0.1, {0.118384, 0.00284574, 6.71516e-05, 8.34e-07}},
      {0.5, 0.2, {0.504357, 0.0122775, 0.00110482, 1.12677e-05}},
      {0.5, 0.5, {3.59918, 0.0853298, 0.0459756, 1.29e-05}},
      {0.5, 1.0, {15.97, 0.282893, 0.794976, 0.0327431}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Second s = {2.0 * rows[i].xi, 1.0, 100.0};
    double small = 1e-2;
    double digits = 1e-5;
    const double *e = rows[i].error;
    close_to(digits, e[0], second_errors(&s, "rk2", rows[i].h, 13.0).most, "RK2, max");
    close_to(digits, e[1], second_errors(&s, "rk2", rows[i].h, 12.6).last, "RK2 at 12.6");
    close_to(small, e[2], second_errors(&s, "rk4", rows[i].h, 13.0).most, "RK4, max");
    close_to(small, e[3], second_errors(&s, "rk4", rows[i].h, 12.6).last, "RK4 at 12.6");
  }
}

static Second stiff = {1001.0, 1000.0, 1000.0}; /* S1 */
static Second ringing = {2.0, 10001.0, 1.0};    /* S2 */

static void test_stiff_examples_have_the_errors_of_the_table(void)
{
  static const struct {
    Second *s;
    const char *name;
    double h, most;
  } rows[] = {
      {&stiff, "backward_euler", 1e-1, 1.7682e+1},
      {&stiff, "backward_euler", 1e-2, 1.8336},
      {&stiff, "backward_euler", 2e-3, 3.6794e-1},
      {&stiff, "rk4", 2e-3, 1.9820e-1},
      {&stiff, "euler", 1e-3, 3.6775e-1},
      {&stiff, "rk2", 1e-3, 1.3225e-1},
      {&stiff, "rk4", 1e-3, 7.1277e-3},
      {&stiff, "euler", 1e-4, 1.9170e-2},
      {&stiff, "rk2", 1e-4, 6.6220e-4},
      {&stiff, "rk4", 1e-4, 3.3357e-7},
      {&ringing, "backward_euler", 1e-2, 9.0646e-1},
      {&ringing, "rk4", 1e-2, 2.3723e-1},
      {&ringing, "backward_euler", 1e-3, 5.8193e-1},
      {&ringing, "rk2", 1e-3, 6.1484e-2},
      {&ringing, "rk4", 1e-3, 3.0687e-5},
      {&ringing, "euler", 1e-4, 2.5005e-1},
      {&ringing, "rk2", 1e-4, 6.1325e-4},
      {&ringing, "rk4", 1e-4, 3.0667e-9},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double got = second_errors(rows[i].s, rows[i].name, rows[i].h, 5.0).most;
    close_to(1e-3, rows[i].most, got, rows[i].name);
  }
}

/* ---- stability: the factor of one step on x' = z x ---- */

typedef struct {
  double re, im;
} Rate;

static void rate_f(void *user, double t, const double *x, double *dx)
{
  const Rate *z = user;
  (void)t;
  dx[0] = z->re * x[0] - z->im * x[1];
  dx[1] = z->im * x[0] + z->re * x[1];
}

/* |x| after many steps of 1: grown or not. */
static bool stable(const char *name, Rate z)
{
  HyOdeRun r;
  HyOde ode = {.n = 2, .f = rate_f, .user = &z};
  classic_start(&r, name, &ode, NULL, 0.0, (double[2]){1.0, 0.0});
  classic_to(&r, 4000.0, 4000);
  bool small = hypot(r.x[0], r.x[1]) < 2.0;
  classic_free(&r);
  return small;
}

static void test_stability_limits_on_the_real_axis(void)
{
  static const struct {
    const char *name;
    double limit; /* INFINITY: none */
  } rows[] = {
      {"euler", 2.0},
      {"rk2", 2.0},
      {"rk2_midpoint", 2.0},
      {"taylor2", 2.0},
      {"rk4", 2.7852936},
      {"ab1", 2.0},
      {"ab2", 1.0},
      {"ab3", 6.0 / 11},
      {"ab4", 0.3},
      {"ab5", 90.0 / 551},
      {"ab6", 5.0 / 57},
      {"backward_euler", INFINITY},
      {"trapezoidal", INFINITY},
      {"semi_implicit_euler", INFINITY},
      {"bdf1", INFINITY},
      {"bdf2", INFINITY},
      {"bdf3", INFINITY},
      {"bdf4", INFINITY},
      {"bdf5", INFINITY},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double limit = rows[i].limit;
    bool inside = stable(rows[i].name, (Rate){isinf(limit) ? -1e3 : -0.98 * limit, 0.0});
    TEST_ASSERT_TRUE_MESSAGE(inside, rows[i].name);
    if (isfinite(limit)) {
      TEST_ASSERT_FALSE_MESSAGE(stable(rows[i].name, (Rate){-1.02 * limit, 0.0}), rows[i].name);
    }
  }
}

/* ---- step control ---- */

typedef struct {
  Second *s;
  double d0;
  int root;
  double accepted, rejected, evaluations, error;
} Doubling;

static HyOdeCounts doubling_counts(const Doubling *d, double *error)
{
  HyOdeRun r;
  HyOdeSettings set = hy_ode_settings;
  set.rtol = 0.0;
  set.atol = d->d0;
  set.root = d->root;
  set.first = 2e-5;
  HyOde ode = second_ode(d->s);
  classic_start(&r, "rk45_doubling", &ode, &set, 0.0, (double[2]){d->s->x0, 0.0});
  *error = 0.0;
  while (r.t < 5.0) {
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, 5.0));
    *error = fmax(*error, fabs(r.x[0] - second_exact(d->s, r.t)));
  }
  TEST_ASSERT_TRUE(r.t == 5.0);
  HyOdeCounts counts = r.counts;
  classic_free(&r);
  return counts;
}

/* An attempt after a rejection knows its first slope already, so it needs 10 evaluations and not
 * the 11 of the page. */
static void test_step_doubling_costs_what_the_table_says(void)
{
  static const Doubling rows[] = {
      {&stiff, 1e-2, 5, 923, 1187, 23210, 1.4e-5},
      {&stiff, 1e-2, 4, 918, 464, 15202, 3.7e-5},
      {&stiff, 1e-4, 5, 959, 1840, 30789, 1.4e-7},
      {&stiff, 1e-4, 4, 949, 472, 15631, 9.9e-7},
      {&ringing, 1e-3, 5, 1125, 616, 19151, 2.4e-4},
      {&ringing, 1e-3, 4, 1144, 577, 18931, 2.3e-4},
      {&ringing, 1e-5, 5, 2748, 1389, 45507, 7.3e-6},
      {&ringing, 1e-5, 4, 2768, 1356, 45364, 7.1e-6},
      {&ringing, 1e-7, 5, 6788, 3291, 110869, 2.1e-7},
      {&ringing, 1e-7, 4, 6809, 3364, 111903, 2.0e-7},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double error = 0.0;
    HyOdeCounts c = doubling_counts(&rows[i], &error);
    close_to(0.01, rows[i].accepted, (double)c.accepted, "accepted");
    close_to(0.04, rows[i].rejected, (double)c.rejected, "rejected");
    close_to(0.15, rows[i].evaluations, (double)c.evaluations, "evaluations");
    close_to(0.05, rows[i].error, error, "error");
    TEST_ASSERT_EQUAL_INT(11 * c.accepted + 10 * c.rejected, c.evaluations);
  }
}

static void test_rkf45_keeps_its_tolerance(void)
{
  static const double tolerance[] = {1e-4, 1e-6, 1e-8};
  for (int i = 0; i < 3; i++) {
    double tol = tolerance[i];
    HyOdeRun r;
    HyOdeSettings set = hy_ode_settings;
    set.rtol = set.atol = tol;
    HyOde ode = second_ode(&ringing);
    classic_start(&r, "rkf45", &ode, &set, 0.0, (double[2]){1.0, 0.0});
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_advance(&r, 0.5));
    double error = fabs(r.x[0] - second_exact(&ringing, 0.5));
    TEST_ASSERT_TRUE(r.t == 0.5 && error < 20.0 * tol); /* after eight periods */
    TEST_ASSERT_TRUE(r.counts.rejected < r.counts.accepted / 2);
    classic_free(&r);
  }
}

/* ---- x' = -x until tc, then x' = -x + 10 ---- */

typedef struct {
  bool by_time; /* the right side looks at t; else at `late` */
  bool late;
  double tc;
} Switched;

static void switched(void *user, double t, const double *x, double *dx)
{
  const Switched *s = user;
  bool late = s->by_time ? t >= s->tc : s->late;
  dx[0] = -x[0] + (late ? 10.0 : 0.0);
}

static double switched_exact(double tc)
{
  return 10.0 + (exp(-tc) - 10.0) * exp(-(2.0 - tc));
}

typedef enum { NOTHING, OLD_BRANCH, HISTORY_KEPT, RESTART } Handling;

/* The error at 2. To the grid belong the multiples of H; a step that ends at tc and the next one,
 * to the grid again, are shorter. */
static double switched_error(const char *name, double tc, Handling handling, double h)
{
  HyOdeRun r;
  Switched s = {.by_time = handling == NOTHING, .tc = tc};
  HyOde ode = {.n = 1, .f = switched, .user = &s};
  classic_start(&r, name, &ode, NULL, 0.0, one);
  int steps = (int)lround(2.0 / h);
  for (int k = 1; k <= steps; k++) {
    double t1 = k * h;
    if (handling != NOTHING && !s.late && t1 >= tc - 1e-9) {
      TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, tc));
      s.late = true;
      if (handling == RESTART) {
        hy_ode_start(&r, r.t, r.x);
      }
    }
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, t1));
  }
  double error = r.x[0] - switched_exact(tc);
  classic_free(&r);
  return error;
}

static void test_discontinuities_are_handled_as_in_the_table(void)
{
  static const struct {
    const char *name;
    double tc;
    Handling handling;
    double error[3]; /* h = 0.1, 0.05, 0.025 */
  } rows[] = {
      {"rk4", 0.537, NOTHING, {4.69e-2, -1.07e-2, 1.81e-2}},
      {"rk4", 0.537, OLD_BRANCH, {-2.72e-6, -1.68e-7, -1.03e-8}},
      {"ab4", 0.537, RESTART, {-9.73e-5, -6.58e-6, -4.16e-7}},
      {"trapezoidal", 0.5, OLD_BRANCH, {2.57e-3, 6.41e-4, 1.60e-4}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int k = 0; k < 3; k++) {
      double h = 0.1 / (1 << k);
      double error = switched_error(rows[i].name, rows[i].tc, rows[i].handling, h);
      close_to(5e-3, rows[i].error[k], error, rows[i].name);
    }
  }
}

/* The orders are 4, 1, 4, 2: with the history kept the order of the method is lost. (A history is
 * kept over equal steps only, so tc is an instant of the grid.) */
static void test_discontinuities_cost_the_order_that_the_table_says(void)
{
  static const struct {
    const char *name;
    Handling handling;
    double order;
  } rows[] = {
      {"rk4", OLD_BRANCH, 4.0},
      {"ab4", HISTORY_KEPT, 1.0},
      {"ab4", RESTART, 4.0},
      {"trapezoidal", OLD_BRANCH, 2.0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double coarse = switched_error(rows[i].name, 0.5, rows[i].handling, 0.05);
    double fine = switched_error(rows[i].name, 0.5, rows[i].handling, 0.025);
    double order = log2(fabs(coarse / fine));
    TEST_ASSERT_TRUE_MESSAGE(fabs(order - rows[i].order) < 0.2, rows[i].name);
  }
}

/* ---- between steps ---- */

static void test_dense_output_of_rk4_has_order_4(void)
{
  static const double error[] = {4.165e-6, 2.604e-7, 1.628e-8};
  for (int k = 0; k < 3; k++) {
    double h = 0.2 / (1 << k);
    HyOdeRun r;
    Second s = {0.0, 1.0, 1.0};
    HyOde ode = second_ode(&s);
    classic_start(&r, "rk4", &ode, NULL, 0.0, (double[2]){1.0, 0.0});
    classic_to(&r, h, 1);
    double c[4];
    hy_ode_piece(&r, 0, c);
    double m = 0.5 * h;
    double middle = c[0] + m * (c[1] + m * (c[2] + m * c[3]));
    close_to(5e-4, error[k], fabs(middle - cos(m)), "in the middle");
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, r.x[0], c[0] + h * (c[1] + h * (c[2] + h * c[3])));
    classic_free(&r);
  }
}

static void half_a_second(void *user, double t, const double *x, double *dx)
{
  (void)user, (void)t, (void)x;
  dx[0] = 0.0;
  dx[1] = 0.5;
}

/* However short: such steps lead to crossings, and one that moves nothing does not get there. */
static void test_a_step_of_any_length_moves_the_state(void)
{
  HyOde ode = {.n = 2, .f = half_a_second};
  EACH_TEXTBOOK(m)
  {
    HyOdeRun r;
    classic_start(&r, m->name, &ode, NULL, 0.0, (double[]){1.0, -1e-15});
    TEST_ASSERT_EQUAL_INT_MESSAGE(HY_ODE_DONE, hy_ode_step(&r, 2e-15), m->name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-18, 0.0, r.x[1], m->name);
    classic_free(&r);
  }
}

/* ---- what has no answer ---- */

static void never(void *user, double t, const double *x, double *dx)
{
  (void)user;
  (void)t;
  dx[0] = x[0] * x[0] + 1.0;
}

static void test_a_failed_step_says_so_and_leaves_the_state(void)
{
  HyOde ode = {.n = 1, .f = never};
  static const char *const names[] = {"backward_euler", "trapezoidal", "bdf1", "bdf4"};
  for (int i = 0; i < 4; i++) {
    HyOdeRun r; /* z = x + 10 (z^2 + 1) has no solution */
    classic_start(&r, names[i], &ode, NULL, 0.0, one);
    HyOdeEnd end = hy_ode_step(&r, 10.0);
    TEST_ASSERT_TRUE_MESSAGE(end == HY_ODE_NEWTON || end == HY_ODE_SINGULAR, names[i]);
    TEST_ASSERT_TRUE(r.t == 0.0 && r.x[0] == 1.0 && r.counts.accepted == 0);
    TEST_ASSERT_TRUE(r.newton.worst > 0.1);
    classic_free(&r);
  }
}

static void not_a_number(void *user, double t, const double *x, double *dx)
{
  (void)user;
  dx[0] = t > 0.5 ? NAN : -x[0];
}

static void test_what_is_not_finite_stops_every_method(void)
{
  HyOde ode = {.n = 1, .f = not_a_number};
  EACH_TEXTBOOK(m)
  {
    HyOdeRun r;
    classic_start(&r, m->name, &ode, NULL, 0.0, one);
    HyOdeEnd end = HY_ODE_DONE;
    for (int k = 1; k <= 20 && end == HY_ODE_DONE; k++) {
      end = hy_ode_advance(&r, k * 0.1);
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(HY_ODE_NOT_FINITE, end, m->name);
    TEST_ASSERT_TRUE_MESSAGE(r.t < 0.75 && isfinite(r.x[0]), m->name);
    classic_free(&r);
  }
}

static void test_a_step_may_not_be_smaller_than_the_least(void)
{
  HyOdeRun r;
  HyOdeSettings set = hy_ode_settings;
  set.rtol = set.atol = 1e-10;
  set.first = 0.1;
  set.least = 0.01;
  HyOde ode = second_ode(&ringing);
  classic_start(&r, "rkf45", &ode, &set, 0.0, (double[2]){1.0, 0.0});
  TEST_ASSERT_EQUAL_INT(HY_ODE_TOO_SMALL, hy_ode_advance(&r, 1.0));
  TEST_ASSERT_TRUE(r.t < 0.02);
  classic_free(&r);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_rk4_has_the_stages_of_the_course);
  RUN_TEST(test_errors_are_those_of_the_table);
  RUN_TEST(test_bdf_with_an_exact_past_is_that_of_the_table);
  RUN_TEST(test_every_method_has_its_order);
  RUN_TEST(test_oscillations_have_the_errors_of_the_course);
  RUN_TEST(test_stiff_examples_have_the_errors_of_the_table);
  RUN_TEST(test_stability_limits_on_the_real_axis);
  RUN_TEST(test_step_doubling_costs_what_the_table_says);
  RUN_TEST(test_rkf45_keeps_its_tolerance);
  RUN_TEST(test_discontinuities_are_handled_as_in_the_table);
  RUN_TEST(test_discontinuities_cost_the_order_that_the_table_says);
  RUN_TEST(test_dense_output_of_rk4_has_order_4);
  RUN_TEST(test_a_step_of_any_length_moves_the_state);
  RUN_TEST(test_a_failed_step_says_so_and_leaves_the_state);
  RUN_TEST(test_what_is_not_finite_stops_every_method);
  RUN_TEST(test_a_step_may_not_be_smaller_than_the_least);
  return UNITY_END();
}
