/* The blocks of switches/: what they say and when, against closed forms, on tree and flat. */
#include "numerics/poly.h"
#include "pieces.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const double rising[] = {0, -1, 1, 0, 0};   /* s - 1 */
static const double parabola[] = {0, -1, 0, 1, 0}; /* s^2 - 1 */
static const double hill[] = {0, 0, 3, -1, 0};     /* 3 s - s^2: 2 at 1 and 2, 2.25 at 1.5 */
static const double there_and_back[] = {0, -1, 1, 0, 0, 3, 2, -1, 0, 0}; /* down again from t = 3 */
static const double cubic[] = {0, 0, 2, -3, 1};                          /* s (s - 1) (s - 2) */

static GArray *words_for(const char *klass, const double *data, guint n, const char *a,
                         const char *va, const char *b, const char *vb)
{
  return bench_words(&(Bench){klass, 1, 4, {data}, {n}, {a, va, b, vb}}, 10);
}

static void test_comparator(void)
{
  g_autoptr(GArray) words = words_for("comparator", parabola, 1, NULL, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL(2, words->len);
  check_word(words, 0, 0, 0, 0, 0, 0);
  check_word(words, 1, 1, 1, 0, 0, 0);
  g_autoptr(GArray) more = words_for("comparator", cubic, 1, "level", "0.25", "low", "-1");
  TEST_ASSERT_EQUAL(4, more->len); /* up, down, up */
  for (guint k = 1; k < 4; k++) {
    double s = g_array_index(more, Word, k).t;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.25, s * (s - 1) * (s - 2));
    TEST_ASSERT_EQUAL_DOUBLE(k % 2 == 1 ? 1 : -1, g_array_index(more, Word, k).c[0]);
  }
}

static void test_order_one_jumps(void)
{
  const double steps[] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 2, 2.5, 0, 0, 0, 3, -1, 0, 0, 0};
  const Bench bench = {"comparator", 1, 1, {steps}, {4}, {"level", "1"}};
  g_autoptr(GArray) words = bench_words(&bench, 10);
  TEST_ASSERT_EQUAL(3, words->len); /* at 2 nothing new is said */
  check_word(words, 1, 1, 1, 0, 0, 0);
  check_word(words, 2, 3, 0, 0, 0, 0);
}

static void test_at_rest_on_the_level_it_is_low(void)
{
  const double rests[] = {0, 1, 0, 0, 0, 2, 1, 1, 0, 0};
  g_autoptr(GArray) words = words_for("comparator", rests, 2, "level", "1", NULL, NULL);
  TEST_ASSERT_EQUAL(2, words->len);
  check_word(words, 0, 0, 0, 0, 0, 0);
  check_word(words, 1, 2, 1, 0, 0, 0); /* it starts to move */
}

static void test_touching_is_no_crossing(void)
{
  const double touches[] = {0, -1, 2, -1, 0}; /* -(s - 1)^2 */
  g_autoptr(GArray) words = words_for("comparator", touches, 1, NULL, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_DOUBLE(0, g_array_index(words, Word, words->len - 1).c[0]);
}

/* The new piece comes at the very instant at which the old one has reached the limit, before the
 * block has its turn or after it; from there on the block follows. */
static void test_a_corner_at_the_limit_leaves_it_as_it_was(void)
{
  const double corners[] = {0, 0, 1, 0, 0, 2, 2, -1, 0, 0, 4, 0, 1, 0, 0, 6, 2, -1, 0, 0};
  const char *const classes[] = {"saturation", "dead_band", "comparator"};
  for (guint k = 0; k < G_N_ELEMENTS(classes); k++) {
    gboolean comparator = k == 2;
    const Bench bench = {
        classes[k],
        1,
        2,
        {corners},
        {4},
        {comparator ? "level" : "lower", comparator ? "2" : "0", comparator ? NULL : "upper", "2"}};
    g_autoptr(GArray) words = bench_words(&bench, 7.5);
    const Word *last = &g_array_index(words, Word, words->len - 1);
    double v = last->c[0] + last->c[1] * (7 - last->t);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(k == 0 ? 1 : 0, v, classes[k]); /* at 7 the input is 1 */
  }
}

static void test_diode(void)
{
  g_autoptr(GArray) words = words_for("diode", there_and_back, 2, "ron", "0.1", "roff", "1000");
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 0, 0, 1000, 0, 0, 0);
  check_word(words, 1, 1, 0.1, 0, 0, 0);
  check_word(words, 2, 5, 1000, 0, 0, 0);
}

static void test_saturation(void)
{
  g_autoptr(GArray) words = words_for("saturation", hill, 1, "lower", "-4", "upper", "2");
  TEST_ASSERT_EQUAL(4, words->len);
  check_word(words, 0, 0, 0, 3, -1, 0);
  check_word(words, 1, 1, 2, 0, 0, 0);
  check_word(words, 2, 2, 2, -1, -1, 0);
  check_word(words, 3, 4, -4, 0, 0, 0);
  bench_fails(&(Bench){"saturation", 1, 4, {hill}, {1}, {"lower", "2"}}, 1,
              "B: lower = 2 is above upper = 1");
}

/* Values of a word at its ends, on its way, and where it turns. */
static void check_within(const Word *w, double until, guint n, double lower, double upper)
{
  double turn = n > 2 && w->c[2] != 0 ? -w->c[1] / (2 * w->c[2]) : 0;
  for (guint k = 0; k <= 66; k++) {
    double t = k <= 64 ? w->t + (until - w->t) * k / 64 : k == 65 ? w->t + turn : until;
    if (t >= w->t && t <= until) {
      double v = hy_poly_at(w->c, (int)n, t - w->t);
      TEST_ASSERT_TRUE(v >= lower && v <= upper);
    }
  }
}

/* Of a wave of parabolas through 0 at odd instants, some of which only touch the limits; the words
 * that follow from it hold until the next one, that instant included. */
static void check_never_beyond(const char *klass, const char *const *params, guint n, double lower,
                               double upper)
{
  double data[5 * 60];
  for (guint k = 0; k < 60; k++) {
    double begin = 1.1 * k, up = k % 2 == 0 ? 1 : -1, top = 0.3 + 0.1 * (k % 7);
    double c2 = n > 2 ? 4 * top / 1.21 : 0, c1 = n > 2 ? 1.1 * c2 : up;
    const double piece[5] = {begin, n > 2 ? 0 : -0.55 * up, n > 2 ? up * c1 : c1, -up * c2, 0};
    memcpy(data + (gsize)5 * k, piece, sizeof piece);
  }
  const Bench bench = {klass, 1, n, {data}, {60}, {params[0], params[1], params[2], params[3]}};
  g_autoptr(GArray) words = bench_words(&bench, 70);
  TEST_ASSERT_GREATER_THAN_UINT(60, words->len);
  for (guint k = 0; k < words->len; k++) {
    const Word *w = &g_array_index(words, Word, k);
    check_within(w, k + 1 < words->len ? w[1].t : w->t, n, lower, upper);
  }
}

static void test_what_is_limited_is_never_beyond_its_limits(void)
{
  static const char *const saturated[] = {"lower", "0", "upper", "0.4", NULL};
  static const char *const uneven[] = {"lower", "-0.3", "upper", "0.123456789", NULL};
  static const char *const formula[] = {"formula", "limit(in[1], 0, 0.4)", NULL, NULL};
  static const char *const curved[] = {"formula", "limit(sin(3*in[1]), -0.7, 0.4)", NULL, NULL};
  for (guint n = 2; n <= 4; n++) {
    check_never_beyond("saturation", saturated, n, 0, 0.4);
    check_never_beyond("saturation", uneven, n, -0.3, 0.123456789);
    check_never_beyond("function", formula, n, 0, 0.4);
    check_never_beyond("function", curved, n, -0.7, 0.4);
  }
}

static void test_dead_band(void)
{
  g_autoptr(GArray) words = words_for("dead_band", hill, 1, "lower", "-4", "upper", "2");
  TEST_ASSERT_EQUAL(4, words->len);
  check_word(words, 0, 0, 0, 0, 0, 0);
  check_word(words, 1, 1, 0, 1, -1, 0);
  check_word(words, 2, 2, 0, 0, 0, 0);
  check_word(words, 3, 4, 0, -5, -1, 0);
}

static void test_hysteresis(void)
{
  const double wave[] = {0, 0, 1, 0, 0, 3, 3, -1, 0, 0, 6, -2, 2, 0, 0};
  g_autoptr(GArray) words = words_for("hysteresis", wave, 3, "lower", "1", "upper", "2");
  TEST_ASSERT_EQUAL(4, words->len);
  check_word(words, 0, 0, 0, 0, 0, 0);
  check_word(words, 1, 2, 1, 0, 0, 0);
  check_word(words, 2, 5, 0, 0, 0, 0); /* 3 - (t - 3) = 1 */
  check_word(words, 3, 8, 1, 0, 0, 0);
}

static void test_hysteresis_between_its_levels(void)
{
  const double between[] = {0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3, -2, 0, 0, 0};
  g_autoptr(GArray) words = words_for("hysteresis", between, 4, "lower", "-1", "upper", "1");
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 0, 0, 0, 0, 0, 0);
  check_word(words, 1, 1, 1, 0, 0, 0);
  check_word(words, 2, 3, 0, 0, 0, 0);
}

/* A relay on x' = -sign x would toggle without end at x = 0. */
static void test_hysteresis_needs_a_band(void)
{
  bench_fails(&(Bench){"hysteresis", 1, 4, {hill}, {1}, {"lower", "2"}}, 1,
              "B: lower = 2 is above upper = 0.5");
  bench_fails(&(Bench){"hysteresis", 1, 4, {hill}, {1}, {"lower", "0.5"}}, 1,
              "B: lower = upper = 0.5 leaves no band; give an upper above the lower, or take a "
              "comparator with level=\"0.5\"");
}

static void test_switch(void)
{
  const double gate[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0};
  const Bench bench = {"switch", 3, 4, {gate, rising, hill}, {3, 1, 1}, {NULL}};
  g_autoptr(GArray) words = bench_words(&bench, 10);
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 0, 0, 0, 3, -1, 0);
  check_word(words, 1, 1, 0, 1, 0, 0);
  check_word(words, 2, 2, 2, -1, -1, 0);
}

/* A jump of the control and of a branch at one instant: the new mode at once, no word of the old
 * one. */
static void test_switch_says_nothing_of_the_old_mode(void)
{
  const double gate[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0};
  const double on[] = {0, 5, 0, 0, 0, 1, 6, 0, 0, 0}, off[] = {0, -5, 0, 0, 0, 1, -6, 0, 0, 0};
  const Bench bench = {"switch", 3, 4, {on, gate, off}, {2, 2, 2}, {NULL}};
  Bench turned = bench;
  turned.pieces[0] = gate;
  turned.pieces[1] = on;
  g_autoptr(GArray) words = bench_words(&turned, 10);
  TEST_ASSERT_GREATER_OR_EQUAL(2, words->len);
  TEST_ASSERT_EQUAL_DOUBLE(-5, g_array_index(words, Word, 0).c[0]);
  TEST_ASSERT_GREATER_THAN(0, g_array_index(words, Word, 1).c[0]);
}

static void test_gates(void)
{
  static const double a[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 4, 0, 0, 0, 0};
  static const double b[] = {0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 5, 0, 0, 0, 0};
  g_autoptr(GArray) both = bench_words(&(Bench){"and", 2, 1, {a, b}, {3, 3}, {NULL}}, 10);
  TEST_ASSERT_EQUAL(3, both->len);
  check_word(both, 1, 2, 1, 0, 0, 0);
  check_word(both, 2, 4, 0, 0, 0, 0);
  g_autoptr(GArray) any = bench_words(&(Bench){"or", 2, 1, {a, b}, {3, 3}, {NULL}}, 10);
  TEST_ASSERT_EQUAL(3, any->len);
  check_word(any, 1, 1, 1, 0, 0, 0);
  check_word(any, 2, 5, 0, 0, 0, 0);
  g_autoptr(GArray) off = bench_words(&(Bench){"not", 1, 1, {a}, {3}, {NULL}}, 10);
  TEST_ASSERT_EQUAL(3, off->len);
  check_word(off, 0, 0, 1, 0, 0, 0);
  check_word(off, 1, 1, 0, 0, 0, 0);
}

/* Feedback through modes ---------------------------------------------------------------------- */

/* A function "B" of in[1], which is DATA, and in[2], which block D of CLASS makes of it. */
static HyModel *feedback(const double *data, const char *formula, const char *klass, const char *a,
                         const char *va, const char *b, const char *vb)
{
  HyModel *m = bench_model(&(Bench){"function", 2, 4, {data}, {1}, {"formula", formula}});
  guint d = hy_model_add(m, "D", hy_class_find(klass));
  g_autoptr(GError) error = NULL;
  gboolean ok = hy_model_set(m, d, a, va, &error) && hy_model_set(m, d, b, vb, &error) &&
                hy_model_connect(m, 0, 0, d, 0, &error) && hy_model_connect(m, d, 0, 0, 1, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return m;
}

/* A diode reads the current that it decides: i = (u - 2) / (1 + R) passes 0 with u. */
static void test_a_diode_reads_its_own_current(void)
{
  g_autoptr(GError) error = NULL;
  HyModel *m = feedback(hill, "(in[1] - 2)/(1 + in[2])", "diode", "ron", "1", "roff", "9");
  g_autoptr(GArray) words = words_of(m, 10, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(words, error != NULL ? error->message : "");
  TEST_ASSERT_EQUAL(3, words->len);
  check_word(words, 0, 0, -0.2, 0.3, -0.1, 0);
  check_word(words, 1, 1, 0, 0.5, -0.5, 0);
  check_word(words, 2, 2, 0, -0.1, -0.1, 0);
}

/* A comparator that turns its own input round never comes to rest: the zero-time limit says so. */
static void test_chattering_is_named(void)
{
  g_autoptr(GError) error = NULL;
  HyModel *m = feedback(rising, "0.5 + in[1] - in[2]", "comparator", "low", "0", "high", "5");
  g_autoptr(GArray) words = words_of(m, 10, &error);
  TEST_ASSERT_NULL(words);
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_ILLEGITIMATE));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "the last were of "), error->message);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_comparator);
  RUN_TEST(test_order_one_jumps);
  RUN_TEST(test_at_rest_on_the_level_it_is_low);
  RUN_TEST(test_touching_is_no_crossing);
  RUN_TEST(test_a_corner_at_the_limit_leaves_it_as_it_was);
  RUN_TEST(test_diode);
  RUN_TEST(test_saturation);
  RUN_TEST(test_what_is_limited_is_never_beyond_its_limits);
  RUN_TEST(test_dead_band);
  RUN_TEST(test_hysteresis);
  RUN_TEST(test_hysteresis_between_its_levels);
  RUN_TEST(test_hysteresis_needs_a_band);
  RUN_TEST(test_switch);
  RUN_TEST(test_switch_says_nothing_of_the_old_mode);
  RUN_TEST(test_gates);
  RUN_TEST(test_a_diode_reads_its_own_current);
  RUN_TEST(test_chattering_is_named);
  return UNITY_END();
}
