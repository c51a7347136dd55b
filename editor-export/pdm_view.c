/* The drawing of a coupled model as <view>: positions, lines and notes in pixels, and in PowerDEVS'
 * own namespace the blocks and parameters that the language has no words for, so that a file can be
 * written again as it was.
 *
 * Ends of a <route> are a port of the model, block.in[2], block.out[1], or @3, the third junction;
 * - is a loose end. Behind a port may stand two numbers of its end that mean nothing, y:1:-1.
 */
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_import.h"

#include <stdlib.h>
#include <string.h>

static void set_pixels(xmlNode *node, const char *name, int twips)
{
  g_autofree char *text = g_strdup_printf("%.10g", twips / PDM_TWIPS);
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

static void set_place(xmlNode *at, int x, int y, int width, int height, const char *direction)
{
  set_pixels(at, "x", x);
  set_pixels(at, "y", y);
  set_pixels(at, "width", width);
  set_pixels(at, "height", height);
  if (turn_of(direction) != NULL) {
    hy_format_set(at, "turn", turn_of(direction));
  }
}

static void add_place(xmlNode *view, const char *name, int x, int y, int width, int height,
                      const char *direction, guint line)
{
  xmlNode *at = hy_format_add(view, "at", line);
  hy_format_set(at, "block", name);
  set_place(at, x, y, width, height, direction);
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
    const char *name = pdm_name(im, &g_array_index(scope->ports, PdmPort, (guint)e->n - 1));
    return e->port == 1 && e->flag == 0 ? g_strdup(name)
                                        : g_strdup_printf("%s:%d:%d", name, e->port, e->flag);
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
                           g_ascii_strtod(x[k], NULL) / PDM_TWIPS,
                           g_ascii_strtod(y[k], NULL) / PDM_TWIPS);
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

/* Annotation("text",x,y), whose text has no comma. */
static gboolean is_note(const char *line)
{
  const char *comma = strchr(line, ',');
  return g_str_has_prefix(line, "Annotation(\"") && comma != NULL && comma >= line + 13;
}

static void add_notes(xmlNode *view, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->extra->len; k++) {
    const char *text = g_array_index(scope->extra, const char *, k);
    if (!is_note(text)) {
      continue;
    }
    const char *comma = strchr(text, ',');
    char *end = NULL;
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

static void add_raw(xmlNode *node, const PdmBlock *b)
{
  for (guint p = 0; p < b->params->len; p++) {
    const PdmParam *param = &g_array_index(b->params, PdmParam, p);
    xmlNode *value = add_theirs(node, "param");
    hy_format_set(value, "name", param->name);
    hy_format_set(value, "raw", param->raw);
  }
}

/* What is neither a note nor a comment. */
static void add_extra(xmlNode *node, const PdmBlock *b)
{
  for (guint k = 0; k < b->extra->len; k++) {
    const char *line = g_array_index(b->extra, const char *, k);
    if (!pdm_is_comment(line) && (!b->coupled || !is_note(line))) {
      xmlNodeAddContent(add_theirs(node, "extra"), (const xmlChar *)line);
    }
  }
}

static void set_ports(xmlNode *node, const PdmBlock *b)
{
  g_autofree char *ports = g_strdup_printf("%d %d", b->n_in, b->n_out);
  hy_format_set(node, "ports", ports);
}

/* The model itself; one inside another has its place there. */
static void add_model(xmlNode *view, const PdmBlock *scope)
{
  xmlNode *node = add_theirs(view, "model");
  set_ports(node, scope);
  hy_format_set(node, "window", scope->window);
  if (scope->parent == NULL) {
    set_place(node, scope->x, scope->y, scope->width, scope->height, scope->direction);
    g_autofree char *color = g_strdup_printf("%d", scope->color);
    hy_format_set(node, "color", color);
    hy_format_set(node, "icon", scope->icon);
  }
  add_raw(node, scope);
}

/* Names and descriptions are those of the element, if there is one. */
static void set_label(xmlNode *node, const char *name, const char *doc)
{
  hy_format_set(node, "label", name);
  if (*doc != '\0') {
    hy_format_set(node, "doc", doc);
  }
}

static void add_port(Import *im, xmlNode *view, const PdmBlock *scope, guint k)
{
  const PdmPort *p = &g_array_index(scope->ports, PdmPort, k);
  xmlNode *node = add_theirs(view, "port");
  g_autofree char *number = g_strdup_printf("%d", p->number);
  g_autofree char *element = pdm_port_name(im, scope, p->out, p->number - 1);
  hy_format_set(node, "name", pdm_name(im, p));
  hy_format_set(node, "out", p->out ? "1" : "0");
  hy_format_set(node, "number", number);
  if (strcmp(element, pdm_name(im, p)) != 0) {
    set_label(node, p->name, p->doc);
  }
}

static void add_block(Import *im, xmlNode *view, const PdmBlock *b)
{
  const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
  xmlNode *node = add_theirs(view, "block");
  hy_format_set(node, "name", pdm_name(im, b));
  if (!b->coupled) {
    hy_format_set(node, "path", b->path);
  }
  set_ports(node, b);
  if (klass != NULL && klass->element == NULL) {
    set_label(node, b->name, b->doc);
  }
  if (*b->icon != '\0') {
    hy_format_set(node, "icon", b->icon);
  }
  if (!b->coupled) {
    add_raw(node, b);
    add_extra(node, b);
  }
}

static void add_points(xmlNode *view, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->points->len; k++) {
    const PdmPoint *p = &g_array_index(scope->points, PdmPoint, k);
    g_autoptr(GString) lines = g_string_new(NULL);
    for (guint l = 0; l < p->lines->len; l++) {
      g_string_append_printf(lines, "%s%d", l > 0 ? " " : "", g_array_index(p->lines, int, l));
    }
    xmlNode *node = add_theirs(view, "point");
    hy_format_set(node, "lines", lines->str);
    hy_format_set(node, "ends", p->ends);
    set_pixels(node, "x", p->x);
    set_pixels(node, "y", p->y);
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
  add_model(view, scope);
  for (guint k = 0; k < scope->ports->len; k++) {
    add_port(im, view, scope, k);
  }
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->drawn) {
      add_block(im, view, b);
    }
  }
  add_points(view, scope);
  add_extra(view, scope);
}
