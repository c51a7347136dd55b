/* Which parameter matters: the indices of Sobol, from a plan of Saltelli. */
#ifndef HYDEVS_SWEEPS_INDICES_H
#define HYDEVS_SWEEPS_INDICES_H

#include "numerics/draw.h"

#include <glib.h>

/* The plan has two independent points A and B of all parameters for each of its n bases, and for
 * each parameter the point that is A but for this one, which is B's: n (d + 2) runs, base by base
 * A, A with B's first .. A with B's last, B. d <= HY_INDICES_MOST. */
#define HY_INDICES_MOST (HY_SOBOL_DIMENSIONS / 2)
guint64 hy_indices_runs(guint64 n, guint d);
/* The place of parameter J of D, whose name is NAME, in run K of this plan; in (0, 1). */
double hy_indices_place(guint64 seed, const char *name, guint d, guint j, guint64 k);

typedef struct {
  double value, low, high; /* and 95 % of what it may be, by bootstrap */
} HyIndex;

typedef struct {
  HyIndex first; /* the share of the variance that this parameter makes alone */
  HyIndex total; /* and with the others: what is left of it if all others are known */
} HyIndices;

/* Of the values Y[n (d + 2)] of the runs of this plan; newly allocated, [d]. NULL: one of them is
 * no number or all are the same, which is no variance. */
HyIndices *hy_indices(const double *y, guint64 n, guint d, guint64 seed, GError **error);

#endif
