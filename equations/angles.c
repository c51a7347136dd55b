/* One pass over static blocks, which come after those that feed them: which of their nodes, and so
 * of their outputs, are made of what is said at marked slots. And one the other way round: with
 * which factor what is said gets into sines. */
#include "angles.h"

#include "members.h"

#include <math.h>
#include <string.h>

typedef struct {
  const HyRoom *room;
  guint8 *slot; /* [slots]: made of such states */
  guint8 *node; /* of one kind: likewise; as many as the largest kind has */
} Find;

static gboolean input_is(const Find *f, guint atomic, guint port)
{
  const HyFlat *flat = f->room->diagram.flat;
  const HyFlatSources *sources = f->room->diagram.sources;
  guint slot = sources->slot[sources->first[atomic] + port];
  return slot < flat->first_out[flat->n] && f->slot[slot];
}

/* Whether the block takes such a sine; else its outputs are marked. */
static gboolean look_at_block(const Find *f, guint atomic)
{
  const HyKind *kind = f->room->kind[atomic];
  guint first = f->room->diagram.flat->first_out[atomic];
  for (guint x = 0; x < kind->n_nodes; x++) {
    const HyNode *n = &kind->node[x];
    guint operands = hy_x_operands(n->op);
    f->node[x] = n->op == HY_X_IN
                     ? input_is(f, atomic, n->a)
                     : (operands > 0 && f->node[n->a]) || (operands > 1 && f->node[n->b]) ||
                           (operands > 2 && f->node[n->c]);
    if (f->node[x] && (n->op == HY_X_SIN || n->op == HY_X_COS)) {
      return TRUE;
    }
  }
  for (guint k = 0; k < kind->n_out; k++) {
    f->slot[first + k] = f->node[kind->out[k]];
  }
  return FALSE;
}

static gsize most_nodes(const HyRoom *room)
{
  guint most = 0;
  for (guint a = 0; a < room->diagram.flat->n; a++) {
    most = room->kind[a] != NULL ? MAX(most, room->kind[a]->n_nodes) : most;
  }
  return most;
}

gboolean hy_room_has_angles(const HyRoom *room, const guint8 *of)
{
  const HyFlat *flat = room->diagram.flat;
  g_autofree guint8 *slot = g_new0(guint8, (gsize)flat->first_out[flat->n] + 1);
  g_autofree guint8 *node = g_new0(guint8, most_nodes(room) + 1);
  Find f = {room, slot, node};
  for (guint k = 0; k < room->states->len; k++) {
    slot[hy_member_slot(room, k)] = of[k];
  }
  gboolean any = FALSE;
  for (guint a = 0; a < flat->n && !any; a++) {
    any = room->kind[a] != NULL && look_at_block(&f, a);
  }
  return any;
}

/* Half a turn ---------------------------------------------------------------------------------- */

/* What node X of KIND is where it is a number; else NaN. */
static double number_of(const HyKind *kind, HyX x)
{
  const HyNode *n = &kind->node[x];
  const double *given = n->op == HY_X_IN ? kind->constant[n->a] : NULL;
  return n->op == HY_X_CONST ? n->v : given != NULL ? *given : NAN;
}

static guint operands_of(guint32 op)
{
  return op == HY_X_SELECT ? 3 : hy_x_operands(op);
}

/* By how much N follows operand K of it, where that is a number; else 0. */
static double factor_of(const HyKind *kind, const HyNode *n, guint k)
{
  double other = NAN;
  switch (n->op) {
  case HY_X_ADD:
  case HY_X_SUB:
  case HY_X_NEG:
    return 1.0;
  case HY_X_SELECT:
    return k == 0 ? 0.0 : 1.0;
  case HY_X_MUL:
    other = fabs(number_of(kind, k == 0 ? n->b : n->a));
    break;
  case HY_X_DIV:
    other = k == 0 ? 1.0 / fabs(number_of(kind, n->b)) : NAN;
    break;
  default:
    break;
  }
  return isfinite(other) ? other : 0.0;
}

static gboolean is_periodic(guint32 op)
{
  return op == HY_X_SIN || op == HY_X_COS || op == HY_X_TAN;
}

/* INTO[slots], of those behind it known, is made known of those in front; NODE is working memory.
 */
static void find_factors(const HyRoom *room, guint atomic, double *into, double *node)
{
  const HyKind *kind = room->kind[atomic];
  const HyFlatSources *sources = room->diagram.sources;
  guint first = room->diagram.flat->first_out[atomic];
  memset(node, 0, kind->n_nodes * sizeof *node);
  for (guint k = 0; k < kind->n_out; k++) {
    node[kind->out[k]] = fmax(node[kind->out[k]], into[first + k]);
  }
  for (guint x = kind->n_nodes; x-- > 0;) {
    const HyNode *n = &kind->node[x];
    const HyX operand[] = {n->a, n->b, n->c};
    for (guint k = 0; k < operands_of(n->op); k++) {
      double by = is_periodic(n->op) ? 1.0 : node[x] * factor_of(kind, n, k);
      node[operand[k]] = fmax(node[operand[k]], by);
    }
    guint slot = n->op == HY_X_IN ? sources->slot[sources->first[atomic] + n->a] : HY_NO_SOURCE;
    if (n->op == HY_X_IN && slot < room->diagram.flat->first_out[room->diagram.flat->n]) {
      into[slot] = fmax(into[slot], node[x]);
    }
  }
}

void hy_room_find_angles(HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  g_autofree double *into = g_new0(double, (gsize)flat->first_out[flat->n] + 1);
  g_autofree double *node = g_new0(double, most_nodes(room) + 1);
  for (guint a = flat->n; a-- > 0;) {
    if (room->kind[a] != NULL) {
      find_factors(room, a, into, node);
    }
  }
  for (guint k = 0; k < room->states->len; k++) {
    HyQState *v = hy_room_state(room, k)->member->v;
    double factor = into[hy_member_slot(room, k)];
    if (factor > 0.0 && isfinite(factor)) {
      v->half_turn = G_PI / factor;
      v->dq = fmin(v->dq, hy_qstate_quantum(v, v->x[0]));
    }
  }
}
