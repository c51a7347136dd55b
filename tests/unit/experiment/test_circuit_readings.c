/* Sources and switches that read their own circuit by way of choices, functions and modes, beside
 * what they are by hand, in all engines. */
#include "circuit_run.h"

static const char *const engines[] = {"tree", "flat", "fused"};

#define MOST_COLUMNS 4

#define FEED "<voltage name='U' nodes='a 0' value='10'/><resistor name='R' nodes='a b' R='1'/>"
#define STOP                                                                                       \
  "</circuit><experiment stop='1' grid='1' method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' "        \
  "record='c/R.i c/E.v'/>"

static void test_a_choice_is_solved_for(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED "<ideal_diode name='D' nodes='b d'/>"
          "<voltage name='E' nodes='d 0' value='if(D.on > 0.5, 2*R.i, 1)'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 10 / 3.001, end[0]);
  run_all("<circuit name='c'>" FEED "<ideal_diode name='D' nodes='d b'/>"
          "<voltage name='E' nodes='d 0' value='1 + if(not D.on, b.v/2, 3*R.i)'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 + (10 - end[0]) / 2, end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (10 - end[1]) / 1000001, end[0]);
}

/* The condition reads what the source decides: 2 i + 1 below 4 A, else 9 V. */
static void test_a_choice_may_be_about_the_source_itself(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED
          "<voltage name='E' nodes='b 0' value='if(R.i + E.v/9 &lt; 5, 2*R.i + 1, 9)'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 7, end[1]);
}

/* What has no value on the side that is not taken is not looked at. */
static void test_a_side_that_is_not_taken_has_no_value(void)
{
  double end[MOST_COLUMNS], v = 10 * (1 - exp(-1));
  run_all("<circuit name='c'>" FEED
          "<capacitor name='C' nodes='b 0' C='1'/><resistor name='S' nodes='a e' R='1'/>"
          "<voltage name='E' nodes='e 0' value='if(C.v > 1, S.i/C.v, 0)'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 10 / (1 + v), end[1]);
}

/* A follower of gain 1e5 between 15 and -15 V. */
static void test_an_amplifier_saturates(void)
{
  static const char *const values[] = {"limit(1e5*(a.v - b.v), -15, 15)",
                                       "min(max(1e5*(a.v - b.v), -15), 15)",
                                       "max(-15, min(15, 1e5*(a.v - b.v), 99))"};
  for (guint k = 0; k < G_N_ELEMENTS(values); k++) {
    g_autofree char *body = g_strdup_printf(
        "<circuit name='c'><voltage name='U' nodes='a 0' value='20*sin(6*t)'/>"
        "<resistor name='R' nodes='b 0' R='1k'/><voltage name='E' nodes='b 0' value='%s'/>"
        "</circuit><experiment stop='2' grid='0.01' record='c/U.v c/E.v'/>",
        values[k]);
    g_autoptr(HyLoaded) loaded = load_text(body);
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      g_autoptr(HyRun) run = go(loaded, engines[e]);
      const HyRecorder *table = hy_run_table(run, 0);
      for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
        double u = hy_recorder_value(table, row, 0) / (1 + 1e-5);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, CLAMP(u, -15, 15), hy_recorder_value(table, row, 1));
      }
    }
  }
}

static void test_the_value_without_its_sign(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED "<voltage name='E' nodes='b 0' value='abs(R.i)/2'/>" STOP, 2,
          end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 20 / 3.0, end[0]);
  run_all("<circuit name='c'>" FEED "<voltage name='E' nodes='b 0' value='20 + abs(R.i)/2'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -20, end[0]);
}

/* R.i = (10 - E)/1, f = k x + y of the circuit, g of f; 1 + f[2] - f[1] + g = 1 + 2 i + i + 1/2. */
static void test_functions_of_the_circuit_are_solved_for(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED
          "<function name='f' count='3' formula='i*x + y' x='2*R.i' y='if(R.i > 0, 1, 2)'/>"
          "<voltage name='E' nodes='b 0' value='1 + f[2] - f[1] + g'/>"
          "<function name='g' formula='f[1]/2 + z' z='t'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (10 - 1.5 - 1) / 4, end[0]);
}

/* 10 V, 1 Ohm, 1 mH to 0 or through a diode to 20 V: between 4 and 5 A. */
static void test_a_switch_is_told_by_a_block_with_a_memory(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED "<inductor name='L' nodes='b d' L='1m'/>"
          "<ideal_switch name='S' nodes='d 0' control='more' Ron='1u'/>"
          "<ideal_diode name='D' nodes='d e' Ron='1u'/><voltage name='E' nodes='e 0' value='20'/>"
          "<function name='more' formula='1 - h'/>"
          "<block name='h' type='hysteresis' in='L.i' lower='4' upper='5'/></circuit>"
          "<experiment stop='2m' grid='2m' method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' "
          "record='c/L.i c/h'/>",
          2, end);
  /* up: 10 - 6 e^(-t/ms) from 4 to 5 A; down: 10 V less from 5 to 4 A */
  double first = 1e-3 * log(10.0 / 5), down = 1e-3 * log(15.0 / 14), up = 1e-3 * log(6.0 / 5);
  double left = fmod(2e-3 - first, down + up);
  double i = left < down ? -10 + 15 * exp(-left / 1e-3) : 10 - 6 * exp(-(left - down) / 1e-3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, i, end[0]);
  TEST_ASSERT_EQUAL_DOUBLE(left < down, end[1]);
}

/* A switch that looks at two readings, each of which it changes: on while i is above a fifth of v.
 */
static void test_a_switch_compares_readings_when_both_have_come(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'><voltage name='U' nodes='a 0' value='10*sin(t)'/>"
          "<resistor name='R' nodes='a b' R='1'/><resistor name='Q' nodes='b 0' R='2'/>"
          "<ideal_switch name='E' nodes='b 0' control='R.i + 0.1*b.v > 2' Ron='0.5' Roff='1G'/>"
          "</circuit><experiment stop='1' grid='1' dqrel='1e-6' record='c/R.i c/E.on'/>",
          2, end);
  double u = 10 * sin(1), load = 1 / (1 / 0.5 + 1 / 2.0);
  TEST_ASSERT_EQUAL_DOUBLE(1, end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, u / (1 + load), end[0]);
}

/* A signal of the time that decides its own mode says nothing twice. */
static void test_a_ramp_may_decide_its_own_mode(void)
{
  double end[MOST_COLUMNS];
  run_all("<function name='f' formula='t + if(g > 0, 1, 2)'/><function name='g' formula='5 - f'/>"
          "<experiment stop='6' grid='6' record='f'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 8, end[0]);
}

/* i^2 + i = 10, and a diode of 1 pA and 25 mV behind 10 V and 1 Ohm, by the block that solves
 * loops. */
static void test_a_loop_breaker_solves_what_is_not_affine(void)
{
  double end[MOST_COLUMNS];
  run_all("<circuit name='c'>" FEED "<block name='z' type='loop_breaker' in='R.i^2'/>"
          "<voltage name='E' nodes='b 0' value='z'/>" STOP,
          2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, (sqrt(41) - 1) / 2, end[0]);
  run_all("<circuit name='c'>" FEED "<block name='z' type='loop_breaker' in='25m*log(1 + R.i/1p)'/>"
          "<voltage name='E' nodes='b 0' value='z'/>" STOP,
          2, end);
  double v = 0.7;
  for (guint k = 0; k < 50; k++) {
    v = 25e-3 * log(1 + (10 - v) / 1e-12);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, v, end[1]);
}

static void test_a_true_loop_says_what_breaks_it(void)
{
  expect_message("<circuit name='c'>" FEED
                 "<voltage name='E' nodes='b 0' value='R.i^2'/></circuit>",
                 "algebraic loop: c/E.v.in[1] <- c/R.i.out, c/R.i.in[1] <- c/E.v.out (lines 1, 1); "
                 "break it with a capacitor, an inductor, a delay or a loop_breaker");
}

static void test_what_is_beyond_copies_is_no_value_of_an_element(void)
{
  expect_message("<circuit name='c'><resistor name='R' nodes='a 0' R='1'/>"
                 "<function name='u' formula='i' count='3' before='7'/>"
                 "<voltage name='E' nodes='a 0' value='u[0]'/></circuit>",
                 "c/E: \"u\" beyond its copies cannot stand in what an element needs");
}

/* A bare name is the value, one with a reading the element, wherever either stands: 10 V behind
 * R = 4 Ohm and L = 2 H, in a circuit inside 1 kOhm called L. */
static void test_elements_are_called_as_values(void)
{
  double end[MOST_COLUMNS];
  run_all("<param name='R' value='4'/><circuit name='c'><inductor name='L' nodes='a b' L='2*L'/>"
          "<param name='L' value='1'/><let name='K' value='0.5'/><voltage name='U' nodes='a 0' "
          "value='10'/><resistor name='R' nodes='b 0' R='R'/><inductor name='M' count='2' "
          "nodes='x[i] 0' L='L' i0='i'/><coupling name='K' inductors='M[1] M[2]' k='K'/>"
          "<resistor name='Q' count='2' nodes='x[i] 0' R='R/2'/>"
          "<circuit name='h' a='a'><node name='a'/><resistor name='L' nodes='a 0' R='L*1k'/>"
          "<out name='i' from='L.i'/></circuit><out name='p' from='L*L.i + R*R.i + h.i'/></circuit>"
          "<experiment stop='1' grid='1' method='cvode_bdf' dqrel='1e-10' dqmin='1e-10' "
          "record='c/L.i c/R.v c.p c/M[2].i'/>",
          4, end);
  double i = 2.5 * (1 - exp(-2.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, i, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 4 * i, end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 5 * i + 0.01, end[2]);
  /* 2 Ohm beside each of two coils of 1 H, k = 1/2: sum and difference of 1 and 2 A decay */
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, (3 * exp(-2 / 1.5) + exp(-2 / 0.5)) / 2, end[3]);
}

static void test_names_that_clash(void)
{
  static const char *const bad[][2] = {
      {"<param name='R' value='1'/><resistor name='R' nodes='a 0' R='R'/>"
       "<resistor name='R' nodes='a 0' R='R'/>",
       "this name is already taken by the resistor in line 1"},
      {"<param name='R' value='1'/><resistor name='R' nodes='R 0' R='R'/>",
       "\"R\" is the name of the "},
      {"<resistor name='R' nodes='a 0' R='1'/><function name='R' formula='2'/>",
       "this name is already taken by the resistor in line 1"},
      {"<resistor name='R' nodes='a 0' R='1'/><current name='I' nodes='0 a' value='R'/>",
       "R.i or R.v"}};
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    g_autofree char *body = g_strdup_printf("<circuit name='c'>%s</circuit>", bad[k][0]);
    expect_message(body, bad[k][1]);
    hy_report_free(report);
    report = hy_report_new();
  }
}

static guint64 cycles_with(const char *outs)
{
  g_autofree char *body = g_strdup_printf(
      "<pwm name='g' period='10u' duty='0.4'/><circuit name='c' g='g'><in name='g'/>"
      "<voltage name='U' nodes='in 0' value='48'/><ideal_switch name='S' nodes='in x' control='g'/>"
      "<inductor name='M' nodes='x 0' L='100u'/><transformer name='T' nodes='x 0 0 s' ratio='2'/>"
      "<ideal_diode name='D' nodes='s m'/><capacitor name='C1' nodes='m 0' C='100u'/>"
      "<inductor name='L' nodes='m c' L='10u'/><resistor name='R1' nodes='c out' R='1'/>"
      "<ideal_diode name='F' nodes='0 out'/><current name='I' nodes='0 out' value='0.1'/>"
      "<capacitor name='C' nodes='c 0' C='100u'/><resistor name='R' nodes='out 0' R='5'/>%s"
      "</circuit><experiment stop='1m' method='block_liqss2' record='c/C.v' grid='100u'/>",
      outs);
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, "fused");
  HyTotals totals;
  hy_sim_totals(hy_run_sim(run), &totals);
  return totals.cycles;
}

/* Potentials divide by sums of conductances, which are never 0: ports that nobody reads cost
 * nothing. */
static void test_ports_that_nobody_reads_cost_nothing(void)
{
  guint64 without = cycles_with("");
  TEST_ASSERT_LESS_THAN_UINT64(1000, without);
  TEST_ASSERT_LESS_OR_EQUAL_UINT64(without + 5, cycles_with("<out name='v' from='out.v'/>"));
  TEST_ASSERT_LESS_OR_EQUAL_UINT64(
      without + 5, cycles_with("<out name='x' from='x.v'/><out name='i' from='T.i[1]'/>"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ports_that_nobody_reads_cost_nothing);
  RUN_TEST(test_elements_are_called_as_values);
  RUN_TEST(test_names_that_clash);
  RUN_TEST(test_a_choice_is_solved_for);
  RUN_TEST(test_a_choice_may_be_about_the_source_itself);
  RUN_TEST(test_a_side_that_is_not_taken_has_no_value);
  RUN_TEST(test_an_amplifier_saturates);
  RUN_TEST(test_the_value_without_its_sign);
  RUN_TEST(test_functions_of_the_circuit_are_solved_for);
  RUN_TEST(test_a_switch_is_told_by_a_block_with_a_memory);
  RUN_TEST(test_a_switch_compares_readings_when_both_have_come);
  RUN_TEST(test_a_ramp_may_decide_its_own_mode);
  RUN_TEST(test_a_loop_breaker_solves_what_is_not_affine);
  RUN_TEST(test_a_true_loop_says_what_breaks_it);
  RUN_TEST(test_what_is_beyond_copies_is_no_value_of_an_element);
  return UNITY_END();
}
