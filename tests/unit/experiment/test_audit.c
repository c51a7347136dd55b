/* The audit of a run: quiet on what is right, with the same recording; and where the text is made
 * to say something else than the run does, it rings. */
#include "coupled/written.h"
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

static HyReport *report;
static GError *error;

void setUp(void)
{
  report = hy_report_new();
}

void tearDown(void)
{
  g_clear_pointer(&report, hy_report_free);
  g_clear_error(&error);
}

static HyLoaded *load(const char *body, const char *audit)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  HyLoaded *loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.audit = audit}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static HyRun *start(const HyLoaded *loaded, const char *engine)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  TEST_ASSERT_TRUE(hy_run_record(run, &error));
  return run;
}

static const char falling[] =
    "<integrator name='x' in='f' x0='1'/><function name='f' formula='-2.5*x'/>"
    "<function name='y' formula='3*x + 1'/>"
    "<experiment stop='2' method='qss2' record='x y'/>";
static const char rectifier[] =
    "<circuit name='c'><voltage name='U' nodes='a 0' value='10*sin(2*pi*50*t)'/>"
    "<ideal_diode name='D' nodes='a b'/><capacitor name='C' nodes='b 0' C='100u'/>"
    "<resistor name='R' nodes='b 0' R='100'/></circuit>"
    "<experiment stop='50m' record='c/D.i c/C.v' grid='1m'/>";

/* The same numbers whether it is audited or not, on every engine. */
static void check_same(const char *body)
{
  static const char *const engines[] = {"tree", "flat", "fused"}, *const how[] = {"warn", "full"};
  g_autoptr(HyLoaded) plain = load(body, NULL);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) was = start(plain, engines[e]);
    TEST_ASSERT_TRUE(hy_run_go(was, &error));
    for (guint k = 0; k < G_N_ELEMENTS(how); k++) {
      g_autoptr(HyLoaded) loaded = load(body, how[k]);
      g_autoptr(HyRun) run = start(loaded, engines[e]);
      gboolean ok = hy_run_go(run, &error);
      TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
      const HyRecorder *a = hy_run_table(was, 0), *b = hy_run_table(run, 0);
      TEST_ASSERT_EQUAL_UINT64(hy_recorder_rows(a), hy_recorder_rows(b));
      for (guint64 row = 0; row < hy_recorder_rows(a); row++) {
        for (guint c = 0; c < hy_recorder_n(a); c++) {
          double x = hy_recorder_value(a, row, c), y = hy_recorder_value(b, row, c);
          TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
        }
      }
    }
  }
}

static void test_what_is_recorded_is_the_same(void)
{
  check_same(falling);
  check_same(rectifier);
}

/* y is a thousand times a small difference of large numbers: whoever reads it is warned, and only
 * then. */
static void test_who_checks_is_no_reader(void)
{
  static const char body[] =
      "<function name='u' formula='100 + 10*sin(20*t)'/>"
      "<integrator name='x' x0='100' in='(u - x)/1m'/><function name='y' formula='(u - x)/1m'/>"
      "<experiment stop='0.2' method='qss2' record='%s'/>";
  static const char *const columns[] = {"x y", "x", "x"}, *const how[] = {NULL, NULL, "full"};
  for (guint k = 0; k < G_N_ELEMENTS(how); k++) {
    g_autofree char *text = g_strdup_printf(body, columns[k]);
    g_autoptr(HyLoaded) loaded = load(text, how[k]);
    g_autoptr(HyRun) run = start(loaded, NULL);
    TEST_ASSERT_TRUE(hy_run_go(run, &error));
    hy_report_run(report, run);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_EQUAL_MESSAGE(k == 0, strstr(said, "it is wrong by") != NULL, said);
    hy_report_free(report);
    report = hy_report_new();
  }
}

static void test_it_says_what_it_has_looked_at(void)
{
  g_autoptr(HyLoaded) loaded = load(rectifier, "full");
  g_autoptr(HyRun) run = start(loaded, NULL);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  HyAudited a;
  TEST_ASSERT_TRUE(hy_run_audit(run, &a));
  TEST_ASSERT_EQUAL_INT(HY_AUDIT_FULL, a.mode);
  TEST_ASSERT_EQUAL_UINT(0, a.n_breaches);
  TEST_ASSERT_EQUAL_UINT64(a.stretches, a.looks);
  guint n = 0;
  for (guint k = 0; k < a.n_counts; k++) {
    n += a.counts[k].judged > 0 && strchr("XVD", a.counts[k].check[0]) != NULL;
  }
  TEST_ASSERT_EQUAL_UINT(3, n);
}

/* The number WAS of the text of the model becomes IS, which the run knows nothing of. */
static void tamper(HyLoaded *loaded, double was, double is)
{
  HyModel *model = hy_loaded_model(loaded);
  guint n = 0;
  for (guint k = 0; k < hy_model_n(model); k++) {
    HyWritten *w = (HyWritten *)(gpointer)hy_model_written(model, hy_model_number(model, k));
    for (guint at = 0; w != NULL && at < 3; at++) {
      if (w[at].kind == HY_F_NUMBER && w[at].number == was) {
        w[at].number = is;
        n++;
      }
    }
  }
  TEST_ASSERT_EQUAL_UINT(1, n);
}

static void check_tampered(double was, double is, const char *check, const char *block)
{
  g_autoptr(HyLoaded) loaded = load(falling, "full");
  tamper(loaded, was, is);
  g_autoptr(HyRun) run = start(loaded, NULL);
  gboolean ok = hy_run_go(run, &error);
  HyAudited a;
  hy_run_audit(run, &a);
  if (block == NULL) {
    TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
    TEST_ASSERT_EQUAL_UINT(0, a.n_breaches);
    return;
  }
  TEST_ASSERT_FALSE(ok);
  TEST_ASSERT_EQUAL_INT(HY_ERROR_AUDIT, error->code);
  g_autofree char *path = hy_sim_path(hy_run_sim(run), a.breaches[0].atomic);
  TEST_ASSERT_EQUAL_STRING(block, path);
  TEST_ASSERT_EQUAL_STRING(check, a.breaches[0].check);
  TEST_ASSERT_GREATER_THAN_UINT64(20, hy_recorder_rows(hy_run_table(run, 0)));
  g_clear_error(&error);
}

/* x(t) of the text is off by 0.2 t exp(-2.6 t), at most 0.028, more than 16 tolerances; by half of
 * that where it is 0.1 t, as the state takes back what has not followed: 0.039 have not. */
static void test_another_text_is_a_breach(void)
{
  check_tampered(3, 3.1, "S", "y");
  check_tampered(3, 3 + 1e-6, NULL, NULL);
  check_tampered(-2.5, -2.6, NULL, NULL);
  check_tampered(-2.5, -2.7, "G", "x");
  check_tampered(-2.5, -2.5 - 1e-6, NULL, NULL);
}

static guint64 unjudged(const HyAudited *a)
{
  guint64 n = 0;
  for (guint k = 0; k < a->n_counts; k++) {
    n += a->counts[k].unjudged;
  }
  return n;
}

/* A group that waits for what speaks late (u, at 0.5) rests, and so do the modes that it decides:
 * the switch is off at 0.1 .. 0.5 with its gate up. That is not judged, what comes then is. */
static const char waiting[] =
    "<step name='s' at='0.1'/><block type='measure.mean' name='u' in='24' period='0.5'/>"
    "<circuit name='c' u='u' g='s'><in name='u'/><in name='g'/>"
    "<voltage name='U' nodes='p 0' value='u'/><transistor name='S1' nodes='p a' gate='g'/>"
    "<resistor name='R' nodes='a b' R='1'/><inductor name='L' nodes='b 0' L='1'/></circuit>"
    "<experiment stop='1' method='block_liqss2' record='c/L.i c/S1.on'/>";
/* The group makes the root itself where others hear it in pieces, 2.4 tolerances off: of what reads
 * it (e), the words are no better than the formulas. */
static const char composed[] =
    "<let name='T' value='1e-5'/><power name='r' in='0.1 + t/T' n='0.5'/>"
    "<function name='e' formula='r - y'/><integrator name='f' in='(e - f)/(T/50)'/>"
    "<function name='u' formula='limit(0.9*e + x + 10*(e - f), -20, 20)'/>"
    "<integrator name='x' in='if(x &gt; 20, min(0.4*e/T, 0), 0.4*e/T)'/>"
    "<integrator name='y' in='u/(T/20)'/>"
    "<experiment stop='8e-5' method='block_liqss2_error' record='x y'/>";

static void check_quiet(const char *body, gboolean waits)
{
  g_autoptr(HyLoaded) loaded = load(body, "full");
  g_autoptr(HyRun) run = start(loaded, NULL);
  gboolean ok = hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  HyAudited a;
  hy_run_audit(run, &a);
  TEST_ASSERT_EQUAL_UINT(0, a.n_breaches);
  TEST_ASSERT_EQUAL_INT(waits, unjudged(&a) > 0);
}

static void test_what_is_right_is_no_breach(void)
{
  check_quiet(waiting, TRUE);
  check_quiet(composed, FALSE);
}

/* Looks at parts, paid for by the run ---------------------------------------------------------- */

static const char swinging[] =
    "<sine name='s' amplitude='0.5' frequency='0.3'/><integrator name='x' in='y' x0='1'/>"
    "<integrator name='y' in='-2.5*x'/><hysteresis name='h' in='x'/><integrator name='z' in='h + "
    "s'/>"
    "<experiment stop='60' method='qss2' dqrel='1e-6' dqmin='1e-7' record='x'/>";

/* What has been judged, by the letter of its check. */
static guint64 judged(const HyAudited *a, char check)
{
  guint64 n = 0;
  for (guint k = 0; k < a->n_counts; k++) {
    n += a->counts[k].check[0] == check ? a->counts[k].judged : 0;
  }
  return n;
}

static void test_looks_at_parts_are_the_same_on_every_engine(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  HyAudited first = {0};
  guint64 of[4] = {0};
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyLoaded) loaded = load(swinging, "strict");
    g_autoptr(HyRun) run = start(loaded, engines[e]);
    TEST_ASSERT_TRUE(hy_run_go(run, &error));
    HyAudited a;
    hy_run_audit(run, &a);
    TEST_ASSERT_EQUAL_UINT(0, a.n_breaches);
    first = e == 0 ? a : first;
    TEST_ASSERT_EQUAL_UINT64(first.looks, a.looks);
    TEST_ASSERT_EQUAL_UINT64(first.stretches, a.stretches);
    TEST_ASSERT_LESS_THAN_UINT64(a.stretches / 20, a.looks);
    for (guint k = 0; k < G_N_ELEMENTS(of); k++) {
      guint64 n = judged(&a, "SVDG"[k]);
      TEST_ASSERT_TRUE(k == 3 ? n == 0 : n >= 10);
      of[k] = e == 0 ? n : of[k];
      TEST_ASSERT_EQUAL_UINT64(of[k], n);
    }
  }
}

/* One of three states has another equation than its text. */
static void test_parts_see_another_text(void)
{
  g_autoptr(HyLoaded) loaded = load(swinging, "strict");
  tamper(loaded, -2.5, -2.6);
  g_autoptr(HyRun) run = start(loaded, NULL);
  TEST_ASSERT_FALSE(hy_run_go(run, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_AUDIT, error->code);
  HyAudited a;
  hy_run_audit(run, &a);
  TEST_ASSERT_EQUAL_UINT(1, a.n_breaches);
  TEST_ASSERT_EQUAL_STRING("D", a.breaches[0].check);
  g_autofree char *path = hy_sim_path(hy_run_sim(run), a.breaches[0].atomic);
  TEST_ASSERT_EQUAL_STRING("y", path);
}

/* What has not been looked at is not said to be right. */
static void test_a_short_run_has_not_earned_a_look(void)
{
  g_autoptr(HyLoaded) loaded = load(falling, "strict");
  tamper(loaded, -2.5, -2.7);
  g_autoptr(HyRun) run = start(loaded, NULL);
  TEST_ASSERT_TRUE(hy_run_go(run, &error));
  HyAudited a;
  hy_run_audit(run, &a);
  TEST_ASSERT_EQUAL_UINT64(0, a.looks);
  g_autofree char *text = hy_run_audit_text(run);
  TEST_ASSERT_NOT_NULL(strstr(text, "nothing looked at"));
}

static void test_only_words_that_there_are(void)
{
  g_autoptr(HyLoaded) loaded = load(falling, "much");
  TEST_ASSERT_NULL(hy_run_new(loaded, NULL, &error));
  TEST_ASSERT_EQUAL_INT(HY_ERROR_USAGE, error->code);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_recorded_is_the_same);
  RUN_TEST(test_who_checks_is_no_reader);
  RUN_TEST(test_it_says_what_it_has_looked_at);
  RUN_TEST(test_another_text_is_a_breach);
  RUN_TEST(test_what_is_right_is_no_breach);
  RUN_TEST(test_looks_at_parts_are_the_same_on_every_engine);
  RUN_TEST(test_parts_see_another_text);
  RUN_TEST(test_a_short_run_has_not_earned_a_look);
  RUN_TEST(test_only_words_that_there_are);
  return UNITY_END();
}
