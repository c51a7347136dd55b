/* Who is listened to: what nobody outside a classic group hears is not said, and that changes
 * nothing but the number of events. */
#include "group_run.h"

#ifdef HY_SUNDIALS

/* Whatever happens, to nobody. */
static void look_away(gpointer user, const HyTransition *transition)
{
  (void)user, (void)transition;
}

#define OSCILLATOR                                                                                 \
  "<integrator name=\"x\" in=\"y\" x0=\"2\"/>"                                                     \
  "<product name=\"p\" in=\"x, x, y\"/><sum name=\"s\" in=\"y, p, x\" k=\"1, -1, -1\"/>"           \
  "<integrator name=\"y\" in=\"s\" x0=\"0\"/>"

/* All of 40 states through one block, which is a row of its own. */
#define CROWD                                                                                      \
  "<function name=\"m\" formula=\"mean(x[*])\"/>"                                                  \
  "<integrator name=\"x\" count=\"40\" in=\"m - x[i]\" x0=\"i\"/>"

typedef struct {
  const char *inside;
  const char *states[4];
  guint closed; /* states, where nothing is outside the group; else 0 */
} System;

static const System systems[] = {
    {OSCILLATOR, {"x", "y"}, 2},
    {CROWD, {"x[1]", "x[20]", "x[40]"}, 40},
    {OSCILLATOR "<function name=\"unread\" formula=\"3 - x*sin(y)\"/>", {"x", "y"}, 2},
    {"<step name=\"u\" at=\"1.3\" to=\"1\"/><ramp name=\"v\"/>"
     "<integrator name=\"x\" in=\"sin(v) + u - x\"/><integrator name=\"y\" in=\"x - y*y\"/>",
     {"x", "y"},
     0},
    {"<integrator name=\"z\" in=\"-z\" x0=\"1\" method=\"qss2\"/>"
     "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-x - z*x - z*y*y\"/>",
     {"x", "y", "z"},
     0},
    {OSCILLATOR "<integrator name=\"z\" in=\"x - z\" method=\"qss2\"/>"
                "<integrator name=\"w\" in=\"z - w*w*w\"/>",
     {"x", "y", "z", "w"},
     0},
    {OSCILLATOR "<integrator name=\"z\" in=\"y - 100*z\" method=\"mliqss2\"/>", {"x", "y", "z"}, 0},
    {"<generator name=\"hit\" period=\"0.7\" first=\"1\" values=\"1\"/>"
     "<reset_integrator name=\"x\" in=\"y*y\" reset=\"hit\" value=\"0\" x0=\"0\"/>"
     "<integrator name=\"y\" in=\"x - y\" x0=\"1\"/>",
     {"x", "y"},
     0},
    {"<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-5*abs(x)\"/>",
     {"x", "y"},
     0},
    {CROWD "<integrator name=\"z\" in=\"m - z\" method=\"qss2\"/>", {"x[1]", "x[40]", "z"}, 0},
};

static void open_run(Run *r, const System *s, const char *method, HyEngine engine, gboolean watched)
{
  static const HyTrace trace = {.transition = look_away};
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" method=\"%s\" "
      "dqrel=\"1e-5\" dqmin=\"1e-5\"/></hydevs>\n",
      s->inside, method);
  load(r, text, engine);
  hy_sim_set_trace(r->sim, watched ? &trace : NULL);
  start(r);
}

static void expect_same(const System *s, const char *method, HyEngine engine)
{
  Run quiet, watched;
  open_run(&quiet, s, method, engine, FALSE);
  open_run(&watched, s, method, engine, TRUE);
  for (guint k = 1; k < 60; k++) {
    double t = 0.05 * k;
    go(&quiet, t);
    go(&watched, t);
    for (guint i = 0; k % 3 == 0 && i < G_N_ELEMENTS(s->states) && s->states[i] != NULL; i++) {
      TEST_ASSERT_TRUE_MESSAGE(at(&quiet, s->states[i], t) == at(&watched, s->states[i], t),
                               s->inside);
    }
  }
  TEST_ASSERT_EQUAL_UINT64(totals(&watched).steps, totals(&quiet).steps);
  TEST_ASSERT_EQUAL_UINT64(totals(&watched).evaluations, totals(&quiet).evaluations);
  clear(&quiet);
  clear(&watched);
}

static void test_watching_changes_nothing(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(systems); k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      expect_same(&systems[k], "cvode_bdf", engines[e]);
      expect_same(&systems[k], "cvode_adams", engines[e]);
    }
  }
}

/* A value that lies before the one that was asked for last. */
static void test_a_step_can_be_looked_at_anywhere(void)
{
  Run r;
  open_run(&r, &systems[0], "cvode_bdf", HY_FUSED, FALSE);
  go(&r, 1);
  double next = hy_sim_next(r.sim), now = hy_sim_time(r.sim), early = now + 0.1 * (next - now);
  double x = at(&r, "x", early);
  at(&r, "x", next);
  TEST_ASSERT_TRUE(x == at(&r, "x", early));
  clear(&r);
}

/* Each state starts; then one event a step, the first at the start. */
static void test_without_listeners_a_step_is_one_event(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(systems); k++) {
    for (guint e = 0; e < G_N_ELEMENTS(engines) && systems[k].closed > 0; e++) {
      Run r;
      HyTotals t;
      open_run(&r, &systems[k], "cvode_bdf", engines[e], FALSE);
      go(&r, 3);
      hy_sim_totals(r.sim, &t);
      TEST_ASSERT_EQUAL_UINT64(systems[k].closed + t.classic.steps, t.cycles);
      TEST_ASSERT_EQUAL_UINT64(0, t.classic.pieces);
      clear(&r);
    }
  }
}

/* x' = m - x, where m stays. */
static void test_what_is_made_of_many_members_stays_inside(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    open_run(&r, &systems[1], "cvode_bdf", engines[e], FALSE);
    go(&r, 2);
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, 20.5 - 19.5 * exp(-2), at(&r, "x[1]", 2));
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, 20.5 + 19.5 * exp(-2), at(&r, "x[40]", 2));
    clear(&r);
  }
}

static char *failure(const System *s, HyEngine engine)
{
  Run r;
  g_autoptr(GError) error = NULL;
  open_run(&r, s, "cvode_bdf", engine, FALSE);
  TEST_ASSERT_FALSE(hy_sim_run(r.sim, 3, &error));
  TEST_ASSERT_TRUE(at(&r, "x", hy_sim_time(r.sim)) >= 0.0); /* stays readable */
  clear(&r);
  return g_strdup(error->message);
}

/* Of what the block inside cannot compute the group tells; of what nobody reads, the block. */
static void test_faults_are_the_same_in_all_engines(void)
{
  static const System cases[] = {
      {.inside = "<function name=\"f\" formula=\"sqrt(x)\"/>"
                 "<integrator name=\"x\" in=\"-f - 1\" x0=\"1\"/>"},
      {.inside = "<function name=\"f\" formula=\"sqrt(x - 0.5)\"/>"
                 "<integrator name=\"x\" in=\"-x\" x0=\"1\"/>"},
  };
  static const char *const who[] = {"x: cvode_bdf: ", "f: "};
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *first = failure(&cases[k], engines[0]);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(first, who[k]), first);
    for (guint e = 1; e < G_N_ELEMENTS(engines); e++) {
      g_autofree char *other = failure(&cases[k], engines[e]);
      TEST_ASSERT_EQUAL_STRING(first, other);
    }
  }
}

/* A switch by a gate and a diode, whose resistances the rows of the block know by their modes. */
#define SEPIC                                                                                      \
  "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\" needs=\"1.2\">"                                       \
  "<pwm name=\"pwm\" period=\"20u\" duty=\"0.4\"/>"                                                \
  "<circuit name=\"c\" gate=\"pwm\"><in name=\"gate\"/>"                                           \
  "<voltage name=\"U\" nodes=\"in 0\" value=\"24\"/><inductor name=\"L1\" nodes=\"in a\" "         \
  "L=\"50u\"/>"                                                                                    \
  "<ideal_switch name=\"S\" nodes=\"a 0\" control=\"gate\" Ron=\"10m\" Roff=\"100k\"/>"            \
  "<capacitor name=\"Cs\" nodes=\"a b\" C=\"47u\"/><inductor name=\"L2\" nodes=\"b 0\" "           \
  "L=\"50u\"/>"                                                                                    \
  "<ideal_diode name=\"D\" nodes=\"b out\" Ron=\"10m\" Roff=\"100k\"/>"                            \
  "<capacitor name=\"C1\" nodes=\"out 0\" C=\"100u\"/><resistor name=\"Ro\" nodes=\"out 0\" "      \
  "R=\"10\"/>"                                                                                     \
  "</circuit><experiment stop=\"1m\" method=\"block_liqss2\" dqrel=\"1e-3\" "                      \
  "dqmin=\"1e-3\"/></hydevs>"

static guint atomic_of(const Run *r, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(r->sim, path, &atomic), path);
  return atomic;
}

static guint64 turns_of(const Run *r, const char *path)
{
  guint64 n_int, n_ext;
  hy_sim_counts(r->sim, atomic_of(r, path), &n_int, &n_ext);
  return n_int;
}

/* Words of an atomic at its first output. */
typedef struct {
  guint atomic, n;
} Words;

static void count_words(gpointer user, const HyTransition *x)
{
  Words *words = user;
  words->n += x->atomic == words->atomic && x->kind == HY_LAMBDA && x->event->port == 0;
}

static void open_sepic(Run *r, HyEngine engine, const HyTrace *trace)
{
  load(r, SEPIC, engine);
  hy_sim_set_trace(r->sim, trace);
  start(r);
  go(r, 1e-3);
}

/* One event of the switch for each edge of its gate, and none of the diode, which the block turns.
 */
static void test_what_rows_know_of_a_valve_is_not_said(void)
{
  HyTotals first, t;
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    open_sepic(&r, engines[e], NULL);
    TEST_ASSERT_EQUAL_UINT64(101, turns_of(&r, "pwm"));
    TEST_ASSERT_EQUAL_UINT64(turns_of(&r, "pwm"), turns_of(&r, "c/S.on"));
    TEST_ASSERT_EQUAL_UINT64(0, turns_of(&r, "c/D.on"));
    TEST_ASSERT_EQUAL_UINT64(0, turns_of(&r, "c/D.i"));
    hy_sim_totals(r.sim, e == 0 ? &first : &t);
    TEST_ASSERT_EQUAL_UINT64(first.cycles, e == 0 ? first.cycles : t.cycles);
    clear(&r);
  }
  TEST_ASSERT_TRUE(first.toggles > 190);
}

/* Of the diode alone, and of all: the states are the same to the last bit. */
static void test_a_valve_that_is_watched_says_its_turns(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run quiet, loud, all;
    HyTotals t;
    open_sepic(&quiet, engines[e], NULL);
    Words words = {.atomic = atomic_of(&quiet, "c/D.on")};
    g_autofree guint8 *watched = g_new0(guint8, 1000);
    watched[words.atomic] = 1;
    const HyTrace one = {
        .transition = count_words, .watched = watched, .n_watched = 1000, .user = &words};
    const HyTrace every = {.transition = look_away};
    open_sepic(&loud, engines[e], &one);
    open_sepic(&all, engines[e], &every);
    hy_sim_totals(loud.sim, &t);
    TEST_ASSERT_EQUAL_UINT64(t.classic.crossings + 1, words.n); /* and at the start */
    for (guint k = 0; k < 4; k++) {
      const char *path = (const char *[]){"c/L1.i", "c/L2.i", "c/Cs.v", "c/C1.v"}[k];
      TEST_ASSERT_TRUE(at(&quiet, path, 1e-3) == at(&loud, path, 1e-3));
      TEST_ASSERT_TRUE(at(&quiet, path, 1e-3) == at(&all, path, 1e-3));
    }
    clear(&quiet);
    clear(&loud);
    clear(&all);
  }
}

/* Sums and products of states that nobody reads, one behind the other, are not computed; where they
 * may fail they are, and so is what leads there. */
static void test_what_nobody_reads_is_computed_only_to_fail(void)
{
  static const System system = {
      .inside = "<function name=\"sum\" formula=\"2*x - x*y/4\"/>"
                "<function name=\"last\" formula=\"3*sum\"/>"
                "<function name=\"safe\" formula=\"x - y\"/>"
                "<function name=\"risk\" formula=\"1/(safe + 10)\"/>"
                "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-x\"/>"};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    open_run(&r, &system, "cvode_bdf", engines[e], FALSE);
    go(&r, 1);
    TEST_ASSERT_EQUAL_UINT64(0, turns_of(&r, "sum"));
    TEST_ASSERT_EQUAL_UINT64(0, turns_of(&r, "last"));
    TEST_ASSERT_TRUE(turns_of(&r, "safe") > 1);
    TEST_ASSERT_TRUE(turns_of(&r, "risk") > 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, cos(1), at(&r, "x", 1));
    clear(&r);
  }
}

#endif

static guint add(HyModel *m, const char *name, const char *klass, const char *param,
                 const char *value)
{
  guint k = hy_model_add(m, name, hy_class_find(klass));
  TEST_ASSERT_TRUE_MESSAGE(hy_model_set(m, k, param, value, NULL), param);
  return k;
}

/* x' = 3 (what came last): 0, from t = 1/2 on 6, from t = 1 on -3. A row cannot go through a port
 * with several sources, so it reads what the block behind it says. */
static void test_a_block_with_several_sources_at_a_port_is_listened_to(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  guint u = add(m, "u", "step", "to", "2"), v = add(m, "v", "step", "to", "-1");
  guint g = add(m, "g", "gain", "k", "3"), x = add(m, "x", "integrator", "method", "rk4");
  TEST_ASSERT_TRUE(hy_model_set(m, u, "at", "0.5", NULL));
  TEST_ASSERT_TRUE(hy_model_set(m, v, "at", "1", NULL));
  TEST_ASSERT_TRUE(hy_model_set(m, x, "hstep", "0.125", NULL));
  TEST_ASSERT_TRUE(hy_model_connect(m, u, 0, g, 0, NULL));
  TEST_ASSERT_TRUE(hy_model_connect(m, v, 0, g, 0, NULL));
  TEST_ASSERT_TRUE(hy_model_connect(m, g, 0, x, 0, NULL));
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HySim) sim = hy_sim_new(m, engines[e], NULL);
    guint atomic;
    TEST_ASSERT_TRUE(hy_sim_find(sim, "x", &atomic));
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 1.5, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.5, hy_sim_value(sim, atomic, 1.5));
  }
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
#ifdef HY_SUNDIALS
  RUN_TEST(test_watching_changes_nothing);
  RUN_TEST(test_a_step_can_be_looked_at_anywhere);
  RUN_TEST(test_without_listeners_a_step_is_one_event);
  RUN_TEST(test_what_is_made_of_many_members_stays_inside);
  RUN_TEST(test_faults_are_the_same_in_all_engines);
  RUN_TEST(test_what_rows_know_of_a_valve_is_not_said);
  RUN_TEST(test_a_valve_that_is_watched_says_its_turns);
  RUN_TEST(test_what_nobody_reads_is_computed_only_to_fail);
#endif
  RUN_TEST(test_a_block_with_several_sources_at_a_port_is_listened_to);
  return UNITY_END();
}
