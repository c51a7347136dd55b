/* Diode: a resistance that follows the sign of its own current. The mode is a memory, so this is no
 * algebraic loop. */
#include "atomics.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double ron, roff;
} Diode;

static gboolean diode_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Diode *s = state;
  HyX ron = hy_x_const(b, s->ron), roff = hy_x_const(b, s->roff);
  out[0] = hy_x_select(b, hy_x_crossing(b, in[0], HY_CROSS_BOTH), ron, roff);
  return TRUE;
}

static const HyPort diode_in[] = {
    {.name = "i", .kind = HY_SIGNAL, .unit = "A", .doc = "the current"}, {.name = NULL}};
static const HyPort diode_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .unit = "Ohm", .doc = "the resistance"}, {.name = NULL}};
static const HyParam diode_params[] = {
    HY_PARAM(Diode, ron, .value = 1e-05, .range = HY_NOT_NEGATIVE, .unit = "Ohm"),
    HY_PARAM(Diode, roff, .value = 100000.0, .range = HY_NOT_NEGATIVE, .unit = "Ohm"),
    {.name = NULL}};
const HyAtomicClass hy_diode_class = {
    .name = "diode",
    .doc = "the resistance of an ideal diode with current i: ron while i > 0, else roff",
    .palette = "Hybrid",
    .example = "<diode name=\"Rd\" i=\"iD\" ron=\"10u\" roff=\"100k\"/>",
    .in = diode_in,
    .out = diode_out,
    .params = diode_params,
    .describe = diode_describe,
    HY_STATIC_CLASS(Diode),
};
