/* K: circuits against the laws of their elements. Right ones are quiet and judged all over; where
 * one number of one element, as the audit has it, is another, it must say so, whatever that number
 * is: then the equations would have been wrong for this circuit. */
#include "circuit_run.h"

#include "audit/tableau.h"
#include "coupled/elements.h"

static const char *const circuits[] = {
    /* a buck with leads */
    "<pwm name='g' period='0.1' duty='0.4'/><circuit name='c' g='g'><in name='g'/>"
    "<voltage name='U' nodes='in 0' value='24'/><inductor name='Ls' nodes='in a' L='2m'/>"
    "<ideal_switch name='S' nodes='a x' control='g' Ron='10m' Roff='10k'/>"
    "<ideal_diode name='D' nodes='0 x' Ron='15m' Roff='20k' Vf='0.5'/>"
    "<inductor name='L' nodes='x o' L='50m' i0='1'/><capacitor name='C' nodes='o m' C='60m'/>"
    "<resistor name='E' nodes='m 0' R='30m'/><resistor name='R' nodes='o 0' R='2'/>"
    "<current name='I' nodes='o 0' value='1'/></circuit>"
    "<experiment stop='1' record='c/*.i c/*.v' audit='full'/>",
    /* windings: three coupled coils, an ideal transformer */
    "<circuit name='c'><voltage name='U' nodes='in 0' value='10*sin(5*t)'/>"
    "<resistor name='R0' nodes='in a' R='1'/><inductor name='L1' nodes='a 0' L='0.1'/>"
    "<inductor name='L2' nodes='b 0' L='0.2'/><inductor name='L3' nodes='0 d' L='0.05'/>"
    "<coupling name='K' inductors='L1 L2 L3' k='0.8, -0.5, -0.3'/>"
    "<transformer name='T' nodes='b 0 s 0' ratio='3'/><resistor name='R1' nodes='s 0' R='0.5'/>"
    "<resistor name='R2' nodes='d 0' R='2'/></circuit>"
    "<experiment stop='1' record='c/*.i c/*.v' audit='full'/>",
    /* loops and cuts: C3 is no state, nor is L3 */
    "<step name='u' at='0.3' from='1' to='3'/>"
    "<circuit name='c' u='u'><in name='u'/><voltage name='U' nodes='in 0' value='u'/>"
    "<resistor name='R1' nodes='in a' R='1'/><capacitor name='C1' nodes='a 0' C='0.1'/>"
    "<capacitor name='C2' nodes='a b' C='0.2'/><capacitor name='C3' nodes='b 0' C='0.3'/>"
    "<resistor name='R2' nodes='b x' R='2'/><inductor name='L1' nodes='x y' L='0.1'/>"
    "<inductor name='L2' nodes='y 0' L='0.3'/><inductor name='L3' nodes='y z' L='0.2'/>"
    "<resistor name='R3' nodes='z 0' R='0.7'/></circuit>"
    "<experiment stop='1' record='c/*.i c/*.v' audit='full'/>",
    /* a thyristor, a switch whose Ron moves, a resistance that is a signal */
    "<sine name='u' amplitude='20' frequency='2'/><square name='g' frequency='4' duty='0.2' "
    "start='0.1'/>"
    "<circuit name='c' u='u' g='g'><in name='u'/><in name='g'/>"
    "<voltage name='U' nodes='in 0' value='u'/><thyristor name='T' nodes='in a' gate='g' Ron='20m'"
    " Roff='5k' Vf='0.9'/><inductor name='L' nodes='a b' L='30m'/>"
    "<resistor name='R' nodes='b 0' R='1 + t'/><resistor name='Q' nodes='a 0' R='50'/>"
    "<ideal_switch name='S' nodes='b 0' control='1 - g' Ron='0.5 + 0.1*t' Roff='1k'/></circuit>"
    "<experiment stop='1' record='c/*.i c/*.v' audit='full'/>",
    /* a transistor that conducts in both directions, by its channel and by its body */
    "<sine name='u' amplitude='20' frequency='2'/><square name='g' frequency='3' duty='0.5'/>"
    "<circuit name='c' u='u' g='g'><in name='u'/><in name='g'/>"
    "<voltage name='U' nodes='in 0' value='u'/><transistor name='S' nodes='in a' gate='g' Ron='20m'"
    " Roff='5k' Rd='50m' Vf='0.9'/><inductor name='L' nodes='a b' L='30m'/>"
    "<resistor name='R' nodes='b 0' R='2'/><resistor name='Q' nodes='a 0' R='10'/></circuit>"
    "<experiment stop='1' record='c/*.i c/*.v' audit='full'/>"};

typedef struct {
  guint64 judged, unjudged, breaches;
} Found;

static Found found_of(HyLoaded *loaded)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  HyAudited a;
  Found f = {0};
  g_clear_error(&error);
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(run, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(hy_run_record(run, &error));
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_TRUE(ok || error->code == HY_ERROR_AUDIT);
  TEST_ASSERT_TRUE(hy_run_audit(run, &a));
  for (guint k = 0; k < a.n_counts; k++) {
    f.judged += strcmp(a.counts[k].check, "K") == 0 ? a.counts[k].judged : 0;
    f.unjudged += strcmp(a.counts[k].check, "K") == 0 ? a.counts[k].unjudged : 0;
  }
  for (guint k = 0; k < a.n_breaches; k++) {
    const HyAuditBreach *b = &a.breaches[k];
    g_autofree char *words = g_strdup_printf("%s %s %.9g for %.9g at t = %.9g", b->check, b->what,
                                             b->is, b->should, b->t);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("K", b->check, words);
    f.breaches++;
  }
  return f;
}

static void test_right_circuits_are_quiet(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(circuits); k++) {
    g_autoptr(HyLoaded) loaded = load_text(circuits[k]);
    Found f = found_of(loaded);
    g_autofree char *which = g_strdup_printf("circuit %u", k);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, f.breaches, which);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, f.unjudged, which);
    TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(100, f.judged, which);
  }
}

#ifdef __SANITIZE_ADDRESS__ /* of numbers and directions one of so many */
#define STRIDE 4
#else
#define STRIDE 1
#endif

/* Each number in its turn is 1 % more, a coupling of the other sign; nothing else is touched. */
static void test_every_number_counts(void)
{
  guint numbers = 0;
  for (guint k = 0; k < G_N_ELEMENTS(circuits); k++) {
    g_autoptr(HyLoaded) loaded = load_text(circuits[k]);
    GArray *elements = hy_model_placed(hy_loaded_model(loaded), 0)->elements;
    for (guint e = 0; e < elements->len; e++) {
      HyPlaced *p = &g_array_index(elements, HyPlaced, e);
      double *number[] = {&p->value, &p->roff, &p->rd, &p->vf};
      for (guint i = 0; i < G_N_ELEMENTS(number); i++) {
        double was = *number[i];
        if (was == 0 || isnan(was) || (i == 0 && p->signal.model != NULL) ||
            numbers++ % STRIDE != 0) {
          continue;
        }
        *number[i] = p->kind == HY_PLACED_COUPLING ? -was : 1.01 * was;
        g_autofree char *which = g_strdup_printf("circuit %u, element %u, number %u", k, e, i);
        TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(0, found_of(loaded).breaches, which);
        *number[i] = was;
      }
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(30, numbers);
}

/* Plus and minus, in the other order. */
static void test_every_direction_counts(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(circuits); k++) {
    g_autoptr(HyLoaded) loaded = load_text(circuits[k]);
    GArray *elements = hy_model_placed(hy_loaded_model(loaded), 0)->elements;
    for (guint e = 0; e < elements->len; e++) {
      HyPlaced *p = &g_array_index(elements, HyPlaced, e);
      if (p->kind != HY_PLACED_COUPLING && p->kind != HY_PLACED_PROBE && e % STRIDE == 0) {
        guint was = p->node[0];
        g_autofree char *which = g_strdup_printf("circuit %u, element %u", k, e);
        p->node[0] = p->node[1], p->node[1] = was;
        TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(0, found_of(loaded).breaches, which);
        p->node[1] = p->node[0], p->node[0] = was;
      }
    }
  }
}

static void test_what_has_another_law_is_not_judged(void)
{
  g_autoptr(HyLoaded) loaded =
      load_text("<circuit name='c'><voltage name='U' nodes='a 0' value='5'/>"
                "<resistor name='R' nodes='a b' R='1k'/><exponential_diode name='D' nodes='b 0'/>"
                "<capacitor name='C' nodes='b 0' C='1m'/></circuit>"
                "<experiment stop='1' record='c/C.v' audit='full'/>");
  Found f = found_of(loaded);
  TEST_ASSERT_EQUAL_UINT64(0, f.judged);
  TEST_ASSERT_GREATER_THAN_UINT64(0, f.unjudged);
}

/* The tableau ---------------------------------------------------------------------------------- */

static void row(HyTableau *t, double a, double b, double c, double right)
{
  hy_tableau_row(t, right);
  hy_tableau_add(t, 0, a);
  hy_tableau_add(t, 1, b);
  hy_tableau_add(t, 2, c);
}

static void test_a_tableau_says_what_is_open(void)
{
  double off;
  HyTableau *t = hy_tableau_new(3);
  row(t, 1e9, -1e9, 0, 3e9); /* x - y = 3, and z is 5 */
  row(t, 0, 0, 1e-9, 5e-9);
  row(t, 2, -2, 1, 11); /* follows from both */
  TEST_ASSERT_TRUE(hy_tableau_solve(t));
  TEST_ASSERT_TRUE(isnan(hy_tableau_value(t, 0, G_MAXUINT, &off)));
  TEST_ASSERT_TRUE(isnan(hy_tableau_value(t, 2, 0, &off)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 3, hy_tableau_value(t, 0, 1, &off));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 5, hy_tableau_value(t, 2, G_MAXUINT, &off));
  TEST_ASSERT_TRUE(off > 0 && off < 1e-14);
  hy_tableau_free(t);
}

/* An unknown that a row without a number decides is open; others are what they are. */
static void test_what_is_not_known_stays_where_it_is(void)
{
  double off;
  HyTableau *t = hy_tableau_new(3);
  row(t, 1, 0, 0, NAN);
  row(t, 0, 1, 1, 3);
  row(t, 0, 1, -1, 1);
  TEST_ASSERT_TRUE(hy_tableau_solve(t));
  TEST_ASSERT_TRUE(isnan(hy_tableau_value(t, 0, G_MAXUINT, &off)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, hy_tableau_value(t, 1, G_MAXUINT, &off));
  TEST_ASSERT_TRUE(off > 0 && off < 1e-15);
  hy_tableau_free(t);
}

static void test_a_tableau_says_when_it_is_not_clear(void)
{
  HyTableau *t = hy_tableau_new(3);
  row(t, 1, 1, 0, 1);
  row(t, 1, 1 + 0x1p-44, 0, 1); /* another equation, or the same again? */
  TEST_ASSERT_FALSE(hy_tableau_solve(t));
  hy_tableau_free(t);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_right_circuits_are_quiet);
  RUN_TEST(test_every_number_counts);
  RUN_TEST(test_every_direction_counts);
  RUN_TEST(test_what_has_another_law_is_not_judged);
  RUN_TEST(test_a_tableau_says_what_is_open);
  RUN_TEST(test_what_is_not_known_stays_where_it_is);
  RUN_TEST(test_a_tableau_says_when_it_is_not_clear);
  return UNITY_END();
}
