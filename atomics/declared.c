/* Blocks of the language that nothing implements yet: their ports and parameters, so that models
 * load, check and draw. hy_sim_new() refuses to run them. An entry goes when its own file under
 * atomics/ comes. */
#include "atomics/atomics.h"

/* Parameters have a place of their own, as in a real state. */
#define SLOT(k) ((gsize)16 * (k))

static const HyPort one_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};

/* integrator */
static const HyPort integrator_in[] = {{.name = "in", .kind = HY_SIGNAL, .doc = "the derivative"},
                                       {.name = NULL}};
static const HyPort integrator_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the state, quantized"}, {.name = NULL}};
static const HyParam integrator_params[] = {
    {.name = "x0", .kind = HY_REAL, .offset = SLOT(0), .doc = "the state at the start"},
    {.name = NULL}};
static const HyAtomicClass integrator_class = {
    .name = "integrator",
    .doc = "out' = in, out(t0) = x0; the method is that of the nearest element that states one",
    .palette = "Continuous",
    .example = "<integrator name=\"x\" in=\"-2*x\" x0=\"1\"/>",
    .in = integrator_in,
    .out = integrator_out,
    .params = integrator_params,
    .state_size = SLOT(1)};

/* reset_integrator */
static const HyPort reset_integrator_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "the derivative"},
    {.name = "reset", .kind = HY_EVENT, .doc = "an event: jump"},
    {.name = "value", .kind = HY_SIGNAL, .doc = "where to"},
    {.name = NULL}};
static const HyPort reset_integrator_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .doc = "the state, quantized"}, {.name = NULL}};
static const HyParam reset_integrator_params[] = {
    {.name = "x0", .kind = HY_REAL, .offset = SLOT(0), .doc = "the state at the start"},
    {.name = NULL}};
static const HyAtomicClass reset_integrator_class = {
    .name = "reset_integrator",
    .doc = "an integrator whose state jumps to value when an event comes in at reset",
    .palette = "Continuous",
    .example = "<reset_integrator name=\"v\" in=\"-g\" reset=\"hit\" value=\"-0.8*v\"/>",
    .in = reset_integrator_in,
    .out = reset_integrator_out,
    .params = reset_integrator_params,
    .state_size = SLOT(1)};

/* function */
static const HyPort function_in[] = {{.name = "in",
                                      .kind = HY_SIGNAL,
                                      .array = TRUE,
                                      .optional = TRUE,
                                      .doc = "what the formula reads, in the order of its names"},
                                     {.name = NULL}};
static const HyParam function_params[] = {{.name = "formula",
                                           .kind = HY_TEXT,
                                           .offset = SLOT(0),
                                           .required = TRUE,
                                           .doc = "its inputs are in[1], in[2], ..."},
                                          {.name = NULL}};
static const HyAtomicClass function_class = {
    .name = "function",
    .doc = "out = formula over parameters, ports and blocks in scope; further attributes are named "
           "inputs",
    .palette = "Functions",
    .example = "<function name=\"p\" formula=\"u*i\" u=\"bus.v\"/>",
    .in = function_in,
    .out = one_out,
    .params = function_params,
    .state_size = SLOT(1)};

/* sum */
static const HyPort sum_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .array = TRUE, .doc = "the summands"}, {.name = NULL}};
static const HyParam sum_params[] = {{.name = "k",
                                      .kind = HY_REALS,
                                      .offset = SLOT(0),
                                      .doc = "a factor for each; all 1 if not given"},
                                     {.name = NULL}};
static const HyAtomicClass sum_class = {.name = "sum",
                                        .doc = "k[1] in[1] + k[2] in[2] + ...",
                                        .palette = "Functions",
                                        .example = "<sum name=\"e\" in=\"ref, y\" k=\"1, -1\"/>",
                                        .in = sum_in,
                                        .out = one_out,
                                        .params = sum_params,
                                        .state_size = SLOT(1)};

/* gain */
static const HyPort gain_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam gain_params[] = {
    {.name = "k", .kind = HY_REAL, .offset = SLOT(0), .value = 1, .doc = "the factor"},
    {.name = NULL}};
static const HyAtomicClass gain_class = {.name = "gain",
                                         .doc = "k in",
                                         .palette = "Functions",
                                         .example = "<gain name=\"g\" in=\"x\" k=\"-2\"/>",
                                         .in = gain_in,
                                         .out = one_out,
                                         .params = gain_params,
                                         .state_size = SLOT(1)};

/* product */
static const HyPort product_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .array = TRUE, .doc = "the factors"}, {.name = NULL}};
static const HyAtomicClass product_class = {.name = "product",
                                            .doc = "in[1] in[2] ...",
                                            .palette = "Functions",
                                            .example = "<product name=\"p\" in=\"u, i\"/>",
                                            .in = product_in,
                                            .out = one_out,
                                            .state_size = SLOT(1)};

/* division */
static const HyPort division_in[] = {
    {.name = "in", .kind = HY_SIGNAL}, {.name = "by", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyAtomicClass division_class = {.name = "division",
                                             .doc = "in / by",
                                             .palette = "Functions",
                                             .example = "<division name=\"r\" in=\"u\" by=\"i\"/>",
                                             .in = division_in,
                                             .out = one_out,
                                             .state_size = SLOT(1)};

/* power */
static const HyPort power_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam power_params[] = {
    {.name = "n", .kind = HY_REAL, .offset = SLOT(0), .value = 2, .doc = "the exponent"},
    {.name = NULL}};
static const HyAtomicClass power_class = {.name = "power",
                                          .doc = "in ^ n",
                                          .palette = "Functions",
                                          .example = "<power name=\"p\" in=\"x\" n=\"2\"/>",
                                          .in = power_in,
                                          .out = one_out,
                                          .params = power_params,
                                          .state_size = SLOT(1)};

/* lookup */
static const HyPort lookup_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam lookup_params[] = {
    {.name = "x", .kind = HY_REALS, .offset = SLOT(0), .text = "0, 1", .doc = "increasing"},
    {.name = "y", .kind = HY_REALS, .offset = SLOT(1), .text = "0, 1", .doc = "as many as x"},
    {.name = NULL}};
static const HyAtomicClass lookup_class = {
    .name = "lookup",
    .doc = "a piecewise linear table y(x)",
    .palette = "Functions",
    .example = "<lookup name=\"eta\" in=\"i\" x=\"0, 1, 2\" y=\"0, 0.8, 0.9\"/>",
    .in = lookup_in,
    .out = one_out,
    .params = lookup_params,
    .state_size = SLOT(2)};

/* constant */
static const HyParam constant_params[] = {
    {.name = "value", .kind = HY_REAL, .offset = SLOT(0), .required = TRUE}, {.name = NULL}};
static const HyAtomicClass constant_class = {.name = "constant",
                                             .doc = "value, once, at the start",
                                             .palette = "Functions",
                                             .example = "<constant name=\"one\" value=\"1\"/>",
                                             .out = one_out,
                                             .params = constant_params,
                                             .state_size = SLOT(1)};

/* variable_delay */
static const HyPort variable_delay_in[] = {{.name = "in", .kind = HY_SIGNAL},
                                           {.name = "time", .kind = HY_SIGNAL, .unit = "s"},
                                           {.name = NULL}};
static const HyParam variable_delay_params[] = {{.name = "initial",
                                                 .kind = HY_REAL,
                                                 .offset = SLOT(0),
                                                 .doc = "before anything has come through"},
                                                {.name = "maximum",
                                                 .kind = HY_REAL,
                                                 .offset = SLOT(1),
                                                 .value = 1,
                                                 .range = HY_POSITIVE,
                                                 .unit = "s",
                                                 .doc = "of time: how far back is kept"},
                                                {.name = NULL}};
static const HyAtomicClass variable_delay_class = {
    .name = "variable_delay",
    .doc = "in(t - time(t))",
    .palette = "Functions",
    .example = "<variable_delay name=\"d\" in=\"x\" time=\"0.1 + 0.05*y\"/>",
    .in = variable_delay_in,
    .out = one_out,
    .params = variable_delay_params,
    .state_size = SLOT(2)};

/* step */
static const HyParam step_params[] = {
    {.name = "from", .kind = HY_REAL, .offset = SLOT(0), .doc = "before"},
    {.name = "to", .kind = HY_REAL, .offset = SLOT(1), .value = 1, .doc = "after"},
    {.name = "at", .kind = HY_REAL, .offset = SLOT(2), .unit = "s", .doc = "when"},
    {.name = NULL}};
static const HyAtomicClass step_class = {.name = "step",
                                         .doc = "from, then to at t = at",
                                         .palette = "Sources",
                                         .example =
                                             "<step name=\"load\" from=\"1\" to=\"2\" at=\"0.5\"/>",
                                         .out = one_out,
                                         .params = step_params,
                                         .state_size = SLOT(3)};

/* pulse */
static const HyParam pulse_params[] = {
    {.name = "low", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(2), .unit = "s"},
    {.name = "end", .kind = HY_REAL, .offset = SLOT(3), .value = 1, .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass pulse_class = {.name = "pulse",
                                          .doc = "high from start to end, else low",
                                          .palette = "Sources",
                                          .example = "<pulse name=\"kick\" start=\"1\" end=\"2\"/>",
                                          .out = one_out,
                                          .params = pulse_params,
                                          .state_size = SLOT(4)};

/* ramp */
static const HyParam ramp_params[] = {
    {.name = "start", .kind = HY_REAL, .offset = SLOT(0), .unit = "s"},
    {.name = "duration",
     .kind = HY_REAL,
     .offset = SLOT(1),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "s"},
    {.name = "height", .kind = HY_REAL, .offset = SLOT(2), .value = 1},
    {.name = "offset", .kind = HY_REAL, .offset = SLOT(3), .doc = "the value before"},
    {.name = NULL}};
static const HyAtomicClass ramp_class = {
    .name = "ramp",
    .doc = "rises by height within duration",
    .palette = "Sources",
    .example = "<ramp name=\"ref\" start=\"1\" duration=\"2\" height=\"5\"/>",
    .out = one_out,
    .params = ramp_params,
    .state_size = SLOT(4)};

/* sine */
static const HyParam sine_params[] = {
    {.name = "amplitude", .kind = HY_REAL, .offset = SLOT(0), .value = 1},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = SLOT(1),
     .value = 1,
     .range = HY_NOT_NEGATIVE,
     .unit = "Hz"},
    {.name = "phase", .kind = HY_REAL, .offset = SLOT(2), .unit = "rad"},
    {.name = "offset", .kind = HY_REAL, .offset = SLOT(3)},
    {.name = NULL}};
static const HyAtomicClass sine_class = {
    .name = "sine",
    .doc = "amplitude sin(2 pi frequency t + phase) + offset",
    .palette = "Sources",
    .example = "<sine name=\"grid\" amplitude=\"325\" frequency=\"50\"/>",
    .out = one_out,
    .params = sine_params,
    .state_size = SLOT(4)};

/* three_phase */
static const HyPort three_phase_out[] = {
    {.name = "a", .kind = HY_SIGNAL},
    {.name = "b", .kind = HY_SIGNAL, .doc = "120 degrees behind a"},
    {.name = "c", .kind = HY_SIGNAL, .doc = "240 degrees behind a"},
    {.name = NULL}};
static const HyParam three_phase_params[] = {
    {.name = "amplitude", .kind = HY_REAL, .offset = SLOT(0), .value = 1},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = SLOT(1),
     .value = 50,
     .range = HY_NOT_NEGATIVE,
     .unit = "Hz"},
    {.name = "phase", .kind = HY_REAL, .offset = SLOT(2), .unit = "rad"},
    {.name = NULL}};
static const HyAtomicClass three_phase_class = {
    .name = "three_phase",
    .doc = "three sines, 120 degrees apart",
    .palette = "Sources",
    .example = "<three_phase name=\"grid\" amplitude=\"325\" frequency=\"50\"/>",
    .out = three_phase_out,
    .params = three_phase_params,
    .state_size = SLOT(3)};

/* square */
static const HyParam square_params[] = {
    {.name = "low", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = SLOT(2),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz"},
    {.name = "duty",
     .kind = HY_REAL,
     .offset = SLOT(3),
     .value = 0.5,
     .range = HY_UNIT_INTERVAL,
     .doc = "the part of a period that is high"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(4), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass square_class = {
    .name = "square",
    .doc = "high for duty/frequency, then low; edges at start + k/frequency",
    .palette = "Sources",
    .example = "<square name=\"clock\" frequency=\"1k\"/>",
    .out = one_out,
    .params = square_params,
    .state_size = SLOT(5)};

/* sawtooth */
static const HyParam sawtooth_params[] = {
    {.name = "low", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = SLOT(2),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(3), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass sawtooth_class = {.name = "sawtooth",
                                             .doc = "rises from low to high in every period",
                                             .palette = "Sources",
                                             .example =
                                                 "<sawtooth name=\"carrier\" frequency=\"10k\"/>",
                                             .out = one_out,
                                             .params = sawtooth_params,
                                             .state_size = SLOT(4)};

/* triangle */
static const HyParam triangle_params[] = {
    {.name = "low", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = "frequency",
     .kind = HY_REAL,
     .offset = SLOT(2),
     .value = 1,
     .range = HY_POSITIVE,
     .unit = "Hz"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(3), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass triangle_class = {.name = "triangle",
                                             .doc = "up and down between low and high",
                                             .palette = "Sources",
                                             .example =
                                                 "<triangle name=\"carrier\" frequency=\"10k\"/>",
                                             .out = one_out,
                                             .params = triangle_params,
                                             .state_size = SLOT(4)};

/* trapezoid */
static const HyParam trapezoid_params[] = {
    {.name = "low", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = "up",
     .kind = HY_REAL,
     .offset = SLOT(2),
     .value = 1,
     .range = HY_NOT_NEGATIVE,
     .unit = "s",
     .doc = "time at high"},
    {.name = "down",
     .kind = HY_REAL,
     .offset = SLOT(3),
     .value = 1,
     .range = HY_NOT_NEGATIVE,
     .unit = "s",
     .doc = "time at low"},
    {.name = "rise",
     .kind = HY_REAL,
     .offset = SLOT(4),
     .value = 0.1,
     .range = HY_NOT_NEGATIVE,
     .unit = "s"},
    {.name = "fall",
     .kind = HY_REAL,
     .offset = SLOT(5),
     .value = 0.1,
     .range = HY_NOT_NEGATIVE,
     .unit = "s"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(6), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass trapezoid_class = {
    .name = "trapezoid",
    .doc = "rises, stays high, falls, stays low, again and again",
    .palette = "Sources",
    .example = "<trapezoid name=\"ref\" rise=\"0.1\" up=\"1\" fall=\"0.1\" down=\"1\"/>",
    .out = one_out,
    .params = trapezoid_params,
    .state_size = SLOT(7)};

/* pwm */
static const HyPort pwm_in[] = {{.name = "duty", .kind = HY_SIGNAL, .doc = "0 .. 1"},
                                {.name = NULL}};
static const HyParam pwm_params[] = {
    {.name = "period",
     .kind = HY_REAL,
     .offset = SLOT(0),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s",
     .doc = "the switching period"},
    {.name = "phase", .kind = HY_REAL, .offset = SLOT(1), .unit = "s"},
    {.name = "carrier",
     .kind = HY_TEXT,
     .offset = SLOT(2),
     .text = "sawtooth",
     .choices = "sawtooth triangle"},
    {.name = NULL}};
static const HyAtomicClass pwm_class = {
    .name = "pwm",
    .doc = "1 while the carrier is below duty, else 0; edges at phase + k period",
    .palette = "Sources",
    .example = "<pwm name=\"gate\" period=\"100u\" duty=\"0.35\"/>",
    .in = pwm_in,
    .out = one_out,
    .params = pwm_params,
    .state_size = SLOT(3)};

/* file_source */
static const HyParam file_source_params[] = {
    {.name = "path", .kind = HY_TEXT, .offset = SLOT(0), .required = TRUE, .doc = "the CSV file"},
    {.name = "column",
     .kind = HY_TEXT,
     .offset = SLOT(1),
     .doc = "its heading; the second column if not given"},
    {.name = "interpolation",
     .kind = HY_TEXT,
     .offset = SLOT(2),
     .text = "linear",
     .choices = "linear hold"},
    {.name = NULL}};
static const HyAtomicClass file_source_class = {
    .name = "file_source",
    .doc = "a column of a CSV file over its time column",
    .palette = "Sources",
    .example = "<file_source name=\"wind\" path=\"wind.csv\" column=\"speed\"/>",
    .out = one_out,
    .params = file_source_params,
    .state_size = SLOT(3)};

/* switch */
static const HyPort switch_in[] = {{.name = "control", .kind = HY_SIGNAL},
                                   {.name = "on", .kind = HY_SIGNAL},
                                   {.name = "off", .kind = HY_SIGNAL},
                                   {.name = NULL}};
static const HyParam switch_params[] = {
    {.name = "level", .kind = HY_REAL, .offset = SLOT(0), .value = 0.5}, {.name = NULL}};
static const HyAtomicClass switch_class = {
    .name = "switch",
    .doc = "on while control is above level, else off",
    .palette = "Hybrid",
    .example = "<switch name=\"Rs\" control=\"gate\" on=\"Ron\" off=\"Roff\" level=\"0.5\"/>",
    .in = switch_in,
    .out = one_out,
    .params = switch_params,
    .state_size = SLOT(1)};

/* diode */
static const HyPort diode_in[] = {
    {.name = "i", .kind = HY_SIGNAL, .unit = "A", .doc = "the current"}, {.name = NULL}};
static const HyPort diode_out[] = {
    {.name = "out", .kind = HY_SIGNAL, .unit = "Ohm", .doc = "the resistance"}, {.name = NULL}};
static const HyParam diode_params[] = {{.name = "ron",
                                        .kind = HY_REAL,
                                        .offset = SLOT(0),
                                        .value = 1e-05,
                                        .range = HY_NOT_NEGATIVE,
                                        .unit = "Ohm"},
                                       {.name = "roff",
                                        .kind = HY_REAL,
                                        .offset = SLOT(1),
                                        .value = 100000.0,
                                        .range = HY_NOT_NEGATIVE,
                                        .unit = "Ohm"},
                                       {.name = NULL}};
static const HyAtomicClass diode_class = {
    .name = "diode",
    .doc = "the resistance of an ideal diode with current i: ron while i > 0, else roff",
    .palette = "Hybrid",
    .example = "<diode name=\"Rd\" i=\"iD\" ron=\"10u\" roff=\"100k\"/>",
    .in = diode_in,
    .out = diode_out,
    .params = diode_params,
    .state_size = SLOT(2)};

/* comparator */
static const HyPort comparator_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam comparator_params[] = {
    {.name = "level", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "low", .kind = HY_REAL, .offset = SLOT(1)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(2), .value = 1},
    {.name = NULL}};
static const HyAtomicClass comparator_class = {
    .name = "comparator",
    .doc = "high while in is above level, else low",
    .palette = "Hybrid",
    .example = "<comparator name=\"on\" in=\"u\" level=\"0.5\"/>",
    .in = comparator_in,
    .out = one_out,
    .params = comparator_params,
    .state_size = SLOT(3)};

/* hysteresis */
static const HyPort hysteresis_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam hysteresis_params[] = {
    {.name = "lower", .kind = HY_REAL, .offset = SLOT(0), .value = -0.5},
    {.name = "upper", .kind = HY_REAL, .offset = SLOT(1), .value = 0.5},
    {.name = "low", .kind = HY_REAL, .offset = SLOT(2)},
    {.name = "high", .kind = HY_REAL, .offset = SLOT(3), .value = 1},
    {.name = NULL}};
static const HyAtomicClass hysteresis_class = {
    .name = "hysteresis",
    .doc = "high from upper until in falls below lower",
    .palette = "Hybrid",
    .example =
        "<hysteresis name=\"heat\" in=\"T\" lower=\"19\" upper=\"21\" low=\"1\" high=\"0\"/>",
    .in = hysteresis_in,
    .out = one_out,
    .params = hysteresis_params,
    .state_size = SLOT(4)};

/* crossing */
static const HyPort crossing_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort crossing_out[] = {{.name = "out", .kind = HY_EVENT, .doc = "the value of in"},
                                      {.name = NULL}};
static const HyParam crossing_params[] = {{.name = "level", .kind = HY_REAL, .offset = SLOT(0)},
                                          {.name = "direction",
                                           .kind = HY_TEXT,
                                           .offset = SLOT(1),
                                           .text = "both",
                                           .choices = "up down both"},
                                          {.name = NULL}};
static const HyAtomicClass crossing_class = {
    .name = "crossing",
    .doc = "an event when in passes level",
    .palette = "Hybrid",
    .example = "<crossing name=\"hit\" in=\"x\" level=\"0\" direction=\"down\"/>",
    .in = crossing_in,
    .out = crossing_out,
    .params = crossing_params,
    .state_size = SLOT(2)};

/* saturation */
static const HyPort saturation_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam saturation_params[] = {
    {.name = "lower", .kind = HY_REAL, .offset = SLOT(0), .value = -1},
    {.name = "upper", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = NULL}};
static const HyAtomicClass saturation_class = {
    .name = "saturation",
    .doc = "in, limited to lower .. upper",
    .palette = "Hybrid",
    .example = "<saturation name=\"u\" in=\"v\" lower=\"-1\" upper=\"1\"/>",
    .in = saturation_in,
    .out = one_out,
    .params = saturation_params,
    .state_size = SLOT(2)};

/* dead_band */
static const HyPort dead_band_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam dead_band_params[] = {
    {.name = "lower", .kind = HY_REAL, .offset = SLOT(0), .value = -1},
    {.name = "upper", .kind = HY_REAL, .offset = SLOT(1), .value = 1},
    {.name = NULL}};
static const HyAtomicClass dead_band_class = {
    .name = "dead_band",
    .doc = "0 between lower and upper, in less the nearer of them outside",
    .palette = "Hybrid",
    .example = "<dead_band name=\"e\" in=\"d\" lower=\"-0.1\" upper=\"0.1\"/>",
    .in = dead_band_in,
    .out = one_out,
    .params = dead_band_params,
    .state_size = SLOT(2)};

/* rate_limiter */
static const HyPort rate_limiter_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam rate_limiter_params[] = {{.name = "falling",
                                               .kind = HY_REAL,
                                               .offset = SLOT(0),
                                               .value = -1,
                                               .doc = "the steepest slope down"},
                                              {.name = "rising",
                                               .kind = HY_REAL,
                                               .offset = SLOT(1),
                                               .value = 1,
                                               .doc = "the steepest slope up"},
                                              {.name = NULL}};
static const HyAtomicClass rate_limiter_class = {
    .name = "rate_limiter",
    .doc = "in, with its slope limited",
    .palette = "Hybrid",
    .example = "<rate_limiter name=\"r\" in=\"ref\" falling=\"-2\" rising=\"2\"/>",
    .in = rate_limiter_in,
    .out = one_out,
    .params = rate_limiter_params,
    .state_size = SLOT(2)};

/* quantizer */
static const HyPort quantizer_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam quantizer_params[] = {
    {.name = "dq",
     .kind = HY_REAL,
     .offset = SLOT(0),
     .value = 1,
     .range = HY_POSITIVE,
     .doc = "of a step"},
    {.name = "hysteresis", .kind = HY_REAL, .offset = SLOT(1), .range = HY_NOT_NEGATIVE},
    {.name = NULL}};
static const HyAtomicClass quantizer_class = {.name = "quantizer",
                                              .doc = "in, in steps of width dq",
                                              .palette = "Hybrid",
                                              .example =
                                                  "<quantizer name=\"adc\" in=\"u\" dq=\"10m\"/>",
                                              .in = quantizer_in,
                                              .out = one_out,
                                              .params = quantizer_params,
                                              .state_size = SLOT(2)};

/* sample_hold */
static const HyPort sample_hold_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam sample_hold_params[] = {
    {.name = "period",
     .kind = HY_REAL,
     .offset = SLOT(0),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(1), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass sample_hold_class = {
    .name = "sample_hold",
    .doc = "in at start + k period",
    .palette = "Hybrid",
    .example = "<sample_hold name=\"s\" in=\"u\" period=\"1m\"/>",
    .in = sample_hold_in,
    .out = one_out,
    .params = sample_hold_params,
    .state_size = SLOT(2)};

/* sampler */
static const HyPort sampler_in[] = {
    {.name = "in", .kind = HY_SIGNAL}, {.name = "trigger", .kind = HY_EVENT}, {.name = NULL}};
static const HyParam sampler_params[] = {
    {.name = "initial", .kind = HY_REAL, .offset = SLOT(0), .doc = "before the first"},
    {.name = NULL}};
static const HyAtomicClass sampler_class = {.name = "sampler",
                                            .doc = "in at each event at trigger",
                                            .palette = "Hybrid",
                                            .example =
                                                "<sampler name=\"s\" in=\"u\" trigger=\"clock\"/>",
                                            .in = sampler_in,
                                            .out = one_out,
                                            .params = sampler_params,
                                            .state_size = SLOT(1)};

/* unit_delay */
static const HyPort unit_delay_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam unit_delay_params[] = {
    {.name = "period",
     .kind = HY_REAL,
     .offset = SLOT(0),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(1), .unit = "s"},
    {.name = "initial", .kind = HY_REAL, .offset = SLOT(2)},
    {.name = NULL}};
static const HyAtomicClass unit_delay_class = {
    .name = "unit_delay",
    .doc = "in, one period ago",
    .palette = "Hybrid",
    .example = "<unit_delay name=\"z\" in=\"e\" period=\"1m\"/>",
    .in = unit_delay_in,
    .out = one_out,
    .params = unit_delay_params,
    .state_size = SLOT(3)};

/* transfer_z */
static const HyPort transfer_z_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam transfer_z_params[] = {
    {.name = "num",
     .kind = HY_REALS,
     .offset = SLOT(0),
     .required = TRUE,
     .doc = "highest power of z first"},
    {.name = "den",
     .kind = HY_REALS,
     .offset = SLOT(1),
     .required = TRUE,
     .doc = "highest power of z first"},
    {.name = "period",
     .kind = HY_REAL,
     .offset = SLOT(2),
     .required = TRUE,
     .range = HY_POSITIVE,
     .unit = "s"},
    {.name = "start", .kind = HY_REAL, .offset = SLOT(3), .unit = "s"},
    {.name = NULL}};
static const HyAtomicClass transfer_z_class = {
    .name = "transfer_z",
    .doc = "the discrete transfer function num/den",
    .palette = "Hybrid",
    .example = "<transfer_z name=\"pi\" in=\"e\" num=\"1, -0.9\" den=\"1, -1\" period=\"1m\"/>",
    .in = transfer_z_in,
    .out = one_out,
    .params = transfer_z_params,
    .state_size = SLOT(4)};

/* and */
static const HyPort and_in[] = {{.name = "in", .kind = HY_SIGNAL, .array = TRUE}, {.name = NULL}};
static const HyAtomicClass and_class = {.name = "and",
                                        .doc = "1 if all inputs are above 0.5",
                                        .palette = "Hybrid",
                                        .example = "<and name=\"both\" in=\"a, b\"/>",
                                        .in = and_in,
                                        .out = one_out,
                                        .state_size = SLOT(1)};

/* or */
static const HyPort or_in[] = {{.name = "in", .kind = HY_SIGNAL, .array = TRUE}, {.name = NULL}};
static const HyAtomicClass or_class = {.name = "or",
                                       .doc = "1 if an input is above 0.5",
                                       .palette = "Hybrid",
                                       .example = "<or name=\"any\" in=\"a, b\"/>",
                                       .in = or_in,
                                       .out = one_out,
                                       .state_size = SLOT(1)};

/* not */
static const HyPort not_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyAtomicClass not_class = {.name = "not",
                                        .doc = "1 if in is not above 0.5",
                                        .palette = "Hybrid",
                                        .example = "<not name=\"off\" in=\"on\"/>",
                                        .in = not_in,
                                        .out = one_out,
                                        .state_size = SLOT(1)};

/* loop_breaker */
static const HyPort loop_breaker_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam loop_breaker_params[] = {
    {.name = "guess", .kind = HY_REAL, .offset = SLOT(0), .doc = "where the search begins"},
    {.name = "tolerance", .kind = HY_REAL, .offset = SLOT(1), .value = 1e-09, .range = HY_POSITIVE},
    {.name = NULL}};
static const HyAtomicClass loop_breaker_class = {
    .name = "loop_breaker",
    .doc = "solves an algebraic loop through it",
    .palette = "Hybrid",
    .example = "<loop_breaker name=\"u\" in=\"5 - 2*tanh(u)\"/>",
    .in = loop_breaker_in,
    .out = one_out,
    .params = loop_breaker_params,
    .state_size = SLOT(2)};

/* stop */
static const HyPort stop_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam stop_params[] = {
    {.name = "level", .kind = HY_REAL, .offset = SLOT(0)},
    {.name = "direction",
     .kind = HY_TEXT,
     .offset = SLOT(1),
     .text = "both",
     .choices = "up down both"},
    {.name = "message", .kind = HY_TEXT, .offset = SLOT(2), .doc = "what the run says then"},
    {.name = NULL}};
static const HyAtomicClass stop_class = {.name = "stop",
                                         .doc = "ends the run when in passes level",
                                         .palette = "Sinks",
                                         .example = "<stop name=\"end\" in=\"x\" level=\"0\"/>",
                                         .in = stop_in,
                                         .params = stop_params,
                                         .state_size = SLOT(3)};

/* window */
static const HyPort window_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam window_params[] = {{.name = "what",
                                         .kind = HY_TEXT,
                                         .offset = SLOT(0),
                                         .text = "mean",
                                         .choices = "integral mean rms minimum maximum"},
                                        {.name = "width",
                                         .kind = HY_REAL,
                                         .offset = SLOT(1),
                                         .value = 1,
                                         .range = HY_POSITIVE,
                                         .unit = "s"},
                                        {.name = NULL}};
static const HyAtomicClass window_class = {
    .name = "window",
    .doc = "integral, mean, rms, minimum or maximum of in over a window",
    .palette = "Sinks",
    .example = "<window name=\"rms\" in=\"u\" what=\"rms\" width=\"20m\"/>",
    .in = window_in,
    .out = one_out,
    .params = window_params,
    .state_size = SLOT(2)};

const HyAtomicClass *const hy_declared_classes[] = {&integrator_class,
                                                    &reset_integrator_class,
                                                    &function_class,
                                                    &sum_class,
                                                    &gain_class,
                                                    &product_class,
                                                    &division_class,
                                                    &power_class,
                                                    &lookup_class,
                                                    &constant_class,
                                                    &variable_delay_class,
                                                    &step_class,
                                                    &pulse_class,
                                                    &ramp_class,
                                                    &sine_class,
                                                    &three_phase_class,
                                                    &square_class,
                                                    &sawtooth_class,
                                                    &triangle_class,
                                                    &trapezoid_class,
                                                    &pwm_class,
                                                    &file_source_class,
                                                    &switch_class,
                                                    &diode_class,
                                                    &comparator_class,
                                                    &hysteresis_class,
                                                    &crossing_class,
                                                    &saturation_class,
                                                    &dead_band_class,
                                                    &rate_limiter_class,
                                                    &quantizer_class,
                                                    &sample_hold_class,
                                                    &sampler_class,
                                                    &unit_delay_class,
                                                    &transfer_z_class,
                                                    &and_class,
                                                    &or_class,
                                                    &not_class,
                                                    &loop_breaker_class,
                                                    &stop_class,
                                                    &window_class,
                                                    NULL};
