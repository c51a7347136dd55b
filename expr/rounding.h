/* How far the values of an expression may be from the exact ones because each operation rounds. */
#ifndef HYDEVS_EXPR_ROUNDING_H
#define HYDEVS_EXPR_ROUNDING_H

#include "builder.h"

typedef struct {
  const HyNode *node;
  guint n;
  const guint8 *need;     /* [n]: which of them are wanted; NULL: all */
  const guint32 *mode_of; /* [n]: the number of a mode */
  const guint8 *flag;     /* by the number of one */
  const double *number;   /* of a CONST, by its `a`; NULL: it knows itself */
  const double *wrong;    /* how wrong an input may be; NULL: they are exact */
} HyRounded;

/* IN: values of the inputs; MODE: of the modes. V, E: [n], the values of the nodes, and how wrong
 * they may be; 0 where nothing can be said. */
void hy_x_rounding(const HyRounded *x, const double *in, const guint8 *mode, double *v, double *e);

#endif
