/* Exact motions and the first fall of what is watched along them, against closed forms and against
 * a series with 34 digits. */
#include "numerics/modal.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define MOST  8
#define SINES 2

typedef struct {
  HyModal modal;
  HyMotion motion;
  HySines sines;
  double x0[MOST], u[MOST * HY_MODAL_LANES], of[MOST], turn[SINES];
  double drive[2 * MOST * HY_MODAL_LANES], weight[2 * MOST];
  double complex room[16 * MOST * MOST + 64], work[2 * (MOST + SINES)];
  double complex sine[MOST * SINES], follow[MOST * SINES], near[MOST * SINES];
  double complex wave[SINES], line[SINES]; /* of d; of a line */
  HyWatch watch;
} Case;

static void begin(Case *c, int n, const double *a)
{
  TEST_ASSERT_TRUE(hy_modal_room(n) <= sizeof c->room / sizeof *c->room);
  TEST_ASSERT_TRUE(hy_modal_init(&c->modal, n, a, c->room));
  hy_motion_init(&c->motion, &c->modal, HY_MODAL_LANES, c->x0, c->u, c->drive);
}

/* With SINES of the rates TURN, SINE of each state. */
static void begin_with_sines(Case *c, int n, const double *a)
{
  begin(c, n, a);
  c->sines =
      (HySines){.n = SINES, .turn = c->turn, .wave = c->sine, .follow = c->follow, .near = c->near};
  hy_motion_add_sines(&c->motion, &c->sines);
}

static void test_phi_against_its_series_and_closed_forms(void)
{
  static const double at[] = {-800.0, -50.0, -2.0, -1.0000001, -0.9999999,
                              -1e-3,  0.0,   1e-9, 0.3,        5.0};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double complex phi[5];
    hy_phi(at[i], 4, phi);
    long double z = at[i], series[5];
    for (int k = 0; k <= 4; k++) { /* phi_k = sum z^j / (j + k)!, or by e^z where |z| is large */
      long double term = 1.0L, sum = 0.0L;
      for (int j = 1; j <= k; j++) {
        term /= j;
      }
      for (int j = 1; j < 400; j++) {
        sum += term;
        term *= z / (j + k);
      }
      series[k] = sum;
    }
    if (fabs(at[i]) > 4.0) {
      series[0] = expl(z);
      series[1] = expm1l(z) / z;
      series[2] = (series[1] - 1.0L) / z;
      series[3] = (series[2] - 0.5L) / z;
      series[4] = (series[3] - 1.0L / 6.0L) / z;
    }
    for (int k = 0; k <= 4; k++) {
      TEST_ASSERT_TRUE(cabs(phi[k] - (double)series[k]) <=
                       4e-15 * fabs((double)series[k]) + 1e-300);
    }
  }
}

/* x'' = -w^2 x - 2 d x', driven by a ramp. */
static void test_an_oscillator_that_a_ramp_drives(void)
{
  double w = 100.0, d = 3.0, v = sqrt(w * w - d * d);
  Case c = {.x0 = {1.0, 0.0}, .u = {[HY_MODAL_LANES + 1] = 7.0}};
  begin(&c, 2, (const double[]){0.0, 1.0, -w * w, -2.0 * d});
  for (int k = 0; k < 30; k++) {
    double s = 0.01 * k;
    double b = 7.0 / (w * w), a = -2.0 * d * b / (w * w), p = 1.0 - a, q = (d * p - b) / v;
    double x = a + b * s + exp(-d * s) * (p * cos(v * s) + q * sin(v * s));
    double got[2], slope[2];
    hy_motion_at(&c.motion, s, got, slope);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, x, got[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, got[1], slope[0]);
  }
}

/* The K-th Taylor coefficient of what sines give to x'[i]; POWER: of j turn, by k!. */
static __float128 of_sines(const Case *c, int i, __float128 (*power)[2], int k)
{
  __float128 sum = 0;
  for (int j = 0; j < SINES && c->motion.sines != NULL; j++) {
    double complex b = c->sine[i * SINES + j];
    sum += creal(b) * power[j][0] - cimag(b) * power[j][1];
    if (i == c->modal.n - 1) {
      __float128 re = power[j][0];
      power[j][0] = -power[j][1] * c->turn[j] / (k + 1);
      power[j][1] = re * c->turn[j] / (k + 1);
    }
  }
  return sum;
}

/* The Taylor series of the motion with 34 digits; for |A| s up to about 30. */
static void by_series(const Case *c, int n, double s, double *x)
{
  __float128 value[MOST];
  __float128 y[MOST], power = 1, turned[SINES][2] = {{1, 0}, {1, 0}};
  for (int i = 0; i < n; i++) {
    y[i] = c->x0[i];
    value[i] = y[i];
  }
  for (int k = 0; k < 400; k++) { /* y becomes the coefficient of s^(k + 1) */
    __float128 next[MOST];
    for (int i = 0; i < n; i++) {
      next[i] = k < HY_MODAL_LANES ? (__float128)c->u[i * HY_MODAL_LANES + k] : 0;
      next[i] += of_sines(c, i, turned, k);
      for (int j = 0; j < n; j++) {
        next[i] += (__float128)c->modal.a[i * n + j] * y[j];
      }
      next[i] /= k + 1;
    }
    power *= s;
    for (int i = 0; i < n; i++) {
      y[i] = next[i];
      value[i] += power * y[i];
    }
  }
  for (int i = 0; i < n; i++) {
    x[i] = (double)value[i];
  }
}

static void fill(Case *c, int n, double *a, uint64_t *seed)
{
  for (int i = 0; i < n * n; i++) {
    a[i] = random_size(seed, 1.0);
  }
  for (int i = 0; i < n; i++) {
    a[i * n + i] = -fabs(a[i * n + i]) - 2.0;
    c->x0[i] = random_size(seed, 1.0);
    for (int j = 0; j < HY_MODAL_LANES; j++) {
      c->u[i * HY_MODAL_LANES + j] = random_signed(seed);
    }
  }
}

static double complex random_complex(uint64_t *seed)
{
  double re = random_signed(seed);
  return hy_complex(re, random_signed(seed));
}

static void fill_sines(Case *c, int n, double fastest, uint64_t *seed)
{
  for (int i = 0; i < SINES; i++) {
    c->turn[i] = fastest * fabs(random_signed(seed)) + 1e-3;
  }
  for (int i = 0; i < n * SINES; i++) {
    c->sine[i] = random_complex(seed);
  }
}

/* With the sines as from S on: u has gone on, too, and so has the motion. */
static void random_motions(bool sines)
{
  uint64_t seed = 7;
  int tried = 0;
  for (int k = 0; k < 300; k++) {
    Case c = {0};
    double a[MOST * MOST], x[MOST], expected[MOST];
    int n = 1 + k % MOST;
    fill(&c, n, a, &seed);
    if (sines) {
      fill_sines(&c, n, 30.0, &seed);
      begin_with_sines(&c, n, a);
    } else {
      begin(&c, n, a);
    }
    double s = 0.3 * fabs(random_signed(&seed)) + 1e-3;
    if (c.modal.condition > 1e6) {
      continue;
    }
    tried++;
    double norm = 0.0; /* of A, which the rates are wrong by in the last digits */
    for (int i = 0; i < n * n; i++) {
      norm += fabs(a[i]);
    }
    hy_motion_at(&c.motion, s, x, NULL);
    by_series(&c, n, s, expected);
    for (int i = 0; i < n; i++) {
      double size = 1.0;
      for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(expected[j]));
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-14 * c.modal.condition * size * (1.0 + norm * s), expected[i],
                                x[i]);
    }
  }
  TEST_ASSERT_TRUE(tried > 250);
}

static void test_random_motions_against_their_series(void)
{
  random_motions(false);
}

static void test_random_motions_that_sines_drive_against_their_series(void)
{
  random_motions(true);
}

/* A swing that is driven as fast as it swings by itself, or nearly so; damped, or not: exact on
 * both sides of where that is treated otherwise, and its slope is that of its values. */
static void test_a_swing_in_resonance_against_its_series(void)
{
  static const double apart[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 9.99e-4, 1.001e-3, 0.01, 0.3};
  static const double damping[] = {0.0, 1e-9, 1e-4, 9e-4, 2e-3, 0.1};
  for (size_t k = 0; k < 2 * sizeof apart / sizeof *apart; k++) {
    for (size_t d = 0; d < sizeof damping / sizeof *damping; d++) {
      double w = 3.0, by = k % 2 == 0 ? apart[k / 2] : -apart[k / 2];
      Case c = {.x0 = {0.5, 0.0}, .turn = {w * (1.0 + by), 0.7}};
      c.sine[0] = hy_complex(0.2, 0.7);
      c.sine[SINES] = hy_complex(0.0, -1.0);
      c.sine[SINES + 1] = 0.3;
      begin_with_sines(&c, 2, (const double[]){0.0, w, -w, -2.0 * damping[d] * w});
      for (int i = 0; i < 10; i++) {
        double s = i == 0 ? 1e-6 : 0.9 * i, x[2], dx[2], expected[2], plus[2], minus[2], h = 1e-5;
        hy_motion_at(&c.motion, s, x, dx);
        by_series(&c, 2, s, expected);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, expected[0], x[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, expected[1], x[1]);
        by_series(&c, 2, s + h, plus);
        by_series(&c, 2, s - h, minus);
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, (plus[0] - minus[0]) / (2.0 * h), dx[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, (plus[1] - minus[1]) / (2.0 * h), dx[1]);
      }
    }
  }
}

/* What is much faster than the sine follows it all digits near, and what does not move at all is
 * its integral. */
static void test_a_sine_before_a_fast_mode_and_an_integral(void)
{
  double fast = 1e13, w = 314.0;
  Case c = {.x0 = {0.0, 0.0}, .turn = {w, 1.0}};
  c.sine[0] = hy_complex(0.0, -fast); /* x1' = fast (sin(w s) - x1), x2' = sin(w s) */
  c.sine[SINES] = hy_complex(0.0, -1.0);
  begin_with_sines(&c, 2, (const double[]){-fast, 0.0, 0.0, 0.0});
  for (int k = 1; k < 50; k++) {
    double s = 1e-3 * k, x[2];
    hy_motion_at(&c.motion, s, x, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, sin(w * s) - w / fast * cos(w * s), x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-16, 2.0 * sin(0.5 * w * s) * sin(0.5 * w * s) / w, x[1]);
  }
}

/* A current that a fast coil takes over within 1e-13 s, beside a slow pair: all digits. */
static void test_a_fast_mode_beside_slow_ones(void)
{
  double fast = 1e13;
  Case c = {.x0 = {2.0, 1.0}};
  begin(&c, 2, (const double[]){-fast, fast, 0.0, -5.0}); /* x1' = g (x2 - x1), x2' = -5 x2 */
  static const double at[] = {1e-15, 1e-13, 1e-12, 1e-6, 0.1};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double x[2], slow = exp(-5.0 * at[i]), r = fast / (fast - 5.0);
    hy_motion_at(&c.motion, at[i], x, NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, slow, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(3e-15, r * slow + (2.0 - r) * exp(-fast * at[i]), x[0]);
  }
}

/* Two states that hold each other at G fade at the mean of their own rates, the difference of
 * numbers as large as G: that is told where it is lost. A fast one that only follows says nothing
 * of a slow one. */
static void test_slow_rates_that_rounding_has_lost(void)
{
  for (int k = 3; k < 17; k++) {
    double g = pow(10.0, k);
    Case c = {0};
    begin(&c, 2, (const double[]){-g - 1.0, g, g, -g - 1.4});
    double doubt = hy_modal_doubt(&c.modal, DBL_EPSILON, 0.0);
    TEST_ASSERT_TRUE(fabs(creal(c.modal.rate[1]) + 1.2 - 0.02 / g) <= doubt);
    TEST_ASSERT_TRUE(doubt < 4.0 * DBL_EPSILON * (g + 2.0));
    TEST_ASSERT_TRUE((hy_modal_doubt(&c.modal, DBL_EPSILON, 1e-4) > 0.0) == (g > 1e11));
    begin(&c, 2, (const double[]){-g, g, 0.0, -5.0});
    TEST_ASSERT_TRUE(hy_modal_doubt(&c.modal, DBL_EPSILON, 1e-14) == 0.0);
  }
}

/* Four coils on one core, three of them coupled to the first one by K and to each other by K^2, and
 * open but for 1 GOhm with a capacitor and its load behind: A [7][7], U of 24 V at the first one.
 * In units of the coils the inverse of their matrix is an arrow. */
static void coils(Case *c, double *a)
{
  static const double henry[] = {300e-6, 17e-6, 140e-6, 23e-6}, ohm[] = {2e-6, 1e9, 1e9, 1e9};
  const double k = 0.98, farad = 60e-6, load = 2.7;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      double part = i == j ? 1.0 : i == 0 || j == 0 ? -k : 0.0;
      part = i + j == 0 ? 1.0 + 2.0 * k * k : part;
      double inverse = part / (1.0 - k * k) / sqrt(henry[i] * henry[j]);
      a[i * 7 + j] = -inverse * ohm[j];
      if (j > 0) {
        a[i * 7 + 3 + j] = -inverse;
      } else {
        c->u[(ptrdiff_t)i * HY_MODAL_LANES] = 24.0 * inverse;
      }
    }
  }
  for (int i = 4; i < 7; i++) {
    a[i * 7 + i - 3] = 1.0 / farad;
    a[i * 7 + i] = -1.0 / (load * farad);
    c->x0[i] = 5.0;
  }
}

/* What flows through 1 GOhm is nothing: the first coil is alone, and the capacitors are. */
static void test_slow_modes_beside_coils_that_are_open(void)
{
  static Case c;
  double a[7 * 7] = {0.0}, x[MOST], t = 1e-3;
  coils(&c, a);
  begin(&c, 7, a);
  hy_motion_at(&c.motion, t, x, NULL);
  double current = -24.0 / 2e-6 * expm1(-t * 2e-6 / 300e-6);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * current, current, x[0]);
  for (int i = 4; i < 7; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 5.0 * exp(-t / (2.7 * 60e-6)), x[i]);
  }
}

/* Equal parts, which know nothing of each other or next to nothing: their rates are equal, and what
 * the QR algorithm makes of them are no conjugates. */
static void test_equal_parts_that_hardly_see_each_other(void)
{
  for (int parts = 2; parts <= 4; parts++) {
    Case c = {0};
    double a[MOST * MOST] = {0}, x[MOST], alone[2];
    int n = 2 * parts;
    for (int k = 0; k < parts; k++) {
      int i = 2 * k, j = i + 1;
      a[(size_t)i * (size_t)n + (size_t)i] = -1e7,
                                a[i * n + j] = 1e7; /* L i' = ..., a stray coil at each */
      a[j * n + i] = 1e13, a[j * n + j] = -2e13;
      c.u[(size_t)j * HY_MODAL_LANES] = 2.4e9;
      c.x0[i] = 0.1;
    }
    Case one = {.x0 = {0.1}, .u = {[HY_MODAL_LANES] = 2.4e9}};
    begin(&one, 2, (const double[]){-1e7, 1e7, 1e13, -2e13});
    begin(&c, n, a);
    for (int decade = -14; decade < -3; decade++) {
      double s = pow(10.0, decade);
      hy_motion_at(&c.motion, s, x, NULL);
      hy_motion_at(&one.motion, s, alone, NULL);
      for (int i = 0; i < n; i++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, alone[i % 2], x[i]);
      }
    }
  }
}

/* ---- clusters ---- */

#define CHAINS 7
#ifdef __SANITIZE_ADDRESS__ /* what costs is the series at 113 bits */
#define OF_EACH 10
#else
#define OF_EACH 40
#endif

/* Equal rates, each state fed by the next one: slow or fast ones, oscillations, damped or not; the
 * number of states. */
static int chain(Case *c, int kind, double rate, double *a, uint64_t *seed)
{
  static const int states[CHAINS] = {2, 3, 4, 2, 4, 4, 6};
  int n = states[kind];
  fill(c, n, a, seed);
  memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
  for (int i = 0; i < n; i++) {
    int pair = i ^ 1, swings = kind >= 4;
    double damping = kind == 4 || kind == 6 ? 0.2 * rate : 0.0;
    a[i * n + i] = swings ? -damping : kind >= 1 && kind < 3 ? -rate : 0.0;
    if (swings) {
      a[i * n + pair] = pair > i ? rate : -rate;
    }
    if (i + 1 + swings < n) {
      a[i * n + i + 1 + swings] = kind == 0 ? 1.0 : rate;
    }
  }
  if (kind == 3) { /* at critical damping */
    a[1] = 1.0, a[2] = -rate * rate, a[3] = -2.0 * rate;
  }
  return n;
}

static void check_chain(int kind, double rate, bool sines, uint64_t *seed)
{
  Case c = {0};
  double a[MOST * MOST], x[MOST], dx[MOST], expected[MOST], after[MOST], before[MOST], h;
  int n = chain(&c, kind, rate, a, seed);
  if (sines) {
    fill_sines(&c, n, rate, seed);
    c.turn[0] = kind >= 5 ? rate : c.turn[0]; /* in resonance, all of them */
    begin_with_sines(&c, n, a);
  } else {
    begin(&c, n, a);
  }
  TEST_ASSERT_EQUAL_INT(1, c.modal.clusters);
  int k = 0;
  for (double s = 1e-6 / rate; s < 11.0 / rate; s *= 3.0, k++) {
    bool slopes = k % 4 == kind % 4; /* two series more */
    hy_motion_at(&c.motion, s, x, dx);
    by_series(&c, n, s, expected);
    h = 1e-5 * s;
    if (slopes) {
      by_series(&c, n, s + h, after);
      by_series(&c, n, s - h, before);
    }
    for (int i = 0; i < n; i++) {
      double size = 1.0;
      for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(expected[j]) * fmax(rate, 1.0));
      }
      TEST_ASSERT_DOUBLE_WITHIN(2e-12 * size, expected[i], x[i]);
      if (slopes) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-7 * (fabs(dx[i]) + size / s),
                                  (after[i] - before[i]) / (2.0 * h), dx[i]);
      }
    }
  }
}

static void test_equal_rates_without_vectors_against_their_series(void)
{
  uint64_t seed = 3;
  for (int k = 0; k < OF_EACH * CHAINS; k++) {
    check_chain(k % CHAINS, k % 3 == 0 ? 1.0 : fabs(random_size(&seed, 2.0)), k % 2 == 1, &seed);
  }
}

/* What is no number, and what leaves the numbers on the way. */
static void test_matrices_that_have_no_modes(void)
{
  static const double a[][4] = {
      {NAN, 0.0, 0.0, 1.0}, {0.0, INFINITY, 0.0, 1.0}, {-1e301, 1e301, 1e300, -1e300}};
  for (size_t k = 0; k < sizeof a / sizeof *a; k++) {
    HyModal m;
    double complex room[64];
    TEST_ASSERT_TRUE(hy_modal_room(2) <= sizeof room / sizeof *room);
    TEST_ASSERT_FALSE(hy_modal_init(&m, 2, a[k], room));
  }
}

/* ---- falls ---- */

/* z and its slope, from the states. */
static double line_at(const Case *c, const HyMotionLine *line, double s, double *slope)
{
  double x[MOST], dx[MOST], z = line->z0;
  hy_motion_at(&c->motion, s, x, dx);
  *slope = line->d[1] + s * (2.0 * line->d[2] + s * 3.0 * line->d[3]);
  z += s * (line->d[1] + s * (line->d[2] + s * line->d[3]));
  for (int i = 0; i < c->modal.n; i++) {
    z += c->of[i] * (x[i] - c->x0[i]);
    *slope += c->of[i] * dx[i];
  }
  for (int i = 0; i < SINES && c->motion.sines != NULL; i++) {
    double w = c->turn[i], re = creal(c->wave[i]), im = cimag(c->wave[i]);
    z += re * (cos(w * s) - 1.0) - im * sin(w * s);
    *slope -= w * (re * sin(w * s) + im * cos(w * s));
  }
  return z;
}

/* Where it takes too many looks, on from there. */
static double first_fall(Case *c, const HyMotionLine *line, double until, double *safe)
{
  double s = INFINITY;
  *safe = 0.0;
  hy_watch_init(&c->watch, &c->motion, line, until, c->work);
  for (int k = 0; k < 100 && *safe < until && s == INFINITY; k++) {
    s = hy_watch_falls(&c->watch, &(double){0.0}, 0.0, *safe, until, safe);
  }
  return s;
}

static double falls(Case *c, const double *of, const double *d, double *safe)
{
  hy_modal_weigh(&c->modal, of, c->weight);
  HyMotionLine line = hy_motion_line(&c->motion, of, d, c->weight, c->line);
  return first_fall(c, &line, 1.0, safe);
}

static const double none[HY_MODAL_LANES];

/* Behind many switches that are off: squares of what is left there are 0. Beside what is as small
 * as that 5e-18 is so large that nothing falls, as a few looks know. */
static void test_what_is_nearly_nothing_falls_as_what_is_not(void)
{
  static const double sizes[] = {1.0, 1e-150, 1e-200, 1e-290}, rates[] = {0.5, 314.0};
  for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
    Case c = {.x0 = {1.0, 0.0}};
    double w = rates[k % 2], e = sizes[k / 2], safe;
    begin(&c, 2, (const double[]){0.0, w, -w, 0.0});
    double s = falls(&c, (const double[]){e, 0.0}, (const double[HY_MODAL_LANES]){-0.9 * e}, &safe);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 / w, acos(0.9) / w, s);
    for (int i = 293; i < 323; i++) {
      const double of[] = {pow(10.0, -i), pow(10.0, 3 - i)};
      hy_modal_weigh(&c.modal, of, c.weight);
      HyMotionLine line =
          hy_motion_line(&c.motion, of, (const double[HY_MODAL_LANES]){5e-18}, c.weight, c.line);
      hy_watch_init(&c.watch, &c.motion, &line, 1.0, c.work);
      s = hy_watch_falls(&c.watch, &(double){0.0}, 0.0, 0.0, 1.0, &safe);
      TEST_ASSERT_TRUE(s == INFINITY && safe == 1.0);
    }
  }
}

static void test_the_first_fall_of_a_cosine_and_the_next(void)
{
  Case c = {.x0 = {1.0, 0.0}};
  double w = 314.0, safe;
  begin(&c, 2, (const double[]){0.0, w, -w, 0.0}); /* x1 = cos(w s), x2 = -sin(w s) */
  double s = falls(&c, (const double[]){1.0, 0.0}, none, &safe);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15 / w * 8.0, M_PI_2 / w, s);
  /* -x2 = sin(w s) is 0 at the start, and rises */
  s = falls(&c, (const double[]){0.0, -1.0}, none, &safe);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15 / w * 16.0, M_PI / w, s);
  /* 1 + cos touches 0 and comes back: no fall, or one where it touches within rounding */
  s = falls(&c, (const double[]){1.0, 0.0}, (const double[HY_MODAL_LANES]){1.0 + 1e-9}, &safe);
  TEST_ASSERT_TRUE(isinf(s) && safe == 1.0);
  s = falls(&c, (const double[]){1.0, 0.0}, (const double[HY_MODAL_LANES]){1.0 - 1e-9}, &safe);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, acos(-1.0 + 1e-9) / w, s);
  /* with a line and a parabola on top: cos(w s) + 1.5 - 400 s */
  s = falls(&c, (const double[]){1.0, 0.0}, (const double[HY_MODAL_LANES]){1.5, -400.0}, &safe);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, cos(w * s) + 1.5 - 400.0 * s);
  TEST_ASSERT_TRUE(s < 2.0 * M_PI / w);
}

/* Rates of 1 and less beside one of 1e9, inputs of every degree: what is watched is what the states
 * say, all digits, and where it falls it is 0. */
static void test_slow_modes_are_watched_as_a_series(void)
{
  uint64_t seed = 5;
  for (int k = 0; k < 100; k++) {
    Case c = {0};
    double a[MOST * MOST], d[HY_MODAL_LANES], safe, slope, by_states;
    fill(&c, 4, a, &seed);
    for (int i = 0; i < 16; i++) {
      a[i] *= i < 4 ? 1e9 : pow(10.0, -k % 5) / 8.0;
    }
    for (int j = 0; j < 4; j++) {
      c.of[j] = random_signed(&seed);
      d[j] = j == 0 ? 2.0 : random_signed(&seed);
      c.u[j] *= 1e9;
    }
    begin(&c, 4, a);
    hy_modal_weigh(&c.modal, c.of, c.weight);
    HyMotionLine line = hy_motion_line(&c.motion, c.of, d, c.weight, c.line);
    line.z0 = 0.5 * fabs(line.z0);
    hy_watch_init(&c.watch, &c.motion, &line, 1.0, c.work);
    double s = hy_watch_falls(&c.watch, &(double){0.0}, 0.0, 0.0, 1.0, &safe);
    for (int i = 0; i <= 10; i++) {
      by_states = line_at(&c, &line, 0.1 * i, &slope);
      TEST_ASSERT_DOUBLE_WITHIN(2e-13, by_states, hy_watch_at(&c.watch, 0.1 * i, &slope));
    }
    TEST_ASSERT_EQUAL_DOUBLE(fmin(s, 1.0), safe);
    for (int i = 1; i < 1000; i++) {
      TEST_ASSERT_TRUE(line_at(&c, &line, safe * i / 1000.0, &slope) > -1e-12);
    }
    if (isfinite(s)) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0, line_at(&c, &line, s, &slope));
    }
  }
}

/* A dip 1e-13 s long at the start of a motion of 1 s: found, and one that stays above 0 is not. */
static void test_a_dip_in_a_fast_transient_is_seen(void)
{
  double f1 = 1e13, f2 = 3e13, safe;
  Case c = {.x0 = {1.0, 1.0}};
  begin(&c, 2, (const double[]){-f1, 0.0, 0.0, -f2});
  /* z = 1 + b (e^-f2 s - e^-f1 s), least at s = ln 3/(2e13): 1 - 0.3849 b */
  double s = falls(&c, (const double[]){-2.65, 2.65}, (const double[HY_MODAL_LANES]){1.0}, &safe);
  TEST_ASSERT_TRUE(s > 0.0 && s < 1e-12);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, 1.0 + 2.65 * (exp(-f2 * s) - exp(-f1 * s)));
  s = falls(&c, (const double[]){-2.59, 2.59}, (const double[HY_MODAL_LANES]){1.0}, &safe);
  TEST_ASSERT_TRUE(isinf(s) && safe == 1.0);
}

/* How fast the mode swings that hardly decays, if there is one. */
static double swing_of(const Case *c)
{
  double turn = c->turn[0];
  for (int j = 0; j < c->modal.modes; j++) {
    double w = fabs(cimag(c->modal.rate[j]));
    turn = w > 0.0 && creal(c->modal.rate[j]) > -1e-3 * w ? w : turn;
  }
  return turn;
}

/* Whatever is found is the first: between the start and it z is positive at many instants, with
 * SINES of rates up to FASTEST. Of SWINGING ones one is as fast as the oscillation, of rate SWING.
 */
static void random_falls(bool sines, double fastest, bool swinging, double swing)
{
  uint64_t seed = 11;
  int found = 0, met = 0;
  for (int k = 0; k < 400; k++) {
    Case c = {0};
    double a[MOST * MOST], d[HY_MODAL_LANES], safe, slope;
    int n = 1 + k % MOST;
    fill(&c, n, a, &seed);
    for (int i = 0; i < n; i++) {
      c.of[i] = random_size(&seed, 1.0);
    }
    if (n > 1) { /* an oscillation */
      a[1] = swing;
      a[n] = -swing;
    }
    if (swinging && n > 1) {
      a[0] = a[n + 1] = -3e-4 * swing;
    }
    begin(&c, n, a);
    if (sines) {
      fill_sines(&c, n, fastest, &seed);
      c.turn[0] = swinging ? swing_of(&c) : c.turn[0];
      begin_with_sines(&c, n, a);
      c.wave[0] = c.line[0] = random_complex(&seed);
      c.wave[1] = c.line[1] = random_complex(&seed);
    }
    met += sines && c.sines.meets;
    for (int j = 0; j < HY_MODAL_LANES; j++) {
      d[j] = random_signed(&seed);
    }
    hy_modal_weigh(&c.modal, c.of, c.weight);
    HyMotionLine line = hy_motion_line(&c.motion, c.of, d, c.weight, c.line);
    line.z0 = fabs(line.z0);
    double s = first_fall(&c, &line, 2.0, &safe);
    double end = fmin(s, 2.0);
    TEST_ASSERT_EQUAL_DOUBLE(end, safe);
    for (int i = 1; i < 2000; i++) {
      TEST_ASSERT_TRUE(line_at(&c, &line, end * i / 2000.0, &slope) > -1e-12);
    }
    if (isfinite(s)) {
      found++;
      TEST_ASSERT_DOUBLE_WITHIN(1e-11, 0.0, line_at(&c, &line, s, &slope));
      TEST_ASSERT_TRUE(slope < 0.0);
    }
  }
  TEST_ASSERT_TRUE(found > 150 && found < 390);
  TEST_ASSERT_TRUE(swinging ? met > 40 : met < 10);
}

/* Likewise, of clusters that are slow or fast. */
static void test_first_falls_of_equal_rates(void)
{
  uint64_t seed = 19;
  int found = 0;
  for (int k = 0; k < 60 * CHAINS; k++) {
    Case c = {0};
    double a[MOST * MOST], d[HY_MODAL_LANES], safe, slope;
    int n = chain(&c, k % CHAINS, fabs(random_size(&seed, 1.5)), a, &seed);
    for (int i = 0; i < n; i++) {
      c.of[i] = random_size(&seed, 1.0);
    }
    if (k % 2 == 0) {
      begin(&c, n, a);
    } else {
      fill_sines(&c, n, 60.0, &seed);
      c.turn[0] = k % 4 == 1 && k % CHAINS >= 5 ? fabs(a[1]) : c.turn[0];
      begin_with_sines(&c, n, a);
      c.wave[0] = c.line[0] = random_complex(&seed);
      c.wave[1] = c.line[1] = random_complex(&seed);
    }
    for (int j = 0; j < HY_MODAL_LANES; j++) {
      d[j] = random_signed(&seed);
    }
    hy_modal_weigh(&c.modal, c.of, c.weight);
    HyMotionLine line = hy_motion_line(&c.motion, c.of, d, c.weight, c.line);
    line.z0 = fabs(line.z0);
    double s = first_fall(&c, &line, 2.0, &safe), end = fmin(s, 2.0), size = 1.0;
    TEST_ASSERT_EQUAL_DOUBLE(end, safe);
    for (int i = 1; i <= 1000; i++) {
      double z = line_at(&c, &line, end * i / 1000.0, &slope), steep;
      size = fmax(size, fabs(z));
      TEST_ASSERT_TRUE(z > -1e-11 * size);
      TEST_ASSERT_DOUBLE_WITHIN(1e-11 * size, z, hy_watch_at(&c.watch, end * i / 1000.0, &steep));
    }
    found += isfinite(s);
    TEST_ASSERT_TRUE(isinf(s) || slope < 1e-9 * size);
  }
  TEST_ASSERT_TRUE(found > 60 && found < 57 * CHAINS);
}

/* By how much Z of LINE comes to be below where it begins, up to UNTIL. */
static double deepest(const Case *c, const HyMotionLine *line, double until)
{
  double most = 0.0, slope;
  for (int i = 1; i <= 300; i++) {
    most = fmax(most, line->z0 - line_at(c, line, until * i / 300.0, &slope));
  }
  return most;
}

/* The K-th: N states that decay at rates 1e-2 to 1e4, alone or two by two, LANES of inputs or, if
 * none, sines; D of the line. */
static void decay(Case *c, int k, int n, int lanes, double *d, uint64_t *seed)
{
  double a[MOST * MOST] = {0.0};
  fill(c, n, a, seed);
  memset(a, 0, sizeof a);
  for (int i = 0; i < n; i++) {
    int other = i ^ 1;
    double size = pow(10.0, 1.0 + 3.0 * random_signed(seed));
    a[i * n + i] = -size;
    if (k % 2 && other < n) {
      a[i * n + other] = (other > i ? 3.0 : -3.0) * size;
    }
    c->of[i] = random_signed(seed);
  }
  begin(c, n, a);
  if (lanes == 0) {
    fill_sines(c, n, k % 3 == 0 ? 60.0 : 0.1, seed);
    begin_with_sines(c, n, a);
    c->line[0] = random_complex(seed);
    c->line[1] = random_complex(seed);
    memcpy(c->wave, c->line, sizeof c->wave);
  } else {
    hy_motion_init(&c->motion, &c->modal, lanes, c->x0, c->u, c->drive);
  }
  for (int j = 1; j < c->motion.lanes; j++) {
    d[j] = random_signed(seed);
  }
}

/* What is said to stay above 0 does: one that begins a little less high than it falls is never
 * said to; one that begins a few times as high is, as a rule. */
static void far_lines(int lanes)
{
  uint64_t seed = 23;
  int seen = 0, near = 0;
  for (int k = 0; k < 600; k++) {
    Case c = {0};
    double d[HY_MODAL_LANES] = {0.0}, rate[2 * MOST], most[2 * MOST];
    double until = pow(10.0, -1.0 + 2.0 * random_signed(&seed));
    decay(&c, k, 1 + k % MOST, lanes, d, &seed);
    hy_modal_weigh(&c.modal, c.of, c.weight);
    HyMotionLine line = hy_motion_line(&c.motion, c.of, d, c.weight, c.line);
    double dip = deepest(&c, &line, until);
    hy_motion_most(&c.motion, until, rate, most);
    line.z0 = 0.9999 * dip;
    TEST_ASSERT_FALSE(hy_motion_stays(&c.motion, &line, until, rate, most));
    line.z0 = 1.05 * dip;
    near += hy_motion_stays(&c.motion, &line, until, rate, most);
    line.z0 = 20.0 * dip + 1.0;
    seen += hy_motion_stays(&c.motion, &line, until, rate, most);
  }
  TEST_ASSERT_TRUE(seen > 250);
  TEST_ASSERT_TRUE(near > 3);
}

static void test_what_is_said_to_stay_does(void)
{
  far_lines(1);
  far_lines(HY_MODAL_LANES);
  far_lines(0);
}

static void test_random_falls_are_the_first(void)
{
  random_falls(false, 0.0, false, 60.0);
}

static void test_random_falls_of_what_sines_drive_are_the_first(void)
{
  random_falls(true, 60.0, false, 60.0);
  random_falls(true, 0.4, false, 60.0);
  random_falls(true, 60.0, true, 60.0);
  random_falls(true, 0.4, true, 60.0);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_phi_against_its_series_and_closed_forms);
  RUN_TEST(test_an_oscillator_that_a_ramp_drives);
  RUN_TEST(test_random_motions_against_their_series);
  RUN_TEST(test_random_motions_that_sines_drive_against_their_series);
  RUN_TEST(test_a_swing_in_resonance_against_its_series);
  RUN_TEST(test_a_sine_before_a_fast_mode_and_an_integral);
  RUN_TEST(test_a_fast_mode_beside_slow_ones);
  RUN_TEST(test_slow_rates_that_rounding_has_lost);
  RUN_TEST(test_slow_modes_beside_coils_that_are_open);
  RUN_TEST(test_equal_parts_that_hardly_see_each_other);
  RUN_TEST(test_equal_rates_without_vectors_against_their_series);
  RUN_TEST(test_matrices_that_have_no_modes);
  RUN_TEST(test_the_first_fall_of_a_cosine_and_the_next);
  RUN_TEST(test_what_is_nearly_nothing_falls_as_what_is_not);
  RUN_TEST(test_slow_modes_are_watched_as_a_series);
  RUN_TEST(test_a_dip_in_a_fast_transient_is_seen);
  RUN_TEST(test_what_is_said_to_stay_does);
  RUN_TEST(test_random_falls_are_the_first);
  RUN_TEST(test_first_falls_of_equal_rates);
  RUN_TEST(test_random_falls_of_what_sines_drive_are_the_first);
  return UNITY_END();
}
