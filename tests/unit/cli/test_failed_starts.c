/* A run that fails before its first event is told by its own message and by no other: whatever
 * looks at the simulation afterwards finds one that has done nothing. */
#include "model_file.h"

static const char *const models[] = {
    "<lookup name=\"l\" in=\"1\" x=\"0, 0\" y=\"1, 2\"/><experiment stop=\"1\" record=\"l\"/>",
    "<integrator name=\"x\" in=\"1\" x0=\"inf\"/><experiment stop=\"1\" record=\"x\"/>",
    "<integrator name=\"x\" in=\"1/x\" x0=\"0\"/><experiment stop=\"1\" record=\"x\"/>",
    "<integrator name=\"x\" in=\"log(x)\" x0=\"-1\"/><experiment stop=\"1\" record=\"x\"/>",
    "<function name=\"a\" formula=\"b + 1\"/><function name=\"b\" formula=\"a\"/>"
    "<experiment stop=\"1\" record=\"a\"/>",
    "<sine name=\"s\" frequency=\"1\"/><lookup name=\"l\" in=\"s\" x=\"1, 0\" y=\"1, 2\"/>"
    "<integrator name=\"x\" in=\"l\"/><experiment stop=\"1\" record=\"x\"/>",
};

/* %s: an engine. */
static const char *const calls[] = {
    "run model.xml -o o.csv --stats -e %s",
    "run model.xml -o o.jsonl --stats=json -e %s",
    "run model.xml -o o.csv --html o.html -e %s",
    "run model.xml -o o.csv --stats -m mliqss2 -e %s",
    "run model.xml -o o.csv --stats -m rk4 --hstep 0.1 -e %s",
    "run model.xml -o o.csv --stats --strict --progress=json -e %s",
    "plot model.xml -o o.svg -e %s",
    "trace model.xml -e %s",
};

static void test_only_the_message_of_the_failure_is_told(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  for (guint m = 0; m < G_N_ELEMENTS(models); m++) {
    g_autofree char *text =
        g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>\n", models[m]);
    TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
    for (guint k = 0; k < G_N_ELEMENTS(calls) * G_N_ELEMENTS(engines); k++) {
      g_auto(GStrv) part = g_strsplit(calls[k / G_N_ELEMENTS(engines)], "%s", 2);
      g_autofree char *call = g_strconcat(part[0], engines[k % G_N_ELEMENTS(engines)], NULL);
      g_autofree char *out = NULL, *err = NULL;
      int status = hydevs_call(dir, call, &out, &err);
      g_autofree char *told = g_strdup_printf("%s of %s: %d: %s", call, models[m], status, err);
      TEST_ASSERT_TRUE_MESSAGE(status >= 1 && status <= 3, told);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, "CRITICAL"), told);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, "WARNING"), told);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, "assertion"), told);
      TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(err, "\n"), told);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, " 0 rows"), told); /* no file is left to tell of */
    }
  }
  static const char *const left[] = {"o.csv",   "o.csv.json",   "o.html",
                                     "o.jsonl", "o.jsonl.json", "o.svg"};
  for (guint k = 0; k < G_N_ELEMENTS(left); k++) {
    g_autofree char *path = g_build_filename(dir, left[k], NULL);
    g_unlink(path);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_only_the_message_of_the_failure_is_told);
  return UNITY_END();
}
