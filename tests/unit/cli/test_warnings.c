/* A run says what smells, once and at its end; the models of this repository do not. */
#include "command.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static const char sliding[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
    "<comparator name=\"s\" in=\"x\" low=\"1\" high=\"-1\"/>\n"
    "<integrator name=\"x\" in=\"s + 0.2\" x0=\"0.1\"/>\n"
    "<experiment stop=\"1\" method=\"qss2\" dqmin=\"1e-5\" record=\"x\" grid=\"0.1\"/>\n"
    "</hydevs>\n";

static void test_it_is_told_on_stderr_and_beside_the_recording(void)
{
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL), *out = NULL, *err = NULL;
  g_autofree char *model = g_build_filename(dir, "m.xml", NULL);
  g_autofree char *csv = g_build_filename(dir, "m.csv", NULL);
  g_autofree char *sidecar = g_strconcat(csv, ".json", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(model, sliding, -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"run", model}, &out, &err));
  const char *said = strstr(err, "m.xml:2: warning: s: its mode (x > 0) chatters: ");
  TEST_ASSERT_NOT_NULL_MESSAGE(said, err);
  TEST_ASSERT_NULL_MESSAGE(strstr(said + strlen("m.xml:2: warning"), "warning"), err);
  g_autofree char *json = contents(sidecar);
  TEST_ASSERT_NOT_NULL(
      strstr(json, "\"warnings\": [\n    {\"kind\": \"chatter\", \"path\": \"s\""));
  g_autofree char *strict_out = NULL, *strict_err = NULL;
  const char *strict[WORDS] = {"run", model, "--strict", "--stats"};
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, strict, &strict_out, &strict_err));
  TEST_ASSERT_NOT_NULL(strstr(strict_err, "m.csv: 1 column")); /* all the same it is recorded */
  g_unlink(model);
  g_unlink(csv);
  g_unlink(sidecar);
  g_rmdir(dir);
}

/* In FOLDER; those that state no end, or end in no time of a test, apart. */
static guint check_folder(const char *folder)
{
  static const char *const others[] = {"converters.xml", "endless.xml", "buck-heatsink.xml",
                                       "suite.xml", NULL};
  g_autofree char *path = repository(folder);
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    gboolean file = g_str_has_suffix(name, ".xml") && !g_strv_contains(others, name);
    g_autofree char *model = g_build_filename(path, name, file ? NULL : "model.xml", NULL);
    g_autofree char *out = NULL, *err = NULL;
    const char *words[WORDS] = {"run", model, "--strict", "--grid", "1", "-o", "-"};
    if (g_file_test(model, G_FILE_TEST_IS_REGULAR)) {
      TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(NULL, words, &out, &err), err);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, "warning"), err);
      n++;
    }
  }
  return n;
}

static void test_no_model_of_ours_smells(void)
{
  TEST_ASSERT_GREATER_THAN_UINT(14, check_folder("examples"));
  TEST_ASSERT_GREATER_THAN_UINT(7, check_folder("examples/thesis"));
  TEST_ASSERT_GREATER_THAN_UINT(15, check_folder("tests/models"));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_it_is_told_on_stderr_and_beside_the_recording);
  RUN_TEST(test_no_model_of_ours_smells);
  return UNITY_END();
}
