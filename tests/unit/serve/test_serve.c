/* The server of pages, asked by a client that is made of a socket and nothing else: who is let in,
 * how much he may say, what reaches him, and what a reader loses who does not read. */
#include "hydevs/error.h"
#include "hydevs/serve.h"
#include "unity.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char page[] = "<!DOCTYPE html><title>a page</title>";
static HyServer *server;
static guint port;
static const char *key;    /* "key=..." */
static GAsyncQueue *heard; /* "reader line", "came N", "left N" */
static char *own_place;    /* "127.0.0.1:PORT" */

static void put(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void put(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_async_queue_push(heard, g_strdup_vprintf(format, arguments));
  va_end(arguments);
}

static void on_line(HyServer *s, guint64 reader, const char *line, gpointer user G_GNUC_UNUSED)
{
  put("%" G_GUINT64_FORMAT " %s", reader, strlen(line) < 100 ? line : "a long one");
  if (g_str_has_prefix(line, "echo ")) {
    hy_server_say(s, reader, line + 5, TRUE);
  }
}

static void on_came(HyServer *s G_GNUC_UNUSED, guint64 reader, gpointer user G_GNUC_UNUSED)
{
  put("came %" G_GUINT64_FORMAT, reader);
}

static void on_left(HyServer *s G_GNUC_UNUSED, guint64 reader, gpointer user G_GNUC_UNUSED)
{
  put("left %" G_GUINT64_FORMAT, reader);
}

static const HyServing serving = {0, page, on_line, on_came, on_left, NULL};

void setUp(void)
{
  heard = g_async_queue_new_full(g_free);
  g_autoptr(GError) error = NULL;
  server = hy_server_new(&serving, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(server, error != NULL ? error->message : "");
  const char *address = hy_server_address(server);
  TEST_ASSERT_EQUAL_STRING_LEN("http://127.0.0.1:", address, 17);
  port = (guint)g_ascii_strtoull(address + 17, NULL, 10);
  key = strchr(address, '?') + 1;
  own_place = g_strdup_printf("127.0.0.1:%u", port);
}

void tearDown(void)
{
  hy_server_free(server);
  g_async_queue_unref(heard);
  g_free(own_place);
}

/* The client ----------------------------------------------------------------------------------- */

static int open_socket(void)
{
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((guint16)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  TEST_ASSERT_EQUAL_INT(0, connect(fd, (const struct sockaddr *)(const void *)&to, sizeof to));
  return fd;
}

static void send_all(int fd, gconstpointer bytes, gsize n)
{
  for (const char *at = bytes; n > 0;) {
    gssize sent = send(fd, at, n, MSG_NOSIGNAL);
    if (sent <= 0) {
      return; /* closed: what is read says so */
    }
    at += sent;
    n -= (gsize)sent;
  }
}

static gboolean read_all(int fd, gpointer bytes, gsize n)
{
  for (char *at = bytes; n > 0;) {
    gssize got = recv(fd, at, n, 0);
    if (got <= 0) {
      return FALSE;
    }
    at += got;
    n -= (gsize)got;
  }
  return TRUE;
}

/* The head of an answer; what follows it is left to be read. */
static char *read_head(int fd)
{
  GString *head = g_string_new(NULL);
  char c;
  while (!g_str_has_suffix(head->str, "\r\n\r\n") && read_all(fd, &c, 1)) {
    g_string_append_c(head, c);
  }
  return g_string_free(head, FALSE);
}

static guint status_of(const char *head)
{
  return (guint)g_ascii_strtoull(head + MIN(strlen(head), 9), NULL, 10);
}

static guint ask(const char *request)
{
  int fd = open_socket();
  send_all(fd, request, strlen(request));
  g_autofree char *head = read_head(fd);
  close(fd);
  return status_of(head);
}

static guint get(const char *method, const char *path, const char *query, const char *hosts)
{
  g_autofree char *request =
      g_strdup_printf("%s %s?%s HTTP/1.1\r\n%s\r\n", method, path, query, hosts);
  return ask(request);
}

static int knock(const char *query, const char *host, const char *origin, guint *status)
{
  g_autofree char *request =
      g_strdup_printf("GET /lines?%s HTTP/1.1\r\nHost: %s\r\n%sUpgrade: websocket\r\n"
                      "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                      query, host, origin);
  int fd = open_socket();
  send_all(fd, request, strlen(request));
  g_autofree char *head = read_head(fd);
  *status = status_of(head);
  return fd;
}

static guint refused(const char *query, const char *host, const char *origin)
{
  guint status;
  close(knock(query, host, origin, &status));
  return status;
}

static int enter(void)
{
  guint status;
  g_autofree char *origin = g_strdup_printf("Origin: http://%s\r\n", own_place);
  int fd = knock(key, own_place, origin, &status);
  TEST_ASSERT_EQUAL_UINT(101, status);
  return fd;
}

static void send_frame(int fd, guint8 first, const char *text, gsize n)
{
  guint8 head[14] = {first, (guint8)(0x80U | (n < 126 ? n : n < 65536 ? 126 : 127))};
  gsize at = 2, bytes = n < 126 ? 0 : n < 65536 ? 2 : 8;
  for (gsize k = 0; k < bytes; k++) {
    head[at++] = (guint8)(n >> 8 * (bytes - 1 - k));
  }
  send_all(fd, head, at + 4); /* the mask is 0 */
  send_all(fd, text, n);
}

static void send_line(int fd, const char *line)
{
  send_frame(fd, 0x81, line, strlen(line));
}

/* The next message; NULL: it was closed. Newly allocated. */
static char *read_message(int fd)
{
  guint8 head[10];
  while (read_all(fd, head, 2)) {
    gsize n = head[1] & 0x7fU, bytes = n == 126 ? 2 : n == 127 ? 8 : 0;
    if (!read_all(fd, head + 2, bytes)) {
      return NULL;
    }
    for (gsize k = 0, all = 0; k < bytes; k++) {
      n = all = all << 8 | head[2 + k];
    }
    g_autofree char *text = g_malloc0(n + 1);
    if (!read_all(fd, text, n)) {
      return NULL;
    }
    if ((head[0] & 0xfU) == 8) {
      return NULL;
    }
    if ((head[0] & 0xfU) == 1) {
      return g_steal_pointer(&text);
    }
  }
  return NULL;
}

static void hears(const char *wanted)
{
  g_autofree char *got = g_async_queue_pop(heard);
  TEST_ASSERT_EQUAL_STRING(wanted, got);
}

static void reads(int fd, const char *wanted)
{
  g_autofree char *got = read_message(fd);
  TEST_ASSERT_EQUAL_STRING(wanted, got);
}

/* Who may ask ---------------------------------------------------------------------------------- */

static void test_the_page_is_for_those_who_know_the_key(void)
{
  g_autofree char *host = g_strdup_printf("Host: %s\r\n", own_place);
  g_autofree char *name = g_strdup_printf("Host: localhost:%u\r\n", port);
  g_autofree char *wrong = g_strdup(key);
  char *last = wrong + strlen(wrong) - 1;
  *last = *last == '0' ? '1' : '0';
  TEST_ASSERT_EQUAL_UINT(4 + 32, strlen(key));
  TEST_ASSERT_EQUAL_UINT(200, get("GET", "/", key, host));
  TEST_ASSERT_EQUAL_UINT(200, get("GET", "/", key, name));
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/", wrong, host));
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/", "key=", host));
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/", "", host));
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/elsewhere", wrong, host));
  TEST_ASSERT_EQUAL_UINT(404, get("GET", "/elsewhere", key, host));
  TEST_ASSERT_EQUAL_UINT(404, get("GET", "/lines/", key, host));
  TEST_ASSERT_EQUAL_UINT(405, get("POST", "/", key, host));
  TEST_ASSERT_EQUAL_UINT(405, get("PUT", "/lines", key, host));
}

static void test_the_page_comes_as_it_was_given(void)
{
  int fd = open_socket();
  g_autofree char *request =
      g_strdup_printf("GET /?%s HTTP/1.1\r\nHost: %s\r\n\r\n", key, own_place);
  send_all(fd, request, strlen(request));
  g_autofree char *head = read_head(fd);
  char body[sizeof page] = {0};
  TEST_ASSERT_TRUE(read_all(fd, body, strlen(page)));
  close(fd);
  TEST_ASSERT_EQUAL_STRING(page, body);
  TEST_ASSERT_NOT_NULL(strstr(head, "Cache-Control: no-store\r\n"));
  TEST_ASSERT_NOT_NULL(strstr(head, "Referrer-Policy: no-referrer\r\n"));
  TEST_ASSERT_NOT_NULL(strstr(head, "frame-ancestors 'none'"));
}

/* A name of somebody else's that has been made to mean this machine. */
static void test_another_host_is_refused(void)
{
  g_autofree char *other = g_strdup_printf("Host: evil.example:%u\r\n", port);
  g_autofree char *two = g_strdup_printf("Host: %s\r\nHost: evil.example:%u\r\n", own_place, port);
  g_autofree char *origin = g_strdup_printf("Origin: http://evil.example:%u\r\n", port);
  g_autofree char *same = g_strdup_printf("evil.example:%u", port);
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/", key, other));
  TEST_ASSERT_EQUAL_UINT(403, get("GET", "/", key, "Host: 127.0.0.1\r\n"));
  TEST_ASSERT_NOT_EQUAL_UINT(200, get("GET", "/", key, two));
  TEST_ASSERT_NOT_EQUAL_UINT(200, get("GET", "/", key, ""));
  TEST_ASSERT_EQUAL_UINT(403, refused(key, same, origin));
}

static void test_lines_are_for_its_own_page(void)
{
  g_autofree char *own = g_strdup_printf("Origin: http://%s\r\n", own_place);
  g_autofree char *near = g_strdup_printf("Origin: http://127.0.0.1:%u\r\n", port + 1);
  g_autofree char *safe = g_strdup_printf("Origin: https://%s\r\n", own_place);
  TEST_ASSERT_EQUAL_UINT(403, refused(key, own_place, "Origin: http://evil.example\r\n"));
  TEST_ASSERT_EQUAL_UINT(403, refused(key, own_place, "Origin: null\r\n"));
  TEST_ASSERT_EQUAL_UINT(403, refused(key, own_place, near));
  TEST_ASSERT_EQUAL_UINT(403, refused(key, own_place, safe));
  TEST_ASSERT_EQUAL_UINT(403, refused(key, own_place, ""));
  TEST_ASSERT_EQUAL_UINT(403, refused("key=00000000000000000000000000000000", own_place, own));
  int fd = enter();
  hears("came 1");
  close(fd);
  hears("left 1");
}

/* As the kernel lists who listens: 127.0.0.1 and nothing of IPv6. */
static void test_it_listens_on_the_loopback_alone(void)
{
  g_autofree char *end = g_strdup_printf(":%04X", port), *four = NULL, *six = NULL;
  g_autofree char *here = g_strdup_printf(" 0100007F%s 00000000:0000 0A", end);
  g_autofree char *any = g_strdup_printf("00000000%s", end);
  TEST_ASSERT_TRUE(g_file_get_contents("/proc/net/tcp", &four, NULL, NULL));
  TEST_ASSERT_NOT_NULL(strstr(four, here));
  TEST_ASSERT_NULL(strstr(four, any));
  if (g_file_get_contents("/proc/net/tcp6", &six, NULL, NULL)) {
    g_autofree char *any6 = g_strdup_printf("00000000%s 0", end);
    TEST_ASSERT_NULL(strstr(six, any6));
  }
}

static void test_a_port_that_is_taken_is_said(void)
{
  HyServing second = serving;
  second.port = port;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(hy_server_new(&second, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, error->code);
  g_autofree char *begin = g_strdup_printf("no page can be served: port %u of 127.0.0.1: ", port);
  TEST_ASSERT_EQUAL_STRING_LEN(begin, error->message, strlen(begin));
}

/* Lines ---------------------------------------------------------------------------------------- */

static void test_lines_go_both_ways(void)
{
  int one = enter(), two = enter();
  hears("came 1");
  hears("came 2");
  send_line(two, "echo {\"id\":1}\n\nnothing\n");
  hears("2 echo {\"id\":1}");
  hears("2 nothing");
  reads(two, "{\"id\":1}");
  hy_server_say(server, 0, "all", TRUE);
  reads(one, "all");
  reads(two, "all");
  hy_server_say(server, 1, "first", TRUE);
  hy_server_say(server, 1, "value", FALSE);
  reads(one, "first");
  reads(one, "value");
  close(one);
  close(two);
}

static void test_a_long_message_passes_and_a_longer_one_does_not(void)
{
  g_autofree char *text = g_strnfill(HY_SERVER_MESSAGE + 1, 'x');
  int fd = enter();
  hears("came 1");
  send_frame(fd, 0x81, text, HY_SERVER_MESSAGE);
  hears("1 a long one");
  send_frame(fd, 0x81, text, HY_SERVER_MESSAGE + 1);
  TEST_ASSERT_NULL(read_message(fd));
  close(fd);
  hears("left 1");
}

static void test_a_longer_one_in_parts_is_refused_too(void)
{
  g_autofree char *text = g_strnfill(1024, 'x');
  int fd = enter();
  hears("came 1");
  send_frame(fd, 0x01, text, 1024);
  for (guint k = 0; k < 64; k++) {
    send_frame(fd, 0x00, text, 1024);
  }
  send_frame(fd, 0x80, text, 1024);
  TEST_ASSERT_NULL(read_message(fd));
  close(fd);
  hears("left 1");
}

static void test_what_is_no_text_is_refused(void)
{
  static const struct {
    guint8 first;
    const char *text;
    gsize n;
  } bad[] = {{0x82, "bytes", 5}, {0x81, "a\xff", 2}, {0x81, "a\0b", 3}, {0x83, "x", 1}};
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    int fd = enter();
    send_frame(fd, bad[k].first, bad[k].text, bad[k].n);
    TEST_ASSERT_NULL(read_message(fd));
    close(fd);
    g_autofree char *came = g_strdup_printf("came %u", k + 1);
    g_autofree char *left = g_strdup_printf("left %u", k + 1);
    hears(came);
    hears(left);
  }
}

static void test_there_are_sixteen_readers(void)
{
  int fds[HY_SERVER_READERS];
  for (guint k = 0; k < HY_SERVER_READERS; k++) {
    fds[k] = enter();
    g_free(g_async_queue_pop(heard));
  }
  g_autofree char *own = g_strdup_printf("Origin: http://%s\r\n", own_place);
  TEST_ASSERT_EQUAL_UINT(503, refused(key, own_place, own));
  close(fds[3]);
  hears("left 4");
  close(enter());
  for (guint k = 0; k < HY_SERVER_READERS; k++) {
    if (k != 3) {
      close(fds[k]);
    }
  }
}

enum { THREADS = 4, LINES = 500 };

static gpointer say_lines(gpointer user)
{
  for (guint k = 0; k < LINES; k++) {
    g_autofree char *line = g_strdup_printf("%u %u", GPOINTER_TO_UINT(user), k);
    hy_server_say(server, 0, line, TRUE);
  }
  return NULL;
}

static void test_what_is_kept_arrives_in_its_order(void)
{
  int fd = enter();
  hears("came 1");
  GThread *threads[THREADS];
  guint next[THREADS] = {0};
  for (guint k = 0; k < THREADS; k++) {
    threads[k] = g_thread_new("says", say_lines, GUINT_TO_POINTER(k));
  }
  for (guint n = 0; n < THREADS * LINES;) {
    g_autofree char *message = read_message(fd);
    TEST_ASSERT_NOT_NULL(message);
    g_auto(GStrv) lines = g_strsplit(message, "\n", -1);
    for (guint k = 0; lines[k] != NULL; k++, n++) {
      char *end;
      guint64 from = g_ascii_strtoull(lines[k], &end, 10);
      TEST_ASSERT_EQUAL_UINT64(next[from]++, g_ascii_strtoull(end, NULL, 10));
    }
  }
  for (guint k = 0; k < THREADS; k++) {
    g_thread_join(threads[k]);
  }
  close(fd);
}

/* What a reader of values gets until one of them is LAST. */
typedef struct {
  guint values, messages, lost, last;
  gboolean kept; /* with what was kept among them */
} Got;

static Got read_values(int fd, guint last)
{
  Got got = {0};
  while (got.values == 0 || got.last != last) {
    g_autofree char *message = read_message(fd);
    TEST_ASSERT_NOT_NULL(message);
    TEST_ASSERT_LESS_OR_EQUAL_UINT(HY_SERVER_MESSAGE, strlen(message));
    got.messages++;
    g_auto(GStrv) lines = g_strsplit(message, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
      static const char lost[] = "{\"event\":\"lost\",\"n\":";
      if (g_str_has_prefix(*line, lost)) {
        got.lost += (guint)g_ascii_strtoull(*line + strlen(lost), NULL, 10);
        continue;
      }
      if (strcmp(*line, "kept") == 0) {
        got.kept = TRUE;
        continue;
      }
      guint value = (guint)g_ascii_strtoull(*line, NULL, 10);
      TEST_ASSERT_TRUE(got.values == 0 || value > got.last);
      got.last = value;
      got.values++;
    }
  }
  return got;
}

static void test_a_slow_reader_loses_the_oldest_and_is_told_how_many(void)
{
  enum { N = 12000 };
  int slow = enter(), quick = enter();
  hears("came 1");
  hears("came 2");
  g_autofree char *more = g_strnfill(1000, '.');
  for (guint k = 0; k < N; k++) { /* 12 MB: more than sockets and lists take */
    g_autofree char *line = g_strdup_printf("%u %s", k, more);
    hy_server_say(server, 0, line, FALSE);
  }
  hy_server_say(server, 0, "kept", TRUE);
  Got got = read_values(quick, N - 1);
  TEST_ASSERT_TRUE(got.kept);
  TEST_ASSERT_EQUAL_UINT(N, got.values + got.lost);
  TEST_ASSERT_GREATER_THAN_UINT(0, got.lost);
  got = read_values(slow, N - 1);
  TEST_ASSERT_TRUE(got.kept);
  TEST_ASSERT_EQUAL_UINT(N, got.values + got.lost);
  close(slow);
  close(quick);
}

static void test_values_go_twenty_five_times_a_second(void)
{
  int fd = enter();
  hears("came 1");
  gint64 start = g_get_monotonic_time(), now = start;
  guint k = 0;
  for (; now < start + G_USEC_PER_SEC / 4; k++) {
    g_autofree char *line = g_strdup_printf("%u", k);
    hy_server_say(server, 0, line, FALSE);
    g_usleep(500);
    now = g_get_monotonic_time();
  }
  Got got = read_values(fd, k - 1);
  gint64 took = g_get_monotonic_time() - start;
  TEST_ASSERT_LESS_OR_EQUAL_UINT((guint)(took * HY_SERVER_RATE / G_USEC_PER_SEC) + 1, got.messages);
  TEST_ASSERT_EQUAL_UINT(k, got.values + got.lost);
  close(fd);
}

/* Whoever takes nothing of what must arrive is closed, and the others go on. */
static void test_a_reader_who_never_reads_is_closed(void)
{
  int stuck = enter(), quick = enter();
  hears("came 1");
  hears("came 2");
  g_autofree char *line = g_strnfill(HY_SERVER_MESSAGE - 1, 'x');
  for (guint k = 0; k < 400; k++) { /* 26 MB */
    hy_server_say(server, 0, line, TRUE);
    g_free(read_message(quick));
  }
  while (TRUE) {
    g_autofree char *message = read_message(stuck);
    if (message == NULL) {
      break;
    }
  }
  close(stuck);
  hears("left 1");
  send_line(quick, "echo still here");
  hears("2 echo still here");
  reads(quick, "still here");
  close(quick);
}

static void test_it_ends_while_readers_are_there(void)
{
  int fd = enter();
  hears("came 1");
  hy_server_free(server);
  server = NULL;
  TEST_ASSERT_NULL(read_message(fd));
  close(fd);
}

int main(void)
{
  g_autoptr(GError) error = NULL;
  HyServer *one = hy_server_new(&serving, &error);
  if (one == NULL && strstr(error->message, "without libsoup") != NULL) {
    puts("no libsoup 3 here (scripts/install-deps installs it): no server was looked at");
    return 77;
  }
  hy_server_free(one);
  UNITY_BEGIN();
  RUN_TEST(test_the_page_is_for_those_who_know_the_key);
  RUN_TEST(test_the_page_comes_as_it_was_given);
  RUN_TEST(test_another_host_is_refused);
  RUN_TEST(test_lines_are_for_its_own_page);
  RUN_TEST(test_it_listens_on_the_loopback_alone);
  RUN_TEST(test_a_port_that_is_taken_is_said);
  RUN_TEST(test_lines_go_both_ways);
  RUN_TEST(test_a_long_message_passes_and_a_longer_one_does_not);
  RUN_TEST(test_a_longer_one_in_parts_is_refused_too);
  RUN_TEST(test_what_is_no_text_is_refused);
  RUN_TEST(test_there_are_sixteen_readers);
  RUN_TEST(test_what_is_kept_arrives_in_its_order);
  RUN_TEST(test_a_slow_reader_loses_the_oldest_and_is_told_how_many);
  RUN_TEST(test_values_go_twenty_five_times_a_second);
  RUN_TEST(test_a_reader_who_never_reads_is_closed);
  RUN_TEST(test_it_ends_while_readers_are_there);
  return UNITY_END();
}
