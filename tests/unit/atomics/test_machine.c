/* State machines in the smallest models that show one thing each, on three engines; what they
 * should say is reckoned by hand. Machines of any shape are in test_machine_random.c. */
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

typedef struct {
  guint atomic;
  GString *said;
} Heard;

static void note(gpointer user, const HyTransition *x)
{
  Heard *h = user;
  char t[HY_DOUBLE_SIZE], v[HY_DOUBLE_SIZE];
  if (x->atomic == h->atomic && x->kind == HY_LAMBDA && x->event->port >= 0) {
    g_string_append_printf(h->said, "%s%s:%d=%s", h->said->len > 0 ? " " : "",
                           hy_double_text(t, x->t), x->event->port,
                           hy_double_text(v, x->event->value.c[0]));
  }
}

static HyLoaded *load(const char *inside)
{
  g_autofree char *text = g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"r\" needs=\"1.3\">",
                                      inside, "</hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "r.xml", NULL, report);
  g_autofree char *what = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, what);
  return loaded;
}

/* What the block called NAME says until TF, "t:port=value ..."; or the error that ends the run. */
static char *run_on(HyLoaded *loaded, const char *name, HyEngine engine, double tf, guint64 seed)
{
  g_autoptr(GError) error = NULL;
  HyModel *model = hy_loaded_model(loaded);
  g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
  Heard heard = {hy_model_number(model, hy_model_find(model, name)), g_string_new(NULL)};
  HyTrace trace = {.user = &heard, .transition = note};
  hy_sim_set_trace(sim, &trace);
  hy_sim_set_limit(sim, 1000);
  hy_sim_set_seed(sim, seed);
  if (!hy_sim_init(sim, 0, &error) || !hy_sim_run(sim, tf, &error)) {
    g_string_append_printf(heard.said, "%s%d %s", heard.said->len > 0 ? " " : "", error->code,
                           error->message);
  }
  return g_string_free(heard.said, FALSE);
}

static void check(const char *inside, const char *name, double tf, const char *expected)
{
  g_autoptr(HyLoaded) loaded = load(inside);
  for (HyEngine e = HY_TREE; e <= HY_FUSED; e++) {
    g_autofree char *said = run_on(loaded, name, e, tf, 0);
    TEST_ASSERT_EQUAL_STRING(expected, said);
  }
}

#define TICKS "<generator name=\"g\" first=\"2\" period=\"2\" values=\"5, 6, 7, 8\"/>"

/* The words of one change leave in their order: those of the transition, then those of the state.
 */
static void test_mealy_before_moore(void)
{
  check(TICKS
        "<machine name=\"m\" g=\"g\"><out name=\"a\"/><out name=\"b\"/>"
        "<state name=\"s\" a=\"1\"><on event=\"g\" to=\"s\" b=\"g\" a=\"0\"/></state></machine>",
        "m", 4, "0:0=1 2:0=0 2:1=5 2:0=1 4:0=0 4:1=6 4:0=1");
}

/* Who is first at an instant of both: the button leaves a state whose timeout is then gone, or the
 * timeout has been taken already. */
static void test_an_input_at_the_instant_of_a_timeout(void)
{
  const char *machine =
      "<machine name=\"m\" g=\"g\"><state name=\"s\" out=\"0\"><after time=\"2\" to=\"late\"/>"
      "<on event=\"g\" to=\"asked\"/></state><state name=\"late\" out=\"1\"><on event=\"g\" "
      "to=\"both\"/></state>"
      "<state name=\"asked\" out=\"2\" final=\"true\"/><state name=\"both\" out=\"3\" "
      "final=\"true\"/></machine>";
  g_autofree char *before = g_strconcat(TICKS, machine, NULL),
                  *after = g_strconcat(machine, TICKS, NULL);
  check(before, "m", 3, "0:0=0 2:0=2");
  check(after, "m", 3, "0:0=0 2:0=1 2:0=3");
}

/* Itself by `to` begins its timeout anew; without `to` it goes on. */
static void test_to_itself_and_staying(void)
{
  const char *form =
      TICKS "<machine name=\"m\" g=\"g\"><var name=\"n\"/><state name=\"s\" out=\"n\">"
            "<on event=\"g\"%s do=\"n = n + 1\"/><after time=\"3\" to=\"end\"/></state>"
            "<state name=\"end\" out=\"10 + n\" final=\"true\"/></machine>";
  g_auto(GStrv) parts = g_strsplit(form, "%s", 2);
  g_autofree char *itself = g_strconcat(parts[0], " to=\"s\"", parts[1], NULL),
                  *stays = g_strconcat(parts[0], parts[1], NULL);
  check(itself, "m", 20, "0:0=0 2:0=1 4:0=2 6:0=3 8:0=4 11:0=14");
  check(stays, "m", 20, "0:0=0 3:0=11");
}

/* exit, do and what it says, entry, what the new state says, its timeout: each sees the one before.
 */
static void test_the_order_of_what_is_done(void)
{
  check(TICKS "<machine name=\"m\" g=\"g\"><var name=\"n\" value=\"1\"/><out name=\"out\"/><out "
              "name=\"bell\"/>"
              "<state name=\"s\" out=\"n\" entry=\"n = n + 1\" exit=\"n = n*10\">"
              "<on event=\"g\" to=\"r\" do=\"n = n + 3; n = 2*n\" bell=\"n\"/></state>"
              "<state name=\"r\" out=\"n\" entry=\"n = n - 45.5\"><after time=\"n\" "
              "to=\"s\"/></state></machine>",
        "m", 3.9, "0:0=2 2:1=46 2:0=0.5 2.5:0=1.5");
}

/* A timeout whose guard does not hold is over; an instant in a variable outlives other transitions.
 */
static void test_timeouts(void)
{
  check(TICKS "<machine name=\"m\" g=\"g\"><var name=\"n\"/><state name=\"s\" out=\"0\">"
              "<after time=\"1\" guard=\"n > 0\" to=\"early\"/><on event=\"g\" do=\"n = "
              "1\"/><after time=\"5\" to=\"late\"/></state>"
              "<state name=\"early\" out=\"1\" final=\"true\"/><state name=\"late\" out=\"2\" "
              "final=\"true\"/></machine>",
        "m", 20, "0:0=0 5:0=2");
  check(TICKS "<machine name=\"m\" g=\"g\"><var name=\"begun\"/><state name=\"s\" out=\"0\" "
              "entry=\"begun = t\"><on event=\"g\" to=\"a\"/></state>"
              "<state name=\"a\" out=\"1\"><on event=\"g\" to=\"b\"/><after time=\"begun + 5 - t\" "
              "to=\"end\"/></state>"
              "<state name=\"b\" out=\"2\"><after time=\"begun + 5 - t\" to=\"end\"/></state>"
              "<state name=\"end\" out=\"3\" final=\"true\"/></machine>",
        "m", 20, "0:0=0 2:0=1 4:0=2 5:0=3");
}

/* The event brings a value, which the input keeps; the first `on` whose guard holds takes it. */
static void test_values_of_events_and_guards_in_order(void)
{
  check(TICKS "<machine name=\"m\" g=\"g\"><out name=\"out\" kind=\"event\"/><state name=\"s\">"
              "<on event=\"g\" guard=\"g > 7\" out=\"100 + g\"/><on event=\"g\" guard=\"g >= 6 and "
              "elapsed > 3\" out=\"10 + g\"/>"
              "<after time=\"7\" out=\"g\"/></state></machine>",
        "m", 20, "4:0=16 6:0=17 7:0=7 8:0=108");
}

/* A `when` over a variable is exact at its level, also where it comes there by a jump; one that
 * stays is taken once. */
static void test_when_over_variables(void)
{
  check(TICKS "<machine name=\"m\" g=\"g\"><var name=\"n\"/><out name=\"out\" "
              "kind=\"event\"/><state name=\"s\">"
              "<on event=\"g\" do=\"n = n + 1\"/><when guard=\"n >= 2\" out=\"n\"/><when guard=\"n "
              "> 3\" to=\"r\" out=\"-n\"/></state>"
              "<state name=\"r\"><when guard=\"n == 4\" to=\"end\" out=\"50\"/></state><state "
              "name=\"end\" final=\"true\"/></machine>",
        "m", 20, "4:0=2 8:0=-4 8:0=50");
}

/* Guards as they are written, and what they are of numbers. */
static gboolean compare(guint op, double x, double level)
{
  const gboolean is[] = {x > level, x >= level, x < level, x <= level, x == level, x != level};
  return is[op];
}

/* A signal that jumps from value to value is compared exactly: at each instant between two jumps
 * the machine is where the guard, taken for the number that the signal is there, says. */
static void test_when_at_a_level_that_is_jumped_to(void)
{
  static const char *const ops[] = {"&gt;", "&gt;=", "&lt;", "&lt;=", "==", "!="};
  static const char *const forms[] = {"x %s 1", "2*x - 2 %s 0", "x %s t - t + 1",
                                      "x %s 1 and t &gt;= 0", "min(x, 9) %s 1"};
  static const double walks[][5] = {
      {0, 1, 2, 1, 0}, {2, 1, 0, 1, 2}, {1, 0, 1, 2, 1}, {0, 2, 1, 1, 0}};
  for (guint k = 0; k < G_N_ELEMENTS(ops) * G_N_ELEMENTS(forms) * G_N_ELEMENTS(walks); k++) {
    guint op = k % G_N_ELEMENTS(ops), form = k / G_N_ELEMENTS(ops) % G_N_ELEMENTS(forms);
    const double *x = walks[k / G_N_ELEMENTS(ops) / G_N_ELEMENTS(forms)];
    g_auto(GStrv) around = g_strsplit(forms[form], "%s", 2);
    g_autofree char *guard = g_strconcat(around[0], ops[op], around[1], NULL);
    g_autoptr(GString) expected = g_string_new("0:0=0"), jumps = g_string_new(NULL);
    gboolean yes = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(walks[0]); i++) {
      if (i > 0) {
        g_string_append_printf(jumps, "<step name=\"s%u\" at=\"%u\" to=\"%g\"/>", i, i,
                               x[i] - x[i - 1]);
      }
      if (compare(op, x[i], 1) != yes) {
        yes = !yes;
        g_string_append_printf(expected, " %u:0=%d", i, yes);
      }
    }
    g_autofree char *inside = g_strdup_printf(
        "%s<function name=\"x\" formula=\"%g + s1 + s2 + s3 + s4\"/><machine name=\"m\">"
        "<state name=\"no\" out=\"0\"><when guard=\"%s\" to=\"yes\"/></state>"
        "<state name=\"yes\" out=\"1\"><when guard=\"not(%s)\" to=\"no\"/></state></machine>",
        jumps->str, x[0], guard, guard);
    check(inside, "m", 4.5, expected->str);
  }
}

/* One that comes to the level and rests there is not above it, until it rises again. */
static void test_when_what_rested_at_a_level_moves(void)
{
  static const char *const guards[] = {"x &gt; 1", "x &gt;= 1", "x == 1"};
  static const char *const expected[] = {"0:0=0 3:0=1", "0:0=0 1:0=1", "0:0=0 1:0=1"};
  for (guint k = 0; k < G_N_ELEMENTS(guards); k++) {
    g_autofree char *inside = g_strdup_printf(
        "<ramp name=\"a\" duration=\"1\" height=\"1\"/>"
        "<ramp name=\"b\" start=\"3\" duration=\"1\" height=\"1\"/>"
        "<machine name=\"m\" x=\"a + b\"><state name=\"no\" out=\"0\"><when guard=\"%s\" "
        "to=\"yes\"/></state><state name=\"yes\" out=\"1\" final=\"true\"/></machine>",
        guards[k]);
    check(inside, "m", 5, expected[k]);
  }
}

/* The instant at which a signal passes a level is exact: x = t/2 here. */
static void test_when_over_signals(void)
{
  check("<integrator name=\"x\" in=\"0.5\" method=\"qss2\"/><machine name=\"m\"><var name=\"n\" "
        "value=\"1\"/>"
        "<state name=\"s\" out=\"n\"><when guard=\"x > n and elapsed >= 0.5\" to=\"s\" do=\"n = n "
        "+ 1\"/></state></machine>",
        "m", 6.5, "0:0=1 2:0=2 4:0=3 6:0=4");
  check("<sine name=\"x\" amplitude=\"1\" frequency=\"1\"/><machine name=\"m\" p=\"x*x\"><var "
        "name=\"n\"/><state name=\"low\" out=\"0\">"
        "<when guard=\"t > 1.5\" to=\"end\"/></state><state name=\"end\" out=\"n + (p > 2)\" "
        "final=\"true\"/></machine>",
        "m", 2, "0:0=0 1.5:0=0");
}

/* It waits for what it reads, and a signal that comes later lets it begin then. */
static void test_it_begins_when_its_signals_are_known(void)
{
  check("<generator name=\"g\" first=\"3\" period=\"1\" values=\"4, 5\"/>"
        "<machine name=\"m\"><state name=\"s\" out=\"g\"><after time=\"1\" "
        "to=\"r\"/></state><state name=\"r\" out=\"1\" final=\"true\"/></machine>",
        "m", 9, "3:0=4 4:0=1");
}

/* What all states do with an event one of them does not, and what it ignores is counted so. */
static void test_an_event_can_be_ignored(void)
{
  const char *inside = TICKS
      "<machine name=\"m\" g=\"g\"><on event=\"g\" to=\"off\"/><state name=\"on\" out=\"1\"><on "
      "event=\"g\" guard=\"g &lt; 7\"/><after time=\"9\" to=\"off\"/></state>"
      "<state name=\"off\" out=\"0\" final=\"true\"/></machine>";
  check(inside, "m", 9, "0:0=1 6:0=0");
  g_autoptr(HyLoaded) loaded = load(inside);
  HyModel *model = hy_loaded_model(loaded);
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 5, NULL));
  g_autofree char *told = hy_sim_report(sim, hy_model_number(model, hy_model_find(model, "m")));
  TEST_ASSERT_EQUAL_STRING("0 transitions, 2 events ignored", told);
}

/* Copies have their own formulas, by their index. */
static void test_copies_and_names(void)
{
  const char *three =
      "<machine name=\"m\" count=\"3\"><var name=\"own\" value=\"i\"/><state name=\"s\" "
      "out=\"own*i\">"
      "<after time=\"i\" to=\"r\"/></state><state name=\"r\" out=\"-i\" final=\"true\"/></machine>";
  check(three, "m[2]", 9, "0:0=4 2:0=-2");
  check(three, "m[3]", 9, "0:0=9 3:0=-3");
}

/* What cannot go on says which formula of which state, and when. */
static void test_impossible_values(void)
{
  check(TICKS
        "<machine name=\"m\" g=\"g\"><state name=\"s\" out=\"0\"><on event=\"g\" to=\"r\"/></state>"
        "<state name=\"r\" out=\"1\"><after time=\"4 - g\" to=\"s\"/></state></machine>",
        "m", 9, "0:0=0 3 m: state r, time=\"4 - g\" is -1 at t = 2");
  check(TICKS "<machine name=\"m\" g=\"g\"><state name=\"s\" out=\"0\"><on event=\"g\" "
              "guard=\"sqrt(5 - g) >= 0\" to=\"s\"/></state></machine>",
        "m", 9, "0:0=0 2:0=0 3 m: state s, guard=\"sqrt(5 - g) >= 0\" is nan at t = 4");
  check(TICKS "<machine name=\"m\" g=\"g\"><state name=\"s\" out=\"1/(g - 6)\"><on event=\"g\" "
              "to=\"s\"/></state></machine>",
        "m", 9, "0:0=-0.16666666666666666 2:0=-1 3 m: state s, out=\"1/(g - 6)\" is inf at t = 4");
  check("<integrator name=\"x\" in=\"1\" method=\"qss2\"/><machine name=\"m\"><var "
        "name=\"n\"/><state name=\"s\" out=\"0\">"
        "<when guard=\"x > n/n\" to=\"s\"/></state></machine>",
        "m", 9, "3 m: state s, guard=\"x > n/n\" is nan at t = 0");
}

/* What a condition does not depend on may be no number. */
static void test_no_number_where_it_does_not_matter(void)
{
  check(TICKS
        "<machine name=\"m\" g=\"g\"><var name=\"n\"/><var name=\"k\"/><state name=\"s\" out=\"0\">"
        "<on event=\"g\" guard=\"n > 0 and k/n > 1\" out=\"k/n\"/><on event=\"g\" do=\"n = n + 1; "
        "k = k + g\"/></state></machine>",
        "m", 9, "0:0=0 4:0=5 6:0=5 8:0=5");
}

/* A circle of transitions without time is no legitimate model. */
static void test_a_circle_without_time_ends(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<machine name=\"m\"><var name=\"n\"/><state name=\"a\"><when guard=\"n >= 0\" "
           "to=\"b\"/></state>"
           "<state name=\"b\"><after time=\"0\" to=\"a\"/></state></machine>");
  for (HyEngine e = HY_TREE; e <= HY_FUSED; e++) {
    g_autofree char *said = run_on(loaded, "m", e, 1, 0);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(said, "4 "), said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "t = 0"), said);
  }
}

/* What lambda says before dint is what dint makes of it: the same draw. */
static void test_lambda_and_dint_draw_the_same(void)
{
  g_autoptr(HyLoaded) loaded = load("<machine name=\"m\"><var name=\"n\"/><out name=\"a\" "
                                    "kind=\"event\"/><out name=\"b\" kind=\"event\"/>"
                                    "<state name=\"s\" b=\"n\"><after time=\"1\" to=\"s\" do=\"n = "
                                    "random\" a=\"n\"/></state></machine>");
  g_autofree char *said = run_on(loaded, "m", HY_TREE, 50, 1);
  g_auto(GStrv) word = g_strsplit(said, " ", -1);
  TEST_ASSERT_EQUAL_UINT(101, g_strv_length(word));
  for (guint k = 1; k < 101; k += 2) {
    TEST_ASSERT_NOT_NULL(strstr(word[k], ":0="));
    TEST_ASSERT_EQUAL_STRING(strchr(word[k], '='), strchr(word[k + 1], '='));
  }
}

/* What stands in the machine itself is for all states, behind their own, and not for final ones. */
static void test_transitions_of_all_states(void)
{
  check(TICKS "<machine name=\"m\" g=\"g\"><state name=\"a\" out=\"1\"><on event=\"g\" guard=\"g "
              "== 5\" to=\"b\"/></state>"
              "<state name=\"b\" out=\"2\"/><state name=\"c\" out=\"3\"><on event=\"g\" "
              "to=\"end\"/></state>"
              "<state name=\"end\" out=\"4\" final=\"true\"/><on event=\"g\" to=\"c\"/></machine>",
        "m", 9, "0:0=1 2:0=2 4:0=3 6:0=4");
}

/* -log(random) is exponential with mean 1; the same seed gives the same, another one another. */
static void test_random_times(void)
{
  g_autoptr(HyLoaded) loaded =
      load("<machine name=\"m\"><out name=\"out\" kind=\"event\"/><state name=\"s\">"
           "<after time=\"-log(random)\" to=\"s\" out=\"elapsed\"/></state></machine>");
  g_autofree char *tree = run_on(loaded, "m", HY_TREE, 4000, 1),
                  *flat = run_on(loaded, "m", HY_FLAT, 4000, 1),
                  *other = run_on(loaded, "m", HY_TREE, 4000, 2);
  TEST_ASSERT_EQUAL_STRING(tree, flat);
  TEST_ASSERT_TRUE(strcmp(tree, other) != 0);
  g_auto(GStrv) word = g_strsplit(tree, " ", -1);
  guint n = g_strv_length(word), long_ones = 0;
  double squares = 0;
  for (guint k = 0; k < n; k++) {
    double x = g_ascii_strtod(strchr(word[k], '=') + 1, NULL);
    squares += x * x;
    long_ones += x > 1;
  }
  /* n is Poisson(4000): +- 63; the mean of x^2 is 2, its deviation sqrt(20 / n); P(x > 1) = 1/e */
  TEST_ASSERT_DOUBLE_WITHIN(4 * 63.3, 4000, n);
  TEST_ASSERT_DOUBLE_WITHIN(4 * sqrt(20.0 / n), 2, squares / n);
  TEST_ASSERT_DOUBLE_WITHIN(4 * sqrt(0.2325 / n), exp(-1), (double)long_ones / n);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_mealy_before_moore);
  RUN_TEST(test_an_input_at_the_instant_of_a_timeout);
  RUN_TEST(test_to_itself_and_staying);
  RUN_TEST(test_the_order_of_what_is_done);
  RUN_TEST(test_timeouts);
  RUN_TEST(test_values_of_events_and_guards_in_order);
  RUN_TEST(test_when_over_variables);
  RUN_TEST(test_when_at_a_level_that_is_jumped_to);
  RUN_TEST(test_when_what_rested_at_a_level_moves);
  RUN_TEST(test_an_event_can_be_ignored);
  RUN_TEST(test_when_over_signals);
  RUN_TEST(test_it_begins_when_its_signals_are_known);
  RUN_TEST(test_copies_and_names);
  RUN_TEST(test_impossible_values);
  RUN_TEST(test_no_number_where_it_does_not_matter);
  RUN_TEST(test_a_circle_without_time_ends);
  RUN_TEST(test_lambda_and_dint_draw_the_same);
  RUN_TEST(test_transitions_of_all_states);
  RUN_TEST(test_random_times);
  return UNITY_END();
}
