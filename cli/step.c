/* hydevs step: one event after the other, what it says and whom it reaches. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char teach[] =
    "Each event is shown with its time and block, and then\n"
    "  says  what goes out, port = value (a polynomial: its coefficients)\n"
    "  to    whom it reaches: the function that was called, elapsed time e, the new state s\n"
    "  then  the block's own new state\n"
    "and of each its ta, the time to its next event. The engine is always the tree; hydevs trace\n"
    "shows the messages between coordinators, too. On a terminal Enter takes the next event, a\n"
    "number that many, q ends.\n\n"
    "Examples:\n"
    "  hydevs step examples/queue/model.xml                  the first ten, or one by one\n"
    "  hydevs step examples/queue/model.xml -n 3 --from 4    three from t = 4 on\n"
    "  hydevs step examples/bouncing-ball/model.xml --from 0.45 -n 20\n";

/* The engine is the tree, and nothing is recorded. */
static const char *const always_tree[] = {"record", "grid", "engine", "progress", NULL};

typedef struct {
  double from;
  guint64 event;          /* shown so far */
  gboolean shown;         /* the header of the event under way */
  GString *block, *input; /* of the last * and x */
} Stepper;

static void header(Stepper *s, double t)
{
  char text[HY_DOUBLE_SIZE];
  if (!s->shown) {
    s->event++;
    s->shown = TRUE;
    printf("%" G_GUINT64_FORMAT "  t=%s  %s\n", s->event, hy_double_text(text, t), s->block->str);
  }
}

static void result(const HyMessage *m, const char *word, const char *what)
{
  char text[HY_DOUBLE_SIZE];
  printf("     %-5s %s  %s  ta=%s\n", word, what, m->note, hy_double_text(text, m->tn - m->t));
}

/* Notes stand on the messages of atomics only. */
static void see(gpointer user, const HyMessage *m)
{
  Stepper *s = user;
  if (m->t < s->from) {
    return;
  }
  switch (m->kind) {
  case HY_MSG_STAR:
    g_string_assign(s->block, m->path);
    break;
  case HY_MSG_X:
    g_string_printf(s->input, "%s %s = ", m->path, m->port);
    hy_value_text(s->input, m->value);
    break;
  case HY_MSG_Y:
    if (m->note != NULL) {
      g_autoptr(GString) value = g_string_new(NULL);
      hy_value_text(value, m->value);
      header(s, m->t);
      printf("     says  %s = %s\n", m->port, value->str);
    }
    break;
  case HY_MSG_DONE:
    if (m->note != NULL && g_str_has_prefix(m->note, "dext")) {
      header(s, m->t);
      result(m, "to", s->input->str);
    } else if (m->note != NULL && g_str_has_prefix(m->note, "dint")) {
      header(s, m->t);
      result(m, "then", m->path);
    }
    break;
  default:
    break;
  }
}

/* How many events the person at the terminal wants next; 0: no more. */
static guint64 ask(void)
{
  char line[64];
  fflush(stdout);
  if (fgets(line, sizeof line, stdin) == NULL || *line == 'q') {
    return 0;
  }
  guint64 n = g_ascii_strtoull(line, NULL, 10);
  return n > 0 ? n : 1;
}

static gboolean step(const HyRun *run, Stepper *s, gint64 events, GError **error)
{
  HySim *sim = hy_run_sim(run);
  hy_sim_set_trace(sim, &(HyTrace){.user = s, .message = see});
  if (!hy_sim_init(sim, hy_run_start(run), error)) {
    return FALSE;
  }
  gboolean asks = events == 0 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  guint64 wanted = events > 0 ? (guint64)events : asks ? 1 : 10;
  gboolean done = TRUE;
  while (done && wanted > 0) {
    s->shown = FALSE;
    if (!hy_sim_step(sim, hy_run_stop(run), &done, error)) {
      return FALSE;
    }
    wanted -= s->shown;
    if (asks && s->shown && wanted == 0) {
      wanted = ask();
    }
  }
  if (!done) {
    char t[HY_DOUBLE_SIZE];
    printf("no further event up to t=%s\n", hy_double_text(t, hy_run_stop(run)));
  }
  return TRUE;
}

int cli_step(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *from = NULL;
  gint64 events = 0;
  Stepper s = {.from = -INFINITY};
  const GOptionEntry entries[] = {
      {"events", 'n', 0, G_OPTION_ARG_INT64, &events, "So many events", "N"},
      {"from", 0, 0, G_OPTION_ARG_STRING, &from, "Show events from this time on", "T"},
      {0},
  };
  const CliPage page = {"step MODEL.xml [OPTIONS]",
                        "Shows one event after the other.",
                        teach,
                        entries,
                        NULL,
                        always_tree};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status) ||
      !cli_time("step", "--from", from, &s.from, &status)) {
    return status;
  }
  if (events < 0) {
    return cli_usage("step", "--events=%" G_GINT64_FORMAT ": 1 or more", events);
  }
  g_autoptr(HyLoaded) loaded = cli_model_load("step", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("step", &m, loaded, "tree", &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GString) block = g_string_new(NULL), input = g_string_new(NULL);
  s.block = block;
  s.input = input;
  g_autoptr(GError) error = NULL;
  if (!step(run, &s, events, &error)) {
    status = cli_failed_blocks(loaded, error);
  }
  return cli_finish(status);
}
