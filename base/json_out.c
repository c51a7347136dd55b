/* JSON, written (RFC 8259). What stands before an item is seen in the text: nothing behind an
 * opening bracket, else a comma; a string ends with its quote, so it is never taken for one. */
#include "hydevs/json.h"

static gboolean is_first(const HyJsonOut *j)
{
  const char *last = j->out->str + j->out->len - (j->out->len > 0);
  return *last == '{' || *last == '[';
}

static void new_line(HyJsonOut *j, guint depth)
{
  g_string_append_printf(j->out, "\n%*s", (int)(2 * depth), "");
}

/* All that stands before a value. */
static void before(HyJsonOut *j, const char *key)
{
  gboolean line = j->depth > 0 && j->depth == j->lines;
  if (j->depth > 0 && !is_first(j)) {
    g_string_append(j->out, j->tight || line ? "," : ", ");
  }
  if (line) {
    new_line(j, j->depth);
  }
  if (key != NULL) {
    hy_json_string(j->out, key);
    g_string_append(j->out, j->tight ? ":" : ": ");
  }
}

void hy_json_begin(HyJsonOut *j, const char *key, char bracket)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  before(j, key);
  g_string_append_c(j->out, bracket);
  j->depth++;
}

void hy_json_begin_lines(HyJsonOut *j, const char *key, char bracket)
{
  g_return_if_fail(j != NULL && j->out != NULL && j->lines == j->depth);
  hy_json_begin(j, key, bracket);
  j->lines++;
}

void hy_json_end(HyJsonOut *j, char bracket)
{
  g_return_if_fail(j != NULL && j->out != NULL && j->depth > 0);
  gboolean empty = is_first(j);
  if (j->lines == j->depth--) {
    j->lines--;
    if (!empty) {
      new_line(j, j->depth);
    }
  }
  g_string_append_c(j->out, bracket);
}

void hy_json_text(HyJsonOut *j, const char *key, const char *text)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  if (text != NULL) {
    before(j, key);
    hy_json_string(j->out, text);
  }
}

void hy_json_real(HyJsonOut *j, const char *key, double v)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  before(j, key);
  hy_json_number(j->out, v);
}

void hy_json_count(HyJsonOut *j, const char *key, guint64 n)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  before(j, key);
  g_string_append_printf(j->out, "%" G_GUINT64_FORMAT, n);
}

void hy_json_bool(HyJsonOut *j, const char *key, gboolean v)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  before(j, key);
  g_string_append(j->out, v ? "true" : "false");
}

void hy_json_null(HyJsonOut *j, const char *key)
{
  g_return_if_fail(j != NULL && j->out != NULL);
  before(j, key);
  g_string_append(j->out, "null");
}
