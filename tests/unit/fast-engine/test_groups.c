/* Groups of mLIQSS, whole: each model ends where its closed form says, the same in all engines, in
 * one run, step by step, and from the start again. */
#include "agree.h"
#include "hydevs/load.h"

#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  const char *name, *body;
  const char *path; /* whose x is compared at t = 2 */
  double x;
} Model;

static const Model models[] = {
    {"two states that read each other, and a reader outside",
     "<integrator name='x' in='y' x0='1'/><integrator name='y' in='-x'/>"
     "<integrator name='z' in='x' method='qss3'/>",
     "z", 0.90929742682568171}, /* sin 2 */
    {"a member with a constant derivative",
     "<integrator name='x' in='2'/><integrator name='y' in='x - y'/>", "x", 4},
    {"members of a constant, read by a member",
     "<integrator name='x' in='2'/><integrator name='y' in='x - y'/>", "y",
     2.2706705664732254}, /* 2 t - 2 + 2 exp(-t) */
    {"a row that reads a source and a sampler",
     "<step name='u' from='1' to='0' at='1'/><sample_hold name='s' in='x' period='4'/>"
     "<integrator name='x' in='u - s - x' x0='1'/>",
     "x", -0.49678527559212}, /* exp(-2) + exp(-1) - 1 */
    {"a member that jumps",
     "<generator name='hit' first='1' period='9' values='1'/>"
     "<reset_integrator name='x' in='-x' x0='1' reset='hit' value='2'/>"
     "<integrator name='y' in='x - y'/>",
     "x", 0.73575888234288467}, /* 2 exp(-1) */
    {"members in different coupled models",
     "<type name='plus'><in name='u'/><integrator name='x' in='u' x0='1'/>"
     "<out name='o' from='x'/></type>"
     "<type name='minus'><in name='u'/><integrator name='x' in='-u'/><out name='o' "
     "from='x'/></type>"
     "<block name='a' type='plus' u='b.o'/><block name='b' type='minus' u='a.o'/>",
     "a/x", -0.41614683654714241}, /* cos 2 */
    {"a slope that does not exist where its root begins",
     "<integrator name='y' in='1'/><integrator name='x' in='sqrt(abs(y))'/>", "y", 2},
    {"a chain", "<integrator name='c' count='100' in='if(i == 1, 1, c[i - 1]) - c[i]'/>", "c[1]",
     0.8646647167633873}, /* 1 - exp(-2) */
    {"a hub",
     "<function name='m' formula='sum(c[*])/40'/>"
     "<integrator name='c' count='40' in='m - c[i]' x0='i/40'/>",
     "c[40]", 0.57847094050341}, /* 0.5125 + 0.4875 exp(-2) */
    {"nobody to decide", "<step name='u' at='1'/><delay name='x' in='u' time='0.5'/>", NULL, 0},
};

static HyLoaded *load(const Model *m, const char *method)
{
  g_autofree char *text = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s"
                                          "<experiment name=\"e\" stop=\"2\"/></hydevs>",
                                          m->body);
  const HyLoadOptions options = {.method = method, .dqrel = 1e-3, .dqmin = 1e-3};
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static void ends_where_it_should(const Model *m, HyModel *model)
{
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED && m->path != NULL; engine++) {
    g_autoptr(HySim) sim = hy_sim_new(model, engine, NULL);
    guint atomic;
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, m->path, &atomic), m->name);
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(sim, 0, NULL), m->name);
    TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(sim, 2, NULL), m->name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-2, m->x, hy_sim_value(sim, atomic, 2), m->name);
  }
}

static void is_same_in_all_ways(const Model *m, HyModel *model)
{
  guint8 watched[2048];
  for (guint who = HY_WATCH_NOTHING; who <= HY_WATCH_WORDS; who++) {
    memset(watched, (int)who, sizeof watched);
    Way way = {.engine = HY_FLAT,
               .tf = 2,
               .limit = 100000,
               .watched = who > 0 ? watched : NULL,
               .n_watched = sizeof watched};
    g_auto(Said) flat = say_all(model, &way);
    TEST_ASSERT_NULL_MESSAGE(flat.error, m->name);
    for (guint k = 0; k < 9; k++) {
      way.engine = (HyEngine)(k % 3);
      way.steps = k / 3 == 1;
      way.twice = k / 3 == 2;
      g_auto(Said) said = say_all(model, &way);
      g_autofree char *what = difference(model, &flat, &said);
      TEST_ASSERT_NULL_MESSAGE(what, what);
    }
  }
}

static void test_a_group_is_the_same_everywhere(void)
{
  static const char *const methods[] = {"mliqss1", "mliqss2", "mliqss3"};
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    for (guint n = 0; n < G_N_ELEMENTS(methods); n++) {
#ifdef __SANITIZE_ADDRESS__ /* each model by one of them */
      if (n != k % G_N_ELEMENTS(methods)) {
        continue;
      }
#endif
      g_autoptr(HyLoaded) loaded = load(&models[k], methods[n]);
      ends_where_it_should(&models[k], hy_loaded_model(loaded));
      is_same_in_all_ways(&models[k], hy_loaded_model(loaded));
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_group_is_the_same_everywhere);
  return UNITY_END();
}
