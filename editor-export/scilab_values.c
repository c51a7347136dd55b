/* Values of Scilab: matrices, what operators and functions make of them, variables. */
#include "editor-export/scilab_read.h"

#include <math.h>
#include <string.h>

/* Values ----------------------------------------------------------------------------------------
 */

ScilabValue scilab_value(guint rows, guint columns)
{
  return (ScilabValue){rows, columns, g_new0(double, MAX(1, (gsize)rows * columns))};
}

ScilabValue scilab_scalar(double v)
{
  ScilabValue value = scilab_value(1, 1);
  value.number[0] = v;
  return value;
}

ScilabValue scilab_copy(const ScilabValue *v)
{
  ScilabValue c = scilab_value(v->rows, v->columns);
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

ScilabValue scilab_fail(ScilabReader *r, const char *format, ...)
{
  if (r->why == NULL) {
    va_list args;
    va_start(args, format);
    r->why = g_strdup_vprintf(format, args);
    va_end(args);
  }
  r->at += strlen(r->at);
  return scilab_scalar(0);
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

gboolean scilab_is_scalar(const ScilabValue *v)
{
  return v->rows == 1 && v->columns == 1;
}

static ScilabValue matrix_product(const ScilabValue *a, const ScilabValue *b)
{
  ScilabValue c = scilab_value(a->rows, b->columns);
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

ScilabValue scilab_combine(ScilabReader *r, char op, gboolean dotted, ScilabValue a, ScilabValue b)
{
  gboolean one = scilab_is_scalar(&a) || scilab_is_scalar(&b);
  gboolean equal = a.rows == b.rows && a.columns == b.columns;
  ScilabValue c;
  if (op == '*' && !dotted && !one && a.columns == b.rows) {
    c = matrix_product(&a, &b);
  } else if ((one && (op != '/' || dotted || scilab_is_scalar(&b))) ||
             (equal && (dotted || op == '+' || op == '-'))) {
    c = scilab_is_scalar(&a) ? scilab_copy(&b) : scilab_copy(&a);
    for (guint k = 0; k < c.rows * c.columns; k++) {
      c.number[k] =
          apply(op, a.number[scilab_is_scalar(&a) ? 0 : k], b.number[scilab_is_scalar(&b) ? 0 : k]);
    }
  } else {
    c = scilab_fail(r, "%ux%u %c %ux%u: the sizes do not fit", a.rows, a.columns, op, b.rows,
                    b.columns);
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

gboolean scilab_is_ours(const char *name)
{
  guint f = find_function(name);
  return f < G_N_ELEMENTS(functions) && functions[f].known;
}

/* Scilab's own generator from its first seed (Malcolm and Moler's URAND), so that a model has the
 * numbers that it has there in a fresh session. */
static double next_random(Scilab *s)
{
  s->seed = (s->seed * 843314861U + 453816693U) & 0x7fffffffU;
  return (double)s->seed / 2147483648.0;
}

/* zeros, ones, eye, rand of a size. */
static gboolean filled(ScilabReader *r, const char *name, const ScilabValue *args, guint n,
                       ScilabValue *value)
{
  static const char *const names[] = {"zeros", "ones", "eye", "rand", NULL};
  if (!g_strv_contains(names, name)) {
    return FALSE;
  }
  double rows = n > 0 ? args[0].number[0] : 1, columns = n > 1 ? args[1].number[0] : 1;
  if (n == 1 && !scilab_is_scalar(&args[0])) {
    rows = args[0].rows;
    columns = args[0].columns;
  }
  if (!(rows >= 0 && columns >= 0 && rows * columns <= SCILAB_MAX_NUMBERS)) {
    *value = scilab_fail(r, "%s(%g,%g) has more than %d numbers", name, rows, columns,
                         SCILAB_MAX_NUMBERS);
    return TRUE;
  }
  *value = scilab_value((guint)rows, (guint)columns);
  for (guint k = 0; k < value->rows * value->columns; k++) {
    value->number[k] = *name == 'o'   ? 1
                       : *name == 'e' ? k / value->columns == k % value->columns
                       : *name == 'r' ? next_random(r->s)
                                      : 0;
  }
  return TRUE;
}

/* cumsum, cumprod: sums and products of the elements so far, column by column. */
static gboolean heaped(const char *name, const ScilabValue *args, guint n, ScilabValue *value)
{
  gboolean sums = strcmp(name, "cumsum") == 0;
  if ((!sums && strcmp(name, "cumprod") != 0) || n != 1) {
    return FALSE;
  }
  *value = scilab_copy(&args[0]);
  double v = sums ? 0 : 1;
  for (guint j = 0; j < value->columns; j++) {
    for (guint i = 0; i < value->rows; i++) {
      double *x = &value->number[(gsize)i * value->columns + j];
      v = sums ? v + *x : v * *x;
      *x = v;
    }
  }
  return TRUE;
}

/* linspace(a, b, n): n numbers from a to b, 100 if nobody says how many. */
static gboolean spaced(ScilabReader *r, const char *name, const ScilabValue *args, guint n,
                       ScilabValue *value)
{
  if (strcmp(name, "linspace") != 0 || n < 2 || n > 3) {
    return FALSE;
  }
  double a = args[0].number[0], b = args[1].number[0], many = n > 2 ? args[2].number[0] : 100;
  if (!(many >= 1 && many <= SCILAB_MAX_NUMBERS)) {
    *value =
        scilab_fail(r, "linspace(..., %g): 1 to %d numbers are possible", many, SCILAB_MAX_NUMBERS);
    return TRUE;
  }
  *value = scilab_value(1, (guint)many);
  for (guint k = 0; k < value->columns; k++) {
    value->number[k] = k + 1 == value->columns ? b : a + k * ((b - a) / (floor(many) - 1));
  }
  return TRUE;
}

static double add(double a, double b)
{
  return a + b;
}

static double times(double a, double b)
{
  return a * b;
}

/* All numbers of the arguments as one: of none it is what an empty sum or product is. */
static const struct {
  const char *name;
  double (*fold)(double, double);
  double none;
} folds[] = {{"sum", add, 0},  {"mean", add, 0}, {"prod", times, 1},
             {"max", fmax, 0}, {"min", fmin, 0}, {"length", add, 0}};

static gboolean reduced(const char *name, const ScilabValue *args, guint n, ScilabValue *value)
{
  guint f = 0, count = 0;
  while (f < G_N_ELEMENTS(folds) && strcmp(folds[f].name, name) != 0) {
    f++;
  }
  if (f == G_N_ELEMENTS(folds) || n == 0) {
    return FALSE;
  }
  double v = folds[f].none;
  for (guint a = 0; a < n; a++) {
    for (guint k = 0; k < args[a].rows * args[a].columns; k++, count++) {
      v = count == 0 ? args[a].number[k] : folds[f].fold(v, args[a].number[k]);
    }
  }
  gboolean mean = strcmp(name, "mean") == 0, length = strcmp(name, "length") == 0;
  *value = scilab_scalar(length ? count : v / (mean ? count : 1));
  return TRUE;
}

ScilabValue scilab_call(ScilabReader *r, const char *name, const ScilabValue *args, guint n)
{
  ScilabValue value;
  guint f = find_function(name);
  if (f < G_N_ELEMENTS(functions) && n == 1) {
    value = scilab_copy(&args[0]);
    for (guint k = 0; k < value.rows * value.columns; k++) {
      value.number[k] = functions[f].of(value.number[k]);
    }
    return value;
  }
  if (filled(r, name, args, n, &value) || reduced(name, args, n, &value) ||
      heaped(name, args, n, &value) || spaced(r, name, args, n, &value)) {
    return value;
  }
  if ((strcmp(name, "atan") == 0 || strcmp(name, "modulo") == 0) && n == 2 &&
      scilab_is_scalar(&args[0]) && scilab_is_scalar(&args[1])) {
    double a = args[0].number[0], b = args[1].number[0];
    return scilab_scalar(*name == 'a' ? atan2(a, b) : fmod(a, b));
  }
  return scilab_fail(r, "the function \"%s\" of %u value%s is not known here", name, n,
                     n == 1 ? "" : "s");
}
