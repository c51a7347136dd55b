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
  HyJsonOut json = {.out = out, .tight = TRUE};
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    hy_json_begin(&json, NULL, '{');
    hy_json_text(&json, "file", m->file);
    hy_json_count(&json, "line", m->line);
    hy_json_text(&json, "kind", m->warning ? "warning" : "error");
    hy_json_text(&json, "text", m->text);
    hy_json_end(&json, '}');
    g_string_append_c(out, '\n');
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
    hy_report_measures(report, loaded);
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
    g_autofree char *name = hy_plain_text(file, FALSE);
    printf("%s: ok, %" G_GUINT64_FORMAT " blocks in %" G_GUINT64_FORMAT " coupled model%s\n", name,
           n.atomics, n.coupled, n.coupled == 1 ? "" : "s");
  }
  return ok;
}

/* What the options fill in. */
typedef struct {
  gboolean json;
  gint64 max_blocks;
  char *experiment, **set, **library, **files; /* files: of blocks */
  HyLoadOptions options;
} Check;

static void check_clear(Check *c)
{
  g_free(c->experiment);
  g_strfreev(c->set);
  g_strfreev(c->library);
  g_strfreev(c->files);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Check, check_clear)

/* The exit status. */
static int check_files(Check *c, char **files)
{
  g_autoptr(HyBlocks) blocks = NULL;
  int status = 0;
  if (c->max_blocks < 0) {
    return cli_usage("check", "--max-blocks takes a whole number, above 0");
  }
  if (!cli_blocks(c->files, &blocks, &status)) {
    return status;
  }
  c->options.blocks = blocks;
  c->options.formats = hy_formats();
  c->options.max_blocks = cli_most_blocks(c->max_blocks);
  c->options.experiment = c->experiment;
  c->options.set = (const char *const *)c->set;
  c->options.library = (const char *const *)c->library;
  for (; *files != NULL; files++) {
    if (!check(*files, &c->options, c->json)) {
      status = HY_ERROR_MODEL;
    }
  }
  return cli_finish(status);
}

int cli_check(int argc, char **argv)
{
  g_auto(Check) c = {0};
  const GOptionEntry entries[] = {
      {"strict", 0, 0, G_OPTION_ARG_NONE, &c.options.strict, "Warnings are errors", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &c.json, "JSON lines: file line kind text", NULL},
      {"experiment", 'x', 0, G_OPTION_ARG_STRING, &c.experiment,
       "Check with this experiment's settings (the first)", "NAME"},
      {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &c.set, "Set a parameter first; may be repeated",
       "PATH=VALUE"},
      {"max-blocks", 0, 0, G_OPTION_ARG_INT64, &c.max_blocks,
       "Limit of blocks after expansion (20 million, or what memory takes)", "N"},
      {"library", 'L', 0, G_OPTION_ARG_FILENAME_ARRAY, &c.library,
       "A folder to look for libraries in; may be repeated", "DIR"},
      CLI_BLOCKS(&c.files),
      {0},
  };
  const CliPage page = {"check MODEL.xml... [OPTIONS]",
                        "Finds what is wrong with models, without running them.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  argv[argc] = NULL; /* what options have left room for */
  return argc < 2 ? cli_usage("check", "which models?") : check_files(&c, argv + 1);
}
