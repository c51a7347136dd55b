/* Algebraic loops as arithmetic: the resistor loop of the course round which nothing is
 * propagated, a diode, loops without a solution. */
#include "classic_run.h"
#include "numerics/loops.h"
#include "numerics/newton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- E in series with (L parallel R2), C and R1: i_R2 depends on itself through u_R1 ---- */

typedef struct {
  double r1, r2;
  HyLoop loop; /* the unknown is i_R2 */
  int most;    /* answers after the first solution */
  int solutions, answers;
} Circuit;

static const double e = 10.0, l = 0.1, c = 0.01;

static Circuit circuit(double r1, double r2)
{
  Circuit s = {.r1 = r1, .r2 = r2, .loop = {.abs = 1e-12, .rel = 1e-12, .max = 50}};
  hy_loop_start(&s.loop, 0.0);
  return s;
}

static double round_the_loop(const Circuit *s, double i_l, double u_c, double i_r2)
{
  double u_r1 = s->r1 * (i_l + i_r2);
  return (e - u_c - u_r1) / s->r2;
}

static double solve_loop(Circuit *s, double i_l, double u_c)
{
  int answers = 0;
  HyLoopEnd end = HY_LOOP_AGAIN;
  while (end == HY_LOOP_AGAIN) {
    end = hy_loop_answer(&s->loop, round_the_loop(s, i_l, u_c, s->loop.z));
    answers++;
  }
  TEST_ASSERT_EQUAL_INT(HY_LOOP_SOLVED, end);
  s->most = s->solutions > 0 && answers > s->most ? answers : s->most;
  s->solutions++;
  s->answers += answers;
  return s->loop.z;
}

/* x = (i_L, u_C) */
static void circuit_f(void *user, double t, const double *x, double *dx)
{
  Circuit *s = user;
  (void)t;
  double i_r2 = solve_loop(s, x[0], x[1]);
  dx[0] = s->r2 * i_r2 / l;
  dx[1] = (x[0] + i_r2) / c;
}

static void test_a_linear_loop_takes_two_answers(void)
{
  static const double r[3][2] = {{1.0, 2.0}, {2.0, 1.0}, {10.0, 0.1}};
  for (int i = 0; i < 3; i++) {
    Circuit s = circuit(r[i][0], r[i][1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, e / (s.r1 + s.r2), solve_loop(&s, 0.0, 0.0));
    TEST_ASSERT_EQUAL_INT(3, s.answers);
    for (int k = 1; k <= 100; k++) {
      double i_l = 0.01 * k;
      double i_r2 = solve_loop(&s, i_l, 0.1 * k);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, (e - 0.1 * k - s.r1 * i_l) / (s.r1 + s.r2), i_r2);
    }
    TEST_ASSERT_EQUAL_INT(2, s.most);
  }
}

static void test_propagation_round_the_loop_is_no_solver(void)
{
  static const double converges[] = {5.0, 2.5, 3.75, 3.125};
  static const double diverges[] = {10.0, -10.0, 30.0, -50.0};
  for (int i = 0; i < 2; i++) {
    Circuit s = circuit(i == 0 ? 1.0 : 2.0, i == 0 ? 2.0 : 1.0);
    s.loop.fixed = true;
    HyLoopEnd end = HY_LOOP_AGAIN;
    for (int k = 0; end == HY_LOOP_AGAIN; k++) {
      end = hy_loop_answer(&s.loop, round_the_loop(&s, 0.0, 0.0, s.loop.z));
      if (k < 4) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, i == 0 ? converges[k] : diverges[k], s.loop.z);
      }
    }
    TEST_ASSERT_EQUAL_INT(i == 0 ? HY_LOOP_SOLVED : HY_LOOP_FAILED, end);
  }
}

static void circuit_is(const char *method, double r1, double r2, double t, int steps,
                       double tolerance, const double *expected)
{
  HyOdeRun r;
  Circuit s = circuit(r1, r2);
  HyOde ode = {.n = 2, .f = circuit_f, .user = &s};
  classic_start(&r, method, &ode, NULL, 0.0, (double[2]){0.0, 0.0});
  classic_to(&r, t, steps);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected[0], r.x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, expected[1], r.x[1]);
  TEST_ASSERT_EQUAL_INT(2, s.most);
  classic_free(&r);
}

static void test_the_circuit_with_the_loop_has_its_exact_solution(void)
{
  static const struct {
    double r1, r2, t, x[2];
  } rows[] = {
      {1, 2, 0.01, {0.543397866, 3.008409929}}, {1, 2, 0.05, {1.094483453, 9.669807493}},
      {1, 2, 0.1, {0.551435659, 11.186991320}}, {1, 2, 0.2, {-0.009277354, 10.163186446}},
      {2, 1, 0.01, {0.273213586, 2.878240622}}, {2, 1, 0.1, {0.502939364, 10.181661307}},
      {2, 1, 0.2, {0.184085478, 10.249647920}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    circuit_is("rk4", rows[i].r1, rows[i].r2, rows[i].t, 1000, 1e-9, rows[i].x);
  }
  circuit_is("euler", 1, 2, 0.02, 20, 1e-8, (double[2]){0.89398879, 5.46161157});
  circuit_is("euler", 2, 1, 0.02, 20, 1e-8, (double[2]){0.45595373, 5.05952878});
}

static void test_slopes_obey_the_loop(void)
{
  Circuit s = circuit(2.0, 1.0);
  solve_loop(&s, 0.0, 0.0);
  /* i_R2' = (-u_C' - R1 i_L') / (R1 + R2); the loop answers to a wrong slope of 7 */
  double di_l = 3.0;
  double du_c = -4.0;
  double dg = (-du_c - s.r1 * (di_l + 7.0)) / s.r2;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (-du_c - s.r1 * di_l) / (s.r1 + s.r2),
                            hy_loop_slope(&s.loop, dg, 7.0));
}

/* ---- a diode: v + R1 i(v) = E, i = Is (exp(v/Vt) - 1), R1 = 1 ---- */

static const struct {
  double e, v, i;
} diode[] = {
    {0.5, 0.499751426750, 0.000248573250},
    {1.0, 0.684494804387, 0.315505195613},
    {5.0, 0.751712488571, 4.248287511429},
    {10.0, 0.771767218992, 9.228232781008},
};

static double current(double v)
{
  return 1e-12 * expm1(v / 0.025852);
}

static void diode_residual(void *user, const double *z, double *r)
{
  r[0] = z[0] + current(z[0]) - *(const double *)user;
}

static void diode_jacobian(void *user, const double *z, double *j)
{
  (void)user;
  j[0] = 1.0 + (current(z[0]) + 1e-12) / 0.025852;
}

static void test_newton_finds_the_diode(void)
{
  for (int i = 0; i < 8; i++) {
    double supply = diode[i / 2].e;
    double room[16];
    HyNewton s = {.n = 1,
                  .residual = diode_residual,
                  .jacobian = i % 2 == 0 ? diode_jacobian : NULL,
                  .user = &supply,
                  .abs = 1e-11,
                  .typical = 1e-3,
                  .max = 20,
                  .room = room};
    TEST_ASSERT_TRUE(hy_newton_room(1) <= 16);
    double v = 0.0;
    TEST_ASSERT_EQUAL_INT(HY_NEWTON_SOLVED, hy_newton_solve(&s, &v));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, diode[i / 2].v, v);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, diode[i / 2].i, current(v));
    TEST_ASSERT_TRUE(s.iterations <= 12);
  }
}

static void test_the_secant_finds_the_diode_by_its_residual(void)
{
  for (int i = 0; i < 4; i++) {
    HyLoop s = {.abs = 1e-10, .max = 100};
    HyLoopEnd end = HY_LOOP_AGAIN;
    hy_loop_start(&s, 0.0);
    while (end == HY_LOOP_AGAIN) {
      end = hy_loop_answer(&s, diode[i].e - current(s.z));
    }
    TEST_ASSERT_EQUAL_INT(HY_LOOP_SOLVED, end);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, diode[i].v, s.z);
  }
}

/* ---- what has no solution, and several unknowns ---- */

static void test_a_loop_without_a_solution_fails(void)
{
  HyLoop s = {.abs = 1e-9, .max = 50};
  HyLoopEnd end = HY_LOOP_AGAIN;
  hy_loop_start(&s, 0.0);
  while (end == HY_LOOP_AGAIN) {
    end = hy_loop_answer(&s, s.z * s.z + 1.0);
  }
  TEST_ASSERT_EQUAL_INT(HY_LOOP_FAILED, end);
  TEST_ASSERT_TRUE(fabs(s.residual) > 0.5);

  HyLoop parallel = {.abs = 1e-9, .max = 50}; /* z = z + 1 */
  hy_loop_start(&parallel, 0.0);
  for (int k = 1; k < 50; k++) {
    TEST_ASSERT_EQUAL_INT(HY_LOOP_AGAIN, hy_loop_answer(&parallel, parallel.z + 1.0));
  }
  TEST_ASSERT_EQUAL_INT(HY_LOOP_FAILED, hy_loop_answer(&parallel, parallel.z + 1.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, parallel.s);

  HyLoop broken = {.abs = 1e-9, .max = 50};
  hy_loop_start(&broken, 0.0);
  TEST_ASSERT_EQUAL_INT(HY_LOOP_FAILED, hy_loop_answer(&broken, NAN));
}

/* Units far apart: x = 1e6 cos(1e3 y), y = 1e-9 x + 1e-4 */
static void two(void *user, const double *z, double *r)
{
  (void)user;
  r[0] = z[0] - 1e6 * cos(1e3 * z[1]);
  r[1] = z[1] - 1e-9 * z[0] - 1e-4;
}

static void singular(void *user, const double *z, double *r)
{
  (void)user;
  r[0] = z[0] + z[1] - 1.0;
  r[1] = 2.0 * z[0] + 2.0 * z[1] - 3.0;
}

static void test_newton_solves_two_unknowns_or_says_why_not(void)
{
  double room[32];
  HyNewton s = {.n = 2,
                .residual = two,
                .abs = 1e-12,
                .rel = 1e-12,
                .by_step = true,
                .typical = 1e-6,
                .max = 20,
                .room = room};
  TEST_ASSERT_TRUE(hy_newton_room(2) <= 32);
  double z[2] = {1e5, 1e-4};
  TEST_ASSERT_EQUAL_INT(HY_NEWTON_SOLVED, hy_newton_solve(&s, z));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1e6 * cos(1e3 * z[1]), z[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1e-9 * z[0] + 1e-4, z[1]);
  s.residual = singular;
  TEST_ASSERT_EQUAL_INT(HY_NEWTON_SINGULAR, hy_newton_solve(&s, z));
  TEST_ASSERT_EQUAL_INT(1, s.column);
}

/* ---- several unknowns whose equations somebody else computes ---- */

static void linear_pair(const double *u, const double *z, double *g)
{
  g[0] = u[0] - 3.0 * z[1];
  g[1] = u[1] + 2.0 * z[0] + 0.5 * z[1];
}

/* In units far apart, as in two() above. */
static void curved_pair(const double *u, const double *z, double *g)
{
  g[0] = 1e6 * cos(1e3 * z[1]);
  g[1] = 1e-9 * z[0] + u[0];
}

static void parallel_pair(const double *u, const double *z, double *g)
{
  g[0] = u[0] - z[1];
  g[1] = u[1] - z[0];
}

static HyLoopEnd solve_pair(HyLoops *l, void (*f)(const double *, const double *, double *),
                            const double *u)
{
  HyLoopEnd end = HY_LOOP_AGAIN;
  while (end == HY_LOOP_AGAIN) {
    double g[2];
    f(u, l->z, g);
    end = hy_loops_answer(l, g);
  }
  return end;
}

static HyLoops pair_of(HyLoopMethod method, double *room)
{
  HyLoops l = {.n = 2, .method = method, .abs = 1e-10, .rel = 1e-13, .max = 60, .room = room};
  TEST_ASSERT_TRUE(hy_loops_room(2) <= 32);
  hy_loops_start(&l, (double[2]){0.0, 0.0});
  return l;
}

static void test_a_linear_pair_keeps_what_it_knows(void)
{
  double room[32];
  HyLoops l = pair_of(HY_LOOP_SECANT, room);
  for (int k = 0; k < 20; k++) {
    double u[2] = {1.0 + k, 2.0 - 0.3 * k};
    TEST_ASSERT_EQUAL_INT(HY_LOOP_SOLVED, solve_pair(&l, linear_pair, u));
    double z1 = (u[1] + 2.0 * u[0]) / 6.5; /* z1 = (u1 + 2 u0) / 6.5, z0 = u0 - 3 z1 */
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, z1, l.z[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, u[0] - 3.0 * z1, l.z[0]);
    TEST_ASSERT_TRUE(l.answers <= (k == 0 ? 6 : k == 1 ? 3 : 2));
  }
}

static void test_a_curved_pair_is_solved(void)
{
  for (int m = HY_LOOP_SECANT; m <= HY_LOOP_NEWTON; m++) {
    double room[32];
    HyLoops l = pair_of((HyLoopMethod)m, room);
    hy_loops_start(&l, (double[2]){1e5, 1e-4});
    l.abs = 1e-12;
    TEST_ASSERT_EQUAL_INT(HY_LOOP_SOLVED, solve_pair(&l, curved_pair, (double[1]){1e-4}));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1e6 * cos(1e3 * l.z[1]), l.z[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, 1e-9 * l.z[0] + 1e-4, l.z[1]);
  }
}

static void test_a_singular_pair_says_which(void)
{
  for (int m = HY_LOOP_SECANT; m <= HY_LOOP_NEWTON; m++) {
    double room[32];
    HyLoops l = pair_of((HyLoopMethod)m, room);
    TEST_ASSERT_EQUAL_INT(HY_LOOP_FAILED, solve_pair(&l, parallel_pair, (double[2]){1.0, 2.0}));
    TEST_ASSERT_TRUE(l.residual > 0.1);
    TEST_ASSERT_EQUAL_INT(1, l.column);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_linear_loop_takes_two_answers);
  RUN_TEST(test_propagation_round_the_loop_is_no_solver);
  RUN_TEST(test_the_circuit_with_the_loop_has_its_exact_solution);
  RUN_TEST(test_slopes_obey_the_loop);
  RUN_TEST(test_newton_finds_the_diode);
  RUN_TEST(test_the_secant_finds_the_diode_by_its_residual);
  RUN_TEST(test_a_loop_without_a_solution_fails);
  RUN_TEST(test_newton_solves_two_unknowns_or_says_why_not);
  RUN_TEST(test_a_linear_pair_keeps_what_it_knows);
  RUN_TEST(test_a_curved_pair_is_solved);
  RUN_TEST(test_a_singular_pair_says_which);
  return UNITY_END();
}
