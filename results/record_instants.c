/* What the columns have at an instant. The last word of each is kept; when time has passed an
 * instant its rows are written: one with what held just before, if something jumps; then one for
 * each event of the column with the most of them, with all signals as they are after the instant.
 * So the rows do not depend on who spoke first at an instant.
 *
 * A signal is evaluated once an instant, when that begins; whoever speaks then has its new value
 * from the word itself. */
#include "record_internal.h"
#include "sim/engine.h"

#include <math.h>

#define BEND_MIN  2e-3 /* of the range of a column: further rows keep lines as close */
#define MAX_PARTS 32
#define JUMP_MIN  1e-12 /* of the largest value of a column: below is rounding */

/* Values -------------------------------------------------------------------------------------- */

/* S after the event. An infinite or huge coefficient must not spoil the value at the event itself.
 */
static inline double value_at(const HyValue *v, double s)
{
  return s == 0 ? v->c[0] : v->c[0] + s * (v->c[1] + s * (v->c[2] + s * v->c[3]));
}

/* Most pieces are straight; what is 0 beyond changes no bit of the sum. */
static inline double signal_now(const HyRecordColumn *c, double t)
{
  if (G_LIKELY(c->straight)) {
    double s = t - c->tl;
    return s == 0 ? c->value.c[0] : c->value.c[0] + s * c->value.c[1];
  }
  return c->still ? c->value.c[0] : value_at(&c->value, t - c->tl);
}

/* What its group has moved beyond T already is on the chord from the last instant. */
static double state_now(const HyRecorder *r, guint k, double t)
{
  const HyRecordColumn *c = &r->column[k];
  double v = hy_sim_value(c->is.sim, c->is.atomic, t);
  return isnan(v) && t < c->tl ? r->before[k] + (t - c->tl) * c->slope : v;
}

double hy_record_value(HyRecorder *r, guint k, double t)
{
  HyRecordColumn *c = &r->column[k];
  if (c->is.kind == HY_COLUMN_STATE) {
    return state_now(r, k, t);
  }
  double y;
  if (r->dt != 0 && c->alone && c->is.kind == HY_COLUMN_OUTPUT && c->is.sim != NULL &&
      hy_sim_reading(c->is.sim, c->is.atomic, c->is.port, t, &y)) {
    c->answered = TRUE;
    return y;
  }
  c->answered = FALSE;
  return c->spoken && c->value.payload == NULL ? signal_now(c, t) : NAN;
}

/* The range of C includes V, which may be NaN. */
static inline void widen(HyRecordColumn *c, double v)
{
  c->low = v < c->low ? v : c->low;
  c->high = v > c->high ? v : c->high;
}

/* VALUE, whose reference C takes over, is the last word of column K at T. */
static void settle(HyRecorder *r, guint k, double t, const HyValue *value)
{
  HyRecordColumn *c = &r->column[k];
  g_clear_pointer(&c->value.payload, g_variant_unref);
  c->value = *value;
  c->tl = t;
  c->spoken = TRUE;
  c->written = FALSE;
  guint order = 3;
  while (order > 0 && value->c[order] == 0) {
    order--;
  }
  c->still = c->is.holds == HY_EVENT || order == 0;
  c->straight = !c->still && order == 1;
  c->numeric = value->payload == NULL;
  c->order = c->still ? c->order : MAX(c->order, order);
  r->bent |= c->jumps && c->order >= 2;
  r->has_text |= value->payload != NULL;
  r->now[k] = value->payload == NULL ? value->c[0] : NAN;
  if (c->jumps && !c->touched) {
    c->touched = TRUE;
    r->touched[r->n_touched++] = k;
  }
}

/* An instant ---------------------------------------------------------------------------------- */

/* What holds just before T: nobody has moved there yet. */
static void begin_instant(HyRecorder *r, double t)
{
  while (r->n_touched > 0) {
    r->column[r->touched[--r->n_touched]].touched = FALSE;
  }
  for (guint i = 0; i < r->n_signals; i++) {
    guint k = r->signal[i];
    HyRecordColumn *c = &r->column[k];
    c->was = c->numeric;
    double v = c->numeric ? signal_now(c, t) : NAN;
    r->before[k] = r->now[k] = v;
    widen(c, v);
  }
  for (guint k = 0; r->n_states > 0 && k < r->n; k++) {
    HyRecordColumn *c = &r->column[k];
    if (c->is.kind == HY_COLUMN_STATE) {
      c->was = TRUE;
      r->before[k] = r->now[k] = state_now(r, k, t);
      widen(c, r->now[k]);
    }
  }
}

/* Beyond rounding: sums of pieces that join are a few last places of its size off. */
static gboolean has_jumped(HyRecorder *r, guint k)
{
  HyRecordColumn *c = &r->column[k];
  double before = r->before[k], after = r->now[k];
  if (c->value.payload != NULL) {
    return FALSE;
  }
  widen(c, after);
  double size = fmax(fabs(c->low), fabs(c->high));
  return c->was && after != before && !(fabs(after - before) <= JUMP_MIN * size);
}

/* Of the columns that have spoken at the instant at hand, and of states, who need not say it. */
static gboolean any_has_jumped(HyRecorder *r)
{
  gboolean jumped = FALSE;
  for (guint i = 0; i < r->n_touched; i++) {
    jumped |= has_jumped(r, r->touched[i]);
  }
  for (guint k = 0; r->n_states > 0 && k < r->n; k++) {
    if (r->column[k].is.kind == HY_COLUMN_STATE) {
      r->column[k].after = r->now[k] = state_now(r, k, r->t);
      jumped |= has_jumped(r, k);
    }
  }
  return jumped;
}

/* The K-th events of the instant become the last words; FALSE: no column has so many. */
static gboolean settle_events(HyRecorder *r, guint k)
{
  gboolean any = FALSE;
  for (guint i = 0; r->said && i < r->n; i++) {
    const GArray *said = r->column[i].said;
    if (said != NULL && k < said->len) {
      settle(r, i, r->t, &g_array_index(said, HyValue, k));
      any = TRUE;
    }
  }
  return any;
}

static void forget_events(HyRecorder *r)
{
  for (guint i = 0; r->said && i < r->n; i++) {
    if (r->column[i].said != NULL) {
      g_array_set_size(r->column[i].said, 0);
    }
  }
  r->said = FALSE;
}

/* Time has passed the instant at hand: its rows. */
static void end_instant(HyRecorder *r)
{
  if (any_has_jumped(r)) {
    hy_record_row(r, r->t, HY_BEFORE);
  }
  settle_events(r, 0);
  hy_record_row(r, r->t, HY_AFTER);
  for (guint k = 1; settle_events(r, k); k++) {
    hy_record_row(r, r->t, HY_AFTER);
  }
  forget_events(r);
}

/* Between two instants ------------------------------------------------------------------------ */

/* Straight lines from T0 to T are nowhere further than BEND_MIN of the range so far from the piece
 * if it is cut in so many: a chord of length h is off by h^2/8 max |p''|. */
static double parts_of(const HyRecordColumn *c, double t0, double t)
{
  if (c->order < 2 || !c->jumps || !c->was || c->still || c->is.kind == HY_COLUMN_STATE) {
    return 1;
  }
  const double *p = c->value.c;
  double bend =
      fmax(fabs(2 * p[2] + 6 * p[3] * (t0 - c->tl)), fabs(2 * p[2] + 6 * p[3] * (t - c->tl)));
  double off = (t - t0) * (t - t0) / 8 * bend, range = c->high - c->low;
  return off > BEND_MIN * range ? fmin(ceil(sqrt(off / (BEND_MIN * range))), MAX_PARTS) : 1;
}

/* States from what they were after the last instant to what they are before T. */
static void draw_chords(HyRecorder *r, double t)
{
  for (guint k = 0; r->n_states > 0 && k < r->n; k++) {
    HyRecordColumn *c = &r->column[k];
    if (c->is.kind == HY_COLUMN_STATE) {
      c->slope = (r->before[k] - c->after) / (t - r->t);
      c->tl = t;
    }
  }
}

/* Rows within the time from the last instant to T, where a piece of higher order bends. */
static void put_bends(HyRecorder *r, double t)
{
  double parts = 1;
  for (guint k = 0; r->bent && k < r->n; k++) {
    double of = parts_of(&r->column[k], r->t, t);
    parts = of > parts ? of : parts;
  }
  guint n = (guint)parts;
  draw_chords(r, t);
  for (guint k = 1; k < n; k++) {
    double at = r->t + (t - r->t) * ((double)k / n);
    if (at > r->t && at < t) {
      hy_record_row(r, at, HY_BETWEEN);
    }
  }
}

/* A grid -------------------------------------------------------------------------------------- */

double hy_record_grid_instant(const HyRecorder *r)
{
  return r->times != NULL ? r->times[r->k]
                          : MIN(hy_beat(&r->beats, (double)r->k, (HyRatio){0.0, 0.0}), r->tf);
}

/* The instants that lie before T, and T itself if it is over. */
static void put_grid(HyRecorder *r, double t, gboolean over)
{
  while (r->k < r->n_grid && (r->due < t || (over && r->due == t))) {
    hy_record_row(r, r->due, HY_BETWEEN);
    r->k++;
    r->due = r->k < r->n_grid ? hy_record_grid_instant(r) : INFINITY;
  }
}

/* The way of time ----------------------------------------------------------------------------- */

void hy_record_advance(HyRecorder *r, double t)
{
  if (r->n_grid > 0) {
    put_grid(r, t, FALSE);
  } else if (!r->waiting || t != r->t) {
    if (r->waiting) {
      end_instant(r);
    }
    begin_instant(r, t);
    if (r->waiting || r->written) {
      put_bends(r, t);
    }
  }
  r->waiting = TRUE;
  r->written = FALSE;
  r->t = t;
}

/* An event waits until its instant is over; a signal has one value only after it. */
void hy_record_take(HyRecorder *r, guint k, double t, const HyValue *value)
{
  HyRecordColumn *c = &r->column[k];
  if (value->payload != NULL) {
    g_variant_ref(value->payload);
  }
  if (c->jumps || r->n_grid > 0) {
    settle(r, k, t, value);
    return;
  }
  if (c->said == NULL) {
    c->said = g_array_new(FALSE, FALSE, sizeof(HyValue));
  }
  g_array_append_val(c->said, *value);
  r->said = TRUE;
}

/* A group may move its states at T without a word of theirs, so that they cannot be asked any more
 * for what they were before. */
void hy_record_reach(HyRecorder *r, double t)
{
  if (r->n_grid > 0) {
    put_grid(r, t, FALSE);
  } else if (r->waiting && t > r->t) {
    end_instant(r);
    r->waiting = FALSE;
    r->written = TRUE;
  }
}

/* One at T, too, if something has been recorded before it. */
void hy_record_close(HyRecorder *r, double t)
{
  if (r->n_grid > 0) {
    put_grid(r, t, TRUE);
    return;
  }
  if (r->waiting) {
    end_instant(r);
  }
  if ((r->waiting || r->written) && t > r->t && isfinite(t)) {
    begin_instant(r, t);
    put_bends(r, t);
    hy_record_row(r, t, HY_AFTER);
  }
  r->waiting = r->written = FALSE;
}

/* Copies ------------------------------------------------------------------------------------- */

void hy_recorder_tape(HyRecorder *r, HyTape *tape)
{
  HY_TAPE(tape, r->heard);
  HY_TAPE(tape, r->t);
  HY_TAPE_ARRAY(tape, r->now, r->n);
  for (guint k = 0; k < r->n; k++) {
    HyRecordColumn *c = &r->column[k];
    HY_TAPE(tape, c->spoken);
    HY_TAPE(tape, c->still);
    HY_TAPE(tape, c->straight);
    HY_TAPE(tape, c->numeric);
    HY_TAPE(tape, c->tl);
    HY_TAPE(tape, c->value);
    c->written = FALSE;
  }
}
