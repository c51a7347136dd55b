/* Why this event now: what a trace says of those who are due is derived here from the messages
 * before, and from what the text of a random model says. */
#include "base/hint.h"
#include "hydevs/pages.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Models ----------------------------------------------------------------------------------------
 * Names say what a block is: g generates, s is static, q serves, c is coupled; p and a figure
 * before that is a priority. */

static void add_block(GString *xml, GRand *random, guint depth, guint k, GPtrArray *names);

static void add_inside(GString *xml, GRand *random, guint depth, gboolean fed)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  if (fed) {
    g_ptr_array_add(names, g_strdup("in"));
    g_string_append(xml, "<in name='in'/>\n");
  }
  guint n = (guint)g_rand_int_range(random, 3, 7);
  for (guint k = 0; k < n; k++) {
    add_block(xml, random, depth, k, names);
  }
  if (fed) {
    g_string_append_printf(xml, "<out name='out' from='%s'/>\n",
                           (const char *)g_ptr_array_index(names, names->len - 1));
  }
}

static void add_block(GString *xml, GRand *random, guint depth, guint k, GPtrArray *names)
{
  int priority = g_rand_int_range(random, 0, 4); /* 3: none */
  static const int kinds[] = {0, 1, 1, 1, 2, 3};
  int kind = names->len == 0 ? 0 : kinds[g_rand_int_range(random, 0, depth < 2 ? 6 : 5)];
  g_autofree char *name = priority < 3 ? g_strdup_printf("p%d%c%u", priority, "gsqc"[kind], k)
                                       : g_strdup_printf("%c%u", "gsqc"[kind], k);
  g_autofree char *first =
      priority < 3 ? g_strdup_printf(" priority='%d'", priority) : g_strdup("");
  const char *in =
      names->len > 0
          ? g_ptr_array_index(names, (guint)g_rand_int_range(random, 0, (gint)names->len))
          : "";
  switch (kind) {
  case 0:
    g_string_append_printf(xml, "<generator name='%s' first='%d' period='%d' values='%u'%s/>\n",
                           name, g_rand_int_range(random, 0, 3), g_rand_int_range(random, 1, 3), k,
                           first);
    break;
  case 1:
    g_string_append_printf(xml, "<gain name='%s' k='2' in='%s'%s/>\n", name, in, first);
    break;
  case 2:
    g_string_append_printf(xml, "<server name='%s' time='%d' in='%s'%s/>\n", name,
                           g_rand_int_range(random, 0, 2), in, first);
    break;
  default:
    g_string_append_printf(xml, "<coupled name='%s' in='%s'%s>\n", name, in, first);
    add_inside(xml, random, depth + 1, TRUE);
    g_string_append(xml, "</coupled>\n");
    break;
  }
  g_ptr_array_add(names, g_steal_pointer(&name));
}

/* What the messages say ------------------------------------------------------------------------ */

typedef struct {
  const HyModel *root;
  GHashTable *tn; /* path -> double *: of the last done */
  guint seen[HY_WHY_LISTED + 1], n;
} Watcher;

static double tn_of(const Watcher *w, const char *path)
{
  const double *tn = g_hash_table_lookup(w->tn, path);
  return tn != NULL ? *tn : INFINITY;
}

/* The atomic with the smallest number of those below that are due; G_MAXUINT: none. */
static guint first_below(const Watcher *w, const HyModel *m, guint k, double t, char **leads)
{
  g_autofree char *path = hy_model_path(m, k);
  const HyModel *inner = hy_model_coupled(m, k);
  if (inner == NULL) {
    *leads = g_strdup(path);
    return tn_of(w, path) == t ? hy_model_number(m, k) : G_MAXUINT;
  }
  guint first = G_MAXUINT;
  for (guint j = 0; j < hy_model_n(inner); j++) {
    g_autofree char *one = NULL;
    guint number = first_below(w, inner, j, t, &one);
    if (number < first) {
      first = number;
      g_free(*leads);
      *leads = g_steal_pointer(&one);
    }
  }
  return first;
}

static const HyModel *around(const HyModel *root, const char *path)
{
  g_auto(GStrv) names = g_strsplit(path, "/", -1);
  const HyModel *m = root;
  for (char **name = names; name[1] != NULL; name++) {
    m = hy_model_coupled(m, hy_model_find(m, *name));
  }
  return m;
}

static int priority_of(const char *name)
{
  return name[0] == 'p' ? name[1] - '0' : 9;
}

/* Static and without a priority. */
static gboolean is_at_once(const char *path)
{
  const char *slash = strrchr(path, '/');
  return (slash != NULL ? slash[1] : path[0]) == 's';
}

typedef struct {
  guint number;
  char *name, *leads;
} Due;

static gint by_number(gconstpointer a, gconstpointer b)
{
  return ((const Due *)a)->number < ((const Due *)b)->number ? -1 : 1;
}

static const char *reason(const Due *first, const Due *second)
{
  gboolean once = is_at_once(first->leads), also = is_at_once(second->leads);
  if (once) {
    return also ? "is first of those that answer at once, by rank and as listed"
                : "answers at once";
  }
  return priority_of(first->name) < priority_of(second->name) ? "has a priority"
                                                              : "is listed first";
}

/* The sentence, from what is due by the messages so far. */
static char *expected(Watcher *w, const HyModel *m, double t)
{
  g_autoptr(GArray) due = g_array_new(FALSE, FALSE, sizeof(Due));
  for (guint k = 0; k < hy_model_n(m); k++) {
    Due one = {.name = g_strdup(hy_model_component_name(m, k))};
    one.number = first_below(w, m, k, t, &one.leads);
    g_autofree char *path = hy_model_path(m, k);
    TEST_ASSERT_EQUAL_MESSAGE(tn_of(w, path) == t, one.number != G_MAXUINT, path);
    if (one.number != G_MAXUINT) {
      g_array_append_val(due, one);
    } else {
      g_free(one.name);
      g_free(one.leads);
    }
  }
  g_array_sort(due, by_number);
  const Due *first = &g_array_index(due, Due, 0), *second = first + 1;
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, due->len == 1 ? "In %s only " : "In %s several are due at t = %g: ",
                         hy_model_name(m), t);
  for (guint k = 0; k < due->len; k++) {
    g_string_append_printf(out, "%s%s", k > 0 ? ", " : "", g_array_index(due, Due, k).name);
  }
  if (due->len == 1) {
    g_string_append_printf(out, " is due at t = %g, so it has its turn.", t);
  } else {
    const char *why = reason(first, second);
    gboolean inside = strchr(why, 'a') != NULL && is_at_once(first->leads) &&
                      !g_str_has_suffix(first->leads, first->name);
    g_string_append_printf(out,
                           ". %s has its turn, for it stands first in the order of ties (%s %s).",
                           first->name, inside ? first->leads : "it", why);
  }
  for (guint k = 0; k < due->len; k++) {
    g_free(g_array_index(due, Due, k).name);
    g_free(g_array_index(due, Due, k).leads);
  }
  return g_string_free(out, FALSE);
}

static void see(gpointer user, const HyMessage *m)
{
  Watcher *w = user;
  if (m->kind == HY_MSG_DONE && strcmp(m->to, "root") != 0) {
    double *tn = g_new(double, 1);
    *tn = m->tn;
    g_hash_table_replace(w->tn, g_strdup(m->path), tn);
  } else if (m->kind == HY_MSG_STAR && m->imminent != NULL) {
    g_autoptr(GString) words = g_string_new(NULL);
    g_autofree char *wanted = expected(w, around(w->root, m->path), m->t);
    hy_message_words(words, m);
    TEST_ASSERT_EQUAL_STRING(wanted, words->str);
    w->seen[m->why]++;
    w->n++;
  }
}

static void test_why_this_event_now_is_true(void)
{
  Watcher w = {0};
  for (guint32 seed = 1; seed <= 1000; seed++) {
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    g_autoptr(GString) xml = g_string_new("<hydevs xmlns='urn:hydevs:1' name='root_model'>\n");
    add_inside(xml, random, 0, FALSE);
    g_string_append(xml, "<experiment stop='4'/></hydevs>\n");
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(xml->str, xml->len, "m.xml", NULL, report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, xml->str);
    HyRunSettings settings = HY_RUN_SETTINGS;
    settings.engine = "tree";
    g_autoptr(GError) error = NULL;
    g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(run, xml->str);
    w.root = hy_loaded_model(loaded);
    w.tn = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    hy_sim_set_trace(hy_run_sim(run), &(HyTrace){.user = &w, .message = see});
    TEST_ASSERT_TRUE(hy_sim_init(hy_run_sim(run), 0, &error));
    TEST_ASSERT_TRUE(hy_sim_run(hy_run_sim(run), 4, &error));
    g_hash_table_unref(w.tn);
  }
  for (guint k = 0; k <= HY_WHY_LISTED; k++) {
    TEST_ASSERT_GREATER_THAN_UINT_MESSAGE(100, w.seen[k], "each reason is there");
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_why_this_event_now_is_true);
  return UNITY_END();
}
