/* Which cells of a chain move, in runs of them, and those that rest beside these. Formulas:
 * classic_chain.c. */
#include "chain_cells.h"

#include <math.h>

#define SOON 2.0 /* steps: beside a front that comes to them within these cells move at once */

static int windows_by_first(gconstpointer a, gconstpointer b)
{
  const HyWindow *x = a, *y = b;
  return (x->first > y->first) - (x->first < y->first);
}

/* Runs of those that move between FIRST and END. Two that read each other are one, and what is
 * between them moves. */
static void windows_find_runs(HyChain *c, guint first, guint end)
{
  for (guint k = first; k < end; k++) {
    if (!c->cell[k].moves) {
      continue;
    }
    HyWindow *last =
        c->window->len > 0 ? &g_array_index(c->window, HyWindow, c->window->len - 1) : NULL;
    if (last != NULL && k < last->end + c->width) {
      for (; last->end <= k; last->end++) {
        hy_chain_wake(c, last->end);
      }
    } else {
      HyWindow run = {k, k + 1};
      g_array_append_val(c->window, run);
    }
  }
}

/* From those that there were, and what is woken. */
void hy_chain_find_windows(HyChain *c)
{
  if (!c->now.dirty) {
    return;
  }
  g_autoptr(GArray) old = g_array_copy(c->window);
  for (guint k = 0; k < c->woken->len; k++) {
    guint32 cell = g_array_index(c->woken, guint32, k);
    HyWindow run = {cell, cell + 1};
    g_array_append_val(old, run);
  }
  g_array_set_size(c->woken, 0);
  g_array_set_size(c->window, 0);
  g_array_sort(old, windows_by_first);
  guint from = 0;
  for (guint k = 0; k < old->len; k++) {
    HyWindow run = g_array_index(old, HyWindow, k);
    windows_find_runs(c, MAX(run.first, from), run.end);
    from = MAX(from, run.end);
  }
  g_array_set_size(c->woken, 0);
  c->now.dirty = FALSE;
}

/* Beside them -----------------------------------------------------------------------------------
 */

/* Values of FIRST .. END and beside them, PART of the step of H from now: in its middle those that
 * move at their q, which they are solved with; else x. */
void hy_chain_set_values(HyChain *c, guint first, guint end, double h, double part)
{
  guint last = hy_chain_after(c, end);
  for (guint k = hy_chain_before(c, first); k < last; k++) {
    const HyCell *cell = &c->cell[k];
    double by = part == 1.0 ? creal(c->w[k]) : 0.5 * (creal(c->w[k]) - cimag(c->w[k]));
    c->value[k] = !cell->moves  ? hy_cell_y(cell, c->now.t + part * h)
                  : part == 0.0 ? cell->x
                                : cell->x + h * by;
  }
}

/* x - y of those beside what has moved, at T in the step that stands. */
void hy_chain_take_edges(HyChain *c, double t)
{
  const HyClassic *g = c->g;
  double part = t < g->t1 ? (t - g->t0) / (g->t1 - g->t0) : 1.0;
  for (guint j = 0; j < c->edge->len; j++) {
    HyEdge *edge = &g_array_index(c->edge, HyEdge, j);
    HyCell *cell = &c->cell[edge->cell];
    double before = hy_cell_e(cell, g->t0), by = part * (edge->e - before);
    edge->e = cell->e = before + by;
    cell->since = t;
    cell->d = t > g->t0 ? by / (t - g->t0) : cell->d;
    cell->dd = 0.0;
    hy_chain_set_due(c, edge->cell, INFINITY); /* of itself, while those beside it move */
  }
}

/* From K on, outwards, BY cells that rest move. */
static void windows_widen(HyChain *c, guint k, gboolean up, guint by)
{
  for (guint m = 0; m < by && (up ? k + m < c->n : m <= k); m++) {
    hy_chain_wake(c, up ? k + m : k - m);
  }
}

/* Beside a front that comes to them they move before they have to. */
void hy_chain_widen_edges(HyChain *c)
{
  double soon = c->now.t + SOON * c->now.h;
  for (guint j = 0; j < c->edge->len; j++) {
    guint32 k = g_array_index(c->edge, HyEdge, j).cell;
    HyCell *cell = &c->cell[k];
    cell->edge = FALSE;
    if (!cell->moves && !(fabs(hy_cell_e(cell, soon)) <= hy_chain_bound(cell))) {
      windows_widen(c, k, k > 0 && c->cell[k - 1].moves, (guint)c->now.margin);
    }
  }
  g_array_set_size(c->edge, 0);
}

/* K rests, beside what moves: what the step of H makes of it. FALSE: too much. */
static gboolean windows_bears(HyChain *c, guint32 k, double h)
{
  HyCell *cell = &c->cell[k];
  double middle = c->now.t + 0.5 * h;
  double before = cell->since == c->now.t ? cell->e : hy_cell_e(cell, c->now.t);
  double e = before + h * (c->f_rest[k] - hy_cell_slope(cell, middle));
  HyEdge edge = {k, e};
  if (!(fabs(e) <= hy_chain_bound(cell))) {
    return FALSE;
  }
  if (!cell->edge) {
    cell->edge = TRUE;
    g_array_append_val(c->edge, edge);
  }
  return TRUE;
}

/* FIRST .. END, on one side of a window; TRUE: all of them may rest. */
static gboolean windows_bear(HyChain *c, guint first, guint end, double h, gboolean up, guint by)
{
  gboolean all = TRUE;
  if (first >= end) {
    return TRUE;
  }
  hy_chain_set_values(c, first, end, h, 0.5);
  hy_chain_f(c->rows, first, end, c->now.t + 0.5 * h, c->value, c->f_rest);
  c->now.evaluated += end - first;
  for (guint32 m = 0; m < end - first; m++) {
    guint32 k = up ? first + m : end - 1 - m;
    if (!c->cell[k].moves && !windows_bears(c, k, h)) {
      windows_widen(c, k, up, by);
      all = FALSE;
    }
  }
  return all;
}

/* Those beside what moves. FALSE: more of them move now. */
gboolean hy_chain_bear(HyChain *c, double h, guint by)
{
  gboolean all = TRUE;
  for (guint j = 0; j < c->edge->len; j++) {
    c->cell[g_array_index(c->edge, HyEdge, j).cell].edge = FALSE;
  }
  g_array_set_size(c->edge, 0);
  for (guint j = 0; j < c->window->len; j++) {
    HyWindow run = g_array_index(c->window, HyWindow, j);
    all = windows_bear(c, hy_chain_before(c, run.first), run.first, h, FALSE, by) && all;
    all = windows_bear(c, run.end, hy_chain_after(c, run.end), h, TRUE, by) && all;
  }
  return all;
}
