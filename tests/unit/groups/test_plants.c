/* The systems of the courses on integration and on simulators of plants as diagrams: every method
 * that is fit for one gives the numbers of its table, which were found without hydevs (closed
 * forms, and solvers of order 5 and more at 1e-12). */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  const char *method, *tol;
  double within; /* of every number */
} Way;

typedef struct {
  double t;
  double value[4];
} Row;

typedef struct {
  const char *inside, *states[5];
  const Way *way; /* ends with NULL */
  const Row *row;
  guint rows;
} System;

static gboolean is_there(const char *method)
{
#ifdef HY_SUNDIALS
  (void)method;
  return TRUE;
#else
  return !g_str_has_prefix(method, "cvode");
#endif
}

static HyLoaded *load(const System *s, const Way *way)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s\n<experiment stop=\"1\" "
                      "method=\"%s\" dqrel=\"%s\" dqmin=\"%s\"/></hydevs>\n",
                      s->inside, way->method, way->tol, way->tol);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

static double value_of(HySim *sim, const char *path, double t)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
  return hy_sim_value(sim, atomic, t);
}

static void check_way(const System *s, const Way *way)
{
  g_autoptr(GError) error = NULL;
  HyLoaded *loaded = load(s, way);
  HySim *sim = hy_sim_new(hy_loaded_model(loaded), HY_FUSED, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error));
  for (guint k = 0; k < s->rows; k++) {
    const Row *row = &s->row[k];
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(sim, row->t, &error), error != NULL ? error->message : "");
    for (guint i = 0; s->states[i] != NULL; i++) {
      double got = value_of(sim, s->states[i], row->t);
      g_autofree char *who = g_strdup_printf("%s by %s at %g: %.10g, not %.10g", s->states[i],
                                             way->method, row->t, got, row->value[i]);
      TEST_ASSERT_TRUE_MESSAGE(fabs(got - row->value[i]) <= way->within, who);
    }
  }
  hy_sim_free(sim);
  hy_loaded_free(loaded);
}

static void check(const System *s)
{
  for (const Way *way = s->way; way->method != NULL; way++) {
    if (is_there(way->method)) {
      check_way(s, way);
    }
  }
}

#define ROWS(table) .row = (table), .rows = G_N_ELEMENTS(table)

/* x' = -3 x^3 + t. */
static void test_the_first_example_of_the_course(void)
{
  static const Row rows[] = {
      {0.1, {0.7946753}}, {0.2, {0.6890891}}, {0.5, {0.5801370}}, {1, {0.63681564380197}}};
  static const Way ways[] = {{"qss3", "1e-6", 5e-6},
                             {"liqss2", "1e-5", 5e-5},
                             {"cvode_adams", "1e-9", 1e-6},
                             {"cvode_bdf", "1e-9", 1e-6},
                             {NULL}};
  check(&(System){"<ramp name=\"r\" duration=\"2\" height=\"2\"/>"
                  "<integrator name=\"x\" x0=\"1\" in=\"-3*x^3 + r\"/>",
                  {"x"},
                  ways,
                  ROWS(rows)});
}

/* x'' + 1001 x' + 1000 x = 0 and x'' + 2 x' + 10001 x = 0, at the end of the course's runs. */
static void test_stiff_examples(void)
{
  static const Row slow[] = {{5, {6.744691691}}};
  static const Way stiff[] = {
      {"liqss2", "1e-4", 2e-2}, {"mliqss2", "1e-4", 2e-2}, {"cvode_bdf", "1e-8", 1e-4}, {NULL}};
  check(&(System){"<integrator name=\"x\" x0=\"1000\" in=\"v\"/>"
                  "<integrator name=\"v\" in=\"-1001*v - 1000*x\"/>",
                  {"x"},
                  stiff,
                  ROWS(slow)});
  static Row fast[] = {{1, {0}}, {2, {0}}, {5, {0}}};
  for (guint k = 0; k < G_N_ELEMENTS(fast); k++) {
    double t = fast[k].t;
    fast[k].value[0] = exp(-t) * (cos(100 * t) + 0.01 * sin(100 * t));
  }
  static const Way oscillating[] = {{"qss3", "1e-6", 2e-4}, {"cvode_bdf", "1e-9", 2e-5}, {NULL}};
  check(&(System){"<integrator name=\"x\" x0=\"1\" in=\"v\"/>"
                  "<integrator name=\"v\" in=\"-2*v - 10001*x\"/>",
                  {"x"},
                  oscillating,
                  ROWS(fast)});
}

static const Way smooth[] = {
    {"qss3", "1e-6", 5e-5}, {"liqss2", "1e-6", 5e-5}, {"cvode_adams", "1e-9", 1e-6}, {NULL}};

/* Systems (25), (32) and (39) of the thesis on simulators: two time scales. */
static void test_two_time_scales(void)
{
  static Row plain[] = {{0.05, {0}}, {0.4, {0}}, {1, {0}}};
  for (guint k = 0; k < G_N_ELEMENTS(plain); k++) {
    double quick = exp(-25 * plain[k].t);
    plain[k].value[0] = 10 * quick;
    plain[k].value[1] = -1.5 * quick + 3 * exp(-5 * plain[k].t);
  }
  check(&(System){"<integrator name=\"y1\" x0=\"10\" in=\"-25*y1\"/>"
                  "<integrator name=\"y2\" x0=\"1.5\" in=\"3*y1 - 5*y2\"/>",
                  {"y1", "y2"},
                  smooth,
                  ROWS(plain)});
  static const Row mixed[] = {{0.05, {-1.290790902, -6.748496043}},
                              {0.1, {-3.606393253, -7.523931354}},
                              {0.5, {-0.692910384, -1.196907477}}};
  check(&(System){"<integrator name=\"y1\" x0=\"10\" in=\"-45.3912*y1 + 23.3844*y2\"/>"
                  "<integrator name=\"y2\" x0=\"1.5\" in=\"-35.221*y1 + 15.3912*y2\"/>",
                  {"y1", "y2"},
                  smooth,
                  ROWS(mixed)});
  static const Row driven[] = {{0.1, {0.1139845814, 0.6894491748}},
                               {0.5, {0.0031071192, 0.1026378824}},
                               {1, {0.0143043805, 0.0123920527}},
                               {2, {0.0311869173, 0.0193721648}},
                               {4, {-0.0220872892, 0.0401083347}}};
  check(&(System){"<sine name=\"fast\" frequency=\"10/pi\"/><sine name=\"slow\" "
                  "frequency=\"0.025/pi\"/>"
                  "<integrator name=\"y1\" x0=\"1\" in=\"-25*y1 + fast\"/>"
                  "<integrator name=\"y2\" x0=\"1\" in=\"3*y1 - 5*y2 + slow\"/>",
                  {"y1", "y2"},
                  smooth,
                  ROWS(driven)});
}

static const Way plants[] = {{"qss3", "1e-6", 2e-5},
                             {"liqss2", "1e-6", 2e-5},
                             {"cvode_bdf", "1e-8", 2e-5},
                             {"cvode_adams", "1e-8", 2e-5},
                             {NULL}};

/* II.4.1, equations 6 and 7. */
static void test_three_tanks_and_their_controller(void)
{
  static const Row rows[] = {{1, {0.45588832, 0.21250753, 0.10195047, -0.00057434}},
                             {2, {0.43415726, 0.21981545, 0.10650877, -0.00488334}},
                             {5, {0.41086047, 0.19858527, 0.10024015, -0.01882648}},
                             {10, {0.40702782, 0.19978141, 0.09997456, -0.02709205}},
                             {20, {0.40218700, 0.20019431, 0.09997811, -0.03216163}},
                             {30, {0.40054058, 0.20009683, 0.10000188, -0.03311143}}};
  check(&(System){"<function name=\"e\" formula=\"0.1 - c3\"/>"
                  "<integrator name=\"c1\" x0=\"0.4\" in=\"(1 + 30*(e + I/5))/2 - c1\"/>"
                  "<integrator name=\"c2\" x0=\"0.2\" in=\"c1/2 - c2\"/>"
                  "<integrator name=\"c3\" x0=\"0.1\" in=\"c2/2 - c3\"/>"
                  "<integrator name=\"I\" in=\"e\"/>",
                  {"c1", "c2", "c3", "I"},
                  plants,
                  ROWS(rows)});
}

/* II.4.2, equations 8 and 9: a valve that does not open further than it can, a goal that changes.
 */
static void test_the_pressure_of_a_pipe(void)
{
  static const Row rows[] = {{0.05, {0.02243056, 0.71981430, 0.32231786, 0.17688224}},
                             {0.1, {0.03039233, 0.58337424, 0.53216383, 0.46744366}},
                             {0.2, {0.02926665, 0.48165513, 0.49199652, 0.50002455}},
                             {0.4, {0.02997525, 0.49964007, 0.49989317, 0.49992547}},
                             {1.05, {0.03448611, 0.64396285, 0.56446354, 0.53537641}},
                             {1.1, {0.03607846, 0.61667484, 0.60643275, 0.59348871}},
                             {1.2, {0.03585333, 0.59633102, 0.59839930, 0.60000490}},
                             {1.6, {0.03599970, 0.59999932, 0.59999778, 0.59999612}}};
  check(&(System){"<step name=\"SP\" from=\"0.5\" to=\"0.6\" at=\"1\"/>"
                  "<function name=\"e\" formula=\"SP - z\"/>"
                  "<integrator name=\"I\" in=\"e\"/>"
                  "<integrator name=\"x\" in=\"v\"/>"
                  "<integrator name=\"v\" in=\"1e4*(e + I/0.06 - x) - 140*v\"/>"
                  "<integrator name=\"y\" in=\"(limit(x, 0, 1) - y)/0.05\"/>"
                  "<integrator name=\"z\" in=\"(y - z)/0.02\"/>",
                  {"I", "x", "y", "z"},
                  plants,
                  ROWS(rows)});
}

/* VI, equations 9 and 10: density and enthalpy of steam, whose pressure opens a valve. */
static void test_a_superheater(void)
{
  static const Row rows[] = {{1, {3.18407524, 1466.181204}},
                             {10, {3.29616479, 1484.860700}},
                             {50, {3.40581539, 1476.572712}},
                             {200, {3.50368369, 1462.574696}}};
  static const Way ways[] = {{"qss3", "1e-9", 1e-3},
                             {"liqss3", "1e-8", 5e-3},
                             {"cvode_bdf", "1e-9", 1e-3},
                             {"cvode_adams", "1e-9", 1e-3},
                             {NULL}};
  check(&(System){"<function name=\"P\" formula=\"-291.36 - 964.04*rho + 0.2178*h + "
                  "1.1815*rho*h\"/>"
                  "<function name=\"W\" formula=\"0.3203046883*0.9*P\"/>"
                  "<integrator name=\"rho\" x0=\"3.16\" in=\"(780 - W)/3000\"/>"
                  "<integrator name=\"h\" x0=\"1461\" in=\"(1100*760 + 420*20 + 295180 - "
                  "h*W)/20000\"/>",
                  {"rho", "h"},
                  ways,
                  ROWS(rows)});
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_first_example_of_the_course);
  RUN_TEST(test_stiff_examples);
  RUN_TEST(test_two_time_scales);
  RUN_TEST(test_three_tanks_and_their_controller);
  RUN_TEST(test_the_pressure_of_a_pipe);
  RUN_TEST(test_a_superheater);
  return UNITY_END();
}
