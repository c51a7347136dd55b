/* The equations of a chain: members in an order in which each reads only those near to it, and f
 * and its Jacobian of some of them alone, one after the other in that order. For
 * classic_chain.c. */
#ifndef HYDEVS_GROUPS_CHAIN_ROWS_H
#define HYDEVS_GROUPS_CHAIN_ROWS_H

#include "classic_internal.h"

#include "numerics/implicit.h"

typedef struct HyChainRows HyChainRows;

/* NULL: the members are no chain: more than WIDEST of them would stand side by side, or a hub reads
 * them. */
HyChainRows *hy_chain_rows_new(HyClassic *g, guint widest);
void hy_chain_rows_free(HyChainRows *c); /* NULL is fine */

/* The members in order, by their places in the group, and the place in order of each. */
const guint32 *hy_chain_order(const HyChainRows *c);
guint32 hy_chain_place(const HyChainRows *c, guint32 member);
/* So many places away is what a row reads, at most. */
guint hy_chain_width(const HyChainRows *c);
/* All rows are linear: the Jacobian changes with modes alone. */
gboolean hy_chain_is_linear(const HyChainRows *c);
/* By order: whether the row reads an input. */
const guint8 *hy_chain_fed(const HyChainRows *c);
/* The row of K is linear, by factors that a mode may turn. */
gboolean hy_chain_turns(const HyChainRows *c, guint k);

/* f at T of the members from FIRST up to END in order, to F by order, where X are the values, by
 * order, of these and of WIDTH beside them. */
void hy_chain_f(HyChainRows *c, guint first, guint end, double t, const double *x, double *f);
/* Likewise their rows of the Jacobian. */
void hy_chain_put(HyChainRows *c, guint first, guint end, double t, const double *x);
/* What slopes of inputs at T make of f of K. */
double hy_chain_slope(const HyChainRows *c, guint k, double t);
/* A row of the Jacobian: of places K - WIDTH to K + WIDTH; those beyond the ends are 0. */
const double *hy_chain_row(const HyChainRows *c, guint k);
/* The rows from FIRST up to END by themselves, for hy_implicit_factor(). */
HyBanded hy_chain_banded(const HyChainRows *c, guint first, guint end);
void hy_chain_rows_tape(HyChainRows *c, HyTape *tape);

#endif
