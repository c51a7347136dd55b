/* Programs that misuse the library: each mistake is refused by what it is, as an error with these
 * words, or by a critical message of GLib where only a programmer can make it. Nothing crashes, and
 * what was there before works on. What blocks do wrong in a run is tested in
 * devs-core/test_misuse.c. */
#include "criticals.h"
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <string.h>

static GHashTable *misuses; /* what has been refused so far, each by its words */

static const char text_of_model[] = "<hydevs xmlns='urn:hydevs:1' name='m'>"
                                    "<sine name='s' amplitude='1' frequency='1'/>"
                                    "<integrator name='x' in='s - x' x0='0'/>"
                                    "<experiment stop='2' record='x'/>"
                                    "</hydevs>";

void setUp(void)
{
  criticals_begin();
}

void tearDown(void)
{
  criticals_end();
}

static void refused(gboolean ok, GError **error, HyErrorCode code, const char *words)
{
  TEST_ASSERT_FALSE_MESSAGE(ok, words);
  TEST_ASSERT_NOT_NULL_MESSAGE(*error, words);
  TEST_ASSERT_EQUAL_STRING(words, (*error)->message);
  TEST_ASSERT_EQUAL_INT_MESSAGE(code, (*error)->code, words);
  g_hash_table_add(misuses, g_strdup(words));
  g_clear_error(error);
}

static void refused_by(const char *function, const char *what)
{
  criticals_expect(function, what);
  g_hash_table_add(misuses, g_strdup_printf("%s %s", function, what));
}

static void fine(gboolean ok, GError **error)
{
  TEST_ASSERT_NULL_MESSAGE(*error, *error != NULL ? (*error)->message : "");
  TEST_ASSERT_TRUE(ok);
}

static HyLoaded *load(const char *text, const HyLoadOptions *options)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", options, report);
  g_autofree char *why = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, why);
  return loaded;
}

/* Classes ------------------------------------------------------------------------------------- */

/* A block that counts, once a second. */
typedef struct {
  double v, n;
} Count;

static double count_ta(const void *state)
{
  (void)state;
  return 1;
}

static HyEvent count_lambda(const void *state, double t)
{
  (void)t;
  return (HyEvent){.port = 0, .value.c = {((const Count *)state)->n}};
}

static void count_dint(void *state, double t)
{
  (void)t;
  ((Count *)state)->n++;
}

static void count_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)state, (void)t, (void)e, (void)x;
}

static gboolean count_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error)
{
  (void)state, (void)b, (void)in, (void)n_in, (void)error;
  out[0] = in[0];
  return TRUE;
}

static const HyPort count_in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
static const HyPort count_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};
static const HyParam count_params[] = {HY_PARAM(Count, v, .value = 1), {0}};
static const HyAtomicClass count_class = {.name = "count",
                                          .in = count_in,
                                          .out = count_out,
                                          .params = count_params,
                                          .state_size = sizeof(Count),
                                          .ta = count_ta,
                                          .lambda = count_lambda,
                                          .dint = count_dint,
                                          .dext = count_dext};

/* A class like this one, but for what a test changes. */
static HyAtomicClass klass;

static void class_refused(const char *words)
{
  g_autoptr(HyModel) model = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  hy_model_add(model, "A", &klass);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    refused(hy_sim_new(model, engine, &error) != NULL, &error, HY_ERROR_MODEL, words);
  }
  klass = count_class;
}

static void test_classes_with_mistakes(void)
{
  static const HyPort twice[] = {{.name = "p"}, {.name = "p"}, {0}};
  static const HyPort behind[] = {{.name = "p", .array = TRUE}, {.name = "q"}, {0}};
  static const HyParam unknown[] = {{.name = "v", .kind = HY_FORMULA + 1}, {0}};
  static const HyParam ranged[] = {{.name = "v", .range = (HyRange)(HY_UNIT_INTERVAL + 1)}, {0}};
  static const HyParam outside[] = {{.name = "v", .offset = sizeof(Count)}, {0}};
  static const HyParam nan[] = {{.name = "v", .value = NAN}, {0}};
  static const HyParam equal[] = {{.name = "v"}, {.name = "v"}, {0}};
  static HyParam many[66];
  static char names[65][4];
  for (guint k = 0; k < 65; k++) {
    g_snprintf(names[k], sizeof names[k], "p%u", k);
    many[k].name = names[k];
  }
  klass = count_class, klass.name = NULL;
  class_refused("A: class \"\" has no name");
  klass.ta = NULL;
  class_refused("A: class \"count\" has neither ta nor next; it must have one");
  klass.next = count_ta;
  class_refused("A: class \"count\" has both ta and next; it must have one");
  klass.dext = NULL;
  class_refused("A: class \"count\" has input ports but no dext");
  klass.state_size = (gsize)G_MAXINT + 1;
  class_refused("A: class \"count\" has a state of more than 1 GiB");
  klass.params = many;
  class_refused("A: class \"count\" has more than 64 parameters");
  klass.params = unknown;
  class_refused("A: class \"count\" has a parameter of a kind or range that there is not");
  klass.params = ranged;
  class_refused("A: class \"count\" has a parameter of a kind or range that there is not");
  klass.params = outside;
  class_refused("A: class \"count\" has a parameter outside its state");
  klass.params = equal;
  class_refused("A: class \"count\" has two parameters of one name");
  klass.params = nan;
  class_refused("A: class \"count\": default v = nan must be a number");
  klass.in = twice;
  class_refused("A: class \"count\" has two ports of one name");
  klass.in = behind;
  class_refused("A: class \"count\" has a port behind an array of ports");
  klass.describe = count_describe;
  class_refused("A: class \"count\" has describe, so its state begins with an HyStatic and its "
                "other functions are hy_static_init() and so on");
  klass.print = hy_static_print;
  class_refused(
      "A: class \"count\" has hy_static_init() or another such function, and no describe");
}

#define BORROWED(function)                                                                         \
  class_refused("A: class \"count\": its " #function                                               \
                " is that of a built-in block, which has another state")

/* A function reads the state of its class, and what it finds in another one is no text. */
static void test_classes_with_functions_of_others(void)
{
  const HyAtomicClass *integrator = hy_class_find("integrator"),
                      *breaker = hy_class_find("loop_breaker");
  klass = count_class, klass.order = integrator->order;
  BORROWED(order);
  klass.dext = integrator->dext;
  BORROWED(dext);
  klass.clear = breaker->clear;
  BORROWED(clear);
  klass.report = breaker->report;
  BORROWED(report);
  klass.value = integrator->value;
  BORROWED(value);
  klass.fault = integrator->fault;
  BORROWED(fault);
  klass = *hy_class_find("gain"), klass.params = count_params, klass.name = "count";
  BORROWED(describe);
  klass = *integrator, klass.state_size--, klass.name = "count";
  BORROWED(init);
  klass = *integrator; /* as it is, under another name, it is fine */
  klass.name = "slope";
  g_autoptr(HyModel) model = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  hy_model_add(model, "A", &klass);
  hy_model_add(model, "B", hy_class_find("clock"));
  fine(hy_model_wire(model, "B.out", "A.in", &error), &error);
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FUSED, &error);
  fine(sim != NULL && hy_sim_init(sim, 0, &error), &error);
  fine(hy_sim_run(sim, 1, &error), &error);
  klass = count_class;
}

/* Blocks of one's own for model files. */
static void test_blocks_that_cannot_be_added(void)
{
  g_autoptr(HyBlocks) blocks = hy_blocks_new();
  g_autoptr(GError) error = NULL;
  klass = count_class, klass.name = "a b";
  refused(hy_blocks_add(blocks, &klass, &error), &error, HY_ERROR_USAGE,
          "block \"a b\": a name has letters, digits and _, and is no reserved word");
  klass.name = "experiment";
  refused(hy_blocks_add(blocks, &klass, &error), &error, HY_ERROR_USAGE,
          "block \"experiment\": this name is a word of the language");
  klass.name = "gain";
  refused(hy_blocks_add(blocks, &klass, &error), &error, HY_ERROR_USAGE,
          "block \"gain\": this name is taken by a built-in block");
  klass = count_class;
  klass.name = "slope";
  klass.order = hy_class_find("integrator")->order; /* it looks for a method in what is none */
  refused(hy_blocks_add(blocks, &klass, &error), &error, HY_ERROR_USAGE,
          "block \"slope\": its order is that of a built-in block, which has another state");
  HyAtomicClass slope = *hy_class_find("integrator");
  slope.name = "slope";
  fine(hy_blocks_add(blocks, &slope, &error), &error);
  fine(hy_blocks_add(blocks, &count_class, &error), &error);
  refused(hy_blocks_add(blocks, &count_class, &error), &error, HY_ERROR_USAGE,
          "block \"count\": this name is taken by another block that was added");
  klass = count_class, klass.name = "still", klass.ta = NULL;
  refused(hy_blocks_add(blocks, &klass, &error), &error, HY_ERROR_USAGE,
          "block \"still\": has neither ta nor next; it must have one");
  TEST_ASSERT_FALSE(hy_blocks_open(blocks, "/none/of.so", &error));
  TEST_ASSERT_TRUE(g_str_has_prefix(error->message, "blocks cannot be loaded: /none/of.so"));
  TEST_ASSERT_NULL(hy_blocks_find(blocks, "nothing"));
  TEST_ASSERT_NULL(hy_class_find("nothing"));
}

/* Models -------------------------------------------------------------------------------------- */

static HyModel *two_counts(void)
{
  HyModel *model = hy_model_new("R");
  hy_model_add(model, "A", &count_class);
  hy_model_add(model, "B", &count_class);
  return model;
}

static void test_names_that_cannot_be(void)
{
  static const struct {
    const char *name, *shown;
  } names[] = {{"", ""},
               {"a.b", "a.b"},
               {"a/b", "a/b"},
               {"a b", "a b"},
               {"a\nb", "a\nb"},
               {"a\033[31m", "a\\x1b[31m"},
               {"a\377", "a\357\277\275"},
               {"\342\200\256a", "\\u202ea"}};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    const char *name = names[k].name, *shown = names[k].shown;
    g_autoptr(GError) error = NULL;
    g_autoptr(HyModel) model = hy_model_new(name), block = hy_model_new("R");
    g_autoptr(HyModel) port = hy_model_new("R"), wire = two_counts();
    hy_model_add(block, name, &count_class);
    hy_model_in(port, name);
    g_autofree char *of_model =
        g_strdup_printf("%s: \"%s\" cannot be the name of a model", shown, shown);
    g_autofree char *of_block =
        g_strdup_printf("R: \"%s\" cannot be the name of a component: it is empty, or has a blank, "
                        "a control character, / or .",
                        shown);
    g_autofree char *of_port = g_strdup_printf("R: \"%s\" cannot be the name of a port", shown);
    refused(hy_model_check(model, &error), &error, HY_ERROR_MODEL, of_model);
    refused(hy_model_check(block, &error), &error, HY_ERROR_MODEL, of_block);
    refused(hy_model_check(port, &error), &error, HY_ERROR_MODEL, of_port);
    TEST_ASSERT_FALSE(hy_model_wire(wire, name, "B.in", &error)); /* nothing is called that */
    TEST_ASSERT_TRUE(g_str_has_prefix(error->message, "R: "));
    TEST_ASSERT_TRUE(g_utf8_validate(error->message, -1, NULL));
    g_clear_error(&error);
    TEST_ASSERT_FALSE(hy_model_set(wire, 0, name, "1", &error));
    TEST_ASSERT_TRUE(g_utf8_validate(error->message, -1, NULL));
  }
  g_autoptr(HyModel) same = two_counts();
  g_autoptr(GError) error = NULL;
  hy_model_add(same, "A", &count_class);
  refused(hy_model_check(same, &error), &error, HY_ERROR_MODEL,
          "R: two components are called \"A\"");
}

static void test_wires_that_cannot_be(void)
{
  static const struct {
    const char *from, *to, *words;
  } wires[] = {
      {"A.out", "A.in",
       "A: wired to itself (out -> in); a block may not feed itself directly, put another between"},
      {"A.in", "B.in", "A: count has no output port \"in\""},
      {"A.out", "B.out", "B: count has no input port \"out\""},
      {"A.out", "C.in", "R: nothing is called \"C\" here (in \"C.in\")"},
      {"inner/A.out", "B.in",
       "R: \"inner/A.out\": a wire joins components of one coupled model; give the inner one a "
       "port, and wire that on both sides"},
      {"A.out", "B.in[1]", "B: count has no input port \"in[1]\""},
      {"A.out", "B.in[99999999999999999999]",
       "B: count has no input port \"in[99999999999999999999]\""},
      {"A.out[", "B", "A: count has no output port \"out[\""},
      {"", "", "R: coupled model has no input port \"\""},
      {"A.", "B", "A: count has no output port \"\""},
      {"in", "out", "R: output \"out\" is wired straight from input \"in\"; put a block between"},
  };
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  hy_model_in(model, "in");
  hy_model_out(model, "out");
  for (guint k = 0; k < G_N_ELEMENTS(wires); k++) {
    refused(hy_model_wire(model, wires[k].from, wires[k].to, &error), &error, HY_ERROR_MODEL,
            wires[k].words);
  }
  refused(hy_model_connect(model, 9, 0, 0, 0, &error), &error, HY_ERROR_MODEL,
          "R: a coupling names component 9; there are 2");
  refused(hy_model_connect(model, 0, 3, 1, 0, &error), &error, HY_ERROR_MODEL,
          "A: count has no output port 3; it has 1");
  refused(hy_model_connect(model, 0, 0, 1, G_MAXUINT, &error), &error, HY_ERROR_MODEL,
          "B: count has no input port 4294967295; it has 1");
  fine(hy_model_wire(model, "A", "B", &error), &error);
  fine(hy_model_set_input(model, 1, 0, 2, &error), &error);
  refused(hy_model_check(model, &error), &error, HY_ERROR_MODEL,
          "B: input \"in\" has a constant and a wire");
}

/* A coupling that is stated twice takes each event twice, in every engine. */
static void test_a_coupling_stated_twice_is_two(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyModel) model = two_counts();
    g_autoptr(GError) error = NULL;
    for (guint k = 0; k < 2; k++) {
      fine(hy_model_wire(model, "A", "B", &error), &error);
    }
    g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
    fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 5, &error), &error);
    guint64 n_int, n_ext;
    hy_sim_counts(sim, 1, &n_int, &n_ext);
    TEST_ASSERT_EQUAL_UINT64(10, n_ext);
  }
}

static void test_parameters_that_cannot_be(void)
{
  g_autoptr(HyModel) model = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  guint i = hy_model_add(model, "i", hy_class_find("integrator"));
  guint f = hy_model_add(model, "f", hy_class_find("function"));
  guint c = hy_model_index(hy_model_add_coupled(model, "c"));
  const double two[] = {1, 2};
  const HyValue no_number = {.c = {NAN}};
  refused(
      hy_model_set(model, i, "y0", "1", &error), &error, HY_ERROR_MODEL,
      "i: integrator has no parameter \"y0\"; it has: x0 method dqrel dqmin reltol abstol hstep");
  refused(hy_model_set(model, i, "x0", "1,5", &error), &error, HY_ERROR_MODEL,
          "i: x0 takes one value");
  refused(hy_model_set(model, i, "x0", "soon", &error), &error, HY_ERROR_MODEL,
          "i: x0=\"soon\" is not a number");
  refused(hy_model_set(model, i, "dqrel", "-1", &error), &error, HY_ERROR_MODEL,
          "i: dqrel = -1 must be 0 or more");
  refused(hy_model_set_real(model, i, "x0", NAN, &error), &error, HY_ERROR_MODEL,
          "i: x0 = nan must be a number");
  refused(hy_model_set_real(model, i, "method", 1, &error), &error, HY_ERROR_MODEL,
          "i: method takes a text");
  refused(hy_model_set_reals(model, i, "x0", two, 2, &error), &error, HY_ERROR_MODEL,
          "i: x0 takes one value");
  refused(hy_model_set_values(model, i, "x0", &no_number, 1, &error), &error, HY_ERROR_MODEL,
          "i: x0 takes no event values");
  refused(hy_model_set(model, f, "formula", "in[3]+", &error), &error, HY_ERROR_MODEL,
          "f: in \"in[3]+\": a number, a name or \"(\" is expected after \"+\"");
  refused(hy_model_set(model, c, "x0", "1", &error), &error, HY_ERROR_MODEL,
          "c: a coupled model has no parameter \"x0\"");
  refused(hy_model_set_input(model, i, 9, 1, &error), &error, HY_ERROR_MODEL,
          "i: has no input 9 for a constant");
  refused(hy_model_set_input(model, i, 0, NAN, &error), &error, HY_ERROR_MODEL,
          "i: input 0: NaN is not a constant");
  hy_model_set_array(model, c, 1, 1);
  refused_by("hy_model_set_array", "of a coupled model");
  hy_model_set_array(model, f, G_MAXUINT, 0);
  refused_by("hy_model_set_array", "of 4294967295 inputs");
  hy_model_set_priority(model, 99, 1);
  refused_by("hy_model_set_priority", "of no component");
  TEST_ASSERT_FALSE(hy_model_set(model, 99, "x0", "1", &error));
  refused_by("hy_model_set", "of no component");
  TEST_ASSERT_NULL(hy_model_path(model, 99));
  refused_by("hy_model_path", "of no component");
  guint n;
  refused(hy_values_parse("1,,2", &n, &error) != NULL, &error, HY_ERROR_MODEL,
          "column 3: a value is missing");
}

/* A simulation keeps its model, and the model stays as it is. */
static void test_a_model_that_is_simulated(void)
{
  HyModel *model = two_counts(), *inner = hy_model_add_coupled(model, "inner");
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(hy_sim_new(inner, HY_FLAT, &error));
  refused_by("hy_sim_new", "of a model inside another");
  hy_model_free(inner);
  refused_by("hy_model_free", "of a model inside another");
  HySim *first = hy_sim_new(model, HY_FLAT, &error), *second = hy_sim_new(model, HY_TREE, &error);
  static const char words[] = "R: the model has been checked, as every simulation of it does, and "
                              "cannot be changed any more; build another one";
  refused(hy_model_wire(model, "A", "B", &error), &error, HY_ERROR_USAGE, words);
  refused(hy_model_connect(model, 0, 0, 1, 0, &error), &error, HY_ERROR_USAGE, words);
  refused(hy_model_set(model, 0, "v", "2", &error), &error, HY_ERROR_USAGE, words);
  refused(hy_model_set_input(model, 0, 0, 2, &error), &error, HY_ERROR_USAGE, words);
  TEST_ASSERT_EQUAL_UINT(HY_SELF, hy_model_add(model, "C", &count_class));
  refused_by("hy_model_add", "to a model that is simulated");
  TEST_ASSERT_EQUAL_UINT(HY_SELF, hy_model_in(model, "p"));
  refused_by("hy_model_in", "of a model that is simulated");
  hy_model_free(model);
  refused_by("hy_model_free", "with two simulations of it");
  fine(hy_sim_init(first, 0, &error) && hy_sim_run(first, 5, &error), &error);
  hy_sim_free(first);
  hy_model_free(model);
  refused_by("hy_model_free", "with one simulation of it");
  fine(hy_sim_init(second, 0, &error) && hy_sim_run(second, 5, &error), &error);
  TEST_ASSERT_EQUAL_DOUBLE(6, hy_sim_next(second));
  hy_sim_free(second);
  hy_model_free(model);
}

/* Simulations --------------------------------------------------------------------------------- */

static void test_snapshots_of_others(void)
{
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  static const char words[] =
      "R: the snapshot is of another simulation, or of this one before its last init";
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  refused(hy_sim_new(model, HY_FUSED + 1, &error) != NULL, &error, HY_ERROR_USAGE,
          "there is no engine 3; there are HY_TREE, HY_FLAT and HY_FUSED");
  refused(hy_sim_save(sim, &error) != NULL, &error, HY_ERROR_USAGE,
          "R: the simulation has not been initialised");
  fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 3, &error), &error);
  g_autoptr(HySnapshot) at_3 = hy_sim_save(sim, &error);
  for (guint k = 0; k < 100; k++) { /* one of them lies where the one before was */
    g_autoptr(HySim) other = hy_sim_new(model, HY_FLAT, &error);
    refused(hy_sim_load(other, at_3, &error), &error, HY_ERROR_USAGE, words);
    fine(hy_sim_init(other, 0, &error), &error);
    refused(hy_sim_load(other, at_3, &error), &error, HY_ERROR_USAGE, words);
    hy_snapshot_free(at_3);
    at_3 = hy_sim_save(other, &error);
  }
  refused(hy_sim_load(sim, at_3, &error), &error, HY_ERROR_USAGE, words);
  hy_snapshot_free(at_3);
  at_3 = hy_sim_save(sim, &error);
  fine(hy_sim_run(sim, 5, &error) && hy_sim_load(sim, at_3, &error), &error);
  TEST_ASSERT_EQUAL_DOUBLE(3, hy_sim_time(sim));
  fine(hy_sim_init(sim, 0, &error), &error);
  refused(hy_sim_load(sim, at_3, &error), &error, HY_ERROR_USAGE, words);
}

static void test_looking_before_init(void)
{
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  HyHeld held;
  HyGroupTotals group;
  guint64 n;
  guint atomic;
  TEST_ASSERT_NULL(hy_sim_print(sim, 0));
  refused_by("hy_sim_print", "before init");
  TEST_ASSERT_TRUE(isnan(hy_sim_value(sim, 0, 0)));
  refused_by("hy_sim_value", "before init");
  TEST_ASSERT_FALSE(hy_sim_held(sim, 0, &held));
  refused_by("hy_sim_held", "before init");
  hy_sim_group(sim, 0, &group);
  refused_by("hy_sim_group", "of no group");
  hy_sim_counts(sim, 2, &n, &n);
  refused_by("hy_sim_counts", "of no atomic");
  TEST_ASSERT_FALSE(hy_sim_find(sim, "A/B", &atomic));
  TEST_ASSERT_FALSE(hy_sim_find(sim, "", &atomic));
  TEST_ASSERT_TRUE(isinf(hy_sim_next(sim)));
  const guint8 watched[3] = {HY_WATCH_ALL, HY_WATCH_ALL, HY_WATCH_ALL};
  hy_sim_set_trace(sim, &(HyTrace){.watched = watched, .n_watched = 3});
  refused_by("hy_sim_set_trace", "that watches atomics that are not there");
  fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 2, &error), &error);
}

/* Calls from inside --------------------------------------------------------------------------- */

/* Where a block is when it calls. */
typedef enum {
  IN_INIT,
  IN_TA,
  IN_LAMBDA,
  IN_DINT,
  IN_DEXT,
  IN_PRINT,
  IN_VALUE,
  IN_REPORT,
  IN_TAPE,
  IN_CLEAR
} Site;
#define N_SITES (IN_CLEAR + 1)
static const char *const site_names[] = {"init",  "ta",    "lambda", "dint", "dext",
                                         "print", "value", "report", "tape", "clear"};
static HySim *called;
static HyRun *called_run;
static HySnapshot *called_snapshot;
static guint calls[N_SITES];

/* CALL, of the function that WHO names, is refused; where is said by SITE. */
static void refused_inside(gboolean ok, GError **of_call, const char *call, Site site)
{
  g_autoptr(GError) error = *of_call;
  g_autofree char *words = g_strdup_printf(
      "%s: %s() is called from inside the simulation, by a block or a watcher; return first",
      called_run != NULL ? "m" : "R", call);
  TEST_ASSERT_FALSE_MESSAGE(ok, site_names[site]);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(words, error->message, site_names[site]);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, error->code);
  g_hash_table_add(misuses, g_strdup_printf("%s() in %s", call, site_names[site]));
}

static void call_run(Site site)
{
  GError *error[3] = {NULL};
  refused_inside(hy_run_go(called_run, &error[0]), &error[0], "hy_run_go", site);
  refused_inside(hy_run_record(called_run, &error[1]), &error[1], "hy_run_record", site);
  refused_inside(hy_run_finish(called_run, 1, &error[2]), &error[2], "hy_run_finish", site);
  hy_run_free(called_run);
  refused_by("hy_run_free", site_names[site]);
}

static void call_all(Site site)
{
  GError *error[6] = {NULL};
  HyValue value = {.c = {1}};
  gboolean done;
  if (called == NULL) {
    return;
  }
  calls[site]++;
  refused_inside(hy_sim_init(called, 0, &error[0]), &error[0], "hy_sim_init", site);
  refused_inside(hy_sim_run(called, 9, &error[1]), &error[1], "hy_sim_run", site);
  refused_inside(hy_sim_step(called, 9, &done, &error[2]), &error[2], "hy_sim_step", site);
  refused_inside(hy_sim_input(called, 1, 0, &value, &error[3]), &error[3], "hy_sim_input", site);
  refused_inside(hy_sim_save(called, &error[4]) != NULL, &error[4], "hy_sim_save", site);
  if (called_snapshot != NULL) {
    refused_inside(hy_sim_load(called, called_snapshot, &error[5]), &error[5], "hy_sim_load", site);
  }
  hy_sim_free(called);
  refused_by("hy_sim_free", site_names[site]);
  hy_sim_set_trace(called, NULL);
  refused_by("hy_sim_set_trace", site_names[site]);
  if (called_run != NULL) {
    call_run(site);
  }
}

static gboolean caller_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)state, (void)t, (void)setup, (void)error;
  call_all(IN_INIT);
  return TRUE;
}

static double caller_ta(const void *state)
{
  call_all(IN_TA);
  return count_ta(state);
}

static HyEvent caller_lambda(const void *state, double t)
{
  call_all(IN_LAMBDA);
  return count_lambda(state, t);
}

static void caller_dint(void *state, double t)
{
  call_all(IN_DINT);
  count_dint(state, t);
}

static void caller_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)state, (void)t, (void)e, (void)x;
  call_all(IN_DEXT);
}

static void caller_print(const void *state, GString *out)
{
  (void)state;
  call_all(IN_PRINT);
  g_string_append_c(out, 'x');
}

static double caller_value(const void *state, double t)
{
  (void)state;
  call_all(IN_VALUE);
  return t;
}

static void caller_report(const void *state, GString *out)
{
  (void)state;
  call_all(IN_REPORT);
  g_string_append_c(out, 'r');
}

static void caller_tape(void *state, HyTape *tape)
{
  (void)state, (void)tape;
  call_all(IN_TAPE);
}

static void caller_clear(void *state)
{
  (void)state;
  call_all(IN_CLEAR);
}

static const HyAtomicClass caller_class = {.name = "caller",
                                           .in = count_in,
                                           .out = count_out,
                                           .params = count_params,
                                           .state_size = sizeof(Count),
                                           .init = caller_init,
                                           .ta = caller_ta,
                                           .lambda = caller_lambda,
                                           .dint = caller_dint,
                                           .dext = caller_dext,
                                           .tape = caller_tape,
                                           .clear = caller_clear,
                                           .print = caller_print,
                                           .value = caller_value,
                                           .report = caller_report};

static void ignore(gpointer user, const HyMessage *message)
{
  (void)user, (void)message;
}

static void no_fault(gpointer user, const HyModel *model, guint component, const char *what)
{
  (void)user, (void)model, (void)component;
  TEST_FAIL_MESSAGE(what);
}

/* Whatever its blocks call, a simulation does what it does otherwise. */
static void test_blocks_that_call_their_simulation(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyModel) model = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_add(model, "A", &caller_class);
    hy_model_add(model, "B", &caller_class);
    fine(hy_model_wire(model, "A", "B", &error), &error);
    memset(calls, 0, sizeof calls);
    called = hy_sim_new(model, engine, &error);
    hy_sim_set_trace(called, &(HyTrace){.message = ignore});
    hy_sim_try(called, 0, no_fault, NULL);
    fine(hy_sim_init(called, 0, &error) && hy_sim_run(called, 3, &error), &error);
    called_snapshot = hy_sim_save(called, &error);
    fine(hy_sim_run(called, 6, &error) && hy_sim_load(called, called_snapshot, &error), &error);
    fine(hy_sim_run(called, 9, &error), &error);
    g_autofree char *printed = hy_sim_print(called, 0); /* asked from outside */
    TEST_ASSERT_EQUAL_STRING("x", printed);
    TEST_ASSERT_EQUAL_DOUBLE(7, hy_sim_value(called, 0, 7));
    g_autofree char *reported = hy_sim_report(called, 0);
    TEST_ASSERT_EQUAL_STRING("r", reported);
    TEST_ASSERT_EQUAL_DOUBLE(9, hy_sim_time(called));
    HyTotals n;
    hy_sim_totals(called, &n);
    TEST_ASSERT_EQUAL_UINT64(9, n.n_int); /* what B hears puts its own off */
    TEST_ASSERT_EQUAL_UINT64(9, n.n_ext);
    hy_sim_free(called);
    for (Site site = IN_INIT; site <= IN_CLEAR; site++) {
      TEST_ASSERT_TRUE_MESSAGE(calls[site] > 0, site_names[site]);
    }
    g_clear_pointer(&called_snapshot, hy_snapshot_free);
    called = NULL;
  }
}

static void test_blocks_that_call_their_run(void)
{
  g_autoptr(HyBlocks) blocks = hy_blocks_new();
  g_autoptr(GError) error = NULL;
  fine(hy_blocks_add(blocks, &caller_class, &error), &error);
  g_autoptr(HyLoaded) loaded =
      load("<hydevs xmlns='urn:hydevs:1' name='m'><generator name='g' first='1' period='1' "
           "values='1'/><caller name='a' in='g'/><experiment stop='3' record='a'/></hydevs>",
           &(HyLoadOptions){.blocks = blocks});
  g_autoptr(HyRun) plain = hy_run_new(loaded, NULL, &error);
  fine(hy_run_record(plain, &error) && hy_run_go(plain, &error), &error);
  called_run = hy_run_new(loaded, NULL, &error);
  called = hy_run_sim(called_run);
  fine(hy_run_record(called_run, &error) && hy_run_go(called_run, &error), &error);
  TEST_ASSERT_EQUAL_UINT(1, hy_run_n_tables(called_run));
  TEST_ASSERT_GREATER_THAN_UINT64(0, hy_recorder_rows(hy_run_table(plain, 0)));
  TEST_ASSERT_EQUAL_UINT64(hy_recorder_rows(hy_run_table(plain, 0)),
                           hy_recorder_rows(hy_run_table(called_run, 0)));
  called = NULL;
  hy_run_free(called_run);
  called_run = NULL;
}

/* Recorders ----------------------------------------------------------------------------------- */

static void test_columns_of_nothing(void)
{
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  HyColumn beyond = {.path = "Z.out", .atomic = 2}, port = {.path = "A.p", .port = 1};
  HyColumn state = {.path = "A.x", .kind = HY_COLUMN_STATE}, kind = {.path = "A", .kind = 77};
  hy_columns_describe(sim, &beyond, 1);
  refused_by("hy_columns_describe", "of no atomic");
  hy_columns_describe(sim, &port, 1);
  refused_by("hy_columns_describe", "of no port");
  TEST_ASSERT_NULL(hy_column_path(sim, &beyond));
  refused_by("hy_column_path", "of no atomic");
  TEST_ASSERT_NULL(hy_recorder_new(NULL, NULL, &(HyColumn){.atomic = 0}, 1));
  refused_by("hy_recorder_new", "of a column without a path");
  TEST_ASSERT_NULL(hy_recorder_new(NULL, NULL, &state, 1));
  refused_by("hy_recorder_new", "of a state of no simulation");
  TEST_ASSERT_NULL(hy_recorder_new(NULL, NULL, &kind, 1));
  refused_by("hy_recorder_new", "of an unknown kind");
  g_autoptr(HyRecorder) recorder = hy_recorder_new(NULL, NULL, &beyond, 1);
  HyTrace trace = hy_recorder_trace(recorder);
  hy_sim_set_trace(sim, &trace);
  refused_by("hy_sim_set_trace", "of a recorder of what is not there");
  HyColumn heard = {.path = "A.in[2]", .kind = HY_COLUMN_INPUT, .port = 1};
  const HyColumn *const columns[] = {&port, &heard};
  for (guint k = 0; k < G_N_ELEMENTS(columns); k++) { /* also where nobody has described it */
    g_autoptr(HyRecorder) deaf = hy_recorder_new(NULL, NULL, columns[k], 1);
    trace = hy_recorder_trace(deaf);
    hy_sim_set_trace(sim, &trace);
    refused_by("hy_sim_set_trace", columns[k]->path);
  }
  g_autoptr(HyRecorder) more = hy_recorder_new(NULL, NULL, &(HyColumn){.path = "A.out"}, 1);
  TEST_ASSERT_NULL(
      hy_recorder_new(NULL, NULL, &(HyColumn){.path = "Z.out", .atomic = G_MAXUINT}, 1));
  refused_by("hy_recorder_new", "of an atomic beyond all numbers");
  hy_recorder_add_source(more, 0, G_MAXUINT, 0);
  refused_by("hy_recorder_add_source", "of an atomic beyond all numbers");
  hy_recorder_add_source(more, 0, 1, 7);
  trace = hy_recorder_trace(more);
  hy_sim_set_trace(sim, &trace);
  refused_by("hy_sim_set_trace", "of a recorder with a source that is no port");
}

static void test_recorders_at_the_wrong_time(void)
{
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  HyColumn column = {.path = "A.out"};
  hy_columns_describe(sim, &column, 1);
  g_autoptr(HyRecorder) recorder = hy_recorder_new(NULL, NULL, &column, 1);
  const double falling[] = {1, 3, 2}, none[] = {7, 8};
  refused(hy_recorder_set_grid(recorder, -1, 0, 3, &error), &error, HY_ERROR_USAGE,
          "grid: the step -1 is not a positive time");
  refused(hy_recorder_set_grid(recorder, 1, 3, 0, &error), &error, HY_ERROR_USAGE,
          "grid: there are no instants from 3 to 0");
  refused(hy_recorder_set_grid(recorder, 1e-12, 0, 3, &error), &error, HY_ERROR_USAGE,
          "grid: a step of 1e-12 from 0 to 3 makes more than 1e9 rows");
  refused(hy_recorder_set_times(recorder, falling, 3, 0, 3, &error), &error, HY_ERROR_USAGE,
          "grid: the instants of the list must increase; number 3 is 2");
  refused(hy_recorder_set_times(recorder, none, 2, 0, 3, &error), &error, HY_ERROR_USAGE,
          "grid: no instant of the list lies in 0 .. 3");
  HyTrace trace = hy_recorder_trace(recorder);
  hy_sim_set_trace(sim, &trace);
  fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 2, &error), &error);
  TEST_ASSERT_FALSE(hy_recorder_set_grid(recorder, 1, 0, 3, &error));
  refused_by("hy_recorder_set_grid", "in a run");
  hy_recorder_add_source(recorder, 0, 1, 0);
  refused_by("hy_recorder_add_source", "in a run");
  TEST_ASSERT_TRUE(isnan(hy_recorder_value(recorder, 99, 0)));
  refused_by("hy_recorder_value", "of a row that is not there");
  fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 2, &error), &error);
  refused(hy_recorder_finish(recorder, 2, &error), &error, HY_ERROR_USAGE,
          "the recording ends at t = 2, where the simulation has gone back in time; record each "
          "run with a recorder of its own");
  TEST_ASSERT_EQUAL_UINT64(2, hy_recorder_rows(recorder));
}

/* Runs of files ------------------------------------------------------------------------------- */

static void run_refused(const HyLoaded *loaded, HyRunSettings settings, const char *words)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  refused(run != NULL && hy_run_record(run, &error), &error, HY_ERROR_USAGE, words);
}

static void test_settings_of_runs(void)
{
  g_autoptr(HyLoaded) loaded = load(text_of_model, NULL);
  const HyRunSettings usual = HY_RUN_SETTINGS;
  HyRunSettings s = usual;
  s.engine = "fast";
  run_refused(loaded, s, "engine \"fast\": choose auto, tree, flat or fused");
  s = usual, s.partition = "some";
  run_refused(loaded, s, "partition \"some\": choose stated or auto");
  s = usual, s.stop = -1;
  run_refused(loaded, s, "the end, t = -1, is before the start, t = 0");
  s = usual, s.stop = INFINITY;
  run_refused(loaded, s,
              "the end, t = inf, never comes, and no block \"stop\" ends the run before; give a "
              "time");
  s = usual, s.seed = -5;
  run_refused(loaded, s, "a seed and a limit are 0 or more, or -1: as the experiment says");
  s = usual, s.limit = -2;
  run_refused(loaded, s, "a seed and a limit are 0 or more, or -1: as the experiment says");
  s = usual, s.grid = -1;
  run_refused(loaded, s, "grid: the step -1 is not a positive time");
}

static void test_runs_at_the_wrong_time(void)
{
  HyLoaded *loaded = load(text_of_model, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  HyRun *run = hy_run_new(loaded, NULL, &error);
  const char *const unknown[] = {"x.txt", NULL}, *const twice[] = {"-", "-", NULL};
  const char *const nowhere[] = {"/none/x.csv", NULL};
  hy_loaded_free(loaded);
  refused_by("hy_loaded_free", "with a run of it");
  TEST_ASSERT_NULL(hy_run_table(run, 0));
  refused_by("hy_run_table", "before hy_run_record()");
  refused(
      hy_run_record_files(run, unknown, &error), &error, HY_ERROR_USAGE,
      "x.txt: a recording is a .csv, .h5 (HDF5), .jsonl (lines of JSON), .mat (MATLAB, Octave), "
      ".npy (NumPy), .raw (ngspice), .vcd (value changes) or .wav (sound)");
  refused(hy_run_record_files(run, twice, &error), &error, HY_ERROR_USAGE,
          "stdout takes one recording: say -o - once, and name a file for the other");
  refused(hy_run_record_files(run, nowhere, &error), &error, HY_ERROR_RUN,
          "/none/x.csv: cannot be written: No such file or directory");
  fine(hy_run_record(run, &error) && hy_run_go(run, &error), &error);
  refused(hy_run_go(run, &error), &error, HY_ERROR_USAGE,
          "m: the recording of this run is finished; it needs a new one to go again");
  g_autoptr(GString) page = g_string_new(NULL);
  HyRun *of_files = hy_run_new(loaded, NULL, &error);
  g_autofree char *csv = g_build_filename(g_get_tmp_dir(), "hydevs-misuse.csv", NULL);
  fine(hy_run_record_csv(of_files, csv, &error), &error);
  refused(hy_run_page(loaded, of_files, &(HyRunTold){0}, page, &error), &error, HY_ERROR_USAGE,
          "a page of a run is made of what it has in memory, and this one has recorded into files "
          "alone");
  hy_run_free(of_files);
  refused(hy_loaded_match(loaded, "y", &error) != NULL, &error, HY_ERROR_USAGE,
          "nothing matches \"y\"");
  refused(hy_draw_svg(loaded, &(HyDrawing){.block = "y"}, page, &error), &error, HY_ERROR_MODEL,
          "y: y is no block in m");
  TEST_ASSERT_NULL(hy_loaded_parameter(loaded, 0));
  refused_by("hy_loaded_parameter", "that is not there");
  TEST_ASSERT_NULL(hy_loaded_digest(loaded, 9));
  refused_by("hy_loaded_digest", "of no file");
  TEST_ASSERT_NULL(hy_load_file("/none/m.xml", NULL, report));
  TEST_ASSERT_NULL(hy_load_memory("\1\377", 2, "m.xml", NULL, report));
  TEST_ASSERT_EQUAL_UINT(2, hy_report_errors(report));
  hy_run_free(run);
  hy_loaded_free(loaded);
}

static void test_options_of_loads(void)
{
  const struct {
    HyLoadOptions options;
    const char *words;
  } loads[] = {
      {{.experiment = "e"}, "m.xml: there is no experiment \"e\"\n"},
      {{.set = (const char *const[]){"k=1", NULL}},
       "--set k=1: the model has no parameter \"k\"\n"},
      {{.set = (const char *const[]){"k", NULL}}, "--set k: write --set NAME=VALUE\n"},
      {{.grid = ""}, "--grid: \"\" is empty; an expression is expected\n"},
      {{.method = "nonsense"}, "--method: no method \"nonsense\"\n"},
      {{.dqrel = -1}, "--dqrel: -1 must be a number above 0 (0: as the file says)\n"},
      {{.tol = NAN}, "--tol: nan must be a number above 0 (0: as the file says)\n"},
      {{.hstep = -1}, "--hstep: -1 must be a number above 0 (0: as the file says)\n"},
      {{.read = {.max_bytes = 9}}, "m.xml: the file is larger than the limit\n"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(loads); k++) {
    g_autoptr(HyReport) report = hy_report_new();
    TEST_ASSERT_NULL(
        hy_load_memory(text_of_model, strlen(text_of_model), "m.xml", &loads[k].options, report));
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_EQUAL_STRING(loads[k].words, said);
    g_hash_table_add(misuses, g_steal_pointer(&said));
  }
}

/* Analyses ------------------------------------------------------------------------------------ */

static void test_equations_of_another_init(void)
{
  g_autoptr(HyLoaded) loaded = load(text_of_model, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FUSED, &error);
  g_autoptr(HyEquations) e = hy_equations_new(sim, 0, &error);
  g_autoptr(HySpectrum) s = hy_spectrum_new(e, 0, &error);
  g_autoptr(GString) out = g_string_new(NULL);
  double a;
  refused(hy_equations_jacobian(e, NAN, &a, &error), &error, HY_ERROR_USAGE,
          "m: t = nan is no time from the last event on, which was at 0");
  refused(hy_spectrum_new(e, -1, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: t = -1 is no time from the last event on, which was at 0");
  TEST_ASSERT_NULL(hy_equations_derivative(e, 1));
  refused_by("hy_equations_derivative", "of no state");
  TEST_ASSERT_TRUE(isnan(hy_spectrum_get(s, 1).real));
  refused_by("hy_spectrum_get", "of no mode");
  fine(hy_sim_init(sim, 0, &error), &error);
  TEST_ASSERT_NULL(hy_equations_derivative(e, 0));
  refused_by("hy_equations_derivative", "of a simulation that has begun anew");
  refused(hy_equations_c(sim, 0, -1, out, &error), &error, HY_ERROR_USAGE,
          "m: the end, t = -1, is no time after the start, t = 0");
  refused(hy_equations_modelica(sim, 0, INFINITY, FALSE, out, &error), &error, HY_ERROR_USAGE,
          "m: the end, t = inf, is no time after the start, t = 0");
}

/* A model without states has equations that are none. */
static void test_equations_of_nothing(void)
{
  g_autoptr(HyModel) model = two_counts();
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  g_autoptr(HyEquations) e = hy_equations_new(sim, 0, &error);
  g_autoptr(GString) out = g_string_new(NULL);
  double a;
  fine(hy_equations_n(e) == 0 && hy_equations_jacobian(e, 0, &a, &error), &error);
  TEST_ASSERT_NULL(hy_equations_solved(e, 0));
  hy_equations_json(e, TRUE, out);
  refused(hy_spectrum_new(e, 0, &error) != NULL, &error, HY_ERROR_MODEL,
          "R: there are no modes: no block of this model has a continuous state, as an integrator "
          "has");
}

static void test_settings_of_analyses(void)
{
  g_autoptr(HyLoaded) loaded = load(text_of_model, NULL);
  g_autoptr(HyLoaded) other =
      load("<hydevs xmlns='urn:hydevs:1' name='m'><sine name='s' frequency='1'/>"
           "<integrator name='y' in='s - y'/><experiment stop='2' record='y'/></hydevs>",
           NULL);
  g_autoptr(GError) error = NULL;
  const HySteadySettings usual = HY_STEADY_SETTINGS;
  HySteadySettings set = usual;
  set.period = 0;
  refused(hy_steady_new(loaded, &set, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: the period must be a time above 0; NaN: that of the sources");
  set = usual, set.tolerance = NAN;
  refused(hy_steady_new(loaded, &set, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: the tolerance must be 0 or more");
  set = usual, set.most = 0;
  refused(hy_steady_new(loaded, &set, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: one period at least has to be simulated");
  set = usual, set.harmonics = G_MAXUINT;
  refused(hy_steady_new(loaded, &set, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: there are at most 10000 harmonics");
  set = usual, set.differences = -1;
  refused(hy_steady_new(loaded, &set, &error) != NULL, &error, HY_ERROR_USAGE,
          "m: differences must be parts of a state, or 0");
  HySteady *steady = hy_steady_new(loaded, NULL, &error);
  double value = hy_steady_value(steady, 0);
  HyBodeSettings b = HY_BODE_SETTINGS;
  b.from = "s", b.to = "x", b.points = 0;
  refused(hy_bode_new(steady, &b, &error) != NULL, &error, HY_ERROR_USAGE,
          "frequencies must be above 0, and one at least");
  b.points = G_MAXUINT;
  refused(hy_bode_new(steady, &b, &error) != NULL, &error, HY_ERROR_USAGE,
          "frequencies go up, and are at most 1000000");
  b.points = 3, b.more = loaded;
  refused(hy_bode_new(steady, &b, &error) != NULL, &error, HY_ERROR_USAGE,
          "s as a parameter: the model is needed with more of it and with less, and how much");
  b.more = NULL, b.to = "y";
  refused(hy_bode_new(steady, &b, &error) != NULL, &error, HY_ERROR_MODEL,
          "y is no output of the steady state");
  g_autoptr(HyRun) elsewhere = hy_run_new(other, NULL, &error);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  hy_run_from_steady(elsewhere, steady);
  refused_by("hy_run_from_steady", "of another model");
  hy_run_from_steady(run, steady);
  hy_steady_free(steady); /* the run has what it needs */
  fine(hy_sim_init(hy_run_sim(run), 0, &error), &error);
  guint x;
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), "x", &x));
  TEST_ASSERT_EQUAL_DOUBLE(value, hy_sim_value(hy_run_sim(run), x, 0));
}

/* Pictures and files -------------------------------------------------------------------------- */

static void test_options_of_plots(void)
{
  static const struct {
    HyPlotOptions o;
    const char *words;
  } plots[] = {
      {{.fft = "hann", .histogram = "values"},
       "r.csv: a spectrum, a histogram or a path in the plane: one of them"},
      {{.histogram = "bars"}, "r.csv: a histogram is of \"values\" or of \"steps\""},
      {{.fft = "round"}, "r.csv: a window is \"none\", \"hann\", \"blackman\" or \"flattop\""},
      {{.log = "z"}, "r.csv: logarithmic axes are \"x\", \"y\" or \"xy\""},
      {{.histogram = "values", .bins = G_MAXUINT}, "r.csv: too many bins, or dots an inch"},
      {{.dpi = G_MAXUINT}, "r.csv: too many bins, or dots an inch"},
      {{.width = NAN}, "r.csv: width and height are 1 to 100 inches, or 0"},
      {{.font_size = -1}, "r.csv: a font has 3 to 100 points, or 0"},
      {{.from = NAN}, "r.csv: NaN or a frequency below 0"},
      {{.out = "r.gif"}, "r.gif: a picture is a .png, .svg or .pdf"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(plots); k++) {
    g_autoptr(GError) error = NULL;
    HyPlotOptions o = plots[k].o;
    o.csv = "r.csv";
    refused(hy_plot_csv(&o, &error), &error, HY_ERROR_USAGE, plots[k].words);
  }
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_plot_csv(&(HyPlotOptions){.csv = "/none/r.csv"}, &error));
  TEST_ASSERT_TRUE(g_str_has_prefix(error->message, "/none/r.csv: cannot read: "));
  g_clear_error(&error);
  TEST_ASSERT_FALSE(hy_write_file("/none/r", "x", 1, &error));
}

static void test_formats_that_only_read_or_write(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  const HyFormat *formats = hy_formats(), *dot = hy_format_target(formats, "m.dot");
  TEST_ASSERT_TRUE(dot != NULL && dot->read == NULL);
  TEST_ASSERT_NULL(hy_format_convert(dot, "m.dot", NULL, report));
  refused_by("hy_format_convert", "of a format that is only written");
  const HyFormat unwritten = {.name = "none"};
  TEST_ASSERT_NULL(hy_format_write(NULL, "m.xml", &unwritten, "m.none", NULL, NULL, report));
  refused_by("hy_format_write", "to a format that is only read");
}

/* Nodes of an expression that are none, in a class that describes itself. */
static gboolean describe_badly(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error)
{
  (void)state, (void)n_in, (void)error;
  HyX beyond = hy_x_op(b, HY_X_ADD, in[0], 999999);
  refused_by("hy_x_op", "of a node that is not there");
  HyX unknown = hy_x_op(b, (HyXOp)4711, in[0], in[0]);
  refused_by("hy_x_op", "of an operation that is not there");
  HyX no_mode = hy_x_select(b, in[0], beyond, unknown);
  refused_by("hy_x_select", "by what is no mode");
  out[0] = no_mode;
  return TRUE;
}

static void test_expressions_of_nothing(void)
{
  HyAtomicClass bad = *hy_class_find("gain");
  bad.describe = describe_badly;
  g_autoptr(HyModel) model = hy_model_new("R");
  g_autoptr(GError) error = NULL;
  hy_model_add(model, "A", &bad);
  hy_model_add(model, "S", hy_class_find("sine"));
  fine(hy_model_set(model, 0, "k", "2", &error) && hy_model_wire(model, "S", "A", &error), &error);
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, &error);
  fine(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 1, &error), &error);
}

static void test_these_are_misuses_enough(void)
{
  g_autofree char *n = g_strdup_printf("%u misuses", g_hash_table_size(misuses));
  TEST_MESSAGE(n);
  TEST_ASSERT_GREATER_THAN_UINT_MESSAGE(45, g_hash_table_size(misuses), n);
}

int main(void)
{
  UNITY_BEGIN();
  misuses = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  RUN_TEST(test_classes_with_mistakes);
  RUN_TEST(test_classes_with_functions_of_others);
  RUN_TEST(test_blocks_that_cannot_be_added);
  RUN_TEST(test_names_that_cannot_be);
  RUN_TEST(test_wires_that_cannot_be);
  RUN_TEST(test_a_coupling_stated_twice_is_two);
  RUN_TEST(test_parameters_that_cannot_be);
  RUN_TEST(test_a_model_that_is_simulated);
  RUN_TEST(test_snapshots_of_others);
  RUN_TEST(test_looking_before_init);
  RUN_TEST(test_blocks_that_call_their_simulation);
  RUN_TEST(test_blocks_that_call_their_run);
  RUN_TEST(test_columns_of_nothing);
  RUN_TEST(test_recorders_at_the_wrong_time);
  RUN_TEST(test_settings_of_runs);
  RUN_TEST(test_runs_at_the_wrong_time);
  RUN_TEST(test_options_of_loads);
  RUN_TEST(test_equations_of_another_init);
  RUN_TEST(test_equations_of_nothing);
  RUN_TEST(test_settings_of_analyses);
  RUN_TEST(test_options_of_plots);
  RUN_TEST(test_formats_that_only_read_or_write);
  RUN_TEST(test_expressions_of_nothing);
  RUN_TEST(test_these_are_misuses_enough);
  g_hash_table_unref(misuses);
  return UNITY_END();
}
