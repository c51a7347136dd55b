/* Answers as JSON, and JSON as words: so both say the same. */
#include "answer.h"

#include "hydevs/session.h"
#include "results/json.h"

#include <math.h>
#include <string.h>

void hy_json_value(HyJsonOut *json, const char *key, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (isfinite(v)) {
    hy_json_real(json, key, v);
  } else {
    hy_json_text(json, key, hy_double_text(text, v));
  }
}

void hy_json_bound(HyJsonOut *json, const char *key, double v)
{
  if (isfinite(v)) {
    hy_json_real(json, key, v);
  } else {
    hy_json_null(json, key);
  }
}

/* Words --------------------------------------------------------------------------------------- */

static char first(const HyJson *json)
{
  const char *at = json->at != NULL ? json->at : "";
  return at[strspn(at, " \t\r\n")];
}

static void value_words(HyJson *json, guint depth, GString *out);

static void plain_words(HyJson *json, GString *out)
{
  if (first(json) == '"') {
    g_autofree char *text = hy_json_read_string(json);
    g_autofree char *plain = hy_plain_text(text != NULL ? text : "", TRUE);
    g_string_append(out, plain);
    return;
  }
  const char *from = json->at != NULL ? json->at + strspn(json->at, " \t\r\n") : "";
  hy_json_skip(json);
  g_string_append_len(out, from, json->at != NULL ? (gssize)(json->at - from) : 0);
}

/* What only programs read, and what stands for itself. */
static gboolean is_bare(const char *key, HyJson *json, GString *out)
{
  if (g_strcmp0(key, "id") == 0 || g_strcmp0(key, "ok") == 0) {
    g_string_append(out, first(json) == 'f' ? "no" : "");
    hy_json_skip(json);
    return TRUE;
  }
  if (g_strcmp0(key, "event") == 0 || g_strcmp0(key, "report") == 0) {
    g_string_append(out, out->len > 0 ? "\n" : "");
    plain_words(json, out);
    return TRUE;
  }
  return FALSE;
}

static void object_words(HyJson *json, guint depth, GString *out)
{
  gsize start = out->len;
  gboolean line = FALSE; /* what comes next begins one */
  hy_json_open(json, '{');
  while (hy_json_more(json, '}')) {
    g_autofree char *key = hy_json_key(json);
    char c = first(json);
    if (depth == 0 && is_bare(key, json, out)) {
      continue;
    }
    gboolean inner = c == '{' || c == '[', begun = out->len > start;
    if (begun && (inner || line)) {
      g_string_append_printf(out, "\n%*s", (int)(2 * depth), "");
    }
    g_string_append(out, begun && !inner && !line ? ", " : "");
    g_string_append_printf(out, inner ? "%s:" : "%s = ", key);
    if (inner) {
      value_words(json, depth + 1, out);
    } else {
      plain_words(json, out);
    }
    line = inner;
  }
}

static void value_words(HyJson *json, guint depth, GString *out)
{
  char c = first(json);
  if (c == '{') {
    g_string_append_printf(out, "\n%*s", (int)(2 * depth), "");
    object_words(json, depth, out);
  } else if (c == '[') {
    hy_json_open(json, '[');
    while (hy_json_more(json, ']')) {
      g_string_append(out, first(json) == '{' ? "" : " ");
      value_words(json, depth, out);
    }
  } else {
    plain_words(json, out);
  }
}

void hy_session_words(const char *line, GString *out)
{
  g_return_if_fail(line != NULL && out != NULL);
  HyJson json = {.at = line};
  object_words(&json, 0, out);
}
