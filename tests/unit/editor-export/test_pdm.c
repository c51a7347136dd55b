/* Models of PowerDEVS: a small one of ours (tests/powerdevs), whole and broken in many ways. */
#include "editor-export/pdm.h"
#include "editor-export/pdm_classes.h"
#include "editor-export/pdm_format.h"
#include "editor-export/scilab.h"
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define LEVEL HY_SOURCE_DIR "/tests/powerdevs/level.pdm"

void setUp(void)
{
}

void tearDown(void)
{
}

static char *contents(const char *file)
{
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, NULL, NULL), file);
  return text;
}

/* TEXT with WITH in place of the only WHAT in it. */
static char *replaced(const char *text, const char *what, const char *with)
{
  const char *at = strstr(text, what);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, what);
  TEST_ASSERT_NULL_MESSAGE(strstr(at + 1, what), what);
  return g_strdup_printf("%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
}

static HyLoaded *load(const char *text, const char *file, char **said)
{
  g_autoptr(HyReport) report = hy_report_new();
  const HyLoadOptions options = {.formats = hy_formats()};
  HyLoaded *loaded = hy_load_memory(text, strlen(text), file, &options, report);
  *said = hy_report_text(report);
  return loaded;
}

/* The last value of each column of a run of LOADED up to T. */
static void end_values(const HyLoaded *loaded, double t, double *values, guint n)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = t;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL && hy_run_record(run, &error) && hy_run_go(run, &error),
                           error != NULL ? error->message : "");
  const HyRecorder *r = hy_run_table(run, 0);
  for (guint k = 0; k < n; k++) {
    values[k] = hy_recorder_value(r, hy_recorder_rows(r) - 1, k);
  }
}

/* x' = v/A - (k1 + k2) x with A = 2, k1 = 0.2, k2 = A/20, v = A/2 from 1 on, x(0) = A. */
static double level(double t)
{
  return t < 1 ? 2 * exp(-0.3 * t) : 0.5 / 0.3 + (2 * exp(-0.3) - 0.5 / 0.3) * exp(-0.3 * (t - 1));
}

static void test_a_model_is_what_was_drawn(void)
{
  g_autofree char *text = contents(LEVEL), *said = NULL;
  g_autoptr(HyLoaded) loaded = load(text, LEVEL, &said);
  TEST_ASSERT_EQUAL_STRING("", said);
  TEST_ASSERT_EQUAL_DOUBLE(5, hy_loaded_experiment(loaded)->stop); /* level.stm */
  for (guint k = 0; k < 4; k++) {
    double t = 0.5 + k;
    double end[2];
    end_values(loaded, t, end, 2);
    TEST_ASSERT_DOUBLE_WITHIN(3e-5, level(t), end[0]);
    TEST_ASSERT_EQUAL_DOUBLE(t < 1 ? 0 : 1, end[1]);
  }
}

/* The variables of the start script are parameters. */
static void test_variables_may_be_set(void)
{
  g_autofree char *text = contents(LEVEL);
  g_autoptr(HyReport) report = hy_report_new();
  const char *const sets[] = {"k1=0.4", NULL};
  const HyLoadOptions options = {.formats = hy_formats(), .set = sets};
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), LEVEL, &options, report);
  TEST_ASSERT_NOT_NULL(loaded);
  double end;
  end_values(loaded, 1, &end, 1);
  TEST_ASSERT_DOUBLE_WITHIN(3e-5, 2 * exp(-0.5), end);
}

static PdmFile *read_pdm(const char *text)
{
  g_autoptr(HyReport) report = hy_report_new();
  PdmFile *file = pdm_read("a.pdm", text, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("", said);
  return file;
}

/* By hand, from the drawing: junctions first to last, lines of each in their order. */
static const char structure[] =
    "EIC{(0,0);(0,0)(0,0);(1,0)}EOC{(0,0);(0,0)(1,0);(0,1)}IC{}}"
    "Simulator{Path=sources/step_sci.hParameters=\"0\",\"1\",\"A*0.5\"}"
    "Simulator{Path=sinks/gnuplot.hParameters=2.000000e+00,\"setgrid;setxrange[0:%tf]\","
    "\"withlinestitle'level'\",\"withlinestitle'flow'\",\"\",\"\",\"\"}EIC{}EOC{}IC{"
    "(1,0);(2,0)(3,0);(1,1)(3,1);(1,2)(2,0);(5,0)(2,0);(3,0)(4,0);(1,0)(4,0);(5,1)}}";

static char *without_blanks(const char *text)
{
  g_auto(GStrv) parts = g_strsplit_set(text, " \t\r\n", -1);
  return g_strjoinv("", parts);
}

static void test_couplings_come_in_the_order_of_powerdevs(void)
{
  g_autofree char *text = contents(LEVEL);
  g_autoptr(PdmFile) file = read_pdm(text);
  g_autoptr(GString) pds = g_string_new(NULL);
  pds_write(file, pds);
  g_autofree char *plain = without_blanks(pds->str);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(plain, structure), plain);
  TEST_ASSERT_TRUE(g_str_has_prefix(
      plain,
      "Root-Coordinator{Simulator{Path=hybrid\\runscilabjob.hParameters=\"A=2;k1=0.2,k2=A/20\","
      "\"\",\"\"}"));
}

static void test_what_is_written_is_what_was_read(void)
{
  g_autofree char *text = contents(LEVEL);
  g_autoptr(PdmFile) file = read_pdm(text);
  g_autoptr(GString) again = g_string_new(NULL);
  pdm_write(file, again);
  g_autofree char *a = without_blanks(text), *b = without_blanks(again->str);
  TEST_ASSERT_EQUAL_STRING(a, b);
}

/* A .pds has no names; the same blocks in the same order do the same. */
static void test_a_structure_runs_as_its_drawing_does(void)
{
  g_autofree char *text = contents(LEVEL), *said = NULL;
  g_autoptr(PdmFile) file = read_pdm(text);
  g_autoptr(GString) pds = g_string_new(NULL), again = g_string_new(NULL);
  pds_write(file, pds);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(PdmFile) read = pds_read("a.pds", pds->str, report);
  TEST_ASSERT_NOT_NULL(read);
  pds_write(read, again);
  TEST_ASSERT_EQUAL_STRING(pds->str, again->str);
  g_autoptr(HyLoaded) one = load(text, LEVEL, &said);
  g_autofree char *messages = NULL;
  g_autoptr(HyLoaded) two = load(pds->str, "a.pds", &messages);
  TEST_ASSERT_EQUAL_STRING("", messages);
  double a[2], b[2];
  end_values(one, 5, a, 2);
  end_values(two, 5, b, 2);
  TEST_ASSERT_EQUAL_DOUBLE(a[0], b[0]);
}

/* Exactly what is said of a mistake, and where. */
static void test_mistakes_are_named(void)
{
  static const struct {
    const char *what, *with, *message;
  } broken[] = {
      {"Coupled\n    {\n    Type = Root", "Couple\n    {\n    Type = Root",
       "1: this is no PowerDEVS model: it begins with \"Coupled\", and not \"Couple\""},
      {"    Type = Root", "    Type = Coordinator", "3: Type = Coordinator: Root is expected here"},
      {"Name = water level", "Name=water level",
       "4: \"Name=water level\": write \"Name = ...\" with one blank before \"=\""},
      {"Name = water level\n", "", "4: \"Name = ...\" is expected here, and not \"Ports = 0; 0\""},
      {"Ports = 3 ; 1", "Ports = 3",
       "45: Ports = 3: 2 whole numbers are expected, with \";\" between"},
      {"Ports = 3 ; 1", "Ports = 2 ; 1",
       "309: the line ends at input 3 of \"Net flow\", which has 2"},
      {"Dimension = 675 ; 675\n                Direction = Left",
       "Dimension = 675 ; 675\n                Direction = Back",
       "101: Direction = Back: choose Right, Down, Left or Up"},
      {"x0 = Str; A ;", "x0 = Str; A",
       "88: parameter x0: two \";\" are needed (\"Str; value ; description\"); PowerDEVS would "
       "take "
       "an empty value"},
      {"x0 = Str; A ;", "x0 = Text; A ;",
       "88: parameter x0: its type is Str, Val or Lst, and not \"Text\""},
      {"x0 = Str; A ;", "x0 = Val; A ;", "88: parameter x0: a Val must be a number, and not \"A\""},
      {"Lst; 3%QSS%QSS2%QSS3% ; method", "Lst; 4%QSS%QSS2%QSS3% ; method",
       "109: parameter Method: the list \"4%QSS%QSS2%QSS3%\" has no such option; write k%a%b%"},
      {"x0 = Str; A ;", "x0 = Str; B ;",
       "88: block \"Level\": parameter x0 = B: the variable \"B\" has no value"},
      {"x0 = Str; A ;", "x0 = Str; 2*(A ;",
       "88: block \"Level\": parameter x0 = 2*(A: a \")\" is missing"},
      {"x0 = Str; A ;", "x0 = Str;  ;",
       "88: block \"Level\": parameter x0 = : it is empty, and a number is expected"},
      {"K = Str; %k ;", "K = Str; %kk ;",
       "165: block \"K\": parameter K = %kk: no model around it has a parameter kk"},
      {"k2=A/20", "k2=load('x')",
       "37: block \"Start\": parameter Run at Init: \"'x')\" is not understood"},
      {"k2=A/20", "exec(1)",
       "37: block \"Start\": parameter Run at Init: \"exec(1)\": only assignments such as a=1 are "
       "understood"},
      {"Path = qss/qss_integrator.h",
       "Path = ", "69: block \"Level\": it has no Path: it was drawn and not programmed"},
      {"Path = qss/qss_integrator.h", "Path = realtime/rtdetect.h",
       "69: block \"Level\": IRQ 7 Detector has no equal here: an interrupt of the machine"},
      {"ConectedLines = 5 ; 6 ; 7", "ConectedLines = 5 ; 6 ; 70",
       "276: point 1 names line 70; there are 9"},
      {"ConectedLines = 5 ; 6 ; 7", "ConectedLines = 5 ; 6 ; 8",
       "276: point 1 names line 8, which does not end there (line 337 of the file)"},
      {"Sink = Pnt ;  2 ; -1 ; 0", "Sink = Pnt ;  4 ; -1 ; 0",
       "282: point 2 names line 1, which does not end there (line 288 of the file)"},
      {"Sink = Cmp ;  4 ;  1 ; 0", "Sink = Cmp ;  9 ;  1 ; 0",
       "302: the line ends at block 9; there are 6"},
      {"Sink = Cmp ;  4 ;  1 ; 0", "Sink = Cmp ;  2 ;  1 ; 0",
       "302: output 1 of \"Net flow\" leads to its own input 2; no block may feed itself"},
      {"Sink = Pnt ;  2 ; -1 ; 0", "Sink = Pin ;  2 ; -1 ; 0",
       "291: Sink = Pin ;  2 ; -1 ; 0: an end is Cmp, Prt, Pnt or NoC, and three numbers"},
      {"PointX = 675 ; 900\n", "PointX = 675\n", "292: PointX has 1 numbers, and PointY has 2"},
      {"Name = q\n                    CoupledPort = 2",
       "Name = q\n                    CoupledPort = 3",
       "137: outport \"q\": CoupledPort = 3, but \"Leak 1\" has 2"},
      {"        Extra\n", "        Notes\n",
       "351: \"Notes\": in a System stand Inport, Outport, Atomic, Coupled, Point, Line and Extra"},
  };
  g_autofree char *text = contents(LEVEL);
  for (guint k = 0; k < G_N_ELEMENTS(broken); k++) {
    g_autofree char *wrong = replaced(text, broken[k].what, broken[k].with), *said = NULL;
    g_autoptr(HyLoaded) loaded = load(wrong, "a.pdm", &said);
    g_autofree char *expected = g_strdup_printf("a.pdm:%s\n", broken[k].message);
    TEST_ASSERT_EQUAL_STRING(expected, said);
    TEST_ASSERT_NULL(loaded);
  }
}

/* What PowerDEVS does without a word is a warning. */
static void test_traps_are_warned_of(void)
{
  static const struct {
    const char *what, *with, *message;
  } traps[] = {
      {"Description = of the tank", "Description = http://tank",
       "74: warning: \"//tank\" is lost: // begins a comment in this format, also inside texts"},
      {"Extra\n", "Extra\n\n",
       "352: warning: a blank line: the editor of PowerDEVS refuses such a file"},
      {"ConectedLines = 5 ; 6 ; 7", "ConectedLines = 5 ; 6 ; 7 ; 7",
       "276: warning: point 1 joins 4 lines; the editor of PowerDEVS saves none but those of 3"},
      {"Str; A*0.5 ; flow after", "Str; A*0.5 ; flow; after",
       "248: warning: parameter uf: of several \";\" only the last begins the description; in a "
       "value write \\;"},
      {"3%QSS%QSS2%QSS3%QSS4%", "4%QSS%QSS2%QSS3%QSS4%",
       "85: warning: block \"Level\": method QSS4 is not known here; qss3 is taken"},
      {"dqmin = Str; 1d-6 ; \n", "",
       "69: warning: block \"Level\": parameter dqmin is missing; 1e-6 is taken, as in the "
       "palette"},
      {"dqmin = Str; 1d-6 ; \n", "dqmin = Str; 1d-6 ; \nspeed = Str; 1 ; \n",
       "87: warning: block \"Level\": QSS Integrator has no parameter speed; it is ignored"},
      {"dqmin = Str; 1d-6 ; \n", "smallest = Str; 1d-6 ; \n",
       "86: warning: block \"Level\": QSS Integrator has no parameter smallest; by its place it is "
       "dqmin"},
      {"Source = Cmp ;  2 ;  3 ; -1", "Source = NoC ;  2 ;  3 ; -1",
       "42: warning: block \"Net flow\": input 3 is not connected; it is 0"},
      {"CoupledPort = 2", "CoupledPort = 1",
       "137: warning: outport \"q\": CoupledPort = 1 is taken; the editor of PowerDEVS takes 2, "
       "its "
       "place in the file"},
  };
  g_autofree char *text = contents(LEVEL);
  for (guint k = 0; k < G_N_ELEMENTS(traps); k++) {
    g_autofree char *wrong = replaced(text, traps[k].what, traps[k].with), *said = NULL;
    g_autoptr(HyLoaded) loaded = load(wrong, "a.pdm", &said);
    g_autofree char *expected = g_strdup_printf("a.pdm:%s", traps[k].message);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, expected), said);
  }
}

/* Sound files are read as they are, a value from one sample to the next. */
static void test_a_sound_file_is_a_source(void)
{
  g_autofree char *text = contents(LEVEL);
  g_autofree char *other = replaced(text, "Sources/step_sci.h", "sources/fromwav.h");
  g_autofree char *sound = replaced(other, "u0 = Str; 0 ; flow before", "Filename = Str; a.wav ; ");
  g_autoptr(HyReport) report = hy_report_new();
  xmlDoc *doc = pdm_to_tree("a.pdm", sound, NULL, report);
  TEST_ASSERT_NOT_NULL(doc);
  xmlChar *xml = NULL;
  int size = 0;
  xmlDocDumpMemory(doc, &xml, &size);
  TEST_ASSERT_NOT_NULL(strstr(
      (const char *)xml, "<file_source name=\"Valve\" path=\"a.wav\" interpolation=\"hold\"/>"));
  xmlFree(xml);
  xmlFreeDoc(doc);
}

#define GRAPHIC                                                                                    \
  "Graphic\n{\nPosition = 0 ; 0\nDimension = 675 ; 675\nDirection = Right\nColor = 15\nIcon = "    \
  "None\n"
#define ATOMIC(name, in, out, path, params)                                                        \
  "Atomic\n{\nName = " name "\nPorts = " in " ; " out "\nPath = " path                             \
  "\nDescription = \n" GRAPHIC "}\nParameters\n{\n" params "}\n}\n"
#define WIRE(from, to)                                                                             \
  "Line\n{\nSource = Cmp ;  " from " ;  1 ; 0\nSink = Cmp ;  " to                                  \
  " ;  1 ; -1\nPointX = 1 ; 2\nPointY = 1 ; 1\n}\n"

/* Blocks of palettes that had no Size: x' = 1 from the numbers 1, 2, 3 of the script, which says
 * N, and their squares, as many as come. */
static void test_vectors_without_a_size(void)
{
  const char *text =
      "Coupled\n{\nType = Root\nName = v\nPorts = 0; 0\nDescription = \n" GRAPHIC
      "Window = 5000; 5000; 5000; 5000\n}\nParameters\n{\n}\nSystem\n{\n" ATOMIC(
          "Start", "0", "0", "Hybrid/runscilabjob.h",
          "Run at Init = Str; N=3, a=1:N, a($)=7 ; \nRun at External = Str;  ; \n"
          "Run at Exit = Str;  ; \n")
          ATOMIC("One", "0", "1", "sources/constant_sci.h", "K = Str; 1 ; \n")
              ATOMIC("Put", "1", "1", "vector/scalar2vec.h", "Index = Str; 0 ; \n")
                  ATOMIC("Int", "1", "1", "vector/qss_integrator_vec.h",
                         "Method = Lst; 3%QSS%QSS2%QSS3% ; \ndqmin = Str; 1e-9 ; \n"
                         "dqrel = Str; 1e-9 ; \nx0 = Str; a ; \n")
                      ATOMIC("Square", "1", "1", "vector/vector_pow2.h", "")
                          ATOMIC("Sum", "1", "1", "vector/vector_sum.h", "K = Str; 1 ; \n")
                              ATOMIC("Plot", "1", "0", "sinks/gnuplot.h",
                                     "Inputs = Str; %Inputs ; \nFormat = Str;  ; \n") WIRE("2", "3")
                                  WIRE("3", "4") WIRE("4", "5") WIRE("5", "6")
                                      WIRE("6", "7") "}\n}\n";
  g_autofree char *said = NULL;
  g_autoptr(HyLoaded) loaded = load(text, "v.pdm", &said);
  double sum;
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, "block \"Square\": parameter Size is missing; 3 is"),
                               said);
  end_values(loaded, 2, &sum, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 3 * 3 + 2 * 2 + 7 * 7, sum); /* the first one moves */
}

static void test_a_class_of_their_own_may_be_a_type_of_a_library(void)
{
  g_autofree char *text = contents(LEVEL), *said = NULL;
  g_autofree char *wrong = replaced(text, "qss/qss_integrator.h", "mine/tank.h");
  g_autoptr(HyLoaded) loaded = load(wrong, "a.pdm", &said);
  TEST_ASSERT_NULL(loaded);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(said,
             "a.pdm:69: warning: block \"Level\": class mine/tank.h is not known; write a type "
             "tank with ports in1 ..., out1 ... in a library powerdevs.xml beside the model"),
      said);
}

/* Out -------------------------------------------------------------------------------------------
 */

static const HyFormat *target(const char *file)
{
  const HyFormat *format = hy_format_target(hy_formats(), file);
  TEST_ASSERT_NOT_NULL_MESSAGE(format, file);
  return format;
}

static char *written(const char *file, const char *to)
{
  const HyLoadOptions options = {.formats = hy_formats()};
  g_autoptr(HyReport) report = hy_report_new();
  char *text = hy_format_write(hy_format_find(hy_formats(), file), file, target(to), to, &options,
                               NULL, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(text, said);
  return text;
}

/* Cycles of a run of LOADED up to T, and the last state of each integrator, in the order of the
 * model. */
static guint64 run_all(const HyLoaded *loaded, double t, GArray *states)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = t;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL && hy_run_go(run, &error),
                           error != NULL ? error->message : "");
  HySim *sim = hy_run_sim(run);
  for (guint k = 0; k < hy_sim_n(sim); k++) {
    double v = hy_sim_value(sim, k, t);
    if (!isnan(v)) {
      g_array_append_val(states, v);
    }
  }
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  return totals.cycles;
}

static void check_junctions(const PdmBlock *b)
{
  for (guint k = 0; k < b->points->len; k++) {
    TEST_ASSERT_EQUAL_UINT(3, g_array_index(b->points, PdmPoint, k).lines->len);
  }
  for (guint k = 0; k < b->blocks->len; k++) {
    check_junctions(g_ptr_array_index(b->blocks, k));
  }
}

/* A model of ours, drawn for PowerDEVS and read again, has the same events and states, and each
 * junction has three lines. */
static void test_a_drawing_of_ours_does_the_same(void)
{
  static const struct {
    const char *file;
    double t;
  } models[] = {{"examples/lotka-volterra/model.xml", 20}, {"examples/lc-line/model.xml", 5},
                {"examples/tanks/model.xml", 5},           {"tests/models/oscillator.xml", 5},
                {"tests/models/oscillator-drawn.xml", 5},  {"tests/powerdevs/parts.xml", 5}};
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    g_autofree char *path = g_build_filename(HY_SOURCE_DIR, models[k].file, NULL);
    g_autofree char *pdm = written(path, "a.pdm"), *said = NULL;
    g_autoptr(PdmFile) drawn = read_pdm(pdm);
    check_junctions(drawn->root);
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) ours = hy_load_file(path, NULL, report);
    g_autoptr(HyLoaded) theirs = load(pdm, "a.pdm", &said);
    TEST_ASSERT_NOT_NULL_MESSAGE(theirs, said);
    g_autoptr(GArray) a = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) b = g_array_new(FALSE, FALSE, sizeof(double));
    guint64 cycles = run_all(ours, models[k].t, a);
    gboolean more = k == G_N_ELEMENTS(models) - 1; /* a comparator becomes three blocks */
    guint64 theirs_cycles = run_all(theirs, models[k].t, b);
    TEST_ASSERT_TRUE_MESSAGE(more || cycles == theirs_cycles, models[k].file);
    TEST_ASSERT_EQUAL_UINT(a->len, b->len);
    TEST_ASSERT_TRUE(a->len > 0);
    for (guint i = 0; i < a->len; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(more ? 5e-3 : 0, g_array_index(a, double, i),
                                g_array_index(b, double, i));
    }
  }
}

/* The order in which receivers of one output come is that of the model. */
static void test_receivers_keep_their_order(void)
{
  g_autofree char *path = g_build_filename(HY_SOURCE_DIR, "tests/powerdevs/parts.xml", NULL);
  g_autofree char *pds = written(path, "a.pds"), *pdm = written(path, "a.pdm");
  g_autoptr(PdmFile) drawn = read_pdm(pdm);
  g_autoptr(GString) again = g_string_new(NULL);
  pds_write(drawn, again);
  for (guint source = 0; source < 9; source++) {
    g_autofree char *prefix = g_strdup_printf("(%u,0);", source);
    const char *a = pds, *b = again->str;
    while ((a = strstr(a, prefix)) != NULL) {
      b = strstr(b, prefix);
      TEST_ASSERT_NOT_NULL(b);
      TEST_ASSERT_EQUAL_STRING_LEN(a, b, strcspn(a, "\n"));
      a += strlen(prefix);
      b += strlen(prefix);
    }
  }
}

static void test_places_go_there_and_back(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *xml =
      hy_format_convert(hy_format_find(hy_formats(), LEVEL), LEVEL, NULL, report);
  g_autofree char *file = NULL;
  g_close(g_file_open_tmp("hydevs-XXXXXX.xml", &file, NULL), NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, xml, -1, NULL));
  g_autofree char *pdm = written(file, "a.pdm"), *text = contents(LEVEL);
  remove(file);
  g_autoptr(PdmFile) there = read_pdm(text), back = read_pdm(pdm);
  const PdmBlock *a = g_ptr_array_index(there->root->blocks, 2), *b = NULL;
  for (guint k = 0; k < back->root->blocks->len; k++) {
    const PdmBlock *c = g_ptr_array_index(back->root->blocks, k);
    b = strcmp(c->name, a->name) == 0 ? c : b;
  }
  TEST_ASSERT_NOT_NULL(b);
  TEST_ASSERT_EQUAL_INT(a->x, b->x);
  TEST_ASSERT_EQUAL_INT(a->y, b->y);
  TEST_ASSERT_EQUAL_STRING(a->path, b->path);
}

/* A structure becomes a drawing, and that the same structure again. */
static void test_a_structure_may_be_drawn(void)
{
  g_autofree char *text = contents(LEVEL);
  g_autoptr(PdmFile) file = read_pdm(text);
  g_autoptr(GString) pds = g_string_new(NULL), pdm = g_string_new(NULL), again = g_string_new(NULL);
  pds_write(file, pds);
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_TRUE(target("a.pds")->rewrite("a.pds", pds->str, "a.pdm", pdm, report));
  TEST_ASSERT_TRUE(target("a.pdm")->rewrite("a.pdm", pdm->str, "a.pds", again, report));
  g_auto(GStrv) a = g_strsplit(pds->str, "\n", -1), b = g_strsplit(again->str, "\n", -1);
  TEST_ASSERT_EQUAL_UINT(g_strv_length(a), g_strv_length(b));
  for (guint k = 0; a[k] != NULL; k++) { /* only outputs of different blocks may change places */
    TEST_ASSERT_TRUE_MESSAGE(g_strv_contains((const char *const *)b, a[k]), a[k]);
  }
}

/* A model of blocks that PowerDEVS has not: drawn as hydevs/NAME.h, and the same when read again.
 */
static void test_blocks_of_ours_are_drawn_by_their_names(void)
{
  static const char *const models[] = {
      "examples/queue/model.xml",         "examples/ping-pong/model.xml",
      "examples/coulomb/model.xml",       "tests/models/tandem.xml",
      "examples/bouncing-ball/model.xml", "examples/same-instant/model.xml"};
  for (guint k = 0; k < G_N_ELEMENTS(models); k++) {
    g_autofree char *path = g_build_filename(HY_SOURCE_DIR, models[k], NULL);
    g_autofree char *pdm = written(path, "a.pdm"), *said = NULL;
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) ours = hy_load_file(path, NULL, report);
    g_autoptr(HyLoaded) theirs = load(pdm, "a.pdm", &said);
    TEST_ASSERT_NOT_NULL_MESSAGE(theirs, said);
    g_autoptr(GArray) a = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) b = g_array_new(FALSE, FALSE, sizeof(double));
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(run_all(ours, 3, a), run_all(theirs, 3, b), models[k]);
    TEST_ASSERT_EQUAL_UINT(a->len, b->len);
    for (guint i = 0; i < a->len; i++) {
      TEST_ASSERT_EQUAL_DOUBLE(g_array_index(a, double, i), g_array_index(b, double, i));
    }
  }
}

static void test_what_cannot_be_drawn_is_named(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *path =
      g_build_filename(HY_SOURCE_DIR, "examples/algebraic-loop/implicit.xml", NULL);
  g_autofree char *text = hy_format_write(NULL, path, target("a.pdm"), "a.pdm", NULL, NULL, report);
  TEST_ASSERT_NULL(text);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(said, "implicit.xml:12: v: formula cannot be said in a few words\n"), said);
}

/* The palette is a file of the format, each block with its class, ports and parameters. */
static void test_our_blocks_are_a_palette(void)
{
  g_autofree char *text = hy_powerdevs_palette();
  g_autoptr(PdmFile) palette = read_pdm(text);
  guint n = 0;
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++, n++) {
    const PdmBlock *b = g_ptr_array_index(palette->root->blocks, n);
    TEST_ASSERT_EQUAL_PTR(*k, pdm_own_class(b->path));
    for (const HyParam *p = (*k)->params; p != NULL && p->name != NULL; p++) {
      TEST_ASSERT_NOT_NULL_MESSAGE(pdm_param(b, p->name), p->name);
    }
  }
  TEST_ASSERT_EQUAL_UINT(n, palette->root->blocks->len);
}

/* Messages are UTF-8 also where they quote a part that ends inside a letter. */
static void test_messages_are_whole_letters(void)
{
  g_autoptr(GString) text = g_string_new("a");
  for (guint k = 0; k < 50; k++) {
    g_string_append(text, "\xc3\xa4");
  }
  g_autofree char *said = NULL;
  g_autoptr(HyLoaded) loaded = load(text->str, "a.pdm", &said);
  TEST_ASSERT_NULL(loaded);
  TEST_ASSERT_TRUE(g_utf8_validate(said, -1, NULL));
}

/* Scilab -----------------------------------------------------------------------------------------
 */

static void check_value(const char *text, const char *expected)
{
  g_autoptr(Scilab) s = scilab_new();
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE(scilab_run(
      s, "N=4; v=[1 2;3 4]\nw = N/2, r=1:4; r(2:3)=7; r(5)=9; r($+1)=6, c(3)=5; m=v; m(3,3)=8;", 1,
      &why));
  ScilabValue v;
  g_autoptr(GString) got = g_string_new(NULL);
  if (!scilab_eval(s, text, &v, &why)) {
    g_string_append(got, why);
  } else {
    g_string_append_printf(got, "%ux%u:", v.rows, v.columns);
    for (guint k = 0; k < v.rows * v.columns; k++) {
      g_string_append_printf(got, " %.10g", v.number[k]);
    }
    scilab_clear(&v);
  }
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, got->str, text);
}

static void test_expressions_mean_what_they_do_in_scilab(void)
{
  check_value("1.5D3", "1x1: 1500");
  check_value("-2^2", "1x1: -4");
  check_value("2^3^2", "1x1: 512");
  check_value("2^-1", "1x1: 0.5");
  check_value("-1/N/w", "1x1: -0.125");
  check_value("2*%pi*50", "1x1: 314.1592654");
  check_value("[1 -2]", "1x2: 1 -2");
  check_value("[1 - 2]", "1x1: -1");
  check_value("[1,2;3 N]", "2x2: 1 2 3 4");
  check_value("[-2; -2; 1; 0]", "4x1: -2 -2 1 0");
  check_value("v*[1;1]", "2x1: 3 7");
  check_value("v.*v", "2x2: 1 4 9 16");
  check_value("v'", "2x2: 1 3 2 4");
  check_value("v(2,1)+v(3)", "1x1: 5");
  check_value("zeros(1,2)+ones(1,2)*3", "1x2: 3 3");
  check_value("max(v)+min(3,2)", "1x1: 6");
  check_value("sqrt(16)+exp(0)", "1x1: 5");
  check_value("rand(1,3)", "1x3: 0.2113248655 0.7560438542 0.0002211346291");
  check_value("0:0.1:0.3", "1x4: 0 0.1 0.2 0.3");
  check_value("0:0.01:1)", "\")\" is not understood");
  check_value("length(0:0.01:1)", "1x1: 101");
  check_value("length(0:0.1:4.2)", "1x1: 43");
  check_value("[5:-2:1 9]", "1x4: 5 3 1 9");
  check_value("3:1", "1x0:");
  check_value("(1:3)*2", "1x3: 2 4 6");
  check_value("v(:,1)", "2x1: 1 3");
  check_value("v(2,:)", "1x2: 3 4");
  check_value("v(:)", "4x1: 1 3 2 4");
  check_value("v($)+v(1,$)", "1x1: 6");
  check_value("v(2:$)", "3x1: 3 2 4");
  check_value("v([2 1],[2 1])", "2x2: 4 3 2 1");
  check_value("r($-1)", "1x1: 9");
  check_value("r", "1x6: 1 7 7 4 9 6");
  check_value("c", "3x1: 0 0 5");
  check_value("m", "3x3: 1 2 0 3 4 0 0 0 8");
  check_value("cumsum(1:4)", "1x4: 1 3 6 10");
  check_value("cumsum(v)", "2x2: 1 6 4 10");
  check_value("cumprod([2 3 4])", "1x3: 2 6 24");
  check_value("mean(v)", "1x1: 2.5");
  check_value("linspace(1,2,5)", "1x5: 1 1.25 1.5 1.75 2");
  check_value("1:1e-9:1e9", "1:1e-09:1e+09 has more than 100000 numbers");
  check_value("1:[1 2]", "a range is between numbers, and not 1x2");
  check_value("[1 2]:3", "a range is between numbers, and not 1x2");
  check_value("$", "\"$\" is not understood");
  check_value("v(1,2,3)", "v has no 3 indices");
  check_value("v(0)", "v has no such element");
  check_value("v+[1 2 3]", "2x2 + 1x3: the sizes do not fit");
  check_value("v(5)", "v has no such element");
  check_value("3x", "\"3x\": an operator is missing behind the number");
  check_value("[1 2", "a \"]\" is missing");
  check_value("x+1", "the variable \"x\" has no value");
  check_value("", "something is missing at the end");
  check_value("%q", "the constant \"%q\" is not known here");
  check_value("foo(1)", "the function \"foo\" of 1 value is not known here");
}

static void test_assignments_that_cannot_be_say_why(void)
{
  static const struct {
    const char *script, *why;
  } wrong[] = {
      {"a=1:3; a(2:3)=[1 2 3]", "3 numbers are assigned to 2 elements"},
      {"a=1; a(0)=1", "there is no such element"},
      {"a=1; a(1e9)=1", "there is no such element"},
      {"a=[1 2;3 4]; a(9)=1", "there is no such element"},
      {"a=1; a(1,1,1)=1", "3 indices: one or two are possible"},
      {"a(1", "a \")\" is missing behind \"a(\""},
      {"a(1)", "\"a(1)\": only assignments such as a=1 are understood"},
      {"a(1)==2", "\"a(1)==2\": only assignments such as a=1 are understood"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autoptr(Scilab) s = scilab_new();
    g_autofree char *why = NULL;
    TEST_ASSERT_FALSE_MESSAGE(scilab_run(s, wrong[k].script, 1, &why), wrong[k].script);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wrong[k].why, why, wrong[k].script);
  }
}

/* The table --------------------------------------------------------------------------------------
 */

static void test_the_page_has_the_table(void)
{
  g_autofree char *page = contents(HY_SOURCE_DIR "/docs/powerdevs.md");
  g_autofree char *table = hy_powerdevs_table();
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(page, table), "hydevs list-blocks --powerdevs says it anew");
}

/* Of 75 blocks in the palettes at most 7 have no equal, and those that have one place classes that
 * exist, with attributes that they have. */
static void test_the_table_covers_the_palettes(void)
{
  guint blocks = 0, none = 0;
  for (const PdmClass *k = pdm_classes(); k->path != NULL; k++) {
    blocks += k->palette != NULL;
    none += k->same == PDM_NOT;
    const HyAtomicClass *klass = k->element != NULL ? hy_class_find(k->element) : NULL;
    TEST_ASSERT_TRUE_MESSAGE(k->element == NULL || klass != NULL, k->path);
    for (const PdmRow *r = k->rows; r->theirs != NULL; r++) {
      gboolean known = r->ours == NULL || strcmp(r->ours, "count") == 0 || klass == NULL;
      for (const HyParam *p = klass != NULL ? klass->params : NULL; p != NULL && p->name != NULL;
           p++) {
        known = known || strcmp(p->name, r->ours) == 0;
      }
      TEST_ASSERT_TRUE_MESSAGE(known, r->ours);
    }
  }
  TEST_ASSERT_EQUAL_UINT(75, blocks);
  TEST_ASSERT_LESS_OR_EQUAL_UINT(7, none);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_model_is_what_was_drawn);
  RUN_TEST(test_variables_may_be_set);
  RUN_TEST(test_couplings_come_in_the_order_of_powerdevs);
  RUN_TEST(test_what_is_written_is_what_was_read);
  RUN_TEST(test_a_structure_runs_as_its_drawing_does);
  RUN_TEST(test_mistakes_are_named);
  RUN_TEST(test_traps_are_warned_of);
  RUN_TEST(test_a_sound_file_is_a_source);
  RUN_TEST(test_vectors_without_a_size);
  RUN_TEST(test_a_class_of_their_own_may_be_a_type_of_a_library);
  RUN_TEST(test_a_drawing_of_ours_does_the_same);
  RUN_TEST(test_receivers_keep_their_order);
  RUN_TEST(test_places_go_there_and_back);
  RUN_TEST(test_a_structure_may_be_drawn);
  RUN_TEST(test_blocks_of_ours_are_drawn_by_their_names);
  RUN_TEST(test_what_cannot_be_drawn_is_named);
  RUN_TEST(test_our_blocks_are_a_palette);
  RUN_TEST(test_messages_are_whole_letters);
  RUN_TEST(test_expressions_mean_what_they_do_in_scilab);
  RUN_TEST(test_assignments_that_cannot_be_say_why);
  RUN_TEST(test_the_page_has_the_table);
  RUN_TEST(test_the_table_covers_the_palettes);
  return UNITY_END();
}
