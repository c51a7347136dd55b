/* Models of PowerDEVS and of ours, there and back: what was written is kept, and what runs is the
 * same. */
#include "editor-export/pdm_drawing.h"
#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#define LEVEL HY_SOURCE_DIR "/tests/powerdevs/level.pdm"

static char *dir; /* for files */

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

/* TEXT as a file NAME of the folder; its path. */
static char *saved(const char *name, const char *text)
{
  char *path = g_build_filename(dir, name, NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(path, text, -1, NULL));
  return path;
}

static char *without_blanks(const char *text)
{
  g_auto(GStrv) parts = g_strsplit_set(text, " \t\r\n", -1);
  return g_strjoinv("", parts);
}

/* FILE as one with the suffix of TO; NULL: SAID has the reasons. */
static char *converted(const char *file, const char *to, const char *method, char **said)
{
  const HyLoadOptions options = {
      .formats = hy_formats(), .method = method, .dqrel = 1e-3, .dqmin = 1e-6};
  g_autoptr(HyReport) report = hy_report_new();
  const HyFormat *from = hy_format_find(hy_formats(), file),
                 *target = hy_format_target(hy_formats(), to);
  char *text = target != NULL ? hy_format_write(from, file, target, to, &options, NULL, report)
                              : hy_format_convert(from, file, NULL, report);
  *said = hy_report_text(report);
  return text;
}

static char *must_convert(const char *file, const char *to)
{
  g_autofree char *said = NULL;
  char *text = converted(file, to, NULL, &said);
  TEST_ASSERT_NOT_NULL_MESSAGE(text, said);
  return text;
}

static HyLoaded *load(const char *file, const char *method)
{
  const HyLoadOptions options = {
      .formats = hy_formats(), .method = method, .dqrel = 1e-3, .dqmin = 1e-6};
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_file(file, &options, report);
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
  return loaded;
}

/* Runs ------------------------------------------------------------------------------------------
 */

static HyRun *begun(const HyLoaded *loaded, double t)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = t;
  settings.engine = "flat";
  settings.seed = 1;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(run != NULL && hy_sim_init(hy_run_sim(run), 0, &error),
                           error != NULL ? error->message : "");
  return run;
}

static void states_of(HySim *sim, double t, GArray *values)
{
  for (guint k = 0; k < hy_sim_n(sim); k++) {
    double v = hy_sim_value(sim, k, t);
    if (!isnan(v)) {
      g_array_append_val(values, v);
    }
  }
}

/* What is said at the start: numbers that stand at inputs are blocks in a drawing. */
static void pass_start(HySim *sim)
{
  gboolean more = TRUE;
  for (guint n = 0; more && hy_sim_next(sim) <= 0 && n < 100000; n++) {
    hy_sim_step(sim, 0, &more, NULL);
  }
}

/* One run has ended with an error, by the limit of events at an instant: so does SIM, where more of
 * them may count. NULL, or what differs. */
static char *runs_on(HySim *sim)
{
  double t = hy_sim_time(sim);
  gboolean more = TRUE;
  while (more && hy_sim_time(sim) == t) {
    if (!hy_sim_step(sim, t, &more, NULL)) {
      return NULL;
    }
  }
  return g_strdup_printf("one run ends with an error at t = %g", t);
}

/* From the start on the same events at the same instants, and the same states, over at most MOST
 * events. NULL, or what differs; newly allocated. */
static char *difference(const HyLoaded *one, const HyLoaded *two, double t, guint most)
{
  g_autoptr(HyRun) a = begun(one, t), b = begun(two, t);
  HySim *x = hy_run_sim(a), *y = hy_run_sim(b);
  gboolean more = TRUE, too = TRUE;
  guint n = 0;
  pass_start(x);
  pass_start(y);
  for (; more && too && n < most; n++) {
    gboolean ran = hy_sim_step(x, t, &more, NULL), ran_too = hy_sim_step(y, t, &too, NULL);
    if (!ran || !ran_too) {
      return ran || ran_too ? runs_on(ran ? x : y) : NULL;
    }
    if (more && too && hy_sim_time(x) != hy_sim_time(y)) {
      return g_strdup_printf("event %u is at %.17g and at %.17g", n, hy_sim_time(x),
                             hy_sim_time(y));
    }
  }
  if (more != too) {
    return g_strdup_printf("one has %u events, the other more", n - 1);
  }
  g_autoptr(GArray) v = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GArray) w = g_array_new(FALSE, FALSE, sizeof(double));
  states_of(x, hy_sim_time(x), v);
  states_of(y, hy_sim_time(y), w);
  if (v->len != w->len) {
    return g_strdup_printf("%u and %u states", v->len, w->len);
  }
  for (guint k = 0; k < v->len; k++) {
    double p = g_array_index(v, double, k), q = g_array_index(w, double, k);
    if (p != q) {
      return g_strdup_printf("state %u is %.17g and %.17g", k, p, q);
    }
  }
  return NULL;
}

/* Drawings --------------------------------------------------------------------------------------
 */

static void check_drawing(const char *pdm)
{
  g_autofree char *xml = must_convert(pdm, "-"), *text = contents(pdm);
  g_autofree char *file = saved("drawing.xml", xml);
  g_autofree char *said = NULL;
  g_autofree char *again = converted(file, "a.pdm", NULL, &said);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("", said, pdm);
  g_autofree char *a = without_blanks(text), *b = without_blanks(again);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(a, b, pdm);
  g_autofree char *there = must_convert(pdm, "a.pds"), *back = must_convert(file, "a.pds");
  TEST_ASSERT_EQUAL_STRING_MESSAGE(there, back, pdm);
  g_autofree char *copy = saved("drawing.pdm", again);
  g_autoptr(HyLoaded) one = load(pdm, NULL), two = load(file, NULL), three = load(copy, NULL);
  g_autofree char *what = difference(one, two, 5, 20000), *too = difference(one, three, 5, 20000);
  TEST_ASSERT_NULL_MESSAGE(what, what);
  TEST_ASSERT_NULL_MESSAGE(too, too);
}

/* pdm -> xml -> pdm is the same file but for blanks, so with its routes, descriptions, scripts and
 * the order of its blocks; as structure and as events, too. */
static void test_a_drawing_comes_back_as_it_was(void)
{
  static const char *const shipped[] = {"tank",
                                        "lotka_volterra",
                                        "nl_stiff",
                                        "nicholson_bailey",
                                        "qoperator",
                                        "dc_drive",
                                        "buck_disc",
                                        "dining_philosophers",
                                        "oberle_and_pesch",
                                        "vector1",
                                        "rtview"};
  check_drawing(LEVEL);
  const char *folder = g_getenv("HYDEVS_POWERDEVS");
  for (guint k = 0; folder != NULL && k < G_N_ELEMENTS(shipped); k++) {
    g_autofree char *path = g_strdup_printf("%s/%s.pdm", folder, shipped[k]);
    check_drawing(path);
  }
  if (folder == NULL) {
    puts("HYDEVS_POWERDEVS names no folder with the models of PowerDEVS; only ours was tested");
  }
}

/* LEVEL as XML with WITH in place of each WHAT; its path. */
static char *edited(const char *const (*changes)[2], guint n)
{
  char *text = must_convert(LEVEL, "-");
  for (guint k = 0; k < n; k++) {
    g_auto(GStrv) parts = g_strsplit(text, changes[k][0], -1);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(2, g_strv_length(parts), changes[k][0]);
    g_free(text);
    text = g_strjoinv(changes[k][1], parts);
  }
  char *path = saved("edited.xml", text);
  g_free(text);
  return path;
}

/* FILE as a drawing does what FILE does. Newly allocated: the drawing. */
static char *drawn_alike(const char *file, const char *expected)
{
  g_autofree char *said = NULL;
  char *pdm = converted(file, "a.pdm", NULL, &said);
  TEST_ASSERT_NOT_NULL_MESSAGE(pdm, said);
  TEST_ASSERT_EQUAL_STRING(expected, said);
  g_autofree char *path = saved("alike.pdm", pdm);
  g_autoptr(HyLoaded) one = load(file, NULL), two = load(path, NULL);
  g_autofree char *what = difference(one, two, 5, 20000);
  TEST_ASSERT_NULL_MESSAGE(what, what);
  return pdm;
}

/* Lines of A that are not in B, both but for blanks. */
static char *lines_of_one(const char *a, const char *b)
{
  g_auto(GStrv) one = g_strsplit(a, "\n", -1), two = g_strsplit(b, "\n", -1);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GString) out = g_string_new(NULL);
  for (char **line = two; *line != NULL; line++) {
    g_hash_table_add(known, without_blanks(*line));
  }
  for (char **line = one; *line != NULL; line++) {
    g_autofree char *plain = without_blanks(*line);
    if (!g_hash_table_contains(known, plain)) {
      g_string_append_printf(out, "%s\n", g_strstrip(*line));
    }
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Values, names and places that are changed are written; all else stays as it was drawn. */
static void test_changed_values_go_into_the_drawing(void)
{
  static const char *const changes[][2] = {
      {"<param name=\"A\" value=\"2\"/>", "<param name=\"A\" value=\"3\"/>"},
      {"k=\"1/A, -1, -1\"", "k=\"1/A,-1, -2*k2\""},
      {"method=\"qss3\" dqmin=\"1e-6\"", "method=\"liqss2\" dqmin=\"10n\""},
      {"k=\"k\"/>", "k=\"k1*2\" label=\"the first\"/>"},
      {"value=\"k1\" doc", "value=\"k1/2\" doc"},
      {"to=\"A*0.5\"", "to=\"sin(A)*pi\""},
      {"doc=\"of the tank\"", "doc=\"of another tank\""},
      {"<at block=\"Level\" x=\"200\"", "<at block=\"Level\" x=\"210\""}};
  g_autofree char *file = edited(changes, G_N_ELEMENTS(changes)), *old = contents(LEVEL);
  g_autofree char *expected =
      g_strdup_printf("%s:10: warning: parameter \"k\" is never used\n", file);
  g_autofree char *pdm = drawn_alike(file, expected);
  g_autofree char *more = lines_of_one(pdm, old);
  TEST_ASSERT_EQUAL_STRING("Run at Init = Str; A=3\\; k1=0.2, k2=A/20 ;\n"
                           "K[2] = Str; -2*k2 ;\n"
                           "Description = of another tank\n"
                           "Position = 3150 ; 0\n"
                           "Method = Lst; 8%QSS%QSS2%QSS3%QSS4%BQSS%CQSS%LIQSS%LIQSS2%LIQSS3% ;\n"
                           "dqmin = Str; 10e-9 ;\n"
                           "k = Str; k1/2 ; leak constant\n"
                           "Name = the first\n"
                           "K = Str; k1*2 ; from around\n"
                           "uf = Str; sin(A)*%pi ; flow after\n",
                           more);
}

/* Another structure is drawn anew, with the places, names and notes that are there. */
static void test_another_structure_is_drawn_anew(void)
{
  static const char *const changes[][2] = {
      {"in=\"Net_flow\" method", "in=\"Net_flow - Level/10\" method"},
      {"doc=\"of the tank\"", "doc=\"of the \\ tank; round\""}};
  g_autofree char *file = edited(changes, G_N_ELEMENTS(changes));
  g_autofree char *expected = g_strdup_printf(
      "%s: warning: values stay formulas: PowerDEVS asks a running Scilab for them, and without "
      "one "
      "takes the first number of each\n"
      "%s:7: warning: Level is not as the model was drawn: the drawing is made anew\n",
      file, file);
  g_autofree char *pdm = drawn_alike(file, expected), *plain = without_blanks(pdm);
  static const char *const kept[] = {"Name=waterlevel",
                                     "Name=Level",
                                     "Description=ofthe\\tank,round",
                                     "Annotation(\"twoleaks\"",
                                     "x0=Str;A;",
                                     "RunatInit=Str;A=2\\;k1=0.2\\;k2=A/20;",
                                     "K=Str;%k;",
                                     "k=Str;k1;leakconstant"};
  for (guint k = 0; k < G_N_ELEMENTS(kept); k++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(plain, kept[k]), kept[k]);
  }
}

/* A view whose blocks or lines do not fit is none. */
static void test_a_view_that_does_not_fit_is_not_taken(void)
{
  static const char *const changes[][1][2] = {
      {{"from=\"Level.out[1]\"", "from=\"Tank.out[1]\""}},
      {{"<at block=\"Level\"", "<at block=\"Tank\""}},
      {{"lines=\"5 6 7\"", "lines=\"5 6\""}},
      {{"points=\"45,22 60,22\"", "points=\"45;22\""}},
      {{"ports=\"3 1\"", "ports=\"3\""}},
      {{"raw=\"Str; A*0.5 ; flow after\"", "raw=\"A*0.5\""}},
      {{"<pd:block name=\"Level\"", "<pd:block name=\"Net_flow\""}},
      {{"raw=\"Str; A=2\\; k1=0.2, k2=A/20 ;\"", "raw=\"Str; A= ;\""}}};
  for (guint k = 0; k < G_N_ELEMENTS(changes); k++) {
    g_autofree char *file = edited(changes[k], 1), *said = NULL;
    g_autofree char *pdm = converted(file, "a.pdm", NULL, &said);
    TEST_ASSERT_NOT_NULL_MESSAGE(pdm, said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(pdm, "Name = Parameters"), changes[k][0][1]);
  }
}

static void test_formulas_of_ours_are_expressions_of_scilab(void)
{
  static const char *const pairs[][2] = {
      {"4.7k", "4.7e3"},     {"10m", "10e-3"},  {"3u", "3e-6"},       {"1.5e-3", "1.5e-3"},
      {"1/A", "1/A"},        {"2*pi", "2*%pi"}, {"pi", "1*%pi"},      {"pi*A", "1*%pi*A"},
      {"k", "%k"},           {"k*2", NULL},     {"nobody", NULL},     {"sin(A)", "sin(A)"},
      {"if(A, 1, 2)", NULL}, {"2^A", "2^A"},    {"-A - 1", "-A - 1"}, {"5V", NULL},
      {"A[1]", NULL},        {"", NULL},        {"limit(A)", NULL}};
  g_autoptr(PdmFile) file = pdm_file_new("a.pdm");
  PdmBlock *scope = file->root = pdm_block_new(NULL, TRUE, 0);
  const PdmParam k = {.name = "k", .type = "Str", .value = "1", .raw = "Str; 1 ; ", .doc = ""};
  g_array_append_val(scope->params, k);
  g_autoptr(Scilab) s = scilab_new();
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE(scilab_run(s, "A=2", 0, &why));
  for (guint p = 0; p < G_N_ELEMENTS(pairs); p++) {
    g_autofree char *text = pdm_expression(pairs[p][0], scope, s);
    if (pairs[p][1] == NULL) {
      TEST_ASSERT_NULL_MESSAGE(text, pairs[p][0]);
    } else {
      TEST_ASSERT_EQUAL_STRING_MESSAGE(pairs[p][1], text, pairs[p][0]);
    }
  }
}

/* Ours ------------------------------------------------------------------------------------------
 */

static const char formulas[] =
    "<!-- water // and wine -->\n"
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"two\" label=\"Two tanks\" doc=\"one, then the other\">\n"
    "  <!-- of the\n       first -->\n"
    "  <param name=\"A\" value=\"2\"/>\n"
    "  <param name=\"R\" value=\"A/20\"/>\n"
    "  <!-- \"x\" \\ is its level -->\n"
    "  <integrator name=\"x\" method=\"qss2\" in=\"g\" x0=\"2*A\" doc=\"level; of the first\"/>\n"
    "  <gain name=\"g\" in=\"x\" k=\"-1/R*0.1\"/> <!-- a leak -->\n"
    "  <sum name=\"s\" in=\"x, c.o\" k=\"R, -A*pi\"/>\n"
    "  <!-- inside -->\n"
    "  <coupled name=\"c\" u=\"g\"><in name=\"u\"/><param name=\"r\" value=\"2*R\" doc=\"loss\"/>\n"
    "    <integrator name=\"y\" method=\"qss3\" in=\"l\" x0=\"r\"/>\n"
    "    <!-- back -->\n"
    "    <sum name=\"l\" in=\"u, y\" k=\"-1, -0.5\"/><out name=\"o\" from=\"y\"/>\n"
    "  </coupled>\n"
    "  <experiment stop=\"3\" record=\"s\"/>\n"
    "</hydevs>\n";

static void test_formulas_descriptions_and_comments_are_kept(void)
{
  g_autofree char *file = saved("formulas.xml", formulas);
  g_autofree char *expected = g_strdup_printf(
      "%s: warning: values stay formulas: PowerDEVS asks a running Scilab for them, "
      "and without one takes the first number of each\n",
      file);
  g_autofree char *pdm = drawn_alike(file, expected);
  g_autofree char *drawing = saved("formulas.pdm", pdm);
  g_autofree char *xml = must_convert(drawing, "-");
  static const char *const kept[] = {
      "<!-- water // and wine -->\n<hydevs",
      "label=\"Two tanks\" doc=\"one, then the other\"",
      "<!-- of the\n       first -->\n  <param name=\"A\" value=\"2\"/>\n",
      "<param name=\"R\" value=\"A/20\"/>",
      "<!-- \"x\" \\ is its level -->\n  <integrator name=\"x\" doc=\"level, of the first\"",
      "x0=\"2*A\"",
      "<!-- a leak -->\n  <gain name=\"g\"",
      "k=\"-1/R*0.1\"",
      "k=\"R, -A*pi\"",
      "<!-- inside -->\n  <coupled name=\"c\"",
      "<param name=\"r\" value=\"2*R\" doc=\"loss\"/>",
      "x0=\"r\"",
      "<!-- back -->\n    <sum name=\"l\""};
  for (guint k = 0; k < G_N_ELEMENTS(kept); k++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(xml, kept[k]), xml);
  }
  /* And the XML of that drawing is drawn as that drawing. */
  g_autofree char *second = saved("second.xml", xml);
  g_autofree char *again = drawn_alike(second, "");
  g_autofree char *a = without_blanks(pdm), *b = without_blanks(again);
  TEST_ASSERT_EQUAL_STRING(a, b);
}

/* Drawings of thousands of blocks are read again where no sanitizer makes that last long. */
#if defined(__SANITIZE_ADDRESS__)
#define LARGEST 200000
#else
#define LARGEST 100000000
#endif

/* What a drawing has no words for, of the models below. */
static const char *const undrawn[][2] = {
    {"docs/lessons/10-solution.xml", "valve cannot be drawn"},
    {"docs/lessons/10.xml", "valve cannot be drawn"},
    {"examples/algebraic-loop/implicit.xml", "formula cannot be said in a few words"},
    {"examples/circuit/inverter.xml", "transistor cannot be drawn"},
    {"examples/exercises/tanks/model.xml", "in PowerDEVS the event at reset has the value"},
    {"examples/circuit/model.xml", "valve cannot be drawn"},
    {"examples/power/boost-pi/model.xml", "valve cannot be drawn"},
    {"examples/power/ev-charger/model.xml", "valve cannot be drawn"},
    {"examples/power/flyback/model.xml", "valve cannot be drawn"},
    {"examples/power/interleaved-buck/model.xml", "valve cannot be drawn"},
    {"examples/power/llc/model.xml", "valve cannot be drawn"},
    {"examples/power/mmc/model.xml", "transistor cannot be drawn"},
    {"examples/power/npc/model.xml", "valve cannot be drawn"},
    {"examples/power/rectifier/model.xml", "valve cannot be drawn"},
    {"examples/machines/injector.xml", "a machine cannot be drawn"},
    {"examples/machines/lift.xml", "a machine cannot be drawn"},
    {"examples/machines/light.xml", "a machine cannot be drawn"},
    {"examples/machines/vending.xml", "a machine cannot be drawn"},
    {"docs/lessons/11-solution.xml", "a machine cannot be drawn"},
    {"docs/lessons/11.xml", "a machine cannot be drawn"},
    {"examples/measures/model.xml", "transistor cannot be drawn"},
    {"examples/power/thyristor-drive/model.xml", "valve cannot be drawn"},
    {"tests/models/circuits/boost.xml", "valve cannot be drawn"},
    {"tests/models/circuits/bridge.xml", "valve cannot be drawn"},
    {"tests/models/circuits/buck-ls.xml", "valve cannot be drawn"},
    {"tests/models/circuits/cuk-ls.xml", "valve cannot be drawn"},
    {"tests/models/circuits/full-bridge.xml", "transistor cannot be drawn"},
    {"tests/models/circuits/thyristors.xml", "valve cannot be drawn"},
    {"tests/models/fmi/heated.xml", "a machine cannot be drawn"},
    {"tests/models/fmi/heater.xml", "an input of the model itself cannot be drawn"},
    {"tests/models/fmi/plant.xml", "an input of the model itself cannot be drawn"},
    {"tests/models/fmi/thermostat.xml", "an input of the model itself cannot be drawn"}};

/* Drawn, and what happens is the same, but not event by event: a comparator with a level is a
 * difference before one without; methods that PowerDEVS does not have are QSS3. */
static const char *const otherwise[] = {"examples/multirate/model.xml",
                                        "tests/models/buck-heatsink.xml", "tests/models/voter.xml",
                                        "tests/models/zero-at-start.xml"};

/* No models: suites, and one with a block of a shared object. */
static const char *const others[] = {"examples/own-block/street.xml", "examples/power/suite.xml",
                                     "examples/thesis/suite.xml"};

static const char *reason(const char *name)
{
  for (guint k = 0; k < G_N_ELEMENTS(undrawn); k++) {
    if (strcmp(undrawn[k][0], name) == 0) {
      return undrawn[k][1];
    }
  }
  return NULL;
}

static gboolean is_in(const char *const *names, guint n, const char *name)
{
  guint k = 0;
  while (k < n && strcmp(names[k], name) != 0) {
    k++;
  }
  return k < n;
}

/* NAME, by qss2 with the tolerances that a drawing has no place for, as a drawing and back. TRUE:
 * it can be drawn. */
static gboolean check_ours(const char *name)
{
  g_autofree char *file = g_build_filename(HY_SOURCE_DIR, name, NULL), *said = NULL;
  g_autofree char *pdm = converted(file, "a.pdm", "qss2", &said);
  if (reason(name) != NULL) {
    TEST_ASSERT_NULL_MESSAGE(pdm, name);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, reason(name)), said);
    return FALSE;
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(pdm, said);
  if (strlen(pdm) > LARGEST) {
    return TRUE;
  }
  g_autofree char *drawing = saved("ours.pdm", pdm);
  g_autofree char *xml = must_convert(drawing, "-");
  g_autofree char *back = saved("ours.xml", xml);
  g_autoptr(HyLoaded) ours = load(file, "qss2"), theirs = load(back, "qss2");
  double stop = hy_loaded_experiment(ours)->stop;
  g_autofree char *what = difference(ours, theirs, isnan(stop) ? 10 : stop, 4000);
  g_autofree char *message = g_strdup_printf("%s: %s", name, what != NULL ? what : "same");
  TEST_ASSERT_TRUE_MESSAGE((what == NULL) != is_in(otherwise, G_N_ELEMENTS(otherwise), name),
                           message);
  return TRUE;
}

static guint check_folder(const char *folder)
{
  g_autofree char *path = g_build_filename(HY_SOURCE_DIR, folder, NULL);
  g_autoptr(GDir) at = g_dir_open(path, 0, NULL);
  guint drawn = 0;
  for (const char *entry; at != NULL && (entry = g_dir_read_name(at)) != NULL;) {
    g_autofree char *name = g_build_filename(folder, entry, NULL);
    g_autofree char *full = g_build_filename(HY_SOURCE_DIR, name, NULL);
    if (g_file_test(full, G_FILE_TEST_IS_DIR)) {
      drawn += check_folder(name);
    } else if (g_str_has_suffix(entry, ".xml") && !is_in(others, G_N_ELEMENTS(others), name)) {
      drawn += check_ours(name);
    }
  }
  return drawn;
}

/* xml -> pdm -> xml has the same events, for all models of the repository but those above. */
static void test_models_of_ours_come_back_with_the_same_events(void)
{
  guint drawn =
      check_folder("examples") + check_folder("tests/models") + check_folder("docs/lessons");
  TEST_ASSERT_GREATER_OR_EQUAL_UINT(70, drawn);
}

/* A lever that a knob can be is one, and comes back as a lever; what a knob cannot say stays ours.
 */
static void test_a_knob_is_a_lever(void)
{
  static const char model[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"panel\">"
      "<lever name=\"turn\" value=\"53\" lower=\"-5\" upper=\"300\"/>"
      "<lever name=\"air\" kind=\"outside\" value=\"2\" lower=\"0\" upper=\"4\"/>"
      "<lever name=\"free\" value=\"1\"/>"
      "<integrator name=\"x\" in=\"turn - air*x - free\" method=\"qss3\"/>"
      "<experiment stop=\"5\" record=\"x\"/></hydevs>";
  g_autofree char *file = saved("panel.xml", model);
  g_autofree char *said = NULL, *pdm = converted(file, "a.pdm", NULL, &said);
  TEST_ASSERT_NOT_NULL_MESSAGE(pdm, said);
  const char *knob = strstr(pdm, "rtview_knob.h");
  TEST_ASSERT_NOT_NULL_MESSAGE(knob, pdm);
  TEST_ASSERT_NULL_MESSAGE(strstr(knob + 1, "rtview_knob"), pdm);
  TEST_ASSERT_NOT_NULL(strstr(pdm, "Min = Str; -5 "));
  TEST_ASSERT_NOT_NULL(strstr(pdm, "Max = Str; 300 "));
  g_autofree char *path = saved("panel.pdm", pdm), *xml = must_convert(path, "-");
  TEST_ASSERT_NOT_NULL_MESSAGE(
      strstr(xml, "<lever name=\"turn\" lower=\"-5\" upper=\"300\" value=\"53\""), xml);
  g_autoptr(HyLoaded) one = load(file, NULL), two = load(path, NULL);
  g_autofree char *what = difference(one, two, 5, 20000);
  TEST_ASSERT_NULL_MESSAGE(what, what);
}

int main(void)
{
  dir = g_dir_make_tmp("hydevs-round-XXXXXX", NULL);
  UNITY_BEGIN();
  RUN_TEST(test_a_drawing_comes_back_as_it_was);
  RUN_TEST(test_changed_values_go_into_the_drawing);
  RUN_TEST(test_another_structure_is_drawn_anew);
  RUN_TEST(test_a_view_that_does_not_fit_is_not_taken);
  RUN_TEST(test_formulas_of_ours_are_expressions_of_scilab);
  RUN_TEST(test_formulas_descriptions_and_comments_are_kept);
  RUN_TEST(test_models_of_ours_come_back_with_the_same_events);
  RUN_TEST(test_a_knob_is_a_lever);
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  for (const char *name; files != NULL && (name = g_dir_read_name(files)) != NULL;) {
    g_autofree char *path = g_build_filename(dir, name, NULL);
    g_remove(path);
  }
  g_rmdir(dir);
  g_free(dir);
  return UNITY_END();
}
