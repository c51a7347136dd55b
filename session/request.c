/* Reading a request. Both forms say the same: a verb, and arguments by name; in words those that
 * stand bare have the names of the table in its order. */
#include "request.h"

#include "base/hint.h"
#include "results/json.h"

#include <math.h>
#include <string.h>

void hy_request_free(HyRequest *r)
{
  for (guint k = 0; r != NULL && k < HY_MAX_ARGS; k++) {
    g_free(r->arg[k].text);
    g_strfreev(r->arg[k].paths);
  }
  if (r != NULL) {
    g_free(r->id);
    g_free(r->by);
    g_free(r);
  }
}

const HyArg *hy_request_arg(const HyRequest *r, const char *name)
{
  for (guint k = 0; k < HY_MAX_ARGS && r->verb->args[k].name != NULL; k++) {
    if (strcmp(r->verb->args[k].name, name) == 0) {
      return r->arg[k].given ? &r->arg[k] : NULL;
    }
  }
  return NULL;
}

double hy_request_number(const HyRequest *r, const char *name, double otherwise)
{
  const HyArg *a = hy_request_arg(r, name);
  return a != NULL ? a->number : otherwise;
}

const char *hy_request_text(const HyRequest *r, const char *name)
{
  const HyArg *a = hy_request_arg(r, name);
  return a != NULL ? a->text : NULL;
}

gboolean hy_request_flag(const HyRequest *r, const char *name)
{
  return hy_request_arg(r, name) != NULL;
}

/* Values -------------------------------------------------------------------------------------- */

static gboolean refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static gboolean refuse(GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *plain = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *text = hy_plain_text(plain, FALSE);
  g_set_error_literal(error, HY_ERROR, HY_ERROR_USAGE, text);
  return FALSE;
}

static gboolean read_number(const char *verb, const HyArgIs *is, HyArg *arg, GError **error)
{
  double v = NAN;
  gboolean ok = hy_text_number(arg->text, &v) && !isnan(v);
  arg->number = v;
  if (ok && is->kind != HY_ARG_NUMBER) {
    ok = v >= (is->kind == HY_ARG_COUNT ? 1.0 : 0.0) && v <= 9e15 && v == floor(v);
  }
  return ok || refuse(error, "%s: %s = \"%s\" is not %s", verb, is->name, arg->text,
                      is->kind == HY_ARG_NUMBER  ? "a number"
                      : is->kind == HY_ARG_COUNT ? "a whole number, 1 or more"
                                                 : "a whole number, 0 or more");
}

static void add_paths(HyArg *arg, const char *text)
{
  g_autoptr(GStrvBuilder) all = g_strv_builder_new();
  g_auto(GStrv) more = g_strsplit(text, ",", -1);
  for (char **p = arg->paths; p != NULL && *p != NULL; p++) {
    g_strv_builder_add(all, *p);
  }
  for (char **p = more; *p != NULL; p++) {
    if (*g_strstrip(*p) != '\0') {
      g_strv_builder_add(all, *p);
    }
  }
  g_strfreev(arg->paths);
  arg->paths = g_strv_builder_end(all);
}

static gboolean take(HyRequest *r, guint k, const char *text, GError **error)
{
  const HyArgIs *is = &r->verb->args[k];
  HyArg *arg = &r->arg[k];
  arg->given = TRUE;
  g_free(arg->text);
  arg->text = g_strdup(text);
  if (is->kind == HY_ARG_PATHS) {
    add_paths(arg, text);
    return TRUE;
  }
  return is->kind == HY_ARG_TEXT || is->kind == HY_ARG_REST || is->kind == HY_ARG_FLAG ||
         read_number(r->verb->name, is, arg, error);
}

static gboolean find_arg(const HyVerb *verb, const char *name, guint *k)
{
  for (*k = 0; *k < HY_MAX_ARGS && verb->args[*k].name != NULL; ++*k) {
    if (strcmp(verb->args[*k].name, name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean unknown_arg(const HyVerb *verb, const char *name, GError **error)
{
  HyNearest nearest = {.word = name};
  for (guint k = 0; k < HY_MAX_ARGS && verb->args[k].name != NULL; k++) {
    hy_nearest_offer(&nearest, verb->args[k].name);
  }
  g_autofree char *meant = hy_did_you_mean(nearest.best);
  return refuse(error, "%s takes no \"%s\"%s (%s)", verb->name, name, meant, verb->usage);
}

static gboolean is_whole(const HyRequest *r, GError **error)
{
  for (guint k = 0; k < HY_MAX_ARGS && r->verb->args[k].name != NULL; k++) {
    const HyArg *arg = &r->arg[k];
    gboolean there = arg->given && (arg->paths == NULL || arg->paths[0] != NULL);
    if (r->verb->args[k].needed && !there) {
      return refuse(error, "%s: %s is missing (%s)", r->verb->name, r->verb->args[k].name,
                    r->verb->usage);
    }
  }
  return TRUE;
}

/* Words --------------------------------------------------------------------------------------- */

/* The first word of *TEXT, which moves behind it; newly allocated, NULL: there is none. */
static char *next_word(const char **text)
{
  const char *at = *text + strspn(*text, " \t\r\n");
  gsize n = strcspn(at, " \t\r\n");
  *text = at + n;
  return n > 0 ? g_strndup(at, n) : NULL;
}

/* The argument that a word without a name stands for: a flag or a choice, else the next bare one,
 * paths as often as they come. */
static gboolean bare_arg(const HyRequest *r, const char *word, guint *k)
{
  if (find_arg(r->verb, word, k) && r->verb->args[*k].kind == HY_ARG_FLAG) {
    return TRUE;
  }
  for (*k = 0; *k < HY_MAX_ARGS && r->verb->args[*k].name != NULL; ++*k) {
    const HyArgIs *is = &r->verb->args[*k];
    if (is->bare && (!r->arg[*k].given || is->kind == HY_ARG_PATHS)) {
      double v;
      gboolean number = is->kind == HY_ARG_COUNT || is->kind == HY_ARG_SEED;
      gboolean more = *k + 1 < HY_MAX_ARGS && r->verb->args[*k + 1].bare;
      if (!number || !more || hy_text_number(word, &v)) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

static gboolean read_words(HyRequest *r, const char *text, GError **error)
{
  for (;;) {
    const char *before = text + strspn(text, " \t\r\n");
    g_autofree char *word = next_word(&text);
    guint k;
    if (word == NULL) {
      return is_whole(r, error);
    }
    char *equal = strchr(word, '=');
    if (bare_arg(r, word, &k) && r->verb->args[k].kind == HY_ARG_REST) {
      g_autofree char *rest = g_strchomp(g_strdup(before));
      return take(r, k, rest, error);
    }
    if (equal != NULL) {
      *equal = '\0';
      if (!find_arg(r->verb, word, &k)) {
        return unknown_arg(r->verb, word, error);
      }
    } else if (!bare_arg(r, word, &k)) {
      return refuse(error, "%s: \"%s\" is too much (%s)", r->verb->name, word, r->verb->usage);
    }
    if (!take(r, k, equal != NULL ? equal + 1 : word, error)) {
      return FALSE;
    }
  }
}

/* at T VERB ... */
static gboolean read_at(HyRequest *r, const char **text, char **verb, GError **error)
{
  g_autofree char *time = next_word(text);
  if (time == NULL || !hy_text_number(time, &r->at) || !isfinite(r->at)) {
    return refuse(error, "at: \"%s\" is not a time (at T VERB ...)", time != NULL ? time : "");
  }
  g_free(*verb);
  *verb = next_word(text);
  return *verb != NULL || refuse(error, "at: what is to be done then? (at T VERB ...)");
}

static gboolean read_line(HyRequest *r, const char *text, GError **error)
{
  g_autofree char *verb = next_word(&text);
  if (verb == NULL) {
    return refuse(error, "an empty line");
  }
  if (strcmp(verb, "at") == 0 && !read_at(r, &text, &verb, error)) {
    return FALSE;
  }
  r->verb = hy_verb_find(verb, error);
  return r->verb != NULL && read_words(r, text, error);
}

/* JSON ---------------------------------------------------------------------------------------- */

typedef struct {
  char *key, *value; /* as it stands there */
} Member;

static void member_clear(gpointer data)
{
  Member *m = data;
  g_free(m->key);
  g_free(m->value);
}

static GArray *read_members(const char *text)
{
  HyJson json = {.at = text};
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Member));
  g_array_set_clear_func(all, member_clear);
  if (!hy_json_open(&json, '{')) {
    return NULL;
  }
  while (hy_json_more(&json, '}')) {
    Member m = {.key = hy_json_key(&json)};
    const char *from = json.at;
    hy_json_skip(&json);
    m.value = json.at != NULL ? g_strndup(from, (gsize)(json.at - from)) : NULL;
    m.value = m.value != NULL ? g_strstrip(m.value) : NULL;
    g_array_append_val(all, m);
  }
  if (json.at == NULL || json.at[strspn(json.at, " \t\r\n")] != '\0') {
    return NULL;
  }
  return g_steal_pointer(&all);
}

/* The text of a value: a string without its quotes, anything else as it stands. Newly allocated;
 * NULL: no text at all. */
static char *text_of(const char *value)
{
  HyJson json = {.at = value};
  return *value == '"' ? hy_json_read_string(&json) : g_strdup(value);
}

static char *member_text(const GArray *all, const char *key)
{
  for (guint k = 0; k < all->len; k++) {
    const Member *m = &g_array_index(all, Member, k);
    if (strcmp(m->key, key) == 0) {
      return text_of(m->value);
    }
  }
  return NULL;
}

static gboolean take_list(HyRequest *r, guint k, const char *value, GError **error)
{
  HyJson json = {.at = value};
  gboolean ok = hy_json_open(&json, '[');
  r->arg[k].given = TRUE;
  while (ok && hy_json_more(&json, ']')) {
    g_autofree char *path = hy_json_read_string(&json);
    ok = path != NULL;
    if (ok) {
      add_paths(&r->arg[k], path);
    }
  }
  return (ok && json.at != NULL) ||
         refuse(error, "%s: %s are not texts", r->verb->name, r->verb->args[k].name);
}

static gboolean take_member(HyRequest *r, const Member *m, GError **error)
{
  static const char *const common[] = {"id", "do", "at", "by", NULL};
  guint k;
  if (g_strv_contains(common, m->key)) {
    return TRUE;
  }
  if (!find_arg(r->verb, m->key, &k)) {
    return unknown_arg(r->verb, m->key, error);
  }
  if (strcmp(m->value, "null") == 0 ||
      (r->verb->args[k].kind == HY_ARG_FLAG && strcmp(m->value, "false") == 0)) {
    return TRUE;
  }
  if (r->verb->args[k].kind == HY_ARG_PATHS && *m->value == '[') {
    return take_list(r, k, m->value, error);
  }
  g_autofree char *text = text_of(m->value);
  gboolean plain = text != NULL && *m->value != '{' && *m->value != '[';
  return plain ? take(r, k, text, error)
               : refuse(error, "%s: %s is neither a text nor a number", r->verb->name, m->key);
}

HyRequest *hy_request_again(const char *line)
{
  g_autoptr(HyRequest) r = g_new0(HyRequest, 1);
  g_autoptr(GArray) all = read_members(line);
  g_autofree char *verb = all != NULL ? member_text(all, "do") : NULL;
  guint place;
  r->at = NAN;
  r->json = TRUE;
  r->verb = verb != NULL ? hy_verb_find(verb, NULL) : NULL;
  for (guint k = 0; r->verb != NULL && k < all->len; k++) {
    const Member *m = &g_array_index(all, Member, k);
    if (find_arg(r->verb, m->key, &place) && !take_member(r, m, NULL)) {
      return NULL;
    }
  }
  return r->verb != NULL && is_whole(r, NULL) ? g_steal_pointer(&r) : NULL;
}

static gboolean read_json(HyRequest *r, const char *text, GError **error)
{
  g_autoptr(GArray) all = read_members(text);
  if (all == NULL) {
    return refuse(error, "this is not an object of JSON");
  }
  for (guint k = 0; k < all->len; k++) {
    const Member *m = &g_array_index(all, Member, k);
    if (strcmp(m->key, "id") == 0) {
      g_free(r->id);
      r->id = g_strdup(m->value);
    }
  }
  g_autofree char *verb = member_text(all, "do"), *at = member_text(all, "at");
  r->by = member_text(all, "by");
  if (verb == NULL) {
    return refuse(error, "\"do\" is missing: which verb?");
  }
  if (at != NULL && (!hy_text_number(at, &r->at) || !isfinite(r->at))) {
    return refuse(error, "at: \"%s\" is not a time", at);
  }
  r->verb = hy_verb_find(verb, error);
  for (guint k = 0; r->verb != NULL && k < all->len; k++) {
    if (!take_member(r, &g_array_index(all, Member, k), error)) {
      return FALSE;
    }
  }
  return r->verb != NULL && is_whole(r, error);
}

HyRequest *hy_request_read(const char *line, gboolean *json, char **id, GError **error)
{
  g_autoptr(HyRequest) r = g_new0(HyRequest, 1);
  r->at = NAN;
  r->json = line[strspn(line, " \t\r\n")] == '{';
  gboolean ok = g_utf8_validate(line, -1, NULL)
                    ? r->json ? read_json(r, line, error) : read_line(r, line, error)
                    : refuse(error, "this is not UTF-8");
  *json = r->json;
  *id = g_strdup(r->id);
  return ok ? g_steal_pointer(&r) : NULL;
}
