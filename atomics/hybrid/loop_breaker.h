/* The inside of the block loop_breaker: its state, and what the next trials are, which knows no
 * events (loop_solve.c). */
#ifndef HYDEVS_ATOMICS_HYBRID_LOOP_BREAKER_H
#define HYDEVS_ATOMICS_HYBRID_LOOP_BREAKER_H

#include "input.h"
#include "numerics/loops.h"

typedef enum {
  HY_BREAKER_REST,
  HY_BREAKER_TRY,   /* says trials */
  HY_BREAKER_LOOK,  /* at the answer */
  HY_BREAKER_LEAVE, /* says trials again that were out before a failure */
  HY_BREAKER_WAIT,  /* for the answer to them, which is not looked at */
  HY_BREAKER_SOLVE, /* says solutions */
} HyBreakerPhase;

typedef struct {
  HySignal in;
  double z[4];                  /* the trial, from the time of the block on */
  double begun[4];              /* the one that was out before this solution */
  double z_was[4], g_was[4];    /* the round before */
  double said[4], largest[4];   /* the last solution said, and sizes of all of them */
  gboolean untold, fresh, ever; /* a new trial; a new solution; zc has spoken */
} HyUnknown;

typedef struct {
  HyReals guess;
  double tolerance, relative;
  gint64 max_iter;
  const char *solver;

  guint n, lanes;
  HyUnknown *unknown; /* [n] */
  double *room, *a, *b;
  HyLoops loops;
  double t; /* of the trials */
  HyBreakerPhase phase;
  guint port;           /* the unknown whose turn it is to be said */
  guint rounds;         /* of this solution */
  gboolean slopes_only; /* the round before had the same values */
  HyFault fault;
  double residual; /* the last failure: of which unknown, and how it is called */
  guint worst, tried;
  double last;
  gint column; /* an unknown that is not determined; -1: another reason */
  gboolean of_slopes;
  guint64 solutions, all_rounds, most_rounds;
} HyBreaker;

/* A solution begins at T with the trials that are out, as polynomials from then on. */
void hy_breaker_begin(HyBreaker *s, double t);
/* The answers stand at the inputs at T. AGAIN: there are new trials; FAILED: the first ones are to
 * go out again, and `worst` and so on say why. */
HyLoopEnd hy_breaker_look(HyBreaker *s, double t);

#endif
