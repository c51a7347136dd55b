/* A plan is a pure function from the number of a run to what it is set to. */
#include "sweep_model.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void row_is(const HyPlan *plan, guint64 k, const char *wanted)
{
  g_auto(GStrv) row = hy_plan_row(plan, k);
  g_autofree char *all = g_strjoinv(" ", row);
  TEST_ASSERT_EQUAL_STRING(wanted, all);
}

static void test_ranges_and_lists_make_all_combinations_the_last_fastest(void)
{
  HyPlanOptions o = asked(WORDS("R=5:20:4", "C=1u,2u", "U=log 1:100:3"), NULL);
  g_autoptr(HyPlan) p = plan_of("rc.xml", &o);
  TEST_ASSERT_EQUAL_UINT(24, hy_plan_n(p));
  row_is(p, 0, "5 1u 1");
  row_is(p, 1, "5 1u 10");
  row_is(p, 5, "5 2u 100");
  row_is(p, 6, "10 1u 1");
  row_is(p, 23, "20 2u 100");
}

/* A text in memory stands for a file, for the plan and for each of its runs. */
static void test_a_model_may_be_among_the_documents_of_its_load(void)
{
  g_autoptr(HyDocuments) documents = hy_documents_new();
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_TRUE(hy_documents_add(documents, "mem.xml", rc, strlen(rc), NULL, report));
  TEST_ASSERT_FALSE(hy_documents_add(documents, "mem.xml", rc, strlen(rc), NULL, report));
  TEST_ASSERT_FALSE(hy_documents_add(documents, "other.xml", "<a", 2, NULL, report));
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(wrong, "mem.xml: has been read already\n"), wrong);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(wrong, "other.xml: "), wrong);
  HyLoadOptions load = {.documents = documents};
  HyPlanOptions o = asked(WORDS("R=0:2:3"), WORDS("final(v)"));
  o.load = &load;
  g_autoptr(HyReport) fresh = hy_report_new();
  g_autoptr(HyPlan) p = hy_plan_new("mem.xml", &o, fresh);
  g_autoptr(HySweep) sweep = hy_sweep_new(p, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  TEST_ASSERT_NOT_NULL(strstr(hy_sweep_why(sweep, 0), "R = 0 is below its minimum 0.1"));
  for (guint k = 1; k < 3; k++) {
    TEST_ASSERT_EQUAL_STRING("", hy_sweep_why(sweep, k));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0 - exp(-5.0), hy_sweep_value(sweep, k, 0));
    TEST_ASSERT_GREATER_THAN_UINT64(0, hy_sweep_events(sweep, k));
  }
}

static void test_both_ends_of_a_range_are_exact(void)
{
  HyPlanOptions o = asked(WORDS("R=0.1:0.7:7", "U=log 3:7:11"), NULL);
  g_autoptr(HyPlan) p = plan_of("rc.xml", &o);
  row_is(p, 0, "0.1 3");
  row_is(p, 76, "0.7 7");
}

static void test_values_that_go_together_are_as_many(void)
{
  g_autofree char *why = NULL;
  HyPlanOptions o = asked(WORDS("R=1:3:3", "C=4,5,6"), NULL);
  o.together = TRUE;
  g_autoptr(HyPlan) p = plan_of("rc.xml", &o);
  TEST_ASSERT_EQUAL_UINT(3, hy_plan_n(p));
  row_is(p, 1, "2 5");
  o.vary = WORDS("R=1:3:3", "C=4,5");
  TEST_ASSERT_NULL(try_plan("rc.xml", &o, &why));
  TEST_ASSERT_EQUAL_STRING(
      "--vary: C=4,5: 2 values go along with 3 of others; as many are needed\n", why);
}

/* A parameter or a run more changes no draw of another. */
static void test_draws_hang_on_name_and_run_alone(void)
{
  HyRunSettings run = HY_RUN_SETTINGS;
  run.seed = 7;
  HyPlanOptions o = HY_PLAN_OPTIONS;
  o.run = &run;
  o.random = WORDS("R=normal 10 5%");
  o.sampling = "plain";
  o.n = 50;
  g_autoptr(HyPlan) few = plan_of("rc.xml", &o);
  o.random = WORDS("C=uniform 1 2", "R=normal 10 5%", "U=choice 1 2 3");
  o.n = 60;
  g_autoptr(HyPlan) many = plan_of("rc.xml", &o);
  for (guint64 k = 0; k < 50; k++) {
    g_auto(GStrv) a = hy_plan_row(few, k), b = hy_plan_row(many, k);
    TEST_ASSERT_EQUAL_STRING(a[0], b[1]);
  }
}

static void test_latin_draws_have_one_value_in_each_part(void)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  guint8 seen[100] = {0};
  o.random = WORDS("U=uniform 0 100");
  o.n = 100;
  g_autoptr(HyPlan) p = plan_of("rc.xml", &o);
  for (guint64 k = 0; k < 100; k++) {
    g_auto(GStrv) row = hy_plan_row(p, k);
    guint part = (guint)g_ascii_strtod(row[0], NULL);
    TEST_ASSERT_EQUAL_UINT(0, seen[part]++);
  }
}

static void test_corners_are_the_ends_of_distributions(void)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  o.random = WORDS("R=uniform 1 3", "C=normal 10 10%", "U=choice 5 6 7");
  o.corners = "all";
  g_autoptr(HyPlan) all = plan_of("rc.xml", &o);
  TEST_ASSERT_EQUAL_UINT(12, hy_plan_n(all));
  row_is(all, 0, "1 7 5");
  row_is(all, 11, "3 13 7");
  o.corners = "each";
  g_autoptr(HyPlan) each = plan_of("rc.xml", &o);
  TEST_ASSERT_EQUAL_UINT(8, hy_plan_n(each));
  row_is(each, 0, "2 10 6");
  row_is(each, 1, "1 10 6");
  row_is(each, 2, "3 10 6");
  row_is(each, 3, "2 7 6");
  row_is(each, 4, "2 13 6");
  row_is(each, 5, "2 10 5");
  row_is(each, 7, "2 10 7");
}

static void refused(const char *const *vary, const char *message)
{
  g_autofree char *why = NULL;
  HyPlanOptions o = asked(vary, NULL);
  TEST_ASSERT_NULL(try_plan("rc.xml", &o, &why));
  TEST_ASSERT_EQUAL_STRING(message, why);
}

static void test_all_wrong_options_are_said_at_once(void)
{
  refused(WORDS("r=1,2", "Cap=1:2:3", "tua=1"),
          "--vary: the model has no parameter \"r\"; did you mean \"R\"?\n"
          "--vary: the model has no parameter \"Cap\"\n"
          "--vary: the model has no parameter \"tua\"\n");
  refused(WORDS("R", "=1", "C=1:2", "C=1:2:0", "U=1:2:1.5", "R=log 0:1:2"),
          "--vary: R: write PARAMETER=VALUES\n"
          "--vary: =1: write PARAMETER=VALUES\n"
          "--vary: C=1:2: say how many values, as the n of a:b:n\n"
          "--vary: C=1:2:0: the last of a:b:n says how many values: a whole number, 2 or more\n"
          "--vary: U=1:2:1.5: the last of a:b:n says how many values: a whole number, 2 or more\n"
          "--vary: R=log 0:1:2: both ends of a logarithmic range have one sign, and none is 0\n");
  refused(WORDS("R=1,,2"), "--vary: R=1,,2: a value of the list is missing\n");
  refused(WORDS("R=1,1e999"), "--vary: 1e999 is not a finite number\n");
  refused(WORDS("R=1,2", "R=3,4"), "--vary: R is set twice\n");
  refused(WORDS("R=1:2:1000000", "C=1:2:1000000"),
          "--vary: the plan has more than 1000000000 runs\n");
}

static void test_a_measure_is_called_as_no_other_column(void)
{
  g_autofree char *why = NULL;
  HyPlanOptions o = asked(WORDS("R=1,2"), WORDS("status=final(v)", "why=max(v)", "v=min(v)"));
  TEST_ASSERT_NULL(try_plan("rc.xml", &o, &why));
  const char *last = strstr(why, "rc.xml: measure why: the table has a column of this name");
  TEST_ASSERT_NOT_NULL_MESSAGE(last, why);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, "rc.xml: measure status: the table"), why);
  TEST_ASSERT_NULL_MESSAGE(strstr(why, "measure v:"), why);
}

/* Files -----------------------------------------------------------------------------------------
 */

static HyPlan *with_file(const char *text, char **why)
{
  g_autofree char *file = in_dir("plan.csv");
  HyPlanOptions o = HY_PLAN_OPTIONS;
  put("plan.csv", text);
  o.file = file;
  HyPlan *plan = try_plan("rc.xml", &o, why);
  char *text_of_why = *why, *at;
  g_autofree char *before = g_strconcat(dir, "/", NULL);
  while ((at = strstr(text_of_why, before)) != NULL) { /* messages without the folder */
    memmove(at, at + strlen(before), strlen(at + strlen(before)) + 1);
  }
  return plan;
}

static void file_refused(const char *text, const char *message)
{
  g_autofree char *why = NULL;
  TEST_ASSERT_NULL(with_file(text, &why));
  TEST_ASSERT_EQUAL_STRING(message, why);
}

static void test_a_file_sets_parameters_and_carries_the_rest(void)
{
  g_autofree char *why = NULL;
  g_autoptr(HyPlan) p =
      with_file("note,R,seed\r\n\"a, \"\"b\"\"\nc\",5,1\r\n\r\nd, 7 ,2\r\n", &why);
  TEST_ASSERT_EQUAL_STRING("", why);
  TEST_ASSERT_EQUAL_UINT(2, hy_plan_n(p));
  TEST_ASSERT_EQUAL_UINT(2, hy_plan_n_set(p));
  TEST_ASSERT_EQUAL_STRING("note", hy_plan_column(p, 2));
  row_is(p, 0, "5 1 a, \"b\"\nc");
  row_is(p, 1, "7 2 d");
}

static void test_one_that_means_a_parameter_and_misses_it_is_told(void)
{
  g_autofree char *why = NULL;
  g_autoptr(HyPlan) p = with_file("R,gian\n5,1\n", &why);
  TEST_ASSERT_EQUAL_STRING(
      "plan.csv:1: warning: column \"gian\" is no parameter of the model and is "
      "carried; did you mean \"gain\"?\n",
      why);
}

static void test_hostile_files_are_refused_in_a_line(void)
{
  file_refused("R,R\n1,2\n", "plan.csv:1: column 2 \"R\" is in the head twice\n");
  file_refused("R,\n1,2\n", "plan.csv:1: column 2 has no name in the head\n");
  file_refused("R,C\n1,2\n3\n", "plan.csv:3: 1 field, but the head has 2\n");
  file_refused("R,C\n1,1e999\n,2\n", "plan.csv:2: C = 1e999 is not a finite number\n"
                                     "plan.csv:3: R is empty\n");
  file_refused("R;C\n1;2\n",
               "plan.csv:1: one column \"R;C\": separate columns by commas, or by tabs in a file "
               ".tsv\n");
  file_refused("R\n\"1\n", "plan.csv:2: the quote that opens here is not closed\n");
  file_refused("", "plan.csv: has no rows; a head line was expected\n");
  file_refused("R\n", "plan.csv: has no rows\n");
  file_refused("Q\n1\n", "plan.csv:1: no column is a parameter of the model\n");
}

static void test_a_million_rows_are_a_plan(void)
{
  g_autoptr(GString) text = g_string_new("R\n");
  g_autofree char *why = NULL;
  for (guint k = 0; k < 1000000; k++) {
    g_string_append(text, k % 2 == 0 ? "5\n" : "7\n");
  }
  g_autoptr(HyPlan) p = with_file(text->str, &why);
  TEST_ASSERT_EQUAL_UINT(1000000, hy_plan_n(p));
  row_is(p, 999999, "7");
}

/* In the model ----------------------------------------------------------------------------------
 */

static const char said[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"rc\"><param name=\"R\" value=\"1\"/>"
    "<param name=\"C\" value=\"1\"/><integrator name=\"v\" in=\"(1 - v)/(R*C)\"/>"
    "<experiment stop=\"1\"/>"
    "<experiment name=\"late\" stop=\"9\"><measure value=\"final(v)\"/><sweep name=\"parts\" "
    "runs=\"3\" sampling=\"plain\"><vary param=\"R\" values=\"1:3:3\"/>"
    "<vary param=\"C\" random=\"uniform 1 2\"/></sweep></experiment></hydevs>";

static void test_a_sweep_of_the_model_is_taken_with_its_experiment(void)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  put("said.xml", said);
  o.sweep = "parts";
  g_autoptr(HyPlan) p = plan_of("said.xml", &o);
  TEST_ASSERT_EQUAL_UINT(9, hy_plan_n(p));
  TEST_ASSERT_EQUAL_UINT(1, hy_plan_n_measures(p));
  g_auto(GStrv) row = hy_plan_row(p, 8), words = hy_plan_words(p, 8);
  TEST_ASSERT_EQUAL_STRING("3", row[0]);
  TEST_ASSERT_TRUE(strncmp(row[1], "1.", 2) == 0);
  TEST_ASSERT_EQUAL_STRING("--experiment=late", words[0]);
  o.sweep = "prats";
  g_autofree char *why = NULL;
  TEST_ASSERT_NULL(try_plan("said.xml", &o, &why));
  TEST_ASSERT_NOT_NULL(strstr(why, "there is no sweep \"prats\"; did you mean \"parts\"?"));
}

/* What is told of a run is what makes it: seed and settings, too. */
static void test_a_run_can_be_had_as_a_command(void)
{
  HyPlanOptions o = asked(WORDS("R=1:2:2", "experiment.stop=3,4"), NULL);
  g_autoptr(HyPlan) p = plan_of("rc.xml", &o);
  g_auto(GStrv) words = hy_plan_words(p, 1);
  TEST_ASSERT_EQUAL_STRING("--set=R=1", words[0]);
  TEST_ASSERT_EQUAL_STRING("--until=4", words[1]);
  TEST_ASSERT_TRUE(g_str_has_prefix(words[2], "--seed="));
  TEST_ASSERT_NULL(words[3]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ranges_and_lists_make_all_combinations_the_last_fastest);
  RUN_TEST(test_both_ends_of_a_range_are_exact);
  RUN_TEST(test_values_that_go_together_are_as_many);
  RUN_TEST(test_draws_hang_on_name_and_run_alone);
  RUN_TEST(test_latin_draws_have_one_value_in_each_part);
  RUN_TEST(test_corners_are_the_ends_of_distributions);
  RUN_TEST(test_all_wrong_options_are_said_at_once);
  RUN_TEST(test_a_measure_is_called_as_no_other_column);
  RUN_TEST(test_a_file_sets_parameters_and_carries_the_rest);
  RUN_TEST(test_one_that_means_a_parameter_and_misses_it_is_told);
  RUN_TEST(test_hostile_files_are_refused_in_a_line);
  RUN_TEST(test_a_million_rows_are_a_plan);
  RUN_TEST(test_a_model_may_be_among_the_documents_of_its_load);
  RUN_TEST(test_a_sweep_of_the_model_is_taken_with_its_experiment);
  RUN_TEST(test_a_run_can_be_had_as_a_command);
  return UNITY_END();
}
