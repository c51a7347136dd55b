#include "dense.h"

#include <math.h>
#include <stddef.h>

static void swap_rows(int n, double *a, int i, int j)
{
  for (int k = 0; k < n && i != j; k++) {
    double keep = a[(ptrdiff_t)i * n + k];
    a[(ptrdiff_t)i * n + k] = a[(ptrdiff_t)j * n + k];
    a[(ptrdiff_t)j * n + k] = keep;
  }
}

/* The row whose element of COLUMN is largest, from the diagonal down; a NaN wins, to be seen. */
static int dense_largest(int n, const double *a, int column)
{
  int best = column;
  for (int i = column + 1; i < n; i++) {
    double top = fabs(a[(ptrdiff_t)best * n + column]);
    if (!isnan(top) && !(fabs(a[(ptrdiff_t)i * n + column]) <= top)) {
      best = i;
    }
  }
  return best;
}

static void dense_eliminate(int n, double *a, int column)
{
  const double *top = a + (ptrdiff_t)column * n;
  for (int i = column + 1; i < n; i++) {
    double *row = a + (ptrdiff_t)i * n;
    if (row[column] == 0.0) {
      continue;
    }
    row[column] /= top[column];
    for (int k = column + 1; k < n; k++) {
      row[k] -= row[column] * top[k];
    }
  }
}

bool hy_dense_factor(int n, double *a, double *pivot, int *column)
{
  for (int c = 0; c < n; c++) {
    int p = dense_largest(n, a, c);
    pivot[c] = p;
    swap_rows(n, a, c, p);
    double d = a[(ptrdiff_t)c * n + c];
    if (d == 0.0 || !isfinite(d)) {
      if (column != NULL) {
        *column = c;
      }
      return false;
    }
    dense_eliminate(n, a, c);
  }
  return true;
}

void hy_dense_solve(int n, const double *a, const double *pivot, double *b)
{
  for (int i = 0; i < n; i++) {
    int p = (int)pivot[i];
    double keep = b[p];
    b[p] = b[i];
    b[i] = keep;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      b[i] -= a[(ptrdiff_t)i * n + k] * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) {
      b[i] -= a[(ptrdiff_t)i * n + k] * b[k];
    }
    b[i] /= a[(ptrdiff_t)i * n + i];
  }
}
