/* Blocks of a PowerDEVS model in memory, and what their parameters refer to. Texts are the file's
 * and live as long as it does. */
#include "editor-export/pdm.h"

#include <stdlib.h>
#include <string.h>

static void point_clear(gpointer p)
{
  PdmPoint *point = p;
  g_array_unref(point->lines);
}

static void block_free(gpointer p)
{
  PdmBlock *b = p;
  if (b == NULL) {
    return;
  }
  g_array_unref(b->params);
  g_ptr_array_unref(b->blocks);
  g_array_unref(b->ports);
  g_array_unref(b->points);
  g_array_unref(b->lines);
  g_array_unref(b->couplings);
  g_array_unref(b->extra);
  g_free(b);
}

PdmBlock *pdm_block_new(PdmBlock *parent, gboolean coupled, guint line)
{
  PdmBlock *b = g_new0(PdmBlock, 1);
  b->parent = parent;
  b->coupled = coupled;
  b->line = line;
  b->name = b->path = b->doc = b->direction = b->icon = b->window = "";
  b->params = g_array_new(FALSE, TRUE, sizeof(PdmParam));
  b->blocks = g_ptr_array_new_with_free_func(block_free);
  b->ports = g_array_new(FALSE, TRUE, sizeof(PdmPort));
  b->points = g_array_new(FALSE, TRUE, sizeof(PdmPoint));
  g_array_set_clear_func(b->points, point_clear);
  b->lines = g_array_new(FALSE, TRUE, sizeof(PdmLine));
  b->couplings = g_array_new(FALSE, TRUE, sizeof(PdmCoupling));
  b->extra = g_array_new(FALSE, FALSE, sizeof(const char *));
  if (parent != NULL) {
    g_ptr_array_add(parent->blocks, b);
  }
  return b;
}

PdmFile *pdm_file_new(const char *file)
{
  PdmFile *f = g_new0(PdmFile, 1);
  f->strings = g_string_chunk_new(4096);
  f->file = pdm_keep(f, file);
  return f;
}

void pdm_free(PdmFile *file)
{
  if (file != NULL) {
    block_free(file->root);
    g_string_chunk_free(file->strings);
    g_free(file);
  }
}

const char *pdm_keep(PdmFile *file, const char *text)
{
  return g_string_chunk_insert_const(file->strings, text);
}

/* Parameters ------------------------------------------------------------------------------------
 */

const PdmParam *pdm_param(const PdmBlock *block, const char *name)
{
  for (guint k = 0; k < block->params->len; k++) {
    const PdmParam *p = &g_array_index(block->params, PdmParam, k);
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

/* TEXT at ";" that no backslash stands before, which is taken away elsewhere. */
static GPtrArray *split_parts(const char *text)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
  GString *part = g_string_new(NULL);
  for (; *text != '\0'; text++) {
    if (text[0] == '\\' && text[1] == ';') {
      g_string_append_c(part, *++text);
    } else if (*text == ';') {
      g_ptr_array_add(parts, g_string_free(part, FALSE));
      part = g_string_new(NULL);
    } else {
      g_string_append_c(part, *text);
    }
  }
  g_ptr_array_add(parts, g_string_free(part, FALSE));
  return parts;
}

/* The first part is the type, the last the description, all between the value. */
static char *middle_parts(const GPtrArray *parts)
{
  GString *value = g_string_new(NULL);
  for (guint k = 1; k + 1 < parts->len; k++) {
    g_string_append_printf(value, "%s%s", k > 1 ? ";" : "", (char *)g_ptr_array_index(parts, k));
  }
  return g_strstrip(g_string_free(value, FALSE));
}

guint pdm_param_parse(PdmFile *file, PdmParam *p)
{
  g_autoptr(GPtrArray) parts = split_parts(p->raw);
  g_autofree char *value = middle_parts(parts);
  p->type = pdm_keep(file, g_strstrip(g_ptr_array_index(parts, 0)));
  p->value = pdm_keep(file, value);
  p->doc = pdm_keep(file, g_strstrip(g_ptr_array_index(parts, parts->len - 1)));
  return parts->len;
}

static gboolean is_reference(const PdmParam *p)
{
  return strcmp(p->type, "Str") == 0 && p->value[0] == '%';
}

const PdmParam *pdm_resolve(const PdmBlock *block, const PdmParam *p, const PdmBlock **where)
{
  const PdmBlock *at = block;
  while (is_reference(p)) {
    const char *name = p->value + 1;
    const PdmParam *found = NULL;
    for (at = at->parent; at != NULL && found == NULL; at = found == NULL ? at->parent : at) {
      found = pdm_param(at, name);
      if (found != NULL) {
        break;
      }
    }
    if (found == NULL) {
      return NULL;
    }
    p = found;
  }
  *where = at;
  return p;
}

char *pdm_option(const char *value)
{
  g_auto(GStrv) parts = g_strsplit(value, "%", -1);
  long chosen = strtol(parts[0] != NULL ? parts[0] : "", NULL, 10);
  for (char **option = parts[0] != NULL ? parts + 1 : parts; *option != NULL; option++) {
    if (**option != '\0' && --chosen == 0) {
      return g_strdup(*option);
    }
  }
  return NULL;
}

char *pdm_choose(const char *list, const char *word)
{
  g_auto(GStrv) options = g_strsplit(list, "%", -1);
  guint k = 1;
  while (options[0] != NULL && options[k] != NULL && strcmp(options[k], word) != 0) {
    k++;
  }
  return options[0] != NULL && options[k] != NULL ? g_strdup_printf("%u%s", k, strchr(list, '%'))
                                                  : NULL;
}

char *pdm_value(const PdmBlock *block, const PdmParam *p)
{
  const PdmBlock *where = block;
  if (is_reference(p) && strcmp(p->value, "%Inputs") == 0) {
    return g_strdup_printf("%d", block->n_in);
  }
  if (is_reference(p) && strcmp(p->value, "%Outputs") == 0) {
    return g_strdup_printf("%d", block->n_out);
  }
  const PdmParam *value = pdm_resolve(block, p, &where);
  if (value == NULL) {
    return NULL;
  }
  return strcmp(value->type, "Lst") == 0 ? pdm_option(value->value) : g_strdup(value->value);
}
