/* Which ports a path means: patterns against trees that have just one block in their depths. */
#include "hydevs/hydevs.h"
#include "language/loader.h"
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static double never(const void *state)
{
  (void)state;
  return INFINITY;
}

static const HyPort one[] = {{.name = "out", .kind = HY_EVENT}, {.name = NULL}};
static const HyPort many[] = {{.name = "u", .kind = HY_EVENT, .array = TRUE}, {.name = NULL}};
static const HyAtomicClass one_class = {.name = "one", .out = one, .ta = never};
static const HyAtomicClass many_class = {.name = "many", .out = many, .ta = never};

/* "a/b.out": a coupled model a, in it the block b with the port out; ports u are an array of 3. */
static HyModel *tree(const char *concrete)
{
  HyModel *root = hy_model_new("root"), *m = root;
  g_auto(GStrv) part = g_strsplit(concrete, "/", -1);
  if (*concrete == '.') {
    hy_model_out(root, concrete + 1);
    return root;
  }
  for (guint k = 0; part[k] != NULL; k++) {
    char *port = part[k + 1] == NULL ? strchr(part[k], '.') : NULL;
    gboolean array = port != NULL && port[1] == 'u';
    g_autofree char *name = g_strndup(part[k], strcspn(part[k], "."));
    if (part[k + 1] != NULL) {
      m = hy_model_add_coupled(m, name);
    } else {
      guint block = hy_model_add(m, name, array ? &many_class : &one_class);
      if (array) {
        hy_model_set_array(m, block, 3, 3);
      }
    }
  }
  return root;
}

/* Whether CONCRETE is among what PATTERN means. */
static gboolean finds(const char *pattern, const char *concrete)
{
  g_autoptr(HyModel) model = tree(concrete);
  HyLoaded loaded = {.model = model};
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) found = hy_loaded_match(&loaded, pattern, &error);
  gboolean met = FALSE;
  for (guint k = 0; found != NULL && k < found->len; k++) {
    met |= strcmp(g_array_index(found, HySignalAt, k).path, concrete) == 0;
  }
  TEST_ASSERT_TRUE_MESSAGE(found != NULL || strstr(error->message, "nothing matches") != NULL,
                           pattern);
  return met;
}

static void test_paths_match(void)
{
  static const struct {
    const char *pattern, *concrete;
    gboolean matches;
  } cases[] = {
      {"stage[3]/uC.out", "stage[3]/uC.out", TRUE},
      {"stage[3]/uC.out", "stage[2]/uC.out", FALSE},
      {"stage[3]/uC", "stage[3]/uC.out", FALSE},
      {"stage[*]/uC.out", "stage[12]/uC.out", TRUE},
      {"stage[*]/uC", "stage/uC", FALSE},
      {"stage/uC", "stage[1]/uC", FALSE},
      {"u[2..4]", "u[2]", TRUE},
      {"u[2..4]", "u[4]", TRUE},
      {"u[2..4]", "u[5]", FALSE},
      {"u[4/2]", "u[2]", TRUE},
      {"cell[1,*]", "cell[1,7]", TRUE},
      {"cell[1,*]", "cell[2,7]", FALSE},
      {"cell[*]", "cell[2,7]", FALSE},
      {"T.*", "T.out", TRUE},
      {"T.*", "T.u[3]", TRUE},
      {"T.u*[2]", "T.u[3]", FALSE},
      {"T.*", "T", FALSE},
      {"s*e[*]/*", "stage[1]/u[5]", TRUE},
      {"*", "stage[1]", TRUE},
      {"*", "stage[1]/u", FALSE},
      {"**", "stage[1]/u[5]", TRUE},
      {"**", "v:in", FALSE},
      {"**/uC", "uC", TRUE},
      {"**/uC", "a/b/uC", TRUE},
      {"**/b/**/uC.out", "a/b/c/b/d/uC.out", TRUE},
      {"**/b/uC", "a/b/c/b/uC", TRUE},
      {"**/b/b/uC", "a/b/b/b/uC", TRUE},
      {"**/b/uC", "a/b/c/uC", FALSE},
      {"a/**", "a", TRUE},
      {"a/**/**/c", "a/b/c", TRUE},
      {"v:in", "v:in", TRUE},
      {"v:in", "v", FALSE},
      {"v", "v:in", FALSE},
      {"*:in", "v:in", TRUE},
      {"v:*", "v:in[2]", TRUE},
      {"e:in[2]", "e:in[2]", TRUE},
      {"e:in[2]", "e:in[1]", FALSE},
      {"**/e:in[*]", "a/e:in[1]", TRUE},
      {"u[*]:in", "u[3]:in", TRUE},
      {"u[1e15*2,*]", "u[2000000000000000,1]", TRUE},
      {".y", ".y", TRUE},
      {".y", "y", FALSE},
      {"b.u[2]", "b.u[2]", TRUE},
      {"b.u[2]", "b.u[4]", FALSE},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *what = g_strdup_printf("%s ~ %s", cases[i].pattern, cases[i].concrete);
    TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].matches, finds(cases[i].pattern, cases[i].concrete),
                                  what);
  }
}

/* A program may ask with any text; what a file says has been folded before. */
static void test_indices_are_numbers(void)
{
  g_autoptr(HyModel) model = tree("u[2].out");
  HyLoaded loaded = {.model = model};
  static const char *const wrong[][2] = {
      {"u[k]", "an index of a path is a number here, not \"k\""},
      {"u[1.5]", "in \"1.5\": the index is 1.5, not a whole number"}};
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_NULL(hy_loaded_match(&loaded, wrong[k][0], &error));
    TEST_ASSERT_EQUAL_STRING(wrong[k][1], error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_paths_match);
  RUN_TEST(test_indices_are_numbers);
  return UNITY_END();
}
