/* What the making of a node says of its sign: abs(x), max(x, 0), x^2 + 1 are never below 0, and x
 * is not where x > 0 leads to it. */
#ifndef HYDEVS_EXPR_SIGNS_H
#define HYDEVS_EXPR_SIGNS_H

#include "builder.h"

gboolean hy_x_is_never_negative(const HyXBuilder *b, HyX x);

/* What is built from here on is only taken where MORE >= LESS (or 0 where that is HY_X_ZERO); until
 * hy_x_suppose_back() to what hy_x_supposed() has said before. */
#define HY_X_ZERO G_MAXUINT32
guint hy_x_supposed(const HyXBuilder *b);
void hy_x_suppose(HyXBuilder *b, HyX more, HyX less);
void hy_x_suppose_back(HyXBuilder *b, guint n);

#endif
