/* What the groups of classic methods have done. */
#include "classic_internal.h"
#include "equations/rests.h"
#include "equations/static_block.h"
#include "groups.h"

static HyClassicTotals totals_of(const HyClassic *g)
{
  HyClassicTotals t = g->totals;
  g->stepper->totals(g, &t);
  return t;
}

void hy_classic_counts(const HyRoom *room, HyRoomCounts *counts)
{
  HyClassicTotals *sum = &counts->classic;
  for (guint k = 0; k < room->groups.classic->len; k++) {
    HyClassicTotals t = totals_of(g_ptr_array_index(room->groups.classic, k));
    sum->steps += t.steps;
    sum->evaluations += t.evaluations;
    sum->jacobians += t.jacobians;
    sum->newton += t.newton;
    sum->failures += t.failures;
    sum->restarts += t.restarts;
    sum->pieces += t.pieces;
    sum->inputs += t.inputs;
    sum->closed += t.closed;
    sum->crossings += t.crossings;
    sum->moved += t.moved;
  }
}

guint hy_groups_n(const HyRoom *room)
{
  return room->groups.classic->len;
}

gboolean hy_group_rests(const HyRoom *room, guint atomic)
{
  const HyMember *m = hy_room_member(room, atomic);
  const HyStaticState *block = room->kind[atomic] != NULL ? room->block[atomic] : NULL;
  gboolean any = m != NULL ? hy_family_is_classic(m->family) : block != NULL && block->led;
  guint group = !any ? G_MAXUINT : m != NULL ? m->group : block->group;
  const HyClassic *g =
      group < room->members.group->len ? hy_room_group(room, group)->classic : NULL;
  gboolean waits = m != NULL ? g != NULL && g->begun &&
                                   hy_classic_rests_at(g, hy_room_state(room, m->state)->place)
                             : hy_room_is_unsure(room, atomic);
  return g != NULL && (!g->begun || waits);
}

/* The quantized states among what it reads. */
static void find_quantum(const HyClassic *g, HyGroupTotals *totals)
{
  totals->quantum = INFINITY;
  for (guint k = 0; k < g->rows.n_outer; k++) {
    guint32 state = g->room->members.state_of[g->rows.outer[k]];
    const HyRoomState *s = state > 0 ? hy_room_state(g->room, state - 1) : NULL;
    if (s == NULL || hy_family_is_classic(s->member->family)) {
      continue;
    }
    double quantum = hy_quantum(s->member->v->rel, s->member->v->min, 1.0);
    if (quantum < totals->quantum) {
      totals->quantum = quantum;
      totals->reads = s->atomic;
    }
  }
}

void hy_group_totals(const HyRoom *room, guint group, HyGroupTotals *totals)
{
  const HyClassic *g = g_ptr_array_index(room->groups.classic, group);
  guint worst;
  double off = hy_classic_off(g, &worst);
  *totals = (HyGroupTotals){.method = g->method->name,
                            .unsure = g->unsure,
                            .stated = g->stated != NULL ? g->stated->name : NULL,
                            .because = g->because,
                            .since = g->since,
                            .atomic = hy_room_state(room, g->state[0])->atomic,
                            .states = g->n,
                            .of = hy_room_group(room, g->number)->of,
                            .why = hy_room_group(room, g->number)->why,
                            .joined = hy_room_group(room, g->number)->joined,
                            .totals = totals_of(g),
                            .least = g->least,
                            .most = g->most,
                            .last = g->t1 - g->t0,
                            .began = g->began,
                            .off = off,
                            .off_at = hy_room_state(room, g->state[worst])->atomic,
                            .tolerance = INFINITY};
  for (guint i = 0; i < g->n; i++) {
    totals->tolerance = fmin(totals->tolerance, hy_classic_tolerance(g, i, 1.0));
  }
  find_quantum(g, totals);
}
