/* hydevs check: all that is wrong with models, in one go. */
#include "cli.h"

#include <stdio.h>

static const char teach[] =
    "Every mistake is one line, file:line: block: what is wrong. All mistakes of a file come in "
    "one\n"
    "go. Exit status 0 if no model has one, else 1.\n\n"
    "Examples:\n"
    "  hydevs check examples/*/model.xml\n"
    "  hydevs check buck.xml --strict     warnings, such as units that do not fit, are errors\n"
    "  hydevs check buck.xml --json       one object a message, for editors\n";

static void show_json(HyReport *report)
{
  g_autoptr(GString) out = g_string_new(NULL);
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    g_string_append(out, "{\"file\":");
    hy_json_string(out, m->file);
    g_string_append_printf(out, ",\"line\":%u,\"kind\":\"%s\",\"text\":", m->line,
                           m->warning ? "warning" : "error");
    hy_json_string(out, m->text);
    g_string_append(out, "}\n");
  }
  fputs(out->str, stdout);
}

/* Whether FILE is without mistakes. */
static gboolean check(const char *file, const HyLoadOptions *options, gboolean json)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(file, options, report);
  if (loaded != NULL) {
    hy_report_blocks(report, loaded);
    hy_report_records(report, loaded);
  }
  gboolean ok = loaded != NULL && hy_report_errors(report) == 0;
  if (json) {
    show_json(report);
  } else {
    g_autofree char *text = hy_report_text(report);
    fputs(text, stdout);
  }
  if (ok && !json) {
    HyCounts n;
    hy_model_count(hy_loaded_model(loaded), &n);
    printf("%s: ok, %" G_GUINT64_FORMAT " blocks in %" G_GUINT64_FORMAT " coupled model%s\n", file,
           n.atomics, n.coupled, n.coupled == 1 ? "" : "s");
  }
  return ok;
}

int cli_check(int argc, char **argv)
{
  gboolean strict = FALSE, json = FALSE;
  g_autofree char *experiment = NULL;
  g_auto(GStrv) set = NULL, library = NULL, files = NULL;
  g_autoptr(HyBlocks) blocks = NULL;
  gint64 max_blocks = 0;
  const GOptionEntry entries[] = {
      {"strict", 0, 0, G_OPTION_ARG_NONE, &strict, "Warnings are errors", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "JSON lines: file line kind text", NULL},
      {"experiment", 'x', 0, G_OPTION_ARG_STRING, &experiment,
       "Check with this experiment's settings (the first)", "NAME"},
      {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &set, "Set a parameter first; may be repeated",
       "PATH=VALUE"},
      {"max-blocks", 0, 0, G_OPTION_ARG_INT64, &max_blocks,
       "Limit of blocks after expansion (20 million)", "N"},
      {"library", 'L', 0, G_OPTION_ARG_FILENAME_ARRAY, &library,
       "A folder to look for libraries in; may be repeated", "DIR"},
      CLI_BLOCKS(&files),
      {0},
  };
  const CliPage page = {"check MODEL.xml... [OPTIONS]",
                        "Finds what is wrong with models, without running them.", teach, entries,
                        NULL};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc < 2) {
    return cli_usage("check", "which models?");
  }
  if (max_blocks < 0) {
    return cli_usage("check", "--max-blocks takes a whole number, above 0");
  }
  if (!cli_blocks(files, &blocks, &status)) {
    return status;
  }
  HyLoadOptions options = {.strict = strict,
                           .blocks = blocks,
                           .max_blocks = (guint64)max_blocks,
                           .experiment = experiment,
                           .set = (const char *const *)set,
                           .library = (const char *const *)library};
  for (int k = 1; k < argc; k++) {
    if (!check(argv[k], &options, json)) {
      status = HY_ERROR_MODEL;
    }
  }
  return cli_finish(status);
}
