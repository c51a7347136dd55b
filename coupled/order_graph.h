/* The graph of the blocks that answer at once, for the order of ties (order.c) and for algebraic
 * loops (order_loops.c). Every search is a loop with its own stack, and linear in atomics and
 * wires.
 *
 * A node is a static block, or one of another class with an output that is at_once (implicit,
 * loop_breaker). One that has other outputs, too, breaks loops: what it says there is a trial, and
 * what comes back is the answer. */
#ifndef HYDEVS_COUPLED_ORDER_GRAPH_H
#define HYDEVS_COUPLED_ORDER_GRAPH_H

#include "flatten.h"
#include "order.h"

typedef struct {
  guint to;         /* node */
  guint in, out;    /* ports */
  gboolean feeds;   /* else the wire only decides modes of TO; FALSE only inside strongly connected
                       components */
  gboolean trial;   /* from where a block that breaks loops says trials */
  gboolean settled; /* from where it says solutions */
  gboolean after;   /* no wire: TO reads what is in the loop, and waits until it is solved */
  gboolean cut;     /* does not count now */
} HyWire;

typedef struct {
  const HyFlat *flat;
  guint n;        /* nodes */
  guint *atomic;  /* [n]: their numbers */
  guint8 *breaks; /* [n]: loops */
  guint *first;   /* [n + 1]: the wires of each */
  GArray *wires;  /* HyWire */
  guint *part;    /* [n]: strongly connected component */
  guint *rank;    /* [n] */
} HyOrderGraph;

/* With its strongly connected components, nothing being cut. */
void hy_order_graph_init(HyOrderGraph *g, const HyFlat *flat);
void hy_order_graph_clear(HyOrderGraph *g);

static inline HyWire *hy_order_wire(const HyOrderGraph *g, guint k)
{
  return &g_array_index(g->wires, HyWire, k);
}

static inline const HyComponent *hy_order_component(const HyFlat *flat, guint atomic)
{
  return hy_component(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic));
}

char *hy_order_path(const HyOrderGraph *g, guint node);

/* Strongly connected components of what is not cut. */
void hy_order_parts(HyOrderGraph *g);
guint *hy_order_part_sizes(const HyOrderGraph *g); /* by part; newly allocated */

/* order_loops.c: the loops that blocks break. What reads something that is in one gets a wire
 * `after` from the block that breaks it. FALSE: a loop has two of them. */
gboolean hy_order_breakers(HyOrderGraph *g, GError **error);
/* Parts are those loops then, and what is not in one alone; IN_LOOP[node]. */
guint8 *hy_order_broken(HyOrderGraph *g);
/* Up to HY_LOOPS_SHOWN cycles of what is not cut (HyLoopStep), without a block in common: each from
 * the block on one whose path is the first in the alphabet. Cuts what leads away from them. */
GArray *hy_order_cycles(HyOrderGraph *g);

#endif
