/* What signals are made of, found from the wires before the first event: the states of which group,
 * whether they may jump by themselves, and which blocks a group can lead (owned.h) or read
 * (readings.h). */
#ifndef HYDEVS_EQUATIONS_MADE_OF_H
#define HYDEVS_EQUATIONS_MADE_OF_H

#include "room_internal.h"

/* Of which states something is made: a group by its number, or one of these. */
#define HY_NOBODY G_MAXUINT32
#define HY_OTHERS (G_MAXUINT32 - 1U)

typedef struct HyMadeOf {
  const HyRoom *room;
  guint32 *of;     /* [slots] */
  guint32 *states; /* [slots]: the same without what modes make of it */
  guint8 *exact;   /* [groups]: it is solved exactly */
  guint8
      *balanced; /* [groups]: its stepper has balance(): it computes what is made of it smoothly */
  guint8 *jumps; /* [slots]: it may, by itself */
  guint8 *waves; /* [slots]: it is a sine, or made of one */
  guint32 alone; /* the one group that can own crossings, if it is exact: what sines decide by
                    themselves is its own, as if they were states of it; HY_NOBODY */
  guint32 *starts; /* [slots]: it may also jump where this group starts anew; HY_NOBODY: not so */
  guint32 *leader; /* [atomics]: the group that can lead it, or HY_NOBODY */
  guint8
      *met; /* [atomics]: a static block of whose value a meeting (meetings.h) or a mode is made */
  guint8 *refused; /* [atomics]: it cannot be led, as rows have shown */
  guint32 *reader; /* [flags]: of those that own crossings the group whose rows read it; HY_NOBODY,
                      HY_OTHERS */
  GHashTable *reads; /* gint64: a group << 32 | a flag that its rows read */
  guint32 *hub;      /* [hubs]: the last group whose rows have been seen to read it; HY_NOBODY */
} HyMadeOf;

/* After the rows of states have been derived. NULL: no group can decide or compute anything. */
HyMadeOf *hy_made_of_new(const HyRoom *room);
void hy_made_of_free(HyMadeOf *m); /* NULL is fine */

/* The family of the methods of GROUP, as it begins. */
HyFamily hy_made_of_family(const HyMadeOf *m, guint32 group);

/* ATOMIC cannot be led. */
void hy_made_of_refuse(HyMadeOf *m, guint atomic);
/* When all that cannot be led is known: what that makes of others, and what jumps. */
void hy_made_of_settle(HyMadeOf *m);

/* Of what the inputs of a static block are made that its outputs follow at once, or with MODES
 * those that decide its modes, too; OF: of M. Sines count where the block has modes. */
guint32 hy_made_of_inputs(const HyMadeOf *m, const guint32 *of, guint atomic, gboolean modes);
/* Its inputs that jump, as bits; likewise. */
guint64 hy_made_of_outer(const HyMadeOf *m, guint atomic, gboolean modes);
/* Rows of GROUP read one of its modes; those of others may, too, as those of a controller do that
 * hears a current of the group. */
gboolean hy_made_of_is_read_by(const HyMadeOf *m, guint atomic, guint32 group);
/* What is said at SLOT is the time of the run or one sine, for ever. */
gboolean hy_made_of_goes_on(const HyMadeOf *m, guint slot);
/* ROW is linear while no mode turns, but for sines of the time: as exact blocks solve it. */
gboolean hy_made_of_is_linear(const HyMadeOf *m, guint32 row);
/* As a polynomial of what it reads and of such sines, likewise; HY_X_MOST: at least that, or none.
 */
guint hy_made_of_degree(const HyMadeOf *m, guint32 row);
/* Its value is one of the states of GROUP, which is solved exactly and can compute it. */
gboolean hy_made_of_is_readable(const HyMadeOf *m, guint atomic, guint32 group);
/* Likewise, of a group that is balanced, and neither jumps by itself nor has modes; after
 * hy_made_of_settle(). */
gboolean hy_made_of_is_balanced(const HyMadeOf *m, guint atomic, guint32 group);

#endif
