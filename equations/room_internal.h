/* The inside of HyRoom, for the files of this folder. */
#ifndef HYDEVS_EQUATIONS_ROOM_INTERNAL_H
#define HYDEVS_EQUATIONS_ROOM_INTERNAL_H

#include "base/arena.h"
#include "lists.h"
#include "numerics/mliqss.h"
#include "room.h"
#include "row_states.h"
#include "rows.h"

typedef struct {
  guint atomic;
  gboolean wired; /* else the derivative is the number */
  double number;
  guint32 row;
  HyMember *member; /* of the atomic */
  gboolean due;     /* is in the list */
  guint32 place;    /* in its classic group */
} HyRoomState;

#define HY_NO_STATE   G_MAXUINT32
#define HY_OF_READING (G_MAXUINT32 - 1U) /* in HyRoom.state_of_row */

/* Of what is said at a slot: a row reads it, or a state speaks there; and likewise, but it comes
 * from outside of the equations (a source, a discrete block). That which no row reads is heard of,
 * and not kept, if static blocks make of it what decides modes. */
typedef enum { HY_UNHEARD, HY_OF_MODES, HY_HEARD, HY_FROM_OUTSIDE } HyHeard;

/* A slot whose row somebody wants to know beside those of states (hy_room_watch()). */
typedef struct {
  guint32 slot, row;
} HyRoomWatched;

/* States that decide together. */
typedef struct HyClassic HyClassic;
typedef struct {
  guint first, n;     /* the first of its states, and how many they are */
  HyClassic *classic; /* NULL: of mLIQSS */
  guint of;           /* states that have the method from this element, in all of its blocks */
  double joined; /* states of other elements are in it, since they answer each other at this rate */
  char *why;     /* of a method that is given blocks: why these. NULL: it is none */
} HyRoomGroup;

/* What was computed last for the own step of a state. */
typedef struct {
  guint state;
  double t;
  guint64 words;
  double a, dx[4];
  gboolean fresh; /* dx is to be used */
} HyLocalRow;

/* A row as it is evaluated: what it is made of, looked up once. */
typedef struct HyRunRow {
  HyTemplate *shape;
  const guint32 *slot;
  const HyPiece *const *in; /* the last words at SLOT */
  const double *number;
  const guint32 *flag;
  /* What is linear in it: all, or its straight part, or nothing, then NULL. */
  HyTemplate *sum;
  const HyPiece *const *sum_in;
  double *coef; /* its factors, and what it is where its slots are 0 */
  guint n_sum;
  HyTemplate *bent; /* and what is not: its curved part, or all of it */
  guint n_slots;
  gboolean linear;
  gboolean stale;      /* COEF waits to be computed */
  HyValidity validity; /* of a nonlinear row */
  double beyond;       /* the first coefficient that the last value of a nonlinear row left out */
} HyRunRow;

/* The factors of a linear row for sets of modes that it has met: gates turn to and fro, and factors
 * follow from the modes alone. A table by the set's number; where two have one place the later one
 * takes it, once the table is as large as it may be. No state. */
#define HY_KEPT_FLAGS 63U /* of rows that read no more than that */
#define HY_KEPT_SETS  64U /* places of a table, at most */
typedef struct {
  guint64 *set; /* [places]: 1 + the set, a bit for each of the row's flags; 0: nobody yet */
  double *coef; /* [places][n_slots + 1] */
  guint bits;   /* of the number of places */
} HyKeptFactors;

/* Working memory of one row. */
typedef struct {
  GArray *value;  /* double, by slot */
  GArray *choice; /* guint8, by flag */
} HyRoomWork;

/* What the owner of the simulation has asked for (hy_room_set). */
typedef struct {
  gboolean exact, refresh, by_rows;
} HyRoomSettings;

/* States whose rows the room evaluates, and who speaks where. Written by members.c; GROUP and BY by
 * room.c, while states come. */
typedef struct {
  gboolean on;          /* the room evaluates rows of its own accord */
  guint32 *state_at;    /* [atomics]: its state + 1, or 0 */
  guint32 *state_of;    /* [slots]: the state that speaks there + 1 */
  HyLists by_slot;      /* members whose rows read a slot */
  HyLists awaited;      /* groups whose readings wait for its first word */
  HyLists looking;      /* groups that look for meetings anew after a word there; */
  gboolean looked;      /* there are such */
  HyLists gathering;    /* groups that gather sums before a word there; */
  gboolean gathers;     /* likewise */
  HyQState **v;         /* [states] */
  HyRowState *table;    /* [states]; row_states.h */
  HyRowState **reader;  /* the lists of TABLE */
  GArray *group;        /* HyRoomGroup, by HyMember.group */
  GHashTable *group_by; /* method and stating element -> its number */
  guint32 *due; /* those that are due: states, behind them blocks whose modes are owned, or are
                   decided by rows, and behind these meetings */
  guint n_due;
  GArray *touched; /* guint32: rows, while flags change */
  GArray *hubs;    /* guint32: rows of hubs, likewise */
  guint8 *decided; /* [atomics]: the modes have been, once at least */
} HyRoomMembers;

/* All partial derivatives of the nonlinear row of a state that has partners, as they were at T
 * after so many WORDS: a step asks for several. */
typedef struct {
  double *at; /* [n_slots]; NULL: they are asked for one by one */
  double t;
  guint64 words;
} HyRowPartials;

/* Groups. Written by the room groups alone. */
typedef struct {
  guint32 *first_partner; /* [states + 1]: where the partners of each begin in ... */
  HyMliqssPartner *partner;
  HyRowPartials *partials; /* [states] */
  double *partial;         /* what is in them */
  HyMliqss mliqss[4];      /* by order */
  GPtrArray *classic;      /* HyClassic: the groups of classic methods */
  GPtrArray *rates;        /* HyClassic: those of multirate methods, the slowest first */
  double rate_origin;      /* of their instants: when the first of them has begun; NaN before */
  double *classic_value, *classic_slope; /* [slots]: working memory of classic groups; */
  const HyClassic *valued; /* the values are of this group, as it is now at VALUED_AT, after so many
                              WORDS and STEPS; NULL: they are of anything */
  double valued_at;
  guint64 valued_words, valued_steps;
  const HyClassic *teller; /* readers are touched because of it; NULL: of anything */
} HyRoomGroups;

/* Modes that are decided by rows. Written by row_modes.c. */
typedef struct HyRowModes HyRowModes;
typedef struct {
  GArray *block;   /* HyRowModes: blocks that have such modes, in the order of ties */
  GArray *side;    /* struct HyModeSides: of all of their modes */
  guint32 *at;     /* [atomics]: place in BLOCK, of those that are there */
  HyLists by_slot; /* places in BLOCK: whose rows read a slot; FIRST is NULL: there are none */
} HyRoomModes;

/* What is not known yet since the first instant is over. Written by rests.c. */
typedef struct {
  guint8 *unsure;    /* [flags]: not decided; NULL: nothing has been unknown then */
  HyRunRow *run;     /* [rows]: those that stand as 0, as they are */
  HyTemplate *shape; /* of a row that is 0 */
  double coef;       /* its one factor */
} HyRoomRests;

/* What has been done, for --stats. */
typedef struct {
  guint64 evaluations, partials; /* of rows */
  guint64 steps;                 /* of states that decide alone: their owners count */
  double seconds;                /* of CPU time, deriving */
} HyRoomCounters;

/* Of the owner of the simulation (hy_room_set_sources). */
typedef struct {
  HyRoomNext *next;
  HyRoomSine *sine;
  gpointer user;
} HyRoomSources;

struct HyRoom {
  /* The diagram, and what is known of its blocks before the first event. Written by room.c. */
  HyDiagram diagram;
  const HyGroupOps *ops;
  HyArena *memory; /* of blocks */
  HyKinds *kinds;
  const HyKind **kind;             /* [atomics] */
  struct HyStaticState **block;    /* [atomics]: NULL where KIND is */
  const HyPiece *const **in_place; /* [atomics]: hy_effect_read_at(); NULL: never called */
  guint8 *leads;        /* [atomics]: static blocks from which states follow by wires or rows; */
  gboolean leads_known; /* found when somebody asks */
  guint32 *first_flag;  /* [atomics + 1] */
  GArray *states;       /* HyRoomState */
  HyRoomSettings set;
  HyRoomSources sources;
  gboolean asked; /* a state will ask for its row */
  gboolean derived;
  HyRows rows;
  HyLists by_flag;       /* rows that read a flag */
  GArray *state_of_row;  /* guint32; of an owned crossing the leader; HY_NO_STATE: of a hub; of a
                            mode's row the number of states and the atomic */
  GArray *owned;         /* HyOwned (owned.h) */
  GPtrArray *readings;   /* HyReading (readings.h) */
  GPtrArray *meetings;   /* HyMeeting (meetings.h), of MEMORY */
  guint telling;         /* working memory: the group + 1 that what is said comes from; 0: none */
  struct HyMadeOf *made; /* NULL: no group decides or computes anything of blocks */
  GArray *watched;       /* HyRoomWatched: rows that somebody outside wants to know */
  gboolean together;     /* no group is divided */
  guint8 *heard;         /* [slots]: HyHeard */
  GHashTable *turns; /* of turns.c: atomic -> GArray of guint32, sources behind it; NULL: none */
  HyRoomMembers members;
  HyRoomGroups groups;
  HyRoomModes modes;
  gboolean opened; /* the first instant is over, and some group had not begun */
  HyRoomRests rests;
  /* What changes with time. The table: hy_room_said(), hy_room_decided(), and groups for their
   * members. */
  HyPiece *signal;     /* [slots]: t is NaN before the first word */
  const HyPiece **in;  /* of all rows, the signals of their slots */
  guint8 *flag;        /* [flags] */
  HyRunRow *run;       /* [rows] */
  HyKeptFactors *kept; /* [rows] */
  guint64 words;       /* changes of what follows from signals and flags */
  guint64 flips;       /* of flags */
  guint64 *toggled;    /* [flags]: how often each has */
  guint64 causes;      /* hy_room_causes() */
  HyLocalRow local;
  HyRoomCounters count;
  HyRoomWork work;
};

static inline HyRoomGroup *hy_room_group(const HyRoom *room, guint group)
{
  return &g_array_index(room->members.group, HyRoomGroup, group);
}

static inline HyRoomState *hy_room_state(const HyRoom *room, guint state)
{
  return &g_array_index(room->states, HyRoomState, state);
}

/* The flags of a row as its programs read them; of the room, until the next call. */
const guint8 *hy_room_choices(HyRoom *room, const HyRunRow *row);
/* What is not linear in a row, at T, on the value lane. */
double hy_room_row_bent(HyRoom *room, const HyRunRow *row, double t);
/* Of a row that leaves out two coefficients at most, the second one. */
double hy_room_row_further(HyRoom *room, const HyRunRow *row, double t);
/* The slots of a row at T; of the room, until the next call. */
double *hy_room_slot_values(HyRoom *room, const HyRunRow *row, double t);
/* x' of a state as it follows from the signal table at T: dx'/dq of the state itself, also through
 * hubs, and x' where it is to be taken from there. Of the room, until the next call. */
const HyLocalRow *hy_room_local(HyRoom *room, guint state, double t);
/* The factors of a linear row, up to date. */
const double *hy_room_row_factors(HyRoom *room, HyRunRow *row);
/* Whether ROW reads a hub. */
gboolean hy_room_reads_hubs(const HyRoom *room, guint32 row);
/* d row/d slot at T. */
double hy_room_row_partial(HyRoom *room, guint32 row, guint slot, double t);
void hy_room_row_value(HyRoom *room, guint32 row, double t, double *c);
/* The value of a linear row that is no state's: it counts for nobody's evaluations. */
void hy_room_row_sum(HyRoom *room, guint32 row, double t, double *c);

#endif
