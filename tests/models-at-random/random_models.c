/* Whole models at random: what hydevs does with them that cannot be right.
 *
 * usage: random_models --program=HYDEVS [--seeds=1..100] [--method=M] [--audit=full] [--keep=DIR]
 *                      [--seconds=10] [--trials=400] [--quick] [--roots]
 *        random_models --write=SEED     the model of a seed
 *        random_models --program=HYDEVS MODEL.xml...     the same of models of one's own
 *
 * Prints a line for each model of which something is found, and a table. `keep`: the models of
 * these as they were cut down, so that the same is found. */
#include "draw.h"
#include "shrink.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *program, *seeds = "1..100", *method, *keep, *audit;
static int seconds = 10, written = -1, trials = 400;
static double off = 0.01;
static gboolean quick, roots;

static const GOptionEntry options[] = {
    {"program", 0, 0, G_OPTION_ARG_FILENAME, &program, "The program hydevs", "FILE"},
    {"seeds", 0, 0, G_OPTION_ARG_STRING, &seeds, "The first and the last", "A..B"},
    {"method", 0, 0, G_OPTION_ARG_STRING, &method, "Of all states; else its own choice", "M"},
    {"audit", 0, 0, G_OPTION_ARG_STRING, &audit, "Runs are audited", "MODE"},
    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &keep, "A folder for what is found", "FOLDER"},
    {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "Of processor time for a run", "N"},
    {"trials", 0, 0, G_OPTION_ARG_INT, &trials, "To make a model smaller", "N"},
    {"off", 0, 0, G_OPTION_ARG_DOUBLE, &off, "What is off, as a part of the peak", "PART"},
    {"quick", 0, 0, G_OPTION_ARG_NONE, &quick, "Nothing by references", NULL},
    {"roots", 0, 0, G_OPTION_ARG_NONE, &roots, "Roots of what passes 0, too", NULL},
    {"write", 0, 0, G_OPTION_ARG_INT, &written, "The model of a seed", "SEED"},
    {0}};

typedef struct {
  int found[FOUND_KINDS], status[6], known, models;
} Tally;

static void keep_model(const Judge *j, const Element *model, const Verdict *v, const char *name)
{
  Element *small = shrink(j, model, v, trials);
  g_autofree char *text = element_text(small);
  g_autofree char *file = g_strdup_printf("%s-%d.xml", name, v->found);
  g_autofree char *path = g_build_filename(keep, file, NULL);
  g_autofree char *all =
      g_strdup_printf("<!-- %s: %s -->\n%s", found_words[v->found], v->words, text);
  g_mkdir_with_parents(keep, 0700);
  if (!g_file_set_contents(path, all, -1, NULL)) {
    fprintf(stderr, "random_models: %s could not be written\n", path);
  }
  element_free(small);
}

static void judge_one(const Judge *j, const Element *model, const char *name, Tally *t)
{
  Verdict v = judge(j, model, FOUND_NOTHING);
  t->models++;
  t->found[v.found]++;
  t->known += v.known;
  t->status[v.status < 0 || v.status > 4 ? 5 : v.status]++;
  if (v.found != FOUND_NOTHING) {
    printf("%s: %s: %s\n", name, found_words[v.found], v.words);
    fflush(stdout);
    if (keep != NULL) {
      keep_model(j, model, &v, name);
    }
  }
  g_free(v.words);
}

static void print_tally(const Tally *t)
{
  printf("%d models, %d with references that agree; ended with status", t->models, t->known);
  for (int k = 0; k < 6; k++) {
    g_autofree char *name = k < 5 ? g_strdup_printf("%d", k) : g_strdup("out of time");
    printf(" %s: %d%s", name, t->status[k], k < 5 ? "," : "\n");
  }
  for (int k = 1; k < FOUND_KINDS; k++) {
    printf("%6d %s\n", t->found[k], found_words[k]);
  }
}

static int judge_file(const Judge *j, const char *path, Tally *t)
{
  g_autofree char *text = NULL, *name = g_path_get_basename(path);
  g_autoptr(GError) error = NULL;
  Element *all = element_new("all");
  gboolean read = g_file_get_contents(path, &text, NULL, &error) && element_read(all, text, &error);
  if (read && all->children->len == 1) {
    judge_one(j, all->children->pdata[0], name, t);
  } else {
    fprintf(stderr, "random_models: %s: %s\n", path, error != NULL ? error->message : "no model");
  }
  element_free(all);
  return read ? 0 : 1;
}

int main(int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new("[MODEL.xml...]");
  g_autoptr(GError) error = NULL;
  g_option_context_add_main_entries(context, options, NULL);
  if (!g_option_context_parse(context, &argc, &argv, &error)) {
    fprintf(stderr, "random_models: %s\n", error->message);
    return 2;
  }
  if (written >= 0) {
    Element *model = draw_model((guint64)written, roots);
    g_autofree char *text = element_text(model);
    fputs(text, stdout);
    element_free(model);
    return 0;
  }
  g_autofree char *scratch = g_dir_make_tmp("random-models-XXXXXX", NULL);
  Judge j = {.program = program,
             .scratch = scratch,
             .audit = audit,
             .method = method,
             .references = !quick,
             .seconds = seconds,
             .off = off};
  Tally t = {0};
  for (int k = 1; k < argc; k++) {
    judge_file(&j, argv[k], &t);
  }
  g_auto(GStrv) ends = g_strsplit(seeds, "..", 2);
  gint64 last = g_ascii_strtoll(ends[1] != NULL ? ends[1] : ends[0], NULL, 10);
  for (gint64 seed = g_ascii_strtoll(ends[0], NULL, 10); seed <= last && argc == 1; seed++) {
    Element *model = draw_model((guint64)seed, roots);
    g_autofree char *name = g_strdup_printf("seed%" G_GINT64_FORMAT, seed);
    judge_one(&j, model, name, &t);
    element_free(model);
  }
  print_tally(&t);
  return 0;
}
