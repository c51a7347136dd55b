/* What blocks without a formula of their own compute, once more and plainly: a function for each
 * class that describes itself (HyAtomicClass.describe). */
#ifndef HYDEVS_AUDIT_PLAIN_H
#define HYDEVS_AUDIT_PLAIN_H

#include "ball.h"
#include "coupled/written.h"

/* A block as these functions see it: the numbers of its parameters in the order of the class's row
 * of hy_plain_classes, and its lists. */
typedef struct {
  double number[4];
  HyReals list[2];
  const HyWritten *tree; /* NULL: it has no formula */
} HyPlainParams;

/* N inputs IN, as many outputs OUT as the block has. */
typedef void HyPlainFunction(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out);

typedef struct {
  const char *name;          /* of the class */
  HyPlainFunction *function; /* NULL: it remembers something, and is judged by its mode */
  const char *number[4], *list[2];
  gboolean beyond; /* nonlinear between two turns of its modes */
  gboolean choice; /* its value is a number that follows its modes */
} HyPlainClass;

extern const HyPlainClass hy_plain_classes[];
extern const guint hy_n_plain_classes;
/* NULL: of no such class. */
const HyPlainClass *hy_plain_class(const char *name);
/* What P needs of a block whose state begins at STATE. */
void hy_plain_params(const HyPlainClass *c, const HyAtomicClass *klass, gconstpointer state,
                     HyPlainParams *p);

#endif
