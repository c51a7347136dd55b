/* A recorder: how it begins and ends, what it is told before the run, and looking at what it has.
 */
#include "base/hint.h"
#include "record_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GRID_ROWS 1e9

/* Life ---------------------------------------------------------------------------------------- */

static gboolean is_column(const HyColumn *c)
{
  gboolean asks = c->kind == HY_COLUMN_STATE;
  return c->path != NULL && (guint)c->kind <= HY_COLUMN_INPUT && c->atomic < G_MAXUINT &&
         (asks ? c->sim != NULL && c->atomic < hy_sim_n(c->sim) : TRUE);
}

HyRecorder *hy_recorder_new(FILE *out, const char *file, const HyColumn *columns, guint n)
{
  g_return_val_if_fail((out == NULL || file != NULL) && (columns != NULL || n == 0), NULL);
  for (guint k = 0; k < n; k++) {
    g_return_val_if_fail(is_column(&columns[k]), NULL);
    g_return_val_if_fail(columns[k].atomic < HY_RECORD_ATOMICS, NULL);
  }
  HyRecorder *r = g_new0(HyRecorder, 1);
  r->out = out;
  r->file = g_strdup(file);
  r->form = hy_record_form("-", NULL);
  r->n = n;
  r->column = g_new0(HyRecordColumn, MAX(n, 1));
  r->now = g_new(double, MAX(n, 1));
  r->before = g_new(double, MAX(n, 1));
  r->between = g_new(double, MAX(n, 1));
  r->touched = g_new(guint, MAX(n, 1));
  r->signal = g_new(guint, MAX(n, 1));
  r->watch = g_array_new(FALSE, FALSE, sizeof(HyColumnWatch));
  r->end = NAN;
  r->heard = -INFINITY;
  for (guint k = 0; k < n; k++) {
    HyColumn *c = &r->column[k].is;
    *c = columns[k];
    c->path = g_strdup(columns[k].path);
    c->unit = g_strdup(columns[k].unit);
    c->label = g_strdup(columns[k].label);
    r->column[k].spoken = c->kind == HY_COLUMN_STATE;
    r->column[k].low = INFINITY;
    r->column[k].high = -INFINITY;
    r->column[k].jumps = c->kind == HY_COLUMN_STATE || c->holds == HY_SIGNAL;
    if (c->kind != HY_COLUMN_STATE && c->holds == HY_SIGNAL) {
      r->signal[r->n_signals++] = k;
    }
    r->column[k].order = c->kind == HY_COLUMN_STATE ? 3 : 0;
    r->n_states += c->kind == HY_COLUMN_STATE ? 1 : 0;
    r->now[k] = r->before[k] = NAN;
    HyColumnWatch w = {.atomic = c->atomic, .port = c->port, .column = k, .kind = c->kind};
    g_array_append_val(r->watch, w);
  }
  if (out == NULL) {
    r->kept = g_array_new(FALSE, FALSE, sizeof(double));
    r->payloads =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_variant_unref);
  }
  return r;
}

/* The events that wait hold payloads of their own. */
static void said_clear(GArray *said)
{
  for (guint k = 0; k < said->len; k++) {
    g_clear_pointer(&g_array_index(said, HyValue, k).payload, g_variant_unref);
  }
  g_array_unref(said);
}

static void column_clear(HyRecordColumn *c)
{
  g_free(hy_key(c->is.path));
  g_free(hy_key(c->is.unit));
  g_free(hy_key(c->is.label));
  g_clear_pointer(&c->value.payload, g_variant_unref);
  g_clear_pointer(&c->said, said_clear);
  if (c->payload != NULL) {
    g_string_free(c->payload, TRUE);
  }
}

static void form_clear(HyRecorder *r)
{
  g_clear_pointer(&r->about, g_free);
  g_clear_pointer(&r->is, g_free);
  g_clear_pointer(&r->row.v, g_free);
  g_clear_pointer(&r->row.payload, g_free);
  g_clear_pointer(&r->row.shown, g_free);
  if (r->line != NULL) {
    g_string_free(g_steal_pointer(&r->line), TRUE);
    g_string_free(g_steal_pointer(&r->heading), TRUE);
  }
}

void hy_recorder_free(HyRecorder *r)
{
  if (r == NULL) {
    return;
  }
  for (guint k = 0; k < r->n; k++) {
    column_clear(&r->column[k]);
  }
  form_clear(r);
  g_array_unref(r->watch);
  g_clear_pointer(&r->kept, g_array_unref);
  g_clear_pointer(&r->payloads, g_hash_table_unref);
  g_free(r->column);
  g_free(r->now);
  g_free(r->before);
  g_free(r->between);
  g_free(r->touched);
  g_free(r->signal);
  g_free(r->first);
  g_free(r->times);
  g_free(r->watched);
  g_free(r->file);
  g_free(r->buffer);
  g_free(r);
}

gboolean hy_recorder_set_form(HyRecorder *r, const char *file, const char *about, double until,
                              GError **error)
{
  g_return_val_if_fail(r != NULL && r->out != NULL && !r->headed && file != NULL && about != NULL,
                       FALSE);
  const HyRecordForm *form = hy_record_form(file, error);
  if (form == NULL) {
    return FALSE;
  }
  form_clear(r);
  r->form = form;
  r->about = g_strdup(about);
  r->until = until;
  r->line = g_string_new(NULL);
  r->heading = g_string_new(NULL);
  r->is = g_new0(const HyColumn *, MAX(r->n, 1));
  r->row.n = r->n;
  r->row.v = g_new0(double, MAX(r->n, 1));
  r->row.shown = g_new0(double, MAX(r->n, 1));
  r->row.payload = g_new0(GVariant *, MAX(r->n, 1));
  for (guint k = 0; k < r->n; k++) {
    r->is[k] = &r->column[k].is;
    r->row.shown[k] = NAN;
  }
  HyRowHead h = {r->n, r->is, r->about, r->until, r->dt};
  r->counts = (HyRecordCounts){0};
  if (form->head != NULL && !form->head(r->heading, &h, &r->counts, error)) {
    g_prefix_error(error, "%s: ", file);
    return FALSE;
  }
  return TRUE;
}

guint64 hy_recorder_cut(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, 0);
  return r->row.cut;
}

const char *hy_recorder_form(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, NULL);
  return r->form->suffix;
}

void hy_recorder_add_source(HyRecorder *r, guint column, guint atomic, guint port)
{
  g_return_if_fail(r != NULL && r->first == NULL && column < r->n);
  g_return_if_fail(atomic < HY_RECORD_ATOMICS);
  HyColumnWatch w = {.atomic = atomic, .port = port, .column = column, .kind = HY_COLUMN_OUTPUT};
  g_array_append_val(r->watch, w);
}

/* Times near T are known to a few units of their last place, so their quotient by DT is, too. */
static double grid_count(double dt, double t0, double tf)
{
  double steps = (tf - t0) / dt;
  double doubt = 4 * DBL_EPSILON * (steps + MAX(fabs(t0), fabs(tf)) / dt);
  return floor(steps + MIN(doubt, 0.5)) + 1;
}

/* Nothing has been heard yet. */
static gboolean is_new(const HyRecorder *r)
{
  return isinf(r->heard) && isnan(r->end);
}

gboolean hy_recorder_set_grid(HyRecorder *r, double dt, double t0, double tf, GError **error)
{
  g_return_val_if_fail(r != NULL && is_new(r), FALSE);
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE], c[HY_DOUBLE_SIZE];
  if (!(dt > 0) || isinf(dt)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "grid: the step %s is not a positive time",
                hy_double_text(a, dt));
    return FALSE;
  }
  if (!isfinite(t0) || !isfinite(tf) || tf < t0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "grid: there are no instants from %s to %s",
                hy_double_text(a, t0), hy_double_text(b, tf));
    return FALSE;
  }
  double n = grid_count(dt, t0, tf);
  if (!(n <= MAX_GRID_ROWS)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "grid: a step of %s from %s to %s makes more than 1e9 rows", hy_double_text(a, dt),
                hy_double_text(b, t0), hy_double_text(c, tf));
    return FALSE;
  }
  if (n > 1 && t0 + dt == t0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "grid: a step of %s is too small at t = %s",
                hy_double_text(a, dt), hy_double_text(b, t0));
    return FALSE;
  }
  g_clear_pointer(&r->times, g_free);
  r->dt = dt;
  r->beats = hy_beats(dt, t0);
  r->t0 = t0;
  r->tf = tf;
  r->k = 0;
  r->n_grid = (guint64)n;
  r->due = hy_record_grid_instant(r);
  return TRUE;
}

gboolean hy_recorder_set_times(HyRecorder *r, const double *times, guint n, double t0, double tf,
                               GError **error)
{
  g_return_val_if_fail(r != NULL && is_new(r) && times != NULL, FALSE);
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  guint first = 0;
  for (guint k = 0; k < n; k++) {
    if (!(k > 0 ? times[k] > times[k - 1] : isfinite(times[k])) || isinf(times[k])) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "grid: the instants of the list must increase; number %u is %s", k + 1,
                  hy_double_text(a, times[k]));
      return FALSE;
    }
  }
  while (first < n && times[first] < t0) {
    first++;
  }
  while (n > first && !(times[n - 1] <= tf)) {
    n--;
  }
  if (n == first) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "grid: no instant of the list lies in %s .. %s",
                hy_double_text(a, t0), hy_double_text(b, tf));
    return FALSE;
  }
  g_free(r->times);
  r->times = g_memdup2(times + first, (n - first) * sizeof *times);
  r->dt = NAN;
  r->t0 = t0;
  r->tf = tf;
  r->k = 0;
  r->n_grid = n - first;
  r->due = hy_record_grid_instant(r);
  return TRUE;
}

void hy_recorder_set_fresh(HyRecorder *r, void (*begun)(gpointer user), gpointer user)
{
  g_return_if_fail(r != NULL && r->out != NULL);
  r->fresh = r->own = TRUE;
  r->begun = begun;
  r->begun_user = user;
}

void hy_recorder_set_next(HyRecorder *r, const HyTrace *next)
{
  g_return_if_fail(r != NULL && is_new(r) && next != NULL);
  r->next = *next;
}

gboolean hy_recorder_failed(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, FALSE);
  return r->failure != 0;
}

gboolean hy_recorder_finish(HyRecorder *r, double t, GError **error)
{
  g_return_val_if_fail(r != NULL, FALSE);
  if (isnan(r->end)) {
    r->end = t;
    hy_record_close(r, t);
    if (r->out != NULL && !r->headed) {
      hy_record_head(r);
    }
    hy_recorder_flush(r);
  }
  if (r->failure != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot write: %s", r->file,
                g_strerror(r->failure));
  } else if (r->back) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "the recording ends at t = %s, where the simulation has gone back in time; record "
                "each run with a recorder of its own",
                hy_double_text(text, r->heard));
  }
  return r->failure == 0 && !r->back;
}

/* Looking ------------------------------------------------------------------------------------- */

guint hy_recorder_n(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, 0);
  return r->n;
}

const HyColumn *hy_recorder_column(const HyRecorder *r, guint column)
{
  g_return_val_if_fail(r != NULL && column < r->n, NULL);
  return &r->column[column].is;
}

guint hy_recorder_order(const HyRecorder *r, guint column)
{
  g_return_val_if_fail(r != NULL && column < r->n, 0);
  return r->column[column].order;
}

guint64 hy_recorder_rows(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, 0);
  return r->rows;
}

double hy_recorder_grid(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, NAN);
  return r->dt;
}

const double *hy_recorder_times(const HyRecorder *r, guint *n)
{
  g_return_val_if_fail(r != NULL && n != NULL, NULL);
  *n = r->times != NULL ? (guint)r->n_grid : 0;
  return r->times;
}

double hy_recorder_end(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, NAN);
  return r->end;
}

double hy_recorder_now(HyRecorder *r, guint column, double t)
{
  g_return_val_if_fail(r != NULL && column < r->n, NAN);
  return hy_record_value(r, column, t);
}

gboolean hy_recorder_find(const HyRecorder *r, const char *path, guint *column)
{
  g_return_val_if_fail(r != NULL && path != NULL && column != NULL, FALSE);
  for (*column = 0; *column < r->n; ++*column) {
    if (strcmp(r->column[*column].is.path, path) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Where ROW begins among those that are kept. */
static gsize kept_at(const HyRecorder *r, guint64 row)
{
  return (gsize)row * (r->n + 1);
}

double hy_recorder_time(const HyRecorder *r, guint64 row)
{
  g_return_val_if_fail(r != NULL && r->kept != NULL && row < r->rows, NAN);
  return g_array_index(r->kept, double, kept_at(r, row));
}

double hy_recorder_value(const HyRecorder *r, guint64 row, guint column)
{
  g_return_val_if_fail(r != NULL && r->kept != NULL && row < r->rows && column < r->n, NAN);
  return g_array_index(r->kept, double, kept_at(r, row) + 1 + column);
}

GVariant *hy_recorder_payload(const HyRecorder *r, guint64 row, guint column)
{
  g_return_val_if_fail(r != NULL && r->kept != NULL && row < r->rows && column < r->n, NULL);
  gint64 place = (gint64)(kept_at(r, row) + 1 + column);
  return g_hash_table_lookup(r->payloads, &place);
}

const double *hy_recorder_data(const HyRecorder *r, guint64 *rows, guint *stride)
{
  g_return_val_if_fail(r != NULL && rows != NULL && stride != NULL, NULL);
  *rows = r->kept != NULL ? r->rows : 0;
  *stride = r->n + 1;
  return *rows > 0 ? (const double *)(gconstpointer)r->kept->data : NULL;
}

static int by_number(gconstpointer a, gconstpointer b)
{
  const guint64 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

guint64 hy_recorder_payload_rows(const HyRecorder *r, guint column, guint64 *rows)
{
  g_return_val_if_fail(r != NULL && column < r->n, 0);
  GHashTableIter iter;
  gpointer place;
  guint64 n = 0;
  if (r->payloads == NULL) {
    return 0;
  }
  g_hash_table_iter_init(&iter, r->payloads);
  while (g_hash_table_iter_next(&iter, &place, NULL)) {
    guint64 at = (guint64) * (gint64 *)place, stride = r->n + 1;
    if (at % stride != column + 1) {
      continue;
    }
    if (rows != NULL) {
      rows[n] = at / stride;
    }
    n++;
  }
  if (rows != NULL && n > 1) {
    qsort(rows, n, sizeof *rows, by_number);
  }
  return n;
}
