/* Every verb on every example. */
#include "verbs.h"

static void walk(const char *folder)
{
  g_autofree char *path = repository(folder);
  g_autoptr(GDir) here = g_dir_open(path, 0, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(here, folder);
  for (const char *name; (name = g_dir_read_name(here)) != NULL;) {
    g_autofree char *inner = g_build_filename(folder, name, NULL), *whole = repository(inner);
    gboolean model = g_str_has_suffix(name, ".xml") || g_str_has_suffix(name, ".cir");
    if (g_file_test(whole, G_FILE_TEST_IS_DIR)) {
      walk(inner);
    } else if (model && strcmp(name, "suite.xml") != 0) {
      all_verbs(inner);
    }
  }
}

static void test_every_verb_ends_well_on_every_example(void)
{
  walk("examples");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_verb_ends_well_on_every_example);
  return UNITY_END();
}
