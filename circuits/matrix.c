/* Small matrices that are positive definite: A. L. Cholesky's factors where they are numbers; where
 * they have signals the elimination of C. F. Gauss as formulas, which needs no pivots. */
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

/* Signals ----------------------------------------------------------------------------------------
 */

/* [n][n + 1]: the matrix and its right side. */
typedef struct {
  HyCircuit *c;
  guint n;
  const HyFormula **a;
} Eliminate;

static const HyFormula **eliminate_at(const Eliminate *e, guint i, guint j)
{
  return &e->a[(gsize)i * (e->n + 1) + j];
}

/* NUMBER and the terms of element I, J. */
static const HyFormula *eliminate_element(HyCircuit *c, double number, const GArray *terms, guint i,
                                          guint j)
{
  Sum s = sum_begin(c);
  sum_add(&s, 1, hy_formula_number(c->pool, number));
  for (guint k = 0; k < terms->len; k++) {
    const MatrixTerm *t = &g_array_index(terms, MatrixTerm, k);
    if (t->i == i && t->j == j) {
      const HyFormula *n = hy_formula_number(c->pool, ABS(t->n));
      sum_add(&s, t->n < 0 ? -1 : 1, formula_join(c, n, '*', t->f));
    }
  }
  return factor_define(c, "m", "x", sum_end(&s));
}

/* Drive less what the slopes of sources take. */
static const HyFormula *eliminate_right(HyCircuit *c, const MatrixRows *m, const GArray *terms,
                                        guint i)
{
  Sum s = sum_begin(c);
  sum_label(&s, 1, m->drive[i]);
  for (guint k = 0; k < m->n_slopes; k++) {
    const HyFormula *slope = circuit_name(c, m->slope[k])->f;
    const HyFormula *by = eliminate_element(c, m->h[(gsize)k * m->n + i], terms, i, m->n + k);
    sum_add(&s, -1, formula_join(c, by, '*', slope));
  }
  return sum_end(&s);
}

/* Column K of the rows below K becomes 0. */
static void eliminate_column(const Eliminate *e, guint k)
{
  HyCircuit *c = e->c;
  for (guint i = k + 1; i < e->n; i++) {
    if (formula_is(*eliminate_at(e, i, k), 0.0)) {
      continue;
    }
    const HyFormula *f = factor_define(
        c, "m", "f", formula_join(c, *eliminate_at(e, i, k), '/', *eliminate_at(e, k, k)));
    for (guint j = k + 1; j <= e->n; j++) {
      Sum s = sum_begin(c);
      sum_add(&s, 1, *eliminate_at(e, i, j));
      sum_add(&s, -1, formula_join(c, f, '*', *eliminate_at(e, k, j)));
      *eliminate_at(e, i, j) = factor_define(c, "m", "a", sum_end(&s));
    }
  }
}

static void eliminate_back(const Eliminate *e, const MatrixRows *m)
{
  HyCircuit *c = e->c;
  for (guint i = e->n; i-- > 0;) {
    Branch *b = circuit_branch(c, m->branch[i]);
    Sum s = sum_begin(c);
    sum_add(&s, 1, *eliminate_at(e, i, e->n));
    for (guint j = i + 1; j < e->n; j++) {
      guint32 known = circuit_branch(c, m->branch[j])->derivative;
      sum_add(&s, -1, formula_join(c, *eliminate_at(e, i, j), '*', circuit_name(c, known)->f));
    }
    const HyFormula *f = formula_join(c, sum_end(&s), '/', *eliminate_at(e, i, i));
    b->derivative = name_define(c, m->what, b->is.name, f)->term[0].name;
  }
}

void matrix_eliminate(HyCircuit *c, const MatrixRows *m, const double *number, const GArray *terms)
{
  g_autofree const HyFormula **a = g_new(const HyFormula *, (gsize)m->n *(m->n + 1));
  Eliminate e = {c, m->n, a};
  if (m->n > MOST_SIGNALS) {
    c->large = TRUE;
    return;
  }
  for (guint i = 0; i < m->n; i++) {
    for (guint j = 0; j < m->n; j++) {
      *eliminate_at(&e, i, j) = eliminate_element(c, number[(gsize)i * m->n + j], terms, i, j);
    }
    *eliminate_at(&e, i, m->n) = eliminate_right(c, m, terms, i);
  }
  for (guint k = 0; k < m->n; k++) {
    eliminate_column(&e, k);
  }
  eliminate_back(&e, m);
}
