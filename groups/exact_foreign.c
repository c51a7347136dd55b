/* What closes a loop through the states of an exact block and is none of its steps: an atomic
 * behind its inputs, or a block that decides one of its modes, which hears the states. */
#include "classic_internal.h"
#include "exact.h"

#include "base/number.h"
#include "equations/static_block.h"

typedef struct {
  const HyRoom *room;
  guint8 *seen;  /* [atomics]: and those that are known */
  GArray *stack; /* guint: atomics whose inputs are to be looked at */
} Foreign;

static void foreign_put(Foreign *f, guint atomic)
{
  if (!f->seen[atomic]) {
    f->seen[atomic] = 1;
    g_array_append_val(f->stack, atomic);
  }
}

/* Input K of ATOMIC does more than to decide modes whose crossings the block finds itself. */
static gboolean foreign_matters(const Foreign *f, guint atomic, guint k)
{
  const HyKind *kind = f->room->kind[atomic];
  return kind == NULL || !f->room->block[atomic]->led || kind->feeds[k];
}

/* TRUE: one of the inputs of ATOMIC is a state. */
static gboolean foreign_hears(Foreign *f, guint atomic)
{
  const HyFlat *flat = f->room->diagram.flat;
  const HyFlatSources *sources = f->room->diagram.sources;
  guint first = sources->first[atomic];
  gboolean hears = FALSE;
  for (guint k = first; k < sources->first[atomic + 1]; k++) {
    if (sources->slot[k] < flat->first_out[flat->n] && foreign_matters(f, atomic, k - first)) {
      guint owner = flat->owner[sources->slot[k]];
      hears |= f->room->members.state_at[owner] > 0;
      foreign_put(f, owner);
    }
  }
  return hears;
}

/* Through whatever lies between. */
static gboolean foreign_follows(const HyRoom *room, guint atomic, const guint8 *known)
{
  g_autofree guint8 *seen = g_memdup2(known, (gsize)room->diagram.flat->n + 1);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint));
  Foreign f = {room, seen, stack};
  gboolean hears = FALSE;
  foreign_put(&f, atomic);
  while (!hears && stack->len > 0) {
    guint next = g_array_index(stack, guint, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    hears = foreign_hears(&f, next);
  }
  return hears;
}

static guint foreign_source(const HyClassic *g, const guint8 *known)
{
  for (guint k = 0; k < g->rows.source->len; k++) {
    guint atomic = g->room->diagram.flat->owner[g_array_index(g->rows.source, guint32, k)];
    if (!known[atomic] && foreign_follows(g->room, atomic, known)) {
      return atomic;
    }
  }
  return HY_NO_SOURCE;
}

static gboolean foreign_is_owned(const HyRoom *room, guint32 flag)
{
  gboolean owned = FALSE;
  for (guint k = 0; k < room->owned->len && !owned; k++) {
    owned = hy_owned(room, k)->flag == flag && !hy_owned(room, k)->late;
  }
  return owned;
}

guint hy_exact_foreign(const HyRoom *room, const guint8 *known)
{
  const HyClassic *g = g_ptr_array_index(room->groups.classic, 0);
  guint n = room->diagram.flat->n, atomic = foreign_source(g, known);
  for (guint k = 0; k < g->rows.n_flags && atomic == HY_NO_SOURCE; k++) {
    guint decides = hy_part_of(room->first_flag, n, g->rows.flag[k]);
    gboolean own = foreign_is_owned(room, g->rows.flag[k]);
    atomic = !own && foreign_follows(room, decides, known) ? decides : HY_NO_SOURCE;
  }
  return atomic;
}

/* A mode that turns at another value than it turns back at. */
static gboolean foreign_has_width(const HyRoom *room, guint atomic)
{
  const HyKind *kind = room->kind[atomic];
  gboolean wide = FALSE;
  for (guint32 m = 0; m < kind->n_modes; m++) {
    const HyNode *n = &kind->node[hy_kind_mode(kind, m)];
    wide |= n->a != n->c;
  }
  return wide;
}

gboolean hy_exact_remembers(const HyRoom *room)
{
  const HyClassic *g = g_ptr_array_index(room->groups.classic, 0);
  guint n = room->diagram.flat->n;
  gboolean remembers = FALSE;
  for (guint k = 0; k < g->rows.n_flags; k++) {
    guint decides = hy_part_of(room->first_flag, n, g->rows.flag[k]);
    remembers |= !foreign_is_owned(room, g->rows.flag[k]) && foreign_has_width(room, decides);
  }
  return remembers;
}
