/* The verbs that begin, run, stop, go back and change. The table (states.c) has said that each may
 * be, and the session is in the state that the table names after it. */
#include "frames.h"
#include "session_internal.h"

#include "base/hint.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

/* Running ------------------------------------------------------------------------------------- */

static void forget_past(HySession *s)
{
  g_ptr_array_set_size(s->places, 0);
  g_ptr_array_set_size(s->deeds, 0);
  g_clear_pointer(&s->why, g_free);
  s->last = NULL;
  s->status = 0;
}

gboolean hy_do_init(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  gboolean again = s->runs > 0;
  s->seed = (guint64)hy_request_number(r, "seed", (double)s->seed);
  forget_past(s);
  if (again) {
    g_array_set_size(s->waiting, 0);
    if (!hy_session_read_script(s, error)) {
      return FALSE;
    }
  }
  if (!hy_session_begin(s, error) || !hy_log_open(s, error)) {
    hy_session_end_run(s);
    s->state = HY_LOADED;
    return FALSE;
  }
  hy_session_rewind(s);
  for (guint k = 0; k < s->monitors->len; k++) {
    ((HyMonitor *)g_ptr_array_index(s->monitors, k))->k = 0;
  }
  hy_json_count(&a->json, "seed", s->seed);
  return TRUE;
}

static gboolean is_ahead(const HySession *s, const char *what, double t, GError **error)
{
  char text[HY_DOUBLE_SIZE], now[HY_DOUBLE_SIZE];
  if (!(t >= s->t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s is past, it is %s", what,
                hy_double_text(text, t), hy_double_text(now, s->t));
    return FALSE;
  }
  if (t > s->tf && isfinite(t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s is behind the end of the run, %s", what,
                hy_double_text(text, t), hy_double_text(now, s->tf));
    return FALSE;
  }
  return TRUE;
}

gboolean hy_do_run(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double until = hy_request_number(r, "until", INFINITY);
  (void)a;
  if (!is_ahead(s, "run", until, error)) {
    return FALSE;
  }
  s->until = until;
  return TRUE;
}

gboolean hy_do_freeze(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  (void)r;
  (void)a;
  (void)error;
  hy_session_catch_up(s);
  hy_session_complete(s);
  return TRUE;
}

/* Steps --------------------------------------------------------------------------------------- */

typedef gboolean Step(HySession *s);

static gboolean step_event(HySession *s)
{
  g_autoptr(GError) error = NULL;
  gboolean done = FALSE;
  double stop = hy_session_stop(s);
  gboolean ok = hy_sim_step(s->sim, stop, &done, &error);
  return hy_session_goes_on(s, ok, done ? hy_sim_time(s->sim) : stop, error);
}

static gboolean step_instant(HySession *s)
{
  gboolean inside = s->state != HY_READY && hy_sim_next(s->sim) <= s->t;
  double t = inside ? s->t : MIN(hy_sim_next(s->sim), hy_session_stop(s));
  return hy_session_reach(s, t);
}

static gboolean step_frame(HySession *s)
{
  return hy_session_reach(s, MIN(hy_frames_next(s), s->tf));
}

gboolean hy_do_step(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  static const char *const words[] = {"event", "instant", "frame", NULL};
  static Step *const steps[] = {step_event, step_instant, step_frame};
  const char *word = hy_request_text(r, "of");
  Step *step = word == NULL ? step_instant : NULL;
  for (guint k = 0; word != NULL && words[k] != NULL; k++) {
    step = strcmp(word, words[k]) == 0 ? steps[k] : step;
  }
  double n = hy_request_number(r, "n", 1.0);
  if (step == NULL || n > 1e6 || (step == step_frame && s->how.frame == 0)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "step: %s",
                step == NULL ? "of what? event, instant or frame"
                : n > 1e6    ? "a million at a time; run until=T goes further"
                             : "there are no frames (--realtime H)");
    return FALSE;
  }
  guint64 before = s->sim->now.totals.cycles;
  for (; n > 0 && s->t < s->tf; n--) {
    if (!step(s)) {
      break;
    }
    if (s->state == HY_READY) {
      s->state = HY_FROZEN;
      atomic_store(&s->shown, (int)HY_FROZEN);
    }
    hy_session_arrived(s);
    if (s->state != HY_FROZEN) {
      break;
    }
  }
  hy_json_count(&a->json, "events", s->sim->now.totals.cycles - before);
  return TRUE;
}

/* The past ------------------------------------------------------------------------------------ */

/* What had ended goes on. */
static void revive(HySession *s)
{
  g_clear_pointer(&s->why, g_free);
  s->status = 0;
}

gboolean hy_do_back(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double n = hy_request_number(r, "n", 1.0);
  guint64 there = s->sim->now.instants;
  (void)a;
  if (n >= (double)there) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "back: there have been %" G_GUINT64_FORMAT " instants; init starts anew", there);
    return FALSE;
  }
  revive(s);
  gboolean ok = hy_session_go_to(s, s->last, s->t, there - (guint64)n, error);
  if (ok && s->state == HY_FROZEN) {
    hy_session_enter(s, HY_FROZEN);
  }
  return ok;
}

gboolean hy_do_snapshot(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  const char *name = hy_request_text(r, "name");
  if (hy_session_find_place(s, name, NULL) != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "snapshot: there is a \"%s\" already", name);
    return FALSE;
  }
  hy_session_catch_up(s);
  if (hy_session_complete(s)) {
    hy_session_keep(s, name, TRUE);
  }
  (void)a;
  return TRUE;
}

gboolean hy_do_snapshot_every(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double every = hy_request_number(r, "every", 0.0);
  (void)a;
  if (!(every >= 0.0) || isinf(every) || (every > 0.0 && s->tf + every == s->tf)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "snapshot-every: %s is no time",
                hy_request_text(r, "every"));
    return FALSE;
  }
  s->every = every;
  s->every_from = s->t0;
  s->keep = (guint)MIN(hy_request_number(r, "keep", 10.0), 1e6);
  hy_session_rewind(s);
  return TRUE;
}

gboolean hy_do_load(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  const HyPlace *p = hy_session_find_place(s, hy_request_text(r, "name"), error);
  if (p == NULL) {
    return FALSE;
  }
  const HyDeed *after = p->after;
  double t = p->t;
  hy_json_text(&a->json, "kept", hy_session_keep_future(s, p->name));
  revive(s);
  gboolean ok = hy_session_go_to(s, after, t, 0, error);
  if (ok && s->state == HY_FROZEN) {
    hy_session_enter(s, HY_FROZEN);
  }
  return ok;
}

/* The last place at or before T on the way to what is now; NULL: the start. */
static const HyPlace *place_before(const HySession *s, double t)
{
  const HyPlace *best = NULL;
  for (guint k = 0; k < s->places->len; k++) {
    const HyPlace *p = g_ptr_array_index(s->places, k);
    if (p->t <= t && hy_place_leads_to(p, s->last) && (best == NULL || p->t >= best->t)) {
      best = p;
    }
  }
  return best;
}

gboolean hy_do_replay(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double from = hy_request_number(r, "from", 0.0), until = hy_request_number(r, "until", s->t);
  char text[HY_DOUBLE_SIZE], now[HY_DOUBLE_SIZE];
  if (!(from >= s->t0 && from <= until && until <= s->t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "replay: what was is from %s to %s",
                hy_double_text(text, s->t0), hy_double_text(now, s->t));
    return FALSE;
  }
  const HyDeed *last = s->last;
  hy_json_text(&a->json, "kept", hy_session_keep_future(s, "replay"));
  const HyPlace *p = place_before(s, from);
  const HyDeed *after = p != NULL ? p->after : NULL;
  double t = p != NULL ? p->t : s->t0;
  revive(s);
  if (!hy_session_go_to(s, after, t, 0, error)) {
    return FALSE;
  }
  g_autoptr(GPtrArray) deeds = g_ptr_array_new();
  for (const HyDeed *d = last; d != after; d = d->before) {
    g_ptr_array_insert(deeds, 0, hy_key(d));
  }
  for (guint k = 0; k < deeds->len; k++) {
    const HyDeed *d = g_ptr_array_index(deeds, k);
    if (d->t <= until) {
      hy_session_wait(s, d->t, NULL, d);
    }
  }
  s->until = until;
  return TRUE;
}

/* Changes ------------------------------------------------------------------------------------- */

static gboolean change(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  hy_session_catch_up(s);
  HyDeed *deed = hy_deed_new(s, r, error);
  if (deed == NULL) {
    return FALSE;
  }
  if (!hy_session_complete(s)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: the run is over", r->verb->name);
    return FALSE;
  }
  deed->n = hy_log_add(s, r->verb->name, r);
  hy_json_count(&a->json, "n", deed->n);
  return hy_deed_do(s, deed, error);
}

gboolean hy_do_set(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  return change(s, r, a, error);
}

gboolean hy_do_say(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  return change(s, r, a, error);
}

gboolean hy_do_scale(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double to = hy_request_number(r, "to", NAN);
  (void)a;
  if (!(to > 0.0)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "scale: %s is not above 0",
                hy_request_text(r, "to"));
    return FALSE;
  }
  hy_session_catch_up(s);
  s->scale = to;
  hy_session_pace(s);
  return TRUE;
}

gboolean hy_do_note(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  (void)s;
  (void)r;
  (void)a;
  (void)error;
  return TRUE;
}

gboolean hy_do_take(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  (void)a;
  (void)error;
  s->writer = r->who;
  return TRUE;
}

gboolean hy_do_give(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  (void)a;
  (void)error;
  s->writer = s->writer == r->who ? NULL : s->writer;
  return TRUE;
}

gboolean hy_do_end(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  (void)a;
  (void)error;
  if (s->sim != NULL && s->state != HY_FAILED) {
    hy_session_catch_up(s);
    hy_session_complete(s);
  }
  hy_log_add(s, "end", r);
  hy_session_end_run(s);
  hy_log_close(s);
  return TRUE;
}
