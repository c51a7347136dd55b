/* Sources that read the circuit: E, F, G, H with a gain, a polynomial or a formula; B. */
#include "editor-export/spice.h"

#include <string.h>

#define MOST_INPUTS 20

/* Polynomials ----------------------------------------------------------------------------------
 *
 * POLY(n) in1 .. inn p0 p1 ...: of one input p0 + p1 x + p2 x^2 + ...; of more the products in the
 * order 1, x, y, z, xx, xy, xz, yy, yz, zz, xxx, ... */

typedef struct {
  Spice *s;
  const SpicePart *p;
  const char *input[MOST_INPUTS];
  guint n;
  const SpiceWord *w; /* the next coefficient */
  GString *text;
  gboolean failed;
} Poly;

/* Adds the next coefficient times PRODUCT; FALSE: there is none. */
static gboolean add_term(Poly *y, const char *product)
{
  if (y->w->kind == SPICE_END) {
    return FALSE;
  }
  const char *c = spice_value(y->s, y->p->scope, y->p->at, y->w++);
  double number;
  if (c == NULL || y->text->len > 100000) {
    y->failed = TRUE;
    return FALSE;
  }
  if (!spice_plain(c, &number) || number != 0.0) {
    g_string_append_printf(y->text, "%s(%s)%s%s", y->text->len > 0 ? " + " : "", c,
                           *product != '\0' ? "*" : "", product);
  }
  return TRUE;
}

/* All products of LEFT more factors, the first of which is FROM or a later one. */
static gboolean add_products(Poly *y, const char *product, guint from, guint left)
{
  if (left == 0) {
    return add_term(y, product);
  }
  for (guint k = from; k < y->n; k++) {
    const char *next =
        spice_text(y->s, "%s%s(%s)", product, *product != '\0' ? "*" : "", y->input[k]);
    if (!add_products(y, next, k, left - 1)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* A single coefficient of a single input is its factor. */
static const char *polynomial(Poly *y)
{
  y->text = g_string_new(NULL);
  gboolean factor = y->n == 1 && y->w[0].kind != SPICE_END && y->w[1].kind == SPICE_END;
  for (guint degree = factor ? 1 : 0; add_products(y, "", 0, degree) && degree < 20; degree++) {
  }
  const char *text =
      y->failed ? NULL : spice_text(y->s, "%s", y->text->len > 0 ? y->text->str : "0");
  g_string_free(y->text, TRUE);
  return text;
}

/* Linear ones ---------------------------------------------------------------------------------- */

/* v(a) - v(b), of two words. */
static const char *across(Spice *s, const SpicePart *p, const SpiceWord **w)
{
  if ((*w)[0].kind != SPICE_WORD || (*w)[1].kind != SPICE_WORD) {
    spice_error(s, p->at, "%s: the two nodes that control it are missing", p->name);
    return NULL;
  }
  g_autofree char *text = g_strdup_printf("v(%s,%s)", (*w)[0].text, (*w)[1].text);
  *w += 2;
  return spice_formula(s, p->scope, p->at, text);
}

/* i(V1), of one word. */
static const char *through(Spice *s, const SpicePart *p, const SpiceWord **w)
{
  if ((*w)->kind != SPICE_WORD) {
    spice_error(s, p->at, "%s: the source whose current controls it is missing", p->name);
    return NULL;
  }
  g_autofree char *text = g_strdup_printf("i(%s)", (*w)->text);
  *w += 1;
  return spice_formula(s, p->scope, p->at, text);
}

static const char *gain(Spice *s, const SpicePart *p, const SpiceWord *w)
{
  Poly y = {.s = s, .p = p, .n = 1};
  gboolean voltages = p->letter == 'e' || p->letter == 'g';
  gboolean poly = spice_is(w, "poly");
  if (poly) {
    const char *count = w[1].kind == SPICE_WORD ? w[1].text : "";
    y.n = (guint)g_ascii_strtoull(count, NULL, 10);
    w += w[1].kind == SPICE_WORD ? 2 : 1;
  }
  if (y.n < 1 || y.n > MOST_INPUTS) {
    spice_error(s, p->at, "%s: POLY(n) takes 1 to %d inputs", p->name, MOST_INPUTS);
    return NULL;
  }
  for (guint k = 0; k < y.n; k++) {
    y.input[k] = voltages ? across(s, p, &w) : through(s, p, &w);
    if (y.input[k] == NULL) {
      return NULL;
    }
  }
  if (w->kind == SPICE_END || (!poly && w[1].kind != SPICE_END)) {
    spice_error(s, p->at,
                w->kind == SPICE_END ? "%s: its gain is missing"
                                     : "%s: something stands behind its gain",
                p->name);
    return NULL;
  }
  y.w = w;
  return polynomial(&y);
}

/* Formulas ------------------------------------------------------------------------------------- */

/* What stands behind "value=", "vol=", "V=" ...: in braces, or all that follows. */
static const char *formula(Spice *s, const SpicePart *p, const SpiceWord *w)
{
  const SpiceWord *equals = w + 1;
  if (equals->kind == SPICE_EQUALS && equals[1].kind == SPICE_FORMULA &&
      equals[2].kind == SPICE_END) {
    return spice_formula(s, p->scope, p->at, equals[1].text);
  }
  if (equals->kind == SPICE_FORMULA && equals[1].kind == SPICE_END) { /* value {..} */
    return spice_formula(s, p->scope, p->at, equals->text);
  }
  if (equals->kind != SPICE_EQUALS) {
    spice_error(s, p->at, "%s: a = is missing behind \"%s\"", p->name, w->text);
    return NULL;
  }
  return spice_formula(s, p->scope, p->at, equals->after);
}

/* TABLE {x} = (x1, y1) (x2, y2): the function table() of them. */
static const char *table(Spice *s, const SpicePart *p, const SpiceWord *w)
{
  w += w->kind == SPICE_EQUALS;
  if (w->kind != SPICE_FORMULA) {
    spice_error(s, p->at, "%s: TABLE takes {formula} = (x1, y1) (x2, y2) ...", p->name);
    return NULL;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "table(%s", w->text);
  for (w++; w->kind != SPICE_END; w++) {
    if (w->kind != SPICE_EQUALS) {
      g_string_append_printf(text, ", %s", w->text);
    }
  }
  g_string_append_c(text, ')');
  return spice_formula(s, p->scope, p->at, text->str);
}

static gboolean is_one_of(const SpiceWord *w, const char *const *words)
{
  for (; *words != NULL; words++) {
    if (spice_is(w, *words)) {
      return TRUE;
    }
  }
  return FALSE;
}

void spice_controlled(Spice *s, const SpicePart *p)
{
  static const char *const formulas[] = {"value", "vol", "cur", "v", "i", NULL};
  const SpiceWord *w = p->w;
  const char *nodes = spice_two_nodes(s, p, &w), *value = NULL;
  if (nodes == NULL) {
    return;
  }
  gboolean free_form = p->letter == 'b';
  gboolean voltage = free_form ? spice_is(w, "v") : p->letter == 'e' || p->letter == 'h';
  if (is_one_of(w, formulas) && (w[1].kind == SPICE_EQUALS || w[1].kind == SPICE_FORMULA)) {
    value = formula(s, p, w);
  } else if (free_form) {
    spice_error(s, p->at, "%s: write V=formula or I=formula", p->name);
  } else if (spice_is(w, "table")) {
    value = table(s, p, w + 1);
  } else {
    value = gain(s, p, w);
  }
  s->live |= free_form || w->kind != SPICE_WORD || spice_is(w, "poly") ||
             w[1].kind == SPICE_EQUALS || w[1].kind == SPICE_FORMULA;
  if (value != NULL) {
    hy_format_set(spice_place(p, voltage ? "voltage" : "current", nodes), "value", value);
  }
}
