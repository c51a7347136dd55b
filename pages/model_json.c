/* The model tree as one line of JSON: what a trace or a page needs to know before the first
 * message. Models may be thousands deep, so the walk keeps no stack: from a model to the one around
 * it lead its parent and its number there. */
#include "hydevs/pages.h"

#include "atomics/machine/machine.h"
#include "coupled/model_internal.h"

#include <math.h>
#include <string.h>

static void add_key(GString *out, const char *key)
{
  gboolean first = g_str_has_suffix(out->str, "{");
  g_string_append(out, first ? "\"" : ",\"");
  g_string_append(out, key);
  g_string_append(out, "\":");
}

/* Nothing if TEXT is NULL. */
static void add_text(GString *out, const char *key, const char *text)
{
  if (text != NULL) {
    add_key(out, key);
    hy_json_string(out, text);
  }
}

/* Nothing if V is NaN. */
static void add_number(GString *out, const char *key, double v)
{
  if (!isnan(v)) {
    add_key(out, key);
    hy_json_number(out, v);
  }
}

static void add_true(GString *out, const char *key, gboolean v)
{
  if (v) {
    add_key(out, key);
    g_string_append(out, "true");
  }
}

static void add_comma(GString *out)
{
  g_string_append(out, out->str[out->len - 1] == '[' ? "" : ",");
}

/* Ports ---------------------------------------------------------------------------------------- */

static void add_port(GString *out, const char *name, const char *kind, const char *unit,
                     const char *doc)
{
  add_comma(out);
  g_string_append_c(out, '{');
  add_text(out, "name", name);
  add_text(out, "kind", kind);
  add_text(out, "unit", unit);
  add_text(out, "doc", doc);
  g_string_append_c(out, '}');
}

/* Of a component, or of the model itself. LOOK: of the coupled model whose ports they are; NULL: of
 * an atomic. UNIT: of its first output. */
static void add_ports(GString *out, const HyModel *m, guint component, gboolean input,
                      const HyLook *look, const char *unit)
{
  guint n = input ? hy_model_n_in(m, component) : hy_model_n_out(m, component);
  const HyAtomicClass *klass = component != HY_SELF ? hy_model_class(m, component) : NULL;
  add_key(out, input ? "in" : "out");
  g_string_append_c(out, '[');
  for (guint k = 0; k < n; k++) {
    g_autofree char *name =
        input ? hy_model_in_name(m, component, k) : hy_model_out_name(m, component, k);
    if (klass != NULL) {
      guint index;
      const HyPort *p = hy_port_at(input ? klass->in : klass->out, n, k, &index);
      const char *its = !input && k == 0 && unit != NULL ? unit : p->unit;
      add_port(out, name, p->kind == HY_SIGNAL ? "signal" : "event", its, p->doc);
    } else {
      const HySaid *said = hy_said_find(look->port, look->n_ports, name);
      add_port(out, name, NULL, said != NULL ? said->unit : NULL, said != NULL ? said->doc : NULL);
    }
  }
  g_string_append_c(out, ']');
}

/* Couplings ------------------------------------------------------------------------------------ */

/* "G.out"; of the model itself ".in". */
static void add_end(GString *out, const HyModel *m, guint component, guint port, gboolean from)
{
  gboolean out_side = from != (component == HY_SELF);
  g_autofree char *name =
      out_side ? hy_model_out_name(m, component, port) : hy_model_in_name(m, component, port);
  const char *block = component == HY_SELF ? "" : hy_model_component_name(m, component);
  g_autofree char *text = g_strconcat(block, ".", name, NULL);
  hy_json_string(out, text);
}

static void add_targets(GString *out, const HyModel *m, guint component, guint port)
{
  guint slot = hy_slot(m, component, port);
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    add_comma(out);
    g_string_append_c(out, '[');
    add_end(out, m, component, port, TRUE);
    g_string_append_c(out, ',');
    add_end(out, m, m->targets[k].to, m->targets[k].to_port, FALSE);
    g_string_append_c(out, ']');
  }
}

static void add_couplings(GString *out, const HyModel *m)
{
  add_key(out, "couplings");
  g_string_append_c(out, '[');
  for (guint port = 0; port < m->in->len; port++) {
    add_targets(out, m, HY_SELF, port);
  }
  for (guint k = 0; k < m->components.len; k++) {
    for (guint port = 0; port < hy_model_n_out(m, k); port++) {
      add_targets(out, m, k, port);
    }
  }
  g_string_append_c(out, ']');
}

/* <view> and circuits -------------------------------------------------------------------------- */

static void add_at(GString *out, const HyLook *look, const char *name)
{
  gsize length = strcspn(name, "[");
  for (guint k = 0; k < look->n_at; k++) {
    const HyAt *at = &look->at[k];
    if (strncmp(at->block, name, length) != 0 || at->block[length] != '\0') {
      continue;
    }
    add_key(out, "at");
    g_string_append_c(out, '{');
    add_number(out, "x", at->x);
    add_number(out, "y", at->y);
    add_number(out, "width", at->width);
    add_number(out, "height", at->height);
    add_number(out, "turn", at->turn);
    add_text(out, "icon", at->icon);
    add_text(out, "color", at->color);
    g_string_append_c(out, '}');
    return;
  }
}

static void add_words(GString *out, const char *key, const char *const *word, guint n)
{
  add_key(out, key);
  g_string_append_c(out, '[');
  for (guint k = 0; k < n; k++) {
    add_comma(out);
    hy_json_string(out, word[k]);
  }
  g_string_append_c(out, ']');
}

static void add_circuit(GString *out, const HyLook *look)
{
  add_key(out, "circuit");
  g_string_append_c(out, '[');
  for (guint k = 0; k < look->n_parts; k++) {
    const HyLookPart *p = &look->part[k];
    add_comma(out);
    g_string_append_c(out, '{');
    add_text(out, "name", p->name);
    add_text(out, "kind", p->kind);
    add_text(out, "value", p->value);
    add_words(out, "nodes", p->node, p->n);
    if (p->end != NULL) {
      add_words(out, "ends", p->end, p->n);
    }
    g_string_append_c(out, '}');
  }
  g_string_append_c(out, ']');
}

/* Components ----------------------------------------------------------------------------------- */

static void add_priority(GString *out, const HyModel *m, guint component)
{
  gint priority = hy_component(m, component)->priority;
  if (priority != HY_NO_PRIORITY) {
    add_number(out, "priority", priority);
  }
}

/* What is said of a component where it is placed; its object stays open. */
static void open_component(GString *out, const HyLoaded *loaded, const HyModel *m, guint k,
                           HyBlockInfo *info)
{
  HyLook around;
  const char *name = hy_model_component_name(m, k);
  hy_loaded_look(loaded, m, &around);
  hy_loaded_block(loaded, m, k, info);
  const HySaid *said = hy_said_find(around.block, around.n_blocks, name);
  add_comma(out);
  g_string_append_c(out, '{');
  add_text(out, "name", name);
  add_text(out, "type", said != NULL ? said->type : NULL);
  add_text(out, "doc", said != NULL ? said->doc : NULL);
  add_text(out, "label", info->label);
  add_text(out, "file", info->file);
  if (info->file != NULL) {
    add_number(out, "line", info->line);
  }
  add_text(out, "formula", info->formula);
  add_priority(out, m, k);
  add_at(out, &around, name);
}

/* States and transitions of a machine, as they are written. */
static void add_machine(GString *out, const HyMachine *m)
{
  add_key(out, "machine");
  g_string_append_c(out, '{');
  add_text(out, "initial", m->state[m->initial].name);
  add_words(out, "variables", m->var, m->n_vars);
  add_key(out, "states");
  g_string_append_c(out, '[');
  for (guint k = 0; k < m->n_states; k++) {
    const HyMachineState *s = &m->state[k];
    add_comma(out);
    g_string_append_c(out, '{');
    add_text(out, "name", s->name);
    add_text(out, "label", s->label);
    add_text(out, "doc", s->doc);
    add_text(out, "entry", s->on_entry);
    add_text(out, "exit", s->on_exit);
    add_text(out, "says", s->said);
    add_true(out, "final", s->final);
    g_string_append_c(out, '}');
  }
  g_string_append_c(out, ']');
  add_key(out, "transitions");
  g_string_append_c(out, '[');
  for (guint k = 0; k < m->n_transitions; k++) {
    const HyMachineTransition *t = &m->transition[k];
    add_comma(out);
    g_string_append_c(out, '{');
    add_text(out, "from", m->state[t->from].name);
    add_text(out, "to", t->to != HY_STAYS ? m->state[t->to].name : NULL);
    add_text(out, "event", t->event);
    add_text(out, "after", t->after);
    add_text(out, "guard", t->condition);
    add_text(out, "do", t->action);
    add_text(out, "says", t->said);
    add_number(out, "line", t->line);
    add_true(out, "common", t->common);
    g_string_append_c(out, '}');
  }
  g_string_append(out, "]}");
}

static void add_atomic(GString *out, const HyLoaded *loaded, const HyModel *m, guint k)
{
  HyBlockInfo info;
  open_component(out, loaded, m, k, &info);
  add_text(out, "class", hy_model_class(m, k)->name);
  add_number(out, "number", hy_model_number(m, k));
  add_ports(out, m, k, TRUE, NULL, NULL);
  add_ports(out, m, k, FALSE, NULL, info.unit);
  if (hy_machine_of(hy_model_class(m, k)) != NULL) {
    add_machine(out, hy_machine_of(hy_model_class(m, k)));
  }
  g_string_append_c(out, '}');
}

/* What a coupled model has inside, up to its components. */
static void open_coupled(GString *out, const HyLoaded *loaded, const HyModel *m)
{
  HyLook look;
  hy_loaded_look(loaded, m, &look);
  add_text(out, m->parent == NULL ? "doc" : "about", look.doc);
  add_ports(out, m, HY_SELF, TRUE, &look, NULL);
  add_ports(out, m, HY_SELF, FALSE, &look, NULL);
  add_couplings(out, m);
  if (look.circuit) {
    add_circuit(out, &look);
  }
  add_key(out, "components");
  g_string_append_c(out, '[');
}

void hy_model_json(const HyLoaded *loaded, GString *out)
{
  g_return_if_fail(loaded != NULL && out != NULL);
  const HyModel *m = hy_loaded_model(loaded);
  guint place = 0;
  g_string_append_c(out, '{');
  add_number(out, "trace", 1);
  add_text(out, "file", hy_loaded_file(loaded));
  add_key(out, "model");
  g_string_append_c(out, '{');
  add_text(out, "name", hy_model_name(m));
  open_coupled(out, loaded, m);
  while (m != NULL) {
    if (place == m->components.len) {
      g_string_append(out, "]}");
      place = m->index + 1;
      m = m->parent;
      continue;
    }
    const HyComponent *c = hy_component(m, place);
    if (c->klass != NULL) {
      add_atomic(out, loaded, m, place++);
    } else {
      HyBlockInfo info;
      open_component(out, loaded, m, place, &info);
      m = c->u.coupled;
      place = 0;
      open_coupled(out, loaded, m);
    }
  }
  g_string_append(out, "}\n");
}
