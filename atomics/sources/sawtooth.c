/* Sawtooth: rises in each period and falls at its end. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double low, high, frequency, start;
} Sawtooth;

static gboolean sawtooth_init(void *state, double t, const HySetup *setup, GError **error)
{
  Sawtooth *s = state;
  if (!hy_wave_finite("frequency", s->frequency, error) ||
      !hy_wave_finite("start", s->start, error)) {
    return FALSE;
  }
  s->wave.T = 1 / s->frequency;
  s->wave.phase = s->start / s->wave.T;
  s->wave.before = s->low;
  s->wave.n = 1;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->low, .slope = (s->high - s->low) * s->frequency};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam sawtooth_params[] = {
    {.name = "low",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Sawtooth, low),
     .doc = "the smaller value"},
    {.name = "high",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Sawtooth, high),
     .value = 1,
     .doc = "the larger value"},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Sawtooth, frequency),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz",
     .doc = "periods per second"},
    {.name = "start",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Sawtooth, start),
     .unit = "s",
     .doc = "of the first period; before it: low"},
    HY_DQREL(Sawtooth, wave.dqrel),
    HY_DQMIN(Sawtooth, wave.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_sawtooth_class = {
    .name = "sawtooth",
    .doc = "rises from low to high in every period",
    .palette = "Sources",
    .example = "<sawtooth name=\"carrier\" frequency=\"10k\"/>",
    .out = hy_wave_out,
    .params = sawtooth_params,
    .state_size = sizeof(Sawtooth),
    .init = sawtooth_init,
    .next = hy_wave_next,
    .lambda = hy_wave_lambda,
    .dint = hy_wave_dint,
    .print = hy_wave_print,
};
