/* Who waits for whom.
 *
 *   a state          never waits: it says where it begins
 *   a static block   is silent as long as one of its inputs is
 *   any other        has spoken if it has had an internal event, or where its class says so; if
 *                    not, an output waits as long as one of the block's signals is silent
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

static gboolean is_state(const HySim *sim, guint a)
{
  return sim->atoms[a].klass->order != NULL;
}

/* It has not spoken at PORT. */
static gboolean may_wait(const HySim *sim, guint a, guint port)
{
  const HyAtom *i = &sim->atoms[a];
  if (is_static(sim, a) || is_state(sim, a)) {
    return !is_state(sim, a);
  }
  return i->klass->silent != NULL ? i->klass->silent(i->state, port) : i->n_int == 0;
}

static gboolean is_signal(const HySim *sim, HyFlatTarget t)
{
  guint index, n = sim->sources.first[t.atomic + 1] - sim->sources.first[t.atomic];
  return hy_port_at(sim->atoms[t.atomic].klass->in, n, t.port, &index)->kind == HY_SIGNAL;
}

/* The outputs of atomic A are FLAT->first_out[A] .. FLAT->first_out[A + 1] - 1. */
static gboolean one_waits(const HyFlat *flat, const guint8 *waits, guint a)
{
  gsize first = flat->first_out[a];
  return memchr(waits + first, 1, flat->first_out[a + 1] - first) != NULL;
}

/* WAITS[slot] for all. MISSES: of each block, so many wires of signals come from what waits. */
static void find_waits(const HySim *sim, guint8 *waits)
{
  const HyFlat *flat = sim->graph;
  g_autofree guint *misses = g_new0(guint, (gsize)sim->n + 1),
                   *queue = g_new(guint, (gsize)sim->n + 1);
  guint n = 0;
  for (guint a = 0; a < sim->n; a++) {
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      waits[slot] = (guint8)may_wait(sim, a, slot - flat->first_out[a]);
      for (guint k = flat->start[slot]; waits[slot] && k < flat->start[slot + 1]; k++) {
        misses[flat->targets[k].atomic] += is_signal(sim, flat->targets[k]);
      }
    }
  }
  for (guint a = 0; a < sim->n; a++) {
    if (misses[a] == 0 && one_waits(flat, waits, a)) {
      queue[n++] = a;
    }
  }
  for (guint i = 0; i < n; i++) {
    guint a = queue[i];
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      for (guint k = flat->start[slot]; waits[slot] && k < flat->start[slot + 1]; k++) {
        guint to = flat->targets[k].atomic;
        if (is_signal(sim, flat->targets[k]) && --misses[to] == 0 && one_waits(flat, waits, to)) {
          queue[n++] = to;
        }
      }
      waits[slot] = FALSE;
    }
  }
}

/* The wires of signals from A to others that wait. */
static void add_wires(HyOrderGraph *g, const HySim *sim, const guint8 *waits, const guint *node,
                      guint a)
{
  const HyFlat *flat = sim->graph;
  for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
    for (guint k = flat->start[slot]; waits[slot] && k < flat->start[slot + 1]; k++) {
      HyFlatTarget t = flat->targets[k];
      HyWire wire = {
          .to = node[t.atomic] - 1, .in = t.port, .out = slot - flat->first_out[a], .feeds = TRUE};
      if (node[t.atomic] > 0 && is_signal(sim, t)) {
        g_array_append_val(g->wires, wire);
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
    if (one_waits(sim->graph, waits, a)) {
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
    g->first[v] = g->wires->len;
    add_wires(g, sim, waits, node, g->atomic[v]);
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

static guint8 *new_waits(const HySim *sim)
{
  return g_new0(guint8, (gsize)sim->graph->first_out[sim->n] + 1);
}

GArray *hy_sim_waits(const HySim *sim)
{
  g_autofree guint8 *waits = new_waits(sim);
  find_waits(sim, waits);
  return find_rings(sim, waits);
}

gboolean hy_sim_may_wait(const HySim *sim)
{
  const HyFlat *flat = sim->graph;
  g_autofree guint8 *waits = new_waits(sim);
  for (guint a = 0; a < sim->n; a++) {
    gsize first = flat->first_out[a];
    memset(waits + first, !is_state(sim, a), flat->first_out[a + 1] - first);
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
  g_string_append(text, ": none of them has said that since the start; one has to say an initial "
                        "value (a unit_delay or an integrator between them does, and a machine "
                        "whose first output reads no signal)");
  return g_string_free(text, FALSE);
}

/* States at rest ------------------------------------------------------------------------------- */

/* Of each atomic: whether it says anything, and if not who is to blame. */
typedef struct {
  const HySim *sim;
  guint8 *seen; /* [n] */
  guint *cause; /* [n]: SPEAKS, IN_RING, or an atomic that waits for nobody */
} Silent;

#define SPEAKS  G_MAXUINT
#define IN_RING (G_MAXUINT - 1U)

static guint cause_of(Silent *s, guint a);

/* Of what comes at the inputs of A that take signals. */
static guint cause_behind(Silent *s, guint a)
{
  const HyFlatSources *sources = &s->sim->sources;
  const HyFlat *flat = s->sim->graph;
  guint cause = SPEAKS;
  for (guint k = sources->first[a]; k < sources->first[a + 1] && cause == SPEAKS; k++) {
    guint slot = sources->slot[k];
    if (slot < flat->first_out[flat->n] &&
        is_signal(s->sim, (HyFlatTarget){a, k - sources->first[a]})) {
      cause = cause_of(s, flat->owner[slot]);
    }
  }
  return cause;
}

static guint cause_of(Silent *s, guint a)
{
  if (s->seen[a] || is_state(s->sim, a) || !may_wait(s->sim, a, 0)) {
    return s->seen[a] ? s->cause[a] : SPEAKS;
  }
  s->seen[a] = TRUE;
  s->cause[a] = is_static(s->sim, a) ? SPEAKS : IN_RING; /* for who comes back to it */
  guint cause = cause_behind(s, a);
  s->cause[a] = cause == SPEAKS && !is_static(s->sim, a) ? a : cause;
  return s->cause[a];
}

static void add_resting(GArray *list, guint state, guint cause)
{
  guint k = 0;
  while (k < list->len && g_array_index(list, HyResting, k).cause != cause) {
    k++;
  }
  if (k == list->len) {
    HyResting r = {state, cause, 0};
    g_array_append_val(list, r);
  } else {
    g_array_index(list, HyResting, k).more++;
  }
}

GArray *hy_sim_resting(const HySim *sim)
{
  GArray *list = g_array_new(FALSE, FALSE, sizeof(HyResting));
  Silent s = {sim, g_new0(guint8, (gsize)sim->n + 1), g_new(guint, (gsize)sim->n + 1)};
  for (guint a = 0; a < sim->n; a++) {
    guint cause = is_state(sim, a) ? cause_behind(&s, a) : SPEAKS;
    if (cause < IN_RING) {
      add_resting(list, a, cause);
    }
  }
  g_free(s.seen);
  g_free(s.cause);
  return list;
}
