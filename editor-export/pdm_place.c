/* Places of blocks from the <view> elements of a model file, for a drawing that is made of it. */
#include "editor-export/pdm_export.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

#define TWIPS 15.0 /* of a pixel */

static char *attribute(xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
  char *text = g_strdup(value != NULL ? (const char *)value : "");
  xmlFree(value);
  return text;
}

/* Twips of a number of pixels; FALLBACK: it has none. */
static int twips(xmlNode *node, const char *name, int fallback)
{
  g_autofree char *text = attribute(node, name);
  char *end = NULL;
  double v = g_ascii_strtod(text, &end) * TWIPS;
  return end == text || !(fabs(v) < 1e8) ? fallback : (int)lround(v);
}

static const char *direction_of(xmlNode *at)
{
  g_autofree char *turn = attribute(at, "turn");
  double degrees = g_ascii_strtod(turn, NULL);
  return degrees == 90 ? "Down" : degrees == 180 ? "Left" : degrees == 270 ? "Up" : "Right";
}

static void place_block(PdmFile *file, PdmBlock *b, xmlNode *at)
{
  b->x = twips(at, "x", 0);
  b->y = twips(at, "y", 0);
  b->width = MAX(1, twips(at, "width", 675));
  b->height = MAX(1, twips(at, "height", 675));
  b->direction = direction_of(at);
  g_autofree char *color = attribute(at, "color"), *icon = attribute(at, "icon");
  if (g_ascii_isdigit(*color)) {
    b->color = (int)g_ascii_strtoll(color, NULL, 10);
  }
  g_autofree char *plain = *icon != '\0' ? g_uri_unescape_string(icon, NULL) : NULL;
  if (plain != NULL) {
    b->icon = pdm_keep(file, plain);
  }
}

static void place_at(PdmFile *file, PdmBlock *scope, xmlNode *at)
{
  g_autofree char *name = attribute(at, "block");
  for (guint k = 0; k < scope->blocks->len; k++) {
    PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->ours != NULL && strcmp(b->ours, name) == 0) {
      place_block(file, b, at);
    }
  }
  for (guint k = 0; k < scope->ports->len; k++) {
    PdmPort *p = &g_array_index(scope->ports, PdmPort, k);
    if (strcmp(p->name, name) == 0) {
      p->x = twips(at, "x", 0);
      p->y = twips(at, "y", 0);
      p->size = MAX(1, twips(at, "width", 480));
      p->direction = direction_of(at);
    }
  }
}

static gboolean is_called(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static void place_scope(PdmFile *file, PdmBlock *scope, xmlNode *node)
{
  for (xmlNode *child = node->children; child != NULL; child = child->next) {
    for (xmlNode *at = is_called(child, "view") ? child->children : NULL; at != NULL;
         at = at->next) {
      if (is_called(at, "at")) {
        place_at(file, scope, at);
      }
    }
    if (!is_called(child, "coupled")) {
      continue;
    }
    g_autofree char *name = attribute(child, "name");
    for (guint k = 0; k < scope->blocks->len; k++) {
      PdmBlock *b = g_ptr_array_index(scope->blocks, k);
      if (b->coupled && b->ours != NULL && strcmp(b->ours, name) == 0) {
        place_scope(file, b, child);
      }
    }
  }
}

/* A file that cannot be read again has no places. */
void pdm_place(PdmFile *file, const char *path)
{
  xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  if (doc != NULL && xmlDocGetRootElement(doc) != NULL) {
    place_scope(file, file->root, xmlDocGetRootElement(doc));
  }
  xmlFreeDoc(doc);
}
