#include "try.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const HyLoaded *loaded;
  HyReport *report;
  GHashTable *said; /* the same of many copies of an element is said of the first */
} Try;

static void wrong(gpointer user, const HyModel *model, guint component, const char *what)
{
  const Try *x = user;
  HyBlockInfo info = {0};
  hy_loaded_block(x->loaded, model, component, &info);
  const char *after_path = strstr(what, ": ");
  char *key = g_strdup_printf("%s:%u%s", info.file, info.line, after_path);
  if (g_hash_table_add(x->said, key)) {
    hy_report_error(x->report, info.file, info.line, "%s", what);
  }
}

/* Classes that have no more than a table. Models are nested no deeper than the loader has gone. */
static void find_unable(Try *x, const HyModel *model)
{
  for (guint k = 0; k < hy_model_n(model); k++) {
    const HyAtomicClass *klass = hy_model_class(model, k);
    if (klass == NULL) {
      find_unable(x, hy_model_coupled(model, k));
    } else if (klass->ta == NULL && klass->next == NULL) {
      g_autofree char *path = hy_model_path(model, k);
      g_autofree char *what = g_strdup_printf(
          "%s: %s is known to the checks, but this version cannot run it", path, klass->name);
      wrong(x, model, k, what);
    }
  }
}

void cli_try_blocks(const HyLoaded *loaded, HyReport *report)
{
  g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  Try x = {.loaded = loaded, .report = report, .said = said};
  HyModel *model = hy_loaded_model(loaded);
  double start = hy_loaded_experiment(loaded)->start;
  guint before = hy_report_errors(report);
  find_unable(&x, model);
  g_autoptr(HySim) sim =
      hy_report_errors(report) == before ? hy_sim_new(model, HY_FLAT, NULL) : NULL;
  if (sim != NULL && isfinite(start)) {
    hy_sim_try(sim, start, wrong, &x);
  }
}

int cli_failed_blocks(const HyLoaded *loaded, const GError *error)
{
  g_autoptr(HyReport) report = hy_report_new();
  if (!g_error_matches(error, HY_ERROR, HY_ERROR_MODEL)) {
    return cli_failed(error);
  }
  cli_try_blocks(loaded, report);
  if (hy_report_errors(report) == 0) {
    return cli_failed(error);
  }
  g_autofree char *text = hy_report_text(report);
  fflush(stdout);
  fputs(text, stderr);
  return HY_ERROR_MODEL;
}
