/* Any bytes as a SPICE netlist: never a crash, a hang or a leak; either a model or at least one
 * message, and what it is read as is XML that has none but the messages of the model. */
#include "hydevs/format.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  const HyLoadOptions options = {
      .formats = hy_formats(),
      .max_blocks = 2000,
      .max_recursion = 100,
      .max_files = 1,
      .read = {.max_bytes = 1 << 16, .max_nested = 30, .max_value = 1 << 17}};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory((const char *)data, size, "/nowhere/fuzz.cir", &options, report);
  g_autofree char *text = hy_report_text(report);
  if ((loaded == NULL) != (hy_report_errors(report) > 0) || !g_utf8_validate(text, -1, NULL)) {
    abort();
  }
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    if (m->line == 0 && g_str_has_prefix(m->text, "not well-formed")) {
      abort();
    }
  }
  return 0;
}
