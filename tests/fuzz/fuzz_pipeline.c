/* Any bytes as a model file, and what loads is run for up to a second of its time, on every engine,
 * and given to every analysis, export and drawing: never a crash, a hang or a leak; all ends well
 * or with a message, and runs on tree and flat, which do the same, at the same instant after as
 * many cycles with the same words. Nor where every stretch is audited. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES  3000U /* of a run, at most */
#define AT_ONCE 200U  /* further ones at one instant */
#define AUDITED 300U  /* of a run that is audited */

typedef struct {
  guint64 cycles;
  double t;
  char *message; /* NULL: none */
} Outcome;

static void check(gboolean holds)
{
  if (!holds) {
    abort();
  }
}

/* Blocks that read files would read those of this machine. */
static gboolean reads_files(const HyModel *model)
{
  for (guint k = 0; k < hy_model_n(model); k++) {
    const HyAtomicClass *klass = hy_model_class(model, k);
    const HyModel *inner = hy_model_coupled(model, k);
    if ((klass != NULL && strcmp(klass->name, "file_source") == 0) ||
        (inner != NULL && reads_files(inner))) {
      return TRUE;
    }
  }
  return FALSE;
}

static Outcome run(HyModel *model, HyEngine engine)
{
  Outcome o = {0};
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
  if (sim != NULL) {
    hy_sim_set_limit(sim, AT_ONCE);
    gboolean going = hy_sim_init(sim, 0, &error);
    for (guint k = 0; going && k < CYCLES; k++) {
      gboolean done;
      going = hy_sim_step(sim, 1, &done, &error) && done;
    }
    HyTotals totals;
    hy_sim_totals(sim, &totals);
    o.cycles = totals.cycles;
    o.t = hy_sim_time(sim);
    check(error != NULL || o.t <= 1);
  }
  check(error == NULL || g_utf8_validate(error->message, -1, NULL));
  o.message = error != NULL ? g_strdup(error->message) : NULL;
  return o;
}

/* What has been written for OK, or why not. */
static void ended(gboolean ok, GString *out, GError *error)
{
  check(ok || error != NULL);
  check(error == NULL || g_utf8_validate(error->message, -1, NULL));
  g_string_truncate(out, 0);
  g_clear_error(&error);
}

static void solve(HyLoaded *loaded, GString *out)
{
  GError *error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  g_autoptr(HyEquations) e = sim != NULL ? hy_equations_new(sim, 0.0, &error) : NULL;
  if (e == NULL) {
    ended(FALSE, out, error);
    return;
  }
  hy_equations_text(e, TRUE, TRUE, out);
  hy_equations_json(e, TRUE, out);
  gboolean can = hy_equations_n(e) <= 30 && hy_spectrum_can(e, &error);
  g_autoptr(HySpectrum) modes = can ? hy_spectrum_new(e, 0.0, &error) : NULL;
  if (modes != NULL) {
    hy_spectrum_text(modes, out);
    hy_spectrum_json(modes, out);
  }
  ended(modes != NULL || hy_equations_n(e) > 30, out, error);
}

static gboolean some(gpointer user, double t, guint64 cycles)
{
  (void)user;
  (void)t;
  return cycles < CYCLES;
}

/* Each makes rows of its own from a simulation of its own, which it may run. */
static void export_as(HyLoaded *loaded, guint form, GString *out)
{
  GError *error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  if (sim != NULL) {
    hy_sim_set_progress(sim, some, NULL);
    hy_sim_set_limit(sim, AT_ONCE);
  }
  gboolean ok =
      sim != NULL && (form == 0 ? hy_equations_c(sim, 0.0, 1.0, out, &error)
                                : hy_equations_modelica(sim, 0.0, 1.0, form == 2, out, &error));
  ended(ok, out, error);
}

static void draw(HyLoaded *loaded, GString *out)
{
  const HyDrawing drawing = {0};
  GError *error = NULL;
  gboolean ok = hy_draw_svg(loaded, &drawing, out, &error);
  ended(ok, out, error);
  error = NULL;
  ok = hy_draw_dot(loaded, &drawing, out, &error);
  ended(ok, out, error);
  error = NULL;
  ok = hy_draw_page(loaded, &drawing, "hydevs diagram", out, &error);
  ended(ok, out, error);
  hy_model_json(loaded, out);
}

static gboolean few(gpointer user, const HySteadyStage *stage)
{
  (void)stage;
  guint *left = user;
  return (*left)-- > 0;
}

/* With the period of its sources, and one that is stated; the response of its first state. */
static void settle(HyLoaded *loaded, double period, GString *out)
{
  GError *error = NULL;
  guint left = 300;
  HySteadySettings set = HY_STEADY_SETTINGS;
  set.period = period;
  set.most = 4;
  set.most_events = 300;
  set.most_bytes = 1 << 20;
  set.harmonics = 2;
  set.progress = few;
  set.user = &left;
  g_autoptr(HySteady) steady = hy_steady_new(loaded, &set, &error);
  if (steady == NULL || hy_steady_n_outputs(steady) == 0) {
    ended(steady != NULL, out, error);
    return;
  }
  hy_steady_text(steady, out);
  hy_steady_json(steady, out);
  g_autofree char *from = hy_steady_state(steady, 0);
  HyBodeSettings points = HY_BODE_SETTINGS;
  points.from = from;
  points.to = hy_steady_output(steady, 0);
  points.points = 3;
  g_autoptr(HyBode) bode = hy_bode_new(steady, &points, &error);
  if (bode != NULL) {
    hy_bode_text(bode, out);
    hy_bode_json(bode, out);
  }
  ended(bode != NULL, out, error);
}

static void explain(HyLoaded *loaded, GString *out)
{
  GError *error = NULL;
  g_autoptr(HyTold) told = hy_told_new(hy_loaded_model(loaded), 0.0, 50);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_TREE, &error);
  gboolean going = sim != NULL;
  if (going) {
    hy_sim_set_limit(sim, AT_ONCE);
    hy_sim_set_trace(sim, &(HyTrace){.user = told, .message = hy_told_message});
    going = hy_sim_init(sim, 0, &error);
  }
  for (guint k = 0; going && k < 50; k++) {
    gboolean done;
    going = hy_sim_step(sim, 1, &done, &error) && done;
  }
  hy_explain_page(loaded, told, "hydevs explain", out);
  ended(TRUE, out, error);
}

/* Some of it with a look at every stretch. What that finds is not judged: there are methods that
 * promise nothing. */
static void audit(HyLoaded *loaded, GString *out)
{
  GError *error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  gboolean going = run != NULL;
  if (going) {
    hy_sim_set_limit(hy_run_sim(run), AT_ONCE);
    going = hy_sim_init(hy_run_sim(run), 0, &error);
  }
  for (guint k = 0; going && k < AUDITED; k++) {
    gboolean done;
    going = hy_sim_step(hy_run_sim(run), 1, &done, &error) && done;
  }
  if (run != NULL && error == NULL) {
    hy_run_finish(run, hy_sim_time(hy_run_sim(run)), &error);
    HyJsonOut json = {.out = out};
    hy_json_begin(&json, NULL, '{');
    hy_run_audit_json(run, &json);
    hy_json_end(&json, '}');
  }
  ended(error == NULL, out, error);
}

static void every_verb(HyLoaded *loaded)
{
  g_autoptr(GString) out = g_string_new(NULL);
  solve(loaded, out);
  for (guint form = 0; form < 3; form++) {
    export_as(loaded, form, out);
  }
  draw(loaded, out);
  settle(loaded, NAN, out);
  settle(loaded, 0.1, out);
  explain(loaded, out);
  audit(loaded, out);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  static const HyLoadOptions options = {
      .max_blocks = 200,
      .max_recursion = 20,
      .max_files = 1,
      .audit = "full",
      .read = {.max_bytes = 1 << 14, .max_nested = 30, .max_value = 1 << 10}};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory((const char *)data, size, "fuzz.xml", &options, report);
  if (loaded == NULL || reads_files(hy_loaded_model(loaded))) {
    return 0;
  }
  Outcome o[HY_FUSED + 1];
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    o[engine] = run(hy_loaded_model(loaded), engine);
  }
  check(o[HY_TREE].cycles == o[HY_FLAT].cycles);
  check(o[HY_TREE].t == o[HY_FLAT].t);
  check(g_strcmp0(o[HY_TREE].message, o[HY_FLAT].message) == 0);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_free(o[engine].message);
  }
  every_verb(loaded);
  return 0;
}
