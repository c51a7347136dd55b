/* Building, running and reporting a benchmark model: the same for all of them. */
#ifndef HY_BENCHMARK_H
#define HY_BENCHMARK_H

#include "cli.h"

typedef struct {
  HyModel *root;          /* taken over */
  const HyModel *counted; /* the part whose structure is reported */
  double tf;
  const char *engine;
  gboolean json;
  const char *parameters; /* JSON members that name the model */
  gint64 start;           /* g_get_monotonic_time() before the model was built */
} Benchmark;

/* n_int and n_ext of the report leave out OUTSIDE, the transitions that do not belong to the
 * benchmark. */
int benchmark_run(const char *verb, const Benchmark *b, const HyTotals *outside);

#endif
