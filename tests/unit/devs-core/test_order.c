/* The order of ties: static blocks first, each after those that feed it, wherever they stand. */
#include "random_model.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint add(HyModel *m, const char *name, const char *klass, guint n_in)
{
  guint c = hy_model_add(m, name, hy_class_find(klass));
  if (n_in > 0) {
    hy_model_set_array(m, c, n_in, 0);
  }
  return c;
}

static guint add_function(HyModel *m, const char *name, const char *formula)
{
  guint c = add(m, name, "function", 2);
  TEST_ASSERT_TRUE(hy_model_set(m, c, "formula", formula, NULL));
  return c;
}

static void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  hy_model_wire(m, from, to, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

/* The paths of all atomics by number, with blanks between. */
static char *order_of(HyModel *m)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(sim, error != NULL ? error->message : "");
  GString *text = g_string_new(NULL);
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    g_autofree char *path = hy_sim_path(sim, a);
    g_string_append_printf(text, "%s%s", a > 0 ? " " : "", path);
  }
  return g_string_free(text, FALSE);
}

/* s = a + b, a = 2 in, b = 3 a: stated the wrong way round and in different models. */
static HyModel *chain(void)
{
  HyModel *m = hy_model_new("M");
  add(m, "s", "sum", 2);
  HyModel *inner = hy_model_add_coupled(m, "C");
  hy_model_in(inner, "x");
  hy_model_out(inner, "y");
  add(inner, "b", "gain", 0);
  add(inner, "n", "counter", 0);
  add(m, "a", "gain", 0);
  add(m, "g", "random", 0);
  wire(m, "g", "a");
  wire(m, "a", "C.x");
  wire(m, "a", "s.in[1]");
  wire(m, "C.y", "s.in[2]");
  wire(inner, "x", "b");
  wire(inner, "b", "n.in");
  wire(inner, "b", "y");
  return m;
}

static void test_statics_stand_by_rank_before_all_others(void)
{
  g_autoptr(HyModel) m = chain();
  g_autofree char *order = order_of(m);
  TEST_ASSERT_EQUAL_STRING("a C/b s C/n g", order);
}

static void test_a_static_with_a_priority_stays_where_it_was(void)
{
  g_autoptr(HyModel) m = chain();
  hy_model_set_priority(m, hy_model_find(m, "s"), 1);
  g_autofree char *order = order_of(m);
  TEST_ASSERT_EQUAL_STRING("a C/b s C/n g", order);
  g_autoptr(HyModel) other = chain();
  HyModel *inner = hy_model_coupled(other, hy_model_find(other, "C"));
  hy_model_set_priority(inner, hy_model_find(inner, "b"), 1);
  g_autofree char *late = order_of(other);
  TEST_ASSERT_EQUAL_STRING("a s C/b C/n g", late);
}

static void count_sum(gpointer user, const HyTransition *x)
{
  *(guint *)user += x->atomic == 2 && x->kind == HY_LAMBDA;
}

static void test_a_sum_speaks_once_for_all_its_inputs(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HyModel) m = chain();
    TEST_ASSERT_TRUE(hy_model_set(m, hy_model_find(m, "g"), "period", "1", NULL));
    g_autoptr(HySim) sim = hy_sim_new(m, engine, NULL);
    guint spoken = 0;
    hy_sim_set_trace(sim, &(HyTrace){.user = &spoken, .transition = count_sum});
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(sim, 0, &error), error != NULL ? error->message : "");
    TEST_ASSERT_TRUE(hy_sim_run(sim, 9.5, NULL));
    TEST_ASSERT_EQUAL(10, spoken);
  }
}

/* f <- h <- g <- f, with k outside; REVERSED: stated the other way round. */
static HyModel *loop(gboolean reversed)
{
  static const char *const names[] = {"f", "g", "h", "k"};
  HyModel *m = hy_model_new("M");
  for (guint i = 0; i < 4; i++) {
    add_function(m, names[reversed ? 3 - i : i], "in[1] - in[2]");
  }
  if (reversed) {
    wire(m, "k", "f.in[2]");
  }
  wire(m, "h", "f.in[1]");
  wire(m, "f", "g.in[1]");
  wire(m, "g", "h.in[2]");
  wire(m, "h", "k.in[1]");
  if (!reversed) {
    wire(m, "k", "f.in[2]");
  }
  return m;
}

static void test_a_loop_is_named_whatever_the_order(void)
{
  for (int reversed = 0; reversed < 2; reversed++) {
    g_autoptr(HyModel) m = loop(reversed);
    for (guint again = 0; again < 2; again++) {
      g_autoptr(GError) error = NULL;
      TEST_ASSERT_FALSE(hy_model_check(m, &error));
      TEST_ASSERT_EQUAL_STRING(
          "algebraic loop: f.in[1] <- h.out, h.in[2] <- g.out, g.in[1] <- f.out; "
          "break it with an integrator, a delay or a loop_breaker",
          error->message);
    }
  }
}

/* d reads only in a condition what it decides; a comes before it all the same, c after. */
static void test_a_mode_breaks_a_loop(void)
{
  HyModel *m = hy_model_new("M");
  add_function(m, "c", "in[1]");
  add_function(m, "i", "in[1] + in[2]");
  add_function(m, "d", "if(in[1] > in[2], 1, 2)");
  add_function(m, "a", "3");
  wire(m, "a", "d.in[2]");
  wire(m, "i", "d.in[1]");
  wire(m, "d", "i.in[1]");
  wire(m, "i", "c.in[1]");
  g_autofree char *order = order_of(m);
  TEST_ASSERT_EQUAL_STRING("a d i c", order);
  hy_model_free(m);
}

static void test_a_long_chain_costs_no_stack(void)
{
  const guint n = 100000;
  g_autoptr(HyModel) m = hy_model_new("M");
  for (guint k = 0; k < n; k++) {
    char name[16];
    g_snprintf(name, sizeof name, "g%u", k);
    add(m, name, "gain", 0);
  }
  for (guint k = 1; k < n; k++) {
    TEST_ASSERT_TRUE(hy_model_connect(m, k, 0, k - 1, 0, NULL));
  }
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_model_check(m, &error), error != NULL ? error->message : "");
}

/* Random models ------------------------------------------------------------------------------- */

static void fill(HyModel *m, GRand *rand, guint depth, guint *number)
{
  static const char *const formulas[] = {"in[1] + 2*in[2]", "in[1]", "if(in[1] > 500, in[2], 7)",
                                         "if(in[1] > in[2], 1, 0)", "max(in[1], in[2])"};
  guint n = (guint)g_rand_int_range(rand, 3, 8);
  for (guint k = 0; k < n; k++) {
    char name[16];
    g_snprintf(name, sizeof name, "n%u", (*number)++);
    guint what = (guint)g_rand_int_range(rand, 0, 6);
    if (depth > 0 && what == 0) {
      HyModel *inner = hy_model_add_coupled(m, name);
      hy_model_in(inner, "a");
      hy_model_in(inner, "b");
      hy_model_out(inner, "p");
      hy_model_out(inner, "q");
      fill(inner, rand, depth - 1, number);
    } else if (what < 4) {
      add_function(m, name, formulas[g_rand_int_range(rand, 0, G_N_ELEMENTS(formulas))]);
    } else {
      hy_model_add(m, name, &chatter_class);
    }
    if (g_rand_int_range(rand, 0, 12) == 0) {
      hy_model_set_priority(m, k, g_rand_int_range(rand, -3, 3));
    }
  }
  random_lines(m, rand, 2 * n);
}

/* Both engines make the same calls in the same order, or find the same loop. */
static void test_random_models_with_statics(void)
{
  guint run = 0, loops = 0;
  for (guint32 seed = 1; seed <= 300; seed++) {
    GArray *calls[2];
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < 2; i++) {
      GRand *rand = g_rand_new_with_seed(seed);
      g_autoptr(HyModel) m = hy_model_new("R");
      guint number = 0;
      fill(m, rand, 3, &number);
      g_rand_free(rand);
      g_clear_error(&error);
      calls[i] = calls_of(m, i == 0 ? HY_TREE : HY_FLAT, 3, 0, &error);
    }
    TEST_ASSERT_EQUAL(calls[0] == NULL, calls[1] == NULL);
    if (calls[0] == NULL || calls[1] == NULL) {
      gboolean loop = g_str_has_prefix(error->message, "algebraic loop: ");
      TEST_ASSERT_TRUE_MESSAGE(loop || error->code == HY_ERROR_ILLEGITIMATE, error->message);
      loops++;
      continue;
    }
    TEST_ASSERT_EQUAL(calls[0]->len, calls[1]->len);
    if (calls[0]->len > 0) {
      TEST_ASSERT_EQUAL_MEMORY(calls[0]->data, calls[1]->data, calls[0]->len * sizeof(Call));
    }
    run++;
    g_array_unref(calls[0]);
    g_array_unref(calls[1]);
  }
  TEST_ASSERT_GREATER_THAN(50, run);
  TEST_ASSERT_GREATER_THAN(10, loops);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_statics_stand_by_rank_before_all_others);
  RUN_TEST(test_a_static_with_a_priority_stays_where_it_was);
  RUN_TEST(test_a_sum_speaks_once_for_all_its_inputs);
  RUN_TEST(test_a_loop_is_named_whatever_the_order);
  RUN_TEST(test_a_mode_breaks_a_loop);
  RUN_TEST(test_a_long_chain_costs_no_stack);
  RUN_TEST(test_random_models_with_statics);
  return UNITY_END();
}
