/* States that decide together: what the room equations is given to run them. */
#ifndef HYDEVS_GROUPS_GROUPS_H
#define HYDEVS_GROUPS_GROUPS_H

#include "equations/room.h"

extern const HyGroupOps hy_group_ops;

/* The version of SUNDIALS, behind cvode_bdf and cvode_adams; NULL: it was built without. Newly
 * allocated. */
char *hy_groups_solver(void);
/* Why METHOD cannot be had with SET; NULL: it can. Newly allocated. */
char *hy_group_refuses(const HyMethod *method, const HyGroupSettings *set);

/* Whether blocks can solve all states exactly, when all sources have spoken: each has a row, and
 * with the modes as they are, whatever they are, that is linear but for sines of the time. */
gboolean hy_groups_are_exact(const HyRoom *room);
/* Likewise of each state: EXACT[states]. */
void hy_groups_find_exact(const HyRoom *room, guint8 *exact);
/* Whether anybody else is told what states do: blocks that are neither states nor answer at once.
 */
gboolean hy_groups_are_heard(const HyRoom *room);

/* The own step of STATE, a member, at T: new pieces of q for it and perhaps for others of its
 * group, which then say so. */
void hy_group_step(HyRoom *room, guint state, double t);
/* Of a classic method: what STATE is at T, by what its group has done, for whoever looks at it. */
double hy_group_value(const HyRoom *room, guint state, double t);
/* Likewise of a method that knows how STATE moves, whose member stands still where nobody hears it:
 * X, and X' if DX is not NULL. FALSE: the member knows. */
gboolean hy_group_motion(const HyRoom *room, guint state, double t, double *x, double *dx);

/* Of ATOMIC, a state or a reading that a group answers for: the fastest sine that its states
 * follow, or that is in its row, in radians a second; */
double hy_group_fastest(HyRoom *room, guint atomic);
/* and how long from T on, which has come, no mode of them turns by more than ANGLE, as far as it is
 * still there. INFINITY: nobody knows, none goes round, or they are polynomials. */
double hy_group_turning(HyRoom *room, guint atomic, double t, double angle);

/* What the group of STATE, which leads it, has decided at T: "; Rd:1 = 1, found". Nothing of
 * others.
 */
void hy_group_print(const HyRoom *room, guint state, double t, GString *out);

/* The groups of classic methods, by number, and what they have done. */
guint hy_groups_n(const HyRoom *room);
void hy_group_totals(const HyRoom *room, guint group, HyGroupTotals *totals);
/* Whether ATOMIC is a state of a group that has not begun, or one whose modes that will decide. */
gboolean hy_group_rests(const HyRoom *room, guint atomic);

#endif
