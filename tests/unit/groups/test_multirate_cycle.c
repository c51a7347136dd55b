/* What a cycle of two multirate groups, a step of the slow one, makes of their states: the unit
 * values, cycle matrices and stability limits of the thesis on multirate simulators, sections III.4
 * and III.5. y' = ly y + mu z is fast and has a step of h, z' = ep y + lz z is slow and has one of
 * k h. */
#include "group_run.h"

#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void close_to(double tolerance, double expected, double got, const char *what)
{
  g_autofree char *text = g_strdup_printf("%s: %.12g, not %.12g", what, got, expected);
  TEST_ASSERT_TRUE_MESSAGE(fabs(got - expected) <= tolerance, text);
}

typedef struct {
  double ly, mu, ep, lz;
} Pair;

/* ALGORITHM 1 to 6: III.5.1 ... W, (y, z), after CYCLES. */
static void run(const Pair *p, int algorithm, double h, int k, int cycles, double *w)
{
  static const char *const information[] = {"interpolated", "advanced", "delayed"};
  Run r;
  g_autofree char *inside = g_strdup_printf(
      "<integrator name=\"y\" in=\"(%.17g)*y + (%.17g)*z\" x0=\"%.17g\" method=\"%s_delayed\" "
      "hstep=\"%.17g\"/><integrator name=\"z\" in=\"(%.17g)*y + (%.17g)*z\" x0=\"%.17g\" "
      "method=\"euler_%s\" hstep=\"%.17g\"/>",
      p->ly, p->mu, w[0], algorithm > 3 ? "pec2e" : "euler", h, p->ep, p->lz, w[1],
      information[(algorithm - 1) % 3], k * h);
  setup_with(&r, inside, "", HY_FUSED);
  go(&r, cycles * (k * h));
  w[0] = at(&r, "y", cycles * (k * h));
  w[1] = at(&r, "z", cycles * (k * h));
  clear(&r);
}

/* M, 2 x 2 by rows: w -> M w. How stable the division is follows from its eigenvalues, and not from
 * those of the system. */
static void cycle_matrix(const Pair *p, int algorithm, double h, int k, double *m)
{
  for (int j = 0; j < 2; j++) {
    double w[2] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0};
    run(p, algorithm, h, k, 1, w);
    m[j] = w[0];
    m[2 + j] = w[1];
  }
}

/* By the formulas of the thesis, corrected. */
static void formula(const Pair *p, int algorithm, double h, int k, double *m)
{
  double a = h * p->ly;
  double P = 1.0 + a + (algorithm > 3 ? a * a + a * a * a : 0.0);
  double Pk = pow(P, k);
  double Q = (Pk - 1.0) / a;
  double R = (Pk - k * a - 1.0) / (a * a);
  int kind = (algorithm - 1) % 3;
  m[0] = Pk;
  m[1] = p->mu * h * Q;
  if (kind == 0) {
    m[0] += h * h * R * p->ep * p->mu;
    m[1] = p->mu * h * (Q + h * p->lz * R);
  } else if (kind == 1) {
    m[0] += k * h * h * Q * p->ep * p->mu;
    m[1] *= 1.0 + k * h * p->lz;
  }
  m[2] = k * h * p->ep;
  m[3] = 1.0 + k * h * p->lz;
}

/* The largest |eigenvalue| of a 2 x 2 matrix. */
static double radius(const double *m)
{
  double s = 0.5 * (m[0] + m[3]);
  double det = m[0] * m[3] - m[1] * m[2];
  double d = s * s - det;
  return d < 0.0 ? sqrt(det) : fabs(s) + sqrt(d);
}

static void test_unit_values(void)
{
  static const struct {
    double mu;
    int algorithm;
    double y4, y40, z40, radius;
  } rows[] = {
      {0.0, 1, 3.164062500000, 0.000100565852, 0.427476939596, 0.8},
      {0.0, 2, 3.164062500000, 0.000100565852, 0.427476939596, 0.8},
      {0.0, 3, 3.164062500000, 0.000100565852, 0.427476939596, 0.8},
      {0.0, 4, 4.032374024391, 0.001136601133, 0.485468431773, 0.8},
      {0.0, 5, 4.032374024391, 0.001136601133, 0.485468431773, 0.8},
      {0.0, 6, 4.032374024391, 0.001136601133, 0.485468431773, 0.8},
      {0.8, 1, 3.205987500000, 0.018327339865, 0.447706662318, 0.804888488},
      {0.8, 2, 3.216562500000, 0.016185247578, 0.446208280437, 0.804327256},
      {0.8, 3, 3.196875000000, 0.020171093865, 0.448993968783, 0.805368512},
      {0.8, 4, 4.072631866264, 0.021971420582, 0.507212503347, 0.804952640},
      {0.8, 5, 4.078205391884, 0.020449817044, 0.506307929474, 0.804593876},
      {0.8, 6, 4.061018629074, 0.025135104617, 0.509091562605, 0.805693952},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Pair p = {-25.0, rows[i].mu, 3.0, -5.0};
    double w[2] = {10.0, 1.5};
    run(&p, rows[i].algorithm, 0.01, 4, 1, w);
    close_to(1e-10, rows[i].y4, w[0], "y(0.04)");
    close_to(1e-10, 2.4, w[1], "z(0.04)");
    w[0] = 10.0;
    w[1] = 1.5;
    run(&p, rows[i].algorithm, 0.01, 4, 10, w);
    close_to(1e-10, rows[i].y40, w[0], "y(0.4)");
    close_to(1e-10, rows[i].z40, w[1], "z(0.4)");
    double m[4];
    cycle_matrix(&p, rows[i].algorithm, 0.01, 4, m);
    close_to(1e-9, rows[i].radius, radius(m), "radius");
  }
}

/* Of either sign, from 0.1 to 10. */
static double random_size(GRand *rand)
{
  return (g_rand_boolean(rand) ? 1.0 : -1.0) * pow(10.0, g_rand_double_range(rand, -1, 1));
}

static void test_the_cycle_has_the_matrix_of_the_thesis(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(5);
  for (int algorithm = 1; algorithm <= 6; algorithm++) {
    for (int i = 0; i < 20; i++) {
      Pair p = {random_size(rand), g_rand_double_range(rand, -1, 1),
                g_rand_double_range(rand, -1, 1), random_size(rand)};
      int k = 2 + i % 7; /* at least 2: who has the same step informs nobody */
      double h = 0.05;
      double got[4];
      double expected[4];
      cycle_matrix(&p, algorithm, h, k, got);
      formula(&p, algorithm, h, k, expected);
      for (int j = 0; j < 4; j++) {
        close_to(1e-10, expected[j], got[j], "entry");
      }
    }
  }
}

/* Equal eigenvalues of the system, but not of the cycle. */
static void test_stability_is_not_a_matter_of_the_eigenvalues(void)
{
  static const struct {
    int k;
    double separable, radius[3];
  } rows[] = {
      {4, 0.8000, {0.7585, 0.8801, 0.8972}},
      {10, 0.5000, {0.6329, 0.7230, 1.3477}},
      {20, 0.0032, {0.6323, 0.4492, 2.7665}},
  };
  for (int i = 0; i < 3; i++) {
    for (int algorithm = 1; algorithm <= 3; algorithm++) {
      Pair separable = {-25.0, 0.0, 3.0, -5.0};
      Pair mixed = {-45.3912, 23.3844, -35.221, 15.3912};
      double m[4];
      cycle_matrix(&separable, algorithm, 0.01, rows[i].k, m);
      close_to(5.1e-5, rows[i].separable, radius(m), "(25)");
      cycle_matrix(&mixed, algorithm, 0.01, rows[i].k, m);
      close_to(5.1e-5, rows[i].radius[algorithm - 1], radius(m), "(32)");
    }
  }
}

static void test_the_slow_part_has_its_own_limit(void)
{
  Pair p = {-25.0, 0.0, 3.0, -5.0};
  for (int k = 39; k <= 41; k++) {
    double m[4];
    cycle_matrix(&p, 1, 0.01, k, m);
    close_to(1e-12, 0.95 + 0.05 * (k - 39), radius(m), "radius");
  }
}

/* Against the exact solution, the sum of two modes. */
static void test_all_six_are_of_order_1(void)
{
  Pair p = {-25.0, 0.8, 3.0, -5.0};
  double s = 0.5 * (p.ly + p.lz);
  double d = sqrt(s * s - (p.ly * p.lz - p.mu * p.ep));
  double slow_root = s + d;
  double fast_root = s - d;
  double v[2] = {slow_root - p.lz, fast_root - p.lz}; /* y / z of the two modes, times ep */
  double b = (10.0 * p.ep - v[0] * 1.5) / (v[1] - v[0]);
  double z = (1.5 - b) * exp(slow_root) + b * exp(fast_root);
  for (int algorithm = 1; algorithm <= 6; algorithm++) {
    double error[2];
    for (int i = 0; i < 2; i++) {
      double w[2] = {10.0, 1.5};
      int cycles = i == 0 ? 400 : 800;
      run(&p, algorithm, 0.25 / cycles, 4, cycles, w);
      error[i] = fabs(w[1] - z);
    }
    close_to(0.1, 1.0, log2(error[0] / error[1]), "order");
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_unit_values);
  RUN_TEST(test_the_cycle_has_the_matrix_of_the_thesis);
  RUN_TEST(test_stability_is_not_a_matter_of_the_eigenvalues);
  RUN_TEST(test_the_slow_part_has_its_own_limit);
  RUN_TEST(test_all_six_are_of_order_1);
  return UNITY_END();
}
