/* What the pages show is so today: scripts/docs runs their commands, scripts/site follows their
 * links. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Runs a script of the repository in its root; fails with what it says. */
static void script(const char *command)
{
  g_autofree char *out = NULL, *err = NULL;
  const char *argv[] = {"bash", "-c", command, NULL};
  g_autoptr(GError) error = NULL;
  int wait = 0;
  TEST_ASSERT_TRUE(g_spawn_sync(HY_SOURCE_DIR, hy_key(argv), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                                &out, &err, &wait, &error));
  g_autofree char *said = g_strconcat(out, err, NULL);
  TEST_ASSERT_TRUE_MESSAGE(g_spawn_check_wait_status(wait, NULL), said);
}

static void test_commands_of_the_documentation(void)
{
  script("scripts/docs " HY_PROGRAM " README.md docs/*.md docs/howto/*.md");
}

/* Many runs for their status alone: not with sanitizers. */
static void test_commands_of_the_examples(void)
{
#ifdef __SANITIZE_ADDRESS__
  TEST_IGNORE_MESSAGE("these runs are those of other tests; sanitizers are for those");
#else
  script("scripts/docs " HY_PROGRAM
         " $(ls examples/*/README.md examples/*/*/README.md | grep -v own-block)");
#endif
}

static void test_links_lead_somewhere(void)
{
  script("scripts/site --check");
}

static void test_pages_for_a_browser(void)
{
  g_autofree char *tool = g_find_program_in_path("cmark-gfm");
  if (tool == NULL) {
    TEST_IGNORE_MESSAGE("no cmark-gfm here: scripts/install-deps --dev");
  }
  script("d=$(mktemp -d) && scripts/site $d/site && grep -q '<h1 id=\"hydevs\">' "
         "$d/site/index.html && "
         "grep -q 'href=\"../../docs/language.html\"' $d/site/docs/howto/circuits.html && "
         "test -s $d/site/docs/quickstart.png; s=$?; rm -r $d; exit $s");
}

/* Counts and errors of the shortest rows of docs/thesis.md; of all short ones by the label long.
 * Not with sanitizers, which find nothing there that they do not find in runs of the same models
 * elsewhere. */
static void test_counts_of_the_thesis_are_of_today(void)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(HY_SUNDIALS)
  TEST_IGNORE_MESSAGE("these rows are for a build with CVODE and without sanitizers");
#else
  script("scripts/thesis --few " HY_PROGRAM);
#endif
}

/* One digit of a count that is another one is noticed, and put right. */
static void test_a_stale_count_is_noticed(void)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(HY_SUNDIALS)
  TEST_IGNORE_MESSAGE("these rows are for a build with CVODE and without sanitizers");
#else
  script(
      "d=$(mktemp -d) && mkdir $d/docs $d/examples $d/scripts && cp scripts/common.sh "
      "scripts/thesis "
      "$d/scripts && ln -s $PWD/examples/thesis $d/examples/thesis && sed -n '1,/^## /p; /^## "
      "Table "
      "6.1/,/^## Table 6.2/p' docs/thesis.md >$d/docs/thesis.md && cp $d/docs/thesis.md $d/page && "
      "$d/scripts/thesis " HY_PROGRAM
      " && sed -i 's/^\\(| mLIQSS2.*| \\)[0-9]*\\( | [0-9.]* | [0-9.]* "
      "|\\)$/\\17\\2/' $d/docs/thesis.md && ! cmp -s $d/page $d/docs/thesis.md && "
      "! $d/scripts/thesis " HY_PROGRAM " && $d/scripts/thesis --write " HY_PROGRAM " && "
      "cmp $d/page $d/docs/thesis.md; s=$?; rm -r $d; exit $s");
#endif
}

/* A page that shows what the program does not say is noticed, and so is a command that fails. */
static void test_a_stale_page_is_noticed(void)
{
  script("d=$(mktemp -d) && printf '```console\\n$ echo a; echo b; echo c\\na\\n...\\nc\\n```\\n' "
         ">$d/p.md && "
         "scripts/docs " HY_PROGRAM " $d/p.md && "
         "sed s/^c$/d/ $d/p.md >$d/q.md && ! scripts/docs " HY_PROGRAM " $d/q.md && "
         "printf '```sh\\nhydevs run none.xml\\n```\\n' >$d/r.md && ! scripts/docs " HY_PROGRAM
         " $d/r.md && printf '```sh\\nhydevs run none.xml # status 1\\n```\\n' >$d/s.md && "
         "scripts/docs " HY_PROGRAM " $d/s.md; s=$?; rm -r $d; exit $s");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_commands_of_the_documentation);
  RUN_TEST(test_commands_of_the_examples);
  RUN_TEST(test_links_lead_somewhere);
  RUN_TEST(test_pages_for_a_browser);
  RUN_TEST(test_a_stale_page_is_noticed);
  RUN_TEST(test_counts_of_the_thesis_are_of_today);
  RUN_TEST(test_a_stale_count_is_noticed);
  return UNITY_END();
}
