/* hydevs: finds the verb and hands over. */
#include "cli.h"
#include "hy_build.h"

#include <stdio.h>
#include <string.h>

static void help(FILE *out)
{
  fputs("hydevs - hybrid systems simulated by discrete events\n\nUsage: hydevs VERB [OPTIONS]\n\n",
        out);
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    fprintf(out, "  %-12s %s\n", v->name, v->what);
  }
  fputs("\nEvery verb explains itself: hydevs VERB --help\n\n"
        "Try:\n"
        "  hydevs run examples/queue/model.xml\n"
        "  hydevs plot examples/queue/model.xml --term\n"
        "  hydevs trace examples/ping-pong/model.xml\n"
        "  hydevs list-blocks server\n\n"
        "Exit status: 0 ok, 1 the model is wrong, 2 the command line is, 3 the run could not go "
        "on,\n4 endless events, at one instant or too near to one another, 5 a bound of a measure "
        "or the\naudit fails, 130 interrupted (129 hang-up, 143 terminated).\n",
        out);
}

int main(int argc, char **argv)
{
  const char *verb = argc > 1 ? argv[1] : "";
  cli_guard();
  if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 ||
      (strcmp(verb, "help") == 0 && argc == 2)) {
    help(stdout);
    return cli_finish(0);
  }
  if (strcmp(verb, "help") == 0) {
    return cli_help(argc - 1, argv + 1);
  }
  if (strcmp(verb, "--version") == 0) {
    puts("hydevs " HY_BUILD);
    return cli_finish(0);
  }
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    if (strcmp(verb, v->name) == 0) {
      return v->run(argc - 1, argv + 1);
    }
  }
  if (*verb == '\0') {
    help(stderr);
    return HY_ERROR_USAGE;
  }
  HyNearest nearest = {.word = verb};
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    hy_nearest_offer(&nearest, v->name);
  }
  g_autofree char *hint = cli_did_you_mean("", nearest.best);
  g_autofree char *asked = hy_plain_text(verb, FALSE);
  fprintf(stderr, "hydevs: there is no verb \"%s\"%s; see hydevs --help\n", asked, hint);
  return HY_ERROR_USAGE;
}
