/* A session whose frames have a thread of their own: others ask, it answers when a frame is over,
 * and the bits are those of its log. */
#include "session_test.h"

#include "session/ring.h"

#include <stdatomic.h>

/* A clock that a look moves on, and that sleeps by moving there. */
static _Atomic gint64 micros;

static double counted_now(gpointer user)
{
  (void)user;
  return 1e-6 * (double)atomic_fetch_add(&micros, 7);
}

static void counted_sleep(gpointer user, double t)
{
  (void)user;
  gint64 until = (gint64)ceil(t * 1e6), is = atomic_load(&micros);
  while (is < until && !atomic_compare_exchange_weak(&micros, &is, until)) {
  }
  g_thread_yield();
}

#define PLANT                                                                                      \
  "<experiment stop='1000' method='rk4' hstep='1m' record='x'/>"                                   \
  "<lever name='u' value='0' lower='-5' upper='5'/><integrator name='x' x0='1' in='y'/>"           \
  "<integrator name='y' x0='0' in='u - x - 0.1*y'/>"

static gpointer asks(gpointer user)
{
  HySession *s = user;
  for (guint k = 0; k < 50; k++) {
    g_autoptr(GString) answer = g_string_new(NULL);
    g_autofree char *line =
        g_strdup_printf("{\"id\":%u,\"do\":\"set\",\"path\":\"u\",\"to\":%u}", k, k % 5);
    g_autofree char *mine = g_strdup_printf("{\"id\":%u,\"ok\":true", k);
    hy_session_do(s, line, answer);
    g_assert_true(g_str_has_prefix(answer->str, mine));
  }
  return NULL;
}

static void test_lines_of_several_threads_are_answered_and_give_the_bits_of_their_log(void)
{
  g_autoptr(HyLoaded) loaded = load_text(PLANT);
  HyRunSettings set = HY_RUN_SETTINGS;
  HySessionSettings how = {.frame = 1e-3, .threaded = TRUE};
  how.clock = (HyClock){counted_now, counted_sleep, NULL};
  g_autoptr(HySession) s = hy_session_new(loaded, &set, &how, &error);
  TEST_ASSERT_NOT_NULL(s);
  hy_session_hear(s, hear, NULL);
  go(s, "init");
  go(s, "monitor x,y every=10m");
  hy_session_turn(s);
  go(s, "run");
  GThread *a = g_thread_new("a", asks, s), *b = g_thread_new("b", asks, s);
  for (guint k = 0; k < 50; k++) {
    hy_session_turn(s);
    TEST_ASSERT_EQUAL_STRING("running", hy_session_state(s));
    g_usleep(100);
  }
  g_thread_join(a);
  g_thread_join(b);
  go(s, "freeze");
  hy_session_turn(s);
  TEST_ASSERT_TRUE(was_heard("{\"event\":\"values\""));
  double x = value_of(s, "x.x"), y = value_of(s, "y.x");
  go(s, "replay from=0");
  for (gboolean over = FALSE; !over;) {
    hy_session_turn(s);
    over = strcmp(hy_session_state(s), "frozen") == 0;
    g_usleep(100);
  }
  TEST_ASSERT_TRUE(value_of(s, "x.x") == x && value_of(s, "y.x") == y);
}

/* A reader that never reads loses lines, which are counted; nobody waits for it. */
static void test_a_full_ring_holds_nobody_up(void)
{
  g_autoptr(HyLoaded) loaded = load_text(PLANT);
  HyRunSettings set = HY_RUN_SETTINGS;
  HySessionSettings how = {.frame = 1e-3, .threaded = TRUE};
  how.clock = (HyClock){counted_now, counted_sleep, NULL};
  g_autoptr(HySession) s = hy_session_new(loaded, &set, &how, &error);
  TEST_ASSERT_NOT_NULL(s);
  hy_session_hear(s, hear, NULL);
  go(s, "init");
  go(s, "monitor x,y,u every=1m");
  hy_session_turn(s);
  guint before = heard->len;
  go(s, "run until=40 wait");
  TEST_ASSERT_EQUAL_UINT(before, heard->len); /* 40,000 lines do not fit, and nobody has read one */
  ask(s, "{\"do\":\"info\"}", "\"t\":40");
  g_autoptr(GString) answer = g_string_new(NULL);
  hy_session_do(s, "{\"do\":\"info\"}", answer);
  TEST_ASSERT_NULL(strstr(answer->str, "\"dropped\":0,"));
  hy_session_turn(s);
  TEST_ASSERT_TRUE(was_heard("{\"event\":\"values\",\"t\":0.001,"));
}

static HyRing ring;

static gpointer puts_numbers(gpointer user)
{
  (void)user;
  for (guint32 k = 0; k < 20000;) {
    k += hy_ring_put(&ring, &k, sizeof k, "abc", k % 4) ? 1 : 0;
  }
  return NULL;
}

static void test_a_ring_gives_what_was_put_in_its_order(void)
{
  hy_ring_init(&ring, 128);
  GThread *other = g_thread_new("other", puts_numbers, NULL);
  for (guint32 k = 0; k < 20000;) {
    guint8 bytes[16];
    guint32 is;
    gsize n = hy_ring_take(&ring, bytes, sizeof bytes);
    if (n > 0) {
      memcpy(&is, bytes, sizeof is);
      TEST_ASSERT_EQUAL_UINT32(k, is);
      TEST_ASSERT_EQUAL_size_t(sizeof is + k % 4, n);
      TEST_ASSERT_TRUE(memcmp("abc", bytes + sizeof is, k % 4) == 0);
      k++;
    }
  }
  g_thread_join(other);
  hy_ring_clear(&ring);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_lines_of_several_threads_are_answered_and_give_the_bits_of_their_log);
  RUN_TEST(test_a_full_ring_holds_nobody_up);
  RUN_TEST(test_a_ring_gives_what_was_put_in_its_order);
  return UNITY_END();
}
