/* One circuit by one setting, judged: what campaign prints and the tests of a campaign assert. */
#ifndef CAMPAIGN_JUDGE_H
#define CAMPAIGN_JUDGE_H

#include "exact.h"
#include "run.h"

/* A state that never reaches this many volts or amperes is judged by this size. */
#define LEAST_SIZE 0.1

typedef struct {
  double percent;      /* deviation; INFINITY: it does not end */
  double by_hand;      /* likewise of CVODE by hand; NaN: not asked */
  double hand_seconds; /* of CPU, of CVODE by hand */
  int worst;           /* the state */
  gboolean same;       /* all engines write the same bytes; TRUE if not asked */
  Recording record;    /* of the engine that hydevs chooses */
} Verdict;

typedef struct {
  gboolean by_hand, engines;
  guint64 most_events; /* a run with more is not repeated on other engines; 0: any is */
} Asked;

/* FALSE: hydevs could not be called. The caller clears verdict.record. */
gboolean judge(Verdict *v, const Circuit *c, const Exact *exact, const Setting *s, Asked asked);

#endif
