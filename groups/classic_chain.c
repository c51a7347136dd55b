/* Chains: states each of which reads only those beside it, as a method of lines makes them of heat,
 * diffusion, advection and lines of R and C. Each step solves those alone that move.
 *
 * Cells, the members in order, move or rest. Others read y of a cell:
 *
 *   moves   the parabola of the linearly implicit step (numerics/implicit.h) of all that move, each
 *           run of them by itself, by error as block_liqss2_error has it
 *   rests   a line, the q of such a step of a length H of its own, in which |q - x| <= QUIET dQ
 *
 * All rows read the same y, also their own:  x' = f(y),  so with e = x - y  e' = f(y) - y'. Of a
 * cell whose neighbours rest, too, e is a parabola (f' = A y' + u'), and when it comes to AWAY dQ
 * is known. Beside cells that move, f is taken in the middle of their step, at their q, which is
 * what they themselves are solved with: what leaves one cell enters the other. If e would come to
 * BEYOND dQ in the step they move, too, and the step is solved anew.
 *
 * So x' = f(x + D) with |D| <= BEYOND dQ, as in QSS: of a symmetric A that decays each mode errs by
 * no more than the part that D has in it, however many cells there are (docs/theory.md, section 6).
 * A chain cut into blocks has x inside of them and q between: a source of a_ij dQ at each cut,
 * which n cells that diffuse make to n/4 dQ.
 *
 * A cell that is due comes to rest anew where its neighbours let it, at x, with y the end that x
 * goes to: nothing else hears a step. Where it does not, it moves. */
#include "chain_cells.h"

#include "base/tape.h"

#include <float.h>
#include <string.h>

#define INSTEAD "cvode_bdf"
#define WIDEST  4U  /* cells side by side */
#define AHEAD   3.0 /* times a step that inputs have ended: the next is tried so long */
#define STILL   1e3 /* times the last: a step in which nothing moves */

/* Life ---------------------------------------------------------------------------------------- */

static void chain_free(HyChain *c)
{
  if (c != NULL) {
    hy_chain_rows_free(c->rows);
    g_free(c->cell);
    g_free(c->due);
    g_free(c->value);
    g_free(c->w);
    g_free(c->room);
    g_array_unref(c->window);
    g_array_unref(c->woken);
    g_array_unref(c->edge);
    g_array_unref(c->changed);
    g_free(c->piece);
    g_free(c);
  }
}

static HyChain *chain_new(HyClassic *g, HyChainRows *rows)
{
  gsize n = g->n;
  HyChain *c = g_new0(HyChain, 1);
  *c = (HyChain){.g = g,
                 .rows = rows,
                 .n = g->n,
                 .width = hy_chain_width(rows),
                 .cell = g_new0(HyCell, n + 1),
                 .size = 1,
                 .window = g_array_new(FALSE, FALSE, sizeof(HyWindow)),
                 .woken = g_array_new(FALSE, FALSE, sizeof(guint32)),
                 .edge = g_array_new(FALSE, FALSE, sizeof(HyEdge)),
                 .changed = g_array_new(FALSE, FALSE, sizeof(guint32)),
                 .piece = g_new(guint32, n + 1)};
  while (c->size < MAX(c->n, 2U)) {
    c->size *= 2;
  }
  c->due = g_new(double, 2 * (gsize)c->size);
  double **const array[] = {&c->f,          &c->slope,        &c->f_end,  &c->f_rest,
                            &c->slope_rest, &c->differs_rest, &c->y_rest, &c->rate_rest};
  c->value = g_new0(double, (G_N_ELEMENTS(array) + 1) * n + 1);
  for (guint k = 0; k < G_N_ELEMENTS(array); k++) {
    *array[k] = c->value + (k + 1) * n;
  }
  c->w = g_new0(double complex, 2 * n + 1);
  c->w_rest = c->w + n;
  c->room = g_new0(double complex, hy_implicit_room((int)n, (int)c->width, (int)c->width) + 1);
  return c;
}

/* Why the members are no chain of this kind; NULL: they are. */
static const char *chain_refuses(const HyClassic *g)
{
  if (g->own.crossing->len > 0) {
    return "they decide modes of their own";
  }
  for (guint i = 0; i < g->n; i++) {
    if (!hy_room_state(g->room, g->state[i])->member->plain) {
      return "some of them may jump";
    }
  }
  return NULL;
}

/* All of them move, as if f were new. */
static void chain_begin(HyClassic *g, HyChain *c, double t)
{
  for (guint k = 0; k < 2 * c->size; k++) {
    c->due[k] = INFINITY;
  }
  for (guint k = 0; k < c->n; k++) {
    c->cell[k] = (HyCell){.x = g->z[hy_chain_order(c->rows)[k]],
                          .was = -INFINITY,
                          .patience = 8.0,
                          .reach = 2 * c->width,
                          .t = t,
                          .moves = TRUE,
                          .fresh = TRUE};
    c->value[k] = c->cell[k].x;
  }
  g_array_set_size(c->window, 0);
  HyWindow all = {0, c->n};
  g_array_append_val(c->window, all);
  g_array_set_size(c->woken, 0);
  g_array_set_size(c->edge, 0);
  g_array_set_size(c->changed, 0);
  c->now = (HyChainMemory){.evaluated = c->now.evaluated, .moved = c->now.moved, .margin = 1.0};
  if (hy_chain_is_linear(c->rows)) {
    hy_chain_put(c->rows, 0, c->n, t, c->value);
  }
}

static HyChain *chain_make(HyClassic *g)
{
  HyChainRows *rows = hy_chain_rows_new(g, WIDEST);
  return rows != NULL ? chain_new(g, rows) : NULL;
}

static const char *chain_start(HyClassic *g, double t)
{
  HyChain *c = g->method_state;
  if (c != NULL) {
    c->now.h = fmin(c->now.h, AHEAD * (t - g->t0));
    g->t0 = g->t1 = t;
    return NULL;
  }
  const char *why = chain_refuses(g);
  g->t0 = g->t1 = t;
  c = g->method_state = why == NULL ? chain_make(g) : NULL;
  if (c == NULL) {
    return hy_classic_give_way(g, hy_classic_implicit_name(g),
                               why != NULL ? why : "they are no chain: some read many others");
  }
  hy_classic_assume(g);
  chain_begin(g, c, t);
  return NULL;
}

static void chain_clear(HyClassic *g)
{
  chain_free(g->method_state);
}

static void chain_totals(const HyClassic *g, HyClassicTotals *totals)
{
  const HyChain *c = g->method_state;
  if (c != NULL && c->n > 0) {
    totals->evaluations += (c->now.evaluated + c->n - 1) / c->n;
    totals->moved += c->now.moved;
  }
}

/* What has changed ---------------------------------------------------------------------------- */

static void chain_changed(HyClassic *g, guint i, double missing)
{
  HyChain *c = g->method_state;
  guint32 k = hy_chain_place(c->rows, i);
  HyCell *cell = &c->cell[k];
  cell->missed += missing;
  if (!cell->changed) {
    cell->changed = TRUE;
    g_array_append_val(c->changed, k);
  }
}

/* f of K has jumped, and x'' of those that read it: the step before tells nothing of these. */
static void chain_renew(HyChain *c, guint k)
{
  guint last = hy_chain_after(c, k + 1);
  for (guint j = hy_chain_before(c, k); j < last; j++) {
    c->cell[j].fresh = TRUE;
  }
}

static void chain_hear(HyChain *c)
{
  for (guint j = 0; j < c->changed->len; j++) {
    guint32 k = g_array_index(c->changed, guint32, j);
    HyCell *cell = &c->cell[k];
    *(cell->moves ? &cell->x : &cell->e) += cell->missed;
    if (cell->missed != 0.0) {
      hy_chain_forget(c, k);
    }
    cell->missed = 0.0;
    cell->changed = cell->known = cell->woken = FALSE;
    chain_renew(c, k);
    if (hy_chain_turns(c->rows, k)) {
      c->value[k] = 0.0;
      hy_chain_put(c->rows, k, k + 1, c->now.t, c->value);
    }
    if (!cell->moves) {
      hy_chain_relook(c, k);
    }
  }
  g_array_set_size(c->changed, 0);
}

/* Steps --------------------------------------------------------------------------------------- */

/* The pieces of those that move. */
static const char *chain_take(HyClassic *g, HyChain *c, double h)
{
  gboolean linear = hy_chain_is_linear(c->rows);
  const guint32 *order = hy_chain_order(c->rows);
  const guint8 *fed = hy_chain_fed(c->rows);
  const HyWindow *run = hy_chain_windows(c);
  for (const HyWindow *end = run + c->window->len; run < end; run++) {
    c->now.moved += run->end - run->first;
    for (guint k = run->first; k < run->end; k++) {
      HyCell *cell = &c->cell[k];
      HyImplicitStep s = hy_implicit_step(cell->x, h, c->w[k]);
      cell->t = c->now.t;
      cell->y = cell->x;
      cell->rate = s.dx;
      cell->bend = 0.5 * s.second;
      cell->x = s.x;
      cell->end = linear ? s.dq : c->f_end[k];
      c->f[k] = linear ? s.dq : c->f_end[k];
      cell->known = !linear || !fed[k]; /* q' is f, unless an input bends */
      cell->fresh = cell->woken = FALSE;
      hy_chain_add_piece(c, k);
      if (!isfinite(s.x)) {
        return hy_classic_why(g, order[k], "its value leaves the numbers");
      }
    }
  }
  c->now.before = h;
  g->totals.steps++;
  return NULL;
}

/* Nothing moves: until something is due. */
static double chain_idle(HyChain *c, double limit)
{
  double t = c->now.t;
  double idle = STILL * fmax(c->now.idle, fmax(c->now.h, DBL_EPSILON * fabs(t)));
  c->now.idle = fmin(idle > 0.0 ? idle : 1.0, 1e100);
  return fmin(fmin(limit, hy_chain_next_due(c)), t + c->now.idle) - t;
}

static double chain_limit(const HyClassic *g)
{
  double longest = hy_classic_member(g, 0)->set->hstep, jump = hy_classic_next_jump(g, g->t1);
  return longest > 0.0 ? fmin(g->t1 + longest, jump) : jump;
}

/* Another method goes on from now. */
static void chain_states(HyClassic *g, double t)
{
  const HyChain *c = g->method_state;
  for (guint k = 0; k < c->n; k++) {
    const HyCell *cell = &c->cell[k];
    double x = cell->moves ? cell->x : hy_cell_y(cell, t) + hy_cell_e(cell, t);
    g->z[hy_chain_order(c->rows)[k]] = x + cell->missed;
  }
}

static const char *chain_give_way(HyClassic *g, HyChain *c)
{
  chain_states(g, c->now.t);
  chain_totals(g, &g->totals);
  const char *why = hy_classic_give_way(g, INSTEAD, "no step is short enough");
  return why == NULL ? g->stepper->step(g) : why;
}

static const char *chain_step(HyClassic *g)
{
  HyChain *c = g->method_state;
  const char *why = NULL;
  double limit = chain_limit(g);
  for (; c->now.pieces > 0; c->now.pieces--) {
    c->cell[hy_chain_place(c->rows, c->piece[c->now.pieces - 1])].listed = FALSE;
  }
  c->now.t = g->t1;
  hy_chain_take_edges(c, g->t1);
  chain_hear(c);
  if (c->now.before > 0.0) {
    hy_chain_quieten(c);
  }
  hy_chain_widen_edges(c);
  hy_chain_serve(c, c->now.h);
  double h = hy_chain_find(c, limit, &why);
  if (why == NULL && c->window->len == 0) {
    h = chain_idle(c, limit);
  } else if (why == NULL && h > 0.0) {
    c->now.idle = 0.0;
    why = chain_take(g, c, h);
  } else if (why == NULL) {
    return chain_give_way(g, c);
  }
  g->t0 = g->t1;
  g->t1 = g->t0 + h;
  return why;
}

/* For whoever looks -----------------------------------------------------------------------------
 */

static void chain_dense(HyClassic *g, double t, int order, double *z)
{
  const HyChain *c = g->method_state;
  for (guint k = 0; k < c->n; k++) {
    const HyCell *cell = &c->cell[k];
    double s = t - cell->t;
    z[hy_chain_order(c->rows)[k]] =
        order == 0 ? hy_cell_y(cell, t) : cell->rate + 2.0 * s * cell->bend;
  }
}

static void chain_parabola(const HyClassic *g, guint i, double *p)
{
  const HyChain *c = g->method_state;
  const HyCell *cell = &c->cell[hy_chain_place(c->rows, i)];
  p[0] = cell->y;
  p[1] = cell->rate;
  p[2] = cell->bend;
}

static const guint32 *chain_pieces(const HyClassic *g, guint *n)
{
  const HyChain *c = g->method_state;
  *n = c->now.pieces;
  return c->piece;
}

/* The step has ended at T. */
static const char *chain_finish(HyClassic *g, double t)
{
  HyChain *c = g->method_state;
  hy_chain_take_edges(c, t);
  const HyWindow *run = hy_chain_windows(c);
  for (const HyWindow *end = run + c->window->len; run < end; run++) {
    for (guint k = run->first; k < run->end; k++) {
      HyCell *cell = &c->cell[k];
      cell->x = hy_cell_y(cell, t);
      cell->end = cell->rate + 2.0 * (t - cell->t) * cell->bend;
      cell->known = FALSE;
    }
  }
  return NULL;
}

static void tape_cell(HyCell *cell, HyTape *tape)
{
  HY_TAPE(tape, cell->t);
  HY_TAPE(tape, cell->y);
  HY_TAPE(tape, cell->rate);
  HY_TAPE(tape, cell->bend);
  HY_TAPE(tape, cell->quantum);
  HY_TAPE(tape, cell->x);
  HY_TAPE(tape, cell->end);
  HY_TAPE(tape, cell->since);
  HY_TAPE(tape, cell->e);
  HY_TAPE(tape, cell->d);
  HY_TAPE(tape, cell->dd);
  HY_TAPE(tape, cell->away);
  HY_TAPE(tape, cell->hold);
  HY_TAPE(tape, cell->patience);
  HY_TAPE(tape, cell->was);
  HY_TAPE(tape, cell->missed);
  HY_TAPE(tape, cell->reach);
  HY_TAPE(tape, cell->moves);
  HY_TAPE(tape, cell->fresh);
  HY_TAPE(tape, cell->woken);
  HY_TAPE(tape, cell->looks);
  HY_TAPE(tape, cell->known);
  HY_TAPE(tape, cell->changed);
  HY_TAPE(tape, cell->edge);
  HY_TAPE(tape, cell->listed);
}

static void tape_memory(HyChain *c, HyTape *tape)
{
  HY_TAPE(tape, c->now.t);
  HY_TAPE(tape, c->now.h);
  HY_TAPE(tape, c->now.before);
  HY_TAPE(tape, c->now.idle);
  HY_TAPE(tape, c->now.margin);
  HY_TAPE(tape, c->now.evaluated);
  HY_TAPE(tape, c->now.moved);
  HY_TAPE(tape, c->now.dirty);
  c->now.pieces = (guint)hy_tape_count(tape, "pieces", c->now.pieces, c->n);
}

static void tape_lists(HyChain *c, HyTape *tape)
{
  hy_tape_array(tape, "window", c->window);
  for (guint k = 0; hy_tape_files(tape) && k < c->window->len; k++) {
    HyWindow *w = &g_array_index(c->window, HyWindow, k);
    HY_TAPE(tape, w->first);
    HY_TAPE(tape, w->end);
  }
  hy_tape_array(tape, "edges", c->edge);
  for (guint k = 0; hy_tape_files(tape) && k < c->edge->len; k++) {
    HyEdge *e = &g_array_index(c->edge, HyEdge, k);
    HY_TAPE(tape, e->cell);
    HY_TAPE(tape, e->e);
  }
}

/* Whatever a list names is there. */
static void check_cells(const HyChain *c, HyTape *tape)
{
  gboolean good = TRUE;
  for (guint k = 0; k < c->window->len; k++) {
    const HyWindow *w = &g_array_index(c->window, HyWindow, k);
    good &= w->first <= w->end && w->end <= c->n;
  }
  for (guint k = 0; k < c->edge->len; k++) {
    good &= g_array_index(c->edge, HyEdge, k).cell < c->n;
  }
  for (guint k = 0; k < c->woken->len; k++) {
    good &= g_array_index(c->woken, guint32, k) < c->n;
  }
  for (guint k = 0; k < c->changed->len; k++) {
    good &= g_array_index(c->changed, guint32, k) < c->n;
  }
  for (guint k = 0; k < c->now.pieces; k++) {
    good &= c->piece[k] < c->n;
  }
  if (!good) {
    hy_tape_reject(tape, "a chain has no such cell");
  }
}

static void chain_tape(HyClassic *g, HyTape *tape)
{
  HyChain *c = g->method_state;
  if (g->begun && c == NULL) { /* another method has come in its place since the copy was made */
    c = g->method_state = chain_make(g);
  }
  if (g->begun && c == NULL) {
    hy_tape_reject(tape, "its group is no chain");
  }
  if (!g->begun || c == NULL) {
    return;
  }
  hy_tape_whole(tape, c->cell, c->n * sizeof *c->cell);
  for (guint k = 0; hy_tape_files(tape) && k < c->n; k++) {
    tape_cell(&c->cell[k], tape);
  }
  HY_TAPE_ARRAY(tape, c->due, 2 * (gsize)c->size);
  HY_TAPE_ARRAY(tape, c->f, c->n);
  tape_memory(c, tape);
  HY_TAPE_ARRAY(tape, c->piece, c->now.pieces);
  hy_chain_rows_tape(c->rows, tape);
  hy_tape_numbers(tape, HY_ITEM_U32, "woken", c->woken);
  hy_tape_numbers(tape, HY_ITEM_U32, "changed", c->changed);
  tape_lists(c, tape);
  check_cells(c, tape);
}

const HyStepper hy_classic_chain = {.start = chain_start,
                                    .step = chain_step,
                                    .finish = chain_finish,
                                    .dense = chain_dense,
                                    .parabola = chain_parabola,
                                    .totals = chain_totals,
                                    .clear = chain_clear,
                                    .tape = chain_tape,
                                    .changed = chain_changed,
                                    .states = chain_states,
                                    .pieces = chain_pieces};
