#include "ladder.h"

#include <math.h>

static guint hy_ladder_padded(guint n)
{
  return n > 0 ? (n + 7) / 8 * 8 : 8;
}

void hy_ladder_init(HyLadder *l, guint n)
{
  l->top = 0;
  for (;; l->top++) {
    guint padded = hy_ladder_padded(n);
    double *a = g_new(double, padded);
    for (guint k = 0; k < padded; k++) {
      a[k] = INFINITY;
    }
    l->at[l->top] = a;
    l->n_top = padded;
    if (n <= 16) {
      return;
    }
    n = padded / 8;
  }
}

void hy_ladder_clear(HyLadder *l)
{
  for (guint k = 0; k <= l->top; k++) {
    g_clear_pointer(&l->at[k], g_free);
  }
}

void hy_ladder_tape(HyLadder *l, guint n, HyTape *tape)
{
  for (guint k = 0; k <= l->top; k++) {
    guint padded = hy_ladder_padded(n);
    hy_tape_bytes(tape, l->at[k], padded * sizeof *l->at[k]);
    n = padded / 8;
  }
}
