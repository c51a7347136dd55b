/* Couplings. Coils whose coupling is 1 or -1 have one flux: v1 = L1 d(i1 + i2/n)/dt and v2 = v1/n
 * with n = sqrt(L1/L2), so the first of them, the core, keeps its inductance, and the others are
 * ideal transformers across it. What flows into the core is then more than its own current: a
 * source of 0 V measures it. */
#include "editor-export/spice.h"

#include <math.h>
#include <string.h>

/* The coil that W names in SCOPE; NULL: there is none. */
static SpiceName *coil_of(SpiceScope *scope, const SpiceWord *w)
{
  SpiceName *coil = w->kind == SPICE_WORD ? spice_element(scope, w->text) : NULL;
  return coil != NULL && coil->letter == 'l' ? coil : NULL;
}

/* The core that COIL is a winding of, or COIL; *TURNED: against it. */
static SpiceName *core_of(SpiceName *coil, gboolean *turned)
{
  *turned = FALSE;
  for (; coil->core != NULL; coil = coil->core) {
    *turned = *turned != coil->turned;
  }
  return coil;
}

/* How many coils W names before its last word, the coupling. */
static guint count_coils(const SpiceWord *w)
{
  guint n = 0;
  while (w[n].kind == SPICE_WORD && w[n + 1].kind != SPICE_END) {
    n++;
  }
  return n;
}

static gboolean is_ideal(const SpiceWord *w, gboolean *negative)
{
  double k;
  gboolean ideal = spice_plain(w->text, &k) && fabs(k) == 1.0;
  *negative = ideal && k < 0;
  return ideal;
}

static void join(SpiceName *a, SpiceName *b, gboolean negative)
{
  gboolean a_turned, b_turned;
  SpiceName *core = core_of(a, &a_turned), *other = core_of(b, &b_turned);
  if (core != other) {
    other->core = core;
    other->turned = negative != (a_turned != b_turned);
    core->has_windings = TRUE;
  }
}

/* Formulas may read currents before the coils are written. */
static void name_currents(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    g_autofree char *word = g_strndup(l->text, strcspn(l->text, " \t(,="));
    SpiceName *coil = spice_element(scope, word);
    if (coil != NULL && coil->core != NULL) {
      coil->current = spice_text(s, "%s.i[2]", coil->name);
    } else if (coil != NULL && coil->has_windings && coil->sensor == NULL) {
      coil->sensor = spice_unique(s, scope, spice_text(s, "%s_sense", coil->name));
      coil->current = spice_text(s, "%s.i", coil->sensor);
    }
  }
}

void spice_find_cores(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (g_ascii_tolower(l->text[0]) != 'k') {
      continue;
    }
    gboolean negative;
    g_autofree SpiceWord *w = spice_words(s, l, l->text);
    guint n = w->kind == SPICE_WORD ? count_coils(w + 1) : 0;
    for (guint c = 1; c < n && is_ideal(&w[1 + n], &negative); c++) {
      SpiceName *first = coil_of(scope, &w[1]), *other = coil_of(scope, &w[1 + c]);
      if (first != NULL && other != NULL) {
        join(first, other, negative);
      }
    }
  }
  name_currents(s, scope);
}

static void place_winding(Spice *s, const SpicePart *p, SpiceName *coil, const char *nodes,
                          const char *size)
{
  gboolean turned;
  const SpiceName *core = core_of(coil, &turned);
  if (core->nodes == NULL) {
    return; /* reported */
  }
  const char *blank = strchr(core->nodes, ' ');
  const char *across =
      turned ? spice_text(s, "%s %.*s", blank + 1, (int)(blank - core->nodes), core->nodes)
             : core->nodes;
  xmlNode *node = spice_place(p, "transformer", spice_text(s, "%s %s", across, nodes));
  hy_format_set(node, "ratio", spice_text(s, "sqrt((%s)/(%s))", core->size, size));
}

/* Puts a source of 0 V before *NODES. */
static void place_sensor(Spice *s, const SpicePart *p, const char *name, const char **nodes)
{
  const char *inner = spice_unique(s, p->scope, spice_text(s, "%s_sensed", p->name));
  g_autofree char *first = g_strndup(*nodes, strcspn(*nodes, " "));
  xmlNode *node = spice_place(p, "voltage", spice_text(s, "%s %s", first, inner));
  hy_format_set(node, "name", name);
  hy_format_set(node, "value", "0");
  *nodes = spice_text(s, "%s%s", inner, strchr(*nodes, ' '));
}

gboolean spice_coil(Spice *s, const SpicePart *p, const char **nodes, const char *size,
                    gboolean starts)
{
  SpiceName *coil = spice_element(p->scope, p->spelled);
  if (coil->core != NULL) {
    if (starts) {
      spice_error(s, p->at,
                  "%s: IC= is of a coil that is coupled by 1 to another; state the whole, "
                  "i1 + i2 sqrt(L2/L1), of the first one",
                  p->name);
    }
    place_winding(s, p, coil, *nodes, size);
    return TRUE;
  }
  if (coil->has_windings) {
    place_sensor(s, p, coil->sensor, nodes);
    coil->nodes = *nodes;
    coil->size = size;
  }
  return FALSE;
}

/* K1 L1 L2 0.99 */
void spice_coupling(Spice *s, const SpicePart *p)
{
  g_autoptr(GString) coils = g_string_new(NULL);
  const SpiceWord *w = p->w;
  guint n = count_coils(w);
  gboolean negative, ideal = n > 1 && is_ideal(&w[n], &negative);
  for (guint c = 0; c < n; c++) {
    const SpiceName *coil = coil_of(p->scope, &w[c]);
    if (coil == NULL) {
      spice_error(s, p->at, "%s: there is no inductor \"%s\"", p->name, w[c].text);
      return;
    }
    if (!ideal && coil->core != NULL) {
      spice_error(s, p->at, "%s: %s is one with %s by a coupling of 1; couple that one", p->name,
                  coil->name, coil->core->name);
      return;
    }
    g_string_append_printf(coils, "%s%s", c > 0 ? " " : "", coil->name);
  }
  const char *k = n > 1 ? spice_value(s, p->scope, p->at, &w[n]) : NULL;
  double factor;
  if (n < 2) {
    spice_error(s, p->at, "%s: two inductors and a coupling are missing", p->name);
  } else if (!ideal && k != NULL && !(spice_plain(k, &factor) && factor == 0.0)) {
    xmlNode *node = hy_format_add(p->scope->node, "coupling", p->at->main);
    g_autoptr(GString) each = g_string_new(k);
    for (guint pair = 1; pair < n * (n - 1) / 2; pair++) {
      g_string_append_printf(each, ", %s", k);
    }
    hy_format_set(node, "name", p->name);
    hy_format_set(node, "inductors", coils->str);
    hy_format_set(node, "k", each->str);
  }
}
