#include "system.h"

#include <math.h>
#include <stddef.h>

static const double ron = 1e-5, roff = 1e5, supply = 24, period = 100e-6;

static double resistance(int on)
{
  return on ? ron : roff;
}

/* Converters ----------------------------------------------------------------------------------- */

/* All of section 6.4: L = C = 10 m, R = 10. */
static const double coil = 10e-3, capacitor = 10e-3, load = 10, parasitic = 10e-9;

static void one_gate(System *s)
{
  s->period = period;
  s->n_gates = s->n_diodes = 1;
  s->gate[0] = (Gate){.duty = 0.35};
}

static double buck_current(const System *s, const double *x, int diode)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[diode]);
  return (rs * x[0] - supply) / (rs + rd);
}

/* iL, uC */
static void buck(const System *s, const double *x, double *dx)
{
  dx[0] = (-resistance(s->diode[0]) * buck_current(s, x, 0) - x[1]) / coil;
  dx[1] = (x[0] - x[1] / load) / capacitor;
}

static void buck_jacobian(const System *s, const double *x, Entries *e)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[0]);
  (void)x;
  put(e, 0, 0, -rd * rs / (rs + rd) / coil);
  put(e, 0, 1, -1 / coil);
  put(e, 1, 0, 1 / capacitor);
  put(e, 1, 1, -1 / load / capacitor);
}

static double buck_ls_current(const System *s, const double *x, int diode)
{
  (void)s, (void)diode;
  return x[1] - x[0];
}

/* iS, iL, uC */
static void buck_ls(const System *s, const double *x, double *dx)
{
  double va = -resistance(s->diode[0]) * (x[1] - x[0]);
  dx[0] = (supply - resistance(s->gate[0].on) * x[0] - va) / parasitic;
  dx[1] = (va - x[2]) / coil;
  dx[2] = (x[1] - x[2] / load) / capacitor;
}

static void buck_ls_jacobian(const System *s, const double *x, Entries *e)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[0]);
  (void)x;
  put(e, 0, 0, -(rs + rd) / parasitic);
  put(e, 0, 1, rd / parasitic);
  put(e, 1, 0, rd / coil);
  put(e, 1, 1, -rd / coil);
  put(e, 1, 2, -1 / coil);
  put(e, 2, 1, 1 / capacitor);
  put(e, 2, 2, -1 / load / capacitor);
}

static double buck_ld_current(const System *s, const double *x, int diode)
{
  (void)s, (void)diode;
  return x[0];
}

/* iD, iL, uC */
static void buck_ld(const System *s, const double *x, double *dx)
{
  double va = supply - resistance(s->gate[0].on) * (x[1] - x[0]);
  dx[0] = (-va - resistance(s->diode[0]) * x[0]) / parasitic;
  dx[1] = (va - x[2]) / coil;
  dx[2] = (x[1] - x[2] / load) / capacitor;
}

static void buck_ld_jacobian(const System *s, const double *x, Entries *e)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[0]);
  (void)x;
  put(e, 0, 0, -(rs + rd) / parasitic);
  put(e, 0, 1, rs / parasitic);
  put(e, 1, 0, rs / coil);
  put(e, 1, 1, -rs / coil);
  put(e, 1, 2, -1 / coil);
  put(e, 2, 1, 1 / capacitor);
  put(e, 2, 2, -1 / load / capacitor);
}

/* x: iL1, iL2, uC1 of one stage */
static double stage_current(const System *s, const double *x, int stage)
{
  double rs = resistance(s->gate[stage].on), rd = resistance(s->diode[stage]);
  return (rs * (x[0] + x[1]) - x[2]) / (rs + rd);
}

static void stage(const System *s, const double *x, double out, int k, double l, double c,
                  double *dx)
{
  double i = stage_current(s, x, k), v = resistance(s->diode[k]) * i;
  dx[0] = (supply - x[2] - v) / l;
  dx[1] = (-out - v) / l;
  dx[2] = (i - x[1]) / c;
}

/* Its states are 3 K and after, the output is OUT. */
static void stage_jacobian(const System *s, int k, int out, double l, double c, Entries *e)
{
  double rs = resistance(s->gate[k].on), rd = resistance(s->diode[k]);
  double i = rs / (rs + rd), u = -1 / (rs + rd); /* d iD by a coil's current, by uC1 */
  int at = 3 * k;
  put(e, at, at, -rd * i / l);
  put(e, at, at + 1, -rd * i / l);
  put(e, at, at + 2, (-1 - rd * u) / l);
  put(e, at + 1, at, -rd * i / l);
  put(e, at + 1, at + 1, -rd * i / l);
  put(e, at + 1, at + 2, -rd * u / l);
  put(e, at + 1, out, -1 / l);
  put(e, at + 2, at, i / c);
  put(e, at + 2, at + 1, (i - 1) / c);
  put(e, at + 2, at + 2, u / c);
}

static double cuk_current(const System *s, const double *x, int diode)
{
  return stage_current(s, x + 3 * (size_t)diode, diode);
}

/* iL1, iL2, uC1, uC2 */
static void cuk(const System *s, const double *x, double *dx)
{
  stage(s, x, x[3], 0, coil, capacitor, dx);
  dx[3] = (x[1] - x[3] / load) / capacitor;
}

static void cuk_jacobian(const System *s, const double *x, Entries *e)
{
  (void)x;
  stage_jacobian(s, 0, 3, coil, capacitor, e);
  put(e, 3, 1, 1 / capacitor);
  put(e, 3, 3, -1 / load / capacitor);
}

static const double stage_lc = 100e-6; /* section 4.4.1 */

static void stage_gates(System *s)
{
  s->period = period;
  s->n_gates = s->n_diodes = s->parts;
  for (int k = 0; k < s->parts; k++) {
    s->gate[k] = (Gate){.phase = k * s->shift / s->parts, .duty = 0.25};
  }
}

/* Three states of each stage, then the output. */
static void cuk_interleaved(const System *s, const double *x, double *dx)
{
  const size_t last = 3 * (size_t)s->parts;
  double out = x[last], sum = 0;
  for (int k = 0; k < s->parts; k++) {
    stage(s, x + 3 * (size_t)k, out, k, stage_lc, stage_lc, dx + 3 * (size_t)k);
    sum += x[3 * k + 1];
  }
  dx[last] = (sum - out / load) / stage_lc;
}

static void cuk_interleaved_jacobian(const System *s, const double *x, Entries *e)
{
  int out = 3 * s->parts;
  (void)x;
  for (int k = 0; k < s->parts; k++) {
    stage_jacobian(s, k, out, stage_lc, stage_lc, e);
    put(e, out, 3 * k + 1, 1 / stage_lc);
  }
  put(e, out, out, -1 / load / stage_lc);
}

static double diffusion(const System *s)
{
  return 209.3 / (2698.4 * 900) * pow(s->parts / 25e-3, 2);
}

static void heatsink_gates(System *s)
{
  one_gate(s);
  s->n_gates = 2;
  s->gate[1] = (Gate){.phase = -5.5e-2, .duty = 6.8e-2};
}

/* iL, uC and the temperatures; the second gate is on while the switch moves and loses 588 W. */
static void buck_heatsink(const System *s, const double *x, double *dx)
{
  double p = s->gate[1].on ? 588 : 0, sigma = diffusion(s);
  const double *u = x + 2;
  int n = s->parts;
  buck(s, x, dx);
  for (int i = 0; i < n; i++) {
    double before = i == 0 ? 7.5 * p : u[i - 1], after = i == n - 1 ? 298 : u[i + 1];
    dx[2 + i] = sigma * (before - 2 * u[i] + after);
  }
}

static void buck_heatsink_jacobian(const System *s, const double *x, Entries *e)
{
  double sigma = diffusion(s);
  buck_jacobian(s, x, e);
  for (int i = 2; i < s->n; i++) {
    if (i > 2) {
      put(e, i, i - 1, sigma);
    }
    put(e, i, i, -2 * sigma);
    if (i + 1 < s->n) {
      put(e, i, i + 1, sigma);
    }
  }
}

static void at_rest(const System *s, double *x)
{
  (void)s, (void)x;
}

static void warm(const System *s, double *x)
{
  for (int i = 2; i < s->n; i++) {
    x[i] = 298;
  }
}

/* The others ----------------------------------------------------------------------------------- */

/* C2, CP, pM, M, Y, YP of each cell */
static void tyson(const System *s, const double *x, double *dx)
{
  for (int k = 0; k < s->parts; k++, x += 6, dx += 6) {
    double part = x[3] / (x[0] + x[1] + x[2] + x[3]), active = 0.018 + 180 * part * part;
    double bind = 200 * x[1] * x[4], free_again = 1e6 * x[0] - 1e3 * x[1];
    dx[0] = x[3] - free_again;
    dx[1] = free_again - bind;
    dx[2] = bind - x[2] * active;
    dx[3] = x[2] * active - x[3];
    dx[4] = 0.015 - bind;
    dx[5] = x[3] - 0.6 * x[5];
  }
}

static void tyson_jacobian(const System *s, const double *x, Entries *e)
{
  for (int c = 0; c < s->n; c += 6, x += 6) {
    double all = x[0] + x[1] + x[2] + x[3], part = x[3] / all, active = 0.018 + 180 * part * part;
    double by_all = -360 * part * part / all, by_m = by_all + 360 * part / all;
    put(e, c, c, -1e6);
    put(e, c, c + 1, 1e3);
    put(e, c, c + 3, 1);
    put(e, c + 1, c, 1e6);
    put(e, c + 1, c + 1, -1e3 - 200 * x[4]);
    put(e, c + 1, c + 4, -200 * x[1]);
    for (int row = 2; row <= 3; row++) { /* pM' = ... - pM active, M' = pM active - M */
      double sign = row == 2 ? -1 : 1;
      put(e, c + row, c, sign * x[2] * by_all);
      put(e, c + row, c + 1, sign * x[2] * by_all + (row == 2 ? 200 * x[4] : 0));
      put(e, c + row, c + 2, sign * (active + x[2] * by_all));
      put(e, c + row, c + 3, sign * x[2] * by_m - (row == 3));
    }
    put(e, c + 2, c + 4, 200 * x[1]);
    put(e, c + 4, c + 1, -200 * x[4]);
    put(e, c + 4, c + 4, -200 * x[1]);
    put(e, c + 5, c + 3, 1);
    put(e, c + 5, c + 5, -0.6);
  }
}

static void cells(const System *s, double *x)
{
  for (int k = 0; k < s->parts; k++) {
    x[6 * k + 1] = 0.75 - 0.5 * k / (s->parts - 1);
    x[6 * k + 2] = 1 - x[6 * k + 1];
  }
}

/* Of the first sections, and of those from adr_second() on: section 7.4.2. */
static double adr_diffusion(const System *s, int second)
{
  return !s->d_varies ? 1e-3 : second ? 10 : 1e-6;
}

static int adr_second(const System *s)
{
  return s->d_varies ? (s->n + 1) / 2 - 1 : 0;
}

static void adr_part(const double *u, double *du, int from, int to, double a, double d)
{
  for (int i = from; i < to; i++) {
    du[i] = a * (u[i - 1] - u[i]) + d * (u[i + 1] - 2 * u[i] + u[i - 1]) +
            1000 * (u[i] * u[i]) * (1 - u[i]);
  }
}

static void adr(const System *s, const double *u, double *du)
{
  const int last = s->n - 1, second = adr_second(s);
  const double a = s->n / 10.0, d1 = adr_diffusion(s, 0) * a * a, d2 = adr_diffusion(s, 1) * a * a;
  double d0 = second > 0 ? d1 : d2;
  du[0] = a * (1 - u[0]) + d0 * (u[1] - 2 * u[0] + 1) + 1000 * (u[0] * u[0]) * (1 - u[0]);
  adr_part(u, du, 1, second, a, d1);
  adr_part(u, du, second > 1 ? second : 1, last, a, d2);
  du[last] = (a + 2 * d2) * (u[last - 1] - u[last]) + 1000 * (u[last] * u[last]) * (1 - u[last]);
}

static void adr_jacobian(const System *s, const double *u, Entries *e)
{
  const int last = s->n - 1, second = adr_second(s);
  const double a = s->n / 10.0, d1 = adr_diffusion(s, 0) * a * a, d2 = adr_diffusion(s, 1) * a * a;
  for (int i = 0; i <= last; i++) {
    double d = i < second ? d1 : d2;
    if (i > 0) {
      put(e, i, i - 1, a + (i == last ? 2 * d : d));
    }
    put(e, i, i, -a - 2 * d + 1000 * u[i] * (2 - 3 * u[i]));
    if (i < last) {
      put(e, i, i + 1, d);
    }
  }
}

/* --------------------------------------------------------------------------------------------- */

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SHOWN(...) ((const int[]){__VA_ARGS__, -1})
#define CONVERTER                                                                                  \
  .experiments = "coarse fine", .stop = 10e-3, .grid = 20e-6, .rtol = 1e-10, .atol = 1e-12,        \
  .gates = one_gate, .start = at_rest
#define INTERLEAVED                                                                                \
  .model = "cuk-interleaved", .parts = 4,                                                          \
  .part = NAMES("stage[%d]/iL1", "stage[%d]/iL2", "stage[%d]/uC1"), .after = NAMES("uC2"),         \
  .rtol = 1e-9, .atol = 1e-11, .gates = stage_gates, .start = at_rest, .f = cuk_interleaved,       \
  .jacobian = cuk_interleaved_jacobian, .current = cuk_current
#define ALL_STAGES                                                                                 \
  .head = "stage[1]/iL1,stage[2]/iL1,stage[3]/iL1,stage[4]/iL1,"                                   \
          "stage[1]/iL2,stage[2]/iL2,stage[3]/iL2,stage[4]/iL2,"                                   \
          "stage[1]/uC1,stage[2]/uC1,stage[3]/uC1,stage[4]/uC1,uC2",                               \
  .shown = SHOWN(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12), .stop = 20e-3, .grid = 80e-6
#define LINE                                                                                       \
  .parts = 1000, .shown = SHOWN(249, 499, 749, 999), .stop = 10, .grid = 10e-3, .rtol = 1e-9,      \
  .atol = 1e-11, .band = 1, .start = at_rest, .f = adr, .jacobian = adr_jacobian

const System systems[] = {
    {.name = "buck",
     .head = "iL,uC",
     .before = NAMES("iL", "uC"),
     .shown = SHOWN(0, 1),
     .f = buck,
     .jacobian = buck_jacobian,
     .current = buck_current,
     CONVERTER},
    {.name = "cuk",
     .head = "iL1,iL2,uC1,uC2",
     .before = NAMES("iL1", "iL2", "uC1", "uC2"),
     .shown = SHOWN(0, 1, 2, 3),
     .f = cuk,
     .jacobian = cuk_jacobian,
     .current = cuk_current,
     CONVERTER},
    {.name = "buck-ls",
     .head = "iS,iL,uC",
     .before = NAMES("iS", "iL", "uC"),
     .shown = SHOWN(0, 1, 2),
     .f = buck_ls,
     .jacobian = buck_ls_jacobian,
     .current = buck_ls_current,
     CONVERTER},
    {.name = "buck-ld",
     .head = "iD,iL,uC",
     .before = NAMES("iD", "iL", "uC"),
     .shown = SHOWN(0, 1, 2),
     .f = buck_ld,
     .jacobian = buck_ld_jacobian,
     .current = buck_ld_current,
     CONVERTER},
    {.name = "cuk-interleaved", .experiments = "coarse fine", ALL_STAGES, INTERLEAVED},
    {.name = "cuk-interleaved-start",
     .experiments = "start",
     .head = "stage[1]/iL1,stage[1]/iL2,stage[1]/uC1,uC2",
     .shown = SHOWN(0, 1, 2, 12),
     .stop = 400e-6,
     .grid = 2e-6,
     INTERLEAVED},
    {.name = "cuk-interleaved-shifted",
     .experiments = "shifted shifted_fine",
     .shift = 1,
     ALL_STAGES,
     INTERLEAVED},
    {.name = "buck-heatsink",
     .experiments = "coarse fine mixed auto minute",
     .head = "buck/iL,buck/uC,sink/u[1],sink/u[2],sink/u[5],sink/u[10]",
     .before = NAMES("buck/iL", "buck/uC"),
     .part = NAMES("sink/u[%d]"),
     .parts = 100,
     .shown = SHOWN(0, 1, 2, 3, 6, 11),
     .stop = 5e-3,
     .grid = 10e-6,
     .rtol = 1e-9,
     .atol = 1e-11,
     .band = 1,
     .gates = heatsink_gates,
     .start = warm,
     .f = buck_heatsink,
     .jacobian = buck_heatsink_jacobian,
     .current = buck_current},
    {.name = "tyson",
     .experiments = "coarse fine",
     .head = "cell[1]/CP,cell[1]/pM,cell[1]/M,cell[1]/YP,"
             "cell[100]/CP,cell[100]/pM,cell[100]/M,cell[100]/YP",
     .part = NAMES("cell[%d]/C2", "cell[%d]/CP", "cell[%d]/pM", "cell[%d]/M", "cell[%d]/Y",
                   "cell[%d]/YP"),
     .parts = 100,
     .few_parts = 2,
     .shown = SHOWN(1, 2, 3, 5, 7, 8, 9, 11),
     .stop = 50,
     .grid = 0.25,
     .rtol = 1e-10,
     .atol = 1e-13,
     .start = cells,
     .f = tyson,
     .jacobian = tyson_jacobian},
    {.name = "adr",
     .experiments = "coarse fine",
     .head = "u[250],u[500],u[750],u[1000]",
     .part = NAMES("u[%d]"),
     LINE},
    {.name = "adr-varying",
     .experiments = "cvode mixed liqss2",
     .d_varies = 1,
     .head = "tube/u[250],tube/u[500],tube/u[750],tube/u[1000]",
     .part = NAMES("tube/u[%d]"),
     LINE},
    {0},
};

static int length(const char *const *names)
{
  int n = 0;
  while (names != NULL && names[n] != NULL) {
    n++;
  }
  return n;
}

int system_size(System *s, int parts)
{
  if (s->part != NULL &&
      (parts < 2 || parts > 1000000 || (s->current == cuk_current && parts > MOST_GATES))) {
    return 0;
  }
  s->parts = parts;
  s->n = length(s->before) + s->parts * length(s->part) + length(s->after);
  if (s->gates != NULL) {
    s->gates(s);
  }
  return 1;
}
