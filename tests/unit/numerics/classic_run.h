/* Runs a classic method without an engine, for tests. */
#ifndef HYDEVS_TESTS_CLASSIC_RUN_H
#define HYDEVS_TESTS_CLASSIC_RUN_H

#include "numerics/methods.h"

#include <stdlib.h>
#include <unity.h>

/* The room of R is on the heap: classic_free(). */
static inline void classic_start(HyOdeRun *r, const char *name, const HyOde *ode,
                                 const HyOdeSettings *settings, double t, const double *x)
{
  const HyMethod *named = hy_method_find(name);
  TEST_ASSERT_NOT_NULL_MESSAGE(named, name);
  const HyOdeMethod *method = named->textbook;
  double *room = calloc(hy_ode_room(method, ode->n), sizeof *room);
  TEST_ASSERT_NOT_NULL(room);
  hy_ode_init(r, method, ode, settings != NULL ? settings : &hy_ode_settings, room);
  hy_ode_start(r, t, x);
}

static inline void classic_free(HyOdeRun *r)
{
  free(r->room);
}

/* M: HyMethod, those of the textbooks. */
#define EACH_TEXTBOOK(m)                                                                           \
  for (const HyMethod *(m) = hy_methods; (m)->name != NULL; (m)++)                                 \
    if ((m)->textbook != NULL)

/* STEPS equal steps from the present instant to T1. */
static inline void classic_to(HyOdeRun *r, double t1, int steps)
{
  double t0 = r->t;
  for (int k = 1; k <= steps; k++) {
    double t = k == steps ? t1 : t0 + (t1 - t0) * k / steps;
    TEST_ASSERT_EQUAL_INT(HY_ODE_DONE, hy_ode_step(r, t));
  }
}

#endif
