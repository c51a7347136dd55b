/* What a converter does, exactly, and what its controllers do with it.
 *
 * Time is counted in ticks of 2^-58 of the run. In a configuration z(t + h) = exp(rate h) z(t);
 * exp(rate 2^k ticks) - 1 is kept for each k, made by (1 + F)^2 - 1 = 2 F + F^2, so that what is
 * slow keeps its digits beside what is fast. A configuration ends where a watch falls below 0: a
 * diode's current less that of its knee, or what a comparison, a limit or a latch asks. Steps are
 * doubled while each watch is as smooth as a cubic says, else halved; a fall is then halved down to
 * a tick.
 *
 * At an instant diodes are put right by the rule of the least index (Murty), which ends since a
 * network of resistances and drops has one answer; limits, then comparisons, follow one at a time,
 * each with diodes put right again. */
#include "loop.h"

#include <math.h>
#include <string.h>

#define LEVELS        51
#define TICKS         ((gint64)1 << 58)
#define NEVER         G_MAXINT64
#define MOST_STEPS    4000000
#define MOST_PUT      1000 /* diodes that turn at one instant */
#define MOST_CHANGES  100  /* comparisons and limits that turn within a few ticks */
#define MOST_WATCHES  (LOOP_ELEMENTS + 2 * LOOP_SIGNALS + LOOP_GATES)
#define START_OFF     1e-13
#define MOST_GROWTH   1e6
#define RELATIVE_ZERO 1e-26

typedef struct {
  LoopField field;
  int width, calm; /* calm: the level at which nothing has moved much yet */
  LoopReal *step[LEVELS];
} Ladder;

typedef enum { WATCH_DIODE, WATCH_LIMIT, WATCH_INTEGRAL, WATCH_GATE } WatchKind;

/* Wrong where sign * value < 0; THEN is the mode that follows. */
typedef struct {
  WatchKind kind;
  int index, sign, then;
  LoopReal value[LOOP_WIDTH], slope[LOOP_WIDTH];
} Watch;

typedef struct {
  const Loop *l;
  LoopColumns c;
  GPtrArray *ladders;
  Ladder *now;
  LoopModes modes;                              /* gates, diodes, integrals that rest */
  int limit[LOOP_SIGNALS], rest[LOOP_SIGNALS];  /* -1: below, 1: above; of integrals likewise */
  LoopReal memory[LOOP_SIGNALS];                /* the integral of a sampled PI */
  gint64 part[LOOP_GATES];                      /* of its carrier, from 0 on */
  gint64 due[LOOP_GATES], sample[LOOP_SIGNALS]; /* the next instant of each; sample: its number */
  guint8 latch[LOOP_GATES], raw[LOOP_GATES];
  int watches, level, changes;
  gint64 t, changed;
  Watch watch[MOST_WATCHES];
  LoopReal z[LOOP_WIDTH];
  double careful;
  Truth *out;
  int steps;
} Walk;

/* Ladders -------------------------------------------------------------------------------------- */

static void multiply(int n, const LoopReal *a, const LoopReal *b, LoopReal *out)
{
  for (int i = 0; i < n; i++) {
    LoopReal row[LOOP_WIDTH] = {0};
    for (int k = 0; k < n; k++) {
      LoopReal v = a[i * n + k];
      for (int j = 0; j < n && v != 0; j++) {
        row[j] += v * b[k * n + j];
      }
    }
    for (int j = 0; j < n; j++) {
      out[i * n + j] = row[j];
    }
  }
}

/* (1 + F)^2 - 1 = 2 F + F^2. */
static void square(int n, const LoopReal *f, LoopReal *out)
{
  LoopReal *twice = g_new(LoopReal, n * n);
  for (int i = 0; i < n * n; i++) {
    twice[i] = 2 * f[i];
  }
  multiply(n, f, f, out);
  for (int i = 0; i < n * n; i++) {
    out[i] += twice[i];
  }
  g_free(twice);
}

/* exp(rate tick) - 1: the series of a part of a tick that is short for all rates, then squared. */
static LoopReal *first_step(const LoopField *f, int n, double stop)
{
  int size = n * n, halves = 0;
  double most = 0;
  LoopReal *a = g_new0(LoopReal, size), *term = g_new0(LoopReal, size),
           *sum = g_new0(LoopReal, size);
  for (int k = 0; k < size; k++) {
    most = fmax(most, fabs((double)f->rate[k / n][k % n]) * stop / (double)TICKS);
  }
  while (most * n > 0x1p-4) {
    most /= 2;
    halves++;
  }
  for (int k = 0; k < size; k++) {
    a[k] = f->rate[k / n][k % n] * stop / TICKS / ((gint64)1 << MIN(halves, 62));
    term[k] = sum[k] = a[k];
  }
  for (int order = 2; order < 24; order++) {
    multiply(n, term, a, term);
    for (int k = 0; k < size; k++) {
      term[k] /= order;
      sum[k] += term[k];
    }
  }
  for (int k = 0; k < halves; k++) {
    square(n, sum, sum);
  }
  g_free(a);
  g_free(term);
  return sum;
}

/* Until a diagonal says that something has moved by a part in 30. */
static gboolean is_calm(const LoopReal *step, int n)
{
  for (int i = 0; i < n; i++) {
    if (fabs((double)step[i * n + i]) > 0.03) {
      return FALSE;
    }
  }
  return TRUE;
}

static void make_steps(Ladder *l, double stop)
{
  int n = l->width, size = n * n;
  l->step[0] = first_step(&l->field, n, stop);
  l->calm = 0;
  for (int k = 1; k < LEVELS; k++) {
    l->step[k] = g_new0(LoopReal, size);
    square(n, l->step[k - 1], l->step[k]);
    l->calm = is_calm(l->step[k], n) ? k : l->calm;
  }
  l->calm = MAX(1, l->calm - 4);
}

static void free_ladder(gpointer ladder)
{
  Ladder *l = ladder;
  for (int k = 0; k < LEVELS; k++) {
    g_free(l->step[k]);
  }
  g_free(l);
}

static gboolean take_ladder(Walk *w)
{
  for (guint k = 0; k < w->ladders->len; k++) {
    Ladder *l = w->ladders->pdata[k];
    if (memcmp(&l->field.modes, &w->modes, sizeof w->modes) == 0) {
      w->now = l;
      return TRUE;
    }
  }
  w->now = g_new0(Ladder, 1);
  w->now->width = w->c.width;
  g_ptr_array_add(w->ladders, w->now);
  return loop_field(&w->now->field, w->l, &w->c, &w->modes);
}

static LoopReal value_of(const LoopReal *form, const LoopReal *z, int width)
{
  LoopReal v = 0;
  for (int k = 0; k < width; k++) {
    if (form[k] != 0) {
      v += form[k] * z[k];
    }
  }
  return v;
}

/* What rounding may make of a form that is 0. */
static double noise_of(const LoopReal *form, const LoopReal *z, int width)
{
  double sum = 0;
  for (int k = 0; k < width; k++) {
    sum += fabs((double)form[k] * (double)z[k]);
  }
  return RELATIVE_ZERO * sum;
}

static void advance(const Walk *w, const LoopReal *from, int level, LoopReal *to)
{
  const LoopReal *step = w->now->step[level];
  for (int i = 0; i < w->c.width; i++, step += w->c.width) {
    to[i] = from[i] + value_of(step, from, w->c.width);
  }
}

/* Forms of controllers --------------------------------------------------------------------------
 */

/* What a PI says is between its limits. */
static void said(const Walk *w, int signal, LoopReal *form)
{
  const LoopSignal *s = &w->l->signal[signal];
  if (s->kind == SIGNAL_SHIFT) {
    said(w, s->of, form);
    form[w->c.one] += s->value;
  } else if (s->kind == SIGNAL_PI && w->limit[signal] != 0) {
    memset(form, 0, LOOP_WIDTH * sizeof *form);
    form[w->c.one] = w->limit[signal] > 0 ? s->upper : s->lower;
  } else {
    loop_signal_form(&w->now->field, w->l, &w->c, signal, form);
  }
}

/* The signal of gate G less what it measures. */
static void error_form(const Walk *w, const LoopGate *g, LoopReal *form)
{
  said(w, g->signal, form);
  for (int j = 0; j < w->c.width; j++) {
    form[j] -= w->now->field.measure[g->measured][j];
  }
}

static void subtract_carrier(const Walk *w, int gate, LoopReal *form)
{
  const LoopGate *g = &w->l->gate[gate];
  LoopReal turn = g->triangle ? 2 : 1, begin = w->part[gate] + turn * g->shift;
  gboolean falls = g->triangle && w->part[gate] % 2 != 0;
  form[w->c.time] -= (falls ? -turn : turn) / g->period;
  form[w->c.one] -= falls ? 1 + begin : -begin;
}

/* Watches ---------------------------------------------------------------------------------------
 */

static Watch *add_watch(Walk *w, WatchKind kind, int index, int sign, int then)
{
  Watch *watch = &w->watch[w->watches++];
  *watch = (Watch){.kind = kind, .index = index, .sign = sign, .then = then};
  return watch;
}

static void watch_pi(Walk *w, int k)
{
  const LoopSignal *s = &w->l->signal[k];
  for (int side = -1; side <= 1; side += 2) {
    double end = side > 0 ? s->upper : s->lower;
    if (w->limit[k] == 0 || w->limit[k] == side) { /* beyond that end, or not */
      gboolean in = w->limit[k] == 0;
      Watch *u = add_watch(w, WATCH_LIMIT, k, in ? -side : side, in ? side : 0);
      loop_signal_form(&w->now->field, w->l, &w->c, k, u->value);
      u->value[w->c.one] -= end;
    }
    if (s->period == 0 && w->rest[k] == 0) {
      Watch *x = add_watch(w, WATCH_INTEGRAL, k, -side, side);
      x->value[w->c.at[k]] = 1;
      x->value[w->c.one] = -end;
    } else if (s->period == 0 && w->rest[k] == side) { /* until it is drawn back */
      Watch *x = add_watch(w, WATCH_INTEGRAL, k, side, 0);
      loop_signal_form(&w->now->field, w->l, &w->c, s->of, x->value);
      for (int j = 0; j < w->c.width; j++) {
        x->value[j] = s->ki * (x->value[j] - w->now->field.measure[s->measured][j]);
      }
    }
  }
}

/* When the period PART of a peak current mode begins; that of -1 is what lies before the first. */
static LoopReal peak_begin(const LoopGate *g, gint64 part)
{
  return (part + (LoopReal)g->shift) * g->period;
}

static void watch_gate(Walk *w, int k)
{
  const LoopGate *g = &w->l->gate[k];
  gboolean on = w->raw[k];
  if (g->kind == GATE_PWM) {
    Watch *x = add_watch(w, WATCH_GATE, k, on ? 1 : -1, !on);
    said(w, g->signal, x->value);
    subtract_carrier(w, k, x->value);
  } else if (g->kind == GATE_HYSTERESIS) {
    Watch *x = add_watch(w, WATCH_GATE, k, on ? 1 : -1, !on);
    error_form(w, g, x->value);
    x->value[w->c.one] += on ? g->band / 2 : -g->band / 2;
  } else if (g->kind == GATE_PEAK && on) {
    Watch *x = add_watch(w, WATCH_GATE, k, 1, 0);
    error_form(w, g, x->value);
    x->value[w->c.time] -= g->slope;
    x->value[w->c.one] += g->slope * peak_begin(g, w->part[k]);
  }
}

static void find_slopes(Walk *w)
{
  const LoopField *f = &w->now->field;
  int n = w->c.width;
  for (int i = 0; i < w->watches; i++) {
    Watch *x = &w->watch[i];
    memset(x->slope, 0, sizeof x->slope);
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < n && x->value[k] != 0; j++) {
        if (f->rate[k][j] != 0) {
          x->slope[j] += x->value[k] * f->rate[k][j];
        }
      }
    }
  }
}

static void make_watches(Walk *w)
{
  const Loop *l = w->l;
  w->watches = 0;
  for (int k = 0; k < l->elements; k++) {
    const LoopElement *e = &l->element[k];
    gboolean gated = e->kind == LOOP_TRANSISTOR && (w->modes.gates >> e->gate & 1);
    if (e->diode >= 0 && !gated) { /* beside a channel that conducts it does not matter */
      gboolean on = (w->modes.diodes >> e->diode & 1) != 0;
      Watch *x = add_watch(w, WATCH_DIODE, e->diode, on ? 1 : -1, !on);
      memcpy(x->value, w->now->field.diode[e->diode], sizeof x->value);
    }
  }
  for (int k = 0; k < l->signals; k++) {
    if (l->signal[k].kind == SIGNAL_PI) {
      watch_pi(w, k);
    }
  }
  for (int k = 0; k < l->gates; k++) {
    watch_gate(w, k);
  }
}

static gboolean is_wrong(const Walk *w, const Watch *x, const LoopReal *z)
{
  LoopReal v = x->sign * value_of(x->value, z, w->c.width);
  return v < 0 && v < -noise_of(x->value, z, w->c.width);
}

static const Watch *first_wrong(const Walk *w, const LoopReal *z)
{
  for (int k = 0; k < w->watches; k++) {
    if (is_wrong(w, &w->watch[k], z)) {
      return &w->watch[k];
    }
  }
  return NULL;
}

/* Modes ------------------------------------------------------------------------------------------
 */

static gint64 tick_of(const Walk *w, LoopReal seconds)
{
  return (gint64)(seconds / w->l->stop * TICKS + (LoopReal)0.5);
}

static void put_gate(Walk *w, int k, gboolean on)
{
  guint32 bit = (guint32)1 << k;
  w->modes.gates = on ? w->modes.gates | bit : w->modes.gates & ~bit;
}

/* Gates that follow others, in their order: a delay falls at once and rises when it is due. */
static void follow(Walk *w)
{
  for (int k = 0; k < w->l->gates; k++) {
    const LoopGate *g = &w->l->gate[k];
    gboolean of = g->of >= 0 && (w->modes.gates >> g->of & 1);
    if (g->kind == GATE_NOT) {
      put_gate(w, k, !of);
    } else if (g->kind == GATE_DELAY) {
      if (of && !w->latch[k]) {
        w->due[k] = w->t + tick_of(w, g->time);
      }
      w->due[k] = of ? w->due[k] : NEVER;
      w->latch[k] = (guint8)of;
      put_gate(w, k, of && w->due[k] == NEVER);
    } else {
      put_gate(w, k, w->raw[k]);
    }
  }
  /* The body of a transistor decides nothing while its channel conducts. */
  for (int k = 0; k < w->l->elements; k++) {
    const LoopElement *e = &w->l->element[k];
    if (e->kind == LOOP_TRANSISTOR && (w->modes.gates >> e->gate & 1)) {
      w->modes.diodes &= ~((guint32)1 << e->diode);
    }
  }
}

static void log_toggle(const Walk *w, const char *name, int index, int now)
{
  if (w->out->log != NULL) {
    Toggle g = {(double)w->t / (double)TICKS * w->l->stop, name, index, now};
    g_array_append_val(w->out->log, g);
  }
}

static const char *diode_name(const Loop *l, int diode)
{
  for (int k = 0; k < l->elements; k++) {
    if (l->element[k].diode == diode) {
      return l->element[k].name;
    }
  }
  return "";
}

static void turn(Walk *w, const Watch *x)
{
  static const char *const names[] = {"", "limit", "integral", "gate"};
  int k = x->index;
  w->out->toggles++;
  log_toggle(w, x->kind == WATCH_DIODE ? diode_name(w->l, k) : names[x->kind], k, x->then);
  if (x->kind == WATCH_DIODE) {
    w->modes.diodes ^= (guint32)1 << k;
  } else if (x->kind == WATCH_LIMIT) {
    w->limit[k] = x->then;
  } else if (x->kind == WATCH_INTEGRAL) {
    const LoopSignal *s = &w->l->signal[k];
    if (x->then != 0) {
      w->z[w->c.at[k]] = x->then > 0 ? s->upper : s->lower;
    }
    w->rest[k] = x->then;
    w->modes.held ^= (guint32)1 << k;
  } else {
    w->raw[k] = (guint8)x->then;
    follow(w);
  }
}

static TruthKind settle(Walk *w)
{
  for (int put = 0; put < MOST_PUT; put++) {
    if (!take_ladder(w)) {
      return TRUTH_SINGULAR;
    }
    make_watches(w);
    const Watch *wrong = first_wrong(w, w->z);
    if (wrong == NULL) {
      if (w->now->step[0] == NULL) {
        make_steps(w->now, w->l->stop);
      }
      find_slopes(w);
      w->level = w->now->calm;
      return TRUTH_OK;
    }
    if (wrong->kind != WATCH_DIODE) {
      w->changes = w->t - w->changed < 1000 ? w->changes + 1 : 0;
      w->changed = w->t;
      if (w->changes > MOST_CHANGES) {
        return TRUTH_SLIDES;
      }
    }
    turn(w, wrong);
  }
  return TRUTH_NO_FIT;
}

/* Instants that are known ------------------------------------------------------------------------
 */

static LoopReal part_begin(const LoopGate *g, gint64 part)
{
  LoopReal turn = g->triangle ? 2 : 1;
  return ((LoopReal)part / turn + g->shift) * g->period;
}

static gint64 sample_tick(const Walk *w, int k)
{
  const LoopSignal *s = &w->l->signal[k];
  if (s->kind == SIGNAL_STEP) {
    return w->sample[k] > 0 ? NEVER : tick_of(w, s->at);
  }
  if ((s->kind == SIGNAL_PI || s->kind == SIGNAL_HELD) && s->period > 0) {
    return tick_of(w, (LoopReal)w->sample[k] * s->period / (s->twice ? 2 : 1));
  }
  return NEVER;
}

static gint64 gate_tick(const Walk *w, int k)
{
  const LoopGate *g = &w->l->gate[k];
  if (g->kind == GATE_PWM) {
    return tick_of(w, part_begin(g, w->part[k] + 1));
  }
  if (g->kind == GATE_PEAK) {
    gint64 most = tick_of(w, peak_begin(g, w->part[k]) + (LoopReal)g->most * g->period);
    return w->raw[k] && most >= w->t ? most : tick_of(w, peak_begin(g, w->part[k] + 1));
  }
  return g->kind == GATE_DELAY ? w->due[k] : NEVER;
}

static gint64 next_tick(const Walk *w)
{
  gint64 next = NEVER;
  for (int k = 0; k < w->l->signals; k++) {
    next = MIN(next, sample_tick(w, k));
  }
  for (int k = 0; k < w->l->gates; k++) {
    next = MIN(next, gate_tick(w, k));
  }
  return next;
}

/* u[k] = kp e[k] + x[k], x[k+1] = limit(x[k] + period ki e[k]). */
static void sample(Walk *w, int k)
{
  const LoopSignal *s = &w->l->signal[k];
  LoopReal *z = &w->z[w->c.at[k]], form[LOOP_WIDTH] = {0};
  w->sample[k]++;
  if (s->kind == SIGNAL_STEP) {
    *z = s->to;
    return;
  }
  said(w, s->of, form);
  LoopReal v = value_of(form, w->z, w->c.width);
  if (s->kind == SIGNAL_HELD) {
    *z = v;
    return;
  }
  LoopReal e = v - value_of(w->now->field.measure[s->measured], w->z, w->c.width);
  LoopReal x = w->memory[k];
  *z = s->kp * e + x;
  w->limit[k] = *z > s->upper ? 1 : *z < s->lower ? -1 : 0;
  x += s->period * (s->ki * e);
  w->memory[k] = x > s->upper ? s->upper : x < s->lower ? s->lower : x;
}

/* A period begins: on, unless it begins above. */
static void begin_peak(Walk *w, int k)
{
  const LoopGate *g = &w->l->gate[k];
  LoopReal form[LOOP_WIDTH] = {0};
  error_form(w, g, form);
  w->raw[k] = value_of(form, w->z, w->c.width) >= 0;
}

static void pass_gate(Walk *w, int k)
{
  const LoopGate *g = &w->l->gate[k];
  if (g->kind == GATE_DELAY) {
    w->due[k] = NEVER;
  } else if (g->kind == GATE_PWM) {
    w->part[k]++;
    if (!g->triangle) { /* the carrier falls to 0 */
      LoopReal form[LOOP_WIDTH] = {0};
      said(w, g->signal, form);
      w->raw[k] = value_of(form, w->z, w->c.width) > 0;
    }
  } else if (w->t == tick_of(w, peak_begin(g, w->part[k] + 1))) {
    w->part[k]++;
    begin_peak(w, k);
  } else {
    w->raw[k] = 0; /* the largest duty */
  }
}

/* All that is due now: samples meet what was, then carriers begin. */
static TruthKind pass(Walk *w)
{
  gboolean due[LOOP_GATES];
  for (int k = 0; k < w->l->gates; k++) {
    due[k] = gate_tick(w, k) == w->t;
  }
  for (int k = 0; k < w->l->signals; k++) {
    if (sample_tick(w, k) == w->t) {
      sample(w, k);
    }
  }
  for (int k = 0; k < w->l->gates; k++) {
    if (due[k]) {
      guint8 before = w->raw[k];
      pass_gate(w, k);
      if (w->raw[k] != before || w->l->gate[k].kind == GATE_DELAY) {
        log_toggle(w, "gate", k, w->l->gate[k].kind == GATE_DELAY || w->raw[k]);
      }
    }
  }
  follow(w);
  return settle(w);
}

/* Steps ------------------------------------------------------------------------------------------
 */

typedef enum { SMOOTH, ROUGH, FALLS } Look;

/* Whether a curve of values Z and slopes D, right at both ends of H, may dip below -NOISE between:
 * its tangents meet there. */
static gboolean may_dip(const double *z, const double *d, double h, double noise)
{
  double z0 = z[0], d0 = d[0], z1 = z[1], d1 = d[1];
  if (d0 >= 0 || d1 <= 0) {
    return FALSE;
  }
  double at = (z1 - z0 - d1 * h) / (d0 - d1);
  return z0 + d0 * at < -noise;
}

static Look look_at(const Walk *w, const Watch *x, const LoopReal *mid, const LoopReal *end,
                    int level)
{
  double z[3], d[3], h = ldexp(w->l->stop / TICKS, level);
  const LoopReal *at[] = {w->z, mid, end};
  for (int k = 0; k < 3; k++) {
    z[k] = (double)(x->sign * value_of(x->value, at[k], w->c.width));
    d[k] = (double)(x->sign * value_of(x->slope, at[k], w->c.width));
  }
  double expected = (z[0] + z[2]) / 2 + h / 8 * (d[0] - d[2]);
  double scale = fmax(fabs(z[0]), fmax(fabs(z[1]), fabs(z[2])));
  double noise = 10 * noise_of(x->value, w->z, w->c.width);
  if (fabs(expected - z[1]) > 0.01 / w->careful * scale + noise && level > 1) {
    return ROUGH;
  }
  if (z[1] < -noise || z[2] < -noise) {
    return FALLS;
  }
  gboolean dips = may_dip(z, d, h / 2, noise) || may_dip(z + 1, d + 1, h / 2, noise);
  return dips && level > 1 ? ROUGH : SMOOTH;
}

/* To the first tick at which something is wrong; it is less than 2^LEVEL away. */
static void fall(Walk *w, int level)
{
  LoopReal z[LOOP_WIDTH] = {0};
  for (int k = level - 1; k >= 0; k--) {
    advance(w, w->z, k, z);
    if (first_wrong(w, z) == NULL) {
      memcpy(w->z, z, sizeof z);
      w->t += (gint64)1 << k;
    }
  }
  advance(w, w->z, 0, z);
  memcpy(w->z, z, sizeof z);
  w->t++;
}

/* A step of two halves. TRUE: the configuration has ended with it. */
static gboolean step(Walk *w, int level)
{
  LoopReal mid[LOOP_WIDTH] = {0}, end[LOOP_WIDTH] = {0};
  Look all = SMOOTH;
  advance(w, w->z, level - 1, mid);
  advance(w, mid, level - 1, end);
  for (int k = 0; k < w->watches && all != ROUGH; k++) {
    Look one = look_at(w, &w->watch[k], mid, end, level);
    all = one == SMOOTH ? all : one;
  }
  if (all == ROUGH) {
    w->level = level - 1;
    return FALSE;
  }
  if (all == FALLS) {
    fall(w, level);
    return TRUE;
  }
  memcpy(w->z, end, sizeof end);
  w->t += (gint64)1 << level;
  w->level = MIN(level + 1, LEVELS - 1);
  return FALSE;
}

/* A single tick, for what is left of an odd number. */
static gboolean single(Walk *w)
{
  LoopReal end[LOOP_WIDTH] = {0};
  advance(w, w->z, 0, end);
  memcpy(w->z, end, sizeof end);
  w->t++;
  return first_wrong(w, w->z) != NULL;
}

/* To UNTIL, or to where something turns: it may have made an instant that comes first. */
static TruthKind walk_to(Walk *w, gint64 until)
{
  while (w->t < until) {
    gint64 left = until - w->t;
    int level = w->level, most = 62;
    while (left < ((gint64)1 << most)) {
      most--;
    }
    gboolean ended = most == 0 ? single(w) : step(w, MIN(level, most));
    w->level = most < level && w->level > most ? level : w->level;
    if (++w->steps > MOST_STEPS) {
      return TRUTH_TOO_LONG;
    }
    if (ended) {
      return settle(w);
    }
  }
  return TRUTH_OK;
}

/* Runs -------------------------------------------------------------------------------------------
 */

static void start_signals(Walk *w)
{
  for (int k = 0; k < w->l->signals; k++) {
    const LoopSignal *s = &w->l->signal[k];
    LoopReal *z = &w->z[w->c.at[k]];
    if (s->kind == SIGNAL_SINE) {
      z[0] = s->amplitude * sin(s->phase);
      z[1] = s->amplitude * cos(s->phase);
    } else if (s->kind == SIGNAL_STEP) {
      z[0] = s->value;
    } else if (s->kind == SIGNAL_PI) {
      z[0] = s->initial;
      w->memory[k] = s->initial;
    }
  }
}

static void start_gates(Walk *w)
{
  for (int k = 0; k < w->l->gates; k++) {
    const LoopGate *g = &w->l->gate[k];
    w->due[k] = NEVER;
    if (g->kind == GATE_PWM) {
      w->part[k] = (gint64)floor(-g->shift * (g->triangle ? 2 : 1) + 1e-12);
      LoopReal form[LOOP_WIDTH] = {0};
      said(w, g->signal, form);
      subtract_carrier(w, k, form);
      w->raw[k] = value_of(form, w->z, w->c.width) > 0;
    } else if (g->kind == GATE_HYSTERESIS) {
      LoopReal form[LOOP_WIDTH] = {0};
      error_form(w, g, form);
      w->raw[k] = value_of(form, w->z, w->c.width) > g->band / 2;
    } else if (g->kind == GATE_PEAK && g->shift > 0) {
      w->part[k] = -1;
    }
  }
}

static void start_peaks(Walk *w)
{
  for (int k = 0; k < w->l->gates; k++) {
    if (w->l->gate[k].kind == GATE_PEAK && w->part[k] == 0) {
      begin_peak(w, k);
    }
  }
}

/* OFF: by how much states start elsewhere, a part of themselves. */
static TruthKind start(Walk *w, double off)
{
  for (int k = 0; k < w->l->states; k++) {
    double x0 = loop_state(w->l, k)->x0;
    w->z[k] = x0 + (LoopReal)off * (k % 2 ? 1 : -0.7) * (x0 != 0 ? x0 : 1);
  }
  w->z[w->c.one] = 1;
  start_signals(w);
  if (!take_ladder(w)) {
    return TRUTH_SINGULAR;
  }
  for (int k = 0; k < w->l->signals; k++) {
    if (sample_tick(w, k) == 0) {
      sample(w, k);
    }
  }
  start_gates(w);
  follow(w);
  TruthKind kind = settle(w);
  if (kind == TRUTH_OK) {
    start_peaks(w);
    follow(w);
    kind = settle(w);
  }
  return kind;
}

static void note(Walk *w, int k)
{
  for (int i = 0; i < w->l->states; i++) {
    w->out->x[k][i] = (double)w->z[i];
    w->out->peak[i] = fmax(w->out->peak[i], fabs(w->out->x[k][i]));
  }
}

static TruthKind walk(Walk *w, double off)
{
  TruthKind kind = start(w, off);
  for (int k = 0; k < LOOP_SAMPLES && kind == TRUTH_OK;) {
    gint64 until = (k + 1) * (TICKS / LOOP_SAMPLES), next = next_tick(w);
    g_assert(next > w->t);
    kind = walk_to(w, MIN(next, until));
    if (kind == TRUTH_OK && w->t == next) {
      kind = pass(w);
    }
    if (w->t == until) {
      note(w, k++);
    }
  }
  return kind;
}

static double growth_of(const Loop *l, const Truth *a, const Truth *b)
{
  double most = 0;
  for (int k = 0; k < LOOP_SAMPLES; k++) {
    for (int i = 0; i < l->states; i++) {
      most = fmax(most, fabs(a->x[k][i] - b->x[k][i]) / fmax(a->peak[i], 1e-30));
    }
  }
  return most / START_OFF;
}

static Walk *walk_new(const Loop *l, double careful, GPtrArray *ladders, Truth *out)
{
  Walk *w = g_new0(Walk, 1);
  w->l = l;
  w->careful = careful;
  w->out = out;
  w->ladders = ladders;
  loop_columns(l, &w->c);
  return w;
}

Truth *truth_new(const Loop *l, double careful, GArray *log)
{
  GPtrArray *ladders = g_ptr_array_new_with_free_func(free_ladder);
  Truth *t = g_new0(Truth, 1), *beside = g_new0(Truth, 1);
  Walk *w = walk_new(l, careful, ladders, t);
  t->log = log;
  t->kind = walk(w, 0);
  t->configurations = (int)ladders->len;
  g_free(w);
  if (t->kind == TRUTH_OK) {
    w = walk_new(l, careful, ladders, beside);
    TruthKind kind = walk(w, START_OFF);
    t->growth = kind == TRUTH_OK ? growth_of(l, t, beside) : INFINITY;
    t->kind = t->growth > MOST_GROWTH ? TRUTH_GROWS : TRUTH_OK;
    g_free(w);
  }
  g_free(beside);
  g_ptr_array_free(ladders, TRUE);
  return t;
}

const char *truth_words(TruthKind kind)
{
  static const char *const words[] = {"ok",
                                      "its laws leave something open",
                                      "no set of diodes fits",
                                      "slides",
                                      "too long",
                                      "what differs in the 13th digit differs in the 7th"};
  return words[kind];
}
