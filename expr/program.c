/* From an expression to a program: one pass in the order of the nodes, in which operands come
 * first. Registers are given out as nodes are reached and given back after the last node that reads
 * them (Poletto and Sarkar, "Linear scan register allocation", 1999, for code without branches), so
 * even a long sum needs few. A number that is an operand of + - * / ^ goes into the instruction (a
 * K-form); where it must be read from a register it is put there once, when registers are prepared.
 * Small whole powers are written out as multiplications, of a square that is there already where
 * one is. A mode ends a stretch of instructions: whoever evaluates decides it there, and what
 * depends on it follows. */
#include "program.h"
#include "base/carve.h"
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
  HyX *square;          /* [node]: its square + 1, or 0 */
  guint16 *free;        /* [n_free]: registers that may be used again */
  guint n_free, n_regs;
  HyProgram made;  /* its arrays with room for any program of these nodes */
  guint n_numbers; /* of it */
  gpointer work;   /* where all of these arrays are */
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
  return c->n_free > 0 ? c->free[--c->n_free] : c->n_regs++;
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
      c->free[c->n_free++] = (guint16)c->reg[operand[k]];
    }
  }
}

static guint16 number_of(Compiler *c, HyX x)
{
  if (c->b->node[x].b != 0) {
    return (guint16)c->b->node[x].a;
  }
  if (c->number[x] == 0) {
    c->made.number[c->n_numbers++] = c->b->node[x].v;
    c->number[x] = c->n_numbers;
  }
  return (guint16)(c->number[x] - 1);
}

static void emit(Compiler *c, guint op, guint dst, guint a, guint b)
{
  c->made.ins[c->made.n_ins++] = (HyIns){(guint8)op, 0, (guint16)dst, (guint16)a, (guint16)b};
}

/* A small whole power as the multiplications that hy_taylor_pow_int() would make. */
static gboolean is_small_power(const HyXBuilder *b, const HyNode *n)
{
  double p = n->op == HY_X_POW && hy_x_is_const(b, n->b) ? b->node[n->b].v : 0.0;
  return p >= 2.0 && p <= 16.0 && p == floor(p);
}

/* The register of the square of what X is a higher power of, if it is read after X, too; else that
 * of X, which the square is put into. */
static guint square_for(Compiler *c, HyX x, guint r)
{
  guint a = c->reg[c->b->node[x].a];
  HyX square = c->square[c->b->node[x].a];
  if (square > 0 && c->last[square - 1] > x) {
    return c->reg[square - 1];
  }
  emit(c, HY_X_MUL, r, a, a);
  return r;
}

static void emit_power(Compiler *c, HyX x)
{
  const HyNode *n = &c->b->node[x];
  guint m = (guint)c->b->node[n->b].v, top = 1, a = c->reg[n->a];
  guint r = new_register(c); /* not that of the base, which is read to the end */
  while (top <= m / 2) {
    top *= 2;
  }
  guint y = a;
  while ((top /= 2) > 0) {
    if (y == a && m > 2) {
      y = square_for(c, x, r);
    } else {
      emit(c, HY_X_MUL, r, y, y);
      y = r;
    }
    if (m & top) {
      emit(c, HY_X_MUL, r, y, a);
      y = r;
    }
  }
  release(c, x);
  c->reg[x] = r;
  c->square[n->a] = m == 2 ? x + 1 : c->square[n->a];
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
  c->mode[x] = c->made.n_modes;
  c->made.mode[c->made.n_modes++] =
      (HyProgramMode){.until = c->made.n_ins,
                      .rises = (guint16)c->reg[n->a],
                      .falls = (guint16)c->reg[n->c],
                      .reads_others = c->moded[n->a] || c->moded[n->c]};
  release(c, x);
}

/* A number that is read from a register: by a select, as both sides of a power, or as an output. */
static void fix(Compiler *c, HyX x)
{
  c->reg[x] = c->n_regs++;
  c->made.fixed[c->made.n_fixed] = (guint16)c->reg[x];
  c->made.fixed_number[c->made.n_fixed++] = number_of(c, x);
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

/* The instructions that the nodes can become at most. */
static gsize most_instructions(const HyXBuilder *b)
{
  gsize n = 2; /* a choice */
  for (HyX x = 0; x < b->n; x++) {
    n += is_small_power(b, &b->node[x]) ? 8 : 2;
  }
  return n;
}

static void lay_out_work(Compiler *c, HyCarve *carve, gsize n, gsize n_ins)
{
  c->need = hy_carve(carve, n * sizeof *c->need);
  c->moded = hy_carve(carve, n * sizeof *c->moded);
  c->last = hy_carve(carve, n * sizeof *c->last);
  c->reg = hy_carve(carve, n * sizeof *c->reg);
  c->number = hy_carve(carve, n * sizeof *c->number);
  c->mode = hy_carve(carve, n * sizeof *c->mode);
  c->square = hy_carve(carve, n * sizeof *c->square);
  c->free = hy_carve(carve, n * sizeof *c->free);
  c->made.ins = hy_carve(carve, n_ins * sizeof *c->made.ins);
  c->made.number = hy_carve(carve, n * sizeof *c->made.number);
  c->made.mode = hy_carve(carve, n * sizeof *c->made.mode);
  c->made.fixed = hy_carve(carve, n * sizeof *c->made.fixed);
  c->made.fixed_number = hy_carve(carve, n * sizeof *c->made.fixed_number);
}

static void compiler_init(Compiler *c, const HyXBuilder *b, guint n_in)
{
  HyCarve carve = {NULL, 0};
  gsize n = (gsize)b->n + 1, n_ins = most_instructions(b);
  *c = (Compiler){.b = b, .n_regs = n_in};
  lay_out_work(c, &carve, n, n_ins);
  c->work = hy_zeroed(carve.size);
  carve = (HyCarve){c->work, 0};
  lay_out_work(c, &carve, n, n_ins);
}

/* The arrays behind P, for as many as *P says. */
static void lay_out(HyProgram *p, HyCarve *carve, gsize n_numbers)
{
  p->ins = hy_carve(carve, p->n_ins * sizeof *p->ins);
  p->number = hy_carve(carve, n_numbers * sizeof *p->number);
  p->mode = hy_carve(carve, p->n_modes * sizeof *p->mode);
  p->out = hy_carve(carve, ((gsize)p->n_out + 1) * sizeof *p->out);
  p->load = hy_carve(carve, p->n_in * sizeof *p->load);
  p->fixed = hy_carve(carve, p->n_fixed * sizeof *p->fixed);
  p->fixed_number = hy_carve(carve, p->n_fixed * sizeof *p->fixed_number);
}

static HyProgram *program_alloc(const HyProgram *like, gsize n_numbers)
{
  HyProgram measured = *like;
  HyCarve carve = {NULL, 0};
  hy_carve(&carve, sizeof measured);
  lay_out(&measured, &carve, n_numbers);
  HyProgram *p = g_malloc(carve.size);
  *p = *like;
  carve = (HyCarve){(guint8 *)p, 0};
  hy_carve(&carve, sizeof *p);
  lay_out(p, &carve, n_numbers);
  return p;
}

static HyProgram *finished(const Compiler *c, const HyX *out)
{
  const HyProgram *made = &c->made;
  HyProgram *p = program_alloc(made, c->n_numbers);
  memcpy(p->ins, made->ins, made->n_ins * sizeof *p->ins);
  memcpy(p->number, made->number, c->n_numbers * sizeof *p->number);
  memcpy(p->mode, made->mode, made->n_modes * sizeof *p->mode);
  memcpy(p->fixed, made->fixed, made->n_fixed * sizeof *p->fixed);
  memcpy(p->fixed_number, made->fixed_number, made->n_fixed * sizeof *p->fixed_number);
  p->plain = hy_program_is_plain(p->ins, p->n_ins);
  p->out[p->n_out] = 0;
  for (guint k = 0; k < p->n_out; k++) {
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
  c.made.lanes = lanes;
  c.made.n_in = n_in;
  c.made.n_out = n_out;
  c.made.n_regs = c.n_regs;
  HyProgram *p = NULL;
  if (c.n_regs <= MOST && c.n_numbers <= MOST) {
    p = finished(&c, out);
  } else {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "more than %d inputs and intermediate values; divide it into several blocks", MOST);
  }
  g_free(c.work);
  return p;
}

void hy_program_free(HyProgram *p)
{
  g_free(p);
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
