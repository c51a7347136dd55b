/* The log: a line of JSON for all that is done, in the file before it is done. To go on where a
 * session was killed its lines are read again: what changed the model becomes deeds, in their order
 * and at their times; of the clock nothing is read. */
#include "session_internal.h"

#include "results/json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Writing ------------------------------------------------------------------------------------- */

static void write_line(HySession *s, const char *text, gsize size)
{
  gsize done = 0;
  gssize n = 0;
  while (s->log >= 0 && done < size && n >= 0) {
    n = write(s->log, text + done, size - done);
    done += n > 0 ? (gsize)n : 0;
    n = n < 0 && errno == EINTR ? 0 : n;
  }
  if (n < 0 && !s->log_broken) {
    s->log_broken = TRUE;
    HyJsonOut json = hy_session_say_begin(s, "unwritten");
    hy_json_text(&json, "file", s->log_file);
    hy_json_text(&json, "why", g_strerror(errno));
    hy_session_say_end(s, &json);
  }
}

static void add_arg(HyJsonOut *json, const HyArgIs *is, const HyArg *arg)
{
  if (!arg->given) {
    return;
  }
  if (is->kind == HY_ARG_PATHS) {
    hy_json_begin(json, is->name, '[');
    for (char **p = arg->paths; *p != NULL; p++) {
      hy_json_text(json, NULL, *p);
    }
    hy_json_end(json, ']');
  } else if (is->kind == HY_ARG_FLAG) {
    hy_json_bool(json, is->name, TRUE);
  } else if (is->kind == HY_ARG_TEXT || is->kind == HY_ARG_REST) {
    hy_json_text(json, is->name, arg->text);
  } else {
    hy_json_value(json, is->name, arg->number);
  }
}

static HyJsonOut begin(HySession *s, GString *line, const char *what)
{
  HyJsonOut json = {.out = line, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  hy_json_count(&json, "n", ++s->n);
  hy_json_value(&json, "wall", round(1e6 * (hy_session_now(s) - s->began)) / 1e6);
  hy_json_value(&json, "t", s->t);
  hy_json_count(&json, "after", s->last != NULL ? s->last->n : 0);
  hy_json_text(&json, "do", what);
  return json;
}

static void end(HySession *s, HyJsonOut *json, GString *line)
{
  hy_session_add_monitored(s, json);
  hy_json_end(json, '}');
  g_ptr_array_add(s->told, g_strdup(line->str));
  g_autofree char *told = g_strconcat("{\"event\":\"log\",", line->str + 1, NULL);
  g_string_append_c(line, '\n');
  write_line(s, line->str, line->len);
  hy_session_tell(s, told);
}

guint64 hy_log_add(HySession *s, const char *what, const HyRequest *r)
{
  g_autoptr(GString) line = g_string_new(NULL);
  HyJsonOut json = begin(s, line, what);
  for (guint k = 0; r != NULL && k < HY_MAX_ARGS && r->verb->args[k].name != NULL; k++) {
    add_arg(&json, &r->verb->args[k], &r->arg[k]);
  }
  hy_json_text(&json, "by", r != NULL ? r->by : NULL);
  if (r != NULL && r->line > 0) {
    hy_json_count(&json, "line", r->line);
  }
  hy_json_text(&json, "why", r == NULL ? s->why : NULL);
  end(s, &json, line);
  return s->n;
}

void hy_log_missed(HySession *s, double over, guint64 events, const char *block)
{
  g_autoptr(GString) line = g_string_new(NULL);
  HyJsonOut json = begin(s, line, "missed");
  hy_json_value(&json, "over", over);
  hy_json_count(&json, "events", events);
  hy_json_text(&json, "block", block);
  end(s, &json, line);
}

/* Of all that the model was made from, and how. */
static char *digest(const HySession *s)
{
  g_autoptr(GString) all = g_string_new(NULL);
  g_autofree char *methods = hy_run_methods(s->run);
  const char *const *inputs = hy_loaded_inputs(s->loaded);
  const HyLoadOptions *options = hy_loaded_options(s->loaded);
  for (guint k = 0; inputs[k] != NULL; k++) {
    g_autofree char *one = hy_loaded_digest(s->loaded, k);
    g_string_append_printf(all, "%s\n", one != NULL ? one : "");
  }
  for (const char *const *set = options->set; set != NULL && *set != NULL; set++) {
    g_string_append_printf(all, "%s\n", *set);
  }
  g_string_append(all, methods);
  return g_compute_checksum_for_string(G_CHECKSUM_SHA256, all->str, (gssize)all->len);
}

static char *head(HySession *s)
{
  GString *line = g_string_new(NULL);
  g_autofree char *about = hy_run_about(s->run), *sum = digest(s);
  HyJsonOut json = {.out = line, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  hy_json_text(&json, "session", about);
  hy_json_text(&json, "file", hy_loaded_file(s->loaded));
  hy_json_text(&json, "digest", sum);
  hy_json_count(&json, "seed", s->seed);
  hy_json_value(&json, "t0", s->t0);
  hy_json_value(&json, "tf", s->tf);
  hy_json_end(&json, '}');
  g_string_append_c(line, '\n');
  return g_string_free(line, FALSE);
}

static gboolean cannot_open(const char *file, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", file,
              errno == EEXIST ? "is there already; --resume goes on with it" : g_strerror(errno));
  return FALSE;
}

gboolean hy_log_open(HySession *s, GError **error)
{
  hy_log_close(s);
  s->inits++;
  s->n = 0;
  s->began = hy_session_now(s);
  g_ptr_array_set_size(s->told, 0);
  if (s->log_file == NULL) {
    return TRUE;
  }
  g_autofree char *file = hy_session_numbered(s->log_file, s->inits), *text = head(s);
  s->log = open(file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (s->log < 0) {
    return cannot_open(file, error);
  }
  write_line(s, text, strlen(text));
  return TRUE;
}

void hy_log_close(HySession *s)
{
  if (s->log >= 0) {
    close(s->log);
  }
  s->log = -1;
}

/* Going on ------------------------------------------------------------------------------------ */

typedef struct {
  char *what, *digest;
  double n, t, after, seed, line;
} Line;

static void line_clear(Line *l)
{
  g_free(l->what);
  g_free(l->digest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Line, line_clear)

static gboolean read_line(const char *text, Line *l)
{
  HyJson json = {.at = text};
  *l = (Line){.n = NAN, .t = NAN, .after = NAN, .seed = NAN, .line = 0};
  struct {
    const char *key;
    double *to;
  } const numbers[] = {
      {"n", &l->n}, {"t", &l->t}, {"after", &l->after}, {"seed", &l->seed}, {"line", &l->line}};
  hy_json_open(&json, '{');
  while (hy_json_more(&json, '}')) {
    g_autofree char *key = hy_json_key(&json);
    gboolean taken = FALSE;
    for (guint k = 0; key != NULL && k < G_N_ELEMENTS(numbers) && !taken; k++) {
      taken = strcmp(key, numbers[k].key) == 0;
      if (taken) {
        *numbers[k].to = hy_json_read_number(&json);
      }
    }
    if (!taken && key != NULL && (g_strcmp0(key, "do") == 0 || g_strcmp0(key, "digest") == 0)) {
      char **to = *key == 'd' && key[1] == 'o' ? &l->what : &l->digest;
      g_free(*to);
      *to = hy_json_read_string(&json);
    } else if (!taken) {
      hy_json_skip(&json);
    }
  }
  return json.at != NULL;
}

static const HyDeed *deed_number(const HySession *s, double n)
{
  for (guint k = 0; k < s->deeds->len; k++) {
    const HyDeed *d = g_ptr_array_index(s->deeds, k);
    if ((double)d->n == n) {
      return d;
    }
  }
  return NULL;
}

/* What was only shown or paced is said again. */
static gboolean is_repeated(const char *verb)
{
  static const char *const words[] = {"override", "scale", "snapshot-every", "monitor", NULL};
  return g_strv_contains(words, verb);
}

static gboolean take_line(HySession *s, const char *text, const Line *l, GError **error)
{
  static const char *const changes[] = {"set", "malfunction", "say", NULL};
  g_autoptr(HyRequest) r = hy_request_again(text);
  s->t = l->t;
  s->last = deed_number(s, l->after);
  s->n = (guint64)l->n;
  s->lines_done = MAX(s->lines_done, (guint)l->line);
  if (r != NULL && g_strv_contains(changes, r->verb->name)) {
    HyDeed *deed = hy_deed_new(s, r, error);
    if (deed == NULL) {
      return FALSE;
    }
    deed->n = s->n;
    s->last = deed;
  } else if (r != NULL && strcmp(r->verb->name, "snapshot") == 0) {
    HyPlace *p = g_new0(HyPlace, 1);
    *p = (HyPlace){
        .name = g_strdup(hy_request_text(r, "name")), .t = s->t, .after = s->last, .kept = TRUE};
    g_ptr_array_add(s->places, p);
  } else if (r != NULL && is_repeated(r->verb->name)) {
    HyAnswer nobody = {.json = {.out = g_string_new("{"), .tight = TRUE}};
    r->verb->act(s, r, &nobody, NULL);
    g_string_free(nobody.json.out, TRUE);
  }
  g_ptr_array_add(s->told, g_strdup(text));
  return TRUE;
}

/* The lines that are whole; a torn last one is cut off. */
static char **read_lines(const char *file, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr(GError) why = NULL;
  gsize size = 0;
  if (!g_file_get_contents(file, &text, &size, &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s", why->message);
    return NULL;
  }
  const char *last = g_strrstr_len(text, (gssize)size, "\n");
  gsize whole = last != NULL ? (gsize)(last + 1 - text) : 0;
  if (whole == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: is no log of a session", file);
    return NULL;
  }
  if (whole < size && truncate(file, (off_t)whole) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: %s", file, g_strerror(errno));
    return NULL;
  }
  text[whole - 1] = '\0';
  return g_strsplit(text, "\n", -1);
}

static gboolean is_ours(HySession *s, const char *text, GError **error)
{
  g_auto(Line) l;
  if (!read_line(text, &l) || l.digest == NULL || isnan(l.seed)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: is no log of a session", s->log_file);
    return FALSE;
  }
  s->seed = (guint64)l.seed;
  if (!hy_session_begin(s, error)) {
    return FALSE;
  }
  g_autofree char *mine = digest(s);
  if (strcmp(mine, l.digest) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: is of another model, other parameters or methods: its digest is %s, that of "
                "the model now %s",
                s->log_file, l.digest, mine);
    return FALSE;
  }
  return TRUE;
}

static void forget_done(HySession *s)
{
  for (guint k = s->waiting->len; k-- > 0;) {
    const HyWaiting *w = &g_array_index(s->waiting, HyWaiting, k);
    if (w->request->line <= s->lines_done) {
      g_array_remove_index(s->waiting, k);
    }
  }
}

gboolean hy_log_resume(HySession *s, GError **error)
{
  if (s->log_file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "what is to be resumed? It goes with a log");
    return FALSE;
  }
  g_auto(GStrv) lines = read_lines(s->log_file, error);
  if (lines == NULL || !is_ours(s, lines[0], error)) {
    return FALSE;
  }
  s->inits = 1;
  for (guint k = 1; lines[k] != NULL; k++) {
    g_auto(Line) l;
    if (!read_line(lines[k], &l) || isnan(l.n) || isnan(l.t) || isnan(l.after)) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s:%u: is no line of a log", s->log_file,
                  k + 1);
      return FALSE;
    }
    if (!take_line(s, lines[k], &l, error)) {
      g_prefix_error(error, "%s:%u: ", s->log_file, k + 1);
      return FALSE;
    }
  }
  forget_done(s);
  s->began = hy_session_now(s);
  s->log = open(s->log_file, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (s->log < 0) {
    return cannot_open(s->log_file, error);
  }
  double t = s->t;
  const HyDeed *last = s->last;
  s->t = s->t0;
  s->last = NULL;
  s->state = HY_FROZEN;
  if (!hy_session_repeat(s, last, t, 0, error)) {
    return FALSE;
  }
  hy_session_rewind(s);
  hy_log_add(s, "resume", NULL);
  if (s->state == HY_FROZEN) {
    hy_session_enter(s, s->t >= s->tf ? HY_ENDED : HY_FROZEN);
  }
  return TRUE;
}
