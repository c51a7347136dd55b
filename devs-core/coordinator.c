/* Coordinator: hands requests down, sends outputs where the couplings say, and knows the earliest
 * of its children. */
#include "tree.h"

/* The order of a child: an atomic's own number, a coordinator's from its last done. */
guint hy_child_order(const HyTree *tree, HyChild child)
{
  return child.atomic ? child.number : tree->node[child.number].order;
}

/* tN = min over the children; of the imminent ones the first in the order of ties. */
void hy_coordinator_select(const HyTree *tree, HyCoordinator *c)
{
  c->changed = !c->sorted;
  if (c->n == 0) {
    c->tn = INFINITY;
    return;
  }
  c->tn = hy_ladder_find(&c->ladder, &c->first);
  c->order = hy_child_order(tree, c->child[c->first]);
  for (guint k = c->first + 1; !c->sorted && k < c->n; k++) {
    guint order = hy_child_order(tree, c->child[k]);
    if (c->ladder.at[0][k] == c->tn && order < c->order) {
      c->order = order;
      c->first = k;
    }
  }
  HyChild first = c->child[c->first];
  c->down = first.atomic ? NULL : &tree->node[first.number];
}

static inline guint place_of(const HyCoordinator *c, guint component)
{
  return c->place_of != NULL ? c->place_of[component] : component;
}

/* (x, t) from a coordinator to one of its components, and its done. */
static gboolean send_x(HySim *sim, HyCoordinator *c, HyTarget to, double t, HyEvent *x)
{
  sim->now.totals.x++;
  if (hy_traced(sim)) {
    hy_tell_x(sim, c, to.to, t, to.to_port, &x->value);
  }
  guint place = place_of(c, to.to);
  HyChild child = c->child[place];
  double tn;
  if (child.atomic) {
    x->port = (gint)to.to_port;
    double was = c->ladder.at[0][place], e = hy_atom_elapsed(&sim->atoms[child.number], was, t);
    tn = hy_atom_input(sim, child.number, was, t, x);
    if (isnan(tn)) {
      return FALSE;
    }
    sim->now.totals.done++;
    if (hy_traced(sim)) {
      hy_tell_done_atomic(sim, child.number, t, tn, HY_RAN_DEXT, e);
    }
  } else {
    HyCoordinator *inner = &((const HyTree *)sim->engine)->node[child.number];
    if (!hy_coordinator_input(sim, inner, t, to.to_port, x)) {
      return FALSE;
    }
    tn = inner->tn;
  }
  hy_ladder_set(&c->ladder, place, tn);
  c->changed = TRUE;
  return TRUE;
}

gboolean hy_coordinator_input(HySim *sim, HyCoordinator *c, double t, guint port, HyEvent *x)
{
  const HyModel *m = c->model;
  for (guint k = m->start[port]; k < m->start[port + 1]; k++) {
    if (!send_x(sim, c, m->targets[k], t, x)) {
      return FALSE;
    }
  }
  hy_coordinator_select(sim->engine, c);
  sim->now.totals.done++;
  if (hy_traced(sim)) {
    hy_tell_done(sim, c, t);
  }
  return TRUE;
}

/* (y, t) from a component of C. */
gboolean hy_coordinator_output(HySim *sim, HyCoordinator *c, guint component, double t, guint port,
                               HyEvent *y)
{
  const HyModel *m = c->model;
  sim->now.totals.y++;
  if (hy_traced(sim)) {
    hy_tell_y(sim, c, component, t, port, &y->value);
  }
  guint slot = hy_slot(m, component, port);
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    HyTarget to = m->targets[k];
    if (to.to != HY_SELF) {
      if (!send_x(sim, c, to, t, y)) {
        return FALSE;
      }
    } else if (c->parent != NULL) {
      if (!hy_coordinator_output(sim, c->parent, m->index, t, to.to_port, y)) {
        return FALSE;
      }
    } else { /* leaves the system */
      sim->now.totals.y++;
      if (hy_traced(sim)) {
        hy_tell_y(sim, c, HY_SELF, t, to.to_port, &y->value);
      }
    }
  }
  return TRUE;
}
