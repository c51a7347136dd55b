/* Runs the cases of folders: models that say in their <view> what must come of them.
 *
 * usage: cases PATH...     a case, or a folder of them
 *
 * In <view xmlns:t="urn:hydevs:tests"> stand, in any number,
 *   <t:run method="qss2 liqss2" engine="fused"/>      lists: every method on every engine. Without
 * it, or without one of the two: the methods that the file states, on tree, flat and fused
 *   <t:expect column="c/C.v" at="20m" is="10*(1 - exp(-1))" within="1e-6" why="..."/>   the last
 * row not behind that time <t:expect column="b" from="1" to="2" least="-0.5" most="0.5" why="..."/>
 * all rows between these times (all, without) <t:expect total="cycles" is="3" within="0"
 * why="..."/>                    cycles, steps or evaluations of the run <t:expect error="endless:
 * " why="..."/>           the load or the run fails, with this in its messages <t:expect
 * warning="chatter" why="..."/>           they have a warning with these words; ="" has none at all
 * WHY says where the number comes from: a closed form, a computation that is not ours, a page of a
 * paper. Numbers are formulas of the language without names. All engines must have recorded the
 * same numbers, whatever is expected. */
#include "hydevs/hydevs.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

#define TESTS_NAMESPACE "urn:hydevs:tests"

static const char *const library_folders[] = {HY_SOURCE_DIR "/library", NULL};
static guint wrong; /* of all cases */

typedef struct {
  const char *path;
  xmlNode *view;               /* of the file */
  const char *method, *engine; /* of the run that is looked at; method NULL: as stated */
  gboolean ok;
  char *messages; /* of load, run and what is told at its end; errors and warnings */
  HyLoaded *loaded;
  HyRun *run;
  char *first; /* what the first engine has recorded */
} Case;

static void G_GNUC_PRINTF(2, 3) fail(const Case *c, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  printf("%s: %s on %s: %s\n", c->path, c->method != NULL ? c->method : "as stated", c->engine,
         what);
  wrong++;
}

/* What stands in the file ---------------------------------------------------------------------- */

static char *attribute(const xmlNode *node, const char *name)
{
  xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
  char *copy = text != NULL ? g_strdup((const char *)text) : NULL;
  xmlFree(text);
  return copy;
}

static gboolean no_name(gpointer user, const char *name, const char *port, double *value,
                        GError **error)
{
  (void)user, (void)port, (void)value;
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is no number", name);
  return FALSE;
}

/* NaN: it is not stated. */
static double number(const Case *c, const xmlNode *node, const char *name)
{
  g_autofree char *text = attribute(node, name);
  g_autoptr(GError) error = NULL;
  double value = NAN;
  if (text != NULL && !hy_formula_value(text, no_name, NULL, &value, &error)) {
    fail(c, "%s=\"%s\" is no number: %s", name, text, error != NULL ? error->message : "");
  }
  return value;
}

static gboolean is_ours(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && node->ns != NULL &&
         strcmp((const char *)node->ns->href, TESTS_NAMESPACE) == 0 &&
         strcmp((const char *)node->name, name) == 0;
}

static xmlNode *view_of(xmlDoc *doc)
{
  xmlNode *root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
  for (xmlNode *k = root != NULL ? root->children : NULL; k != NULL; k = k->next) {
    if (k->type == XML_ELEMENT_NODE && strcmp((const char *)k->name, "view") == 0) {
      return k;
    }
  }
  return NULL;
}

/* A misspelt word would make a test that cannot fail. */
static void check_words(const Case *c, const xmlNode *node)
{
  static const char run[] = " method engine ",
                    expect[] = " column at is within from to least most total error warning why ";
  gboolean runs = is_ours(node, "run");
  if (!runs && !is_ours(node, "expect")) {
    fail(c, "<%s> is neither <t:run> nor <t:expect>", (const char *)node->name);
    return;
  }
  for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
    g_autofree char *word = g_strdup_printf(" %s ", (const char *)a->name);
    if (strstr(runs ? run : expect, word) == NULL) {
      fail(c, "<%s> has no %s=", (const char *)node->name, (const char *)a->name);
    }
  }
  g_autofree char *why = attribute(node, "why");
  if (!runs && (why == NULL || *why == '\0')) {
    fail(c, "line %ld: why is that expected?", xmlGetLineNo(node));
  }
}

/* One run -------------------------------------------------------------------------------------- */

static void case_clear(Case *c)
{
  g_clear_pointer(&c->run, hy_run_free);
  g_clear_pointer(&c->loaded, hy_loaded_free);
  g_clear_pointer(&c->messages, g_free);
}

static void case_run(Case *c)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = c->engine;
  c->loaded = hy_load_file(
      c->path, &(HyLoadOptions){.library = library_folders, .method = c->method}, report);
  c->run = c->loaded != NULL ? hy_run_new(c->loaded, &settings, &error) : NULL;
  c->ok = c->run != NULL && hy_run_record(c->run, &error) && hy_run_go(c->run, &error);
  if (c->run != NULL) {
    hy_report_run(report, c->run);
  }
  g_autofree char *told = hy_report_text(report);
  c->messages = g_strconcat(told, error != NULL ? error->message : "", NULL);
}

/* All that has been recorded, with all digits. */
static char *recorded(const Case *c)
{
  g_autoptr(GString) text = g_string_new(NULL);
  char buffer[HY_DOUBLE_SIZE];
  for (guint k = 0; c->run != NULL && k < hy_run_n_tables(c->run); k++) {
    const HyRecorder *table = hy_run_table(c->run, k);
    for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
      g_string_append(text, hy_double_text(buffer, hy_recorder_time(table, row)));
      for (guint i = 0; i < hy_recorder_n(table); i++) {
        double value = hy_recorder_value(table, row, i);
        g_string_append_printf(text, ",%s", hy_double_text(buffer, value));
      }
      g_string_append_c(text, '\n');
    }
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static const HyRecorder *table_of(const Case *c, const char *path, guint *column)
{
  for (guint k = 0; k < hy_run_n_tables(c->run); k++) {
    if (hy_recorder_find(hy_run_table(c->run, k), path, column)) {
      return hy_run_table(c->run, k);
    }
  }
  fail(c, "nothing is recorded as %s", path);
  return NULL;
}

static void expect_near(const Case *c, const xmlNode *node, const char *what, double value)
{
  double is = number(c, node, "is"), within = number(c, node, "within");
  if (!(fabs(value - is) <= within)) {
    g_autofree char *why = attribute(node, "why");
    fail(c, "%s is %.17g, not %.17g within %g: %s", what, value, is, within, why);
  }
}

static void expect_at(const Case *c, const xmlNode *node, const char *path)
{
  guint column = 0;
  double at = number(c, node, "at"), t = NAN, value = NAN;
  const HyRecorder *table = table_of(c, path, &column);
  for (guint64 row = 0; table != NULL && row < hy_recorder_rows(table); row++) {
    if (hy_recorder_time(table, row) <= at * (1 + 1e-12)) {
      t = hy_recorder_time(table, row);
      value = hy_recorder_value(table, row, column);
    }
  }
  if (!(fabs(t - at) <= 1e-12 * fabs(at))) {
    fail(c, "there is no row at t = %.17g", at);
  }
  g_autofree char *what = g_strdup_printf("%s at %g", path, at);
  expect_near(c, node, what, value);
}

static void expect_between(const Case *c, const xmlNode *node, const char *path)
{
  guint column = 0;
  double least = number(c, node, "least"), most = number(c, node, "most");
  double from = number(c, node, "from"), to = number(c, node, "to");
  const HyRecorder *table = table_of(c, path, &column);
  guint64 rows = table != NULL ? hy_recorder_rows(table) : 0, looked = 0;
  if (isnan(least) && isnan(most)) {
    fail(c, "%s: neither at= nor least= nor most=", path);
  }
  for (guint64 row = 0; row < rows; row++) {
    double t = hy_recorder_time(table, row), value = hy_recorder_value(table, row, column);
    if (!(t < from) && !(t > to)) {
      looked++;
      if (isnan(value) || value < least || value > most) {
        g_autofree char *why = attribute(node, "why");
        fail(c, "%s is %.17g at %.17g, not in %g .. %g: %s", path, value, t, least, most, why);
        return;
      }
    }
  }
  if (looked == 0) {
    fail(c, "%s has no row there", path);
  }
}

static void expect_total(const Case *c, const xmlNode *node, const char *total)
{
  HyTotals totals;
  hy_sim_totals(hy_run_sim(c->run), &totals);
  if (strcmp(total, "cycles") != 0) {
    fail(c, "no total is called %s", total);
  }
  expect_near(c, node, total, (double)totals.cycles);
}

static void expect(const Case *c, const xmlNode *node)
{
  g_autofree char *column = attribute(node, "column"), *total = attribute(node, "total"),
                  *at = attribute(node, "at"), *warning = attribute(node, "warning");
  if (warning != NULL) {
    if (*warning == '\0' ? *c->messages != '\0' : strstr(c->messages, warning) == NULL) {
      fail(c, "warning=\"%s\", and it says: %s", warning, c->messages);
    }
  } else if (column == NULL && total == NULL) {
    fail(c, "line %ld: of what is that expected?", xmlGetLineNo(node));
  } else if (total != NULL) {
    expect_total(c, node, total);
  } else if (at != NULL) {
    expect_at(c, node, column);
  } else {
    expect_between(c, node, column);
  }
}

/* Whether the run ends as it should, and if it does, what it has recorded. */
static void case_judge(Case *c)
{
  gboolean fails = FALSE;
  for (xmlNode *k = c->view->children; k != NULL; k = k->next) {
    g_autofree char *error = is_ours(k, "expect") ? attribute(k, "error") : NULL;
    if (error != NULL) {
      fails = TRUE;
      if (c->ok || strstr(c->messages, error) == NULL) {
        fail(c, "error=\"%s\", and it says: %s", error, c->messages);
      }
    }
  }
  if (!fails && !c->ok) {
    fail(c, "%s", c->messages);
    return;
  }
  for (xmlNode *k = c->view->children; k != NULL; k = k->next) {
    if (is_ours(k, "expect") && !xmlHasProp(k, (const xmlChar *)"error")) {
      expect(c, k);
    }
  }
}

/* All runs of a case --------------------------------------------------------------------------- */

/* A list of words, or the usual one. */
static char **words_of(const xmlNode *node, const char *name, const char *usual)
{
  g_autofree char *text = node != NULL ? attribute(node, name) : NULL;
  return g_strsplit(text != NULL ? text : usual, " ", -1);
}

/* What NODE (NULL: no <t:run>) asks for. */
static void run_all(Case *c, const xmlNode *node)
{
  g_auto(GStrv) methods = words_of(node, "method", ""),
                engines = words_of(node, "engine", "tree flat fused");
  guint n = MAX(g_strv_length(methods), 1);
  for (guint m = 0; m < n; m++) {
    c->method = methods[m];
    g_autofree char *first = NULL;
    for (guint e = 0; engines[e] != NULL; e++) {
      c->engine = engines[e];
      case_run(c);
      case_judge(c);
      g_autofree char *text = recorded(c);
      if (first != NULL && strcmp(first, text) != 0) {
        fail(c, "it records other numbers than %s", engines[0]);
      }
      first = first != NULL ? first : g_steal_pointer(&text);
      case_clear(c);
    }
  }
}

static void run_case(const char *path)
{
  Case c = {.path = path, .engine = "no engine"};
  xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
  c.view = view_of(doc);
  guint expects = 0, runs = 0;
  for (xmlNode *k = c.view != NULL ? c.view->children : NULL; k != NULL; k = k->next) {
    if (k->type == XML_ELEMENT_NODE) {
      check_words(&c, k);
      expects += is_ours(k, "expect");
    }
  }
  if (expects == 0) {
    fail(&c, "it expects nothing");
  }
  for (xmlNode *k = c.view != NULL ? c.view->children : NULL; k != NULL; k = k->next) {
    if (is_ours(k, "run")) {
      runs++;
      run_all(&c, k);
    }
  }
  if (c.view != NULL && runs == 0) {
    run_all(&c, NULL);
  }
  xmlFreeDoc(doc);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The cases at PATH. */
static guint run_folder(const char *path)
{
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  if (dir == NULL) {
    run_case(path);
    return 1;
  }
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    if (g_str_has_suffix(name, ".xml")) {
      g_ptr_array_add(names, g_build_filename(path, name, NULL));
    }
  }
  g_ptr_array_sort(names, by_name);
  for (guint k = 0; k < names->len; k++) {
    run_case(g_ptr_array_index(names, k));
  }
  return names->len;
}

int main(int argc, char **argv)
{
  guint cases = 0;
  for (int k = 1; k < argc; k++) {
    cases += run_folder(argv[k]);
  }
  printf("%u cases, %u not as they should be\n", cases, wrong);
  return cases > 0 && wrong == 0 ? 0 : 1;
}
