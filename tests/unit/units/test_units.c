/* Units (FMUs) as blocks: two after the text of the standard alone against closed forms, those of
 * hydevs against the model that they are made of, and what is no unit. */
#include "fmu/zip.h"
#include "hydevs/hydevs.h"
#include "units/inflate.h"
#include "units/unzip.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unity.h>

static char *folder;

void setUp(void)
{
  folder = g_dir_make_tmp("units-XXXXXX", NULL);
}

void tearDown(void)
{
  g_autofree char *command = g_strdup_printf("rm -rf '%s'", folder);
  TEST_ASSERT_EQUAL_INT(0, system(command)); /* NOLINT: of this test */
  g_free(folder);
}

/* Units -----------------------------------------------------------------------------------------
 */

static void add(HyZip *zip, const char *name, const char *text)
{
  TEST_ASSERT_TRUE(hy_zip_add(zip, name, text, strlen(text)));
}

/* NAME.fmu in `folder` of a description and a shared object (NULL: none) for PLATFORM (NULL: this
 * one). */
static char *unit_made(const char *name, const char *description, const char *object,
                       const char *platform)
{
  struct utsname here;
  uname(&here);
  g_autofree char *own = g_strdup_printf("%s-linux", here.machine);
  g_autofree char *to =
      g_strdup_printf("binaries/%s/%s.so", platform != NULL ? platform : own, name);
  HyZip zip;
  hy_zip_init(&zip);
  add(&zip, "modelDescription.xml", description);
  if (object != NULL) {
    g_autofree char *bytes = NULL;
    gsize size;
    TEST_ASSERT_TRUE(g_file_get_contents(object, &bytes, &size, NULL));
    TEST_ASSERT_TRUE(hy_zip_add(&zip, to, bytes, size));
  }
  g_autoptr(GByteArray) archive = hy_zip_end(&zip);
  hy_zip_clear(&zip);
  g_autofree char *file = g_strdup_printf("%s/%s.fmu", folder, name);
  TEST_ASSERT_TRUE(g_file_set_contents(file, (char *)archive->data, archive->len, NULL));
  return g_steal_pointer(&file);
}

#define ROOT(token) "<fmiModelDescription fmiVersion='3.0' instantiationToken='" token "'>"
static const char ball[] = ROOT(
    "{ball}") "<CoSimulation modelIdentifier='ball' hasEventMode='true' "
              "mightReturnEarlyFromDoStep='true' "
              "canHandleVariableCommunicationStepSize='true'/><DefaultExperiment stepSize='0.05'/>"
              "<ModelVariables>"
              "<Float64 name='h' valueReference='1' causality='output'/>"
              "<Float64 name='der(h)' valueReference='2' causality='output'/>"
              "<Float64 name='g' valueReference='3' causality='parameter' variability='fixed' "
              "start='9.81'/>"
              "<Float64 name='e' valueReference='4' causality='parameter' variability='tunable' "
              "start='0.7'/>"
              "<Int32 name='bounces' valueReference='5' causality='output'/>"
              "<Int32 name='last' valueReference='6' causality='parameter' variability='fixed' "
              "start='1000'/>"
              "<Float64 name='inside' valueReference='9'/>"
              "</ModelVariables></fmiModelDescription>";
static const char dahlquist[] =
    ROOT("{dahlquist}") "<CoSimulation modelIdentifier='dahlquist' "
                        "canHandleVariableCommunicationStepSize='true' "
                        "fixedInternalStepSize='0.1'/><ModelVariables>"
                        "<Float64 name='x' valueReference='1' causality='output'/>"
                        "<Float64 name='u' valueReference='2' causality='input' start='0'/>"
                        "<Float64 name='k' valueReference='3' causality='parameter' "
                        "variability='fixed' start='1'/>"
                        "<Int64 name='bad' valueReference='4' causality='parameter' "
                        "variability='fixed' start='0'/>"
                        "<Boolean name='on' valueReference='5' causality='parameter' "
                        "variability='fixed' start='true'/>"
                        "<String name='label' valueReference='6' causality='parameter' "
                        "variability='fixed'>"
                        "<Start value='a text'/></String>"
                        "</ModelVariables></fmiModelDescription>";

/* Runs ------------------------------------------------------------------------------------------
 */

typedef struct {
  HyBlocks *blocks;
  HyLoaded *loaded;
  HyRun *run;
  char *why; /* NULL: all is well */
} Ran;

/* MODEL, the inside of a root, with UNIT (NULL: none). */
static Ran run(const char *model, const char *unit)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s</hydevs>", model);
  Ran r = {.blocks = hy_blocks_new()};
  if (unit != NULL && !hy_blocks_open(r.blocks, unit, &error)) {
    r.why = g_strdup(error->message);
    return r;
  }
  r.loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.blocks = r.blocks}, report);
  if (r.loaded == NULL) {
    r.why = hy_report_text(report);
    return r;
  }
  r.run = hy_run_new(r.loaded, NULL, &error);
  if (r.run == NULL || !hy_run_record(r.run, &error) || !hy_run_go(r.run, &error)) {
    r.why = g_strdup(error->message);
  }
  return r;
}

static void ran_free(Ran *r)
{
  hy_run_free(r->run);
  hy_loaded_free(r->loaded);
  hy_blocks_free(r->blocks);
  g_free(r->why);
}

static const HyRecorder *table(const Ran *r)
{
  TEST_ASSERT_NULL_MESSAGE(r->why, r->why);
  return hy_run_table(r->run, 0);
}

static void refused(const char *model, const char *unit, const char *wanted)
{
  Ran r = run(model, unit);
  TEST_ASSERT_NOT_NULL_MESSAGE(r.why, wanted);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(r.why, wanted), r.why);
  ran_free(&r);
}

/* h = 1 - g t^2/2 until sqrt(2/g); each flight is e times as long as the one before. */
static void test_events_of_a_unit_come_at_their_instants(void)
{
  g_autofree char *file = unit_made("ball", ball, HY_UNIT_BALL, NULL);
  Ran r = run("<ball name='b' e='0.5' step='0.3'/><experiment stop='1.34' record='b.bounces b.h "
              "b.der_h_'/>",
              file);
  const HyRecorder *t = table(&r);
  double at = sqrt(2 / 9.81), speed = 9.81 * at;
  guint bounces = 0;
  for (guint64 k = 1; k < hy_recorder_rows(t); k++) {
    if (hy_recorder_value(t, k, 0) != hy_recorder_value(t, k - 1, 0)) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, at, hy_recorder_time(t, k));
      bounces++;
      TEST_ASSERT_EQUAL_DOUBLE(bounces, hy_recorder_value(t, k, 0));
      speed *= 0.5;
      at += 2 * speed / 9.81;
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(5, bounces); /* all of them are over at 3 sqrt(2/g) = 1.35 */
  ran_free(&r);
}

static void test_a_unit_may_end_the_run(void)
{
  g_autofree char *file = unit_made("ball", ball, HY_UNIT_BALL, NULL);
  Ran r = run("<ball name='b' last='2'/><experiment stop='5' record='b.bounces'/>", file);
  const HyRecorder *t = table(&r);
  double at = sqrt(2 / 9.81) * (1 + 2 * 0.7);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, at, hy_recorder_end(t));
  TEST_ASSERT_NOT_NULL(
      strstr(hy_sim_finished(hy_run_sim(r.run)), "has ended the simulation at t = "));
  ran_free(&r);
}

/* Euler's steps of 0.1, asked for at each fifth of them. */
static void test_values_of_a_unit_are_those_that_it_says(void)
{
  g_autofree char *file = unit_made("dahlquist", dahlquist, HY_UNIT_DAHLQUIST, NULL);
  Ran r = run("<dahlquist name='d' k='0.5' u='0.25' step='0.5'/><experiment stop='5' record='d.x' "
              "grid='0.5'/>",
              file);
  const HyRecorder *t = table(&r);
  double x = 1;
  for (guint k = 0; k <= 10; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, x, hy_recorder_value(t, k, 0));
    for (guint i = 0; i < 5; i++) {
      x += 0.1 * (0.25 - 0.5 * x);
    }
  }
  ran_free(&r);
}

/* Without states it takes a word at the end of the step in which that comes: 0.73 counts from 0.8
 * on. */
static void test_a_unit_without_states_takes_a_word_after_its_step(void)
{
  g_autofree char *file = unit_made("dahlquist", dahlquist, HY_UNIT_DAHLQUIST, NULL);
  Ran r = run("<step name='s' at='0.73' to='2'/><dahlquist name='d' u='s' step='0.1'/>"
              "<experiment stop='2' record='d.x' grid='0.1'/>",
              file);
  const HyRecorder *t = table(&r);
  double x = 1;
  for (guint k = 0; k <= 20; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, x, hy_recorder_value(t, k, 0));
    x += 0.1 * ((k < 8 ? 0 : 2) - x);
  }
  ran_free(&r);
}

/* Units of hydevs -------------------------------------------------------------------------------
 */

#define PLANT                                                                                      \
  "<param name='A' value='2'/><in name='inflow'/><integrator name='h' in='(inflow - 0.5*h)/A' "    \
  "x0='1'/>"                                                                                       \
  "<hysteresis name='b' in='h' lower='0.8' upper='1.5'/><out name='level' from='h'/><out "         \
  "name='full' from='b'/>"
#define CONTROLLER                                                                                 \
  "<in name='full'/><function name='u' formula='if(full > 0.5, 0.1, 2)'/><out name='valve' "       \
  "from='u'/>"

static char *exported(const char *name, const char *model)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GString) out = g_string_new(NULL);
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns='urn:hydevs:1' name='%s'>%s<experiment stop='60'/></hydevs>", name, model);
  g_autofree char *file = g_strdup_printf("%s/%s.xml", folder, name);
  g_autofree char *unit = g_strdup_printf("%s/%s.fmu", folder, name);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &(HyLoadOptions){.fed = TRUE}, report);
  gboolean ok = loaded != NULL && hy_fmu_write(loaded, NULL, NULL, NULL, out, report, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE(g_file_set_contents(unit, out->str, (gssize)out->len, NULL));
  return g_steal_pointer(&unit);
}

static void same_run(const Ran *one, const Ran *other)
{
  const HyRecorder *a = table(one), *b = table(other);
  TEST_ASSERT_EQUAL_UINT64(hy_recorder_rows(a), hy_recorder_rows(b));
  for (guint64 k = 0; k < hy_recorder_rows(a); k++) {
    for (guint c = 0; c < hy_recorder_n(a); c++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, hy_recorder_value(a, k, c), hy_recorder_value(b, k, c));
    }
  }
}

/* The controller acts at 29 events of the plant, none of which is on the grid of its steps. */
static void test_a_plant_as_a_unit_is_the_plant(void)
{
  g_autofree char *unit = exported("plant", PLANT);
  Ran one =
      run("<type name='plant'>" PLANT "</type><block name='p' type='plant' inflow='u' A='1.7'/>"
          "<function name='u' formula='if(p.full > 0.5, 0.1, 2)'/>"
          "<experiment stop='60' record='p.level p.full u' grid='0.1'/>",
          NULL);
  Ran two = run("<plant name='p' inflow='u' A='1.7' step='0.1'/>"
                "<function name='u' formula='if(p.full > 0.5, 0.1, 2)'/>"
                "<experiment stop='60' record='p.level p.full u' grid='0.1'/>",
                unit);
  same_run(&one, &two);
  HyTotals totals;
  hy_sim_totals(hy_run_sim(two.run), &totals);
  TEST_ASSERT_GREATER_THAN_UINT64(20, totals.toggles);
  ran_free(&one);
  ran_free(&two);
}

/* A source whose words fall between communication points sends the unit back. */
static void test_a_unit_goes_back_for_a_word(void)
{
  g_autofree char *unit = exported("plant", PLANT);
  static const char around[] = "<step name='s' at='1.2345' to='0.3'/>"
                               "<experiment stop='9' record='p.level' grid='0.5'/>";
  g_autofree char *whole = g_strconcat(
      "<type name='plant'>" PLANT "</type><block name='p' type='plant' inflow='s'/>", around, NULL);
  g_autofree char *split = g_strconcat("<plant name='p' inflow='s' step='0.5'/>", around, NULL);
  Ran one = run(whole, NULL), two = run(split, unit);
  same_run(&one, &two);
  ran_free(&one);
  ran_free(&two);
}

static void test_a_unit_runs_on_every_engine_and_twice(void)
{
  g_autofree char *unit = exported("plant", PLANT);
  static const char *const engines[] = {"tree", "flat", "fused"};
  Ran r = run("<plant name='p' inflow='1' step='0.1'/><plant name='q' inflow='p.level' step='0.1'/>"
              "<experiment stop='5' record='p.level q.level' grid='0.1'/>",
              unit);
  for (guint k = 0; k < 3; k++) {
    g_autoptr(GError) error = NULL;
    HyRunSettings s = HY_RUN_SETTINGS;
    s.engine = engines[k];
    Ran again = r;
    again.run = hy_run_new(r.loaded, &s, &error);
    TEST_ASSERT_TRUE(again.run != NULL && hy_run_record(again.run, &error) &&
                     hy_run_go(again.run, &error));
    same_run(&r, &again);
    g_autoptr(HySnapshot) none = hy_sim_save(hy_run_sim(again.run), &error);
    TEST_ASSERT_NULL(none);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "the state of a unit"), error->message);
    hy_run_free(again.run);
  }
  ran_free(&r);
}

/* What is wrong ---------------------------------------------------------------------------------
 */

static void test_a_unit_that_misbehaves_is_told_of_in_its_words(void)
{
  g_autofree char *file = unit_made("dahlquist", dahlquist, HY_UNIT_DAHLQUIST, NULL);
#define BAD(n) "<dahlquist name='d' bad='" n "'/><experiment stop='2' record='d.x'/>"
  refused(BAD("1"), file, "dahlquist.fmu: fmi3DoStep: the tank is on fire at t = 0.5");
  refused(BAD("2"), file, "dahlquist.fmu: x: the unit says nan");
  refused(BAD("3"), file, "dahlquist.fmu: fmi3DoStep: it says that it has gone elsewhere");
  refused(BAD("4"), file,
          "dahlquist.fmu: fmi3EnterInitializationMode: there is no \\x1b[31mlicence for this");
  refused(BAD("1.5"), file, "dahlquist.fmu: bad: 1.5 is no value of its type");
}

static void test_names_that_a_unit_has_not_are_told_with_the_nearest(void)
{
  g_autofree char *file = unit_made("dahlquist", dahlquist, HY_UNIT_DAHLQUIST, NULL);
  refused("<dahlquist name='d' kk='1'/><experiment stop='2' record='d.x'/>", file, "kk");
  refused(
      "<dahlquist name='d'/><function name='f' formula='d.y'/><experiment stop='2' record='f'/>",
      file, "dahlquist d has no output \"y\"; it has: x");
  refused("<dahlquis name='d'/><experiment stop='2' record='d'/>", file,
          "did you mean \"dahlquist\"");
}

static void test_what_is_no_unit_is_refused(void)
{
  g_autofree char *none = g_build_filename(folder, "none.fmu", NULL);
  refused("", none, "No such file");
  TEST_ASSERT_TRUE(g_file_set_contents(none, "no archive at all, but long enough", -1, NULL));
  refused("", none, "none.fmu: it is no ZIP archive");
  static const struct {
    const char *description, *platform, *wanted;
  } wrong[] = {
      {"<fmiModelDescription fmiVersion='2.0' guid='a'/>", NULL,
       "it is a unit of FMI 2.0; those of FMI 3.0"},
      {ROOT("t") "<ModelExchange modelIdentifier='u'/></fmiModelDescription>", NULL,
       "it is no unit for co-simulation"},
      {"<html/>", NULL, "is none of a unit"},
      {"<fmiModel", NULL, "is no XML"},
      {ROOT("t") "<CoSimulation/></fmiModelDescription>", NULL, "has no modelIdentifier"},
      {ROOT("t") "<CoSimulation modelIdentifier='u'/></fmiModelDescription>", "riscv256-linux",
       "it cannot be run here: it has no binaries/"},
      {ROOT("t") "<CoSimulation modelIdentifier='other'/></fmiModelDescription>", NULL,
       "it cannot be loaded"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autofree char *file = unit_made("u", wrong[k].description, HY_UNIT_BALL, wrong[k].platform);
    refused("", file, wrong[k].wanted);
  }
  g_autofree char *object = unit_made(
      "u", ROOT("t") "<CoSimulation modelIdentifier='u'/></fmiModelDescription>", HY_LIBRARY, NULL);
  refused("", object, "its shared object has no fmi3");
  g_autofree char *taken = unit_made("relay", dahlquist, HY_UNIT_DAHLQUIST, NULL);
  refused("", taken, "it cannot be loaded");
}

/* Archives --------------------------------------------------------------------------------------
 */

/* What gzip makes of N bytes, with head and tail taken away, comes back. */
static void comes_back(const guint8 *bytes, gsize n, const char *level)
{
  g_autofree char *in = g_build_filename(folder, "in", NULL), *out = g_strconcat(in, ".gz", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(in, (const char *)bytes, (gssize)n, NULL));
  g_autofree char *command = g_strdup_printf("gzip -n -f %s '%s'", level, in);
  TEST_ASSERT_EQUAL_INT(0, system(command)); /* NOLINT: of this test */
  g_autofree char *packed = NULL;
  gsize size;
  TEST_ASSERT_TRUE(g_file_get_contents(out, &packed, &size, NULL));
  g_autofree guint8 *back = g_malloc(n + 1);
  const guint8 *from = (guint8 *)packed + 10;
  TEST_ASSERT_TRUE(hy_inflate(from, size - 18, back, n));
  TEST_ASSERT_EQUAL_INT(0, memcmp(back, bytes, n));
  for (gsize cut = 0; cut < size - 18 && cut < 300; cut++) { /* all of it is needed */
    g_autofree guint8 *part = g_memdup2(from, cut); /* of its own, so that a byte more is seen */
    TEST_ASSERT_FALSE(hy_inflate(part, cut, back, n));
  }
  TEST_ASSERT_FALSE(hy_inflate(from, size - 18, back, n - 1));
}

static void test_what_is_compressed_comes_back(void)
{
  g_autofree char *text = NULL;
  gsize size;
  TEST_ASSERT_TRUE(g_file_get_contents(HY_SOURCE_DIR "/docs/c.md", &text, &size, NULL));
  guint8 noise[70000];
  guint32 x = 1;
  for (guint k = 0; k < sizeof noise; k++) {
    x = x * 1664525 + 1013904223;
    noise[k] = (guint8)(x >> 24);
  }
  comes_back((guint8 *)text, size, "-9"); /* codes of its own */
  comes_back((guint8 *)text, size, "-1");
  comes_back(noise, sizeof noise, "-9");                            /* stored */
  comes_back((const guint8 *)"aaaaaaaaaaaaaaaaaaaaaaab", 24, "-9"); /* fixed codes */
  memset(noise, 7, sizeof noise);
  comes_back(noise, sizeof noise, "-9"); /* the longest repetitions */
}

static void test_archives_that_lead_out_are_refused(void)
{
  static const char *const names[] = {"../a", "/etc/a", "a/../../b", "a\\b", "", "./a"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    HyZip zip;
    hy_zip_init(&zip);
    add(&zip, names[k], "text");
    g_autoptr(GByteArray) archive = hy_zip_end(&zip);
    hy_zip_clear(&zip);
    HyUnzip z;
    g_autofree char *why = NULL;
    TEST_ASSERT_FALSE_MESSAGE(hy_unzip_open(&z, archive->data, archive->len, &why), names[k]);
    TEST_ASSERT_EQUAL_STRING("a file of it would be unpacked elsewhere", why);
    hy_unzip_clear(&z);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_events_of_a_unit_come_at_their_instants);
  RUN_TEST(test_a_unit_may_end_the_run);
  RUN_TEST(test_values_of_a_unit_are_those_that_it_says);
  RUN_TEST(test_a_unit_without_states_takes_a_word_after_its_step);
  RUN_TEST(test_a_plant_as_a_unit_is_the_plant);
  RUN_TEST(test_a_unit_goes_back_for_a_word);
  RUN_TEST(test_a_unit_runs_on_every_engine_and_twice);
  RUN_TEST(test_a_unit_that_misbehaves_is_told_of_in_its_words);
  RUN_TEST(test_names_that_a_unit_has_not_are_told_with_the_nearest);
  RUN_TEST(test_what_is_no_unit_is_refused);
  RUN_TEST(test_what_is_compressed_comes_back);
  RUN_TEST(test_archives_that_lead_out_are_refused);
  return UNITY_END();
}
