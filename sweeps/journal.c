/* The journal's bytes, in the order of this machine:
 *   head     "HYJ1", 1 as 32 bits (so that another order of bytes is seen), the digest of the plan
 *            (64 characters), shard and shards, the number of measures, and HY_JOURNAL_SLOTS places
 *            + 1 of rows that threads have begun, 0 where there is none
 *   records  place, status, events, measures as bits, length of why and its bytes, and a checksum
 *            (FNV-1a, 64 bits) of all that
 * Begun rows are written at once into their slots, ended ones behind the others, together with what
 * has gathered. A process that is killed loses what has not been written, and may leave half a
 * record: it and what follows is cut off. */
#include "journal.h"

#include "sweep_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define GATHERED 65536 /* bytes that are written together */

typedef struct {
  char magic[4];
  guint32 one;
  char digest[64];
  guint32 shard, shards, measures, reserved;
} Head;

typedef struct {
  guint64 place, events;
  gint32 status;
  guint32 why;
} Record; /* then measures, the bytes of why, the checksum */

struct HyJournal {
  char *path;
  int file;
  guint n_measures;
  GString *gathered;
  GArray *open; /* guint64 */
};

static gboolean cannot(const HyJournal *j, const char *what, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be %s: %s", j->path, what,
              g_strerror(errno));
  return FALSE;
}

static gboolean write_all(const HyJournal *j, const void *bytes, gsize n, GError **error)
{
  const char *at = bytes;
  while (n > 0) {
    gssize done = write(j->file, at, n);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return cannot(j, "written", error);
    }
    at += done;
    n -= (gsize)done;
  }
  return TRUE;
}

static guint64 checksum(const char *bytes, gsize n)
{
  guint64 h = G_GUINT64_CONSTANT(0xcbf29ce484222325);
  for (gsize k = 0; k < n; k++) {
    h = (h ^ (guint8)bytes[k]) * G_GUINT64_CONSTANT(0x100000001b3);
  }
  return h;
}

/* Reading ------------------------------------------------------------------------------------- */

static Head head_of(const HySweep *s)
{
  Head h = {.magic = "HYJ1",
            .one = 1,
            .shard = s->options.shard,
            .shards = s->options.shards,
            .measures = s->plan->n_measures};
  memcpy(h.digest, s->plan->digest, sizeof h.digest);
  return h;
}

/* The record at AT, of N bytes that there are; 0: it is not whole. Else its length. */
static gsize take_record(HySweep *s, const char *at, gsize n)
{
  Record r;
  guint m = s->plan->n_measures;
  gsize fixed = sizeof r + m * sizeof(double);
  if (n < fixed + sizeof(guint64)) {
    return 0;
  }
  memcpy(&r, at, sizeof r);
  gsize size = fixed + r.why;
  guint64 sum;
  if (n - fixed - sizeof sum < r.why || r.place >= s->n || r.status < 0 ||
      r.status > HY_SWEEP_CRASH) {
    return 0;
  }
  memcpy(&sum, at + size, sizeof sum);
  if (sum != checksum(at, size)) {
    return 0;
  }
  if (s->status[r.place] == HY_SWEEP_OPEN) {
    g_autofree double *measures = g_new(double, (gsize)m + 1);
    g_autofree char *why = r.why > 0 ? g_strndup(at + fixed, r.why) : NULL;
    memcpy(measures, at + sizeof r, m * sizeof(double));
    hy_sweep_keep(s, r.place, &(HySweepRow){r.status, r.events, measures, why});
    s->totals.restored++;
  }
  return size + sizeof sum;
}

/* Returns where the whole records end. */
static gsize take_records(HySweep *s, HyJournal *j, const char *bytes, gsize n)
{
  gsize at = sizeof(Head) + HY_JOURNAL_SLOTS * sizeof(guint64), size;
  while (at < n && (size = take_record(s, bytes + at, n - at)) > 0) {
    at += size;
  }
  for (guint k = 0; k < HY_JOURNAL_SLOTS; k++) {
    guint64 place;
    memcpy(&place, bytes + sizeof(Head) + k * sizeof place, sizeof place);
    if (place > 0 && place <= s->n && s->status[place - 1] == HY_SWEEP_OPEN) {
      place--;
      g_array_append_val(j->open, place);
    }
  }
  return at;
}

/* What is there is of this plan. */
static gboolean is_ours(const HySweep *s, const HyJournal *j, const char *bytes, GError **error)
{
  Head h, ours = head_of(s);
  memcpy(&h, bytes, sizeof h);
  if (memcmp(&h, &ours, sizeof h) == 0) {
    return TRUE;
  }
  gboolean plan = memcmp(h.digest, ours.digest, sizeof h.digest) != 0;
  if (memcmp(h.magic, ours.magic, sizeof h.magic) != 0 || h.one != 1) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: is no journal of a sweep on such a machine",
                j->path);
  } else if (plan) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: is of another plan, model or program (%.12s..., this is %.12s...); --fresh "
                "begins again",
                j->path, h.digest, ours.digest);
  } else {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: is of shard %u/%u; --fresh begins again",
                j->path, h.shard, h.shards);
  }
  return FALSE;
}

static gboolean begin_file(const HySweep *s, const HyJournal *j, GError **error)
{
  static const guint64 slots[HY_JOURNAL_SLOTS];
  Head h = head_of(s);
  if (ftruncate(j->file, 0) != 0 || lseek(j->file, 0, SEEK_SET) < 0) {
    return cannot(j, "written", error);
  }
  return write_all(j, &h, sizeof h, error) && write_all(j, slots, sizeof slots, error);
}

static gboolean go_on(HySweep *s, HyJournal *j, GError **error)
{
  g_autofree char *bytes = NULL;
  g_autoptr(GError) why = NULL;
  gsize n;
  if (!g_file_get_contents(j->path, &bytes, &n, &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s", why->message);
    return FALSE;
  }
  if (s->options.fresh || n < sizeof(Head) + HY_JOURNAL_SLOTS * sizeof(guint64)) {
    return begin_file(s, j, error);
  }
  if (!is_ours(s, j, bytes, error)) {
    return FALSE;
  }
  gsize end = take_records(s, j, bytes, n);
  return (ftruncate(j->file, (off_t)end) == 0 && lseek(j->file, (off_t)end, SEEK_SET) >= 0) ||
         cannot(j, "written", error);
}

/* Its life ------------------------------------------------------------------------------------ */

static gboolean open_file(HySweep *s, HyJournal *j, GError **error)
{
  if (g_file_test(s->options.out, G_FILE_TEST_IS_DIR)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", s->options.out,
                g_strerror(EISDIR));
    return FALSE;
  }
  j->file = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (j->file < 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", s->options.out,
                g_strerror(errno));
    return FALSE;
  }
  if (flock(j->file, LOCK_EX | LOCK_NB) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: another sweep writes it", s->options.out);
    return FALSE;
  }
  return go_on(s, j, error);
}

HyJournal *hy_journal_open(HySweep *s, GError **error)
{
  HyJournal *j = g_new0(HyJournal, 1);
  j->path = g_strconcat(s->options.out, ".journal", NULL);
  j->file = -1;
  j->n_measures = s->plan->n_measures;
  j->gathered = g_string_new(NULL);
  j->open = g_array_new(FALSE, FALSE, sizeof(guint64));
  if (!open_file(s, j, error)) {
    hy_journal_close(j, FALSE);
    return NULL;
  }
  return j;
}

void hy_journal_close(HyJournal *j, gboolean remove)
{
  if (j == NULL) {
    return;
  }
  if (remove) {
    g_unlink(j->path);
  }
  if (j->file >= 0) {
    close(j->file);
  }
  g_free(j->path);
  g_string_free(j->gathered, TRUE);
  g_array_unref(j->open);
  g_free(j);
}

const GArray *hy_journal_open_runs(const HyJournal *j)
{
  return j->open;
}

/* Writing ------------------------------------------------------------------------------------- */

/* If it cannot be written nothing is lost: the next flush says so. */
static void set_slot(const HyJournal *j, guint slot, guint64 value)
{
  off_t at = (off_t)(sizeof(Head) + slot * sizeof value);
  if (pwrite(j->file, &value, sizeof value, at) < 0) {
    return;
  }
}

void hy_journal_begin(const HyJournal *j, guint slot, guint64 place)
{
  set_slot(j, slot, place + 1);
}

void hy_journal_stand(HyJournal *j)
{
  GError *error = NULL;
  hy_journal_flush(j, &error);
  g_clear_error(&error);
  for (guint k = 0; k < HY_JOURNAL_SLOTS; k++) {
    set_slot(j, k, 0);
  }
}

gboolean hy_journal_add(HyJournal *j, guint64 place, const HySweepRow *row, GError **error)
{
  gsize from = j->gathered->len;
  Record r = {.place = place,
              .events = row->events,
              .status = row->status,
              .why = row->why != NULL ? (guint32)strlen(row->why) : 0};
  g_string_append_len(j->gathered, (const char *)&r, sizeof r);
  g_string_append_len(j->gathered, (const char *)row->measures,
                      (gssize)(j->n_measures * sizeof(double)));
  g_string_append_len(j->gathered, row->why != NULL ? row->why : "", (gssize)r.why);
  guint64 sum = checksum(j->gathered->str + from, j->gathered->len - from);
  g_string_append_len(j->gathered, (const char *)&sum, sizeof sum);
  return j->gathered->len < GATHERED || hy_journal_flush(j, error);
}

gboolean hy_journal_flush(HyJournal *j, GError **error)
{
  gboolean ok = write_all(j, j->gathered->str, j->gathered->len, error);
  g_string_truncate(j->gathered, 0);
  return ok;
}
