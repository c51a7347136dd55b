/* The value of a formula as it is written, with balls (ball.h): by recursion over the tree, one
 * case a kind. Only what functions such as sin() are is taken from elsewhere. */
#ifndef HYDEVS_AUDIT_EVAL_H
#define HYDEVS_AUDIT_EVAL_H

#include "ball.h"
#include "coupled/written.h"

/* Of TREE, whose inputs are IN; an unknown is NaN. */
HyBall hy_written_value(const HyWritten *tree, const HyBall *in);
/* Likewise, and MOST becomes the size of the largest number that it compares, if that is larger. */
HyBall hy_written_value_of(const HyWritten *tree, const HyBall *in, double *most);
/* How many nodes it has. */
guint hy_written_size(const HyWritten *tree);
/* Between two turns of its comparisons it is a sum of inputs times numbers. */
gboolean hy_written_is_linear(const HyWritten *tree);
/* Between two turns of them it is a number. */
gboolean hy_written_is_choice(const HyWritten *tree);

#endif
