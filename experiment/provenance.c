/* What a run was made of, as members of the JSON beside its recordings: all that can change its
 * results, and nothing of the clock or the machine. */
#include "run.h"

#include "hy_build.h"
#include "results/sidecar.h"
#include "results/smells.h"
#include "results/stats_partition.h"
#include "sim/engine.h"

#include <string.h>

static void add_inputs(const HyLoaded *loaded, GString *out)
{
  const char *const *input = hy_loaded_inputs(loaded);
  g_string_append(out, "  \"inputs\": [");
  for (guint k = 0; input[k] != NULL; k++) {
    g_autofree char *digest = hy_loaded_digest(loaded, k);
    g_string_append(out, k > 0 ? ",\n    {\"file\": " : "\n    {\"file\": ");
    hy_json_string(out, input[k]);
    g_string_append(out, ", \"sha256\": ");
    if (digest != NULL) {
      hy_json_string(out, digest);
    } else {
      g_string_append(out, "null");
    }
    g_string_append_c(out, '}');
  }
  g_string_append(out, "\n  ],\n");
}

static void add_parameter(const HyParameter *p, GString *out)
{
  if (p->text != NULL) {
    hy_json_string(out, p->text);
  } else if (p->array) {
    hy_sidecar_numbers(out, p->numbers, p->n);
  } else {
    hy_sidecar_value(out, p->numbers[0]);
  }
}

static void add_parameters(const HyLoaded *loaded, GString *out)
{
  guint n = hy_loaded_n_parameters(loaded);
  g_string_append(out, "  \"parameters\": {");
  for (guint k = 0; k < n; k++) {
    const HyParameter *p = hy_loaded_parameter(loaded, k);
    g_string_append(out, k > 0 ? ",\n    " : "\n    ");
    hy_json_string(out, p->name);
    g_string_append(out, ": ");
    add_parameter(p, out);
  }
  g_string_append(out, n > 0 ? "\n  },\n" : "},\n");
}

/* What was asked for in place of what the file says. */
static void add_asked(const HyLoaded *loaded, GString *out)
{
  const HyLoadOptions *o = hy_loaded_options(loaded);
  g_string_append(out, "  \"set\": [");
  for (guint k = 0; o->set != NULL && o->set[k] != NULL; k++) {
    g_string_append(out, k > 0 ? ", " : "");
    hy_json_string(out, o->set[k]);
  }
  g_string_append(out, "],\n");
  hy_sidecar_text(out, "method", o->method);
  hy_sidecar_number(out, "tol", o->tol > 0 ? o->tol : NAN);
  hy_sidecar_number(out, "dqrel", o->dqrel > 0 ? o->dqrel : NAN);
  hy_sidecar_number(out, "dqmin", o->dqmin > 0 ? o->dqmin : NAN);
  hy_sidecar_number(out, "hstep", o->hstep > 0 ? o->hstep : NAN);
}

static const char *why_engine(const HyRun *run)
{
  if (strcmp(run->engine_asked, "auto") != 0) {
    return "asked for";
  }
  return run->engine == HY_FUSED ? "the model has static blocks" : "the model has no static blocks";
}

static void add_engine(const HyRun *run, GString *out)
{
  hy_sidecar_text(out, "engine", hy_engine_name(run->engine));
  hy_sidecar_text(out, "engine_asked", run->engine_asked);
  hy_sidecar_text(out, "engine_why", why_engine(run));
}

void hy_run_tell(HyRun *run)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  const HySimSettings *set = &run->sim->set;
  g_autoptr(GString) out = g_string_new(NULL);
  hy_sidecar_text(out, "hydevs", HY_BUILD);
  hy_sidecar_text(out, "file", hy_loaded_file(run->loaded));
  hy_sidecar_text(out, "model", hy_model_name(hy_loaded_model(run->loaded)));
  add_inputs(run->loaded, out);
  hy_sidecar_text(out, "experiment", x->name);
  hy_sidecar_text(out, "title", x->label);
  add_parameters(run->loaded, out);
  add_asked(run->loaded, out);
  add_engine(run, out);
  hy_sidecar_text(out, "partition", run->partition);
  hy_stats_chosen_json(run->sim, out);
  hy_run_print_states(run, out);
  hy_sidecar_text(out, "jacobian", set->learns ? "estimate" : "exact");
  hy_sidecar_text(out, "refresh", set->stale ? "no" : "yes");
  hy_sidecar_text(out, "evaluate", set->by_rows ? "rows" : "signals");
  if (set->limit_set) {
    g_string_append_printf(out, "  \"events_at_instant\": %" G_GUINT64_FORMAT ",\n", set->limit);
  }
  g_string_append_printf(out, "  \"seed\": %" G_GUINT64_FORMAT ",\n", run->seed);
  hy_sidecar_number(out, "from_steady", run->steady > 0.0 ? run->steady : NAN);
  hy_sidecar_number(out, "t0", run->t0);
  hy_sidecar_number(out, "tf", run->tf);
  g_free(run->told);
  run->told = g_string_free(g_steal_pointer(&out), FALSE);
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
  if (unwritten != NULL && (run->status == 0 || run->status == HY_ERROR_INTERRUPTED)) {
    hy_run_ended(run, unwritten->code, unwritten->message);
  }
  g_autoptr(GString) out = g_string_new(run->told);
  g_string_append_printf(out, "  \"status\": %d,\n", run->status);
  hy_sidecar_text(out, "message", run->message);
  g_autoptr(GString) audit = g_string_new(NULL);
  hy_run_audit_json(run, audit);
  if (audit->len > 0) {
    g_string_append_printf(out, "  %s,\n", audit->str);
  }
  hy_smells_json(run->sim, "  ", out);
  return g_string_free(g_steal_pointer(&out), FALSE);
}
