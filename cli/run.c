/* hydevs run: simulate a model and record what it does. */
#include "run.h"

#include "groups.h"
#include "hydevs/stats.h"
#include "recording.h"
#include "results/json.h"
#include "try.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const char teach[] =
    "What the experiment of the model and --record name goes to a CSV file (NAME.csv, or -o FILE;\n"
    "-o - for stdout) with its provenance beside it (NAME.csv.json): one row at each instant at\n"
    "which a column changes, or every DT with --grid. If the run fails, all rows up to there are "
    "in\n"
    "the file and the exit status says why (hydevs --help).\n\n"
    "Examples:\n"
    "  hydevs run examples/queue/model.xml                      as the model says\n"
    "  hydevs run examples/queue/model.xml -t 5 -o - -r Q       to t = 5, Q too, to stdout\n"
    "  hydevs run examples/simultaneous/model.xml -x E4b --stats\n"
    "  hydevs run examples/arrivals/model.xml --set rate=0.9 --seed 7 --stats=json\n";

static double lap(gint64 *since)
{
  gint64 now = g_get_monotonic_time();
  double seconds = (double)(now - *since) / G_USEC_PER_SEC;
  *since = now;
  return seconds;
}

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

static void show_stats(CliStats kind, const HySim *sim, HyCost *s)
{
  g_autoptr(GString) out = g_string_new(NULL);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  s->peak_kib = usage.ru_maxrss;
  if (kind == CLI_STATS_JSON) {
    hy_stats_json(sim, s, out);
  } else if (kind == CLI_STATS_TEXT) {
    hy_stats_text(sim, s, out);
  }
  fputs(out->str, stdout);
}

/* Where it ended, on stderr: stdout belongs to data. */
static void summary(const CliRun *run, const HyLoaded *loaded, double end, double seconds)
{
  HyTotals n;
  hy_sim_totals(run->sim, &n);
  char t[HY_DOUBLE_SIZE];
  fprintf(stderr, "%s: to t = %s on %s, %" G_GUINT64_FORMAT " events, %.3g s\n",
          hy_model_name(hy_loaded_model(loaded)), hy_double_text(t, end),
          hy_engine_name(run->engine), n.cycles, seconds);
  if (hy_sim_finished(run->sim) != NULL) {
    fprintf(stderr, "%s\n", hy_sim_finished(run->sim));
  }
}

/* From (i) to the last row. */
static gboolean simulate(const CliRun *run, CliProgressKind kind, CliRecording *recording,
                         const HyLoaded *loaded, gboolean strict, HyCost *s, GError **error)
{
  gint64 clock = g_get_monotonic_time();
  gboolean ok =
      hy_sim_init(run->sim, run->t0, error) && cli_warn_groups(loaded, run->sim, strict, error);
  s->start = lap(&clock);
  CliProgress progress = {.broken = cli_recording_broken,
                          .user = recording,
                          .kind = kind,
                          .t0 = run->t0,
                          .tf = run->tf};
  cli_progress_start(&progress, run->sim);
  ok = ok && hy_sim_run(run->sim, run->tf, error);
  cli_progress_end(&progress);
  s->run = lap(&clock);
  return ok;
}

static int run_loaded(const CliTask *task, const CliModel *m, CliProgressKind progress,
                      const HyLoaded *loaded, CliRun *run, HyCost *s)
{
  g_autoptr(GError) error = NULL, write_error = NULL;
  g_auto(CliRecording) recording = {0};
  if (!cli_recording_open(&recording, m, loaded, run, task->out, &error)) {
    return cli_failed(error);
  }
  hy_sim_set_trace(run->sim, &recording.trace);
  gboolean ok = simulate(run, progress, &recording, loaded, m->strict, s, &error);
  double end = ok && hy_sim_finished(run->sim) == NULL ? run->tf : hy_sim_time(run->sim);
  gboolean written =
      cli_recording_finish(&recording, m, loaded, run, task->file, end, &write_error);
  if (cli_recording_file(&recording) == NULL) {
    fputs("nothing is recorded; name a port with --record PATH\n", stderr);
  } else if (!task->quiet && written) {
    cli_recording_report(&recording);
  }
  show_stats(task->stats, run->sim, s);
  if (ok && written && !task->quiet) {
    summary(run, loaded, end, s->run);
  }
  int status = 0;
  if (!written) {
    status = cli_failed(write_error);
  }
  if (!ok && (written || !g_error_matches(error, HY_ERROR, HY_ERROR_INTERRUPTED))) {
    status = cli_failed_blocks(loaded,
                               error); /* not: stopped because nothing could be written any more */
  }
  return cli_finish(status);
}

int cli_run_model(const CliTask *task, const CliModel *m)
{
  CliProgressKind progress = CLI_PROGRESS_AUTO;
  if (m->progress != NULL && !cli_progress_kind(m->progress, &progress)) {
    return cli_usage(task->verb, "--progress=%s: choose auto, none or json", m->progress);
  }
  int status;
  HyCost s = {0};
  gint64 clock = g_get_monotonic_time();
  g_autoptr(HyLoaded) loaded = cli_model_load(task->verb, m, task->file, &status);
  s.load = lap(&clock);
  CliRun run = {0};
  if (loaded == NULL || !cli_model_sim(task->verb, m, loaded, NULL, &run, &status)) {
    return status;
  }
  s.build = lap(&clock);
  status = run_loaded(task, m, progress, loaded, &run, &s);
  hy_sim_free(run.sim);
  return status;
}

int cli_run(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *out = NULL, *stats = NULL;
  CliTask task = {.verb = "run"};
  const GOptionEntry entries[] = {
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "Where the recording goes; - is stdout", "FILE"},
      {"stats", 0, 0, G_OPTION_ARG_STRING, &stats,
       "Events and transitions of each block: text (also without =) or json", "FORM"},
      {0},
  };
  g_autofree GOptionEntry *shared = cli_model_entries(&m);
  const CliPage page = {"run MODEL.xml [OPTIONS]", "Simulates a model and records what it does.",
                        teach, entries, shared};
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--stats") == 0) {
      argv[k] = (char *)"--stats=text";
    }
  }
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc != 2) {
    return cli_usage("run", argc < 2 ? "which model?" : "one model at a time");
  }
  if (stats != NULL && !stats_kind(stats, &task.stats)) {
    return cli_usage("run", "--stats=%s: choose text or json", stats);
  }
  task.file = argv[1];
  task.out = out;
  return cli_run_model(&task, &m);
}
