/* Building a model: what is refused, in which words, and the limits of size and depth. */
#include <hydevs/hydevs.h>

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void expect(gboolean ok, GError **error, const char *message)
{
  TEST_ASSERT_FALSE(ok);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_MODEL, (*error)->code);
  TEST_ASSERT_EQUAL_STRING(message, (*error)->message);
  g_clear_error(error);
}

static guint add(HyModel *m, const char *name, const char *klass)
{
  return hy_model_add(m, name, hy_class_find(klass));
}

static void test_couplings_that_cannot_be(void)
{
  g_autoptr(HyModel) root = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  HyModel *c = hy_model_add_coupled(root, "C");
  hy_model_in(c, "in");
  hy_model_out(c, "out");
  guint q = add(c, "Q", "server");
  expect(hy_model_wire(c, "Q.out", "Q.in", &error), &error,
         "C/Q: wired to itself (out -> in); a block may not feed itself directly, put another "
         "between");
  expect(
      hy_model_wire(root, "C", "C", &error), &error,
      "C: wired to itself (out -> in); a block may not feed itself directly, put another between");
  expect(hy_model_wire(c, "in", "out", &error), &error,
         "C: output \"out\" is wired straight from input \"in\"; put a block between");
  expect(hy_model_wire(c, "in", "P.in", &error), &error,
         "C: nothing is called \"P\" here (in \"P.in\")");
  expect(hy_model_wire(c, "in", "Q.inn", &error), &error, "C/Q: server has no input port \"inn\"");
  expect(hy_model_wire(c, "Q.in", "out", &error), &error, "C/Q: server has no output port \"in\"");
  expect(hy_model_wire(c, "inn", "Q", &error), &error,
         "C: coupled model has no input port \"inn\"");
  expect(hy_model_wire(c, "Q", "oot", &error), &error,
         "C: coupled model has no output port \"oot\"");
  expect(hy_model_connect(c, q, 1, HY_SELF, 0, &error), &error,
         "C/Q: server has no output port 1; it has 1");
  expect(hy_model_connect(c, HY_SELF, 0, q, 5, &error), &error,
         "C/Q: server has no input port 5; it has 1");
  expect(hy_model_connect(c, 7, 0, q, 0, &error), &error,
         "C: a coupling names component 7; there are 1");
  TEST_ASSERT_TRUE(hy_model_wire(c, ".in", "Q", &error));
  TEST_ASSERT_TRUE(hy_model_wire(c, "Q.out", ".out", &error));
  HyCounts n;
  hy_model_count(root, &n);
  TEST_ASSERT_EQUAL_UINT64(1, n.eic);
  TEST_ASSERT_EQUAL_UINT64(1, n.eoc);
  TEST_ASSERT_EQUAL_UINT64(0, n.ic);
}

static void test_parameters_that_cannot_be(void)
{
  g_autoptr(HyModel) root = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  guint q = add(root, "Q", "server"), g = add(root, "G", "generator"), r = add(root, "N", "random");
  hy_model_add_coupled(root, "C");
  expect(hy_model_set(root, q, "tim", "3", &error), &error,
         "Q: server has no parameter \"tim\"; it has: time");
  expect(hy_model_set(root, q, "time", "2,5", &error), &error, "Q: time takes one value");
  expect(hy_model_set(root, q, "time", "3s", &error), &error, "Q: time=\"3s\" is not a number");
  expect(hy_model_set(root, q, "time", "", &error), &error, "Q: time=\"\" is not a number");
  expect(hy_model_set(root, q, "time", "-1", &error), &error, "Q: time = -1 must be 0 or more");
  expect(hy_model_set(root, q, "time", "nan", &error), &error, "Q: time = nan must be a number");
  expect(hy_model_set_real(root, g, "period", -2, &error), &error,
         "G: period = -2 must be 0 or more");
  expect(hy_model_set(root, r, "distribution", "gauss", &error), &error,
         "N: distribution=\"gauss\": choose one of uniform normal exponential");
  expect(hy_model_set(root, 3, "x", "1", &error), &error,
         "C: a coupled model has no parameter \"x\"");
  TEST_ASSERT_TRUE(hy_model_set(root, q, "time", " 0.5 ", &error));
}

static void test_what_only_the_whole_shows(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyModel) twice = hy_model_new("R");
  add(twice, "Q", "relay");
  add(twice, "Q", "relay");
  expect(hy_model_check(twice, &error), &error, "R: two components are called \"Q\"");
  g_autoptr(HyModel) slash = hy_model_new("R");
  add(slash, "a/b", "relay");
  expect(hy_model_check(slash, &error), &error,
         "R: \"a/b\" cannot be the name of a component: it is empty, or has a blank, a control "
         "character, / or .");
  g_autoptr(HyModel) line = hy_model_new("R");
  add(line, "a\nb", "relay");
  expect(hy_model_check(line, &error), &error,
         "R: \"a\nb\" cannot be the name of a component: it is empty, or has a blank, a control "
         "character, / or .");
  g_autoptr(HyModel) ports = hy_model_new("R");
  hy_model_in(ports, "in");
  hy_model_in(ports, "in");
  expect(hy_model_check(ports, &error), &error, "R: two input ports are called \"in\"");
  g_autoptr(HyModel) refused = hy_model_new("R"); /* what was refused has not been set */
  expect(hy_model_set(refused, add(refused, "Q", "server"), "time", "abc", &error), &error,
         "Q: time=\"abc\" is not a number");
  TEST_ASSERT_FALSE(hy_model_check(refused, &error));
  g_clear_error(&error);
  g_autoptr(HyModel) required = hy_model_new("R");
  add(required, "Q", "server");
  g_autoptr(HySim) none = hy_sim_new(required, HY_FLAT, &error);
  TEST_ASSERT_NULL(none);
  TEST_ASSERT_TRUE(g_str_has_prefix(error->message, "Q: server needs time (s)"));
  g_clear_error(&error);
  g_autoptr(HyModel) both = hy_model_new("R");
  guint a = add(both, "A", "relay");
  add(both, "B", "relay");
  TEST_ASSERT_TRUE(hy_model_set_input(both, a, 0, 1, &error));
  TEST_ASSERT_TRUE(hy_model_wire(both, "B", "A", &error));
  expect(hy_model_check(both, &error), &error, "A: input \"in\" has a constant and a wire");
}

static double never(const void *state)
{
  (void)state;
  return INFINITY;
}

static HyEvent say_nothing(const void *state, double t)
{
  (void)state;
  (void)t;
  return HY_NO_EVENT;
}

static void test_class_tables_that_cannot_be(void)
{
  static const HyPort in[] = {{.name = "in"}, {0}};
  static const HyParam outside[] = {{.name = "p", .offset = 4}, {0}};
  static const HyParam fallback[] = {{.name = "p", .range = HY_POSITIVE}, {0}};
  static const HyParam words[] = {{.name = "p", .kind = HY_TEXT, .text = "c", .choices = "a b"},
                                  {0}};
  static const struct {
    HyAtomicClass klass;
    const char *message;
  } cases[] = {
      {{.name = "k", .ta = never, .next = never},
       "A: class \"k\" has both ta and next; it must have one"},
      {{.name = "k", .ta = never, .in = in}, "A: class \"k\" has input ports but no dext"},
      {{.name = "k", .lambda = say_nothing},
       "A: class \"k\" has neither ta nor next; it must have one"},
      {{.ta = never}, "A: class \"\" has no name"},
      {{.name = "k", .ta = never, .state_size = G_MAXSIZE},
       "A: class \"k\" has a state of more than 1 GiB"},
      {{.name = "k", .ta = never, .params = outside, .state_size = 8},
       "A: class \"k\" has a parameter outside its state"},
      {{.name = "k", .ta = never, .params = fallback, .state_size = 8},
       "A: class \"k\": default p = 0 must be above 0"},
      {{.name = "k", .ta = never, .params = words, .state_size = 8},
       "A: class \"k\": default p=\"c\": choose one of a b"},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(HyModel) root = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_add(root, "A", &cases[k].klass);
    expect(hy_model_check(root, &error), &error, cases[k].message);
  }
}

/* A chain of DEPTH coupled models around one relay. */
static HyModel *nest(guint depth)
{
  HyModel *root = hy_model_new("R"), *m = root;
  guint g = add(root, "G", "generator");
  TEST_ASSERT_TRUE(hy_model_set(root, g, "values", "1, 2", NULL) &&
                   hy_model_set(root, g, "period", "1", NULL));
  for (guint k = 1; k < depth; k++) {
    HyModel *inner = hy_model_add_coupled(m, "c");
    hy_model_in(inner, "in");
    hy_model_out(inner, "out");
    TEST_ASSERT_TRUE(hy_model_wire(m, k == 1 ? "G" : "in", "c", NULL));
    TEST_ASSERT_TRUE(k == 1 || hy_model_wire(m, "c", "out", NULL));
    m = inner;
  }
  add(m, "A", "relay");
  TEST_ASSERT_TRUE(hy_model_wire(m, "in", "A", NULL) && hy_model_wire(m, "A", "out", NULL));
  return root;
}

static void test_depth(void)
{
  g_autoptr(HyModel) deep = nest(10000), too_deep = nest(10001);
  g_autoptr(GError) error = NULL;
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HySim) sim = hy_sim_new(deep, engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 10, &error));
    guint64 n_int, n_ext;
    hy_sim_counts(sim, 1, &n_int, &n_ext);
    TEST_ASSERT_EQUAL_UINT64(2, n_int);
    TEST_ASSERT_EQUAL_UINT64(2, n_ext);
  }
  TEST_ASSERT_FALSE(hy_model_check(too_deep, &error));
  TEST_ASSERT_EQUAL_STRING("c: coupled models are nested more than 10000 deep", error->message);
}

/* Two lines in each of 60 levels: one event would be delivered 2^60 times. */
static void test_fan_out_that_multiplies(void)
{
  for (int empty = 0; empty < 2; empty++) { /* also when nobody is there to receive it */
    g_autoptr(HyModel) root = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    HyModel *m = root;
    add(root, "G", "relay");
    for (guint k = 0; k < 60; k++) {
      HyModel *inner = hy_model_add_coupled(m, "c");
      hy_model_in(inner, "in");
      TEST_ASSERT_TRUE(hy_model_wire(m, k == 0 ? "G" : "in", "c", &error));
      TEST_ASSERT_TRUE(hy_model_wire(m, k == 0 ? "G" : "in", "c", &error));
      m = inner;
    }
    if (!empty) {
      add(m, "A", "relay");
      TEST_ASSERT_TRUE(hy_model_wire(m, "in", "A", &error));
    }
    expect(hy_model_check(root, &error), &error,
           "G: couplings multiply: with this block events run along more than 100000000 lines");
    expect(hy_model_check(root, &error), &error,
           "G: couplings multiply: with this block events run along more than 100000000 lines");
  }
}

static void test_an_empty_model_runs(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HyModel) root = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_add_coupled(root, "nothing");
    g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, INFINITY, &error));
    TEST_ASSERT_TRUE(isinf(hy_sim_next(sim)));
  }
}

static void test_numbers_as_text(void)
{
  static const struct {
    double v;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {0.1, "0.1"},
               {0.1 + 0.2, "0.30000000000000004"},
               {1e22, "1e+22"},
               {1.0 / 3, "0.3333333333333333"},
               {INFINITY, "inf"},
               {-INFINITY, "-inf"},
               {NAN, "nan"},
               {5e-324, "5e-324"},
               {1.7976931348623157e308, "1.7976931348623157e+308"}};
  char text[HY_DOUBLE_SIZE];
  for (gsize k = 0; k < G_N_ELEMENTS(cases); k++) {
    TEST_ASSERT_EQUAL_STRING(cases[k].text, hy_double_text(text, cases[k].v));
  }
  GRand *rand = g_rand_new_with_seed(3);
  for (guint k = 0; k < 100000; k++) {
    guint64 bits = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (isfinite(v)) {
      TEST_ASSERT_TRUE(g_ascii_strtod(hy_double_text(text, v), NULL) == v);
    }
  }
  g_rand_free(rand);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_couplings_that_cannot_be);
  RUN_TEST(test_parameters_that_cannot_be);
  RUN_TEST(test_what_only_the_whole_shows);
  RUN_TEST(test_class_tables_that_cannot_be);
  RUN_TEST(test_depth);
  RUN_TEST(test_fan_out_that_multiplies);
  RUN_TEST(test_an_empty_model_runs);
  RUN_TEST(test_numbers_as_text);
  return UNITY_END();
}
