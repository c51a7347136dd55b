/* Recordings of small models, byte by byte and on both engines. */
#include "base/hint.h"
#include "hydevs/hydevs.h"
#include "hydevs/record.h"
#include "results/sidecar.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static const HyEngine engines[] = {HY_TREE, HY_FLAT};

void setUp(void)
{
}

void tearDown(void)
{
}

static void fine(const GError *error)
{
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

static void set(HyModel *m, const char *block, const char *param, const char *text)
{
  g_autoptr(GError) error = NULL;
  hy_model_set(m, hy_model_find(m, block), param, text, &error);
  fine(error);
}

static void add(HyModel *m, const char *klass, const char *name)
{
  hy_model_add(m, name, hy_class_find(klass));
}

static void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  hy_model_wire(m, from, to, &error);
  fine(error);
}

/* A class whose signal has pieces of all powers ------------------------------------------------ */

typedef struct {
  double period, fails;
  double t0;
  guint k;
} Pieces;

static gboolean pieces_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)setup, (void)error;
  Pieces *s = state;
  s->t0 = t;
  return TRUE;
}

static double pieces_next(const void *state)
{
  const Pieces *s = state;
  return s->fails != 0 && s->k > s->fails ? NAN : s->t0 + s->k * s->period;
}

static HyEvent pieces_lambda(const void *state, double t)
{
  (void)t;
  const Pieces *s = state;
  return (HyEvent){.port = s->k % 2 == 0 ? 0 : 1, .value.c = {s->k, 1, 0.5, -0.25}};
}

static void pieces_dint(void *state, double t)
{
  (void)t;
  Pieces *s = state;
  s->k++;
}

static const HyPort pieces_out[] = {
    {.name = "even", .kind = HY_SIGNAL, .unit = "V"},
    {.name = "odd", .kind = HY_EVENT},
    {.name = NULL},
};
static const HyParam pieces_params[] = {
    {.name = "period", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(Pieces, period), .value = 1},
    {.name = "fails", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(Pieces, fails)},
    {.name = NULL},
};
static const HyAtomicClass pieces_class = {
    .name = "pieces",
    .out = pieces_out,
    .params = pieces_params,
    .state_size = sizeof(Pieces),
    .init = pieces_init,
    .next = pieces_next,
    .lambda = pieces_lambda,
    .dint = pieces_dint,
};

/* Recording ------------------------------------------------------------------------------------ */

typedef struct {
  const char *block;
  guint port;
  HyColumnKind kind;
  const char *path; /* NULL: its own */
} Asked;

typedef struct {
  double tf, dt; /* dt 0: at events */
  guint n;
  const Asked *asked;
} Order;

static HyRecorder *recorder_for(const HySim *sim, const Order *order, FILE *out, const char *file)
{
  HyColumn *columns = g_new0(HyColumn, order->n);
  for (guint k = 0; k < order->n; k++) {
    const Asked *a = &order->asked[k];
    columns[k] = (HyColumn){.kind = a->kind, .port = a->port};
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, a->block, &columns[k].atomic), a->block);
    columns[k].path = a->path != NULL ? g_strdup(a->path) : hy_column_path(sim, &columns[k]);
  }
  hy_columns_describe(sim, columns, order->n);
  HyRecorder *r = hy_recorder_new(out, file, columns, order->n);
  for (guint k = 0; k < order->n; k++) {
    g_free(hy_key(columns[k].path));
  }
  g_free(columns);
  if (order->dt != 0) {
    g_autoptr(GError) error = NULL;
    hy_recorder_set_grid(r, order->dt, 0, order->tf, &error);
    fine(error);
  }
  return r;
}

/* The CSV; *RUN: the error of the run, if there was one. */
static char *record(HyModel *m, HyEngine engine, const Order *order, GError **run)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(m, engine, &error);
  fine(error);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  g_autoptr(HyRecorder) r = recorder_for(sim, order, out, "run.csv");
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  hy_sim_init(sim, 0, &error);
  fine(error);
  gboolean ok = hy_sim_run(sim, order->tf, run);
  hy_recorder_finish(r, ok ? order->tf : hy_sim_time(sim), &error);
  fine(error);
  fclose(out);
  char *copy = g_strdup(text);
  free(text); /* open_memstream's own */
  return copy;
}

static void check(HyModel *m, const Order *order, const char *expected)
{
  for (guint i = 0; i < G_N_ELEMENTS(engines); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *text = record(m, engines[i], order, &error);
    fine(error);
    TEST_ASSERT_EQUAL_STRING(expected, text);
  }
}

static HyModel *queue(const char *values)
{
  HyModel *m = hy_model_new("R");
  add(m, "generator", "G");
  add(m, "relay", "C");
  add(m, "counter", "N");
  add(m, "sink", "K");
  set(m, "G", "first", "0.1");
  set(m, "G", "period", "0.1");
  set(m, "G", "values", values);
  wire(m, "G", "C");
  wire(m, "C", "N.in");
  wire(m, "C", "K");
  return m;
}

static const Asked all[] = {
    {.block = "G"}, {.block = "C"}, {.block = "N"}, {.block = "K", .kind = HY_COLUMN_INPUT}};

static void test_an_instant_has_a_row_before_its_jumps_and_one_after(void)
{
  g_autoptr(HyModel) m = queue("1, 2.5, -3e-9");
  check(m, &(Order){.tf = 1, .n = 4, .asked = all},
        "time,G.out,C.out,N.out,K.in\n"
        "0,,,0,\n"
        "0.1,,,0,\n"
        "0.1,1,1,1,1\n"
        "0.2,1,1,1,1\n"
        "0.2,2.5,2.5,2,2.5\n"
        "0.3,2.5,2.5,2,2.5\n"
        "0.3,-3e-09,-3e-09,3,-3e-09\n"
        "1,-3e-09,-3e-09,3,-3e-09\n");
}

static void test_payloads_are_quoted_text(void)
{
  g_autoptr(HyModel) m = queue("('say \"x\"', 1), 7, 'a'");
  const Asked asked[] = {{.block = "N"}, {.block = "C"}};
  check(m, &(Order){.tf = 1, .n = 2, .asked = asked},
        "time,N.out,C.out\n"
        "0,0,\n"
        "0.1,0,\n"
        "0.1,1,\"('say \"\"x\"\"', 1)\"\n"
        "0.2,1,\"('say \"\"x\"\"', 1)\"\n"
        "0.2,2,7\n"
        "0.3,2,7\n"
        "0.3,3,\"'a'\"\n"
        "1,3,\"'a'\"\n");
}

/* The block is what single calls say, bit for bit, and names its payloads. */
static void test_rows_in_memory_are_one_block(void)
{
  g_autoptr(HyModel) m = queue("('say', 1), 7, 'a'");
  const Asked asked[] = {{.block = "N"}, {.block = "C"}};
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  g_autoptr(HyRecorder) r = recorder_for(sim, &(Order){.n = 2, .asked = asked}, NULL, NULL);
  guint64 rows, found[8];
  guint stride;
  TEST_ASSERT_NULL(hy_recorder_data(r, &rows, &stride)); /* nothing yet */
  TEST_ASSERT_EQUAL_UINT64(0, rows);
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
  TEST_ASSERT_TRUE(hy_recorder_finish(r, 1, NULL));
  const double *data = hy_recorder_data(r, &rows, &stride);
  TEST_ASSERT_EQUAL_UINT64(8, rows); /* as in the test before */
  TEST_ASSERT_EQUAL_UINT64(rows, hy_recorder_rows(r));
  TEST_ASSERT_EQUAL_UINT(3, stride);
  for (guint64 row = 0; row < rows; row++) {
    TEST_ASSERT_EQUAL_DOUBLE(hy_recorder_time(r, row), data[row * stride]);
    for (guint k = 0; k < 2; k++) {
      double v = hy_recorder_value(r, row, k);
      TEST_ASSERT_EQUAL_MEMORY(&v, &data[row * stride + 1 + k], sizeof v);
    }
  }
  TEST_ASSERT_EQUAL_UINT64(0, hy_recorder_payload_rows(r, 0, found));
  TEST_ASSERT_EQUAL_UINT64(4, hy_recorder_payload_rows(r, 1, NULL));
  TEST_ASSERT_EQUAL_UINT64(4, hy_recorder_payload_rows(r, 1, found));
  static const guint64 expected[] = {2, 3, 6, 7};
  TEST_ASSERT_EQUAL_UINT64_ARRAY(expected, found, 4);
}

static void test_heads_are_quoted_where_they_must_be(void)
{
  g_autoptr(HyModel) m = queue("1");
  const Asked asked[] = {{.block = "G", .path = "cell[1,2].out"}, {.block = "C", .path = "a\"b"}};
  check(m, &(Order){.tf = 1, .n = 2, .asked = asked},
        "time,\"cell[1,2].out\",\"a\"\"b\"\n0.1,1,1\n1,1,1\n");
}

static void test_a_grid_holds_both_ends_and_what_came_last_at_an_instant(void)
{
  g_autoptr(HyModel) m = queue("1, 2, 3");
  const Asked asked[] = {{.block = "N"}, {.block = "G"}};
  check(m, &(Order){.tf = 0.35, .dt = 0.05, .n = 2, .asked = asked},
        "time,N.out,G.out\n0,0,\n0.05,0,\n0.1,1,1\n0.15,1,1\n0.2,2,2\n0.25,2,2\n"
        "0.3,3,3\n0.35,3,3\n");
  check(m, &(Order){.tf = 0.3, .dt = 0.1, .n = 2, .asked = asked}, /* 3 * 0.1 is 0.3 */
        "time,N.out,G.out\n0,0,\n0.1,1,1\n0.2,2,2\n0.3,3,3\n");
  check(m, &(Order){.tf = 0.29, .dt = 0.1, .n = 2, .asked = asked},
        "time,N.out,G.out\n0,0,\n0.1,1,1\n0.2,2,2\n");
}

static void test_grids_that_do_not_exist_are_refused(void)
{
  static const struct {
    double dt, t0, tf;
    const char *message;
  } cases[] = {
      {0, 0, 1, "grid: the step 0 is not a positive time"},
      {NAN, 0, 1, "grid: the step nan is not a positive time"},
      {INFINITY, 0, 1, "grid: the step inf is not a positive time"},
      {1, 0, INFINITY, "grid: there are no instants from 0 to inf"},
      {1, 2, 1, "grid: there are no instants from 2 to 1"},
      {1e-9, 0, 10, "grid: a step of 1e-09 from 0 to 10 makes more than 1e9 rows"},
      {1e-9, 1e9, 1000000000.1, "grid: a step of 1e-09 is too small at t = 1000000000"},
  };
  g_autoptr(HyRecorder) r = hy_recorder_new(stdout, "x", NULL, 0);
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(hy_recorder_set_grid(r, cases[k].dt, cases[k].t0, cases[k].tf, &error));
    TEST_ASSERT_EQUAL_STRING(cases[k].message, error->message);
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_USAGE));
  }
}

/* Polynomials ---------------------------------------------------------------------------------- */

static HyModel *pieces(const char *period, const char *fails)
{
  HyModel *m = hy_model_new("R");
  hy_model_add(m, "P", &pieces_class);
  add(m, "sink", "K");
  set(m, "P", "period", period);
  set(m, "P", "fails", fails);
  wire(m, "P.even", "K");
  return m;
}

static double number(char **line)
{
  char *end;
  double v = g_ascii_strtod(*line, &end);
  TEST_ASSERT_TRUE(end != *line);
  *line = end + 1;
  return v;
}

static void test_signals_follow_their_polynomial_and_events_hold(void)
{
  g_autoptr(HyModel) m = pieces("1", "0");
  const Asked asked[] = {{.block = "P", .port = 0},
                         {.block = "K", .kind = HY_COLUMN_INPUT},
                         {.block = "P", .port = 1}};
  Order order = {.tf = 7, .dt = 0.25, .n = 3, .asked = asked};
  g_autofree char *text = record(m, HY_FLAT, &order, NULL);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint k = 0; k <= 28; k++) {
    char *at = lines[k + 1];
    double t = 0.25 * k, t_even = 2 * floor(t / 2), s = t - t_even;
    TEST_ASSERT_EQUAL_DOUBLE(t, number(&at));
    double closed = t_even + s + 0.5 * s * s - 0.25 * s * s * s;
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * closed, closed, number(&at));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * closed, closed, number(&at)); /* the sink sees a signal */
    TEST_ASSERT_TRUE(t >= 1 || *at == '\0');
    TEST_ASSERT_TRUE(t < 1 || number(&at) == 2 * floor((t - 1) / 2) + 1);
  }
  TEST_ASSERT_EQUAL_STRING("", lines[30]);
}

static void test_all_columns_are_evaluated_at_every_event(void)
{
  g_autoptr(HyModel) m = pieces("0.5", "0");
  const Asked asked[] = {{.block = "P", .port = 0}, {.block = "P", .port = 1}};
  check(m, &(Order){.tf = 1.5, .n = 2, .asked = asked},
        "time,P.even,P.odd\n0,0,\n0.08333333333333333,0.08666087962962962,\n"
        "0.16666666666666666,0.17939814814814814,\n0.25,0.27734375,\n"
        "0.3333333333333333,0.3796296296296296,\n0.4166666666666667,0.4853877314814815,\n"
        "0.5,0.59375,1\n0.6666666666666666,0.8148148148148149,1\n"
        "0.8333333333333333,1.0358796296296295,1\n1,1.25,1\n1,2,1\n"
        "1.1666666666666667,2.1793981481481484,1\n1.3333333333333333,2.3796296296296298,1\n"
        "1.5,2.59375,3\n");
}

static void test_a_failed_run_leaves_everything_up_to_its_end(void)
{
  g_autoptr(HyModel) m = pieces("1", "2");
  const Asked asked[] = {{.block = "P", .port = 0}};
  for (guint i = 0; i < G_N_ELEMENTS(engines); i++) {
    g_autoptr(GError) error = NULL;
    Order order = {.tf = 9, .n = 1, .asked = asked};
    g_autofree char *events = record(m, engines[i], &order, &error);
    TEST_ASSERT_TRUE(g_str_has_prefix(events, "time,P.even\n0,0\n0.125,0.13232421875\n"));
    TEST_ASSERT_TRUE(g_str_has_suffix(events, "\n1,1.25\n1.125,1.40185546875\n1.25,1.54296875\n"
                                              "1.375,1.67041015625\n1.5,1.78125\n"
                                              "1.625,1.87255859375\n1.75,1.94140625\n"
                                              "1.875,1.98486328125\n2,2\n"));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
    order.dt = 1;
    g_autofree char *grid = record(m, engines[i], &order, NULL);
    TEST_ASSERT_EQUAL_STRING("time,P.even\n0,0\n1,1.25\n2,2\n", grid);
  }
}

/* A random net: simultaneous events, several sources of an input, values that differ in their last
 * digits. */
static void test_both_engines_give_the_same_bytes(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  HyModel *inner = hy_model_add_coupled(m, "S");
  hy_model_in(inner, "in");
  hy_model_out(inner, "out");
  add(inner, "relay", "A");
  add(inner, "counter", "B");
  wire(inner, ".in", "A");
  wire(inner, "A", "B.in");
  wire(inner, "B", ".out");
  add(m, "random_generator", "G");
  add(m, "random_generator", "H");
  add(m, "relay", "C");
  hy_model_add(m, "P", &pieces_class);
  set(m, "P", "period", "0.37");
  wire(m, "G", "S.in");
  wire(m, "H", "S.in");
  wire(m, "S.out", "C");
  wire(m, "P.odd", "C");
  const Asked asked[] = {{.block = "S/A"},
                         {.block = "S/B"},
                         {.block = "C"},
                         {.block = "P"},
                         {.block = "C", .kind = HY_COLUMN_INPUT}};
  for (guint g = 0; g < 2; g++) {
    Order order = {.tf = 200, .dt = g * 0.01, .n = 5, .asked = asked};
    g_autofree char *tree = record(m, HY_TREE, &order, NULL);
    g_autofree char *flat = record(m, HY_FLAT, &order, NULL);
    TEST_ASSERT_GREATER_THAN_size_t(g == 0 ? 10000 : 100000, strlen(tree));
    TEST_ASSERT_EQUAL_STRING(tree, flat);
  }
}

/* Watching together; files --------------------------------------------------------------------- */

static void count_transition(gpointer user, const HyTransition *transition)
{
  (void)transition;
  (*(guint *)user)++;
}

static void count_message(gpointer user, const HyMessage *message)
{
  (void)message;
  ((guint *)user)[1]++;
}

static void test_another_watcher_sees_everything(void)
{
  guint seen[2] = {0, 0};
  g_autoptr(HyModel) m = queue("1, 2");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_TREE, NULL);
  FILE *out = fopen("/dev/null", "wb");
  g_autoptr(HyRecorder) r = recorder_for(sim, &(Order){.n = 4, .asked = all}, out, "null");
  hy_recorder_set_next(
      r, &(HyTrace){.user = seen, .message = count_message, .transition = count_transition});
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 1, NULL));
  TEST_ASSERT_TRUE(hy_recorder_finish(r, 1, NULL));
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  TEST_ASSERT_EQUAL_UINT64(2 * totals.n_int + totals.n_ext, seen[0]); /* lambda and dint */
  TEST_ASSERT_EQUAL_UINT64(totals.i + totals.star + totals.x + totals.y + totals.done, seen[1]);
  TEST_ASSERT_EQUAL_UINT64(6, hy_recorder_rows(r)); /* 0, two sides of 0.1 and 0.2, the end */
  fclose(out);
}

static void test_a_column_may_have_several_sources(void)
{
  g_autoptr(HyModel) m = pieces("1", "0");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  const Asked asked[] = {{.block = "P", .path = ".y"}};
  HyRecorder *r = recorder_for(sim, &(Order){.n = 1, .asked = asked}, out, "x");
  guint p;
  TEST_ASSERT_TRUE(hy_sim_find(sim, "P", &p));
  hy_recorder_add_source(r, 0, p, 1);
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 3, NULL));
  TEST_ASSERT_TRUE(hy_recorder_finish(r, 3, NULL));
  hy_recorder_free(r);
  fclose(out);
  TEST_ASSERT_TRUE(g_str_has_prefix(text, "time,.y\n0,0\n"));
  TEST_ASSERT_NOT_NULL(strstr(text, "\n1,1.25\n1,1\n"));
  TEST_ASSERT_NOT_NULL(strstr(text, "\n2,2.25\n2,2\n"));
  TEST_ASSERT_TRUE(g_str_has_suffix(text, "\n3,3.25\n3,3\n"));
  free(text);
}

static gboolean stop_now(gpointer user, double t, guint64 cycles)
{
  (void)user, (void)t, (void)cycles;
  return FALSE;
}

/* Seven that speak at every instant: a run that is stopped after 64 cycles, or some such number, is
 * in the middle of one. What is recorded of it is what the whole run would have. */
static void test_an_interrupted_run_ends_with_a_whole_instant(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  for (guint k = 0; k < 7; k++) {
    g_autofree char *name = g_strdup_printf("P%u", k);
    hy_model_add(m, name, &pieces_class);
    set(m, name, "period", "1");
  }
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  const Asked asked[] = {{.block = "P0"}, {.block = "P6"}};
  g_autoptr(HyRecorder) r = recorder_for(sim, &(Order){.n = 2, .asked = asked}, NULL, NULL);
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  hy_sim_set_progress(sim, stop_now, NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  TEST_ASSERT_FALSE(hy_sim_run(sim, 1000, &error));
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_INTERRUPTED));
  double t = hy_sim_time(sim);
  TEST_ASSERT_TRUE(t > 0 && t < 1000 && hy_sim_next(sim) > t);
  TEST_ASSERT_TRUE(hy_recorder_finish(r, t, NULL));
  guint64 last = hy_recorder_rows(r) - 1;
  TEST_ASSERT_EQUAL_DOUBLE(t, hy_recorder_time(r, last));
  TEST_ASSERT_EQUAL_DOUBLE(hy_recorder_value(r, last, 0), hy_recorder_value(r, last, 1));
}

static void check_full_disk(const char *period)
{
  g_autoptr(HyModel) m = pieces(period, "0");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  FILE *out = fopen("/dev/full", "wb");
  if (out == NULL) {
    TEST_IGNORE_MESSAGE("there is no /dev/full here");
  }
  const Asked asked[] = {{.block = "P"}};
  HyRecorder *r = recorder_for(sim, &(Order){.n = 1, .asked = asked}, out, "/dev/full");
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 10, NULL));
  TEST_ASSERT_TRUE(hy_recorder_failed(r));
  for (int k = 0; k < 2; k++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(hy_recorder_finish(r, 10, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
    TEST_ASSERT_EQUAL_STRING("/dev/full: cannot write: No space left on device", error->message);
  }
  hy_recorder_free(r);
  fclose(out);
}

static void test_a_full_disk_is_an_error(void)
{
  check_full_disk("1"); /* seen with the first row */
  check_full_disk("1e-4");
}

static void write_sidecar(const char *csv)
{
  g_autoptr(HyModel) m = pieces("1", "0");
  g_autoptr(HySim) sim = hy_sim_new(m, HY_FLAT, NULL);
  FILE *out = fopen(csv, "wb");
  const Asked asked[] = {{.block = "P", .path = "P\"x"}, {.block = "P", .port = 1}};
  g_autoptr(HyRecorder) r =
      recorder_for(sim, &(Order){.tf = 5, .dt = 0.5, .n = 2, .asked = asked}, out, csv);
  HyTrace trace = hy_recorder_trace(r);
  hy_sim_set_trace(sim, &trace);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 5, NULL));
  TEST_ASSERT_TRUE(hy_recorder_finish(r, 5, NULL));
  fclose(out);
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) told = g_string_new(NULL);
  HyJsonOut json = {.out = told};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "file", "m\\odel.xml");
  hy_json_text(&json, "model", "R");
  hy_json_text(&json, "title", NULL);
  hy_sidecar_number(&json, "t0", 0);
  hy_sidecar_number(&json, "tf", INFINITY);
  hy_sidecar_number(&json, "tol", NAN);
  g_autofree char *text = hy_sidecar_print(r, told->str), *path = hy_sidecar_path(csv);
  hy_write_file(path, text, -1, &error);
  fine(error);
}

static void test_the_sidecar_says_what_was_recorded(void)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename(dir, "run.csv", NULL), *json = hy_sidecar_path(csv);
  g_autofree char *text = NULL;
  write_sidecar(csv);
  TEST_ASSERT_TRUE(g_file_get_contents(json, &text, NULL, NULL));
  TEST_ASSERT_EQUAL_STRING("{\n  \"file\": \"m\\\\odel.xml\",\n"
                           "  \"model\": \"R\",\n  \"t0\": 0,\n  \"tf\": null,\n"
                           "  \"end\": 5,\n  \"grid\": 0.5,\n  \"rows\": 11,\n  \"columns\": [\n"
                           "    {\"path\": \"P\\\"x\", \"kind\": \"signal\", \"order\": 3, "
                           "\"unit\": \"V\"},\n"
                           "    {\"path\": \"P.odd\", \"kind\": \"event\"}\n  ]\n}\n",
                           text);
  g_autoptr(HySidecar) s = hy_sidecar_read(csv, NULL);
  const HySidecarColumn *c = hy_sidecar_find(s, "P\"x");
  TEST_ASSERT_TRUE(c != NULL && !c->event && c->order == 3 && strcmp(c->unit, "V") == 0);
  TEST_ASSERT_TRUE(hy_sidecar_find(s, "P.odd")->event);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, s->grid);
  TEST_ASSERT_EQUAL_STRING("R", s->model);
  g_unlink(json);
  g_unlink(csv);
  g_rmdir(dir);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_an_instant_has_a_row_before_its_jumps_and_one_after);
  RUN_TEST(test_payloads_are_quoted_text);
  RUN_TEST(test_rows_in_memory_are_one_block);
  RUN_TEST(test_heads_are_quoted_where_they_must_be);
  RUN_TEST(test_a_grid_holds_both_ends_and_what_came_last_at_an_instant);
  RUN_TEST(test_grids_that_do_not_exist_are_refused);
  RUN_TEST(test_signals_follow_their_polynomial_and_events_hold);
  RUN_TEST(test_all_columns_are_evaluated_at_every_event);
  RUN_TEST(test_a_failed_run_leaves_everything_up_to_its_end);
  RUN_TEST(test_both_engines_give_the_same_bytes);
  RUN_TEST(test_another_watcher_sees_everything);
  RUN_TEST(test_a_column_may_have_several_sources);
  RUN_TEST(test_an_interrupted_run_ends_with_a_whole_instant);
  RUN_TEST(test_a_full_disk_is_an_error);
  RUN_TEST(test_the_sidecar_says_what_was_recorded);
  return UNITY_END();
}
