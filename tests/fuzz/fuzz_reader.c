/* Any bytes as a model file: never a crash, a hang or a leak; either a model or at least one
 * message. */
#include "hydevs/load.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  static const HyLoadOptions options = {
      .max_blocks = 2000,
      .max_recursion = 100,
      .max_files = 1,
      .read = {.max_bytes = 1 << 16, .max_nested = 30, .max_value = 1 << 12}};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory((const char *)data, size, "fuzz.xml", &options, report);
  g_autofree char *text = hy_report_text(report);
  if ((loaded == NULL) != (hy_report_errors(report) > 0) || !g_utf8_validate(text, -1, NULL)) {
    abort();
  }
  const HyExperiment *x = loaded != NULL ? hy_loaded_experiment(loaded) : NULL;
  for (guint k = 0; x != NULL && k < x->n_records; k++) {
    GArray *found = hy_loaded_match(loaded, x->records[k].path, NULL);
    if (found != NULL) {
      g_array_unref(found);
    }
  }
  return 0;
}
