/* The equations of a simulation: what every static block computes, the last word of everything that
 * speaks (the signal table), the modes of all blocks (flags), and the rows x' = f(q, u) that are
 * made of them. An observer: it sees what is said, and nobody sees another's state through it. */
#ifndef HYDEVS_EQUATIONS_ROOM_H
#define HYDEVS_EQUATIONS_ROOM_H

#include "coupled/flatten.h"
#include "hydevs/sim.h"
#include "kind.h"
#include "numerics/methods.h"
#include "numerics/validity.h"

typedef struct HyRoom HyRoom;
typedef struct HyReading HyReading; /* readings.h */
typedef struct HyMeeting HyMeeting; /* meetings.h */

/* Of classic methods: their error in a state stays within reltol |x| + abstol. */
typedef struct {
  double reltol, abstol;
  double hstep; /* the step, or the longest one of a method that chooses; 0: not stated */
} HyGroupSettings;

typedef struct {
  guint64 rows, templates, linear, kinds, evaluations, partials;
  guint64 steps;   /* of all states, the pieces of the start left out */
  guint64 pairs;   /* of mLIQSS */
  guint64 toggles; /* of all modes */
  HyClassicTotals classic;
  gsize bytes;    /* of rows */
  double seconds; /* of CPU time that deriving them took */
} HyRoomCounts;
/* What the room groups does for this one: states that decide together. */
typedef struct {
  void (*start)(HyRoom *room);                         /* after the members are known */
  void (*listen)(HyRoom *room, const guint8 *watched); /* then; WATCHED as in hy_room_start() */
  void (*clear)(HyRoom *room);
  /* Something that the row of STATE, of a classic group, reads has changed. */
  void (*touch)(HyRoom *room, guint32 state, double t);
  /* So has a mode in the row of STATE, of any group, and the row has been looked at. */
  void (*follow)(HyRoom *room, guint32 state, double t);
  /* The modes of ATOMIC, which the group of STATE leads, at T, after a word from outside. */
  void (*judge)(HyRoom *room, guint32 state, guint atomic, double t);
  /* What R is at T; and in C[0], C[1] with its slope. */
  double (*ask)(HyRoom *room, const HyReading *r, double t);
  void (*read)(HyRoom *room, HyReading *r, double t, double *c);
  /* Of a reading of a group that is not solved exactly: how much of what STATE, which it follows,
   * may be off within its tolerance is left in it, 0 .. 1. */
  double (*held)(HyRoom *room, guint32 state);
  /* What M asks is another question from T on. */
  void (*meet)(HyRoom *room, HyMeeting *m, double t);
  /* The first instant is over: groups that have not begun do, with what is known. FALSE: there are
   * none. */
  gboolean (*open)(HyRoom *room, double t);
  /* What its meetings follow has changed at T: they are looked for anew. */
  void (*look)(HyRoom *room, guint group, double t);
  /* The sums of GROUP (meetings.h), up to T. */
  void (*gather)(HyRoom *room, guint group, double t);
  void (*count)(const HyRoom *room, HyRoomCounts *counts);
  void (*tape)(HyRoom *room, HyTape *tape); /* as hy_room_tape() */
} HyGroupOps;

/* FLAT and SOURCES must outlive the room. */
HyRoom *hy_room_new(const HyFlat *flat, const HyFlatSources *sources, guint lanes,
                    const HyGroupOps *ops);
void hy_room_free(HyRoom *room); /* NULL is fine */

/* Before blocks are initialised. EXACT: implicit methods take partial derivatives from here, else
 * they learn them. REFRESH: and x' on nonlinear rows. Both are so at first. ROWS: all states. */
void hy_room_set(HyRoom *room, gboolean exact, gboolean refresh, gboolean rows);

/* When an atomic has its next event, as it is known now; for whoever foresees what will jump. USER
 * outlives the room. */
typedef double HyRoomNext(gpointer user, guint atomic);
/* Whether what an atomic says at PORT is one sine for ever, and which; after it is initialised. */
typedef gboolean HyRoomSine(gpointer user, guint atomic, guint port, HySine *sine);
void hy_room_set_sources(HyRoom *room, HyRoomNext *next, HyRoomSine *sine, gpointer user);
/* Whether what is said at SLOT is one sine for ever, of a frequency above 0; when all are
 * initialised. */
gboolean hy_room_is_sine(const HyRoom *room, guint slot, HySine *sine);
/* Likewise what comes at PORT of ATOMIC. */
gboolean hy_room_hears_sine(const HyRoom *room, guint atomic, guint port, HySine *sine);

/* Likewise: what is said at SLOT gets a row, too. It is read by the first state, or by its group.
 */
void hy_room_watch(HyRoom *room, guint slot);

/* Groups of exact blocks stay as they are stated: none is divided. Before hy_room_start(). */
void hy_room_keep_together(HyRoom *room);

/* While blocks are initialised: SIZE zeroed bytes that live as long as the room. */
gpointer hy_room_memory(HyRoom *room, gsize size);
/* Likewise. A static block names its kind. */
HyKinds *hy_room_kinds(HyRoom *room);
struct HyStaticState;
void hy_room_add_static(HyRoom *room, guint atomic, const HyKind *kind,
                        struct HyStaticState *block);
/* Likewise: what comes at PORT of ATOMIC, which is no static block, meets lines (meetings.h). Of
 * the room, as long as that lives. */
HyMeeting *hy_room_add_meeting(HyRoom *room, guint atomic, guint port);
/* Then, before the first event: rows are derived if a state asks for them, or ALL. WATCHED:
 * HyWatched of all atomics; NULL: nobody watches any. */
void hy_room_start(HyRoom *room, gboolean all, const guint8 *watched);
/* Then: what static blocks wait for (first_words.c). SPEAKS: an atomic that is none says something
 * at the first instant at all of its outputs, whatever comes to it. */
typedef gboolean HyRoomSpeaks(gpointer user, guint atomic);
void hy_room_wait(HyRoom *room, HyRoomSpeaks *speaks, gpointer user);

/* A state as the room knows it: its owner, an atomic, keeps it.
 *
 * A state whose method sees other states (mLIQSS, classic ones) is a member of a group: those that
 * have the method from the same element of the file decide together, in the own step of one of
 * them. The room evaluates the row of a member itself, at once,
 * when a signal or a mode that it reads has changed; what comes along its wire is not looked at. So
 * it does for every state where rows are evaluated in place of signals (hy_room_set). Such a state
 * may be due though nothing has come to it: hy_room_due() says who. */
typedef struct {
  /* Written by the owner, once. */
  const HyMethod *method;
  const HyQuantizer *quantizer; /* of METHOD */
  HyQState *v;
  gpointer owner;
  void (*watch)(gpointer owner, double t); /* v may be infinite or NaN now */
  const HyGroupSettings *set;              /* of classic methods; the owner's */
  guint8 plain;                            /* its only input is the derivative, its only output q */
  guint8 asks;                             /* METHOD is implicit, and there is a room to ask */
  /* Written by the room, while it is made. */
  guint8 by_row;   /* the room evaluates its derivative */
  guint8 told;     /* what it says next is in the signal table already; until it has been said */
  guint8 begun;    /* has had a step of its own; by mLIQSS */
  HyFamily family; /* of METHOD; QUANTIZED, too, where its row is not known */
  guint state;     /* its number */
  guint group;     /* members with the same number decide together */
  guint
      missing; /* of what its row reads, so many have not spoken yet; less with every first word */
  /* Written by the room and by groups; the owner, and fast-engine/fused.c in its place, ends SAYS
   * when it has spoken. */
  double says; /* the instant at which its new q is said; INFINITY: it is known to all */
  double look; /* until then its nonlinear row is what its derivative says; INFINITY: for ever */
  const char *why; /* the method cannot go on; of the room. The owner's next event is NaN */
} HyMember;

/* Its next event. */
static inline double hy_member_next(const HyMember *m)
{
  double tn = m->says < m->v->tn ? m->says : m->v->tn;
  return m->look < tn ? m->look : tn;
}

/* While blocks are initialised; its number is filled in. A member of a group without a row decides
 * alone. FALSE: it does not go together with the others of its group. */
gboolean hy_room_add_state(HyRoom *room, const HySetup *setup, HyMember *member, GError **error);
guint64 *hy_room_steps(HyRoom *room);                       /* where states count their steps */
HyMember *hy_room_member(const HyRoom *room, guint atomic); /* NULL: it is no state */
/* Before the own step of an implicit method: the local model x' = a q + u from the equations. On a
 * nonlinear row x' is taken from there, too: the stored one is an extrapolation, and u = x' - a q
 * would mix it with a fresh a. What is asked twice at an instant (by lambda and by dint) is
 * computed once. */
void hy_room_localize(HyRoom *room, guint state, double t, HyQState *v);
/* The row of STATE may be another one now: its derivative, if all of its row is known. */
void hy_member_touch(HyRoom *room, guint32 state, double t);
/* How many are due, to be looked at after every step; and the next of them, with its atomic. NULL:
 * it is no state but a static block whose modes are owned (owned.h), or a block that meets a line
 * (meetings.h). */
const guint *hy_room_n_due(const HyRoom *room);
/* The first instant, T, is over. TRUE: somebody may be due at T because of that. */
gboolean hy_room_open(HyRoom *room, double t);
const HyMember *hy_room_due(HyRoom *room, guint *atomic);

/* Whether anybody has to tell the room what is said. */
gboolean hy_room_listens(const HyRoom *room);
/* Whether it wants to know what is said at SLOT. */
gboolean hy_room_hears(const HyRoom *room, guint slot);
/* After the internal transition of whoever said it. */
void hy_room_said(HyRoom *room, guint slot, double t, const HyValue *value);
/* How many modes have changed and how many words have come from outside (sources, discrete blocks):
 * what may turn a mode beside its own crossing. FALSE: the room does not listen, so not all is
 * known. */
gboolean hy_room_causes(const HyRoom *room, guint64 *causes);
/* Mode M of a static block whose modes are decided by rows (row_modes.h), while it is evaluated at
 * T. */
void hy_row_modes_settle(HyRoom *room, guint atomic, guint m, double t);
/* Whether what decides one of them is not finite at T. */
gboolean hy_row_modes_fail(HyRoom *room, guint atomic, double t);
/* The modes of a static block as rows see them. */
const guint8 *hy_room_modes(const HyRoom *room, guint atomic);
/* Whether mode M of ATOMIC is up, whoever decides it; FALSE: it is no static block, or has not so
 * many. */
gboolean hy_room_mode(const HyRoom *room, guint atomic, guint m, gboolean *up);
/* The modes of a static block, when its transition has decided them. */
void hy_room_decided(HyRoom *room, guint atomic, double t, const guint8 *mode, guint n);

/* What a reading is at T, with its slope: C, [4]. In lambda, too. */
void hy_room_read(HyRoom *room, HyReading *r, double t, double *c);
/* What M asks is another question from T on; in dint. */
void hy_room_meet(HyRoom *room, HyMeeting *m, double t);
/* What its input is, of one that is live; as hy_room_read(). */
void hy_room_read_meeting(HyRoom *room, HyMeeting *m, double t, double *c);
/* GROUP starts anew at T: something that a reading of it reads has jumped. */
void hy_room_restart(HyRoom *room, guint group, double t);
/* In lambda of a block, until its dint: what it says has been decided or computed by GROUP, of its
 * own accord. */
void hy_room_begin_to_tell(HyRoom *room, guint group);
void hy_room_end_telling(HyRoom *room);
gboolean hy_room_is_told_by(const HyRoom *room, guint group);
/* What ATOMIC is at T, if a group computes it; FALSE: it is what it has said. */
gboolean hy_room_reading(HyRoom *room, guint atomic, double t, double *y);
/* Whether a group does so, or will. */
gboolean hy_room_may_read(const HyRoom *room, guint atomic);
/* Those of one that a group leads are made right at T, in its own transition: something has come at
 * an outer input (owned.h). */
void hy_room_judge(HyRoom *room, guint atomic, double t);

/* How often the modes of a static block, or one of them, have turned. */
#define HY_ALL_MODES G_MAXUINT
guint64 hy_room_toggles(const HyRoom *room, guint atomic, guint mode);
guint64 hy_room_flips(const HyRoom *room); /* of all blocks */

/* What it remembers between two events, for copies of the simulation. */
void hy_room_tape(HyRoom *room, HyTape *tape);
/* Of files: how much it has done so far. */
void hy_room_tape_work(HyRoom *room, HyTape *tape);

void hy_room_counts(const HyRoom *room, HyRoomCounts *counts);

#endif
