/* Rows x' = f(q, u, modes) at an instant: values, partial derivatives, and the local model of a
 * state.
 *
 * A linear row is sum a_k q_k + a_0; its factors a_k are found anew only after a mode that it reads
 * has changed (`stale`). A nonlinear one runs its template's program on Taylor coefficients; n of
 * them are the piece, and the next one foresees how long it holds (`beyond`, numerics/validity.h).
 * A row in two parts (expr/split.c) is a sum and, beside it, the program of its curved part.
 *
 * Linearly implicit methods take x' = a q + u for the row of a state at its own step, a = df/dq of
 * the state itself (Migoni, Bortolotto, Kofman and Cellier: Linearly implicit quantization-based
 * integration methods for stiff ordinary differential equations). Through a hub h,
 * which has a row of its own, it is the chain rule: a = f_q + f_h h_q. */
#include "expr/lanes.h"
#include "members.h"
#include "row_curved.h"

#include <string.h>

/* Rows ---------------------------------------------------------------------------------------- */

const guint8 *hy_room_choices(HyRoom *room, const HyRunRow *row)
{
  guint n = row->shape->n_flags;
  guint8 *choice = (guint8 *)room->work.choice->data;
  for (guint k = 0; k < n; k++) {
    choice[k] = room->flag[row->flag[k]];
  }
  return choice;
}

static double *value_room(const HyRoom *room)
{
  return (double *)(gpointer)room->work.value->data;
}

static guint64 set_of_modes(const guint8 *choice, guint n)
{
  guint64 set = 0;
  for (guint k = 0; k < n; k++) {
    set |= (guint64)(choice[k] != 0) << k;
  }
  return set;
}

/* The place of a set in a table of 2^BITS; its multiplier is 2^64 divided by the golden ratio
 * (D. E. Knuth: The Art of Computer Programming, vol. 3, section 6.4). */
static inline gsize place_of_set(guint64 set, guint bits)
{
  return bits > 0 ? (gsize)((set * 0x9e3779b97f4a7c15U) >> (64U - bits)) : 0;
}

#define FIRST_BITS 2U

/* Twice as many places, where those who were in it are in it again. */
static void grow_kept(HyKeptFactors *kept, gsize size)
{
  HyKeptFactors was = *kept;
  gsize places = was.set != NULL ? (gsize)1 << was.bits : 0;
  kept->bits = places > 0 ? was.bits + 1 : FIRST_BITS;
  kept->set = g_new0(guint64, (gsize)1 << kept->bits);
  kept->coef = g_new(double, size << kept->bits);
  for (gsize k = 0; k < places; k++) {
    gsize to = was.set[k] != 0 ? place_of_set(was.set[k], kept->bits) : 0;
    if (was.set[k] != 0) {
      kept->set[to] = was.set[k];
      memcpy(kept->coef + to * size, was.coef + k * size, size * sizeof *was.coef);
    }
  }
  g_free(was.set);
  g_free(was.coef);
}

/* Those of a row that reads few modes, from what is kept of them. */
static void recall_coefficients(HyRoom *room, const HyRunRow *row, const guint8 *choice)
{
  HyKeptFactors *kept = &room->kept[row - room->run];
  gsize size = (gsize)row->n_sum + 1;
  guint64 set = 1 + set_of_modes(choice, row->shape->n_flags);
  gsize place = kept->set != NULL ? place_of_set(set, kept->bits) : 0;
  while (kept->set == NULL ||
         (kept->set[place] != 0 && kept->set[place] != set && (1U << kept->bits) < HY_KEPT_SETS)) {
    grow_kept(kept, size);
    place = place_of_set(set, kept->bits);
  }
  double *coef = kept->coef + place * size;
  if (kept->set[place] != set) {
    hy_template_coefficients(row->sum, row->number, choice, coef);
    kept->set[place] = set;
  }
  memcpy(row->coef, coef, size * sizeof *coef);
}

/* The factors of what is linear in a row, and what it is where all slots are 0. */
static G_GNUC_NO_INLINE void find_coefficients(HyRoom *room, HyRunRow *row)
{
  const guint8 *choice = hy_room_choices(room, row);
  if (row->shape->n_flags > 0 && row->shape->n_flags <= HY_KEPT_FLAGS) {
    recall_coefficients(room, row, choice);
  } else {
    hy_template_coefficients(row->sum, row->number, choice, row->coef);
  }
  row->stale = FALSE;
}

const double *hy_room_row_factors(HyRoom *room, HyRunRow *row)
{
  if (G_UNLIKELY(row->stale)) {
    find_coefficients(room, row);
  }
  return row->coef;
}

EACH_LANES slot_values(const HyRunRow *row, double t, double *value, const int n)
{
  for (guint k = 0; k < row->n_slots; k++) {
    const HyPiece *s = row->in[k];
    value[k] = hy_poly_at(s->c, n, t - s->t);
  }
}

double *hy_room_slot_values(HyRoom *room, const HyRunRow *row, double t)
{
  double *value = value_room(room);
  WITH_LANES(room->diagram.lanes, slot_values, row, t, value)
  return value;
}

double hy_room_row_bent(HyRoom *room, const HyRunRow *row, double t)
{
  HyTemplate *shape = row->bent;
  const HyProgram *p = hy_template_one(shape);
  double *value = value_room(room);
  for (guint k = 0; k < p->n_load; k++) {
    const HyPiece *s = row->in[p->load[k]];
    value[p->load[k]] = hy_poly_at(s->c, (int)room->diagram.lanes, t - s->t);
  }
  return hy_template_at(shape, value, row->number,
                        shape->n_flags > 0 ? hy_room_choices(room, row) : NULL);
}

/* Wide rows have all partials in one go, by the adjoint of their program. */
static double wide_partial(HyRoom *room, const HyRunRow *row, guint slot, double t)
{
  double *value = hy_room_slot_values(room, row, t), *gradient = value + row->n_slots;
  hy_template_gradient(row->shape, value, row->number, hy_room_choices(room, row), gradient);
  return gradient[slot];
}

/* Of others, one by one, as far as they are not linear: of the slots only those count that are read
 * by it, of a constant none. */
static double narrow_partial(HyRoom *room, const HyRunRow *row, guint slot, double t)
{
  HyTemplate *shape = row->bent;
  const HyProgram *p = hy_template_partial_program(shape, slot);
  if (G_UNLIKELY(p == NULL)) {
    return NAN;
  }
  HyReg *reg = shape->partial_reg[slot];
  int lanes = (int)room->diagram.lanes;
  for (guint k = 0; k < p->n_load; k++) {
    guint in = p->load[k];
    const HyPiece *s = in < row->n_slots ? row->in[in] : NULL;
    reg[in][0] = s != NULL ? hy_poly_at(s->c, lanes, t - s->t) : row->number[in - row->n_slots];
  }
  return hy_template_partial_run(shape, slot,
                                 shape->n_flags > 0 ? hy_room_choices(room, row) : NULL);
}

static double nonlinear_partial(HyRoom *room, HyRunRow *row, guint slot, double t)
{
  const HyTemplate *shape = row->shape;
  gboolean bends = row->sum == NULL || shape->bends[slot];
  if (G_UNLIKELY(bends && row->bent->value->n_load > HY_WIDE)) {
    return wide_partial(room, row, slot, t);
  }
  if (row->sum == NULL) {
    return narrow_partial(room, row, slot, t);
  }
  guint place = shape->straight_place[slot];
  double a = place != HY_NO_SLOT ? hy_room_row_factors(room, row)[place] : 0.0;
  return bends ? a + narrow_partial(room, row, slot, t) : a;
}

double hy_room_row_partial(HyRoom *room, guint32 row, guint slot, double t)
{
  HyRunRow *r = &room->run[row];
  return r->linear ? hy_room_row_factors(room, r)[slot] : nonlinear_partial(room, r, slot, t);
}

/* Of a linear row, all coefficients at once. */
EACH_LANES sum_slots(const HyRunRow *row, double t, double *c, const int n)
{
  for (int i = n; i < 4; i++) {
    c[i] = 0.0;
  }
  if (G_UNLIKELY(!hy_row_sum(row->coef, row->in, row->n_slots, t, c, n))) {
    hy_row_careful_sum(row->coef, row->in, row->n_slots, t, c, n);
  }
}

EACH_LANES load_further(const HyRunRow *row, double t, const int n)
{
  hy_row_load(row, row->bent->further.reg, t, n);
}

double hy_room_row_further(HyRoom *room, const HyRunRow *row, double t)
{
  HyTemplate *shape = row->bent;
  guint n = room->diagram.lanes;
  hy_template_go_further(shape);
  WITH_LANES(n, load_further, row, t)
  return hy_template_run_further(shape, row->number,
                                 shape->n_flags > 0 ? hy_room_choices(room, row) : NULL)[n + 1];
}

void hy_room_run_bent(HyRoom *room, const HyRunRow *row)
{
  HyTemplate *shape = row->bent;
  hy_template_run(shape, row->number, shape->n_flags > 0 ? hy_room_choices(room, row) : NULL);
}

void hy_row_end_piece(double *c)
{
  guint k = 0;
  while (k < 4 && isfinite(c[k])) {
    k++;
  }
  for (; k > 0 && k < 4; k++) {
    c[k] = 0.0;
  }
}

static G_GNUC_NO_INLINE void nonlinear_row(HyRoom *room, HyRunRow *r, double t, double *c)
{
  WITH_LANES(room->diagram.lanes, hy_row_curved, room, r, t, c)
}

static inline void linear_row(HyRoom *room, HyRunRow *r, double t, double *c)
{
  if (G_UNLIKELY(r->stale)) {
    find_coefficients(room, r);
  }
  WITH_LANES(room->diagram.lanes, sum_slots, r, t, c)
}

void hy_room_row_value(HyRoom *room, guint32 row, double t, double *c)
{
  HyRunRow *r = &room->run[row];
  room->count.evaluations++;
  if (r->linear) {
    linear_row(room, r, t, c);
  } else {
    nonlinear_row(room, r, t, c);
  }
}

void hy_room_row_sum(HyRoom *room, guint32 row, double t, double *c)
{
  linear_row(room, &room->run[row], t, c);
}

/* States -------------------------------------------------------------------------------------- */

/* d hub/d q by the chain rule; hubs of hubs are few deep (rows.c). */
static double hub_partial(HyRoom *room, const HyHub *hub, guint q, double t);

/* d row/d q as far as it goes through hubs. */
static double through_hubs(HyRoom *room, guint32 row, guint q, double t)
{
  const guint32 *slot = hy_row_slots(&room->rows, row);
  double sum = 0.0;
  for (guint k = 0; k < hy_row_template(&room->rows, row)->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, slot[k]);
    double by_q = hub != NULL ? hub_partial(room, hub, q, t) : 0.0;
    sum += by_q != 0.0 ? hy_room_row_partial(room, row, k, t) * by_q : 0.0;
  }
  return sum;
}

static double hub_partial(HyRoom *room, const HyHub *hub, guint q, double t)
{
  guint place = hy_rows_hub_place(&room->rows, hub, q);
  double direct = place != HY_NO_SLOT ? hy_room_row_partial(room, hub->row, place, t) : 0.0;
  return hub->depth > 1 ? direct + through_hubs(room, hub->row, q, t) : direct;
}

gboolean hy_room_reads_hubs(const HyRoom *room, guint32 row)
{
  gboolean reads = FALSE;
  for (guint k = 0; room->rows.hub->len > 0 && k < hy_row_template(&room->rows, row)->n_slots;
       k++) {
    reads |= hy_rows_hub(&room->rows, hy_row_slots(&room->rows, row)[k]) != NULL;
  }
  return reads;
}

/* What lambda and dint of one own step ask for is the same: nothing has been said in between. */
const HyLocalRow *hy_room_local(HyRoom *room, guint state, double t)
{
  HyLocalRow *l = &room->local;
  if (l->state == state && l->t == t && l->words == room->words) {
    return l;
  }
  guint32 row = hy_room_state(room, state)->row;
  const HyTemplate *shape = room->run[row].shape;
  gboolean hubs = hy_room_reads_hubs(room, row); /* what a hub is made of need not be linear */
  l->fresh = room->set.refresh && (shape->degree == HY_NONLINEAR || hubs);
  l->a = shape->self == HY_NO_SLOT ? 0.0 : hy_room_row_partial(room, row, shape->self, t);
  if (hubs) {
    guint q = room->diagram.flat->first_out[hy_room_state(room, state)->atomic];
    l->a += through_hubs(room, row, q, t);
  }
  room->count.partials++;
  if (l->fresh) {
    hy_room_row_value(room, row, t, l->dx);
  }
  l->state = state;
  l->t = t;
  l->words = room->words;
  return l;
}

void hy_room_localize(HyRoom *room, guint state, double t, HyQState *v)
{
  int n = hy_room_state(room, state)->member->quantizer->order;
  if (v->pieces < n || !room->set.exact || !room->derived ||
      hy_room_state(room, state)->row == HY_NO_ROW) {
    return;
  }
  const HyLocalRow *l = hy_room_local(room, state, t);
  v->learn = !isfinite(l->a);
  v->a = isfinite(l->a) ? l->a : v->a;
  if (l->fresh && hy_poly_finite(l->dx, n)) {
    hy_qstate_refresh(v, t, n, l->dx);
  }
}
