/* A simulation that is put back goes on as it did, bit for bit: every class, every engine, methods
 * of all families; saved anywhere, also in the middle of an instant. A run that was saved is the
 * same as one that was not, and lambda changes no state. */
#include "base/tape.h"
#include "hydevs/hydevs.h"
#include "samples.h"
#include "sim/engine.h"

#include <string.h>
#include <unity.h>

#define END 1.7

void setUp(void)
{
}

void tearDown(void)
{
}

/* What is seen of a run: all transitions, or without a watcher, which engines treat otherwise, the
 * states now and then. */
typedef struct {
  HySim *sim;
  GString *seen;
  gboolean watched;
} Watch;

/* Bytes, since to print all of it costs more than the runs. */
static void see(GString *seen, gconstpointer what, gsize size)
{
  g_string_append_len(seen, what, (gssize)size);
}

static void see_number(GString *seen, double v)
{
  see(seen, &v, sizeof v);
}

static void see_transition(gpointer user, const HyTransition *x)
{
  const Watch *w = user;
  see(w->seen, &x->atomic, sizeof x->atomic);
  see(w->seen, &x->kind, sizeof x->kind);
  see_number(w->seen, x->t);
  see_number(w->seen, x->e);
  if (x->event != NULL) {
    see(w->seen, &x->event->port, sizeof x->event->port);
    see(w->seen, x->event->value.c, sizeof x->event->value.c);
    if (x->event->value.payload != NULL) {
      hy_value_text(w->seen, &x->event->value);
    }
  }
  g_string_append_c(w->seen, '\n');
}

static void see_states(const Watch *w, double t)
{
  HyTotals totals;
  hy_sim_totals(w->sim, &totals);
  for (guint a = 0; a < hy_sim_n(w->sim); a++) {
    guint64 n_int, n_ext;
    g_autofree char *print = hy_sim_print(w->sim, a);
    hy_sim_counts(w->sim, a, &n_int, &n_ext);
    g_string_append(w->seen, print);
    see(w->seen, &n_int, sizeof n_int);
    see(w->seen, &n_ext, sizeof n_ext);
    see_number(w->seen, hy_sim_value(w->sim, a, MAX(t, hy_sim_time(w->sim))));
  }
  see(w->seen, &totals, sizeof totals);
  for (guint k = 0; k < hy_sim_n_groups(w->sim); k++) {
    HyGroupTotals g;
    hy_sim_group(w->sim, k, &g);
    see_number(w->seen, g.off);
  }
  const char *finished = hy_sim_finished(w->sim);
  g_string_append(w->seen, finished != NULL ? finished : "");
}

/* To the end from wherever it is; what was seen on the way. */
static GBytes *go_on(Watch *w)
{
  g_string_truncate(w->seen, 0);
  for (guint k = 1; k <= 10; k++) {
    g_autoptr(GError) error = NULL;
    double t = END * k / 10;
    if (!hy_sim_run(w->sim, t, &error)) {
      g_string_append(w->seen, error->message);
    }
    if (t >= hy_sim_time(w->sim)) {
      see_states(w, t);
    }
  }
  return g_bytes_new(w->seen->str, w->seen->len);
}

static gboolean begin(const Watch *w)
{
  g_autoptr(GError) error = NULL;
  gboolean ok = hy_sim_init(w->sim, 0, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return ok;
}

/* N cycles, often several at an instant. */
static void step(const Watch *w, guint n)
{
  gboolean done = TRUE;
  while (n-- > 0 && done && hy_sim_step(w->sim, END, &done, NULL)) {
  }
}

/* NULL, or what is not as it should be when the run is saved after N cycles. */
static const char *saved_after(Watch *w, guint n)
{
  begin(w);
  step(w, n);
  g_autoptr(GBytes) never = go_on(w);
  begin(w);
  step(w, n);
  g_autoptr(HySnapshot) snapshot = hy_sim_save(w->sim, NULL);
  TEST_ASSERT_NOT_NULL(snapshot);
  g_autoptr(GBytes) first = go_on(w);
  if (!g_bytes_equal(never, first)) {
    return "a run that was saved is another one";
  }
  TEST_ASSERT_TRUE(hy_sim_load(w->sim, snapshot, NULL));
  step(w, 7);
  g_autoptr(HySnapshot) later = hy_sim_save(w->sim, NULL);
  TEST_ASSERT_TRUE(hy_sim_load(w->sim, snapshot, NULL));
  g_autoptr(GBytes) second = go_on(w);
  TEST_ASSERT_TRUE(hy_sim_load(w->sim, later, NULL));
  step(w, 3);
  TEST_ASSERT_TRUE(hy_sim_load(w->sim, snapshot, NULL));
  g_autoptr(GBytes) third = go_on(w);
  return g_bytes_equal(first, second) && g_bytes_equal(first, third) ? NULL
                                                                     : "it goes on otherwise";
}

static const guint cycles[] = {0, 5, 41};

static void try_all(const char *text, const char *what, gboolean rows)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  for (guint way = 0; way < 6; way++) {
    HyEngine engine = (HyEngine)(way / 2);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
    Watch w = {.sim = sim, .seen = g_string_new(NULL), .watched = way % 2 == 1};
    hy_sim_set_rows(sim, rows);
    if (w.watched) {
      hy_sim_set_trace(sim, &(HyTrace){.user = &w, .transition = see_transition});
    }
    for (guint k = 0; k < G_N_ELEMENTS(cycles); k++) {
      const char *wrong = saved_after(&w, cycles[k]);
      g_autofree char *message =
          g_strdup_printf("%s, %s, %s, after %u cycles: %s", what, hy_engine_name(engine),
                          w.watched ? "watched" : "not watched", cycles[k], wrong);
      TEST_ASSERT_NULL_MESSAGE(wrong, message);
    }
    g_string_free(w.seen, TRUE);
  }
}

static void test_every_class_goes_on_from_where_it_was(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    const Sample *s = sample_of((*k)->name);
    TEST_ASSERT_NOT_NULL_MESSAGE(s, (*k)->name);
    g_autofree char *text = text_of(s, "dqrel=\"1e-2\" dqmin=\"1e-2\"");
    try_all(text, s->klass, FALSE);
  }
}

/* A group with a switch, a nonlinear row, and blocks that read it. */
static const Sample plant = {
    NULL, "<comparator name=\"c\" in=\"x\" level=\"0.3\"/>"
          "<integrator name=\"b\" in=\"c*5 - 40*b - b*b*y\"/><sampler name=\"s\" in=\"b\" "
          "trigger=\"G\"/>" FOLLOWED};

static void test_every_method_goes_on_from_where_it_was(void)
{
  static const char *const methods[] = {"qss1",
                                        "qss3",
                                        "bqss",
                                        "liqss1",
                                        "liqss2",
                                        "liqss3",
                                        "mliqss1",
                                        "mliqss2",
                                        "mliqss3",
                                        "rk45_doubling",
                                        "rk4",
                                        "bdf2",
                                        "ab3",
                                        "backward_euler",
                                        "pec2e_delayed",
                                        "block_liqss2",
                                        "block_liqss2_quantum",
                                        "block_liqss2_error",
                                        "chain_liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-2\" dqmin=\"1e-2\" hstep=\"10m\"", methods[k]);
    g_autofree char *text = text_of(&plant, numerics);
    try_all(text, methods[k], FALSE);
  }
}

/* Before the start is over, and where a mode has turned what rows are made of. */
static void test_rows_go_on_from_where_they_were(void)
{
  static const char *const methods[] = {"qss1", "qss2", "qss3", "bqss", "liqss1", "liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-2\" dqmin=\"1e-2\"", methods[k]);
    g_autofree char *text = text_of(&plant, numerics);
    try_all(text, methods[k], TRUE);
  }
}

/* The bytes of the state of an atomic with all that its class names. */
static GBytes *state_of(const HySim *sim, guint atomic)
{
  const HyAtom *a = &sim->atoms[atomic];
  HyTape tape;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_SAVE);
  hy_tape_bytes(&tape, a->state, a->klass->state_size);
  if (a->klass->tape != NULL) {
    a->klass->tape(a->state, &tape);
  }
  GBytes *bytes = g_bytes_new(tape.bytes->data, tape.bytes->len);
  hy_tape_clear(&tape);
  return bytes;
}

static gboolean is_due(const HyAtom *a, double t)
{
  return a->klass->ta != NULL ? a->tl + a->ta == t : a->klass->next(a->state) == t;
}

static void test_lambda_changes_no_state(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(samples); k++) {
    g_autofree char *text = text_of(&samples[k], "dqrel=\"1e-2\" dqmin=\"1e-2\"");
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
    for (gboolean done = TRUE; done && hy_sim_finished(sim) == NULL;) {
      double t = hy_sim_next(sim);
      for (guint a = 0; a < sim->n; a++) {
        if (sim->atoms[a].klass->lambda == NULL || !is_due(&sim->atoms[a], t)) {
          continue;
        }
        g_autoptr(GBytes) before = state_of(sim, a);
        HyEvent y = sim->atoms[a].klass->lambda(sim->atoms[a].state, t);
        if (y.value.payload != NULL && g_variant_is_floating(y.value.payload)) {
          g_variant_unref(y.value.payload);
        }
        g_autoptr(GBytes) after = state_of(sim, a);
        TEST_ASSERT_TRUE_MESSAGE(g_bytes_equal(before, after), sim->atoms[a].klass->name);
      }
      TEST_ASSERT_TRUE(hy_sim_step(sim, END, &done, NULL));
    }
  }
}

static void test_a_snapshot_is_of_its_own_simulation(void)
{
  g_autofree char *text = text_of(&plant, "");
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(hy_sim_save(sim, &error));
  TEST_ASSERT_EQUAL_STRING("m: the simulation has not been initialised", error->message);
  g_clear_error(&error);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  g_autoptr(HySnapshot) snapshot = hy_sim_save(sim, NULL);
  TEST_ASSERT_TRUE(hy_sim_load(sim, snapshot, NULL));
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  TEST_ASSERT_FALSE(hy_sim_load(sim, snapshot, &error));
  TEST_ASSERT_EQUAL_STRING(
      "m: the snapshot is of another simulation, or of this one before its last init",
      error->message);
}

#ifdef HY_SUNDIALS
/* A block that decides a switch itself. */
static void test_a_block_goes_on_from_where_it_was(void)
{
  static const Sample block = {
      NULL, "<comparator name=\"c\" in=\"z\" level=\"0.3\"/>"
            "<integrator name=\"b\" in=\"c*5 - 40*b + 0*x\"/><pwm name=\"p\" period=\"70m\" "
            "duty=\"0.3 + 2*b\" carrier=\"triangle\"/><sampler name=\"s\" in=\"b\" "
            "trigger=\"G\"/>" FOLLOWED};
  g_autofree char *text = text_of(&block, "method=\"block_liqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"");
  try_all(text, "block_liqss2", FALSE);
}

static void test_a_group_of_cvode_says_that_it_cannot_be_copied(void)
{
  g_autofree char *text = text_of(&plant, "method=\"cvode_bdf\"");
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
  TEST_ASSERT_NULL(hy_sim_save(sim, &error));
  TEST_ASSERT_EQUAL_STRING("m: the group of x is integrated by cvode_bdf, which cannot be copied",
                           error->message);
}
#endif

int main(void)
{
  samples_begin();
  UNITY_BEGIN();
  RUN_TEST(test_every_class_goes_on_from_where_it_was);
  RUN_TEST(test_every_method_goes_on_from_where_it_was);
  RUN_TEST(test_rows_go_on_from_where_they_were);
  RUN_TEST(test_lambda_changes_no_state);
  RUN_TEST(test_a_snapshot_is_of_its_own_simulation);
#ifdef HY_SUNDIALS
  RUN_TEST(test_a_block_goes_on_from_where_it_was);
  RUN_TEST(test_a_group_of_cvode_says_that_it_cannot_be_copied);
#endif
  samples_end();
  return UNITY_END();
}
