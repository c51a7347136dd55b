/* Player: catches the ball, counts, and throws it back after a while. */
#include "atomics.h"
#include "hydevs/trace.h"

typedef struct {
  gboolean ball;
  double first, delay;
  double n, sigma;
} Player;

static gboolean player_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup, (void)error;
  Player *s = state;
  s->n = 1;
  s->sigma = s->ball ? s->first : INFINITY;
  return TRUE;
}

static double player_ta(const void *state)
{
  const Player *s = state;
  return s->sigma;
}

static HyEvent player_lambda(const void *state, double t)
{
  (void)t;
  const Player *s = state;
  return (HyEvent){.port = 0, .value.c = {s->n}};
}

static void player_dint(void *state, double t)
{
  (void)t;
  Player *s = state;
  s->sigma = INFINITY;
}

static void player_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t, (void)e;
  Player *s = state;
  s->n = x->value.c[0] + 1;
  s->sigma = s->delay;
}

static void player_tape(void *state, HyTape *tape)
{
  Player *s = state;
  HY_TAPE(tape, s->n);
  HY_TAPE(tape, s->sigma);
}

static void player_print(const void *state, GString *out)
{
  const Player *s = state;
  char n[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(n=%s)", hy_double_text(n, s->n));
}

static const HyPort player_in[] = {
    {.name = "in", .kind = HY_EVENT, .doc = "the ball, with the number that the other one said"},
    {.name = NULL},
};
static const HyPort player_out[] = {
    {.name = "out", .kind = HY_EVENT, .doc = "the ball, with a number one higher"},
    {.name = NULL},
};
static const HyParam player_params[] = {
    HY_PARAM(Player, ball, .value = FALSE, .doc = "has the ball at the start, and will say 1"),
    HY_PARAM(Player, delay, .value = 1.0, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "from a catch to the throw"),
    HY_PARAM(Player, first, .value = 1.0, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc = "from the start to the first throw of the one with the ball"),
    {.name = NULL},
};
const HyAtomicClass hy_player_class = {
    .name = "player",
    .doc = "holds the ball for `delay`, then throws it with the number that came plus 1",
    .palette = "Discrete events",
    .example = "<player name=\"A\" ball=\"true\" in=\"B\"/>",
    .in = player_in,
    .out = player_out,
    .params = player_params,
    .state_size = sizeof(Player),
    .init = player_init,
    .ta = player_ta,
    .lambda = player_lambda,
    .dint = player_dint,
    .dext = player_dext,
    .tape = player_tape,
    .print = player_print,
};
