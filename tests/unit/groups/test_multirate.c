/* Groups of multirate methods: a diagram comes to what the direct recurrence
 * (rates.h) computes, in whatever order its blocks stand. Numbers are those of
 * design/classic-multirate-realtime.md. */
#include "group_run.h"
#include "rates.h"

static const char *const information_names[] = {"interpolated", "advanced", "delayed"};

/* ---- unit values (5.5, M1, M4, M9): y' = -25 y + mu z, z' = 3 y - 5 z ---- */

static void test_unit_values(void)
{
  static const double rows[2][6][3] = {
      {{3.164062500000, 0.000100565852, 0.427476939596},
       {3.164062500000, 0.000100565852, 0.427476939596},
       {3.164062500000, 0.000100565852, 0.427476939596},
       {4.032374024391, 0.001136601133, 0.485468431773},
       {4.032374024391, 0.001136601133, 0.485468431773},
       {4.032374024391, 0.001136601133, 0.485468431773}},
      {{3.205987500000, 0.018327339865, 0.447706662318},
       {3.216562500000, 0.016185247578, 0.446208280437},
       {3.196875000000, 0.020171093865, 0.448993968783},
       {4.072631866264, 0.021971420582, 0.507212503347},
       {4.078205391884, 0.020449817044, 0.506307929474},
       {4.061018629074, 0.025135104617, 0.509091562605}},
  };
  double bits[6][2];
  for (int k = 0; k < 12; k++) {
    Run r;
    HyGroupTotals fast, slow;
    const double *expected = rows[k / 6][k % 6];
    const char *information = information_names[k % 3], *scheme = k % 6 < 3 ? "euler" : "pec2e";
    g_autofree char *inside = g_strdup_printf(
        "<integrator name=\"y\" in=\"-25*y + %s*z\" x0=\"10\" method=\"%s_delayed\" "
        "hstep=\"0.01\"/><integrator name=\"z\" in=\"3*y - 5*z\" x0=\"1.5\" method=\"euler_%s\" "
        "hstep=\"0.04\"/>",
        k < 6 ? "0" : "0.8", scheme, information);
    setup_with(&r, inside, "", HY_FUSED);
    go(&r, 0.04);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, expected[0], at(&r, "y", 0.04));
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, 2.4, at(&r, "z", 0.04));
    go(&r, 0.4 - 0.005);
    hy_sim_group(r.sim, 0, &fast);
    hy_sim_group(r.sim, 1, &slow);
    TEST_ASSERT_EQUAL_UINT64(10, slow.totals.evaluations);
    TEST_ASSERT_EQUAL_UINT64(k % 6 < 3 ? 40 : 120, fast.totals.evaluations);
    go(&r, 0.4);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, expected[1], at(&r, "y", 0.4));
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, expected[2], at(&r, "z", 0.4));
    bits[k % 6][0] = at(&r, "y", 0.4);
    bits[k % 6][1] = at(&r, "z", 0.4);
    if (k < 6 && k % 3 > 0) { /* nobody reads the information */
      TEST_ASSERT_EQUAL_MEMORY(bits[k - 1], bits[k], sizeof bits[k]);
    }
    clear(&r);
  }
}

/* ---- three rates, against the direct recurrence (M5, M6) ---- */

#define N 6 /* states, two for each rate; the slowest come first */

typedef struct {
  double a[N][N];
  int first;
} Rows;

static void rows_of(const Rows *s, int first, const double *w, double *dw)
{
  for (int i = 0; i < 2; i++) {
    dw[i] = 0.0;
    for (int j = 0; j < N; j++) {
      dw[i] += s->a[first + i][j] * w[j];
    }
  }
}

static void slowest(void *user, double t, const double *w, double *dw)
{
  (void)t;
  rows_of(user, 0, w, dw);
}

static void moderate(void *user, double t, const double *w, double *dw)
{
  (void)t;
  rows_of(user, 2, w, dw);
}

static void fastest(void *user, double t, const double *w, double *dw)
{
  (void)t;
  rows_of(user, 4, w, dw);
}

/* METHODS: E or I for each part, the slowest first. W: where it starts, and where it ends. */
static void directly(Rows *s, const char *methods, HyRateInformation information, int cycles,
                     double *w)
{
  RatesPart part[3] = {{.first = 0, .n = 2, .ratio = 1, .f = slowest},
                       {.first = 2, .n = 2, .ratio = 10, .f = moderate},
                       {.first = 4, .n = 2, .ratio = 10, .f = fastest}};
  double room[4 * N];
  for (int i = 0; i < 3; i++) {
    part[i].corrections = methods[i] == 'I' ? 2 : 0;
  }
  Rates r = {.n = N, .parts = 3, .part = part, .information = information, .user = s, .room = room};
  for (int n = 0; n < cycles; n++) {
    rates_cycle(&r, n * 0.1, 0.1, w);
  }
}

static void add_row(GString *text, const Rows *s, guint i)
{
  for (int j = 0; j < N; j++) {
    char number[HY_DOUBLE_SIZE];
    g_string_append_printf(text, "%s(%s)*p%d[%d]", j > 0 ? " + " : "",
                           hy_double_text(number, s->a[i][j]), j / 2, j % 2 + 1);
  }
}

static void add_part(GString *text, const Rows *s, guint part, char method, const char *information,
                     const double *w)
{
  static const char *const hstep[] = {"0.1", "0.01", "0.001"};
  guint first = 2 * part; /* of its states */
  char x0[2][HY_DOUBLE_SIZE];
  g_string_append_printf(text,
                         "<integrator name=\"p%u\" count=\"2\" method=\"%s_%s\" hstep=\"%s\" "
                         "x0=\"if(i == 1, %s, %s)\" in=\"if(i == 1, ",
                         part, method == 'I' ? "pec2e" : "euler", information, hstep[part],
                         hy_double_text(x0[0], w[first]), hy_double_text(x0[1], w[first + 1]));
  add_row(text, s, first);
  g_string_append(text, ", ");
  add_row(text, s, first + 1);
  g_string_append(text, ")\"/>\n");
}

static void by_events(const Rows *s, const char *methods, const char *information,
                      const guint *order, HyEngine engine, int cycles, double *w)
{
  Run r;
  g_autoptr(GString) text = g_string_new(NULL);
  for (int k = 0; k < 3; k++) {
    add_part(text, s, order[k], methods[order[k]], information, w);
  }
  setup_with(&r, text->str, "", engine);
  go(&r, cycles * 0.1);
  for (int i = 0; i < N; i++) {
    g_autofree char *path = g_strdup_printf("p%d[%d]", i / 2, i % 2 + 1);
    w[i] = at(&r, path, cycles * 0.1);
  }
  clear(&r);
}

static void draw(GRand *rand, Rows *s, double *w)
{
  static const double decay[] = {1.0, 6.0, 50.0};
  for (int i = 0; i < N; i++) {
    w[i] = g_rand_double_range(rand, -1, 1);
    for (int j = 0; j < N; j++) {
      s->a[i][j] = i == j ? -decay[i / 2] : 0.3 * g_rand_double_range(rand, -1, 1);
    }
  }
}

static void test_groups_are_the_direct_recurrence_in_any_order(void)
{
  static const char *const methods[] = {"EEE", "EII", "III", "IEI"};
  static const guint orders[6][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {0, 2, 1}};
  g_autoptr(GRand) rand = g_rand_new_with_seed(17);
  for (int k = 0; k < 12; k++) {
    Rows s;
    double start[N], expected[N], first[N], w[N];
    draw(rand, &s, start);
    memcpy(expected, start, sizeof start);
    directly(&s, methods[k / 3], (HyRateInformation)(k % 3), 31, expected);
    for (int o = 0; o < 6; o++) {
      memcpy(w, start, sizeof start);
      by_events(&s, methods[k / 3], information_names[k % 3], orders[o], engines[o % 3], 31, w);
      memcpy(o == 0 ? first : w, w, sizeof w);
      TEST_ASSERT_EQUAL_MEMORY(first, w, sizeof w);
    }
    for (int i = 0; i < N; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, expected[i], w[i]);
    }
  }
}

/* ---- experiment 1 (5.6, M3), the example ---- */

static void phi(double t, double *value)
{
  static const double rate[] = {20.0, 1.0, 0.05};
  for (int i = 0; i < 6; i++) {
    value[i] = i % 2 == 0 ? sin(rate[i / 2] * t) : cos(rate[i / 2] * t);
  }
}

/* The example with A, and METHODS for slow, mod and fast. */
static char *experiment_text(const char *a, const char *methods, const char *information)
{
  static const char *const names[] = {"slow", "mod", "fast"};
  g_autofree char *text = NULL, *example = g_strdup(HY_SOURCE_DIR "/examples/multirate/model.xml");
  TEST_ASSERT_TRUE(g_file_get_contents(example, &text, NULL, NULL));
  g_autoptr(GString) all = g_string_new(text);
  g_autofree char *param = g_strdup_printf("name=\"a\" value=\"%s\"", a);
  TEST_ASSERT_EQUAL_UINT(1, g_string_replace(all, "name=\"a\" value=\"0.01\"", param, 0));
  for (int i = 0; i < 3; i++) {
    g_autofree char *was = g_strdup_printf("name=\"%s\" count=\"2\" x0=\"i - 1\" method=\"%s_"
                                           "advanced\"",
                                           names[i], i == 0 ? "euler" : "pec2e");
    g_autofree char *now =
        g_strdup_printf("name=\"%s\" count=\"2\" x0=\"i - 1\" method=\"%s_%s\"", names[i],
                        methods[i] == 'E' ? "euler" : "pec2e", information);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, g_string_replace(all, was, now, 0), was);
  }
  return g_strdup(all->str);
}

/* ERROR: 100 max |y - phi|. The result: how often f was evaluated. */
static guint64 experiment(const char *a, const char *methods, const char *information,
                          double *error)
{
  static const char *const paths[] = {"fast[1]", "fast[2]", "mod[1]",
                                      "mod[2]",  "slow[1]", "slow[2]"};
  g_autofree char *text = experiment_text(a, methods, information);
  Run r;
  load(&r, text, HY_FUSED);
  start(&r);
  memset(error, 0, 6 * sizeof *error);
  for (int n = 1; n <= 40; n++) {
    double value[6];
    go(&r, n * 0.1);
    phi(n * 0.1, value);
    for (int i = 0; i < 6; i++) {
      error[i] = fmax(error[i], 100.0 * fabs(at(&r, paths[i], n * 0.1) - value[i]));
    }
  }
  guint64 evaluations = totals(&r).evaluations;
  clear(&r);
  return evaluations;
}

static void test_experiment_1_has_the_errors_of_the_table(void)
{
  static const struct {
    const char *a, *methods, *information;
    double error[6];
  } rows[] = {
      {"0", "EEE", "interpolated", {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {"0", "EEE", "advanced", {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {"0", "EEE", "delayed", {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {"0.1", "EEE", "interpolated", {1.7243, 1.4441, 1.9018, 1.8991, 4.3691, 4.3794}},
      {"0.1", "EEE", "advanced", {1.8027, 1.5225, 2.1032, 2.1005, 4.7729, 4.7832}},
      {"0.1", "EEE", "delayed", {1.6494, 1.3692, 1.7186, 1.7159, 3.9991, 4.0094}},
      {"0.01", "EEE", "interpolated", {1.2232, 0.9839, 0.6771, 0.6512, 1.3394, 1.3497}},
      {"0.01", "EEE", "advanced", {1.2240, 0.9847, 0.6840, 0.6573, 1.3522, 1.3625}},
      {"0.01", "EEE", "delayed", {1.2226, 0.9833, 0.6709, 0.6458, 1.3274, 1.3378}},
      {"0", "III", "advanced", {1.2165, 0.9849, 1.9528, 1.9141, 22.4548, 22.4446}},
      {"0.01", "III", "advanced", {1.2091, 0.9776, 2.0022, 1.9635, 22.8896, 22.8794}},
      {"0.1", "III", "advanced", {5.8435, 5.7198, 11.7614, 11.7645, 35.4555, 35.4455}},
      {"0", "EII", "advanced", {1.2165, 0.9849, 1.9528, 1.9141, 0.8432, 0.8327}},
      {"0.1", "EII", "advanced", {1.2133, 0.9817, 1.9573, 1.9186, 1.2544, 1.2441}},
      {"0.01", "EII", "advanced", {1.2161, 0.9846, 1.9532, 1.9146, 0.8592, 0.8486}},
  };
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    double error[6];
    experiment(rows[i].a, rows[i].methods, rows[i].information, error);
    for (int j = 0; j < 6; j++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, rows[i].error[j], error[j], rows[i].methods);
    }
  }
}

static void test_experiment_1_grows_where_the_problem_is_unstable(void)
{
  static const double most[] = {18570.0, 60544.0, 5669.0};
  for (int i = 0; i < 3; i++) {
    double error[6];
    experiment("1", "EEE", information_names[i], error);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * most[i], most[i], error[0]);
  }
}

/* Of groups: 40 cycles of 1 + 10 * 3 + 100 * 3, and the steps that begin at the end. */
static void test_experiment_1_counts_its_evaluations(void)
{
  double error[6];
  TEST_ASSERT_EQUAL_UINT64(40 * 331 + 1 + 3 + 3, experiment("0", "EII", "advanced", error));
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
  RUN_TEST(test_unit_values);
  RUN_TEST(test_groups_are_the_direct_recurrence_in_any_order);
  RUN_TEST(test_experiment_1_has_the_errors_of_the_table);
  RUN_TEST(test_experiment_1_grows_where_the_problem_is_unstable);
  RUN_TEST(test_experiment_1_counts_its_evaluations);
  return UNITY_END();
}
