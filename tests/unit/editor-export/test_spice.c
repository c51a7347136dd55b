/* SPICE netlists: what they are read as, against closed forms and against the documents of the
 * language that a person would write; what is refused, in which words, with which line. */
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};

static HyLoaded *load(const char *text, HyReport *report)
{
  const HyLoadOptions options = {.formats = hy_formats(), .library = library};
  return hy_load_memory(text, strlen(text), "a.cir", &options, report);
}

/* All that is said of a netlist with the title "t" above TEXT. */
static char *messages(const char *text)
{
  g_autofree char *whole = g_strconcat("t\n", text, NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(whole, report);
  return hy_report_text(report);
}

static void expect(const char *expected, const char *text)
{
  g_autofree char *said = messages(text);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, said, text);
}

/* The last of the first record of TEXT under a title, by ENGINE. */
static double last_by(const char *text, const char *engine)
{
  g_autofree char *whole = g_strconcat("t\n", text, NULL);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(whole, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) r = hy_run_new(loaded, &settings, &error);
  gboolean ok = r != NULL && hy_run_record(r, &error) && hy_run_go(r, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : text);
  const HyRecorder *table = hy_run_table(r, 0);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, 0);
}

typedef struct {
  const char *text;
  double value;
} Case;

/* ROUNDED: a reading of states or of sines, which is as good as it is told. */
static void check_cases(const Case *c, guint n, gboolean rounded)
{
  for (guint k = 0; k < n; k++) {
    double fused = last_by(c[k].text, "fused");
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9 * fabs(c[k].value) + (rounded ? 2e-5 : 0.0), c[k].value,
                                      fused, c[k].text);
    double tree = last_by(c[k].text, "tree");
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&fused, &tree, sizeof tree, c[k].text);
  }
}

/* Each is a voltage over 1 Ohm, or what a divider makes of it. */
#define LOAD "\nR1 a 0 1\n.print tran v(a)\n"
#define END  "\n.print tran v(a)\n.tran 1 1 uic\n.end\n"

static void test_numbers_are_read_as_spice_reads_them(void)
{
  static const Case cases[] = {
      {"V1 a 0 1.5" END, 1.5},
      {"V1 a 0 DC 2.5k" END, 2500},
      {"v1 A GND 3MEG" END, 3e6},
      {"V1 a 0 2m" END, 2e-3},
      {"V1 a 0 2M" END, 2e-3},
      {"V1 a 0 4mil" END, 4 * 25.4e-6},
      {"V1 a 0 7uVolts" END, 7e-6},
      {"V1 a 0 1.5e3k" END, 1.5e6},
      {"V1 a 0 -2.e-3g" END, -2e6},
      {"V1 a 0 +5T" END, 5e12},
      {"V1 a 0 3f" END, 3e-15},
      {"V1 a 0 4K7" END, 4700},
      {"V1 a 0 1R5" END, 1.5},
      {"V1 a 0 {2meg5/4k}" END, 625},
      {"V1 a 0 3\xC2\xB5" END, 3e-6},
      {"V1 a 0 {3\xCE\xBC}" END, 3e-6},
      {"V1 a 0 {2+3*4-2^3}" END, 6},
      {"V1 a 0 '-2**2'" END, -4},
      {"V1 a 0 {2**3**2/4}" END, 128},
      {".param x=2 y='x*3'\nV1 a 0 {y > 5 && x < 3 ? 7 : 8}" END, 7},
      {".param x=2, y={x - (1 - 3)}\nV1 a 0 y" END, 4},
      {"V1 a 0 {min(3,2)+max(1u,2)*sgn(-4)+pow(2,10)+sqrt(16)+abs(-1)}" END, 2 - 2 + 1024 + 4 + 1},
      {"V1 a 0 {ln(exp(2)) + log10(1000) + int(-2.5) + nint(2.6)}" END, 2 + 3 - 2 + 3},
      {"V1 a 0 {10 - 2 - 3 + 12/2/3}" END, 7},
      {"V1 a 0 {!(1>2)||0 ? 1meg : 2}" END, 1e6},
      {".func sq(x) {x*x}\n.func F2(a, b) = 'sq(a - 1) + b'\n.params x=3\nV1 a 0 {f2(x+1, -x)}" END,
       6},
      {"V1 a 0 {table(1.5, 0, 1, 1, 2, 2, -4) + table(-9, 0, 1, 1, 2) + table(9, 0, 1, 1, 2)}" END,
       -1 + 1 + 2},
      {"V1 a 0 {buf(1) + 2*inv(1) + 4*buf(0) + 8*inv(0) + square(4) + hypot(3, 4)}" END,
       1 + 8 + 16 + 5},
  };
  check_cases(cases, G_N_ELEMENTS(cases), FALSE);
}

static void test_waves_are_what_they_say(void)
{
  const double w = 2 * G_PI * 0.3;
  const Case cases[] = {
      {"V1 a 0 PULSE(1 3 0.25 0.25 0 10)" LOAD ".tran 0.375 0.375 uic\n", 2},
      {"V1 a 0 PULSE(1 3 0.25 0.25)" LOAD ".tran 0.375 0.375 uic\n", 2},
      {"V1 a 0 PULSE(1 3 0.25)" LOAD ".tran 0.375 0.375 uic\n", 3},
      {"V1 a 0 PULSE(1 3 0.25)" LOAD ".tran 0.125 0.125 uic\n", 1},
      {"V1 a 0 PULSE(1 3 0.1 0.1 0.2 0.3 1)" LOAD ".tran 3.6 3.6 uic\n", 2},
      {"V1 a 0 PULSE(3 1 0.1 0.1 0.2 0.3 1)" LOAD ".tran 3.6 3.6 uic\n", 2},
      {"V1 a 0 PULSE(1 3 0.1 0.1 0.2 0.3 1)" LOAD ".tran 3.9 3.9 uic\n", 1},
      {"V1 a 0 SIN(1 2 0.3)" LOAD ".tran 1 1 uic\n", 1 + 2 * sin(w)},
      {"V1 a 0 DC 5 AC 1 0 SIN(1 2 0.3 0 0 30)" LOAD ".tran 1 1 uic\n", 1 + 2 * sin(w + G_PI / 6)},
      {"V1 a 0 SIN(1 2 0.3 0.25 0.5 30)" LOAD ".tran 1 1 uic\n",
       1 + 2 * exp(-0.5 * 0.75) * sin(w * 0.75 + G_PI / 6)},
      {"V1 a 0 SIN(1 2 0.3 2 0.5 30)" LOAD ".tran 1 1 uic\n", 1 + 2 * sin(G_PI / 6)},
      {"V1 a 0 PWL(0 1 0.5 2 1.5 -2)" LOAD ".tran 1 1 uic\n", 0},
      {"V1 a 0 PWL(0 1 0.5 2, 0.75 -2)" LOAD ".tran 1 1 uic\n", -2},
      {"V1 a 0 PWL(0.25 1 +0.5 2 +0.5 -2)" LOAD ".tran 1 1 uic\n", 0},
      {"V1 a 0 PULSE(1 3 0.1 0 0 0.2 0.4 2)" LOAD ".tran 0.55 0.55 uic\n", 3},
      {"V1 a 0 PULSE(1 3 0.1 0 0 0.2 0.4 2)" LOAD ".tran 0.95 0.95 uic\n", 1},
      {"V1 a 0 PULSE(1 3 0.1 0.1 0 0.2 0.4 2)" LOAD ".tran 9.25 9.25 uic\n", 1},
      {"V1 a 0 5 Rser=0.25" LOAD ".tran 1 1 uic\n", 4},
      {"V1 a 0 PWL(2 1\n+ 3 2)" LOAD ".tran 1 1 uic\n", 1},
      {"V1 a 0 EXP(1 3 0.25 0.5 0.75 0.25)" LOAD ".tran 1 1 uic\n",
       1 + 2 * (1 - exp(-1.5)) - 2 * (1 - exp(-1.0))},
      {"I1 0 a DC 2" LOAD ".tran 1 1 uic\n", 2},
      {"I1 a 0 2" LOAD ".tran 1 1 uic\n", -2},
  };
  check_cases(cases, G_N_ELEMENTS(cases), TRUE);
}

static void test_elements_are_what_they_say(void)
{
  const double tau = exp(-1.0);
  const Case cases[] = {
      {"V1 b 0 5\nR1 b a 1k\nC1 a 0 1m" END, 5 * (1 - tau)},
      {"V1 b 0 5\nR1 b a 1k\nC1 a 0 1m IC=2" END, 5 + (2 - 5) * tau},
      {"V1 b 0 5\nR1 b a 1k\nC1 a 0 C=1m\n.ic v(a)=2" END, 5 + (2 - 5) * tau},
      {"V1 b 0 5\nR1 b a 1k\nC1 a c 1m\nR2 c 0 1p\n.ic V(a)=2 v(c)=0" END, 5 + (2 - 5) * tau},
      {"V1 b 0 5\nL1 b a 2 IC=1\nR1 a 0 R=2" END, 2 * (2.5 + (1 - 2.5) * tau)},
      {"R1 a 0 1\nL1 a 0 1 IC=1\nL2 c 0 1\nR2 c 0 1\nK1 L1 L2 0.5" END,
       -(exp(-1 / 1.5) + exp(-1 / 0.5)) / 2}, /* i1 + i2 sees L + M, i1 - i2 sees L - M */
      {"V1 b 0 5\nL1 b a 2\nR1 a 0 R=2\n.ic I(L1)=1" END, 2 * (2.5 + (1 - 2.5) * tau)},
      {"V1 b 0 5\nL1 b a 2 Rser=1 Ipk=3 mfg=\"x y\"\nR1 a 0 1 tol=5 pwr=1" END, 2.5 * (1 - tau)},
      {"V1 b 0 5\nR1 b a 1\nC1 a 0 1 Rser=1 Rpar=1e9 V=50" END, 5 - 2.5 * exp(-0.5)},
      {"V1 b 0 5\nR1 b a 1\nC1 a 0 1T Rser=1 Lser=0 Rpar=2" END, 5 * (2 / 3.0) / (1 + 2 / 3.0)},
      {"V1 b 0 3\nE1 a 0 TABLE {V(b)} = (-1,-10) (0,0) (6,-4)" END, -2},
      {"V1 b 0 9\nR1 b a 2 m=2\nR2 a 0 2" END, 6},
      {"V1 b 0 5\nR1 b a 1k\nC1 a 0 0.5m m=2" END, 5 * (1 - tau)},
      {"V1 b 0 5\nL1 b a 4 m={1+1}\nR1 a 0 R=2" END, 5 * (1 - tau)},
      {"V1 b 0 3\nE1 a 0 b 0 2" END, 6},
      {"V1 b 0 3\nE1 a 0 POLY(1) b 0 1 2 0.5" END, 1 + 2 * 3 + 0.5 * 9},
      {"V1 b 0 3\nV2 c 0 2\nE1 a 0 POLY(2) (b,0) (c,0) 1 0 0 0 2" END, 1 + 2 * 3 * 2},
      {"V1 b 0 3\nE1 a 0 value={2*v(b)+1}" END, 7},
      {"V1 b 0 3\nE1 a 0 vol='v(b)+v(b,0)'" END, 6},
      {"V1 b 0 3\nG1 0 a b 0 2\nR1 a 0 5" END, 30},
      {"V1 b 0 3\nR0 b c 1\nV2 c 0 0\nF1 0 a V2 2\nR1 a 0 5" END, 30},
      {"V1 b 0 3\nR0 b c 1\nV2 c 0 0\nH1 a 0 V2 2" END, 6},
      {"V1 b 0 3\nB1 a 0 V=v(b)*2 + time" END, 7},
      {"V1 b 0 3\nB1 0 a I = {v(b)*v(b)}\nR1 a 0 2" END, 18},
      {"V1 b 0 10\nS1 b a b 0 SX\nR1 a 0 3\n.model SX SW(Ron=2 Roff=7 Vt=5)" END, 6},
      {"V1 b 0 10\nS1 b a 0 b SX\nR1 a 0 3\n.model sx sw ron=2 roff=7 vt=-15" END, 6},
      {"V1 b 0 10\nS1 b a b 0 SX\nR1 a 0 3\n.model SX SW(Ron=2 Roff=7 Vt=15)" END, 3},
      {"V1 b 0 10\nS1 b a b 0 SX\nR1 a 0 3\n.model SX SW(Ron=7 Roff=2 Vt=5)" END, 3},
      {"V1 b 0 10\nS1 b a b 0 SX ON\nR1 a 0 3\n.model SX SW(Ron=2 Roff=7 Vt=9 Vh=2)" END, 6},
      {"V1 b 0 10\nS1 b a b 0 SX OFF\nR1 a 0 3\n.model SX SW(Ron=2 Roff=7 Vt=9 Vh=2)" END, 3},
      {"V1 b 0 10\nV2 c 0 PULSE(0 12 0.2 0.1 0.1 0.2)\nS1 b a c 0 SX\nR1 a 0 3\n"
       ".model SX SW(Ron=2 Roff=7 Vt=5 Vh=4)" END,
       3},
      {"V1 b 0 10\nV2 c 0 PWL(0 0 0.2 12 0.5 5)\nS1 b a c 0 SX\nR1 a 0 3\n"
       ".model SX SW(Ron=2 Roff=7 Vt=5 Vh=4)" END,
       6},
      {"V1 b 0 10\nS1 b a b 0 SX\nR1 a 0 3\n.model SX VSWITCH(Ron=2 Roff=7 Von=9 Voff=1)" END, 6},
      {"V1 b 0 10\nS1 b a b 0 SX\nR1 a 0 3\n.model SX VSWITCH(Ron=2 Roff=7 Von=1 Voff=9)" END, 3},
      {"V1 b 0 DC = 10 AC=1\nR0 b c 5\nV2 c 0 0\nW1 b a V2 WX\nR1 a 0 3\n.model WX CSW(Ron=2 "
       "Roff=7 "
       "It=1)" END,
       6},
      {"V1 b 0 10\nD1 b a DX\nR1 a 0 3\n.model DX D(Ron=2 Roff=1e6 Vfwd=1)" END,
       3 * (10 - 1 * (1 - 2 / 1e6)) / 5},
      {"V1 b 0 -10\nD1 b a DX\nR1 a 0 3\n.model DX D(Ron=2 Roff=7)" END, -3},
      {"V1 b 0 -10\nD1 b a DX\nR1 a 0 3\n.model DX D(Ron=2 Roff=1e6 Vrev=4)" END,
       -3 * (6 * 1e6 + 8) / (5 * 1e6 + 6)},
  };
  check_cases(cases, G_N_ELEMENTS(cases), TRUE);
}

/* 5 V, a resistance and a diode in series: what is left of i - Is (exp(u/(n vT)) - 1) by bisection,
 * i = (5 - u)/(R + Rs). */
static double current_by(double is, double n, double resistance)
{
  double low = 0, high = 2;
  for (guint k = 0; k < 200; k++) {
    double u = (low + high) / 2;
    double over = is * expm1(u / (n * 300.15 * 1.380649e-23 / 1.602176634e-19));
    *(over < (5 - u) / resistance ? &low : &high) = u;
  }
  return (5 - low) / resistance;
}

static void test_diodes_have_their_curve_where_asked(void)
{
#define CURVE "V1 b 0 5\nR1 b a 2\nD1 a c DX 2\nV2 c 0 0\n.options reltol=1e-4 exponential\n"
  const Case cases[] = {
      {CURVE ".model DX D(is=1n n=1.5 rs=1)\n.print tran i(V2)\n.tran 1 1 uic\n",
       current_by(2e-9, 1.5, 2.5)},
      {CURVE ".model DX D(is=1n n=1.5 rs=1 Cjo=1n)\n.print tran i(V2)\n.tran 1m 1m uic\n",
       current_by(2e-9, 1.5, 2.5)},
      {CURVE ".model DX D(Ron=0.5 Roff=1e9)\n.print tran i(V2)\n.tran 1 1 uic\n", 2},
  };
  check_cases(cases, G_N_ELEMENTS(cases), TRUE);
  expect("", CURVE ".model DX D(is=1n n=1.5 rs=1)\n");
}

/* L1 = 2 at 5 V behind 1 Ohm, L2 = 0.5 at 3 Ohm, k = 1: across L1 are 12 Ohm, so v1 = 5*12/13 at
 * first and dies away with L1/(12/13 Ohm); v2 is half of it, i2 = -v2/3, i1 = 5 - v1. The third,
 * L3 = 8 at 96 Ohm, would be 24 Ohm across L1. */
static void test_coils_coupled_by_one_are_windings(void)
{
  const double v1 = 60 / 13.0 * exp(-6 / 13.0), v3 = 40 / 9.0 * exp(-4 / 9.0);
#define COILS "V1 b 0 5\nR1 b a 1\nL1 a 0 2\nL2 s 0 0.5\nR2 s 0 3\n"
#define RUN   "\n.tran 1 1 uic\n"
  const Case cases[] = {
      {COILS "K1 L1 L2 1\n.print tran v(s)" RUN, v1 / 2},
      {"K1 L1 L2 -1\n" COILS ".print tran v(s)" RUN, -v1 / 2},
      {COILS "K1 L1 L2 1\n.print tran i(L1)" RUN, 5 - v1},
      {COILS "K1 L1 L2 1\n.print tran i(L2)" RUN, -v1 / 6},
      {COILS "K1 L1 L2 1\n.print tran vd(L2)" RUN, v1 / 2},
      {COILS "K1 L2 L1 1\n.print tran i(L1)" RUN, 5 - v1},
      {"F1 0 x L1 2\nRx x 0 1\nH1 y 0 L2 2\nRy y x 1t\n" COILS "K1 L1 L2 1\n.print tran v(x)" RUN,
       2 * (5 - v1)},
      {"B1 y 0 V=i(L2)\n" COILS "K1 L1 L2 1\n.print tran v(y)" RUN, -v1 / 6},
      {COILS "L3 u 0 8\nR3 u 0 96\nK1 L1 L2 L3 1\n.print tran v(u)" RUN, 2 * v3},
      {COILS "L3 u 0 8\nR3 u 0 96\nK1 L1 L2 1\nK2 L2 L3 -1\nK3 L3 L1 -1\n.print tran v(u)" RUN,
       -2 * v3},
      {COILS "L3 u 0 8\nR3 u 0 96\nK1 L2 L3 -1\nK2 L3 L1 1\n.print tran v(s)" RUN, -v3 / 2},
      {"V1 b 0 5\nL1 b 0 2 Rser=1 IC=1\nL2 s 0 0.5\nR2 s 0 3\nK1 L1 L2 1\n.print tran v(s)" RUN,
       24 / 13.0 * exp(-6 / 13.0)},
      {".subckt t a b\nL1 a 0 {L}\nL2 b 0 {L/4}\nK1 L1 L2 1\n.ends\n.param L=2\nV1 b 0 5\nR1 b a "
       "1\n"
       "X1 a s t\nR2 s 0 3\n.print tran v(s)" RUN,
       v1 / 2},
  };
  check_cases(cases, G_N_ELEMENTS(cases), TRUE);
  expect("a.cir:7: K2: L2 is one with L1 by a coupling of 1; couple that one\n",
         "L1 a 0 1\nL2 a 0 1\nL3 a 0 1\nR1 a 0 1\nK1 L1 L2 1\nK2 L2 L3 0.5\n");
  expect("a.cir:3: L2: IC= is of a coil that is coupled by 1 to another; state the whole, "
         "i1 + i2 sqrt(L2/L1), of the first one\n",
         "L1 a 0 1\nL2 b 0 1 IC=1\nK1 L1 L2 1\nR1 a 0 1\nR2 b 0 1\n");
}

static void test_subcircuits_have_parameters(void)
{
  static const Case cases[] = {
      {".subckt half in out\nR1 in out 1\nR2 out 0 1\n.ends\nV1 b 0 8\nX1 b a half" END, 4},
      {".subckt div in out params: r=1 s={3*r}\nR1 in out {r}\nR2 out 0 {s}\n.ends div\n"
       "V1 b 0 8\nX1 b a div r=2" END,
       6},
      {".param g=3\n.subckt div in out r=1\n.param s={g*r}\nR1 in out {r}\nR2 out 0 {s}\n.ends\n"
       ".subckt two in out\nX1 in out div\n.ends\nV1 b 0 8\nX1 b a two" END,
       6},
      {".subckt half in 0 out\nR1 in out 1\nR2 out 0 1\n.ends\nV1 b 0 8\nX1 b GND a half" END, 4},
      {".subckt inner p q\nR1 p q RM\n.ends\n.subckt outer type count\nXname type count "
       "inner\n.ends\n"
       "V1 b 0 8\nX1 b a outer\nR1 a 0 3\n.param RM=1" END,
       6},
      {".global vcc VEE vcc 0\n.subckt low a\nR1 a vee 1\n.ends\n.subckt half out\nR1 VCC out "
       "1\nX1 "
       "out low\n.ends\nV1 vcc 0 8\nV2 vee 0 4\nX1 a half" END,
       6},
      {".subckt half vcc out\nR1 vcc out 1\nR2 out 0 1\n.ends\nV1 vcc 0 8\nV2 b 0 4\nX1 b a half\n"
       ".global vcc" END,
       2},
      {"V1 1 0 8\nR1 1 a 1\nR2 a a.b 1\nR3 a.b a-b 1\nRa-b a-b 0 1" END, 6},
  };
  check_cases(cases, G_N_ELEMENTS(cases), FALSE);
}

static void test_what_is_not_understood_is_said(void)
{
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"", "a.cir: there is no element in this netlist; its first line is its title\n"},
      {"1ääääääääää 1\n",
       "a.cir:2: \"1äääääääää\xEF\xBF\xBD\" begins with no letter of an element\n"},
      {"M1 d g s b NM\n",
       "a.cir:2: M1 is a MOSFET with a model of its physics; write a switch S with Ron and Roff, "
       "and a diode D for its body\n"},
      {"* c\n\nQ1 c b e QN\n", "a.cir:4: Q1 is a bipolar transistor with a model of its physics; "
                               "write a switch S with Ron and Roff\n"},
      {"R1 a 0\n", "a.cir:2: R1: its size is missing\n"},
      {"R1 a 0 1x {\n", "a.cir:2: a { is never closed\n"},
      {"R1 a 0 {1+}\n", "a.cir:2: something is missing at the end in \"1+\"\n"},
      {"R1 a 0 {y}\n", "a.cir:2: there is no parameter \"y\" in \"y\"\n"},
      {"R1 a 0 1 2\n", "a.cir:2: R1: \"2\" is not understood here\n"},
      {"R1 a 0 1\nr1 a 0 1\n", "a.cir:3: there are two elements r1\n"},
      {"V1 a 0 PWL(0 1 0 2)\n",
       "a.cir:2: the times of PWL must be numbers that increase, and 0 does not\n"},
      {"V1 a 0 PWL repeat forever (0 0 1 1) endrepeat\n",
       "a.cir:2: PWL repeat is not read; write times and values in turn\n"},
      {"V1 a 0 1\nR1 a 0 1\nD1 a 0 DX .x\n.model DX D(Ron=1)\n",
       "a.cir:4: \".x\" is no number, and no parameter has this name\n"
       "a.cir:4: D1: its area must be a number above 0\n"},
      {"V1 a 0 1\nR1 a 0 R=1k*(1+V(a))\n",
       "a.cir:3: R1: write the formula of its size in braces: {1k*...}\n"},
      {"V1 a 0 NOISE(1)\n",
       "a.cir:2: V1: \"NOISE\" is not read; known are a number, DC, PULSE, SIN, PWL, EXP\n"},
      {"X1 a 0 none\n", "a.cir:2: X1: there is no .subckt none\n"},
      {".subckt s a b\nX1 a b s\n.ends\nX1 a 0 s\n",
       "a.cir:3: X1: subcircuit s is inside itself\n"},
      {".subckt s a b\nR1 a b 1\n.ends\nX1 a s\n", "a.cir:5: X1: s has 2 nodes, not 1\n"},
      {".subckt s a b\nR1 a b 1\nR2 a 0 1\n", "a.cir:2: .subckt s is never ended by .ends\n"},
      {"R1 a 0 1.5k7\n", "a.cir:2: \"1.5k7\" is no number, and no parameter has this name\n"},
      {"S1 a 0 c 0 SX\nV1 c a 1\n.model SX SW(Vt=1 Vh=-1)\n",
       "a.cir:4: warning: model SX: a band below 0 means a switch that turns little by little; "
       "here it turns at 1\n"},
      {"D1 a 0 SX\n.model SX SW(Vt=1)\n", "a.cir:2: model SX is a sw; d is needed here\n"},
      {"R1 a 0 1\n.nonsense\n", "a.cir:3: .nonsense is not read here\n"},
      {"R1 a 0 1\n.print tran v(b)\n",
       "a.cir:3: \"v(b)\" is not recorded: write v(node), v(a,b) or i(element)\n"},
      {"E1 a 0 b 0 2\n", "a.cir:2: nothing is at node \"b\" in \"v(b,0)\"\n"},
      {"R1 a 0 1\n.include nowhere.lib\n", "a.cir:3: there is no file \"./nowhere.lib\"\n"},
      {"R1 a 0 1\nR2 a 0 1\n.backanno\n.lib C:\\a b\\standard.dio\n",
       "a.cir:5: warning: there is no file \"./C:\\a b\\standard.dio\"; .lib is left out\n"},
      {"R1 a 0 1\n.lib nowhere.lib fast\n", "a.cir:3: there is no file \"./nowhere.lib\"\n"},
      {"R1 a 0 1\nR2 a 0 1\n.step param R 1 2 1\n.meas tran x MAX V(a)\n",
       "a.cir:4: warning: .step is left out; --set gives a parameter another value\n"
       "a.cir:5: warning: .meas is left out\n"},
      {"V1 a 0 1\nR1 a 0 1\n.tran 0 1 0 1u startup steady\n",
       "a.cir:4: warning: startup: the sources are on from 0, not after a ramp of 20u\n"
       "a.cir:4: warning: \"steady\" of .tran is left out\n"},
      {"V1 a 0 1\nR1 a 0 1\n.tran 1 uix\n", "a.cir:4: .tran: \"uix\" is not understood here\n"},
      {".func f(x) {f(x)}\nV1 a 0 {f(1)}\n",
       "a.cir:3: more than 60 operations inside each other in \"f(x)\"\n"},
      {".func f(x) {x}\nV1 a 0 {f(1, 2)}\n", "a.cir:3: f() takes 1 arguments in \"f(1, 2)\"\n"},
      {".func f(x) {x}\nV1 a 0 {x + f(1)}\n",
       "a.cir:3: there is no parameter \"x\" in \"x + f(1)\"\n"},
      {".func f x\nR1 a 0 1\n",
       "a.cir:2: .func takes a name, arguments and a formula: .func f(x, y) {x + y}\n"},
      {"V1 a 0 {table(1, 2)}\n", "a.cir:2: table() has too few arguments in \"table(1, 2)\"\n"},
      {"K1 L1 L2 0.5\nL1 a 0 1\n", "a.cir:2: K1: there is no inductor \"L2\"\n"},
      {".param f(x)={x}\nR1 a 0 1\n", "a.cir:2: \"f(x)={x}\": a parameter is stated as name = "
                                      "value; functions are not read\n"},
      {"V1 a 0 1\nV2 a 0 2\nR1 a 0 1\n", "a.cir:3: net: loop of voltage sources: V2, V1; put a "
                                         "resistance in series with one of them (lines 2, 3)\n"},
      {"V1 a 0 1\nR1 a 0 -1\n", "a.cir:3: net/R1: R = -1 must be above 0\n"},
      {"V1 a 0 1\nR1 a\n+ 0\n+ -1\n", "a.cir:3: net/R1: R = -1 must be above 0\n"},
      {"V1 a 0 1\nR1 a b 1\nC1 b 0 1\n.tran 1 1\n",
       "a.cir:5: warning: the run starts from IC=, .ic and 0, as with uic: no operating point is "
       "sought\n"},
      {"V1 a 0 SIN(0 1 50)\nV2 c 0 DC 3 PULSE(0 1 0 1n 1n 1 2)\nR1 a b 1\nE1 d c a 0 2\nR2 d b 1\n"
       "C1 b 0 1\n.tran 1 1\n",
       ""}, /* it begins at 0, with or without uic */
      {"V1 a 0 SIN(0 1 50 0 0 90)\nR1 a b 1\nC1 b 0 1\n.tran 1 1\n",
       "a.cir:5: warning: the run starts from IC=, .ic and 0, as with uic: no operating point is "
       "sought\n"},
      {"V1 a 0 PWL(0 1 1 0)\nR1 a b 1\nC1 b 0 1\n.tran 1 1\n",
       "a.cir:5: warning: the run starts from IC=, .ic and 0, as with uic: no operating point is "
       "sought\n"},
      {"B1 a 0 V=1\nR1 a b 1\nC1 b 0 1\n.tran 1 1\n",
       "a.cir:5: warning: the run starts from IC=, .ic and 0, as with uic: no operating point is "
       "sought\n"},
      {"V1 a 0 0\nE1 a c POLY(1) a 0 1 1\nR1 c b 1\nC1 b 0 1 IC=1\n.tran 1 1\n",
       "a.cir:6: warning: the run starts from IC=, .ic and 0, as with uic: no operating point is "
       "sought\n"},
      {"V1 a 0 1\nR1 a 0 1\nD1 a 0 DX\n.model DX D(is=1e-12)\n",
       "a.cir:5: warning: model DX is an ideal diode here, Vf=0.6888 V and Ron=0.02586 Ohm: the "
       "line "
       "that touches its curve at 1 A, without capacitances; D(Ron= Roff= Vfwd=) states another\n"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    expect(cases[k].said, cases[k].text);
  }
}

/* Of a library the section that is asked for, and others that it names. */
static void test_a_library_has_sections(void)
{
  g_autofree char *folder = g_dir_make_tmp("spice-XXXXXX", NULL);
  g_autofree char *part = g_build_filename(folder, "parts.lib", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(part,
                                       "* all of them\n.lib slow\n.param r=7\n.endl slow\n.lib both"
                                       "\n.lib 'parts.lib' fast\n.param q=\n+ 4\n.endl\n"
                                       ".lib FAST\n.param r=3\n.endl\n",
                                       -1, NULL));
  g_autofree char *text =
      g_strdup_printf(".lib \"%s\" both\nV1 b 0 14\nR1 b a {q}\nR2 a 0 {r}" END, part);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 6, last_by(text, "fused"));
  TEST_ASSERT_EQUAL_INT(0, g_unlink(part));
  TEST_ASSERT_EQUAL_INT(0, g_rmdir(folder));
}

/* A person would write the same. */
static void test_a_netlist_as_a_document(void)
{
  g_autofree char *folder = g_dir_make_tmp("spice-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(folder, "buck.cir", NULL);
  g_autofree char *part = g_build_filename(folder, "load.inc", NULL);
  TEST_ASSERT_TRUE(
      g_file_set_contents(part, "* an included file has no title\nRo out 0 {load}\n", -1, NULL));
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "Buck & more\n.param load=10 ; Ohm\nV1 in 0 DC 24\nVg g 0 PULSE(0 1 0 0 0 5u 10u)\n"
      "S1 in x g 0 SM\nD1 0 x DM\nL1 x out 100u\nC1 out 0 100u IC=1\n.include load.inc\n"
      ".model SM SW(Ron=10m Roff=100k Vt=0.5)\n.model DM D(Ron=10m Roff=100k)\n"
      ".tran 10u 1m uic\n.print tran v(out) v(in,x) i(L1)\n.end\nanything\n",
      -1, NULL));
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *xml = hy_format_convert(hy_format_find(hy_formats(), file), file, NULL, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("", said);
  TEST_ASSERT_EQUAL_STRING(
      "<?xml version=\"1.0\"?>\n"
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"buck\" needs=\"1.2\" doc=\"Buck &amp; more\">\n"
      "  <param name=\"load\" value=\"10\"/>\n"
      "  <circuit name=\"net\">\n"
      "    <voltage name=\"V1\" nodes=\"in 0\" value=\"24\"/>\n"
      "    <block type=\"trapezoid\" name=\"Vg_trapezoid\" low=\"0\" high=\"1\" start=\"0\" "
      "rise=\"0\" up=\"5u\" fall=\"0\" down=\"10u - 5u\"/>\n"
      "    <voltage name=\"Vg\" nodes=\"g 0\" value=\"Vg_trapezoid\"/>\n"
      "    <ideal_switch name=\"S1\" nodes=\"in x\" control=\"g.v &gt; 0.5\" Ron=\"10m\" "
      "Roff=\"100k\"/>\n"
      "    <ideal_diode name=\"D1\" nodes=\"0 x\" Ron=\"10m\" Roff=\"100k\"/>\n"
      "    <inductor name=\"L1\" nodes=\"x out\" L=\"100u\"/>\n"
      "    <capacitor name=\"C1\" nodes=\"out 0\" C=\"100u\" v0=\"1\"/>\n"
      "    <resistor name=\"Ro\" nodes=\"out 0\" R=\"load\"/>\n"
      "    <probe name=\"v_in_x\" nodes=\"in x\"/>\n"
      "  </circuit>\n"
      "  <experiment stop=\"1m\" method=\"block_liqss2\" dqrel=\"1e-5\" dqmin=\"1e-12\" "
      "grid=\"10u\">\n"
      "    <record path=\"net/out.v\"/>\n"
      "    <record path=\"net/v_in_x.v\"/>\n"
      "    <record path=\"net/L1.i\"/>\n"
      "  </experiment>\n"
      "</hydevs>\n",
      xml);
  TEST_ASSERT_EQUAL_INT(0, g_unlink(file));
  TEST_ASSERT_EQUAL_INT(0, g_unlink(part));
  TEST_ASSERT_EQUAL_INT(0, g_rmdir(folder));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_numbers_are_read_as_spice_reads_them);
  RUN_TEST(test_waves_are_what_they_say);
  RUN_TEST(test_elements_are_what_they_say);
  RUN_TEST(test_diodes_have_their_curve_where_asked);
  RUN_TEST(test_coils_coupled_by_one_are_windings);
  RUN_TEST(test_subcircuits_have_parameters);
  RUN_TEST(test_what_is_not_understood_is_said);
  RUN_TEST(test_a_library_has_sections);
  RUN_TEST(test_a_netlist_as_a_document);
  return UNITY_END();
}
