/* Which static blocks are of one kind, between which numbers what they say is, and what is a cause:
 * each by what the blocks are, written down by hand. */
#include "equations/limited.h"
#include "equations/room_internal.h"
#include "equations/static_block.h"
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include "sim/engine.h"

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
  HyLoaded *loaded;
  HySim *sim;
} Model;

static Model open_model(const char *inside, HyEngine engine)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s"
                      "<experiment method='liqss2' stop='2' dqrel='1e-3' dqmin='1e-3'/></hydevs>",
                      inside);
  g_autoptr(HyReport) report = hy_report_new();
  Model m = {.loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report)};
  g_autofree char *wrong = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(m.loaded, wrong);
  m.sim = hy_sim_new(hy_loaded_model(m.loaded), engine, NULL);
  g_autoptr(GError) error = NULL;
  hy_sim_init_equations(m.sim, 0, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  return m;
}

static void model_clear(Model *m)
{
  hy_sim_free(m->sim);
  hy_loaded_free(m->loaded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Model, model_clear)

static const HyKind *kind_of(const Model *m, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(m->sim, path, &atomic), path);
  return ((const HyStatic *)hy_sim_state(m->sim, atomic))->own->form.kind;
}

/* Kinds --------------------------------------------------------------------------------------- */

static void test_a_number_at_another_port_is_another_kind(void)
{
  g_auto(Model) m = open_model("<integrator name='s' in='-s' x0='1'/>"
                               "<product name='a' in='2, s'/><product name='b' in='s, 2'/>"
                               "<product name='c' in='2, s'/><product name='d' in='3, s'/>",
                               HY_FLAT);
  TEST_ASSERT_TRUE(kind_of(&m, "a") == kind_of(&m, "c"));
  TEST_ASSERT_TRUE(kind_of(&m, "a") != kind_of(&m, "b"));
  TEST_ASSERT_TRUE(kind_of(&m, "a") != kind_of(&m, "d"));
}

/* Limits -------------------------------------------------------------------------------------- */

static void check_limits(const char *formula, double lower, double upper)
{
  g_autofree char *inside =
      g_strdup_printf("<integrator name='x' in='-x' x0='1'/><integrator name='y' in='-y'/>"
                      "<function name='f' formula='%s'/>",
                      formula);
  g_auto(Model) m = open_model(inside, HY_FLAT);
  const HyKind *kind = kind_of(&m, "f");
  HyKindLimits is = kind->limits != NULL ? kind->limits[0] : (HyKindLimits){-INFINITY, INFINITY};
  TEST_ASSERT_TRUE_MESSAGE(is.lower == lower && is.upper == upper, formula);
}

static void test_what_is_limited_is_known(void)
{
  check_limits("limit(x, 0, 1)", 0, 1);
  check_limits("limit(x*y, -2, 3)", -2, 3);
  check_limits("min(x, 2)", -INFINITY, 2);
  check_limits("max(x, -1)", -1, INFINITY);
  check_limits("if(x > 1, 1, x)", -INFINITY, 1);
  check_limits("if(x &lt; 1, 1, x)", 1, INFINITY);
  check_limits("if(1 > x, 1, x)", 1, INFINITY);
  check_limits("if(x > 0, x, 0)", 0, INFINITY);
}

/* A jump to a number is no limit, nor is one that the rest does not reach or goes beyond. */
static void test_what_only_looks_limited_is_not(void)
{
  check_limits("if(x > 0, 1, x)", -INFINITY, INFINITY);
  check_limits("if(x > 0, -1, x)", -INFINITY, INFINITY);
  check_limits("if(x > 1, 1, y)", -INFINITY, INFINITY);
  check_limits("if(x > 1, x, 0)", -INFINITY, INFINITY);
  check_limits("abs(x)", -INFINITY, INFINITY);
  check_limits("if(x > 0, 1, 0)", -INFINITY, INFINITY);
  check_limits("limit(x, 0, 1) + y", -INFINITY, INFINITY);
}

/* Causes -------------------------------------------------------------------------------------- */

static guint64 causes_at(const Model *m, double t)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(m->sim, t, &error), error != NULL ? error->message : "");
  guint64 causes = 0;
  TEST_ASSERT_TRUE(hy_room_causes(m->sim->room, &causes));
  return causes;
}

/* x and y go on by themselves all the time; u jumps at t = 1 alone. */
static void test_what_comes_from_outside_is_a_cause_and_a_state_none(void)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_auto(Model) m = open_model("<step name='u' at='1' from='1' to='2'/>"
                                 "<integrator name='x' in='y - x'/>"
                                 "<integrator name='y' in='u - x'/>",
                                 engine);
    guint64 first = causes_at(&m, 0.01), n_int = 0, n_ext = 0;
    TEST_ASSERT_EQUAL_UINT64(first, causes_at(&m, 0.99));
    guint atomic = 0;
    TEST_ASSERT_TRUE(hy_sim_find(m.sim, "x", &atomic));
    hy_sim_counts(m.sim, atomic, &n_int, &n_ext);
    TEST_ASSERT_GREATER_THAN_UINT64(10, n_int);
    TEST_ASSERT_EQUAL_UINT64(first + 1, causes_at(&m, 1));
    TEST_ASSERT_EQUAL_UINT64(first + 1, causes_at(&m, 2));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_number_at_another_port_is_another_kind);
  RUN_TEST(test_what_is_limited_is_known);
  RUN_TEST(test_what_only_looks_limited_is_not);
  RUN_TEST(test_what_comes_from_outside_is_a_cause_and_a_state_none);
  return UNITY_END();
}
