/* What <view> elements say of places, and what else a drawing takes from a model file. */
#include "editor-export/pdm_drawing.h"

#include <math.h>
#include <string.h>

gboolean pdm_is_element(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

char *pdm_attribute(const xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
  char *text = g_strdup(value != NULL ? (const char *)value : "");
  xmlFree(value);
  return text;
}

char *pdm_doc_of(const xmlNode *node)
{
  g_autofree char *text = pdm_attribute(node, "doc");
  for (const xmlNode *child = node->children; *text == '\0' && child != NULL; child = child->next) {
    if (pdm_is_element(child, "doc")) {
      xmlChar *content = xmlNodeGetContent(child);
      g_free(text);
      text = g_strstrip(g_strdup((const char *)content));
      xmlFree(content);
    }
  }
  return g_steal_pointer(&text);
}

xmlNode *pdm_child(const xmlNode *scope, const char *name)
{
  for (xmlNode *child = scope->children; child != NULL; child = child->next) {
    g_autofree char *called =
        child->type == XML_ELEMENT_NODE ? pdm_attribute(child, "name") : g_strdup("");
    if (*called != '\0' && strcmp(called, name) == 0) {
      return child;
    }
  }
  return NULL;
}

int pdm_twips(const xmlNode *node, const char *name, int fallback)
{
  g_autofree char *text = pdm_attribute(node, name);
  char *end = NULL;
  double v = g_ascii_strtod(text, &end) * PDM_TWIPS;
  return end == text || !(fabs(v) < 1e8) ? fallback : (int)lround(v);
}

const char *pdm_keep_line(PdmFile *file, const char *text)
{
  g_autofree char *line = g_strdup(text);
  for (char *at = line; *at != '\0'; at++) {
    if ((guchar)*at < ' ') {
      *at = ' ';
    } else if (at[0] == '/' && at[1] == '/') {
      *at = '|';
    }
  }
  return pdm_keep(file, g_strstrip(line));
}

static const char *direction_of(const xmlNode *at)
{
  g_autofree char *turn = pdm_attribute(at, "turn");
  double degrees = g_ascii_strtod(turn, NULL);
  return degrees == 90 ? "Down" : degrees == 180 ? "Left" : degrees == 270 ? "Up" : "Right";
}

void pdm_place_block(PdmFile *file, PdmBlock *b, const xmlNode *at)
{
  b->x = pdm_twips(at, "x", 0);
  b->y = pdm_twips(at, "y", 0);
  b->width = pdm_twips(at, "width", 675);
  b->height = pdm_twips(at, "height", 675);
  b->direction = direction_of(at);
  g_autofree char *color = pdm_attribute(at, "color"), *icon = pdm_attribute(at, "icon");
  if (g_ascii_isdigit(*color)) {
    b->color = (int)g_ascii_strtoll(color, NULL, 10);
  }
  g_autofree char *plain = *icon != '\0' ? g_uri_unescape_string(icon, NULL) : NULL;
  if (plain != NULL) {
    b->icon = pdm_keep_line(file, plain);
  }
}

void pdm_place_port(PdmPort *p, const xmlNode *at)
{
  p->x = pdm_twips(at, "x", 0);
  p->y = pdm_twips(at, "y", 0);
  p->size = pdm_twips(at, "width", 480);
  p->direction = direction_of(at);
}

static void place_at(PdmFile *file, PdmBlock *scope, const xmlNode *at)
{
  g_autofree char *name = pdm_attribute(at, "block");
  for (guint k = 0; k < scope->blocks->len; k++) {
    PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->ours != NULL && strcmp(b->ours, name) == 0) {
      pdm_place_block(file, b, at);
      b->width = MAX(1, b->width);
      b->height = MAX(1, b->height);
    }
  }
  for (guint k = 0; k < scope->ports->len; k++) {
    PdmPort *p = &g_array_index(scope->ports, PdmPort, k);
    if (strcmp(p->ours, name) == 0) {
      pdm_place_port(p, at);
      p->size = MAX(1, p->size);
    }
  }
}

static void place_scope(PdmFile *file, PdmBlock *scope, const xmlNode *node)
{
  for (const xmlNode *child = node->children; child != NULL; child = child->next) {
    for (const xmlNode *at = pdm_is_element(child, "view") ? child->children : NULL; at != NULL;
         at = at->next) {
      if (pdm_is_element(at, "at")) {
        place_at(file, scope, at);
      } else if (pdm_is_element(at, "note")) {
        pdm_keep_note(file, scope, at);
      }
    }
    if (!pdm_is_element(child, "coupled")) {
      continue;
    }
    g_autofree char *name = pdm_attribute(child, "name");
    for (guint k = 0; k < scope->blocks->len; k++) {
      PdmBlock *b = g_ptr_array_index(scope->blocks, k);
      if (b->coupled && b->ours != NULL && strcmp(b->ours, name) == 0) {
        place_scope(file, b, child);
      }
    }
  }
}

void pdm_place(PdmFile *file, const xmlDoc *doc)
{
  place_scope(file, file->root, xmlDocGetRootElement(doc));
}
