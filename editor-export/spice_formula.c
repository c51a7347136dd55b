/* Expressions of SPICE as formulas of ours, by recursive descent: what is written there as
 * a ? b : c, &&, ** or v(a,b) is if(a,b,c), and, ^ or a.v - b.v here. */
#include "base/hint.h"
#include "editor-export/spice.h"

#include <string.h>

#define MOST_DEEP 60

/* How tight the outermost operation binds, in both languages alike. */
typedef enum { P_IF, P_OR, P_AND, P_NOT, P_COMPARE, P_SUM, P_PRODUCT, P_SIGN, P_POWER, P_ALL } Bind;

typedef struct {
  const char *text; /* of the strings; NULL: reported */
  Bind bind;
} Part;

typedef struct {
  Spice *s;
  SpiceScope *scope;
  const SpiceLine *at;
  const char *whole, *text; /* all of it; what is not yet read */
  guint deep;
  GHashTable *bound; /* within .func: argument in lower case -> what it stands for; else NULL */
} Parser;

static const Part nothing = {0};

const char *spice_text(Spice *s, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  return g_string_chunk_insert_const(s->strings, text);
}

static Part fail(Parser *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
static Part fail(Parser *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  spice_error(p->s, p->at, "%s in \"%s\"", text, p->whole);
  return nothing;
}

static void skip(Parser *p)
{
  p->text += strspn(p->text, " \t");
}

/* Whether OPERATOR comes next; it is then read. */
static gboolean accept(Parser *p, const char *operator)
{
  skip(p);
  gsize n = strlen(operator);
  if (strncmp(p->text, operator, n) != 0) {
    return FALSE;
  }
  p->text += n;
  return TRUE;
}

/* X, in brackets if it binds less than LEAST. */
static const char *within(Parser *p, Part x, Bind least)
{
  return x.bind < least ? spice_text(p->s, "(%s)", x.text) : x.text;
}

static Part expression(Parser *p);

/* Names -------------------------------------------------------------------------------------- */

static const char *const_name(Parser *p)
{
  gsize n = 0;
  while (g_ascii_isalnum(p->text[n]) ||
         strchr("_.#$@", p->text[n] != '\0' ? p->text[n] : ' ') != NULL) {
    n++;
  }
  const char *name = g_string_chunk_insert_len(p->s->strings, p->text, (gssize)n);
  p->text += n;
  return name;
}

/* The next word in v( ... ): anything up to a comma or bracket; NULL: there is none. */
static const char *node_word(Parser *p)
{
  skip(p);
  gsize n = strcspn(p->text, ",) \t");
  const char *word = n > 0 ? g_string_chunk_insert_len(p->s->strings, p->text, (gssize)n) : NULL;
  p->text += n;
  skip(p);
  return word;
}

static Part potential(Parser *p, const char *word)
{
  const char *node = word != NULL ? spice_known_node(p->scope, word) : NULL;
  if (node == NULL) {
    return word == NULL ? fail(p, "v( ) names no node")
                        : fail(p, "nothing is at node \"%s\"", word);
  }
  return (Part){strcmp(node, "0") == 0 ? "0" : spice_text(p->s, "%s.v", node), P_ALL};
}

/* Behind "v(". */
static Part voltage(Parser *p)
{
  Part a = potential(p, node_word(p));
  if (a.text != NULL && accept(p, ",")) {
    Part b = potential(p, node_word(p));
    a = b.text == NULL             ? b
        : strcmp(b.text, "0") == 0 ? a
                                   : (Part){spice_text(p->s, "%s - %s", a.text, b.text), P_SUM};
  }
  return a.text == NULL || accept(p, ")") ? a : fail(p, "a ) is missing behind v(");
}

/* Behind "i(". */
static Part current(Parser *p)
{
  const char *word = node_word(p);
  const SpiceName *e = word != NULL ? spice_element(p->scope, word) : NULL;
  if (e == NULL || strchr("kx", e->letter) != NULL) {
    return fail(p, "there is no element \"%s\" whose current could be read",
                word != NULL ? word : "");
  }
  return accept(p, ")") ? (Part){spice_current(p->s, e), P_ALL}
                        : fail(p, "a ) is missing behind i(");
}

/* Functions ----------------------------------------------------------------------------------- */

/* $1, $2, $3: the arguments. */
static const struct {
  const char *name;
  guint n;
  const char *ours;
} functions[] = {
    {"abs", 1, "abs($1)"},
    {"sqrt", 1, "sqrt($1)"},
    {"exp", 1, "exp($1)"},
    {"ln", 1, "log($1)"},
    {"log", 1, "log($1)"},
    {"log10", 1, "log10($1)"},
    {"sin", 1, "sin($1)"},
    {"cos", 1, "cos($1)"},
    {"tan", 1, "tan($1)"},
    {"asin", 1, "asin($1)"},
    {"acos", 1, "acos($1)"},
    {"atan", 1, "atan($1)"},
    {"arctan", 1, "atan($1)"},
    {"sinh", 1, "sinh($1)"},
    {"cosh", 1, "cosh($1)"},
    {"tanh", 1, "tanh($1)"},
    {"atan2", 2, "atan2($1, $2)"},
    {"min", 2, "min($1, $2)"},
    {"max", 2, "max($1, $2)"},
    {"pow", 2, "(($1)^($2))"},
    {"pwr", 2, "(sign($1)*abs($1)^($2))"},
    {"sgn", 1, "sign($1)"},
    {"u", 1, "if($1 > 0, 1, 0)"},
    {"uramp", 1, "max($1, 0)"},
    {"limit", 3, "limit($1, $2, $3)"},
    {"if", 3, "if($1, $2, $3)"},
    {"ternary_fcn", 3, "if($1, $2, $3)"},
    {"floor", 1, "floor($1)"},
    {"ceil", 1, "ceil($1)"},
    {"int", 1, "(sign($1)*floor(abs($1)))"},
    {"nint", 1, "round($1)"},
    {"stp", 1, "if($1 > 0, 1, 0)"},
    {"buf", 1, "if($1 > 0.5, 1, 0)"},
    {"inv", 1, "if($1 > 0.5, 0, 1)"},
    {"square", 1, "($1)^2"},
    {"hypot", 2, "sqrt(($1)^2 + ($2)^2)"},
};

static const char *fill_in(Parser *p, const char *ours, const char *const *argument)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (; *ours != '\0'; ours++) {
    if (*ours == '$') {
      ours++;
      g_string_append(text, argument[*ours - '1']);
    } else {
      g_string_append_c(text, *ours);
    }
    if (text->len > 100000) {
      return NULL;
    }
  }
  return g_string_chunk_insert_const(p->s->strings, text->str);
}

/* The next of several arguments; NULL: reported. */
static const char *argument(Parser *p, const char *name, gboolean first)
{
  if (!first && !accept(p, ",")) {
    fail(p, "%s() has too few arguments", name);
    return NULL;
  }
  Part a = expression(p);
  return a.text != NULL ? within(p, a, P_ALL) : NULL;
}

/* table(x, x1, y1, x2, y2 ...): lines between the points, constant outside; each line is limit(x,
 * x1, x2) - x1 times its slope. */
static Part table_of(Parser *p)
{
  const char *x = argument(p, "table", TRUE);
  const char *x1 = x != NULL ? argument(p, "table", FALSE) : NULL;
  const char *y1 = x1 != NULL ? argument(p, "table", FALSE) : NULL;
  g_autoptr(GString) text = g_string_new(y1);
  while (y1 != NULL && !accept(p, ")")) {
    const char *x2 = argument(p, "table", FALSE);
    const char *y2 = x2 != NULL ? argument(p, "table", FALSE) : NULL;
    if (y2 != NULL) {
      g_string_append_printf(text, " + (%s - %s)/(%s - %s)*(limit(%s, %s, %s) - %s)", y2, y1, x2,
                             x1, x, x1, x2, x1);
    }
    if (text->len > 100000) {
      return fail(p, "the formula is too long");
    }
    x1 = x2;
    y1 = y2;
  }
  return y1 != NULL ? (Part){spice_text(p->s, "%s", text->str), P_SUM} : nothing;
}

/* The arguments of F, bound to what is given, are seen in its formula and nowhere else. */
static Part call_stated(Parser *p, const SpiceFunction *f)
{
  g_autoptr(GHashTable) bound = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint k = 0; f->arguments[k] != NULL; k++) {
    const char *given = argument(p, f->name, k == 0);
    if (given == NULL) {
      return nothing;
    }
    g_hash_table_insert(bound, f->arguments[k], hy_key(given));
  }
  if (!accept(p, ")")) {
    return fail(p, "%s() takes %u arguments", f->name, g_strv_length(f->arguments));
  }
  Parser inside = {.s = p->s,
                   .scope = p->scope,
                   .at = p->at,
                   .whole = f->formula,
                   .text = f->formula,
                   .deep = p->deep + 1,
                   .bound = bound};
  Part x = expression(&inside);
  skip(&inside);
  if (x.text != NULL && *inside.text != '\0') {
    return fail(&inside, "\"%.10s\" is not understood", inside.text);
  }
  if (x.text != NULL && strlen(x.text) > 100000) {
    return fail(p, "the formula is too long");
  }
  return x;
}

/* Behind "name(". */
static Part call(Parser *p, const char *name)
{
  g_autofree char *key = spice_lower(name);
  const SpiceFunction *f = g_hash_table_lookup(p->s->functions, key);
  if (f != NULL) {
    return call_stated(p, f);
  }
  if (strcmp(key, "table") == 0) {
    return table_of(p);
  }
  guint k = 0;
  while (k < G_N_ELEMENTS(functions) && g_ascii_strcasecmp(name, functions[k].name) != 0) {
    k++;
  }
  if (k == G_N_ELEMENTS(functions)) {
    return fail(p, "%s() has no counterpart here", name);
  }
  const char *given[3];
  for (guint n = 0; n < functions[k].n; n++) {
    if (n > 0 && !accept(p, ",")) {
      return fail(p, "%s() takes %u arguments", name, functions[k].n);
    }
    Part a = expression(p);
    if (a.text == NULL) {
      return nothing;
    }
    given[n] = strchr(functions[k].ours, '>') != NULL ? within(p, a, P_SUM) : a.text;
  }
  if (!accept(p, ")")) {
    return fail(p, "a ) is missing behind %s(", name);
  }
  const char *text = fill_in(p, functions[k].ours, given);
  return text != NULL ? (Part){text, P_ALL} : fail(p, "the formula is too long");
}

static Part named(Parser *p, const char *name)
{
  g_autofree char *key = spice_lower(name);
  const char *bound = p->bound != NULL ? g_hash_table_lookup(p->bound, key) : NULL;
  const char *param = bound != NULL ? bound : spice_param(p->scope, name);
  if (param != NULL) {
    return (Part){param, P_ALL};
  }
  if (g_ascii_strcasecmp(name, "time") == 0) {
    return (Part){"t", P_ALL};
  }
  if (g_ascii_strcasecmp(name, "pi") == 0) {
    return (Part){"pi", P_ALL};
  }
  if (g_ascii_strcasecmp(name, "temper") == 0) {
    return (Part){"27", P_ALL}; /* the temperature that SPICE takes, in degrees Celsius */
  }
  return fail(p, "there is no parameter \"%s\"", name);
}

static Part primary(Parser *p)
{
  skip(p);
  const char *end, *number = spice_number(p->s, p->text, &end);
  if (number != NULL && *p->text != '+' && *p->text != '-') {
    p->text = end;
    return (Part){number, P_ALL};
  }
  if (accept(p, "(") || accept(p, "{")) {
    gboolean round = p->text[-1] == '(';
    Part x = expression(p);
    return x.text == NULL || accept(p, round ? ")" : "}") ? x : fail(p, "a bracket is not closed");
  }
  if (!g_ascii_isalpha(*p->text) && *p->text != '_') {
    return *p->text == '\0' ? fail(p, "something is missing at the end")
                            : fail(p, "\"%.10s\" is not understood", p->text);
  }
  const char *name = const_name(p);
  if (!accept(p, "(")) {
    return named(p, name);
  }
  return g_ascii_strcasecmp(name, "v") == 0   ? voltage(p)
         : g_ascii_strcasecmp(name, "i") == 0 ? current(p)
                                              : call(p, name);
}

/* Operations ---------------------------------------------------------------------------------- */

static Part sign(Parser *p);

/* a^b: also of a negative exponent. */
static Part power(Parser *p)
{
  Part a = primary(p);
  if (a.text != NULL && (accept(p, "**") || accept(p, "^"))) {
    Part b = sign(p);
    return b.text == NULL
               ? b
               : (Part){spice_text(p->s, "%s^%s", within(p, a, P_ALL), within(p, b, P_ALL)),
                        P_POWER};
  }
  return a;
}

static Part sign(Parser *p)
{
  if (++p->deep > MOST_DEEP) {
    return fail(p, "more than %d operations inside each other", MOST_DEEP);
  }
  Part x;
  if (accept(p, "-")) {
    x = sign(p);
    x = x.text == NULL ? x : (Part){spice_text(p->s, "-%s", within(p, x, P_POWER)), P_SIGN};
  } else if (accept(p, "+")) {
    x = sign(p);
  } else if (strncmp(p->text, "!=", 2) != 0 && (accept(p, "!") || accept(p, "~"))) {
    x = sign(p);
    x = x.text == NULL ? x : (Part){spice_text(p->s, "not (%s)", x.text), P_NOT};
  } else {
    x = power(p);
  }
  p->deep--;
  return x;
}

/* Of one rank: what it is written as, and what it is here. */
typedef struct {
  const char *theirs, *ours;
} Operation;
static const struct {
  Bind bind;
  Operation operation[7]; /* longer ones first */
} ranks[] = {
    {P_OR, {{"||", " or "}, {"|", " or "}}},
    {P_AND, {{"&&", " and "}, {"&", " and "}}},
    {P_COMPARE,
     {{"<=", " <= "}, {">=", " >= "}, {"==", " == "}, {"!=", " != "}, {"<", " < "}, {">", " > "}}},
    {P_SUM, {{"+", " + "}, {"-", " - "}}},
    {P_PRODUCT, {{"*", "*"}, {"/", "/"}}},
};

static Part rank(Parser *p, guint k);

static Part operand(Parser *p, guint k)
{
  return k < G_N_ELEMENTS(ranks) ? rank(p, k) : sign(p);
}

/* The operation of rank K that comes next; NULL: none does. */
static const char *next_operation(Parser *p, guint k)
{
  for (const Operation *o = ranks[k].operation; o->theirs != NULL; o++) {
    skip(p);
    gboolean is_power = strncmp(p->text, "**", 2) == 0;
    if (!is_power && accept(p, o->theirs)) {
      return o->ours;
    }
  }
  return NULL;
}

static Part rank(Parser *p, guint k)
{
  Part a = operand(p, k + 1);
  const char *operation;
  while (a.text != NULL && (operation = next_operation(p, k)) != NULL) {
    Part b = operand(p, k + 1);
    if (b.text == NULL) {
      return b;
    }
    Bind bind = ranks[k].bind;
    a = (Part){spice_text(p->s, "%s%s%s", within(p, a, bind), operation, within(p, b, bind + 1)),
               bind};
    if (strlen(a.text) > 100000) {
      return fail(p, "the formula is too long");
    }
  }
  return a;
}

/* a ? b : c */
static Part expression(Parser *p)
{
  if (++p->deep > MOST_DEEP) {
    return fail(p, "more than %d brackets inside each other", MOST_DEEP);
  }
  Part a = rank(p, 0);
  if (a.text != NULL && accept(p, "?")) {
    Part b = expression(p);
    if (b.text != NULL && !accept(p, ":")) {
      return fail(p, "a : is missing behind ?");
    }
    Part c = b.text != NULL ? expression(p) : nothing;
    a = c.text == NULL ? c
                       : (Part){spice_text(p->s, "if(%s, %s, %s)", a.text, b.text, c.text), P_ALL};
  }
  p->deep--;
  return a;
}

const char *spice_formula(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text)
{
  Parser p = {.s = s, .scope = scope, .at = at, .whole = text, .text = text};
  Part x = expression(&p);
  skip(&p);
  if (x.text != NULL && *p.text != '\0') {
    x = fail(&p, "\"%.10s\" is not understood", p.text);
  }
  return x.text;
}

gboolean spice_is_value(SpiceScope *scope, const SpiceWord *w)
{
  gboolean exponent =
      w->kind == SPICE_WORD && (g_ascii_isdigit(w->text[0]) || strchr("+-.", w->text[0]) != NULL);
  return w->kind == SPICE_FORMULA || exponent ||
         (w->kind == SPICE_WORD && spice_param(scope, w->text) != NULL);
}

const char *spice_value(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w)
{
  if (w->kind == SPICE_FORMULA) {
    return spice_formula(s, scope, at, w->text);
  }
  const char *end, *number = w->kind == SPICE_WORD ? spice_number(s, w->text, &end) : NULL;
  if (number != NULL && *end == '\0') {
    return number;
  }
  const char *param = w->kind == SPICE_WORD ? spice_param(scope, w->text) : NULL;
  if (param == NULL) {
    spice_error(s, at,
                w->kind == SPICE_END ? "a value is missing at the end"
                                     : "\"%s\" is no number, and no parameter has this name",
                w->text);
  }
  return param;
}
