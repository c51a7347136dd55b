/* partition="auto": discontinuous states and those that read them are quantized, the others go to
 * CVODE (thesis 7.3), as if it had been stated. */
#include "model_file.h"

/* EXPERIMENT: its attributes beside stop, and what is in it. */
static void model(const char *blocks, const char *experiment)
{
  g_autofree char *whole = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s"
                                           "<experiment stop=\"2\" %s</experiment></hydevs>\n",
                                           blocks, experiment);
  TEST_ASSERT_TRUE(g_file_set_contents(file, whole, -1, NULL));
}

static char *call(const char *const *words)
{
  char *out = NULL;
  g_autofree char *err = NULL;
  int status = hydevs(dir, words, &out, &err);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, err);
  return out;
}

/* What --stats says of the partition of FILE: the line of that name and those indented below it. */
static char *partition(const char *path, const char *option, const char *value)
{
  g_autofree char *out =
      call((const char *[WORDS]){"run", path, "--stats", "-t", "0", "-o", "-", option, value});
  char *begin = strstr(out, "partition: ");
  TEST_ASSERT_NOT_NULL_MESSAGE(begin, out);
  char *end = strchr(begin, '\n') + 1;
  while (*end == ' ') {
    end = strchr(end, '\n') + 1;
  }
  return g_strndup(begin, (gsize)(end - begin));
}

#ifdef HY_SUNDIALS

static char *recorded(const char *path, const char *experiment, const char *engine)
{
  return call((const char *[WORDS]){"run", path, "-x", experiment, "-e", engine, "-o", "-", "-r",
                                    "**/iL", "-g", "0"});
}

static void test_the_converter_with_its_heat_sink(void)
{
  g_autofree char *path = repository("examples/thesis/buck-heatsink/model.xml");
  g_autofree char *got = partition(path, "-x", "auto");
  TEST_ASSERT_EQUAL_STRING(
      "partition: 1 discontinuous state and 1 reading it by liqss2, 100 by cvode_bdf\n"
      "  buck/iL switches with buck/Rd\n"
      "  buck/uC reads buck/iL\n",
      got);
}

/* The thesis gives the converter to LIQSS2 and the bar to CVODE (7.4.1), as the experiment `mixed`
 * states it: the same bytes, on all engines. */
static void test_it_is_as_if_it_had_been_stated(void)
{
  g_autofree char *path = repository("examples/thesis/buck-heatsink/model.xml");
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autofree char *wanted = recorded(path, "mixed", "flat");
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autofree char *got = recorded(path, "auto", engines[k]);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, got, engines[k]);
  }
}

/* Two diffusions make two speeds, but nothing jumps. */
static void test_where_nothing_jumps_all_go_to_cvode(void)
{
  g_autofree char *path = repository("examples/thesis/adr-varying/model.xml");
  g_autofree char *free = partition(path, "--partition=auto", "--experiment=liqss2");
  TEST_ASSERT_EQUAL_STRING("partition: no discontinuous state; all 1000 by cvode_bdf\n", free);
  g_autofree char *half = partition(path, "--partition=auto", "--experiment=mixed");
  TEST_ASSERT_EQUAL_STRING(
      "partition: no discontinuous state; all 499 by cvode_bdf; 501 as stated\n", half);
  const char *words[WORDS] = {"run",  path, "-x", "liqss2", "-s",
                              "N=40", "-o", "-",  "-m",     "cvode_bdf"};
  g_autofree char *stated = call(words);
  words[8] = "--partition", words[9] = "auto";
  g_autofree char *chosen = call(words);
  TEST_ASSERT_EQUAL_STRING(stated, chosen);
}

/* Each thing that makes a state discontinuous, through blocks between, and what does not: an input
 * that jumps, or is sampled. */
static void test_what_makes_a_state_discontinuous(void)
{
  model("<pwm name=\"gate\" period=\"1\" duty=\"0.5\"/><sine name=\"s\"/>"
        "<generator name=\"tick\" period=\"1\" values=\"1\"/>"
        "<sampler name=\"held\" in=\"fed\" trigger=\"tick\"/><in name=\"u\" kind=\"signal\"/>"
        "<integrator name=\"fed\" in=\"s - held - 2*gate\"/>"
        "<integrator name=\"number\" in=\"1\"/>"
        "<integrator name=\"mode\" in=\"-2*f\"/><function name=\"f\" formula=\"max(fed, 0.5)\"/>"
        "<integrator name=\"reader\" in=\"-(mode + fed)\"/>"
        "<integrator name=\"next\" in=\"reader - next\"/>"
        "<reset_integrator name=\"jumps\" in=\"1\" reset=\"tick\" value=\"0\"/>"
        "<integrator name=\"seen\" in=\"jumps\"/>"
        "<integrator name=\"last\" in=\"seen\"/>"
        "<integrator name=\"outside\" in=\"u\"/>",
        "record=\"fed\">");
  g_autofree char *got = partition(file, "--partition", "auto");
  TEST_ASSERT_EQUAL_STRING("partition: 3 discontinuous states and 2 reading them by liqss2, 4 by "
                           "cvode_bdf\n"
                           "  mode switches with f\n"
                           "  reader reads mode\n"
                           "  jumps may jump\n"
                           "  seen reads jumps\n"
                           "  outside has an equation that is not known\n",
                           got);
}

/* What many states share is no end of it: 40 signals and more are a slot of their own in rows. */
static void test_hubs_are_as_what_they_are_made_of(void)
{
  static const char blocks[] =
      "<integrator name=\"a\" count=\"40\" in=\"mean - a[i]\"/><sum name=\"mean\" in=\"a[*]\"/>"
      "<integrator name=\"b\" count=\"40\" in=\"all - b[i]\"/><sum name=\"all\" in=\"b[*], %s\"/>"
      "<integrator name=\"x\" in=\"abs(x)\"/>";
  static const struct {
    const char *feeds, *first, *line;
  } cases[] = {{"mean", "partition: 1 discontinuous state and 0 reading it by qss3, 80 by",
                "\n  x switches with x:in\n"},
               {"x", "partition: 1 discontinuous state and 40 reading it by qss3, 40 by",
                "  b[1] reads x\n"},
               {"max(mean, x)",
                "partition: 41 discontinuous states and 0 reading them by qss3, 40 by",
                "  b[1] switches with all:in[41]\n"}};
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_auto(GStrv) parts = g_strsplit(blocks, "%s", 2);
    g_autofree char *text = g_strjoinv(cases[k].feeds, parts);
    model(text, "method=\"qss3\" partition=\"auto\" record=\"x\">");
    g_autofree char *got = partition(file, NULL, NULL);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(got, cases[k].first), got);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(got, cases[k].line), got);
  }
}

static void test_the_same_as_data(void)
{
  model("<integrator name=\"x\" in=\"1 - abs(x)\"/>"
        "<integrator name=\"y\" in=\"x - y\"/><integrator name=\"z\" in=\"y - z\"/>"
        "<integrator name=\"w\" in=\"y - w\" method=\"qss2\"/>",
        "partition=\"auto\" record=\"z\">");
  static const char wanted[] =
      "  \"partition\": [\n"
      "    {\"path\": \"x\", \"method\": \"liqss2\", \"why\": \"mode\", \"by\": \"x:in\"},\n"
      "    {\"path\": \"y\", \"method\": \"liqss2\", \"why\": \"reader\", \"by\": \"x\"},\n"
      "    {\"path\": \"z\", \"method\": \"cvode_bdf\", \"why\": \"smooth\"}\n"
      "  ],\n";
  g_autofree char *stats =
      call((const char *[WORDS]){"run", file, "--stats=json", "-o", "other.csv"});
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(stats, wanted), stats);
  g_autofree char *rows = call((const char *[WORDS]){"equations", file, "--json"});
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(rows, "{\"path\":\"x\",\"method\":\"liqss2\",\"why\":\"mode\",\"by\":\"x:in\"},\n"
                   "    {\"path\":\"y\",\"method\":\"liqss2\",\"why\":\"reader\",\"by\":\"x\"},\n"
                   "    {\"path\":\"z\",\"method\":\"cvode_bdf\",\"why\":\"smooth\"}\n  ],\n"),
      rows);
  g_autofree char *side = g_build_filename(dir, "other.csv.json", NULL);
  g_autofree char *csv = g_build_filename(dir, "other.csv", NULL), *kept = contents(side);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(kept, "  \"partition\": \"auto\",\n"), kept);
  g_unlink(side);
  g_unlink(csv);
}

#endif

/* Also without SUNDIALS, since nobody asks for it. */
static void test_where_all_switch_all_are_quantized(void)
{
  model("<integrator name=\"x\" in=\"1 - abs(x)\"/>"
        "<integrator name=\"y\" in=\"x - y\"/>",
        "method=\"cvode_adams\" partition=\"auto\" record=\"y\">");
  g_autofree char *got = partition(file, NULL, NULL);
  TEST_ASSERT_EQUAL_STRING("partition: 1 discontinuous state and 1 reading it by liqss2\n"
                           "  x switches with x:in\n"
                           "  y reads x\n",
                           got);
  g_autofree char *chosen = call((const char *[WORDS]){"run", file, "-o", "-"});
  g_autofree char *stated =
      call((const char *[WORDS]){"run", file, "-o", "-", "-m", "liqss2", "--partition", "stated"});
  TEST_ASSERT_EQUAL_STRING(stated, chosen);
}

static void test_a_model_without_states_has_nothing_to_choose(void)
{
  g_autofree char *queue = repository("examples/queue/model.xml");
  g_autofree char *got = partition(queue, "--partition", "auto");
  TEST_ASSERT_EQUAL_STRING("partition: no state whose method is to be chosen\n", got);
}

static void test_wrong_words(void)
{
  g_autofree char *out = NULL, *err = NULL, *said = NULL, *none = NULL;
  model("<integrator name=\"x\" in=\"1\"/>", ">");
  const char *words[WORDS] = {"run", file, "--partition=by_hand"};
  TEST_ASSERT_EQUAL_INT(2, hydevs(dir, words, &out, &err));
  TEST_ASSERT_EQUAL_STRING("hydevs run: --partition by_hand: choose stated or auto; see hydevs run "
                           "--help\n",
                           err);
  model("<integrator name=\"x\" in=\"1\"/>", "partition=\"by_hand\">");
  g_autofree char *wanted =
      g_strdup_printf("%s:2: partition=\"by_hand\": choose one of stated, auto\n", file);
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"run", file}, &none, &said));
  TEST_ASSERT_EQUAL_STRING(wanted, said);
}

int main(void)
{
  UNITY_BEGIN();
#ifdef HY_SUNDIALS
  RUN_TEST(test_the_converter_with_its_heat_sink);
  RUN_TEST(test_it_is_as_if_it_had_been_stated);
  RUN_TEST(test_where_nothing_jumps_all_go_to_cvode);
  RUN_TEST(test_what_makes_a_state_discontinuous);
  RUN_TEST(test_hubs_are_as_what_they_are_made_of);
  RUN_TEST(test_the_same_as_data);
#endif
  RUN_TEST(test_where_all_switch_all_are_quantized);
  RUN_TEST(test_a_model_without_states_has_nothing_to_choose);
  RUN_TEST(test_wrong_words);
  return UNITY_END();
}
