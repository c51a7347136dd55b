/* Boxes and wires on paper: a layered drawing. Where boxes have no places of their own they stand
 * in layers from left to right, so that most wires go that way; wires are orthogonal, and nothing
 * overlaps. Knows nothing of models.
 *
 * Sugiyama, Tagawa, Toda: Methods for Visual Understanding of Hierarchical System Structures. */
#ifndef HY_LAYOUT_H
#define HY_LAYOUT_H

#include <glib.h>

typedef struct {
  double x, y;
} HyCorner;

/* A box. Ports are at its left (in) and right (out) edge. */
typedef struct {
  double w, h;            /* multiples of 8 */
  double below;           /* room for the name below it */
  const double *in, *out; /* ports: from the top, multiples of 4 */
  guint n_in, n_out;
  double hint_x, hint_y; /* where its author has put its middle; NaN: nowhere */
  gint side;             /* -1: a port at the left edge of the paper, 1: at the right, 0: a block */
  double x, y;           /* found: its upper left corner */
  guint layer;
} HyBox;

/* A wire from an output to an input. POINT is found. */
typedef struct {
  guint from, from_port, to, to_port;
  HyCorner *point; /* [n], freed by hy_layout_clear() */
  guint n;
} HyWire;

typedef struct {
  GArray *box, *wire; /* HyBox, HyWire */
  GArray *dots;       /* HyCorner: where a wire divides */
  double w, h;        /* of the paper */

  /* While it is being made. */
  guint n_layers;
  GArray *vertex;    /* Vertex: boxes, then the places where wires pass a layer */
  GPtrArray *layers; /* GArray of guint: vertices from the top */
  GArray *links;     /* Link */
} HyLayout;

/* Smallest distances. */
#define HY_BOX_GAP  20.0
#define HY_WIRE_GAP 8.0

void hy_layout_init(HyLayout *l);
void hy_layout_clear(HyLayout *l);
static inline HyBox *hy_layout_box(const HyLayout *l, guint k)
{
  return &g_array_index(l->box, HyBox, k);
}
static inline HyWire *hy_layout_wire(const HyLayout *l, guint k)
{
  return &g_array_index(l->wire, HyWire, k);
}
/* FALSE: its wires are too many and too long to be laid out in reasonable time; nothing is found.
 */
gboolean hy_layout_find(HyLayout *l);
#define HY_LAYOUT_MOST 30000000 /* layers times what wires go through */

/* ---- between layers.c, places.c and routes.c ---- */

/* A box, or a place where all wires of one output pass a layer. */
typedef struct {
  guint box; /* G_MAXUINT: a passing wire */
  guint net; /* of that wire: its number among the outputs */
  guint layer;
  double y;     /* its top, or the wire's */
  double order; /* while layers are sorted */
} Vertex;

/* Two ends that belong together, in the room left of layer CHANNEL. */
typedef struct {
  guint channel, net;
  guint left, right;          /* vertices; of both ends in one layer LEFT == CHANNEL - 1 or so */
  double left_off, right_off; /* from their y */
  gboolean left_side, right_side; /* at which side of the channel: FALSE left, TRUE right */
} Link;

static inline Vertex *hy_vertex(const HyLayout *l, guint k)
{
  return &g_array_index(l->vertex, Vertex, k);
}
static inline GArray *hy_layer(const HyLayout *l, guint k)
{
  return g_ptr_array_index(l->layers, k);
}
guint hy_wire_net(const HyLayout *l,
                  const HyWire *wire); /* all outputs numbered one after the other */
void hy_layers_find(HyLayout *l);      /* layer of each box */
void hy_layers_sort(HyLayout *l);      /* vertices, links and their order in the layers */
void hy_places_find(HyLayout *l);      /* y */
void hy_routes_find(HyLayout *l);      /* x and wires */

#endif
