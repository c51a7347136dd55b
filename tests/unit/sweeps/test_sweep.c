/* All runs of a plan are in the table, whatever becomes of them and of whoever computes them. */
#include "sweep_model.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char *text_of(const char *name)
{
  g_autofree char *file = in_dir(name);
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, NULL, NULL), name);
  return text;
}

/* Step of an RC circuit over (R, C): after 5 R C it is U (1 - exp(-5)), first beyond 0.632 U near
 * R C. */
static void test_measures_of_all_runs_are_those_of_the_closed_form(void)
{
  HyPlanOptions o = asked(WORDS("R=0.5:4:25", "C=log 0.1:10:40"),
                          WORDS("final(v)", "tau=first(v > 1 - exp(-1))"));
  g_autoptr(HyPlan) plan = plan_of("rc.xml", &o);
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  for (guint64 k = 0; k < 1000; k++) {
    g_auto(GStrv) row = hy_plan_row(plan, k);
    double tau = g_ascii_strtod(row[0], NULL) * g_ascii_strtod(row[1], NULL);
    TEST_ASSERT_EQUAL_INT(0, hy_sweep_status(sweep, k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1 - exp(-5), hy_sweep_value(sweep, k, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, tau, hy_sweep_value(sweep, k, 1));
  }
}

/* A row is what the run alone gives. */
static void test_a_row_is_what_the_run_gives(void)
{
  HyPlanOptions o = asked(WORDS("rate=0.5,0.9"), WORDS("final(gone)"));
  g_autoptr(HyPlan) plan = plan_of("line.xml", &o);
  for (guint64 k = 0; k < 2; k++) {
    HySweepRow row;
    g_auto(GStrv) texts = hy_plan_row(plan, k), words = hy_plan_words(plan, k);
    g_autofree char *file = in_dir("line.xml"), *set = g_strconcat("rate=", texts[0], NULL);
    g_autoptr(HyReport) report = hy_report_new();
    HyLoadOptions load = {.set = WORDS(set), .measure = WORDS("final(gone)")};
    g_autoptr(HyLoaded) loaded = hy_load_file(file, &load, report);
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.seed = g_ascii_strtoll(words[1] + strlen("--seed="), NULL, 10);
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, NULL);
    HyTotals n;
    TEST_ASSERT_TRUE(hy_run_go(run, NULL));
    hy_sim_totals(hy_run_sim(run), &n);
    TEST_ASSERT_TRUE(hy_sweep_run(plan, k, NULL, &row));
    TEST_ASSERT_EQUAL_UINT64(n.cycles, row.events);
    TEST_ASSERT_EQUAL_DOUBLE(hy_run_measure_value(run, 0), row.measures[0]);
    hy_sweep_row_clear(&row);
  }
}

static void test_a_run_that_fails_is_a_row(void)
{
  HyPlanOptions o = asked(WORDS("R=0:1:3", "C=0,1"), WORDS("final(v)"));
  g_autoptr(HyPlan) plan = plan_of("rc.xml", &o);
  g_autofree char *table = table_of(plan, 1);
  g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
  TEST_ASSERT_EQUAL_STRING("run,R,C,status,final(v),events,why", lines[0]);
  TEST_ASSERT_TRUE(g_str_has_prefix(lines[1], "0,0,0,1,,,"));
  TEST_ASSERT_NOT_NULL(strstr(lines[2], "R = 0 is below its minimum 0.1"));
  TEST_ASSERT_TRUE(g_str_has_prefix(lines[4], "3,0.5,1,0,0.99326"));
  TEST_ASSERT_TRUE(g_str_has_suffix(lines[4], ","));
}

static void test_one_that_takes_too_many_events_says_so(void)
{
  HyPlanOptions o = asked(WORDS("rate=0.1,50"), WORDS("final(gone)"));
  o.limit_events = 500;
  g_autoptr(HyPlan) plan = plan_of("line.xml", &o);
  g_autofree char *table = table_of(plan, 1);
  TEST_ASSERT_NOT_NULL(strstr(table, "1,50,limit,,,more than 500 events (--limit-events)\n"));
}

/* van der Pol's equation, whose best method hangs on mu. */
static const char pol[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"pol\"><param name=\"mu\" value=\"1\"/>"
    "<integrator name=\"x\" in=\"y\" x0=\"2\"/>"
    "<integrator name=\"y\" in=\"mu*(1 - x*x)*y - x\"/><experiment stop=\"20\"/></hydevs>";

/* x at the end by METHOD; NULL: the run chooses. */
static double pol_by(const char *mu, const char *method)
{
  g_autofree char *file = in_dir("pol.xml"), *set = g_strconcat("mu=", mu, NULL);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions load = {.set = WORDS(set), .measure = WORDS("final(x)"), .method = method};
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &load, report);
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, NULL);
  TEST_ASSERT_TRUE(hy_run_go(run, NULL));
  return hy_run_measure_value(run, 0);
}

static void test_one_method_is_chosen_for_all_runs(void)
{
  static const char *const mu[] = {"0.5", "1", "20"};
  HyPlanOptions o = asked(WORDS("mu=0.5,1,20"), WORDS("final(x)"));
  put("pol.xml", pol);
  g_autoptr(HyPlan) one = plan_of("pol.xml", &o);
  o.each = TRUE;
  g_autoptr(HyPlan) each = plan_of("pol.xml", &o);
  g_auto(GStrv) words = hy_plan_words(one, 0);
  guint n = g_strv_length(words), others = 0;
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(words[n - 1], "--method="), words[n - 1]);
  const char *method = words[n - 1] + strlen("--method=");
  TEST_ASSERT_TRUE(g_str_has_prefix(hy_plan_method(one), method));
  TEST_ASSERT_NULL(hy_plan_method(each));
  g_autoptr(HySweep) a = hy_sweep_new(one, NULL, NULL), b = hy_sweep_new(each, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(a, NULL) && hy_sweep_go(b, NULL));
  for (guint k = 0; k < 3; k++) {
    TEST_ASSERT_EQUAL_DOUBLE(pol_by(mu[k], method), hy_sweep_value(a, k, 0));
    TEST_ASSERT_EQUAL_DOUBLE(pol_by(mu[k], NULL), hy_sweep_value(b, k, 0));
    others += hy_sweep_value(a, k, 0) != hy_sweep_value(b, k, 0);
  }
  TEST_ASSERT_GREATER_THAN_UINT(0, others); /* else all of them choose the same */
}

/* Shards ----------------------------------------------------------------------------------------
 */

static char *part(const HyPlan *plan, guint shard, guint shards)
{
  g_autofree char *name = g_strdup_printf("part%u.csv", shard);
  char *file = in_dir(name);
  HySweepOptions o = HY_SWEEP_OPTIONS;
  o.shard = shard;
  o.shards = shards;
  o.out = file;
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, &o, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  return file;
}

static void test_shards_together_are_the_table(void)
{
  static const guint counts[] = {1, 3, 10};
  HyPlanOptions o = asked(WORDS("rate=-1:0.5:4"), WORDS("final(gone)"));
  o.n = 4;
  g_autoptr(HyPlan) plan = plan_of("line.xml", &o);
  g_autofree char *whole = table_of(plan, 2), *out = in_dir("all.csv");
  for (guint k = 0; k < G_N_ELEMENTS(counts); k++) {
    guint64 rows;
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = counts[k]; i-- > 0;) { /* in any order */
      g_ptr_array_add(parts, part(plan, i, counts[k]));
    }
    g_ptr_array_add(parts, NULL);
    TEST_ASSERT_TRUE(hy_sweep_merge((const char *const *)parts->pdata, out, &rows, NULL));
    TEST_ASSERT_EQUAL_UINT(16, rows);
    g_autofree char *merged = text_of("all.csv");
    TEST_ASSERT_EQUAL_STRING(whole, merged);
  }
}

static void not_merged(const char *a, const char *b, const char *why)
{
  guint64 rows;
  g_autoptr(GError) error = NULL;
  g_autofree char *out = in_dir("all.csv");
  TEST_ASSERT_FALSE(hy_sweep_merge(WORDS(a, b), out, &rows, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, why), error->message);
  TEST_ASSERT_FALSE(g_file_test(out, G_FILE_TEST_EXISTS));
}

static void test_parts_that_are_missing_or_of_others_are_not_merged(void)
{
  HyPlanOptions o = asked(WORDS("R=1:2:6"), NULL);
  g_autoptr(HyPlan) plan = plan_of("rc.xml", &o);
  o.vary = WORDS("R=1:3:6");
  g_autoptr(HyPlan) another = plan_of("rc.xml", &o);
  g_autofree char *first = part(plan, 0, 3), *second = part(plan, 1, 3);
  not_merged(first, second, "run 2 of 6 is in none of the parts: a shard is missing");
  not_merged(first, first, "both have run 0");
  g_autofree char *other = part(another, 2, 3);
  not_merged(first, other, "is of another plan or model than");
}

/* Going on --------------------------------------------------------------------------------------
 */

typedef struct {
  guint64 most;
} Patience;

static gboolean until(gpointer user, const HySweepTotals *t)
{
  const Patience *p = user;
  return t->done < p->most;
}

/* As many rows as one likes are there when the journal is cut anywhere. */
static void test_a_sweep_goes_on_where_its_journal_ends(void)
{
  HyPlanOptions o = asked(WORDS("rate=-0.5:1:30"), WORDS("final(gone)"));
  o.n = 20;
  g_autoptr(HyPlan) plan = plan_of("line.xml", &o);
  g_autofree char *whole = table_of(plan, 2), *out = in_dir("again.csv");
  g_autofree char *journal = in_dir("again.csv.journal");
  Patience patience = {.most = 1};
  HySweepOptions s = HY_SWEEP_OPTIONS;
  s.out = out;
  s.threads = 1;
  s.progress = until;
  s.user = &patience;
  for (guint round = 0; round < 20; round++) {
    char *bytes;
    gsize n;
    g_autoptr(HySweep) sweep = hy_sweep_new(plan, &s, NULL);
    TEST_ASSERT_NOT_NULL(sweep);
    if (hy_sweep_go(sweep, NULL)) {
      break;
    }
    TEST_ASSERT_FALSE(g_file_test(out, G_FILE_TEST_EXISTS));
    TEST_ASSERT_TRUE(g_file_get_contents(journal, &bytes, &n, NULL));
    TEST_ASSERT_TRUE(g_file_set_contents(journal, bytes, (gssize)(n - n % 97 % 60), NULL));
    g_free(bytes);
  }
  s.progress = NULL;
  g_autoptr(HySweep) last = hy_sweep_new(plan, &s, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(last, NULL));
  g_autofree char *again = text_of("again.csv");
  TEST_ASSERT_EQUAL_STRING(whole, again);
  TEST_ASSERT_FALSE(g_file_test(journal, G_FILE_TEST_EXISTS));
}

/* Leaves a journal behind. */
static void leave_journal(const HyPlan *plan, const char *out)
{
  Patience patience = {.most = 0};
  HySweepOptions s = HY_SWEEP_OPTIONS;
  s.out = out;
  s.threads = 1;
  s.progress = until;
  s.user = &patience;
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, &s, NULL);
  TEST_ASSERT_FALSE(hy_sweep_go(sweep, NULL));
}

static void test_a_journal_of_another_plan_or_model_is_refused(void)
{
  HyRunSettings run = HY_RUN_SETTINGS;
  run.stop = 20000;
  HyPlanOptions o = asked(WORDS("rate=0.5:0.9:200"), NULL);
  o.run = &run;
  g_autoptr(HyPlan) plan = plan_of("line.xml", &o);
  g_autofree char *out = in_dir("x.csv");
  leave_journal(plan, out);
  o.vary = WORDS("rate=0.5:0.9:3");
  g_autoptr(HyPlan) another = plan_of("line.xml", &o);
  HySweepOptions s = HY_SWEEP_OPTIONS;
  g_autoptr(GError) error = NULL;
  s.out = out;
  TEST_ASSERT_NULL(hy_sweep_new(another, &s, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "is of another plan, model or program"));
  s.fresh = TRUE;
  g_autoptr(HySweep) fresh = hy_sweep_new(another, &s, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(fresh, NULL));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_measures_of_all_runs_are_those_of_the_closed_form);
  RUN_TEST(test_a_row_is_what_the_run_gives);
  RUN_TEST(test_a_run_that_fails_is_a_row);
  RUN_TEST(test_one_that_takes_too_many_events_says_so);
  RUN_TEST(test_one_method_is_chosen_for_all_runs);
  RUN_TEST(test_shards_together_are_the_table);
  RUN_TEST(test_parts_that_are_missing_or_of_others_are_not_merged);
  RUN_TEST(test_a_sweep_goes_on_where_its_journal_ends);
  RUN_TEST(test_a_journal_of_another_plan_or_model_is_refused);
  return UNITY_END();
}
