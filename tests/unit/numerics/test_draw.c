/* What is drawn by lot: the published words of the generator, strata, the points of Joe and Kuo,
 * quantiles by 34 digits, and that all of it has the bits that are kept here. */
#include "numerics/draw.h"

#include "kolmogorov.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static uint64_t bits(double v)
{
  uint64_t b;
  memcpy(&b, &v, sizeof b);
  return b;
}

/* By a program of its own (Python), which has the three known answers of Philox4x32-10 that come
 * with Random123. */
static void test_bits_are_those_of_philox(void)
{
  TEST_ASSERT_EQUAL_HEX64(UINT64_C(0x9a50d8ab893f0948), hy_draw_bits(0, "", 0));
  TEST_ASSERT_EQUAL_HEX64(UINT64_C(0x55d9d0efd5ada023), hy_draw_bits(1, "L", 0));
  TEST_ASSERT_EQUAL_HEX64(UINT64_C(0x266cab4225a3a5d5), hy_draw_bits(1, "L", 1));
  TEST_ASSERT_EQUAL_HEX64(
      UINT64_C(0xb914e6a52bc8877b),
      hy_draw_bits(UINT64_C(0x299f31d0a4093822), "stage[2].L1", UINT64_C(0x85a308d3243f6a88)));
}

/* Uniform; and so are differences, modulo 1, of neighbours, seeds and names, which a counter that
 * is mixed badly leaves regular. */
static void test_units_are_uniform_and_do_not_hang_together(void)
{
  static double u[100000], d[4][100000];
  for (unsigned k = 0; k < 100000; k++) {
    u[k] = hy_draw_unit(1, "L", k);
    double other[] = {hy_draw_unit(1, "L", k + 1), hy_draw_unit(2, "L", k), hy_draw_unit(1, "C", k),
                      hy_draw_unit(1 + (UINT64_C(1) << 32), "L", k)};
    for (unsigned j = 0; j < 4; j++) {
      d[j][k] = u[k] - other[j] + (u[k] < other[j] ? 1.0 : 0.0);
    }
  }
  TEST_ASSERT_TRUE(ks_distance(u, 100000, ks_uniform) < KS_ONE_PERCENT);
  for (unsigned j = 0; j < 4; j++) {
    TEST_ASSERT_TRUE(ks_distance(d[j], 100000, ks_uniform) < KS_ONE_PERCENT);
  }
}

/* Every stratum is hit once, for sizes at and beside powers of 4; the place inside is uniform. */
static void test_latin_has_one_value_in_each_stratum(void)
{
  static const unsigned sizes[] = {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 65536, 99999};
  static unsigned char hit[100000];
  static double place[99999];
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    unsigned n = sizes[s];
    memset(hit, 0, sizeof hit);
    for (unsigned k = 0; k < n; k++) {
      double u = hy_draw_latin(7, "R", k, n);
      TEST_ASSERT_TRUE(u > 0.0 && u < 1.0);
      unsigned part = (unsigned)(u * n);
      TEST_ASSERT_EQUAL_UINT8(0, hit[part]);
      hit[part] = 1;
      place[k] = u * n - part;
    }
  }
  TEST_ASSERT_TRUE(ks_distance(place, 99999, ks_uniform) < KS_ONE_PERCENT);
}

/* All 24 orders of 4 come as often as each other: chi-squared of 23 degrees is below 41.6 in 99 %;
 * and for n too large to be counted the values stay inside. */
static void test_latin_orders_are_equally_probable(void)
{
  double count[256] = {0}, chi = 0.0;
  for (unsigned seed = 0; seed < 24000; seed++) {
    unsigned code = 0;
    for (unsigned k = 0; k < 4; k++) {
      code = code * 4 + (unsigned)(hy_draw_latin(seed, "R", k, 4) * 4);
    }
    count[code]++;
  }
  for (unsigned code = 0; code < 256; code++) {
    chi += count[code] > 0.0 ? (count[code] - 1000.0) * (count[code] - 1000.0) / 1000.0 : 0.0;
  }
  TEST_ASSERT_TRUE(chi > 0.0 && chi < 41.6);
  uint64_t n = HY_LATIN_MOST - 1;
  for (unsigned k = 0; k < 1000; k++) {
    double u = hy_draw_latin(1, "R", n - 1 - k, n);
    TEST_ASSERT_TRUE(u > 0.0 && u < 1.0);
  }
  TEST_ASSERT_TRUE(isnan(hy_draw_latin(1, "R", 5, 5)) && isnan(hy_draw_latin(1, "R", 0, n + 1)));
}

/* The sum of all binary digits of 1,000 points in 256 dimensions, each with its place: what
 * scipy.stats.qmc.Sobol(256, scramble=False) 1.10 has, which takes Joe and Kuo's file; and points
 * by hand: their first ones. */
static void test_sobol_points_are_those_of_joe_and_kuo(void)
{
  static const double first[][3] = {
      {0, 0, 0},          {0.5, 0.5, 0.5},       {0.75, 0.25, 0.25},
      {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625}, {0.875, 0.875, 0.125}};
  for (unsigned k = 0; k < 6; k++) {
    for (unsigned d = 0; d < 3; d++) {
      TEST_ASSERT_TRUE(hy_draw_sobol(d, k) == first[k][d]);
    }
  }
  uint64_t sum = 0;
  for (unsigned k = 0; k < 1000; k++) {
    for (unsigned d = 0; d < HY_SOBOL_DIMENSIONS; d++) {
      sum = sum * 1000003 + (uint64_t)(hy_draw_sobol(d, k) * 1024);
    }
  }
  TEST_ASSERT_EQUAL_HEX64(UINT64_C(0x91bd454f3942580), sum);
}

static double point(unsigned scrambled, unsigned dimension, unsigned k)
{
  return scrambled ? hy_draw_owen(3, "L", dimension, k) : hy_draw_sobol(dimension, k);
}

static void test_sobol_has_one_of_1024_points_in_each_stratum(void)
{
  for (unsigned scrambled = 0; scrambled < 2; scrambled++) {
    for (unsigned d = 0; d < HY_SOBOL_DIMENSIONS; d += scrambled ? 16 : 1) {
      unsigned char hit[1024] = {0};
      for (unsigned k = 0; k < 1024; k++) {
        double u = point(scrambled, d, k);
        TEST_ASSERT_TRUE(u >= 0.0 && u < 1.0);
        TEST_ASSERT_EQUAL_UINT8(0, hit[(unsigned)(u * 1024)]++);
      }
    }
  }
  TEST_ASSERT_TRUE(isnan(hy_draw_sobol(HY_SOBOL_DIMENSIONS, 0)));
}

/* The first two dimensions are a (0, 10, 2)-net: one point in each cell of area 2^-10, whatever its
 * sides. */
static void test_sobol_fills_a_square(void)
{
  for (unsigned scrambled = 0; scrambled < 2; scrambled++) {
    for (unsigned a = 0; a <= 10; a++) {
      unsigned char hit[1024] = {0};
      for (unsigned k = 0; k < 1024; k++) {
        unsigned x = (unsigned)(point(scrambled, 0, k) * (1 << a));
        unsigned y = (unsigned)(point(scrambled, 1, k) * (1 << (10 - a)));
        TEST_ASSERT_EQUAL_UINT8(0, hit[(x << (10 - a)) + y]++);
      }
    }
  }
}

/* One point over many seeds; unscrambled it is where it is. */
static void test_a_scrambled_value_is_uniform(void)
{
  static double u[20000];
  for (unsigned seed = 0; seed < 20000; seed++) {
    u[seed] = hy_draw_owen(seed, "L", 1, 5);
    TEST_ASSERT_TRUE(u[seed] > 0.0 && u[seed] < 1.0);
  }
  TEST_ASSERT_TRUE(ks_distance(u, 20000, ks_uniform) < KS_ONE_PERCENT);
}

/* By mpmath at 1,500 bits; the compiler rounds the digits to the nearest double. */
static void test_normal_quantile_is_right_to_the_last_bit(void)
{
  static const double q[][2] = {
      {0x1p-53, -8.209536151601386855630768778665985},
      {0x1.fffffffffffffp-1, 8.209536151601386855630768778665985},
      {0.25, -0.6744897501960817432022270145413072},
      {0.3, -0.5244005127080408159694543622639554},
      {0.001, -3.090232306167813535358004576258615},
      {0.0013498980316300945, -2.999999999999999988596436032774319},
      {0.0014, -2.988882267315790455939445315194564},
      {1e-10, -6.361340902404056199100396948787558},
      {1e-100, -21.27345356096532429417951703536195},
      {1e-300, -37.04709629936119923654704250489022},
      {0.5000000000000001, 2.782916424671766922233923407871223e-16},
      {0.9, 1.281551565544600593487448288516845},
      {0.999999, 4.753424308817087765688097030681645},
      {0x1.08p-4, -1.518429141152591340807235592374945},
  };
  for (unsigned k = 0; k < sizeof q / sizeof *q; k++) {
    TEST_ASSERT_EQUAL_HEX64(bits(q[k][1]), bits(hy_draw_normal(q[k][0])));
  }
  TEST_ASSERT_TRUE(hy_draw_normal(0.5) == 0.0);
  TEST_ASSERT_TRUE(isnan(hy_draw_normal(0.0)) && isnan(hy_draw_normal(1.0)));
}

/* Likewise, by bisection. */
static void test_truncated_quantile_is_right_in_both_tails(void)
{
  static const double q[][4] = {
      {-1, 2, 0.3, -0.2424038178892268262318664574423053},
      {10, 11, 0.5, 10.06840936954761863211231208300462},
      {-11, -10, 0.25, -10.13636324313666521930511531349463},
      {-1, 40, 0.9, 1.377787361599307375135802542623701},
      {0.5, 0.5000001, 0.3, 0.500000029999999459209282008560617},
      {-30.5, -29, 0.5, -29.0238635120206009640395782372164},
  };
  for (unsigned k = 0; k < sizeof q / sizeof *q; k++) {
    TEST_ASSERT_EQUAL_HEX64(bits(q[k][3]), bits(hy_draw_truncated(q[k][0], q[k][1], q[k][2])));
  }
  TEST_ASSERT_TRUE(isnan(hy_draw_truncated(30.0, 31.0, 0.5)));
}

/* All that tables of sweeps are made of, 3,000 values, as one number. */
static void test_draws_have_the_bits_that_are_kept_here(void)
{
  uint64_t sum = 0;
  for (unsigned k = 0; k < 1000; k++) {
    double u = hy_draw_latin(1, "L", k, 1000);
    sum = sum * 1000003 + bits(hy_draw_normal(u));
    sum = sum * 1000003 + bits(hy_draw_truncated(-2.5, 4.0, hy_draw_unit(1, "C", k)));
    sum = sum * 1000003 + bits(hy_draw_normal(hy_draw_owen(1, "R", 2, k)));
  }
  TEST_ASSERT_EQUAL_HEX64(UINT64_C(0xedeba60a376c06b1), sum);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_bits_are_those_of_philox);
  RUN_TEST(test_units_are_uniform_and_do_not_hang_together);
  RUN_TEST(test_latin_has_one_value_in_each_stratum);
  RUN_TEST(test_latin_orders_are_equally_probable);
  RUN_TEST(test_sobol_points_are_those_of_joe_and_kuo);
  RUN_TEST(test_sobol_has_one_of_1024_points_in_each_stratum);
  RUN_TEST(test_sobol_fills_a_square);
  RUN_TEST(test_a_scrambled_value_is_uniform);
  RUN_TEST(test_normal_quantile_is_right_to_the_last_bit);
  RUN_TEST(test_truncated_quantile_is_right_in_both_tails);
  RUN_TEST(test_draws_have_the_bits_that_are_kept_here);
  return UNITY_END();
}
