/* Which states of a system that switches are best solved together: blocks, found from the rows
 * before the first event. What states of one block do to each other is as fast as nothing between
 * two blocks is. For whoever chooses a method for each, and for groups that are solved exactly. */
#ifndef HYDEVS_EQUATIONS_STATE_BLOCKS_H
#define HYDEVS_EQUATIONS_STATE_BLOCKS_H

#include "room.h"

/* Why a block is what it is; the first that holds. */
typedef enum {
  HY_BLOCK_FEW,   /* all states there are: so few that they go together */
  HY_BLOCK_WHOLE, /* all states there are: no part is much faster than what it tells the others */
  HY_BLOCK_PART,  /* a part, faster in itself than what it tells others */
  HY_BLOCK_HUB,   /* many other blocks read it, and it reads many */
} HyStateBlockWhy;

typedef struct {
  guint first, n; /* its states: places in HyStateBlocks.state */
  HyStateBlockWhy why;
  /* Where all states are few nobody has looked at these. */
  gboolean linear; /* its equations are, while no mode turns */
  double rate;     /* the fastest in it, in 1/s: what decays, or swings between two states */
  double outside;  /* the fastest between it and other blocks */
  guint neighbours;
} HyStateBlock;

typedef struct {
  guint32 *state; /* by block, ascending in each */
  guint n_states;
  GArray *block; /* HyStateBlock, by their first state */
} HyStateBlocks;

#define HY_BLOCK_MOST_STATES 64  /* of a block: its modes take time like their third power */
#define HY_BLOCK_FEW_STATES  20U /* that go together, whatever they are: one block is exact */

/* Of the N states in STATE, ascending, all of which have rows; in all modes, whatever those are
 * now. FEW: as above, or fewer. Takes a time that grows like the number of partial derivatives. */
HyStateBlocks *hy_state_blocks_new(HyRoom *room, const guint32 *state, guint n, guint few);
/* Of states in different GROUP [n] that answer each other faster than RATE these become one, by the
 * smaller number. The fastest such rate; 0: there is none. */
double hy_state_blocks_join(HyRoom *room, const guint32 *state, guint n, double rate, guint *group);
void hy_state_blocks_free(HyStateBlocks *blocks); /* NULL is fine */

/* In words: "a block of its own: rates up to 1e+10/s in it, with others up to 100/s". Newly
 * allocated. */
char *hy_state_block_why(const HyStateBlock *block);

#endif
