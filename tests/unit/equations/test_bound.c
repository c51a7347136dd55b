/* Functions whose values are far below dqmin, or are a small part of what they are made for: what
 * they say is as good as the states behind need it. Against closed forms and a Runge-Kutta method
 * of this file; the same bits from all engines. */
#include "hydevs/experiment.h"
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const HyEngine engines[] = {HY_TREE, HY_FLAT, HY_FUSED};
static const char *const methods[] = {"qss2", "qss3", "liqss2", "mliqss2"};

static HyLoaded *load(const char *inside, const char *experiment)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s"
                                          "<experiment dqrel=\"1e-3\" dqmin=\"1e-6\" %s/></hydevs>",
                                          inside, experiment);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

static HySim *run(HyLoaded *loaded, HyEngine engine, double stop)
{
  g_autoptr(GError) error = NULL;
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), engine, NULL);
  hy_sim_set_limit(sim, 10000);
  gboolean ok = hy_sim_init(sim, 0.0, &error) && hy_sim_run(sim, stop, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, ok ? "" : error->message);
  return sim;
}

static double value(const HySim *sim, const char *path, double t)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
  return hy_sim_value(sim, atomic, t);
}

/* The states PATHS at STOP, the same bits from all engines, into X; the number of cycles. */
static guint64 agreed(const char *inside, const char *method, double stop, const char *const *paths,
                      guint n, double *x)
{
  g_autofree char *experiment = g_strdup_printf("stop=\"%g\" method=\"%s\"", stop, method);
  HyLoaded *loaded = load(inside, experiment);
  HyTotals totals = {.cycles = 0};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    HySim *sim = run(loaded, engines[e], stop);
    for (guint k = 0; k < n; k++) {
      double other = value(sim, paths[k], stop);
      x[k] = e == 0 ? other : x[k];
      TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&x[k], &other, sizeof other, method);
    }
    hy_sim_totals(sim, &totals);
    hy_sim_free(sim);
  }
  hy_loaded_free(loaded);
  return totals.cycles;
}

/* Integrals --------------------------------------------------------------------------------- */

#define RAMP             "<integrator name=\"r\" in=\"1\"/>"
#define F(name, formula) "<function name=\"" name "\" formula=\"" formula "\"/>"
#define X(formula)       "<integrator name=\"x\" in=\"" formula "\"/>"

/* r = t for ever, in one piece: only the functions themselves can notice that theirs have ended. */
typedef struct {
  const char *inside;
  double stop, x, size; /* x at the end, and the integral of |x'| */
} Integral;

static const Integral integrals[] = {
    /* A product of what is tiny. */
    {"<integrator name=\"a\" in=\"1e-6\"/><integrator name=\"b\" in=\"1e-6\"/>" F("p", "a*b")
         X("1e12*p"),
     4.0, 64.0 / 3.0, 64.0 / 3.0},
    {"<integrator name=\"a\" in=\"1e-6\"/><integrator name=\"b\" in=\"1e-6\" x0=\"1e-6\"/>" F(
         "p", "a*b") X("1e12*p"),
     4.0, 88.0 / 3.0, 88.0 / 3.0},
    {"<integrator name=\"a\" in=\"1e-6\"/>" F("p", "1e-9*sin(1e7*a)") X("1e9*p"), 4.0,
     0.166693806165226, 2.6},
    /* Two functions one after the other, and with a gain between them. */
    {RAMP F("p", "1e-9*r*r") F("g", "p*p") X("1e18*g"), 4.0, 204.8, 204.8},
    {RAMP F("p", "1e-9*r*r") "<gain name=\"g\" k=\"1e5\" in=\"p\"/>" F("h", "g*1e4") X("h"), 4.0,
     64.0 / 3.0, 64.0 / 3.0},
    /* What the state reads is a small part, or a small difference, of what is said. */
    {RAMP F("p", "1 + 1e-6*r*r") X("1e6*(p - 1)"), 4.0, 64.0 / 3.0, 64.0 / 3.0},
    {RAMP F("a", "1000*r*r") F("b", "1000*r*r - sin(r)") X("a - b"), 4.0, 1.6536436208636119, 2.4},
    /* In its own time, which is long. */
    {"<integrator name=\"r\" in=\"1e-7\"/>" F("p", "1e-7*sin(r)") X("p"), 4e7, 1.6536436208636119,
     2.4},
    /* What multiplies it comes later. */
    {RAMP F("p", "1e-9*r*r") X("if(r > 2, 1e9*p, 0)"), 4.0, 56.0 / 3.0, 56.0 / 3.0},
    {RAMP F("p", "1e-9*r*r") "<step name=\"k\" from=\"0\" to=\"1e9\" at=\"2\"/>" X("k*p"), 4.0,
     56.0 / 3.0, 56.0 / 3.0},
    {RAMP F("p", "1e-9*r*r") F("k", "exp(5*r)") X("k*p"), 4.0, 1.4050384058907528, 1.4},
    /* It is divided by, near its least. */
    {RAMP F("p", "1e-9 + 1e-3*(r - 2)^2") X("1e-6/p"), 4.0, 3.1405926536731263, 3.2},
    /* It decides a mode, here or in another block. */
    {RAMP X("if(1e-9*(r*r - 2) > 0, 1, 0)"), 4.0, 2.5857864376269049, 2.6},
    {RAMP F("z", "1e-9*(r*r - 2)") X("if(z > 0, 1, 0)"), 4.0, 2.5857864376269049, 2.6},
    /* Many states behind it. */
    {RAMP F("p", "1e-9*r*r") "<integrator name=\"y\" count=\"100\" in=\"1e9*p\"/>" X("1e9*p"), 4.0,
     64.0 / 3.0, 64.0 / 3.0},
    /* It does not matter. */
    {RAMP F("p", "1e-9*tanh(40*(r - 2))") X("1 + p"), 4.0, 4.0, 4.0},
};

/* A quantum of x for each of its size, and for the pieces of a small difference a few at each. */
static void test_what_is_small_is_followed_as_its_states_need_it(void)
{
  static const char *const paths[] = {"x"};
  for (guint k = 0; k < G_N_ELEMENTS(integrals); k++) {
    const Integral *c = &integrals[k];
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
      double x;
      agreed(c->inside, methods[m], c->stop, paths, 1, &x);
      g_autofree char *who = g_strdup_printf("%s, %s: %g", c->inside, methods[m], x);
      TEST_ASSERT_TRUE_MESSAGE(fabs(x - c->x) <= 32e-3 * c->size, who);
    }
  }
}

/* A block of more than 32 signals that two states of a group read: rows have it as a slot. */
static void test_so_is_a_hub(void)
{
  GString *inside =
      g_string_new("<integrator name=\"r\" count=\"40\" in=\"1e-5\" x0=\"1e-5*(i - 1)\"/>"
                   "<integrator name=\"x\" in=\"1e8*h\"/><integrator name=\"y\" in=\"-1e8*h\"/>"
                   "<function name=\"h\" formula=\"0");
  double x[2], sum = 0.0;
  for (guint k = 1; k <= 40; k++) {
    g_string_append_printf(inside, " + r[%u]^2", k);
    sum += (pow(k + 3.0, 3.0) - pow(k - 1.0, 3.0)) / 300.0; /* 1e-2 of the integral of (t+k)^2 */
  }
  g_string_append(inside, "\"/>");
  static const char *const paths[] = {"x", "y"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    agreed(inside->str, methods[m], 4.0, paths, 2, x);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(16e-3 * sum, sum, x[0], methods[m]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(16e-3 * sum, -sum, x[1], methods[m]);
  }
  g_string_free(inside, TRUE);
}

/* Only recorded ----------------------------------------------------------------------------- */

/* To a part of what it was when it was said. */
static void test_what_is_only_recorded_is_right_by_its_own_size(void)
{
  HyLoaded *loaded = load(RAMP F("f", "1e-9*sin(3*r)") F("g", "1e6*f*f"),
                          "stop=\"4\" record=\"f g\" grid=\"0.05\" method=\"qss2\"");
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(GError) error = NULL;
    static const char *const names[] = {"tree", "flat", "fused"};
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = names[e];
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    TEST_ASSERT_TRUE(run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error));
    const HyRecorder *table = hy_run_table(run, 0);
    TEST_ASSERT_TRUE(hy_recorder_rows(table) > 80);
    for (guint64 k = 0; k < hy_recorder_rows(table); k++) {
      double f = 1e-9 * sin(3.0 * hy_recorder_time(table, k));
      TEST_ASSERT_DOUBLE_WITHIN(8e-3 * fabs(f) + 1e-14, f, hy_recorder_value(table, k, 0));
      TEST_ASSERT_DOUBLE_WITHIN(16e-3 * 1e6 * f * f + 8e-15, 1e6 * f * f,
                                hy_recorder_value(table, k, 1));
    }
  }
  hy_loaded_free(loaded);
}

/* Bodies ------------------------------------------------------------------------------------ */

#define MOST 5

/* In a plane, attracting each other; G m of a body is mass times scale^3, so a length of SCALE has
 * a time of 1. */
typedef struct {
  guint n;
  double mass[MOST];
  double at[4 * MOST]; /* x, y of all; then their velocities */
} Bodies;

static void bodies_move(const Bodies *b, const double *s, double *ds)
{
  gsize n = b->n;
  memcpy(ds, s + 2 * n, 2 * n * sizeof *ds);
  memset(ds + 2 * n, 0, 2 * n * sizeof *ds);
  for (gsize i = 0; i < n; i++) {
    for (gsize j = 0; j < n; j++) {
      double dx = s[2 * j] - s[2 * i], dy = s[2 * j + 1] - s[2 * i + 1];
      double f = i == j ? 0.0 : b->mass[j] / pow(dx * dx + dy * dy, 1.5);
      ds[2 * n + 2 * i] += f * dx;
      ds[2 * n + 2 * i + 1] += f * dy;
    }
  }
}

/* Where they are at T, in units of the scale, by the classic Runge-Kutta method. */
static void bodies_after(const Bodies *b, double t, double *s)
{
  const int steps = 4000;
  gsize n = 4 * (gsize)b->n;
  double h = t / steps, d[4][4 * MOST], at[4 * MOST];
  memcpy(s, b->at, n * sizeof *s);
  for (int k = 0; k < steps; k++) {
    static const double share[] = {0.5, 0.5, 1.0};
    bodies_move(b, s, d[0]);
    for (guint p = 1; p < 4; p++) {
      for (gsize i = 0; i < n; i++) {
        at[i] = s[i] + share[p - 1] * h * d[p - 1][i];
      }
      bodies_move(b, at, d[p]);
    }
    for (gsize i = 0; i < n; i++) {
      s[i] += h / 6.0 * (d[0][i] + 2.0 * d[1][i] + 2.0 * d[2][i] + d[3][i]);
    }
  }
}

static void put_velocity(GString *out, const Bodies *b, guint i, char axis)
{
  g_string_append_printf(out, "<integrator name=\"v%c%u\" dqmin=\"1e-6*L\" x0=\"L*%.17g\" in=\"0",
                         axis, i, b->at[2 * b->n + 2 * i + (axis == 'y')]);
  for (guint j = 0; j < b->n; j++) {
    if (j != i) {
      g_string_append_printf(out, " + L^3*%.17g*(%c%u - %c%u)/d%u_%u", b->mass[j], axis, j, axis, i,
                             MIN(i, j), MAX(i, j));
    }
  }
  g_string_append(out, "\"/>");
}

/* As blocks: d is the third power of a distance, 1e-9 where the scale is 1e-3. */
static char *bodies_text(const Bodies *b, double scale)
{
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "<param name=\"L\" value=\"%g\"/>", scale);
  for (guint i = 0; i < b->n; i++) {
    for (guint k = 0; k < 2; k++) {
      g_string_append_printf(out,
                             "<integrator name=\"%c%u\" in=\"v%c%u\" dqmin=\"1e-6*L\" "
                             "x0=\"L*%.17g\"/>",
                             "xy"[k], i, "xy"[k], i, b -> at[2 * i + k]);
      put_velocity(out, b, i, "xy"[k]);
    }
    for (guint j = 0; j < i; j++) {
      g_string_append_printf(out,
                             "<function name=\"d%u_%u\" "
                             "formula=\"((x%u - x%u)^2 + (y%u - y%u)^2)^1.5\"/>",
                             j, i, i, j, i, j);
    }
  }
  return g_string_free(out, FALSE);
}

static const char *const places[] = {"x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"};
static const double scales[] = {1e-3, 1.0, 1e3};

/* A heavy one and others around it; after a turn of the innermost. */
static const Bodies systems[] = {
    {2, {1.0, 0.0}, {0, 0, 1, 0, 0, 0, 0, 1}}, /* a circle: back where it was */
    {3, {1.0, 1e-4, 1e-3}, {0, 0, 1, 0, -1.2, 1.2, 0, 0, 0, 1.02, -0.52, -0.54}},
    {5, {1.0, 1e-5, 1e-4, 1e-3, 1e-4}, {0, 0, 1, 0,   -1.2,  1.2,   0,    -2.9, 3.5,  3.5,
                                        0, 0, 0, 1.0, -0.54, -0.54, 0.59, 0,    -0.3, 0.34}},
};

/* To fifty quanta of a length of the scale after a turn (a QSS of 1e-3 whose functions are
 * evaluated at every instant comes to forty, by qss3). */
static void test_bodies_are_where_they_should_be(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(systems); k++) {
    const Bodies *b = &systems[k];
    double truth[4 * MOST], x[2 * MOST];
    bodies_after(b, 2.0 * G_PI, truth);
    for (guint s = 0; s < G_N_ELEMENTS(scales); s++) {
      g_autofree char *inside = bodies_text(b, scales[s]);
      for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
        agreed(inside, methods[m], 2.0 * G_PI, places, 2 * b->n, x);
        for (guint i = 0; i < 2 * b->n; i++) {
          g_autofree char *who =
              g_strdup_printf("%u bodies of %g, %s", b->n, scales[s], methods[m]);
          TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(50e-3, truth[i], x[i] / scales[s], who);
        }
      }
    }
  }
}

/* Three that fall towards each other from rest until two nearly meet, where no method keeps to
 * 1e-3: but in other units it is the same fall, in as many events. */
static void test_a_fall_is_the_same_in_other_units(void)
{
  static const Bodies fall = {
      3, {0.77, 0.52, 0.72}, {2.74, 2.69, -2.66, -2.49, 2.01, 1.42, 0, 0, 0, 0, 0, 0}};
  static const char *const some[] = {"qss2", "mliqss2"};
  for (guint m = 0; m < G_N_ELEMENTS(some); m++) {
    guint64 first = 0;
    for (guint s = 0; s < G_N_ELEMENTS(scales); s++) {
      double x[6];
      g_autofree char *inside = bodies_text(&fall, scales[s]);
      guint64 cycles = agreed(inside, some[m], 2.0, places, 6, x);
      first = s == 0 ? cycles : first;
      g_autofree char *who = g_strdup_printf("%s, %g: %lu and %lu events", some[m], scales[s],
                                             (gulong)first, (gulong)cycles);
      TEST_ASSERT_TRUE_MESSAGE(cycles > first / 2 && cycles < 2 * first, who);
    }
  }
}

/* Equal numbers ------------------------------------------------------------------------------ */

/* What begins as the difference of equal numbers and leaves 0 at the rate of a state Z that moves
 * by RATES: for long it is nothing but rounding. */
static const char *const differences[] = {
    "min(t/(1 + abs(z)), t)",           "abs(t/(1 + z*z) - t)", "t/(1 + z*z) - t",
    "if(sin(z) &gt; z, 1, 2)",          "max(z/(1 + t*t), z)",  "min(t*t/(1 + z*z), t*t)",
    "abs(z*cos(t)/(1 + z) - z*cos(t))", "min(exp(z) - 1, z)",
};
static const char *const rates[] = {"1e-300", "1e-17", "3e-16", "1e-15*cos(9*t)", "1e-8", "1"};

/* Runs to t = 1, or for so many events, of which there are 1,000 steps by ab1. */
#define MANY 10000

static guint events_of_difference(const char *difference, const char *rate, const char *method)
{
  g_autofree char *inside = g_strdup_printf(
      F("f", "%s") "<integrator name=\"z\" in=\"%s\"/><generator name=\"g\" period=\"0.25\" "
                   "values=\"1, 1\"/><sampler name=\"s\" in=\"f\" trigger=\"g\"/>",
      difference, rate);
  g_autofree char *experiment = g_strdup_printf("stop=\"1\" method=\"%s\" hstep=\"1m\"", method);
  HyLoaded *loaded = load(inside, experiment);
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), HY_FUSED, NULL);
  gboolean more = TRUE;
  guint n = 0;
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0.0, NULL));
  for (; n < MANY && more; n++) {
    TEST_ASSERT_TRUE(hy_sim_step(sim, 1.0, &more, NULL));
  }
  hy_sim_free(sim);
  hy_loaded_free(loaded);
  return n;
}

static void test_what_leaves_equal_numbers_does_not_creep(void)
{
  static const char *const some[] = {"qss2", "ab1"};
  for (guint k = 0; k < G_N_ELEMENTS(differences); k++) {
    for (guint r = 0; r < G_N_ELEMENTS(rates); r++) {
      for (guint m = 0; m < G_N_ELEMENTS(some); m++) {
        g_autofree char *who = g_strdup_printf("%s of %s, %s", differences[k], rates[r], some[m]);
        guint n = events_of_difference(differences[k], rates[r], some[m]);
        TEST_ASSERT_TRUE_MESSAGE(n < MANY, who);
      }
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_small_is_followed_as_its_states_need_it);
  RUN_TEST(test_so_is_a_hub);
  RUN_TEST(test_what_is_only_recorded_is_right_by_its_own_size);
  RUN_TEST(test_bodies_are_where_they_should_be);
  RUN_TEST(test_a_fall_is_the_same_in_other_units);
  RUN_TEST(test_what_leaves_equal_numbers_does_not_creep);
  return UNITY_END();
}
