/* hydevs modes: how fast a model moves, and which states move together. */
#include "model.h"

#include <hydevs/equations.h>
#include <math.h>
#include <stdio.h>

static const char teach[] =
    "The model runs to T (its start, if --at is not given) with the method it states; there the\n"
    "Jacobian of all states is taken from the equations (hydevs equations --partials), sources "
    "and\n"
    "switches standing still. Each eigenvalue is a mode of motion, the fastest first: its time\n"
    "constant 1/|real|, frequency |imaginary|/(2 pi), damping -real/|l|. Participation is how "
    "much\n"
    "a state and a mode have to do with one another: rows and columns sum to 1, single ones may\n"
    "be above 1. States are divided into fast and slow where modes differ 4 times or more and no\n"
    "state takes part as much as 0.1 in the modes of the other class: then the slow ones may be\n"
    "integrated in larger steps. At most 500 states; eigenvalues that coincide are only known to\n"
    "some 1e-5, and share their participation.\n\n"
    "Examples:\n"
    "  hydevs modes buck.xml\n"
    "  hydevs modes buck.xml --at 1m                with the switches as they are at 1 ms\n"
    "  hydevs modes adr.xml --set N=100 --json      as data, with the Jacobian\n";

/* --at says how far it runs, and nothing is recorded. */
static const char *const at_instead[] = {"until", "record", "grid", NULL};

/* FALSE: *STATUS is the exit status. */
static gboolean find_instant(const char *at, double t0, double *t, int *status)
{
  *t = t0;
  if (at == NULL) {
    return TRUE;
  }
  if (!cli_number(at, t) || !isfinite(*t)) {
    *status = cli_usage("modes", "--at=%s is not a time", at);
    return FALSE;
  }
  if (*t < t0) {
    *status = cli_usage("modes", "--at=%s is before the start, t = %g", at, t0);
    return FALSE;
  }
  return TRUE;
}

/* As RUN is at T, appended to OUT; a stop may end it before. */
static gboolean show(HyRun *run, double t, CliProgressKind kind, gboolean json, GString *out,
                     GError **error)
{
  HySim *sim = hy_run_sim(run);
  g_autoptr(HyEquations) e = hy_equations_new(sim, hy_run_start(run), error);
  if (e == NULL || !hy_spectrum_can(e, error)) {
    return FALSE;
  }
  CliProgress progress = {.kind = kind, .t0 = hy_run_start(run), .tf = t};
  cli_progress_start(&progress, sim);
  gboolean ok = hy_sim_run(sim, t, error);
  cli_progress_end(&progress);
  double end = hy_sim_finished(sim) != NULL ? hy_sim_time(sim) : t;
  g_autoptr(HySpectrum) modes = ok ? hy_spectrum_new(e, end, error) : NULL;
  if (modes != NULL && json) {
    hy_spectrum_json(modes, out);
  } else if (modes != NULL) {
    hy_spectrum_text(modes, out);
  }
  return modes != NULL;
}

int cli_modes(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *at = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"at", 'a', 0, G_OPTION_ARG_STRING, &at, "The instant to look at (the start)", "T"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON, with the Jacobian", NULL},
      {0},
  };
  const CliPage page = {
      "modes MODEL.xml [OPTIONS]",
      "Shows the eigenvalues of a model at an instant, and which states are fast.",
      teach,
      entries,
      NULL,
      at_instead};
  int status;
  CliProgressKind kind;
  double t;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  if (!cli_model_progress("modes", &m, &kind, &status)) {
    return status;
  }
  m.until = g_strdup("1e308"); /* after any start: the experiment need not say it */
  g_autoptr(HyLoaded) loaded = cli_model_load("modes", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("modes", &m, loaded, NULL, &status);
  if (run == NULL || !find_instant(at, hy_run_start(run), &t, &status)) {
    return run == NULL ? status : cli_finish(status);
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  status = show(run, t, kind, json, out, &error) ? 0 : cli_failed_blocks(loaded, error);
  fputs(out->str, stdout);
  return cli_finish(status);
}
