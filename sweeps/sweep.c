/* All runs of a plan, or of its shard, on threads. Each takes the next row that is not there yet,
 * runs it with nothing shared but the plan, and puts it where it belongs; so the rows do not hang
 * on who has computed them. The thread that calls waits, tells how far it has come, and keeps the
 * journal. */
#include "sweep_internal.h"

#include "base/sized.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

double hy_sweep_thread_seconds(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

guint64 hy_sweep_k(const HySweep *s, guint64 place)
{
  g_return_val_if_fail(s != NULL && place < s->n, 0);
  return s->options.shards > 0 ? place * s->options.shards + s->options.shard : place;
}

int hy_sweep_status(const HySweep *s, guint64 place)
{
  g_return_val_if_fail(s != NULL && place < s->n, -1);
  return s->status[place] == HY_SWEEP_OPEN ? -1 : s->status[place];
}

double hy_sweep_value(const HySweep *s, guint64 place, guint measure)
{
  g_return_val_if_fail(s != NULL && place < s->n && measure < s->plan->n_measures, NAN);
  return s->measures[place * s->plan->n_measures + measure];
}

guint64 hy_sweep_events(const HySweep *s, guint64 place)
{
  g_return_val_if_fail(s != NULL && place < s->n, 0);
  return s->events[place];
}

const char *hy_sweep_why(const HySweep *s, guint64 place)
{
  g_return_val_if_fail(s != NULL && place < s->n, NULL);
  return s->whys->str + s->why[place];
}

/* Rows ---------------------------------------------------------------------------------------- */

static gboolean is_failure(int status)
{
  return status != 0 && status != HY_ERROR_AUDIT;
}

static void count_row(HySweep *s, guint64 place, int status)
{
  HySweepTotals *t = &s->totals;
  t->done++;
  t->by[status]++;
  t->breached += status == HY_ERROR_AUDIT;
  t->failed += is_failure(status);
  t->first = is_failure(status) ? MIN(t->first, place) : t->first;
}

void hy_sweep_keep(HySweep *s, guint64 place, const HySweepRow *row)
{
  guint n = s->plan->n_measures;
  s->status[place] = (guint16)row->status;
  s->events[place] = row->events;
  memcpy(s->measures + place * n, row->measures, n * sizeof(double));
  if (row->why != NULL) {
    s->why[place] = s->whys->len;
    g_string_append_len(s->whys, row->why, (gssize)strlen(row->why) + 1);
  }
  count_row(s, place, row->status);
}

/* What is kept in the journal is what the run said, and not that it took too long this time. */
void hy_sweep_end_run(HySweep *s, guint64 place, const HySweepRow *row)
{
  hy_sweep_keep(s, place, row);
  if (s->journal != NULL && s->broken == NULL && row->status != HY_SWEEP_TIME &&
      !hy_journal_add(s->journal, place, row, &s->broken)) {
    g_atomic_int_set(&s->stop, 1);
  }
}

/* Threads ------------------------------------------------------------------------------------- */

typedef struct {
  HySweep *sweep;
  guint number;
  GThread *thread;
} Worker;

/* The next row that nobody has begun; FALSE: there is none. */
static gboolean take_place(HySweep *s, guint64 *place)
{
  while (s->next < s->n && s->status[s->next] != HY_SWEEP_OPEN) {
    s->next++;
  }
  *place = s->next++;
  return *place < s->n && g_atomic_int_get(&s->stop) == 0;
}

gboolean hy_sweep_goes_on(gpointer stop, double t, guint64 cycles)
{
  (void)t, (void)cycles;
  return g_atomic_int_get((gint *)stop) == 0;
}

/* FALSE: there is no row: it was stopped, or its recording could not be written. */
static gboolean run_row(HySweep *s, guint64 place, HySweepRow *row, GError **error)
{
  guint64 k = hy_sweep_k(s, place);
  return hy_sweep_run(s->plan, k, &s->stop, row) && hy_keep_run(s, k, row, error) &&
         g_atomic_int_get(&s->stop) == 0;
}

static gpointer work(gpointer data)
{
  const Worker *w = data;
  HySweep *s = w->sweep;
  guint64 place;
  double began = hy_sweep_thread_seconds();
  pthread_mutex_lock(&s->lock);
  while (take_place(s, &place)) {
    pthread_mutex_unlock(&s->lock);
    HySweepRow row = {0};
    if (s->journal != NULL) {
      hy_journal_begin(s->journal, w->number, place);
    }
    g_autoptr(GError) unkept = NULL;
    gboolean ended = run_row(s, place, &row, &unkept);
    pthread_mutex_lock(&s->lock);
    if (unkept != NULL && s->broken == NULL) {
      s->broken = g_steal_pointer(&unkept);
      g_atomic_int_set(&s->stop, 1);
    }
    if (ended) {
      hy_sweep_end_run(s, place, &row);
    }
    hy_sweep_row_clear(&row);
  }
  s->totals.cpu += hy_sweep_thread_seconds() - began;
  s->running--;
  pthread_cond_signal(&s->ended);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

void hy_sweep_look_round(HySweep *s)
{
  gint64 now = g_get_monotonic_time();
  if (now - s->looked < G_USEC_PER_SEC / 10) {
    return;
  }
  s->looked = now;
  s->totals.wall = (double)(now - s->began) / G_USEC_PER_SEC;
  if (s->options.progress != NULL && !s->options.progress(s->options.user, &s->totals)) {
    g_atomic_int_set(&s->stop, 1);
  }
  if (s->journal != NULL && s->broken == NULL && now - s->flushed > G_USEC_PER_SEC / 2) {
    s->flushed = now;
    if (!hy_journal_flush(s->journal, &s->broken)) {
      g_atomic_int_set(&s->stop, 1);
    }
  }
}

/* Until a thread has ended, or a tenth of a second. */
static void wait_a_little(HySweep *s)
{
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 100000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&s->ended, &s->lock, &until);
}

/* Until the last thread has ended. */
static void watch(HySweep *s)
{
  while (s->running > 0) {
    wait_a_little(s);
    hy_sweep_look_round(s);
  }
}

static guint threads_for(const HySweep *s)
{
  guint64 open = s->n - s->totals.done;
  guint asked = s->options.threads > 0 ? s->options.threads : g_get_num_processors();
  return (guint)MIN(MIN(asked, HY_JOURNAL_SLOTS), open);
}

static void run_threads(HySweep *s, guint n)
{
  g_autofree Worker *worker = g_new0(Worker, (gsize)n + 1);
  s->running = n;
  for (guint k = 0; k < n; k++) {
    worker[k] = (Worker){s, k, NULL};
    worker[k].thread = g_thread_new("sweep", work, &worker[k]);
  }
  pthread_mutex_lock(&s->lock);
  watch(s);
  pthread_mutex_unlock(&s->lock);
  for (guint k = 0; k < n; k++) {
    g_thread_join(worker[k].thread);
  }
}

/* Processes of their own ------------------------------------------------------------------------
 */

static gboolean next_row(gpointer user, HySweep *s, guint64 *place)
{
  (void)user;
  return take_place(s, place);
}

/* Of all processes that have been waited for. */
static double children_seconds(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void run_isolated(HySweep *s)
{
  double began = children_seconds();
  hy_sweep_alone(s, s->totals.threads, next_row, NULL);
  s->totals.cpu = children_seconds() - began;
}

static void run_all(HySweep *s)
{
  s->totals.threads = threads_for(s);
  if (hy_sweep_in_team(s)) {
    hy_sweep_run_team(s, s->totals.threads);
  } else if (s->options.isolate) {
    run_isolated(s);
  } else {
    run_threads(s, s->totals.threads);
  }
  s->totals.wall = (double)(g_get_monotonic_time() - s->began) / G_USEC_PER_SEC;
}

/* Of the rows at which an earlier process may have died the next that is not there. */
static gboolean next_suspect(gpointer user, HySweep *s, guint64 *place)
{
  const GArray *open = hy_journal_open_runs(s->journal);
  for (guint *k = user; *k < open->len;) {
    *place = g_array_index(open, guint64, (*k)++);
    if (s->status[*place] == HY_SWEEP_OPEN) {
      return TRUE;
    }
  }
  return FALSE;
}

/* One after the other, before there are threads. What has become of them is in the journal before
 * another run may end the process. */
static void run_suspects(HySweep *s)
{
  guint at = 0;
  if (s->journal != NULL) {
    hy_sweep_alone(s, 1, next_suspect, &at);
    if (s->broken == NULL && !hy_journal_flush(s->journal, &s->broken)) {
      g_atomic_int_set(&s->stop, 1);
    }
  }
}

/* Indices of what was drawn ------------------------------------------------------------------- */

HySweepIndices *hy_sweep_indices(const HySweep *s, guint measure, GError **error)
{
  g_return_val_if_fail(s != NULL && measure < s->plan->n_measures, NULL);
  const HyPlan *p = s->plan;
  if (p->sampling != HY_SAMPLING_SALTELLI || s->n != p->n) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "indices need all runs of a plan by saltelli");
    return NULL;
  }
  g_autofree double *y = g_new(double, s->n);
  for (guint64 k = 0; k < s->n; k++) {
    gboolean ended = s->status[k] == 0 || s->status[k] == HY_ERROR_AUDIT;
    y[k] = ended ? hy_sweep_value(s, k, measure) : NAN;
  }
  return hy_indices(y, p->n_bases, p->n_draws, p->seed, error);
}

/* The whole ----------------------------------------------------------------------------------- */

static guint64 n_rows(const HyPlan *p, const HySweepOptions *o)
{
  return o->shards == 0 ? p->n : (p->n + o->shards - 1 - o->shard) / o->shards;
}

/* A table in a file has a journal beside it. */
static gboolean open_files(HySweep *s, GError **error)
{
  const char *out = s->options.out;
  if (out == NULL || strcmp(out, "-") == 0 ||
      (g_file_test(out, G_FILE_TEST_EXISTS) && !g_file_test(out, G_FILE_TEST_IS_REGULAR) &&
       !g_file_test(out, G_FILE_TEST_IS_DIR))) {
    return TRUE;
  }
  s->journal = hy_journal_open(s, error);
  return s->journal != NULL;
}

HySweep *hy_sweep_new(const HyPlan *plan, const HySweepOptions *options, GError **error)
{
  g_return_val_if_fail(plan != NULL, NULL);
  HySweepOptions usual = HY_SWEEP_OPTIONS;
  gsize size = options != NULL ? options->size : 0;
  if (!hy_sized_take(&usual, options, size, "HySweepOptions", error)) {
    return NULL;
  }
  if (usual.shards > 0 && usual.shard >= usual.shards) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "shard %u of %u: they count from 0", usual.shard,
                usual.shards);
    return NULL;
  }
  if (usual.team != NULL && hy_sweep_team_rank(usual.team) > 0) {
    usual.out = NULL; /* rank 0 keeps and tells all */
    usual.progress = NULL;
  }
  HySweep *s = g_new0(HySweep, 1);
  s->plan = plan;
  s->options = usual;
  s->n = n_rows(plan, &usual);
  gsize n = (gsize)s->n;
  s->status = g_new(guint16, n + 1);
  memset(s->status, 0xff, n * sizeof *s->status);
  s->events = g_new0(guint64, n + 1);
  s->why = g_new0(guint64, n + 1);
  s->measures = g_new0(double, n * plan->n_measures + 1);
  s->whys = g_string_new(NULL);
  g_string_append_c(s->whys, '\0');
  s->totals.n = s->n;
  s->totals.first = G_MAXUINT64;
  pthread_mutex_init(&s->lock, NULL);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&s->ended, &clock);
  pthread_condattr_destroy(&clock);
  if (!open_files(s, error)) {
    g_clear_pointer(&s, hy_sweep_free);
  }
  return s;
}

void hy_sweep_free(HySweep *s)
{
  if (s == NULL) {
    return;
  }
  hy_journal_close(s->journal, FALSE);
  g_clear_error(&s->broken);
  g_free(s->status);
  g_free(s->events);
  g_free(s->why);
  g_free(s->measures);
  g_string_free(s->whys, TRUE);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->ended);
  g_free(s);
}

void hy_sweep_totals_sized(const HySweep *s, HySweepTotals *totals, gsize size)
{
  g_return_if_fail(s != NULL && totals != NULL);
  HySweepTotals now = s->totals;
  now.why = now.first < s->n ? hy_sweep_why(s, now.first) : NULL;
  hy_sized_give(totals, size, &now);
}

/* Of runs that were stopped from outside none has ended the process. */
static gboolean interrupted(HySweep *s, GError **error)
{
  if (s->journal != NULL) {
    hy_journal_stand(s->journal);
  }
  if (s->broken != NULL) {
    g_propagate_error(error, g_steal_pointer(&s->broken));
    return FALSE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_INTERRUPTED,
              "interrupted: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows are there%s",
              s->totals.done, s->n, s->journal != NULL ? "; the same command goes on" : "");
  return FALSE;
}

gboolean hy_sweep_go(HySweep *s, GError **error)
{
  g_return_val_if_fail(s != NULL, FALSE);
  s->began = s->looked = s->flushed = g_get_monotonic_time();
  run_suspects(s);
  gboolean open = s->totals.done < s->n && g_atomic_int_get(&s->stop) == 0;
  if (open || hy_sweep_in_team(s)) {
    run_all(s);
  }
  if (s->options.team != NULL && hy_sweep_team_rank(s->options.team) > 0) {
    return s->broken == NULL || interrupted(s, error);
  }
  if (s->totals.done < s->n || s->broken != NULL) {
    return interrupted(s, error);
  }
  if (s->options.out == NULL) {
    return TRUE;
  }
  if ((s->journal != NULL && !hy_journal_flush(s->journal, error)) || !hy_sweep_write(s, error) ||
      (s->journal != NULL && !hy_sweep_tell(s, error))) {
    return FALSE;
  }
  hy_journal_close(s->journal, TRUE);
  s->journal = NULL;
  return TRUE;
}
