#include "model.h"

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The options that fill in a CliModel. It is never this one, which only says where a field lies. */
static CliModel places;
#define FIELD(name) (&places.name)
static const GOptionEntry model_entries[] = {
    {"until", 't', 0, G_OPTION_ARG_STRING, FIELD(until),
     "End time, included (the experiment's stop)", "T"},
    {"experiment", 'x', 0, G_OPTION_ARG_STRING, FIELD(experiment),
     "The experiment to take (the first of the file)", "NAME"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, FIELD(set),
     "Set a parameter: N=8, stage[2].L1=120u; may be repeated", "PATH=VALUE"},
    {"record", 'r', 0, G_OPTION_ARG_STRING_ARRAY, FIELD(record),
     "Record a port, too: Q, stage[*]/uC.out; may be repeated", "PATH"},
    {"grid", 'g', 0, G_OPTION_ARG_STRING, FIELD(grid),
     "Rows every DT instead of at events (0), or at times: 0,1m,logspace(10m,1,21)", "DT"},
    {"engine", 'e', 0, G_OPTION_ARG_STRING, FIELD(engine), "auto, tree, flat or fused (auto)",
     "NAME"},
    {"method", 'm', 0, G_OPTION_ARG_STRING, FIELD(method),
     "Integration method in place of the experiment's; auto: the run chooses", "NAME"},
    {"partition", 0, 0, G_OPTION_ARG_STRING, FIELD(partition),
     "Methods as stated, or auto: discontinuous states quantized, the others by CVODE (the "
     "experiment's)",
     "KIND"},
    {"tol", 0, 0, G_OPTION_ARG_STRING, FIELD(tol), "All tolerances: dqrel, dqmin, reltol, abstol",
     "X"},
    {"dqrel", 0, 0, G_OPTION_ARG_STRING, FIELD(dqrel), "Quantum relative to the state", "R"},
    {"dqmin", 0, 0, G_OPTION_ARG_STRING, FIELD(dqmin), "Least quantum", "A"},
    {"hstep", 0, 0, G_OPTION_ARG_STRING, FIELD(hstep), "Step of textbook methods: rk4, bdf2 ...",
     "H"},
    {"evaluate", 0, 0, G_OPTION_ARG_STRING, FIELD(evaluate),
     "Derivatives block by block or in one piece: signals or rows (signals)", "KIND"},
    {"jacobian", 0, 0, G_OPTION_ARG_STRING, FIELD(jacobian),
     "Of implicit methods: exact, or estimate as they go (exact)", "KIND"},
    {"refresh", 0, 0, G_OPTION_ARG_STRING, FIELD(refresh),
     "Implicit steps take x' fresh on nonlinear equations: yes or no (yes)", "YN"},
    {"seed", 0, 0, G_OPTION_ARG_INT64, FIELD(seed), "Of everything random (the experiment's, or 0)",
     "N"},
    {"max-events-at-t", 0, 0, G_OPTION_ARG_INT64, FIELD(limit),
     "Further events allowed at one instant; 0: any number", "N"},
    {"library", 'L', 0, G_OPTION_ARG_FILENAME_ARRAY, FIELD(library),
     "A folder to look for libraries in; may be repeated", "DIR"},
    CLI_BLOCKS(FIELD(files)),
    {"max-blocks", 0, 0, G_OPTION_ARG_INT64, FIELD(max_blocks),
     "Limit of blocks after expansion (20 million, or what memory takes)", "N"},
    {"strict", 0, 0, G_OPTION_ARG_NONE, FIELD(strict), "Warnings are errors", NULL},
    {"progress", 0, 0, G_OPTION_ARG_STRING, FIELD(progress),
     "auto (on a terminal), none, json (lines on stderr)", "KIND"},
    {0},
};

static gpointer field_of(CliModel *m, const GOptionEntry *e)
{
  return (char *)m + ((char *)e->arg_data - (char *)&places);
}

GOptionEntry *cli_model_entries(CliModel *m, const char *const *without)
{
  GOptionEntry *entries = g_new0(GOptionEntry, G_N_ELEMENTS(model_entries)), *to = entries;
  for (const GOptionEntry *e = model_entries; e->long_name != NULL; e++) {
    if (without == NULL || !g_strv_contains(without, e->long_name)) {
      *to = *e;
      to++->arg_data = field_of(m, e);
    }
  }
  return entries;
}

const char *cli_model_given(const CliModel *m)
{
  CliModel none = CLI_MODEL_NONE, copy = *m;
  for (const GOptionEntry *e = model_entries; e->long_name != NULL; e++) {
    gsize size = e->arg == G_OPTION_ARG_INT64  ? sizeof(gint64)
                 : e->arg == G_OPTION_ARG_NONE ? sizeof(gboolean)
                                               : sizeof(gpointer);
    if (memcmp(field_of(&copy, e), field_of(&none, e), size) != 0) {
      return e->long_name;
    }
  }
  return NULL;
}

static void add_word(GPtrArray *words, const char *option, const char *value)
{
  g_ptr_array_add(words, g_strdup_printf("--%s=%s", option, value));
}

void cli_model_words(const CliModel *m, GPtrArray *words)
{
  CliModel none = CLI_MODEL_NONE, copy = *m;
  for (const GOptionEntry *e = model_entries; e->long_name != NULL; e++) {
    gconstpointer at = field_of(&copy, e), unset = field_of(&none, e);
    if (e->arg == G_OPTION_ARG_INT64) {
      g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, *(const gint64 *)at);
      if (*(const gint64 *)at != *(const gint64 *)unset) {
        add_word(words, e->long_name, number);
      }
    } else if (e->arg == G_OPTION_ARG_NONE) {
      if (*(const gboolean *)at) {
        g_ptr_array_add(words, g_strconcat("--", e->long_name, NULL));
      }
    } else if (e->arg == G_OPTION_ARG_STRING) {
      if (*(char *const *)at != NULL) {
        add_word(words, e->long_name, *(char *const *)at);
      }
    } else {
      for (char **value = *(char **const *)at; value != NULL && *value != NULL; value++) {
        add_word(words, e->long_name, *value);
      }
    }
  }
}

void cli_model_clear(CliModel *m)
{
  for (const GOptionEntry *e = model_entries; e->long_name != NULL; e++) {
    if (e->arg == G_OPTION_ARG_STRING) {
      g_free(*(char **)field_of(m, e));
    } else if (e->arg == G_OPTION_ARG_STRING_ARRAY || e->arg == G_OPTION_ARG_FILENAME_ARRAY) {
      g_strfreev(*(char ***)field_of(m, e));
    }
  }
  hy_blocks_free(m->blocks);
}

gboolean cli_model_options(const CliPage *page, CliModel *m, int *argc, char ***argv,
                           const char *which, int *status)
{
  g_autofree GOptionEntry *shared = cli_model_entries(m, page->without);
  CliPage whole = *page;
  whole.shared = shared;
  if (!cli_options(&whole, argc, argv, status)) {
    return FALSE;
  }
  if (which != NULL && *argc != 2) {
    *status = cli_usage(**argv, "%s", *argc < 2 ? which : "one model at a time");
    return FALSE;
  }
  return cli_blocks(m->files, &m->blocks, status);
}

gboolean cli_model_progress(const char *verb, const CliModel *m, CliProgressKind *kind, int *status)
{
  static const char *const names[] = {"auto", "none", "json"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    if (strcmp(m->progress != NULL ? m->progress : "auto", names[k]) == 0) {
      *kind = (CliProgressKind)k;
      return TRUE;
    }
  }
  *status = cli_usage(verb, "--progress=%s: choose auto, none or json", m->progress);
  return FALSE;
}

/* *V: the number above 0 that TEXT is, 0 if it is not given. FALSE: it is none. */
static gboolean read_positive(const char *verb, const char *name, const char *text, double *v,
                              int *status)
{
  *v = 0;
  if (text == NULL || (cli_number(text, v) && *v > 0 && isfinite(*v))) {
    return TRUE;
  }
  *status = cli_usage(verb, "%s = %s must be %sabove 0", name, text,
                      text[0] != '-' && isinf(*v) ? "finite and " : "");
  return FALSE;
}

/* The same for a relative tolerance: below the rounding of numbers there is none. */
static gboolean read_relative(const char *verb, const char *name, const char *text, double *v,
                              int *status)
{
  if (!read_positive(verb, name, text, v, status)) {
    return FALSE;
  }
  if (text != NULL && *v < DBL_EPSILON) {
    *status = cli_usage(verb, "%s = %s is below the rounding of numbers, 2.2e-16", name, text);
    return FALSE;
  }
  return TRUE;
}

static gboolean check_options(const char *verb, const CliModel *m, int *status)
{
  double until;
  if (m->seed < -1 || m->limit < -1) {
    *status = cli_usage(verb, "--seed and --max-events-at-t take whole numbers, 0 or more");
    return FALSE;
  }
  if (m->max_blocks < 0) {
    *status = cli_usage(verb, "--max-blocks takes a whole number, above 0");
    return FALSE;
  }
  return cli_time(verb, "--until", m->until, &until, status);
}

void cli_model_tell(const CliModel *m, HyReport *report)
{
  g_autofree char *text = hy_report_text(report);
  fputs(text, stderr);
  if (m->told != NULL) {
    g_string_append(m->told, text);
  }
}

/* What a block takes once a run has begun: 700 bytes to 1,100 with integrators and formulas. */
#define BYTES_A_BLOCK 1000

guint64 cli_blocks_within(guint64 bytes)
{
  guint64 n = bytes / BYTES_A_BLOCK;
  return MIN(HY_MAX_BLOCKS, MAX(n - n % 100000, 100000));
}

guint64 cli_most_blocks(gint64 asked)
{
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return asked > 0               ? (guint64)asked
         : pages > 0 && size > 0 ? cli_blocks_within((guint64)pages * (guint64)size)
                                 : HY_MAX_BLOCKS;
}

gboolean cli_model_load_options(const char *verb, const CliModel *m, HyLoadOptions *options,
                                int *status)
{
  double tol, dqrel, dqmin, hstep;
  if (!check_options(verb, m, status) || !read_relative(verb, "--tol", m->tol, &tol, status) ||
      !read_relative(verb, "--dqrel", m->dqrel, &dqrel, status) ||
      !read_positive(verb, "--dqmin", m->dqmin, &dqmin, status) ||
      !read_positive(verb, "--hstep", m->hstep, &hstep, status)) {
    return FALSE;
  }
  *options = (HyLoadOptions){.experiment = m->experiment,
                             .set = (const char *const *)m->set,
                             .record = (const char *const *)m->record,
                             .measure = (const char *const *)m->measure,
                             .library = (const char *const *)m->library,
                             .blocks = m->blocks,
                             .formats = hy_formats(),
                             .grid = m->grid,
                             .method = m->method,
                             .dqrel = dqrel > 0 ? dqrel : tol,
                             .dqmin = dqmin > 0 ? dqmin : tol,
                             .tol = tol,
                             .hstep = hstep,
                             .audit = m->audit,
                             .strict = m->strict,
                             .elements = m->elements,
                             .max_blocks = cli_most_blocks(m->max_blocks)};
  return TRUE;
}

HyLoaded *cli_model_load(const char *verb, const CliModel *m, const char *file, int *status)
{
  HyLoadOptions options;
  if (!cli_model_load_options(verb, m, &options, status)) {
    return NULL;
  }
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_file(file, &options, report);
  if (loaded == NULL || !m->warned) {
    cli_model_tell(m, report);
  }
  *status = loaded == NULL ? HY_ERROR_MODEL : 0;
  return loaded;
}

/* Of two words; NULL is the first. */
static gboolean choose_word(const char *verb, const char *option, const char *word,
                            const char *const *words, gboolean *second, int *status)
{
  *second = word != NULL && strcmp(word, words[0]) != 0;
  if (!*second || strcmp(word, words[1]) == 0) {
    return TRUE;
  }
  *status = cli_usage(verb, "%s %s: choose %s or %s", option, word, words[0], words[1]);
  return FALSE;
}

static gboolean choose_words(const char *verb, const CliModel *m, HyRunSettings *s, int *status)
{
  static const char *const jacobian[] = {"exact", "estimate"}, *const yes[] = {"yes", "no"};
  static const char *const evaluate[] = {"signals", "rows"}, *const methods[] = {"stated", "auto"};
  gboolean by_equations;
  return choose_word(verb, "--evaluate", m->evaluate, evaluate, &s->rows, status) &&
         choose_word(verb, "--jacobian", m->jacobian, jacobian, &s->estimate, status) &&
         choose_word(verb, "--refresh", m->refresh, yes, &s->stale, status) &&
         choose_word(verb, "--partition", m->partition, methods, &by_equations, status);
}

static gboolean choose_end(const char *verb, const CliModel *m, const HyExperiment *x,
                           const HyRunSettings *s, int *status)
{
  if (isnan(s->stop) && isnan(x->stop)) {
    *status = cli_usage(verb, "the model states no end time; give one with --until T");
    return FALSE;
  }
  if (s->stop < x->start) {
    *status = cli_usage(verb, "--until=%s is before the start, t = %g", m->until, x->start);
    return FALSE;
  }
  return TRUE;
}

gboolean cli_model_settings(const char *verb, const CliModel *m, HyRunSettings *s, int *status)
{
  *s = HY_RUN_SETTINGS;
  s->engine = m->engine;
  s->partition = m->partition;
  s->seed = m->seed;
  s->limit = m->limit;
  return choose_words(verb, m, s, status) && cli_time(verb, "--until", m->until, &s->stop, status);
}

HyRun *cli_model_run(const char *verb, const CliModel *m, const HyLoaded *loaded,
                     const char *engine, int *status)
{
  HyRunSettings s;
  g_autoptr(GError) error = NULL;
  if (loaded == NULL || !cli_model_settings(verb, m, &s, status) ||
      !choose_end(verb, m, hy_loaded_experiment(loaded), &s, status)) {
    return NULL;
  }
  s.engine = engine != NULL ? engine : m->engine;
  HyRun *run = hy_run_new(loaded, &s, &error);
  if (run == NULL) {
    *status = g_error_matches(error, HY_ERROR, HY_ERROR_USAGE)
                  ? cli_usage(verb, "%s", error->message)
                  : cli_failed_blocks(loaded, error);
  }
  return run;
}

int cli_failed_blocks(const HyLoaded *loaded, const GError *error)
{
  g_autoptr(HyReport) report = hy_report_new();
  if (g_error_matches(error, HY_ERROR, HY_ERROR_MODEL)) {
    hy_report_blocks(report, loaded);
  }
  if (hy_report_errors(report) == 0) {
    return cli_failed(error);
  }
  g_autofree char *text = hy_report_text(report);
  fflush(stdout);
  fputs(text, stderr);
  return HY_ERROR_MODEL;
}
