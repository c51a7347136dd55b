/* The prompt of hydevs step: next, back, until, run, break, print, watch. Going back puts the
 * simulation as it was before an event (hy_sim_save()); what blocks have said of themselves since
 * is forgotten. */
#include "step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What it keeps to go back. */
typedef struct {
  CliStepper *s;
  const HyRun *run;
  GPtrArray *kept; /* HySnapshot: before each event, the last one last */
  char *why_not;   /* nothing can be kept; NULL: it can */
  char *watch;     /* a pattern of paths, or a formula; NULL: nothing */
  gboolean ended, quit;
} Prompt;

static const char commands[] =
    "  next [N]     the next event, or N of them; Enter alone is next, a number is next N\n"
    "  back [N]     as it was before the last event, or the last N (up to 1000)\n"
    "  until T      on until the next event is after T\n"
    "  until WHAT   on until this holds: Q.sigma < 1, x > 2 and y.x <= 0, C/P == 7\n"
    "  run          on until a break, or the end\n"
    "  break PATH   until and run stop where this block has its turn or gets an input; * stands "
    "for\n"
    "               anything; break PATH if WHAT, break if WHAT: where that holds after it; "
    "without\n"
    "               PATH: what there is; break off: none any more\n"
    "  print [PATH] state, last event tL, next event tN and what is left until then, sigma;\n"
    "               print WHAT: what a formula comes to\n"
    "  watch [PATH] prints it after each event, or WHAT; without PATH: nothing any more\n"
    "  help, quit\n"
    "  In WHAT a name is what a block says, a/b one inside another; behind a dot stands a port, x "
    "(the\n"
    "  state of an integrator), tL, tN or sigma; t is the time.\n";

/* Blocks --------------------------------------------------------------------------------------- */

static void print_block(const char *path, const GArray *known, double t)
{
  const CliKnown *k = &g_array_index(known, CliKnown, known->len - 1);
  char tl[HY_DOUBLE_SIZE], tn[HY_DOUBLE_SIZE], sigma[HY_DOUBLE_SIZE];
  printf("     %s  s=%s  tL=%s  tN=%s  sigma=%s\n", path, k->state != NULL ? k->state : "-",
         hy_double_text(tl, k->tl), hy_double_text(tn, k->tn), hy_double_text(sigma, k->tn - t));
}

/* Those that match PATTERN (NULL: all), in the order of their names; FALSE: none does. */
static gboolean print_blocks(const Prompt *p, GPatternSpec *pattern)
{
  gboolean any = FALSE;
  double t = hy_sim_time(hy_run_sim(p->run));
  g_autoptr(GList) paths = g_hash_table_get_keys(p->s->known);
  paths = g_list_sort(paths, (GCompareFunc)(gpointer)strcmp);
  for (const GList *at = paths; at != NULL; at = at->next) {
    const GArray *known = g_hash_table_lookup(p->s->known, at->data);
    if (known->len > 0 && (pattern == NULL || g_pattern_spec_match_string(pattern, at->data))) {
      print_block(at->data, known, t);
      any = TRUE;
    }
  }
  return any;
}

/* Blocks, or what a formula comes to. */
static void print_what(const Prompt *p, const char *what)
{
  GPatternSpec *pattern = what != NULL ? g_pattern_spec_new(what) : NULL;
  gboolean any = print_blocks(p, pattern);
  g_clear_pointer(&pattern, g_pattern_spec_free);
  double value;
  char text[HY_DOUBLE_SIZE];
  g_autoptr(GError) error = NULL;
  if (any) {
    return;
  }
  if (what == NULL) {
    puts("there are no blocks");
  } else if (strpbrk(what, "*?") != NULL && strchr(what, ' ') == NULL &&
             !cli_value(p->s, what, &value, NULL)) {
    printf("no block is called %s; * stands for anything\n", what);
  } else if (cli_value(p->s, what, &value, &error)) {
    printf("     %s = %s\n", what, hy_double_text(text, value));
  } else {
    puts(error->message);
  }
}

static void forget(GHashTable *table, guint64 event)
{
  GHashTableIter all;
  gpointer list;
  g_hash_table_iter_init(&all, table);
  while (g_hash_table_iter_next(&all, NULL, &list)) {
    GArray *said = list;
    while (said->len > 0 && g_array_index(said, CliSaid, said->len - 1).event > event) {
      g_array_set_size(said, said->len - 1);
    }
  }
}

static void forget_after(CliStepper *s, guint64 event)
{
  GHashTableIter all;
  gpointer known;
  g_hash_table_iter_init(&all, s->known);
  while (g_hash_table_iter_next(&all, NULL, &known)) {
    GArray *list = known;
    while (list->len > 0 && g_array_index(list, CliKnown, list->len - 1).event > event) {
      g_free(g_array_index(list, CliKnown, list->len - 1).state);
      g_array_set_size(list, list->len - 1);
    }
  }
}

/* Events --------------------------------------------------------------------------------------- */

static void keep(Prompt *p)
{
  g_autoptr(GError) error = NULL;
  HySnapshot *now = p->why_not == NULL ? hy_sim_save(hy_run_sim(p->run), &error) : NULL;
  if (now != NULL) {
    g_ptr_array_add(p->kept, now);
  } else if (p->why_not == NULL) {
    p->why_not = g_strdup(error->message);
  }
  if (p->kept->len > CLI_KEPT) {
    g_ptr_array_remove_index(p->kept, 0);
  }
}

/* One event, its text in p->s->text. FALSE: there was none (p->ended), or *ERROR. */
static gboolean one(Prompt *p, GError **error)
{
  gboolean done;
  keep(p);
  if (!cli_step_one(p->s, p->run, &done, error)) {
    return FALSE;
  }
  if (!done) {
    g_ptr_array_set_size(p->kept, (gint)p->kept->len - (p->why_not == NULL));
    p->ended = TRUE;
  }
  return done;
}

/* The event that has been, or that there was none. */
static void tell(const Prompt *p)
{
  char t[HY_DOUBLE_SIZE];
  if (p->ended) {
    printf("no further event up to t=%s\n", hy_double_text(t, hy_run_stop(p->run)));
    return;
  }
  fputs(p->s->text->str, stdout);
  if (p->watch != NULL) {
    print_what(p, p->watch);
  }
}

static gboolean next(Prompt *p, guint64 n, GError **error)
{
  gboolean on = TRUE;
  for (guint64 k = 0; on && k < n; k++) {
    on = one(p, error);
    if (*error == NULL) {
      tell(p);
    }
  }
  return *error == NULL;
}

/* As it was before the last N events, or why that cannot be. */
static void back(Prompt *p, guint64 n)
{
  char t[HY_DOUBLE_SIZE];
  g_autoptr(GError) error = NULL;
  if (p->kept->len == 0) {
    printf("%s%s\n", p->why_not != NULL ? "there is no way back: " : "this is the start",
           p->why_not != NULL ? p->why_not : "");
    return;
  }
  n = MIN(n, p->kept->len);
  HySnapshot *then = g_ptr_array_index(p->kept, p->kept->len - n);
  if (!hy_sim_load(hy_run_sim(p->run), then, &error)) {
    puts(error->message);
    return;
  }
  g_ptr_array_set_size(p->kept, (gint)(p->kept->len - n));
  p->s->event -= MIN(n, p->s->event);
  forget_after(p->s, p->s->event);
  forget(p->s->said, p->s->event);
  p->ended = FALSE;
  printf("before event %" G_GUINT64_FORMAT ", which is at t=%s\n", p->s->event + 1,
         hy_double_text(t, hy_sim_next(hy_run_sim(p->run))));
}

/* On until T, or a break, or CONDITION holds (NULL: none). The event at which it stops is shown. */
static gboolean until(Prompt *p, double t, const char *condition, GError **error)
{
  const HySim *sim = hy_run_sim(p->run);
  gboolean went = FALSE, stop = FALSE;
  while (!stop && !(hy_sim_next(sim) > t) && one(p, error)) {
    went = TRUE;
    stop = p->s->hit || (condition != NULL && cli_holds(p->s, condition));
  }
  if (*error == NULL && (went || p->ended)) {
    tell(p);
  }
  return *error == NULL;
}

/* Whether it is a formula; else says why not. */
static gboolean is_condition(const Prompt *p, const char *text)
{
  double value;
  g_autoptr(GError) error = NULL;
  if (!cli_value(p->s, text, &value, &error) && !g_error_matches(error, HY_ERROR, HY_ERROR_RUN)) {
    puts(error->message);
    return FALSE;
  }
  return TRUE;
}

/* Commands ------------------------------------------------------------------------------------- */

static void list_breaks(const GPtrArray *breaks)
{
  for (guint k = 0; k < breaks->len; k++) {
    const CliBreak *b = g_ptr_array_index(breaks, k);
    printf("     %s%s%s\n", b->path_text, b->condition != NULL ? " if " : "",
           b->condition != NULL ? b->condition : "");
  }
  printf("%u breaks\n", breaks->len);
}

static gboolean is_some_block(const CliStepper *s, GPatternSpec *pattern)
{
  GHashTableIter all;
  gpointer path;
  g_hash_table_iter_init(&all, s->known);
  while (g_hash_table_iter_next(&all, &path, NULL)) {
    if (g_pattern_spec_match_string(pattern, path)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* "PATH", "PATH if WHAT", "if WHAT". */
static void add_break(const Prompt *p, char *rest)
{
  char *condition = strncmp(rest, "if ", 3) == 0 ? rest : strstr(rest, " if ");
  if (condition != NULL) {
    char *end = condition;
    condition = g_strstrip(strstr(condition, "if ") + 3);
    *end = '\0';
    if (!is_condition(p, condition)) {
      return;
    }
  }
  g_strstrip(rest);
  GPatternSpec *pattern =
      condition != NULL && rest == condition - 3 ? NULL : g_pattern_spec_new(rest);
  if (*rest == '\0') {
    g_clear_pointer(&pattern, g_pattern_spec_free);
  }
  if (pattern != NULL && !is_some_block(p->s, pattern)) {
    printf("no block is called %s; * stands for anything\n", rest);
    g_pattern_spec_free(pattern);
    return;
  }
  CliBreak *b = g_new0(CliBreak, 1);
  b->path = pattern;
  b->path_text = g_strdup(pattern != NULL ? rest : "anywhere");
  b->condition = g_strdup(condition);
  g_ptr_array_add(p->s->breaks, b);
}

static void break_command(const Prompt *p, char *rest)
{
  if (rest == NULL || *rest == '\0') {
    list_breaks(p->s->breaks);
  } else if (strcmp(rest, "off") == 0) {
    g_ptr_array_set_size(p->s->breaks, 0);
  } else {
    add_break(p, rest);
  }
}

static void set_watch(Prompt *p, const char *what)
{
  g_free(p->watch);
  p->watch = g_strdup(what);
}

/* A number of events; 1 if none is given, 0 if it is wrong. */
static guint64 count_of(const char *text)
{
  guint64 n = 0;
  if (text == NULL) {
    return 1;
  }
  return g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, &n, NULL) ? n : 0;
}

static gboolean move(Prompt *p, const char *word, const char *rest, GError **error)
{
  double t = NAN;
  guint64 n = count_of(rest);
  if (strcmp(word, "until") == 0) {
    if (rest == NULL || *rest == '\0') {
      puts("until which time, or until what holds?");
      return TRUE;
    }
    if (cli_number(rest, &t)) {
      return until(p, t, NULL, error);
    }
    return !is_condition(p, rest) || until(p, INFINITY, rest, error);
  }
  if (n == 0) {
    printf("%s is no number of events\n", rest);
    return TRUE;
  }
  if (strcmp(word, "back") == 0) {
    back(p, n);
    return TRUE;
  }
  return next(p, n, error);
}

/* A word or its beginning; NULL: it is none. */
static const char *word_of(const char *text)
{
  static const char *const words[] = {"next",  "back",  "until", "run",  "break",
                                      "print", "watch", "help",  "quit", NULL};
  for (const char *const *word = words; *word != NULL; word++) {
    if (g_str_has_prefix(*word, text)) {
      return *word;
    }
  }
  printf("there is no command \"%s\"", text);
  const char *nearest = hy_nearest(text, words);
  printf(nearest != NULL ? "; did you mean %s?\n" : "; help shows what there is\n", nearest);
  return NULL;
}

static gboolean obey(Prompt *p, char *line, GError **error)
{
  g_strstrip(line);
  char *rest = strpbrk(line, " \t");
  if (rest != NULL) {
    *rest++ = '\0';
    g_strstrip(rest);
  }
  gboolean number = g_ascii_isdigit(*line) && rest == NULL;
  const char *word = *line == '\0' || number ? "next" : word_of(line);
  if (word == NULL) {
    return TRUE;
  }
  switch (*word) {
  case 'r':
    return until(p, INFINITY, NULL, error);
  case 'h':
    fputs(commands, stdout);
    return TRUE;
  case 'q':
    p->quit = TRUE;
    return TRUE;
  case 'p':
    print_what(p, rest);
    return TRUE;
  case 'w':
    set_watch(p, rest);
    return TRUE;
  default:
    break;
  }
  if (strcmp(word, "break") == 0) {
    break_command(p, rest);
    return TRUE;
  }
  return move(p, word, number ? line : rest, error);
}

static void free_snapshot(gpointer snapshot)
{
  hy_snapshot_free(snapshot);
}

gboolean cli_prompt(CliStepper *s, const HyRun *run, GError **error)
{
  Prompt p = {.s = s, .run = run, .kept = g_ptr_array_new_with_free_func(free_snapshot)};
  gboolean terminal = isatty(STDIN_FILENO) == 1, ok = TRUE, done = TRUE;
  char line[1024];
  GError *failed = NULL;
  while (ok && done && hy_sim_next(hy_run_sim(run)) < s->from) {
    ok = cli_step_one(s, run, &done, &failed);
  }
  while (ok && !p.quit) {
    fputs(terminal ? "> " : "", stdout);
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
      break;
    }
    ok = obey(&p, line, &failed);
  }
  g_ptr_array_unref(p.kept);
  g_free(p.why_not);
  set_watch(&p, NULL);
  if (failed != NULL) {
    g_propagate_error(error, failed);
  }
  return ok;
}
