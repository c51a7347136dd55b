/* hydevs trace: every message of a model. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Each line is one message, numbered in the order of sending: the time, sender -> receiver, "
    "and\n"
    "  (i,t) initialise   (*,t) execute your event   (x,t) input   (y,t) output\n"
    "  (done,tN) my next event\n"
    "After ; stands what happened there: the function, elapsed time e, the new state. The engine "
    "is\n"
    "always the tree; flat has no messages.\n\n"
    "Examples:\n"
    "  hydevs trace examples/queue/model.xml                  every message\n"
    "  hydevs trace examples/queue/model.xml --from 4 --to 6  those of some instants\n"
    "  hydevs trace examples/nested/model.xml --block 'C/**'  those about some blocks\n"
    "  hydevs trace examples/simultaneous/model.xml --experiment E4b --json\n";

/* The engine is the tree, and messages are all that is kept. */
static const char *const always_tree[] = {"record", "grid", "engine", NULL};

/* What is shown of all messages. */
typedef struct {
  double from, to;
  GPatternSpec *block; /* NULL: all */
  gboolean any;        /* has been shown */
  void (*show)(gpointer user, const HyMessage *m);
} Filter;

static void show(gpointer user, const HyMessage *m)
{
  Filter *f = user;
  gboolean here = m->t >= f->from && m->t <= f->to &&
                  (f->block == NULL || g_pattern_spec_match_string(f->block, m->path));
  if (here) {
    f->show(stdout, m);
    f->any = TRUE;
  }
}

static void show_model(const HyLoaded *loaded)
{
  g_autoptr(GString) line = g_string_new(NULL);
  hy_model_json(loaded, line);
  fputs(line->str, stdout);
}

/* The messages on stdout; what went wrong in *ERROR. */
static gboolean trace(const HyRun *run, CliProgressKind kind, Filter *filter, gboolean json,
                      GError **error)
{
  HySim *sim = hy_run_sim(run);
  hy_sim_set_trace(sim, &(HyTrace){.user = filter, .message = show});
  if (!hy_sim_init(sim, hy_run_start(run), error)) {
    return FALSE;
  }
  double t0 = hy_run_start(run), tf = fmax(t0, fmin(filter->to, hy_run_stop(run)));
  CliProgress progress = {.kind = kind, .t0 = t0, .tf = tf};
  cli_progress_start(&progress, sim);
  gboolean ok = hy_sim_run(sim, tf, error);
  cli_progress_end(&progress);
  if (!ok && !json && g_error_matches(*error, HY_ERROR, HY_ERROR_ILLEGITIMATE)) {
    char t[HY_DOUBLE_SIZE];
    printf("# illegitimate at t=%s\n", hy_double_text(t, hy_sim_time(sim)));
  }
  return ok;
}

int cli_trace(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *block = NULL, *from = NULL, *to = NULL;
  gboolean json = FALSE;
  Filter filter = {.from = -INFINITY, .to = INFINITY};
  const GOptionEntry entries[] = {
      {"from", 0, 0, G_OPTION_ARG_STRING, &from, "Show messages from this time on", "T"},
      {"to", 0, 0, G_OPTION_ARG_STRING, &to, "Show messages up to this time", "T"},
      {"block", 'b', 0, G_OPTION_ARG_STRING, &block,
       "Show messages about these blocks (* and ? stand for anything)", "PATH"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json,
       "JSON lines: the model, then each message (library/trace.schema.json)", NULL},
      {0},
  };
  const CliPage page = {"trace MODEL.xml [OPTIONS]",
                        "Shows every message of a model.",
                        teach,
                        entries,
                        NULL,
                        always_tree};
  int status;
  CliProgressKind kind;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status) ||
      !cli_time("trace", "--from", from, &filter.from, &status) ||
      !cli_time("trace", "--to", to, &filter.to, &status) ||
      !cli_model_progress("trace", &m, &kind, &status)) {
    return status;
  }
  g_autoptr(HyLoaded) loaded = cli_model_load("trace", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("trace", &m, loaded, "tree", &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GPatternSpec) pattern = block != NULL ? g_pattern_spec_new(block) : NULL;
  filter.show = json ? hy_trace_json : hy_trace_text;
  filter.block = pattern;
  g_autoptr(GError) error = NULL;
  if (json) {
    show_model(loaded);
  }
  gboolean ok = trace(run, kind, &filter, json, &error);
  if (ok && block != NULL && !filter.any) {
    g_autofree char *asked = hy_plain_text(block, FALSE);
    fprintf(stderr, "no message then is about \"%s\"; * stands for anything: --block '%s*'\n",
            asked, asked);
  }
  status = ok || ferror(stdout)
               ? 0
               : cli_failed_blocks(loaded, error); /* cli_finish() says what stdout had */
  return cli_finish(status);
}
