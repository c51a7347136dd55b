/* What rounding makes of a comparison: of z, the row that decides a mode, at the states as they
 * are.
 *
 *   noise = e(z) + |dz/dy . y' dt|
 *
 * e(z) is a running error bound of its own evaluation (N. J. Higham: Accuracy and Stability of
 * Numerical Algorithms, section 3.3; expr/rounding.h): each operation rounds, and what it is made
 * of is a number that a step has led to, a sum of some terms. A linear row is evaluated as a sum of
 * n + 1 products, the error of which is at most n + 2 roundings of their sizes.
 *
 * The second term is there where a crossing has been found: an instant has so many digits, and is
 * found to a part of a step, dt, in which the states have moved by y' dt. y' is that of the modes
 * before they turn, and dz/dy that of the modes in which z is asked: what is a trace of a current
 * while a diode conducts is a voltage when it blocks. What inputs have changed within the tolerance
 * of a step moves states, too, by far more; that is no rounding, and no part of this. */
#include "classic_internal.h"

#include <float.h>
#include <string.h>

#define VALUE (4.0 * DBL_EPSILON) /* of a value that a step has led to: what it rounds */

static double slot_noise(HyClassic *g, guint slot)
{
  guint32 member = hy_classic_place(g, slot);
  const HyHub *hub = member == HY_NO_PLACE ? hy_rows_hub(&g->room->rows, slot) : NULL;
  if (hub != NULL) { /* few deep (rows.c) */
    return hy_classic_rounding(g, hub->row);
  }
  const HySine *sine = member == HY_NO_PLACE ? hy_classic_sine(g, hy_classic_outer(g, slot)) : NULL;
  double size = sine != NULL ? fabs(sine->amplitude) + fabs(sine->offset) : fabs(g->rows.at[slot]);
  double least = member != HY_NO_PLACE ? hy_classic_tolerance(g, member, size) : 0.0;
  return VALUE * (size + least); /* what rests at 0 has the size of its tolerance */
}

/* Of the sum of products that a linear row is. */
static double sum_rounding(HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  const double *a = hy_classic_row_gradient(g, row);
  double sum = fabs(a[r->n_slots]);
  for (guint k = 0; k < r->n_slots; k++) {
    sum += fabs(a[k] * g->rows.at[r->slot[k]]);
  }
  return 0.5 * DBL_EPSILON * (r->n_slots + 2.0) * sum;
}

double hy_classic_rounding(HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  g_autofree double *value = g_new(double, 2 * (gsize)r->n_slots + 1);
  double *wrong = value + r->n_slots;
  for (guint k = 0; k < r->n_slots; k++) {
    value[k] = g->rows.at[r->slot[k]];
    wrong[k] = slot_noise(g, r->slot[k]);
  }
  double e = hy_template_rounding(r->shape, value, wrong, r->number, hy_classic_choices(g, row));
  e += r->linear ? sum_rounding(g, row) : 0.0;
  return isfinite(e) ? e : 0.0;
}

void hy_classic_drift(HyClassic *g, double t, double dt)
{
  for (guint i = 0; i < g->n; i++) {
    g->own.drift[i] = dt * hy_classic_row_value(g, hy_classic_row(g, i));
  }
  g->own.dt = dt;
  g->own.drifted = t;
}

static double row_drift(HyClassic *g, guint32 row);

static double slot_drift(HyClassic *g, guint slot)
{
  guint32 member = hy_classic_place(g, slot), outer;
  const HyHub *hub = member == HY_NO_PLACE ? hy_rows_hub(&g->room->rows, slot) : NULL;
  if (member != HY_NO_PLACE) {
    return g->own.drift[member];
  }
  if (hub != NULL) {
    return row_drift(g, hub->row);
  }
  outer = hy_classic_outer(g, slot);
  return g->own.dt * hy_classic_outer_slope(g, outer, &g->room->signal[slot], g->own.drifted);
}

static double row_drift(HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  gsize size = (r->n_slots + 1) * sizeof(double);
  g_autofree double *a = g_memdup2(hy_classic_row_gradient(g, row), size);
  double sum = 0.0;
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] != 0.0 ? a[k] * slot_drift(g, r->slot[k]) : 0.0;
  }
  return sum;
}

double hy_classic_noise(HyClassic *g, guint32 row, double t)
{
  double drift = g->own.drifted == t ? fabs(row_drift(g, row)) : 0.0;
  return hy_classic_rounding(g, row) + (isfinite(drift) ? drift : 0.0);
}
