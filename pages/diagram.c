/* From the model tree to boxes and wires: what stands for one box, how large it is, what it says.
 */
#include "pages/diagram.h"

#include "coupled/model_internal.h"
#include "pages/chart.h"

#include <math.h>
#include <string.h>

#define MANY_COPIES 3  /* more of them are one box */
#define MANY_PORTS  12 /* more elements of a port array are one port */

/* "stage[1]" and "stage[4]" are "stage[1..4]". */
static char *range_name(const char *first, const char *last)
{
  const char *a = strchr(first, '['), *b = strchr(last, '[');
  if (a == NULL || b == NULL) {
    return g_strdup(first);
  }
  gsize from = strcspn(a + 1, "]"), to = strcspn(b + 1, "]");
  return g_strdup_printf("%.*s[%.*s..%.*s]%s", (int)(a - first), first, (int)from, a + 1, (int)to,
                         b + 1, a + 1 + from + (a[1 + from] == ']'));
}

/* Boxes ---------------------------------------------------------------------------------------- */

/* What is being made: which box a component belongs to. */
typedef struct {
  const HyDiagramWay *way;
  HyDiagram *d;
  guint *box_of;           /* [components] */
  guint *pin_in, *pin_out; /* [ports of the model] boxes */
  GHashTable *wires;       /* those that are there */
} Making;

guint hy_drawn_add(HyDiagram *d, HyDrawn drawn)
{
  HyBox box = {.hint_x = NAN, .hint_y = NAN};
  drawn.in = g_ptr_array_new_with_free_func(g_free);
  drawn.out = g_ptr_array_new_with_free_func(g_free);
  drawn.in_number = g_array_new(FALSE, FALSE, sizeof(guint));
  drawn.out_number = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(d->drawn, drawn);
  g_array_append_val(d->layout.box, box);
  return d->drawn->len - 1;
}

/* How many components are called alike but for indices: key -> number. */
static GHashTable *count_copies(const HyModel *m)
{
  GHashTable *copies = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint k = 0; k < m->components.len; k++) {
    char *key = hy_without_indices(hy_model_component_name(m, k));
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(copies, key));
    g_hash_table_insert(copies, key, GUINT_TO_POINTER(n + 1));
  }
  return copies;
}

static gboolean is_hidden(const char *name)
{
  return strchr(name, ':') != NULL;
}

static guint add_component(Making *make, guint k, guint copies)
{
  const HyModel *m = make->d->model;
  const char *name = hy_model_component_name(m, k);
  HyDrawn drawn = {.component = k, .copies = copies, .klass = hy_model_class(m, k)};
  drawn.name = is_hidden(name) ? NULL : g_strdup(name);
  drawn.path = hy_model_path(m, k);
  return hy_drawn_add(make->d, drawn);
}

static void add_components(Making *make)
{
  const HyModel *m = make->d->model;
  g_autoptr(GHashTable) copies = count_copies(m);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint k = 0; k < m->components.len; k++) {
    const char *name = hy_model_component_name(m, k);
    char *key = hy_without_indices(name);
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(copies, key));
    gpointer there = g_hash_table_lookup(known, key);
    if (make->way->all || n <= MANY_COPIES || strcmp(key, name) == 0) {
      make->box_of[k] = add_component(make, k, 1);
      g_free(key);
      continue;
    }
    if (there == NULL) {
      there = GUINT_TO_POINTER(add_component(make, k, n) + 1);
      g_hash_table_insert(known, g_strdup(key), there);
    }
    make->box_of[k] = GPOINTER_TO_UINT(there) - 1;
    HyDrawn *drawn = hy_drawn(make->d, make->box_of[k]);
    if (drawn->name != NULL) {
      g_free(drawn->name);
      drawn->name = range_name(hy_model_component_name(m, drawn->component), name);
    }
    g_free(key);
  }
}

/* Ports of the model itself; an array of many is one. */
static void add_pins(Making *make, gboolean output)
{
  const HyModel *m = make->d->model;
  guint n = output ? m->out->len : m->in->len;
  guint *pin = g_new(guint, n + 1);
  for (guint k = 0; k < n; k++) {
    g_autofree char *name =
        output ? hy_model_out_name(m, HY_SELF, k) : hy_model_in_name(m, HY_SELF, k);
    g_autofree char *key = hy_without_indices(name);
    HyDrawn *last = k > 0 ? hy_drawn(make->d, pin[k - 1]) : NULL;
    g_autofree char *before = last != NULL ? hy_without_indices(last->name) : NULL;
    if (before != NULL && n > MANY_PORTS && strcmp(before, key) == 0) {
      g_autofree char *first = g_steal_pointer(&last->name);
      last->name = range_name(first, name);
      pin[k] = pin[k - 1];
      continue;
    }
    HyDrawn drawn = {.name = g_strdup(name), .component = HY_SELF, .output = output, .copies = 1};
    drawn.path = hy_model_path(m, HY_SELF);
    pin[k] = hy_drawn_add(make->d, drawn);
    hy_layout_box(&make->d->layout, pin[k])->side = output ? 1 : -1;
  }
  *(output ? &make->pin_out : &make->pin_in) = pin;
}

/* Wires ---------------------------------------------------------------------------------------- */

/* The number of port NAME of a box; made when first asked for. */
static guint port_of(HyDrawn *d, const char *name, guint number, gboolean output, gboolean alike)
{
  GPtrArray *ports = output ? d->out : d->in;
  g_autofree char *key = alike ? hy_without_indices(name) : g_strdup(name);
  for (guint k = 0; k < ports->len; k++) {
    if (strcmp(g_ptr_array_index(ports, k), key) == 0) {
      return k;
    }
  }
  g_ptr_array_add(ports, g_strdup(key));
  g_array_append_val(output ? d->out_number : d->in_number, number);
  return ports->len - 1;
}

static guint end_port(Making *make, HyDrawn *d, guint component, guint port, gboolean output)
{
  const HyModel *m = make->d->model;
  if (component == HY_SELF) {
    return port_of(d, "", 0, output, FALSE);
  }
  guint n = output ? hy_model_n_out(m, component) : hy_model_n_in(m, component);
  g_autofree char *name =
      output ? hy_model_out_name(m, component, port) : hy_model_in_name(m, component, port);
  return port_of(d, name, port, output, d->copies > 1 || n > MANY_PORTS);
}

static void add_wire(Making *make, guint from, guint from_port, HyTarget to)
{
  guint a = from == HY_SELF ? make->pin_in[from_port] : make->box_of[from];
  guint b = to.to == HY_SELF ? make->pin_out[to.to_port] : make->box_of[to.to];
  HyWire wire = {.from = a, .to = b};
  wire.from_port = end_port(make, hy_drawn(make->d, a), from, from_port, TRUE);
  wire.to_port = end_port(make, hy_drawn(make->d, b), to.to, to.to_port, FALSE);
  char *key = g_strdup_printf("%u.%u-%u.%u", wire.from, wire.from_port, wire.to, wire.to_port);
  if (g_hash_table_add(make->wires, key)) {
    g_array_append_val(make->d->layout.wire, wire);
  }
}

static void add_wires(Making *make)
{
  const HyModel *m = make->d->model;
  guint n = m->components.len;
  for (guint c = 0; c <= n; c++) {
    guint from = c == 0 ? HY_SELF : c - 1;
    guint ports = from == HY_SELF ? m->in->len : hy_model_n_out(m, from);
    for (guint port = 0; port < ports; port++) {
      guint slot = hy_slot(m, from, port);
      for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
        add_wire(make, from, port, m->targets[k]);
      }
    }
  }
}

/* The ports of box K on one side in the order of the block: they have come in that of the wires. */
static void sort_ports(HyDiagram *d, guint k, gboolean output)
{
  HyDrawn *b = hy_drawn(d, k);
  GPtrArray *ports = output ? b->out : b->in;
  const GArray *number = output ? b->out_number : b->in_number;
  g_autofree guint *place = g_new0(guint, ports->len + 1);
  g_autofree gpointer *name = g_memdup2(ports->pdata, ports->len * sizeof(gpointer));
  for (guint i = 0; i < ports->len; i++) {
    for (guint j = 0; j < ports->len; j++) {
      guint p = g_array_index(number, guint, j), q = g_array_index(number, guint, i);
      place[i] += p < q || (p == q && j < i);
    }
  }
  for (guint i = 0; i < ports->len; i++) {
    ports->pdata[place[i]] = name[i];
  }
  for (guint i = 0; i < d->layout.wire->len; i++) {
    HyWire *w = hy_layout_wire(&d->layout, i);
    if (output && w->from == k) {
      w->from_port = place[w->from_port];
    } else if (!output && w->to == k) {
      w->to_port = place[w->to_port];
    }
  }
}

/* What a box says ------------------------------------------------------------------------------ */

/* In a few digits, and no more of an exponent than it needs: 1e-5. */
static char *short_number(double v)
{
  g_autofree char *text = g_strdup_printf("%.5g", v);
  char *e = strchr(text, 'e');
  if (e == NULL) {
    return g_steal_pointer(&text);
  }
  gint64 power = g_ascii_strtoll(e + 1, NULL, 10);
  return g_strdup_printf("%.*se%" G_GINT64_FORMAT, (int)(e - text), text, power);
}

/* Lines of text in an atomic; NULL: it has an icon. */
static char *atomic_text(const HyLoaded *loaded, const HyModel *m, const HyDrawn *d)
{
  HyBlockInfo info;
  double w, h;
  hy_loaded_block(loaded, m, d->component, &info);
  if (info.formula != NULL) {
    return hy_text_fit(info.formula, 30, 3);
  }
  if (strcmp(d->klass->name, "gain") == 0) {
    return short_number(hy_component_real(m, d->component, "k"));
  }
  if (strcmp(d->klass->name, "constant") == 0) {
    return short_number(hy_component_real(m, d->component, "value"));
  }
  return hy_icon_size(d->klass->name, &w, &h) ? NULL : g_strdup(d->klass->name);
}

/* At the inputs of a sum: plus, minus or a factor. */
static GPtrArray *signs_of(const HyModel *m, const HyDrawn *d)
{
  if (d->klass == NULL || strcmp(d->klass->name, "sum") != 0 || d->copies > 1) {
    return NULL;
  }
  const HyReals *k = hy_component_reals(m, d->component, "k");
  GPtrArray *signs = g_ptr_array_new_with_free_func(g_free);
  guint first = 0;
  for (guint i = 0; i < d->in->len; i++) {
    const char *name = g_ptr_array_index(d->in, i), *index = strchr(name, '[');
    first = index != NULL ? (guint)g_ascii_strtoull(index + 1, NULL, 10) : i + 1;
    double v = k != NULL && first > 0 && first <= k->n ? k->v[first - 1] : 1;
    g_ptr_array_add(signs, v == 1 ? g_strdup("+") : v == -1 ? g_strdup("−") : short_number(v));
  }
  return signs;
}

/* What is said to those who point at it: what it is, its text, its label. */
static char *about_block(const HyLoaded *loaded, const HyModel *m, const HyDrawn *d)
{
  HyLook around;
  HyBlockInfo info;
  hy_loaded_look(loaded, m, &around);
  hy_loaded_block(loaded, m, d->component, &info);
  const char *name = hy_model_component_name(m, d->component);
  const HySaid *said = hy_said_find(around.block, around.n_blocks, name);
  const char *type = said != NULL ? said->type : d->klass != NULL ? d->klass->name : "coupled";
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "%s: %s", d->path, type);
  if (info.formula != NULL) {
    g_string_append_printf(out, "\n%s", info.formula);
  }
  if (info.label != NULL) {
    g_string_append_printf(out, "\n%s", info.label);
  }
  if (said != NULL && said->doc != NULL) {
    g_string_append_printf(out, "\n%s", said->doc);
  }
  return g_string_free(out, FALSE);
}

static void find_hint(const HyLoaded *loaded, const HyModel *m, const HyDrawn *d, HyBox *box)
{
  HyLook look;
  hy_loaded_look(loaded, m, &look);
  const char *name = hy_model_component_name(m, d->component);
  gsize length = strcspn(name, "[:");
  for (guint k = 0; k < look.n_at; k++) {
    const HyAt *at = &look.at[k];
    if (strncmp(at->block, name, length) == 0 && at->block[length] == '\0') {
      gboolean hidden = is_hidden(name); /* just before the block that it is for */
      double w = isnan(at->width) ? 0 : at->width;
      box->hint_x = at->x + w / 2 - (hidden ? (w > 0 ? w : 1) : 0);
      box->hint_y = at->y + (isnan(at->height) ? 0 : at->height / 2);
    }
  }
}

/* Finished boxes ------------------------------------------------------------------------------- */

/* Which of its ports carry events. */
static guint8 *events_at(const HyDrawn *d, const HyPort *table, const GPtrArray *ports)
{
  guint8 *event = g_new0(guint8, ports->len + 1);
  for (guint k = 0; d->klass != NULL && k < ports->len; k++) {
    const char *name = g_ptr_array_index(ports, k);
    for (const HyPort *p = table; p != NULL && p->name != NULL; p++) {
      gsize n = strlen(p->name);
      gboolean its = strncmp(name, p->name, n) == 0 && (name[n] == '\0' || name[n] == '[');
      event[k] |= its && p->kind == HY_EVENT;
    }
  }
  return event;
}

static void finish_box(Making *make, guint k)
{
  HyDrawn *d = hy_drawn(make->d, k);
  HyBox *box = hy_layout_box(&make->d->layout, k);
  sort_ports(make->d, k, FALSE);
  sort_ports(make->d, k, TRUE);
  if (d->component == HY_SELF) {
    hy_size_pin(d, box);
    d->about = g_strdup_printf("%s port %s", d->output ? "output" : "input", d->name);
  } else {
    d->about = about_block(make->way->loaded, make->d->model, d);
    if (d->klass != NULL) {
      d->text = atomic_text(make->way->loaded, make->d->model, d);
    } else if (!hy_is_frame(d)) {
      d->text = g_strdup("▸");
    }
    d->signs = signs_of(make->d->model, d);
    find_hint(make->way->loaded, make->d->model, d, box);
    hy_size_box(d, box);
  }
  d->in_event = events_at(d, d->klass != NULL ? d->klass->in : NULL, d->in);
  d->out_event = events_at(d, d->klass != NULL ? d->klass->out : NULL, d->out);
}

/* The whole ------------------------------------------------------------------------------------ */

static HyDiagram *diagram(const HyDiagramWay *way, const HyModel *model, guint depth);

/* What is inside a coupled model, or a machine that has room. */
static void open_block(Making *make, HyDrawn *d, guint depth)
{
  const HyMachine *machine = hy_machine_of(d->klass);
  if (d->klass != NULL) {
    gboolean open = machine != NULL && depth > 1 && hy_chart_is_small(machine);
    d->chart = open ? hy_chart_new(machine, d->path) : NULL;
    return;
  }
  const HyModel *inner = hy_model_coupled(make->d->model, d->component);
  HyLook look;
  hy_loaded_look(make->way->loaded, inner, &look);
  if (look.circuit && look.n_parts > 0 && !make->way->blocks) {
    d->schematic = hy_schematic_new(look.part, look.n_parts);
  } else if (depth > 1) {
    d->inside = diagram(make->way, inner, depth - 1);
  }
}

/* The notes of <view>, from the top. */
static char *notes_of(const HyDiagramWay *way, const HyModel *model)
{
  HyLook look;
  hy_loaded_look(way->loaded, model, &look);
  GString *text = g_string_new(NULL);
  for (guint k = 0; k < look.n_notes; k++) {
    if (look.note[k].text[0] == '\0') {
      continue;
    }
    g_autofree char *lines = hy_text_fit(look.note[k].text, 110, 6);
    g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", lines);
  }
  return g_string_free(text, text->len == 0);
}

HyDiagram *hy_diagram_empty(const HyModel *model)
{
  HyDiagram *d = g_new0(HyDiagram, 1);
  d->model = model;
  d->drawn = g_array_new(FALSE, TRUE, sizeof(HyDrawn));
  hy_layout_init(&d->layout);
  return d;
}

static HyDiagram *diagram(const HyDiagramWay *way, const HyModel *model, guint depth)
{
  HyDiagram *d = hy_diagram_empty(model);
  Making make = {.way = way, .d = d};
  d->notes = notes_of(way, model);
  make.box_of = g_new(guint, model->components.len + 1);
  make.wires = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  add_pins(&make, FALSE);
  add_components(&make);
  add_pins(&make, TRUE);
  add_wires(&make);
  for (guint k = 0; k < d->drawn->len; k++) {
    HyDrawn *drawn = hy_drawn(d, k);
    if (drawn->component != HY_SELF) {
      open_block(&make, drawn, depth);
      d->too_much |= drawn->inside != NULL && drawn->inside->too_much;
    }
    finish_box(&make, k);
  }
  d->too_much |= !hy_layout_find(&d->layout);
  g_free(make.box_of);
  g_free(make.pin_in);
  g_free(make.pin_out);
  g_hash_table_unref(make.wires);
  return d;
}

/* Boxes of M, copies taken together, if DEPTH models inside each other are open. */
static guint64 count_boxes(const HyDiagramWay *way, const HyModel *m, guint depth)
{
  g_autoptr(GHashTable) copies = count_copies(m);
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  guint64 n = 0;
  for (guint k = 0; k < m->components.len; k++) {
    char *key = hy_without_indices(hy_model_component_name(m, k));
    gboolean many = GPOINTER_TO_UINT(g_hash_table_lookup(copies, key)) > MANY_COPIES;
    const HyModel *inner = hy_model_coupled(m, k);
    if (!g_hash_table_add(seen, key) && many && !way->all) {
      continue;
    }
    HyLook look = {0};
    if (inner != NULL) {
      hy_loaded_look(way->loaded, inner, &look);
    }
    n += 1;
    if (inner != NULL && depth > 1 && (!look.circuit || way->blocks)) {
      n += count_boxes(way, inner, depth - 1);
    }
  }
  return n;
}

/* The box that it is in the model around it. */
HyDiagram *hy_diagram_one(const HyDiagramWay *way, const HyModel *model, guint component)
{
  HyDiagram *d = hy_diagram_empty(model);
  Making make = {.way = way, .d = d};
  add_component(&make, component, 1);
  HyDrawn *drawn = hy_drawn(d, 0);
  const HyMachine *machine = hy_machine_of(drawn->klass);
  if (machine != NULL) {
    drawn->chart = hy_chart_new(machine, drawn->path);
    d->too_much = drawn->chart->too_much;
  } else {
    open_block(&make, drawn, 1);
  }
  finish_box(&make, 0);
  d->too_much |= !hy_layout_find(&d->layout);
  return d;
}

HyDiagram *hy_diagram_new(const HyDiagramWay *way, const HyModel *model, GError **error)
{
  HyLook look;
  hy_loaded_look(way->loaded, model, &look);
  if (look.circuit && look.n_parts > 0 && !way->blocks && hy_model_parent(model) != NULL) {
    return hy_diagram_one(way, hy_model_parent(model), hy_model_index(model));
  }
  guint depth = MAX(way->depth, 1);
  while (depth > 1 && count_boxes(way, model, depth) > HY_DIAGRAM_OPEN) {
    depth--;
  }
  guint64 n = count_boxes(way, model, depth);
  HyDiagram *d = n <= HY_DIAGRAM_MOST ? diagram(way, model, depth) : NULL;
  if (d == NULL || d->too_much) {
    hy_diagram_free(d);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: %" G_GUINT64_FORMAT " boxes and their wires are too much for a drawing (the "
                "limit is %d boxes, fewer where wires are long); draw a part of it with --block "
                "PATH",
                hy_model_name(model), n, HY_DIAGRAM_MOST);
    return NULL;
  }
  return d;
}

void hy_diagram_free(HyDiagram *d)
{
  for (guint k = 0; d != NULL && k < d->drawn->len; k++) {
    HyDrawn *drawn = hy_drawn(d, k);
    g_free(drawn->name);
    g_free(drawn->path);
    g_free(drawn->text);
    g_free(drawn->about);
    g_free(drawn->at);
    g_free(drawn->in_event);
    g_free(drawn->out_event);
    g_ptr_array_unref(drawn->in);
    g_ptr_array_unref(drawn->out);
    g_array_unref(drawn->in_number);
    g_array_unref(drawn->out_number);
    g_clear_pointer(&drawn->signs, g_ptr_array_unref);
    hy_diagram_free(drawn->inside);
    hy_diagram_free(drawn->chart);
    hy_schematic_free(drawn->schematic);
  }
  if (d != NULL) {
    hy_layout_clear(&d->layout);
    g_free(d->notes);
    g_array_unref(d->drawn);
  }
  g_free(d);
}
