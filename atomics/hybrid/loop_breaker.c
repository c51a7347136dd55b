/* Loop breaker: solves the algebraic loop that leads from its out back to its in, z = g(z). It says
 * a trial; the blocks of the loop, which have their turn before it, answer; it looks at the answer
 * and says the next trial, all in no time. zc says what has come out.
 *
 * After the values the slopes: z' obeys the same equations, linear, and so do the coefficients
 * behind it. All are moved in one round, so a linear loop needs two in all, one that tells of a
 * change and one that confirms. Nobody has to answer: what a block has said already it does not say
 * again, so the answer is whatever stands at in when the turn comes. */
#include "hybrid/loop_breaker.h"
#include "atomics.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

#include <math.h>
#include <string.h>

/* init ---------------------------------------------------------------------------------------- */

static gboolean breaker_sizes(const HyBreaker *s, const HySetup *setup, GError **error)
{
  if (setup->n_in == 0 || setup->n_in > HY_MOST_UNKNOWNS || setup->n_out != 2 * setup->n_in) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%u unknowns; in, out and zc have equally many elements, from 1 to %u", setup->n_in,
                HY_MOST_UNKNOWNS);
    return FALSE;
  }
  if (s->guess.n != 1 && s->guess.n != setup->n_in) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "guess has %u numbers for %u unknown%s",
                s->guess.n, setup->n_in, setup->n_in > 1 ? "s" : "");
    return FALSE;
  }
  return TRUE;
}

static HyLoopMethod breaker_method_of(const char *name)
{
  return strcmp(name, "newton") == 0        ? HY_LOOP_NEWTON
         : strcmp(name, "fixed_point") == 0 ? HY_LOOP_FIXED_POINT
                                            : HY_LOOP_SECANT;
}

static gboolean breaker_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyBreaker *s = state;
  if (!breaker_sizes(s, setup, error)) {
    return FALSE;
  }
  if (!isfinite(s->tolerance) || !isfinite(s->relative)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "tolerance and relative must be finite");
    return FALSE;
  }
  s->n = setup->n_in;
  s->lanes = setup->order;
  s->unknown = g_new0(HyUnknown, s->n);
  s->room = g_new0(double, hy_loops_room((int)s->n) + 2 * (gsize)s->n);
  s->a = s->room + hy_loops_room((int)s->n);
  s->b = s->a + s->n;
  for (guint k = 0; k < s->n; k++) {
    HyUnknown *u = &s->unknown[k];
    if (!hy_signal_init(&u->in, t, setup, k, error)) {
      return FALSE;
    }
    u->z[0] = s->a[k] = s->guess.v[s->guess.n > 1 ? k : 0];
    u->untold = TRUE;
  }
  s->loops = (HyLoops){.n = (int)s->n,
                       .method = breaker_method_of(s->solver),
                       .abs = s->tolerance,
                       .rel = s->relative,
                       .max = (int)MIN(s->max_iter, G_MAXINT),
                       .room = s->room};
  hy_loops_start(&s->loops, s->a);
  s->t = t;
  s->phase = HY_BREAKER_TRY;
  return TRUE;
}

static void breaker_clear(void *state)
{
  HyBreaker *s = state;
  g_free(s->unknown);
  g_free(s->room);
}

static void unknown_tape(HyUnknown *u, HyTape *tape)
{
  hy_signal_tape(&u->in, tape);
  HY_TAPE_ARRAY(tape, u->z, 4);
  HY_TAPE_ARRAY(tape, u->begun, 4);
  HY_TAPE_ARRAY(tape, u->z_was, 4);
  HY_TAPE_ARRAY(tape, u->g_was, 4);
  HY_TAPE_ARRAY(tape, u->said, 4);
  HY_TAPE_ARRAY(tape, u->largest, 4);
  HY_TAPE(tape, u->untold);
  HY_TAPE(tape, u->fresh);
  HY_TAPE(tape, u->ever);
}

static void loop_tape(HyLoop *l, HyTape *tape)
{
  HY_TAPE(tape, l->z);
  HY_TAPE(tape, l->s);
  HY_TAPE(tape, l->known);
  HY_TAPE(tape, l->residual);
  HY_TAPE(tape, l->answers);
  HY_TAPE(tape, l->z_was);
  HY_TAPE(tape, l->r_was);
  HY_TAPE(tape, l->above);
  HY_TAPE(tape, l->below);
  HY_TAPE(tape, l->solved);
  HY_TAPE(tape, l->singular);
}

/* Its room is that of the block. */
static void loops_tape(HyLoops *l, HyTape *tape)
{
  HY_TAPE(tape, l->residual);
  HY_TAPE(tape, l->worst);
  HY_TAPE(tape, l->column);
  HY_TAPE(tape, l->answers);
  loop_tape(&l->one, tape);
  HY_TAPE(tape, l->singular);
  HY_TAPE(tape, l->probe);
  HY_TAPE(tape, l->moved);
  HY_TAPE(tape, l->gain);
  HY_TAPE(tape, l->before);
  HY_TAPE(tape, l->based);
  HY_TAPE(tape, l->known);
  HY_TAPE(tape, l->fresh);
  HY_TAPE(tape, l->ended);
  if (MIN(l->probe, l->singular) < -1 || MAX(l->probe, l->singular) >= l->n || l->worst < 0 ||
      l->worst >= l->n) {
    l->probe = l->singular = -1;
    l->worst = 0;
    hy_tape_reject(tape, "a loop is at an unknown that it does not have");
  }
}

static void breaker_tape(void *state, HyTape *tape)
{
  HyBreaker *s = state;
  for (guint k = 0; k < s->n; k++) {
    unknown_tape(&s->unknown[k], tape);
  }
  HY_TAPE_ARRAY(tape, s->room, hy_loops_room((int)s->n) + 2 * (gsize)s->n);
  loops_tape(&s->loops, tape);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->t);
  HY_TAPE(tape, s->phase);
  HY_TAPE(tape, s->port);
  HY_TAPE(tape, s->rounds);
  HY_TAPE(tape, s->slopes_only);
  HY_TAPE(tape, s->residual);
  HY_TAPE(tape, s->worst);
  HY_TAPE(tape, s->tried);
  HY_TAPE(tape, s->last);
  HY_TAPE(tape, s->column);
  HY_TAPE(tape, s->of_slopes);
  HY_TAPE(tape, s->solutions);
  HY_TAPE(tape, s->all_rounds);
  HY_TAPE(tape, s->most_rounds);
  gboolean says =
      s->phase == HY_BREAKER_TRY || s->phase == HY_BREAKER_LEAVE || s->phase == HY_BREAKER_SOLVE;
  if (s->phase > HY_BREAKER_SOLVE || (says && s->port >= s->n) || s->worst >= s->n ||
      s->column >= (gint)s->n) {
    s->phase = HY_BREAKER_REST;
    s->worst = 0;
    s->column = -1;
    hy_tape_reject(tape, "it is at an unknown that it does not have");
  }
}

/* Saying -------------------------------------------------------------------------------------- */

/* A constant that has been said. */
static gboolean breaker_is_said(const HyUnknown *u)
{
  gboolean same = u->ever && u->z[0] == u->said[0];
  for (guint c = 1; c < 4; c++) {
    same = same && u->z[c] == 0.0 && u->said[c] == 0.0;
  }
  return same;
}

static gboolean breaker_has_word(const HyBreaker *s, const HyUnknown *u)
{
  return s->phase == HY_BREAKER_SOLVE ? u->fresh && !breaker_is_said(u) : u->untold;
}

static void breaker_look(HyBreaker *s, double t)
{
  HyLoopEnd end = hy_breaker_look(s, t);
  s->port = 0;
  if (end != HY_LOOP_AGAIN) {
    hy_fault_set(&s->fault, t, end == HY_LOOP_FAILED);
  }
  s->phase = end == HY_LOOP_AGAIN    ? HY_BREAKER_TRY
             : end == HY_LOOP_FAILED ? HY_BREAKER_LEAVE
                                     : HY_BREAKER_SOLVE;
}

/* Goes on to the next word, or phase. */
static void breaker_advance(HyBreaker *s)
{
  while (s->port < s->n && !breaker_has_word(s, &s->unknown[s->port])) {
    s->unknown[s->port].fresh &= s->phase != HY_BREAKER_SOLVE;
    s->port++;
  }
  if (s->port < s->n) {
    return;
  }
  gboolean known = TRUE;
  for (guint k = 0; k < s->n; k++) {
    known = known && s->unknown[k].in.known;
  }
  s->phase = s->phase == HY_BREAKER_TRY && known ? HY_BREAKER_LOOK
             : s->phase == HY_BREAKER_LEAVE      ? HY_BREAKER_WAIT
                                                 : HY_BREAKER_REST;
}

static void breaker_told(HyBreaker *s)
{
  HyUnknown *u = &s->unknown[s->port++];
  if (s->phase == HY_BREAKER_SOLVE) {
    memcpy(u->said, u->z, sizeof u->said);
    u->fresh = FALSE;
    u->ever = TRUE;
  } else {
    u->untold = FALSE;
    u->fresh = TRUE;
  }
}

/* Events -------------------------------------------------------------------------------------- */

static double breaker_next(const void *state)
{
  const HyBreaker *s = state;
  return hy_fault_next(&s->fault, s->phase == HY_BREAKER_REST ? INFINITY : s->t);
}

static HyEvent breaker_lambda(const void *state, double t)
{
  const HyBreaker *s = state;
  gboolean speaks =
      s->phase == HY_BREAKER_TRY || s->phase == HY_BREAKER_LEAVE || s->phase == HY_BREAKER_SOLVE;
  if (!speaks || t != s->t) {
    return HY_NO_EVENT;
  }
  const double *z = s->unknown[s->port].z;
  return (HyEvent){.port = (gint)(s->phase == HY_BREAKER_SOLVE ? s->n + s->port : s->port),
                   .value.c = {z[0], z[1], z[2], z[3]}};
}

static void breaker_dint(void *state, double t)
{
  HyBreaker *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->phase == HY_BREAKER_LOOK) {
    breaker_look(s, t);
    breaker_advance(s);
  } else if (s->phase == HY_BREAKER_WAIT) {
    s->phase = HY_BREAKER_REST;
  } else {
    breaker_told(s);
    breaker_advance(s);
  }
}

static void breaker_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  HyBreaker *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->unknown[x->port].in, t, &x->value);
  gboolean known = TRUE;
  for (guint k = 0; k < s->n; k++) {
    known = known && s->unknown[k].in.known;
  }
  if (s->phase == HY_BREAKER_REST && known) {
    hy_breaker_begin(s, t);
    s->phase = HY_BREAKER_LOOK;
  }
}

/* Words --------------------------------------------------------------------------------------- */

static char *breaker_fault(const void *state)
{
  const HyBreaker *s = state;
  char z[HY_DOUBLE_SIZE], r[HY_DOUBLE_SIZE], name[32] = "out";
  guint k = s->column >= 0 ? (guint)s->column : s->worst;
  if (s->n > 1) {
    g_snprintf(name, sizeof name, "out[%u]", k + 1);
  }
  hy_double_text(z, s->last);
  hy_double_text(r, s->residual);
  if (s->of_slopes) {
    return hy_fault_text(&s->fault,
                         "no slope of %s = %s solves the loop: off by %s after %u rounds", name, z,
                         r, s->tried);
  }
  if (s->column >= 0) {
    return hy_fault_text(&s->fault,
                         "the loop is singular: it does not determine %s; after %u rounds the "
                         "residual is %s",
                         name, s->tried, r);
  }
  return hy_fault_text(&s->fault,
                       "the loop has no solution that %u rounds find: %s = %s comes back "
                       "with a residual of %s",
                       s->tried, name, z, r);
}

static void breaker_print(const void *state, GString *out)
{
  static const char *const names[] = {"rest", "try", "look", "leave", "wait", "solve"};
  const HyBreaker *s = state;
  g_string_append_printf(out, "(%s", names[s->phase]);
  for (guint k = 0; k < s->n; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(out, " %s", hy_double_text(text, s->unknown[k].z[0]));
  }
  g_string_append_c(out, ')');
}

static void breaker_report(const void *state, GString *out)
{
  const HyBreaker *s = state;
  g_string_append_printf(out,
                         "%" G_GUINT64_FORMAT " solutions, %" G_GUINT64_FORMAT
                         " rounds, at most %" G_GUINT64_FORMAT,
                         s->solutions, s->all_rounds, s->most_rounds);
}

static const HyPort breaker_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .array = TRUE, .doc = "what comes back, g(z)"},
    {.name = NULL},
};
static const HyPort breaker_out[] = {
    {.name = "out",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .moves = TRUE,
     .doc = "z, into the loop: trials too, in no time"},
    {.name = "zc",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .moves = TRUE,
     .at_once = TRUE,
     .doc = "z, solutions only, for what is outside and has a memory"},
    {.name = NULL},
};
static const HyParam breaker_params[] = {
    HY_PARAM(HyBreaker, guess, .text = "0",
             .doc = "where the search begins; one number, or one for each unknown"),
    HY_PARAM(HyBreaker, tolerance, .value = 1e-9, .range = HY_POSITIVE,
             .doc = "solved when |in - out| is at most tolerance + relative |out|"),
    HY_PARAM(HyBreaker, relative, .value = 1e-12, .range = HY_NOT_NEGATIVE,
             .doc = "part of |out| that is tolerated, too"),
    HY_PARAM(HyBreaker, max_iter, .value = 100, .range = HY_POSITIVE,
             .doc = "rounds of the loop in one solution, at most"),
    HY_PARAM(HyBreaker, solver, .text = "secant", .choices = "secant newton fixed_point",
             .doc = "newton: derivatives anew at each step; fixed_point: out = in, for teaching"),
    {.name = NULL},
};
const HyAtomicClass hy_loop_breaker_class = {
    .name = "loop_breaker",
    .doc = "solves the algebraic loop from out back to in, in = out; zc: the solution",
    .palette = "Hybrid",
    .example = "<loop_breaker name=\"u\" in=\"5 - 2*tanh(u)\"/>",
    .in = breaker_in,
    .out = breaker_out,
    .params = breaker_params,
    .state_size = sizeof(HyBreaker),
    .init = breaker_init,
    .next = breaker_next,
    .lambda = breaker_lambda,
    .dint = breaker_dint,
    .dext = breaker_dext,
    .clear = breaker_clear,
    .tape = breaker_tape,
    .print = breaker_print,
    .report = breaker_report,
    .fault = breaker_fault,
};
