/* Rank 0 has the list of runs and hands out shares of it to whoever asks: its own threads, and
 * other ranks, which ask when fewer runs than two for each thread are left there. A share is about
 * 50 ms of work, by the time that runs have taken so far; and no more than an eighth of what would
 * be a fair part of the rest, so that all end together. One thread of each rank speaks to the
 * others and sleeps between looking, since waiting inside MPI takes a whole core. Whoever does a
 * run, its bytes are the same, so times decide nothing but who waits.
 *
 * Messages: a letter, and numbers of 64 bits in the order of the machine (all ranks run the same
 * program).
 *   'a' wanted                         a rank asks for so many runs
 *   's' k, k, ..                       a share; empty: there is nothing left, and none will come
 *   'r' k, size, bytes, k, size, ..    what runs have given */
#include "sweeps/crew.h"

#include <pthread.h> /* ThreadSanitizer knows what its locks mean, and not those of GLib */
#include <string.h>

#define SHARE_SECONDS 0.05
#define SLEEP_US      300

typedef struct {
  const HyCrew *crew;
  const HyWork *work;
  pthread_mutex_t lock; /* of what follows, until the next comment */
  pthread_cond_t more;
  GArray *todo; /* of guint64: runs that are to be done here, */
  guint next;   /* from this one */
  gboolean closed;
  GByteArray *done; /* k, size, bytes .. */
  guint ended;      /* threads */
  guint64 runs;     /* that have been done here, */
  double seconds;   /* and what they took together */
  /* of the thread that speaks */
  gboolean asked;
  GByteArray *message;
  const guint64 *list; /* rank 0: all runs, */
  guint64 n, given;    /* so many, and so many are with somebody */
  guint64 taken;
  guint dismissed; /* ranks that know that nothing is left */
  GArray *wanted;  /* rank 0: what each rank asks for; 0: nothing */
} Crew;

static void put_number(GByteArray *out, guint64 v)
{
  g_byte_array_append(out, (const guint8 *)&v, sizeof v);
}

static guint64 get_number(const guint8 *at)
{
  guint64 v;
  memcpy(&v, at, sizeof v);
  return v;
}

/* The next run of this rank. FALSE: there will be none. */
static gboolean next_run(Crew *c, guint64 *k)
{
  pthread_mutex_lock(&c->lock);
  while (c->next == c->todo->len && !c->closed) {
    pthread_cond_wait(&c->more, &c->lock);
  }
  gboolean there = c->next < c->todo->len;
  if (there) {
    *k = g_array_index(c->todo, guint64, c->next++);
  }
  pthread_mutex_unlock(&c->lock);
  return there;
}

static gpointer worker(gpointer data)
{
  Crew *c = (Crew *)data;
  g_autoptr(GByteArray) out = g_byte_array_new();
  for (guint64 k; next_run(c, &k);) {
    gint64 begun = g_get_monotonic_time();
    g_byte_array_set_size(out, 0);
    c->work->run(c->work->user, k, out);
    pthread_mutex_lock(&c->lock);
    c->runs++;
    c->seconds += (double)(g_get_monotonic_time() - begun) * 1e-6;
    put_number(c->done, k);
    put_number(c->done, out->len);
    g_byte_array_append(c->done, out->data, out->len);
    pthread_mutex_unlock(&c->lock);
  }
  pthread_mutex_lock(&c->lock);
  c->ended++;
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

static void add_runs(Crew *c, const guint64 *k, guint64 n)
{
  pthread_mutex_lock(&c->lock);
  g_array_remove_range(c->todo, 0, c->next);
  c->next = 0;
  g_array_append_vals(c->todo, k, (guint)n);
  pthread_cond_broadcast(&c->more);
  pthread_mutex_unlock(&c->lock);
}

/* Nothing is added any more; of what is here, all is done, or (DROP) what is under way. */
static void close_runs(Crew *c, gboolean drop)
{
  pthread_mutex_lock(&c->lock);
  c->closed = TRUE;
  c->next = drop ? c->todo->len : c->next;
  pthread_cond_broadcast(&c->more);
  pthread_mutex_unlock(&c->lock);
}

/* How many runs this rank wants now; 0: it has enough. */
static guint64 wants(Crew *c)
{
  pthread_mutex_lock(&c->lock);
  guint left = c->todo->len - c->next, threads = c->crew->threads;
  double rate = c->seconds > 0.0 ? (double)c->runs / c->seconds : 0.0;
  pthread_mutex_unlock(&c->lock);
  const guint64 few = 2 * (guint64)threads;
  guint64 share = (guint64)(MIN(rate * SHARE_SECONDS, 1e6) * threads);
  return left < few ? MAX(share, few) : 0;
}

/* So many of the list for one rank that wants WANTED. */
static guint64 share(const Crew *c, guint64 wanted)
{
  guint64 left = c->n - c->given, fair = left / (8 * (guint64)c->crew->n_ranks);
  return MIN(left, MIN(wanted, MAX(fair, 1)));
}

/* Moves what has ended here into *DONE. */
static gboolean collect(Crew *c, GByteArray *done)
{
  pthread_mutex_lock(&c->lock);
  g_byte_array_set_size(done, 0);
  g_byte_array_append(done, c->done->data, c->done->len);
  g_byte_array_set_size(c->done, 0);
  pthread_mutex_unlock(&c->lock);
  return done->len > 0;
}

static gboolean take_all(Crew *c, const guint8 *at, gsize n)
{
  for (const guint8 *end = at + n; at < end;) {
    guint64 k = get_number(at), size = get_number(at + sizeof k);
    at += 2 * sizeof k;
    if (!c->work->take(c->work->user, k, at, size)) {
      return FALSE;
    }
    at += size;
    c->taken++;
  }
  return TRUE;
}

static gboolean send_message(const Crew *c, guint to, char letter, gconstpointer bytes, gsize n)
{
  g_autoptr(GByteArray) message = g_byte_array_new();
  g_byte_array_append(message, (const guint8 *)&letter, 1);
  g_byte_array_append(message, bytes, (guint)n);
  return c->crew->ranks->send(to, message->data, message->len);
}

/* Rank 0: whoever asks gets a share; where nothing is left, an empty one, once. */
static gboolean answer(Crew *c)
{
  for (guint r = 1; r < c->wanted->len; r++) {
    guint64 *wanted = &g_array_index(c->wanted, guint64, r);
    if (*wanted == 0) {
      continue;
    }
    guint64 n = share(c, *wanted);
    *wanted = 0;
    c->dismissed += n == 0 ? 1 : 0;
    if (!send_message(c, r, 's', c->list + c->given, n * sizeof *c->list)) {
      return FALSE;
    }
    c->given += n;
  }
  return TRUE;
}

/* Rank 0 looks round once. FALSE: it cannot go on. */
static gboolean lead(Crew *c, GByteArray *done, gboolean *idle)
{
  guint from;
  while (c->crew->ranks != NULL && c->crew->ranks->receive(&from, c->message)) {
    const guint8 *bytes = c->message->data;
    *idle = FALSE;
    if (bytes[0] == 'a') {
      g_array_index(c->wanted, guint64, from) = get_number(bytes + 1);
    } else if (!take_all(c, bytes + 1, c->message->len - 1)) {
      return FALSE;
    }
  }
  if (collect(c, done)) {
    *idle = FALSE;
    if (!take_all(c, done->data, done->len)) {
      return FALSE;
    }
  }
  guint64 own = share(c, wants(c));
  if (own > 0) {
    add_runs(c, c->list + c->given, own);
    c->given += own;
  }
  return answer(c) && (c->work->stop == NULL || !c->work->stop(c->work->user));
}

static gboolean all_ended(Crew *c)
{
  pthread_mutex_lock(&c->lock);
  gboolean ended = c->ended == c->crew->threads && c->done->len == 0;
  pthread_mutex_unlock(&c->lock);
  return ended;
}

/* Another rank looks round once. */
static gboolean follow(Crew *c, GByteArray *done, gboolean *idle)
{
  guint from;
  guint64 wanted = c->asked || c->closed ? 0 : wants(c);
  if (wanted > 0) {
    c->asked = TRUE;
    if (!send_message(c, 0, 'a', &wanted, sizeof wanted)) {
      return FALSE;
    }
  }
  while (c->crew->ranks->receive(&from, c->message)) {
    gsize size = c->message->len - 1;
    g_autofree guint64 *k = g_memdup2(c->message->data + 1, size);
    c->asked = FALSE;
    *idle = FALSE;
    if (size > 0) {
      add_runs(c, k, size / sizeof *k);
    } else {
      close_runs(c, FALSE);
    }
  }
  if (!collect(c, done)) {
    return TRUE;
  }
  *idle = FALSE;
  return send_message(c, 0, 'r', done->data, done->len);
}

/* Rank 0: everything has been taken, and the others know that nothing is left. */
static gboolean all_taken(Crew *c)
{
  return c->taken == c->n && c->dismissed + 1 == c->crew->n_ranks;
}

static gboolean look_round(Crew *c, GByteArray *done)
{
  const gboolean leads = c->crew->rank == 0;
  while (!(leads ? all_taken : all_ended)(c)) {
    gboolean idle = TRUE;
    if (!(leads ? lead : follow)(c, done, &idle)) {
      return FALSE;
    }
    if (idle) {
      g_usleep(SLEEP_US);
    }
  }
  return TRUE;
}

static void work_together(Crew *c, gboolean *ok)
{
  const guint n = c->crew->threads;
  g_autofree GThread **threads = g_new(GThread *, n);
  g_autoptr(GByteArray) done = g_byte_array_new();
  for (guint t = 0; t < n; t++) {
    threads[t] = g_thread_new("run", worker, c);
  }
  *ok = look_round(c, done);
  close_runs(c, !*ok);
  for (guint t = 0; t < n; t++) {
    g_thread_join(threads[t]);
  }
}

gboolean hy_crew_work(const HyCrew *crew, const HyWork *work, const guint64 *k, guint64 n)
{
  g_return_val_if_fail(crew != NULL && work != NULL && crew->threads > 0 && crew->n_ranks > 0,
                       FALSE);
  g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(guint64));
  g_autoptr(GArray) wanted = g_array_new(FALSE, TRUE, sizeof(guint64));
  g_autoptr(GByteArray) done = g_byte_array_new(), message = g_byte_array_new();
  g_array_set_size(wanted, crew->n_ranks);
  Crew c = {.crew = crew,
            .work = work,
            .todo = todo,
            .done = done,
            .message = message,
            .wanted = wanted,
            .list = k,
            .n = crew->rank == 0 ? n : 0};
  pthread_mutex_init(&c.lock, NULL);
  pthread_cond_init(&c.more, NULL);
  gboolean ok;
  work_together(&c, &ok);
  pthread_cond_destroy(&c.more);
  pthread_mutex_destroy(&c.lock);
  return ok;
}
