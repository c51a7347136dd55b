/* Equations of circuits whose currents and derivatives are known from elsewhere. */
#include "circuit_values.h"

#include <math.h>

static const HyBranchKind V = HY_BRANCH_VOLTAGE, C = HY_BRANCH_CAPACITOR, R = HY_BRANCH_RESISTOR,
                          L = HY_BRANCH_COIL, I = HY_BRANCH_CURRENT;

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_divider(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), m = hy_circuit_node(t.circuit, "m");
  guint u = try_add(&t, V, "U", a, 0, 12, 0);
  guint r = try_add(&t, R, "R1", a, m, 2, 0);
  guint s = try_add(&t, R, "R2", m, 0, 4, 0);
  try_solve(&t);
  TRY_NEAR(2.0, &t, hy_circuit_current(t.circuit, r));
  TRY_NEAR(2.0, &t, hy_circuit_current(t.circuit, s));
  TRY_NEAR(-2.0, &t, hy_circuit_current(t.circuit, u));
  TRY_NEAR(8.0, &t, hy_circuit_potential(t.circuit, m));
  TRY_NEAR(4.0, &t, hy_circuit_across(t.circuit, r));
  try_end(&t);
}

/* 10 V behind 1 Ohm, 5 Ohm; 200 u and 50 u, k 0.9; i = 2, -1. */
static void test_two_coupled_coils(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), a = hy_circuit_node(t.circuit, "a"),
        b = hy_circuit_node(t.circuit, "b");
  try_add(&t, V, "U", in, 0, 10, 0);
  try_add(&t, R, "R1", in, a, 1, 0);
  guint l = try_add(&t, L, "L1", a, 0, 200e-6, 2);
  guint m = try_add(&t, L, "L2", b, 0, 50e-6, -1);
  try_add(&t, R, "R2", b, 0, 5, 0);
  hy_circuit_couple(t.circuit, l, m, 0.9, 0);
  try_solve(&t);
  TRY_NEAR(-26315.7894736842, &t, hy_circuit_derivative(t.circuit, l));
  TRY_NEAR(147368.421052632, &t, hy_circuit_derivative(t.circuit, m));
  try_end(&t);
}

static void test_three_windings(void)
{
  Try t = try_begin();
  const double size[] = {100e-6, 20e-6, 30e-6}, now[] = {1, -2, -3};
  const char *names[] = {"L1", "L2", "L3"};
  guint in = hy_circuit_node(t.circuit, "in"), coil[3];
  try_add(&t, V, "U", in, 0, 10, 0);
  for (guint k = 0; k < 3; k++) {
    guint node = hy_circuit_node(t.circuit, names[k]);
    coil[k] = try_add(&t, L, names[k], node, 0, size[k], now[k]);
    try_add(&t, R, "R", k == 0 ? in : node, k == 0 ? node : 0, k == 0 ? 1 : 2, 0);
  }
  hy_circuit_couple(t.circuit, coil[0], coil[1], 0.9, 0);
  hy_circuit_couple(t.circuit, coil[0], coil[2], 0.8, 0);
  hy_circuit_couple(t.circuit, coil[1], coil[2], 0.85, 0);
  try_solve(&t);
  const double wanted[] = {28418.328, -79951.701, 213980.622};
  for (guint k = 0; k < 3; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, wanted[k],
                              try_value(&t, hy_circuit_derivative(t.circuit, coil[k])));
  }
  try_end(&t);
}

/* Slope 1e5 V/s over 2 uF and 3 uF in series, 100 Ohm across the second at 2 V. */
static void test_a_source_and_capacitors_in_a_loop(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), m = hy_circuit_node(t.circuit, "m");
  HyBranch u = {.kind = V, .name = "U", .a = in, .signal = try_set(&t, "u", 5), .has_slope = TRUE};
  u.slope_value = 1e5;
  hy_circuit_add(t.circuit, &u);
  HyBranch c1 = {.kind = C, .name = "C1", .a = in, .b = m, .value = 2e-6};
  c1.signal = hy_formula_pool_name(t.pool, "C1.v");
  HyBranch c2 = {.kind = C, .name = "C2", .a = m, .value = 3e-6, .stated = TRUE, .start = 2};
  c2.signal = try_set(&t, "C2.v", 2);
  guint one = hy_circuit_add(t.circuit, &c1), two = hy_circuit_add(t.circuit, &c2);
  try_add(&t, R, "R", m, 0, 100, 0);
  try_solve(&t);
  TEST_ASSERT_FALSE(hy_circuit_is_state(t.circuit, one)); /* the other says where it starts */
  TRY_NEAR(36000.0, &t, hy_circuit_derivative(t.circuit, two));
  TRY_NEAR(0.128, &t, hy_circuit_current(t.circuit, one));
  TRY_NEAR(0.108, &t, hy_circuit_current(t.circuit, two));
  TRY_NEAR(3.0, &t, hy_circuit_across(t.circuit, one));
  TRY_NEAR(-0.128, &t, hy_circuit_current(t.circuit, 0));
  try_end(&t);
}

/* 1 uF beside 2 uF, 3 A, 100 Ohm, 100 V. */
static void test_capacitors_side_by_side(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a");
  guint c1 = try_add(&t, C, "C1", a, 0, 1e-6, 100);
  guint c2 = try_add(&t, C, "C2", a, 0, 2e-6, 100);
  try_add(&t, I, "I", 0, a, 3, 0);
  try_add(&t, R, "R", a, 0, 100, 0);
  try_solve(&t);
  TRY_NEAR(666666.666666667, &t, hy_circuit_derivative(t.circuit, c1));
  TRY_NEAR(0.666666666666667, &t, hy_circuit_current(t.circuit, c1));
  TRY_NEAR(1.33333333333333, &t, hy_circuit_current(t.circuit, c2));
  try_end(&t);
}

/* A star of 1, 2, 3 mH behind 1, 2, 3 Ohm at 10, -2, -8 V, i = 1, 2, -3. */
static void test_coils_in_a_star(void)
{
  Try t = try_begin();
  const double u[] = {10, -2, -8}, now[] = {1, 2, -3};
  const double wanted[] = {5545.4545454545, -4727.2727272727, -818.1818181818};
  const char *names[] = {"La", "Lb", "Lc"};
  guint star = hy_circuit_node(t.circuit, "n"), coil[3];
  double sum = 0;
  for (guint k = 0; k < 3; k++) {
    guint x = hy_circuit_node(t.circuit, "x"), y = hy_circuit_node(t.circuit, "y");
    try_add(&t, V, "U", x, 0, u[k], 0);
    try_add(&t, R, "R", x, y, k + 1, 0);
    coil[k] = try_add(&t, L, names[k], y, star, 1e-3 * (k + 1), now[k]);
  }
  try_solve(&t);
  for (guint k = 0; k < 3; k++) {
    TRY_NEAR(now[k], &t, hy_circuit_current(t.circuit, coil[k]));
    if (hy_circuit_is_state(t.circuit, coil[k])) {
      TRY_NEAR(wanted[k], &t, hy_circuit_derivative(t.circuit, coil[k]));
    }
    double v = try_value(&t, hy_circuit_across(t.circuit, coil[k]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 1e-3 * (k + 1) * wanted[k], v);
    sum += v;
  }
  /* potential of the star point: what is behind each coil */
  double n = 10 - 1 - 5.5454545454545;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, n, try_value(&t, hy_circuit_potential(t.circuit, star)));
  TEST_ASSERT_TRUE(isfinite(sum));
  try_end(&t);
}

/* 5 A rising by 1000 A/s into 1 mH with 2 Ohm, beside 4 mH; i = 2, 3. */
static void test_a_ramp_into_coils(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), b = hy_circuit_node(t.circuit, "b");
  HyBranch i = {.kind = I, .name = "I", .b = a, .signal = try_set(&t, "i", 5), .has_slope = TRUE};
  i.slope_value = 1000;
  hy_circuit_add(t.circuit, &i);
  HyBranch l1 = {
      .kind = L, .name = "L1", .a = a, .b = b, .value = 1e-3, .stated = TRUE, .start = 2};
  l1.signal = try_set(&t, "L1.i", 2);
  try_add(&t, R, "R", b, 0, 2, 0);
  HyBranch l2 = {.kind = L, .name = "L2", .a = a, .value = 4e-3, .stated = TRUE, .start = 3};
  l2.signal = try_set(&t, "L2.i", 3);
  guint one = hy_circuit_add(t.circuit, &l1), two = hy_circuit_add(t.circuit, &l2);
  try_solve(&t);
  const double wanted[] = {0, 1000};
  for (guint k = 0; k < 2; k++) {
    guint branch = k == 0 ? one : two;
    if (hy_circuit_is_state(t.circuit, branch)) {
      TRY_NEAR(wanted[k], &t, hy_circuit_derivative(t.circuit, branch));
    } else {
      TRY_NEAR(4e-3 * wanted[1] * (k == 1), &t, hy_circuit_across(t.circuit, branch));
      TRY_NEAR(k == 0 ? 2 : 3, &t, hy_circuit_current(t.circuit, branch));
    }
  }
  try_end(&t);
}

/* A diode of 0.7 V, 1 mOhm, 1 MOhm behind 24 V and 10 Ohm. */
static void test_a_diode_with_a_drop(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), b = hy_circuit_node(t.circuit, "b");
  try_add(&t, V, "U", a, 0, 24, 0);
  try_add(&t, R, "R", a, b, 10, 0);
  HyBranch d = {.kind = R, .name = "D", .a = b, .drop = 0.7 * (1 - 1e-9)};
  d.signal = try_set(&t, "D.R", 1e-3);
  d.conductance = try_set(&t, "D.G", 1e3);
  d.on = try_set(&t, "D.on", 1);
  guint k = hy_circuit_add(t.circuit, &d);
  try_solve(&t);
  TRY_NEAR(2.329767023, &t, hy_circuit_current(t.circuit, k));
  TRY_NEAR(0.7 + 2.329767023e-3, &t, hy_circuit_across(t.circuit, k));
  try_end(&t);
}

/* Transformers --------------------------------------------------------------------------------- */

static guint transformer(Try *t, const char *name, guint p1, guint p2, guint s1, guint s2,
                         double ratio)
{
  HyTransformer x = {.name = name, .node = {p1, p2, s1, s2}, .ratio = ratio};
  return hy_circuit_transformer(t->circuit, &x);
}

/* 4:1, 24 V behind 0.5 Ohm, 2 Ohm on a side of its own. */
static void test_an_isolated_transformer(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), a = hy_circuit_node(t.circuit, "a"),
        s = hy_circuit_node(t.circuit, "s"), z = hy_circuit_node(t.circuit, "z");
  try_add(&t, V, "U", in, 0, 24, 0);
  try_add(&t, R, "R1", in, a, 0.5, 0);
  guint x = transformer(&t, "T", a, 0, s, z, 4);
  try_add(&t, R, "R2", s, z, 2, 0);
  try_solve(&t);
  TRY_NEAR(0.738461538461538, &t, hy_circuit_current(t.circuit, x));
  TRY_NEAR(-4 * 0.738461538461538, &t, hy_circuit_current(t.circuit, x + 1));
  TRY_NEAR(24 - 0.738461538461538 / 2, &t, hy_circuit_voltage(t.circuit, a, 0));
  TRY_NEAR((24 - 0.738461538461538 / 2) / 4, &t, hy_circuit_across(t.circuit, x + 1));
  TEST_ASSERT_NOT_EQUAL(0, hy_circuit_island(t.circuit, s)); /* no way to 0 */
  try_end(&t);
}

/* The same with a valve in place of each resistance: what is given by name is no number. */
static void test_a_transformer_between_valves(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), a = hy_circuit_node(t.circuit, "a"),
        s = hy_circuit_node(t.circuit, "s");
  try_add(&t, V, "U", in, 0, 24, 0);
  HyBranch d = {.kind = R, .name = "D", .a = in, .b = a, .drop = 0.4};
  d.signal = try_set(&t, "D.R", 0.5);
  d.conductance = try_set(&t, "D.G", 2);
  d.on = try_set(&t, "D.on", 1);
  hy_circuit_add(t.circuit, &d);
  guint x = transformer(&t, "T", a, 0, s, 0, 4);
  HyBranch r = {.kind = R, .name = "R", .a = s, .signal = try_set(&t, "R:R", 2)};
  hy_circuit_add(t.circuit, &r);
  try_solve(&t);
  TRY_NEAR(23.6 / 32.5, &t, hy_circuit_current(t.circuit, x));
  try_end(&t);
}

/* Fed by 1 mH at 3 A only the other winding can be the source of voltage. */
static void test_a_transformer_behind_a_coil(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), a = hy_circuit_node(t.circuit, "a"),
        s = hy_circuit_node(t.circuit, "s");
  try_add(&t, V, "U", in, 0, 24, 0);
  guint l = try_add(&t, L, "L", in, a, 1e-3, 3);
  transformer(&t, "T", a, 0, s, 0, 4);
  try_add(&t, R, "R2", s, 0, 2, 0);
  try_solve(&t);
  TRY_NEAR(-72000.0, &t, hy_circuit_derivative(t.circuit, l));
  try_end(&t);
}

/* 4:1 and 0.5:1 one behind the other. */
static void test_a_chain_of_transformers(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), a = hy_circuit_node(t.circuit, "a"),
        m = hy_circuit_node(t.circuit, "m"), s = hy_circuit_node(t.circuit, "s");
  try_add(&t, V, "U", in, 0, 24, 0);
  guint r = try_add(&t, R, "R1", in, a, 0.5, 0);
  transformer(&t, "T1", a, 0, m, 0, 4);
  transformer(&t, "T2", m, 0, s, 0, 0.5);
  guint o = try_add(&t, R, "R2", s, 0, 2, 0);
  try_solve(&t);
  TRY_NEAR(2.823529411764706, &t, hy_circuit_current(t.circuit, r));
  TRY_NEAR(5.647058823529412, &t, hy_circuit_current(t.circuit, o));
  try_end(&t);
}

/* Triangle to star, ratio 2, 100, -50, -50 V behind 0.1 Ohm each, 5 Ohm each on the star. */
static void test_a_triangle_and_a_star(void)
{
  Try t = try_begin();
  const double u[] = {100, -50, -50}, wanted[] = {14.7783251231527, 0, -14.7783251231527};
  const char *names[] = {"Ta", "Tb", "Tc"};
  guint line[3], load[3];
  for (guint k = 0; k < 3; k++) {
    guint node = hy_circuit_node(t.circuit, "u");
    line[k] = hy_circuit_node(t.circuit, "l");
    try_add(&t, V, "U", node, 0, u[k], 0);
    try_add(&t, R, "R", node, line[k], 0.1, 0);
  }
  for (guint k = 0; k < 3; k++) {
    guint out = hy_circuit_node(t.circuit, "s");
    transformer(&t, names[k], line[k], line[(k + 1) % 3], out, 0, 2);
    load[k] = try_add(&t, R, "Ro", out, 0, 5, 0);
  }
  try_solve(&t);
  for (guint k = 0; k < 3; k++) {
    double i = try_value(&t, hy_circuit_current(t.circuit, load[k]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, wanted[k], i);
  }
  try_end(&t);
}

/* Three windings of a core with a coil of 1.5 A across the first; each is fed by 1e-6 or 1e9 Ohm,
 * and all that are closed would have the core at 2 V. */
typedef struct {
  double turns[3], resistance[3], source[3];
} Core;

static Core core_of(guint closed)
{
  Core core = {.turns = {1.0, 1.0 / 3, -0.7}};
  for (guint k = 0; k < 3; k++) {
    core.resistance[k] = closed >> k & 1 ? 1e-6 : 1e9;
    core.source[k] = closed >> k & 1 ? 2 * core.turns[k] : 5 + k;
  }
  return core;
}

/* With h = turns^2/R: a current of a winding is made of what the others would have it be. */
static double core_current(const Core *core, guint k)
{
  double h[3], sum = 0, part = -1.5;
  for (guint j = 0; j < 3; j++) {
    h[j] = core->turns[j] * core->turns[j] / core->resistance[j];
    sum += h[j];
  }
  for (guint j = 0; j < 3; j++) {
    double apart = core->source[k] / core->turns[k] - core->source[j] / core->turns[j];
    part += j == k ? 0 : h[j] * apart;
  }
  return h[k] * part / sum / core->turns[k];
}

static void check_core(guint closed)
{
  Core core = core_of(closed);
  Try t = try_begin();
  guint node[3], r[3];
  for (guint k = 0; k < 3; k++) {
    guint from = hy_circuit_node(t.circuit, "u");
    node[k] = hy_circuit_node(t.circuit, "w");
    try_add(&t, V, "U", from, 0, core.source[k], 0);
    HyBranch s = {.kind = R, .name = "S", .a = from, .b = node[k], .value = core.resistance[k]};
    r[k] = hy_circuit_add(t.circuit, &s);
  }
  guint l = try_add(&t, L, "L", 0, node[0], 1e-3, 1.5);
  transformer(&t, "T1", node[0], 0, node[1], 0, core.turns[0] / core.turns[1]);
  transformer(&t, "T2", node[0], 0, node[2], 0, core.turns[0] / core.turns[2]);
  try_solve(&t);
  for (guint k = 0; k < 3; k++) {
    double i = try_value(&t, hy_circuit_current(t.circuit, r[k]));
    double tolerance = closed >> k & 1 ? 3e-9 : 1e-10;
    TEST_ASSERT_DOUBLE_WITHIN(tolerance, core_current(&core, k), i);
  }
  if (closed != 0) {
    double slope = try_value(&t, hy_circuit_derivative(t.circuit, l));
    TEST_ASSERT_DOUBLE_WITHIN(0.02, -2000, slope);
  }
  try_end(&t);
}

/* What was known by way of the open switches was off by some percent of an ampere. */
static void test_windings_behind_switches(void)
{
  for (guint closed = 0; closed < 8; closed++) {
    check_core(closed);
  }
}

/* A capacitor at each winding: they are one, C1 + C2/n^2 seen from the first. */
static void test_a_transformer_between_capacitors(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), s = hy_circuit_node(t.circuit, "s");
  guint c1 = try_add(&t, C, "C1", a, 0, 2e-6, 6);
  guint c2 = try_add(&t, C, "C2", s, 0, 36e-6, 2);
  guint x = transformer(&t, "T", a, 0, s, 0, 3);
  try_add(&t, R, "R1", a, 0, 2, 0);
  guint r2 = try_add(&t, R, "R2", s, 0, 0.5, 0);
  try_solve(&t);
  double slope = -(6 / 2.0 + 2 / 0.5 / 3) / (2e-6 + 36e-6 / 9);
  TEST_ASSERT_TRUE(hy_circuit_is_state(t.circuit, c1));
  TEST_ASSERT_FALSE(hy_circuit_is_state(t.circuit, c2));
  TRY_NEAR(slope, &t, hy_circuit_derivative(t.circuit, c1));
  TRY_NEAR(2.0, &t, hy_circuit_across(t.circuit, c2));
  TRY_NEAR(4.0, &t, hy_circuit_current(t.circuit, r2));
  TRY_NEAR(36e-6 * slope / 3, &t, hy_circuit_current(t.circuit, c2));
  TRY_NEAR(-3 - 2e-6 * slope, &t, hy_circuit_current(t.circuit, x));
  try_end(&t);
}

/* 24 V, L1 = 3u, 2:1, L2 = 0.5u and 1 Ohm: one coil of L1 + 4 L2 = 5u, seen from the first winding.
 * The winding may stand before or behind its coil, and 0.1 Ohm between. */
static void check_two_leakages(gboolean turned, gboolean magnetizing)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), x = hy_circuit_node(t.circuit, "x"),
        p = hy_circuit_node(t.circuit, "p"), s = hy_circuit_node(t.circuit, "s"),
        y = hy_circuit_node(t.circuit, "y"), z = hy_circuit_node(t.circuit, "z"), l1, l2, m = 0;
  double i1 = magnetizing ? 4 : 3, im = magnetizing ? 1 : 0, i2 = 2 * (i1 - im);
  try_add(&t, V, "U", in, 0, 24, 0);
  l1 = turned ? try_add(&t, L, "L1", x, in, 3e-6, -i1) : try_add(&t, L, "L1", in, x, 3e-6, i1);
  try_add(&t, R, "R1", x, p, 0.1, 0);
  if (magnetizing) {
    m = try_add(&t, L, "M", p, 0, 100e-6, im);
  }
  guint w =
      turned ? transformer(&t, "T", s, z, p, 0, 0.5) + 1 : transformer(&t, "T", p, 0, s, z, 2);
  l2 = try_add(&t, L, "L2", s, y, 0.5e-6, i2);
  guint load = try_add(&t, R, "R2", y, z, 1, 0);
  try_solve(&t);
  TRY_NEAR(i2, &t, hy_circuit_current(t.circuit, load));
  TRY_NEAR(i2, &t, hy_circuit_current(t.circuit, l2));
  TRY_NEAR(i1 - im, &t, hy_circuit_current(t.circuit, w));
  /* v at the winding p, of (u1 - v)/L1 = v/M + (v - u2)/(4 L2) */
  double u1 = 24 - 0.1 * i1, u2 = 2 * i2, g1 = 1 / 3e-6, g2 = 1 / 2e-6;
  double v = (u1 * g1 + u2 * g2) / (g1 + g2 + (magnetizing ? 1e4 : 0));
  double d1 = (u1 - v) / 3e-6, d2 = 2 * (v - u2) / 2e-6;
  TRY_NEAR(v, &t, hy_circuit_voltage(t.circuit, p, 0));
  TRY_NEAR(turned ? d1 * -3e-6 : d1 * 3e-6, &t, hy_circuit_across(t.circuit, l1));
  TRY_NEAR(d2 * 0.5e-6, &t, hy_circuit_across(t.circuit, l2));
  TEST_ASSERT_TRUE(!magnetizing || hy_circuit_is_state(t.circuit, m) ||
                   (hy_circuit_is_state(t.circuit, l1) && hy_circuit_is_state(t.circuit, l2)));
  guint states = 0;
  for (guint k = 0; k < 3; k++) {
    guint coil = k == 0 ? l1 : k == 1 ? l2 : m;
    double slope = k == 0 ? (turned ? -d1 : d1) : k == 1 ? d2 : v / 100e-6;
    if ((k < 2 || magnetizing) && hy_circuit_is_state(t.circuit, coil)) {
      TRY_NEAR(slope, &t, hy_circuit_derivative(t.circuit, coil));
      states++;
    }
  }
  TEST_ASSERT_EQUAL_UINT(magnetizing ? 2 : 1, states);
  try_end(&t);
}

static void test_a_transformer_between_leakages(void)
{
  for (guint k = 0; k < 4; k++) {
    check_two_leakages(k % 2 == 1, k / 2 == 1);
  }
}

/* Coils that start as no transformer allows, by way of a chain: L2 = 2 * 3 L1. */
static void test_leakages_that_start_against_each_other_are_refused(void)
{
  for (guint k = 0; k < 2; k++) {
    Try t = try_begin();
    guint in = hy_circuit_node(t.circuit, "in"), p = hy_circuit_node(t.circuit, "p"),
          m = hy_circuit_node(t.circuit, "m"), s = hy_circuit_node(t.circuit, "s"),
          y = hy_circuit_node(t.circuit, "y");
    try_add(&t, V, "U", in, 0, 24, 0);
    HyBranch l1 = {.kind = L, .name = "L1", .a = in, .b = p, .value = 1e-6, .stated = TRUE};
    HyBranch l2 = {.kind = L, .name = "L2", .a = s, .b = y, .value = 1e-6, .stated = TRUE};
    l1.signal = try_set(&t, "L1.i", 1), l2.signal = try_set(&t, "L2.i", 6);
    l1.start = 1, l2.start = k == 0 ? 6 : 5;
    hy_circuit_add(t.circuit, &l1);
    transformer(&t, "T1", p, 0, m, 0, 2);
    transformer(&t, "T2", m, 0, s, 0, 3);
    hy_circuit_add(t.circuit, &l2);
    try_add(&t, R, "R", y, 0, 1, 0);
    gboolean ok = hy_circuit_solve(t.circuit, &t.fault);
    TEST_ASSERT_EQUAL(k == 0, ok);
    if (k == 1) {
      TEST_ASSERT_EQUAL_STRING("L1, T1, L2 make a cut: L1 starts at 1, the others make it "
                               "0.833333333333333",
                               t.fault.text);
    }
    try_end(&t);
  }
}

/* Controlled sources --------------------------------------------------------------------------- */

/* A source of KIND between A and B that is REST and FACTOR times what it reads. */
static guint controlled(Try *t, HyBranchKind kind, const char *name, guint a, guint b, double rest,
                        HyControl x, double factor)
{
  g_autofree char *signal = g_strconcat(name, ".y", NULL);
  HyBranch source = {.kind = kind, .name = name, .a = a, .b = b};
  source.signal = hy_formula_pool_name(t->pool, signal);
  guint k = hy_circuit_add(t->circuit, &source);
  x.factor = hy_formula_number(t->pool, factor);
  hy_circuit_control(t->circuit, k, hy_formula_number(t->pool, rest), &x, 1);
  return k;
}

/* An amplifier of -1e5 with 1 k before it and 10 k back: 1 V becomes -A/(1 + (1 + A)/10). */
static void test_an_amplifier_with_feedback(void)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), m = hy_circuit_node(t.circuit, "m"),
        out = hy_circuit_node(t.circuit, "out");
  try_add(&t, V, "U", in, 0, 1, 0);
  try_add(&t, R, "R1", in, m, 1e3, 0);
  guint r = try_add(&t, R, "R2", m, out, 10e3, 0);
  guint e = controlled(&t, V, "E", out, 0, 0, (HyControl){HY_CONTROL_BETWEEN, m, 0, NULL}, -1e5);
  try_solve(&t);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, -9.99890012, try_value(&t, hy_circuit_across(t.circuit, e)));
  TRY_NEAR(-1e6 / (10 + 100001), &t, hy_circuit_potential(t.circuit, out));
  TRY_NEAR((1 + 9.998900120986691) / 11e3, &t, hy_circuit_current(t.circuit, r));
  try_end(&t);
}

/* F: 3 times the current through 2 Ohm flows into 4 Ohm; H: 5 times that of 4 Ohm is a voltage at
 * 10 Ohm, and 1 V more. */
static void test_sources_controlled_by_currents(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), b = hy_circuit_node(t.circuit, "b"),
        d = hy_circuit_node(t.circuit, "d");
  try_add(&t, V, "U", a, 0, 6, 0);
  guint r = try_add(&t, R, "R1", a, 0, 2, 0);
  guint f = controlled(&t, I, "F", 0, b, 0, (HyControl){HY_CONTROL_CURRENT, r, 0, NULL}, 3);
  guint s = try_add(&t, R, "R2", b, 0, 4, 0);
  guint h = controlled(&t, V, "H", d, 0, 1, (HyControl){HY_CONTROL_CURRENT, s, 0, NULL}, 5);
  guint o = try_add(&t, R, "R3", d, 0, 10, 0);
  try_solve(&t);
  TRY_NEAR(9.0, &t, hy_circuit_current(t.circuit, f));
  TRY_NEAR(-36.0, &t, hy_circuit_across(t.circuit, f));
  TRY_NEAR(46.0, &t, hy_circuit_across(t.circuit, h));
  TRY_NEAR(4.6, &t, hy_circuit_current(t.circuit, o));
  try_end(&t);
}

/* E1 = E1 + E2 - 3, E2 = E1 + E2 - 5: no pivot is where the document has it. E2 = 3, E1 = 5. */
static void test_sources_that_determine_one_another(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), b = hy_circuit_node(t.circuit, "b");
  HyBranch e = {.kind = V, .a = a, .name = "E1", .signal = hy_formula_pool_name(t.pool, "E1.v")};
  guint one = hy_circuit_add(t.circuit, &e);
  e.a = b, e.name = "E2", e.signal = hy_formula_pool_name(t.pool, "E2.v");
  guint two = hy_circuit_add(t.circuit, &e);
  const HyFormula *factor = hy_formula_number(t.pool, 1);
  const HyControl both[] = {{HY_CONTROL_BETWEEN, a, 0, factor},
                            {HY_CONTROL_ACROSS, two, 0, factor}};
  hy_circuit_control(t.circuit, one, hy_formula_number(t.pool, -3), both, 2);
  hy_circuit_control(t.circuit, two, hy_formula_number(t.pool, -5), both, 2);
  try_solve(&t);
  TRY_NEAR(5.0, &t, hy_circuit_across(t.circuit, one));
  TRY_NEAR(3.0, &t, hy_circuit_potential(t.circuit, b));
  try_end(&t);
}

/* Faults --------------------------------------------------------------------------------------- */

static void expect_fault(Try *t, const char *text)
{
  TEST_ASSERT_FALSE(hy_circuit_solve(t->circuit, &t->fault));
  TEST_ASSERT_EQUAL_STRING(text, t->fault.text);
  try_end(t);
}

static HyBranch source(Try *t, HyBranchKind kind, const char *name, guint a, guint b)
{
  g_autofree char *signal = g_strconcat(name, ".in", NULL);
  return (HyBranch){.kind = kind, .name = name, .a = a, .b = b, .signal = try_set(t, signal, 1)};
}

static void test_faults_name_elements(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a"), b = hy_circuit_node(t.circuit, "b");
  try_add(&t, V, "U", a, 0, 1, 0);
  try_add(&t, V, "E1", b, 0, 1, 0);
  try_add(&t, V, "W", a, b, 1, 0);
  expect_fault(&t,
               "loop of voltage sources: W, U, E1; put a resistance in series with one of them");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  HyBranch u = source(&t, V, "U", a, 0);
  hy_circuit_add(t.circuit, &u);
  try_add(&t, C, "C1", a, 0, 1e-6, 0);
  expect_fault(&t, "loop of C1 with U, whose slope is not known: put a resistance (its ESR) in "
                   "series with C1");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  try_add(&t, I, "I1", 0, a, 1, 0);
  try_add(&t, I, "I2", a, 0, 1, 0);
  expect_fault(&t, "only current sources lead to node a: I1, I2; give them a resistance");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  HyBranch i = source(&t, I, "I1", 0, a);
  hy_circuit_add(t.circuit, &i);
  try_add(&t, L, "L", a, 0, 1e-3, 0);
  expect_fault(&t, "cut of L with I1, whose slope is not known: put a resistance across L");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  try_add(&t, C, "C1", a, a, 1e-3, 0);
  expect_fault(&t, "both ends of C1 on node a");
}

static void test_faults_of_controlled_sources(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a");
  controlled(&t, V, "E1", a, 0, 1, (HyControl){HY_CONTROL_BETWEEN, a, 0, NULL}, 1);
  expect_fault(&t, "controlled source determines itself: E1");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  guint b = hy_circuit_node(t.circuit, "b");
  guint u = controlled(&t, V, "E1", a, 0, 1, (HyControl){HY_CONTROL_BETWEEN, b, 0, NULL}, 2);
  controlled(&t, V, "E3", hy_circuit_node(t.circuit, "x"), 0, 1,
             (HyControl){HY_CONTROL_BETWEEN, b, 0, NULL}, 2);
  guint r = try_add(&t, R, "R", a, 0, 3, 0);
  TEST_ASSERT_EQUAL_UINT(u + 2, r);
  controlled(&t, I, "F2", 0, b, 1, (HyControl){HY_CONTROL_CURRENT, r, 0, NULL}, 1.5);
  try_add(&t, R, "R2", b, 0, 1, 0);
  expect_fault(&t, "controlled sources determine one another: E1, F2");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  b = hy_circuit_node(t.circuit, "b");
  try_add(&t, R, "R", b, 0, 1, 0);
  controlled(&t, V, "E", a, 0, 0, (HyControl){HY_CONTROL_BETWEEN, b, 0, NULL}, 2);
  try_add(&t, C, "C1", a, 0, 1e-6, 0);
  expect_fault(&t, "loop of C1 with E, whose slope is not known: put a resistance (its ESR) in "
                   "series with C1");

  t = try_begin();
  a = hy_circuit_node(t.circuit, "a");
  b = hy_circuit_node(t.circuit, "b");
  r = try_add(&t, R, "R", b, 0, 1, 0);
  controlled(&t, I, "F", 0, a, 0, (HyControl){HY_CONTROL_CURRENT, r, 0, NULL}, 2);
  try_add(&t, L, "L", a, 0, 1e-3, 0);
  expect_fault(&t, "cut of L with F, whose slope is not known: put a resistance across L");
}

static void test_a_coupling_too_close(void)
{
  Try t = try_begin();
  guint coil[3];
  const char *names[] = {"L1", "L2", "L3"};
  for (guint k = 0; k < 3; k++) {
    guint node = hy_circuit_node(t.circuit, names[k]);
    coil[k] = try_add(&t, L, names[k], node, 0, 1e-3, 0);
    try_add(&t, R, "R", node, 0, 1, 0);
  }
  hy_circuit_couple(t.circuit, coil[0], coil[1], 0.9, 7);
  hy_circuit_couple(t.circuit, coil[1], coil[2], 0.9, 7);
  hy_circuit_couple(t.circuit, coil[0], coil[2], -0.9, 7);
  expect_fault(&t, "coupling of L1, L2, L3: no coils couple like that (their matrix of inductances "
                   "is not positive definite); take smaller k");
}

static void test_dependent_states_start_as_the_others_say(void)
{
  Try t = try_begin();
  guint a = hy_circuit_node(t.circuit, "a");
  HyBranch c1 = {.kind = C, .name = "C1", .a = a, .value = 1e-6, .stated = TRUE, .start = 3};
  HyBranch c2 = c1;
  c1.signal = try_set(&t, "C1.v", 3);
  c2.signal = try_set(&t, "C2.v", 5);
  c2.name = "C2", c2.start = 5;
  hy_circuit_add(t.circuit, &c1);
  hy_circuit_add(t.circuit, &c2);
  expect_fault(&t, "C2, C1 close a loop: C2 starts at 5, the others make it 3");
}

/* Size ----------------------------------------------------------------------------------------- */

static void test_a_line_of_a_thousand_sections_is_linear(void)
{
  Try t = try_begin();
  guint last = hy_circuit_node(t.circuit, "in");
  try_add(&t, V, "U", last, 0, 1, 0);
  for (guint k = 0; k < 1000; k++) {
    guint node = hy_circuit_node(t.circuit, "x");
    g_autofree char *l = g_strdup_printf("L[%u]", k + 1), *c = g_strdup_printf("C[%u]", k + 1);
    try_add(&t, L, g_intern_string(l), last, node, 1e-3, 0.5);
    try_add(&t, C, g_intern_string(c), node, 0, 1e-6, 0.25);
    last = node;
  }
  try_add(&t, R, "Ro", last, 0, 50, 0);
  try_solve(&t);
  for (guint k = 1; k <= 2000; k++) {
    try_value(&t, hy_circuit_derivative(t.circuit, k));
  }
  TEST_ASSERT_EQUAL_UINT(2001, t.n_defined); /* a derivative for each state, the load's current */
  TRY_NEAR((0.5 - 0.25 / 50) / 1e-6, &t, hy_circuit_derivative(t.circuit, 2000));
  try_end(&t);
}

/* N stages of a Cuk converter with stray inductance side by side, on one source and one load. */
static guint definitions_of_stages(guint n)
{
  Try t = try_begin();
  guint in = hy_circuit_node(t.circuit, "in"), out = hy_circuit_node(t.circuit, "out");
  try_add(&t, V, "U", in, 0, 24, 0);
  for (guint k = 0; k < n; k++) {
    guint a = hy_circuit_node(t.circuit, "a"), s = hy_circuit_node(t.circuit, "s"),
          b = hy_circuit_node(t.circuit, "b");
    try_add(&t, L, "L1", in, a, 1e-4, 1);
    try_add(&t, L, "Ls", a, s, 1e-8, 0.5);
    try_add(&t, R, "S", s, 0, 1e-2, 0);
    try_add(&t, C, "C1", a, b, 1e-4, 40);
    try_add(&t, R, "D", b, 0, 1e5, 0);
    try_add(&t, L, "L2", b, out, 1e-4, 1);
  }
  try_add(&t, C, "C", out, 0, 1e-4, 20);
  try_add(&t, R, "Ro", out, 0, 1, 0);
  try_solve(&t);
  for (guint k = 1; k <= 6 * n + 1; k++) {
    if (hy_circuit_is_state(t.circuit, k)) {
      try_value(&t, hy_circuit_derivative(t.circuit, k));
    }
  }
  guint all = t.n_defined;
  try_end(&t);
  return all;
}

static void test_stages_side_by_side_are_linear(void)
{
  guint eight = definitions_of_stages(8), more = definitions_of_stages(64);
  TEST_ASSERT_LESS_THAN_UINT(8 * 10 + 5, eight);
  TEST_ASSERT_LESS_THAN_UINT(8 * eight + 1, more);
}

/* Nothing that is too large for the machine is begun: a chain of capacitors whose potentials are
 * sums of all, and resistances from everywhere to everywhere. */
static void test_what_is_too_large_is_refused(void)
{
  const char *text =
      "its equations are too large: more conductances, capacitors or coils are one with "
      "all others than can be";
  Try t = try_begin();
  guint last = 0;
  for (guint k = 0; k < 5000; k++) {
    guint node = hy_circuit_node(t.circuit, "x");
    HyBranch b = {.kind = C, .name = "C", .a = node, .b = last, .value = 1};
    g_autofree char *signal = g_strdup_printf("C%u.v", k);
    b.signal = hy_formula_pool_name(t.pool, signal);
    hy_circuit_add(t.circuit, &b);
    last = node;
  }
  expect_fault(&t, text);

  t = try_begin();
  for (guint k = 1; k <= 200; k++) {
    guint node = hy_circuit_node(t.circuit, "x");
    for (guint other = 0; other < node; other++) {
      try_add(&t, R, "R", node, other, 1 + k, 0);
    }
  }
  expect_fault(&t, text);
}

static void test_a_ladder_of_resistances_is_linear(void)
{
  Try t = try_begin();
  guint last = hy_circuit_node(t.circuit, "in");
  HyBranch u = source(&t, V, "U", last, 0);
  guint number = hy_circuit_add(t.circuit, &u);
  for (guint k = 0; k < 1000; k++) {
    guint node = hy_circuit_node(t.circuit, "x");
    try_add(&t, R, "Rs", last, node, 1, 0);
    try_add(&t, R, "Rp", node, 0, 1, 0);
    last = node;
  }
  try_solve(&t);
  TRY_NEAR(-(sqrt(5.0) - 1) / 2, &t, hy_circuit_current(t.circuit, number)); /* the golden ratio */
  TEST_ASSERT_LESS_THAN_UINT(9000, t.n_defined);
  try_end(&t);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_divider);
  RUN_TEST(test_two_coupled_coils);
  RUN_TEST(test_three_windings);
  RUN_TEST(test_a_source_and_capacitors_in_a_loop);
  RUN_TEST(test_capacitors_side_by_side);
  RUN_TEST(test_coils_in_a_star);
  RUN_TEST(test_a_ramp_into_coils);
  RUN_TEST(test_a_diode_with_a_drop);
  RUN_TEST(test_an_isolated_transformer);
  RUN_TEST(test_a_transformer_between_valves);
  RUN_TEST(test_a_transformer_behind_a_coil);
  RUN_TEST(test_a_chain_of_transformers);
  RUN_TEST(test_a_triangle_and_a_star);
  RUN_TEST(test_windings_behind_switches);
  RUN_TEST(test_a_transformer_between_capacitors);
  RUN_TEST(test_a_transformer_between_leakages);
  RUN_TEST(test_leakages_that_start_against_each_other_are_refused);
  RUN_TEST(test_an_amplifier_with_feedback);
  RUN_TEST(test_sources_controlled_by_currents);
  RUN_TEST(test_sources_that_determine_one_another);
  RUN_TEST(test_faults_name_elements);
  RUN_TEST(test_faults_of_controlled_sources);
  RUN_TEST(test_a_coupling_too_close);
  RUN_TEST(test_dependent_states_start_as_the_others_say);
  RUN_TEST(test_a_line_of_a_thousand_sections_is_linear);
  RUN_TEST(test_stages_side_by_side_are_linear);
  RUN_TEST(test_what_is_too_large_is_refused);
  RUN_TEST(test_a_ladder_of_resistances_is_linear);
  return UNITY_END();
}
