/* Junction: the voltage v of an exponential diode's junction in its circuit, which offers it the
 * current i less g v. Only the loader places it, for <exponential_diode>.
 *
 *   Is (exp(v/Vt) - 1) = i - g v
 *
 * With c = log(Is/(g Vt)) the y = v/Vt + c has y + e^y = c + (i + Is)/(g Vt), so v is a function:
 * no iteration, however far it is blocked (y = x) or conducts (y = log x). */
#include "atomics.h"
#include "expr/builder.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double saturation, thermal;
} Junction;

static gboolean junction_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                  HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Junction *s = state;
  HyX is = hy_x_const(b, s->saturation), vt = hy_x_const(b, s->thermal);
  HyX gv = hy_x_op(b, HY_X_MUL, in[HY_JUNCTION_CONDUCTANCE], vt);
  HyX ratio = hy_x_op(b, HY_X_DIV, is, gv), c = hy_x_op(b, HY_X_LOG, ratio, ratio);
  HyX fed = hy_x_op(b, HY_X_DIV, hy_x_op(b, HY_X_ADD, in[HY_JUNCTION_CURRENT], is), gv);
  HyX x = hy_x_op(b, HY_X_ADD, c, fed), y = hy_x_op(b, HY_X_WLOG, x, x);
  out[0] = hy_x_op(b, HY_X_MUL, vt, hy_x_op(b, HY_X_SUB, y, c));
  return TRUE;
}

static const HyPort junction_in[] = {{.name = "i", .kind = HY_SIGNAL, .unit = "A"},
                                     {.name = "g", .kind = HY_SIGNAL, .unit = "1/Ohm"},
                                     {.name = NULL}};
static const HyPort junction_out[] = {{.name = "v", .kind = HY_SIGNAL, .unit = "V"},
                                      {.name = NULL}};
static const HyParam junction_params[] = {
    HY_PARAM(Junction, saturation, .value = 1e-12, .range = HY_POSITIVE, .unit = "A"),
    HY_PARAM(Junction, thermal, .value = 0.0259, .range = HY_POSITIVE, .unit = "V"),
    HY_STATIC_TOLERANCES(Junction, base.),
    {.name = NULL}};
const HyAtomicClass hy_junction_class = {
    .name = "junction",
    .doc = "the voltage of the junction of an exponential diode of a circuit",
    .palette = "Circuit",
    .in = junction_in,
    .out = junction_out,
    .params = junction_params,
    .describe = junction_describe,
    HY_STATIC_CLASS(Junction),
};
