/* A row that is not linear, and how long its piece holds, written out for a constant number of
 * lanes: for whoever evaluates rows in a loop (row_values.c, members.c, fast-engine/fused_rows.c).
 * What is out of the ordinary is done elsewhere. */
#ifndef HYDEVS_EQUATIONS_ROW_CURVED_H
#define HYDEVS_EQUATIONS_ROW_CURVED_H

#include "room_internal.h"

#include "numerics/poly.h"

#include <math.h>

#define HY_EACH_LANES static inline __attribute__((always_inline))

/* Its program is not linked, or its registers have the numbers of another row. */
void hy_room_run_bent(HyRoom *room, const HyRunRow *row);
/* Where only derivatives do not exist (the root of a signal at 0) the piece ends before them, as
 * the blocks say it. */
void hy_row_end_piece(double *c);

/* What is not linear in ROW reads, at T, into registers. */
HY_EACH_LANES void hy_row_load(const HyRunRow *row, HyReg *reg, double t, const int n)
{
  const guint16 *at = row->bent->value->load, *end = at + row->bent->value->n_load;
  for (; at < end; at++) {
    const HyPiece *s = row->in[*at];
    double *r = reg[*at], q[4];
    for (int i = 0; i < n; i++) {
      q[i] = s->c[i];
    }
    hy_poly_shift(q, n, t - s->t);
    for (int i = 0; i < n; i++) {
      r[i] = q[i];
    }
  }
}

/* The first N coefficients of that. Templates have registers of their own, so numbers that stand in
 * them are written only where the row before had others. */
HY_EACH_LANES void hy_row_bent_value(HyRoom *room, HyRunRow *row, double t, double *c, const int n)
{
  const HyTemplate *shape = row->bent;
  hy_row_load(row, shape->reg, t, n);
  if (G_LIKELY(shape->linked != NULL && shape->numbers == row->number)) {
    hy_linked_run(shape->linked, row->number);
  } else {
    hy_room_run_bent(room, row);
  }
  const double *result = shape->reg[shape->value->out[0]];
  for (int i = 0; i < n; i++) {
    c[i] = result[i];
  }
  row->beyond = n < 4 ? result[n] : NAN;
}

HY_EACH_LANES void hy_row_end_if_needed(double *c, const int n)
{
  double sum = c[0];
  for (int i = 1; i < n; i++) {
    sum += c[i];
  }
  if (G_UNLIKELY(!isfinite(sum))) {
    hy_row_end_piece(c);
  }
}

/* All of it. */
HY_EACH_LANES void hy_row_curved(HyRoom *room, HyRunRow *row, double t, double *c, const int n)
{
  for (int i = n; i < 4; i++) {
    c[i] = 0.0;
  }
  hy_row_bent_value(room, row, t, c, n);
  hy_row_end_if_needed(c, n);
  if (row->sum == NULL) {
    return;
  }
  double sum[4];
  const double *coef = G_LIKELY(!row->stale) ? row->coef : hy_room_row_factors(room, row);
  if (G_UNLIKELY(!hy_row_sum(coef, row->sum_in, row->n_sum, t, sum, n))) {
    hy_row_careful_sum(coef, row->sum_in, row->n_sum, t, sum, n);
  }
  for (int i = 0; i < n; i++) {
    c[i] += sum[i];
  }
  hy_row_end_if_needed(c, n);
}

/* Looks ahead, S being foreseen (members.c); the time for which the piece holds. */
double hy_member_look_ahead(HyRoom *room, HyRunRow *row, const HyMember *m, double t,
                            const HyBand *band, double s);

/* An error of x' moves the place to which x is going by as much, divided by |a|: what the method
 * allows q to be from x anyway does not count. What it does to the state itself is plain. */
static inline HyBand hy_member_band(const HyMember *m, double dx)
{
  const HyQState *v = m->v;
  double shift = m->quantizer->bound * fabs(v->a) * v->dq;
  return (HyBand){.relative = hy_validity_tolerance(v->rel, shift, dx),
                  .least = HY_VALIDITY_QUANTA * v->min,
                  .effect = v->dq};
}

/* Until when a nonlinear row, which is DX at T, may be taken for that piece. */
HY_EACH_LANES void hy_member_find_look(HyRoom *room, HyRunRow *row, HyMember *m, double t,
                                       const double *dx, const int n)
{
  HyBand band = hy_member_band(m, dx[0]);
  double s = hy_validity_foresee_band(row->beyond, n, &band);
  gboolean whole = row->bent->whole && !isnan(s);
  if (G_UNLIKELY(!whole && (t >= m->look || !hy_validity_believes(&row->validity, s)))) {
    s = hy_member_look_ahead(room, row, m, t, &band, s);
  } else if (!whole) {
    s = hy_validity_believed(&row->validity, s);
  }
  m->look = isfinite(dx[0]) ? hy_validity_until(t, s) : INFINITY;
}

#endif
