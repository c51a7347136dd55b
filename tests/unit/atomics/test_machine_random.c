/* Random machines on the three engines beside an interpreter that shares nothing with them. */
#include "machine_model.h"

#include "unity.h"

#include <string.h>

#define MODELS 1500
#define UNTIL  6.0

void setUp(void)
{
}

void tearDown(void)
{
}

static char *model_text(const MmModel *m)
{
  GString *out = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"r\">\n");
  for (guint k = 0; k < 4; k++) {
    guint who = m->order[k];
    if (who == 3) {
      mm_machine_text(m, out);
    } else if (who == 2) {
      g_string_append(out, "  <counter name=\"c\" in=\"a\"/>\n");
    } else {
      g_string_append_printf(out,
                             "  <generator name=\"%c\" first=\"%d/4\" period=\"%d/4\" values=\"",
                             'a' + who, m->first[who], m->period[who]);
      for (gint i = 0; i < m->n_values[who]; i++) {
        g_string_append_printf(out, "%s%d", i > 0 ? ", " : "", m->value[who][i]);
      }
      g_string_append(out, "\"/>\n");
    }
  }
  g_string_append(out, "  <wire from=\"a\" to=\"m.a\"/><wire from=\"b\" to=\"m.b\"/>\n</hydevs>\n");
  return g_string_free(out, FALSE);
}

static HyLoaded *load(const char *text, const MmModel *m)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "r.xml", NULL, report);
  if (loaded == NULL) {
    g_autofree char *what = hy_report_text(report);
    TEST_FAIL_MESSAGE(what);
  }
  (void)m;
  return loaded;
}

/* What the machine does, as messages of the tree tell it. */
static void note_message(gpointer user, const HyMessage *x)
{
  char t[HY_DOUBLE_SIZE], v[HY_DOUBLE_SIZE];
  static const char *const ran[] = {
      [HY_RAN_INIT] = "init", [HY_RAN_DEXT] = "dext", [HY_RAN_DINT] = "dint"};
  if (strcmp(x->path, "m") != 0) {
    return;
  }
  hy_double_text(t, x->t);
  if (x->kind == HY_MSG_Y) {
    g_string_append_printf(user, "%s y %s=%s\n", t, x->port, hy_double_text(v, x->value->c[0]));
  } else if (x->kind == HY_MSG_DONE && x->ran != HY_RAN_NOTHING) {
    g_string_append_printf(user, "%s %s %s\n", t, ran[x->ran], x->state);
  }
}

/* Every call of any atomic, as the engines make it. */
static void note_transition(gpointer user, const HyTransition *x)
{
  char t[HY_DOUBLE_SIZE], v[HY_DOUBLE_SIZE];
  g_string_append_printf(user, "%s %u %d", hy_double_text(t, x->t), x->atomic, (int)x->kind);
  if (x->event != NULL) {
    g_string_append_printf(user, " %d %s", x->event->port, hy_double_text(v, x->event->value.c[0]));
  }
  g_string_append_c(user, '\n');
}

/* Without internal events that change and say nothing: when a block looks whether a guard holds is
 * its own affair. */
static char *without_idle(const char *text)
{
  g_auto(GStrv) line = g_strsplit(text, "\n", -1);
  GString *out = g_string_new(NULL);
  const char *state = "";
  for (char **l = line; *l != NULL && **l != '\0'; l++) {
    const char *now = strchr(*l, '(');
    gboolean said = l > line && strstr(l[-1], " y ") != NULL;
    if (now == NULL || said || strstr(*l, " dint ") == NULL || strcmp(now, state) != 0) {
      g_string_append_printf(out, "%s\n", *l);
    }
    state = now != NULL ? now : state;
  }
  return g_string_free(out, FALSE);
}

static char *run_on(HyLoaded *loaded, HyEngine engine, gboolean messages, guint back)
{
  GString *out = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), engine, &error);
  HyTrace trace = {.user = out};
  trace.message = messages ? note_message : NULL;
  trace.transition = messages ? NULL : note_transition;
  TEST_ASSERT_NOT_NULL(sim);
  hy_sim_set_trace(sim, &trace);
  gboolean ok = hy_sim_init(sim, 0, &error), done = TRUE;
  for (guint k = 0; ok && done && k < back; k++) { /* also where words wait */
    ok = hy_sim_step(sim, UNTIL, &done, &error);
  }
  if (ok && back > 0) { /* to the end, and from there again */
    g_autoptr(HySnapshot) snapshot = hy_sim_save(sim, &error);
    TEST_ASSERT_NOT_NULL(snapshot);
    gsize length = out->len;
    ok = hy_sim_run(sim, UNTIL, &error);
    g_string_truncate(out, length);
    ok = ok && hy_sim_load(sim, snapshot, &error);
  }
  ok = ok && hy_sim_run(sim, UNTIL, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return g_string_free(out, FALSE);
}

static void test_random_machines_do_what_their_text_says(void)
{
  guint run = 0, lines = 0;
  for (guint64 seed = 1; seed <= MODELS; seed++) {
    MmModel m;
    mm_random(&m, seed);
    g_autofree char *expected = mm_run(&m, UNTIL);
    if (expected == NULL) {
      continue;
    }
    g_autofree char *text = model_text(&m);
    g_autoptr(HyLoaded) loaded = load(text, &m);
    g_autofree char *tree = run_on(loaded, HY_TREE, TRUE, 0);
    g_autofree char *a = without_idle(expected), *b = without_idle(tree);
    if (strcmp(a, b) != 0) {
      g_autofree char *what =
          g_strdup_printf("seed %u\n%s\nexpected\n%s\ngot\n%s", (guint)seed, text, a, b);
      TEST_FAIL_MESSAGE(what);
    }
    g_autofree char *calls = run_on(loaded, HY_TREE, FALSE, 0);
    for (HyEngine e = HY_TREE; e <= HY_FUSED; e++) {
      g_autofree char *same = run_on(loaded, e, FALSE, 0),
                      *again = run_on(loaded, e, FALSE, 1 + (guint)seed % 17);
      TEST_ASSERT_EQUAL_STRING(calls, same);
      TEST_ASSERT_EQUAL_STRING(calls, again);
    }
    run++;
    for (const char *c = a; *c != '\0'; c++) {
      lines += *c == '\n';
    }
  }
  TEST_ASSERT_GREATER_THAN(MODELS / 2, run);
  TEST_ASSERT_GREATER_THAN(10 * run, lines);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_machines_do_what_their_text_says);
  return UNITY_END();
}
