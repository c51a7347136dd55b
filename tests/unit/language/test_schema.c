/* library/hydevs.xsd is the one that the tables make, and it agrees with the reader about
 * structure. */
#include "hydevs/load.h"
#include <libxml/xmlschemas.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};
static const HyLoadOptions options = {.library = library};
static xmlSchemaPtr schema;

void setUp(void)
{
}

void tearDown(void)
{
}

static void silent(void *user, const char *format, ...)
{
  (void)user, (void)format;
}

/* `cmake --build BUILD --target xsd` writes the file anew. */
static void test_the_kept_schema_is_up_to_date(void)
{
  char program[] = HY_XSD, standard[] = HY_SOURCE_DIR "/library/standard.xml";
  char *argv[] = {program, standard, NULL};
  g_autofree char *made = NULL, *kept = NULL;
  int status;
  TEST_ASSERT_TRUE(
      g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &made, NULL, &status, NULL));
  TEST_ASSERT_EQUAL_INT(0, status);
  TEST_ASSERT_TRUE(g_file_get_contents(HY_SOURCE_DIR "/library/hydevs.xsd", &kept, NULL, NULL));
  TEST_ASSERT_EQUAL_STRING(kept, made);
}

static gboolean is_valid(const char *path)
{
  xmlDocPtr doc =
      xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (doc == NULL) {
    return FALSE;
  }
  xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
  xmlSchemaSetValidErrors(context, silent, silent, NULL);
  gboolean valid = xmlSchemaValidateDoc(context, doc) == 0;
  xmlSchemaFreeValidCtxt(context);
  xmlFreeDoc(doc);
  return valid;
}

static void each(const char *folder, void (*check)(const char *path, const char *name))
{
  GDir *dir = g_dir_open(folder, 0, NULL);
  TEST_ASSERT_NOT_NULL(dir);
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    if (g_str_has_suffix(name, ".xml")) {
      g_autofree char *path = g_build_filename(folder, name, NULL);
      check(path, name);
    }
  }
  g_dir_close(dir);
}

static void check_valid(const char *path, const char *name)
{
  TEST_ASSERT_TRUE_MESSAGE(is_valid(path), name);
}

static void test_models_are_valid(void)
{
  each(HY_SOURCE_DIR "/tests/models", check_valid);
  check_valid(HY_SOURCE_DIR "/library/standard.xml", "standard.xml");
  check_valid(HY_SOURCE_DIR "/examples/equations-block/model.xml", "equations-block");
  check_valid(HY_SOURCE_DIR "/examples/circuit/model.xml", "circuit");
  check_valid(HY_SOURCE_DIR "/examples/circuit/inverter.xml", "nested circuits");
}

/* What the schema refuses the reader refuses, too (the reader knows more). */
static void check_refused(const char *path, const char *name)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(path, &options, report);
  TEST_ASSERT_TRUE_MESSAGE(is_valid(path) || loaded == NULL, name);
}

/* Mistakes of structure that a schema can see at all; DOCTYPE and depth are limits, not structure.
 */
static void test_mistakes_of_structure_are_seen_by_both(void)
{
  static const char *const seen[] = {"unknown-block",
                                     "case-of-block",
                                     "own-type-as-element",
                                     "unknown-attribute",
                                     "name-missing",
                                     "name-illegal",
                                     "engine",
                                     "text",
                                     "never-closed",
                                     "quotes-missing",
                                     "attribute-twice",
                                     "no-namespace",
                                     "other-language",
                                     "other-root",
                                     "wire-without-to",
                                     "equations-structure",
                                     "child-of-a-block",
                                     "foreign-element",
                                     "required-parameter-missing",
                                     "unknown-attribute-of-wire"};
  each(HY_SOURCE_DIR "/tests/errors", check_refused);
  GDir *dir = g_dir_open(HY_SOURCE_DIR "/tests/errors", 0, NULL);
  guint found = 0;
  for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
    for (guint k = 0; k < G_N_ELEMENTS(seen); k++) {
      g_autofree char *end = g_strdup_printf("-%s.xml", seen[k]);
      g_autofree char *path = g_build_filename(HY_SOURCE_DIR "/tests/errors", name, NULL);
      if (strlen(name) == 3 + strlen(end) && g_str_has_suffix(name, end)) {
        TEST_ASSERT_FALSE_MESSAGE(is_valid(path), name);
        found++;
      }
    }
  }
  g_dir_close(dir);
  TEST_ASSERT_EQUAL_UINT(G_N_ELEMENTS(seen), found);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_kept_schema_is_up_to_date);
  xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(HY_SOURCE_DIR "/library/hydevs.xsd");
  schema = xmlSchemaParse(parser);
  xmlSchemaFreeParserCtxt(parser);
  if (schema == NULL) {
    return 1;
  }
  RUN_TEST(test_models_are_valid);
  RUN_TEST(test_mistakes_of_structure_are_seen_by_both);
  xmlSchemaFree(schema);
  return UNITY_END();
}
