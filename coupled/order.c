/* Ranks of the blocks that answer at once, over the flat graph. */
#include "order_graph.h"

#include <string.h>

/* Ranks --------------------------------------------------------------------------------------- */

/* Trials have no rank behind what they come from. */
static void cut_trials(HyOrderGraph *g)
{
  for (guint k = 0; k < g->wires->len; k++) {
    hy_order_wire(g, k)->cut = hy_order_wire(g, k)->trial;
  }
}

static void cut_memories(HyOrderGraph *g)
{
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      HyWire *w = hy_order_wire(g, k);
      w->cut |= !w->feeds && g->part[w->to] == g->part[v];
    }
  }
}

/* FALSE: not all have one, because of a cycle. */
static gboolean find_ranks(HyOrderGraph *g)
{
  g_autofree guint *waits = g_new0(guint, (gsize)g->n + 1); /* wires from nodes without a rank */
  g_autofree guint *queue = g_new(guint, (gsize)g->n + 1);
  guint n = 0;
  for (guint k = 0; k < g->wires->len; k++) {
    waits[hy_order_wire(g, k)->to] += !hy_order_wire(g, k)->cut;
  }
  for (guint v = 0; v < g->n; v++) {
    if (waits[v] == 0) {
      queue[n++] = v;
    }
  }
  for (guint at = 0; at < n; at++) {
    guint v = queue[at];
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      const HyWire *w = hy_order_wire(g, k);
      if (w->cut) {
        continue;
      }
      g->rank[w->to] = MAX(g->rank[w->to], g->rank[v] + 1);
      if (--waits[w->to] == 0) {
        queue[n++] = w->to;
      }
    }
  }
  return n == g->n;
}

static void renumber(const HyModel *root, const HyOrderGraph *g)
{
  const HyRoot *owner = root->owner;
  guint n = owner->n_atomics, next = 0;
  g_autofree guint *place = g_new0(guint, (gsize)g->n + 2); /* by rank: where the next one goes */
  g_autofree guint8 *first = g_new0(guint8, (gsize)n + 1);
  g_autofree guint *number = g_new0(guint, (gsize)n + 1);
  for (guint i = 0; i < g->n; i++) {
    first[g->atomic[i]] = hy_order_component(g->flat, g->atomic[i])->priority == HY_NO_PRIORITY;
    place[g->rank[i] + 1] += first[g->atomic[i]];
  }
  for (guint r = 0; r < g->n; r++) {
    place[r + 1] += place[r];
  }
  for (guint i = 0; i < g->n; i++) {
    if (first[g->atomic[i]]) {
      number[g->atomic[i]] = place[g->rank[i]]++;
      next++;
    }
  }
  for (guint a = 0; a < n; a++) {
    number[a] = first[a] ? number[a] : next++;
  }
  gsize size = (gsize)n * sizeof *owner->atomics;
  g_autofree guint8 *copy = g_malloc(size + 1);
  memcpy(copy, owner->atomics, size);
  for (guint a = 0; a < n; a++) {
    memcpy(&owner->atomics[number[a]], copy + a * sizeof *owner->atomics, sizeof *owner->atomics);
  }
  for (guint a = 0; a < n; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    hy_component(m, owner->atomics[a].component)->number = a;
  }
}

/* --------------------------------------------------------------------------------------------- */

gboolean hy_order_statics(HyModel *root, GArray **loops, GError **error)
{
  const HyRoot *owner = root->owner;
  gboolean found = FALSE;
  for (guint a = 0; a < owner->n_atomics && !found; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    found = hy_answers_at_once(hy_component(m, owner->atomics[a].component)->klass);
  }
  if (!found) {
    return TRUE;
  }
  HyFlat *flat = hy_flat_new(root);
  HyOrderGraph g;
  hy_order_graph_init(&g, flat);
  gboolean ok = hy_order_breakers(&g, error);
  if (ok) {
    if (memchr(g.breaks, 1, g.n) != NULL) {
      cut_trials(&g);
      hy_order_parts(&g);
    }
    cut_memories(&g);
    ok = find_ranks(&g);
    if (ok) {
      renumber(root, &g);
    } else {
      *loops = hy_order_cycles(&g);
      g_autofree char *text =
          hy_loop_text((const HyLoopStep *)(gpointer)(*loops)->data, hy_loop_length(*loops, 0), "");
      g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, text);
    }
  }
  hy_order_graph_clear(&g);
  hy_flat_free(flat);
  return ok;
}
