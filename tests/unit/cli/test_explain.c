/* hydevs explain, and hydevs run --html: messages in words, and pages. What the page does in a
 * browser is tested in tests/pages/player. */
#include "folder.h"

/* What stands in docs/seeing.md is what is said. */
static void test_the_words_are_those_of_the_docs(void)
{
  g_autofree char *file = repository("examples/nested/model.xml"), *out = NULL;
  g_autofree char *path = repository("docs/seeing.md"), *page = contents(path);
  const char *words[WORDS] = {"explain", file, "--from", "1", "--to", "1"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  TEST_ASSERT_TRUE(g_str_has_prefix(out, " 15 t=1 "));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, out), out);
}

/* Several are due, and one is because of its input. */
static void test_it_says_who_is_first_and_why(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL), *out = NULL;
  g_file_set_contents(
      file,
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<generator name=\"a\" first=\"1\" period=\"1\" values=\"('x', 3)\"/>"
      "<generator name=\"b\" first=\"1\" period=\"1\" values=\"1\" priority=\"1\"/>"
      "<server name=\"s\" time=\"0\" in=\"a b\"/><experiment stop=\"1\"/></hydevs>\n",
      -1, NULL);
  const char *words[WORDS] = {"explain", file, "--from=1"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "In m several are due at t = 1: b, a. b has its turn, "
                                           "for it stands first in the order of ties "
                                           "(it has a priority).\n"),
                               out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "its state is [1]; it is due again now.\n"), out);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, "a says ('x', 3) at its output out"), out);
}

static char *make_page(const char *file, const char *n, const char *from)
{
  g_autofree char *page = g_build_filename(dir, "page.html", NULL);
  const char *words[WORDS] = {"explain", file, "--html", page, "-n", n, "--from", from};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, NULL));
  return contents(page);
}

/* All in one file, the same bytes each time; a payload cannot end the element that it is in. */
static void test_a_page_is_one_file(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  g_file_set_contents(
      file,
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<generator name=\"a\" first=\"1\" period=\"1\" values=\"'&lt;/script>'\"/>"
      "<sink name=\"s\" in=\"a\" doc=\"&lt;b> &amp; ]]>\"/><experiment stop=\"1\"/></hydevs>\n",
      -1, NULL);
  g_autofree char *page = make_page(file, "100", "0"), *again = make_page(file, "100", "0");
  TEST_ASSERT_EQUAL_STRING(page, again);
  TEST_ASSERT_NULL(strstr(page, "'</script>"));
  TEST_ASSERT_NOT_NULL(strstr(page, "'\2/script>'"));
  TEST_ASSERT_NULL(strstr(page, "<b>"));
  TEST_ASSERT_NULL(strstr(page, "src=\""));
  TEST_ASSERT_NULL(strstr(page, "@import"));
  TEST_ASSERT_NULL(strstr(page, "id=\"cut\""));
}

/* A window begins with how all blocks stand, and says where it was cut. */
static void test_a_page_that_is_full_says_so(void)
{
  g_autofree char *file = repository("examples/nested/model.xml");
  g_autofree char *page = make_page(file, "5", "1");
  TEST_ASSERT_NOT_NULL(strstr(page, "holds the first 5 messages"));
  TEST_ASSERT_NOT_NULL(strstr(page, "id=\"lines\">s\t0\t0\t1\t\n"));
  TEST_ASSERT_NOT_NULL(strstr(page, "\"n\":5,\"full\":true,\"start\":1,\"last\":1,"));
}

static void expect_refused(const char *says, const char *const *words)
{
  g_autofree char *err = NULL;
  TEST_ASSERT_EQUAL_INT(2, hydevs(dir, words, NULL, &err));
  TEST_ASSERT_TRUE_MESSAGE(strstr(err, says) != NULL, err);
}

static void test_what_makes_no_sense_is_refused(void)
{
  g_autofree char *file = repository("examples/nested/model.xml"), *err = NULL;
  expect_refused("--messages=0: 1 or more", (const char *[WORDS]){"explain", file, "-n", "0"});
  expect_refused("--messages=60000: a page has 50000 at most",
                 (const char *[WORDS]){"explain", file, "-n", "60000", "--html", "x.html"});
  expect_refused("--from=soon is not a time",
                 (const char *[WORDS]){"explain", file, "--from=soon"});
  const char *nowhere[WORDS] = {"explain", file, "--html", "/nowhere/x.html"};
  TEST_ASSERT_EQUAL_INT(3, hydevs(dir, nowhere, NULL, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "/nowhere/x.html"), err);
}

/* A run that fails has a page, too: what it had recorded, and why it ended. */
static void test_a_run_that_fails_has_its_page(void)
{
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL), *err = NULL;
  g_autofree char *page = g_build_filename(dir, "page.html", NULL);
  g_file_set_contents(file,
                      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                      "<integrator name=\"x\" in=\"-1\" x0=\"0.5\"/>"
                      "<function name=\"r\" formula=\"sqrt(x)\"/>"
                      "<experiment stop=\"1\" method=\"qss2\" record=\"x r\"/></hydevs>\n",
                      -1, NULL);
  const char *words[WORDS] = {"run", file, "--html", page};
  TEST_ASSERT_EQUAL_INT(3, hydevs(dir, words, NULL, &err));
  g_autofree char *text = contents(page);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "class=\"warning\" role=\"note\">r: "), err);
  TEST_ASSERT_NOT_NULL(strstr(text, "{\"name\":\"x\""));
  TEST_ASSERT_NOT_NULL(strstr(text, "Made by <code>hydevs run "));
}

static guint count(const char *text, const char *word)
{
  guint n = 0;
  while ((text = strstr(text, word)) != NULL) {
    text += strlen(word);
    n++;
  }
  return n;
}

/* What is warned of before the run and at its end stands on its page, once each. */
static void test_a_page_has_the_warnings_of_the_model_and_of_the_run(void)
{
  g_autofree char *file = g_build_filename(dir, "w.xml", NULL), *err = NULL;
  g_autofree char *page = g_build_filename(dir, "page.html", NULL);
  g_file_set_contents(file,
                      "<hydevs xmlns=\"urn:hydevs:1\" name=\"w\" needs=\"1.2\">"
                      "<circuit name=\"c\"><voltage name=\"U\" nodes=\"a 0\" value=\"1\"/>"
                      "<resistor name=\"R\" nodes=\"a open\" R=\"1\"/></circuit>"
                      "<comparator name=\"s\" in=\"x\" low=\"1\" high=\"-1\"/>"
                      "<integrator name=\"x\" in=\"s + 0.2\" x0=\"0.1\"/>"
                      "<experiment stop=\"1\" dqmin=\"1e-5\" record=\"x\"/>"
                      "</hydevs>\n",
                      -1, NULL);
  const char *words[WORDS] = {"run", file, "--html", page};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, NULL, &err), err);
  g_autofree char *text = contents(page);
  static const char *const wanted[] = {"nothing else is at node &quot;open&quot;",
                                       "warning: s: its mode (x &gt; 0) chatters"};
  for (guint k = 0; k < G_N_ELEMENTS(wanted); k++) {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, count(text, wanted[k]), wanted[k]);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_words_are_those_of_the_docs);
  RUN_TEST(test_it_says_who_is_first_and_why);
  RUN_TEST(test_a_page_is_one_file);
  RUN_TEST(test_a_page_that_is_full_says_so);
  RUN_TEST(test_what_makes_no_sense_is_refused);
  RUN_TEST(test_a_run_that_fails_has_its_page);
  RUN_TEST(test_a_page_has_the_warnings_of_the_model_and_of_the_run);
  return UNITY_END();
}
