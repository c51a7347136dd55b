/* What is wrong with a model that only a simulation of it can find out. */
#include "run.h"

#include "coupled/model_internal.h"
#include "hydevs/look.h"
#include "language/placed.h"
#include "results/smells.h"
#include "sim/waits.h"

#include <math.h>
#include <string.h>

/* A warning about an atomic of a run, or about its group. */
static void warn(HyReport *report, const HyRun *run, guint atomic, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
static void warn(HyReport *report, const HyRun *run, guint atomic, const char *format, ...)
{
  const HyRoot *owner = run->sim->model->owner;
  va_list more;
  va_start(more, format);
  g_autofree char *text = g_strdup_vprintf(format, more);
  va_end(more);
  hy_loaded_say(run->loaded, hy_report_warning, report,
                owner->coupled[owner->atomics[atomic].coupled], owner->atomics[atomic].component,
                text);
}

/* Blocks that cannot start ----------------------------------------------------------------------
 */

typedef struct {
  const HyLoaded *loaded;
  HyReport *report;
  GHashTable *known; /* the same of many copies of an element is reported of the first */
} Try;

static void wrong(gpointer user, const HyModel *model, guint component, const char *what)
{
  const Try *x = user;
  HyBlockInfo info = {0};
  hy_loaded_block(x->loaded, model, component, &info);
  const char *after_path = strstr(what, ": ");
  char *key = g_strdup_printf("%s:%u%s", info.file, info.line, after_path);
  if (g_hash_table_add(x->known, key)) {
    hy_loaded_say(x->loaded, hy_report_error, x->report, model, component, what);
  }
}

/* Classes that have no more than a table. Models are nested no deeper than the loader has gone. */
static void find_unable(Try *x, const HyModel *model)
{
  for (guint k = 0; k < hy_model_n(model); k++) {
    const HyAtomicClass *klass = hy_model_class(model, k);
    if (klass == NULL) {
      find_unable(x, hy_model_coupled(model, k));
    } else if (klass->ta == NULL && klass->next == NULL) {
      g_autofree char *path = hy_model_path(model, k);
      g_autofree char *what = g_strdup_printf(
          "%s: %s is known to the checks, but this version cannot run it", path, klass->name);
      wrong(x, model, k, what);
    }
  }
}

/* Who waits for each other when all that happens at the first instant has happened. What ends the
 * run before is told by a run. */
static void warn_of_waits(HyReport *report, const HyLoaded *loaded, HySim *sim, double start)
{
  if (!hy_sim_may_wait(sim) || !hy_sim_init(sim, start, NULL) || !hy_sim_run(sim, start, NULL)) {
    return;
  }
  g_autoptr(GArray) rings = hy_sim_waits(sim);
  guint n;
  for (guint k = 0; k < rings->len; k += n) {
    const HyLoopStep *step = &g_array_index(rings, HyLoopStep, k);
    n = hy_loop_length(rings, k);
    g_autofree char *text = hy_wait_text(step, n), *path = hy_model_path(step->to_model, step->to);
    g_autofree char *what = g_strdup_printf("%s: %s", path, text);
    hy_loaded_say(loaded, hy_report_warning, report, step->to_model, step->to, what);
  }
}

void hy_report_blocks(HyReport *report, const HyLoaded *loaded)
{
  g_return_if_fail(report != NULL && loaded != NULL);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  Try x = {.loaded = loaded, .report = report, .known = known};
  HyModel *model = hy_loaded_model(loaded);
  double start = hy_loaded_experiment(loaded)->start;
  guint before = hy_report_errors(report);
  find_unable(&x, model);
  g_autoptr(HySim) sim =
      hy_report_errors(report) == before ? hy_sim_new(model, HY_FLAT, NULL) : NULL;
  if (sim != NULL && isfinite(start)) {
    hy_run_try_methods(loaded, sim);
    hy_sim_try(sim, start, wrong, &x);
    if (hy_report_errors(report) == before) {
      warn_of_waits(report, loaded, sim, start);
    }
  }
}

/* Records ---------------------------------------------------------------------------------------
 */

void hy_report_records(HyReport *report, const HyLoaded *loaded)
{
  g_return_if_fail(report != NULL && loaded != NULL);
  const HyExperiment *x = hy_loaded_experiment(loaded);
  for (guint k = 0; k < x->n_records; k++) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) matches = hy_loaded_match(loaded, x->records[k].path, &error);
    if (matches == NULL) {
      hy_report_error(report, x->records[k].file, x->records[k].line, "record: %s", error->message);
    }
  }
}

/* Groups ----------------------------------------------------------------------------------------
 */

/* A method that is asked for more than its inputs have spends steps on their noise. */
static void warn_group(HyReport *report, const HyRun *run, const HyGroupTotals *g)
{
  char tolerance[HY_DOUBLE_SIZE], quantum[HY_DOUBLE_SIZE];
  g_autofree char *path = hy_sim_path(run->sim, g->atomic);
  g_autofree char *reads = hy_sim_path(run->sim, g->reads);
  warn(report, run, g->atomic,
       "%s: the tolerance of its %s is %s where a state is 1, far below the quantum "
       "%s of %s, which it reads: more steps, no smaller error",
       path, g->method, hy_double_text(tolerance, g->tolerance),
       hy_double_text(quantum, g->quantum), reads);
}

/* Blocks that would not come to an end are one, though the file states them apart. */
static void warn_joined(HyReport *report, const HyRun *run, const HyGroupTotals *g)
{
  char rate[HY_DOUBLE_SIZE];
  g_autofree char *path = hy_sim_path(run->sim, g->atomic);
  g_ascii_formatd(rate, sizeof rate, "%.2g", g->joined);
  warn(report, run, g->atomic,
       "%s: %s solves it together with states of other elements that state the "
       "method: they answer each other at %s/s, too fast for blocks of their own; "
       "state it once for all of them",
       path, g->stated != NULL ? g->stated : g->method, rate);
}

void hy_report_groups(HyReport *report, const HyRun *run)
{
  g_return_if_fail(report != NULL && run != NULL);
  for (guint k = 0; k < hy_sim_n_groups(run->sim); k++) {
    HyGroupTotals g;
    hy_sim_group(run->sim, k, &g);
    if (g.tolerance < 0.1 * g.quantum && g.quantum < INFINITY) {
      warn_group(report, run, &g);
    }
    if (g.joined > 0.0) {
      warn_joined(report, run, &g);
    }
  }
}

/* Another method has come in the place of the one that is stated, and is none of blocks itself, or
 * no chain, or what is solved says too little for either. */
static void warn_of_other(HyReport *report, const HyRun *run, const HyGroupTotals *g)
{
  char since[HY_DOUBLE_SIZE];
  g_autofree char *path = hy_sim_path(run->sim, g->atomic);
  g_autofree char *more =
      g->states > 1 ? g_strdup_printf(" and %u more", g->states - 1) : g_strdup("");
  warn(report, run, g->atomic,
       "%s%s: %s in place of %s, which cannot solve these equations from t = %s on: %s", path, more,
       g->method, g->stated, hy_double_text(since, g->since), g->because);
}

static void warn_of_others(HyReport *report, const HyRun *run)
{
  for (guint k = 0; k < hy_sim_n_groups(run->sim); k++) {
    HyGroupTotals g;
    hy_sim_group(run->sim, k, &g);
    if (g.stated != NULL && (g.unsure || hy_method_find(g.method)->family != HY_FAMILY_IMPLICIT ||
                             hy_method_find(g.stated)->family == HY_FAMILY_CHAIN)) {
      warn_of_other(report, run, &g);
    }
  }
}

/* Options ---------------------------------------------------------------------------------------
 */

/* What the methods of the states leave to options: those that decide alone are told of their
 * derivative by signals or by rows, and implicit ones of them may learn their partial derivatives;
 * groups have rows and exact ones always. */
typedef struct {
  gboolean alone, learns, implicit;
} Choices;

static Choices find_choices(const HySim *sim)
{
  Choices found = {0};
  for (guint a = 0; sim->room != NULL && a < sim->n; a++) {
    const HyMember *m = hy_room_member(sim->room, a);
    if (m == NULL) {
      continue;
    }
    gboolean alone = m->family == HY_FAMILY_QUANTIZED;
    found.alone |= alone;
    found.learns |= alone && m->quantizer->implicit;
    found.implicit |= m->family == HY_FAMILY_PAIRS || (alone && m->quantizer->implicit);
  }
  return found;
}

void hy_report_options(HyReport *report, const HyRun *run)
{
  g_return_if_fail(report != NULL && run != NULL);
  const HySim *sim = run->sim;
  Choices found = find_choices(sim);
  if (sim->set.learns && !found.learns) {
    hy_report_warning(report, "--jacobian", 0,
                      "estimate has no effect: only states of liqss1 .. liqss3 learn their partial "
                      "derivatives, and there are none");
  }
  if (sim->set.by_rows && !found.alone) {
    hy_report_warning(report, "--evaluate", 0,
                      "rows has no effect: only states of qss*, bqss and liqss* are evaluated "
                      "otherwise, and there are none");
  }
  if (sim->set.stale && !found.implicit) {
    hy_report_warning(report, "--refresh", 0,
                      "no has no effect: only states of liqss* and mliqss* take x' fresh, and "
                      "there are none");
  }
}

/* Inputs of the model --------------------------------------------------------------------------
 */

/* The first signal input that slot SLOT of the flat graph leads to; FALSE: there is none. */
static gboolean find_reader(const HySim *sim, guint slot, HyFlatTarget *reader)
{
  const HyFlat *flat = sim->graph;
  for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
    guint index, a = flat->targets[k].atomic, n = sim->sources.first[a + 1] - sim->sources.first[a];
    *reader = flat->targets[k];
    if (hy_port_at(sim->atoms[a].klass->in, n, reader->port, &index)->kind == HY_SIGNAL) {
      return TRUE;
    }
  }
  return FALSE;
}

void hy_report_inputs(HyReport *report, const HyRun *run)
{
  g_return_if_fail(report != NULL && run != NULL);
  const HyModel *model = hy_loaded_model(run->loaded);
  HyLook look;
  hy_loaded_look(run->loaded, model, &look);
  for (guint k = 0; k < hy_model_n_in(model, HY_SELF); k++) {
    HyFlatTarget reader;
    if (!find_reader(run->sim, run->sim->graph->first_out[run->sim->n] + k, &reader)) {
      continue;
    }
    g_autofree char *path = hy_sim_path(run->sim, reader.atomic),
                    *name = hy_model_in_name(model, HY_SELF, k);
    const HySaid *said = hy_said_find(look.port, look.n_ports, name);
    hy_report_warning(report, hy_loaded_file(run->loaded), said != NULL ? said->line : 0,
                      "input %s of the model: nobody feeds it when the model is run by itself, and "
                      "%s waits for it; place the model in another one, or put a source in place "
                      "of the input",
                      name, path);
  }
}

/* What smells -----------------------------------------------------------------------------------
 */

/* States whose derivative has never been known: what it follows has not been said. */
static void warn_of_resting(HyReport *report, const HyRun *run)
{
  g_autoptr(GArray) resting = hy_sim_resting(run->sim);
  for (guint k = 0; k < resting->len; k++) {
    const HyResting *r = &g_array_index(resting, HyResting, k);
    g_autofree char *path = hy_sim_path(run->sim, r->state),
                    *cause = hy_sim_path(run->sim, r->cause),
                    *more = r->more > 0 ? g_strdup_printf(" and %u more", r->more) : g_strdup("");
    warn(report, run, r->state,
         "%s%s: at rest all the time, as %s has said nothing; give it a value from the start", path,
         more, cause);
  }
}

void hy_report_run(HyReport *report, const HyRun *run)
{
  g_return_if_fail(report != NULL && run != NULL);
  warn_of_others(report, run);
  warn_of_resting(report, run);
  g_autoptr(GArray) smells = hy_sim_smells(run->sim);
  for (guint k = 0; k < smells->len; k++) {
    const HySmell *smell = &g_array_index(smells, HySmell, k);
    g_autofree char *text = hy_smell_text(run->sim, smell);
    warn(report, run, smell->atomic, "%s", text);
  }
}
