/* Sine: Taylor pieces at equal distances, within max(dqrel |amplitude|, dqmin) of the sine. */
#include "atomics.h"
#include "hydevs/trace.h"
#include "sources/sinus.h"
#include "sources/wave.h"

typedef struct {
  HySinus sinus;
  double phase, offset;
} Sine;

static gboolean sine_init(void *state, double t, const HySetup *setup, GError **error)
{
  Sine *s = state;
  return hy_wave_finite("phase", s->phase, error) && hy_wave_finite("offset", s->offset, error) &&
         hy_sinus_init(&s->sinus, t, setup, error);
}

static double sine_next(const void *state)
{
  const Sine *s = state;
  return s->sinus.due;
}

static HyEvent sine_lambda(const void *state, double t)
{
  const Sine *s = state;
  HyEvent y = {.port = 0};
  hy_sinus_piece(&s->sinus, s->phase, t, y.value.c);
  y.value.c[0] += s->offset;
  return y;
}

static void sine_dint(void *state, double t)
{
  (void)t;
  Sine *s = state;
  hy_sinus_advance(&s->sinus);
}

static gboolean sine_whole(const void *state, guint port, HySine *sine)
{
  (void)port;
  const Sine *s = state;
  return hy_sinus_whole(&s->sinus, s->phase, s->offset, sine);
}

static void sine_tape(void *state, HyTape *tape)
{
  Sine *s = state;
  hy_sinus_tape(&s->sinus, tape);
}

static void sine_print(const void *state, GString *out)
{
  const Sine *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, s->sinus.due));
}

static const HyParam sine_params[] = {
    HY_PARAM_AT("amplitude", Sine, sinus.a, .value = 1, .doc = "from the middle to the top"),
    HY_PARAM_AT("frequency", Sine, sinus.f, .value = 1, .range = HY_NOT_NEGATIVE, .unit = "Hz",
                .doc = "periods per second"),
    HY_PARAM(Sine, phase, .unit = "rad", .doc = "the angle at t = 0"),
    HY_PARAM(Sine, offset, .doc = "the middle"),
    HY_DQREL(Sine, sinus.dqrel),
    HY_DQMIN(Sine, sinus.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_sine_class = {
    .name = "sine",
    .doc = "amplitude sin(2 pi frequency t + phase) + offset",
    .palette = "Sources",
    .example = "<sine name=\"grid\" amplitude=\"325\" frequency=\"50\"/>",
    .out = hy_wave_out,
    .params = sine_params,
    .state_size = sizeof(Sine),
    .init = sine_init,
    .next = sine_next,
    .lambda = sine_lambda,
    .dint = sine_dint,
    .tape = sine_tape,
    .print = sine_print,
    .sine = sine_whole,
};
