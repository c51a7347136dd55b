/* hydevs devstone, hydevs ring: benchmarks whose counts are known in closed form. */
#include "devstone.h"

#include "benchmark.h"

#include <string.h>

#define MAX_ATOMICS 20000000.0

static gboolean find_kind(const char *name, DevstoneKind *kind)
{
  static const char *const names[] = {"LI", "HI", "HO", "HOmod"};
  for (guint k = 0; name != NULL && k < G_N_ELEMENTS(names); k++) {
    if (g_ascii_strcasecmp(name, names[k]) == 0) {
      *kind = (DevstoneKind)k;
      return TRUE;
    }
  }
  return FALSE;
}

static const char devstone_teach[] =
    "Models: LI, HI, HO, HOmod. Variant: where the inner model stands in each level's list, first "
    "(F) or last\n"
    "(L). Counts leave out the seeder. Messages exist on the tree only.\n\n"
    "Examples:\n"
    "  hydevs devstone --model HI --width 200 --depth 200\n"
    "  hydevs devstone --model HOmod --width 3 --depth 3 --variant F --engine tree --json\n";

static int check_devstone(const char *model, gint64 width, gint64 depth, const char *variant,
                          DevstoneKind *kind)
{
  if (!find_kind(model, kind)) {
    return cli_usage("devstone", "--model \"%s\": choose one of LI, HI, HO, HOmod",
                     model != NULL ? model : "");
  }
  if (width < 1 || depth < 1) {
    return cli_usage("devstone", "--width and --depth must be 1 or more");
  }
  if (strcmp(variant, "L") != 0 && strcmp(variant, "F") != 0) {
    return cli_usage("devstone", "variant \"%s\": choose L or F", variant);
  }
  double level =
      *kind == DEVSTONE_HOMOD ? (double)(width - 1) * (double)(width + 2) / 2 : (double)width - 1;
  double lines = *kind == DEVSTONE_HOMOD ? 1.5 * (double)width * (double)width : (double)width;
  if (MAX(level, lines) * (double)depth + (double)depth > MAX_ATOMICS) {
    return cli_usage("devstone", "this would be %.3g atomics or couplings; the limit is %.3g",
                     MAX(level, lines) * (double)depth, MAX_ATOMICS);
  }
  return 0;
}

/* Parses ARGV, where no word may be left. FALSE: *STATUS is the exit status. */
static gboolean options_alone(const CliPage *page, int argc, char **argv, int *status)
{
  if (!cli_options(page, &argc, &argv, status)) {
    return FALSE;
  }
  if (argc > 1) {
    *status = cli_usage(*argv, "what is \"%s\" for?", argv[1]);
  }
  return argc == 1;
}

static int run_devstone(Benchmark *b, DevstoneKind kind, gint64 width, gint64 depth, const char *v)
{
  static const char *const names[] = {"LI", "HI", "HO", "HOmod"};
  g_autofree char *parameters =
      g_strdup_printf("\"model\":\"%s\",\"width\":%" G_GINT64_FORMAT ",\"depth\":%" G_GINT64_FORMAT
                      ",\"variant\":\"%s\"",
                      names[kind], width, depth, v);
  b->parameters = parameters;
  b->tf = 1;
  b->start = g_get_monotonic_time();
  b->root = devstone_new(kind, (guint)width, (guint)depth, *v == 'F');
  b->counted = hy_model_coupled(b->root, 1);
  return benchmark_run("devstone", b, &(HyTotals){.n_int = 1}); /* the seeder's */
}

int cli_devstone(int argc, char **argv)
{
  g_autofree char *model = NULL, *engine = NULL, *variant = NULL;
  gint64 width = 0, depth = 0;
  Benchmark b = {.engine = "flat"};
  const GOptionEntry entries[] = {
      {"model", 'm', 0, G_OPTION_ARG_STRING, &model, "LI, HI, HO or HOmod", "NAME"},
      {"width", 'w', 0, G_OPTION_ARG_INT64, &width, "Components of each level", "N"},
      {"depth", 'd', 0, G_OPTION_ARG_INT64, &depth, "Levels", "N"},
      {"engine", 'e', 0, G_OPTION_ARG_STRING, &engine, "tree or flat (default)", "NAME"},
      {"variant", 0, 0, G_OPTION_ARG_STRING, &variant, "L (default) or F", "V"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &b.json, "One line of JSON", NULL},
      {0},
  };
  const CliPage page = {"devstone --model NAME --width N --depth N [OPTIONS]",
                        "Builds a DEVStone model, runs it and counts what happened.",
                        devstone_teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  DevstoneKind kind = DEVSTONE_LI;
  if (!options_alone(&page, argc, argv, &status)) {
    return status;
  }
  const char *v = variant != NULL ? variant : "L";
  b.engine = engine != NULL ? engine : b.engine;
  status = check_devstone(model, width, depth, v, &kind);
  return status != 0 ? status : run_devstone(&b, kind, width, depth, v);
}

static const char ring_teach[] =
    "The counts are known: N = 10 and T = 2000.0371 give n_int = n_ext = 22768.\n\n"
    "Examples:\n"
    "  hydevs ring --n 10 --until 2000.0371\n"
    "  hydevs ring --n 10000 --until 200 --engine tree --json\n";

static int run_ring(Benchmark *b, gint64 n)
{
  char text[HY_DOUBLE_SIZE];
  g_autofree char *parameters =
      g_strdup_printf("\"n\":%" G_GINT64_FORMAT ",\"until\":%s", n, hy_double_text(text, b->tf));
  b->parameters = parameters;
  b->start = g_get_monotonic_time();
  b->root = ring_new((guint)n);
  b->counted = b->root;
  return benchmark_run("ring", b, &(HyTotals){0});
}

int cli_ring(int argc, char **argv)
{
  g_autofree char *engine = NULL, *until = NULL;
  gint64 n = 0;
  Benchmark b = {.engine = "flat", .tf = NAN};
  const GOptionEntry entries[] = {
      {"n", 'n', 0, G_OPTION_ARG_INT64, &n, "Players in the ring", "N"},
      {"until", 't', 0, G_OPTION_ARG_STRING, &until, "End time, included", "T"},
      {"engine", 'e', 0, G_OPTION_ARG_STRING, &engine, "tree or flat (default)", "NAME"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &b.json, "One line of JSON", NULL},
      {0},
  };
  const CliPage page = {"ring --n N --until T [OPTIONS]",
                        "Builds a ring of players that pass events round, runs it and counts.",
                        ring_teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!options_alone(&page, argc, argv, &status)) {
    return status;
  }
  if (n < 2 || n > (gint64)MAX_ATOMICS) {
    return cli_usage("ring", "--n must be between 2 and %.0f", MAX_ATOMICS);
  }
  if (!cli_time("ring", "--until", until, &b.tf, &status)) {
    return status;
  }
  if (!(b.tf >= 0) || isinf(b.tf)) {
    return cli_usage("ring", "--until takes a time, 0 or more");
  }
  b.engine = engine != NULL ? engine : b.engine;
  return run_ring(&b, n);
}
