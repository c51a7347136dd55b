/* Every verb on some models that have little in common. */
#include "verbs.h"

static void test_every_verb_ends_well_on_every_kind_of_model(void)
{
  static const char *const models[] = {"examples/queue/model.xml",  "examples/machines/light.xml",
                                       "examples/steady/buck.xml",  "examples/tanks/model.xml",
                                       "examples/netlist/buck.cir", "examples/own-block/street.xml",
                                       "examples/tie/model.xml",    "examples/multirate/model.xml"};
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    all_verbs(models[k]);
  }
}

/* A machine beside a state, which the examples do not have alone. */
static void test_every_verb_ends_well_on_a_machine_and_a_state(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "<hydevs xmlns='urn:hydevs:1' name='m'><machine name='b' initial='off'>"
      "<state name='off' out='0'><after time='0.7m' to='on'/></state>"
      "<state name='on' out='1'><after time='0.3m' to='off'/></state></machine>"
      "<integrator name='x' in='4k*(b - x)'/><experiment stop='3' record='x b'/></hydevs>",
      -1, NULL));
  for (guint k = 0; k < G_N_ELEMENTS(every_verb); k++) {
    verb_ends_well(every_verb[k], file, NULL, NULL);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_verb_ends_well_on_every_kind_of_model);
  RUN_TEST(test_every_verb_ends_well_on_a_machine_and_a_state);
  return UNITY_END();
}
