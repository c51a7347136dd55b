/* Loop breaker: solves the algebraic loop that leads from its out back to its in, z = g(z). It says
 * a trial; the blocks of the loop, which have their turn before it, answer; it looks at the answer
 * and says the next trial, all in no time. zc says what has come out.
 *
 * After the values the slopes: z' obeys the same equations, linear, and so do the coefficients
 * behind it. All are moved in one round, so a linear loop needs two in all, one that tells of a
 * change and one that confirms. Nobody has to answer: what a block has said already it does not say
 * again, so the answer is whatever stands at in when the turn comes. */
#include "atomics.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/loops.h"
#include "numerics/poly.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-13 /* of the largest slope of a solution so far: a difference of two such */

typedef enum {
  REST,
  TRY,   /* says trials */
  LOOK,  /* at the answer */
  LEAVE, /* says trials again that were out before a failure */
  WAIT,  /* for the answer to them, which is not looked at */
  SOLVE, /* says solutions */
} Phase;

typedef struct {
  HySignal in;
  double z[4];                  /* the trial, from the time of the block on */
  double begun[4];              /* the one that was out before this solution */
  double z_was[4], g_was[4];    /* the round before */
  double said[4], largest[4];   /* the last solution said, and sizes of all of them */
  gboolean untold, fresh, ever; /* a new trial; a new solution; zc has spoken */
} Unknown;

typedef struct {
  HyReals guess;
  double tolerance, relative;
  gint64 max_iter;
  const char *solver;

  guint n, lanes;
  Unknown *unknown; /* [n] */
  double *room, *a, *b;
  HyLoops loops;
  double t; /* of the trials */
  Phase phase;
  guint port;           /* the unknown whose turn it is to be said */
  guint rounds;         /* of this solution */
  gboolean slopes_only; /* the round before had the same values */
  HyFault fault;
  double residual; /* the last failure: of which unknown, and how it is called */
  guint worst, tried;
  double last;
  gint column; /* an unknown that is not determined; -1: another reason */
  gboolean of_slopes;
  guint64 solutions, all_rounds, most_rounds;
} Breaker;

/* init ---------------------------------------------------------------------------------------- */

static gboolean breaker_sizes(const Breaker *s, const HySetup *setup, GError **error)
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

static HyLoopMethod method_of(const char *name)
{
  return strcmp(name, "newton") == 0        ? HY_LOOP_NEWTON
         : strcmp(name, "fixed_point") == 0 ? HY_LOOP_FIXED_POINT
                                            : HY_LOOP_SECANT;
}

static gboolean breaker_init(void *state, double t, const HySetup *setup, GError **error)
{
  Breaker *s = state;
  if (!breaker_sizes(s, setup, error)) {
    return FALSE;
  }
  if (!isfinite(s->tolerance) || !isfinite(s->relative)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "tolerance and relative must be finite");
    return FALSE;
  }
  s->n = setup->n_in;
  s->lanes = setup->order;
  s->unknown = g_new0(Unknown, s->n);
  s->room = g_new0(double, hy_loops_room((int)s->n) + 2 * (gsize)s->n);
  s->a = s->room + hy_loops_room((int)s->n);
  s->b = s->a + s->n;
  for (guint k = 0; k < s->n; k++) {
    Unknown *u = &s->unknown[k];
    if (!hy_signal_init(&u->in, t, setup, k, error)) {
      return FALSE;
    }
    u->z[0] = s->a[k] = s->guess.v[s->guess.n > 1 ? k : 0];
    u->untold = TRUE;
  }
  s->loops = (HyLoops){.n = (int)s->n,
                       .method = method_of(s->solver),
                       .abs = s->tolerance,
                       .rel = s->relative,
                       .max = (int)MIN(s->max_iter, G_MAXINT),
                       .room = s->room};
  hy_loops_start(&s->loops, s->a);
  s->t = t;
  s->phase = TRY;
  return TRUE;
}

static void breaker_clear(void *state)
{
  Breaker *s = state;
  g_free(s->unknown);
  g_free(s->room);
}

/* Solving ------------------------------------------------------------------------------------- */

/* The trials, as polynomials from T on. */
static void move_to(Breaker *s, double t)
{
  for (guint k = 0; k < s->n && t != s->t; k++) {
    hy_poly_shift(s->unknown[k].z, (int)s->lanes, t - s->t);
  }
  s->t = t;
}

static void begin(Breaker *s)
{
  s->rounds = 0;
  s->slopes_only = FALSE;
  for (guint k = 0; k < s->n; k++) {
    memcpy(s->unknown[k].begun, s->unknown[k].z, sizeof s->unknown[k].begun);
  }
}

static void set(Unknown *u, guint c, double z)
{
  u->untold |= z != u->z[c];
  u->z[c] = z;
}

/* Coefficient C of all answers, G, and of all trials. */
static void gather(Breaker *s, guint c, double (*g)[4])
{
  for (guint k = 0; k < s->n; k++) {
    s->a[k] = g[k][c];
    s->b[k] = s->unknown[k].z[c];
  }
}

/* The coefficients behind the values, as far as S tells. */
static void correct_slopes(Breaker *s, double (*g)[4])
{
  for (guint c = 1; c < s->lanes; c++) {
    gather(s, c, g);
    hy_loops_slope(&s->loops, s->a, s->b);
    for (guint k = 0; k < s->n; k++) {
      if (isfinite(s->b[k])) {
        set(&s->unknown[k], c, s->b[k]);
      }
    }
  }
}

static gboolean is_settled(const Breaker *s, const Unknown *u, guint c, double g)
{
  double r = fabs(g - u->z[c]);
  return r <= s->tolerance + s->relative * fabs(u->z[c]) + ROUNDING * u->largest[c];
}

/* The first coefficient behind the values that the answer does not confirm; `lanes`: none. */
static guint open_slope(const Breaker *s, double (*g)[4], guint *unknown)
{
  for (guint c = 1; c < s->lanes; c++) {
    for (guint k = 0; k < s->n; k++) {
      if (!is_settled(s, &s->unknown[k], c, g[k][c])) {
        *unknown = k;
        return c;
      }
    }
  }
  return s->lanes;
}

/* With equal values coefficient C of the last two rounds shows S in the direction of their
 * difference. */
static void learn_from_slopes(Breaker *s, guint c, double (*g)[4])
{
  gboolean moved = FALSE;
  for (guint k = 0; k < s->n; k++) {
    const Unknown *u = &s->unknown[k];
    s->b[k] = u->z[c] - u->z_was[c];
    s->a[k] = g[k][c] - u->g_was[c];
    moved |= s->b[k] != 0.0;
  }
  if (moved) {
    hy_loops_learn(&s->loops, s->b, s->a);
  }
}

static void fail(Breaker *s, double t, gboolean of_slopes, guint unknown, double residual)
{
  hy_fault_set(&s->fault, t, TRUE);
  s->of_slopes = of_slopes;
  s->column = of_slopes ? -1 : s->loops.column;
  s->worst = unknown;
  s->residual = residual;
  s->tried = s->rounds;
  s->last = s->unknown[unknown].z[0];
  for (guint k = 0; k < s->n; k++) {
    Unknown *u = &s->unknown[k];
    memcpy(u->z, u->begun, sizeof u->z);
    u->untold = TRUE;
  }
  s->phase = LEAVE;
  s->port = 0;
}

static void solved(Breaker *s, double t)
{
  hy_fault_set(&s->fault, t, FALSE);
  s->solutions++;
  s->all_rounds += s->rounds;
  s->most_rounds = MAX(s->most_rounds, s->rounds);
  for (guint k = 0; k < s->n; k++) {
    Unknown *u = &s->unknown[k];
    for (guint c = 1; c < 4; c++) {
      u->largest[c] = fmax(u->largest[c], fabs(u->z[c]));
    }
    u->fresh |= !u->ever;
  }
  s->phase = SOLVE;
  s->port = 0;
}

/* The next trial; FALSE: the values are solved, or there is no solution. */
static gboolean try_values(Breaker *s, double t, double (*g)[4], gboolean *failed)
{
  for (guint k = 0; k < s->n; k++) {
    s->a[k] = g[k][0];
    s->loops.z[k] = s->unknown[k].z[0];
  }
  HyLoopEnd end = hy_loops_answer(&s->loops, s->a);
  *failed = end == HY_LOOP_FAILED;
  if (*failed) {
    fail(s, t, FALSE, (guint)s->loops.worst, s->loops.residual);
  }
  for (guint k = 0; end == HY_LOOP_AGAIN && k < s->n; k++) {
    set(&s->unknown[k], 0, s->loops.z[k]);
  }
  return end == HY_LOOP_AGAIN;
}

static void try_slopes(Breaker *s, double t, double (*g)[4])
{
  guint unknown = 0;
  guint c = open_slope(s, g, &unknown);
  if (c == s->lanes) {
    solved(s, t);
    return;
  }
  if ((gint64)s->rounds >= s->max_iter) {
    fail(s, t, TRUE, unknown, fabs(g[unknown][c] - s->unknown[unknown].z[c]));
    return;
  }
  if (s->slopes_only) {
    learn_from_slopes(s, c, g);
  }
  for (guint k = 0; k < s->n; k++) {
    memcpy(s->unknown[k].z_was, s->unknown[k].z, sizeof s->unknown[k].z_was);
    memcpy(s->unknown[k].g_was, g[k], sizeof s->unknown[k].g_was);
  }
  s->slopes_only = TRUE;
  s->phase = TRY;
  correct_slopes(s, g);
}

static void look(Breaker *s, double t)
{
  g_autofree double(*g)[4] = g_malloc_n(s->n, sizeof *g);
  for (guint k = 0; k < s->n; k++) {
    hy_signal_at(&s->unknown[k].in, t, g[k]);
  }
  s->rounds++;
  s->port = 0;
  gboolean failed;
  if (try_values(s, t, g, &failed)) {
    s->phase = TRY;
    s->slopes_only = FALSE;
    if (s->loops.probe < 0) {
      correct_slopes(s, g);
    }
  } else if (!failed) {
    try_slopes(s, t, g);
  }
}

/* Saying -------------------------------------------------------------------------------------- */

/* A constant that has been said. */
static gboolean is_said(const Unknown *u)
{
  gboolean same = u->ever && u->z[0] == u->said[0];
  for (guint c = 1; c < 4; c++) {
    same = same && u->z[c] == 0.0 && u->said[c] == 0.0;
  }
  return same;
}

static gboolean has_word(const Breaker *s, const Unknown *u)
{
  return s->phase == SOLVE ? u->fresh && !is_said(u) : u->untold;
}

/* Goes on to the next word, or phase. */
static void advance(Breaker *s)
{
  while (s->port < s->n && !has_word(s, &s->unknown[s->port])) {
    s->unknown[s->port].fresh &= s->phase != SOLVE;
    s->port++;
  }
  if (s->port < s->n) {
    return;
  }
  gboolean known = TRUE;
  for (guint k = 0; k < s->n; k++) {
    known = known && s->unknown[k].in.known;
  }
  s->phase = s->phase == TRY && known ? LOOK : s->phase == LEAVE ? WAIT : REST;
}

static void told(Breaker *s)
{
  Unknown *u = &s->unknown[s->port++];
  if (s->phase == SOLVE) {
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
  const Breaker *s = state;
  return hy_fault_next(&s->fault, s->phase == REST ? INFINITY : s->t);
}

static HyEvent breaker_lambda(const void *state, double t)
{
  const Breaker *s = state;
  gboolean speaks = s->phase == TRY || s->phase == LEAVE || s->phase == SOLVE;
  if (!speaks || t != s->t) {
    return HY_NO_EVENT;
  }
  const double *z = s->unknown[s->port].z;
  return (HyEvent){.port = (gint)(s->phase == SOLVE ? s->n + s->port : s->port),
                   .value.c = {z[0], z[1], z[2], z[3]}};
}

static void breaker_dint(void *state, double t)
{
  Breaker *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->phase == LOOK) {
    look(s, t);
    advance(s);
  } else if (s->phase == WAIT) {
    s->phase = REST;
  } else {
    told(s);
    advance(s);
  }
}

static void breaker_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Breaker *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->unknown[x->port].in, t, &x->value);
  gboolean known = TRUE;
  for (guint k = 0; k < s->n; k++) {
    known = known && s->unknown[k].in.known;
  }
  if (s->phase == REST && known) {
    move_to(s, t);
    begin(s);
    s->phase = LOOK;
  }
}

/* Words --------------------------------------------------------------------------------------- */

static char *breaker_fault(const void *state)
{
  const Breaker *s = state;
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
  const Breaker *s = state;
  g_string_append_printf(out, "(%s", names[s->phase]);
  for (guint k = 0; k < s->n; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(out, " %s", hy_double_text(text, s->unknown[k].z[0]));
  }
  g_string_append_c(out, ')');
}

static void breaker_report(const void *state, GString *out)
{
  const Breaker *s = state;
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
     .doc = "z, into the loop: trials too, in no time"},
    {.name = "zc",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .at_once = TRUE,
     .doc = "z, solutions only, for what is outside and has a memory"},
    {.name = NULL},
};
static const HyParam breaker_params[] = {
    {.name = "guess",
     .kind = HY_REALS,
     .offset = G_STRUCT_OFFSET(Breaker, guess),
     .text = "0",
     .doc = "where the search begins; one number, or one for each unknown"},
    {.name = "tolerance",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Breaker, tolerance),
     .value = 1e-9,
     .range = HY_POSITIVE,
     .doc = "solved when |in - out| is at most tolerance + relative |out|"},
    {.name = "relative",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Breaker, relative),
     .value = 1e-12,
     .range = HY_NOT_NEGATIVE,
     .doc = "part of |out| that is tolerated, too"},
    {.name = "max_iter",
     .kind = HY_INTEGER,
     .offset = G_STRUCT_OFFSET(Breaker, max_iter),
     .value = 100,
     .range = HY_POSITIVE,
     .doc = "rounds of the loop in one solution, at most"},
    {.name = "solver",
     .kind = HY_TEXT,
     .offset = G_STRUCT_OFFSET(Breaker, solver),
     .text = "secant",
     .choices = "secant newton fixed_point",
     .doc = "newton: derivatives anew at each step; fixed_point: out = in, for teaching"},
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
    .state_size = sizeof(Breaker),
    .init = breaker_init,
    .next = breaker_next,
    .lambda = breaker_lambda,
    .dint = breaker_dint,
    .dext = breaker_dext,
    .clear = breaker_clear,
    .print = breaker_print,
    .report = breaker_report,
    .fault = breaker_fault,
};
