/* One configuration as linear forms. */
#include "netlist.h"

#include <math.h>
#include <string.h>

/* Without a call; -0 is none. */
static gboolean is_zero(Real v)
{
  guint64 half[2];
  memcpy(half, &v, sizeof half);
  return (half[0] | half[1]) == 0;
}

Real form_value(const Real *form, const Real *x, int width)
{
  Real v = 0;
  for (int k = 0; k < width; k++) {
    if (!is_zero(form[k])) {
      v += form[k] * x[k];
    }
  }
  return v;
}

/* What rounding may make of the value of FORM, with many digits to spare: a current that decays to
 * nothing does not turn. */
double form_noise(const Real *form, const Real *x, int width)
{
  double sum = 0;
  for (int k = 0; k < width; k++) {
    sum += fabs((double)form[k] * (double)x[k]);
  }
  return 1e-26 * sum;
}

/* A relay may stand a rounding beyond its level as long as it comes back. */
gboolean watch_is_wrong(const Watch *w, const Real *x, int width)
{
  Real v = w->sign * form_value(w->value, x, width);
  if (v >= 0 || v >= -form_noise(w->value, x, width)) {
    return FALSE;
  }
  return w->diode >= 0 || w->sign * form_value(w->slope, x, width) < 0;
}

static void find_slope(const Field *f, Watch *w)
{
  for (int j = 0; j < f->width; j++) {
    w->slope[j] = 0;
    for (int k = 0; k < f->width; k++) {
      w->slope[j] += w->value[k] * f->rate[k][j];
    }
  }
}

static gboolean read_rates(Field *f, const Circuit *c, const Modes *m)
{
  gboolean ok = TRUE;
  memset(f->rate, 0, sizeof f->rate);
  for (int k = 0; k < c->states && c->net == NULL; k++) {
    ok = form_read(c, m, c->state[k].formula, f->rate[k]) && ok;
  }
  for (int k = 0; k < c->sines; k++) {
    int sine = form_sine(c, k);
    Real w = (Real)c->sine[k].frequency * 2 * M_PI;
    f->rate[sine][sine + 1] = w;
    f->rate[sine + 1][sine] = -w;
  }
  return ok;
}

static Watch *add_watch(Field *f, int sign)
{
  Watch *w = &f->watch[f->watches++];
  *w = (Watch){.sign = sign, .diode = -1, .relay = -1};
  return w;
}

/* The relay K slides: x' = low + share (high - low) such that the relay's formula stays where it
 * is. High and low differ in a constant only. */
static gboolean slide(Field *f, const Circuit *c, int k)
{
  static const RelayMode ends[] = {RELAY_LOW, RELAY_HIGH};
  Field high = {.width = f->width};
  Modes m = f->modes;
  Watch z = {.sign = 1}, share = {.sign = 1};
  int one = form_one(c);
  Real pull = 0;
  m.relay[k] = RELAY_HIGH;
  if (!read_rates(&high, c, &m) || !form_read(c, &m, c->relay[k].formula, z.value)) {
    return FALSE;
  }
  find_slope(f, &z);
  for (int i = 0; i < f->width; i++) {
    pull += z.value[i] * (high.rate[i][one] - f->rate[i][one]);
  }
  for (int j = 0; j < f->width; j++) {
    share.value[j] = -z.slope[j] / pull;
  }
  for (int i = 0; i < f->width; i++) {
    Real d = high.rate[i][one] - f->rate[i][one];
    for (int j = 0; j < f->width && d != 0; j++) {
      f->rate[i][j] += d * share.value[j];
    }
  }
  for (int end = 0; end < 2; end++) { /* the share stays within 0 and 1 */
    Watch *w = add_watch(f, end == 0 ? 1 : -1);
    memcpy(w->value, share.value, sizeof w->value);
    w->value[one] -= end;
    w->relay = k;
    w->then = ends[end];
  }
  return TRUE;
}

static gboolean watch_relay(Field *f, const Circuit *c, int k)
{
  const Relay *r = &c->relay[k];
  RelayMode mode = (RelayMode)f->modes.relay[k];
  if (mode == RELAY_SLIDES) {
    return slide(f, c, k);
  }
  Watch *w = add_watch(f, mode == RELAY_HIGH ? 1 : -1);
  gboolean ok = form_read(c, &f->modes, r->formula, w->value);
  w->value[form_one(c)] -= mode == RELAY_HIGH ? r->lower : r->upper;
  w->relay = k;
  w->then = mode == RELAY_HIGH ? RELAY_LOW : RELAY_HIGH;
  return ok;
}

gboolean field_init(Field *f, const Circuit *c, const Modes *m)
{
  f->modes = *m;
  f->width = form_width(c);
  f->watches = 0;
  gboolean ok = f->width <= MOST_WIDTH && read_rates(f, c, m);
  ok = ok && (c->net == NULL || netlist_field(f, c->net, m));
  for (int k = 0; k < c->diodes && ok && c->net == NULL; k++) {
    Watch *w = add_watch(f, m->diode[k] ? 1 : -1);
    ok = form_read(c, m, c->diode[k].current, w->value);
    w->diode = k;
  }
  for (int k = 0; k < c->relays && ok; k++) {
    ok = watch_relay(f, c, k);
  }
  for (int k = 0; k < f->watches && ok; k++) {
    find_slope(f, &f->watch[k]);
  }
  return ok;
}

/* Gates ------------------------------------------------------------------------------------------
 */

static Real floor_of(Real v)
{
  Real whole = (Real)(gint64)v;
  return whole > v ? whole - 1 : whole;
}

static const Pwm *control(const Circuit *c, int gate)
{
  for (int k = 0; k < c->pwms; k++) {
    if (strcmp(c->pwm[k].name, c->gate[gate].control) == 0) {
      return &c->pwm[k];
    }
  }
  return &c->pwm[0];
}

/* Periods of G since its beginning, a tick after T: an edge at T, rounded to ticks, is past. */
static Real position(const Circuit *c, const Pwm *g, gint64 t)
{
  return ((Real)(t + 1) * c->stop / TICKS - g->phase) / g->period;
}

void gates_set(const Circuit *c, gint64 t, Modes *m)
{
  for (int k = 0; k < c->gates; k++) {
    const Pwm *g = control(c, k);
    Real p = position(c, g, t);
    m->gate[k] = p - floor_of(p) < g->duty;
  }
}

gint64 gates_next(const Circuit *c, gint64 t)
{
  gint64 next = TICKS;
  for (int k = 0; k < c->pwms; k++) {
    const Pwm *g = &c->pwm[k];
    Real begun = floor_of(position(c, g, t));
    for (int edge = 0; edge < 2; edge++) {
      Real at = begun + (edge == 0 ? (Real)g->duty : 1);
      gint64 tick = (gint64)floor_of((at * g->period + g->phase) / c->stop * TICKS + 0.5);
      if (tick > t && tick < next) {
        next = tick;
      }
    }
  }
  return next;
}
