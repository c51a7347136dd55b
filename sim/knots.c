/* For how long a state is watched, and when, smells.c says. */
#include "knots.h"

#include "equations/print.h"
#include "equations/stiffness.h"

#define NEAR 8.0 /* quanta: what goes nowhere stays within so many of the largest of the three */
#define FEW  8U  /* steps for each cause from outside, at least */

static gboolean knot_ties(const HySim *sim, guint i, guint j)
{
  const HyRoom *room = sim->room;
  return hy_room_reads(room, i, j) && hy_room_reads(room, j, i);
}

static gboolean knot_takes(const HySim *sim, const HyKnot *k, guint n, const guint *chosen,
                           guint state)
{
  const HyMember *m = hy_room_member(sim->room, hy_print_state_atomic(sim->room, state));
  gboolean takes = m->family == HY_FAMILY_PAIRS && m->group == k->member[0]->group;
  for (guint i = 0; i < n && takes; i++) {
    takes = state != chosen[i] && knot_ties(sim, state, chosen[i]);
  }
  return takes;
}

static void knot_put(const HySim *sim, HyKnot *k, guint place, guint state)
{
  k->atomic[place] = hy_print_state_atomic(sim->room, state);
  k->member[place] = hy_room_member(sim->room, k->atomic[place]);
  k->own[place] = k->member[place]->v->own;
  k->least[place] = INFINITY;
  k->most[place] = -INFINITY;
}

HyKnot hy_knot_find(const HySim *sim, guint first, const guint64 *steps, guint64 least)
{
  HyKnot k = {.t = sim->now.t};
  guint chosen[HY_KNOT] = {first}, n_states = hy_print_n_states(sim->room), n = 1;
  knot_put(sim, &k, 0, first);
  for (gboolean goes = TRUE; n < HY_KNOT && goes; n += goes) {
    goes = FALSE;
    for (guint i = 0; i < n_states; i++) {
      if (steps[i] >= least && (!goes || steps[i] > steps[chosen[n]]) &&
          knot_takes(sim, &k, n, chosen, i)) {
        chosen[n] = i;
        goes = TRUE;
      }
    }
    if (goes) {
      knot_put(sim, &k, n, chosen[n]);
    }
  }
  k.found = n == HY_KNOT;
  for (guint i = 0; i < n_states && k.found; i++) {
    k.more += steps[i] >= least && knot_takes(sim, &k, HY_KNOT, chosen, i);
  }
  return k;
}

void hy_knot_cycle(const HySim *sim, HyKnot *k)
{
  for (guint i = 0; i < HY_KNOT; i++) {
    const HyQState *v = k->member[i]->v;
    if (v->own == sim->now.t && v->own != k->own[i]) {
      k->own[i] = v->own;
      k->steps[i]++;
      k->least[i] = fmin(k->least[i], v->x[0]);
      k->most[i] = fmax(k->most[i], v->x[0]);
    }
  }
}

guint hy_knot_steps(const HyKnot *k)
{
  return MIN(k->steps[0], MIN(k->steps[1], k->steps[2]));
}

gboolean hy_knot_holds(const HyKnot *k, guint64 causes)
{
  double quantum = 0.0, range = 0.0;
  guint64 steps = 0;
  for (guint i = 0; i < HY_KNOT; i++) {
    quantum = fmax(quantum, k->member[i]->v->dq);
    range = fmax(range, k->most[i] - k->least[i]);
    steps += k->steps[i];
  }
  return range <= NEAR * quantum && FEW * causes <= steps;
}
