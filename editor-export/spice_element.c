/* One line of a netlist that begins with a letter. */
#include "base/hint.h"
#include "editor-export/spice.h"

#include <string.h>

const char *spice_two_nodes(Spice *s, const SpicePart *p, const SpiceWord **w)
{
  if ((*w)[0].kind != SPICE_WORD || (*w)[1].kind != SPICE_WORD) {
    spice_error(s, p->at, "%s: two nodes are missing behind its name", p->name);
    return NULL;
  }
  const char *a = spice_node(s, p->scope, (*w)[0].text), *b = spice_node(s, p->scope, (*w)[1].text);
  *w += 2;
  return spice_text(s, "%s %s", a, b);
}

xmlNode *spice_place(const SpicePart *p, const char *name, const char *nodes)
{
  xmlNode *node = hy_format_add(p->scope->node, name, p->at->main);
  hy_format_set(node, "name", p->name);
  hy_format_set(node, "nodes", nodes);
  return node;
}

/* NAME= among W; NULL: it is not there. */
static const SpiceWord *stated(const SpiceWord *w, const char *name)
{
  for (; w->kind != SPICE_END; w++) {
    if (spice_is(w, name) && w[1].kind == SPICE_EQUALS) {
      return w + 2;
    }
  }
  return NULL;
}

/* From W on there is nothing but "name = value" with names of KNOWN, blanks between. FALSE:
 * reported. */
static gboolean only_stated(Spice *s, const SpicePart *p, const SpiceWord *w, const char *known)
{
  g_auto(GStrv) names = g_strsplit(known, " ", -1);
  while (w->kind != SPICE_END) {
    g_autofree char *name = spice_lower(w->text);
    if (w->kind != SPICE_WORD || w[1].kind != SPICE_EQUALS || w[2].kind == SPICE_END ||
        !g_strv_contains((const char *const *)names, name)) {
      spice_error(s, p->at, "%s: \"%s\" is not understood here", p->name, w->text);
      return FALSE;
    }
    w += 3;
  }
  return TRUE;
}

/* What .ic says of both nodes of a capacitor; NULL: nothing. */
static const char *start_of(Spice *s, const SpicePart *p)
{
  const char *start[2];
  for (guint k = 0; k < 2; k++) {
    g_autofree char *key = spice_lower(p->w[k].text);
    const char *said = g_hash_table_lookup(p->scope->starts, key);
    start[k] = said != NULL                                              ? said
               : strcmp(spice_node(s, p->scope, p->w[k].text), "0") == 0 ? "0"
                                                                         : NULL;
  }
  gboolean any = g_hash_table_size(p->scope->starts) > 0;
  return !any || start[0] == NULL || start[1] == NULL ? NULL
         : strcmp(start[1], "0") == 0                 ? start[0]
                                      : spice_text(s, "%s - (%s)", start[0], start[1]);
}

/* What .ic says of the current of a coil; NULL: nothing. */
static const char *current_of(const SpicePart *p)
{
  g_autofree char *key = g_strdup_printf("#%s", p->spelled);
  g_autofree char *lower = spice_lower(key);
  return g_hash_table_lookup(p->scope->starts, lower);
}

/* Stray parts of an element, as LTspice has them: Rser, Lser in series, Rpar, Cpar across all. The
 * element's second node becomes one of its own where something is in series. */
static const struct {
  const char *name, *element, *size;
  gboolean series;
} stray[] = {{"rser", "resistor", "R", TRUE},
             {"lser", "inductor", "L", TRUE},
             {"rpar", "resistor", "R", FALSE},
             {"cpar", "capacitor", "C", FALSE}};

const char *spice_stray(Spice *s, const SpicePart *p, const SpiceWord *w, const char *nodes)
{
  g_autofree char *first = g_strndup(nodes, strcspn(nodes, " "));
  const char *last = strchr(nodes, ' ') + 1, *from = NULL;
  for (guint k = 0; k < G_N_ELEMENTS(stray); k++) {
    const SpiceWord *given = stated(w, stray[k].name);
    const char *value = given != NULL ? spice_value(s, p->scope, p->at, given) : NULL;
    double number;
    if (value == NULL || (spice_plain(value, &number) && number == 0.0)) {
      continue;
    }
    xmlNode *node = hy_format_add(p->scope->node, stray[k].element, p->at->main);
    const char *name = spice_text(s, "%s_%s", p->name, stray[k].name);
    hy_format_set(node, "name", spice_unique(s, p->scope, name));
    if (stray[k].series) {
      const char *middle = spice_unique(s, p->scope, spice_text(s, "%s_n", name));
      hy_format_set(node, "nodes", spice_text(s, "%s %s", middle, from != NULL ? from : last));
      from = middle;
    } else {
      hy_format_set(node, "nodes", nodes);
    }
    hy_format_set(node, stray[k].size, value);
  }
  return from != NULL ? spice_text(s, "%s %s", first, from) : nodes;
}

/* The start of a capacitor or coil: IC=, which stands at IC, else what .ic says; NULL: none. */
static const char *state_of(Spice *s, const SpicePart *p, const SpiceWord *ic)
{
  return ic != NULL         ? spice_value(s, p->scope, p->at, ic)
         : p->letter == 'c' ? start_of(s, p)
                            : current_of(p);
}

/* VALUE, of as many side by side as m= among W says. NULL: reported. */
static const char *size_of(Spice *s, const SpicePart *p, const SpiceWord *value, const SpiceWord *w)
{
  if (stated(w, "scale") != NULL) {
    spice_error(s, p->at, "%s: write its size without scale=", p->name);
    return NULL;
  }
  gboolean formula = value->kind == SPICE_WORD && strpbrk(value->text, "*/") != NULL;
  if (formula) { /* R=1k*(1+V(a)) */
    spice_error(s, p->at, "%s: write the formula of its size in braces: {%s...}", p->name,
                value->text);
    return NULL;
  }
  const SpiceWord *many = stated(w, "m");
  const char *text = spice_value(s, p->scope, p->at, value);
  const char *m = many != NULL ? spice_value(s, p->scope, p->at, many) : "1";
  return text == NULL || m == NULL ? NULL
         : many == NULL            ? text
                        : spice_text(s, p->letter == 'c' ? "(%s)*(%s)" : "(%s)/(%s)", text, m);
}

/* R, C, L: the value is a word, or stated by a name: C=1u. */
static void passive(Spice *s, const SpicePart *p)
{
  static const struct {
    char letter;
    const char *element, *size, *start;
  } all[] = {
      {'r', "resistor", "R", NULL}, {'c', "capacitor", "C", "v0"}, {'l', "inductor", "L", "i0"}};
  guint k = p->letter == 'r' ? 0 : p->letter == 'c' ? 1 : 2;
  const SpiceWord *w = p->w;
  const char *nodes = spice_two_nodes(s, p, &w);
  const SpiceWord *size = stated(w, all[k].size), *start = stated(w, "ic");
  if (nodes == NULL) {
    return;
  }
  if (size == NULL && !spice_is_value(p->scope, w)) {
    gboolean model = w->kind == SPICE_WORD && spice_model(p->scope, w->text) != NULL;
    spice_error(s, p->at, "%s: its size %s", p->name,
                model ? "must be a number here, not a model" : "is missing");
    return;
  }
  const SpiceWord *value = size != NULL ? size : w++;
  const char *text = size_of(s, p, value, w);
  if (text == NULL ||
      !only_stated(s, p, w,
                   p->letter == 'r'
                       ? "r ic m tc tc1 tc2 dtemp temp noisy noise scale tol pwr mfg pn type"
                       : "c l ic m tc tc1 tc2 dtemp temp scale tol v irms ipk mfg pn type "
                         "rser lser rpar cpar")) {
    return;
  }
  nodes = spice_stray(s, p, w, nodes);
  if (p->letter == 'l' && spice_coil(s, p, &nodes, text, start != NULL)) {
    return;
  }
  xmlNode *node = spice_place(p, all[k].element, nodes);
  hy_format_set(node, all[k].size, text);
  const char *v0 = k > 0 ? state_of(s, p, start) : NULL;
  if (v0 != NULL) {
    s->live = TRUE;
    hy_format_set(node, all[k].start, v0);
  }
}

/* Subcircuits ---------------------------------------------------------------------------------- */

/* What a subcircuit needs of the parameters of the top; those around get it for that. */
static void pass_globals(const SpicePart *p, const SpiceScope *inside, xmlNode *node)
{
  for (guint k = 0; k < inside->globals->len; k++) {
    gpointer name = g_ptr_array_index(inside->globals, k);
    hy_format_set(node, name, name);
    if (p->scope->around != NULL && !g_ptr_array_find(p->scope->globals, name, NULL)) {
      g_ptr_array_add(p->scope->globals, name);
    }
  }
}

/* The nodes of .global that SCOPE uses and has no port for become ports of it. */
void spice_write_shared(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; scope->around != NULL && k < s->everywhere->len; k++) {
    const char *text = g_ptr_array_index(s->everywhere, k), *name = spice_known_node(scope, text);
    gboolean port = name == NULL || strcmp(name, "0") == 0;
    for (guint n = 0; n < scope->ports->len && !port; n++) {
      port = g_strcmp0(g_ptr_array_index(scope->ports, n), name) == 0;
    }
    if (!port) {
      hy_format_set(hy_format_add(scope->node, "node", scope->at->main), "name", name);
      g_ptr_array_add(scope->shared, hy_key(text));
    }
  }
}

/* Nodes of .global: they have the same name around, down from the top. */
static void join_shared(Spice *s, const SpicePart *p, SpiceScope *inside, xmlNode *node)
{
  for (guint k = 0; k < inside->shared->len; k++) {
    const char *text = g_ptr_array_index(inside->shared, k);
    hy_format_set(node, spice_known_node(inside, text), spice_node(s, p->scope, text));
  }
}

/* "name = value" from W on. */
static void pass_values(Spice *s, const SpicePart *p, const SpiceScope *inside, const SpiceWord *w,
                        xmlNode *node)
{
  while (w->kind != SPICE_END) {
    g_autofree char *key = spice_lower(w->text);
    const SpiceName *name = g_hash_table_lookup(inside->params, key);
    if (w[1].kind != SPICE_EQUALS || name == NULL || name->letter != 'p') {
      spice_error(s, p->at,
                  w[1].kind != SPICE_EQUALS ? "%s: \"%s\" is not understood here"
                                            : "%s: its subcircuit has no parameter \"%s\"",
                  p->name, w->text);
      return;
    }
    const char *value = spice_value(s, p->scope, p->at, w + 2);
    if (value == NULL) {
      return;
    }
    hy_format_set(node, name->name, value);
    w += 3;
  }
}

/* X1 a b c NAME [params:] x=1 */
static void subcircuit(Spice *s, const SpicePart *p)
{
  guint n = 0;
  while (p->w[n].kind == SPICE_WORD && p->w[n + 1].kind != SPICE_EQUALS &&
         !spice_is(&p->w[n], "params:")) {
    n++;
  }
  g_autofree char *key = spice_lower(n > 0 ? p->w[n - 1].text : "");
  SpiceScope *inside = g_hash_table_lookup(s->subcircuits, key);
  if (n == 0 || inside == NULL) {
    spice_error(s, p->at, n == 0 ? "%s: names no subcircuit%s" : "%s: there is no .subckt %s",
                p->name, n == 0 ? "" : p->w[n - 1].text);
    return;
  }
  if (inside->ports->len != n - 1) {
    spice_error(s, p->at, "%s: %s has %u nodes, not %u", p->name, p->w[n - 1].text,
                inside->ports->len, n - 1);
    return;
  }
  if (!spice_write_scope(s, inside)) {
    spice_error(s, p->at, "%s: subcircuit %s is inside itself", p->name, p->w[n - 1].text);
    return;
  }
  xmlNode *node = hy_format_add(p->scope->node, "block", p->at->main);
  hy_format_set(node, "name", p->name);
  hy_format_set(node, "type", inside->name);
  spice_element(p->scope, p->spelled)->inside = inside;
  for (guint k = 0; k + 1 < n; k++) {
    const char *port = g_ptr_array_index(inside->ports, k);
    const char *joined = spice_node(s, p->scope, p->w[k].text);
    if (port != NULL) {
      hy_format_set(node, port, joined);
    } else if (strcmp(joined, "0") != 0) {
      spice_error(s, p->at, "%s: %s is at node 0 of its subcircuit", p->name, p->w[k].text);
    }
  }
  const SpiceWord *w = p->w + n;
  pass_values(s, p, inside, spice_is(w, "params:") ? w + 1 : w, node);
  pass_globals(p, inside, node);
  join_shared(s, p, inside, node);
}

/* All --------------------------------------------------------------------------------------------
 */

static const struct {
  char letter;
  void (*write)(Spice *s, const SpicePart *p);
  const char *refused;
} elements[] = {
    {'r', passive, NULL},
    {'c', passive, NULL},
    {'l', passive, NULL},
    {'k', spice_coupling, NULL},
    {'v', spice_source, NULL},
    {'i', spice_source, NULL},
    {'b', spice_controlled, NULL},
    {'e', spice_controlled, NULL},
    {'f', spice_controlled, NULL},
    {'g', spice_controlled, NULL},
    {'h', spice_controlled, NULL},
    {'s', spice_switch, NULL},
    {'w', spice_switch, NULL},
    {'d', spice_diode, NULL},
    {'x', subcircuit, NULL},
    {'m', NULL,
     "a MOSFET with a model of its physics; write a switch S with Ron and Roff, and a diode D for "
     "its body"},
    {'q', NULL,
     "a bipolar transistor with a model of its physics; write a switch S with Ron and Roff"},
    {'j', NULL, "a JFET with a model of its physics; write a switch S with Ron and Roff"},
    {'z', NULL, "a MESFET with a model of its physics; write a switch S with Ron and Roff"},
    {'t', NULL, "a line without losses, which is a delay; write a chain of L and C"},
    {'o', NULL, "a lossy line; write a chain of R, L and C"},
    {'u', NULL, "an RC line; write a chain of R and C"},
    {'y', NULL, "a lossy line; write a chain of R, L and C"},
    {'p', NULL, "coupled lines; write chains of R, L, C and K"},
    {'a', NULL, "an XSPICE code model"},
    {'n', NULL, "a compiled model"},
};

void spice_write_element(Spice *s, SpiceScope *scope, const SpiceLine *at)
{
  g_autofree SpiceWord *w = spice_words(s, at, at->text);
  char letter = (char)g_ascii_tolower(at->text[0]);
  guint k = 0;
  while (k < G_N_ELEMENTS(elements) && elements[k].letter != letter) {
    k++;
  }
  if (w->kind != SPICE_WORD || k == G_N_ELEMENTS(elements)) {
    spice_error(s, at, "\"%.20s\" begins with no letter of an element", at->text);
    return;
  }
  const SpiceName *name = spice_element(scope, w->text);
  if (name == NULL) {
    return; /* two have this name */
  }
  if (elements[k].write == NULL) {
    spice_error(s, at, "%s is %s", w->text, elements[k].refused);
    return;
  }
  SpicePart p = {.scope = scope,
                 .at = at,
                 .name = name->name,
                 .spelled = w->text,
                 .letter = letter,
                 .w = w + 1};
  elements[k].write(s, &p);
}
