/* The measures of a run: which signals, formulas and terms there are, and what has come of them.
 * Equal paths are one signal, and equal formulas of signals one curve. */
#include "measures_internal.h"

#include "base/hint.h"
#include "hydevs/error.h"
#include "hydevs/text.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

/* Life ---------------------------------------------------------------------------------------- */

static void measure_clear(gpointer data)
{
  HyMeasure *x = data;
  hy_measure_free(x->text);
  g_free(x->why);
}

static void measured_clear(gpointer data)
{
  HyMeasured *s = data;
  g_free(hy_key(s->is.path));
  g_free(hy_key(s->is.unit));
}

static void curve_clear(gpointer data)
{
  HyMeasuredCurve *c = data;
  g_free(c->key);
  g_free(c->signal);
  g_array_unref(c->taker);
}

static void taker_clear(gpointer data)
{
  HyTaker *k = data;
  hy_taker_clear(k);
  g_free(k->given_why);
}

static GArray *array_of(guint size, GDestroyNotify clear)
{
  GArray *a = g_array_new(FALSE, FALSE, size);
  g_array_set_clear_func(a, clear);
  return a;
}

HyMeasures *hy_measures_new(const HySim *sim, double t0, double tf)
{
  HyMeasures *m = g_new0(HyMeasures, 1);
  m->sim = sim;
  m->t0 = t0;
  m->tf = tf;
  m->measure = array_of(sizeof(HyMeasure), measure_clear);
  m->signal = array_of(sizeof(HyMeasured), measured_clear);
  m->curve = array_of(sizeof(HyMeasuredCurve), curve_clear);
  m->taker = array_of(sizeof(HyTaker), taker_clear);
  m->watch = array_of(sizeof(HyColumnWatch), NULL);
  hy_measures_restart(m);
  return m;
}

void hy_measures_free(HyMeasures *m)
{
  if (m != NULL) {
    g_array_unref(m->measure);
    g_array_unref(m->signal);
    g_array_unref(m->curve);
    g_array_unref(m->taker);
    g_array_unref(m->watch);
    g_free(m->first);
    g_free(m->watched);
    g_free(m->active);
    g_free(m->ref);
    g_free(m);
  }
}

void hy_measures_restart(HyMeasures *m)
{
  m->asked = m->t0;
  m->heard = -INFINITY;
  m->back = m->looked = FALSE;
  m->end = NAN;
  for (guint k = 0; k < m->signal->len; k++) {
    HyMeasured *s = hy_measured(m, k);
    s->numeric = FALSE;
    s->at = NAN;
  }
  for (guint k = 0; k < m->curve->len; k++) {
    HyMeasuredCurve *c = hy_measured_curve(m, k);
    c->t = m->t0;
    c->size = c->missed = c->worst = 0.0;
    c->patience = HY_PATIENCE;
  }
  for (guint k = 0; k < m->taker->len; k++) {
    hy_taker_begin(hy_taker(m, k), m->t0, m->tf);
  }
}

/* Adding -------------------------------------------------------------------------------------- */

static void watch(HyMeasures *m, guint signal, guint atomic, guint port)
{
  HyColumnWatch w = {atomic, port, signal, hy_measured(m, signal)->is.kind};
  g_array_append_val(m->watch, w);
}

/* The time, which no port is. */
static guint add_time(HyMeasures *m)
{
  HyMeasured s = {.time = TRUE, .at = NAN};
  s.is.path = g_strdup("t");
  s.is.unit = g_strdup("s");
  s.is.holds = HY_SIGNAL;
  g_array_append_val(m->signal, s);
  return m->signal->len - 1;
}

static guint find_path(const HyMeasures *m, const char *path)
{
  guint k = 0;
  while (k < m->signal->len && strcmp(hy_measured(m, k)->is.path, path) != 0) {
    k++;
  }
  return k;
}

static gboolean add_signal(HyMeasures *m, const char *path, HyMeasureFind find, gpointer user,
                           guint *number, GError **error)
{
  g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(HySource));
  g_autoptr(GError) wrong = NULL;
  HyMeasured s = {.at = NAN};
  *number = find_path(m, path);
  if (*number < m->signal->len) {
    return TRUE;
  }
  if (!find(user, path, &s.is, more, &wrong)) {
    if (strcmp(path, "t") == 0) {
      *number = add_time(m);
      return TRUE;
    }
    g_propagate_error(error, g_steal_pointer(&wrong));
    return FALSE;
  }
  hy_columns_describe(m->sim, &s.is, 1);
  s.is.path = g_strdup(path);
  s.is.unit = g_strdup(s.is.unit);
  s.is.label = NULL;
  s.alone = more->len == 0;
  g_array_append_val(m->signal, s);
  watch(m, *number, s.is.atomic, s.is.port);
  for (guint k = 0; k < more->len; k++) {
    HySource source = g_array_index(more, HySource, k);
    watch(m, *number, source.atomic, source.port);
  }
  return TRUE;
}

/* Its formula, in which signals stand by number. */
static char *key_of(const HyMeasureTerm *is, const guint *signal)
{
  g_autoptr(GString) key = g_string_new(NULL);
  hy_formula_print(is->x, key);
  for (guint k = 0; k < is->refs->n; k++) {
    g_autofree char *ref = hy_formula_text(is->refs->ref[k]);
    g_string_append_printf(key, " %s=%u", ref, signal[k]);
  }
  return g_string_free(g_steal_pointer(&key), FALSE);
}

static guint find_curve(const HyMeasures *m, const char *key)
{
  guint k = 0;
  while (k < m->curve->len && strcmp(hy_measured_curve(m, k)->key, key) != 0) {
    k++;
  }
  return k;
}

static guint add_curve(HyMeasures *m, const HyMeasureTerm *is, guint *signal)
{
  g_autofree char *key = key_of(is, signal);
  guint k = find_curve(m, key);
  if (k < m->curve->len) {
    g_free(signal);
    return k;
  }
  const HyMeasured *s = hy_measured(m, signal[0]);
  HyMeasuredCurve c = {.of = is,
                       .key = g_steal_pointer(&key),
                       .signal = signal,
                       .plain = is->x->kind == HY_F_REF,
                       .events = is->refs->n == 1 && !s->time && s->is.holds == HY_EVENT &&
                                 s->is.kind != HY_COLUMN_STATE,
                       .taker = g_array_new(FALSE, FALSE, sizeof(guint)),
                       .patience = HY_PATIENCE,
                       .t = m->t0};
  g_array_append_val(m->curve, c);
  return k;
}

static gboolean is_whole(double periods)
{
  return fabs(periods - round(periods)) <= 1e-6 * periods && round(periods) >= 1.0;
}

static double window_of(const HyMeasures *m, const HyMeasureTerm *is)
{
  double last = hy_term_last(is);
  return !isnan(last) ? last : !isnan(is->from) ? is->to - is->from : m->tf - m->t0;
}

/* A window that the run will have. */
static gboolean has_window(const HyMeasures *m, const HyMeasureTerm *is, GError **error)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE], c[HY_DOUBLE_SIZE];
  double at = is->kind == HY_MEASURE_AT ? is->number : isnan(is->to) ? m->t0 : is->to;
  double from = isnan(is->from) ? at : is->from;
  double last = hy_term_last(is);
  if (!isnan(last) && isinf(m->tf)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: nobody knows when the run ends; write from..to", is->text);
  } else if (last > (m->tf - m->t0) * (1.0 + 1e-12)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: the window of %s s is longer than the run, which is from %s to %s", is->text,
                hy_double_text(a, last), hy_double_text(b, m->t0), hy_double_text(c, m->tf));
  } else if (!(at >= m->t0 && at <= m->tf && from >= m->t0)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: the run is from %s to %s", is->text,
                hy_double_text(b, m->t0), hy_double_text(c, m->tf));
  } else if (is->kind == HY_MEASURE_THD && !is_whole(is->number * window_of(m, is))) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: the window of %s s is no whole number of periods", is->text,
                hy_double_text(a, window_of(m, is)));
  } else {
    return TRUE;
  }
  return FALSE;
}

/* SIGNAL: the numbers of its signals. */
static gboolean find_signals(HyMeasures *m, const HyMeasureTerm *is, HyMeasureFind find,
                             gpointer user, guint *signal, GError **error)
{
  gboolean ok = is->steady || has_window(m, is, error);
  for (guint k = 0; ok && k < is->refs->n; k++) {
    ok = add_signal(m, is->path[k], find, user, &signal[k], error);
  }
  return ok;
}

static void add_term(HyMeasures *m, const HyMeasureTerm *is, guint *signal)
{
  guint number = m->taker->len, curve = add_curve(m, is, signal);
  HyTaker taker = {
      .is = is, .curve = curve, .given = NAN, .events = hy_measured_curve(m, curve)->events};
  hy_taker_begin(&taker, m->t0, m->tf);
  g_array_append_val(m->taker, taker);
  if (!is->steady) {
    g_array_append_val(hy_measured_curve(m, curve)->taker, number);
  }
}

/* Working memory: a panel has all curves, and each of its halves those that are left. */
#define LEVELS 48
static void make_room(HyMeasures *m)
{
  guint most = 1;
  for (guint k = 0; k < m->curve->len; k++) {
    most = MAX(most, hy_measured_curve(m, k)->of->refs->n);
  }
  m->active = g_renew(guint, m->active, (gsize)LEVELS * (m->curve->len + 1));
  m->ref = g_renew(double, m->ref, most);
}

gboolean hy_measures_add(HyMeasures *m, HyMeasureText *text, HyMeasureFind find, gpointer user,
                         GError **error)
{
  g_autoptr(GPtrArray) signals = g_ptr_array_new_with_free_func(g_free);
  for (guint k = 0; k < text->terms->len; k++) {
    const HyMeasureTerm *is = &g_array_index(text->terms, HyMeasureTerm, k);
    guint *signal = g_new0(guint, is->refs->n + 1);
    g_ptr_array_add(signals, signal);
    if (!find_signals(m, is, find, user, signal, error)) {
      hy_measure_free(text);
      return FALSE;
    }
  }
  HyMeasure x = {.text = text, .first = m->taker->len};
  g_array_append_val(m->measure, x);
  for (guint k = 0; k < text->terms->len; k++) {
    add_term(m, &g_array_index(text->terms, HyMeasureTerm, k),
             g_steal_pointer(&g_ptr_array_index(signals, k)));
  }
  make_room(m);
  return TRUE;
}

const char *hy_measures_next_steady(const HyMeasures *m, guint *term)
{
  while (*term < m->taker->len && !hy_taker(m, *term)->is->steady) {
    ++*term;
  }
  return *term < m->taker->len ? hy_taker(m, *term)->is->text : NULL;
}

void hy_measures_give(HyMeasures *m, guint term, double value, const char *why)
{
  HyTaker *k = hy_taker(m, term);
  k->given = value;
  g_free(k->given_why);
  k->given_why = g_strdup(why);
}

/* Results ------------------------------------------------------------------------------------- */

static void add_why(char **all, char *why)
{
  if (*all == NULL) {
    *all = why;
  } else {
    g_free(why);
  }
}

double hy_measures_value(const HyMeasures *m, guint number, const char **why)
{
  HyMeasure *x = &g_array_index(m->measure, HyMeasure, number);
  g_clear_pointer(&x->why, g_free);
  *why = NULL;
  if (isnan(m->end) || m->back) {
    x->why = g_strdup(m->back ? "the simulation has gone back in time" : "the run is not over");
    *why = x->why;
    return NAN;
  }
  g_autofree double *value = g_new(double, x->text->refs->n + 1);
  for (guint k = 0; k < x->text->refs->n; k++) {
    char *one = NULL;
    value[k] = hy_taker_value(hy_taker(m, x->first + x->text->of[k]), m, &one);
    add_why(&x->why, one);
  }
  double v = hy_measure_value(x->text->value, x->text->refs, value);
  if (!isfinite(v) && x->why == NULL) {
    x->why = g_strdup("the formula has no finite value");
  }
  *why = x->why;
  return isfinite(v) ? v : NAN;
}

/* How wrong a term may be, as a part of it. */
static double doubt_of(const HyMeasures *m, const HyTaker *k)
{
  const HyMeasuredCurve *c = hy_measured_curve(m, k->curve);
  gboolean summed = k->is->kind == HY_MEASURE_MEAN || k->is->kind == HY_MEASURE_INTEGRAL ||
                    k->is->kind == HY_MEASURE_RMS || k->is->kind == HY_MEASURE_THD;
  double off = !summed ? c->worst : k->covered > 0.0 ? c->missed / k->covered : 0.0;
  return off > 0.0 ? off / c->size : 0.0;
}

double hy_measures_doubt(const HyMeasures *m, guint number)
{
  const HyMeasure *x = &g_array_index(m->measure, HyMeasure, number);
  double sum = 0.0;
  for (guint k = 0; k < x->text->refs->n; k++) {
    sum += doubt_of(m, hy_taker(m, x->first + x->text->of[k]));
  }
  return sum;
}

char *hy_measures_unit(const HyMeasures *m, guint number)
{
  const HyMeasure *x = &g_array_index(m->measure, HyMeasure, number);
  if (x->text->value->kind != HY_F_REF) {
    return NULL;
  }
  const HyTaker *k = hy_taker(m, x->first + x->text->of[0]);
  const HyMeasuredCurve *c = hy_measured_curve(m, k->curve);
  const char *unit = c->plain ? hy_measured(m, c->signal[0])->is.unit : NULL;
  switch (k->is->kind) {
  case HY_MEASURE_FIRST:
  case HY_MEASURE_LAST:
  case HY_MEASURE_SETTLE:
    return g_strdup("s");
  case HY_MEASURE_COUNT:
  case HY_MEASURE_THD:
    return NULL;
  case HY_MEASURE_INTEGRAL:
    return unit != NULL ? g_strconcat(unit, " s", NULL) : NULL;
  default:
    return g_strdup(unit);
  }
}
