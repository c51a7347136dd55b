/* The counters of a small run, as people and programs read them. */
#include "hydevs/hydevs.h"
#include "hydevs/stats.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void set(HyModel *m, guint block, const char *param, const char *text)
{
  g_autoptr(GError) error = NULL;
  hy_model_set(m, block, param, text, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

static void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  hy_model_wire(m, from, to, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

/* G -> S/C -> N counters; the last block has a priority and so the number 0, but stands last in the
 * document. */
static HyModel *model(guint counters)
{
  HyModel *m = hy_model_new("R");
  guint g = hy_model_add(m, "G", hy_class_find("generator"));
  set(m, g, "first", "1");
  set(m, g, "period", "1");
  set(m, g, "values", "1, 2, 3");
  HyModel *inner = hy_model_add_coupled(m, "S");
  hy_model_in(inner, "in");
  hy_model_out(inner, "out");
  hy_model_add(inner, "C", hy_class_find("relay"));
  wire(inner, ".in", "C");
  wire(inner, "C", ".out");
  wire(m, "G", "S.in");
  guint last = 0;
  for (guint k = 1; k <= counters; k++) {
    g_autofree char *name = g_strdup_printf("N%u", k), *in = g_strconcat(name, ".in", NULL);
    last = hy_model_add(m, name, hy_class_find("counter"));
    wire(m, "S.out", in);
  }
  hy_model_set_priority(m, last, 1);
  return m;
}

static HySim *run(HyModel *m, HyEngine engine)
{
  g_autoptr(GError) error = NULL;
  HySim *sim = hy_sim_new(m, engine, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(sim, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 10, NULL));
  return sim;
}

static void test_the_table_stands_in_the_order_of_the_document(void)
{
  g_autoptr(HyModel) m = model(2);
  g_autoptr(HySim) sim = run(m, HY_FLAT);
  g_autoptr(GString) out = g_string_new(NULL);
  hy_stats_text(sim, NULL, out);
  TEST_ASSERT_EQUAL_STRING("14 events (root cycles), 14 internal and 9 external transitions\n"
                           "\n"
                           "block  class                  internal     external\n"
                           "G      generator                     3            0\n"
                           "S/C    relay                         3            3\n"
                           "N1     counter                       4            3\n"
                           "N2     counter                       4            3\n"
                           "total                               14            9\n",
                           out->str);
}

static void test_the_tree_has_messages_and_time_gives_a_rate(void)
{
  g_autoptr(HyModel) m = model(1);
  g_autoptr(HySim) sim = run(m, HY_TREE);
  g_autoptr(GString) out = g_string_new(NULL);
  hy_stats_text(sim, &(HyCost){1, 0.5, 0.125, 0.25, 4096, 0.25}, out);
  HyTotals t;
  hy_sim_totals(sim, &t);
  g_autofree char *messages =
      g_strdup_printf("\n%u messages: i %u, * %u, x %u, y %u, done %u\n"
                      "load 1 s, build 0.5 s, start 0.125 s, run 0.25 s, 40 events/s, peak memory "
                      "4096 KiB\n",
                      (guint)(t.i + t.star + t.x + t.y + t.done), (guint)t.i, (guint)t.star,
                      (guint)t.x, (guint)t.y, (guint)t.done);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out->str, messages), out->str);
}

static guint lines(const char *text)
{
  guint n = 0;
  for (; *text != '\0'; text++) {
    n += *text == '\n';
  }
  return n;
}

static void test_the_table_keeps_to_the_busiest_thirty(void)
{
  g_autoptr(HyModel) m = model(40);
  g_autoptr(HySim) sim = run(m, HY_FLAT);
  g_autoptr(GString) out = g_string_new(NULL);
  hy_stats_text(sim, NULL, out);
  TEST_ASSERT_NULL(strstr(out->str, "generator")); /* three transitions, the others have more */
  TEST_ASSERT_NOT_NULL(strstr(out->str, "\nN30 "));
  TEST_ASSERT_NULL(strstr(out->str, "\nN31 "));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "\n... and 12 more, less busy\ntotal  "));
  TEST_ASSERT_EQUAL_UINT(3 + 30 + 2, lines(out->str));
}

static void test_json_has_every_block(void)
{
  g_autoptr(HyModel) m = model(1);
  g_autoptr(HySim) sim = run(m, HY_FLAT);
  g_autoptr(GString) out = g_string_new(NULL);
  hy_stats_json(sim, &(HyCost){1, 0.25, 2, 0.5, 4096, 0.375}, out);
  TEST_ASSERT_EQUAL_STRING(
      "{\n  \"totals\": {\"cycles\": 10, \"internal\": 10, \"external\": 6},\n"
      "  \"cost\": {\"load_s\": 1, \"build_s\": 0.25, \"start_s\": 2, \"run_s\": 0.5, "
      "\"run_cpu_s\": 0.375, "
      "\"events_per_second\": 20, \"peak_rss_kib\": 4096},\n  \"blocks\": [\n"
      "    {\"path\": \"G\", \"class\": \"generator\", \"internal\": 3, \"external\": 0},\n"
      "    {\"path\": \"S/C\", \"class\": \"relay\", \"internal\": 3, \"external\": 3},\n"
      "    {\"path\": \"N1\", \"class\": \"counter\", \"internal\": 4, \"external\": 3}\n  ]\n}\n",
      out->str);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_table_stands_in_the_order_of_the_document);
  RUN_TEST(test_the_tree_has_messages_and_time_gives_a_rate);
  RUN_TEST(test_the_table_keeps_to_the_busiest_thirty);
  RUN_TEST(test_json_has_every_block);
  return UNITY_END();
}
