/* Watching a simulation. A watcher sees and never changes the order of events. */
#ifndef HYDEVS_TRACE_H
#define HYDEVS_TRACE_H

#include "hydevs/atomic.h"
#include "hydevs/text.h"
#include <stdio.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum { HY_MSG_I, HY_MSG_STAR, HY_MSG_X, HY_MSG_Y, HY_MSG_DONE } HyMessageKind;

/* What an atomic has done, as the message that follows from it says. */
typedef enum { HY_RAN_NOTHING, HY_RAN_INIT, HY_RAN_LAMBDA, HY_RAN_DEXT, HY_RAN_DINT } HyRan;

/* Why a component stands before the others that are due now. */
typedef enum {
  HY_WHY_ALONE,    /* there are no others */
  HY_WHY_AT_ONCE,  /* it answers at once, and they do not */
  HY_WHY_RANK,     /* so do they: by rank, and where that is equal as listed */
  HY_WHY_PRIORITY, /* its priority */
  HY_WHY_LISTED,   /* its place in the model */
} HyWhy;

typedef struct {
  guint64 n; /* 1, 2, 3, ... */
  double t;
  const char *from, *to; /* component names; "root" is the root coordinator */
  const char *path; /* the component that the message is about (of from and to, the lower one) */
  HyMessageKind kind;
  const char *port;            /* of x and y */
  const HyValue *value;        /* of x and y */
  double tn;                   /* of done */
  const char *note;            /* for people; NULL: none */
  HyRan ran;                   /* of y and done */
  double e;                    /* where that is dext: the time since its last transition */
  const char *state;           /* of done from an atomic that shows its state; else NULL */
  const char *const *imminent; /* of * below the root: the components of FROM that are due now, in
                                  the order of ties; TO is the chosen one. Ends with NULL */
  HyWhy why;                   /* of such a *: why TO is the first of them */
  const char *leads;           /* likewise: the atomic that has its turn, by its path */
  guint widest;                /* the longest name that FROM or TO of any message is, for columns */
} HyMessage;

typedef enum { HY_LAMBDA, HY_DEXT, HY_DINT } HyTransitionKind;

typedef struct {
  double t;
  guint atomic; /* its number in the simulation */
  HyTransitionKind kind;
  double e;             /* of dext */
  const HyEvent *event; /* of lambda (port -1: no event) and dext */
} HyTransition;

/* How much of an atomic a watcher wants to know: nothing, every transition, or what it says
 * (HY_LAMBDA) alone. Words cost far less: engines need not run what nobody but the watched atomic
 * would have heard. ASKED: what it says, unless a group computes it, which is then asked. */
typedef enum { HY_WATCH_NOTHING, HY_WATCH_ALL, HY_WATCH_WORDS, HY_WATCH_ASKED } HyWatched;

typedef struct HyTrace HyTrace;
struct HySim;
struct HyTrace {
  gpointer user;
  void (*message)(gpointer user, const HyMessage *message); /* NULL, or on the tree every message */
  void (*transition)(
      gpointer user,
      const HyTransition *transition); /* NULL, or every call of an atomic's functions */
  /* NULL, or each new instant at which something happens, before anything does: all states can
   * still be asked for what they have been since the last one. */
  void (*instant)(gpointer user, double t);
  const guint8 *watched; /* [n_watched]: HyWatched; of atomics from n_watched on nothing is wanted;
                            NULL: everything of all */
  guint n_watched;
  const guint8 *readers; /* likewise, of those whose words somebody reads, so that it matters how
                            well they are known; NULL: as WATCHED. Who checks a run is no reader */
  /* NULL, or one that hears as well, of what its own WATCHED has, which WATCHED has, too. Its
   * instants come first. */
  const HyTrace *check;
  /* NULL, or asked by hy_sim_set_trace(): whether what it watches is there. */
  gboolean (*fits)(gpointer user, const struct HySim *sim);
};

/* One line a message: "nr t=TIME FROM -> TO MESSAGE ; note", names in columns, or a JSON object.
 * USER is a FILE *. */
void hy_trace_text(gpointer user, const HyMessage *message);
void hy_trace_json(gpointer user, const HyMessage *message);

#pragma GCC visibility pop
G_END_DECLS
#endif
