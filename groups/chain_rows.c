/* Rows are evaluated as those of any group (classic_rows.c): in batches, of which only the part
 * that is asked for is run, those of a shape of its own one by one. A partial derivative goes to
 * its place in the band, one by an input is kept with its row. */
#include "chain_rows.h"

#include "base/tape.h"
#include "equations/chain.h"
#include "numerics/poly.h"

#include <string.h>

#define FEW   8U          /* rows that are as quick one by one */
#define INPUT 0x80000000U /* Entry.to: the outer slot behind it */

/* Of the partial derivatives of a row. */
typedef struct {
  guint32 partial; /* of all */
  guint32 to;      /* column of the band, or an input */
} Entry;

struct HyChainRows {
  HyClassic *g;
  guint n, width, columns;
  guint32 *order, *place;
  guint32 *slot;      /* [n] by order: of the members */
  HyBatches *batches; /* by order */
  guint32 *first;     /* [n + 1]: ENTRY of each row */
  Entry *entry;
  double *partial; /* those of batches first, then of rows that are alone */
  double *a;       /* [n][columns] */
  guint8 *fed;     /* [n]: reads an input */
  gboolean linear;
};

const guint32 *hy_chain_order(const HyChainRows *c)
{
  return c->order;
}

guint32 hy_chain_place(const HyChainRows *c, guint32 member)
{
  return c->place[member];
}

guint hy_chain_width(const HyChainRows *c)
{
  return c->width;
}

gboolean hy_chain_is_linear(const HyChainRows *c)
{
  return c->linear;
}

const guint8 *hy_chain_fed(const HyChainRows *c)
{
  return c->fed;
}

const double *hy_chain_row(const HyChainRows *c, guint k)
{
  return c->a + (gsize)k * c->columns;
}

HyBanded hy_chain_banded(const HyChainRows *c, guint first, guint end)
{
  return (HyBanded){(int)(end - first), (int)c->width, (int)c->width, hy_chain_row(c, first)};
}

/* Making -------------------------------------------------------------------------------------- */

static HyRunRow *chain_run_row(const HyChainRows *c, guint k)
{
  return &c->g->room->run[hy_classic_row(c->g, c->order[k])];
}

gboolean hy_chain_turns(const HyChainRows *c, guint k)
{
  return c->linear && chain_run_row(c, k)->shape->n_flags > 0;
}

/* All partial derivatives: the row by order, the slot of that row, and where it stands in PARTIAL
 * follows from its place. */
static HyPartial *chain_entries(HyChainRows *c, guint *n)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(HyPartial));
  const HyPartial *together = hy_batches_entries(c->batches, n);
  g_array_append_vals(all, together, *n);
  guint alone;
  const guint32 *k = hy_batches_alone(c->batches, &alone);
  for (guint j = 0; j < alone; j++) {
    for (guint32 slot = 0; slot < chain_run_row(c, k[j])->n_slots; slot++) {
      HyPartial p = {k[j], slot};
      g_array_append_val(all, p);
    }
  }
  *n = all->len;
  return (HyPartial *)(gpointer)g_array_free(all, FALSE);
}

static guint32 chain_to(const HyChainRows *c, const HyPartial *p)
{
  guint slot = chain_run_row(c, p->row)->slot[p->slot];
  guint32 i = hy_classic_place(c->g, slot);
  return i == HY_NO_PLACE ? INPUT | hy_classic_outer(c->g, slot) : c->place[i] + c->width - p->row;
}

static void chain_find_entries(HyChainRows *c)
{
  guint n;
  g_autofree HyPartial *p = chain_entries(c, &n);
  c->first = g_new0(guint32, (gsize)c->n + 2);
  c->entry = g_new0(Entry, (gsize)n + 1);
  c->partial = g_new0(double, (gsize)n + 1);
  c->fed = g_new0(guint8, (gsize)c->n + 1);
  for (guint k = 0; k < n; k++) {
    c->first[p[k].row + 2]++;
  }
  for (guint k = 2; k <= c->n; k++) {
    c->first[k] += c->first[k - 1];
  }
  for (guint32 k = 0; k < n; k++) {
    guint32 to = chain_to(c, &p[k]);
    c->entry[c->first[p[k].row + 1]++] = (Entry){k, to};
    c->fed[p[k].row] |= to >= INPUT;
  }
}

HyChainRows *hy_chain_rows_new(HyClassic *g, guint widest)
{
  HyChainRows *c = g_new0(HyChainRows, 1);
  c->g = g;
  c->n = g->n;
  c->order = g_new0(guint32, (gsize)g->n + 1);
  if (!hy_room_chain_order(g->room, g->state, g->n, widest, c->order, &c->width)) {
    g_clear_pointer(&c, hy_chain_rows_free);
    return NULL;
  }
  c->width = MAX(c->width, 1U);
  c->columns = 2 * c->width + 1;
  c->place = g_new0(guint32, (gsize)g->n + 1);
  c->slot = g_new0(guint32, (gsize)g->n + 1);
  g_autofree guint32 *row = g_new0(guint32, (gsize)g->n + 1);
  c->linear = TRUE;
  for (guint32 k = 0; k < g->n; k++) {
    c->place[c->order[k]] = k;
    c->slot[k] = g->rows.slot[c->order[k]];
    row[k] = hy_classic_row(g, c->order[k]);
    c->linear &= g->room->run[row[k]].linear;
  }
  c->batches = hy_batches_new(g->room, row, g->n);
  c->a = g_new0(double, (gsize)g->n * c->columns);
  chain_find_entries(c);
  return c;
}

void hy_chain_rows_free(HyChainRows *c)
{
  if (c != NULL) {
    hy_batches_free(c->batches);
    g_free(c->order);
    g_free(c->place);
    g_free(c->slot);
    g_free(c->first);
    g_free(c->entry);
    g_free(c->partial);
    g_free(c->fed);
    g_free(c->a);
    g_free(c);
  }
}

/* Evaluating ---------------------------------------------------------------------------------- */

static gboolean chain_reads_inputs(const HyChainRows *c, guint first, guint end)
{
  return end == first + 1 ? c->fed[first] : memchr(c->fed + first, TRUE, end - first) != NULL;
}

/* What the rows from FIRST up to END read. */
static double *chain_set(HyChainRows *c, guint first, guint end, double t, const double *x)
{
  double *at = c->g->rows.at;
  guint last = MIN(c->n, end + c->width);
  for (guint k = first > c->width ? first - c->width : 0; k < last; k++) {
    at[c->slot[k]] = x[k];
  }
  if (chain_reads_inputs(c, first, end)) {
    hy_classic_set_outer(c->g, t);
  }
  return at;
}

/* The first of the rows that are alone, in order, from K on. */
static guint chain_first_alone(const guint32 *alone, guint n, guint32 k)
{
  guint low = 0;
  while (low < n) {
    guint middle = low + (n - low) / 2;
    if (alone[middle] < k) {
      low = middle + 1;
    } else {
      n = middle;
    }
  }
  return low;
}

static void chain_row_value(HyChainRows *c, guint k, double *f)
{
  f[k] = hy_classic_row_value(c->g, hy_classic_row(c->g, c->order[k]));
}

/* The same bits, whichever way. */
void hy_chain_f(HyChainRows *c, guint first, guint end, double t, const double *x, double *f)
{
  double *at = chain_set(c, first, end, t, x);
  guint n;
  if (end - first <= FEW) {
    for (guint k = first; k < end; k++) {
      chain_row_value(c, k, f);
    }
    return;
  }
  hy_batches_values_of(c->batches, first, end, at, f);
  const guint32 *alone = hy_batches_alone(c->batches, &n);
  for (guint j = chain_first_alone(alone, n, first); j < n && alone[j] < end; j++) {
    chain_row_value(c, alone[j], f);
  }
}

/* The partial derivatives of K, which its entries have in the order of its slots. */
static void chain_row_partials(HyChainRows *c, guint k)
{
  const double *partial = hy_classic_row_gradient(c->g, hy_classic_row(c->g, c->order[k]));
  for (const Entry *e = c->entry + c->first[k]; e < c->entry + c->first[k + 1]; e++) {
    c->partial[e->partial] = *partial++;
  }
}

static void chain_find_partials(HyChainRows *c, guint first, guint end, double *at)
{
  guint n;
  if (end - first <= FEW) {
    for (guint k = first; k < end; k++) {
      chain_row_partials(c, k);
    }
    return;
  }
  hy_batches_partials_of(c->batches, first, end, at, c->partial);
  const guint32 *alone = hy_batches_alone(c->batches, &n);
  for (guint j = chain_first_alone(alone, n, first); j < n && alone[j] < end; j++) {
    chain_row_partials(c, alone[j]);
  }
}

void hy_chain_put(HyChainRows *c, guint first, guint end, double t, const double *x)
{
  chain_find_partials(c, first, end, chain_set(c, first, end, t, x));
  memset(c->a + (gsize)first * c->columns, 0, (gsize)(end - first) * c->columns * sizeof *c->a);
  for (guint k = first; k < end; k++) {
    double *row = c->a + (gsize)k * c->columns;
    for (const Entry *e = c->entry + c->first[k]; e < c->entry + c->first[k + 1]; e++) {
      if (e->to < INPUT) {
        row[e->to] += c->partial[e->partial];
      }
    }
  }
}

/* Those of linear rows stay until a mode turns. */
void hy_chain_rows_tape(HyChainRows *c, HyTape *tape)
{
  if (c->linear) {
    HY_TAPE_ARRAY(tape, c->a, (gsize)c->n * c->columns);
    HY_TAPE_ARRAY(tape, c->partial, c->first[c->n]);
  }
}

double hy_chain_slope(const HyChainRows *c, guint k, double t)
{
  double sum = 0.0;
  if (!c->fed[k]) {
    return 0.0;
  }
  for (const Entry *e = c->entry + c->first[k]; e < c->entry + c->first[k + 1]; e++) {
    if (e->to >= INPUT) {
      sum += c->partial[e->partial] * hy_classic_input_slope(c->g, e->to - INPUT, t);
    }
  }
  return sum;
}
