/* What integrator and reset_integrator share: which DEVS event calls the quantizer. The arithmetic
 * is in numerics/quantizer.h. */
#ifndef HYDEVS_ATOMICS_CONTINUOUS_QUANTIZED_H
#define HYDEVS_ATOMICS_CONTINUOUS_QUANTIZED_H

#include "equations/room.h"
#include "hydevs/atomic.h"
#include "input.h"
#include "numerics/quantizer.h"

/* The first member of a state. */
typedef struct {
  double x0;
  const char *method;
  double dqrel, dqmin;
  HyGroupSettings set; /* reltol, abstol: below 0 as dqrel, dqmin; hstep: 0 is none */
  HyQState v;
  HyRoom *room; /* NULL: nobody knows the equations */
  HyMember member;
  guint64 *steps; /* counted there; NULL: by nobody */
  HySignal in;
  HyFault fault;
} HyQuantized;

extern const HyParam hy_quantized_params[];

gboolean hy_quantized_init(HyQuantized *s, double t, const HySetup *setup, GError **error);
void hy_quantized_input(HyQuantized *s, double t, const HyValue *dx);
void hy_quantized_reset(HyQuantized *s, double t, double x0);

/* As callbacks of a class. */
double hy_quantized_next(const void *state);
HyEvent hy_quantized_lambda(const void *state, double t);
void hy_quantized_dint(void *state, double t);
double hy_quantized_value(const void *state, double t);
void hy_quantized_tape(void *state, HyTape *tape);
gboolean hy_quantized_held(const void *state, HyHeld *held);
void hy_quantized_print(const void *state, GString *out);
guint hy_quantized_order(const void *state);
char *hy_quantized_fault(const void *state);

#endif
