/* Lines to and from pages in a browser of this machine, by HTTP and WebSocket. The server listens
 * on the loopback alone; who does not know the key of its address, names another host, or comes
 * from a page that is not its own is refused. It knows nothing of what the lines say. */
#ifndef HYDEVS_SERVE_H
#define HYDEVS_SERVE_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define HY_SERVER_READERS 16     /* pages at a time; further ones are refused */
#define HY_SERVER_MESSAGE 65536U /* bytes of a message; who sends a longer one is closed */
#define HY_SERVER_RATE    25     /* messages a second with what may be lost, to each reader */

typedef struct HyServer HyServer;
/* What is called is called by the thread of the server, one call after the other. */
typedef struct {
  guint port;       /* 0: one that is free */
  const char *page; /* what GET / gives, HTML; copied */
  /* READER has sent LINE, which is UTF-8. Numbers of readers begin at 1 and are used once. */
  void (*line)(HyServer *server, guint64 reader, const char *line, gpointer user);
  void (*came)(HyServer *server, guint64 reader, gpointer user); /* NULL: not asked for, as next */
  void (*left)(HyServer *server, guint64 reader, gpointer user);
  gpointer user;
} HyServing;

/* NULL: no server can be had here, or the port is taken. */
HyServer *hy_server_new_sized(const HyServing *serving, gsize size, GError **error);
static inline HyServer *hy_server_new(const HyServing *serving, GError **error)
{
  return hy_server_new_sized(serving, sizeof(HyServing), error);
}
/* Readers are closed; nothing of SERVING is called any more. Not from a callback of it. NULL is
 * fine. */
void hy_server_free(HyServer *server);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyServer, hy_server_free)

/* "http://127.0.0.1:41873/?key=..."; the server's. */
const char *hy_server_address(const HyServer *server);
/* LINE, which has no line feed, to READER, or to all if that is 0; from any thread, without waiting
 * for anybody. What is KEPT reaches a reader in its order, or he is closed because he does not
 * read; the rest is lost where a reader is slow, the oldest first, and he is told how much by
 * {"event":"lost","n":N}. */
void hy_server_say(HyServer *server, guint64 reader, const char *line, gboolean kept);

#pragma GCC visibility pop
G_END_DECLS
#endif
