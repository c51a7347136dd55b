/* Integrator: out follows the integral of in, quantized. */
#include "atomics.h"
#include "continuous/quantized.h"

static gboolean integrator_init(void *state, double t, const HySetup *setup, GError **error)
{
  return hy_quantized_init(state, t, setup, error);
}

static void integrator_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  hy_quantized_input(state, t, &x->value);
}

static const HyPort integrator_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "the derivative"},
    {.name = NULL},
};
static const HyPort integrator_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the state, quantized"},
    {.name = NULL},
};
const HyAtomicClass hy_integrator_class = {
    .name = "integrator",
    .doc = "out' = in, out(t0) = x0; the method is that of the nearest element that states one",
    .palette = "Continuous",
    .example = "<integrator name=\"x\" in=\"-2*x\" x0=\"1\"/>",
    .in = integrator_in,
    .out = integrator_out,
    .params = hy_quantized_params,
    .state_size = sizeof(HyQuantized),
    .init = integrator_init,
    .next = hy_quantized_next,
    .lambda = hy_quantized_lambda,
    .dint = hy_quantized_dint,
    .dext = integrator_dext,
    .tape = hy_quantized_tape,
    .print = hy_quantized_print,
    .value = hy_quantized_value,
    .held = hy_quantized_held,
    .order = hy_quantized_order,
    .fault = hy_quantized_fault,
};
