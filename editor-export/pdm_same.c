/* Whether the drawing that a model file keeps is still that of its model. The drawing is read as
 * any PowerDEVS model is, and what comes out is compared with the file, element by element. Where a
 * value is another one the drawing gets it, and is read once more: so what is written is, when it
 * is read, the model of the file, whatever was changed in it. Where the structure is another one
 * the model has to be drawn anew. */
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_import.h"

#include <string.h>

typedef struct {
  PdmFile *file; /* the drawing */
  Scilab *scilab;
  guint round, differences, patched;
  guint line;       /* of the first that has no patch */
  const char *what; /* the name there */
} Compare;

/* Copies ----------------------------------------------------------------------------------------
 */

static PdmBlock *copy_block(const PdmBlock *b, PdmBlock *parent)
{
  PdmBlock *c = pdm_block_new(parent, b->coupled, b->line), made = *c;
  *c = *b;
  c->parent = parent;
  c->params = g_array_append_vals(made.params, b->params->data, b->params->len);
  c->ports = g_array_append_vals(made.ports, b->ports->data, b->ports->len);
  c->lines = g_array_append_vals(made.lines, b->lines->data, b->lines->len);
  c->couplings = g_array_append_vals(made.couplings, b->couplings->data, b->couplings->len);
  c->extra = g_array_append_vals(made.extra, b->extra->data, b->extra->len);
  c->points = made.points;
  c->blocks = made.blocks;
  for (guint k = 0; k < b->points->len; k++) {
    PdmPoint p = g_array_index(b->points, PdmPoint, k);
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(int));
    p.lines = g_array_append_vals(lines, p.lines->data, p.lines->len);
    g_array_append_val(c->points, p);
  }
  for (guint k = 0; k < b->blocks->len; k++) {
    copy_block(g_ptr_array_index(b->blocks, k), c);
  }
  return c;
}

/* The file as a model of ours; texts are those of FILE. NULL: it is none. */
static xmlDoc *read_again(const PdmFile *file)
{
  g_autoptr(HyReport) report = hy_report_new();
  PdmFile *copy = pdm_file_new(file->file);
  copy->root = copy_block(file->root, NULL);
  return pdm_import(copy, NULL, report);
}

/* Patches ---------------------------------------------------------------------------------------
 */

static void set_value(Compare *c, PdmParam *p, const char *type, const char *value)
{
  g_auto(GStrv) parts = g_strsplit(value, ";", -1);
  g_autofree char *escaped = g_strjoinv("\\;", parts);
  g_autofree char *raw = g_strdup_printf("%s; %s ; %s", type, escaped, p->doc);
  p->raw = pdm_keep_line(c->file, raw);
  pdm_param_parse(c->file, p);
  c->patched++;
}

/* A parameter of BLOCK to be written to. */
static PdmParam *own_param(PdmBlock *b, const char *name)
{
  for (guint k = 0; k < b->params->len; k++) {
    PdmParam *p = &g_array_index(b->params, PdmParam, k);
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

static void patch_number(Compare *c, PdmBlock *b, const char *theirs, const char *text)
{
  PdmParam *p = own_param(b, theirs);
  g_autofree char *value = p != NULL ? pdm_expression(text, b->parent, c->scilab) : NULL;
  if (value != NULL) {
    set_value(c, p, "Str", value);
  }
}

static void patch_method(Compare *c, PdmBlock *b, const char *theirs, const char *text)
{
  PdmParam *p = own_param(b, theirs);
  const char *method = pdm_method_theirs(text);
  g_autofree char *list = p != NULL && method != NULL ? pdm_choose(p->value, method) : NULL;
  if (list != NULL && strcmp(p->type, "Lst") == 0) {
    set_value(c, p, "Lst", list);
  }
}

/* Factors "1, -2" of a sum, one parameter each. */
static void patch_factors(Compare *c, PdmBlock *b, const PdmClass *klass, const char *text)
{
  g_auto(GStrv) factors = g_strsplit(text, ",", -1);
  const PdmRow *r;
  for (guint k = 0; factors[k] != NULL && (r = pdm_class_row(klass, k)) != NULL; k++) {
    patch_number(c, b, r->theirs, g_strstrip(factors[k]));
  }
}

static void patch_block(Compare *c, PdmBlock *b, const char *attribute, const char *text)
{
  const PdmClass *klass = pdm_class(b->path);
  const PdmRow *r = klass != NULL ? klass->rows : NULL;
  while (r != NULL && r->theirs != NULL && (r->ours == NULL || strcmp(r->ours, attribute) != 0)) {
    r++;
  }
  if (klass != NULL && klass->kind == PDM_SUM && strcmp(attribute, "k") == 0) {
    patch_factors(c, b, klass, text);
  } else if (klass != NULL && klass->kind == PDM_FUNCTION && strcmp(attribute, "formula") == 0) {
    PdmParam *p = own_param(b, "Expression");
    if (p != NULL) {
      set_value(c, p, "Str", text);
    }
  } else if (r != NULL && r->theirs != NULL && r->how == PDM_NUMBER) {
    patch_number(c, b, r->theirs, text);
  } else if (r != NULL && r->theirs != NULL && r->how == PDM_METHOD) {
    patch_method(c, b, r->theirs, text);
  }
}

/* The variable NAME of a start script gets another value. */
static void patch_script(Compare *c, PdmBlock *scope, const char *name, const char *text)
{
  for (guint k = 0; k < scope->blocks->len; k++) {
    PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
    if (b->coupled) {
      patch_script(c, b, name, text);
    }
    PdmParam *p = klass != NULL && klass->kind == PDM_SCRIPT ? own_param(b, "Run at Init") : NULL;
    g_autofree char *script = p != NULL ? scilab_assign(p->value, name, text) : NULL;
    if (script != NULL) {
      set_value(c, p, "Str", script);
    }
  }
}

static void patch_parameter(Compare *c, PdmBlock *scope, const char *name, const char *text)
{
  PdmParam *p = own_param(scope, name);
  g_autofree char *value =
      pdm_expression(text, scope->parent != NULL ? scope->parent : scope, c->scilab);
  if (value != NULL && p != NULL) {
    set_value(c, p, "Str", value);
  } else if (value != NULL && scope->parent == NULL) {
    patch_script(c, scope, name, value);
  }
}

static PdmBlock *find_block(PdmBlock *scope, const char *name)
{
  for (guint k = 0; k < scope->blocks->len; k++) {
    PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (strcmp(b->ours, name) == 0) {
      return b;
    }
  }
  return NULL;
}

/* Comparing -------------------------------------------------------------------------------------
 */

static void differ(Compare *c, const xmlNode *node, const char *what)
{
  if (c->what == NULL) {
    c->line = (guint)MAX(0, xmlGetLineNo(node));
    c->what = pdm_keep(c->file, what);
  }
  c->differences++;
}

/* What a drawing says in its own way, or what PowerDEVS has no place for. */
static gboolean is_beside(const char *attribute)
{
  static const char *const beside[] = {"label", "doc", "unit", NULL};
  return g_strv_contains(beside, attribute);
}

/* TEXT without blanks beside operators. */
static char *without_blanks(const char *text)
{
  static const char marks[] = "+-*/^(),<>=!";
  g_autoptr(GString) out = g_string_new(NULL);
  for (; *text != '\0'; text++) {
    const char *next = text + strspn(text, " ");
    gboolean needed = out->len > 0 && *next != '\0' && next > text &&
                      strchr(marks, out->str[out->len - 1]) == NULL && strchr(marks, *next) == NULL;
    if (*text != ' ' || needed) {
      g_string_append_c(out, *text);
    }
    text = *text == ' ' ? next - 1 : text;
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* The same text, or the same number. */
static gboolean is_same(const char *a, const char *b)
{
  g_autofree char *left = without_blanks(a), *right = without_blanks(b);
  double x, y;
  return strcmp(left, right) == 0 ||
         (pdm_is_number(left, &x) && pdm_is_number(right, &y) && x == y);
}

static void compare_attribute(Compare *c, PdmBlock *scope, const xmlNode *mine,
                              const xmlNode *theirs, const char *attribute)
{
  g_autofree char *a = pdm_attribute(mine, attribute), *b = pdm_attribute(theirs, attribute);
  if (is_beside(attribute) || is_same(a, b)) {
    return;
  }
  g_autofree char *name = pdm_attribute(mine, "name");
  PdmBlock *block = find_block(scope, name);
  guint before = c->patched;
  if (c->round > 0) {
    differ(c, mine, name); /* a patch of the first round did not help */
    return;
  }
  if (pdm_is_element(mine, "param") && strcmp(attribute, "value") == 0) {
    patch_parameter(c, scope, name, a);
  } else if (block != NULL && !block->coupled && *a != '\0') {
    patch_block(c, block, attribute, a);
  }
  if (c->patched == before) {
    differ(c, mine, name);
  } else {
    c->differences++;
  }
}

static const xmlNode *next_of(const xmlNode *node)
{
  static const char *const beside[] = {"view", "experiment", "doc", NULL};
  while (node != NULL &&
         (node->type != XML_ELEMENT_NODE || g_strv_contains(beside, (const char *)node->name))) {
    node = node->next;
  }
  return node;
}

static void compare_scope(Compare *c, PdmBlock *scope, const xmlNode *mine, const xmlNode *theirs);

static void compare_element(Compare *c, PdmBlock *scope, const xmlNode *mine, const xmlNode *theirs)
{
  g_autofree char *name = pdm_attribute(mine, "name"), *other = pdm_attribute(theirs, "name");
  if (!xmlStrEqual(mine->name, theirs->name) || strcmp(name, other) != 0) {
    differ(c, mine, *name != '\0' ? name : (const char *)mine->name);
    return;
  }
  for (const xmlAttr *at = mine->properties; at != NULL; at = at->next) {
    compare_attribute(c, scope, mine, theirs, (const char *)at->name);
  }
  for (const xmlAttr *at = theirs->properties; at != NULL; at = at->next) {
    if (xmlHasProp(mine, at->name) == NULL) {
      compare_attribute(c, scope, mine, theirs, (const char *)at->name);
    }
  }
  PdmBlock *inside = find_block(scope, name);
  compare_scope(c, inside != NULL ? inside : scope, mine, theirs);
}

static void compare_scope(Compare *c, PdmBlock *scope, const xmlNode *mine, const xmlNode *theirs)
{
  const xmlNode *a = next_of(mine->children), *b = next_of(theirs->children);
  while (a != NULL && b != NULL && c->what == NULL) {
    compare_element(c, scope, a, b);
    a = next_of(a->next);
    b = next_of(b->next);
  }
  if ((a != NULL || b != NULL) && c->what == NULL) {
    const xmlNode *more = a != NULL ? a : mine;
    g_autofree char *name = pdm_attribute(more, "name");
    differ(c, more, *name != '\0' ? name : (const char *)more->name);
  }
}

/* Records ----------------------------------------------------------------------------------------
 */

static char *records_of(const xmlDoc *doc)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (const xmlNode *x = xmlDocGetRootElement(doc)->children; x != NULL; x = x->next) {
    for (const xmlNode *r = pdm_is_element(x, "experiment") ? x->children : NULL; r != NULL;
         r = r->next) {
      g_autofree char *path = r->type == XML_ELEMENT_NODE ? pdm_attribute(r, "path") : g_strdup("");
      g_string_append_printf(text, "%s\n", path);
    }
    g_autofree char *short_form =
        pdm_is_element(x, "experiment") ? pdm_attribute(x, "record") : g_strdup("");
    g_string_append(text, short_form);
  }
  g_auto(GStrv) lines = g_strsplit_set(text->str, " \n", -1);
  g_string_truncate(text, 0);
  for (char **line = lines; *line != NULL; line++) {
    g_string_append_printf(text, "%s%s", *line, **line != '\0' ? " " : "");
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Variables of start scripts, by which formulas may name them. */
static void run_scripts(Compare *c, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
    if (b->coupled) {
      run_scripts(c, b);
    } else if (klass != NULL && klass->kind == PDM_SCRIPT) {
      g_autofree char *text = pdm_text(b, klass, 0), *why = NULL;
      scilab_run(c->scilab, text, 0, &why);
    }
  }
}

PdmFile *pdm_drawing_of(const xmlDoc *doc, const char *file, HyReport *report)
{
  g_autoptr(PdmFile) drawing = pdm_drawing(doc, file);
  if (drawing == NULL) {
    return NULL;
  }
  Compare c = {.file = drawing, .scilab = scilab_new(), .differences = 1, .patched = 1};
  run_scripts(&c, drawing->root);
  for (; c.round < 2 && c.differences > 0 && c.patched > 0; c.round++) {
    xmlDoc *again = read_again(drawing);
    c.differences = c.patched = 0;
    c.what = NULL;
    if (again == NULL) {
      c.differences = 1;
      continue;
    }
    compare_scope(&c, drawing->root, xmlDocGetRootElement(doc), xmlDocGetRootElement(again));
    g_autofree char *mine = records_of(doc), *theirs = records_of(again);
    if (c.differences == 0 && strcmp(mine, theirs) != 0) {
      hy_report_warning(report, file, 0,
                        "the experiment records other signals than the plots of the drawing, which "
                        "stay as they are");
    }
    xmlFreeDoc(again);
  }
  scilab_free(c.scilab);
  if (c.differences > 0) {
    hy_report_warning(report, file, c.line,
                      "%s is not as the model was drawn: the drawing is made anew",
                      c.what != NULL ? c.what : "the model");
    return NULL;
  }
  return g_steal_pointer(&drawing);
}
