/* What the rows of a diagram say of the methods that are made for it: which states have a mode in
 * their equation, how fast each decays by itself, and which of the fast ones hold each other. */
#ifndef HYDEVS_EQUATIONS_STIFFNESS_H
#define HYDEVS_EQUATIONS_STIFFNESS_H

#include "room.h"

/* Of one state, the largest of all instants and modes that have been looked at; in 1/s. */
typedef struct {
  double rate; /* -d x_i'/d x_i; 0: it does not decay by itself */
  double back; /* by the same modes, what comes back to it through the states that it reads: the sum
                  of |a_ij a_ji| / max(|a_ii|, |a_jj|) */
  double next; /* the second largest of these */
} HyStateRate;

/* At T, into arrays of [states] that begin as zeros: NOW, with all modes as they are; ANY, also
 * with each of them the other way round, alone. All rows have been derived; the room is as before
 * afterwards. Takes a time that grows like the number of partial derivatives, which is returned;
 * where turned modes would make that HY_RATES_MOST or more, they are not turned. */
#define HY_RATES_MOST (G_GUINT64_CONSTANT(1) << 24)
guint64 hy_room_rates(HyRoom *room, double t, HyStateRate *now, HyStateRate *any);

/* The rate of STATE at T alone; 0 where its row is not known. */
double hy_room_own_rate(HyRoom *room, guint state, double t);
/* Whether the row of STATE reads OTHER. */
gboolean hy_room_reads(const HyRoom *room, guint state, guint other);

#endif
