/* A small reader of Scilab:
 *
 *   script     = [name "=" expression] {("," | ";" | newline) [name "=" expression]}
 *   expression = term {("+" | "-") term}
 *   term       = factor {("*" | "/" | ".*" | "./") factor}
 *   factor     = ["+" | "-"] power
 *   power      = postfix [("^" | ".^") factor]
 *   postfix    = primary {"'"}
 *   primary    = number | %name | name | name "(" expression {"," expression} ")" | "(" expression
 * ")" | "[" row {(";" | newline) row} "]"
 *
 * with -2^2 = -4 and 2^3^2 = 512 as in Scilab. Inside brackets blanks separate elements, as ","
 * does: [1 -2] are two, [1 - 2] is one. rand() is Scilab's own generator from its first seed
 * (Malcolm and Moler's URAND), so that a model has the numbers that it has there in a fresh
 * session. */
#include "editor-export/scilab.h"

#include <math.h>
#include <string.h>

#define MAX_NESTED 200

struct Scilab {
  GPtrArray *variables; /* ScilabVariable */
  guint32 seed;
};

typedef struct {
  Scilab *s;
  const char *at;
  guint depth;
  gboolean bracket; /* directly inside [ ]: blanks separate */
  char *why;
} Reader;

/* Values ----------------------------------------------------------------------------------------
 */

static ScilabValue value_new(guint rows, guint columns)
{
  return (ScilabValue){rows, columns, g_new0(double, MAX(1, (gsize)rows * columns))};
}

static ScilabValue scalar(double v)
{
  ScilabValue value = value_new(1, 1);
  value.number[0] = v;
  return value;
}

static ScilabValue copy(const ScilabValue *v)
{
  ScilabValue c = value_new(v->rows, v->columns);
  memcpy(c.number, v->number, (gsize)v->rows * v->columns * sizeof(double));
  return c;
}

void scilab_clear(ScilabValue *value)
{
  g_clear_pointer(&value->number, g_free);
}

static void variable_free(gpointer p)
{
  ScilabVariable *v = p;
  g_free(v->name);
  g_free(v->text);
  scilab_clear(&v->value);
  g_free(v);
}

Scilab *scilab_new(void)
{
  Scilab *s = g_new0(Scilab, 1);
  s->variables = g_ptr_array_new_with_free_func(variable_free);
  return s;
}

void scilab_free(Scilab *s)
{
  if (s != NULL) {
    g_ptr_array_unref(s->variables);
    g_free(s);
  }
}

guint scilab_n_variables(const Scilab *s)
{
  return s->variables->len;
}

const ScilabVariable *scilab_variable(const Scilab *s, guint k)
{
  return g_ptr_array_index(s->variables, k);
}

const ScilabVariable *scilab_find(const Scilab *s, const char *name)
{
  for (guint k = 0; k < s->variables->len; k++) {
    const ScilabVariable *v = g_ptr_array_index(s->variables, k);
    if (strcmp(v->name, name) == 0) {
      return v;
    }
  }
  return NULL;
}

static ScilabValue fail(Reader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
static ScilabValue fail(Reader *r, const char *format, ...)
{
  if (r->why == NULL) {
    va_list args;
    va_start(args, format);
    r->why = g_strdup_vprintf(format, args);
    va_end(args);
  }
  r->at += strlen(r->at);
  return scalar(0);
}

/* Arithmetic ------------------------------------------------------------------------------------
 */

static double apply(char op, double a, double b)
{
  switch (op) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return a / b;
  default:
    return pow(a, b);
  }
}

static gboolean is_scalar(const ScilabValue *v)
{
  return v->rows == 1 && v->columns == 1;
}

static ScilabValue matrix_product(const ScilabValue *a, const ScilabValue *b)
{
  ScilabValue c = value_new(a->rows, b->columns);
  for (guint i = 0; i < a->rows; i++) {
    for (guint j = 0; j < b->columns; j++) {
      for (guint k = 0; k < a->columns; k++) {
        c.number[i * b->columns + j] +=
            a->number[i * a->columns + k] * b->number[k * b->columns + j];
      }
    }
  }
  return c;
}

/* a OP b, element by element where one is a number or DOTTED is said. Both are freed. */
static ScilabValue combine(Reader *r, char op, gboolean dotted, ScilabValue a, ScilabValue b)
{
  gboolean one = is_scalar(&a) || is_scalar(&b);
  gboolean equal = a.rows == b.rows && a.columns == b.columns;
  ScilabValue c;
  if (op == '*' && !dotted && !one && a.columns == b.rows) {
    c = matrix_product(&a, &b);
  } else if ((one && (op != '/' || dotted || is_scalar(&b))) ||
             (equal && (dotted || op == '+' || op == '-'))) {
    c = is_scalar(&a) ? copy(&b) : copy(&a);
    for (guint k = 0; k < c.rows * c.columns; k++) {
      c.number[k] = apply(op, a.number[is_scalar(&a) ? 0 : k], b.number[is_scalar(&b) ? 0 : k]);
    }
  } else {
    c = fail(r, "%ux%u %c %ux%u: the sizes do not fit", a.rows, a.columns, op, b.rows, b.columns);
  }
  scilab_clear(&a);
  scilab_clear(&b);
  return c;
}

/* Functions -------------------------------------------------------------------------------------
 */

static double sign_of(double x)
{
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static const struct {
  const char *name;
  double (*of)(double);
  gboolean known; /* our language has it under the same name */
} functions[] = {
    {"sin", sin, TRUE},    {"cos", cos, TRUE},      {"tan", tan, TRUE},      {"asin", asin, TRUE},
    {"acos", acos, TRUE},  {"atan", atan, TRUE},    {"sinh", sinh, TRUE},    {"cosh", cosh, TRUE},
    {"tanh", tanh, TRUE},  {"exp", exp, TRUE},      {"log", log, TRUE},      {"log10", log10, TRUE},
    {"sqrt", sqrt, TRUE},  {"abs", fabs, TRUE},     {"sign", sign_of, TRUE}, {"floor", floor, TRUE},
    {"ceil", ceil, TRUE},  {"round", round, TRUE},  {"log2", log2, FALSE},   {"fix", trunc, FALSE},
    {"int", trunc, FALSE}, {"gamma", tgamma, FALSE}};

static guint find_function(const char *name)
{
  guint k = 0;
  while (k < G_N_ELEMENTS(functions) && strcmp(functions[k].name, name) != 0) {
    k++;
  }
  return k;
}

static double next_random(Scilab *s)
{
  s->seed = (s->seed * 843314861U + 453816693U) & 0x7fffffffU;
  return (double)s->seed / 2147483648.0;
}

/* zeros, ones, eye, rand of a size. */
static gboolean filled(Reader *r, const char *name, const ScilabValue *args, guint n,
                       ScilabValue *value)
{
  static const char *const names[] = {"zeros", "ones", "eye", "rand", NULL};
  if (!g_strv_contains(names, name)) {
    return FALSE;
  }
  double rows = n > 0 ? args[0].number[0] : 1, columns = n > 1 ? args[1].number[0] : 1;
  if (n == 1 && !is_scalar(&args[0])) {
    rows = args[0].rows;
    columns = args[0].columns;
  }
  if (!(rows >= 0 && columns >= 0 && rows * columns <= SCILAB_MAX_NUMBERS)) {
    *value = fail(r, "%s(%g,%g) has more than %d numbers", name, rows, columns, SCILAB_MAX_NUMBERS);
    return TRUE;
  }
  *value = value_new((guint)rows, (guint)columns);
  for (guint k = 0; k < value->rows * value->columns; k++) {
    value->number[k] = *name == 'o'   ? 1
                       : *name == 'e' ? k / value->columns == k % value->columns
                       : *name == 'r' ? next_random(r->s)
                                      : 0;
  }
  return TRUE;
}

/* sum, prod, max, min, length of one matrix, max and min of several numbers, size of one. */
static gboolean reduced(const char *name, const ScilabValue *args, guint n, ScilabValue *value)
{
  static const char *const names[] = {"sum", "prod", "max", "min", "length", NULL};
  if (!g_strv_contains(names, name) || n == 0) {
    return FALSE;
  }
  double v = strcmp(name, "prod") == 0 ? 1 : 0, count = 0;
  for (guint a = 0; a < n; a++) {
    for (guint k = 0; k < args[a].rows * args[a].columns; k++, count++) {
      double x = args[a].number[k];
      v = *name == 's'     ? v + x
          : *name == 'p'   ? v * x
          : count == 0     ? x
          : name[1] == 'a' ? fmax(v, x)
                           : fmin(v, x);
    }
  }
  *value = scalar(*name == 'l' ? count : v);
  return TRUE;
}

static ScilabValue call(Reader *r, const char *name, const ScilabValue *args, guint n)
{
  ScilabValue value;
  guint f = find_function(name);
  if (f < G_N_ELEMENTS(functions) && n == 1) {
    value = copy(&args[0]);
    for (guint k = 0; k < value.rows * value.columns; k++) {
      value.number[k] = functions[f].of(value.number[k]);
    }
    return value;
  }
  if (filled(r, name, args, n, &value) || reduced(name, args, n, &value)) {
    return value;
  }
  if ((strcmp(name, "atan") == 0 || strcmp(name, "modulo") == 0) && n == 2 && is_scalar(&args[0]) &&
      is_scalar(&args[1])) {
    double a = args[0].number[0], b = args[1].number[0];
    return scalar(*name == 'a' ? atan2(a, b) : fmod(a, b));
  }
  return fail(r, "the function \"%s\" of %u value%s is not known here", name, n, n == 1 ? "" : "s");
}

/* Reading ---------------------------------------------------------------------------------------
 */

static ScilabValue expression(Reader *r);

static void skip(Reader *r)
{
  while (!r->bracket && (*r->at == ' ' || *r->at == '\t')) {
    r->at++;
  }
}

static char *word(Reader *r)
{
  const char *begin = r->at;
  while (g_ascii_isalnum(*r->at) || *r->at == '_') {
    r->at++;
  }
  return g_strndup(begin, (gsize)(r->at - begin));
}

/* Digits with a point and an exponent, for which Scilab also writes d. */
static ScilabValue number(Reader *r)
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
    return fail(r, "\"%s\" is not a number", text->str);
  }
  if (g_ascii_isalpha(*end)) {
    return fail(r, "\"%s%.10s\": an operator is missing behind the number", text->str, end);
  }
  r->at = end;
  return scalar(v);
}

static ScilabValue constant(Reader *r)
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
      return scalar(known[k].value);
    }
  }
  return fail(r, "the constant \"%%%s\" is not known here", name);
}

static void clear_value(gpointer value)
{
  scilab_clear(value);
}

/* Behind the "(": values with "," between. */
static ScilabValue arguments(Reader *r, const char *name)
{
  g_autoptr(GArray) args = g_array_new(FALSE, FALSE, sizeof(ScilabValue));
  g_array_set_clear_func(args, clear_value);
  gboolean bracket = r->bracket;
  r->bracket = FALSE;
  skip(r);
  while (*r->at != ')' && r->why == NULL) {
    ScilabValue v = expression(r);
    g_array_append_val(args, v);
    skip(r);
    if (*r->at == ',') {
      r->at++;
    } else if (*r->at != ')') {
      ScilabValue none = fail(r, "a \")\" is missing behind \"%s(\"", name);
      scilab_clear(&none);
    }
  }
  r->bracket = bracket;
  if (r->why != NULL) {
    return scalar(0);
  }
  r->at++;
  const ScilabVariable *v = scilab_find(r->s, name);
  if (v != NULL && args->len > 0) { /* an element: column by column, from 1 */
    const ScilabValue *a = &g_array_index(args, ScilabValue, 0);
    double i = floor(a->number[0]);
    double j = args->len > 1 ? floor(g_array_index(args, ScilabValue, 1).number[0]) : 0;
    guint rows = v->value.rows, columns = v->value.columns;
    double at = args->len > 1 ? (i - 1) * columns + j - 1
                              : fmod(i - 1, rows) * columns + floor((i - 1) / rows);
    gboolean inside = args->len > 1 ? i >= 1 && i <= rows && j >= 1 && j <= columns
                                    : i >= 1 && i <= (double)rows * columns;
    return inside ? scalar(v->value.number[(gsize)at]) : fail(r, "%s has no such element", name);
  }
  return call(r, name, (const ScilabValue *)(gpointer)args->data, args->len);
}

static ScilabValue name_or_call(Reader *r)
{
  g_autofree char *name = word(r);
  if (*r->at == '(') {
    r->at++;
    return arguments(r, name);
  }
  const ScilabVariable *v = scilab_find(r->s, name);
  return v != NULL ? copy(&v->value) : fail(r, "the variable \"%s\" has no value", name);
}

static void put_block(ScilabValue *to, const ScilabValue *from, guint row, guint column)
{
  for (guint i = 0; i < from->rows; i++) {
    memcpy(&to->number[(gsize)(row + i) * to->columns + column],
           &from->number[(gsize)i * from->columns], from->columns * sizeof(double));
  }
}

/* V below or beside the matrix so far. Both are freed. */
static ScilabValue append(Reader *r, ScilabValue m, ScilabValue v, gboolean below)
{
  ScilabValue c;
  if (m.rows * m.columns == 0) {
    c = copy(&v);
  } else if (below ? m.columns != v.columns : m.rows != v.rows) {
    c = fail(r, "the rows of a matrix have different lengths");
  } else if (m.rows * m.columns + v.rows * v.columns > SCILAB_MAX_NUMBERS) {
    c = fail(r, "a matrix has more than %d numbers", SCILAB_MAX_NUMBERS);
  } else {
    c = value_new(m.rows + (below ? v.rows : 0), m.columns + (below ? 0 : v.columns));
    put_block(&c, &m, 0, 0);
    put_block(&c, &v, below ? m.rows : 0, below ? 0 : m.columns);
  }
  scilab_clear(&m);
  scilab_clear(&v);
  return c;
}

static gboolean skip_separators(Reader *r, const char *separators)
{
  const char *begin = r->at;
  while (*r->at != '\0' && strchr(separators, *r->at) != NULL) {
    r->at++;
  }
  return r->at > begin;
}

/* Behind the "[". */
static ScilabValue matrix(Reader *r)
{
  ScilabValue m = value_new(0, 0);
  gboolean outer = r->bracket;
  r->bracket = TRUE;
  skip_separators(r, " \t\n");
  while (*r->at != ']' && r->why == NULL) {
    ScilabValue row = value_new(0, 0);
    while (r->why == NULL && *r->at != ']' && *r->at != ';' && *r->at != '\n') {
      row = append(r, row, expression(r), FALSE);
      skip_separators(r, " \t,");
      if (*r->at == '\0' && r->why == NULL) {
        ScilabValue none = fail(r, "a \"]\" is missing");
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

static ScilabValue primary(Reader *r)
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
  if (*r->at == '(') {
    gboolean bracket = r->bracket;
    r->bracket = FALSE;
    r->at++;
    ScilabValue v = expression(r);
    skip(r);
    r->bracket = bracket;
    if (*r->at != ')') {
      scilab_clear(&v);
      return fail(r, "a \")\" is missing");
    }
    r->at++;
    return v;
  }
  return *r->at == '\0' ? fail(r, "something is missing at the end")
                        : fail(r, "\"%.20s\" is not understood", r->at);
}

static ScilabValue postfix(Reader *r)
{
  ScilabValue v = primary(r);
  while (*r->at == '\'') {
    ScilabValue turned = value_new(v.columns, v.rows);
    for (guint k = 0; k < v.rows * v.columns; k++) {
      turned.number[k % v.columns * v.rows + k / v.columns] = v.number[k];
    }
    scilab_clear(&v);
    v = turned;
    r->at++;
  }
  return v;
}

static ScilabValue factor(Reader *r)
{
  if (++r->depth > MAX_NESTED) {
    return fail(r, "the expression is nested more than %d deep", MAX_NESTED);
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
      v = combine(r, '^', dotted, v, factor(r));
    }
  }
  r->depth--;
  return v;
}

static ScilabValue term(Reader *r)
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
    v = combine(r, op, dotted, v, factor(r));
  }
}

/* Inside brackets a sign with a blank before it and none behind begins the next element. */
static gboolean continues(const Reader *r)
{
  const char *at = r->at;
  while (*at == ' ' || *at == '\t') {
    at++;
  }
  return (*at == '+' || *at == '-') && (!r->bracket || at == r->at || at[1] == ' ');
}

static ScilabValue expression(Reader *r)
{
  if (++r->depth > MAX_NESTED) {
    return fail(r, "the expression is nested more than %d deep", MAX_NESTED);
  }
  ScilabValue v = term(r);
  while (continues(r)) {
    skip_separators(r, " \t");
    char op = *r->at++;
    skip_separators(r, " \t");
    v = combine(r, op, FALSE, v, term(r));
  }
  r->depth--;
  return v;
}

gboolean scilab_eval(Scilab *s, const char *text, ScilabValue *value, char **why)
{
  Reader r = {.s = s, .at = text};
  *value = expression(&r);
  skip(&r);
  if (r.why == NULL && *r.at != '\0') {
    ScilabValue none = fail(&r, "\"%.20s\" is not understood", r.at);
    scilab_clear(&none);
  }
  if (r.why != NULL) {
    scilab_clear(value);
    *why = r.why;
    return FALSE;
  }
  return TRUE;
}

/* Scripts ---------------------------------------------------------------------------------------
 */

/* Where the statement ends: at a separator outside of brackets. */
static gsize statement_length(const char *text)
{
  int depth = 0;
  gsize n = 0;
  for (; text[n] != '\0' && (depth > 0 || strchr(",;\n", text[n]) == NULL); n++) {
    depth += text[n] == '(' || text[n] == '[' ? 1 : text[n] == ')' || text[n] == ']' ? -1 : 0;
  }
  return n;
}

static gboolean assign(Scilab *s, char *statement, guint line, char **why)
{
  gsize n = strspn(statement, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  char *equal = statement + n + strspn(statement + n, " \t");
  if (n == 0 || g_ascii_isdigit(*statement) || *equal != '=' || equal[1] == '=') {
    *why = g_strdup_printf("\"%.40s\": only assignments such as a=1 are understood", statement);
    return FALSE;
  }
  ScilabValue value;
  if (!scilab_eval(s, equal + 1, &value, why)) {
    return FALSE;
  }
  statement[n] = '\0';
  for (guint k = 0; k < s->variables->len; k++) {
    ScilabVariable *known = g_ptr_array_index(s->variables, k);
    if (strcmp(known->name, statement) == 0) {
      scilab_clear(&known->value);
      known->value = value;
      g_clear_pointer(&known->text, g_free);
      return TRUE;
    }
  }
  ScilabVariable *v = g_new0(ScilabVariable, 1);
  v->name = g_strdup(statement);
  v->text = g_strdup(g_strstrip(equal + 1));
  v->value = value;
  v->line = line;
  g_ptr_array_add(s->variables, v);
  return TRUE;
}

gboolean scilab_run(Scilab *s, const char *script, guint line, char **why)
{
  while (*script != '\0') {
    gsize n = statement_length(script);
    g_autofree char *statement = g_strndup(script, n);
    g_strstrip(statement);
    if (*statement != '\0' && !assign(s, statement, line, why)) {
      return FALSE;
    }
    script += n + (script[n] != '\0' ? 1 : 0);
  }
  return TRUE;
}

/* As formulas ------------------------------------------------------------------------------------
 */

static gboolean copy_word(GString *out, const char **text,
                          const char *(*rename)(const char *name, gpointer user), gpointer user)
{
  gboolean percent = **text == '%';
  const char *begin = *text + (percent ? 1 : 0), *end = begin;
  while (g_ascii_isalnum(*end) || *end == '_') {
    end++;
  }
  g_autofree char *name = g_strndup(begin, (gsize)(end - begin));
  *text = end;
  if (percent) {
    gboolean pi = strcmp(name, "pi") == 0, e = strcmp(name, "e") == 0;
    g_string_append(out, pi ? "pi" : e ? "exp(1)" : "");
    return pi || e;
  }
  if (*end == '(') {
    guint f = find_function(name);
    g_string_append(out, name);
    return f < G_N_ELEMENTS(functions) && functions[f].known;
  }
  const char *ours = rename(name, user);
  g_string_append(out, ours != NULL ? ours : name);
  return ours != NULL;
}

/* .5, 5. and 1d3 become 0.5, 5.0 and 1e3. */
static void copy_number(GString *out, const char **text)
{
  const char *at = *text;
  g_string_append(out, *at == '.' ? "0" : "");
  while (g_ascii_isdigit(*at) || (*at == '.' && strchr("*/^", at[1]) == NULL) ||
         (*at == '.' && at[1] == '\0')) {
    g_string_append_c(out, *at++);
  }
  g_string_append(out, at > *text && at[-1] == '.' ? "0" : "");
  gsize e = *at != '\0' && strchr("eEdD", *at) != NULL ? 1 : 0;
  e += e > 0 && (at[1] == '+' || at[1] == '-') ? 1 : 0;
  if (e > 0 && g_ascii_isdigit(at[e])) {
    g_string_append_printf(out, "e%.*s", (int)(e - 1), at + 1);
    for (at += e; g_ascii_isdigit(*at); at++) {
      g_string_append_c(out, *at);
    }
  }
  *text = at;
}

char *scilab_formula(const char *text, const char *(*rename)(const char *name, gpointer user),
                     gpointer user)
{
  g_autoptr(GString) out = g_string_new(NULL);
  while (*text != '\0') {
    if (g_ascii_isdigit(*text) || (*text == '.' && g_ascii_isdigit(text[1]))) {
      copy_number(out, &text);
    } else if (g_ascii_isalpha(*text) || *text == '_' || *text == '%') {
      if (!copy_word(out, &text, rename, user)) {
        return NULL;
      }
    } else if (*text == '.' && strchr("*/^", text[1]) != NULL && text[1] != '\0') {
      text++;
    } else if (strchr("+-*/^() ", *text) != NULL) {
      g_string_append_c(out, *text++);
    } else {
      return NULL;
    }
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}
