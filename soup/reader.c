/* Nothing is handed to a socket that does not take bytes, since it would keep all of it: what waits
 * is kept here, within bounds. */
#include "reader.h"

#include "hydevs/serve.h"

#include <string.h>

enum {
  MOST_KEPT = 16 * HY_SERVER_MESSAGE, /* bytes; whoever leaves more is closed */
  BETWEEN = G_USEC_PER_SEC / HY_SERVER_RATE
};

Reader *reader_new(guint64 number, SoupWebsocketConnection *socket)
{
  Reader *r = g_new0(Reader, 1);
  r->number = number;
  r->socket = g_object_ref(socket);
  GIOStream *stream = soup_websocket_connection_get_io_stream(socket);
  r->out = G_POLLABLE_OUTPUT_STREAM(g_io_stream_get_output_stream(stream));
  r->kept = g_string_new(NULL);
  r->values = g_string_new(NULL);
  r->sent = g_get_monotonic_time() - BETWEEN;
  return r;
}

static void wait_no_more(Reader *r)
{
  if (r->source != NULL) {
    g_source_destroy(r->source);
    g_clear_pointer(&r->source, g_source_unref);
  }
}

static void close_socket(Reader *r, gushort code, const char *why)
{
  if (soup_websocket_connection_get_state(r->socket) == SOUP_WEBSOCKET_STATE_OPEN) {
    soup_websocket_connection_close(r->socket, code, why);
  }
}

void reader_free(Reader *r)
{
  wait_no_more(r);
  close_socket(r, SOUP_WEBSOCKET_CLOSE_GOING_AWAY, "the server ends");
  g_object_unref(r->socket);
  g_string_free(r->kept, TRUE);
  g_string_free(r->values, TRUE);
  g_free(r);
}

/* Whole lines from the beginning of LINES, one at least, of a message's size if that can be. */
static void send_lines(Reader *r, GString *lines)
{
  gsize n = lines->len;
  if (n > HY_SERVER_MESSAGE) {
    const char *last = memrchr(lines->str, '\n', HY_SERVER_MESSAGE);
    n = (gsize)((last != NULL ? last : strchr(lines->str, '\n')) - lines->str) + 1;
  }
  lines->str[n - 1] = '\0'; /* the last line feed */
  soup_websocket_connection_send_text(r->socket, lines->str);
  g_string_erase(lines, 0, (gssize)n);
}

static void go_on(Reader *r);

static gboolean on_writable(GObject *stream G_GNUC_UNUSED, gpointer user)
{
  Reader *r = user;
  wait_no_more(r);
  go_on(r);
  return G_SOURCE_REMOVE;
}

static gboolean on_time(gpointer user)
{
  return on_writable(NULL, user);
}

static void wait_for(Reader *r, GSource *source)
{
  r->source = source;
  g_source_attach(source, g_main_context_get_thread_default());
}

static void wait_for_room(Reader *r)
{
  GSource *source = g_pollable_output_stream_create_source(r->out, NULL);
  g_source_set_callback(source, G_SOURCE_FUNC(on_writable), r, NULL);
  wait_for(r, source);
}

/* One message at most: the next one goes when the socket has taken this one. */
static void go_on(Reader *r)
{
  if (r->source != NULL || (r->kept->len == 0 && r->values->len == 0) ||
      soup_websocket_connection_get_state(r->socket) != SOUP_WEBSOCKET_STATE_OPEN) {
    return;
  }
  gint64 now = g_get_monotonic_time();
  if (!g_pollable_output_stream_is_writable(r->out)) {
    wait_for_room(r);
    return;
  }
  if (r->kept->len > 0) {
    send_lines(r, r->kept);
  } else if (now < r->sent + BETWEEN) {
    GSource *source = g_timeout_source_new((guint)((r->sent + BETWEEN - now) / 1000 + 1));
    g_source_set_callback(source, on_time, r, NULL);
    wait_for(r, source);
    return;
  } else {
    if (r->lost > 0) {
      g_autofree char *lost =
          g_strdup_printf("{\"event\":\"lost\",\"n\":%" G_GUINT64_FORMAT "}\n", r->lost);
      g_string_prepend(r->values, lost);
      r->lost = 0;
    }
    send_lines(r, r->values);
    r->sent = now;
  }
  if (r->kept->len > 0 || r->values->len > 0) {
    wait_for_room(r);
  }
}

/* Values that no longer fit into one message: the older half goes. */
static void lose_half(Reader *r)
{
  const char *end = r->values->str + r->values->len, *at = r->values->str;
  while (at < end && (gsize)(end - at) > HY_SERVER_MESSAGE / 2) {
    at = memchr(at, '\n', (gsize)(end - at));
    at++;
    r->lost++;
  }
  g_string_erase(r->values, 0, at - r->values->str);
}

void reader_say(Reader *r, const char *line, gboolean kept)
{
  GString *lines = kept ? r->kept : r->values;
  g_string_append(lines, line);
  g_string_append_c(lines, '\n');
  if (r->values->len + 64 > HY_SERVER_MESSAGE) { /* with what is told of those that are lost */
    lose_half(r);
  }
  if (r->kept->len > MOST_KEPT) {
    close_socket(r, SOUP_WEBSOCKET_CLOSE_POLICY_VIOLATION, "too slow a reader");
    return;
  }
  go_on(r);
}
