/* The abstract simulator of the textbooks: root coordinator, coordinators, simulators, and the
 * messages between them. */
#ifndef HY_TREE_H
#define HY_TREE_H

#include "sim/engine.h"
#include "sim/ladder.h"

/* A child of a coordinator: the number of an atomic, or of a coordinator. */
typedef struct {
  guint number;
  gboolean atomic;
} HyChild;

typedef struct HyCoordinator {
  const HyModel *model;
  struct HyCoordinator *parent; /* NULL: the root coordinator */
  guint place;                  /* among the parent's children */
  guint n;                      /* children, in the order D */
  HyChild *child;               /* [n] by place */
  guint *place_of;              /* [n] by component; NULL: the place is the component's number */
  double tn;
  guint first;                /* the imminent child that select picks */
  struct HyCoordinator *down; /* it, if it is a coordinator */
  guint order;      /* of the atomic that select will come down to; travels upwards with done */
  gboolean changed; /* select must look again: a child's tN is new, or orders interleave */
  gboolean sorted; /* the atomics below one child stand before all those below the next: leftmost is
                      first */
  HyLadder ladder; /* tN of the children by place */
} HyCoordinator;

typedef struct {
  HyCoordinator *node; /* [n_coupled] by number; 0 is the root model's */
  guint64 n_messages;
  guint widest; /* name of a component, in bytes; 0: no message has been told yet */
} HyTree;

/* coordinator.c: what each does on receiving a message. The value of done is in c->tn and c->order.
 */
gboolean hy_coordinator_input(HySim *sim, HyCoordinator *c, double t, guint port, HyEvent *x);
gboolean hy_coordinator_output(HySim *sim, HyCoordinator *c, guint component, double t, guint port,
                               HyEvent *y);
/* Of the atomic that a (*) to it leads to: its number, which is its place in the order of ties. */
guint hy_child_order(const HyTree *tree, HyChild child);
void hy_coordinator_select(const HyTree *tree, HyCoordinator *c);

/* message.c: the trace sees each message when it is sent. C is the coordinator at the upper end,
 * except for messages between it and its own parent. */
void hy_tell_down(HySim *sim, const HyCoordinator *c, HyMessageKind kind,
                  double t); /* (i) (*) to a coordinator */
void hy_tell_atomic(HySim *sim, guint atomic, HyMessageKind kind,
                    double t); /* (i) (*) to a simulator */
void hy_tell_x(HySim *sim, const HyCoordinator *c, guint component, double t, guint port,
               const HyValue *value);
void hy_tell_y(HySim *sim, const HyCoordinator *c, guint component, double t, guint port,
               const HyValue *value);
void hy_tell_done(HySim *sim, const HyCoordinator *c, double t);
void hy_tell_done_atomic(HySim *sim, guint atomic, double t, double tn, HyRan ran, double e);

static inline gboolean hy_traced(const HySim *sim)
{
  return G_UNLIKELY(sim->set.trace.message != NULL);
}

extern const HyEngineOps hy_engine_tree; /* root.c */

#endif
