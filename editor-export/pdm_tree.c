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
