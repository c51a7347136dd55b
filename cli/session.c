/* hydevs session: a run that is steered, by lines from stdin. */
#include "model.h"
#include "session_page.h"
#include "socket.h"

#include <hydevs/session.h>

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char teach[] =
    "The run stops and goes on, is changed on the way, goes back and repeats what was done. On a\n"
    "terminal verbs are words (help lists them); elsewhere a line of JSON is a request, and each\n"
    "has one line as its answer; what comes unasked has no id. A line of words is answered in "
    "words.\n\n"
    "  init                      begin; nothing has happened yet\n"
    "  run until=2.5             go on, and freeze at 2.5; run alone goes to the end\n"
    "  freeze, step, back 3      stop; one instant; three instants back\n"
    "  set valve 0.8 ramp=2      move a lever of the model on a line of two seconds\n"
    "  malfunction leak 0.3      break something: from 0 to 1\n"
    "  get tank.h, monitor tank.h every=0.5\n"
    "  snapshot a, load a, replay from=1\n"
    "  at 3 set valve 0.5        the same at simulated time 3\n\n"
    "A script is a file of lines \"at T VERB ...\"; with one the session begins and runs by "
    "itself. "
    "A log\n"
    "holds all that was done, and --resume goes on where it ends. With --realtime H the run keeps "
    "the\n"
    "time of the clock in frames of H simulated seconds; what comes too late is counted, and "
    "never\n"
    "left out. When stdin ends the session ends after what is under way.\n\n"
    "Examples:\n"
    "  hydevs session tanks.xml                              by hand\n"
    "  hydevs session tanks.xml --script exercise.txt --log exercise.hylog -o tanks.csv\n"
    "  hydevs session tanks.xml --realtime 10m --method rk4 --hstep 10m\n"
    "  hydevs session tanks.xml --script exercise.txt --log exercise.hylog --resume\n";

static const char *const not_here[] = {"progress", NULL};

typedef struct {
  HySession *session;
  gboolean terminal;    /* words */
  gboolean over;        /* nothing more comes from stdin */
  GString *read;        /* of a line that has not ended */
  CliSocket *socket;    /* NULL: there is none */
  CliSessionPage *page; /* likewise */
} Talk;

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
  (void)number;
  interrupted++;
}

/* On a terminal nobody wants to read what he has just said. */
static void hear(gpointer user, const char *line)
{
  const Talk *talk = user;
  if (talk->socket != NULL) {
    cli_socket_say(talk->socket, line);
  }
  if (!talk->terminal) {
    puts(line);
    fflush(stdout);
  } else if (!g_str_has_prefix(line, "{\"event\":\"log\"") &&
             (talk->page == NULL || !g_str_has_prefix(line, "{\"event\":\"values\""))) {
    g_autoptr(GString) words = g_string_new(NULL);
    hy_session_words(line, words);
    puts(words->str);
    fflush(stdout);
  }
}

static void prompt(const Talk *talk)
{
  if (talk->terminal && !talk->over) {
    fputs("> ", stdout);
    fflush(stdout);
  }
}

static void say(const Talk *talk, const char *line)
{
  if (line[strspn(line, " \t\r")] != '\0') {
    g_autoptr(GString) answer = g_string_new(NULL);
    hy_session_do(talk->session, line, answer);
    puts(answer->str);
    fflush(stdout);
  }
  prompt(talk);
}

static gboolean is_closed(const Talk *talk)
{
  return strcmp(hy_session_state(talk->session), "closed") == 0;
}

static gboolean is_running(const Talk *talk)
{
  const char *state = hy_session_state(talk->session);
  return strcmp(state, "running") == 0 || strcmp(state, "replaying") == 0;
}

/* What stands in stdin, a line at a time. */
static void take(Talk *talk)
{
  char bytes[4096];
  gssize n = read(STDIN_FILENO, bytes, sizeof bytes);
  if (n <= 0) {
    talk->over = n == 0 || errno != EINTR;
    n = 0;
  }
  g_string_append_len(talk->read, bytes, n);
  for (char *end; !is_closed(talk) && (end = strchr(talk->read->str, '\n')) != NULL;) {
    g_autofree char *line = g_strndup(talk->read->str, (gsize)(end - talk->read->str));
    g_string_erase(talk->read, 0, (gssize)(end - talk->read->str) + 1);
    say(talk, line);
  }
  if (talk->over && talk->read->len > 0 && !is_closed(talk)) {
    say(talk, talk->read->str);
    g_string_truncate(talk->read, 0);
  }
}

/* Until a line comes, or it is DUE. */
static void wait_for_line(Talk *talk, double due)
{
  double seconds = due - hy_session_now(talk->session);
  enum { OTHERS = 3 };
  struct pollfd who[OTHERS + 1 + CLI_SOCKET_CLIENTS] = {
      {.fd = hy_session_fd(talk->session), .events = POLLIN},
      {.fd = talk->over ? -1 : STDIN_FILENO, .events = POLLIN},
      {.fd = cli_session_page_fd(talk->page), .events = POLLIN}};
  guint n = OTHERS + (talk->socket != NULL ? cli_socket_watch(talk->socket, who + OTHERS) : 0);
  struct timespec most = {0};
  if (seconds > 0 && isfinite(seconds)) {
    most.tv_sec = (time_t)MIN(floor(seconds), 1e6);
    most.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
  }
  if (ppoll(who, n, seconds < INFINITY ? &most : NULL, NULL) <= 0) {
    return;
  }
  if (who[1].revents != 0) {
    take(talk);
  }
  if (who[2].revents != 0) {
    cli_session_page_answer(talk->page);
  }
  if (talk->socket != NULL) {
    cli_socket_serve(talk->socket, who + OTHERS, n - OTHERS);
  }
}

static void talk_on(Talk *talk)
{
  prompt(talk);
  while (!is_closed(talk)) {
    double due = hy_session_turn(talk->session);
    if (interrupted > 0) {
      say(talk, interrupted == 1 && is_running(talk) ? "freeze" : "end");
    } else if (talk->over && talk->socket == NULL && talk->page == NULL && !is_running(talk)) {
      g_autoptr(GString) answer = g_string_new(NULL);
      hy_session_do(talk->session, "end", answer);
    } else {
      wait_for_line(talk, due);
    }
  }
}

static int ended(const HySession *s)
{
  const char *why = NULL;
  int status = hy_session_status(s, &why);
  if (status != 0) {
    fprintf(stderr, "hydevs: %s\n", why != NULL ? why : "a line of the script was refused");
  }
  return cli_finish(status);
}

static gboolean read_policy(const char *word, HyFramePolicy *policy)
{
  *policy = g_strcmp0(word, "stop") == 0 ? HY_FRAMES_STOP : HY_FRAMES_WARN;
  return word == NULL || strcmp(word, "stop") == 0 || strcmp(word, "warn") == 0;
}

/* The numbers among the options. FALSE: *STATUS is the exit status. */
static gboolean read_numbers(const char *scale, const char *frame, gint64 events,
                             HySessionSettings *how, int *status)
{
  if (scale != NULL && !(cli_number(scale, &how->scale) && how->scale > 0)) {
    *status = cli_usage("session", "--scale=%s: a number above 0, or inf", scale);
    return FALSE;
  }
  if (frame != NULL &&
      !(cli_number(frame, &how->frame) && how->frame > 0 && isfinite(how->frame))) {
    *status = cli_usage("session", "--realtime=%s: a time above 0", frame);
    return FALSE;
  }
  if (events < 0) {
    *status = cli_usage("session", "--events-per-frame takes a whole number, above 0");
    return FALSE;
  }
  how->events_per_frame = (guint64)events;
  how->threaded = how->frame > 0;
  return TRUE;
}

static gboolean read_port(const char *text, guint *port)
{
  double number;
  if (!cli_number(text, &number) || !(number >= 0 && number <= G_MAXUINT16) ||
      number != floor(number)) {
    return FALSE;
  }
  *port = (guint)number;
  return TRUE;
}

/* The session begins where nobody has done so yet: a page shows what is there. FALSE: *STATUS is
 * the exit status. */
static gboolean open_page(Talk *talk, const HyLoaded *loaded, guint port, int *status)
{
  g_autoptr(GError) error = NULL;
  if (strcmp(hy_session_state(talk->session), "loaded") == 0) {
    g_autoptr(GString) answer = g_string_new(NULL);
    hy_session_do(talk->session, "{\"do\":\"init\"}", answer);
  }
  if (hy_session_run(talk->session) == NULL) {
    *status = ended(talk->session);
    return FALSE;
  }
  talk->page = cli_session_page_new(talk->session, loaded, port, &error);
  if (talk->page == NULL) {
    *status = cli_failed(error);
    return FALSE;
  }
  g_print(talk->terminal ? "open %s\n" : "{\"event\":\"page\",\"address\":\"%s\"}\n",
          cli_session_page_address(talk->page));
  return TRUE;
}

static int run(const CliModel *m, const char *file, const HySessionSettings *how, const char *at,
               const char *port, gboolean words)
{
  int status;
  guint number = 0;
  HyRunSettings set;
  if (port != NULL && !read_port(port, &number)) {
    return cli_usage("session", "--page=%s: a port, 1 to 65535, or 0 for one that is free", port);
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = cli_model_load("session", m, file, &status);
  if (loaded == NULL || !cli_model_settings("session", m, &set, &status)) {
    return status;
  }
  g_autoptr(HySession) session = hy_session_new(loaded, &set, how, &error);
  if (session == NULL) {
    return cli_failed_blocks(loaded, error);
  }
  g_autoptr(GString) read = g_string_new(NULL);
  Talk talk = {.session = session, .read = read};
  talk.terminal = words || (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1);
  if (at != NULL && (talk.socket = cli_socket_open(at, session, &status)) == NULL) {
    return status;
  }
  hy_session_hear(session, hear, &talk);
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (port == NULL || open_page(&talk, loaded, number, &status)) {
    talk_on(&talk);
    status = ended(session);
  }
  cli_session_page_free(talk.page);
  cli_socket_close(talk.socket);
  return status;
}

int cli_session(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *script = NULL, *log = NULL, *scale = NULL, *frame = NULL, *policy = NULL,
                  *at = NULL, *port = NULL;
  g_auto(GStrv) out = NULL;
  gint64 events = 0;
  gboolean words = FALSE, table = FALSE;
  HySessionSettings how = HY_SESSION_SETTINGS;
  const GOptionEntry entries[] = {
      {"script", 0, 0, G_OPTION_ARG_FILENAME, &script, "Lines \"at T VERB ...\" to be done",
       "FILE"},
      {"log", 0, 0, G_OPTION_ARG_FILENAME, &log, "All that is done, as lines of JSON", "FILE"},
      {"resume", 0, 0, G_OPTION_ARG_NONE, &how.resume, "Go on where the log ends", NULL},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &out,
       "Record into this file, as hydevs run does; may be repeated", "FILE"},
      {"scale", 0, 0, G_OPTION_ARG_STRING, &scale,
       "Simulated seconds a second, or inf (1 with --realtime, else inf)", "S"},
      {"realtime", 0, 0, G_OPTION_ARG_STRING, &frame, "Keep the time of the clock, in frames of H",
       "H"},
      {"policy", 0, 0, G_OPTION_ARG_STRING, &policy,
       "A frame that comes too late: warn, and catch up, or stop (warn)", "WORD"},
      {"priority", 0, 0, G_OPTION_ARG_INT, &how.priority,
       "SCHED_FIFO for the simulation, 1 to 99, and its memory stays in place", "P"},
      {"events-per-frame", 0, 0, G_OPTION_ARG_INT64, &events,
       "The most that a frame may have, for methods whose work varies", "N"},
      {"any-method", 0, 0, G_OPTION_ARG_NONE, &how.any_method,
       "Frames also with methods that promise no cost", NULL},
      {"socket", 0, 0, G_OPTION_ARG_FILENAME, &at,
       "A Unix socket with the same lines, for several programs; the session ends by end", "PATH"},
      {"page", 0, 0, G_OPTION_ARG_STRING, &port,
       "Also a page in a browser of this machine, at this port (0: one that is free)", "PORT"},
      {"table", 0, 0, G_OPTION_ARG_NONE, &table, "Print what each verb does in each state, and end",
       NULL},
      {"words", 0, 0, G_OPTION_ARG_NONE, &words, "As on a terminal, where there is none", NULL},
      {0},
  };
  const CliPage page = {"session MODEL.xml [OPTIONS]",
                        "Runs a model that is steered: stopped, changed, taken back, repeated.",
                        teach,
                        entries,
                        NULL,
                        not_here};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, NULL, &status)) {
    return status;
  }
  if (table) {
    g_autoptr(GString) text = g_string_new(NULL);
    hy_session_table(text);
    fputs(text->str, stdout);
    return cli_finish(0);
  }
  if (argc != 2) {
    return cli_usage("session", "%s", argc < 2 ? "which model?" : "one model at a time");
  }
  if (!read_numbers(scale, frame, events, &how, &status)) {
    return status;
  }
  if (how.priority < 0 || how.priority > 99 || (how.priority > 0 && frame == NULL)) {
    return cli_usage("session", "--priority=%d: 1 to 99, and with --realtime", how.priority);
  }
  if (!read_policy(policy, &how.policy)) {
    return cli_usage("session", "--policy=%s: choose warn or stop", policy);
  }
  m.audit = "off"; /* it looks at runs that go one way */
  how.script = script;
  how.log = log;
  how.record = (const char *const *)out;
  return run(&m, argv[1], &how, at, port, words);
}
