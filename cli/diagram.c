/* hydevs diagram: a model as a drawing. */
#include "model.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Blocks stand where <view> of the model says, else in layers from left to right; coupled "
    "models\n"
    "are open as far as there is room, more than three copies of a block are one box, circuits "
    "are\n"
    "drawn by their elements.\n\n"
    "Examples:\n"
    "  hydevs diagram examples/nested/model.xml               makes nested.svg\n"
    "  hydevs diagram examples/thesis/buck/model.xml -o buck.svg\n"
    "  hydevs diagram examples/circuit/model.xml --as-run     the blocks that stand for its "
    "circuit\n"
    "  hydevs diagram examples/circuit/inverter.xml --block power/load\n"
    "  hydevs diagram examples/nested/model.xml -o nested.dot for graphviz\n"
    "  hydevs diagram examples/power/llc/model.xml -o llc.html  to zoom, and to find blocks in\n";

/* Nothing runs. */
static const char *const of_a_run[] = {
    "until",    "record",   "grid",     "engine",    "tol",  "dqrel",
    "dqmin",    "evaluate", "jacobian", "refresh",   "seed", "max-events-at-t",
    "progress", "hstep",    "method",   "partition", NULL};

/* "nested.svg" of examples/nested/model.xml, as hydevs plot names its pictures. */
static char *picture_of(const char *model)
{
  g_autofree char *name = g_path_get_basename(model), *folder = g_path_get_dirname(model);
  g_autofree char *around = g_path_get_basename(folder);
  gboolean plain = strcmp(name, "model.xml") == 0 && strcmp(around, ".") != 0;
  char *dot = strrchr(name, '.');
  if (dot != NULL) {
    *dot = '\0';
  }
  return g_strconcat(plain ? around : name, ".svg", NULL);
}

/* As the end of its name says. */
static gboolean draw(const HyLoaded *loaded, const HyDrawing *drawing, const char *file,
                     const char *command, GString *out, GError **error)
{
  if (g_str_has_suffix(file, ".html")) {
    return hy_draw_page(loaded, drawing, command, out, error);
  }
  gboolean dot = g_str_has_suffix(file, ".dot");
  return (dot ? hy_draw_dot : hy_draw_svg)(loaded, drawing, out, error);
}

int cli_diagram(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *out = NULL, *block = NULL, *command = cli_command(argv);
  gint depth = 0;
  HyDrawing drawing = {0};
  const GOptionEntry entries[] = {
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out,
       "The drawing: .svg, .dot or .html, - is SVG to stdout (MODEL.svg)", "FILE"},
      {"block", 'b', 0, G_OPTION_ARG_STRING, &block, "Only what is inside this coupled model",
       "PATH"},
      {"depth", 0, 0, G_OPTION_ARG_INT, &depth, "So many coupled models inside each other are open",
       "N"},
      {"all", 'a', 0, G_OPTION_ARG_NONE, &drawing.all, "Every copy of a block by itself", NULL},
      {"as-run", 0, 0, G_OPTION_ARG_NONE, &drawing.blocks,
       "Circuits by the blocks that stand for them in a run", NULL},
      {0},
  };
  const CliPage page = {"diagram MODEL.xml [OPTIONS]",
                        "Draws a model: blocks, wires, circuits.",
                        teach,
                        entries,
                        NULL,
                        of_a_run};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  if (out != NULL && strcmp(out, "-") != 0 && !g_str_has_suffix(out, ".svg") &&
      !g_str_has_suffix(out, ".dot") && !g_str_has_suffix(out, ".html")) {
    return cli_usage("diagram", "--out=%s: a drawing is .svg, .dot or .html", out);
  }
  if (depth < 0) {
    return cli_usage("diagram", "--depth=%d: 1 or more", depth);
  }
  g_autoptr(HyLoaded) loaded = cli_model_load("diagram", &m, argv[1], &status);
  if (loaded == NULL) {
    return status;
  }
  drawing.block = block;
  drawing.depth = (guint)depth;
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *file = out != NULL ? g_steal_pointer(&out) : picture_of(argv[1]);
  if (!draw(loaded, &drawing, file, command, text, &error)) {
    return cli_failed(error);
  }
  if (cli_write(file, text, hy_loaded_inputs(loaded), &status) && strcmp(file, "-") != 0) {
    puts(file);
  }
  return cli_finish(status);
}
