/* For tests: a plan by saltelli of a model, and its indices. */
#ifndef SOBOL_H
#define SOBOL_H

#include "sweep_model.h"

static inline HyPlanOptions saltelli(const char *const *random, guint64 n)
{
  HyPlanOptions o = HY_PLAN_OPTIONS;
  o.random = random;
  o.sampling = "saltelli";
  o.n = n;
  return o;
}

/* NULL: ERROR says why. */
static inline HySweepIndices *indices_of(const HyPlan *plan, GError **error)
{
  HySweepOptions o = HY_SWEEP_OPTIONS;
  g_autoptr(HySweep) sweep = hy_sweep_new(plan, &o, NULL);
  TEST_ASSERT_TRUE(hy_sweep_go(sweep, NULL));
  return hy_sweep_indices(sweep, 0, error);
}

/* Inside of its interval, and not farther away than a part of 1. */
static inline void check_index(const HySweepIndex *index, double truth, double within)
{
  g_autofree char *text =
      g_strdup_printf("%g in %g .. %g, truth %g", index->value, index->low, index->high, truth);
  TEST_ASSERT_TRUE_MESSAGE(index->low < truth && truth < index->high, text);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(within, truth, index->value, text);
}

#endif
