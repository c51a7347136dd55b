/* The table of PowerDEVS' blocks (pdm_classes.h). Names, ports, parameters and usual values are
 * those of its palettes; what a block does was read from them and compared with runs of both
 * programs where the table says "equal". */
#include "editor-export/pdm_classes.h"

#include "hydevs/format.h"
#include "hydevs/model.h"

#include <string.h>

#define END                                                                                        \
  {                                                                                                \
    NULL, NULL, PDM_IGNORED, NULL                                                                  \
  }
#define METHODS "3%QSS%QSS2%QSS3%QSS4%BQSS%CQSS%LIQSS%LIQSS2%LIQSS3%"
#define SIZE                                                                                       \
  {                                                                                                \
    "Size", "count", PDM_SPECIAL, "10"                                                             \
  }
#define INPUTS                                                                                     \
  {                                                                                                \
    "Inputs", NULL, PDM_IGNORED, "%Inputs"                                                         \
  }

static const PdmRow none[] = {END};
static const PdmRow integrator[] = {{"Method", "method", PDM_METHOD, METHODS},
                                    {"dqmin", "dqmin", PDM_NUMBER, "1e-6"},
                                    {"dqrel", "dqrel", PDM_NUMBER, "1e-3"},
                                    {"x0", "x0", PDM_NUMBER, "0"},
                                    END};
static const PdmRow integrators[] = {{"Method", "method", PDM_METHOD, METHODS},
                                     {"dqmin", "dqmin", PDM_NUMBER, "1e-6"},
                                     {"dqrel", "dqrel", PDM_NUMBER, "1e-3"},
                                     {"x0", "x0", PDM_LIST, "0"},
                                     SIZE,
                                     END};
#define FACTORS                                                                                    \
  {"K[0]", NULL, PDM_SPECIAL, "1"}, {"K[1]", NULL, PDM_SPECIAL, "1"},                              \
      {"K[2]", NULL, PDM_SPECIAL, "0"}, {"K[3]", NULL, PDM_SPECIAL, "0"},                          \
      {"K[4]", NULL, PDM_SPECIAL, "0"}, {"K[5]", NULL, PDM_SPECIAL, "0"},                          \
      {"K[6]", NULL, PDM_SPECIAL, "0"},                                                            \
  {                                                                                                \
    "K[7]", NULL, PDM_SPECIAL, "0"                                                                 \
  }
static const PdmRow wsum[] = {FACTORS, INPUTS, END};
static const PdmRow wsums[] = {FACTORS, INPUTS, SIZE, END};
static const PdmRow function[] = {
    {"Expression", "formula", PDM_SPECIAL, "u0^2+sin(u0)"}, INPUTS, END};
static const PdmRow gain[] = {{"K", "k", PDM_NUMBER, "1"}, END};
#define STEPS(list)                                                                                \
  {"Advance method", NULL, PDM_IGNORED, list}, {"dQmin", NULL, PDM_IGNORED, "1e-6"},               \
  {                                                                                                \
    "dQrel", NULL, PDM_IGNORED, "1e-3"                                                             \
  }
static const PdmRow steps[] = {STEPS("1%Purely static%Estimate step%"), END};
static const PdmRow implicit[] = {{"Expression", "formula", PDM_SPECIAL, "y^3+y+u0^2"},
                                  {"Tolerance", "tolerance", PDM_NUMBER, ".0001"},
                                  {"y0", "guess", PDM_NUMBER, "1"},
                                  INPUTS,
                                  END};
static const PdmRow power[] = {{"n", "n", PDM_NUMBER, "3"}, END};
static const PdmRow delay[] = {{"Delay", "time", PDM_NUMBER, "1"}, END};
static const PdmRow variable_delay[] = {
    {"tau0", NULL, PDM_IGNORED, "1"}, {"y(t<0)", NULL, PDM_SPECIAL, "0"}, END};
static const PdmRow pure[] = {{"x0", "x0", PDM_NUMBER, "0"}, END};
static const PdmRow unit_delay[] = {
    {"x0", "initial", PDM_NUMBER, "0"}, {"Ts", "period", PDM_NUMBER, "1"}, END};
static const PdmRow unit_delays[] = {
    {"x0", "initial", PDM_NUMBER, "0"}, {"Ts", "period", PDM_NUMBER, "1"}, SIZE, END};
static const PdmRow hold[] = {
    {"T", "period", PDM_NUMBER, "1"}, {"phi", "start", PDM_NUMBER, "0"}, END};
static const PdmRow holds[] = {
    {"T", "period", PDM_NUMBER, "1"}, {"phi", "start", PDM_NUMBER, "0"}, SIZE, END};
static const PdmRow crossing[] = {
    {"level", "level", PDM_NUMBER, "0"}, {"output", "value", PDM_NUMBER, "1"}, END};
static const PdmRow crossings[] = {
    {"level", "level", PDM_NUMBER, "0"}, {"output", "value", PDM_NUMBER, "1"}, SIZE, END};
static const PdmRow level[] = {{"level", "level", PDM_NUMBER, "0"}, END};
static const PdmRow compare[] = {
    {"yl", "low", PDM_NUMBER, "-1"}, {"yu", "high", PDM_NUMBER, "1"}, END};
#define BAND                                                                                       \
  {"xl", "lower", PDM_NUMBER, "-1"}, {"xu", "upper", PDM_NUMBER, "1"},                             \
      {"yl", "low", PDM_NUMBER, "-1"},                                                             \
  {                                                                                                \
    "yu", "high", PDM_NUMBER, "1"                                                                  \
  }
static const PdmRow band[] = {BAND, END};
static const PdmRow bands[] = {BAND, SIZE, END};
static const PdmRow limits[] = {
    {"xl", "lower", PDM_NUMBER, "-1"}, {"xu", "upper", PDM_NUMBER, "1"}, END};
static const PdmRow limitss[] = {
    {"xl", "lower", PDM_NUMBER, "-1"}, {"xu", "upper", PDM_NUMBER, "1"}, SIZE, END};
static const PdmRow quantizer[] = {
    {"dQ", "dq", PDM_NUMBER, "0.1"}, {"Hysteresis", NULL, PDM_SPECIAL, "1%No%Yes%"}, END};
static const PdmRow pulse[] = {{"Base Value", "low", PDM_NUMBER, "0"},
                               {"Amplitude", NULL, PDM_SPECIAL, "1"},
                               {"Initial Time", "start", PDM_NUMBER, "0"},
                               {"Final Time", "end", PDM_NUMBER, "1"},
                               END};
static const PdmRow constant[] = {{"K", "value", PDM_NUMBER, "1"}, END};
#define ORDER                                                                                      \
  {"Method", NULL, PDM_IGNORED, "2%QSS%QSS2/3%"},                                                  \
  {                                                                                                \
    "dQ", NULL, PDM_IGNORED, ".1"                                                                  \
  }
static const PdmRow triangle[] = {
    {"a", NULL, PDM_SPECIAL, "1"}, {"f", "frequency", PDM_NUMBER, "1"}, ORDER, END};
static const PdmRow trapezoid[] = {{"Vu", "high", PDM_NUMBER, "1"},
                                   {"Vl", "low", PDM_NUMBER, "0"},
                                   {"Tup", "up", PDM_NUMBER, "1"},
                                   {"Tdown", "down", PDM_NUMBER, "1"},
                                   {"Tr", "rise", PDM_NUMBER, ".5"},
                                   {"Tf", "fall", PDM_NUMBER, ".5"},
                                   ORDER,
                                   END};
static const PdmRow sine[] = {{"a", "amplitude", PDM_NUMBER, "1"},
                              {"f", "frequency", PDM_NUMBER, "1"},
                              {"phi", "phase", PDM_NUMBER, "0"},
                              {"k", NULL, PDM_IGNORED, "20"},
                              {"Method", NULL, PDM_IGNORED, "3%QSS%QSS2%QSS3%QSS4%"},
                              END};
static const PdmRow step[] = {{"u0", "from", PDM_NUMBER, "0"},
                              {"t0", "at", PDM_NUMBER, "0"},
                              {"uf", "to", PDM_NUMBER, "1"},
                              END};
static const PdmRow ramp[] = {
    {"t0", "start", PDM_NUMBER, "0"}, {"tr", "duration", PDM_NUMBER, "1"},
    {"v", "height", PDM_NUMBER, "1"}, {"Method", NULL, PDM_IGNORED, "2%QSS%QSS2/3%"},
    {"dq", NULL, PDM_IGNORED, ".1"},  END};
static const PdmRow saw[] = {{"A", NULL, PDM_SPECIAL, "1"},
                             {"F", "frequency", PDM_NUMBER, "1"},
                             {"Slope", NULL, PDM_SPECIAL, "1%Possitive%Negative%"},
                             ORDER,
                             END};
static const PdmRow square[] = {{"a", NULL, PDM_SPECIAL, "1"},
                                {"f", "frequency", PDM_NUMBER, "1"},
                                {"d", "duty", PDM_PERCENT, "50"},
                                END};
static const PdmRow from_wav[] = {{"Filename", "path", PDM_TEXT, "input.wav"}, END};
static const PdmRow from_workspace[] = {{"Time variable", NULL, PDM_SPECIAL, "t"},
                                        {"Signal", NULL, PDM_SPECIAL, "u"},
                                        {"Method", NULL, PDM_SPECIAL, "1%QSS%QSS2/3%"},
                                        END};
static const PdmRow normal[] = {{"mean", "mean", PDM_NUMBER, "0"},
                                {"variance", NULL, PDM_SPECIAL, "1"},
                                {"T", "period", PDM_NUMBER, "1"},
                                {"Random seed", "seed", PDM_NUMBER, ""},
                                END};
static const PdmRow normals[] = {{"mean", "mean", PDM_NUMBER, "0"},
                                 {"variance", NULL, PDM_SPECIAL, "1"},
                                 {"T", "period", PDM_NUMBER, "1"},
                                 {"seed", "seed", PDM_NUMBER, ""},
                                 SIZE,
                                 END};
static const PdmRow poisson[] = {{"lambda", NULL, PDM_SPECIAL, "1"},
                                 {"y", "value", PDM_NUMBER, "1"},
                                 {"Seed", "seed", PDM_NUMBER, "0"},
                                 END};
static const PdmRow poissons[] = {{"lambda", NULL, PDM_SPECIAL, "1"},
                                  {"y", "value", PDM_NUMBER, "1"},
                                  {"Seed", "seed", PDM_NUMBER, ""},
                                  SIZE,
                                  END};
static const PdmRow gnuplot[] = {
    INPUTS,
    {"Format", NULL, PDM_SPECIAL, "set xrange [0:%tf] @ set grid @ set title 'Plot'"},
    {"Format1", NULL, PDM_SPECIAL, "with lines title 'First output'"},
    {"Format2", NULL, PDM_SPECIAL, ""},
    {"Format3", NULL, PDM_SPECIAL, ""},
    {"Format4", NULL, PDM_SPECIAL, ""},
    {"Format5", NULL, PDM_SPECIAL, ""},
    END};
static const PdmRow to_disk[] = {{"File", NULL, PDM_SPECIAL, "output.csv"}, END};
static const PdmRow to_workspace[] = {
    {"Time variable", NULL, PDM_IGNORED, "t"}, {"Signal", NULL, PDM_SPECIAL, "y"}, END};
static const PdmRow event_count[] = {{"File", NULL, PDM_SPECIAL, "num_ev.txt"}, INPUTS, END};
static const PdmRow to_wav[] = {{"Filename", NULL, PDM_SPECIAL, "output.wav"},
                                {"Sample Rate", NULL, PDM_SPECIAL, "1%44100%22050%"},
                                END};
static const PdmRow time_count[] = {
    {"file", NULL, PDM_SPECIAL, "eltime.txt"}, {"tf", NULL, PDM_SPECIAL, "9.999"}, END};
static const PdmRow script[] = {{"Run at Init", NULL, PDM_SPECIAL, "a=0"},
                                {"Run at External", NULL, PDM_SPECIAL, "a=a+1"},
                                {"Run at Exit", NULL, PDM_SPECIAL, "b=a"},
                                END};
static const PdmRow index_of[] = {{"Index", NULL, PDM_SPECIAL, "0"}, SIZE, END};
static const PdmRow index_only[] = {
    {"Index", NULL, PDM_SPECIAL, "0"}, {"Size", NULL, PDM_IGNORED, "10"}, END};
static const PdmRow size[] = {SIZE, END};
static const PdmRow shift[] = {{"shift", NULL, PDM_SPECIAL, "1"}, SIZE, END};
static const PdmRow total[] = {{"K", NULL, PDM_SPECIAL, "1"}, SIZE, END};
static const PdmRow matrix[] = {{"A", NULL, PDM_SPECIAL, "[0 1;-1 -1]"}, END};
static const PdmRow product_size[] = {INPUTS, SIZE, END};
static const PdmRow selector[] = {{"from", NULL, PDM_SPECIAL, "0"},
                                  {"to", NULL, PDM_SPECIAL, "9"},
                                  {"Size", NULL, PDM_IGNORED, "N"},
                                  END};
static const PdmRow mapper[] = {
    {"map", NULL, PDM_SPECIAL, "[0 1; 0 0]"}, {"N", NULL, PDM_SPECIAL, "2"}, END};
static const PdmRow wait_mode[] = {{"Wait Mode", NULL, PDM_IGNORED, "2%Normal%Precise%"}, END};
static const PdmRow knob[] = {{"Min", "lower", PDM_NUMBER, "-5"},
                              {"Max", "upper", PDM_NUMBER, "300"},
                              {"Value", "value", PDM_NUMBER, "53"},
                              END};
static const PdmRow lcd[] = {{"Initial Value", NULL, PDM_SPECIAL, "34"}, END};
static const PdmRow place[] = {
    {"tokens", "tokens", PDM_NUMBER, "0"}, {"time", "time", PDM_NUMBER, "1"}, INPUTS, END};
static const PdmRow transition[] = {{"time", "time", PDM_NUMBER, "1"}, INPUTS, END};
static const PdmRow modelica[] = {{"Index", NULL, PDM_IGNORED, "0"}, END};
static const PdmRow modelica_ports[] = {
    INPUTS, {"Outputs", NULL, PDM_IGNORED, "%Outputs"}, {"Index", NULL, PDM_IGNORED, "0"}, END};

#define MODELICA "its equations are C++ that PowerDEVS made of a Modelica file, not in the model"

static const PdmSpecial
    inverse = {.formula = "1/u0"},
    sine_of = {.formula = "sin(u0)"}, squared = {.set = "n=2"},
    exact = {.set = "method=qss3 dqmin=1e-9 dqrel=1e-9"}, held = {.set = "interpolation=hold"},
    low_inside = {.remark = "a Hysteresis that begins inside its band is low here, and high in "
                            "PowerDEVS"},
    samples = {.remark = "Unit Delay samples what its input is; PowerDEVS' keeps the coefficients "
                         "of old pieces"};

static const PdmClass classes[] = {
    {"qss/qss_integrator", "Continuous", "QSS Integrator", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1,
     "integrator", "in", integrator,
     "qss1, qss2, qss3, bqss, liqss1, liqss2, liqss3; QSS4 becomes qss3 and CQSS qss2, with a "
     "warning",
     NULL},
    {"qss/qss_wsum", "Continuous", "WSum", PDM_EQUAL, PDM_SUM, FALSE, 2, 1, "sum", "in,", wsum, "",
     NULL},
    {"qss/qss_nlfunction", "Continuous", "NLFunction", PDM_EQUAL, PDM_FUNCTION, FALSE, 1, 1,
     "function", NULL, function, "derivatives from the formula itself, not by differences", NULL},
    {"qss/qss_gain", "Continuous", "Gain", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "gain", "in", gain,
     "", NULL},
    {"qss/qss_multiplier", "Continuous", "Multiplier", PDM_EQUAL, PDM_PLAIN, FALSE, 2, 1, "product",
     "in,", steps, "its tolerances are those of the place (dqrel, dqmin)", NULL},
    {"qss/qss_multiplier_step", NULL, "Multiplier", PDM_EQUAL, PDM_PLAIN, FALSE, 2, 1, "product",
     "in,", steps, "a class of older models", NULL},
    {"qss/xpower2", "Continuous", "Square Pow", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "power", "in",
     none, "n = 2", &squared},
    {"qss/implicit", "Continuous", "ImpFunction", PDM_EQUAL, PDM_IMPLICIT, FALSE, 1, 1, "implicit",
     NULL, implicit, "", NULL},
    {"qss/xpowern", "Continuous", "Power n", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "power", "in",
     power, "", NULL},
    {"qss/inverse_function", "Continuous", "Inverse", PDM_EQUAL, PDM_FUNCTION, FALSE, 1, 1,
     "function", NULL, none, "1/u0", &inverse},
    {"qss/sin_function_step", "Continuous", "Sin", PDM_EQUAL, PDM_FUNCTION, FALSE, 1, 1, "function",
     NULL, steps, "sin(u0)", &sine_of},
    {"qss/qss_delay", "Continuous", "Delay", PDM_EQUAL, PDM_DELAYED, FALSE, 1, 1, "delay", "in",
     delay, "0 before anything has come through", NULL},
    {"qss/dqssv2o3", "Continuous", "Variable Delay", PDM_EQUAL, PDM_DELAYED, FALSE, 2, 1,
     "variable_delay", "time in", variable_delay,
     "its history is the attribute history; tau0 is not needed", NULL},
    {"qss/pure_integrator", "Continuous", "Pure Integrator", PDM_MEANS, PDM_PLAIN, FALSE, 1, 1,
     "integrator", "in", pure, "an integrator with a small quantum: here none is without", &exact},
    {"discrete/qoperator_sci", "Discrete", "Unit Delay", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1,
     "unit_delay", "in", unit_delay, "", &samples},
    {"qss/samplehold", "Hybrid", "Sample and Hold", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1,
     "sample_hold", "in", hold, "", NULL},
    {"qss/cross_detect", "Hybrid", "Cross detect", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "crossing",
     "in", crossing, "where a signal jumps, PowerDEVS' fires again", NULL},
    {"qss/res_qss_integrator", "Hybrid", "Reset Qss_Integ", PDM_EQUAL, PDM_PLAIN, FALSE, 2, 1,
     "reset_integrator", "in reset", integrator, "the event has the value", NULL},
    {"qss/qss_switch", "Hybrid", "Switch", PDM_EQUAL, PDM_PLAIN, FALSE, 3, 1, "switch",
     "on control off", level, "", NULL},
    {"qss/command_sampler", "Hybrid", "Commanded Sampler", PDM_EQUAL, PDM_PLAIN, FALSE, 2, 1,
     "sampler", "in trigger", none, "says 0 at the start", NULL},
    {"qss/compare", "Hybrid", "Comparator", PDM_EQUAL, PDM_COMPARE, FALSE, 2, 1, "comparator", NULL,
     compare, "of the difference", NULL},
    {"qss/hysteretic", "Hybrid", "Hysteresis", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "hysteresis",
     "in", band, "starts low inside the band, PowerDEVS' high", &low_inside},
    {"qss/qss_saturation", "Hybrid", "Saturation", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "saturation",
     "in", limits, "", NULL},
    {"qss/qss_quantizer", "Hybrid", "Quantizer", PDM_EQUAL, PDM_ROUNDED, FALSE, 1, 1, "quantizer",
     "in", quantizer, "Hysteresis = Yes: of one dQ", NULL},
    {"sources/pulse_sci", "Sources", "Pulse", PDM_EQUAL, PDM_PULSE, FALSE, 0, 1, "pulse", "", pulse,
     "high = Base Value + Amplitude", NULL},
    {"sources/constant_sci", "Sources", "Constant", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1, "constant",
     "", constant, "", NULL},
    {"sources/triangular_sci", "Sources", "Triangular", PDM_EQUAL, PDM_WAVE, FALSE, 0, 1,
     "triangle", "", triangle, "between -a and a, from -a", NULL},
    {"sources/trapezoidal_sci", "Sources", "Trapezoidal", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1,
     "trapezoid", "", trapezoid, "", NULL},
    {"sources/sinegen_sci", "Sources", "Sinusoidal", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1, "sine", "",
     sine, "pieces by tolerance, not k a period", NULL},
    {"sources/step_sci", "Sources", "Step", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1, "step", "", step, "",
     NULL},
    {"sources/ramp_sci", "Sources", "Ramp", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1, "ramp", "", ramp, "",
     NULL},
    {"sources/saw_sci", "Sources", "Saw", PDM_EQUAL, PDM_RAISED, FALSE, 0, 1, "sawtooth", "", saw,
     "between 0 and A; Negative: low above high", NULL},
    {"sources/square_sci", "Sources", "Square", PDM_EQUAL, PDM_RAISED, FALSE, 0, 1, "square", "",
     square, "a, then 0", NULL},
    {"sources/fromwav", "Sources", "FromWav", PDM_EQUAL, PDM_PLAIN, FALSE, 0, 1, "file_source", "",
     from_wav, "PCM of 8 to 32 bits and floats; the first channel", &held},
    {"sources/fromworkspace", "Sources", "From Workspace", PDM_EQUAL, PDM_WORKSPACE, FALSE, 0, 1,
     "lookup", "", from_workspace, "vectors of a start script", NULL},
    {"random/normal_gen", "Sources", "NRGen", PDM_EQUAL, PDM_NOISE, FALSE, 0, 1, "random", "",
     normal, "other numbers of the same distribution", NULL},
    {"random/poisson_gen", "Sources", "Poisson generator", PDM_EQUAL, PDM_POISSON, FALSE, 0, 1,
     "random_generator", "", poisson, "other times of the same distribution", NULL},
    {"sinks/gnuplot", "Sinks", "GnuPlot", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "", gnuplot,
     "record; `hydevs plot` draws it", NULL},
    {"sinks/to_disk", "Sinks", "To Disk", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "", to_disk,
     "record, a column of the CSV", NULL},
    {"sinks/toscilab_offline", "Sinks", "To Workspace", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL,
     "", to_workspace, "record, a column of the CSV", NULL},
    {"sinks/ev_count2", "Sinks", "Event Counter", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "",
     event_count, "record; `--stats` counts events", NULL},
    {"sinks/writelpt", "Sinks", "LPT Write", PDM_NOT, PDM_ABSENT, FALSE, 1, 0, NULL, "", none,
     "a parallel port of the machine", NULL},
    {"sinks/towav", "Sinks", "ToWav", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "", to_wav,
     "record; `hydevs run --grid 1/44100 -o x.wav` writes it", NULL},
    {"sinks/time_count", "Sinks", "Time counter", PDM_MEANS, PDM_RECORD, FALSE, 0, 0, NULL, "",
     time_count, "`--stats`", NULL},
    {"hybrid/runscilabjob", "Sinks", "Scilab Command", PDM_MEANS, PDM_SCRIPT, FALSE, 1, 0, NULL, "",
     script, "assignments of Run at Init become parameters; code at events is refused", NULL},
    {"vector/qss_sum_vec", "Vectors", "Vector WSum", PDM_MEANS, PDM_SUM, TRUE, 2, 1, "sum", "in,",
     wsums, "count", NULL},
    {"vector/vec2scalar", "Vectors", "Vector_to Scalar", PDM_MEANS, PDM_PICK, FALSE, 1, 1, "gain",
     "in", index_only, "x[Index + 1]", NULL},
    {"vector/scalar2vec", "Vectors", "Scalar_to Vector", PDM_MEANS, PDM_PUT, TRUE, 1, 1, "gain",
     "in", index_of, "count, all others 0", NULL},
    {"vector/vector_pow2", "Vectors", "Vector 2Pow", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1, "power",
     "in", size, "count", &squared},
    {"vector/vector_sat", "Vectors", "Vector Saturation", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "saturation", "in", limitss, "count", NULL},
    {"vector/qss_integrator_vec", "Vectors", "Vector QSS_Int", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "integrator", "in", integrators, "count; x0 for all, or one for each", NULL},
    {"vector/index_shift_d", "Vectors", "Index Shift", PDM_MEANS, PDM_SHIFTED, TRUE, 1, 2, "gain",
     "in", shift, "the first output, 0 where nothing moves in", NULL},
    {"vector/index_shift", NULL, "Index Shift", PDM_MEANS, PDM_SHIFTED, TRUE, 1, 2, "gain", "in",
     shift, "a class of older models", NULL},
    {"vector/normal_gen_vec", "Vectors", "Vector NRGen", PDM_MEANS, PDM_NOISE, TRUE, 0, 1, "random",
     "", normals, "count; other numbers of the same distribution", NULL},
    {"vector/hyst_vec", "Vectors", "Vector Hysteresis", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "hysteresis", "in", bands, "count", NULL},
    {"vector/vector_sum", "Vectors", "Vector Sum", PDM_MEANS, PDM_TOTAL, FALSE, 1, 1, "sum", "in",
     total, "K times the sum of all", NULL},
    {"vector/matrix_gain", "Vectors", "Matrix Gain", PDM_MEANS, PDM_MATRIX, TRUE, 1, 1, "sum", "in",
     matrix, "a sum for each row", NULL},
    {"vector/vector_sample", "Vectors", "Vector Sample", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "sample_hold", "in", holds, "count", NULL},
    {"vector/vector_cross_det", "Vectors", "Vector CrossDet", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "crossing", "in", crossings, "count", NULL},
    {"vector/vector_commsampler", "Vectors", "Vector Triggered Sampler", PDM_MEANS, PDM_PLAIN, TRUE,
     2, 1, "sampler", "in trigger", size, "count", NULL},
    {"vector/vector_unitdelay", "Vectors", "Vector Unit_Delay", PDM_MEANS, PDM_PLAIN, TRUE, 1, 1,
     "unit_delay", "in", unit_delays, "count", NULL},
    {"vector/qss_multiplier_vec", "Vectors", "Vector Multiplier", PDM_MEANS, PDM_PLAIN, TRUE, 2, 1,
     "product", "in,", product_size, "count", NULL},
    {"vector/index_selector", "Vectors", "Index Selector", PDM_MEANS, PDM_SELECT, TRUE, 1, 1,
     "gain", "in", selector, "x[from + 1] ... x[to + 1]", NULL},
    {"vector/index_mapper", "Vectors", "Index Mapper", PDM_MEANS, PDM_MAPPED, TRUE, 1, 1, "gain",
     "in", mapper, "rows of map: from, to", NULL},
    {"vector/poisson_generator", "Vectors", "Poisson generator", PDM_MEANS, PDM_POISSON, TRUE, 0, 1,
     "random_generator", "", poissons, "count; other times of the same distribution", NULL},
    {"realtime/clock_wait", "RealTime", "RT Ev Synchro", PDM_MEANS, PDM_PLAIN, FALSE, 1, 1, "gain",
     "in", wait_mode, "passes on; `hydevs session --realtime` keeps the time of the clock", NULL},
    {"realtime/rtdetect", "RealTime", "IRQ 7 Detector", PDM_NOT, PDM_ABSENT, FALSE, 0, 1, NULL, "",
     none, "an interrupt of the machine", NULL},
    {"realtime/realtimeclock", "RealTime", "Real Time Clock", PDM_NOT, PDM_ABSENT, FALSE, 1, 1,
     NULL, "", none, "reads the clock of the machine", NULL},
    {"realtime/rtview_knob", "RealTime", "RTView Knob", PDM_MEANS, PDM_PLAIN, FALSE, 0, 1, "lever",
     "", knob, "turned in `hydevs session`, by words or on its page", NULL},
    {"realtime/rtview_lcd", "RealTime", "RTView LCD", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "",
     lcd, "record; a session shows it while it runs", NULL},
    {"sinks/lcd", NULL, "LCD", PDM_MEANS, PDM_RECORD, FALSE, 1, 0, NULL, "", lcd,
     "a class of older models", NULL},
    {"petri/place", "PetriNets", "Place", PDM_EQUAL, PDM_PETRI, FALSE, 1, 1, "place", "in", place,
     "told of what is taken by `take`", NULL},
    {"petri/transition", "PetriNets", "Transition", PDM_EQUAL, PDM_PLAIN, FALSE, 1, 1, "transition",
     "in,", transition, "", NULL},
    {"petri/event_triggered_transition", "PetriNets", "Event Triggered Transition", PDM_MEANS,
     PDM_PLAIN, FALSE, 1, 1, "relay", "in", none, "a token for each event", NULL},
    {"modelica/modelica_qss_integrator", "Modelica", "Integrator", PDM_NOT, PDM_ABSENT, FALSE, 2, 1,
     NULL, "", modelica, MODELICA, NULL},
    {"modelica/modelica_qss_cross_detect", "Modelica", "Zero Cross Detector", PDM_NOT, PDM_ABSENT,
     FALSE, 2, 1, NULL, "", modelica, MODELICA, NULL},
    {"modelica/modelica_when_discrete", "Modelica", "When clause", PDM_NOT, PDM_ABSENT, FALSE, 1, 1,
     NULL, "", modelica_ports, MODELICA, NULL},
    {"modelica/modelica_static_block", "Modelica", "Static fun", PDM_NOT, PDM_ABSENT, FALSE, 2, 1,
     NULL, "", modelica_ports, MODELICA, NULL},
    {.path = NULL}};

const PdmClass *pdm_classes(void)
{
  return classes;
}

char *pdm_class_path(const char *path)
{
  g_autofree char *small = g_ascii_strdown(path, -1);
  g_strdelimit(small, "\\", '/');
  static const char *const old[][2] = {{"source/", "sources/"}, {"sink/", "sinks/"}};
  const char *slash = strrchr(small, '/');
  const char *dot = strchr(slash != NULL ? slash : small, '.');
  gsize n = dot != NULL ? (gsize)(dot - small) : strlen(small);
  for (guint k = 0; k < G_N_ELEMENTS(old); k++) {
    gsize folder = strlen(old[k][0]);
    if (strncmp(small, old[k][0], folder) == 0) {
      return g_strdup_printf("%s%.*s", old[k][1], (int)(n - folder), small + folder);
    }
  }
  return g_strndup(small, n);
}

const PdmClass *pdm_class(const char *path)
{
  g_autofree char *wanted = pdm_class_path(path);
  const PdmClass *k = classes;
  while (k->path != NULL && strcmp(k->path, wanted) != 0) {
    k++;
  }
  return k->path != NULL ? k : NULL;
}

const HyAtomicClass *pdm_own_class(const char *path)
{
  g_autofree char *plain = pdm_class_path(path);
  return g_str_has_prefix(plain, "hydevs/") ? hy_class_find(plain + strlen("hydevs/")) : NULL;
}

const PdmRow *pdm_class_row(const PdmClass *klass, guint k)
{
  guint n = 0;
  while (klass->rows[n].theirs != NULL && n < k) {
    n++;
  }
  return klass->rows[n].theirs != NULL ? &klass->rows[n] : NULL;
}

/* QSS4 and CQSS have no equal: the nearest one. */
static const struct {
  const char *theirs, *ours;
  gboolean equal;
} methods[] = {{"QSS", "qss1", TRUE},     {"QSS2", "qss2", TRUE},     {"QSS3", "qss3", TRUE},
               {"QSS4", "qss3", FALSE},   {"BQSS", "bqss", TRUE},     {"CQSS", "qss2", FALSE},
               {"LIQSS", "liqss1", TRUE}, {"LIQSS2", "liqss2", TRUE}, {"LIQSS3", "liqss3", TRUE}};

const char *pdm_method(const char *theirs, gboolean *equal)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    if (strcmp(methods[k].theirs, theirs) == 0) {
      *equal = methods[k].equal;
      return methods[k].ours;
    }
  }
  return NULL;
}

const char *pdm_method_theirs(const char *ours)
{
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    if (methods[k].equal && strcmp(methods[k].ours, ours) == 0) {
      return methods[k].theirs;
    }
  }
  return NULL;
}

/* As a page ---------------------------------------------------------------------------------------
 */

char *hy_powerdevs_table(void)
{
  GString *out = g_string_new(NULL);
  static const char *const same[] = {"equal", "by other means", "no"};
  g_string_append(
      out, "| palette | block | class | here | | |\n| --- | --- | --- | --- | --- | --- |\n");
  for (const PdmClass *k = classes; k->path != NULL; k++) {
    g_autofree char *element =
        k->element != NULL ? g_strdup_printf("`%s`", k->element) : g_strdup("");
    g_string_append_printf(out, "| %s | %s | `%s` | %s | %s | %s |\n",
                           k->palette != NULL ? k->palette : "(none)", k->block, k->path, element,
                           same[k->same], k->how);
  }
  return g_string_free(out, FALSE);
}
