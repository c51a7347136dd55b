/* Which states are solved together: converters, whose parts one knows, and small systems whose
 * rates are written down. */
#include "equations/print.h"
#include "equations/state_blocks.h"
#include "hydevs/experiment.h"
#include "hydevs/hydevs.h"
#include "sim/engine.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* The blocks of all states of a model: names in the order of the file, "{iS iL}{uC}". */
static char *blocks_of(HyLoaded *loaded, guint few)
{
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init_equations(sim, 0, NULL));
  guint n = hy_print_n_states(sim->room);
  g_autofree guint32 *state = g_new(guint32, n);
  for (guint32 k = 0; k < n; k++) {
    state[k] = k;
  }
  HyStateBlocks *blocks = hy_state_blocks_new(sim->room, state, n, few);
  GString *text = g_string_new(NULL);
  for (guint b = 0; b < blocks->block->len; b++) {
    const HyStateBlock *block = &g_array_index(blocks->block, HyStateBlock, b);
    for (guint k = 0; k < block->n; k++) {
      guint32 s = blocks->state[block->first + k];
      g_autofree char *path = hy_sim_path(sim, hy_print_state_atomic(sim->room, s));
      g_string_append_printf(text, "%s%s", k == 0 ? "{" : " ", path);
    }
    g_string_append(text, block->linear ? "}" : "?}");
  }
  hy_state_blocks_free(blocks);
  return g_string_free(text, FALSE);
}

static HyLoaded *load_text(const char *inside)
{
  g_autofree char *text = g_strconcat("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">", inside,
                                      "<experiment method=\"block_liqss2\"/></hydevs>", NULL);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

static void check(const char *inside, guint few, const char *expected)
{
  g_autoptr(HyLoaded) loaded = load_text(inside);
  g_autofree char *blocks = blocks_of(loaded, few);
  TEST_ASSERT_EQUAL_STRING(expected, blocks);
}

static void check_thesis(const char *name, const char *expected)
{
  g_autofree char *path = g_strdup_printf(HY_SOURCE_DIR "/examples/thesis/%s/model.xml", name);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(path, NULL, report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, path);
  g_autofree char *blocks = blocks_of(loaded, 1);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, blocks, name);
}

/* The coil beside the switch goes with whatever it makes fast; the output capacitor does not. */
static void test_converters_of_the_thesis(void)
{
  check_thesis("buck-ls", "{iS iL}{uC}");
  check_thesis("buck-ld", "{iD iL}{uC}");
  check_thesis("cuk-ls", "{iL1 iL2 iS uC1}{uC2}");
  check_thesis("cuk", "{iL1 iL2 uC1}{uC2}");
  check_thesis("buck-ls-interleaved", "{stage[1]/iS stage[1]/iL}{stage[2]/iS stage[2]/iL}"
                                      "{stage[3]/iS stage[3]/iL}{stage[4]/iS stage[4]/iL}{uC}");
  check_thesis("cuk-ls-interleaved", "{stage[1]/iL1 stage[1]/iL2 stage[1]/iS stage[1]/uC1}"
                                     "{stage[2]/iL1 stage[2]/iL2 stage[2]/iS stage[2]/uC1}"
                                     "{stage[3]/iL1 stage[3]/iL2 stage[3]/iS stage[3]/uC1}"
                                     "{stage[4]/iL1 stage[4]/iL2 stage[4]/iS stage[4]/uC1}{uC2}");
}

#define PAIR(x, y, rate)                                                                           \
  "<integrator name='" x "' in='" rate "*(" y " - " x ")'/>"                                       \
  "<integrator name='" y "' in='" rate "*(" x " - " y ") + a'/>"

static void test_few_go_together(void)
{
  static const char model[] = "<integrator name='a' in='x - 2*a'/>" PAIR("x", "y", "1e9");
  check(model, HY_BLOCK_FEW_STATES, "{a x y}");
  check(model, 1, "{a}{x y}");
}

/* A chain of equal links has no place at which to be cut, and neither has one of many states. */
static void test_what_is_equally_fast_is_one_block(void)
{
  check("<integrator name='x' count='3' in='if(i &gt; 1, x[i-1], 0) - 2*x[i] + "
        "if(i &lt; 3, x[i+1], 0)'/>",
        1, "{x[1] x[2] x[3]}");
}

/* In other units the same: a volt is a thousand millivolts. */
static void test_units_make_no_difference(void)
{
  check("<integrator name='a' in='x*1e-6 - a'/>"
        "<integrator name='x' in='1e9*(1e6*y - x) + 1e6*a'/>"
        "<integrator name='y' in='1e9*(1e-6*x - y)'/>",
        1, "{a}{x y}");
}

/* What never comes back is no loop; in a ring it does. */
static void test_only_what_comes_back_counts(void)
{
  check("<integrator name='a' in='-a'/><integrator name='b' in='500*a - b'/>", 1, "{a}{b}");
  check("<integrator name='a' in='c'/><integrator name='b' in='a'/><integrator name='c' in='-b'/>",
        1, "{a b c}");
}

/* States that decide one diode are not parted, however little they answer each other; those of a
 * mode that only a gate decides are. */
static void test_one_diode_is_decided_in_one_block(void)
{
  static const char model[] = "<pwm name='g' period='1m' duty='0.5'/>"
                              "<diode name='Rd' i='%s' ron='1u' roff='1M'/>"
                              "<integrator name='x' in='y - Rd*x'/>"
                              "<integrator name='y' in='-x - 1e5*y'/>";
  g_autofree char *both = g_strdup_printf(model, "x - y"), *one = g_strdup_printf(model, "x");
  check(both, 1, "{x y}");
  check(one, 1, "{x}{y}");
}

/* Whoever has a mode in its equation goes with what decides it, where that is no crowd. */
static void test_readers_of_a_mode_go_with_it(void)
{
  static const char model[] = "<switch name='k' control='x' level='0' on='1' off='2'/>"
                              "<integrator name='x' in='1 - x'/><integrator name='y' in='-y'/>"
                              "<integrator name='z' count='%d' in='k - z[i]'/>";
  g_autofree char *two = g_strdup_printf(model, 2), *many = g_strdup_printf(model, 11);
  check(two, 1, "{x z[1] z[2]}{y}");
  check(many, 1, "{x}{y}{z[1]}{z[2]}{z[3]}{z[4]}{z[5]}{z[6]}{z[7]}{z[8]}{z[9]}{z[10]}{z[11]}");
}

static void test_what_is_not_linear_keeps_its_neighbours(void)
{
  check("<integrator name='a' in='x - 2*a'/>" PAIR(
            "x", "y", "1e9") "<integrator name='b' in='-b*b + 1e-3*a'/>",
        1, "{a b?}{x y}");
}

/* A part that is read so strongly that its tolerance would be too coarse goes with its reader. */
static void test_what_is_amplified_goes_with_its_reader(void)
{
  static const char model[] =
      "<integrator name='a' in='b - 2*a'/><integrator name='b' in='a - 2*b'/>"
      "<integrator name='x' in='y - 2*x + %s*a'/><integrator name='y' in='x - 2*y'/>";
  g_autofree char *strong = g_strdup_printf(model, "1e6"), *weak = g_strdup_printf(model, "1");
  check(strong, 1, "{a b x y}");
  check(weak, 1, "{a b}{x y}");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_converters_of_the_thesis);
  RUN_TEST(test_few_go_together);
  RUN_TEST(test_what_is_equally_fast_is_one_block);
  RUN_TEST(test_units_make_no_difference);
  RUN_TEST(test_only_what_comes_back_counts);
  RUN_TEST(test_one_diode_is_decided_in_one_block);
  RUN_TEST(test_readers_of_a_mode_go_with_it);
  RUN_TEST(test_what_is_not_linear_keeps_its_neighbours);
  RUN_TEST(test_what_is_amplified_goes_with_its_reader);
  return UNITY_END();
}
