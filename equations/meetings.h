/* Meetings: a block with a state of its own asks when what it hears meets a line, as a pwm does
 * with its duty and a part of its carrier, or a crossing with its level. What it hears must be made
 * of the states of one classic group. The group finds the instant on its solution, and finds it
 * anew whenever that is another one; the block is due then, and deaf to what is said of it in
 * pieces.
 *
 * A group that is not solved exactly corrects its states where a step ends or begins anew, within
 * its tolerance. That is no motion: it neither meets a line nor takes back that one has been met.
 *
 * A probe is a meeting without a line: the block knows its instants itself, as a sample_hold does,
 * and asks what its input is then. Nothing is said for its sake in between.
 *
 * A sum is a probe that asks for an integral, as a window does. The group gathers it as time goes
 * on: before its motion or an input of it is another one. */
#ifndef HYDEVS_EQUATIONS_MEETINGS_H
#define HYDEVS_EQUATIONS_MEETINGS_H

#include "made_of.h"
#include "readings.h"

/* Of what a sum is the integral: y, y^2, y cos or y sin, or y times what another probe hears. */
typedef enum {
  HY_SUMS_NOT,
  HY_SUMS,
  HY_SUMS_SQUARE,
  HY_SUMS_COSINE,
  HY_SUMS_SINE,
  HY_SUMS_PRODUCT
} HySums;

struct HyMeeting {
  /* What is asked; written by the block, which then calls hy_room_meet(). */
  double from, value, slope; /* the line: VALUE + SLOPE (t - FROM), */
  double until;              /* before this instant */
  double margin;             /* what counts as equal; 0: what rounding makes of the input */
  guint8 above;              /* the input is above the line and falls; else the other way round */
  double met; /* they have met then, so that the block has turned: what it does to the input is no
                 reason to turn back at that instant. NaN: they have not, or it is one */
  /* Likewise, once, of a probe. */
  guint8 probes;  /* it is one */
  guint8 settles; /* and wants to know what stands behind all events of an instant: */
  double open;    /* this one, NaN: of none. The block is due then whenever the group has begun
                     anew, and puts AT to infinity */
  /* Likewise, of a sum. */
  HySums sums;
  double turns;    /* of the cosine, per second, */
  HyMeeting *with; /* the other factor; of that the first one; NULL: none */
  guint degree;    /* of what is heard, as hy_made_of_degree(); written by the room */
  guint32 like;    /* the first probe of the group that hears the same; written by it */
  double sum;      /* since the block has taken it: then that puts it to 0 */
  /* Written by the room. */
  guint8 live;  /* the group answers; before that the block hears words like any other */
  guint8 asked; /* the block has asked */
  guint8 due;   /* is in the list of members.h */
  guint8 looks; /* the group is not solved exactly, and looks at its solution */
  guint32 atomic, port, number;
  HyReading *reading; /* the input; NULL: nobody can answer, as long as the run lasts */
  /* The answer, written by the group. */
  guint32 place; /* among those of the group */
  double noise;  /* the margin, or what rounding made of the input when the block asked last, */
  double since;  /* which was then */
  double width;  /* likewise, what the tolerances of states make of it, where it may slide */
  double level;  /* it is beyond below this less NOISE: 0, or less until it has been on its side */
  double right, away; /* by then it has been there, and farther away than WIDTH; foreseen */
  double sought;      /* the level that is asked for, */
  double turned;      /* and the one at which it has turned last; */
  guint tries;        /* how often, one after the other, without having been away from it */
  double z;           /* with LOOKS: how far from the line it was when it was looked at last, */
  double fastest;     /* and the rate of the fastest sine in it; NaN: not known yet */
  double at;          /* the block is due then; INFINITY: not in the step that stands */
  guint8 found;       /* because they meet; else because the block has to ask again */
};

/* It is a sum, or a factor of one. */
static inline gboolean hy_meeting_is_of_sum(const HyMeeting *m)
{
  return m->sums != HY_SUMS_NOT || m->with != NULL;
}

/* Of a probe that is live: what its input is at T; in lambda and dext, too. */
double hy_room_probe(HyRoom *room, const HyMeeting *m, double t);

/* Of a sum that is live: as far as T; likewise. */
double hy_room_gather(HyRoom *room, const HyMeeting *m, double t);

/* While rows are derived, before readings are found. */
void hy_meetings_find(HyRoom *room, HyDeriver *d, const HyMadeOf *made);
/* The one that what comes at PORT of ATOMIC takes part in, and a group answers; NULL: none. */
const HyMeeting *hy_meeting_at(const HyRoom *room, guint atomic, guint port);
/* When members are known: whose meetings have to be looked for anew after a word. */
void hy_meetings_listen(HyRoom *room);
/* A word has come at SLOT; N flags from FIRST on may be others. */
void hy_meetings_hear(HyRoom *room, guint slot, double t);
void hy_meetings_turn(HyRoom *room, guint32 first, guint n, double t);
/* A word is about to be taken at SLOT; or modes are about to turn: sums are gathered before. */
void hy_meetings_gather(HyRoom *room, guint slot, double t);
void hy_meetings_gather_all(HyRoom *room, double t);
/* Its block is to be found by hy_room_due(). */
void hy_meeting_make_due(HyRoom *room, HyMeeting *m);

static inline HyMeeting *hy_meeting(const HyRoom *room, guint k)
{
  return g_ptr_array_index(room->meetings, k);
}

#endif
