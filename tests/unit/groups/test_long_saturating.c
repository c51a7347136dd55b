/* A Cuk converter whose first coil saturates, by itself: Radau's method of order 5 (Hairer, Wanner:
 * Solving Ordinary Differential Equations II, IV.5) in 113 bits, each step beside two of half its
 * length and extrapolated from both. The diode conducts while iD = iL1 + iL2 - iS is above 0, and
 * turns where a step is cut by bisection; x' goes through that without a jump. */
#include "saturating.h"

#include <glib.h>
#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define N      5 /* iL1 iL2 iS uC1 uC2 */
#define STAGES 3
#define ALL    (STAGES * N)

__extension__ typedef __float128 Wide;

typedef struct {
  Wide saturation; /* 1/Isat^2 */
  Wide rs, rd;     /* of the switch and the diode, as they are now */
  Wide a[STAGES][STAGES];
  double tolerance;
  guint turns;
} Converter;

static Wide size_of(Wide v)
{
  return v < 0 ? -v : v;
}

static Wide diode(const Wide *x)
{
  return x[0] + x[1] - x[2];
}

static void slopes(const Converter *c, const Wide *x, Wide *dx, Wide jacobian[N][N])
{
  const Wide ls = (Wide)1 / 100000000, rd = c->rd, rs = c->rs;
  Wide u = 24 - x[3] - rd * diode(x), s = 100 * (1 + x[0] * x[0] * c->saturation);
  const Wide rows[N][N] = {
      {-rd * s + 200 * u * x[0] * c->saturation, -rd * s, rd * s, -s, 0},
      {-100 * rd, -100 * rd, 100 * rd, 0, -100},
      {rd / ls, rd / ls, -(rd + rs) / ls, 1 / ls, 0},
      {100, 0, -100, 0, 0},
      {0, 100, 0, 0, -10},
  };
  dx[0] = u * s;
  dx[1] = -100 * (x[4] + rd * diode(x));
  dx[2] = (x[3] + rd * diode(x) - rs * x[2]) / ls;
  dx[3] = 100 * (x[0] - x[2]);
  dx[4] = 100 * x[1] - 10 * x[4];
  memcpy(jacobian, rows, sizeof rows);
}

/* M x = B by elimination, into B. */
static void solve(Wide m[ALL][ALL], Wide *b)
{
  for (guint k = 0; k < ALL; k++) {
    guint p = k;
    for (guint i = k + 1; i < ALL; i++) {
      p = size_of(m[i][k]) > size_of(m[p][k]) ? i : p;
    }
    for (guint j = 0; j < ALL; j++) {
      Wide v = m[k][j];
      m[k][j] = m[p][j];
      m[p][j] = v;
    }
    Wide v = b[k];
    b[k] = b[p];
    b[p] = v;
    for (guint i = k + 1; i < ALL; i++) {
      Wide part = m[i][k] / m[k][k];
      for (guint j = k; j < ALL && part != 0; j++) {
        m[i][j] -= part * m[k][j];
      }
      b[i] -= part * b[k];
    }
  }
  for (guint k = ALL; k-- > 0;) {
    for (guint j = k + 1; j < ALL; j++) {
      b[k] -= m[k][j] * b[j];
    }
    b[k] /= m[k][k];
  }
}

/* One turn of Newton for z = h A f(x + z); how far it went, as a part. */
static double turn(const Converter *c, const Wide *x, Wide h, Wide z[STAGES][N])
{
  Wide f[STAGES][N], jacobian[STAGES][N][N], m[ALL][ALL] = {{0}}, b[ALL];
  for (guint i = 0; i < STAGES; i++) {
    Wide y[N];
    for (guint k = 0; k < N; k++) {
      y[k] = x[k] + z[i][k];
    }
    slopes(c, y, f[i], jacobian[i]);
  }
  for (guint r = 0; r < ALL; r++) {
    b[r] = -z[r / N][r % N];
    for (guint q = 0; q < ALL; q++) {
      m[r][q] = (r == q) - h * c->a[r / N][q / N] * jacobian[q / N][r % N][q % N];
    }
    for (guint j = 0; j < STAGES; j++) {
      b[r] += h * c->a[r / N][j] * f[j][r % N];
    }
  }
  solve(m, b);
  double most = 0;
  for (guint r = 0; r < ALL; r++) {
    z[r / N][r % N] += b[r];
    most = fmax(most, (double)(size_of(b[r]) / (1e-12 + size_of(x[r % N] + z[r / N][r % N]))));
  }
  return most;
}

/* FALSE: it does not converge. */
static gboolean step(const Converter *c, const Wide *x, Wide h, Wide *to)
{
  Wide z[STAGES][N] = {{0}};
  for (guint k = 0; k < 30; k++) {
    if (turn(c, x, h, z) < 1e-24) {
      for (guint i = 0; i < N; i++) {
        to[i] = x[i] + z[STAGES - 1][i];
      }
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean two_steps(const Converter *c, const Wide *x, Wide h, Wide *to)
{
  Wide middle[N];
  return step(c, x, h / 2, middle) && step(c, middle, h / 2, to);
}

/* From X over at most H into TO; the error as a part of the tolerance. Infinite: no step. */
static double try_step(const Converter *c, const Wide *x, Wide h, Wide *to)
{
  Wide one[N];
  double worst = 0;
  if (!step(c, x, h, one) || !two_steps(c, x, h, to)) {
    return INFINITY;
  }
  for (guint k = 0; k < N; k++) {
    Wide off = (to[k] - one[k]) / 31, size = 1e-7 + fmax(fabs((double)x[k]), fabs((double)to[k]));
    worst = fmax(worst, (double)(size_of(off) / size) / c->tolerance);
    to[k] += off;
  }
  return worst;
}

static gboolean is_wrong(const Converter *c, const Wide *x)
{
  return c->rd < 1 ? diode(x) < 0 : diode(x) > 0;
}

/* Where the diode turns within H; X becomes what is there. */
static Wide turn_diode(Converter *c, Wide *x, Wide h)
{
  Wide low = 0, high = h, to[N];
  for (guint k = 0; k < 100 && (double)(high - low) > 1e-30; k++) {
    Wide middle = (low + high) / 2;
    TEST_ASSERT_TRUE(two_steps(c, x, middle, to));
    *(is_wrong(c, to) ? &high : &low) = middle;
  }
  TEST_ASSERT_TRUE(two_steps(c, x, high, to));
  memcpy(x, to, sizeof to);
  c->rd = c->rd < 1 ? (Wide)100000 : (Wide)1 / 100000;
  c->turns++;
  return high;
}

/* For as long as the switch stays as it is. */
static void go_on(Converter *c, Wide *x, Wide until)
{
  Wide t = 0, h = 1e-15, to[N];
  while (t < until) {
    h = t + h < until ? h : until - t;
    double error = try_step(c, x, h, to);
    if (error > 1) {
      h *= isfinite(error) ? fmax(0.2, 0.9 * pow(error, -1 / 6.0)) : 0.25;
    } else if (is_wrong(c, to)) {
      t += turn_diode(c, x, h);
      h = 1e-15;
    } else {
      memcpy(x, to, sizeof to);
      t += h;
      h *= fmin(4, 0.9 * pow(error + 1e-30, -1 / 6.0));
    }
  }
}

/* The root of 6 in 113 bits, by Newton's method. */
static Wide root_of_6(void)
{
  Wide s = sqrt(6);
  for (guint k = 0; k < 3; k++) {
    s = (s + 6 / s) / 2;
  }
  return s;
}

static void check(double saturation, const End *end)
{
  const Wide s = root_of_6(), us = (Wide)1 / 1000000;
  Converter c = {.saturation = saturation > 0 ? 1 / ((Wide)saturation * saturation) : 0,
                 .rd = 100000,
                 .tolerance = 1e-11,
                 .a = {{(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225},
                       {(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225},
                       {(16 - s) / 36, (16 + s) / 36, (Wide)1 / 9}}};
  Wide x[N] = {0};
  for (guint k = 0; k < 100; k++) {
    c.rs = (Wide)1 / 100000;
    go_on(&c, x, 35 * us);
    c.rs = 100000;
    go_on(&c, x, 65 * us);
  }
  for (guint k = 0; k < N; k++) {
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-11 * fabs(end[k].value), end[k].value, (double)x[k],
                                      end[k].name);
  }
  TEST_ASSERT_EQUAL_UINT(201, c.turns);
}

static void test_a_saturating_converter_stands_where_it_is_said_to(void)
{
  check(0, of_no_saturation);
  check(100, of_100);
  check(40, of_40);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_saturating_converter_stands_where_it_is_said_to);
  return UNITY_END();
}
