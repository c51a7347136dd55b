/* One model under several methods, and by hand: runs in turns, a reference, errors. */
#include "bench.h"

#include <hydevs/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REFERENCE_TOL  1e-9
#define REFERENCE_ATOL 1e-12
#define REFERENCING    30.0        /* times the limit: the reference has so long */
#define MOST_SAMPLES   (1UL << 27) /* of all states: 1 GiB */
#define COUNTABLE      2.0         /* seconds of CPU: longer runs are not counted by callgrind */
#define SAMPLING       10.0 /* times the limit, for a run that is known to end and not measured */

typedef struct {
  const BenchTask *task;
  GArray *states;
  double tf;
  BenchPeer peer;     /* its program NULL: there is none for this model */
  FILE *sample_file;  /* of the peer; it has no name, and so goes with this process */
  double *want, *got; /* samples of the reference, of a run; NULL: none */
  char *reference, *no_reference;
  GPtrArray *rows;
  guint done, planned; /* runs */
  gint64 began;
  gboolean talks;
} Bench;

/* Progress ------------------------------------------------------------------------------------ */

static void show_progress(Bench *b, const char *what)
{
  if (b->talks) {
    double spent = (double)(g_get_monotonic_time() - b->began) / G_USEC_PER_SEC;
    fprintf(stderr, "\r\033[K%s: %s, run %u of %u", b->task->name, what, b->done + 1, b->planned);
    if (b->done > 0 && b->done < b->planned) {
      fprintf(stderr, ", about %.0f s to go", spent / b->done * (b->planned - b->done));
    }
  }
  b->done++;
}

static void end_progress(const Bench *b)
{
  if (b->talks) {
    fputs("\r\033[K", stderr);
  }
}

/* Runs ---------------------------------------------------------------------------------------- */

static gboolean read_samples(const Bench *b, double *samples)
{
  gsize n = (gsize)BENCH_SAMPLES * b->states->len;
  rewind(b->sample_file);
  return fread(samples, sizeof *samples, n, b->sample_file) == n;
}

/* By the program written by hand; SAMPLES: NULL, or where they go. */
static void run_peer(const Bench *b, double rtol, double atol, double limit, double *samples,
                     BenchRun *run)
{
  BenchPeer peer = b->peer;
  g_autofree char *said = NULL;
  g_autofree char *file = g_strdup_printf("/proc/self/fd/%d", fileno(b->sample_file));
  peer.rtol = rtol;
  peer.atol = atol;
  peer.samples = samples != NULL ? file : NULL;
  bench_child(bench_peer, &peer, limit, run, &said);
  if (run->end != BENCH_DONE) {
    return;
  }
  bench_peer_read(said, b->states, run);
  if (samples != NULL && !read_samples(b, samples)) {
    run->end = BENCH_FAILED;
    g_strlcpy(run->why, "it has left no samples", sizeof run->why);
  }
}

static void run_row(const Bench *b, const BenchRow *row, double limit, double *samples,
                    BenchRun *run)
{
  if (row->engine == NULL) {
    run_peer(b, row->tolerance, row->tolerance, limit, samples, run);
    return;
  }
  g_autofree char *said = NULL;
  CliModel m = bench_options(b->task, row);
  BenchSim sim = {.m = &m, .file = b->task->file, .samples = samples};
  bench_child(bench_sim, &sim, limit, run, &said);
}

/* One of REPEAT. A row that has not come to its end is not tried again; equal runs have equal
 * counts. */
static void measure(Bench *b, BenchRow *row)
{
  BenchRun run;
  show_progress(b, row->method);
  if (row->seconds->len > 0 && row->run.end != BENCH_DONE) {
    return;
  }
  run_row(b, row, b->task->limit, NULL, &run);
  if (row->seconds->len > 0 && run.end == BENCH_DONE &&
      (run.steps != row->run.steps || run.f_evals != row->run.f_evals ||
       run.events != row->run.events || run.toggles != row->run.toggles)) {
    run.end = BENCH_FAILED;
    g_strlcpy(run.why, "two runs of it differ in their counts", sizeof run.why);
  }
  if (row->seconds->len > 0 && run.end == BENCH_DONE) {
    run.start = MIN(run.start, row->run.start);
    run.instructions = MIN(run.instructions, row->run.instructions);
  }
  g_array_append_val(row->seconds, run.seconds);
  row->run = run;
}

static void find_error(Bench *b, BenchRow *row)
{
  BenchRun run;
  show_progress(b, row->method);
  if (row->run.end != BENCH_DONE || b->want == NULL) {
    return;
  }
  run_row(b, row, SAMPLING * b->task->limit, b->got, &run);
  if (run.end == BENCH_DONE) {
    bench_error(b->want, b->got, b->states->len, &row->error, &row->worst);
  }
}

static void count_instructions(const Bench *b, BenchRow *row)
{
  if (!b->task->count || row->run.end != BENCH_DONE || !isnan(row->run.instructions) ||
      row->run.seconds > COUNTABLE) {
    return;
  }
  if (row->engine != NULL) {
    row->run.instructions = bench_count_row(b->task, row);
  } else {
    BenchPeer peer = b->peer;
    peer.rtol = peer.atol = row->tolerance;
    row->run.instructions = bench_count_peer(&peer, b->task->limit);
  }
}

/* Reference ----------------------------------------------------------------------------------- */

/* Shared, so that a run in another process can fill it. NULL: there is no room. */
static double *sample_room(const Bench *b)
{
  gsize n = (gsize)BENCH_SAMPLES * b->states->len;
  return n <= MOST_SAMPLES ? bench_shared(n * sizeof(double)) : NULL;
}

static void drop_reference(Bench *b, const char *why)
{
  bench_unshare(b->want, sizeof(double) * BENCH_SAMPLES * b->states->len);
  b->want = NULL;
  g_clear_pointer(&b->reference, g_free);
  b->no_reference = g_strdup(why);
}

#ifdef HY_SUNDIALS
static void run_own_reference(const Bench *b, BenchRun *run)
{
  char rtol[HY_DOUBLE_SIZE], atol[HY_DOUBLE_SIZE];
  g_autofree char *said = NULL;
  CliModel m = *b->task->m;
  m.method = (char *)"cvode_bdf";
  m.dqrel = hy_double_text(rtol, REFERENCE_TOL);
  m.dqmin = hy_double_text(atol, REFERENCE_ATOL);
  m.hstep = NULL;
  for (guint k = 0; k < b->states->len;
       k++) { /* of a solver they are dqrel and dqmin, unless stated */
    m.tol = g_array_index(b->states, BenchState, k).solver ? m.dqrel : m.tol;
  }
  BenchSim sim = {.m = &m, .file = b->task->file, .samples = b->want};
  bench_child(bench_sim, &sim, REFERENCING * b->task->limit, run, &said);
}
#else
static void run_own_reference(const Bench *b, BenchRun *run)
{
  (void)b;
  *run = (BenchRun){.why = "this hydevs was built without SUNDIALS"};
}
#endif

static void find_reference(Bench *b)
{
  BenchRun run;
  show_progress(b, "reference");
  b->want = sample_room(b);
  b->got = sample_room(b);
  if (b->want == NULL || b->got == NULL) {
    drop_reference(b, "samples of so many states take too much memory");
    return;
  }
  if (b->peer.program != NULL) {
    b->reference = g_strdup("hand-written CVODE 1e-9");
    run_peer(b, REFERENCE_TOL, REFERENCE_ATOL, REFERENCING * b->task->limit, b->want, &run);
  } else {
    b->reference = g_strdup("cvode_bdf 1e-9");
    run_own_reference(b, &run);
  }
  if (run.end != BENCH_DONE) {
    g_autofree char *why =
        g_strdup_printf("the reference, %s, has %s%s", b->reference,
                        *run.why != '\0' ? "failed: " : "not come to its end", run.why);
    drop_reference(b, why);
  }
}

/* The value of N in --set. FALSE: something else is set, too. */
static gboolean only_n_is_set(const CliModel *m, const char **n)
{
  *n = NULL;
  for (guint k = 0; m->set != NULL && m->set[k] != NULL; k++) {
    if (!g_str_has_prefix(m->set[k], "N=")) {
      return FALSE;
    }
    *n = m->set[k] + strlen("N=");
  }
  return TRUE;
}

/* A program for this very system, with the same states: its parameters but N are its own. */
static void find_peer(Bench *b, const HyLoaded *loaded)
{
  BenchRun run;
  g_autofree char *said = NULL, *program = bench_peer_find();
  const char *n, *experiment = hy_loaded_experiment(loaded)->name;
  if (program == NULL || !only_n_is_set(b->task->m, &n)) {
    return;
  }
  b->peer = (BenchPeer){.program = program,
                        .name = b->task->name,
                        .experiment = experiment != NULL ? experiment : "",
                        .n = n,
                        .rtol = 1,
                        .atol = 1};
  bench_child(bench_peer, &b->peer, b->task->limit, &run, &said); /* to t = 0 */
  if (run.end == BENCH_DONE && bench_peer_read(said, b->states, &run)) {
    b->sample_file = tmpfile();
    b->peer.program = b->sample_file != NULL ? g_steal_pointer(&program) : NULL;
  } else {
    b->peer.program = NULL;
  }
  b->peer.tf = b->tf;
}

/* --------------------------------------------------------------------------------------------- */

static void bench_clear(Bench *b)
{
  gsize size = sizeof(double) * BENCH_SAMPLES * b->states->len;
  bench_unshare(b->want, size);
  bench_unshare(b->got, size);
  if (b->sample_file != NULL) {
    fclose(b->sample_file);
  }
  g_free((char *)b->peer.program);
  g_free(b->reference);
  g_free(b->no_reference);
  g_array_unref(b->states);
  g_clear_pointer(&b->rows, g_ptr_array_unref);
}

static void run_all(Bench *b)
{
  b->began = g_get_monotonic_time();
  b->planned = b->rows->len * (b->task->repeat + 1) + 1;
  for (guint k = 0; k < b->task->repeat; k++) {
    for (guint j = 0; j < b->rows->len; j++) {
      measure(b, b->rows->pdata[j]);
    }
  }
  if (b->task->brief) {
    b->no_reference = g_strdup("no reference was asked for");
  } else {
    find_reference(b);
  }
  for (guint j = 0; j < b->rows->len; j++) {
    find_error(b, b->rows->pdata[j]);
    count_instructions(b, b->rows->pdata[j]);
  }
  end_progress(b);
}

static int show(const Bench *b, BenchShow shown, gpointer user)
{
  const BenchTable table = {.model = b->task->name,
                            .n = b->states->len,
                            .tf = b->tf,
                            .repeat = b->task->repeat,
                            .limit = b->task->limit,
                            .reference = b->reference,
                            .no_reference = b->no_reference,
                            .rows = b->rows};
  shown(user, &table);
  int status = 0;
  for (guint k = 0; k < b->rows->len; k++) {
    status = ((const BenchRow *)b->rows->pdata[k])->run.end == BENCH_DONE ? status : HY_ERROR_RUN;
  }
  return status;
}

static gboolean outputs_are_free(const BenchTask *task, const HyLoaded *loaded, GError **error)
{
  for (const char *const *file = task->written; file != NULL && *file != NULL; file++) {
    if (!hy_output_is_free(*file, hy_loaded_inputs(loaded), NULL, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

int bench_compare(BenchTask *task, gboolean example, BenchShow shown, gpointer user)
{
  int status;
  g_autoptr(HyLoaded) loaded = cli_model_load("bench", task->m, task->file, &status);
  g_autoptr(HyRun) run = cli_model_run("bench", task->m, loaded, NULL, &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GError) error = NULL;
  if (!outputs_are_free(task, loaded, &error)) {
    return cli_failed(error);
  }
  if (!isfinite(hy_run_stop(run))) {
    return cli_usage("bench", "runs are compared up to an end; say one with --until");
  }
  Bench b = {.task = task, .states = bench_states(loaded), .tf = hy_run_stop(run)};
  b.talks = isatty(STDERR_FILENO) == 1;
  task->name = example ? task->name : hy_model_name(hy_loaded_model(loaded));
  if (b.states->len == 0) {
    status = HY_ERROR_MODEL;
    fprintf(stderr,
            "hydevs: %s: there is nothing to compare: no block of this model has a continuous "
            "state, as an integrator has\n",
            task->name);
  } else {
    if (example) {
      find_peer(&b, loaded);
    }
    b.rows = bench_rows(task, loaded, b.states, b.peer.program != NULL, &status);
  }
  if (b.rows != NULL) {
    run_all(&b);
    status = show(&b, shown, user);
  }
  bench_clear(&b);
  return status;
}
