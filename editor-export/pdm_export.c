/* A loaded model as a drawing of PowerDEVS: what is repeated has become single blocks, formulas are
 * NLFunctions, values are numbers. What PowerDEVS has no block for is an error with its line; the
 * model would not be the same without it. */
#include "editor-export/pdm_export_job.h"
#include "editor-export/pdm_format.h"

#include <string.h>

/* Models ----------------------------------------------------------------------------------------
 */

static void name_block(Export *e, const HyModel *m, guint c, PdmBlock *b)
{
  HyBlockInfo info;
  hy_loaded_block(e->loaded, m, c, &info);
  b->name = pdm_keep_text(e, info.label != NULL && strchr(info.label, '{') == NULL
                                 ? info.label
                                 : hy_model_component_name(m, c));
  b->ours = pdm_keep(e->file, hy_model_component_name(m, c));
  b->drawn = TRUE;
  b->icon = "None";
  b->color = 15;
  b->line = info.line;
}

static void export_model(Export *e, const HyModel *m, PdmBlock *b);

static void export_component(Export *e, const HyModel *m, guint c, PdmBlock *scope, int *number)
{
  const HyComponent *component = hy_component(m, c);
  PdmBlock *b = pdm_block_new(scope, component->klass == NULL, scope->line);
  *number = (int)scope->blocks->len - 1;
  name_block(e, m, c, b);
  b->n_in = (int)component->n_in;
  b->n_out = (int)component->n_out;
  if (component->klass == NULL) {
    export_model(e, component->u.coupled, b);
    return;
  }
  ExportJob j = {.e = e, .m = m, .c = c, .component = component, .klass = component->klass, .b = b};
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

static void add_ports(Export *e, const HyModel *m, PdmBlock *b)
{
  for (guint side = 0; side < 2; side++) {
    guint n = side == 0 ? hy_model_n_in(m, HY_SELF) : hy_model_n_out(m, HY_SELF);
    for (guint k = 0; k < n; k++) {
      g_autofree char *name =
          side == 0 ? hy_model_in_name(m, HY_SELF, k) : hy_model_out_name(m, HY_SELF, k);
      PdmPort p = {.out = side == 1,
                   .name = pdm_keep_text(e, name),
                   .doc = "",
                   .direction = "Right",
                   .number = (int)k + 1,
                   .line = b->line};
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
  for (guint k = 0; k <= m->components->len; k++) {
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

static void export_model(Export *e, const HyModel *m, PdmBlock *b)
{
  guint n = m->components->len;
  int *place = g_new0(int, n + 1);
  b->n_in = (int)m->in->len;
  b->n_out = (int)m->out->len;
  b->window = "5000; 5000; 5000; 5000";
  add_ports(e, m, b);
  for (guint k = 0; k < n; k++) {
    guint c = hy_component_at(m, k);
    export_component(e, m, c, b, &place[c]);
  }
  add_couplings(e, m, b, place);
  add_constants(e, m, b, place);
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

PdmFile *pdm_from_loaded(const HyLoaded *loaded, HyReport *report)
{
  HyModel *m = hy_loaded_model(loaded);
  g_autoptr(GError) error = NULL;
  if (!hy_model_check(m, &error)) {
    hy_report_error(report, hy_loaded_file(loaded), 0, "%s", error->message);
    return NULL;
  }
  g_autoptr(HyXBuilder) builder = hy_x_builder_new();
  Export e = {loaded, report, pdm_file_new(hy_loaded_file(loaded)), builder, NULL, FALSE};
  PdmBlock *root = e.file->root = pdm_block_new(NULL, TRUE, 1);
  root->drawn = TRUE;
  root->name = pdm_keep_text(&e, hy_model_name(m));
  root->icon = "None";
  root->color = 15;
  root->width = root->height = 600;
  export_model(&e, m, root);
  add_plots(&e, root);
  g_free(e.place);
  if (e.failed) {
    pdm_free(e.file);
    return NULL;
  }
  pdm_place(e.file, hy_loaded_file(loaded));
  pdm_draw_all(e.file);
  return e.file;
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
