/* hydevs bench: one model under several methods, or a suite of such comparisons. */
#include "bench.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "NAME is a folder of examples/thesis or examples: buck, cuk-interleaved, adr-varying. Each\n"
    "method, tolerance and engine is a row, its runs taking turns with those of the others; each\n"
    "run is a process of its own, so one that hangs or fails leaves the others alone. CPU ms is\n"
    "from the first event to the last, reading and starting apart: the least of all runs, and\n"
    "the median. Nothing is recorded then. Steps are new pieces of quantized states and steps of\n"
    "solvers, f evals scalar derivatives (a right-hand side of n states counts n), events root\n"
    "cycles, toggles how often modes of switches, diodes and conditions have turned between the\n"
    "start and the end. Error is sqrt(sum (x - ref)^2 / sum ref^2) over all states at 5000\n"
    "uniform instants; worst that of the worst state alone. Where another method had to take the\n"
    "place of the one that was asked for, the row is called by both: block_liqss2 -> cvode_bdf.\n"
    "\n"
    "Without --method the rows are what the experiment states, liqss2, mliqss2, block_liqss2,\n"
    "cvode_bdf, and every experiment called mixed or mixed_...; --method takes names of "
    "experiments, too, auto\n"
    "(the method that a run chooses for a model that states none) and partition (the\n"
    "discontinuous states by a quantized method and the others by CVODE). Where a\n"
    "program with CVODE was written by hand for the model (bench-cvode, in the folder of the\n"
    "build), it is a row, by_hand, and at 1e-9 it is the reference; /CVODE is CPU ms by its. Else\n"
    "the reference is cvode_bdf with 1e-9. Exit status 3 if a row did not come to its end.\n"
    "\n"
    "SUITE is a file of many such comparisons, or the name of one in the examples: thesis, power. "
    "It\n"
    "is run as a whole and becomes a page in Markdown, or with --html in HTML: tables beside the\n"
    "numbers that were printed for them, figures over a parameter (pictures by gnuplot; in\n"
    "Markdown they are written beside --out). No end within the limit is a result there, and\n"
    "exit status 3 is for what failed. The form of a suite stands in docs/suites.md.\n\n"
    "Examples:\n"
    "  hydevs bench adr-varying                          as in the thesis, table 7.2\n"
    "  hydevs bench cuk-interleaved --set N=2 --tol 1e-3,1e-5\n"
    "  hydevs bench tanks.xml --method qss3,cvode_adams --repeat 9 --json\n"
    "  hydevs bench buck --method mliqss2 --engine tree,flat,fused\n"
    "  hydevs bench thesis --html --out thesis.html\n"
    "  hydevs bench thesis --only 4.2,5.3 --instructions\n";

/* The options of a model that do not make sense for all rows. */
static const char *const of_rows[] = {"record",    "grid",  "engine", "method",   "tol",
                                      "partition", "dqrel", "dqmin",  "progress", NULL};

static int check(BenchTask *task, gint64 repeat, const char *limit)
{
  if (repeat < 1 || repeat > 10000) {
    return cli_usage("bench", "--repeat takes a whole number from 1 to 10000");
  }
  task->repeat = (guint)repeat;
  if (limit != NULL && (!cli_number(limit, &task->limit) || !(task->limit > 0))) {
    return cli_usage("bench", "--limit=%s is not a time above 0", limit);
  }
  return 0;
}

/* What the options fill in, beside those of the model. */
typedef struct {
  CliModel m;
  char *method, *tol, *engine, *limit, *out, *only, *file;
  gint64 repeat;
  gboolean json, html, count, alone, example;
} Options;

static void options_clear(Options *o)
{
  char *texts[] = {o->method, o->tol, o->engine, o->limit, o->out, o->only, o->file};
  for (guint k = 0; k < G_N_ELEMENTS(texts); k++) {
    g_free(texts[k]);
  }
  cli_model_clear(&o->m);
}

/* One run in this very process, for a program that watches it from outside. */
static int run_alone(const BenchTask *task)
{
  int status;
  g_autoptr(HyLoaded) loaded = cli_model_load("bench", task->m, task->file, &status);
  g_autoptr(GArray) states = loaded != NULL ? bench_states(loaded) : NULL;
  g_autoptr(GPtrArray) rows =
      loaded != NULL ? bench_rows(task, loaded, states, FALSE, &status) : NULL;
  if (rows == NULL) {
    return status;
  }
  BenchRun run = {.instructions = NAN};
  CliModel m = bench_options(task, rows->pdata[0]);
  bench_sim(&(BenchSim){.m = &m, .file = task->file}, &run);
  return run.end == BENCH_DONE ? 0 : HY_ERROR_RUN;
}

static int run_model(const Options *o, BenchTask *task)
{
  if (o->html || o->out != NULL || o->only != NULL) {
    return cli_usage("bench", "--%s is for a suite; %s is a model",
                     o->html          ? "html"
                     : o->out != NULL ? "out"
                                      : "only",
                     task->name);
  }
  if (o->alone) {
    return run_alone(task);
  }
  return cli_finish(
      bench_compare(task, o->example, o->json ? bench_show_json : bench_show_text, NULL));
}

static int run_suite(const Options *o)
{
  int status;
  const char *given = o->method != NULL   ? "method"
                      : o->tol != NULL    ? "tol"
                      : o->engine != NULL ? "engine"
                      : o->json           ? "json"
                                          : cli_model_given(&o->m);
  if (given != NULL && strcmp(given, "library") != 0 && strcmp(given, "blocks") != 0) {
    return cli_usage("bench", "--%s: a suite says it for each of its tables", given);
  }
  g_autoptr(Suite) suite = suite_read(o->file, &status);
  SuiteTask task = {.out = o->out, .only = o->only, .html = o->html, .count = o->count, .m = &o->m};
  return suite != NULL ? cli_finish(suite_run(suite, &task)) : status;
}

static int run(Options *o, const char *word)
{
  int status;
  BenchTask task = {.m = &o->m,
                    .name = word,
                    .method = o->method,
                    .tol = o->tol,
                    .engine = o->engine,
                    .limit = 10,
                    .count = o->count};
  status = check(&task, o->repeat, o->limit);
  if (status != 0 || !cli_blocks(o->m.files, &o->m.blocks, &status)) {
    return status;
  }
  o->file = bench_model_find(word, (const char *const *)o->m.library, &o->example, &status);
  task.file = o->file;
  return o->file == NULL ? status : suite_is(o->file) ? run_suite(o) : run_model(o, &task);
}

int cli_bench(int argc, char **argv)
{
  Options o = {.m = CLI_MODEL_NONE, .repeat = 5};
  const GOptionEntry entries[] = {
      {"method", 'm', 0, G_OPTION_ARG_STRING, &o.method,
       "Methods, or experiments that state some, separated by commas", "LIST"},
      {"tol", 0, 0, G_OPTION_ARG_STRING, &o.tol, "Tolerances (the experiment's)", "LIST"},
      {"engine", 'e', 0, G_OPTION_ARG_STRING, &o.engine, "auto, tree, flat, fused (auto)", "LIST"},
      {"repeat", 'k', 0, G_OPTION_ARG_INT64, &o.repeat, "Runs of each row (5)", "K"},
      {"limit", 'l', 0, G_OPTION_ARG_STRING, &o.limit, "CPU seconds for one run (10)", "SECONDS"},
      {"instructions", 0, 0, G_OPTION_ARG_NONE, &o.count,
       "Where the kernel does not let them be counted, by callgrind: runs of up to 2 s once more",
       NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &o.json, "An array of objects, one for each row", NULL},
      {"html", 0, 0, G_OPTION_ARG_NONE, &o.html, "The page of a suite in HTML, not Markdown", NULL},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &o.out, "The page of a suite (stdout)", "FILE"},
      {"only", 0, 0, G_OPTION_ARG_STRING, &o.only, "Tables and figures of a suite: 4.2,5.3",
       "LIST"},
      {"alone", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &o.alone, "", NULL},
      {0},
  };
  g_autofree GOptionEntry *shared = cli_model_entries(&o.m, of_rows);
  const CliPage page = {"bench NAME|MODEL.xml|SUITE [OPTIONS]",
                        "Runs a model with several methods and compares cost and error.",
                        teach,
                        entries,
                        shared,
                        of_rows};
  int status;
  if (cli_options(&page, &argc, &argv, &status)) {
    status = argc == 2 ? run(&o, argv[1])
                       : cli_usage("bench", argc < 2 ? "which model?" : "one model at a time");
  }
  options_clear(&o);
  return status;
}
