#include "dead.h"

#include "coupled/order.h"
#include "equations/static_block.h"

typedef struct {
  const HySim *sim;
  guint n;       /* the first ones answer at once */
  guint8 *alive; /* [n] */
  GArray *stack; /* guint: those from which it has not been gone backwards */
} Dead;

/* Among the first N; NULL: it is none. */
static const HyStaticState *static_of(const Dead *d, guint atomic)
{
  const HyAtom *a = &d->sim->atoms[atomic];
  return atomic < d->n && a->klass->describe != NULL ? ((HyStatic *)(gpointer)a->state)->own : NULL;
}

/* Whether somebody looks at what comes to TO. Of a port with several sources nobody can say what it
 * leads to (single ones are followed). */
static gboolean is_read(const Dead *d, HyFlatTarget to)
{
  const HySim *sim = d->sim;
  const HyMember *m = sim->room != NULL ? hy_room_member(sim->room, to.atomic) : NULL;
  gboolean by_row = m != NULL && m->plain && m->by_row;
  return sim->sources.slot[sim->sources.first[to.atomic] + to.port] == HY_MANY_SOURCES ||
         hy_sim_watch(sim, to.atomic) == HY_WATCH_ALL ||
         (static_of(d, to.atomic) == NULL && !by_row);
}

static gboolean has_readers(const Dead *d, guint atomic)
{
  const HyFlat *g = d->sim->graph;
  const HyStaticState *own = static_of(d, atomic);
  if (hy_sim_watch(d->sim, atomic) != HY_WATCH_NOTHING || own == NULL || own->modes != NULL) {
    return TRUE; /* modes are read by rows */
  }
  for (guint slot = g->first_out[atomic]; slot < g->first_out[atomic + 1]; slot++) {
    if (hy_room_hears(d->sim->room, slot) || g->start[slot] == g->start[slot + 1]) {
      return TRUE;
    }
    for (guint k = g->start[slot]; k < g->start[slot + 1]; k++) {
      if (is_read(d, g->targets[k])) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

/* Of what answers at once: whether it looks at what comes in at PORT. */
static gboolean takes(const Dead *d, guint atomic, guint port)
{
  const HyStaticState *own = static_of(d, atomic);
  return own == NULL || hy_sim_watch(d->sim, atomic) == HY_WATCH_ALL ||
         !hy_static_only_decides(own, port);
}

static void lives(Dead *d, guint atomic)
{
  if (!d->alive[atomic]) {
    d->alive[atomic] = 1;
    g_array_append_val(d->stack, atomic);
  }
}

/* Backwards along the wires from those that somebody looks at. */
static void find_alive(Dead *d)
{
  const HySim *sim = d->sim;
  for (guint a = 0; a < d->n; a++) {
    if (has_readers(d, a)) {
      lives(d, a);
    }
  }
  while (d->stack->len > 0) {
    guint a = g_array_index(d->stack, guint, d->stack->len - 1);
    g_array_set_size(d->stack, d->stack->len - 1);
    for (guint k = sim->sources.first[a]; k < sim->sources.first[a + 1]; k++) {
      guint source = sim->sources.slot[k];
      if (source < sim->graph->first_out[d->n] && takes(d, a, k - sim->sources.first[a])) {
        lives(d, sim->graph->owner[source]);
      }
    }
  }
}

guint8 *hy_sim_find_dead(const HySim *sim)
{
  guint8 *dead = g_new0(guint8, (gsize)sim->n + 1);
  Dead d = {.sim = sim, .stack = g_array_new(FALSE, FALSE, sizeof(guint))};
  while (d.n < sim->n && hy_answers_at_once(sim->atoms[d.n].klass)) {
    d.n++;
  }
  d.alive = g_new0(guint8, (gsize)d.n + 1);
  find_alive(&d);
  for (guint a = 0; a < d.n; a++) {
    dead[a] = !d.alive[a];
  }
  g_free(d.alive);
  g_array_unref(d.stack);
  return dead;
}

void hy_sim_revive(HySim *sim, guint atomic)
{
  HyAtom *a = &sim->atoms[atomic];
  HyStaticState *own = ((HyStatic *)(gpointer)a->state)->own;
  guint first = sim->sources.first[atomic], slots = sim->graph->first_out[sim->n];
  double t = sim->now.t;
  for (guint k = first; k < sim->sources.first[atomic + 1]; k++) {
    guint slot = sim->sources.slot[k], owner = slot < slots ? sim->graph->owner[slot] : sim->n;
    double c[4];
    if (owner < sim->n && hy_sim_signal(sim, owner, slot - sim->graph->first_out[owner], t, c)) {
      hy_static_take(own, k - first, t, c);
    }
  }
  for (guint k = 0; own->missing == 0 && k < own->form.program->n_out; k++) {
    a->klass->lambda(a->state, t);
    a->klass->dint(a->state, t);
  }
  own->tn = fmax(own->tn, nextafter(t, INFINITY));
}
