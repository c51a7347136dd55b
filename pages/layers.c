/* Layers: which box stands in which, where wires pass them, and in which order from the top.
 *
 * A wire that closes a circle goes back: it leaves its source at the right like any other, turns,
 * and passes all layers down to that of its target. All wires of one output pass a layer at one
 * place. */
#include "pages/layout.h"

#include <math.h>

/* Which wires go back -------------------------------------------------------------------------- */

typedef struct {
  guint box, next; /* the wire to be followed next */
} Step;

static GArray **wires_of(const HyLayout *l)
{
  GArray **of = g_new(GArray *, MAX(l->box->len, 1));
  for (guint k = 0; k < l->box->len; k++) {
    of[k] = g_array_new(FALSE, FALSE, sizeof(guint));
  }
  for (guint k = 0; k < l->wire->len; k++) {
    g_array_append_val(of[hy_layout_wire(l, k)->from], k);
  }
  return of;
}

/* Depth first from START: a wire to a box on the way here goes back. */
static void follow(const HyLayout *l, GArray **of, guint start, guint8 *seen, guint8 *back)
{
  g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(Step));
  Step first = {start, 0};
  g_array_append_val(way, first);
  seen[start] = 1;
  while (way->len > 0) {
    Step *s = &g_array_index(way, Step, way->len - 1);
    if (s->next == of[s->box]->len) {
      seen[s->box] = 2;
      g_array_set_size(way, way->len - 1);
      continue;
    }
    guint wire = g_array_index(of[s->box], guint, s->next++);
    guint to = hy_layout_wire(l, wire)->to;
    back[wire] = seen[to] == 1;
    if (seen[to] == 0) {
      Step step = {to, 0};
      seen[to] = 1;
      g_array_append_val(way, step);
    }
  }
}

/* Boxes that nothing leads to first, then as they come. */
static guint8 *wires_back(const HyLayout *l, GArray **of)
{
  g_autofree guint8 *seen = g_new0(guint8, l->box->len + 1);
  g_autofree guint8 *led = g_new0(guint8, l->box->len + 1);
  guint8 *back = g_new0(guint8, l->wire->len + 1);
  for (guint k = 0; k < l->wire->len; k++) {
    led[hy_layout_wire(l, k)->to] = 1;
  }
  for (guint pass = 0; pass < 2; pass++) {
    for (guint k = 0; k < l->box->len; k++) {
      if (seen[k] == 0 && (pass == 1 || !led[k])) {
        follow(l, of, k, seen, back);
      }
    }
  }
  return back;
}

/* By the longest way from the left; each pass moves what is still too far left. */
static void longest_ways(HyLayout *l, const guint8 *back)
{
  gboolean moved = TRUE;
  for (guint pass = 0; moved && pass <= l->box->len; pass++) {
    moved = FALSE;
    for (guint k = 0; k < l->wire->len; k++) {
      const HyWire *w = hy_layout_wire(l, k);
      HyBox *from = hy_layout_box(l, w->from), *to = hy_layout_box(l, w->to);
      if (!back[k] && to->layer <= from->layer) {
        to->layer = from->layer + 1;
        moved = TRUE;
      }
    }
  }
}

/* A source stands just before the first that reads it. */
static void pull_sources(HyLayout *l, GArray **of)
{
  g_autofree guint8 *led = g_new0(guint8, l->box->len + 1);
  for (guint k = 0; k < l->wire->len; k++) {
    led[hy_layout_wire(l, k)->to] = 1;
  }
  for (guint k = 0; k < l->box->len; k++) {
    guint first = G_MAXUINT;
    for (guint j = 0; j < of[k]->len; j++) {
      guint to = hy_layout_wire(l, g_array_index(of[k], guint, j))->to;
      first = MIN(first, hy_layout_box(l, to)->layer);
    }
    HyBox *b = hy_layout_box(l, k);
    if (!led[k] && b->side == 0 && first != G_MAXUINT && first > b->layer + 1) {
      b->layer = first - 1;
    }
  }
}

static void layers_by_wires(HyLayout *l)
{
  GArray **of = wires_of(l);
  g_autofree guint8 *back = wires_back(l, of);
  longest_ways(l, back);
  pull_sources(l, of);
  for (guint k = 0; k < l->box->len; k++) {
    g_array_unref(of[k]);
  }
  g_free(of);
}

/* By the places that their author has given ---------------------------------------------------- */

static gint by_place(gconstpointer a, gconstpointer b)
{
  const HyBox *const *p = a, *const *q = b;
  double d = (*p)->hint_x - (*q)->hint_x;
  return d < 0 ? -1 : d > 0 ? 1 : *p < *q ? -1 : *p > *q;
}

/* Boxes whose middles are near each other share a layer. */
static void layers_by_hints(HyLayout *l)
{
  g_autoptr(GPtrArray) all = g_ptr_array_new();
  for (guint k = 0; k < l->box->len; k++) {
    HyBox *b = hy_layout_box(l, k);
    if (b->side == 0) {
      g_ptr_array_add(all, b);
    }
  }
  g_ptr_array_sort(all, by_place);
  const HyBox *first = g_ptr_array_index(all, 0), *end = g_ptr_array_index(all, all->len - 1);
  double near = (end->hint_x - first->hint_x) / 24, start = first->hint_x;
  guint layer = 1;
  for (guint k = 0; k < all->len; k++) {
    HyBox *b = g_ptr_array_index(all, k);
    layer += b->hint_x > start + near;
    start = b->hint_x > start + near ? b->hint_x : start;
    b->layer = layer;
  }
}

static gboolean has_hints(const HyLayout *l)
{
  guint blocks = 0;
  for (guint k = 0; k < l->box->len; k++) {
    const HyBox *b = hy_layout_box(l, k);
    blocks += b->side == 0;
    if (b->side == 0 && (isnan(b->hint_x) || isnan(b->hint_y))) {
      return FALSE;
    }
  }
  return blocks > 0;
}

void hy_layers_find(HyLayout *l)
{
  for (guint k = 0; k < l->box->len; k++) {
    hy_layout_box(l, k)->layer = hy_layout_box(l, k)->side < 0 ? 0 : 1;
  }
  if (has_hints(l)) {
    layers_by_hints(l);
  } else {
    layers_by_wires(l);
  }
  guint last = 1;
  for (guint k = 0; k < l->box->len; k++) {
    const HyBox *b = hy_layout_box(l, k);
    last = b->side <= 0 ? MAX(last, b->layer) : last;
  }
  for (guint k = 0; k < l->box->len; k++) {
    HyBox *b = hy_layout_box(l, k);
    b->layer = b->side > 0 ? last + 1 : b->layer;
  }
  l->n_layers = last + 2;
}

/* Vertices and links --------------------------------------------------------------------------- */

guint hy_wire_net(const HyLayout *l, const HyWire *wire)
{
  guint net = 0;
  for (guint k = 0; k < wire->from; k++) {
    net += hy_layout_box(l, k)->n_out;
  }
  return net + wire->from_port;
}

static guint add_vertex(HyLayout *l, guint box, guint net, guint layer)
{
  Vertex v = {.box = box, .net = net, .layer = layer};
  guint number = l->vertex->len;
  g_array_append_val(l->vertex, v);
  g_array_append_val(hy_layer(l, layer), number);
  return number;
}

/* Where the wires of NET pass LAYER; made when first asked for. */
static guint passing(HyLayout *l, GHashTable *known, guint net, guint layer)
{
  gint64 key = ((gint64)net << 32) | layer;
  gpointer found = g_hash_table_lookup(known, &key);
  if (found == NULL) {
    found = GUINT_TO_POINTER(add_vertex(l, G_MAXUINT, net, layer) + 1);
    g_hash_table_insert(known, g_memdup2(&key, sizeof key), found);
  }
  return GPOINTER_TO_UINT(found) - 1;
}

static gboolean is_same(const Link *a, const Link *b)
{
  return a->channel == b->channel && a->left == b->left && a->right == b->right &&
         a->left_off == b->left_off && a->right_off == b->right_off;
}

static void add_link(HyLayout *l, Link link)
{
  for (guint k = l->links->len; k-- > 0;) {
    const Link *o = &g_array_index(l->links, Link, k);
    if (o->net != link.net) {
      break;
    }
    if (is_same(o, &link)) {
      return;
    }
  }
  g_array_append_val(l->links, link);
}

/* The links of one wire, from its source on. */
static void link_wire(HyLayout *l, GHashTable *known, const HyWire *w)
{
  guint net = hy_wire_net(l, w);
  const HyBox *from = hy_layout_box(l, w->from), *to = hy_layout_box(l, w->to);
  Link link = {.net = net};
  link.left = w->from;
  link.left_off = from->out[w->from_port];
  guint layer = from->layer;
  gboolean back = to->layer <= layer;
  if (back) { /* turns at the right of its source */
    link.channel = layer + 1;
    link.right = passing(l, known, net, layer);
    add_link(l, link);
    link.left = link.right;
    link.left_off = 0;
  }
  for (; back ? layer > to->layer : layer + 1 < to->layer; layer += back ? -1U : 1U) {
    link.channel = back ? layer : layer + 1;
    link.left_side = back;
    link.right = passing(l, known, net, back ? layer - 1 : layer + 1);
    link.right_side = !back;
    add_link(l, link);
    link.left = link.right;
    link.left_off = 0;
  }
  link.channel = to->layer;
  link.left_side = back;
  link.right = w->to;
  link.right_side = TRUE;
  link.right_off = to->in[w->to_port];
  add_link(l, link);
}

/* The order ------------------------------------------------------------------------------------ */

static gint by_order(gconstpointer a, gconstpointer b, gpointer user)
{
  const HyLayout *l = user;
  guint p = *(const guint *)a, q = *(const guint *)b;
  double d = hy_vertex(l, p)->order - hy_vertex(l, q)->order;
  return d < 0 ? -1 : d > 0 ? 1 : p < q ? -1 : p > q;
}

static void sort_layer(HyLayout *l, guint layer)
{
  GArray *at = hy_layer(l, layer);
  g_array_sort_with_data(at, by_order, l);
  for (guint k = 0; k < at->len; k++) {
    hy_vertex(l, g_array_index(at, guint, k))->order = k;
  }
}

/* A port counts a little more than its box, so that wires of one box do not cross. */
static double end_order(const HyLayout *l, guint vertex, double off)
{
  const Vertex *v = hy_vertex(l, vertex);
  double h = v->box != G_MAXUINT ? hy_layout_box(l, v->box)->h : 1;
  return v->order + 0.9 * off / (h + 1);
}

/* Each vertex of LAYER goes to the mean of what it is linked with in the layer before (STEP 1) or
 * behind (-1). */
static void sweep_layer(HyLayout *l, guint layer, gint step)
{
  g_autofree double *sum = g_new0(double, l->vertex->len);
  g_autofree guint *n = g_new0(guint, l->vertex->len);
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    guint a = hy_vertex(l, x->left)->layer, b = hy_vertex(l, x->right)->layer;
    if (b == layer && a == layer - (guint)step) {
      sum[x->right] += end_order(l, x->left, x->left_off);
      n[x->right]++;
    } else if (a == layer && b == layer - (guint)step) {
      sum[x->left] += end_order(l, x->right, x->right_off);
      n[x->left]++;
    }
  }
  for (guint k = 0; k < hy_layer(l, layer)->len; k++) {
    guint v = g_array_index(hy_layer(l, layer), guint, k);
    if (n[v] > 0) {
      hy_vertex(l, v)->order = sum[v] / n[v];
    }
  }
  sort_layer(l, layer);
}

static guint64 crossings(const HyLayout *l)
{
  guint64 n = 0;
  for (guint i = 0; i < l->links->len; i++) {
    const Link *a = &g_array_index(l->links, Link, i);
    double a1 = end_order(l, a->left, a->left_off), a2 = end_order(l, a->right, a->right_off);
    for (guint j = i + 1; j < l->links->len; j++) {
      const Link *b = &g_array_index(l->links, Link, j);
      if (b->channel != a->channel || b->net == a->net) {
        continue;
      }
      gboolean swapped = b->left_side != a->left_side;
      double b1 = end_order(l, swapped ? b->right : b->left, swapped ? b->right_off : b->left_off);
      double b2 = end_order(l, swapped ? b->left : b->right, swapped ? b->left_off : b->right_off);
      n += (a1 - b1) * (a2 - b2) < 0;
    }
  }
  return n;
}

static void keep_orders(HyLayout *l, double *order, gboolean back)
{
  for (guint k = 0; k < l->vertex->len; k++) {
    double *its = &hy_vertex(l, k)->order;
    *(back ? its : &order[k]) = back ? order[k] : *its;
  }
}

#define SWEEPS     24
#define MANY_LINKS 3000 /* above it crossings are not counted */

static void sort_by_links(HyLayout *l)
{
  g_autofree double *best = g_new(double, l->vertex->len + 1);
  guint64 least = G_MAXUINT64;
  for (guint sweep = 0; sweep < SWEEPS; sweep++) {
    for (guint k = 1; k < l->n_layers; k++) {
      sweep_layer(l, sweep % 2 == 0 ? k : l->n_layers - 1 - k, sweep % 2 == 0 ? 1 : -1);
    }
    guint64 n = l->links->len < MANY_LINKS ? crossings(l) : SWEEPS - sweep;
    if (n < least) {
      least = n;
      keep_orders(l, best, FALSE);
    }
  }
  keep_orders(l, best, TRUE);
}

/* A passing wire stands where its source does. */
static void sort_by_hints(HyLayout *l)
{
  for (guint k = 0; k < l->vertex->len; k++) {
    Vertex *v = hy_vertex(l, k);
    if (v->box != G_MAXUINT && hy_layout_box(l, v->box)->side == 0) {
      v->order = hy_layout_box(l, v->box)->hint_y;
    }
  }
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    Vertex *right = hy_vertex(l, x->right), *left = hy_vertex(l, x->left);
    if (right->box == G_MAXUINT || hy_layout_box(l, right->box)->side > 0) {
      right->order = left->order;
    } else if (left->box != G_MAXUINT && hy_layout_box(l, left->box)->side < 0) {
      left->order = right->order;
    }
  }
}

void hy_layers_sort(HyLayout *l)
{
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint k = 0; k < l->n_layers; k++) {
    g_ptr_array_add(l->layers, g_array_new(FALSE, FALSE, sizeof(guint)));
  }
  for (guint k = 0; k < l->box->len; k++) {
    add_vertex(l, k, 0, hy_layout_box(l, k)->layer);
  }
  for (guint k = 0; k < l->wire->len; k++) {
    link_wire(l, known, hy_layout_wire(l, k));
  }
  for (guint k = 0; k < l->n_layers; k++) {
    for (guint j = 0; j < hy_layer(l, k)->len; j++) {
      hy_vertex(l, g_array_index(hy_layer(l, k), guint, j))->order = j;
    }
  }
  if (has_hints(l)) {
    sort_by_hints(l);
  } else {
    sort_by_links(l);
  }
  for (guint k = 0; k < l->n_layers; k++) {
    sort_layer(l, k);
  }
}
