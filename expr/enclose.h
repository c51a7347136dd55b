/* Operations on bounds (numerics/enclosure.h): what an expression can be where its inputs are known
 * between parabolas. */
#ifndef HYDEVS_EXPR_ENCLOSE_H
#define HYDEVS_EXPR_ENCLOSE_H

#include "builder.h"

#include "numerics/enclosure.h"

/* FALSE: nothing is known of what the operation OP makes of them. */
gboolean hy_op_encloses(guint32 op);
/* a op c for H; C is ignored by functions of one argument. */
HyEnclosure hy_op_enclose(guint32 op, const HyEnclosure *a, const HyEnclosure *c, double h);

#endif
