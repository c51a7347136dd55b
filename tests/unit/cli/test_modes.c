/* hydevs modes against closed forms: eigenvalues, participation and the suggested partition. */
#define TOLERANCE "1e-6"
#include "small_model.h"

#include <math.h>
#include <stdlib.h>

/* With up to three more words, NULL at the end. */
static char *shown(const char *a, const char *b, const char *c)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  int status = hydevs(dir, (const char *[WORDS]){"modes", file, a, b, c}, &out, &err);
  TEST_ASSERT_EQUAL_STRING("", err);
  TEST_ASSERT_EQUAL_INT(0, status);
  return out;
}

/* The line of mode K says REAL and IMAGINARY. */
static void expect_mode(const char *out, guint k, double real, double imaginary)
{
  g_autofree char *start = g_strdup_printf("\n  %4u ", k);
  const char *line = strstr(strstr(out, "\nModes, "), start);
  TEST_ASSERT_NOT_NULL_MESSAGE(line, out);
  char *end;
  double close = 1e-5 * hypot(real, imaginary);
  TEST_ASSERT_DOUBLE_WITHIN(close, real, strtod(line + strlen(start), &end));
  TEST_ASSERT_DOUBLE_WITHIN(close, imaginary, strtod(end, NULL));
}

#define TWO_MASSES                                                                                 \
  "<integrator name=\"x1\" in=\"v1\" x0=\"1\"/>"                                                   \
  "<integrator name=\"v1\" in=\"-2*x1 + x2\"/>"                                                    \
  "<integrator name=\"x2\" in=\"v2\"/>"                                                            \
  "<integrator name=\"v2\" in=\"x1 - 2*x2\"/>"

/* Two masses between three springs of 1: omega = sqrt 3 and 1; both move alike in both. */
static void test_two_masses(void)
{
  model(TWO_MASSES);
  g_autofree char *out = shown(NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_STRING(
      "m: 4 states at t = 0\n"
      "\n"
      "Modes, the fastest first\n"
      "  mode          real     imaginary time constant     frequency       damping\n"
      "     1             0       1.73205             -      0.275664             0\n"
      "     2             0      -1.73205             -      0.275664             0\n"
      "     3             0             1             -      0.159155             0\n"
      "     4             0            -1             -      0.159155             0\n"
      "\n"
      "Participation of states in modes, above 0.05\n"
      "  mode                  1      2      3      4\n"
      "  x1                 0.25   0.25   0.25   0.25\n"
      "  v1                 0.25   0.25   0.25   0.25\n"
      "  x2                 0.25   0.25   0.25   0.25\n"
      "  v2                 0.25   0.25   0.25   0.25\n"
      "\n"
      "No partition is suggested: no modes are 4 times as fast as the others and belong to as many "
      "states\n",
      out);
}

/* Systems (25) and (32) of the multirate thesis: nearly the same eigenvalues; only one divides. */
static void test_fast_and_slow_states_are_told_apart(void)
{
  model("<integrator name=\"y1\" in=\"-25*y1\" x0=\"10\"/>"
        "<integrator name=\"y2\" in=\"3*y1 - 5*y2\" x0=\"1.5\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL);
  expect_mode(out, 1, -25, 0);
  expect_mode(out, 2, -5, 0);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "  y1                 1.00      .\n"
                  "  y2                    .   1.00\n"
                  "\n"
                  "Suggested partition: the fast modes are 5 times as fast as the others\n"
                  "  fast: y1\n"
                  "  slow: y2\n"),
      out);
}

/* As an integral controller that is at its limit: its mode is 0, and no mode is so many times as
 * fast. */
static void test_modes_beside_a_mode_of_0_are_fast(void)
{
  model("<integrator name=\"y1\" in=\"-25*y1\" x0=\"10\"/><integrator name=\"y2\" in=\"1\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out,
                                      "\nSuggested partition: all modes but the fast ones are 0\n"
                                      "  fast: y1\n"
                                      "  slow: y2\n"),
                               out);
}

static void test_what_does_not_divide_is_not_divided(void)
{
  model("<integrator name=\"y1\" in=\"-45.3912*y1 + 23.3844*y2\" x0=\"10\"/>"
        "<integrator name=\"y2\" in=\"-35.221*y1 + 15.3912*y2\" x0=\"1.5\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "  y1                 2.02   1.02\n"
                  "  y2                 1.02   2.02\n"
                  "\n"
                  "No partition is suggested: in each a state takes part with 1.02 or more in "
                  "modes of the other class; 0.1 is the limit\n"),
      out);
}

/* The circuit of the course notes, figure 7, with both pairs of resistors. */
static void test_the_circuit_of_the_notes(void)
{
  model("<param name=\"R1\" value=\"1\"/><param name=\"R2\" value=\"2\"/>"
        "<integrator name=\"F\" in=\"R2*iR2\"/>"
        "<integrator name=\"Q\" in=\"F/0.1 + iR2\"/>"
        "<function name=\"iR2\" "
        "formula=\"(10 - Q/0.01 - R1*F/0.1)/(R1 + R2)\"/>");
  g_autofree char *slow = shown(NULL, NULL, NULL);
  expect_mode(slow, 1, -20, sqrt(800.0 / 3));
  expect_mode(slow, 2, -20, -sqrt(800.0 / 3));
  g_autofree char *fast = shown("--set=R1=2", "--set=R2=1", NULL);
  expect_mode(fast, 1, -20 - sqrt(200.0 / 3), 0);
  expect_mode(fast, 2, -20 + sqrt(200.0 / 3), 0);
}

/* Experiment 1 of the multirate thesis, table 1, as the design page has recomputed it: three rates,
 * and sum modes that are spread over all states where a is not 0. */
static void test_the_six_equations_of_the_multirate_thesis(void)
{
  model("<param name=\"a\" value=\"1\"/>"
        "<integrator name=\"y1\" in=\"-50*y1 + 49*y2 + a*(y3 + y4 + y5 + y6)\"/>"
        "<integrator name=\"y2\" in=\"49*y1 - 50*y2 + a*(y3 + y4 + y5 + y6)\"/>"
        "<integrator name=\"y3\" in=\"y1 + y2 - 5*y3 + 4*y4 + a*(y5 + y6)\"/>"
        "<integrator name=\"y4\" in=\"y1 + y2 + 4*y3 - 5*y4 + a*(y5 + y6)\"/>"
        "<integrator name=\"y5\" in=\"y1 + y2 + y3 + y4 - y5\"/>"
        "<integrator name=\"y6\" in=\"y1 + y2 + y3 + y4 - y6\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL), *weak = shown("--set=a=0.1", NULL, NULL);
  expect_mode(out, 1, -99, 0);
  expect_mode(out, 2, -9, 0);
  expect_mode(out, 6, -1, 0);
  TEST_ASSERT_NOT_NULL(
      strstr(out, "  y1                 0.50      .   0.17   0.17   0.17      .\n"));
  TEST_ASSERT_NOT_NULL(strstr(weak, "\n     3       -1.6796      0.430788 "));
  TEST_ASSERT_NOT_NULL(strstr(weak, "\n     6      0.359205             0       2.78393 "));
}

/* x' through blocks that many rows share: d u_i' / d u_j = 2 sum(u) - [i = j], sum(u) = 1. */
static void test_what_rows_share_is_followed_on_all_engines(void)
{
  static const char *const engines[] = {"--engine=tree", "--engine=flat", "--engine=fused"};
  model("<integrator name=\"u\" count=\"40\" in=\"square - u[i]\" x0=\"1/40\"/>"
        "<sum name=\"all\" in=\"u[*]\"/>"
        "<function name=\"square\" formula=\"all*all\"/>");
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *out = shown(engines[k], NULL, NULL);
    expect_mode(out, 1, 79, 0);
    expect_mode(out, 2, -1, 0);
    expect_mode(out, 40, -1, 0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  grows\n"), out);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "\n  40 states in no mode as much\n"), out);
  }
}

/* x' = 1 - x^2 from 0.5 is tanh(t + atanh 0.5), d x' / d x = -2 x; a pulse sets the switch at 1. */
static void test_the_jacobian_is_that_of_the_instant(void)
{
  model("<pulse name=\"p\" start=\"1\" end=\"2\"/>"
        "<switch name=\"R\" control=\"p\" on=\"100\" off=\"7\" level=\"0.5\"/>"
        "<integrator name=\"x\" in=\"1 - x^2\" x0=\"0.5\"/>"
        "<integrator name=\"y\" in=\"-R*y\" x0=\"1\"/>");
  g_autofree char *start = shown(NULL, NULL, NULL);
  expect_mode(start, 1, -7, 0);
  expect_mode(start, 2, -1, 0);
  g_autofree char *later = shown("--at", "0.5", NULL);
  expect_mode(later, 1, -7, 0);
  expect_mode(later, 2, -2 * tanh(0.5 + atanh(0.5)), 0);
  g_autofree char *open = shown("--at", "1500m", NULL);
  expect_mode(open, 1, -100, 0);
  expect_mode(open, 2, -2 * tanh(1.5 + atanh(0.5)), 0);
  TEST_ASSERT_TRUE(g_str_has_prefix(open, "m: 2 states at t = 1.5\n"));
}

/* Whoever integrates, and by whatever engine: the van der Pol oscillator at 3, where classic RK4
 * with h = 1e-4 has x = -1.8660739110610778, v = -1.0210603401958587; J = [0 1; -1 - 2 x v, 1 -
 * x^2]. */
static void test_every_method_leaves_a_jacobian(void)
{
  static const char *const methods[] = {"--method=qss3", "--method=liqss2", "--method=mliqss3"};
  static const char *const engines[] = {"--engine=tree", "--engine=flat", "--engine=fused"};
  model("<integrator name=\"x\" in=\"v\" x0=\"2\"/>"
        "<integrator name=\"v\" in=\"(1 - x^2)*v - x\"/>");
  for (guint k = 0; k < G_N_ELEMENTS(methods) * G_N_ELEMENTS(engines); k++) {
    g_autofree char *out = shown(methods[k % 3], engines[k / 3], "--at=3");
    expect_mode(out, 1, -1.2411159207713935, 1.8084190322281661);
    expect_mode(out, 2, -1.2411159207713935, -1.8084190322281661);
  }
}

/* A double integrator has no second eigenvector; the sum over the equal eigenvalues is unique. */
static void test_equal_eigenvalues_share_their_participation(void)
{
  model("<integrator name=\"x\" in=\"v\"/><integrator name=\"v\" in=\"1\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "     1             0             0             -             -             -\n"
                  "     2             0             0             -             -             -\n"),
      out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "  x                  0.50   0.50\n"
                                           "  v                  0.50   0.50\n"),
                               out);
}

/* x' = -z with z = x/2, solved by a loop_breaker: -1/2 is not seen, and that is said. */
static void test_what_stands_still_though_it_follows_states_is_said(void)
{
  model("<loop_breaker name=\"z\" in=\"x - z\"/><integrator name=\"x\" in=\"-z\" x0=\"1\"/>"
        "<implicit name=\"w\" formula=\"w - x\"/><integrator name=\"y\" in=\"w - y\"/>");
  g_autofree char *out = shown(NULL, NULL, NULL), *data = shown("--json", NULL, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(out, "\nNot the whole truth: states also act through what stands still here: "
                  "w (implicit), z.out (loop_breaker)\n"),
      out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(data, "\"z.out (loop_breaker)\""), data);
  model("<pulse name=\"p\" start=\"1\" end=\"2\"/><integrator name=\"x\" in=\"p - x\"/>");
  g_autofree char *without = shown(NULL, NULL, NULL);
  TEST_ASSERT_NULL_MESSAGE(strstr(without, "truth"), without);
}

static void test_the_same_as_data(void)
{
  model("<integrator name=\"x\" in=\"-64*x\" x0=\"3\"/><integrator name=\"y\" in=\"-2*y\"/>");
  g_autofree char *out = shown("--json", NULL, NULL);
  TEST_ASSERT_EQUAL_STRING(
      "{\n"
      "  \"model\":\"m\",\n"
      "  \"t\":0,\n"
      "  \"states\":[\n"
      "    {\"path\":\"x\",\"value\":3},\n"
      "    {\"path\":\"y\",\"value\":0}\n"
      "  ],\n"
      "  \"solved\":[],\n"
      "  \"jacobian\":[\n"
      "    {\"row\":0,\"column\":0,\"value\":-64},\n"
      "    {\"row\":1,\"column\":1,\"value\":-2}\n"
      "  ],\n"
      "  \"modes\":[\n"
      "    "
      "{\"real\":-64,\"imaginary\":0,\"time_constant\":0.015625,\"frequency\":null,\"damping\":1},"
      "\n"
      "    {\"real\":-2,\"imaginary\":0,\"time_constant\":0.5,\"frequency\":null,\"damping\":1}\n"
      "  ],\n"
      "  \"participation\":[\n"
      "    {\"state\":0,\"mode\":0,\"size\":1},\n"
      "    {\"state\":1,\"mode\":1,\"size\":1}\n"
      "  ],\n"
      "  \"partition\":{\"fast\":[\"x\"],\"slow\":[\"y\"],\"ratio\":32}\n"
      "}\n",
      out);
}

static void expect_error(int status, const char *text, const char *option)
{
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(status,
                        hydevs(dir, (const char *[WORDS]){"modes", file, option}, &out, &err));
  TEST_ASSERT_EQUAL_STRING(text, err);
  TEST_ASSERT_EQUAL_STRING("", out);
}

static void test_what_has_no_modes_is_told(void)
{
  model("<pulse name=\"p\" start=\"1\" end=\"2\"/>");
  expect_error(1,
               "hydevs: m: there are no modes: no block of this model has a continuous state, as "
               "an integrator has\n",
               NULL);
  model("<integrator name=\"u\" count=\"501\" in=\"-u[i]\"/>");
  expect_error(1, "hydevs: m: has 501 states; modes are computed of at most 500\n", NULL);
  model("<integrator name=\"y\" in=\"1\"/><integrator name=\"x\" in=\"y - sqrt(x)\"/>");
  expect_error(1, "hydevs: x: d x' / d x is not finite at t = 0\n", NULL);
}

static void test_wrong_words(void)
{
  model(TWO_MASSES);
  expect_error(2, "hydevs modes: --at=soon is not a time; see hydevs modes --help\n", "--at=soon");
  expect_error(2, "hydevs modes: --at=inf is not a time; see hydevs modes --help\n", "--at=inf");
  expect_error(2, "hydevs modes: --at=-1 is before the start, t = 0; see hydevs modes --help\n",
               "--at=-1");
  expect_error(2,
               "hydevs modes: --until is an option of other verbs; here it would do nothing; see "
               "hydevs modes --help\n",
               "--until=1");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_two_masses);
  RUN_TEST(test_fast_and_slow_states_are_told_apart);
  RUN_TEST(test_modes_beside_a_mode_of_0_are_fast);
  RUN_TEST(test_what_does_not_divide_is_not_divided);
  RUN_TEST(test_the_circuit_of_the_notes);
  RUN_TEST(test_the_six_equations_of_the_multirate_thesis);
  RUN_TEST(test_what_rows_share_is_followed_on_all_engines);
  RUN_TEST(test_the_jacobian_is_that_of_the_instant);
  RUN_TEST(test_every_method_leaves_a_jacobian);
  RUN_TEST(test_equal_eigenvalues_share_their_participation);
  RUN_TEST(test_what_stands_still_though_it_follows_states_is_said);
  RUN_TEST(test_the_same_as_data);
  RUN_TEST(test_what_has_no_modes_is_told);
  RUN_TEST(test_wrong_words);
  return UNITY_END();
}
