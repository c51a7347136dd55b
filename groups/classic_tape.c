/* What a group of a classic method remembers between two events, for copies of a simulation
 * (base/tape.h). Rows, factors and columns follow from the room. */
#include "classic_internal.h"

#include "base/tape.h"
#include "expr/tape_parts.h"

/* In memory ------------------------------------------------------------------------------------ */

static void classic_in_memory(HyClassic *g, HyTape *tape)
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

/* In files ------------------------------------------------------------------------------------ */

/* Another method has come in the place of the one that is stated: its name, and why. */
static void file_method(HyClassic *g, HyTape *tape)
{
  g_autofree char *method = g_strdup(tape->pass == HY_TAPE_SAVE ? g->method->name : NULL);
  g_autofree char *because = g_strdup(tape->pass == HY_TAPE_SAVE ? g->because : NULL);
  HY_TAPE(tape, method);
  HY_TAPE(tape, because);
  HY_TAPE(tape, g->unsure);
  HY_TAPE(tape, g->since);
  if (tape->pass == HY_TAPE_SAVE || tape->refused != NULL) {
    return;
  }
  const HyMethod *now = method != NULL ? hy_method_find(method) : NULL;
  if (now == NULL || !hy_family_is_classic(now->family) ||
      (now != g->method && because == NULL && now != g->stated)) {
    hy_tape_refuse(tape, "it is integrated by %s, and in the file by %s", g->method->name,
                   method != NULL ? method : "none");
    return;
  }
  if (now != g->method) {
    if (g->method_state != NULL) {
      g->stepper->clear(g);
    }
    g->method_state = NULL;
    g->stated = because == NULL ? NULL : g->stated != NULL ? g->stated : g->method;
    g->method = now;
    g->stepper = hy_classic_stepper(now->family);
  }
  g->because = because != NULL ? g_intern_string(because) : NULL;
}

static void file_frame(HyClassic *g, HyTape *tape)
{
  HY_TAPE(tape, g->known);
  HY_TAPE(tape, g->began);
  HY_TAPE(tape, g->t0);
  HY_TAPE(tape, g->t1);
  HY_TAPE(tape, g->end);
  HY_TAPE(tape, g->heard);
  HY_TAPE(tape, g->gathered);
  HY_TAPE(tape, g->sum_fastest);
  HY_TAPE_ARRAY(tape, g->z, g->n);
  HY_TAPE_ARRAY(tape, g->offset, g->n);
  for (guint k = 0; k < g->rows.n_outer; k++) {
    hy_tape_piece(tape, &g->rows.assumed[k]);
  }
  HY_TAPE_ARRAY(tape, g->rows.was, g->rows.n_flags);
  HY_TAPE(tape, g->least);
  HY_TAPE(tape, g->most);
  if (g->known > g->n || g->heard > g->spoken) {
    g->known = g->heard = 0;
    hy_tape_reject(tape, "there are not so many");
  }
}

static void file_pieces(HyClassicPieces *out, gsize n, HyTape *tape)
{
  HY_TAPE(tape, out->drawn);
  HY_TAPE(tape, out->from);
  HY_TAPE(tape, out->to);
  HY_TAPE(tape, out->pieces);
  HY_TAPE(tape, out->piece);
  HY_TAPE_ARRAY(tape, out->y, n);
  HY_TAPE_ARRAY(tape, out->dy, n);
  HY_TAPE_ARRAY(tape, out->y_from, n);
  HY_TAPE_ARRAY(tape, out->dy_from, n);
}

static void file_effect(HyClassicEffect *e, HyTape *tape)
{
  HY_TAPE(tape, e->defect);
  HY_TAPE(tape, e->time);
  HY_TAPE(tape, e->span);
  HY_TAPE(tape, e->until);
  HY_TAPE_ARRAY(tape, e->r, HY_BENDS);
  HY_TAPE(tape, e->end);
  HY_TAPE(tape, e->a);
  HY_TAPE(tape, e->touched);
}

static void file_inputs(HyClassic *g, HyTape *tape)
{
  hy_tape_numbers(tape, HY_ITEM_U32, "touched", g->in.touched);
  for (guint k = 0; k < g->in.touched->len; k++) {
    if (g_array_index(g->in.touched, guint32, k) >= g->n) {
      g_array_index(g->in.touched, guint32, k) = 0;
      hy_tape_reject(tape, "there is no such member");
    }
  }
  for (guint i = 0; i < g->n; i++) {
    file_effect(&g->in.effect[i], tape);
  }
  HY_TAPE(tape, g->in.jumped);
  HY_TAPE(tape, g->in.heard);
  HY_TAPE(tape, g->in.late);
  HY_TAPE(tape, g->in.word);
}

static void file_crossing(HyClassicCrossing *c, HyTape *tape)
{
  HY_TAPE(tape, c->noise);
  HY_TAPE(tape, c->width);
  HY_TAPE(tape, c->band);
  HY_TAPE(tape, c->z);
  HY_TAPE(tape, c->was);
  HY_TAPE(tape, c->level);
  HY_TAPE(tape, c->right);
  HY_TAPE(tape, c->tries);
  HY_TAPE(tape, c->driven);
  HY_TAPE(tape, c->hit);
  HY_TAPE(tape, c->at);
}

static void file_turns(HyClassic *g, HyTape *tape)
{
  hy_tape_array(tape, "turn", g->own.turn);
  for (guint k = 0; k < g->own.turn->len; k++) {
    HyClassicTurn *turn = &g_array_index(g->own.turn, HyClassicTurn, k);
    HY_TAPE(tape, turn->crossing);
    HY_TAPE(tape, turn->mode);
    HY_TAPE(tape, turn->found);
    if (turn->crossing >= g->own.crossing->len) {
      hy_tape_reject(tape, "there is no such crossing");
    }
  }
}

static void file_own(HyClassic *g, HyTape *tape)
{
  for (guint k = 0; k < g->own.crossing->len; k++) {
    file_crossing(&g_array_index(g->own.crossing, HyClassicCrossing, k), tape);
  }
  HY_TAPE(tape, g->own.next);
  HY_TAPE(tape, g->own.after);
  HY_TAPE(tape, g->own.turned);
  file_turns(g, tape);
  HY_TAPE(tape, g->own.turns);
  HY_TAPE(tape, g->own.close);
  HY_TAPE(tape, g->own.drifted);
  HY_TAPE(tape, g->own.dt);
  HY_TAPE(tape, g->own.fastest);
  if (g->own.drift != NULL) {
    HY_TAPE_ARRAY(tape, g->own.drift, g->n);
  }
}

static void file_totals(HyClassicTotals *t, HyTape *tape)
{
  HY_TAPE(tape, t->steps);
  HY_TAPE(tape, t->evaluations);
  HY_TAPE(tape, t->jacobians);
  HY_TAPE(tape, t->newton);
  HY_TAPE(tape, t->failures);
  HY_TAPE(tape, t->restarts);
  HY_TAPE(tape, t->pieces);
  HY_TAPE(tape, t->inputs);
  HY_TAPE(tape, t->closed);
  HY_TAPE(tape, t->crossings);
  HY_TAPE(tape, t->moved);
}

static void classic_in_file(HyClassic *g, HyTape *tape)
{
  guint rested = g->rests.n;
  gboolean begun = g->begun;
  if (tape->pass == HY_TAPE_SAVE && (rested > 0 || g->why != NULL)) {
    hy_tape_refuse(tape, "states rest that wait for what has not been said yet");
  }
  if (tape->pass == HY_TAPE_LOAD && rested > 0) {
    hy_classic_rests_clear(g);
  }
  HY_TAPE(tape, g->begun);
  if (g->begun != begun) {
    g->begun = begun;
    hy_tape_reject(tape, "its group has begun otherwise");
  }
  file_method(g, tape);
  file_frame(g, tape);
  file_pieces(&g->out, (gsize)g->n + g->m, tape);
  file_inputs(g, tape);
  file_own(g, tape);
  file_totals(&g->totals, tape);
  hy_classic_halves_tape(g, tape);
  if (tape->refused == NULL) {
    g->stepper->tape(g, tape);
  }
}

void hy_classic_tape(HyRoom *room, HyTape *tape)
{
  for (guint k = 0; k < room->groups.classic->len; k++) {
    HyClassic *g = g_ptr_array_index(room->groups.classic, k);
    if (tape->file != NULL) {
      const HyFlat *flat = room->diagram.flat;
      guint first = hy_room_state(room, g->state[0])->atomic;
      g_autofree char *path =
          hy_model_path(hy_flat_model(flat, first), hy_flat_component(flat, first));
      g_autofree char *section = g_strdup_printf("group %s", path);
      hy_tape_section(tape, section);
      classic_in_file(g, tape);
    } else {
      classic_in_memory(g, tape);
    }
  }
}
