#include "element.h"

#include <string.h>

Element *element_new(const char *tag)
{
  Element *e = g_new0(Element, 1);
  e->tag = g_strdup(tag);
  e->names = g_ptr_array_new_with_free_func(g_free);
  e->values = g_ptr_array_new_with_free_func(g_free);
  e->children = g_ptr_array_new();
  return e;
}

void element_free(Element *e)
{
  for (guint k = 0; k < e->children->len; k++) {
    element_free(e->children->pdata[k]);
  }
  g_ptr_array_unref(e->names);
  g_ptr_array_unref(e->values);
  g_ptr_array_unref(e->children);
  g_free(e->tag);
  g_free(e);
}

Element *element_add(Element *e, Element *child)
{
  g_ptr_array_add(e->children, child);
  return child;
}

static gint place_of(const Element *e, const char *name)
{
  for (guint k = 0; k < e->names->len; k++) {
    if (strcmp(e->names->pdata[k], name) == 0) {
      return (gint)k;
    }
  }
  return -1;
}

static void take_value(Element *e, const char *name, char *value)
{
  gint k = place_of(e, name);
  if (k < 0) {
    g_ptr_array_add(e->names, g_strdup(name));
    g_ptr_array_add(e->values, value);
  } else {
    g_free(e->values->pdata[k]);
    e->values->pdata[k] = value;
  }
}

void element_set(Element *e, const char *name, const char *format, ...)
{
  va_list words;
  va_start(words, format);
  take_value(e, name, g_strdup_vprintf(format, words));
  va_end(words);
}

const char *element_get(const Element *e, const char *name)
{
  gint k = place_of(e, name);
  return k < 0 ? NULL : e->values->pdata[k];
}

void element_unset(Element *e, const char *name)
{
  gint k = place_of(e, name);
  if (k >= 0) {
    g_ptr_array_remove_index(e->names, (guint)k);
    g_ptr_array_remove_index(e->values, (guint)k);
  }
}

void element_unset_everywhere(Element *e, const char *name)
{
  element_unset(e, name);
  for (guint k = 0; k < e->children->len; k++) {
    element_unset_everywhere(e->children->pdata[k], name);
  }
}

Element *element_copy(const Element *e)
{
  Element *copy = element_new(e->tag);
  for (guint k = 0; k < e->names->len; k++) {
    take_value(copy, e->names->pdata[k], g_strdup(e->values->pdata[k]));
  }
  for (guint k = 0; k < e->children->len; k++) {
    element_add(copy, element_copy(e->children->pdata[k]));
  }
  return copy;
}

guint element_count(const Element *e)
{
  guint n = 1;
  for (guint k = 0; k < e->children->len; k++) {
    n += element_count(e->children->pdata[k]);
  }
  return n;
}

/* Reading and writing -------------------------------------------------------------------------- */

static void begin(GMarkupParseContext *context, const char *tag, const char **names,
                  const char **values, gpointer user, GError **error)
{
  GPtrArray *open = user;
  Element *e = element_new(tag);
  (void)context, (void)error;
  for (guint k = 0; names[k] != NULL; k++) {
    take_value(e, names[k], g_strdup(values[k]));
  }
  if (open->len > 1 || strcmp(tag, "all") != 0) {
    element_add(open->pdata[open->len - 1], e);
    g_ptr_array_add(open, e);
  } else {
    element_free(e);
    g_ptr_array_add(open, open->pdata[0]);
  }
}

static void end(GMarkupParseContext *context, const char *tag, gpointer user, GError **error)
{
  GPtrArray *open = user;
  (void)context, (void)tag, (void)error;
  g_ptr_array_remove_index(open, open->len - 1);
}

gboolean element_read(Element *e, const char *text, GError **error)
{
  static const GMarkupParser parser = {.start_element = begin, .end_element = end};
  g_autoptr(GPtrArray) open = g_ptr_array_new();
  g_ptr_array_add(open, e);
  g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, open, NULL);
  return g_markup_parse_context_parse(context, "<all>", -1, error) &&
         g_markup_parse_context_parse(context, text, -1, error) &&
         g_markup_parse_context_parse(context, "</all>", -1, error) &&
         g_markup_parse_context_end_parse(context, error);
}

static void put(const Element *e, guint depth, GString *out)
{
  g_string_append_printf(out, "%*s<%s", (int)(2 * depth), "", e->tag);
  for (guint k = 0; k < e->names->len; k++) {
    g_autofree char *value = g_markup_escape_text(e->values->pdata[k], -1);
    g_string_append_printf(out, " %s=\"%s\"", (const char *)e->names->pdata[k], value);
  }
  g_string_append(out, e->children->len > 0 ? ">\n" : "/>\n");
  for (guint k = 0; k < e->children->len; k++) {
    put(e->children->pdata[k], depth + 1, out);
  }
  if (e->children->len > 0) {
    g_string_append_printf(out, "%*s</%s>\n", (int)(2 * depth), "", e->tag);
  }
}

char *element_text(const Element *e)
{
  GString *out = g_string_new(NULL);
  put(e, 0, out);
  return g_string_free(out, FALSE);
}
