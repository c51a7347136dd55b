/* Constant: a value from the start on. */
#include "atomics.h"
#include "sources/wave.h"

typedef struct {
  HyWave wave; /* first */
  double value;
} Constant;

static gboolean constant_init(void *state, double t, const HySetup *setup, GError **error)
{
  Constant *s = state;
  if (!hy_wave_finite("value", s->value, error)) {
    return FALSE;
  }
  s->wave.before = s->value;
  return hy_wave_init(&s->wave, t, setup, error);
}

static const HyParam constant_params[] = {
    HY_PARAM(Constant, value, .required = TRUE, .doc = "the value"),
    {.name = NULL},
};
const HyAtomicClass hy_constant_class = {
    .name = "constant",
    .doc = "value, once, at the start",
    .palette = "Functions",
    .example = "<constant name=\"one\" value=\"1\"/>",
    .params = constant_params,
    .init = constant_init,
    HY_WAVE_CLASS(Constant),
};
