/* Wires between layers. In the room left of a layer (a channel) all that one output sends through
 * it is joined by one vertical line, its trunk; trunks have tracks, as few as go without touching.
 * Where a stub from the left ends at the height at which another one begins to the right, its trunk
 * stands further left (Hashimoto, Stevens: Wire Routing by Optimizing Channel Assignment). */
#include "pages/layout.h"

#include <math.h>

/* What one output has in one channel. */
typedef struct {
  guint net, track;
  double top, bottom;
  GArray *left, *right; /* double: y of its ends */
  double x;             /* of the trunk; NaN: it needs none */
  gint state;           /* 0 no track yet, 1 being found, 2 found */
} Trunk;

static double end_y(const HyLayout *l, guint vertex, double off)
{
  return hy_vertex(l, vertex)->y + off;
}

static void add_end(Trunk *t, double y, gboolean right)
{
  GArray *ends = right ? t->right : t->left;
  for (guint k = 0; k < ends->len; k++) {
    if (g_array_index(ends, double, k) == y) {
      return;
    }
  }
  g_array_append_val(ends, y);
  t->top = MIN(t->top, y);
  t->bottom = MAX(t->bottom, y);
}

static Trunk *trunk_of(GPtrArray *channel, guint net)
{
  for (guint k = 0; k < channel->len; k++) {
    Trunk *t = g_ptr_array_index(channel, k);
    if (t->net == net) {
      return t;
    }
  }
  Trunk *t = g_new0(Trunk, 1);
  *t = (Trunk){.net = net, .top = INFINITY, .bottom = -INFINITY, .x = NAN};
  t->left = g_array_new(FALSE, FALSE, sizeof(double));
  t->right = g_array_new(FALSE, FALSE, sizeof(double));
  g_ptr_array_add(channel, t);
  return t;
}

static void trunk_free(gpointer p)
{
  Trunk *t = p;
  g_array_unref(t->left);
  g_array_unref(t->right);
  g_free(t);
}

static gboolean has_end(const GArray *ends, double y)
{
  for (guint k = 0; k < ends->len; k++) {
    if (fabs(g_array_index(ends, double, k) - y) < 1) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Whether A stands left of B: a stub of A from the left has the height of one of B to the right. */
static gboolean before(const Trunk *a, const Trunk *b)
{
  for (guint k = 0; k < a->left->len; k++) {
    if (has_end(b->right, g_array_index(a->left, double, k))) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean touch(const Trunk *a, const Trunk *b)
{
  return a->top < b->bottom + HY_WIRE_GAP && b->top < a->bottom + HY_WIRE_GAP;
}

/* The first track that is free, right of all that must stand left of it. A circle of such wishes is
 * cut where it closes. */
static void find_track(GPtrArray *channel, Trunk *t)
{
  guint least = 0;
  t->state = 1;
  for (guint k = 0; k < channel->len; k++) {
    Trunk *other = g_ptr_array_index(channel, k);
    if (other != t && other->top < other->bottom && before(other, t)) {
      if (other->state == 0) {
        find_track(channel, other);
      }
      least = other->state == 2 ? MAX(least, other->track + 1) : least;
    }
  }
  for (gboolean taken = TRUE; taken;) {
    taken = FALSE;
    for (guint k = 0; k < channel->len; k++) {
      const Trunk *other = g_ptr_array_index(channel, k);
      if (other->state == 2 && other->track == least && touch(other, t)) {
        taken = TRUE;
      }
    }
    least += taken;
  }
  t->track = least;
  t->state = 2;
}

/* Those that go up, from the top; then those that go down, from the bottom: so they cross least. */
static gint by_way(gconstpointer a, gconstpointer b)
{
  const Trunk *p = *(const Trunk *const *)a, *q = *(const Trunk *const *)b;
  gboolean p_down = p->left->len > 0 && g_array_index(p->left, double, 0) <= p->top;
  gboolean q_down = q->left->len > 0 && g_array_index(q->left, double, 0) <= q->top;
  if (p_down != q_down) {
    return p_down ? 1 : -1;
  }
  double d = p_down ? q->top - p->top : p->top - q->top;
  return d < 0 ? -1 : d > 0 ? 1 : p->net < q->net ? -1 : p->net > q->net;
}

/* How many tracks the channel has. */
static guint find_tracks(GPtrArray *channel)
{
  guint n = 0;
  g_ptr_array_sort(channel, by_way);
  for (guint k = 0; k < channel->len; k++) {
    Trunk *t = g_ptr_array_index(channel, k);
    if (t->top < t->bottom && t->state == 0) {
      find_track(channel, t);
    }
    n = t->top < t->bottom ? MAX(n, t->track + 1) : n;
  }
  return n;
}

static GPtrArray **make_channels(const HyLayout *l)
{
  GPtrArray **channel = g_new(GPtrArray *, l->n_layers + 1);
  for (guint k = 0; k <= l->n_layers; k++) {
    channel[k] = g_ptr_array_new_with_free_func(trunk_free);
  }
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    Trunk *t = trunk_of(channel[x->channel], x->net);
    add_end(t, end_y(l, x->left, x->left_off), x->left_side);
    add_end(t, end_y(l, x->right, x->right_off), x->right_side);
  }
  return channel;
}

/* Places --------------------------------------------------------------------------------------- */

static double layer_width(const HyLayout *l, guint layer)
{
  double w = 0;
  for (guint k = 0; k < l->box->len; k++) {
    const HyBox *b = hy_layout_box(l, k);
    w = b->layer == layer ? MAX(w, b->w) : w;
  }
  return w;
}

/* The room left of LAYER begins at X; returns where it ends. */
static double place_trunks(GPtrArray *channel, guint layer, double x)
{
  guint n = find_tracks(channel);
  for (guint k = 0; k < channel->len; k++) {
    Trunk *t = g_ptr_array_index(channel, k);
    t->x = t->top < t->bottom ? x + 16 + t->track * HY_WIRE_GAP : NAN;
  }
  return x + (layer == 0 && n == 0 ? 0 : channel->len == 0 ? 16 : 24 + n * HY_WIRE_GAP);
}

/* Boxes stand in the middle of their layer, ports at the edges of the paper. */
static void place_boxes(HyLayout *l, GPtrArray **channel)
{
  double x = 0;
  for (guint layer = 0; layer < l->n_layers; layer++) {
    double w = layer_width(l, layer);
    x = place_trunks(channel[layer], layer, x);
    for (guint k = 0; k < l->box->len; k++) {
      HyBox *b = hy_layout_box(l, k);
      if (b->layer == layer) {
        b->x = x + (b->side < 0 ? 0 : b->side > 0 ? w - b->w : floor((w - b->w) / 2));
      }
    }
    x += w;
  }
  l->w = x;
}

/* Wires ---------------------------------------------------------------------------------------- */

static void go_to(GArray *way, double x, double y)
{
  HyCorner p = {x, y};
  guint n = way->len;
  const HyCorner *corner = (const HyCorner *)(gpointer)way->data;
  if (n > 0 && corner[n - 1].x == x && corner[n - 1].y == y) {
    return;
  }
  const HyCorner *at = n > 1 ? &corner[n - 1] : NULL, *last = n > 1 ? &corner[n - 2] : NULL;
  gboolean on =
      at != NULL && ((last->x == at->x && at->x == x) || (last->y == at->y && at->y == y));
  if (on) {
    g_array_set_size(way, n - 1);
  }
  g_array_append_val(way, p);
}

/* Through a channel to the height Y. */
static void cross(GPtrArray *channel, guint net, GArray *way, double y)
{
  double x = trunk_of(channel, net)->x;
  if (!isnan(x)) {
    go_to(way, x, g_array_index(way, HyCorner, way->len - 1).y);
    go_to(way, x, y);
  }
}

static const Vertex *passing(const HyLayout *l, guint net, guint layer)
{
  for (guint k = 0; k < hy_layer(l, layer)->len; k++) {
    const Vertex *v = hy_vertex(l, g_array_index(hy_layer(l, layer), guint, k));
    if (v->box == G_MAXUINT && v->net == net) {
      return v;
    }
  }
  g_assert_not_reached();
}

static void draw_wire(HyLayout *l, GPtrArray **channel, HyWire *w)
{
  const HyBox *from = hy_layout_box(l, w->from), *to = hy_layout_box(l, w->to);
  guint net = hy_wire_net(l, w), layer = from->layer;
  g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(HyCorner));
  double y = from->y + from->out[w->from_port], end = to->y + to->in[w->to_port];
  go_to(way, from->x + from->w, y);
  if (to->layer > layer) {
    for (guint k = layer + 1; k < to->layer; k++) {
      cross(channel[k], net, way, passing(l, net, k)->y);
    }
  } else {
    for (guint k = layer + 1; k > to->layer; k--) {
      cross(channel[k], net, way, passing(l, net, k - 1)->y);
    }
  }
  cross(channel[to->layer], net, way, end);
  go_to(way, to->x, g_array_index(way, HyCorner, way->len - 1).y);
  w->n = way->len;
  w->point = (HyCorner *)(gpointer)g_array_free(g_steal_pointer(&way), FALSE);
}

/* Where three ways or more meet on a trunk. */
static void add_dots(HyLayout *l, const Trunk *t, const GArray *ends)
{
  for (guint k = 0; k < ends->len; k++) {
    double y = g_array_index(ends, double, k);
    guint ways = (y > t->top) + (y < t->bottom) + has_end(t->left, y) + has_end(t->right, y);
    HyCorner p = {t->x, y};
    if (ways > 2) {
      g_array_append_val(l->dots, p);
    }
  }
}

static void free_channels(const HyLayout *l, GPtrArray **channel)
{
  for (guint k = 0; k <= l->n_layers; k++) {
    g_ptr_array_unref(channel[k]);
  }
  g_free(channel);
}

/* Wishes in a circle --------------------------------------------------------------------------- */

/* The vertex at whose height NET has an end in CHANNEL; passing wires rather than boxes. G_MAXUINT:
 * it has been moved before. */
static guint vertex_at(const HyLayout *l, guint channel, guint net, double y, const guint8 *moved)
{
  guint found = G_MAXUINT;
  for (guint k = 0; k < l->links->len; k++) {
    const Link *x = &g_array_index(l->links, Link, k);
    if (x->channel != channel || x->net != net) {
      continue;
    }
    guint v = end_y(l, x->left, x->left_off) == y     ? x->left
              : end_y(l, x->right, x->right_off) == y ? x->right
                                                      : G_MAXUINT;
    if (v != G_MAXUINT && !moved[v] && (found == G_MAXUINT || hy_vertex(l, v)->box == G_MAXUINT)) {
      found = v;
    }
  }
  return found;
}

/* The same where a stub of A from the left meets one of B to the right and A stands behind B. */
static guint meeting(const HyLayout *l, guint channel, const Trunk *a, const Trunk *b,
                     const guint8 *moved)
{
  guint v = G_MAXUINT;
  gboolean trunks = a != b && a->top < a->bottom && b->top < b->bottom && a->track >= b->track;
  for (guint e = 0; trunks && v == G_MAXUINT && e < a->left->len; e++) {
    double y = g_array_index(a->left, double, e);
    if (has_end(b->right, y)) {
      v = vertex_at(l, channel, a->net, y, moved);
      v = v == G_MAXUINT ? vertex_at(l, channel, b->net, y, moved) : v;
    }
  }
  return v;
}

/* A vertex that makes two stubs meet at one height whose trunks could not stand as they should. */
static guint in_the_way(const HyLayout *l, GPtrArray **channel, const guint8 *moved)
{
  guint v = G_MAXUINT;
  for (guint k = 0; k <= l->n_layers; k++) {
    for (guint i = 0; v == G_MAXUINT && i < channel[k]->len; i++) {
      for (guint j = 0; v == G_MAXUINT && j < channel[k]->len; j++) {
        v = meeting(l, k, g_ptr_array_index(channel[k], i), g_ptr_array_index(channel[k], j),
                    moved);
      }
    }
  }
  return v;
}

/* Moves what is in the way a little down, each vertex once: there is that much room below. */
static void make_way(HyLayout *l)
{
  g_autofree guint8 *moved = g_new0(guint8, l->vertex->len + 1);
  for (guint way = 0; way != G_MAXUINT;) {
    GPtrArray **channel = make_channels(l);
    for (guint k = 0; k <= l->n_layers; k++) {
      find_tracks(channel[k]);
    }
    way = in_the_way(l, channel, moved);
    free_channels(l, channel);
    if (way != G_MAXUINT) {
      Vertex *v = hy_vertex(l, way);
      moved[way] = 1;
      v->y += 4;
      l->h = MAX(l->h, v->y);
      if (v->box != G_MAXUINT) {
        HyBox *b = hy_layout_box(l, v->box);
        b->y += 4;
        l->h = MAX(l->h, b->y + b->h + b->below);
      }
    }
  }
}

void hy_routes_find(HyLayout *l)
{
  make_way(l);
  GPtrArray **channel = make_channels(l);
  place_boxes(l, channel);
  for (guint k = 0; k < l->wire->len; k++) {
    draw_wire(l, channel, hy_layout_wire(l, k));
  }
  for (guint k = 0; k <= l->n_layers; k++) {
    for (guint j = 0; j < channel[k]->len; j++) {
      const Trunk *t = g_ptr_array_index(channel[k], j);
      if (!isnan(t->x)) {
        add_dots(l, t, t->left);
        add_dots(l, t, t->right);
      }
    }
  }
  free_channels(l, channel);
}
