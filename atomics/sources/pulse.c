/* Pulse: high for a while. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double low, high, start, end;
} Pulse;

static gboolean pulse_init(void *state, double t, const HySetup *setup, GError **error)
{
  Pulse *s = state;
  if (s->end < s->start) {
    char start[HY_DOUBLE_SIZE], end[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "end = %s is before start = %s",
                hy_double_text(end, s->end), hy_double_text(start, s->start));
    return FALSE;
  }
  s->wave.before = s->low;
  s->wave.n = 2;
  s->wave.few[0] = (HyCorner){.at = s->start, .value = s->high};
  s->wave.few[1] = (HyCorner){.at = s->end, .value = s->low};
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam pulse_params[] = {
    HY_PARAM(Pulse, low, .doc = "before and after"),
    HY_PARAM(Pulse, high, .value = 1, .doc = "from start to end"),
    HY_PARAM(Pulse, start, .unit = "s", .doc = "when it rises"),
    HY_PARAM(Pulse, end, .value = 1, .unit = "s", .doc = "when it falls"),
    {.name = NULL},
};
const HyAtomicClass hy_pulse_class = {
    .name = "pulse",
    .doc = "high from start to end, else low",
    .palette = "Sources",
    .example = "<pulse name=\"kick\" start=\"1\" end=\"2\"/>",
    .params = pulse_params,
    .init = pulse_init,
    HY_WAVE_CLASS(Pulse),
};
