/* A block is periodic by its parameter `period`, or `frequency`, or the parts of its period (a
 * trapezoid). What hears nothing, is no state and has none of these goes its own way (a step, a
 * ramp, the time itself), unless it is a constant; so does whatever is random or makes events of
 * its own. */
#include "common_period.h"

#include "coupled/model_internal.h"
#include "hydevs/error.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define MOST  10000.0 /* periods of one source in the common one */
#define EQUAL 1e-9    /* of a number: what is as near to a whole one is it */

/* A parameter of that name, of a block; NaN: it has none. */
static double number_of(const HyModel *m, guint component, const char *name)
{
  const HyAtomicClass *klass = hy_model_class(m, component);
  gsize size;
  const guint8 *image = hy_component_image(m, component, &size);
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, name) == 0 && p->kind == HY_REAL) {
      return *(const double *)(gconstpointer)(image + p->offset);
    }
  }
  return NAN;
}

/* A machine, and a block of one's own, stands under no heading. */
static gboolean is_unknown(const HyAtomicClass *klass)
{
  return klass->palette == NULL && klass->describe == NULL && klass->order == NULL;
}

static gboolean is_listed(const HyAtomicClass *klass, const char *palette)
{
  return klass->palette != NULL && strcmp(klass->palette, palette) == 0;
}

/* Of a source; 0: it does not move, NaN: it is not periodic, or nobody knows, -1: it is no source.
 * What is unknown and hears something may follow that alone; a further period shows. */
static double period_of(const HyModel *m, guint component)
{
  const HyAtomicClass *klass = hy_model_class(m, component);
  double period = number_of(m, component, "period"), f = number_of(m, component, "frequency");
  double parts = number_of(m, component, "rise") + number_of(m, component, "up") +
                 number_of(m, component, "fall") + number_of(m, component, "down");
  gboolean sink = hy_model_n_out(m, component) == 0 || is_listed(klass, "Sinks");
  gboolean discrete = is_listed(klass, "Discrete events");
  if (sink || klass->describe != NULL || klass->order != NULL) {
    return -1.0;
  }
  if (discrete || strcmp(klass->name, "random") == 0) {
    return NAN;
  }
  period = isnan(period) ? parts : period;
  if (!isnan(period) || !isnan(f)) {
    return !isnan(period) ? period : f > 0.0 ? 1.0 / f : 0.0;
  }
  gboolean source =
      is_listed(klass, "Sources") || (is_unknown(klass) && hy_model_n_in(m, component) == 0);
  return strcmp(klass->name, "constant") == 0 || klass->set != NULL ? 0.0 : source ? NAN : -1.0;
}

/* The smallest B up to MOST for which R B is a whole number above 0. FALSE: there is none. */
static gboolean whole(double r, double *b)
{
  for (*b = 1.0; *b <= MOST; *b += 1.0) {
    double times = r * *b;
    if (round(times) > 0.0 && fabs(times - round(times)) <= EQUAL * times) {
      return TRUE;
    }
  }
  return FALSE;
}

typedef struct {
  double period; /* 0: none so far */
  char *first;   /* the block that it comes from */
  GString *of;   /* NULL: not asked for */
} Common;

/* FALSE: ERROR is set. */
static gboolean join(Common *c, const HyModel *m, guint component, GError **error)
{
  double period = period_of(m, component), b = 1.0;
  g_autofree char *path = hy_model_path(m, component);
  const char *name = hy_model_class(m, component)->name;
  char text[HY_DOUBLE_SIZE], other[HY_DOUBLE_SIZE];
  if (isnan(period)) {
    return hy_model_error(
        m, component, error,
        is_unknown(hy_model_class(m, component))
            ? "%s: what it does by itself says no period; state that of the model, --period T"
            : "%s is not periodic, so there is no steady state to look for; state --period T where "
              "it makes no difference",
        name);
  }
  if (period <= 0.0) {
    return TRUE;
  }
  if (c->of != NULL) {
    g_string_append_printf(c->of, "%s%s (%s)", c->of->len > 0 ? ", " : "", path, name);
  }
  if (c->period > 0.0 && !whole(c->period / period, &b)) {
    return hy_model_error(m, component, error,
                          "its period, %s s, and that of %s, %s s, have no common one within "
                          "10000 of them; state --period T",
                          hy_double_text(text, period), c->first, hy_double_text(other, c->period));
  }
  c->period = c->period > 0.0 ? c->period * b : period;
  c->first = c->first != NULL ? c->first : g_steal_pointer(&path);
  return TRUE;
}

static gboolean join_all(Common *c, const HyModel *root, GError **error)
{
  for (const HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    for (guint k = 0; k < hy_model_n(m); k++) {
      if (hy_model_class(m, k) != NULL && !join(c, m, k, error)) {
        return FALSE;
      }
    }
  }
  return TRUE;
}

gboolean hy_common_period(const HyLoaded *loaded, double *period, GError **error)
{
  Common c = {0};
  const HyModel *root = hy_loaded_model(loaded);
  gboolean ok = join_all(&c, root, error);
  g_free(c.first);
  if (ok && c.period == 0.0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: no source of this model is periodic (a pwm, square, sine ...), so it has no "
                "period; state --period T if you know one",
                hy_model_name(root));
  }
  *period = c.period;
  return ok && c.period > 0.0;
}

char *hy_common_period_of(const HyLoaded *loaded)
{
  Common c = {.of = g_string_new(NULL)};
  join_all(&c, hy_loaded_model(loaded), NULL);
  g_free(c.first);
  return g_string_free(c.of, FALSE);
}

gboolean hy_common_period_may_miss(const HyLoaded *loaded)
{
  const HyModel *root = hy_loaded_model(loaded);
  for (const HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    for (guint k = 0; k < hy_model_n(m); k++) {
      const HyAtomicClass *klass = hy_model_class(m, k);
      if (klass != NULL && is_unknown(klass) && hy_model_n_out(m, k) > 0) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

double hy_common_period_longest(const HyLoaded *loaded)
{
  const HyModel *root = hy_loaded_model(loaded);
  double longest = 0.0;
  for (const HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    for (guint k = 0; k < hy_model_n(m); k++) {
      longest = hy_model_class(m, k) != NULL ? fmax(longest, period_of(m, k)) : longest;
    }
  }
  return longest;
}

static char *misses(const HyModel *m, guint component, double period)
{
  double own = period_of(m, component);
  double times = own > 0.0 ? period / own : 1.0;
  if (isnan(own) && hy_model_n_in(m, component) > 0) {
    return NULL;
  }
  if (!isnan(own) && round(times) > 0.0 && fabs(times - round(times)) <= EQUAL * times) {
    return NULL;
  }
  char text[HY_DOUBLE_SIZE];
  g_autofree char *path = hy_model_path(m, component);
  const char *name = hy_model_class(m, component)->name;
  return isnan(own) && is_unknown(hy_model_class(m, component))
             ? g_strdup_printf("%s (%s) does not repeat after that", path, name)
         : isnan(own)
             ? g_strdup_printf("%s (%s) never repeats", path, name)
             : g_strdup_printf("%s (%s) repeats after %s s", path, name, hy_double_text(text, own));
}

char *hy_common_period_misses(const HyLoaded *loaded, double period)
{
  const HyModel *root = hy_loaded_model(loaded);
  char *found = NULL;
  for (const HyModel *m = root; m != NULL && found == NULL; m = hy_model_walk(root, m)) {
    for (guint k = 0; k < hy_model_n(m) && found == NULL; k++) {
      found = hy_model_class(m, k) != NULL ? misses(m, k, period) : NULL;
    }
  }
  return found;
}
