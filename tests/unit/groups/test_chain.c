/* Chains of which those members step that move: random ones against Runge and Kutta's method in
 * short steps, closed forms, what rests, what is no chain; on all engines to the last bit. */
#include "group_run.h"
#include "hydevs/experiment.h"

#define CHAIN "chain_liqss2"

void setUp(void)
{
}

void tearDown(void)
{
}

static HyGroupTotals group_of(const Run *r)
{
  HyGroupTotals g;
  hy_sim_group(r->sim, 0, &g);
  return g;
}

/* Random chains -------------------------------------------------------------------------------- */

/* x_i' = sum of a (x_j - x_i) over those near to i - b x_i - c x_i^3 + r x_i^2 (1 - x_i) + g s(t)
 */
#define MOST 96
#define NEAR 4
typedef struct {
  int n;
  int near[MOST][NEAR], nears[MOST];
  double a[MOST][NEAR], b[MOST], c[MOST], r[MOST], g[MOST], x0[MOST];
  gboolean pulses, linear;
} System;

/* "s": 1 in the first 0.075 of each 0.25, or sin(3 t). */
static double source_at(const System *s, double t)
{
  return !s->pulses ? sin(3.0 * t) : t - 0.25 * floor(t / 0.25) < 0.075 ? 1.0 : 0.0;
}

static void derivative(const System *s, double source, const double *x, double *dx)
{
  for (int i = 0; i < s->n; i++) {
    double sum = (-s->b[i] - s->c[i] * x[i] * x[i]) * x[i] + s->g[i] * source +
                 s->r[i] * x[i] * x[i] * (1.0 - x[i]);
    for (int k = 0; k < s->nears[i]; k++) {
      sum += s->a[i][k] * (x[s->near[i][k]] - x[i]);
    }
    dx[i] = sum;
  }
}

/* The middle of a step is never beyond an edge, which is between two of them. */
static void truth_step(const System *s, double t, double h, double *x)
{
  double k[4][MOST], y[MOST];
  static const double part[] = {0.0, 0.5, 0.5, 1.0};
  for (int j = 0; j < 4; j++) {
    double at = s->pulses ? t + 0.5 * h : t + part[j] * h;
    for (int i = 0; i < s->n; i++) {
      y[i] = x[i] + (j > 0 ? part[j] * h * k[j - 1][i] : 0.0);
    }
    derivative(s, source_at(s, at), y, k[j]);
  }
  for (int i = 0; i < s->n; i++) {
    x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
  }
}

static void add_near(System *s, int i, int j, double a)
{
  s->near[i][s->nears[i]] = j;
  s->a[i][s->nears[i]++] = a;
}

typedef enum { PLAIN, RING, WIDE, TWO, KINDS } Kind;

/* What I reads: on both sides, a wind blowing; in TWO chains half of them are one, beside the
 * other. */
static void tie(System *s, Kind kind, int i, int reach, double back, double forth)
{
  int half = s->n / 2;
  gboolean first = kind == TWO && i == half, last = kind == TWO && i == half - 1;
  for (int d = 1; d <= reach; d++) {
    if ((i >= d || kind == RING) && !first) {
      add_near(s, i, (i - d + s->n) % s->n, back);
    }
    if ((i + d < s->n || kind == RING) && !last) {
      add_near(s, i, (i + d) % s->n, forth);
    }
  }
}

static void set_cell(System *s, GRand *rand, int i, gboolean reacts)
{
  s->b[i] = g_rand_double_range(rand, 0.0, 2.0);
  s->c[i] = s->linear ? 0.0 : g_rand_double_range(rand, 0.0, 3.0);
  s->r[i] = reacts ? 20.0 : 0.0;
  s->g[i] = i == 0 || i == s->n / 2 ? g_rand_double_range(rand, 0.0, 50.0) : 0.0;
  s->x0[i] = i < s->n / 8 ? 1.0 : 0.0;
}

/* The strength of what ties them differs from half to half by a factor of up to 1000. */
static System random_system(GRand *rand, Kind kind)
{
  System s = {.n = 2 * g_rand_int_range(rand, 4, MOST / 2)};
  s.pulses = g_rand_boolean(rand);
  s.linear = g_rand_boolean(rand);
  double strength[2] = {exp(g_rand_double_range(rand, 0.0, 6.9)),
                        exp(g_rand_double_range(rand, 0.0, 6.9))};
  double wind = g_rand_double_range(rand, 0.0, 1.0);
  gboolean reacts = !s.linear && g_rand_boolean(rand);
  for (int i = 0; i < s.n; i++) {
    int reach = kind == WIDE ? 2 : 1;
    double a = strength[i >= s.n / 2] / reach;
    tie(&s, kind, i, reach, a * (1.0 + wind), a * (1.0 - wind));
    if (kind == TWO) {
      add_near(&s, i, (i + s.n / 2) % s.n, g_rand_double_range(rand, 0.0, 5.0));
    }
    set_cell(&s, rand, i, reacts);
  }
  return s;
}

static char *system_text(const System *s)
{
  GString *text = g_string_new(s->pulses ? "<pwm name=\"s\" period=\"0.25\" duty=\"0.3\"/>\n"
                                         : "<sine name=\"s\" amplitude=\"1\" "
                                           "frequency=\"3/(2*pi)\"/>\n");
  for (int i = 0; i < s->n; i++) {
    g_string_append_printf(text, "<integrator name=\"x%d\" x0=\"%g\" in=\"-%.17g*x%d", i, s->x0[i],
                           s->b[i], i);
    for (int k = 0; k < s->nears[i]; k++) {
      g_string_append_printf(text, " + %.17g*(x%d - x%d)", s->a[i][k], s->near[i][k], i);
    }
    if (s->c[i] != 0.0) {
      g_string_append_printf(text, " - %.17g*x%d^3", s->c[i], i);
    }
    if (s->r[i] != 0.0) {
      g_string_append_printf(text, " + %.17g*x%d^2*(1 - x%d)", s->r[i], i, i);
    }
    if (s->g[i] != 0.0) {
      g_string_append_printf(text, " + %.17g*s", s->g[i]);
    }
    g_string_append(text, "\"/>\n");
  }
  return g_string_free(text, FALSE);
}

#define LOOKS 8    /* in a run of 1 */
#define STEPS 8000 /* of the truth: of 1/8000, edges between them */

/* The largest error, in tolerances of the largest value so far. */
static double check_system(const System *s, const char *text, double tol, HyEngine engine,
                           double *ends)
{
  g_autofree char *tolerance = g_strdup_printf("%g", tol);
  double x[MOST], most = 1.0, worst = 0.0;
  Run r;
  memcpy(x, s->x0, sizeof x);
  setup(&r, text, CHAIN, tolerance, engine);
  TEST_ASSERT_NULL(group_of(&r).stated);
  for (int k = 0; k < STEPS; k++) {
    truth_step(s, (double)k / STEPS, 1.0 / STEPS, x);
    for (int i = 0; (k + 1) % (STEPS / LOOKS) == 0 && i < s->n; i++) {
      g_autofree char *path = g_strdup_printf("x%d", i);
      double t = (double)(k + 1) / STEPS;
      go(&r, t);
      ends[i] = at(&r, path, t);
      most = fmax(most, fabs(x[i]));
      worst = fmax(worst, fabs(ends[i] - x[i]) / (tol * most));
    }
  }
  TEST_ASSERT_NULL(group_of(&r).stated);
  clear(&r);
  return worst;
}

/* Each of some hundred steps adds an error of a tolerance at most, which what holds a cell takes
 * back; a front that reacts keeps it. */
static void test_random_chains(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(15);
  for (guint k = 0; k < 40; k++) {
    System s = random_system(rand, (Kind)(k % KINDS));
    g_autofree char *text = system_text(&s);
    gboolean reacts = s.r[0] != 0.0;
    double flat[MOST], fused[MOST], tol = k % 3 == 0 ? 1e-5 : 1e-3;
    double e = check_system(&s, text, tol, HY_FUSED, fused);
    g_autofree char *said = g_strdup_printf("chain %u: %g tolerances", k, e);
    TEST_ASSERT_TRUE_MESSAGE(e <= (tol < 1e-4 ? 25.0 : 10.0) * (reacts ? 5.0 : 1.0), said);
    if (k % 4 < 2) {
      check_system(&s, text, tol, k % 4 == 0 ? HY_FLAT : HY_TREE, flat);
      TEST_ASSERT_EQUAL_MEMORY_MESSAGE(fused, flat, (gsize)s.n * sizeof *flat, said);
    }
  }
}

/* Closed forms ----------------------------------------------------------------------------------
 */

static char *heat(int n)
{
  return g_strdup_printf("<param name=\"N\" value=\"%d\" kind=\"integer\"/>"
                         "<integrator name=\"u\" count=\"N\" before=\"0\" after=\"0\" "
                         "x0=\"sin(pi*i/(N+1)) + 0.5*sin(3*pi*i/(N+1))\" "
                         "in=\"0.1*(N+1)^2*(u[i+1] - 2*u[i] + u[i-1])\"/>",
                         n);
}

/* Two modes of the chain itself, whose errors do not grow with its length: what leaves one cell
 * enters the next. */
static void test_diffusion_of_any_length(void)
{
  static const int lengths[] = {10, 100, 1000, 5000};
  for (guint k = 0; k < G_N_ELEMENTS(lengths); k++) {
    int n = lengths[k];
    g_autofree char *model = heat(n);
    double fast[2];
    Run r;
    setup(&r, model, CHAIN, "1e-3", HY_FUSED);
    for (int m = 0; m < 2; m++) {
      double angle = G_PI * (m == 0 ? 1 : 3) / (2.0 * (n + 1));
      fast[m] = 0.4 * (n + 1.0) * (n + 1.0) * sin(angle) * sin(angle);
    }
    for (int j = 1; j <= 10; j++) {
      double t = 0.1 * j;
      go(&r, t);
      for (int i = 1; i <= n; i += 1 + n / 20) {
        g_autofree char *path = g_strdup_printf("u[%d]", i);
        double x = sin(G_PI * i / (n + 1.0)) * exp(-fast[0] * t) +
                   0.5 * sin(3.0 * G_PI * i / (n + 1.0)) * exp(-fast[1] * t);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, x, at(&r, path, t));
      }
    }
    TEST_ASSERT_LESS_THAN_UINT64(40, totals(&r).steps);
    clear(&r);
  }
}

/* Half of space is warmed from its end: u = erfc(x / sqrt(4 D t)), of the chain for short
 * sections. */
static void test_warmth_that_spreads(void)
{
  static const char model[] = "<param name=\"N\" value=\"2000\" kind=\"integer\"/>"
                              "<integrator name=\"u\" count=\"N\" before=\"1\" after=\"0\" "
                              "in=\"1e-3*(N+1)^2*(u[i+1] - 2*u[i] + u[i-1])\"/>";
  Run r;
  setup(&r, model, CHAIN, "1e-4", HY_FUSED);
  for (int j = 1; j <= 5; j++) {
    double t = 0.4 * j;
    go(&r, t);
    for (int i = 1; i <= 2000; i += 40) {
      g_autofree char *path = g_strdup_printf("u[%d]", i);
      double x = erfc(i / 2001.0 / sqrt(4e-3 * t));
      TEST_ASSERT_DOUBLE_WITHIN(5e-4, x, at(&r, path, t));
    }
  }
  HyClassicTotals t = totals(&r);
  TEST_ASSERT_LESS_THAN_UINT64(t.steps * 600, t.moved);
  clear(&r);
}

/* What rests ------------------------------------------------------------------------------------
 */

#define FRONT                                                                                      \
  "<param name=\"N\" value=\"%d\" kind=\"integer\"/>"                                              \
  "<integrator name=\"u\" count=\"N\" before=\"1\" after=\"u[N-1]\" "                              \
  "in=\"100*(u[i-1] - u[i]) + 10*(u[i+1] - 2*u[i] + u[i-1]) + 1000*u[i]^2*(1 - u[i])\"/>"

/* A front of ten cells: no more of them move, however long the line is. */
static void test_a_front_moves_few(void)
{
  for (int n = 200; n <= 2000; n *= 10) {
    g_autofree char *model = g_strdup_printf(FRONT, n);
    Run r;
    setup(&r, model, CHAIN, "1e-3", HY_FUSED);
    go(&r, 0.5);
    HyClassicTotals t = totals(&r);
    double mean = (double)t.moved / (double)t.steps;
    TEST_ASSERT_TRUE_MESSAGE(mean > 5.0 && mean < 20.0 + 0.01 * n, "cells that move");
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, at(&r, "u[100]", 0.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.0, at(&r, "u[190]", 0.5));
    clear(&r);
  }
}

/* The same of 100,000 sections, in its beginning: some hundred of them move, and neither overshoot
 * nor stay. */
static void test_a_wide_front(void)
{
  static const char model[] =
      "<integrator name=\"u\" count=\"1500\" before=\"1\" after=\"u[1499]\" "
      "in=\"1e4*(u[i-1] - u[i]) + 1e5*(u[i+1] - 2*u[i] + u[i-1]) + 1000*u[i]^2*(1 - u[i])\"/>";
  Run r;
  setup(&r, model, CHAIN, "1e-3", HY_FUSED);
  for (int k = 1; k <= 5; k++) {
    double before = 1.0;
    go(&r, 0.01 * k);
    for (int i = 1; i <= 1500; i += 7) {
      g_autofree char *path = g_strdup_printf("u[%d]", i);
      double x = at(&r, path, 0.01 * k);
      TEST_ASSERT_TRUE_MESSAGE(x > -5e-3 && x < 1.005 && x < before + 5e-3, path);
      before = x;
    }
  }
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 1.0, at(&r, "u[400]", 0.05));
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.0, at(&r, "u[1400]", 0.05));
  clear(&r);
}

/* The beginning of lines of any length: the sections of a front, whose width grows with the length,
 * and a few more are solved, at each of them. Those beside it that rest do not wake each other. */
static void test_fronts_of_any_length(void)
{
  static const int lengths[] = {10000, 30000, 38000, 45000, 52000, 60000, 80000};
  for (guint k = 0; k < G_N_ELEMENTS(lengths); k++) {
    double per = 0.1 * lengths[k]; /* sections a unit of length */
    g_autofree char *model = g_strdup_printf(
        "<integrator name=\"u\" count=\"4000\" before=\"1\" after=\"u[3999]\" "
        "in=\"%g*(u[i-1] - u[i]) + %g*(u[i+1] - 2*u[i] + u[i-1]) + 1000*u[i]^2*(1 - u[i])\"/>",
        per, 1e-3 * per * per);
    g_autofree char *said = NULL;
    Run r;
    setup(&r, model, CHAIN, "1e-3", HY_FUSED);
    go(&r, 2000.0 / per);
    HyClassicTotals t = totals(&r);
    double moving = (double)t.moved / (double)t.steps;
    said = g_strdup_printf("%d sections: %g move, %" G_GUINT64_FORMAT " evaluations of all",
                           lengths[k], moving, t.evaluations);
    TEST_ASSERT_TRUE_MESSAGE(moving < 60.0 + 0.003 * lengths[k], said);
    TEST_ASSERT_TRUE_MESSAGE(t.evaluations < 150, said);
    clear(&r);
  }
}

/* Heat that spreads from an end, and from the middle where a source is switched: in each of some
 * hundred steps a part of the line is solved, and the more of it the less often. */
static void test_what_spreads_is_solved_once(void)
{
  static const char *const shape[] = {
      "before=\"1\" after=\"0\" in=\"1e-3*(N+1)^2*(u[i+1] - 2*u[i] + u[i-1])\"/>",
      "before=\"0\" after=\"0\" in=\"1e-4*N^2*(u[i+1] - 2*u[i] + u[i-1]) + "
      "if(i == N/2, 0.1*N*s, 0)\"/>"};
  static const int lengths[] = {300, 1000, 3000, 10000};
  for (guint k = 0; k < 2 * G_N_ELEMENTS(lengths); k++) {
    int n = lengths[k / 2];
    g_autofree char *model = g_strdup_printf("<param name=\"N\" value=\"%d\" kind=\"integer\"/>"
                                             "<pwm name=\"s\" period=\"0.5\" duty=\"0.3\"/>"
                                             "<integrator name=\"u\" count=\"N\" %s",
                                             n, shape[k % 2]);
    g_autofree char *said = NULL;
    Run r;
    setup(&r, model, CHAIN, "1e-3", HY_FUSED);
    go(&r, k % 2 == 0 ? 10.0 : 1.0);
    HyClassicTotals t = totals(&r);
    said = g_strdup_printf("%d sections, %u: %" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT
                           " evaluations of all",
                           n, k % 2, t.steps, t.evaluations);
    TEST_ASSERT_TRUE_MESSAGE(t.evaluations < 25, said);
    clear(&r);
  }
}

/* When nothing moves any more nothing happens. */
static void test_what_rests_costs_nothing(void)
{
  g_autofree char *model = g_strdup_printf(FRONT, 50);
  Run r;
  setup(&r, model, CHAIN, "1e-3", HY_FUSED);
  go(&r, 10);
  HyTotals before, after;
  hy_sim_totals(r.sim, &before);
  go(&r, 1e6);
  hy_sim_totals(r.sim, &after);
  TEST_ASSERT_LESS_THAN_UINT64(before.cycles + 100, after.cycles);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, at(&r, "u[50]", 1e6));
  clear(&r);
}

/* Half of the line by another method, which each half hears. */
static void test_beside_another_method(void)
{
  static const char model[] =
      "<integrator name=\"u\" count=\"40\" before=\"1\" after=\"v[1]\" method=\"liqss2\" "
      "in=\"100*(u[i-1] - u[i]) + 1e-4*(u[i+1] - u[i])\"/>"
      "<integrator name=\"v\" count=\"40\" before=\"u[40]\" after=\"v[40]\" "
      "in=\"100*(v[i-1] - v[i]) + 50*(v[i+1] - 2*v[i] + v[i-1])\"/>";
  static const double t[] = {0.2, 0.4, 0.6, 0.8};
  System s = {.n = 80};
  double x[MOST] = {0.0};
  for (int i = 0; i < 80; i++) {
    double forth = i < 40 ? 100.0 : 150.0, back = i < 40 ? 1e-4 : 50.0;
    if (i > 0) {
      add_near(&s, i, i - 1, forth);
    } else { /* from 1 */
      s.b[0] = 100.0;
      s.g[0] = 100.0;
    }
    if (i < 79) {
      add_near(&s, i, i + 1, back);
    }
  }
  s.pulses = TRUE; /* of which each is as long as a step: */
  Run r;
  setup(&r, model, CHAIN, "1e-3", HY_FUSED);
  int steps = 0;
  for (guint k = 0; k < G_N_ELEMENTS(t); k++) {
    for (; steps < (int)lround(t[k] * STEPS); steps++) {
      truth_step(&s, 0.0, 1.0 / STEPS, x);
    }
    go(&r, t[k]);
    for (int i = 1; i <= 40; i += 3) {
      g_autofree char *path = g_strdup_printf("v[%d]", i);
      TEST_ASSERT_DOUBLE_WITHIN(1e-2, x[39 + i], at(&r, path, t[k]));
    }
  }
  clear(&r);
}

/* What is none ----------------------------------------------------------------------------------
 */

/* The method that takes the place of it, with a warning that says why. */
static void check_other(const char *inside, const char *instead, const char *because)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" "
                      "method=\"" CHAIN "\"/></hydevs>\n",
                      inside);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(GError) error = NULL;
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  HyGroupTotals g;
  hy_sim_group(hy_run_sim(run), 0, &g);
  TEST_ASSERT_EQUAL_STRING(instead, g.method);
  TEST_ASSERT_EQUAL_STRING(CHAIN, g.stated);
  hy_report_run(report, run);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, because), said);
}

static void test_what_is_no_chain_goes_elsewhere(void)
{
  check_other("<function name=\"m\" formula=\"sum(x[*])/40\"/>"
              "<integrator name=\"x\" count=\"40\" x0=\"i\" in=\"m - x[i]\"/>",
              "block_liqss2_quantum", "they are no chain");
  check_other("<integrator name=\"x\" in=\"if(x > 0.5, -1, 2)\"/>", "block_liqss2_quantum",
              "they decide modes of their own");
  check_other("<generator name=\"p\" period=\"0.5\" values=\"1, 2\"/>"
              "<reset_integrator name=\"x\" in=\"1\" reset=\"p\" value=\"0\"/>",
              "block_liqss2_quantum", "some of them may jump");
}

/* Beyond all digits of the time, where only the balance counts. */
static void test_the_fastest_rates(void)
{
  Run r;
  setup(&r,
        "<ramp name=\"s\" duration=\"2\" height=\"2\"/>"
        "<integrator name=\"x\" count=\"3\" before=\"s\" after=\"0\" "
        "in=\"1e20*(x[i-1] - 2*x[i] + x[i+1])\"/>",
        CHAIN, "1e-3", HY_FUSED);
  go(&r, 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.75, at(&r, "x[1]", 1.0));
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0.25, at(&r, "x[3]", 1.0));
  clear(&r);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_chains);
  RUN_TEST(test_diffusion_of_any_length);
  RUN_TEST(test_warmth_that_spreads);
  RUN_TEST(test_a_front_moves_few);
  RUN_TEST(test_a_wide_front);
  RUN_TEST(test_fronts_of_any_length);
  RUN_TEST(test_what_spreads_is_solved_once);
  RUN_TEST(test_what_rests_costs_nothing);
  RUN_TEST(test_beside_another_method);
  RUN_TEST(test_what_is_no_chain_goes_elsewhere);
  RUN_TEST(test_the_fastest_rates);
  return UNITY_END();
}
