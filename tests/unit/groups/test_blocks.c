/* Systems of several exact blocks: interleaved converters against CVODE at 1e-9, on all engines to
 * the last bit, and how far what is said is from what is. */
#include "group_run.h"
#include "groups/classic_internal.h"
#include "hydevs/experiment.h"
#include "sim/engine.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* N stages of an interleaved converter of examples/thesis. */
typedef struct {
  const char *name;
  guint parts; /* so many that it is no one block */
  guint blocks;
  double until;
} Converter;

static const Converter converters[] = {{"buck-ls-interleaved", 10, 11, 1e-3},
                                       {"cuk-interleaved", 7, 8, 0.5e-3},
                                       {"cuk-ls-interleaved", 5, 6, 0.5e-3}};

static void load_converter(Run *r, const Converter *c, const char *method, double tol,
                           HyEngine engine)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/examples/thesis/%s/model.xml", c->name);
  g_autofree char *parts = g_strdup_printf("N=%u", c->parts);
  g_autofree char *shift = g_strdup_printf("shift=1/%u", c->parts);
  const char *const set[] = {parts, shift, NULL};
  HyLoadOptions options = {.set = set, .method = method, .dqrel = tol, .dqmin = tol, .tol = tol};
  g_autoptr(HyReport) report = hy_report_new();
  r->loaded = hy_load_file(path, &options, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(r->loaded, problems);
  r->sim = hy_sim_new(hy_loaded_model(r->loaded), engine, NULL);
  start(r);
}

#define SAMPLES 50

/* Of all states at SAMPLES instants; newly allocated. */
static double *sampled(Run *r, double until, guint *n)
{
  HyRoom *room = r->sim->room;
  *n = room->states->len;
  double *x = g_new(double, (gsize)SAMPLES **n);
  for (guint k = 0; k < SAMPLES; k++) {
    double t = until * (k + 1) / SAMPLES;
    go(r, t);
    for (guint i = 0; i < *n; i++) {
      x[k * *n + i] = hy_sim_value(r->sim, hy_room_state(room, i)->atomic, t);
    }
  }
  return x;
}

/* Of the thesis, 4.11: all states and all instants in one quotient. */
static double error_of(const double *x, const double *reference, gsize n)
{
  double off = 0.0, all = 0.0;
  for (gsize k = 0; k < n; k++) {
    off += (x[k] - reference[k]) * (x[k] - reference[k]);
    all += reference[k] * reference[k];
  }
  return sqrt(off / all);
}

static double *reference_of(const Converter *c, guint *n)
{
  Run r;
  load_converter(&r, c, "cvode_bdf", 1e-9, HY_FUSED);
  double *x = sampled(&r, c->until, n);
  clear(&r);
  return x;
}

/* Their error follows the tolerance, and is the same number on all engines. */
static void test_interleaved_converters(void)
{
  static const double tol[] = {1e-3, 1e-5};
#ifdef HY_SUNDIALS
  for (guint k = 0; k < G_N_ELEMENTS(converters); k++) {
    const Converter *c = &converters[k];
    guint n;
    g_autofree double *reference = reference_of(c, &n);
    for (guint j = 0; j < G_N_ELEMENTS(tol); j++) {
      double first = 0.0;
      for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
        Run r;
        load_converter(&r, c, "block_liqss2", tol[j], engines[e]);
        TEST_ASSERT_EQUAL_UINT(c->blocks, hy_sim_n_groups(r.sim));
        g_autofree double *x = sampled(&r, c->until, &n);
        double error = error_of(x, reference, (gsize)n * SAMPLES);
        TEST_ASSERT_TRUE_MESSAGE(error <= tol[j], c->name);
        first = e == 0 ? error : first;
        TEST_ASSERT_TRUE_MESSAGE(error == first, c->name);
        TEST_ASSERT_EQUAL_UINT64(0, totals(&r).evaluations);
        clear(&r);
      }
    }
  }
#endif
}

/* What others hear of a state is so far from it at T, by its tolerance when that was said; 0:
 * nobody hears it. */
static double distance(const Run *r, guint32 state, double t)
{
  const HyRoom *room = r->sim->room;
  const HyRoomState *s = hy_room_state(room, state);
  const HyClassic *g = hy_room_group(room, s->member->group)->classic;
  const HyPiece *q = &room->signal[g->rows.slot[s->place]];
  double h = t - q->t, said = q->c[0] + h * (q->c[1] + h * q->c[2]);
  double x = hy_sim_value(r->sim, s->atomic, t);
  return g->out.open[s->place] ? fabs(said - x) / hy_classic_tolerance(g, s->place, q->c[0]) : 0.0;
}

/* What a state says is within 2.2 of its tolerances of what it is, whenever anything happens. */
static void test_what_is_said_is_near(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(converters); k++) {
    Run r;
    gboolean on = TRUE;
    double worst = 0.0;
    load_converter(&r, &converters[k], "block_liqss2", 1e-3, HY_FLAT);
    go(&r, 0.0);
    while (on) {
      TEST_ASSERT_TRUE(hy_sim_step(r.sim, converters[k].until, &on, NULL));
      double t = hy_sim_time(r.sim);
      for (guint32 i = 0; on && hy_sim_next(r.sim) > t && i < r.sim->room->states->len; i++) {
        worst = fmax(worst, distance(&r, i, t));
      }
    }
    TEST_ASSERT_TRUE_MESSAGE(worst > 0.0 && worst <= 2.2, converters[k].name);
    clear(&r);
  }
}

/* Stated apart, x and y would answer each other at every instant: they are one block, and whoever
 * runs the file is told. x + y = exp(-t/2) of what both were. */
static void test_what_is_too_fast_to_be_apart(void)
{
  static const char text[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
      "<integrator name=\"x\" in=\"1e10*(y - x)\" x0=\"1\" method=\"block_liqss2\"/>\n"
      "<integrator name=\"y\" in=\"1e10*(x - y) - y\" method=\"block_liqss2\"/>\n"
      "<experiment stop=\"1\" method=\"qss2\"/></hydevs>\n";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  HySim *sim = hy_run_sim(run);
  guint x = 0;
  TEST_ASSERT_TRUE(hy_sim_find(sim, "x", &x));
  TEST_ASSERT_EQUAL_UINT(1, hy_sim_n_groups(sim));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.5 * exp(-0.5), hy_sim_value(sim, x, 1));
  hy_report_groups(report, run);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "m.xml:2: warning: x: block_liqss2 solves it together"),
                               said);
}

/* x falls from 1e6 to what y makes of it, a millionth. What it misses of y counts as much as it is
 * then, not as when its step began: x = Re(-j (10/(10 + j w))^2 e^(j w t)) when all else is gone.
 */
static void check_fallen(HyEngine engine)
{
  Run r;
  setup_with(&r,
             "<sine name=\"s\" frequency=\"0.3\"/>"
             "<integrator name=\"x\" in=\"-10*x + 10*y\" x0=\"1e6\" method=\"block_liqss2\"/>"
             "<integrator name=\"y\" in=\"10*(s - y)\" method=\"block_liqss2\"/>",
             "method=\"block_liqss2\" dqrel=\"1e-3\" dqmin=\"1e-3\"", engine);
  double w = 2.0 * G_PI * 0.3;
  for (guint k = 0; k < 40; k++) {
    double t = 3.0 + 0.1 * k;
    go(&r, t);
    double phase = w * t - 2.0 * atan2(w, 10.0);
    TEST_ASSERT_DOUBLE_WITHIN(3e-3, sin(phase) / (1.0 + 0.01 * w * w), at(&r, "x", t));
  }
  clear(&r);
}

static void test_a_state_that_has_fallen_off_misses_little(void)
{
  check_fallen(HY_TREE);
  check_fallen(HY_FLAT);
  check_fallen(HY_FUSED);
}

/* What is missing is a part of a copy, wherever that is made. */
static void test_a_copy_has_what_is_missing(void)
{
  for (guint k = 0; k < 20; k++) {
    Run r;
    setup_with(&r,
               "<sine name=\"s\" frequency=\"0.3\"/>"
               "<integrator name=\"x\" in=\"-10*x + 10*y\" x0=\"1\" method=\"block_liqss2\"/>"
               "<integrator name=\"y\" in=\"10*(s - y)\" method=\"block_liqss2\"/>",
               "method=\"block_liqss2\" dqrel=\"1e-3\" dqmin=\"1e-3\"", HY_FLAT);
    g_autoptr(GError) error = NULL;
    go(&r, 1.0 + 0.037 * k);
    g_autoptr(HySnapshot) copy = hy_sim_save(r.sim, &error);
    TEST_ASSERT_NOT_NULL(copy);
    go(&r, 3);
    double x = at(&r, "x", 3);
    TEST_ASSERT_TRUE(hy_sim_load(r.sim, copy, &error));
    go(&r, 3);
    TEST_ASSERT_TRUE(x == at(&r, "x", 3));
    clear(&r);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_interleaved_converters);
  RUN_TEST(test_what_is_said_is_near);
  RUN_TEST(test_what_is_too_fast_to_be_apart);
  RUN_TEST(test_a_state_that_has_fallen_off_misses_little);
  RUN_TEST(test_a_copy_has_what_is_missing);
  return UNITY_END();
}
