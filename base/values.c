/* Event values from text: "1, 2.5, ('job', 3)". */
#include "base/number.h"
#include "hydevs/error.h"
#include "hydevs/model.h"

#include <string.h>

gboolean hy_variant_number(GVariant *v, double *number)
{
  switch (g_variant_classify(v)) {
  case G_VARIANT_CLASS_BYTE:
    *number = g_variant_get_byte(v);
    return TRUE;
  case G_VARIANT_CLASS_INT16:
    *number = g_variant_get_int16(v);
    return TRUE;
  case G_VARIANT_CLASS_UINT16:
    *number = g_variant_get_uint16(v);
    return TRUE;
  case G_VARIANT_CLASS_INT32:
    *number = g_variant_get_int32(v);
    return TRUE;
  case G_VARIANT_CLASS_UINT32:
    *number = g_variant_get_uint32(v);
    return TRUE;
  case G_VARIANT_CLASS_INT64:
    *number = (double)g_variant_get_int64(v);
    return TRUE;
  case G_VARIANT_CLASS_UINT64:
    *number = (double)g_variant_get_uint64(v);
    return TRUE;
  case G_VARIANT_CLASS_DOUBLE:
    *number = g_variant_get_double(v);
    return TRUE;
  default:
    return FALSE;
  }
}

enum { MAX_DEPTH = 32 }; /* of brackets in one value */

/* The text of one value, and where it stands for the user. */
typedef struct {
  const char *text; /* all values */
  const char *start, *end;
} Element;

static gboolean values_fail(const Element *e, gsize offset, GError **error, const char *what)
{
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "column %" G_GSIZE_FORMAT ": %s",
              (gsize)(e->start - e->text) + offset + 1, what);
  return FALSE;
}

/* P is at a backslash inside a string. GVariant takes \u and \U without a look at whether there is
 * such a character. */
static gboolean is_good_escape(const char *p)
{
  if (p[1] != 'u' && p[1] != 'U') {
    return TRUE;
  }
  char digits[9] = "";
  strncpy(digits, p + 2, p[1] == 'u' ? 4 : 8);
  gunichar c = (gunichar)g_ascii_strtoull(digits, NULL, 16);
  return c != 0 && g_unichar_validate(c);
}

/* From the quote on; *END is behind the closing quote, or the end of the text. */
static gboolean skip_string(const Element *e, const char *p, const char **end, GError **error)
{
  char quote = *p++;
  while (*p != '\0' && *p != quote) {
    if (*p == '\\' && !is_good_escape(p)) {
      return values_fail(e, p - e->start, error, "no such character");
    }
    p += p[0] == '\\' && p[1] != '\0' ? 2 : 1;
  }
  *end = *p == quote ? p + 1 : p;
  return TRUE;
}

/* A number or a word. GVariant takes "-" and "0x" for 0. */
static gboolean skip_word(const Element *e, const char *p, const char **end, GError **error)
{
  char *read;
  *end = p;
  while (g_ascii_isalnum(**end) || (**end != '\0' && strchr("+-.", **end) != NULL)) {
    (*end)++;
  }
  g_ascii_strtod(p, &read);
  return g_ascii_isalpha(*p) || read == *end || values_fail(e, p - e->start, error, "not a number");
}

/* Sets the end of an element: the comma outside of brackets and strings, or the end of the text.
 * Whether the brackets match is g_variant_parse()'s business, which recurses: so not too deep. */
static gboolean element_find_end(Element *e, GError **error)
{
  int depth = 0;
  const char *p = e->start;
  while (*p != '\0' && !(*p == ',' && depth <= 0)) {
    depth += strchr("([{<", *p) != NULL;
    depth -= strchr(")]}>", *p) != NULL;
    if (depth > MAX_DEPTH) {
      return values_fail(e, p - e->start, error, "too many brackets inside one another");
    }
    if (*p == '\'' || *p == '"') {
      if (!skip_string(e, p, &p, error)) {
        return FALSE;
      }
    } else if (g_ascii_isalnum(*p) || strchr("+-.", *p) != NULL) {
      if (!skip_word(e, p, &p, error)) {
        return FALSE;
      }
    } else {
      p++;
    }
  }
  e->end = p;
  return TRUE;
}

static gboolean element_is_blank(const Element *e)
{
  return e->start + strspn(e->start, " \t\r\n") >= e->end;
}

/* A plain number, read as everywhere in a model: 010 is ten, 3000000000 is no overflow. */
static gboolean element_number(const Element *e, double *v)
{
  char *end;
  *v = g_ascii_strtod(e->start, &end);
  return end > e->start && end + strspn(end, " \t\r\n") == e->end;
}

/* GVariant's "3-5:unknown keyword" says where in the element. What comes behind a value may be
 * another one. */
static gboolean element_variant_error(const Element *e, const GError *reason, GError **error)
{
  guint64 offset = g_ascii_strtoull(reason->message, NULL, 10);
  const char *colon = strchr(reason->message, ':');
  const char *what = colon != NULL ? colon + 1 : reason->message;
  if (g_error_matches(reason, G_VARIANT_PARSE_ERROR, G_VARIANT_PARSE_ERROR_INPUT_NOT_AT_END)) {
    what = "values have a \",\" between them";
  }
  return values_fail(e, (gsize)offset, error, what);
}

static gboolean element_parse(const Element *e, HyValue *value, GError **error)
{
  if (element_is_blank(e)) {
    return values_fail(e, 0, error, "a value is missing");
  }
  if (!element_number(e, &value->c[0])) {
    g_autoptr(GError) reason = NULL;
    g_autoptr(GVariant) v = g_variant_parse(NULL, e->start, e->end, NULL, &reason);
    if (v == NULL) {
      return element_variant_error(e, reason, error);
    }
    if (!hy_variant_number(v, &value->c[0])) {
      value->payload = g_variant_take_ref(g_steal_pointer(&v));
      return TRUE;
    }
  }
  if (!isfinite(value->c[0])) {
    return values_fail(e, 0, error, "not a finite number");
  }
  return TRUE;
}

static gboolean values_read(const char *text, GArray *values, GError **error)
{
  if (!g_utf8_validate(text, -1, NULL)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "not UTF-8");
    return FALSE;
  }
  Element e = {.text = text, .start = text};
  for (gboolean more = text[strspn(text, " \t\r\n")] != '\0'; more; e.start = e.end + 1) {
    HyValue value = {.payload = NULL};
    e.start += strspn(e.start, " \t\r\n");
    if (!element_find_end(&e, error) || !element_parse(&e, &value, error)) {
      return FALSE;
    }
    g_array_append_val(values, value);
    more = *e.end == ',';
  }
  return TRUE;
}

HyValue *hy_values_parse(const char *text, guint *n, GError **error)
{
  g_return_val_if_fail(text != NULL && n != NULL, NULL);
  GArray *values = g_array_new(TRUE, FALSE, sizeof(HyValue));
  gboolean ok = values_read(text, values, error);
  *n = values->len;
  HyValue *v = (HyValue *)(gpointer)g_array_free(values, FALSE);
  if (!ok) {
    hy_values_free(v, *n);
    *n = 0;
    return NULL;
  }
  return v;
}

void hy_values_free(HyValue *values, guint n)
{
  for (guint k = 0; k < n; k++) {
    g_clear_pointer(&values[k].payload, g_variant_unref);
  }
  g_free(values);
}
