/* No verb writes over what it reads, whatever name is given, nor two things into one file. */
#include "command.h"

#include <unistd.h>

static char *dir;

static const char *const models[] = {"m.xml", "lib.xml", "wind.csv", "n.cir", "part.inc",
                                     "p.svg", "r.csv",   "s.xml",    NULL};
static const char *const texts[] = {
    "<hydevs xmlns='urn:hydevs:1' name='m'><import name='lib' file='lib.xml'/><param name='U' "
    "value='12'/>"
    "<file_source name='w' path='wind.csv'/><block name='o' type='lib.one' in='w'/>"
    "<circuit name='c'><voltage name='V' nodes='in 0' value='U'/>"
    "<resistor name='R' nodes='in 0' R='1'/></circuit>"
    "<experiment stop='2' record='w'/></hydevs>",
    "<hydevs xmlns='urn:hydevs:1' name='lib'><type name='one'><in name='in'/>"
    "<integrator name='x' in='in'/></type></hydevs>",
    "t,v\n0,1\n1,2\n",
    "a netlist\n.include part.inc\nV1 in 0 5\nC1 in out 1u\nR2 out 0 1k\n.print tran v(out)\n.tran "
    "1u 1m\n.end\n",
    "R1 in 0 1k\n",
    "not drawn yet\n",
    "time,x\n0,1\n1,2\n",
    "<suite title='t'><table number='1' title='a' model='m.xml' method='qss2' errors='no' "
    "repeat='1'/></suite>",
};

static void put(const char *name, const char *text)
{
  g_autofree char *file = g_build_filename(dir, name, NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

static void link_to(const char *name, const char *link)
{
  g_autofree char *file = g_build_filename(dir, link, NULL);
  TEST_ASSERT_EQUAL_INT(0, symlink(name, file));
}

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  for (guint k = 0; models[k] != NULL; k++) {
    put(models[k], texts[k]);
  }
  link_to("m.xml", "model.svg");
  link_to("m.xml", "model.html");
  link_to("m.xml", "model.csv");
  link_to("lib.xml", "lib.svg");
  link_to("wind.csv", "wind.png");
  link_to("r.csv", "r.png");
  link_to("n.cir", "n.xml");
  link_to("part.inc", "part.xml");
  link_to("picture.html", "other.html");
  g_autofree char *csv = g_build_filename(dir, "wind.csv", NULL);
  g_autofree char *hard = g_build_filename(dir, "hard.csv", NULL);
  TEST_ASSERT_EQUAL_INT(0, link(csv, hard));
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

static void check_nothing_changed(const char *call)
{
  for (guint k = 0; models[k] != NULL; k++) {
    g_autofree char *file = g_build_filename(dir, models[k], NULL), *text = contents(file);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(texts[k], text, call);
  }
}

/* The words of CALL, which name the file last. */
static void refused(const char *call, const char *why)
{
  g_autofree char *err = NULL, *out = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(2, hydevs_call(dir, call, &out, &err), call);
  g_autofree char *wanted = g_strdup_printf("hydevs: %s: %s\n", strrchr(call, ' ') + 1, why);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, wanted), err);
  check_nothing_changed(call);
}

static void test_no_verb_writes_over_what_it_reads(void)
{
  static const char *const calls[] = {
      "run m.xml -o m.xml",
      "run m.xml -o model.csv",
      "run m.xml -o hard.csv",
      "run m.xml -o out.csv --html model.html",
      "run m.xml -o out.csv --html lib.xml",
      "plot m.xml -o model.svg",
      "plot m.xml -o wind.png",
      "plot m.xml --histogram values -o hard.csv",
      "plot r.csv -o r.png",
      "plot r.csv --histogram values -o r.csv",
      "plot r.csv --histogram values -o ./r.csv",
      "diagram m.xml -o model.svg",
      "diagram m.xml -o lib.svg",
      "diagram m.xml -o model.html",
      "explain m.xml --html m.xml",
      "explain m.xml --html ./wind.csv",
      "export --json m.xml -o m.xml",
      "export --spice m.xml -o lib.xml",
      "export --c m.xml -o hard.csv",
      "export --modelica m.xml -o ./m.xml",
      "convert n.cir n.xml",
      "convert n.cir part.xml",
      "convert m.xml ./m.xml",
      "bench s.xml -o s.xml",
      "bench s.xml -o wind.csv",
  };
  for (guint k = 0; k < G_N_ELEMENTS(calls); k++) {
    refused(calls[k], "this file is read; write into another one");
  }
}

static void test_two_outputs_are_two_files(void)
{
  static const char why[] = "something else is written into this file, too; name another one";
  refused("run m.xml -o out.csv -o ./out.csv", why);
  refused("run m.xml -o out.csv --html ./out.csv", why);
  refused("run m.xml -o out.csv --html out.csv.json", why);
  refused("run m.xml -o a.csv -o b.csv --html b.csv.json", why);
}

/* The page goes to where the link leads, and what is read may be linked, too. */
static void test_links_are_written_through(void)
{
  g_autofree char *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", "m.xml", "-o", "out.csv", "--html", "other.html"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  g_autofree char *link = g_build_filename(dir, "other.html", NULL);
  g_autofree char *page = g_build_filename(dir, "picture.html", NULL), *text = contents(page);
  TEST_ASSERT_TRUE(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
  TEST_ASSERT_NOT_NULL(strstr(text, "</html>"));
  check_nothing_changed("run");
}

/* A run that is refused takes back the file that it has made at the end of a link, not the link. */
static void test_a_refused_run_leaves_links_as_they_are(void)
{
  link_to("made.csv", "link.csv");
  refused("run m.xml -o link.csv -o made.csv",
          "something else is written into this file, too; name another one");
  g_autofree char *link = g_build_filename(dir, "link.csv", NULL);
  g_autofree char *made = g_build_filename(dir, "made.csv", NULL);
  TEST_ASSERT_TRUE(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
  TEST_ASSERT_FALSE(g_file_test(made, G_FILE_TEST_EXISTS));
}

/* What a netlist includes is an input like any other. */
static void test_included_files_are_told(void)
{
  g_autofree char *file = g_build_filename(dir, "n.csv.json", NULL);
  const char *words[WORDS] = {"run", "n.cir", "-o", "n.csv"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, NULL));
  g_autofree char *text = contents(file);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "part.inc"), text);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_no_verb_writes_over_what_it_reads);
  RUN_TEST(test_two_outputs_are_two_files);
  RUN_TEST(test_links_are_written_through);
  RUN_TEST(test_a_refused_run_leaves_links_as_they_are);
  RUN_TEST(test_included_files_are_told);
  return UNITY_END();
}
