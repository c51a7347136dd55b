/* What stands in the tree of a file: the names of its parameters, and its sweeps. */
#include "said.h"

#include "base/hint.h"

#include "language/schema.h"

#include <string.h>

static const char *text_of(const HyTree *tree, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(tree, e, word);
  return a != NULL ? a->value : NULL;
}

char **hy_said_parameters(const HyTree *tree)
{
  GPtrArray *names = g_ptr_array_new();
  for (guint32 k = hy_element(tree, 0)->child; k != 0; k = hy_element(tree, k)->next) {
    const HyElement *e = hy_element(tree, k);
    const char *name = !e->foreign && e->name == HY_W_PARAM ? text_of(tree, e, HY_W_NAME) : NULL;
    if (name != NULL) {
      g_ptr_array_add(names, g_strdup(name));
    }
  }
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(names, FALSE);
}

/* Sweeps -------------------------------------------------------------------------------------- */

void hy_said_free(HySweepSaid *said)
{
  if (said != NULL) {
    g_ptr_array_unref(said->vary);
    g_ptr_array_unref(said->random);
    g_free(said);
  }
}

typedef struct {
  guint32 element, experiment; /* 0: none */
} Found;

/* The first called NAME, or of any name; OTHERS are offered what else there is. A second one of
 * that name is wrong. */
static Found find_sweep(const HyTree *tree, const char *name, HyNearest *others, HyReport *report)
{
  Found found = {0, 0};
  for (guint32 x = hy_element(tree, 0)->child; x != 0; x = hy_element(tree, x)->next) {
    guint32 k = hy_element(tree, x)->name == HY_W_EXPERIMENT ? hy_element(tree, x)->child : 0;
    for (; k != 0; k = hy_element(tree, k)->next) {
      const HyElement *e = hy_element(tree, k);
      const char *own = e->name == HY_W_SWEEP ? text_of(tree, e, HY_W_NAME) : NULL;
      gboolean meant = e->name == HY_W_SWEEP && (*name == '\0' || g_strcmp0(own, name) == 0);
      if (own != NULL) {
        hy_nearest_offer(others, own);
      }
      if (meant && found.element == 0) {
        found = (Found){k, x};
      } else if (meant && *name != '\0') {
        hy_report_error(report, tree->file, e->line, "sweep %s: the one in line %u has this name",
                        name, hy_element(tree, found.element)->line);
      }
    }
  }
  return found;
}

static void read_vary(HySweepSaid *said, const HyTree *tree, const HyElement *e, HyReport *report)
{
  const char *name = text_of(tree, e, HY_W_PARAM), *values = text_of(tree, e, HY_W_VALUES);
  const char *random = text_of(tree, e, HY_W_RANDOM);
  if (name == NULL) {
    return; /* the load says so */
  }
  if ((values != NULL) == (random != NULL)) {
    hy_report_error(report, tree->file, e->line, "<vary param=\"%s\"> says values or random", name);
  } else if (values != NULL) {
    g_ptr_array_add(said->vary, g_strconcat(name, "=", values, NULL));
  } else {
    g_ptr_array_add(said->random, g_strconcat(name, "=", random, NULL));
  }
}

/* The experiment is taken by its name; without one it must be the first. */
static void read_experiment(HySweepSaid *said, const HyTree *tree, guint32 experiment,
                            HyReport *report)
{
  const HyElement *x = hy_element(tree, experiment);
  said->experiment = text_of(tree, x, HY_W_NAME);
  for (guint32 k = hy_element(tree, 0)->child; k != experiment && said->experiment == NULL;
       k = hy_element(tree, k)->next) {
    if (hy_element(tree, k)->name == HY_W_EXPERIMENT) {
      hy_report_error(report, tree->file, x->line,
                      "this experiment needs a name, for its sweep to be found");
      return;
    }
  }
}

HySweepSaid *hy_said_sweep(const HyTree *tree, const char *name, HyReport *report)
{
  HyNearest others = {.word = name};
  Found found = find_sweep(tree, name, &others, report);
  if (found.element == 0) {
    g_autofree char *hint = hy_did_you_mean(others.best);
    hy_report_error(report, tree->file, 0, "there is no sweep%s%s%s%s", *name != '\0' ? " \"" : "",
                    name, *name != '\0' ? "\"" : "", hint);
    return NULL;
  }
  HySweepSaid *said = g_new0(HySweepSaid, 1);
  const HyElement *e = hy_element(tree, found.element);
  const char *runs = text_of(tree, e, HY_W_RUNS);
  said->vary = g_ptr_array_new_with_free_func(g_free);
  said->random = g_ptr_array_new_with_free_func(g_free);
  said->sampling = text_of(tree, e, HY_W_SAMPLING);
  said->together = g_strcmp0(text_of(tree, e, HY_W_TOGETHER), "true") == 0;
  said->n = runs != NULL ? g_ascii_strtoull(runs, NULL, 10) : 0;
  if (runs != NULL && (*runs == '-' || said->n == 0)) {
    hy_report_error(report, tree->file, e->line, "runs=\"%s\" must be a whole number, 1 or more",
                    runs);
  }
  read_experiment(said, tree, found.experiment, report);
  for (guint32 k = e->child; k != 0; k = hy_element(tree, k)->next) {
    if (hy_element(tree, k)->name == HY_W_VARY) {
      read_vary(said, tree, hy_element(tree, k), report);
    }
  }
  return said;
}
