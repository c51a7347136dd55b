/* A PowerDEVS model as a tree of our language (pdm_import.h): names first, since text refers to
 * them, then scope by scope in the order of the file, which is the order of ties. */
#include "editor-export/pdm_import.h"
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_export.h"
#include "editor-export/pdm_format.h"

#include <string.h>

/* Start scripts ----------------------------------------------------------------------------------
 */

static void run_script(Import *im, const PdmBlock *b, const PdmClass *klass)
{
  const PdmParam *p = pdm_find(b, klass, 0);
  g_autofree char *start = pdm_text(b, klass, 0), *event = pdm_text(b, klass, 1),
                  *end = pdm_text(b, klass, 2), *why = NULL;
  gboolean wired = FALSE;
  for (guint k = 0; k < b->parent->couplings->len; k++) {
    const PdmCoupling *c = &g_array_index(b->parent->couplings, PdmCoupling, k);
    wired = wired || (c->to >= 0 && g_ptr_array_index(b->parent->blocks, (guint)c->to) == b);
  }
  if (!scilab_run(im->scilab, start, p != NULL ? p->line : b->line, &why)) {
    pdm_error(im, b, p != NULL ? p->line : b->line, "parameter %s: %s", klass->rows[0].theirs, why);
  }
  if (wired && *event != '\0') {
    pdm_error(im, b, b->line, "parameter %s: there is no Scilab here that runs \"%.60s\" at events",
              klass->rows[1].theirs, event);
  }
  if (*end != '\0') {
    pdm_warn(im, b, b->line, "parameter %s: \"%.60s\" is not run at the end", klass->rows[2].theirs,
             end);
  }
}

static void run_scripts(Import *im, const PdmBlock *scope)
{
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
    if (b->coupled) {
      run_scripts(im, b);
    } else if (klass != NULL && klass->kind == PDM_SCRIPT) {
      run_script(im, b, klass);
    }
  }
}

/* Parameters -------------------------------------------------------------------------------------
 */

static const char *rename_variable(const char *name, gpointer user)
{
  const Import *im = user;
  const ScilabVariable *v = scilab_find(im->scilab, name);
  return v != NULL && v->value.rows == 1 && v->value.columns == 1 ? pdm_name(im, v) : NULL;
}

/* Variables of start scripts that are numbers, or lists. */
static void add_variables(Import *im, xmlNode *parent)
{
  for (guint k = 0; k < scilab_n_variables(im->scilab); k++) {
    const ScilabVariable *v = scilab_variable(im->scilab, k);
    if (v->value.rows != 1 || v->value.columns != 1) {
      continue;
    }
    g_autofree char *formula =
        v->text != NULL ? scilab_formula(v->text, rename_variable, im) : NULL;
    g_autofree char *number = pdm_list_text(&v->value);
    xmlNode *param = hy_format_add(parent, "param", v->line);
    hy_format_set(param, "name", pdm_name(im, v));
    hy_format_set(param, "value", formula != NULL ? formula : number);
  }
}

static void add_parameters(Import *im, xmlNode *parent, const PdmBlock *b)
{
  for (guint k = 0; k < b->params->len; k++) {
    const PdmParam *p = &g_array_index(b->params, PdmParam, k);
    if (strcmp(p->type, "Lst") == 0 || *p->value == '\0') {
      continue; /* a list becomes the option where it is used */
    }
    ScilabValue value;
    g_autofree char *why = NULL, *text = pdm_value(b, p);
    if (text == NULL || !scilab_eval(im->scilab, text, &value, &why)) {
      continue; /* whoever uses it says so */
    }
    gboolean one = value.rows == 1 && value.columns == 1;
    scilab_clear(&value);
    g_autofree char *number = one ? pdm_number_text(im, b, p) : NULL;
    if (number != NULL) {
      xmlNode *param = hy_format_add(parent, "param", p->line);
      hy_format_set(param, "name", pdm_name(im, p));
      hy_format_set(param, "value", number);
      if (*p->doc != '\0') {
        hy_format_set(param, "doc", p->doc);
      }
    }
  }
}

/* Coupled models --------------------------------------------------------------------------------
 */

static void add_scope(Import *im, xmlNode *node, const PdmBlock *scope, const char *path);

static void set_said(Import *im, xmlNode *node, gconstpointer thing, const char *name,
                     const char *doc)
{
  const char *ours = pdm_name(im, thing);
  hy_format_set(node, "name", ours);
  if (*name != '\0' && strcmp(name, ours) != 0) {
    hy_format_set(node, "label", name);
  }
  if (*doc != '\0') {
    hy_format_set(node, "doc", doc);
  }
}

/* The first drawing of each port, in the order of their numbers. */
static void add_ports(Import *im, xmlNode *node, const PdmBlock *b, gboolean out)
{
  for (int number = 0; number < (out ? b->n_out : b->n_in); number++) {
    const PdmPort *port = NULL;
    for (guint k = 0; k < b->ports->len && port == NULL; k++) {
      const PdmPort *p = &g_array_index(b->ports, PdmPort, k);
      port = p->out == out && p->number == number + 1 ? p : NULL;
    }
    g_autofree char *name = pdm_port_name(im, b, out, number);
    xmlNode *element = hy_format_add(node, out ? "out" : "in", port != NULL ? port->line : b->line);
    if (port != NULL) {
      set_said(im, element, port, port->name, port->doc);
    } else {
      hy_format_set(element, "name", name);
    }
    guint size = out ? pdm_size_at(im, b, -1, number) : pdm_size(im, b, -1, number, 0);
    if (size > 0) {
      g_autofree char *count = g_strdup_printf("%u", size);
      hy_format_set(element, "count", count);
    }
    if (out) {
      g_autofree char *source = pdm_signal(im, b, -1, number, size > 0 ? "[i]" : "");
      hy_format_set(element, "from", source);
    }
  }
}

/* An input that leads straight to an output, which PowerDEVS drops, goes through a gain. */
static void add_passage(Import *im, xmlNode *node, PdmBlock *b)
{
  for (guint k = 0; k < b->couplings->len; k++) {
    PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
    if (c->from >= 0 || c->to >= 0) {
      continue;
    }
    pdm_warn(im, b, c->line,
             "input port %d leads straight to output port %d; PowerDEVS drops this line, here it "
             "counts",
             c->from_port + 1, c->to_port + 1);
    PdmBlock *pass = pdm_block_new(b, FALSE, c->line);
    pass->name = pass->path = "qss/qss_gain.h";
    pass->n_in = pass->n_out = 1;
    PdmParam factor = {"K", "Str", "1", "", "Str; 1 ; ", c->line};
    g_array_append_val(pass->params, factor);
    char *name = g_strdup_printf("pass_%d", c->to_port + 1);
    g_hash_table_insert(im->names, pass, name);
    int number = (int)b->blocks->len - 1;
    PdmCoupling in = {c->from, c->from_port, number, 0, c->line};
    c->from = number;
    c->from_port = 0;
    g_array_append_val(b->couplings, in);
  }
  (void)node;
}

static void add_coupled(Import *im, xmlNode *parent, const PdmBlock *scope, guint k,
                        const char *path)
{
  PdmBlock *b = g_ptr_array_index(scope->blocks, k);
  xmlNode *node = hy_format_add(parent, "coupled", b->line);
  set_said(im, node, b, b->drawn ? b->name : "", b->doc);
  pdm_put_comments(b, parent, node);
  add_passage(im, node, b);
  for (int port = 0; port < b->n_in; port++) {
    guint n;
    g_autofree char *name = pdm_port_name(im, b, FALSE, port);
    g_autofree char *source = pdm_sources(im, scope, (int)k, port, "[*]", &n);
    if (n > 0) {
      hy_format_set(node, name, source);
    } else {
      pdm_warn(im, b, b->line, "input %d is not connected; it is 0", port + 1);
      hy_format_set(node, name, "0");
    }
  }
  g_autofree char *inside = g_strdup_printf("%s%s/", path, pdm_name(im, b));
  pdm_put_inside(b, node);
  add_ports(im, node, b, FALSE);
  add_scope(im, node, b, inside);
}

/* A block is the last element of its scope, if it is one. */
static void put_comments(Import *im, xmlNode *scope, const PdmBlock *b)
{
  xmlNode *last = xmlGetLastChild(scope);
  g_autofree char *name = last != NULL ? pdm_attribute(last, "name") : g_strdup("");
  pdm_put_comments(b, scope, strcmp(name, pdm_name(im, b)) == 0 ? last : NULL);
}

static void add_scope(Import *im, xmlNode *node, const PdmBlock *scope, const char *path)
{
  add_parameters(im, node, scope);
  for (guint k = 0; k < scope->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->coupled) {
      add_coupled(im, node, scope, k, path);
    } else {
      pdm_add_block(im, node, scope, k, path);
      put_comments(im, node, b);
    }
  }
  if (scope->parent != NULL) {
    add_ports(im, node, scope, TRUE);
    pdm_add_view(im, node, scope);
  }
}

/* The .stm beside the model: two lines, initial and final time. */
static void set_times(Import *im)
{
  const char *dot = strrchr(im->file->file, '.');
  if (dot == NULL || hy_format_find(hy_formats(), im->file->file) == NULL) {
    return; /* it is the drawing of a model of ours */
  }
  g_autofree char *path = g_strdup_printf("%.*s.stm", (int)(dot - im->file->file), im->file->file);
  g_autofree char *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, NULL)) {
    return;
  }
  if (im->further != NULL) {
    g_ptr_array_add(im->further, g_strdup(path));
  }
  g_auto(GStrv) words = g_strsplit_set(g_strstrip(text), " \t\r\n", -1);
  static const char *const names[] = {"start", "stop"};
  guint n = 0;
  for (char **word = words; *word != NULL; word++) {
    char *end = NULL;
    g_ascii_strtod(*word, &end);
    if (**word == '\0') {
      continue;
    }
    if (*end != '\0' || n == 2) {
      hy_report_error(im->report, path, 0,
                      "two numbers are expected, the initial and the final time");
      return;
    }
    hy_format_set(im->experiment, names[n++], *word);
  }
}

static xmlDoc *to_tree(Import *im)
{
  const PdmBlock *root = im->file->root;
  xmlDoc *doc = hy_format_doc(pdm_name(im, root));
  xmlNode *node = xmlDocGetRootElement(doc);
  xmlNewNs(node, BAD_CAST PDM_NAMESPACE, BAD_CAST "pd");
  node->_private = GUINT_TO_POINTER(root->line);
  set_said(im, node, root, root->name, root->doc);
  pdm_put_comments(root, NULL, node);
  im->experiment = xmlNewNode(node->ns, BAD_CAST "experiment");
  im->experiment->_private = node->_private;
  set_times(im);
  pdm_put_inside(root, node);
  add_variables(im, node);
  add_scope(im, node, root, "");
  xmlAddChild(node, im->experiment);
  pdm_add_view(im, node, root);
  return doc;
}

xmlDoc *pdm_import(PdmFile *file, GPtrArray *further, HyReport *report)
{
  if (file == NULL) {
    return NULL;
  }
  guint before = hy_report_errors(report);
  Import im = {.file = file, .report = report, .further = further, .scilab = scilab_new()};
  im.names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  im.recorded = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  im.told = g_hash_table_new(g_str_hash, g_str_equal);
  run_scripts(&im, file->root);
  xmlDoc *doc = NULL;
  if (hy_report_errors(report) == before) {
    pdm_name_all(&im);
    doc = to_tree(&im);
  }
  if (hy_report_errors(report) > before && doc != NULL) {
    xmlFreeDoc(doc);
    doc = NULL;
  }
  g_hash_table_unref(im.names);
  g_hash_table_unref(im.recorded);
  g_hash_table_unref(im.told);
  scilab_free(im.scilab);
  pdm_free(file);
  return doc;
}

xmlDoc *pdm_to_tree(const char *file, const char *text, GPtrArray *further, HyReport *report)
{
  return pdm_import(pdm_read(file, text, report), further, report);
}

xmlDoc *pds_to_tree(const char *file, const char *text, GPtrArray *further, HyReport *report)
{
  return pdm_import(pds_read(file, text, report), further, report);
}

gboolean pdm_rewrite(const char *file, const char *text, const char *to, GString *out,
                     HyReport *report)
{
  gboolean structure = g_str_has_suffix(file, ".pds");
  g_autoptr(PdmFile) f = structure ? pds_read(file, text, report) : pdm_read(file, text, report);
  if (f == NULL) {
    return FALSE;
  }
  if (g_str_has_suffix(to, ".pds")) {
    pds_write(f, out);
    return TRUE;
  }
  if (structure) {
    pdm_draw_all(f);
  }
  pdm_write(f, out);
  return TRUE;
}
