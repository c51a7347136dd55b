#include "agenda.h"

void hy_agenda_init(HyAgenda *a, guint n)
{
  *a = (HyAgenda){.tn = g_new(double, MAX(n, 1)), .now = NAN};
  for (guint i = 0; i < n; i++) {
    a->tn[i] = INFINITY;
  }
  hy_ladder_init(&a->later, n);
}

void hy_agenda_clear(HyAgenda *a)
{
  hy_ladder_clear(&a->later);
  g_clear_pointer(&a->tn, g_free);
}

void hy_agenda_tape(HyAgenda *a, guint n, HyTape *tape)
{
  double *tn = a->tn; /* its memory may be another one since, if a file has been read */
  HyLadder later = a->later;
  hy_tape_bytes(tape, a, sizeof *a);
  a->tn = tn;
  a->later = later;
  hy_tape_bytes(tape, a->tn, n * sizeof *a->tn);
  hy_ladder_tape(&a->later, n, tape);
}
