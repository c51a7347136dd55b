/* hydevs plot: a recording as a picture, or as characters in the terminal. */
#include "run.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char teach[] =
    "Quantities of one unit share a panel, those without one if they are of like size; all panels\n"
    "share the time axis. What goes up and down "
    "in "
    "every column\n"
    "of pixels is a band, seen through; --from looks closer. Units, labels and which "
    "columns are\n"
    "events stand in RESULT.csv.json, which hydevs run writes beside the recording; any other CSV "
    "whose\n"
    "first column is a time can be drawn, too. gnuplot does the drawing and has to be "
    "installed.\n\n"
    "Examples:\n"
    "  hydevs plot examples/arrivals/model.xml        runs the model, makes arrivals.png\n"
    "  hydevs plot examples/arrivals/model.xml --term --set rate=0.5\n"
    "  hydevs plot buck.csv                           makes buck.png\n"
    "  hydevs plot buck.csv --columns 'uC,stage*'     some columns: names, labels or patterns\n"
    "  hydevs plot buck.csv --out buck.pdf --title 'Start of the converter'\n"
    "  hydevs plot buck.csv --from 9.9m --until 10m   the last ten of a thousand periods\n"
    "  hydevs plot a.csv b.csv                        both in one picture, a.png\n"
    "  hydevs plot a.csv b.csv --difference -o d.png  a less b, also of unequal instants\n"
    "  hydevs plot buck.csv --xy iL -c uC             the voltage over the current\n"
    "  hydevs plot growth.csv --log xy                both axes logarithmic\n"
    "  hydevs plot buck.csv --term                    in the terminal\n";

static guint number_of(const char *text, guint otherwise)
{
  guint64 n;
  return text != NULL && g_ascii_string_to_unsigned(text, 10, 1, 10000, &n, NULL) ? (guint)n
                                                                                  : otherwise;
}

/* Leaves the last line to the prompt. */
static void measure_terminal(HyPlotOptions *o)
{
  struct winsize size = {0};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    size.ws_col = (unsigned short)number_of(g_getenv("COLUMNS"), 80);
    size.ws_row = (unsigned short)number_of(g_getenv("LINES"), 24);
  }
  o->term_columns = size.ws_col;
  o->term_rows = size.ws_row > 1 ? size.ws_row - 1U : 1;
  o->term_colour = isatty(STDOUT_FILENO) == 1 && g_getenv("NO_COLOR") == NULL;
}

static int draw(const HyPlotOptions *o)
{
  g_autoptr(GError) error = NULL;
  if (!hy_plot_csv(o, &error)) {
    return cli_failed(error);
  }
  if (!o->term) {
    g_autofree char *picture = hy_plot_out(o);
    puts(picture);
  }
  return cli_finish(0);
}

/* Runs MODEL into a folder of its own, and draws what it recorded: also what a failed run left. */
static int draw_model(const char *model, const CliModel *m, HyPlotOptions *o)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", &error);
  if (dir == NULL) {
    return cli_failed(error);
  }
  g_autofree char *csv = g_build_filename(dir, "plot.csv", NULL);
  g_autofree char *sidecar = g_strconcat(csv, ".json", NULL);
  const char *const files[] = {csv, NULL};
  int status =
      cli_run_model(&(CliTask){.verb = "plot", .file = model, .out = files, .quiet = TRUE}, m);
  if (g_file_test(csv, G_FILE_TEST_EXISTS)) {
    g_autofree char *name = g_path_get_basename(model), *folder = g_path_get_dirname(model);
    g_autofree char *around = g_path_get_basename(folder);
    gboolean plain = strcmp(name, "model.xml") == 0 && strcmp(around, ".") != 0;
    g_autofree char *stem =
        plain ? g_strdup(around) : g_strndup(name, (gsize)(strrchr(name, '.') - name));
    g_autofree char *picture = g_strconcat(stem, ".png", NULL);
    o->csv = csv;
    o->name = model;
    o->out = o->out != NULL || o->term ? o->out : picture;
    int drawn = draw(o);
    status = status != 0 ? status : drawn;
  } else if (status == 0) {
    status = HY_ERROR_MODEL; /* nothing is recorded; the run has said so */
  }
  g_unlink(csv);
  g_unlink(sidecar);
  g_rmdir(dir);
  return status;
}

/* FROM to the end, or to UNTIL, which is the end of a run and is the window's of a recording. */
static gboolean read_window(const char *from, const char *until, HyPlotOptions *o, int *status)
{
  o->from = -INFINITY;
  o->to = INFINITY;
  if (!cli_time("plot", "--from", from, &o->from, status) ||
      !cli_time("plot", "--until", until, &o->to, status)) {
    return FALSE;
  }
  if (!(o->from < o->to)) {
    *status = cli_usage("plot", "--from=%s is not before --until=%s", from, until);
    return FALSE;
  }
  return TRUE;
}

static gboolean is_model(const char *file)
{
  return g_str_has_suffix(file, ".xml") || hy_format_find(hy_formats(), file) != NULL;
}

static int check_files(int argc, char **argv, gboolean difference)
{
  if (argc < 2) {
    return cli_usage("plot", "which recording or model?");
  }
  for (int k = 1; k < argc && argc > 2; k++) {
    if (is_model(argv[k])) {
      return cli_usage("plot", "%s: one model at a time; run them with -o, and plot the recordings",
                       argv[k]);
    }
  }
  if (difference && argc != 3) {
    return cli_usage("plot", "--difference is that of two recordings");
  }
  return 0;
}

static int check(const char *out, gboolean term, const char *log)
{
  static const char *const axes[] = {"x", "y", "xy", NULL};
  if (term && out != NULL) {
    return cli_usage("plot", "--out makes a file, --term draws in the terminal: not both");
  }
  if (log != NULL && !g_strv_contains(axes, log)) {
    return cli_usage("plot", "--log=%s: choose x, y or xy", log);
  }
  return 0;
}

int cli_plot(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *out = NULL, *columns = NULL, *title = NULL, *from = NULL, *log = NULL,
                  *over = NULL;
  gboolean term = FALSE, difference = FALSE;
  const GOptionEntry entries[] = {
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out,
       "The picture: .png, .svg or .pdf (RESULT.png, MODEL.png)", "FILE"},
      {"columns", 'c', 0, G_OPTION_ARG_STRING, &columns, "Only these (all)", "A,B,..."},
      {"from", 0, 0, G_OPTION_ARG_STRING, &from, "Show what comes from this time on (all)", "T"},
      {"difference", 0, 0, G_OPTION_ARG_NONE, &difference,
       "Of two recordings, what the first has more", NULL},
      {"xy", 0, 0, G_OPTION_ARG_STRING, &over, "Over this column in place of the time", "A"},
      {"log", 0, 0, G_OPTION_ARG_STRING, &log, "Logarithmic axes: x, y or xy", "AXES"},
      {"title", 0, 0, G_OPTION_ARG_STRING, &title, "Stands above the picture", "TEXT"},
      {"term", 0, 0, G_OPTION_ARG_NONE, &term, "Draw in the terminal instead", NULL},
      {0},
  };
  const CliPage page = {"plot RESULT.csv...|MODEL.xml [OPTIONS]",
                        "Draws recordings over time, or what a run of a model records.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, NULL, &status)) {
    return status;
  }
  status = check_files(argc, argv, difference);
  status = status != 0 ? status : check(out, term, log);
  if (status != 0) {
    return status;
  }
  gboolean runs = is_model(argv[1]);
  g_autofree char *until = runs ? NULL : g_steal_pointer(&m.until);
  const char *given = cli_model_given(&m);
  if (!runs && given != NULL) {
    return cli_usage("plot", "--%s is for a run of a model; %s is a recording", given, argv[1]);
  }
  HyPlotOptions o = {.csv = argv[1],
                     .with = argc > 2 ? (const char *const *)argv + 2 : NULL,
                     .difference = difference,
                     .over = over,
                     .out = out,
                     .columns = columns,
                     .title = title,
                     .log = log,
                     .term = term};
  if (!read_window(from, until != NULL ? until : m.until, &o, &status)) {
    return status;
  }
  measure_terminal(&o);
  return runs ? draw_model(argv[1], &m, &o) : draw(&o);
}
