/* Which parameter matters: the indices of Sobol, from a plan of Saltelli. */
#ifndef HYDEVS_SWEEPS_INDICES_H
#define HYDEVS_SWEEPS_INDICES_H

#include "hydevs/sweep.h"
#include "numerics/draw.h"

/* The plan has two independent points A and B of all parameters for each of its n bases, and for
 * each parameter the point that is A but for this one, which is B's: n (d + 2) runs, base by base
 * A, A with B's first .. A with B's last, B. d <= HY_INDICES_MOST. */
#define HY_INDICES_MOST (HY_SOBOL_DIMENSIONS / 2)
guint64 hy_indices_runs(guint64 n, guint d);
/* The place of parameter J of D, whose name is NAME, in run K of this plan; in (0, 1). */
double hy_indices_place(guint64 seed, const char *name, guint d, guint j, guint64 k);

/* Of the values Y[n (d + 2)] of the runs of this plan; newly allocated, [d]. NULL: one of them is
 * no number or all are the same, which is no variance. */
HySweepIndices *hy_indices(const double *y, guint64 n, guint d, guint64 seed, GError **error);

#endif
