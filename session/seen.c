/* What is seen of a session: values at its time, carried there from what has been said; monitors,
 * which say them again and again; and overrides, what is shown in their place. The model knows
 * nothing of either. */
#include "session_internal.h"

#include "base/hint.h"
#include "results/sources.h"

#include <math.h>
#include <string.h>

void hy_seen_clear(gpointer data)
{
  HySeen *seen = data;
  g_array_unref(seen->more);
  g_free(seen->path);
}

void hy_monitor_free(gpointer data)
{
  HyMonitor *m = data;
  g_array_unref(m->seen);
  g_free(m);
}

void hy_override_free(gpointer data)
{
  HyOverride *o = data;
  g_free(o->path);
  g_free(o);
}

/* Paths --------------------------------------------------------------------------------------- */

/* Of an input of a block: who speaks there. */
static void find_source(const HySignalAt *at, HyColumn *column, GArray *more)
{
  g_autoptr(GArray) sources = hy_sources_of(at->model, at->component, at->port, NULL);
  if (sources->len > 0) {
    column->kind = HY_COLUMN_OUTPUT;
    column->atomic = g_array_index(sources, HySource, 0).atomic;
    column->port = g_array_index(sources, HySource, 0).port;
    g_array_append_vals(more, &g_array_index(sources, HySource, 1), sources->len - 1);
  }
}

static gboolean add_seen(HySession *s, const HySignalAt *at, GArray *all, GError **error)
{
  HySeen seen = {.more = g_array_new(FALSE, FALSE, sizeof(HySource)), .path = g_strdup(at->path)};
  HySignalAt named = *at;
  named.path = seen.path;
  gboolean ok = hy_run_column(s->run, &named, FALSE, &seen.column, seen.more, error);
  if (ok && seen.column.kind == HY_COLUMN_INPUT) {
    find_source(at, &seen.column, seen.more);
  }
  if (ok && seen.more->len > 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: several blocks speak there; name one of them",
                seen.path);
    ok = FALSE;
  }
  if (ok && seen.column.kind == HY_COLUMN_INPUT) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: nothing is connected there", seen.path);
    ok = FALSE;
  }
  g_array_append_val(all, seen);
  return ok;
}

GArray *hy_session_find(HySession *s, char *const *paths, GError **error)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HySeen));
  g_array_set_clear_func(all, hy_seen_clear);
  for (char *const *p = paths; *p != NULL; p++) {
    g_autoptr(GArray) matches = hy_loaded_match(s->loaded, *p, error);
    for (guint k = 0; matches != NULL && k < matches->len; k++) {
      if (!add_seen(s, &g_array_index(matches, HySignalAt, k), all, error)) {
        return NULL;
      }
    }
    if (matches == NULL) {
      return NULL;
    }
  }
  return g_steal_pointer(&all);
}

/* Values -------------------------------------------------------------------------------------- */

static double true_value(HySession *s, const HySeen *seen)
{
  double c[4];
  if (s->state == HY_LOADED) {
    return NAN;
  }
  if (seen->column.kind == HY_COLUMN_STATE) {
    return hy_sim_value(s->sim, seen->column.atomic, s->t);
  }
  return hy_sim_signal(s->sim, seen->column.atomic, seen->column.port, s->t, c) ? c[0] : NAN;
}

double hy_session_value(HySession *s, const HySeen *seen)
{
  for (guint k = 0; k < s->overrides->len; k++) {
    const HyOverride *o = g_ptr_array_index(s->overrides, k);
    if (strcmp(o->path, seen->path) == 0) {
      return o->how == HY_SHOWN_OFF ? NAN : o->value;
    }
  }
  return true_value(s, seen);
}

static void add_values(HySession *s, const GArray *seen, HyJsonOut *json)
{
  for (guint k = 0; k < seen->len; k++) {
    const HySeen *one = &g_array_index(seen, HySeen, k);
    hy_json_value(json, one->path, hy_session_value(s, one));
  }
}

void hy_session_add_monitored(HySession *s, HyJsonOut *json)
{
  if (s->monitors->len > 0 && s->sim != NULL && s->state != HY_LOADED) {
    hy_json_begin(json, "values", '{');
    for (guint k = 0; k < s->monitors->len; k++) {
      add_values(s, ((HyMonitor *)g_ptr_array_index(s->monitors, k))->seen, json);
    }
    hy_json_end(json, '}');
  }
}

/* Monitors ------------------------------------------------------------------------------------ */

double hy_monitor_next(const HyMonitor *m)
{
  return m->from + (double)m->k * m->every;
}

/* Number k is the first that lies behind NOW. */
static void monitor_rewind(HyMonitor *m, double now)
{
  double k = floor((now - m->from) / m->every);
  m->k = k > 0 ? (guint64)k : 0;
  while (hy_monitor_next(m) <= now) {
    m->k++;
  }
}

void hy_session_rewind(HySession *s)
{
  for (guint k = 0; k < s->monitors->len; k++) {
    HyMonitor *m = g_ptr_array_index(s->monitors, k);
    if (!m->wall) {
      m->k = 0;
      monitor_rewind(m, s->t);
    }
  }
  s->every_k = 0;
  while (s->every > 0 && s->every_from + (double)s->every_k * s->every <= s->t) {
    s->every_k++;
  }
}

static void tell_values(HySession *s, const HyMonitor *m)
{
  HyJsonOut json = hy_session_say_begin(s, "values");
  hy_json_begin(&json, "values", '{');
  add_values(s, m->seen, &json);
  hy_json_end(&json, '}');
  hy_session_say_end(s, &json);
}

void hy_session_monitor(HySession *s)
{
  for (guint k = 0; k < s->monitors->len; k++) {
    HyMonitor *m = g_ptr_array_index(s->monitors, k);
    if (!m->wall && hy_monitor_next(m) <= s->t) {
      tell_values(s, m);
      monitor_rewind(m, s->t);
    }
  }
}

double hy_session_monitor_wall(HySession *s)
{
  double next = INFINITY;
  for (guint k = 0; k < s->monitors->len; k++) {
    HyMonitor *m = g_ptr_array_index(s->monitors, k);
    double now = m->wall ? hy_session_now(s) : 0.0;
    if (m->wall && hy_monitor_next(m) <= now) {
      hy_session_catch_up(s);
      tell_values(s, m);
      monitor_rewind(m, now);
    }
    next = m->wall ? MIN(next, hy_monitor_next(m)) : next;
  }
  return next;
}

static gboolean is_same(const GArray *a, const GArray *b)
{
  gboolean same = a->len == b->len;
  for (guint k = 0; same && k < a->len; k++) {
    same = strcmp(g_array_index(a, HySeen, k).path, g_array_index(b, HySeen, k).path) == 0;
  }
  return same;
}

gboolean hy_do_monitor(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  double every = hy_request_number(r, "every", 0.0);
  if (!(every >= 0.0) || isinf(every) || (every > 0.0 && s->t + every == s->t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "monitor: every %s is no time",
                hy_request_text(r, "every"));
    return FALSE;
  }
  g_autoptr(GArray) seen = hy_session_find(s, hy_request_arg(r, "paths")->paths, error);
  if (seen == NULL) {
    return FALSE;
  }
  for (guint k = s->monitors->len; k-- > 0;) {
    if (is_same(((HyMonitor *)g_ptr_array_index(s->monitors, k))->seen, seen)) {
      g_ptr_array_remove_index(s->monitors, k);
    }
  }
  hy_json_begin(&a->json, "paths", '[');
  for (guint k = 0; k < seen->len; k++) {
    hy_json_text(&a->json, NULL, g_array_index(seen, HySeen, k).path);
  }
  hy_json_end(&a->json, ']');
  if (every > 0.0) {
    HyMonitor *m = g_new0(HyMonitor, 1);
    m->seen = g_steal_pointer(&seen);
    m->every = every;
    m->wall = hy_request_flag(r, "wall");
    m->from = m->wall ? hy_session_now(s) : s->t0;
    gboolean fresh = s->state == HY_LOADED || s->state == HY_READY || m->wall;
    m->k = 0;
    if (!fresh) {
      monitor_rewind(m, s->t);
    }
    g_ptr_array_add(s->monitors, m);
  }
  return TRUE;
}

gboolean hy_do_get(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  g_autoptr(GArray) seen = hy_session_find(s, hy_request_arg(r, "paths")->paths, error);
  if (seen != NULL) {
    hy_session_catch_up(s);
    hy_json_begin(&a->json, "values", '{');
    add_values(s, seen, &a->json);
    hy_json_end(&a->json, '}');
  }
  return seen != NULL;
}

/* Overrides ----------------------------------------------------------------------------------- */

static gboolean how_of(const HyRequest *r, HyShown *how, GError **error)
{
  static const char *const words[] = {"none", "", "freeze", "off", NULL};
  const char *word = hy_request_text(r, "how");
  gboolean value = hy_request_arg(r, "value") != NULL;
  *how = HY_SHOWN_VALUE;
  for (guint k = 0; word != NULL && words[k] != NULL; k++) {
    *how = strcmp(word, words[k]) == 0 ? (HyShown)k : *how;
  }
  if (value != (*how == HY_SHOWN_VALUE) || (word != NULL && value)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "override: how? (%s)", r->verb->usage);
    return FALSE;
  }
  return TRUE;
}

static void remove_override(HySession *s, const char *path)
{
  for (guint k = s->overrides->len; k-- > 0;) {
    if (strcmp(((HyOverride *)g_ptr_array_index(s->overrides, k))->path, path) == 0) {
      g_ptr_array_remove_index(s->overrides, k);
    }
  }
}

gboolean hy_do_override(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  HyShown how;
  char *const paths[] = {hy_key(hy_request_text(r, "path")), NULL};
  g_autoptr(GArray) seen = how_of(r, &how, error) ? hy_session_find(s, paths, error) : NULL;
  for (guint k = 0; seen != NULL && k < seen->len; k++) {
    const HySeen *one = &g_array_index(seen, HySeen, k);
    HyOverride *o = g_new0(HyOverride, 1);
    hy_session_catch_up(s);
    *o = (HyOverride){g_strdup(one->path), how,
                      how == HY_SHOWN_FROZEN ? hy_session_value(s, one)
                                             : hy_request_number(r, "value", NAN)};
    remove_override(s, o->path);
    if (how == HY_SHOWN) {
      hy_override_free(o);
    } else {
      g_ptr_array_add(s->overrides, o);
    }
  }
  (void)a;
  return seen != NULL;
}
