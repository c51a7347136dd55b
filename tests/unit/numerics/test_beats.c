/* Instants of what comes again, beside quotients of whole numbers, which C rounds once. */
#include "numerics/beats.h"

#include <math.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const HyRatio begin = {0.0, 0.0};

/* k p/q + a/b is (k p b + a q)/(q b): numbers below 2^53, so their quotient is the nearest number.
 */
static void test_instants_are_the_numbers_that_are_nearest(void)
{
  static const double T[][2] = {{1, 10},       {1, 50},     {1, 3},   {1, 60},      {3, 7},
                                {1, 44100},    {7, 200e3},  {1, 1e9}, {123, 1e6},   {1000, 1234567},
                                {333, 100000}, {25, 10000}, {2, 1},   {86400, 1.0}, {1, 1048576}};
  static const double start[][2] = {{0, 1}, {1, 10}, {1, 4}, {-1, 3}, {3, 1000}};
  for (unsigned i = 0; i < sizeof T / sizeof *T; i++) {
    for (unsigned j = 0; j < sizeof start / sizeof *start; j++) {
      double p = T[i][0], q = T[i][1], a = start[j][0], b = start[j][1];
      HyBeats beats = hy_beats(p / q, a / b);
      for (double k = 0; k < 2000; k++) {
        TEST_ASSERT_TRUE((k * p * b + a * q) / (q * b) == hy_beat(&beats, k, begin));
      }
    }
  }
}

/* One instant is one number, whatever it is counted by. */
static void test_what_meets_is_one_number(void)
{
  HyBeats tenth = hy_beats(0.1, 0), fiftieth = hy_beats(0.02, 0), late = hy_beats(0.02, 0.06);
  HyBeats third = hy_beats(1 / 3.0, 0), split = hy_beats_split(&third, 5);
  for (double k = 0; k < 10000; k++) {
    double at = hy_beat(&tenth, k, begin);
    TEST_ASSERT_TRUE(at == k / 10);
    TEST_ASSERT_TRUE(at == hy_beat(&fiftieth, 5 * k, begin));
    TEST_ASSERT_TRUE(at == hy_beat(&late, 5 * k - 3, begin));
    TEST_ASSERT_TRUE(hy_beat(&tenth, k, hy_ratio(0.6)) == hy_beat(&late, 5 * k, begin));
    TEST_ASSERT_TRUE(hy_beat(&third, k, begin) == hy_beat(&split, 5 * k, begin));
  }
}

static void test_the_last_instant_at_or_before_a_time(void)
{
  HyBeats b = hy_beats(0.1, 0.3);
  TEST_ASSERT_TRUE(hy_beat_before(&b, begin, 0.6) == 3);
  TEST_ASSERT_TRUE(hy_beat_before(&b, begin, nextafter(0.6, 0)) == 2);
  TEST_ASSERT_TRUE(hy_beat_before(&b, hy_ratio(0.7), 0.6) == 2);
  TEST_ASSERT_TRUE(hy_beat_before(&b, begin, -0.05) == -4);
}

/* No fraction is simple: the number is itself, and its multiples are rounded once. */
static void test_a_number_that_is_no_fraction_is_itself(void)
{
  static const double odd[] = {0.14142135623730951, 3.1415926535897931, 1e-300, 1e300, 0x1.8p-30};
  for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
    HyBeats b = hy_beats(odd[i], 0);
    for (double k = 0; k < 1000; k++) {
      TEST_ASSERT_TRUE(hy_beat(&b, k, begin) == k * odd[i]);
    }
  }
  HyBeats never = hy_beats(INFINITY, 0.5);
  TEST_ASSERT_TRUE(hy_beat(&never, 1, begin) == INFINITY);
  TEST_ASSERT_TRUE(hy_ratio(-0.1).h == -0.1 && hy_ratio(-0.1).l == -hy_ratio(0.1).l);
  TEST_ASSERT_TRUE(hy_ratio(0.1).l != 0 && hy_ratio(0.25).l == 0);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_instants_are_the_numbers_that_are_nearest);
  RUN_TEST(test_what_meets_is_one_number);
  RUN_TEST(test_the_last_instant_at_or_before_a_time);
  RUN_TEST(test_a_number_that_is_no_fraction_is_itself);
  return UNITY_END();
}
