/* Right-hand sides and Jacobians of the converters. */
#include "converters.h"

#include <math.h>

static const double ron = 1e-5, roff = 1e5, supply = 24, period = 100e-6;

static double resistance(int on)
{
  return on ? ron : roff;
}

/* Converters ----------------------------------------------------------------------------------- */

/* All of section 6.4: L = C = 10 m, R = 10. */
static const double coil = 10e-3, capacitor = 10e-3, load = 10, parasitic = 10e-9;

void one_gate(System *s)
{
  s->period = period;
  s->n_gates = s->n_diodes = 1;
  s->gate[0] = (Gate){.duty = 0.35};
}

double buck_current(const System *s, const double *x, int diode)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[diode]);
  return (rs * x[0] - supply) / (rs + rd);
}

/* iL, uC */
void buck(const System *s, const double *x, double *dx)
{
  dx[0] = (-resistance(s->diode[0]) * buck_current(s, x, 0) - x[1]) / coil;
  dx[1] = (x[0] - x[1] / load) / capacitor;
}

void buck_jacobian(const System *s, const double *x, Entries *e)
{
  double rs = resistance(s->gate[0].on), rd = resistance(s->diode[0]);
  (void)x;
  put(e, 0, 0, -rd * rs / (rs + rd) / coil);
  put(e, 0, 1, -1 / coil);
  put(e, 1, 0, 1 / capacitor);
  put(e, 1, 1, -1 / load / capacitor);
}

double buck_ls_current(const System *s, const double *x, int diode)
{
  (void)s;
  const double *own = x + 2 * (size_t)diode;
  return own[1] - own[0];
}

/* x: iS, iL of stage K, which works on OUT */
static void buck_ls_stage(const System *s, const double *x, double out, int k, double *dx)
{
  double va = -resistance(s->diode[k]) * (x[1] - x[0]);
  dx[0] = (supply - resistance(s->gate[k].on) * x[0] - va) / parasitic;
  dx[1] = (va - out) / coil;
}

/* Its states are 2 K and after, the output is OUT. */
static void buck_ls_stage_jacobian(const System *s, int k, int out, Entries *e)
{
  double rs = resistance(s->gate[k].on), rd = resistance(s->diode[k]);
  int at = 2 * k;
  put(e, at, at, -(rs + rd) / parasitic);
  put(e, at, at + 1, rd / parasitic);
  put(e, at + 1, at, rd / coil);
  put(e, at + 1, at + 1, -rd / coil);
  put(e, at + 1, out, -1 / coil);
}

/* iS, iL of each stage, then uC; a stage alone is the converter */
void buck_ls(const System *s, const double *x, double *dx)
{
  const int stages = s->n_gates, last = 2 * stages;
  double sum = 0;
  for (int k = 0; k < stages; k++) {
    buck_ls_stage(s, x + 2 * (size_t)k, x[last], k, dx + 2 * (size_t)k);
    sum += x[2 * k + 1];
  }
  dx[last] = (sum - x[last] / load) / capacitor;
}

void buck_ls_jacobian(const System *s, const double *x, Entries *e)
{
  const int stages = s->n_gates, out = 2 * stages;
  (void)x;
  for (int k = 0; k < stages; k++) {
    buck_ls_stage_jacobian(s, k, out, e);
  }
  for (int k = 0; k < stages; k++) {
    put(e, out, 2 * k + 1, 1 / capacitor);
  }
  put(e, out, out, -1 / load / capacitor);
}

double buck_ld_current(const System *s, const double *x, int diode)
{
  (void)s, (void)diode;
  return x[0];
}

/* iD, iL, uC */
void buck_ld(const System *s, const double *x, double *dx)
{
  double va = supply - resistance(s->gate[0].on) * (x[1] - x[0]);
  dx[0] = (-va - resistance(s->diode[0]) * x[0]) / parasitic;
  dx[1] = (va - x[2]) / coil;
  dx[2] = (x[1] - x[2] / load) / capacitor;
}

void buck_ld_jacobian(const System *s, const double *x, Entries *e)
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

double cuk_current(const System *s, const double *x, int diode)
{
  return stage_current(s, x + 3 * (size_t)diode, diode);
}

/* iL1, iL2, uC1, uC2 */
void cuk(const System *s, const double *x, double *dx)
{
  stage(s, x, x[3], 0, coil, capacitor, dx);
  dx[3] = (x[1] - x[3] / load) / capacitor;
}

void cuk_jacobian(const System *s, const double *x, Entries *e)
{
  (void)x;
  stage_jacobian(s, 0, 3, coil, capacitor, e);
  put(e, 3, 1, 1 / capacitor);
  put(e, 3, 3, -1 / load / capacitor);
}

static const double stage_lc = 100e-6; /* section 4.4.1 */

static void gates_of_stages(System *s, double duty)
{
  s->period = period;
  s->n_gates = s->n_diodes = s->parts;
  for (int k = 0; k < s->parts; k++) {
    s->gate[k] = (Gate){.phase = k * s->shift / s->parts, .duty = duty};
  }
}

void stage_gates(System *s)
{
  gates_of_stages(s, 0.25);
}

void buck_stage_gates(System *s)
{
  gates_of_stages(s, 0.35);
}

/* Three states of each stage, then the output. */
void cuk_interleaved(const System *s, const double *x, double *dx)
{
  const size_t last = 3 * (size_t)s->parts;
  double out = x[last], sum = 0;
  for (int k = 0; k < s->parts; k++) {
    stage(s, x + 3 * (size_t)k, out, k, stage_lc, stage_lc, dx + 3 * (size_t)k);
    sum += x[3 * k + 1];
  }
  dx[last] = (sum - out / load) / stage_lc;
}

void cuk_interleaved_jacobian(const System *s, const double *x, Entries *e)
{
  int out = 3 * s->parts;
  (void)x;
  for (int k = 0; k < s->parts; k++) {
    stage_jacobian(s, k, out, stage_lc, stage_lc, e);
    put(e, out, 3 * k + 1, 1 / stage_lc);
  }
  put(e, out, out, -1 / load / stage_lc);
}

/* With a coil beside the switch ---------------------------------------------------------------- */

double cuk_ls_current(const System *s, const double *x, int diode)
{
  (void)s;
  const double *own = x + 4 * (size_t)diode;
  return own[0] + own[1] - own[2];
}

/* x: iL1, iL2, iS, uC1 of one stage */
static void cuk_ls_stage(const System *s, const double *x, double out, int k, double lc, double *dx)
{
  double v = resistance(s->diode[k]) * (x[0] + x[1] - x[2]);
  dx[0] = (supply - x[3] - v) / lc;
  dx[1] = (-out - v) / lc;
  dx[2] = (x[3] + v - resistance(s->gate[k].on) * x[2]) / parasitic;
  dx[3] = (x[0] - x[2]) / lc;
}

/* Its states are 4 K and after, the output is OUT. */
static void cuk_ls_stage_jacobian(const System *s, int k, int out, double lc, Entries *e)
{
  double rs = resistance(s->gate[k].on), rd = resistance(s->diode[k]);
  int at = 4 * k;
  for (int coil_of = 0; coil_of < 3; coil_of++) { /* iL1, iL2, iS */
    double by = coil_of == 2 ? rd / parasitic : -rd / lc;
    put(e, at + coil_of, at, by);
    put(e, at + coil_of, at + 1, by);
    put(e, at + coil_of, at + 2, coil_of == 2 ? -(rd + rs) / parasitic : rd / lc);
    if (coil_of == 1) {
      put(e, at + coil_of, out, -1 / lc);
    } else {
      put(e, at + coil_of, at + 3, coil_of == 2 ? 1 / parasitic : -1 / lc);
    }
  }
  put(e, at + 3, at, 1 / lc);
  put(e, at + 3, at + 2, -1 / lc);
}

/* Coils and capacitors are LC but for the one beside the switch; stages, then uC2. */
static void cuk_ls_stages(const System *s, const double *x, double lc, double *dx)
{
  const int stages = s->n_gates, last = 4 * stages;
  double sum = 0;
  for (int k = 0; k < stages; k++) {
    cuk_ls_stage(s, x + 4 * (size_t)k, x[last], k, lc, dx + 4 * (size_t)k);
    sum += x[4 * k + 1];
  }
  dx[last] = (sum - x[last] / load) / lc;
}

static void cuk_ls_stages_jacobian(const System *s, double lc, Entries *e)
{
  const int stages = s->n_gates, out = 4 * stages;
  for (int k = 0; k < stages; k++) {
    cuk_ls_stage_jacobian(s, k, out, lc, e);
  }
  for (int k = 0; k < stages; k++) {
    put(e, out, 4 * k + 1, 1 / lc);
  }
  put(e, out, out, -1 / load / lc);
}

/* One stage with the values of section 6.4: coil and capacitor have one number */
void cuk_ls(const System *s, const double *x, double *dx)
{
  cuk_ls_stages(s, x, coil, dx);
}

void cuk_ls_jacobian(const System *s, const double *x, Entries *e)
{
  (void)x;
  cuk_ls_stages_jacobian(s, coil, e);
}

void cuk_ls_interleaved(const System *s, const double *x, double *dx)
{
  cuk_ls_stages(s, x, stage_lc, dx);
}

void cuk_ls_interleaved_jacobian(const System *s, const double *x, Entries *e)
{
  (void)x;
  cuk_ls_stages_jacobian(s, stage_lc, e);
}

/* ---------------------------------------------------------------------------------------------- */

static double diffusion(const System *s)
{
  return 209.3 / (2698.4 * 900) * pow(s->parts / 25e-3, 2);
}

void heatsink_gates(System *s)
{
  one_gate(s);
  s->n_gates = 2;
  s->gate[1] = (Gate){.phase = -5.5e-2, .duty = 6.8e-2};
}

/* iL, uC and the temperatures; the second gate is on while the switch moves and loses 588 W. */
void buck_heatsink(const System *s, const double *x, double *dx)
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

void buck_heatsink_jacobian(const System *s, const double *x, Entries *e)
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

void at_rest(const System *s, double *x)
{
  (void)s, (void)x;
}

void warm(const System *s, double *x)
{
  for (int i = 2; i < s->n; i++) {
    x[i] = 298;
  }
}
