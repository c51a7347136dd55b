/* Blocks from shared objects: --blocks. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static char *street(void)
{
  return repository("examples/own-block/street.xml");
}

static void expect(int status, const char *out_want, const char *err_want, const char *const *words)
{
  g_autofree char *out = NULL, *err = NULL;
  int got = hydevs(NULL, words, &out, &err);
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, got, err);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, out_want), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, err_want), err);
}

#define EXPECT(status, out, err, ...) expect(status, out, err, (const char *[WORDS]){__VA_ARGS__})

static void test_a_block_of_ones_own_is_placed_by_its_name(void)
{
  g_autofree char *file = street();
  EXPECT(0, "time,coins\n1,0.5\n2.5,1\n4,1.5\n5.5,2\n", "", "run", file, "--blocks", HY_TALLY, "-o",
         "-");
  EXPECT(0, "ok, 2 blocks", "", "check", file, "--strict", "--blocks", HY_TALLY);
  EXPECT(0, "coins  -> street (y,1) out:0.5", "", "trace", file, "--blocks", HY_TALLY);
  EXPECT(0, "<svg", "", "diagram", file, "--blocks", HY_TALLY, "-o", "-");
}

static void test_nobody_knows_it_without(void)
{
  g_autofree char *file = street();
  EXPECT(1, "there is no block type \"tally\"", "", "check", file);
  EXPECT(2, "", "there is no block \"tally\"", "list-blocks", "tally");
}

/* A misspelt element is helped with the names of added blocks, too. */
static void test_it_is_one_of_the_words(void)
{
  g_autofree char *file = NULL;
  g_close(g_file_open_tmp("hydevs-XXXXXX.xml", &file, NULL), NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(
      file, "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><tallly name=\"T\"/></hydevs>\n", -1, NULL));
  EXPECT(1, "did you mean \"tally\"?", "", "check", file, "--blocks", HY_TALLY);
  g_unlink(file);
  EXPECT(0, "tally\n", "", "list-blocks", "--names", "--blocks", HY_TALLY);
  EXPECT(0, "how often something has come", "", "list-blocks", "tally", "--blocks", HY_TALLY);
}

/* By every verb that reads a model, its help, the manual and the completion. */
static void test_the_option_is_explained(void)
{
  static const char *const verbs[] = {"run",       "check", "trace", "step",       "plot",
                                      "equations", "modes", "bench", "list-blocks"};
  for (guint k = 0; k < G_N_ELEMENTS(verbs); k++) {
    EXPECT(0, "--blocks=FILE ", "", verbs[k], "--help");
  }
  EXPECT(0, "\\-\\-blocks=FILE", "", "help", "man");
  EXPECT(0, " --blocks=", "", "help", "completion");
}

static void test_files_that_hold_no_blocks_are_refused(void)
{
  g_autofree char *file = street();
  EXPECT(2, "", "blocks cannot be loaded: ./none.so: cannot open", "check", file, "--blocks",
         "none.so");
  EXPECT(2, "", "it defines no hydevs_blocks", "check", file, "--blocks", HY_LIBRARY);
  EXPECT(2, "", "were made for another hydevs", "check", file, "--blocks", HY_OTHER_HYDEVS);
  EXPECT(2, "", "block \"gain\": this name is taken by a built-in block", "check", file, "--blocks",
         HY_TAKEN);
  EXPECT(2, "", "block \"tally\": this name is taken by another block", "run", file, "--blocks",
         HY_TALLY, "--blocks", HY_TALLY);
}

/* Has OUTPUTS of a router, by the lines BLOCKS of its model; then a run that says WANT. */
static void expect_routed(const char *blocks, const char *record, int status, const char *want,
                          const char *words)
{
  g_autofree char *file = NULL;
  g_close(g_file_open_tmp("hydevs-XXXXXX.xml", &file, NULL), NULL);
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<generator name=\"g\" first=\"1\" period=\"1\" values=\"1, 2, 3, 4\"/>"
      "<router name=\"r\" in=\"g\"/>%s<experiment stop=\"4\" record=\"%s\"/></hydevs>\n",
      blocks, record);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
  EXPECT(status, want, words, "run", file, "--blocks", HY_ROUTER, "-o", "-");
  g_unlink(file);
}

/* A class without arrays of inputs: its outputs are as many as lines name, however they do. */
static void test_outputs_are_as_many_as_are_named(void)
{
  static const char want[] = "time,a,b,c\n1,1,,\n2,1,2,\n3,1,2,3\n4,4,2,3\n";
  static const char attributes[] = "<relay name=\"a\" in=\"r.out[1]\"/>"
                                   "<relay name=\"b\" in=\"r.out[2]\"/>"
                                   "<relay name=\"c\" in=\"r.out[3]\"/>";
  static const char wires[] = "<relay name=\"a\"/><relay name=\"b\"/><relay name=\"c\"/>"
                              "<wire from=\"r.out[3]\" to=\"c\"/><wire from=\"r.out\" to=\"a\"/>"
                              "<wire from=\"r.out[2]\" to=\"b\"/>";
  static const char copies[] = "<relay name=\"s\" count=\"3\" in=\"r.out[i]\"/>";
  expect_routed(attributes, "a b c", 0, want, "");
  expect_routed(wires, "a b c", 0, want, "");
  expect_routed(copies, "s[*]", 0, "\n4,4,2,3\n", "");
  expect_routed("", "r", 0, "time,r\n1,1\n2,2\n3,3\n4,4\n", ""); /* one, if nobody names any */
  expect_routed("<relay name=\"a\" in=\"r.out[70000]\"/>", "a", 1, "",
                "out[70000]\" does not exist");
  expect_routed("<relay name=\"a\" in=\"r.put[2]\"/>", "a", 1, "", "has no output \"put\"");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_outputs_are_as_many_as_are_named);
  RUN_TEST(test_a_block_of_ones_own_is_placed_by_its_name);
  RUN_TEST(test_nobody_knows_it_without);
  RUN_TEST(test_it_is_one_of_the_words);
  RUN_TEST(test_the_option_is_explained);
  RUN_TEST(test_files_that_hold_no_blocks_are_refused);
  return UNITY_END();
}
