/* What a signal, or a formula of signals, was from one instant to another.
 *
 * A signal that is said is a polynomial until its next word, so a measure of it alone is computed
 * when that comes, in closed form. A state or reading of a group is asked for at the points of a
 * panel when time advances, as long as the group still knows; panels are no longer than half a turn
 * of what goes round in it (numerics/panel.c), and shorter where that is not enough: formulas may
 * do what they like, and what decays at once is seen at its first point, where all of it is there.
 * Who asks at an instant asks for all, since what a group is at one instant is computed once. */
#include "measures_internal.h"

#include "numerics/gauss.h"
#include "numerics/sine.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

#define ENOUGH    2e-13 /* of the size of what a panel shows */
#define SMALL     1e-3  /* of the largest so far: what is less counts as so much */
#define MOST_DEEP 40    /* halves of a panel, as where a formula jumps */
#define IMPATIENT 16    /* panels, where many have been no help: rounding of larger things */
#define STUBBORN  4     /* halves after which what is left is rounding, */
#define NOISE     1e-9  /* if it is less than that of the size */

/* Values -------------------------------------------------------------------------------------- */

static double word_at(const HyMeasured *s, double t)
{
  double e = t - s->tl;
  return e == 0.0 ? s->c[0] : s->c[0] + e * (s->c[1] + e * (s->c[2] + e * s->c[3]));
}

/* Now, or at an instant before at which it was the same polynomial or step. */
static double signal_at(const HyMeasures *m, HyMeasured *s, double t)
{
  if (s->at != t) {
    double v = s->numeric ? s->is_sine
                                ? s->sine.amplitude *
                                          sin(hy_sine_angle(s->sine.frequency, s->sine.phase, t)) +
                                      s->sine.offset
                                : word_at(s, t)
                          : NAN;
    if (s->time) {
      v = t;
    } else if (s->is.kind == HY_COLUMN_STATE) {
      v = hy_sim_value(m->sim, s->is.atomic, t);
    } else if (s->may_read) {
      hy_sim_reading(m->sim, s->is.atomic, s->is.port, t, &v);
    }
    s->at = t;
    s->now = v;
  }
  return s->now;
}

double hy_curve_at(HyMeasures *m, const HyMeasuredCurve *c, double t)
{
  if (c->plain) {
    return signal_at(m, hy_measured(m, c->signal[0]), t);
  }
  for (guint k = 0; k < c->of->refs->n; k++) {
    m->ref[k] = signal_at(m, hy_measured(m, c->signal[k]), t);
  }
  return hy_measure_value(c->of->x, c->of->refs, m->ref);
}

/* What was asked for before may be another value now. */
static void forget_values(const HyMeasures *m)
{
  for (guint k = 0; k < m->signal->len; k++) {
    hy_measured(m, k)->at = NAN;
  }
}

/* How long from T on half a turn lasts, of the fastest in S; a formula may multiply two. */
static double smooth_for(const HyMeasures *m, HyMeasured *s, double t, double angle)
{
  if (s->is_sine) {
    return angle / (HY_FULL_TURN * s->sine.frequency);
  }
  if (s->time || !(s->is.kind == HY_COLUMN_STATE || s->may_read)) {
    return INFINITY;
  }
  s->fastest = isnan(s->fastest) ? hy_sim_fastest(m->sim, s->is.atomic) : s->fastest;
  return fmin(hy_sim_turning(m->sim, s->is.atomic, t, angle), angle / s->fastest);
}

static double curve_smooth_for(const HyMeasures *m, const HyMeasuredCurve *c, double t)
{
  double h = INFINITY;
  for (guint k = 0; k < c->of->refs->n; k++) {
    double angle = c->plain ? HY_GAUSS_TURN : 0.5 * HY_GAUSS_TURN;
    h = fmin(h, smooth_for(m, hy_measured(m, c->signal[k]), t, angle));
  }
  return h;
}

/* Panels -------------------------------------------------------------------------------------- */

static void deliver(const HyMeasures *m, HyMeasuredCurve *c, const HyPanel *x)
{
  c->size = fmax(c->size, fmax(fabs(x->begin), fabs(x->end)));
  for (guint k = 0; k < c->taker->len; k++) {
    HyTaker *taker = hy_taker(m, g_array_index(c->taker, guint, k));
    if (hy_taker_wants(taker, x->from, x->to)) {
      hy_taker_panel(taker, x, c->size);
    }
  }
}

static void deliver_nothing(const HyMeasures *m, const HyMeasuredCurve *c, double from, double to)
{
  for (guint k = 0; k < c->taker->len; k++) {
    HyTaker *taker = hy_taker(m, g_array_index(c->taker, guint, k));
    if (hy_taker_wants(taker, from, to)) {
      hy_taker_nothing(taker, from);
    }
  }
}

static double size_of(const HyMeasuredCurve *c, int stride)
{
  double size = 0.0;
  for (int k = 0; k < HY_PANEL_NODES; k += stride) {
    size = fmax(size, fabs(c->y[k]));
  }
  return fmax(size, SMALL * c->size);
}

/* TRUE: that is what C was, within ENOUGH or, where halves do not help, rounding. */
static gboolean fits(const HyMeasures *m, HyMeasuredCurve *c, double from, double to, int n,
                     guint depth)
{
  HyPanel x = {.from = from, .to = to};
  double missed = hy_panel_fit(&x, c->y, n), size = size_of(c, (HY_PANEL_NODES - 1) / (n - 1));
  if (!isfinite(missed)) {
    deliver_nothing(m, c, from, to);
    return TRUE;
  }
  gboolean last = n == HY_PANEL_NODES && (depth == MOST_DEEP || c->left == 0 ||
                                          (depth >= STUBBORN && missed <= NOISE * size));
  if (missed > ENOUGH * size && !last) {
    return FALSE;
  }
  c->missed += missed * (to - from);
  c->worst = fmax(c->worst, missed);
  deliver(m, c, &x);
  return TRUE;
}

/* What N curves are at the nodes of STRIDE, but for those that a larger one has had. */
static void ask_nodes(HyMeasures *m, const guint *active, guint n, double from, double to,
                      int stride)
{
  for (int k = 0; k < HY_PANEL_NODES; k += stride) {
    gboolean known = stride < 4 && k % (2 * stride) == 0;
    double t = hy_panel_node(from, to, k);
    for (guint i = 0; i < n && !known; i++) {
      HyMeasuredCurve *c = hy_measured_curve(m, active[i]);
      c->y[k] = hy_curve_at(m, c, t);
    }
  }
}

/* Those that do not fit yet; their number. */
static guint misfits(const HyMeasures *m, guint *active, guint n, double from, double to,
                     int stride, guint depth)
{
  guint left = 0;
  for (guint i = 0; i < n; i++) {
    HyMeasuredCurve *c = hy_measured_curve(m, active[i]);
    c->left -= c->left > 0 && stride == 4 ? 1 : 0;
    if (!fits(m, c, from, to, 1 + (HY_PANEL_NODES - 1) / stride, depth)) {
      active[left++] = active[i];
    }
  }
  return left;
}

/* N curves, which stand in ACTIVE, from FROM to TO. */
static void resolve(HyMeasures *m, guint *active, guint n, double from, double to, guint depth)
{
  for (int stride = 4; stride >= 1 && n > 0; stride /= 2) {
    ask_nodes(m, active, n, from, to, stride);
    n = misfits(m, active, n, from, to, stride, depth);
  }
  double middle = 0.5 * (from + to);
  if (n == 0 || !(middle > from && middle < to)) {
    return;
  }
  guint *halves = active + n; /* each half parts them anew */
  memcpy(halves, active, n * sizeof *active);
  resolve(m, halves, n, from, middle, depth + 1);
  memcpy(halves, active, n * sizeof *active);
  resolve(m, halves, n, middle, to, depth + 1);
}

/* The first border of a window of C behind T, or TO. */
static double next_border(const HyMeasures *m, const HyMeasuredCurve *c, double t, double to)
{
  for (guint k = 0; k < c->taker->len; k++) {
    const HyTaker *taker = hy_taker(m, g_array_index(c->taker, guint, k));
    to = taker->from > t ? fmin(to, taker->from) : to;
    to = taker->to > t ? fmin(to, taker->to) : to;
  }
  return to;
}

static gboolean is_wanted(const HyMeasures *m, const HyMeasuredCurve *c, double from, double to)
{
  gboolean wanted = FALSE;
  for (guint k = 0; k < c->taker->len; k++) {
    wanted |= hy_taker_wants(hy_taker(m, g_array_index(c->taker, guint, k)), from, to);
  }
  return wanted;
}

/* N curves, first in m->active, from FROM to TO, between which no window begins or ends. */
static void take_panels(HyMeasures *m, guint n, double from, double to)
{
  while (n > 0 && from < to) {
    double h = INFINITY;
    for (guint i = 0; i < n; i++) {
      h = fmin(h, curve_smooth_for(m, hy_measured_curve(m, m->active[i]), from));
    }
    double end = from + h < to && from + h > from ? from + h : to;
    for (guint i = 0; i < n; i++) {
      m->active[n + i] = m->active[i];
    }
    for (guint i = 0; i < n; i++) {
      HyMeasuredCurve *c = hy_measured_curve(m, m->active[i]);
      c->left = c->patience;
    }
    resolve(m, m->active + n, n, from, end, 0);
    for (guint i = 0; i < n; i++) {
      HyMeasuredCurve *c = hy_measured_curve(m, m->active[i]);
      c->patience =
          c->left == 0 ? MAX(c->patience / 2, IMPATIENT) : MIN(2 * c->patience, HY_PATIENCE);
    }
    from = end;
  }
}

static void look_at(const HyMeasures *m, HyMeasured *s)
{
  gboolean output = !s->time && s->alone && s->is.kind == HY_COLUMN_OUTPUT;
  s->is_sine = output && s->numeric && hy_sim_sine(m->sim, s->is.atomic, s->is.port, &s->sine);
  s->may_read = output && hy_sim_may_read(m->sim, s->is.atomic, s->is.port);
  s->fastest = NAN;
}

void hy_curves_look(HyMeasures *m)
{
  for (guint k = 0; !m->looked && k < m->signal->len; k++) {
    look_at(m, hy_measured(m, k));
  }
  for (guint k = 0; !m->looked && k < m->curve->len; k++) {
    HyMeasuredCurve *c = hy_measured_curve(m, k);
    c->asks = FALSE;
    for (guint i = 0; i < c->of->refs->n; i++) {
      const HyMeasured *s = hy_measured(m, c->signal[i]);
      c->asks |= s->is.kind == HY_COLUMN_STATE || s->may_read;
    }
  }
  m->looked = TRUE;
}

/* What is measured of C has to be made of panels by points. */
static gboolean is_made(const HyMeasures *m, const HyMeasuredCurve *c)
{
  return !c->plain || hy_measured(m, c->signal[0])->is_sine || hy_measured(m, c->signal[0])->time;
}

/* Windows of C that end at T, after all that has happened then. */
static void end_windows(HyMeasures *m, const HyMeasuredCurve *c, double t)
{
  for (guint k = 0; k < c->taker->len; k++) {
    HyTaker *taker = hy_taker(m, g_array_index(c->taker, guint, k));
    if (taker->to == t) {
      forget_values(m);
      hy_taker_end(taker, t, hy_curve_at(m, c, t));
    }
  }
}

void hy_curves_ask(HyMeasures *m, double t)
{
  if (m->asked < t) {
    hy_curves_look(m);
  }
  while (m->asked < t) {
    double to = t;
    guint n = 0;
    for (guint k = 0; k < m->curve->len; k++) {
      const HyMeasuredCurve *c = hy_measured_curve(m, k);
      if (c->asks) {
        end_windows(m, c, m->asked);
        to = next_border(m, c, m->asked, to);
      }
    }
    for (guint k = 0; k < m->curve->len; k++) {
      const HyMeasuredCurve *c = hy_measured_curve(m, k);
      if (c->asks && is_wanted(m, c, m->asked, to)) {
        m->active[n++] = k;
      }
    }
    forget_values(m);
    take_panels(m, n, m->asked, to);
    m->asked = to;
  }
}

void hy_curve_advance(HyMeasures *m, HyMeasuredCurve *c, double t)
{
  while (c->t < t) {
    end_windows(m, c, c->t);
    double to = next_border(m, c, c->t, t);
    const HyMeasured *s = hy_measured(m, c->signal[0]);
    HyPanel x;
    if (!is_wanted(m, c, c->t, to)) {
      c->t = to;
      continue;
    }
    forget_values(m);
    if (is_made(m, c)) {
      m->active[0] = (guint)(c - hy_measured_curve(m, 0));
      take_panels(m, 1, c->t, to);
    } else if (s->numeric) {
      hy_panel_of_piece(&x, s->c, s->tl, c->t, to);
      deliver(m, c, &x);
    } else {
      deliver_nothing(m, c, c->t, to);
    }
    c->t = to;
  }
}
