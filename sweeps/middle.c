/* One method for a whole sweep. Where nobody states one it is chosen from the equations, and where
 * each run did so for itself, two neighbours might take different ones: a step in the results that
 * is no physics. So it is chosen once, for the middle of the plan, by the median of what each
 * column sets; that does not hang on threads or shards. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double v;
  guint64 i;
} Ranked;

static int by_value(const void *a, const void *b)
{
  const Ranked *x = a, *y = b;
  return x->v != y->v ? (x->v < y->v ? -1 : 1) : x->i < y->i ? -1 : x->i > y->i;
}

/* Where the axis of COLUMN has its median; of words: in the middle of their row. */
static guint64 median_place(const HyPlan *p, const HyPlanColumn *c)
{
  guint64 n = hy_plan_axis(p, c)->n;
  gboolean numbers = n < G_MAXSIZE / sizeof(Ranked);
  if (c->kind == HY_FROM_RANGE) {
    return n / 2;
  }
  g_autofree Ranked *all = g_new(Ranked, (gsize)n);
  for (guint64 i = 0; i < n && numbers; i++) {
    g_autofree char *text = hy_plan_value(p, c, i);
    all[i].i = i;
    numbers = hy_plan_number(text, &all[i].v);
  }
  if (!numbers) {
    return n / 2;
  }
  qsort(all, (size_t)n, sizeof *all, by_value);
  return all[n / 2].i;
}

char **hy_plan_middle_row(const HyPlan *p)
{
  char **row = hy_plan_row(p, 0);
  for (guint k = 0; k < p->n_set; k++) {
    const HyPlanColumn *c = hy_plan_at(p, k);
    g_free(row[k]);
    row[k] = c->kind == HY_FROM_DRAW ? hy_draw_text(c->draw, 0.5)
                                     : hy_plan_value(p, c, median_place(p, c));
  }
  return row;
}

/* A run that could begin. FALSE: WHY says why there is none. */
static gboolean try_row(HyPlan *p, char *const *row, guint64 k, HyReport *why)
{
  HyRunSettings s;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyLoaded) loaded = hy_sweep_load(p, row, why);
  if (loaded == NULL) {
    return FALSE;
  }
  double seed = hy_loaded_experiment(loaded)->seed;
  p->seed = p->run.seed >= 0 ? (guint64)p->run.seed : isnan(seed) ? 0 : (guint64)seed;
  g_autoptr(HyRun) run = NULL;
  if (hy_sweep_settings(p, row, k, &s, &error)) {
    run = hy_run_new(loaded, &s, &error);
  }
  if (run == NULL) {
    hy_report_error(why, p->file, 0, "%s", error->message);
    return FALSE;
  }
  p->loaded = g_steal_pointer(&loaded);
  p->like = g_steal_pointer(&run);
  return TRUE;
}

/* "mliqss2" of "mliqss2, chosen for you: WHY"; NULL: several. */
static char *method_of(const char *chosen)
{
  gsize n = strcspn(chosen, ", ");
  return chosen[n] == ',' && g_str_has_prefix(chosen + n, ", chosen") ? g_strndup(chosen, n) : NULL;
}

static void tell_method(HyPlan *p)
{
  g_autofree char *chosen = hy_run_chosen(p->like);
  const char *why = chosen != NULL ? strstr(chosen, "chosen for you") : NULL;
  if (why != NULL && !p->options.each) {
    p->alone = method_of(chosen);
    p->method = g_strdup_printf("%.*schosen for you in the middle of the plan%s",
                                (int)(why - chosen), chosen, why + strlen("chosen for you"));
  }
}

/* If the middle is none that can run, the run there, the first and the last one are tried. Where
 * none of them begins something is wrong with the model or the measures: what the middle says is
 * told. */
gboolean hy_plan_find_middle(HyPlan *p, HyReport *report)
{
  const guint64 others[] = {p->n / 2, 0, p->n - 1};
  g_autoptr(HyReport) why = hy_report_new();
  g_auto(GStrv) row = hy_plan_middle_row(p);
  gboolean found = try_row(p, row, 0, why);
  for (guint i = 0; i < G_N_ELEMENTS(others) && !found; i++) {
    g_autoptr(HyReport) unheard = hy_report_new();
    g_auto(GStrv) other = hy_plan_row(p, others[i]);
    found = try_row(p, other, others[i], unheard);
  }
  if (found) {
    p->n_measures = hy_run_n_measures(p->like);
    tell_method(p);
    return TRUE;
  }
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(why, k)) != NULL; k++) {
    (m->warning ? hy_report_warning : hy_report_error)(report, m->file, m->line, "%s", m->text);
  }
  return FALSE;
}
