/* The solution of F(u, z) = 0 by Newton's iteration (numerics/newton.h; Deuflhard, Newton Methods
 * for Nonlinear Problems) with derivatives of the formulas themselves: a second Taylor coefficient
 * of 1 at one unknown, and of 0 at all else, gives a column of dF/dz.
 *
 *   F(u + u' s + ..., z + z' s + ...) = 0,  dF/dz z_k = -(coefficient k of F without z_k)
 *
 * gives the coefficients of the solution one after the other: those of F with z_k = 0 are linear in
 * z_k, with the Jacobian of the values as factor. Near is what is near in z: |(dF/dz)^-1 F| counts,
 * since the units of F are anybody's. Modes are decided by the solution that they lead to, until
 * they stay. */
#include "functions/implicit.h"

#include "numerics/poly.h"

#include <string.h>

/* Evaluation ---------------------------------------------------------------------------------- */

double hy_implicit_guess(const HyImplicit *s, guint k)
{
  return s->guess.v[s->guess.n > 1 ? k : 0];
}

static void implicit_set_unknowns(const HyImplicit *s, const double *z)
{
  for (guint k = 0; k < s->n; k++) {
    s->piece[s->n_in + k] = (HyPiece){.c = {z[k]}, .t = s->t};
  }
}

/* Inputs at rest: only what they are now. */
static void implicit_freeze_inputs(const HyImplicit *s)
{
  for (guint k = 0; k < s->n_in; k++) {
    s->piece[k] = (HyPiece){.c = {hy_signal_value(&s->in[k], s->t)}, .t = s->t};
  }
}

static void implicit_free_inputs(const HyImplicit *s)
{
  for (guint k = 0; k < s->n_in; k++) {
    memcpy(s->piece[k].c, s->in[k].c, sizeof s->in[k].c);
    s->piece[k].t = s->in[k].t;
  }
}

static void implicit_evaluate(const HyImplicit *s)
{
  hy_program_evaluate(s->program, s->piece, s->t, s->reg, s->mode);
}

static double implicit_part(const HyImplicit *s, guint k, guint c)
{
  return s->reg[s->program->out[k]][c];
}

void hy_implicit_residual(void *user, const double *z, double *r)
{
  const HyImplicit *s = user;
  implicit_set_unknowns(s, z);
  implicit_evaluate(s);
  for (guint k = 0; k < s->n; k++) {
    r[k] = implicit_part(s, k, 0);
  }
}

void hy_implicit_jacobian(void *user, const double *z, double *j)
{
  const HyImplicit *s = user;
  implicit_set_unknowns(s, z);
  for (guint c = 0; c < s->n; c++) {
    s->piece[s->n_in + c].c[1] = 1.0;
    implicit_evaluate(s);
    for (guint k = 0; k < s->n; k++) {
      j[(gsize)k * s->n + c] = implicit_part(s, k, 1);
    }
    s->piece[s->n_in + c].c[1] = 0.0;
  }
}

/* Modes --------------------------------------------------------------------------------------- */

/* Those of the pieces at hand. FRESH: these have changed; else only what is due has its turn.
 * TRUE: some mode is another one than before. */
static gboolean implicit_settle(const HyImplicit *s, gboolean fresh)
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
    hy_modes_settle(s->modes, m, s->t, z, s->reg[p->mode[m].falls], fresh, FALSE);
    guint8 now = hy_modes_values(s->modes)[m];
    other |= now != s->mode[m];
    s->mode[m] = now;
  }
  return other;
}

/* Solving ------------------------------------------------------------------------------------- */

/* Coefficient C of all unknowns. FALSE: it does not exist. */
static gboolean implicit_find_slope(const HyImplicit *s, guint c)
{
  gboolean finite = TRUE;
  implicit_evaluate(s);
  for (guint k = 0; k < s->n; k++) {
    s->r[k] = implicit_part(s, k, c);
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
static gboolean implicit_find_slopes(HyImplicit *s)
{
  if (!hy_newton_direction(&s->newton, s->point, s->r, s->dz)) {
    return FALSE;
  }
  implicit_free_inputs(s);
  implicit_set_unknowns(s, s->point);
  for (guint c = 1; c < s->program->lanes && implicit_find_slope(s, c); c++) {
  }
  return TRUE;
}

static HyNewtonEnd implicit_try_from(HyImplicit *s, gboolean guessed)
{
  for (guint k = 0; k < s->n; k++) {
    s->point[k] = guessed ? hy_implicit_guess(s, k) : s->z[k].c[0];
  }
  return hy_newton_solve(&s->newton, s->point);
}

/* With the modes as they are: values near the last ones, or else near the guess. */
static gboolean implicit_find_values(HyImplicit *s)
{
  implicit_freeze_inputs(s);
  s->end = implicit_try_from(s, FALSE);
  if (s->end != HY_NEWTON_SOLVED && s->solved) {
    s->end = implicit_try_from(s, TRUE);
  }
  return s->end == HY_NEWTON_SOLVED;
}

gboolean hy_implicit_find(HyImplicit *s)
{
  if (s->modes == NULL) {
    return implicit_find_values(s) && implicit_find_slopes(s);
  }
  implicit_free_inputs(s);
  for (guint k = 0; k < s->n; k++) {
    s->piece[s->n_in + k] = s->z[k];
  }
  hy_modes_begin(s->modes);
  implicit_settle(s, FALSE);
  for (guint k = 0; k < 2 * s->program->n_modes + 10; k++) {
    if (!implicit_find_values(s) || !implicit_find_slopes(s)) {
      return FALSE;
    }
    if (!implicit_settle(s, TRUE)) {
      hy_modes_commit(s->modes, TRUE);
      return TRUE;
    }
  }
  s->unsettled = TRUE;
  return FALSE;
}

/* How far the piece is from the solution after the time AHEAD, in tolerances: by the step that
 * Newton's iteration would take there with the Jacobian of the present. */
static double implicit_excess(void *user, double ahead)
{
  const HyImplicit *s = user;
  double worst = 0.0;
  for (guint k = 0; k < s->n_in; k++) {
    s->piece[k] = (HyPiece){.c = {hy_signal_value(&s->in[k], s->t + ahead)}, .t = s->t};
  }
  for (guint k = 0; k < s->n; k++) {
    s->point[k] = hy_poly_at(s->z[k].c, (int)s->order, ahead);
  }
  hy_implicit_residual(user, s->point, s->r);
  hy_newton_again(&s->newton, s->r, s->dz);
  for (guint k = 0; k < s->n; k++) {
    double w = hy_validity_tolerance(s->dqrel, s->dqmin, s->z[k].c[0]);
    worst = isnan(s->dz[k]) ? INFINITY : fmax(worst, fabs(s->dz[k]) / w);
  }
  return worst;
}

/* How long the piece holds: by the coefficients that it leaves out, and by looking ahead
 * (numerics/validity.h). */
double hy_implicit_holds(HyImplicit *s)
{
  double foreseen = INFINITY;
  HyReach reach = HY_REACH_NONE;
  for (guint k = 0; k < s->n; k++) {
    double w = hy_validity_tolerance(s->dqrel, s->dqmin, s->z[k].c[0]);
    double c = s->piece[s->n_in + k].c[s->order];
    foreseen = fmin(foreseen, hy_validity_foresee(c, (int)s->order, w));
  }
  for (guint k = 0; k < s->n_in; k++) {
    hy_validity_reach(&reach, s->in[k].c, s->t - s->in[k].t, (int)s->order, s->dqrel, s->dqmin);
  }
  double limit = s->modes != NULL ? hy_modes_next(s->modes) - s->t : INFINITY;
  return hy_validity_look(&s->validity, foreseen, &reach, limit, implicit_excess, s);
}
