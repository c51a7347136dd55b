/* Looking ahead in a nonlinear static block: how long its pieces hold, where their coefficients do
 * not say it (numerics/validity.h). */
#include "numerics/poly.h"
#include "static_block.h"

#include <math.h>

typedef HyStaticState Own;

typedef struct {
  Own *own;
  double t; /* of the evaluation that stands */
} Look;

/* What is to be known of output K, or of what decides a mode (k from n_out on), which is V after
 * the time S and was said to be C. */
typedef double See(Own *own, guint k, double v, const double *c, double s);

/* How far that is from what was said, in widths of its band. */
static double static_excess_of(Own *own, guint k, double v, const double *c, double s)
{
  HyBand band = hy_static_band(own, k, c[0]);
  double e = fabs(v - hy_poly_at(c, (int)own->form.order, s));
  return e == 0.0 ? 0.0 : isnan(e) ? INFINITY : e / hy_validity_band(&band, s);
}

/* What was 0 until now has had no size. */
static double static_size_of(Own *own, guint k, double v, const double *c, double s)
{
  (void)c, (void)s;
  if (own->inexact->bound[k].size == 0.0 && isfinite(v)) {
    hy_static_set_size(own, k, fabs(v));
  }
  return 0.0;
}

/* What output K says where it is V; NaN stays. */
static double static_within(const HyKindLimits *limits, guint k, double v)
{
  if (limits == NULL) {
    return v;
  }
  return v < limits[k].lower ? limits[k].lower : v > limits[k].upper ? limits[k].upper : v;
}

/* The whole block after the time S: what it says, and what decides its modes, as they are now. The
 * largest that SEE answers. */
static double static_ahead(const Look *look, double s, See *see)
{
  Own *own = look->own;
  const HyProgram *p = own->form.program;
  HyReg *reg = hy_kind_ahead(own->form.kind);
  const guint8 *mode = own->modes != NULL ? hy_modes_values(own->modes) : NULL;
  double worst = 0.0;
  guint at = 0;
  for (guint k = 0; k < p->n_load; k++) {
    const HyPiece *in = &own->in[p->load[k]];
    reg[p->load[k]][0] = hy_poly_at(in->c, (int)own->form.order, look->t + s - in->t);
  }
  for (guint m = 0; m < p->n_modes; m++) {
    const guint16 side[] = {p->mode[m].rises, p->mode[m].falls};
    hy_program_run_value(p, at, p->mode[m].until, reg, mode);
    at = p->mode[m].until;
    for (guint i = 0; i < 2; i++) {
      const double *c = own->form.work->sides[2 * m + i].c;
      if (!isnan(c[0])) { /* else the mode does not count */
        worst = fmax(worst, see(own, p->n_out + 2 * m + i, reg[side[i]][0], c, s));
      }
    }
  }
  hy_program_run_value(p, at, p->n_ins, reg, mode);
  for (guint k = 0; k < p->n_out; k++) {
    double v = static_within(own->form.kind->limits, k, reg[p->out[k]][0]);
    worst = fmax(worst, see(own, k, v, own->form.reg[p->out[k]], s));
  }
  return worst;
}

static double static_excess(void *user, double s)
{
  return static_ahead(user, s, static_excess_of);
}

/* The inputs are such that the coefficients are all there is. */
static gboolean static_ends_early(const Own *own, guint *degree)
{
  const HyKind *kind = own->form.kind;
  for (guint k = 0; k < own->form.program->n_load; k++) {
    guint in = own->form.program->load[k];
    hy_x_degree_take(kind->work->time, in, own->in[in].c, own->form.order);
  }
  *degree = hy_x_degree(kind->work->time, kind->node, kind->n_nodes, kind->decide);
  return *degree < own->form.order ||
         (*degree == own->form.order && !isnan(own->form.work->foreseen));
}

/* Not further than the next crossing, when another piece is made anyway. */
double hy_static_look(Own *own, double t)
{
  Look look = {own, t};
  HyReach reach = HY_REACH_NONE;
  int n = (int)own->form.order;
  guint degree;
  if (static_ends_early(own, &degree)) {
    own->inexact->validity.foreseen = NAN;
    return hy_validity_until(t, degree == own->form.order ? own->form.work->foreseen : INFINITY);
  }
  for (guint k = 0; k < own->form.program->n_load; k++) {
    const HyPiece *in = &own->in[own->form.program->load[k]];
    hy_validity_reach(&reach, in->c, t - in->t, n, own->inexact->rel, own->inexact->min);
  }
  if (reach.near < INFINITY) {
    hy_static_round(own, t + reach.near);
    static_ahead(&look, reach.near, static_size_of);
  }
  double limit = own->modes != NULL ? hy_modes_next(own->modes) - t : INFINITY;
  double s = hy_validity_look(&own->inexact->validity, own->form.work->foreseen, &reach, limit,
                              static_excess, &look);
  return hy_validity_until(t, s);
}
