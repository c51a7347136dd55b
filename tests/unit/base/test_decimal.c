/* Numbers as text: the same as by trial with the C library, where that is hard; and the powers of
 * ten behind it, against exact arithmetic. */
#include "base/decimal.h"
#include "decimal_trial.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void check_around(double v)
{
  double below = v, above = v;
  for (int k = 0; k < 4; k++) {
    check_number(above);
    check_number(-below);
    below = nextafter(below, 0);
    above = nextafter(above, DBL_MAX);
  }
}

static void test_powers_of_two(void)
{
  for (int e = -1074; e < 1024; e++) {
    check_around(ldexp(1, e));
    check_around(ldexp(5, e - 3));
  }
}

static void test_powers_of_ten(void)
{
  for (int e = -323; e <= 308; e++) {
    char text[16];
    for (int first = 1; first < 10; first += 4) {
      (void)snprintf(text, sizeof text, "%de%d", first, e);
      check_around(strtod(text, NULL));
    }
  }
}

/* Both forms, on either side of where they change. */
static void test_short_decimals(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(2);
  for (guint k = 0; k < 40000; k++) {
    char text[40];
    int digits = g_rand_int_range(random, 1, 18), e = g_rand_int_range(random, -12, 24);
    double whole = floor(g_rand_double(random) * pow(10, digits));
    (void)snprintf(text, sizeof text, "%.0fe%d", whole, e - digits);
    check_number(strtod(text, NULL));
  }
}

/* Whole numbers with halves, quarters, ... behind the point: exactly between two decimals. */
static void test_halves(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  for (guint k = 0; k < 40000; k++) {
    guint64 bits = (guint64)g_rand_int(random) << 32 | g_rand_int(random);
    double m = (double)(bits >> 11);
    check_number(ldexp(m, -g_rand_int_range(random, 0, 60)));
  }
}

/* (2i + 1) 5^k 2^j beyond 1e17, and numbers next to it: where decimals lie exactly between. */
static void test_multiples_of_powers_of_five(void)
{
  double five = 1;
  for (int k = 1; k <= 22; k++) {
    five *= 5;
    for (guint i = 0; i < 100; i++) {
      for (int j = 30; j < 80; j += 7) {
        double v = ldexp(five * (2 * i + 1), j);
        check_number(v);
        check_number(nextafter(v, 0));
        check_number(nextafter(v, DBL_MAX));
      }
    }
  }
}

static void test_any_numbers(void)
{
  check_random(1, 100000);
  check_around(0);
  check_around(DBL_MIN);
  check_around(DBL_MAX);
}

/* Exact whole numbers, the lowest 32 bits first. */
typedef struct {
  guint32 part[64];
} Big;

static void big_multiply(Big *b, guint32 factor)
{
  guint64 carry = 0;
  for (guint k = 0; k < G_N_ELEMENTS(b->part); k++) {
    carry += (guint64)b->part[k] * factor;
    b->part[k] = (guint32)carry;
    carry >>= 32;
  }
  TEST_ASSERT_EQUAL_UINT64(0, carry);
}

static void big_multiply_power(Big *b, guint32 base, int power)
{
  for (int k = 0; k < power; k++) {
    big_multiply(b, base);
  }
}

static int big_compare(const Big *a, const Big *b)
{
  for (guint k = G_N_ELEMENTS(a->part); k-- > 0;) {
    if (a->part[k] != b->part[k]) {
      return a->part[k] < b->part[k] ? -1 : 1;
    }
  }
  return 0;
}

/* BITS + MORE compared with 10^K 2^-EXPONENT: both times 5^-K and a power of two, if need be. */
static int compare_power(int k, const guint64 bits[2], guint more, int exponent)
{
  Big ours = {{0}}, its = {.part = {1}};
  guint64 low = bits[1] + more, high = bits[0] + (low < more ? 1 : 0);
  ours.part[0] = (guint32)low;
  ours.part[1] = (guint32)(low >> 32);
  ours.part[2] = (guint32)high;
  ours.part[3] = (guint32)(high >> 32);
  ours.part[4] = high == 0; /* all bits were 1 */
  big_multiply_power(&its, 5, MAX(k, 0));
  big_multiply_power(&ours, 5, MAX(-k, 0));
  big_multiply_power(&its, 2, MAX(k - exponent, 0));
  big_multiply_power(&ours, 2, MAX(exponent - k, 0));
  return big_compare(&ours, &its);
}

static void test_powers_of_ten_are_known_to_their_last_bits(void)
{
#ifndef __SIZEOF_INT128__
  TEST_IGNORE_MESSAGE("no numbers of 128 bits here, so text is found by trial");
#endif
  for (int k = -292; k <= 324; k++) {
    guint64 bits[2];
    int exponent;
    hy_power_of_ten(k, bits, &exponent);
    TEST_ASSERT_TRUE_MESSAGE(bits[0] >> 63 == 1, "128 bits");
    int least = compare_power(k, bits, 0, exponent);
    TEST_ASSERT_TRUE(k >= 0 && k <= 27 ? least == 0 : least <= 0);
    TEST_ASSERT_EQUAL_INT(1, compare_power(k, bits, 4, exponent));
  }
}

/* What is left to trial is rare, or every number would be slow: some beyond 1e17 that lie exactly
 * between. */
static void test_hardly_any_number_needs_trial(void)
{
#ifndef __SIZEOF_INT128__
  TEST_IGNORE_MESSAGE("no numbers of 128 bits here, so text is found by trial");
#endif
  g_autoptr(GRand) random = g_rand_new_with_seed(4);
  char text[HY_DOUBLE_SIZE];
  for (guint k = 0; k < 100000; k++) {
    double v = fabs(from_bits((guint64)g_rand_int(random) << 32 | g_rand_int(random)));
    gboolean asked = v > DBL_MIN && v <= DBL_MAX && !(v > 1e17 && v < 1e40);
    TEST_ASSERT_TRUE(!asked || hy_decimal_quick(text, v) > 0);
  }
  for (guint k = 1; k < 10000; k++) {
    TEST_ASSERT_GREATER_THAN_size_t(0, hy_decimal_quick(text, k));
    TEST_ASSERT_GREATER_THAN_size_t(0, hy_decimal_quick(text, k / 8.));
    TEST_ASSERT_GREATER_THAN_size_t(0, hy_decimal_quick(text, k / 1000.));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_powers_of_two);
  RUN_TEST(test_powers_of_ten);
  RUN_TEST(test_short_decimals);
  RUN_TEST(test_halves);
  RUN_TEST(test_multiples_of_powers_of_five);
  RUN_TEST(test_any_numbers);
  RUN_TEST(test_powers_of_ten_are_known_to_their_last_bits);
  RUN_TEST(test_hardly_any_number_needs_trial);
  return UNITY_END();
}
