/* Distributions: a table of their names, what follows them and their quantiles. Quantiles of the
 * normal distribution are those of numerics/draw.h. */
#include "sweeps/distribution.h"
#include "base/hint.h"
#include "hydevs/error.h"
#include "hydevs/expression.h"
#include "hydevs/text.h"
#include "numerics/draw.h"

#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 4 };
#define CORNER 3 /* deviations from the mean, of a normal distribution: beyond are 0.3 % */

typedef struct Kind Kind;
struct HyDraw {
  const Kind *kind;
  double number[MOST_NUMBERS];
  char **words; /* of a choice; ends with NULL */
  guint n_words;
};

struct Kind {
  const char *name, *needs;        /* "a b" */
  guint n;                         /* numbers; 0: words */
  char *(*wrong)(const HyDraw *d); /* newly allocated; NULL: nothing is */
  double (*value)(const HyDraw *d, double u);
  void (*ends)(const HyDraw *d, double *low, double *high); /* NULL: there are words */
};

static char *not_above(const char *what, double low, double high)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  return g_strdup_printf("%s %s is not below %s", what, hy_double_text(a, low),
                         hy_double_text(b, high));
}

static char *uniform_wrong(const HyDraw *d)
{
  const double *a = d->number;
  if (!(a[0] < a[1])) {
    return not_above("the lower end", a[0], a[1]);
  }
  return isfinite(a[1] - a[0]) ? NULL : g_strdup("the range is not finite");
}

static double uniform_value(const HyDraw *d, double u)
{
  return d->number[0] + (d->number[1] - d->number[0]) * u;
}

static char *normal_wrong(const HyDraw *d)
{
  char s[HY_DOUBLE_SIZE];
  if (!(d->number[1] > 0)) {
    return g_strdup_printf("a deviation of %s is not above 0", hy_double_text(s, d->number[1]));
  }
  double most = fabs(d->number[0]) + 40 * d->number[1]; /* no quantile is farther away */
  return isfinite(most) ? NULL : g_strdup("the range is not finite");
}

static double normal_value(const HyDraw *d, double u)
{
  return d->number[0] + d->number[1] * hy_draw_normal(u);
}

/* An end in deviations from the mean. */
static double normed(const HyDraw *d, guint end)
{
  return (d->number[end] - d->number[0]) / d->number[1];
}

static char *truncated_wrong(const HyDraw *d)
{
  char *wrong = normal_wrong(d);
  if (wrong != NULL) {
    return wrong;
  }
  double a = normed(d, 2), b = normed(d, 3);
  if (!(a < b)) {
    return not_above("the lower end", d->number[2], d->number[3]);
  }
  if (a < HY_DRAW_FAR && b > -HY_DRAW_FAR) {
    return NULL;
  }
  return g_strdup_printf("both ends are %g deviations or more from the mean, where nothing is",
                         HY_DRAW_FAR);
}

static double truncated_value(const HyDraw *d, double u)
{
  double v = d->number[0] + d->number[1] * hy_draw_truncated(normed(d, 2), normed(d, 3), u);
  return CLAMP(v, d->number[2], d->number[3]);
}

static char *choice_wrong(const HyDraw *d)
{
  return d->n_words > 0 ? NULL : g_strdup("there is nothing to choose from");
}

static const char *chosen(const HyDraw *d, double u)
{
  return d->words[MIN((guint)(u * d->n_words), d->n_words - 1)];
}

/* Numbers alone, so that no name means anything. */
static gboolean nameless(gpointer user, const char *name, const char *port, double *value,
                         GError **error)
{
  (void)user;
  (void)port;
  (void)value;
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is no number", name);
  return FALSE;
}

static double choice_value(const HyDraw *d, double u)
{
  double v;
  return hy_formula_value(chosen(d, u), nameless, NULL, &v, NULL) ? v : (double)NAN;
}

static void uniform_ends(const HyDraw *d, double *low, double *high)
{
  *low = d->number[0];
  *high = d->number[1];
}

static void normal_ends(const HyDraw *d, double *low, double *high)
{
  *low = d->number[0] - CORNER * d->number[1];
  *high = d->number[0] + CORNER * d->number[1];
}

static void truncated_ends(const HyDraw *d, double *low, double *high)
{
  *low = d->number[2];
  *high = d->number[3];
}

static const Kind kinds[] = {
    {"uniform", "a b", 2, uniform_wrong, uniform_value, uniform_ends},
    {"normal", "m s", 2, normal_wrong, normal_value, normal_ends},
    {"truncated", "m s a b", 4, truncated_wrong, truncated_value, truncated_ends},
    {"choice", "a b c", 0, choice_wrong, choice_value, NULL},
};

static gboolean find_kind(HyDraw *d, const char *name, GError **error)
{
  HyNearest nearest = {.word = name};
  for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
    hy_nearest_offer(&nearest, kinds[k].name);
    if (strcmp(name, kinds[k].name) == 0) {
      d->kind = &kinds[k];
      return TRUE;
    }
  }
  g_autofree char *hint = hy_did_you_mean(nearest.best);
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "\"%s\" is none of %s%s", name, HY_DRAWS, hint);
  return FALSE;
}

/* A number of the list; "5%" as the deviation is one of the mean. */
static gboolean read_number(HyDraw *d, guint k, const char *word, GError **error)
{
  gsize size = strlen(word);
  gboolean percent = size > 1 && word[size - 1] == '%';
  g_autofree char *text = g_strndup(word, size - (percent ? 1 : 0));
  g_autoptr(GError) why = NULL;
  if (percent && (d->kind->value == uniform_value || k != 1)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: only a deviation is in percent", word);
    return FALSE;
  }
  if (!hy_formula_value(text, nameless, NULL, &d->number[k], &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", word, why->message);
    return FALSE;
  }
  if (!isfinite(d->number[k])) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is not finite", word);
    return FALSE;
  }
  if (percent) {
    d->number[k] = fabs(d->number[0]) * d->number[k] / 100.0;
  }
  return TRUE;
}

static gboolean read_numbers(HyDraw *d, GError **error)
{
  if (d->n_words != d->kind->n) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s needs %u numbers, %s; there are %u",
                d->kind->name, d->kind->n, d->kind->needs, d->n_words);
    return FALSE;
  }
  for (guint k = 0; k < d->n_words; k++) {
    if (!read_number(d, k, d->words[k], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The words of TEXT. Ends with NULL. */
static char **split(const char *text)
{
  g_auto(GStrv) all = g_strsplit_set(text, " \t", -1);
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
  for (guint k = 0; all[k] != NULL; k++) {
    if (all[k][0] != '\0') {
      g_ptr_array_add(words, g_strdup(all[k]));
    }
  }
  g_ptr_array_add(words, NULL);
  return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

HyDraw *hy_draw_parse(const char *text, GError **error)
{
  g_return_val_if_fail(text != NULL, NULL);
  g_auto(GStrv) words = split(text);
  g_autoptr(HyDraw) d = g_new0(HyDraw, 1);
  if (!find_kind(d, words[0] != NULL ? words[0] : "", error)) {
    return NULL;
  }
  d->words = g_strdupv(words + 1);
  d->n_words = g_strv_length(d->words);
  if (d->kind->n > 0 && !read_numbers(d, error)) {
    return NULL;
  }
  g_autofree char *wrong = d->kind->wrong(d);
  if (wrong != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", d->kind->name, wrong);
    return NULL;
  }
  return g_steal_pointer(&d);
}

void hy_draw_free(HyDraw *draw)
{
  if (draw != NULL) {
    g_strfreev(draw->words);
    g_free(draw);
  }
}

double hy_draw_value(const HyDraw *draw, double u)
{
  g_return_val_if_fail(draw != NULL && u > 0 && u < 1, (double)NAN);
  return draw->kind->value(draw, u);
}

char *hy_draw_text(const HyDraw *draw, double u)
{
  g_return_val_if_fail(draw != NULL && u > 0 && u < 1, NULL);
  if (draw->kind->n == 0) {
    return g_strdup(chosen(draw, u));
  }
  char text[HY_DOUBLE_SIZE];
  return g_strdup(hy_double_text(text, draw->kind->value(draw, u)));
}

char **hy_draw_corners(const HyDraw *draw)
{
  g_return_val_if_fail(draw != NULL, NULL);
  if (draw->kind->ends == NULL) {
    return g_strdupv(draw->words);
  }
  double low, high;
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  draw->kind->ends(draw, &low, &high);
  char *both[] = {hy_double_text(a, low), hy_double_text(b, high), NULL};
  return g_strdupv(both);
}
