/* hydevs convert: a file of another tool as a model of ours. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "A model file in the language of another tool can be run, checked and plotted as it is:\n"
    "\n"
    "  hydevs run buck.cir\n"
    "\n"
    "convert writes what it is read as, to be gone on with:\n"
    "\n"
    "  hydevs convert buck.cir buck.xml\n"
    "  hydevs convert buck.cir -          to stdout\n"
    "\n"
    "Models of PowerDEVS are written, too; a drawing goes there and back as it was:\n"
    "\n"
    "  hydevs convert tank.pdm tank.xml\n"
    "  hydevs convert tank.xml tank.pdm\n"
    "  hydevs convert tank.pdm tank.pds   what its preprocessor makes\n"
    "  hydevs convert tank.xml tank.dot   a graph for Graphviz\n"
    "\n"
    "What is not understood is an error with its line; docs/netlists.md says what is.\n";

/* "SPICE netlists (.cir .net)"; all that are read. */
static char *known_formats(void)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (const HyFormat *f = hy_formats(); f->name != NULL; f++) {
    if (f->read != NULL) {
      g_string_append_printf(text, "%s%s (%s)", text->len > 0 ? ", " : "", f->doc, f->suffixes);
    }
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* What was made of the files INPUTS. The exit status. */
static int write_text(const char *text, const char *file, GPtrArray *inputs)
{
  int status;
  g_autoptr(GString) bytes = g_string_new(text);
  g_ptr_array_add(inputs, NULL);
  return cli_write(file, bytes, (const char *const *)inputs->pdata, &status) ? cli_finish(0)
                                                                             : status;
}

static gboolean is_xml(const char *file)
{
  return g_str_has_suffix(file, ".xml") || strcmp(file, "-") == 0;
}

/* A model of ours stays as it was written, if it is one. */
static int copy(const char *from, const char *to, GPtrArray *inputs)
{
  const HyLoadOptions options = {.formats = hy_formats(), .max_blocks = cli_most_blocks(0)};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(from, &options, report);
  g_autofree char *messages = hy_report_text(report), *text = NULL;
  g_autoptr(GError) error = NULL;
  fputs(messages, stderr);
  if (loaded == NULL) {
    return HY_ERROR_MODEL;
  }
  g_ptr_array_add(inputs, g_strdup(from));
  return g_file_get_contents(from, &text, NULL, &error) ? write_text(text, to, inputs)
                                                        : cli_failed(error);
}

static int convert(const char *from, const char *to)
{
  const HyFormat *format = hy_format_find(hy_formats(), from);
  const HyFormat *target = hy_format_target(hy_formats(), to);
  g_autoptr(GPtrArray) inputs = g_ptr_array_new_with_free_func(g_free);
  if (format == NULL && target == NULL && is_xml(from) && is_xml(to)) {
    return copy(from, to, inputs);
  }
  if (format == NULL && target == NULL) {
    g_autofree char *known = known_formats();
    return cli_usage("convert",
                     "neither %s nor %s is a file of another tool by its suffix; read are %s", from,
                     to, known);
  }
  const HyLoadOptions options = {.formats = hy_formats(), .max_blocks = cli_most_blocks(0)};
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text = target == NULL
                              ? hy_format_convert(format, from, inputs, report)
                              : hy_format_write(format, from, target, to, &options, inputs, report);
  g_autofree char *messages = hy_report_text(report);
  fputs(messages, stderr);
  return text != NULL ? write_text(text, to, inputs) : HY_ERROR_MODEL;
}

int cli_convert(int argc, char **argv)
{
  const GOptionEntry entries[] = {{0}};
  const CliPage page = {.usage = "convert IN OUT",
                        .summary = "A file of another tool as a model of hydevs, in XML, and back.",
                        .teach = teach,
                        .own = entries};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  return argc == 3 ? convert(argv[1], argv[2])
                   : cli_usage("convert", "a file to read and one to write are missing");
}
