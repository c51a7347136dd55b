/* What pages ask waits here until the thread of the session comes to it, so that the server waits
 * for the session only while too much waits already, and the session never for the server. */
#include "session_page.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST_WAITING = 256 };

typedef struct {
  guint64 reader;
  char line[]; /* empty: he is gone */
} Asked;

struct CliSessionPage {
  HySession *session;
  HyServer *server;
  int bell;
  GMutex lock;
  GCond room;
  GQueue asked; /* Asked; with LOCK, as ENDS */
  gboolean ends;
};

static void on_line(HyServer *server G_GNUC_UNUSED, guint64 reader, const char *line, gpointer user)
{
  CliSessionPage *p = user;
  gsize n = strlen(line) + 1;
  Asked *asked = g_malloc(sizeof *asked + n);
  asked->reader = reader;
  memcpy(asked->line, line, n);
  g_mutex_lock(&p->lock);
  while (p->asked.length >= MOST_WAITING && !p->ends) {
    g_cond_wait(&p->room, &p->lock);
  }
  g_queue_push_tail(&p->asked, asked);
  g_mutex_unlock(&p->lock);
  eventfd_write(p->bell, 1);
}

static void on_left(HyServer *server, guint64 reader, gpointer user)
{
  on_line(server, reader, "", user);
}

static void on_heard(gpointer user, const char *line)
{
  const CliSessionPage *p = user;
  hy_server_say(p->server, 0, line, !g_str_has_prefix(line, "{\"event\":\"values\""));
}

int cli_session_page_fd(const CliSessionPage *p)
{
  return p != NULL ? p->bell : -1;
}

void cli_session_page_answer(CliSessionPage *p)
{
  eventfd_t rung;
  eventfd_read(p->bell, &rung);
  g_mutex_lock(&p->lock);
  GQueue asked = p->asked;
  g_queue_init(&p->asked);
  g_cond_broadcast(&p->room);
  g_mutex_unlock(&p->lock);
  for (Asked *a; (a = g_queue_pop_head(&asked)) != NULL; g_free(a)) {
    g_autoptr(GString) answer = g_string_new(NULL);
    gconstpointer who = GSIZE_TO_POINTER(a->reader); /* no address of anything, but its own */
    if (*a->line == '\0') {
      hy_session_leave(p->session, who);
      continue;
    }
    hy_session_do_as(p->session, who, a->line, answer);
    hy_server_say(p->server, a->reader, answer->str, TRUE);
  }
}

CliSessionPage *cli_session_page_new(HySession *session, const HyLoaded *loaded, guint port,
                                     GError **error)
{
  CliSessionPage *p = g_new0(CliSessionPage, 1);
  g_autoptr(GString) html = g_string_new(NULL);
  p->session = session;
  p->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  g_mutex_init(&p->lock);
  g_cond_init(&p->room);
  hy_session_page(loaded, hy_session_run(session), html);
  p->server = hy_server_new(
      &(HyServing){.port = port, .page = html->str, .line = on_line, .left = on_left, .user = p},
      error);
  if (p->server == NULL) {
    cli_session_page_free(p);
    return NULL;
  }
  hy_session_hear(session, on_heard, p);
  return p;
}

void cli_session_page_free(CliSessionPage *p)
{
  if (p == NULL) {
    return;
  }
  g_mutex_lock(&p->lock);
  p->ends = TRUE;
  g_cond_broadcast(&p->room);
  g_mutex_unlock(&p->lock);
  hy_server_free(p->server);
  g_queue_clear_full(&p->asked, g_free);
  g_cond_clear(&p->room);
  g_mutex_clear(&p->lock);
  close(p->bell);
  g_free(p);
}

const char *cli_session_page_address(const CliSessionPage *p)
{
  return hy_server_address(p->server);
}
