/* A drawing from its boxes and wires: layers, heights, wires. */
#include "pages/layout.h"

static void free_layer(gpointer p)
{
  g_array_unref(p);
}

void hy_layout_init(HyLayout *l)
{
  *l = (HyLayout){.box = g_array_new(FALSE, TRUE, sizeof(HyBox)),
                  .wire = g_array_new(FALSE, TRUE, sizeof(HyWire)),
                  .dots = g_array_new(FALSE, FALSE, sizeof(HyCorner)),
                  .vertex = g_array_new(FALSE, FALSE, sizeof(Vertex)),
                  .links = g_array_new(FALSE, FALSE, sizeof(Link)),
                  .layers = g_ptr_array_new_with_free_func(free_layer)};
}

void hy_layout_clear(HyLayout *l)
{
  for (guint k = 0; k < l->wire->len; k++) {
    g_free(hy_layout_wire(l, k)->point);
  }
  g_array_unref(l->box);
  g_array_unref(l->wire);
  g_array_unref(l->dots);
  g_array_unref(l->vertex);
  g_array_unref(l->links);
  g_ptr_array_unref(l->layers);
}

/* Wires of one output share their way. */
static gboolean is_too_much(const HyLayout *l)
{
  guint nets = 0;
  for (guint k = 0; k < l->box->len; k++) {
    nets += hy_layout_box(l, k)->n_out;
  }
  g_autofree guint *longest = g_new0(guint, nets + 1);
  guint64 ways = l->wire->len;
  for (guint k = 0; k < l->wire->len; k++) {
    const HyWire *w = hy_layout_wire(l, k);
    guint a = hy_layout_box(l, w->from)->layer, b = hy_layout_box(l, w->to)->layer;
    guint *its = &longest[hy_wire_net(l, w)], way = MAX(a, b) - MIN(a, b) + 1;
    ways += way > *its ? way - *its : 0;
    *its = MAX(*its, way);
  }
  return ways * l->n_layers > HY_LAYOUT_MOST;
}

gboolean hy_layout_find(HyLayout *l)
{
  if (l->box->len == 0) {
    return TRUE;
  }
  hy_layers_find(l);
  if (is_too_much(l)) {
    return FALSE;
  }
  hy_layers_sort(l);
  hy_places_find(l);
  hy_routes_find(l);
  return TRUE;
}
