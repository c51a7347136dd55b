/* Small matrices that are positive definite: A. L. Cholesky's factors. */
#include "internal.h"

#include <float.h>
#include <math.h>

gboolean matrix_factor(double *a, guint n)
{
  for (guint j = 0; j < n; j++) {
    double whole = a[j * n + j];
    for (guint k = 0; k < j; k++) {
      a[j * n + j] -= a[j * n + k] * a[j * n + k];
    }
    if (!(a[j * n + j] > 16.0 * DBL_EPSILON * n * whole)) {
      return FALSE;
    }
    a[j * n + j] = sqrt(a[j * n + j]);
    for (guint i = j + 1; i < n; i++) {
      for (guint k = 0; k < j; k++) {
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      }
      a[i * n + j] /= a[j * n + j];
    }
  }
  return TRUE;
}

void matrix_solve(const double *factor, guint n, double *x)
{
  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < i; k++) {
      x[i] -= factor[i * n + k] * x[k];
    }
    x[i] /= factor[i * n + i];
  }
  for (guint i = n; i-- > 0;) {
    for (guint k = i + 1; k < n; k++) {
      x[i] -= factor[k * n + i] * x[k];
    }
    x[i] /= factor[i * n + i];
  }
}

/* A column of M^-1 at a time. */
void matrix_rows(HyCircuit *c, const MatrixRows *m)
{
  g_autofree double *unit = g_new(double, m->n);
  Sum *row = g_new(Sum, m->n);
  for (guint i = 0; i < m->n; i++) {
    row[i] = sum_begin(c);
  }
  for (guint j = 0; j < m->n + m->n_slopes; j++) {
    const HyFormula *f =
        j < m->n ? formula_of(c, m->drive[j]) : circuit_name(c, m->slope[j - m->n])->f;
    memset(unit, 0, m->n * sizeof *unit);
    unit[j < m->n ? j : 0] = 1.0;
    if (j >= m->n) {
      memcpy(unit, m->h + (gsize)(j - m->n) * m->n, m->n * sizeof *unit);
    }
    matrix_solve(m->factor, m->n, unit);
    for (guint i = 0; i < m->n && !formula_is(f, 0.0); i++) {
      gint sign = (unit[i] < 0) == (j >= m->n) ? 1 : -1;
      const HyFormula *size = hy_formula_number(c->pool, fabs(unit[i]));
      sum_add(&row[i], unit[i] == 0.0 ? 1 : sign, formula_join(c, size, '*', f));
    }
  }
  for (guint i = 0; i < m->n; i++) {
    Branch *b = circuit_branch(c, m->branch[i]);
    const Label *name = name_define(c, m->what, b->is.name, sum_end(&row[i]));
    b->derivative = name->term[0].name;
  }
  g_free(row);
}
