/* Frames of real time, by a clock that goes only when the test says so. */
#include "session_test.h"

#include "session/frames.h"

#define H 0.001

/* Two states of fixed cost. */
#define FIXED                                                                                      \
  "<experiment stop='1' method='rk4' hstep='1m' record='x'/>"                                      \
  "<lever name='u' value='0'/><integrator name='x' x0='1' in='y'/>"                                \
  "<integrator name='y' x0='0' in='u - x - 0.1*y'/>"

static guint frames;    /* that have had their values told */
static double work[64]; /* frame k takes so many frames */
static double carried[64];
static HySession *session;

/* The work of a frame: the clock goes on when its last values come. */
static void work_on(gpointer user, const char *line)
{
  (void)user;
  if (g_str_has_prefix(line, "{\"event\":\"values\"") && strstr(line, "\"t\":0,") == NULL &&
      frames < G_N_ELEMENTS(work)) {
    if (frames > 0) {
      carried[frames - 1] = hy_frames_counts(session)->carried;
    }
    wall += work[frames++] * H;
  }
}

static HySession *framed(const HyLoaded *loaded, HySessionSettings how)
{
  how.frame = H;
  session = session_with(loaded, NULL, how);
  hy_session_hear(session, work_on, NULL);
  frames = 0;
  for (guint k = 0; k < G_N_ELEMENTS(work); k++) {
    work[k] = 0.5;
  }
  go(session, "init");
  go(session, "monitor x every=1m");
  return session;
}

/* 1.2 frames of work in frame 7, 0.5 in the others: one is missed, 0.2 are carried into frame 8,
 * which ends in time (0.2 + 0.5 <= 1). */
static void test_one_long_frame_is_missed_and_made_up_for(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) s = framed(loaded, HY_SESSION_SETTINGS);
  work[7] = 1.2;
  go(s, "run until=20m");
  turn_on(s);
  const HyFrameCounts *c = hy_frames_counts(s);
  TEST_ASSERT_EQUAL_UINT64(20, c->n);
  TEST_ASSERT_EQUAL_UINT64(1, c->missed);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.0, carried[6]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.2 * H, carried[7]);
  TEST_ASSERT_TRUE(carried[8] == 0.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.2 * H, c->worst[0].work);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7 * H, c->worst[0].t);
  TEST_ASSERT_TRUE(was_heard("{\"event\":\"missed\",\"t\":0.008,\"missed\":1,"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.2 * H, c->late_most);
  /* The work of a fixed step is the same: one event a frame, but for the start in the first. */
  HyTotals totals;
  hy_sim_totals(s->sim, &totals);
  TEST_ASSERT_EQUAL_UINT64(1, c->least);
  TEST_ASSERT_EQUAL_UINT64(c->most + 19, totals.cycles);
}

static void test_the_clock_changes_no_bit(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) a = framed(loaded, HY_SESSION_SETTINGS);
  work[3] = 4.7;
  work[9] = 2.0;
  go(a, "run until=0.1");
  turn_on(a);
  g_autoptr(HySession) b = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(b, "init");
  go(b, "run until=0.1 wait");
  TEST_ASSERT_TRUE(value_of(a, "x") == value_of(b, "x"));
  TEST_ASSERT_TRUE(value_of(a, "y.x") == value_of(b, "y.x"));
}

static void test_a_frame_begins_at_its_time_to_the_bit(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) s = framed(loaded, (HySessionSettings){.scale = 0.5});
  double w0 = wall, due;
  go(s, "run");
  for (guint k = 0; k < 50; k++) {
    while ((due = hy_session_turn(s)) == -INFINITY) {
    }
    TEST_ASSERT_TRUE(due == w0 + s->t / 0.5);
    wall = due;
  }
}

static void test_a_command_is_done_when_the_next_frame_begins(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) s = framed(loaded, HY_SESSION_SETTINGS);
  double due;
  go(s, "run");
  for (guint k = 0; k < 5; k++) {
    while ((due = hy_session_turn(s)) == -INFINITY) {
    }
    wall = due;
  }
  double t = s->t;
  while (hy_session_turn(s) == -INFINITY) {
  }
  wall = due + 0.6 * H; /* the frame's work took 0.5 */
  go(s, "set u 1");
  const char *line = g_ptr_array_index(s->told, s->told->len - 1);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, "\"t\":0.006,"), line);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, "\"wall\":0.0056,"), line); /* a delay of 0.4 h */
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, t + H, s->t);
}

static void test_a_machine_that_slept_does_not_run_after_the_time(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) s = framed(loaded, HY_SESSION_SETTINGS);
  go(s, "run");
  hy_session_turn(s);
  wall += 3600;
  turn_on(s);
  TEST_ASSERT_EQUAL_STRING("frozen", hy_session_state(s));
  TEST_ASSERT_TRUE(was_heard("{\"event\":\"late\","));
  go(s, "run until=10m"); /* the clock counts anew */
  turn_on(s);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.01, s->t);
}

static void test_the_policy_stops_at_the_first_that_is_missed(void)
{
  g_autoptr(HyLoaded) loaded = load_text(FIXED);
  g_autoptr(HySession) s = framed(loaded, (HySessionSettings){.policy = HY_FRAMES_STOP});
  work[4] = 1.5;
  go(s, "run");
  turn_on(s);
  TEST_ASSERT_EQUAL_STRING("frozen", hy_session_state(s));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5 * H, s->t);
}

#define VARIES                                                                                     \
  "<experiment stop='1' method='qss3' dqrel='1e-9' dqmin='1e-11' record='x'/>"                     \
  "<integrator name='x' x0='1' in='-500*x'/>"

static void check_refused(const char *model, HySessionSettings how, const char *why)
{
  g_autoptr(HyLoaded) loaded = load_text(model);
  how.frame = H;
  HySession *s = hy_session_new(loaded, NULL, &how, &error);
  TEST_ASSERT_NULL(s);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, why), error->message);
  g_clear_error(&error);
}

static void test_methods_that_promise_no_cost_need_a_bound(void)
{
  check_refused(VARIES, HY_SESSION_SETTINGS, "x: the work of qss3 is not the same in each frame");
  check_refused("<experiment stop='1' method='rk45_doubling' record='x'/>"
                "<integrator name='x' x0='1' in='-x'/>",
                (HySessionSettings){.events_per_frame = 10}, "--any-method");
  g_autoptr(HyLoaded) loaded = load_text(VARIES);
  g_autoptr(HySession) s = framed(loaded, (HySessionSettings){.events_per_frame = 3});
  go(s, "run until=100m");
  turn_on(s);
  const HyFrameCounts *c = hy_frames_counts(s);
  TEST_ASSERT_TRUE(c->most > 3);
  TEST_ASSERT_TRUE(c->missed > 0);
  TEST_ASSERT_TRUE(was_heard("\"block\":\"x\""));
}

static void test_a_histogram_says_what_part_was_below(void)
{
  HyFrameCounts c = {0};
  for (guint k = 0; k < 1000; k++) {
    hy_frames_count(&c, 0, 1, 0, k < 990 ? 3e-6 : 100e-6, (HyFrame){0}, FALSE);
  }
  TEST_ASSERT_EQUAL_DOUBLE(4e-6, hy_frames_part(c.work, 0.5, c.work_most));
  TEST_ASSERT_EQUAL_DOUBLE(4e-6, hy_frames_part(c.work, 0.99, c.work_most));
  TEST_ASSERT_EQUAL_DOUBLE(100e-6, hy_frames_part(c.work, 0.999, c.work_most));
  TEST_ASSERT_EQUAL_DOUBLE(0.0, c.carried);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_one_long_frame_is_missed_and_made_up_for);
  RUN_TEST(test_the_clock_changes_no_bit);
  RUN_TEST(test_a_frame_begins_at_its_time_to_the_bit);
  RUN_TEST(test_a_command_is_done_when_the_next_frame_begins);
  RUN_TEST(test_a_machine_that_slept_does_not_run_after_the_time);
  RUN_TEST(test_the_policy_stops_at_the_first_that_is_missed);
  RUN_TEST(test_methods_that_promise_no_cost_need_a_bound);
  RUN_TEST(test_a_histogram_says_what_part_was_below);
  return UNITY_END();
}
