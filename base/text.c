/* Numbers and values as text, the same in traces, tables and messages. */
#include "hydevs/text.h"

char *hy_double_text(char *buffer, double v)
{
  if (!isfinite(v)) {
    g_strlcpy(buffer, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf", HY_DOUBLE_SIZE);
    return buffer;
  }
  /* 15 digits survive a round trip from decimal, 17 one from double: the first of these that reads
   * back is shortest, except among subnormal numbers, which have fewer digits. */
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  if (v != 0 && fabs(v) < 2.2250738585072014e-308) {
    for (int digits = 1; digits <= 15; digits++) {
      char format[8];
      g_snprintf(format, sizeof format, "%%.%dg", digits);
      if (g_ascii_strtod(g_ascii_formatd(buffer, HY_DOUBLE_SIZE, format, v), NULL) == v) {
        return buffer;
      }
    }
  }
  for (gsize k = 0; k < G_N_ELEMENTS(formats); k++) {
    if (g_ascii_strtod(g_ascii_formatd(buffer, HY_DOUBLE_SIZE, formats[k], v), NULL) == v) {
      break;
    }
  }
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
