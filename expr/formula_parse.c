/* Tokens -> trees, by recursive descent: a function for each line of the grammar.
 *
 *   expression = all { "or" all }
 *   all        = not { "and" not }
 *   not        = "not" not | compare
 *   compare    = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]   they do not chain
 *   sum        = product { ( "+" | "-" ) product }                       from left to right
 *   product    = unary { ( "*" | "/" ) unary }                           likewise
 *   unary      = ( "-" | "+" ) unary | power
 *   power      = primary [ "^" unary ]          -x^2 is -(x^2), and 2^3^2 is 2^9
 *   primary    = number | text | call | reference | "(" expression ")"
 *   call       = function "(" expression { "," expression } ")"
 *   reference  = ["."] name [ indices ] [ "." name [ indices ] ]
 *   indices    = "[" index { "," index } "]"
 *   index      = "*" | expression [ ".." expression ]
 *
 * and of whole texts, of which HyTextKind says which one is meant:
 *
 *   list       = expression { "," expression }
 *   source     = group { "," group }
 *   group      = expression | item item { item }                            blanks between them
 *   ends       = item { item }
 *   item       = reference | "if" "(" ... ")"
 *
 * One level of nesting is one bracket, sign or power; HY_FORMULA_DEPTH of them are allowed, and
 * between two of them a tree has at most one node of each kind of chain. What does not fit is said
 * where it stands, with what was probably meant. */
#include "formula_internal.h"
#include "hydevs/text.h"

#include <string.h>

static const HyFormula *parse_expression(HyParser *p);
static const HyFormula *parse_unary(HyParser *p);
static const HyFormula *parse_below(HyParser *p, HyFormulaKind kind);

static gboolean enter(HyParser *p)
{
  if (p->depth >= HY_FORMULA_DEPTH) {
    hy_parser_fail(p, "nested more than %d deep, which is the limit", HY_FORMULA_DEPTH);
    return FALSE;
  }
  p->depth++;
  return !p->failed;
}

/* ---- What went wrong ---- */

static int token_length(const HyToken *token)
{
  return (int)MIN(token->end - token->start, 40);
}

static gboolean begins_operand(const HyParser *p)
{
  switch (p->token.type) {
  case HY_T_NUMBER:
  case HY_T_NAME:
  case HY_T_TEXT:
  case HY_T_NOT:
  case HY_T_IF:
  case '(':
    return TRUE;
  case '.':
    return hy_is_name_start(p->text[p->token.end]);
  default:
    return FALSE;
  }
}

static gpointer fail_operator(HyParser *p, const HyToken *before, const HyToken *after)
{
  int length = token_length(after);
  const char *word = p->text + after->start;
  gboolean unit = before->type == HY_T_NUMBER && hy_is_unit(word, (gsize)length);
  return hy_parser_fail(p, "an operator is missing between %.*s and %.*s%s", token_length(before),
                        p->text + before->start, length, word,
                        unit ? " (units are not part of a formula)" : "");
}

/* An operand was to begin here. */
static gpointer fail_operand(HyParser *p)
{
  int length = token_length(&p->token);
  const char *sign = p->text + p->token.start;
  if (p->token.type == HY_T_NOT) {
    return hy_parser_fail(p, "not binds weaker than what stands before it; write (not ...)");
  }
  if (p->token.type == HY_T_DOTS) {
    return hy_parser_fail(p, "\"..\" can only stand between two indices: u[2..5]");
  }
  if (p->token.type != HY_T_END) {
    return hy_parser_fail(p, "a number, a name or \"(\" is expected before \"%.*s\"", length, sign);
  }
  return hy_parser_fail(p, "a number, a name or \"(\" is expected after \"%.*s\"",
                        token_length(&p->last), p->text + p->last.start);
}

/* An expression has ended here, and what follows does not fit. CLOSING: the bracket that is open
 * since OPEN, or 0. */
static gpointer fail_rest(HyParser *p, char closing, guint32 open)
{
  if (p->failed) {
    return NULL;
  }
  if (p->token.type == '.' && p->token.glued && p->last.type == HY_T_NAME) {
    return hy_parser_fail(
        p,
        "only one \".\" is possible: block.port; what is inside a block is reached by its ports");
  }
  if (begins_operand(p)) {
    return fail_operator(p, &p->last, &p->token);
  }
  switch (p->token.type) {
  case HY_T_END:
    return hy_parser_fail(p, "\"%c\" is missing for the \"%c\" at column %u", closing,
                          p->text[open], open + 1);
  case HY_T_DOTS:
    return hy_parser_fail(p, "\"..\" can only stand between two indices: u[2..5]");
  case '[':
    return hy_parser_fail(p, "\"[\" must follow a name: u[2]");
  case '.':
    return hy_parser_fail(p, "a port name must follow \".\" at once: v.out");
  case ')':
  case ']':
    if (closing == 0) {
      return hy_parser_fail(p, "\"%c\" at column %u closes nothing", (char)p->token.type,
                            p->token.start + 1);
    }
    break;
  case ',':
    return hy_parser_fail(p, "a \",\" has no place here (the decimal sign is \".\")");
  default:
    break;
  }
  if (closing != 0) {
    return hy_parser_fail(p, "\"%c\" is expected before \"%.*s\"", closing, token_length(&p->token),
                          p->text + p->token.start);
  }
  return hy_parser_fail(p, "an operator is expected before \"%.*s\"", token_length(&p->token),
                        p->text + p->token.start);
}

/* ---- References ---- */

static gboolean parse_index(HyParser *p, guint32 open, HyIndex *index)
{
  *index = (HyIndex){NULL, NULL};
  if (p->token.type == '*') {
    hy_token_next(p);
    return TRUE;
  }
  index->lo = parse_expression(p);
  if (index->lo != NULL && p->token.type == HY_T_DOTS) {
    hy_token_next(p);
    index->hi = parse_expression(p);
    if (index->hi == NULL) {
      return FALSE;
    }
  }
  if (index->lo != NULL && p->token.type != ',' && p->token.type != ']') {
    fail_rest(p, ']', open);
  }
  return index->lo != NULL && !p->failed;
}

gboolean hy_parse_indices(HyParser *p, guint32 open, HyIndex *index, guint *n)
{
  *n = 0;
  while (parse_index(p, open, &index[*n])) {
    ++*n;
    if (p->token.type == ']') {
      return TRUE;
    }
    if (p->token.type != ',') {
      fail_rest(p, ']', open);
      return FALSE;
    }
    if (*n == HY_FORMULA_INDICES) {
      hy_parser_fail(p, "more than %d indices in one pair of brackets", HY_FORMULA_INDICES);
      return FALSE;
    }
    hy_token_next(p);
  }
  return FALSE;
}

/* [ix, ...], if there is one. */
static gboolean parse_brackets(HyParser *p, HyIndex *index, guint8 *n)
{
  if (p->token.type != '[') {
    return TRUE;
  }
  guint32 open = p->token.start;
  guint count = 0;
  hy_token_next(p);
  if (!hy_parse_indices(p, open, index, &count)) {
    return FALSE;
  }
  *n = (guint8)count;
  hy_token_next(p);
  return TRUE;
}

/* The name that is the current token. */
static const char *parse_name(HyParser *p)
{
  if (p->token.type != HY_T_NAME) {
    int length = token_length(&p->token);
    const char *word = p->text + p->token.start;
    if (hy_is_name_start(*word)) {
      return hy_parser_fail(p, "\"%.*s\" is a word of the language and cannot be a name", length,
                            word);
    }
    return hy_parser_fail(p, "a name must follow \".\"");
  }
  const char *name = hy_pool_name(p->pool, p->text + p->token.start, p->token.end - p->token.start);
  hy_token_next(p);
  return name;
}

static const HyFormula *finish_ref(HyParser *p, HyFormula *ref, const HyIndex *index)
{
  guint n = (guint)ref->n_index + ref->n_port_index;
  gint64 at[HY_INDICES];
  if (n == 0) {
    ref->ref.at = hy_no_index;
  } else if (hy_at_known(index, n, at)) {
    ref->ref.at = hy_arena_copy(p->pool, at, n * sizeof *at);
  } else {
    ref->ref.index = hy_arena_copy(p->pool, index, n * sizeof *index);
  }
  return ref;
}

static const HyFormula *parse_ref(HyParser *p)
{
  HyIndex index[HY_INDICES];
  HyFormula *ref = hy_node_new(p->pool, HY_F_REF, p->token.start);
  if (p->token.type == '.') {
    ref->own = TRUE;
    hy_token_next(p);
  }
  ref->ref.name = parse_name(p);
  if (ref->ref.name == NULL || !parse_brackets(p, index, &ref->n_index)) {
    return NULL;
  }
  if (p->token.type == '.' && p->token.glued) {
    if (hy_is_name_start(p->text[p->token.end])) {
      hy_token_next(p);
    } else {
      return hy_parser_fail(p, "a port name must follow \".\" at once: v.out");
    }
    ref->ref.port = parse_name(p);
    if (ref->ref.port == NULL || !parse_brackets(p, index + ref->n_index, &ref->n_port_index)) {
      return NULL;
    }
  }
  return finish_ref(p, ref, index);
}

/* ---- Calls ---- */

/* What other languages call it. */
static const char *function_alias(const char *name)
{
  static const char *const alias[][2] = {
      {"ln", "write log(x), the natural logarithm"},
      {"pow", "write a^b"},
      {"sqr", "write x^2"},
      {"cbrt", "write x^(1/3)"},
      {"fabs", "write abs(x)"},
      {"sgn", "write sign(x)"},
      {"arcsin", "write asin(x)"},
      {"arccos", "write acos(x)"},
      {"arctan", "write atan(x)"},
      {"avg", "write mean(...)"},
      {"clamp", "write limit(x, lo, hi)"},
      {"int", "write floor(x)"},
      {"fmod", "write mod(a, b)"},
      {"time", "a formula knows no time, use a source block"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(alias); i++) {
    if (strcmp(alias[i][0], name) == 0) {
      return alias[i][1];
    }
  }
  return NULL;
}

static gpointer fail_function(HyParser *p)
{
  g_autofree char *name =
      g_strndup(p->text + p->token.start, MIN(p->token.end - p->token.start, 80));
  HyNearest nearest = {.word = name};
  g_autoptr(GString) all = g_string_new(NULL);
  for (guint f = 0; f < hy_n_ops; f++) {
    if (hy_ops[f].min > 0) {
      hy_nearest_offer(&nearest, hy_ops[f].name);
      g_string_append_printf(all, " %s", hy_ops[f].name);
    }
  }
  const char *alias = function_alias(name);
  if (alias != NULL) {
    return hy_parser_fail(p, "there is no function \"%s\"; %s", name, alias);
  }
  if (nearest.best != NULL) {
    return hy_parser_fail(p, "there is no function \"%s\"; did you mean \"%s\"?", name,
                          nearest.best);
  }
  return hy_parser_fail(p, "there is no function \"%s\"; the functions are:%s", name, all->str);
}

static gpointer fail_arguments(HyParser *p, const HyOp *info, guint n)
{
  if (info->min == info->max) {
    gboolean comma = n == 2 && info->min == 1;
    return hy_parser_fail(p, "%s takes %u argument%s, not %u%s", info->name, info->min,
                          info->min == 1 ? "" : "s", n,
                          comma ? " (the decimal sign is \".\")" : "");
  }
  if (info->max == HY_OP_ANY) {
    return hy_parser_fail(p, "%s needs at least one argument", info->name);
  }
  return hy_parser_fail(p, "write if(condition, a, b); this if has %u argument%s", n,
                        n == 1 ? "" : "s");
}

/* Pushes the arguments; the token is the one after "(". */
static gboolean parse_arguments(HyParser *p, guint32 open)
{
  for (;;) {
    const HyFormula *argument = parse_expression(p);
    if (argument == NULL) {
      return FALSE;
    }
    hy_push(p->pool, argument);
    if (p->token.type == ')') {
      return TRUE;
    }
    if (p->token.type != ',') {
      fail_rest(p, ')', open);
      return FALSE;
    }
    hy_token_next(p);
  }
}

/* The token is the function's name. */
static const HyFormula *parse_call(HyParser *p)
{
  guint op = hy_op_find(p->text + p->token.start, p->token.end - p->token.start);
  if (op == hy_n_ops) {
    return fail_function(p);
  }
  const HyOp *info = &hy_ops[op];
  HyFormula call = {.kind = HY_F_CALL, .function = (guint8)op, .offset = p->token.start};
  hy_token_next(p);
  if (p->token.type != '(') {
    return p->failed ? NULL : hy_parser_fail(p, "write if(condition, a, b)");
  }
  guint base = p->pool->stack->len;
  guint32 open = p->token.start;
  hy_token_next(p);
  if (p->token.type == ')') {
    return fail_arguments(p, info, 0);
  }
  if (!parse_arguments(p, open)) {
    g_ptr_array_set_size(p->pool->stack, (gint)base);
    return NULL;
  }
  guint n = p->pool->stack->len - base;
  const HyFormula *node = hy_node_with(p->pool, &call, NULL, base);
  if (n < info->min || (info->max != HY_OP_ANY && n > info->max)) {
    return fail_arguments(p, info, n);
  }
  hy_token_next(p);
  return node;
}

/* Whether "(" follows the name that is the token. */
static gboolean is_call(const HyParser *p)
{
  const char *s = p->text + p->token.end;
  return s[strspn(s, " \t\r\n")] == '(';
}

/* ---- Expressions ---- */

static const HyFormula *parse_bracket(HyParser *p)
{
  guint32 open = p->token.start;
  hy_token_next(p);
  const HyFormula *inside = parse_expression(p);
  if (inside == NULL) {
    return NULL;
  }
  if (p->token.type != ')') {
    return fail_rest(p, ')', open);
  }
  hy_token_next(p);
  return inside;
}

static const HyFormula *parse_text(HyParser *p)
{
  HyFormula *text = hy_node_new(p->pool, HY_F_TEXT, p->token.start);
  text->said.text =
      hy_pool_name(p->pool, p->text + p->token.start + 1, p->token.end - p->token.start - 2);
  text->said.choices = NULL;
  hy_token_next(p);
  return text;
}

static const HyFormula *parse_primary(HyParser *p)
{
  const HyFormula *number = NULL;
  switch (p->token.type) {
  case HY_T_NUMBER:
    number = hy_node_number(p->pool, p->token.number, p->token.start);
    hy_token_next(p);
    return number;
  case HY_T_TEXT:
    return parse_text(p);
  case HY_T_IF:
    return parse_call(p);
  case HY_T_NAME:
    return is_call(p) ? parse_call(p) : parse_ref(p);
  case '.':
    return parse_ref(p);
  case '(':
    return parse_bracket(p);
  default:
    return fail_operand(p);
  }
}

static const HyFormula *make_node(HyParser *p, HyFormulaKind kind, guint32 offset, char op,
                                  const HyFormula *a, const HyFormula *b)
{
  HyFormula like = {.kind = (guint8)kind, .offset = offset};
  const char ops[2] = {' ', op};
  guint base = p->pool->stack->len;
  hy_push(p->pool, a);
  if (b != NULL) {
    hy_push(p->pool, b);
  }
  return hy_node_with(p->pool, &like, op == 0 ? NULL : ops, base);
}

static const HyFormula *parse_power(HyParser *p)
{
  guint32 offset = p->token.start;
  const HyFormula *base = parse_primary(p);
  if (base == NULL || p->token.type != '^' || !enter(p)) {
    return p->failed ? NULL : base;
  }
  hy_token_next(p);
  const HyFormula *exponent = parse_unary(p);
  p->depth--;
  return exponent == NULL ? NULL : make_node(p, HY_F_POW, offset, 0, base, exponent);
}

static const HyFormula *parse_unary(HyParser *p)
{
  guint sign = p->token.type;
  guint32 offset = p->token.start;
  if (sign != '-' && sign != '+') {
    return parse_power(p);
  }
  if (!enter(p)) {
    return NULL;
  }
  hy_token_next(p);
  const HyFormula *operand = parse_unary(p);
  p->depth--;
  if (operand == NULL || sign == '+') {
    return operand;
  }
  if (operand->kind == HY_F_NUMBER) {
    return hy_node_number(p->pool, -operand->number, offset);
  }
  return make_node(p, HY_F_NEG, offset, 0, operand, NULL);
}

static char comparison(guint type)
{
  switch (type) {
  case '<':
  case '>':
    return (char)type;
  case HY_T_LE:
    return 'l';
  case HY_T_GE:
    return 'g';
  case HY_T_EQ:
    return '=';
  case HY_T_NE:
    return '!';
  default:
    return 0;
  }
}

/* How TYPE joins the parts of a chain of KIND; 0: not at all. */
static char chain_op(HyFormulaKind kind, guint type)
{
  switch (kind) {
  case HY_F_OR:
    return (char)(type == HY_T_OR ? '|' : 0);
  case HY_F_AND:
    return (char)(type == HY_T_AND ? '&' : 0);
  case HY_F_SUM:
    return (char)(type == '+' || type == '-' ? type : 0);
  default:
    return (char)(type == '*' || type == '/' ? type : 0);
  }
}

static const HyFormula *parse_chain(HyParser *p, HyFormulaKind kind)
{
  HyFormula like = {.kind = (guint8)kind, .offset = p->token.start};
  const HyFormula *part = parse_below(p, kind);
  char op = chain_op(kind, p->token.type);
  if (part == NULL || op == 0) {
    return part;
  }
  GPtrArray *stack = p->pool->stack;
  GByteArray *ops = p->pool->ops;
  guint base = stack->len, base_ops = ops->len;
  hy_push(p->pool, part);
  g_byte_array_append(ops, (const guint8 *)" ", 1);
  while (part != NULL && op != 0) {
    hy_token_next(p);
    part = parse_below(p, kind);
    hy_push(p->pool, part);
    g_byte_array_append(ops, (const guint8 *)&op, 1);
    op = chain_op(kind, p->token.type);
  }
  const HyFormula *node = NULL;
  if (part == NULL) {
    g_ptr_array_set_size(stack, (gint)base);
  } else {
    gboolean written = kind == HY_F_SUM || kind == HY_F_PRODUCT;
    node = hy_node_with(p->pool, &like, written ? (const char *)ops->data + base_ops : NULL, base);
  }
  g_byte_array_set_size(ops, base_ops);
  return node;
}

static const HyFormula *parse_compare(HyParser *p)
{
  guint32 offset = p->token.start;
  const HyFormula *left = parse_chain(p, HY_F_SUM);
  char op = comparison(p->token.type);
  if (left == NULL || op == 0) {
    return left;
  }
  hy_token_next(p);
  const HyFormula *right = parse_chain(p, HY_F_SUM);
  if (right == NULL) {
    return NULL;
  }
  if (comparison(p->token.type) != 0) {
    return hy_parser_fail(p, "comparisons do not chain; write a < b and b < c");
  }
  return make_node(p, HY_F_COMPARE, offset, op, left, right);
}

static const HyFormula *parse_not(HyParser *p)
{
  guint32 offset = p->token.start;
  if (p->token.type != HY_T_NOT) {
    return parse_compare(p);
  }
  if (!enter(p)) {
    return NULL;
  }
  hy_token_next(p);
  const HyFormula *operand = parse_not(p);
  p->depth--;
  return operand == NULL ? NULL : make_node(p, HY_F_NOT, offset, 0, operand, NULL);
}

static const HyFormula *parse_below(HyParser *p, HyFormulaKind kind)
{
  switch (kind) {
  case HY_F_OR:
    return parse_chain(p, HY_F_AND);
  case HY_F_AND:
    return parse_not(p);
  case HY_F_SUM:
    return parse_chain(p, HY_F_PRODUCT);
  default:
    return parse_unary(p);
  }
}

static const HyFormula *parse_expression(HyParser *p)
{
  if (!enter(p)) {
    return NULL;
  }
  const HyFormula *tree = parse_chain(p, HY_F_OR);
  p->depth--;
  return tree;
}

/* ---- Whole texts ---- */

static gboolean begins_item(const HyParser *p)
{
  return p->token.type == HY_T_IF || (p->token.type == HY_T_NAME && !is_call(p)) ||
         (p->token.type == '.' && hy_is_name_start(p->text[p->token.end]));
}

static gboolean is_item(const HyFormula *node)
{
  return node->kind == HY_F_REF || hy_formula_is_if(node);
}

static const HyFormula *parse_item(HyParser *p)
{
  return p->token.type == HY_T_IF ? parse_call(p) : parse_ref(p);
}

/* Items from the one that is on the stack, or none yet, as long as there are any. */
static const HyFormula *parse_items(HyParser *p, guint base, guint32 offset)
{
  HyFormula like = {.kind = HY_F_ITEMS, .offset = offset};
  const HyFormula *item = &like;
  while (item != NULL && begins_item(p) && (!p->token.glued || p->pool->stack->len == base)) {
    item = parse_item(p);
    hy_push(p->pool, item);
  }
  if (item == NULL || p->failed) {
    g_ptr_array_set_size(p->pool->stack, (gint)base);
    return NULL;
  }
  return hy_node_with(p->pool, &like, NULL, base);
}

static const HyFormula *parse_group(HyParser *p)
{
  guint32 offset = p->token.start;
  const HyFormula *first = parse_expression(p);
  if (first == NULL || p->token.glued || !is_item(first) || !begins_item(p)) {
    return first;
  }
  HyToken before = p->last, after = p->token;
  guint base = p->pool->stack->len;
  hy_push(p->pool, first);
  const HyFormula *items = parse_items(p, base, offset);
  if (items != NULL && p->token.type != ',' && p->token.type != HY_T_END) {
    return fail_operator(p, &before, &after);
  }
  return items;
}

static const HyFormula *parse_list(HyParser *p, gboolean source)
{
  HyFormula like = {.kind = HY_F_LIST, .offset = p->token.start};
  guint base = p->pool->stack->len;
  const HyFormula *group = NULL;
  for (;;) {
    group = source ? parse_group(p) : parse_expression(p);
    hy_push(p->pool, group);
    if (group == NULL || p->token.type != ',') {
      break;
    }
    hy_token_next(p);
  }
  if (group == NULL) {
    g_ptr_array_set_size(p->pool->stack, (gint)base);
    return NULL;
  }
  return hy_node_with(p->pool, &like, NULL, base);
}

static const HyFormula *parse_ends(HyParser *p)
{
  const HyFormula *items = parse_items(p, p->pool->stack->len, p->token.start);
  if (items != NULL && (items->n == 0 || p->token.type != HY_T_END)) {
    if (p->token.type == ',') {
      return hy_parser_fail(p, "ends of wires are separated by blanks, not by \",\"");
    }
    return hy_parser_fail(p, "a block or port such as b.in is expected before \"%.*s\"",
                          token_length(&p->token), p->text + p->token.start);
  }
  return items;
}

/* One expression, and a list where one value was expected. */
static const HyFormula *parse_single(HyParser *p)
{
  const HyFormula *tree = parse_expression(p);
  if (tree == NULL || p->token.type != ',') {
    return tree;
  }
  guint n = 1;
  while (tree != NULL && p->token.type == ',') {
    hy_token_next(p);
    tree = parse_expression(p);
    n++;
  }
  if (tree == NULL || p->token.type != HY_T_END) {
    return tree;
  }
  g_autofree char *text = hy_excerpt(p->text, p->length, 0);
  return hy_parser_fail_bare(
      p, "\"%s\" is a list of %u values, one is expected (the decimal sign is \".\")", text, n);
}

const HyFormula *hy_formula_parse(HyFormulaPool *pool, HyTextKind kind, const char *text,
                                  GError **error)
{
  static const char *const expected[] = {"an expression", "a value", "a source", "a block or port"};
  g_return_val_if_fail(kind <= HY_TEXT_ENDS, NULL);
  const HyFormula *tree = hy_pool_find(pool, kind, text);
  HyParser p;
  if (tree != NULL || !hy_parser_init(&p, pool, kind, text, expected[kind], error)) {
    return tree;
  }
  if (kind == HY_TEXT_EXPRESSION) {
    tree = parse_single(&p);
  } else if (kind == HY_TEXT_ENDS) {
    tree = parse_ends(&p);
  } else {
    tree = parse_list(&p, kind == HY_TEXT_SOURCE);
  }
  if (tree != NULL && p.token.type != HY_T_END) {
    fail_rest(&p, 0, 0);
  }
  if (p.failed || tree == NULL) {
    return NULL;
  }
  hy_pool_keep(pool, kind, text, tree);
  return tree;
}
