/* The file of a recorder: bytes are gathered and handed on; a file that could not be written
 * further ends with its last whole row, and a head that tells the number of rows tells those. */
#include "record_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static goffset row_size(const HyRecorder *r)
{
  return r->form->sample > 0 ? (goffset)((gsize)r->n * r->form->sample)
                             : (goffset)(((gsize)r->n + 1) * sizeof(double));
}

/* Of a binary form: in the first SIZE bytes of OUT. */
static goffset whole_rows(const HyRecorder *r, goffset size)
{
  return size > r->head && r->n > 0 ? (size - r->head) / row_size(r) : 0;
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

static gsize count_bytes(const HyRecordCount *c, guint64 rows, char *bytes)
{
  guint64 v = c->plus + c->each * rows, little = GUINT64_TO_LE(v);
  guint32 low = (guint32)v;
  switch (c->kind) {
  case HY_COUNT_TEXT:
    g_snprintf(bytes, HY_COUNT_SIZE + 1, "%*" G_GINT64_MODIFIER "u", -HY_COUNT_SIZE, v);
    return HY_COUNT_SIZE;
  case HY_COUNT_U32:
    memcpy(bytes, &low, sizeof low);
    return sizeof low;
  default:
    memcpy(bytes, &little, sizeof little);
    return sizeof little;
  }
}

/* That ROWS have come to OUT is told in its head, so that it can be read at any time. */
static void tell_count(HyRecorder *r, guint64 rows)
{
  char bytes[HY_COUNT_SIZE + 1];
  for (guint k = 0; k < r->counts.n && (r->failure == 0 || r->own); k++) {
    const HyRecordCount *c = &r->counts.count[k];
    gsize size = count_bytes(c, rows, bytes);
    if (pwrite(fileno(r->out), bytes, size, (off_t)c->at) != (gssize)size && r->failure == 0) {
      r->failure = errno != 0 ? errno : EIO;
    }
  }
}

void hy_record_send(HyRecorder *r)
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
      if (r->form->binary && r->sent > r->head) { /* also of a process that is killed */
        r->failure = fflush(r->out) != 0 ? (errno != 0 ? errno : EIO) : 0;
        tell_count(r, (guint64)whole_rows(r, r->sent));
      }
    }
  }
  r->used = 0;
}

void hy_record_put(HyRecorder *r, const char *text, gsize size)
{
  while (size > 0) {
    gsize part = MIN(size, HY_RECORD_BUFFER - r->used);
    memcpy(r->buffer + r->used, text, part);
    r->used += part;
    text += part;
    size -= part;
    if (r->used == HY_RECORD_BUFFER) {
      hy_record_send(r);
    }
  }
}

void hy_recorder_flush(HyRecorder *r)
{
  g_return_if_fail(r != NULL);
  if (r->out == NULL || !r->headed) {
    return;
  }
  hy_record_send(r);
  errno = 0;
  if (r->failure == 0 && fflush(r->out) != 0) {
    r->failure = errno != 0 ? errno : EIO;
  }
  tell_count(r, r->rows);
  r->flushed = g_get_monotonic_time();
}
