/* Every misuse ends in an error that names the model, the value and the time. */
#include <hydevs/hydevs.h>

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* A block that answers what the test tells it to: its n-th schedule (0 is init's) is VALUE, its
 * lambda sends to PORT. */
typedef struct {
  double value, n;
  gint64 port;
  double calls, broken;
} Rogue;

static double rogue_answer(const void *state)
{
  const Rogue *s = state;
  return s->calls == s->n ? s->value : s->calls + 1;
}

static double rogue_ta(const void *state)
{
  const Rogue *s = state;
  return s->calls == s->n ? s->value : 1;
}

static HyEvent rogue_lambda(const void *state, double t)
{
  (void)t;
  return (HyEvent){.port = (gint)((const Rogue *)state)->port};
}

static void rogue_dint(void *state, double t)
{
  (void)t;
  ((Rogue *)state)->calls++;
}

static void rogue_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)e;
  (void)x;
  ((Rogue *)state)->calls++;
}

static char *rogue_fault(const void *state)
{
  return g_strdup_printf("gives up after %g calls", ((const Rogue *)state)->calls);
}

static const HyPort rogue_in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
static const HyPort rogue_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};
static const HyParam rogue_params[] = {
    {.name = "value", .offset = G_STRUCT_OFFSET(Rogue, value), .value = 1},
    {.name = "n", .offset = G_STRUCT_OFFSET(Rogue, n), .value = -1},
    {.name = "port", .kind = HY_INTEGER, .offset = G_STRUCT_OFFSET(Rogue, port)},
    {0}};
#define ROGUE                                                                                      \
  .in = rogue_in, .out = rogue_out, .params = rogue_params, .state_size = sizeof(Rogue),           \
  .lambda = rogue_lambda, .dint = rogue_dint, .dext = rogue_dext
static const HyAtomicClass rogue_by_ta = {.name = "rogue", ROGUE, .ta = rogue_ta};
static const HyAtomicClass rogue_by_next = {.name = "rogue", ROGUE, .next = rogue_answer};
static const HyAtomicClass rogue_with_words = {
    .name = "rogue", ROGUE, .ta = rogue_ta, .fault = rogue_fault};

/* "inner/A" is the rogue; it feeds B. */
static HyModel *rogue_model(const HyAtomicClass *klass, double n, double v, double port)
{
  HyModel *root = hy_model_new("R"), *inner = hy_model_add_coupled(root, "inner");
  guint a = hy_model_add(inner, "A", klass);
  TEST_ASSERT_TRUE(hy_model_set_real(inner, a, "n", n, NULL));
  TEST_ASSERT_TRUE(hy_model_set_real(inner, a, "port", port, NULL));
  TEST_ASSERT_TRUE(hy_model_set_real(inner, a, "value", v, NULL));
  hy_model_add(inner, "B", &rogue_by_ta);
  TEST_ASSERT_TRUE(hy_model_wire(inner, "A.out", "B.in", NULL));
  return root;
}

static void expect_failure(HyModel *root, HyEngine engine, const char *message)
{
  g_autoptr(HyModel) model = root;
  g_autoptr(GError) error = NULL, again = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
  TEST_ASSERT_NOT_NULL(sim);
  gboolean ok = hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 10, &error);
  TEST_ASSERT_FALSE(ok);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_RUN, error->code);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
  TEST_ASSERT_FALSE(hy_sim_run(sim, 20, &again)); /* it stays ended */
  TEST_ASSERT_EQUAL_STRING(message, again->message);
}

static HyEvent rogue_infinite(const void *state, double t)
{
  (void)state;
  (void)t;
  return (HyEvent){.port = 0, .value.c = {1, -INFINITY}};
}

static void test_impossible_schedules(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    expect_failure(rogue_model(&rogue_by_ta, 3, -0.5, 0), engine,
                   "inner/A: rogue: time advance ta = -0.5 is negative at t = 3");
    expect_failure(rogue_model(&rogue_by_ta, 0, -1, 0), engine,
                   "inner/A: rogue: time advance ta = -1 is negative at t = 0");
    expect_failure(rogue_model(&rogue_by_ta, 2, -INFINITY, 0), engine,
                   "inner/A: rogue: time advance ta = -inf is negative at t = 2");
    expect_failure(rogue_model(&rogue_by_next, 3, 2.5, 0), engine,
                   "inner/A: rogue: next event 2.5 is in the past at t = 3");
    expect_failure(rogue_model(&rogue_by_ta, 2, 1, 7), engine,
                   "inner/A: rogue: lambda sends to port 7; it has 1 output port at t = 1");
    expect_failure(rogue_model(&rogue_by_ta, 2, 1, -2), engine,
                   "inner/A: rogue: lambda sends to port -2; it has 1 output port at t = 1");
  }
}

/* NaN is made by the block itself: no parameter may be NaN. */
static double nan_ta(const void *state)
{
  return ((const Rogue *)state)->calls == 2 ? NAN : 1;
}

static void test_nan(void)
{
  static const HyAtomicClass silent = {.name = "rogue", ROGUE, .ta = nan_ta};
  static const HyAtomicClass speaking = {
      .name = "rogue", ROGUE, .ta = nan_ta, .fault = rogue_fault};
  static const HyAtomicClass absolute = {.name = "rogue", ROGUE, .next = nan_ta};
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    expect_failure(rogue_model(&silent, 9, 1, 0), engine,
                   "inner/A: rogue: time advance ta = nan is not a number at t = 2");
    expect_failure(rogue_model(&speaking, 9, 1, 0), engine,
                   "inner/A: gives up after 2 calls at t = 2");
    expect_failure(rogue_model(&absolute, 9, 1, 0), engine,
                   "inner/A: rogue: next event nan is not a number at t = 1");
  }
  g_autoptr(HyModel) root = rogue_model(&rogue_with_words, 3, 1, 0);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_model_set_real(hy_model_coupled(root, 0), 0, "value", NAN, &error));
  TEST_ASSERT_EQUAL_STRING("inner/A: value = nan must be a number", error->message);
}

/* Times --------------------------------------------------------------------------------------- */

static void expect_usage(gboolean ok, GError **error, const char *message)
{
  TEST_ASSERT_FALSE(ok);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, (*error)->code);
  TEST_ASSERT_EQUAL_STRING(message, (*error)->message);
  g_clear_error(error);
}

static void test_calls_at_the_wrong_time(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HyModel) root = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_in(root, "in");
    hy_model_add(root, "A", &rogue_by_ta);
    TEST_ASSERT_TRUE(hy_model_wire(root, "in", "A.in", &error));
    g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
    HyValue v = {0};
    gboolean done;
    expect_usage(hy_sim_run(sim, 1, &error), &error, "R: the simulation has not been initialised");
    expect_usage(hy_sim_step(sim, 1, &done, &error), &error,
                 "R: the simulation has not been initialised");
    expect_usage(hy_sim_input(sim, 0, 0, &v, &error), &error,
                 "R: the simulation has not been initialised");
    expect_usage(hy_sim_init(sim, NAN, &error), &error, "R: start time nan is not finite");
    expect_usage(hy_sim_init(sim, INFINITY, &error), &error, "R: start time inf is not finite");
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
    expect_usage(hy_sim_run(sim, NAN, &error), &error, "R: end time nan is not a time");
    TEST_ASSERT_TRUE(hy_sim_run(sim, 5, &error));
    TEST_ASSERT_EQUAL_DOUBLE(5, hy_sim_time(sim));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 2, &error)); /* nothing is left to do before 2 */
    expect_usage(
        hy_sim_input(sim, 4.5, 0, &v, &error), &error,
        "R: input at t = 4.5 is outside the time from the last event, 5, to the next one, 6");
    expect_usage(
        hy_sim_input(sim, 6.5, 0, &v, &error), &error,
        "R: input at t = 6.5 is outside the time from the last event, 5, to the next one, 6");
    expect_usage(hy_sim_input(sim, NAN, 0, &v, &error), &error, "R: input at nan is not a time");
    expect_usage(hy_sim_input(sim, 5.5, 1, &v, &error), &error, "R: has no input port 1; it has 1");
    TEST_ASSERT_TRUE(hy_sim_input(sim, 5.5, 0, &v, &error));
    TEST_ASSERT_EQUAL_DOUBLE(6.5, hy_sim_next(sim));
    TEST_ASSERT_TRUE(hy_sim_step(sim, 6, &done, &error));
    TEST_ASSERT_FALSE(done);
    TEST_ASSERT_TRUE(hy_sim_step(sim, 7, &done, &error));
    TEST_ASSERT_TRUE(done);
    TEST_ASSERT_TRUE(hy_sim_init(sim, -3, &error)); /* from the start again */
    TEST_ASSERT_EQUAL_DOUBLE(-2, hy_sim_next(sim));
    guint64 n_int, n_ext;
    hy_sim_counts(sim, 0, &n_int, &n_ext);
    TEST_ASSERT_EQUAL_UINT64(0, n_int + n_ext);
  }
}

/* A signal that is not finite may be put right at the same instant, but not stand when time passes.
 */
typedef struct {
  double first, second; /* sent at t = 1, the second at once after the first */
  double n;
} Signal;

static double signal_ta(const void *state)
{
  double n = ((const Signal *)state)->n;
  return n == 0 ? 1 : n == 1 ? 0 : n == 2 ? 5 : INFINITY;
}

static HyEvent signal_lambda(const void *state, double t)
{
  (void)t;
  const Signal *s = state;
  return s->n > 1 ? HY_NO_EVENT
                  : (HyEvent){.port = 0, .value.c = {0, s->n == 0 ? s->first / 0.0 : s->second}};
}

static void signal_dint(void *state, double t)
{
  (void)t;
  ((Signal *)state)->n++;
}

static void test_signals_that_are_not_finite(void)
{
  static const HyPort out[] = {{.name = "y", .kind = HY_SIGNAL}, {0}};
  static const HyParam params[] = {
      {.name = "first", .offset = G_STRUCT_OFFSET(Signal, first), .value = 1}, {0}};
  static const HyAtomicClass klass = {.name = "wave",
                                      .out = out,
                                      .params = params,
                                      .state_size = sizeof(Signal),
                                      .ta = signal_ta,
                                      .lambda = signal_lambda,
                                      .dint = signal_dint};
  HyAtomicClass stays = klass;
  stays.lambda = rogue_infinite;
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HyModel) mended = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_add(mended, "A", &klass);
    g_autoptr(HySim) sim = hy_sim_new(mended, engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 100, &error));
    HyModel *root = hy_model_new("R");
    hy_model_add(root, "A", &stays);
    expect_failure(root, engine, "A: wave: output \"y\" is -inf at t = 1");
  }
}

/* What a caller gives is his, or goes over if it floats. */
static void test_payloads_from_outside(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    g_autoptr(HyModel) root = hy_model_new("R");
    g_autoptr(GError) error = NULL;
    hy_model_in(root, "in");
    hy_model_add(root, "A", hy_class_find("relay"));
    hy_model_add(root, "B", hy_class_find("sink"));
    TEST_ASSERT_TRUE(hy_model_wire(root, "in", "A", NULL) && hy_model_wire(root, "A", "B", NULL));
    g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
    TEST_ASSERT_TRUE(
        hy_sim_input(sim, 1, 0, &(HyValue){{0}, g_variant_new_string("floats")}, &error));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 1, &error));
    g_autoptr(GVariant) mine = g_variant_ref_sink(g_variant_new_string("mine"));
    TEST_ASSERT_TRUE(hy_sim_input(sim, 2, 0, &(HyValue){{0}, mine}, &error));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 2, &error));
    TEST_ASSERT_EQUAL_STRING("mine", g_variant_get_string(mine, NULL));
    g_autofree char *seen = hy_sim_print(sim, 1);
    TEST_ASSERT_EQUAL_STRING("{in:'floats'@1 in:'mine'@2}", seen);
    TEST_ASSERT_FALSE(hy_sim_input(sim, 3, 0, &(HyValue){{NAN}, NULL}, &error));
    TEST_ASSERT_EQUAL_STRING("R: an input that is not finite", error->message);
  }
}

/* Limit L allows L + 1 cycles at one instant, wherever it lies. */
static void test_the_limit_counts_further_cycles(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
    for (guint64 limit = 1; limit < 30; limit += 7) {
      g_autoptr(HyModel) root = rogue_model(&rogue_by_ta, -1, 1, 0);
      HyModel *inner = hy_model_coupled(root, 0);
      guint c = hy_model_add(inner, "C", hy_class_find("player"));
      TEST_ASSERT_TRUE(hy_model_set(inner, c, "ball", "1", NULL));
      TEST_ASSERT_TRUE(hy_model_set(inner, c, "delay", "0", NULL));
      guint d = hy_model_add(inner, "D", hy_class_find("player"));
      TEST_ASSERT_TRUE(hy_model_set(inner, d, "delay", "0", NULL));
      TEST_ASSERT_TRUE(hy_model_wire(inner, "C", "D", NULL) &&
                       hy_model_wire(inner, "D", "C", NULL));
      g_autoptr(GError) error = NULL;
      g_autoptr(HySim) sim = hy_sim_new(root, engine, &error);
      hy_sim_set_limit(sim, limit);
      TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
      TEST_ASSERT_FALSE(hy_sim_run(sim, 100, &error));
      TEST_ASSERT_EQUAL_INT(HY_ERROR_ILLEGITIMATE, error->code);
      TEST_ASSERT_NOT_NULL(strstr(error->message, "illegitimate at t = 1: "));
      TEST_ASSERT_NOT_NULL(strstr(error->message, "inner/C"));
      HyTotals n;
      hy_sim_totals(sim, &n);
      TEST_ASSERT_EQUAL_UINT64(limit + 1, n.cycles); /* all of them at t = 1 */
    }
  }
}

/* Calls from inside ---------------------------------------------------------------------------- */

typedef struct {
  HySim *sim;
  HySnapshot *snapshot;
  guint calls;
  gboolean between; /* it is the progress function that calls */
} Caller;

static void expect_inside(const Caller *c, gboolean ok, GError **at)
{
  g_autoptr(GError) error = *at;
  TEST_ASSERT_FALSE(ok);
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_USAGE));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "is called from inside the simulation, by "),
                               error->message);
  TEST_ASSERT_NOT_NULL(
      strstr(error->message, c->between ? "its progress function" : "a block or a watcher"));
}

static void call_all(Caller *c)
{
  GError *error[5] = {NULL};
  HyValue value = {.c = {1}};
  gboolean done = FALSE;
  double now = hy_sim_time(c->sim);
  expect_inside(c, hy_sim_init(c->sim, 0, &error[0]), &error[0]);
  expect_inside(c, hy_sim_run(c->sim, 9, &error[1]), &error[1]);
  expect_inside(c, hy_sim_step(c->sim, 9, &done, &error[2]), &error[2]);
  expect_inside(c, hy_sim_input(c->sim, now, 0, &value, &error[3]), &error[3]);
  if (c->snapshot != NULL) {
    expect_inside(c, hy_sim_load(c->sim, c->snapshot, &error[4]), &error[4]);
  }
  g_autoptr(GError) why = NULL;
  g_autoptr(HySnapshot) saved = hy_sim_save(c->sim, &why);
  TEST_ASSERT_EQUAL_INT(c->between, saved != NULL);
  TEST_ASSERT_TRUE(hy_sim_time(c->sim) == now);
  c->calls++;
}

static void inside_message(gpointer user, const HyMessage *message)
{
  (void)message;
  call_all(user);
}

static void inside_transition(gpointer user, const HyTransition *transition)
{
  (void)transition;
  call_all(user);
}

static void inside_instant(gpointer user, double t)
{
  (void)t;
  call_all(user);
}

static gboolean inside_progress(gpointer user, double t, guint64 cycles)
{
  (void)t, (void)cycles;
  Caller *c = user;
  c->between = TRUE;
  call_all(c);
  c->between = FALSE;
  return TRUE;
}

/* Whatever calls, events are those of a run in which nobody does. */
static void test_calls_from_inside_are_refused(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_autoptr(HyModel) model = rogue_model(&rogue_by_ta, -1, 1, 0);
    g_autoptr(HySim) sim = hy_sim_new(model, engine, NULL), plain = hy_sim_new(model, engine, NULL);
    Caller c = {.sim = sim};
    HyTrace trace = {.user = &c,
                     .message = engine == HY_TREE ? inside_message : NULL,
                     .transition = inside_transition,
                     .instant = inside_instant};
    hy_sim_set_trace(sim, &trace);
    hy_sim_set_progress(sim, inside_progress, &c);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 3, NULL));
    c.snapshot = hy_sim_save(sim, NULL);
    TEST_ASSERT_TRUE(hy_sim_run(sim, 200, NULL));
    TEST_ASSERT_TRUE(hy_sim_init(plain, 0, NULL) && hy_sim_run(plain, 200, NULL));
    HyTotals n, wanted;
    hy_sim_totals(sim, &n);
    hy_sim_totals(plain, &wanted);
    TEST_ASSERT_EQUAL_UINT64(wanted.cycles, n.cycles);
    TEST_ASSERT_EQUAL_UINT64(wanted.n_int + wanted.n_ext, n.n_int + n.n_ext);
    TEST_ASSERT_GREATER_THAN_UINT(600, c.calls);
    hy_snapshot_free(c.snapshot);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_impossible_schedules);
  RUN_TEST(test_nan);
  RUN_TEST(test_calls_at_the_wrong_time);
  RUN_TEST(test_signals_that_are_not_finite);
  RUN_TEST(test_payloads_from_outside);
  RUN_TEST(test_the_limit_counts_further_cycles);
  RUN_TEST(test_calls_from_inside_are_refused);
  return UNITY_END();
}
