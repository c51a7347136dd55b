/* hydevs explain: the messages of a model in words, or as a page that plays them. */
#include "model.h"

#include <hydevs/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Without --html each message is a sentence: what it means, and why it comes now. The page has "
    "the\n"
    "model drawn as boxes inside each other, and plays the messages along its wires, forth and "
    "back,\n"
    "by mouse or keys, with every state, tL, tN and sigma. It needs no other file and no network. "
    "The\n"
    "engine is always the tree.\n\n"
    "Examples:\n"
    "  hydevs explain examples/nested/model.xml --to 1            the first messages in words\n"
    "  hydevs explain examples/nested/model.xml --html nested.html\n"
    "  hydevs explain examples/bouncing-ball/model.xml --from 0.4 --to 0.5 --html ball.html\n";

static const char *const always_tree[] = {"record", "grid", "engine", "progress", NULL};

typedef struct {
  double from, to;
  guint64 most, n;
} Teller;

/* One sentence a message. */
static void tell(gpointer user, const HyMessage *m)
{
  Teller *teller = user;
  if (m->t < teller->from || teller->n >= teller->most) {
    return;
  }
  char t[HY_DOUBLE_SIZE];
  g_autoptr(GString) words = g_string_new(NULL);
  teller->n++;
  hy_message_words(words, m);
  printf("%3" G_GUINT64_FORMAT " t=%-4s %s\n", m->n, hy_double_text(t, m->t), words->str);
}

/* Runs until TO, or until nothing more is wanted. */
static gboolean go(const HyRun *run, const Teller *teller, const HyTold *told, GError **error)
{
  HySim *sim = hy_run_sim(run);
  gboolean ok = hy_sim_init(sim, hy_run_start(run), error), done = ok;
  while (ok && done && !(told != NULL ? hy_told_full(told) : teller->n >= teller->most)) {
    ok = hy_sim_step(sim, MIN(teller->to, hy_run_stop(run)), &done, error);
  }
  return ok;
}

/* The exit status. */
static int make_page(const HyLoaded *loaded, const HyTold *told, const char *command,
                     const char *file)
{
  int status;
  g_autoptr(GString) page = g_string_new(NULL);
  hy_explain_page(loaded, told, command, page);
  if (!cli_write(file, page, hy_loaded_inputs(loaded), &status)) {
    return status;
  }
  g_autofree char *name = hy_plain_text(file, FALSE);
  fprintf(stderr, "%s: %" G_GUINT64_FORMAT " messages%s\n", name, hy_told_n(told),
          hy_told_full(told) ? ", and no more fit; --from T begins later" : "");
  return 0;
}

static int explain(const HyLoaded *loaded, const HyRun *run, Teller *teller, const char *html,
                   const char *command)
{
  HySim *sim = hy_run_sim(run);
  g_autoptr(HyTold) told =
      html != NULL ? hy_told_new(hy_loaded_model(loaded), teller->from, teller->most) : NULL;
  HyTrace words = {.user = teller, .message = tell},
          page = {.user = told, .message = hy_told_message};
  if (told != NULL) {
    hy_told_watch(told, sim);
  }
  hy_sim_set_trace(sim, told != NULL ? &page : &words);
  g_autoptr(GError) error = NULL;
  gboolean ok = go(run, teller, told, &error);
  int status = told != NULL ? make_page(loaded, told, command, html) : 0;
  if (status != 0) {
    return status;
  }
  return ok ? 0 : cli_failed_blocks(loaded, error);
}

int cli_explain(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *from = NULL, *to = NULL, *html = NULL, *command = cli_command(argv);
  gint64 most = HY_TOLD_MOST;
  Teller teller = {.from = -INFINITY, .to = INFINITY};
  const GOptionEntry entries[] = {
      {"html", 0, 0, G_OPTION_ARG_FILENAME, &html, "Makes a page that plays the messages", "FILE"},
      {"from", 0, 0, G_OPTION_ARG_STRING, &from, "From this time on", "T"},
      {"to", 0, 0, G_OPTION_ARG_STRING, &to, "Up to this time", "T"},
      {"messages", 'n', 0, G_OPTION_ARG_INT64, &most, "At most so many (50000)", "N"},
      {0},
  };
  const CliPage page = {"explain MODEL.xml [OPTIONS]",
                        "Tells every message in words, or plays them in a page.",
                        teach,
                        entries,
                        NULL,
                        always_tree};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status) ||
      !cli_time("explain", "--from", from, &teller.from, &status) ||
      !cli_time("explain", "--to", to, &teller.to, &status)) {
    return status;
  }
  if (most < 1) {
    return cli_usage("explain", "--messages=%" G_GINT64_FORMAT ": 1 or more", most);
  }
  if (html != NULL && most > HY_TOLD_MOST) {
    return cli_usage("explain", "--messages=%" G_GINT64_FORMAT ": a page has %d at most", most,
                     HY_TOLD_MOST);
  }
  teller.most = (guint64)most;
  g_autoptr(HyLoaded) loaded = cli_model_load("explain", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("explain", &m, loaded, "tree", &status);
  return run != NULL ? cli_finish(explain(loaded, run, &teller, html, command)) : status;
}
