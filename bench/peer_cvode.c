/* What somebody would write for CVODE by hand instead of a diagram: one model a function, its
 * Jacobian beside it, no table of anything. Prints the steps and evaluations, and the sum of the
 * states at the end, to be compared with hydevs. bench/cvode counts the instructions of both.
 *
 * usage: peer_cvode adr|heatsink|tyson|cuk13 TOLERANCE STOP
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct {
  const char *name;
  int n, sparse; /* SPARSE: three diagonals, by columns */
  double stop;   /* of the experiment: CVODE's first step looks at it */
  void (*start)(double *x);
  CVRhsFn f;
  CVLsJacFn jacobian;
} System;

/* The pattern of three diagonals, which CVODE has cleared; returns the data. */
static double *three_diagonals(SUNMatrix m)
{
  sunindextype n = SUNSparseMatrix_Columns(m), *first = SUNSparseMatrix_IndexPointers(m);
  sunindextype *row = SUNSparseMatrix_IndexValues(m), k = 0;
  for (sunindextype j = 0; j < n; j++) {
    first[j] = k;
    for (sunindextype i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) {
      row[k++] = i;
    }
  }
  first[n] = k;
  return SUNSparseMatrix_Data(m);
}

/* Advection, diffusion, reaction, examples/thesis/adr-varying ------------------------------------
 */

enum { SECTIONS = 1000 };

static const double advection = SECTIONS / 10.0, reaction = 1000;
static double diffusion[SECTIONS];

static void empty_tube(double *u)
{
  for (int i = 0; i < SECTIONS; i++) {
    double d = i + 1 < SECTIONS / 2 ? 1e-6 : 10;
    diffusion[i] = d * (SECTIONS / 10.0) * (SECTIONS / 10.0);
    u[i] = 0;
  }
}

static int adr(double t, N_Vector x, N_Vector y, void *user)
{
  (void)t, (void)user;
  const double *u = NV_DATA_S(x);
  double *du = NV_DATA_S(y), before = 1;
  for (int i = 0; i < SECTIONS; i++) {
    double after = i + 1 < SECTIONS ? u[i + 1] : u[i - 1];
    du[i] = -advection * (u[i] - before) + diffusion[i] * (after - 2 * u[i] + before) +
            reaction * (u[i] * u[i] - u[i] * u[i] * u[i]);
    before = u[i];
  }
  return 0;
}

static int adr_jacobian(double t, N_Vector x, N_Vector y, SUNMatrix m, void *user, N_Vector a,
                        N_Vector b, N_Vector c)
{
  (void)t, (void)y, (void)user, (void)a, (void)b, (void)c;
  const double *u = NV_DATA_S(x);
  double *data = three_diagonals(m);
  for (int j = 0; j < SECTIONS; j++) {
    if (j > 0) {
      *data++ = diffusion[j - 1];
    }
    *data++ = -advection - 2 * diffusion[j] + reaction * (2 * u[j] - 3 * u[j] * u[j]);
    if (j + 1 < SECTIONS) {
      *data++ = advection + (j + 2 < SECTIONS ? 1 : 2) * diffusion[j + 1];
    }
  }
  return 0;
}

/* A heat sink, bench/models/heatsink.xml ---------------------------------------------------------
 */

enum { SINK = 100 };

static const double ambient = 298, warm_end = 7.5 * 40;
static double spread; /* 1/s */

static void cold_sink(double *u)
{
  spread = 209.3 / (2698.4 * 900) * (SINK / 25e-3) * (SINK / 25e-3);
  for (int i = 0; i < SINK; i++) {
    u[i] = ambient;
  }
}

static int heatsink(double t, N_Vector x, N_Vector y, void *user)
{
  (void)t, (void)user;
  const double *u = NV_DATA_S(x);
  double *du = NV_DATA_S(y), before = warm_end;
  for (int i = 0; i < SINK; i++) {
    du[i] = spread * (before - 2 * u[i] + (i + 1 < SINK ? u[i + 1] : ambient));
    before = u[i];
  }
  return 0;
}

static int heatsink_jacobian(double t, N_Vector x, N_Vector y, SUNMatrix m, void *user, N_Vector a,
                             N_Vector b, N_Vector c)
{
  (void)t, (void)x, (void)y, (void)user, (void)a, (void)b, (void)c;
  double *data = three_diagonals(m);
  for (int j = 0; j < SINK; j++) {
    if (j > 0) {
      *data++ = spread;
    }
    *data++ = -2 * spread;
    if (j + 1 < SINK) {
      *data++ = spread;
    }
  }
  return 0;
}

/* Two cells of Tyson's, examples/thesis/tyson with N=2: C2, CP, pM, M, Y, YP each ----------------
 */

enum { CELL = 6, CELLS = 2 };

static void two_cells(double *x)
{
  memset(x, 0, sizeof(double[CELLS * CELL]));
  for (int k = 0; k < CELLS; k++) {
    x[CELL * k + 1] = k == 0 ? 0.75 : 0.25;
    x[CELL * k + 2] = 1 - x[CELL * k + 1];
  }
}

static int tyson(double t, N_Vector vx, N_Vector vy, void *user)
{
  (void)t, (void)user;
  const double *x = NV_DATA_S(vx);
  double *dx = NV_DATA_S(vy);
  for (int k = 0; k < CELLS; k++, x += CELL, dx += CELL) {
    double part = x[3] / (x[0] + x[1] + x[2] + x[3]), active = 0.018 + 180 * part * part;
    double bound = 200 * x[1] * x[4], freed = 1e6 * x[0] - 1e3 * x[1];
    dx[0] = x[3] - freed;
    dx[1] = freed - bound;
    dx[2] = bound - x[2] * active;
    dx[3] = x[2] * active - x[3];
    dx[4] = 0.015 - bound;
    dx[5] = x[3] - 0.6 * x[5];
  }
  return 0;
}

static void cell_jacobian(const double *x, SUNMatrix m, int k)
{
  double sum = x[0] + x[1] + x[2] + x[3], part = x[3] / sum, active = 0.018 + 180 * part * part;
  double by_sum = -360 * part * part / sum * x[2]; /* of x[2] active */
  const double flow[4] = {by_sum, by_sum, active + by_sum, by_sum + 360 * part / sum * x[2]};
  double by_cp = 200 * x[4], by_y = 200 * x[1];
  double *column[CELL];
  for (int j = 0; j < CELL; j++) {
    column[j] = SUNDenseMatrix_Column(m, CELL * k + j) + (size_t)CELL * (size_t)k;
  }
  for (int j = 0; j < 4; j++) {
    column[j][2] = -flow[j];
    column[j][3] = flow[j] - (j == 3);
  }
  column[0][0] = -1e6;
  column[1][0] = 1e3;
  column[3][0] = 1;
  column[0][1] = 1e6;
  column[1][1] = -1e3 - by_cp;
  column[4][1] = -by_y;
  column[1][2] += by_cp;
  column[4][2] = by_y;
  column[1][4] = -by_cp;
  column[4][4] = -by_y;
  column[3][5] = 1;
  column[5][5] = -0.6;
}

static int tyson_jacobian(double t, N_Vector x, N_Vector y, SUNMatrix m, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
  (void)t, (void)y, (void)user, (void)a, (void)b, (void)c;
  for (int k = 0; k < CELLS; k++) {
    cell_jacobian(NV_DATA_S(x) + (size_t)CELL * (size_t)k, m, k);
  }
  return 0;
}

/* Four Cuk stages that do not switch, bench/models/cuk13.xml: iL1, iL2, uC1 each, then uC2 --------
 */

enum { STAGES = 4, OUT = 3 * STAGES };

static const double supply = 24, coil = 100e-6, capacitor = 100e-6, load = 10;
static const double closed = 0.05, blocked = 200; /* switch, diode */

static void discharged(double *x)
{
  memset(x, 0, sizeof(double[OUT + 1]));
}

static int cuk13(double t, N_Vector vx, N_Vector vy, void *user)
{
  (void)t, (void)user;
  const double *x = NV_DATA_S(vx), out = x[OUT];
  double *dx = NV_DATA_S(vy), sum = 0;
  for (int k = 0; k < OUT; k += 3) {
    double i = (closed * (x[k] + x[k + 1]) - x[k + 2]) / (closed + blocked);
    dx[k] = (supply - x[k + 2] - blocked * i) / coil;
    dx[k + 1] = (-out - blocked * i) / coil;
    dx[k + 2] = (i - x[k + 1]) / capacitor;
    sum += x[k + 1];
  }
  dx[OUT] = (sum - out / load) / capacitor;
  return 0;
}

static int cuk13_jacobian(double t, N_Vector x, N_Vector y, SUNMatrix m, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
  (void)t, (void)x, (void)y, (void)user, (void)a, (void)b, (void)c;
  double by_coil = closed / (closed + blocked), by_u = -1 / (closed + blocked);
  double *out = SUNDenseMatrix_Column(m, OUT);
  for (int k = 0; k < OUT; k += 3) {
    double *il1 = SUNDenseMatrix_Column(m, k) + k, *il2 = SUNDenseMatrix_Column(m, k + 1) + k;
    double *u = SUNDenseMatrix_Column(m, k + 2) + k;
    il1[0] = il1[1] = il2[0] = il2[1] = -blocked * by_coil / coil;
    il1[2] = by_coil / capacitor;
    il2[2] = (by_coil - 1) / capacitor;
    u[0] = (-1 - blocked * by_u) / coil;
    u[1] = -blocked * by_u / coil;
    u[2] = by_u / capacitor;
    out[k + 1] = -1 / coil;
    il2[OUT - k] = 1 / capacitor;
  }
  out[OUT] = -1 / (load * capacitor);
  return 0;
}

/* CVODE ------------------------------------------------------------------------------------------
 */

static const System systems[] = {
    {"adr", SECTIONS, 1, 10, empty_tube, adr, adr_jacobian},
    {"heatsink", SINK, 1, 10, cold_sink, heatsink, heatsink_jacobian},
    {"tyson", CELLS *CELL, 0, 50, two_cells, tyson, tyson_jacobian},
    {"cuk13", OUT + 1, 0, 20e-3, discharged, cuk13, cuk13_jacobian},
};

static void must(int ok, const char *what)
{
  if (!ok) {
    fprintf(stderr, "peer_cvode: %s\n", what);
    exit(1);
  }
}

static void run(const System *s, double tolerance, double stop)
{
  SUNContext context;
  must(SUNContext_Create(NULL, &context) == 0, "no context");
  N_Vector x = N_VNew_Serial(s->n, context);
  s->start(NV_DATA_S(x));
  SUNMatrix m = s->sparse
                    ? SUNSparseMatrix(s->n, s->n, 3 * (sunindextype)s->n - 2, CSC_MAT, context)
                    : SUNDenseMatrix(s->n, s->n, context);
  SUNLinearSolver solver =
      s->sparse ? SUNLinSol_KLU(x, m, context) : SUNLinSol_Dense(x, m, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  must(CVodeInit(cvode, s->f, 0, x) == 0 && CVodeSStolerances(cvode, tolerance, tolerance) == 0 &&
           CVodeSetLinearSolver(cvode, solver, m) == 0 && CVodeSetJacFn(cvode, s->jacobian) == 0,
       "cannot start");
  double t = 0, sum = 0;
  while (t < stop) {
    must(CVode(cvode, t + 1, x, &t, CV_ONE_STEP) >= 0, "a step has failed");
  }
  must(CVodeGetDky(cvode, stop, 0, x) == 0, "no value at the end");
  long steps = 0, evaluations = 0, jacobians = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &evaluations);
  CVodeGetNumJacEvals(cvode, &jacobians);
  for (int i = 0; i < s->n; i++) {
    sum += NV_DATA_S(x)[i];
  }
  printf("steps %ld evaluations %ld jacobians %ld sum %.9g\n", steps, evaluations, jacobians, sum);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(m);
  N_VDestroy(x);
  SUNContext_Free(&context);
}

int main(int argc, char **argv)
{
  for (size_t k = 0; argc == 4 && k < sizeof systems / sizeof *systems; k++) {
    if (strcmp(argv[1], systems[k].name) == 0) {
      run(&systems[k], atof(argv[2]), atof(argv[3])); // NOLINT(cert-err34-c): a bench of ours
      return 0;
    }
  }
  fputs("usage: peer_cvode adr|heatsink|tyson|cuk13 TOLERANCE STOP\n", stderr);
  return 2;
}
