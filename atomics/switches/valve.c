/* Valve: what a switch, diode or thyristor of a circuit is to its equations. Whether it is on is a
 * mode, a memory; its resistance and conductance follow from that. Only the loader places it, for
 * the elements of <circuit>.
 *
 *   switch      on while gate > 0.5
 *   diode       on while i > knee, where its lines of on and off meet
 *   thyristor   off as a diode; on when i > knee and gate > 0.5
 *
 * A transistor is a switch and a diode, its body, with one gate: while that is up, the channel
 * takes all, and the body is off. */
#include "atomics.h"
#include "expr/builder.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double ron, roff, knee;
  const char *kind;
} Valve;

static HyX valve_mode(const Valve *s, HyXBuilder *b, const HyX *in)
{
  HyX open =
      hy_x_crossing(b, hy_x_op(b, HY_X_SUB, in[HY_VALVE_GATE], hy_x_const(b, 0.5)), HY_CROSS_BOTH);
  HyX forward = hy_x_op(b, HY_X_SUB, in[HY_VALVE_CURRENT], hy_x_const(b, s->knee));
  switch (s->kind[0]) {
  case 's':
    return open;
  case 'd':
    return hy_x_crossing(b, forward, HY_CROSS_BOTH);
  default:
    return hy_x_latch(b, hy_x_select(b, open, forward, hy_x_const(b, -1.0)), forward);
  }
}

/* The mode of a valve, its resistance and its conductance, into OUT[3]. */
static void valve_says(HyXBuilder *b, HyX mode, double ron, double roff, HyX *out)
{
  out[HY_VALVE_ON] = hy_x_select(b, mode, hy_x_const(b, 1.0), hy_x_const(b, 0.0));
  out[HY_VALVE_R] = hy_x_select(b, mode, hy_x_const(b, ron), hy_x_const(b, roff));
  out[HY_VALVE_G] = hy_x_select(b, mode, hy_x_const(b, 1.0 / ron), hy_x_const(b, 1.0 / roff));
}

static gboolean valve_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Valve *s = state;
  HyX mode = valve_mode(s, b, in);
  valve_says(b, mode, s->ron, s->roff, out);
  return TRUE;
}

static const HyPort valve_in[] = {{.name = "i", .kind = HY_SIGNAL, .unit = "A"},
                                  {.name = "gate", .kind = HY_SIGNAL},
                                  {.name = NULL}};
static const HyPort valve_out[] = {{.name = "on", .kind = HY_SIGNAL},
                                   {.name = "R", .kind = HY_SIGNAL, .unit = "Ohm"},
                                   {.name = "G", .kind = HY_SIGNAL, .unit = "1/Ohm"},
                                   {.name = NULL}};
static const HyParam valve_params[] = {
    HY_PARAM(Valve, ron, .value = 1e-3, .range = HY_POSITIVE, .unit = "Ohm"),
    HY_PARAM(Valve, roff, .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm"),
    HY_PARAM(Valve, knee, .value = 0, .unit = "A"),
    HY_PARAM(Valve, kind, .text = "switch", .choices = "switch diode thyristor"),
    {.name = NULL}};
const HyAtomicClass hy_valve_class = {
    .name = "valve",
    .doc = "the state, resistance and conductance of a switch, diode or thyristor of a circuit",
    .palette = "Circuit",
    .in = valve_in,
    .out = valve_out,
    .params = valve_params,
    .describe = valve_describe,
    HY_STATIC_CLASS(Valve),
};

/* Transistor ----------------------------------------------------------------------------------- */

typedef struct {
  HyStatic base;
  double ron, rd, roff, knee; /* of channel and body, each by itself */
} Transistor;

/* While the gate is up the body has nothing to decide. */
static gboolean transistor_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                    HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Transistor *s = state;
  HyX open =
      hy_x_crossing(b, hy_x_op(b, HY_X_SUB, in[HY_VALVE_GATE], hy_x_const(b, 0.5)), HY_CROSS_BOTH);
  HyX forward = hy_x_op(b, HY_X_SUB, in[HY_VALVE_CURRENT], hy_x_const(b, s->knee));
  HyX body = hy_x_crossing(b, hy_x_select(b, open, hy_x_const(b, -1.0), forward), HY_CROSS_BOTH);
  valve_says(b, open, s->ron, s->roff, out);
  valve_says(b, body, s->rd, s->roff, out + HY_VALVE_BODY);
  return TRUE;
}

static const HyPort transistor_out[] = {{.name = "on", .kind = HY_SIGNAL},
                                        {.name = "R", .kind = HY_SIGNAL, .unit = "Ohm"},
                                        {.name = "G", .kind = HY_SIGNAL, .unit = "1/Ohm"},
                                        {.name = "don", .kind = HY_SIGNAL},
                                        {.name = "dR", .kind = HY_SIGNAL, .unit = "Ohm"},
                                        {.name = "dG", .kind = HY_SIGNAL, .unit = "1/Ohm"},
                                        {.name = NULL}};
static const HyParam transistor_params[] = {
    HY_PARAM(Transistor, ron, .value = 1e-3, .range = HY_POSITIVE, .unit = "Ohm"),
    HY_PARAM(Transistor, rd, .value = 1e-3, .range = HY_POSITIVE, .unit = "Ohm"),
    HY_PARAM(Transistor, roff, .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm"),
    HY_PARAM(Transistor, knee, .value = 0, .unit = "A"),
    {.name = NULL}};
const HyAtomicClass hy_transistor_class = {
    .name = "transistor",
    .doc = "the states, resistances and conductances of a transistor of a circuit and of its diode",
    .palette = "Circuit",
    .in = valve_in,
    .out = transistor_out,
    .params = transistor_params,
    .describe = transistor_describe,
    HY_STATIC_CLASS(Transistor),
};
