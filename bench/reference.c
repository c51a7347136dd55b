/* The expected.csv of the examples with continuous states, made without hydevs: closed forms where
 * there are any, else Runge-Kutta of order 4 with steps so small that half of them change nothing
 * above 1e-10 (the largest change is printed on stderr).
 *
 * usage: reference NAME > examples/NAME/expected.csv; NAME is bouncing-ball, lotka-volterra,
 * lc-line, tanks, coulomb, multirate, equations-block, algebraic-loop or algebraic-loop-diode
 * (that one > examples/algebraic-loop/expected-diode.csv)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Runge-Kutta ---------------------------------------------------------------------------------- */

#define MOST 200 /* states */

typedef struct {
  const char *name, *head;
  int n;
  const int *shown; /* states, ends with -1 */
  double x0[MOST];
  double grid, stop;
  int steps; /* within a grid interval; jumps of the right side fall on grid instants */
  void (*f)(double t, const double *x, double *dx);
} System;

static void rk4(const System *s, double t, double h, double *x)
{
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double k[MOST] = {0}, sum[MOST] = {0}, y[MOST];
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < s->n; i++) {
      y[i] = x[i] + at[stage] * h * k[i];
    }
    /* the end of a step still belongs to what was before a jump */
    s->f(stage == 3 ? t + h * (1 - 1e-9) : t + at[stage] * h, y, k);
    for (int i = 0; i < s->n; i++) {
      sum[i] += weight[stage] * k[i];
    }
  }
  for (int i = 0; i < s->n; i++) {
    x[i] += h / 6 * sum[i];
  }
}

static void advance(const System *s, double t, int steps, double *x)
{
  for (int k = 0; k < steps; k++) {
    rk4(s, t + k * (s->grid / steps), s->grid / steps, x);
  }
}

static void integrate(const System *s)
{
  double x[MOST], fine[MOST], worst = 0;
  memcpy(x, s->x0, sizeof x);
  memcpy(fine, s->x0, sizeof fine);
  printf("time,%s\n", s->head);
  int rows = (int)lround(s->stop / s->grid);
  for (int row = 0; row <= rows; row++) {
    printf("%.10g", row * s->grid);
    for (const int *i = s->shown; *i >= 0; i++) {
      printf(",%.12g", fine[*i]);
      worst = fmax(worst, fabs(fine[*i] - x[*i]));
    }
    printf("\n");
    advance(s, row * s->grid, s->steps, x);
    advance(s, row * s->grid, 2 * s->steps, fine);
  }
  fprintf(stderr, "%s: half the step changes at most %.2g\n", s->name, worst);
}

static void lotka_volterra(double t, const double *x, double *dx)
{
  (void)t;
  dx[0] = 0.1 * x[0] - 0.1 * x[0] * x[1];
  dx[1] = 0.1 * x[0] * x[1] - 0.1 * x[1];
}

/* x[0..99] currents, x[100..199] voltages. */
static void lc_line(double t, const double *x, double *dx)
{
  for (int i = 0; i < 100; i++) {
    double before = i == 0 ? (t < 10) - x[0] : x[99 + i];
    double after = i == 99 ? x[199] : x[i + 1];
    dx[i] = before - x[100 + i];
    dx[100 + i] = x[i] - after;
  }
}

static void tanks(double t, const double *x, double *dx)
{
  (void)t;
  double e = 0.1 - x[2], feed = 0.2 + 0.8 + 30 * (e + x[3] / 5);
  dx[0] = feed / 2 - x[0];
  dx[1] = x[0] / 2 - x[1];
  dx[2] = x[1] / 2 - x[2];
  dx[3] = e;
}

/* The chopper's edges are begins of steps. A time is a little late, so that rounding never puts one
 * before its edge; the end of a step is further away from it (rk4). */
static void motor(double t, const double *x, double *dx)
{
  double carrier = fmod(t + 1e-14, 1e-3), u = carrier < 0.6e-3 ? 24 : 0;
  double load = t < 0.25 - 1e-14 ? 0 : 0.1;
  dx[0] = (u - x[0] - 0.05 * x[1]) / 2e-3;
  dx[1] = (0.05 * x[0] - 10e-6 * x[1] - load) / 100e-6;
}

/* E = 10 in series with (L parallel R2), C and R1: the loop solved by hand. x = (iL, uC). */
static void algebraic_loop(double t, const double *x, double *dx)
{
  (void)t;
  double r1 = 2, r2 = 1, i_r2 = (10 - x[1] - r1 * x[0]) / (r1 + r2);
  dx[0] = r2 * i_r2 / 0.1;
  dx[1] = (x[0] + i_r2) / 0.01;
}

/* A diode in place of R2: v + R1 (iL + i(v)) = E - uC grows with v, so v is halved into place. */
static void algebraic_loop_diode(double t, const double *x, double *dx)
{
  (void)t;
  double r1 = 2, low = -40, high = 2;
  for (int k = 0; k < 100; k++) {
    double v = (low + high) / 2, i = 1e-12 * expm1(v / 0.025852);
    if (v + r1 * (x[0] + i) < 10 - x[1]) {
      low = v;
    } else {
      high = v;
    }
  }
  dx[0] = low / 0.1;
  dx[1] = (10 - x[1] - low) / r1 / 0.01;
}

static const System systems[] = {
    {.name = "lotka-volterra",
     .head = "prey,hunters",
     .n = 2,
     .shown = (const int[]){0, 1, -1},
     .x0 = {0.5, 0.5},
     .grid = 2,
     .stop = 300,
     .steps = 400,
     .f = lotka_volterra},
    {.name = "lc-line",
     .head = "u[1],u[50],u[100]",
     .n = 200,
     .shown = (const int[]){100, 149, 199, -1},
     .grid = 1,
     .stop = 150,
     .steps = 200,
     .f = lc_line},
    {.name = "tanks",
     .head = "c1,c2,c3,sum_e",
     .n = 4,
     .shown = (const int[]){0, 1, 2, 3, -1},
     .x0 = {0.4, 0.2, 0.1, 0},
     .grid = 0.125,
     .stop = 30,
     .steps = 100,
     .f = tanks},
    {.name = "equations-block",
     .head = "motor/i,motor/w",
     .n = 2,
     .shown = (const int[]){0, 1, -1},
     .grid = 5e-3,
     .stop = 0.5,
     .steps = 200,
     .f = motor},
    {.name = "algebraic-loop",
     .head = "iL,uC",
     .n = 2,
     .shown = (const int[]){0, 1, -1},
     .grid = 0.005,
     .stop = 0.3,
     .steps = 100,
     .f = algebraic_loop},
    {.name = "algebraic-loop-diode",
     .head = "iL,uC",
     .n = 2,
     .shown = (const int[]){0, 1, -1},
     .grid = 0.005,
     .stop = 0.3,
     .steps = 200,
     .f = algebraic_loop_diode},
};

/* Bouncing ball: parabolas, and a damped oscillator x'' = -g - k x - b x' while x <= 0 */

static const double g = 9.81, stiffness = 1e6, damping = 30;

typedef struct {
  double t, x, v; /* where the phase begins */
  int floor;
} Phase;

/* In contact x + g/k = exp(-b s/2) (A cos w s + B sin w s). */
static void ball_at(const Phase *p, double s, double *x, double *v)
{
  if (!p->floor) {
    *x = p->x + p->v * s - g * s * s / 2;
    *v = p->v - g * s;
    return;
  }
  double d = damping / 2, w = sqrt(stiffness - d * d), rest = -g / stiffness;
  double a = p->x - rest, b = (p->v + d * a) / w, e = exp(-d * s);
  *x = rest + e * (a * cos(w * s) + b * sin(w * s));
  *v = e * ((b * w - d * a) * cos(w * s) - (a * w + d * b) * sin(w * s));
}

/* How long the phase lasts: in the air by formula, on the floor (about pi/w) by halving. */
static double ball_phase(const Phase *p)
{
  if (!p->floor) {
    return (p->v + sqrt(p->v * p->v + 2 * g * p->x)) / g;
  }
  double low = 1e-3, high = 4e-3, x, v;
  for (int k = 0; k < 80; k++) {
    double middle = (low + high) / 2;
    ball_at(p, middle, &x, &v);
    if (x < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static void bouncing_ball(void)
{
  Phase p = {.x = 1};
  double x, v, end = ball_phase(&p);
  int touches = 0;
  printf("time,x,v,touches\n");
  for (int row = 0; row <= 100; row++) {
    double t = row * 0.05;
    while (p.t + end < t) {
      ball_at(&p, end, &x, &v);
      p = (Phase){.t = p.t + end, .x = 0, .v = v, .floor = !p.floor};
      end = ball_phase(&p);
      touches++;
    }
    ball_at(&p, t - p.t, &x, &v);
    printf("%.10g,%.12g,%.12g,%d\n", t, x, v, touches);
  }
}

/* Dry friction: half waves of a cosine around +F/k and -F/k, until the spring is too weak */

static void coulomb(void)
{
  const double w = 10, shift = 5 / 100.0;
  double amplitude = 0.475, side = 1, t0 = 0, half = acos(-1) / w;
  printf("time,x,v\n");
  for (int row = 0; row <= 100; row++) {
    double t = row * 0.02;
    while (amplitude > shift && t >= t0 + half) {
      amplitude -= 2 * shift;
      side = -side;
      t0 += half;
    }
    double s = t - t0, centre = side * shift;
    int slides = amplitude > shift;
    double x = slides ? centre + (side * amplitude - centre) * cos(w * s) : side * amplitude;
    double v = slides ? -w * (side * amplitude - centre) * sin(w * s) : 0;
    printf("%.10g,%.12g,%.12g\n", t, x, v);
  }
}

/* Three rates: the solution was there before the equations ------------------------------------- */

static void multirate(void)
{
  static const double rate[] = {20, 1, 0.05};
  printf("time,fast[1],fast[2],mod[1],mod[2],slow[1],slow[2]\n");
  for (int row = 0; row <= 80; row++) {
    double t = row * 0.05;
    printf("%.10g", t);
    for (int i = 0; i < 3; i++) {
      printf(",%.12g,%.12g", sin(rate[i] * t), cos(rate[i] * t));
    }
    printf("\n");
  }
}

int main(int argc, char **argv)
{
  const char *name = argc == 2 ? argv[1] : "";
  for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
    if (strcmp(systems[k].name, name) == 0) {
      integrate(&systems[k]);
      return 0;
    }
  }
  if (strcmp(name, "bouncing-ball") == 0) {
    bouncing_ball();
  } else if (strcmp(name, "coulomb") == 0) {
    coulomb();
  } else if (strcmp(name, "multirate") == 0) {
    multirate();
  } else {
    fputs("usage: reference bouncing-ball|lotka-volterra|lc-line|tanks|coulomb|multirate|"
          "equations-block|algebraic-loop[-diode]\n",
          stderr);
    return 2;
  }
  return 0;
}
