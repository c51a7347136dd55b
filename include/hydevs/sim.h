/* Simulating a model. One meaning, three engines: the tree is the abstract simulator of the
 * textbooks, every message observable; flat is its closure under coupling, the same events without
 * the messages; fused runs the static blocks of flat without events, too. */
#ifndef HYDEVS_SIM_H
#define HYDEVS_SIM_H

#include "hydevs/error.h"
#include "hydevs/model.h"
#include "hydevs/trace.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct HySim HySim;
typedef enum { HY_TREE, HY_FLAT, HY_FUSED } HyEngine;
/* The fastest one that is of use: fused where MODEL has static blocks, else flat. */
HyEngine hy_sim_best_engine(const HyModel *model);
const char *hy_engine_name(HyEngine engine); /* NULL: there is no such engine */

/* MODEL must outlive the simulation. On failure NULL; the error names the model's path, or says
 * that there is no such ENGINE (HY_ERROR_USAGE). */
HySim *hy_sim_new(HyModel *model, HyEngine engine, GError **error);
void hy_sim_free(HySim *sim); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySim, hy_sim_free)

/* Before init. */
void hy_sim_set_seed(HySim *sim, guint64 seed); /* of everything random; default 0 */
void hy_sim_set_limit(HySim *sim,
                      guint64 limit); /* cycles at one instant beyond the first; 0: none.
                                         default: max(1,000,000, 10,000 per atomic that takes
                                         part), which reach 100,000,000 inputs at most */
/* Implicit methods. EXACT: partial derivatives come from the equations of the model, else they are
 * learned from answers. REFRESH: on nonlinear equations own steps take x' from there, too. Both are
 * TRUE at first. */
void hy_sim_set_implicit(HySim *sim, gboolean exact, gboolean refresh);
/* The derivative of every state is evaluated as one expression of states and sources, and not
 * block by block. Results agree to rounding and truncation, not to the last bit. */
void hy_sim_set_rows(HySim *sim, gboolean rows);
/* NULL: none; copied. Messages exist on the tree only. What nobody watches may be left out, if
 * nobody else needs it. */
void hy_sim_set_trace(HySim *sim, const HyTrace *trace);

/* Called now and then during a run. FALSE stops it with HY_ERROR_INTERRUPTED; running again goes on
 * from there. */
typedef gboolean (*HyProgress)(gpointer user, double t, guint64 cycles);
void hy_sim_set_progress(HySim *sim, HyProgress progress, gpointer user);

/* Asks each block alone whether it could start at T0: WRONG gets all mistakes, "PATH: WHAT" with
 * the place of the block, where init ends at the first. The simulation has no state after it. */
typedef void (*HyTry)(gpointer user, const HyModel *model, guint component, const char *what);
void hy_sim_try(HySim *sim, double t0, HyTry wrong, gpointer user);
/* What makes events happen (init, run, step, input, load) is an error (HY_ERROR_USAGE) where the
 * simulation itself has called: a block, a watcher, HyProgress. So is save but from HyProgress.
 *
 * (i, t0). Calling it again starts over. */
gboolean hy_sim_init(HySim *sim, double t0, GError **error);
/* Root cycles while the next event is at or before TF. May be called again with a later TF. The
 * first error ends the simulation; what had been done by then stays readable. */
gboolean hy_sim_run(HySim *sim, double tf, GError **error);
/* One root cycle, if the next event is at or before TF; *DONE says whether there was one. */
gboolean hy_sim_step(HySim *sim, double tf, gboolean *done, GError **error);
/* (x, t) to an input port of the root model: last event <= T <= next event. A floating payload is
 * taken over, another one stays the caller's. */
gboolean hy_sim_input(HySim *sim, double t, guint port, const HyValue *value, GError **error);

/* hy_sim_run() that gives up after MAX_CYCLES cycles, between two of them; *DONE says whether TF
 * was reached. HyProgress is not called. */
gboolean hy_sim_run_some(HySim *sim, double tf, guint64 max_cycles, gboolean *done, GError **error);

/* Levers: sources that are moved while the simulation runs, 0 .. n-1 in the order of ties. */
guint hy_sim_n_levers(const HySim *sim);
/* The number of the one at PATH; FALSE: it is none, and the error names the nearest. */
gboolean hy_sim_lever(const HySim *sim, const char *path, guint *k, GError **error);
/* Strings are the simulation's, until it is initialised anew. FALSE: it has not been. */
gboolean hy_sim_lever_info_sized(const HySim *sim, guint k, HyLever *lever, gsize size);
static inline gboolean hy_sim_lever_info(const HySim *sim, guint k, HyLever *lever)
{
  return hy_sim_lever_info_sized(sim, k, lever, sizeof(HyLever));
}
/* From T on (last event <= T <= next event) it goes to VALUE, on a straight line of RAMP seconds
 * (0: at once), which its rate may make longer. It is due at T then, and speaks when the run comes
 * there; where it is told what it does already nothing happens. FALSE: beyond its bounds, not
 * finite, in the past: nothing has changed, and the simulation may go on. */
gboolean hy_sim_set_lever(HySim *sim, double t, guint k, double value, double ramp, GError **error);

/* All of a simulation as it is now, between two events: states, the instants of all events,
 * signals, counters. What was set before init (model, engine, trace, limit) is no part of it. */
typedef struct HySnapshot HySnapshot;
/* NULL: SIM has not been initialised or has failed, or a group is integrated by CVODE, which does
 * not say all that it remembers. */
HySnapshot *hy_sim_save(HySim *sim, GError **error);
/* SIM goes on from there, bit for bit as it did then. SNAPSHOT must be its own, since its last
 * init; it may be put back any number of times. */
gboolean hy_sim_load(HySim *sim, HySnapshot *snapshot, GError **error);
void hy_snapshot_free(HySnapshot *snapshot); /* NULL is fine */
/* The same for files, item by item with names: TAPE comes from whoever writes or reads one, when
 * all events at the instant at hand are done. It holds no engine: another one, or the same in
 * another process, goes on bit for bit, if it has done its first instant. FALSE: somebody does not
 * name what it remembers, or what is read does not fit; then SIM is as it was. */
gboolean hy_sim_tape(HySim *sim, HyTape *tape, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySnapshot, hy_snapshot_free)

/* "PATH: WHY at t = T" of the block that has ended the run, as a stop does; NULL: none has. Then
 * hy_sim_run() has returned TRUE at T, and does nothing any more. */
const char *hy_sim_finished(const HySim *sim);

double hy_sim_time(const HySim *sim); /* of the last event */
double hy_sim_next(const HySim *sim); /* of the next one */

/* What classic methods say of their work. */
typedef struct {
  guint64 steps, evaluations, jacobians, newton;
  guint64 failures;  /* steps that the error test has refused */
  guint64 restarts;  /* after the first start */
  guint64 pieces;    /* published, where somebody listens */
  guint64 inputs;    /* changes of what the equations read: words and modes from outside */
  guint64 closed;    /* steps that an input or a crossing has ended early */
  guint64 crossings; /* modes that the groups themselves have turned */
  guint64 moved;     /* of chains: states that have stepped, of all steps */
} HyClassicTotals;

/* A group of states that a classic method integrates together. */
typedef struct {
  const char *method;
  const char *stated, *because; /* METHOD has come in the place of this one, and why; else NULL */
  double since;                 /* when, then */
  gboolean unsure;              /* and that what is solved says too little for any method */
  guint atomic, states;         /* the first of them; how many there are */
  HyClassicTotals totals;
  guint of;        /* of a method that divides states into blocks: all of them, */
  const char *why; /* and why these are together; else NULL. Of the simulation */
  double joined;   /* states of several elements that state the method are in it, since they answer
                      each other at this rate; 0: of one */
  double least, most, last; /* steps; 0 before the first */
  double tolerance;         /* the smallest of its states, where |x| = 1 */
  double quantum;           /* likewise, of the quantized states that it reads; INFINITY: none */
  guint reads;              /* the atomic with that quantum */
  double began;             /* when the first of them began to move; INFINITY: not yet */
  double off;   /* of a method with fixed steps: how far a state has been off at most, as a part of
                   what it ranges over, by steps half as long that are taken beside; else 0 */
  guint off_at; /* the atomic of this state */
} HyGroupTotals;

typedef struct {
  guint64 cycles;              /* root cycles */
  guint64 n_int, n_ext;        /* transitions of atomics */
  guint64 i, star, x, y, done; /* messages; 0 on flat, which has none */
  guint64 steps;               /* new pieces of quantized states, those of the start left out */
  guint64 evaluations;         /* of rows: scalar derivatives with all their coefficients, asked by
                                  implicit methods */
  guint64 pairs;               /* steps that mLIQSS took with two states at once */
  guint64 toggles;         /* modes of blocks that have turned: of switches, diodes, conditions */
  HyClassicTotals classic; /* of all groups; its steps are none of those above */
} HyTotals;
void hy_sim_totals_sized(const HySim *sim, HyTotals *totals, gsize size);
static inline void hy_sim_totals(const HySim *sim, HyTotals *totals)
{
  hy_sim_totals_sized(sim, totals, sizeof(HyTotals));
}
/* Groups of classic methods by number, 0 .. n-1, in the order of their first states. */
guint hy_sim_n_groups(const HySim *sim);
void hy_sim_group_sized(const HySim *sim, guint group, HyGroupTotals *totals, gsize size);
static inline void hy_sim_group(const HySim *sim, guint group, HyGroupTotals *totals)
{
  hy_sim_group_sized(sim, group, totals, sizeof(HyGroupTotals));
}

/* Atomics by number, 0 .. n-1, in the order that breaks ties. */
guint hy_sim_n(const HySim *sim);
char *hy_sim_path(const HySim *sim, guint atomic); /* newly allocated */
gboolean hy_sim_find(const HySim *sim, const char *path, guint *atomic);
const HyAtomicClass *hy_sim_class(const HySim *sim, guint atomic);
const void *hy_sim_state(const HySim *sim, guint atomic);
char *hy_sim_print(const HySim *sim, guint atomic); /* its state as in a trace; newly allocated */
/* What the class's `value` says; NaN if it has none. T must not lie before the last event. */
double hy_sim_value(const HySim *sim, guint atomic, double t);
/* The signal at output PORT of ATOMIC from T on, C[0] + C[1] s + ..., T between the last event and
 * the next: the last word, carried to T; of a block without dynamics what it makes of its inputs at
 * T, whether anybody hears it or not; of a state that a group integrates x, with its slope. FALSE:
 * it has said nothing yet, it is no number, or the port carries events. Whether somebody asks
 * changes no bit of the run; nor is it to be asked by a block, or by whoever watches one. */
gboolean hy_sim_signal(const HySim *sim, guint atomic, guint port, double t, double c[4]);
/* What the class's `held` says. */
gboolean hy_sim_held(const HySim *sim, guint atomic, HyHeld *held);
char *hy_sim_report(const HySim *sim, guint atomic); /* NULL: it has nothing to report; else newly
                                                        allocated */
void hy_sim_counts(const HySim *sim, guint atomic, guint64 *n_int, guint64 *n_ext);

#pragma GCC visibility pop
G_END_DECLS
#endif
