/* For tests: runs of examples/thesis against the tables that bench/reference_thesis.c has made. */
#ifndef THESIS_H
#define THESIS_H

#include "command.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  const char *name, *experiment;
  const char *expected; /* a file beside the model */
  const char *set;      /* NULL: as the experiment has it */
  double error;         /* by thesis eq. 4.11, at most */
} ThesisRun;

static inline char *thesis_file(const ThesisRun *run, const char *file)
{
  g_autofree char *path = g_strdup_printf("examples/thesis/%s/%s", run->name, file);
  return repository(path);
}

static inline char *thesis_table(const ThesisRun *run, const char *engine)
{
  g_autofree char *model = thesis_file(run, "model.xml"), *err = NULL;
  const char *words[WORDS] = {"run",      model,          "-o",
                              "-",        "--experiment", run->experiment,
                              "--engine", engine,         run->set != NULL ? "--set" : NULL,
                              run->set};
  char *out = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
  return out;
}

/* The number NAME of statistics in JSON. */
static inline double thesis_member(const char *json, const char *name)
{
  g_autofree char *key = g_strdup_printf("\"%s\": ", name);
  const char *at = strstr(json, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, name);
  return g_ascii_strtod(at + strlen(key), NULL);
}

/* Adds a row to the sums above and below the line of thesis eq. 4.11. The columns are the same in
 * the same order; their names differ where `set` makes fewer cells. */
static inline void thesis_add(const char *wanted, const char *got, double *above, double *below)
{
  g_auto(GStrv) a = g_strsplit(wanted, ",", -1), b = g_strsplit(got, ",", -1);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(g_strv_length(a), g_strv_length(b), got);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, g_ascii_strtod(a[0], NULL), g_ascii_strtod(b[0], NULL));
  for (guint k = 1; a[k] != NULL; k++) {
    double x = g_ascii_strtod(b[k], NULL), ref = g_ascii_strtod(a[k], NULL);
    *above += (x - ref) * (x - ref);
    *below += ref * ref;
  }
}

/* TABLE, what RUN has written, is near the values that it is expected to have. */
static inline void thesis_is_near(const ThesisRun *run, const char *table)
{
  g_autofree char *path = thesis_file(run, run->expected), *text = contents(path);
  g_auto(GStrv) wanted = g_strsplit(text, "\n", -1), got = g_strsplit(table, "\n", -1);
  double above = 0, below = 0;
  TEST_ASSERT_EQUAL_UINT_MESSAGE(g_strv_length(wanted), g_strv_length(got), run->name);
  TEST_ASSERT_GREATER_THAN_UINT(200, g_strv_length(wanted));
  if (run->set == NULL) {
    TEST_ASSERT_EQUAL_STRING(wanted[0], g_strchomp(got[0]));
  }
  for (guint row = 1; *wanted[row] != '\0'; row++) {
    thesis_add(wanted[row], got[row], &above, &below);
  }
  double error = sqrt(above / below);
  g_autofree char *who = g_strdup_printf("%s, %s: %g", run->name, run->experiment, error);
  TEST_ASSERT_TRUE_MESSAGE(error <= run->error, who);
}

/* The engine that a user gets, fused, and with it flat, of which it writes every byte. */
static inline void thesis_check(const ThesisRun *run)
{
  g_autofree char *fused = thesis_table(run, "fused"), *flat = thesis_table(run, "flat");
  thesis_is_near(run, fused);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(flat, fused, run->name);
}

/* The hierarchical engine writes the same, too. */
static inline void thesis_check_tree(const ThesisRun *run)
{
  g_autofree char *tree = thesis_table(run, "tree"), *fused = thesis_table(run, "fused");
  TEST_ASSERT_EQUAL_STRING_MESSAGE(tree, fused, run->name);
}

/* A run of MODEL with mLIQSS2, parameters SET; printed first, in case it does not end. */
static inline void thesis_ends(const char *model, const char *tolerance, const char *set,
                               const char *set2)
{
  g_autofree char *path = repository(model), *out = NULL, *err = NULL;
  printf("%s, %s, %s %s\n", model, tolerance, set != NULL ? set : "", set2 != NULL ? set2 : "");
  (void)fflush(stdout);
  const char *words[WORDS] = {"run",
                              path,
                              "-o",
                              "-",
                              "--method",
                              "mliqss2",
                              "--tol",
                              tolerance,
                              set != NULL ? "--set" : NULL,
                              set,
                              set2 != NULL ? "--set" : NULL,
                              set2};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
}

/* The systems that are stiff and switch: a solver by hand hangs at one instant in some of these. */
static inline void thesis_all_end(const char *tolerance)
{
  static const struct {
    const char *name, *set, *set2;
  } runs[] = {
      {"cuk-interleaved", "duty=0.25", NULL},
      {"cuk-interleaved", "duty=0.35", NULL},
      {"cuk-interleaved", "duty=0.25", "shift=1/N"},
      {"cuk-interleaved", "duty=0.35", "shift=1/N"},
      {"tyson", NULL, NULL},
      {"adr", NULL, NULL},
      {"buck-ls", NULL, NULL},
      {"buck-ld", NULL, NULL},
      {"buck-heatsink", NULL, NULL},
  };
  for (gsize k = 0; k < G_N_ELEMENTS(runs); k++) {
    g_autofree char *model = g_strdup_printf("examples/thesis/%s/model.xml", runs[k].name);
    thesis_ends(model, tolerance, runs[k].set, runs[k].set2);
  }
}

#endif
