/* JSON (RFC 8259), read. */
#include "json.h"

#include <string.h>

#define MAX_DEPTH 64

/* The next character that is not blank; 0 at the end or after a mistake. */
static char peek(HyJson *j)
{
  if (j->at == NULL) {
    return '\0';
  }
  j->at += strspn(j->at, " \t\r\n");
  return *j->at;
}

static gboolean accept(HyJson *j, char c)
{
  if (peek(j) != c || c == '\0') {
    return FALSE;
  }
  j->at++;
  return TRUE;
}

gboolean hy_json_open(HyJson *j, char bracket)
{
  if (!accept(j, bracket) || ++j->depth > MAX_DEPTH) {
    j->at = NULL;
  }
  return j->at != NULL;
}

gboolean hy_json_more(HyJson *j, char bracket)
{
  if (accept(j, bracket)) {
    j->depth--;
    return FALSE;
  }
  accept(j, ',');
  if (peek(j) == '\0') {
    j->at = NULL;
  }
  return j->at != NULL;
}

/* After "\u". A lone half of a pair becomes the replacement character. */
static void read_unicode(HyJson *j, GString *out)
{
  gunichar c = 0;
  for (int k = 0; k < 4; k++, j->at++) {
    int digit = g_ascii_xdigit_value(*j->at);
    if (digit < 0) {
      j->at = NULL;
      return;
    }
    c = c << 4 | (gunichar)digit;
  }
  g_string_append_unichar(out, c == 0 || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c);
}

static void read_escape(HyJson *j, GString *out)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char c = *j->at++;
  const char *found = c != '\0' ? strchr(letters, c) : NULL;
  if (c == 'u') {
    read_unicode(j, out);
  } else if (found != NULL) {
    g_string_append_c(out, meanings[found - letters]);
  } else {
    j->at = NULL;
  }
}

char *hy_json_read_string(HyJson *j)
{
  if (peek(j) != '"') {
    hy_json_skip(j);
    return NULL;
  }
  g_autoptr(GString) out = g_string_new(NULL);
  j->at++;
  while (j->at != NULL && *j->at != '"' && *j->at != '\0') {
    char c = *j->at++;
    if (c == '\\') {
      read_escape(j, out);
    } else {
      g_string_append_c(out, c);
    }
  }
  if (!accept(j, '"')) {
    j->at = NULL;
    return NULL;
  }
  return g_strdup(out->str);
}

char *hy_json_key(HyJson *j)
{
  g_autofree char *key = peek(j) == '"' ? hy_json_read_string(j) : NULL;
  if (key == NULL || !accept(j, ':')) {
    j->at = NULL;
    return NULL;
  }
  return g_steal_pointer(&key);
}

double hy_json_read_number(HyJson *j)
{
  char c = peek(j);
  if (c != '-' && !g_ascii_isdigit(c)) {
    hy_json_skip(j);
    return NAN;
  }
  char *end;
  double v = g_ascii_strtod(j->at, &end);
  j->at = end > j->at ? end : NULL;
  return v;
}

static void skip_word(HyJson *j)
{
  gsize n = j->at != NULL ? strspn(j->at, "abcdefghijklmnopqrstuvwxyz") : 0;
  j->at = n > 0 ? j->at + n : NULL;
}

void hy_json_skip(HyJson *j) /* NOLINT(misc-no-recursion): no deeper than MAX_DEPTH */
{
  char c = peek(j);
  if (c == '"') {
    g_free(hy_json_read_string(j));
  } else if (c == '-' || g_ascii_isdigit(c)) {
    (void)hy_json_read_number(j);
  } else if (c == '{' || c == '[') {
    char close = c == '{' ? '}' : ']';
    for (hy_json_open(j, c); hy_json_more(j, close);) {
      if (c == '{') {
        g_free(hy_json_key(j));
      }
      hy_json_skip(j);
    }
  } else {
    skip_word(j);
  }
}
