/* Numbers and values as text, the same in traces, tables and messages. */
#include "hydevs/text.h"
#include "base/decimal.h"

#include <float.h>
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
  hy_decimal_text(buffer, v);
  return buffer;
}

void hy_value_text(GString *out, const HyValue *value)
{
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

void hy_json_string(GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_string_append_c(out, '"');
  for (const char *at = valid; *at != '\0'; at++) {
    guchar c = (guchar)*at;
    if (c == '"' || c == '\\') {
      g_string_append_printf(out, "\\%c", c);
    } else if (c < 0x20) {
      g_string_append_printf(out, "\\u%04x", c);
    } else {
      g_string_append_c(out, *at);
    }
  }
  g_string_append_c(out, '"');
}

void hy_json_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, isfinite(v) ? hy_double_text(text, v) : "null");
}
