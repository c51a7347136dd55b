/* Taylor arithmetic against differences of the same functions in long double, and closed forms. */
#include "numerics/taylor.h"
#include "random.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

typedef long double Wide;

static Wide at(const double *c, Wide s)
{
  return ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
}

/* The coefficients of f from its values at -4h..4h; exact for polynomials of degree 8. */
static void differences(const Wide *f, Wide h, double *c)
{
  Wide odd1 = 0.8L * (f[5] - f[3]) - 0.2L * (f[6] - f[2]) + 4.0L / 105.0L * (f[7] - f[1]) -
              (f[8] - f[0]) / 280.0L;
  Wide even = -205.0L / 72.0L * f[4] + 1.6L * (f[5] + f[3]) - 0.2L * (f[6] + f[2]) +
              8.0L / 315.0L * (f[7] + f[1]) - (f[8] + f[0]) / 560.0L;
  Wide odd3 = -61.0L / 30.0L * (f[5] - f[3]) + 169.0L / 120.0L * (f[6] - f[2]) -
              0.3L * (f[7] - f[1]) + 7.0L / 240.0L * (f[8] - f[0]);
  c[0] = (double)f[4];
  c[1] = (double)(odd1 / h);
  c[2] = (double)(even / (2.0L * h * h));
  c[3] = (double)(odd3 / (6.0L * h * h * h));
}

static void check(const double *want, const double *got, double value_within, const char *what)
{
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(value_within * fabs(want[0]), want[0], got[0], what);
  for (int k = 1; k < 4; k++) {
    double size = 1e-3 + fabs(want[0]) + fabs(want[1]) + fabs(want[2]) + fabs(want[3]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * size, want[k], got[k], what);
  }
}

typedef struct {
  const char *name;
  void (*f)(int n, const double *a, double *r);
  Wide (*wide)(Wide);
  double from, to; /* range of the value */
} Unary;

static Wide wide_over(Wide x)
{
  return 2.5L / x;
}

static void over(int n, const double *a, double *r)
{
  hy_taylor_over(n, 2.5, a, r);
}

static Wide wide_fifth(Wide x)
{
  return x * x * x * x * x;
}

static void fifth(int n, const double *a, double *r)
{
  hy_taylor_pow_int(n, a, 5, r);
}

static Wide wide_inverse_cube(Wide x)
{
  return 1.0L / (x * x * x);
}

static void inverse_cube(int n, const double *a, double *r)
{
  hy_taylor_pow_real(n, a, -3.0, r);
}

static Wide wide_power(Wide x)
{
  return powl(x, 2.75L);
}

static void power(int n, const double *a, double *r)
{
  hy_taylor_pow_real(n, a, 2.75, r);
}

/* By halving, which shares nothing with Newton's rule. */
static Wide wide_wlog(Wide x)
{
  Wide low = -40;
  Wide high = 40;
  for (int k = 0; k < 120; k++) {
    Wide y = (low + high) / 2;
    *(y + expl(y) < x ? &low : &high) = y;
  }
  return low;
}

static const Unary unaries[] = {
    {"wlog", hy_taylor_wlog, wide_wlog, -3.0, 6.0},
    {"sqrt", hy_taylor_sqrt, sqrtl, 0.5, 4.0},
    {"exp", hy_taylor_exp, expl, -3.0, 3.0},
    {"log", hy_taylor_log, logl, 0.5, 8.0},
    {"log10", hy_taylor_log10, log10l, 0.5, 8.0},
    {"sin", hy_taylor_sin, sinl, -7.0, 7.0},
    {"cos", hy_taylor_cos, cosl, -7.0, 7.0},
    {"tan", hy_taylor_tan, tanl, -1.0, 1.0},
    {"asin", hy_taylor_asin, asinl, -0.7, 0.7},
    {"acos", hy_taylor_acos, acosl, -0.7, 0.7},
    {"atan", hy_taylor_atan, atanl, -5.0, 5.0},
    {"sinh", hy_taylor_sinh, sinhl, -3.0, 3.0},
    {"cosh", hy_taylor_cosh, coshl, -3.0, 3.0},
    {"tanh", hy_taylor_tanh, tanhl, -3.0, 3.0},
    {"2.5/x", over, wide_over, 0.5, 4.0},
    {"x^5", fifth, wide_fifth, -2.0, 2.0},
    {"x^-3", inverse_cube, wide_inverse_cube, 0.5, 3.0},
    {"x^2.75", power, wide_power, 0.5, 3.0},
};

static void random_piece(uint64_t *seed, double from, double to, double *c)
{
  c[0] = from + (to - from) * 0.5 * (1.0 + random_signed(seed));
  for (int k = 1; k < 4; k++) {
    c[k] = 0.5 * random_signed(seed);
  }
}

/* From where e^y is nothing to where y is, and where neither is a number. */
static void test_wlog_far_out(void)
{
  static const double at[] = {-1e300, -800, -30, -1, 0, 0.999, 1, 1.001, 2, 700, 1e9, 1e300};
  for (unsigned k = 0; k < sizeof at / sizeof *at; k++) {
    Wide y = hy_wlog(at[k]);
    Wide x = y + expl(y); /* as far off as digits of y and of 1 make it */
    Wide slack = (3e-16L * fabsl(y) + 2e-16L) * (1 + expl(y));
    TEST_ASSERT_TRUE(fabsl(x - (Wide)at[k]) <= slack);
  }
  TEST_ASSERT_TRUE(isinf(hy_wlog(INFINITY)) && isinf(hy_wlog(-INFINITY)) && isnan(hy_wlog(NAN)));
}

static const Wide h = 0.003L;

static void test_functions_of_one_signal(void)
{
  uint64_t seed = 3;
  for (unsigned i = 0; i < sizeof unaries / sizeof *unaries; i++) {
    const Unary *u = &unaries[i];
    for (int j = 0; j < 200; j++) {
      double a[4];
      double got[4];
      double want[4];
      Wide f[9];
      random_piece(&seed, u->from, u->to, a);
      for (int k = 0; k < 9; k++) {
        f[k] = u->wide(at(a, (k - 4) * h));
      }
      differences(f, h, want);
      u->f(4, a, got);
      check(want, got, 1e-14, u->name);
    }
  }
}

typedef struct {
  const char *name;
  void (*f)(int n, const double *a, const double *b, double *r);
  Wide (*wide)(Wide, Wide);
} Binary;

static Wide wide_add(Wide a, Wide b)
{
  return a + b;
}

static Wide wide_sub(Wide a, Wide b)
{
  return a - b;
}

static Wide wide_mul(Wide a, Wide b)
{
  return a * b;
}

static Wide wide_div(Wide a, Wide b)
{
  return a / b;
}

static const Binary binaries[] = {
    {"add", hy_taylor_add, wide_add},   {"sub", hy_taylor_sub, wide_sub},
    {"mul", hy_taylor_mul, wide_mul},   {"div", hy_taylor_div, wide_div},
    {"atan2", hy_taylor_atan2, atan2l}, {"pow", hy_taylor_pow, powl},
};

static void test_functions_of_two_signals(void)
{
  uint64_t seed = 4;
  for (unsigned i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    const Binary *m = &binaries[i];
    for (int j = 0; j < 200; j++) {
      double a[4];
      double b[4];
      double got[4];
      double want[4];
      Wide f[9];
      random_piece(&seed, 0.5, 3.0, a);
      random_piece(&seed, 1.0, 3.0, b);
      for (int k = 0; k < 9; k++) {
        f[k] = m->wide(at(a, (k - 4) * h), at(b, (k - 4) * h));
      }
      differences(f, h, want);
      m->f(4, a, b, got);
      check(want, got, 4e-16 / fmin(1.0, fabs(want[0]) + 1e-300), m->name);
    }
  }
}

static void test_fewer_coefficients_are_the_first_ones(void)
{
  const double a[4] = {0.5, 0.3, -0.2, 0.1};
  for (unsigned i = 0; i < sizeof unaries / sizeof *unaries; i++) {
    double all[4];
    unaries[i].f(4, a, all);
    for (int n = 1; n < 4; n++) {
      double some[4] = {9.0, 9.0, 9.0, 9.0};
      unaries[i].f(n, a, some);
      TEST_ASSERT_EQUAL_MEMORY_MESSAGE(all, some, (size_t)n * sizeof *all, unaries[i].name);
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(9.0, some[n], unaries[i].name);
    }
  }
}

static void test_the_result_may_be_an_operand(void)
{
  const double a[4] = {0.5, 0.3, -0.2, 0.1};
  const double b[4] = {1.5, -0.4, 0.7, 0.2};
  for (unsigned i = 0; i < sizeof unaries / sizeof *unaries; i++) {
    double apart[4];
    double same[4];
    memcpy(same, a, sizeof a);
    unaries[i].f(4, a, apart);
    unaries[i].f(4, same, same);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(apart, same, sizeof a, unaries[i].name);
  }
  for (unsigned i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    double apart[4];
    double first[4];
    double second[4];
    memcpy(first, a, sizeof a);
    memcpy(second, b, sizeof b);
    binaries[i].f(4, a, b, apart);
    binaries[i].f(4, first, b, first);
    binaries[i].f(4, a, second, second);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(apart, first, sizeof a, binaries[i].name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(apart, second, sizeof a, binaries[i].name);
  }
}

/* (1 + s)^3 / (1 + s) = 1 + 2 s + s^2, and the sine of s: every digit. */
static void test_closed_forms_are_exact(void)
{
  double r[4];
  hy_taylor_pow_int(4, (double[]){1.0, 1.0, 0.0, 0.0}, 3, r);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){1.0, 3.0, 3.0, 1.0}), r, 4);
  hy_taylor_div(4, r, (double[]){1.0, 1.0, 0.0, 0.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){1.0, 2.0, 1.0, 0.0}), r, 4);
  hy_taylor_sin(4, (double[]){0.0, 1.0, 0.0, 0.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){0.0, 1.0, 0.0, -1.0 / 6.0}), r, 4);
  hy_taylor_pow_int(4, (double[]){2.0, 1.0, 0.0, 0.0}, 0, r);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){1.0, 0.0, 0.0, 0.0}), r, 4);
  hy_taylor_atan2(4, (double[]){0.0, -1.0, 0.0, 0.0}, (double[]){-2.0, 0.0, 0.0, 0.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE(M_PI, r[0]);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, r[1]);
}

/* At the border of the domain the value stands and only a derivative that does not exist is not
 * finite. */
static void test_borders_of_the_domain(void)
{
  double r[4];
  hy_taylor_sqrt(3, (double[]){0.0, 0.0, 0.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE_ARRAY(((double[]){0.0, 0.0, 0.0}), r, 3);
  hy_taylor_sqrt(2, (double[]){0.0, 1.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, r[0]);
  TEST_ASSERT_TRUE(isinf(r[1]));
  hy_taylor_pow_real(4, (double[]){0.0, 1.0, 0.0, 0.0}, 1.5, r);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, r[0]);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, r[1]);
  TEST_ASSERT_TRUE(isinf(r[2]));
  hy_taylor_asin(2, (double[]){1.0, 0.0}, r);
  TEST_ASSERT_EQUAL_DOUBLE(M_PI_2, r[0]);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, r[1]);
  hy_taylor_over(2, 1.0, (double[]){0.0, 1.0}, r);
  TEST_ASSERT_TRUE(isinf(r[0]));
  hy_taylor_log(2, (double[]){-1.0, 1.0}, r);
  TEST_ASSERT_TRUE(isnan(r[0]));
  hy_taylor_exp(3, (double[]){NAN, 0.0, 0.0}, r);
  TEST_ASSERT_TRUE(isnan(r[0]));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_wlog_far_out);
  RUN_TEST(test_functions_of_one_signal);
  RUN_TEST(test_functions_of_two_signals);
  RUN_TEST(test_fewer_coefficients_are_the_first_ones);
  RUN_TEST(test_the_result_may_be_an_operand);
  RUN_TEST(test_closed_forms_are_exact);
  RUN_TEST(test_borders_of_the_domain);
  return UNITY_END();
}
