/* Square: high for a part of each period. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double low, high, frequency, duty, start;
} Square;

static gboolean square_init(void *state, double t, const HySetup *setup, GError **error)
{
  Square *s = state;
  if (!hy_wave_finite("frequency", s->frequency, error) ||
      !hy_wave_finite("start", s->start, error)) {
    return FALSE;
  }
  s->wave.T = 1 / s->frequency;
  s->wave.phase = s->start / s->wave.T;
  s->wave.before = s->low;
  s->wave.n = 2;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->high};
  s->wave.few[1] = (HyCorner){.at = s->duty, .value = s->low};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam square_params[] = {
    {.name = "low",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Square, low),
     .doc = "the smaller value"},
    {.name = "high",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Square, high),
     .value = 1,
     .doc = "the larger value"},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Square, frequency),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz",
     .doc = "periods per second"},
    {.name = "duty",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Square, duty),
     .value = 0.5,
     .range = HY_UNIT_INTERVAL,
     .doc = "the part of a period that is high"},
    {.name = "start",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Square, start),
     .unit = "s",
     .doc = "of the first period; before it: low"},
    {.name = NULL},
};
const HyAtomicClass hy_square_class = {
    .name = "square",
    .doc = "high for duty/frequency, then low; edges at start + k/frequency",
    .palette = "Sources",
    .example = "<square name=\"clock\" frequency=\"1k\"/>",
    .out = hy_wave_out,
    .params = square_params,
    .state_size = sizeof(Square),
    .init = square_init,
    .next = hy_wave_next,
    .lambda = hy_wave_lambda,
    .dint = hy_wave_dint,
    .print = hy_wave_print,
};
