/* Three-phase: three sines, a third of a period apart. Their pieces go out one after the other at
 * the same instants. */
#include "atomics.h"
#include "hydevs/trace.h"
#include "sources/sinus.h"
#include "sources/wave.h"

typedef struct {
  HySinus sinus;
  double phase;
  gint port; /* the next one to speak */
} ThreePhase;

static gboolean three_phase_init(void *state, double t, const HySetup *setup, GError **error)
{
  ThreePhase *s = state;
  s->port = 0;
  return hy_wave_finite("phase", s->phase, error) && hy_sinus_init(&s->sinus, t, setup, error);
}

static double three_phase_next(const void *state)
{
  const ThreePhase *s = state;
  return s->sinus.due;
}

static double three_phase_phase(const ThreePhase *s, guint port)
{
  return s->phase - 2 * G_PI / 3 * port;
}

static HyEvent three_phase_lambda(const void *state, double t)
{
  const ThreePhase *s = state;
  HyEvent y = {.port = s->port};
  hy_sinus_piece(&s->sinus, three_phase_phase(s, (guint)s->port), t, y.value.c);
  return y;
}

static void three_phase_dint(void *state, double t)
{
  (void)t;
  ThreePhase *s = state;
  s->port = (s->port + 1) % 3;
  if (s->port == 0) {
    hy_sinus_advance(&s->sinus);
  }
}

static gboolean three_phase_whole(const void *state, guint port, HySine *sine)
{
  const ThreePhase *s = state;
  return hy_sinus_whole(&s->sinus, three_phase_phase(s, port), 0, sine);
}

static void three_phase_tape(void *state, HyTape *tape)
{
  ThreePhase *s = state;
  hy_sinus_tape(&s->sinus, tape);
  HY_TAPE(tape, s->port);
  if (s->port < 0 || s->port > 2) {
    s->port = 0;
    hy_tape_reject(tape, "it has three ports");
  }
}

static void three_phase_print(const void *state, GString *out)
{
  const ThreePhase *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, s->sinus.due));
}

static const HyPort three_phase_out[] = {
    {.name = "a", .kind = HY_SIGNAL, .doc = "the first sine"},
    {.name = "b", .kind = HY_SIGNAL, .doc = "120 degrees behind a"},
    {.name = "c", .kind = HY_SIGNAL, .doc = "240 degrees behind a"},
    {.name = NULL},
};
static const HyParam three_phase_params[] = {
    HY_PARAM_AT("amplitude", ThreePhase, sinus.a, .value = 1, .doc = "from the middle to the top"),
    HY_PARAM_AT("frequency", ThreePhase, sinus.f, .value = 50, .range = HY_NOT_NEGATIVE,
                .unit = "Hz", .doc = "periods per second"),
    HY_PARAM(ThreePhase, phase, .unit = "rad", .doc = "of a, the angle at t = 0"),
    HY_DQREL(ThreePhase, sinus.dqrel),
    HY_DQMIN(ThreePhase, sinus.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_three_phase_class = {
    .name = "three_phase",
    .doc = "three sines, 120 degrees apart",
    .palette = "Sources",
    .example = "<three_phase name=\"grid\" amplitude=\"325\" frequency=\"50\"/>",
    .out = three_phase_out,
    .params = three_phase_params,
    .state_size = sizeof(ThreePhase),
    .init = three_phase_init,
    .next = three_phase_next,
    .lambda = three_phase_lambda,
    .dint = three_phase_dint,
    .tape = three_phase_tape,
    .print = three_phase_print,
    .sine = three_phase_whole,
};
