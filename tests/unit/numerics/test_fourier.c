/* Coefficients of straight pieces, against closed forms. */
#include "numerics/fourier.h"

#include <math.h>
#include <unity.h>

#define LINES 400

void setUp(void)
{
}

void tearDown(void)
{
}

static void is_near(double wanted, double got, double most)
{
  TEST_ASSERT_DOUBLE_WITHIN(most, wanted, got);
}

/* +1 in the first half, -1 in the second: 4/(pi n) of odd lines, as straight pieces with jumps and
 * as a value that holds. */
static void test_a_square_wave_has_its_harmonics(void)
{
  const double t[] = {3, 5, 5, 7}, v[] = {1, 1, -1, -1};
  const double when[] = {3, 5, 7}, held[] = {1, -1, -1};
  double complex c[LINES + 1], d[LINES + 1];
  hy_fourier_lines(t, v, 4, FALSE, LINES, c);
  hy_fourier_lines(when, held, 3, TRUE, LINES, d);
  for (guint m = 0; m <= LINES; m++) {
    double wanted = m % 2 == 1 ? 4 / (M_PI * m) : 0;
    is_near(wanted, hy_fourier_amplitude(hy_fourier_window("none"), c, m), 1e-12);
    is_near(wanted, hy_fourier_amplitude(hy_fourier_window("none"), d, m), 1e-12);
  }
}

/* A triangle of height 1 about 2: 8/(pi n)^2 of odd lines, with points anywhere on its sides. */
static void test_a_triangle_has_its_harmonics_wherever_its_points_are(void)
{
  const double t[] = {0, 0.1, 0.25, 0.250000001, 0.5, 0.7, 1};
  double v[7];
  for (guint k = 0; k < 7; k++) {
    v[k] = 2 + (t[k] < 0.5 ? 1 - 4 * t[k] : 4 * t[k] - 3);
  }
  double complex c[LINES + 1];
  hy_fourier_lines(t, v, 7, FALSE, LINES, c);
  is_near(2, hy_fourier_amplitude(hy_fourier_window("none"), c, 0), 1e-14);
  for (guint m = 1; m <= LINES; m++) {
    double wanted = m % 2 == 1 ? 8 / (M_PI * M_PI * m * m) : 0;
    is_near(wanted, hy_fourier_amplitude(hy_fourier_window("none"), c, m), 1e-12);
  }
}

/* A pulse of width d: |c_n| = sin(pi n d)/(pi n), with its phase. */
static void test_a_pulse_has_its_phase(void)
{
  const double from = 0.2, width = 0.3, t[] = {0, from, from + width, 1}, v[] = {0, 5, 0, 0};
  double complex c[LINES + 1];
  hy_fourier_lines(t, v, 4, TRUE, LINES, c);
  is_near(5 * width, creal(c[0]), 1e-14);
  for (guint m = 1; m <= LINES; m++) {
    double complex wanted =
        5 * sin(M_PI * m * width) / (M_PI * m) * cexp(-2 * M_PI * I * m * (from + width / 2));
    is_near(0, cabs(wanted - c[m]), 1e-12);
  }
}

/* The points of a sine between which lines are a millionth off. */
static void sine(double *t, double *v, guint n, double periods)
{
  for (guint k = 0; k < n; k++) {
    t[k] = (double)k / (n - 1);
    v[k] = 3 + 2 * sin(2 * M_PI * periods * t[k]);
  }
}

/* On its line a sine has its amplitude through every window; between two lines a flat top still
 * tells it. */
static void test_a_sine_has_its_amplitude_through_windows(void)
{
  enum { N = 20001 };
  double *t = g_new(double, N), *v = g_new(double, N);
  double complex c[LINES + 1];
  sine(t, v, N, 20);
  hy_fourier_lines(t, v, N, FALSE, LINES, c);
  for (const HyFourierWindow *w = hy_fourier_windows; w->name != NULL; w++) {
    is_near(2, hy_fourier_amplitude(w, c, 20), 2e-5);
    is_near(3, hy_fourier_amplitude(w, c, 0), 2e-5);
    is_near(0, hy_fourier_amplitude(w, c, 30), 2e-5);
  }
  sine(t, v, N, 20.5);
  hy_fourier_lines(t, v, N, FALSE, LINES, c);
  is_near(2, hy_fourier_amplitude(hy_fourier_window("flattop"), c, 20), 4e-3);
  is_near(2 * 0.8488, hy_fourier_amplitude(hy_fourier_window("hann"), c, 20), 2e-2);
  g_free(t);
  g_free(v);
}

/* Parseval: what is in the lines is what is in the square, but for the tail, which of jumps goes as
 * 1/n^2. */
static void test_the_power_is_in_the_lines(void)
{
  const double t[] = {0, 0.3, 0.3, 0.5, 0.8, 0.8, 1}, v[] = {0, 2, -1, 1, 1, 3, 0.5};
  enum { MANY = 20000 };
  double complex *c = g_new(double complex, MANY + 1);
  hy_fourier_lines(t, v, 7, FALSE, MANY, c);
  double lines = creal(c[0]) * creal(c[0]), square = 0, tail = 0;
  for (guint m = 1; m <= MANY; m++) {
    lines += 2 * creal(c[m] * conj(c[m]));
  }
  for (guint k = 0; k < 6; k++) { /* of straight pieces (a^2 + a b + b^2)/3 */
    square += (t[k + 1] - t[k]) * (v[k] * v[k] + v[k] * v[k + 1] + v[k + 1] * v[k + 1]) / 3;
    tail += t[k + 1] == t[k] ? (v[k + 1] - v[k]) * (v[k + 1] - v[k]) : 0;
  }
  tail += (v[0] - v[6]) * (v[0] - v[6]);
  tail /= 2 * M_PI * M_PI * MANY; /* sum over n > N of 2 J^2/(2 pi n)^2 */
  is_near(square, lines + tail, tail / 50);
  TEST_ASSERT_TRUE(lines < square);
  g_free(c);
}

/* A cosine of M against a triangle of ratio P, naturally sampled, by Holmes and Lipo: the base line
 * M, and beside the k-th multiple of the carrier, n away, 4/(pi k) |J_n(k pi M/2)| where k + n is
 * odd. */
static void test_a_pwm_has_its_sidebands(void)
{
  enum { P = 41, N = 2 * P + 3 };
  const double depth = 0.8;
  double t[N], v[N];
  guint n = 0;
  t[n] = 0;
  v[n++] = -1; /* the carrier begins at its top, above the cosine */
  for (guint k = 0; k < 2 * P; k++) {
    double low = k / (2.0 * P), high = (k + 1) / (2.0 * P), sign = k % 2 == 0 ? 1 : -1;
    double a = low, b = high;
    for (guint i = 0; i < 60; i++) { /* carrier: sign (1 - 2 x), x from 0 to 1 */
      double mid = (a + b) / 2, carrier = sign * (1 - 2 * (mid - low) / (high - low));
      double above = sign * (carrier - depth * cos(2 * M_PI * mid));
      *(above > 0 ? &a : &b) = mid;
    }
    t[n] = a;
    v[n++] = sign;
  }
  t[n] = 1;
  v[n] = v[n - 1];
  n++;
  double complex c[3 * P + 20];
  hy_fourier_lines(t, v, n, TRUE, 3 * P + 19, c);
  const HyFourierWindow *w = hy_fourier_window("none");
  is_near(depth, hy_fourier_amplitude(w, c, 1), 1e-9);
  for (int k = 1; k <= 2; k++) {
    for (int off = -9; off <= 9; off++) {
      double wanted =
          (k + off) % 2 != 0 ? 4 / (M_PI * k) * fabs(jn(abs(off), k * M_PI * depth / 2)) : 0;
      is_near(wanted, hy_fourier_amplitude(w, c, (guint)(k * P + off)), 1e-7);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_square_wave_has_its_harmonics);
  RUN_TEST(test_a_triangle_has_its_harmonics_wherever_its_points_are);
  RUN_TEST(test_a_pulse_has_its_phase);
  RUN_TEST(test_a_sine_has_its_amplitude_through_windows);
  RUN_TEST(test_the_power_is_in_the_lines);
  RUN_TEST(test_a_pwm_has_its_sidebands);
  return UNITY_END();
}
