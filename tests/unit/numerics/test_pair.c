/* The step of a pair against its definition, in long double, and against a search that looks at
 * every h; on pairs of all kinds. */
#include "numerics/pair.h"
#include "numerics/poly.h"
#include "numerics/steps.h"
#include "random.h"

#include <float.h>
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

#define CASES 400

static uint64_t seed;

/* ---- pairs of all kinds ---- */

static HyPair random_pair(double decades, double quanta)
{
  HyPair p = {.x = {0.0, 0.0}};
  for (int i = 0; i < 2; i++) {
    p.x[i] = random_signed(&seed);
    p.dq[i] = 1e-3 * fabs(random_size(&seed, quanta));
    for (int j = 0; j < 2; j++) {
      p.a[i][j] = random_size(&seed, decades);
    }
    for (int k = 0; k < 3; k++) {
      p.u[i][k] = random_size(&seed, 1.0);
    }
  }
  return p;
}

static HyPair plain(void)
{
  return random_pair(1.0, 0.0);
}

static HyPair unequal_quanta(void)
{
  return random_pair(1.0, 2.0);
}

static HyPair any_size(void)
{
  return random_pair(6.0, 0.0);
}

/* A = [1 c; d 1] diag(l) [1 c; d 1]^-1, rates up to 1e12 apart */
static HyPair real_stable(void)
{
  HyPair p = random_pair(1.0, 1.0);
  double l0 = -fabs(random_size(&seed, 6.0));
  double l1 = -fabs(random_size(&seed, 6.0));
  double c = random_signed(&seed);
  double d = random_signed(&seed);
  double det = 1.0 - c * d;
  p.a[0][0] = (l0 - c * d * l1) / det;
  p.a[0][1] = c * (l1 - l0) / det;
  p.a[1][0] = d * (l0 - l1) / det;
  p.a[1][1] = (l1 - c * d * l0) / det;
  return p;
}

static HyPair complex_stable(void)
{
  HyPair p = random_pair(1.0, 1.0);
  double w = random_size(&seed, 3.0);
  double b = random_size(&seed, 2.0);
  p.a[0][0] = p.a[1][1] = -fabs(random_size(&seed, 3.0));
  p.a[0][1] = -w * b;
  p.a[1][0] = w / b;
  return p;
}

static HyPair singular(void)
{
  HyPair p = random_pair(2.0, 0.0);
  p.a[1][0] = 2.0 * p.a[0][0];
  p.a[1][1] = 2.0 * p.a[0][1];
  return p;
}

static HyPair with_zeros(void)
{
  HyPair p = random_pair(1.0, 0.0);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      p.a[i][j] = random_signed(&seed) < 0.0 ? 0.0 : p.a[i][j];
    }
  }
  return p;
}

static HyPair tyson(void)
{
  HyPair p = random_pair(1.0, 0.0);
  p.x[1] = fabs(p.x[1]);
  p.x[0] = 1e-3 * p.x[1];
  p.a[0][0] = -1e6;
  p.a[0][1] = 1e3;
  p.a[1][0] = 1e6;
  p.a[1][1] = -1e3 - 200.0 * fabs(random_size(&seed, 4.0));
  return p;
}

/* Some quanta from the equilibrium, where h is long or infinite. */
static HyPair at_rest(HyPair p)
{
  double away = fabs(random_size(&seed, 2.0));
  double y0 = p.x[0] + away * random_signed(&seed) * p.dq[0];
  double y1 = p.x[1] + away * random_signed(&seed) * p.dq[1];
  for (int i = 0; i < 2; i++) {
    p.u[i][0] = -(p.a[i][0] * y0 + p.a[i][1] * y1);
    p.u[i][1] *= p.dq[i];
    p.u[i][2] *= p.dq[i];
  }
  return p;
}

static HyPair tyson_at_rest(void)
{
  return at_rest(tyson());
}

static HyPair real_at_rest(void)
{
  return at_rest(real_stable());
}

static HyPair complex_at_rest(void)
{
  return at_rest(complex_stable());
}

static const struct {
  const char *name;
  HyPair (*make)(void);
  int endless; /* at least so many percent of them go on for ever */
} kinds[] = {
    {"plain", plain, 0},
    {"unequal quanta", unequal_quanta, 0},
    {"any size", any_size, 0},
    {"real stable", real_stable, 0},
    {"complex stable", complex_stable, 0},
    {"singular", singular, 0},
    {"with zeros", with_zeros, 0},
    {"tyson", tyson, 0},
    {"tyson at rest", tyson_at_rest, 3},
    {"real at rest", real_at_rest, 1},
    {"complex at rest", complex_at_rest, 10},
};

#define KINDS (sizeof kinds / sizeof *kinds)

/* ---- what the step promises ---- */

/* The value at s of the derivative number D of a polynomial in Taylor coefficients. */
static long double at(const long double *c, int n, int d, long double s)
{
  long double v = 0.0L;
  for (int k = n - 1; k >= d; k--) {
    long double f = 1.0L;
    for (int m = 0; m < d; m++) {
      f *= k - m;
    }
    v = v * s + f * c[k];
  }
  return v;
}

/* x from x' = A q + u by integration: all derivatives of x and q up to n-1 agree at h. */
static void check_meeting(const HyPair *p, int n, const HyPairStep *step, double within)
{
  for (int i = 0; i < 2; i++) {
    long double x[4] = {(long double)p->x[i], 0.0L, 0.0L, 0.0L};
    long double q[4] = {0.0L, 0.0L, 0.0L, 0.0L};
    for (int k = 0; k < n; k++) {
      long double u = (long double)p->u[i][k] / (k == 2 ? 2.0L : 1.0L);
      x[k + 1] = ((long double)p->a[i][0] * (long double)step->q[0][k] +
                  (long double)p->a[i][1] * (long double)step->q[1][k] + u) /
                 (long double)(k + 1);
      q[k] = (long double)step->q[i][k];
    }
    long double h = (long double)step->h;
    long double unit = (long double)p->dq[i];
    for (int d = 0; d < n; d++) {
      long double gap = (at(q, n, d, h) - at(x, n + 1, d, h)) / unit;
      TEST_ASSERT_DOUBLE_WITHIN(within, 0.0, (double)gap);
      unit /= h;
    }
  }
}

static void test_q_meets_x_at_the_end(void)
{
  seed = 1;
  for (int n = 1; n <= 3; n++) {
    for (int i = 0; i < CASES; i++) {
      HyPair p = i % 2 == 0 ? plain() : unequal_quanta();
      HyPairStep step;
      TEST_ASSERT_TRUE(hy_pair_step(&p, n, &step));
      check_meeting(&p, n, &step, 1e-6);
    }
  }
}

/* Rates that are 1e9 apart: A q + u is known to eps |A| |x|, and so is what it makes of x. */
static void test_q_meets_x_of_a_stiff_pair(void)
{
  seed = 2;
  for (int n = 1; n <= 3; n++) {
    for (int i = 0; i < CASES; i++) {
      HyPair p = tyson();
      HyPairStep step;
      TEST_ASSERT_TRUE(hy_pair_step(&p, n, &step));
      if (step.h < INFINITY) {
        check_meeting(&p, n, &step, 1e-6 + 64.0 * DBL_EPSILON * 2e6 * fmax(1.0, step.h) / 1e-3);
      }
    }
  }
}

/* Without an end: A q + u = q' as polynomials, so x - q stays as it is. */
static void test_an_endless_step_is_parallel(void)
{
  seed = 3;
  int endless = 0;
  for (int n = 1; n <= 3; n++) {
    for (int i = 0; i < CASES; i++) {
      HyPair p = complex_at_rest();
      HyPairStep step;
      if (!hy_pair_step(&p, n, &step) || step.h < INFINITY) {
        continue;
      }
      endless++;
      for (int k = 0; k < 2; k++) {
        double size = fabs(p.a[k][0]) + fabs(p.a[k][1]);
        TEST_ASSERT_TRUE(fabs(step.q[k][0] - p.x[k]) <= p.dq[k] * (1.0 + 1e-9));
        for (int m = 0; m < n; m++) {
          double u = m == 2 ? 0.5 * p.u[k][m] : p.u[k][m];
          double dx = p.a[k][0] * step.q[0][m] + p.a[k][1] * step.q[1][m] + u;
          double dq = m + 1 < n ? (m + 1) * step.q[k][m + 1] : 0.0;
          TEST_ASSERT_DOUBLE_WITHIN(1e-9 * size, dq, dx);
        }
      }
    }
  }
  TEST_ASSERT_TRUE(endless > CASES / 10);
}

/* ---- the largest step ---- */

static double ratio(const HyPair *p, int n, double h)
{
  double q[2][3];
  double miss[2];
  return hy_pair_at(p, n, h, q, miss) ? fmax(fabs(miss[0]) / p->dq[0], fabs(miss[1]) / p->dq[1])
                                      : INFINITY;
}

/* Forty halvings, from a factor of 1.1 below the first crossing that a walk upwards finds. */
static double walk(const HyPair *p, int n, double from)
{
  double h = from;
  for (int i = 0; i < 2000 && ratio(p, n, h * 1.1) <= 1.0; i++) {
    h *= 1.1;
  }
  double hi = h * 1.1;
  for (int i = 0; i < 40; i++) {
    double middle = sqrt(h * hi);
    if (ratio(p, n, middle) <= 1.0) {
      h = middle;
    } else {
      hi = middle;
    }
  }
  return h;
}

static void check_kind(unsigned kind, int n)
{
  unsigned looks = 0;
  unsigned solves = 0;
  int endless = 0;
  int short_of = 0;
  int beyond = 0;
  for (int i = 0; i < CASES; i++) {
    HyPair p = kinds[kind].make();
    HyPairStep step;
    TEST_ASSERT_TRUE_MESSAGE(hy_pair_step(&p, n, &step), kinds[kind].name);
    looks += (unsigned)step.looks;
    solves += (unsigned)step.solves;
    if (step.h == INFINITY) {
      endless++;
      continue;
    }
    double r = ratio(&p, n, step.h);
    TEST_ASSERT_TRUE_MESSAGE(r <= 1.0 + 1e-9, kinds[kind].name);
    short_of += r < 0.999 ? 1 : 0;
    beyond += walk(&p, n, step.h * 1e-4) < 0.999 * step.h ? 1 : 0;
  }
  printf("%-16s n=%d: looks %.2f, solves %.2f, endless %d, short %d, beyond %d of %d\n",
         kinds[kind].name, n, (double)looks / CASES, (double)solves / CASES, endless, short_of,
         beyond, CASES);
  TEST_ASSERT_TRUE_MESSAGE(100 * endless >= kinds[kind].endless * CASES, kinds[kind].name);
  TEST_ASSERT_TRUE_MESSAGE(short_of <= CASES / 100, kinds[kind].name);
  TEST_ASSERT_TRUE_MESSAGE(beyond <= CASES / 100, kinds[kind].name);
  TEST_ASSERT_TRUE_MESSAGE(looks <= 8 * CASES, kinds[kind].name);
}

/* Order 2, near the rest of an A that is not stable: P_2(hA) has no real root, and |q - x| stays
 * below dq for ever. h is then the time in which the fastest growing mode grows by e; where nothing
 * grows, long. */
static void test_an_endless_step_of_an_unstable_pair_lasts_as_it_grows(void)
{
  static const struct {
    double a[2][2], h;
  } cases[] = {{{{1.0, 0.0}, {0.0, -3.0}}, 1.0},  /* a saddle: 1 and -3 */
               {{{0.0, 2.0}, {2.0, 0.0}}, 0.5},   /* 2 and -2 */
               {{{1.0, -4.0}, {1.0, 1.0}}, 1.0},  /* a spiral: 1 +- 2i */
               {{{0.0, 1.0}, {-1.0, 0.0}}, 5e8}}; /* +- i */
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
    HyPair p = {.x = {1e-4, 1e-4}, .dq = {1.0, 1.0}};
    memcpy(p.a, cases[k].a, sizeof p.a);
    HyPairStep step;
    TEST_ASSERT_TRUE(hy_pair_step(&p, 2, &step));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * cases[k].h, cases[k].h, step.h);
  }
}

static void test_h_is_the_largest(void)
{
  seed = 4;
  for (unsigned kind = 0; kind < KINDS; kind++) {
    for (int n = 1; n <= 3; n++) {
      check_kind(kind, n);
    }
  }
}

/* With a partner that takes no part the step is that of LIQSS alone. */
static void test_a_pair_apart_is_a_variable_alone(void)
{
  static HyChoose *const choose[4] = {NULL, hy_liqss1_choose, hy_liqss2_choose, hy_liqss3_choose};
  seed = 5;
  for (int n = 1; n <= 3; n++) {
    for (int i = 0; i < CASES; i++) {
      HyPair p = plain();
      p.a[0][1] = p.a[1][0] = 0.0;
      p.a[0][0] = -fabs(p.a[0][0]);
      p.a[1][1] = -1.0;
      p.dq[1] = 1e9;
      HyLocal l = {.x = p.x[0], .a = p.a[0][0], .dq = p.dq[0]};
      memcpy(l.u, p.u[0], sizeof l.u);
      double q[3] = {0.0, 0.0, 0.0};
      double h = choose[n](&l, q);
      HyPairStep step;
      TEST_ASSERT_TRUE(hy_pair_step(&p, n, &step));
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * h, h, step.h);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * p.dq[0], q[0], step.q[0][0]);
      if (n > 1) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * (fabs(q[1]) + 1.0), q[1], step.q[0][1]);
      }
      if (n > 2) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (fabs(q[2]) + 1.0), q[2], 2.0 * step.q[0][2]);
      }
    }
  }
}

/* Equilibrium of the spiral of the thesis, a pole for n = 1, 3, nothing for n = 2. */
static void test_known_pairs(void)
{
  HyPair spiral = {.x = {-1.0, 0.43395},
                   .dq = {1.0, 1.0},
                   .a = {{-1.0, -1.0}, {1.0, -1.0}},
                   .u = {{0.2}, {1.2}}};
  HyPairStep step;
  TEST_ASSERT_TRUE(hy_pair_step(&spiral, 1, &step));
  TEST_ASSERT_TRUE(step.h == INFINITY);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.5, step.q[0][0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.7, step.q[1][0]);

  HyPair still = {.x = {1.0, 2.0}, .dq = {1.0, 1.0}, .a = {{1.0, 2.0}, {3.0, 4.0}}};
  still.u[0][0] = -5.0; /* G = 0 */
  still.u[1][0] = -11.0;
  for (int n = 1; n <= 3; n++) {
    TEST_ASSERT_TRUE(hy_pair_step(&still, n, &step));
    TEST_ASSERT_TRUE(step.h == INFINITY);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, step.q[0][0]);
    TEST_ASSERT_EQUAL_DOUBLE(0.0, step.q[0][1]);
  }

  HyPair grows = {.x = {1e-3, 1e-3}, .dq = {1.0, 1.0}, .a = {{2.0, 1.0}, {0.0, 1.0}}};
  for (int n = 1; n <= 3; n++) {
    TEST_ASSERT_TRUE(hy_pair_step(&grows, n, &step));
    TEST_ASSERT_TRUE(step.h > 0.1 && step.h < 1.0); /* no longer than it grows */
  }
}

/* ---- what is not finite ---- */

static double *field(HyPair *p, int k)
{
  return k < 2   ? &p->x[k]
         : k < 4 ? &p->dq[k - 2]
         : k < 8 ? &p->a[k / 2 % 2][k % 2]
                 : &p->u[(k - 8) / 3][(k - 8) % 3];
}

static void test_what_is_not_finite_is_no_step(void)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  seed = 6;
  for (int n = 1; n <= 3; n++) {
    for (int k = 0; k < 14; k++) {
      for (int i = 0; i < 3; i++) {
        if (k >= 8 && (k - 8) % 3 >= n) {
          continue; /* not looked at */
        }
        HyPair p = plain();
        *field(&p, k) = bad[i];
        HyPairStep step;
        TEST_ASSERT_FALSE(hy_pair_step(&p, n, &step));
      }
    }
  }
}

static void test_a_step_is_finite_or_none(void)
{
  seed = 7;
  int steps = 0;
  for (int i = 0; i < 20 * CASES; i++) {
    HyPair p = plain();
    for (int k = 0; k < 14; k++) {
      double d = random_signed(&seed);
      *field(&p, k) = d < -0.5 ? 0.0 : random_size(&seed, d < 0.5 ? 10.0 : 307.0);
    }
    int n = 1 + i % 3;
    HyPairStep step;
    if (hy_pair_step(&p, n, &step)) {
      steps++;
      TEST_ASSERT_TRUE(step.h > 0.0);
      TEST_ASSERT_TRUE(hy_poly_finite(step.q[0], n) && hy_poly_finite(step.q[1], n));
    }
  }
  TEST_ASSERT_TRUE(steps > 100);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_q_meets_x_at_the_end);
  RUN_TEST(test_q_meets_x_of_a_stiff_pair);
  RUN_TEST(test_an_endless_step_is_parallel);
  RUN_TEST(test_an_endless_step_of_an_unstable_pair_lasts_as_it_grows);
  RUN_TEST(test_h_is_the_largest);
  RUN_TEST(test_a_pair_apart_is_a_variable_alone);
  RUN_TEST(test_known_pairs);
  RUN_TEST(test_what_is_not_finite_is_no_step);
  RUN_TEST(test_a_step_is_finite_or_none);
  return UNITY_END();
}
