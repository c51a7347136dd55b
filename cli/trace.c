/* hydevs trace: every message of a model. */
#include "blackboard.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Each line is one message, numbered in the order of sending: the time, sender -> receiver, "
    "and\n"
    "  (i,t) initialise   (*,t) execute your event   (x,t) input   (y,t) output   (done,tN) my "
    "next event\n"
    "After ; stands what happened there: the function, elapsed time e, the new state.\n\n"
    "Examples:\n"
    "  hydevs trace E1          a queue\n"
    "  hydevs trace E4a --json  one JSON object a line\n"
    "  hydevs trace             lists the models\n";

static void list(FILE *out)
{
  for (const Blackboard *b = blackboard; b->name != NULL; b++) {
    fprintf(out, "%-4s %s\n", b->name, b->doc);
  }
}

static const Blackboard *find(const char *name)
{
  const Blackboard *b = blackboard;
  while (b->name != NULL && g_ascii_strcasecmp(b->name, name) != 0) {
    b++;
  }
  return b->name != NULL ? b : NULL;
}

/* The messages on stdout; what went wrong in *ERROR. */
static gboolean trace(const Blackboard *b, double tf, gboolean json, GError **error)
{
  g_autoptr(HyModel) root = hy_model_new("R");
  g_autoptr(HySim) sim = b->build(root, error) ? hy_sim_new(root, HY_TREE, error) : NULL;
  if (sim == NULL) {
    return FALSE;
  }
  if (b->limit > 0) {
    hy_sim_set_limit(sim, b->limit);
  }
  hy_sim_set_trace(sim,
                   &(HyTrace){.user = stdout, .message = json ? hy_trace_json : hy_trace_text});
  if (!hy_sim_init(sim, 0, error)) {
    return FALSE;
  }
  gboolean ok = hy_sim_run(sim, tf, error);
  if (!ok && !json && g_error_matches(*error, HY_ERROR, HY_ERROR_ILLEGITIMATE)) {
    char t[HY_DOUBLE_SIZE];
    printf("# illegitimate at t=%s\n", hy_double_text(t, hy_sim_time(sim)));
  }
  return ok;
}

int cli_trace(int argc, char **argv)
{
  gboolean json = FALSE;
  double until = NAN;
  const GOptionEntry entries[] = {
      {"until", 't', 0, G_OPTION_ARG_DOUBLE, &until, "End time, included (default: the example's)",
       "T"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "JSON lines: n t from to msg port value tn", NULL},
      {0},
  };
  int status;
  if (!cli_options("trace MODEL [OPTIONS]", "Shows every message of a model, on the tree engine.",
                   teach, entries, &argc, &argv, &status)) {
    return status;
  }
  if (argc < 2) {
    list(stdout);
    return 0;
  }
  const Blackboard *b = find(argv[1]);
  if (b == NULL || argc > 2) {
    list(stderr);
    return argc > 2 ? cli_usage("trace", "one model at a time")
                    : cli_usage("trace", "there is no model \"%s\"", argv[1]);
  }
  g_autoptr(GError) error = NULL;
  return trace(b, isnan(until) ? b->tf : until, json, &error) ? 0 : cli_failed(error);
}
