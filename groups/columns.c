/* A program on columns. Each function below is one operation on all rows; R may be A or B, entry
 * by entry.
 *
 * Columns are as long as a multiple of HY_PAD, so that loops over packs need no rest; what libm
 * computes is called for the rows that there are. The operations are those of run.c and
 * numerics/taylor.c on the value lane, in the same order, so each row has the bits it would have
 * alone. Compiled with -O3, which turns packs into vector instructions without changing a result.
 */
#include "groups/batch.h"
#include "numerics/taylor.h"

static void columns_add(gsize n, const HyPack *a, const HyPack *b, HyPack *r)
{
  for (gsize k = 0; k < n; k++) {
    r[k] = a[k] + b[k];
  }
}

static void columns_subtract(gsize n, const HyPack *a, const HyPack *b, HyPack *r)
{
  for (gsize k = 0; k < n; k++) {
    r[k] = a[k] - b[k];
  }
}

static void columns_multiply(gsize n, const HyPack *a, const HyPack *b, HyPack *r)
{
  for (gsize k = 0; k < n; k++) {
    r[k] = a[k] * b[k];
  }
}

static void columns_divide(gsize n, const HyPack *a, const HyPack *b, HyPack *r)
{
  for (gsize k = 0; k < n; k++) {
    r[k] = a[k] / b[k];
  }
}

static void columns_negate(gsize n, const HyPack *a, HyPack *r)
{
  for (gsize k = 0; k < n; k++) {
    r[k] = -a[k];
  }
}

static void columns_choose(guint n, const guint8 *flag, const double *a, const double *b, double *r)
{
  for (guint k = 0; k < n; k++) {
    r[k] = flag[k] ? a[k] : b[k];
  }
}

static void columns_call(guint n, guint op, const double *a, const double *b, double *r)
{
  for (guint k = 0; k < n; k++) {
    hy_x_series(op, 1, &a[k], &b[k], &r[k]);
  }
}

static void columns_power(guint n, const double *a, const double *exponent, double *r)
{
  for (guint k = 0; k < n; k++) {
    hy_taylor_pow_real(1, &a[k], exponent[k], &r[k]);
  }
}

/* Only + - * / and the sign; K-forms find their number as a column. */
static void run_plain(const HyIns *i, gsize n, double *const *number, double *const *reg)
{
  gboolean k_form = i->op >= HY_I_ADD_K;
  const HyPack *a = (const HyPack *)reg[i->a];
  const HyPack *b = (const HyPack *)(k_form ? number : reg)[i->b];
  HyPack *r = (HyPack *)reg[i->dst];
  switch (i->op) {
  case HY_X_ADD:
  case HY_I_ADD_K:
    columns_add(n, a, b, r);
    break;
  case HY_X_SUB:
  case HY_I_SUB_K:
    columns_subtract(n, a, b, r);
    break;
  case HY_I_K_SUB:
    columns_subtract(n, b, a, r);
    break;
  case HY_X_MUL:
  case HY_I_MUL_K:
    columns_multiply(n, a, b, r);
    break;
  case HY_X_DIV:
  case HY_I_DIV_K:
    columns_divide(n, a, b, r);
    break;
  case HY_I_K_DIV:
    columns_divide(n, b, a, r);
    break;
  default:
    columns_negate(n, a, r);
    break;
  }
}

/* As hy_program_is_plain() has it. */
static inline gboolean is_plain(guint op)
{
  return op == HY_X_ADD || op == HY_X_SUB || op == HY_X_MUL || op == HY_X_DIV || op == HY_X_NEG ||
         (op >= HY_I_ADD_K && op <= HY_I_K_DIV);
}

void hy_program_run_columns(const HyProgram *p, guint n, double *const *number, double *const *reg,
                            const guint8 *const *flag)
{
  const HyIns *end = p->ins + p->n_ins;
  for (const HyIns *i = p->ins; i < end; i++) {
    if (is_plain(i->op)) {
      run_plain(i, hy_packs(n), number, reg);
    } else if (i->op == HY_I_SELECT) {
      columns_choose(n, flag[i[1].dst], reg[i->a], reg[i->b], reg[i->dst]);
      i++;
    } else if (i->op == HY_I_POW_K) {
      columns_power(n, reg[i->a], number[i->b], reg[i->dst]);
    } else {
      columns_call(n, i->op, reg[i->a], reg[i->b], reg[i->dst]);
    }
  }
}

void hy_columns_add_product(guint n, const double *a, const double *b, double *sum)
{
  const HyPack *x = (const HyPack *)a, *y = (const HyPack *)b;
  HyPack *z = (HyPack *)sum;
  for (gsize k = 0; k < hy_packs(n); k++) {
    z[k] += x[k] * y[k];
  }
}

/* What is not is a NaN when multiplied by 0. */
gboolean hy_columns_finite(guint n, const double *a)
{
  HyPack sum = {0.0};
  gsize whole = n / HY_PAD;
  for (gsize k = 0; k < whole; k++) {
    sum += 0.0 * ((const HyPack *)a)[k];
  }
  double rest = 0.0;
  for (gsize k = whole * HY_PAD; k < n; k++) {
    rest += 0.0 * a[k];
  }
  for (guint k = 0; k < HY_PAD && whole > 0; k++) {
    rest += sum[k];
  }
  return rest == 0.0;
}
