/* Levers: what is moved while a simulation runs makes the events that it says and no others, on all
 * engines the same; and what outputs are between two events can be asked for without a trace of it.
 */
#include "hydevs/hydevs.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#define END 2.0

void setUp(void)
{
}

void tearDown(void)
{
}

static HyLoaded *load(const char *inside, const char *numerics)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s<experiment stop=\"2\" %s/>"
                      "</hydevs>",
                      inside, numerics);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

static HySim *begin(const HyLoaded *loaded, HyEngine engine)
{
  g_autoptr(GError) error = NULL;
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), engine, &error);
  gboolean ok = sim != NULL && hy_sim_init(sim, 0, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return sim;
}

static void run(HySim *sim, double t)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(sim, t, &error), error != NULL ? error->message : "");
}

static guint lever(const HySim *sim, const char *path)
{
  guint k;
  TEST_ASSERT_TRUE(hy_sim_lever(sim, path, &k, NULL));
  return k;
}

/* At T, which the run comes to first. */
static void set_to(HySim *sim, double t, const char *path, double value, double ramp)
{
  g_autoptr(GError) error = NULL;
  run(sim, t);
  gboolean ok = hy_sim_set_lever(sim, t, lever(sim, path), value, ramp, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
}

static guint atomic(const HySim *sim, const char *path)
{
  guint a;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &a), path);
  return a;
}

/* The value of the first output of PATH at T. */
static double signal_of(const HySim *sim, const char *path, double t)
{
  double c[4];
  return hy_sim_signal(sim, atomic(sim, path), 0, t, c) ? c[0] : NAN;
}

static guint64 transitions(const HySim *sim, const char *path)
{
  guint64 n_int, n_ext;
  hy_sim_counts(sim, atomic(sim, path), &n_int, &n_ext);
  return n_int;
}

/* Closed forms -------------------------------------------------------------------------------- */

/* x' = u - x, x(0) = 0: u = 1 until 0.5, 3 until 0.75, then in a second on a line to 2. */
static double truth(double t)
{
  double x1 = 1 - exp(-0.5), x2 = 3 + (x1 - 3) * exp(-0.25);
  if (t <= 0.5) {
    return 1 - exp(-t);
  }
  if (t <= 0.75) {
    return 3 + (x1 - 3) * exp(-(t - 0.5));
  }
  double s = fmin(t - 0.75, 1), x = 4 - s + (x2 - 4) * exp(-s);
  return t <= 1.75 ? x : 2 + (x - 2) * exp(-(t - 1.75));
}

typedef struct {
  const char *method;
  double within;
} Method;

/* Tolerances 1e-6; bdf and euler by their step, of 1 ms. */
static const Method methods[] = {
    {"qss2", 1e-5},
    {"qss3", 1e-5},
    {"liqss2", 1e-5},
    {"liqss3", 1e-5},
    {"mliqss2", 1e-5},
    {"mliqss3", 1e-5},
    {"rk4", 1e-9},
    {"rk45_doubling", 1e-5},
    {"ab4", 1e-6},
    {"bdf2", 1e-5},
    {"trapezoidal", 1e-6},
    {"backward_euler", 2e-3},
    {"euler_interpolated", 2e-3},
    {"block_liqss2", 1e-12},
    {"chain_liqss2", 1e-4},
#ifdef HY_SUNDIALS
    {"cvode_bdf", 1e-4},
    {"cvode_adams", 1e-4},
#endif
};

static void test_states_follow_a_lever_as_its_equation_says(void)
{
  for (guint k = 0; k < 3 * G_N_ELEMENTS(methods); k++) {
    const Method *m = &methods[k / 3];
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-6\" dqmin=\"1e-6\" hstep=\"1m\"", m->method);
    g_autoptr(HyLoaded) loaded = load("<lever name=\"u\" value=\"1\"/>"
                                      "<integrator name=\"x\" in=\"u - x\"/>",
                                      numerics);
    g_autoptr(HySim) sim = begin(loaded, (HyEngine)(k % 3));
    set_to(sim, 0.5, "u", 3, 0);
    set_to(sim, 0.6, "u", 3, 0);
    set_to(sim, 0.75, "u", 2, 1);
    for (guint i = 0; i <= 20; i++) {
      double t = 0.1 * i;
      if (t >= 0.75) {
        run(sim, t);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(m->within, truth(t),
                                          hy_sim_value(sim, atomic(sim, "x"), t), m->method);
      }
    }
    /* the start, a jump, a line, its end */
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(4, transitions(sim, "u"), m->method);
  }
}

static void test_a_rate_makes_lines_of_jumps(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<lever name=\"u\" value=\"1\" rate=\"4\"/><integrator name=\"x\" in=\"u\"/>", "");
  g_autoptr(HySim) sim = begin(loaded, HY_FUSED);
  set_to(sim, 0.5, "u", 3, 0);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, hy_sim_next(sim));
  run(sim, 0.75);
  TEST_ASSERT_EQUAL_DOUBLE(2, signal_of(sim, "u", 0.75));
  HyLever u;
  TEST_ASSERT_TRUE(hy_sim_lever_info(sim, 0, &u));
  TEST_ASSERT_EQUAL_DOUBLE(3, u.target);
  set_to(sim, 0.75, "u", 3, 0); /* it hurries there already */
  run(sim, 1);
  TEST_ASSERT_EQUAL_DOUBLE(3, signal_of(sim, "u", 1));
  TEST_ASSERT_EQUAL_UINT64(3, transitions(sim, "u"));
  set_to(sim, 1, "u", 2, 1); /* slower than it may */
  run(sim, 1.5);
  TEST_ASSERT_EQUAL_DOUBLE(2.5, signal_of(sim, "u", 1.5));
  run(sim, 3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 + 1 + 2.5 + 2, hy_sim_value(sim, atomic(sim, "x"), 3));
}

/* In a model of first order a line is stairs within max(dqrel |rise|, dqmin). */
static void test_a_line_is_stairs_where_slopes_do_not_count(void)
{
  g_autoptr(HyLoaded) loaded = load("<lever name=\"u\"/><integrator name=\"x\" in=\"u\"/>",
                                    "method=\"qss1\" dqrel=\"0.1\" dqmin=\"1e-6\"");
  g_autoptr(HySim) sim = begin(loaded, HY_FLAT);
  set_to(sim, 0.5, "u", 2, 1);
  for (double t = 0.5; t < 1.5; t += 0.03) {
    double c[4];
    run(sim, t);
    TEST_ASSERT_TRUE(hy_sim_signal(sim, atomic(sim, "u"), 0, t, c));
    TEST_ASSERT_EQUAL_DOUBLE(0, c[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.2 + 1e-12, 2 * (t - 0.5), c[0]);
  }
  run(sim, 2);
  TEST_ASSERT_EQUAL_DOUBLE(2, signal_of(sim, "u", 2));
  TEST_ASSERT_EQUAL_UINT64(1 + 11, transitions(sim, "u"));
}

/* What was told at an instant and taken back there was never so. */
static void test_a_command_that_is_taken_back_makes_no_event(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<lever name=\"u\" value=\"1\"/><integrator name=\"x\" in=\"u\"/>", "");
  g_autoptr(HySim) sim = begin(loaded, HY_TREE);
  TEST_ASSERT_TRUE(hy_sim_set_lever(sim, 0, 0, 2, 0, NULL)); /* before it has said anything */
  run(sim, 0.5);
  TEST_ASSERT_EQUAL_DOUBLE(2, signal_of(sim, "u", 0.5));
  double next = hy_sim_next(sim);
  g_autoptr(GError) error = NULL;
  hy_sim_set_lever(sim, 0.5, 0, 3, 0, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error->message);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, hy_sim_next(sim));
  hy_sim_set_lever(sim, 0.5, 0, 2, 0, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error->message);
  TEST_ASSERT_EQUAL_DOUBLE(next, hy_sim_next(sim));
  run(sim, 1);
  TEST_ASSERT_EQUAL_UINT64(1, transitions(sim, "u"));
}

/* All the same ------------------------------------------------------------------------------- */

/* A group with a switch, a nonlinear row and functions that only rows read; discrete blocks beside
 * it; two levers. */
static const char plant[] =
    "<lever name=\"p\" value=\"1\" upper=\"9\"/><lever name=\"leak\" kind=\"malfunction\"/>"
    "<sine name=\"s\" amplitude=\"1\" frequency=\"0.7\"/>"
    "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-4*x + p\"/>"
    "<comparator name=\"c\" in=\"x\" level=\"0.3\"/>"
    "<function name=\"f\" formula=\"a*(1 - 0.5*l) + tanh(b)\" a=\"p\" l=\"leak\" b=\"y\"/>"
    "<function name=\"g\" formula=\"a*a + if(b > 0.2, b, 0.2)\" a=\"f\" b=\"x\"/>"
    "<integrator name=\"z\" in=\"c*5 - 4*z - 0.1*z*z*g + s\"/>"
    "<generator name=\"G\" first=\"0.3\" period=\"0.5\" values=\"1, 2, 3\"/>"
    "<sampler name=\"k\" in=\"z\" trigger=\"G\"/><counter name=\"n\" in=\"G\"/>"
    "<function name=\"h\" formula=\"a + b\" a=\"k\" b=\"n\"/>"
    "<reset_integrator name=\"r\" in=\"h\" reset=\"G\" value=\"f\"/>";

static void see(GByteArray *seen, gconstpointer what, gsize n)
{
  g_byte_array_append(seen, what, (guint)n);
}

/* All outputs at T. */
static void ask_all(const HySim *sim, double t, GByteArray *seen)
{
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    for (guint port = 0; hy_sim_class(sim, a)->out[port].name != NULL; port++) {
      double c[4] = {0};
      guint8 known = hy_sim_signal(sim, a, port, t, c) ? 1 : 0;
      see(seen, &known, 1);
      see(seen, c, known ? sizeof c : 0);
    }
  }
}

/* What the states are after each tenth, and their counts; and to ANSWERS all outputs, if that is
 * not NULL. */
static GByteArray *played(const HyLoaded *loaded, HyEngine engine, GByteArray *answers)
{
  g_autoptr(HySim) sim = begin(loaded, engine);
  GByteArray *seen = g_byte_array_new();
  for (guint k = 1; k <= 20; k++) {
    double t = 0.1 * k;
    run(sim, t);
    if (answers != NULL) {
      ask_all(sim, t, answers);
    }
    if (k == 3 || k == 11) {
      set_to(sim, t, "p", k == 3 ? 2.5 : 0.5, 0);
    }
    if (k == 6 || k == 14) {
      set_to(sim, t, "leak", k == 6 ? 0.8 : 0.1, 0.35);
    }
    static const char *const states[] = {"x", "y", "z", "r"};
    for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
      guint64 n_int, n_ext;
      double v = hy_sim_value(sim, atomic(sim, states[i]), MAX(t, hy_sim_time(sim)));
      hy_sim_counts(sim, atomic(sim, states[i]), &n_int, &n_ext);
      see(seen, &v, sizeof v);
      see(seen, &n_int, sizeof n_int);
    }
  }
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  see(seen, &totals.steps, sizeof totals.steps);
  see(seen, &totals.toggles, sizeof totals.toggles);
  see(seen, &totals.classic, sizeof totals.classic);
  return seen;
}

static void same(const GByteArray *a, const GByteArray *b, const char *what)
{
  TEST_ASSERT_EQUAL_UINT_MESSAGE(a->len, b->len, what);
  TEST_ASSERT_EQUAL_MEMORY_MESSAGE(a->data, b->data, a->len, what);
}

static void try_all(const char *inside, const char *method)
{
  g_autofree char *numerics =
      g_strdup_printf("method=\"%s\" dqrel=\"1e-3\" dqmin=\"1e-3\" hstep=\"7m\"", method);
  g_autoptr(HyLoaded) loaded = load(inside, numerics);
  g_autoptr(GByteArray) answers = g_byte_array_new();
  g_autoptr(GByteArray) first = played(loaded, HY_TREE, NULL);
  for (guint k = 0; k < 3; k++) {
    g_autofree char *what = g_strdup_printf("%s on %s", method, hy_engine_name((HyEngine)k));
    g_autoptr(GByteArray) answered = g_byte_array_new();
    g_autoptr(GByteArray) asked = played(loaded, (HyEngine)k, answered);
    same(first, asked, what);
    if (k == 0) {
      g_byte_array_append(answers, answered->data, answered->len);
    }
    same(answers, answered, what);
    if (k > 0) {
      g_autoptr(GByteArray) plain = played(loaded, (HyEngine)k, NULL);
      same(first, plain, what);
    }
  }
}

static void test_engines_agree_and_asking_changes_nothing(void)
{
  static const char *const all[] = {
      "qss1",           "qss2",          "qss3",          "bqss",         "liqss2",
      "mliqss2",        "rk4",           "bdf2",          "ab3",          "trapezoidal",
      "backward_euler", "pec2e_delayed", "rk45_doubling", "block_liqss2", "chain_liqss2",
#ifdef HY_SUNDIALS
      "cvode_bdf",
#endif
  };
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    try_all(plant, all[k]);
  }
}

/* Bit for bit: nothing has moved that stood. (A line that is told anew is another one.) */
static void test_setting_what_is_already_changes_nothing(void)
{
  static const char *const all[] = {"qss2", "mliqss2", "rk4", "block_liqss2"};
  for (guint k = 0; k < 3 * G_N_ELEMENTS(all); k++) {
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-3\" dqmin=\"1e-3\" hstep=\"7m\"", all[k / 3]);
    g_autoptr(HyLoaded) loaded = load(plant, numerics);
    g_autoptr(HySim) once = begin(loaded, (HyEngine)(k % 3));
    g_autoptr(HySim) again = begin(loaded, (HyEngine)(k % 3));
    for (guint i = 1; i <= 20; i++) {
      double t = 0.1 * i;
      run(once, t);
      run(again, t);
      if (i == 4) {
        set_to(once, t, "p", 3, 0);
        set_to(again, t, "p", 3, 0);
      }
      set_to(again, t, "p", i < 4 ? 1 : 3, i % 2 * 0.5);
      set_to(again, t, "leak", 0, 0);
      run(once, t);
      run(again, t);
      TEST_ASSERT_EQUAL_DOUBLE(hy_sim_next(once), hy_sim_next(again));
      double a = hy_sim_value(once, atomic(once, "z"), t),
             b = hy_sim_value(again, atomic(again, "z"), t);
      TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
    }
    HyTotals a, b;
    hy_sim_totals(once, &a);
    hy_sim_totals(again, &b);
    TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
  }
}

/* Signals ------------------------------------------------------------------------------------- */

/* u is read by rows of a group alone, and so is w that is made of it: neither is run. */
static void test_what_nobody_hears_is_known_all_the_same(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<ramp name=\"u\" start=\"0\" height=\"3\"/>"
           "<function name=\"v\" formula=\"a*a + 2*b\" a=\"u\" b=\"x\"/>"
           "<function name=\"w\" formula=\"a + a\" a=\"v\"/>"
           "<integrator name=\"x\" in=\"0*w + 1\"/><integrator name=\"y\" in=\"w - y\"/>"
           "<generator name=\"G\" first=\"0.5\" period=\"9\" values=\"7\"/><counter name=\"n\" "
           "in=\"G\"/>"
           "<function name=\"late\" formula=\"a\" a=\"G\"/>"
           "<function name=\"after\" formula=\"a + 1\" a=\"late\"/>",
           "method=\"rk4\" hstep=\"0.1\"");
  for (guint k = 0; k < 3; k++) {
    g_autoptr(HySim) sim = begin(loaded, (HyEngine)k);
    double c[4];
    run(sim, 0.25);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.75, signal_of(sim, "u", 0.25));
    TEST_ASSERT_TRUE(hy_sim_signal(sim, atomic(sim, "v"), 0, 0.25, c));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5625 + 0.5, c[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2 * 0.75 * 3 + 2, c[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.125, signal_of(sim, "w", 0.25));
    TEST_ASSERT_FALSE(hy_sim_signal(sim, atomic(sim, "G"), 0, 0.25, c));     /* events */
    TEST_ASSERT_FALSE(hy_sim_signal(sim, atomic(sim, "late"), 0, 0.25, c));  /* silent so far, */
    TEST_ASSERT_FALSE(hy_sim_signal(sim, atomic(sim, "after"), 0, 0.25, c)); /* and what follows */
    run(sim, 0.6);
    TEST_ASSERT_EQUAL_DOUBLE(8, signal_of(sim, "after", 0.6));
    TEST_ASSERT_EQUAL_DOUBLE(1, signal_of(sim, "n", 0.6));
  }
}

/* Each of a chain of 60 reads the one before twice: 2^60 ways, and 60 blocks. */
static void test_a_block_is_computed_once_for_a_question(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<lever name=\"u\" value=\"1\"/>"
           "<function name=\"f\" count=\"60\" before=\"u\" formula=\"0.5*a + 0.5*b\" a=\"f[i-1]\" "
           "b=\"f[i-1]\"/><integrator name=\"x\" in=\"f[60]\"/>",
           "");
  g_autoptr(HySim) sim = begin(loaded, HY_FUSED);
  run(sim, 1);
  TEST_ASSERT_EQUAL_DOUBLE(1, signal_of(sim, "f[60]", 1));
}

static void test_words_come_back_with_a_snapshot(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<pulse name=\"u\" start=\"0.5\" end=\"1\"/><lever name=\"p\" value=\"1\"/>"
           "<integrator name=\"x\" in=\"u + p\"/>",
           "");
  g_autoptr(HySim) sim = begin(loaded, HY_FLAT);
  set_to(sim, 0.6, "p", 2, 0.8);
  run(sim, 0.7);
  g_autoptr(HySnapshot) snapshot = hy_sim_save(sim, NULL);
  run(sim, 2);
  double x = hy_sim_value(sim, atomic(sim, "x"), 2);
  TEST_ASSERT_EQUAL_DOUBLE(0, signal_of(sim, "u", 2));
  TEST_ASSERT_TRUE(hy_sim_load(sim, snapshot, NULL));
  TEST_ASSERT_EQUAL_DOUBLE(1, signal_of(sim, "u", 0.7));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.125, signal_of(sim, "p", 0.7));
  run(sim, 2);
  TEST_ASSERT_EQUAL_DOUBLE(x, hy_sim_value(sim, atomic(sim, "x"), 2));
}

/* What is set before the run is where it begins, copy by copy; its bounds are those of the lever.
 */
static void test_a_parameter_that_may_change_is_a_lever(void)
{
  static const char text[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><type name=\"tank\"><param "
                             "name=\"top\" value=\"5\"/>"
                             "<param name=\"k\" value=\"3\" change=\"true\" min=\"0\" "
                             "max=\"2*top\" unit=\"1/s\" doc=\"gain\"/>"
                             "<in name=\"u\"/><integrator name=\"x\" in=\"k*u\"/></type>"
                             "<param name=\"leak\" value=\"0.5\" change=\"true\"/>"
                             "<block type=\"tank\" name=\"A\" u=\"1 - leak\"/>"
                             "<block type=\"tank\" name=\"B\" u=\"leak\" k=\"4\"/></hydevs>";
  static const char *const set[] = {"leak=0.25", NULL};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.set = set}, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = begin(loaded, HY_FUSED);
  HyLever k;
  TEST_ASSERT_EQUAL_UINT(3, hy_sim_n_levers(sim));
  TEST_ASSERT_TRUE(hy_sim_lever_info(sim, lever(sim, "B/k"), &k));
  TEST_ASSERT_EQUAL_DOUBLE(4, k.value);
  TEST_ASSERT_EQUAL_DOUBLE(10, k.upper);
  TEST_ASSERT_EQUAL_DOUBLE(0, k.lower);
  TEST_ASSERT_EQUAL_STRING("1/s", k.unit);
  TEST_ASSERT_EQUAL_STRING("gain", k.doc);
  set_to(sim, 1, "A/k", 8, 0);
  set_to(sim, 1.5, "leak", 0, 0);
  run(sim, 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3 * 0.75 + 0.5 * 8 * 0.75 + 0.5 * 8,
                            hy_sim_value(sim, atomic(sim, "A/x"), 2));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.5 * 4 * 0.25, hy_sim_value(sim, atomic(sim, "B/x"), 2));
  TEST_ASSERT_EQUAL_DOUBLE(0.25, hy_loaded_parameter(loaded, 0)->numbers[0]);
}

/* A bound of work ----------------------------------------------------------------------------- */

static void test_runs_in_portions_are_the_run(void)
{
  g_autoptr(HyLoaded) loaded = load(plant, "dqrel=\"1e-4\"");
  for (guint k = 0; k < 3; k++) {
    g_autoptr(HySim) whole = begin(loaded, (HyEngine)k), some = begin(loaded, (HyEngine)k);
    run(whole, END);
    gboolean done = FALSE;
    guint calls = 0;
    while (!done) {
      HyTotals before, after;
      hy_sim_totals(some, &before);
      TEST_ASSERT_TRUE(hy_sim_run_some(some, END, 7, &done, NULL));
      hy_sim_totals(some, &after);
      TEST_ASSERT_TRUE(done ? after.cycles - before.cycles < 7 : after.cycles - before.cycles == 7);
      calls++;
    }
    HyTotals a, b;
    hy_sim_totals(whole, &a);
    hy_sim_totals(some, &b);
    TEST_ASSERT_EQUAL_MEMORY(&a, &b, sizeof a);
    TEST_ASSERT_EQUAL_UINT64(a.cycles / 7 + 1, calls);
    double x = hy_sim_value(whole, atomic(whole, "z"), END);
    TEST_ASSERT_EQUAL_DOUBLE(x, hy_sim_value(some, atomic(some, "z"), END));
  }
}

/* Instants that come nearer and nearer to 1 are found, however short the portions are. */
static void test_what_comes_no_further_is_found_in_portions_too(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<server name=\"a\" time=\"1e-25\" in=\"b p\"/><relay name=\"b\" in=\"a\"/>"
           "<generator name=\"p\" period=\"9\" values=\"1\"/>",
           "");
  g_autoptr(HySim) sim = begin(loaded, HY_FLAT);
  g_autoptr(GError) error = NULL;
  gboolean done = FALSE;
  while (hy_sim_run_some(sim, 1, 1000, &done, &error) && !done) {
  }
  TEST_ASSERT_FALSE(done);
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_ILLEGITIMATE));
}

/* What is refused ----------------------------------------------------------------------------- */

static void refused(HySim *sim, double t, double value, double ramp, const char *message)
{
  g_autoptr(GError) error = NULL;
  double next = hy_sim_next(sim);
  TEST_ASSERT_FALSE(hy_sim_set_lever(sim, t, 0, value, ramp, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
  TEST_ASSERT_EQUAL_DOUBLE(next, hy_sim_next(sim));
}

static void test_what_cannot_be_set_changes_nothing(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<coupled name=\"pump\"><lever name=\"valve\" value=\"0.5\" lower=\"0\" upper=\"1\" "
           "unit=\"m2\" doc=\"of the drain\"/></coupled>"
           "<integrator name=\"x\" in=\"1\"/><lever name=\"leak\" kind=\"malfunction\"/>",
           "");
  g_autoptr(HySim) sim = begin(loaded, HY_FLAT);
  run(sim, 0.5);
  refused(sim, 0.5, 1.5, 0, "m: pump/valve = 1.5 is above its bound 1 m2");
  refused(sim, 0.5, -0.1, 0, "m: pump/valve = -0.1 is below its bound 0 m2");
  refused(sim, 0.5, NAN, 0, "m: pump/valve cannot be set to nan");
  refused(sim, 0.5, 1, -1, "m: pump/valve: a ramp of -1 s is none");
  refused(sim, 0.5, 1, INFINITY, "m: pump/valve: a ramp of inf s is none");
  refused(sim, NAN, 1, 0, "m: a lever at nan is not a time");
  refused(sim, -1, 1, 0,
          "m: a lever at t = -1 is outside the time from the last event, 0, to the next one, inf");
  HyLever l;
  TEST_ASSERT_EQUAL_UINT(2, hy_sim_n_levers(sim));
  TEST_ASSERT_TRUE(hy_sim_lever_info(sim, 0, &l));
  TEST_ASSERT_EQUAL_STRING("pump/valve", l.path);
  TEST_ASSERT_EQUAL_STRING("m2", l.unit);
  TEST_ASSERT_EQUAL_STRING("of the drain", l.doc);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, l.value);
  TEST_ASSERT_TRUE(isinf(l.rate));
  TEST_ASSERT_TRUE(hy_sim_lever_info(sim, 1, &l));
  TEST_ASSERT_EQUAL_INT(HY_LEVER_MALFUNCTION, l.kind);
  TEST_ASSERT_EQUAL_DOUBLE(1, l.upper);
  TEST_ASSERT_NULL(l.unit);
}

static void no_lever(const HySim *sim, const char *path, const char *message)
{
  g_autoptr(GError) error = NULL;
  guint k;
  TEST_ASSERT_FALSE(hy_sim_lever(sim, path, &k, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static void test_what_is_no_lever_names_the_nearest(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<lever name=\"leak\"/><integrator name=\"lead\" in=\"1\"/>", "");
  g_autoptr(HySim) sim = begin(loaded, HY_FLAT);
  no_lever(sim, "leek", "m: there is no lever \"leek\"; did you mean \"leak\"?");
  no_lever(sim, "lead", "m: \"lead\" is no lever but a block integrator; did you mean \"leak\"?");
  g_autoptr(HyLoaded) none = load("<integrator name=\"x\" in=\"1\"/>", "");
  g_autoptr(HySim) other = begin(none, HY_FLAT);
  no_lever(other, "leak", "m: there is no lever \"leak\"; this model has no levers");
  HyLever l;
  g_autoptr(HySim) fresh = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_FALSE(hy_sim_lever_info(fresh, 0, &l)); /* it has not been initialised */
}

static void bad_lever(const char *attributes, const char *message)
{
  g_autofree char *inside = g_strdup_printf("<lever name=\"u\" %s/>", attributes);
  g_autoptr(HyLoaded) loaded = load(inside, "");
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_sim_init(sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static void test_bounds_that_cannot_be(void)
{
  bad_lever("value=\"3\" upper=\"2\"", "u: value = 3 is above upper = 2");
  bad_lever("lower=\"3\" upper=\"2\"", "u: lower = 3 is above upper = 2");
  bad_lever("lower=\"1\"", "u: value = 0 is below lower = 1");
  bad_lever("kind=\"malfunction\" upper=\"2\"", "u: upper = 2 is above that of a malfunction = 1");
  bad_lever("kind=\"malfunction\" value=\"-1\"", "u: value = -1 is below lower = 0");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_states_follow_a_lever_as_its_equation_says);
  RUN_TEST(test_a_rate_makes_lines_of_jumps);
  RUN_TEST(test_a_line_is_stairs_where_slopes_do_not_count);
  RUN_TEST(test_a_command_that_is_taken_back_makes_no_event);
  RUN_TEST(test_engines_agree_and_asking_changes_nothing);
  RUN_TEST(test_setting_what_is_already_changes_nothing);
  RUN_TEST(test_what_nobody_hears_is_known_all_the_same);
  RUN_TEST(test_a_block_is_computed_once_for_a_question);
  RUN_TEST(test_words_come_back_with_a_snapshot);
  RUN_TEST(test_a_parameter_that_may_change_is_a_lever);
  RUN_TEST(test_runs_in_portions_are_the_run);
  RUN_TEST(test_what_comes_no_further_is_found_in_portions_too);
  RUN_TEST(test_what_cannot_be_set_changes_nothing);
  RUN_TEST(test_what_is_no_lever_names_the_nearest);
  RUN_TEST(test_bounds_that_cannot_be);
  return UNITY_END();
}
