/* From an expression to a program: one pass in the order of the nodes, in which operands come
 * first. Registers are given out as nodes are reached and given back after the last node that reads
 * them (Poletto and Sarkar, "Linear scan register allocation", 1999, for code without branches), so
 * even a long sum needs few. A number that is an operand of + - * / ^ goes into the instruction (a
 * K-form); where it must be read from a register it is put there once, when registers are prepared.
 * Small whole powers are written out as multiplications. A mode ends a stretch of instructions:
 * whoever evaluates decides it there, and what depends on it follows. */
#include "program.h"
#include "hydevs/error.h"

#include <math.h>
#include <string.h>

#define MOST G_MAXUINT16

typedef struct {
  const HyXBuilder *b;
  guint8 *need, *moded; /* [node]; MODED: changes with a mode */
  guint *last;          /* [node]: the last node that reads it; G_MAXUINT: kept to the end */
  guint32 *reg;         /* [node] */
  guint32 *number;      /* [node]: place among the numbers + 1 */
  guint32 *mode;        /* [node] */
  GArray *free;         /* guint16: registers that may be used again */
  GArray *ins, *numbers, *modes, *fixed, *fixed_number;
  guint n_regs;
} Compiler;

/* Which operand of a node is a number that goes into the instruction: 1 a, 2 b, 0 none. */
static int number_operand(const HyXBuilder *b, const HyNode *n)
{
  if (n->op <= HY_X_POW && hy_x_is_const(b, n->b)) {
    return 2;
  }
  return n->op <= HY_X_DIV && hy_x_is_const(b, n->a) ? 1 : 0;
}

/* The nodes that N reads from registers. */
static guint register_operands(const HyXBuilder *b, const HyNode *n, HyX *operand)
{
  guint k = 0;
  guint operands = hy_x_operands(n->op);
  int known = operands == 2 ? number_operand(b, n) : 0;
  if (operands > 0 && known != 1) {
    operand[k++] = n->a;
  }
  if (operands == 2 && known != 2) {
    operand[k++] = n->b;
  }
  if (n->op == HY_X_SELECT) {
    operand[k++] = n->b;
    operand[k++] = n->c;
  } else if (n->op == HY_X_MODE) {
    operand[k++] = n->a;
    operand[k++] = n->c;
  }
  return k;
}

static void find_last_uses(Compiler *c, const HyX *out, guint n_out)
{
  HyX operand[2];
  for (HyX x = 0; x < c->b->n; x++) {
    guint n = c->need[x] ? register_operands(c->b, &c->b->node[x], operand) : 0;
    for (guint k = 0; k < n; k++) {
      c->last[operand[k]] = x;
    }
  }
  for (guint k = 0; k < n_out; k++) {
    c->last[out[k]] = G_MAXUINT;
  }
}

static guint new_register(Compiler *c)
{
  if (c->free->len > 0) {
    guint16 reg = g_array_index(c->free, guint16, c->free->len - 1);
    g_array_set_size(c->free, c->free->len - 1);
    return reg;
  }
  return c->n_regs++;
}

static gboolean is_temporary(const HyNode *n)
{
  return n->op != HY_X_IN && n->op != HY_X_CONST && n->op != HY_X_MODE && n->op != HY_X_FLAG;
}

/* Registers whose last reader is X may be used again, also for its own result. */
static void release(Compiler *c, HyX x)
{
  HyX operand[2];
  guint n = register_operands(c->b, &c->b->node[x], operand);
  for (guint k = 0; k < n; k++) {
    if (c->last[operand[k]] == x && is_temporary(&c->b->node[operand[k]]) &&
        (k == 0 || operand[0] != operand[1])) {
      guint16 reg = (guint16)c->reg[operand[k]];
      g_array_append_val(c->free, reg);
    }
  }
}

static guint16 number_of(Compiler *c, HyX x)
{
  if (c->b->node[x].b != 0) {
    return (guint16)c->b->node[x].a;
  }
  if (c->number[x] == 0) {
    g_array_append_val(c->numbers, c->b->node[x].v);
    c->number[x] = c->numbers->len;
  }
  return (guint16)(c->number[x] - 1);
}

static void emit(Compiler *c, guint op, guint dst, guint a, guint b)
{
  HyIns ins = {(guint8)op, 0, (guint16)dst, (guint16)a, (guint16)b};
  g_array_append_val(c->ins, ins);
}

/* A small whole power as the multiplications that hy_taylor_pow_int() would make. */
static gboolean is_small_power(const HyXBuilder *b, const HyNode *n)
{
  double p = n->op == HY_X_POW && hy_x_is_const(b, n->b) ? b->node[n->b].v : 0.0;
  return p >= 2.0 && p <= 16.0 && p == floor(p);
}

static void emit_power(Compiler *c, HyX x)
{
  const HyNode *n = &c->b->node[x];
  guint m = (guint)c->b->node[n->b].v, top = 1, a = c->reg[n->a];
  guint r = new_register(c); /* not that of the base, which is read to the end */
  while (top <= m / 2) {
    top *= 2;
  }
  for (guint y = a; (top /= 2) > 0; y = r) {
    emit(c, HY_X_MUL, r, y, y);
    if (m & top) {
      emit(c, HY_X_MUL, r, r, a);
    }
  }
  release(c, x);
  c->reg[x] = r;
}

static void emit_operation(Compiler *c, HyX x)
{
  static const guint8 k_second[] = {HY_I_ADD_K, HY_I_SUB_K, HY_I_MUL_K, HY_I_DIV_K, HY_I_POW_K};
  static const guint8 k_first[] = {HY_I_ADD_K, HY_I_K_SUB, HY_I_MUL_K, HY_I_K_DIV};
  const HyNode *n = &c->b->node[x];
  guint operands = hy_x_operands(n->op);
  int known = operands == 2 ? number_operand(c->b, n) : 0;
  HyX only = known == 1 ? n->b : n->a, other = known == 1 ? n->a : n->b;
  if (known == 2 && is_small_power(c->b, n)) {
    emit_power(c, x);
    return;
  }
  release(c, x);
  c->reg[x] = new_register(c);
  if (known != 0) {
    guint op = known == 1 ? k_first[n->op] : k_second[n->op];
    emit(c, op, c->reg[x], c->reg[only], number_of(c, other));
  } else {
    emit(c, n->op, c->reg[x], c->reg[n->a], operands == 2 ? c->reg[n->b] : 0);
  }
}

static void emit_select(Compiler *c, HyX x)
{
  const HyNode *n = &c->b->node[x];
  release(c, x);
  c->reg[x] = new_register(c);
  emit(c, HY_I_SELECT, c->reg[x], c->reg[n->b], c->reg[n->c]);
  emit(c, HY_I_SELECT, c->mode[n->a], 0, 0);
}

static void emit_mode(Compiler *c, HyX x)
{
  const HyNode *n = &c->b->node[x];
  HyProgramMode mode = {.until = c->ins->len,
                        .rises = (guint16)c->reg[n->a],
                        .falls = (guint16)c->reg[n->c],
                        .reads_others = c->moded[n->a] || c->moded[n->c]};
  c->mode[x] = c->modes->len;
  g_array_append_val(c->modes, mode);
  release(c, x);
}

/* A number that is read from a register: by a select, as both sides of a power, or as an output. */
static void fix(Compiler *c, HyX x)
{
  guint16 reg = (guint16)c->n_regs++, number = number_of(c, x);
  c->reg[x] = reg;
  g_array_append_val(c->fixed, reg);
  g_array_append_val(c->fixed_number, number);
}

static void compile(Compiler *c)
{
  for (HyX x = 0; x < c->b->n && c->n_regs <= MOST; x++) {
    guint32 op = c->b->node[x].op;
    if (!c->need[x]) {
      continue;
    }
    HyX operand[2];
    guint n = register_operands(c->b, &c->b->node[x], operand);
    c->moded[x] = op == HY_X_SELECT;
    for (guint k = 0; k < n; k++) {
      c->moded[x] |= c->moded[operand[k]];
    }
    if (op == HY_X_IN) {
      c->reg[x] = c->b->node[x].a;
    } else if (op == HY_X_FLAG) {
      c->mode[x] = c->b->node[x].a;
    } else if (op == HY_X_CONST) {
      if (c->last[x] != 0) {
        fix(c, x);
      }
    } else if (op == HY_X_MODE) {
      emit_mode(c, x);
    } else if (op == HY_X_SELECT) {
      emit_select(c, x);
    } else {
      emit_operation(c, x);
    }
  }
}

static void compiler_init(Compiler *c, const HyXBuilder *b, guint n_in)
{
  gsize n = (gsize)b->n + 1;
  *c = (Compiler){.b = b,
                  .need = g_new0(guint8, n),
                  .moded = g_new0(guint8, n),
                  .last = g_new0(guint, n),
                  .reg = g_new0(guint32, n),
                  .number = g_new0(guint32, n),
                  .mode = g_new0(guint32, n),
                  .free = g_array_new(FALSE, FALSE, sizeof(guint16)),
                  .ins = g_array_sized_new(FALSE, FALSE, sizeof(HyIns), 1), /* never NULL */
                  .numbers = g_array_new(FALSE, FALSE, sizeof(double)),
                  .modes = g_array_new(FALSE, FALSE, sizeof(HyProgramMode)),
                  .fixed = g_array_new(FALSE, FALSE, sizeof(guint16)),
                  .fixed_number = g_array_new(FALSE, FALSE, sizeof(guint16)),
                  .n_regs = n_in};
}

static void compiler_clear(Compiler *c)
{
  g_free(c->need);
  g_free(c->moded);
  g_free(c->last);
  g_free(c->reg);
  g_free(c->number);
  g_free(c->mode);
  g_array_unref(c->free);
}

static gpointer taken(GArray *array, guint *n)
{
  *n = array->len;
  return g_array_free(array, FALSE);
}

static HyProgram *finished(Compiler *c, const HyX *out, guint n_out, guint n_in, guint lanes)
{
  guint n_numbers, n_fixed;
  HyProgram *p = g_new0(HyProgram, 1);
  *p = (HyProgram){.lanes = lanes, .n_in = n_in, .n_out = n_out, .n_regs = c->n_regs};
  p->ins = taken(c->ins, &p->n_ins);
  p->plain = hy_program_is_plain(p->ins, p->n_ins);
  p->number = taken(c->numbers, &n_numbers);
  p->mode = taken(c->modes, &p->n_modes);
  p->fixed = taken(c->fixed, &p->n_fixed);
  p->fixed_number = taken(c->fixed_number, &n_fixed);
  p->out = g_new(guint16, (gsize)n_out + 1);
  p->load = g_new(guint16, (gsize)n_in + 1);
  for (guint k = 0; k < n_out; k++) {
    p->out[k] = (guint16)c->reg[out[k]];
  }
  for (HyX x = 0; x < c->b->n; x++) {
    if (c->need[x] && c->b->node[x].op == HY_X_IN) {
      p->load[p->n_load++] = (guint16)c->b->node[x].a;
    }
  }
  return p;
}

HyProgram *hy_program_new(const HyXBuilder *b, const HyX *out, guint n_out, guint n_in, guint lanes,
                          GError **error)
{
  g_return_val_if_fail(lanes >= 1 && lanes <= 4, NULL);
  Compiler c;
  compiler_init(&c, b, n_in);
  hy_x_reach(b, out, n_out, TRUE, c.need);
  find_last_uses(&c, out, n_out);
  if (n_in <= MOST) {
    compile(&c);
  }
  gboolean fits = c.n_regs <= MOST && c.numbers->len <= MOST;
  HyProgram *p = finished(&c, out, n_out, n_in, lanes);
  if (!fits) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "more than %d inputs and intermediate values; divide it into several blocks", MOST);
    g_clear_pointer(&p, hy_program_free);
  }
  compiler_clear(&c);
  return p;
}

void hy_program_free(HyProgram *p)
{
  if (p != NULL) {
    g_free(p->load);
    g_free(p->ins);
    g_free(p->number);
    g_free(p->mode);
    g_free(p->out);
    g_free(p->fixed);
    g_free(p->fixed_number);
    g_free(p);
  }
}

void hy_program_prepare(const HyProgram *p, HyReg *reg)
{
  hy_program_prepare_with(p, p->number, reg);
}

void hy_program_prepare_with(const HyProgram *p, const double *number, HyReg *reg)
{
  memset(reg, 0, (gsize)p->n_regs * sizeof *reg);
  hy_program_fix(p, number, reg);
}

void hy_program_fix(const HyProgram *p, const double *number, HyReg *reg)
{
  for (guint k = 0; k < p->n_fixed; k++) {
    reg[p->fixed[k]][0] = number[p->fixed_number[k]];
  }
}
