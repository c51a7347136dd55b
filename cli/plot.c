/* hydevs plot: a recording as a picture, or as characters in the terminal. */
#include "run.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char teach[] =
    "Quantities of one unit share a panel, those without one as long as each of them moves over\n"
    "at least a tenth of it; all panels share the time axis, which is in s, ms, us ... as fits.\n"
    "What goes up and down in every column of pixels is a band, seen through; --from looks\n"
    "closer. Units, labels and which columns are events stand in RESULT.csv.json, which hydevs\n"
    "run writes beside the recording; any other CSV whose first column is a time can be drawn,\n"
    "too. gnuplot does the drawing and has to be installed.\n\n"
    "Examples:\n"
    "  hydevs plot examples/arrivals/model.xml        runs the model, makes arrivals.png\n"
    "  hydevs plot examples/arrivals/model.xml --term --set rate=0.5\n"
    "  hydevs plot buck.csv                           makes buck.png\n"
    "  hydevs plot buck.csv --columns 'uC,stage*'     some columns: names, labels or patterns\n"
    "  hydevs plot buck.csv --out buck.pdf --title 'Start of the converter'\n"
    "  hydevs plot buck.csv --from 9.9m --until 10m   the last ten of a thousand periods\n"
    "  hydevs plot a.csv b.csv                        both in one picture, a.png\n"
    "  hydevs plot a.csv b.csv --difference -o d.png  a less b, also of unequal instants\n"
    "  hydevs plot mc.runs/*.csv --bands -o spread.png    how much many runs differ\n"
    "  hydevs plot mc.csv                             the table of a sweep: measures by "
    "parameters\n"
    "  hydevs plot mc.csv --histogram values -c 'peak(uC)'   how many runs have which value\n"
    "  hydevs plot mc.csv --map L,C -c 'peak(uC)'     a measure over two parameters, by colour\n"
    "  hydevs plot mc.csv --tornado -c 'peak(uC)'     by how much each parameter moves it\n"
    "  hydevs plot buck.csv --xy iL -c uC             the voltage over the current\n"
    "  hydevs plot growth.csv --log xy                both axes logarithmic\n"
    "  hydevs plot buck.csv --fft --from 9m -c iL     its harmonics, from 9 ms on\n"
    "  hydevs plot buck.csv --fft --db --fmax 1M --window flattop\n"
    "  hydevs plot buck.csv --histogram values -c uC  for how much of the time it has which value\n"
    "  hydevs plot buck.csv --histogram steps -c iL   times between two events of it\n"
    "  hydevs plot buck.csv --size 8.5x6cm --font Serif,8 -o column.pdf   for print\n"
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
    g_autofree char *picture = hy_plot_out(o), *name = hy_plain_text(picture, FALSE);
    puts(name);
  }
  return cli_finish(0);
}

/* "cuk.png" of examples/thesis/cuk/model.xml, "a.png" of a.xml. */
static char *picture_of(const char *model)
{
  g_autofree char *name = g_path_get_basename(model), *folder = g_path_get_dirname(model);
  g_autofree char *around = g_path_get_basename(folder);
  gboolean plain = strcmp(name, "model.xml") == 0 && strcmp(around, ".") != 0;
  g_autofree char *stem =
      plain ? g_strdup(around) : g_strndup(name, (gsize)(strrchr(name, '.') - name));
  return g_strconcat(stem, ".png", NULL);
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
  g_autofree char *picture = picture_of(model);
  const char *const files[] = {csv, NULL};
  o->csv = csv;
  o->name = model;
  o->out = o->out != NULL || o->term ? o->out : picture;
  int status = cli_run_model(
      &(CliTask){.verb = "plot", .file = model, .out = files, .picture = o->out, .quiet = TRUE}, m);
  if (g_file_test(csv, G_FILE_TEST_EXISTS)) {
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

/* What is asked for in place of curves over time. */
typedef struct {
  gboolean fft, db, tornado;
  char *map, *window, *fmax, *histogram, *bins, *size, *font;
} Made;

static void made_clear(Made *m)
{
  g_free(m->map);
  g_free(m->window);
  g_free(m->fmax);
  g_free(m->histogram);
  g_free(m->bins);
  g_free(m->size);
  g_free(m->font);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Made, made_clear)

static int read_spectrum(const Made *m, HyPlotOptions *o)
{
  static const char *const windows[] = {"none", "hann", "blackman", "flattop", NULL};
  int status = 0;
  if (!m->fft && (m->window != NULL || m->db || m->fmax != NULL)) {
    return cli_usage("plot", "--window, --db and --fmax go with --fft");
  }
  if (m->window != NULL && !g_strv_contains(windows, m->window)) {
    return cli_usage("plot", "--window=%s: choose none, hann, blackman or flattop", m->window);
  }
  if (m->fmax != NULL && (!cli_time("plot", "--fmax", m->fmax, &o->fmax, &status) ||
                          !(o->fmax > 0.0) || isinf(o->fmax))) {
    return status != 0 ? status
                       : cli_usage("plot", "--fmax=%s is not a positive frequency", m->fmax);
  }
  o->fft = m->fft ? (m->window != NULL ? m->window : "hann") : NULL;
  o->db = m->db;
  return 0;
}

static int read_histogram(const Made *m, HyPlotOptions *o)
{
  static const char *const kinds[] = {"values", "steps", NULL};
  if (m->histogram != NULL && !g_strv_contains(kinds, m->histogram)) {
    return cli_usage("plot", "--histogram=%s: choose values or steps", m->histogram);
  }
  if (m->bins != NULL && m->histogram == NULL) {
    return cli_usage("plot", "--bins goes with --histogram");
  }
  o->bins = number_of(m->bins, 0);
  if (m->bins != NULL && o->bins == 0) {
    return cli_usage("plot", "--bins=%s: choose a number from 1 to 10000", m->bins);
  }
  o->histogram = m->histogram;
  return 0;
}

/* "12x8cm", "6x4in", "1600x900". */
static int read_size(const char *size, HyPlotOptions *o)
{
  static const struct {
    const char *name;
    double inch;
    guint dpi;
  } units[] = {
      {"", 100, 100}, {"px", 100, 100}, {"cm", 2.54, 300}, {"mm", 25.4, 300}, {"in", 1, 300}};
  char *end;
  double w = g_ascii_strtod(size, &end), h = *end == 'x' ? g_ascii_strtod(end + 1, &end) : 0.0;
  for (guint k = 0; k < G_N_ELEMENTS(units); k++) {
    if (strcmp(end, units[k].name) == 0) {
      o->width = w / units[k].inch;
      o->height = h / units[k].inch;
      o->dpi = units[k].dpi;
    }
  }
  if (!(o->width >= 1.0 && o->width <= 100.0 && o->height >= 1.0 && o->height <= 100.0)) {
    return cli_usage("plot",
                     "--size=%s: say it as 12x8cm, 120x80mm, 6x4in or 1600x900 (pixels), at "
                     "least an inch each",
                     size);
  }
  return 0;
}

/* "Serif,9", "Serif" or "9". */
static int read_font(char *font, HyPlotOptions *o)
{
  char *comma = strrchr(font, ','), *end;
  char *number = comma != NULL ? comma + 1 : font;
  double size = g_ascii_strtod(number, &end);
  gboolean sized = end != number && *end == '\0';
  if ((comma != NULL && !sized) || (sized && !(size >= 3.0 && size <= 100.0))) {
    return cli_usage("plot", "--font=%s: say it as Serif,9 (points, from 3 to 100), Serif or 9",
                     font);
  }
  o->font_size = sized ? size : 0.0;
  if (comma != NULL) {
    *comma = '\0';
  }
  o->font = comma != NULL || !sized ? font : NULL;
  return 0;
}

static int read_made(const Made *m, gboolean over, HyPlotOptions *o)
{
  if (m->fft + (m->histogram != NULL) + over + (m->map != NULL) + m->tornado > 1) {
    return cli_usage("plot", "one of --fft, --histogram, --map, --tornado and --xy");
  }
  o->map = m->map;
  o->tornado = m->tornado;
  int status = read_spectrum(m, o);
  status = status != 0 ? status : read_histogram(m, o);
  status = status != 0 || m->size == NULL ? status : read_size(m->size, o);
  return status != 0 || m->font == NULL ? status : read_font(m->font, o);
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
  gboolean term = FALSE, difference = FALSE, bands = FALSE;
  g_auto(Made) made = {0};
  const GOptionEntry entries[] = {
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out,
       "The picture: .png, .svg or .pdf (RESULT.png, MODEL.png); of --fft, --histogram, --bands "
       "also .csv",
       "FILE"},
      {"columns", 'c', 0, G_OPTION_ARG_STRING, &columns, "Only these (all)", "A,B,..."},
      {"from", 0, 0, G_OPTION_ARG_STRING, &from, "Show what comes from this time on (all)", "T"},
      {"difference", 0, 0, G_OPTION_ARG_NONE, &difference,
       "Of two recordings, what the first has more", NULL},
      {"bands", 0, 0, G_OPTION_ARG_NONE, &bands,
       "Of many recordings, how their columns spread: median, 25 to 75 %, 5 to 95 %", NULL},
      {"xy", 0, 0, G_OPTION_ARG_STRING, &over, "Over this column in place of the time", "A"},
      {"log", 0, 0, G_OPTION_ARG_STRING, &log, "Logarithmic axes: x, y or xy", "AXES"},
      {"fft", 0, 0, G_OPTION_ARG_NONE, &made.fft, "Amplitudes by frequency", NULL},
      {"window", 0, 0, G_OPTION_ARG_STRING, &made.window,
       "Of --fft: none (for whole periods), hann, blackman or flattop (hann)", "NAME"},
      {"db", 0, 0, G_OPTION_ARG_NONE, &made.db, "Of --fft: 20 log10 of the amplitudes", NULL},
      {"fmax", 0, 0, G_OPTION_ARG_STRING, &made.fmax,
       "Of --fft: up to this frequency (a line for every second row)", "F"},
      {"histogram", 0, 0, G_OPTION_ARG_STRING, &made.histogram,
       "How often or how long each of the values, or how often each of the steps", "KIND"},
      {"map", 0, 0, G_OPTION_ARG_STRING, &made.map,
       "Of the table of a sweep: a measure over two parameters, by colour", "A,B"},
      {"tornado", 0, 0, G_OPTION_ARG_NONE, &made.tornado,
       "Of the table of a sweep: by how much each parameter moves a measure", NULL},
      {"bins", 0, 0, G_OPTION_ARG_STRING, &made.bins, "Of it (50)", "N"},
      {"size", 0, 0, G_OPTION_ARG_STRING, &made.size,
       "Of the picture: 12x8cm, 6x4in (a .png has 300 dots an inch then), 1600x900", "WxH"},
      {"font", 0, 0, G_OPTION_ARG_STRING, &made.font, "Its letters (sans,10.5)", "NAME,POINTS"},
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
                     .bands = bands,
                     .over = over,
                     .out = out,
                     .columns = columns,
                     .title = title,
                     .log = log,
                     .term = term};
  status = read_made(&made, over != NULL, &o);
  if (status != 0) {
    return status;
  }
  if (!read_window(from, until != NULL ? until : m.until, &o, &status)) {
    return status;
  }
  measure_terminal(&o);
  return runs ? draw_model(argv[1], &m, &o) : draw(&o);
}
