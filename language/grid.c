/* What grid="..." says: a step, "10u"; or instants one after the other, "0, 1m, 2m", where
 * logspace(from, to, n) stands for n of them whose quotients are equal,
 *
 *   from (to/from)^(k/(n - 1)),   k = 0 .. n - 1
 *
 * computed by powers of ten, so that decades are decades.
 * Needs the root's values, which its numbers may be computed from. Leaves a HyInstants or a step.
 */
#include "hydevs/text.h"
#include "language/numerics.h"
#include <math.h>
#include <string.h>

#define LOGSPACE   "logspace("
#define MOST_TIMES 1e6

/* "a, min(b, c)" -> "a", "min(b, c)" */
static char **split(const char *text)
{
  GPtrArray *parts = g_ptr_array_new();
  gint depth = 0;
  const char *begin = text;
  for (const char *at = text;; at++) {
    depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    if (*at == '\0' || (*at == ',' && depth <= 0)) {
      g_ptr_array_add(parts, g_strstrip(g_strndup(begin, (gsize)(at - begin))));
      begin = at + 1;
    }
    if (*at == '\0') {
      g_ptr_array_add(parts, NULL);
      return (char **)g_ptr_array_free(parts, FALSE);
    }
  }
}

static gboolean read_number(Env *env, const char *text, double *v)
{
  const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, text);
  return f != NULL && hy_env_number(env, f, v);
}

static gboolean grid_wrong(const Env *env, const char *text, const char *why)
{
  hy_problem(env, "%s\"%s\" %s", env->what, text, why);
  return FALSE;
}

/* PART begins with "logspace(". */
static gboolean read_logspace(Env *env, const char *part, GArray *times)
{
  gsize begin = strlen(LOGSPACE), n = strlen(part);
  g_autofree char *inside = g_strndup(part + begin, n > begin ? n - begin - 1 : 0);
  g_auto(GStrv) word = split(inside);
  double v[3];
  gboolean three = g_strv_length(word) == 3 && part[n - 1] == ')';
  for (guint k = 0; three && k < 3; k++) {
    if (!read_number(env, word[k], &v[k])) {
      return FALSE;
    }
  }
  if (!three || !(v[0] > 0 && v[1] > v[0] && isfinite(v[1]) && v[2] >= 2 && v[2] <= MOST_TIMES) ||
      v[2] != floor(v[2])) {
    return grid_wrong(env, part, "must be logspace(from, to, n), 0 < from < to, n from 2 to 1e6");
  }
  double from = log10(v[0]), rise = log10(v[1]) - from;
  guint count = (guint)v[2];
  for (guint k = 0; k < count; k++) {
    double t = k == 0 ? v[0] : k + 1 == count ? v[1] : pow(10, from + rise * (k / (v[2] - 1)));
    g_array_append_val(times, t);
  }
  return TRUE;
}

static gboolean read_part(Env *env, const char *part, GArray *times)
{
  if (g_str_has_prefix(part, LOGSPACE)) {
    return read_logspace(env, part, times);
  }
  double t;
  if (!read_number(env, part, &t)) {
    return FALSE;
  }
  g_array_append_val(times, t);
  return TRUE;
}

static gboolean check_times(const Env *env, const char *text, const GArray *times)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  for (guint k = 0; k < times->len; k++) {
    double t = g_array_index(times, double, k);
    if (!isfinite(t)) {
      return grid_wrong(env, text, "must be finite times");
    }
    if (k > 0 && !(t > g_array_index(times, double, k - 1))) {
      hy_problem(env, "%s\"%s\" must increase: %s stands behind %s", env->what, text,
                 hy_double_text(a, t), hy_double_text(b, g_array_index(times, double, k - 1)));
      return FALSE;
    }
  }
  return times->len <= MOST_TIMES || grid_wrong(env, text, "has more than a million times");
}

gboolean hy_grid_read(Env *env, const char *text, double *step, HyInstants *instants)
{
  g_auto(GStrv) part = split(text);
  g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(double));
  for (char **p = part; *p != NULL; p++) {
    if (!read_part(env, *p, times)) {
      return FALSE;
    }
  }
  *instants = (HyInstants){0};
  if (times->len == 1) {
    double v = g_array_index(times, double, 0);
    if (!(v >= 0) || isinf(v)) {
      return grid_wrong(env, text, "must be a finite number, 0 or more");
    }
    *step = v;
    return TRUE;
  }
  if (!check_times(env, text, times)) {
    return FALSE;
  }
  *step = NAN;
  double *t = g_memdup2(times->data, times->len * sizeof(double));
  g_ptr_array_add(env->loader->chosen.times, t);
  *instants = (HyInstants){times->len, t};
  return TRUE;
}
