/* A system in CVODE's hands: BDF, restarted at each edge of a gate and each change of a diode. */
#ifndef BENCH_SOLVE_H
#define BENCH_SOLVE_H

#include "system.h"

#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sundials/sundials_linearsolver.h>

typedef enum {
  BY_DIFFERENCES, /* the Jacobian; dense, or of three diagonals */
  BY_FORMULA,     /* dense, or sparse (KLU) from 30 states on */
} Jacobian;

typedef struct {
  System s; /* a copy: the modes change */
  SUNContext context;
  N_Vector x;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvode;
  double origin, since; /* the last event, and the time since then, which is CVODE's: steps of
                           1e-19 s */
  double edge;          /* the next one */
  int edges, changes;   /* instants at which gates move; diodes that turn by themselves */
  int toggles;          /* of gates and diodes, one by one, before the end of run_through() */
  long steps, evaluations;
  Entries entries;
  int *place;
  sunindextype *column_start, *row_of; /* of the sparse matrix */
} Run;

/* The first step has not been made. Ends the program where CVODE fails, here and below. */
Run *run_new(const System *s, double rtol, double atol, Jacobian how);
void run_free(Run *r);
/* To UNTIL. */
void run_advance(Run *r, double until);
/* In one go past UNTIL, the same steps whether OUT gets samples or not: the states at SAMPLES
 * uniform instants, as doubles. 0: they could not be written. How CVODE starts depends on how far
 * it is told to go, and every step after on how it starts: it is told 1, as by hydevs. */
int run_through(Run *r, double until, int samples, FILE *out);
void run_count(Run *r); /* steps and evaluations up to now */

#endif
