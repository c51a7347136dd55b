/* hydevs snapshot: what stands in a snapshot, and where two are different. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "A snapshot is the state of a run in a file, when all that happens at an instant is done. "
    "What\n"
    "goes on from it (hydevs run --from) gives the bytes of the run that was not stopped, on any\n"
    "engine. With --diff and two files: which fields of which blocks are different; status 1 if\n"
    "any is, as of diff.\n\n"
    "Examples:\n"
    "  hydevs run examples/queue/model.xml --snapshot q.hysnap@5\n"
    "  hydevs snapshot q.hysnap                 its model, its time, how large it is\n"
    "  hydevs snapshot q.hysnap --blocks        and all that its blocks remember\n"
    "  hydevs snapshot --diff a.hysnap b.hysnap where two runs have parted\n";

static int print_one(const char *file, gboolean blocks)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  if (!hy_snapshot_print(file, blocks, out, &error)) {
    return cli_failed(error);
  }
  fputs(out->str, stdout);
  return cli_finish(0);
}

static int print_differences(const char *file, const char *other)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  guint n = hy_snapshot_compare(file, other, out, &error);
  if (n == G_MAXUINT) {
    return cli_failed(error);
  }
  fputs(out->str, stdout);
  return cli_finish(n > 0 ? 1 : 0);
}

int cli_snapshot(int argc, char **argv)
{
  gboolean diff = FALSE, blocks = FALSE;
  const GOptionEntry entries[] = {
      {"blocks", 0, 0, G_OPTION_ARG_NONE, &blocks, "All that it remembers, a line for each item",
       NULL},
      {"diff", 0, 0, G_OPTION_ARG_NONE, &diff, "Where two of them are different", NULL},
      {0},
  };
  const CliPage page = {"snapshot FILE.hysnap | --diff FILE.hysnap FILE.hysnap",
                        "Shows what stands in a snapshot.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc != (diff ? 3 : 2)) {
    return cli_usage("snapshot", diff ? "--diff compares two files" : "which file?");
  }
  return diff ? print_differences(argv[1], argv[2]) : print_one(argv[1], blocks);
}
