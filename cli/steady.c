/* hydevs steady: where a periodic model comes to rest, and whether it stays there. */
#include "model.h"

#include <hydevs/steady.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "The state from which one period of the model's sources leads back to itself is found by\n"
    "Newton's method: a few periods are simulated, not the thousands that settling takes. The\n"
    "period is the shortest that all periodic sources share (pwm, square, sine, sample_hold ...),\n"
    "or --period T; a T that leads back once but not again is refused. All states are solved as\n"
    "one exact block (block_liqss2) whatever the model states, so equations must be linear while\n"
    "no switch turns; where they are not, or a block like a sample_hold hears the states,\n"
    "sensitivities are differences of runs; then it says so.\n\n"
    "Floquet multipliers are what a period makes of a small disturbance: all below 1 in size, it\n"
    "dies out; one below -1, every other period is alike (subharmonic oscillation). Of what the\n"
    "experiment or --record names, the mean, rms and --harmonics over the period are exact, "
    "too.\n\n"
    "Examples:\n"
    "  hydevs steady buck.xml                        the state, its multipliers, what they mean\n"
    "  hydevs steady buck.xml --set duty=0.6 --json  as data, with the monodromy matrix\n"
    "  hydevs steady buck.xml -r uC -r iL --harmonics 5\n"
    "  hydevs steady buck.xml --balance pin,pon,pout  whether powers add up: pin = pon + pout\n"
    "  hydevs steady peak.xml --period 200u          an orbit that takes two periods of the clock\n"
    "  hydevs run buck.xml --from-steady             a run that begins there\n";

/* One period is simulated again and again; by what, is said above. */
static const char *const not_here[] = {"until",     "grid",     "engine",   "method",  "hstep",
                                       "partition", "evaluate", "jacobian", "refresh", NULL};

gboolean cli_search_settings(const char *verb, const CliSearch *search, HySteadySettings *set,
                             int *status)
{
  double period = NAN;
  if (search->period != NULL &&
      !(cli_number(search->period, &period) && period > 0.0 && isfinite(period))) {
    *status = cli_usage(verb, "--period=%s must be a time above 0", search->period);
    return FALSE;
  }
  if (search->events < 0 || search->memory < 0) {
    *status = cli_usage(verb, "--max-events and --max-memory take whole numbers, 0 or more");
    return FALSE;
  }
  set->period = period;
  set->most_events = (guint64)search->events;
  set->most_bytes = (gsize)search->memory << 20;
  return TRUE;
}

HySteady *cli_search(const HyLoaded *loaded, HySteadySettings *set, CliProgress *progress,
                     int *status)
{
  g_autoptr(GError) error = NULL;
  cli_progress_search(progress, set);
  HySteady *found = hy_steady_new(loaded, set, &error);
  cli_progress_end(progress);
  if (found == NULL) {
    *status = cli_failed_blocks(loaded, error);
  }
  return found;
}

void cli_steady_prepare(CliModel *m)
{
  m->until = m->until != NULL ? m->until : g_strdup("1e308"); /* after any start */
  if (m->tol == NULL && m->dqrel == NULL && m->dqmin == NULL) {
    m->tol = g_strdup("1e-9"); /* only what is not solved exactly has one */
  }
}

/* The mean of the output of that path; NaN: there is none. */
static double mean_of(const HySteady *s, const char *path)
{
  for (guint k = 0; k < hy_steady_n_outputs(s); k++) {
    if (strcmp(hy_steady_output(s, k), path) == 0) {
      return hy_steady_mean(s, k);
    }
  }
  return NAN;
}

/* Of NAMES the first is what goes in, the others are where it stays. */
static void balance(const HySteady *s, char **names, GString *out)
{
  char text[HY_DOUBLE_SIZE], part[HY_DOUBLE_SIZE];
  double in = mean_of(s, names[0]), rest = in;
  g_string_append_printf(out, "\nmean of %s = %s\n", names[0],
                         g_ascii_formatd(text, sizeof text, "%.10g", in));
  for (char **name = names + 1; *name != NULL; name++) {
    double v = mean_of(s, *name);
    rest -= v;
    g_ascii_formatd(text, sizeof text, "%.10g", v);
    g_ascii_formatd(part, sizeof part, "%.4g", 100.0 * v / in);
    g_string_append_printf(out, "  %s = %s, %s %%\n", *name, text, part);
  }
  g_ascii_formatd(text, sizeof text, "%.2g", rest / in);
  g_string_append_printf(out, "  what is left is %s of it\n", text);
}

/* They are outputs, too. */
static char **read_balance(const char *text, CliModel *m)
{
  if (text == NULL) {
    return NULL;
  }
  g_autoptr(GStrvBuilder) record = g_strv_builder_new();
  for (char **r = m->record; r != NULL && *r != NULL; r++) {
    g_strv_builder_add(record, *r);
  }
  char **names = g_strsplit(text, ",", -1);
  for (char **name = names; *name != NULL; name++) {
    g_strv_builder_add(record, g_strstrip(*name));
  }
  g_strfreev(m->record);
  m->record = g_strv_builder_end(record);
  return names;
}

int cli_steady(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *period = NULL, *powers = NULL;
  g_auto(GStrv) names = NULL;
  gboolean json = FALSE, differences = FALSE;
  gint harmonics = 0;
  CliSearch search = CLI_SEARCH;
  CliProgress progress = {0};
  const GOptionEntry entries[] = {
      {"period", 'p', 0, G_OPTION_ARG_STRING, &period,
       "The time after which it repeats (the sources' common one)", "T"},
      CLI_SEARCH_LIMITS(search),
      {"harmonics", 0, 0, G_OPTION_ARG_INT, &harmonics, "So many of each output (0)", "N"},
      {"balance", 0, 0, G_OPTION_ARG_STRING, &powers,
       "Means that must add up: the first is the sum of the others", "IN,OUT,..."},
      {"differences", 0, 0, G_OPTION_ARG_NONE, &differences,
       "Sensitivities by differences of runs, to compare", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON, with the monodromy matrix", NULL},
      {0},
  };
  const CliPage page = {"steady MODEL.xml [OPTIONS]",
                        "Finds the periodic steady state of a model, and whether it is stable.",
                        teach,
                        entries,
                        NULL,
                        not_here};
  int status;
  HySteadySettings set = HY_STEADY_SETTINGS;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status) ||
      !cli_model_progress("steady", &m, &progress.kind, &status)) {
    return status;
  }
  search.period = period;
  if (!cli_search_settings("steady", &search, &set, &status)) {
    return status;
  }
  if (harmonics < 0 || harmonics > HY_STEADY_HARMONICS) {
    return cli_usage("steady", "--harmonics=%d: choose 0 .. %d", harmonics, HY_STEADY_HARMONICS);
  }
  cli_steady_prepare(&m);
  names = read_balance(powers, &m);
  set.harmonics = (guint)harmonics;
  set.differences = differences ? 1e-6 : 0.0;
  g_autoptr(HyLoaded) loaded = cli_model_load("steady", &m, argv[1], &status);
  g_autoptr(HySteady) steady = loaded != NULL ? cli_search(loaded, &set, &progress, &status) : NULL;
  if (steady == NULL) {
    return status;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  (json ? hy_steady_json : hy_steady_text)(steady, out);
  if (names != NULL && names[0] != NULL && !json) {
    balance(steady, names, out);
  }
  fputs(out->str, stdout);
  return cli_finish(0);
}
