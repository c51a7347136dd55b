/* Implicit: the unknowns that make formulas of them and of inputs 0, F(u, z) = 0; how they are
 * found is in implicit_solve.c. Before the piece leaves the solution by 4 max(dqrel |z|, dqmin) it
 * is solved anew (numerics/validity.h). */
#include "functions/implicit.h"
#include "atomics.h"
#include "expr/expression.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/poly.h"
#include "sources/wave.h"

#include <string.h>

/* init ---------------------------------------------------------------------------------------- */

static gboolean implicit_sizes(const HyImplicit *s, const HySetup *setup, GError **error)
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

static gboolean implicit_compile(HyImplicit *s, GError **error)
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

static void implicit_room(HyImplicit *s)
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
                         .residual = hy_implicit_residual,
                         .jacobian = hy_implicit_jacobian,
                         .user = s,
                         .abs = s->tolerance,
                         .rel = s->relative,
                         .distance = true,
                         .max = (int)MIN(s->max_iter, G_MAXINT),
                         .room = s->room};
}

static gboolean implicit_is_known(const HyImplicit *s)
{
  gboolean known = TRUE;
  for (guint k = 0; k < s->n_in; k++) {
    known = known && s->in[k].known;
  }
  return known;
}

static gboolean implicit_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyImplicit *s = state;
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
    s->z[k] = (HyPiece){.c = {hy_implicit_guess(s, k)}, .t = t};
    s->said[k].t = NAN;
  }
  s->t = t;
  s->again = INFINITY;
  s->validity.foreseen = NAN;
  s->phase = implicit_is_known(s) ? HY_IMPLICIT_SOLVE : HY_IMPLICIT_REST;
  return implicit_compile(s, error);
}

static void implicit_clear(void *state)
{
  HyImplicit *s = state;
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

static void implicit_tape(void *state, HyTape *tape)
{
  HyImplicit *s = state;
  for (guint k = 0; k < s->n_in; k++) {
    hy_signal_tape(&s->in[k], tape);
  }
  for (guint k = 0; k < s->n; k++) {
    hy_tape_piece(tape, &s->z[k]);
    hy_tape_piece(tape, &s->said[k]);
  }
  HY_TAPE_ARRAY(tape, s->point, s->n);
  HY_TAPE_ARRAY(tape, s->mode, s->program->n_modes + (gsize)1);
  if (s->modes != NULL) {
    hy_modes_tape(s->modes, tape);
  }
  HY_TAPE(tape, s->newton.iterations);
  HY_TAPE(tape, s->newton.worst);
  HY_TAPE(tape, s->newton.column);
  HY_TAPE(tape, s->t);
  HY_TAPE(tape, s->phase);
  HY_TAPE(tape, s->again);
  HY_TAPE(tape, s->validity.foreseen);
  HY_TAPE(tape, s->validity.far);
  HY_TAPE(tape, s->port);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->end);
  HY_TAPE(tape, s->solved);
  HY_TAPE(tape, s->unsettled);
  HY_TAPE(tape, s->solutions);
  HY_TAPE(tape, s->iterations);
  if (s->phase > HY_IMPLICIT_SAY || (s->phase == HY_IMPLICIT_SAY && s->port >= s->n) ||
      s->newton.column < -1 || s->newton.column >= (gint)s->n) {
    s->phase = HY_IMPLICIT_REST;
    hy_tape_reject(tape, "it is at an unknown that it does not have");
  }
}

static void implicit_solve(HyImplicit *s, double t)
{
  s->unsettled = FALSE;
  s->newton.iterations = 0;
  for (guint k = 0; k < s->n; k++) { /* as a guess */
    hy_poly_shift(s->z[k].c, (int)s->order, t - s->z[k].t);
    s->z[k].t = t;
  }
  gboolean ok = hy_implicit_find(s);
  hy_fault_set(&s->fault, t, !ok);
  s->phase = HY_IMPLICIT_REST;
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
  s->again = hy_validity_until(t, hy_implicit_holds(s));
  s->again = s->modes != NULL ? fmin(s->again, hy_modes_next(s->modes)) : s->again;
  s->phase = HY_IMPLICIT_SAY;
  s->port = 0;
}

/* Events -------------------------------------------------------------------------------------- */

static double implicit_next(const void *state)
{
  const HyImplicit *s = state;
  return hy_fault_next(&s->fault, s->phase == HY_IMPLICIT_REST ? s->again : s->t);
}

static HyEvent implicit_lambda(const void *state, double t)
{
  const HyImplicit *s = state;
  if (s->phase != HY_IMPLICIT_SAY || t != s->t) {
    return HY_NO_EVENT;
  }
  const double *c = s->z[s->port].c;
  return (HyEvent){.port = (gint)s->port, .value.c = {c[0], c[1], c[2], c[3]}};
}

/* A constant that has been said is not said again. */
static gboolean implicit_is_said(const HyImplicit *s, guint k)
{
  gboolean same = !isnan(s->said[k].t) && s->z[k].c[0] == s->said[k].c[0];
  for (guint c = 1; c < 4; c++) {
    same = same && s->z[k].c[c] == 0.0 && s->said[k].c[c] == 0.0;
  }
  return same;
}

static void implicit_dint(void *state, double t)
{
  HyImplicit *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->phase == HY_IMPLICIT_SAY) {
    s->said[s->port] = s->z[s->port];
    s->port++;
  } else {
    s->t = t;
    implicit_solve(s, t);
  }
  while (s->phase == HY_IMPLICIT_SAY && s->port < s->n && implicit_is_said(s, s->port)) {
    s->port++;
  }
  if (s->phase == HY_IMPLICIT_SAY && s->port == s->n) {
    s->phase = HY_IMPLICIT_REST;
  }
}

static void implicit_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  HyImplicit *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->in[x->port], t, &x->value);
  if (implicit_is_known(s)) {
    s->phase = HY_IMPLICIT_SOLVE;
    s->t = t;
  }
}

/* Words --------------------------------------------------------------------------------------- */

/* The K-th name in `unknowns`, else "out" or "out[2]". */
static char *implicit_unknown_name(const HyImplicit *s, guint k)
{
  g_auto(GStrv) name = g_strsplit(s->unknowns, ",", -1);
  if (k < g_strv_length(name) && *g_strstrip(name[k]) != '\0') {
    return g_strdup(name[k]);
  }
  return s->n == 1 ? g_strdup("out") : g_strdup_printf("out[%u]", k + 1);
}

static char *implicit_points_text(const HyImplicit *s)
{
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < MIN(s->n, 4); k++) {
    char number[HY_DOUBLE_SIZE];
    g_autofree char *name = implicit_unknown_name(s, k);
    g_string_append_printf(out, "%s%s = %s", k > 0 ? ", " : "", name,
                           hy_double_text(number, s->point[k]));
  }
  return g_string_free(g_string_append(out, s->n > 4 ? ", ..." : ""), FALSE);
}

static char *implicit_fault(const void *state)
{
  const HyImplicit *s = state;
  g_autofree char *at = implicit_points_text(s);
  char worst[HY_DOUBLE_SIZE];
  hy_double_text(worst, s->newton.worst);
  if (s->unsettled) {
    return hy_fault_text(&s->fault,
                         "each solution of the formula decides its conditions otherwise, "
                         "as the one at %s",
                         at);
  }
  if (s->end == HY_NEWTON_SOLVED || s->end == HY_NEWTON_SINGULAR) {
    g_autofree char *name = implicit_unknown_name(s, (guint)s->newton.column);
    return hy_fault_text(&s->fault, "the formula is singular: it does not determine %s at %s%s",
                         name, at,
                         s->end == HY_NEWTON_SINGULAR ? "; try to begin elsewhere, by guess" : "");
  }
  if (s->end == HY_NEWTON_NOT_FINITE) {
    return hy_fault_text(&s->fault, "the formula has no value at %s", at);
  }
  return hy_fault_text(&s->fault, "no solution found in %d iterations: the formula is %s at %s",
                       s->newton.iterations, worst, at);
}

static void implicit_print(const void *state, GString *out)
{
  const HyImplicit *s = state;
  g_string_append_c(out, '(');
  for (guint k = 0; k < s->n; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(out, "%s%s", k > 0 ? " " : "", hy_double_text(text, s->z[k].c[0]));
  }
  g_string_append_c(out, ')');
}

static void implicit_report(const void *state, GString *out)
{
  const HyImplicit *s = state;
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
    {.name = "out",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .at_once = TRUE,
     .moves = TRUE,
     .doc = "the unknowns"},
    {.name = NULL},
};
static const HyParam implicit_params[] = {
    HY_PARAM(HyImplicit, formula, .required = TRUE,
             .doc = "what has to be 0, one expression for each unknown; its inputs are in[1], "
                    "in[2], ..., the "
                    "unknowns out[1], ..."),
    HY_PARAM(
        HyImplicit, unknowns, .text = "",
        .doc =
            "names of several unknowns, with commas; without it the block's own name is the one"),
    HY_PARAM(HyImplicit, guess, .text = "0",
             .doc = "where the search begins; one number, or one for each unknown"),
    HY_PARAM(HyImplicit, tolerance, .value = 1e-9, .range = HY_POSITIVE,
             .doc =
                 "an unknown is found when it is so near, or nearer than relative times its size"),
    HY_PARAM(HyImplicit, relative, .value = 1e-12, .range = HY_NOT_NEGATIVE,
             .doc = "see tolerance"),
    HY_PARAM(HyImplicit, max_iter, .value = 100, .range = HY_POSITIVE,
             .doc = "iterations of one solution, at most"),
    HY_DQREL(HyImplicit, dqrel),
    HY_DQMIN(HyImplicit, dqmin),
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
    .state_size = sizeof(HyImplicit),
    .init = implicit_init,
    .next = implicit_next,
    .lambda = implicit_lambda,
    .dint = implicit_dint,
    .dext = implicit_dext,
    .clear = implicit_clear,
    .tape = implicit_tape,
    .print = implicit_print,
    .report = implicit_report,
    .fault = implicit_fault,
};
