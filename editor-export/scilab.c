/* A small reader of Scilab's expressions:
 *
 *   range      = expression [":" expression [":" expression]]
 *   expression = term {("+" | "-") term}
 *   term       = factor {("*" | "/" | ".*" | "./") factor}
 *   factor     = ["+" | "-"] power
 *   power      = postfix [("^" | ".^") factor]
 *   postfix    = primary {"'"}
 *   primary    = number | %name | name | name "(" index {"," index} ")" | "(" range ")"
 *              | "[" row {(";" | newline) row} "]" | "$"
 *   index      = range | ":"
 *
 * with $ the last index, and the elements of a row ranges,
 * with -2^2 = -4 and 2^3^2 = 512 as in Scilab. Inside brackets blanks separate elements, as ","
 * does: [1 -2] are two, [1 - 2] is one. */
#include "editor-export/scilab_read.h"

#include <math.h>
#include <string.h>

#define MAX_NESTED 200

static ScilabValue expression(ScilabReader *r);
static ScilabValue range(ScilabReader *r);

static void skip(ScilabReader *r)
{
  while (!r->bracket && (*r->at == ' ' || *r->at == '\t')) {
    r->at++;
  }
}

static char *word(ScilabReader *r)
{
  const char *begin = r->at;
  while (g_ascii_isalnum(*r->at) || *r->at == '_') {
    r->at++;
  }
  return g_strndup(begin, (gsize)(r->at - begin));
}

/* Digits with a point and an exponent, for which Scilab also writes d. */
static ScilabValue number(ScilabReader *r)
{
  const char *end = r->at;
  g_autoptr(GString) text = g_string_new(NULL);
  while (g_ascii_isdigit(*end) || *end == '.') {
    g_string_append_c(text, *end++);
  }
  gsize e = (end[0] != '\0' && strchr("eEdD", end[0]) != NULL) ? 1 : 0;
  e += e > 0 && (end[1] == '+' || end[1] == '-') ? 1 : 0;
  if (e > 0 && g_ascii_isdigit(end[e])) {
    g_string_append_printf(text, "e%.*s", (int)(e - 1), end + 1);
    for (end += e; g_ascii_isdigit(*end); end++) {
      g_string_append_c(text, *end);
    }
  }
  char *stop = NULL;
  double v = g_ascii_strtod(text->str, &stop);
  if (*stop != '\0') {
    return scilab_fail(r, "\"%s\" is not a number", text->str);
  }
  if (g_ascii_isalpha(*end)) {
    return scilab_fail(r, "\"%s%.10s\": an operator is missing behind the number", text->str, end);
  }
  r->at = end;
  return scilab_scalar(v);
}

static ScilabValue constant(ScilabReader *r)
{
  static const struct {
    const char *name;
    double value;
  } known[] = {{"pi", G_PI}, {"e", G_E}, {"inf", INFINITY}, {"eps", 2.220446049250313e-16},
               {"t", 1},     {"f", 0}};
  r->at++;
  g_autofree char *name = word(r);
  for (guint k = 0; k < G_N_ELEMENTS(known); k++) {
    if (strcmp(name, known[k].name) == 0) {
      return scilab_scalar(known[k].value);
    }
  }
  return scilab_fail(r, "the constant \"%%%s\" is not known here", name);
}

static void clear_value(gpointer value)
{
  scilab_clear(value);
}

/* How many values stand up to the ")" that belongs to what is read. */
static guint count_arguments(const char *at)
{
  guint n = 1;
  for (int depth = 0; *at != '\0' && (depth > 0 || *at != ')'); at++) {
    depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
    n += *at == ',' && depth == 0 ? 1 : 0;
  }
  return n;
}

/* One value, or ":" for all up to the last. */
static ScilabValue argument(ScilabReader *r)
{
  if (*r->at != ':' || r->last < 0) {
    return range(r);
  }
  r->at++;
  ScilabValue all = scilab_range(r, 1, 1, r->last);
  all.rows = all.columns;
  all.columns = 1;
  return all;
}

GArray *scilab_arguments(ScilabReader *r, const char *name, const ScilabValue *of)
{
  GArray *args = g_array_new(FALSE, FALSE, sizeof(ScilabValue));
  g_array_set_clear_func(args, clear_value);
  gboolean bracket = r->bracket, single = count_arguments(r->at) == 1;
  double last = r->last;
  r->bracket = FALSE;
  skip(r);
  while (*r->at != ')' && r->why == NULL) {
    r->last = of == NULL       ? -1
              : single         ? (double)of->rows * of->columns
              : args->len == 0 ? of->rows
                               : of->columns;
    ScilabValue v = argument(r);
    g_array_append_val(args, v);
    skip(r);
    if (*r->at == ',') {
      r->at++;
      skip(r);
    } else if (*r->at != ')') {
      ScilabValue none = scilab_fail(r, "a \")\" is missing behind \"%s(\"", name);
      scilab_clear(&none);
    }
  }
  r->bracket = bracket;
  r->last = last;
  r->at += r->why == NULL ? 1 : 0;
  return args;
}

/* Behind the "(": an element of a variable, or a function. */
static ScilabValue arguments(ScilabReader *r, const char *name)
{
  const ScilabVariable *v = scilab_find(r->s, name);
  g_autoptr(GArray) args = scilab_arguments(r, name, v != NULL ? &v->value : NULL);
  const ScilabValue *first = (const ScilabValue *)(gpointer)args->data;
  if (r->why != NULL) {
    return scilab_scalar(0);
  }
  return v != NULL && args->len > 0 ? scilab_pick(r, name, &v->value, first, args->len)
                                    : scilab_call(r, name, first, args->len);
}

static ScilabValue name_or_call(ScilabReader *r)
{
  g_autofree char *name = word(r);
  if (*r->at == '(') {
    r->at++;
    return arguments(r, name);
  }
  const ScilabVariable *v = scilab_find(r->s, name);
  return v != NULL ? scilab_copy(&v->value)
                   : scilab_fail(r, "the variable \"%s\" has no value", name);
}

static void put_block(ScilabValue *to, const ScilabValue *from, guint row, guint column)
{
  for (guint i = 0; i < from->rows; i++) {
    memcpy(&to->number[(gsize)(row + i) * to->columns + column],
           &from->number[(gsize)i * from->columns], from->columns * sizeof(double));
  }
}

/* V below or beside the matrix so far. Both are freed. */
static ScilabValue append(ScilabReader *r, ScilabValue m, ScilabValue v, gboolean below)
{
  ScilabValue c;
  if (m.rows * m.columns == 0) {
    c = scilab_copy(&v);
  } else if (below ? m.columns != v.columns : m.rows != v.rows) {
    c = scilab_fail(r, "the rows of a matrix have different lengths");
  } else if (m.rows * m.columns + v.rows * v.columns > SCILAB_MAX_NUMBERS) {
    c = scilab_fail(r, "a matrix has more than %d numbers", SCILAB_MAX_NUMBERS);
  } else {
    c = scilab_value(m.rows + (below ? v.rows : 0), m.columns + (below ? 0 : v.columns));
    put_block(&c, &m, 0, 0);
    put_block(&c, &v, below ? m.rows : 0, below ? 0 : m.columns);
  }
  scilab_clear(&m);
  scilab_clear(&v);
  return c;
}

static gboolean skip_separators(ScilabReader *r, const char *separators)
{
  const char *begin = r->at;
  while (*r->at != '\0' && strchr(separators, *r->at) != NULL) {
    r->at++;
  }
  return r->at > begin;
}

/* Behind the "[". */
static ScilabValue matrix(ScilabReader *r)
{
  ScilabValue m = scilab_value(0, 0);
  gboolean outer = r->bracket;
  r->bracket = TRUE;
  skip_separators(r, " \t\n");
  while (*r->at != ']' && r->why == NULL) {
    ScilabValue row = scilab_value(0, 0);
    while (r->why == NULL && *r->at != ']' && *r->at != ';' && *r->at != '\n') {
      row = append(r, row, range(r), FALSE);
      skip_separators(r, " \t,");
      if (*r->at == '\0' && r->why == NULL) {
        ScilabValue none = scilab_fail(r, "a \"]\" is missing");
        scilab_clear(&none);
      }
    }
    m = append(r, m, row, TRUE);
    skip_separators(r, " \t\n;");
  }
  r->bracket = outer;
  r->at += r->why == NULL ? 1 : 0;
  return m;
}

static ScilabValue primary(ScilabReader *r)
{
  skip(r);
  if (g_ascii_isdigit(*r->at) || (*r->at == '.' && g_ascii_isdigit(r->at[1]))) {
    return number(r);
  }
  if (*r->at == '%') {
    return constant(r);
  }
  if (g_ascii_isalpha(*r->at) || *r->at == '_') {
    return name_or_call(r);
  }
  if (*r->at == '[') {
    r->at++;
    return matrix(r);
  }
  if (*r->at == '$' && r->last >= 0) {
    r->at++;
    return scilab_scalar(r->last);
  }
  if (*r->at == '(') {
    gboolean bracket = r->bracket;
    r->bracket = FALSE;
    r->at++;
    ScilabValue v = range(r);
    skip(r);
    r->bracket = bracket;
    if (*r->at != ')') {
      scilab_clear(&v);
      return scilab_fail(r, "a \")\" is missing");
    }
    r->at++;
    return v;
  }
  return *r->at == '\0' ? scilab_fail(r, "something is missing at the end")
                        : scilab_fail(r, "\"%.20s\" is not understood", r->at);
}

static ScilabValue postfix(ScilabReader *r)
{
  ScilabValue v = primary(r);
  while (*r->at == '\'') {
    ScilabValue turned = scilab_value(v.columns, v.rows);
    for (guint k = 0; k < v.rows * v.columns; k++) {
      turned.number[k % v.columns * v.rows + k / v.columns] = v.number[k];
    }
    scilab_clear(&v);
    v = turned;
    r->at++;
  }
  return v;
}

static ScilabValue factor(ScilabReader *r)
{
  if (++r->depth > MAX_NESTED) {
    return scilab_fail(r, "the expression is nested more than %d deep", MAX_NESTED);
  }
  skip(r);
  gboolean minus = *r->at == '-';
  ScilabValue v;
  if (minus || *r->at == '+') {
    r->at++;
    v = factor(r);
    for (guint k = 0; minus && k < v.rows * v.columns; k++) {
      v.number[k] = -v.number[k];
    }
  } else {
    v = postfix(r);
    skip(r);
    gboolean dotted = r->at[0] == '.' && r->at[1] == '^';
    if (dotted || *r->at == '^') {
      r->at += dotted ? 2 : 1;
      v = scilab_combine(r, '^', dotted, v, factor(r));
    }
  }
  r->depth--;
  return v;
}

static ScilabValue term(ScilabReader *r)
{
  ScilabValue v = factor(r);
  for (;;) {
    skip(r);
    gboolean dotted = *r->at == '.' && (r->at[1] == '*' || r->at[1] == '/');
    char op = r->at[dotted ? 1 : 0];
    if (op != '*' && op != '/') {
      return v;
    }
    r->at += dotted ? 2 : 1;
    v = scilab_combine(r, op, dotted, v, factor(r));
  }
}

/* Inside brackets a sign with a blank before it and none behind begins the next element. */
static gboolean continues(const ScilabReader *r)
{
  const char *at = r->at;
  while (*at == ' ' || *at == '\t') {
    at++;
  }
  return (*at == '+' || *at == '-') && (!r->bracket || at == r->at || at[1] == ' ');
}

static ScilabValue expression(ScilabReader *r)
{
  if (++r->depth > MAX_NESTED) {
    return scilab_fail(r, "the expression is nested more than %d deep", MAX_NESTED);
  }
  ScilabValue v = term(r);
  while (continues(r)) {
    skip_separators(r, " \t");
    char op = *r->at++;
    skip_separators(r, " \t");
    v = scilab_combine(r, op, FALSE, v, term(r));
  }
  r->depth--;
  return v;
}

/* One number of V, which is freed; otherwise the reader fails. */
static double limit(ScilabReader *r, ScilabValue *v)
{
  double x = v->number[0];
  if (!scilab_is_scalar(v) && r->why == NULL) {
    ScilabValue none =
        scilab_fail(r, "a range is between numbers, and not %ux%u", v->rows, v->columns);
    scilab_clear(&none);
  }
  scilab_clear(v);
  return x;
}

static ScilabValue range(ScilabReader *r)
{
  ScilabValue v = expression(r);
  double limits[3];
  guint n = 0;
  for (skip(r); *r->at == ':' && n < 2 && r->why == NULL; skip(r)) {
    r->at++;
    limits[n++] = limit(r, &v);
    v = expression(r);
  }
  if (n == 0 || r->why != NULL) {
    return v;
  }
  double to = limit(r, &v);
  return scilab_range(r, limits[0], n > 1 ? limits[1] : 1, to);
}

gboolean scilab_eval(Scilab *s, const char *text, ScilabValue *value, char **why)
{
  ScilabReader r = {.s = s, .at = text, .last = -1};
  *value = range(&r);
  skip(&r);
  if (r.why == NULL && *r.at != '\0') {
    ScilabValue none = scilab_fail(&r, "\"%.20s\" is not understood", r.at);
    scilab_clear(&none);
  }
  if (r.why != NULL) {
    scilab_clear(value);
    *why = r.why;
    return FALSE;
  }
  return TRUE;
}
