/* The equations of a group, at states that are not said yet: on the value lane, all rows at once
 * or one of them.
 *
 * f(t, y) is evaluated in three steps: members to their slots (y, and the offset of each), outer
 * slots from their pieces as they were assumed when the step began, moved to t; then hubs, each
 * after those it is made of; then rows, in batches, jointly or singly, whichever their template
 * calls for. All three ways give the same bits.
 *
 * One row alone is evaluated for the effect of an input (classic_effects.c), with the inputs as
 * they are or as they were assumed. */
#include "classic_internal.h"

#include "numerics/poly.h"
#include "numerics/sine.h"

#include <math.h>
#include <string.h>

#define BESIDE 1e-2 /* of a tolerance: where an iteration takes partials */

/* Making -------------------------------------------------------------------------------------- */

/* What the rows of a group read, while it is found. */
typedef struct {
  GHashTable *outer, *flags; /* GUINT_TO_POINTER(number + 1) */
} Read;

static void add_row(HyClassic *g, Read *read, guint32 row);

/* A hub comes after those that it is made of. */
static void add_hub(HyClassic *g, Read *read, const HyHub *hub)
{
  for (guint k = 0; k < g->rows.hub->len; k++) {
    if (g_array_index(g->rows.hub, const HyHub *, k) == hub) {
      return;
    }
  }
  add_row(g, read, hub->row);
  g_array_append_val(g->rows.hub, hub);
}

static void add_row(HyClassic *g, Read *read, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  for (guint k = 0; k < r->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    if (hub != NULL) {
      add_hub(g, read, hub);
    } else if (hy_classic_place(g, r->slot[k]) == HY_NO_PLACE) {
      g_hash_table_add(read->outer, GUINT_TO_POINTER(r->slot[k] + 1));
    }
  }
  for (guint k = 0; k < r->shape->n_flags; k++) {
    g_hash_table_add(read->flags, GUINT_TO_POINTER(r->flag[k] + 1));
  }
}

static int rows_ascending(gconstpointer a, gconstpointer b)
{
  const guint32 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static guint32 *rows_sorted(GHashTable *set, guint *n)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
  GHashTableIter at;
  gpointer key;
  g_hash_table_iter_init(&at, set);
  while (g_hash_table_iter_next(&at, &key, NULL)) {
    guint32 number = GPOINTER_TO_UINT(key) - 1;
    g_array_append_val(list, number);
  }
  g_array_sort(list, rows_ascending);
  *n = list->len;
  g_hash_table_unref(set);
  return (guint32 *)(gpointer)g_array_free(list, FALSE);
}

static guint32 place_in(const guint32 *list, guint n, guint32 number)
{
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    *(list[middle] < number ? &low : &high) = list[middle] < number ? middle + 1 : middle;
  }
  return low < n && list[low] == number ? low : HY_NO_PLACE;
}

/* What decides the modes of the group is read by it, too. */
static void add_crossings(HyClassic *g, Read *read)
{
  for (guint k = 0; k < g->own.crossing->len; k++) {
    const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, k).owned;
    add_row(g, read, o->rises);
    add_row(g, read, o->falls);
    g_hash_table_add(read->flags, GUINT_TO_POINTER(o->flag + 1)); /* by which it is looked for */
  }
}

/* ASKED: those that are only asked, or the others. */
static void add_readings(HyClassic *g, Read *read, gboolean asked)
{
  for (guint k = 0; k < g->m; k++) {
    const HyReading *r = g->reading[k];
    if ((!r->spoken && !r->wakes) == asked) {
      add_row(g, read, r->row);
    }
  }
}

static void sort_reads(HyClassic *g, const Read *read)
{
  g_free(g->rows.outer);
  g_free(g->rows.flag);
  g->rows.outer = rows_sorted(g_hash_table_ref(read->outer), &g->rows.n_outer);
  g->rows.flag = rows_sorted(g_hash_table_ref(read->flags), &g->rows.n_flags);
}

/* So is what is watched, by the group of the first state. */
static void add_watched(HyClassic *g, Read *read)
{
  const GArray *watched = g->room->watched;
  for (guint k = 0; k < watched->len && g->state[0] == 0; k++) {
    guint32 row = g_array_index(watched, HyRoomWatched, k).row;
    if (row != HY_NO_ROW) {
      add_row(g, read, row);
    }
  }
}

gboolean hy_classic_was(const HyClassic *g, guint32 flag)
{
  return g->rows.was[place_in(g->rows.flag, g->rows.n_flags, flag)];
}

guint32 hy_classic_outer(const HyClassic *g, guint slot)
{
  return place_in(g->rows.outer, g->rows.n_outer, slot);
}

guint hy_classic_hub(const HyClassic *g, guint slot)
{
  const HyHub *hub = hy_rows_hub(&g->room->rows, slot);
  guint k = 0;
  while (k < g->rows.hub->len && g_array_index(g->rows.hub, const HyHub *, k) != hub) {
    k++;
  }
  return k;
}

guint32 hy_classic_number_of_row(const HyClassic *g, guint32 i)
{
  return i < g->n ? hy_classic_row(g, i) : g_array_index(g->rows.hub, const HyHub *, i - g->n)->row;
}

/* The most slots or flags that a row of the group, or a hub in it, has. */
static guint rows_widest(const HyClassic *g)
{
  guint n = 0;
  for (guint k = 0; k < g->n + g->rows.hub->len; k++) {
    const HyRunRow *r = &g->room->run[hy_classic_number_of_row(g, k)];
    n = MAX(n, MAX(r->n_slots, r->shape->n_flags));
  }
  for (guint k = 0; k < 2 * g->own.crossing->len; k++) {
    const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, k / 2).owned;
    const HyRunRow *r = &g->room->run[k % 2 == 0 ? o->rises : o->falls];
    n = MAX(n, MAX(r->n_slots, r->shape->n_flags));
  }
  for (guint k = 0; k < g->m; k++) {
    const HyRunRow *r = &g->room->run[g->reading[k]->row];
    n = MAX(n, MAX(r->n_slots, r->shape->n_flags));
  }
  for (guint k = 0; k < g->room->watched->len; k++) {
    guint32 row = g_array_index(g->room->watched, HyRoomWatched, k).row;
    const HyRunRow *r = row != HY_NO_ROW ? &g->room->run[row] : NULL;
    n = r != NULL ? MAX(n, MAX(r->n_slots, r->shape->n_flags)) : n;
  }
  return n;
}

/* Of rows that are alone in their shape, linear ones are a sum of few terms. */
static void find_joined(HyClassic *g)
{
  g_autoptr(GArray) row = g_array_new(FALSE, FALSE, sizeof(guint32));
  guint alone;
  const guint32 *i = hy_batches_alone(g->rows.batches, &alone);
  g->rows.joined = g_array_new(FALSE, FALSE, sizeof(guint32));
  g->rows.single = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint k = 0; k < alone; k++) {
    guint32 number = hy_classic_row(g, i[k]);
    if (g->room->run[number].linear) {
      g_array_append_val(g->rows.single, i[k]);
    } else {
      g_array_append_val(g->rows.joined, i[k]);
      g_array_append_val(row, number);
    }
  }
  g->rows.joint = hy_joint_new(g->room, (const guint32 *)(gpointer)row->data, row->len);
  if (g->rows.joint == NULL) {
    g_array_append_vals(g->rows.single, g->rows.joined->data, g->rows.joined->len);
    g_array_set_size(g->rows.joined, 0);
  }
  g->rows.derivative = g_new(double, (gsize)g->rows.joined->len + 1);
}

static void clear_shape(HyClassic *g)
{
  hy_batches_free(g->rows.batches);
  hy_joint_free(g->rows.joint);
  g_clear_pointer(&g->rows.joined, g_array_unref);
  g_clear_pointer(&g->rows.single, g_array_unref);
  g_free(g->rows.derivative);
}

void hy_classic_shape_rows(HyClassic *g)
{
  clear_shape(g);
  g->rows.batches = hy_batches_new(g->room, g->rows.row, g->n);
  find_joined(g);
  g_clear_pointer(&g->in.reader, g_array_unref);
  g->own.fastest = NAN;
  g->room->groups.valued = NULL;
}

/* What the rows read, and how they are evaluated: in batches, jointly, or one by one. */
void hy_classic_rows_init(HyClassic *g)
{
  guint32 *row = g->rows.row = g_new0(guint32, (gsize)g->n + 1);
  Read read = {g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL)};
  g->rows.hub = g_array_new(FALSE, FALSE, sizeof(const HyHub *));
  g->rows.slot = g_new(guint32, (gsize)g->n + 1);
  for (guint i = 0; i < g->n; i++) {
    g->rows.slot[i] = g->room->diagram.flat->first_out[hy_room_state(g->room, g->state[i])->atomic];
    row[i] = hy_room_state(g->room, g->state[i])->row;
    add_row(g, &read, row[i]);
  }
  hy_classic_find_crossings(g);
  add_crossings(g, &read);
  hy_classic_find_readings(g);
  hy_classic_find_meetings(g);
  add_readings(g, &read, FALSE);
  add_watched(g, &read);
  sort_reads(g, &read);
  hy_classic_find_sources(g);
  add_readings(g, &read, TRUE); /* no step ends for their sake */
  sort_reads(g, &read);
  g_hash_table_unref(read.outer);
  g_hash_table_unref(read.flags);
  g->rows.assumed = g_new0(HyPiece, (gsize)g->rows.n_outer + 1);
  g->rows.was = g_new0(guint8, (gsize)g->rows.n_flags + 1);
  hy_classic_find_sines(g);
  g->rows.at = g->room->groups.classic_value;
  hy_classic_shape_rows(g);
  hy_classic_rests_init(g);
  gsize wide = rows_widest(g);
  g->rows.value = g_new0(double, 2 * wide + 3);
  g->rows.factors = g_new0(double, wide + 2);
  g->rows.choice = g_new0(guint8, wide + 1);
}

void hy_classic_rows_clear(HyClassic *g)
{
  hy_classic_clear_crossings(g);
  clear_shape(g);
  g_free(g->rests.row);
  g_free(g->rows.slot);
  g_free(g->rows.row);
  g_free(g->rows.outer);
  g_clear_pointer(&g->rows.hub, g_array_unref);
  g_clear_pointer(&g->rows.source, g_array_unref);
  g_free(g->rows.assumed);
  g_free(g->rows.sine);
  g_free(g->rows.flag);
  g_free(g->rows.was);
  g_free(g->rows.value);
  g_free(g->rows.factors);
  g_free(g->rows.choice);
}

void hy_classic_assume(HyClassic *g)
{
  for (guint k = 0; k < g->rows.n_outer; k++) {
    guint32 place;
    const HyClassic *source = hy_multirate_source(g, g->rows.outer[k], &place);
    g->rows.assumed[k] = source != NULL ? hy_multirate_information(g, source, place, g->t1)
                                        : g->room->signal[g->rows.outer[k]];
  }
  for (guint k = 0; k < g->rows.n_flags; k++) {
    g->rows.was[k] = g->room->flag[g->rows.flag[k]];
  }
}

/* What is said again of a hub is what the group has computed itself, and of a sine what it knows.
 */
gboolean hy_classic_is_misled(const HyClassic *g)
{
  for (guint k = 0; k < g->rows.n_outer; k++) {
    const HyPiece *now = &g->room->signal[g->rows.outer[k]], *then = &g->rows.assumed[k];
    gboolean same = now->t == then->t;
    for (guint j = 0; j < G_N_ELEMENTS(now->c); j++) {
      same &= now->c[j] == then->c[j];
    }
    if (!same && hy_classic_sine(g, k) == NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

const HyPiece *hy_classic_assumed(const HyClassic *g, guint slot)
{
  return &g->rows.assumed[hy_classic_outer(g, slot)];
}

/* One row ------------------------------------------------------------------------------------- */

static double sine_at(const HySine *sine, double t)
{
  return sine->amplitude * sin(hy_sine_angle(sine->frequency, sine->phase, t)) + sine->offset;
}

double hy_classic_outer_value(const HyClassic *g, guint k, const HyPiece *p, double t)
{
  const HySine *sine = hy_classic_sine(g, k);
  return sine != NULL ? sine_at(sine, t) : hy_poly_at(p->c, (int)g->room->diagram.lanes, t - p->t);
}

double hy_classic_outer_slope(const HyClassic *g, guint k, const HyPiece *p, double t)
{
  const HySine *sine = hy_classic_sine(g, k);
  int lanes = (int)g->room->diagram.lanes;
  if (sine != NULL) {
    double w = HY_FULL_TURN * sine->frequency;
    return sine->amplitude * w * cos(hy_sine_angle(sine->frequency, sine->phase, t));
  }
  double s = t - p->t;
  return lanes > 1 ? p->c[1] + s * (2.0 * p->c[2] + s * 3.0 * p->c[3]) : 0.0;
}

double hy_classic_input_slope(const HyClassic *g, guint32 k, double t)
{
  const HyPiece *p = &g->rows.assumed[k];
  int lanes = (int)g->room->diagram.lanes;
  double c[G_N_ELEMENTS(p->c)];
  memcpy(c, p->c, sizeof c);
  hy_poly_shift(c, lanes, t - p->t);
  return lanes > 1 ? c[1] : 0.0;
}

static double rows_factored(const double *a, const HyRunRow *r, const double *value)
{
  double sum = a[r->n_slots];
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] * value[k];
  }
  return sum;
}

static const guint8 *rows_choices(HyClassic *g, const HyRunRow *r, gboolean assumed)
{
  for (guint k = 0; k < r->shape->n_flags; k++) {
    g->rows.choice[k] = assumed ? hy_classic_was(g, r->flag[k]) : g->room->flag[r->flag[k]];
  }
  return g->rows.choice;
}

/* With the values of its slots. */
static double rows_evaluate(HyClassic *g, HyRunRow *r, const double *value, gboolean assumed)
{
  const guint8 *choice = rows_choices(g, r, assumed);
  if (!r->linear) {
    return hy_template_at(r->shape, value, r->number, choice);
  }
  gboolean same = TRUE;
  for (guint k = 0; k < r->shape->n_flags; k++) {
    same &= choice[k] == g->room->flag[r->flag[k]];
  }
  if (same) {
    return rows_factored(hy_room_row_factors(g->room, r), r, value);
  }
  hy_template_coefficients(r->shape, r->number, choice, g->rows.factors);
  return rows_factored(g->rows.factors, r, value);
}

typedef struct {
  double t;
  HyTaking inputs;
} View;

static double row_at(HyClassic *g, HyRunRow *r, const View *view);

static double slot_at(HyClassic *g, guint slot, const View *view)
{
  guint32 i = hy_classic_place(g, slot);
  if (i != HY_NO_PLACE) {
    return view->t == g->t1 && g->stepper->pieces == NULL
               ? g->z[i] + g->offset[i]
               : hy_qstate_x(hy_classic_member(g, i)->v, view->t);
  }
  guint32 k = hy_classic_outer(g, slot);
  if (k != HY_NO_PLACE) {
    gboolean assumed = view->inputs != HY_INPUTS_NOW || hy_multirate_source(g, slot, &i) != NULL;
    return hy_classic_outer_value(g, k, assumed ? &g->rows.assumed[k] : &g->room->signal[slot],
                                  view->inputs == HY_INPUTS_HELD ? g->t0 : view->t);
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
  double f = rows_evaluate(g, r, value, view->inputs != HY_INPUTS_NOW);
  if (value != few) {
    g_free(value);
  }
  return f;
}

double hy_classic_row_at(HyClassic *g, guint i, double t, HyTaking inputs)
{
  View view = {t, inputs};
  return row_at(g, &g->room->run[hy_classic_row(g, i)], &view);
}

/* Of a linear row its factor; of another the partial at what its slots are at T. */
double hy_classic_self_partial(HyClassic *g, guint i, double t)
{
  HyRunRow *r = &g->room->run[hy_classic_row(g, i)];
  View view = {t, HY_INPUTS_NOW};
  guint self = r->shape->self;
  if (self == HY_NO_SLOT || r->linear) {
    return self == HY_NO_SLOT ? 0.0 : hy_room_row_factors(g->room, r)[self];
  }
  for (guint k = 0; k < r->n_slots; k++) {
    g->rows.value[k] = slot_at(g, r->slot[k], &view);
  }
  const guint8 *choice = rows_choices(g, r, FALSE);
  if (r->n_slots > HY_WIDE) {
    hy_template_gradient(r->shape, g->rows.value, r->number, choice, g->rows.value + r->n_slots);
    return g->rows.value[r->n_slots + self];
  }
  return hy_template_partial(r->shape, self, g->rows.value, r->number, choice);
}

/* All rows ------------------------------------------------------------------------------------ */

static const double *rows_gather(HyClassic *g, const HyRunRow *r)
{
  for (guint k = 0; k < r->n_slots; k++) {
    g->rows.value[k] = g->rows.at[r->slot[k]];
  }
  return g->rows.value;
}

/* A linear row with factors that are up to date. */
static inline double linear_at(const HyRunRow *r, const double *at)
{
  const double *a = r->coef;
  double sum = a[r->n_slots];
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] * at[r->slot[k]];
  }
  return sum;
}

static double from_at(HyClassic *g, guint32 row)
{
  HyRunRow *r = &g->room->run[row];
  if (G_UNLIKELY(g->rows.as_was)) {
    return rows_evaluate(g, r, rows_gather(g, r), TRUE);
  }
  if (!r->linear) {
    const guint8 *choice = rows_choices(g, r, FALSE);
    return hy_template_at(r->shape, rows_gather(g, r), r->number, choice);
  }
  if (r->stale) {
    hy_room_row_factors(g->room, r);
  }
  return linear_at(r, g->rows.at);
}

gboolean hy_classic_reads_hubs(const HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  guint k = 0;
  while (k < r->n_slots && hy_rows_hub(&g->room->rows, r->slot[k]) == NULL) {
    k++;
  }
  return k < r->n_slots;
}

void hy_classic_set_hubs(HyClassic *g)
{
  for (guint k = 0; k < g->rows.hub->len; k++) {
    const HyHub *hub = g_array_index(g->rows.hub, const HyHub *, k);
    g->rows.at[hub->slot] = from_at(g, hub->row);
  }
}

void hy_classic_set_outer(HyClassic *g, double t)
{
  g->room->groups.valued = NULL;
  for (guint k = 0; k < g->rows.n_outer; k++) {
    g->rows.at[g->rows.outer[k]] = hy_classic_outer_value(g, k, &g->rows.assumed[k], t);
  }
}

void hy_classic_set(HyClassic *g, double t, const double *y)
{
  for (guint i = 0; i < g->n; i++) {
    g->rows.at[g->rows.slot[i]] = y[i] + g->offset[i];
  }
  hy_classic_set_outer(g, t);
  if (g->rows.hub->len > 0) {
    hy_classic_set_hubs(g);
  }
}

void hy_classic_set_slots_now(HyClassic *g, double t, const double *y)
{
  g->room->groups.valued = NULL;
  for (guint i = 0; i < g->n; i++) {
    g->rows.at[g->rows.slot[i]] = y[i] + g->offset[i];
  }
  for (guint k = 0; k < g->rows.n_outer; k++) {
    g->rows.at[g->rows.outer[k]] =
        hy_classic_outer_value(g, k, &g->room->signal[g->rows.outer[k]], t);
  }
}

void hy_classic_set_now(HyClassic *g, double t, const double *y)
{
  hy_classic_set_slots_now(g, t, y);
  hy_classic_set_hubs(g);
}

double hy_classic_row_value(HyClassic *g, guint32 row)
{
  return from_at(g, row);
}

static void rows_together(HyClassic *g, double *dy)
{
  hy_batches_values(g->rows.batches, g->rows.at, dy);
  if (g->rows.joint != NULL) {
    hy_joint_values(g->rows.joint, g->rows.at, g->rows.derivative);
  }
  for (guint k = 0; k < g->rows.joined->len; k++) {
    dy[g_array_index(g->rows.joined, guint32, k)] = g->rows.derivative[k];
  }
}

/* With the flags as they are. */
static void many_rows(HyClassic *g, double *dy)
{
  const guint32 *single = (const guint32 *)(gpointer)g->rows.single->data;
  if (g->rows.single->len < g->n) {
    rows_together(g, dy);
  }
  for (guint k = 0; k < g->rows.single->len; k++) {
    guint32 i = single[k], row = hy_classic_row(g, i);
    const HyRunRow *r = &g->room->run[row];
    dy[i] = r->linear && !r->stale ? linear_at(r, g->rows.at) : from_at(g, row);
  }
}

gboolean hy_classic_rhs(HyClassic *g, double t, const double *y, double *dy)
{
  hy_classic_set(g, t, y);
  for (guint i = 0; i < g->n && g->rows.as_was; i++) {
    dy[i] = from_at(g, hy_classic_row(g, i));
  }
  if (!g->rows.as_was) { /* programs of many rows know the flags of now only */
    many_rows(g, dy);
  }
  return hy_columns_finite(g->n, dy);
}

guint hy_classic_entry_slot(const HyClassic *g, const HyPartial *entry)
{
  return g->room->run[hy_classic_number_of_row(g, entry->row)].slot[entry->slot];
}

const guint8 *hy_classic_choices(HyClassic *g, guint32 row)
{
  return rows_choices(g, &g->room->run[row], g->rows.as_was);
}

/* At what hy_classic_set() has put into the array of values. Factors of modes as they were are
 * computed for this step alone. */
const double *hy_classic_row_gradient(HyClassic *g, guint32 row)
{
  HyRunRow *r = &g->room->run[row];
  const guint8 *choice = rows_choices(g, r, g->rows.as_was);
  if (r->linear && g->rows.as_was) {
    hy_template_coefficients(r->shape, r->number, choice, g->rows.factors);
    return g->rows.factors;
  }
  if (r->linear) {
    return hy_room_row_factors(g->room, r);
  }
  const double *value = rows_gather(g, r);
  double *partial = g->rows.value + r->n_slots;
  if (r->n_slots > HY_WIDE) {
    hy_template_gradient(r->shape, value, r->number, choice, partial);
    return partial;
  }
  hy_template_all_partials(r->shape, value, r->number, choice, partial);
  return partial;
}

static void add_entries(const HyClassic *g, GArray *entries, guint32 i)
{
  for (guint32 slot = 0; slot < g->room->run[hy_classic_number_of_row(g, i)].n_slots; slot++) {
    HyPartial partial = {i, slot};
    g_array_append_val(entries, partial);
  }
}

/* Those of batches first, then of single members, then of hubs: the order in which
 * hy_classic_partials() computes them. */
HyPartial *hy_classic_entries(const HyClassic *g, guint *n)
{
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(HyPartial));
  const HyPartial *together = hy_batches_entries(g->rows.batches, n);
  g_array_append_vals(entries, together, *n);
  guint alone;
  const guint32 *i = hy_batches_alone(g->rows.batches, &alone);
  for (guint k = 0; k < alone; k++) {
    add_entries(g, entries, i[k]);
  }
  for (guint k = 0; k < g->rows.hub->len; k++) {
    add_entries(g, entries, g->n + k);
  }
  *n = entries->len;
  return (HyPartial *)(gpointer)g_array_free(entries, FALSE);
}

void hy_classic_beside(const HyClassic *g, const double *x, int side, double *y)
{
  for (guint i = 0; i < g->n; i++) {
    y[i] = x[i] + side * BESIDE * hy_classic_tolerance(g, i, x[i]);
  }
}

void hy_classic_partials(HyClassic *g, double t, const double *y, double *partial)
{
  guint n, alone;
  const guint32 *i = hy_batches_alone(g->rows.batches, &alone);
  hy_classic_set(g, t, y);
  hy_batches_entries(g->rows.batches, &n);
  hy_batches_partials(g->rows.batches, g->rows.at, partial);
  partial += n;
  for (guint k = 0; k < alone + g->rows.hub->len; k++) {
    guint32 row = hy_classic_number_of_row(g, k < alone ? i[k] : g->n + k - alone);
    guint slots = g->room->run[row].n_slots;
    memcpy(partial, hy_classic_row_gradient(g, row), slots * sizeof *partial);
    partial += slots;
  }
}
