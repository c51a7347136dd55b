/* Eigenvalues of stiff matrices, over 13 decades, against closed forms. */
#include "numerics/eigen.h"
#include "random.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define MOST 12

static double complex value[MOST], right[MOST * MOST], left[MOST * MOST];
static double complex work[4 * MOST * MOST];

static void solve(int n, const double *a)
{
  TEST_ASSERT_TRUE(hy_eigen_room(n) <= sizeof work / sizeof *work);
  TEST_ASSERT_TRUE(hy_eigen(n, a, value, right, left, work));
  for (int i = 0; i < n; i++) { /* real, or beside its conjugate to the last bit */
    int k = cimag(value[i]) > 0.0 ? i + 1 : cimag(value[i]) < 0.0 ? i - 1 : i;
    TEST_ASSERT_TRUE(k >= 0 && k < n && value[k] == conj(value[i]));
  }
}

static void expect(double complex expected, int k, double relative)
{
  TEST_ASSERT_TRUE(cabs(value[k] - expected) <= relative * cabs(expected));
}

/* Stages of a converter that share a capacitor, {iS, iL} each with a coil beside the switch, which
 * is off while the diode conducts: between equal stages nothing is but their coils, and all those
 * differences fade at Rd Rs/(Rs + Rd)/L, 16 decades below the fast ones, which are as many. */
static void test_slow_rates_beside_several_fast_ones(void)
{
  enum { stages = 4, n = 2 * stages + 1 };
  double rd = 1e-5, rs = 1e5, ls = 1e-8, l = 1e-2, a[n * n] = {0};
  for (ptrdiff_t k = 0; k < stages; k++) {
    double *fast = a + k * 2 * n, *slow = fast + n;
    fast[2 * k] = -(rs + rd) / ls, fast[2 * k + 1] = rd / ls;
    slow[2 * k] = rd / l, slow[2 * k + 1] = -rd / l, slow[n - 1] = -1.0 / l;
    a[n * n - n + 2 * k + 1] = 1.0 / l;
  }
  a[n * n - 1] = -0.1 / l;
  solve(n, a);
  for (int k = n - stages + 1; k < n; k++) {
    expect(-rd * rs / (rs + rd) / l, k, 1e-9);
  }
}

/* l^2 + (a + d) l + (a d - b c) with numbers whose products are exact. */
static void test_two_states_of_any_rates(void)
{
  for (int decades = 0; decades <= 13; decades++) {
    double fast = pow(10.0, decades) + 3.0;
    double a[4] = {-fast, 1.0, fast, -3.0}; /* det = 2 fast */
    double b[4] = {-3.0, fast, 1.0, -fast};
    double half = 0.5 * (fast + 3.0);
    double large = half + sqrt(half * half - 2.0 * fast);
    for (int k = 0; k < 2; k++) {
      solve(2, k == 0 ? a : b);
      expect(-large, 0, 1e-14);
      expect(-2.0 * fast / large, 1, 1e-14);
    }
  }
}

/* A fast state that follows the slow ones: z' = g (c x - z). With x' = A x + B (z - c x) the slow
 * ones are those of A, as exactly as 1/g is 0; here a pair -5 +- 100 i. */
static void test_a_pair_beside_a_fast_rate_in_any_order(void)
{
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int decades = 6; decades <= 16; decades++) {
    double g = pow(10.0, decades);
    double back = pow(10.0, 0.5 * decades); /* what the slow ones feel of it */
    double m[3][3] = {{-g, g, 0.0}, {back * 1e-3, -5.0 - back * 1e-3, -100.0}, {0.0, 100.0, -5.0}};
    for (int p = 0; p < 6; p++) {
      double a[9];
      for (int i = 0; i < 9; i++) {
        a[i] = m[order[p][i / 3]][order[p][i % 3]];
      }
      solve(3, a);
      double rounding = 1e-16 * back;
      expect(-g, 0, 2.0 * back / g);
      expect(-5.0 + 100.0 * _Complex_I, 1, 2.0 * back / g + rounding + 1e-12);
      expect(-5.0 - 100.0 * _Complex_I, 2, 2.0 * back / g + rounding + 1e-12);
    }
  }
}

/* The coil of the switch: the pair is -1/(2 R C) +- i sqrt(1/(L C) - ...), a little damped. */
static void test_the_buck_converter_with_a_parasitic_coil(void)
{
  double on = 1e-5, off = 1e5, ls = 1e-11, l = 1e-2, c = 1e-2, r = 10.0;
  double a[9] = {-(on + off) / ls, off / ls, 0.0,     off / l,       -off / l,
                 -1.0 / l,         0.0,      1.0 / c, -1.0 / (r * c)};
  double series = on / l; /* of the closed switch: the diode carries nothing */
  double real = -0.5 * (series + 1.0 / (r * c));
  double square = 1.0 / (l * c) + series / (r * c) - real * real;
  solve(3, a);
  expect(-1e16, 0, 1e-8);
  expect(real + sqrt(square) * _Complex_I, 1, 1e-8);
}

/* x^n + c[n-1] x^(n-1) + ...: the first row -c, ones below the diagonal. */
static void companion(int n, const double *root, double *a)
{
  double c[MOST + 1] = {1.0};
  for (int i = 0; i < n; i++) {
    for (int k = i + 1; k > 0; k--) {
      c[k] -= root[i] * c[k - 1];
    }
  }
  memset(a, 0, (size_t)(n * n) * sizeof *a);
  for (int k = 0; k < n; k++) {
    a[k] = -c[k + 1];
    if (k + 1 < n) {
      a[(k + 1) * n + k] = 1.0;
    }
  }
}

static void test_companion_matrices(void)
{
  double a[MOST * MOST];
  static const double near_by[] = {-8, -7, -6, -5, -4, -3, -2, -1};
  companion(8, near_by, a);
  solve(8, a);
  for (int k = 0; k < 8; k++) {
    expect(near_by[k], k, 1e-8); /* roots of a polynomial are known no better */
  }
  static const double apart[] = {-1e13, -1e10, -1e7, -1e5, -1e2, -1};
  companion(6, apart, a);
  solve(6, a);
  for (int k = 0; k < 6; k++) {
    expect(apart[k], k, 1e-10);
  }
}

/* A becomes H A H with the reflection H = 1 - 2 v v' / v'v. */
static void reflect(int n, double *a, const double *v)
{
  double square = 0.0;
  for (int i = 0; i < n; i++) {
    square += v[i] * v[i];
  }
  for (int line = 0; line < 2 * n; line++) {
    ptrdiff_t step = line < n ? n : 1; /* first columns, then rows */
    double *of = a + (line < n ? (ptrdiff_t)line : ((ptrdiff_t)line - n) * n);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      sum += 2.0 * v[i] / square * of[i * step];
    }
    for (int i = 0; i < n; i++) {
      of[i * step] -= sum * v[i];
    }
  }
}

static double distance(int n, double rate)
{
  double nearest = INFINITY;
  for (int i = 0; i < n; i++) {
    nearest = fmin(nearest, cabs(value[i] + rate));
  }
  return nearest;
}

/* Each eigenvalue to rounding of the largest: the matrix itself is known no better. */
static void test_random_rotations_of_known_rates(void)
{
  uint64_t seed = 5;
  for (int trial = 0; trial < 100; trial++) {
    int n = 2 + trial % (MOST - 1);
    double decades = 13.0 * trial / 99.0;
    double a[MOST * MOST] = {0};
    double rate[MOST];
    for (int i = 0; i < n; i++) {
      rate[i] = pow(10.0, decades * (n - 1 - i) / (n - 1));
      a[i * n + i] = -rate[i];
    }
    for (int turn = 0; turn < 3; turn++) {
      double v[MOST];
      for (int i = 0; i < n; i++) {
        v[i] = random_signed(&seed);
      }
      reflect(n, a, v);
    }
    solve(n, a);
    for (int k = 0; k < n; k++) {
      TEST_ASSERT_TRUE(distance(n, rate[k]) <= 1e-13 * rate[0]);
    }
  }
}

/* Transport with a little diffusion: -10.2 + 2 sqrt(0.1 10.1) cos(k pi/(n + 1)). */
static void test_a_line_of_transport(void)
{
  double a[MOST * MOST] = {0};
  for (int i = 0; i < MOST; i++) {
    a[i * MOST + i] = -10.2;
    if (i > 0) {
      a[i * MOST + i - 1] = 10.1;
      a[(i - 1) * MOST + i] = 0.1;
    }
  }
  solve(MOST, a);
  for (int k = 0; k < MOST; k++) {
    expect(-10.2 + 2.0 * sqrt(1.01) * cos((MOST - k) * acos(-1.0) / (MOST + 1)), k, 1e-12);
  }
}

/* Each state is moved by slower ones only, whatever place it has. */
static void test_graded_chains_keep_every_rate(void)
{
  uint64_t seed = 9;
  for (int turn = 0; turn < MOST; turn++) {
    double a[MOST * MOST] = {0};
    double rate[MOST];
    for (int i = 0; i < MOST; i++) {
      rate[i] = pow(10.0, 13.0 - 13.0 * i / (MOST - 1));
    }
    for (int i = 0; i < MOST; i++) {
      int row = (7 * i + turn) % MOST; /* 7 and 12 have no factor in common */
      a[row * MOST + row] = -rate[i];
      for (int k = i + 1; k < MOST; k++) {
        a[row * MOST + (7 * k + turn) % MOST] = rate[i] * random_signed(&seed);
      }
    }
    solve(MOST, a);
    for (int i = 0; i < MOST; i++) {
      expect(-rate[i], i, 1e-10);
    }
  }
}

/* n equal ones with one vector: known to the n-th root of rounding, their mean to rounding. */
static void test_defective_ones(void)
{
  double a[9] = {-2, 1, 0, 0, -2, 1, 0, 0, -2};
  solve(3, a);
  expect(-2.0, 0, 1e-14);
  double b[9] = {-3, 1, 0, -2, 0, 1, 1, -1, -3}; /* the same, L J L^-1 with L unit lower */
  solve(3, b);
  double complex sum = value[0] + value[1] + value[2];
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -6.0, creal(sum));
  for (int k = 0; k < 3; k++) {
    expect(-2.0, k, 1e-4);
  }
  double zero[4] = {0, 1, 0, 0};
  solve(2, zero);
  TEST_ASSERT_TRUE(value[0] == 0.0 && value[1] == 0.0);
}

/* Equal oscillators on one hub that they hardly move: pairs of one rate, whose own elements say
 * nothing of its size. */
static void test_equal_oscillators_beside_each_other(void)
{
  for (int parts = 2; parts <= 5; parts++) {
    for (int decade = -8; decade <= 1; decade++) {
      double a[MOST * MOST] = {0};
      int n = 2 * parts + 1;
      for (int k = 0; k < parts; k++) {
        int i = 2 * k, j = i + 1;
        a[i * n + i] = a[j * n + j] = -0.1;
        a[i * n + j] = 1e4;
        a[j * n + i] = -1e4;
        a[i * n + n - 1] = pow(10.0, decade);
        a[(n - 1) * n + i] = -pow(10.0, decade);
      }
      a[n * n - 1] = -1e3;
      TEST_ASSERT_TRUE(hy_eigen(n, a, value, right, left, work));
      for (int k = 0; k < n; k++) {
        double complex pair = hy_complex(-0.1, cimag(value[k]) > 0.0 ? 1e4 : -1e4);
        double near = cimag(value[k]) == 0.0 ? fabs(creal(value[k]) + 1e3) : cabs(value[k] - pair);
        TEST_ASSERT_TRUE(near < 1e-9 + 1e-3 * parts * pow(10.0, 2 * decade));
      }
    }
  }
}

/* A ring in which each state is the one before: the roots of unity. The shifts of its last block
 * are 0 at first, and lead nowhere. */
static void test_rings(void)
{
  for (int n = 2; n <= MOST; n++) {
    double a[MOST * MOST] = {0};
    for (int i = 0; i < n; i++) {
      a[i * n + (i + 1) % n] = 1.0;
    }
    solve(n, a);
    for (int k = 0; k < n; k++) {
      double complex root = cexp(hy_complex(0.0, 2.0 * acos(-1.0) * k / n));
      double nearest = 1.0;
      for (int j = 0; j < n; j++) {
        nearest = fmin(nearest, cabs(value[j] - root));
      }
      TEST_ASSERT_TRUE(nearest < 1e-14);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_slow_rates_beside_several_fast_ones);
  RUN_TEST(test_two_states_of_any_rates);
  RUN_TEST(test_a_pair_beside_a_fast_rate_in_any_order);
  RUN_TEST(test_the_buck_converter_with_a_parasitic_coil);
  RUN_TEST(test_companion_matrices);
  RUN_TEST(test_random_rotations_of_known_rates);
  RUN_TEST(test_a_line_of_transport);
  RUN_TEST(test_graded_chains_keep_every_rate);
  RUN_TEST(test_defective_ones);
  RUN_TEST(test_equal_oscillators_beside_each_other);
  RUN_TEST(test_rings);
  return UNITY_END();
}
