/* Equations as Modelica. Rows of one form whose signals are elements of arrays, each one further
 * from row to row, are one loop:
 *
 *   for i in 2:N - 1 loop
 *     der(u[i]) = u[i - 1] - 2 * u[i] + u[i + 1];
 *   end for;
 *
 * What a form uses twice, and every choice, is a variable of its own (a1, a2, ...: the same text is
 * the same variable in all rows), unless only one side of a choice needs it and it has no value
 * everywhere: a root is taken where the choice has it. A mode m is decided by the rows that rise
 * and fall,
 *
 *   m = if pre(m) then falls >= 0 else rises > 0,
 *
 * or m = rises > 0 where they are one; equations read pre(m), so that none depends on itself: at an
 * event Modelica evaluates them until m and pre(m) agree, and between events they do. MicroModelica
 * has events instead, when rises > 0 then m := 1, and choices are m * a + (1 - m) * b. */
#include "modelica_internal.h"

#include "base/number.h"
#include "expr/ops.h"
#include "expr/print.h"

#include <math.h>
#include <string.h>

#define LOOP_LEAST 3U      /* rows */
#define DEEPEST    100U    /* levels of one text; what is deeper is a variable of its own */
#define TEXT_MOST  100000U /* characters of one */

/* One or two rows that say the same of TARGET [k], k = 0, 1, ... */
typedef enum { OF_STATE, OF_HUB, OF_MODE } LineKind;
typedef struct {
  LineKind kind;
  guint32 row[2]; /* of a mode: rises, falls */
  HyModelicaName target;
  guint atomic;
} Line;

/* A form being written, for N rows at once: what its leaves are in the first of them. */
typedef struct {
  HyModelica *w;
  const HyTemplate *t;
  HyNode *node;   /* those of T; what has become a variable is an input behind the slots */
  guint n, first; /* lines; the index of the first target */
  guint32 row;    /* the first one's */
  guint atomic;   /* whom to name where it cannot be said */
  HyModelicaName *slot, *flag;
  gboolean *slot_moves, *flag_moves;
  GArray *own; /* HyModelicaName: those variables */
} Form;

/* Leaves --------------------------------------------------------------------------------------- */

static HyModelicaName slot_name(const HyModelica *w, guint32 row, guint k)
{
  return w->value[w->m.place[hy_row_slots(&w->m.rows, row)[k]] - 1];
}

static HyModelicaName flag_name(const HyModelica *w, guint32 row, guint k)
{
  return w->mode[w->m.flag_at[hy_row_flags(&w->m.rows, row)[k]] - 1];
}

/* base[i + 1] of what moves with the loop. */
static void put_leaf(const Form *f, HyModelicaName name, gboolean moves, GString *out)
{
  gint64 ahead = (gint64)name.index - f->first;
  if (!moves) {
    hy_modelica_put_name(out, name);
  } else if (ahead == 0) {
    g_string_append_printf(out, "%s[i]", name.base);
  } else {
    g_string_append_printf(out, "%s[i %c %" G_GINT64_FORMAT "]", name.base, ahead > 0 ? '+' : '-',
                           ahead > 0 ? ahead : -ahead);
  }
}

static void put_flag(const Form *f, HyX flag, GString *out)
{
  guint a = f->node[flag].a;
  g_string_append(out, f->w->micro ? "" : "pre(");
  put_leaf(f, f->flag[a], f->flag_moves[a], out);
  g_string_append(out, f->w->micro ? "" : ")");
}

static void put_input(gpointer user, HyX x, GString *out)
{
  const Form *f = user;
  guint a = f->node[x].a;
  if (f->node[x].op == HY_X_FLAG) {
    put_flag(f, x, out);
  } else if (a < f->t->n_slots) {
    put_leaf(f, f->slot[a], f->slot_moves[a], out);
  } else {
    put_leaf(f, g_array_index(f->own, HyModelicaName, a - f->t->n_slots), f->n > 1, out);
  }
}

static void put_choice(gpointer user, HyX flag, guint part, GString *out)
{
  static const char *const around[2][3][2] = {
      {{"(if ", " then "}, {" else ", NULL}, {")", NULL}},
      {{"(", " * ("}, {") + (1 - ", ") * ("}, {"))", NULL}}};
  const Form *f = user;
  const char *const *text = around[f->w->micro ? 1 : 0][part];
  g_string_append(out, text[0]);
  if (text[1] != NULL) {
    put_flag(f, flag, out);
    g_string_append(out, text[1]);
  }
}

/* Variables of their own ----------------------------------------------------------------------- */

/* What a node is to the text of its form. */
typedef struct {
  guint uses, depth;
  gboolean exponent; /* a power that is the exponent of another: a^b^c is no Modelica */
  gboolean always;   /* it is needed whatever the modes are */
  gboolean limited;  /* it has no value, or none that is finite, for some operands */
} Standing;

static guint operands_of(const HyNode *n, HyX *operand)
{
  guint count = n->op == HY_X_SELECT ? 2 : hy_x_operands(n->op);
  operand[0] = n->op == HY_X_SELECT ? n->b : n->a;
  operand[1] = n->op == HY_X_SELECT ? n->c : n->b;
  return MIN(count, 2);
}

static double number_of(const Form *f, const HyNode *n)
{
  return n->b != 0 ? hy_row_numbers(&f->w->m.rows, f->row)[n->a] : n->v;
}

static gboolean is_limited(const Form *f, const HyNode *n)
{
  const HyNode *right = &f->node[n->b];
  gboolean number = right->op == HY_X_CONST;
  if (n->op == HY_X_DIV) {
    return !number;
  }
  if (n->op == HY_X_POW) {
    return !number || number_of(f, right) < 0.0 || fmod(number_of(f, right), 1.0) != 0.0;
  }
  return hy_x_operands(n->op) > 0 && hy_ops[n->op].domain == HY_PARTIAL;
}

static void find_standing(const Form *f, Standing *s)
{
  guint n = f->t->n_nodes;
  HyX operand[2];
  for (HyX x = 0; x < n; x++) {
    const HyNode *node = &f->node[x];
    guint count = operands_of(node, operand);
    s[x].limited = count > 0 && is_limited(f, node);
    for (guint k = 0; k < count; k++) {
      s[x].limited |= s[operand[k]].limited;
      s[operand[k]].uses++;
    }
    if (node->op == HY_X_POW && f->node[node->b].op == HY_X_POW) {
      s[node->b].exponent = TRUE;
    }
  }
  s[n - 1].always = TRUE;
  for (HyX x = n; x-- > 0;) {
    guint count = f->node[x].op == HY_X_SELECT ? 0 : operands_of(&f->node[x], operand);
    for (guint k = 0; k < count; k++) {
      s[operand[k]].always |= s[x].always;
    }
  }
}

/* A leaf, or one with a sign. */
static gboolean is_short(const Form *f, HyX x)
{
  HyX operand[2];
  const HyNode *n = &f->node[x];
  return operands_of(n, operand) == 0 || (n->op == HY_X_NEG && is_short(f, n->a));
}

static gboolean has_own(const Form *f, Standing *s, HyX x)
{
  HyX operand[2];
  const HyNode *n = &f->node[x];
  guint count = operands_of(n, operand);
  s[x].depth = 0;
  for (guint k = 0; k < count; k++) {
    s[x].depth = MAX(s[x].depth, s[operand[k]].depth + 1);
  }
  gboolean own =
      x + 1 < f->t->n_nodes && !is_short(f, x) &&
      (s[x].uses > 1 || s[x].depth >= DEEPEST || s[x].exponent || n->op == HY_X_SELECT) &&
      (s[x].always || !s[x].limited);
  s[x].depth = own ? 0 : s[x].depth;
  return own;
}

/* Text ----------------------------------------------------------------------------------------- */

static const char *called(gpointer user, guint op)
{
  const Form *f = user;
  return hy_ops[op].called[f->w->micro ? HY_IN_MICROMODELICA : HY_IN_MODELICA];
}

static gboolean put_text(Form *f, HyX x, GString *out)
{
  HyXPrinter p = {.node = f->node,
                  .number = hy_row_numbers(&f->w->m.rows, f->row),
                  .leaf = put_input,
                  .choice = put_choice,
                  .called = called,
                  .user = f,
                  .signs_apart = TRUE,
                  .most = out->len + TEXT_MOST,
                  .deepest = 2 * DEEPEST};
  hy_x_print(&p, x, out);
  return !p.cut;
}

/* for i in 2:9 loop ... end for, where there are several. */
static void put_equation(const Form *f, const char *left, const char *right)
{
  GString *out = f->w->equations;
  if (f->n > 1) {
    g_string_append_printf(out, "  for i in %u:%u loop\n    %s = %s;\n  end for;\n", f->first,
                           f->first + f->n - 1, left, right);
  } else {
    g_string_append_printf(out, "  %s = %s;\n", left, right);
  }
}

/* The node becomes an input: a variable that has its text as its equation. */
static gboolean make_own(Form *f, HyX x)
{
  HyModelica *w = f->w;
  g_autoptr(GString) right = g_string_new(NULL);
  if (!put_text(f, x, right)) {
    return FALSE;
  }
  if (f->node[x].op == HY_X_SELECT) { /* alone it needs no brackets */
    g_string_truncate(right, right->len - 1);
    g_string_erase(right, 0, 1);
  }
  char *key = g_strdup_printf("%u %u %s", f->n > 1 ? f->first : 0, f->n, right->str);
  char *base = g_hash_table_lookup(w->shared, key);
  HyModelicaName name = {base, f->n > 1 ? 1 : 0};
  if (base != NULL) {
    g_free(key);
  } else {
    g_autofree char *wanted = g_strdup_printf("a%u", g_hash_table_size(w->shared) + 1);
    name.base = hy_modelica_claim(w, wanted);
    g_hash_table_insert(w->shared, key, name.base);
    g_string_append_printf(w->declared, f->n > 1 ? "  Real %s[%u];\n" : "  Real %s;\n", name.base,
                           f->n);
    g_autoptr(GString) left = g_string_new(NULL);
    put_leaf(f, name, f->n > 1, left);
    put_equation(f, left->str, right->str);
  }
  f->node[x] = (HyNode){.op = HY_X_IN, .a = f->t->n_slots + f->own->len};
  g_array_append_val(f->own, name);
  return TRUE;
}

/* Forms ---------------------------------------------------------------------------------------- */

static gboolean refuse(const Form *f, const char *why, GError **error)
{
  return hy_standalone_refuse(&f->w->m, f->atomic, why, error);
}

/* Whether the language has the operation. */
static gboolean has_name(Form *f, const HyOp *op, GError **error)
{
  if (op->called[f->w->micro ? HY_IN_MICROMODELICA : HY_IN_MODELICA] != NULL) {
    return TRUE;
  }
  g_autofree char *why =
      g_strdup_printf("%s has no function %s%s", f->w->micro ? "MicroModelica" : "Modelica",
                      op->name, op->called[HY_IN_MODELICA] != NULL ? "; --modelica has it" : "");
  return refuse(f, why, error);
}

static gboolean can_be_said(Form *f, const Standing *s, GError **error)
{
  for (HyX x = 0; x < f->t->n_nodes; x++) {
    const HyNode *n = &f->node[x];
    if (n->op == HY_X_CONST && !isfinite(number_of(f, n))) {
      return refuse(f, "one of its numbers is not finite, which Modelica cannot write", error);
    }
    if (hy_x_operands(n->op) > 0 && !has_name(f, &hy_ops[n->op], error)) {
      return FALSE;
    }
    if (f->w->micro && n->op == HY_X_SELECT && (s[n->b].limited || s[n->c].limited)) {
      return refuse(
          f,
          "one side of a choice has no finite value everywhere (a quotient, a root, an "
          "exponential), and MicroModelica evaluates both; --modelica takes the side that holds",
          error);
    }
    f->w->wlog |= n->op == HY_X_WLOG;
  }
  return TRUE;
}

static gboolean make_form(Form *f, const Line *first, const Line *second, guint which,
                          GError **error)
{
  HyModelica *w = f->w;
  f->row = first->row[which];
  f->t = hy_row_template(&w->m.rows, f->row);
  f->atomic = first->atomic;
  f->first = first->target.index;
  f->own = g_array_new(FALSE, FALSE, sizeof(HyModelicaName));
  f->node = g_new0(HyNode, f->t->n_nodes);
  memcpy(f->node, f->t->node, f->t->n_nodes * sizeof *f->node);
  f->slot = g_new0(HyModelicaName, f->t->n_slots + 1);
  f->flag = g_new0(HyModelicaName, f->t->n_flags + 1);
  f->slot_moves = g_new0(gboolean, f->t->n_slots + 1);
  f->flag_moves = g_new0(gboolean, f->t->n_flags + 1);
  for (guint k = 0; k < f->t->n_slots; k++) {
    f->slot[k] = slot_name(w, f->row, k);
    f->slot_moves[k] = f->n > 1 && slot_name(w, second->row[which], k).index != f->slot[k].index;
  }
  for (guint k = 0; k < f->t->n_flags; k++) {
    f->flag[k] = flag_name(w, f->row, k);
    f->flag_moves[k] = f->n > 1 && flag_name(w, second->row[which], k).index != f->flag[k].index;
  }
  g_autofree Standing *s = g_new0(Standing, f->t->n_nodes);
  find_standing(f, s);
  if (!can_be_said(f, s, error)) {
    return FALSE;
  }
  for (HyX x = 0; x < f->t->n_nodes; x++) {
    if (has_own(f, s, x) && !make_own(f, x)) {
      return refuse(f, "its equation is too large", error);
    }
  }
  return TRUE;
}

static void clear_form(Form *f)
{
  g_clear_pointer(&f->own, g_array_unref);
  g_free(f->node);
  g_free(f->slot);
  g_free(f->flag);
  g_free(f->slot_moves);
  g_free(f->flag_moves);
}

/* "x > 0.5" of x - 0.5. */
static gboolean put_relation(Form *f, const char *sign, GString *out)
{
  HyX root = f->t->n_nodes - 1;
  HyNode n = f->node[root];
  gboolean ok = put_text(f, n.op == HY_X_SUB ? n.a : root, out);
  g_string_append_printf(out, " %s ", sign);
  if (n.op == HY_X_SUB) {
    return put_text(f, n.b, out) && ok;
  }
  g_string_append_c(out, '0');
  return ok;
}

/* Lines ---------------------------------------------------------------------------------------- */

/* RELATION [2] of FORM [2]: when it becomes set, and when not. */
static void put_events(const Form *f, const char *name, char *const *relation)
{
  const char *in = f->n > 1 ? "    " : "  ";
  GString *out = f->w->events;
  if (f->n > 1) {
    g_string_append_printf(out, "  for i in %u:%u loop\n", f->first, f->first + f->n - 1);
  }
  g_string_append_printf(out,
                         "%swhen %s then\n%s  %s := 1;\n%selsewhen %s then\n%s  %s := 0;\n%send "
                         "when;\n",
                         in, relation[0], in, name, in, relation[1], in, name, in);
  g_string_append(out, f->n > 1 ? "  end for;\n" : "");
}

static gboolean put_mode(Form *form, const Line *line, const char *name, GError **error)
{
  HyModelica *w = form->w;
  g_autoptr(GString) rises = g_string_new(NULL), falls = g_string_new(NULL);
  if (!put_relation(&form[0], ">", rises) ||
      !put_relation(&form[1], w->micro ? "<" : ">=", falls)) {
    return refuse(form, "what decides its mode is too large an equation", error);
  }
  if (w->micro) {
    put_events(form, name, (char *[]){rises->str, falls->str});
  } else if (line->row[0] == line->row[1]) {
    put_equation(form, name, rises->str);
  } else {
    g_autofree char *right =
        g_strdup_printf("if pre(%s) then %s else %s", name, falls->str, rises->str);
    put_equation(form, name, right);
  }
  return TRUE;
}

static gboolean put_made(Form *form, const Line *line, GError **error)
{
  g_autoptr(GString) name = g_string_new(NULL), right = g_string_new(NULL);
  put_leaf(form, line->target, form->n > 1, name);
  if (line->kind == OF_MODE) {
    return put_mode(form, line, name->str, error);
  }
  if (!put_text(form, form->t->n_nodes - 1, right)) {
    return refuse(form, "its equation is too large", error);
  }
  g_autofree char *left =
      line->kind == OF_STATE ? g_strdup_printf("der(%s)", name->str) : g_strdup(name->str);
  put_equation(form, left, right->str);
  return TRUE;
}

/* N lines of one form from LINE on. */
static gboolean put_lines(HyModelica *w, const Line *line, guint n, GError **error)
{
  Form form[2] = {{.w = w, .n = n}, {.w = w, .n = n}};
  gboolean ok = make_form(&form[0], &line[0], &line[1], 0, error) &&
                (line->kind != OF_MODE || make_form(&form[1], &line[0], &line[1], 1, error)) &&
                put_made(form, line, error);
  clear_form(&form[0]);
  clear_form(&form[1]);
  return ok;
}

/* B is A, or D places further if C is one place further. */
static gboolean goes_on(HyModelicaName a, HyModelicaName c, HyModelicaName b, guint d)
{
  return a.base == b.base && b.index == a.index + (c.index != a.index ? d : 0);
}

static gboolean alike(const HyModelica *w, const Line *line, guint d, guint which)
{
  const HyRows *rows = &w->m.rows;
  guint32 a = line[0].row[which], c = line[1].row[which], b = line[d].row[which];
  const HyTemplate *t = hy_row_template(rows, a);
  if (hy_row_template(rows, b) != t || memcmp(hy_row_numbers(rows, a), hy_row_numbers(rows, b),
                                              t->n_numbers * sizeof(double)) != 0) {
    return FALSE;
  }
  for (guint k = 0; k < t->n_slots; k++) {
    if (!goes_on(slot_name(w, a, k), slot_name(w, c, k), slot_name(w, b, k), d)) {
      return FALSE;
    }
  }
  for (guint k = 0; k < t->n_flags; k++) {
    if (!goes_on(flag_name(w, a, k), flag_name(w, c, k), flag_name(w, b, k), d)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* How many from LINE on, of N, are one loop. */
static guint length_of_run(const HyModelica *w, const Line *line, guint n)
{
  guint d = 1;
  while (d < n && alike(w, line, d, 0) && (line->kind != OF_MODE || alike(w, line, d, 1))) {
    d++;
  }
  return d >= LOOP_LEAST ? d : 1;
}

static gboolean put_array(HyModelica *w, const GArray *lines, GError **error)
{
  guint n = 1;
  for (guint k = 0; k < lines->len; k += n) {
    const Line *line = &g_array_index(lines, Line, k);
    n = length_of_run(w, line, lines->len - k);
    if (!put_lines(w, line, n, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static gint by_index(gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;
  return (x->target.index > y->target.index) - (x->target.index < y->target.index);
}

/* Lines of one array together, at the place of the first. */
static gboolean put_all(HyModelica *w, const GArray *lines, GError **error)
{
  g_autoptr(GHashTable) of_base =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  g_autoptr(GPtrArray) order = g_ptr_array_new();
  for (guint k = 0; k < lines->len; k++) {
    const Line *line = &g_array_index(lines, Line, k);
    GArray *array = g_hash_table_lookup(of_base, line->target.base);
    if (array == NULL) {
      array = g_array_new(FALSE, FALSE, sizeof(Line));
      g_hash_table_insert(of_base, line->target.base, array);
      g_ptr_array_add(order, array);
    }
    g_array_append_vals(array, line, 1);
  }
  for (guint k = 0; k < order->len; k++) {
    g_array_sort(order->pdata[k], by_index);
    if (!put_array(w, order->pdata[k], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

gboolean hy_modelica_rows(HyModelica *w, GError **error)
{
  const HyStandaloneMaker *m = &w->m;
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(Line));
  for (guint k = 0; k < m->hub->len; k++) {
    guint32 slot = hy_nth(m->hub, k), row = hy_rows_hub(&m->rows, slot)->row;
    Line line = {OF_HUB,
                 {row, row},
                 w->value[m->n + m->source->len + k],
                 m->room->diagram.flat->owner[slot]};
    g_array_append_val(lines, line);
  }
  for (guint k = 0; k < m->n; k++) {
    guint32 row = hy_nth(m->row, k);
    Line line = {OF_STATE, {row, row}, w->value[k], hy_room_state(m->room, k)->atomic};
    g_array_append_val(lines, line);
  }
  for (guint k = 0; k < m->mode->len; k++) {
    const HyStandaloneMode *mode = &g_array_index(m->mode, HyStandaloneMode, k);
    Line line = {OF_MODE,
                 {mode->rises, mode->falls},
                 w->mode[k],
                 hy_part_of(m->room->first_flag, m->room->diagram.flat->n, mode->flag)};
    g_array_append_val(lines, line);
  }
  return put_all(w, lines, error);
}
