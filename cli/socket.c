/* A Unix socket with the lines of a session. Nobody is waited for: what a client does not take is
 * kept for him up to a limit, and what is beyond that he loses. */
#include "socket.h"
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_LINE 65536
#define MOST_KEPT (1U << 20)

typedef struct {
  int fd;
  GString *in, *out;
  guint64 lost;
} Client;

struct CliSocket {
  HySession *session;
  char *path;
  int fd;
  GPtrArray *clients;
};

static void client_free(gpointer data)
{
  Client *c = data;
  close(c->fd);
  g_string_free(c->in, TRUE);
  g_string_free(c->out, TRUE);
  g_free(c);
}

/* What was left by a session that was killed goes. */
static gboolean is_left_over(const struct sockaddr_un *at)
{
  struct stat is;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  gboolean left = stat(at->sun_path, &is) == 0 && S_ISSOCK(is.st_mode) &&
                  connect(fd, (const struct sockaddr *)(gconstpointer)at, sizeof *at) != 0 &&
                  errno == ECONNREFUSED;
  close(fd);
  return left;
}

static int listen_at(const char *path)
{
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof at.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  g_strlcpy(at.sun_path, path, sizeof at.sun_path);
  if (is_left_over(&at)) {
    unlink(path);
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  mode_t before = umask(0177); /* so that it never is anybody else's */
  gboolean ok = bind(fd, (const struct sockaddr *)(gconstpointer)&at, sizeof at) == 0 &&
                listen(fd, CLI_SOCKET_CLIENTS) == 0;
  int why = errno;
  umask(before);
  if (!ok) {
    close(fd);
    errno = why;
  }
  return ok ? fd : -1;
}

CliSocket *cli_socket_open(const char *path, HySession *session, int *status)
{
  int fd = listen_at(path);
  if (fd < 0) {
    *status = cli_usage("session", "--socket=%s: %s", path, g_strerror(errno));
    return NULL;
  }
  CliSocket *s = g_new0(CliSocket, 1);
  s->session = session;
  s->path = g_strdup(path);
  s->fd = fd;
  s->clients = g_ptr_array_new_with_free_func(client_free);
  return s;
}

void cli_socket_close(CliSocket *s)
{
  if (s != NULL) {
    unlink(s->path);
    close(s->fd);
    g_ptr_array_unref(s->clients);
    g_free(s->path);
    g_free(s);
  }
}

guint cli_socket_watch(const CliSocket *s, struct pollfd *who)
{
  who[0] = (struct pollfd){.fd = s->fd, .events = POLLIN};
  for (guint k = 0; k < s->clients->len; k++) {
    const Client *c = g_ptr_array_index(s->clients, k);
    who[1 + k] =
        (struct pollfd){.fd = c->fd, .events = (short)(POLLIN | (c->out->len > 0 ? POLLOUT : 0))};
  }
  return 1 + s->clients->len;
}

static void give(Client *c)
{
  gssize n =
      c->out->len > 0 ? send(c->fd, c->out->str, c->out->len, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
  if (n > 0) {
    g_string_erase(c->out, 0, n);
  }
}

static void say_to(Client *c, const char *line)
{
  gsize size = strlen(line) + 1;
  if (c->out->len + size > MOST_KEPT) {
    c->lost++;
    return;
  }
  if (c->lost > 0) {
    g_string_append_printf(c->out, "{\"event\":\"lost\",\"lines\":%" G_GUINT64_FORMAT "}\n",
                           c->lost);
    c->lost = 0;
  }
  g_string_append(c->out, line);
  g_string_append_c(c->out, '\n');
  give(c);
}

void cli_socket_say(CliSocket *s, const char *line)
{
  for (guint k = 0; k < s->clients->len; k++) {
    say_to(g_ptr_array_index(s->clients, k), line);
  }
}

/* The lines that have come from C. FALSE: it says too much in one, and has to go. */
static gboolean answer(const CliSocket *s, Client *c)
{
  char *end;
  while ((end = memchr(c->in->str, '\n', c->in->len)) != NULL) {
    g_autofree char *line = g_strndup(c->in->str, (gsize)(end - c->in->str));
    g_autoptr(GString) said = g_string_new(NULL);
    g_string_erase(c->in, 0, (gssize)(end - c->in->str) + 1);
    hy_session_do_as(s->session, c, line, said);
    say_to(c, said->str);
  }
  return c->in->len <= MOST_LINE;
}

/* FALSE: it is gone. */
static gboolean hear(const CliSocket *s, Client *c)
{
  char bytes[4096];
  gssize n = recv(c->fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n <= 0) {
    return n < 0 && (errno == EAGAIN || errno == EINTR);
  }
  g_string_append_len(c->in, bytes, n);
  return answer(s, c);
}

static void let_in(CliSocket *s)
{
  int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0 && s->clients->len >= CLI_SOCKET_CLIENTS) {
    close(fd);
  } else if (fd >= 0) {
    Client *c = g_new0(Client, 1);
    *c = (Client){.fd = fd, .in = g_string_new(NULL), .out = g_string_new(NULL)};
    g_ptr_array_add(s->clients, c);
  }
}

void cli_socket_serve(CliSocket *s, const struct pollfd *who, guint n)
{
  for (guint k = n - 1; k > 0; k--) {
    Client *c = g_ptr_array_index(s->clients, k - 1);
    if (who[k].revents & POLLOUT) {
      give(c);
    }
    if ((who[k].revents & ~POLLOUT) != 0 && !hear(s, c)) {
      hy_session_leave(s->session, c);
      g_ptr_array_remove_index(s->clients, k - 1);
    }
  }
  if (who[0].revents != 0) {
    let_in(s);
  }
}
