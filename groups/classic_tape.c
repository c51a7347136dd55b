/* What a group of a classic method remembers between two events, for copies of a simulation
 * (base/tape.h). Rows, factors and columns follow from the room. */
#include "classic_internal.h"

#include "base/tape.h"

static void classic_tape(HyClassic *g, HyTape *tape)
{
  gpointer method_state = g->method_state; /* made once, at the first start */
  const HyStepper *stepper = g->stepper;
  char *text = g->text;
  HyClassicHalves halves = g->halves; /* likewise */
  gsize n = g->n * sizeof(double), all = n + g->m * sizeof(double);
  HyClassicRows rows = g->rows; /* what is evaluated together hangs on what rests */
  guint rested = g->rests.n;
  if (rested > 0 && tape->pass == HY_TAPE_SAVE) {
    hy_tape_refuse(tape, "states rest that wait for what has not been said yet");
  }
  hy_tape_bytes(tape, g, sizeof *g);
  g->method_state = method_state;
  g->rows = rows;
  if (g->stepper != stepper) { /* another has come in its place since */
    stepper->clear(g);
    g->method_state = NULL;
  }
  hy_classic_rests_load(g, rested);
  g->text = text;
  g->halves = halves;
  double *const array[] = {g->out.y, g->out.dy, g->out.y_from, g->out.dy_from};
  for (guint k = 0; k < G_N_ELEMENTS(array); k++) {
    hy_tape_bytes(tape, array[k], all);
  }
  hy_tape_bytes(tape, g->z, n);
  hy_tape_bytes(tape, g->offset, n);
  hy_tape_bytes(tape, g->rows.assumed, g->rows.n_outer * sizeof *g->rows.assumed);
  hy_tape_bytes(tape, g->rows.was, g->rows.n_flags);
  hy_tape_array(tape, "crossings", g->own.crossing);
  hy_tape_array(tape, "turns", g->own.turn);
  hy_tape_bytes(tape, g->in.effect, g->n * sizeof *g->in.effect);
  hy_tape_array(tape, "touched", g->in.touched);
  hy_classic_halves_tape(g, tape);
  g->stepper->tape(g, tape);
}

void hy_classic_tape(HyRoom *room, HyTape *tape)
{
  for (guint k = 0; k < room->groups.classic->len; k++) {
    classic_tape(g_ptr_array_index(room->groups.classic, k), tape);
  }
}
