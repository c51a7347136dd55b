/* Static blocks of one kind: the same class with the same parameters and constants. They share one
 * description and one program, so a diagram of 100,000 equal sections is described once a block of
 * the section. */
#ifndef HYDEVS_EQUATIONS_KIND_H
#define HYDEVS_EQUATIONS_KIND_H

#include "expr/linked.h"
#include "expr/program.h"
#include "limited.h"

/* Working memory of all blocks of a kind in one simulation. It is no state: what lambda computes of
 * the state and the time stands here until the dint that comes next. */
typedef struct {
  HyReg *reg;         /* of the program, prepared */
  double *first;      /* the register of the first output */
  gboolean bad;       /* the result cannot be used */
  double foreseen;    /* the time for which it holds, by its coefficients */
  double meets;       /* the instant at which a limited output gets to its limit, or comes back */
  double *beyond;     /* [n_out + 2 n_modes]: the first coefficients left out; NaN: there is none */
  HyPiece *sides;     /* [2 n_modes]: the crossing expressions; NULL: they are exact */
  HyReg *ahead;       /* by hy_kind_ahead(); NULL: not yet */
  double *rounding;   /* by hy_kind_rounding(); likewise */
  HyTimeDegree *time; /* of the pieces at hand */
  gpointer modes;     /* of the program's modes: what settles them (expr/modes.h) */
  HyLinked *linked[2]; /* the program by where its inputs are; NULL: it is not run so often */
  guint left[2];       /* evaluations until it is linked; 0: it never is, or is */
} HyKindWork;

/* Where the last words of the inputs of a block are: in one array, or each where a pointer leads.
 */
typedef enum { HY_INPUTS_TOGETHER, HY_INPUTS_APART } HyInputs;

typedef struct HyKinds HyKinds;

typedef struct {
  HyKinds *kinds; /* where it is found */
  const HyAtomicClass *klass;
  guint n_in, n_out, n_nodes, n_modes;
  HyNode *node;      /* [n_nodes]: the description */
  HyX *out;          /* [n_out] */
  guint32 *mode_of;  /* [n_nodes]: number of a mode in the program */
  guint8 *need;      /* [n_nodes]: the outputs are made of it, not only modes */
  guint8 *decide;    /* [n_nodes]: or modes are */
  guint8 *feeds;     /* [n_in]: the outputs follow this input at once, not only through modes */
  gboolean safe;     /* sums, products, sines and choices: of what is finite nothing can fail */
  double **constant; /* [n_in]: numbers in place of wires, or NULL */
  gboolean exact; /* of pieces: what follows from polynomials is again one of the model's order */
  gboolean whole; /* or of one coefficient more, which the program has */
  HyKindLimits *limits; /* [n_out], infinite where there are none; NULL: no output is limited */
  guint64 roots; /* bits of the first 64 outputs: it chooses, and is never below 0 by its making */
  HyProgram *program;
  HyKindWork *work;
} HyKind;

/* Registers like those of WORK, for looking ahead and for partial derivatives. */
HyReg *hy_kind_ahead(const HyKind *kind);

/* How wrong the values of its nodes may be by rounding, where its inputs are IN ([n_in]). */
const double *hy_kind_rounding(const HyKind *kind, const double *in, const guint8 *mode);

void hy_kind_link(const HyKind *kind, HyInputs inputs);

/* The program without modes has been evaluated, not linked. Many kinds are evaluated a few times
 * only, at the start; to link one costs as much as some fifty evaluations. */
static inline void hy_kind_ran(const HyKind *kind, HyInputs inputs)
{
  guint *left = &kind->work->left[inputs];
  if (*left > 0 && --*left == 0) {
    hy_kind_link(kind, inputs);
  }
}

/* The node of MODE, by its number in the program. */
HyX hy_kind_mode(const HyKind *kind, guint mode);

HyKinds *hy_kinds_new(void);
void hy_kinds_free(HyKinds *kinds); /* NULL is fine */
guint hy_kinds_n(const HyKinds *kinds);

/* The kind of a block with the parameters in STATE and the inputs of SETUP, for some of which
 * numbers stand; 0 where nothing has to be connected. Made if it is the first of its kind. */
const HyKind *hy_kinds_find(HyKinds *kinds, const HySetup *setup, const void *state,
                            GError **error);

#endif
