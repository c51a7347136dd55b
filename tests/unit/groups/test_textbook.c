/* The methods of the textbooks as groups: what numerics/classic.h promises of them holds in a
 * diagram, too, with inputs that jump and neighbours of other methods. Numbers are those of
 * design/classic-multirate-realtime.md. */
#include "equations/room.h"
#include "group_run.h"
#include "groups/groups.h"

/* ---- without events: the same numbers as without a diagram (5.1, E1) ---- */

static void cubic(void *user, double t, const double *x, double *dx)
{
  (void)user;
  dx[0] = -3.0 * x[0] * x[0] * x[0] + t;
}

static void cubic_jacobian(void *user, double t, const double *x, double *j)
{
  (void)user, (void)t;
  j[0] = -9.0 * x[0] * x[0];
}

static void cubic_second(void *user, double t, const double *x, const double *f, double *ddx)
{
  (void)user, (void)t;
  ddx[0] = -9.0 * x[0] * x[0] * f[0] + 1.0;
}

static double alone(const HyOdeMethod *method, int steps)
{
  HyOde ode = {.n = 1, .f = cubic, .jacobian = cubic_jacobian, .second = cubic_second};
  HyOdeRun r;
  g_autofree double *room = g_new0(double, hy_ode_room(method, 1));
  hy_ode_init(&r, method, &ode, &hy_ode_settings, room);
  hy_ode_start(&r, 0.0, (double[1]){1.0});
  for (int k = 1; k <= steps; k++) {
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(&r, k * (1.0 / steps)));
  }
  return r.x[0];
}

#define CUBIC                                                                                      \
  "<ramp name=\"r\" duration=\"9\" height=\"9\"/><integrator name=\"x\" in=\"r - 3*x*x*x\" "       \
  "x0=\"1\"/>"

static double in_a_diagram(const char *method, int steps)
{
  Run r;
  g_autofree char *numerics = g_strdup_printf("method=\"%s\" hstep=\"1/%d\"", method, steps);
  setup_with(&r, CUBIC, numerics, HY_FUSED);
  go(&r, 1);
  double x = at(&r, "x", 1);
  clear(&r);
  return x;
}

static void test_errors_are_those_without_a_diagram(void)
{
  guint n = 0;
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    gboolean fixed = m->textbook != NULL && !m->textbook->adaptive;
    for (int steps = 10; steps <= 40 && fixed; steps *= 2, n++) {
      double x = in_a_diagram(m->name, steps);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-13, alone(m->textbook, steps), x, m->name);
    }
  }
  TEST_ASSERT_EQUAL_UINT(3 * 20, n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -1.8131e-6, in_a_diagram("rk4", 10) - 0.63681564380197);
}

static void test_methods_that_choose_their_step_keep_the_tolerance(void)
{
  static const char *const methods[] = {"rk45_doubling", "rkf45"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double tol = 1e-3;
    for (int k = 0; k < 3; k++, tol *= 1e-2) {
      Run r;
      char text[HY_DOUBLE_SIZE];
      setup(&r, CUBIC, methods[m], hy_double_text(text, tol), HY_FLAT);
      go(&r, 1);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(3 * tol, 0.63681564380197, at(&r, "x", 1), methods[m]);
      TEST_ASSERT_TRUE(totals(&r).steps < 100);
      clear(&r);
    }
  }
}

/* ---- inputs that jump (1.6, C6, C7, C9) ---- */

#define SOURCE "<step name=\"u\" at=\"%s\" to=\"10\"/>"
#define STATE  "<integrator name=\"x\" in=\"u - x\" x0=\"1\"/>"

static double switched_error(const char *inside, const char *tc, const char *method, double h,
                             HyClassicTotals *t)
{
  Run r;
  char text[HY_DOUBLE_SIZE];
  g_autofree char *model = g_strdup_printf(inside, tc);
  g_autofree char *numerics =
      g_strdup_printf("method=\"%s\" hstep=\"%s\"", method, hy_double_text(text, h));
  setup_with(&r, model, numerics, HY_FLAT);
  go(&r, 2);
  double c = g_ascii_strtod(tc, NULL);
  double error = at(&r, "x", 2) - (10.0 + (exp(-c) - 10.0) * exp(-(2.0 - c)));
  *t = totals(&r);
  clear(&r);
  return error;
}

static void test_a_jump_between_steps_costs_no_order(void)
{
  static const struct {
    const char *method, *tc;
    double error[3]; /* h = 0.1, 0.05, 0.025 */
  } rows[] = {
      {"rk4", "0.537", {-2.72e-6, -1.68e-7, -1.03e-8}},
      {"ab4", "0.537", {-9.73e-5, -6.58e-6, -4.16e-7}},
      {"trapezoidal", "0.5", {2.57e-3, 6.41e-4, 1.60e-4}},
  };
  static const char *const orders[] = {SOURCE STATE, STATE SOURCE};
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    for (guint k = 0; k < 6; k++) {
      HyClassicTotals t;
      double e = switched_error(orders[k % 2], rows[i].tc, rows[i].method, 0.1 / (1 << k / 2), &t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3 * fabs(rows[i].error[k / 2]), rows[i].error[k / 2], e,
                                        rows[i].method);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, t.restarts, rows[i].method);
    }
  }
}

/* Whichever of the two has its turn first; the grid goes on as if nothing had been. */
static void test_every_jump_restarts_once_and_every_step_is_counted(void)
{
  static const char inside[] =
      "<step name=\"a\" at=\"0.25\" to=\"1\"/>" STATE "<function name=\"u\" formula=\"a + b + c\"/>"
      "<step name=\"b\" at=\"0.5\" to=\"2\"/>"
      "<step name=\"c\" at=\"0.61\" to=\"-5\"/>";
  for (const HyMethod *method = hy_methods; method->name != NULL; method++) {
    Run r;
    HyGroupTotals g;
    if (method->textbook == NULL) {
      continue;
    }
    g_autofree char *numerics = g_strdup_printf("method=\"%s\" hstep=\"0.1\"", method->name);
    setup_with(&r, inside, numerics, HY_FUSED);
    go(&r, 0.97);
    hy_sim_group(r.sim, 0, &g);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(3, g.totals.restarts, method->name);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(3, g.totals.inputs, method->name);
    if (!method->textbook->adaptive) { /* 10 to 1, two of them in two parts; one is left where it
                                began, and is none */
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(3, g.totals.closed, method->name);
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(12, g.totals.steps, method->name);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.1, g.last);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.05, g.least);
    }
    clear(&r);
  }
}

static void test_evaluations_are_those_of_the_method(void)
{
  static const struct {
    const char *method;
    guint64 each; /* of a step */
  } rows[] = {{"euler", 1}, {"rk2", 2}, {"rk4", 4}, {"ab1", 1}, {"trapezoidal", 2}};
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
    Run r;
    g_autofree char *numerics = g_strdup_printf("method=\"%s\" hstep=\"0.1\"", rows[i].method);
    setup_with(&r, STATE "<constant name=\"u\" value=\"3\"/>", numerics, HY_FLAT);
    go(&r, 0.95);
    HyClassicTotals t = totals(&r);
    TEST_ASSERT_EQUAL_UINT64(10, t.steps);
    TEST_ASSERT_TRUE_MESSAGE(t.evaluations >= 10 * rows[i].each &&
                                 t.evaluations <= 10 * rows[i].each + 11,
                             rows[i].method);
    clear(&r);
  }
}

/* A ramp that ends at an instant of the grid: its new slope counts from there, and nothing else. */
static void test_a_continuous_input_may_bend_at_the_end_of_a_step(void)
{
  static const char *const orders[] = {
      "<ramp name=\"u\" duration=\"0.5\" height=\"1\"/><integrator name=\"x\" in=\"u\"/>",
      "<integrator name=\"x\" in=\"u\"/><ramp name=\"u\" duration=\"0.5\" height=\"1\"/>"};
  for (guint k = 0; k < 2; k++) {
    Run r;
    setup_with(&r, orders[k], "method=\"rk2\" hstep=\"0.25\"", HY_FLAT);
    go(&r, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.25 + 0.5, at(&r, "x", 1));
    clear(&r);
  }
}

/* ---- beside others ---- */

#define NETWORK                                                                                    \
  "<integrator name=\"x\" in=\"y\" x0=\"2\"/>"                                                     \
  "<integrator name=\"y\" in=\"(1 - x*x)*y - x + s\" x0=\"0\"/>"                                   \
  "<square name=\"s\" frequency=\"0.37\"/>"                                                        \
  "<integrator name=\"z\" in=\"x + if(y > 0, 1, 0) - z\" method=\"qss2\"/>"                        \
  "<integrator name=\"w\" in=\"z - max(x, 0.5)*w\" x0=\"0\"/>"

static gboolean is_built_in(const HyMethod *m)
{
  g_autofree char *why = hy_group_refuses(m, &(HyGroupSettings){1, 1, 1});
  return why == NULL && hy_family_is_classic(m->family);
}

static void test_all_engines_find_the_same_numbers(void)
{
  static const char *const paths[] = {"x", "y", "z", "w"};
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    double first[4] = {0};
    for (guint e = 0; e < G_N_ELEMENTS(engines) && is_built_in(m); e++) {
      Run r;
      g_autofree char *numerics =
          g_strdup_printf("method=\"%s\" hstep=\"0.02\" dqrel=\"1e-4\"", m->name);
      setup_with(&r, NETWORK, numerics, engines[e]);
      go(&r, 6.111);
      for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        double v = at(&r, paths[i], 6.111);
        first[i] = e == 0 ? v : first[i];
        TEST_ASSERT_TRUE_MESSAGE(v == first[i] && isfinite(v), m->name);
      }
      clear(&r);
    }
  }
}

/* One event for each piece, and one at the start; a line or a parabola is one piece. */
static void test_what_is_said_is_a_piece_a_step(void)
{
  static const char *const methods[] = {"euler", "rk2", "trapezoidal", "rk4", "bdf4"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    guint y = 0;
    guint64 n_int = 0, n_ext = 0;
    g_autofree char *numerics = g_strdup_printf("method=\"%s\" hstep=\"0.02\"", methods[m]);
    setup_with(&r, NETWORK, numerics, HY_FLAT);
    go(&r, 5);
    TEST_ASSERT_TRUE(hy_sim_find(r.sim, "y", &y));
    hy_sim_counts(r.sim, y, &n_int, &n_ext);
    HyClassicTotals t = totals(&r);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(t.pieces + 1, n_int, methods[m]);
    TEST_ASSERT_TRUE(m > 2 ? t.pieces >= t.steps : t.pieces == t.steps);
    TEST_ASSERT_TRUE(t.restarts >= 3 && t.restarts == t.closed);
    clear(&r);
  }
}

/* Both sides push x to 1/2, where it has to stay: a fixed step leaves it by no more than a step. */
static void test_a_sliding_state_stays_where_it_slides(void)
{
  static const char *const methods[] = {"euler", "rk2", "rk4"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics = g_strdup_printf("method=\"%s\" hstep=\"0.013\"", methods[m]);
    setup_with(&r, "<integrator name=\"x\" x0=\"1\" in=\"if(x > 0.5, -1, 1)\"/>", numerics,
               HY_FUSED);
    for (int k = 6; k < 20; k++) {
      double t = 0.1 * k;
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.0131, 0.5, at(&r, "x", t), methods[m]);
    }
    clear(&r);
  }
}

/* A line at which f turns back: y slides there, within its tolerance, and time goes on. */
static void test_a_group_slides_on_a_line_within_its_tolerance(void)
{
  static const char *const methods[] = {"trapezoidal", "bdf2", "rkf45", "cvode_bdf", "cvode_adams"};
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" hstep=\"0.01\" reltol=\"1e-3\" abstol=\"1e-3\"", methods[m]);
    setup_with(&r, "<integrator name=\"y\" x0=\"1\" in=\"if(y > 0.5, -1 - y, 2 - y)\"/>", numerics,
               HY_FLAT);
    for (int k = 4; k <= 20; k++) { /* y has reached it at ln(2 / 1.5) */
      go(&r, 0.1 * k);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1.5e-3, 0.5, at(&r, "y", 0.1 * k), methods[m]);
    }
    clear(&r);
  }
}

/* The same line where it is no crossing of the group's own, as it follows a state of another
 * method: the comparison may be wrong by its tolerance, 1e-3 of its largest value, and y by little
 * more. */
static void test_a_group_slides_on_a_line_of_another_method(void)
{
  Run r;
  guint y = 0;
  setup_with(&r,
             "<integrator name=\"z\" x0=\"0.5\" in=\"0\" method=\"qss2\"/>"
             "<integrator name=\"y\" x0=\"1\" in=\"if(y > z, -1 - y, 2 - y)\"/>",
             "method=\"cvode_bdf\" hstep=\"0.01\"", HY_FLAT);
  go(&r, 1);
  TEST_ASSERT_TRUE(hy_sim_find(r.sim, "y", &y));
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.5, hy_sim_value(r.sim, y, 1));
  clear(&r);
}

/* 1.5.1. The 5 tolerances of the design, at each of which the quantum is the same. */
static void test_beside_qss2_the_error_follows_the_tolerance(void)
{
  g_autofree char *mixed = g_strdup_printf(MIXED, "qss2");
  static const char *const methods[] = {"rk45_doubling\" hstep=\"0.5", "rkf45\" hstep=\"0.5",
                                        "rk4\" hstep=\"0.05"};
  static const guint64 most[] = {100, 250, 700}; /* steps */
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    double eps = 1e-3;
    for (guint k = 0; k < 3; k++, eps *= 0.1) {
      Run r;
      char text[HY_DOUBLE_SIZE];
      setup(&r, mixed, methods[m], hy_double_text(text, eps), HY_FUSED);
      go(&r, 10);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5 * eps, mixed_reference(10, 1), at(&r, "z1", 10),
                                        methods[m]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5 * eps, mixed_reference(10, 2), at(&r, "z2", 10),
                                        methods[m]);
      TEST_ASSERT_TRUE(m == 2 || totals(&r).steps < most[k]);
      clear(&r);
    }
  }
}

/* 1.2: x' = q - x, q of pulses of a millisecond, which may not be lost ... */
static void test_no_pulse_is_lost(void)
{
  static const double begin[] = {2.037, 3.511};
  double exact = 0.0;
  Run r;
  for (guint i = 0; i < 2; i++) {
    exact += 100.0 * (exp(begin[i] + 0.001 - 5.0) - exp(begin[i] - 5.0));
  }
  setup_with(&r,
             "<pulse name=\"a\" start=\"2.037\" end=\"2.038\" high=\"100\"/>"
             "<pulse name=\"b\" start=\"3.511\" end=\"3.512\" high=\"100\"/>"
             "<integrator name=\"x\" in=\"a + b - x\"/>",
             "method=\"rk45_doubling\" hstep=\"0.5\" dqrel=\"1e-3\" dqmin=\"1e-3\"", HY_FLAT);
  go(&r, 5);
  TEST_ASSERT_DOUBLE_WITHIN(5e-4, exact, at(&r, "x", 5));
  TEST_ASSERT_TRUE(totals(&r).steps <= 60);
  clear(&r);
}

/* ... and q of stairs, a quantum high each, which may not all become steps where the tolerance is
 * wider than they are high. */
static void test_stairs_do_not_all_become_steps(void)
{
  Run r;
  setup(&r,
        "<integrator name=\"q\" in=\"s\" method=\"qss1\" dqrel=\"0\" dqmin=\"0.001\"/>"
        "<sine name=\"s\" frequency=\"3/(2*pi)\" phase=\"pi/2\" amplitude=\"3\" dqrel=\"0\" "
        "dqmin=\"1e-4\"/><integrator name=\"x\" in=\"q - x\"/>",
        "rk45_doubling\" hstep=\"0.5", "1e-2", HY_FLAT);
  go(&r, 5);
  double exact = (sin(15.0) - 3.0 * cos(15.0) + 3.0 * exp(-5.0)) / 10.0;
  TEST_ASSERT_TRUE(totals(&r).inputs > 9000 && totals(&r).steps <= 300);
  TEST_ASSERT_DOUBLE_WITHIN(3e-2, exact, at(&r, "x", 5));
  clear(&r);
}

/* ---- the ball (6): the switch is found on what the group says ---- */

static void test_the_ball_rises_as_high_as_the_closed_form_says(void)
{
  static const double apex[6][2] = {{0.885349, 0.909799}, {1.729967, 0.827724},
                                    {2.535731, 0.753043}, {3.304428, 0.685089},
                                    {4.037765, 0.623258}, {4.737370, 0.566999}};
  static const char ball[] = "<integrator name=\"x\" in=\"v\" x0=\"1\"/><integrator name=\"v\" "
                             "in=\"if(x > 0, -9.81, -9.81 - (1e6*x + 30*v))\"/>";
  static const char *const numerics[] = {
      "method=\"rk4\" hstep=\"1e-4\" reltol=\"1e-9\" abstol=\"1e-9\"",
      "method=\"rkf45\" reltol=\"1e-9\" abstol=\"1e-9\""};
  for (guint k = 0; k < 2; k++) {
    Run r;
    setup_with(&r, ball, numerics[k], HY_FUSED);
    for (guint i = 0; i < 6; i++) {
      go(&r, apex[i][0]);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-6, apex[i][1], at(&r, "x", apex[i][0]), numerics[k]);
    }
    go(&r, 5);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-5, 0.228679014, at(&r, "x", 5), numerics[k]);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(12, totals(&r).restarts, numerics[k]);
    clear(&r);
  }
}

/* ---- the Jacobian goes through hubs: a linear system is solved in one iteration ---- */

static void test_newton_knows_the_whole_jacobian(void)
{
  enum { N = 40 };
  g_autoptr(GString) text = g_string_new("<function name=\"m\" formula=\"(");
  for (int k = 1; k <= N; k++) {
    g_string_append_printf(text, "%sx[%d]", k > 1 ? " + " : "", k);
  }
  g_string_append_printf(text,
                         ")/%d\"/><integrator name=\"x\" count=\"%d\" x0=\"i\" "
                         "in=\"3*(m - x[i]) - m\"/>",
                         N, N);
  Run r;
  setup_with(&r, text->str, "method=\"trapezoidal\" hstep=\"0.125\"", HY_FLAT);
  go(&r, 1);
  HyClassicTotals t = totals(&r);
  double m = pow((1 - 0.0625) / (1 + 0.0625), 8), d = pow((1 - 0.1875) / (1 + 0.1875), 8);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, (N + 1) / 2.0 * m + (7 - (N + 1) / 2.0) * d, at(&r, "x[7]", 1));
  TEST_ASSERT_EQUAL_UINT64(t.steps, t.newton);
  clear(&r);
}

/* ---- what has no answer ---- */

static void fails(const char *inside, const char *numerics, const char *message)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    g_autoptr(GError) error = NULL;
    setup_with(&r, inside, numerics, engines[e]);
    TEST_ASSERT_FALSE_MESSAGE(hy_sim_run(r.sim, 100, &error), message);
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
    TEST_ASSERT_EQUAL_STRING(message, error->message);
    clear(&r);
  }
}

static void test_what_cannot_go_on_is_named(void)
{
  static const char two[] = "<integrator name=\"a\" in=\"-a\" x0=\"1\"/>"
                            "<integrator name=\"x\" in=\"%s\" x0=\"1\"/>";
  g_autofree char *square = g_strdup_printf(two, "x*x + 1"), *same = g_strdup_printf(two, "1*x");
  g_autofree char *fast = g_strdup_printf(two, "1e300*x");
  fails(square, "method=\"backward_euler\" hstep=\"10\"",
        "x: backward_euler: Newton's iteration does not converge; the residual here is "
        "10.975000000000001 at t = 0");
  fails(same, "method=\"semi_implicit_euler\" hstep=\"1\"",
        "x: semi_implicit_euler: the equations of a step of the method have no single solution "
        "for it at t = 0");
  fails(fast, "method=\"rk4\" hstep=\"1\"",
        "x: rk4: a step leads to a value that is not finite at t = 0");
}

static void test_a_dense_matrix_has_a_limit(void)
{
  fails("<integrator name=\"x\" count=\"2001\" in=\"-x[i]\"/>", "method=\"bdf2\" hstep=\"1\"",
        "x[1]: bdf2: its group has 2001 states, and a dense matrix is made for 2000 at most; "
        "cvode_bdf has a sparse one at t = 0");
}

static void test_a_fixed_step_has_to_be_stated(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  load(&r,
       "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><integrator name=\"x\" in=\"-x\" "
       "method=\"rk4\"/></hydevs>",
       HY_FLAT);
  TEST_ASSERT_FALSE(hy_sim_init(r.sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING("x: method \"rk4\" needs a step; state hstep beside it, or --hstep",
                           error->message);
  clear(&r);
}

/* x = (1 + t)^3 by classic RK4, exact, in a single step; what is said of it is a parabola with the
 * same mean, so that y' = x, by QSS3, has y(1) = 15/4. */
static void test_the_mean_of_a_step_is_kept_in_what_is_said(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_with(&r,
               "<coupled name=\"c\" method=\"rk4\" hstep=\"1\"><integrator name=\"z\" in=\"1\" "
               "x0=\"1\"/><integrator name=\"x\" in=\"3*z^2\" x0=\"1\"/><out name=\"out\" "
               "from=\"x\"/></coupled><integrator name=\"y\" in=\"c.out\"/>",
               "method=\"qss3\" dqrel=\"1\" dqmin=\"1\"", engines[e]);
    go(&r, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 8, at(&r, "c/x", 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.75, at(&r, "y", 1));
    clear(&r);
  }
}

/* x = t^3 + t^2 rises from its level, and nobody is told that it falls below first. */
static void test_what_leaves_a_level_is_said_to_leave_it(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_with(&r,
               "<coupled name=\"c\" method=\"rk4\" hstep=\"0.1\"><integrator name=\"z\" in=\"1\"/>"
               "<integrator name=\"x\" in=\"3*z^2 + 2*z\"/><out name=\"out\" from=\"x\"/>"
               "</coupled><integrator name=\"below\" in=\"if(0 > c.out, 1, 0)\"/>",
               "method=\"qss3\" dqrel=\"1\" dqmin=\"1\"", engines[e]);
    go(&r, 1);
    TEST_ASSERT_EQUAL_DOUBLE(0, at(&r, "below", 1));
    clear(&r);
  }
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_errors_are_those_without_a_diagram);
  RUN_TEST(test_the_mean_of_a_step_is_kept_in_what_is_said);
  RUN_TEST(test_what_leaves_a_level_is_said_to_leave_it);
  RUN_TEST(test_methods_that_choose_their_step_keep_the_tolerance);
  RUN_TEST(test_a_jump_between_steps_costs_no_order);
  RUN_TEST(test_every_jump_restarts_once_and_every_step_is_counted);
  RUN_TEST(test_evaluations_are_those_of_the_method);
  RUN_TEST(test_a_continuous_input_may_bend_at_the_end_of_a_step);
  RUN_TEST(test_all_engines_find_the_same_numbers);
  RUN_TEST(test_what_is_said_is_a_piece_a_step);
  RUN_TEST(test_a_sliding_state_stays_where_it_slides);
  RUN_TEST(test_a_group_slides_on_a_line_within_its_tolerance);
  RUN_TEST(test_a_group_slides_on_a_line_of_another_method);
  RUN_TEST(test_beside_qss2_the_error_follows_the_tolerance);
  RUN_TEST(test_no_pulse_is_lost);
  RUN_TEST(test_stairs_do_not_all_become_steps);
  RUN_TEST(test_the_ball_rises_as_high_as_the_closed_form_says);
  RUN_TEST(test_newton_knows_the_whole_jacobian);
  RUN_TEST(test_what_cannot_go_on_is_named);
  RUN_TEST(test_a_dense_matrix_has_a_limit);
  RUN_TEST(test_a_fixed_step_has_to_be_stated);
  return UNITY_END();
}
