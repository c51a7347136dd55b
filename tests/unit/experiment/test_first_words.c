/* What decides a mode is waited for at the start, where it is certain to come: a comparison that is
 * true from the start tells nobody that it has become so. */
#include "circuit_run.h"

static const char *const methods[] = {"qss2", "liqss2", "rk4", "block_liqss2"};

#define X "<integrator name='x' x0='2' in='-0.1*x'/>"
#define G "<function name='g' formula='if(x &gt; 1, 1, 0)'/>"

/* N at 1, in all engines. */
static double n_of(const char *body, const char *method)
{
  double end[1];
  g_autofree char *text =
      g_strdup_printf("%s<experiment stop='1' method='%s' hstep='0.01' record='n'/>", body, method);
  run_all(text, 1, end);
  return end[0];
}

static void test_what_is_true_from_the_start_is_no_event(void)
{
  static const char *const bodies[] = {
      X G "<crossing name='k' in='g' level='0.5'/><counter name='n' in='k'/>",
      "<crossing name='k' in='g' level='0.5'/><counter name='n' in='k'/>" G X,
      X "<hysteresis name='g' in='x' lower='0.5' upper='1'/>"
        "<crossing name='k' in='g' level='0.5'/><counter name='n' in='k'/>",
      X "<function name='g' formula='if(x &gt; 1, 1, 0) + min(x, 1)'/>"
        "<crossing name='k' in='g' level='1.5'/><counter name='n' in='k'/>",
      "<function name='h' formula='if(g &gt; 0.5, 0, 1)'/>" X G
      "<crossing name='k' in='h' level='0.5'/><counter name='n' in='k'/>",
  };
  for (guint k = 0; k < G_N_ELEMENTS(bodies) * G_N_ELEMENTS(methods); k++) {
    const char *method = methods[k % G_N_ELEMENTS(methods)];
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(0, n_of(bodies[k / G_N_ELEMENTS(methods)], method), method);
  }
}

static void test_samples_and_resets_see_what_is(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    TEST_ASSERT_EQUAL_DOUBLE(1, n_of(G X "<sample_hold name='n' in='g' period='10'/>", methods[k]));
    TEST_ASSERT_EQUAL_DOUBLE(
        5, n_of(G X "<crossing name='k' in='g' level='0.5' direction='up'/>"
                    "<reset_integrator name='n' x0='5' in='0' reset='k' value='0'/>",
                methods[k]));
  }
}

/* A diode and the current that it decides would wait for each other. */
static void test_a_loop_through_a_mode_goes_on(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    double n = n_of("<function name='r' formula='if(i &gt; 0, 1, 1e6)'/>"
                    "<function name='i' formula='(5 - n)/r'/><integrator name='n' in='i'/>",
                    methods[k]);
    TEST_ASSERT_DOUBLE_WITHIN(2e-2, 5.0 * (1.0 - exp(-1.0)), n);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_true_from_the_start_is_no_event);
  RUN_TEST(test_samples_and_resets_see_what_is);
  RUN_TEST(test_a_loop_through_a_mode_goes_on);
  return UNITY_END();
}
