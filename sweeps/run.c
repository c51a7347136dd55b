/* One run of a sweep: loaded, run and measured, whatever becomes of it. */
#include "internal.h"

#include "hydevs/steady.h"
#include "hydevs/text.h"

#include <math.h>
#include <time.h>

/* What ends a run from outside. */
typedef struct {
  gint *stop; /* NULL: nobody */
  guint64 events;
  double until; /* CPU time of this thread; INFINITY: any */
  gboolean late;
} Watch;

static double thread_seconds(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static gboolean has_time(Watch *w)
{
  w->late = w->until < INFINITY && thread_seconds() > w->until;
  return !w->late && (w->stop == NULL || g_atomic_int_get(w->stop) == 0);
}

static gboolean goes_on(gpointer user, double t, guint64 cycles)
{
  Watch *w = user;
  (void)t;
  return has_time(w) && cycles <= w->events;
}

/* Likewise of a search for the steady state. */
static gboolean seeks_on(gpointer user, const HySteadyStage *stage)
{
  (void)stage;
  return has_time(user);
}

void hy_sweep_row_clear(HySweepRow *row)
{
  g_return_if_fail(row != NULL);
  g_clear_pointer(&row->measures, g_free);
  g_clear_pointer(&row->why, g_free);
}

static void end_row(HySweepRow *row, int status, const char *why)
{
  row->status = status;
  row->why = hy_plain_text(why, FALSE);
}

char *hy_sweep_first_line(HyReport *report)
{
  const HyMessageAt *m = hy_report_get(report, 0);
  for (guint k = 0; m != NULL && m->warning; k++) {
    m = hy_report_get(report, k);
  }
  if (m == NULL) {
    return g_strdup("?");
  }
  guint more = hy_report_errors(report) - 1;
  g_autofree char *rest = more > 0 ? g_strdup_printf(" (and %u more)", more) : g_strdup("");
  return m->line > 0 ? g_strdup_printf("%s:%u: %s%s", m->file, m->line, m->text, rest)
                     : g_strdup_printf("%s: %s%s", m->file, m->text, rest);
}

/* Where a run has ended well and still has no value, why says of the first one. */
static void take_measures(const HyPlan *p, const HyRun *run, HySweepRow *row)
{
  for (guint k = 0; k < MIN(p->n_measures, hy_run_n_measures(run)); k++) {
    const char *why = hy_run_measure_why(run, k);
    row->measures[k] = hy_run_measure_value(run, k);
    if (isnan(row->measures[k]) && why != NULL && row->why == NULL) {
      const char *name = hy_run_measure_name(run, k);
      g_autofree char *text = g_strdup_printf("%s: %s", name, why);
      row->why = hy_plain_text(g_str_has_prefix(why, name) ? why : text, FALSE);
    }
  }
}

/* FALSE: it was stopped. */
static gboolean go(const HyPlan *p, HyRun *run, Watch *w, HySweepRow *row)
{
  g_autoptr(GError) error = NULL;
  HyTotals n;
  HySteadySettings steady = HY_STEADY_SETTINGS;
  steady.progress = seeks_on;
  steady.user = w;
  hy_sim_set_progress(hy_run_sim(run), goes_on, w);
  gboolean ok = hy_run_measure_steady(run, &steady, &error) && hy_run_go(run, &error);
  hy_sim_totals(hy_run_sim(run), &n);
  if (n.cycles > w->events) {
    g_autofree char *why =
        g_strdup_printf("more than %" G_GUINT64_FORMAT " events (--limit-events)", w->events);
    end_row(row, HY_SWEEP_LIMIT, why);
  } else if (w->late) {
    g_autofree char *why =
        g_strdup_printf("more than %g s of CPU time (--limit-time)", p->options.limit_time);
    end_row(row, HY_SWEEP_TIME, why);
  } else if (!ok && g_error_matches(error, HY_ERROR, HY_ERROR_INTERRUPTED)) {
    return FALSE;
  } else {
    row->events = n.cycles;
    if (!ok) {
      end_row(row, error->domain == HY_ERROR ? error->code : HY_ERROR_RUN, error->message);
    }
    if (ok || row->status == HY_ERROR_AUDIT) {
      take_measures(p, run, row);
    }
  }
  return TRUE;
}

static gboolean run_loaded(const HyPlan *p, const HyLoaded *loaded, const HyRunSettings *s,
                           Watch *w, HySweepRow *row)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HyRun) run = hy_run_new(loaded, s, &error);
  if (run == NULL) {
    end_row(row, error->domain == HY_ERROR ? error->code : HY_ERROR_RUN, error->message);
    return TRUE;
  }
  return go(p, run, w, row);
}

gboolean hy_sweep_run(const HyPlan *p, guint64 k, gint *stop, HySweepRow *row)
{
  g_return_val_if_fail(p != NULL && k < p->n && row != NULL, FALSE);
  double most = p->options.limit_time;
  Watch w = {.stop = stop,
             .events = p->options.limit_events,
             .until = most > 0 ? thread_seconds() + most : INFINITY};
  *row = (HySweepRow){.measures = g_new(double, (gsize)p->n_measures + 1)};
  for (guint m = 0; m < p->n_measures; m++) {
    row->measures[m] = NAN;
  }
  HyRunSettings s;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  g_auto(GStrv) texts = hy_plan_row(p, k);
  g_autoptr(HyLoaded) loaded = hy_sweep_load(p, texts, report);
  if (loaded == NULL) {
    g_autofree char *why = hy_sweep_first_line(report);
    end_row(row, HY_ERROR_MODEL, why);
    return TRUE;
  }
  if (!hy_sweep_settings(p, texts, k, &s, &error)) {
    end_row(row, error->code, error->message);
    return TRUE;
  }
  return run_loaded(p, loaded, &s, &w, row);
}

const char *hy_sweep_status_text(char *buffer, int status)
{
  static const char *const words[] = {"limit", "time", "crash"};
  g_return_val_if_fail(buffer != NULL, NULL);
  if (status >= HY_SWEEP_LIMIT && status <= HY_SWEEP_CRASH) {
    return words[status - HY_SWEEP_LIMIT];
  }
  g_snprintf(buffer, HY_DOUBLE_SIZE, "%d", status);
  return buffer;
}
