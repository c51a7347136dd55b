/* Whole runs of circuits whose end values are known: of six converters and rectifiers, where a
 * numeric simulator of their configurations by itself and other tools have been. */
#include "circuit_run.h"

static HyLoaded *load_file(const char *name, const HyLoadOptions *options)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/tests/models/circuits/%s.xml", name);
  HyLoaded *loaded = hy_load_file(path, options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

/* Six circuits --------------------------------------------------------------------------------- */

static const struct {
  const char *model;
  guint n;
  double end[4]; /* of the recorded states */
  double within; /* of the largest */
} circuits[] = {
    {"buck-ls", 3, {7.087891, 2.40000709e-4, 3.7597844}, 1e-6},
    {"cuk-ls", 4, {-0.389950, 0.390003, 43.176781, 18.679258}, 1e-6},
    {"boost", 2, {1.168035, 45.198755}, 1e-6},
    {"bridge", 4, {0, -24.897775, 24.768547, 516.953278}, 1e-6},
    {"thyristors", 3, {-41.979287, 42.003065, 42.021085}, 1e-6},
    {"full-bridge", 3, {-2.776110, 24.496959, 402.963460}, 1e-6},
};

static void test_circuits_end_where_they_should(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(circuits); k++) {
    g_autoptr(HyLoaded) loaded = load_file(circuits[k].model, NULL);
    g_autoptr(HyRun) run = go(loaded, "auto");
    double largest = 0;
    for (guint c = 0; c < circuits[k].n; c++) {
      largest = fmax(largest, fabs(circuits[k].end[c]));
    }
    for (guint c = 0; c < circuits[k].n; c++) {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(circuits[k].within * largest, circuits[k].end[c],
                                        last(run, c), circuits[k].model);
    }
    g_autoptr(GString) stats = g_string_new(NULL);
    hy_stats_text(hy_run_sim(run), NULL, stats);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(stats->str, "block_liqss2 of "), circuits[k].model);
    TEST_ASSERT_NULL_MESSAGE(strstr(stats->str, "cvode_bdf of "), circuits[k].model);
  }
}

/* 199 edges and 199 instants of the diode, as in the same converter drawn by hand. */
static void test_a_circuit_has_the_events_of_its_diagram(void)
{
  g_autoptr(HyLoaded) loaded = load_file("buck-ls", NULL);
  g_autoptr(HyRun) run = go(loaded, "auto");
  g_autoptr(GString) stats = g_string_new(NULL);
  hy_stats_text(hy_run_sim(run), NULL, stats);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(stats->str, " 199 own crossings"), stats->str);
}

/* Steps go from event to event, also where sources are sines: those of the simulator that the end
 * values are of. */
static void test_rectifiers_step_from_event_to_event(void)
{
  static const char *const steps[][2] = {{"bridge", " 26 steps, "}, {"thyristors", " 62 steps, "}};
  for (guint k = 0; k < G_N_ELEMENTS(steps); k++) {
    g_autoptr(HyLoaded) loaded = load_file(steps[k][0], NULL);
    g_autoptr(HyRun) run = go(loaded, "auto");
    g_autoptr(GString) stats = g_string_new(NULL);
    hy_stats_text(hy_run_sim(run), NULL, stats);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(stats->str, steps[k][1]), stats->str);
  }
}

static void test_engines_agree_on_a_circuit(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  double end[G_N_ELEMENTS(engines)][3];
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    HyLoadOptions options = {.method = "mliqss2"};
    g_autoptr(HyLoaded) loaded = load_file("buck-ls", &options);
    g_autoptr(HyRun) run = go(loaded, engines[k]);
    for (guint c = 0; c < 3; c++) {
      end[k][c] = last(run, c);
    }
    TEST_ASSERT_EQUAL_MEMORY(end[0], end[k], sizeof end[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 7.087891, end[k][0]);
  }
}

/* Readings ------------------------------------------------------------------------------------- */

/* RC behind a source: v = 10 (1 - e^(-t)), i = 10 e^(-t). */
#define RC                                                                                         \
  "<circuit name='c'><voltage name='U' nodes='a 0' value='10'/>"                                   \
  "<resistor name='R' nodes='a b' R='1'/><capacitor name='C' nodes='b 0' C='1'/>"                  \
  "<probe name='p' nodes='a b'/><out name='half' from='b.v/2'/><out name='i' from='R.i'/>"         \
  "</circuit><function name='g' formula='c.half'/>"

static void test_readings_are_what_they_are_called(void)
{
  g_autoptr(HyLoaded) loaded =
      load_text(RC "<experiment stop='1' method='cvode_bdf' dqrel='1e-9' dqmin='1e-9' grid='1' "
                   "record='c/C c/R c/U.i c/b.v c/a.v c/p.v c.half c.i g'/>");
  g_autoptr(HyRun) run = go(loaded, "auto");
  const HyRecorder *t = hy_run_table(run, 0);
  double v = 10 * (1 - exp(-1)), i = 10 * exp(-1);
  const struct {
    const char *path, *unit;
    double value;
  } columns[] = {{"c/C.v", "V", v},       {"c/C.i", "A", i}, {"c/R.v", "V", i},  {"c/R.i", "A", i},
                 {"c/U.i", "A", -i},      {"c/b.v", "V", v}, {"c/a.v", "V", 10}, {"c/p.v", "V", i},
                 {"c.half", NULL, v / 2}, {"c.i", "A", i},   {"g", NULL, v / 2}};
  for (guint k = 0; k < G_N_ELEMENTS(columns); k++) {
    guint column = 0;
    TEST_ASSERT_TRUE_MESSAGE(hy_recorder_find(t, columns[k].path, &column), columns[k].path);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-7, columns[k].value, last(run, column), columns[k].path);
    if (columns[k].unit != NULL) {
      TEST_ASSERT_EQUAL_STRING(columns[k].unit, hy_recorder_column(t, column)->unit);
    }
  }
}

/* Slope 1e5 V/s over 2 uF and 3 uF, 100 Ohm across the second, which starts at 2 V: 36000 V/s. A
 * current rises by 1000 A/s to 5 A into coils of 1 and 4 mH, 2 Ohm behind the first. */
static void test_ramps_drive_loops_and_cuts(void)
{
  g_autoptr(HyLoaded) loaded = load_text(
      "<ramp name='u' duration='1m' height='100'/><circuit name='c' u='u'><in name='u'/>"
      "<voltage name='U' nodes='a 0' value='u'/><capacitor name='C1' nodes='a b' C='2u'/>"
      "<capacitor name='C2' nodes='b 0' C='3u' v0='2'/><resistor name='R' nodes='b 0' R='100'/>"
      "</circuit><ramp name='i' duration='5m' height='5'/><circuit name='d' i='i'><in name='i'/>"
      "<current name='I' nodes='0 a' value='i'/><inductor name='L1' nodes='a b' L='1m'/>"
      "<resistor name='R' nodes='b 0' R='2'/><inductor name='L2' nodes='a 0' L='4m'/></circuit>"
      "<experiment stop='2m' method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' grid='0.5m' "
      "record='c/C1.i c/C2.i c/C2.v d/L1.i d/L1.v'/>");
  g_autoptr(HyRun) run = go(loaded, "auto");
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.128, hy_recorder_value(table, 0, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.108, hy_recorder_value(table, 0, 1));
  double tau = 100 * 5e-6, end = 20 + (2 - 20) * exp(-1e-3 / tau); /* 2 uF 1e5 V/s into 100 Ohm */
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, end * exp(-1e-3 / tau), last(run, 2));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2e-6 * last(run, 2) / (100 * 5e-6), last(run, 0));
  double rise = 4e-3 * 1000 / 2 * (1 - exp(-2e-3 * 2 / 5e-3)); /* 5 mH i' = 4 mH I' - 2 Ohm i */
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, rise, last(run, 3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 1e-3 * (4 - 2 * rise) / 5e-3, last(run, 4));
}

/* A part by itself has a voltage of its own nodes and a warning; behind a transformer it has none.
 */
static void test_a_part_alone_is_told(void)
{
  const char *body = "<circuit name='c'>\n<transformer name='T' nodes='a 0 s z' ratio='2'/>"
                     "<voltage name='U' nodes='a 0' value='1'/><resistor name='R' nodes='s z' "
                     "R='1'/>\n<voltage name='E' nodes='x y' value='3'/>"
                     "<resistor name='Q' nodes='x y' R='1'/></circuit>"
                     "<experiment stop='1' grid='1' record='c/x.v c/y.v c/Q.i'/>";
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(messages, "m.xml:3: "), messages);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(messages, "c/E: no element leads from x, y to 0; voltages there are against x"),
      messages);
  TEST_ASSERT_NULL_MESSAGE(strstr(messages, "from s"), messages);
  g_autoptr(HyRun) run = go(loaded, "auto");
  TEST_ASSERT_EQUAL_DOUBLE(0, last(run, 0));
  TEST_ASSERT_EQUAL_DOUBLE(-3, last(run, 1));
  TEST_ASSERT_EQUAL_DOUBLE(3, last(run, 2));
}

static void test_controlled_sources_that_cannot_be(void)
{
  expect_message("<circuit name='c'>\n<voltage name='E1' nodes='a 0' value='1 + 2*F2.v'/>\n"
                 "<resistor name='R' nodes='a 0' R='1'/>\n<current name='F2' nodes='b 0' "
                 "value='-R.i/2'/><resistor name='R2' nodes='b 0' R='1'/></circuit>",
                 "m.xml:2: c: controlled sources determine one another: E1, F2 (lines 2, 4)");
  hy_report_free(report);
  report = hy_report_new();
  expect_message("<circuit name='c'><voltage name='E' nodes='a 0' value='1 + R.i^2'/>"
                 "<resistor name='R' nodes='a 0' R='1'/></circuit>",
                 "algebraic loop: c/E.v.in");
}

/* The value of a source reads itself by way of a mode: where that leaves nothing, the run says so.
 */
static void test_a_mode_may_take_the_only_solution(void)
{
  g_autoptr(HyLoaded) loaded = load_text(
      "<circuit name='c'><voltage name='E' nodes='a 0' value='1 + S.on*a.v'/>"
      "<resistor name='R' nodes='a 0' R='1'/><ideal_switch name='S' nodes='a 0' control='t - 1'/>"
      "</circuit><experiment stop='3' record='c/E.v'/>");
  HyRunSettings settings = HY_RUN_SETTINGS;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  TEST_ASSERT_FALSE(hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "c/E.v: division by zero"), error->message);
  TEST_ASSERT_EQUAL_DOUBLE(1, last(run, 0));
}

/* E1 = m E1 + E2 - 3, E2 = 2 E1 + m E2 - 5, where m = 1 from t = 1.5: in each mode another row has
 * the pivot, 8 and 11 V, then 2.5 and 3 V. With E1 in place of 2 E1 nothing says what they are
 * before. */
static void test_a_mode_may_take_a_pivot(void)
{
  const char *body = "<circuit name='c'><voltage name='E1' nodes='a 0' value='S.on*a.v + b.v - 3'/>"
                     "<voltage name='E2' nodes='b 0' value='%s*a.v + S.on*b.v - 5'/>"
                     "<ideal_switch name='S' nodes='a 0' control='t - 1'/></circuit>"
                     "<experiment stop='3' grid='1' record='c/E1.v c/E2.v'/>";
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *text = g_strdup_printf(body, "2");
    g_autoptr(HyLoaded) loaded = load_text(text);
    g_autoptr(HyRun) run = go(loaded, engines[k]);
    const HyRecorder *t = hy_run_table(run, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 8, hy_recorder_value(t, 1, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 11, hy_recorder_value(t, 1, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2.5, last(run, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, last(run, 1));
  }
  g_autofree char *text = g_strdup_printf(body, "1");
  g_autoptr(HyLoaded) loaded = load_text(text);
  HyRunSettings settings = HY_RUN_SETTINGS;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_FALSE(run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "c/E2.v: division by zero"), error->message);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "m:E2"), error->message);
}

static void test_copies_and_ifs_make_a_ladder(void)
{
  g_autoptr(HyLoaded) loaded = load_text(
      "<circuit name='c'><param name='N' value='4'/><voltage name='U' nodes='x[0] 0' value='1'/>"
      "<resistor name='R' count='N' nodes='x[i - 1] x[i]' R='i'/>"
      "<resistor name='S' if='N > 9' nodes='x[N] 0' R='1m'/>"
      "<resistor name='T' if='9 > N' nodes='x[N] 0' R='10'/></circuit>"
      "<experiment stop='1' grid='1' record='c/R[2].i c/x[2].v'/>");
  g_autoptr(HyRun) run = go(loaded, "auto");
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 / 20, last(run, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 17.0 / 20, last(run, 1));
}

/* A thyristor fired at 90 degrees conducts from there to the end of the half wave. */
static void test_a_thyristor_waits_for_its_gate(void)
{
  g_autoptr(HyLoaded) loaded = load_text(
      "<sine name='s' frequency='1' dqmin='1e-7'/><pulse name='g' start='0.25' end='0.3'/>"
      "<circuit name='c' u='s' g='g'><in name='u'/><in name='g'/>"
      "<voltage name='U' nodes='a 0' value='u'/><thyristor name='T' nodes='a b' gate='g'/>"
      "<inductor name='L' nodes='d 0' L='1u'/><resistor name='R' nodes='b d' R='1'/></circuit>"
      "<experiment stop='1' method='block_liqss2' record='c/T.on c/L.i' grid='0.07'/>");
  g_autoptr(HyRun) run = go(loaded, "auto");
  const HyRecorder *t = hy_run_table(run, 0);
  for (guint64 row = 0; row < hy_recorder_rows(t); row++) {
    double at = hy_recorder_time(t, row);
    gboolean on = at > 0.25 && at < 0.5;
    TEST_ASSERT_EQUAL_DOUBLE(on, hy_recorder_value(t, row, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1.1e-3, on ? sin(2 * G_PI * at) : 0, hy_recorder_value(t, row, 1));
  }
}

/* A thyristor whose gate is up and whose current passes 0 where a diode in series turns, too: it
 * toggled to and fro until the run ended. The coil beside them sees nothing of that. */
static void test_a_thyristor_toggles_once_at_an_instant(void)
{
  double end[2], w = 2 * G_PI * 1593, phase = 0.9157;
  run_all("<sine name='s' amplitude='40' frequency='1593' phase='0.9157'/>"
          "<pwm name='g' period='0.0001536' duty='0.619' phase='2.941e-05'/>"
          "<pwm name='h' period='0.0001702' duty='0.2488' phase='0.0001253'/>"
          "<circuit name='c' u='s' g='g' h='h'><in name='u'/><in name='g'/><in name='h'/>"
          "<ideal_diode name='D' nodes='a b' Ron='0.07557' Roff='60590' Vf='0.7'/>"
          "<ideal_switch name='S' nodes='b 0' Ron='0.05645' Roff='257000' control='h'/>"
          "<voltage name='U' nodes='a 0' value='u'/>"
          "<thyristor name='T' nodes='b 0' Ron='0.009317' Roff='43050' gate='g'/>"
          "<inductor name='L' nodes='a 0' L='1e-5'/></circuit><experiment stop='1m' grid='1m' "
          "method='block_liqss2' dqrel='1e-6' dqmin='1e-6' record='c/L.i c/T.on'/>",
          2, end);
  double i = 40 / (w * 1e-5) * (cos(phase) - cos(w * 1e-3 + phase));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * fabs(i), i, end[0]);
  TEST_ASSERT_EQUAL_DOUBLE(0, end[1]); /* the source is below 0 */
}

/* A buck for every twenty sections of a line of 1,045. Of 53 switches that are off at first each
 * lets a millionth through, so what decides the last diodes leaves the numbers. The first sections,
 * by cvode_bdf at 1e-10. */
static void test_a_line_of_many_open_switches(void)
{
  g_autoptr(GString) body =
      g_string_new("<pwm name='g' period='100u' duty='0.4'/><circuit name='c' g='g'><in name='g'/>"
                   "<voltage name='U' nodes='n0 0' value='24'/>");
  for (guint k = 0; k < 1045; k++) {
    if (k % 20 == 0) {
      g_string_append_printf(
          body,
          "<ideal_switch name='S%u' nodes='n%u m%u' control='g' Ron='1m' "
          "Roff='1M'/><ideal_diode name='D%u' nodes='0 m%u' Ron='1m' Roff='1M'/>",
          k, k, k, k, k);
    } else {
      g_string_append_printf(body, "<resistor name='R%u' nodes='n%u m%u' R='10m'/>", k, k, k);
    }
    g_string_append_printf(body,
                           "<inductor name='L%u' nodes='m%u n%u' L='100u'/>"
                           "<capacitor name='C%u' nodes='n%u 0' C='10u'/>",
                           k, k, k + 1, k, k + 1);
  }
  g_string_append(body,
                  "<resistor name='RL' nodes='n1045 0' R='10'/></circuit><experiment stop='1m' "
                  "method='block_liqss2' dqrel='1e-6' dqmin='1e-6' grid='1m' "
                  "record='c/C0.v c/C19.v c/C20.v c/C1044.v'/>");
  static const double right[] = {3.419886126, 25.708515844, 0.960886191, 0.0};
  g_autoptr(HyLoaded) loaded = load_text(body->str);
  g_autoptr(HyRun) run = go(loaded, NULL);
  for (guint k = 0; k < G_N_ELEMENTS(right); k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, right[k], last(run, k));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_thyristor_toggles_once_at_an_instant);
  RUN_TEST(test_circuits_end_where_they_should);
  RUN_TEST(test_a_circuit_has_the_events_of_its_diagram);
  RUN_TEST(test_rectifiers_step_from_event_to_event);
  RUN_TEST(test_engines_agree_on_a_circuit);
  RUN_TEST(test_readings_are_what_they_are_called);
  RUN_TEST(test_ramps_drive_loops_and_cuts);
  RUN_TEST(test_a_part_alone_is_told);
  RUN_TEST(test_controlled_sources_that_cannot_be);
  RUN_TEST(test_a_mode_may_take_the_only_solution);
  RUN_TEST(test_a_mode_may_take_a_pivot);
  RUN_TEST(test_copies_and_ifs_make_a_ladder);
  RUN_TEST(test_a_thyristor_waits_for_its_gate);
  RUN_TEST(test_a_line_of_many_open_switches);
  return UNITY_END();
}
