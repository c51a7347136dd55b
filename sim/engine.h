/* What the engines share: the simulation, its atomics and the rules of one atomic's simulator
 * (devs-core/README.md). */
#ifndef HY_ENGINE_H
#define HY_ENGINE_H

#include "base/tape.h"
#include "coupled/flatten.h"
#include "equations/partition.h"
#include "equations/room.h"
#include "hydevs/sim.h"

#include <math.h>

/* An atomic in a simulation. Its tN is kept by the engine, where it looks for the next event. */
typedef struct {
  const HyAtomicClass *klass;
  guint8 *state;
  double tl; /* last transition */
  double ta; /* from then to the next internal one; only of classes that state ta */
  guint64 n_int, n_ext;
  guint n_out;
  guint instant; /* the last one at which it took part (zero_time.c) */
  HyPiece *word; /* its last words by port, where nobody else can say them (signals.c); or NULL */
} HyAtom;

typedef struct {
  gboolean (*build)(HySim *sim, GError **error);
  void (*clear)(HySim *sim);
  void (*init)(HySim *sim, double t);
  /* Root cycles up to TF, at most MAX of them; ends early with sim->error set. Returns their
   * number. */
  guint64 (*run)(HySim *sim, double tf, guint64 max);
  void (*input)(HySim *sim, double t, guint port, const HyValue *value);
  double (*next)(const HySim *sim);
  /* Takes up the instants at T of those that the room has made due. */
  void (*follow)(HySim *sim, double t);
  /* The next event of ATOMIC, a lever, is at T; between two cycles. */
  void (*place)(HySim *sim, guint atomic, double t);
  /* What the engine remembers between two cycles (base/tape.h), in memory. */
  void (*tape)(HySim *sim, HyTape *tape);
  gboolean runs_all; /* also what nobody looks at (dead.h) */
  /* Before a file is written: blocks know what the engine knows for them. Nothing is different by
   * that. NULL: they do. */
  void (*tell)(HySim *sim);
  /* Blocks have been read from a file: what the engine knows follows from them. */
  void (*resume)(HySim *sim);
} HyEngineOps;

/* What hy_sim_new() does, with the engine that it has chosen. */
HySim *hy_sim_new_on(HyModel *model, const HyEngineOps *ops, GError **error);

/* The method that a state runs by in place of its parameter `method`, and why. */
typedef struct {
  const char *method; /* NULL: as the parameter says; lives as long as the simulation */
  HyPart part;
} HyMethodChoice;

/* Where a run begins in place of the parameters x0. */
typedef struct {
  double *x0;   /* [n] by atomic; NaN: as the parameter says */
  guint8 *mode; /* [n_modes]: flags of the equations; those that groups own begin so */
  guint n_modes;
} HyStart;

/* What a run has chosen for states for which nobody states a method, and why. */
typedef struct {
  const char *networks;        /* of those that are linear between toggles; NULL: as the others */
  const char *method, *smooth; /* SMOOTH: of the smooth states; NULL: METHOD, too */
  char *why;                   /* the simulation's; NULL: nothing was chosen */
} HyChosen;

#define HY_LAST 8    /* components kept for the message of the zero-time limit */
#define HY_SOON 1024 /* cycles at one instant that are not looked at, by default */

/* A signal that is not finite: what is checked when time passes. At the moment of the event another
 * may already be on its way that puts it right. */
typedef struct {
  guint atomic;
  gint port;
  double t, value;
} HyWrong;

/* What is asked for before init. */
typedef struct {
  gboolean learns, stale;  /* hy_sim_set_implicit(), the other way round */
  gboolean by_rows, shown; /* hy_sim_set_rows(); all rows, whether a block asks for them or not */
  HyMethodChoice *choice;  /* [n]; NULL: none is made */
  HyChosen chosen;         /* method="auto" */
  HyStart start;           /* the simulation's own; all NULL: as the parameters say */
  gboolean together;       /* states of one method are one group, whatever elements state it */
  GArray *watched;         /* guint: slots whose rows are wanted (hy_room_watch()); NULL: none */
  guint64 seed, limit;     /* LIMIT: of cycles at one instant */
  gboolean limit_set;
  HyTrace trace;
  HyProgress progress;
  gpointer progress_user;
} HySimSettings;

/* How far the run has come; plain memory. */
typedef struct {
  double t0, t;        /* of the start, and of the last event */
  gboolean opened;     /* the first instant is over (hy_room_open()) */
  double cycle_t;      /* of the last root cycle; NaN before the first */
  guint64 at_t;        /* cycles at it so far */
  guint64 instants;    /* at which there were cycles */
  double wake, check;  /* earlier instants are not told; not to HyTrace.check */
  double passed;       /* the last instant that time has come to; NaN: none yet */
  guint last[HY_LAST]; /* ring of the atomics of the last of them */
  guint64 parts;       /* atomics with a cycle at it, and inputs that their events have reached: */
  guint64 reached;     /* by default, from sim->watch cycles on */
  guint n_wrong;       /* signals that are not finite now */
  HyTotals totals;
} HySimNow;

typedef struct HySmells HySmells;   /* smells.c */
typedef struct HySignals HySignals; /* signals.c */

/* Many cycles, which are to bring the time further (run.c). */
typedef struct {
  guint64 from, to; /* its first cycle, and that after the last */
  guint64 instants; /* before it */
  double t;         /* where it began */
} HyPace;

/* A lever and its path, which is the simulation's. */
typedef struct {
  guint atomic;
  char *path;
} HyLeverAt;

/* Who has called: nobody; the simulation itself, between two events (HyProgress) or from the middle
 * of one: a block, a watcher. */
typedef enum { HY_NOT_INSIDE, HY_BETWEEN_EVENTS, HY_IN_EVENT } HyInside;

struct HySim {
  /* Made by hy_sim_new(). */
  HyModel *model;
  const HyEngineOps *ops;
  HyFlat *graph;
  guint n;
  HyAtom *atoms; /* [n] by number */
  guint8 *states;
  gsize states_size;
  GArray *levers; /* HyLeverAt, in the order of ties */
  HySimSettings set;
  /* Made by init. */
  HyFlatSources sources;
  HyRoom *room;       /* NULL: no block states what it computes */
  gboolean listens;   /* the room wants to know what is said */
  const guint *n_due; /* atomics whose instants the room has changed */
  HyPiece *words;     /* [n_words]: the last ones of those that have HyAtom.word, and behind them of
                         the root's input ports; t NaN: none yet */
  gsize n_words;
  guint64 watch; /* cycles at one instant from where `last` is kept */
  guint *widest; /* [n] how many inputs an event reaches (zero_time.c); NULL: nobody has asked */
  gpointer
      life; /* a token of this init (g_atomic_rc_box): snapshots and equations are good in it */
  gboolean ready;
  HyInside inside; /* of what is going on now */
  HySim *self;     /* so that who only looks may say that a block is asked */
  /* The run. */
  gpointer engine; /* the engine's own */
  HySimNow now;
  HySmells *smells;   /* NULL: it has not begun */
  HySignals *signals; /* NULL: nobody has asked */
  HyPace some;        /* of hy_sim_run_some(), */
  guint64 some_end;   /* whose last call has come to this cycle */
  GArray *wrong;      /* HyWrong */
  GError *error;      /* the first; ends the simulation */
  char *finished;     /* who has ended the run, and why; NULL: nobody */
};

/* Before a file is read: as hy_sim_save(), but also where a group cannot be copied, of which a file
 * that is refused leaves all as it was. */
HySnapshot *hy_sim_keep(HySim *sim, GError **error);

/* Clears the states of all atomics, if they have been initialised; nobody is to be inside. */
void hy_sim_clear_states(HySim *sim);
/* What the simulation has come to: FALSE and a copy of its error, if there is one. */
gboolean hy_sim_verdict(const HySim *sim, GError **error);
/* Sets sim->error, if it is the first: "PATH: TEXT at t = T". Returns NaN, among instants the sign
 * that the run cannot go on; hy_sim_fail_schedule() also where a block has finished it. */
double hy_sim_fail(HySim *sim, guint atomic, double t, const char *format, ...) G_GNUC_PRINTF(4, 5);
double hy_sim_fail_schedule(HySim *sim, const HyAtom *a, double t, double got);
void hy_sim_fail_port(HySim *sim, guint atomic, double t, gint port);
/* A value that is not finite, or one at an output while there are such: kept until time passes. */
void hy_sim_note_value(HySim *sim, guint atomic, double t, const HyEvent *y);
void hy_sim_fail_values(HySim *sim); /* they still stand: sets sim->error */
/* Whether CALL, a public function, may begin now: those that make events happen are not called by
 * what happens. */
gboolean hy_sim_may_call(const HySim *sim, const char *call, GError **error);
/* The same, of a simulation that has been initialised and has not failed, and a time T that is no
 * NaN; it is WHAT. */
gboolean hy_sim_may_run(const HySim *sim, const char *call, double t, const char *what,
                        GError **error);
/* Something comes from outside at T: FALSE unless that is between the last event and the next. */
gboolean hy_sim_meets(const HySim *sim, double t, const char *what, GError **error);
void hy_sim_find_levers(HySim *sim);
void hy_sim_clear_levers(HySim *sim);
/* signals.c: after the room has started; before hy_sim_clear_signals() of the next time. */
void hy_sim_start_signals(HySim *sim);
void hy_sim_clear_signals(HySim *sim);
void hy_sim_tape_signals(HySim *sim, HyTape *tape);
/* To sim->set.trace.transition, which is there. */
void hy_sim_tell(const HySim *sim, guint atomic, double t, HyTransitionKind kind, double e,
                 const HyEvent *event);
/* From where cycles at one instant are looked at, by the limit that is set. */
void hy_sim_watch_instants(HySim *sim);
/* Called when more than sim->watch cycles were done at T. FALSE: the limit is passed. */
gboolean hy_sim_zero_time(HySim *sim, guint atomic, double t);

/* Before init: CHOICE is by atomic, [n], and is copied. */
void hy_sim_choose_methods(HySim *sim, const HyMethodChoice *choice);
/* Before init: from where it begins; copied. NULL: as the parameters say. */
void hy_sim_start_at(HySim *sim, const HyStart *start);
/* Before init: all states of one method decide together. */
void hy_sim_put_together(HySim *sim);
/* Before init: what is said at SLOT of the flat graph gets a row, number 0, 1, ... */
void hy_sim_watch_slot(HySim *sim, guint slot);
/* What ATOMIC is at T, if a group computes that for it; FALSE: it is what it has said last. */
gboolean hy_sim_reading(const HySim *sim, guint atomic, guint port, double t, double *y);
/* Whether it may be, once the group has begun. */
gboolean hy_sim_may_read(const HySim *sim, guint atomic, guint port);
/* The sine that ATOMIC says at PORT, now and for ever; FALSE: it says none. */
gboolean hy_sim_sine(const HySim *sim, guint atomic, guint port, HySine *sine);
/* How fast what is asked of a group moves (groups/groups.h); of others 0 and INFINITY. */
double hy_sim_fastest(const HySim *sim, guint atomic);
double hy_sim_turning(const HySim *sim, guint atomic, double t, double angle);
/* Whether ATOMIC is a state of a group that has not begun, or one whose modes that will decide. */
gboolean hy_sim_rests(const HySim *sim, guint atomic);
/* The first of m->constants that is of COMPONENT, or where it would stand. */
guint hy_constants_from(const HyModel *m, guint component);
/* Initialises SIM at T0 with all rows of sim->room derived, for whoever looks at the equations. */
gboolean hy_sim_init_equations(HySim *sim, double t0, GError **error);

/* The instant of its next event, as it was scheduled. */
static inline double hy_atom_next(const HyAtom *a)
{
  return a->klass->ta != NULL ? a->tl + a->ta : a->klass->next(a->state);
}

/* The next internal event of an atomic whose state has just changed at T; NaN: sim->error or
 * sim->finished is set. */
static inline double hy_atom_schedule(HySim *sim, HyAtom *a, double t)
{
  a->tl = t;
  if (a->klass->ta != NULL) {
    double ta = a->klass->ta(a->state);
    a->ta = ta;
    return ta >= 0 ? t + ta : hy_sim_fail_schedule(sim, a, t, ta);
  }
  double tn = a->klass->next(a->state);
  return tn >= t ? tn : hy_sim_fail_schedule(sim, a, t, tn);
}

/* Elapsed time as a model may see it: never more than ta, and exactly ta when T is the instant TN
 * of its own event. Where ta is tn - tl, both hold of themselves. */
static inline double hy_atom_elapsed(const HyAtom *a, double tn, double t)
{
  double e = t - a->tl;
  if (a->klass->ta == NULL) {
    return e;
  }
  return t == tn ? a->ta : e;
}

/* What a trace wants to know of ATOMIC. */
static inline HyWatched hy_sim_watch(const HySim *sim, guint atomic)
{
  const HyTrace *trace = &sim->set.trace;
  if (G_LIKELY(trace->transition == NULL)) {
    return HY_WATCH_NOTHING;
  }
  return trace->watched == NULL      ? HY_WATCH_ALL
         : atomic < trace->n_watched ? (HyWatched)trace->watched[atomic]
                                     : HY_WATCH_NOTHING;
}

/* (x, t) at an atomic: dext, then its new tN. */
static inline double hy_atom_input(HySim *sim, guint number, double tn, double t, const HyEvent *x)
{
  HyAtom *a = &sim->atoms[number];
  double e = hy_atom_elapsed(a, tn, t);
  if (G_UNLIKELY(hy_sim_watch(sim, number) == HY_WATCH_ALL)) {
    hy_sim_tell(sim, number, t, HY_DEXT, e, x);
  }
  a->klass->dext(a->state, t, e, x);
  a->n_ext++;
  return hy_atom_schedule(sim, a, t);
}

/* lambda, to be checked by hy_atom_output(). Two functions, so that the event comes to be where the
 * caller declares it and is not copied. */
static inline HyEvent hy_atom_lambda(const HySim *sim, guint number, double t)
{
  const HyAtom *a = &sim->atoms[number];
  if (G_UNLIKELY(a->klass->lambda == NULL)) {
    return HY_NO_EVENT;
  }
  return a->klass->lambda(a->state, t);
}

static inline void hy_atom_tell_word(const HySim *sim, guint number, double t, const HyEvent *y)
{
  if (G_UNLIKELY(hy_sim_watch(sim, number) != HY_WATCH_NOTHING)) {
    hy_sim_tell(sim, number, t, HY_LAMBDA, 0, y);
  }
}

/* What somebody has said at T, kept in WORD. */
void hy_sim_keep_word(HyPiece *word, double t, const HyValue *y);

/* Y, just said, checked. FALSE: nothing to deliver (no event, or sim->error is set). The caller
 * drops the payload of what was delivered with hy_atom_delivered(). */
static inline gboolean hy_atom_output(HySim *sim, guint number, double t, HyEvent *y)
{
  HyAtom *a = &sim->atoms[number];
  if (G_UNLIKELY(y->value.payload != NULL)) {
    g_variant_ref_sink(y->value.payload);
  }
  hy_atom_tell_word(sim, number, t, y);
  if (G_LIKELY((guint)y->port < a->n_out)) {
    const double *c = y->value.c;
    if (G_UNLIKELY(!isfinite(c[0] + c[1] + (c[2] + c[3])) || sim->now.n_wrong > 0)) {
      hy_sim_note_value(sim, number, t, y);
    }
    if (a->word != NULL) {
      hy_sim_keep_word(&a->word[y->port], t, &y->value);
    }
    return TRUE;
  }
  if (y->port != -1) {
    hy_sim_fail_port(sim, number, t, y->port);
  }
  g_clear_pointer(&y->value.payload, g_variant_unref);
  return FALSE;
}

static inline void hy_atom_delivered(HyEvent *y)
{
  if (G_UNLIKELY(y->value.payload != NULL)) {
    g_variant_unref(y->value.payload);
  }
}

/* dint, then its new tN. */
static inline double hy_atom_internal(HySim *sim, guint number, double t)
{
  HyAtom *a = &sim->atoms[number];
  if (G_UNLIKELY(hy_sim_watch(sim, number) == HY_WATCH_ALL)) {
    hy_sim_tell(sim, number, t, HY_DINT, 0, NULL);
  }
  if (a->klass->dint != NULL) {
    a->klass->dint(a->state, t);
  }
  a->n_int++;
  return hy_atom_schedule(sim, a, t);
}

/* What ATOMIC has said at T, after its internal transition. */
static inline void hy_atom_said(HySim *sim, guint atomic, gint port, double t, const HyEvent *y)
{
  if (sim->listens && port >= 0) {
    hy_room_said(sim->room, sim->graph->first_out[atomic] + (guint)port, t, &y->value);
  }
}

/* An atomic whose instant has changed though nothing has come to it, with that instant; FALSE:
 * none.
 */
static inline gboolean hy_atom_due(HySim *sim, double t, guint *atomic, double *tn)
{
  if (G_LIKELY(*sim->n_due == 0)) {
    return FALSE;
  }
  hy_room_due(sim->room, atomic);
  *tn = hy_atom_schedule(sim, &sim->atoms[*atomic], t);
  return TRUE;
}

void hy_sim_pass(HySim *sim, double t); /* tells whoever hears of it */
/* HyTrace.check does not hear of instants before T, from now on. */
static inline void hy_sim_wake(HySim *sim, double t)
{
  const HyTrace *trace = &sim->set.trace;
  sim->now.check = trace->check != NULL ? t : INFINITY;
  sim->now.wake = trace->instant != NULL ? -INFINITY : sim->now.check;
}

/* Time is about to advance to T. */
static inline void hy_sim_tell_instant(HySim *sim, double t)
{
  if (G_UNLIKELY(t >= sim->now.wake)) {
    hy_sim_pass(sim, t);
  }
  sim->now.passed = t;
}

/* Whether the cycle of ATOMIC at T may start: counts cycles at one instant. */
static inline gboolean hy_sim_may_cycle(HySim *sim, guint atomic, double t)
{
  if (t != sim->now.cycle_t) {
    if (G_UNLIKELY(sim->now.n_wrong > 0)) {
      hy_sim_fail_values(sim);
      return FALSE;
    }
    sim->now.cycle_t = t;
    sim->now.at_t = 0;
    sim->now.instants++;
    hy_sim_tell_instant(sim, t);
    return TRUE;
  }
  return ++sim->now.at_t < sim->watch || hy_sim_zero_time(sim, atomic, t);
}

#endif
