/* What a recorder remembers, on a tape: of a file, so that a run that goes on from a snapshot adds
 * its rows to the file where that one stood; and in memory, so that one that cannot leaves it as it
 * was. What has been handed on to the file stays there: its length is on the tape. */
#include "record_internal.h"

#include "base/digest.h"
#include "base/tape.h"
#include "hydevs/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The events of column C that wait. */
static void said_tape(HyRecordColumn *c, HyTape *tape)
{
  gsize n = hy_tape_count(tape, "waiting", c->said != NULL ? c->said->len : 0, G_MAXUINT);
  if (hy_tape_loads(tape) && (n > 0 || c->said != NULL)) {
    if (c->said == NULL) {
      c->said = g_array_new(FALSE, FALSE, sizeof(HyValue));
    }
    g_array_set_size(c->said, (guint)n);
    memset(c->said->data, 0, n * sizeof(HyValue));
  }
  for (guint k = 0; c->said != NULL && k < n; k++) {
    HyValue *v = &g_array_index(c->said, HyValue, k);
    HY_TAPE(tape, *v);
  }
}

static void column_tape(HyRecordColumn *c, HyTape *tape)
{
  HY_TAPE(tape, c->spoken);
  HY_TAPE(tape, c->still);
  HY_TAPE(tape, c->straight);
  HY_TAPE(tape, c->numeric);
  HY_TAPE(tape, c->was);
  HY_TAPE(tape, c->touched);
  HY_TAPE(tape, c->order);
  HY_TAPE(tape, c->tl);
  HY_TAPE(tape, c->value);
  HY_TAPE(tape, c->low);
  HY_TAPE(tape, c->high);
  HY_TAPE(tape, c->after);
  HY_TAPE(tape, c->slope);
  said_tape(c, tape);
  if (hy_tape_loads(tape)) { /* texts are made anew */
    c->size = 0;
    c->written = FALSE;
  }
}

static gint by_place(gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
  return x < y ? -1 : x > y;
}

/* Payloads in rows that are kept, by their places. */
static void payloads_tape(HyRecorder *r, HyTape *tape)
{
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint64));
  GHashTableIter i;
  gpointer key;
  g_hash_table_iter_init(&i, r->payloads);
  while (g_hash_table_iter_next(&i, &key, NULL)) {
    g_array_append_val(places, *(guint64 *)key);
  }
  g_array_sort(places, by_place);
  hy_tape_numbers(tape, HY_ITEM_U64, "places", places);
  g_autoptr(GHashTable) anew =
      g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_variant_unref);
  for (guint k = 0; k < places->len; k++) {
    guint64 place = g_array_index(places, guint64, k);
    HyValue v = {{0}, NULL};
    if (tape->pass == HY_TAPE_SAVE) {
      v.payload = g_hash_table_lookup(r->payloads, &place);
    }
    hy_tape_item(tape, HY_ITEM_VALUE, "payload", &v, 1);
    if (hy_tape_loads(tape) && v.payload != NULL) {
      g_hash_table_insert(anew, g_memdup2(&place, sizeof place), v.payload);
    }
  }
  if (hy_tape_loads(tape)) {
    g_hash_table_unref(r->payloads);
    r->payloads = g_steal_pointer(&anew);
  }
}

static void touched_tape(HyRecorder *r, HyTape *tape)
{
  gsize n = hy_tape_count(tape, "n_touched", r->n_touched, r->n);
  HY_TAPE_ARRAY(tape, r->touched, n);
  r->n_touched = (guint)n;
  for (guint k = 0; k < n; k++) {
    if (r->touched[k] >= r->n) {
      r->n_touched = 0;
      hy_tape_reject(tape, "there is no such column");
    }
  }
}

/* FALSE: the file is about other columns, which is told. */
static gboolean paths_tape(const HyRecorder *r, HyTape *tape)
{
  gsize n = hy_tape_count(tape, "columns", r->n, G_MAXUINT);
  gboolean same = n == r->n;
  for (guint k = 0; k < n && same; k++) {
    char *path = g_strdup(r->column[k].is.path);
    g_autofree char *own = path;
    if (hy_tape_loads(tape)) {
      path = NULL;
    }
    hy_tape_item(tape, HY_ITEM_TEXT, "path", &path, 1);
    same = g_strcmp0(path, own) == 0;
    if (hy_tape_loads(tape)) {
      g_free(path);
    }
  }
  if (!same) {
    hy_tape_reject(tape, "it records other columns than the snapshot");
  }
  return same;
}

static void rows_tape(HyRecorder *r, HyTape *tape)
{
  double dt = r->dt;
  guint64 n_grid = r->n_grid;
  HY_TAPE(tape, r->heard);
  HY_TAPE(tape, r->t);
  HY_TAPE(tape, r->waiting);
  HY_TAPE(tape, r->written);
  HY_TAPE(tape, r->said);
  HY_TAPE(tape, r->bent);
  HY_TAPE(tape, r->has_text);
  HY_TAPE(tape, dt);
  HY_TAPE(tape, n_grid);
  HY_TAPE(tape, r->k);
  HY_TAPE(tape, r->due);
  HY_TAPE(tape, r->rows);
  HY_TAPE(tape, r->row.cut);
  if ((dt != r->dt && !(isnan(dt) && isnan(r->dt))) || r->k > r->n_grid) {
    hy_tape_reject(tape, "it is on another grid than the snapshot");
  }
}

void hy_recorder_all_tape(HyRecorder *r, HyTape *tape)
{
  if (hy_tape_files(tape) && !paths_tape(r, tape)) {
    return;
  }
  rows_tape(r, tape);
  HY_TAPE_ARRAY(tape, r->now, r->n);
  HY_TAPE_ARRAY(tape, r->before, r->n);
  touched_tape(r, tape);
  for (guint k = 0; k < r->n; k++) {
    column_tape(&r->column[k], tape);
  }
  if (r->row.shown != NULL) {
    HY_TAPE_ARRAY(tape, r->row.shown, r->n);
  }
  guint64 bytes = (guint64)r->sent, head = (guint64)r->head;
  HY_TAPE(tape, r->headed);
  HY_TAPE(tape, head);
  HY_TAPE(tape, bytes);
  if (hy_tape_loads(tape)) {
    r->head = (goffset)head;
    r->sent = (goffset)bytes;
  }
  if (r->kept != NULL) {
    hy_tape_numbers(tape, HY_ITEM_F64, "rows", r->kept);
    payloads_tape(r, tape);
  }
}

/* The file ------------------------------------------------------------------------------------- */

#define TAIL 4096 /* bytes of rows that are looked at again */

/* The digest of the last rows in the first BYTES of the file, newly allocated; NULL: it has less,
 * or cannot be read. */
static char *tail_digest(const HyRecorder *r, guint64 bytes, guint64 head)
{
  gsize n = (gsize)MIN(bytes > head ? bytes - head : 0, TAIL), done = 0;
  guint8 tail[TAIL];
  int in = open(r->file, O_RDONLY | O_CLOEXEC);
  gssize got = in >= 0 ? 1 : -1;
  while (done < n && got > 0) {
    got = pread(in, tail + done, n - done, (off_t)(bytes - n + done));
    done += got > 0 ? (gsize)got : 0;
  }
  if (in >= 0) {
    close(in);
  }
  HyDigest d;
  hy_digest_init(&d);
  hy_digest_take(&d, tail, done);
  char *digest = hy_digest_end(&d);
  if (got < 0 || done < n) {
    g_clear_pointer(&digest, g_free);
  }
  return digest;
}

guint64 hy_recorder_bytes(const HyRecorder *r)
{
  return r->out != NULL ? (guint64)r->sent : 0;
}

void hy_recorder_tail_tape(HyRecorder *r, HyTape *tape, char **digest)
{
  char *tail = hy_tape_loads(tape) || r->out == NULL || !r->own
                   ? NULL
                   : tail_digest(r, (guint64)r->sent, (guint64)r->head);
  hy_tape_item(tape, HY_ITEM_TEXT, "tail", &tail, 1);
  if (hy_tape_loads(tape)) {
    *digest = tail;
  } else {
    g_free(tail);
  }
}

gboolean hy_recorder_may_go_on(const HyRecorder *r, const char *digest, GError **error)
{
  static const char anew[] = "; --new-recording begins anew";
  struct stat is;
  if (r->out == NULL) {
    return TRUE;
  }
  if (!r->own || fstat(fileno(r->out), &is) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: the rows that have been written there cannot be taken back%s", r->file, anew);
    return FALSE;
  }
  if (is.st_size < r->sent) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: it has %" G_GINT64_FORMAT " bytes, and had %" G_GINT64_FORMAT
                " when the snapshot was written%s",
                r->file, (gint64)is.st_size, (gint64)r->sent, anew);
    return FALSE;
  }
  if (ftruncate(fileno(r->out), is.st_size) != 0) { /* nothing is cut, if that can be */
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: it cannot be cut: %s%s", r->file,
                g_strerror(errno), anew);
    return FALSE;
  }
  g_autofree char *tail = tail_digest(r, (guint64)r->sent, (guint64)r->head);
  if (digest == NULL || g_strcmp0(tail, digest) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: it has other rows than the snapshot knew: it is another recording%s", r->file,
                anew);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_recorder_cut_off(HyRecorder *r, GError **error)
{
  if (r->out == NULL || r->sent == 0 || hy_record_cut(r)) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be cut: %s", r->file, g_strerror(errno));
  return FALSE;
}

void hy_recorder_go_on(HyRecorder *r)
{
  if (r->out != NULL) {
    r->used = r->ready = 0;
    r->has_begun = r->sent > 0;
    r->fresh = r->sent == 0;
    r->told = r->rows;
  }
}

void hy_recorder_begin_anew(HyRecorder *r)
{
  r->rows = r->told = 0;
  r->used = r->ready = 0;
  r->headed = r->has_begun = FALSE;
  r->head = r->sent = 0;
  r->fresh = r->own;
  if (r->kept != NULL) {
    g_array_set_size(r->kept, 0);
    g_hash_table_remove_all(r->payloads);
  }
  for (guint k = 0; r->row.shown != NULL && k < r->n; k++) {
    r->row.shown[k] = NAN;
  }
}
