/* Numbers and values as text, the same in traces, tables and messages. */
#include "hydevs/text.h"
#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 15 digits survive a round trip from decimal, 17 one from double: the first of these that reads
 * back is shortest, except among subnormal numbers, which have fewer digits. */
static void text_by_trial(char *buffer, double v)
{
  int digits = fabs(v) < DBL_MIN ? 1 : 15;
  do {
    char format[8];
    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd(buffer, HY_DOUBLE_SIZE, format, v);
  } while (++digits <= 17 && g_ascii_strtod(buffer, NULL) != v);
}

gsize hy_decimal_slow(char *buffer, double v)
{
  if (v == 0) {
    g_strlcpy(buffer, signbit(v) ? "-0" : "0", HY_DOUBLE_SIZE);
  } else if (isfinite(v)) {
    text_by_trial(buffer, v);
  } else {
    g_strlcpy(buffer, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", HY_DOUBLE_SIZE);
  }
  return strlen(buffer);
}

char *hy_double_text(char *buffer, double v)
{
  g_return_val_if_fail(buffer != NULL, NULL);
  hy_decimal_text(buffer, v);
  return buffer;
}

void hy_value_text(GString *out, const HyValue *value)
{
  g_return_if_fail(out != NULL && value != NULL);
  if (value->payload != NULL) {
    g_autofree char *text = g_variant_print(value->payload, FALSE);
    g_string_append(out, text);
    return;
  }
  int last = 3;
  while (last > 0 && value->c[last] == 0) {
    last--;
  }
  for (int k = 0; k <= last; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(out, "%s%s", k > 0 ? "," : "", hy_double_text(text, value->c[k]));
  }
}

/* A terminal obeys control characters of either kind, and shows letters in another order after
 * some: what is read is then not what stands there. */
static gboolean is_obeyed(gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200e && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean stays(gunichar c, gboolean lines)
{
  return !is_obeyed(c) || (lines && (c == '\n' || c == '\t'));
}

gboolean hy_is_plain_text(const char *text, gsize n, gboolean lines)
{
  g_return_val_if_fail(text != NULL, FALSE);
  for (gsize k = 0; k < n; k++) {
    guchar c = (guchar)text[k];
    gboolean begins = c < 0x20 || c == 0x7f || c == 0xc2 || c == 0xd8 || c == 0xe2;
    if (begins && !stays(g_utf8_get_char(text + k), lines)) {
      return FALSE;
    }
  }
  return TRUE;
}

char *hy_plain_text(const char *text, gboolean lines)
{
  g_return_val_if_fail(text != NULL, NULL);
  char *valid = g_utf8_make_valid(text, -1);
  if (hy_is_plain_text(valid, strlen(valid), lines)) {
    return valid;
  }
  GString *out = g_string_new(NULL);
  for (const char *at = valid; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
    gunichar c = g_utf8_get_char(at);
    if (stays(c, lines)) {
      g_string_append_unichar(out, c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      g_string_append_c(out, ' ');
    } else {
      g_string_append_printf(out, c < 0x80 ? "\\x%02x" : "\\u%04x", c);
    }
  }
  g_free(valid);
  return g_string_free(out, FALSE);
}

void hy_json_string(GString *out, const char *text)
{
  g_return_if_fail(out != NULL && text != NULL);
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  const char *from = valid, *next; /* what is not in OUT yet */
  g_string_append_c(out, '"');
  for (const char *at = valid; *at != '\0'; at = next) {
    gunichar c = (guchar)*at < 0x80 ? (guchar)*at : g_utf8_get_char(at);
    next = at + g_utf8_skip[(guchar)*at];
    if (c != '"' && c != '\\' && !is_obeyed(c)) {
      continue;
    }
    g_string_append_len(out, from, at - from);
    from = next;
    g_string_append_printf(out, is_obeyed(c) ? "\\u%04x" : "\\%c", c);
  }
  g_string_append(out, from);
  g_string_append_c(out, '"');
}

void hy_json_number(GString *out, double v)
{
  g_return_if_fail(out != NULL);
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, isfinite(v) ? hy_double_text(text, v) : "null");
}

/* Nothing but these has a meaning between DOT's quotes. */
void hy_dot_string(GString *out, const char *text)
{
  g_return_if_fail(out != NULL && text != NULL);
  g_autofree char *plain = hy_plain_text(text, TRUE);
  g_string_append_c(out, '"');
  for (const char *at = plain; *at != '\0'; at++) {
    if (*at == '\n') {
      g_string_append(out, "\\n");
    } else {
      g_string_append(out, *at == '"' || *at == '\\' ? "\\" : "");
      g_string_append_c(out, *at);
    }
  }
  g_string_append_c(out, '"');
}

gboolean hy_text_number(const char *text, double *v)
{
  static const struct {
    char suffix;
    const char *exponent;
  } suffixes[] = {{'f', "e-15"}, {'p', "e-12"}, {'n', "e-9"}, {'u', "e-6"}, {'m', "e-3"},
                  {'k', "e3"},   {'M', "e6"},   {'G', "e9"},  {'T', "e12"}};
  g_return_val_if_fail(text != NULL && v != NULL, FALSE);
  gsize length = strlen(text);
  g_autofree char *number = g_strdup(text);
  for (guint k = 0; length > 1 && k < G_N_ELEMENTS(suffixes); k++) {
    if (text[length - 1] == suffixes[k].suffix && g_ascii_isdigit(text[length - 2])) {
      g_free(number);
      number = g_strdup_printf("%.*s%s", (int)length - 1, text, suffixes[k].exponent);
    }
  }
  char *end;
  *v = g_ascii_strtod(number, &end);
  return end != number && *end == '\0' && !isnan(*v);
}
