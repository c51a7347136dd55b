/* The state of a machine while it runs, and how a transition changes it; which knows no events. */
#ifndef HYDEVS_ATOMICS_MACHINE_RUNNING_H
#define HYDEVS_ATOMICS_MACHINE_RUNNING_H

#include "expr/expression.h"
#include "expr/modes.h"
#include "expr/program.h"
#include "input.h"
#include "machine/machine.h"
#include "random.h"

typedef struct {
  guint port;
  double value;
} HyMachineWord;

/* What a transition changes. */
typedef struct {
  guint state;
  double entered; /* when */
  HyRandom random;
  double *var;         /* [n_vars] */
  double *due;         /* [n_transitions]: timeouts of the state; INFINITY: none, or it has been */
  guint8 *spent;       /* [n_transitions]: a `when` that stays was taken, and holds still */
  HyMachineWord *word; /* [n_words], to be said */
  guint n_words, room;
  guint bad;    /* the part whose value is impossible; HY_NO_PART: none */
  double worst; /* that value */
} HyMoving;

/* The working memory of one part. */
typedef struct {
  HyProgram *program;
  HyReg *reg;
  guint8 *mode;
  HyModes *modes; /* of the guard of a `when` that has comparisons; else NULL */
  guint8 *moves;  /* [modes]: it compares what moves with time, and not variables alone */
  gboolean draws; /* it reads the random number */
} HyMachineForm;

typedef struct {
  const HyExpression *parts;

  const HyMachine *machine;
  guint n_in;
  HySignal *in;        /* [n_in]; of an event input its last value */
  HyMachineForm *form; /* [n_parts] */
  HyPiece *piece;      /* [n_in + n_vars + HY_N_MACHINE_UNKNOWNS]: what programs load */
  HyMoving now;
  HyMoving *probe; /* what `now` will be: lambda comes before dint */
  gboolean started;
  double *early;       /* [n_out]: what was said before that; NaN: nothing */
  HyMachineWord *kept; /* [n_kept]: events of the instant `kept_at` that came before that */
  guint n_kept, room_kept;
  double kept_at;
  double t;       /* of the last transition: words are due then */
  guint8 *held;   /* [n_transitions]: each `when` of the state, as it was found last */
  gboolean holds; /* one of them does, which is due */
  double again;   /* when the first comparison of them turns */
  HyFault fault;  /* a signal that is no number */
  guint bad_in;
  guint64 taken, ignored;
} HyRunning;

/* FALSE: a formula is wrong. */
gboolean hy_running_new(HyRunning *s, double t, const HySetup *setup, GError **error);
void hy_running_clear(HyRunning *s);
void hy_running_tape(HyRunning *s, HyTape *tape);

/* What the initial state says whatever the signals are that have not come yet: these words wait. */
void hy_running_announce(HyRunning *s, double t);
/* The initial state is entered; what has been said already is not said again. */
void hy_running_start(HyRunning *s, double t);
/* An event before the start: if that is at the same instant, it is answered then. */
void hy_running_keep(HyRunning *s, guint port, double value, double t);
/* The guards of `when` at T. ANEW: their state was entered; FRESH: an input or a variable has
 * changed. Until hy_running_commit() it is only known to hy_running_choose(). */
void hy_running_look(const HyRunning *s, double t, gboolean anew, gboolean fresh);
void hy_running_commit(HyRunning *s);
/* The first transition that is due at T without an event, by what was looked at; HY_STAYS: none. */
guint hy_running_choose(const HyRunning *s, HyMoving *m, double t);
/* The first that an event at PORT causes. */
guint hy_running_answer(const HyRunning *s, HyMoving *m, guint port, double t);
/* M takes transition K. */
void hy_running_take(const HyRunning *s, HyMoving *m, guint k, double t);
void hy_moving_copy(const HyRunning *s, HyMoving *to, const HyMoving *from);

#endif
