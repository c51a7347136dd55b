/* The ports and variables of a machine.
 *
 * An attribute of the machine that is no fixed word is an input, as of a function, unless an <in>
 * has declared it; one that an <on> names takes events, every other one a signal. Without an <out>
 * there is one output, called out. One that a state says is a signal, else it carries events. */
#include "language/env.h"
#include "language/machine_read.h"
#include "language/names.h"
#include <string.h>

static const char *text_of(const MachineReading *r, const HyElement *x, guint16 word)
{
  return hy_text_of(r->file, x, word);
}

/* Ports and variables -------------------------------------------------------------------------- */

/* What formulas of every machine know; an input or variable of that name would hide it. */
static gboolean is_own_word(const char *name)
{
  return strcmp(name, HY_TIME) == 0 || strcmp(name, "elapsed") == 0 || strcmp(name, "random") == 0;
}

/* FALSE: there is one. A word of every machine is reported, and taken all the same. */
static gboolean name_is_free(MachineReading *r, const char *name, guint line)
{
  if (hy_machine_find_port(r->in, name) != G_MAXUINT || hy_machine_find_var(r, name) != G_MAXUINT) {
    hy_machine_complain(r->l, r->e, line, "this machine has two inputs or variables called \"%s\"",
                        name);
    return FALSE;
  }
  if (is_own_word(name)) {
    hy_machine_complain(
        r->l, r->e, line,
        "\"%s\" is what formulas of every machine know, and no name for an input or "
        "variable",
        name);
  }
  return TRUE;
}

static void add_port(const MachineReading *r, GArray *ports, const char *name, const HyElement *x)
{
  const char *kind = x != NULL ? text_of(r, x, HY_W_KIND) : NULL;
  HyPort p = {.name = hy_machine_keep(r, name), .kind = HY_SIGNAL};
  if (x != NULL) {
    p.unit = hy_machine_keep(r, text_of(r, x, HY_W_UNIT));
    p.doc = hy_machine_keep(r, text_of(r, x, HY_W_DOC));
    p.kind = kind != NULL && strcmp(kind, "event") == 0 ? HY_EVENT : HY_SIGNAL;
  }
  g_array_append_val(ports, p);
}

/* What ports of other models may have, and those of a machine have not. */
static void refuse_port_words(MachineReading *r, const HyElement *x)
{
  static const guint16 words[] = {HY_W_COUNT, HY_W_INDEX, HY_W_IF, HY_W_FROM};
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    const HyAttribute *a = hy_attribute_find(r->tree, x, words[k]);
    if (a != NULL) {
      hy_machine_complain(r->l, r->e, a->line,
                          "a port of a machine has no %s=", hy_words[words[k]]);
    }
  }
}

void hy_machine_inputs(MachineReading *r, const HyElement *x)
{
  for (guint32 k = hy_machine_child(r, x->child, HY_W_IN); k != 0; k = hy_machine_next(r, k)) {
    const HyElement *in = hy_element(r->tree, k);
    const char *name = text_of(r, in, HY_W_NAME);
    refuse_port_words(r, in);
    if (name_is_free(r, name, in->line)) {
      add_port(r, r->in, name, in);
    }
  }
  for (guint32 k = 0; k < x->n_attributes; k++) {
    const HyAttribute *a = hy_attribute(r->tree, x, k);
    const char *name = hy_tree_name(r->tree, a->name);
    if (!hy_is_fixed(a->name, FALSE) && a->name != HY_W_INITIAL &&
        hy_machine_find_port(r->in, name) == G_MAXUINT && name_is_free(r, name, a->line)) {
      add_port(r, r->in, name, NULL);
    }
  }
  if (hy_machine_find_port(r->in, HY_MACHINE_READS) != G_MAXUINT) {
    hy_machine_complain(r->l, r->e, x->line,
                        "\"" HY_MACHINE_READS "\" is no name for an input of a machine");
  }
}

/* A word of the elements in a machine; no output may be called so. */
static gboolean is_word(const char *name)
{
  static const guint16 elements[] = {HY_W_ON, HY_W_AFTER, HY_W_WHEN, HY_W_STATE};
  for (guint k = 0; k < G_N_ELEMENTS(elements); k++) {
    const HyElementRule *rule =
        hy_element_rule_in(elements[k], HY_IN_MACHINE | HY_IN_MACHINE_STATE);
    for (guint i = 0; i < rule->n; i++) {
      if (strcmp(hy_words[rule->attributes[i].word], name) == 0) {
        return TRUE;
      }
    }
  }
  return strcmp(name, "label") == 0 || strcmp(name, "doc") == 0;
}

void hy_machine_outputs(MachineReading *r, const HyElement *x)
{
  for (guint32 k = hy_machine_child(r, x->child, HY_W_OUT); k != 0; k = hy_machine_next(r, k)) {
    const HyElement *out = hy_element(r->tree, k);
    const char *name = text_of(r, out, HY_W_NAME);
    refuse_port_words(r, out);
    if (is_word(name)) {
      hy_machine_complain(
          r->l, r->e, out->line,
          "\"%s\" is an attribute of states or transitions and no name for an output", name);
    } else if (hy_machine_find_port(r->out, name) != G_MAXUINT) {
      hy_machine_complain(r->l, r->e, out->line, "this machine has two outputs called \"%s\"",
                          name);
    } else {
      add_port(r, r->out, name, out);
    }
  }
  if (r->out->len == 0) {
    add_port(r, r->out, "out", NULL);
  }
}

/* Something else that is seen where the machine stands; NULL: nothing. */
const Entry *hy_machine_other(const MachineReading *r, const char *name)
{
  for (const Define *d = r->e->define; d != NULL; d = d->around) {
    const Entry *other = g_hash_table_lookup(d->inner, name);
    if (other != NULL && (d == r->e->define || hy_is_value(other))) {
      return other;
    }
  }
  return NULL;
}

void hy_machine_variables(MachineReading *r, const HyElement *x)
{
  for (guint32 k = hy_machine_child(r, x->child, HY_W_VAR); k != 0; k = hy_machine_next(r, k)) {
    const HyElement *v = hy_element(r->tree, k);
    const char *name = text_of(r, v, HY_W_NAME);
    const HyAttribute *value = hy_attribute_find(r->tree, v, HY_W_VALUE);
    const Entry *other = hy_machine_other(r, hy_formula_pool_name(r->l->pool, name));
    if (other != NULL) {
      hy_machine_complain(r->l, r->e, v->line,
                          "variable \"%s\": this name is already taken by the %s in line %u", name,
                          hy_entry_what(other), other->line);
    } else if (name_is_free(r, name, v->line)) {
      guint part = hy_machine_part(r, value, name, value != NULL ? value->value : "0",
                                   (MachineSource){.constant = TRUE});
      g_ptr_array_add(r->var, hy_key(hy_machine_keep(r, name)));
      g_array_append_val(r->var_part, part);
    }
  }
}

/* The input that E names; G_MAXUINT: reported. */
guint hy_machine_event(MachineReading *r, const HyAttribute *a)
{
  guint k = hy_machine_find_port(r->in, a->value);
  if (k == G_MAXUINT) {
    HyNearest nearest = {.word = a->value};
    g_autoptr(GString) list = g_string_new(NULL);
    hy_machine_offer(r->in, &nearest, list);
    g_autofree char *hint = hy_did_you_mean_long(nearest.best);
    hy_machine_complain(r->l, r->e, a->line, "there is no input \"%s\" (inputs: %s)%s", a->value,
                        list->len > 0 ? list->str : "none", hint);
  } else {
    g_array_index(r->in, HyPort, k).kind = HY_EVENT;
  }
  return k;
}

/* What is known of outputs once all states are: those that a state says are signals, and known from
 * the start on. */
void hy_machine_judge_outputs(MachineReading *r, const HyElement *x)
{
  const HyMachineState *initial = &g_array_index(r->state, HyMachineState, r->m->initial);
  for (guint port = 0; port < r->out->len; port++) {
    HyPort *p = &g_array_index(r->out, HyPort, port);
    gboolean state = FALSE, first = FALSE, any = FALSE, stated = FALSE;
    for (guint k = 0; k < r->act->len; k++) {
      const HyMachineAct *a = &g_array_index(r->act, HyMachineAct, k);
      any |= a->says && a->target == port;
      first |= a->says && a->target == port && k >= initial->entry.first &&
               k < initial->entry.first + initial->entry.n;
    }
    for (guint k = 0; k < r->state->len; k++) {
      const HyMachineState *s = &g_array_index(r->state, HyMachineState, k);
      for (guint i = s->entry.first; i < s->entry.first + s->entry.n; i++) {
        const HyMachineAct *a = &g_array_index(r->act, HyMachineAct, i);
        state |= a->says && a->target == port;
      }
    }
    for (guint32 k = hy_machine_child(r, x->child, HY_W_OUT); k != 0; k = hy_machine_next(r, k)) {
      const HyElement *out = hy_element(r->tree, k);
      stated |=
          strcmp(text_of(r, out, HY_W_NAME), p->name) == 0 && text_of(r, out, HY_W_KIND) != NULL;
    }
    p->kind = stated ? p->kind : state ? HY_SIGNAL : HY_EVENT;
    if (p->kind == HY_SIGNAL && any && !first) {
      hy_machine_complain(
          r->l, r->e, initial->line,
          "output \"%s\" has no value at the start: say it in state %s, or make it kind=\"event\"",
          p->name, initial->name);
    } else if (!any && hy_machine_child(r, x->child, HY_W_OUT) != 0) {
      hy_machine_warn(r->l, r->e, x->line, "nothing is said at output \"%s\"", p->name);
    }
  }
}
