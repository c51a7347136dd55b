/* Models as graphs for Graphviz. */
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char model[] = "<hydevs xmlns='urn:hydevs:1' name='m'>"
                            "<step name='u' label='a &quot;step&quot;'/>"
                            "<coupled name='c' count='2' a='u'><in name='a'/><integrator name='x' "
                            "in='a'/><out name='y' from='x'/>"
                            "</coupled>"
                            "<sum name='s' in='c[1].y, c[2].y'/>"
                            "</hydevs>";
static const char graph[] = "digraph \"m\" {\n"
                            "  rankdir=LR\n"
                            "  node [shape=box]\n"
                            "  \"u\" [label=\"a \\\"step\\\"\\nstep\"]\n"
                            "  subgraph \"cluster c[1]\" {\n"
                            "    label=\"c[1]\"\n"
                            "    \"c[1].a\" [shape=point, xlabel=\"a\"]\n"
                            "    \"c[1].y\" [shape=point, xlabel=\"y\"]\n"
                            "    \"c[1]/x\" [label=\"x\\nintegrator\"]\n"
                            "    \"c[1].a\" -> \"c[1]/x\"\n"
                            "    \"c[1]/x\" -> \"c[1].y\"\n"
                            "  }\n"
                            "  subgraph \"cluster c[2]\" {\n"
                            "    label=\"c[2]\"\n"
                            "    \"c[2].a\" [shape=point, xlabel=\"a\"]\n"
                            "    \"c[2].y\" [shape=point, xlabel=\"y\"]\n"
                            "    \"c[2]/x\" [label=\"x\\nintegrator\"]\n"
                            "    \"c[2].a\" -> \"c[2]/x\"\n"
                            "    \"c[2]/x\" -> \"c[2].y\"\n"
                            "  }\n"
                            "  \"s\" [label=\"s\\nsum\"]\n"
                            "  \"u\" -> \"c[1].a\"\n"
                            "  \"u\" -> \"c[2].a\"\n"
                            "  \"c[1].y\" -> \"s\"\n"
                            "  \"c[2].y\" -> \"s\"\n"
                            "}\n";

static void test_a_model_is_a_graph_of_clusters(void)
{
  g_autofree char *file = NULL;
  g_close(g_file_open_tmp("hydevs-XXXXXX.xml", &file, NULL), NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, model, -1, NULL));
  g_autoptr(HyReport) report = hy_report_new();
  const HyFormat *dot = hy_format_target(hy_formats(), "a.dot");
  TEST_ASSERT_NOT_NULL(dot);
  TEST_ASSERT_NULL(hy_format_find(hy_formats(), "a.dot")); /* it is only written */
  g_autofree char *text = hy_format_write(NULL, file, dot, "a.dot", NULL, NULL, report);
  g_unlink(file);
  TEST_ASSERT_EQUAL_STRING(graph, text);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_model_is_a_graph_of_clusters);
  return UNITY_END();
}
