/* Circuits as SPICE netlists: what is written is read again, and runs as the model does; what SPICE
 * cannot say is refused. */
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static HyLoaded *load(const char *text, const char *file, HyReport *report)
{
  static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};
  const HyLoadOptions options = {.formats = hy_formats(), .library = library, .elements = TRUE};
  return hy_load_memory(text, strlen(text), file, &options, report);
}

static const HyFormat *format(const char *name)
{
  const HyFormat *f = hy_formats();
  while (strcmp(f->name, name) != 0) {
    f++;
  }
  return f;
}

/* TEXT in a document as FORMAT; where that is refused, the reasons. */
static char *written(const char *text, const char *name)
{
  g_autofree char *whole = g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\" needs=\"1.2\">\n%s</hydevs>", text);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(whole, "m.xml", report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  g_autoptr(GString) out = g_string_new(NULL);
  return format(name)->write(loaded, out, report) ? g_strdup(out->str) : hy_report_text(report);
}

/* The last row of a run; [n] columns. */
static void ends(const char *text, const char *file, double *end, guint n)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = load(text, file, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.grid = 1e-4;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) r = hy_run_new(loaded, &settings, &error);
  gboolean ok = r != NULL && hy_run_record(r, &error) && hy_run_go(r, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : text);
  const HyRecorder *table = hy_run_table(r, 0);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(n, hy_recorder_n(table), text);
  for (guint k = 0; k < n; k++) {
    end[k] = hy_recorder_value(table, hy_recorder_rows(table) - 1, k);
  }
}

/* Switches with gates of one source and of a formula, nested; coupled coils, an ideal transformer,
 * sources that read the circuit, a sine, a current by a formula of the time. */
static const char everything[] =
    "<pwm name=\"g\" period=\"100u\" duty=\"0.3\"/>\n"
    "<sine name=\"s\" amplitude=\"5\" frequency=\"1k\" phase=\"0.5\" offset=\"12\"/>\n"
    "<type name=\"leg\"><node name=\"p\"/><node name=\"a\"/><in name=\"g\"/>\n"
    "  <ideal_switch name=\"hi\" nodes=\"p a\" control=\"g\" Ron=\"0.1\" Roff=\"1k\"/>\n"
    "  <ideal_switch name=\"lo\" nodes=\"a 0\" control=\"1 - g\" Ron=\"0.2\" Roff=\"1k\"/></type>\n"
    "<circuit name=\"c\" g=\"g\" u=\"s\"><in name=\"g\"/><in name=\"u\"/>\n"
    "  <voltage name=\"U\" nodes=\"dc 0\" value=\"u\"/>\n"
    "  <block name=\"leg\" type=\"leg\" p=\"dc\" a=\"x\" g=\"g\"/>\n"
    "  <inductor name=\"L1\" nodes=\"x y\" L=\"100u\" i0=\"0.5\"/>\n"
    "  <inductor name=\"L2\" nodes=\"z 0\" L=\"400u\"/>\n"
    "  <coupling name=\"K\" inductors=\"L1 L2\" k=\"0.6\"/>\n"
    "  <resistor name=\"Rz\" nodes=\"z 0\" R=\"30\"/>\n"
    "  <capacitor name=\"C1\" nodes=\"y 0\" C=\"20u\" v0=\"2\"/>\n"
    "  <resistor name=\"Ry\" nodes=\"y v\" R=\"0.5\"/>\n"
    "  <transformer name=\"T\" nodes=\"v 0 w 0\" ratio=\"2\"/>\n"
    "  <resistor name=\"Rw\" nodes=\"w 0\" R=\"3\"/>\n"
    "  <voltage name=\"E\" nodes=\"e 0\" value=\"2*Rw.i + 0.5*y.v\"/>\n"
    "  <resistor name=\"Re\" nodes=\"e y\" R=\"8\"/>\n"
    "  <current name=\"I\" nodes=\"0 y\" value=\"0.1*sin(2000*t) + max(0.1, 100*t)*0.2\"/>\n"
    "</circuit>\n"
    "<experiment stop=\"2m\" method=\"block_liqss2\" dqrel=\"1e-5\" dqmin=\"1e-9\" "
    "record=\"c/L1.i c/L2.i c/C1.v c/w.v c/Re.v\"/>\n";

static void test_what_is_written_runs_as_the_model_does(void)
{
  g_autofree char *model = g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\" needs=\"1.2\">\n%s</hydevs>", everything);
  g_autofree char *netlist = written(everything, "spice");
  double ours[5], theirs[5];
  ends(model, "m.xml", ours, 5);
  ends(netlist, "m.cir", theirs, 5);
  for (guint k = 0; k < 5; k++) { /* edges of 1e-4 of a pulse */
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-3 * fmax(fabs(ours[k]), 0.1), ours[k], theirs[k], netlist);
  }
}

static void test_elements_are_lines(void)
{
  g_autofree char *text =
      written("<pwm name=\"g\" period=\"10u\" duty=\"0.5\"/>\n"
              "<circuit name=\"c\" g=\"g\"><in name=\"g\"/><voltage name=\"U\" nodes=\"in 0\" "
              "value=\"24\"/>\n"
              "<transistor name=\"S\" nodes=\"in x\" gate=\"g\" Ron=\"10m\" Roff=\"100k\"/>\n"
              "<ideal_diode name=\"D\" nodes=\"0 x\" Ron=\"20m\" Roff=\"100k\" Vf=\"0.5\"/>\n"
              "<resistor name=\"R\" nodes=\"x 0\" R=\"5\"/></circuit>\n"
              "<experiment stop=\"1m\" record=\"c/R.i c/x.v\"/>\n",
              "spice");
  TEST_ASSERT_EQUAL_STRING("* m.xml, by hydevs export --spice\n"
                           "V_U in 0 DC 24\n"
                           "S in x g 0 MS\n"
                           "S_body x S_inner 0 g MS_body\n"
                           "S_diode S_inner in S_inner in MS_diode\n"
                           "VD_drop D_drop x 0.4999999\n"
                           "S_D_diode 0 D_drop 0 D_drop MS_D_diode\n"
                           "V_R_sense x R_sensed 0\n"
                           "R R_sensed 0 5\n"
                           "Vg g 0 PULSE(0 1 0 5e-10 5e-10 4.9995e-06 1e-05)\n"
                           ".model MS SW(Ron=0.0100000005 Roff=200000 Vt=0.5 Vh=0)\n"
                           ".model MS_body SW(Ron=0.00500000025000001 Roff=200000 Vt=-0.5 Vh=0)\n"
                           ".model MS_diode SW(Ron=0.00500000025000001 Roff=200000 Vt=0 Vh=0)\n"
                           ".model MS_D_diode SW(Ron=0.02 Roff=100000 Vt=0 Vh=0)\n"
                           ".tran 1e-07 0.001 0 1e-07 uic\n"
                           ".save i(V_R_sense) v(x)\n"
                           ".end\n",
                           text);
}

#define CIRCUIT(gate)                                                                              \
  "<circuit name=\"c\" g=\"" gate "\"><in name=\"g\"/>"                                            \
  "<voltage name=\"U\" nodes=\"a 0\" value=\"g\"/>\n"                                              \
  "<resistor name=\"R\" nodes=\"a b\" R=\"5\"/><capacitor name=\"C\" nodes=\"b 0\" C=\"1u\"/>"     \
  "</circuit>\n"

static void test_what_spice_cannot_say_is_refused(void)
{
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"<integrator name=\"x\" in=\"1\"/>\n",
       "m.xml: there is no <circuit> in it, and of a model only circuits are netlists\n"},
      {"<integrator name=\"x\" in=\"1\"/>\n" CIRCUIT("x"),
       "m.xml:3: c/U: x (integrator) has no counterpart in SPICE; only sources, formulas and "
       "readings "
       "of the circuit have\n"},
      {"<sine name=\"s\"/><hysteresis name=\"h\" in=\"s\"/>\n" CIRCUIT("h"),
       "m.xml:3: c/U: h has a memory; SPICE has none in a formula\n"},
      {"<sine name=\"s\"/><function name=\"h\" formula=\"atan2(s, 2)\"/>\n" CIRCUIT("h"),
       "m.xml:3: c/U: SPICE has no function atan2\n"},
      {"<sine name=\"s\"/><function name=\"h\" formula=\"wlog(s)\"/>\n" CIRCUIT("h"),
       "m.xml:3: c/U: SPICE has no function wlog\n"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *said = written(cases[k].text, "spice");
    TEST_ASSERT_EQUAL_STRING(cases[k].said, said);
  }
}

/* ln is the natural logarithm in every SPICE, log is that to base 10 in some. */
static void test_functions_are_called_as_spice_does(void)
{
  g_autofree char *text = written("<sine name=\"s\"/>"
                                  "<function name=\"h\" formula=\"log(2 + s) + (3 + s)^(0.5*s)\"/>"
                                  "\n" CIRCUIT("h") "<experiment stop=\"1m\"/>\n",
                                  "spice");
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "ln("), text);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "pow("), text);
  TEST_ASSERT_NULL_MESSAGE(strstr(text, "log("), text);
}

/* A duty that is a signal is compared with a carrier, a formula of the time. */
static void test_a_duty_may_be_a_signal(void)
{
  g_autofree char *text =
      written("<sine name=\"d\" amplitude=\"0.4\" offset=\"0.5\" frequency=\"50\"/>"
              "<pwm name=\"h\" duty=\"d\" period=\"0.5m\" phase=\"0.125m\" "
              "carrier=\"triangle\"/>\n" CIRCUIT("h"),
              "spice");
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Vd d 0 SIN(0.5 0.4 50 0 0 0)\n"), text);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text,
                                      "B_U a 0 V=(v(d) > (1 - abs(2*(((time + 0.000375)/0.0005) - "
                                      "floor(((time + 0.000375)/0.0005))) - 1)) ? 1 : 0)\n"),
                               text);
}

static void test_diodes_may_be_exponential(void)
{
  g_autofree char *text =
      written("<circuit name=\"c\"><voltage name=\"U\" nodes=\"a 0\" value=\"24\"/>"
              "<ideal_diode name=\"D\" nodes=\"a b\" Ron=\"20m\" Roff=\"100k\" Vf=\"0.5\"/>"
              "<resistor name=\"R\" nodes=\"b 0\" R=\"5\"/></circuit>\n",
              "spice-exponential");
  TEST_ASSERT_NOT_NULL(strstr(text, "DS_D_diode a b MS_D_diode\nRS_D_diode a b 100000\n"));
  TEST_ASSERT_NOT_NULL(strstr(text, ".model MS_D_diode D(Is=4.02")); /* exp(-0.5/25.86m) */
}

/* hy_format_write() loads what the format needs by itself. */
static void test_a_file_is_written_as_what_is_loaded(void)
{
  static const char model[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><circuit name=\"c\">"
                              "<voltage name=\"U\" nodes=\"a 0\" value=\"24\"/>"
                              "<resistor name=\"R\" nodes=\"a 0\" R=\"5\"/></circuit></hydevs>";
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *file = g_build_filename(g_get_tmp_dir(), "hydevs-XXXXXX.xml", NULL);
  close(g_mkstemp(file));
  TEST_ASSERT_TRUE(g_file_set_contents(file, model, -1, NULL));
  g_autofree char *text = hy_format_write(NULL, file, format("spice"), "m.cir", NULL, NULL, report);
  g_unlink(file);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(text, said);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\nR a 0 5\n"), text);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_written_runs_as_the_model_does);
  RUN_TEST(test_elements_are_lines);
  RUN_TEST(test_what_spice_cannot_say_is_refused);
  RUN_TEST(test_functions_are_called_as_spice_does);
  RUN_TEST(test_a_duty_may_be_a_signal);
  RUN_TEST(test_diodes_may_be_exponential);
  RUN_TEST(test_a_file_is_written_as_what_is_loaded);
  return UNITY_END();
}
