/* Triangle: rises for half of each period, then falls. */
#include "atomics.h"
#include "sources/wave.h"

static gboolean triangle_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyPeriodic *s = state;
  if (!hy_periodic_init(s, error)) {
    return FALSE;
  }
  double slope = 2 * (s->high - s->low) * s->frequency;
  s->wave.n = 2;
  s->wave.few[0] = (HyCorner){.at = 0, .value = s->low, .slope = slope};
  s->wave.few[1] = (HyCorner){.at = 0.5, .value = s->high, .slope = -slope};
  return hy_wave_init(&s->wave, t, setup, error);
}

const HyAtomicClass hy_triangle_class = {
    .name = "triangle",
    .doc = "up and down between low and high",
    .palette = "Sources",
    .example = "<triangle name=\"carrier\" frequency=\"10k\"/>",
    .params = hy_periodic_params,
    .init = triangle_init,
    HY_WAVE_CLASS(HyPeriodic),
};
