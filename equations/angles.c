/* One pass over static blocks, which come after those that feed them: which of their nodes, and so
 * of their outputs, are made of what is said at marked slots. */
#include "angles.h"

#include "members.h"

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

gboolean hy_room_has_angles(const HyRoom *room, const guint8 *of)
{
  const HyFlat *flat = room->diagram.flat;
  guint most = 0;
  for (guint a = 0; a < flat->n; a++) {
    most = room->kind[a] != NULL ? MAX(most, room->kind[a]->n_nodes) : most;
  }
  g_autofree guint8 *slot = g_new0(guint8, (gsize)flat->first_out[flat->n] + 1);
  g_autofree guint8 *node = g_new0(guint8, (gsize)most + 1);
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
