/* Reads the Modelica and MicroModelica that hydevs writes, and runs it by RK4 with events on the
 * grid of its steps: a second program that knows nothing of rows. Equations stand in the order in
 * which they are computed; a name that is read before it has a value ends the test. */
#include "unity.h"

#include <glib.h>
#include <math.h>
#include <string.h>

typedef struct {
  GHashTable *value; /* "u[3]" -> double *; pre() of it has "pre u[3]" */
  GHashTable *start; /* of states and of what events set */
  GPtrArray *state;  /* their names, in the order of der() */
  GArray *equation, *event;
  char **line;
  double time;
  const char *at; /* of the text being read */
  gboolean micro;
  GHashTable *was; /* conditions of events as they were */
  gboolean sampling;
} Mo;

static double *mo_place(Mo *m, const char *name)
{
  double *v = g_hash_table_lookup(m->value, name);
  if (v == NULL) {
    v = g_new(double, 1);
    *v = NAN;
    g_hash_table_insert(m->value, g_strdup(name), v);
  }
  return v;
}

static void mo_set(Mo *m, const char *name, double v)
{
  *mo_place(m, name) = v;
}

/* Text -------------------------------------------------------------------------------------------
 */

static void mo_blank(Mo *m)
{
  while (g_ascii_isspace(*m->at)) {
    m->at++;
  }
}

static gboolean mo_take(Mo *m, const char *word)
{
  mo_blank(m);
  gsize n = strlen(word);
  gboolean letters = g_ascii_isalnum(word[n - 1]);
  if (strncmp(m->at, word, n) != 0 || (letters && (g_ascii_isalnum(m->at[n]) || m->at[n] == '_'))) {
    return FALSE;
  }
  m->at += n;
  return TRUE;
}

static void mo_want(Mo *m, const char *word)
{
  TEST_ASSERT_TRUE_MESSAGE(mo_take(m, word), m->at);
}

static double mo_expression(Mo *m);

/* A name, with the value of its index: "u[3]". */
static char *mo_name(Mo *m)
{
  mo_blank(m);
  GString *name = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(g_ascii_isalpha(*m->at), m->at);
  while (g_ascii_isalnum(*m->at) || *m->at == '_') {
    g_string_append_c(name, *m->at++);
  }
  if (mo_take(m, "[")) {
    g_string_append_printf(name, "[%d]", (int)mo_expression(m));
    mo_want(m, "]");
  }
  return g_string_free(name, FALSE);
}

static double mo_call(Mo *m, double (*f)(double))
{
  double a = mo_expression(m);
  mo_want(m, ")");
  return f(a);
}

static double mo_function(Mo *m, const char *name)
{
  static const struct {
    const char *name;
    double (*f)(double);
  } known[] = {{"sin", sin},   {"cos", cos},   {"tan", tan},    {"asin", asin}, {"acos", acos},
               {"atan", atan}, {"sinh", sinh}, {"cosh", cosh},  {"tanh", tanh}, {"exp", exp},
               {"log", log},   {"sqrt", sqrt}, {"log10", log10}};
  if (strcmp(name, "pre") == 0) {
    g_autofree char *of = mo_name(m);
    g_autofree char *pre = g_strdup_printf("pre %s", of);
    mo_want(m, ")");
    return *mo_place(m, pre);
  }
  if (strcmp(name, "atan2") == 0) {
    double y = mo_expression(m);
    mo_want(m, ",");
    double x = mo_expression(m);
    mo_want(m, ")");
    return atan2(y, x);
  }
  if (strcmp(name, "sample") == 0) { /* is one now? */
    double first = mo_expression(m);
    mo_want(m, ",");
    double period = mo_expression(m), k = round((m->time - first) / period);
    mo_want(m, ")");
    return m->sampling && k >= 0.0 && fabs(m->time - first - k * period) < 1e-9 * period;
  }
  for (guint k = 0; k < G_N_ELEMENTS(known); k++) {
    if (strcmp(name, known[k].name) == 0) {
      return mo_call(m, known[k].f);
    }
  }
  if (strcmp(name, "wlog") == 0) { /* by bisection: y + exp(y) = a */
    double a = mo_expression(m), lo = -800.0, hi = 800.0;
    mo_want(m, ")");
    for (int k = 0; k < 200; k++) {
      double y = (lo + hi) / 2.0;
      *(y + exp(y) > a ? &hi : &lo) = y;
    }
    return lo;
  }
  TEST_FAIL_MESSAGE(name);
  return 0.0;
}

static double mo_primary(Mo *m)
{
  mo_blank(m);
  if (g_ascii_isdigit(*m->at)) {
    char *end = NULL;
    double v = g_ascii_strtod(m->at, &end);
    m->at = end;
    return v;
  }
  if (mo_take(m, "(")) {
    double v = mo_expression(m);
    mo_want(m, ")");
    return v;
  }
  if (mo_take(m, "true")) {
    return 1.0;
  }
  if (mo_take(m, "false")) {
    return 0.0;
  }
  if (mo_take(m, "time")) {
    return m->time;
  }
  const char *from = m->at;
  g_autofree char *name = mo_name(m);
  if (mo_take(m, "(")) {
    return mo_function(m, name);
  }
  const double *v = mo_place(m, name);
  TEST_ASSERT_FALSE_MESSAGE(isnan(*v), from);
  return *v;
}

/* primary [^ primary]: no signs, no chains */
static double mo_factor(Mo *m)
{
  double v = mo_primary(m);
  return mo_take(m, "^") ? pow(v, mo_primary(m)) : v;
}

static double mo_term(Mo *m)
{
  double v = mo_factor(m);
  for (;;) {
    if (mo_take(m, "*")) {
      v *= mo_factor(m);
    } else if (mo_take(m, "/")) {
      v /= mo_factor(m);
    } else {
      return v;
    }
  }
}

/* A sign stands in front of all of it only. */
static double mo_sum(Mo *m)
{
  gboolean minus = mo_take(m, "-");
  double v = minus ? -mo_term(m) : mo_term(m);
  for (;;) {
    if (mo_take(m, "+")) {
      v += mo_term(m);
    } else if (mo_take(m, "-")) {
      v -= mo_term(m);
    } else {
      return v;
    }
  }
}

static double mo_expression(Mo *m)
{
  if (mo_take(m, "if")) {
    double c = mo_expression(m);
    mo_want(m, "then");
    double a = mo_expression(m);
    mo_want(m, "else");
    double b = mo_expression(m);
    return c != 0.0 ? a : b;
  }
  double v = mo_sum(m);
  return mo_take(m, ">=")  ? v >= mo_sum(m)
         : mo_take(m, ">") ? v > mo_sum(m)
         : mo_take(m, "<") ? v < mo_sum(m)
                           : v;
}

/* Declarations -----------------------------------------------------------------------------------
 */

static void mo_start(Mo *m, const char *name, double v)
{
  double *kept = g_new(double, 1);
  *kept = v;
  g_hash_table_replace(m->start, g_strdup(name), kept);
}

static void mo_starts(Mo *m, const char *base, int n)
{
  mo_take(m, "each");
  mo_want(m, "start");
  mo_want(m, "=");
  gboolean list = mo_take(m, "{");
  const char *from = m->at;
  for (int k = 1; k <= MAX(n, 1); k++) {
    g_autofree char *name = n > 0 ? g_strdup_printf("%s[%d]", base, k) : g_strdup(base);
    m->at = list ? m->at : from;
    mo_start(m, name, mo_expression(m));
    if (list && k < n) {
      mo_want(m, ",");
    }
  }
}

/* Real u[3](start = {1, 2, 3}, each fixed = true) "path"; */
static void mo_declaration(Mo *m, const char *line)
{
  m->at = line;
  gboolean constant = mo_take(m, "parameter");
  mo_take(m, "discrete");
  if (!mo_take(m, "Real") && !mo_take(m, "Boolean") && !mo_take(m, "Integer")) {
    TEST_FAIL_MESSAGE(line);
  }
  mo_blank(m);
  const char *from = m->at;
  while (g_ascii_isalnum(*m->at) || *m->at == '_') {
    m->at++;
  }
  g_autofree char *base = g_strndup(from, (gsize)(m->at - from));
  int n = mo_take(m, "[") ? (int)mo_expression(m) : 0;
  if (n > 0) {
    mo_want(m, "]");
  }
  if (constant) {
    mo_want(m, "=");
    gboolean list = mo_take(m, "{");
    for (int k = 1; k <= MAX(n, 1); k++) {
      g_autofree char *name = list ? g_strdup_printf("%s[%d]", base, k) : g_strdup(base);
      mo_set(m, name, mo_expression(m));
      mo_take(m, ",");
    }
  } else if (mo_take(m, "(")) {
    mo_starts(m, base, n);
  }
}

/* What is run ------------------------------------------------------------------------------------
 */

/* Runs BODY for i from FROM to TO, or once. */
typedef void MoBody(Mo *m, const char *text);

static void mo_each(Mo *m, const char *text, MoBody *body)
{
  m->at = text;
  if (!mo_take(m, "for i in")) {
    body(m, text);
    return;
  }
  int from = (int)mo_expression(m);
  mo_want(m, ":");
  int to = (int)mo_expression(m);
  mo_want(m, "loop");
  const char *inside = m->at;
  for (int i = from; i <= to; i++) {
    mo_set(m, "i", i);
    body(m, inside);
  }
  mo_set(m, "i", NAN);
}

static void mo_assign(Mo *m, const char *text)
{
  m->at = text;
  gboolean der = mo_take(m, "der(");
  g_autofree char *name = mo_name(m);
  if (der) {
    mo_want(m, ")");
  }
  if (!mo_take(m, ":=")) {
    mo_want(m, "=");
  }
  double v = mo_expression(m);
  mo_want(m, ";");
  g_autofree char *left = der ? g_strdup_printf("der %s", name) : g_strdup(name);
  mo_set(m, left, v);
}

static void mo_initial(Mo *m, const char *text)
{
  m->at = text;
  g_autofree char *name = mo_name(m);
  mo_want(m, ":=");
  mo_start(m, name, mo_expression(m));
}

static gboolean mo_is_event(const char *text)
{
  return strstr(text, "when ") != NULL;
}

/* Up to the next elsewhen or end when. */
static void mo_skip_branch(Mo *m)
{
  while (!mo_take(m, "elsewhen") && !mo_take(m, "end when")) {
    m->at = strchr(m->at, ';') + 1;
    mo_blank(m);
  }
}

static gboolean mo_changed;

/* The first condition that has become true has its assignments made. */
static void mo_event(Mo *m, const char *text)
{
  gboolean done = FALSE, more = TRUE;
  m->at = text;
  mo_want(m, "when");
  for (int k = 0; more; k++) {
    gboolean is = mo_expression(m) != 0.0;
    g_autofree char *key = g_strdup_printf("%p %d %g", (gconstpointer)text, k, *mo_place(m, "i"));
    gboolean was = GPOINTER_TO_INT(g_hash_table_lookup(m->was, key));
    g_hash_table_replace(m->was, g_strdup(key), GINT_TO_POINTER(is));
    mo_want(m, "then");
    mo_blank(m);
    if (is && !was && !done) {
      done = mo_changed = TRUE;
      while (strncmp(m->at, "elsewhen", 8) != 0 && strncmp(m->at, "end when", 8) != 0) {
        mo_assign(m, m->at);
        mo_blank(m);
      }
      more = mo_take(m, "elsewhen");
    } else {
      mo_skip_branch(m);
      more = strncmp(m->at - 8, "elsewhen", 8) == 0;
    }
  }
}

static void mo_equations(Mo *m)
{
  for (guint k = 0; k < m->equation->len; k++) {
    const char *text = g_array_index(m->equation, char *, k);
    if (!mo_is_event(text)) {
      mo_each(m, text, mo_assign);
    }
  }
}

/* v of all names, as pre() has it. TRUE: that was another one. */
static gboolean mo_remember(Mo *m)
{
  gboolean other = FALSE;
  GList *names = g_hash_table_get_keys(m->start);
  for (const GList *l = names; l != NULL; l = l->next) {
    g_autofree char *pre = g_strdup_printf("pre %s", (const char *)l->data);
    double v = *mo_place(m, l->data), *was = mo_place(m, pre);
    other |= v != *was;
    *was = v;
  }
  g_list_free(names);
  return other;
}

/* Events of now, until nothing changes any more. */
static void mo_settle(Mo *m)
{
  double time = m->time;
  for (int k = 0; k < 50; k++) {
    mo_changed = FALSE;
    m->sampling = k == 0;
    m->time = time + 1e-12 * fabs(time); /* time > next is true at next */
    mo_equations(m);
    for (guint e = 0; e < m->equation->len; e++) {
      const char *text = g_array_index(m->equation, char *, e);
      if (mo_is_event(text)) {
        mo_each(m, text, mo_event);
      }
    }
    m->time = time;
    if (!mo_remember(m) && !mo_changed) {
      mo_equations(m);
      return;
    }
  }
  TEST_FAIL_MESSAGE("events without end");
}

/* Statements of a section: loops and events are one. */
static const char *mo_statement(const char *text, GArray *list)
{
  while (g_ascii_isspace(*text)) {
    text++;
  }
  const char *end = g_str_has_prefix(text, "for ")    ? strstr(text, "end for;") + 8
                    : g_str_has_prefix(text, "when ") ? strstr(text, "end when;") + 9
                                                      : strchr(text, ';') + 1;
  char *one = g_strndup(text, (gsize)(end - text));
  g_array_append_val(list, one);
  return end;
}

static const char *mo_section(Mo *m, const char *text, gboolean initial)
{
  g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(char *));
  for (;;) {
    while (g_ascii_isspace(*text)) {
      text++;
    }
    if (g_str_has_prefix(text, "annotation") || g_str_has_prefix(text, "equation\n") ||
        g_str_has_prefix(text, "algorithm\n")) {
      break;
    }
    text = mo_statement(text, initial ? list : m->equation);
  }
  for (guint k = 0; k < list->len; k++) {
    char *one = g_array_index(list, char *, k);
    mo_each(m, one, mo_initial);
    g_free(one);
  }
  return text;
}

static void mo_find_states(Mo *m)
{
  GHashTableIter iter;
  gpointer key;
  mo_equations(m);
  g_hash_table_iter_init(&iter, m->value);
  while (g_hash_table_iter_next(&iter, &key, NULL)) {
    if (g_str_has_prefix(key, "der ")) {
      g_ptr_array_add(m->state, g_strdup((const char *)key + 4));
    }
  }
}

static void mo_read(Mo *m, const char *text)
{
  *m = (Mo){.value = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
            .start = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
            .was = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .state = g_ptr_array_new_with_free_func(g_free),
            .equation = g_array_new(FALSE, FALSE, sizeof(char *))};
  const char *at = strchr(text, '\n') + 1;
  mo_set(m, "i", NAN);
  while (!g_str_has_prefix(at, "equation\n") && !g_str_has_prefix(at, "initial algorithm\n")) {
    const char *end = strchr(at, '\n');
    if (g_str_has_prefix(at, "  function ")) {
      end = strchr(strstr(at, "\n  end ") + 1, '\n');
    } else if (!g_str_has_prefix(at, "  //")) {
      end = strstr(at, ";\n") + 1;
      mo_declaration(m, at);
    }
    at = end + 1;
  }
  m->micro = g_str_has_prefix(at, "initial");
  if (m->micro) {
    at = mo_section(m, strchr(at, '\n') + 1, TRUE);
  }
  at = mo_section(m, strchr(at, '\n') + 1, FALSE);
  if (g_str_has_prefix(at, "algorithm\n")) {
    at = mo_section(m, strchr(at, '\n') + 1, FALSE);
  }
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(at, "annotation(experiment("), at);
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init(&iter, m->start);
  while (g_hash_table_iter_next(&iter, &key, &value)) {
    mo_set(m, key, *(double *)value);
  }
  mo_remember(m);
  mo_find_states(m);
}

static void mo_free(Mo *m)
{
  for (guint k = 0; k < m->equation->len; k++) {
    g_free(g_array_index(m->equation, char *, k));
  }
  g_array_unref(m->equation);
  g_ptr_array_unref(m->state);
  g_hash_table_unref(m->value);
  g_hash_table_unref(m->start);
  g_hash_table_unref(m->was);
}

static double mo_value(Mo *m, const char *name)
{
  double v = *mo_place(m, name);
  TEST_ASSERT_FALSE_MESSAGE(isnan(v), name);
  return v;
}

/* One step of RK4; events wait. */
static void mo_step(Mo *m, double h)
{
  static const double part[] = {0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  guint n = m->state->len;
  g_autofree double *x = g_new(double, n), *sum = g_new0(double, n);
  double t = m->time;
  for (guint s = 0; s < 4; s++) {
    mo_equations(m);
    for (guint k = 0; k < n; k++) {
      g_autofree char *der = g_strdup_printf("der %s", (const char *)m->state->pdata[k]);
      double *v = mo_place(m, m->state->pdata[k]), d = mo_value(m, der);
      x[k] = s == 0 ? *v : x[k];
      sum[k] += weight[s] * d;
      *v = s < 3 ? x[k] + part[s] * h * d : x[k] + h / 6.0 * sum[k];
    }
    m->time = t + (s < 3 ? part[s] : 1.0) * h;
  }
}

/* To UNTIL in N steps, on which events must lie or be seen late. */
static void mo_run(Mo *m, double until, int n)
{
  mo_settle(m);
  for (int k = 1; k <= n; k++) {
    mo_step(m, until / n);
    m->time = k * until / n;
    mo_settle(m);
  }
}
