/* The textbook integrators of x' = f(t, x), n states at once: pure arithmetic. (The
 * quantized ones, a state at a time, are in quantizer.h.)
 *
 *   hy_ode_init      once: method, problem and settings, in a room that the owner provides
 *   hy_ode_start     x at t; also when x or f jumps
 *   hy_ode_step      one step that ends at T1 or, where the tolerance asks for it, before
 *
 * Between steps the world sees `piece`, inside the last step.
 *
 * Times are absolute. An owner with a fixed step gives T1 = t0 + k h, not t + h, or the rounding of
 * many steps adds up. A multistep method whose step is not the one before starts anew: those of
 * Adams with Runge-Kutta steps, BDF with extrapolated backward Euler steps, of the same order.
 *
 * A step that failed leaves x and t where they were. It knows no events and no engine. */
#ifndef HYDEVS_NUMERICS_CLASSIC_H
#define HYDEVS_NUMERICS_CLASSIC_H

#include "newton.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int n;
  void (*f)(void *user, double t, const double *x, double *dx);
  /* What is NULL is found by differences: df/dx by rows, and x'' = df/dx f + df/dt. */
  void (*jacobian)(void *user, double t, const double *x, double *j);
  void (*second)(void *user, double t, const double *x, const double *f, double *ddx);
  double (*tolerance)(void *user, int i,
                      double x); /* of state I at X; NULL: that of the settings */
  void *user;
} HyOde;

typedef struct {
  double rtol, atol; /* of the adaptive methods: error <= atol + rtol |x| in every state; their
                        quotient is how large a state is that is not small */
  double first;      /* their first step */
  double least;      /* their smallest step: below it the run has to stop */
  int root;          /* rk45_doubling: next step from (1/error)^(1/root), 4 or 5 */
  bool extrapolate;  /* rk45_doubling: goes on from the better value, of order 5 */
  double newton;     /* the implicit methods: |dx| <= newton * largest |x| ends the iteration */
  int newton_max;    /* iterations */
} HyOdeSettings;

extern const HyOdeSettings hy_ode_settings; /* what a settings starts as */

typedef struct {
  long accepted, rejected, evaluations, jacobians, newton;
} HyOdeCounts;

typedef enum {
  HY_ODE_DONE,
  HY_ODE_NEWTON,     /* did not converge: `newton.worst` is the residual */
  HY_ODE_SINGULAR,   /* I - h J; `newton.column` is the state */
  HY_ODE_TOO_SMALL,  /* the tolerance asks for a step below `least` */
  HY_ODE_NOT_FINITE, /* x or f */
} HyOdeEnd;

typedef struct HyOdeRun HyOdeRun;

typedef struct {
  int order;
  bool implicit, adaptive;
  int past;                                /* vectors remembered beside x */
  double safety;                           /* adaptive: h = safety h (1/error)^(1/root); */
  int root;                                /* 0: the one of the settings */
  HyOdeEnd (*step)(HyOdeRun *r, double h); /* fixed: `next` = x(t + h) */
  HyOdeEnd (*attempt)(HyOdeRun *r, double h, double *error); /* adaptive; error <= 1 is accepted */
} HyOdeMethod;

/* The owner reads t, x, h, end and counts; everything else belongs to the methods. */
struct HyOdeRun {
  const HyOdeMethod *method;
  HyOde ode;
  HyOdeSettings set;
  HyOdeCounts counts;
  double t, *x;
  double h;  /* adaptive: of the next step; else of the last */
  double h0; /* adaptive: what h was in the last step */

  double *dx; /* f(t, x), while `fresh` */
  bool fresh;
  double t0, *x0, *dx0; /* the beginning of the last step */
  bool fresh0;
  double *next;    /* x at the end of the step under way */
  double *past[6]; /* multistep: f (Adams) or x (BDF), the latest first */
  int known;       /* of them, a step `spacing` apart */
  double spacing;
  double *work[8];
  double *room; /* all of them */
  HyNewton newton;
  double gamma, t1, *base; /* of the implicit equation z = base + gamma f(t1, z) */
};

size_t hy_ode_room(const HyOdeMethod *method, int n); /* doubles */
void hy_ode_init(HyOdeRun *r, const HyOdeMethod *method, const HyOde *ode,
                 const HyOdeSettings *settings, double *room);
void hy_ode_start(HyOdeRun *r, double t, const double *x);

/* Back to the beginning of the last step, as if it had not been; a multistep method starts anew.
 * Once after a step. */
void hy_ode_back(HyOdeRun *r);

HyOdeEnd hy_ode_step(HyOdeRun *r, double t1);

/* As many steps as it takes to T1. */
HyOdeEnd hy_ode_advance(HyOdeRun *r, double t1);

/* Taylor coefficients of state I from t0, valid until t: as many as the method is good for (2 to
 * 4), the others 0. Needs the f of the step: before a start. */
void hy_ode_piece(HyOdeRun *r, int i, double *c);

#endif
