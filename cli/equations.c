/* hydevs equations: the system of a block diagram; nothing is run. */
#include "model.h"

#include <hydevs/equations.h>
#include <stdio.h>

static const char teach[] =
    "Every x' is shown as it follows from states, sources and modes, all blocks between them put\n"
    "into one another. Rows that differ only in numbers and names share a form; a large system\n"
    "shows the first row of each. if(D:1, a, b) is a while mode 1 of block D is set, else b.\n\n"
    "Examples:\n"
    "  hydevs equations buck.xml\n"
    "  hydevs equations adr.xml --set N=1000        the first row of each form\n"
    "  hydevs equations adr.xml --set N=8 --all     every row\n"
    "  hydevs equations buck.xml --partials         d x'/d q, too\n"
    "  hydevs equations buck.xml --partition=auto   who would go to CVODE, too\n"
    "  hydevs equations buck.xml --json             as data\n";

/* Nothing runs, so these would do nothing. */
static const char *const of_a_run[] = {
    "until",    "record",  "grid", "engine",          "tol",      "dqrel", "dqmin", "evaluate",
    "jacobian", "refresh", "seed", "max-events-at-t", "progress", NULL};

/* Appended to OUT. */
static gboolean show(HyRun *run, gboolean all, gboolean partials, gboolean json, GString *out,
                     GError **error)
{
  g_autoptr(HyEquations) e = hy_equations_new(hy_run_sim(run), hy_run_start(run), error);
  if (e == NULL) {
    return FALSE;
  }
  if (hy_equations_n(e) == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: there are no equations: no block of this model has a continuous state, as an "
                "integrator has",
                hy_equations_model(e));
    return FALSE;
  }
  if (json) {
    hy_equations_json(e, partials, out);
  } else {
    hy_equations_text(e, all, partials, out);
  }
  return TRUE;
}

int cli_equations(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  gboolean all = FALSE, partials = FALSE, json = FALSE;
  const GOptionEntry entries[] = {
      {"all", 'a', 0, G_OPTION_ARG_NONE, &all, "Every row of a large system", NULL},
      {"partials", 'p', 0, G_OPTION_ARG_NONE, &partials, "The partial derivatives of each row, too",
       NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON, all of it", NULL},
      {0},
  };
  int status;
  const CliPage page = {"equations MODEL.xml [OPTIONS]",
                        "Shows the system of a block diagram, x' = f(x, u), without running it.",
                        teach,
                        entries,
                        NULL,
                        of_a_run};
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  m.until = g_strdup("1e308"); /* after any start; nothing is run */
  g_autoptr(HyLoaded) loaded = cli_model_load("equations", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("equations", &m, loaded, "flat", &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  status = show(run, all, partials, json, out, &error) ? 0 : cli_failed_blocks(loaded, error);
  fputs(out->str, stdout);
  return cli_finish(status);
}
