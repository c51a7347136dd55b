/* Why an expression has no value: found by evaluating it once more, operation by operation. */
#ifndef HYDEVS_EXPR_FAULT_H
#define HYDEVS_EXPR_FAULT_H

#include "builder.h"

/* The first operation whose result is not finite while its operands are, as in "division by zero:
 * in[1] / in[2] = 3 / 0", or the input that is not a number; NULL: nothing that the outputs are now
 * made of (the branch of a select that is not taken does not count). IN: values of the inputs;
 * MODE: in the order of the program; NAME: of the inputs. Newly allocated. */
char *hy_x_fault(const HyXBuilder *b, const HyX *out, guint n_out, const double *in,
                 const guint8 *mode, const char *const *name);

#endif
