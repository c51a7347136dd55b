/* Any bytes as a model of PowerDEVS: never a crash, a hang or a leak; either a model or at least
 * one message. What is read can be written and read again, also by way of the views of a model
 * of ours. The first byte says which of its
 * languages. */
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_format.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* What the views of a model that was read keep is read again, and drawn as the model says. */
static void check_views(const char *text)
{
  g_autoptr(HyReport) report = hy_report_new();
  xmlDoc *doc = pdm_to_tree("fuzz.pdm", text, NULL, report);
  if (doc == NULL) {
    return;
  }
  g_autoptr(PdmFile) kept = pdm_drawing_of(doc, "fuzz.xml", report);
  g_autoptr(GString) out = g_string_new(NULL);
  if (kept != NULL) {
    pdm_take_comments(kept, doc);
    pdm_write(kept, out);
  }
  xmlFreeDoc(doc);
  g_autoptr(PdmFile) again = kept != NULL ? pdm_read("again.pdm", out->str, report) : NULL;
  if (kept != NULL && again == NULL) {
    abort();
  }
}

static void check_text(const char *text)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(PdmFile) file = pdm_read("fuzz.pdm", text, report);
  if (file == NULL) {
    return;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  pdm_write(file, out);
  g_autoptr(PdmFile) again = pdm_read("again.pdm", out->str, report);
  if (again == NULL) {
    abort();
  }
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  static const HyLoadOptions options = {
      .max_blocks = 2000, .max_recursion = 100, .max_files = 1, .read = {.max_bytes = 1 << 16}};
  if (size == 0) {
    return 0;
  }
  HyLoadOptions all = options;
  all.formats = hy_formats();
  g_autoptr(HyReport) report = hy_report_new();
  const char *name = data[0] == 'R' ? "fuzz.pds" : "fuzz.pdm";
  g_autoptr(HyLoaded) loaded = hy_load_memory((const char *)data, size, name, &all, report);
  g_autofree char *text = hy_report_text(report);
  if ((loaded == NULL) != (hy_report_errors(report) > 0) || !g_utf8_validate(text, -1, NULL)) {
    abort();
  }
  if (size < 1 << 14 && g_utf8_validate((const char *)data, (gssize)size, NULL)) {
    g_autofree char *copy = g_strndup((const char *)data, size);
    check_text(copy);
    check_views(copy);
  }
  return 0;
}
