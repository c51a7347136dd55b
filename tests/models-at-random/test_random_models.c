/* Models at random: every class is drawn, nothing is found of a portion of seeds, and a fault that
 * is planted is found and cut down to what it needs. */
#include "draw.h"
#include "shrink.h"
#include "unity.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define DRAWN    600 /* seeds in which every class must stand */
#define ENGINES  46  /* seeds that all engines run; 47 and 57 slide, up to 2 s a run */
#define COMPARED 24  /* of these beside references, where these take no longer than a second */

static char *scratch;

void setUp(void)
{
  scratch = g_dir_make_tmp("random-models-XXXXXX", NULL);
}

void tearDown(void)
{
  static const char *const files[] = {"model.xml", "wave.csv", "table.csv", "table.csv.json",
                                      "planted"};
  for (guint k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autofree char *path = g_build_filename(scratch, files[k], NULL);
    g_unlink(path);
  }
  g_rmdir(scratch);
  g_free(scratch);
}

static void note_classes(const Element *e, GHashTable *seen)
{
  const char *type = element_get(e, "type");
  g_hash_table_add(seen, g_strdup(strcmp(e->tag, "block") == 0 && type != NULL ? type : e->tag));
  for (guint k = 0; k < e->children->len; k++) {
    note_classes(e->children->pdata[k], seen);
  }
}

static void test_every_class_is_drawn(void)
{
  const char *const argv[] = {HY_PROGRAM, "list-blocks", "--names", NULL};
  g_autofree char *out = NULL;
  TEST_ASSERT_TRUE(
      g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, NULL));
  g_auto(GStrv) names = g_strsplit(g_strstrip(out), "\n", -1);
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint64 seed = 1; seed <= DRAWN; seed++) {
    Element *model = draw_model(seed, FALSE);
    note_classes(model, seen);
    element_free(model);
  }
  TEST_ASSERT_GREATER_THAN(100, g_strv_length(names));
  for (guint k = 0; names[k] != NULL; k++) {
    TEST_ASSERT_TRUE_MESSAGE(g_hash_table_contains(seen, names[k]), names[k]);
  }
}

static void test_a_seed_is_a_model(void)
{
  for (guint64 seed = 1; seed <= 20; seed++) {
    Element *a = draw_model(seed, FALSE), *b = draw_model(seed, FALSE), *all = element_new("all");
    g_autofree char *first = element_text(a), *second = element_text(b);
    TEST_ASSERT_EQUAL_STRING(first, second);
    TEST_ASSERT_TRUE(element_read(all, first, NULL));
    g_autofree char *again = element_text(all->children->pdata[0]);
    TEST_ASSERT_EQUAL_STRING(first, again);
    element_free(a);
    element_free(b);
    element_free(all);
  }
}

static void test_nothing_is_found(void)
{
  int found = 0;
  for (guint64 seed = 1; seed <= ENGINES; seed++) {
    Judge j = {.program = HY_PROGRAM,
               .scratch = scratch,
               .references = seed <= COMPARED,
               .seconds = 10,
               .seconds_of_references = 1,
               .off = 0.01};
    Element *model = draw_model(seed, FALSE);
    Verdict v = judge(&j, model, FOUND_NOTHING);
    if (v.found != FOUND_NOTHING && v.found != FOUND_MORE) { /* README.md */
      printf("seed %" G_GUINT64_FORMAT ": %s: %s\n", seed, found_words[v.found], v.words);
      found++;
    }
    g_free(v.words);
    element_free(model);
  }
  TEST_ASSERT_EQUAL_INT(0, found);
}

/* The program, but that its engine tree records one number more of a model with a dead_band. */
static char *plant_fault(void)
{
  char *path = g_build_filename(scratch, "planted", NULL);
  static const char script[] = "#!/bin/sh\n" HY_PROGRAM " \"$@\"\n"
                               "status=$?\n"
                               "case \"$*\" in *'-e tree'*)\n"
                               "  grep -q '<dead_band' \"$2\" && echo 1,2 >> \"$4\";;\n"
                               "esac\n"
                               "exit $status\n";
  TEST_ASSERT_TRUE(g_file_set_contents(path, script, -1, NULL));
  TEST_ASSERT_EQUAL_INT(0, g_chmod(path, 0700));
  return path;
}

static gboolean has(const Element *e, const char *tag)
{
  gboolean any = strcmp(e->tag, tag) == 0;
  for (guint k = 0; k < e->children->len; k++) {
    any = any || has(e->children->pdata[k], tag);
  }
  return any;
}

static void test_a_planted_fault_is_found_and_cut_down(void)
{
  g_autofree char *planted = plant_fault();
  Judge j = {.program = planted, .scratch = scratch, .seconds = 30, .off = 0.01};
  guint64 seed = 1;
  Element *model = draw_model(seed, FALSE);
  while (!has(model, "dead_band")) {
    element_free(model);
    model = draw_model(++seed, FALSE);
  }
  Verdict v = judge(&j, model, FOUND_NOTHING);
  TEST_ASSERT_EQUAL_INT_MESSAGE(FOUND_ENGINES, v.found, v.words);
  Element *small = shrink(&j, model, &v, 400);
  g_autofree char *text = element_text(small);
  TEST_ASSERT_TRUE_MESSAGE(has(small, "dead_band"), text);
  TEST_ASSERT_LESS_OR_EQUAL_UINT_MESSAGE(4, element_count(small), text);
  g_free(v.words);
  element_free(model);
  element_free(small);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_class_is_drawn);
  RUN_TEST(test_a_seed_is_a_model);
  RUN_TEST(test_nothing_is_found);
  RUN_TEST(test_a_planted_fault_is_found_and_cut_down);
  return UNITY_END();
}
