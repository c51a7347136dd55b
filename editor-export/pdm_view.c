/* The drawing of a coupled model as <view>: positions, lines and notes in pixels, and in PowerDEVS'
 * own namespace the blocks and parameters that the language has no words for, so that a file can be
 * written again as it was.
 *
 * Ends of a <route> are a port of the model, block.in[2], block.out[1], or @3, the third junction.
 */
#include "editor-export/pdm_import.h"

#include <stdlib.h>
#include <string.h>

#define TWIPS 15.0 /* of a pixel */

static void set_pixels(xmlNode *node, const char *name, int twips)
{
  g_autofree char *text = g_strdup_printf("%.10g", twips / TWIPS);
  hy_format_set(node, name, text);
}

static const char *turn_of(const char *direction)
{
  static const char *const turns[][2] = {{"Down", "90"}, {"Left", "180"}, {"Up", "270"}};
  for (guint k = 0; k < G_N_ELEMENTS(turns); k++) {
    if (strcmp(direction, turns[k][0]) == 0) {
      return turns[k][1];
    }
  }
  return NULL;
}

static void add_place(xmlNode *view, const char *name, int x, int y, int width, int height,
                      const char *direction, guint line)
{
  xmlNode *at = hy_format_add(view, "at", line);
  hy_format_set(at, "block", name);
  set_pixels(at, "x", x);
  set_pixels(at, "y", y);
  set_pixels(at, "width", width);
  set_pixels(at, "height", height);
  if (turn_of(direction) != NULL) {
    hy_format_set(at, "turn", turn_of(direction));
  }
}

static void add_places(Import *im, xmlNode *view, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->ports->len; k++) {
    const PdmPort *p = &g_array_index(scope->ports, PdmPort, k);
    add_place(view, pdm_name(im, p), p->x, p->y, p->size, p->size, p->direction, p->line);
  }
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (!b->drawn) {
      continue;
    }
    add_place(view, pdm_name(im, b), b->x, b->y, b->width, b->height, b->direction, b->line);
    if (*b->icon != '\0' && strcmp(b->icon, "None") != 0) {
      g_autofree char *icon = g_uri_escape_string(b->icon, "/:.", TRUE);
      hy_format_set(xmlGetLastChild(view), "icon", icon);
    }
    if (b->color != 15) {
      g_autofree char *color = g_strdup_printf("%d", b->color);
      hy_format_set(xmlGetLastChild(view), "color", color);
    }
  }
}

static char *end_text(Import *im, const PdmBlock *scope, const PdmEnd *e)
{
  if (e->kind == PDM_POINT) {
    return g_strdup_printf("@%d", e->n);
  }
  if (e->kind == PDM_PORT) {
    return g_strdup(pdm_name(im, &g_array_index(scope->ports, PdmPort, (guint)e->n - 1)));
  }
  return e->kind == PDM_LOOSE
             ? g_strdup("-")
             : g_strdup_printf("%s.%s[%d]",
                               pdm_name(im, g_ptr_array_index(scope->blocks, (guint)e->n - 1)),
                               e->flag == 0 ? "out" : "in", e->port);
}

/* "x,y x,y" of two lists of as many numbers. */
static char *points_of(const PdmLine *l)
{
  g_autoptr(GString) points = g_string_new(NULL);
  g_auto(GStrv) x = g_strsplit(l->x, ";", -1), y = g_strsplit(l->y, ";", -1);
  for (guint k = 0; x[k] != NULL && y[k] != NULL; k++) {
    g_string_append_printf(points, "%s%.10g,%.10g", k > 0 ? " " : "",
                           g_ascii_strtod(x[k], NULL) / TWIPS, g_ascii_strtod(y[k], NULL) / TWIPS);
  }
  return g_string_free(g_steal_pointer(&points), FALSE);
}

static void add_routes(Import *im, xmlNode *view, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const PdmLine *l = &g_array_index(scope->lines, PdmLine, k);
    g_autofree char *from = end_text(im, scope, &l->end[0]), *to = end_text(im, scope, &l->end[1]);
    g_autofree char *points = points_of(l);
    xmlNode *route = hy_format_add(view, "route", l->line);
    hy_format_set(route, "from", from);
    hy_format_set(route, "to", to);
    hy_format_set(route, "points", points);
  }
}

/* Annotation("text",x,y) */
static void add_notes(xmlNode *view, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->extra->len; k++) {
    const char *text = g_array_index(scope->extra, const char *, k);
    const char *comma = strchr(text, ',');
    char *end = NULL;
    if (!g_str_has_prefix(text, "Annotation(\"") || comma == NULL || comma < text + 13) {
      continue;
    }
    int x = (int)strtol(comma + 1, &end, 10), y = *end == ',' ? (int)strtol(end + 1, &end, 10) : 0;
    g_autofree char *words = g_strndup(text + 12, (gsize)(comma - text - 13));
    xmlNode *note = hy_format_add(view, "note", scope->line);
    set_pixels(note, "x", x);
    set_pixels(note, "y", y);
    xmlNodeAddContent(note, BAD_CAST words);
  }
}

static xmlNode *add_theirs(xmlNode *parent, const char *name)
{
  xmlNs *ns = xmlSearchNsByHref(parent->doc, parent, BAD_CAST PDM_NAMESPACE);
  return xmlNewChild(parent, ns, (const xmlChar *)name, NULL);
}

/* Whether a block's parameter is said by the element that it became. */
static gboolean is_said(const PdmClass *klass, const PdmParam *p)
{
  const PdmRow *r = klass != NULL ? &klass->rows[pdm_row(klass, p->name)] : NULL;
  return r != NULL && r->theirs != NULL && r->ours != NULL && r->how != PDM_SPECIAL;
}

/* A block that is no element here, or has parameters that the element does not say. */
static void add_foreign(Import *im, xmlNode *view, const PdmBlock *b, guint k)
{
  const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
  if (b->coupled || !b->drawn) {
    return;
  }
  xmlNode *node = add_theirs(view, "block");
  g_autofree char *place = g_strdup_printf("%u", k + 1);
  g_autofree char *ports = g_strdup_printf("%d %d", b->n_in, b->n_out);
  hy_format_set(node, "name", pdm_name(im, b));
  hy_format_set(node, "place", place);
  hy_format_set(node, "path", b->path);
  hy_format_set(node, "ports", ports);
  if (klass == NULL || klass->element == NULL) {
    hy_format_set(node, "label", b->name);
    hy_format_set(node, "doc", b->doc);
  }
  for (guint p = 0; p < b->params->len; p++) {
    const PdmParam *param = &g_array_index(b->params, PdmParam, p);
    if (!is_said(klass, param)) {
      xmlNode *value = add_theirs(node, "param");
      hy_format_set(value, "name", param->name);
      hy_format_set(value, "raw", param->raw);
    }
  }
}

void pdm_add_view(Import *im, xmlNode *parent, const PdmBlock *scope)
{
  if (!scope->drawn) {
    return;
  }
  xmlNode *view = hy_format_add(parent, "view", scope->line);
  add_places(im, view, scope);
  add_routes(im, view, scope);
  add_notes(view, scope);
  for (guint k = 0; k < scope->blocks->len; k++) {
    add_foreign(im, view, g_ptr_array_index(scope->blocks, k), k);
  }
}
