/* Elements with numbers, and where their signals come from: kept while loading, as the network is
 * gone afterwards. Strings are those of the loaded model. */
#include "language/netlist.h"
#include "coupled/model_internal.h"
#include "language/env.h"

#include <string.h>

static const char *keep(const Network *n, const char *format, ...) G_GNUC_PRINTF(2, 3);
static const char *keep(const Network *n, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  return g_string_chunk_insert_const(n->loader->strings, text);
}

/* NAME in the outermost circuit, with the path of that. */
static const char *whole(const Network *n, const char *name)
{
  g_autoptr(GString) path = g_string_new(NULL);
  hy_scope_path(n->scope, path);
  return strcmp(name, "0") == 0 ? "0" : keep(n, "%s/%s", path->str, name);
}

static const char *node_name(const Network *n, guint node)
{
  return node == 0 ? "0" : whole(n, hy_circuit_node_name(n->circuit, node));
}

static HyNetSignal signal_named(const Network *n, const char *name, const char *what)
{
  g_autofree char *text = g_strconcat(name, what, NULL);
  const Made *made = hy_made_find(n, hy_formula_pool_name(n->pool, text));
  return made != NULL ? (HyNetSignal){made->scope->model, made->component, made->port, 0.0}
                      : (HyNetSignal){.number = 0.0};
}

static HyNetSignal signal_of(const Network *n, const HyFormula *f)
{
  return f->kind == HY_F_NUMBER ? (HyNetSignal){.number = f->number}
                                : signal_named(n, f->ref.name, "");
}

static const Element *element_of(const Network *n, guint branch)
{
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    if (!e->left_out && e->kind != HY_COUPLING && (e->branch == branch || e->second == branch)) {
      return e;
    }
  }
  return NULL;
}

/* What SOURCE reads of its own circuit. */
static void keep_controls(Network *n, const Element *source, HyNetPart *part)
{
  guint n_control;
  const HyFormula *rest;
  const HyControl *all = hy_circuit_controls(n->circuit, source->branch, &rest, &n_control);
  part->control = g_array_new(FALSE, FALSE, sizeof(HyNetControl));
  part->signal = signal_of(n, rest);
  for (guint k = 0; k < n_control; k++) {
    HyNetControl c = {.factor = signal_of(n, all[k].factor)};
    if (all[k].kind == HY_CONTROL_BETWEEN) {
      c.plus = node_name(n, all[k].a);
      c.minus = node_name(n, all[k].b);
    } else {
      const Element *e = element_of(n, all[k].a);
      c.element = whole(n, e->name);
      c.current = all[k].kind == HY_CONTROL_CURRENT;
      c.diode = e->second == all[k].a;
      guint from = c.diode && e->kind == HY_TRANSFORMER ? 2 : 0;
      c.plus = node_name(n, e->node[from]);
      c.minus = node_name(n, e->node[from + 1]);
    }
    g_array_append_val(part->control, c);
  }
}

static double number_said(Network *n, const Element *e, const char *name)
{
  Said said;
  return hy_element_said(n, e, name, &said) ? said.number : 0.0;
}

static void keep_source(Network *n, const Element *e, HyNetPart *part)
{
  if (e->controlled) {
    keep_controls(n, e, part);
  } else if (e->signal) {
    part->signal = signal_named(n, e->name, e->kind == HY_VOLTAGE ? ".v" : ".i");
  } else {
    part->signal.number = number_said(n, e, "value");
  }
}

static void keep_valve(Network *n, const Element *e, HyNetPart *part)
{
  part->ron = e->ron;
  part->roff = e->roff;
  part->rd = e->rd;
  part->vf = e->knee * e->roff;
  part->signal = signal_named(n, e->name, ".on");
  part->fault = e->warm ? "its Ron is a formula" : NULL;
}

static void keep_size(Network *n, const Element *e, HyNetPart *part, const char *name)
{
  part->fault = e->shaped ? "its flux or charge is a formula" : NULL;
  part->start = e->start;
  part->size = e->shaped ? 0.0 : number_said(n, e, name);
}

static void keep_numbers(Network *n, const Element *e, HyNetPart *part)
{
  switch (e->kind) {
  case HY_RESISTOR:
    part->size = e->signal ? 0.0 : number_said(n, e, "R");
    part->signal = e->signal ? signal_named(n, e->name, ":R") : part->signal;
    break;
  case HY_CAPACITOR:
    keep_size(n, e, part, "C");
    break;
  case HY_INDUCTOR:
    keep_size(n, e, part, "L");
    break;
  case HY_VOLTAGE:
  case HY_CURRENT:
    keep_source(n, e, part);
    break;
  case HY_TRANSFORMER:
    part->size = number_said(n, e, "ratio");
    break;
  case HY_EXPONENTIAL:
    part->size = e->is;
    part->vf = e->vt;
    part->ron = number_said(n, e, "Rs");
    part->roff = number_said(n, e, "Roff");
    part->start = number_said(n, e, "Cj");
    break;
  case HY_SWITCH:
  case HY_DIODE:
  case HY_TRANSISTOR:
  case HY_THYRISTOR:
    keep_valve(n, e, part);
    break;
  case HY_COUPLING:
  case HY_PROBE:
    break;
  }
}

static void keep_element(Network *n, const Element *e, HyNetlist *list)
{
  HyNetPart part = {.kind = e->kind,
                    .name = whole(n, e->name),
                    .file = keep(n, "%s", e->scope->define->file->name),
                    .line = e->entry->line};
  for (guint k = 0; k < hy_element_ends(e->kind); k++) {
    part.node[k] = node_name(n, e->node[k]);
  }
  keep_numbers(n, e, &part);
  if (e->kind != HY_COUPLING) {
    g_array_append_val(list->parts, part);
  }
}

static void keep_couplings(Network *n, HyNetlist *list)
{
  guint a, b, element;
  double factor;
  for (guint k = 0; hy_circuit_coupling(n->circuit, k, &a, &b, &factor, &element); k++) {
    const Element *e = hy_network_element(n, element);
    HyNetPart part = {.kind = HY_COUPLING, .size = factor, .line = e->entry->line};
    part.name = keep(n, "%s_%u", whole(n, e->name), k + 1);
    part.file = keep(n, "%s", e->scope->define->file->name);
    part.first = whole(n, element_of(n, a)->name);
    part.second = whole(n, element_of(n, b)->name);
    g_array_append_val(list->parts, part);
  }
}

/* What block `made` says, if that is a voltage or a current of the circuit. */
static void keep_reading(Network *n, const char *name, const Made *made, HyNetlist *list)
{
  const char *dot = strrchr(name, '.');
  HyNetReading r = {.signal = {made->scope->model, made->component, made->port, 0.0}};
  if (dot == NULL || strchr("vi", dot[1]) == NULL || dot[2] != '\0') {
    return;
  }
  g_autofree char *stem = g_strndup(name, (gsize)(dot - name));
  for (guint32 k = 0; k < n->elements->len && r.plus == NULL && r.element == NULL; k++) {
    const Element *e = hy_network_element(n, k);
    if (strcmp(e->name, stem) == 0 && hy_element_ends(e->kind) == 2 && !e->left_out) {
      r.element = dot[1] == 'i' ? whole(n, e->name) : NULL;
      r.plus = dot[1] == 'v' ? node_name(n, e->node[0]) : NULL;
      r.minus = dot[1] == 'v' ? node_name(n, e->node[1]) : NULL;
    }
  }
  gpointer place = g_hash_table_lookup(n->by_key, stem);
  if (r.plus == NULL && r.element == NULL && place != NULL && dot[1] == 'v') {
    r.plus = node_name(n, hy_network_node(n, GPOINTER_TO_UINT(place) - 1)->number);
    r.minus = "0";
  }
  if (r.plus != NULL || r.element != NULL) {
    g_array_append_val(list->readings, r);
  }
}

static void free_part(gpointer p)
{
  g_clear_pointer(&((HyNetPart *)p)->control, g_array_unref);
}

static HyNetlist *netlist_new(void)
{
  HyNetlist *list = g_new(HyNetlist, 1);
  list->parts = g_array_new(FALSE, FALSE, sizeof(HyNetPart));
  g_array_set_clear_func(list->parts, free_part);
  list->readings = g_array_new(FALSE, FALSE, sizeof(HyNetReading));
  return list;
}

void hy_netlist_free(HyNetlist *list)
{
  if (list != NULL) {
    g_array_unref(list->parts);
    g_array_unref(list->readings);
    g_free(list);
  }
}

void hy_netlist_keep(Network *n)
{
  Loader *l = n->loader;
  if (!l->options.elements || n->failed) {
    return;
  }
  if (l->netlist == NULL) {
    l->netlist = netlist_new();
  }
  for (guint32 k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    if (!e->left_out) {
      keep_element(n, e, l->netlist);
    }
  }
  keep_couplings(n, l->netlist);
  GHashTableIter at;
  gpointer name, place;
  g_hash_table_iter_init(&at, n->signal);
  while (g_hash_table_iter_next(&at, &name, &place)) {
    keep_reading(n, name, &g_array_index(n->made, Made, GPOINTER_TO_UINT(place) - 1), l->netlist);
  }
}

const HyNetlist *hy_loaded_netlist(const HyLoaded *loaded)
{
  return loaded->netlist;
}
