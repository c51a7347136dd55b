/* What every method of the table promises, whatever it computes. */
#include "driver.h"
#include "numerics/taylor.h"
#include "random.h"

#include <stdio.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static bool instant(double tn, double t)
{
  return tn >= t; /* false for NaN */
}

/* The start of one variable whose x' is DX from then on, whatever q. */
static HyQState started(const HyQuantizer *m, double t0, double x0, double dq, const double *dx)
{
  HyQState v = {.min = dq};
  m->start(&v, t0, x0);
  for (int k = 0; k < m->order; k++) {
    m->step(&v, t0);
    m->derivative(&v, t0, dx);
  }
  if (v.tn == t0) { /* BQSS: from the lower level to the upper one */
    m->step(&v, t0);
    m->derivative(&v, t0, dx);
  }
  return v;
}

static void test_logarithmic_quantum(void)
{
  TEST_ASSERT_EQUAL_DOUBLE(0.02, hy_quantum(0.01, 1e-6, -2.0));
  TEST_ASSERT_EQUAL_DOUBLE(1e-6, hy_quantum(0.01, 1e-6, 1e-9));
  EACH_QUANTIZED(m)
  {
    HyQState v = {.min = 1e-3, .rel = 0.1};
    m->quantizer->start(&v, 0.0, 50.0);
    TEST_ASSERT_EQUAL_DOUBLE(5.0, v.dq);
  }
}

/* n pieces at t0, each after the answer to the one before, and each with a slope more. */
static void test_start_announces_n_pieces(void)
{
  EACH_QUANTIZED(m)
  {
    HyQState v = {.min = 1e-3};
    m->quantizer->start(&v, 3.0, 1.0);
    for (int k = 0; k < m->quantizer->order; k++) {
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(3.0, v.tn, m->name);
      m->quantizer->step(&v, 3.0);
      TEST_ASSERT_TRUE(k == m->quantizer->order - 1 || v.tn == INFINITY);
      m->quantizer->derivative(&v, 3.0, (const double[]){-2.0, 4.0, 6.0});
    }
    TEST_ASSERT_TRUE_MESSAGE(v.tn > 3.0, m->name);
    TEST_ASSERT_TRUE(m->quantizer->order < 2 || (v.q[0] == 1.0 && v.q[1] == -2.0));
    TEST_ASSERT_TRUE(m->quantizer->order < 3 || v.q[2] == 2.0);
  }
}

static void test_zero_derivative_rests(void)
{
  EACH_QUANTIZED(m)
  {
    const double zero[4] = {0.0, 0.0, 0.0, 0.0};
    for (int a = -2; a <= 2; a += 2) {
      HyQState v = started(m->quantizer, 1.0, 5.0, 1e-3, zero);
      TEST_ASSERT_TRUE_MESSAGE(v.tn == INFINITY, m->name);
      v.a = a;
      m->quantizer->reset(&v, 2.0, 7.0);
      m->quantizer->step(&v, 2.0); /* with u = -a q from the jump, the answer is still 0 */
      m->quantizer->derivative(&v, 2.0, zero);
      TEST_ASSERT_TRUE_MESSAGE(v.tn == INFINITY || m->quantizer->implicit, m->name);
    }
  }
}

/* q - x */
static double gap_at(const HyQState *v, double t)
{
  return hy_poly_at(v->q, 3, t - v->tq) - hy_qstate_x(v, t);
}

/* x' = -x from 1: when q is due to change, |q - x| has not passed what the method promises. */
static void test_every_quantizer_keeps_its_bound(void)
{
  EACH_QUANTIZED(m)
  {
    HyQState v = {.min = 1e-2, .learn = true};
    m->quantizer->start(&v, 0.0, 1.0);
    for (int i = 0; i < 500 && v.tn < 1e6; i++) {
      double t = v.tn;
      double gap = gap_at(&v, t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(m->quantizer->bound * v.dq * (1 + 1e-9), 0.0, gap, m->name);
      m->quantizer->step(&v, t);
      m->quantizer->derivative(&v, t, (const double[]){-v.q[0], -v.q[1], -v.q[2]});
    }
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.1, 0.0, hy_qstate_x(&v, fmax(v.tx, 5.0)), m->name);
  }
}

/* ---- Random polynomial right-hand sides, three states ---- */

static double coupling[3][3];
static double square[3][3];

static void random_rhs(int i, int n, double (*q)[4], double *dx)
{
  double cube[4];
  for (int j = 0; j < 3; j++) {
    double qq[4];
    hy_taylor_mul(n, q[j], q[(j + 1) % 3], qq);
    for (int k = 0; k < n; k++) {
      dx[k] += coupling[i][j] * q[j][k] + square[i][j] * qq[k];
    }
  }
  hy_taylor_pow_int(n, q[i], 3, cube);
  for (int k = 0; k < n; k++) {
    dx[k] -= cube[k];
  }
}

static double random_partial(int i, double (*q)[4])
{
  double a = coupling[i][i] - 3.0 * q[i][0] * q[i][0];
  a += square[i][i] * q[(i + 1) % 3][0];
  return a + square[i][(i + 2) % 3] * q[(i + 2) % 3][0];
}

static void check_random_run(const DriverSystem *system, const HyMethod *method, double rel)
{
  const HyQuantizer *m = method->quantizer;
  Driver d;
  driver_start(&d, system, m, (const double[]){0.01, 0.01, 0.01}, rel);
  double t = 0.0;
  for (int i = 0; i < 2000; i++) {
    int k = driver_next(&d, 20.0);
    if (k < 0) {
      return;
    }
    TEST_ASSERT_TRUE_MESSAGE(instant(d.v[k].tn, t), method->name);
    t = d.v[k].tn;
    for (int j = 0; j < 3; j++) {
      double gap = gap_at(&d.v[j], t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(m->bound * d.v[j].dq * (1 + 1e-7), 0.0, gap, method->name);
    }
    driver_step(&d, k);
  }
}

static void test_the_bound_on_random_systems(void)
{
  uint64_t seed = 21;
  for (int run = 0; run < 60; run++) {
    DriverSystem system = {.n = 3, .reads = {7, 7, 7}, .f = random_rhs};
    system.partial = run % 2 ? random_partial : NULL;
    for (int i = 0; i < 3; i++) {
      system.x0[i] = 2.0 * random_signed(&seed);
      for (int j = 0; j < 3; j++) {
        coupling[i][j] = run % 3 ? 2.0 * random_signed(&seed) : random_size(&seed, 2.0);
        square[i][j] = random_signed(&seed);
      }
      coupling[i][i] = -fabs(coupling[i][i]);
    }
    EACH_QUANTIZED(m)
    {
      check_random_run(&system, m, run % 4 == 1 ? 0.05 : 0.0);
    }
  }
}

/* ---- One variable under arbitrary events ---- */

/* Any size, any moment, any a: times stay absolute times, the bound holds while dq does. */
static void test_huge_and_tiny_magnitudes(void)
{
  uint64_t seed = 33;
  EACH_QUANTIZED(m)
  {
    for (int run = 0; run < 200; run++) {
      double size = random_size(&seed, 100.0);
      HyQState v = {.min = 1e-3 * fabs(size)};
      double t = 1e3 * fabs(random_signed(&seed));
      m->quantizer->start(&v, t, size * random_signed(&seed));
      for (int i = 0; i < 40; i++) {
        if (v.tn <= t || (i % 2 && v.tn < t + 1e6)) {
          t = v.tn;
          v.a = random_size(&seed, 8.0);
          m->quantizer->step(&v, t);
        } else {
          t = fmin(v.tn, t + fabs(random_signed(&seed)));
        }
        double dx[3];
        for (int k = 0; k < 3; k++) {
          dx[k] = size * random_size(&seed, 6.0);
        }
        m->quantizer->derivative(&v, t, dx);
        TEST_ASSERT_TRUE_MESSAGE(instant(v.tn, t), m->name);
        double gap = v.pieces < m->quantizer->order ? 0.0 : fabs(gap_at(&v, t));
        double rounding = 1e-12 * fabs(hy_qstate_x(&v, t)) + 1e-15 * t * 3e6 * fabs(size);
        TEST_ASSERT_TRUE_MESSAGE(gap <= m->quantizer->bound * v.dq * (1 + 1e-6) + rounding,
                                 m->name);
      }
    }
  }
}

/* tn is never NaN; it is INFINITY while the derivative is no number, and well again afterwards. */
static void test_not_finite_inputs(void)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  EACH_QUANTIZED(m)
  {
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < m->quantizer->order; k++) {
        double dx[3] = {1.0, 1.0, 1.0};
        HyQState v = started(m->quantizer, 0.0, 1.0, 1e-2, dx);
        dx[k] = bad[i];
        double t = 0.5 * v.tn;
        m->quantizer->derivative(&v, t, dx);
        TEST_ASSERT_TRUE_MESSAGE(v.tn == INFINITY, m->name);
        TEST_ASSERT_FALSE_MESSAGE(hy_qstate_finite(&v), m->name);
        dx[k] = 1.0;
        m->quantizer->derivative(&v, t, dx);
        TEST_ASSERT_TRUE_MESSAGE(v.tn > t && isfinite(v.tn), m->name);
        TEST_ASSERT_TRUE_MESSAGE(hy_qstate_finite(&v), m->name);
      }
      HyQState v = {.min = 1e-2};
      m->quantizer->start(&v, 0.0, bad[i]);
      m->quantizer->step(&v, 0.0);
      m->quantizer->derivative(&v, 0.0, (const double[]){bad[i], 1.0, 1.0});
      TEST_ASSERT_TRUE_MESSAGE(instant(v.tn, 0.0), m->name);
      TEST_ASSERT_FALSE_MESSAGE(hy_qstate_finite(&v), m->name);
    }
  }
}

/* A partial beyond all sense may cost steps, never the bound. */
static void test_any_partial_is_survived(void)
{
  static const double as[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, -1e-300, 0.0};
  EACH_QUANTIZED(m)
  {
    for (unsigned i = 0; i < sizeof as / sizeof *as; i++) {
      const double dx[3] = {1.0, -3.0, 2.0};
      HyQState v = started(m->quantizer, 0.0, 1.0, 1e-2, dx);
      double t = v.tn;
      v.a = as[i];
      m->quantizer->step(&v, t);
      TEST_ASSERT_TRUE_MESSAGE(instant(v.tn, t), m->name);
      m->quantizer->derivative(&v, t, dx);
      TEST_ASSERT_TRUE_MESSAGE(instant(v.tn, t), m->name);
      double gap = gap_at(&v, t);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(m->quantizer->bound * v.dq * (1 + 1e-9), 0.0, gap, m->name);
    }
  }
}

static void test_due_stays_due(void)
{
  EACH_QUANTIZED(m)
  {
    const double up[3] = {1.0, 2.0, 3.0};
    const double rest[3] = {0.0, 0.0, 0.0};
    HyQState v = started(m->quantizer, 0.0, 1.0, 1e-2, up);
    double t = v.tn;
    m->quantizer->derivative(&v, t, rest);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(t, v.tn, m->name);
    m->quantizer->step(&v, t);
    m->quantizer->derivative(&v, t,
                             rest); /* the answer to an own step is not bound by what it foresaw */
    TEST_ASSERT_TRUE_MESSAGE(v.tn == INFINITY, m->name);
  }
}

static void test_a_reset_is_due_at_once(void)
{
  EACH_QUANTIZED(m)
  {
    const double up[3] = {1.0, 2.0, 3.0};
    HyQState v = started(m->quantizer, 0.0, 1.0, 1e-2, up);
    double t = v.tn;
    m->quantizer->step(&v, t);
    m->quantizer->reset(&v, t, -8.0); /* also at the instant of an own step */
    m->quantizer->derivative(&v, t, up);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(t, v.tn, m->name);
    m->quantizer->step(&v, t);
    m->quantizer->derivative(&v, t, up);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(-8.0, hy_qstate_x(&v, t), m->name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-2 * m->quantizer->bound, -8.0, v.q[0], m->name);
    TEST_ASSERT_TRUE_MESSAGE(v.tn > t && isfinite(v.tn), m->name);
  }
}

/* What lambda sends before the step: the very bits that the step will set, at the start too. */
static void test_the_piece_is_that_of_the_step(void)
{
  uint64_t seed = 41;
  EACH_QUANTIZED(m)
  {
    HyQState v = {.min = 1e-2, .rel = 0.01, .a = -5.0};
    m->quantizer->start(&v, 0.0, 1.0);
    for (int i = 0; i < 200; i++) {
      double q[3] = {0.0, 0.0, 0.0};
      double t = fmin(v.tn, v.tx + 1.0);
      if (v.tn <= t) {
        HyQState before = v;
        m->quantizer->piece(&v, t, q);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, &v, sizeof v, m->name);
        m->quantizer->step(&v, t);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(v.q, q, sizeof q, m->name);
      }
      const double dx[3] = {random_signed(&seed), random_signed(&seed), random_signed(&seed)};
      m->quantizer->derivative(&v, t, dx);
    }
  }
}

/* q and its derivatives below n meet those of x at the end of the step h of the local model. */
static void check_meeting(const HyMethod *method, uint64_t *seed)
{
  const HyQuantizer *m = method->quantizer;
  int n = m->order;
  double dx[3];
  for (int k = 0; k < 3; k++) {
    dx[k] = random_size(seed, 1.5);
  }
  HyQState v = started(m, 0.0, random_signed(seed), 0.1, dx);
  double t = fmin(v.tn, 1.0);
  v.a = -fabs(random_size(seed, 1.5));
  double x[4];
  double q[4] = {v.q[0], v.q[1], v.q[2]};
  memcpy(x, v.x, sizeof x);
  hy_poly_shift(x, n + 1, t - v.tx);
  hy_poly_shift(q, n, t - v.tq);
  m->step(&v, t);
  double d[4] = {x[0] - v.q[0]};
  for (int k = 0; k < n; k++) { /* x' = a q + u with the new q, u from the old one */
    double slope = (k + 1) * x[k + 1] + v.a * (v.q[k] - q[k]);
    d[k + 1] = slope / (k + 1) - (k + 1 < n ? v.q[k + 1] : 0.0);
  }
  double size = 0.1 + fabs(x[0]);
  TEST_ASSERT_TRUE_MESSAGE(fabs(d[0]) <= 0.1 * (1 + 1e-9), method->name);
  if (fabs(d[n]) < 1e-9 * fabs(v.a) * size) {
    return; /* h is infinite: in parallel */
  }
  double h = -d[n - 1] / (n * d[n]);
  double scale = fabs(d[n]) * pow(h, n);
  TEST_ASSERT_TRUE_MESSAGE(h > 0.0, method->name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6 * scale + 1e-12 * size, 0.0, hy_poly_at(d, n + 1, h),
                                    method->name);
}

static void test_implicit_steps_end_where_q_meets_x(void)
{
  uint64_t seed = 77;
  EACH_QUANTIZED(m)
  {
    for (int i = 0; m->quantizer->implicit && i < 2000; i++) {
      check_meeting(m, &seed);
    }
  }
}

/* x' = -3 x + 1 from 4, two own steps after the start. */
static HyQState learned(const HyQuantizer *m)
{
  HyQState v = {.min = 1e-2, .learn = true};
  m->start(&v, 0.0, 4.0);
  for (int i = 0; i < m->order + 2; i++) {
    m->step(&v, v.tn);
    m->derivative(&v, v.tx, (const double[]){1.0 - 3.0 * v.q[0], -3.0 * v.q[1], -3.0 * v.q[2]});
  }
  return v;
}

/* x' = -3 x + 1: the first own step learns a = -3, also from polynomials. */
static void test_the_partial_is_learned(void)
{
  EACH_QUANTIZED(m)
  {
    if (!m->quantizer->implicit) {
      continue;
    }
    HyQState v = learned(m->quantizer);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, -3.0, v.a, m->name);
    m->quantizer->derivative(&v, v.tx,
                             (const double[]){50.0, 0.0, 0.0}); /* no answer: somebody else */
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, -3.0, v.a, m->name);
  }
}

/* x' = -3 x + 1 until x' no longer depends on x: then nobody answers, and a = 0 is known at the
 * next step or with the next derivative. */
static void test_no_answer_is_learned_too(void)
{
  EACH_QUANTIZED(m)
  {
    if (!m->quantizer->implicit) {
      continue;
    }
    HyQState v = learned(m->quantizer);
    m->quantizer->step(&v, v.tn);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, -3.0, v.a, m->name);
    HyQState other = v;
    double q[3] = {0.0, 0.0, 0.0};
    double t = fmin(v.tn, v.tx + 1.0);
    m->quantizer->piece(&v, t, q);
    m->quantizer->step(&v, t);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(0.0, v.a, m->name);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(v.q, q, (size_t)m->quantizer->order * sizeof *q, m->name);
    m->quantizer->derivative(&other, other.tx + 1e-9, (const double[]){1.0, 0.0, 0.0});
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(0.0, other.a, m->name);
  }
}

/* A ball hits the floor: its height jumps to 0, and its velocity, at the same instant, too. */
static void test_nothing_is_learned_from_a_jump(void)
{
  EACH_QUANTIZED(m)
  {
    if (m->quantizer->implicit) {
      HyQState v = {.min = 1e-2, .learn = true};
      m->quantizer->start(&v, 0.0, 4.0);
      for (int i = 0; i < m->quantizer->order; i++) {
        m->quantizer->step(&v, 0.0);
        m->quantizer->derivative(&v, 0.0, (const double[]){-5.0, 0.0, 0.0});
      }
      m->quantizer->reset(&v, 1.0, 0.0);
      m->quantizer->step(&v, 1.0);
      m->quantizer->derivative(&v, 1.0, (const double[]){4.0, 0.0, 0.0});
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(0.0, v.a, m->name);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_logarithmic_quantum);
  RUN_TEST(test_start_announces_n_pieces);
  RUN_TEST(test_zero_derivative_rests);
  RUN_TEST(test_every_quantizer_keeps_its_bound);
  RUN_TEST(test_the_bound_on_random_systems);
  RUN_TEST(test_huge_and_tiny_magnitudes);
  RUN_TEST(test_not_finite_inputs);
  RUN_TEST(test_any_partial_is_survived);
  RUN_TEST(test_due_stays_due);
  RUN_TEST(test_a_reset_is_due_at_once);
  RUN_TEST(test_the_piece_is_that_of_the_step);
  RUN_TEST(test_implicit_steps_end_where_q_meets_x);
  RUN_TEST(test_the_partial_is_learned);
  RUN_TEST(test_no_answer_is_learned_too);
  RUN_TEST(test_nothing_is_learned_from_a_jump);
  return UNITY_END();
}
