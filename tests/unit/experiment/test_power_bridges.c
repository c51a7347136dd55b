/* library/power.xml: bridges, inverters, rectifiers and multilevel parts, each against its closed
 * form, or a balance that holds whatever they do. */
#include "library_model.h"

#undef I /* of complex.h; here it is a current */

void setUp(void)
{
}

void tearDown(void)
{
}

#define EXACT "method='block_liqss2' dqrel='1e-8' dqmin='1e-9'"

/* BODY with a fidelity in place of its name. */
static HyLoaded *with_fidelity(const char *body, const char *fidelity)
{
  g_auto(GStrv) parts = g_strsplit(body, "FIDELITY", -1);
  g_autofree char *text = g_strjoinv(fidelity, parts);
  return library_load(text);
}

static double last(const HyRun *run, guint column)
{
  const HyRecorder *table = hy_run_table(run, 0);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, column);
}

static const char *const fidelities[] = {"switched", "function", "averaged"};

/* Bridges ---------------------------------------------------------------------------------------
 */

/* A current of 2 A out of a joined to p moves the middle by 2 A/(2 C), and the bus has 100 V. */
static void test_a_half_bridge_moves_its_middle(void)
{
  for (guint k = 0; k < 3; k++) {
    g_autoptr(HyLoaded) run_model = with_fidelity(
        "<circuit name='c'><voltage name='U' nodes='p 0' value='100'/>"
        "<block type='power.half_bridge' name='h' p='p' n='0' m='m' a='a' g='1' C='1m' v0='50'"
        " Ron='0.1' Roff='1G' fidelity='FIDELITY'/><current name='J' nodes='a m' value='2'/>"
        "<out name='v' from='h.v'/><out name='i' from='h.i'/><out name='ip' from='h.ip'/>"
        "</circuit><experiment stop='5m' " EXACT " record='c.v c.i c.ip c/h/Cp.v c/h/Cn.v'/>",
        fidelities[k]);
    g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
    double moved = 2 * 5e-3 / 2e-3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 50 - moved - 0.2, last(run, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2, last(run, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2, last(run, 2));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 50 - moved, last(run, 3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 50 + moved, last(run, 4));
  }
}

#define FULL_BRIDGE(GATES)                                                                         \
  "<pwm name='a' period='100u' duty='0.7' carrier='triangle'/>"                                    \
  "<pwm name='b' period='100u' duty='0.3' carrier='triangle'/>"                                    \
  "<circuit name='c' g='" GATES "'><in name='g' count='2'/>"                                       \
  "<voltage name='U' nodes='p 0' value='100'/>"                                                    \
  "<block type='power.full_bridge' name='h' p='p' n='0' a='a' b='b' g='g[*]' Ron='0.1' Roff='1G'"  \
  " fidelity='FIDELITY'/><resistor name='R' nodes='a b' R='9.8'/>"                                 \
  "<out name='v' from='h.v'/><out name='i' from='h.i'/><out name='ip' from='h.ip'/></circuit>"     \
  "<function name='v2' formula='c.v^2'/><experiment stop='1m' " EXACT                              \
  " record='c.v v2 c.i c.ip'/>"

/* Means and squares of three levels and of two: 0.98 of 100 V reach the load. */
static void test_a_full_bridge_by_its_levels(void)
{
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyLoaded) two_model = with_fidelity(FULL_BRIDGE("a, 1 - a"), fidelities[k]);
    g_autoptr(HyRun) two = library_same_on_all_engines(two_model);
    g_autoptr(HyLoaded) three_model = with_fidelity(FULL_BRIDGE("a, b"), fidelities[k]);
    g_autoptr(HyRun) three = library_same_on_all_engines(three_model);
    const HyRecorder *t2 = hy_run_table(two, 0), *t3 = hy_run_table(three, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 98 * 0.4, library_integral(t2, 0, 0, FALSE) / 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 98 * 98, library_integral(t2, 1, 0, FALSE) / 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 98 * 0.4, library_integral(t3, 0, 0, FALSE) / 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 98 * 98 * 0.4, library_integral(t3, 1, 0, FALSE) / 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 10, library_integral(t2, 3, 0, FALSE) / 1e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 4, library_integral(t3, 2, 0, FALSE) / 1e-3);
  }
  g_autoptr(HyLoaded) mean_model = with_fidelity(
      "<circuit name='c'><voltage name='U' nodes='p 0' value='100'/>"
      "<block type='power.full_bridge' name='h' p='p' n='0' a='a' b='b' g='0.7, 0.3' Ron='0.1'"
      " fidelity='FIDELITY'/><resistor name='R' nodes='a b' R='9.8'/>"
      "<out name='v' from='h.v'/><out name='ip' from='h.ip'/></circuit>"
      "<experiment stop='1m' " EXACT " record='c.v c.ip'/>",
      "averaged");
  g_autoptr(HyRun) mean = library_same_on_all_engines(mean_model);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 39.2, last(mean, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.6, last(mean, 1));
}

/* Gates of half a period each: a phase of the star has 2/pi of the bus and the rms sqrt(2)/3. */
static void test_an_inverter_in_six_steps(void)
{
  double w = 2 * G_PI * 50;
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyLoaded) run_model = with_fidelity(
        "<pwm name='g' count='3' period='20m' phase='(i - 1)*20m/3' duty='0.5'/>"
        "<circuit name='c' g='g[*]'><in name='g' count='3'/>"
        "<voltage name='U' nodes='p 0' value='600'/>"
        "<block type='power.inverter' name='v' p='p' n='0' ac='ac[1..3]' g='g[*]' Ron='0.1'"
        " Roff='1G' fidelity='FIDELITY'/>"
        "<resistor name='R' count='3' nodes='ac[i] star' R='9.9'/>"
        "<out name='u' count='3' from='R[i].v'/><out name='i' count='3' from='v.i[i]'/>"
        "<out name='v' count='3' from='v.v[i]'/><out name='ip' from='v.ip'/></circuit>"
        "<function name='u2' formula='c.u[1]^2'/><function name='sum' formula='sum(c.i[*])'/>"
        "<function name='p' formula='600*c.ip - c.u[1]*c.i[1] - c.u[2]*c.i[2] - c.u[3]*c.i[3]'/>"
        "<experiment stop='20m' " EXACT " record='c.u[1] u2 sum c.ip c.v[1] p'/>",
        fidelities[k]);
    g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
    const HyRecorder *t = hy_run_table(run, 0);
    double first = library_integral(t, 0, w, TRUE) / 10e-3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.99 * 600 * 2 / G_PI, first);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.99 * 0.99 * 600 * 600 * 2 / 9,
                              library_integral(t, 1, 0, FALSE) / 20e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, library_integral(t, 2, 0, FALSE) / 20e-3);
    /* 600 V into 10 Ohm beside two of them in parallel */
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 40, library_integral(t, 3, 0, FALSE) / 20e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 300, library_integral(t, 4, 0, FALSE) / 20e-3);
    /* what the resistances of the legs take: 40^2 (0.1 + 0.05) */
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, 240, library_integral(t, 5, 0, FALSE) / 20e-3);
  }
}

/* Three levels ----------------------------------------------------------------------------------
 */

/* Each level E behind two switches, with 9.8 Ohm and a current of 3 A: i = (E + 29.4)/10. The
 * sources give what goes in at p and n. */
static void test_the_levels_of_an_npc_leg(void)
{
  static const double up[] = {1, 0, 0, 0.6, 0.2}, down[] = {0, 0, 1, 0.1, 0.7};
  for (guint k = 0; k < G_N_ELEMENTS(up); k++) {
    for (guint f = k < 3 ? 0 : 2; f < 3; f++) {
      g_autofree char *body = g_strdup_printf(
          "<circuit name='c'><voltage name='U' nodes='p m' value='300'/>"
          "<voltage name='W' nodes='m n' value='200'/><resistor name='Rg' nodes='m 0' R='1'/>"
          "<block type='power.npc_leg' name='leg' p='p' m='m' n='n' a='a' up='%g' down='%g'"
          " Ron='0.1' Roff='1G' fidelity='FIDELITY'/><resistor name='R' nodes='a m' "
          "R='9.8'/><current name='J' nodes='a m' value='3'/>"
          "<out name='v' from='leg.v'/><out name='i' from='leg.i'/><out name='ip' from='leg.ip'/>"
          "<out name='n' from='leg.in'/></circuit>"
          "<experiment stop='1m' " EXACT " record='c.v c.i c.ip c.n c/U.i c/W.i'/>",
          up[k], down[k]);
      g_autoptr(HyLoaded) run_model = with_fidelity(body, fidelities[f]);
      g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
      double i = (up[k] * 300 - down[k] * 200 + 29.4) / 10;
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, 9.8 * (i - 3), last(run, 0));
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, i, last(run, 1));
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, up[k] * i, last(run, 2));
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, down[k] * i, last(run, 3));
      TEST_ASSERT_DOUBLE_WITHIN(1e-5, -up[k] * i, last(run, 4));
      TEST_ASSERT_DOUBLE_WITHIN(1e-5, down[k] * i, last(run, 5));
    }
  }
}

/* Up from 30 to 150 degrees, down from 210 to 330: 4/pi cos(30) of half the bus, no third. Three
 * of them with a third of a period between: no sum. */
static void test_an_npc_inverter_by_its_fundamental(void)
{
  double w = 2 * G_PI * 50;
  for (guint f = 0; f < 2; f++) {
    g_autoptr(HyLoaded) run_model = with_fidelity(
        "<pwm name='up' count='3' period='20m' phase='20m*(1/12 + (i - 1)/3)' duty='1/3'/>"
        "<pwm name='low' count='3' period='20m' phase='20m*(7/12 + (i - 1)/3)' duty='1/3'/>"
        "<circuit name='c' up='up[*]' low='low[*]'><in name='up' count='3'/>"
        "<in name='low' count='3'/><voltage name='U' nodes='p 0' value='300'/>"
        "<voltage name='W' nodes='0 n' value='300'/>"
        "<block type='power.npc_inverter' name='v' p='p' m='0' n='n' ac='ac[1..3]' up='up[*]'"
        " down='low[*]' Ron='0.1' Roff='1G' dead='0' fidelity='FIDELITY'/>"
        "<resistor name='R' count='3' nodes='ac[i] 0' R='9.8'/>"
        "<out name='u' from='v.v[1]'/><out name='i' count='3' from='v.i[i]'/>"
        "<out name='ip' from='v.ip'/><out name='n' from='v.in'/></circuit>"
        "<function name='sum' formula='sum(c.i[*]) - c.ip - c.n'/>"
        "<experiment stop='20m' " EXACT " record='c.u sum c.ip'/>",
        fidelities[f]);
    g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
    const HyRecorder *t = hy_run_table(run, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.98 * 300 * 4 / G_PI * cos(G_PI / 6),
                              library_integral(t, 0, w, TRUE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, library_integral(t, 0, w, FALSE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, library_integral(t, 0, 3 * w, TRUE) / 10e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, library_integral(t, 1, 0, FALSE) / 20e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 30, library_integral(t, 2, 0, FALSE) / 20e-3);
  }
}

/* Cells -----------------------------------------------------------------------------------------
 */

/* A sine of 10 A goes through the capacitor in the first 0.3 of each period of 1 ms. */
static void test_a_cell_keeps_what_goes_in(void)
{
  double w = 2 * G_PI * 70, charge = 0;
  for (guint k = 0; k < 25; k++) {
    double from = k * 1e-3, to = from + 0.3e-3;
    charge += 10 / w * (cos(w * from) - cos(w * to));
  }
  for (guint f = 0; f < 2; f++) {
    g_autoptr(HyLoaded) run_model = with_fidelity(
        "<sine name='i' amplitude='10' frequency='70'/><pwm name='g' period='1m' duty='0.3'/>"
        "<circuit name='c' g='g' i='i'><in name='g'/><in name='i'/>"
        "<current name='J' nodes='0 a' value='i'/>"
        "<block type='power.mmc_cell' name='cell' x='a' y='0' g='g' C='1m' v0='200' Roff='1T'"
        " fidelity='FIDELITY'/><out name='v' from='cell.vC'/></circuit>"
        "<experiment stop='25m' " EXACT " record='c.v'/>",
        fidelities[f]);
    g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 200 + charge / 1e-3, last(run, 0));
  }
}

/* What the bus gives is in capacitors and coils, or in resistances: of three cells an arm, by
 * carriers that are thirds of a period apart. */
static void test_the_energy_of_a_modular_leg(void)
{
  double r = 0.2 + 3 * 0.01;
  for (guint f = 0; f < 3; f++) {
    g_autofree char *gate =
        g_strdup(f < 2 ? "<pwm name='up' count='3' period='1m' phase='i*1m/3' duty='d[1]'/>"
                         "<pwm name='low' count='3' period='1m' phase='i*1m/3' duty='d[2]'/>"
                       : "<function name='up' count='3' formula='d[1]'/>"
                         "<function name='low' count='3' formula='d[2]'/>");
    g_autofree char *body = g_strconcat(
        "<function name='d' count='2' formula='0.5 + 0.4*(2*i - 3)*sin(2*pi*50*t)'/>", gate,
        "<circuit name='c' up='up[*]' low='low[*]'><in name='up' count='3'/>"
        "<in name='low' count='3'/><voltage name='U' nodes='p 0' value='300'/>"
        "<voltage name='W' nodes='0 n' value='300'/>"
        "<block type='power.mmc_leg' name='leg' N='3' p='p' n='n' a='a' up='up[*]' low='low[*]'"
        " C='1m' v0='200' L='5m' R='0.2' Ron='0.01' Roff='1G' Vf='9' fidelity='FIDELITY'/>"
        "<resistor name='Ro' nodes='a 0' R='10'/><out name='i' from='leg.i'/>"
        "<out name='ic' from='leg.ic'/><out name='vu' count='3' from='leg.vu[i]'/>"
        "<out name='vl' count='3' from='leg.vl[i]'/></circuit>"
        "<function name='iu' formula='c.ic + c.i/2'/><function name='il' formula='c.ic - c.i/2'/>"
        "<integrator name='ii' in='c.i^2'/><integrator name='aa' in='iu^2 + il^2'/>"
        "<integrator name='q' in='c.ic'/>"
        "<experiment stop='25m' grid='25m' method='cvode_bdf' dqrel='1e-8' dqmin='1e-8' record='ii "
        "aa q iu il c.vu[*] c.vl[*]'/>",
        NULL);
    g_autoptr(HyLoaded) run_model = with_fidelity(body, fidelities[f]);
    g_autoptr(HyRun) run = library_same_on_all_engines(run_model);
    double stored = 5e-3 / 2 * (pow(last(run, 3), 2) + pow(last(run, 4), 2)),
           start = 6 * 0.5e-3 * 200 * 200;
    for (guint k = 0; k < 6; k++) {
      stored += 0.5e-3 * pow(last(run, 5 + k), 2);
    }
    double given = 600 * last(run, 2) - 10 * last(run, 0) - r * last(run, 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, start + given, stored);
    TEST_ASSERT_TRUE(fabs(given) > 1 && last(run, 0) > 1);
  }
}

/* Averaged until nothing changes from one period to the next: V mean(ic) goes out, and a capacitor
 * has V/N in the mean, less what the resistances of the arms take. */
static void test_a_modular_leg_settles(void)
{
  double x[4];
  library_end(
      "<function name='d' count='8' formula='0.5 + if(i > 4, 0.4, -0.4)*sin(2*pi*50*t)'/>"
      "<circuit name='c' d='d[*]'><in name='d' count='8'/><voltage name='U' nodes='p 0' "
      "value='300'/>"
      "<voltage name='W' nodes='0 n' value='300'/>"
      "<block type='power.mmc_leg' name='leg' N='4' p='p' n='n' a='a' up='d[1..4]' "
      "low='d[5..8]'"
      " C='8m' v0='140' L='5m' R='2' Ron='1u' fidelity='averaged'/>"
      "<resistor name='Ro' nodes='a 0' R='10'/><out name='i' from='leg.i'/>"
      "<out name='ic' from='leg.ic'/><out name='v' from='leg.vu[3]'/></circuit>"
      "<window name='ic' in='c.ic' width='20m'/><window name='v' in='c.v' width='20m'/>"
      "<window name='p' in='10*c.i^2 + 2*(2*c.ic^2 + c.i^2/2)' width='20m'/>"
      "<experiment stop='1.005' method='cvode_bdf' dqrel='1e-6' dqmin='1e-6' record='ic v p c.i'/>",
      4, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * x[2], x[2], 600 * x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(0.1, (600 - 2 * 2 * x[0]) / 4, x[1]);
  TEST_ASSERT_TRUE(x[3] > 15); /* at the top of the sine */
}

/* Rectifiers ------------------------------------------------------------------------------------
 */

/* What stands between the grid and the load, which takes I whatever happens: its coil of 1 MH is at
 * that from the start, as the coils of the two lines that conduct then. THYRISTOR: fired at ALPHA
 * degrees, else diodes. At t = 0 the first has been fired 30 degrees ago. */
static char *bridge(guint N, gboolean thyristor, double alpha, double L, double I, const char *stop)
{
  double phase = (90 - 180.0 / N + alpha + 30) * G_PI / 180;
  g_autofree char *fired = g_strdup_printf(
      "<block type='power.firing' name='f' N='%u' alpha='%g' phase='%.17g'/>", N, alpha, phase);
  g_autofree char *third =
      N == 3 ? g_strdup_printf("<inductor name='L3' nodes='g[3] ac[3]' L='%g'/>", L) : g_strdup("");
  return g_strdup_printf(
      "%s<sine name='u' count='%u' amplitude='%d' frequency='50' phase='%.17g - (i - 1)*2*pi/%u'/>"
      "<circuit name='c' u='u[*]' %s><in name='u' count='%u'/>%s"
      "<voltage name='U' count='%u' nodes='g[i] 0' value='u[i]'/>"
      "<inductor name='L1' nodes='g[1] ac[1]' L='%g' i0='%g'/>"
      "<inductor name='L2' nodes='g[2] ac[2]' L='%g' i0='%g'/>%s"
      "<block type='power.%s' name='b' N='%u' ac='ac[1..%u]' p='p' n='n' Ron='1u' Roff='10M' %s/>"
      "<inductor name='Ld' nodes='p n' L='1M' i0='%g'/><resistor name='Rg' nodes='n 0' R='1G'/>"
      "<out name='v' from='b.v'/><out name='i' from='b.i'/><out name='iac' from='b.iac[1]'/><out "
      "name='back' from='b.iac[2]'/>"
      "</circuit><integrator name='x' in='c.v'/>"
      "<experiment stop='%s' " EXACT " grid='%s' record='x c.i c.iac c.back'/>",
      thyristor ? fired : "", N, N == 2 ? 100 : 200, phase, N,
      thyristor ? "up='f.up[*]' low='f.low[*]'" : "", N,
      thyristor ? "<in name='up' count='3'/><in name='low' count='3'/>" : "", N, L, I, L, -I, third,
      thyristor ? "thyristor_bridge" : "diode_bridge", N, N,
      thyristor ? "up='up[*]' low='low[*]'" : "", I, stop, stop);
}

/* Means of a period, with the overlap; N = 2 has 200 V between the terminals. */
static void test_the_mean_of_a_rectifier(void)
{
  static const struct {
    guint N;
    gboolean thyristor;
    double alpha, L, I;
  } of[] = {{3, FALSE, 0, 1e-3, 20}, {3, FALSE, 0, 1e-6, 20},  {3, TRUE, 30, 1e-3, 20},
            {3, TRUE, 75, 2e-3, 10}, {3, TRUE, 140, 1e-3, 20}, {2, FALSE, 0, 2e-3, 10},
            {2, TRUE, 60, 2e-3, 10}, {2, TRUE, 130, 1e-3, 10}};
  for (guint k = 0; k < G_N_ELEMENTS(of); k++) {
    g_autofree char *body = bridge(of[k].N, of[k].thyristor, of[k].alpha, of[k].L, of[k].I, "20m");
    if (of[k].N == 2) {
      g_auto(GStrv) parts = g_strsplit(body, "count='3'", -1);
      g_free(body);
      body = g_strjoinv("count='2'", parts);
    }
    double x[4], w = 2 * G_PI * 50, a = of[k].alpha * G_PI / 180;
    library_end(body, 4, x);
    /* each line has L: of one phase both are in the way */
    double mean = of[k].N == 3
                      ? 3 * sqrt(3) / G_PI * 200 * cos(a) - 3 / G_PI * w * of[k].L * of[k].I
                      : 2 / G_PI * 200 * cos(a) - 2 / G_PI * w * 2 * of[k].L * of[k].I;
    g_autofree char *what = g_strdup_printf("row %u: %g and %g", k, mean, x[0] / 20e-3);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.02, mean, x[0] / 20e-3, what);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, of[k].I, x[1], what);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, of[k].I, x[2], what);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, -of[k].I, x[3], what);
  }
}

/* One degree after its firing the first line has come to sqrt(3) V (cos(alpha) - cos(alpha + 1))/
 * (2 w L), a period later. */
static void test_the_overlap_of_a_rectifier(void)
{
  double x[4], w = 2 * G_PI * 50, a = G_PI / 6, degree = G_PI / 180;
  g_autofree char *stop = g_strdup_printf("%.17g", 20e-3 * (1 - 29 / 360.0));
  g_autofree char *body = bridge(3, TRUE, 30, 1e-3, 20, stop);
  library_end(body, 4, x);
  double wanted = sqrt(3) * 200 * (cos(a) - cos(a + degree)) / (2 * w * 1e-3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, wanted, x[2]);
  TEST_ASSERT_TRUE(wanted > 4 && wanted < 16);
}

/* Gates of 50 degrees at 60 Hz by their edges, for a phase that is behind, and an angle that grows
 * as time goes on. */
static void test_when_thyristors_are_fired(void)
{
  static const double start[] = {30, 150, 270, 210, 330, 90};
  double x[6], turn = 1 / 60.0;
  for (guint k = 0; k < 6; k++) {
    g_autofree char *body = g_strdup_printf(
        "<block type='power.firing' name='f' alpha='%g' length='50' frequency='60' phase='-0.5'/>"
        "<experiment stop='%.17g' record='f.up[*] f.low[*]'/>",
        20.0, turn * (1 + (start[k] + 20 + 0.5 * 180 / G_PI + (k % 2 == 0 ? 0.1 : 49.9)) / 360));
    library_end(body, 6, x);
    TEST_ASSERT_EQUAL_DOUBLE(1, x[k]);
    g_autofree char *off = g_strdup_printf(
        "<block type='power.firing' name='f' alpha='%g' length='50' frequency='60' phase='-0.5'/>"
        "<experiment stop='%.17g' record='f.up[*] f.low[*]'/>",
        20.0, turn * (1 + (start[k] + 20 + 0.5 * 180 / G_PI + (k % 2 == 0 ? -0.1 : 50.1)) / 360));
    library_end(off, 6, x);
    TEST_ASSERT_EQUAL_DOUBLE(0, x[k]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_half_bridge_moves_its_middle);
  RUN_TEST(test_a_full_bridge_by_its_levels);
  RUN_TEST(test_an_inverter_in_six_steps);
  RUN_TEST(test_the_levels_of_an_npc_leg);
  RUN_TEST(test_an_npc_inverter_by_its_fundamental);
  RUN_TEST(test_a_cell_keeps_what_goes_in);
  RUN_TEST(test_the_energy_of_a_modular_leg);
  RUN_TEST(test_a_modular_leg_settles);
  RUN_TEST(test_the_mean_of_a_rectifier);
  RUN_TEST(test_the_overlap_of_a_rectifier);
  RUN_TEST(test_when_thyristors_are_fired);
  return UNITY_END();
}
