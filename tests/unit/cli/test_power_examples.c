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
  check_cvode("ev-charger", "0.303m", 1e-6);
  check_cvode("interleaved-buck", "160.3u", 1e-5);
  check_cvode("pv-grid", "10.1m", 3e-6);
  check_cvode("npc", "2.03m", 1e-6);
  check_cvode("mmc", "2.03m", 1e-6);
  check_cvode("inverter-pmsm", "23m", 1e-6);
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

/* One period of the mains from 180 ms on: what it gives, and to whom. */
static void test_the_charger_draws_a_sine_and_charges(void)
{
  g_autofree char *file = model("ev-charger"), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", file, "-o", "-"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_auto(GStrv) line = g_strsplit(out, "\n", -1);
  const guint first = 18001, n = 2000; /* behind the head; every 10 us */
  double power = 0, square = 0, link = 0, battery = 0;
  TEST_ASSERT_TRUE(g_strv_length(line) > first + n);
  for (guint k = first; k < first + n; k++) {
    g_auto(GStrv) field = g_strsplit(line[k], ",", -1);
    double t = g_ascii_strtod(field[0], NULL), i = g_ascii_strtod(field[1], NULL);
    power += 230 * sqrt(2) * sin(2 * G_PI * 50 * t) * i / n;
    square += i * i / n;
    link += g_ascii_strtod(field[2], NULL) / n;
    battery += g_ascii_strtod(field[3], NULL) / n;
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.02, 10, battery);
  TEST_ASSERT_DOUBLE_WITHIN(4, 400, link);
  TEST_ASSERT_TRUE(power / (230 * sqrt(square)) > 0.995);
  /* the battery's 330.5 V, its current, and losses of a few parts in 100 */
  TEST_ASSERT_TRUE(power > 1.02 * 3305 && power < 1.08 * 3305);
}

/* The ripple of the sum of N triangles; all coils together are 50 nH, and drops make 1.2 V a
 * little more, which is found in the duty. */
static void test_more_stages_have_less_ripple(void)
{
  for (guint n = 1; n <= 4; n++) {
    g_autofree char *file = model("interleaved-buck"), *out = NULL, *err = NULL;
    g_autofree char *set = g_strdup_printf("N=%u", n);
    const char *words[WORDS] = {"steady", file,    "--json",   "--set", set,
                                "--set",  "I2=40", "--period", "2u"};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
    const char *at = strstr(out, "\"power.total\", \"mean\": ");
    TEST_ASSERT_NOT_NULL_MESSAGE(at, out);
    double mean = g_ascii_strtod(at + strlen("\"power.total\", \"mean\": "), NULL);
    at = strstr(at, "\"rms\": ");
    TEST_ASSERT_NOT_NULL(at);
    double rms = g_ascii_strtod(at + strlen("\"rms\": "), NULL);
    /* D 12 V - (1 - D) 0.4 V = 1.2 V and what 40 A drop in coils and switches, 0.75 mOhm */
    double D = (1.2 + 30e-3 + 0.4) / (12 + 0.4), m = floor(n * D);
    double wanted = 12.4 * (n * D - m) * (m + 1 - n * D) / (n * n) * 2e-6 / 50e-9;
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 40, mean);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * wanted, wanted, sqrt(12 * (rms * rms - mean * mean)));
  }
}

/* Where the speed stays, the current makes the torque of load and friction, 3/2 p psi iq, and its
 * ripple is 0 where it is sampled. */
static void test_the_inverter_holds_speed_and_field(void)
{
  g_autofree char *file = model("inverter-pmsm");
  const char *words[WORDS] = {"run", file, "-o", "-", "--until", "0.5", "--grid", "1m"};
  guint n = 0;
  g_autofree double *row = last_row(words, &n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 100, row[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, row[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, (10 + 1e-3 * 100) / (1.5 * 4 * 0.3), row[3]);
}

/* The amplitude at 50 Hz of COLUMN over the last 20 ms of 100 ms. */
static double amplitude_of(const char *name, const char *set, const char *column)
{
  g_autofree char *file = model(name), *out = NULL, *err = NULL;
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename(dir, "run.csv", NULL);
  const char *words[WORDS] = {"run", file,     "-o",  csv,     "--until",
                              "0.1", "--grid", "10u", "--set", set};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_autoptr(HyTable) table = hy_table_read(csv, NULL);
  remove_folder(dir);
  guint c = 0;
  while (c < table->n && strcmp(table->column[c].name, column) != 0) {
    c++;
  }
  TEST_ASSERT_TRUE_MESSAGE(c < table->n, column);
  double a = 0, b = 0;
  for (gsize k = table->n_rows - 2000; k < table->n_rows; k++) {
    double angle = 2 * G_PI * 50 * table->column[0].v[k], v = table->column[c].v[k];
    a += v * cos(angle);
    b += v * sin(angle);
  }
  return sqrt(a * a + b * b) / 1000;
}

/* What a sine of modulation makes of half of the bus, behind resistance and coil; of an arm's coil
 * the load sees half. */
static void test_fundamentals_of_inverters_of_several_levels(void)
{
  double w = 2 * G_PI * 50, i = 0.9 * 300 / sqrt(10.002 * 10.002 + w * w * 25e-6);
  TEST_ASSERT_DOUBLE_WITHIN(3e-3 * i, i, amplitude_of("npc", "dead=0", "c/L[1].i"));
  i = 0.8 * 4000 / sqrt(20.154 * 20.154 + w * w * 225e-6);
  TEST_ASSERT_DOUBLE_WITHIN(5e-3 * i, i, amplitude_of("mmc", "N=8", "c/L.i"));
}

/* The current out of the panels of the example at V and full light, by Newton's method. */
static double panel_current(double v)
{
  double a = 1200 * 1.3 * 1.380649e-23 * 298.15 / 1.602176634e-19, rs = 6, rp = 6e3;
  double i0 = (9.2 * (1 + rs / rp) - 760 / rp) / (exp(760 / a) - exp(rs * 9.2 / a));
  double iph = 760 / rp + i0 * (exp(760 / a) - 1), i = 9;
  for (int k = 0; k < 50; k++) {
    double e = i0 * exp((v + rs * i) / a);
    i -= (iph - e + i0 - (v + rs * i) / rp - i) / (-e * rs / a - rs / rp - 1);
  }
  return i;
}

/* The tracker comes to the most that the panels can give, and the current of a phase has the phase
 * of its voltage. */
static void test_the_panels_give_what_they_can(void)
{
  g_autofree char *file = model("pv-grid"), *out = NULL, *err = NULL;
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename(dir, "run.csv", NULL);
  const char *words[WORDS] = {"run", file, "-o", csv, "--until", "0.28"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  g_autoptr(HyTable) table = hy_table_read(csv, NULL);
  remove_folder(dir);
  double most = 0, first, last, p = mean_of(table, 3, 1600, &first, &last), a = 0, b = 0;
  for (int v = 500; v < 700; v++) {
    most = MAX(most, v * panel_current(v));
  }
  TEST_ASSERT_DOUBLE_WITHIN(2e-3 * most, most, p);
  TEST_ASSERT_TRUE(p < most);
  for (gsize k = table->n_rows - 400; k < table->n_rows; k++) {
    double angle = 2 * G_PI * 50 * table->column[0].v[k];
    a += table->column[2].v[k] * cos(angle) / 200;
    b += table->column[2].v[k] * sin(angle) / 200;
  }
  TEST_ASSERT_DOUBLE_WITHIN(0.02 * a, 0, b);
  TEST_ASSERT_DOUBLE_WITHIN(0.03 * most, most, 1.5 * 325 * a); /* the bus takes and gives, too */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ends_are_those_of_cvode);
  RUN_TEST(test_the_thyristor_drive_keeps_torques_and_voltages);
  RUN_TEST(test_the_inverter_holds_speed_and_field);
  RUN_TEST(test_fundamentals_of_inverters_of_several_levels);
  RUN_TEST(test_the_panels_give_what_they_can);
  RUN_TEST(test_means_of_coils_and_capacitors);
  RUN_TEST(test_the_charger_draws_a_sine_and_charges);
  RUN_TEST(test_more_stages_have_less_ripple);
  return UNITY_END();
}
