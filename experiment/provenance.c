/* What a run was made of, as members of the JSON beside its recordings: all that can change its
 * results, and nothing of the clock or the machine. */
#include "run.h"

#include "hy_build.h"
#include "results/sidecar.h"
#include "results/smells.h"
#include "results/stats_partition.h"
#include "sim/engine.h"

#include <string.h>

static void add_inputs(const HyLoaded *loaded, HyJsonOut *json)
{
  const char *const *input = hy_loaded_inputs(loaded);
  hy_json_begin_lines(json, "inputs", '[');
  for (guint k = 0; input[k] != NULL; k++) {
    g_autofree char *digest = hy_loaded_digest(loaded, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "file", input[k]);
    if (digest != NULL) {
      hy_json_text(json, "sha256", digest);
    } else {
      hy_json_null(json, "sha256");
    }
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void add_parameters(const HyLoaded *loaded, HyJsonOut *json)
{
  hy_json_begin_lines(json, "parameters", '{');
  for (guint k = 0; k < hy_loaded_n_parameters(loaded); k++) {
    const HyParameter *p = hy_loaded_parameter(loaded, k);
    if (p->text != NULL) {
      hy_json_text(json, p->name, p->text);
    } else if (p->array) {
      hy_sidecar_numbers(json, p->name, p->numbers, p->n);
    } else {
      hy_sidecar_value(json, p->name, p->numbers[0]);
    }
  }
  hy_json_end(json, '}');
}

/* What was asked for in place of what the file says. */
static void add_asked(const HyLoaded *loaded, HyJsonOut *json)
{
  const HyLoadOptions *o = hy_loaded_options(loaded);
  hy_json_begin(json, "set", '[');
  for (guint k = 0; o->set != NULL && o->set[k] != NULL; k++) {
    hy_json_text(json, NULL, o->set[k]);
  }
  hy_json_end(json, ']');
  hy_json_text(json, "method", o->method);
  hy_sidecar_number(json, "tol", o->tol > 0 ? o->tol : NAN);
  hy_sidecar_number(json, "dqrel", o->dqrel > 0 ? o->dqrel : NAN);
  hy_sidecar_number(json, "dqmin", o->dqmin > 0 ? o->dqmin : NAN);
  hy_sidecar_number(json, "hstep", o->hstep > 0 ? o->hstep : NAN);
}

static const char *why_engine(const HyRun *run)
{
  if (strcmp(run->engine_asked, "auto") != 0) {
    return "asked for";
  }
  return run->engine == HY_FUSED ? "the model has static blocks" : "the model has no static blocks";
}

void hy_run_tell(HyRun *run)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  const HySimSettings *set = &run->sim->set;
  GString *out = g_string_new(NULL);
  HyJsonOut json = {.out = out};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "hydevs", HY_BUILD);
  hy_json_text(&json, "file", hy_loaded_file(run->loaded));
  hy_json_text(&json, "model", hy_model_name(hy_loaded_model(run->loaded)));
  add_inputs(run->loaded, &json);
  hy_json_text(&json, "experiment", x->name);
  hy_json_text(&json, "title", x->label);
  add_parameters(run->loaded, &json);
  add_asked(run->loaded, &json);
  hy_json_text(&json, "engine", hy_engine_name(run->engine));
  hy_json_text(&json, "engine_asked", run->engine_asked);
  hy_json_text(&json, "engine_why", why_engine(run));
  hy_json_text(&json, "partition", run->partition);
  hy_stats_chosen_json(run->sim, &json);
  hy_run_print_states(run, &json);
  hy_json_text(&json, "jacobian", set->learns ? "estimate" : "exact");
  hy_json_text(&json, "refresh", set->stale ? "no" : "yes");
  hy_json_text(&json, "evaluate", set->by_rows ? "rows" : "signals");
  if (set->limit_set) {
    hy_json_count(&json, "events_at_instant", set->limit);
  }
  hy_json_count(&json, "seed", run->seed);
  hy_sidecar_number(&json, "from_steady", run->steady > 0.0 ? run->steady : NAN);
  hy_sidecar_number(&json, "t0", run->t0);
  hy_sidecar_number(&json, "tf", run->tf);
  g_free(run->told);
  run->told = g_string_free(out, FALSE);
}

char *hy_run_tell_begun(const HyRun *run)
{
  GString *out = g_string_new(run->told);
  HyJsonOut json = HY_SIDECAR_GOES_ON(out);
  hy_json_null(&json, "status");
  return g_string_free(out, FALSE);
}

char *hy_run_about(const HyRun *run)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  g_autofree char *methods = hy_run_methods(run);
  const char *const *input = hy_loaded_inputs(run->loaded);
  g_autofree char *digest = input[0] != NULL ? hy_loaded_digest(run->loaded, 0) : NULL;
  return g_strdup_printf("%s%s%s; hydevs %s; %s%s%sseed %" G_GUINT64_FORMAT "; %s",
                         hy_model_name(hy_loaded_model(run->loaded)), x->name != NULL ? ", " : "",
                         x->name != NULL ? x->name : "", HY_BUILD, digest != NULL ? "sha256 " : "",
                         digest != NULL ? digest : "", digest != NULL ? "; " : "", run->seed,
                         methods);
}

/* The end -------------------------------------------------------------------------------------- */

void hy_run_ended(HyRun *run, int status, const char *message)
{
  g_return_if_fail(run != NULL);
  run->ended = TRUE;
  run->status = status;
  g_free(run->message);
  run->message = g_strdup(message);
}

/* As the simulation knows it. */
static void find_end(HyRun *run, double t)
{
  g_autoptr(GError) error = NULL;
  if (!hy_sim_verdict(run->sim, &error)) {
    hy_run_ended(run, error->code, error->message);
  } else if (t < run->tf && hy_sim_finished(run->sim) == NULL) {
    hy_run_ended(run, HY_ERROR_INTERRUPTED, "the run was stopped");
  } else {
    hy_run_ended(run, 0, hy_sim_finished(run->sim));
  }
}

char *hy_run_tell_end(HyRun *run, double t, const GError *unwritten)
{
  if (!run->ended) {
    find_end(run, t);
  }
  g_autoptr(GError) breach = NULL;
  if (run->status == 0 && !hy_run_is_sound(run, &breach)) {
    hy_run_ended(run, HY_ERROR_AUDIT, breach->message);
  }
  g_autoptr(GError) failed = NULL;
  if (run->status == 0 && !hy_run_measures_pass(run, &failed)) {
    hy_run_ended(run, HY_ERROR_AUDIT, failed->message);
  }
  if (unwritten != NULL && (run->status == 0 || run->status == HY_ERROR_INTERRUPTED)) {
    hy_run_ended(run, unwritten->code, unwritten->message);
  }
  GString *out = g_string_new(run->told);
  HyJsonOut json = HY_SIDECAR_GOES_ON(out);
  hy_json_count(&json, "status", (guint64)run->status);
  hy_json_text(&json, "message", run->message);
  hy_sidecar_number(&json, "restarted", run->restarted > 0.0 ? run->restarted : NAN);
  hy_run_audit_json(run, &json);
  hy_run_measures_json(run, &json);
  hy_smells_json(run->sim, &json);
  return g_string_free(out, FALSE);
}
