/* Blocks that detect, round and sample, on both engines at exact instants. */
#include "blocks.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void check_event(const GArray *a, guint k, double t, double v)
{
  TEST_ASSERT_TRUE(t == said(a, k)->t);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, v, said(a, k)->c[0]);
}

/* A triangle from -1 to 1 with period 2 -> the block; what it says. */
static GArray *behind_triangle(const char *klass, const char *param, const char *text,
                               const char *param2, const char *text2, double tf)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "triangle", "T", "low", "-1", "frequency", "0.5", NULL);
  add(m, klass, "B", param, text, param2, text2, NULL);
  wire(m, "T", "B.in");
  return listen(m, "B", 0, tf, NULL);
}

/* Crossing ------------------------------------------------------------------------------------- */

static void test_a_crossing_speaks_at_the_instant_and_in_its_direction(void)
{
  g_autoptr(GArray) both = behind_triangle("crossing", "level", "0.5", NULL, NULL, 4);
  TEST_ASSERT_EQUAL_UINT(4, both->len);
  check_event(both, 0, 0.75, 0.5);
  check_event(both, 1, 1.25, 0.5);
  check_event(both, 2, 2.75, 0.5);
  g_autoptr(GArray) up = behind_triangle("crossing", "level", "0.5", "direction", "up", 4);
  TEST_ASSERT_EQUAL_UINT(2, up->len);
  check_event(up, 1, 2.75, 0.5);
  g_autoptr(GArray) down = behind_triangle("crossing", "level", "0.5", "direction", "down", 4);
  TEST_ASSERT_EQUAL_UINT(2, down->len);
  check_event(down, 1, 3.25, 0.5);
  g_autoptr(GArray) own = behind_triangle("crossing", "level", "0.5", "value", "-3", 2);
  TEST_ASSERT_EQUAL_UINT(2, own->len);
  check_event(own, 1, 1.25, -3);
}

/* Above 0.5 for half a second each time. */
static void test_an_on_delay_rises_later_and_falls_at_once(void)
{
  g_autoptr(GArray) a = behind_triangle("on_delay", "time", "0.25", NULL, NULL, 4);
  TEST_ASSERT_EQUAL_UINT(5, a->len);
  for (guint k = 0; k < 5; k++) {
    check_event(a, k, (const double[]){0, 1, 1.25, 3, 3.25}[k], k % 2);
  }
  g_autoptr(GArray) never = behind_triangle("on_delay", "time", "0.5", NULL, NULL, 4);
  TEST_ASSERT_EQUAL_UINT(1, never->len);
  g_autoptr(GArray) at_once = behind_triangle("on_delay", "time", "0", NULL, NULL, 2);
  TEST_ASSERT_EQUAL_UINT(3, at_once->len);
  check_event(at_once, 1, 0.75, 1);
}

/* To touch is not to pass. */
static void test_a_signal_that_touches_the_level_does_not_pass_it(void)
{
  g_autoptr(GArray) a = behind_triangle("crossing", "level", "1", NULL, NULL, 9);
  TEST_ASSERT_EQUAL_UINT(0, a->len);
}

/* The rule of docs/language.md: what rests is above while it is greater.
 */
typedef struct {
  gboolean above;
  guint ups, downs;
} Sides;

static void sides_take(Sides *s, int v, gboolean first)
{
  gboolean above = v > 0;
  s->ups += !first && above && !s->above;
  s->downs += !first && !above && s->above;
  s->above = above;
}

/* From v[0] by jumps to v[1] at t = 1 and v[2] at t = 2. */
static HyModel *behind_jumps(const int *v)
{
  HyModel *m = hy_model_new("R");
  for (int k = 0; k < 2; k++) {
    g_autofree char *from = g_strdup_printf("%d", k == 0 ? v[0] : 0);
    g_autofree char *to = g_strdup_printf("%d", k == 0 ? v[1] : v[2] - v[1]);
    add(m, "step", k == 0 ? "A" : "B", "from", from, "to", to, "at", k == 0 ? "1" : "2", NULL);
  }
  hy_model_set_array(m, add(m, "sum", "S", NULL), 2, 0);
  add(m, "comparator", "P", NULL);
  add(m, "crossing", "U", "direction", "up", NULL);
  add(m, "crossing", "D", "direction", "down", NULL);
  wire(m, "A", "S.in[1]");
  wire(m, "B", "S.in[2]");
  wire(m, "S", "P.in");
  wire(m, "S", "U.in");
  wire(m, "S", "D.in");
  return m;
}

/* At t0 a comparator may speak twice: it does not wait for its input. */
static guint words_after_start(const GArray *a)
{
  guint n = 0;
  for (guint k = 0; k < a->len; k++) {
    n += said(a, k)->t > 0.0;
  }
  return n;
}

static void test_crossing_and_comparator_have_one_rule(void)
{
  for (int k = 0; k < 27; k++) {
    const int v[] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    Sides sides = {.above = FALSE};
    for (int i = 0; i < 3; i++) {
      sides_take(&sides, v[i], i == 0);
    }
    g_autoptr(HyModel) m = behind_jumps(v);
    g_autoptr(GArray) ups = listen(m, "U", 0, 3, NULL);
    g_autoptr(GArray) downs = listen(m, "D", 0, 3, NULL);
    g_autoptr(GArray) on = listen(m, "P", 0, 3, NULL);
    g_autofree char *who = g_strdup_printf("%d, %d, %d", v[0], v[1], v[2]);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(sides.ups, ups->len, who);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(sides.downs, downs->len, who);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(sides.ups + sides.downs, words_after_start(on), who);
    TEST_ASSERT_TRUE_MESSAGE(said(on, on->len - 1)->c[0] == (sides.above ? 1.0 : 0.0), who);
  }
}

/* Where it begins at the level and moves, it is above from the start, or below. */
static void test_at_the_level_the_way_it_starts_decides(void)
{
  for (int up = 0; up < 2; up++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "ramp", "R", "duration", "1", "height", up ? "1" : "-1", NULL);
    add(m, "comparator", "P", NULL);
    add(m, "crossing", "C", NULL);
    wire(m, "R", "P.in");
    wire(m, "R", "C.in");
    g_autoptr(GArray) on = listen(m, "P", 0, 1, NULL);
    g_autoptr(GArray) passed = listen(m, "C", 0, 1, NULL);
    TEST_ASSERT_EQUAL_UINT(0, words_after_start(on));
    TEST_ASSERT_TRUE(said(on, on->len - 1)->c[0] == up);
    TEST_ASSERT_EQUAL_UINT(0, passed->len);
  }
}

static void test_a_jump_over_the_level_is_a_crossing(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "square", "Q", "low", "-1", "frequency", "0.5", NULL);
  add(m, "crossing", "C", NULL);
  wire(m, "Q", "C");
  g_autoptr(GArray) a = listen(m, "C", 0, 3.5, NULL);
  TEST_ASSERT_EQUAL_UINT(3, a->len);
  check_event(a, 0, 1, -1);
  check_event(a, 1, 2, 1);
}

/* Quantizer ------------------------------------------------------------------------------------ */

static void test_a_quantizer_rounds_down_in_steps(void)
{
  g_autoptr(GArray) a = behind_triangle("quantizer", "dq", "0.5", NULL, NULL, 2);
  for (guint k = 0; k < 4; k++) {
    check_event(a, k, 0.25 * k, 0.5 * k - 1);
  }
  for (guint i = 0; i < 100; i++) {
    double at = 0.005 + 0.02 * i, in = at < 1 ? 2 * at - 1 : 3 - 2 * at;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 * floor(in / 0.5), heard(a, 0, at));
  }
}

static void test_hysteresis_keeps_a_level_on_the_way_down(void)
{
  g_autoptr(GArray) a = behind_triangle("quantizer", "dq", "0.5", "hysteresis", "0.2", 2);
  for (guint i = 50; i < 99; i++) {
    double at = 0.005 + 0.02 * i, in = 3 - 2 * at, level = 0.5 * floor((in + 0.2) / 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, fmin(level, 0.5), heard(a, 0, at)); /* 1 was only touched */
  }
}

/* x'' = -floor(x), the oscillator of the quantized-state literature: its eight first events. */
static void test_the_oscillator_with_floor(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "integrator", "x1", "x0", "4.5", "method", "qss2", "dqmin", "1e-9", "dqrel", "0", NULL);
  add(m, "integrator", "x2", "x0", "0.5", "method", "qss2", "dqmin", "1e-9", "dqrel", "0", NULL);
  add(m, "quantizer", "q1", NULL);
  add(m, "quantizer", "q2", NULL);
  add(m, "gain", "g", "k", "-1", NULL);
  wire(m, "x1", "q1");
  wire(m, "x2", "q2");
  wire(m, "q2", "x1");
  wire(m, "q1", "g");
  wire(m, "g", "x2");
  g_autoptr(GArray) q1 = listen(m, "q1", 0, 1.5, NULL), q2 = listen(m, "q2", 0, 1.5, NULL);
  const double t1[] = {0, 0.5, 8 / 9.0, 1.0625 / 0.9 * 0.9 + 0.118055555555555, 1.430555555555555};
  const double t2[] = {0, 0.125, 0.375, 2 / 3.0, 1.055555555555555};
  const double v1[] = {4, 3, 2, 1, 0}, v2[] = {0, -1, -2, -3, -4};
  TEST_ASSERT_EQUAL_UINT(5, q1->len);
  TEST_ASSERT_EQUAL_UINT(5, q2->len);
  for (guint k = 0; k < 5; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, t1[k], said(q1, k)->t);
    TEST_ASSERT_EQUAL_DOUBLE(v1[k], said(q1, k)->c[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, t2[k], said(q2, k)->t);
    TEST_ASSERT_EQUAL_DOUBLE(v2[k], said(q2, k)->c[0]);
  }
}

/* Sampling ------------------------------------------------------------------------------------- */

static void test_sample_and_hold_at_exact_instants(void)
{
  g_autoptr(GArray) a = behind_triangle("sample_hold", "period", "0.1", "start", "0.25", 2);
  TEST_ASSERT_EQUAL_UINT(18, a->len);
  for (guint k = 0; k < 18; k++) {
    double t = (25 + 10 * k) / 100.0, in = t < 1 ? 2 * t - 1 : 3 - 2 * t;
    TEST_ASSERT_TRUE(t == said(a, k)->t);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, in, said(a, k)->c[0]);
    TEST_ASSERT_TRUE(said(a, k)->c[1] == 0);
  }
}

/* The source stands behind: at t = 0 the sample waits for it. */
static void test_a_sample_waits_for_its_first_input(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "sample_hold", "H", "period", "1", NULL);
  add(m, "ramp", "A", "duration", "9", "height", "9", "offset", "3", NULL);
  wire(m, "A", "H");
  g_autoptr(GArray) a = listen(m, "H", 0, 2, NULL);
  TEST_ASSERT_EQUAL_UINT(3, a->len);
  check_event(a, 0, 0, 3);
  check_event(a, 2, 2, 5);
}

static void test_a_sampler_samples_when_it_is_told(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "ramp", "A", "duration", "9", "height", "9", NULL);
  add(m, "generator", "G", "first", "0.5", "period", "2.25", "values", "0, 0", NULL);
  add(m, "sampler", "S", "initial", "-1", NULL);
  wire(m, "A", "S.in");
  wire(m, "G", "S.trigger");
  g_autoptr(GArray) a = listen(m, "S", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(3, a->len);
  check_event(a, 0, 0, -1);
  check_event(a, 1, 0.5, 0.5);
  check_event(a, 2, 2.75, 2.75);
}

/* Two in a row give two periods, whichever is listed first; a loop through one counts. */
static void test_unit_delays_do_not_depend_on_the_order_of_the_list(void)
{
  for (guint turned = 0; turned < 2; turned++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "unit_delay", turned ? "B" : "A", "period", "1", NULL);
    add(m, "unit_delay", turned ? "A" : "B", "period", "1", NULL);
    add(m, "ramp", "R1", "duration", "9", "height", "9", "offset", "10", NULL);
    add(m, "unit_delay", "N", "period", "1", "initial", "5", NULL);
    fix(m, add(m, "gain", "g", "k", "2", NULL), 0, 0);
    hy_model_set_array(m, add(m, "sum", "S", NULL), 2, 0);
    wire(m, "R1", "A");
    wire(m, "A", "B");
    wire(m, "N", "S.in[1]");
    fix(m, hy_model_find(m, "S"), 1, 1);
    wire(m, "S", "N");
    g_autoptr(GArray) b = listen(m, "B", 0, 6, NULL), n = listen(m, "N", 0, 6, NULL);
    TEST_ASSERT_EQUAL_UINT(7, n->len);
    for (guint k = 0; k < 7; k++) {
      check_event(n, k, k, 5 + k);
      TEST_ASSERT_EQUAL_DOUBLE(k < 2 ? 0 : 10 + k - 2.0, heard(b, 0, k + 0.5));
    }
  }
}

/* y[k] = 0.5 y[k-1] + 2 u[k] - u[k-1] of a step; the last word of each instant counts. */
static void test_a_discrete_transfer_function(void)
{
  for (guint late = 0; late < 2; late++) { /* the source before and behind the block */
    g_autoptr(HyModel) m = hy_model_new("R");
    if (!late) {
      add(m, "step", "S", "at", "3", NULL);
    }
    add(m, "transfer_z", "Z", "num", "4, -2", "den", "2, -1", "period", "1", NULL);
    if (late) {
      add(m, "step", "S", "at", "3", NULL);
    }
    wire(m, "S", "Z");
    g_autoptr(GArray) z = listen(m, "Z", 0, 9, NULL);
    double y = 0, u_was = 0;
    for (guint k = 0; k < 9; k++) {
      double u = k >= 3;
      y = 0.5 * y + 2 * u - u_was;
      u_was = u;
      TEST_ASSERT_EQUAL_DOUBLE(y, heard(z, 0, k + 0.5));
    }
  }
}

/* 1 / (z^2 - z + 0.5) and a static gain, by the difference equation. */
static void test_transfer_functions_of_other_orders(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "transfer_z", "Z", "num", "1", "den", "1, -1, 0.5", "period", "0.5", NULL), 0, 1);
  fix(m, add(m, "transfer_z", "K", "num", "3", "den", "2", "period", "0.5", NULL), 0, 1);
  g_autoptr(GArray) z = listen(m, "Z", 0, 9, NULL), k = listen(m, "K", 0, 9, NULL);
  double y1 = 0, y2 = 0;
  for (guint i = 0; i < 18; i++) {
    double y = y1 - 0.5 * y2 + (i >= 2);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, y, heard(z, 0, 0.5 * i + 0.1));
    TEST_ASSERT_EQUAL_DOUBLE(1.5, heard(k, 0, 0.5 * i + 0.1));
    y2 = y1;
    y1 = y;
  }
}

static void check_bad_transfer(const char *num, const char *den, const char *message)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "transfer_z", "Z", "num", num, "den", den, "period", "1", NULL), 0, 1);
  check_fails(m, "Z", 9, message);
}

static void test_bad_parameters_are_named(void)
{
  check_bad_block("quantizer", "B: dq = 0 must be above 0", "dq", "0");
  check_bad_block("sample_hold", "B: period = -1 must be above 0", "period", "-1");
  check_bad_block("sample_hold", "B: a period of inf s cannot be counted here", "period", "inf");
  check_bad_transfer("1, 2", "1",
                     "Z: num has a higher power of z than den: the output would come before the "
                     "input");
  check_bad_transfer("1", "0, 1", "Z: den begins with 0; leave out leading zeros");
  check_bad_transfer("inf", "1, 1", "Z: num and den must be finite");
}

static void check_bad_input(const char *klass, const char *param, const char *text)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  hy_model_add(m, "G", &rogue_class);
  add(m, klass, "B", param, text, NULL);
  if (strcmp(klass, "sampler") == 0) {
    wire(m, "G", "B.trigger");
  }
  wire(m, "G", "B.in");
  check_fails(m, "B", 9, "B: in is nan at t = 0.5");
}

static void test_an_input_that_is_no_number_is_named(void)
{
  check_bad_input("crossing", NULL, NULL);
  check_bad_input("quantizer", NULL, NULL);
  check_bad_input("sample_hold", "period", "1");
  check_bad_input("sampler", NULL, NULL);
  check_bad_input("unit_delay", "period", "1");
  check_bad_input("stop", NULL, NULL);
  check_bad_input("window", NULL, NULL);
  check_bad_input("rate_limiter", NULL, NULL);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_crossing_speaks_at_the_instant_and_in_its_direction);
  RUN_TEST(test_an_on_delay_rises_later_and_falls_at_once);
  RUN_TEST(test_a_signal_that_touches_the_level_does_not_pass_it);
  RUN_TEST(test_crossing_and_comparator_have_one_rule);
  RUN_TEST(test_at_the_level_the_way_it_starts_decides);
  RUN_TEST(test_a_jump_over_the_level_is_a_crossing);
  RUN_TEST(test_a_quantizer_rounds_down_in_steps);
  RUN_TEST(test_hysteresis_keeps_a_level_on_the_way_down);
  RUN_TEST(test_the_oscillator_with_floor);
  RUN_TEST(test_sample_and_hold_at_exact_instants);
  RUN_TEST(test_a_sample_waits_for_its_first_input);
  RUN_TEST(test_a_sampler_samples_when_it_is_told);
  RUN_TEST(test_unit_delays_do_not_depend_on_the_order_of_the_list);
  RUN_TEST(test_a_discrete_transfer_function);
  RUN_TEST(test_transfer_functions_of_other_orders);
  RUN_TEST(test_bad_parameters_are_named);
  RUN_TEST(test_an_input_that_is_no_number_is_named);
  return UNITY_END();
}
