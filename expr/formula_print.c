/* Trees -> text: the inverse of formula_parse.c. Each line of its grammar is a strength; a child
 * that is weaker than its place asks for is put in brackets, so that the same tree is read again.
 * Numbers have as many digits as make the same double. */
#include "formula_internal.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

/* How strongly the text of a node holds together. */
typedef enum {
  AT_GROUP,
  AT_OR,
  AT_AND,
  AT_NOT,
  AT_COMPARE,
  AT_SUM,
  AT_PRODUCT,
  AT_SIGN,
  AT_POWER,
  AT_PRIMARY
} Strength;

static Strength strength(const HyFormula *x)
{
  static const Strength of[] = {
      [HY_F_NUMBER] = AT_PRIMARY,  [HY_F_REF] = AT_PRIMARY,     [HY_F_NEG] = AT_SIGN,
      [HY_F_POW] = AT_POWER,       [HY_F_PRODUCT] = AT_PRODUCT, [HY_F_SUM] = AT_SUM,
      [HY_F_COMPARE] = AT_COMPARE, [HY_F_NOT] = AT_NOT,         [HY_F_AND] = AT_AND,
      [HY_F_OR] = AT_OR,           [HY_F_CALL] = AT_PRIMARY,    [HY_F_ITEMS] = AT_GROUP,
      [HY_F_LIST] = AT_GROUP,      [HY_F_NOTHING] = AT_PRIMARY, [HY_F_TEXT] = AT_PRIMARY,
  };
  return x->kind == HY_F_NUMBER && signbit(x->number) ? AT_SIGN : of[x->kind];
}

/* "1.5e-07" -> "1.5e-7", "1e+20" -> "1e20" */
static void append_exponent_short(GString *out, const char *digits)
{
  const char *e = strchr(digits, 'e');
  if (e == NULL) {
    g_string_append(out, digits);
    return;
  }
  g_string_append_len(out, digits, e + 1 - digits);
  if (e[1] == '-') {
    g_string_append_c(out, '-');
  }
  g_string_append(out, e + 1 + strspn(e + 1, "+-0"));
}

/* The shortest text that reads back as the same double. */
void hy_print_number(double v, GString *out)
{
  if (signbit(v)) {
    g_string_append_c(out, '-');
    v = -v;
  }
  if (isnan(v)) {
    g_string_append(out, "nan"); /* only in messages */
  } else if (isinf(v)) {
    g_string_append(out, "inf");
  } else if (v == G_PI) {
    g_string_append(out, "pi");
  } else if (v < 1e6 && v == floor(v)) {
    g_string_append_printf(out, "%d", (int)v);
  } else {
    char digits[HY_DOUBLE_SIZE];
    append_exponent_short(out, hy_double_text(digits, v));
  }
}

/* A whole number without an exponent, so that it can stand in a concrete path. */
static void print_bound(const HyFormula *x, GString *out)
{
  gboolean whole = x->kind == HY_F_NUMBER && fabs(x->number) <= 9007199254740992.0 &&
                   x->number == floor(x->number);
  if (whole && x->number != 0) {
    g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64)x->number);
  } else {
    hy_formula_print(x, out);
  }
}

static void print_index(const HyIndex *index, GString *out)
{
  if (index->lo == NULL) {
    g_string_append_c(out, '*');
    return;
  }
  print_bound(index->lo, out);
  if (index->hi != NULL) {
    g_string_append(out, "..");
    print_bound(index->hi, out);
  }
}

/* [...] of N indices: those of AT, or if it is NULL of INDEX. */
void hy_print_indices(const HyIndex *index, const gint64 *at, guint n, GString *out)
{
  for (guint i = 0; i < n; i++) {
    g_string_append(out, i == 0 ? "[" : ",");
    if (at != NULL) {
      g_string_append_printf(out, "%" G_GINT64_FORMAT, at[i]);
    } else {
      print_index(&index[i], out);
    }
  }
  if (n > 0) {
    g_string_append_c(out, ']');
  }
}

static void print_ref(const HyFormula *x, GString *out)
{
  const gint64 *at = x->ref.at;
  const HyIndex *index = x->ref.index;
  if (x->own) {
    g_string_append_c(out, '.');
  }
  g_string_append(out, x->ref.name);
  hy_print_indices(index, at, x->n_index, out);
  if (x->ref.port != NULL) {
    g_string_append_c(out, '.');
    g_string_append(out, x->ref.port);
    hy_print_indices(index == NULL ? NULL : index + x->n_index, at == NULL ? NULL : at + x->n_index,
                     x->n_port_index, out);
  }
}

static void print_child(const HyFormula *child, Strength least, GString *out)
{
  gboolean brackets = strength(child) < least;
  if (brackets) {
    g_string_append_c(out, '(');
  }
  hy_formula_print(child, out);
  if (brackets) {
    g_string_append_c(out, ')');
  }
}

/* The sign between child I - 1 and child I. */
static const char *sign_text(const HyFormula *x, guint i)
{
  switch (x->kind) {
  case HY_F_SUM:
    return x->ops[i] == '+' ? " + " : " - ";
  case HY_F_PRODUCT:
    return x->ops[i] == '*' ? "*" : "/";
  case HY_F_AND:
    return " and ";
  case HY_F_OR:
    return " or ";
  case HY_F_ITEMS:
    return " ";
  case HY_F_POW:
    return "^";
  case HY_F_COMPARE:
    break;
  default:
    return ", ";
  }
  static const char letters[] = "<>lg=!";
  static const char *const texts[] = {" < ", " > ", " <= ", " >= ", " == ", " != "};
  return texts[strchr(letters, x->ops[1]) - letters];
}

/* The strength that child I needs not to be put in brackets. */
static Strength child_strength(const HyFormula *x, guint i)
{
  switch (x->kind) {
  case HY_F_POW:
    return i == 0 ? AT_PRIMARY : AT_SIGN;
  case HY_F_NEG:
  case HY_F_PRODUCT:
    return AT_SIGN;
  case HY_F_SUM:
    return AT_PRODUCT;
  case HY_F_COMPARE:
    return AT_SUM;
  case HY_F_NOT:
  case HY_F_AND:
    return AT_NOT;
  case HY_F_OR:
    return AT_AND;
  default:
    return AT_GROUP;
  }
}

void hy_formula_print(const HyFormula *formula, GString *out)
{
  const HyFormula *x = formula;
  switch (x->kind) {
  case HY_F_NUMBER:
    hy_print_number(x->number, out);
    return;
  case HY_F_REF:
    print_ref(x, out);
    return;
  case HY_F_NOTHING:
    g_string_append(out, "if(0, 0)");
    return;
  case HY_F_TEXT:
    g_string_append_printf(out, "'%s'", x->said.text);
    return;
  case HY_F_NEG:
    g_string_append_c(out, '-');
    break;
  case HY_F_NOT:
    g_string_append(out, "not ");
    break;
  case HY_F_CALL:
    g_string_append_printf(out, "%s(", hy_ops[x->function].name);
    break;
  default:
    break;
  }
  for (guint i = 0; i < x->n; i++) {
    g_string_append(out, i == 0 ? "" : sign_text(x, i));
    print_child(x->child[i], child_strength(x, i), out);
  }
  if (x->kind == HY_F_CALL) {
    g_string_append_c(out, ')');
  }
}

char *hy_formula_text(const HyFormula *formula)
{
  GString *out = g_string_new(NULL);
  hy_formula_print(formula, out);
  return g_string_free(out, FALSE);
}
