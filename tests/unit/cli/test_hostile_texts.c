/* Texts of a file, which somebody else may have written, mean nothing to a terminal nor to whoever
 * reads what is written: no control character of them comes out raw, no end of a line, no quote. */
#include "command.h"

static char *dir;

/* A colour, a page of its own, a title of the window, the end of a line; those that XML cannot have
 * are for files of other tools. */
#define CSI  "\302\233"
#define EVIL "&#x9b;31m&#x7f;&#x202e;&#10;.evil */ injected(); // \\\" ' `x` &#x85;|&#x2028;"

static const char model[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\" label='"
    "%s"
    "' doc='"
    "%s"
    "'>"
    "<info author='%s'/>"
    "<sine name=\"s\" frequency=\"50\" label='%s'/>"
    "<integrator name=\"x\" in=\"s - x\" label='%s'/>"
    "<coupled name=\"k\" label='%s'><in name=\"u\" kind=\"signal\" unit='%s' doc='%s'/>"
    "<gain name=\"g\" in=\"u\" label='%s'/><out name=\"y\" from=\"g\" kind=\"signal\" unit='%s'/>"
    "<view><note x=\"1\" y=\"1\">%s</note></view></coupled>"
    "<wire from=\"x\" to=\"k.u\"/>"
    "<circuit name=\"c\" label='%s'><voltage name=\"v\" nodes=\"a 0\" value=\"1\" label='%s'/>"
    "<resistor name=\"r\" nodes=\"a b\" R=\"1k\" label='%s'/>"
    "<capacitor name=\"q\" nodes=\"b 0\" C=\"1u\"/></circuit>"
    "<experiment name=\"e\" stop=\"0.01\" record=\"x k.y\" doc='%s'/></hydevs>\n";

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(dir, "m.xml", NULL);
  g_autofree char *evil = g_strconcat("A", EVIL, NULL);
  g_auto(GStrv) apos = g_strsplit(evil, "'", -1);
  g_autofree char *quoted = g_strjoinv("&apos;", apos);
  g_auto(GStrv) parts = g_strsplit(model, "%s", -1);
  g_autofree char *text = g_strjoinv(quoted, parts);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

static const char *const calls[] = {
    "check m.xml",
    "check m.xml --json",
    "run m.xml -o o.csv --stats --html o1.html",
    "run m.xml -o o.vcd --stats=json",
    "run m.xml -o o.jsonl",
    "plot o.csv -o o1.svg",
    "plot o.csv --term",
    "trace m.xml",
    "trace m.xml --json",
    "explain m.xml",
    "explain m.xml --html o2.html",
    "step m.xml -n 9",
    "equations m.xml",
    "equations m.xml --json",
    "modes m.xml",
    "steady m.xml",
    "bode m.xml --from s --to x",
    "bode m.xml --from s --to x --json",
    "diagram m.xml -o o2.svg",
    "diagram m.xml -o o.dot",
    "diagram m.xml -o o3.html",
    "export --spice m.xml -o o.cir",
    "export --c m.xml -o o.c",
    "export --modelica m.xml -o o1.mo",
    "export --micromodelica m.xml -o o2.mo",
    "export --json m.xml -o o.json",
    "convert m.xml o.pdm",
    "convert m.xml o.pds",
    "convert m.xml o.gv",
    "convert m.xml o2.cir",
    "bench m.xml -k 1 -m qss2",
    "bench m.xml -k 1 -m qss2 --json",
    "list-blocks --library .",
    "list-blocks --library . --json",
};

/* Where TEXT has something that a terminal obeys; NULL: nowhere. */
static const char *raw(const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
    gunichar c = g_utf8_get_char(at);
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\f') || (c >= 0x7f && c < 0xa0) ||
        (c >= 0x2028 && c <= 0x202e)) {
      return at;
    }
  }
  return NULL;
}

static void is_clean(const char *call, const char *what, const char *text)
{
  const char *at = raw(text);
  g_autofree char *told =
      g_strdup_printf("%s: %s: ...%.40s", call, what, at != NULL ? at - MIN(20, at - text) : "");
  TEST_ASSERT_NULL_MESSAGE(at, told);
  /* ".evil" came behind the end of a line. */
  TEST_ASSERT_NULL_MESSAGE(strstr(text, "\n.evil"), told);
}

static void files_are_clean(const char *call)
{
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  for (const char *name; (name = g_dir_read_name(files)) != NULL;) {
    g_autofree char *path = g_build_filename(dir, name, NULL), *text = contents(path);
    if (strcmp(name, "m.xml") != 0) {
      is_clean(call, name, text);
    }
  }
}

static void hydevs_is_clean(const char *call)
{
  g_autofree char *out = NULL, *err = NULL;
  int status = hydevs_call(dir, call, &out, &err);
  g_autofree char *told = g_strdup_printf("%s: %d: %s", call, status, err);
  TEST_ASSERT_TRUE_MESSAGE(status <= 3, told);
  is_clean(call, "stdout", out);
  is_clean(call, "stderr", err);
  files_are_clean(call);
}

static void test_texts_of_a_model_are_obeyed_by_nobody(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(calls); k++) {
    hydevs_is_clean(calls[k]);
  }
  static const char *const written[] = {"o.c", "o.cir", "o1.mo", "o.json", "o.gv", "o.dot"};
  for (guint k = 0; k < G_N_ELEMENTS(written); k++) { /* or the table tests nothing */
    g_autofree char *path = g_build_filename(dir, written[k], NULL);
    TEST_ASSERT_TRUE_MESSAGE(g_file_test(path, G_FILE_TEST_EXISTS), written[k]);
  }
}

/* What is wrong is quoted by a message. */
static void test_texts_in_messages_are_obeyed_by_nobody(void)
{
  static const struct {
    const char *name, *text;
  } files[] = {
      {"a.cir", "t\033]0;x\007\n.include \033[31mno\nR1 a 0 \033[31mx\n.end\n"},
      {"b.xml", "<hydevs xmlns=\"urn:hydevs:1\" name=\"m&#x9b;31m\"><gain name=\"g&#x9b;\" "
                "k=\"&#x9b;1\" in=\"&#x202e;\"/><a" CSI "b/></hydevs>"},
      {"c.xml", "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><gian name=\"g\">\302\233 x</gian>"
                "<import name=\"q\" file=\"&#x9b;.xml\"/><block name=\"z\" type=\"q.&#x9b;\"/>"
                "</hydevs>"},
      {"d.pdm", "Coupled\n{\n\033[31mType = Root\nName = \033[2J\302\233\n}\n"},
      {"e.csv", "time,\033[31mx\302\233\n0,1\n1,2\n"},
  };
  static const char *const verbs[] = {"check", "run", "plot", "trace", "explain", "convert"};
  for (guint k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autofree char *path = g_build_filename(dir, files[k].name, NULL);
    for (guint v = 0; v < G_N_ELEMENTS(verbs); v++) {
      TEST_ASSERT_TRUE(g_file_set_contents(path, files[k].text, -1, NULL));
      g_autofree char *out = NULL, *err = NULL;
      gboolean plot = strcmp(verbs[v], "plot") == 0;
      const char *words[WORDS] = {verbs[v], files[k].name, plot ? "--term" : NULL};
      TEST_ASSERT_TRUE(hydevs(dir, words, &out, &err) <= 3);
      is_clean(verbs[v], files[k].name, out);
      is_clean(verbs[v], files[k].name, err);
    }
    g_unlink(path);
  }
}

/* So are names of files, which are no texts of ours. */
static void test_names_of_files_are_obeyed_by_nobody(void)
{
  g_autofree char *from = g_build_filename(dir, "m.xml", NULL), *text = contents(from);
  g_autofree char *odd = g_build_filename(dir, "\n.include x\033[31m.xml", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(odd, text, -1, NULL));
  static const char *const verbs[][3] = {
      {"check"},  {"run"}, {"export", "--spice"}, {"export", "--c"}, {"export", "--modelica"},
      {"explain"}};
  for (guint k = 0; k < G_N_ELEMENTS(verbs); k++) {
    g_autofree char *out = NULL, *err = NULL;
    const char *name = "\n.include x\033[31m.xml";
    const char *words[WORDS] = {verbs[k][0], verbs[k][1] != NULL ? verbs[k][1] : name,
                                verbs[k][1] != NULL ? name : NULL};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
    is_clean(verbs[k][0], "stdout", out);
    is_clean(verbs[k][0], "stderr", err);
    TEST_ASSERT_NULL_MESSAGE(strstr(out, "\n.include"), out);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_texts_of_a_model_are_obeyed_by_nobody);
  RUN_TEST(test_texts_in_messages_are_obeyed_by_nobody);
  RUN_TEST(test_names_of_files_are_obeyed_by_nobody);
  return UNITY_END();
}
