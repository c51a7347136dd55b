/* The JSON beside a table: what a recording's has, of the run in the middle of the plan, and what
 * is of all of them. Times and threads stand here, and not in the table. */
#include "sweep_internal.h"

#include "experiment/run.h"
#include "hydevs/text.h"
#include "results/sidecar.h"

static void tell_column(const HyPlanColumn *c, HyJsonOut *json)
{
  static const char *const kinds[] = {"range", "list", "random", "file"};
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", c->head);
  hy_json_text(json, "from", kinds[c->kind]);
  hy_json_text(json, "values", c->said);
  hy_json_bool(json, "carried", c->sets == HY_SETS_NOTHING);
  hy_json_end(json, '}');
}

static void tell_plan(const HyPlan *p, HyJsonOut *json)
{
  static const char *const samplings[] = {"plain", "latin", "sobol", "saltelli"};
  hy_json_begin_lines(json, "plan", '{');
  hy_json_text(json, "sha256", p->digest);
  hy_json_count(json, "runs", p->n);
  hy_json_text(json, "file", p->options.file);
  hy_json_text(json, "sampling", samplings[p->sampling]);
  hy_json_count(json, "seed", p->seed);
  hy_json_text(json, "method", p->method);
  hy_json_begin_lines(json, "columns", '[');
  for (guint k = 0; k < p->columns->len; k++) {
    tell_column(hy_plan_at(p, k), json);
  }
  hy_json_end(json, ']');
  hy_json_begin_lines(json, "measures", '[');
  for (guint k = 0; k < p->n_measures; k++) {
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", hy_plan_measure(p, k));
    hy_json_text(json, "is", hy_run_measure_text(p->like, k));
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
  hy_json_end(json, '}');
}

static void tell_rows(const HySweep *s, HyJsonOut *json)
{
  const HySweepTotals *t = &s->totals;
  char status[HY_DOUBLE_SIZE];
  hy_json_count(json, "shard", s->options.shard);
  hy_json_count(json, "shards", MAX(s->options.shards, 1));
  hy_json_count(json, "rows", s->n);
  hy_json_begin(json, "by_status", '{');
  for (int k = 0; k <= HY_SWEEP_CRASH; k++) {
    if (t->by[k] > 0) {
      hy_json_count(json, hy_sweep_status_text(status, k), t->by[k]);
    }
  }
  hy_json_end(json, '}');
  hy_json_count(json, "restored", t->restored);
  hy_json_count(json, "threads", t->threads);
  hy_json_count(json, "ranks", s->options.team != NULL ? hy_sweep_team_n(s->options.team) : 1);
  hy_json_real(json, "cpu_s", t->cpu);
  hy_json_real(json, "wall_s", t->wall);
}

gboolean hy_sweep_tell(const HySweep *s, GError **error)
{
  g_autofree char *path = hy_sidecar_path(s->options.out);
  hy_run_tell(s->plan->like);
  g_autoptr(GString) out = g_string_new(s->plan->like->told);
  HyJsonOut json = HY_SIDECAR_GOES_ON(out);
  hy_json_text(&json, "command", s->options.command);
  tell_plan(s->plan, &json);
  tell_rows(s, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
  return hy_write_file(path, out->str, (gssize)out->len, error);
}
