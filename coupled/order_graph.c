/* The blocks that answer at once, the wires between them, and their strongly connected components.
 */
#include "order_graph.h"
#include "base/carve.h"
#include "expr/builder.h"

#include <string.h>

static gboolean has_port(const HyAtomicClass *klass, gboolean at_once)
{
  const HyPort *p = klass->out;
  while (p != NULL && p->name != NULL && p->at_once != at_once) {
    p++;
  }
  return p != NULL && p->name != NULL;
}

gboolean hy_answers_at_once(const HyAtomicClass *klass)
{
  return klass->describe != NULL || has_port(klass, TRUE);
}

gboolean hy_breaks_loops(const HyAtomicClass *klass)
{
  return klass->describe == NULL && has_port(klass, TRUE) && has_port(klass, FALSE);
}

/* The graph ----------------------------------------------------------------------------------- */

/* Appends of each input of an atomic whether an output follows it at once. */
static void find_feeds(HyXBuilder *b, const HyFlat *flat, guint atomic, GByteArray *feeds)
{
  const HyComponent *c = hy_order_component(flat, atomic);
  gsize size;
  guint first = feeds->len;
  g_byte_array_set_size(feeds, first + c->n_in);
  const guint8 *image =
      hy_component_image(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic), &size);
  g_autofree guint8 *state = hy_zeroed(MAX(c->klass->state_size, size) + 1);
  memcpy(state, image, size);
  hy_feed_through(b, c->klass, state, c->n_in, c->n_out, feeds->data + first);
}

gboolean hy_is_trial(const HyFlat *flat, guint atomic, guint port)
{
  const HyComponent *c = hy_order_component(flat, atomic);
  guint index;
  return hy_breaks_loops(c->klass) && !hy_port_at(c->klass->out, c->n_out, port, &index)->at_once;
}

/* NODES[a]: place of atomic a among the nodes + 1, or 0. All feed, as far as is known. */
static void find_wires(HyOrderGraph *g, const guint *nodes)
{
  const HyFlat *flat = g->flat;
  for (guint i = 0; i < g->n; i++) {
    g->first[i] = g->wires->len;
    guint from = flat->first_out[g->atomic[i]], to = flat->first_out[g->atomic[i] + 1];
    for (guint slot = from; slot < to; slot++) {
      gboolean trial = g->breaks[i] && hy_is_trial(flat, g->atomic[i], slot - from);
      for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
        HyFlatTarget t = flat->targets[k];
        guint j = nodes[t.atomic];
        if (j-- > 0) {
          HyWire w = {.to = j,
                      .in = t.port,
                      .out = slot - from,
                      .feeds = TRUE,
                      .trial = trial,
                      .settled = g->breaks[i] && !trial};
          g_array_append_val(g->wires, w);
        }
      }
    }
  }
  g->first[g->n] = g->wires->len;
}

void hy_order_graph_clear(HyOrderGraph *g)
{
  g_free(g->atomic);
  g_free(g->breaks);
  g_free(g->first);
  g_array_unref(g->wires);
  g_free(g->part);
  g_free(g->rank);
}

char *hy_order_path(const HyOrderGraph *g, guint node)
{
  return hy_model_path(hy_flat_model(g->flat, g->atomic[node]),
                       hy_flat_component(g->flat, g->atomic[node]));
}

/* Strongly connected components: Tarjan, with the path of the search in an array ----------------
 */

typedef struct {
  guint *index, *low; /* [n]; index 0: not seen yet */
  guint *path;        /* nodes whose wires are being followed */
  guint *next;        /* [n]: the wire to follow */
  guint *stack;       /* nodes without a component */
  guint n_path, n_stack, n_index, n_parts;
} Search;

static void search_enter(Search *s, const HyOrderGraph *g, guint v)
{
  s->index[v] = s->low[v] = ++s->n_index;
  s->next[v] = g->first[v];
  s->path[s->n_path++] = v;
  s->stack[s->n_stack++] = v;
}

static void search_leave(Search *s, const HyOrderGraph *g, guint v)
{
  s->n_path--;
  if (s->n_path > 0) {
    guint up = s->path[s->n_path - 1];
    s->low[up] = MIN(s->low[up], s->low[v]);
  }
  if (s->low[v] == s->index[v]) {
    s->n_parts++;
    guint w;
    do {
      w = s->stack[--s->n_stack];
      g->part[w] = s->n_parts;
    } while (w != v);
  }
}

static void search_from(Search *s, const HyOrderGraph *g, guint root)
{
  search_enter(s, g, root);
  while (s->n_path > 0) {
    guint v = s->path[s->n_path - 1];
    if (s->next[v] == g->first[v + 1]) {
      search_leave(s, g, v);
      continue;
    }
    const HyWire *w = hy_order_wire(g, s->next[v]++);
    if (w->cut) {
      continue;
    }
    if (s->index[w->to] == 0) {
      search_enter(s, g, w->to);
    } else if (g->part[w->to] == 0) {
      s->low[v] = MIN(s->low[v], s->index[w->to]);
    }
  }
}

void hy_order_parts(HyOrderGraph *g)
{
  gsize n = (gsize)g->n + 1;
  Search s = {.index = g_new0(guint, n),
              .low = g_new0(guint, n),
              .path = g_new(guint, n),
              .next = g_new(guint, n),
              .stack = g_new(guint, n)};
  memset(g->part, 0, g->n * sizeof *g->part);
  for (guint v = 0; v < g->n; v++) {
    if (s.index[v] == 0) {
      search_from(&s, g, v);
    }
  }
  g_free(s.index);
  g_free(s.low);
  g_free(s.path);
  g_free(s.next);
  g_free(s.stack);
}

guint *hy_order_part_sizes(const HyOrderGraph *g)
{
  guint *size = g_new0(guint, (gsize)g->n + 2);
  for (guint v = 0; v < g->n; v++) {
    size[g->part[v]]++;
  }
  return size;
}

/* Making it ----------------------------------------------------------------------------------- */

/* Which wires only decide modes, of those inside strongly connected components: elsewhere it does
 * not matter, and most models have none. */
static void find_memories(HyOrderGraph *g)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autoptr(GByteArray) feeds = g_byte_array_new();
  g_autofree guint *place = g_new0(guint, (gsize)g->n + 1); /* + 1, of those of a node */
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      HyWire *w = hy_order_wire(g, k);
      const HyComponent *c = hy_order_component(g->flat, g->atomic[w->to]);
      if (g->part[w->to] != g->part[v] || c->klass->describe == NULL) {
        continue;
      }
      if (place[w->to] == 0) {
        place[w->to] = feeds->len + 1;
        find_feeds(b, g->flat, g->atomic[w->to], feeds);
      }
      w->feeds = feeds->data[place[w->to] - 1 + w->in] != 0;
    }
  }
}

void hy_order_graph_init(HyOrderGraph *g, const HyFlat *flat)
{
  guint n = 0;
  for (guint a = 0; a < flat->n; a++) {
    n += hy_answers_at_once(hy_order_component(flat, a)->klass);
  }
  gsize size = (gsize)n + 1;
  *g = (HyOrderGraph){
      .flat = flat,
      .n = n,
      .atomic = g_new0(guint, size),
      .breaks = g_new0(guint8, size),
      .first = g_new(guint, size),
      .wires = g_array_sized_new(FALSE, FALSE, sizeof(HyWire), 1), /* an address, also empty */
      .part = g_new0(guint, size),
      .rank = g_new0(guint, size)};
  g_autofree guint *nodes = g_new0(guint, (gsize)flat->n + 1);
  for (guint a = 0, i = 0; a < flat->n; a++) {
    if (hy_answers_at_once(hy_order_component(flat, a)->klass)) {
      g->atomic[i] = a;
      g->breaks[i] = hy_breaks_loops(hy_order_component(flat, a)->klass);
      nodes[a] = ++i;
    }
  }
  find_wires(g, nodes);
  hy_order_parts(g);
  find_memories(g);
}
