/* Cones: of each state the plain blocks that its word can reach through plain blocks alone, in the
 * order of their numbers. So those that are due in a step of it are bits of one word, and what a
 * block marks is a word, too (fused_signals.c).
 *
 * A state has none that is not run as fused.c runs states, that leads at once to others than states
 * and plain blocks, or that reaches more than a word has bits. */
#include "fused_signals.h"

#define CONE_MOST 64

/* The blocks of one cone while it is found: in no order, then sorted. */
typedef struct {
  guint n;
  guint atomic[CONE_MOST];
} Found;

static gboolean cone_has(const Found *found, guint atomic)
{
  for (guint k = 0; k < found->n; k++) {
    if (found->atomic[k] == atomic) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Whoever reads SLOT, where that has not been found yet. FALSE: there are too many, or one that has
 * its turn before FROM. */
static gboolean cone_add_readers(const HyFused *f, guint slot, guint from, Found *found)
{
  for (guint k = f->to.first_mark[slot]; k < f->to.first_mark[slot + 1]; k++) {
    guint reader = f->to.mark[k];
    if (reader < from) {
      return FALSE;
    }
    if (!cone_has(found, reader)) {
      if (found->n == CONE_MOST) {
        return FALSE;
      }
      found->atomic[found->n++] = reader;
    }
  }
  return TRUE;
}

static int cone_compare(gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;
  return x < y ? -1 : x > y;
}

static gboolean cone_find(const HyFused *f, guint slot, Found *found)
{
  found->n = 0;
  gboolean ok = cone_add_readers(f, slot, 0, found);
  for (guint k = 0; ok && k < found->n; k++) {
    ok = cone_add_readers(f, f->to.plain[found->atomic[k]].slot, found->atomic[k] + 1, found);
  }
  if (ok) {
    qsort(found->atomic, found->n, sizeof *found->atomic, cone_compare);
  }
  return ok;
}

/* The bits of those who read SLOT. */
static guint64 cone_readers(const HyFused *f, guint slot, const Found *found)
{
  guint64 readers = 0;
  for (guint k = f->to.first_mark[slot]; k < f->to.first_mark[slot + 1]; k++) {
    const guint *at =
        bsearch(&f->to.mark[k], found->atomic, found->n, sizeof *found->atomic, cone_compare);
    readers |= G_GUINT64_CONSTANT(1) << (at - found->atomic);
  }
  return readers;
}

/* The step of the state, if it can have a cone; else NULL. */
static HyFusedConeStep *cone_step(const HySim *sim, const HyFused *f, guint atomic)
{
  const HyMember *m = f->kind[atomic] == HY_OF_STATE ? f->own[atomic] : NULL;
  if (m == NULL || m->family != HY_FAMILY_QUANTIZED || f->row[atomic].step != NULL || m->by_row ||
      f->watched[atomic] == HY_WATCH_ALL ||
      !hy_fused_leads_to_states(f, sim->graph->first_out[atomic])) {
    return NULL;
  }
  return hy_fused_cone_step_of(m->quantizer);
}

/* Where the room would take the local model of an implicit method from, and nothing else. Who hears
 * it speak has asked for it, too; then the room knows. */
static void cone_find_row(const HySim *sim, const HyFused *f, HyFusedCone *cone)
{
  const HyRoom *room = sim->room;
  guint32 row = hy_room_state(room, cone->member->state)->row;
  if (!cone->member->quantizer->implicit || !room->set.exact || !room->derived ||
      row == HY_NO_ROW || f->watched[cone->atomic] != HY_WATCH_NOTHING || !room->run[row].linear ||
      hy_room_reads_hubs(room, row)) {
    return;
  }
  cone->row = &room->run[row];
  cone->self = room->run[row].shape->self;
}

static HyFusedCone cone_of(const HySim *sim, HyFused *f, guint atomic, const Found *found,
                           GArray *nodes)
{
  HyMember *m = f->own[atomic];
  guint slot = sim->graph->first_out[atomic];
  HyFusedConeStep *step = cone_step(sim, f, atomic);
  for (guint k = 0; k < found->n; k++) {
    const HyFusedPlain *plain = &f->to.plain[found->atomic[k]];
    HyFusedNode node = {plain, cone_readers(f, plain->slot, found)};
    g_array_append_val(nodes, node);
  }
  HyFusedCone cone = {.step = step,
                      .next = f->watched[atomic] == HY_WATCH_NOTHING ? step : NULL,
                      .member = m,
                      .v = m->v,
                      .n_int = &sim->atoms[atomic].n_int,
                      .record = &f->record[slot],
                      .to = f->to.target + f->to.start[slot],
                      .end = f->to.target + f->to.start[slot + 1],
                      .n = found->n,
                      .readers = cone_readers(f, slot, found),
                      .atomic = atomic,
                      .slot = slot,
                      .place = f->place[atomic],
                      .heard = sim->listens && hy_room_hears(sim->room, slot)};
  cone.signal = cone.heard && !sim->room->members.on ? &sim->room->signal[slot] : NULL;
  cone_find_row(sim, f, &cone);
  return cone;
}

void hy_fused_find_cones(const HySim *sim, HyFused *f)
{
  f->to.cone = g_new0(HyFusedCone *, (gsize)sim->n + 1);
  if (!f->settled) {
    return; /* nobody is plain yet */
  }
  g_autoptr(GArray) cones = g_array_new(FALSE, FALSE, sizeof(HyFusedCone));
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(HyFusedNode));
  for (guint a = 0; a < sim->n; a++) {
    Found found;
    if (cone_step(sim, f, a) != NULL && cone_find(f, sim->graph->first_out[a], &found)) {
      HyFusedCone cone = cone_of(sim, f, a, &found, nodes);
      g_array_append_val(cones, cone);
    }
  }
  guint n = cones->len;
  f->to.nodes = (HyFusedNode *)(gpointer)g_array_free(g_steal_pointer(&nodes), FALSE);
  f->to.cones = (HyFusedCone *)(gpointer)g_array_free(g_steal_pointer(&cones), FALSE);
  guint node = 0;
  for (guint k = 0; k < n; k++) {
    HyFusedCone *cone = &f->to.cones[k];
    cone->node = cone->n > 0 ? &f->to.nodes[node] : NULL;
    node += cone->n;
    f->to.cone[cone->atomic] = cone;
  }
}
