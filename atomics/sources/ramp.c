/* Ramp: from one value to another within a time. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double start, duration, height, offset;
} Ramp;

static gboolean ramp_init(void *state, double t, const HySetup *setup, GError **error)
{
  Ramp *s = state;
  if (!hy_wave_finite("start", s->start, error) ||
      !hy_wave_finite("duration", s->duration, error)) {
    return FALSE;
  }
  s->wave.before = s->offset;
  s->wave.n = 2;
  s->wave.few[0] = (HyCorner){.at = s->start, .value = s->offset, .slope = s->height / s->duration};
  s->wave.few[1] = (HyCorner){.at = s->start + s->duration, .value = s->offset + s->height};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam ramp_params[] = {
    HY_PARAM(Ramp, start, .unit = "s", .doc = "when it begins to rise"),
    HY_PARAM(Ramp, duration, .value = 1, .range = HY_POSITIVE, .unit = "s", .doc = "of the rise"),
    HY_PARAM(Ramp, height, .value = 1, .doc = "of the rise"),
    HY_PARAM(Ramp, offset, .doc = "the value before"),
    HY_DQREL(Ramp, wave.dqrel),
    HY_DQMIN(Ramp, wave.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_ramp_class = {
    .name = "ramp",
    .doc = "rises by height within duration",
    .palette = "Sources",
    .example = "<ramp name=\"ref\" start=\"1\" duration=\"2\" height=\"5\"/>",
    .params = ramp_params,
    .init = ramp_init,
    HY_WAVE_CLASS(Ramp),
};
