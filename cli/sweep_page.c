/* The page of a sweep, with two runs that are made once more: the one in the middle of the plan,
 * and the worst. The worst is, of those out of their bounds or else of all, the run whose first
 * measure is farthest from that of the middle. */
#include "sweep_page.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  HyLoaded *loaded;
  HyRun *run; /* NULL: it could not be made again */
} Again;

static void again_clear(Again *a)
{
  hy_run_free(a->run);
  g_clear_pointer(&a->loaded, hy_loaded_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Again, again_clear)

static Again make_again(const HyPlan *plan, guint64 k)
{
  Again a = {0};
  g_autoptr(GError) unheard = NULL; /* it stands in the table, or nobody has asked for it */
  a.run = hy_sweep_again(plan, k, &a.loaded, &unheard);
  return a;
}

/* G_MAXUINT64: no run has a measure that differs. */
static guint64 worst_run(const HySweep *s, double middle)
{
  HySweepTotals t;
  hy_sweep_totals(s, &t);
  guint64 worst = G_MAXUINT64;
  double most = 0.0;
  for (guint64 place = 0; place < t.n; place++) {
    double far = fabs(hy_sweep_value(s, place, 0) - middle);
    gboolean counts = t.breached == 0 || hy_sweep_status(s, place) == HY_ERROR_AUDIT;
    if (counts && far > most) { /* not of NaN */
      most = far;
      worst = hy_sweep_k(s, place);
    }
  }
  return worst;
}

/* What is known of the measures; the strings are RUN's. */
static GArray *columns_of(const HyRun *run)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(HySweepColumn));
  for (guint k = 0; run != NULL && k < hy_run_n_measures(run); k++) {
    HySweepColumn c = {.name = hy_run_measure_name(run, k),
                       .unit = hy_run_measure_unit(run, k),
                       .label = hy_run_measure_label(run, k),
                       .min = NAN,
                       .max = NAN};
    hy_run_measure_bounds(run, k, &c.min, &c.max);
    g_array_append_val(all, c);
  }
  return all;
}

gboolean cli_sweep_page(const CliSweepPage *p, GError **error)
{
  gboolean measured = hy_plan_n_measures(p->plan) > 0;
  g_auto(Again) middle = make_again(p->plan, HY_SWEEP_MIDDLE), worst = {0};
  double is = middle.run != NULL && measured ? hy_run_measure_value(middle.run, 0) : NAN;
  guint64 k = measured ? worst_run(p->sweep, isnan(is) ? 0.0 : is) : G_MAXUINT64;
  if (k != G_MAXUINT64) {
    worst = make_again(p->plan, k);
  }
  g_autofree char *called = g_strdup_printf("run %" G_GUINT64_FORMAT, k);
  HySweepWave waves[2];
  guint n = 0;
  if (middle.run != NULL) {
    waves[n++] = (HySweepWave){"middle of the plan", middle.run};
  }
  if (worst.run != NULL) {
    waves[n++] = (HySweepWave){called, worst.run};
  }
  g_autoptr(GArray) columns = columns_of(middle.run);
  g_autoptr(GString) page = g_string_new(NULL);
  HySweepTold told = {.csv = p->table,
                      .command = p->command,
                      .plan = p->asked,
                      .outcome = p->outcome,
                      .columns = (const HySweepColumn *)(gpointer)columns->data,
                      .n_columns = columns->len,
                      .waves = waves,
                      .n_waves = n};
  return hy_sweep_page(middle.loaded != NULL ? middle.loaded : worst.loaded, &told, page, error) &&
         hy_write_file(p->html, page->str, (gssize)page->len, error);
}
