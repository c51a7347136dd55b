/* Runs are done once each, whoever does them: threads of one process, and ranks, which here are
 * threads that pass messages as MPI does. */
#include "sweeps/crew.h"

#include <pthread.h>
#include <string.h>
#include <unity.h>

#define RANKS 5

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  guint from;
  GByteArray *bytes;
} Message;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GQueue boxes[RANKS]; /* of Message */
static GPrivate own_rank;

static gboolean post(guint to, gconstpointer bytes, gsize n)
{
  Message *m = g_new(Message, 1);
  m->from = GPOINTER_TO_UINT(g_private_get(&own_rank));
  m->bytes = g_byte_array_append(g_byte_array_new(), bytes, (guint)n);
  pthread_mutex_lock(&lock);
  g_queue_push_tail(&boxes[to], m);
  pthread_mutex_unlock(&lock);
  return TRUE;
}

static gboolean fetch(guint *from, GByteArray *into)
{
  pthread_mutex_lock(&lock);
  Message *m = g_queue_pop_head(&boxes[GPOINTER_TO_UINT(g_private_get(&own_rank))]);
  pthread_mutex_unlock(&lock);
  if (m == NULL) {
    return FALSE;
  }
  *from = m->from;
  g_byte_array_set_size(into, 0);
  g_byte_array_append(into, m->bytes->data, m->bytes->len);
  g_byte_array_unref(m->bytes);
  g_free(m);
  return TRUE;
}

static const HyRanks ranks = {.version = HY_RANKS_VERSION, .send = post, .receive = fetch};

enum { RUNS = 3000 };

typedef struct {
  gint done[3 * RUNS];  /* by number of the run */
  gint taken[3 * RUNS]; /* by rank 0 alone */
  gint all, stop_at;
  gboolean wrong;
} Log;

/* Bytes of different sizes, none at all among them; some runs are much longer than others. */
static void run(gpointer user, guint64 k, GByteArray *out)
{
  Log *log = (Log *)user;
  volatile double x = 0.0;
  for (guint j = 0; j < (k % 100 == 0 ? 20000U : 100U); j++) {
    x = x + 1.0;
  }
  for (guint j = 0; j < k % 7; j++) {
    g_byte_array_append(out, (const guint8 *)&k, sizeof k);
  }
  g_atomic_int_inc(&log->done[k]);
}

static gboolean take(gpointer user, guint64 k, const guint8 *bytes, gsize n)
{
  Log *log = (Log *)user;
  log->wrong = log->wrong || n != k % 7 * sizeof k;
  for (gsize j = 0; j + sizeof k <= n; j += sizeof k) {
    log->wrong = log->wrong || memcmp(bytes + j, &k, sizeof k) != 0;
  }
  log->taken[k]++;
  log->all++;
  return log->all != log->stop_at;
}

static gboolean stop(gpointer user)
{
  return ((const Log *)user)->stop_at == -1;
}

typedef struct {
  Log *log;
  HyCrew crew;
  const guint64 *k;
  guint64 n;
  gboolean ok;
} Rank;

static gpointer work_of(gpointer data)
{
  Rank *r = (Rank *)data;
  const HyWork work = {r->log, run, take, r->crew.rank == 0 ? stop : NULL};
  g_private_set(&own_rank, GUINT_TO_POINTER(r->crew.rank));
  r->ok = hy_crew_work(&r->crew, &work, r->k, r->n);
  return NULL;
}

/* Whether rank 0 ended well; the others are only waited for then, since MPI would end them. */
static gboolean work_with(guint n_ranks, guint threads, Log *log, const guint64 *k, guint64 n)
{
  static Rank each[RANKS];
  GThread *thread[RANKS];
  for (guint r = 0; r < n_ranks; r++) {
    each[r] = (Rank){log, {n_ranks > 1 ? &ranks : NULL, r, n_ranks, threads}, NULL, 0, FALSE};
  }
  each[0].k = k;
  each[0].n = n;
  for (guint r = 0; r < n_ranks; r++) {
    thread[r] = g_thread_new("rank", work_of, &each[r]);
  }
  for (guint r = 0; r < n_ranks; r++) {
    g_thread_join(thread[r]);
    TEST_ASSERT_TRUE(r == 0 || each[r].ok);
  }
  for (guint r = 0; r < n_ranks; r++) {
    TEST_ASSERT_TRUE(g_queue_is_empty(&boxes[r]));
  }
  return each[0].ok;
}

/* Every third number, as if the others were there already. */
static void test_each_run_is_done_once(void)
{
  static const guint sizes[] = {0, 1, 2, 10, RUNS};
  static guint64 k[RUNS];
  for (guint j = 0; j < RUNS; j++) {
    k[j] = 3 * (guint64)j + 1;
  }
  for (guint n_ranks = 1; n_ranks <= RANKS; n_ranks += n_ranks == 3 ? 2 : 1) {
    for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
      g_autofree Log *log = g_new0(Log, 1);
      TEST_ASSERT_TRUE(work_with(n_ranks, 1 + s % 3, log, k, sizes[s]));
      TEST_ASSERT_FALSE(log->wrong);
      for (guint j = 0; j < 3 * RUNS; j++) {
        gint once = j % 3 == 1 && j < 3 * sizes[s] ? 1 : 0;
        TEST_ASSERT_EQUAL_INT(once, log->done[j]);
        TEST_ASSERT_EQUAL_INT(once, log->taken[j]);
      }
    }
  }
}

static void test_it_ends_when_nothing_can_be_kept_or_it_is_stopped(void)
{
  static const gint stop_at[] = {7, -1};
  static guint64 k[RUNS];
  for (guint j = 0; j < RUNS; j++) {
    k[j] = j;
  }
  for (guint s = 0; s < G_N_ELEMENTS(stop_at); s++) {
    g_autofree Log *log = g_new0(Log, 1);
    log->stop_at = stop_at[s];
    TEST_ASSERT_FALSE(work_with(1, 3, log, k, RUNS));
    TEST_ASSERT_TRUE(log->all < RUNS);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_each_run_is_done_once);
  RUN_TEST(test_it_ends_when_nothing_can_be_kept_or_it_is_stopped);
  return UNITY_END();
}
