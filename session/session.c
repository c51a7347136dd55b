/* A session: how it begins, what a line does, and how it ends. */
#include "driver.h"
#include "frames.h"
#include "mail.h"
#include "session_internal.h"

#include "base/hint.h"
#include "base/sized.h"
#include "results/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Lines --------------------------------------------------------------------------------------- */

static void answer_id(HyJsonOut *json, const char *id)
{
  double v;
  if (id == NULL) {
    return;
  }
  if (*id == '"') {
    HyJson read = {.at = id};
    g_autofree char *text = hy_json_read_string(&read);
    hy_json_text(json, "id", text);
  } else if (hy_text_number(id, &v)) {
    hy_json_value(json, "id", v);
  }
}

static void answer_end(HySession *s, HyJsonOut *json)
{
  hy_json_text(json, "state", hy_session_state_name(s->state));
  if (s->state != HY_LOADED) {
    hy_json_value(json, "t", s->t);
  }
  hy_json_end(json, '}');
}

/* One of many who could. A script is nobody; whose process it is may always end it. */
static gboolean may_steer(const HySession *s, const HyRequest *r, GError **error)
{
  static const char *const looks[] = {"get", "info", "report", "help", "note", "give", NULL};
  gboolean may = s->writer == NULL || r->who == NULL || s->writer == r->who ||
                 g_strv_contains(looks, r->verb->name) ||
                 (r->who == s && strcmp(r->verb->name, "end") == 0);
  if (!may) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: somebody else steers, who has said take",
                r->verb->name);
  }
  return may;
}

static gboolean may_wait(const HySession *s, const HyRequest *r, GError **error)
{
  static const char *const never[] = {"init", "run",    "step", "back",
                                      "load", "replay", "help", NULL};
  char t[HY_DOUBLE_SIZE], now[HY_DOUBLE_SIZE];
  if (g_strv_contains(never, r->verb->name)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "at: %s is not for a time", r->verb->name);
    return FALSE;
  }
  if (r->at < s->t || r->at > s->tf || s->state == HY_CLOSED) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "at %s: it is %s already, or the run ends before",
                hy_double_text(t, r->at), hy_double_text(now, s->t));
    return FALSE;
  }
  return TRUE;
}

static gboolean act(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  /* What changes the model is written down before; what only looks, not at all. */
  static const char *const unwritten[] = {"set",    "malfunction", "say", "get", "info",
                                          "report", "help",        "end", NULL};
  HySessionState to;
  if (!may_steer(s, r, error) || !hy_verb_may(r->verb, s->state, &to, error) ||
      !r->verb->act(s, r, a, error)) {
    return FALSE;
  }
  if (!g_strv_contains(unwritten, r->verb->name)) {
    hy_log_add(s, r->verb->name, r);
  }
  /* What is done may itself have ended the run, but nothing keeps a session from its end. */
  if (to != s->state && (to == HY_CLOSED || (s->state != HY_FAILED && s->state != HY_ENDED))) {
    hy_session_enter(s, to);
  }
  return TRUE;
}

gboolean hy_session_answer(HySession *s, const HyRequest *r, GString *out)
{
  g_autoptr(GError) error = NULL;
  gsize start = out->len;
  HyAnswer a = {.json = {.out = out, .tight = TRUE}};
  hy_json_begin(&a.json, NULL, '{');
  answer_id(&a.json, r->id);
  hy_json_bool(&a.json, "ok", TRUE);
  gboolean ok = act(s, r, &a, &error);
  if (!ok) {
    g_string_truncate(out, start);
    a.json = (HyJsonOut){.out = out, .tight = TRUE};
    hy_json_begin(&a.json, NULL, '{');
    answer_id(&a.json, r->id);
    hy_json_bool(&a.json, "ok", FALSE);
    hy_json_text(&a.json, "why", error->message);
  }
  answer_end(s, &a.json);
  return ok;
}

static void refused(HySession *s, const char *id, const char *why, GString *out)
{
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  answer_id(&json, id);
  hy_json_bool(&json, "ok", FALSE);
  hy_json_text(&json, "why", why);
  answer_end(s, &json);
}

/* The run goes on until it stops by itself. */
static void wait_for_it(HySession *s)
{
  while (hy_session_is_running(s)) {
    double due = hy_session_turn_here(s);
    if (isfinite(due)) {
      s->clock.sleep_until(s->clock.user, due);
    }
  }
}

static gboolean take(HySession *s, HyRequest *r, GString *out)
{
  g_autoptr(HyRequest) request = r;
  g_autoptr(GError) error = NULL;
  if (isnan(r->at)) {
    gboolean waits = hy_request_flag(r, "wait");
    gsize start = out->len;
    gboolean ok = hy_session_answer(s, r, out);
    if (ok && waits) {
      g_string_truncate(out, start);
      wait_for_it(s);
      HyJsonOut json = {.out = out, .tight = TRUE};
      hy_json_begin(&json, NULL, '{');
      answer_id(&json, r->id);
      hy_json_bool(&json, "ok", TRUE);
      answer_end(s, &json);
    }
    return ok;
  }
  if (!may_steer(s, r, &error) || !may_wait(s, r, &error)) {
    refused(s, r->id, error->message, out);
    return FALSE;
  }
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  answer_id(&json, r->id);
  hy_json_bool(&json, "ok", TRUE);
  hy_json_value(&json, "at", r->at);
  answer_end(s, &json);
  hy_session_wait(s, r->at, g_steal_pointer(&request), NULL);
  return TRUE;
}

gboolean hy_session_here(HySession *s, gconstpointer who, const char *line, GString *answer)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) out = g_string_new(NULL);
  g_autofree char *id = NULL;
  gboolean json = FALSE, ok = FALSE;
  HyRequest *r = hy_request_read(line, &json, &id, &error);
  if (r == NULL) {
    refused(s, id, error->message, out);
  } else {
    r->who = who != NULL ? who : s;
    ok = take(s, r, out);
  }
  if (json) {
    g_string_append_len(answer, out->str, (gssize)out->len);
  } else {
    hy_session_words(out->str, answer);
  }
  return ok;
}

gboolean hy_session_do_as(HySession *s, gconstpointer who, const char *line, GString *answer)
{
  g_return_val_if_fail(s != NULL && line != NULL && answer != NULL, FALSE);
  return hy_mail_is_owner(s) ? hy_session_here(s, who, line, answer)
                             : hy_mail_send(s, who, line, answer);
}

gboolean hy_session_do(HySession *s, const char *line, GString *answer)
{
  g_return_val_if_fail(s != NULL && line != NULL && answer != NULL, FALSE);
  return hy_session_do_as(s, NULL, line, answer);
}

void hy_session_leave(HySession *s, gconstpointer who)
{
  g_return_if_fail(s != NULL);
  g_autoptr(GString) answer = g_string_new(NULL);
  hy_session_do_as(s, who, "give", answer);
}

/* What comes unasked -------------------------------------------------------------------------- */

typedef struct {
  HySessionHear hear;
  gpointer user;
} Hearer;

void hy_session_hear(HySession *s, HySessionHear hear, gpointer user)
{
  g_return_if_fail(s != NULL && hear != NULL);
  Hearer h = {hear, user};
  g_array_append_val(s->hear, h);
}

HyJsonOut hy_session_say_begin(HySession *s, const char *what)
{
  HyJsonOut json = {.out = s->line, .tight = TRUE};
  g_string_truncate(s->line, 0);
  hy_json_begin(&json, NULL, '{');
  hy_json_text(&json, "event", what);
  hy_json_value(&json, "t", s->t);
  return json;
}

void hy_session_tell_here(const HySession *s, const char *line)
{
  for (guint k = 0; k < s->hear->len; k++) {
    const Hearer *h = &g_array_index(s->hear, Hearer, k);
    h->hear(h->user, line);
  }
}

void hy_session_tell(HySession *s, const char *line)
{
  if (s->driver != NULL) {
    hy_driver_tell(s->driver, line);
  } else {
    hy_session_tell_here(s, line);
  }
}

void hy_session_say_end(HySession *s, HyJsonOut *json)
{
  hy_json_end(json, '}');
  hy_session_tell(s, s->line->str);
}

/* Life ---------------------------------------------------------------------------------------- */

static double machine_now(gpointer user)
{
  (void)user;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void machine_sleep(gpointer user, double t)
{
  (void)user;
  struct timespec until = {.tv_sec = (time_t)floor(t), .tv_nsec = (long)((t - floor(t)) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
}

static void waiting_clear(gpointer data)
{
  hy_request_free(((HyWaiting *)data)->request);
}

static HySession *make(const HyLoaded *loaded, const HyRunSettings *set,
                       const HySessionSettings *how)
{
  HySession *s = g_new0(HySession, 1);
  s->loaded = loaded;
  s->set = *set;
  s->set.engine = s->engine = g_strdup(set->engine);
  s->set.partition = s->partition = g_strdup(set->partition);
  s->set.unmeasured = TRUE;
  s->how = *how;
  s->script_file = g_strdup(how->script);
  s->log_file = g_strdup(how->log);
  s->record = g_strdupv((char **)hy_key(how->record));
  s->clock = how->clock.now != NULL ? how->clock : (HyClock){machine_now, machine_sleep, NULL};
  s->scale = how->scale > 0 ? how->scale : how->frame > 0 ? 1.0 : INFINITY;
  s->until = INFINITY;
  s->log = -1;
  s->keep = 10;
  s->told = g_ptr_array_new_with_free_func(g_free);
  s->deeds = g_ptr_array_new_with_free_func(hy_deed_free);
  s->waiting = g_array_new(FALSE, FALSE, sizeof(HyWaiting));
  g_array_set_clear_func(s->waiting, waiting_clear);
  s->places = g_ptr_array_new_with_free_func(hy_place_free);
  s->monitors = g_ptr_array_new_with_free_func(hy_monitor_free);
  s->overrides = g_ptr_array_new_with_free_func(hy_override_free);
  s->hear = g_array_new(FALSE, FALSE, sizeof(Hearer));
  s->line = g_string_new(NULL);
  s->mail = hy_mail_new();
  return s;
}

/* A run like all that follow is made once, so that what is wrong with it is said now. */
static gboolean try_run(HySession *s, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(s->loaded);
  s->seed = s->set.seed >= 0 ? (guint64)s->set.seed : isnan(x->seed) ? 0 : (guint64)x->seed;
  s->run = hy_session_new_run(s, error);
  if (s->run == NULL) {
    return FALSE;
  }
  s->sim = hy_run_sim(s->run);
  s->t = s->t0 = hy_run_start(s->run);
  s->tf = hy_run_stop(s->run);
  return hy_frames_check(s, s->run, error);
}

static gboolean start(HySession *s, GError **error)
{
  if (!try_run(s, error) || !hy_session_read_script(s, error)) {
    return FALSE;
  }
  if (s->how.resume && !hy_log_resume(s, error)) {
    return FALSE;
  }
  if (s->script_file != NULL && !s->how.resume) {
    if (!hy_session_begin(s, error) || !hy_log_open(s, error)) {
      return FALSE;
    }
    hy_session_enter(s, HY_READY);
  }
  if (s->script_file != NULL) {
    hy_log_add(s, "run", NULL);
    hy_session_enter(s, HY_RUNNING);
  }
  return TRUE;
}

HySession *hy_session_new_sized(const HyLoaded *loaded, const HyRunSettings *settings,
                                gsize run_size, const HySessionSettings *session,
                                gsize session_size, GError **error)
{
  g_return_val_if_fail(loaded != NULL, NULL);
  HyRunSettings set = HY_RUN_SETTINGS;
  HySessionSettings how = HY_SESSION_SETTINGS;
  if (!hy_sized_take(&set, settings, run_size, "HyRunSettings", error) ||
      !hy_sized_take(&how, session, session_size, "HySessionSettings", error)) {
    return NULL;
  }
  g_autoptr(HySession) s = make(loaded, &set, &how);
  return start(s, error) ? g_steal_pointer(&s) : NULL;
}

void hy_session_free(HySession *s)
{
  if (s == NULL) {
    return;
  }
  hy_driver_free(s->driver);
  s->driver = NULL;
  hy_session_end_run(s);
  hy_log_close(s);
  g_free(s->engine);
  g_free(s->partition);
  g_free(s->script_file);
  g_free(s->log_file);
  g_strfreev(s->record);
  g_free(s->why);
  g_ptr_array_unref(s->told);
  g_array_unref(s->waiting);
  g_ptr_array_unref(s->places);
  g_ptr_array_unref(s->deeds);
  g_ptr_array_unref(s->monitors);
  g_ptr_array_unref(s->overrides);
  g_array_unref(s->hear);
  g_string_free(s->line, TRUE);
  hy_mail_free(s->mail);
  hy_frames_free(s->frames);
  g_free(s);
}

const char *hy_session_state(const HySession *s)
{
  g_return_val_if_fail(s != NULL, NULL);
  return hy_session_state_name((HySessionState)atomic_load(&s->shown));
}

int hy_session_status(const HySession *s, const char **message)
{
  g_return_val_if_fail(s != NULL, HY_ERROR_USAGE);
  if (message != NULL) {
    *message = s->why;
  }
  return s->status;
}

const HyRun *hy_session_run(const HySession *s)
{
  g_return_val_if_fail(s != NULL, NULL);
  return s->run;
}
