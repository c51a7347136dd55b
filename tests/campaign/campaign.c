/* Random switched circuits: hydevs against what is exact, and against CVODE by hand.
 *
 * usage: campaign --program=HYDEVS [--seeds=1..236] [--methods=cvode_bdf,mliqss2] [--tol=1e-3,1e-6]
 *                 [--by-hand] [--engines] [--seconds=10] [--all] [--check] [--report]
 * [MODEL.xml...] campaign --write=SEED      the model of a seed campaign --exact=SEED      its
 * exact states, a row a sample prints a line for each run that is off by more than 1 % (--all: for
 * each run), then a table; with
 * --report a table of times and errors beside CVODE by hand, and each run that is off by more than
 * 0.1 %, with the reason that the program gives: status 1 if a run has not come to its end.
 */
#include "by_hand.h"
#include "figures.h"
#include "judge.h"
#include "netlist.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *program, *seeds = "1..236", *methods = "cvode_bdf", *tolerances = "1e-3";
static int seconds = 10, written = -1, shown = -1, netlist = -1;
static gboolean with_hand, with_engines, all, check, report;
static char **files;

static const GOptionEntry options[] = {
    {"program", 0, 0, G_OPTION_ARG_FILENAME, &program, "The program hydevs", "FILE"},
    {"seeds", 0, 0, G_OPTION_ARG_STRING, &seeds, "The first and the last", "A..B"},
    {"methods", 0, 0, G_OPTION_ARG_STRING, &methods, "Of the states", "M,M"},
    {"tol", 0, 0, G_OPTION_ARG_STRING, &tolerances, "Tolerances", "X,X"},
    {"by-hand", 0, 0, G_OPTION_ARG_NONE, &with_hand, "CVODE by hand, too", NULL},
    {"engines", 0, 0, G_OPTION_ARG_NONE, &with_engines, "Tree and flat must say the same", NULL},
    {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Of processor time for a run", "N"},
    {"all", 0, 0, G_OPTION_ARG_NONE, &all, "A line for each run", NULL},
    {"check", 0, 0, G_OPTION_ARG_NONE, &check, "The reference against itself", NULL},
    {"report", 0, 0, G_OPTION_ARG_NONE, &report, "Times beside CVODE by hand, and why some are off",
     NULL},
    {"write", 0, 0, G_OPTION_ARG_INT, &written, "The model of a seed", "SEED"},
    {"netlist", 0, 0, G_OPTION_ARG_INT, &netlist, "The model of a circuit between nodes", "SEED"},
    {"exact", 0, 0, G_OPTION_ARG_INT, &shown, "Its exact states", "SEED"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL},
    {0}};

/* Of one method and tolerance. */
typedef struct {
  char *method;
  double tolerance;
  int runs, ended, killed, different, off[3], hand[3], alone[3], sliding, sliding_off;
  guint64 events;
  Report *report; /* NULL: a line for each run in its place */
} Column;

static const double limits[] = {1, 10, 100};

static void count(Column *col, const Verdict *v, const Circuit *c)
{
  col->runs++;
  col->ended += v->record.status == 0;
  col->killed += v->record.status < 0;
  col->different += !v->same;
  col->events += v->record.events;
  if (circuit_slides(c)) {
    col->sliding++;
    col->sliding_off += v->percent > limits[1];
    return;
  }
  for (int k = 0; k < 3; k++) {
    col->off[k] += v->percent > limits[k];
    col->hand[k] += v->by_hand > limits[k];
    col->alone[k] += v->percent > limits[k] && !(HAND_FACTOR * v->by_hand > limits[k]);
  }
}

static void print_run(const Circuit *c, const Column *col, const Verdict *v, const Exact *e)
{
  char *line = g_strstrip(v->record.words);
  const char *last = strrchr(line, '\n');
  printf("%-12s %-9s %-6g status %2d off %10.4g %% (%s) by hand %8.3g %% events %8" G_GUINT64_FORMAT
         " toggles %5d%s%s%s%s\n",
         c->name, col->method, col->tolerance, v->record.status, v->percent,
         c->state[v->worst].name, v->by_hand, v->record.events, e->toggles,
         v->same ? "" : " ENGINES DIFFER", circuit_slides(c) ? " slides" : "",
         v->record.status > 0 ? ": " : "",
         v->record.status > 0 ? (last != NULL ? last + 1 : line) : "");
  fflush(stdout);
}

static void run_column(Column *col, const Circuit *c, const Exact *e, const char *scratch)
{
  Setting s = {.program = program,
               .method = col->method,
               .tolerance = col->tolerance,
               .seconds = seconds,
               .scratch = scratch};
  Verdict v;
  if (!judge(&v, c, e, &s, (Asked){.by_hand = with_hand, .engines = with_engines})) {
    fputs("campaign: no model could be written\n", stderr);
    exit(1);
  }
  count(col, &v, c);
  if (all || v.percent > 1 || !v.same || v.record.status != 0) {
    print_run(c, col, &v, e);
  }
  recording_clear(&v.record);
}

/* The reference looks five times closer, and CVODE by hand is asked for nine digits. */
static void check_reference(const Circuit *c, const Exact *e)
{
  Exact *finer = exact_new(c, SAMPLES, 5);
  g_autofree double *x = g_new0(double, SAMPLES *(gsize)c->states);
  ByHand cost = {0};
  int worst = 0;
  gboolean hand = by_hand(c, 1e-9, 1e-9, SAMPLES, x, &cost);
  printf("%-12s states %2d diodes %d gates %d relays %d toggles %5d configurations %3d", c->name,
         c->states, c->diodes, c->gates, c->relays, e->toggles, e->configurations);
  printf(" closer %.2g %%", finer ? deviation(c, finer->x, e->x, LEAST_SIZE, &worst) : NAN);
  printf(" by hand %.2g %% (%s), %ld steps\n",
         hand ? deviation(c, x, e->x, LEAST_SIZE, &worst) : NAN, c->state[worst].name, cost.steps);
  fflush(stdout);
  exact_free(finer);
}

static void one(const Circuit *c, GArray *columns, const char *scratch)
{
  Exact *e = exact_new(c, SAMPLES, 1);
  if (e == NULL) {
    printf("%s: no reference\n", c->name);
    return;
  }
  if (check) {
    check_reference(c, e);
  }
  for (guint k = 0; k < columns->len && program != NULL; k++) {
    Column *col = &g_array_index(columns, Column, k);
    if (col->report != NULL) {
      report_add(col->report, c, e);
    } else {
      run_column(col, c, e, scratch);
    }
  }
  exact_free(e);
}

static void print_table(const GArray *columns)
{
  printf("\n%-10s %-6s %5s %6s %7s %5s %5s %5s | by hand >1 >10 >100 | alone >1 >10 >100 | sliding "
         "off | engines differ | events\n",
         "method", "tol", "runs", "ended", "killed", ">1%", ">10%", ">100%");
  for (guint k = 0; k < columns->len; k++) {
    const Column *c = &g_array_index(columns, Column, k);
    printf("%-10s %-6g %5d %6d %7d %5d %5d %5d | %10d %3d %4d | %8d %3d %4d | %7d %3d | %14d | "
           "%" G_GUINT64_FORMAT "\n",
           c->method, c->tolerance, c->runs, c->ended, c->killed, c->off[0], c->off[1], c->off[2],
           c->hand[0], c->hand[1], c->hand[2], c->alone[0], c->alone[1], c->alone[2], c->sliding,
           c->sliding_off, c->different, c->events);
  }
}

static Report *make_report(const Column *col, const char *scratch)
{
  return report_new(&(Setting){.program = program,
                               .method = col->method,
                               .tolerance = col->tolerance,
                               .seconds = seconds,
                               .scratch = scratch});
}

/* TRUE: every run has come to its end. */
static gboolean print_report(const GArray *columns)
{
  gboolean ended = TRUE;
  report_head();
  for (guint k = 0; k < columns->len; k++) {
    const Report *r = g_array_index(columns, Column, k).report;
    report_row(r);
    ended &= report_ended(r);
  }
  printf("\n| circuit | method | tolerance | off by | by hand | toggles | it has | reason |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (guint k = 0; k < columns->len; k++) {
    report_off(g_array_index(columns, Column, k).report);
  }
  return ended;
}

static void free_columns(GArray *columns)
{
  for (guint k = 0; k < columns->len; k++) {
    Column *col = &g_array_index(columns, Column, k);
    g_free(col->method);
    report_free(col->report);
  }
  g_array_free(columns, TRUE);
}

static GArray *make_columns(const char *scratch)
{
  GArray *columns = g_array_new(FALSE, TRUE, sizeof(Column));
  g_auto(GStrv) m = g_strsplit(methods, ",", -1), t = g_strsplit(tolerances, ",", -1);
  for (int i = 0; m[i] != NULL; i++) {
    for (int k = 0; t[k] != NULL; k++) {
      Column c = {.method = g_strdup(m[i]), .tolerance = g_ascii_strtod(t[k], NULL)};
      c.report = report ? make_report(&c, scratch) : NULL;
      g_array_append_val(columns, c);
    }
  }
  return columns;
}

static gboolean read_file(Circuit *c, const char *file)
{
  g_autofree char *xml = NULL;
  if (!g_file_get_contents(file, &xml, NULL, NULL) || !circuit_read(c, xml)) {
    fprintf(stderr, "campaign: %s is no circuit that this reads\n", file);
    return FALSE;
  }
  g_autofree char *base = g_path_get_basename(file);
  *strchrnul(base, '.') = '\0';
  g_strlcpy(c->name, g_strcanon(base, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_'),
            sizeof c->name);
  return TRUE;
}

static int print_exact(const Circuit *c)
{
  Exact *e = exact_new(c, SAMPLES, 1);
  if (e == NULL) {
    return 1;
  }
  printf("time");
  for (int i = 0; i < c->states; i++) {
    printf(",%s", c->state[i].name);
  }
  for (int k = 0; k < SAMPLES; k++) {
    printf("\n%.17g", (k + 1) * c->stop / SAMPLES);
    for (int i = 0; i < c->states; i++) {
      printf(",%.12g", e->x[k * c->states + i]);
    }
  }
  printf("\n");
  exact_free(e);
  return 0;
}

static void go_through(Circuit *c, GArray *columns, const char *scratch)
{
  g_auto(GStrv) ends = g_strsplit(seeds, "..", 2);
  if (files != NULL) {
    for (char **file = files; *file != NULL; file++) {
      if (read_file(c, *file)) {
        one(c, columns, scratch);
      }
    }
    return;
  }
  gint64 last = g_ascii_strtoll(ends[1] != NULL ? ends[1] : ends[0], NULL, 10);
  for (gint64 seed = g_ascii_strtoll(ends[0], NULL, 10); seed <= last; seed++) {
    circuit_random(c, (guint64)seed);
    one(c, columns, scratch);
  }
}

int main(int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new("[MODEL.xml...]");
  g_autoptr(GError) error = NULL;
  g_option_context_add_main_entries(context, options, NULL);
  if (!g_option_context_parse(context, &argc, &argv, &error)) {
    fprintf(stderr, "campaign: %s\n", error->message);
    return 2;
  }
  if (netlist >= 0) {
    g_autofree Netlist *net = g_new0(Netlist, 1);
    netlist_random(net, (guint64)netlist);
    g_autofree char *xml = netlist_xml(net);
    fputs(xml, stdout);
    return 0;
  }
  g_autofree Circuit *c = g_new0(Circuit, 1);
  if (written >= 0 || shown >= 0) {
    circuit_random(c, (guint64)MAX(written, shown));
    if (shown >= 0) {
      return print_exact(c);
    }
    g_autofree char *xml = circuit_xml(c);
    fputs(xml, stdout);
    return 0;
  }
  g_autofree char *scratch = g_dir_make_tmp("campaign-XXXXXX", NULL);
  GArray *columns = make_columns(scratch);
  gboolean ended = TRUE;
  go_through(c, columns, scratch);
  scratch_remove(scratch);
  if (program != NULL && report) {
    ended = print_report(columns);
  } else if (program != NULL) {
    print_table(columns);
  }
  free_columns(columns);
  return !ended;
}
