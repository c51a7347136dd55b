/* The file of a recorder. Rows are gathered and handed on whole, and at every instant the file is
 * one that its readers take: whatever ends the process, what stands there are whole rows and a head
 * that counts them.
 *
 * Where the head counts, rows come first and then their number, which lies in one page: the system
 * writes page after page, and a process that is killed may be stopped between two of them. A text
 * has no such number, and readers of .raw take nothing that the number leaves out. There a process
 * of its own makes the change, which a kill of this one does not reach, and keeps readers out until
 * it is done. */
#include "record_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

/* The head ------------------------------------------------------------------------------------ */

static gsize count_bytes(const HyRecordCount *c, guint64 rows, char *bytes)
{
  guint64 v = c->plus + c->each * rows, little = GUINT64_TO_LE(v);
  guint32 low = (guint32)v;
  char text[HY_COUNT_SIZE + 1];
  switch (c->kind) {
  case HY_COUNT_TEXT:
    g_snprintf(text, sizeof text, "%*" G_GINT64_MODIFIER "u", -HY_COUNT_SIZE, v);
    memcpy(bytes, text, HY_COUNT_SIZE);
    return HY_COUNT_SIZE;
  case HY_COUNT_U32:
    memcpy(bytes, &low, sizeof low);
    return sizeof low;
  default:
    memcpy(bytes, &little, sizeof little);
    return sizeof little;
  }
}

void hy_record_count_none(HyRecorder *r)
{
  for (guint k = 0; k < r->counts.n; k++) {
    count_bytes(&r->counts.count[k], 0, r->heading->str + r->counts.count[k].at);
  }
}

/* One call of the system has been made for R; DONE bytes of WANTED. */
static int step_made(const HyRecorder *r, gssize done, gsize wanted)
{
  int why = done == (gssize)wanted ? 0 : errno != 0 ? errno : EIO;
  if (r->stepped != NULL) {
    r->stepped(r->stepped_user);
  }
  return why;
}

/* The bytes of the head from FROM to TO. */
static int write_head(const HyRecorder *r, gsize from, gsize to)
{
  errno = 0;
  return step_made(r, pwrite(fileno(r->out), r->heading->str + from, to - from, (off_t)from),
                   to - from);
}

/* Tells ROWS in the head: what is told EARLY, or the rest. All that lies in one page changes at
 * once, else one after the other, in the order of the form. */
static int tell_counts(const HyRecorder *r, guint64 rows, gboolean early)
{
  gsize low = G_MAXSIZE, high = 0, size[G_N_ELEMENTS(r->counts.count)] = {0};
  for (guint k = 0; k < r->counts.n; k++) {
    const HyRecordCount *c = &r->counts.count[k];
    if (!c->early == !early) {
      size[k] = count_bytes(c, rows, r->heading->str + c->at);
      low = MIN(low, c->at);
      high = MAX(high, c->at + size[k]);
    }
  }
  if (high > 0 && low / PAGE == (high - 1) / PAGE) {
    return write_head(r, low, high);
  }
  int why = 0;
  for (guint k = 0; k < r->counts.n && why == 0; k++) {
    gsize at = r->counts.count[k].at;
    why = size[k] > 0 ? write_head(r, at, at + size[k]) : 0;
  }
  return why;
}

/* Rows ---------------------------------------------------------------------------------------- */

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

/* Where the last row within SIZE bytes of text ends; 0: none does. A row that begins with its mark
 * ends where the next one begins. */
static gsize last_end(const HyRecorder *r, const char *text, gsize size)
{
  const char mark = r->form->mark;
  while (size > 0 &&
         (mark == '\n' ? text[size - 1] != mark : text[size] != mark || text[size - 1] != '\n')) {
    size--;
  }
  return size;
}

/* N bytes of what is whole from DONE on, into a file of a disk or what else OUT may be. A pipe
 * takes so many at once and no part of them. */
static gssize write_some(const HyRecorder *r, gsize done, gsize n)
{
  int out = fileno(r->out);
  if (r->own) {
    return pwrite(out, r->buffer + done, n, (off_t)(r->sent + (goffset)done));
  }
  if (out < 0) { /* it is no file of the system */
    return fwrite(r->buffer + done, 1, n, r->out) == n && fflush(r->out) == 0 ? (gssize)n : -1;
  }
  gsize end = n > PIPE_BUF && !r->form->binary ? last_end(r, r->buffer + done, PIPE_BUF) : 0;
  return write(out, r->buffer + done, end > 0 ? end : n);
}

static int write_rows(const HyRecorder *r)
{
  gsize done = 0;
  int why = 0;
  while (done < r->ready && why == 0) {
    errno = 0;
    gssize n = write_some(r, done, r->ready - done);
    why = step_made(r, n, n > 0 ? (gsize)n : 1);
    done += n > 0 ? (gsize)n : 0;
  }
  return why;
}

/* One change ---------------------------------------------------------------------------------- */

/* All calls that bring OUT from what it has to what it is to have; errno of the first that fails.
 * Nothing of R changes but the numbers in its heading. */
static int change_file(const HyRecorder *r)
{
  if (!r->has_begun && r->begun != NULL) {
    r->begun(r->begun_user);
  }
  errno = 0;
  int why = r->fresh ? step_made(r, ftruncate(fileno(r->out), 0), 0) : 0;
  gboolean counts = r->counts.n > 0 && r->told != r->rows;
  gboolean there = r->sent > 0; /* the head is: else it goes with the first rows */
  if (why == 0 && counts && there) {
    why = tell_counts(r, r->rows, TRUE);
  }
  if (why == 0) {
    why = write_rows(r);
  }
  if (why == 0 && counts && !there) {
    why = tell_counts(r, r->rows, TRUE);
  }
  return why == 0 && counts ? tell_counts(r, r->rows, FALSE) : why;
}

/* Whether a process that is killed within the calls leaves what no reader takes. */
static gboolean may_be_torn(const HyRecorder *r)
{
  goffset last = r->sent + (goffset)r->ready - 1;
  gboolean many = r->sent / PAGE != last / PAGE;
  return r->own && (r->fresh || r->form->exact || (!r->form->binary && many));
}

/* Whoever opens the file waits until the change is done, which the system sees to where it has
 * leases and nobody has the file open already. */
static gboolean keep_readers_out(const HyRecorder *r, gboolean out)
{
#ifdef F_SETLEASE
  return fcntl(fileno(r->out), F_SETLEASE, out ? F_WRLCK : F_UNLCK) == 0;
#else
  return (void)r, (void)out, FALSE;
#endif
}

/* CHANGE in a process of its own, which no signal reaches that is meant for this one or its
 * group. Where there can be none, this one does it itself. It borrows the memory of this one, which
 * waits; but for some tools, which copy it, so the result comes as the status, too. If this one has
 * been killed before the other had its turn nothing is begun: on a busy machine that may be long
 * after. If it is killed later, readers are kept out already: whoever opens the file of a process
 * that is gone finds whole rows. */
static int change_apart(const HyRecorder *r, int (*change)(const HyRecorder *r))
{
  sigset_t all, old;
  volatile int why = -1;
  int status = 0;
  pid_t self = getpid();
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pid_t child = vfork(); /* NOLINT: it calls what writes and nothing else */
  if (child == 0) {
    setsid(); /* NOLINT: as above */
    gboolean alone = keep_readers_out(r, TRUE);
    why = getppid() == self ? change(r) : 0;
    if (alone) {
      keep_readers_out(r, FALSE);
    }
    _exit(why);
  }
  if (child < 0) {
    why = change(r);
  } else {
    pid_t ended = waitpid(child, &status, 0); /* all signals are blocked */
    if (ended == child) {
      why = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
    }
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return why < 0 ? EIO : why;
}

/* A change has failed somewhere. The file ends with the last row that is whole: a number that is
 * cut short would be another number. */
static void settle(HyRecorder *r)
{
  struct stat file;
  if (!r->own || fstat(fileno(r->out), &file) != 0 || file.st_size < r->sent) {
    return;
  }
  gsize written = MIN((gsize)(file.st_size - r->sent), r->ready);
  gsize end = r->form->binary || written == r->ready ? written : last_end(r, r->buffer, written);
  guint64 lost = 0;
  for (gsize k = end; k < r->ready && !r->form->binary; k++) {
    lost += r->buffer[k] == r->form->mark ? 1 : 0;
  }
  goffset whole = r->sent + (goffset)end;
  if (r->form->binary) {
    goffset rows = whole_rows(r, whole);
    whole = whole >= r->head ? r->head + rows * row_size(r) : 0;
    r->rows = (guint64)rows;
  } else {
    r->rows -= MIN(lost, r->rows);
  }
  if (ftruncate(fileno(r->out), whole) != 0) {
    r->failure = errno;
  } else if (whole > 0 && r->counts.n > 0) {
    tell_counts(r, r->rows, TRUE);
    tell_counts(r, r->rows, FALSE);
  }
}

static void send_rows(HyRecorder *r)
{
  gboolean news = r->ready > 0 || (r->counts.n > 0 && r->told != r->rows);
  if (r->failure == 0 && news) {
    fflush(r->out); /* what its owner has put there */
    r->failure = may_be_torn(r) ? change_apart(r, change_file) : change_file(r);
    r->fresh = r->fresh && r->failure != 0;
    r->has_begun = TRUE;
    if (r->failure != 0) {
      settle(r);
    }
    r->told = r->rows;
    r->sent += (goffset)r->ready;
  }
  if (r->ready > 0) { /* else there may be no buffer yet, behind a snapshot */
    memmove(r->buffer, r->buffer + r->ready, r->used - r->ready);
  }
  r->used -= r->ready;
  r->ready = 0;
}

static int lay_head(const HyRecorder *r)
{
  errno = 0;
  return step_made(r, pwrite(fileno(r->out), r->buffer, r->used, 0), r->used);
}

void hy_record_lay(HyRecorder *r)
{
  g_assert(r->own && !r->headed);
  hy_record_head(r);
  r->failure = r->used > PAGE ? change_apart(r, lay_head) : lay_head(r);
  r->sent = (goffset)r->used;
  r->used = r->ready = 0;
  r->fresh = FALSE;
}

gboolean hy_record_cut(HyRecorder *r)
{
  int why = tell_counts(r, r->rows, TRUE);
  why = why == 0 ? tell_counts(r, r->rows, FALSE) : why;
  errno = why;
  return why == 0 && ftruncate(fileno(r->out), r->sent) == 0;
}

/* The buffer ---------------------------------------------------------------------------------- */

void hy_record_grow(HyRecorder *r, gsize size)
{
  while (r->capacity - r->used < size) {
    gsize capacity = MAX(2 * r->capacity, HY_RECORD_BUFFER + HY_RECORD_BUFFER / 4);
    r->buffer = g_realloc(r->buffer, capacity);
    r->capacity = capacity;
  }
}

void hy_record_put(HyRecorder *r, const char *text, gsize size)
{
  memcpy(hy_record_room(r, size), text, size);
  r->used += size;
}

/* The clock is looked at every so many rows; where they are rare each of them is worth the look. */
#define ROWS_A_LOOK 32
#define RARE        1000 /* us */

void hy_record_whole(HyRecorder *r)
{
  r->ready = r->used;
  if (r->used >= HY_RECORD_BUFFER) {
    send_rows(r);
  }
  if (r->rows < r->look_at) {
    return;
  }
  gint64 now = g_get_monotonic_time();
  gboolean rare = now - r->looked > (gint64)r->look_every * RARE;
  r->looked = now;
  r->look_every = rare ? 1 : ROWS_A_LOOK;
  r->look_at = r->rows + r->look_every;
  if (now - r->flushed > G_USEC_PER_SEC / 4) {
    hy_recorder_flush(r);
  }
}

void hy_recorder_flush(HyRecorder *r)
{
  g_return_if_fail(r != NULL);
  if (r->out == NULL || !r->headed) {
    return;
  }
  send_rows(r);
  r->flushed = g_get_monotonic_time();
}
