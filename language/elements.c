/* The elements of <circuit> as class tables: what they are called, their attributes and readings.
 * So the structure check, the plans of attributes, messages, the schema and list-blocks know them
 * as they know blocks. None of them is ever placed in a model: network.c makes branches of them. */
#include "language/network.h"

#define SIGNAL(text, words)                                                                        \
  {                                                                                                \
    .name = (text), .kind = HY_SIGNAL, .doc = (words)                                              \
  }
#define NODES(words)                                                                               \
  {                                                                                                \
    .name = "nodes", .kind = HY_TEXT, .required = TRUE, .doc = (words)                             \
  }
#define NUMBER(text, ...)                                                                          \
  {                                                                                                \
    .name = (text), .kind = HY_REAL, __VA_ARGS__                                                   \
  }
#define PALETTE .palette = "Circuit"

static const char two_nodes[] = "plus and minus, with a blank between; 0 is the reference";

static const HyPort reads[] = {
    {.name = "v", .kind = HY_SIGNAL, .unit = "V", .doc = "plus less minus"},
    {.name = "i", .kind = HY_SIGNAL, .unit = "A", .doc = "into plus"},
    {.name = NULL}};
static const HyPort reads_on[] = {
    {.name = "v", .kind = HY_SIGNAL, .unit = "V", .doc = "plus less minus"},
    {.name = "i", .kind = HY_SIGNAL, .unit = "A", .doc = "into plus"},
    {.name = "on", .kind = HY_SIGNAL, .doc = "1 while it conducts, else 0"},
    {.name = NULL}};

static const HyPort resistor_in[] = {{.name = "R",
                                      .kind = HY_SIGNAL,
                                      .unit = "Ohm",
                                      .doc = "a number above 0, or a formula of signals"},
                                     {.name = NULL}};
static const HyParam resistor_params[] = {NODES(two_nodes), {.name = NULL}};

static const HyPort capacitor_in[] = {
    {.name = "charge",
     .kind = HY_SIGNAL,
     .optional = TRUE,
     .unit = "As",
     .doc = "a formula of its own v, which it rises with; then no C"},
    {.name = NULL}};
static const HyParam capacitor_params[] = {
    NODES(two_nodes),
    NUMBER("C", .range = HY_POSITIVE, .unit = "F", .doc = "must be given, or a charge"),
    NUMBER("v0", .unit = "V", .doc = "where it starts"),
    {.name = NULL}};

static const HyPort inductor_in[] = {
    {.name = "flux",
     .kind = HY_SIGNAL,
     .optional = TRUE,
     .unit = "Vs",
     .doc = "a formula of its own i, which it rises with; then no L"},
    {.name = NULL}};
static const HyParam inductor_params[] = {
    NODES(two_nodes),
    NUMBER("L", .range = HY_POSITIVE, .unit = "H", .doc = "must be given, or a flux"),
    NUMBER("i0", .unit = "A", .doc = "where it starts"),
    {.name = NULL}};

static const HyParam coupling_params[] = {
    {.name = "inductors",
     .kind = HY_TEXT,
     .required = TRUE,
     .doc = "their names, with blanks between"},
    {.name = "k",
     .kind = HY_REALS,
     .required = TRUE,
     .doc = "for all pairs, or one for each in the order 12 13 23; the dots are at plus"},
    {.name = NULL}};

static const HyPort voltage_in[] = {
    {.name = "value", .kind = HY_SIGNAL, .unit = "V", .doc = "of plus less minus"}, {.name = NULL}};
static const HyPort current_in[] = {
    {.name = "value", .kind = HY_SIGNAL, .unit = "A", .doc = "from plus through it to minus"},
    {.name = NULL}};
static const HyParam source_params[] = {NODES(two_nodes), {.name = NULL}};

#define RON                                                                                        \
  {                                                                                                \
    .name = "Ron", .kind = HY_SIGNAL, .optional = TRUE, .unit = "Ohm",                             \
    .doc = "a number above 0, or a formula of signals; 1m if not given"                            \
  }
static const HyPort switch_in[] = {SIGNAL("control", "on while above 0.5"), RON, {.name = NULL}};
static const HyParam switch_params[] = {
    NODES(two_nodes),
    NUMBER("Roff", .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm"),
    {.name = NULL}};

static const char anode[] = "anode and cathode";
static const HyPort diode_in[] = {RON, {.name = NULL}};
static const HyParam diode_params[] = {
    NODES(anode),
    NUMBER("Roff", .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm"),
    NUMBER("Vf", .range = HY_NOT_NEGATIVE, .unit = "V", .doc = "where its line of on begins"),
    {.name = NULL}};
static const HyPort thyristor_in[] = {
    SIGNAL("gate", "turns it on while above 0.5"), RON, {.name = NULL}};

static const HyPort transistor_in[] = {SIGNAL("gate", "on while above 0.5"), RON, {.name = NULL}};
static const HyParam transistor_params[] = {
    NODES("collector and emitter, or drain and source"),
    NUMBER("Roff", .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm",
           .doc = "of the whole while nothing conducts"),
    NUMBER("Rd", .range = HY_POSITIVE, .unit = "Ohm",
           .doc = "of its diode, which conducts only while the switch is off; Ron if not given"),
    NUMBER("Vf", .range = HY_NOT_NEGATIVE, .unit = "V", .doc = "of its diode"),
    {.name = NULL}};

static const HyParam transformer_params[] = {
    NODES("plus and minus of the first winding, plus and minus of the second"),
    NUMBER("ratio", .required = TRUE, .range = HY_POSITIVE,
           .doc = "v[1] = ratio v[2], i[2] = -ratio i[1]"),
    {.name = NULL}};
static const HyPort reads_both[] = {
    {.name = "v",
     .kind = HY_SIGNAL,
     .array = TRUE,
     .unit = "V",
     .doc = "of winding 1, of winding 2"},
    {.name = "i", .kind = HY_SIGNAL, .array = TRUE, .unit = "A", .doc = "into their plus"},
    {.name = NULL}};

/* Boltzmann's constant by the charge of an electron, V/K: n T times it is the thermal voltage. */
static const HyParam exponential_params[] = {
    NODES(anode),
    NUMBER("Is", .value = 1e-12, .range = HY_POSITIVE, .unit = "A", .doc = "blocked"),
    NUMBER("n", .value = 1.0, .range = HY_POSITIVE, .doc = "emission coefficient"),
    NUMBER("T", .value = 300.15, .range = HY_POSITIVE, .unit = "K", .doc = "of the junction"),
    NUMBER("Rs", .value = 1e-3, .range = HY_POSITIVE, .unit = "Ohm", .doc = "in series"),
    NUMBER("Roff", .value = 1e6, .range = HY_POSITIVE, .unit = "Ohm", .doc = "beside both"),
    NUMBER("Cj", .range = HY_NOT_NEGATIVE, .unit = "F", .doc = "across the junction; 0: none"),
    {.name = NULL}};

static const HyAtomicClass elements[] = {
    [HY_RESISTOR] = {.name = "resistor",
                     .doc = "v = R i",
                     .example = "<resistor name=\"Ro\" nodes=\"out 0\" R=\"10\"/>",
                     .in = resistor_in,
                     .params = resistor_params,
                     .out = reads,
                     PALETTE},
    [HY_CAPACITOR] = {.name = "capacitor",
                      .doc = "i = C dv/dt, or d charge/dt",
                      .example = "<capacitor name=\"C1\" nodes=\"out 0\" C=\"100u\" v0=\"5\"/>",
                      .in = capacitor_in,
                      .params = capacitor_params,
                      .out = reads,
                      PALETTE},
    [HY_INDUCTOR] = {.name = "inductor",
                     .doc = "v = L di/dt, or d flux/dt",
                     .example = "<inductor name=\"L1\" nodes=\"x out\" L=\"100u\"/>",
                     .in = inductor_in,
                     .params = inductor_params,
                     .out = reads,
                     PALETTE},
    [HY_COUPLING] = {.name = "coupling",
                     .doc = "inductors with a common field: M = k sqrt(L1 L2)",
                     .example = "<coupling name=\"K\" inductors=\"L1 L2\" k=\"0.98\"/>",
                     .params = coupling_params,
                     PALETTE},
    [HY_VOLTAGE] = {.name = "voltage",
                    .doc = "a voltage source",
                    .example = "<voltage name=\"U\" nodes=\"in 0\" value=\"24\"/>",
                    .in = voltage_in,
                    .params = source_params,
                    .out = reads,
                    PALETTE},
    [HY_CURRENT] = {.name = "current",
                    .doc = "a current source",
                    .example = "<current name=\"I\" nodes=\"0 a\" value=\"2*sin(t)\"/>",
                    .in = current_in,
                    .params = source_params,
                    .out = reads,
                    PALETTE},
    [HY_SWITCH] = {.name = "ideal_switch",
                   .doc = "Ron while its control is above 0.5, else Roff",
                   .example = "<ideal_switch name=\"S\" nodes=\"in x\" control=\"gate\"/>",
                   .in = switch_in,
                   .params = switch_params,
                   .out = reads_on,
                   PALETTE},
    [HY_DIODE] = {.name = "ideal_diode",
                  .doc = "v = Vf (1 - Ron/Roff) + Ron i while it conducts, else v = Roff i",
                  .example = "<ideal_diode name=\"D\" nodes=\"0 x\" Vf=\"0.7\"/>",
                  .in = diode_in,
                  .params = diode_params,
                  .out = reads_on,
                  PALETTE},
    [HY_TRANSISTOR] =
        {.name = "transistor",
         .doc = "an ideal switch, and an ideal diode the other way that conducts while it is off",
         .example = "<transistor name=\"S1\" nodes=\"dc a\" gate=\"pwm\"/>",
         .in = transistor_in,
         .params = transistor_params,
         .out = reads_on,
         PALETTE},
    [HY_THYRISTOR] = {.name = "thyristor",
                      .doc =
                          "an ideal diode that begins to conduct only while its gate is above 0.5",
                      .example = "<thyristor name=\"T1\" nodes=\"a p\" gate=\"fire\"/>",
                      .in = thyristor_in,
                      .params = diode_params,
                      .out = reads_on,
                      PALETTE},
    [HY_PROBE] = {.name = "probe",
                  .doc = "names the voltage between two nodes; takes no current",
                  .example = "<probe name=\"uab\" nodes=\"a b\"/>",
                  .params = source_params,
                  .out = reads,
                  PALETTE},
    [HY_TRANSFORMER] = {.name = "transformer",
                        .doc = "an ideal transformer: v[1] = ratio v[2], i[2] = -ratio i[1]",
                        .example = "<transformer name=\"T\" nodes=\"a 0 s n\" ratio=\"4\"/>",
                        .params = transformer_params,
                        .out = reads_both,
                        PALETTE},
    [HY_EXPONENTIAL] = {.name = "exponential_diode",
                        .doc = "i = Is (exp(u/(n k T/q)) - 1) + v/Roff, v = u + Rs i",
                        .example =
                            "<exponential_diode name=\"D\" nodes=\"0 x\" Is=\"1n\" n=\"1.8\"/>",
                        .params = exponential_params,
                        .out = reads,
                        PALETTE},
};

static const HyPort node_out[] = {
    {.name = "v", .kind = HY_SIGNAL, .unit = "V", .doc = "against the reference"}, {.name = NULL}};
const HyAtomicClass hy_node_class = {.name = "node", .out = node_out};

const HyAtomicClass *const *hy_circuit_elements(void)
{
#define ELEMENT(kind, ends) &elements[HY_##kind],
  static const HyAtomicClass *const all[] = {HY_ELEMENTS(ELEMENT) NULL};
#undef ELEMENT
  return all;
}

HyElementKind hy_element_kind(const HyAtomicClass *klass)
{
  return (HyElementKind)(klass - elements);
}

guint hy_element_ends(HyElementKind kind)
{
#define ELEMENT(kind, ends) ends,
  static const guint8 all[] = {HY_ELEMENTS(ELEMENT)};
#undef ELEMENT
  return all[kind];
}
