#include "exact.h"

#include <math.h>
#include <string.h>

#define LEVELS     51      /* steps of 1, 2, 4 .. ticks */
#define MOST_STEPS 2000000 /* in a run */
#define MOST_PUT   1000    /* toggles at one instant */

/* A field and exp(rate 2^k ticks) - 1 of it: with the 1 taken away, what is slow keeps its digits
 * beside what is fast. */
typedef struct {
  Field field;
  Real *step[LEVELS];
} Ladder;

typedef struct {
  const Circuit *c;
  GPtrArray *ladders; /* all configurations so far */
  Ladder *now;
  Modes modes;
  int width, level; /* level: of the next step to try */
  int first_level;  /* after an event */
  gint64 t;
  Real x[MOST_WIDTH];
  double careful;
  int toggles, steps;
} Walk;

/* Ladders ----------------------------------------------------------------------------------------
 */

static void multiply(int n, const Real *a, const Real *b, Real *out)
{
  for (int i = 0; i < n; i++) {
    Real row[MOST_WIDTH] = {0};
    for (int k = 0; k < n; k++) {
      Real v = a[i * n + k];
      for (int j = 0; j < n && v != 0; j++) {
        row[j] += v * b[k * n + j];
      }
    }
    for (int j = 0; j < n; j++) {
      out[i * n + j] = row[j];
    }
  }
}

/* exp(rate tick) - 1 by its series: a tick is short. */
static Real *first_step(const Field *f, double stop)
{
  int n = f->width, size = n * n;
  Real *a = g_new0(Real, size), *term = g_new0(Real, size), *sum = g_new0(Real, size);
  for (int k = 0; k < size; k++) {
    a[k] = term[k] = sum[k] = f->rate[k / n][k % n] * stop / TICKS;
  }
  for (int order = 2; order < 20; order++) {
    multiply(n, term, a, term);
    for (int k = 0; k < size; k++) {
      term[k] /= order;
      sum[k] += term[k];
    }
  }
  g_free(a);
  g_free(term);
  return sum;
}

static void make_steps(Ladder *l, double stop)
{
  int n = l->field.width, size = n * n;
  l->step[0] = first_step(&l->field, stop);
  for (int k = 1; k < LEVELS; k++) {
    const Real *half = l->step[k - 1];
    l->step[k] = g_new0(Real, size);
    multiply(n, half, half, l->step[k]);
    for (int i = 0; i < size; i++) {
      l->step[k][i] += 2 * half[i];
    }
  }
}

static void free_ladder(gpointer ladder)
{
  Ladder *l = ladder;
  for (int k = 0; k < LEVELS; k++) {
    g_free(l->step[k]);
  }
  g_free(l);
}

/* The ladder of the walk's modes. FALSE: it cannot be made. Steps only where one is to be made. */
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
  g_ptr_array_add(w->ladders, w->now);
  return field_init(&w->now->field, w->c, &w->modes);
}

static void advance(const Walk *w, const Real *from, int level, Real *to)
{
  const Real *step = w->now->step[level];
  for (int i = 0; i < w->width; i++, step += w->width) {
    to[i] = from[i] + form_value(step, from, w->width);
  }
}

/* Modes ------------------------------------------------------------------------------------------
 */

/* The first diode that is wrong changes, until none is: the least index rule of Murty. */
static gboolean settle_diodes(Walk *w)
{
  for (int put = 0; put < MOST_PUT; put++) {
    const Watch *wrong = NULL;
    if (!take_ladder(w)) {
      return FALSE;
    }
    for (int k = 0; k < w->now->field.watches && wrong == NULL; k++) {
      const Watch *watch = &w->now->field.watch[k];
      if (watch->diode >= 0 && watch_is_wrong(watch, w->x, w->width)) {
        wrong = watch;
      }
    }
    if (wrong == NULL) {
      return TRUE;
    }
    w->modes.diode[wrong->diode] ^= 1;
    w->toggles++;
  }
  return FALSE;
}

/* A relay that has toggled and is driven back at once slides. */
static gboolean set_relay(Walk *w, int k, RelayMode mode)
{
  RelayMode before = (RelayMode)w->modes.relay[k];
  const Relay *r = &w->c->relay[k];
  w->modes.relay[k] = (guint8)mode;
  w->toggles++;
  if (before == RELAY_SLIDES || r->lower != r->upper || !settle_diodes(w)) {
    return settle_diodes(w);
  }
  for (int i = 0; i < w->now->field.watches; i++) {
    const Watch *watch = &w->now->field.watch[i];
    if (watch->relay == k && watch->sign * form_value(watch->slope, w->x, w->width) < 0) {
      w->modes.relay[k] = RELAY_SLIDES;
      return settle_diodes(w);
    }
  }
  return TRUE;
}

/* All modes fit the states. */
static gboolean settle(Walk *w)
{
  w->level = w->first_level;
  for (int put = 0; put < MOST_PUT; put++) {
    const Watch *wrong = NULL;
    if (!settle_diodes(w)) {
      return FALSE;
    }
    for (int k = 0; k < w->now->field.watches && wrong == NULL; k++) {
      const Watch *watch = &w->now->field.watch[k];
      wrong = watch->relay >= 0 && watch_is_wrong(watch, w->x, w->width) ? watch : NULL;
    }
    if (wrong == NULL) {
      if (w->now->step[0] == NULL) {
        make_steps(w->now, w->c->stop);
      }
      return TRUE;
    }
    if (!set_relay(w, wrong->relay, wrong->then)) {
      return FALSE;
    }
  }
  return FALSE;
}

/* Steps ------------------------------------------------------------------------------------------
 */

typedef enum { SMOOTH, ROUGH, ENDS_FIRST, ENDS_SECOND } Look;

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

static Look look_at(const Walk *w, const Watch *watch, const Real *mid, const Real *end, int level)
{
  double z[3], d[3], h = ldexp(w->c->stop / TICKS, level);
  const Real *at[] = {w->x, mid, end};
  for (int k = 0; k < 3; k++) {
    z[k] = (double)(watch->sign * form_value(watch->value, at[k], w->width));
    d[k] = (double)(watch->sign * form_value(watch->slope, at[k], w->width));
  }
  double expected = (z[0] + z[2]) / 2 + h / 8 * (d[0] - d[2]);
  double scale = fmax(fabs(z[0]), fmax(fabs(z[1]), fabs(z[2])));
  double noise = 10 * form_noise(watch->value, w->x, w->width);
  if (fabs(expected - z[1]) > 0.01 / w->careful * scale + noise && level > 1) {
    return ROUGH;
  }
  if (watch_is_wrong(watch, mid, w->width)) {
    return ENDS_FIRST;
  }
  if (watch_is_wrong(watch, end, w->width)) {
    return ENDS_SECOND;
  }
  gboolean dips = may_dip(z, d, h / 2, noise) || may_dip(z + 1, d + 1, h / 2, noise);
  return dips && level > 1 ? ROUGH : SMOOTH;
}

static gboolean any_is_wrong(const Walk *w, const Real *x)
{
  const Field *f = &w->now->field;
  for (int k = 0; k < f->watches; k++) {
    if (watch_is_wrong(&f->watch[k], x, w->width)) {
      return TRUE;
    }
  }
  return FALSE;
}

static void go(Walk *w, const Real *x, gint64 ticks)
{
  memcpy(w->x, x, sizeof w->x);
  w->t += ticks;
}

/* A step of two halves. *ENDED: the configuration does not fit any more at its end. */
static void step(Walk *w, int level, gboolean *ended)
{
  Real mid[MOST_WIDTH] = {0}, end[MOST_WIDTH] = {0};
  const Field *f = &w->now->field;
  Look all = SMOOTH;
  advance(w, w->x, level - 1, mid);
  advance(w, mid, level - 1, end);
  for (int k = 0; k < f->watches && all != ROUGH; k++) {
    Look one = look_at(w, &f->watch[k], mid, end, level);
    all = one == SMOOTH ? all : all == SMOOTH || one < all ? one : all;
  }
  if (all == SMOOTH) {
    go(w, end, (gint64)1 << level);
    w->level = MIN(level + 1, LEVELS - 1);
  } else if (all == ENDS_SECOND || (all == ENDS_FIRST && level == 1)) {
    go(w, mid, (gint64)1 << (level - 1));
    w->level = MAX(level - 1, 1);
  } else {
    w->level = level - 1;
  }
  *ended = all != SMOOTH && level == 1 && any_is_wrong(w, w->x);
}

/* A single tick, for what is left of an odd number. */
static gboolean single(Walk *w)
{
  Real end[MOST_WIDTH] = {0};
  advance(w, w->x, 0, end);
  go(w, end, 1);
  return any_is_wrong(w, w->x);
}

/* To UNTIL, with all that diodes and relays do on the way. */
static gboolean walk_to(Walk *w, gint64 until)
{
  while (w->t < until) {
    gint64 left = until - w->t;
    int level = w->level, most = 62;
    gboolean ended = FALSE;
    while (left < ((gint64)1 << most)) {
      most--;
    }
    if (most == 0) {
      ended = single(w);
    } else {
      step(w, MIN(level, most), &ended);
      w->level = most < level && w->level > most ? level : w->level;
    }
    if (++w->steps > MOST_STEPS || (ended && !settle(w))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* A relay begins low up to its upper level; it reads states only. */
static void start_relays(Walk *w)
{
  for (int k = 0; k < w->c->relays; k++) {
    const Relay *r = &w->c->relay[k];
    Real form[MOST_WIDTH] = {0};
    if (form_read(w->c, &w->modes, r->formula, form)) {
      w->modes.relay[k] = form_value(form, w->x, w->width) > r->upper ? RELAY_HIGH : RELAY_LOW;
    }
  }
}

static gboolean walk_all(Walk *w, Exact *e)
{
  gint64 sample = TICKS / e->samples, edge = gates_next(w->c, 0);
  int n = w->c->states;
  gates_set(w->c, 0, &w->modes);
  start_relays(w);
  if (!settle(w)) {
    return FALSE;
  }
  for (int k = 0; k < e->samples; k++) {
    gint64 until = (k + 1) * sample;
    while (edge < until) {
      if (!walk_to(w, edge)) {
        return FALSE;
      }
      gates_set(w->c, edge, &w->modes);
      if (!settle(w)) {
        return FALSE;
      }
      edge = gates_next(w->c, edge);
    }
    if (!walk_to(w, until)) {
      return FALSE;
    }
    for (int i = 0; i < n; i++) {
      e->x[k * n + i] = (double)w->x[i];
    }
  }
  return TRUE;
}

/* ------------------------------------------------------------------------------------------------
 */

static void start(Walk *w, const Circuit *c)
{
  w->width = form_width(c);
  for (int k = 0; k < c->states; k++) {
    w->x[k] = c->state[k].x0;
  }
  for (int k = 0; k < c->sines; k++) {
    w->x[form_sine(c, k)] = c->sine[k].amplitude * sin(c->sine[k].phase);
    w->x[form_sine(c, k) + 1] = c->sine[k].amplitude * cos(c->sine[k].phase);
  }
  w->x[form_one(c)] = 1;
  w->first_level = 12;
  w->ladders = g_ptr_array_new_with_free_func(free_ladder);
}

Exact *exact_new(const Circuit *c, int samples, double careful)
{
  Walk w = {.c = c, .careful = careful};
  Exact *e = g_new0(Exact, 1);
  if (form_width(c) > MOST_WIDTH) {
    g_free(e);
    return NULL;
  }
  start(&w, c);
  e->samples = samples;
  e->x = g_new0(double, (gsize)samples *(gsize)c->states);
  gboolean ok = walk_all(&w, e);
  e->toggles = w.toggles;
  e->configurations = (int)w.ladders->len;
  g_ptr_array_free(w.ladders, TRUE);
  if (!ok) {
    exact_free(e);
    return NULL;
  }
  return e;
}

void exact_free(Exact *e)
{
  if (e != NULL) {
    g_free(e->x);
    g_free(e);
  }
}
