/* The examples of power electronics: against CVODE, and against what holds of any steady state. */
#include "command.h"
#include "results/csv_read.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static char *model(const char *name)
{
  g_autofree char *path = g_strdup_printf("examples/power/%s/model.xml", name);
  return repository(path);
}

/* The numbers of the last row of what WORDS print; newly allocated. */
static double *last_row(const char *const *words, guint *n)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) field = g_strsplit(strrchr(g_strchomp(out), '\n') + 1, ",", -1);
  *n = g_strv_length(field);
  double *row = g_new0(double, *n);
  for (guint k = 0; k < *n; k++) {
    row[k] = g_ascii_strtod(field[k], NULL);
  }
  return row;
}

/* Methods that have nothing in common but the equations. */
static void check_cvode(const char *name, const char *until, double tolerance)
{
  g_autofree char *file = model(name);
  const char *chosen[WORDS] = {"run", file, "-o", "-", "--until", until, "--tol", "1e-6"};
  const char *cvode[WORDS] = {"run", file,       "-o",        "-",     "--until",
                              until, "--method", "cvode_bdf", "--tol", "1e-9"};
  guint n = 0, m = 0;
  g_autofree double *x = last_row(chosen, &n), *y = last_row(cvode, &m);
  TEST_ASSERT_EQUAL_UINT(m, n);
  double size = 0.0;
  for (guint k = 1; k < n; k++) {
    size = MAX(size, fabs(y[k]));
  }
  for (guint k = 1; k < n; k++) {
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance * size, y[k], x[k], name);
  }
}

/* The mean of PATH over a period of the steady state. */
static void check_mean(const char *name, const char *path, double wanted, double tolerance)
{
  g_autofree char *file = model(name), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"steady", file, "--json", "--record", path};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_autofree char *key = g_strdup_printf("\"%s\", \"mean\": ", path);
  const char *at = strstr(out, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, out);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, wanted, g_ascii_strtod(at + strlen(key), NULL),
                                    path);
}

static void test_ends_are_those_of_cvode(void)
{
#ifndef HY_SUNDIALS
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
  check_cvode("boost-pi", "1.003m", 1e-6);
  check_cvode("flyback", "1.003m", 1e-6);
  check_cvode("llc", "0.203m", 1e-6);
  check_cvode("rectifier", "100m", 1e-6);
  check_cvode("thyristor-drive", "203m", 1e-6);
}

/* No voltage stays at a coil, no current in a capacitor. */
static void test_means_of_coils_and_capacitors(void)
{
  check_mean("flyback", "fb/x.v", 48.0, 1e-9);
  check_mean("flyback", "fb/C.i", 0.0, 1e-9);
  check_mean("flyback", "fb/Cc.i", 0.0, 1e-9);
  check_mean("llc", "llc/C1.v", 200.0, 1e-9);
  check_mean("llc", "llc/L2.v", 0.0, 1e-9);
  check_mean("rectifier", "bridge/C.i", 0.0, 1e-9);
  check_mean("rectifier", "bridge/L[2].v", 0.0, 1e-7);
}

/* The mean of COLUMN over the last N rows of TABLE, by trapezia; *FIRST and *LAST are its ends. */
static double mean_of(const HyTable *table, guint column, gsize n, double *first, double *last)
{
  const double *v = table->column[column].v + table->n_rows - 1 - n;
  double sum = 0.5 * (v[0] + v[n]);
  for (gsize k = 1; k < n; k++) {
    sum += v[k];
  }
  *first = v[0];
  *last = v[n];
  return sum / (double)n;
}

/* The last period of the mains of a run whose speed is wanted to be WREF. */
static void run_drive(const char *wref, double *i, double *w, double *torque, double *alpha)
{
  g_autofree char *file = model("thyristor-drive"), *out = NULL, *err = NULL;
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename(dir, "run.csv", NULL);
  const char *words[WORDS] = {"run", file, "-o", csv, "--grid", "10u", "--set", wref};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_autoptr(HyTable) table = hy_table_read(csv, NULL);
  double first, last, w0, w1;
  *i = mean_of(table, 1, 2000, &first, &last);
  *w = mean_of(table, 2, 2000, &w0, &w1);
  *torque = 60 + 0.01 * *w + 0.3 * (w1 - w0) / 0.02;
  *alpha = mean_of(table, 3, 2000, &first, &last);
  remove_folder(dir);
}

/* k i = load + b w + J w'. Where more is wanted than the bridge can give, the angle stays at its
 * least, and the bridge gives Ud0 cos alpha without 3 omega Ll/pi i, which the lines take while
 * they hand the current over, and 2 (Rl + Ron) i: for Ra i + k w. */
static void test_the_thyristor_drive_keeps_torques_and_voltages(void)
{
  double i, w, torque, alpha;
  run_drive("wref=150", &i, &w, &torque, &alpha);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * torque, torque, 2.4 * i);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, 150, w);
  run_drive("wref=300", &i, &w, &torque, &alpha);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * torque, torque, 2.4 * i);
  TEST_ASSERT_EQUAL_DOUBLE(0.1, alpha);
  double given = 3 * sqrt(3) / G_PI * 325 * cos(alpha) - (300 * 0.3e-3 + 2 * 0.025) * i;
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * given, given, 0.4 * i + 2.4 * w);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ends_are_those_of_cvode);
  RUN_TEST(test_the_thyristor_drive_keeps_torques_and_voltages);
  RUN_TEST(test_means_of_coils_and_capacitors);
  return UNITY_END();
}
