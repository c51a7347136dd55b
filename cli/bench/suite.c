/* Suites are read: an XML file of tables and figures, each with the attributes of a call of hydevs
 * bench, and in it what was printed of them elsewhere. */
#include "suite.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define REPEAT 3
#define LIMIT  30.0

/* Attributes -----------------------------------------------------------------------------------
 */

typedef enum { TEXT, NUMBER } Kind;

typedef struct {
  const char *name;
  Kind kind;
  gsize place; /* of a char * or a double */
  gboolean needed;
} Attribute;

#define ITEM(field) TEXT, offsetof(SuiteItem, field)
static const Attribute of_suite[] = {{"title", TEXT, offsetof(Suite, title), TRUE}, {0}};
#define OF_ITEM                                                                                    \
  {"number", ITEM(number), TRUE}, {"title", ITEM(title), TRUE}, {"model", ITEM(model), TRUE},      \
      {"method", ITEM(method), TRUE}, {"tol", ITEM(tol), FALSE}, {"engine", ITEM(engine), FALSE},  \
      {"experiment", ITEM(experiment), FALSE}, {"until", ITEM(until), FALSE},                      \
      {"set", ITEM(set), FALSE}, {"repeat", ITEM(repeat_text), FALSE},                             \
      {"limit", ITEM(limit_text), FALSE},                                                          \
  {                                                                                                \
    "errors", ITEM(errors), FALSE                                                                  \
  }
static const Attribute of_table[] = {OF_ITEM, {0}};
static const Attribute of_figure[] = {OF_ITEM,
                                      {"over", ITEM(over), TRUE},
                                      {"values", ITEM(values), TRUE},
                                      {"error", ITEM(error), FALSE},
                                      {0}};
static const Attribute of_printed[] = {{"by", TEXT, offsetof(SuitePrinted, by), TRUE},
                                       {"method", TEXT, offsetof(SuitePrinted, method), FALSE},
                                       {"tol", NUMBER, offsetof(SuitePrinted, tol), FALSE},
                                       {"error", NUMBER, offsetof(SuitePrinted, error), FALSE},
                                       {"evals", NUMBER, offsetof(SuitePrinted, evals), FALSE},
                                       {"ms", NUMBER, offsetof(SuitePrinted, ms), FALSE},
                                       {0}};
static const Attribute of_quotient[] = {{"of", TEXT, offsetof(SuiteQuotient, of), TRUE},
                                        {"to", TEXT, offsetof(SuiteQuotient, to), TRUE},
                                        {"at", NUMBER, offsetof(SuiteQuotient, at), TRUE},
                                        {"error", NUMBER, offsetof(SuiteQuotient, error), FALSE},
                                        {"printed", NUMBER, offsetof(SuiteQuotient, printed), TRUE},
                                        {0}};

static const Attribute *attribute(const Attribute *of, const char *name)
{
  while (of->name != NULL && strcmp(of->name, name) != 0) {
    of++;
  }
  return of->name != NULL ? of : NULL;
}

G_GNUC_PRINTF(2, 3)
static gboolean refuse(GError **error, const char *format, ...)
{
  va_list words;
  va_start(words, format);
  g_autofree char *message = g_strdup_vprintf(format, words);
  va_end(words);
  g_set_error_literal(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, message);
  return FALSE;
}

/* What is missing of ELEMENT. */
static gboolean complete(const char *element, const Attribute *of, gconstpointer into,
                         GError **error)
{
  for (; of->name != NULL; of++) {
    const char *at = (const char *)into + of->place;
    gboolean there = of->kind == TEXT ? *(char *const *)at != NULL : !isnan(*(const double *)at);
    if (of->needed && !there) {
      return refuse(error, "<%s> needs %s=\"...\"", element, of->name);
    }
  }
  return TRUE;
}

static gboolean fill(const char *element, const Attribute *of, const char **names,
                     const char **values, gpointer into, GError **error)
{
  for (guint k = 0; names[k] != NULL; k++) {
    const Attribute *a = attribute(of, names[k]);
    char *at = a != NULL ? (char *)into + a->place : NULL;
    if (a == NULL) {
      GString *known = g_string_new(NULL);
      for (const Attribute *b = of; b->name != NULL; b++) {
        g_string_append_printf(known, "%s%s", b > of ? ", " : "", b->name);
      }
      g_autofree char *list = g_string_free(known, FALSE);
      return refuse(error, "<%s> has no attribute \"%s\"; it has %s", element, names[k], list);
    }
    if (a->kind == TEXT) {
      g_free(*(char **)at);
      *(char **)at = g_strdup(values[k]);
    } else if (!cli_number(values[k], (double *)at)) {
      return refuse(error, "%s=\"%s\" is not a number", names[k], values[k]);
    }
  }
  return complete(element, of, into, error);
}

/* Elements -------------------------------------------------------------------------------------
 */

static void printed_clear(gpointer data)
{
  SuitePrinted *p = data;
  g_free(p->by);
  g_free(p->method);
}

static void quotient_clear(gpointer data)
{
  SuiteQuotient *q = data;
  g_free(q->of);
  g_free(q->to);
}

static void item_free(gpointer data)
{
  SuiteItem *item = data;
  for (const Attribute *a = of_figure; a->name != NULL; a++) {
    g_free(*(char **)((char *)item + a->place));
  }
  g_free(item->note);
  g_array_unref(item->printed);
  g_array_unref(item->quotients);
  g_free(item);
}

static SuiteItem *add_item(Suite *suite, gboolean figure)
{
  SuiteItem *item = g_new0(SuiteItem, 1);
  *item = (SuiteItem){.figure = figure,
                      .repeat = REPEAT,
                      .limit = LIMIT,
                      .printed = g_array_new(FALSE, FALSE, sizeof(SuitePrinted)),
                      .quotients = g_array_new(FALSE, FALSE, sizeof(SuiteQuotient))};
  g_array_set_clear_func(item->printed, printed_clear);
  g_array_set_clear_func(item->quotients, quotient_clear);
  g_ptr_array_add(suite->items, item);
  return item;
}

/* TEXT, the value of attribute NAME: numbers with commas between; NULL: not stated. */
static gboolean check_list(const char *name, const char *text, GError **error)
{
  g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", ",", -1);
  double v;
  for (char **word = words; *word != NULL; word++) {
    if (!cli_number(g_strstrip(*word), &v)) {
      return refuse(error, "%s=\"%s\" are not numbers with commas between", name, text);
    }
  }
  return TRUE;
}

/* It becomes a part of a file's name. */
static gboolean check_number(const SuiteItem *item, GError **error)
{
  gsize n = strspn(item->number, "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return item->number[n] == '\0' ||
         refuse(error, "number=\"%s\" has more than letters, digits and dots", item->number);
}

static gboolean read_counts(SuiteItem *item, GError **error)
{
  guint64 n = REPEAT;
  if (item->repeat_text != NULL &&
      !g_ascii_string_to_unsigned(item->repeat_text, 10, 1, 10000, &n, NULL)) {
    return refuse(error, "repeat=\"%s\" is not a whole number from 1 to 10000", item->repeat_text);
  }
  item->repeat = (guint)n;
  if (item->errors != NULL && strcmp(item->errors, "no") != 0) {
    return refuse(error, "errors=\"%s\": \"no\" leaves them out", item->errors);
  }
  if (item->errors != NULL && item->error != NULL) {
    return refuse(error, "error=\"%s\" is not known with errors=\"no\"", item->error);
  }
  if (item->limit_text != NULL &&
      (!cli_number(item->limit_text, &item->limit) || !(item->limit > 0))) {
    return refuse(error, "limit=\"%s\" is not a time above 0", item->limit_text);
  }
  return TRUE;
}

/* What is read, and where. */
typedef struct {
  Suite *suite;
  SuiteItem *item; /* that is open; NULL: none is */
  GString *note;   /* that is open; NULL: none is */
} Reader;

static gboolean begin_row(Reader *r, const char *element, const char **names, const char **values,
                          GError **error)
{
  if (strcmp(element, "printed") == 0 && !r->item->figure) {
    SuitePrinted p = {.tol = NAN, .error = NAN, .evals = NAN, .ms = NAN};
    g_array_append_val(r->item->printed, p);
    return fill(element, of_printed, names, values,
                &g_array_index(r->item->printed, SuitePrinted, r->item->printed->len - 1), error);
  }
  if (strcmp(element, "quotient") == 0 && r->item->figure) {
    SuiteQuotient q = {.at = NAN, .error = NAN, .printed = NAN};
    g_array_append_val(r->item->quotients, q);
    return fill(element, of_quotient, names, values,
                &g_array_index(r->item->quotients, SuiteQuotient, r->item->quotients->len - 1),
                error);
  }
  return refuse(error, "<%s> has no place here; a %s has <note> and <%s>", element,
                r->item->figure ? "figure" : "table", r->item->figure ? "quotient" : "printed");
}

static gboolean begin(Reader *r, const char *element, const char **names, const char **values,
                      GError **error)
{
  gboolean figure = strcmp(element, "figure") == 0;
  if (r->suite->title == NULL) {
    return strcmp(element, "suite") == 0 ? fill(element, of_suite, names, values, r->suite, error)
                                         : refuse(error, "<%s> in place of <suite>", element);
  }
  if (r->note != NULL) {
    return refuse(error, "<%s> within <note>, which is text alone", element);
  }
  if (strcmp(element, "note") == 0) {
    r->note = g_string_new(NULL);
    return names[0] == NULL || refuse(error, "<note> has no attributes");
  }
  if (r->item != NULL) {
    return begin_row(r, element, names, values, error);
  }
  if (!figure && strcmp(element, "table") != 0) {
    return refuse(error, "<%s> has no place here; a suite has <note>, <table> and <figure>",
                  element);
  }
  r->item = add_item(r->suite, figure);
  return fill(element, figure ? of_figure : of_table, names, values, r->item, error) &&
         check_number(r->item, error) && check_list("values", r->item->values, error) &&
         check_list("error", r->item->error, error) && read_counts(r->item, error);
}

static void on_begin(GMarkupParseContext *context, const char *element, const char **names,
                     const char **values, gpointer user, GError **error)
{
  (void)context;
  begin(user, element, names, values, error);
}

/* Words of TEXT, with a blank between. */
static char *in_one_line(const char *text)
{
  g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
  GString *out = g_string_new(NULL);
  for (char **word = words; *word != NULL; word++) {
    if (**word != '\0') {
      g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", *word);
    }
  }
  return g_string_free(out, FALSE);
}

static void on_end(GMarkupParseContext *context, const char *element, gpointer user, GError **error)
{
  Reader *r = user;
  (void)context, (void)error;
  if (r->note != NULL) {
    char **into = r->item != NULL ? &r->item->note : &r->suite->note;
    g_free(*into);
    *into = in_one_line(r->note->str);
    g_string_free(r->note, TRUE);
    r->note = NULL;
  } else if (strcmp(element, "table") == 0 || strcmp(element, "figure") == 0) {
    r->item = NULL;
  }
}

static void on_text(GMarkupParseContext *context, const char *text, gsize n, gpointer user,
                    GError **error)
{
  Reader *r = user;
  (void)context;
  if (r->note != NULL) {
    g_string_append_len(r->note, text, (gssize)n);
    return;
  }
  g_autofree char *here = g_strndup(text, n);
  if (*g_strstrip(here) != '\0') {
    refuse(error, "\"%s\": text stands in a <note>", here);
  }
}

/* Files ----------------------------------------------------------------------------------------
 */

void suite_free(Suite *suite)
{
  if (suite != NULL) {
    g_free(suite->file);
    g_free(suite->title);
    g_free(suite->note);
    g_ptr_array_unref(suite->items);
    g_free(suite);
  }
}

static void see_root(GMarkupParseContext *context, const char *element, const char **names,
                     const char **values, gpointer user, GError **error)
{
  (void)context, (void)names, (void)values;
  *(gboolean *)user = strcmp(element, "suite") == 0;
  refuse(error, "seen");
}

gboolean suite_is(const char *file)
{
  static const GMarkupParser parser = {.start_element = see_root};
  g_autofree char *text = NULL;
  gsize n;
  gboolean is = FALSE;
  if (g_str_has_suffix(file, ".xml") && g_file_get_contents(file, &text, &n, NULL)) {
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, &is, NULL);
    g_markup_parse_context_parse(context, text, (gssize)n, NULL);
  }
  return is;
}

/* FALSE: TEXT is no suite; ERROR says where. */
static gboolean parse(Reader *r, const char *text, gsize n, int *line, GError **error)
{
  static const GMarkupParser parser = {
      .start_element = on_begin, .end_element = on_end, .text = on_text};
  g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, r, NULL);
  gboolean ok = g_markup_parse_context_parse(context, text, (gssize)n, error) &&
                g_markup_parse_context_end_parse(context, error);
  g_markup_parse_context_get_position(context, line, NULL);
  if (r->note != NULL) {
    g_string_free(r->note, TRUE);
  }
  return ok;
}

Suite *suite_read(const char *file, int *status)
{
  g_autoptr(Suite) suite = g_new0(Suite, 1);
  suite->file = g_strdup(file);
  suite->items = g_ptr_array_new_with_free_func(item_free);
  Reader r = {.suite = suite};
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  gsize n;
  int line = 0;
  if (!g_file_get_contents(file, &text, &n, &error)) {
    fprintf(stderr, "hydevs: %s: %s\n", file, error->message);
    *status = HY_ERROR_MODEL;
    return NULL;
  }
  if (!parse(&r, text, n, &line, &error)) {
    fprintf(stderr, "hydevs: %s:%d: %s\n", file, line, error->message);
    *status = HY_ERROR_MODEL;
    return NULL;
  }
  return g_steal_pointer(&suite);
}
