/* hydevs: finds the verb and hands over. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *what;
  int (*run)(int argc, char **argv);
} verbs[] = {
    {"trace", "show every message of a model, line by line", cli_trace},
    {"devstone", "run the DEVStone benchmark and count", cli_devstone},
    {"ring", "run the RING benchmark and count", cli_ring},
};

static void help(FILE *out)
{
  fputs("hydevs - hybrid systems simulated by discrete events\n\nUsage: hydevs VERB [OPTIONS]\n\n",
        out);
  for (gsize k = 0; k < G_N_ELEMENTS(verbs); k++) {
    fprintf(out, "  %-10s %s\n", verbs[k].name, verbs[k].what);
  }
  fputs(
      "\nEvery verb explains itself: hydevs VERB --help\n\n"
      "Try:\n  hydevs trace E1\n  hydevs devstone --model HI --width 10 --depth 10\n\n"
      "Exit status: 0 ok, 1 the model is wrong, 2 the command line is, 3 the run could not go on,\n"
      "4 endless events at one instant, 130 interrupted.\n",
      out);
}

int main(int argc, char **argv)
{
  const char *verb = argc > 1 ? argv[1] : "";
  if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0) {
    help(stdout);
    return 0;
  }
  if (strcmp(verb, "--version") == 0) {
    puts("hydevs " HY_VERSION);
    return 0;
  }
  for (gsize k = 0; k < G_N_ELEMENTS(verbs); k++) {
    if (strcmp(verb, verbs[k].name) == 0) {
      return verbs[k].run(argc - 1, argv + 1);
    }
  }
  if (*verb == '\0') {
    help(stderr);
    return HY_ERROR_USAGE;
  }
  fprintf(stderr, "hydevs: there is no verb \"%s\"; see hydevs --help\n", verb);
  return HY_ERROR_USAGE;
}
