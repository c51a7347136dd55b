/* The states that decide alone or in pairs and whose derivative the room evaluates, laid out for
 * whoever runs them in a loop (fast-engine/fused_rows.c, groups/liqss.c): what an own step of one
 * needs of itself and of those that read it is a pointer away, and one flag says whether any of it
 * is out of the ordinary. What is done is what hy_room_said() and hy_member_touch() do, and with
 * the same bits. */
#ifndef HYDEVS_EQUATIONS_ROW_STATES_H
#define HYDEVS_EQUATIONS_ROW_STATES_H

#include "expr/program.h"
#include "room.h"

#include "numerics/poly.h"

#include <math.h>

/* How the derivative of a state is evaluated. SUM: of a linear row. CURVED: as row_curved.h has it,
 * and its piece may end (look). ODD: not all of its row has spoken, or its
 * factors are not known, or its start is not over, or it foresees nothing: hy_member_touch() has to
 * look at it. */
typedef enum { HY_ROW_SUM, HY_ROW_CURVED, HY_ROW_ODD } HyRowWay;

typedef struct HyRowState HyRowState;
struct HyRowState {
  HyRowWay way;
  HyRowWay usual; /* where nothing is out of the ordinary */
  gboolean alone; /* it may be stepped in a loop: all who read it are such states, of its method */
  gboolean decides; /* rows of modes read it (row_modes.h) */
  gboolean hubs;    /* its row reads some */
  guint row;        /* its number */
  struct HyRunRow *run;
  guint self; /* the place of the state in its own row; HY_NO_SLOT: it does not read itself */
  guint n_in;
  const double *coef; /* [n_in + 1]: the factors, and the rest */
  const HyPiece *const *in;
  HyPiece *said; /* its last word in the signal table */
  HyQState *v;
  const HyQuantizer *quantizer;
  HyMember *member;
  HyRowState *const *reader, *const *end; /* states whose rows read it, itself the last */
  guint atomic;
  guint64
      answered; /* HyRoom.words that it has answered, where not all are asked twice; of groups */
  guint place;  /* in the agenda of the engine; the engine's, like the next */
  guint64
      *quiet; /* nobody takes its word by a wire: here is counted that it would say it; or NULL */
};

/* By HyMember.state; those that do not decide alone are not ALONE. NULL: there are none. */
HyRowState *hy_row_states(const HyRoom *room);

/* sum a_k q_k(t) + a_0 of N pieces: its first LANES coefficients. Whether all of them are finite;
 * else they are to be computed by hy_row_careful_sum(). */
static inline __attribute__((always_inline)) gboolean
hy_row_sum(const double *a, const HyPiece *const *in, guint n, double t, double *c, const int lanes)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  sum[0] = a[n];
  for (guint k = 0; k < n; k++) {
    double q[4];
    for (int i = 0; i < lanes; i++) {
      q[i] = in[k]->c[i];
    }
    hy_poly_move(q, lanes, t - in[k]->t);
    for (int i = 0; i < lanes; i++) {
      sum[i] += a[k] * q[i];
    }
  }
  double all = sum[0];
  for (int i = 1; i < lanes; i++) {
    all += sum[i];
  }
  for (int i = 0; i < lanes; i++) {
    c[i] = sum[i];
  }
  return fabs(all) < INFINITY;
}

/* The same sum of pieces of which some are not finite: one that has just been said is not moved. */
void hy_row_careful_sum(const double *a, const HyPiece *const *in, guint n, double t, double *c,
                        int lanes);

#endif
