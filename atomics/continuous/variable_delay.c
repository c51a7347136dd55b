/* Variable delay: out(t) = in(r(t)) with r(t) = t - time(t), a polynomial of a polynomial. What
 * does not fit into the coefficients of an event is made up for by a new event before it has grown
 * to max(dqrel |out|, dqmin). Events fall where r comes to another piece of in.
 *
 * A time that moves is computed from states, which are known within their quanta. So it may be
 * outside 0 .. maximum by max(dqrel maximum, dqmin), which is not meant and makes no difference: r
 * is then ahead of t, where the newest piece of in goes on. A number is meant as it stands. */
#include "atomics.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/poly.h"
#include "sources/wave.h"

#include <string.h>

enum { IN, TIME };
#define DEGREES  10    /* of a cubic of a cubic, and 0 */
#define ROUNDING 1e-14 /* of the time */

typedef struct {
  double c[4], t;
} Piece;

typedef struct {
  double initial, maximum, dqrel, dqmin;
  HyReals history; /* t, c0, c1, c2 of each piece before the start */
  HySignal in, time;
  HyFault fault;
  double slack; /* by how much time may be outside */
  Piece *piece; /* what in has been, oldest first; freed by clear */
  gsize n, room;
  gssize at;   /* the piece in which r is; -1: before the first */
  int passed;  /* r has just come over the beginning (1) or the end (-1) of it */
  double turn; /* when r leaves it */
  double due;  /* the next event: now, a turn, or when the error has grown */
} VariableDelay;

/* r from T on. */
static void reading(const VariableDelay *s, double t, double *r)
{
  hy_signal_at(&s->time, t, r);
  r[0] = t - r[0];
  r[1] = 1 - r[1];
  r[2] = -r[2];
  r[3] = -r[3];
}

static int heading(const double *r)
{
  for (int k = 1; k < 4; k++) {
    if (r[k] != 0) {
      return r[k] > 0 ? 1 : -1;
    }
  }
  return 1;
}

static void locate(VariableDelay *s, double t)
{
  double r[4];
  reading(s, t, r);
  s->passed = 0;
  s->at = (gssize)s->n - 1;
  while (s->at >= 0 &&
         (s->piece[s->at].t > r[0] || (s->piece[s->at].t == r[0] && heading(r) < 0))) {
    s->at--;
  }
}

/* How long until r is at END. */
static double reach(const double *r, double end, gboolean there)
{
  double z[4] = {there ? 0 : r[0] - end, r[1], r[2], r[3]};
  return hy_poly_root(z, 4);
}

/* A piece may last for less than rounding moves r: then r may be beyond it at once. */
static void find_turn(VariableDelay *s, double t)
{
  double r[4], wait = INFINITY;
  reading(s, t, r);
  if (s->at + 1 < (gssize)s->n) {
    double end = s->piece[s->at + 1].t;
    gboolean beyond = s->passed > 0 && r[0] >= end && heading(r) > 0;
    wait = beyond ? 0.0 : reach(r, end, s->passed < 0);
  }
  if (s->at >= 0) {
    double begin = s->piece[s->at].t;
    gboolean beyond = s->passed < 0 && r[0] <= begin && heading(r) < 0;
    wait = beyond ? 0.0 : fmin(wait, reach(r, begin, s->passed > 0));
  }
  s->turn = t + wait;
}

/* At a turn, r comes over the end of the piece; FALSE: over its beginning. Of a piece that is so
 * short that r may be at either, the way it goes says. */
static gboolean at_end(const VariableDelay *s, const double *r, double t)
{
  if (s->at < 0 || s->at + 1 == (gssize)s->n) {
    return s->at < 0;
  }
  double to_begin = fabs(r[0] - s->piece[s->at].t), to_end = fabs(r[0] - s->piece[s->at + 1].t);
  return fmax(to_begin, to_end) <= ROUNDING * fabs(t) ? heading(r) > 0 : to_end < to_begin;
}

/* out from T on, all of it. */
static void compose(const VariableDelay *s, double t, double out[DEGREES])
{
  double r[4];
  memset(out, 0, DEGREES * sizeof *out);
  if (s->at < 0) {
    out[0] = s->initial;
    return;
  }
  reading(s, t, r);
  const Piece *p = &s->piece[s->at];
  double a[4];
  memcpy(a, p->c, sizeof a);
  hy_poly_shift(a, 4, r[0] - p->t);
  for (int k = 3; k >= 0; k--) { /* Horner: out = out (r - r[0]) + a[k] */
    double product[DEGREES] = {a[k]};
    for (int i = 0; i < DEGREES; i++) {
      for (int j = 1; j < 4 && i + j < DEGREES; j++) {
        product[i + j] += out[i] * r[j];
      }
    }
    memcpy(out, product, sizeof product);
  }
}

/* How long the first n coefficients are good enough. */
static double good_for(const VariableDelay *s, const double *out)
{
  guint dropped = 0;
  double wait = INFINITY, dq = fmax(s->dqrel * fabs(out[0]), s->dqmin);
  for (guint k = s->in.n; k < DEGREES; k++) {
    dropped += out[k] != 0;
  }
  for (guint k = s->in.n; k < DEGREES; k++) {
    if (out[k] != 0) {
      wait = fmin(wait, pow(dq / dropped / fabs(out[k]), 1.0 / k));
    }
  }
  return wait;
}

static void step(VariableDelay *s, double t, double out[DEGREES])
{
  if (t == s->turn) {
    double r[4];
    reading(s, t, r);
    gboolean end = at_end(s, r, t);
    s->at += end ? 1 : -1;
    s->passed = end ? 1 : -1;
    find_turn(s, t);
  }
  compose(s, t, out);
  s->due = fmin(s->turn, t + good_for(s, out));
}

/* Pieces that nobody will read any more make place. */
static void forget(VariableDelay *s, double t)
{
  gsize old = 0;
  while (old + 1 < s->n && s->piece[old + 1].t < t - s->maximum - s->slack && (gssize)old < s->at) {
    old++;
  }
  if (old > 0 && old >= s->n / 2) {
    s->n -= old;
    s->at -= (gssize)old;
    memmove(s->piece, s->piece + old, s->n * sizeof *s->piece);
  }
}

static void remember(VariableDelay *s, double t)
{
  forget(s, t);
  if (s->n > 0 && s->piece[s->n - 1].t == t) {
    s->n--;
  }
  if (s->n == s->room) {
    s->room = MAX(16, 2 * s->room);
    s->piece = g_renew(Piece, s->piece, s->room);
  }
  Piece *p = &s->piece[s->n++];
  memcpy(p->c, s->in.c, sizeof p->c);
  p->t = t;
}

static void watch(VariableDelay *s, double t)
{
  double time = hy_signal_value(&s->time, t);
  gboolean legal = time >= -s->slack && time <= s->maximum + s->slack && hy_signal_finite(&s->time);
  hy_fault_set(&s->fault, t, (s->time.known && !legal) || !hy_signal_finite(&s->in));
}

/* Something new at T; NEWS: out has to be said again. */
static void restart(VariableDelay *s, double t, gboolean news)
{
  watch(s, t);
  if (!s->time.known || s->fault.wrong) {
    s->turn = s->due = INFINITY;
    return;
  }
  gssize was = s->at;
  if (news) {
    locate(s, t);
  } else if (t - hy_signal_value(&s->time, t) >= t) { /* also of less than the clock can tell */
    locate(s, t);
    news = s->at != was || s->n == (gsize)s->at + 1;
  }
  find_turn(s, t);
  s->due = news ? t : fmin(s->due, s->turn);
}

/* What in has been before the start, as stated: pieces in the order of time. */
static gboolean recall(VariableDelay *s, double t, GError **error)
{
  const HyReals *h = &s->history;
  s->n = h->n / 4;
  s->room = s->n;
  s->piece = g_new0(Piece, MAX(1, s->n));
  gboolean ok = h->n % 4 == 0;
  for (gsize k = 0; k < s->n; k++) {
    Piece *p = &s->piece[k];
    *p = (Piece){{h->v[4 * k + 1], h->v[4 * k + 2], h->v[4 * k + 3], 0}, h->v[4 * k]};
    ok = ok && isfinite(p->c[0] + p->c[1] + p->c[2]) && p->t < t && (k == 0 || p->t > p[-1].t);
  }
  if (!ok) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "history has 4 numbers for each piece: when it begins, in the order of time and "
                "before the start, its value, slope, and half its second derivative");
  }
  return ok;
}

static gboolean variable_delay_init(void *state, double t, const HySetup *setup, GError **error)
{
  VariableDelay *s = state;
  s->at = -1;
  if (!recall(s, t, error) || !hy_wave_finite("initial", s->initial, error) ||
      !hy_signal_init(&s->in, t, setup, IN, error) ||
      !hy_signal_init(&s->time, t, setup, TIME, error)) {
    return FALSE;
  }
  gboolean moves = setup->input[TIME] != HY_CONSTANT;
  s->slack = moves ? fmax(s->dqrel * (s->maximum < INFINITY ? s->maximum : 1), s->dqmin) : 0;
  if (s->in.known) {
    remember(s, t);
  }
  restart(s, t, TRUE);
  return TRUE;
}

static double variable_delay_next(const void *state)
{
  const VariableDelay *s = state;
  return hy_fault_next(&s->fault, s->due);
}

/* DEVS sends before it moves: step a copy. */
static HyEvent variable_delay_lambda(const void *state, double t)
{
  VariableDelay s = *(const VariableDelay *)state;
  HyEvent y = {.port = 0};
  double out[DEGREES];
  if (s.fault.wrong) {
    return HY_NO_EVENT;
  }
  step(&s, t, out);
  memcpy(y.value.c, out, s.in.n * sizeof(double));
  return y;
}

static void variable_delay_dint(void *state, double t)
{
  VariableDelay *s = state;
  double out[DEGREES];
  if (!hy_fault_stands(&s->fault, t)) {
    step(s, t, out);
    watch(s, t);
  }
}

static void variable_delay_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  VariableDelay *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  gboolean due = t == s->due; /* stays due */
  hy_signal_take(x->port == IN ? &s->in : &s->time, t, &x->value);
  if (x->port == IN) {
    remember(s, t);
  }
  restart(s, t, x->port == TIME || due);
}

static void variable_delay_clear(void *state)
{
  VariableDelay *s = state;
  g_clear_pointer(&s->piece, g_free);
}

static void variable_delay_tape(void *state, HyTape *tape)
{
  VariableDelay *s = state;
  hy_signal_tape(&s->in, tape);
  hy_signal_tape(&s->time, tape);
  hy_tape_fault(tape, &s->fault);
  gsize n = hy_tape_count(tape, "n", s->n, G_MAXUINT);
  if (!hy_tape_files(tape)) {
    hy_tape_memory(tape, &s->piece, s->room * sizeof *s->piece);
  } else if (hy_tape_loads(tape)) {
    s->n = s->room = n;
    s->piece = g_new0(Piece, MAX(1, n));
  }
  for (gsize k = 0; hy_tape_files(tape) && k < n; k++) {
    HY_TAPE_ARRAY(tape, s->piece[k].c, 4);
    HY_TAPE(tape, s->piece[k].t);
  }
  HY_TAPE(tape, s->at);
  HY_TAPE(tape, s->passed);
  HY_TAPE(tape, s->turn);
  HY_TAPE(tape, s->due);
  if (s->at < -1 || s->at >= (gssize)MAX(s->n, 1)) {
    s->at = -1;
    hy_tape_reject(tape, "it reads a piece that is not there");
  }
}

static void variable_delay_print(const void *state, GString *out)
{
  const VariableDelay *s = state;
  g_string_append_printf(out, "(%" G_GSIZE_FORMAT " pieces)", s->n);
}

static char *variable_delay_fault(const void *state)
{
  const VariableDelay *s = state;
  char time[HY_DOUBLE_SIZE], most[HY_DOUBLE_SIZE];
  if (!hy_signal_finite(&s->in)) {
    return hy_signal_fault(&s->in, "in", &s->fault);
  }
  if (!hy_signal_finite(&s->time)) {
    return hy_signal_fault(&s->time, "time", &s->fault);
  }
  return hy_fault_text(&s->fault, "time = %s is outside 0 .. maximum = %s",
                       hy_double_text(time, hy_signal_value(&s->time, s->fault.since)),
                       hy_double_text(most, s->maximum));
}

static const HyPort variable_delay_in[] = {
    [IN] = {.name = "in", .kind = HY_SIGNAL, .doc = "what is delayed"},
    [TIME] = {.name = "time",
              .kind = HY_SIGNAL,
              .unit = "s",
              .doc = "by how much, 0 .. maximum; up to max(dqrel maximum, dqmin) below is 0"},
    {.name = NULL},
};
static const HyPort variable_delay_out[] = {{.name = "out", .kind = HY_SIGNAL, .moves = TRUE},
                                            {.name = NULL}};
static const HyParam variable_delay_params[] = {
    HY_PARAM(VariableDelay, initial, .doc = "before anything has come through"),
    HY_PARAM(VariableDelay, history,
             .doc =
                 "of in before the start: t, value, slope and half the second derivative of each "
                 "piece; before the first of them it was initial"),
    HY_PARAM(VariableDelay, maximum, .value = 1, .range = HY_POSITIVE, .unit = "s",
             .doc = "of time: how far back is kept; inf: all of it"),
    HY_DQREL(VariableDelay, dqrel),
    HY_DQMIN(VariableDelay, dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_variable_delay_class = {
    .name = "variable_delay",
    .doc = "in(t - time(t))",
    .palette = "Functions",
    .example = "<variable_delay name=\"d\" in=\"x\" time=\"0.1 + 0.05*y\"/>",
    .in = variable_delay_in,
    .out = variable_delay_out,
    .params = variable_delay_params,
    .state_size = sizeof(VariableDelay),
    .init = variable_delay_init,
    .next = variable_delay_next,
    .lambda = variable_delay_lambda,
    .dint = variable_delay_dint,
    .dext = variable_delay_dext,
    .clear = variable_delay_clear,
    .tape = variable_delay_tape,
    .print = variable_delay_print,
    .fault = variable_delay_fault,
};
