/* A crossing happens once: neither again through rounding nor never. */
#include "numerics/crossing.h"
#include "numerics/poly.h"
#include "random.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define PIECE(...) ((const double[]){__VA_ARGS__})

static void test_the_first_root_is_foreseen(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 10.0, PIECE(3.0, -1.0), 2, 0);
  TEST_ASSERT_EQUAL_INT(1, c.sign);
  TEST_ASSERT_EQUAL_DOUBLE(13.0, c.tn);
  hy_crossing_input(&c, 11.0, PIECE(2.0, 0.0, 1.0), 3);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 12.0, PIECE(3.0, -4.0, 1.0), 3);
  TEST_ASSERT_EQUAL_DOUBLE(13.0, c.tn);
  hy_crossing_toggle(&c, 13.0);
  TEST_ASSERT_EQUAL_INT(-1, c.sign);
  TEST_ASSERT_EQUAL_DOUBLE(15.0, c.tn); /* the second root of the same piece */
  hy_crossing_toggle(&c, 15.0);
  TEST_ASSERT_EQUAL_INT(1, c.sign);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
}

static void test_a_signal_without_slopes_crosses_by_jumps_only(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(3.0), 1, 0);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 1.0, PIECE(1.0), 1);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 2.0, PIECE(-1.0), 1);
  TEST_ASSERT_EQUAL_DOUBLE(2.0, c.tn);
  hy_crossing_toggle(&c, 2.0);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 3.0, PIECE(0.0), 1); /* rests at 0: still below */
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 4.0, PIECE(1e-300), 1);
  TEST_ASSERT_EQUAL_DOUBLE(4.0, c.tn);
}

static void test_exactly_zero_fires_when_it_starts_to_move(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(0.0, 0.0, 0.0), 3, 1);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 1.0, PIECE(0.0, 1.0, 0.0), 3); /* to its own side */
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_start(&c, 0.0, PIECE(0.0, 0.0, 0.0), 3, 1);
  hy_crossing_input(&c, 1.0, PIECE(0.0, 0.0, -1e-12), 3);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
  hy_crossing_start(&c, 0.0, PIECE(0.0, -2.0, 0.0), 3, 0);
  TEST_ASSERT_EQUAL_INT(-1, c.sign);
  hy_crossing_start(&c, 0.0, PIECE(0.0, 1.0, -0.5), 3, 1); /* away, and back at s = 2 */
  TEST_ASSERT_EQUAL_DOUBLE(2.0, c.tn);
}

/* What root solving leaves behind: z is still a hair on the old side when the owner toggles. */
static void test_the_rest_of_its_own_toggle_does_not_fire(void)
{
  for (int side = -1; side <= 1; side++) {
    HyCrossing c;
    hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
    hy_crossing_input(&c, 1.0, PIECE(side * 1e-16, -1.0), 2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0, c.tn);
    hy_crossing_toggle(&c, 1.0);
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 1.0, PIECE(side * 2e-16, -0.5), 2); /* the answer of the model */
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 2.0, PIECE(-0.5, 0.25), 2);
    TEST_ASSERT_EQUAL_DOUBLE(4.0, c.tn);
  }
}

/* A source has a corner at the level, and its new piece comes after the toggle. */
static void test_turned_back_by_a_source_it_toggles_back(void)
{
  const double late[] = {0.0, 1e-16, 3e-16}; /* the root may be found a little before the corner */
  for (int k = 0; k < 3; k++) {
    HyCrossing c;
    hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
    hy_crossing_toggle(&c, 1.0 - late[k]);
    hy_crossing_input(&c, 1.0, PIECE(0.0, 1.0), 2);
    TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
    hy_crossing_toggle(&c, 1.0);
    TEST_ASSERT_EQUAL_INT(1, c.sign);
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 2.0, PIECE(1.0, -1.0), 2);
    TEST_ASSERT_EQUAL_DOUBLE(3.0, c.tn);
  }
}

/* The model answers every toggle by turning z back: silent for a hundredth of its longest rest, and
 * from the next input on until a jump says that it matters. */
static void test_silent_after_a_toggle_until_it_has_crossed(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
  for (int k = 0; k < 3; k++) {
    hy_crossing_toggle(&c, 1.0);
    hy_crossing_input(&c, 1.0, PIECE(0.0, -c.sign), 2);
    TEST_ASSERT_TRUE(k == 2 || c.tn == 1.0);
  }
  TEST_ASSERT_EQUAL_INT(-1, c.sign);
  TEST_ASSERT_EQUAL_DOUBLE(1.01, c.tn);
  hy_crossing_input(&c, 1.5, PIECE(0.5, -1.0, 0.25), 3); /* comes, touches at 3.5, never leaves */
  TEST_ASSERT_EQUAL_INT(-1, c.sign);
  hy_crossing_input(&c, 1.5, PIECE(0.5, -1.5, 1.0), 3); /* crosses at 2, and back at 2.5 */
  TEST_ASSERT_EQUAL_DOUBLE(2.5, c.tn);
  hy_crossing_input(&c, 1.75, PIECE(0.3, 1.0), 2); /* from 0.1875: a jump on the wrong side */
  TEST_ASSERT_EQUAL_DOUBLE(1.75, c.tn);
}

static void test_a_jump_to_the_wrong_side_fires_at_once(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
  hy_crossing_toggle(&c, 1.0);
  hy_crossing_input(&c, 1.0, PIECE(5.0, -1.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
  hy_crossing_start(&c, 0.0, PIECE(1.0, 0.0), 2, 0);
  hy_crossing_input(&c, 3.0, PIECE(-1.0, 1.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(3.0, c.tn);
}

/* Found to cross and put back, to rest there, again and again: what was once at the instant rests
 * longer and longer. Not if it crosses after a long time, nor if it jumps back later. */
static void test_what_is_put_back_again_and_again_may_rest(void)
{
  HyCrossing c;
  double t = 1.0, rested = 0.0;
  hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
  hy_crossing_toggle(&c, t);
  hy_crossing_input(&c, t, PIECE(1e-6, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(t, c.tn);
  for (int k = 0; k < 40; k++) {
    TEST_ASSERT_TRUE(c.tn >= t + 1.9 * rested && c.tn < t + 2.1 * rested + 1e-6);
    rested = c.tn - t;
    hy_crossing_toggle(&c, t = c.tn);
    hy_crossing_input(&c, t, PIECE(1e-6, -1.0), 2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, t + 1e-6, c.tn);
    hy_crossing_toggle(&c, t = c.tn);
    hy_crossing_input(&c, t, PIECE(1e-6, 0.0), 2);
  }
  TEST_ASSERT_TRUE(c.tn > t + 1e3);
  hy_crossing_input(&c, t + 1.0, PIECE(1.0, 0.0), 2); /* a jump */
  TEST_ASSERT_EQUAL_DOUBLE(t + 1.0, c.tn);
  hy_crossing_toggle(&c, t += 1.0);
  hy_crossing_input(&c, t, PIECE(1e4, -1.0), 2);
  hy_crossing_toggle(&c, t += 1e4);
  hy_crossing_input(&c, t, PIECE(1e-3, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(t, c.tn);
}

/* A comparison whose z comes to rest at 0 is below: by a jump, by a movement that ends, at the very
 * instant at which it was found to cross; and above again as soon as z is. */
static void test_what_rests_at_zero_is_below(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(1.0, 0.0), 2, 0);
  hy_crossing_input(&c, 1.0, PIECE(0.0, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
  hy_crossing_toggle(&c, 1.0);
  TEST_ASSERT_TRUE(c.sign < 0 && c.tn == INFINITY);
  hy_crossing_input(&c, 1.0, PIECE(1e-300, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
  hy_crossing_toggle(&c, 1.0);
  hy_crossing_input(&c, 2.0, PIECE(1.0, -1.0), 2);
  hy_crossing_input(&c, 3.0, PIECE(0.0, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(3.0, c.tn);
  hy_crossing_start(&c, 0.0, PIECE(-1.0, 1.0), 2, 0);
  hy_crossing_toggle(&c, 1.0);
  hy_crossing_input(&c, 1.0, PIECE(0.0, 0.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, c.tn);
}

/* Where its own toggle has stopped it, it stays; and so it does at the end of a band. */
static void test_what_its_toggle_has_stopped_keeps_its_side(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(-1.0, 1.0), 2, 0);
  hy_crossing_toggle(&c, 1.0);
  hy_crossing_answer(&c, 1.0, PIECE(0.0, 0.0), 2);
  TEST_ASSERT_TRUE(c.sign > 0 && c.tn == INFINITY);
  hy_crossing_start(&c, 0.0, PIECE(1.0, 0.0), 2, 1);
  hy_crossing_input(&c, 1.0, PIECE(0.0, 0.0), 2);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
}

/* A model that answers each toggle by the opposite comes to rest after some tries. */
static void test_a_rest_that_is_taken_back_ends(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(-1.0, 1.0), 2, 0);
  unsigned toggles = 0;
  for (double t = 1.0; c.tn <= t && toggles < 10; toggles++) {
    hy_crossing_toggle(&c, t);
    hy_crossing_input(&c, t, PIECE(0.0, c.sign > 0 ? 0.0 : 1.0), 2);
  }
  TEST_ASSERT_TRUE(toggles < 10 && c.sign > 0);
}

/* Roots without a change of sign, from both sides, exact and as rounding leaves them. */
static void test_a_touch_does_not_cross(void)
{
  for (int side = -1; side <= 1; side += 2) {
    HyCrossing c;
    hy_crossing_start(&c, 0.0, PIECE(side, -2.0 * side, side), 3, 0); /* (s - 1)^2 */
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 0.5, PIECE(0.25 * side, -side, side), 3);
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 0.5, PIECE((0.25 - 1e-16) * side, -side, side), 3); /* two roots */
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_input(&c, 0.5, PIECE((0.25 - 1e-10) * side, -side, side), 3); /* really below */
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 1.0, c.tn);
    hy_crossing_start(&c, 0.0, PIECE(3.0 * side, -7.0 * side, 5.0 * side, -side), 4, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3.0, c.tn); /* (s - 1)^2 (3 - s) touches first */
    hy_crossing_start(&c, 0.0, PIECE(side, -3.0 * side, 3.0 * side, -side), 4, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, c.tn); /* (1 - s)^3 crosses */
  }
}

/* -v |v| near v = 0 at t = 0.769, as v/(1 + |v|) > v has it: computed there it would cross and come
 * back within a time that is none, and that again and again. */
static void test_a_crossing_for_no_time_is_a_touch(void)
{
  for (int side = -1; side <= 1; side += 2) {
    HyCrossing c;
    hy_crossing_start(&c, 0.769, PIECE(5e-32 * side, -7e-15 * side, 157.0 * side), 3, 0);
    TEST_ASSERT_TRUE(c.tn == INFINITY);
    hy_crossing_start(&c, 0.769, PIECE(5e-25 * side, -7e-11 * side, 157.0 * side), 3, 0);
    TEST_ASSERT_TRUE(c.tn > 0.769 && c.tn < 0.76900001); /* beyond for 4e-13 */
    hy_crossing_start(&c, 0.0, PIECE(5e-32 * side, -7e-15 * side, 157.0 * side), 3, 0);
    TEST_ASSERT_TRUE(c.tn > 0.0 && c.tn < 1e-16); /* near 0 that is a time */
  }
}

/* "Violating but recovering": on the wrong side by rounding and already on its way back. */
static void test_violating_but_recovering_does_not_fire(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(1.0, -0.5), 2, 0);
  hy_crossing_input(&c, 2.0, PIECE(-1e-16, 1.0, -0.25), 3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 6.0, c.tn); /* when it leaves again */
  hy_crossing_input(&c, 2.0, PIECE(-1e-6, 1.0, -0.25), 3);
  TEST_ASSERT_EQUAL_DOUBLE(2.0, c.tn); /* that is no rounding */
}

static void test_not_finite_is_never_due(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(NAN, 1.0), 2, 1);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 1.0, PIECE(1.0, -INFINITY), 2);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_input(&c, 1.0, PIECE(1.0, -1.0), 2);
  TEST_ASSERT_EQUAL_DOUBLE(2.0, c.tn);
}

/* A sine in pieces of degree 2 that join without a jump: one toggle a half period. */
static void test_a_sine_is_crossed_once_a_half_period(void)
{
  HyCrossing c;
  uint64_t seed = 9;
  int toggles = 0;
  double t = 0.1;
  hy_crossing_start(&c, t, PIECE(sin(t), cos(t), -0.5 * sin(t)), 3, 0);
  while (t < 300.0) {
    double next = t + 1e-3 + 0.02 * fabs(random_signed(&seed));
    if (c.tn <= next) {
      t = c.tn;
      hy_crossing_toggle(&c, t);
      toggles++;
      TEST_ASSERT_DOUBLE_WITHIN(1e-2, toggles * M_PI, t);
    } else {
      t = next;
    }
    double z = hy_poly_at(c.z, 3, t - c.tz);
    hy_crossing_input(&c, t, PIECE(z, cos(t), -0.5 * sin(t)), 3);
  }
  TEST_ASSERT_EQUAL_INT(95, toggles);
}

/* 36 u^2 - 432 u^4 and so on, of sin(6 u)^2, near its touch at u = 0, by the two or three
 * coefficients that a method has. */
static void test_a_series_that_touches_is_passed_by(void)
{
  static const double moments[] = {-1e-3, -4e-6, -1e-8, 0.0, 1e-9};
  for (unsigned k = 0; k < sizeof moments / sizeof *moments; k++) {
    HyCrossing c;
    double u = moments[k], z[4] = {sin(6 * u) * sin(6 * u), 6 * sin(12 * u), 36 * cos(12 * u)};
    hy_crossing_start(&c, 1.0, PIECE(1.0, -1.0), 2, 0);
    TEST_ASSERT_TRUE(hy_crossing_is_early(&c, 2.0, z, 3));
    hy_crossing_input(&c, 2.0, z, 3);
    TEST_ASSERT_TRUE(k == 0 ? c.tn > 2.0 && c.tn < 2.0011 : c.tn == INFINITY);
    hy_crossing_start(&c, 1.0, PIECE(1.0, -1.0), 2, 0);
    z[1] = -1.0; /* no touch */
    TEST_ASSERT_EQUAL(k == 0, hy_crossing_is_early(&c, 2.0, z, 3));
  }
}

/* Of a z that is below by rounding and back at once nothing is to be judged later on. */
static void test_what_comes_back_is_not_judged(void)
{
  HyCrossing c;
  hy_crossing_start(&c, 0.0, PIECE(1.0, -1.0), 2, 0);
  hy_crossing_toggle(&c, 1.0);
  hy_crossing_answer(&c, 1.0, PIECE(1e-17, 0.0, -20.0), 3);
  TEST_ASSERT_TRUE(c.tn == INFINITY);
  hy_crossing_answer(&c, 1.0, PIECE(1e-17, 0.0, 20.0), 3);
  TEST_ASSERT_EQUAL_DOUBLE(1.01, c.tn);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_series_that_touches_is_passed_by);
  RUN_TEST(test_what_comes_back_is_not_judged);
  RUN_TEST(test_the_first_root_is_foreseen);
  RUN_TEST(test_a_signal_without_slopes_crosses_by_jumps_only);
  RUN_TEST(test_exactly_zero_fires_when_it_starts_to_move);
  RUN_TEST(test_the_rest_of_its_own_toggle_does_not_fire);
  RUN_TEST(test_turned_back_by_a_source_it_toggles_back);
  RUN_TEST(test_silent_after_a_toggle_until_it_has_crossed);
  RUN_TEST(test_a_jump_to_the_wrong_side_fires_at_once);
  RUN_TEST(test_what_is_put_back_again_and_again_may_rest);
  RUN_TEST(test_what_rests_at_zero_is_below);
  RUN_TEST(test_what_its_toggle_has_stopped_keeps_its_side);
  RUN_TEST(test_a_rest_that_is_taken_back_ends);
  RUN_TEST(test_a_touch_does_not_cross);
  RUN_TEST(test_a_crossing_for_no_time_is_a_touch);
  RUN_TEST(test_violating_but_recovering_does_not_fire);
  RUN_TEST(test_not_finite_is_never_due);
  RUN_TEST(test_a_sine_is_crossed_once_a_half_period);
  return UNITY_END();
}
