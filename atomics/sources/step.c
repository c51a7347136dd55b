/* Step: one value, then another. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double from, to, at;
} Step;

static gboolean step_init(void *state, double t, const HySetup *setup, GError **error)
{
  Step *s = state;
  s->wave.before = s->from;
  s->wave.n = 1;
  s->wave.few[0] = (HyCorner){.at = s->at, .value = s->to};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam step_params[] = {
    HY_PARAM(Step, from, .doc = "before"),
    HY_PARAM(Step, to, .value = 1, .doc = "after"),
    HY_PARAM(Step, at, .unit = "s", .doc = "when"),
    {.name = NULL},
};
const HyAtomicClass hy_step_class = {
    .name = "step",
    .doc = "from, then to at t = at",
    .palette = "Sources",
    .example = "<step name=\"load\" from=\"1\" to=\"2\" at=\"0.5\"/>",
    .params = step_params,
    .init = step_init,
    HY_WAVE_CLASS(Step),
};
