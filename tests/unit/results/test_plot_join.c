/* Recordings of several runs as one table. */
#include "results/plot_join.h"

#include <math.h>
#include <stdio.h>
#include <unity.h>

static GArray *runs;

void setUp(void)
{
  runs = g_array_new(FALSE, TRUE, sizeof(HyPlotRun));
  g_array_set_clear_func(runs, hy_plot_run_clear);
}

void tearDown(void)
{
  g_array_unref(runs);
}

/* A further run by its CSV and what stands beside it (NULL: nothing), with all of its columns. */
static HyPlotRun *add(const char *called, const char *csv, const char *json)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "r.csv", NULL), *beside = hy_sidecar_path(file);
  g_autoptr(GError) error = NULL;
  g_file_set_contents(file, csv, -1, NULL);
  if (json != NULL) {
    g_file_set_contents(beside, json, -1, NULL);
  }
  HyPlotRun r = {.called = called, .table = hy_table_read(file, &error)};
  TEST_ASSERT_NOT_NULL(r.table);
  r.sidecar = hy_sidecar_read(file, &error);
  remove(beside);
  remove(file);
  remove(dir);
  r.holds = g_new0(gboolean, r.table->n);
  r.chosen = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 1; k < r.table->n; k++) {
    const HySidecarColumn *c = hy_sidecar_find(r.sidecar, r.table->column[k].name);
    r.holds[k] = c != NULL && c->event;
    g_array_append_val(r.chosen, k);
  }
  g_array_append_val(runs, r);
  return &g_array_index(runs, HyPlotRun, runs->len - 1);
}

static HyTable *join(gboolean difference, HySidecar **sidecar)
{
  g_autoptr(GError) error = NULL;
  HyTable *table =
      hy_plot_join((const HyPlotRun *)(gpointer)runs->data, runs->len, difference, sidecar, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  return table;
}

static void holds(const HyTable *table, guint column, const double *wanted, gsize n)
{
  TEST_ASSERT_EQUAL_size_t(n, table->n_rows);
  for (gsize k = 0; k < n; k++) {
    double v = table->column[column].v[k];
    TEST_ASSERT_TRUE_MESSAGE((isnan(v) && isnan(wanted[k])) || v == wanted[k],
                             table->column[column].name);
  }
}

/* t and 2 t, known at unequal instants, the second one for longer. */
static void test_lines_are_there_between_their_rows(void)
{
  add("a", "time,x\n0,0\n1,1\n3,3\n", NULL);
  add("b", "time,x,y\n0,0,7\n2,4,7\n4,8,7\n", NULL);
  g_autoptr(HySidecar) s = NULL, d = NULL;
  g_autoptr(HyTable) both = join(FALSE, &s);
  TEST_ASSERT_EQUAL_UINT(4, both->n);
  TEST_ASSERT_EQUAL_STRING("time", both->column[0].name);
  TEST_ASSERT_EQUAL_STRING("x (a)", both->column[1].name);
  TEST_ASSERT_EQUAL_STRING("x (b)", both->column[2].name);
  TEST_ASSERT_EQUAL_STRING("y (b)", both->column[3].name);
  holds(both, 0, (const double[]){0, 1, 2, 3, 4}, 5);
  holds(both, 1, (const double[]){0, 1, 2, 3, NAN}, 5);
  holds(both, 2, (const double[]){0, 2, 4, 6, 8}, 5);
  g_autoptr(HyTable) less = join(TRUE, &d);
  TEST_ASSERT_EQUAL_UINT(2, less->n);
  TEST_ASSERT_EQUAL_STRING("x", less->column[1].name);
  holds(less, 1, (const double[]){0, -1, -2, -3, NAN}, 5);
}

/* A step of 5 at 1, and one of 4 at 2: between them they differ by 5, after them by 1. */
static void test_both_sides_of_jumps_stay(void)
{
  add("a", "time,x\n0,0\n1,0\n1,5\n3,5\n", NULL);
  add("b", "time,x\n0,0\n2,0\n2,4\n3,4\n", NULL);
  g_autoptr(HySidecar) s = NULL;
  g_autoptr(HyTable) less = join(TRUE, &s);
  holds(less, 0, (const double[]){0, 1, 1, 2, 2, 3}, 6);
  holds(less, 1, (const double[]){0, 0, 5, 5, 1, 1}, 6);
}

static void test_events_hold_and_keep_their_units(void)
{
  const char *json = "{\"columns\": [{\"path\": \"n\", \"kind\": \"event\", \"unit\": \"1/s\", "
                     "\"label\": \"jobs\"}]}";
  add("a", "time,n\n0,1\n2,\n4,3\n", json);
  add("b", "time,n\n0,1\n1,2\n3,5\n", json);
  g_autoptr(HySidecar) s = NULL;
  g_autoptr(HyTable) both = join(FALSE, &s);
  holds(both, 0, (const double[]){0, 1, 2, 3, 4}, 5);
  holds(both, 1, (const double[]){1, 1, 1, 1, 3}, 5);
  holds(both, 2, (const double[]){1, 2, 2, 5, NAN}, 5);
  const HySidecarColumn *c = hy_sidecar_find(s, "n (b)");
  TEST_ASSERT_TRUE(c != NULL && c->event);
  TEST_ASSERT_EQUAL_STRING("1/s", c->unit);
  TEST_ASSERT_EQUAL_STRING("jobs (b)", c->label);
}

static void refused(gboolean difference, const char *message)
{
  g_autoptr(GError) error = NULL;
  HySidecar *s = NULL;
  TEST_ASSERT_NULL(
      hy_plot_join((const HyPlotRun *)(gpointer)runs->data, runs->len, difference, &s, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

static void test_what_cannot_be_joined_is_told(void)
{
  add("a", "time,x\n0,0\n1,1\n", NULL);
  HyPlotRun *b = add("b", "time,z\n0,0\n1,1\n", NULL);
  refused(TRUE, "a and b have no column of one name");
  b->table->column[0].v[1] = -1;
  refused(FALSE, "b: row 2: \"time\" goes back or is no number; several recordings are drawn over "
                 "one that goes on");
  b->table->column[0].v[1] = 1;
  g_free(b->table->column[0].name);
  b->table->column[0].name = g_strdup("ohm");
  refused(FALSE, "a is over \"time\", b over \"ohm\": draw them alone");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_lines_are_there_between_their_rows);
  RUN_TEST(test_both_sides_of_jumps_stay);
  RUN_TEST(test_events_hold_and_keep_their_units);
  RUN_TEST(test_what_cannot_be_joined_is_told);
  return UNITY_END();
}
