/* Trapezoid: rises, stays, falls, stays. */
#include "atomics.h"
#include "hydevs/error.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double low, high, up, down, rise, fall, start;
} Trapezoid;

/* A jump has no piece of its own. */
static double slope(double height, double time)
{
  return time > 0 ? height / time : 0;
}

static gboolean trapezoid_init(void *state, double t, const HySetup *setup, GError **error)
{
  Trapezoid *s = state;
  double period = s->rise + s->up + s->fall + s->down, height = s->high - s->low;
  if (!(period > 0) || !isfinite(period)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "rise + up + fall + down must be above 0 and finite");
    return FALSE;
  }
  s->wave.T = period;
  s->wave.start = s->start;
  s->wave.before = s->low;
  s->wave.n = 4;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->low, .slope = slope(height, s->rise)};
  s->wave.few[1] = (HyCorner){.at = s->rise / period, .value = s->high};
  s->wave.few[2] = (HyCorner){
      .at = (s->rise + s->up) / period, .value = s->high, .slope = slope(-height, s->fall)};
  s->wave.few[3] = (HyCorner){.at = (s->rise + s->up + s->fall) / period, .value = s->low};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam trapezoid_params[] = {
    HY_LOW_HIGH(Trapezoid, low, high),
    HY_PARAM(Trapezoid, up, .value = 1, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "time at high"),
    HY_PARAM(Trapezoid, down, .value = 1, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "time at low"),
    HY_PARAM(Trapezoid, rise, .value = 0.1, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "time from low to high"),
    HY_PARAM(Trapezoid, fall, .value = 0.1, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "time from high to low"),
    HY_START(Trapezoid, start),
    HY_DQREL(Trapezoid, wave.dqrel),
    HY_DQMIN(Trapezoid, wave.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_trapezoid_class = {
    .name = "trapezoid",
    .doc = "rises, stays high, falls, stays low, again and again",
    .palette = "Sources",
    .example = "<trapezoid name=\"ref\" rise=\"0.1\" up=\"1\" fall=\"0.1\" down=\"1\"/>",
    .params = trapezoid_params,
    .init = trapezoid_init,
    HY_WAVE_CLASS(Trapezoid),
};
