/* The examples of power electronics: against CVODE, and against what holds of any steady state. */
#include "command.h"

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

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ends_are_those_of_cvode);
  RUN_TEST(test_means_of_coils_and_capacitors);
  return UNITY_END();
}
