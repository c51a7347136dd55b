/* Circuits with a name, each for something that went wrong once: a coil behind a switch of 1e5 Ohm,
 * diodes that turn at i = 0, diodes that decide one another through functions, phases that toggle
 * at one instant. Against what they do exactly, and as near to it as CVODE by hand. */
#include "figures.h"
#include "judge.h"
#include "unity.h"

static char *scratch;
static GString *broken;

void setUp(void)
{
  scratch = g_dir_make_tmp("circuits-XXXXXX", NULL);
  broken = g_string_new(NULL);
}

void tearDown(void)
{
  scratch_remove(scratch);
  g_free(scratch);
  g_string_free(broken, TRUE);
}

static void read_circuit(Circuit *c, const char *name)
{
  g_autofree char *file = g_strdup_printf("%s/%s.xml", HY_CIRCUITS, name);
  g_autofree char *xml = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &xml, NULL, NULL), file);
  TEST_ASSERT_TRUE_MESSAGE(circuit_read(c, xml), file);
}

static void judge_circuit(const char *name, const char *method)
{
  static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5};
  static Circuit c;
  read_circuit(&c, name);
  Exact *exact = exact_new(&c, SAMPLES, 1);
  TEST_ASSERT_NOT_NULL_MESSAGE(exact, name);
  for (guint k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    Setting s = {.program = HY_PROGRAM,
                 .method = method,
                 .tolerance = tolerances[k],
                 .seconds = SECONDS,
                 .scratch = scratch};
    Verdict v;
    TEST_ASSERT_TRUE(
        judge(&v, &c, exact, &s, (Asked){.by_hand = TRUE, .engines = tolerances[k] == COARSE}));
    if (!(v.percent <= HAND_FACTOR * v.by_hand) || !v.same) {
      g_string_append_printf(broken, "%s %s %g: %.3g %%, by hand %.3g %%%s; ", name, method,
                             tolerances[k], v.percent, v.by_hand, v.same ? "" : ", engines differ");
    }
    recording_clear(&v.record);
  }
  exact_free(exact);
}

static void test_cvode_bdf_is_as_near_as_by_hand(void)
{
  static const char *const names[] = {"boost", "flyback", "bridge", "cuk", "phases"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    judge_circuit(names[k], "cvode_bdf");
  }
  TEST_ASSERT_EQUAL_STRING("", broken->str);
}

/* Not the Cuk converter: three of its states are stiff beside the open switch, and mLIQSS steps two
 * at a time. */
static void test_mliqss2_is_as_near_as_cvode_by_hand(void)
{
  static const char *const names[] = {"boost", "flyback", "bridge", "phases"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    judge_circuit(names[k], "mliqss2");
  }
  TEST_ASSERT_EQUAL_STRING("", broken->str);
}

/* "ring" has a coil and a capacitor that ring for hundreds of turns between two of its diode: an
 * instant that is off shows in the phase. */
static void test_block_liqss2_is_as_near_as_cvode_by_hand(void)
{
  static const char *const names[] = {"boost", "flyback", "bridge", "cuk", "phases", "ring"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    judge_circuit(names[k], "block_liqss2");
  }
  TEST_ASSERT_EQUAL_STRING("", broken->str);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_cvode_bdf_is_as_near_as_by_hand);
  RUN_TEST(test_mliqss2_is_as_near_as_cvode_by_hand);
  RUN_TEST(test_block_liqss2_is_as_near_as_cvode_by_hand);
  return UNITY_END();
}
