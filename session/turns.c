/* How a session runs: a simulation for each beginning, how far it has come, what is due next and
 * when by the clock. */
#include "driver.h"
#include "frames.h"
#include "mail.h"
#include "session_internal.h"

#include <math.h>
#include <string.h>

/* Events between two looks at what others want, at full speed. */
#define CHUNK 20000

/* The run ------------------------------------------------------------------------------------- */

char *hy_session_numbered(const char *file, guint number)
{
  const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
  gsize n = dot != NULL && (slash == NULL || dot > slash + 1) ? (gsize)(dot - file) : strlen(file);
  return number < 2 ? g_strdup(file) : g_strdup_printf("%.*s-%u%s", (int)n, file, number, file + n);
}

static gboolean record(const HySession *s, GError **error)
{
  g_autoptr(GStrvBuilder) files = g_strv_builder_new();
  for (char **f = s->record; f != NULL && *f != NULL; f++) {
    g_autofree char *file = hy_session_numbered(*f, s->runs);
    g_strv_builder_add(files, file);
  }
  g_auto(GStrv) all = g_strv_builder_end(files);
  return s->record == NULL || hy_run_record_files(s->run, (const char *const *)all, error);
}

void hy_session_end_run(HySession *s)
{
  g_autoptr(GError) error = NULL;
  if (s->runs > 0 && s->run != NULL && s->record != NULL && !hy_run_finish(s->run, s->t, &error)) {
    s->status = s->status == 0 ? error->code : s->status;
    HyJsonOut json = hy_session_say_begin(s, "failed");
    hy_json_text(&json, "why", error->message);
    hy_session_say_end(s, &json);
  }
  for (guint k = 0; k < s->places->len; k++) { /* copies are of this run */
    HyPlace *p = g_ptr_array_index(s->places, k);
    g_clear_pointer(&p->copy, hy_snapshot_free);
  }
  g_clear_pointer(&s->run, hy_run_free);
  s->sim = NULL;
}

HyRun *hy_session_new_run(const HySession *s, GError **error)
{
  HyRunSettings set = s->set;
  set.seed = (gint64)s->seed;
  return hy_run_new(s->loaded, &set, error);
}

gboolean hy_session_begin(HySession *s, GError **error)
{
  HyRun *run = hy_session_new_run(s, error);
  if (run == NULL) {
    return FALSE;
  }
  hy_session_end_run(s);
  s->run = run;
  s->sim = hy_run_sim(run);
  s->runs++;
  s->t = s->t0;
  s->last = NULL;
  return record(s, error) && hy_sim_init(s->sim, s->t0, error);
}

static void fail(HySession *s, const GError *error)
{
  g_free(s->why);
  s->why = g_strdup(error->message);
  s->status = error->code;
  s->t = MAX(s->t0, hy_sim_time(s->sim));
  hy_session_enter(s, HY_FAILED);
}

gboolean hy_session_goes_on(HySession *s, gboolean ok, double t, const GError *error)
{
  if (!ok) {
    fail(s, error);
  } else if (hy_sim_finished(s->sim) != NULL) {
    s->t = hy_sim_time(s->sim);
    if (s->state != HY_ENDED) {
      g_free(s->why);
      s->why = g_strdup(hy_sim_finished(s->sim));
      hy_session_enter(s, HY_ENDED);
    }
    return FALSE;
  } else {
    s->t = t;
  }
  return ok;
}

gboolean hy_session_reach(HySession *s, double t)
{
  g_autoptr(GError) error = NULL;
  gboolean ok = hy_sim_run(s->sim, t, &error);
  return hy_session_goes_on(s, ok, t, error);
}

gboolean hy_session_complete(HySession *s)
{
  return hy_session_reach(s, s->t);
}

/* Pace ---------------------------------------------------------------------------------------- */

double hy_session_now(const HySession *s)
{
  g_return_val_if_fail(s != NULL, NAN);
  return s->clock.now(s->clock.user);
}

void hy_session_pace(HySession *s)
{
  s->w0 = hy_session_now(s);
  s->t_w0 = s->t;
}

gboolean hy_session_is_running(const HySession *s)
{
  return s->state == HY_RUNNING || s->state == HY_REPLAYING;
}

/* The next simulated time at which the session has to do something itself. */
static double next_stop(const HySession *s)
{
  double stop = MIN(s->tf, s->until);
  if (s->waiting->len > 0) {
    stop = MIN(stop, g_array_index(s->waiting, HyWaiting, 0).t);
  }
  for (guint k = 0; k < s->monitors->len; k++) {
    const HyMonitor *m = g_ptr_array_index(s->monitors, k);
    stop = m->wall ? stop : MIN(stop, hy_monitor_next(m));
  }
  if (s->every > 0) {
    stop = MIN(stop, s->every_from + (double)s->every_k * s->every);
  }
  return MAX(stop, s->t);
}

void hy_session_catch_up(HySession *s)
{
  if (hy_session_is_running(s) && isfinite(s->scale) && s->how.frame == 0 && !s->exact) {
    double t = s->t_w0 + (hy_session_now(s) - s->w0) * s->scale;
    double last = MIN(next_stop(s), hy_sim_next(s->sim));
    s->t = CLAMP(t, s->t, MAX(s->t, last));
  }
}

void hy_session_enter(HySession *s, HySessionState state)
{
  s->state = state;
  atomic_store(&s->shown, (int)state);
  if (hy_session_is_running(s)) {
    hy_session_pace(s);
  } else {
    s->until = INFINITY;
    hy_session_forget_replay(s);
  }
  HyJsonOut json = hy_session_say_begin(s, hy_session_state_name(state));
  hy_json_text(&json, "why", state == HY_FAILED || state == HY_ENDED ? s->why : NULL);
  hy_session_say_end(s, &json);
  if (state == HY_FROZEN || state == HY_ENDED || state == HY_FAILED) {
    hy_log_add(s, hy_session_state_name(state), NULL);
  }
}

/* Turns --------------------------------------------------------------------------------------- */

static void places_due(HySession *s)
{
  while (s->every > 0 && s->every_from + (double)s->every_k * s->every <= s->t) {
    g_autofree char *name = g_strdup_printf("every-%" G_GUINT64_FORMAT, s->every_k);
    s->every_k++;
    hy_session_keep(s, name, FALSE);
  }
}

void hy_session_arrived(HySession *s)
{
  s->exact = TRUE;
  hy_session_do_waiting(s);
  s->exact = FALSE;
  if (s->state == HY_FAILED || s->state == HY_ENDED || s->sim == NULL) {
    return;
  }
  places_due(s);
  hy_session_monitor(s);
  if (hy_session_is_running(s) && s->t >= s->tf) {
    g_clear_pointer(&s->why, g_free);
    hy_session_enter(s, HY_ENDED);
  } else if (hy_session_is_running(s) && s->t >= s->until) {
    hy_session_enter(s, HY_FROZEN);
  }
}

double hy_session_stop(const HySession *s)
{
  return next_stop(s);
}

/* One event of a run that keeps the time of the clock, if it is due. */
static double paced(HySession *s, double stop)
{
  double t = MIN(stop, hy_sim_next(s->sim)), due = s->w0 + (t - s->t_w0) / s->scale;
  if (hy_session_now(s) < due) {
    return due;
  }
  if (hy_session_reach(s, t) && t == stop) {
    hy_session_arrived(s);
  }
  return -INFINITY;
}

static void full_speed(HySession *s, double stop)
{
  g_autoptr(GError) error = NULL;
  gboolean done = FALSE;
  gboolean ok = hy_sim_run_some(s->sim, stop, CHUNK, &done, &error);
  if (hy_session_goes_on(s, ok, done ? stop : hy_sim_time(s->sim), error) && done) {
    hy_session_arrived(s);
  }
}

double hy_session_turn_here(HySession *s)
{
  hy_mail_take(s);
  if (!hy_session_is_running(s)) {
    return INFINITY;
  }
  if (s->how.frame > 0) {
    return hy_frames_turn(s);
  }
  double wall = hy_session_monitor_wall(s), stop = next_stop(s);
  if (isfinite(s->scale)) {
    return MIN(paced(s, stop), wall);
  }
  full_speed(s, stop);
  return hy_session_is_running(s) ? -INFINITY : INFINITY;
}

double hy_session_turn(HySession *s)
{
  g_return_val_if_fail(s != NULL, INFINITY);
  return s->how.frame > 0 && s->how.threaded ? hy_driver_turn(s) : hy_session_turn_here(s);
}
