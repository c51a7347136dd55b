/* What a group of a classic method remembers between two events, for copies of a simulation
 * (base/tape.h). Rows, factors and columns follow from the room. */
#include "classic_internal.h"

#include "base/tape.h"

static void classic_tape(HyClassic *g, HyTape *tape)
{
  gpointer method_state = g->method_state; /* made once, at the first start */
  char *text = g->text;
  gsize n = g->n * sizeof(double);
  hy_tape_bytes(tape, g, sizeof *g);
  g->method_state = method_state;
  g->text = text;
  double *const array[] = {g->y, g->dy, g->y_from, g->dy_from, g->z, g->offset};
  for (guint k = 0; k < G_N_ELEMENTS(array); k++) {
    hy_tape_bytes(tape, array[k], n);
  }
  hy_tape_bytes(tape, g->assumed, g->n_outer * sizeof *g->assumed);
  hy_tape_bytes(tape, g->was, g->n_flags);
  hy_tape_bytes(tape, g->effect, g->n * sizeof *g->effect);
  hy_tape_array(tape, g->touched);
  g->stepper->tape(g, tape);
}

void hy_classic_tape(HyRoom *room, HyTape *tape)
{
  for (guint k = 0; k < room->classic->len; k++) {
    classic_tape(g_ptr_array_index(room->classic, k), tape);
  }
}
