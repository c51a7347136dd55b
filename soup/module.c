/* The server, by libsoup 3: a thread with a main context of its own. Others leave what they say in
 * a list that the thread empties. */
#include "serve/module.h"
#include "reader.h"

#include <string.h>
#include <sys/random.h>

enum { KEY_BYTES = 16, MOST_WAITING = 64 * HY_SERVER_MESSAGE };

typedef struct {
  guint64 reader; /* 0: all */
  char *line;
} Said;

typedef struct {
  HyServer base;
  HyServing serving;
  char *page, *address, *query; /* "key=..." */
  char *hosts[2], *origins[2];
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  SoupServer *soup;
  GPtrArray *readers; /* Reader */
  guint64 numbers;
  GMutex lock;
  GQueue said[2]; /* Said: what may be lost, and what is kept; with LOCK, as what follows */
  gsize waiting;  /* bytes of what may be lost */
  guint64 lost;   /* of it, because the thread did not come to it */
} Server;

/* Who may ask ---------------------------------------------------------------------------------- */

/* Takes as long for every text of the right length. */
static gboolean is_key(const char *wanted, const char *got)
{
  if (got == NULL || strlen(got) != strlen(wanted)) {
    return FALSE;
  }
  guint differs = 0;
  for (gsize k = 0; wanted[k] != '\0'; k++) {
    differs |= (guint)(wanted[k] ^ got[k]);
  }
  return differs == 0;
}

/* The header NAME is one of the TWO; several of that name are none. */
static gboolean header_is(SoupServerMessage *message, const char *name, char *const two[2])
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers(message);
  const char *said = soup_message_headers_get_list(headers, name);
  return said != NULL && (strcmp(said, two[0]) == 0 || strcmp(said, two[1]) == 0);
}

static void answer(SoupServerMessage *message, guint status, const char *text)
{
  soup_server_message_set_status(message, status, NULL);
  soup_server_message_set_response(message, "text/plain", SOUP_MEMORY_COPY, text, strlen(text));
}

static gboolean is_lines(const char *path)
{
  return strcmp(path, "/lines") == 0;
}

/* Before anything else is done with a request: what it sends is not kept, and a status that is set
 * here ends it. */
static void on_request(SoupServer *soup G_GNUC_UNUSED, SoupServerMessage *message, const char *path,
                       GHashTable *query G_GNUC_UNUSED, gpointer user)
{
  const Server *s = user;
  soup_message_body_set_accumulate(soup_server_message_get_request_body(message), FALSE);
  if (!header_is(message, "Host", s->hosts)) {
    answer(message, SOUP_STATUS_FORBIDDEN, "This server has another name.\n");
  } else if (!is_key(s->query, g_uri_get_query(soup_server_message_get_uri(message)))) {
    answer(message, SOUP_STATUS_FORBIDDEN, "The address needs its key: hydevs has printed it.\n");
  } else if (soup_server_message_get_method(message) != SOUP_METHOD_GET) {
    answer(message, SOUP_STATUS_METHOD_NOT_ALLOWED, "GET and nothing else.\n");
  } else if (is_lines(path) && !header_is(message, "Origin", s->origins)) {
    answer(message, SOUP_STATUS_FORBIDDEN, "This is for the page of this server.\n");
  } else if (is_lines(path) && s->readers->len >= HY_SERVER_READERS) {
    answer(message, SOUP_STATUS_SERVICE_UNAVAILABLE, "There are as many readers as may be.\n");
  } else if (!is_lines(path) && strcmp(path, "/") != 0) {
    answer(message, SOUP_STATUS_NOT_FOUND, "There is nothing here.\n");
  }
}

static void on_page(SoupServer *soup G_GNUC_UNUSED, SoupServerMessage *message,
                    const char *path G_GNUC_UNUSED, GHashTable *query G_GNUC_UNUSED, gpointer user)
{
  const Server *s = user;
  SoupMessageHeaders *headers = soup_server_message_get_response_headers(message);
  soup_message_headers_append(headers, "Cache-Control", "no-store");
  soup_message_headers_append(headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_append(headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_append(headers, "Content-Security-Policy", "frame-ancestors 'none'");
  soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response(message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, s->page,
                                   strlen(s->page));
}

/* Readers -------------------------------------------------------------------------------------- */

static Reader *find_reader(const Server *s, SoupWebsocketConnection *socket)
{
  for (guint k = 0; k < s->readers->len; k++) {
    Reader *r = g_ptr_array_index(s->readers, k);
    if (r->socket == socket) {
      return r;
    }
  }
  return NULL;
}

static void on_message(SoupWebsocketConnection *socket, gint type, GBytes *bytes, gpointer user)
{
  Server *s = user;
  Reader *r = find_reader(s, socket);
  gsize n;
  const char *text = g_bytes_get_data(bytes, &n);
  if (r == NULL) {
    return;
  }
  if (type != SOUP_WEBSOCKET_DATA_TEXT || n > HY_SERVER_MESSAGE || memchr(text, '\0', n) != NULL) {
    soup_websocket_connection_close(socket, SOUP_WEBSOCKET_CLOSE_UNSUPPORTED_DATA,
                                    "lines of text of at most 64 KiB");
    return;
  }
  guint64 number = r->number;
  g_autofree char *copy = g_strndup(text, n);
  g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (**line != '\0') {
      s->serving.line(&s->base, number, *line, s->serving.user);
    }
  }
}

static void on_closed(SoupWebsocketConnection *socket, gpointer user)
{
  Server *s = user;
  Reader *r = find_reader(s, socket);
  if (r == NULL) {
    return;
  }
  guint64 number = r->number;
  g_signal_handlers_disconnect_by_data(socket, s);
  g_ptr_array_remove(s->readers, r);
  if (s->serving.left != NULL) {
    s->serving.left(&s->base, number, s->serving.user);
  }
}

static void on_reader(SoupServer *soup G_GNUC_UNUSED, SoupServerMessage *message G_GNUC_UNUSED,
                      const char *path G_GNUC_UNUSED, SoupWebsocketConnection *socket,
                      gpointer user)
{
  Server *s = user;
  soup_websocket_connection_set_max_incoming_payload_size(socket, HY_SERVER_MESSAGE);
  soup_websocket_connection_set_keepalive_interval(socket, 20);
  g_signal_connect(socket, "message", G_CALLBACK(on_message), s);
  g_signal_connect(socket, "closed", G_CALLBACK(on_closed), s);
  Reader *r = reader_new(++s->numbers, socket);
  g_ptr_array_add(s->readers, r);
  if (s->serving.came != NULL) {
    s->serving.came(&s->base, r->number, s->serving.user);
  }
}

/* What is said --------------------------------------------------------------------------------- */

static void free_said(Said *said)
{
  g_free(said->line);
  g_free(said);
}

static void hand_out(Server *s, GQueue *list, gboolean kept)
{
  for (Said *said; (said = g_queue_pop_head(list)) != NULL; free_said(said)) {
    for (guint k = 0; k < s->readers->len; k++) {
      Reader *r = g_ptr_array_index(s->readers, k);
      if (said->reader == 0 || said->reader == r->number) {
        reader_say(r, said->line, kept);
      }
    }
  }
}

static gboolean on_said(gpointer user)
{
  Server *s = user;
  GQueue lists[2];
  g_mutex_lock(&s->lock);
  guint64 lost = s->lost;
  memcpy(lists, s->said, sizeof lists);
  g_queue_init(&s->said[FALSE]);
  g_queue_init(&s->said[TRUE]);
  s->waiting = 0;
  s->lost = 0;
  g_mutex_unlock(&s->lock);
  for (guint k = 0; k < s->readers->len; k++) {
    ((Reader *)g_ptr_array_index(s->readers, k))->lost += lost;
  }
  hand_out(s, &lists[TRUE], TRUE);
  hand_out(s, &lists[FALSE], FALSE);
  return G_SOURCE_REMOVE;
}

static void attach(Server *s, GSourceFunc function, gpointer user)
{
  g_autoptr(GSource) source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_set_callback(source, function, user, NULL);
  g_source_attach(source, s->context);
}

/* The lock is held for as long as a line takes to be put there; with LOCK. */
static void bound_waiting(Server *s)
{
  while (s->waiting > MOST_WAITING) {
    Said *oldest = g_queue_pop_head(&s->said[FALSE]);
    s->waiting -= strlen(oldest->line);
    s->lost++;
    free_said(oldest);
  }
}

static void say(HyServer *server, guint64 reader, const char *line, gboolean kept)
{
  Server *s = (Server *)server;
  Said *said = g_new(Said, 1);
  *said = (Said){reader, g_strdup(line)};
  g_mutex_lock(&s->lock);
  gboolean first = s->said[FALSE].length + s->said[TRUE].length == 0;
  g_queue_push_tail(&s->said[kept ? 1 : 0], said);
  if (!kept) {
    s->waiting += strlen(line);
    bound_waiting(s);
  }
  g_mutex_unlock(&s->lock);
  if (first) {
    attach(s, on_said, s);
  }
}

/* Beginning and end ---------------------------------------------------------------------------- */

static char *make_key(void)
{
  guint8 bytes[KEY_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != (gssize)sizeof bytes) {
    return NULL;
  }
  GString *key = g_string_new("key=");
  for (guint k = 0; k < KEY_BYTES; k++) {
    g_string_append_printf(key, "%02x", bytes[k]);
  }
  return g_string_free(key, FALSE);
}

static void set_names(Server *s)
{
  g_autoptr(GSList) uris = soup_server_get_uris(s->soup);
  int port = g_uri_get_port(uris->data);
  static const char *const names[] = {"127.0.0.1", "localhost"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    s->hosts[k] = g_strdup_printf("%s:%d", names[k], port);
    s->origins[k] = g_strdup_printf("http://%s", s->hosts[k]);
  }
  s->address = g_strdup_printf("%s/?%s", s->origins[0], s->query);
  g_slist_foreach(uris, (GFunc)(gpointer)g_uri_unref, NULL);
}

static gboolean listen_here(Server *s, char **why)
{
  g_autoptr(GError) error = NULL;
  s->soup = soup_server_new(NULL, NULL);
  /* What a message holds is as long as it says. */
  soup_server_remove_websocket_extension(s->soup, SOUP_TYPE_WEBSOCKET_EXTENSION_DEFLATE);
  soup_server_add_handler(s->soup, NULL, on_page, s, NULL);
  soup_server_add_websocket_handler(s->soup, "/lines", NULL, NULL, on_reader, s, NULL);
  /* Of each place there is a handler for: that of / is not asked for what has one of its own. */
  soup_server_add_early_handler(s->soup, NULL, on_request, s, NULL);
  soup_server_add_early_handler(s->soup, "/lines", on_request, s, NULL);
  s->query = make_key();
  if (s->query == NULL) {
    *why = g_strdup("the system gives no random bytes for a key");
    return FALSE;
  }
  if (!soup_server_listen_local(s->soup, s->serving.port, SOUP_SERVER_LISTEN_IPV4_ONLY, &error)) {
    *why = g_strdup_printf("port %u of 127.0.0.1: %s", s->serving.port, error->message);
    return FALSE;
  }
  set_names(s);
  return TRUE;
}

static gpointer serve(gpointer user)
{
  Server *s = user;
  g_main_context_push_thread_default(s->context);
  g_main_loop_run(s->loop);
  g_main_context_pop_thread_default(s->context);
  return NULL;
}

static gboolean on_end(gpointer user)
{
  g_main_loop_quit(user);
  return G_SOURCE_REMOVE;
}

static void stop(HyServer *server)
{
  Server *s = (Server *)server;
  if (s->thread != NULL) {
    attach(s, on_end, s->loop); /* by the loop, which may not have begun to run */
    g_thread_join(s->thread);
  }
  g_main_context_push_thread_default(s->context);
  for (guint k = 0; k < s->readers->len; k++) {
    g_signal_handlers_disconnect_by_data(((Reader *)g_ptr_array_index(s->readers, k))->socket, s);
  }
  g_ptr_array_unref(s->readers);
  soup_server_disconnect(s->soup);
  while (g_main_context_iteration(s->context, FALSE)) { /* closing is said, as far as can be */
  }
  g_object_unref(s->soup);
  g_main_context_pop_thread_default(s->context);
  g_main_loop_unref(s->loop);
  g_main_context_unref(s->context);
  for (guint k = 0; k < G_N_ELEMENTS(s->said); k++) {
    g_queue_clear_full(&s->said[k], (GDestroyNotify)(gpointer)free_said);
  }
  g_mutex_clear(&s->lock);
  for (guint k = 0; k < G_N_ELEMENTS(s->hosts); k++) {
    g_free(s->hosts[k]);
    g_free(s->origins[k]);
  }
  g_free(s->page);
  g_free(s->address);
  g_free(s->query);
  g_free(s);
}

static HyServer *start(const HyServing *serving, char **why)
{
  Server *s = g_new0(Server, 1);
  s->base.serve = &hydevs_soup;
  s->serving = *serving;
  s->page = g_strdup(serving->page);
  s->readers = g_ptr_array_new_with_free_func((GDestroyNotify)(gpointer)reader_free);
  s->context = g_main_context_new();
  s->loop = g_main_loop_new(s->context, FALSE);
  g_mutex_init(&s->lock);
  g_main_context_push_thread_default(s->context);
  gboolean listens = listen_here(s, why);
  g_main_context_pop_thread_default(s->context);
  if (!listens) {
    stop(&s->base);
    return NULL;
  }
  s->thread = g_thread_new("pages", serve, s);
  return &s->base;
}

static const char *address(const HyServer *server)
{
  return ((const Server *)server)->address;
}

const HyServe hydevs_soup = {HY_SERVE_VERSION, start, stop, address, say};
