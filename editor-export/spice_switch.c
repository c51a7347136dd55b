/* Switches and diodes, as ideal ones.
 *
 * A switch is on above vt + vh and off below vt - vh of what controls it, in between as it was. A
 * diode with Ron, Roff or Vfwd has these. One of Shockley's equation, i = is (exp(v/(n vT)) - 1)
 * behind rs, has the line that touches it at 1 A: vf = n vT (log(1/is) - 1), Ron = n vT + rs; one
 * that breaks through at bv has a second one in the other direction with that drop. Where .options
 * asks for exponential ones, the curve itself is taken. */
#include "base/hint.h"
#include "editor-export/spice.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define THERMAL 0.025864186 /* k T/q at 300.15 K */

static gboolean is_zero(const char *value)
{
  double number;
  return spice_plain(value, &number) && number == 0.0;
}

/* Numbers -------------------------------------------------------------------------------------- */

static const char *number_text(Spice *s, double v)
{
  char buffer[HY_DOUBLE_SIZE];
  g_autofree char *four = g_strdup_printf("%.4g", v);
  return g_string_chunk_insert_const(s->strings,
                                     hy_double_text(buffer, g_ascii_strtod(four, NULL)));
}

/* A number of a model, which must be one. FALSE: reported. */
static gboolean model_number(Spice *s, SpiceScope *scope, const SpiceModel *m, const char *name,
                             const char *other, double *v)
{
  if (spice_plain(spice_model_value(s, scope, m, name, other), v)) {
    return TRUE;
  }
  spice_error(s, m->at, "model %s: %s must be a number here", m->name, name);
  return FALSE;
}

/* Switches ------------------------------------------------------------------------------------- */

/* A hysteresis that is INPUT's, with what it is called. It begins low, so that of a switch that
 * begins ON is turned round. */
static const char *add_hysteresis(Spice *s, const SpicePart *p, const char *input, const char *vt,
                                  const char *vh, gboolean on)
{
  const char *name = spice_unique(s, p->scope, spice_text(s, "%s_control", p->name));
  xmlNode *node = hy_format_add(p->scope->node, "block", p->at->main);
  hy_format_set(node, "type", "hysteresis");
  hy_format_set(node, "name", name);
  hy_format_set(node, "in", on ? spice_text(s, "-(%s)", input) : input);
  hy_format_set(node, "lower", spice_text(s, on ? "-(%s) - (%s)" : "%s - (%s)", vt, vh));
  hy_format_set(node, "upper", spice_text(s, on ? "-(%s) + (%s)" : "%s + %s", vt, vh));
  hy_format_set(node, "low", on ? "1" : "0");
  hy_format_set(node, "high", on ? "0" : "1");
  return name;
}

/* What controls it, and *W behind that; NULL: reported. */
static const char *control_of(Spice *s, const SpicePart *p, const SpiceWord **w)
{
  gboolean voltage = p->letter == 's';
  g_autofree char *text = NULL;
  if ((*w)[0].kind != SPICE_WORD || (voltage && (*w)[1].kind != SPICE_WORD)) {
    spice_error(s, p->at, "%s: what controls it is missing", p->name);
    return NULL;
  }
  text = voltage ? g_strdup_printf("v(%s,%s)", (*w)[0].text, (*w)[1].text)
                 : g_strdup_printf("i(%s)", (*w)[0].text);
  *w += voltage ? 2 : 1;
  return spice_formula(s, p->scope, p->at, text);
}

/* One that conducts less when it is "on" is a switch that is turned round. */
static void set_resistances(xmlNode *node, const char *ron, const char *roff, const char *control,
                            Spice *s)
{
  double a, b;
  gboolean turned = spice_plain(ron, &a) && spice_plain(roff, &b) && a > b;
  hy_format_set(node, "control", turned ? spice_text(s, "not (%s)", control) : control);
  hy_format_set(node, "Ron", turned ? roff : ron);
  hy_format_set(node, "Roff", turned ? ron : roff);
}

/* Parameters of a model that are not in KNOWN are told. FALSE: there are such. */
static gboolean only_known(Spice *s, const SpiceModel *m, const char *const *known)
{
  GHashTableIter at;
  gpointer key;
  gboolean all = TRUE;
  g_hash_table_iter_init(&at, m->values);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  while (g_hash_table_iter_next(&at, &key, NULL)) {
    if (!g_strv_contains(known, key)) {
      g_ptr_array_add(names, key);
      all = FALSE;
    }
  }
  if (!all) {
    const char *first = g_ptr_array_index(names, 0);
    for (guint k = 1; k < names->len; k++) {
      const char *name = g_ptr_array_index(names, k);
      first = strcmp(name, first) < 0 ? name : first;
    }
    spice_error(s, m->at, "model %s: a %s with \"%s\" is not known here", m->name, m->type, first);
  }
  return all;
}

/* Of PSpice: on above von, off below voff, or the other way round. */
static void two_levels(Spice *s, const SpicePart *p, const SpiceModel *m, const char *nodes,
                       const char *input)
{
  gboolean voltage = p->letter == 's';
  double on, off;
  if (!model_number(s, p->scope, m, voltage ? "von" : "ion", "1", &on) ||
      !model_number(s, p->scope, m, voltage ? "voff" : "ioff", "0", &off)) {
    return;
  }
  const char *vt = number_text(s, fmin(on, off) / 2 + fmax(on, off) / 2);
  const char *vh = number_text(s, fabs(on - off) / 2);
  const char *high = add_hysteresis(s, p, input, vt, vh, FALSE);
  set_resistances(spice_place(p, "ideal_switch", nodes),
                  spice_model_value(s, p->scope, m, "ron", "1"),
                  spice_model_value(s, p->scope, m, "roff", "1e6"),
                  on > off ? high : spice_text(s, "not (%s)", high), s);
}

void spice_switch(Spice *s, const SpicePart *p)
{
  static const char *const known[] = {"vt",  "vh",   "it",  "ih",   "ron", "roff",
                                      "von", "voff", "ion", "ioff", NULL};
  const SpiceWord *w = p->w;
  gboolean voltage = p->letter == 's';
  const char *nodes = spice_two_nodes(s, p, &w);
  const char *input = nodes != NULL ? control_of(s, p, &w) : NULL;
  const SpiceModel *m =
      input != NULL ? spice_model_of(s, p->scope, p->at, w, voltage ? "sw vswitch" : "csw iswitch")
                    : NULL;
  if (m == NULL || !only_known(s, m, known)) {
    return;
  }
  if (g_hash_table_contains(m->values, "von") || g_hash_table_contains(m->values, "ion")) {
    two_levels(s, p, m, nodes, input);
    return;
  }
  double band;
  const char *vt = spice_model_value(s, p->scope, m, voltage ? "vt" : "it", "0");
  const char *vh = spice_model_value(s, p->scope, m, voltage ? "vh" : "ih", "0");
  if (spice_plain(vh, &band) && band < 0) {
    if (g_hash_table_add(s->noted, hy_key(m))) {
      spice_warning(s, m->at,
                    "model %s: a band below 0 means a switch that turns little by little; here it "
                    "turns at %s",
                    m->name, vt);
    }
    vh = "0";
  }
  const char *control = is_zero(vh) ? spice_text(s, "%s > %s", input, vt)
                                    : add_hysteresis(s, p, input, vt, vh, spice_is(w + 1, "on"));
  set_resistances(spice_place(p, "ideal_switch", nodes),
                  spice_model_value(s, p->scope, m, "ron", "1"),
                  spice_model_value(s, p->scope, m, "roff", "1e12"), control, s);
}

/* Diodes --------------------------------------------------------------------------------------- */

/* What is told once of each model that is no straight line. */
static void note_tangent(Spice *s, const SpiceModel *m, const char *vf, const char *ron)
{
  if (g_hash_table_add(s->noted, hy_key(m))) {
    spice_warning(s, m->at,
                  "model %s is an ideal diode here, Vf=%s V and Ron=%s Ohm: the line that touches "
                  "its curve at 1 A, without capacitances; D(Ron= Roff= Vfwd=) states another",
                  m->name, vf, ron);
  }
}

/* Of Shockley's equation, for AREA diodes side by side. FALSE: reported. */
static gboolean diode_numbers(Spice *s, const SpicePart *p, const SpiceModel *m, double area,
                              double *is, double *n, double *rs)
{
  if (!model_number(s, p->scope, m, "is", "1e-14", is) ||
      !model_number(s, p->scope, m, "n", "1", n) || !model_number(s, p->scope, m, "rs", "0", rs)) {
    return FALSE;
  }
  *is *= area;
  *rs /= area;
  if (!(*is > 0 && *n > 0 && *rs >= 0)) {
    spice_error(s, m->at, "model %s: is and n must be above 0, rs not below", m->name);
    return FALSE;
  }
  return TRUE;
}

static gboolean tangent(Spice *s, const SpicePart *p, const SpiceModel *m, double area,
                        const char **vf, const char **ron)
{
  double is, n, rs;
  if (!diode_numbers(s, p, m, area, &is, &n, &rs)) {
    return FALSE;
  }
  *vf = number_text(s, fmax(n * THERMAL * (log(1 / is) - 1), 0.0));
  *ron = number_text(s, n * THERMAL + rs);
  if (!s->exponential) {
    note_tangent(s, m, *vf, *ron);
  }
  return TRUE;
}

/* The curve itself. */
static void place_curve(Spice *s, const SpicePart *p, const SpiceModel *m, double area,
                        const char *nodes)
{
  double is, n, rs, cj;
  const char *name = g_hash_table_contains(m->values, "cjo") ? "cjo" : "cj0";
  if (!diode_numbers(s, p, m, area, &is, &n, &rs) ||
      !model_number(s, p->scope, m, name, "0", &cj)) {
    return;
  }
  xmlNode *node = spice_place(p, "exponential_diode", nodes);
  hy_format_set(node, "Is", number_text(s, is));
  hy_format_set(node, "n", number_text(s, n));
  if (rs > 0) {
    hy_format_set(node, "Rs", number_text(s, rs));
  }
  hy_format_set(node, "Roff", "1T"); /* gmin of SPICE */
  if (cj > 0) {
    hy_format_set(node, "Cj", number_text(s, cj * area));
  }
}

static gboolean has(const SpiceModel *m, const char *name)
{
  return g_hash_table_contains(m->values, name);
}

static void place_diode(const SpicePart *p, const char *name, const char *nodes, const char *ron,
                        const char *roff, const char *vf)
{
  xmlNode *node = spice_place(p, "ideal_diode", nodes);
  hy_format_set(node, "name", name);
  hy_format_set(node, "Ron", ron);
  hy_format_set(node, "Roff", roff);
  if (!is_zero(vf)) {
    hy_format_set(node, "Vf", vf);
  }
}

/* bv, vrev: a diode in the other direction. */
static void breakdown(Spice *s, const SpicePart *p, const SpiceModel *m, const char *nodes,
                      const char *ron, const char *roff)
{
  const char *name = has(m, "bv") ? "bv" : has(m, "vrev") ? "vrev" : "vb";
  if (has(m, name)) {
    const char *blank = strchr(nodes, ' ');
    g_autofree char *first = g_strndup(nodes, (gsize)(blank - nodes));
    place_diode(p, spice_unique(s, p->scope, spice_text(s, "%s_%s", p->name, name)),
                spice_text(s, "%s %s", blank + 1, first), ron, roff,
                spice_model_value(s, p->scope, m, name, "0"));
  }
}

/* Capacitances, temperature and noise are none of the ideal diode's, and the warning says so. */
static const char *const diode_parameters[] = {
    "is",   "js",   "n",   "rs",   "bv",   "vb",   "ibv",   "ib",  "ron",  "roff",
    "vfwd", "vrev", "cjo", "cj0",  "cj",   "vj",   "pb",    "m",   "mj",   "tt",
    "fc",   "eg",   "xti", "kf",   "af",   "tnom", "level", "nbv", "isr",  "nr",
    "ikf",  "ik",   "cjp", "cjsw", "php",  "mjsw", "jsw",   "trs", "trs1", "trs2",
    "tbv1", "iave", "vpk", "mfg",  "type", "tref", "area",  "pj",  "fcs",  NULL};

void spice_diode(Spice *s, const SpicePart *p)
{
  const SpiceWord *w = p->w;
  const char *nodes = spice_two_nodes(s, p, &w);
  const SpiceModel *m = nodes != NULL ? spice_model_of(s, p->scope, p->at, w, "d") : NULL;
  if (m == NULL || !only_known(s, m, diode_parameters)) {
    return;
  }
  double area = 1;
  if (spice_is_value(p->scope, w + 1) && w[2].kind != SPICE_EQUALS &&
      (!spice_plain(spice_value(s, p->scope, p->at, w + 1), &area) || !(area > 0))) {
    spice_error(s, p->at, "%s: its area must be a number above 0", p->name);
    return;
  }
  const char *vf, *ron, *roff;
  if (has(m, "ron") || has(m, "roff") || has(m, "vfwd")) {
    vf = spice_model_value(s, p->scope, m, "vfwd", "0");
    ron = spice_model_value(s, p->scope, m, "ron", "1");
    roff = spice_model_value(s, p->scope, m, "roff", "1e12");
  } else if (tangent(s, p, m, area, &vf, &ron)) {
    roff = "1e9";
  } else {
    return;
  }
  if (s->exponential && !has(m, "ron") && !has(m, "roff") && !has(m, "vfwd")) {
    place_curve(s, p, m, area, nodes);
  } else {
    place_diode(p, p->name, nodes, ron, roff, vf);
  }
  breakdown(s, p, m, nodes, ron, roff);
}
