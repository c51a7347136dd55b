/* hydevs step: one event after the other, what it says and whom it reaches. */
#include "step.h"

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
    "shows the messages between coordinators, too. On a terminal it asks what to do: Enter takes\n"
    "the next event, back goes back, until and run go on to a time, to what holds, or to a break,\n"
    "print shows states; help tells all.\n\n"
    "Examples:\n"
    "  hydevs step examples/queue/model.xml                  the first ten, or one by one\n"
    "  hydevs step examples/queue/model.xml -n 3 --from 4    three from t = 4 on\n"
    "  hydevs step examples/bouncing-ball/model.xml --from 0.45 -n 20\n";

/* The engine is the tree, and nothing is recorded. */
static const char *const always_tree[] = {"record", "grid", "engine", "progress", NULL};

static void header(CliStepper *s, double t)
{
  char text[HY_DOUBLE_SIZE];
  if (!s->shown) {
    s->event++;
    s->shown = TRUE;
    g_string_append_printf(s->text, "%" G_GUINT64_FORMAT "  t=%s  %s\n", s->event,
                           hy_double_text(text, t), s->block->str);
  }
}

static void result(CliStepper *s, const HyMessage *m, const char *word, const char *what)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append_printf(s->text, "     %-5s %s  %s  ta=%s\n", word, what, m->note,
                         hy_double_text(text, m->tn - m->t));
}

static void look_for_break(CliStepper *s, const char *path)
{
  for (guint k = 0; s->breaks != NULL && k < s->breaks->len; k++) {
    CliBreak *b = g_ptr_array_index(s->breaks, k);
    b->reached |= b->path == NULL || g_pattern_spec_match_string(b->path, path);
  }
}

/* The newest ones of LIST, whose elements begin with the number of their event, as far as one can
 * go back; the last one always. */
static guint too_many(const CliStepper *s, const GArray *list, guint64 middle)
{
  return list->len >= 64 && middle + CLI_KEPT + 1 < s->event ? list->len / 2 : 0;
}

static GArray *list_of(GHashTable *table, const char *key, guint size)
{
  GArray *list = g_hash_table_lookup(table, key);
  if (list == NULL) {
    list = g_array_new(FALSE, FALSE, size);
    g_hash_table_insert(table, g_strdup(key), list);
  }
  return list;
}

static void know(CliStepper *s, const HyMessage *m)
{
  if (!g_hash_table_contains(s->known, m->path)) {
    for (const char *slash = strchr(m->path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
      g_hash_table_add(s->inside, g_strndup(m->path, (gsize)(slash - m->path)));
    }
  }
  GArray *list = list_of(s->known, m->path, sizeof(CliKnown));
  guint old =
      list->len > 0 ? too_many(s, list, g_array_index(list, CliKnown, list->len / 2).event) : 0;
  for (guint k = 0; k < old; k++) {
    g_free(g_array_index(list, CliKnown, k).state);
  }
  g_array_remove_range(list, 0, old);
  CliKnown known = {s->event, g_strdup(m->state), m->t, m->tn};
  g_array_append_val(list, known);
}

static void hear(CliStepper *s, const HyMessage *m)
{
  g_autofree char *key = g_strconcat(m->path, ".", m->port, NULL);
  GArray *list = list_of(s->said, key, sizeof(CliSaid));
  guint old =
      list->len > 0 ? too_many(s, list, g_array_index(list, CliSaid, list->len / 2).event) : 0;
  g_array_remove_range(list, 0, old);
  CliSaid said = {.event = s->event, .t = m->t};
  for (guint k = 0; k < G_N_ELEMENTS(said.c); k++) {
    said.c[k] = m->value->payload == NULL ? m->value->c[k] : NAN;
  }
  g_array_append_val(list, said);
}

/* The block of an event, and who gets an input, and what follows from it. */
static void see_done(CliStepper *s, const HyMessage *m)
{
  if (m->ran == HY_RAN_DEXT && m->t >= s->from) {
    header(s, m->t);
    result(s, m, "to", s->input->str);
  } else if (m->ran == HY_RAN_DINT && m->t >= s->from) {
    header(s, m->t);
    result(s, m, "then", m->path);
  }
  if (m->ran != HY_RAN_NOTHING && s->known != NULL) {
    know(s, m);
  }
  if (m->ran == HY_RAN_DEXT || m->ran == HY_RAN_DINT) {
    look_for_break(s, m->path);
  }
}

static void see(gpointer user, const HyMessage *m)
{
  CliStepper *s = user;
  switch (m->kind) {
  case HY_MSG_STAR:
    g_string_assign(s->block, m->path);
    break;
  case HY_MSG_X:
    g_string_printf(s->input, "%s %s = ", m->path, m->port);
    hy_value_text(s->input, m->value);
    break;
  case HY_MSG_Y:
    if (s->said != NULL) {
      hear(s, m);
    }
    if (m->ran == HY_RAN_LAMBDA && m->t >= s->from) {
      g_autoptr(GString) value = g_string_new(NULL);
      hy_value_text(value, m->value);
      header(s, m->t);
      g_string_append_printf(s->text, "     says  %s = %s\n", m->port, value->str);
    }
    break;
  case HY_MSG_DONE:
    see_done(s, m);
    break;
  default:
    break;
  }
}

gboolean cli_step_one(CliStepper *s, const HyRun *run, gboolean *done, GError **error)
{
  s->shown = FALSE;
  s->hit = FALSE;
  g_string_truncate(s->text, 0);
  for (guint k = 0; s->breaks != NULL && k < s->breaks->len; k++) {
    ((CliBreak *)g_ptr_array_index(s->breaks, k))->reached = FALSE;
  }
  if (!hy_sim_step(hy_run_sim(run), hy_run_stop(run), done, error)) {
    return FALSE;
  }
  for (guint k = 0; s->breaks != NULL && k < s->breaks->len; k++) {
    const CliBreak *b = g_ptr_array_index(s->breaks, k);
    s->hit |= b->reached && (b->condition == NULL || cli_holds(s, b->condition));
  }
  return TRUE;
}

/* So many events, without questions. */
static gboolean steps(CliStepper *s, const HyRun *run, guint64 wanted, GError **error)
{
  gboolean done = TRUE;
  while (done && wanted > 0) {
    if (!cli_step_one(s, run, &done, error)) {
      return FALSE;
    }
    fputs(s->text->str, stdout);
    wanted -= s->shown;
  }
  if (!done) {
    char t[HY_DOUBLE_SIZE];
    printf("no further event up to t=%s\n", hy_double_text(t, hy_run_stop(run)));
  }
  return TRUE;
}

static void free_known(gpointer p)
{
  GArray *list = p;
  for (guint k = 0; k < list->len; k++) {
    g_free(g_array_index(list, CliKnown, k).state);
  }
  g_array_unref(list);
}

static void free_said(gpointer list)
{
  g_array_unref(list);
}

static void free_break(gpointer p)
{
  CliBreak *b = p;
  g_clear_pointer(&b->path, g_pattern_spec_free);
  g_free(b->path_text);
  g_free(b->condition);
  g_free(b);
}

static gboolean step(const HyRun *run, CliStepper *s, gint64 events, gboolean prompt,
                     GError **error)
{
  HySim *sim = hy_run_sim(run);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_known);
  g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_said);
  g_autoptr(GHashTable) inside = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GPtrArray) breaks = g_ptr_array_new_with_free_func(free_break);
  gboolean terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  gboolean asks = prompt || (events == 0 && terminal);
  if (asks) {
    s->sim = sim;
    s->known = known;
    s->said = said;
    s->inside = inside;
    s->breaks = breaks;
  }
  hy_sim_set_trace(sim, &(HyTrace){.user = s, .message = see});
  if (!hy_sim_init(sim, hy_run_start(run), error)) {
    return FALSE;
  }
  return asks ? cli_prompt(s, run, error) : steps(s, run, events > 0 ? (guint64)events : 10, error);
}

int cli_step(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *from = NULL;
  gint64 events = 0;
  gboolean prompt = FALSE;
  CliStepper s = {.from = -INFINITY};
  const GOptionEntry entries[] = {
      {"events", 'n', 0, G_OPTION_ARG_INT64, &events, "So many events", "N"},
      {"prompt", 0, 0, G_OPTION_ARG_NONE, &prompt,
       "Reads commands from stdin, also where that is no terminal", NULL},
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
  if (prompt && events > 0) {
    return cli_usage("step", "--events and --prompt: the prompt has next N");
  }
  g_autoptr(HyLoaded) loaded = cli_model_load("step", &m, argv[1], &status);
  g_autoptr(HyRun) run = cli_model_run("step", &m, loaded, "tree", &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GString) block = g_string_new(NULL), input = g_string_new(NULL),
                     text = g_string_new(NULL);
  s.block = block;
  s.input = input;
  s.text = text;
  g_autoptr(GError) error = NULL;
  if (!step(run, &s, events, prompt, &error)) {
    status = cli_failed_blocks(loaded, error);
  }
  return cli_finish(status);
}
