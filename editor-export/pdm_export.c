/* A loaded model as a drawing of PowerDEVS: what is repeated has become single blocks, formulas are
 * NLFunctions, values are numbers. What PowerDEVS has no block for is an error with its line; the
 * model would not be the same without it. */
#include "editor-export/pdm_export_job.h"
#include "editor-export/pdm_format.h"

#include <libxml/parser.h>
#include <string.h>

/* Models ----------------------------------------------------------------------------------------
 */

/* What component C was written as in SCOPE, one of several with an index behind their name, too;
 * NULL: not known. */
static const xmlNode *element_of(const xmlNode *scope, const HyModel *m, guint c)
{
  const char *name = hy_model_component_name(m, c);
  g_autofree char *stem = g_strndup(name, strcspn(name, "["));
  return scope != NULL ? pdm_child(scope, stem) : NULL;
}

static void name_block(Export *e, const HyModel *m, guint c, PdmBlock *b, const xmlNode *element)
{
  HyBlockInfo info;
  hy_loaded_block(e->loaded, m, c, &info);
  b->name = pdm_keep_text(e, info.label != NULL && strchr(info.label, '{') == NULL
                                 ? info.label
                                 : hy_model_component_name(m, c));
  b->ours = pdm_keep(e->file, hy_model_component_name(m, c));
  if (element != NULL) {
    g_autofree char *doc = pdm_doc_of(element);
    b->doc = pdm_keep_text(e, doc);
  }
  b->drawn = TRUE;
  b->icon = "None";
  b->color = 15;
  b->line = info.line;
}

static void export_model(Export *e, const HyModel *m, PdmBlock *b, const xmlNode *element);

static void export_component(Export *e, const HyModel *m, guint c, PdmBlock *scope, int *number,
                             const xmlNode *element)
{
  const HyComponent *component = hy_component(m, c);
  PdmBlock *b = pdm_block_new(scope, component->klass == NULL, scope->line);
  *number = (int)scope->blocks->len - 1;
  name_block(e, m, c, b, element);
  b->n_in = (int)component->n_in;
  b->n_out = (int)component->n_out;
  if (component->klass == NULL) {
    gboolean inline_model = element != NULL && pdm_is_element(element, "coupled");
    export_model(e, component->u.coupled, b, inline_model ? element : NULL);
    return;
  }
  ExportJob j = {.e = e,
                 .m = m,
                 .c = c,
                 .component = component,
                 .klass = component->klass,
                 .b = b,
                 .element = element};
  gsize size;
  const guint8 *image = hy_component_image(m, c, &size);
  j.state = g_malloc0(MAX(component->klass->state_size, size));
  if (image != NULL) {
    memcpy(j.state, image, size);
  }
  pdm_take_class(&j);
  b->n_in = pdm_is_class(&j, "place") ? 1 : pdm_is_class(&j, "reset_integrator") ? 2 : b->n_in;
  if (pdm_is_class(&j, "comparator")) {
    b->n_in = 2;
    pdm_add_constant(e, scope, *number, 1, pdm_real_of(&j, "level"));
  }
  g_free(j.state);
}

/* What is written of a port beside its name. */
static void describe_port(Export *e, const xmlNode *scope, PdmPort *p)
{
  const xmlNode *element = scope != NULL ? pdm_child(scope, p->ours) : NULL;
  if (element != NULL) {
    g_autofree char *doc = pdm_doc_of(element), *label = pdm_attribute(element, "label");
    p->doc = pdm_keep_text(e, doc);
    p->name = *label != '\0' ? pdm_keep_text(e, label) : p->name;
  }
}

static void add_ports(Export *e, const HyModel *m, PdmBlock *b, const xmlNode *element)
{
  for (guint side = 0; side < 2; side++) {
    guint n = side == 0 ? hy_model_n_in(m, HY_SELF) : hy_model_n_out(m, HY_SELF);
    for (guint k = 0; k < n; k++) {
      g_autofree char *name =
          side == 0 ? hy_model_in_name(m, HY_SELF, k) : hy_model_out_name(m, HY_SELF, k);
      PdmPort p = {.out = side == 1,
                   .name = pdm_keep_text(e, name),
                   .ours = pdm_keep(e->file, name),
                   .doc = "",
                   .direction = "Right",
                   .number = (int)k + 1,
                   .line = b->line};
      describe_port(e, element, &p);
      g_array_append_val(b->ports, p);
    }
  }
}

/* One line that an event runs along. PLACE: the number of each component as a block. */
static void add_coupling(Export *e, const HyModel *m, PdmBlock *b, const int *place, PdmCoupling c,
                         const HyTarget *to)
{
  ExportJob j = {.e = e, .m = m, .c = to->to};
  if (to->to != HY_SELF) {
    j.b = g_ptr_array_index(b->blocks, (guint)place[to->to]);
  }
  if (to->to == HY_SELF) {
    c.to = -1;
    c.to_port = (int)to->to_port;
    g_array_append_val(b->couplings, c);
    return;
  }
  j.klass = hy_component(m, to->to)->klass;
  c.to = place[to->to];
  c.to_port = j.klass != NULL ? pdm_input_of(&j, to->to_port) : (int)to->to_port;
  if (c.to_port >= 0) {
    g_array_append_val(b->couplings, c);
  } else if (pdm_is_class(&j, "reset_integrator")) {
    pdm_refuse(&j,
               "in PowerDEVS the event at reset has the value; take it from a sampler and leave "
               "value out");
  }
}

/* In the order in which events reach their receivers. */
static void add_couplings(Export *e, const HyModel *m, PdmBlock *b, const int *place)
{
  for (guint k = 0; k <= m->components.len; k++) {
    guint from = k == 0 ? HY_SELF : k - 1;
    guint n = from == HY_SELF ? m->in->len : hy_component(m, from)->n_out;
    for (guint port = 0; port < n; port++) {
      guint slot = hy_slot(m, from, port);
      PdmCoupling c = {
          .from = from == HY_SELF ? -1 : place[from], .from_port = (int)port, .line = b->line};
      for (guint t = m->start[slot]; t < m->start[slot + 1]; t++) {
        add_coupling(e, m, b, place, c, &m->targets[t]);
      }
    }
  }
}

static void add_constants(Export *e, const HyModel *m, PdmBlock *b, const int *place)
{
  for (guint k = 0; m->constants != NULL && k < m->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    ExportJob j = {.klass = hy_component(m, c->component)->klass,
                   .b = g_ptr_array_index(b->blocks, (guint)place[c->component])};
    int input = j.klass != NULL ? pdm_input_of(&j, c->port) : (int)c->port;
    if (input >= 0) {
      pdm_add_constant(e, b, place[c->component], input, c->value.c[0]);
    }
  }
}

/* Blocks that stand for numbers come before those that hear them at the start; the order of the
 * others stays. PLACE: of N components. */
static void constants_first(PdmBlock *b, int *place, guint n)
{
  g_autofree int *moved = g_new0(int, b->blocks->len + 1);
  g_autofree gpointer *order = g_new0(gpointer, b->blocks->len + 1);
  guint next = 0;
  for (guint pass = 0; pass < 2; pass++) {
    for (guint k = 0; k < b->blocks->len; k++) {
      PdmBlock *child = g_ptr_array_index(b->blocks, k);
      if ((child->ours != NULL) == (pass == 1)) {
        moved[k] = (int)next;
        order[next++] = child;
      }
    }
  }
  if (next > 0) {
    memcpy(b->blocks->pdata, order, next * sizeof *order);
  }
  for (guint k = 0; k < b->couplings->len; k++) {
    PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
    c->from = c->from >= 0 ? moved[c->from] : c->from;
    c->to = c->to >= 0 ? moved[c->to] : c->to;
  }
  for (guint k = 0; k < n; k++) {
    place[k] = moved[place[k]];
  }
}

static void export_model(Export *e, const HyModel *m, PdmBlock *b, const xmlNode *element)
{
  guint n = m->components.len;
  int *place = g_new0(int, n + 1);
  b->n_in = (int)m->in->len;
  b->n_out = (int)m->out->len;
  b->window = "5000; 5000; 5000; 5000";
  add_ports(e, m, b, element);
  if (b->parent != NULL && element != NULL) {
    pdm_export_parameters(e, b, element);
  }
  for (guint k = 0; k < n; k++) {
    guint c = hy_component_at(m, k);
    export_component(e, m, c, b, &place[c], element_of(element, m, c));
  }
  add_couplings(e, m, b, place);
  add_constants(e, m, b, place);
  constants_first(b, place, n);
  if (b->parent == NULL) {
    e->place = place;
  } else {
    g_free(place);
  }
}

/* Plots ------------------------------------------------------------------------------------------
 */

/* What the experiment records in the root itself goes to plots of up to five curves. */
static void add_plot(Export *e, PdmBlock *root, const HySignalAt *at, const char *label)
{
  g_assert(e->place != NULL); /* the root's, by now */
  PdmBlock *plot =
      root->blocks->len > 0 ? g_ptr_array_index(root->blocks, root->blocks->len - 1) : NULL;
  const PdmClass *klass = pdm_class("sinks/gnuplot.h");
  if (plot == NULL || strcmp(plot->path, "sinks/gnuplot.h") != 0 || plot->n_in == 5) {
    plot = pdm_block_new(root, FALSE, root->line);
    plot->drawn = TRUE;
    plot->name = "Plot";
    plot->icon = "None";
    plot->color = 15;
    ExportJob j = {.e = e, .b = plot, .klass = hy_class_find("sink")};
    pdm_take(&j, klass);
  }
  int input = plot->n_in++;
  ExportJob j = {.e = e, .b = plot};
  g_autofree char *title =
      g_strdup_printf("with lines title '%s'", label != NULL ? label : at->path);
  pdm_set_param(&j, klass->rows[2 + input].theirs, "Str", pdm_keep_text(e, title));
  PdmCoupling coupling = {e->place[at->component], at->port == HY_STATE ? 0 : (int)at->port,
                          (int)root->blocks->len - 1, input, root->line};
  g_array_append_val(root->couplings, coupling);
}

static void add_plots(Export *e, PdmBlock *root)
{
  const HyExperiment *x = hy_loaded_experiment(e->loaded);
  const HyModel *m = hy_loaded_model(e->loaded);
  for (guint k = 0; k < x->n_records; k++) {
    g_autoptr(GArray) found = hy_loaded_match(e->loaded, x->records[k].path, NULL);
    for (guint i = 0; found != NULL && i < found->len; i++) {
      const HySignalAt *at = &g_array_index(found, HySignalAt, i);
      if (at->model == m && at->component != HY_SELF && !at->input) {
        add_plot(e, root, at, x->records[k].label);
      } else {
        hy_report_warning(e->report, e->file->file, 0,
                          "%s is recorded inside a coupled model; no plot is drawn for it",
                          at->path);
      }
    }
  }
}

/* The model as it is loaded, drawn anew. DOC: of its file; NULL: it is no XML. */
static PdmFile *draw_anew(const HyLoaded *loaded, const xmlDoc *doc, HyReport *report)
{
  HyModel *m = hy_loaded_model(loaded);
  g_autoptr(GError) error = NULL;
  if (!hy_model_check(m, &error)) {
    hy_report_error(report, hy_loaded_file(loaded), 0, "%s", error->message);
    return NULL;
  }
  if (hy_model_n_in(m, HY_SELF) > 0) {
    g_autofree char *name = hy_model_in_name(m, HY_SELF, 0);
    hy_report_error(
        report, hy_loaded_file(loaded), 0,
        "%s: an input of the model itself cannot be drawn: in PowerDEVS nobody feeds it", name);
    return NULL;
  }
  g_autoptr(HyXBuilder) builder = hy_x_builder_new();
  g_autoptr(Scilab) scilab = scilab_new();
  g_autoptr(GString) script = g_string_new(NULL);
  g_autoptr(PdmFile) file = pdm_file_new(hy_loaded_file(loaded));
  const xmlNode *element = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
  Export e = {.loaded = loaded,
              .report = report,
              .file = file,
              .builder = builder,
              .doc = doc,
              .scilab = scilab,
              .script = script};
  PdmBlock *root = file->root = pdm_block_new(NULL, TRUE, 1);
  root->drawn = TRUE;
  root->name = pdm_keep_text(&e, hy_model_name(m));
  if (element != NULL) {
    g_autofree char *doc_text = pdm_doc_of(element), *label = pdm_attribute(element, "label");
    root->doc = pdm_keep_text(&e, doc_text);
    root->name = *label != '\0' ? pdm_keep_text(&e, label) : root->name;
  }
  root->icon = "None";
  root->color = 15;
  root->width = root->height = 600;
  pdm_begin_script(&e);
  export_model(&e, m, root, element);
  add_plots(&e, root);
  pdm_add_script(&e);
  g_free(e.place);
  if (e.failed) {
    return NULL;
  }
  if (doc != NULL) {
    pdm_place(file, doc);
  }
  pdm_draw_all(file);
  return g_steal_pointer(&file);
}

PdmFile *pdm_from_loaded(const HyLoaded *loaded, HyReport *report)
{
  const char *path = hy_loaded_file(loaded);
  xmlDoc *doc =
      hy_format_find(hy_formats(), path) == NULL
          ? xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET)
          : NULL;
  if (doc != NULL && xmlDocGetRootElement(doc) == NULL) {
    g_clear_pointer(&doc, xmlFreeDoc);
  }
  PdmFile *file = doc != NULL ? pdm_drawing_of(doc, path, report) : NULL;
  if (file == NULL) {
    file = draw_anew(loaded, doc, report);
  }
  if (file != NULL && doc != NULL) {
    pdm_take_comments(file, doc);
  }
  xmlFreeDoc(doc);
  return file;
}

gboolean pdm_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report)
{
  g_autoptr(PdmFile) file = pdm_from_loaded(loaded, report);
  if (file != NULL) {
    pdm_write(file, out);
  }
  return file != NULL;
}

gboolean pds_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report)
{
  g_autoptr(PdmFile) file = pdm_from_loaded(loaded, report);
  if (file != NULL) {
    pds_write(file, out);
  }
  return file != NULL;
}
