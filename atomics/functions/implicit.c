/* Implicit: the unknowns that make formulas of them and of inputs 0, F(u, z) = 0, by Newton's
 * iteration (numerics/newton.h) with derivatives of the formulas themselves: a second Taylor
 * coefficient of 1 at one unknown, and of 0 at all else, gives a column of dF/dz.
 *
 *   F(u + u' s + ..., z + z' s + ...) = 0,  dF/dz z_k = -(coefficient k of F without z_k)
 *
 * gives the coefficients of the solution one after the other. Before the piece leaves the solution
 * by 4 max(dqrel |z|, dqmin) it is solved anew (numerics/validity.h). Near is what
 * is near in z: |(dF/dz)^-1 F| counts, since the units of F are anybody's. */
#include "atomics.h"
#include "expr/expression.h"
#include "expr/modes.h"
#include "expr/program.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/newton.h"
#include "numerics/poly.h"
#include "numerics/validity.h"
#include "sources/wave.h"

#include <string.h>

typedef enum { REST, SOLVE, SAY } Phase;

typedef struct {
  const HyExpression *formula;
  const char *unknowns;
  HyReals guess;
  double tolerance, relative, dqrel, dqmin;
  gint64 max_iter;

  guint n_in, n, order;
  HySignal *in;      /* [n_in] */
  HyPiece *piece;    /* [n_in + n]: what the program loads, inputs and then unknowns */
  HyPiece *z, *said; /* [n]: the solution; said: t NaN for never */
  HyProgram *program;
  HyReg *reg;
  HyModes *modes; /* NULL: none */
  guint8 *mode;
  HyNewton newton;
  double *room, *point, *r, *dz; /* [n] each, but for room */
  double t;                      /* of the solution, or of what is to be solved */
  Phase phase;
  double again; /* when it is solved anew */
  HyValidity validity;
  guint port; /* which is said next */
  HyFault fault;
  HyNewtonEnd end;
  gboolean solved, unsettled; /* there is a solution; modes change each other for ever */
  guint64 solutions, iterations;
} Implicit;

/* Evaluation ---------------------------------------------------------------------------------- */

static double guess(const Implicit *s, guint k)
{
  return s->guess.v[s->guess.n > 1 ? k : 0];
}

static void set_unknowns(const Implicit *s, const double *z)
{
  for (guint k = 0; k < s->n; k++) {
    s->piece[s->n_in + k] = (HyPiece){.c = {z[k]}, .t = s->t};
  }
}

/* Inputs at rest: only what they are now. */
static void freeze_inputs(const Implicit *s)
{
  for (guint k = 0; k < s->n_in; k++) {
    s->piece[k] = (HyPiece){.c = {hy_signal_value(&s->in[k], s->t)}, .t = s->t};
  }
}

static void free_inputs(const Implicit *s)
{
  for (guint k = 0; k < s->n_in; k++) {
    memcpy(s->piece[k].c, s->in[k].c, sizeof s->in[k].c);
    s->piece[k].t = s->in[k].t;
  }
}

static void evaluate(const Implicit *s)
{
  hy_program_evaluate(s->program, s->piece, s->t, s->reg, s->mode);
}

static double part(const Implicit *s, guint k, guint c)
{
  return s->reg[s->program->out[k]][c];
}

static void residual(void *user, const double *z, double *r)
{
  const Implicit *s = user;
  set_unknowns(s, z);
  evaluate(s);
  for (guint k = 0; k < s->n; k++) {
    r[k] = part(s, k, 0);
  }
}

static void jacobian(void *user, const double *z, double *j)
{
  const Implicit *s = user;
  set_unknowns(s, z);
  for (guint c = 0; c < s->n; c++) {
    s->piece[s->n_in + c].c[1] = 1.0;
    evaluate(s);
    for (guint k = 0; k < s->n; k++) {
      j[(gsize)k * s->n + c] = part(s, k, 1);
    }
    s->piece[s->n_in + c].c[1] = 0.0;
  }
}

/* init ---------------------------------------------------------------------------------------- */

static gboolean implicit_sizes(const Implicit *s, const HySetup *setup, GError **error)
{
  if (setup->n_out == 0 || setup->n_out > HY_MOST_UNKNOWNS) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%u unknowns; out has as many elements as formula, from 1 to %u", setup->n_out,
                HY_MOST_UNKNOWNS);
    return FALSE;
  }
  if (s->guess.n != 1 && s->guess.n != setup->n_out) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "guess has %u numbers for %u unknown%s",
                s->guess.n, setup->n_out, setup->n_out > 1 ? "s" : "");
    return FALSE;
  }
  return TRUE;
}

static gboolean implicit_compile(Implicit *s, GError **error)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  guint n = s->n_in + s->n;
  g_autofree HyX *in = g_new0(HyX, (gsize)n + 1), *out = g_new0(HyX, (gsize)s->n + 1);
  for (guint k = 0; k < n; k++) {
    in[k] = hy_x_in(b, k);
  }
  if (!hy_expression_nodes(s->formula, b, in, s->n_in, s->n, out, s->n, error)) {
    return FALSE;
  }
  s->program = hy_program_new(b, out, s->n, n, s->order + 1, error);
  if (s->program == NULL) {
    return FALSE;
  }
  s->reg = g_new(HyReg, (gsize)s->program->n_regs + 1);
  hy_program_prepare(s->program, s->reg);
  s->mode = g_new0(guint8, (gsize)s->program->n_modes + 1);
  s->modes = s->program->n_modes > 0 ? hy_modes_new(s->program->n_modes, s->order + 1) : NULL;
  return TRUE;
}

static void implicit_room(Implicit *s)
{
  gsize n = s->n, all = (gsize)s->n_in + n;
  s->in = g_new0(HySignal, all);
  s->piece = g_new0(HyPiece, all);
  s->z = g_new0(HyPiece, n);
  s->said = g_new0(HyPiece, n);
  s->room = g_new0(double, hy_newton_room((int)n) + 3 * n);
  s->point = s->room + hy_newton_room((int)n);
  s->r = s->point + n;
  s->dz = s->r + n;
  s->newton = (HyNewton){.n = (int)n,
                         .residual = residual,
                         .jacobian = jacobian,
                         .user = s,
                         .abs = s->tolerance,
                         .rel = s->relative,
                         .distance = true,
                         .max = (int)MIN(s->max_iter, G_MAXINT),
                         .room = s->room};
}

static gboolean is_known(const Implicit *s)
{
  gboolean known = TRUE;
  for (guint k = 0; k < s->n_in; k++) {
    known = known && s->in[k].known;
  }
  return known;
}

static gboolean implicit_init(void *state, double t, const HySetup *setup, GError **error)
{
  Implicit *s = state;
  if (!implicit_sizes(s, setup, error)) {
    return FALSE;
  }
  s->n_in = setup->n_in;
  s->n = setup->n_out;
  s->order = MIN(setup->order, 3); /* the fourth coefficient only tells how long the piece holds */
  implicit_room(s);
  for (guint k = 0; k < s->n_in; k++) {
    if (!hy_signal_init(&s->in[k], t, setup, k, error)) {
      return FALSE;
    }
  }
  for (guint k = 0; k < s->n; k++) {
    s->z[k] = (HyPiece){.c = {guess(s, k)}, .t = t};
    s->said[k].t = NAN;
  }
  s->t = t;
  s->again = INFINITY;
  s->validity.foreseen = NAN;
  s->phase = is_known(s) ? SOLVE : REST;
  return implicit_compile(s, error);
}

static void implicit_clear(void *state)
{
  Implicit *s = state;
  g_free(s->in);
  g_free(s->piece);
  g_free(s->z);
  g_free(s->said);
  g_free(s->room);
  g_free(s->reg);
  g_free(s->mode);
  hy_modes_free(s->modes);
  hy_program_free(s->program);
}

/* Modes --------------------------------------------------------------------------------------- */

/* Those of the pieces at hand. FRESH: these have changed; else only what is due has its turn.
 * TRUE: some mode is another one than before. */
static gboolean settle(const Implicit *s, gboolean fresh)
{
  const HyProgram *p = s->program;
  guint at = 0;
  gboolean other = FALSE;
  hy_program_load(p, s->piece, s->t, s->reg);
  for (guint m = 0; m < p->n_modes; m++) {
    hy_program_run(p, at, p->mode[m].until, s->reg, s->mode);
    at = p->mode[m].until;
    double *z = s->reg[p->mode[m].rises];
    for (guint k = 0; k < p->lanes; k++) {
      z[k] = isfinite(z[k]) ? z[k] : 0.0;
    }
    hy_modes_settle(s->modes, m, s->t, z, s->reg[p->mode[m].falls], fresh);
    guint8 now = hy_modes_values(s->modes)[m];
    other |= now != s->mode[m];
    s->mode[m] = now;
  }
  return other;
}

/* Solving ------------------------------------------------------------------------------------- */

/* Coefficient C of all unknowns. FALSE: it does not exist. */
static gboolean find_slope(const Implicit *s, guint c)
{
  gboolean finite = TRUE;
  evaluate(s);
  for (guint k = 0; k < s->n; k++) {
    s->r[k] = part(s, k, c);
    finite = finite && isfinite(s->r[k]);
  }
  hy_newton_again(&s->newton, s->r, s->dz);
  for (guint k = 0; finite && k < s->n; k++) {
    s->piece[s->n_in + k].c[c] = s->dz[k];
  }
  return finite;
}

/* The coefficients behind the values; where they do not exist the piece ends before them. FALSE:
 * dF/dz has no inverse. */
static gboolean find_slopes(Implicit *s)
{
  if (!hy_newton_direction(&s->newton, s->point, s->r, s->dz)) {
    return FALSE;
  }
  free_inputs(s);
  set_unknowns(s, s->point);
  for (guint c = 1; c < s->program->lanes && find_slope(s, c); c++) {
  }
  return TRUE;
}

static HyNewtonEnd try_from(Implicit *s, gboolean guessed)
{
  for (guint k = 0; k < s->n; k++) {
    s->point[k] = guessed ? guess(s, k) : s->z[k].c[0];
  }
  return hy_newton_solve(&s->newton, s->point);
}

/* With the modes as they are: values near the last ones, or else near the guess. */
static gboolean find_values(Implicit *s)
{
  freeze_inputs(s);
  s->end = try_from(s, FALSE);
  if (s->end != HY_NEWTON_SOLVED && s->solved) {
    s->end = try_from(s, TRUE);
  }
  return s->end == HY_NEWTON_SOLVED;
}

static gboolean find_solution(Implicit *s)
{
  if (s->modes == NULL) {
    return find_values(s) && find_slopes(s);
  }
  free_inputs(s);
  for (guint k = 0; k < s->n; k++) {
    s->piece[s->n_in + k] = s->z[k];
  }
  hy_modes_begin(s->modes);
  settle(s, FALSE);
  for (guint k = 0; k < 2 * s->program->n_modes + 10; k++) {
    if (!find_values(s) || !find_slopes(s)) {
      return FALSE;
    }
    if (!settle(s, TRUE)) {
      hy_modes_commit(s->modes, TRUE);
      return TRUE;
    }
  }
  s->unsettled = TRUE;
  return FALSE;
}

/* How far the piece is from the solution after the time AHEAD, in tolerances: by the step that
 * Newton's iteration would take there with the Jacobian of the present. */
static double excess(void *user, double ahead)
{
  const Implicit *s = user;
  double worst = 0.0;
  for (guint k = 0; k < s->n_in; k++) {
    s->piece[k] = (HyPiece){.c = {hy_signal_value(&s->in[k], s->t + ahead)}, .t = s->t};
  }
  for (guint k = 0; k < s->n; k++) {
    s->point[k] = hy_poly_at(s->z[k].c, (int)s->order, ahead);
  }
  residual(user, s->point, s->r);
  hy_newton_again(&s->newton, s->r, s->dz);
  for (guint k = 0; k < s->n; k++) {
    double w = hy_validity_tolerance(s->dqrel, s->dqmin, s->z[k].c[0]);
    worst = isnan(s->dz[k]) ? INFINITY : fmax(worst, fabs(s->dz[k]) / w);
  }
  return worst;
}

/* How long the piece holds: by the coefficients that it leaves out, and by looking ahead
 * (numerics/validity.h). */
static double holds(Implicit *s)
{
  double foreseen = INFINITY;
  HyReach reach = HY_REACH_NONE;
  for (guint k = 0; k < s->n; k++) {
    double w = hy_validity_tolerance(s->dqrel, s->dqmin, s->z[k].c[0]);
    double c = s->piece[s->n_in + k].c[s->order];
    foreseen = fmin(foreseen, hy_validity_foresee(c, (int)s->order, w));
  }
  for (guint k = 0; k < s->n_in; k++) {
    double in[4] = {s->in[k].c[0], s->in[k].c[1], s->in[k].c[2], s->in[k].c[3]};
    hy_poly_shift(in, (int)s->order, s->t - s->in[k].t);
    hy_validity_reach(&reach, in, (int)s->order, s->dqrel, s->dqmin);
  }
  double limit = s->modes != NULL ? hy_modes_next(s->modes) - s->t : INFINITY;
  return hy_validity_look(&s->validity, foreseen, &reach, limit, excess, s);
}

static void solve(Implicit *s, double t)
{
  s->unsettled = FALSE;
  s->newton.iterations = 0;
  for (guint k = 0; k < s->n; k++) { /* as a guess */
    hy_poly_shift(s->z[k].c, (int)s->order, t - s->z[k].t);
    s->z[k].t = t;
  }
  gboolean ok = find_solution(s);
  hy_fault_set(&s->fault, t, !ok);
  s->phase = REST;
  s->again = INFINITY;
  if (!ok) {
    return;
  }
  s->solved = TRUE;
  s->solutions++;
  s->iterations += (guint64)s->newton.iterations;
  for (guint k = 0; k < s->n; k++) {
    memcpy(s->z[k].c, s->piece[s->n_in + k].c, sizeof s->z[k].c);
    for (guint c = s->order; c < 4; c++) {
      s->z[k].c[c] = 0.0;
    }
  }
  s->again = hy_validity_until(t, holds(s));
  s->again = s->modes != NULL ? fmin(s->again, hy_modes_next(s->modes)) : s->again;
  s->phase = SAY;
  s->port = 0;
}

/* Events -------------------------------------------------------------------------------------- */

static double implicit_next(const void *state)
{
  const Implicit *s = state;
  return hy_fault_next(&s->fault, s->phase == REST ? s->again : s->t);
}

static HyEvent implicit_lambda(const void *state, double t)
{
  const Implicit *s = state;
  if (s->phase != SAY || t != s->t) {
    return HY_NO_EVENT;
  }
  const double *c = s->z[s->port].c;
  return (HyEvent){.port = (gint)s->port, .value.c = {c[0], c[1], c[2], c[3]}};
}

/* A constant that has been said is not said again. */
static gboolean is_said(const Implicit *s, guint k)
{
  gboolean same = !isnan(s->said[k].t) && s->z[k].c[0] == s->said[k].c[0];
  for (guint c = 1; c < 4; c++) {
    same = same && s->z[k].c[c] == 0.0 && s->said[k].c[c] == 0.0;
  }
  return same;
}

static void implicit_dint(void *state, double t)
{
  Implicit *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->phase == SAY) {
    s->said[s->port] = s->z[s->port];
    s->port++;
  } else {
    s->t = t;
    solve(s, t);
  }
  while (s->phase == SAY && s->port < s->n && is_said(s, s->port)) {
    s->port++;
  }
  if (s->phase == SAY && s->port == s->n) {
    s->phase = REST;
  }
}

static void implicit_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Implicit *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->in[x->port], t, &x->value);
  if (is_known(s)) {
    s->phase = SOLVE;
    s->t = t;
  }
}

/* Words --------------------------------------------------------------------------------------- */

/* The K-th name in `unknowns`, else "out" or "out[2]". */
static char *unknown_name(const Implicit *s, guint k)
{
  g_auto(GStrv) name = g_strsplit(s->unknowns, ",", -1);
  if (k < g_strv_length(name) && *g_strstrip(name[k]) != '\0') {
    return g_strdup(name[k]);
  }
  return s->n == 1 ? g_strdup("out") : g_strdup_printf("out[%u]", k + 1);
}

static char *points_text(const Implicit *s)
{
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < MIN(s->n, 4); k++) {
    char number[HY_DOUBLE_SIZE];
    g_autofree char *name = unknown_name(s, k);
    g_string_append_printf(out, "%s%s = %s", k > 0 ? ", " : "", name,
                           hy_double_text(number, s->point[k]));
  }
  return g_string_free(g_string_append(out, s->n > 4 ? ", ..." : ""), FALSE);
}

static char *implicit_fault(const void *state)
{
  const Implicit *s = state;
  g_autofree char *at = points_text(s);
  char worst[HY_DOUBLE_SIZE];
  hy_double_text(worst, s->newton.worst);
  if (s->unsettled) {
    return hy_fault_text(&s->fault,
                         "each solution of the formula decides its conditions otherwise, "
                         "as the one at %s",
                         at);
  }
  if (s->end == HY_NEWTON_SOLVED || s->end == HY_NEWTON_SINGULAR) {
    g_autofree char *name = unknown_name(s, (guint)s->newton.column);
    return hy_fault_text(&s->fault, "the formula is singular: it does not determine %s at %s", name,
                         at);
  }
  if (s->end == HY_NEWTON_NOT_FINITE) {
    return hy_fault_text(&s->fault, "the formula has no value at %s", at);
  }
  return hy_fault_text(&s->fault, "no solution found in %d iterations: the formula is %s at %s",
                       s->newton.iterations, worst, at);
}

static void implicit_print(const void *state, GString *out)
{
  const Implicit *s = state;
  g_string_append_c(out, '(');
  for (guint k = 0; k < s->n; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(out, "%s%s", k > 0 ? " " : "", hy_double_text(text, s->z[k].c[0]));
  }
  g_string_append_c(out, ')');
}

static void implicit_report(const void *state, GString *out)
{
  const Implicit *s = state;
  g_string_append_printf(out, "%" G_GUINT64_FORMAT " solutions, %" G_GUINT64_FORMAT " iterations",
                         s->solutions, s->iterations);
}

static const HyPort implicit_in[] = {
    {.name = "in",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .optional = TRUE,
     .doc = "what the formula reads beside the unknowns, in the order of its names"},
    {.name = NULL},
};
static const HyPort implicit_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .array = TRUE, .at_once = TRUE, .doc = "the unknowns"},
    {.name = NULL},
};
static const HyParam implicit_params[] = {
    {.name = "formula",
     .kind = HY_FORMULA,
     .offset = G_STRUCT_OFFSET(Implicit, formula),
     .required = TRUE,
     .doc =
         "what has to be 0, one expression for each unknown; its inputs are in[1], in[2], ..., the "
         "unknowns out[1], ..."},
    {.name = "unknowns",
     .kind = HY_TEXT,
     .offset = G_STRUCT_OFFSET(Implicit, unknowns),
     .text = "",
     .doc = "names of several unknowns, with commas; without it the block's own name is the one"},
    {.name = "guess",
     .kind = HY_REALS,
     .offset = G_STRUCT_OFFSET(Implicit, guess),
     .text = "0",
     .doc = "where the search begins; one number, or one for each unknown"},
    {.name = "tolerance",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Implicit, tolerance),
     .value = 1e-9,
     .range = HY_POSITIVE,
     .doc = "an unknown is found when it is so near, or nearer than relative times its size"},
    {.name = "relative",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(Implicit, relative),
     .value = 1e-12,
     .range = HY_NOT_NEGATIVE,
     .doc = "see tolerance"},
    {.name = "max_iter",
     .kind = HY_INTEGER,
     .offset = G_STRUCT_OFFSET(Implicit, max_iter),
     .value = 100,
     .range = HY_POSITIVE,
     .doc = "iterations of one solution, at most"},
    HY_DQREL(Implicit, dqrel),
    HY_DQMIN(Implicit, dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_implicit_class = {
    .name = "implicit",
    .doc = "out = the solution of formula = 0; further attributes are named inputs",
    .palette = "Functions",
    .example = "<implicit name=\"v\" formula=\"v + R1*is*(exp(v/vt) - 1) - u\" u=\"bus.v\"/>",
    .in = implicit_in,
    .out = implicit_out,
    .formula = HY_FORMULA_OF_UNKNOWNS,
    .params = implicit_params,
    .state_size = sizeof(Implicit),
    .init = implicit_init,
    .next = implicit_next,
    .lambda = implicit_lambda,
    .dint = implicit_dint,
    .dext = implicit_dext,
    .clear = implicit_clear,
    .print = implicit_print,
    .report = implicit_report,
    .fault = implicit_fault,
};
