/* The linearly implicit step of a block against its definition, solved directly; against LIQSS2 and
 * the pair, which are its cases of one and of two states; bands against full matrices. */
#include "numerics/dense.h"
#include "numerics/implicit.h"
#include "numerics/pair.h"
#include "numerics/steps.h"
#include "random.h"

#include <float.h>
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

static uint64_t seed;

typedef struct {
  int n;
  double x[MOST], g[MOST], u0[MOST], u1[MOST], dense[MOST][MOST];
  HyBanded band;
  double a[MOST * (2 * MOST - 1)];
  double complex w[MOST], room[MOST * 3 * MOST];
} Block;

/* DENSE, LOW diagonals below and UP above the main one. */
static void put_band(Block *b, int low, int up)
{
  b->band = (HyBanded){b->n, low, up, b->a};
  memset(b->a, 0, sizeof b->a);
  for (int i = 0; i < b->n; i++) {
    for (int j = 0; j < b->n; j++) {
      if (j >= i - low && j <= i + up) {
        b->a[hy_banded_place(&b->band, i, j)] = b->dense[i][j];
      }
    }
  }
}

static void put_slopes(Block *b)
{
  for (int i = 0; i < b->n; i++) {
    b->g[i] = b->u0[i];
    for (int j = 0; j < b->n; j++) {
      b->g[i] += b->dense[i][j] * b->x[j];
    }
  }
}

static void make_random(Block *b, int n, double decades, int low, int up)
{
  b->n = n;
  for (int i = 0; i < n; i++) {
    b->x[i] = random_signed(&seed);
    b->u0[i] = random_size(&seed, 1.0);
    b->u1[i] = random_size(&seed, 1.0);
    for (int j = 0; j < n; j++) {
      double a = random_size(&seed, decades);
      b->dense[i][j] = j >= i - low && j <= i + up ? a : 0.0;
    }
  }
  put_slopes(b);
  put_band(b, low, up);
}

static bool solve(Block *b, double h)
{
  TEST_ASSERT_TRUE(hy_implicit_room(b->n, b->band.low, b->band.up) <=
                   sizeof b->room / sizeof *b->room);
  HyImplicit f;
  return hy_implicit_factor(&f, &b->band, h, b->room) && hy_implicit_solve(&f, b->g, b->u1, b->w);
}

/* q(0) and q' of all, from the 2n equations q(h) = x(h), q'(h) = x'(h); in units of the step, so
 * that both are of one size. */
static bool solve_directly(const Block *b, double h, double *q)
{
  static double m[4 * MOST * MOST], pivot[2 * MOST];
  int n = b->n, wide = 2 * n;
  memset(m, 0, sizeof m);
  for (int i = 0; i < n; i++) {
    double *value = m + (ptrdiff_t)i * wide, *slope = m + (ptrdiff_t)(n + i) * wide;
    for (int j = 0; j < n; j++) {
      double z = h * b->dense[i][j], one = i == j ? 1.0 : 0.0;
      value[j] = one - z;
      value[n + j] = one - 0.5 * z;
      slope[j] = -z;
      slope[n + j] = one - z;
    }
    q[i] = b->x[i] + h * b->u0[i] + 0.5 * h * h * b->u1[i];
    q[n + i] = h * b->u0[i] + h * h * b->u1[i];
  }
  bool ok = hy_dense_factor(wide, m, pivot, NULL);
  if (ok) {
    hy_dense_solve(wide, m, pivot, q);
  }
  return ok;
}

/* The largest of N numbers. */
static double largest(const double *v, int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(v[i]));
  }
  return most;
}

static void test_any_block_solves_the_equations_of_the_step(void)
{
  seed = 0x9e3779b97f4a7c15ULL;
  for (int k = 0; k < 3000; k++) {
    Block b;
    double q[2 * MOST];
    int n = 1 + k % MOST;
    make_random(&b, n, 1.0, n - 1, n - 1);
    double h = fabs(random_size(&seed, 2.0));
    TEST_ASSERT_TRUE(solve_directly(&b, h, q) && solve(&b, h));
    double size = largest(q, 2 * n) + largest(b.x, n);
    for (int i = 0; i < n; i++) {
      HyImplicitStep s = hy_implicit_step(b.x[i], h, b.w[i]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * size, q[i], s.q);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * size, q[n + i], h * s.dq);
      /* x and q meet, with their slopes */
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * size, s.q + h * s.dq, s.x);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * size, s.x, b.x[i] + h * s.dx + 0.5 * h * h * s.second);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * size, h * s.dq, h * s.dx + h * h * s.second);
    }
  }
}

static void test_one_state_is_liqss2(void)
{
  seed = 7;
  int finite = 0;
  for (int k = 0; k < 2000; k++) {
    Block b;
    make_random(&b, 1, 6.0, 0, 0);
    HyLocal l = {.x = b.x[0], .a = b.dense[0][0], .dq = fabs(random_size(&seed, 3.0)) * 1e-3};
    l.u[0] = b.u0[0];
    l.u[1] = b.u1[0];
    double q[3], h = hy_liqss2_choose(&l, q);
    if (h < INFINITY && solve(&b, h)) {
      HyImplicitStep s = hy_implicit_step(b.x[0], h, b.w[0]);
      double size = fabs(q[0]) + fabs(b.x[0]) + fabs(h * b.g[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-14 * size, q[0], s.q);
      TEST_ASSERT_DOUBLE_WITHIN(1e-14 * size, h * q[1], h * s.dq);
      finite++;
    }
  }
  TEST_ASSERT_TRUE(finite > 1000);
}

static void test_two_states_are_the_pair(void)
{
  seed = 11;
  for (int k = 0; k < 2000; k++) {
    Block b;
    HyPair p = {.dq = {1.0, 1.0}};
    double q[2][3], miss[2], h = fabs(random_size(&seed, 2.0));
    make_random(&b, 2, 1.0, 1, 1);
    for (int i = 0; i < 2; i++) {
      p.x[i] = b.x[i];
      p.u[i][0] = b.u0[i];
      p.u[i][1] = b.u1[i];
      memcpy(p.a[i], b.dense[i], sizeof p.a[i]);
    }
    TEST_ASSERT_TRUE(hy_pair_at(&p, 2, h, q, miss) && solve(&b, h));
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
      size += fabs(q[i][0]) + fabs(h * q[i][1]) + fabs(b.x[i]);
    }
    for (int i = 0; i < 2; i++) {
      HyImplicitStep s = hy_implicit_step(b.x[i], h, b.w[i]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-10 * size, q[i][0], s.q);
      TEST_ASSERT_DOUBLE_WITHIN(1e-10 * size, h * q[i][1], h * s.dq);
      TEST_ASSERT_DOUBLE_WITHIN(1e-10 * size, miss[i], -h * cimag(b.w[i]));
    }
  }
}

/* Also where the band is no diagonally dominant one, and a pivot is 0. */
static void test_a_band_is_what_the_full_matrix_is(void)
{
  seed = 13;
  for (int k = 0; k < 3000; k++) {
    Block b;
    double complex w[MOST];
    int n = 2 + k % (MOST - 1), low = (k / 3) % n, up = (k / 7) % n;
    low = k % 2 == 0 ? 1 : low;
    up = k % 2 == 0 ? 1 : up;
    make_random(&b, n, k % 4 < 2 ? 0.5 : 4.0, low, up);
    double h = fabs(random_size(&seed, 3.0)), most = 0.0;
    TEST_ASSERT_TRUE(solve(&b, h));
    memcpy(w, b.w, sizeof w);
    put_band(&b, n - 1, n - 1);
    TEST_ASSERT_TRUE(solve(&b, h));
    for (int i = 0; i < n; i++) {
      most = fmax(most, cabs(b.w[i]));
    }
    for (int i = 0; i < n; i++) {
      TEST_ASSERT_TRUE(cabs(w[i] - b.w[i]) <= 1e-8 * most);
    }
  }
}

/* The equations of a line of coils and capacitors, whose diagonal is 0. */
static void test_a_chain_without_a_diagonal(void)
{
  seed = 17;
  Block b;
  make_random(&b, MOST, 1.0, 1, 1);
  for (int i = 0; i < MOST; i++) {
    for (int j = 0; j < MOST; j++) {
      b.dense[i][j] = j == i + 1 ? 1e6 : j == i - 1 ? -1e6 : 0.0;
    }
  }
  put_slopes(&b);
  put_band(&b, 1, 1);
  double q[2 * MOST];
  TEST_ASSERT_TRUE(solve(&b, 1e-3) && solve_directly(&b, 1e-3, q));
  for (int i = 0; i < MOST; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, q[i], hy_implicit_step(b.x[i], 1e-3, b.w[i]).q);
  }
}

/* Two states that swing and grow, at 1 +- i, in a step of 1: their part of the matrix is singular,
 * or next to it, the whole is not. */
static void test_a_part_that_is_singular(void)
{
  seed = 29;
  for (int k = 0; k < 8; k++) {
    int wide = 1 + k / 2;
    Block b;
    double q[10];
    make_random(&b, 5, 0.5, wide, wide);
    b.dense[0][0] = b.dense[1][1] = b.dense[1][0] = k % 2 == 0 ? 1.0 : 1.0 + 1e-10;
    b.dense[0][1] = -1.0;
    put_slopes(&b);
    put_band(&b, wide, wide);
    TEST_ASSERT_TRUE(solve(&b, 1.0) && solve_directly(&b, 1.0, q));
    for (int i = 0; i < 5; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-11, q[i], hy_implicit_step(b.x[i], 1.0, b.w[i]).q);
    }
  }
}

/* A long step ends at the equilibrium, on which q runs along with the inputs. */
static void test_a_long_step_ends_at_the_equilibrium(void)
{
  seed = 19;
  for (int k = 0; k < 500; k++) {
    Block b;
    make_random(&b, 3, 0.3, 2, 2);
    for (int i = 0; i < 3; i++) {
      b.dense[i][i] = -10.0;
      b.u1[i] = 0.0;
    }
    put_slopes(&b);
    put_band(&b, 2, 2);
    double x[3], size = 1.0, h = 1e9;
    TEST_ASSERT_TRUE(solve(&b, h));
    for (int i = 0; i < 3; i++) {
      HyImplicitStep s = hy_implicit_step(b.x[i], h, b.w[i]);
      x[i] = s.x;
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.0, s.dq);
      size += fabs(s.x);
    }
    for (int i = 0; i < 3; i++) {
      double f = b.u0[i];
      for (int j = 0; j < 3; j++) {
        f += b.dense[i][j] * x[j];
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * size, 0.0, f);
    }
  }
}

/* e^-h is missed by h^3/6, as a method of order 2 may. */
static void test_its_order_is_2(void)
{
  double h = 0.1;
  for (int k = 0; k < 7; k++, h *= 0.5) {
    Block b = {.n = 1, .x = {1.0}, .dense = {{-1.0}}};
    put_slopes(&b);
    put_band(&b, 0, 0);
    TEST_ASSERT_TRUE(solve(&b, h));
    double miss = hy_implicit_step(1.0, h, b.w[0]).x - exp(-h);
    TEST_ASSERT_DOUBLE_WITHIN(2.0 * h, 1.0, fabs(miss) * 6.0 / (h * h * h));
  }
}

static void test_what_cannot_be_solved_is_refused(void)
{
  Block b;
  static const double bad[] = {INFINITY, NAN, 1e308};
  for (int k = 0; k < 3; k++) {
    seed = 23;
    make_random(&b, 3, 1.0, 2, 2);
    b.dense[1][1] = bad[k];
    put_band(&b, 2, 2);
    TEST_ASSERT_FALSE(solve(&b, 1e10));
    put_band(&b, 1, 1);
    TEST_ASSERT_FALSE(solve(&b, 1e10));
  }
  make_random(&b, 3, 1.0, 2, 2);
  b.g[2] = NAN;
  TEST_ASSERT_FALSE(solve(&b, 1.0));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_any_block_solves_the_equations_of_the_step);
  RUN_TEST(test_one_state_is_liqss2);
  RUN_TEST(test_two_states_are_the_pair);
  RUN_TEST(test_a_band_is_what_the_full_matrix_is);
  RUN_TEST(test_a_chain_without_a_diagonal);
  RUN_TEST(test_a_part_that_is_singular);
  RUN_TEST(test_a_long_step_ends_at_the_equilibrium);
  RUN_TEST(test_its_order_is_2);
  RUN_TEST(test_what_cannot_be_solved_is_refused);
  return UNITY_END();
}
