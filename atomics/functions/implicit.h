/* The inside of the block implicit: its state, and the solution of its formulas, which knows no
 * events (implicit_solve.c). */
#ifndef HYDEVS_ATOMICS_FUNCTIONS_IMPLICIT_H
#define HYDEVS_ATOMICS_FUNCTIONS_IMPLICIT_H

#include "expr/expression.h"
#include "expr/modes.h"
#include "expr/program.h"
#include "input.h"
#include "numerics/newton.h"
#include "numerics/validity.h"

typedef enum { HY_IMPLICIT_REST, HY_IMPLICIT_SOLVE, HY_IMPLICIT_SAY } HyImplicitPhase;

typedef struct {
  const HyExpression *formula;
  const char *unknowns;
  HyReals guess;
  double tolerance, relative, dqrel, dqmin;
  gint64 max_iter;

  guint n_in, n, order;
  HySignal *in;      /* [n_in] */
  HyPiece *piece;    /* [n_in + n]: what the program loads, inputs and then unknowns */
  HyPiece *z, *said; /* [n]: the solution; said: t NaN for never */
  HyProgram *program;
  HyReg *reg;
  HyModes *modes; /* NULL: none */
  guint8 *mode;
  HyNewton newton;
  double *room, *point, *r, *dz; /* [n] each, but for room */
  double t;                      /* of the solution, or of what is to be solved */
  HyImplicitPhase phase;
  double again; /* when it is solved anew */
  HyValidity validity;
  guint port; /* which is said next */
  HyFault fault;
  HyNewtonEnd end;
  gboolean solved, unsettled; /* there is a solution; modes change each other for ever */
  guint64 solutions, iterations;
} HyImplicit;

double hy_implicit_guess(const HyImplicit *s, guint k);
/* For HyNewton, whose user is the state: F at z, and dF/dz by rows. */
void hy_implicit_residual(void *user, const double *z, double *r);
void hy_implicit_jacobian(void *user, const double *z, double *j);
/* z with all its coefficients and the modes at s->t, s->z being the last solution moved there.
 * FALSE: there is none, and `end` and `unsettled` say why. */
gboolean hy_implicit_find(HyImplicit *s);
/* How long the piece of the solution holds. */
double hy_implicit_holds(HyImplicit *s);

#endif
