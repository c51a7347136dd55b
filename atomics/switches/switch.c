/* Switch: one of two signals, chosen by the level of a third. */
#include "atomics.h"
#include "static_class.h"

enum { CONTROL, ON, OFF };

typedef struct {
  HyStatic base;
  double level;
} Switch;

static gboolean switch_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Switch *s = state;
  HyX z = hy_x_op(b, HY_X_SUB, in[CONTROL], hy_x_const(b, s->level));
  out[0] = hy_x_select(b, hy_x_crossing(b, z, HY_CROSS_BOTH), in[ON], in[OFF]);
  return TRUE;
}

static const HyPort switch_in[] = {{.name = "control", .kind = HY_SIGNAL},
                                   {.name = "on", .kind = HY_SIGNAL},
                                   {.name = "off", .kind = HY_SIGNAL},
                                   {.name = NULL}};
static const HyPort switch_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam switch_params[] = {HY_PARAM(Switch, level, .value = 0.5), {.name = NULL}};
const HyAtomicClass hy_switch_class = {
    .name = "switch",
    .doc = "on while control is above level, else off",
    .palette = "Hybrid",
    .example = "<switch name=\"Rs\" control=\"gate\" on=\"Ron\" off=\"Roff\" level=\"0.5\"/>",
    .in = switch_in,
    .out = switch_out,
    .params = switch_params,
    .describe = switch_describe,
    HY_STATIC_CLASS(Switch),
};
