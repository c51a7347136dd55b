/* Recorder: keeps the last word of each column, and writes the rows of an instant when time has
 * passed it: one with what held just before, if something jumps; then one for each event of the
 * column with the most of them, with all signals as they are after the instant. So the rows do not
 * depend on who spoke first at an instant. */
#include "hydevs/record.h"
#include "base/decimal.h"
#include "base/hint.h"
#include "hydevs/text.h"
#include "record_forms.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER        65536
#define MAX_GRID_ROWS 1e9
#define ROWS_A_LOOK   32   /* at the clock */
#define BEND_MIN      2e-3 /* of the range of a column: further rows keep lines as close */
#define MAX_PARTS     32
#define JUMP_MIN      1e-12 /* of the largest value of a column: below is rounding */

typedef struct {
  HyColumn is;
  gboolean spoken;
  double tl;      /* the last event: when, and its value */
  HyValue value;  /* with a reference to the payload */
  guint order;    /* highest power seen so far */
  gboolean still; /* the value does not move until the next event */
  double shown;   /* the number that was written last, and its text: */
  guint size;     /* 0: none yet */
  char number[HY_DOUBLE_SIZE];
  gboolean written; /* the text of the payload is known: */
  GString *payload; /* quoted */
  gboolean jumps;   /* no events: both sides of a jump are rows */
  gboolean was;     /* it had spoken before the instant at hand, and was: */
  double before;
  double after, slope; /* of a state: what it was after the last instant, the chord since */
  double low, high;    /* of its values so far, once it was */
  GArray *said;        /* HyValue, of a column of events: those of the instant at hand */
} Column;

typedef struct {
  guint atomic, port, column;
  HyColumnKind kind;
} Watch;

struct HyRecorder {
  FILE *out; /* NULL: in memory */
  const HyRecordForm *form;
  char *about; /* for its head */
  double until;
  goffset head;        /* bytes before the first row */
  gsize count;         /* where in the head the number of rows stands; 0: nowhere */
  const HyColumn **is; /* [n], for forms other than CSV: */
  HyRow row;
  GString *line;
  GArray *kept;         /* double: the time and the values of each row */
  GHashTable *payloads; /* place in KEPT (guint64) -> GVariant */
  char *file;
  HyTrace next;
  guint n;
  Column *column;
  GArray *watch;     /* Watch, by atomic */
  guint n_atomics;   /* watched atomics have numbers below */
  guint n_watched;   /* likewise with those that the next watcher wants */
  guint8 *watched;   /* [n_watched]: HyWatched */
  guint *first;      /* [n_atomics + 1]: where those of an atomic begin; NULL: not sorted yet */
  double t;          /* of the row that waits, if one waits */
  gboolean waiting;  /* for time to pass */
  gboolean written;  /* the rows of t; nothing has been noted since */
  gboolean said;     /* some column of events has some of the instant at hand */
  double dt, t0, tf; /* of a grid with equal steps; dt is NaN for a list, 0: no grid */
  double *times;     /* [n_grid] of a list */
  guint64 k, n_grid; /* the next grid instant, their number */
  guint64 rows;
  double end;
  int failure;            /* errno of the first failed write */
  gboolean fresh, headed; /* OUT is to be emptied; the head has been written */
  gboolean own;           /* OUT has only what this recorder has written */
  goffset sent, whole;    /* bytes in OUT, and those up to the end of its last whole row */
  void (*begun)(gpointer user);
  gpointer begun_user;
  gint64 flushed; /* when all was handed on for the last time, of the wall clock */
  gsize used;
  char buffer[BUFFER];
};

/* Writing ------------------------------------------------------------------------------------- */

static goffset row_size(const HyRecorder *r)
{
  return (goffset)(((gsize)r->n + 1) * sizeof(double));
}

/* Of a binary form: in the first SIZE bytes of OUT. */
static goffset whole_rows(const HyRecorder *r, goffset size)
{
  return size > r->head ? (size - r->head) / row_size(r) : 0;
}

/* Where the last row within the first SIZE bytes of the buffer ends; 0: none does. */
static gsize last_end(const HyRecorder *r, gsize size)
{
  if (r->form->binary) {
    goffset rows = whole_rows(r, r->sent + (goffset)size);
    goffset end = r->head + rows * row_size(r) - r->sent;
    return rows > 0 && end > 0 ? (gsize)end : 0;
  }
  while (size > 0 && r->buffer[size - 1] != '\n') {
    size--;
  }
  return size;
}

/* A write has failed somewhere in the buffer. The file ends with its last whole row: a number that
 * is cut short would be another number. */
static void cut_torn_row(HyRecorder *r)
{
  struct stat file;
  if (!r->own || fstat(fileno(r->out), &file) != 0 || file.st_size < r->sent) {
    return;
  }
  gsize end = last_end(r, MIN((gsize)(file.st_size - r->sent), r->used));
  goffset whole = end > 0 ? r->sent + (goffset)end : r->whole;
  guint64 lost = 0;
  for (gsize k = end; k < r->used && !r->form->binary; k++) {
    lost += r->buffer[k] == r->form->mark ? 1 : 0;
  }
  r->rows = r->form->binary ? (guint64)whole_rows(r, whole) : r->rows - MIN(lost, r->rows);
  if (ftruncate(fileno(r->out), whole) != 0) {
    r->failure = errno;
  }
}

static void flush(HyRecorder *r)
{
  if (r->failure == 0 && r->used > 0) {
    errno = 0;
    if (r->fresh && ftruncate(fileno(r->out), 0) != 0) {
      r->failure = errno != 0 ? errno : EIO;
      return;
    }
    if (r->fresh && r->begun != NULL) {
      r->begun(r->begun_user);
    }
    r->fresh = FALSE;
    gsize end = last_end(r, r->used);
    if (fwrite(r->buffer, 1, r->used, r->out) != r->used) {
      r->failure = errno != 0 ? errno : EIO;
      cut_torn_row(r);
    } else {
      r->whole = end > 0 ? r->sent + (goffset)end : r->whole;
      r->sent += (goffset)r->used;
    }
  }
  r->used = 0;
}

static void put(HyRecorder *r, const char *text, gsize size)
{
  while (size > 0) {
    gsize part = MIN(size, BUFFER - r->used);
    memcpy(r->buffer + r->used, text, part);
    r->used += part;
    text += part;
    size -= part;
    if (r->used == BUFFER) {
      flush(r);
    }
  }
}

/* At least so many bytes are free after it. */
static char *make_room(HyRecorder *r, gsize size)
{
  if (BUFFER - r->used < size) {
    flush(r);
  }
  return r->buffer + r->used;
}

static void put_text(HyRecorder *r, const char *text)
{
  put(r, text, strlen(text));
}

/* A field of RFC 4180: quotes inside are doubled. */
static void quote(GString *out, const char *text)
{
  g_string_append_c(out, '"');
  for (; *text != '\0'; text++) {
    g_string_append_len(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
  }
  g_string_append_c(out, '"');
}

/* Of all forms but CSV. */
static void put_form_head(HyRecorder *r)
{
  HyRowHead h = {r->n, r->is, r->about, r->until};
  g_string_truncate(r->line, 0);
  r->count = r->form->head(r->line, &h);
  r->head = (goffset)r->line->len;
  put(r, r->line->str, r->line->len);
}

static void put_head(HyRecorder *r)
{
  r->headed = TRUE;
  if (r->form->head != NULL) {
    put_form_head(r);
    return;
  }
  put_text(r, "time");
  for (guint k = 0; k < r->n; k++) {
    const char *path = r->column[k].is.path;
    put_text(r, ",");
    if (strpbrk(path, ",\"\r\n") == NULL) {
      put_text(r, path);
    } else {
      g_autoptr(GString) field = g_string_new(NULL);
      quote(field, path);
      put(r, field->str, field->len);
    }
  }
  put_text(r, "\n");
}

/* What has come to OUT is told in its head, so that it can be read at any time. */
static void tell_count(HyRecorder *r)
{
  char text[HY_COUNT_SIZE + 1];
  if (r->count == 0 || (r->failure != 0 && !r->own)) {
    return;
  }
  g_snprintf(text, sizeof text, "%*" G_GINT64_MODIFIER "u", -HY_COUNT_SIZE, r->rows);
  if (pwrite(fileno(r->out), text, HY_COUNT_SIZE, (off_t)r->count) != HY_COUNT_SIZE &&
      r->failure == 0) {
    r->failure = errno != 0 ? errno : EIO;
  }
}

void hy_recorder_flush(HyRecorder *r)
{
  g_return_if_fail(r != NULL);
  if (r->out == NULL || !r->headed) {
    return;
  }
  flush(r);
  errno = 0;
  if (r->failure == 0 && fflush(r->out) != 0) {
    r->failure = errno != 0 ? errno : EIO;
  }
  tell_count(r);
  r->flushed = g_get_monotonic_time();
}

/* S after the event. An infinite or huge coefficient must not spoil the value at the event itself.
 */
static double value_at(const HyValue *v, double s)
{
  return s == 0 ? v->c[0] : v->c[0] + s * (v->c[1] + s * (v->c[2] + s * v->c[3]));
}

static void put_payload(HyRecorder *r, Column *c)
{
  if (!c->written) {
    g_autofree char *text = g_variant_print(c->value.payload, FALSE);
    c->payload = c->payload != NULL ? g_string_truncate(c->payload, 0) : g_string_new(NULL);
    quote(c->payload, text);
    c->written = TRUE;
  }
  put(r, c->payload->str, c->payload->len);
}

static double state_now(const Column *c, double t)
{
  double v = hy_sim_value(c->is.sim, c->is.atomic, t);
  return isnan(v) && t < c->tl ? c->before + (t - c->tl) * c->slope : v;
}

/* Of a column that has no payload. */
static inline double value_now(const Column *c, double t)
{
  if (c->is.kind == HY_COLUMN_STATE) {
    return state_now(c, t);
  }
  return c->still ? c->value.c[0] : value_at(&c->value, t - c->tl);
}

/* Which side of an instant a row shows. */
typedef enum { BEFORE, AFTER } Side;

static gboolean has_spoken(const Column *c, Side side)
{
  return side == BEFORE && c->jumps ? c->was : c->spoken;
}

static double value_of(const Column *c, double t, Side side)
{
  return side == BEFORE && c->jumps ? c->before : value_now(c, t);
}

static gboolean same_text(double a, double b)
{
  return a == b && signbit(a) == signbit(b);
}

/* Most columns say on both sides of a jump, which is another column's, the same. There is room. */
static void put_number(HyRecorder *r, Column *c, double v)
{
  if (c->size == 0 || !same_text(v, c->shown)) {
    c->size = (guint)hy_decimal_text(c->number, v);
    c->shown = v;
  }
  memcpy(r->buffer + r->used, c->number, HY_DOUBLE_SIZE);
  r->used += c->size;
}

static void put_value(HyRecorder *r, Column *c, double t, Side side)
{
  if (c->value.payload != NULL && !(side == BEFORE && c->jumps)) {
    put_payload(r, c);
  } else {
    put_number(r, c, value_of(c, t, side));
  }
}

/* NaN: there is none. */
static double number_of(const Column *c, double t, Side side)
{
  return has_spoken(c, side) && c->value.payload == NULL ? value_of(c, t, side) : NAN;
}

static void keep_row(HyRecorder *r, double t, Side side)
{
  g_array_append_val(r->kept, t);
  for (guint k = 0; k < r->n; k++) {
    const Column *c = &r->column[k];
    double v = number_of(c, t, side);
    if (c->value.payload != NULL) {
      gint64 place = r->kept->len;
      g_hash_table_insert(r->payloads, g_memdup2(&place, sizeof place),
                          g_variant_ref(c->value.payload));
    }
    g_array_append_val(r->kept, v);
  }
  r->rows++;
}

static void put_doubles(HyRecorder *r, double t, Side side)
{
  memcpy(make_room(r, sizeof t), &t, sizeof t);
  r->used += sizeof t;
  for (guint k = 0; k < r->n; k++) {
    double v = number_of(&r->column[k], t, side);
    memcpy(make_room(r, sizeof v), &v, sizeof v);
    r->used += sizeof v;
  }
}

static void put_form_row(HyRecorder *r, double t, Side side)
{
  r->row.t = t;
  for (guint k = 0; k < r->n; k++) {
    const Column *c = &r->column[k];
    r->row.v[k] = number_of(c, t, side);
    r->row.payload[k] = has_spoken(c, side) ? c->value.payload : NULL;
  }
  g_string_truncate(r->line, 0);
  r->form->row(r->line, &(HyRowHead){r->n, r->is, r->about, r->until}, &r->row);
  put(r, r->line->str, r->line->len);
}

/* Of CSV. */
static void put_fields(HyRecorder *r, double t, Side side)
{
  r->used += hy_decimal_text(make_room(r, HY_DOUBLE_SIZE), t);
  for (guint k = 0; k < r->n; k++) {
    *make_room(r, 1 + HY_DOUBLE_SIZE) = ',';
    r->used++;
    if (has_spoken(&r->column[k], side)) {
      put_value(r, &r->column[k], t, side);
    }
  }
  put(r, "\n", 1);
}

static void put_row(HyRecorder *r, double t, Side side)
{
  if (r->out == NULL) {
    keep_row(r, t, side);
    return;
  }
  if (r->failure != 0) {
    return;
  }
  if (!r->headed) {
    put_head(r);
  }
  if (r->form->binary) {
    put_doubles(r, t, side);
  } else if (r->form->row != NULL) {
    put_form_row(r, t, side);
  } else {
    put_fields(r, t, side);
  }
  r->rows += r->failure == 0 ? 1 : 0;
  if (r->rows % ROWS_A_LOOK == 0 && g_get_monotonic_time() - r->flushed > G_USEC_PER_SEC / 2) {
    hy_recorder_flush(r);
  }
}

/* Watching ------------------------------------------------------------------------------------ */

/* The last grid instant is TF itself where rounding would carry it beyond. */
static double grid_instant(const HyRecorder *r)
{
  return r->times != NULL ? r->times[r->k] : MIN(r->t0 + (double)r->k * r->dt, r->tf);
}

/* The instants that lie before T, and T itself if it is over. */
static void put_grid(HyRecorder *r, double t, gboolean over)
{
  for (; r->k < r->n_grid; r->k++) {
    double at = grid_instant(r);
    if (!(at < t || (over && at == t))) {
      return;
    }
    put_row(r, at, AFTER);
  }
}

/* VALUE, whose reference C takes over, is the last word of C at T. */
static void settle(Column *c, double t, const HyValue *value)
{
  g_clear_pointer(&c->value.payload, g_variant_unref);
  c->value = *value;
  c->tl = t;
  c->spoken = TRUE;
  guint order = 3;
  while (order > 0 && value->c[order] == 0) {
    order--;
  }
  c->still = c->is.holds == HY_EVENT || order == 0;
  c->order = c->still ? c->order : MAX(c->order, order);
  c->written = FALSE;
}

/* The range of C includes V, which may be NaN. */
static void widen(Column *c, double v)
{
  c->low = v < c->low ? v : c->low;
  c->high = v > c->high ? v : c->high;
}

/* Beyond rounding: sums of pieces that join are a few last places of its size off. */
static gboolean has_jumped(Column *c, double t)
{
  if (!c->jumps || !c->spoken || c->value.payload != NULL) {
    return FALSE;
  }
  if (c->is.kind != HY_COLUMN_STATE && c->tl != t) { /* it said nothing there */
    return FALSE;
  }
  double after = value_now(c, t);
  widen(c, after);
  double size = fmax(fabs(c->low), fabs(c->high));
  return c->was && after != c->before && !(fabs(after - c->before) <= JUMP_MIN * size);
}

/* The K-th events of the instant become the last words; FALSE: no column has so many. */
static gboolean settle_events(HyRecorder *r, guint k)
{
  gboolean any = FALSE;
  for (guint i = 0; r->said && i < r->n; i++) {
    Column *c = &r->column[i];
    if (c->said != NULL && k < c->said->len) {
      settle(c, r->t, &g_array_index(c->said, HyValue, k));
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
  gboolean jumped = FALSE;
  for (guint k = 0; k < r->n; k++) {
    Column *c = &r->column[k];
    c->after = c->is.kind == HY_COLUMN_STATE ? state_now(c, r->t) : NAN;
    jumped |= has_jumped(c, r->t);
  }
  if (jumped) {
    put_row(r, r->t, BEFORE);
  }
  settle_events(r, 0);
  put_row(r, r->t, AFTER);
  for (guint k = 1; settle_events(r, k); k++) {
    put_row(r, r->t, AFTER);
  }
  forget_events(r);
}

/* What holds just before T: nobody has moved there yet. */
static void begin_instant(HyRecorder *r, double t)
{
  for (guint k = 0; k < r->n; k++) {
    Column *c = &r->column[k];
    c->was = c->spoken;
    c->before = c->jumps && c->was ? value_now(c, t) : NAN;
    widen(c, c->before);
  }
}

/* Straight lines from T0 to T are nowhere further than BEND_MIN of the range so far from the piece
 * if it is cut in so many: a chord of length h is off by h^2/8 max |p''|. */
static double parts_of(const Column *c, double t0, double t)
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

/* A state that its group has moved to T already is on the chord before. */
static void draw_chords(HyRecorder *r, double t)
{
  for (guint k = 0; k < r->n; k++) {
    Column *c = &r->column[k];
    if (c->is.kind == HY_COLUMN_STATE) {
      c->tl = t;
      c->slope = (c->before - c->after) / (t - r->t);
    }
  }
}

/* Rows within the time from the last instant to T, where a piece of higher order bends. */
static void put_bends(HyRecorder *r, double t)
{
  double parts = 1;
  for (guint k = 0; k < r->n; k++) {
    double of = parts_of(&r->column[k], r->t, t);
    parts = of > parts ? of : parts;
  }
  guint n = (guint)parts;
  draw_chords(r, t);
  for (guint k = 1; k < n; k++) {
    double at = r->t + (t - r->t) * ((double)k / n);
    if (at > r->t && at < t) {
      put_row(r, at, AFTER);
    }
  }
}

/* An event at T is about to be noted. */
static void advance(HyRecorder *r, double t)
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
static void take(HyRecorder *r, Column *c, double t, const HyValue *value)
{
  if (value->payload != NULL) {
    g_variant_ref(value->payload);
  }
  if (c->jumps || r->dt > 0) {
    settle(c, t, value);
    return;
  }
  if (c->said == NULL) {
    c->said = g_array_new(FALSE, FALSE, sizeof(HyValue));
  }
  g_array_append_val(c->said, *value);
  r->said = TRUE;
}

/* Whether the column of W has something new by TR. */
static gboolean concerns(const Watch *w, const HyTransition *tr)
{
  if (w->kind == HY_COLUMN_STATE) {
    return tr->kind != HY_LAMBDA;
  }
  HyTransitionKind kind = w->kind == HY_COLUMN_OUTPUT ? HY_LAMBDA : HY_DEXT;
  return tr->kind == kind && tr->event->port >= 0 && (guint)tr->event->port == w->port;
}

static void record_transition(gpointer user, const HyTransition *tr)
{
  HyRecorder *r = user;
  if (r->next.transition != NULL) {
    r->next.transition(r->next.user, tr);
  }
  if (tr->atomic >= r->n_atomics || !isnan(r->end)) { /* what is finished takes nothing more */
    return;
  }
  for (guint k = r->first[tr->atomic]; k < r->first[tr->atomic + 1]; k++) {
    const Watch *w = &g_array_index(r->watch, Watch, k);
    if (!concerns(w, tr)) {
      continue;
    }
    advance(r, tr->t); /* the state has not moved yet, so a row before T still sees the old one */
    if (w->kind != HY_COLUMN_STATE) {
      take(r, &r->column[w->column], tr->t, &tr->event->value);
    }
  }
}

/* A group may move its states at T without a word of theirs, so that they cannot be asked any more
 * for what they were before. */
static void record_instant(gpointer user, double t)
{
  HyRecorder *r = user;
  if (r->next.instant != NULL) {
    r->next.instant(r->next.user, t);
  }
  if (!isnan(r->end)) {
    return;
  }
  if (r->n_grid > 0) {
    put_grid(r, t, FALSE);
  } else if (r->waiting && t > r->t) {
    end_instant(r);
    r->waiting = FALSE;
    r->written = TRUE;
  }
}

static gboolean has_states(const HyRecorder *r)
{
  gboolean has = FALSE;
  for (guint k = 0; k < r->n; k++) {
    has = has || r->column[k].is.kind == HY_COLUMN_STATE;
  }
  return has;
}

static void record_message(gpointer user, const HyMessage *message)
{
  HyRecorder *r = user;
  r->next.message(r->next.user, message);
}

/* The recorder -------------------------------------------------------------------------------- */

HyRecorder *hy_recorder_new(FILE *out, const char *file, const HyColumn *columns, guint n)
{
  g_return_val_if_fail((out == NULL || file != NULL) && (columns != NULL || n == 0), NULL);
  HyRecorder *r = g_new0(HyRecorder, 1);
  r->out = out;
  r->file = g_strdup(file);
  r->form = hy_record_form("-", NULL);
  r->n = n;
  r->column = g_new0(Column, MAX(n, 1));
  r->watch = g_array_new(FALSE, FALSE, sizeof(Watch));
  r->end = NAN;
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
    r->column[k].order = c->kind == HY_COLUMN_STATE ? 3 : 0;
    Watch w = {.atomic = c->atomic, .port = c->port, .column = k, .kind = c->kind};
    g_array_append_val(r->watch, w);
  }
  r->flushed = g_get_monotonic_time();
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

static void column_clear(Column *c)
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
  g_free(r->first);
  g_free(r->times);
  g_free(r->watched);
  g_free(r->file);
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
  r->is = g_new0(const HyColumn *, MAX(r->n, 1));
  r->row.n = r->n;
  r->row.v = g_new0(double, MAX(r->n, 1));
  r->row.shown = g_new0(double, MAX(r->n, 1));
  r->row.payload = g_new0(GVariant *, MAX(r->n, 1));
  for (guint k = 0; k < r->n; k++) {
    r->is[k] = &r->column[k].is;
    r->row.shown[k] = NAN;
  }
  return TRUE;
}

const char *hy_recorder_form(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, NULL);
  return r->form->suffix;
}

void hy_recorder_add_source(HyRecorder *r, guint column, guint atomic, guint port)
{
  g_return_if_fail(r != NULL && r->first == NULL && column < r->n);
  Watch w = {.atomic = atomic, .port = port, .column = column, .kind = HY_COLUMN_OUTPUT};
  g_array_append_val(r->watch, w);
}

/* Times near T are known to a few units of their last place, so their quotient by DT is, too. */
static double grid_count(double dt, double t0, double tf)
{
  double steps = (tf - t0) / dt;
  double doubt = 4 * DBL_EPSILON * (steps + MAX(fabs(t0), fabs(tf)) / dt);
  return floor(steps + MIN(doubt, 0.5)) + 1;
}

gboolean hy_recorder_set_grid(HyRecorder *r, double dt, double t0, double tf, GError **error)
{
  g_return_val_if_fail(r != NULL, FALSE);
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
  r->t0 = t0;
  r->tf = tf;
  r->k = 0;
  r->n_grid = (guint64)n;
  return TRUE;
}

gboolean hy_recorder_set_times(HyRecorder *r, const double *times, guint n, double t0, double tf,
                               GError **error)
{
  g_return_val_if_fail(r != NULL && times != NULL, FALSE);
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  guint first = 0;
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
  return TRUE;
}

void hy_recorder_set_fresh(HyRecorder *r, void (*begun)(gpointer user), gpointer user)
{
  g_return_if_fail(r != NULL && r->out != NULL);
  r->fresh = r->own = TRUE;
  setvbuf(r->out, NULL, _IONBF, 0); /* what could not be written is not tried again at the end */
  r->begun = begun;
  r->begun_user = user;
}

void hy_recorder_set_next(HyRecorder *r, const HyTrace *next)
{
  g_return_if_fail(r != NULL && next != NULL);
  r->next = *next;
}

static int watch_compare(gconstpointer a, gconstpointer b)
{
  const Watch *v = a, *w = b;
  return v->atomic != w->atomic ? (v->atomic > w->atomic) - (v->atomic < w->atomic)
                                : (v->column > w->column) - (v->column < w->column);
}

static void sort_watches(HyRecorder *r)
{
  g_array_sort(r->watch, watch_compare);
  guint n = r->watch->len;
  r->n_atomics = n > 0 ? g_array_index(r->watch, Watch, n - 1).atomic + 1 : 0;
  r->first = g_new0(guint, (gsize)r->n_atomics + 1);
  for (guint k = 0; k < n; k++) {
    r->first[g_array_index(r->watch, Watch, k).atomic + 1] = k + 1;
  }
  for (guint a = 0; a < r->n_atomics; a++) {
    r->first[a + 1] = MAX(r->first[a + 1], r->first[a]);
  }
}

/* Of both, as much as one of them wants. */
static guint8 more_of(guint8 a, guint8 b)
{
  return a == HY_WATCH_NOTHING || b == HY_WATCH_ALL ? b : a;
}

/* On a grid a state is asked when its row comes. */
static guint8 watch_for(const HyRecorder *r, const Watch *w)
{
  if (w->kind == HY_COLUMN_OUTPUT) {
    return HY_WATCH_WORDS;
  }
  return w->kind != HY_COLUMN_STATE || r->dt == 0 ? HY_WATCH_ALL : HY_WATCH_NOTHING;
}

/* What is to be heard, by this recorder or the next watcher; FALSE: everything. */
static gboolean list_watched(HyRecorder *r)
{
  const HyTrace *next = &r->next;
  if (next->transition != NULL && next->watched == NULL) {
    return FALSE;
  }
  guint others = next->transition != NULL ? next->n_watched : 0;
  r->n_watched = MAX(r->n_atomics, others);
  g_free(r->watched);
  r->watched = g_new0(guint8, (gsize)r->n_watched + 1);
  for (guint k = 0; k < r->watch->len; k++) {
    const Watch *w = &g_array_index(r->watch, Watch, k);
    r->watched[w->atomic] = more_of(r->watched[w->atomic], watch_for(r, w));
  }
  for (guint a = 0; a < others; a++) {
    r->watched[a] = more_of(r->watched[a], next->watched[a]);
  }
  return TRUE;
}

HyTrace hy_recorder_trace(HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, (HyTrace){0});
  if (r->first == NULL) {
    sort_watches(r);
  }
  return (HyTrace){.user = r,
                   .transition = record_transition,
                   .instant = has_states(r) || r->next.instant != NULL ? record_instant : NULL,
                   .watched = list_watched(r) ? r->watched : NULL,
                   .n_watched = r->n_watched,
                   .message = r->next.message != NULL ? record_message : NULL};
}

gboolean hy_recorder_failed(const HyRecorder *r)
{
  g_return_val_if_fail(r != NULL, FALSE);
  return r->failure != 0;
}

/* The rows that wait, and one at the end, T, if something has been recorded before it. */
static void put_end(HyRecorder *r, double t)
{
  if (r->waiting) {
    end_instant(r);
  }
  if (r->waiting || r->written) {
    if (t > r->t && isfinite(t)) {
      begin_instant(r, t);
      put_bends(r, t);
      put_row(r, t, AFTER);
    }
  }
  r->waiting = r->written = FALSE;
}

gboolean hy_recorder_finish(HyRecorder *r, double t, GError **error)
{
  g_return_val_if_fail(r != NULL, FALSE);
  if (isnan(r->end)) {
    r->end = t;
    if (r->n_grid > 0) {
      put_grid(r, t, TRUE);
    } else {
      put_end(r, t);
    }
    if (r->out != NULL && !r->headed) {
      put_head(r);
    }
    hy_recorder_flush(r);
  }
  if (r->failure != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot write: %s", r->file,
                g_strerror(r->failure));
  }
  return r->failure == 0;
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
