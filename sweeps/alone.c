/* Runs in processes of their own: what ends one of these ends nothing else. The process that begins
 * them has no threads then, so that they may do all that it may. */
#include "sweep_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100

/* Of the child: the row as bytes into the pipe, measures and the words of why behind it. */
static void send_row(int to, const HySweep *s, const HySweepRow *row)
{
  g_autoptr(GString) bytes = g_string_new(NULL);
  g_string_append_len(bytes, (const char *)&row->status, sizeof row->status);
  g_string_append_len(bytes, (const char *)&row->events, sizeof row->events);
  g_string_append_len(bytes, (const char *)row->measures,
                      (gssize)(s->plan->n_measures * sizeof(double)));
  g_string_append(bytes, row->why != NULL ? row->why : "");
  for (gsize at = 0; at < bytes->len;) {
    gssize done = write(to, bytes->str + at, bytes->len - at);
    if (done <= 0 && errno != EINTR) {
      _exit(HY_ERROR_RUN);
    }
    at += (gsize)MAX(done, 0);
  }
}

static gboolean take_row(const HySweep *s, const GString *bytes, HySweepRow *row)
{
  gsize n = s->plan->n_measures * sizeof(double), fixed = sizeof row->status + sizeof row->events;
  if (bytes->len < fixed + n) {
    return FALSE;
  }
  memcpy(&row->status, bytes->str, sizeof row->status);
  memcpy(&row->events, bytes->str + sizeof row->status, sizeof row->events);
  memcpy(row->measures, bytes->str + fixed, n);
  row->why = bytes->len > fixed + n ? g_strdup(bytes->str + fixed + n) : NULL;
  return TRUE;
}

G_NORETURN static void be_child(HySweep *s, guint64 place, int to)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  for (guint k = 0; k < G_N_ELEMENTS(ends); k++) {
    signal(ends[k], SIG_DFL);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  HySweepRow row = {0};
  hy_sweep_run(s->plan, hy_sweep_k(s, place), NULL, &row);
  if (!hy_keep_run(s, hy_sweep_k(s, place), &row, NULL)) {
    _exit(HY_ERROR_RUN);
  }
  send_row(to, s, &row);
  _exit(0);
}

/* One that runs a row. */
typedef struct {
  pid_t pid;
  int from; /* its end of the pipe; -1: there is no process */
  guint64 place;
  GString *bytes; /* what has come */
} Child;

static gboolean begin_child(HySweep *s, Child *c, guint slot, guint64 place)
{
  int ends[2];
  if (pipe(ends) != 0) {
    return FALSE;
  }
  if (s->journal != NULL) {
    hy_journal_begin(s->journal, slot, place);
  }
  fflush(NULL); /* or the child would write it, too */
  c->pid = fork();
  if (c->pid == 0) {
    close(ends[0]);
    be_child(s, place, ends[1]);
  }
  close(ends[1]);
  c->place = place;
  c->from = ends[0];
  c->bytes = g_string_new(NULL);
  return TRUE;
}

/* What has become of the process. FALSE: who ended it meant all of us. */
static gboolean crashed(int how, HySweepRow *row)
{
  int by = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
  if (by == SIGINT || by == SIGTERM || by == SIGHUP) {
    return FALSE;
  }
  row->status = HY_SWEEP_CRASH;
  row->why =
      by != 0 ? g_strdup_printf("the run has ended its process: %s", g_strsignal(by))
              : g_strdup_printf("the run has ended its process with status %d", WEXITSTATUS(how));
  return TRUE;
}

/* STOPPED: it is not waited for. */
static void end_child(HySweep *s, Child *c, gboolean stopped)
{
  guint n = s->plan->n_measures;
  HySweepRow row = {.measures = g_new(double, (gsize)n + 1)};
  int how = 0;
  for (guint m = 0; m < n; m++) {
    row.measures[m] = NAN;
  }
  close(c->from);
  if (stopped && c->pid > 0) {
    kill(c->pid, SIGKILL);
  }
  while (c->pid > 0 && waitpid(c->pid, &how, 0) < 0 && errno == EINTR) {
  }
  if (!stopped && c->pid > 0 && (take_row(s, c->bytes, &row) || crashed(how, &row))) {
    hy_sweep_end_run(s, c->place, &row);
  }
  hy_sweep_row_clear(&row);
  g_string_free(c->bytes, TRUE);
  c->from = -1;
}

/* What has come from those that say something; one that closes its end has ended. */
static void listen_to(HySweep *s, Child *child, guint n)
{
  char piece[4096];
  g_autofree struct pollfd *at = g_new0(struct pollfd, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    at[k] = (struct pollfd){.fd = child[k].from, .events = POLLIN}; /* below 0: passed by */
  }
  if (poll(at, n, LOOK_MS) <= 0) {
    return;
  }
  for (guint k = 0; k < n; k++) {
    gssize size = at[k].revents != 0 ? read(child[k].from, piece, sizeof piece) : -1;
    gboolean ended = at[k].revents != 0 && (size == 0 || (size < 0 && errno != EINTR));
    if (size > 0) {
      g_string_append_len(child[k].bytes, piece, size);
    } else if (ended) {
      end_child(s, &child[k], FALSE);
    }
  }
}

static guint begin_some(HySweep *s, Child *child, guint n, HySweepNext next, gpointer user)
{
  guint running = 0;
  for (guint k = 0; k < n; k++) {
    guint64 place;
    gboolean begins = child[k].from < 0 && next(user, s, &place);
    if (begins && !begin_child(s, &child[k], k, place)) {
      g_atomic_int_set(&s->stop, 1);
    }
    running += child[k].from >= 0;
  }
  return running;
}

void hy_sweep_alone(HySweep *s, guint n, HySweepNext next, gpointer user)
{
  g_autofree Child *child = g_new0(Child, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    child[k].from = -1;
  }
  while (g_atomic_int_get(&s->stop) == 0 && begin_some(s, child, n, next, user) > 0) {
    listen_to(s, child, n);
    hy_sweep_look_round(s);
  }
  for (guint k = 0; k < n; k++) {
    if (child[k].from >= 0) {
      end_child(s, &child[k], TRUE);
    }
  }
}
