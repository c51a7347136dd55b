/* NAME.csv.json beside a recording: it is valid, as its schema says; equal runs have equal ones;
 * and whatever can change the results of a run changes it. */
#include "folder.h"
#include "json_schema.h"

#include <signal.h>
#include <sys/wait.h>

static char *get(const char *name)
{
  g_autofree char *file = in_dir(name);
  return contents(file);
}

static void check_valid(const char *text)
{
  g_autofree char *path = repository("library/run.schema.json"), *schema = contents(path);
  TEST_ASSERT_EQUAL_STRING("", json_blank(json_check(schema, NULL, NULL)));
  TEST_ASSERT_EQUAL_STRING("\n", json_check(text, schema, schema));
}

/* A member of TEXT as it stands there. */
static void says(const char *text, const char *key, const char *value)
{
  const char *at = json_member(text, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
  g_autofree char *got = g_strndup(at, (gsize)(json_check(at, NULL, NULL) - at));
  TEST_ASSERT_EQUAL_STRING_MESSAGE(value, got, key);
}

/* Runs ---------------------------------------------------------------------------------------- */

/* Of a port of a coupled model: its own, else that of the port or block behind it, also through
 * types and of an input. */
static void test_units_of_ports_are_told(void)
{
  put("units.xml",
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<type name=\"cell\"><in name=\"u\" unit=\"mV\"/><integrator name=\"x\" in=\"u - x\"/>"
      "<out name=\"y\" from=\"x\" unit=\"A\"/><out name=\"p\" count=\"2\" from=\"i*x\" unit=\"W\"/>"
      "</type><sine name=\"s\"/><block name=\"c\" type=\"cell\" u=\"s\"/>"
      "<coupled name=\"around\"><in name=\"u\"/><block name=\"c\" type=\"cell\" u=\"u\"/>"
      "<out name=\"a\" from=\"c.y\"/><out name=\"none\" from=\"2*c.y\"/></coupled>"
      "<wire from=\"s\" to=\"around.u\"/>"
      "<experiment stop=\"1\" method=\"qss2\" record=\"c.y c.p[2] c.u around.a "
      "around.none\"/></hydevs>");
  g_autofree char *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", "units.xml", "-o", "u.csv"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  g_autofree char *text = get("u.csv.json");
  static const char *const wanted[] = {"\"c.y\"", "\"A\"",  "\"c.p[2]\"",   "\"W\"",
                                       "\"c.u\"", "\"mV\"", "\"around.a\"", "\"A\""};
  for (guint k = 0; k < G_N_ELEMENTS(wanted); k += 2) {
    g_autofree char *head = g_strconcat("{\"path\": ", wanted[k], ",", NULL);
    const char *column = strstr(text, head);
    TEST_ASSERT_NOT_NULL_MESSAGE(column, text);
    says(column, "unit", wanted[k + 1]);
  }
  const char *none = strstr(text, "{\"path\": \"around.none\",");
  TEST_ASSERT_NOT_NULL_MESSAGE(none, text);
  TEST_ASSERT_NULL_MESSAGE(strstr(none, "unit"), none);
}

static const char part[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"part\">"
    "<type name=\"cell\"><in name=\"u\"/><out name=\"y\" from=\"a\"/>"
    "<param name=\"k\" value=\"1\"/>"
    "<integrator name=\"a\" in=\"u - k*a\"/><integrator name=\"b\" in=\"a - b\"/>"
    "</type></hydevs>\n";

static const char whole[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
    "<param name=\"N\" value=\"3\"/><param name=\"w\" value=\"1, 2\"/>"
    "<param name=\"mode\" kind=\"text\" value=\"a &quot;b&quot;\"/>"
    "<param name=\"big\" count=\"200\" value=\"0.5\"/>\n"
    "<file_source name=\"wind\" path=\"wind.csv\"/>\n"
    "<block type=\"part.cell\" name=\"cell\" count=\"N\" u=\"wind + sin(z)*w[2] + big[7]\"/>"
    "<integrator name=\"z\" in=\"-z*z\" x0=\"1\" unit=\"V\"/>"
    "<integrator name=\"stiff\" in=\"-1000*(stiff - z)\" method=\"liqss2\"/>\n"
    "<random_generator name=\"dice\" mean=\"1\"/><counter name=\"eyes\" in=\"dice\"/>\n"
    "<experiment stop=\"2\" method=\"qss2\" record=\"z\"/>"
    "<experiment name=\"other\" stop=\"2\" method=\"qss2\" record=\"z\"/></hydevs>\n";

static void put_model(void)
{
  put("m.xml", whole);
  put("part.xml", part);
  put("wind.csv", "t,v\n0,1\n1,2\n");
}

static char *run_with(const char *const *more, int status)
{
  const char *words[WORDS] = {"run", "m.xml", "-o", "out.csv"};
  for (guint k = 0; more != NULL && more[k] != NULL; k++) {
    words[4 + k] = more[k];
  }
  g_autofree char *err = NULL, *out = NULL, *csv = in_dir("out.csv"),
                  *json = in_dir("out.csv.json");
  g_unlink(csv);
  g_unlink(json);
  int got = hydevs(dir, words, &out, &err);
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, got, err);
  char *text = get("out.csv.json");
  check_valid(text);
  return text;
}

static void test_it_tells_the_whole_run(void)
{
  put_model();
  g_autofree char *text = run_with((const char *[]){"--set", "N=4", "--seed", "5", NULL}, 0);
  says(text, "file", "\"m.xml\"");
  says(text, "set", "[\"N=4\"]");
  says(text, "seed", "5");
  says(text, "tf", "2");
  says(text, "end", "2");
  says(text, "status", "0");
  says(text, "engine", "\"fused\"");
  says(text, "engine_asked", "\"auto\"");
  says(text, "engine_why", "\"the model has static blocks\"");
  TEST_ASSERT_NULL(json_member(text, "message"));
  const char *parameters = json_member(text, "parameters");
  says(parameters, "N", "4");
  says(parameters, "w", "[1, 2]");
  says(parameters, "mode", "\"a \\\"b\\\"\"");
  says(json_member(parameters, "big"), "n", "200");
  says(text, "states",
       "[\n    {\"method\": \"qss2\", \"dqrel\": 0.001, \"dqmin\": 1e-06, \"n\": 9, \"paths\": "
       "[\"cell[1..4]/a\", \"cell[1..4]/b\", \"z\"]},\n"
       "    {\"method\": \"liqss2\", \"dqrel\": 0.001, \"dqmin\": 1e-06, \"n\": 1, \"paths\": "
       "[\"stiff\"]}\n  ]");
  says(text, "columns",
       "[\n    {\"path\": \"z\", \"kind\": \"signal\", \"order\": 1, \"unit\": \"V\"}\n  ]");
}

/* The program that says it and the one that --version means are one, and a build of a checkout says
 * its commit. */
static void test_it_tells_the_build(void)
{
  put_model();
  g_autofree char *text = run_with(NULL, 0), *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"--version"}, &out, &err));
  TEST_ASSERT_TRUE_MESSAGE(g_regex_match_simple("^hydevs [0-9]+\\.[0-9]+\\.[0-9]+"
                                                "(\\+g[0-9a-f]{12,40}(\\.dirty)?)?\n$",
                                                out, 0, 0),
                           out);
  g_autofree char *said =
      g_strdup_printf("\"%s\"", g_strchomp(out) + strlen("hydevs ")); /* as JSON has it */
  says(text, "hydevs", said);
}

/* That of sha256sum. */
#define WIND_SHA256 "a15167f58d1c49ef5c6ef9a0cf6039452b738b2036e74cdf250557154af59383"

static void test_digests_are_of_the_bytes(void)
{
  put_model();
  put("wind.csv", "t,v\n0,1\n");
  g_autofree char *text = run_with(NULL, 0);
  g_autofree char *model = g_compute_checksum_for_string(G_CHECKSUM_SHA256, whole, -1);
  g_autofree char *wanted = g_strdup_printf("{\"file\": \"m.xml\", \"sha256\": \"%s\"}", model);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, wanted), text);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "{\"file\": \"part.xml\", \"sha256\": \""), text);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "{\"file\": \"wind.csv\", \"sha256\": "
                                            "\"" WIND_SHA256 "\"}"),
                               text);
}

static void test_equal_runs_say_the_same(void)
{
  put_model();
  g_autofree char *one = run_with(NULL, 0), *two = run_with(NULL, 0);
  TEST_ASSERT_EQUAL_STRING(one, two);
}

static void add_distinct(GHashTable *known, char *text, const char *what)
{
  TEST_ASSERT_TRUE_MESSAGE(g_hash_table_add(known, text), what);
}

/* One thing at a time. */
static void test_whatever_changes_a_run_changes_it(void)
{
  static const char *const cases[][4] = {
      {NULL},
      {"--set", "N=4"},
      {"--set", "cell[2].k=3"},
      {"--set", "w[2]=3"},
      {"--set", "big[7]=3"},
      {"-x", "other"},
      {"--method", "qss3"},
      {"--method", "rk4", "--hstep", "0.01"},
      {"--method", "rk4", "--hstep", "0.02"},
      {"--tol", "1e-4"},
      {"--dqrel", "1e-4"},
      {"--dqmin", "1e-4"},
      {"--engine", "tree"},
      {"--engine", "flat"},
      {"--engine", "fused"},
      {"--partition", "stated"},
      {"--seed", "1"},
      {"--max-events-at-t", "5000"},
      {"--jacobian", "estimate"},
      {"--refresh", "no"},
      {"--evaluate", "rows"},
      {"--until", "1"},
      {"--grid", "0.1"},
      {"--grid", "0, 1"},
      {"--grid", "0, 2"},
      {"--method", "auto"},
      {"--record", "stiff"},
      {"--blocks", HY_TALLY},
  };
  put_model();
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    const char *words[5] = {cases[k][0], cases[k][1], cases[k][2], cases[k][3]};
    add_distinct(known, run_with(words, 0), cases[k][1]);
  }
  put("wind.csv", "t,v\n0,1\n1,3\n");
  add_distinct(known, run_with(NULL, 0), "a file that a block reads");
  g_autofree char *other = g_strdelimit(g_strdup(part), "-", '+');
  put("part.xml", other);
  add_distinct(known, run_with(NULL, 0), "a library");
  g_autofree char *longer = g_strconcat(whole, "<!-- -->", NULL);
  put("m.xml", longer);
  add_distinct(known, run_with(NULL, 0), "the model");
}

static char *without_engines(const char *text)
{
  g_autoptr(GRegex) engines = g_regex_new("  \"engine[a-z_]*\": .*\n", 0, 0, NULL);
  return g_regex_replace(engines, text, -1, 0, "", 0, NULL);
}

static void test_engines_differ_in_their_entries_only(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  put_model();
  g_autofree char *first = run_with(NULL, 0), *wanted = without_engines(first);
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    const char *words[] = {"--engine", engines[k], NULL};
    g_autofree char *text = run_with(words, 0), *got = without_engines(text);
    TEST_ASSERT_EQUAL_STRING(wanted, got);
    says(text, "engine_why", "\"asked for\"");
  }
}

/* Grids are told as grids: their paths are those of the model, no more and no less. */
static void test_copies_are_put_together(void)
{
  put("m.xml",
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<integrator name=\"a\" count=\"30\" index=\"i\" "
      "in=\"-a[i]\" dqrel=\"if(i == 7, 1e-4, 1e-3)\"/>"
      "<coupled name=\"row\" count=\"4\"><integrator name=\"b\" count=\"3\" index=\"j\" in=\"1\"/>"
      "</coupled><experiment stop=\"1\" method=\"qss2\" record=\"a[1]\"/></hydevs>\n");
  g_autofree char *text = run_with(NULL, 0);
  says(text, "states",
       "[\n    {\"method\": \"qss2\", \"dqrel\": 0.001, \"dqmin\": 1e-06, \"n\": 41, \"paths\": "
       "[\"a[1..6]\", \"a[8..30]\", \"row[1..4]/b[1..3]\"]},\n"
       "    {\"method\": \"qss2\", \"dqrel\": 0.0001, \"dqmin\": 1e-06, \"n\": 1, \"paths\": "
       "[\"a[7]\"]}\n  ]");
}

/* Nobody states a method, and the relay slides. */
static void test_what_was_chosen_and_what_smells(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  put("m.xml", "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
               "<comparator name=\"s\" in=\"x\" low=\"1\" high=\"-1\"/>"
               "<integrator name=\"x\" in=\"s + 0.2\" x0=\"0.1\"/>"
               "<experiment stop=\"1\" dqmin=\"1e-5\" record=\"x\"/></hydevs>\n");
  g_autofree char *first = run_with(NULL, 0), *wanted = without_engines(first);
  const char *method = json_member(json_member(first, "chosen"), "method");
  g_autofree char *named = g_strndup(method, (gsize)(json_check(method, NULL, NULL) - method));
  TEST_ASSERT_NOT_NULL(strstr(json_member(first, "states"), named));
  TEST_ASSERT_NOT_NULL_MESSAGE(json_member(first, "warnings"), first);
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    const char *words[] = {"--engine", engines[k], NULL};
    g_autofree char *text = run_with(words, 0), *got = without_engines(text);
    TEST_ASSERT_EQUAL_STRING(wanted, got);
  }
  g_autofree char *strict = run_with((const char *[]){"--strict", NULL}, 1);
  says(strict, "status", "1");
}

/* The end ------------------------------------------------------------------------------------- */

static void put_body(const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>\n", body);
  put("m.xml", text);
}

static void test_a_run_that_fails_tells_it(void)
{
  put_body("<integrator name=\"x\" in=\"1\"/><generator name=\"g\" first=\"1\" period=\"1\" "
           "values=\"0\"/>"
           "<function name=\"f\" formula=\"1/g\"/><experiment stop=\"2\" record=\"x f\"/>");
  g_autofree char *text = run_with(NULL, 3);
  says(text, "status", "3");
  says(text, "tf", "2");
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, g_ascii_strtod(json_member(text, "end"), NULL));
  says(text, "message", "\"f: division by zero: 1 / g = 1 / 0 at t = 1\"");
}

static void test_endless_events_are_told(void)
{
  put_body("<generator name=\"g\" first=\"1\" period=\"1\" values=\"1\"/><player name=\"a\" in=\"b "
           "g\" delay=\"0\"/>"
           "<player name=\"b\" in=\"a\" delay=\"0\"/>"
           "<experiment stop=\"9\" record=\"g b\" events_at_instant=\"10\"/>");
  g_autofree char *text = run_with(NULL, 4);
  says(text, "status", "4");
  says(text, "end", "1");
  says(text, "events_at_instant", "10");
  TEST_ASSERT_NOT_NULL(strstr(json_member(text, "message"), "more than 10 further events"));
}

static void test_a_block_that_ends_the_run_is_told(void)
{
  put_body("<integrator name=\"x\" in=\"1\"/><stop name=\"enough\" in=\"x\" level=\"0.5\"/>"
           "<experiment stop=\"inf\" record=\"x\"/>");
  g_autofree char *text = run_with(NULL, 0);
  says(text, "status", "0");
  says(text, "tf", "null");
  says(text, "end", "0.5");
  TEST_ASSERT_NOT_NULL(strstr(json_member(text, "message"), "enough"));
}

static void test_what_cannot_be_written_is_told(void)
{
  put_body("<sawtooth name=\"k\" frequency=\"1\"/><experiment stop=\"1e5\" record=\"k\"/>");
  const char *argv[] = {"/bin/sh", "-c", "ulimit -f 8; exec \"$0\" run m.xml -o out.csv",
                        HY_PROGRAM, NULL};
  int status;
  TEST_ASSERT_TRUE(g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                NULL, NULL, &status, NULL));
  g_autofree char *text = get("out.csv.json");
  check_valid(text);
  says(text, "status", "3");
  says(text, "message", "\"out.csv: cannot write: File too large\"");
}

/* What stood beside the recording before is of another run. */
static void test_a_run_that_is_killed_has_not_ended(void)
{
  put_body("<sawtooth name=\"k\" frequency=\"1000\"/>"
           "<experiment stop=\"1e9\" record=\"k\" grid=\"10\"/>");
  put("out.csv.json", "{\"hydevs\": \"of another run\"}\n");
  const char *argv[] = {HY_PROGRAM, "run", "m.xml", "-o", "out.csv", NULL};
  GPid child;
  TEST_ASSERT_TRUE(g_spawn_async(dir, hy_key(argv), NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                 &child, NULL));
  g_autofree char *csv = in_dir("out.csv");
  GStatBuf at = {0};
  /* However slow the machine is: until there are rows, which come after what stands beside them;
   * the head of a new file is there at once. */
  while (g_stat(csv, &at) != 0 || at.st_size <= (goffset)strlen("time,k\n")) {
    TEST_ASSERT_EQUAL_INT(0, waitpid(child, NULL, WNOHANG));
    g_usleep(20000);
  }
  kill(child, SIGKILL);
  TEST_ASSERT_EQUAL_INT(child, waitpid(child, NULL, 0));
  g_autofree char *text = get("out.csv.json");
  check_valid(text);
  says(text, "file", "\"m.xml\"");
  says(text, "status", "null");
  TEST_ASSERT_NULL(json_member(text, "end"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_units_of_ports_are_told);
  RUN_TEST(test_it_tells_the_whole_run);
  RUN_TEST(test_it_tells_the_build);
  RUN_TEST(test_digests_are_of_the_bytes);
  RUN_TEST(test_equal_runs_say_the_same);
  RUN_TEST(test_whatever_changes_a_run_changes_it);
  RUN_TEST(test_engines_differ_in_their_entries_only);
  RUN_TEST(test_copies_are_put_together);
  RUN_TEST(test_what_was_chosen_and_what_smells);
  RUN_TEST(test_a_run_that_fails_tells_it);
  RUN_TEST(test_endless_events_are_told);
  RUN_TEST(test_a_block_that_ends_the_run_is_told);
  RUN_TEST(test_what_cannot_be_written_is_told);
  RUN_TEST(test_a_run_that_is_killed_has_not_ended);
  return UNITY_END();
}
