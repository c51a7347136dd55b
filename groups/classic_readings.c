/* Readings: what static blocks say is computed by the group of whose states it is made
 * (equations/readings.h).
 *
 *   y = r(x, u),  y' = sum of dr/dx_i x_i' + sum of dr/du_k u_k'
 *
 * with the row r of the block, at states and inputs as they are; through hubs, each after those it
 * is made of. Pieces of a reading are made beside those of the members, and their error is measured
 * in y: a cubic of x, times a small resistance, would be the old fault. */
#include "classic_internal.h"

#include "equations/members.h"
#include "groups.h"

#include <math.h>
#include <string.h>

/* Making -------------------------------------------------------------------------------------- */

static void add_reading(HyClassic *g, HyReading *r)
{
  g->reading = g_renew(HyReading *, g->reading, (gsize)g->m + 1);
  r->place = g->m;
  g->reading[g->m++] = r;
}

/* The arrays of pieces go on behind the members. A reading has the tolerances of the first one. */
static double *widen(const HyClassic *g, double *array)
{
  double *wider = g_renew(double, array, (gsize)g->n + g->m + 1);
  memset(wider + g->n, 0, ((gsize)g->m + 1) * sizeof *wider);
  return wider;
}

static void make_room(HyClassic *g)
{
  double **const arrays[] = {&g->out.y,       &g->out.dy,   &g->out.y_from,
                             &g->out.dy_from, &g->out.half, &g->out.rate,
                             &g->reltol,      &g->abstol,   &g->size_most};
  for (guint k = 0; k < G_N_ELEMENTS(arrays); k++) {
    *arrays[k] = widen(g, *arrays[k]);
  }
  g->out.balanced = g_new0(double, (gsize)g->n + 1);
  g->out.shown = g_new0(double, (gsize)g->n + 1);
  g->out.still = g_new0(double, (gsize)g->n + 1);
  g->out.open = g_renew(guint8, g->out.open, (gsize)g->n + g->m + 1);
  for (guint k = 0; k < g->m; k++) {
    g->reltol[g->n + k] = g->reltol[0];
    g->abstol[g->n + k] = g->abstol[0];
    g->size_most[g->n + k] = INFINITY;
    g->out.open[g->n + k] = 2 * g->reading[k]->heard;
  }
}

/* In the order of ties; those that are asked or only wake others behind those that are spoken. */
void hy_classic_find_readings(HyClassic *g)
{
  const GPtrArray *all = g->room->readings;
  for (guint k = 0; k < all->len; k++) {
    if (hy_reading(g->room, k)->group == g->number && hy_reading(g->room, k)->spoken) {
      add_reading(g, hy_reading(g->room, k));
    }
  }
  g->spoken = g->m;
  for (guint k = 0; k < all->len; k++) {
    if (hy_reading(g->room, k)->group == g->number && !hy_reading(g->room, k)->spoken) {
      add_reading(g, hy_reading(g->room, k));
    }
  }
  make_room(g);
}

/* Values -------------------------------------------------------------------------------------- */

/* The slope of ROW, whose slots have the slopes in SLOPE. */
static double row_slope(HyClassic *g, guint32 row, const double *slope)
{
  const HyRunRow *r = &g->room->run[row];
  const double *a = hy_classic_row_gradient(g, row);
  double sum = 0.0;
  for (guint k = 0; k < r->n_slots; k++) {
    sum += a[k] * slope[r->slot[k]];
  }
  return sum;
}

/* Of reading R of value Y. Where it has none, as a root at 0, it is said to rest there. */
static double reading_slope(HyClassic *g, const HyReading *r, double y)
{
  double slope = row_slope(g, r->row, g->room->groups.classic_slope);
  return isfinite(slope) || !isfinite(y) ? slope : 0.0;
}

/* Of all that rows read; ASSUMED: as the step has it, else as they are said now. */
static void set_slopes(HyClassic *g, double t, const double *dy, gboolean assumed)
{
  double *slope = g->room->groups.classic_slope;
  for (guint i = 0; i < g->n; i++) {
    slope[g->rows.slot[i]] = dy[i];
  }
  for (guint k = 0; k < g->rows.n_outer; k++) {
    guint slot = g->rows.outer[k];
    slope[slot] =
        hy_classic_outer_slope(g, k, assumed ? &g->rows.assumed[k] : &g->room->signal[slot], t);
  }
  for (guint k = 0; k < g->rows.hub->len; k++) {
    const HyHub *hub = g_array_index(g->rows.hub, const HyHub *, k);
    slope[hub->slot] = row_slope(g, hub->row, slope);
  }
}

static gboolean all_known(HyClassic *g)
{
  while (g->heard < g->spoken && hy_reading_is_known(g->room, g->reading[g->heard])) {
    g->heard++;
  }
  return g->heard == g->spoken;
}

void hy_classic_read(HyClassic *g, double t, double *y, double *dy)
{
  if (g->spoken == 0 ||
      (g->stepper->read != NULL && all_known(g) && g->stepper->read(g, t, y, dy))) {
    return;
  }
  if (g->stepper->balance != NULL) {
    g->stepper->balance(g, t, g->out.balanced);
    hy_classic_set(g, t, g->out.balanced);
  } else {
    hy_classic_set(g, t, y);
  }
  if (dy != NULL) {
    set_slopes(g, t, dy, TRUE);
  }
  for (guint k = 0; k < g->spoken; k++) {
    gboolean known = g->reading[k]->known || hy_reading_is_known(g->room, g->reading[k]);
    double value = known ? hy_classic_row_value(g, g->reading[k]->row) : 0.0;
    y[g->n + k] = value;
    if (dy != NULL) {
      dy[g->n + k] = known ? reading_slope(g, g->reading[k], value) : 0.0;
    }
  }
}

/* Of a parabola through Y0, MIDDLE and Y1. */
static void set_bend(HyClassic *g, guint i, double middle, double h)
{
  double y0 = g->out.y_from[i], y1 = g->out.y[i];
  g->out.dy_from[i] = (4.0 * middle - 3.0 * y0 - y1) / h;
  g->out.dy[i] = (y0 - 4.0 * middle + 3.0 * y1) / h;
}

void hy_classic_bend_readings(HyClassic *g)
{
  double h = g->out.to - g->out.from;
  if (g->stepper->balance == NULL || g->spoken == 0) {
    return;
  }
  hy_classic_read(g, g->out.from + 0.5 * h, g->out.half, NULL);
  for (guint i = g->n; i < g->n + g->spoken; i++) {
    set_bend(g, i, g->out.half[i], h);
    if (!isfinite(g->out.dy_from[i]) || !isfinite(g->out.dy[i])) {
      g->out.dy_from[i] = g->out.dy[i] = 0.0;
    }
  }
}

/* By how many tolerances the parabola through Y0, MIDDLE and Y1, which are H apart from T on,
 * misses what is read at a part of that. */
static double bend_misses(HyClassic *g, const double *y0, const double *middle, const double *y1,
                          double t, double h, double part)
{
  double worst = 0.0, a = 1.0 - part, b = 2.0 * part - 1.0;
  hy_classic_read(g, t + part * h, g->out.rate, NULL);
  for (guint i = g->n; i < g->n + g->spoken; i++) {
    double y = 4.0 * part * a * middle[i] + b * (part * y1[i] - a * y0[i]);
    double size = fmax(fmax(fabs(y0[i]), fabs(y1[i])), fabs(middle[i]));
    worst = fmax(worst, fabs(g->out.rate[i] - y) / hy_classic_tolerance(g, i, size));
  }
  return worst;
}

/* Whether N pieces are enough, by looks into three of them that are no simple parts of the step. */
static gboolean pieces_fit(HyClassic *g, double n)
{
  static const double at[] = {0.0557, 0.4721, 0.8262};
  gsize all = g->n + g->spoken;
  g_autofree double *y = g_new(double, 3 * all);
  double h = (g->t1 - g->t0) / n, worst = 0.0;
  for (guint k = 0; k < G_N_ELEMENTS(at) && worst <= 1.0; k++) {
    double t = g->t0 + floor(at[k] * n) * h;
    for (guint i = 0; i < 3; i++) {
      hy_classic_read(g, t + 0.5 * i * h, y + i * all, NULL);
    }
    worst = bend_misses(g, y, y + all, y + 2 * all, t, h, 0.25);
  }
  return worst <= 1.0;
}

/* A step is as long as rows let it be. What a formula of the time does beside them may go round
 * many times in it, so a number of pieces is looked at before it is believed. */
double hy_classic_reading_pieces(HyClassic *g)
{
  static const double at[] = {0.25, 0.75, 0.1123, 0.8731, 0.6180};
  double missed = 0.0, n;
  for (guint k = 0; k < G_N_ELEMENTS(at); k++) {
    double h = g->t1 - g->t0;
    missed = fmax(missed, bend_misses(g, g->out.y_from, g->out.half, g->out.y, g->t0, h, at[k]));
  }
  n = missed > 1.0 ? ceil(cbrt(missed)) : 1.0;
  while (n > 1.0 && n < HY_READING_PIECES && !pieces_fit(g, n)) {
    n *= 2.0;
  }
  return n;
}

void hy_classic_states_now(HyClassic *g, double t, double *y)
{
  if (g->stepper->reach == NULL && t == g->t1) {
    memcpy(y, g->z, g->n * sizeof *y);
  } else {
    g->stepper->dense(g, t, 0, y);
  }
  if (g->stepper->late != NULL) {
    g->stepper->late(g, t, y);
  }
}

/* All columns of a row of a recording ask at one instant. */
static void set_values_now(HyClassic *g, double t)
{
  HyRoomGroups *all = &g->room->groups;
  guint64 words = g->room->words, steps = g->totals.steps;
  if (all->valued != g || all->valued_at != t || all->valued_words != words ||
      all->valued_steps != steps) {
    if (g->stepper->balance != NULL) {
      g->stepper->balance(g, t, g->out.still);
      hy_classic_settle(g, t);
      for (guint i = 0; i < g->n; i++) {
        g->out.shown[i] = hy_qstate_q(hy_classic_member(g, i)->v, t);
      }
    } else {
      hy_classic_states_now(g, t, g->out.half);
      hy_classic_set_now(g, t, g->out.half);
    }
    all->valued = g;
    all->valued_at = t;
    all->valued_words = words;
    all->valued_steps = steps;
  }
}

/* By its row: of the states as they are shown, so that currents in a line are one, unless it asks
 * more of them than their tolerance. */
static double value_now(HyClassic *g, const HyReading *r, double t)
{
  set_values_now(g, t);
  if (g->stepper->balance == NULL) {
    return hy_classic_row_value(g, r->row);
  }
  hy_classic_set_now(g, t, g->out.shown);
  double shown = hy_classic_row_value(g, r->row);
  hy_classic_set_now(g, t, g->out.still);
  double y = hy_classic_row_value(g, r->row);
  return fabs(y - shown) <= hy_classic_tolerance(g, g->n + r->place, y) ? shown : y;
}

double hy_classic_ask(HyRoom *room, const HyReading *r, double t)
{
  HyClassic *g = hy_room_group(room, r->group)->classic;
  double y;
  return g->stepper->ask != NULL && g->stepper->ask(g, r, t, &y) ? y : value_now(g, r, t);
}

/* As the duty of a pwm that is a formula of the time. */
static gboolean is_of_inputs_alone(const HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  guint k = 0;
  while (k < r->n_slots && hy_classic_outer(g, r->slot[k]) != HY_NO_PLACE) {
    k++;
  }
  return k == r->n_slots;
}

/* R of such a row: value and slope. */
static void read_inputs_now(HyClassic *g, const HyReading *r, double t, double *c)
{
  const HyRunRow *row = &g->room->run[r->row];
  double *slope = g->room->groups.classic_slope;
  g->room->groups.valued = NULL;
  for (guint k = 0; k < row->n_slots; k++) {
    guint slot = row->slot[k], outer = hy_classic_outer(g, slot);
    const HyPiece *said = &g->room->signal[slot];
    g->rows.at[slot] = hy_classic_outer_value(g, outer, said, t);
    slope[slot] = hy_classic_outer_slope(g, outer, said, t);
  }
  c[0] = hy_classic_row_value(g, r->row);
  c[1] = reading_slope(g, r, c[0]);
}

/* With the inputs as they are: a word has come. */
void hy_classic_read_now(HyRoom *room, HyReading *r, double t, double *c)
{
  HyClassic *g = hy_room_group(room, r->group)->classic;
  gboolean sloping = room->diagram.lanes > 1 && g->stepper->balance == NULL;
  gboolean looks = r->looks && g->stepper->meets == NULL;
  if (sloping && !looks && is_of_inputs_alone(g, r->row)) {
    read_inputs_now(g, r, t, c);
    return;
  }
  c[0] = looks ? hy_classic_look_value(g, r, t) : value_now(g, r, t);
  if (sloping) {
    g->stepper->dense(g, t, 1, g->out.rate);
    set_slopes(g, t, g->out.rate, FALSE);
    c[1] = reading_slope(g, r, c[0]);
  }
}

/* What is stiff in steps as long as they are on the whole comes to its balance, whatever z is. */
double hy_classic_held(HyRoom *room, guint32 state)
{
  HyClassic *g = hy_room_group(room, hy_room_state(room, state)->member->group)->classic;
  double a = g->begun ? hy_classic_self_partial(g, hy_room_state(room, state)->place, g->t1) : 0.0;
  double h = g->begun ? (g->t1 - g->began) / (double)MAX(g->totals.steps, 1) : 0.0;
  return a < 0.0 ? 1.0 / (1.0 - a * h) : 1.0;
}

static void add_partials(HyClassic *g, guint32 row, double factor, double *line)
{
  const HyRunRow *r = &g->room->run[row];
  gsize size = (r->n_slots + 1) * sizeof(double);
  g_autofree double *a = g_memdup2(hy_classic_row_gradient(g, row), size);
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 i = hy_classic_place(g, r->slot[k]), u = hy_classic_outer(g, r->slot[k]);
    if (i != HY_NO_PLACE || u != HY_NO_PLACE) {
      line[i != HY_NO_PLACE ? i : g->n + u] += factor * a[k];
    } else if (a[k] != 0.0) {
      add_partials(g, hy_rows_hub(&g->room->rows, r->slot[k])->row, factor * a[k], line);
    }
  }
}

void hy_classic_reading_line(HyClassic *g, guint k, double *line)
{
  memset(line, 0, (g->n + g->rows.n_outer) * sizeof *line);
  add_partials(g, g->reading[k]->row, 1.0, line);
}
