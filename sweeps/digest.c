/* SHA-256 of all that a table depends on, as text: another digest is another table. */
#include "internal.h"

#include "hy_build.h"
#include "hydevs/text.h"

#include <string.h>

static void add(GString *out, const char *what, const char *text)
{
  if (text != NULL) {
    g_string_append_printf(out, "%s %" G_GSIZE_FORMAT ":%s\n", what, strlen(text), text);
  }
}

static void add_number(GString *out, const char *what, double v)
{
  char text[HY_DOUBLE_SIZE];
  add(out, what, hy_double_text(text, v));
}

static void add_list(GString *out, const char *what, const char *const *list)
{
  for (; list != NULL && *list != NULL; list++) {
    add(out, what, *list);
  }
}

static void add_files(const HyPlan *p, GString *out)
{
  const char *const *input = hy_loaded_inputs(p->loaded);
  for (guint k = 0; input[k] != NULL; k++) {
    g_autofree char *digest = hy_loaded_digest(p->loaded, k);
    add(out, "file", input[k]);
    add(out, "sha256", digest);
  }
}

static void add_load(const HyLoadOptions *o, GString *out)
{
  add(out, "experiment", o->experiment);
  add_list(out, "set", o->set);
  add(out, "method", o->method);
  add(out, "audit", o->audit);
  add_number(out, "dqrel", o->dqrel);
  add_number(out, "dqmin", o->dqmin);
  add_number(out, "tol", o->tol);
  add_number(out, "hstep", o->hstep);
  add_number(out, "strict", o->strict);
  add_number(out, "max_blocks", (double)o->max_blocks);
}

static void add_run(const HyRunSettings *s, GString *out)
{
  add(out, "engine", s->engine);
  add(out, "partition", s->partition);
  add_number(out, "stop", s->stop);
  add_number(out, "limit", (double)s->limit);
  add_number(out, "estimate", s->estimate);
  add_number(out, "stale", s->stale);
  add_number(out, "rows", s->rows);
}

static void add_column(const HyPlanColumn *c, GString *out)
{
  add(out, "column", c->name);
  add_number(out, "sets", c->sets);
  add_number(out, "kind", c->kind);
  add_number(out, "axis", c->axis);
  add_number(out, "a", c->a);
  add_number(out, "b", c->b);
  add_number(out, "log", c->log);
  add_list(out, "value", (const char *const *)c->list);
  add(out, "said", c->said);
}

static void add_plan(const HyPlan *p, GString *out)
{
  for (guint k = 0; k < p->axes->len; k++) {
    add_number(out, "axis", (double)g_array_index(p->axes, HyPlanAxis, k).n);
  }
  for (guint k = 0; k < p->columns->len; k++) {
    add_column(hy_plan_at(p, k), out);
  }
  for (guint k = 0; k < p->n_measures; k++) {
    add(out, "measure", hy_plan_measure(p, k));
    add(out, "is", hy_run_measure_text(p->like, k));
  }
  if (p->table != NULL) {
    g_autofree char *digest = hy_plan_file_digest(p->table);
    add(out, "plan", digest);
  }
  add_number(out, "sampling", p->sampling);
  g_string_append_printf(out, "seed %" G_GUINT64_FORMAT "\nevents %" G_GUINT64_FORMAT "\n", p->seed,
                         p->options.limit_events);
  add_number(out, "each", p->options.each);
  add(out, "keep", p->options.keep);
  add_list(out, "record", p->options.keep != NULL ? p->load.record : NULL);
  add(out, "chosen", p->method);
}

void hy_plan_find_digest(HyPlan *p)
{
  g_autoptr(GString) out = g_string_new("hydevs " HY_BUILD "\n");
  add_files(p, out);
  add_load(&p->load, out);
  add_run(&p->run, out);
  add_plan(p, out);
  p->digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, out->str, (gssize)out->len);
}
