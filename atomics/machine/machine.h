/* A state machine: states, transitions and their formulas as the model file says them, and the
 * atomic class that is made of it. A machine has a class of its own, as its ports have the names
 * that the file gives them; the loader makes it, and who has the model keeps it.
 *
 *   S = state, instant of entering it, variables, due instants of its timeouts, words to be said
 *   ta    0 while words wait or a `when` holds, else until the next timeout or crossing
 *   lambda  the first word; if none waits, the first word of the transition that is due
 *   dint  that word is said; if none waited, the transition that is due is taken
 *   dext  an event takes the first transition of the state that it causes; its words wait
 *
 * All formulas of a machine are one list, a formula parameter as of any block: part k is the k-th
 * of them. Its inputs are those of the block; its unknowns are the variables, then the time, the
 * time in the state, and a random number. */
#ifndef HYDEVS_ATOMICS_MACHINE_MACHINE_H
#define HYDEVS_ATOMICS_MACHINE_MACHINE_H

#include "hydevs/atomic.h"

#define HY_NO_PART G_MAXUINT
#define HY_STAYS   G_MAXUINT /* of a transition: it leaves its state not */

/* Unknowns behind the variables. */
typedef enum {
  HY_MACHINE_TIME,
  HY_MACHINE_ELAPSED,
  HY_MACHINE_RANDOM,
  HY_N_MACHINE_UNKNOWNS
} HyMachineUnknown;

/* A variable becomes what part PART is, or that is said at a port. */
typedef struct {
  gboolean says;
  guint target, part;
} HyMachineAct;

/* Some that follow each other. */
typedef struct {
  guint first, n;
} HyMachineActs;

typedef enum { HY_ON, HY_AFTER, HY_WHEN } HyMachineCause;

typedef struct {
  HyMachineCause cause;
  guint port;                                            /* ON: the input */
  guint time;                                            /* AFTER: its part */
  guint guard;                                           /* HY_NO_PART: none */
  guint from, to;                                        /* states; HY_STAYS */
  HyMachineActs acts;                                    /* what is done, then what is said */
  const char *event, *after, *condition, *action, *said; /* as written, for drawings; NULL: none */
  gboolean common; /* of all states: it stands in the machine itself, and each state has it */
  guint line;
} HyMachineTransition;

typedef struct {
  const char *name, *label, *doc; /* the last two: NULL, if not said */
  gboolean final;
  guint first, n;                        /* its transitions */
  HyMachineActs entry, exit;             /* entry: what is done, then what is said */
  const char *on_entry, *on_exit, *said; /* as written; NULL: none */
  guint line;
} HyMachineState;

/* Where a part stands, for messages: time="1/n" of state red. */
typedef struct {
  const char *what, *text;
  guint state; /* G_MAXUINT: of none */
} HyMachinePart;

typedef struct {
  HyAtomicClass klass; /* the first: a class of this kind is its machine */
  guint n_in, n_out;   /* ports that have names; behind the inputs stand those that formulas read */
  HyPort *in, *out;
  guint n_states, n_transitions, n_acts, n_vars, n_parts;
  HyMachineState *state;
  HyMachineTransition *transition; /* those of a state follow each other */
  HyMachineAct *act;
  const char **var;    /* names */
  guint *var_part;     /* what they are at the start */
  HyMachinePart *part; /* [n_parts] */
  guint initial;
} HyMachine;

#define HY_MACHINE_READS "reads"  /* the array of inputs that formulas read from the model */
#define HY_MACHINE_PARTS ":parts" /* the parameter that is all formulas */

/* The class of M, whose other fields are there. */
void hy_machine_class(HyMachine *m, const char *doc);
/* NULL: it is none. */
const HyMachine *hy_machine_of(const HyAtomicClass *klass);
void hy_machine_free(HyMachine *m); /* the arrays too, not the texts */

#endif
