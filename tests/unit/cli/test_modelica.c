/* hydevs export --modelica and --micromodelica: what is written is read by a second program
 * (modelica_run.h) and does what equations by hand and golden values say. */
#include "folder.h"
#include "hydevs/equations.h"
#include "hydevs/hydevs.h"
#include "modelica_run.h"

static char *export_of(const char *model, gboolean micro, const char *options)
{
  g_autofree char *line =
      g_strdup_printf("export %s %s %s", micro ? "--micromodelica" : "--modelica", model, options);
  g_auto(GStrv) words = g_strsplit(line, " ", -1);
  g_autofree char *err = NULL;
  char *out = NULL;
  TEST_ASSERT_EQUAL_MESSAGE(0, hydevs(NULL, (const char *const *)words, &out, &err), err);
  return out;
}

static Mo of_example(const char *example, gboolean micro, const char *options)
{
  g_autofree char *path = repository(example);
  g_autofree char *text = export_of(path, micro, options);
  Mo m;
  mo_read(&m, text);
  return m;
}

static Mo of_text(const char *inside, gboolean micro, const char *options)
{
  g_autofree char *path = g_build_filename(dir, "m.xml", NULL);
  g_autofree char *model =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s</hydevs>\n", inside);
  TEST_ASSERT_TRUE(g_file_set_contents(path, model, -1, NULL));
  g_autofree char *text = export_of(path, micro, options);
  Mo m;
  mo_read(&m, text);
  return m;
}

static void holds(Mo *m, const char *name, double expected, double relative)
{
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(relative * fabs(expected) + 1e-12, expected, mo_value(m, name),
                                    name);
}

/* The golden end values of the converter (CVODE by hand, 1e-10). */
static void test_the_buck_ends_where_it_should(void)
{
  for (int micro = 0; micro < 2; micro++) {
    Mo m = of_example("examples/thesis/buck/model.xml", micro, "-t 10m");
    mo_run(&m, 10e-3, 4000);
    holds(&m, "iL", 7.08824839, 1e-6);
    holds(&m, "uC", 3.75991143, 1e-6);
    mo_free(&m);
  }
}

/* One step of the Cuk converter as the thesis has it: x = iL1, iL2, uC1, uC2. */
static void cuk(const double *x, double Rs, double Rd, double *dx)
{
  double iD = (Rs * (x[0] + x[1]) - x[2]) / (Rs + Rd);
  dx[0] = (24 - x[2] - Rd * iD) / 0.01;
  dx[1] = (-x[3] - Rd * iD) / 0.01;
  dx[2] = (iD - x[1]) / 0.01;
  dx[3] = (x[1] - x[3] / 10) / 0.01;
}

static void cuk_step(double *x, double h, double Rs, double Rd)
{
  double k[4][4], y[4];
  const double part[] = {0.0, 0.5, 0.5, 1.0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 4; i++) {
      y[i] = x[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0.0);
    }
    cuk(y, Rs, Rd, k[s]);
  }
  for (int i = 0; i < 4; i++) {
    x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* Beside a loop by hand: the diode conducts while its current is above 0. */
static void test_the_cuk_converter_by_hand(void)
{
  enum { STEPS = 800 };
  double x[4] = {0.0}, Rd = 1e5;
  for (int k = 0; k < STEPS; k++) {
    double Rs = k % 40 < 14 ? 0.05 : 1e5;
    Rd = Rs * (x[0] + x[1]) - x[2] > 0.0 ? 0.05 : 1e5;
    cuk_step(x, 2.5e-6, Rs, Rd);
  }
  for (int micro = 0; micro < 2; micro++) {
    Mo m = of_example("examples/thesis/cuk/model.xml", micro, "--set Ron=0.05 -t 3m");
    const char *const name[] = {"iL1", "iL2", "uC1", "uC2"};
    mo_run(&m, 2.5e-6 * STEPS, STEPS);
    for (int i = 0; i < 4; i++) {
      holds(&m, name[i], x[i], 1e-9);
    }
    mo_free(&m);
  }
}

static double uniform(guint64 *seed, double from, double to)
{
  *seed = *seed * 6364136223846793005U + 1442695040888963407U;
  return from + (to - from) * ((double)(*seed >> 11) * 0x1p-53);
}

/* ADR by its published formula: a = 1, d = 0.001, r = 1000, dx = 10/N, inflow 1. */
static void test_adr_is_its_formula(void)
{
  enum { N = 20 };
  const double a = 1.0, d = 0.001, r = 1000.0, dx = 10.0 / N;
  double u[N + 2];
  for (int micro = 0; micro < 2; micro++) {
    Mo m = of_example("examples/thesis/adr/model.xml", micro, "--set N=20 -t 1");
    guint64 seed = 1;
    u[0] = 1.0;
    for (int i = 1; i <= N; i++) {
      g_autofree char *name = g_strdup_printf("u[%d]", i);
      u[i] = uniform(&seed, 0.0, 1.2);
      mo_set(&m, name, u[i]);
    }
    u[N + 1] = u[N - 1];
    mo_equations(&m);
    for (int i = 1; i <= N; i++) {
      g_autofree char *name = g_strdup_printf("der u[%d]", i);
      double f = -a * (u[i] - u[i - 1]) / dx + d * (u[i + 1] - 2 * u[i] + u[i - 1]) / (dx * dx) +
                 r * (u[i] * u[i] - u[i] * u[i] * u[i]);
      holds(&m, name, f, 1e-12);
    }
    mo_free(&m);
  }
}

static void test_every_function(void)
{
  Mo m = of_text(
      "<sine name=\"s\" frequency=\"3\" phase=\"0.2\" offset=\"1.5\" amplitude=\"-2\"/>\n"
      "<ramp name=\"r\" duration=\"10\"/>\n"
      "<integrator name=\"x\" x0=\"0.3\" in=\"if(y &gt; 0.2, 1 - x, -x^3) - x*y^-2 - -3*x*-y\"/>\n"
      "<integrator name=\"y\" x0=\"0.7\" in=\"sin(x) + cos(y) + exp(-y^2) + sqrt(y) + log(y) + "
      "log10(y) + tan(x)/3 + asin(x/9) + acos(x/9) + atan(x) + atan2(x, y) + sinh(x) + cosh(y) + "
      "tanh(x) + wlog(x) + abs(x - y) + y^1.5 + y^(x^y) + min(x, y) - s*r\"/>\n"
      "<integrator name=\"z\" count=\"40\" x0=\"i/40\" in=\"mean.out - z[i]\"/>\n"
      "<function name=\"mean\" formula=\"mean(z[*])\"/>\n",
      FALSE, "-t 1n -m cvode_bdf");
  const double t = 0.35, x = 0.8, y = 1.3, w = 0.3573, s = 1.5 - 2.0 * sin(6 * G_PI * t + 0.2);
  mo_set(&m, "x", x);
  mo_set(&m, "y", y);
  m.time = t;
  mo_settle(&m);
  double lo = -10, hi = 10;
  for (int k = 0; k < 100; k++) {
    double v = (lo + hi) / 2;
    *(v + exp(v) > x ? &hi : &lo) = v;
  }
  TEST_ASSERT_FALSE(fabs(lo - w) > 1.0);
  holds(&m, "der x", 1 - x - x / (y * y) - 3 * x * y, 1e-12);
  holds(&m, "der y",
        sin(x) + cos(y) + exp(-y * y) + sqrt(y) + log(y) + log10(y) + tan(x) / 3 + asin(x / 9) +
            acos(x / 9) + atan(x) + atan2(x, y) + sinh(x) + cosh(y) + tanh(x) + lo + fabs(x - y) +
            pow(y, 1.5) + pow(y, pow(x, y)) + x - s * t / 10,
        1e-12);
  holds(&m, "der z[7]", 20.5 / 40 - 7.0 / 40, 1e-12);
  mo_free(&m);
}

/* A side of a choice that has no value is not evaluated: no variable of its own, though used twice.
 */
static void test_a_root_stays_on_its_side(void)
{
  Mo m = of_text(
      "<integrator name=\"x\" x0=\"1\" in=\"if(x &gt; 0, -sqrt(x)*(1 + sqrt(x)), 0.5)\"/>\n", FALSE,
      "-t 1");
  mo_set(&m, "x", -1.0);
  mo_settle(&m);
  holds(&m, "der x", 0.5, 0.0);
  mo_set(&m, "x", 4.0);
  mo_settle(&m);
  holds(&m, "der x", -6.0, 1e-15);
  mo_free(&m);
}

/* x' = +-1 between two levels, from below: a triangle. */
static void test_a_latch(void)
{
  for (int micro = 0; micro < 2; micro++) {
    Mo m = of_text("<hysteresis name=\"h\" in=\"x\" lower=\"-0.2\" upper=\"0.2\" low=\"1\" "
                   "high=\"-1\"/>\n<integrator name=\"x\" in=\"h\"/>\n",
                   micro, "-t 3");
    mo_run(&m, 0.55, 5500); /* up to 0.2, down to -0.15 */
    TEST_ASSERT_DOUBLE_WITHIN(3e-4, -0.15, mo_value(&m, "x"));
    mo_free(&m);
  }
}

/* The integrals of sources against closed forms. */
static void test_sources(void)
{
  for (int micro = 0; micro < 2; micro++) {
    Mo m = of_text("<square name=\"q\" low=\"0\" high=\"0.5\" frequency=\"1\"/>\n"
                   "<triangle name=\"w\" frequency=\"1\" low=\"0\" high=\"1\"/>\n"
                   "<constant name=\"c\" value=\"-3\"/>\n"
                   "<step name=\"s\" at=\"0.25\" to=\"4\" from=\"0\"/>\n"
                   "<integrator name=\"Q\" in=\"q\"/><integrator name=\"W\" in=\"w\"/>\n"
                   "<integrator name=\"C\" in=\"c\"/><integrator name=\"S\" in=\"s\"/>\n"
                   "<integrator name=\"T\" in=\"t\"/>\n",
                   micro, "-t 8");
    mo_run(&m, 7.5, 3000);
    holds(&m, "Q", 0.25 * 7 + 0.25, 1e-9);
    holds(&m, "W", 7.5 * 0.5, 1e-9);
    holds(&m, "C", -22.5, 1e-9);
    holds(&m, "S", 7.25 * 4, 1e-9);
    holds(&m, "T", 7.5 * 7.5 / 2, 1e-9);
    mo_free(&m);
  }
}

/* A period of ten words, and ten words that do not come again: tables. */
static void test_tables(void)
{
  Mo m = of_text("<generator name=\"g\" period=\"0.25\" values=\"1, 3, 2, 5, 4, 9, 8, 7, 6, 0\" "
                 "repeat=\"true\"/>\n"
                 "<generator name=\"f\" period=\"0.25\" values=\"1, 3, 2, 5, 4, 9, 8, 7, 6, 0\"/>\n"
                 "<integrator name=\"x\" in=\"g\"/><integrator name=\"y\" in=\"f\"/>\n",
                 FALSE, "-t 12");
  mo_run(&m, 10.5, 210);
  holds(&m, "x", 4 * 45 * 0.25 + 0.25 + 0.75, 1e-9);
  holds(&m, "y", 45 * 0.25, 1e-9);
  mo_free(&m);
}

static void refuses(const char *inside, const char *option, const char *reason)
{
  g_autofree char *path = g_build_filename(dir, "m.xml", NULL);
  g_autofree char *model =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s</hydevs>\n", inside);
  TEST_ASSERT_TRUE(g_file_set_contents(path, model, -1, NULL));
  const char *words[] = {"export", option, path, "-t", "4", NULL};
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_MESSAGE(1, hydevs(NULL, words, &out, &err), inside);
  TEST_ASSERT_EQUAL_STRING("", out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, reason), err);
}

static void test_what_is_refused(void)
{
  refuses("<integrator name=\"x\" x0=\"1\" in=\"if(x &gt; 0, sqrt(x), 1)\"/>\n", "--micromodelica",
          "x: one side of a choice has no finite value everywhere");
  refuses("<integrator name=\"x\" x0=\"1\" in=\"wlog(x)\"/>\n", "--micromodelica",
          "x: MicroModelica has no function wlog");
  refuses("<random name=\"r\" period=\"1m\"/><integrator name=\"x\" in=\"r\"/>\n",
          "--micromodelica", "r: it says more than 1000 words that do not come again");
  refuses("<constant name=\"c\" value=\"1\"/>\n", "--modelica", "m: there are no equations");
}

/* Words of the language and names that become one are told apart. */
static void test_names(void)
{
  Mo m = of_text("<integrator name=\"when\" in=\"1 + der\"/><integrator name=\"der\" in=\"2\"/>\n"
                 "<coupled name=\"p\" count=\"3\"><integrator name=\"q\" in=\"3\"/></coupled>\n"
                 "<integrator name=\"p_q\" in=\"4\"/>\n"
                 "<integrator name=\"wlog_slope\" in=\"5\"/>\n",
                 FALSE, "-t 1");
  mo_settle(&m);
  holds(&m, "der when_2", 1, 0.0);
  holds(&m, "der der_2", 2, 0.0);
  holds(&m, "der p_q[3]", 3, 0.0);
  holds(&m, "der p_q_2", 4, 0.0);
  holds(&m, "der wlog_slope_2", 5, 0.0);
  mo_free(&m);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_buck_ends_where_it_should);
  RUN_TEST(test_the_cuk_converter_by_hand);
  RUN_TEST(test_adr_is_its_formula);
  RUN_TEST(test_every_function);
  RUN_TEST(test_a_root_stays_on_its_side);
  RUN_TEST(test_a_latch);
  RUN_TEST(test_sources);
  RUN_TEST(test_tables);
  RUN_TEST(test_what_is_refused);
  RUN_TEST(test_names);
  return UNITY_END();
}
