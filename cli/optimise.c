/* hydevs optimise: the parameters of the best run. */
#include "model.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <hydevs/optimise.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char teach[] =
    "Parameters are varied within what --over says (NAME=LEAST:MOST; log LEAST:MOST takes steps "
    "of\n"
    "the logarithm) until a measure of the run is as small or as large as it gets, or until the "
    "run\n"
    "is most like what was measured (--fit: a CSV with a column time and columns named as signals\n"
    "are, \"uC\" or \"uC [mV]\"; the sum of squared differences at its instants; of several "
    "columns\n"
    "each is divided by its rms). --keep-below and --keep-above limit other measures. The search "
    "is\n"
    "by NLopt: bobyqa or, with limits, cobyla, from a start; direct and crs2 look at the whole "
    "box\n"
    "first. A run that fails is worse than all others, and counted. It begins at --start, or at "
    "the\n"
    "values of the model.\n\n"
    "A state that moves in quanta makes results jump a little from run to run, so a method that\n"
    "does not is taken if the model lets one (block_liqss2, cvode_bdf), unless --method says "
    "which.\n\n"
    "Examples:\n"
    "  hydevs optimise rlc.xml --over R=1:100 --minimise 'first(u > 0.9)'\n"
    "  hydevs optimise buck.xml --over L=1m:20m --over f=5k:20k --minimise 'ripple(uC,5m)' \\\n"
    "         --keep-below 'max(iL)=10' -n 200 -o runs.csv\n"
    "  hydevs optimise rc.xml --over 'R=log 1:1M' --over 'C=log 1p:1u' --fit measured.csv\n";

static const char *const not_here[] = {"grid", "record", NULL};

static int tell(const HyOptimum *found, const char *out, const char *model)
{
  int status = 0;
  g_autoptr(GString) text = g_string_new(NULL), csv = g_string_new(NULL);
  const char *const inputs[] = {model, NULL};
  hy_optimum_text(found, text);
  hy_optimum_csv(found, csv);
  fputs(text->str, g_strcmp0(out, "-") == 0 ? stderr : stdout);
  if (out != NULL && !cli_write(out, csv, inputs, &status)) {
    return status;
  }
  if (hy_optimum_ended(found)) {
    return cli_finish(cli_progress_status(HY_ERROR_INTERRUPTED));
  }
  return cli_finish(hy_optimum_best(found) == G_MAXUINT64 ? HY_ERROR_RUN : 0);
}

/* Before the first run: a table that could not be written would be lost. */
static gboolean can_write(const char *out, const char *model, int *status)
{
  g_autoptr(GError) error = NULL;
  const char *const inputs[] = {model, NULL};
  if (out == NULL || strcmp(out, "-") == 0) {
    return TRUE;
  }
  g_autofree char *folder = g_path_get_dirname(out);
  if (!hy_output_is_free(out, inputs, NULL, &error)) {
    *status = cli_failed(error);
    return FALSE;
  }
  if (g_file_test(out, G_FILE_TEST_IS_DIR) || g_access(folder, W_OK | X_OK) != 0) {
    *status =
        cli_usage("optimise", "%s: cannot be written: %s", out,
                  g_file_test(out, G_FILE_TEST_IS_DIR) ? "it is a folder" : g_strerror(errno));
    return FALSE;
  }
  return TRUE;
}

static int optimise(HyOptimiseOptions *options, const CliModel *m, const char *file,
                    const char *out)
{
  HyLoadOptions load;
  HyRunSettings run;
  CliProgress progress = {0};
  int status;
  if (!can_write(out, file, &status) ||
      !cli_model_progress("optimise", m, &progress.kind, &status) ||
      !cli_model_load_options("optimise", m, &load, &status) ||
      !cli_model_settings("optimise", m, &run, &status)) {
    return status;
  }
  g_autoptr(GError) error = NULL;
  options->load = &load;
  options->run = &run;
  options->user = &progress;
  options->progress = cli_progress_runs(&progress);
  options->ran = cli_progress_ran;
  g_autoptr(HyOptimum) found = hy_optimise(file, options, &error);
  cli_progress_end(&progress);
  if (found == NULL) {
    return g_error_matches(error, HY_ERROR, HY_ERROR_USAGE)
               ? cli_usage("optimise", "%s", error->message)
               : cli_failed(error);
  }
  return tell(found, out, file);
}

int cli_optimise(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_auto(GStrv) over = NULL, start = NULL, below = NULL, above = NULL;
  g_autofree char *minimise = NULL, *maximise = NULL, *fit = NULL, *algorithm = NULL, *out = NULL;
  gint64 most = 200;
  double step = 0.0;
  const GOptionEntry entries[] = {
      {"over", 0, 0, G_OPTION_ARG_STRING_ARRAY, &over,
       "A parameter and where it may be: L=1m:20m, f=log 1k:1M; may be repeated", "P=LEAST:MOST"},
      {"minimise", 0, 0, G_OPTION_ARG_STRING, &minimise, "The measure that is to be small",
       "MEASURE"},
      {"maximise", 0, 0, G_OPTION_ARG_STRING, &maximise, "The measure that is to be large",
       "MEASURE"},
      {"fit", 0, 0, G_OPTION_ARG_FILENAME, &fit,
       "A CSV of measured values that the run is to be like", "FILE"},
      {"keep-below", 0, 0, G_OPTION_ARG_STRING_ARRAY, &below,
       "A measure and what it must not exceed; may be repeated", "MEASURE=V"},
      {"keep-above", 0, 0, G_OPTION_ARG_STRING_ARRAY, &above,
       "A measure and what it must reach; may be repeated", "MEASURE=V"},
      {"start", 0, 0, G_OPTION_ARG_STRING_ARRAY, &start,
       "Where the search begins (the model's value, or the middle); may be repeated", "P=V"},
      {"runs", 'n', 0, G_OPTION_ARG_INT64, &most, "So many runs at most (200)", "N"},
      {"algorithm", 'a', 0, G_OPTION_ARG_STRING, &algorithm,
       "bobyqa, cobyla, direct or crs2 (bobyqa; cobyla with limits or for one parameter)", "NAME"},
      {"least-step", 0, 0, G_OPTION_ARG_DOUBLE, &step,
       "Done when steps are below this part of the ranges (1e-8; 1e-3 if states move in quanta)",
       "X"},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "All runs, as CSV", "FILE"},
      {0},
  };
  const CliPage page = {"optimise MODEL.xml --over P=LEAST:MOST ... --minimise MEASURE [OPTIONS]",
                        "Finds the parameters for which a run is best.",
                        teach,
                        entries,
                        NULL,
                        not_here};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  if (most < 1) {
    return cli_usage("optimise", "--runs takes a whole number, 1 or more");
  }
  HyOptimiseOptions options = {.over = (const char *const *)over,
                               .start = (const char *const *)start,
                               .minimise = minimise,
                               .maximise = maximise,
                               .fit = fit,
                               .below = (const char *const *)below,
                               .above = (const char *const *)above,
                               .algorithm = algorithm,
                               .most = (guint64)most,
                               .step = step,
                               .seed = m.seed > 0 ? (guint64)m.seed : 0};
  return optimise(&options, &m, argv[1], out);
}
