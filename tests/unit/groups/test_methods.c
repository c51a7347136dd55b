/* The table of methods: what every row promises, and that docs/language.md says the same. */
#include "groups/groups.h"
#include "numerics/methods.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_row_says_what_its_arithmetic_is(void)
{
  guint n = 0;
  for (const HyMethod *m = hy_methods; m->name != NULL; m++, n++) {
    TEST_ASSERT_EQUAL_PTR_MESSAGE(m, hy_method_find(m->name), m->name);
    TEST_ASSERT_EQUAL_STRING(m->name, hy_method_names[n]);
    TEST_ASSERT_TRUE_MESSAGE(m->doc != NULL && m->order > 0, m->name);
    TEST_ASSERT_TRUE_MESSAGE(m->quantizer->order <= 3 && m->quantizer->bound >= 1.0, m->name);
    TEST_ASSERT_TRUE_MESSAGE(m->family >= m[-(n > 0)].family, m->name);
    TEST_ASSERT_EQUAL_MESSAGE(m->family == HY_FAMILY_TEXTBOOK, m->textbook != NULL, m->name);
    TEST_ASSERT_EQUAL_MESSAGE(hy_family_is_classic(m->family), m->quantizer == &hy_led, m->name);
    TEST_ASSERT_EQUAL_MESSAGE(m->family != HY_FAMILY_QUANTIZED,
                              (m->needs & HY_NEEDS_EQUATIONS) != 0, m->name);
    if (m->textbook != NULL) {
      TEST_ASSERT_EQUAL_INT_MESSAGE(m->order, m->textbook->order, m->name);
      TEST_ASSERT_EQUAL_MESSAGE(m->textbook->adaptive, (m->needs & HY_NEEDS_HSTEP) == 0, m->name);
    } else if (!hy_family_is_classic(m->family)) {
      TEST_ASSERT_EQUAL_INT_MESSAGE(m->order, m->quantizer->order, m->name);
    }
  }
  TEST_ASSERT_NULL(hy_method_names[n]);
  TEST_ASSERT_NULL(hy_method_find("rk3"));
}

static void test_what_a_method_needs_is_asked_for(void)
{
  const HyGroupSettings all = {.reltol = 1e-3, .abstol = 1e-3, .hstep = 0.1};
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    HyGroupSettings without = all;
    without.hstep = 0.0;
    g_autofree char *why = hy_group_refuses(m, &all), *no_step = hy_group_refuses(m, &without);
#ifdef HY_SUNDIALS
    const unsigned absent = 0;
#else
    const unsigned absent = HY_NEEDS_SUNDIALS;
#endif
    TEST_ASSERT_EQUAL_MESSAGE((m->needs & absent) == 0, why == NULL, m->name);
    TEST_ASSERT_EQUAL_MESSAGE((m->needs & (absent | HY_NEEDS_HSTEP)) == 0, no_step == NULL,
                              m->name);
  }
}

/* What the attribute may say is "auto" and the names of the table. */
static void test_the_words_are_auto_and_the_names(void)
{
  guint n = g_strv_length((gchar **)(gpointer)hy_method_words);
  TEST_ASSERT_EQUAL_STRING("auto", hy_method_words[0]);
  TEST_ASSERT_NULL(hy_method_find("auto"));
  for (guint k = 1; k <= n; k++) {
    TEST_ASSERT_EQUAL_STRING(hy_method_words[k], hy_method_names[k - 1]);
  }
}

/* ---- the table of docs/language.md: | names | what decides | needs | ---- */

typedef struct {
  GHashTable *step; /* name -> whether the page says that it needs hstep */
  gboolean last;    /* "likewise" is what the row before said */
} Page;

/* ab1 .. ab6 are all of them. */
static void page_add(Page *page, const char *from, const char *to, gboolean step)
{
  gsize stem = strlen(from) - 1;
  int first = (unsigned char)from[stem], last = to != NULL ? (unsigned char)to[stem] : first;
  for (int k = first; k <= last; k++) {
    char *name = g_strdup(from);
    name[stem] = (char)k;
    TEST_ASSERT_TRUE_MESSAGE(g_hash_table_insert(page->step, name, GINT_TO_POINTER(step)), name);
  }
}

static void page_row(Page *page, char *const *cell)
{
  g_autofree char *plain = g_strdup(cell[1]);
  for (char *open = strchr(plain, '('); open != NULL; open = strchr(open, '(')) {
    memset(open, ' ', (gsize)(strchr(open, ')') - open) + 1); /* a remark */
  }
  g_auto(GStrv) word = g_strsplit_set(plain, " ,", -1);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  gboolean likewise = strstr(cell[3], "likewise") != NULL;
  page->last = likewise ? page->last : strstr(cell[3], "hstep") != NULL;
  for (guint k = 0; word[k] != NULL; k++) {
    if (word[k][0] != '\0') {
      g_ptr_array_add(names, word[k]);
    }
  }
  for (guint k = 0; k < names->len; k++) {
    const char *next = k + 1 < names->len ? names->pdata[k + 1] : "";
    gboolean range = strcmp(next, "..") == 0;
    page_add(page, names->pdata[k], range ? names->pdata[k + 2] : NULL, page->last);
    k += range ? 2 : 0;
  }
}

static void test_the_page_of_the_language_names_every_method_and_no_other(void)
{
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(HY_SOURCE_DIR "/docs/language.md", &text, NULL, NULL));
  char *table = strstr(text, "| method | ");
  TEST_ASSERT_NOT_NULL(table);
  *strstr(table, "\n\n") = '\0';
  g_auto(GStrv) line = g_strsplit(table, "\n", -1);
  g_autoptr(GHashTable) step = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  Page page = {.step = step};
  for (guint k = 2; line[k] != NULL; k++) {
    g_autoptr(GString) bars = g_string_new(line[k]);
    g_string_replace(bars, "\\|", "/", 0);
    g_auto(GStrv) cell = g_strsplit(bars->str, "|", -1);
    page_row(&page, cell);
  }
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    TEST_ASSERT_TRUE_MESSAGE(g_hash_table_contains(step, m->name), m->name);
    TEST_ASSERT_EQUAL_MESSAGE((m->needs & HY_NEEDS_HSTEP) != 0,
                              GPOINTER_TO_INT(g_hash_table_lookup(step, m->name)), m->name);
    g_hash_table_remove(step, m->name);
  }
  TEST_ASSERT_EQUAL_UINT(0, g_hash_table_size(step));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_row_says_what_its_arithmetic_is);
  RUN_TEST(test_what_a_method_needs_is_asked_for);
  RUN_TEST(test_the_words_are_auto_and_the_names);
  RUN_TEST(test_the_page_of_the_language_names_every_method_and_no_other);
  return UNITY_END();
}
