/* Triangle: rises for half of each period, then falls. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double low, high, frequency, start;
} Triangle;

static gboolean triangle_init(void *state, double t, const HySetup *setup, GError **error)
{
  Triangle *s = state;
  if (!hy_wave_finite("frequency", s->frequency, error) ||
      !hy_wave_finite("start", s->start, error)) {
    return FALSE;
  }
  s->wave.T = 1 / s->frequency;
  s->wave.phase = s->start / s->wave.T;
  s->wave.before = s->low;
  double slope = 2 * (s->high - s->low) * s->frequency;
  s->wave.n = 2;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->low, .slope = slope};
  s->wave.few[1] = (HyCorner){.at = 0.5, .value = s->high, .slope = -slope};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam triangle_params[] = {
    {.name = "low",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Triangle, low),
     .doc = "the smaller value"},
    {.name = "high",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Triangle, high),
     .value = 1,
     .doc = "the larger value"},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Triangle, frequency),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz",
     .doc = "periods per second"},
    {.name = "start",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Triangle, start),
     .unit = "s",
     .doc = "of the first period; before it: low"},
    HY_DQREL(Triangle, wave.dqrel),
    HY_DQMIN(Triangle, wave.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_triangle_class = {
    .name = "triangle",
    .doc = "up and down between low and high",
    .palette = "Sources",
    .example = "<triangle name=\"carrier\" frequency=\"10k\"/>",
    .out = hy_wave_out,
    .params = triangle_params,
    .state_size = sizeof(Triangle),
    .init = triangle_init,
    .next = hy_wave_next,
    .lambda = hy_wave_lambda,
    .dint = hy_wave_dint,
    .print = hy_wave_print,
};
