/* The modes of one block: a crossing each (numerics/crossing.h), its sign being the mode. They are
 * moved in two steps, because DEVS speaks before it moves: settle() works on a copy, and commit()
 * makes the copy the state. */
#ifndef HYDEVS_EXPR_MODES_H
#define HYDEVS_EXPR_MODES_H

#include "hydevs/atomic.h"

typedef struct HyModes HyModes;

HyModes *hy_modes_new(guint n, guint lanes);
/* In MEMORY and with the copy in WORK, zeroed and of these sizes. WORK may be that of other modes,
 * of the same number, that are not between begin() and commit() at the same time. */
gsize hy_modes_size(guint n);
gsize hy_modes_work_size(guint n);
HyModes *hy_modes_init(gpointer memory, guint n, guint lanes, gpointer work);
void hy_modes_free(HyModes *m); /* of new(); NULL is fine */
/* The expressions are series of SERIES coefficients, of what is no polynomial: settle() takes what
 * one is where it is due and has not got there yet, or only touches 0. */
void hy_modes_foretell(HyModes *m, guint series);
/* Expressions are known within max(REL of their largest value, LEAST): where modes are turned back
 * whatever they do, as along a sliding line, they may be wrong by that. */
void hy_modes_bear(HyModes *m, double rel, double least);

/* The copy becomes what the state is. */
void hy_modes_begin(HyModes *m);
/* A crossing of the copy that is due at T by what was known before; and those wait until after
 * TURN, when what they look at is said anew, or they are due. */
gboolean hy_modes_find(const HyModes *m, double t);
void hy_modes_wait(HyModes *m, double t, double turn);
/* Mode K of the copy at T, its expressions being RISES and FALLS (the same for a plain crossing).
 * FRESH: they have changed since the last time; else it only has its turn if it is due. ANSWER: by
 * nothing but what the modes themselves have caused (hy_crossing_answer). */
void hy_modes_settle(HyModes *m, guint k, double t, const double *rises, const double *falls,
                     gboolean fresh, gboolean answer);
/* The state of mode K gets the expression that it looks at, RISES or FALLS, anew at T, whoever
 * evaluates it; once it has started. ANSWER as above. */
void hy_modes_input(HyModes *m, guint k, double t, const double *z, gboolean answer);
gboolean hy_modes_is_up(const HyModes *m, guint k); /* of the state: it looks at FALLS */
/* Mode K of the copy is VALUE, and stays so until this is called again. */
void hy_modes_follow(HyModes *m, guint k, guint8 value);
gboolean hy_modes_toggled(const HyModes *m);     /* some mode of the copy, since begin */
const guint8 *hy_modes_values(const HyModes *m); /* [n] of the copy: 1 or 0 */
/* The copy becomes the state. FINAL: else all modes start anew the next time. */
void hy_modes_commit(HyModes *m, gboolean final);
void hy_modes_tape(HyModes *m, HyTape *tape);
double hy_modes_next(const HyModes *m);      /* the earliest crossing of the state, or INFINITY */
double hy_modes_copy_next(const HyModes *m); /* of the copy */

#endif
