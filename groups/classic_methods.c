/* The classic methods by name, and what one of their states is beside its group. */
#include "classic_internal.h"

#include "numerics/classic.h"

#include <string.h>

/* As a quantizer it only speaks once, at the start; everything else the group does. */
static void start(HyQState *v, double t, double x0)
{
  v->x[0] = v->q[0] = x0;
  v->tx = v->tq = v->tn = t;
  v->own = -INFINITY;
}

static void step(HyQState *v, double t)
{
  (void)t;
  v->pieces = 3;
  v->tn = INFINITY;
}

static void piece(const HyQState *v, double t, double *q)
{
  (void)t;
  memcpy(q, v->q, sizeof v->q);
}

static void derivative(HyQState *v, double t, const double *dx)
{
  (void)v, (void)t, (void)dx;
}

/* ASKED: the group has to start again from here. */
static void reset(HyQState *v, double t, double x0)
{
  memset(v->x, 0, sizeof v->x);
  v->x[0] = x0;
  v->tx = v->tn = t;
  v->asked = true;
}

static const HyQuantizer member = {"classic", 3, false, 1.0, start, step, piece, derivative, reset};

/* Those of multirate integration come after these, then those of the textbooks, hy_ode_methods. */
static const struct {
  const char *name;
  const HyStepper *stepper;
} methods[] = {
    {"cvode_bdf", &hy_classic_cvode_bdf},
    {"cvode_adams", &hy_classic_cvode_adams},
};

const char *hy_classic_name(guint k)
{
  if (k < G_N_ELEMENTS(methods)) {
    return methods[k].name;
  }
  k -= G_N_ELEMENTS(methods);
  if (k < HY_MULTIRATE_METHODS) {
    return hy_multirate_name(k);
  }
  const HyOdeMethod *const *m = hy_ode_methods;
  for (k -= HY_MULTIRATE_METHODS; k > 0 && *m != NULL; k--) {
    m++;
  }
  return *m != NULL ? (*m)->name : NULL;
}

const HyQuantizer *hy_classic_find(const char *name, int *order)
{
  for (guint k = 0; hy_classic_name(k) != NULL; k++) {
    if (strcmp(hy_classic_name(k), name) == 0) {
      *order = HY_CLASSIC + (int)k;
      return &member;
    }
  }
  return NULL;
}

const HyStepper *hy_classic_stepper(int order)
{
  guint k = (guint)(order - HY_CLASSIC);
  if (k < G_N_ELEMENTS(methods)) {
    return methods[k].stepper;
  }
  return k - G_N_ELEMENTS(methods) < HY_MULTIRATE_METHODS ? &hy_classic_multirate
                                                          : &hy_classic_textbook;
}

char *hy_classic_refuses(int order, const HyGroupSettings *set)
{
  const HyStepper *stepper = hy_classic_stepper(order);
  if (stepper->step == NULL) {
    return g_strdup("needs SUNDIALS, without which this hydevs was built");
  }
  const HyOdeMethod *textbook = hy_ode_find(hy_classic_name((guint)(order - HY_CLASSIC)));
  gboolean fixed = textbook != NULL ? !textbook->adaptive : stepper == &hy_classic_multirate;
  if (fixed && set->hstep == 0.0) {
    return g_strdup("needs a step; state hstep beside it, or --hstep");
  }
  return set->abstol > 0.0 ? NULL : g_strdup("needs abstol above 0");
}
