/* The steps of an exact block (classic_exact.c), for whoever wants to know more of a run than its
 * states: the equations that hold in a step, and what ends it. Looking changes nothing. */
#ifndef HYDEVS_GROUPS_EXACT_H
#define HYDEVS_GROUPS_EXACT_H

#include "equations/room_internal.h"
#include "numerics/modal.h"

/* The step that stands. All pointers are the block's, until its next turn. */
typedef struct {
  guint n, n_outer, n_inputs, n_flags;
  guint64 number;         /* another one with each step */
  double base;            /* the instant at which it began */
  const HyModal *modal;   /* x' = A x + u(s), s = t - base */
  const double *x0, *u;   /* [n], [n][HY_MODAL_LANES] */
  const double *by;       /* [n][n_inputs]: B, u being B times the inputs and a constant */
  const HySines *sines;   /* of u, beside the polynomials; NULL: none */
  const guint8 *was;      /* [n_flags]: the modes that its rows read */
  const HyPiece *assumed; /* [n_outer]: the inputs that they read */
  const guint32 *outer;   /* [n_outer]: their slots */
  double next, after; /* its first crossing: the instant; as a time since base. INFINITY: none */
} HyExactStep;

/* FALSE: the states of ROOM are not all in one exact block, or it has not begun. */
gboolean hy_exact_step(const HyRoom *room, HyExactStep *step);
/* Input K, 0 .. n_inputs - 1, at T, by what a step has ASSUMED; its slope. */
double hy_exact_input(const HyRoom *room, const HyPiece *assumed, guint k, double t, double *slope);
/* What crosses at NEXT, K = 0, 1, ... : the number of the crossing, d z/d x, [n], and dz/dt along
 * the step there. FALSE: no more. */
gboolean hy_exact_hit(const HyRoom *room, guint k, guint *crossing, double *gradient,
                      double *slope);
/* z of a crossing in the modes WAS, as a function of states, inputs and 1: LINE is
 * [n + n_inputs + 1], with the sign of hy_exact_hit(). A row that is not linear has its gradient at
 * X and INPUT, [n_inputs], and as the rest what is missing there. Nothing in the block has changed
 * then. */
void hy_exact_crossing(const HyRoom *room, const guint8 *was, guint crossing, const double *x,
                       const double *input, double *line);
/* What is said at the K-th slot that is watched (hy_room_watch()), likewise. */
void hy_exact_watched(const HyRoom *room, const guint8 *was, guint k, const double *x,
                      const double *input, double *line);
/* An atomic that hears the states, decides or remembers something, and is heard by them, as a
 * sample_hold does: then the steps of the block are not all that happens. KNOWN, [atomics + 1], has
 * 1 for those of which the caller knows what they do. HY_NO_SOURCE: there is no other one. */
guint hy_exact_foreign(const HyRoom *room, const guint8 *known);
/* A mode of its rows that others decide is a memory, as that of a hysteresis. */
gboolean hy_exact_remembers(const HyRoom *room);

#endif
