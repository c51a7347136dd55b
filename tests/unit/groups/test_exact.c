/* Blocks that are solved exactly: converters against published and closed forms, on all engines to
 * the last bit, stray coils of any size, equal parts, who listens, and what they cannot do. */
#include "group_run.h"
#include "hydevs/experiment.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define BLOCK "method=\"block_liqss2\" dqrel=\"%g\" dqmin=\"%g\""

static void setup_block(Run *r, const char *inside, double tol, HyEngine engine)
{
  g_autofree char *numerics = g_strdup_printf(BLOCK, tol, tol);
  setup_with(r, inside, numerics, engine);
}

/* Converters ---------------------------------------------------------------------------------- */

#define GATE                                                                                       \
  "<pwm name=\"gate\" period=\"100u\" duty=\"0.35\"/>"                                             \
  "<switch name=\"Rs\" control=\"gate\" on=\"10u\" off=\"100k\"/>"                                 \
  "<diode name=\"Rd\" i=\"iD\" ron=\"10u\" roff=\"100k\"/>"

/* With a stray coil Ls in series with the switch. */
static const char cuk_ls[] =
    GATE "<param name=\"Ls\" value=\"%s\"/><function name=\"iD\" formula=\"iL1 + iL2 - iS\"/>"
         "<integrator name=\"iL1\" in=\"(24 - uC1 - Rd*iD)/10m\"/>"
         "<integrator name=\"iL2\" in=\"(-uC2 - Rd*iD)/10m\"/>"
         "<integrator name=\"iS\" in=\"(uC1 + Rd*iD - Rs*iS)/Ls\"/>"
         "<integrator name=\"uC1\" in=\"(iL1 - iS)/10m\"/>"
         "<integrator name=\"uC2\" in=\"(iL2 - uC2/10)/10m\"/>";

static const char buck_ls[] = GATE "<function name=\"iD\" formula=\"iL - iS\"/>"
                                   "<integrator name=\"iS\" in=\"(24 - Rs*iS + Rd*iD)/10n\"/>"
                                   "<integrator name=\"iL\" in=\"(-Rd*iD - uC)/10m\"/>"
                                   "<integrator name=\"uC\" in=\"(iL - uC/10)/10m\"/>";

static const char buck_ld[] = GATE "<function name=\"va\" formula=\"24 - Rs*(iL - iD)\"/>"
                                   "<integrator name=\"iL\" in=\"(va - uC)/10m\"/>"
                                   "<integrator name=\"iD\" in=\"(-va - Rd*iD)/10n\"/>"
                                   "<integrator name=\"uC\" in=\"(iL - uC/10)/10m\"/>";

typedef struct {
  const char *name;
  double value;
} End;

/* At 10 ms, from the eigenvectors of the four modes in 45 digits. The diode turns off at 3.16e-5 s,
 * its forward voltage being below 24 uV until then: 201 own toggles. */
static const End of_cuk_ls[] = {{"iL1", 22.3443196122},   {"iL2", 0.833379314121},
                                {"iS", 7.48437554327e-5}, {"uC1", 7.48414376725},
                                {"uC2", 0.211610373525},  {NULL, 0}};
/* CVODE with tolerances 1e-10 and 1e-12: right to a millionth. */
static const End of_buck_ls[] = {
    {"iL", 7.087891}, {"iS", 2.40000709e-4}, {"uC", 3.7597844}, {NULL, 0}};
static const End of_buck_ld[] = {
    {"iL", 7.08789137}, {"iD", 7.08765137}, {"uC", 3.7597858}, {NULL, 0}};

static void check_converter(const char *model, const End *end, guint turned, double relative)
{
  double first[5] = {0};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_block(&r, model, 1e-3, engines[e]);
    go(&r, 10e-3);
    for (guint k = 0; end[k].name != NULL; k++) {
      double x = at(&r, end[k].name, 10e-3);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(relative * fabs(end[k].value), end[k].value, x,
                                        end[k].name);
      first[k] = e == 0 ? x : first[k];
      TEST_ASSERT_TRUE_MESSAGE(x == first[k], end[k].name);
    }
    TEST_ASSERT_EQUAL_UINT64(turned, totals(&r).crossings);
    TEST_ASSERT_EQUAL_UINT64(0, totals(&r).evaluations);
    clear(&r);
  }
}

static void test_converters_with_stray_coils_end_as_published(void)
{
  g_autofree char *cuk = g_strdup_printf(cuk_ls, "10n");
  check_converter(cuk, of_cuk_ls, 201, 1e-9);
  check_converter(buck_ls, of_buck_ls, 199, 1e-6);
  check_converter(buck_ld, of_buck_ld, 199, 1e-6);
}

/* The smaller the stray coil, the nearer to the converter without it: rates up to 2e18. The diode
 * blocks once more in the first period down to 0.1 nH, as 45 digits say, too. */
static void test_a_stray_coil_may_be_as_small_as_it_likes(void)
{
  static const End without[] = {{"iL1", 22.3466037},
                                {"iL2", 0.833913617},
                                {"uC1", 7.48097837},
                                {"uC2", 0.211790702},
                                {NULL, 0}};
  static const char *const coil[] = {"1e-10", "1e-11", "1e-12", "1e-13"};
  for (guint k = 0; k < G_N_ELEMENTS(coil); k++) {
    g_autofree char *cuk = g_strdup_printf(cuk_ls, coil[k]);
    check_converter(cuk, without, k == 0 ? 201 : 199, k == 0 ? 2e-5 : 2e-6);
  }
}

/* A coil and a resistance behind a diode, fed by a square wave of 10 V: i rises for half a period,
 * falls through 0 at an instant in closed form, and leaks until it rises again. */
static void check_rectifier(double tol)
{
  double R = 1.0 + 1e-3, L = 0.01, half = 0.01, T = 0.02, top = 10.0 / R;
  double peak = top * -expm1(-R / L * half), zero = half + L / R * log1p(peak / top);
  Run r;
  setup_block(&r,
              "<square name=\"v\" low=\"-10\" high=\"10\" frequency=\"50\"/>"
              "<diode name=\"D\" i=\"i\" ron=\"1m\" roff=\"100k\"/>"
              "<integrator name=\"i\" in=\"(v - (1 + D)*i)/10m\"/>",
              tol, HY_FUSED);
  for (int k = 0; k < 20; k++) { /* what leaks, 1e-4 A, is gone after 1e-6 s */
    double t0 = k * T, before = k == 0 ? 0.0 : -10.0 / 100001.0;
    double up = t0 + 5e-3, down = t0 + half + 2e-3;
    double rise = top * -expm1(-R / L * 5e-3), fall = (peak + top) * exp(-R / L * 2e-3) - top;
    go(&r, up);
    TEST_ASSERT_DOUBLE_WITHIN(2.0 * fabs(before) + 2e-6 * tol + 1e-12, rise, at(&r, "i", up));
    go(&r, down);
    TEST_ASSERT_DOUBLE_WITHIN(2.0 * fabs(before) + 2e-6 * tol + 1e-12, fall, at(&r, "i", down));
    go(&r, t0 + zero + 1e-4);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -10.0 / 100001.0, at(&r, "i", t0 + zero + 1e-4));
  }
  clear(&r);
}

/* Also where the tolerance is a thousand times what leaks: it does not count. */
static void test_a_rectifier_in_closed_form(void)
{
  check_rectifier(1e-6);
  check_rectifier(1e-3);
  check_rectifier(1e-1);
}

/* At critical damping there is one rate and one vector, and t e^(-w t). */
static void test_critical_damping(void)
{
  for (int k = 0; k <= 6; k += 2) {
    double w = pow(10, k);
    g_autofree char *model = g_strdup_printf(
        "<integrator name=\"x\" in=\"v\" x0=\"1\"/><integrator name=\"v\" in=\"-%g*x - 2*%g*v\"/>",
        w * w, w);
    Run r;
    setup_block(&r, model, 1e-3, HY_FUSED);
    for (int i = 1; i <= 50; i++) {
      double t = 0.1 * i / w;
      go(&r, t);
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, (1.0 + w * t) * exp(-w * t), at(&r, "x", t));
    }
    HyGroupTotals g;
    hy_sim_group(r.sim, 0, &g);
    TEST_ASSERT_NULL(g.stated);
    clear(&r);
  }
}

/* Two integrators one behind the other have one rate, 0, and one vector: x is a parabola until x +
 * v = 0, and slides there, being e^-t in the mean. */
static void test_a_double_integrator_is_a_parabola(void)
{
  Run r;
  setup_block(&r,
              "<function name=\"u\" formula=\"if(x + v &gt; 0, -1, 1)\"/>"
              "<integrator name=\"v\" in=\"u\"/><integrator name=\"x\" in=\"v\" x0=\"1\"/>",
              1e-3, HY_FUSED);
  double slides = sqrt(3.0) - 1.0;
  for (int k = 1; k <= 20; k++) {
    double t = 0.1 * k;
    go(&r, t);
    if (t < slides) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 - 0.5 * t * t, at(&r, "x", t));
    } else {
      TEST_ASSERT_DOUBLE_WITHIN(2e-3, slides * exp(slides - t), at(&r, "x", t));
    }
  }
  HyGroupTotals g;
  hy_sim_group(r.sim, 0, &g);
  TEST_ASSERT_NULL(g.stated);
  clear(&r);
}

/* Parts --------------------------------------------------------------------------------------- */

/* Four equal ones in one block: their rates are four times the same, and each is what it would be
 * alone. */
static void test_equal_parts_are_what_one_is(void)
{
  Run one, four;
  g_autofree char *parts = g_strdup_printf(
      "<type name=\"part\">%s</type><block name=\"p\" type=\"part\" count=\"4\"/>", buck_ls);
  setup_block(&one, buck_ls, 1e-3, HY_FUSED);
  setup_block(&four, parts, 1e-3, HY_FUSED);
  go(&one, 2e-3);
  go(&four, 2e-3);
  for (int k = 1; k <= 4; k++) {
    g_autofree char *iL = g_strdup_printf("p[%d]/iL", k), *iS = g_strdup_printf("p[%d]/iS", k);
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, at(&one, "iL", 2e-3), at(&four, iL, 2e-3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, at(&one, "iS", 2e-3), at(&four, iS, 2e-3));
  }
  clear(&one);
  clear(&four);
}

/* Without an input there is one step, however long the run. */
static void test_what_nothing_disturbs_is_one_step(void)
{
  Run r;
  setup_block(&r,
              "<integrator name=\"x\" in=\"1000*y\" x0=\"1\"/>"
              "<integrator name=\"y\" in=\"-1000*x\"/>",
              1e-3, HY_FUSED);
  go(&r, 1e3);
  TEST_ASSERT_EQUAL_UINT64(1, totals(&r).steps);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, cos(1e6), at(&r, "x", 1e3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -sin(1e6), at(&r, "y", 1e3));
  clear(&r);
}

/* A state of another method reads one of the block: it gets pieces that are right within the
 * tolerance, also of a transient of 1e-9 s; their mean is right, so the integral is. */
static void test_others_are_told_pieces_that_hold(void)
{
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    Run r;
    setup_with(&r,
               "<integrator name=\"x\" in=\"y\" x0=\"1\"/>"
               "<integrator name=\"y\" in=\"-x\"/>"
               "<integrator name=\"z\" in=\"1e9*(x - z)\"/>"
               "<integrator name=\"s\" in=\"z\" method=\"qss3\" dqmin=\"1e-6\"/>",
               "method=\"block_liqss2\" dqrel=\"1e-4\" dqmin=\"1e-4\"", engines[e]);
    for (int k = 1; k <= 20; k++) {
      go(&r, 0.5 * k);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, cos(0.5 * k - 1e-9), at(&r, "z", 0.5 * k));
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, sin(0.5 * k), at(&r, "s", 0.5 * k));
    }
    TEST_ASSERT_TRUE(totals(&r).pieces > 20);
    clear(&r);
  }
}

/* An input in pieces, a sine: what the block makes of it follows the tolerance of the source. */
static void test_an_input_in_pieces(void)
{
  static const double tol[] = {1e-3, 1e-5, 1e-7};
  for (guint k = 0; k < G_N_ELEMENTS(tol); k++) {
    Run r;
    setup_block(&r,
                "<sine name=\"u\" amplitude=\"1\" frequency=\"1/(2*pi)\"/>"
                "<integrator name=\"x\" in=\"u - x\"/>",
                tol[k], HY_FUSED);
    go(&r, 10);
    double x = 0.5 * (sin(10) - cos(10) + exp(-10));
    TEST_ASSERT_DOUBLE_WITHIN(2.0 * tol[k], x, at(&r, "x", 10));
    clear(&r);
  }
}

/* A mode that a gate alone decides: the step ends at the edge, which is foreseen, and the mode is
 * decided there. x' = 1 - x in half of the time, -2 x in the other. */
static void test_a_mode_that_a_source_decides(void)
{
  static const char *const formula[] = {"p - if(p > 0.5, x, 2*x)", "if(p > 0.5, 1 - x, -2*x)"};
  for (guint k = 0; k < G_N_ELEMENTS(formula); k++) {
    Run r;
    g_autofree char *inside = g_strdup_printf("<pwm name=\"p\" period=\"1\" duty=\"0.5\"/>"
                                              "<integrator name=\"x\" in=\"%s\"/>",
                                              formula[k]);
    setup_block(&r, inside, 1e-3, HY_FUSED);
    double x = 0.0;
    for (int period = 1; period <= 5; period++) {
      x = (1.0 - (1.0 - x) * exp(-0.5)) * exp(-1.0);
      go(&r, period);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, x, at(&r, "x", period));
    }
    clear(&r);
  }
}

/* A relay without a band holds x at 0: in a band as wide as the tolerance, and time goes on. */
static void test_a_relay_slides_within_the_tolerance(void)
{
  Run r;
  setup_block(&r,
              "<switch name=\"k\" control=\"x\" level=\"0\" on=\"-2\" off=\"1\"/>"
              "<integrator name=\"x\" in=\"k\" x0=\"0.5\"/>"
              "<integrator name=\"y\" in=\"k\"/>",
              1e-3, HY_FUSED);
  go(&r, 2);
  TEST_ASSERT_DOUBLE_WITHIN(5e-3, 0.0, at(&r, "x", 2));
  TEST_ASSERT_DOUBLE_WITHIN(5e-3, -0.5, at(&r, "y", 2));
  clear(&r);
}

/* The condition stands in a function, and another block turns by what that says: each toggle is
 * turned back at its instant. A capacitor behind a resistance of 1 Ohm is held at 3 V of 5. */
static void test_a_condition_elsewhere_slides_beside_its_level(void)
{
  Run r;
  setup_block(&r,
              "<function name=\"c\" formula=\"if(x &lt; 3, 1, 0)\"/>"
              "<switch name=\"k\" control=\"c\" level=\"0.5\" on=\"1\" off=\"0\"/>"
              "<integrator name=\"x\" in=\"1e6*(k*(5 - x) - x/10)\"/>",
              1e-3, HY_FUSED);
  for (guint i = 10; i <= 50; i++) {
    go(&r, i * 1e-7);
    TEST_ASSERT_DOUBLE_WITHIN(0.05, 3.0, at(&r, "x", i * 1e-7));
  }
  clear(&r);
}

/* Blocks that read each other ----------------------------------------------------------------- */

/* Of two blocks each answers what the other says, at one instant, until that makes no difference.
 */
static void test_two_blocks_that_read_each_other(void)
{
  static const double tol[] = {1e-2, 1e-3, 1e-5, 1e-7};
  for (guint k = 0; k < G_N_ELEMENTS(tol); k++) {
    double end[3];
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      Run r;
      g_autofree char *inside =
          g_strdup_printf("<integrator name=\"x\" in=\"y\" x0=\"1\" " BLOCK "/>"
                          "<integrator name=\"y\" in=\"-x\" " BLOCK "/>",
                          tol[k], tol[k], tol[k], tol[k]);
      setup(&r, inside, "qss2", "1e-3", engines[e]);
      go(&r, 20);
      end[e] = at(&r, "x", 20);
      TEST_ASSERT_DOUBLE_WITHIN(5.0 * tol[k], cos(20), end[e]);
      clear(&r);
    }
    TEST_ASSERT_TRUE(end[0] == end[1] && end[1] == end[2]);
  }
}

/* One of them toggles by a crossing of its own, and decides what the other does: x goes down once
 * y > 0, and what is told on the way is finite however far ahead a piece would hold. */
static void test_two_blocks_with_a_relay_between(void)
{
  Run r;
  g_autofree char *inside =
      g_strdup_printf("<integrator name=\"x\" in=\"if(y > 0, -1, 1)\" x0=\"1\" " BLOCK "/>"
                      "<integrator name=\"y\" in=\"x\" x0=\"1\" " BLOCK "/>",
                      1e-4, 1e-4, 1e-4, 1e-4);
  setup(&r, inside, "qss2", "1e-3", HY_FUSED);
  double turn = 1.0 + sqrt(3.0); /* y = 1 + t - t^2/2 is 0; then x = -sqrt(3) grows */
  for (int k = 1; 0.5 * k < turn + 4.0; k++) {
    double t = 0.5 * k, s = t - turn, x = s < 0.0 ? 1.0 - t : s - sqrt(3.0);
    s = fmod(s, 4.0 * sqrt(3.0));
    go(&r, t);
    if (s < 2.0 * sqrt(3.0)) {
      TEST_ASSERT_DOUBLE_WITHIN(2e-3, x, at(&r, "x", t));
    }
  }
  clear(&r);
}

/* A sampled PI controller with a limit, whose integral is in the block, and a pwm: an edge of the
 * pwm follows the one before after a digit of the time, and the piece between them has the slopes
 * of the solution. By rkf45 to 1e-9. */
static void test_a_sampled_controller_with_a_pwm(void)
{
  static const double tol[] = {1e-3, 1e-5, 1e-7};
  for (guint k = 0; k < G_N_ELEMENTS(tol); k++) {
    Run r;
    setup_block(&r,
                "<integrator name=\"i\" in=\"(12*p - v - i/10)/1m\"/>"
                "<integrator name=\"v\" in=\"(i - v/2)/100u\"/>"
                "<sample_hold name=\"s\" in=\"v\" period=\"100u\"/>"
                "<pi name=\"c\" in=\"5 - s\" kp=\"0.02\" ki=\"20\" lower=\"0\" upper=\"1\"/>"
                "<pwm name=\"p\" period=\"100u\" duty=\"c\"/>",
                tol[k], HY_FUSED);
    go(&r, 20e-3);
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 2.3195836, at(&r, "i", 20e-3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 4.9263194, at(&r, "v", 20e-3));
    clear(&r);
  }
}

/* A duty that begins at 0, is limited there, and is held back by the pulses that it makes: what
 * rounding leaves of it above 0 is no pulse. By qss3 and rkf45 to 1e-7. */
static void test_a_duty_that_begins_at_its_limit(void)
{
  Run r;
  setup_block(&r,
              "<pwm name=\"p\" period=\"0.1\" duty=\"limit(2*x, 0, 1)\"/>"
              "<integrator name=\"x\" in=\"1 - p - x/10\"/>",
              1e-3, HY_FUSED);
  go(&r, 5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.48063, at(&r, "x", 5));
  clear(&r);
}

/* One condition in two formulas, and x slides along it: a third of the time above, so both see it.
 */
static void test_one_condition_in_two_formulas_slides_in_both(void)
{
  static const char *const methods[] = {
      "block_liqss2",
#ifdef HY_SUNDIALS
      "cvode_bdf",
#endif
  };
  for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
    Run r;
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-3\" dqmin=\"1e-3\"", methods[m]);
    setup_with(&r,
               "<integrator name=\"x\" in=\"if(x > 0.1, -2, 1)\" x0=\"0.5\"/>"
               "<integrator name=\"y\" in=\"if(x > 0.1, 1, 0)\"/>",
               numerics, HY_FUSED);
    go(&r, 2);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, 0.1, at(&r, "x", 2), methods[m]);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, 0.8, at(&r, "y", 2), methods[m]);
    clear(&r);
  }
}

/* Limits -------------------------------------------------------------------------------------- */

/* x = cos t in units that are 300 decades apart: solved, and by CVODE, whose first step is too
 * short for its pieces to bend. Nothing that is asked for is no number. */
static void check_far_apart(const char *y, const char *method, double within)
{
  Run r;
  g_autofree char *inside = g_strdup_printf("<integrator name=\"x\" in=\"1e-300*y\" x0=\"1\"/>"
                                            "<integrator name=\"y\" in=\"%s\"/>",
                                            y);
  setup(&r, inside, method, "1e-6", HY_FUSED);
  for (int k = 0; k <= 10; k++) {
    double t = 0.1 * k;
    go(&r, t);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within, cos(t), at(&r, "x", t), y);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within, -sin(t), 1e-300 * at(&r, "y", t), y);
  }
  clear(&r);
}

static void test_units_that_are_far_apart(void)
{
  check_far_apart("-1e300*x", "block_liqss2", 1e-14);
#ifdef HY_SUNDIALS
  check_far_apart("-1e300*x", "cvode_bdf", 2e-5);
#endif
}

/* What grows beyond all numbers ends the run, whoever records it. */
static void test_what_leaves_the_numbers_ends_the_run(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  setup_block(&r,
              "<integrator name=\"x\" in=\"y\" x0=\"1\"/>"
              "<integrator name=\"y\" in=\"x\" x0=\"1\"/>",
              1e-3, HY_FUSED);
  go(&r, 700);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0, at(&r, "x", 700) / exp(700));
  TEST_ASSERT_FALSE(hy_sim_run(r.sim, 800, &error));
  TEST_ASSERT_TRUE(g_str_has_prefix(error->message,
                                    "x: block_liqss2: its value leaves the numbers at t = 709."));
  clear(&r);
}

/* Likewise where it decides a mode, whose bounds leave them before. */
static void test_what_leaves_the_numbers_ends_the_run_beside_a_mode(void)
{
  Run r;
  g_autoptr(GError) error = NULL;
  setup_block(&r,
              "<integrator name=\"x\" in=\"2000*x + c\" x0=\"1\"/>"
              "<comparator name=\"c\" in=\"x\" level=\"-1\"/>",
              1e-3, HY_FUSED);
  go(&r, 0.3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0005, at(&r, "x", 0.3) / exp(600));
  TEST_ASSERT_FALSE(hy_sim_run(r.sim, 1, &error));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "leaves the numbers at t = 0.3"),
                               error->message);
  clear(&r);
}

/* Its time constant is no number. */
static void test_what_hardly_moves_is_said_in_one_piece(void)
{
  Run r;
  setup_block(&r,
              "<integrator name=\"x\" in=\"-1e-310*x\" x0=\"1\"/>"
              "<delay name=\"s\" in=\"x\" time=\"1\"/>",
              1e-3, HY_FUSED);
  go(&r, 10);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, at(&r, "x", 10));
  TEST_ASSERT_EQUAL_UINT64(1, totals(&r).pieces);
  clear(&r);
}

/* INSTEAD in its place, with the same result as if it had been stated, and that is told. */
static void check_gives_way(const char *model, const char *instead, const char *because)
{
  Run r, other;
  HyGroupTotals g;
  setup_block(&r, model, 1e-4, HY_FUSED);
  setup(&other, model, instead, "1e-4", HY_FUSED);
  go(&r, 1);
  go(&other, 1);
  hy_sim_group(r.sim, 0, &g);
  TEST_ASSERT_EQUAL_STRING(instead, g.method);
  TEST_ASSERT_EQUAL_STRING("block_liqss2", g.stated);
  TEST_ASSERT_EQUAL_STRING(because, g.because);
  TEST_ASSERT_TRUE(at(&r, "x", 1) == at(&other, "x", 1));
  hy_sim_group(other.sim, 0, &g);
  TEST_ASSERT_NULL(g.stated);
  clear(&r);
  clear(&other);
}

static void test_what_it_cannot_solve_goes_to_others(void)
{
  check_gives_way("<integrator name=\"x\" in=\"y\" x0=\"2\"/>"
                  "<integrator name=\"y\" in=\"(1 - x*x)*y - x\"/>",
                  "block_liqss2_quantum", "they are not linear while no switch turns");
  check_gives_way(
      "<integrator name=\"x\" in=\"y[1] - x\" x0=\"1\"/>"
      "<integrator name=\"y\" count=\"64\" in=\"x - 3*y[i] + if(i == 64, x, y[i+1])\"/>",
      "block_liqss2_quantum", "they are too many for a block");
}

/* Two states that hold each other, X fading at 1, Y at 1.4: both at 1.2, but for 1/g. Where that is
 * lost in g the block is right as long as it goes on, and says so. */
#define HELD                                                                                       \
  "<integrator name=\"x\" in=\"%g*(y - x) - x\" x0=\"1\"/>"                                        \
  "<integrator name=\"y\" in=\"%g*(x - y) - 1.4*y\" x0=\"1\"/>"

static void check_held(double g, gboolean lost)
{
  Run r;
  HyGroupTotals group;
  g_autofree char *model = g_strdup_printf(HELD, g, g);
  setup_block(&r, model, 1e-6, HY_FUSED);
  go(&r, 1e-5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, exp(-1.2e-5), at(&r, "x", 1e-5));
  go(&r, 1);
  hy_sim_group(r.sim, 0, &group);
  TEST_ASSERT_TRUE(group.unsure == lost);
  TEST_ASSERT_EQUAL_STRING(lost ? "block_liqss2_quantum" : "block_liqss2", group.method);
  if (!lost) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, exp(-1.2), at(&r, "x", 1));
  }
  clear(&r);
}

static void test_slow_rates_that_rounding_has_lost(void)
{
  check_held(1e6, FALSE);
  check_held(1e10, FALSE);
  check_held(1e13, TRUE);
  check_held(1e15, TRUE);
  check_held(1e17, TRUE);
  g_autofree char *model =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n" HELD
                      "<experiment stop=\"1\" method=\"block_liqss2\"/></hydevs>",
                      1e15, 1e15);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(model, strlen(model), "m.xml", NULL, report);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  hy_report_run(report, run);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(said, "m.xml:2: warning: x and 1 more: block_liqss2_quantum in place of block_liqss2"),
      said);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "lost in the rounding of fast ones"), said);
}

/* Through a run, the user is warned of another method than those of blocks. */
static void test_a_run_says_who_went_on(void)
{
#ifdef HY_SUNDIALS
  static const char text[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
                             "<integrator name=\"x\" count=\"91\" in=\"1 - m*x[i]\"/>\n"
                             "<function name=\"m\" formula=\"sum(x[*])/91\"/>\n"
                             "<experiment stop=\"1\" method=\"block_liqss2\"/></hydevs>\n";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  hy_report_run(report, run);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(said, "m.xml:2: warning: x[1] and 90 more: cvode_bdf in place of block_liqss2"), said);
#endif
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_converters_with_stray_coils_end_as_published);
  RUN_TEST(test_a_stray_coil_may_be_as_small_as_it_likes);
  RUN_TEST(test_a_rectifier_in_closed_form);
  RUN_TEST(test_critical_damping);
  RUN_TEST(test_a_double_integrator_is_a_parabola);
  RUN_TEST(test_equal_parts_are_what_one_is);
  RUN_TEST(test_what_nothing_disturbs_is_one_step);
  RUN_TEST(test_others_are_told_pieces_that_hold);
  RUN_TEST(test_an_input_in_pieces);
  RUN_TEST(test_a_mode_that_a_source_decides);
  RUN_TEST(test_a_relay_slides_within_the_tolerance);
  RUN_TEST(test_a_condition_elsewhere_slides_beside_its_level);
  RUN_TEST(test_two_blocks_that_read_each_other);
  RUN_TEST(test_two_blocks_with_a_relay_between);
  RUN_TEST(test_a_sampled_controller_with_a_pwm);
  RUN_TEST(test_a_duty_that_begins_at_its_limit);
  RUN_TEST(test_units_that_are_far_apart);
  RUN_TEST(test_what_leaves_the_numbers_ends_the_run);
  RUN_TEST(test_what_leaves_the_numbers_ends_the_run_beside_a_mode);
  RUN_TEST(test_what_hardly_moves_is_said_in_one_piece);
  RUN_TEST(test_one_condition_in_two_formulas_slides_in_both);
  RUN_TEST(test_what_it_cannot_solve_goes_to_others);
  RUN_TEST(test_slow_rates_that_rounding_has_lost);
  RUN_TEST(test_a_run_says_who_went_on);
  return UNITY_END();
}
