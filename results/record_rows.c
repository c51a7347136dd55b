/* The rows of a recorder, in each form and in memory. CSV and doubles, which are the most, are
 * written into the buffer at once. */
#include "base/decimal.h"
#include "csv_fields.h"
#include "record_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Numbers ------------------------------------------------------------------------------------- */

/* Whether C has anything on that side: its own words, or what a group answers for it. */
static gboolean has_spoken(const HyRecordColumn *c, HyRecordSide side)
{
  return side == HY_BEFORE && c->jumps ? c->was : c->spoken || c->answered;
}

/* A payload stands there in place of a number. */
static gboolean is_text(const HyRecordColumn *c, HyRecordSide side)
{
  return c->value.payload != NULL && !(side == HY_BEFORE && c->jumps);
}

/* Of all columns, [n]. */
static const double *numbers_at(HyRecorder *r, double t, HyRecordSide side)
{
  if (side == HY_AFTER) {
    return r->now;
  }
  for (guint k = 0; k < r->n; k++) {
    if (side == HY_BETWEEN) {
      r->between[k] = hy_record_value(r, k, t);
    } else {
      r->between[k] = r->column[k].jumps ? r->before[k] : r->now[k];
    }
  }
  return r->between;
}

/* Heads --------------------------------------------------------------------------------------- */

void hy_record_head(HyRecorder *r)
{
  r->headed = TRUE;
  if (r->form->head != NULL) {
    r->head = (goffset)r->heading->len;
    hy_record_count_none(r);
    hy_record_put(r, r->heading->str, r->heading->len);
    r->ready = r->used;
    return;
  }
  g_autoptr(GString) line = g_string_new("time");
  for (guint k = 0; k < r->n; k++) {
    g_string_append_c(line, ',');
    hy_csv_append(line, r->column[k].is.path);
  }
  g_string_append_c(line, '\n');
  hy_record_put(r, line->str, line->len);
  r->ready = r->used;
}

/* Rows ---------------------------------------------------------------------------------------- */

static void put_payload(HyRecorder *r, HyRecordColumn *c)
{
  if (!c->written) {
    g_autofree char *text = g_variant_print(c->value.payload, FALSE);
    c->payload = c->payload != NULL ? g_string_truncate(c->payload, 0) : g_string_new(NULL);
    hy_csv_quote(c->payload, text);
    c->written = TRUE;
  }
  hy_record_put(r, c->payload->str, c->payload->len);
}

static gboolean same_text(double a, double b)
{
  return a == b && signbit(a) == signbit(b);
}

/* Most columns say on both sides of a jump, which is another column's, the same; and currents in
 * series stand side by side: BEFORE is the column before, or NULL. There is room. */
static void put_number(HyRecorder *r, HyRecordColumn *c, const HyRecordColumn *before, double v)
{
  if (c->size == 0 || !same_text(v, c->shown)) {
    if (before != NULL && before->size > 0 && same_text(v, before->shown)) {
      memcpy(c->number, before->number, HY_DOUBLE_SIZE);
      c->size = before->size;
    } else {
      c->size = (guint)hy_decimal_text(c->number, v);
    }
    c->shown = v;
  }
  memcpy(r->buffer + r->used, c->number, HY_DOUBLE_SIZE);
  r->used += c->size;
}

/* Of CSV. */
static void put_fields(HyRecorder *r, double t, const double *v, HyRecordSide side)
{
  r->used += hy_decimal_text(hy_record_room(r, HY_DOUBLE_SIZE), t);
  for (guint k = 0; k < r->n; k++) {
    HyRecordColumn *c = &r->column[k];
    *hy_record_room(r, 1 + HY_DOUBLE_SIZE) = ',';
    r->used++;
    if (!has_spoken(c, side)) {
      continue;
    }
    if (is_text(c, side)) {
      put_payload(r, c);
    } else {
      put_number(r, c, k > 0 ? c - 1 : NULL, v[k]);
    }
  }
  hy_record_put(r, "\n", 1);
}

/* Another row of SIZE bytes would be more than a file of the form can have. */
static gboolean is_too_large(const HyRecorder *r, gsize size)
{
  goffset end = r->head + (goffset)(r->rows + 1) * (goffset)size;
  return r->form->most > 0 && end > r->form->most;
}

static void fail_too_large(HyRecorder *r)
{
  hy_recorder_flush(r);
  r->failure = r->failure != 0 ? r->failure : EFBIG;
}

static void put_doubles(HyRecorder *r, double t, const double *v)
{
  gsize size = r->n * sizeof *v;
  if (is_too_large(r, size + sizeof t)) {
    fail_too_large(r);
    return;
  }
  char *to = hy_record_room(r, size + sizeof t);
  memcpy(to, &t, sizeof t);
  memcpy(to + sizeof t, v, size);
  r->used += size + sizeof t;
}

static void put_form_row(HyRecorder *r, double t, const double *v, HyRecordSide side)
{
  r->row.t = t;
  for (guint k = 0; k < r->n; k++) {
    const HyRecordColumn *c = &r->column[k];
    r->row.v[k] = v[k];
    r->row.payload[k] = has_spoken(c, side) && is_text(c, side) ? c->value.payload : NULL;
  }
  if (is_too_large(r, (gsize)r->n * r->form->sample)) {
    fail_too_large(r);
    return;
  }
  g_string_truncate(r->line, 0);
  r->form->row(r->line, &(HyRowHead){r->n, r->is, r->about, r->until, r->dt}, &r->row);
  hy_record_put(r, r->line->str, r->line->len);
}

static void keep_row(HyRecorder *r, double t, const double *v)
{
  g_array_append_val(r->kept, t);
  for (guint k = 0; r->has_text && k < r->n; k++) {
    if (r->column[k].value.payload != NULL) {
      gint64 place = (gint64)r->kept->len + k;
      g_hash_table_insert(r->payloads, g_memdup2(&place, sizeof place),
                          g_variant_ref(r->column[k].value.payload));
    }
  }
  g_array_append_vals(r->kept, v, r->n);
  r->rows++;
}

void hy_record_row(HyRecorder *r, double t, HyRecordSide side)
{
  if (r->failure != 0) {
    return;
  }
  const double *v = numbers_at(r, t, side);
  if (r->out == NULL) {
    keep_row(r, t, v);
    return;
  }
  if (!r->headed) {
    hy_record_head(r);
  }
  if (r->form->binary && r->form->row == NULL) {
    put_doubles(r, t, v);
  } else if (r->form->row != NULL) {
    put_form_row(r, t, v, side);
  } else {
    put_fields(r, t, v, side);
  }
  if (r->failure == 0) {
    r->rows++;
    hy_record_whole(r);
  }
}
