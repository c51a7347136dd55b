/* Unknowns of formulas, by implicit, in all engines: values and slopes against closed forms, pieces
 * that are renewed, conditions, and formulas without a solution. */
#include "loop_run.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_the_diode_and_its_current(void)
{
  static const double rows[][3] = {{0.5, 0.499751426750, 0.000248573250},
                                   {1, 0.684494804387, 0.315505195613},
                                   {5, 0.751712488571, 4.248287511429},
                                   {10, 0.771767218992, 9.228232781008}};
  for (guint k = 0; k < 4 * G_N_ELEMENTS(engines); k++) {
    Run r;
    char e[HY_DOUBLE_SIZE];
    const double *row = rows[k % 4];
    g_autofree char *text =
        g_strdup_printf("<step name=\"e\" to=\"%s\"/>"
                        "<implicit name=\"v\" guess=\"0.6\" formula=\"v + 1*i - e\" "
                        "i=\"0\"/>" /* an input that is a number */
                        "<implicit name=\"d\" guess=\"0.6\" tolerance=\"1e-12\" formula=\"d + "
                        "1p*(exp(d/0.025852) - 1) - e\"/>"
                        "<function name=\"i\" formula=\"1p*(exp(d/0.025852) - 1)\"/>",
                        hy_double_text(e, row[0]));
    run(&r, text, "", engines[k / 4], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, row[0], said(&r, "v", 0, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, row[1], said(&r, "d", 0, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, row[2], said(&r, "i", 0, 1));
    clear(&r);
  }
}

/* The circuit of test_loops.c, and all methods: implicit ones and CVODE see the unknown as an
 * input. */
static void test_the_circuit_in_all_methods(void)
{
  static const struct {
    const char *method;
    double tolerance;
  } rows[] = {
      {"qss1", 5e-2},      {"qss2", 1e-3},        {"qss3", 1e-3},    {"liqss1", 5e-2},
      {"liqss2", 1e-3},    {"mliqss2", 1e-3},     {"mliqss3", 1e-3},
#ifdef HY_SUNDIALS
      {"cvode_bdf", 1e-3}, {"cvode_adams", 1e-3},
#endif
  };
  for (guint k = 0; k < G_N_ELEMENTS(rows) * G_N_ELEMENTS(engines); k++) {
    guint m = k / G_N_ELEMENTS(engines);
    Run r;
    char dq[HY_DOUBLE_SIZE];
    hy_double_text(dq, rows[m].tolerance / 50);
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"%s\" dqmin=\"%s\"", rows[m].method, dq, dq);
    run(&r,
        "<integrator name=\"iL\" in=\"(10 - uC - iC)/0.1\"/>"
        "<integrator name=\"uC\" in=\"iC/0.01\"/>"
        "<implicit name=\"iC\" formula=\"10 - uC - iC - 2*(iC - iL)\"/>",
        numerics, engines[k % 3], 0.1);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(rows[m].tolerance, 0.551435659,
                                      hy_sim_value(r.sim, find(&r, "iL"), 0.1), rows[m].method);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(rows[m].tolerance, 11.18699132,
                                      hy_sim_value(r.sim, find(&r, "uC"), 0.1), rows[m].method);
    clear(&r);
  }
}

#define PAIR                                                                                       \
  "<ramp name=\"u\" start=\"1\" duration=\"10\" height=\"10\"/>"                                   \
  "<implicit name=\"z\" unknowns=\"a, b\" guess=\"2.5, 0.5\" formula=\"a + b - s, a*b - 2\" "      \
  "s=\"3 + u\"/>"

/* a = (s + sqrt(s^2 - 8))/2, s = 3 + (t - 1); at t = 1 its derivatives are 2 and -4. */
static void test_two_unknowns_and_their_slopes(void)
{
  static const double z[2][3] = {{2, 2, -2}, {1, -1, 2}};
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    Run r;
    run(&r, PAIR, "", engines[k], 1);
    for (guint i = 0; i < 2; i++) {
      for (guint n = 0; n < 3; n++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, z[i][n], last(&r, "z", i)->c[n]);
      }
    }
    clear(&r);
  }
}

/* Nothing comes in after t = 1; the Taylor piece of then would be 3e1 off at t = 3. */
static void test_a_piece_is_renewed_before_it_leaves_the_solution(void)
{
  Run r;
  run(&r, PAIR, "dqrel=\"1e-5\" dqmin=\"1e-5\"", HY_FUSED, 1);
  for (int k = 1; k < 160; k++) {
    double t = 1 + 0.05 * k, s = 2 + t, a = (s + sqrt(s * s - 8)) / 2;
    TEST_ASSERT_TRUE(hy_sim_run(r.sim, t, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1.5e-5 * a, a, said(&r, "z", 0, t));
    TEST_ASSERT_DOUBLE_WITHIN(1.5e-5 * a, s - a, said(&r, "z", 1, t));
  }
  TEST_ASSERT_TRUE(last(&r, "z", 0)->words < 100);
  clear(&r);
}

/* Behind t' = 1, which never says another piece: at an inflection the coefficient that the piece
 * leaves out is 0. x is the integral of z. */
static void test_a_piece_is_renewed_where_its_coefficients_say_nothing(void)
{
  static const struct {
    const char *formula;
    double z, x; /* at 2 */
  } rows[] = {
      {"z - t^3", 8, 4},
      {"z + z^3 - t", 1, 1.25},
      {"z - sin(9*t)", -0.750987246771676, 0.0377424768150453},
      {"z - 1/(1 + exp(-20*(t - 1)))", 0.999999997938846, 1.00000000010306},
  };
  static const char *const methods[] = {"qss2", "qss3", "liqss2"};
  for (guint k = 0; k < G_N_ELEMENTS(rows) * G_N_ELEMENTS(methods); k++) {
    Run r;
    guint f = k / G_N_ELEMENTS(methods);
    g_autofree char *text = g_strdup_printf("<integrator name=\"t\" in=\"1\"/><integrator "
                                            "name=\"x\" in=\"z\"/><implicit name=\"z\" "
                                            "formula=\"%s\"/>",
                                            rows[f].formula);
    g_autofree char *numerics = g_strdup_printf("method=\"%s\"", methods[k % 3]);
    run(&r, text, numerics, engines[k % 3], 2);
    double w = 4e-3 * fmax(rows[f].z, 1);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(w, rows[f].z, said(&r, "z", 0, 2), rows[f].formula);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2 * w, rows[f].x, hy_sim_value(r.sim, find(&r, "x"), 2),
                                      rows[f].formula);
    clear(&r);
  }
}

/* z + 2 max(z, 0) = u: z = u below 0, u/3 above it; and copies of the block. */
static void test_conditions_change_at_their_instant(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    run(&r,
        "<ramp name=\"u\" start=\"0\" duration=\"6\" height=\"6\"/>"
        "<implicit name=\"z\" count=\"2\" formula=\"z[i] + 2*max(z[i], 0) - (u - i)\"/>",
        "", engines[e], 0.5);
    for (guint i = 1; i <= 2; i++) {
      g_autofree char *path = g_strdup_printf("z[%u]", i);
      TEST_ASSERT_TRUE(hy_sim_run(r.sim, i - 0.25, NULL));
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.25, said(&r, path, 0, i - 0.25));
      TEST_ASSERT_TRUE(hy_sim_run(r.sim, i + 0.5, NULL));
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, i, last(&r, path, 0)->t);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5 / 3, said(&r, path, 0, i + 0.5));
    }
    clear(&r);
  }
}

static void test_what_lasts_no_time_is_no_failure(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r; /* after a alone there is no solution */
    run(&r,
        "<step name=\"a\" at=\"0.5\" from=\"-1\" to=\"1\"/>"
        "<step name=\"b\" at=\"0.5\" from=\"0\" to=\"-3\"/>"
        "<implicit name=\"z\" formula=\"z^2 + a + b\" guess=\"1\"/>",
        "", engines[e], 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, sqrt(2), said(&r, "z", 0, 1));
    clear(&r);
  }
}

#define STEP "<step name=\"u\" at=\"0.5\"/>"

static void test_no_solution_is_an_error(void)
{
  fails(STEP "<implicit name=\"z\" formula=\"0*z + u\"/>",
        "z: the formula is singular: it does not determine out at out = 0; try to begin elsewhere, "
        "by guess at t = 0");
  fails(STEP "<implicit name=\"z\" unknowns=\"a, b\" formula=\"a + b - u, a + b - 2\"/>",
        "z: the formula is singular: it does not determine b at a = 0, b = 0; try to begin "
        "elsewhere, "
        "by guess at t = 0");
  fails(STEP "<implicit name=\"z\" formula=\"log(z) - u\" guess=\"-1\"/>",
        "z: the formula has no value at out = -1 at t = 0");
  fails(STEP "<implicit name=\"z\" formula=\"z^2 + u - 0.25\" guess=\"1\"/>",
        "z: no solution found in 27 iterations: the formula is 0.75 at out = 8.688206060752139e-09 "
        "at t "
        "= 0.5");
  fails(STEP "<implicit name=\"z\" formula=\"if(z > 0, z + 1, z - 1) + u\"/>",
        "z: each solution of the formula decides its conditions otherwise, as the one at out = -1 "
        "at t = "
        "0");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_diode_and_its_current);
  RUN_TEST(test_the_circuit_in_all_methods);
  RUN_TEST(test_two_unknowns_and_their_slopes);
  RUN_TEST(test_a_piece_is_renewed_before_it_leaves_the_solution);
  RUN_TEST(test_a_piece_is_renewed_where_its_coefficients_say_nothing);
  RUN_TEST(test_conditions_change_at_their_instant);
  RUN_TEST(test_what_lasts_no_time_is_no_failure);
  RUN_TEST(test_no_solution_is_an_error);
  return UNITY_END();
}
