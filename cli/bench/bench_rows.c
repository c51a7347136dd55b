/* The rows of hydevs bench: which methods, tolerances and engines a model is run with. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static void row_free(gpointer data)
{
  BenchRow *row = data;
  g_free(row->method);
  g_free(row->experiment);
  g_free(row->tol);
  g_free(row->engine);
  g_free(row->chosen);
  g_array_unref(row->seconds);
  g_free(row);
}

static BenchRow *add_row(GPtrArray *rows, const char *method, const char *tol, const char *engine)
{
  BenchRow *row = g_new0(BenchRow, 1);
  *row = (BenchRow){.method = g_strdup(method),
                    .tol = g_strdup(tol),
                    .engine = g_strdup(engine),
                    .tolerance = NAN,
                    .error = NAN,
                    .worst = NAN,
                    .seconds = g_array_new(FALSE, FALSE, sizeof(double))};
  if (tol != NULL) {
    cli_number(tol, &row->tolerance); /* loading refuses what is none */
  }
  g_ptr_array_add(rows, row);
  return row;
}

CliModel bench_options(const BenchTask *task, const BenchRow *row)
{
  CliModel m = *task->m;
  m.experiment = row->experiment != NULL ? row->experiment : m.experiment;
  gboolean divided = strcmp(row->method, "partition") == 0; /* unless it is an experiment */
  m.method = row->experiment != NULL || divided ? NULL : row->method;
  m.partition = row->experiment == NULL && divided ? (char *)"auto" : NULL;
  m.tol = row->tol;
  m.engine = row->engine;
  m.warned = TRUE;
  return m;
}

/* Methods ------------------------------------------------------------------------------------- */

static gboolean has(const char *const *words, const char *word)
{
  return words != NULL && g_strv_contains(words, word);
}

static void add_word(GPtrArray *words, const char *word)
{
  if (!g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL)) {
    g_ptr_array_add(words, g_strdup(word));
  }
}

/* Those that are worth a look: what the model states, the usual ones, and its mixtures. */
static char **methods_of(const HyLoaded *loaded, const GArray *states)
{
  static const char *const usual[] = {"liqss2", "mliqss2", "block_liqss2",
#ifdef HY_SUNDIALS
                                      "cvode_bdf",
#endif
                                      NULL};
  GPtrArray *words = g_ptr_array_new();
  for (guint k = 0; k < states->len; k++) {
    const char *own = g_array_index(states, BenchState, k).method;
    add_word(words, own != NULL ? own : "auto");
  }
  const HyExperiment *x = hy_loaded_experiment(loaded);
  if (words->len > 1 && x->name != NULL) {
    add_word(words, x->name);
  }
  for (guint k = 0; usual[k] != NULL; k++) {
    add_word(words, usual[k]);
  }
  for (const char *const *name = hy_loaded_experiments(loaded); *name != NULL; name++) {
    if (strcmp(*name, "mixed") == 0 || g_str_has_prefix(*name, "mixed_")) {
      add_word(words, *name);
    }
  }
  g_ptr_array_add(words, NULL);
  return (char **)g_ptr_array_free(words, FALSE);
}

/* Tolerances ---------------------------------------------------------------------------------- */

/* The one of all states, quantum and least quantum alike; NaN: there is none. */
static double tolerance_of(const GArray *states)
{
  double tol = states->len > 0 ? g_array_index(states, BenchState, 0).dqrel : NAN;
  for (guint k = 0; k < states->len; k++) {
    const BenchState *s = &g_array_index(states, BenchState, k);
    tol = s->dqrel == tol && s->dqmin == tol ? tol : NAN;
  }
  return tol;
}

/* Without any in the model all rows have the one of the base, also those of other experiments. */
static char **tolerances_of(const BenchTask *task, const GArray *states)
{
  double tol = tolerance_of(states);
  char text[HY_DOUBLE_SIZE];
  if (task->tol != NULL) {
    return g_strsplit(task->tol, ",", -1);
  }
  return g_strsplit(isnan(tol) ? "" : hy_double_text(text, tol), ",", -1);
}

/* --------------------------------------------------------------------------------------------- */

/* The engine that is in force. FALSE: it cannot be loaded. */
static gboolean prepare(const BenchTask *task, BenchRow *row, int *status)
{
  CliModel m = bench_options(task, row);
  g_autoptr(HyLoaded) loaded = cli_model_load("bench", &m, task->file, status);
  g_autoptr(HyRun) run = cli_model_run("bench", &m, loaded, NULL, status);
  if (run == NULL) {
    return FALSE;
  }
  g_free(row->engine);
  row->engine = g_strdup(hy_engine_name(hy_run_engine(run)));
  row->chosen = hy_run_chosen(run);
  g_autoptr(GArray) states = bench_states(loaded);
  guint others = 0;
  for (guint k = 0; k < states->len && m.method != NULL; k++) {
    others += g_strcmp0(g_array_index(states, BenchState, k).method, row->method) != 0;
  }
  if (others > 0) {
    fprintf(stderr, "hydevs bench: %s: %u of %u states state a method of their own, and keep it\n",
            row->method, others, states->len);
  }
  return TRUE;
}

/* FALSE: *STATUS is the exit status. */
static gboolean add_rows(const BenchTask *task, const HyLoaded *loaded, const char *tol,
                         const char *engine, const char *const *methods, GPtrArray *rows,
                         int *status)
{
  for (; *methods != NULL; methods++) {
    BenchRow *row = add_row(rows, *methods, tol, engine);
    if (!hy_is_method(*methods) && has(hy_loaded_experiments(loaded), *methods)) {
      row->experiment = g_strdup(*methods);
    }
    if (!prepare(task, row, status)) {
      return FALSE;
    }
  }
  return TRUE;
}

GPtrArray *bench_rows(const BenchTask *task, const HyLoaded *loaded, const GArray *states,
                      gboolean hand, int *status)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
  g_auto(GStrv) tols = tolerances_of(task, states), engines = NULL, methods = NULL;
  methods = task->method != NULL ? g_strsplit(task->method, ",", -1) : methods_of(loaded, states);
  engines = task->engine != NULL ? g_strsplit(task->engine, ",", -1) : g_new0(char *, 1);
  guint n_tols = g_strv_length(tols), n_engines = g_strv_length(engines);
  if (methods[0] == NULL || g_strv_contains((const char *const *)methods, "")) {
    *status = cli_usage("bench", "--method=%s: names with commas between", task->method);
    return NULL;
  }
  for (guint k = 0; k < MAX(n_tols, 1); k++) {
    for (guint j = 0; j < MAX(n_engines, 1); j++) {
      if (!add_rows(task, loaded, tols[k], engines[j], (const char *const *)methods, rows,
                    status)) {
        return NULL;
      }
    }
    if (hand && tols[k] != NULL) {
      add_row(rows, "by_hand", tols[k], NULL);
    }
  }
  return g_steal_pointer(&rows);
}
