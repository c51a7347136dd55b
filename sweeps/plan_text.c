/* What options say of a plan: ranges, lists, distributions, and the values that come of them.
 *
 * A range from a to b with n values has v_i = a + (b - a) i/(n-1), of a logarithmic one
 * a (b/a)^(i/(n-1)); both ends are exact. A draw takes u in (0, 1) (numerics/draw.h), which depends
 * on the seed, the name of the parameter and the place in the plan alone, and makes of it, with the
 * normal distribution's function Phi,
 *   uniform a b          a + (b - a) u
 *   normal m s           m + s Phi^-1(u); s may be p%, which is |m| p/100
 *   truncated m s a b    the same, of u between Phi((a-m)/s) and Phi((b-m)/s)
 *   choice a b c         the word number floor(u n). */
#include "internal.h"

#include "hydevs/expression.h"
#include "hydevs/text.h"
#include "numerics/draw.h"

#include <math.h>
#include <string.h>

void hy_plan_column_clear(gpointer column)
{
  HyPlanColumn *c = column;
  g_free(c->name);
  g_free(c->head);
  g_free(c->said);
  g_strfreev(c->list);
  hy_draw_free(c->draw);
}

/* Numbers ------------------------------------------------------------------------------------- */

/* Nothing has a name here. */
static gboolean nameless(gpointer user, const char *name, const char *port, double *value,
                         GError **error)
{
  (void)user, (void)port, (void)value;
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is no number", name);
  return FALSE;
}

static gboolean is_plain(const char *text)
{
  return *text != '\0' && strspn(text, "0123456789+-.eE") == strlen(text);
}

gboolean hy_plan_number(const char *text, double *v)
{
  if (is_plain(text)) {
    char *end;
    *v = g_ascii_strtod(text, &end);
    return *end == '\0' && isfinite(*v);
  }
  return hy_formula_value(text, nameless, NULL, v, NULL) && isfinite(*v);
}

gboolean hy_plan_is_value(const char *text)
{
  double v;
  gboolean number = is_plain(text) && strpbrk(text, "0123456789") != NULL;
  return *text != '\0' && (!number || hy_plan_number(text, &v));
}

/* Reading ------------------------------------------------------------------------------------- */

static gboolean wrong(const char *text, const char *what, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", text, what);
  return FALSE;
}

/* What stands before "=", which becomes the column's; NULL: there is none. */
static const char *read_name(HyPlanColumn *c, const char *text, GError **error)
{
  const char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    wrong(text, "write PARAMETER=VALUES", error);
    return NULL;
  }
  c->name = g_strstrip(g_strndup(text, (gsize)(equals - text)));
  c->said = g_strstrip(g_strdup(equals + 1));
  return equals + 1;
}

/* The parts of TEXT between characters SEPARATOR that stand in no brackets, without blanks around;
 * ends with NULL, newly allocated. */
static char **split(const char *text, char separator)
{
  GPtrArray *parts = g_ptr_array_new();
  const char *from = text;
  int depth = 0;
  for (const char *c = text;; c++) {
    depth += *c == '(' || *c == '[';
    depth -= *c == ')' || *c == ']';
    if (*c == '\0' || (*c == separator && depth <= 0)) {
      g_ptr_array_add(parts, g_strstrip(g_strndup(from, (gsize)(c - from))));
      from = c + 1;
    }
    if (*c == '\0') {
      break;
    }
  }
  g_ptr_array_add(parts, NULL);
  return (char **)g_ptr_array_free(parts, FALSE);
}

static gboolean read_range(HyPlanColumn *c, const char *text, char **part, GError **error)
{
  double n;
  if (!hy_plan_number(part[0], &c->a) || !hy_plan_number(part[1], &c->b) ||
      !hy_plan_number(part[2], &n)) {
    return wrong(text, "write a:b:n with numbers, both ends included", error);
  }
  if (!(n >= 1 && n <= (double)HY_SWEEP_RUNS) || n != floor(n) || (n == 1 && c->a != c->b)) {
    return wrong(text, "the last of a:b:n says how many values: a whole number, 2 or more", error);
  }
  if (c->log && !(c->a * c->b > 0)) {
    return wrong(text, "both ends of a logarithmic range have one sign, and none is 0", error);
  }
  c->kind = HY_FROM_RANGE;
  c->n = (guint64)n;
  return TRUE;
}

static gboolean read_list(HyPlanColumn *c, const char *text, const char *values, GError **error)
{
  c->kind = HY_FROM_LIST;
  c->list = split(values, ',');
  c->n = g_strv_length(c->list);
  for (char **item = c->list; *item != NULL; item++) {
    if (**item == '\0') {
      return wrong(text, "a value of the list is missing", error);
    }
  }
  return TRUE;
}

gboolean hy_plan_read_vary(HyPlanColumn *c, const char *text, GError **error)
{
  const char *values = read_name(c, text, error);
  if (values == NULL) {
    return FALSE;
  }
  values += strspn(values, " ");
  c->log = g_str_has_prefix(values, "log ");
  g_auto(GStrv) part = split(values + (c->log ? strlen("log ") : 0), ':');
  if (g_strv_length(part) == 3) {
    return read_range(c, text, part, error);
  }
  if (g_strv_length(part) == 2 && hy_plan_number(part[0], &c->a) &&
      hy_plan_number(part[1], &c->b)) {
    return wrong(text, "say how many values, as the n of a:b:n", error);
  }
  return c->log ? wrong(text, "write log a:b:n", error) : read_list(c, text, values, error);
}

gboolean hy_plan_read_random(HyPlanColumn *c, const char *text, GError **error)
{
  g_autoptr(GError) why = NULL;
  const char *values = read_name(c, text, error);
  if (values == NULL) {
    return FALSE;
  }
  c->kind = HY_FROM_DRAW;
  c->draw = hy_draw_parse(values, &why);
  return c->draw != NULL || wrong(text, why->message, error);
}

gboolean hy_plan_read_sampling(const char *text, HySampling *sampling, GError **error)
{
  static const char *const words[] = {"plain", "latin", "sobol", "saltelli"};
  *sampling = HY_SAMPLING_LATIN;
  for (guint k = 0; text != NULL && k < G_N_ELEMENTS(words); k++) {
    if (strcmp(text, words[k]) == 0) {
      *sampling = (HySampling)k;
      return TRUE;
    }
  }
  if (text != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "sampling \"%s\": choose plain, latin, sobol or saltelli", text);
  }
  return text == NULL;
}

/* Values -------------------------------------------------------------------------------------- */

static double range_at(const HyPlanColumn *c, guint64 i)
{
  double part = (double)i / (double)MAX(c->n - 1, 1);
  if (i == 0 || i + 1 == c->n) {
    return i == 0 ? c->a : c->b;
  }
  return c->log ? c->a * pow(c->b / c->a, part) : c->a + (c->b - c->a) * part;
}

static double unit_of(const HyPlan *p, const HyPlanColumn *c, guint64 i, guint64 n)
{
  switch (p->sampling) {
  case HY_SAMPLING_SALTELLI:
    return hy_indices_place(p->seed, c->name, p->n_draws, c->dimension, i);
  case HY_SAMPLING_SOBOL:
    return hy_draw_owen(p->seed, c->name, c->dimension, i);
  default:
    return p->sampling == HY_SAMPLING_LATIN && n > 1 ? hy_draw_latin(p->seed, c->name, i, n)
                                                     : hy_draw_unit(p->seed, c->name, i);
  }
}

static char *text_of(double v)
{
  char text[HY_DOUBLE_SIZE];
  return g_strdup(hy_double_text(text, v));
}

static char *of_file(const HyPlan *p, const HyPlanColumn *c, guint64 i)
{
  g_auto(GStrv) field = hy_plan_file_row(p->table, i);
  char *text = g_strdup(field[c->field]);
  return c->sets != HY_SETS_NOTHING ? g_strstrip(text) : text;
}

char *hy_plan_value(const HyPlan *p, const HyPlanColumn *c, guint64 i)
{
  switch (c->kind) {
  case HY_FROM_RANGE:
    return text_of(range_at(c, i));
  case HY_FROM_LIST:
    return g_strdup(c->list[i]);
  case HY_FROM_FILE:
    return of_file(p, c, i);
  default:
    return hy_draw_text(c->draw, unit_of(p, c, i, hy_plan_axis(p, c)->n));
  }
}
