#include "pending.h"

void hy_pending_init(HyPending *p, guint n)
{
  *p = (HyPending){.top = 0};
  for (guint words = n / 64 + 1;; words = words / 64 + 1) {
    p->bits[p->top] = g_new0(guint64, words);
    if (words == 1) {
      return;
    }
    p->top++;
  }
}

void hy_pending_clear(HyPending *p)
{
  for (guint level = 0; level < HY_PENDING_LEVELS; level++) {
    g_clear_pointer(&p->bits[level], g_free);
  }
}

void hy_pending_tape(HyPending *p, guint n, HyTape *tape)
{
  guint words = n / 64 + 1;
  for (guint level = 0; level <= p->top; level++, words = words / 64 + 1) {
    hy_tape_bytes(tape, p->bits[level], words * sizeof *p->bits[level]);
  }
}
