/* method="auto": what is chosen for systems whose character is known, that it is right against
 * closed forms, and that what is stated stays. */
#include "hydevs/hydevs.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static HyLoaded *load(const char *inside, const HyLoadOptions *options)
{
  g_autofree char *text =
      g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n", inside, "</hydevs>\n", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", options, report);
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, wrong);
  return loaded;
}

static HyRun *run_of(const HyLoaded *loaded, const char *engine)
{
  HyRunSettings s = HY_RUN_SETTINGS;
  s.engine = engine;
  g_autoptr(GError) error = NULL;
  HyRun *run = hy_run_new(loaded, &s, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(run, error != NULL ? error->message : "");
  return run;
}

/* What is chosen begins with METHOD; NULL: nothing is. */
static void check_choice(const char *inside, const char *method)
{
  g_autoptr(HyLoaded) loaded = load(inside, NULL);
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  g_autofree char *chosen = hy_run_chosen(run);
  if (method == NULL) {
    TEST_ASSERT_NULL(chosen);
    return;
  }
  g_autofree char *begin = g_strconcat(method, ", chosen for you: ", NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(chosen, inside);
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(chosen, begin), chosen);
}

/* --until counts, not the end that the file states. */
static void test_the_end_that_was_asked_for_decides(void)
{
  g_autoptr(HyLoaded) loaded = load("<integrator name=\"x\" in=\"-x - x^3\" x0=\"1\"/>\n"
                                    "<experiment stop=\"1e6\" method=\"auto\"/>\n",
                                    NULL);
  g_autoptr(HyRun) whole = run_of(loaded, NULL);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.stop = 1;
  g_autoptr(HyRun) begin = hy_run_new(loaded, &s, NULL);
  g_autofree char *far = hy_run_chosen(whole), *near = hy_run_chosen(begin);
  TEST_ASSERT_FALSE_MESSAGE(g_str_has_prefix(far, "qss"), far);
  TEST_ASSERT_EQUAL_STRING("qss2, chosen for you: nothing is stiff", near);
}

#define END(stop)  "<experiment stop=\"" stop "\" method=\"auto\"/>\n"
#define FINE(stop) "<experiment stop=\"" stop "\" method=\"auto\" dqrel=\"1e-6\" dqmin=\"1e-6\"/>\n"
#define BENT       "<integrator name=\"x\" in=\"y\" x0=\"1\"/>\n<integrator name=\"y\" in=\"-x^3\"/>\n"
#define SWING      "<integrator name=\"x\" in=\"y\" x0=\"1\"/>\n<integrator name=\"y\" in=\"-x\"/>\n"

#define THERMOSTAT(in)                                                                             \
  "<hysteresis name=\"h\" in=\"T\" lower=\"19\" upper=\"21\" low=\"1\" high=\"0\"/>\n"             \
  "<integrator name=\"T\" in=\"" in "\" x0=\"20\"/>\n"

static void test_what_is_not_stiff_is_explicit(void)
{
  check_choice(BENT END("10"), "qss2");
  check_choice(BENT FINE("10"), "qss3");
  /* a mode, nothing fast, and a little bent */
  check_choice(THERMOSTAT("h - 0.02*T - 1e-6*T*T") END("500"), "qss2");
  /* fast, but driven faster */
  check_choice("<square name=\"u\" frequency=\"1000\"/>\n"
               "<integrator name=\"x\" in=\"200*(u - x - 1e-3*x^2)\"/>\n" FINE("1"),
               "qss3");
}

#define VAN_DER_POL                                                                                \
  "<integrator name=\"x\" in=\"y\" x0=\"2\"/>\n"                                                   \
  "<integrator name=\"y\" in=\"1000*(1 - x^2)*y - x\"/>\n"
/* Not stiff before it has begun: Robertson's kinetics. */
#define ROBERTSON(a, b, c)                                                                         \
  "<integrator name=\"" a "\" in=\"-0.04*" a " + 1e4*" b "*" c "\" x0=\"1\"/>\n"                   \
  "<integrator name=\"" b "\" in=\"0.04*" a " - 1e4*" b "*" c " - 3e7*" b "^2\"/>\n"               \
  "<integrator name=\"" c "\" in=\"3e7*" b "^2\"/>\n"

/* A hundred in a row, each of which answers its neighbours; MORE is what else it has, OTHERS what
 * else there is. */
#define DIFFUSES(more, others)                                                                     \
  "<integrator name=\"u\" count=\"100\" in=\"1e4*(if(i &gt; 1, u[i-1], 1) - 2*u[i] + "             \
  "if(i &lt; 100, u[i+1], 0))" more "\"/>\n" others

/* Of the second kind each state follows the one before it, and no one answers; they are too few for
 * a chain. */
static void test_what_is_stiff_and_smooth(void)
{
  check_choice(VAN_DER_POL END("3000"), "block_liqss2_error");
  check_choice(ROBERTSON("a", "b", "c") END("40"), "block_liqss2_error");
#ifdef HY_SUNDIALS
  check_choice(VAN_DER_POL FINE("3000"), "cvode_bdf");
  check_choice(ROBERTSON("a", "b", "c") FINE("40"), "cvode_bdf");
#endif
  check_choice(
      "<integrator name=\"u\" count=\"40\" in=\"1e4*(if(i &gt; 1, u[i-1], 1) - u[i])\"/>\n" END(
          "1"),
      "liqss2");
}

/* What decays in a chain: heat, waves that the wind carries, two side by side, a ring, a ladder of
 * resistances and capacitors, bent or not. */
static void test_what_is_smooth_and_decays_in_a_chain(void)
{
  check_choice(DIFFUSES("", "") END("1"), "chain_liqss2");
  check_choice(DIFFUSES(" - u[i]^3", "") END("1"), "chain_liqss2");
  check_choice(DIFFUSES(" + 5e3*(v[i] - u[i])",
                        "<integrator name=\"v\" count=\"100\" in=\"5e3*(u[i] - v[i])\"/>\n")
                   END("1"),
               "chain_liqss2");
  check_choice("<integrator name=\"u\" count=\"100\" before=\"u[100]\" "
               "in=\"1e4*(u[i-1] - u[i])\" x0=\"sin(i)\"/>\n" END("1"),
               "chain_liqss2");
  check_choice("<sine name=\"e\" amplitude=\"1\" frequency=\"1\"/>\n"
               "<integrator name=\"v\" count=\"60\" before=\"e\" after=\"v[60]\" "
               "in=\"((v[i-1] - v[i])/i - (v[i] - v[i+1])/(i+1))/1u\"/>\n" END("1"),
               "chain_liqss2");
}

/* A line of coils and capacitors swings, whatever their order in the file, and with losses; and in
 * a chain that decays one hears of all, or the tolerance is too fine for order 2. */
static void test_what_is_linear_and_smooth_in_a_chain(void)
{
  check_choice("<integrator name=\"c\" count=\"100\" in=\"1e4*(if(i == 1, 1, u[i-1]) - u[i]) - "
               "100*c[i]\"/>\n"
               "<integrator name=\"u\" count=\"100\" in=\"1e4*(c[i] - if(i == 100, 50*u[100], "
               "c[i+1])) - 100*u[i]\"/>\n" END("1"),
               "block_liqss2_error");
  check_choice("<square name=\"s\" frequency=\"0.01\"/>\n"
               "<integrator name=\"c\" count=\"100\" in=\"1e3*(if(i == 1, s - 50*c[1], u[i-1]) - "
               "u[i])\"/>\n"
               "<integrator name=\"u\" count=\"100\" in=\"1e3*(c[i] - if(i == 100, 50*u[100], "
               "c[i+1]))\"/>\n" END("1"),
               "block_liqss2_error");
#ifdef HY_SUNDIALS
  check_choice(DIFFUSES("", "") FINE("1"), "cvode_bdf");
  check_choice(DIFFUSES("", "<integrator name=\"v\" in=\"1e4*(sum(u[*]) - 100*v)\"/>\n") END("1"),
               "cvode_bdf");
#endif
}

/* A coil with a stray one behind it, cut off by a switch: 1e9/s, and both answer each other; the
 * load is linear, or a little bent. */
static void test_what_is_stiff_and_switched(void)
{
#define CUT_OFF(load)                                                                              \
  "<pwm name=\"g\" period=\"1e-4\" duty=\"0.5\"/>\n"                                               \
  "<switch name=\"R\" control=\"g\" on=\"1e-3\" off=\"1e5\"/>\n"                                   \
  "<integrator name=\"a\" in=\"(10 - R*(a - b))/1e-4\"/>\n"                                        \
  "<integrator name=\"b\" in=\"(R*(a - b) - " load ")/1e-7\"/>\n"
  check_choice(CUT_OFF("b") END("1e-2"), "block_liqss2");
  check_choice(CUT_OFF("b") FINE("1e-2"), "block_liqss2");
  check_choice(CUT_OFF("b - 1e-3*b*b") END("1e-2"), "block_liqss2_error");
#ifdef HY_SUNDIALS
  check_choice(CUT_OFF("b - 1e-3*b*b") FINE("1e-2"), "cvode_bdf");
#endif
}

/* Nothing is fast, and a block is right all the same: linear, or but for a sine of the time. */
static void test_what_is_linear_and_switched_takes_blocks(void)
{
  check_choice(THERMOSTAT("h - 0.02*T") END("500"), "block_liqss2");
  check_choice(THERMOSTAT("h - 0.02*T") FINE("500"), "block_liqss2");
  check_choice(THERMOSTAT("h - 0.02*T + 1e-3*sin(2*t + 1)") END("500"), "block_liqss2");
  /* others hear of it, as finely as they ask for */
  check_choice(
      THERMOSTAT("h - 0.02*T") "<crossing name=\"c\" in=\"T\" level=\"20\"/>\n" FINE("500"),
      "qss3");
  /* slides: x stays where the relay turns */
  check_choice("<comparator name=\"s\" in=\"x\" low=\"1\" high=\"-1\"/>\n"
               "<integrator name=\"x\" in=\"s\" x0=\"1e-4\"/>\n" END("1"),
               "qss2");
}

/* Of smooth ones, few: of many each tells the others. */
static void test_what_is_linear_and_smooth_is_one_block(void)
{
  check_choice(SWING END("10"), "block_liqss2");
  check_choice(SWING FINE("10"), "block_liqss2");
  /* integrators in a row have one eigenvalue and one eigenvector, and are one block all the same */
  check_choice(
      "<integrator name=\"x\" in=\"v\"/>\n<integrator name=\"v\" in=\"-9.81\"/>\n" END("10"),
      "block_liqss2");
  check_choice(SWING "<crossing name=\"c\" in=\"x\" level=\"0\"/>\n" FINE("10"), "qss3");
  check_choice(
      "<integrator name=\"u\" count=\"30\" in=\"if(i &gt; 1, u[i-1], 1) - u[i]\"/>\n" END("1"),
      "qss2");
}

/* Stages that feed one capacitor: each is a block, however many there are. A ladder of coils and
 * capacitors, all alike, is one, and too large. */
static void test_many_states_take_blocks_if_these_are_small(void)
{
  check_choice(
      "<pwm name=\"g\" count=\"20\" period=\"1e-4\" duty=\"0.3\"/>\n"
      "<switch name=\"R\" count=\"20\" control=\"g[i]\" on=\"1e-3\" off=\"1e5\"/>\n"
      "<integrator name=\"s\" count=\"20\" in=\"(10 - R[i]*s[i] - 10*(s[i] - l[i]))/1e-8\"/>\n"
      "<integrator name=\"l\" count=\"20\" in=\"(10*(s[i] - l[i]) - u)/1e-2\"/>\n"
      "<integrator name=\"u\" in=\"(sum(l[*]) - u)/1e-2\"/>\n" END("1e-3"),
      "block_liqss2");
  check_choice(
      "<hysteresis name=\"h\" in=\"y[1]\" lower=\"0\" upper=\"0.1\" low=\"1\" "
      "high=\"0\"/>\n"
      "<integrator name=\"y\" count=\"50\" in=\"if(i &gt; 1, z[i-1], h) - z[i]\"/>\n"
      "<integrator name=\"z\" count=\"50\" in=\"y[i] - if(i &lt; 50, y[i+1], z[i])\"/>\n" END("10"),
      "qss2");
}

/* The same with three in a row: the one in the middle is held from both sides. Pairs do not do; nor
 * does a block at a tolerance for which its order is too low, or of many states: a solver. Many
 * such rows, which share nothing but the switch, are as many blocks. */
static void test_what_is_stiff_switched_and_in_a_chain(void)
{
#define ROW(more)                                                                                  \
  "<pwm name=\"g\" period=\"1e-4\" duty=\"0.5\"/>\n"                                               \
  "<switch name=\"R\" control=\"g\" on=\"1e-3\" off=\"1e5\"/>\n"                                   \
  "<integrator name=\"a\" in=\"(10 - R*(a - b))/1e-4\"/>\n"                                        \
  "<integrator name=\"b\" in=\"(R*(a - b) - R*(b - c))/1e-7\"/>\n"                                 \
  "<integrator name=\"c\" in=\"(R*(b - c) - c - 1e-3*c*c)/1e-7\"/>\n" more
#define MANY_MORE "<integrator name=\"d\" count=\"40\" in=\"(R*(b - d[i]) - d[i])/1e-7\"/>\n"
#define ROWS                                                                                       \
  "<pwm name=\"g\" period=\"1e-4\" duty=\"0.5\"/>\n"                                               \
  "<switch name=\"R\" count=\"20\" control=\"g\" on=\"1e-3\" off=\"1e5\"/>\n"                      \
  "<integrator name=\"a\" count=\"20\" in=\"(10 - R[i]*(a[i] - b[i]))/1e-4\"/>\n"                  \
  "<integrator name=\"b\" count=\"20\" in=\"(R[i]*(a[i] - 2*b[i] + c[i]))/1e-7\"/>\n"              \
  "<integrator name=\"c\" count=\"20\" in=\"(R[i]*(b[i] - c[i]) - c[i] - 1e-3*c[i]^2)/1e-7\"/>\n"
  check_choice(ROW("") END("1e-2"), "block_liqss2_error");
#ifdef HY_SUNDIALS
  check_choice(ROW("") FINE("1e-2"), "cvode_bdf");
  check_choice(ROW(MANY_MORE) END("1e-2"), "cvode_bdf");
#endif
  check_choice(ROWS END("1e-3"), "block_liqss2");
}

static void test_what_is_stated_stays(void)
{
  static const char stated[] = "<integrator name=\"x\" in=\"-x\" x0=\"1\" method=\"qss1\"/>\n";
  g_autofree char *plain = g_strconcat(stated, "<experiment stop=\"1\"/>\n", NULL);
  check_choice(plain, NULL);
  check_choice("<integrator name=\"x\" in=\"-x\"/>\n<experiment stop=\"1\" method=\"qss1\"/>\n",
               NULL);
  check_choice("<generator name=\"g\" period=\"1\" values=\"1, 2\"/>\n" END("3"), NULL);
  /* the option stands over the experiment, and over nothing at all */
  g_autoptr(HyLoaded) loaded = load(SWING END("1"), &(HyLoadOptions){.method = "qss1"});
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  TEST_ASSERT_NULL(hy_run_chosen(run));
  g_autoptr(HyLoaded) asked =
      load(SWING "<experiment stop=\"1\" method=\"qss1\"/>\n", &(HyLoadOptions){.method = "auto"});
  g_autoptr(HyRun) chosen = run_of(asked, NULL);
  g_autofree char *text = hy_run_chosen(chosen);
  TEST_ASSERT_NOT_NULL(text);
}

/* Wherever a method may stand: a block, a model, the file; and where it stands nowhere. */
static void test_it_may_stand_everywhere(void)
{
  check_choice("<integrator name=\"x\" in=\"-x\" method=\"auto\"/>\n"
               "<experiment stop=\"1\" method=\"liqss1\"/>\n",
               "block_liqss2");
  check_choice("<coupled name=\"c\" method=\"auto\"><integrator name=\"x\" in=\"-x\"/></coupled>\n"
               "<experiment stop=\"1\" method=\"liqss1\"/>\n",
               "block_liqss2");
  check_choice("<integrator name=\"x\" in=\"-x\"/>\n"
               "<experiment stop=\"1\"><set block=\"x\" method=\"auto\"/></experiment>\n",
               "block_liqss2");
  check_choice("<integrator name=\"x\" in=\"-x\"/>\n<experiment stop=\"1\"/>\n", "block_liqss2");
  check_choice(
      "<equations name=\"e\" method=\"auto\"><state name=\"x\" derivative=\"-x\" x0=\"1\"/>"
      "</equations>\n<experiment stop=\"1\"/>\n",
      "block_liqss2");
}

/* x after a run, on ENGINE. */
static double end_value(const char *inside, const char *engine, char **chosen)
{
  g_autoptr(HyLoaded) loaded = load(inside, NULL);
  g_autoptr(HyRun) run = run_of(loaded, engine);
  guint atomic = 0;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_run_go(run, &error), error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), "x", &atomic));
  *chosen = hy_run_chosen(run);
  return hy_sim_value(hy_run_sim(run), atomic, hy_run_stop(run));
}

/* Right against WANTED, and the same bits and words on all engines. */
static void check_value(const char *inside, double wanted, double within)
{
  g_autofree char *first = NULL;
  double x = end_value(inside, "tree", &first);
  TEST_ASSERT_DOUBLE_WITHIN(within, wanted, x);
  for (HyEngine e = HY_FLAT; e <= HY_FUSED; ++e) {
    g_autofree char *chosen = NULL;
    TEST_ASSERT_TRUE(x == end_value(inside, hy_engine_name(e), &chosen));
    TEST_ASSERT_EQUAL_STRING(first, chosen);
  }
}

static void test_it_is_right_on_all_engines(void)
{
  check_value(SWING FINE("10"), cos(10), 1e-4);
  /* x' = -1000 (x - cos t) - sin t, x = cos t */
  check_value("<sine name=\"c\" frequency=\"1/(2*pi)\" phase=\"pi/2\"/>\n"
              "<sine name=\"s\" frequency=\"1/(2*pi)\"/>\n"
              "<integrator name=\"x\" in=\"-1000*(x - c) - s\" x0=\"1\"/>\n" FINE("2"),
              cos(2), 1e-4);
  /* two pairs of eigenvalues: x' = -x + y, y' = -1000 y, x = (1 + 1/999) e^-t - e^(-1000 t)/999 */
  check_value("<integrator name=\"x\" in=\"y - x\" x0=\"1\"/>\n"
              "<integrator name=\"y\" in=\"-1000*y\" x0=\"1\"/>\n" FINE("1"),
              (1 + 1.0 / 999) * exp(-1), 1e-4);
  /* a resistance that is 1 and 1000, each for half a period, ten times over */
  double x = 0, on = exp(-0.5), off = exp(-500.0);
  for (int k = 0; k < 10; k++) {
    x = 1 + (x - 1) * on;
    x = 1e-3 + (x - 1e-3) * off;
  }
  check_value("<pwm name=\"g\" period=\"1\" duty=\"0.5\"/>\n"
              "<switch name=\"R\" control=\"g\" on=\"1\" off=\"1000\"/>\n"
              "<integrator name=\"x\" in=\"1 - R*x\"/>\n" FINE("10"),
              x, 1e-5);
  /* as tables have it (E. Hairer, G. Wanner: Solving Ordinary Differential Equations II) */
  check_value(
      ROBERTSON("x", "b",
                "c") "<experiment stop=\"40\" method=\"auto\" dqrel=\"1e-4\" dqmin=\"1e-7\"/>\n",
      0.7158270688, 1e-3);
  /* a bar of 100 elements, isolated: cos(pi (i - 1/2)/100) decays as a whole */
  check_value("<integrator name=\"x\" in=\"1e4*(u[1] - x)\" x0=\"cos(pi/200)\"/>\n"
              "<integrator name=\"u\" count=\"99\" in=\"1e4*(if(i &gt; 1, u[i-1], x) - u[i] + "
              "if(i &lt; 99, u[i+1] - u[i], 0))\" x0=\"cos(pi*(i + 0.5)/100)\"/>\n" END("0.1"),
              cos(M_PI / 200) * exp(-4e3 * pow(sin(M_PI / 200), 2)), 1e-3);
}

/* Nothing is stiff, the tolerance is coarse, and yet it is right to rounding: what is linear
 * between two switches is solved exactly. x' = 1 - R x, R being 1 and 2 for half a second each; and
 * the swing x'' = u - x, u being 1 and -1 for half a second each, in terms of z = x + j x'. */
static void test_what_is_linear_and_switched_is_exact(void)
{
  double x = 0;
  for (int k = 0; k < 10; k++) {
    x = 1 + (x - 1) * exp(-0.5);
    x = 0.5 + (x - 0.5) * exp(-1.0);
  }
  check_value("<pwm name=\"g\" period=\"1\" duty=\"0.5\"/>\n"
              "<switch name=\"R\" control=\"g\" on=\"1\" off=\"2\"/>\n"
              "<integrator name=\"x\" in=\"1 - R*x\"/>\n" END("10"),
              x, 1e-9);
  double y = 0, v = 0;
  for (int k = 0; k < 20; k++) {
    double u = k % 2 == 0 ? 1 : -1, from = y - u;
    y = u + from * cos(0.5) + v * sin(0.5);
    v = v * cos(0.5) - from * sin(0.5);
  }
  check_value("<pwm name=\"g\" period=\"1\" duty=\"0.5\"/>\n"
              "<switch name=\"u\" control=\"g\" on=\"1\" off=\"-1\"/>\n"
              "<integrator name=\"x\" in=\"v\"/>\n"
              "<integrator name=\"v\" in=\"u - x\"/>\n" END("10"),
              y, 1e-9);
}

/* x' = 1 - R x^2, R being 1 and 50 for half a second each: with s = 1/sqrt(R) x/s is tanh(t/s + c)
 * below 1 and coth(t/s + c) above it. */
static void test_what_is_stiff_switched_and_not_linear_is_right(void)
{
  double x = 0, s = 1 / sqrt(50), c;
  for (int k = 0; k < 20; k++) {
    x = tanh(0.5 + atanh(x));
    c = 0.5 * log((x / s + 1) / (x / s - 1));
    x = k < 19 ? s / tanh(0.5 / s + c) : x;
  }
  static const char model[] = "<pwm name=\"g\" period=\"1\" duty=\"0.5\"/>\n"
                              "<switch name=\"R\" control=\"g\" on=\"1\" off=\"50\"/>\n"
                              "<integrator name=\"x\" in=\"1 - R*x*x\"/>\n" END("19.5");
  check_choice(model, "block_liqss2_error");
  check_value(model, x, 1e-3);
}

/* A coil and a capacitor behind a chopper, with a stray coil that makes them stiff; C: what else
 * there is, and reads i and v. */
#define CHOPPER(c)                                                                                 \
  "<pwm name=\"g\" period=\"1e-4\" duty=\"0.5\"/>\n"                                               \
  "<switch name=\"R\" control=\"g\" on=\"1e-3\" off=\"1e5\"/>\n"                                   \
  "<integrator name=\"s\" in=\"(10 - R*s - 10*(s - i))/1e-7\"/>\n"                                 \
  "<integrator name=\"i\" in=\"(10*(s - i) - v)/1e-4\"/>\n"                                        \
  "<integrator name=\"v\" in=\"(i - v)/1e-4\"/>\n" c

/* What is linear between toggles is a block, whatever hears of it or controls it; an integral goes
 * along with it, but not one of a product. Where the network itself is bent all is as one. */
static void test_a_linear_network_is_a_block_whatever_controls_it(void)
{
  check_choice(CHOPPER("<integrator name=\"e\" in=\"v*i\"/>\n") END("1e-2"),
               "block_liqss2 and qss3");
  check_choice(CHOPPER("<integrator name=\"p\" in=\"5 - v\"/>\n"
                       "<integrator name=\"e\" in=\"p/(1 + i^2) - v\"/>\n") FINE("1e-2"),
               "block_liqss2 and qss3");
  check_choice(CHOPPER("<integrator name=\"e\" in=\"1e6*(v*v - e - e^3)\"/>\n") END("1e-2"),
               "block_liqss2 and block_liqss2_error");
  check_choice(CHOPPER("<integrator name=\"a\" in=\"300*v^2\"/>\n"
                       "<integrator name=\"e\" in=\"v*cos(a) - e\"/>\n") END("1e-2"),
               "block_liqss2 and block_liqss2_error");
  check_choice(CHOPPER("<integrator name=\"w\" in=\"(v - w - w^3)/1e-4\"/>\n") END("1e-2"),
               "block_liqss2 and qss3");
  check_choice(CHOPPER("<integrator name=\"e\" in=\"v - 2*e\"/>\n") END("1e-2"), "block_liqss2");
#define BENT_CHOPPER                                                                               \
  "<pwm name=\"g\" period=\"1e-4\" duty=\"0.5\"/>\n"                                               \
  "<switch name=\"R\" control=\"g\" on=\"1e-3\" off=\"1e5\"/>\n"                                   \
  "<integrator name=\"s\" in=\"(10 - R*s - 10*(s - i))/1e-7\"/>\n"                                 \
  "<integrator name=\"i\" in=\"(10*(s - i) - v)/1e-4\"/>\n"                                        \
  "<integrator name=\"v\" in=\"(i - v - v^3)/1e-4\"/>\n"
  check_choice(BENT_CHOPPER END("1e-2"), "block_liqss2_error");
  check_choice(BENT_CHOPPER "<integrator name=\"f\" in=\"v - f\"/>\n" END("1e-2"),
               "block_liqss2_error");
}

/* Smooth and stiff, with a reader that is not linear; where nothing is stiff all is as it was. */
static void test_a_stiff_network_that_is_smooth_is_a_block(void)
{
#define SMOOTH(rate)                                                                               \
  "<integrator name=\"x\" in=\"" rate "*(sin(t) - x)\"/>\n"                                        \
  "<integrator name=\"y\" in=\"-x*y\" x0=\"1\"/>\n" END("10")
  check_choice(SMOOTH("1e6"), "block_liqss2 and qss3");
  check_choice(SMOOTH("1"), "qss2");
}

static void test_what_is_chosen_apart_is_said(void)
{
  g_autoptr(HyLoaded) loaded =
      load(CHOPPER("<integrator name=\"e\" in=\"v*i\"/>\n") END("1e-3"), NULL);
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  g_autofree char *chosen = hy_run_chosen(run);
  TEST_ASSERT_EQUAL_STRING("block_liqss2 and qss3, chosen for you: 1 state is stiff, in what is "
                           "linear between toggles; qss3: 1 more, nothing is stiff",
                           chosen);
  TEST_ASSERT_TRUE(hy_run_go(run, NULL));
  g_autoptr(GString) json = g_string_new(NULL);
  hy_stats_json(hy_run_sim(run), NULL, json);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(json->str, "\"chosen\": {\"method\": \"qss3\", \"networks\": \"block_liqss2\", "),
      json->str);
}

/* N' = 1 - R N, R being 1 and 1000 for half a second each, and M' = -N M beside it. */
#define BESIDE(N, M)                                                                               \
  "<pwm name=\"g\" period=\"1\" duty=\"0.5\"/>\n"                                                  \
  "<switch name=\"R\" control=\"g\" on=\"1\" off=\"1000\"/>\n"                                     \
  "<integrator name=\"" N "\" in=\"1 - R*" N "\"/>\n"                                              \
  "<integrator name=\"" M "\" in=\"-" N "*" M "\" x0=\"1\"/>\n" END("10")

/* The integral of a state with rate R that goes to 1/R from X in half a second. */
static double half_a_second(double R, double *x)
{
  double from = *x - 1 / R, decay = exp(-0.5 * R);
  *x = 1 / R + from * decay;
  return 0.5 / R + from * (1 - decay) / R;
}

/* The network is right to rounding at the coarsest tolerance, and the rest within it. */
static void test_a_network_is_exact_beside_what_is_not_linear(void)
{
  double x = 0, integral = 0;
  for (int k = 0; k < 10; k++) {
    integral += half_a_second(1, &x);
    integral += half_a_second(1000, &x);
  }
  check_choice(BESIDE("x", "y"), "block_liqss2 and qss3");
  check_value(BESIDE("x", "y"), x, 1e-12);
  check_value(BESIDE("y", "x"), exp(-integral), 2e-3);
}

/* A duty of tanh(t)/2 that a state makes which is not linear, y' = 1 - y^2; the network follows the
 * gate, x' = u - 2 x. When the duty meets the carrier is found by Newton. */
static void test_a_network_that_is_controlled_by_what_is_not_linear(void)
{
  double x = 0;
  for (int k = 0; k < 50; k++) {
    double off = 0.3;
    for (int n = 0; n < 20; n++) {
      double y = tanh(0.2 * k + 0.2 * off);
      off -= (off - 0.5 * y) / (1 - 0.1 * (1 - y * y));
    }
    x = 0.5 + (x - 0.5) * exp(-0.4 * off);
    x *= exp(-0.4 * (1 - off));
  }
  static const char model[] =
      "<integrator name=\"y\" in=\"1 - y^2\"/>\n"
      "<pwm name=\"g\" period=\"0.2\" duty=\"0.5*y\"/>\n"
      "<switch name=\"u\" control=\"g\" on=\"1\" off=\"0\"/>\n"
      "<switch name=\"R\" control=\"g\" on=\"2\" off=\"2\"/>\n"
      "<integrator name=\"x\" in=\"u - R*x\"/>\n"
      "<experiment stop=\"10\" method=\"auto\" dqrel=\"1e-3\" dqmin=\"1e-6\"/>\n";
  check_choice(model, "block_liqss2 and qss3");
  check_value(model, x, 1e-3 * x);
}

static void test_a_simulation_alone_does_not_choose(void)
{
  g_autoptr(HyLoaded) loaded = load(SWING END("1"), NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_FALSE(hy_sim_init(sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING("x: method \"auto\" is chosen by a run (hydevs/experiment.h), not by "
                           "a simulation alone",
                           error->message);
  g_autoptr(HyReport) report = hy_report_new(); /* but check sees nothing wrong */
  hy_report_blocks(report, loaded);
  TEST_ASSERT_EQUAL_UINT(0, hy_report_errors(report));
}

/* What goes wrong in the look at it goes wrong in the run, and is told by it. */
static void test_a_model_that_fails_fails_in_its_run(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<integrator name=\"x\" in=\"sqrt(x) - 1\" x0=\"0.1\"/>\n" END("9"), NULL);
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(hy_run_go(run, &error));
  TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_RUN));
}

/* What is read from a pipe is there once, for the run. */
static void test_a_file_that_can_be_read_once_is_left_to_the_run(void)
{
  g_autoptr(HyLoaded) loaded = load("<file_source name=\"f\" path=\"/dev/null\"/>\n"
                                    "<integrator name=\"x\" in=\"f\"/>\n" END("9"),
                                    NULL);
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  g_autofree char *chosen = hy_run_chosen(run);
  TEST_ASSERT_EQUAL_STRING("qss2, chosen for you: nothing was looked at, since /dev/null can be "
                           "read only once",
                           chosen);
}

static void test_partition_and_statistics_say_it(void)
{
  g_autoptr(HyLoaded) loaded = load(SWING END("1"), NULL);
  g_autoptr(HyRun) run = run_of(loaded, NULL);
  TEST_ASSERT_TRUE(hy_run_go(run, NULL));
  g_autoptr(GString) json = g_string_new(NULL), text = g_string_new(NULL);
  hy_stats_json(hy_run_sim(run), NULL, json);
  hy_stats_text(hy_run_sim(run), NULL, text);
  TEST_ASSERT_NOT_NULL(strstr(json->str, "\"chosen\": {\"method\": \"block_liqss2\", \"why\": \""));
  TEST_ASSERT_NOT_NULL(strstr(text->str, "\nmethod: block_liqss2, chosen for you: "));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_not_stiff_is_explicit);
  RUN_TEST(test_the_end_that_was_asked_for_decides);
  RUN_TEST(test_what_is_stiff_and_smooth);
  RUN_TEST(test_what_is_smooth_and_decays_in_a_chain);
  RUN_TEST(test_what_is_linear_and_smooth_in_a_chain);
  RUN_TEST(test_what_is_stiff_and_switched);
  RUN_TEST(test_what_is_linear_and_switched_takes_blocks);
  RUN_TEST(test_what_is_linear_and_smooth_is_one_block);
  RUN_TEST(test_many_states_take_blocks_if_these_are_small);
  RUN_TEST(test_what_is_stiff_switched_and_in_a_chain);
  RUN_TEST(test_what_is_stated_stays);
  RUN_TEST(test_it_may_stand_everywhere);
  RUN_TEST(test_it_is_right_on_all_engines);
  RUN_TEST(test_what_is_linear_and_switched_is_exact);
  RUN_TEST(test_what_is_stiff_switched_and_not_linear_is_right);
  RUN_TEST(test_a_linear_network_is_a_block_whatever_controls_it);
  RUN_TEST(test_a_stiff_network_that_is_smooth_is_a_block);
  RUN_TEST(test_what_is_chosen_apart_is_said);
  RUN_TEST(test_a_network_is_exact_beside_what_is_not_linear);
  RUN_TEST(test_a_network_that_is_controlled_by_what_is_not_linear);
  RUN_TEST(test_a_simulation_alone_does_not_choose);
  RUN_TEST(test_a_model_that_fails_fails_in_its_run);
  RUN_TEST(test_a_file_that_can_be_read_once_is_left_to_the_run);
  RUN_TEST(test_partition_and_statistics_say_it);
  return UNITY_END();
}
