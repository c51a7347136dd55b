/* Sines among the inputs of a group, for a method that takes them whole: sources that say that they
 * are one, and sin and cos of the time in formulas.
 *
 * A row with such a formula is not linear. But a source without inputs that has no further event
 * and whose last word is a line goes on along it for ever; so does the time, and the argument
 * of a sine that is a sum of such with factors is w t + phase. In its place an input is put that
 * is that sine; if what remains is linear the row is, but for sines. It is made of the template of
 * the row, whose numbers stand in it from then on. */
#include "classic_internal.h"

#include "base/hint.h"

/* Sources ------------------------------------------------------------------------------------- */

void hy_classic_find_sines(HyClassic *g)
{
  g->rows.sine = g_new0(HySine, (gsize)g->rows.n_outer + 1);
  for (guint k = 0; k < g->rows.n_outer; k++) {
    if (!hy_room_is_sine(g->room, g->rows.outer[k], &g->rows.sine[k])) {
      g->rows.sine[k] = (HySine){.frequency = 0.0};
    }
  }
}

/* Formulas ------------------------------------------------------------------------------------ */

/* What is said at SLOT is *AT + *SLOPE t for ever. */
static gboolean sines_line(const HyRoom *room, guint slot, double *at, double *slope)
{
  const HyFlat *flat = room->diagram.flat;
  const HyPiece *said = &room->signal[slot];
  guint owner = slot < flat->first_out[flat->n] ? flat->owner[slot] : flat->n;
  if (owner == flat->n || room->kind[owner] != NULL || room->members.state_at[owner] != 0 ||
      room->diagram.sources->first[owner] != room->diagram.sources->first[owner + 1] ||
      room->sources.next == NULL || room->sources.next(room->sources.user, owner) < INFINITY) {
    return FALSE;
  }
  *slope = said->c[1];
  *at = said->c[0] - said->c[1] * said->t;
  return isfinite(*at) && isfinite(*slope) && said->c[2] == 0.0 && said->c[3] == 0.0;
}

/* The argument X in B, whose inputs are the slots of ROW. */
static gboolean sines_argument(const HyRoom *room, const HyRunRow *row, const HyXBuilder *b, HyX x,
                               double *w, double *phase)
{
  HyShape s;
  hy_shape_init(&s);
  hy_shape_take(&s, b, x);
  HyTemplate *t = hy_template_new(&s);
  gboolean ok = t->n_flags == 0 && hy_template_compile(t, 1) && t->degree != HY_NONLINEAR;
  g_autofree double *factor = g_new0(double, (gsize)t->n_slots + 1);
  *w = *phase = 0.0;
  if (ok) {
    hy_template_coefficients(t, (const double *)(gpointer)s.number->data, NULL, factor);
    *phase = factor[t->n_slots];
  }
  for (guint k = 0; k < t->n_slots && ok; k++) {
    double at, slope;
    guint in = g_array_index(s.slot, guint32, k);
    ok = in < row->n_slots && sines_line(room, row->slot[in], &at, &slope);
    *phase += ok ? factor[k] * at : 0.0;
    *w += ok ? factor[k] * slope : 0.0;
  }
  hy_template_free(t);
  hy_shape_clear(&s);
  return ok && isfinite(*w) && isfinite(*phase) && *w != 0.0;
}

/* Numbers as they are, so that what follows from them is one. */
static HyX sines_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  const HyRunRow *row = user;
  return n->op == HY_X_CONST ? hy_x_const(b, row->number[n->a]) : hy_x_same_leaf(NULL, b, x, n);
}

/* sin(w t + phase), by sines of positive rates. */
static HyWave sines_wave(guint32 op, double w, double phase)
{
  double sign = w < 0.0 && op == HY_X_SIN ? -1.0 : 1.0;
  phase = w < 0.0 ? -phase : phase;
  double s = sin(phase), c = cos(phase); /* of sin w t and cos w t */
  return op == HY_X_SIN ? (HyWave){fabs(w), sign * c, sign * s} : (HyWave){fabs(w), -s, c};
}

/* Node X of the row, those before it being in MAP. */
static HyX sines_node(const HyRoom *room, const HyRunRow *row, HyXMap *m, HyX x, GArray *waves)
{
  const HyNode *n = &m->node[x];
  double w, phase;
  if ((n->op != HY_X_SIN && n->op != HY_X_COS) ||
      !sines_argument(room, row, m->b, m->map[n->a], &w, &phase)) {
    return hy_x_map_node(m, x);
  }
  HyWave wave = sines_wave(n->op, w, phase);
  g_array_append_val(waves, wave);
  return hy_x_in(m->b, row->n_slots + waves->len - 1);
}

HyWavyRow *hy_wavy_row_new(const HyRoom *room, const HyRunRow *row)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *map = g_new0(HyX, (gsize)row->shape->n_nodes + 1);
  HyXMap m = {b, row->shape->node, map, sines_leaf, hy_key(row)};
  HyWavyRow *y = g_new0(HyWavyRow, 1);
  y->wave = g_array_new(FALSE, FALSE, sizeof(HyWave));
  hy_shape_init(&y->as);
  for (HyX x = 0; x < row->shape->n_nodes; x++) {
    map[x] = sines_node(room, row, &m, x, y->wave);
  }
  hy_shape_take(&y->as, b, map[row->shape->n_nodes - 1]);
  y->shape = hy_template_new(&y->as);
  if (!hy_template_compile(y->shape, 1) || y->shape->degree == HY_NONLINEAR) {
    hy_wavy_row_free(y);
    return NULL;
  }
  y->factor = g_new0(double, (gsize)y->shape->n_slots + 1);
  y->choice = g_new0(guint8, (gsize)y->shape->n_flags + 1);
  return y;
}

void hy_wavy_row_free(gpointer data)
{
  HyWavyRow *y = data;
  if (y != NULL) {
    g_array_unref(y->wave);
    hy_shape_clear(&y->as);
    hy_template_free(y->shape);
    g_free(y->factor);
    g_free(y->choice);
    g_free(y);
  }
}

static void set_choices(HyWavyRow *y, const guint8 *choice)
{
  for (guint k = 0; k < y->shape->n_flags; k++) {
    y->choice[k] = choice[g_array_index(y->as.flag, guint32, k)];
  }
}

gboolean hy_wavy_row_exactly(HyWavyRow *y, const guint8 *choice, Two *factor)
{
  set_choices(y, choice);
  return hy_template_factors(y->shape, (const double *)(gpointer)y->as.number->data, y->choice,
                             factor);
}

const double *hy_wavy_row_factors(HyWavyRow *y, const guint8 *choice)
{
  set_choices(y, choice);
  hy_template_coefficients(y->shape, (const double *)(gpointer)y->as.number->data, y->choice,
                           y->factor);
  return y->factor;
}
