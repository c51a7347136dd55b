#include "solve.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#define FEW 30 /* states: the matrix is dense */

static void must(int flag, const char *what)
{
  if (flag < 0) {
    fprintf(stderr, "%s: %d\n", what, flag);
    exit(1);
  }
}

static void *room(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (p == NULL) {
    fputs("not enough memory\n", stderr);
    exit(1);
  }
  return p;
}

static int right_side(double t, N_Vector x, N_Vector dx, void *data)
{
  (void)t;
  const Run *r = data;
  r->s.f(&r->s, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

/* Above 0 where the diode is to conduct. The offset keeps a current that starts from 0 off the
 * root, and is so small that 100 kOhm make a millionth of a volt of it: cuk-ls begins to conduct
 * for some microseconds at 24 uV. */
static double wish(const System *s, const double *x, int diode)
{
  return s->current(s, x, diode) + (s->diode[diode] ? 1e-11 : -1e-11);
}

static int roots(double t, N_Vector x, double *out, void *data)
{
  (void)t;
  const Run *r = data;
  for (int k = 0; k < r->s.n_diodes; k++) {
    out[k] = wish(&r->s, N_VGetArrayPointer(x), k);
  }
  return 0;
}

/* Jacobian ------------------------------------------------------------------------------------- */

static int jacobian(double t, N_Vector x, N_Vector dx, SUNMatrix m, void *data, N_Vector a,
                    N_Vector b, N_Vector c)
{
  (void)t, (void)dx, (void)a, (void)b, (void)c;
  Run *r = data;
  int n = r->s.n;
  if (n > FEW) { /* CVODE clears the pattern, too */
    memcpy(SUNSparseMatrix_IndexPointers(m), r->column_start,
           (size_t)(n + 1) * sizeof *r->column_start);
    memcpy(SUNSparseMatrix_IndexValues(m), r->row_of, (size_t)r->entries.n * sizeof *r->row_of);
  }
  r->entries.value = n > FEW ? SUNSparseMatrix_Data(m) : SUNDenseMatrix_Data(m);
  r->entries.n = 0;
  r->s.jacobian(&r->s, N_VGetArrayPointer(x), &r->entries);
  return 0;
}

/* Columns one after the other; rows ascend in each if the entries come row by row. */
static void find_places(Run *r)
{
  Entries *e = &r->entries;
  int n = r->s.n;
  double *x = N_VGetArrayPointer(r->x);
  r->s.jacobian(&r->s, x, e);
  e->row = room((size_t)e->n, sizeof *e->row);
  e->column = room((size_t)e->n, sizeof *e->column);
  r->place = room((size_t)e->n, sizeof *r->place);
  r->column_start = room((size_t)n + 2, sizeof *r->column_start);
  r->row_of = room((size_t)e->n, sizeof *r->row_of);
  e->n = 0;
  r->s.jacobian(&r->s, x, e);
  for (int k = 0; k < e->n; k++) {
    r->column_start[e->column[k] + 2]++;
  }
  for (int j = 0; j < n; j++) {
    r->column_start[j + 2] += r->column_start[j + 1];
  }
  for (int k = 0; k < e->n; k++) {
    sunindextype at = r->column_start[e->column[k] + 1]++;
    r->row_of[at] = e->row[k];
    r->place[k] = n > FEW ? (int)at : e->column[k] * n + e->row[k];
  }
  e->place = r->place;
}

static void make_matrix(Run *r, Jacobian how)
{
  sunindextype n = r->s.n;
  if (how == BY_FORMULA && n > FEW) {
    find_places(r);
    r->matrix = SUNSparseMatrix(n, n, r->entries.n, CSC_MAT, r->context);
    r->solver = SUNLinSol_KLU(r->x, r->matrix, r->context);
  } else if (how == BY_DIFFERENCES && r->s.band) {
    r->matrix = SUNBandMatrix(n, 1, 1, r->context);
    r->solver = SUNLinSol_Band(r->x, r->matrix, r->context);
  } else {
    if (how == BY_FORMULA) {
      find_places(r);
    }
    r->matrix = SUNDenseMatrix(n, n, r->context);
    r->solver = SUNLinSol_Dense(r->x, r->matrix, r->context);
  }
  must(CVodeSetLinearSolver(r->cvode, r->solver, r->matrix), "CVodeSetLinearSolver");
  if (how == BY_FORMULA) {
    must(CVodeSetJacFn(r->cvode, jacobian), "CVodeSetJacFn");
  }
}

/* Gates and diodes ----------------------------------------------------------------------------- */

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

void run_count(Run *r)
{
  long steps = 0, evaluations = 0;
  CVodeGetNumSteps(r->cvode, &steps);
  CVodeGetNumRhsEvals(r->cvode, &evaluations);
  r->steps += steps;
  r->evaluations += evaluations;
}

/* A diode in the wrong mode changes, until all agree. */
static void settle(Run *r, const int *found)
{
  System *s = &r->s;
  int wrong = 1;
  for (int k = 0; found != NULL && k < s->n_diodes; k++) {
    s->diode[k] ^= found[k] != 0;
    r->changes += found[k] != 0;
    r->toggles += found[k] != 0;
  }
  for (int tries = 0; wrong && tries < 8; tries++) {
    wrong = 0;
    for (int k = 0; k < s->n_diodes; k++) {
      int wanted = wish(s, N_VGetArrayPointer(r->x), k) > 0;
      wrong |= wanted != s->diode[k];
      r->toggles += wanted != s->diode[k];
      s->diode[k] = wanted;
    }
  }
  r->origin += r->since;
  r->since = 0;
  run_count(r); /* CVODE begins to count anew */
  must(CVodeReInit(r->cvode, 0, r->x), "CVodeReInit");
  must(CVodeSetStopTime(r->cvode, r->edge - r->origin), "CVodeSetStopTime");
}

static void set_gates(Run *r)
{
  System *s = &r->s;
  for (int k = 0; k < s->n_gates; k++) {
    int on = carrier(s, &s->gate[k], r->origin + 1e-9 * s->period) < s->gate[k].duty;
    r->toggles += on != s->gate[k].on;
    s->gate[k].on = on;
  }
  r->edge = next_edge(s, r->origin);
  if (s->n_gates > 0) {
    settle(r, NULL);
  }
}

/* ---------------------------------------------------------------------------------------------- */

Run *run_new(const System *s, double rtol, double atol, Jacobian how)
{
  Run *r = room(1, sizeof *r);
  must(-(SUNContext_Create(NULL, &r->context) != 0), "SUNContext_Create");
  r->s = *s;
  r->x = N_VNew_Serial(s->n, r->context);
  N_VConst(0, r->x);
  s->start(s, N_VGetArrayPointer(r->x));
  r->cvode = CVodeCreate(CV_BDF, r->context);
  must(CVodeInit(r->cvode, right_side, 0, r->x), "CVodeInit");
  must(CVodeSStolerances(r->cvode, rtol, atol), "CVodeSStolerances");
  must(CVodeSetUserData(r->cvode, r), "CVodeSetUserData");
  make_matrix(r, how);
  must(CVodeSetMaxNumSteps(r->cvode, 10000000), "CVodeSetMaxNumSteps");
  must(CVodeRootInit(r->cvode, s->n_diodes, roots), "CVodeRootInit");
  must(CVodeSetNoInactiveRootWarn(r->cvode), "CVodeSetNoInactiveRootWarn");
  set_gates(r);
  r->toggles = 0; /* that was how it starts */
  return r;
}

void run_free(Run *r)
{
  CVodeFree(&r->cvode);
  SUNLinSolFree(r->solver);
  SUNMatDestroy(r->matrix);
  N_VDestroy(r->x);
  SUNContext_Free(&r->context);
  free(r->entries.row);
  free(r->entries.column);
  free(r->place);
  free(r->column_start);
  free(r->row_of);
  free(r);
}

/* Gates and diodes after CVode() has come back with FLAG. */
static void obey(Run *r, int flag, double close)
{
  int found[MOST_GATES];
  if (flag == CV_ROOT_RETURN) {
    must(CVodeGetRootInfo(r->cvode, found), "CVodeGetRootInfo");
    settle(r, found);
  } else if (r->edge - r->origin - r->since <= close) {
    r->origin = r->edge;
    r->since = 0;
    r->edges++;
    set_gates(r);
  }
}

static double close_to(const Run *r)
{
  return 1e-9 * (r->s.n_gates > 0 ? r->s.period : r->s.grid);
}

void run_advance(Run *r, double until)
{
  const double close = close_to(r);
  while (until - r->origin - r->since > close) {
    double next = fmin(until, r->edge) - r->origin;
    int flag = CVode(r->cvode, next, r->x, &r->since, CV_NORMAL);
    must(flag, "CVode");
    obey(r, flag, close);
  }
}

int run_through(Run *r, double until, int samples, FILE *out)
{
  const double close = close_to(r);
  const size_t n = (size_t)r->s.n;
  int written = 0, ok = 1;
  N_Vector y = N_VClone(r->x);
  while (until - r->origin - r->since > close) {
    double next = fmin(r->since + fmax(1, r->since), r->edge - r->origin), at;
    int flag = CVode(r->cvode, next, r->x, &r->since, CV_ONE_STEP);
    must(flag, "CVode");
    while (written < samples &&
           (at = (written + 1.0) / samples * until - r->origin) <= r->since + close) {
      must(CVodeGetDky(r->cvode, fmin(at, r->since), 0, y), "CVodeGetDky");
      ok &= fwrite(N_VGetArrayPointer(y), sizeof(double), n, out) == n;
      written++;
    }
    int toggles = r->toggles;
    obey(r, flag, close);
    r->toggles = until - r->origin - r->since > close ? r->toggles : toggles;
  }
  N_VDestroy(y);
  return ok;
}
