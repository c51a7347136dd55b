/* The equations of a group, at states that are not said yet: on the value lane, all rows at once or
 * one of them. */
#include "classic_internal.h"

#include "numerics/poly.h"

#include <math.h>
#include <string.h>

/* Making -------------------------------------------------------------------------------------- */

static void add_row(HyClassic *g, GArray *outer, guint32 row);

/* A hub comes after those that it is made of. */
static void add_hub(HyClassic *g, GArray *outer, const HyHub *hub)
{
  for (guint k = 0; k < g->hub->len; k++) {
    if (g_array_index(g->hub, const HyHub *, k) == hub) {
      return;
    }
  }
  add_row(g, outer, hub->row);
  g_array_append_val(g->hub, hub);
}

static void add_row(HyClassic *g, GArray *outer, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 slot = r->slot[k];
    const HyHub *hub = hy_rows_hub(&g->room->rows, slot);
    if (hub != NULL) {
      add_hub(g, outer, hub);
    } else if (g->place[slot] == HY_NO_PLACE && g->outer_of[slot] == HY_NO_PLACE) {
      g->outer_of[slot] = outer->len;
      g_array_append_val(outer, slot);
    }
  }
}

static guint widest(const HyRoom *room)
{
  guint n = 0;
  for (guint r = 0; r < room->rows.rows->len; r++) {
    n = MAX(n, MAX(room->run[r].n_slots, room->run[r].shape->n_flags));
  }
  return n;
}

void hy_classic_rows_init(HyClassic *g)
{
  const HyFlat *flat = g->room->diagram.flat;
  gsize slots = flat->first_out[flat->n], wide = widest(g->room);
  g->place = g_new(guint32, slots + 1);
  g->outer_of = g_new(guint32, slots + 1);
  memset(g->place, 0xff, slots * sizeof *g->place);
  memset(g->outer_of, 0xff, slots * sizeof *g->outer_of);
  for (guint i = 0; i < g->n; i++) {
    g->place[flat->first_out[hy_room_state(g->room, g->state[i])->atomic]] = i;
  }
  GArray *outer = g_array_new(FALSE, FALSE, sizeof(guint32));
  g->hub = g_array_new(FALSE, FALSE, sizeof(const HyHub *));
  for (guint i = 0; i < g->n; i++) {
    add_row(g, outer, hy_classic_row(g, i));
  }
  g->n_outer = outer->len;
  g->outer = (guint32 *)(gpointer)g_array_free(outer, FALSE);
  g->assumed = g_new0(HyPiece, (gsize)g->n_outer + 1);
  g->n_flags = g->room->first_flag[flat->n];
  g->flag = g_new0(guint8, (gsize)g->n_flags + 1);
  g->at = g_new0(double, slots + 1);
  g->value = g_new0(double, 2 * wide + 2);
  g->factors = g_new0(double, wide + 2);
  g->choice = g_new0(guint8, wide + 1);
}

void hy_classic_rows_clear(HyClassic *g)
{
  g_free(g->place);
  g_free(g->outer_of);
  g_free(g->outer);
  g_clear_pointer(&g->hub, g_array_unref);
  g_free(g->assumed);
  g_free(g->flag);
  g_free(g->at);
  g_free(g->value);
  g_free(g->factors);
  g_free(g->choice);
}

void hy_classic_assume(HyClassic *g)
{
  for (guint k = 0; k < g->n_outer; k++) {
    g->assumed[k] = g->room->signal[g->outer[k]];
  }
  memcpy(g->flag, g->room->flag, g->n_flags);
}

/* One row ------------------------------------------------------------------------------------- */

static double piece_at(const HyClassic *g, const HyPiece *p, double t)
{
  return hy_poly_at(p->c, (int)g->room->diagram.lanes, t - p->t);
}

static double factored(const double *a, const HyRunRow *r, const double *value)
{
  double sum = a[r->n_slots];
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] * value[k];
  }
  return sum;
}

static const guint8 *choices(HyClassic *g, const HyRunRow *r, const guint8 *flag)
{
  for (guint k = 0; k < r->shape->n_flags; k++) {
    g->choice[k] = flag[r->flag[k]];
  }
  return g->choice;
}

/* With the values of its slots. */
static double evaluate(HyClassic *g, HyRunRow *r, const double *value, const guint8 *flag)
{
  if (!r->linear) {
    return hy_template_at(r->shape, value, r->number, choices(g, r, flag));
  }
  gboolean same = TRUE;
  for (guint k = 0; k < r->shape->n_flags; k++) {
    same &= flag[r->flag[k]] == g->room->flag[r->flag[k]];
  }
  if (same) {
    return factored(hy_room_row_factors(g->room, r), r, value);
  }
  hy_template_coefficients(r->shape, r->number, choices(g, r, flag), g->factors);
  return factored(g->factors, r, value);
}

typedef struct {
  double t;
  gboolean assumed;
} View;

static double row_at(HyClassic *g, HyRunRow *r, const View *view);

static double slot_at(HyClassic *g, guint slot, const View *view)
{
  guint32 i = g->place[slot];
  if (i != HY_NO_PLACE) {
    return view->t == g->t1 ? g->z[i] + g->offset[i]
                            : hy_qstate_x(hy_classic_member(g, i)->v, view->t);
  }
  guint k = g->outer_of[slot];
  if (k != HY_NO_PLACE) {
    return piece_at(g, view->assumed ? &g->assumed[k] : &g->room->signal[slot], view->t);
  }
  return row_at(g, &g->room->run[hy_rows_hub(&g->room->rows, slot)->row], view);
}

static double row_at(HyClassic *g, HyRunRow *r, const View *view)
{
  double few[16] = {0.0};
  double *value = r->n_slots <= G_N_ELEMENTS(few) ? few : g_new(double, r->n_slots);
  for (guint k = 0; k < r->n_slots; k++) {
    value[k] = slot_at(g, r->slot[k], view);
  }
  double f = evaluate(g, r, value, view->assumed ? g->flag : g->room->flag);
  if (value != few) {
    g_free(value);
  }
  return f;
}

double hy_classic_row_at(HyClassic *g, guint i, double t, gboolean assumed)
{
  View view = {t, assumed};
  return row_at(g, &g->room->run[hy_classic_row(g, i)], &view);
}

/* All rows ------------------------------------------------------------------------------------ */

static const double *gather(HyClassic *g, const HyRunRow *r)
{
  for (guint k = 0; k < r->n_slots; k++) {
    g->value[k] = g->at[r->slot[k]];
  }
  return g->value;
}

static double from_at(HyClassic *g, guint32 row)
{
  HyRunRow *r = &g->room->run[row];
  if (!r->linear) {
    const guint8 *choice = choices(g, r, g->room->flag);
    return hy_template_at(r->shape, gather(g, r), r->number, choice);
  }
  const double *a = hy_room_row_factors(g->room, r);
  double sum = a[r->n_slots];
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] * g->at[r->slot[k]];
  }
  return sum;
}

void hy_classic_set(HyClassic *g, double t, const double *y)
{
  const HyFlat *flat = g->room->diagram.flat;
  for (guint i = 0; i < g->n; i++) {
    g->at[flat->first_out[hy_room_state(g->room, g->state[i])->atomic]] = y[i] + g->offset[i];
  }
  for (guint k = 0; k < g->n_outer; k++) {
    g->at[g->outer[k]] = piece_at(g, &g->assumed[k], t);
  }
  for (guint k = 0; k < g->hub->len; k++) {
    const HyHub *hub = g_array_index(g->hub, const HyHub *, k);
    g->at[hub->slot] = from_at(g, hub->row);
  }
}

gboolean hy_classic_rhs(HyClassic *g, double t, const double *y, double *dy)
{
  hy_classic_set(g, t, y);
  double sum = 0.0;
  for (guint i = 0; i < g->n; i++) {
    dy[i] = from_at(g, hy_classic_row(g, i));
    sum += dy[i] - dy[i]; /* NaN where one is not finite */
  }
  return sum == 0.0;
}

const double *hy_classic_gradient(HyClassic *g, guint i)
{
  HyRunRow *r = &g->room->run[hy_classic_row(g, i)];
  if (r->linear) {
    return hy_room_row_factors(g->room, r);
  }
  const double *value = gather(g, r);
  const guint8 *choice = choices(g, r, g->room->flag);
  double *partial = g->value + r->n_slots;
  if (r->n_slots > HY_WIDE) {
    hy_template_gradient(r->shape, value, r->number, choice, partial);
    return partial;
  }
  for (guint k = 0; k < r->n_slots; k++) {
    partial[k] = hy_template_partial(r->shape, k, value, r->number, choice);
  }
  return partial;
}
