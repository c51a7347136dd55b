/* Random converters with what controls them: hydevs against what they do exactly.
 *
 * usage: loops --program=HYDEVS [--seeds=1..100] [--tol=X] [--method=M] [--seconds=20] [--off=1]
 *              [--keep=FOLDER] [--worst=20] [--all] [--audit]
 *        loops --write=SEED     the model of a seed, with its right end values in a comment
 *        loops --exact=SEED     what it does, a row a sample
 *        loops --toggles=SEED   all that turns, a row each
 *        loops --check --seeds=A..B     the reference against a closer look at itself
 *
 * Prints a line for each run that is off by more than `off` percent (--all: for each run), a table
 * by control, and what was left out. The error of a run: of 128 instants and all states the largest
 * deviation as a part of the largest value of the same state. `keep`: the models of the worst.
 * `audit`: breaches stand beside what is off, in the lines and in the table. */
#include "figures.h"
#include "loop_judge.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *program, *seeds = "1..100", *method, *keep;
static double tolerance, off_percent = 1;
static int seconds = 20, written = -1, shown = -1, listed = -1, worst = 20;
static gboolean all, check, counted, engines, audited;

static const GOptionEntry options[] = {
    {"program", 0, 0, G_OPTION_ARG_FILENAME, &program, "The program hydevs", "FILE"},
    {"seeds", 0, 0, G_OPTION_ARG_STRING, &seeds, "The first and the last", "A..B"},
    {"tol", 0, 0, G_OPTION_ARG_DOUBLE, &tolerance, "Tolerance; else as models have it", "X"},
    {"method", 0, 0, G_OPTION_ARG_STRING, &method, "Of all states; else its own choice", "M"},
    {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Of processor time for a run", "N"},
    {"off", 0, 0, G_OPTION_ARG_DOUBLE, &off_percent, "A line for runs that are off by more",
     "PERCENT"},
    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &keep, "A folder for the models of the worst", "FOLDER"},
    {"worst", 0, 0, G_OPTION_ARG_INT, &worst, "How many of them", "N"},
    {"all", 0, 0, G_OPTION_ARG_NONE, &all, "A line for each run", NULL},
    {"check", 0, 0, G_OPTION_ARG_NONE, &check, "The reference against itself", NULL},
    {"engines", 0, 0, G_OPTION_ARG_NONE, &engines, "Tree and flat must say the same", NULL},
    {"cost", 0, 0, G_OPTION_ARG_NONE, &counted, "Processor time of the runs, too", NULL},
    {"audit", 0, 0, G_OPTION_ARG_NONE, &audited, "Every run is audited in full", NULL},
    {"write", 0, 0, G_OPTION_ARG_INT, &written, "The model of a seed", "SEED"},
    {"exact", 0, 0, G_OPTION_ARG_INT, &shown, "What it does exactly", "SEED"},
    {"toggles", 0, 0, G_OPTION_ARG_INT, &listed, "All that turns", "SEED"},
    {0}};

static int by_error(gconstpointer a, gconstpointer b)
{
  const LoopVerdict *x = a, *y = b;
  return x->error < y->error ? 1 : x->error > y->error ? -1 : 0;
}

static void print_verdict(const Loop *l, const LoopVerdict *v)
{
  printf("%5" G_GUINT64_FORMAT " %-17s %-25s status %2d off %9.3g (%s) events %7" G_GUINT64_FORMAT
         " toggles %5d growth %.1g%s%s%s\n",
         l->seed, l->family, l->control, v->status, v->error, loop_state(l, v->worst)->name,
         v->events, v->toggles, v->growth, v->same ? "" : " ENGINES DIFFER",
         v->breach        ? ", breach: "
         : v->status != 0 ? ": "
                          : "",
         v->breach || v->status != 0 ? v->words : "");
  fflush(stdout);
}

static void check_one(const Loop *l)
{
  Truth *a = truth_new(l, 1, NULL), *b = truth_new(l, 5, NULL);
  double most = 0;
  for (int k = 0; k < LOOP_SAMPLES && a->kind == TRUTH_OK; k++) {
    for (int i = 0; i < l->states; i++) {
      most = fmax(most, fabs(a->x[k][i] - b->x[k][i]) / a->peak[i]);
    }
  }
  printf("%5" G_GUINT64_FORMAT
         " %-17s %-25s states %2d configurations %3d toggles %5d growth %7.1g "
         "closer %.2g %s\n",
         l->seed, l->family, l->control, l->states, a->configurations, a->toggles, a->growth, most,
         a->kind != TRUTH_OK ? truth_words(a->kind) : "");
  fflush(stdout);
  g_free(a);
  g_free(b);
}

static void keep_worst(GArray *verdicts)
{
  g_mkdir_with_parents(keep, 0700);
  for (guint k = 0; k < MIN(verdicts->len, (guint)worst); k++) {
    const LoopVerdict *v = &g_array_index(verdicts, LoopVerdict, k);
    g_autofree Loop *l = g_new0(Loop, 1);
    loop_random(l, v->seed);
    g_autofree char *xml = loop_xml(l, v->right);
    g_autofree char *name = g_strdup_printf("%02u-seed%" G_GUINT64_FORMAT ".xml", k + 1, v->seed);
    g_autofree char *path = g_build_filename(keep, name, NULL);
    if (!g_file_set_contents(path, xml, -1, NULL)) {
      fprintf(stderr, "loops: %s could not be written\n", path);
    }
  }
}

static void run_one(const Loop *l, const Setting *s, GArray *verdicts, int *left_out)
{
  g_autofree Truth *t = truth_new(l, 1, NULL);
  LoopVerdict v;
  left_out[t->kind]++;
  if (t->kind != TRUTH_OK) {
    printf("%5" G_GUINT64_FORMAT " %-17s %-25s left out: %s\n", l->seed, l->family, l->control,
           truth_words(t->kind));
    return;
  }
  if (!loop_judge(&v, l, t, s, engines ? ENGINE_EVENTS : 0)) {
    fputs("loops: no model could be written\n", stderr);
    exit(1);
  }
  g_array_append_val(verdicts, v);
  if (all || !(v.error <= off_percent / 100) || !v.same || v.breach) {
    print_verdict(l, &v);
  }
}

static GArray *run_seeds(int *left_out, const char *scratch)
{
  g_auto(GStrv) ends = g_strsplit(seeds, "..", 2);
  gint64 last = g_ascii_strtoll(ends[1] != NULL ? ends[1] : ends[0], NULL, 10);
  GArray *verdicts = g_array_new(FALSE, TRUE, sizeof(LoopVerdict));
  Setting s = {.program = program,
               .method = method,
               .tolerance = tolerance,
               .seconds = seconds,
               .scratch = scratch,
               .counted = counted,
               .audited = audited};
  g_autofree Loop *l = g_new0(Loop, 1);
  for (gint64 seed = g_ascii_strtoll(ends[0], NULL, 10); seed <= last; seed++) {
    loop_random(l, (guint64)seed);
    if (check) {
      check_one(l);
    } else {
      run_one(l, &s, verdicts, left_out);
    }
  }
  return verdicts;
}

static int print_exact(const Loop *l)
{
  g_autofree Truth *t = truth_new(l, 1, NULL);
  if (t->kind != TRUTH_OK) {
    fprintf(stderr, "loops: %s\n", truth_words(t->kind));
    return 1;
  }
  printf("time");
  for (int i = 0; i < l->states; i++) {
    printf(",%s", loop_state(l, i)->name);
  }
  for (int k = 0; k < LOOP_SAMPLES; k++) {
    printf("\n%.17g", (k + 1) * l->stop / LOOP_SAMPLES);
    for (int i = 0; i < l->states; i++) {
      printf(",%.14g", t->x[k][i]);
    }
  }
  printf("\n");
  return 0;
}

static int print_toggles(const Loop *l)
{
  GArray *log = g_array_new(FALSE, TRUE, sizeof(Toggle));
  g_autofree Truth *t = truth_new(l, 1, log);
  for (guint k = 0; k < log->len; k++) {
    const Toggle *g = &g_array_index(log, Toggle, k);
    printf("%.15g %s %d: %d\n", g->t, g->name, g->index, g->now);
  }
  g_array_free(log, TRUE);
  return t->kind != TRUTH_OK;
}

static int print_model(const Loop *l)
{
  g_autofree Truth *t = truth_new(l, 1, NULL);
  g_autofree char *right = loop_right_values(l, t);
  g_autofree char *xml = loop_xml(l, right);
  fputs(xml, stdout);
  return 0;
}

int main(int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new(NULL);
  g_autoptr(GError) error = NULL;
  int left_out[TRUTH_KINDS] = {0};
  g_option_context_add_main_entries(context, options, NULL);
  if (!g_option_context_parse(context, &argc, &argv, &error)) {
    fprintf(stderr, "loops: %s\n", error->message);
    return 2;
  }
  g_autofree Loop *l = g_new0(Loop, 1);
  if (written >= 0 || shown >= 0 || listed >= 0) {
    loop_random(l, (guint64)MAX(written, MAX(shown, listed)));
    return shown >= 0 ? print_exact(l) : listed >= 0 ? print_toggles(l) : print_model(l);
  }
  g_autofree char *scratch = g_dir_make_tmp("loops-XXXXXX", NULL);
  GArray *verdicts = run_seeds(left_out, scratch);
  scratch_remove(scratch);
  if (!check) {
    loop_table(verdicts, left_out);
    g_array_sort(verdicts, by_error);
    if (keep != NULL) {
      keep_worst(verdicts);
    }
  }
  for (guint k = 0; k < verdicts->len; k++) {
    loop_verdict_clear(&g_array_index(verdicts, LoopVerdict, k));
  }
  g_array_free(verdicts, TRUE);
  return 0;
}
