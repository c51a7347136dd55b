/* Sawtooth: rises in each period and falls at its end. */
#include "atomics.h"
#include "sources/wave.h"

static gboolean sawtooth_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyPeriodic *s = state;
  if (!hy_periodic_init(s, error)) {
    return FALSE;
  }
  s->wave.n = 1;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->low, .slope = (s->high - s->low) * s->frequency};
  return hy_wave_init(&s->wave, t, setup, error);
}

const HyAtomicClass hy_sawtooth_class = {
    .name = "sawtooth",
    .doc = "rises from low to high in every period",
    .palette = "Sources",
    .example = "<sawtooth name=\"carrier\" frequency=\"10k\"/>",
    .params = hy_periodic_params,
    .init = sawtooth_init,
    HY_WAVE_CLASS(HyPeriodic),
};
