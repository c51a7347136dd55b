/* The thread of a session in real time. */
#include "driver.h"

#include "frames.h"
#include "mail.h"
#include "ring.h"
#include "session_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of what is said, until the other thread reads it. */
#define RING_BYTES (1U << 20)
/* Frames without work, measured before the run: what the machine itself does. */
#define EMPTY 200

struct HyDriver {
  HySession *session;
  GThread *thread;
  HyRing said;
  int bell;              /* eventfd: something has been said */
  atomic_ullong dropped; /* lines that did not fit */
  atomic_bool over;
  GString *line; /* of the other thread */
  HyFrameCounts empty;
  int priority;      /* in force; 0: as usual */
  char *no_priority; /* why it is not what was asked for; NULL: it is */
};

void hy_driver_tell(HyDriver *d, const char *line)
{
  if (hy_ring_put(&d->said, line, strlen(line) + 1, NULL, 0)) {
    hy_bell_ring(d->bell);
  } else {
    atomic_fetch_add(&d->dropped, 1);
  }
}

int hy_driver_fd(const HyDriver *d)
{
  return d->bell;
}

void hy_driver_json(const HyDriver *d, HyJsonOut *json)
{
  if (d == NULL) {
    return;
  }
  hy_json_count(json, "dropped", atomic_load(&d->dropped));
  hy_json_count(json, "priority", (guint64)d->priority);
  hy_json_text(json, "no_priority", d->no_priority);
  hy_json_begin(json, "empty", '{');
  hy_json_value(json, "p50", hy_frames_part(d->empty.late, 0.5, d->empty.late_most));
  hy_json_value(json, "p99", hy_frames_part(d->empty.late, 0.99, d->empty.late_most));
  hy_json_value(json, "worst", d->empty.late_most);
  hy_json_count(json, "missed", d->empty.missed);
  hy_json_end(json, '}');
}

/* The computing thread ------------------------------------------------------------------------- */

static void take_priority(HyDriver *d)
{
  int wanted = d->session->how.priority;
  struct sched_param p = {.sched_priority = wanted};
  if (wanted <= 0) {
    return;
  }
  int failed = pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
  failed = failed == 0 && mlockall(MCL_CURRENT | MCL_FUTURE) != 0 ? errno : failed;
  d->priority = failed == 0 ? wanted : 0;
  d->no_priority = failed == 0 ? NULL : g_strdup(g_strerror(failed));
  if (failed != 0) {
    HyJsonOut json = hy_session_say_begin(d->session, "no-priority");
    hy_json_text(&json, "why", d->no_priority);
    hy_session_say_end(d->session, &json);
  }
}

/* Frames in which nothing is done, a second at most. */
static void measure_empty(HyDriver *d)
{
  const HySession *s = d->session;
  double h = s->how.frame / (isfinite(s->scale) ? s->scale : 1.0);
  double w0 = hy_session_now(s), most = MIN(EMPTY, 1.0 / h);
  for (guint k = 1; k <= most && !atomic_load(&d->over); k++) {
    s->clock.sleep_until(s->clock.user, w0 + k * h);
    double now = hy_session_now(s);
    hy_frames_count(&d->empty, w0 + k * h, w0 + (k + 1) * h, now, now, (HyFrame){0}, FALSE);
  }
}

static gpointer compute(gpointer user)
{
  HyDriver *d = user;
  HySession *s = d->session;
  take_priority(d);
  measure_empty(d);
  if (hy_session_is_running(s)) {
    hy_session_pace(s); /* it was started before this thread was */
  }
  struct pollfd letter = {.fd = hy_mail_fd(s->mail), .events = POLLIN};
  while (!atomic_load(&d->over)) {
    double due = hy_session_turn_here(s);
    if (isfinite(due)) {
      s->clock.sleep_until(s->clock.user, due);
    } else if (due == INFINITY) {
      poll(&letter, 1, 100);
    }
  }
  return NULL;
}

/* The other thread ----------------------------------------------------------------------------- */

static void start(HySession *s)
{
  HyDriver *d = g_new0(HyDriver, 1);
  d->session = s;
  d->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  d->line = g_string_new(NULL);
  hy_ring_init(&d->said, RING_BYTES);
  s->driver = d;
  hy_mail_set_owner(s->mail, NULL); /* whoever asks now waits for the new thread */
  d->thread = g_thread_new("hydevs frames", compute, d);
}

double hy_driver_turn(HySession *s)
{
  if (s->driver == NULL) {
    start(s);
  }
  HyDriver *d = s->driver;
  hy_bell_hear(d->bell);
  for (gsize n; (n = hy_ring_next(&d->said)) > 0;) {
    g_string_set_size(d->line, n);
    hy_ring_take(&d->said, d->line->str, n);
    hy_session_tell_here(s, d->line->str);
  }
  return INFINITY;
}

void hy_driver_free(HyDriver *d)
{
  if (d != NULL) {
    atomic_store(&d->over, TRUE);
    g_thread_join(d->thread);
    hy_mail_set_owner(d->session->mail, g_thread_self());
    hy_ring_clear(&d->said);
    g_string_free(d->line, TRUE);
    g_free(d->no_priority);
    close(d->bell);
    g_free(d);
  }
}
