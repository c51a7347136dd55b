/* Multirate integration against the unit values, the cycle matrices and the experiment of the
 * thesis on multirate simulators. */
#include "numerics/multirate.h"
#include "random.h"

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

static char text[200];

static void close_to(double tolerance, double expected, double got, const char *what)
{
  snprintf(text, sizeof text, "%s: %.12g, not %.12g", what, got, expected);
  TEST_ASSERT_TRUE_MESSAGE(fabs(got - expected) <= tolerance, text);
}

/* ---- y' = ly y + mu z, z' = ep y + lz z; w = (y, z) ---- */

typedef struct {
  double ly, mu, ep, lz;
} Pair;

static void fast(void *user, double t, const double *w, double *dw)
{
  const Pair *p = user;
  (void)t;
  dw[0] = p->ly * w[0] + p->mu * w[1];
}

static void slow(void *user, double t, const double *w, double *dw)
{
  const Pair *p = user;
  (void)t;
  dw[0] = p->ep * w[0] + p->lz * w[1];
}

typedef struct {
  HyRates rates;
  HyRatePart part[2];
  double room[16];
} Two;

/* ALGORITHM 1 to 6: III.5.1 ... */
static void two_init(Two *two, Pair *p, int algorithm, int k)
{
  static const HyRateInformation information[] = {HY_RATE_INTERPOLATED, HY_RATE_ADVANCED,
                                                  HY_RATE_DELAYED};
  *two = (Two){
      .part = {{.first = 1, .n = 1, .ratio = 1, .f = slow},
               {.first = 0, .n = 1, .ratio = k, .corrections = algorithm > 3 ? 2 : 0, .f = fast}}};
  two->rates = (HyRates){.n = 2,
                         .parts = 2,
                         .part = two->part,
                         .information = information[(algorithm - 1) % 3],
                         .user = p,
                         .room = two->room};
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
    Two two;
    two_init(&two, &p, rows[i].algorithm, 4);
    double w[2] = {10.0, 1.5};
    for (int n = 0; n < 10; n++) {
      hy_rates_cycle(&two.rates, n * 0.04, 0.04, w);
      if (n == 0) {
        close_to(1e-10, rows[i].y4, w[0], "y(0.04)");
        close_to(1e-10, 2.4, w[1], "z(0.04)");
      }
    }
    close_to(1e-10, rows[i].y40, w[0], "y(0.4)");
    close_to(1e-10, rows[i].z40, w[1], "z(0.4)");
    double m[4];
    hy_rates_matrix(&two.rates, 0.04, m);
    close_to(1e-9, rows[i].radius, radius(m), "radius");
  }
}

static void test_the_cycle_has_the_matrix_of_the_thesis(void)
{
  uint64_t seed = 5;
  for (int algorithm = 1; algorithm <= 6; algorithm++) {
    for (int i = 0; i < 20; i++) {
      Pair p = {random_size(&seed, 1.0), random_signed(&seed), random_signed(&seed),
                random_size(&seed, 1.0)};
      int k = 1 + i % 8;
      double h = 0.05;
      Two two;
      double got[4];
      double expected[4];
      two_init(&two, &p, algorithm, k);
      hy_rates_matrix(&two.rates, k * h, got);
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
      Two two;
      double m[4];
      two_init(&two, &separable, algorithm, rows[i].k);
      hy_rates_matrix(&two.rates, 0.01 * rows[i].k, m);
      close_to(5.1e-5, rows[i].separable, radius(m), "(25)");
      two_init(&two, &mixed, algorithm, rows[i].k);
      hy_rates_matrix(&two.rates, 0.01 * rows[i].k, m);
      close_to(5.1e-5, rows[i].radius[algorithm - 1], radius(m), "(32)");
    }
  }
}

static void test_the_slow_part_has_its_own_limit(void)
{
  Pair p = {-25.0, 0.0, 3.0, -5.0};
  for (int k = 39; k <= 41; k++) {
    Two two;
    double m[4];
    two_init(&two, &p, 1, k);
    hy_rates_matrix(&two.rates, 0.01 * k, m);
    close_to(1e-12, 0.95 + 0.05 * (k - 39), radius(m), "radius");
  }
}

static void run(Two *two, int cycles, double *w)
{
  w[0] = 10.0;
  w[1] = 1.5;
  for (int n = 0; n < cycles; n++) {
    hy_rates_cycle(&two->rates, n * (1.0 / cycles), 1.0 / cycles, w);
  }
}

/* A fast part that does not read the slow one is not informed: the same bits. */
static void test_information_that_nobody_reads_changes_nothing(void)
{
  Pair p = {-25.0, 0.0, 3.0, -5.0};
  for (int first = 1; first <= 4; first += 3) {
    double w[3][2];
    for (int i = 0; i < 3; i++) {
      Two two;
      two_init(&two, &p, first + i, 4);
      run(&two, 100, w[i]);
    }
    TEST_ASSERT_EQUAL_MEMORY(w[0], w[1], sizeof w[0]);
    TEST_ASSERT_EQUAL_MEMORY(w[0], w[2], sizeof w[0]);
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
      Two two;
      double w[2];
      two_init(&two, &p, algorithm, 4);
      run(&two, i == 0 ? 400 : 800, w);
      error[i] = fabs(w[1] - z);
    }
    close_to(0.1, 1.0, log2(error[0] / error[1]), "order");
  }
}

static void test_evaluations_of_a_cycle(void)
{
  Pair p = {-25.0, 0.8, 3.0, -5.0};
  for (int algorithm = 1; algorithm <= 6; algorithm++) {
    Two two;
    double w[2] = {1.0, 1.0};
    two_init(&two, &p, algorithm, 8);
    hy_rates_cycle(&two.rates, 0.0, 0.08, w);
    TEST_ASSERT_EQUAL_INT(1, two.part[0].evaluations);
    TEST_ASSERT_EQUAL_INT(algorithm > 3 ? 24 : 8, two.part[1].evaluations);
  }
}

/* ---- experiment 1: three parts, y' = A (y - phi) + phi' ---- */

typedef struct {
  double a, b;
} Coupling;

static void phi(double t, double *value, double *slope)
{
  static const double rate[] = {20.0, 1.0, 0.05};
  for (int i = 0; i < 6; i++) {
    double w = rate[i / 2];
    value[i] = i % 2 == 0 ? sin(w * t) : cos(w * t);
    slope[i] = i % 2 == 0 ? w * cos(w * t) : -w * sin(w * t);
  }
}

static void rows_of(const Coupling *q, int first, double t, const double *y, double *dy)
{
  double a = q->a;
  double b = q->b;
  double A[6][6] = {{-50, 49, a, a, a, a}, {49, -50, a, a, a, a}, {b, b, -5, 4, a, a},
                    {b, b, 4, -5, a, a},   {b, b, b, b, -1, 0},   {b, b, b, b, 0, -1}};
  double value[6];
  double slope[6];
  phi(t, value, slope);
  for (int i = 0; i < 2; i++) {
    dy[i] = slope[first + i];
    for (int j = 0; j < 6; j++) {
      dy[i] += A[first + i][j] * (y[j] - value[j]);
    }
  }
}

static void fastest(void *user, double t, const double *y, double *dy)
{
  rows_of(user, 0, t, y, dy);
}

static void moderate(void *user, double t, const double *y, double *dy)
{
  rows_of(user, 2, t, y, dy);
}

static void slowest(void *user, double t, const double *y, double *dy)
{
  rows_of(user, 4, t, y, dy);
}

/* METHODS: E or I for the slow, the moderate and the fast part. ERROR: 100 max |y - phi|. */
static long experiment(double a, const char *methods, HyRateInformation information, double *error)
{
  Coupling q = {a, 1.0};
  HyRatePart part[3] = {{.first = 4, .n = 2, .ratio = 1, .f = slowest},
                        {.first = 2, .n = 2, .ratio = 10, .f = moderate},
                        {.first = 0, .n = 2, .ratio = 10, .f = fastest}};
  double room[24];
  HyRates r = {
      .n = 6, .parts = 3, .part = part, .information = information, .user = &q, .room = room};
  TEST_ASSERT_EQUAL_INT(24, hy_rates_room(6));
  for (int i = 0; i < 3; i++) {
    part[i].corrections = methods[i] == 'I' ? 2 : 0;
  }
  double y[6];
  double value[6];
  double slope[6];
  phi(0.0, y, slope);
  memset(error, 0, 6 * sizeof *error);
  for (int n = 0; n < 40; n++) {
    hy_rates_cycle(&r, n * 0.1, 0.1, y);
    phi((n + 1) * 0.1, value, slope);
    for (int i = 0; i < 6; i++) {
      error[i] = fmax(error[i], 100.0 * fabs(y[i] - value[i]));
    }
  }
  return part[0].evaluations + part[1].evaluations + part[2].evaluations;
}

static void test_experiment_1_has_the_errors_of_the_table(void)
{
  static const struct {
    double a;
    const char *methods;
    HyRateInformation information;
    double error[6];
  } rows[] = {
      {0.0, "EEE", HY_RATE_INTERPOLATED, {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {0.0, "EEE", HY_RATE_ADVANCED, {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {0.0, "EEE", HY_RATE_DELAYED, {1.2231, 0.9838, 0.6494, 0.6333, 1.2746, 1.2846}},
      {0.1, "EEE", HY_RATE_INTERPOLATED, {1.7243, 1.4441, 1.9018, 1.8991, 4.3691, 4.3794}},
      {0.1, "EEE", HY_RATE_ADVANCED, {1.8027, 1.5225, 2.1032, 2.1005, 4.7729, 4.7832}},
      {0.1, "EEE", HY_RATE_DELAYED, {1.6494, 1.3692, 1.7186, 1.7159, 3.9991, 4.0094}},
      {0.01, "EEE", HY_RATE_INTERPOLATED, {1.2232, 0.9839, 0.6771, 0.6512, 1.3394, 1.3497}},
      {0.01, "EEE", HY_RATE_ADVANCED, {1.2240, 0.9847, 0.6840, 0.6573, 1.3522, 1.3625}},
      {0.01, "EEE", HY_RATE_DELAYED, {1.2226, 0.9833, 0.6709, 0.6458, 1.3274, 1.3378}},
      {0.0, "III", HY_RATE_ADVANCED, {1.2165, 0.9849, 1.9528, 1.9141, 22.4548, 22.4446}},
      {0.01, "III", HY_RATE_ADVANCED, {1.2091, 0.9776, 2.0022, 1.9635, 22.8896, 22.8794}},
      {0.1, "III", HY_RATE_ADVANCED, {5.8435, 5.7198, 11.7614, 11.7645, 35.4555, 35.4455}},
      {0.0, "EII", HY_RATE_ADVANCED, {1.2165, 0.9849, 1.9528, 1.9141, 0.8432, 0.8327}},
      {0.1, "EII", HY_RATE_ADVANCED, {1.2133, 0.9817, 1.9573, 1.9186, 1.2544, 1.2441}},
      {0.01, "EII", HY_RATE_ADVANCED, {1.2161, 0.9846, 1.9532, 1.9146, 0.8592, 0.8486}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double error[6];
    experiment(rows[i].a, rows[i].methods, rows[i].information, error);
    for (int j = 0; j < 6; j++) {
      close_to(1e-3, rows[i].error[j], error[j], rows[i].methods);
    }
  }
}

static void test_experiment_1_grows_where_the_problem_is_unstable(void)
{
  static const double most[] = {18570.0, 60544.0, 5669.0};
  static const HyRateInformation information[] = {HY_RATE_INTERPOLATED, HY_RATE_ADVANCED,
                                                  HY_RATE_DELAYED};
  for (int i = 0; i < 3; i++) {
    double error[6];
    experiment(1.0, "EEE", information[i], error);
    close_to(1e-3 * most[i], most[i], error[0], "y1");
  }
}

static void test_experiment_1_counts_its_evaluations(void)
{
  double error[6];
  TEST_ASSERT_EQUAL_INT(13240, experiment(0.0, "EII", HY_RATE_ADVANCED, error));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_unit_values);
  RUN_TEST(test_the_cycle_has_the_matrix_of_the_thesis);
  RUN_TEST(test_stability_is_not_a_matter_of_the_eigenvalues);
  RUN_TEST(test_the_slow_part_has_its_own_limit);
  RUN_TEST(test_information_that_nobody_reads_changes_nothing);
  RUN_TEST(test_all_six_are_of_order_1);
  RUN_TEST(test_evaluations_of_a_cycle);
  RUN_TEST(test_experiment_1_has_the_errors_of_the_table);
  RUN_TEST(test_experiment_1_grows_where_the_problem_is_unstable);
  RUN_TEST(test_experiment_1_counts_its_evaluations);
  return UNITY_END();
}
