/* Square: high for a part of each period. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyPeriodic periodic; /* first */
  double duty;
} Square;

static gboolean square_init(void *state, double t, const HySetup *setup, GError **error)
{
  Square *s = state;
  HyPeriodic *p = &s->periodic;
  if (!hy_periodic_init(p, error)) {
    return FALSE;
  }
  p->wave.n = 2;
  p->wave.few[0] = (HyCorner){.at = 0, .value = p->high};
  p->wave.few[1] = (HyCorner){.at = s->duty, .value = p->low};
  return hy_wave_init(&p->wave, t, setup, error);
}

static const HyParam square_params[] = {
    HY_LOW_HIGH(Square, periodic.low, periodic.high),
    HY_FREQUENCY(Square, periodic.frequency),
    HY_PARAM(Square, duty, .value = 0.5, .range = HY_UNIT_INTERVAL,
             .doc = "the part of a period that is high"),
    HY_START(Square, periodic.start),
    {.name = NULL},
};
const HyAtomicClass hy_square_class = {
    .name = "square",
    .doc = "high for duty/frequency, then low; edges at start + k/frequency",
    .palette = "Sources",
    .example = "<square name=\"clock\" frequency=\"1k\"/>",
    .params = square_params,
    .init = square_init,
    HY_WAVE_CLASS(Square),
};
