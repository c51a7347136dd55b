/* Heights: each vertex wants to stand where its wires are straight, and keeps its distance from
 * those above and below. In one layer this is least squares under an order, solved by pooling
 * adjacent violators (Barlow and others: Statistical Inference under Order Restrictions). */
#include "pages/layout.h"

#include <math.h>

static double height_of(const HyLayout *l, const Vertex *v)
{
  return v->box != G_MAXUINT ? hy_layout_box(l, v->box)->h + hy_layout_box(l, v->box)->below : 0;
}

/* From the top of A to the top of B, which is next below it. */
static double distance(const HyLayout *l, const Vertex *a, const Vertex *b)
{
  gboolean wires = a->box == G_MAXUINT && b->box == G_MAXUINT;
  return height_of(l, a) + (wires                                        ? HY_WIRE_GAP
                            : b->box == G_MAXUINT || a->box == G_MAXUINT ? HY_WIRE_GAP + 4
                                                                         : HY_BOX_GAP);
}

typedef struct {
  double mean, weight;
  guint n;
} Pool;

/* WANT [n] with WEIGHT becomes the nearest places with these distances: z = y - (distances above)
 * must not decrease. */
static void pool(double *want, const double *weight, const double *above, guint n)
{
  g_autofree Pool *p = g_new(Pool, n + 1);
  guint m = 0;
  for (guint k = 0; k < n; k++) {
    p[m++] = (Pool){want[k] - above[k], weight[k], 1};
    while (m > 1 && p[m - 2].mean > p[m - 1].mean) {
      Pool *a = &p[m - 2], *b = &p[m - 1];
      double w = a->weight + b->weight;
      a->mean = (a->mean * a->weight + b->mean * b->weight) / w;
      a->weight = w;
      a->n += b->n;
      m--;
    }
  }
  guint k = 0;
  for (guint j = 0; j < m; j++) {
    for (guint i = 0; i < p[j].n; i++, k++) {
      want[k] = 4 * floor((p[j].mean + above[k]) / 4 + 0.5);
    }
  }
}

typedef struct {
  double *want, *weight; /* by vertex */
} Wishes;

static void wish(const HyLayout *l, Wishes *w, guint of, double off, guint other, double other_off)
{
  const Vertex *a = hy_vertex(l, of), *b = hy_vertex(l, other);
  double weight = a->box == G_MAXUINT && b->box == G_MAXUINT ? 4 : 1;
  w->want[of] += weight * (b->y + other_off - off);
  w->weight[of] += weight;
}

/* What the links say to the vertices of LAYER; SIDE: -1 those to the left, 1 right, 0 both. */
static void ask_links(const HyLayout *l, Wishes *w, guint layer, gint side)
{
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    guint a = hy_vertex(l, x->left)->layer, b = hy_vertex(l, x->right)->layer;
    if (a == b) {
      continue;
    }
    if (b == layer && (side == 0 || (a < b) == (side < 0))) {
      wish(l, w, x->right, x->right_off, x->left, x->left_off);
    }
    if (a == layer && (side == 0 || (b < a) == (side < 0))) {
      wish(l, w, x->left, x->left_off, x->right, x->right_off);
    }
  }
}

static void place_layer(HyLayout *l, guint layer, gint side)
{
  const GArray *at = hy_layer(l, layer);
  g_autofree double *all = g_new0(double, 2 * l->vertex->len + 1);
  Wishes w = {all, all + l->vertex->len};
  ask_links(l, &w, layer, side);
  g_autofree double *want = g_new(double, 3 * at->len + 1);
  double *weight = want + at->len, *above = weight + at->len;
  for (guint k = 0; k < at->len; k++) {
    guint v = g_array_index(at, guint, k);
    const Vertex *before = k > 0 ? hy_vertex(l, g_array_index(at, guint, k - 1)) : NULL;
    gboolean free = w.weight[v] == 0;
    want[k] = free ? hy_vertex(l, v)->y : w.want[v] / w.weight[v];
    weight[k] = free ? 0.05 : w.weight[v];
    above[k] = before != NULL ? above[k - 1] + distance(l, before, hy_vertex(l, v)) : 0;
  }
  pool(want, weight, above, at->len);
  for (guint k = 0; k < at->len; k++) {
    hy_vertex(l, g_array_index(at, guint, k))->y = want[k];
  }
}

/* One below the other, without wishes. */
static void stack_layer(HyLayout *l, guint layer)
{
  const GArray *at = hy_layer(l, layer);
  double y = 0;
  for (guint k = 0; k < at->len; k++) {
    Vertex *v = hy_vertex(l, g_array_index(at, guint, k));
    const Vertex *next = k + 1 < at->len ? hy_vertex(l, g_array_index(at, guint, k + 1)) : NULL;
    v->y = y;
    y += next != NULL ? distance(l, v, next) : 0;
  }
}

/* Wires that go back --------------------------------------------------------------------------- */

/* Whether V is a place where wires of NET pass a layer on their way back. */
static gboolean goes_back(const Vertex *v, guint net, guint source)
{
  return v->box == G_MAXUINT && v->net == net && v->layer <= source;
}

/* How far V may go towards what is above it (UP) or below. */
static double room_of(const HyLayout *l, guint vertex, gboolean up)
{
  const Vertex *v = hy_vertex(l, vertex);
  const GArray *at = hy_layer(l, v->layer);
  guint k = 0;
  while (g_array_index(at, guint, k) != vertex) {
    k++;
  }
  if (up ? k == 0 : k + 1 == at->len) {
    return INFINITY;
  }
  const Vertex *next = hy_vertex(l, g_array_index(at, guint, up ? k - 1 : k + 1));
  return up ? v->y - next->y - distance(l, next, v) : next->y - v->y - distance(l, v, next);
}

/* The lowest and the highest end of NET, where it begins and ends at boxes on its way back. */
static void ends_of(const HyLayout *l, guint net, guint source, double *top, double *bottom)
{
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    const Vertex *a = hy_vertex(l, x->left), *b = hy_vertex(l, x->right);
    if (x->net != net || (goes_back(a, net, source) == goes_back(b, net, source))) {
      continue;
    }
    double y = goes_back(a, net, source) ? b->y + x->right_off : a->y + x->left_off;
    *top = MIN(*top, y);
    *bottom = MAX(*bottom, y);
  }
}

/* What goes back below all that it joins comes as near to it as it may, and likewise above. */
static void tighten(HyLayout *l, guint net, guint source)
{
  double top = INFINITY, bottom = -INFINITY, least = INFINITY, most = -INFINITY;
  ends_of(l, net, source, &top, &bottom);
  for (guint k = 0; k < l->vertex->len; k++) {
    if (goes_back(hy_vertex(l, k), net, source)) {
      least = MIN(least, hy_vertex(l, k)->y);
      most = MAX(most, hy_vertex(l, k)->y);
    }
  }
  gboolean up = least > bottom, down = most < top;
  double way = up ? least - bottom : down ? top - most : 0;
  for (guint k = 0; way > 0 && k < l->vertex->len; k++) {
    if (goes_back(hy_vertex(l, k), net, source)) {
      way = MIN(way, room_of(l, k, up));
    }
  }
  for (guint k = 0; way > 0 && k < l->vertex->len; k++) {
    if (goes_back(hy_vertex(l, k), net, source)) {
      hy_vertex(l, k)->y += up ? -way : way;
    }
  }
}

/* All of them, again and again, as one makes way for the next. */
static void tighten_all(HyLayout *l)
{
  for (guint pass = 0; pass < 4; pass++) {
    guint net = 0;
    for (guint k = 0; k < l->box->len; k++) {
      const HyBox *b = hy_layout_box(l, k);
      for (guint port = 0; port < b->n_out; port++) {
        tighten(l, net++, b->layer);
      }
    }
  }
}

#define PASSES 12

void hy_places_find(HyLayout *l)
{
  for (guint k = 0; k < l->n_layers; k++) {
    stack_layer(l, k);
  }
  for (guint pass = 0; pass < PASSES; pass++) {
    for (guint k = 0; k < l->n_layers; k++) {
      gboolean right = pass % 2 == 0;
      gint side = pass + 2 >= PASSES ? 0 : right ? -1 : 1;
      place_layer(l, right ? k : l->n_layers - 1 - k, side);
    }
  }
  tighten_all(l);
  double top = INFINITY, bottom = 0;
  for (guint k = 0; k < l->vertex->len; k++) {
    top = MIN(top, hy_vertex(l, k)->y);
  }
  for (guint k = 0; k < l->vertex->len; k++) {
    Vertex *v = hy_vertex(l, k);
    v->y -= top;
    bottom = MAX(bottom, v->y + height_of(l, v));
    if (v->box != G_MAXUINT) {
      hy_layout_box(l, v->box)->y = v->y;
    }
  }
  l->h = bottom;
}
