/* How wrong what a nonlinear static block says, y, may be (docs/theory.md, section 2).
 *
 * It makes x' of the states behind it wrong (effect.h). By dqrel x' may be: that is a part of y,
 * all of |y| where x' = k y. Where it is little, what counts is how far x is moved: by a quantum
 * until the piece ends, or, where x goes to rest by itself, by as much as its method lets q be from
 * x. Others (a mode, a discrete block, whoever records it) need y by its own size: near 0, by the
 * largest that it has been. But no piece is better than its evaluation: where equal numbers are
 * subtracted, as in min(t/(1 + x), t) near x = 0, rounding may be all that is left of y.
 *
 * The effect is found after an evaluation, for those to come, and anew when y has become of another
 * size, or after a while. */
#include "numerics/poly.h"
#include "static_block.h"

#include <math.h>

typedef HyStaticState Own;

/* Evaluations for which an effect is kept: of a block between states, and of one that says a
 * derivative itself, of which only the quantum can change. */
#define BOUND_KEPT        32
#define BOUND_KEPT_DIRECT 64
/* Or until it has become so much larger or smaller. */
#define BOUND_FACTOR 4.0
/* What matters of an output that others than states read: this part of what matters of it where it
 * is largest. */
#define BOUND_LEAST 1e-3

/* Of something whose largest value was SIZE; what has been 0 until now may become of any size. */
static double bound_least(const Own *own, double size)
{
  return fmin(own->inexact->min, size * fmax(own->inexact->min, BOUND_LEAST * own->inexact->rel));
}

void hy_static_set_size(Own *own, guint k, double size)
{
  HyStaticBound *b = &own->inexact->bound[k];
  b->size = size;
  double least = b->effect.open ? fmax(bound_least(own, size), b->rounding) : own->inexact->min;
  b->least = HY_VALIDITY_QUANTA * least;
}

static guint bound_n(const Own *own)
{
  return own->form.program->n_out + 2 * own->form.program->n_modes;
}

/* The node of output K, or of what decides a mode. */
static HyX bound_node(const HyKind *kind, guint k)
{
  if (k < kind->program->n_out) {
    return kind->out[k];
  }
  guint side = k - kind->program->n_out;
  const HyNode *mode = &kind->node[hy_kind_mode(kind, side / 2)];
  return side % 2 == 0 ? mode->a : mode->c;
}

void hy_static_round(Own *own, double t)
{
  const HyProgram *p = own->form.program;
  double few[16] = {0.0}, *in = p->n_in <= G_N_ELEMENTS(few) ? few : g_new0(double, p->n_in);
  for (guint k = 0; k < p->n_load; k++) {
    const HyPiece *u = &own->in[p->load[k]];
    in[p->load[k]] = hy_poly_at(u->c, (int)own->form.order, t - u->t);
  }
  const guint8 *mode = own->modes != NULL ? hy_modes_values(own->modes) : NULL;
  const double *e = hy_kind_rounding(own->form.kind, in, mode);
  for (guint k = 0; k < bound_n(own); k++) {
    own->inexact->bound[k].rounding = e[bound_node(own->form.kind, k)];
  }
  if (in != few) {
    g_free(in);
  }
}

/* A mode is nothing that a state follows from continuously. */
static void bound_find(Own *own, guint k, double t, double y, gboolean *rounded)
{
  HyStaticBound *b = &own->inexact->bound[k];
  b->effect = HY_EFFECT_UNKNOWN;
  if (own->form.room != NULL && k < own->form.program->n_out) {
    hy_effect_find(own->form.room, own, k, t, &b->effect);
  }
  b->part = b->full * b->effect.part;
  b->from = b->effect.direct ? 0.0 : y / BOUND_FACTOR;
  b->to = b->effect.direct ? INFINITY : y * BOUND_FACTOR;
  b->left = b->effect.waits ? 1 : b->effect.direct ? BOUND_KEPT_DIRECT : BOUND_KEPT;
  if (b->effect.open && !*rounded) {
    hy_static_round(own, t);
    *rounded = TRUE;
  }
  hy_static_set_size(own, k, fmax(b->size, y));
}

/* Of output K, or what decides a mode, the value after the last evaluation. */
static double bound_value(const Own *own, guint k)
{
  const HyProgram *p = own->form.program;
  return k < p->n_out ? own->form.reg[p->out[k]][0] : own->form.work->sides[k - p->n_out].c[0];
}

/* The second side of a plain crossing is the first one. */
static gboolean bound_is_twin(const Own *own, guint k)
{
  const HyProgram *p = own->form.program;
  guint side = k - p->n_out;
  return k >= p->n_out && side % 2 == 1 && p->mode[side / 2].rises == p->mode[side / 2].falls;
}

double hy_static_foresee_all(const Own *own)
{
  double least = INFINITY;
  for (guint k = 0; k < bound_n(own); k++) {
    if (!bound_is_twin(own, k)) {
      HyBand band = hy_static_band(own, k, bound_value(own, k));
      double s = hy_validity_foresee_band(own->form.work->beyond[k], (int)own->form.order, &band);
      least = s < least || isnan(s) ? s : least;
    }
  }
  return least;
}

void hy_static_renew(Own *own, double t)
{
  gboolean rounded = FALSE;
  for (guint k = 0; k < bound_n(own); k++) {
    double y = fabs(bound_value(own, k));
    HyStaticBound *b = &own->inexact->bound[k];
    if (own->form.work->beyond[k] != 0.0 && !hy_static_is_bounded(b, y)) {
      bound_find(own, k, t, y, &rounded);
    }
    b->left -= b->left > 0;
  }
}
