/* hydevs run: simulate a model and record what it does. */
#include "run.h"

#include <hydevs/text.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char teach[] =
    "What the experiment of the model and --record name goes to a CSV file (NAME.csv, or -o FILE;\n"
    "-o - for stdout) with its provenance beside it (NAME.csv.json), or with -o NAME.raw to one "
    "for\n"
    "ngspice, .npy for NumPy, .mat for MATLAB and Octave, .h5 for HDF5, .vcd for viewers of "
    "waveforms,\n"
    ".wav for sound (on a grid such as --grid 1/44100; -1 to 1 are full scale),\n"
    ".jsonl as lines of JSON: rows at the instants at which a column changes, or every DT with "
    "--grid. If the run fails, all rows up to there are "
    "in\n"
    "the file and the exit status says why (hydevs --help). Where nobody states a method, or "
    "auto,\n"
    "the run chooses one and says which and why; at its end it warns of what smells: an explicit\n"
    "method on a stiff state, three states that mliqss cannot settle, a mode that\n"
    "chatters, a state that blows up.\n\n"
    "Examples:\n"
    "  hydevs run examples/queue/model.xml                      as the model says\n"
    "  hydevs run examples/queue/model.xml -t 5 -o - -r Q       to t = 5, Q too, to stdout\n"
    "  hydevs run examples/simultaneous/model.xml -x E4b --stats\n"
    "  hydevs run examples/arrivals/model.xml --set rate=0.9 --seed 7 --stats=json\n"
    "  hydevs run examples/thesis/buck/model.xml -o buck.csv -o buck.raw   two files of one run\n"
    "  hydevs run examples/power/llc/model.xml --html llc.html  with a page to look at and to "
    "send\n"
    "  hydevs run examples/thesis/buck/model.xml --from-steady  without waiting until it settles\n"
    "  hydevs run examples/queue/model.xml --snapshot q.hysnap@5   with its state at t = 5 as a "
    "file\n"
    "  hydevs run examples/queue/model.xml --from q.hysnap         from there on, to the same "
    "bytes\n";

static gboolean stats_kind(const char *name, CliStats *kind)
{
  static const char *const names[] = {"none", "text", "json"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    if (strcmp(name, names[k]) == 0) {
      *kind = (CliStats)k;
      return TRUE;
    }
  }
  return FALSE;
}

static void show_stats(CliStats kind, const HyRun *run, HyCost *s)
{
  const HySim *sim = hy_run_sim(run);
  g_autoptr(GString) out = g_string_new(NULL);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  s->peak_kib = usage.ru_maxrss;
  if (kind == CLI_STATS_JSON) {
    hy_run_stats_json(run, s, out);
  } else if (kind == CLI_STATS_TEXT) {
    g_autofree char *audit = hy_run_audit_text(run);
    hy_stats_text(sim, s, out);
    g_string_append_printf(out, "%s%s", audit != NULL ? audit : "", audit != NULL ? "\n" : "");
  }
  fputs(out->str, stdout);
}

/* "queue.csv: 5 columns, 17 rows", a line for each table; where it ended: on stderr, for stdout
 * belongs to data. */
static void tell_tables(const HyRun *run)
{
  for (guint k = 0; k < hy_run_n_tables(run); k++) {
    const HyRecorder *r = hy_run_table(run, k);
    if (isnan(hy_recorder_end(r))) { /* what could not start leaves no file */
      continue;
    }
    guint n = hy_recorder_n(r);
    guint64 rows = hy_recorder_rows(r);
    g_autofree char *file = hy_plain_text(hy_run_file(run, k), FALSE);
    fprintf(stderr, "%s: %u column%s, %" G_GUINT64_FORMAT " row%s\n", file, n, n == 1 ? "" : "s",
            rows, rows == 1 ? "" : "s");
    if (hy_recorder_cut(r) > 0) {
      fprintf(stderr, "%s: warning: %" G_GUINT64_FORMAT " values beyond -1 to 1 were cut\n", file,
              hy_recorder_cut(r));
    }
  }
}

static void tell_end(const HyRun *run, const char *model, double end, double seconds)
{
  HyTotals n;
  const HySim *sim = hy_run_sim(run);
  hy_sim_totals(sim, &n);
  char t[HY_DOUBLE_SIZE];
  fprintf(stderr, "%s: to t = %s on %s, %" G_GUINT64_FORMAT " events, %.3g s\n", model,
          hy_double_text(t, end), hy_engine_name(hy_run_engine(run)), n.cycles, seconds);
  if (hy_sim_finished(sim) != NULL) {
    fprintf(stderr, "%s\n", hy_sim_finished(sim));
  }
}

/* FALSE: warnings are errors, and there was one. */
static gboolean warn_of_methods(const HyRun *run, const CliModel *m, GError **error)
{
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_set_strict(report, m->strict);
  hy_report_groups(report, run);
  hy_report_options(report, run);
  hy_report_inputs(report, run);
  if (hy_report_errors(report) > 0) {
    return hy_report_gerror(report, error);
  }
  cli_model_tell(m, report);
  return TRUE;
}

static void tell_method(const HyRun *run, gboolean quiet)
{
  g_autofree char *chosen = hy_run_chosen(run);
  if (chosen != NULL && !quiet) {
    fprintf(stderr, "method: %s; --method NAME states another\n", chosen);
  }
}

/* What smells in the run; with STRICT as errors. */
static HyReport *look_at_run(const HyRun *run, gboolean strict)
{
  HyReport *report = hy_report_new();
  hy_report_set_strict(report, strict);
  hy_report_run(report, run);
  return report;
}

/* For the provenance; ERROR: what ended it, NULL: nothing did. */
static void tell_outcome(HyRun *run, const HyReport *smells, const GError *error)
{
  if (error != NULL) {
    hy_run_ended(run, cli_progress_status(error->code), error->message);
  } else if (hy_report_errors(smells) > 0) {
    hy_run_ended(run, HY_ERROR_MODEL, "--strict: there are warnings");
  }
}

/* The status with which the audit ends a run that is right otherwise. */
static int tell_audit(const CliModel *m, const HyRun *run, gboolean quiet)
{
  g_autoptr(HyReport) found = hy_report_new();
  g_autofree char *text = hy_run_audit_text(run);
  HyAudited a;
  hy_report_audit(found, run);
  cli_model_tell(m, found);
  if (text != NULL && !quiet) {
    fprintf(stderr, "%s\n", text);
  }
  return hy_run_audit(run, &a) && a.mode >= HY_AUDIT_STRICT && a.n_breaches > 0 &&
                 a.breaches[0].promised
             ? HY_ERROR_AUDIT
             : 0;
}

static int tell_smells(const CliModel *m, HyReport *smells)
{
  cli_model_tell(m, smells);
  return hy_report_errors(smells) > 0 ? HY_ERROR_MODEL : 0;
}

/* Of this thread, which does all the work: where the time of a process is limited, its clock goes
 * in ticks. */
static double cpu_seconds(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The table, where no data goes to stdout on that. The status by which bounds end a run that is
 * right otherwise. */
static int tell_measures(const CliTask *task, const HyRun *run)
{
  g_autoptr(GError) failed = NULL;
  g_autofree char *table = hy_run_measures_text(run);
  gboolean data = task->stats != CLI_STATS_NONE;
  for (const char *const *o = task->out; o != NULL && *o != NULL; o++) {
    data |= strcmp(*o, "-") == 0;
  }
  if (table != NULL && !task->quiet) {
    fputs(table, data ? stderr : stdout);
  }
  return hy_run_measures_pass(run, &failed) ? 0 : cli_failed(failed);
}

/* From (i) to the last row. */
static gboolean simulate(const CliTask *task, HyRun *run, CliProgressKind kind, const CliModel *m,
                         HyCost *s, int *failed, GError **error)
{
  gint64 clock = g_get_monotonic_time();
  HySim *sim = hy_run_sim(run);
  gboolean ok = hy_sim_init(sim, hy_run_start(run), error) && warn_of_methods(run, m, error) &&
                cli_snapshots_begin(&task->snapshots, run, error);
  s->start = cli_lap(&clock);
  CliProgress progress = {
      .run = run, .kind = kind, .t0 = hy_run_start(run), .tf = hy_run_stop(run)};
  cli_progress_start(&progress, sim);
  double cpu = cpu_seconds();
  ok = ok && cli_snapshots_run(&task->snapshots, run, failed, error);
  s->run_cpu = cpu_seconds() - cpu;
  cli_progress_end(&progress);
  s->run = cli_lap(&clock);
  return ok;
}

/* The model with the tolerances of hydevs steady; its warnings have been told. */
static HyLoaded *load_finely(const CliTask *task, const CliModel *m, int *status)
{
  CliModel fine = *m;
  fine.until = g_strdup(m->until);
  fine.tol = g_strdup(m->tol);
  fine.warned = TRUE;
  cli_steady_prepare(&fine);
  HyLoaded *loaded = cli_model_load(task->verb, &fine, task->file, status);
  g_free(fine.until);
  g_free(fine.tol);
  return loaded;
}

/* RUN begins in the periodic steady state, found as by hydevs steady. FALSE: *STATUS is the exit
 * status. */
static gboolean start_steady(const CliTask *task, CliProgressKind kind, const HyLoaded *loaded,
                             HyRun *run, HySteady **steady, int *status)
{
  HySteadySettings set = HY_STEADY_SETTINGS;
  CliProgress progress = {.kind = kind};
  if (!task->from_steady) {
    return TRUE;
  }
  if (!cli_search_settings(task->verb, &task->search, &set, status)) {
    return FALSE;
  }
  *steady = cli_search(loaded, &set, &progress, status);
  if (*steady == NULL) {
    return FALSE;
  }
  hy_run_from_steady(run, *steady);
  if (!task->quiet) {
    char period[HY_DOUBLE_SIZE];
    g_autofree char *verdict = hy_steady_verdict(*steady);
    fprintf(stderr, "from the steady state of period %s s, found in %u periods; %s\n",
            hy_double_text(period, hy_steady_period(*steady)), hy_steady_periods(*steady), verdict);
  }
  return TRUE;
}

/* "to t = 0.01 on fused, 1234 events" */
static char *outcome_of(const HyRun *run, double end)
{
  HyTotals n;
  const HySim *sim = hy_run_sim(run);
  char t[HY_DOUBLE_SIZE];
  hy_sim_totals(sim, &n);
  const char *finished = hy_sim_finished(sim);
  return g_strdup_printf("to t = %s on %s, %" G_GUINT64_FORMAT " events%s%s",
                         hy_double_text(t, end), hy_engine_name(hy_run_engine(run)), n.cycles,
                         finished != NULL ? "; " : "", finished != NULL ? finished : "");
}

/* The page of a run, also of one that ENDED has ended; WARNINGS: of the model and the run. */
static gboolean write_page(const CliTask *task, const HyLoaded *loaded, const HyRun *run,
                           double end, const char *warnings, const GError *ended, GError **error)
{
  g_autofree char *outcome = outcome_of(run, end);
  g_autofree char *all =
      ended != NULL ? g_strconcat(ended->message, "\n", warnings, NULL) : g_strdup(warnings);
  g_autoptr(GString) page = g_string_new(NULL);
  HyRunTold told = {task->command, outcome, g_strchomp(all)};
  return hy_run_page(loaded, run, &told, page, error) &&
         hy_write_file(task->html, page->str, (gssize)page->len, error);
}

/* What is written beside the recording is neither read nor a part of it. */
static gboolean outputs_are_free(const CliTask *task, const HyLoaded *loaded, const HyRun *run,
                                 GError **error)
{
  g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(g_free);
  const char *const further[] = {task->html, task->picture};
  for (guint k = 0; k < hy_run_n_tables(run); k++) {
    g_ptr_array_add(tables, g_strdup(hy_run_file(run, k)));
    g_ptr_array_add(tables, g_strconcat(hy_run_file(run, k), ".json", NULL));
  }
  g_ptr_array_add(tables, NULL);
  for (guint k = 0; k < G_N_ELEMENTS(further); k++) {
    if (further[k] != NULL && !hy_output_is_free(further[k], hy_loaded_inputs(loaded),
                                                 (const char *const *)tables->pdata, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static int run_loaded(const CliTask *task, const CliModel *m, CliProgressKind progress,
                      const HyLoaded *loaded, HyRun *run, HyCost *s)
{
  g_autoptr(GError) error = NULL, write_error = NULL;
  const HySim *sim = hy_run_sim(run);
  if (!(task->html != NULL ? hy_run_record_both : hy_run_record_files)(run, task->out, &error) ||
      !outputs_are_free(task, loaded, run, &error)) {
    return cli_failed(error);
  }
  if (!hy_run_measure_steady(run, NULL, &error)) {
    return cli_failed(error);
  }
  cli_guard_run(run);
  tell_method(run, task->quiet);
  int unwritten = 0;
  gboolean ok = simulate(task, run, progress, m, s, &unwritten, &error);
  if (!ok && task->snapshots.from != NULL && hy_sim_time(sim) <= hy_run_start(run)) {
    cli_guard_run(NULL); /* it has been refused: the recordings stay those of the run before */
    return cli_failed_blocks(loaded, error);
  }
  double end = ok && hy_sim_finished(sim) == NULL ? hy_run_stop(run) : hy_sim_time(sim);
  g_autoptr(HyReport) smells = look_at_run(run, m->strict);
  tell_outcome(run, smells, error);
  gboolean written = hy_run_finish(run, end, &write_error);
  if (hy_run_n_tables(run) == 0 && hy_run_n_measures(run) == 0) {
    fputs("nothing is recorded; name a port with --record PATH\n", stderr);
  } else if (!task->quiet && written) {
    tell_tables(run);
  }
  show_stats(task->stats, run, s);
  if (ok && written && !task->quiet) {
    tell_end(run, hy_model_name(hy_loaded_model(loaded)), end, s->run);
  }
  int status = tell_smells(m, smells), found = tell_audit(m, run, task->quiet);
  status = status == 0 ? found : status;
  int failed = tell_measures(task, run);
  status = status == 0 ? failed : status;
  status = status == 0 ? unwritten : status;
  if (written && task->html != NULL) {
    written = write_page(task, loaded, run, end, m->told->str, error, &write_error);
  }
  if (!written) {
    status = cli_failed(write_error);
  }
  if (!ok && (written || !g_error_matches(error, HY_ERROR, HY_ERROR_INTERRUPTED))) {
    status = cli_failed_blocks(loaded,
                               error); /* not: stopped because nothing could be written any more */
  }
  cli_guard_run(NULL);
  return written ? cli_finish(status) : status; /* else it has been told, also of stdout */
}

int cli_run_model(const CliTask *task, const CliModel *m)
{
  CliProgressKind progress;
  int status;
  if (!cli_model_progress(task->verb, m, &progress, &status)) {
    return status;
  }
  HyCost s = {0};
  g_autoptr(GString) told = g_string_new(NULL);
  CliModel asked = *m;
  asked.told = told;
  cli_guard_run(NULL);
  gint64 clock = g_get_monotonic_time();
  g_autoptr(HyLoaded) loaded = cli_model_load(task->verb, &asked, task->file, &status);
  s.load = cli_lap(&clock);
  g_autoptr(HyRun) run = cli_model_run(task->verb, m, loaded, NULL, &status);
  gboolean finely = run != NULL && task->from_steady;
  g_autoptr(HyLoaded) fine = finely ? load_finely(task, m, &status) : NULL;
  g_autoptr(HySteady) steady = NULL;
  if (run == NULL || status != 0 || !start_steady(task, progress, fine, run, &steady, &status)) {
    return status;
  }
  s.build = cli_lap(&clock);
  return run_loaded(task, &asked, progress, loaded, run, &s);
}

int cli_run(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *stats = NULL, *period = NULL, *html = NULL, *audit = NULL;
  g_auto(GStrv) out = NULL, measure = NULL;
  g_autofree char *command = cli_command(argv);
  CliTask task = {.verb = "run", .search = CLI_SEARCH};
  g_autofree char *forms = hy_record_forms();
  g_autofree char *out_help =
      g_strdup_printf("Where the recording goes: %s; may be repeated; - is stdout", forms);
  const GOptionEntry entries[] = {
      {"out", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &out, out_help, "FILE"},
      {"measure", 0, 0, G_OPTION_ARG_STRING_ARRAY, &measure,
       "Print what signals were: max(x), NAME=mean(u*i,5m); may be repeated", "MEASURE"},
      {"html", 0, 0, G_OPTION_ARG_FILENAME, &html,
       "A page of the run, too: drawing, plots, statistics, provenance", "FILE"},
      {"stats", 0, 0, G_OPTION_ARG_STRING, &stats,
       "Events and transitions of each block: text (also without =) or json", "FORM"},
      {"from-steady", 0, 0, G_OPTION_ARG_NONE, &task.from_steady,
       "Begin in the periodic steady state (hydevs steady)", NULL},
      {"period", 0, 0, G_OPTION_ARG_STRING, &period, "Its period (the sources' common one)", "T"},
      CLI_SEARCH_LIMITS(task.search),
      {"audit", 0, 0, G_OPTION_ARG_STRING, &audit,
       "Check the run against the text of its model: off, warn, strict or full (the experiment's)",
       "HOW"},
      CLI_SNAPSHOTS_OPTIONS(task.snapshots),
      {0},
  };
  const CliPage page = {"run MODEL.xml [OPTIONS]",
                        "Simulates a model and records what it does.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--stats") == 0) {
      argv[k] = (char *)"--stats=text";
    }
  }
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  if (stats != NULL && !stats_kind(stats, &task.stats)) {
    return cli_usage("run", "--stats=%s: choose text or json", stats);
  }
  if (period != NULL && !task.from_steady) {
    return cli_usage("run", "--period is that of the steady state; it goes with --from-steady");
  }
  if ((task.search.events != HY_STEADY_EVENTS || task.search.memory != HY_STEADY_BYTES >> 20) &&
      !task.from_steady) {
    return cli_usage("run", "--max-events and --max-memory are of the search for the steady "
                            "state; they go with --from-steady");
  }
  if (!cli_snapshots_check("run", &task.snapshots, &status)) {
    cli_snapshots_clear(&task.snapshots);
    return status;
  }
  m.measure = measure;
  m.audit = audit != NULL ? audit : g_getenv("HYDEVS_AUDIT");
  task.file = argv[1];
  task.out = (const char *const *)out;
  task.html = html;
  task.command = command;
  task.search.period = period;
  status = cli_run_model(&task, &m);
  cli_snapshots_clear(&task.snapshots);
  return status;
}
