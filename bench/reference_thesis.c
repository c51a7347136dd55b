/* The expected.csv of examples/thesis, made without hydevs: CVODE (BDF), restarted at each edge of
 * a gate and each change of a diode. A run with tolerances a hundred times looser says on stderr
 * how much they decide; beside it stand the numbers of edges and changes, and the end values.
 *
 * usage: reference_thesis NAME > examples/thesis/NAME/expected.csv
 *        cuk-interleaved-start, -shifted and adr-mixed are expected-EXPERIMENT.csv
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#define CELLS                                                                                      \
  2 /* of Tyson's; they know nothing of each other, so the first and the last will do              \
     */
#define STAGES   4
#define SECTIONS 1000

static const double ron = 1e-5, roff = 1e5, supply = 24;

typedef struct {
  double phase, duty; /* in periods */
  int on;
} Gate;

typedef struct System System;
struct System {
  const char *name, *head;
  int n;
  const int *shown; /* states, ends with -1 */
  double stop, grid, rtol, atol;
  int band; /* the Jacobian has three diagonals */
  double period;
  int n_gates, n_diodes;
  Gate gate[STAGES];
  void (*start)(double *x);
  void (*f)(const System *s, const double *x, double *dx);
  double (*current)(const System *s, const double *x, int diode);
  int diode[STAGES]; /* 1: conducts */
  int edges, changes;
};

static double resistance(int on)
{
  return on ? ron : roff;
}

/* Converters ----------------------------------------------------------------------------------- */

/* All of section 6.4: L = C = 10 m, R = 10. */
static const double coil = 10e-3, capacitor = 10e-3, load = 10, parasitic = 10e-9;

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

/* Three states of each stage, then the output; section 4.4.1: L = C = 100 u. */
static void cuk_interleaved(const System *s, const double *x, double *dx)
{
  const size_t last = 3 * (size_t)STAGES;
  double out = x[last], sum = 0;
  for (int k = 0; k < STAGES; k++) {
    stage(s, x + 3 * (size_t)k, out, k, 100e-6, 100e-6, dx + 3 * (size_t)k);
    sum += x[3 * k + 1];
  }
  dx[last] = (sum - out / load) / 100e-6;
}

/* iL, uC and 100 temperatures; the second gate is on while the switch moves and loses 588 W. */
static void buck_heatsink(const System *s, const double *x, double *dx)
{
  double p = s->gate[1].on ? 588 : 0, sigma = 209.3 / (2698.4 * 900) * pow(100 / 25e-3, 2);
  const double *u = x + 2;
  buck(s, x, dx);
  for (int i = 0; i < 100; i++) {
    double before = i == 0 ? 7.5 * p : u[i - 1], after = i == 99 ? 298 : u[i + 1];
    dx[2 + i] = sigma * (before - 2 * u[i] + after);
  }
}

static void at_rest(double *x)
{
  (void)x;
}

static void warm(double *x)
{
  for (int i = 0; i < 100; i++) {
    x[2 + i] = 298;
  }
}

/* The others ----------------------------------------------------------------------------------- */

/* C2, CP, pM, M, Y, YP of each cell */
static void tyson(const System *s, const double *x, double *dx)
{
  (void)s;
  for (int k = 0; k < CELLS; k++, x += 6, dx += 6) {
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

static void two_cells(double *x)
{
  for (int k = 0; k < CELLS; k++) {
    x[6 * k + 1] = k == 0 ? 0.75 : 0.25;
    x[6 * k + 2] = 1 - x[6 * k + 1];
  }
}

static void line(const double *u, double *du, int mixed)
{
  const double dx = 10.0 / SECTIONS;
  for (int i = 0; i < SECTIONS; i++) {
    double before = i == 0 ? 1 : u[i - 1], after = i == SECTIONS - 1 ? u[i - 1] : u[i + 1];
    double d = mixed ? (i + 1 < SECTIONS / 2 ? 1e-6 : 10) : 1e-3;
    du[i] = -(u[i] - before) / dx + d * (after - 2 * u[i] + before) / (dx * dx) +
            1000 * (u[i] * u[i] - u[i] * u[i] * u[i]);
  }
}

static void adr(const System *s, const double *x, double *dx)
{
  (void)s;
  line(x, dx, 0);
}

static void adr_mixed(const System *s, const double *x, double *dx)
{
  (void)s;
  line(x, dx, 1);
}

#define SHOWN(...) ((const int[]){__VA_ARGS__, -1})
#define CONVERTER                                                                                  \
  .stop = 10e-3, .grid = 20e-6, .rtol = 1e-10, .atol = 1e-12, .period = 100e-6, .n_gates = 1,      \
  .n_diodes = 1, .gate = {{.duty = 0.35}}, .start = at_rest
#define INTERLEAVED                                                                                \
  .n = 13, .rtol = 1e-9, .atol = 1e-11, .period = 100e-6, .n_gates = STAGES, .n_diodes = STAGES,   \
  .start = at_rest, .f = cuk_interleaved, .current = cuk_current
#define ALL_STAGES                                                                                 \
  .head = "stage[1]/iL1,stage[2]/iL1,stage[3]/iL1,stage[4]/iL1,"                                   \
          "stage[1]/iL2,stage[2]/iL2,stage[3]/iL2,stage[4]/iL2,"                                   \
          "stage[1]/uC1,stage[2]/uC1,stage[3]/uC1,stage[4]/uC1,uC2",                               \
  .shown = SHOWN(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12), .stop = 20e-3, .grid = 80e-6
#define LINE                                                                                       \
  .head = "u[250],u[500],u[750],u[1000]", .n = SECTIONS, .shown = SHOWN(249, 499, 749, 999),       \
  .stop = 10, .grid = 10e-3, .rtol = 1e-9, .atol = 1e-11, .band = 1, .start = at_rest

static const System systems[] = {
    {.name = "buck",
     .head = "iL,uC",
     .n = 2,
     .shown = SHOWN(0, 1),
     .f = buck,
     .current = buck_current,
     CONVERTER},
    {.name = "cuk",
     .head = "iL1,iL2,uC1,uC2",
     .n = 4,
     .shown = SHOWN(0, 1, 2, 3),
     .f = cuk,
     .current = cuk_current,
     CONVERTER},
    {.name = "buck-ls",
     .head = "iS,iL,uC",
     .n = 3,
     .shown = SHOWN(0, 1, 2),
     .f = buck_ls,
     .current = buck_ls_current,
     CONVERTER},
    {.name = "buck-ld",
     .head = "iD,iL,uC",
     .n = 3,
     .shown = SHOWN(0, 1, 2),
     .f = buck_ld,
     .current = buck_ld_current,
     CONVERTER},
    {.name = "cuk-interleaved",
     .gate = {{.duty = 0.25}, {.duty = 0.25}, {.duty = 0.25}, {.duty = 0.25}},
     ALL_STAGES,
     INTERLEAVED},
    {.name = "cuk-interleaved-start",
     .head = "stage[1]/iL1,stage[1]/iL2,stage[1]/uC1,uC2",
     .gate = {{.duty = 0.25}, {.duty = 0.25}, {.duty = 0.25}, {.duty = 0.25}},
     .shown = SHOWN(0, 1, 2, 12),
     .stop = 400e-6,
     .grid = 2e-6,
     INTERLEAVED},
    {.name = "cuk-interleaved-shifted",
     .gate = {{0, 0.25, 0}, {0.25, 0.25, 0}, {0.5, 0.25, 0}, {0.75, 0.25, 0}},
     ALL_STAGES,
     INTERLEAVED},
    {.name = "buck-heatsink",
     .head = "buck/iL,buck/uC,sink/u[1],sink/u[2],sink/u[5],sink/u[10]",
     .n = 102,
     .shown = SHOWN(0, 1, 2, 3, 6, 11),
     .stop = 5e-3,
     .grid = 10e-6,
     .rtol = 1e-9,
     .atol = 1e-11,
     .band = 1,
     .period = 100e-6,
     .n_gates = 2,
     .n_diodes = 1,
     .gate = {{.duty = 0.35}, {.phase = -5.5e-2, .duty = 6.8e-2}},
     .start = warm,
     .f = buck_heatsink,
     .current = buck_current},
    {.name = "tyson",
     .head = "cell[1]/CP,cell[1]/pM,cell[1]/M,cell[1]/YP,"
             "cell[100]/CP,cell[100]/pM,cell[100]/M,cell[100]/YP",
     .n = 6 * CELLS,
     .shown = SHOWN(1, 2, 3, 5, 7, 8, 9, 11),
     .stop = 50,
     .grid = 0.25,
     .rtol = 1e-10,
     .atol = 1e-13,
     .start = two_cells,
     .f = tyson},
    {.name = "adr", .f = adr, LINE},
    {.name = "adr-mixed", .f = adr_mixed, LINE},
};

/* CVODE ---------------------------------------------------------------------------------------- */

typedef struct {
  System s; /* a copy: the modes change */
  SUNContext context;
  N_Vector x;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvode;
  double origin,
      since;   /* the last event, and the time since then, which is CVODE's: steps of 1e-19 s */
  double edge; /* the next one */
} Run;

static void must(int flag, const char *what)
{
  if (flag < 0) {
    fprintf(stderr, "%s: %d\n", what, flag);
    exit(1);
  }
}

static int right_side(double t, N_Vector x, N_Vector dx, void *data)
{
  (void)t;
  const System *s = data;
  s->f(s, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

/* Above 0 where the diode is to conduct. The offset keeps a current that starts from 0 off the
 * root. */
static double wish(const System *s, const double *x, int diode)
{
  return s->current(s, x, diode) + (s->diode[diode] ? 1e-9 : -1e-9);
}

static int roots(double t, N_Vector x, double *out, void *data)
{
  (void)t;
  const System *s = data;
  for (int k = 0; k < s->n_diodes; k++) {
    out[k] = wish(s, N_VGetArrayPointer(x), k);
  }
  return 0;
}

static double carrier(const System *s, const Gate *g, double t)
{
  double position = t / s->period - g->phase;
  return position - floor(position);
}

/* The first edge after t; an edge at t itself, up to rounding, is past. */
static double next_edge(const System *s, double t)
{
  double least = INFINITY;
  for (int k = 0; k < s->n_gates; k++) {
    const Gate *g = &s->gate[k];
    for (int falls = 0; falls < 2; falls++) {
      double at = g->phase + (falls ? g->duty : 0), later = t / s->period + 1e-9;
      least = fmin(least, s->period * (floor(later - at) + 1 + at));
    }
  }
  return least;
}

/* A diode in the wrong mode changes, until all agree. */
static void settle(Run *r, const int *found)
{
  System *s = &r->s;
  int wrong = 1;
  for (int k = 0; found != NULL && k < s->n_diodes; k++) {
    s->diode[k] ^= found[k] != 0;
    s->changes += found[k] != 0;
  }
  for (int tries = 0; wrong && tries < 8; tries++) {
    wrong = 0;
    for (int k = 0; k < s->n_diodes; k++) {
      int wanted = wish(s, N_VGetArrayPointer(r->x), k) > 0;
      wrong |= wanted != s->diode[k];
      s->diode[k] = wanted;
    }
  }
  r->origin += r->since;
  r->since = 0;
  must(CVodeReInit(r->cvode, 0, r->x), "CVodeReInit");
  must(CVodeSetStopTime(r->cvode, r->edge - r->origin), "CVodeSetStopTime");
}

static void set_gates(Run *r)
{
  System *s = &r->s;
  for (int k = 0; k < s->n_gates; k++) {
    s->gate[k].on = carrier(s, &s->gate[k], r->origin + 1e-9 * s->period) < s->gate[k].duty;
  }
  r->edge = next_edge(s, r->origin);
  if (s->n_gates > 0) {
    settle(r, NULL);
  }
}

static Run *run_new(const System *s, double looser)
{
  Run *r = calloc(1, sizeof *r);
  if (r == NULL || SUNContext_Create(NULL, &r->context) != 0) {
    exit(1);
  }
  r->s = *s;
  r->x = N_VNew_Serial(s->n, r->context);
  N_VConst(0, r->x);
  s->start(N_VGetArrayPointer(r->x));
  r->matrix =
      s->band ? SUNBandMatrix(s->n, 1, 1, r->context) : SUNDenseMatrix(s->n, s->n, r->context);
  r->solver = s->band ? SUNLinSol_Band(r->x, r->matrix, r->context)
                      : SUNLinSol_Dense(r->x, r->matrix, r->context);
  r->cvode = CVodeCreate(CV_BDF, r->context);
  must(CVodeInit(r->cvode, right_side, 0, r->x), "CVodeInit");
  must(CVodeSStolerances(r->cvode, looser * s->rtol, looser * s->atol), "CVodeSStolerances");
  must(CVodeSetUserData(r->cvode, &r->s), "CVodeSetUserData");
  must(CVodeSetLinearSolver(r->cvode, r->solver, r->matrix), "CVodeSetLinearSolver");
  must(CVodeSetMaxNumSteps(r->cvode, 10000000), "CVodeSetMaxNumSteps");
  must(CVodeRootInit(r->cvode, s->n_diodes, roots), "CVodeRootInit");
  must(CVodeSetNoInactiveRootWarn(r->cvode), "CVodeSetNoInactiveRootWarn");
  set_gates(r);
  return r;
}

static void run_free(Run *r)
{
  CVodeFree(&r->cvode);
  SUNLinSolFree(r->solver);
  SUNMatDestroy(r->matrix);
  N_VDestroy(r->x);
  SUNContext_Free(&r->context);
  free(r);
}

static void advance(Run *r, double until)
{
  const double close = 1e-9 * (r->s.n_gates > 0 ? r->s.period : r->s.grid);
  while (until - r->origin - r->since > close) {
    double next = fmin(until, r->edge) - r->origin;
    int flag = CVode(r->cvode, next, r->x, &r->since, CV_NORMAL), found[STAGES];
    must(flag, "CVode");
    if (flag == CV_ROOT_RETURN) {
      must(CVodeGetRootInfo(r->cvode, found), "CVodeGetRootInfo");
      settle(r, found);
    } else if (r->edge - r->origin - r->since <= close) {
      r->origin = r->edge;
      r->since = 0;
      r->s.edges++;
      set_gates(r);
    }
  }
}

/* Rows ----------------------------------------------------------------------------------------- */

static void write_row(const Run *r, double t)
{
  const double *x = N_VGetArrayPointer(r->x);
  printf("%.10g", t);
  for (const int *i = r->s.shown; *i >= 0; i++) {
    printf(",%.10g", x[*i]);
  }
  printf("\n");
}

/* The error of thesis eq. 4.11: adds to the sums above and below the line. */
static void compare(const Run *fine, const Run *loose, double *above, double *below)
{
  const double *x = N_VGetArrayPointer(fine->x), *y = N_VGetArrayPointer(loose->x);
  for (const int *i = fine->s.shown; *i >= 0; i++) {
    *above += (x[*i] - y[*i]) * (x[*i] - y[*i]);
    *below += x[*i] * x[*i];
  }
}

static void integrate(const System *s)
{
  Run *fine = run_new(s, 1), *loose = run_new(s, 100);
  int rows = (int)lround(s->stop / s->grid);
  double above = 0, below = 0;
  printf("time,%s\n", s->head);
  for (int row = 0; row <= rows; row++) {
    advance(fine, row * s->grid);
    advance(loose, row * s->grid);
    compare(fine, loose, &above, &below);
    write_row(fine, row * s->grid);
  }
  fprintf(stderr, "%s: %d edges, %d changes of diodes by themselves; ", s->name, fine->s.edges,
          fine->s.changes);
  fprintf(stderr, "100 times looser changes %.2g; ends with", sqrt(above / below));
  for (const int *i = s->shown; *i >= 0; i++) {
    fprintf(stderr, " %.9g", N_VGetArrayPointer(fine->x)[*i]);
  }
  fprintf(stderr, "\n");
  run_free(fine);
  run_free(loose);
}

int main(int argc, char **argv)
{
  for (size_t k = 0; argc == 2 && k < sizeof systems / sizeof *systems; k++) {
    if (strcmp(systems[k].name, argv[1]) == 0) {
      integrate(&systems[k]);
      return 0;
    }
  }
  fputs("usage: reference_thesis NAME, one of", stderr);
  for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
    fprintf(stderr, " %s", systems[k].name);
  }
  fputs("\n", stderr);
  return 2;
}
