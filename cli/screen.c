/* The full-screen view of hydevs step: the model as boxes inside each other, with what each block
 * is now, and the event under way. Plain control sequences (ECMA-48) that every terminal of today
 * knows; nothing else is needed. */
#include "step.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define NARROW 44 /* columns; below there are no frames */
#define WIDE   70 /* from here on there is room for sigma, too */

typedef struct {
  CliPrompt *p;
  GPtrArray *rows; /* char *: all of the model */
  guint active;    /* the row of the block that had its turn; G_MAXUINT: none */
  guint top;       /* the first row that is shown */
  guint width, height;
  gboolean plain; /* no letters but those of ASCII */
  char *note;     /* for the last line; NULL: the keys */
} Screen;

/* A signal asks for the end. From the drawing of a page to the wait for a key signals are held back
 * and then end the wait, so that none comes between the two unseen. */
static volatile sig_atomic_t stopped;
static const int numbers[] = {SIGINT, SIGTERM, SIGWINCH};

static void stop(int number)
{
  (void)number;
  stopped = 1;
}

static void resized(int number)
{
  (void)number; /* it has ended a wait */
}

/* Rows ----------------------------------------------------------------------------------------- */

/* TEXT in exactly N columns. */
static void add_padded(GString *out, const char *text, glong n)
{
  glong length = g_utf8_strlen(text, -1);
  if (length <= n) {
    g_string_append_printf(out, "%s%*s", text, (int)(n - length), "");
    return;
  }
  const char *end = g_utf8_offset_to_pointer(text, MAX(n - 1, 0));
  g_string_append_len(out, text, end - text);
  g_string_append(out, n > 0 ? "~" : "");
}

static void add_row(Screen *v, guint depth, const char *text)
{
  gboolean frames = v->width >= NARROW;
  const char *bar = v->plain ? "|" : "\u2502";
  GString *row = g_string_new(NULL);
  for (guint k = 0; k < depth; k++) {
    g_string_append_printf(row, "%s ", frames ? bar : "");
  }
  glong inner = (glong)v->width - (glong)depth * (frames ? 4 : 1);
  add_padded(row, text, MAX(inner, 0));
  for (guint k = 0; frames && k < depth; k++) {
    g_string_append_printf(row, " %s", bar);
  }
  g_ptr_array_add(v->rows, g_string_free(row, FALSE));
}

/* The upper or lower edge of a box. */
static void add_edge(Screen *v, guint depth, const char *name, gboolean upper)
{
  if (v->width < NARROW) {
    if (upper) {
      add_row(v, depth, name);
    }
    return;
  }
  glong n = (glong)v->width - (glong)depth * 4 - 2, k = upper ? g_utf8_strlen(name, -1) + 2 : 0;
  g_autoptr(GString) text = g_string_new(v->plain ? "+" : upper ? "\u250c" : "\u2514");
  if (upper) {
    g_string_append_printf(text, " %s ", name);
  }
  for (; k < n; k++) {
    g_string_append(text, v->plain ? "-" : "\u2500");
  }
  g_string_append(text, v->plain ? "+" : upper ? "\u2510" : "\u2518");
  add_row(v, depth, text->str);
}

/* Marks are letters, too, for whoever sees no colours: > has had its turn, + has got an input, * is
 * due next. */
static char mark_of(const Screen *v, const char *path, const CliKnown *known)
{
  const CliStepper *s = v->p->s;
  gboolean shown = s->event > 0 && s->text->len > 0; /* not after a step back */
  if (shown && strcmp(path, s->block->str) == 0) {
    return '>';
  }
  if (shown && known->event == s->event) {
    return '+';
  }
  return known->tn <= hy_sim_next(s->sim) && known->tn < INFINITY ? '*' : ' ';
}

static void add_atomic(Screen *v, guint depth, const char *name, const char *path)
{
  const GArray *list = g_hash_table_lookup(v->p->s->known, path);
  if (list == NULL || list->len == 0) {
    add_row(v, depth, name);
    return;
  }
  const CliKnown *known = &g_array_index(list, CliKnown, list->len - 1);
  char tn[HY_DOUBLE_SIZE], sigma[HY_DOUBLE_SIZE];
  double t = hy_sim_time(v->p->s->sim);
  const char *state = known->state != NULL ? known->state : "";
  g_autoptr(GString) row = g_string_new(NULL);
  g_string_append_printf(row, "%c %-9s ", mark_of(v, path, known), name);
  hy_double_text(tn, known->tn);
  if (v->width < WIDE) {
    g_string_append_printf(row, "tN %-8s %s", tn, state);
  } else { /* times stand below each other, however deep a block is */
    add_padded(row, state, MAX((glong)MIN(v->width - 50, 48) - 2 * (glong)depth, 4));
    g_string_append_printf(row, " tN %-12s sigma %s", tn, hy_double_text(sigma, known->tn - t));
  }
  if (row->str[0] == '>') {
    v->active = v->rows->len;
  }
  add_row(v, depth, row->str);
}

static void add_model(Screen *v, const HyModel *m, guint depth)
{
  for (guint k = 0; k < hy_model_n(m); k++) {
    const char *name = hy_model_component_name(m, k);
    const HyModel *inner = hy_model_coupled(m, k);
    g_autofree char *path = hy_model_path(m, k);
    if (inner == NULL) {
      add_atomic(v, depth, name, path);
      continue;
    }
    add_edge(v, depth, name, TRUE);
    add_model(v, inner, depth + 1);
    add_edge(v, depth, name, FALSE);
  }
}

/* Drawing -------------------------------------------------------------------------------------- */

static void measure(Screen *v)
{
  struct winsize size = {0};
  v->width = 80;
  v->height = 24;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    v->width = size.ws_col;
    v->height = size.ws_row;
  }
}

static void put_line(const Screen *v, const char *text, const char *look)
{
  g_autoptr(GString) line = g_string_new(NULL);
  add_padded(line, text, v->width);
  printf("%s%s%s\n", look, line->str, *look != '\0' ? "\033[0m" : "");
}

static void put_last(const Screen *v)
{
  static const char keys[] =
      "right next  left back  r run to a break  up, down scroll  : prompt  q quit";
  g_autoptr(GString) line = g_string_new(NULL);
  add_padded(line, v->note != NULL ? v->note : keys, (glong)v->width - 1);
  fputs(line->str, stdout);
}

/* As many rows as there is room, so that the active one is seen. */
static void draw(Screen *v)
{
  const CliStepper *s = v->p->s;
  char t[HY_DOUBLE_SIZE], tn[HY_DOUBLE_SIZE];
  measure(v);
  g_ptr_array_set_size(v->rows, 0);
  v->active = G_MAXUINT;
  add_model(v, s->model, 0);
  g_auto(GStrv) said = g_strsplit(s->text->str, "\n", -1);
  guint lines = MIN(g_strv_length(said), v->height / 3);
  guint room = v->height > lines + 3 ? v->height - lines - 3 : 1;
  if (v->active != G_MAXUINT && (v->active < v->top || v->active >= v->top + room)) {
    v->top = v->active > room / 2 ? v->active - room / 2 : 0;
  }
  v->top = MIN(v->top, v->rows->len > room ? v->rows->len - room : 0);
  g_autofree char *head = g_strdup_printf(
      "%s  t = %s  event %" G_GUINT64_FORMAT "  next at t = %s", hy_model_name(s->model),
      hy_double_text(t, hy_sim_time(s->sim)), s->event, hy_double_text(tn, hy_sim_next(s->sim)));
  fputs("\033[H\033[J", stdout);
  put_line(v, head, "\033[7m");
  for (guint k = v->top; k < MIN(v->top + room, v->rows->len); k++) {
    put_line(v, g_ptr_array_index(v->rows, k), k == v->active ? "\033[1m" : "");
  }
  for (guint k = 0; k < lines; k++) {
    put_line(v, said[k], "");
  }
  put_last(v);
  fflush(stdout);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* The next byte; -1: none within so many milliseconds (below 0: for ever), or a signal, -2: there
 * will be none. Signals are those of OPEN while it waits. */
static int byte_in(int milliseconds, const sigset_t *open)
{
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  const struct timespec most = {.tv_nsec = milliseconds * 1000000L};
  unsigned char byte;
  int ready = ppoll(&in, 1, milliseconds < 0 ? NULL : &most, open);
  if (ready <= 0) {
    return ready < 0 && errno != EINTR ? -2 : -1;
  }
  return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -2;
}

/* Arrows become the letters n b u d. */
static int key_in(const sigset_t *open)
{
  int key = byte_in(-1, open);
  if (key != 033) {
    return key == '\r' || key == '\n' || key == ' ' ? 'n' : key;
  }
  int bracket = byte_in(50, open);
  int letter = bracket == '[' || bracket == 'O' ? byte_in(50, open) : -1;
  switch (letter) {
  case 'A':
    return 'u';
  case 'B':
    return 'd';
  case 'C':
    return 'n';
  case 'D':
    return 'b';
  default:
    return -1;
  }
}

static void set_note(Screen *v, char *note)
{
  g_free(v->note);
  v->note = note;
}

static void tell_end(Screen *v)
{
  char t[HY_DOUBLE_SIZE];
  if (v->p->ended) {
    set_note(v, g_strdup_printf("no further event up to t=%s",
                                hy_double_text(t, hy_run_stop(v->p->run))));
  }
}

static void run_on(Screen *v, GError **error)
{
  if (v->p->s->breaks->len == 0) {
    set_note(v, g_strdup("there is no break: set one at the prompt (key :)"));
    return;
  }
  while (stopped == 0 && cli_prompt_one(v->p, error) && !v->p->s->hit) {
  }
  tell_end(v);
}

/* FALSE: the view ends. */
static gboolean obey(Screen *v, int key, GError **error)
{
  set_note(v, NULL);
  switch (key) {
  case 'n':
    cli_prompt_one(v->p, error);
    tell_end(v);
    break;
  case 'b':
    set_note(v, cli_prompt_back(v->p, 1));
    g_string_truncate(v->p->s->text, 0);
    break;
  case 'r':
    run_on(v, error);
    break;
  case 'u':
    v->top -= v->top > 0;
    v->active = G_MAXUINT;
    break;
  case 'd':
    v->top++;
    break;
  case 'q':
  case 'Q':
  case 4: /* ^D */
  case -2:
    v->p->quit = TRUE;
    return FALSE;
  default:
    break;
  }
  return key != ':' && *error == NULL;
}

/* The terminal ----------------------------------------------------------------------------------
 */

/* As locales say it; the program itself has none. */
static gboolean is_utf8(void)
{
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    const char *said = g_getenv(names[k]);
    if (said != NULL && *said != '\0') {
      g_autofree char *low = g_ascii_strdown(said, -1);
      return strstr(low, "utf-8") != NULL || strstr(low, "utf8") != NULL;
    }
  }
  return FALSE;
}

static gboolean can(void)
{
  const char *term = g_getenv("TERM");
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && term != NULL &&
         strcmp(term, "dumb") != 0;
}

static void loop(Screen *v, GError **error)
{
  sigset_t held, open;
  sigemptyset(&held);
  for (guint k = 0; k < G_N_ELEMENTS(numbers); k++) {
    sigaddset(&held, numbers[k]);
  }
  for (gboolean on = TRUE; on;) {
    sigprocmask(SIG_BLOCK, &held, &open);
    draw(v);
    int key = stopped == 0 ? key_in(&open) : -1;
    sigprocmask(SIG_SETMASK, &open, NULL);
    on = stopped == 0 && obey(v, key, error);
  }
}

gboolean cli_screen(CliPrompt *p, GError **error)
{
  struct termios was;
  if (!can() || tcgetattr(STDIN_FILENO, &was) != 0) {
    puts("this is no terminal for a full-screen view; next, back and print work everywhere");
    return TRUE;
  }
  struct sigaction ends = {.sa_handler = stop}, resizes = {.sa_handler = resized};
  struct sigaction kept[3];
  for (guint k = 0; k < G_N_ELEMENTS(numbers); k++) {
    sigaction(numbers[k], numbers[k] == SIGWINCH ? &resizes : &ends, &kept[k]);
  }
  struct termios raw = was;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
  fputs("\033[?1049h\033[?25l", stdout); /* a page of its own, no cursor */
  stopped = 0;
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
  Screen v = {.p = p, .rows = rows, .plain = !is_utf8()};
  loop(&v, error);
  set_note(&v, NULL);
  p->quit |= stopped != 0;
  fputs("\033[?25h\033[?1049l", stdout);
  fflush(stdout);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
  for (guint k = 0; k < G_N_ELEMENTS(numbers); k++) {
    sigaction(numbers[k], &kept[k], NULL);
  }
  return *error == NULL;
}
