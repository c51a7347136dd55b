/* A program that is bound to the registers on which it runs, for whoever evaluates it very often:
 * operands are addresses, and what one instruction leaves for the next stays where the machine
 * computes. */
#ifndef HYDEVS_EXPR_LINKED_H
#define HYDEVS_EXPR_LINKED_H

#include "program.h"

typedef struct {
  const void *code; /* where what it does stands (linked.c) */
  double *a;
  union {
    const double *b;
    gsize number; /* of a K-form; of an input; where an input lies, in bytes */
  };
} HyLinkedIns;

/* Runs what is linked; of NULL: where the code of each operation stands. */
typedef const void *const *HyLinkedRun(const HyLinkedIns *ins, const double *number, const void *in,
                                       double t);

typedef struct {
  HyLinkedRun *run; /* for so many lanes */
  HyLinkedIns *ins; /* ends with one that says so */
} HyLinked;

/* P must be plain, without modes; both must outlive the result. */
HyLinked *hy_linked_new(const HyProgram *p, HyReg *reg);
/* The same of a program that fetches its inputs itself, each where it is used first: from one
 * array, or, if APART, each from where a pointer leads. */
HyLinked *hy_linked_new_from(const HyProgram *p, HyReg *reg, gboolean apart);
void hy_linked_free(HyLinked *l); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyLinked, hy_linked_free)

/* As hy_program_run_with() of all instructions, with the same bits in the registers of outputs.
 * Others hold what they like. */
static inline void hy_linked_run(const HyLinked *l, const double *number)
{
  l->run(l->ins, number, NULL, 0.0);
}

/* Likewise hy_program_evaluate() without modes, and hy_program_evaluate_from() if they are apart.
 */
static inline void hy_linked_evaluate(const HyLinked *l, const double *number, const HyPiece *in,
                                      double t)
{
  l->run(l->ins, number, in, t);
}

static inline void hy_linked_evaluate_from(const HyLinked *l, const double *number,
                                           const HyPiece *const *in, double t)
{
  l->run(l->ins, number, in, t);
}

#endif
