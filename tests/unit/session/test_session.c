/* A session on simulated time: its machine, going back, repeating, scripts and logs. */
#include "session_test.h"

#include "sim/engine.h"

/* The machine ------------------------------------------------------------------------------------
 */

static const char *const lines[] = {
    "init",
    "init seed=3",
    "init seed=-1",
    "run",
    "run until=3",
    "run until=0.5",
    "run until=nan",
    "run until=1 wait",
    "freeze",
    "step",
    "step 3",
    "step 2 event",
    "step frame",
    "step 0",
    "back",
    "back 4",
    "scale 2",
    "scale inf",
    "scale 0",
    "scale x",
    "snapshot a",
    "snapshot b",
    "snapshot-every 1 keep=3",
    "snapshot-every 0",
    "load a",
    "load b",
    "load a.2",
    "load zz",
    "replay from=0",
    "replay from=1 until=2",
    "replay from=1 until=2 wait",
    "set valve 0.7",
    "set valve 0.2 ramp=1",
    "set valve 2",
    "set nothing 1",
    "set valve",
    "set leak 0.1",
    "malfunction leak 0.5 ramp=0.5",
    "malfunction leak 1.5",
    "malfunction valve 0.5",
    "say x 1",
    "override h value=3",
    "override h off",
    "override h none",
    "override q off",
    "override h",
    "monitor h every=0.5",
    "monitor h every=0",
    "monitor h",
    "monitor h every=1 wall",
    "get h,n",
    "get",
    "get nothing",
    "note all is well",
    "info",
    "report",
    "report form=csv",
    "help",
    "help set",
    "help sett",
    "at 5 set valve 0.1",
    "at 2 get h",
    "at 0 set valve 1",
    "at 3 freeze",
    "at x set valve 1",
    "at 1 init",
    "",
    "frobnicate",
    "{}",
    "{\"do\":\"run\"",
    "{\"do\":\"run\",\"until\":4}",
    "{\"do\":\"run\",\"til\":4}",
    "{\"id\":3,\"do\":\"info\"}",
    "{\"id\":\"a\",\"do\":\"set\",\"path\":\"valve\",\"to\":\"nan\"}",
    "{\"do\":7}",
    "[1]",
    "{\"do\":\"step\",\"n\":2,\"of\":\"instant\"}",
    "\xff\xfe"};

/* What the table says of a line that was answered with "ok": OK. */
static void check_state(const HySession *s, HySessionState before, const char *line, gboolean ok)
{
  g_autofree char *id = NULL;
  gboolean json;
  g_autoptr(HyRequest) r = hy_request_read(line, &json, &id, NULL);
  HySessionState to = before;
  if (ok && isnan(r->at)) {
    TEST_ASSERT_TRUE_MESSAGE(hy_verb_may(r->verb, before, &to, NULL), line);
  }
  gboolean over = s->state == HY_ENDED || s->state == HY_FROZEN; /* by itself, while it ran */
  TEST_ASSERT_TRUE_MESSAGE(s->state == to || (ok && over), line);
}

static void test_no_line_leads_where_the_table_does_not(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  g_autoptr(GRand) random = g_rand_new_with_seed(30);
  for (guint k = 0; k < 100000; k++) {
    const char *line = lines[g_rand_int_range(random, 0, G_N_ELEMENTS(lines))];
    g_autoptr(GString) answer = g_string_new(NULL);
    HySessionState before = s->state;
    guint64 n = s->n;
    double t = s->t;
    gboolean ok = hy_session_do(s, line, answer);
    TEST_ASSERT_TRUE(answer->len > 0);
    check_state(s, before, line, ok);
    if (s->state != HY_LOADED) {
      g_autofree char *m =
          g_strdup_printf("%s: %s (%.17g, %.17g)", line, answer->str, t, hy_sim_time(s->sim));
      TEST_ASSERT_TRUE_MESSAGE(
          s->state == HY_FAILED || (s->t >= hy_sim_time(s->sim) && s->t <= hy_sim_next(s->sim)), m);
    }
    if (!ok) { /* nothing has changed, and nothing is written */
      TEST_ASSERT_TRUE_MESSAGE(s->n == n && (s->t == t || before == HY_RUNNING), answer->str);
    }
    if (g_rand_int_range(random, 0, 3) == 0) {
      wall += 0.1;
      hy_session_turn(s);
    }
    g_ptr_array_set_size(heard, 0);
  }
}

static void test_a_refusal_says_why_and_names_the_nearest(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  ask(s, "run", "run: nothing has begun: init first");
  go(s, "init");
  ask(s, "{\"id\":7,\"do\":\"runn\"}",
      "{\"id\":7,\"ok\":false,\"why\":\"there is no verb \\\"runn\\\"; did you mean "
      "\\\"run\\\"?\"");
  ask(s, "set valv 1", "valve");
  ask(s, "set valve 1.5", "valve = 1.5 is not in 0 .. 1");
  ask(s, "malfunction valve 0.5", "valve is no malfunction");
  ask(s, "step frame", "there are no frames");
  go(s, "run until=2 wait");
  ask(s, "run until=1", "run: 1 is past, it is 2");
  ask(s, "at 1 set valve 0.5", "at 1: it is 2 already");
  ask(s, "load x", "there is no snapshot \"x\"");
  ask(s, "{\"do\":\"run\",\"untill\":3}",
      "run takes no \\\"untill\\\"; did you mean \\\"until\\\"?");
}

static void test_no_answer_has_a_number_that_json_lacks(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  ask(s, "{\"do\":\"info\"}", "\"scale\":\"inf\"");
  go(s, "init");
  ask(s, "{\"do\":\"get\",\"paths\":\"h\"}", "{\"h\":\"nan\"}");
}

/* The same bits ----------------------------------------------------------------------------------
 */

#define N_SEEN 3
typedef struct {
  double v[N_SEEN];
  guint64 events;
} End;

static End end_of(HySession *s)
{
  static const char *const paths[] = {"h", "n.out", "h.x"};
  End e = {.events = s->sim->now.totals.cycles};
  for (guint k = 0; k < N_SEEN; k++) {
    e.v[k] = value_of(s, paths[k]);
  }
  return e;
}

static void check_same(const End *a, const End *b)
{
  TEST_ASSERT_EQUAL_MEMORY(a->v, b->v, sizeof a->v);
  TEST_ASSERT_EQUAL_UINT64(a->events, b->events);
}

static const char *const deeds[] = {"run until=1.25 wait", "set valve 0.9 ramp=0.7",
                                    "run until=3 wait",    "malfunction leak 0.4",
                                    "run until=3.5 wait",  "set valve 0.1"};

static End steered(HySession *s)
{
  go(s, "init");
  for (guint k = 0; k < G_N_ELEMENTS(deeds); k++) {
    go(s, deeds[k]);
  }
  go(s, "run until=8 wait");
  return end_of(s);
}

static void test_all_ways_to_a_state_give_its_bits(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  End first;
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autoptr(HySession) s = session_with(loaded, engines[k], HY_SESSION_SETTINGS);
    End e = steered(s);
    first = k == 0 ? e : first;
    TEST_ASSERT_EQUAL_MEMORY(first.v, e.v, sizeof e.v);
    go(s, "replay from=2 wait");
    End again = end_of(s);
    check_same(&e, &again);
    go(s, "back 5");
    TEST_ASSERT_TRUE(s->t < 8.0);
    go(s, "run until=8 wait");
    again = end_of(s);
    check_same(&e, &again);
    go(s, "load replay.2");
    again = end_of(s);
    check_same(&e, &again);
  }
}

static void test_stops_looks_and_overrides_change_no_bit(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) a = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  g_autoptr(HySession) b = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(a, "init");
  go(a, "run until=9 wait");
  go(b, "init");
  go(b, "monitor h,n every=0.125");
  go(b, "snapshot-every 0.5 keep=2");
  go(b, "override n value=-1");
  for (guint k = 1; k < 9; k++) {
    g_autofree char *line = g_strdup_printf("run until=%.17g wait", 0.93 * k);
    go(b, line);
    go(b, "get h");
    go(b, "malfunction leak 0");
    go(b, "step");
  }
  go(b, "run until=9 wait");
  TEST_ASSERT_EQUAL_DOUBLE(-1.0, value_of(b, "n"));
  go(b, "override n none");
  End x = end_of(a), y = end_of(b);
  check_same(&x, &y);
  TEST_ASSERT_TRUE(was_heard("{\"event\":\"values\",\"t\":1.125,"));
}

static void test_a_loaded_snapshot_keeps_the_future_that_was(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(s, "init");
  go(s, "run until=2 wait");
  go(s, "snapshot two");
  go(s, "set valve 1");
  go(s, "run until=4 wait");
  End future = end_of(s);
  ask(s, "{\"do\":\"load\",\"name\":\"two\"}", "\"kept\":\"two.2\"");
  TEST_ASSERT_EQUAL_DOUBLE(0.5, value_of(s, "valve"));
  go(s, "run until=4 wait");
  TEST_ASSERT_TRUE(value_of(s, "h") > future.v[0]);
  go(s, "load two.2");
  End again = end_of(s);
  check_same(&future, &again);
}

/* Scale -------------------------------------------------------------------------------------------
 */

#define CLOCKED                                                                                    \
  "<experiment stop='4' record='c'/><generator name='g' period='0.5' values='1' repeat='true'/>"   \
  "<counter name='c' in='g'/><lever name='u' value='0'/>"

static void test_events_are_released_at_their_time_by_the_clock(void)
{
  g_autoptr(HyLoaded) loaded = load_text(CLOCKED);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(s, "scale 0.25");
  go(s, "init");
  go(s, "run until=2");
  double due = -INFINITY, w0 = wall;
  while ((due = hy_session_turn(s)) == -INFINITY) {
  }
  while (due < INFINITY) {
    double t = hy_sim_next(s->sim);
    TEST_ASSERT_TRUE(due == w0 + MIN(t, 2.0) / 0.25); /* to the bit */
    wall = nextafter(due, 0.0);
    TEST_ASSERT_TRUE(hy_session_turn(s) == due && hy_sim_time(s->sim) < t);
    wall = due;
    while ((due = hy_session_turn(s)) == -INFINITY) {
    }
  }
  TEST_ASSERT_EQUAL_STRING("frozen", hy_session_state(s));
  TEST_ASSERT_EQUAL_DOUBLE(1000.0 + 8.0, wall);
}

static void test_a_command_between_events_has_the_time_of_the_clock(void)
{
  g_autoptr(HyLoaded) loaded = load_text(CLOCKED);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(s, "scale 2");
  go(s, "init");
  go(s, "run");
  while (hy_session_turn(s) == -INFINITY) {
  }
  wall += 0.125;
  ask(s, "{\"do\":\"set\",\"path\":\"u\",\"to\":3}", "\"t\":0.25");
  TEST_ASSERT_EQUAL_DOUBLE(3.0, value_of(s, "u"));
}

/* Scripts, logs
 * ------------------------------------------------------------------------------------ */

static char *folder;

static char *file_of(const char *name, const char *text)
{
  char *file = g_build_filename(folder, name, NULL);
  if (text != NULL) {
    TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
  }
  return file;
}

static char *contents(const char *file)
{
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, NULL, NULL), file);
  return text;
}

static const char script[] = "# an exercise\n"
                             "at 1.25 set valve 0.9 ramp=0.7\n"
                             "at 3 malfunction leak 0.4\n"
                             "at 3 note leak\n"
                             "at 3.5 set valve 0.1\n"
                             "\n";

static void test_a_script_is_the_same_as_its_commands_on_all_engines_and_scales(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  static const double scales[] = {INFINITY, 0.1, 10.0};
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autofree char *file = file_of("script", script), *out = file_of("out.csv", NULL);
  g_autofree char *first = NULL;
  const char *const record[] = {out, NULL};
  for (guint k = 0; k < 9; k++) {
    HySessionSettings how = HY_SESSION_SETTINGS;
    how.script = file;
    how.record = record;
    how.scale = scales[k / 3];
    HySession *s = session_with(loaded, engines[k % 3], how);
    turn_on(s);
    TEST_ASSERT_EQUAL_STRING("ended", hy_session_state(s));
    TEST_ASSERT_EQUAL_INT(0, hy_session_status(s, NULL));
    hy_session_free(s);
    g_autofree char *text = contents(out);
    if (first == NULL) {
      first = g_steal_pointer(&text);
    } else {
      TEST_ASSERT_EQUAL_STRING(first, text);
    }
  }
  g_autoptr(HySession) typed = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  End by_hand = steered(typed);
  g_autoptr(HySession) played = session_with(loaded, NULL, (HySessionSettings){.script = file});
  go(played, "freeze");
  go(played, "run until=8 wait");
  End by_script = end_of(played);
  TEST_ASSERT_EQUAL_MEMORY(by_hand.v, by_script.v, sizeof by_hand.v);
}

static void test_a_wrong_line_of_a_script_has_its_place(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autofree char *file = file_of("wrong", "at 1 set valve 0.5\nat 2 sett valve 1\n");
  HySessionSettings how = HY_SESSION_SETTINGS;
  how.script = file;
  TEST_ASSERT_NULL(hy_session_new(loaded, NULL, &how, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "wrong:2: there is no verb \"sett\"; did you mean"));
  g_clear_error(&error);
  g_autofree char *beyond = file_of("beyond", "at 1 set valve 5\n");
  how.script = beyond;
  g_autoptr(HySession) s = session_with(loaded, NULL, how);
  turn_on(s);
  TEST_ASSERT_TRUE(was_heard("\"event\":\"refused\",\"do\":\"set\",\"line\":1,"));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, hy_session_status(s, NULL));
}

static void test_a_log_goes_on_where_it_was_cut(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autofree char *file = file_of("script2", script), *out = file_of("whole.csv", NULL),
                  *log = file_of("whole.hylog", NULL);
  const char *const record[] = {out, NULL};
  HySessionSettings how = {.script = file, .record = record, .log = log};
  HySession *s = session_with(loaded, NULL, how);
  turn_on(s);
  hy_session_free(s);
  g_autofree char *whole = contents(out), *lines_of_log = contents(log);
  gsize size = strlen(lines_of_log), head = strcspn(lines_of_log, "\n") + 1;
  g_autoptr(GRand) random = g_rand_new_with_seed(4);
  for (guint k = 0; k < 40; k++) { /* killed behind any byte */
    gsize cut = head + (gsize)g_rand_int_range(random, 0, (gint32)(size - head));
    TEST_ASSERT_TRUE(g_file_set_contents(log, lines_of_log, (gssize)cut, NULL));
    g_unlink(out);
    how.resume = TRUE;
    s = session_with(loaded, NULL, how);
    turn_on(s);
    hy_session_free(s);
    g_autofree char *again = contents(out);
    TEST_ASSERT_EQUAL_STRING(whole, again);
  }
}

static void test_a_log_of_another_model_is_refused(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK), other = load_text(CLOCKED);
  g_autofree char *log = file_of("other.hylog", NULL);
  HySessionSettings how = {.log = log};
  HySession *s = session_with(loaded, NULL, how);
  go(s, "init");
  hy_session_free(s);
  how.resume = TRUE;
  TEST_ASSERT_NULL(hy_session_new(other, NULL, &how, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "is of another model"));
  g_clear_error(&error);
  how.resume = FALSE;
  g_autoptr(HySession) again = session_with(loaded, NULL, how);
  ask(again, "init", "is there already; --resume goes on with it");
}

static void test_a_report_is_sorted_by_time(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  g_autoptr(GString) answer = g_string_new(NULL);
  go(s, "monitor h every=1");
  go(s, "init");
  go(s, "run until=2 wait");
  go(s, "snapshot two");
  go(s, "run until=3 wait");
  wall += 0.25;
  go(s, "{\"do\":\"set\",\"path\":\"valve\",\"to\":1,\"by\":\"teacher\"}");
  go(s, "load two");
  go(s, "note well, \"well\"");
  go(s, "run until=4 wait");
  g_autofree char *file = file_of("report.csv", NULL);
  g_autofree char *line = g_strdup_printf("report form=csv file=%s", file);
  go(s, line);
  g_autofree char *text = contents(file);
  g_auto(GStrv) rows = g_strsplit(text, "\r\n", -1);
  double before = -1.0;
  TEST_ASSERT_EQUAL_STRING("time,wall,verb,what,by,values", rows[0]);
  for (guint k = 1; *rows[k] != '\0'; k++) {
    double t = g_ascii_strtod(rows[k], NULL);
    TEST_ASSERT_TRUE(t >= before);
    before = t;
  }
  TEST_ASSERT_NOT_NULL(strstr(text, "3,0.25,set,path=valve to=1,teacher,\"{\"\"h\"\":0."));
  TEST_ASSERT_NOT_NULL(strstr(text, "2,0.25,note,\"text=well, \"\"well\"\"\","));
}

static void test_info_lists_what_is_on(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  go(s, "init");
  go(s, "snapshot-every 2.5");
  go(s, "run until=5 wait");
  go(s, "malfunction leak 0.25");
  go(s, "override n off");
  go(s, "monitor h every=2");
  go(s, "snapshot mine");
  static const char *const parts[] = {"\"model\":\"m\"",
                                      "\"snapshot_every\":2.5",
                                      "\"path\":\"leak\",\"kind\":\"malfunction\",\"value\":0.25",
                                      "\"lower\":0,\"upper\":1",
                                      "\"overrides\":[{\"path\":\"n\",\"how\":\"off\"}]",
                                      "\"monitors\":[{\"path\":\"h\",\"every\":2,\"wall\":false",
                                      "{\"name\":\"every-2\",\"t\":5}",
                                      "{\"name\":\"mine\",\"t\":5}",
                                      "\"frames\":null",
                                      "\"doc\":\"outlet\"",
                                      "\"state\":\"frozen\",\"t\":5}"};
  for (guint k = 0; k < G_N_ELEMENTS(parts); k++) {
    ask(s, "{\"do\":\"info\"}", parts[k]);
  }
}

/* Whose history nobody can copy: it is run once more. */
static void test_cvode_goes_back_exactly(void)
{
#ifdef HY_SUNDIALS
  g_autoptr(HyLoaded) loaded =
      load_text("<experiment stop='20' method='cvode_bdf' reltol='1e-6' abstol='1e-8'/>"
                "<lever name='u' value='0'/><integrator name='x' x0='2' in='y'/>"
                "<integrator name='y' x0='0' in='10*(1 - x*x)*y - x + u'/>");
  g_autoptr(HySession) a = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  g_autoptr(HySession) b = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  for (HySession *s = a;; s = b) {
    go(s, "init");
    go(s, "run until=7.5 wait");
    go(s, "set u 0.3");
    if (s == b) {
      break;
    }
  }
  go(a, "snapshot here");
  go(a, "run until=15 wait");
  double there = value_of(a, "x.x");
  go(a, "load here");
  TEST_ASSERT_EQUAL_DOUBLE(7.5, a->t);
  go(a, "run until=15 wait");
  go(b, "run until=15 wait");
  TEST_ASSERT_TRUE(value_of(a, "x.x") == there && value_of(b, "x.x") == there);
#else
  TEST_IGNORE_MESSAGE("without SUNDIALS");
#endif
}

static void ask_as(HySession *s, gconstpointer who, const char *line, gboolean ok)
{
  g_autoptr(GString) answer = g_string_new(NULL);
  TEST_ASSERT_EQUAL_MESSAGE(ok, hy_session_do_as(s, who, line, answer), answer->str);
}

static void test_who_has_taken_it_steers_alone(void)
{
  g_autoptr(HyLoaded) loaded = load_text(TANK);
  g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
  int one, two;
  go(s, "init");
  ask_as(s, &one, "take", TRUE);
  ask_as(s, &two, "set valve 1", FALSE);
  ask_as(s, &two, "take", FALSE);
  ask_as(s, &two, "at 5 set valve 1", FALSE);
  ask(s, "run", "somebody else steers");
  ask_as(s, &two, "give", TRUE);
  ask_as(s, &two, "get h", TRUE);
  ask_as(s, &one, "set valve 1", TRUE);
  hy_session_leave(s, &one);
  ask_as(s, &two, "set valve 0.5", TRUE);
}

/* The last state: what cannot be closed is asked to end for ever. */
static void test_end_closes_in_every_state(void)
{
  static const char *const ways[][4] = {
      {"loaded"},
      {"ready", "init"},
      {"running", "init", "run"},
      {"replaying", "init", "run until=3 wait", "replay from=0"},
      {"frozen", "init", "step"},
      {"ended", "init", "run wait"},
      {"failed", "init", "run wait"},
  };
  int another;
  for (guint k = 0; k < G_N_ELEMENTS(ways); k++) {
    gboolean fails = strcmp(ways[k][0], "failed") == 0;
    g_autoptr(HyLoaded) loaded = load_text(fails ? "<experiment stop='10' method='qss2'/>"
                                                   "<integrator name='x' x0='1' in='log(x) - 1'/>"
                                                 : TANK);
    g_autoptr(HySession) s = session_with(loaded, NULL, HY_SESSION_SETTINGS);
    for (guint j = 1; j < 4 && ways[k][j] != NULL; j++) {
      g_autoptr(GString) answer = g_string_new(NULL);
      hy_session_do(s, ways[k][j], answer);
    }
    TEST_ASSERT_EQUAL_STRING(ways[k][0], hy_session_state(s));
    ask_as(s, &another, "take", TRUE);
    ask_as(s, NULL, "end", TRUE);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("closed", hy_session_state(s), ways[k][0]);
  }
}

static void test_the_page_has_the_table(void)
{
  g_autoptr(GString) table = g_string_new(NULL);
  g_autofree char *page = contents(HY_SOURCE_DIR "/docs/realtime.md");
  hy_session_table(table);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, table->str), "hydevs session --table");
}

int main(void)
{
  folder = g_dir_make_tmp("hydevs-session-XXXXXX", NULL);
  UNITY_BEGIN();
  RUN_TEST(test_no_line_leads_where_the_table_does_not);
  RUN_TEST(test_a_refusal_says_why_and_names_the_nearest);
  RUN_TEST(test_no_answer_has_a_number_that_json_lacks);
  RUN_TEST(test_all_ways_to_a_state_give_its_bits);
  RUN_TEST(test_stops_looks_and_overrides_change_no_bit);
  RUN_TEST(test_a_loaded_snapshot_keeps_the_future_that_was);
  RUN_TEST(test_events_are_released_at_their_time_by_the_clock);
  RUN_TEST(test_a_command_between_events_has_the_time_of_the_clock);
  RUN_TEST(test_a_script_is_the_same_as_its_commands_on_all_engines_and_scales);
  RUN_TEST(test_a_wrong_line_of_a_script_has_its_place);
  RUN_TEST(test_a_log_goes_on_where_it_was_cut);
  RUN_TEST(test_a_log_of_another_model_is_refused);
  RUN_TEST(test_a_report_is_sorted_by_time);
  RUN_TEST(test_info_lists_what_is_on);
  RUN_TEST(test_cvode_goes_back_exactly);
  RUN_TEST(test_who_has_taken_it_steers_alone);
  RUN_TEST(test_end_closes_in_every_state);
  RUN_TEST(test_the_page_has_the_table);
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *file = g_build_filename(folder, name, NULL);
    g_unlink(file);
  }
  g_rmdir(folder);
  g_free(folder);
  return UNITY_END();
}
