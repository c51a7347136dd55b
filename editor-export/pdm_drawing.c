/* The drawing that the <view> elements of a model file keep (pdm_view.c), as a PowerDEVS model
 * again. What our language has no words for is as it was; names, descriptions and places are what
 * the file says now. */
#include "editor-export/pdm_drawing.h"

#include <math.h>
#include <string.h>

/* A scope on its way: NODE is its element, VIEW the drawing inside. */
typedef struct {
  PdmFile *file;
  PdmBlock *b;
  const xmlNode *node;
  xmlNode *view;
  GHashTable *blocks, *ports; /* names -> numbers from 1 */
  GHashTable *places;         /* names -> <at> */
  gboolean broken;
} Scope;

static int whole(const xmlNode *node, const char *name, int fallback)
{
  g_autofree char *text = pdm_attribute(node, name);
  gint64 v;
  return g_ascii_string_to_signed(text, 10, G_MININT, G_MAXINT, &v, NULL) ? (int)v : fallback;
}

/* Two numbers with a blank between; FALSE: they are none. */
static gboolean pair(const xmlNode *node, const char *name, int *a, int *b)
{
  g_autofree char *text = pdm_attribute(node, name);
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  gint64 v[2];
  for (guint k = 0; k < 2; k++) {
    if (g_strv_length(words) != 2 ||
        !g_ascii_string_to_signed(words[k], 10, 0, 10000, &v[k], NULL)) {
      return FALSE;
    }
  }
  *a = (int)v[0];
  *b = (int)v[1];
  return TRUE;
}

static const char *text_of(PdmFile *file, const xmlNode *node, const char *name)
{
  g_autofree char *text = pdm_attribute(node, name);
  return pdm_keep_line(file, text);
}

/* The label of ELEMENT, or its name. */
static const char *label_of(PdmFile *file, const xmlNode *element)
{
  const char *label = text_of(file, element, "label");
  return *label != '\0' ? label : text_of(file, element, "name");
}

static void read_extra(PdmFile *file, PdmBlock *b, const xmlNode *node)
{
  xmlChar *text = xmlNodeGetContent(node);
  const char *kept = pdm_keep_line(file, (const char *)text);
  g_array_append_val(b->extra, kept);
  xmlFree(text);
}

static void read_params(Scope *s, PdmBlock *b, const xmlNode *node)
{
  for (const xmlNode *child = node->children; child != NULL; child = child->next) {
    if (pdm_is_element(child, "extra")) {
      read_extra(s->file, b, child);
    }
    if (!pdm_is_element(child, "param")) {
      continue;
    }
    PdmParam p = {.name = text_of(s->file, child, "name"), .raw = text_of(s->file, child, "raw")};
    s->broken = pdm_param_parse(s->file, &p) < 3 || s->broken;
    g_array_append_val(b->params, p);
  }
}

static void read_scope(PdmFile *file, PdmBlock *b, const xmlNode *node, gboolean *broken);

/* A block: what it is called is said by its element, if it has one. */
static void read_block(Scope *s, const xmlNode *node)
{
  g_autofree char *name = pdm_attribute(node, "name");
  const xmlNode *element = pdm_child(s->node, name), *said = element != NULL ? element : node;
  g_autofree char *doc = pdm_doc_of(said);
  gboolean coupled = xmlHasProp(node, BAD_CAST "path") == NULL;
  PdmBlock *b = pdm_block_new(s->b, coupled, 0);
  b->drawn = TRUE;
  b->ours = pdm_keep(s->file, name);
  b->name = element == NULL ? text_of(s->file, node, "label") : label_of(s->file, element);
  b->doc = pdm_keep_line(s->file, doc);
  b->path = text_of(s->file, node, "path");
  b->icon = text_of(s->file, node, "icon");
  b->color = 15;
  s->broken = !pair(node, "ports", &b->n_in, &b->n_out) || s->broken;
  const xmlNode *at = g_hash_table_lookup(s->places, name);
  if (at != NULL) {
    pdm_place_block(s->file, b, at);
  }
  s->broken = s->broken || at == NULL || g_hash_table_contains(s->blocks, name) ||
              (coupled && (element == NULL || !pdm_is_element(element, "coupled")));
  g_hash_table_insert(s->blocks, g_steal_pointer(&name), GINT_TO_POINTER(s->b->blocks->len));
  if (coupled && !s->broken) {
    read_scope(s->file, b, element, &s->broken);
  } else {
    read_params(s, b, node);
  }
}

static void read_port(Scope *s, const xmlNode *node)
{
  g_autofree char *name = pdm_attribute(node, "name");
  const xmlNode *element = pdm_child(s->node, name), *said = element != NULL ? element : node;
  g_autofree char *doc = pdm_doc_of(said), *out = pdm_attribute(node, "out");
  PdmPort p = {.name = label_of(s->file, said),
               .ours = pdm_keep(s->file, name),
               .doc = pdm_keep_line(s->file, doc),
               .out = strcmp(out, "1") == 0,
               .number = whole(node, "number", 1)};
  const xmlNode *at = g_hash_table_lookup(s->places, name);
  if (at != NULL) {
    pdm_place_port(&p, at);
  }
  s->broken = s->broken || at == NULL;
  g_array_append_val(s->b->ports, p);
  g_hash_table_insert(s->ports, g_steal_pointer(&name), GINT_TO_POINTER(s->b->ports->len));
}

static void read_point(Scope *s, const xmlNode *node)
{
  PdmPoint p = {.lines = g_array_new(FALSE, FALSE, sizeof(int)),
                .ends = text_of(s->file, node, "ends"),
                .x = pdm_twips(node, "x", 0),
                .y = pdm_twips(node, "y", 0)};
  g_autofree char *text = pdm_attribute(node, "lines");
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  for (char **word = words; *word != NULL; word++) {
    int number = (int)g_ascii_strtoll(*word, NULL, 10);
    g_array_append_val(p.lines, number);
  }
  g_array_append_val(s->b->points, p);
}

/* Lines ------------------------------------------------------------------------------------------
 */

static PdmEnd end_of(Scope *s, const xmlNode *route, const char *name)
{
  g_autofree char *text = pdm_attribute(route, name);
  char *dot = strchr(text, '.');
  if (*text == '@') {
    return (PdmEnd){PDM_POINT, (int)g_ascii_strtoll(text + 1, NULL, 10), -1, 0};
  }
  if (strcmp(text, "-") == 0) {
    return (PdmEnd){PDM_LOOSE, 0, 0, 0};
  }
  if (dot == NULL) {
    g_auto(GStrv) words = g_strsplit(text, ":", -1);
    gboolean more = g_strv_length(words) == 3;
    int n = GPOINTER_TO_INT(g_hash_table_lookup(s->ports, more ? words[0] : text));
    s->broken = s->broken || n == 0;
    return (PdmEnd){PDM_PORT, n, more ? (int)g_ascii_strtoll(words[1], NULL, 10) : 1,
                    more ? (int)g_ascii_strtoll(words[2], NULL, 10) : 0};
  }
  *dot = '\0';
  gboolean out = g_str_has_prefix(dot + 1, "out[");
  int n = GPOINTER_TO_INT(g_hash_table_lookup(s->blocks, text));
  s->broken = s->broken || n == 0 || (!out && !g_str_has_prefix(dot + 1, "in["));
  const char *index = strchr(dot + 1, '[');
  int port = index != NULL ? (int)g_ascii_strtoll(index + 1, NULL, 10) : 0;
  return (PdmEnd){PDM_BLOCK, n, port, out ? 0 : -1};
}

/* "x,y x,y" as two lists of twips. */
static void read_points(Scope *s, PdmLine *l, const xmlNode *route)
{
  g_autofree char *text = pdm_attribute(route, "points");
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  GString *list[2] = {g_string_new(NULL), g_string_new(NULL)};
  for (char **word = words; *word != NULL; word++) {
    char *at = *word;
    for (guint k = 0; k < 2; k++) {
      char *end = at;
      double v = g_ascii_strtod(at, &end) * PDM_TWIPS;
      s->broken = s->broken || end == at || !(fabs(v) < 1e8) || *end != (k == 0 ? ',' : '\0');
      g_string_append_printf(list[k], "%s%ld", list[k]->len > 0 ? " ; " : "",
                             fabs(v) < 1e8 ? lround(v) : 0);
      at = *end != '\0' ? end + 1 : end;
    }
  }
  l->x = pdm_keep(s->file, list[0]->str);
  l->y = pdm_keep(s->file, list[1]->str);
  g_string_free(list[0], TRUE);
  g_string_free(list[1], TRUE);
}

void pdm_keep_note(PdmFile *file, PdmBlock *b, const xmlNode *note)
{
  xmlChar *text = xmlNodeGetContent(note);
  g_autofree char *line = g_strdup_printf("Annotation(\"%s\",%d,%d)", (const char *)text,
                                          pdm_twips(note, "x", 0), pdm_twips(note, "y", 0));
  const char *kept = pdm_keep_line(file, line);
  g_array_append_val(b->extra, kept);
  xmlFree(text);
}

static void read_item(Scope *s, const xmlNode *node)
{
  if (pdm_is_element(node, "block")) {
    read_block(s, node);
  } else if (pdm_is_element(node, "port")) {
    read_port(s, node);
  } else if (pdm_is_element(node, "point")) {
    read_point(s, node);
  } else if (pdm_is_element(node, "note")) {
    pdm_keep_note(s->file, s->b, node);
  } else if (pdm_is_element(node, "extra")) {
    read_extra(s->file, s->b, node);
  } else if (pdm_is_element(node, "model")) {
    s->broken = !pair(node, "ports", &s->b->n_in, &s->b->n_out) || s->broken;
    s->b->window = text_of(s->file, node, "window");
    if (s->b->parent == NULL) {
      s->b->icon = text_of(s->file, node, "icon");
      pdm_place_block(s->file, s->b, node);
    }
    read_params(s, s->b, node);
  }
}

/* Blocks and ports first, since lines name them. */
static void read_items(Scope *s)
{
  for (xmlNode *node = s->view->children; node != NULL; node = node->next) {
    if (pdm_is_element(node, "at")) {
      g_hash_table_insert(s->places, pdm_attribute(node, "block"), node);
    }
  }
  for (const xmlNode *node = s->view->children; node != NULL; node = node->next) {
    read_item(s, node);
  }
  for (const xmlNode *node = s->view->children; node != NULL; node = node->next) {
    if (pdm_is_element(node, "route")) {
      PdmLine l = {.end = {end_of(s, node, "from"), end_of(s, node, "to")}};
      read_points(s, &l, node);
      g_array_append_val(s->b->lines, l);
    }
  }
}

static void read_scope(PdmFile *file, PdmBlock *b, const xmlNode *node, gboolean *broken)
{
  Scope s = {.file = file, .b = b, .node = node};
  for (xmlNode *child = node->children; child != NULL; child = child->next) {
    for (const xmlNode *item = pdm_is_element(child, "view") ? child->children : NULL; item != NULL;
         item = item->next) {
      s.view = pdm_is_element(item, "model") ? child : s.view;
    }
  }
  if (s.view == NULL) {
    *broken = TRUE;
    return;
  }
  s.blocks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  s.ports = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  s.places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  read_items(&s);
  g_hash_table_unref(s.blocks);
  g_hash_table_unref(s.ports);
  g_hash_table_unref(s.places);
  *broken = *broken || s.broken;
}

PdmFile *pdm_drawing(const xmlDoc *doc, const char *file)
{
  g_autoptr(PdmFile) f = pdm_file_new(file);
  g_autoptr(HyReport) report = hy_report_new();
  const xmlNode *root = xmlDocGetRootElement(doc);
  g_autofree char *text = pdm_doc_of(root), *name = pdm_attribute(root, "name");
  gboolean broken = FALSE;
  f->root = pdm_block_new(NULL, TRUE, 0);
  f->root->drawn = TRUE;
  f->root->color = 15;
  f->root->name = label_of(f, root);
  f->root->ours = pdm_keep(f, name);
  f->root->doc = pdm_keep_line(f, text);
  read_scope(f, f->root, root, &broken);
  return !broken && pdm_couple(f, f->root, report) ? g_steal_pointer(&f) : NULL;
}
