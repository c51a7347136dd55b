/* Rate limiter: follows in; where in is too steep, runs after it with the steepest slope allowed.
 * In models of first order that slope is a staircase within max(dqrel |out|, dqmin) of it. */
#include "atomics.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/poly.h"
#include "sources/wave.h"

typedef enum { FOLLOWS, FALLS, RISES } Motion;

typedef struct {
  double falling, rising, dqrel, dqmin;
  HySignal in;
  HyFault fault;
  Motion motion;
  double y, since; /* while it falls or rises: y + slope (t - since) */
  double turn;     /* when the motion ends */
  double due;      /* of the next event: now, a turn, or a step of a staircase */
} RateLimiter;

static double slope(const RateLimiter *s)
{
  return s->motion == RISES ? s->rising : s->falling;
}

static double value(const RateLimiter *s, double t)
{
  return s->motion == FOLLOWS ? hy_signal_value(&s->in, t) : s->y + slope(s) * (t - s->since);
}

/* The sign of p just after 0. */
static int sign_after(const double *p, int n)
{
  for (int k = 0; k < n; k++) {
    if (p[k] != 0) {
      return p[k] > 0 ? 1 : -1;
    }
  }
  return 0;
}

/* The first instant from which the slope of in is on SIDE of LIMIT. */
static double too_steep(const RateLimiter *s, double t, double limit, int side)
{
  double d[4];
  hy_signal_at(&s->in, t, d);
  hy_poly_derivative(d, 4, d);
  d[0] -= limit;
  return sign_after(d, 3) == side ? t : t + hy_poly_root(d, 3);
}

static void follow(RateLimiter *s, double t)
{
  s->motion = FOLLOWS;
  s->turn = fmin(too_steep(s, t, s->rising, 1), too_steep(s, t, s->falling, -1));
}

/* IN_STEP: in leaves with just the slope allowed, and rounding does not matter. */
static void run(RateLimiter *s, double t, Motion motion, gboolean in_step)
{
  double z[4];
  s->y = value(s, t);
  s->since = t;
  s->motion = motion;
  hy_signal_at(&s->in, t, z);
  z[0] = in_step ? 0 : z[0] - s->y;
  z[1] = in_step ? 0 : z[1] - slope(s);
  s->turn = t + hy_poly_root(z, 4);
}

/* From T on, where out is in: follows it, unless it is too steep at once. */
static void meet(RateLimiter *s, double t)
{
  follow(s, t);
  if (s->turn == t) {
    run(s, t, too_steep(s, t, s->rising, 1) == t ? RISES : FALLS, FALSE);
  }
}

/* What to do from T on, where out is Y. */
static void choose(RateLimiter *s, double t, double y)
{
  double gap = hy_signal_value(&s->in, t) - y;
  s->motion = RISES;
  s->y = y;
  s->since = t;
  if (gap == 0) {
    meet(s, t);
  } else {
    run(s, t, gap > 0 ? RISES : FALLS, FALSE);
  }
}

static void turn(RateLimiter *s, double t)
{
  if (s->motion != FOLLOWS) {
    meet(s, t);
  } else {
    double d[4];
    hy_signal_at(&s->in, t, d);
    run(s, t, fabs(d[1] - s->rising) <= fabs(d[1] - s->falling) ? RISES : FALLS, TRUE);
  }
}

/* After it has spoken at T. */
static void schedule(RateLimiter *s, double t)
{
  s->due = s->turn;
  if (s->in.n == 1 && s->motion != FOLLOWS && slope(s) != 0) {
    double dq = fmax(s->dqrel * fabs(value(s, t)), s->dqmin);
    s->due = fmin(s->due, t + dq / fabs(slope(s)));
  }
}

static gboolean rate_limiter_init(void *state, double t, const HySetup *setup, GError **error)
{
  RateLimiter *s = state;
  if (!(s->falling <= 0 && s->rising >= 0)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "falling must be 0 or below, rising 0 or above");
    return FALSE;
  }
  s->due = INFINITY;
  if (!hy_wave_finite("falling", s->falling, error) ||
      !hy_wave_finite("rising", s->rising, error) || !hy_signal_init(&s->in, t, setup, 0, error)) {
    return FALSE;
  }
  if (s->in.known) {
    choose(s, t, s->in.c[0]);
    s->due = t;
  }
  return TRUE;
}

static double rate_limiter_next(const void *state)
{
  const RateLimiter *s = state;
  return hy_fault_next(&s->fault, s->due);
}

static void step(RateLimiter *s, double t)
{
  if (t == s->turn) {
    turn(s, t);
  }
  schedule(s, t);
}

/* DEVS sends before it moves: step a copy. */
static HyEvent rate_limiter_lambda(const void *state, double t)
{
  RateLimiter s = *(const RateLimiter *)state;
  HyEvent y = {.port = 0};
  if (s.fault.wrong) {
    return HY_NO_EVENT;
  }
  step(&s, t);
  if (s.motion == FOLLOWS) {
    hy_signal_at(&s.in, t, y.value.c);
  } else {
    y.value.c[0] = value(&s, t);
    y.value.c[1] = s.in.n > 1 ? slope(&s) : 0;
  }
  return y;
}

static void rate_limiter_dint(void *state, double t)
{
  RateLimiter *s = state;
  if (!hy_fault_stands(&s->fault, t)) {
    step(s, t);
  }
}

static void rate_limiter_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  RateLimiter *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  double y = s->in.known && !s->fault.wrong ? value(s, t) : x->value.c[0];
  hy_signal_take(&s->in, t, &x->value);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
  s->turn = s->due = INFINITY;
  if (!s->fault.wrong) {
    choose(s, t, y);
    s->due = t;
  }
}

static void rate_limiter_tape(void *state, HyTape *tape)
{
  RateLimiter *s = state;
  hy_signal_tape(&s->in, tape);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->motion);
  HY_TAPE(tape, s->y);
  HY_TAPE(tape, s->since);
  HY_TAPE(tape, s->turn);
  HY_TAPE(tape, s->due);
  if (s->motion > RISES) {
    s->motion = FOLLOWS;
    hy_tape_reject(tape, "it neither follows nor falls nor rises");
  }
}

static void rate_limiter_print(const void *state, GString *out)
{
  static const char *const motion[] = {"follows", "falls", "rises"};
  const RateLimiter *s = state;
  g_string_append_printf(out, "(%s)", motion[s->motion]);
}

static char *rate_limiter_fault(const void *state)
{
  const RateLimiter *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}

static const HyPort rate_limiter_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is followed"},
    {.name = NULL},
};
static const HyPort rate_limiter_out[] = {{.name = "out", .kind = HY_SIGNAL, .moves = TRUE},
                                          {.name = NULL}};
static const HyParam rate_limiter_params[] = {
    HY_PARAM(RateLimiter, falling, .value = -1, .doc = "the steepest slope down"),
    HY_PARAM(RateLimiter, rising, .value = 1, .doc = "the steepest slope up"),
    HY_DQREL(RateLimiter, dqrel),
    HY_DQMIN(RateLimiter, dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_rate_limiter_class = {
    .name = "rate_limiter",
    .doc = "in, with its slope limited",
    .palette = "Hybrid",
    .example = "<rate_limiter name=\"r\" in=\"ref\" falling=\"-2\" rising=\"2\"/>",
    .in = rate_limiter_in,
    .out = rate_limiter_out,
    .params = rate_limiter_params,
    .state_size = sizeof(RateLimiter),
    .init = rate_limiter_init,
    .next = rate_limiter_next,
    .lambda = rate_limiter_lambda,
    .dint = rate_limiter_dint,
    .dext = rate_limiter_dext,
    .tape = rate_limiter_tape,
    .print = rate_limiter_print,
    .fault = rate_limiter_fault,
};
