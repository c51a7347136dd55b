/* What each measure makes of the panels of its window, in their order. Sums are of two doubles. A
 * comparison is x > 0 of its difference x; rounding must not make it hold and not hold again, so
 * that it changes only where x gets away from 0 by more than that. */
#include "measures_internal.h"

#include "hydevs/text.h"
#include "numerics/gauss.h"
#include "numerics/sine.h"

#include <math.h>

#define ROUNDING 1e-13 /* of the largest |x| */

/* A thd that states none is of the last period. */
double hy_term_last(const HyMeasureTerm *is)
{
  return is->kind == HY_MEASURE_THD && isnan(is->last) && isnan(is->from) ? 1.0 / is->number
                                                                          : is->last;
}

void hy_taker_begin(HyTaker *k, double t0, double tf)
{
  const HyMeasureTerm *is = k->is;
  double last = hy_term_last(is);
  k->ends = !isnan(last);
  k->from = k->ends ? fmax(tf - last, t0) : isnan(is->from) ? -INFINITY : is->from;
  k->to = isnan(is->to) ? INFINITY : is->to;
  if (is->kind == HY_MEASURE_AT || is->kind == HY_MEASURE_FINAL) {
    k->from = is->kind == HY_MEASURE_AT ? is->number : INFINITY;
    k->to = k->from; /* the end is told */
  }
  k->sum = k->square = k->cosine = k->sine = two_of(0.0);
  hy_taker_clear(k);
  k->settling = is->kind == HY_MEASURE_SETTLE ? hy_settling_new() : NULL;
  k->covered = k->count = k->size = 0.0;
  k->least = INFINITY;
  k->most = -INFINITY;
  k->value = k->first = k->last = k->hole = NAN;
  k->holds = -1;
  k->known = FALSE;
}

void hy_taker_clear(HyTaker *k)
{
  g_clear_pointer(&k->settling, hy_settling_free);
}

/* From T on x > 0 is so, if V, which x is then or soon after, is beyond rounding. */
static void compare(HyTaker *k, double t, double v)
{
  int holds = v > 0.0;
  if (holds == k->holds || (k->holds >= 0 && fabs(v) <= ROUNDING * k->size)) {
    return;
  }
  if (holds) {
    k->count += k->holds == 0 && !k->events ? 1.0 : 0.0;
    k->first = isnan(k->first) ? t : k->first;
    k->to = k->is->kind == HY_MEASURE_FIRST ? -INFINITY : k->to; /* it is known */
  } else if (k->holds == 1) {
    k->last = t;
  }
  k->holds = holds;
}

static void compare_panel(HyTaker *k, const HyPanel *x)
{
  double at[HY_PANEL_NODES + 1], s = -1.0;
  int n = hy_panel_meets(x, 0.0, at);
  at[n] = 1.0;
  compare(k, x->from, x->begin);
  for (int i = 0; i <= n; i++) {
    compare(k, hy_panel_time(x, s), hy_panel_at(x, 0.5 * (s + at[i])));
    s = at[i];
  }
  compare(k, x->to, x->end);
}

static void see(HyTaker *k, double v)
{
  k->least = v < k->least ? v : k->least;
  k->most = v > k->most ? v : k->most;
}

/* x times a cosine and a sine that begin with the window. */
static void take_waves(HyTaker *k, const HyPanel *x)
{
  double width = x->to - x->from, f = k->is->number, cosine = 0.0, sine = 0.0;
  guint parts = (guint)fmin(ceil(2.0 * width * f) + 1.0, 1e6);
  for (guint i = 0; i < parts; i++) {
    for (guint j = 0; j < HY_GAUSS_POINTS; j++) {
      double part = (i + hy_gauss_point[j]) / parts, s = 2.0 * part - 1.0;
      double angle = hy_sine_angle(f, 0.0, (x->from - k->from) + width * part);
      double v = hy_gauss_weight[j] * width / parts * hy_panel_at(x, s);
      cosine += v * cos(angle);
      sine += v * sin(angle);
    }
  }
  k->cosine = two_add(k->cosine, two_of(cosine));
  k->sine = two_add(k->sine, two_of(sine));
}

void hy_taker_panel(HyTaker *k, const HyPanel *x, double size)
{
  k->known = TRUE;
  k->size = size;
  switch (k->is->kind) {
  case HY_MEASURE_MEAN:
  case HY_MEASURE_INTEGRAL:
    k->sum = two_add(k->sum, two_of(hy_panel_integral(x)));
    break;
  case HY_MEASURE_RMS:
    k->sum = two_add(k->sum, two_of(hy_panel_square(x)));
    break;
  case HY_MEASURE_MIN:
  case HY_MEASURE_MAX:
  case HY_MEASURE_PEAK:
  case HY_MEASURE_RIPPLE:
    hy_panel_extremes(x, &k->least, &k->most);
    break;
  case HY_MEASURE_THD:
    k->sum = two_add(k->sum, two_of(hy_panel_integral(x)));
    k->square = two_add(k->square, two_of(hy_panel_square(x)));
    take_waves(k, x);
    break;
  case HY_MEASURE_SETTLE:
    hy_settling_panel(k->settling, x);
    break;
  case HY_MEASURE_FIRST:
  case HY_MEASURE_LAST:
  case HY_MEASURE_COUNT:
    compare_panel(k, x);
    break;
  default:
    break;
  }
  k->covered += x->to - x->from;
}

void hy_taker_nothing(HyTaker *k, double from)
{
  k->hole = k->known && isnan(k->hole) ? from : k->hole;
}

void hy_taker_event(HyTaker *k, double t, double v)
{
  if (!(t >= k->from && t <= k->to) || isnan(v)) {
    return;
  }
  k->known = TRUE;
  see(k, v);
  k->count += v > 0.0 ? 1.0 : 0.0;
}

void hy_taker_end(HyTaker *k, double t, double v)
{
  if (k->is->kind == HY_MEASURE_FINAL || (k->is->kind == HY_MEASURE_AT && t == k->from)) {
    k->value = v;
  }
  if (!isfinite(v) || t < k->from || t > k->to) {
    return;
  }
  k->known = TRUE;
  see(k, v);
  compare(k, t, v);
  k->last = k->holds == 1 ? t : k->last;
  if (k->settling != NULL) {
    hy_settling_end(k->settling, v);
  }
}

/* Results ------------------------------------------------------------------------------------- */

/* Rms of what is neither mean nor fundamental, over that of the fundamental. */
static double distortion(const HyTaker *k)
{
  double T = k->covered, mean = (k->sum.h + k->sum.l) / T;
  double a = 2.0 * (k->cosine.h + k->cosine.l) / T, b = 2.0 * (k->sine.h + k->sine.l) / T;
  double fundamental = 0.5 * (a * a + b * b), all = (k->square.h + k->square.l) / T - mean * mean;
  return fundamental > 1e-24 * all ? sqrt(fmax(all - fundamental, 0.0) / fundamental) : NAN;
}

static double value_of(const HyTaker *k)
{
  double sum = k->sum.h + k->sum.l;
  switch (k->is->kind) {
  case HY_MEASURE_MIN:
    return k->least;
  case HY_MEASURE_MAX:
    return k->most;
  case HY_MEASURE_PEAK:
    return fmax(k->most, -k->least);
  case HY_MEASURE_RIPPLE:
    return k->most - k->least;
  case HY_MEASURE_MEAN:
    return sum / k->covered;
  case HY_MEASURE_RMS:
    return sqrt(fmax(sum, 0.0) / k->covered);
  case HY_MEASURE_INTEGRAL:
    return sum;
  case HY_MEASURE_FIRST:
    return k->first;
  case HY_MEASURE_LAST:
    return k->last;
  case HY_MEASURE_COUNT:
    return k->count;
  case HY_MEASURE_THD:
    return distortion(k);
  case HY_MEASURE_SETTLE:
    return hy_settling_time(k->settling, k->is->number);
  default:
    return k->value;
  }
}

static gboolean is_of_time(HyMeasureKind kind)
{
  return kind == HY_MEASURE_MEAN || kind == HY_MEASURE_RMS || kind == HY_MEASURE_THD;
}

/* NULL: it has a value. */
static char *why_none(const HyTaker *k, double end)
{
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  const char *text = k->is->text;
  HyMeasureKind kind = k->is->kind;
  if (k->from > end && kind != HY_MEASURE_FINAL) {
    return g_strdup_printf("%s: the run ended at t = %s, before %s", text, hy_double_text(a, end),
                           hy_double_text(b, k->from));
  }
  if (!isnan(k->hole)) {
    return g_strdup_printf("%s: what it is of is no number at t = %s", text,
                           hy_double_text(a, k->hole));
  }
  if (kind == HY_MEASURE_AT || kind == HY_MEASURE_FINAL ? isnan(k->value) : !k->known) {
    return g_strdup_printf("%s: what it is of has said no number%s", text,
                           kind == HY_MEASURE_AT ? " by then" : "");
  }
  if (is_of_time(kind) && !(k->covered > 0.0)) {
    return g_strdup_printf("%s: there is no time in its window", text);
  }
  if ((kind == HY_MEASURE_FIRST && isnan(k->first)) ||
      (kind == HY_MEASURE_LAST && isnan(k->last))) {
    return g_strdup_printf("%s: it never holds", text);
  }
  if (kind == HY_MEASURE_THD && isnan(distortion(k))) {
    return g_strdup_printf("%s: there is no sine of that frequency in it", text);
  }
  if (kind == HY_MEASURE_SETTLE && isnan(value_of(k))) {
    return g_strdup_printf("%s: it ends where it began, or comes nearer for too long", text);
  }
  return NULL;
}

double hy_taker_value(const HyTaker *k, const HyMeasures *m, char **why)
{
  if (k->is->steady) {
    const char *text = k->given_why != NULL ? k->given_why : "nobody has looked for it";
    *why = isnan(k->given) ? g_strdup_printf("steady(%s): %s", k->is->text, text) : NULL;
    return k->given;
  }
  double end = m->end;
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  *why = why_none(k, end);
  if (*why != NULL) {
    return NAN;
  }
  double to = k->ends ? m->tf : isinf(k->to) ? end : k->to;
  if (to > end) {
    *why = g_strdup_printf("%s: the run ended at t = %s, its window at %s", k->is->text,
                           hy_double_text(a, end), hy_double_text(b, to));
  } else if (!m->whole && k->to > end) {
    *why =
        g_strdup_printf("%s: the run was cut off at t = %s", k->is->text, hy_double_text(a, end));
  }
  return value_of(k);
}
