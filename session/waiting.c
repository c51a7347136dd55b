/* What waits for its time: lines of a script, what was asked for `at` a time, deeds that are
 * repeated. */
#include "session_internal.h"

#include "base/hint.h"

#include <math.h>
#include <string.h>

void hy_session_wait(HySession *s, double t, HyRequest *request, const HyDeed *deed)
{
  HyWaiting w = {t, s->order++, request, deed};
  guint k = s->waiting->len;
  while (k > 0 && g_array_index(s->waiting, HyWaiting, k - 1).t > t) {
    k--;
  }
  g_array_insert_val(s->waiting, k, w);
}

void hy_session_forget_replay(HySession *s)
{
  for (guint k = s->waiting->len; k-- > 0;) {
    if (g_array_index(s->waiting, HyWaiting, k).deed != NULL) {
      g_array_remove_index(s->waiting, k);
    }
  }
}

/* Nobody waits for the answer: all hear of it. */
static void do_request(HySession *s, HyRequest *r)
{
  g_autoptr(GString) answer = g_string_new(NULL);
  r->at = NAN;
  gboolean ok = hy_session_answer(s, r, answer);
  g_autoptr(GString) line = g_string_new(NULL);
  g_string_printf(line, "{\"event\":\"%s\",\"do\":\"%s\"", ok ? "done" : "refused", r->verb->name);
  if (r->line > 0) {
    g_string_append_printf(line, ",\"line\":%u", r->line);
    s->status = ok || s->status != 0 ? s->status : HY_ERROR_USAGE;
  }
  g_string_append_printf(line, ",%s", answer->str + 1);
  hy_session_tell(s, line->str);
}

void hy_session_do_waiting(HySession *s)
{
  while (s->waiting->len > 0 && g_array_index(s->waiting, HyWaiting, 0).t <= s->t) {
    HyWaiting w = g_array_index(s->waiting, HyWaiting, 0);
    g_array_index(s->waiting, HyWaiting, 0).request = NULL;
    g_array_remove_index(s->waiting, 0);
    g_autoptr(HyRequest) r = w.request;
    g_autoptr(GError) error = NULL;
    if (r != NULL) {
      do_request(s, r);
    } else if (hy_session_complete(s)) {
      hy_deed_do(s, w.deed, &error);
    }
    if (s->state == HY_FAILED || s->state == HY_ENDED || s->sim == NULL) {
      return;
    }
  }
}

/* Scripts ------------------------------------------------------------------------------------- */

/* A line of the script that cannot be is found before anything happens. */
static gboolean is_possible(HySession *s, const HyRequest *r, GError **error)
{
  const char *path = hy_request_text(r, "path");
  double to = hy_request_number(r, "to", 0.0);
  guint place;
  if (isnan(r->at)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "when? (at T %s)", r->verb->usage);
    return FALSE;
  }
  if (r->at < s->t0 || r->at > s->tf) {
    char from[HY_DOUBLE_SIZE], to_text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the run is from %s to %s",
                hy_double_text(from, s->t0), hy_double_text(to_text, s->tf));
    return FALSE;
  }
  (void)path;
  (void)to;
  (void)place;
  return TRUE;
}

static gboolean read_line(HySession *s, const char *line, guint number, double *before,
                          GError **error)
{
  g_autofree char *id = NULL;
  gboolean json;
  gsize n = strspn(line, " \t\r");
  if (line[n] == '\0' || line[n] == '#') {
    return TRUE;
  }
  HyRequest *r = hy_request_read(line, &json, &id, error);
  gboolean ok = r != NULL && is_possible(s, r, error);
  if (ok && r->at < *before) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "its time is before that of the line before");
    ok = FALSE;
  }
  if (!ok) {
    g_prefix_error(error, "%s:%u: ", s->script_file, number);
    hy_request_free(r);
    return FALSE;
  }
  r->line = number;
  *before = r->at;
  hy_session_wait(s, r->at, r, NULL);
  return TRUE;
}

gboolean hy_session_read_script(HySession *s, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) why = NULL;
  gsize size = 0;
  double before = -INFINITY;
  if (s->script_file == NULL) {
    return TRUE;
  }
  if (!g_file_get_contents(s->script_file, &text, &size, &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s", why->message);
    return FALSE;
  }
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    if (!read_line(s, lines[k], k + 1, &before, error)) {
      return FALSE;
    }
  }
  return TRUE;
}
