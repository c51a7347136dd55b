/* Some of the partial derivatives of a template's rows as one program, for whoever asks for the
 * same ones at every step: what several of them compute is computed once, and what is a number of
 * the row, whatever its slots are, is no part of it. */
#ifndef HYDEVS_EXPR_SLOPES_H
#define HYDEVS_EXPR_SLOPES_H

#include "program.h"
#include "template.h"

struct HySlopes {
  guint32 moving; /* slots: a bit for each whose partial derivative is there */
  guint n, n_load, n_numbers;
  guint8 slot[HY_WIDE]; /* [n] */
  guint8 load[HY_WIDE]; /* [n_load]: the slots that they depend on */
  HyProgram *program;   /* inputs are the slots, then the numbers */
  HyReg *reg;           /* its registers: who runs it puts the values of LOAD there, lane 0 */
  HyLinked *linked;
  const double *numbers; /* those in REG */
};

/* WANTED: a bit for each slot. T has no more than HY_WIDE. NULL: too large. */
HySlopes *hy_slopes_new(const HyTemplate *t, guint32 wanted);
void hy_slopes_free(HySlopes *s); /* NULL is fine */

/* NUMBER, FLAG: of the row. PARTIAL[slot] for those that are MOVING. */
void hy_slopes_run(HySlopes *s, const double *number, const guint8 *flag, double *partial);

#endif
