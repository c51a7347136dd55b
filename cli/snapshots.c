#include "snapshots.h"

#include <hydevs/text.h>

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One that is asked for: AT is NaN at the end. */
typedef struct {
  char *file;
  double at;
} Asked;

static void asked_clear(gpointer data)
{
  g_free(((Asked *)data)->file);
}

/* "a@b.hysnap@2.5m": what stands behind the last @ is a time, or belongs to the name. */
static Asked asked_of(const char *text)
{
  const char *mark = strrchr(text, '@');
  double t;
  return mark != NULL && mark > text && cli_number(mark + 1, &t)
             ? (Asked){g_strndup(text, (gsize)(mark - text)), t}
             : (Asked){g_strdup(text), NAN};
}

static GArray *all_asked(const CliSnapshots *s)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(Asked));
  g_array_set_clear_func(all, asked_clear);
  for (guint k = 0; s->at != NULL && s->at[k] != NULL; k++) {
    Asked a = asked_of(s->at[k]);
    g_array_append_val(all, a);
  }
  return all;
}

gboolean cli_snapshots_check(const char *verb, const CliSnapshots *s, int *status)
{
  double every = NAN;
  *status = HY_ERROR_USAGE;
  if (s->every != NULL && !(cli_number(s->every, &every) && every > 0 && isfinite(every))) {
    cli_usage(verb, "--snapshot-every %s is not a positive time", s->every);
    return FALSE;
  }
  if (s->keep < 0 || (s->keep > 0 && s->every == NULL)) {
    cli_usage(verb, "--keep says how many files of --snapshot-every stay, 1 or more");
    return FALSE;
  }
  if (s->anew && s->from == NULL) {
    cli_usage(verb, "--new-recording goes with --from FILE");
    return FALSE;
  }
  if (s->from != NULL && g_access(s->from, R_OK) != 0) { /* before anything is recorded */
    cli_usage(verb, "--from %s: there is no such file, or it cannot be read", s->from);
    return FALSE;
  }
  g_autoptr(GArray) all = all_asked(s);
  for (guint k = 0; k < all->len; k++) {
    const Asked *a = &g_array_index(all, Asked, k);
    if (!isnan(a->at) && !isfinite(a->at)) {
      cli_usage(verb, "--snapshot %s: the time must be finite", s->at[k]);
      return FALSE;
    }
  }
  *status = 0;
  return TRUE;
}

void cli_snapshots_clear(CliSnapshots *s)
{
  g_strfreev(s->at);
  g_free(s->every);
  g_free(s->from);
}

/* Beginning ------------------------------------------------------------------------------------ */

gboolean cli_snapshots_begin(const CliSnapshots *s, HyRun *run, GError **error)
{
  HySim *sim = hy_run_sim(run);
  char t[HY_DOUBLE_SIZE];
  if (s->from == NULL) {
    return TRUE;
  }
  if (s->anew) {
    hy_run_record_anew(run);
  }
  if (!hy_sim_run(sim, hy_run_start(run), error) ||
      !hy_run_read_snapshot(run, s->from, HY_READ_EXACT, NULL, error)) {
    return FALSE;
  }
  fprintf(stderr, "from %s, t = %s\n", s->from, hy_double_text(t, hy_sim_time(sim)));
  return TRUE;
}

/* Writing -------------------------------------------------------------------------------------- */

typedef struct {
  HyRun *run;
  GArray *asked;  /* Asked */
  double every;   /* NaN: never */
  double k;       /* the next of these is number K */
  guint keep;     /* so many of them stay */
  GQueue written; /* their names, the oldest first */
  int failed;     /* the status of the first that could not be written */
} Plan;

static gboolean write_one(Plan *p, const char *file)
{
  g_autoptr(GError) why = NULL;
  if (hy_run_write_snapshot(p->run, file, NULL, &why)) {
    return TRUE;
  }
  fprintf(stderr, "hydevs: no snapshot: %s\n", why->message);
  p->failed = p->failed != 0 ? p->failed : why->code;
  return FALSE;
}

/* A new one is there before an old one goes. */
static void write_next(Plan *p)
{
  const char *name = hy_model_name(hy_loaded_model(hy_run_loaded(p->run)));
  char *file = g_strdup_printf("%s.%.0f.hysnap", name, p->k);
  if (!write_one(p, file)) {
    g_free(file);
    return;
  }
  g_queue_push_tail(&p->written, file);
  while (p->written.length > p->keep) {
    g_autofree char *old = g_queue_pop_head(&p->written);
    g_unlink(old);
  }
}

static double instant(const Plan *p)
{
  return hy_run_start(p->run) + p->k * p->every;
}

/* The first instant after T at which one is asked for; INFINITY: none. */
static double next_after(const Plan *p, double t)
{
  double next = isnan(p->every) ? INFINITY : instant(p);
  for (guint k = 0; k < p->asked->len; k++) {
    double at = g_array_index(p->asked, Asked, k).at;
    next = at > t && at < next ? at : next;
  }
  return next;
}

/* All that are asked for at T have been run to. */
static void write_at(Plan *p, double t)
{
  for (guint k = 0; k < p->asked->len; k++) {
    const Asked *a = &g_array_index(p->asked, Asked, k);
    if (a->at == t) {
      write_one(p, a->file);
    }
  }
  if (!isnan(p->every) && instant(p) == t) {
    write_next(p);
    p->k++;
  }
}

/* Those without a time; of a run that was interrupted when its instant is over. */
static void write_last(Plan *p, gboolean interrupted)
{
  HySim *sim = hy_run_sim(p->run);
  if (interrupted) {
    hy_sim_set_progress(sim, NULL, NULL);
    if (!hy_sim_run(sim, hy_sim_time(sim), NULL)) {
      return;
    }
  }
  for (guint k = 0; k < p->asked->len; k++) {
    const Asked *a = &g_array_index(p->asked, Asked, k);
    if (isnan(a->at)) {
      write_one(p, a->file);
    }
  }
}

static void tell_late(const Plan *p, double t)
{
  for (guint k = 0; k < p->asked->len; k++) {
    const Asked *a = &g_array_index(p->asked, Asked, k);
    if (a->at < t || a->at > hy_run_stop(p->run)) {
      fprintf(stderr, "hydevs: no snapshot: %s: the run does not come to its time\n", a->file);
    }
  }
}

gboolean cli_snapshots_run(const CliSnapshots *s, HyRun *run, int *failed, GError **error)
{
  HySim *sim = hy_run_sim(run);
  double stop = hy_run_stop(run), t = hy_sim_time(sim), from = s->from != NULL ? t : -INFINITY;
  Plan p = {.run = run, .asked = all_asked(s), .every = NAN};
  p.keep = s->keep > 0 ? (guint)s->keep : 2;
  g_autoptr(GError) why = NULL;
  if (s->every != NULL) {
    cli_number(s->every, &p.every);
    p.k = MAX(1, floor((t - hy_run_start(run)) / p.every));
    while (instant(&p) <= t) {
      p.k++;
    }
  }
  tell_late(&p, t);
  gboolean ok = TRUE;
  for (double next = next_after(&p, from); ok && next <= stop && hy_sim_finished(sim) == NULL;
       next = next_after(&p, next)) {
    ok = hy_sim_run(sim, next, &why);
    if (ok && hy_sim_finished(sim) == NULL) {
      write_at(&p, next);
    }
  }
  ok = ok && hy_sim_run(sim, stop, &why);
  gboolean interrupted = g_error_matches(why, HY_ERROR, HY_ERROR_INTERRUPTED);
  if (ok || interrupted) {
    write_last(&p, interrupted);
  }
  *failed = p.failed;
  g_array_unref(p.asked);
  g_queue_clear_full(&p.written, g_free);
  if (why != NULL) {
    g_propagate_error(error, g_steal_pointer(&why));
  }
  return ok;
}
