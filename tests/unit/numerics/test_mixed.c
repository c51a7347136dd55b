/* A quantized state and a classic method that read each other: the error of the classic part has
 * to follow the tolerance, which takes both limits of its step.
 *
 *   x' = -x + z1 (QSS2);  z1' = z2, z2' = -4 z1 - 0.2 z2 + x (Runge-Kutta, step doubling)
 *
 * The classic part works behind the time: at the end of its step it integrates over the pieces of x
 * that have come in between; the quantized one sees meanwhile the extrapolation of z1. */
#include "classic_run.h"
#include "numerics/poly.h"
#include "numerics/quantizer.h"
#include "numerics/step_limits.h"

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

#define PIECES  20000
#define LONGEST 0.5

typedef struct {
  double t, q[2];
} Piece;

typedef struct {
  double eps;
  int out_order;
  bool output_limit, input_limit;

  const HyQuantizer *qss;
  HyQState x;
  HyOdeRun z;
  double seen[3], end;  /* extrapolation of z1 from z.t; when the step ends */
  Piece pieces[PIECES]; /* since z.t; the first began before or then */
  int count;
  double begin, integral; /* of q: its value at z.t, its integral up to the last piece */
  long events;
} Mixed;

static const Piece *piece_at(const Mixed *m, double t)
{
  int i = m->count - 1;
  while (i > 0 && m->pieces[i].t > t) {
    i--;
  }
  return &m->pieces[i];
}

static void classic_f(void *user, double t, const double *z, double *dz)
{
  const Piece *p = piece_at(user, t);
  dz[0] = z[1];
  dz[1] = -4.0 * z[0] - 0.2 * z[1] + hy_poly_at(p->q, 2, t - p->t);
}

/* x' = -q + z1 as the quantized state sees it */
static void tell_x(Mixed *m, double t)
{
  double z[3];
  memcpy(z, m->seen, sizeof z);
  hy_poly_shift(z, 3, t - m->z.t);
  double dx[4] = {-hy_qstate_q(&m->x, t) + z[0], -m->x.q[1] + z[1]};
  m->qss->derivative(&m->x, t, dx);
}

static void publish(Mixed *m)
{
  double c[6] = {0.0};
  int n = m->out_order + 1;
  hy_ode_forward(&m->z, n, c);
  memset(m->seen, 0, sizeof m->seen);
  memcpy(m->seen, c, (size_t)n * sizeof *c);
}

static void limit_by_input(Mixed *m, double t, const Piece *p)
{
  HyInputChange change = {.e = t - m->z.t,
                          .begin = m->begin,
                          .value = p->q[0],
                          .slope = p->q[1],
                          .integral = m->integral};
  double tolerance = m->eps * fabs(m->z.x[1]) + m->eps;
  double most = hy_input_limit(&change, 1.0, tolerance);
  m->end = fmin(m->end, fmax(t, m->z.t + most));
}

static void quantized_step(Mixed *m, double t)
{
  Piece *last = &m->pieces[m->count - 1];
  double from = fmax(last->t, m->z.t);
  double d = t - from;
  m->integral += d * (hy_poly_at(last->q, 2, from - last->t) + 0.5 * d * last->q[1]);
  m->qss->step(&m->x, t);
  m->events++;
  TEST_ASSERT_TRUE(m->count < PIECES);
  Piece *p = &m->pieces[m->count++];
  *p = (Piece){t, {m->x.q[0], m->x.q[1]}};
  tell_x(m, t);
  if (m->input_limit) {
    limit_by_input(m, t, p);
  }
}

static void classic_step(Mixed *m)
{
  double t = m->end;
  double h = t - m->z.t;
  TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_advance(&m->z, t));
  double missed = fabs(m->z.x[0] - hy_poly_at(m->seen, 3, h));
  double next = fmin(m->z.h, LONGEST);
  if (m->output_limit) {
    double tolerance = m->eps * fabs(m->z.x[0]) + m->eps;
    next = fmin(next, hy_output_limit(h, missed, tolerance, m->out_order));
  }
  m->pieces[0] = m->pieces[m->count - 1];
  m->count = 1;
  m->begin = hy_poly_at(m->pieces[0].q, 2, t - m->pieces[0].t);
  m->integral = 0.0;
  m->end = t + next;
  publish(m);
  tell_x(m, t);
}

static void start(Mixed *m)
{
  static const double z0[2] = {1.0, 0.0};
  HyOde ode = {.n = 2, .f = classic_f, .user = m};
  HyOdeSettings set = hy_ode_settings;
  set.rtol = set.atol = m->eps;
  set.first = 1e-3;
  m->count = 1;
  classic_start(&m->z, "rk45_doubling", &ode, &set, 0.0, z0);
  m->end = set.first;
  publish(m);
  m->qss = hy_quantizer_find("qss2");
  m->x.min = m->eps;
  m->qss->start(&m->x, 0.0, 0.0);
}

/* All three states by RK4, far finer. */
static void whole_f(void *user, double t, const double *y, double *dy)
{
  (void)user;
  (void)t;
  dy[0] = -y[0] + y[1];
  dy[1] = y[2];
  dy[2] = -4.0 * y[1] - 0.2 * y[2] + y[0];
}

static double exact(int i)
{
  HyOdeRun r;
  HyOde ode = {.n = 3, .f = whole_f};
  classic_start(&r, "rk4", &ode, NULL, 0.0, (double[3]){0.0, 1.0, 0.0});
  classic_to(&r, 10.0, 20000);
  double y = r.x[i];
  classic_free(&r);
  return y;
}

/* The larger error of z at 10, in eps. */
static double mixed_error(Mixed *m, long *steps)
{
  start(m);
  while (m->z.t < 10.0) {
    m->end = fmin(m->end, 10.0);
    if (m->x.tn <= m->end) {
      quantized_step(m, m->x.tn);
    } else {
      classic_step(m);
    }
  }
  *steps = m->z.counts.accepted;
  double error = fmax(fabs(m->z.x[0] - exact(1)), fabs(m->z.x[1] - exact(2)));
  classic_free(&m->z);
  return error / m->eps;
}

static void test_the_error_follows_the_tolerance_with_both_limits(void)
{
  static const struct {
    double eps;
    int out_order;
    double steps; /* of the table of the design */
  } rows[] = {
      {1e-3, 0, 4674.0}, {1e-3, 1, 195.0},  {1e-3, 2, 68.0},  {1e-4, 1, 635.0},
      {1e-4, 2, 145.0},  {1e-5, 1, 2024.0}, {1e-5, 2, 311.0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static Mixed m;
    long steps = 0;
    m = (Mixed){.eps = rows[i].eps,
                .out_order = rows[i].out_order,
                .output_limit = true,
                .input_limit = true};
    double error = mixed_error(&m, &steps);
    TEST_ASSERT_TRUE(error < (rows[i].out_order == 2 ? 10.0 : 5.0));
    TEST_ASSERT_TRUE(fabs((double)steps - rows[i].steps) < 0.02 * rows[i].steps);
    m = (Mixed){.eps = rows[i].eps, .out_order = rows[i].out_order};
    TEST_ASSERT_TRUE(mixed_error(&m, &steps) > 3.0 * error);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_error_follows_the_tolerance_with_both_limits);
  return UNITY_END();
}
