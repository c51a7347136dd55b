/* The exact reference of converters with controllers, against closed forms; and its networks
 * against the balance of power (Tellegen): what goes into coils and capacitors is what sources give
 * less what becomes heat. */
#include "loop_parts.h"
#include "unity.h"

#include <math.h>

static Loop loop;
static Truth *truth;
static GArray *toggles;

void setUp(void)
{
  toggles = g_array_new(FALSE, TRUE, sizeof(Toggle));
  truth = NULL;
}

void tearDown(void)
{
  g_array_free(toggles, TRUE);
  g_free(truth);
}

static void solve(void)
{
  truth = truth_new(&loop, 1, toggles);
  TEST_ASSERT_EQUAL_INT(TRUTH_OK, truth->kind);
}

static double instant(int sample)
{
  return (sample + 1) * loop.stop / LOOP_SAMPLES;
}

/* When NAME, a gate or signal of number INDEX, becomes NOW for the Nth time from 0 on; NaN: never.
 */
static double when(const char *name, int index, int now, int nth)
{
  for (guint k = 0; k < toggles->len; k++) {
    const Toggle *g = &g_array_index(toggles, Toggle, k);
    if (strcmp(g->name, name) == 0 && g->index == index && g->now == now && nth-- == 0) {
      return g->t;
    }
  }
  return NAN;
}

static void near(double wanted, double v, double relative)
{
  TEST_ASSERT_DOUBLE_WITHIN(fabs(wanted) * relative, wanted, v);
}

static void test_a_capacitor_is_charged_through_a_resistance(void)
{
  part_clear(&loop, 5e-3);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  part(&loop, LOOP_RESISTOR, 1, 2, 1e3);
  part_from(&loop, LOOP_CAPACITOR, 2, 0, 1e-6, 2);
  solve();
  for (int k = 0; k < LOOP_SAMPLES; k++) {
    near(10 - 8 * exp(-instant(k) / 1e-3), truth->x[k][0], 1e-14);
  }
}

/* With leakage of 1e18 Ohm: rates twenty decades apart leave a thousand turns as they are. */
static void test_a_coil_and_a_capacitor_ring(void)
{
  double w = 1 / sqrt(1e-3 * 1e-6);
  part_clear(&loop, 1000 * 2 * G_PI / w);
  part_from(&loop, LOOP_COIL, 1, 0, 1e-3, 0);
  part_from(&loop, LOOP_CAPACITOR, 1, 0, 1e-6, 5);
  part(&loop, LOOP_VOLTAGE, 2, 0, 1);
  part(&loop, LOOP_RESISTOR, 2, 3, 1e-6);
  part_from(&loop, LOOP_COIL, 3, 4, 1e-9, 0);
  part(&loop, LOOP_RESISTOR, 4, 1, 1e12);
  solve();
  for (int k = 0; k < LOOP_SAMPLES; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 5 * cos(w * instant(k)), truth->x[k][1]);
  }
}

/* Two coupled coils with a closed second one: the first sees (1 - k^2) L. */
static void test_a_closed_winding_leaves_the_leakage(void)
{
  part_clear(&loop, 1e-6);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  part_from(&loop, LOOP_COIL, 1, 0, 1e-3, 0);
  part_from(&loop, LOOP_COIL, 2, 0, 4e-3, 0);
  part(&loop, LOOP_RESISTOR, 2, 0, 1e-9);
  loop.coupling[loop.couplings++] = (LoopCoupling){1, 2, 0.999};
  solve();
  near(10 * 1e-6 / (1e-3 * (1 - 0.999 * 0.999)), truth->x[LOOP_SAMPLES - 1][0], 1e-9);
}

static LoopGate pwm(int signal, double period)
{
  return (LoopGate){.kind = GATE_PWM, .of = -1, .signal = signal, .period = period};
}

/* A boost converter into a source of 30 V: i rises with 10/L, falls with 20/L and rests. */
static void test_a_boost_converter_rests_between_pulses(void)
{
  part_clear(&loop, 20e-6);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  part_from(&loop, LOOP_COIL, 1, 2, 1e-4, 0);
  part(&loop, LOOP_VOLTAGE, 3, 0, 30);
  valve(&loop, LOOP_SWITCH, 2, 0, 1e-9, 1e9, 0);
  valve(&loop, LOOP_DIODE, 2, 3, 1e-9, 1e9, -1);
  gate_of(&loop, pwm(signal_of(&loop, (LoopSignal){.value = 0.4}), 10e-6));
  solve();
  for (int k = 0; k < LOOP_SAMPLES; k++) {
    double t = fmod(instant(k), 10e-6), i = t < 4e-6 ? 1e5 * t : fmax(0, 0.4 - 2e5 * (t - 4e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, i, truth->x[k][0]);
  }
  near(6e-6, when("E4", 0, 0, 0), 1e-6);
  near(14e-6, when("E4", 0, 1, 1), 1e-12);
}

/* The drop of a diode and what leaks: on v = Vf (1 - Ron/Roff) + Ron i, off v = Roff i, which meet
 * at Vf/Roff. */
static void test_a_diode_conducts_beyond_its_knee(void)
{
  part_clear(&loop, 2);
  int source =
      signal_of(&loop, (LoopSignal){.kind = SIGNAL_SINE, .amplitude = 1, .frequency = 0.25});
  loop.element[part(&loop, LOOP_VOLTAGE, 1, 0, 0)].signal = source;
  loop.element[valve(&loop, LOOP_DIODE, 1, 2, 0.5, 1e9, -1)].vf = 0.6;
  part(&loop, LOOP_RESISTOR, 2, 0, 2);
  part_from(&loop, LOOP_CAPACITOR, 2, 0, 1e-12, 1e-3);
  solve();
  near(asin(0.6) / (G_PI / 2), when("E1", 0, 1, 0), 1e-8);
  near(2 - asin(0.6) / (G_PI / 2), when("E1", 0, 0, 0), 1e-8);
  near(0.4 * 2 / 2.5, truth->x[LOOP_SAMPLES / 2 - 1][0], 1e-6);
}

/* Ten volts through a transistor or its body into R and L. */
static void test_hysteresis_toggles_where_exponentials_meet_the_band(void)
{
  part_clear(&loop, 2e-3);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  valve(&loop, LOOP_SWITCH, 1, 2, 1e-12, 1e12, 0);
  valve(&loop, LOOP_DIODE, 0, 2, 1e-12, 1e12, -1);
  int coil = part_from(&loop, LOOP_COIL, 2, 3, 1e-3, 0);
  part(&loop, LOOP_RESISTOR, 3, 0, 5);
  int wanted = signal_of(&loop, (LoopSignal){.value = 1});
  gate_of(&loop,
          (LoopGate){
              .kind = GATE_HYSTERESIS, .of = -1, .signal = wanted, .measured = coil, .band = 0.2});
  solve();
  double tau = 2e-4, up = tau * log(2 / 0.9), down = tau * log(1.1 / 0.9),
         again = tau * log(1.1 / 0.9);
  up = tau * log(2 / (2 - 1.1));
  for (int k = 0; k < 5; k++) {
    near(up + k * (down + again), when("gate", 0, 0, k), 1e-10);
    near(up + down + k * (down + again), when("gate", 0, 1, k), 1e-10);
  }
}

/* A PI whose error is a constant of 2 V meets carriers where it should, rests at its limit at 0.9.
 */
static void test_natural_pwm_meets_its_carrier(void)
{
  double T = 1e-3, ki = 25, kp = 0.05;
  part_clear(&loop, 20e-3);
  part(&loop, LOOP_VOLTAGE, 1, 0, 1);
  int measured = part(&loop, LOOP_RESISTOR, 1, 0, 1);
  part_from(&loop, LOOP_CAPACITOR, 2, 0, 1, 1);
  valve(&loop, LOOP_SWITCH, 1, 2, 1, 1e6, 0);
  int wanted = signal_of(&loop, (LoopSignal){.value = 3});
  int pi = signal_of(&loop, (LoopSignal){.kind = SIGNAL_PI,
                                         .of = wanted,
                                         .measured = measured,
                                         .kp = kp,
                                         .ki = ki,
                                         .lower = 0.02,
                                         .upper = 0.9,
                                         .initial = 0.1});
  gate_of(&loop, pwm(pi, T));
  solve();
  for (int k = 0; k < 20; k++) { /* t/T - k = 0.1 + 2 kp + 2 ki t */
    double t = (k + 0.2) / (1 / T - 2 * ki);
    t = 0.2 + 2 * ki * t < 0.9 ? t : (k + 0.9) * T;
    near(t, when("gate", 0, 0, k), 1e-12);
    near((k + 1) * T, k < 19 ? when("gate", 0, 1, k) : (k + 1) * T, 1e-12);
  }
  near(0.7 / (2 * ki), when("limit", 1, 1, 0), 1e-12);
  near(0.8 / (2 * ki), when("integral", 1, 1, 0), 1e-12);
}

/* u[k] = kp e + x[k], x[k+1] = limit(x[k] + T ki e), by a triangle and with dead time. */
static void test_a_sampled_pi_and_dead_time(void)
{
  double T = 1e-3, dead = 2e-5;
  part_clear(&loop, 8e-3);
  part(&loop, LOOP_VOLTAGE, 1, 0, 1);
  int measured = part(&loop, LOOP_RESISTOR, 1, 0, 1);
  part_from(&loop, LOOP_CAPACITOR, 2, 0, 1, 1);
  valve(&loop, LOOP_SWITCH, 1, 2, 1, 1e6, 1);
  int wanted =
      signal_of(&loop, (LoopSignal){.kind = SIGNAL_STEP, .value = 3, .to = 0, .at = 3.5e-3});
  int pi = signal_of(&loop, (LoopSignal){.kind = SIGNAL_PI,
                                         .of = wanted,
                                         .measured = measured,
                                         .kp = 0.05,
                                         .ki = 50,
                                         .lower = 0.1,
                                         .upper = 0.9,
                                         .initial = 0.2,
                                         .period = T});
  int gate = gate_of(&loop, pwm(pi, T));
  loop.gate[gate].triangle = TRUE;
  gate_of(&loop, (LoopGate){.kind = GATE_DELAY, .of = gate, .time = dead});
  solve();
  double x = 0.2;
  for (int k = 0; k < 8; k++) {
    double e = k < 4 ? 2 : -1, u = fmin(fmax(0.05 * e + x, 0.1), 0.9);
    near((k + u / 2) * T, when("gate", 0, 0, k), 1e-12);
    near((k + 1 - u / 2) * T, when("gate", 0, 1, k), 1e-12);
    near((k + 1 - u / 2) * T + dead, when("gate", 1, 1, k + 1), 1e-12);
    x = fmin(fmax(x + T * 50 * e, 0.1), 0.9);
  }
}

/* i rises by 1e4 A/s from where it is; a period that begins above stays off. */
static void test_peak_current_with_slope_and_largest_duty(void)
{
  double T = 1e-4, slope = 2e3;
  part_clear(&loop, 6 * T);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  valve(&loop, LOOP_SWITCH, 1, 2, 1e-12, 1e12, 0);
  valve(&loop, LOOP_DIODE, 0, 2, 1e-12, 1e12, -1);
  int coil = part_from(&loop, LOOP_COIL, 2, 3, 1e-3, 0);
  part(&loop, LOOP_VOLTAGE, 3, 0, 5);
  int wanted =
      signal_of(&loop, (LoopSignal){.kind = SIGNAL_STEP, .value = 0.5, .to = 0.1, .at = 3.5 * T});
  gate_of(&loop, (LoopGate){.kind = GATE_PEAK,
                            .of = -1,
                            .signal = wanted,
                            .measured = coil,
                            .period = T,
                            .slope = slope,
                            .most = 0.8});
  solve();
  near(0.5 / 7e3, when("gate", 0, 0, 0), 1e-9); /* 5e3 t + 2e3 t = 0.5 */
  double i = 5e3 * 0.5 / 7e3 - 5e3 * (T - 0.5 / 7e3);
  near(T + (0.5 - i) / 7e3, when("gate", 0, 0, 1), 1e-9);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2 * T, when("gate", 0, 1, 1));
  TEST_ASSERT_TRUE(when("gate", 0, 1, 3) > 4.5 * T || isnan(when("gate", 0, 1, 3)));
}

/* A comparison without a band on what it drives has no next instant. */
static void test_a_comparison_that_slides_is_left_out(void)
{
  part_clear(&loop, 1e-3);
  part(&loop, LOOP_VOLTAGE, 1, 0, 10);
  valve(&loop, LOOP_SWITCH, 1, 2, 1e-3, 1e6, 0);
  part(&loop, LOOP_RESISTOR, 2, 0, 10);
  int coil = part_from(&loop, LOOP_COIL, 2, 3, 1e-3, 0);
  part(&loop, LOOP_RESISTOR, 3, 0, 1);
  int wanted = signal_of(&loop, (LoopSignal){.value = 1});
  gate_of(&loop, (LoopGate){.kind = GATE_HYSTERESIS, .of = -1, .signal = wanted, .measured = coil});
  truth = truth_new(&loop, 1, NULL);
  TEST_ASSERT_EQUAL_INT(TRUTH_SLIDES, truth->kind);
}

static void test_a_cut_of_coils_is_left_out(void)
{
  part_clear(&loop, 1e-3);
  part_from(&loop, LOOP_COIL, 1, 0, 1e-3, 0);
  part_from(&loop, LOOP_COIL, 1, 2, 1e-3, 0);
  part(&loop, LOOP_RESISTOR, 2, 0, 1);
  truth = truth_new(&loop, 1, NULL);
  TEST_ASSERT_EQUAL_INT(TRUTH_SINGULAR, truth->kind);
}

/* Power -----------------------------------------------------------------------------------------
 */

static double at(const LoopReal *form, const LoopReal *z, int width)
{
  LoopReal v = 0;
  for (int k = 0; k < width; k++) {
    v += form[k] * z[k];
  }
  return (double)v;
}

static double inductance(const Loop *l, int a, int b)
{
  double v = a == b ? l->element[a].value : 0;
  for (int k = 0; k < l->couplings; k++) {
    const LoopCoupling *c = &l->coupling[k];
    gboolean of = (c->first == a && c->second == b) || (c->first == b && c->second == a);
    v += of ? c->k * sqrt(l->element[a].value * l->element[b].value) : 0;
  }
  return v;
}

/* What goes into element K, from its own law; of a capacitor and a coil, what it stores. */
static double power_of(const Loop *l, const LoopColumns *c, const LoopField *f, int k,
                       const LoopReal *z)
{
  const LoopElement *e = &l->element[k];
  double m = at(f->measure[k], z, c->width), power = 0;
  gboolean gated = e->gate >= 0 && (f->modes.gates >> e->gate & 1);
  switch (e->kind) {
  case LOOP_RESISTOR:
    return m * m / e->value;
  case LOOP_CAPACITOR:
    return m * e->value * at(f->rate[e->state], z, c->width);
  case LOOP_COIL:
    for (int j = 0; j < l->elements; j++) {
      if (l->element[j].kind == LOOP_COIL) {
        power += inductance(l, k, j) * at(f->rate[l->element[j].state], z, c->width) * m;
      }
    }
    return power;
  case LOOP_VOLTAGE:
    return m * (e->signal >= 0 ? (double)z[c->at[e->signal]] : e->value);
  case LOOP_TRANSFORMER:
    return 0;
  default:
    if (e->diode >= 0 && !gated && (f->modes.diodes >> e->diode & 1)) {
      gboolean body = e->kind == LOOP_TRANSISTOR;
      double r = body ? e->rd : e->ron, drop = e->vf * (1 - r / e->roff);
      return m * (r * m + (body ? -drop : drop));
    }
    return m * m * (gated ? e->ron : e->roff);
  }
}

static void balance(guint64 seed)
{
  LoopColumns c;
  LoopField *f = g_new0(LoopField, 1);
  LoopReal z[LOOP_WIDTH] = {0};
  loop_random(&loop, seed);
  loop_columns(&loop, &c);
  for (guint32 set = 0; set < 4; set++) {
    double sum = 0, size = 0;
    LoopModes m = {.gates = set == 0 ? 0 : set * 0x5a5a5au,
                   .diodes = set == 0 ? 0 : set * 0x123457u};
    for (int k = 0; k < loop.states; k++) {
      z[k] = loop_state(&loop, k)->kind == LOOP_COIL ? 1 + k % 3 : 10 * (k % 4) - 7;
    }
    z[c.one] = 1;
    TEST_ASSERT_TRUE(loop_field(f, &loop, &c, &m));
    for (int k = 0; k < loop.elements; k++) {
      gboolean current = loop.element[k].kind == LOOP_CURRENT;
      double p = current ? 0 : power_of(&loop, &c, f, k, z); /* a step that has not come yet */
      sum += p;
      size += fabs(p);
    }
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12 * size, 0, sum, loop.family);
  }
  g_free(f);
}

static void test_power_is_kept_in_every_configuration(void)
{
  for (guint64 seed = 1; seed <= 40; seed++) {
    balance(seed);
  }
}

/* Looking five times closer finds no other toggle. */
static void test_a_closer_look_finds_nothing_else(void)
{
  for (guint64 seed = 1; seed <= 8; seed++) {
    loop_random(&loop, seed);
    g_autofree Truth *a = truth_new(&loop, 1, NULL), *b = truth_new(&loop, 5, NULL);
    TEST_ASSERT_EQUAL_INT(a->kind, b->kind);
    TEST_ASSERT_EQUAL_INT(a->toggles, b->toggles);
    for (int k = 0; k < loop.states && a->kind == TRUTH_OK; k++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * a->peak[k], a->x[LOOP_SAMPLES - 1][k],
                                b->x[LOOP_SAMPLES - 1][k]);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_capacitor_is_charged_through_a_resistance);
  RUN_TEST(test_a_coil_and_a_capacitor_ring);
  RUN_TEST(test_a_closed_winding_leaves_the_leakage);
  RUN_TEST(test_a_boost_converter_rests_between_pulses);
  RUN_TEST(test_a_diode_conducts_beyond_its_knee);
  RUN_TEST(test_hysteresis_toggles_where_exponentials_meet_the_band);
  RUN_TEST(test_natural_pwm_meets_its_carrier);
  RUN_TEST(test_a_sampled_pi_and_dead_time);
  RUN_TEST(test_peak_current_with_slope_and_largest_duty);
  RUN_TEST(test_a_comparison_that_slides_is_left_out);
  RUN_TEST(test_a_cut_of_coils_is_left_out);
  RUN_TEST(test_power_is_kept_in_every_configuration);
  RUN_TEST(test_a_closer_look_finds_nothing_else);
  return UNITY_END();
}
