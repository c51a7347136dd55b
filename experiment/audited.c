/* The audit of a run: it is started with what the file says of each block, listens in front of the
 * recorders, and is told of at the end. */
#include "run.h"

#include "audit/audit.h"
#include "base/sized.h"
#include "hydevs/text.h"
#include "numerics/methods.h"
#include "results/measures.h"
#include "results/sidecar.h"
#include "results/stats_members.h"
#include "sim/engine.h"
#include "sim/waits.h"

#include <math.h>
#include <string.h>

static const char *const words[] = {[HY_AUDIT_OFF] = "off",
                                    [HY_AUDIT_WARN] = "warn",
                                    [HY_AUDIT_STRICT] = "strict",
                                    [HY_AUDIT_FULL] = "full"};

static gboolean keeps_error(const HyMethod *m)
{
  return m->family == HY_FAMILY_CVODE || (m->family == HY_FAMILY_IMPLICIT && m->by_error);
}

/* CVODE keeps the root of the mean square of the errors of all n states of a group within their
 * tolerances, so that one of them may be off by sqrt(n). */
static double share_of(const HyRun *run, const HyMethod *m)
{
  double most = 1;
  for (guint k = 0; m->family == HY_FAMILY_CVODE && k < hy_sim_n_groups(run->sim); k++) {
    HyGroupTotals g;
    hy_sim_group(run->sim, k, &g);
    most = strcmp(g.method, m->name) == 0 ? MAX(most, sqrt(g.states)) : most;
  }
  return most;
}

/* Of a state what its method promises; of any block what it is said within. */
static void about(gpointer user, guint atomic, HyAuditAbout *a)
{
  const HyRun *run = user;
  HyBlockInfo info = {0};
  hy_run_block(run->loaded, run->sim, atomic, &info);
  const HyMethod *m = hy_run_method(run, atomic);
  gboolean classic = m != NULL && hy_family_is_classic(m->family) && m->family != HY_FAMILY_BLOCK;
  double rel = classic && info.reltol >= 0 ? info.reltol : info.dqrel;
  double least = classic && info.abstol >= 0 ? info.abstol : info.dqmin;
  *a = (HyAuditAbout){.file = info.file,
                      .line = info.line,
                      .rel = rel >= 0 ? rel : 1e-3,
                      .least = least > 0 ? least : 1e-6,
                      .share = 1};
  if (m != NULL) {
    a->share = share_of(run, m);
    a->promise = !hy_family_is_classic(m->family) ? HY_PROMISED_QUANTA
                 : m->family == HY_FAMILY_BLOCK   ? HY_PROMISED_EXACT
                 : keeps_error(m)                 ? HY_PROMISED_STEPS
                                                  : HY_PROMISED_NOTHING;
  }
}

static gboolean reading(gpointer user, guint atomic, double t, double *y)
{
  const HyRun *run = user;
  return hy_sim_reading(run->sim, atomic, 0, t, y);
}

static gboolean rests(gpointer user, guint atomic)
{
  const HyRun *run = user;
  return hy_sim_rests(run->sim, atomic);
}

static gboolean mode_is_up(gpointer user, guint atomic, guint m, gboolean *up)
{
  const HyRun *run = user;
  return run->sim->room != NULL && hy_room_mode(run->sim->room, atomic, m, up);
}

/* By callgrind, at the low end of what models of every kind take: an instant; what one state has
 * of a right-hand side, of a step, of a step that is solved exactly. */
#define INSTANT    1000.0
#define RIGHT_SIDE 40.0
#define STEP       100.0
#define EXACT_STEP 5000.0

/* Events and steps are the same on every engine. */
static void far(gpointer user, HyAuditFar *f)
{
  const HyRun *run = user;
  guint n = hy_sim_n_groups(run->sim);
  *f = (HyAuditFar){.instants = run->sim->now.instants, .since = run->sim->now.passed};
  f->work = INSTANT * (double)f->instants;
  for (guint k = 0; k < n; k++) {
    HyGroupTotals g;
    hy_sim_group(run->sim, k, &g);
    double steps = (double)(g.totals.steps + g.totals.restarts), n_states = g.states;
    f->work += n_states * ((g.totals.evaluations == 0 ? EXACT_STEP : STEP) * steps +
                           RIGHT_SIDE * (double)g.totals.evaluations);
    f->asking += 300 + 30 * n_states;
  }
}

static void wake(gpointer user, double t)
{
  const HyRun *run = user;
  hy_sim_wake(run->sim, t);
}

gboolean hy_run_start_audit(HyRun *run, GError **error)
{
  const char *said = hy_loaded_experiment(run->loaded)->audit;
  HyAuditMode mode = HY_AUDIT_OFF;
  for (guint k = 0; said != NULL && k < G_N_ELEMENTS(words); k++) {
    mode = strcmp(said, words[k]) == 0 ? (HyAuditMode)k : mode;
  }
  if (said != NULL && strcmp(said, words[mode]) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "audit \"%s\": choose off, warn, strict or full",
                said);
    return FALSE;
  }
  const HyAuditAsk ask = {run, about, reading, rests, mode_is_up, far, wake};
  if (mode != HY_AUDIT_OFF) {
    run->audit = hy_audit_new(run->sim, hy_loaded_model(run->loaded), mode, run->t0, run->tf, &ask);
    hy_run_watch(run);
  }
  return TRUE;
}

/* Whoever hears the simulation. */
void hy_run_watch(HyRun *run)
{
  HyTrace trace = run->trace;
  gboolean any = run->audit != NULL || run->measures != NULL || run->tables != NULL;
  if (run->measures != NULL) {
    trace = hy_measures_trace(run->measures, &run->trace);
  }
  if (run->audit != NULL) {
    HyTrace others = trace;
    trace = hy_audit_trace(run->audit, &others);
  }
  hy_sim_set_trace(run->sim, any ? &trace : NULL);
}

void hy_run_end_audit(HyRun *run, double t)
{
  if (run->audit != NULL) {
    gboolean complete =
        hy_sim_verdict(run->sim, NULL) && hy_sim_finished(run->sim) == NULL && t >= run->tf;
    hy_audit_finish(run->audit, t, complete);
  }
}

gboolean hy_run_audit_sized(const HyRun *run, HyAudited *result, gsize size)
{
  g_return_val_if_fail(run != NULL && result != NULL, FALSE);
  HyAudited found = {.mode = HY_AUDIT_OFF, .drift = NAN};
  if (run->audit != NULL) {
    hy_audit_result(run->audit, &found);
  }
  hy_sized_give(result, size, &found);
  return run->audit != NULL;
}

static guint n_broken(const HyAudited *a)
{
  guint n = 0;
  while (n < a->n_breaches && a->breaches[n].promised) {
    n++;
  }
  return n;
}

gboolean hy_run_is_sound(const HyRun *run, GError **error)
{
  HyAudited a;
  hy_run_audit(run, &a);
  guint n = n_broken(&a);
  if (n == 0 || a.mode < HY_AUDIT_STRICT) {
    return TRUE;
  }
  g_autofree char *worst = hy_run_breach_text(run, &a.breaches[0]);
  g_set_error(error, HY_ERROR, HY_ERROR_AUDIT, "%s%s", worst, n > 1 ? "; and others" : "");
  return FALSE;
}

/* Words ---------------------------------------------------------------------------------------- */

static void append_number(GString *out, const char *before, double v)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append(out, before);
  g_string_append(out, g_ascii_formatd(text, sizeof text, "%.7g", v));
}

/* The ring that ATOMIC is in. */
static char *ring_text(const HyRun *run, guint atomic)
{
  g_autoptr(GArray) rings = hy_sim_waits(run->sim);
  guint n;
  for (guint k = 0; k < rings->len; k += n) {
    const HyLoopStep *ring = &g_array_index(rings, HyLoopStep, k);
    n = hy_loop_length(rings, k);
    for (guint i = 0; i < n; i++) {
      if (hy_wait_atomic(run->sim, &ring[i]) == atomic) {
        return hy_wait_text(ring, n);
      }
    }
  }
  return g_strdup("it waits for what waits for it");
}

/* What silence is said as, by every run that is audited or not. */
static gboolean is_silence(const HyAuditBreach *b)
{
  return b->check[0] == 'N';
}

char *hy_run_breach_text(const HyRun *run, const HyAuditBreach *b)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autofree char *path = hy_sim_path(run->sim, b->atomic);
  g_string_append_printf(out, "%s: ", path);
  if (is_silence(b)) {
    g_autofree char *ring = ring_text(run, b->atomic);
    g_string_append_printf(out, "%s (audit N)", ring);
    return g_string_free(g_steal_pointer(&out), FALSE);
  }
  if (b->what != NULL) {
    g_string_append(out, b->what);
    append_number(out, " ", b->is);
    append_number(out, " from t = ", b->t);
    append_number(out, " to ", b->until);
    append_number(out, ", in place of ", b->should);
  } else {
    append_number(out, "", b->is);
    append_number(out, " at t = ", b->check[0] == 'D' ? b->until : b->t);
    append_number(out, ", its equation says ", b->should);
  }
  g_string_append_printf(out, " (audit %s", b->check);
  append_number(out, ": allowed ", b->allowed);
  if (b->times > 1) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " times", b->times);
  }
  g_string_append(out, ")");
  if (b->check[0] == 'D' || b->check[0] == 'G') {
    g_string_append(out, "; try --method cvode_bdf or a smaller --tol");
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

#define MOST_TOLD 5

void hy_report_audit(HyReport *report, const HyRun *run)
{
  g_return_if_fail(report != NULL && run != NULL);
  HyAudited a;
  hy_run_audit(run, &a);
  guint n = n_broken(&a);
  for (guint k = 0; a.breaches != NULL && k < MIN(n, MOST_TOLD); k++) {
    if (is_silence(&a.breaches[k])) {
      continue; /* hy_report_run() says it */
    }
    HyBlockInfo info = {0};
    hy_run_block(run->loaded, run->sim, a.breaches[k].atomic, &info);
    g_autofree char *text = hy_run_breach_text(run, &a.breaches[k]);
    hy_report_warning(report, info.file, info.line, "%s", text);
  }
}

char *hy_run_audit_text(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  HyAudited a;
  if (!hy_run_audit(run, &a)) {
    return NULL;
  }
  guint64 judged = 0, unjudged = 0;
  for (guint k = 0; k < a.n_counts; k++) {
    judged += a.counts[k].judged;
    unjudged += a.counts[k].unjudged;
  }
  if (a.looks == 0 && a.mode != HY_AUDIT_FULL) {
    return g_strdup_printf("audit: nothing looked at: the run has not earned it, or has no states; "
                           "--audit=full looks at everything");
  }
  return g_strdup_printf("audit: %u breaches in %" G_GUINT64_FORMAT " checks, %" G_GUINT64_FORMAT
                         " not judged; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " stretches",
                         n_broken(&a), judged, unjudged, a.looks, a.stretches);
}

/* JSON ----------------------------------------------------------------------------------------- */

static void add_breach(const HyRun *run, const HyAuditBreach *b, HyJsonOut *json)
{
  HyBlockInfo info = {0};
  g_autofree char *path = hy_sim_path(run->sim, b->atomic);
  hy_run_block(run->loaded, run->sim, b->atomic, &info);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "check", b->check);
  hy_json_text(json, "block", path);
  hy_json_text(json, "file", info.file != NULL ? info.file : "");
  hy_json_count(json, "line", info.line);
  hy_json_text(json, "what", b->what);
  hy_sidecar_value(json, "t", b->t);
  hy_sidecar_value(json, "until", b->until);
  hy_sidecar_value(json, "is", b->is);
  hy_sidecar_value(json, "should", b->should);
  hy_sidecar_value(json, "allowed", b->allowed);
  hy_json_count(json, "times", b->times);
  hy_json_bool(json, "promised", b->promised);
  hy_json_end(json, '}');
}

#define MOST_KEPT 100

void hy_run_audit_json(const HyRun *run, HyJsonOut *json)
{
  g_return_if_fail(run != NULL && json != NULL);
  HyAudited a;
  if (!hy_run_audit(run, &a)) {
    return;
  }
  hy_json_begin(json, "audit", '{');
  hy_json_text(json, "mode", words[a.mode]);
  hy_json_count(json, "looks", a.looks);
  hy_json_count(json, "stretches", a.stretches);
  hy_json_begin(json, "checks", '{');
  for (guint k = 0; k < a.n_counts; k++) {
    hy_json_begin(json, a.counts[k].check, '{');
    hy_json_count(json, "judged", a.counts[k].judged);
    hy_json_count(json, "unjudged", a.counts[k].unjudged);
    hy_json_end(json, '}');
  }
  hy_json_end(json, '}');
  hy_json_begin(json, "breaches", '[');
  for (guint k = 0; k < MIN(a.n_breaches, MOST_KEPT); k++) {
    add_breach(run, &a.breaches[k], json);
  }
  hy_json_end(json, ']');
  hy_json_count(json, "n_breaches", a.n_breaches);
  if (!isnan(a.drift)) {
    hy_sidecar_value(json, "drift", a.drift);
  }
  hy_json_end(json, '}');
}

void hy_run_stats_json(const HyRun *run, const HyCost *cost, GString *out)
{
  g_return_if_fail(run != NULL && out != NULL);
  HyJsonOut json = {.out = out};
  hy_json_begin_lines(&json, NULL, '{');
  hy_stats_members(run->sim, cost, &json);
  hy_run_audit_json(run, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
