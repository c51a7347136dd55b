/* What a machine does and says: formulas, assignments, attributes that are outputs. */
#include "language/machine_read.h"
#include <string.h>

guint hy_machine_find_port(const GArray *ports, const char *name)
{
  for (guint k = 0; k < ports->len; k++) {
    if (strcmp(g_array_index(ports, HyPort, k).name, name) == 0) {
      return k;
    }
  }
  return G_MAXUINT;
}

guint hy_machine_find_var(const MachineReading *r, const char *name)
{
  for (guint k = 0; k < r->var->len; k++) {
    if (strcmp(g_ptr_array_index(r->var, k), name) == 0) {
      return k;
    }
  }
  return G_MAXUINT;
}

void hy_machine_offer(const GArray *ports, HyNearest *nearest, GString *list)
{
  for (guint k = 0; k < ports->len; k++) {
    const HyPort *p = &g_array_index(ports, HyPort, k);
    hy_nearest_offer(nearest, p->name);
    hy_list_word(list, p->name);
  }
}

/* Formulas ------------------------------------------------------------------------------------- */

/* TEXT, of ATTRIBUTE, which messages call WHAT; its number. */
guint hy_machine_part(MachineReading *r, const HyAttribute *attribute, const char *what,
                      const char *text, MachineSource source)
{
  source.attribute = attribute;
  source.text = hy_machine_keep(r, text);
  g_autofree char *shown = g_strdup_printf("%s=\"%s\"", what, text);
  HyMachinePart part = {
      .what = hy_machine_keep(r, what), .text = hy_machine_keep(r, shown), .state = r->at};
  g_array_append_val(r->said->source, source);
  g_array_append_val(r->part, part);
  return r->part->len - 1;
}

/* The "=" of an assignment; NULL: none. */
static char *find_equals(char *text)
{
  for (char *c = text; (c = strchr(c, '=')) != NULL; c += c[1] == '=' ? 2 : 1) {
    if (c[1] != '=' && (c == text || strchr("<>!=", c[-1]) == NULL)) {
      return c;
    }
  }
  return NULL;
}

static void add_assignment(MachineReading *r, const HyAttribute *a, char *text)
{
  const char *what = hy_tree_name(r->tree, a->name);
  char *equals = find_equals(text);
  if (equals == NULL) {
    hy_machine_complain(
        r->l, r->e, a->line,
        "%s=\"%s\" assigns nothing; write %s=\"variable = formula\", and \";\" between several",
        what, g_strstrip(text), what);
    return;
  }
  *equals = '\0';
  const char *name = g_strstrip(text);
  guint var = hy_machine_find_var(r, name);
  if (var == G_MAXUINT) {
    HyNearest nearest = {.word = name};
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint k = 0; k < r->var->len; k++) {
      hy_nearest_offer(&nearest, g_ptr_array_index(r->var, k));
      hy_list_word(list, g_ptr_array_index(r->var, k));
    }
    g_autofree char *hint = hy_did_you_mean(nearest.best);
    hy_machine_complain(r->l, r->e, a->line,
                        "%s: this machine has no variable \"%s\" (variables: %s)%s", what, name,
                        list->len > 0 ? list->str : "none", hint);
    return;
  }
  HyMachineAct act = {.target = var};
  act.part = hy_machine_part(r, a, name, g_strstrip(equals + 1), (MachineSource){0});
  g_array_append_val(r->act, act);
}

/* "n = n + 1; m = 0" of attribute WORD, behind what there is. */
const char *hy_machine_assignments(MachineReading *r, const HyElement *x, guint16 word,
                                   HyMachineActs *acts)
{
  const HyAttribute *a = hy_attribute_find(r->tree, x, word);
  if (a == NULL) {
    acts->n = r->act->len - acts->first;
    return NULL;
  }
  g_auto(GStrv) each = g_strsplit(a->value, ";", -1);
  for (char **text = each; *text != NULL; text++) {
    if (*g_strstrip(*text) != '\0') {
      add_assignment(r, a, *text);
    }
  }
  acts->n = r->act->len - acts->first;
  return hy_machine_keep(r, a->value);
}

/* Attributes that are outputs, in the order of those; all others must be in the rule of X. Returns
 * what a drawing writes, NULL: nothing is said. */
const char *hy_machine_words(MachineReading *r, const HyElement *x, const char *who,
                             HyMachineActs *acts)
{
  const HyElementRule *rule = hy_element_rule_in(x->name, HY_IN_MACHINE | HY_IN_MACHINE_STATE);
  g_autoptr(GString) drawn = g_string_new(NULL);
  for (guint k = 0; k < r->out->len; k++) {
    HyPort *p = &g_array_index(r->out, HyPort, k);
    guint16 name = hy_tree_find_name(r->tree, p->name);
    const HyAttribute *a = name != HY_NO_NAME ? hy_attribute_find(r->tree, x, name) : NULL;
    if (a != NULL) {
      HyMachineAct act = {.says = TRUE, .target = k};
      act.part = hy_machine_part(r, a, p->name, a->value, (MachineSource){0});
      g_array_append_val(r->act, act);
      g_string_append_printf(drawn, "%s%s!%s", drawn->len > 0 ? ", " : "", p->name, a->value);
    }
  }
  for (guint32 k = 0; k < x->n_attributes; k++) {
    const HyAttribute *a = hy_attribute(r->tree, x, k);
    gboolean known = a->name == HY_W_LABEL || a->name == HY_W_DOC;
    for (guint i = 0; i < rule->n; i++) {
      known = known || rule->attributes[i].word == a->name;
    }
    if (!known && hy_machine_find_port(r->out, hy_tree_name(r->tree, a->name)) == G_MAXUINT) {
      HyNearest nearest = {.word = hy_tree_name(r->tree, a->name)};
      g_autoptr(GString) list = g_string_new(NULL);
      hy_machine_offer(r->out, &nearest, list);
      for (guint i = 0; i < rule->n; i++) {
        hy_nearest_offer(&nearest, hy_words[rule->attributes[i].word]);
      }
      g_autofree char *hint = hy_did_you_mean_long(nearest.best);
      hy_machine_complain(
          r->l, r->e, a->line,
          "%s has no attribute \"%s\", and this machine no such output (outputs: %s)%s", who,
          nearest.word, list->str, hint);
    }
  }
  acts->n = r->act->len - acts->first;
  return drawn->len > 0 ? hy_machine_keep(r, drawn->str) : NULL;
}
