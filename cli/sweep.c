/* hydevs sweep: many runs of one model. */
#include "sweep_page.h"

#include <hydevs/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Each run is what hydevs run --set ... makes of the model; what --measure names of it is a row "
    "of\n"
    "a CSV file, with its provenance beside it (FILE.json). The rows are the same, byte for byte,\n"
    "whatever -j says, however often the sweep was interrupted (the same command goes on), and\n"
    "whether it was cut into shards. A run that fails is a row, too: column status has its exit\n"
    "status, why says what was wrong. Where nobody states a method, one is chosen for all runs.\n\n"
    "  --vary R=5:20:4           4 values from 5 to 20, both included; log a:b:n; a,b,c a list;\n"
    "                            several --vary make all combinations, the last one fastest;\n"
    "                            with --together they go along with each other\n"
    "  --random 'L=normal 10m 5%'  -n draws: uniform a b, normal m s (or p%), truncated m s a b,\n"
    "                            choice a b c; by --sampling latin, plain or sobol\n"
    "  --plan FILE               CSV, or TSV: columns that are parameters are set, also\n"
    "                            stage[2].L1, experiment.stop, experiment.tol, seed and method;\n"
    "                            others are carried into the table\n\n"
    "Examples:\n"
    "  hydevs sweep buck.xml --vary R=5:20:4 --vary f=8k,10k,12k --measure 'mean(uC, 5m)'\n"
    "  hydevs sweep buck.xml --random 'L=normal 10m 5%' -n 1000 --seed 1 --measure 'max(iL)' -o "
    "mc.csv\n"
    "  hydevs sweep queue.xml -n 200 --measure 'mean(Q)'        200 seeds of what is random\n"
    "  hydevs sweep buck.xml --random 'L=normal 10m 5%' -n 1000 --measure 'max(iL)' --html "
    "mc.html\n"
    "                                                a page to look at and to select runs in\n"
    "  hydevs sweep buck.xml --plan corners.csv --measure 'max(iL)' -j 8\n"
    "  hydevs sweep buck.xml --random 'L=normal 10m 5%' --random 'U=uniform 22 26' -n 256 --sobol\n"
    "  hydevs sweep buck.xml --vary R=1:9:9 --print 3           run 3 as a command of its own\n"
    "  hydevs sweep buck.xml ... --shard 3/20 -o part3.csv      on one of 20 machines, from 0\n"
    "  hydevs sweep --merge part*.csv -o all.csv                their table\n";

typedef struct {
  CliModel model;
  HyPlanOptions plan;
  HySweepOptions sweep;
  HyLoadOptions load;
  HyRunSettings run;
  char **vary, **random, **measures;
  char *corners, *keep, *keep_as, *sampling, *said, *file, *out, *html, *shard, *limit_time,
      *command;
  gint64 n, limit_events, most_failed, print;
  gint threads;
  gboolean together, fresh, merge, isolate, sobol, went; /* went: all of it has ended */
} Asked;

static void asked_clear(Asked *a)
{
  cli_model_clear(&a->model);
  g_strfreev(a->vary);
  g_strfreev(a->random);
  g_strfreev(a->measures);
  g_free(a->sampling);
  g_free(a->keep);
  g_free(a->corners);
  g_free(a->keep_as);
  g_free(a->said);
  g_free(a->file);
  g_free(a->out);
  g_free(a->html);
  g_free(a->shard);
  g_free(a->limit_time);
  g_free(a->command);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Asked, asked_clear)

/* "3/20" */
static gboolean read_shard(Asked *a, int *status)
{
  char *slash, *end;
  if (a->shard == NULL) {
    return TRUE;
  }
  guint64 k = g_ascii_strtoull(a->shard, &slash, 10);
  guint64 n = *slash == '/' ? g_ascii_strtoull(slash + 1, &end, 10) : 0;
  if (n == 0 || *end != '\0' || slash == a->shard || k >= n || n > G_MAXUINT32 ||
      !g_ascii_isdigit(a->shard[0])) {
    *status = cli_usage("sweep", "--shard=%s: write K/N, K from 0 to N-1", a->shard);
    return FALSE;
  }
  a->sweep.shard = (guint)k;
  a->sweep.shards = (guint)n;
  return TRUE;
}

static gboolean read_numbers(Asked *a, int *status)
{
  const char *wrong = a->n < 0              ? "-n takes a whole number, 1 or more"
                      : a->threads < 0      ? "-j takes a whole number, 1 or more"
                      : a->limit_events < 0 ? "--limit-events takes a whole number, 1 or more"
                      : a->most_failed < -1 ? "--max-failed takes a whole number, 0 or more"
                      : a->print < -1       ? "--print takes the number of a run, from 0"
                                            : NULL;
  if (wrong != NULL) {
    *status = cli_usage("sweep", "%s", wrong);
    return FALSE;
  }
  gboolean recorded = a->keep != NULL || a->html != NULL;
  if ((!recorded && (a->model.record != NULL || a->model.grid != NULL)) ||
      (a->keep == NULL && a->keep_as != NULL)) {
    *status = cli_usage("sweep", "--record, --grid and --keep-as are of recordings; they go with "
                                 "--keep");
    return FALSE;
  }
  if (a->limit_time != NULL && !(cli_number(a->limit_time, &a->plan.limit_time) &&
                                 a->plan.limit_time > 0 && isfinite(a->plan.limit_time))) {
    *status = cli_usage("sweep", "--limit-time=%s must be a time above 0", a->limit_time);
    return FALSE;
  }
  return TRUE;
}

/* What is asked for, as the library takes it. */
static gboolean translate(Asked *a, int *status)
{
  static char every[] = "auto-each";
  CliModel m = a->model;
  gboolean each = g_strcmp0(m.method, every) == 0;
  m.method = each ? NULL : m.method;
  if (!read_shard(a, status) || !read_numbers(a, status) ||
      !cli_model_load_options("sweep", &m, &a->load, status) ||
      !cli_model_settings("sweep", &m, &a->run, status)) {
    return FALSE;
  }
  a->load.method = each ? "auto" : a->load.method;
  a->plan.load = &a->load;
  a->plan.run = &a->run;
  a->plan.each = each;
  a->plan.vary = (const char *const *)a->vary;
  a->plan.random = (const char *const *)a->random;
  a->plan.measures = (const char *const *)a->measures;
  a->plan.together = a->together;
  static const char saltelli[] = "saltelli";
  if (a->sobol &&
      (a->shard != NULL || (a->sampling != NULL && strcmp(a->sampling, saltelli) != 0))) {
    *status = cli_usage("sweep", a->shard != NULL ? "--sobol needs all rows, and --shard has a part"
                                                  : "--sobol is a sampling of its own");
    return FALSE;
  }
  a->plan.sampling = a->sobol ? saltelli : a->sampling;
  a->plan.keep = a->keep;
  a->plan.corners = a->corners;
  a->sweep.keep_as = a->keep_as;
  a->plan.sweep = a->said;
  a->plan.file = a->file;
  a->plan.n = (guint64)a->n;
  a->plan.limit_events = (guint64)a->limit_events;
  a->sweep.threads = (guint)a->threads;
  a->sweep.fresh = a->fresh;
  a->sweep.isolate = a->isolate;
  a->sweep.command = a->command;
  return TRUE;
}

/* Telling ------------------------------------------------------------------------------------- */

/* "1 model, 2 run" */
static char *failures_text(const HySweepTotals *t)
{
  static const struct {
    int status;
    const char *word;
  } words[] = {{HY_ERROR_MODEL, "model"},
               {HY_ERROR_USAGE, "usage"},
               {HY_ERROR_RUN, "run"},
               {HY_ERROR_ILLEGITIMATE, "endless"},
               {HY_SWEEP_LIMIT, "limit of events"},
               {HY_SWEEP_TIME, "limit of time"},
               {HY_SWEEP_CRASH, "crash"}};
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    if (t->by[words[k].status] > 0) {
      g_string_append_printf(out, "%s%" G_GUINT64_FORMAT " %s", out->len > 0 ? ", " : "",
                             t->by[words[k].status], words[k].word);
    }
  }
  return g_string_free(out, FALSE);
}

/* "R = -5, f = 8k" */
static char *row_text(const HyPlan *plan, guint64 k)
{
  g_auto(GStrv) row = hy_plan_row(plan, k);
  GString *out = g_string_new(NULL);
  for (guint c = 0; c < hy_plan_n_set(plan); c++) {
    g_string_append_printf(out, ", %s = %s", hy_plan_column(plan, c), row[c]);
  }
  return g_string_free(out, FALSE);
}

/* "6 runs, 5 ok, 1 failed (1 model)" */
static char *outcome_text(const HySweepTotals *t)
{
  g_autofree char *failures = failures_text(t);
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "%" G_GUINT64_FORMAT " run%s, %" G_GUINT64_FORMAT " ok", t->n,
                         t->n == 1 ? "" : "s", t->by[0]);
  if (t->breached > 0) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " out of bounds", t->breached);
  }
  if (t->failed > 0) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " failed (%s)", t->failed, failures);
  }
  return g_string_free(out, FALSE);
}

static void add_texts(GString *out, const char *what, char *const *texts)
{
  for (; texts != NULL && *texts != NULL; texts++) {
    g_string_append_printf(out, "%s%s%s", out->len > 0 ? "; " : "", what, *texts);
  }
}

/* What has been asked for, for the page: "R=5:20:4; L=normal 10m 5%". */
static char *plan_text(const Asked *a)
{
  GString *out = g_string_new(NULL);
  add_texts(out, "", a->vary);
  add_texts(out, "", a->random);
  add_texts(out, "rows of ", (char *[]){a->file, NULL});
  return g_string_free(out, FALSE);
}

static void tell_end(const Asked *a, const HyPlan *plan, const HySweep *sweep)
{
  HySweepTotals t;
  hy_sweep_totals(sweep, &t);
  guint64 ran = t.done - t.restored;
  g_autofree char *outcome = outcome_text(&t);
  g_autofree char *name = hy_plain_text(strcmp(a->out, "-") == 0 ? "stdout" : a->out, FALSE);
  fprintf(stderr, "%s: %s", name, outcome);
  if (ran > 0) {
    fprintf(stderr, "; %.3g ms a run, %.3g s on %u thread%s", 1e3 * t.cpu / (double)ran, t.wall,
            t.threads, t.threads == 1 ? "" : "s");
  }
  fputc('\n', stderr);
  if (t.failed > 0) {
    guint64 k = hy_sweep_k(sweep, t.first);
    g_autofree char *row = row_text(plan, k);
    fprintf(stderr, "  first failure: run %" G_GUINT64_FORMAT "%s: %s\n", k, row, t.why);
  }
}

/* "0.574  0.55 .. 0.59" */
static void put_index(GString *out, const HySweepIndex *index)
{
  g_string_append_printf(out, "  %7.4f  %7.4f .. %7.4f", index->value, index->low, index->high);
}

/* The indices of all measures; those that cannot be had are told. FALSE: there are such. */
static gboolean tell_indices(const Asked *a, const HyPlan *plan, const HySweep *sweep)
{
  gboolean all = TRUE;
  guint width = 0;
  g_autoptr(GString) out = g_string_new(NULL);
  for (guint c = 0; c < hy_plan_n_set(plan); c++) {
    width = MAX(width, (guint)strlen(hy_plan_column(plan, c)));
  }
  for (guint m = 0; m < hy_plan_n_measures(plan); m++) {
    g_autoptr(GError) error = NULL;
    g_autofree HySweepIndices *s = hy_sweep_indices(sweep, m, &error);
    if (s == NULL) {
      fprintf(stderr, "hydevs: no indices of %s: %s\n", hy_plan_measure(plan, m), error->message);
      all = FALSE;
      continue;
    }
    g_string_append_printf(out, "%s\n  %*s  %7s  %-18s  %7s  95 %%\n", hy_plan_measure(plan, m),
                           (int)width, "", "first", "95 %", "total");
    for (guint c = 0; c < hy_plan_n_set(plan); c++) {
      g_string_append_printf(out, "  %-*s", (int)width, hy_plan_column(plan, c));
      put_index(out, &s[c].first);
      put_index(out, &s[c].total);
      g_string_append_c(out, '\n');
    }
  }
  fputs(out->str, strcmp(a->out, "-") == 0 ? stderr : stdout);
  return all;
}

/* Running ------------------------------------------------------------------------------------- */

static int outcome(const Asked *a, const HySweep *sweep)
{
  HySweepTotals t;
  hy_sweep_totals(sweep, &t);
  guint64 most = a->most_failed >= 0 ? (guint64)a->most_failed : t.n - 1;
  return t.failed > most ? HY_ERROR_RUN : 0;
}

static gboolean write_page(const Asked *a, const HyPlan *plan, const HySweep *sweep, GError **error)
{
  HySweepTotals t;
  hy_sweep_totals(sweep, &t);
  g_autofree char *outcome = outcome_text(&t), *asked = plan_text(a);
  return cli_sweep_page(&(CliSweepPage){plan, sweep, a->out, a->html, a->command, asked, outcome},
                        error);
}

static int go(Asked *a, const HyPlan *plan, CliProgressKind kind)
{
  g_autoptr(GError) error = NULL;
  CliProgress progress = {.kind = kind};
  HySweepTotals t;
  cli_progress_sweep(&progress, &a->sweep);
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, &a->sweep, &error);
  if (sweep == NULL) {
    return cli_failed(error);
  }
  hy_sweep_totals(sweep, &t);
  if (t.restored > 0) {
    fprintf(stderr, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows are there\n", t.restored,
            t.n);
  }
  a->went = hy_sweep_go(sweep, &error);
  cli_progress_end(&progress);
  if (!a->went) {
    return cli_failed(error);
  }
  if (a->sweep.team != NULL && hy_sweep_team_rank(a->sweep.team) > 0) {
    return 0;
  }
  tell_end(a, plan, sweep);
  int status = outcome(a, sweep);
  if (a->sobol && !tell_indices(a, plan, sweep)) {
    status = status == 0 ? HY_ERROR_RUN : status;
  }
  if (a->html != NULL && !write_page(a, plan, sweep, &error)) {
    return cli_failed(error);
  }
  return cli_finish(status);
}

/* Run K as a command of its own. */
static int print_run(const Asked *a, const HyPlan *plan, const char *file)
{
  guint64 k = (guint64)a->print;
  if (k >= hy_plan_n(plan)) {
    return cli_usage(
        "sweep", "--print=%" G_GUINT64_FORMAT ": the plan has %" G_GUINT64_FORMAT " runs, from 0",
        k, hy_plan_n(plan));
  }
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) own = hy_plan_words(plan, k);
  CliModel given = a->model;
  given.seed = -1;
  given.method = NULL;
  g_ptr_array_add(words, g_strdup("run"));
  g_ptr_array_add(words, g_strdup(file));
  cli_model_words(&given, words);
  for (char **word = own; *word != NULL; word++) {
    g_ptr_array_add(words, g_strdup(*word));
  }
  g_ptr_array_add(words, NULL);
  g_autofree char *line = cli_command((char **)words->pdata);
  puts(line);
  return cli_finish(0);
}

/* Of several processes one talks. */
static void be_quiet(void)
{
  if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
    fclose(stderr);
  }
}

/* NULL: *STATUS is the exit status, also of --print, which needs no more. */
static HyPlan *prepare(Asked *a, const char *file, int *status)
{
  gboolean quiet = a->sweep.team != NULL && hy_sweep_team_rank(a->sweep.team) > 0;
  gboolean several = a->sweep.team != NULL && hy_sweep_team_n(a->sweep.team) > 1;
  if ((a->isolate || a->keep != NULL) && several) {
    *status = cli_usage("sweep", "--%s is for one process, and mpirun has begun several",
                        a->isolate ? "isolate" : "keep");
    return NULL;
  }
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyPlan) plan = hy_plan_new(file, &a->plan, report);
  cli_model_tell(&a->model, report);
  if (plan == NULL || a->print >= 0) {
    *status = plan == NULL ? HY_ERROR_MODEL : print_run(a, plan, file);
    return NULL;
  }
  g_autoptr(GError) error = NULL;
  const char *const inputs[] = {file, a->file, NULL};
  if (a->out == NULL) {
    a->out = g_strconcat(hy_plan_name(plan), "-sweep.csv", NULL);
  }
  a->sweep.out = a->out;
  const char *const outputs[] = {a->out, NULL};
  if (a->html != NULL && strcmp(a->out, "-") == 0) {
    *status = cli_usage("sweep", "--html is made of the table: say into which file with --out");
    return NULL;
  }
  if (!quiet && (!hy_output_is_free(a->out, inputs, NULL, &error) ||
                 (a->html != NULL && !hy_output_is_free(a->html, inputs, outputs, &error)))) {
    *status = cli_failed(error);
    return NULL;
  }
  if (hy_plan_method(plan) != NULL) {
    fprintf(stderr, "method: %s; --method NAME states another\n", hy_plan_method(plan));
  }
  return g_steal_pointer(&plan);
}

/* One of several processes: they begin when all have a plan. */
static int go_together(Asked *a, const HyPlan *plan, CliProgressKind kind, int status)
{
  gboolean same;
  if (hy_sweep_team_agrees(a->sweep.team, plan != NULL, &same)) {
    status = go(a, plan, kind);
  } else if (plan != NULL) {
    fputs("hydevs: not all processes have this plan: is the model on all machines?\n", stderr);
    status = HY_ERROR_RUN;
  }
  fflush(stdout);
  hy_sweep_team_free(a->sweep.team, a->went || (plan == NULL && same), status);
  return status;
}

static int sweep_model(Asked *a, const char *file)
{
  g_autoptr(GError) error = NULL;
  CliProgressKind kind;
  int status = 0;
  if (!cli_model_progress("sweep", &a->model, &kind, &status) || !translate(a, &status)) {
    return status;
  }
  a->sweep.team = a->print < 0 ? hy_sweep_team_new(&error) : NULL;
  if (error != NULL) {
    return cli_failed(error);
  }
  if (a->sweep.team != NULL && hy_sweep_team_rank(a->sweep.team) > 0) {
    be_quiet();
  }
  g_autoptr(HyPlan) plan = prepare(a, file, &status);
  if (a->sweep.team != NULL) {
    return go_together(a, plan, kind, status);
  }
  return plan != NULL ? go(a, plan, kind) : status;
}

static int merge(const Asked *a, int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  guint64 rows;
  if (argc < 2 || a->out == NULL) {
    return cli_usage("sweep",
                     argc < 2 ? "which parts are to be merged?" : "say into which file: -o FILE");
  }
  if (!hy_sweep_merge((const char *const *)argv + 1, a->out, &rows, &error)) {
    return cli_failed(error);
  }
  g_autofree char *name = hy_plain_text(a->out, FALSE);
  fprintf(stderr, "%s: %" G_GUINT64_FORMAT " runs of %d parts\n", name, rows, argc - 1);
  return cli_finish(0);
}

int cli_sweep(int argc, char **argv)
{
  g_auto(Asked) a = {.model = CLI_MODEL_NONE,
                     .plan = HY_PLAN_OPTIONS,
                     .sweep = HY_SWEEP_OPTIONS,
                     .most_failed = -1,
                     .print = -1};
  a.command = cli_command(argv);
  const GOptionEntry entries[] = {
      {"vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.vary,
       "Values of a parameter: R=5:20:4, R=log 1:1k:7, R=5,10; may be repeated", "P=VALUES"},
      {"together", 0, 0, G_OPTION_ARG_NONE, &a.together,
       "The values of --vary go along with each other; else all combinations", NULL},
      {"random", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.random,
       "Draws a parameter by lot: 'L=normal 10m 5%'; may be repeated", "P=HOW"},
      {"runs", 'n', 0, G_OPTION_ARG_INT64, &a.n, "So many draws, each with a seed of its own (1)",
       "N"},
      {"sampling", 0, 0, G_OPTION_ARG_STRING, &a.sampling,
       "How draws fill the space: latin, plain or sobol (latin)", "HOW"},
      {"corners", 0, 0, G_OPTION_ARG_STRING, &a.corners,
       "Ends of --random (normal: m - 3 s and m + 3 s) in place of draws: all, or each alone",
       "HOW"},
      {"sweep", 0, 0, G_OPTION_ARG_STRING, &a.said,
       "The <sweep> of the model with this name; the other options add to it", "NAME"},
      {"sobol", 0, 0, G_OPTION_ARG_NONE, &a.sobol,
       "Which draw matters: indices of each measure; -n bases of parameters + 2 runs", NULL},
      {"plan", 0, 0, G_OPTION_ARG_FILENAME, &a.file, "A row of this table a run: CSV, or TSV",
       "FILE"},
      {"measure", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.measures,
       "A column: mean(uC, 5m), NAME=max(iL)/I; may be repeated", "TEXT"},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &a.out, "The table (NAME-sweep.csv); - is stdout",
       "FILE"},
      {"html", 0, 0, G_OPTION_ARG_FILENAME, &a.html,
       "A page too: plots to select runs in, what has failed, waveforms of the middle and the "
       "worst",
       "FILE"},
      {"jobs", 'j', 0, G_OPTION_ARG_INT, &a.threads, "Threads (as many as the process may use)",
       "N"},
      {"shard", 0, 0, G_OPTION_ARG_STRING, &a.shard,
       "Of N shards the one number K, from 0: rows K, K+N, K+2N ...", "K/N"},
      {"merge", 0, 0, G_OPTION_ARG_NONE, &a.merge, "Puts the tables of all shards together", NULL},
      {"fresh", 0, 0, G_OPTION_ARG_NONE, &a.fresh,
       "Begins anew, whatever an interrupted sweep has left behind", NULL},
      {"keep", 0, 0, G_OPTION_ARG_STRING, &a.keep,
       "Recordings of the runs for which this holds, as OUT.runs/K.csv: 1, status > 0, peak > 8",
       "FORMULA"},
      {"keep-as", 0, 0, G_OPTION_ARG_STRING, &a.keep_as,
       "Their form: csv, raw, npy, mat, h5, vcd, wav or jsonl (csv)", "FORM"},
      {"isolate", 0, 0, G_OPTION_ARG_NONE, &a.isolate,
       "Each run in a process of its own: one that crashes is a row", NULL},
      {"limit-events", 0, 0, G_OPTION_ARG_INT64, &a.limit_events,
       "Events of a run, beyond which its row has the status limit (1 billion)", "N"},
      {"limit-time", 0, 0, G_OPTION_ARG_STRING, &a.limit_time,
       "Seconds of CPU time of a run, beyond which its row has the status time (any)", "S"},
      {"max-failed", 0, 0, G_OPTION_ARG_INT64, &a.most_failed,
       "The exit status is 3 if more runs fail (all but one)", "N"},
      {"print", 0, 0, G_OPTION_ARG_INT64, &a.print, "Prints run K as a command, and runs nothing",
       "K"},
      {0},
  };
  const CliPage page = {"sweep MODEL.xml [OPTIONS]",
                        "Runs a model many times: a row of measures for each run.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!cli_model_options(&page, &a.model, &argc, &argv, NULL, &status)) {
    return status;
  }
  if (a.merge) {
    return merge(&a, argc, argv);
  }
  if (argc != 2) {
    return cli_usage("sweep", argc < 2 ? "which model?" : "one model at a time");
  }
  return sweep_model(&a, argv[1]);
}
