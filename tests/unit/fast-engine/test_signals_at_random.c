/* What outputs are between two events, of random diagrams of all classes: the same bits on all
 * engines, whatever each of them leaves out; and a run that is asked is the run that is not. */
#include "random_diagram.h"

#include <string.h>
#include <unity.h>

#define DIAGRAMS 120U
#define PORTIONS 9

void setUp(void)
{
}

void tearDown(void)
{
}

static void see(GByteArray *seen, gconstpointer what, gsize n)
{
  g_byte_array_append(seen, what, (guint)n);
}

/* All outputs at T. */
static guint ask_all(HySim *sim, double t, GByteArray *answers)
{
  guint known = 0;
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    const HyPort *port = hy_sim_class(sim, a)->out;
    for (guint p = 0; port != NULL && port[p].name != NULL && !port[p].array; p++) {
      double c[4] = {0};
      guint8 there = hy_sim_signal(sim, a, p, t, c) ? 1 : 0;
      see(answers, &there, 1);
      see(answers, c, there != 0 ? sizeof c : 0);
      known += there;
    }
  }
  return known;
}

/* States, how often all have moved, and how it ended; what was answered to ANSWERS, if that is not
 * NULL. Returns how many answers there were. */
static guint play(HyModel *model, HyEngine engine, GByteArray *seen, GByteArray *answers)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
  guint known = 0;
  hy_sim_set_limit(sim, 2000);
  gboolean ok = sim != NULL && hy_sim_init(sim, 0, &error);
  for (guint k = 1; k <= PORTIONS && ok; k++) {
    double t = DIAGRAM_END * k / PORTIONS;
    ok = hy_sim_run(sim, t, &error);
    known += ok && answers != NULL ? ask_all(sim, t, answers) : 0;
    for (guint a = 0; ok && a < hy_sim_n(sim); a++) {
      double v = hy_sim_value(sim, a, MAX(t, hy_sim_time(sim)));
      see(seen, &v, sizeof v);
    }
  }
  see(seen, error != NULL ? error->message : "", error != NULL ? strlen(error->message) : 0);
  return known;
}

static void same(const GByteArray *a, const GByteArray *b, guint seed, HyEngine engine,
                 const char *what)
{
  g_autofree char *text = g_strdup_printf("seed %u, %s: %s", seed, hy_engine_name(engine), what);
  gboolean equal = a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
  TEST_ASSERT_TRUE_MESSAGE(equal, text);
}

static void test_engines_answer_alike_and_asking_changes_nothing(void)
{
  guint known = 0;
  for (guint seed = 1; seed <= DIAGRAMS; seed++) {
    g_autoptr(HyModel) model = random_diagram(seed);
    g_autoptr(GByteArray) first = g_byte_array_new(), answers = g_byte_array_new();
    for (guint k = 0; k < 3; k++) {
      g_autoptr(GByteArray) alone = g_byte_array_new(), asked = g_byte_array_new(),
                            got = g_byte_array_new();
      play(model, (HyEngine)k, alone, NULL);
      known += play(model, (HyEngine)k, asked, got);
      same(alone, asked, seed, (HyEngine)k, "a run that is asked is another one");
      if (k == 0) {
        see(first, asked->data, asked->len);
        see(answers, got->data, got->len);
      }
      same(first, asked, seed, (HyEngine)k, "engines part");
      same(answers, got, seed, (HyEngine)k, "it answers otherwise");
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(DIAGRAMS * 3 * PORTIONS, known);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_engines_answer_alike_and_asking_changes_nothing);
  return UNITY_END();
}
