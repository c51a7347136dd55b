/* Straight lines between corners: which corner comes next, and when. A model of first order gets a
 * staircase in place of a slope, each step within the tolerance. */
#include "sources/wave.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

static const HyCorner *corner(const HyWave *w, gsize i)
{
  return w->many != NULL ? &w->many[i] : &w->few[i];
}

static double instant(const HyWave *w, double k, gssize i)
{
  if (i < 0) {
    return -INFINITY;
  }
  if (w->T == 0) {
    return (gsize)i < w->n ? corner(w, (gsize)i)->at : INFINITY;
  }
  return (gsize)i < w->n ? hy_beat(&w->beats, k, w->part_of[i])
                         : hy_beat(&w->beats, k + 1, w->part_of[0]);
}

/* Corners without length, such as the falling edge of a square with duty 0 or 1, never were. */
static void drop_empty(HyWave *w)
{
  HyCorner *c = w->many != NULL ? w->many : w->few;
  gsize kept = 0;
  for (gsize i = 0; i < w->n; i++) {
    double end = i + 1 < w->n ? c[i + 1].at : w->T > 0 ? c[0].at + 1 : INFINITY;
    if (end > c[i].at) {
      c[kept++] = c[i];
    }
  }
  w->n = kept;
  if (w->T > 0 && kept == 1 && c[0].slope == 0) {
    c[0].at = hy_beat(&w->beats, 0, hy_ratio(c[0].at));
    w->T = 0;
  }
}

/* The piece that holds at t. */
static void locate(HyWave *w, double t)
{
  w->k = 0;
  w->i = -1;
  if (w->n == 0 || t < instant(w, 0, 0)) {
    return;
  }
  if (w->T > 0) {
    w->k = hy_beat_before(&w->beats, w->part_of[0], t);
  }
  gsize low = 0, high = w->n; /* by halving: the last corner at or before t */
  while (high - low > 1) {
    gsize middle = low + (high - low) / 2;
    if (instant(w, w->k, (gssize)middle) <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  w->i = (gssize)low;
}

/* How many steps the piece takes where slopes do not count, and which of them holds at t. */
static void split(HyWave *w, double t)
{
  double slope = w->i < 0 ? 0 : corner(w, (gsize)w->i)->slope;
  w->part = 0;
  w->parts = 1;
  if (w->order == 1 && slope != 0) {
    double begin = instant(w, w->k, w->i), end = instant(w, w->k, w->i + 1);
    double rise = fabs(slope) * (end - begin);
    w->parts = ceil(rise / fmax(w->dqrel * rise, w->dqmin));
    w->part = fmin(floor((t - begin) / (end - begin) * w->parts), w->parts - 1);
  }
}

gboolean hy_wave_finite(const char *name, double v, GError **error)
{
  char text[HY_DOUBLE_SIZE];
  if (!isfinite(v)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s = %s must be finite", name,
                hy_double_text(text, v));
  }
  return isfinite(v);
}

static gboolean check_corners(const HyWave *w, GError **error)
{
  for (gsize i = 0; i < w->n; i++) {
    const HyCorner *c = corner(w, i);
    if (isnan(c->at) || !isfinite(c->value) || !isfinite(c->slope)) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "its values and times must be finite");
      return FALSE;
    }
  }
  return hy_wave_finite("the value before", w->before, error);
}

gboolean hy_wave_init(HyWave *w, double t, const HySetup *setup, GError **error)
{
  w->order = setup->order;
  if (!check_corners(w, error)) {
    return FALSE;
  }
  if (w->T != 0 && (!hy_beats_countable(w->T, t) || !hy_beats_countable(w->T, w->start))) {
    char period[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "a period of %s s cannot be counted here",
                hy_double_text(period, w->T));
    return FALSE;
  }
  w->beats = hy_beats(w->T, w->start);
  drop_empty(w);
  for (gsize i = 0; i < w->n && w->T > 0; i++) { /* what is periodic has few */
    w->part_of[i] = hy_ratio(w->few[i].at);
  }
  locate(w, t);
  split(w, t);
  w->due = t;
  return TRUE;
}

double hy_wave_next(const void *state)
{
  const HyWave *w = state;
  return w->due;
}

HyEvent hy_wave_lambda(const void *state, double t)
{
  const HyWave *w = state;
  HyEvent y = {.port = 0, .value.c = {w->before}};
  if (w->i >= 0) {
    const HyCorner *c = corner(w, (gsize)w->i);
    y.value.c[0] = c->slope != 0 ? c->value + c->slope * (t - instant(w, w->k, w->i)) : c->value;
    y.value.c[1] = w->order > 1 ? c->slope : 0;
  }
  return y;
}

void hy_wave_dint(void *state, double t)
{
  HyWave *w = state;
  (void)t;
  if (w->part + 1 < w->parts) {
    double begin = instant(w, w->k, w->i), end = instant(w, w->k, w->i + 1);
    w->part++;
    w->due = begin + w->part * ((end - begin) / w->parts);
    return;
  }
  w->due = instant(w, w->k, w->i + 1);
  w->i++;
  if ((gsize)w->i == w->n && w->T > 0) {
    w->i = 0;
    w->k++;
  }
  if (w->due < INFINITY) {
    split(w, w->due);
  }
}

void hy_wave_tape(void *state, HyTape *tape)
{
  HyWave *w = state;
  HY_TAPE(tape, w->k);
  HY_TAPE(tape, w->i);
  HY_TAPE(tape, w->part);
  HY_TAPE(tape, w->parts);
  HY_TAPE(tape, w->due);
  if (w->i < -1 || w->i > (gssize)w->n) {
    w->i = -1;
    hy_tape_reject(tape, "it is at a corner that it does not have");
  }
}

void hy_wave_print(const void *state, GString *out)
{
  const HyWave *w = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, w->due));
}

const HyPort hy_wave_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the value"},
    {.name = NULL},
};

gboolean hy_periodic_init(HyPeriodic *s, GError **error)
{
  if (!hy_wave_finite("frequency", s->frequency, error) ||
      !hy_wave_finite("start", s->start, error)) {
    return FALSE;
  }
  s->wave.T = 1 / s->frequency;
  s->wave.start = s->start;
  s->wave.before = s->low;
  return TRUE;
}

const HyParam hy_periodic_params[] = {
    HY_LOW_HIGH(HyPeriodic, low, high), HY_FREQUENCY(HyPeriodic, frequency),
    HY_START(HyPeriodic, start),        HY_DQREL(HyPeriodic, wave.dqrel),
    HY_DQMIN(HyPeriodic, wave.dqmin),   {.name = NULL},
};
