/* The generator against its published numbers, the distributions against their closed forms. */
#include "atomics/random.h"
#include "hydevs/error.h"
#include "kolmogorov.h"

#include <unity.h>

#define DRAWS 200000

void setUp(void)
{
}

void tearDown(void)
{
}

/* The first outputs from the state 1, 2, 3, 4 of the authors' program. */
static void test_bits_are_xoshiro256_starstar(void)
{
  static const guint64 expected[] = {11520,
                                     0,
                                     1509978240,
                                     1215971899390074240U,
                                     1216172134540287360U,
                                     607988272756665600U,
                                     16172922978634559625U,
                                     8476171486693032832U,
                                     10595114339597558777U,
                                     2904607092377533576U};
  HyRandom r = {{1, 2, 3, 4}};
  for (guint k = 0; k < G_N_ELEMENTS(expected); k++) {
    TEST_ASSERT_EQUAL_UINT64(expected[k], hy_random_bits(&r));
  }
}

static void test_seed_fills_the_state_by_splitmix64(void)
{
  HyRandom r;
  hy_random_seed(&r, 1234567);
  TEST_ASSERT_EQUAL_UINT64(6457827717110365317U, r.s[0]);
  TEST_ASSERT_EQUAL_UINT64(3203168211198807973U, r.s[1]);
  TEST_ASSERT_EQUAL_UINT64(9817491932198370423U, r.s[2]);
  TEST_ASSERT_EQUAL_UINT64(4593380528125082431U, r.s[3]);
}

static double cdf_uniform(double x)
{
  return (x - 2) / 3;
}

static double cdf_normal(double x)
{
  return 0.5 * erfc(-(x + 1) / 0.5 / sqrt(2));
}

static double cdf_exponential(double x)
{
  return 1 - exp(-x / 3);
}

typedef struct {
  HyRandomDraw draw;
  double mean, variance;
  double fourth; /* central moment, for the spread of the sample variance */
  double (*cdf)(double);
} Case;

static const Case cases[] = {
    {.draw = {.distribution = "uniform", .minimum = 2, .maximum = 5},
     .mean = 3.5,
     .variance = 9.0 / 12,
     .fourth = 81.0 / 80,
     .cdf = cdf_uniform},
    {.draw = {.distribution = "normal", .mean = -1, .deviation = 0.5},
     .mean = -1,
     .variance = 0.25,
     .fourth = 3 * 0.0625,
     .cdf = cdf_normal},
    {.draw = {.distribution = "exponential", .mean = 3},
     .mean = 3,
     .variance = 9,
     .fourth = 9 * 81,
     .cdf = cdf_exponential},
};

/* Within four standard deviations of the estimates (a right generator fails once in 16000 seeds;
 * these are fixed), and below the 0.01 % point of the Kolmogorov distribution. */
static void check_case(const Case *c, guint64 seed)
{
  HyRandomDraw d = c->draw;
  d.seed = -1;
  TEST_ASSERT_TRUE(hy_random_draw_init(&d, &(HySetup){.seed = seed}, NULL));
  g_autofree double *x = g_new(double, DRAWS);
  double sum = 0, squares = 0;
  for (guint k = 0; k < DRAWS; k++) {
    x[k] = hy_random_draw_next(&d);
    sum += x[k] - c->mean;
    squares += (x[k] - c->mean) * (x[k] - c->mean);
  }
  TEST_ASSERT_DOUBLE_WITHIN(4 * sqrt(c->variance / DRAWS), 0, sum / DRAWS);
  double spread = sqrt((c->fourth - c->variance * c->variance) / DRAWS);
  TEST_ASSERT_DOUBLE_WITHIN(4 * spread, c->variance, squares / DRAWS);
  TEST_ASSERT_TRUE(ks_distance(x, DRAWS, c->cdf) < KS_ONE_IN_10000);
}

static void test_distributions_have_their_moments_and_shape(void)
{
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    for (guint64 seed = 0; seed < 5; seed++) {
      check_case(&cases[i], seed);
    }
  }
}

/* The smallest and the largest bits: neither 0 nor 1 may come out, for log(0) is infinite. */
static void test_uniform_excludes_both_ends(void)
{
  HyRandom zeros = {{1, 0, 0, 0}}; /* s[1] = 0 gives 0 */
  TEST_ASSERT_TRUE(hy_random_uniform(&zeros) > 0);
  guint64 ones = 0x8e38e38e38e38e39U; /* 9 x = 1 (mod 2^64) */
  guint64 x = 0 - ones;               /* 9 x = -1: all bits set */
  guint64 rotated_back = (x >> 7) | (x << 57);
  guint64 fifth = 0xcccccccccccccccdU; /* 5 x = 1 */
  HyRandom full = {{1, rotated_back * fifth, 0, 0}}, copy = full;
  TEST_ASSERT_EQUAL_UINT64(G_MAXUINT64, hy_random_bits(&copy));
  TEST_ASSERT_TRUE(hy_random_uniform(&full) < 1);
}

static void test_a_given_seed_wins_over_that_of_the_run(void)
{
  HyRandomDraw a = cases[0].draw, b = cases[0].draw;
  a.seed = b.seed = 7;
  TEST_ASSERT_TRUE(hy_random_draw_init(&a, &(HySetup){.seed = 1}, NULL));
  TEST_ASSERT_TRUE(hy_random_draw_init(&b, &(HySetup){.seed = 2}, NULL));
  TEST_ASSERT_TRUE(hy_random_draw_next(&a) == hy_random_draw_next(&b));
}

static void test_impossible_parameters_say_what_is_wrong(void)
{
  static const struct {
    HyRandomDraw draw;
    const char *message;
  } bad[] = {
      {{.distribution = "uniform", .minimum = 3, .maximum = 1}, "minimum = 3 is above maximum = 1"},
      {{.distribution = "uniform", .minimum = -1e308, .maximum = 1e308},
       "minimum = -1e+308, maximum = 1e+308: not a finite range"},
      {{.distribution = "exponential", .mean = 0},
       "mean = 0: distribution = exponential needs a positive, finite mean"},
      {{.distribution = "normal", .mean = INFINITY},
       "distribution = normal needs a finite mean and deviation"},
      {{.distribution = "cauchy"},
       "distribution = cauchy is not one of uniform normal exponential"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    HyRandomDraw d = bad[k].draw;
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(hy_random_draw_init(&d, &(HySetup){.seed = 0}, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_MODEL));
    TEST_ASSERT_EQUAL_STRING(bad[k].message, error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_bits_are_xoshiro256_starstar);
  RUN_TEST(test_seed_fills_the_state_by_splitmix64);
  RUN_TEST(test_distributions_have_their_moments_and_shape);
  RUN_TEST(test_uniform_excludes_both_ends);
  RUN_TEST(test_a_given_seed_wins_over_that_of_the_run);
  RUN_TEST(test_impossible_parameters_say_what_is_wrong);
  return UNITY_END();
}
