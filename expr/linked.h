/* A program that is bound to the registers on which it runs, for whoever evaluates it very often:
 * operands are addresses, and what one instruction leaves for the next stays where the machine
 * computes. */
#ifndef HYDEVS_EXPR_LINKED_H
#define HYDEVS_EXPR_LINKED_H

#include "program.h"

typedef struct {
  guint16 op;     /* of linked.c */
  guint16 number; /* of a K-form */
  double *a;
  const double *b;
} HyLinkedIns;

typedef struct {
  guint lanes;
  HyLinkedIns *ins; /* ends with one that says so */
} HyLinked;

/* P must be plain, without modes; both must outlive the result. */
HyLinked *hy_linked_new(const HyProgram *p, HyReg *reg);
void hy_linked_free(HyLinked *l); /* NULL is fine */

/* As hy_program_run_with() of all instructions, with the same bits in the registers of outputs.
 * Others hold what they like. */
void hy_linked_run(const HyLinked *l, const double *number);

#endif
