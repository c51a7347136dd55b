/* Cells that rest: how they come to it, when they are due, and what becomes of them then. Formulas:
 * classic_chain.c. */
#include "chain_cells.h"

#include "numerics/poly.h"

#include <math.h>

#define QUIET  0.05 /* quanta: how far y may be from x of a cell that comes to rest */
#define AWAY   0.3  /* likewise, when it is due, and where it rests anew */
#define BEYOND 0.5  /* or cells beside it move; two of them are a quantum apart at most */
#define MORE   1.2  /* times how far it was from the beginning */
#define HOLD   8.0  /* steps: a shorter rest is none */
#define LONGER 16.0 /* times that: tried next */
#define TRIALS 4
#define INSIDE 8U   /* between others that move so many rest, or none does */
#define SOON   32.0 /* steps: one that is due again so soon rests anew with more beside it */
#define REACH  64U  /* on both sides, at most */

/* When they are due ---------------------------------------------------------------------------- */

void hy_chain_set_due(HyChain *c, guint k, double t)
{
  gsize at = (gsize)c->size + k;
  c->due[at] = t;
  while (at > 1) {
    at /= 2;
    double least = fmin(c->due[2 * at], c->due[2 * at + 1]);
    if (c->due[at] == least) {
      return;
    }
    c->due[at] = least;
  }
}

static guint rest_first_due(const HyChain *c)
{
  gsize at = 1;
  while (at < c->size) {
    at = c->due[2 * at] <= c->due[2 * at + 1] ? 2 * at : 2 * at + 1;
  }
  return (guint)(at - c->size);
}

double hy_chain_bound(const HyCell *c)
{
  return BEYOND * c->quantum;
}

double hy_chain_drift(const HyChain *c, guint k, guint first, guint end)
{
  const double *a = hy_chain_row(c->rows, k);
  double sum = hy_chain_slope(c->rows, k, c->now.t);
  guint last = hy_chain_after(c, k + 1);
  for (guint j = hy_chain_before(c, k); j < last; j++) {
    if (j < first || j >= end) {
      sum += a[j + c->width - k] * hy_cell_slope(&c->cell[j], c->now.t);
    }
  }
  return sum;
}

/* Values now of what K reads; and A, if it is not what it was. */
static void rest_set(HyChain *c, guint first, guint end)
{
  guint last = hy_chain_after(c, end);
  for (guint j = hy_chain_before(c, first); j < last; j++) {
    c->value[j] = hy_cell_now(&c->cell[j], c->now.t);
  }
}

static void rest_put(HyChain *c, guint first, guint end)
{
  if (!hy_chain_is_linear(c->rows)) {
    hy_chain_put(c->rows, first, end, c->now.t, c->value);
  }
}

static void rest_find_due(HyChain *c, guint k)
{
  HyCell *cell = &c->cell[k];
  double p[] = {cell->e, cell->d, 0.5 * cell->dd};
  double most = fmax(AWAY * cell->quantum, MORE * cell->away);
  double s = hy_poly_leave(p, 3, most);
  gboolean still = cell->d == 0.0 && cell->rate == 0.0;
  cell->looks = !hy_chain_is_linear(c->rows) && !still && cell->hold < s;
  hy_chain_set_due(c, k, c->now.t + (cell->looks ? cell->hold : s));
}

/* Of FIRST .. END, those that rest: from here on x - y follows from f at VALUE. */
static void rest_relook_at(HyChain *c, guint first, guint end)
{
  double t = c->now.t;
  rest_put(c, first, end);
  hy_chain_f(c->rows, first, end, t, c->value, c->f_rest);
  c->now.evaluated += end - first;
  for (guint k = first; k < end; k++) {
    HyCell *cell = &c->cell[k];
    if (!cell->moves) {
      cell->e = hy_cell_e(cell, t);
      cell->since = t;
      cell->d = c->f_rest[k] - hy_cell_slope(cell, t);
      cell->dd = hy_chain_drift(c, k, k, k) - 2.0 * cell->bend;
      rest_find_due(c, k);
    }
  }
}

/* Likewise, from f as it is. */
static void rest_relook(HyChain *c, guint first, guint end)
{
  rest_set(c, first, end);
  rest_relook_at(c, first, end);
}

void hy_chain_relook(HyChain *c, guint k)
{
  rest_relook(c, k, k + 1);
}

/* To rest -------------------------------------------------------------------------------------- */

/* f at the end of a rest of H: how far it is from what A says, in quanta of x. */
static gboolean rest_differs(HyChain *c, guint first, guint end, double h, double most)
{
  guint last = hy_chain_after(c, end);
  for (guint j = hy_chain_before(c, first); j < last; j++) {
    HyCell *cell = &c->cell[j];
    gboolean inside = j >= first && j < end;
    c->value[j] = inside        ? cell->x + h * creal(c->w_rest[j])
                  : cell->moves ? cell->x + h * cell->end
                                : hy_cell_y(cell, c->now.t + h);
  }
  hy_chain_f(c->rows, first, end, c->now.t + h, c->value, c->differs_rest);
  c->now.evaluated += end - first;
  for (guint k = first; k < end; k++) {
    double differs = c->differs_rest[k] - creal(c->w_rest[k]) - cimag(c->w_rest[k]);
    if (!(h / 3.0 * fabs(differs) <= most * c->cell[k].quantum)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* The step of H of FIRST .. END alone, from X; within MOST quanta. */
static gboolean rest_holds(HyChain *c, guint first, guint end, double h, double most)
{
  HyImplicit factors;
  HyBanded a = hy_chain_banded(c->rows, first, end);
  if (!hy_implicit_factor(&factors, &a, h, c->room) ||
      !hy_implicit_solve(&factors, c->f_rest + first, c->slope_rest + first, c->w_rest + first)) {
    return FALSE;
  }
  for (guint k = first; k < end; k++) {
    if (!(h * fabs(cimag(c->w_rest[k])) <= most * c->cell[k].quantum)) {
      return FALSE;
    }
  }
  return hy_chain_is_linear(c->rows) || !rest_differs(c, first, end, h, most);
}

/* The slopes of all of them come to nothing in a rest of H. */
static gboolean rest_is_level(const HyChain *c, guint first, guint end, double h)
{
  for (guint k = first; k < end; k++) {
    double rate = creal(c->w_rest[k]) + cimag(c->w_rest[k]);
    if (!(fabs(rate) * h <= QUIET * c->cell[k].quantum)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* What others read of them in a rest of H. Slopes that come to nothing are none: they would go on
 * for ever. All of them or none: where one is level beside one that is not there is a step in y,
 * and f of both is that times their rate, which may be thousands of quanta in H. */
static void rest_draw(HyChain *c, guint first, guint end, double h)
{
  gboolean level = rest_is_level(c, first, end, h);
  for (guint k = first; k < end; k++) {
    const HyCell *cell = &c->cell[k];
    double re = creal(c->w_rest[k]), im = cimag(c->w_rest[k]), rate = re + im;
    c->y_rest[k] = cell->x - h * im + (level ? 0.5 * h * rate : 0.0);
    c->rate_rest[k] = level ? 0.0 : rate;
  }
}

static void rest_begin(HyChain *c, guint k, double hold)
{
  HyCell *cell = &c->cell[k];
  hy_chain_forget(c, k);
  c->now.dirty |= cell->moves;
  cell->moves = FALSE;
  cell->t = cell->since = c->now.t;
  cell->y = c->y_rest[k];
  cell->rate = c->rate_rest[k];
  cell->bend = cell->d = cell->dd = 0.0;
  cell->e = cell->x - cell->y;
  cell->away = fabs(cell->e);
  cell->hold = hold;
  hy_chain_add_piece(c, k);
}

/* FIRST .. END, at X, for as long as they can. FALSE: not for long enough. */
static gboolean rest_try(HyChain *c, guint first, guint end, double most)
{
  double hold = 0.0, h = HOLD;
  for (guint k = first; k < end; k++) {
    h = fmax(h, c->cell[k].patience);
  }
  h *= c->now.h;
  rest_set(c, first, end);
  for (guint k = first; k < end; k++) {
    c->value[k] = c->cell[k].x;
  }
  rest_put(c, first, end);
  hy_chain_f(c->rows, first, end, c->now.t, c->value, c->f_rest);
  c->now.evaluated += end - first;
  for (guint k = first; k < end; k++) {
    gboolean beside = k < first + c->width || k + c->width >= end;
    c->slope_rest[k] =
        beside ? hy_chain_drift(c, k, first, end) : hy_chain_slope(c->rows, k, c->now.t);
  }
  for (int k = 0; k < TRIALS && rest_holds(c, first, end, h, most); k++) {
    rest_draw(c, first, end, hold = h);
    h *= LONGER;
  }
  for (guint k = first; k < end && hold > 0.0; k++) {
    rest_begin(c, k, hold);
  }
  return hold > 0.0;
}

static void rest_relook_around(HyChain *c, guint first, guint end)
{
  rest_relook(c, hy_chain_before(c, first), hy_chain_after(c, end));
}

static gboolean rest_is_quiet(const HyChain *c, const HyCell *cell)
{
  double h = cell->patience * c->now.h;
  return !cell->fresh && fabs(cell->bend) * h * h <= QUIET * cell->quantum;
}

/* Quiet ones from K on, up to END, of WINDOW; without those next to others that move. */
static void rest_quieten(HyChain *c, const HyWindow *window, guint k, guint end)
{
  guint beside = c->width + 1;
  gboolean at_first = k == window->first, at_end = end == window->end;
  guint first = at_first ? k : k + beside, last = at_end ? end : end - MIN(end, beside);
  guint least = at_first || at_end ? 1 : INSIDE;
  if (first + least <= last && rest_try(c, first, last, QUIET)) {
    rest_relook_around(c, first, last);
  }
}

void hy_chain_quieten(HyChain *c)
{
  for (guint j = 0; j < c->window->len; j++) {
    HyWindow window = g_array_index(c->window, HyWindow, j);
    guint end;
    for (guint k = window.first; k < window.end; k = end) {
      gboolean quiet = rest_is_quiet(c, &c->cell[k]);
      for (end = k + 1; end < window.end && rest_is_quiet(c, &c->cell[end]) == quiet;) {
        end++;
      }
      if (quiet) {
        rest_quieten(c, &window, k, end);
      }
    }
  }
}

/* Due ------------------------------------------------------------------------------------------ */

void hy_chain_wake(HyChain *c, guint k)
{
  HyCell *cell = &c->cell[k];
  if (cell->moves) {
    return;
  }
  double t = c->now.t;
  hy_chain_forget(c, k);
  cell->x = hy_cell_y(cell, t) + hy_cell_e(cell, t);
  cell->end = hy_cell_slope(cell, t);
  cell->moves = cell->fresh = cell->woken = TRUE;
  hy_chain_set_due(c, k, INFINITY);
  g_array_append_val(c->woken, k);
  c->now.dirty = TRUE;
}

/* It has rested for as long as is believed without a look at f. TRUE: it goes on. F is that of what
 * was read until now: one beside it may have been woken, and its x is not what it said. */
static gboolean rest_goes_on(HyChain *c, guint k)
{
  HyCell *cell = &c->cell[k];
  double t = c->now.t, s = t - cell->since, foreseen = cell->d + s * cell->dd;
  guint last = hy_chain_after(c, k + 1);
  for (guint j = hy_chain_before(c, k); j < last; j++) {
    c->value[j] = hy_cell_y(&c->cell[j], t);
  }
  rest_relook_at(c, k, k + 1);
  double more = 0.5 * s * (cell->d - foreseen);
  cell->e += more;
  cell->hold *= 4.0;
  rest_find_due(c, k);
  return fabs(more) <= QUIET * cell->quantum && fabs(cell->e) < AWAY * cell->quantum;
}

/* Those at rest around K, at X, within REACH of it. */
static HyWindow rest_around(HyChain *c, guint k, guint reach)
{
  HyWindow run = {k, k + 1};
  while (run.first > 0 && k - run.first < reach && !c->cell[run.first - 1].moves) {
    run.first--;
  }
  while (run.end < c->n && run.end - k <= reach && !c->cell[run.end].moves) {
    run.end++;
  }
  return run;
}

/* So far away what one of them does is felt within H, on both sides: twice sqrt(D H) where they
 * diffuse. */
static guint rest_reach(const HyChain *c, guint k, double h)
{
  double far = 2.0 * sqrt(h * fabs(hy_chain_row(c->rows, k)[c->width]));
  return MAX(2 * c->width, (guint)fmin(far, REACH));
}

/* One that is due rests anew with those around it that hold it, and if it is due soon again with
 * more of them. */
static void rest_serve(HyChain *c, guint k, double h)
{
  HyCell *cell = &c->cell[k];
  double t = c->now.t;
  gboolean again = cell->was == t;
  guint least = rest_reach(c, k, h);
  guint reach = t - cell->was < SOON * h ? MIN(MAX(least, 2 * cell->reach), REACH) : least;
  HyWindow run = rest_around(c, k, reach);
  gboolean soon = t - cell->t < HOLD * h;
  double patience = soon ? fmin(4.0 * cell->patience, 16.0) : fmax(HOLD, 0.5 * cell->patience);
  for (guint j = run.first; j < run.end; j++) {
    HyCell *other = &c->cell[j];
    other->x = hy_cell_y(other, t) + hy_cell_e(other, t);
    other->was = t;
    other->reach = reach;
    other->patience = patience;
  }
  if (!again && rest_try(c, run.first, run.end, AWAY)) {
    rest_relook_around(c, run.first, run.end);
    if (c->due[c->size + k] > t + h) {
      return;
    }
  }
  for (guint j = run.first; j < run.end; j++) {
    hy_chain_wake(c, j);
  }
}

void hy_chain_serve(HyChain *c, double h)
{
  while (hy_chain_next_due(c) <= c->now.t + h) {
    guint k = rest_first_due(c);
    if (!c->cell[k].looks || !rest_goes_on(c, k) || c->due[c->size + k] <= c->now.t + h) {
      rest_serve(c, k, h);
    }
  }
}
