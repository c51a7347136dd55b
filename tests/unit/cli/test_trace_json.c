/* hydevs trace --json: every line is one of library/trace.schema.json, the first has the model as
 * its file says it, and messages say what ran, who was due and who was chosen. */
#include "folder.h"
#include "json_schema.h"

/* The lines of a trace, each held against the schema; freed by g_strfreev(). */
static char **trace(const char *file, const char *until)
{
  g_autofree char *path = repository("library/trace.schema.json"), *schema = contents(path);
  char *out = NULL;
  const char *words[WORDS] = {"trace", file, "--json", "-t", until};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, NULL), file);
  char **lines = g_strsplit(out, "\n", -1);
  g_free(out);
  const char *defs = json_member(schema, "$defs");
  for (guint k = 0; lines[k] != NULL && *lines[k] != '\0'; k++) {
    const char *kind = json_member(defs, k == 0 ? "first" : "message");
    TEST_ASSERT_EQUAL_STRING("", json_check(lines[k], kind, schema));
  }
  return lines;
}

static void has(const char *line, const char *part)
{
  if (strstr(line, part) == NULL) {
    g_autofree char *both = g_strdup_printf("%s\n  is not in\n%s", part, line);
    TEST_FAIL_MESSAGE(both);
  }
}

static void test_every_line_is_of_the_schema(void)
{
  static const struct {
    const char *model, *until;
  } all[] = {
      {"examples/queue/model.xml", "100"},          {"examples/nested/model.xml", "100"},
      {"examples/same-instant/model.xml", "10"},    {"examples/tie/model.xml", "10"},
      {"examples/lotka-volterra/model.xml", "10m"}, {"examples/circuit/model.xml", "100u"},
      {"examples/circuit/inverter.xml", "50u"},     {"examples/bouncing-ball/model.xml", "0.1"},
      {"examples/machines/light.xml", "60"},        {"examples/machines/injector.xml", "6m"}};
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    g_autofree char *file = repository(all[k].model);
    g_auto(GStrv) lines = trace(file, all[k].until);
    TEST_ASSERT_TRUE(g_strv_length(lines) > 10);
  }
}

/* The tree alone is that line. */
static void test_export_is_the_first_line(void)
{
  g_autofree char *file = repository("examples/nested/model.xml");
  g_auto(GStrv) lines = trace(file, "1");
  g_autofree char *out = NULL;
  const char *words[WORDS] = {"export", "--json", file};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  g_autofree char *line = g_strconcat(lines[0], "\n", NULL);
  TEST_ASSERT_EQUAL_STRING(line, out);
  const char *runs[WORDS] = {"export", "--json", file, "--tol=1e-3"};
  g_autofree char *none = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(2, hydevs(dir, runs, &none, &err));
  TEST_ASSERT_NOT_NULL(strstr(err, "nothing is run"));
}

/* The queue by hand: the generator speaks at 2, the server gets job 1 and is busy for 3. */
static void test_a_message_says_what_ran(void)
{
  g_autofree char *file = repository("examples/queue/model.xml");
  g_auto(GStrv) lines = trace(file, "100");
  TEST_ASSERT_EQUAL_STRING(
      "{\"n\":11,\"t\":2,\"from\":\"G\",\"to\":\"R\",\"path\":\"G\",\"msg\":\"y\","
      "\"port\":\"out\",\"value\":1,\"ran\":\"lambda\"}",
      lines[11]);
  TEST_ASSERT_EQUAL_STRING(
      "{\"n\":13,\"t\":2,\"from\":\"Q\",\"to\":\"R\",\"path\":\"Q\",\"msg\":\"done\",\"tn\":5,"
      "\"sigma\":3,\"ran\":\"dext\",\"e\":2,\"state\":\"[1]\"}",
      lines[13]);
  TEST_ASSERT_NULL(json_member(lines[17], "ran")); /* of a coordinator */
  has(lines[5], "\"tn\":null,\"sigma\":null,\"ran\":\"init\"");
  has(lines[0], "[[\"G.out\",\"Q.in\"],[\"G.out\",\"T.arr\"],[\"Q.out\",\"T.dep\"]]");
}

static const char viewed[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
    "<doc>The root.</doc>"
    "<type name=\"pair\" doc=\"two clocks\"><in name=\"u\" unit=\"V\" doc=\"a voltage\"/>"
    "<counter name=\"x\" in=\"u\"/><view><at block=\"x\" x=\"1\" y=\"2\" "
    "icon=\"i.svg\"/></view></type>\n"
    "<generator name=\"a\" first=\"1\" period=\"1\" values=\"1\" doc=\"the first\"/>"
    "<generator name=\"b\" first=\"1\" period=\"1\" values=\"1\" priority=\"1\" count=\"2\"/>"
    "<block name=\"p\" type=\"pair\" u=\"a\"/><sink name=\"s\" in=\"a b[1] b[2]\"/>\n"
    "<view><at block=\"b\" x=\"3.5\" y=\"-4\" width=\"2\" turn=\"90\" color=\"red\"/>"
    "<note x=\"0\" y=\"0\">said</note></view>"
    "<experiment stop=\"1\"/></hydevs>\n";

static void test_the_first_line_has_what_the_file_says(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, viewed, -1, NULL));
  g_auto(GStrv) lines = trace(file, "1");
  has(lines[0], "\"doc\":\"The root.\"");
  has(lines[0], "\"name\":\"a\",\"type\":\"generator\",\"doc\":\"the first\"");
  has(lines[0],
      "\"priority\":1,\"at\":{\"x\":3.5,\"y\":-4,\"width\":2,\"turn\":90,\"color\":\"red\"},"
      "\"class\":\"generator\",\"number\":0");
  has(lines[0], "\"type\":\"pair\"");
  has(lines[0],
      "\"about\":\"two clocks\",\"in\":[{\"name\":\"u\",\"unit\":\"V\",\"doc\":\"a voltage\"}]");
  has(lines[0], "\"at\":{\"x\":1,\"y\":2,\"icon\":\"i.svg\"}");
  has(lines[0], "[\".u\",\"x.in\"]");
}

/* Both arrays b and a are due at 1: those with a priority stand first. */
static void test_the_imminent_set_stands_in_the_order_of_ties(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(
      file,
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<generator name=\"a\" first=\"1\" period=\"1\" values=\"1\"/>"
      "<generator name=\"b\" first=\"1\" period=\"1\" values=\"1\" priority=\"1\"/>"
      "<sink name=\"s\" in=\"a b\"/><experiment stop=\"1\"/></hydevs>\n",
      -1, NULL));
  g_auto(GStrv) lines = trace(file, "1");
  guint stars = 0;
  for (guint k = 1; lines[k] != NULL && *lines[k] != '\0'; k++) {
    if (strstr(lines[k], "\"msg\":\"*\"") != NULL && strstr(lines[k], "\"from\":\"m\"") != NULL) {
      stars++;
      has(lines[k], stars == 1 ? "\"to\":\"b\"" : "\"to\":\"a\"");
      has(lines[k], stars == 1 ? "\"imminent\":[\"b\",\"a\"]" : "\"imminent\":[\"a\"]");
    }
  }
  TEST_ASSERT_EQUAL_UINT(2, stars);
}

/* A circuit keeps its elements and nodes; one inside it the names on both sides of its nodes. */
static void test_a_circuit_has_its_elements(void)
{
  g_autofree char *buck = repository("examples/circuit/model.xml");
  g_auto(GStrv) lines = trace(buck, "0");
  has(lines[0],
      "{\"name\":\"L1\",\"kind\":\"inductor\",\"value\":\"10m\",\"nodes\":[\"x\",\"out\"]}");
  has(lines[0], "{\"name\":\"D\",\"kind\":\"ideal_diode\",\"nodes\":[\"0\",\"x\"]}");
  g_autofree char *inverter = repository("examples/circuit/inverter.xml");
  g_auto(GStrv) more = trace(inverter, "0");
  has(more[0], "{\"name\":\"leg[2]\",\"kind\":\"circuit\",\"value\":\"leg\\u000ag[i]\",\"nodes\":["
               "\"p\",\"n\",\"a[2]\"],"
               "\"ends\":[\"p\",\"n\",\"a\"]}");
  has(more[0], "\"nodes\":[\"x[3]\",\"star\"]");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_line_is_of_the_schema);
  RUN_TEST(test_export_is_the_first_line);
  RUN_TEST(test_a_message_says_what_ran);
  RUN_TEST(test_the_first_line_has_what_the_file_says);
  RUN_TEST(test_the_imminent_set_stands_in_the_order_of_ties);
  RUN_TEST(test_a_circuit_has_its_elements);
  return UNITY_END();
}
