/* Who waits for whom.
 *
 *   a state          never waits: it says where it begins
 *   a static block   is silent as long as one of its inputs is
 *   any other        has spoken if it has had an internal event; if not, it waits as long as one of
 *                    its signals is silent
 *
 * What is not found to be free so, by a search that goes along the wires of signals, waits. Events
 * are not waited for: where none has come nothing has happened yet. */
#include "waits.h"

#include "coupled/order_graph.h"

#include <string.h>

static gboolean is_static(const HySim *sim, guint a)
{
  return sim->atoms[a].klass->describe != NULL;
}

static gboolean may_wait(const HySim *sim, guint a)
{
  const HyAtom *i = &sim->atoms[a];
  return i->klass->order == NULL && (is_static(sim, a) || i->n_int == 0);
}

static gboolean is_signal(const HySim *sim, HyFlatTarget t)
{
  guint index, n = sim->sources.first[t.atomic + 1] - sim->sources.first[t.atomic];
  return hy_port_at(sim->atoms[t.atomic].klass->in, n, t.port, &index)->kind == HY_SIGNAL;
}

/* WAITS[a] for all. MISSES: of each, so many wires of signals come from who waits. */
static void find_waits(const HySim *sim, guint8 *waits)
{
  const HyFlat *flat = sim->graph;
  g_autofree guint *misses = g_new0(guint, (gsize)sim->n + 1),
                   *queue = g_new(guint, (gsize)sim->n + 1);
  guint n = 0;
  for (guint a = 0; a < sim->n; a++) {
    waits[a] = (guint8)may_wait(sim, a);
    for (guint k = flat->start[flat->first_out[a]];
         waits[a] && k < flat->start[flat->first_out[a + 1]]; k++) {
      misses[flat->targets[k].atomic] += is_signal(sim, flat->targets[k]);
    }
  }
  for (guint a = 0; a < sim->n; a++) {
    if (waits[a] && misses[a] == 0) {
      queue[n++] = a;
    }
  }
  for (guint i = 0; i < n; i++) {
    guint a = queue[i];
    waits[a] = FALSE;
    for (guint k = flat->start[flat->first_out[a]]; k < flat->start[flat->first_out[a + 1]]; k++) {
      guint to = flat->targets[k].atomic;
      if (is_signal(sim, flat->targets[k]) && --misses[to] == 0 && waits[to]) {
        queue[n++] = to;
      }
    }
  }
}

/* Who waits, as a graph of the wires of signals; NODE[atomic] is its place + 1. */
static void make_graph(HyOrderGraph *g, const HySim *sim, const guint8 *waits)
{
  guint n = 0;
  g_autofree guint *node = g_new0(guint, (gsize)sim->n + 1);
  *g = (HyOrderGraph){.flat = sim->graph, .wires = g_array_new(FALSE, FALSE, sizeof(HyWire))};
  g->atomic = g_new0(guint, (gsize)sim->n + 1);
  for (guint a = 0; a < sim->n; a++) {
    if (waits[a]) {
      g->atomic[n] = a;
      node[a] = ++n;
    }
  }
  g->n = n;
  g->breaks = g_new0(guint8, (gsize)n + 1);
  g->first = g_new0(guint, (gsize)n + 1);
  g->part = g_new0(guint, (gsize)n + 1);
  g->rank = g_new0(guint, (gsize)n + 1);
  for (guint v = 0; v < n; v++) {
    const HyFlat *flat = sim->graph;
    guint first = flat->first_out[g->atomic[v]], end = flat->first_out[g->atomic[v] + 1];
    g->first[v] = g->wires->len;
    for (guint slot = first; slot < end; slot++) {
      for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
        HyFlatTarget t = flat->targets[k];
        HyWire wire = {.to = node[t.atomic] - 1, .in = t.port, .out = slot - first, .feeds = TRUE};
        if (node[t.atomic] > 0 && is_signal(sim, t)) {
          g_array_append_val(g->wires, wire);
        }
      }
    }
  }
  g->first[n] = g->wires->len;
}

/* Static blocks alone are no ring: where they stand in a cycle they decide modes, which begin
 * without. */
static void cut_statics(HyOrderGraph *g, const HySim *sim)
{
  hy_order_parts(g);
  g_autofree guint8 *lasts = g_new0(guint8, (gsize)g->n + 2);
  for (guint v = 0; v < g->n; v++) {
    lasts[g->part[v]] |= !is_static(sim, g->atomic[v]);
  }
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      hy_order_wire(g, k)->cut = !lasts[g->part[v]];
    }
  }
}

static GArray *find_rings(const HySim *sim, const guint8 *waits)
{
  HyOrderGraph g;
  make_graph(&g, sim, waits);
  cut_statics(&g, sim);
  GArray *rings = hy_order_cycles(&g);
  hy_order_graph_clear(&g);
  return rings;
}

GArray *hy_sim_waits(const HySim *sim)
{
  g_autofree guint8 *waits = g_new0(guint8, (gsize)sim->n + 1);
  find_waits(sim, waits);
  return find_rings(sim, waits);
}

gboolean hy_sim_may_wait(const HySim *sim)
{
  g_autofree guint8 *waits = g_new0(guint8, (gsize)sim->n + 1);
  for (guint a = 0; a < sim->n; a++) {
    waits[a] = sim->atoms[a].klass->order == NULL;
  }
  g_autoptr(GArray) rings = find_rings(sim, waits);
  return rings->len > 0;
}

guint hy_wait_atomic(const HySim *sim, const HyLoopStep *step)
{
  guint a = 0;
  while (hy_flat_model(sim->graph, a) != step->to_model ||
         hy_flat_component(sim->graph, a) != step->to) {
    a++;
  }
  return a;
}

char *hy_wait_text(const HyLoopStep *step, guint n)
{
  GString *text = g_string_new(NULL);
  for (guint k = 0; k < n; k++) {
    g_autofree char *from = hy_model_path(step[k].from_model, step[k].from);
    g_string_append_printf(text, "%s %s", k == 0 ? "it waits for" : ", that for", from);
  }
  g_string_append(text,
                  ": none of them has said anything since the start; one has to say an initial "
                  "value (a unit_delay or an integrator between them does, and a machine "
                  "whose first output reads no signal)");
  return g_string_free(text, FALSE);
}
