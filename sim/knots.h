/* Three states of mLIQSS that answer each other: two of them at a time come to no rest, since the
 * third undoes it, and their steps are as short as their rates. */
#ifndef HY_SIM_KNOTS_H
#define HY_SIM_KNOTS_H

#include "engine.h"

#define HY_KNOT 3

/* Some that may be so, and what has been seen of them; FOUND is FALSE: there are none. */
typedef struct {
  gboolean found;
  const HyMember *member[HY_KNOT];
  guint atomic[HY_KNOT];                /* the busiest first */
  double own[HY_KNOT];                  /* of the own step seen last */
  guint steps[HY_KNOT];                 /* that have been seen */
  double least[HY_KNOT], most[HY_KNOT]; /* of x at these */
  guint more;                           /* as many others of the group have been as busy */
  double t;                             /* when it was seen first */
} HyKnot;

/* The busiest three that read each other, FIRST and two others of its group that have taken LEAST
 * steps or more. STEPS: of all states. */
HyKnot hy_knot_find(const HySim *sim, guint first, const guint64 *steps, guint64 least);
/* A cycle has taken place. */
void hy_knot_cycle(const HySim *sim, HyKnot *k);
/* Steps of the one that has taken the fewest. */
guint hy_knot_steps(const HyKnot *k);
/* Whether all three have gone nowhere. CAUSES: what has come from outside meanwhile. */
gboolean hy_knot_holds(const HyKnot *k, guint64 causes);

#endif
