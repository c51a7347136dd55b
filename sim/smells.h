/* What a run does that is seldom meant: a state whose steps go to and fro because its method is not
 * made for stiff ones, states whose steps undo each other, a mode that chatters, a state that grows
 * without end, what is heard and follows states much more than in proportion; and at its end, fixed
 * steps that are too long, and blocks that wait for each other (waits.h). Found by looking at the
 * run now and then, at cycles whose numbers follow from the model alone, so equal runs find the
 * same. */
#ifndef HY_SIM_SMELLS_H
#define HY_SIM_SMELLS_H

#include "engine.h"

typedef enum {
  HY_SMELL_STIFF,
  HY_SMELL_KNOT,
  HY_SMELL_CHATTER,
  HY_SMELL_GROWTH,
  HY_SMELL_COARSE,
  HY_SMELL_GAIN,
  HY_SMELL_WAIT
} HySmellKind;

typedef struct {
  HySmellKind kind;
  guint atomic; /* the state, the block of the mode, the first of those that wait, or who says it */
  guint mode;   /* CHATTER: its number in the block; GAIN: the output */
  guint others; /* STIFF: so many more states have taken many steps without moving; KNOT: so many
                   more are tied to these three; GAIN: so many more are off by too much */
  guint with[2]; /* KNOT: the other two states, atomics; GAIN: the state that it follows most */
  guint64 count; /* STIFF, KNOT: steps of the state; CHATTER: toggles, of the whole run */
  double rate;   /* STIFF: d x'/d x, as its own steps were answered; CHATTER: toggles per unit of
                    time, mean of the run; GROWTH: what |x| has become, NaN and infinity too; COARSE:
                    how far it may be off, as a part of what it ranges over; GAIN: likewise, as a part
                    of the largest that it was */
  double was;    /* GROWTH: from that, or from 1; GAIN: how far it is off */
  double told;   /* GAIN: how far what the state says is from what it is */
  double since;  /* when it was seen first; GROWTH: when |x| had grown a millionfold; GAIN: when it
                    was seen to be so much */
} HySmell;

/* Before the first cycle; nothing is done twice. */
void hy_smells_start(HySim *sim);
void hy_smells_free(HySim *sim);
/* Events until now of all that is neither static nor a state: sources, and what is discrete. */
guint64 hy_smells_outside(const HySim *sim);
/* How many cycles may pass until somebody has to look. */
guint64 hy_smells_due(const HySim *sim);
/* Looks, if it is time; this may take cycles at or before TF. */
void hy_smells_look(HySim *sim, double tf);
/* A GArray of HySmell, the caller's: the gravest kind first, then by atomic. Asked when the run has
 * come to its end, or to what ended it. */
GArray *hy_sim_smells(const HySim *sim);

#endif
