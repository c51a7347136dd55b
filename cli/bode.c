/* hydevs bode: how a model in its periodic steady state answers to a small oscillation. */
#include "model.h"

#include <glib/gstdio.h>
#include <hydevs/bode.h>
#include <hydevs/plot.h>
#include <hydevs/text.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "The periodic steady state is found first (hydevs steady). Then the answer to e^(j w t) of a "
    "small\n"
    "amplitude is computed from that one period, exactly: switches turn when they do, diodes too,\n"
    "and no mean of switch positions is taken. What is shown is the part of --to at the frequency\n"
    "that goes in, as a network analyser measures it. Beyond half the frequency of the period "
    "that\n"
    "means nothing: the model mixes it with others.\n\n"
    "--from is a parameter (a duty, a voltage, a reference; what scales states, as a resistance, "
    "is\n"
    "none), a source, or a state, to whose derivative it adds. --to is a state or a function. An "
    "output\n"
    "impedance is from a current that adds to a capacitor's, a parameter of value 0. So is a loop "
    "gain\n"
    "with --loop: --from is a parameter of value 0 that adds to --to where the loop is closed,\n"
    "<function name=\"vm\" formula=\"vc + e\"/>: --from e --to vc --loop; its margins are told.\n\n"
    "Examples:\n"
    "  hydevs bode buck.xml --from duty --to uC                 control to output\n"
    "  hydevs bode buck.xml --from U --to uC --plot line.svg    line to output, as a picture\n"
    "  hydevs bode loop.xml --from e --to vc --loop             crossover and margins\n"
    "  hydevs bode buck.xml --from duty --to uC --low 10 --high 5k -o bode.csv\n";

static const char *const not_here[] = {"until",   "grid",      "engine",   "method",
                                       "hstep",   "partition", "evaluate", "jacobian",
                                       "refresh", "record",    NULL};

/* What the options say. */
typedef struct {
  char *from, *to, *period, *low, *high, *out, *plot;
  CliSearch search;
  gint points;
  gboolean loop, json;
} Asked;

static void asked_clear(Asked *a)
{
  g_free(a->from);
  g_free(a->to);
  g_free(a->period);
  g_free(a->low);
  g_free(a->high);
  g_free(a->out);
  g_free(a->plot);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Asked, asked_clear)

static gboolean frequency(const char *option, const char *text, double *f, int *status)
{
  *f = NAN;
  if (text == NULL || (cli_number(text, f) && *f > 0 && isfinite(*f))) {
    return TRUE;
  }
  *status = cli_usage("bode", "%s=%s must be a frequency above 0, in Hz", option, text);
  return FALSE;
}

/* The parameter of that name; NULL: there is none that is one number. */
static const HyParameter *parameter(const HyLoaded *loaded, const char *name)
{
  for (guint k = 0; k < hy_loaded_n_parameters(loaded); k++) {
    const HyParameter *p = hy_loaded_parameter(loaded, k);
    if (strcmp(p->name, name) == 0 && p->text == NULL && !p->array) {
      return p;
    }
  }
  return NULL;
}

/* The model with that parameter at V. NULL: *STATUS is the exit status. */
static HyLoaded *load_with(const CliModel *m, const char *file, const char *name, double v,
                           int *status)
{
  char text[HY_DOUBLE_SIZE];
  g_autofree char *own = g_strdup_printf("%s=%s", name, hy_double_text(text, v));
  g_autofree char *begins = g_strconcat(name, "=", NULL);
  g_autoptr(GPtrArray) set = g_ptr_array_new();
  for (char **s = m->set; s != NULL && *s != NULL; s++) {
    if (!g_str_has_prefix(*s, begins)) {
      g_ptr_array_add(set, *s);
    }
  }
  g_ptr_array_add(set, own);
  g_ptr_array_add(set, NULL);
  CliModel other = *m;
  other.set = (char **)set->pdata;
  other.warned = TRUE;
  return cli_model_load("bode", &other, file, status);
}

/* None of what is written is read, and all of it goes to files of its own. */
static gboolean outputs_are_free(const HyLoaded *loaded, const Asked *a, GError **error)
{
  const char *const *in = hy_loaded_inputs(loaded);
  gboolean table = a->out != NULL && strcmp(a->out, "-") != 0;
  g_autofree char *beside = table ? g_strconcat(a->out, ".json", NULL) : NULL;
  const char *const written[] = {table ? a->out : NULL, beside, NULL};
  return (!table || (hy_output_is_free(a->out, in, NULL, error) &&
                     hy_output_is_free(beside, in, NULL, error))) &&
         (a->plot == NULL || hy_output_is_free(a->plot, in, written, error));
}

static int draw(const HyBode *b, const char *csv, const char *picture)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *dir = csv == NULL ? g_dir_make_tmp("hydevs-XXXXXX", &error) : NULL;
  g_autofree char *own = dir != NULL ? g_build_filename(dir, "bode.csv", NULL) : g_strdup(csv);
  if (own == NULL) {
    return cli_failed(error);
  }
  g_autofree char *beside = g_strconcat(own, ".json", NULL);
  g_autoptr(GString) table = g_string_new(NULL), data = g_string_new(NULL);
  hy_bode_csv(b, table);
  hy_bode_json(b, data);
  gboolean ok =
      hy_write_file(own, table->str, -1, &error) && hy_write_file(beside, data->str, -1, &error) &&
      (picture == NULL || hy_plot_csv(&(HyPlotOptions){.csv = own, .out = picture}, &error));
  if (dir != NULL) {
    g_unlink(own);
    g_unlink(beside);
    g_rmdir(dir);
  }
  if (ok && picture != NULL) {
    g_autofree char *name = hy_plain_text(picture, FALSE);
    fprintf(stderr, "%s\n", name);
  }
  return ok ? 0 : cli_failed(error);
}

static int show(const HyBode *b, const Asked *a)
{
  g_autoptr(GString) out = g_string_new(NULL);
  gboolean table = g_strcmp0(a->out, "-") == 0;
  const char *csv = table ? NULL : a->out;
  int status = csv != NULL || a->plot != NULL ? draw(b, csv, a->plot) : 0;
  (table ? hy_bode_csv : a->json ? hy_bode_json : hy_bode_text)(b, out);
  fputs(out->str, stdout);
  return cli_finish(status);
}

/* In the steady state. */
static int answer(const CliModel *m, const char *file, const Asked *a, HySteady *steady,
                  const HyLoaded *loaded, HyBodeSettings *set, const CliProgress *progress)
{
  int status = 0;
  const HyParameter *p = parameter(loaded, a->from);
  g_autoptr(HyLoaded) more = NULL, less = NULL;
  g_autoptr(GError) error = NULL;
  if (p != NULL) {
    double v = p->numbers[0];
    set->step = 1e-6 * (v != 0.0 ? fabs(v) : 1.0);
    more = load_with(m, file, a->from, v + set->step, &status);
    less = more != NULL ? load_with(m, file, a->from, v - set->step, &status) : NULL;
    if (less == NULL) {
      return status;
    }
  }
  set->more = more;
  set->less = less;
  g_autoptr(HyBode) b = hy_bode_new(steady, set, &error);
  cli_progress_end(progress);
  return b != NULL ? show(b, a) : cli_failed(error);
}

static int respond(CliModel *m, const char *file, const Asked *a)
{
  int status;
  HySteadySettings steady = HY_STEADY_SETTINGS;
  HyBodeSettings set = HY_BODE_SETTINGS;
  CliProgress progress = {0};
  if (!cli_model_progress("bode", m, &progress.kind, &status) ||
      !cli_search_settings("bode", &a->search, &steady, &status) ||
      !frequency("--low", a->low, &set.low, &status) ||
      !frequency("--high", a->high, &set.high, &status)) {
    return status;
  }
  set.from = a->from;
  set.to = a->to;
  set.loop = a->loop;
  set.points = (guint)a->points;
  cli_steady_prepare(m);
  m->record = g_new0(char *, 2);
  m->record[0] = g_strdup(a->to);
  g_autoptr(HyLoaded) loaded = cli_model_load("bode", m, file, &status);
  g_autoptr(GError) error = NULL;
  if (loaded != NULL && !outputs_are_free(loaded, a, &error)) {
    return cli_failed(error);
  }
  g_autoptr(HySteady) found =
      loaded != NULL ? cli_search(loaded, &steady, &progress, &status) : NULL;
  return found != NULL ? answer(m, file, a, found, loaded, &set, &progress) : status;
}

int cli_bode(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_auto(Asked) a = {.points = 400, .search = CLI_SEARCH};
  const GOptionEntry entries[] = {
      {"from", 0, 0, G_OPTION_ARG_STRING, &a.from, "What oscillates", "NAME"},
      {"to", 0, 0, G_OPTION_ARG_STRING, &a.to, "What is read", "PATH"},
      {"loop", 0, 0, G_OPTION_ARG_NONE, &a.loop,
       "The gain of the loop in which --from adds to --to", NULL},
      {"low", 0, 0, G_OPTION_ARG_STRING, &a.low,
       "The first frequency (a ten-thousandth of the period's)", "HZ"},
      {"high", 0, 0, G_OPTION_ARG_STRING, &a.high, "The last one (half of the period's)", "HZ"},
      {"points", 0, 0, G_OPTION_ARG_INT, &a.points, "How many (400)", "N"},
      {"period", 'p', 0, G_OPTION_ARG_STRING, &a.period,
       "The time after which it repeats (the sources' common one)", "T"},
      CLI_SEARCH_LIMITS(a.search),
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &a.out, "The table as CSV; - is stdout", "FILE"},
      {"plot", 0, 0, G_OPTION_ARG_FILENAME, &a.plot, "A picture: .png, .svg or .pdf", "FILE"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &a.json, "As JSON", NULL},
      {0},
  };
  const CliPage page = {"bode MODEL.xml --from NAME --to PATH [OPTIONS]",
                        "Shows the frequency response of a model in its periodic steady state.",
                        teach,
                        entries,
                        NULL,
                        not_here};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  if (a.from == NULL || a.to == NULL) {
    return cli_usage("bode",
                     "say what oscillates with --from NAME and what is read with --to PATH");
  }
  if (a.points < 1 || a.points > HY_BODE_POINTS) {
    return cli_usage("bode", "--points=%d: choose 1 .. %d", a.points, HY_BODE_POINTS);
  }
  a.search.period = a.period;
  return respond(&m, argv[1], &a);
}
