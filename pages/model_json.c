/* The model tree as one line of JSON: what a trace or a page needs to know before the first
 * message. Models may be thousands deep, so the walk keeps no stack: from a model to the one around
 * it lead its parent and its number there. */
#include "hydevs/json.h"
#include "hydevs/pages.h"

#include "atomics/machine/machine.h"
#include "coupled/model_internal.h"

#include <math.h>
#include <string.h>

/* Nothing if V is NaN. */
static void add_number(HyJsonOut *json, const char *key, double v)
{
  if (!isnan(v)) {
    hy_json_real(json, key, v);
  }
}

static void add_true(HyJsonOut *json, const char *key, gboolean v)
{
  if (v) {
    hy_json_bool(json, key, TRUE);
  }
}

/* Ports ---------------------------------------------------------------------------------------- */

static void add_port(HyJsonOut *json, const char *name, const char *kind, const char *unit,
                     const char *doc)
{
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", name);
  hy_json_text(json, "kind", kind);
  hy_json_text(json, "unit", unit);
  hy_json_text(json, "doc", doc);
  hy_json_end(json, '}');
}

/* Of a component, or of the model itself. LOOK: of the coupled model whose ports they are; NULL: of
 * an atomic. UNIT: of its first output. */
static void add_ports(HyJsonOut *json, const HyModel *m, guint component, gboolean input,
                      const HyLook *look, const char *unit)
{
  guint n = input ? hy_model_n_in(m, component) : hy_model_n_out(m, component);
  const HyAtomicClass *klass = component != HY_SELF ? hy_model_class(m, component) : NULL;
  hy_json_begin(json, input ? "in" : "out", '[');
  for (guint k = 0; k < n; k++) {
    g_autofree char *name =
        input ? hy_model_in_name(m, component, k) : hy_model_out_name(m, component, k);
    if (klass != NULL) {
      guint index;
      const HyPort *p = hy_port_at(input ? klass->in : klass->out, n, k, &index);
      const char *its = !input && k == 0 && unit != NULL ? unit : p->unit;
      add_port(json, name, p->kind == HY_SIGNAL ? "signal" : "event", its, p->doc);
    } else if (look != NULL) {
      const HySaid *said = hy_said_find(look->port, look->n_ports, name);
      add_port(json, name, NULL, said != NULL ? said->unit : NULL, said != NULL ? said->doc : NULL);
    }
  }
  hy_json_end(json, ']');
}

/* Couplings ------------------------------------------------------------------------------------ */

/* "G.out"; of the model itself ".in". */
static void add_end(HyJsonOut *json, const HyModel *m, guint component, guint port, gboolean from)
{
  gboolean out_side = from != (component == HY_SELF);
  g_autofree char *name =
      out_side ? hy_model_out_name(m, component, port) : hy_model_in_name(m, component, port);
  const char *block = component == HY_SELF ? "" : hy_model_component_name(m, component);
  g_autofree char *text = g_strconcat(block, ".", name, NULL);
  hy_json_text(json, NULL, text);
}

static void add_targets(HyJsonOut *json, const HyModel *m, guint component, guint port)
{
  guint slot = hy_slot(m, component, port);
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    hy_json_begin(json, NULL, '[');
    add_end(json, m, component, port, TRUE);
    add_end(json, m, m->targets[k].to, m->targets[k].to_port, FALSE);
    hy_json_end(json, ']');
  }
}

static void add_couplings(HyJsonOut *json, const HyModel *m)
{
  hy_json_begin(json, "couplings", '[');
  for (guint port = 0; port < m->in->len; port++) {
    add_targets(json, m, HY_SELF, port);
  }
  for (guint k = 0; k < m->components.len; k++) {
    for (guint port = 0; port < hy_model_n_out(m, k); port++) {
      add_targets(json, m, k, port);
    }
  }
  hy_json_end(json, ']');
}

/* <view> and circuits -------------------------------------------------------------------------- */

static void add_at(HyJsonOut *json, const HyLook *look, const char *name)
{
  gsize length = strcspn(name, "[");
  for (guint k = 0; k < look->n_at; k++) {
    const HyAt *at = &look->at[k];
    if (strncmp(at->block, name, length) != 0 || at->block[length] != '\0') {
      continue;
    }
    hy_json_begin(json, "at", '{');
    add_number(json, "x", at->x);
    add_number(json, "y", at->y);
    add_number(json, "width", at->width);
    add_number(json, "height", at->height);
    add_number(json, "turn", at->turn);
    hy_json_text(json, "icon", at->icon);
    hy_json_text(json, "color", at->color);
    hy_json_end(json, '}');
    return;
  }
}

static void add_words(HyJsonOut *json, const char *key, const char *const *word, guint n)
{
  hy_json_begin(json, key, '[');
  for (guint k = 0; k < n; k++) {
    hy_json_text(json, NULL, word[k]);
  }
  hy_json_end(json, ']');
}

static void add_circuit(HyJsonOut *json, const HyLook *look)
{
  hy_json_begin(json, "circuit", '[');
  for (guint k = 0; k < look->n_parts; k++) {
    const HyLookPart *p = &look->part[k];
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", p->name);
    hy_json_text(json, "kind", p->kind);
    hy_json_text(json, "value", p->value);
    add_words(json, "nodes", p->node, p->n);
    if (p->end != NULL) {
      add_words(json, "ends", p->end, p->n);
    }
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

/* Components ----------------------------------------------------------------------------------- */

static void add_priority(HyJsonOut *json, const HyModel *m, guint component)
{
  gint priority = hy_component(m, component)->priority;
  if (priority != HY_NO_PRIORITY) {
    add_number(json, "priority", priority);
  }
}

/* What is said of a component where it is placed; its object stays open. */
static void open_component(HyJsonOut *json, const HyLoaded *loaded, const HyModel *m, guint k,
                           HyBlockInfo *info)
{
  HyLook around;
  const char *name = hy_model_component_name(m, k);
  hy_loaded_look(loaded, m, &around);
  hy_loaded_block(loaded, m, k, info);
  const HySaid *said = hy_said_find(around.block, around.n_blocks, name);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", name);
  hy_json_text(json, "type", said != NULL ? said->type : NULL);
  hy_json_text(json, "doc", said != NULL ? said->doc : NULL);
  hy_json_text(json, "label", info->label);
  hy_json_text(json, "file", info->file);
  if (info->file != NULL) {
    add_number(json, "line", info->line);
  }
  hy_json_text(json, "formula", info->formula);
  add_priority(json, m, k);
  add_at(json, &around, name);
}

/* States and transitions of a machine, as they are written. */
static void add_machine(HyJsonOut *json, const HyMachine *m)
{
  hy_json_begin(json, "machine", '{');
  hy_json_text(json, "initial", m->state[m->initial].name);
  add_words(json, "variables", m->var, m->n_vars);
  hy_json_begin(json, "states", '[');
  for (guint k = 0; k < m->n_states; k++) {
    const HyMachineState *s = &m->state[k];
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", s->name);
    hy_json_text(json, "label", s->label);
    hy_json_text(json, "doc", s->doc);
    hy_json_text(json, "entry", s->on_entry);
    hy_json_text(json, "exit", s->on_exit);
    hy_json_text(json, "says", s->said);
    add_true(json, "final", s->final);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
  hy_json_begin(json, "transitions", '[');
  for (guint k = 0; k < m->n_transitions; k++) {
    const HyMachineTransition *t = &m->transition[k];
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "from", m->state[t->from].name);
    hy_json_text(json, "to", t->to != HY_STAYS ? m->state[t->to].name : NULL);
    hy_json_text(json, "event", t->event);
    hy_json_text(json, "after", t->after);
    hy_json_text(json, "guard", t->condition);
    hy_json_text(json, "do", t->action);
    hy_json_text(json, "says", t->said);
    add_number(json, "line", t->line);
    add_true(json, "common", t->common);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
  hy_json_end(json, '}');
}

static void add_atomic(HyJsonOut *json, const HyLoaded *loaded, const HyModel *m, guint k)
{
  HyBlockInfo info;
  open_component(json, loaded, m, k, &info);
  hy_json_text(json, "class", hy_model_class(m, k)->name);
  add_number(json, "number", hy_model_number(m, k));
  add_ports(json, m, k, TRUE, NULL, NULL);
  add_ports(json, m, k, FALSE, NULL, info.unit);
  if (hy_machine_of(hy_model_class(m, k)) != NULL) {
    add_machine(json, hy_machine_of(hy_model_class(m, k)));
  }
  hy_json_end(json, '}');
}

/* What a coupled model has inside, up to its components. */
static void open_coupled(HyJsonOut *json, const HyLoaded *loaded, const HyModel *m)
{
  HyLook look;
  hy_loaded_look(loaded, m, &look);
  hy_json_text(json, m->parent == NULL ? "doc" : "about", look.doc);
  add_ports(json, m, HY_SELF, TRUE, &look, NULL);
  add_ports(json, m, HY_SELF, FALSE, &look, NULL);
  add_couplings(json, m);
  if (look.circuit) {
    add_circuit(json, &look);
  }
  hy_json_begin(json, "components", '[');
}

void hy_model_json(const HyLoaded *loaded, GString *out)
{
  g_return_if_fail(loaded != NULL && out != NULL);
  const HyModel *m = hy_loaded_model(loaded);
  HyJsonOut json = {.out = out, .tight = TRUE};
  guint place = 0;
  hy_json_begin(&json, NULL, '{');
  hy_json_count(&json, "trace", 1);
  hy_json_text(&json, "file", hy_loaded_file(loaded));
  hy_json_begin(&json, "model", '{');
  hy_json_text(&json, "name", hy_model_name(m));
  open_coupled(&json, loaded, m);
  while (m != NULL) {
    if (place == m->components.len) {
      hy_json_end(&json, ']');
      hy_json_end(&json, '}');
      place = m->index + 1;
      m = m->parent;
      continue;
    }
    const HyComponent *c = hy_component(m, place);
    if (c->klass != NULL) {
      add_atomic(&json, loaded, m, place++);
    } else {
      HyBlockInfo info;
      open_component(&json, loaded, m, place, &info);
      m = c->u.coupled;
      place = 0;
      open_coupled(&json, loaded, m);
    }
  }
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
