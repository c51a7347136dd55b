/* A run of a model file by the library alone, as a program does it. */
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

static HyReport *report;
static GError *error;

void setUp(void)
{
  report = hy_report_new();
}

void tearDown(void)
{
  g_clear_pointer(&report, hy_report_free);
  g_clear_error(&error);
}

static HyLoaded *load(const char *body, const HyLoadOptions *options)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

#define FALLING                                                                                    \
  "<param name='x0' value='1'/><integrator name='x' in='-x' x0='x0' unit='m'/>"                    \
  "<generator name='g' first='1' period='1' values=\"1, ('job', 3)\"/>"                            \
  "<experiment stop='1' method='qss3' dqrel='1e-6' dqmin='1e-9'><record path='x' grid='0.5'/>"     \
  "<record path='g'/></experiment>"

static void test_what_is_recorded_is_in_memory(void)
{
  const char *set[] = {"x0=2", NULL};
  g_autoptr(HyLoaded) loaded = load(FALLING, &(HyLoadOptions){.set = set});
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = 2;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_UINT(2, hy_run_n_tables(run));
  TEST_ASSERT_NULL(hy_run_file(run, 0));
  const HyRecorder *x = hy_run_table(run, 0), *g = hy_run_table(run, 1);
  guint column;
  TEST_ASSERT_TRUE(hy_recorder_find(x, "x", &column));
  TEST_ASSERT_FALSE(hy_recorder_find(x, "g", &column));
  TEST_ASSERT_EQUAL_STRING("m", hy_recorder_column(x, 0)->unit);
  TEST_ASSERT_EQUAL_UINT64(5, hy_recorder_rows(x));
  for (guint64 row = 0; row < 5; row++) {
    double t = 0.5 * (double)row;
    TEST_ASSERT_EQUAL_DOUBLE(t, hy_recorder_time(x, row));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 2 * exp(-t), hy_recorder_value(x, row, 0));
  }
  TEST_ASSERT_EQUAL_UINT64(2, hy_recorder_rows(g));
  TEST_ASSERT_EQUAL_DOUBLE(1, hy_recorder_value(g, 0, 0));
  TEST_ASSERT_NULL(hy_recorder_payload(g, 0, 0));
  TEST_ASSERT_TRUE(isnan(hy_recorder_value(g, 1, 0)));
  g_autofree char *payload = g_variant_print(hy_recorder_payload(g, 1, 0), FALSE);
  TEST_ASSERT_EQUAL_STRING("('job', 3)", payload);
}

/* Asked for by the experiment, by a record and by an option: one column, with its name. */
static void test_what_is_asked_for_twice_is_recorded_once(void)
{
  const char *record[] = {"x", "*", NULL};
  g_autoptr(HyLoaded) loaded =
      load("<integrator name='x' in='1'/><integrator name='y' in='2'/>"
           "<experiment stop='1' record='x y x'><record path='x'/></experiment>",
           &(HyLoadOptions){.record = record});
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_UINT(1, hy_run_n_tables(run));
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_EQUAL_UINT(2, hy_recorder_n(table));
  TEST_ASSERT_EQUAL_STRING("x", hy_recorder_column(table, 0)->path);
  TEST_ASSERT_EQUAL_STRING("y", hy_recorder_column(table, 1)->path);
}

/* record= is that of the nearest experiment that has one, <record> of all of them. */
static void test_an_experiment_like_another_records_its_own(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<integrator name='x' in='1'/><integrator name='y' in='2'/><integrator name='z' in='3'/>"
           "<experiment name='a' stop='1' record='x'><record path='z'/></experiment>"
           "<experiment name='b' like='a' record='y'/>",
           &(HyLoadOptions){.experiment = "b"});
  const HyExperiment *x = hy_loaded_experiment(loaded);
  TEST_ASSERT_EQUAL_UINT(2, x->n_records);
  TEST_ASSERT_EQUAL_STRING("y", x->records[0].path);
  TEST_ASSERT_EQUAL_STRING("z", x->records[1].path);
}

/* The first column of x' = -x, x = 1, by block_liqss2 with coarse words. */
static const HyRecorder *exactly(const char *grid, HyLoaded **loaded, HyRun **run)
{
  g_autofree char *body =
      g_strdup_printf("<integrator name='x' in='-x' x0='1'/><experiment stop='1' record='x' "
                      "method='block_liqss2' dqrel='1e-2' dqmin='1e-2' %s/>",
                      grid);
  *loaded = load(body, NULL);
  *run = hy_run_new(*loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(*run, &error) && hy_run_go(*run, &error));
  return hy_run_table(*run, 0);
}

static void test_a_state_that_is_solved_exactly_is_asked_on_a_grid_only(void)
{
  g_autoptr(HyLoaded) loaded1 = NULL, loaded2 = NULL;
  g_autoptr(HyRun) run1 = NULL, run2 = NULL;
  const HyRecorder *grid = exactly("grid='0.1'", &loaded1, &run1);
  TEST_ASSERT_EQUAL_UINT64(11, hy_recorder_rows(grid));
  for (guint64 row = 0; row < 11; row++) {
    double t = hy_recorder_time(grid, row);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, exp(-t), hy_recorder_value(grid, row, 0));
  }
  const HyRecorder *events = exactly("", &loaded2, &run2);
  TEST_ASSERT_EQUAL_INT(HY_COLUMN_STATE, hy_recorder_column(grid, 0)->kind);
  TEST_ASSERT_EQUAL_INT(HY_COLUMN_OUTPUT, hy_recorder_column(events, 0)->kind);
}

/* x' = 1: what stands in a row is its time. */
static void check_rows(const HyRecorder *table, guint n, const double *wanted)
{
  TEST_ASSERT_EQUAL_UINT64(n, hy_recorder_rows(table));
  for (guint k = 0; k < n; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, wanted[k], hy_recorder_time(table, k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, wanted[k], hy_recorder_value(table, k, 0));
  }
}

/* A list with what the model's parameters make of it, a logarithmic one, a step; and --grid, which
 * is in place of them all. Instants outside of the run are left out. */
static void test_a_grid_may_be_a_list_of_times(void)
{
  static const char body[] =
      "<param name='T' value='0.5'/><integrator name='x' in='1'/>"
      "<experiment stop='1' grid='-1, 0, T/2, min(T, 7), 1, 2' record='x'>"
      "<record path='x' grid='0, logspace(1m, 1, 4)'/><record path='x' grid='T'/>"
      "<record path='x' grid='0, 1m, 10m, 100m, 1'/></experiment>";
  const double list[] = {0, 0.25, 0.5, 1}, decades[] = {0, 1e-3, 1e-2, 0.1, 1},
               step[] = {0, 0.5, 1}, option[] = {0.125, 0.25, 0.5};
  g_autoptr(HyLoaded) loaded = load(body, NULL);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_UINT(3, hy_run_n_tables(run)); /* the last record has the times of the second */
  check_rows(hy_run_table(run, 0), 4, list);
  check_rows(hy_run_table(run, 1), 5, decades);
  check_rows(hy_run_table(run, 2), 3, step);
  g_autoptr(HyLoaded) other = load(body, &(HyLoadOptions){.grid = "logspace(T/4, T, 3)"});
  g_autoptr(HyRun) again = hy_run_new(other, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(again, &error) && hy_run_go(again, &error));
  TEST_ASSERT_EQUAL_UINT(1, hy_run_n_tables(again));
  check_rows(hy_run_table(again, 0), 3, option);
  g_autoptr(HyLoaded) outside = load(body, &(HyLoadOptions){.grid = "3, 4"});
  g_autoptr(HyRun) none = hy_run_new(outside, NULL, &error);
  TEST_ASSERT_FALSE(hy_run_record(none, &error));
  TEST_ASSERT_EQUAL_STRING("grid: no instant of the list lies in 0 .. 1", error->message);
}

/* docs/language.md, "Who is first": samplers with one trigger are registers with one clock, in any
 * order of the document; holds of one rhythm follow each other in that order. */
static void test_who_is_first_among_samplers(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  static const double wanted[] = {3, 2, 1, 1, 2, 3, 3, 2, 3}; /* at t = 3, before the next one */
  g_autoptr(HyLoaded) loaded =
      load("<generator name='g' first='1' period='1' values='0' repeat='true'/>"
           "<sampler name='a' in='t' trigger='g'/><sampler name='b' in='a' trigger='g'/>"
           "<sampler name='c' in='b' trigger='g'/><sampler name='z' in='y' trigger='g'/>"
           "<sampler name='y' in='a' trigger='g'/><sample_hold name='p' in='t' period='1'/>"
           "<sample_hold name='q' in='p' period='1'/><sample_hold name='w' in='v' period='1'/>"
           "<sample_hold name='v' in='p' period='1'/>"
           "<experiment stop='3.5' grid='3.5' record='a b c z y p q w v'/>",
           NULL);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = engines[e];
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
    for (guint k = 0; k < G_N_ELEMENTS(wanted); k++) {
      TEST_ASSERT_EQUAL_DOUBLE(wanted[k], hy_recorder_value(hy_run_table(run, 0), 1, k));
    }
  }
}

/* i = (v > u), u = 0.5 + 0.2 i: a loop through a comparison, which is a memory. */
static void test_a_loop_through_a_condition_is_none(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<step name='v' from='0' to='2' at='0.3'/><function name='i' formula='if(v > u, 1, 0)'/>"
           "<function name='u' formula='0.5 + 0.2*i'/><experiment stop='1' grid='1' record='u'/>",
           NULL);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, hy_recorder_value(hy_run_table(run, 0), 0, 0));
  TEST_ASSERT_EQUAL_DOUBLE(0.7, hy_recorder_value(hy_run_table(run, 0), 1, 0));
}

#define OSCILLATOR                                                                                 \
  "<integrator name='x' in='v' x0='2'/><function name='d' formula='1 - x*x'/>"                     \
  "<integrator name='v' in='5*d*v - x'/><experiment stop='2' dqrel='1e-2' dqmin='1e-3'/>"

/* What a run by METHOD comes to, and in how many events; what is said of the options. */
static char *outcome(const char *method, const HyRunSettings *settings, HyReport *said)
{
  g_autoptr(HyLoaded) loaded = load(OSCILLATOR, &(HyLoadOptions){.method = method, .hstep = 1e-2});
  g_autoptr(HyRun) run = hy_run_new(loaded, settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL && hy_run_go(run, &error), method);
  hy_report_options(said, run);
  HyTotals n;
  guint x, v;
  hy_sim_totals(hy_run_sim(run), &n);
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), "x", &x) && hy_sim_find(hy_run_sim(run), "v", &v));
  return g_strdup_printf("%.17g %.17g %" G_GUINT64_FORMAT, hy_sim_value(hy_run_sim(run), x, 2),
                         hy_sim_value(hy_run_sim(run), v, 2), n.cycles);
}

/* A warning says that an option changes nothing, and so it is; where it changes something there is
 * none. */
static void test_options_without_effect_are_warned_of(void)
{
  static const char *const methods[] = {"qss2", "liqss2", "mliqss2", "rk4", "trapezoidal"};
  static const char *const words[] = {"--jacobian", "--evaluate", "--refresh"};
  static const gboolean warned[3][5] = {{TRUE, FALSE, TRUE, TRUE, TRUE},
                                        {FALSE, FALSE, TRUE, TRUE, TRUE},
                                        {TRUE, FALSE, FALSE, TRUE, TRUE}};
  for (guint k = 0; k < 15; k++) {
    const char *method = methods[k % 5];
    HyRunSettings with = HY_RUN_SETTINGS;
    with.estimate = k / 5 == 0;
    with.rows = k / 5 == 1;
    with.stale = k / 5 == 2;
    g_autoptr(HyReport) none = hy_report_new(), said = hy_report_new();
    g_autofree char *usual = outcome(method, NULL, none), *other = outcome(method, &with, said);
    const HyMessageAt *m = hy_report_get(said, 0);
    g_autofree char *what = g_strdup_printf("%s of %s", words[k / 5], method);
    TEST_ASSERT_NULL_MESSAGE(hy_report_get(none, 0), what);
    TEST_ASSERT_EQUAL_MESSAGE(warned[k / 5][k % 5], m != NULL, what);
    if (m != NULL) {
      TEST_ASSERT_EQUAL_STRING(words[k / 5], m->file);
      TEST_ASSERT_EQUAL_STRING_MESSAGE(usual, other, what);
    } else if (k / 5 != 1) { /* rows only round otherwise */
      TEST_ASSERT_TRUE_MESSAGE(strcmp(usual, other) != 0, what);
    }
  }
}

/* The integral of max(sin t, 0) over two turns is 4; 1 period of pwm is 0.01. */
static void test_a_limited_wave_may_be_a_duty(void)
{
  static const char *const duties[] = {"limit(x, 0, 1)", "sat", "0 + 0.999999*c.out"};
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < 9; k++) {
    g_autofree char *body =
        g_strdup_printf("<integrator name='x' in='v'/><integrator name='v' in='-x' x0='1'/>"
                        "<saturation name='sat' in='x' lower='0' upper='1'/>"
                        "<block name='c' type='pi' kp='1' ki='0' lower='0' upper='1' in='x'/>"
                        "<pwm name='g' period='10m' duty='%s'/><integrator name='area' in='g'/>"
                        "<experiment stop='4*pi' method='qss3' record='area'/>",
                        duties[k / 3]);
    g_autoptr(HyLoaded) loaded = load(body, NULL);
    HyRunSettings s = HY_RUN_SETTINGS;
    s.engine = engines[k % 3];
    g_autoptr(HyRun) run = hy_run_new(loaded, &s, &error);
    gboolean ok = run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error);
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    const HyRecorder *r = hy_run_table(run, 0);
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 4, hy_recorder_value(r, hy_recorder_rows(r) - 1, 0));
  }
}

/* A coil of 10 nH that the other states move many times between its own words. Q, which is said, is
 * within two quanta of x; and with the switch open, 24 V over 100 kOhm flow. */
static void check_state(const char *engine, const char *grid)
{
  g_autofree char *body = g_strdup_printf(
      "<pwm name='gate' period='100u' duty='0.35'/>"
      "<switch name='Rs' control='gate' on='10u' off='100k'/>"
      "<diode name='Rd' i='iD' ron='10u' roff='100k'/><function name='iD' formula='iL - iS'/>"
      "<integrator name='iS' in='(24 - Rs*iS + Rd*iD)/10n'/>"
      "<integrator name='iL' in='(-Rd*iD - uC)/10m'/>"
      "<integrator name='uC' in='(iL - uC/10)/10m'/>"
      "<experiment stop='2m' method='mliqss2' dqrel='1e-3' dqmin='1e-3'>"
      "<record path='iS iS.x' %s/></experiment>",
      grid);
  g_autoptr(HyLoaded) loaded = load(body, NULL);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.engine = engine;
  g_autoptr(HyRun) run = hy_run_new(loaded, &s, &error);
  gboolean ok = run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  const HyRecorder *r = hy_run_table(run, 0);
  guint q, x;
  TEST_ASSERT_TRUE(hy_recorder_find(r, "iS", &q) && hy_recorder_find(r, "iS.x", &x));
  TEST_ASSERT_GREATER_THAN_UINT64(100, hy_recorder_rows(r));
  for (guint64 row = 0; row < hy_recorder_rows(r); row++) {
    double cycle = 1e4 * hy_recorder_time(r, row), at = cycle - floor(cycle);
    double v = hy_recorder_value(r, row, x);
    TEST_ASSERT_DOUBLE_WITHIN(2.5e-3 * fmax(1, fabs(v)), hy_recorder_value(r, row, q), v);
    if (at > 0.36 && at < 0.99) {
      TEST_ASSERT_DOUBLE_WITHIN(2.5e-3, 2.4e-4, v);
    }
  }
}

static void test_a_state_is_its_own_trajectory_between_its_words(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < 3; k++) {
    check_state(engines[k], "grid='20u'");
    check_state(engines[k], "grid='7u'");
    check_state(engines[k], "");
  }
}

static void refused(const HyLoaded *loaded, const HyRunSettings *settings, const char *why)
{
  TEST_ASSERT_NULL(hy_run_new(loaded, settings, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, error->code);
  TEST_ASSERT_EQUAL_STRING(why, error->message);
  g_clear_error(&error);
}

static void test_settings_that_make_no_sense_are_refused(void)
{
  g_autoptr(HyLoaded) loaded = load(FALLING, NULL), endless = load("", NULL);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.engine = "fast";
  refused(loaded, &s, "engine \"fast\": choose auto, tree, flat or fused");
  s = HY_RUN_SETTINGS;
  s.partition = "fair";
  refused(loaded, &s, "partition \"fair\": choose stated or auto");
  s = HY_RUN_SETTINGS;
  s.stop = -1;
  refused(loaded, &s, "the end, t = -1, is before the start, t = 0");
  refused(endless, NULL, "the model states no end time");
}

static void test_the_system_is_known_as_numbers(void)
{
  g_autoptr(HyLoaded) loaded = load(
      "<integrator name='a' in='b - 3*a'/><integrator name='b' in='-100*b'/><experiment stop='1'/>",
      NULL);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  g_autoptr(HyEquations) e = hy_equations_new(hy_run_sim(run), 0, &error);
  TEST_ASSERT_EQUAL_UINT(2, hy_equations_n(e));
  g_autofree char *name = hy_equations_state(e, 0), *text = hy_equations_derivative(e, 0);
  TEST_ASSERT_EQUAL_STRING("a", name);
  TEST_ASSERT_EQUAL_STRING("b - 3 * a", text);
  double a[4];
  TEST_ASSERT_TRUE(hy_equations_jacobian(e, 0, a, &error));
  TEST_ASSERT_EQUAL_DOUBLE(-3, a[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1, a[1]);
  for (guint k = 0; k < 2; k++) {
    g_autofree char *reads = hy_equations_reads(e, 0, k), *by = hy_equations_partial(e, 0, k);
    TEST_ASSERT_EQUAL_STRING(strcmp(reads, "a") == 0 ? "-3" : "1", by);
  }
  TEST_ASSERT_NULL(hy_equations_reads(e, 0, 2));
  g_autoptr(HySpectrum) s = hy_spectrum_new(e, 0, &error);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -100, hy_spectrum_get(s, 0).real);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0 / 3, hy_spectrum_get(s, 1).time_constant);
  TEST_ASSERT_EQUAL_UINT(1, hy_spectrum_n_fast(s));
  TEST_ASSERT_TRUE(hy_spectrum_is_fast(s, 1) && !hy_spectrum_is_fast(s, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, hy_spectrum_participation(s, 1, 0));
}

static double never(const void *state)
{
  (void)state;
  return INFINITY;
}

static void test_a_class_of_a_program_is_placed_by_its_name(void)
{
  static const HyAtomicClass rock = {.name = "rock", .ta = never},
                             no_name = {.name = "a rock", .ta = never},
                             word = {.name = "param", .ta = never}, still = {.name = "still"};
  g_autoptr(HyBlocks) blocks = hy_blocks_new();
  TEST_ASSERT_TRUE(hy_blocks_add(blocks, &rock, &error));
  g_autoptr(HyLoaded) loaded =
      load("<rock name='r'/><block type='rock' name='s'/>", &(HyLoadOptions){.blocks = blocks});
  TEST_ASSERT_EQUAL_PTR(&rock, hy_model_class(hy_loaded_model(loaded), 1));
  const HyAtomicClass *const wrong[] = {&rock, &no_name, &word, &still};
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    TEST_ASSERT_FALSE_MESSAGE(hy_blocks_add(blocks, wrong[k], &error), wrong[k]->name);
    g_clear_error(&error);
  }
}

/* A recording is of one run. What comes after it is not taken for its continuation, and a file that
 * is closed is not written to. */
static void test_a_finished_recording_takes_nothing_more(void)
{
  const char *state[] = {"x.x", NULL};
  g_autoptr(HyLoaded) loaded = load(FALLING, &(HyLoadOptions){.record = state});
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "finished.csv", NULL);
  g_autofree char *second = g_build_filename(dir, "finished-2.csv", NULL);
  const char *none = "/none/such/folder/x.csv";
  for (int in_files = 0; in_files < 2; in_files++) {
    g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
    TEST_ASSERT_TRUE(in_files ? hy_run_record_csv(run, file, &error) : hy_run_record(run, &error));
    TEST_ASSERT_TRUE(hy_run_go(run, &error));
    TEST_ASSERT_EQUAL_UINT64(3, hy_recorder_rows(hy_run_table(run, 0)));
    TEST_ASSERT_FALSE(hy_run_go(run, &error));
    TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, error->code);
    TEST_ASSERT_EQUAL_STRING(
        "m: the recording of this run is finished; it needs a new one to go again", error->message);
    g_clear_error(&error);
    TEST_ASSERT_TRUE(hy_sim_init(hy_run_sim(run), 0, &error)); /* by hand it goes, unrecorded */
    guint64 rows = hy_recorder_rows(hy_run_table(run, 1));
    TEST_ASSERT_TRUE(hy_sim_run(hy_run_sim(run), 2, &error));
    TEST_ASSERT_EQUAL_UINT64(3, hy_recorder_rows(hy_run_table(run, 0)));
    TEST_ASSERT_EQUAL_UINT64(rows, hy_recorder_rows(hy_run_table(run, 1)));
    TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
    TEST_ASSERT_EQUAL_UINT64(3, hy_recorder_rows(hy_run_table(run, 0)));
    TEST_ASSERT_FALSE(hy_run_record_csv(run, none, &error));
    g_clear_error(&error);
    TEST_ASSERT_EQUAL_UINT(0, hy_run_n_tables(run)); /* nor is half a recording left */
    TEST_ASSERT_TRUE(hy_run_go(run, &error));
  }
  const char *left[] = {file, second};
  for (guint k = 0; k < G_N_ELEMENTS(left); k++) {
    g_autofree char *sidecar = g_strdup_printf("%s.json", left[k]);
    g_unlink(left[k]);
    g_unlink(sidecar);
  }
  g_rmdir(dir);
}

/* What stands in the JSON beside a recording; the files are gone then. */
static char *told_by(const char *body)
{
  g_autoptr(HyLoaded) loaded = load(body, NULL);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "told.csv", NULL);
  g_autofree char *beside = g_strdup_printf("%s.json", file);
  TEST_ASSERT_TRUE(hy_run_record_csv(run, file, &error));
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_EQUAL_INT(ok, error == NULL);
  char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(beside, &text, NULL, NULL));
  g_unlink(file);
  g_unlink(beside);
  g_rmdir(dir);
  g_clear_error(&error);
  return text;
}

/* Nobody calls hy_run_ended() here. */
static void test_a_run_knows_how_it_has_ended(void)
{
  g_autofree char *good = told_by("<integrator name='x' in='1'/>"
                                  "<experiment stop='1' record='x'/>");
  TEST_ASSERT_NOT_NULL(strstr(good, "  \"status\": 0,\n  \"end\": 1,\n"));
  g_autofree char *bad = told_by("<generator name='g' first='1' period='1' values='0'/>"
                                 "<function name='f' formula='1/g'/>"
                                 "<experiment stop='3' record='f'/>");
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(bad, "  \"status\": 3,\n"
                  "  \"message\": \"f: division by zero: 1 / g = 1 / 0 at t = 1\",\n"
                  "  \"end\": 1"),
      bad);
}

static void test_what_was_asked_for_is_kept(void)
{
  const char *set[] = {"w[2]=5", NULL};
  g_autoptr(HyLoaded) loaded =
      load("<param name='w' value='1, 2'/><param name='s' kind='text' value='a'/>"
           "<integrator name='x' in='w[1]'/>",
           &(HyLoadOptions){.set = set, .tol = 1e-4});
  set[0] = "other";
  const HyLoadOptions *o = hy_loaded_options(loaded);
  TEST_ASSERT_EQUAL_STRING("w[2]=5", o->set[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1e-4, o->tol);
  TEST_ASSERT_NULL(o->record);
  TEST_ASSERT_EQUAL_UINT(2, hy_loaded_n_parameters(loaded));
  const HyParameter *w = hy_loaded_parameter(loaded, 0), *s = hy_loaded_parameter(loaded, 1);
  TEST_ASSERT_EQUAL_STRING("w", w->name);
  TEST_ASSERT_TRUE(w->array && w->n == 2 && w->numbers[0] == 1 && w->numbers[1] == 5);
  TEST_ASSERT_EQUAL_STRING("a", s->text);
  g_autofree char *digest = hy_loaded_digest(loaded, 0);
  TEST_ASSERT_EQUAL_UINT(64, strlen(digest));
}

static void count_critical(const char *domain, GLogLevelFlags level, const char *text,
                           gpointer count)
{
  (void)domain;
  TEST_ASSERT_TRUE_MESSAGE(level & G_LOG_LEVEL_CRITICAL, text);
  ++*(int *)count;
}

/* NULL where something is needed is a mistake of the program: it is told so, and goes on. */
static void test_null_is_refused(void)
{
  int count = 0;
  g_log_set_default_handler(count_critical, &count);
  HyReport *no_report = NULL;
  HyLoaded *no_load = NULL;
  HyRun *no_run = NULL;
  HyRecorder *no_table = NULL;
  guint column;
  TEST_ASSERT_NULL(hy_load_file(NULL, NULL, report));
  TEST_ASSERT_NULL(hy_load_file("m.xml", NULL, no_report));
  TEST_ASSERT_NULL(hy_load_memory(NULL, 1, "m.xml", NULL, report));
  TEST_ASSERT_NULL(hy_load_memory("", 0, NULL, NULL, report));
  TEST_ASSERT_NULL(hy_loaded_model(no_load));
  TEST_ASSERT_NULL(hy_loaded_experiment(no_load));
  TEST_ASSERT_NULL(hy_loaded_match(no_load, "x", &error));
  TEST_ASSERT_NULL(hy_run_new(no_load, NULL, &error));
  TEST_ASSERT_FALSE(hy_run_record(no_run, &error));
  TEST_ASSERT_FALSE(hy_run_record_csv(no_run, NULL, &error));
  TEST_ASSERT_FALSE(hy_run_go(no_run, &error));
  TEST_ASSERT_FALSE(hy_run_finish(no_run, 0, &error));
  TEST_ASSERT_NULL(hy_run_sim(no_run));
  TEST_ASSERT_EQUAL_UINT(0, hy_run_n_tables(no_run));
  TEST_ASSERT_EQUAL_UINT64(0, hy_recorder_rows(no_table));
  TEST_ASSERT_EQUAL_UINT(0, hy_recorder_n(no_table));
  TEST_ASSERT_FALSE(hy_recorder_find(no_table, "x", &column));
  TEST_ASSERT_NULL(hy_report_text(no_report));
  TEST_ASSERT_EQUAL_UINT(0, hy_report_errors(no_report));
  TEST_ASSERT_EQUAL_INT(19, count);
  g_log_set_default_handler(g_log_default_handler, NULL);
}

/* Time goes on, but by so little that the end is never reached: periods and quanta far below what
 * the run is made of. A cycle is one event; the first million brings no model here beyond 1e-80. */
static void test_a_run_that_comes_no_further_ends(void)
{
  static const char *const models[] = {
      "<pwm name='g' period='1e-300' duty='0.5'/><integrator name='x' in='g'/>"
      "<experiment stop='1'/>",
      "<integrator name='g' in='v' x0='1'/><integrator name='v' in='-g'/>"
      "<experiment stop='1' method='qss3' dqrel='0' dqmin='1e-300'/>"};
  for (guint k = 0; k < 3 * G_N_ELEMENTS(models); k++) {
    g_autoptr(HyLoaded) loaded = load(models[k / 3], NULL);
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = hy_engine_name((HyEngine)(k % 3));
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    TEST_ASSERT_FALSE(hy_run_go(run, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_ILLEGITIMATE));
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(error->message,
                                              "endless: 1048576 events have brought "
                                              "the time from t = 0 to no more than "),
                             error->message);
    TEST_ASSERT_TRUE(hy_sim_time(hy_run_sim(run)) < 1e-80);
    g_clear_error(&error);
  }
}

/* From t = 1 on a step of the state in every so many seconds. */
#define STEPS(period, until, more)                                                                 \
  "<step name='u' at='1'/><integrator name='x' in='u' dqrel='0' dqmin='" period "'/>"              \
  "<experiment method='qss1' stop='" until "' " more "/>"

/* Nor where time moves by its last digit; by ten of them a million events are two millionths of a
 * millionth, and the end comes. */
static void test_time_that_moves_by_its_last_digit_ends(void)
{
  for (guint k = 0; k < 3; k++) {
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = hy_engine_name((HyEngine)k);
    g_autoptr(HyLoaded) digits = load(STEPS("2.5e-16", "2", ""), NULL);
    g_autoptr(HyRun) run = hy_run_new(digits, &settings, &error);
    TEST_ASSERT_FALSE(hy_run_go(run, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_ILLEGITIMATE));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "most events are of x"), error->message);
    g_clear_error(&error);
    g_autoptr(HyLoaded) more = load(STEPS("2.2e-15", "1.0000000025", ""), NULL);
    g_autoptr(HyRun) ends = hy_run_new(more, &settings, &error);
    TEST_ASSERT_TRUE_MESSAGE(hy_run_go(ends, &error), error != NULL ? error->message : "");
  }
}

/* Only what is at exactly one instant counts as that. */
static void test_events_near_to_each_other_are_at_several_instants(void)
{
  for (guint k = 0; k < 3; k++) {
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = hy_engine_name((HyEngine)k);
    g_autoptr(HyLoaded) near = load(STEPS("1e-10", "1.0000001", "events_at_instant='10'"), NULL);
    g_autoptr(HyRun) run = hy_run_new(near, &settings, &error);
    TEST_ASSERT_TRUE_MESSAGE(hy_run_go(run, &error), error != NULL ? error->message : "");
    HyTotals totals;
    hy_sim_totals(hy_run_sim(run), &totals);
    TEST_ASSERT_TRUE(totals.cycles > 1000);
  }
}

/* Without an end only a stop ends a run, and then it may. */
static void test_an_end_that_never_comes(void)
{
  g_autoptr(HyLoaded) endless = load("<integrator name='x' in='1'/><experiment stop='inf'/>", NULL);
  TEST_ASSERT_NULL(hy_run_new(endless, NULL, &error));
  TEST_ASSERT_EQUAL_STRING("the end, t = inf, never comes, and no block \"stop\" ends the run "
                           "before; give a time",
                           error->message);
  g_clear_error(&error);
  g_autoptr(HyLoaded) stops = load("<integrator name='x' in='1'/><coupled name='c'><in name='u'/>"
                                   "<stop name='s' in='u - 5'/></coupled>"
                                   "<wire from='x' to='c.u'/><experiment stop='inf'/>",
                                   NULL);
  g_autoptr(HyRun) run = hy_run_new(stops, NULL, &error);
  TEST_ASSERT_TRUE(run != NULL && hy_run_go(run, &error));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5, hy_sim_time(hy_run_sim(run)));
}

/* x' = 1 - |x| switches, so that it stays quantized, by the method that the user states: QSS1 with
 * the quantum 1/8 goes from k/8 to (k + 1)/8 in 1/(8 - k), by its definition. */
static void test_a_state_that_switches_keeps_the_method_of_the_user(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<integrator name='x' in='1 - abs(x)'/><experiment stop='1' method='qss1' dqrel='0' "
           "dqmin='0.125' partition='auto'><record path='x'/></experiment>",
           NULL);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_NOT_NULL(run);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_run_go(run, &error));
  double t = 1.0 / 8 + 1.0 / 7 + 1.0 / 6 + 1.0 / 5 + 1.0 / 4; /* it is 5/8, and goes by 3/8 */
  guint x;
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), "x", &x));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.625 + 0.375 * (1 - t), hy_sim_value(hy_run_sim(run), x, 1));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_recorded_is_in_memory);
  RUN_TEST(test_what_is_asked_for_twice_is_recorded_once);
  RUN_TEST(test_an_experiment_like_another_records_its_own);
  RUN_TEST(test_a_state_that_is_solved_exactly_is_asked_on_a_grid_only);
  RUN_TEST(test_a_grid_may_be_a_list_of_times);
  RUN_TEST(test_who_is_first_among_samplers);
  RUN_TEST(test_a_loop_through_a_condition_is_none);
  RUN_TEST(test_options_without_effect_are_warned_of);
  RUN_TEST(test_a_limited_wave_may_be_a_duty);
  RUN_TEST(test_a_state_is_its_own_trajectory_between_its_words);
  RUN_TEST(test_settings_that_make_no_sense_are_refused);
  RUN_TEST(test_the_system_is_known_as_numbers);
  RUN_TEST(test_a_class_of_a_program_is_placed_by_its_name);
  RUN_TEST(test_a_finished_recording_takes_nothing_more);
  RUN_TEST(test_a_run_knows_how_it_has_ended);
  RUN_TEST(test_what_was_asked_for_is_kept);
  RUN_TEST(test_null_is_refused);
  RUN_TEST(test_a_run_that_comes_no_further_ends);
  RUN_TEST(test_time_that_moves_by_its_last_digit_ends);
  RUN_TEST(test_events_near_to_each_other_are_at_several_instants);
  RUN_TEST(test_an_end_that_never_comes);
  RUN_TEST(test_a_state_that_switches_keeps_the_method_of_the_user);
  return UNITY_END();
}
