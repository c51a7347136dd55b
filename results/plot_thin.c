/* No more points than a picture can show. */
#include "plot_script.h"

#include <math.h>

typedef struct {
  GArray *out;
  const double *t, *v;
  gboolean filled;
  double bin; /* the column of pixels at hand, and of its points: */
  gsize first, lowest, highest, last;
} Thinner;

static void emit(Thinner *s, gsize k)
{
  HyPoint p = {s->t[k], s->v[k]};
  g_array_append_val(s->out, p);
}

static void finish_bin(Thinner *s)
{
  if (!s->filled) {
    return;
  }
  gsize a = MIN(s->lowest, s->highest), b = MAX(s->lowest, s->highest);
  emit(s, s->first);
  if (a > s->first) {
    emit(s, a);
  }
  if (b > a) {
    emit(s, b);
  }
  if (s->last > b) {
    emit(s, s->last);
  }
  s->filled = FALSE;
}

static void add(Thinner *s, gsize k, double bin)
{
  if (!s->filled || bin != s->bin) {
    finish_bin(s);
    s->filled = TRUE;
    s->bin = bin;
    s->first = s->lowest = s->highest = s->last = k;
    return;
  }
  s->last = k;
  s->lowest = s->v[k] < s->v[s->lowest] ? k : s->lowest;
  s->highest = s->v[k] > s->v[s->highest] ? k : s->highest;
}

static void interrupt(Thinner *s)
{
  finish_bin(s);
  guint n = s->out->len;
  if (n > 0 && !isnan(g_array_index(s->out, HyPoint, n - 1).y)) {
    HyPoint gap = {g_array_index(s->out, HyPoint, n - 1).x, NAN};
    g_array_append_val(s->out, gap);
  }
}

double hy_plot_swing(const double *v, gsize n, guint bins)
{
  gsize turns = 0;
  int before = 0;
  double last = NAN, way = 0.0;
  for (gsize k = 0; k < n; k++) {
    int sign = (v[k] > last) - (v[k] < last);
    turns += sign * before < 0;
    before = sign != 0 ? sign : before;
    way += sign != 0 ? fabs(v[k] - last) : 0.0;
    last = isfinite(v[k]) ? v[k] : last;
  }
  return turns > bins ? way / (double)turns : 0.0;
}

GArray *hy_plot_thin(const double *t, const double *v, gsize n, double from, double to, guint bins)
{
  Thinner s = {.out = g_array_new(FALSE, FALSE, sizeof(HyPoint)), .t = t, .v = v};
  gboolean all = n <= 4 * (gsize)bins || !(to > from);
  for (gsize k = 0; k < n; k++) {
    if (isfinite(v[k]) && isfinite(t[k])) {
      add(&s, k, all ? (double)k : floor((t[k] - from) / (to - from) * bins));
    } else {
      interrupt(&s);
    }
  }
  finish_bin(&s);
  return s.out;
}

GArray *hy_plot_thin_path(const double *x, const double *y, gsize n, double width, double height,
                          guint bins)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(HyPoint));
  double pixel = 0.5 / MAX(bins, 1);
  HyPoint last = {NAN, NAN};
  for (gsize k = 0; k < n; k++) {
    HyPoint p = {x[k], isfinite(x[k]) && isfinite(y[k]) ? y[k] : NAN};
    gboolean same = fabs(p.x - last.x) <= pixel * width && fabs(p.y - last.y) <= pixel * height;
    gboolean gap = isnan(p.y) && isnan(last.y);
    if (!gap && (!same || k + 1 == n)) {
      g_array_append_val(out, p);
      last = p;
    }
  }
  return out;
}
