/* A run in a process of its own: what ends that process ends nothing else. */
#include "sweep_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
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

G_NORETURN static void be_child(const HySweep *s, guint64 place, int to)
{
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  for (guint k = 0; k < G_N_ELEMENTS(ends); k++) {
    signal(ends[k], SIG_DFL);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  HySweepRow row = {0};
  hy_sweep_run(s->plan, hy_sweep_k(s, place), NULL, &row);
  send_row(to, s, &row);
  _exit(0);
}

/* All that comes, until the child closes its end. FALSE: the sweep is to end. */
static gboolean listen_to(HySweep *s, int from, GString *bytes)
{
  char piece[4096];
  struct pollfd at = {.fd = from, .events = POLLIN};
  for (;;) {
    int ready = poll(&at, 1, LOOK_MS);
    gssize n = ready > 0 ? read(from, piece, sizeof piece) : 0;
    if (ready > 0 && n <= 0 && !(n < 0 && errno == EINTR)) {
      return TRUE;
    }
    g_string_append_len(bytes, piece, MAX(n, 0));
    if (s->options.progress != NULL && !s->options.progress(s->options.user, &s->totals)) {
      g_atomic_int_set(&s->stop, 1);
      return FALSE;
    }
  }
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

gboolean hy_sweep_alone(HySweep *s, guint64 place, HySweepRow *row)
{
  int ends[2], how = 0;
  guint n = s->plan->n_measures;
  *row = (HySweepRow){.measures = g_new(double, (gsize)n + 1)};
  for (guint m = 0; m < n; m++) {
    row->measures[m] = NAN;
  }
  if (pipe(ends) != 0) {
    return FALSE;
  }
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(s, place, ends[1]);
  }
  close(ends[1]);
  g_autoptr(GString) bytes = g_string_new(NULL);
  gboolean heard = child > 0 && listen_to(s, ends[0], bytes);
  close(ends[0]);
  if (child > 0 && !heard) {
    kill(child, SIGKILL);
  }
  while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  return heard && (take_row(s, bytes, row) || crashed(how, row));
}
