/* One converter by one setting, judged, and the table of many. */
#ifndef CAMPAIGN_LOOP_JUDGE_H
#define CAMPAIGN_LOOP_JUDGE_H

#include "loop.h"
#include "run.h"

typedef struct {
  guint64 seed, events;
  const char *control;
  int status, worst, toggles; /* worst: the state */
  double error;               /* INFINITY: it does not end */
  double growth, seconds;
  gboolean breach;     /* its audit has found something */
  gboolean same;       /* all engines write the same bytes; TRUE if not asked */
  char *words, *right; /* the last line of the run; the right end values as words */
} LoopVerdict;

/* Against TRUTH, which is TRUTH_OK. Runs of fewer than ENGINES events are made by all engines.
 * FALSE: hydevs could not be called. */
gboolean loop_judge(LoopVerdict *v, const Loop *l, const Truth *t, const Setting *s,
                    guint64 engines);
void loop_verdict_clear(LoopVerdict *v);
/* The caller frees it. */
char *loop_right_values(const Loop *l, const Truth *t);
/* Of LoopVerdicts; LEFT_OUT [TRUTH_KINDS]. Sorts them by control. */
void loop_table(GArray *verdicts, const int *left_out);
/* The middle one of errors of what CONTROL says, or of all if that is NULL, and the worst. */
void loop_errors(GArray *verdicts, const char *control, int *n, double *median, double *worst);

#endif
