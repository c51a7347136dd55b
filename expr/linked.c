/* Linking, and running what is linked.
 *
 * The value of the last instruction stands in an accumulator, as many lanes as there are, which a
 * compiler keeps in registers of the machine. An instruction takes it as one of its operands, where
 * the program has it so, and the other from memory; it is stored only if somebody else than the
 * next instruction reads it. (Ertl, "Stack caching for interpreters", 1995: this is the cache of
 * one item.) An instruction of which no operand is there takes both from memory, or loads one.
 *
 * A program that fetches its inputs has one more instruction for each of them, before the first
 * that reads it; so an input that is read once need not be stored either.
 *
 * The bits are those of run.c: the same operations in the same order. a + b and b + a are one
 * number, and so are the sums of two products; sums of three are not, so there is a form of a b for
 * the accumulator on either side. */
#include "linked.h"

#include "lanes.h"
#include "numerics/poly.h"

#include <string.h>

static HyLinkedRun *run_of(guint lanes);

enum {
  LINKED_END,
  LINKED_LOAD,       /* acc = a */
  LINKED_FETCH,      /* acc = an input, as it is now; */
  LINKED_FETCH_FROM, /* the same where a pointer leads to it */
  LINKED_STORE,      /* a = acc */
  /* Both operands from memory. */
  LINKED_ADD,
  LINKED_SUB,
  LINKED_MUL,
  LINKED_SQUARE, /* a a */
  LINKED_SCALE,  /* k a */
  /* The accumulator and a. */
  LINKED_ACC_ADD,
  LINKED_ACC_SUB,
  LINKED_SUB_ACC, /* a - acc, and likewise */
  LINKED_ACC_MUL,
  LINKED_MUL_ACC,
  LINKED_ACC_DIV,
  LINKED_DIV_ACC,
  /* The accumulator alone, or with a number. */
  LINKED_NEG,
  LINKED_ADD_K,
  LINKED_SUB_K,
  LINKED_K_SUB,
  LINKED_MUL_K,
  LINKED_DIV_K,
  LINKED_K_DIV
};

/* Linking ------------------------------------------------------------------------------------- */

#define NO_REGISTER G_MAXUINT
#define FETCH       255 /* in place of an operation: input a comes to register dst = a */

typedef struct {
  const HyProgram *p;
  HyReg *reg;
  GArray *from;            /* HyIns: what is linked, the instructions of P with those that fetch */
  guint8 *stored;          /* [from]: its result is read by others than the next instruction */
  gboolean apart;          /* inputs lie where pointers lead */
  guint acc;               /* the register whose value the accumulator has */
  const void *const *code; /* by operation */
  GArray *ins;
} Linker;

static gboolean linked_has_two(guint op)
{
  return op <= HY_X_DIV;
}

static void linked_fetch(Linker *l, guint8 *fetched, guint reg)
{
  if (reg < l->p->n_in && !fetched[reg]) {
    HyIns ins = {.op = FETCH, .dst = (guint16)reg, .a = (guint16)reg};
    g_array_append_val(l->from, ins);
    fetched[reg] = 1;
  }
}

/* FETCHED: inputs that are in their registers; the others are fetched where they are used first. */
static void linked_order(Linker *l, guint8 *fetched)
{
  const HyProgram *p = l->p;
  for (guint k = 0; k < p->n_ins; k++) {
    const HyIns *i = &p->ins[k];
    if (linked_has_two(i->op)) {
      linked_fetch(l, fetched, i->b);
    }
    linked_fetch(l, fetched, i->a);
    if (i->dst < p->n_in) {
      fetched[i->dst] = 1; /* it was not an input any more */
    }
    g_array_append_val(l->from, *i);
  }
  for (guint k = 0; k < p->n_out; k++) {
    linked_fetch(l, fetched, p->out[k]);
  }
}

/* Backwards: how often a register is read from here on until it is written, and by whom first. */
static void linked_find_stored(Linker *l)
{
  const HyProgram *p = l->p;
  g_autofree guint *reads = g_new0(guint, (gsize)p->n_regs + 1);
  g_autofree guint *first = g_new0(guint, (gsize)p->n_regs + 1);
  for (guint k = 0; k < p->n_out; k++) {
    reads[p->out[k]] = 2;
  }
  for (guint k = l->from->len; k-- > 0;) {
    const HyIns *i = &g_array_index(l->from, HyIns, k);
    l->stored[k] = reads[i->dst] > 1 || (reads[i->dst] == 1 && first[i->dst] != k + 1);
    reads[i->dst] = 0;
    if (i->op == FETCH) {
      continue;
    }
    reads[i->a]++;
    first[i->a] = k;
    if (linked_has_two(i->op)) {
      reads[i->b]++;
      first[i->b] = k;
    }
  }
}

static void linked_emit(Linker *l, guint op, guint a, guint b, guint number)
{
  HyLinkedIns ins = {.code = l->code[op], .number = number};
  ins.a = a != NO_REGISTER ? l->reg[a] : NULL;
  if (b != NO_REGISTER) {
    ins.b = l->reg[b];
  }
  g_array_append_val(l->ins, ins);
}

static void linked_want(Linker *l, guint reg)
{
  if (l->acc != reg) {
    linked_emit(l, LINKED_LOAD, reg, NO_REGISTER, 0);
  }
}

static void linked_of_two(Linker *l, const HyIns *i)
{
  static const guint8 left[] = {LINKED_ACC_ADD, LINKED_ACC_SUB, LINKED_ACC_MUL, LINKED_ACC_DIV};
  static const guint8 right[] = {LINKED_ACC_ADD, LINKED_SUB_ACC, LINKED_MUL_ACC, LINKED_DIV_ACC};
  static const guint8 both[] = {LINKED_ADD, LINKED_SUB, LINKED_MUL};
  if (l->acc == i->a) {
    linked_emit(l, left[i->op], i->b, NO_REGISTER, 0);
  } else if (l->acc == i->b) {
    linked_emit(l, right[i->op], i->a, NO_REGISTER, 0);
  } else if (i->op == HY_X_DIV) {
    linked_want(l, i->a);
    linked_emit(l, LINKED_ACC_DIV, i->b, NO_REGISTER, 0);
  } else if (i->op == HY_X_MUL && i->a == i->b) {
    linked_emit(l, LINKED_SQUARE, i->a, NO_REGISTER, 0);
  } else {
    linked_emit(l, both[i->op], i->a, i->b, 0);
  }
}

static void linked_of_one(Linker *l, const HyIns *i)
{
  static const guint8 with_number[] = {LINKED_ADD_K, LINKED_SUB_K, LINKED_K_SUB,
                                       LINKED_MUL_K, LINKED_DIV_K, LINKED_K_DIV};
  if (i->op == HY_I_MUL_K && l->acc != i->a) {
    linked_emit(l, LINKED_SCALE, i->a, NO_REGISTER, i->b);
    return;
  }
  linked_want(l, i->a);
  if (i->op == HY_X_NEG) {
    linked_emit(l, LINKED_NEG, NO_REGISTER, NO_REGISTER, 0);
  } else {
    linked_emit(l, with_number[i->op - HY_I_ADD_K], NO_REGISTER, NO_REGISTER, i->b);
  }
}

static void linked_of_input(Linker *l, guint in)
{
  if (l->apart) {
    linked_emit(l, LINKED_FETCH_FROM, NO_REGISTER, NO_REGISTER, in);
  } else {
    linked_emit(l, LINKED_FETCH, NO_REGISTER, NO_REGISTER, (guint)(in * sizeof(HyPiece)));
  }
}

static void linked_all(Linker *l)
{
  for (guint k = 0; k < l->from->len; k++) {
    const HyIns *i = &g_array_index(l->from, HyIns, k);
    if (i->op == FETCH) {
      linked_of_input(l, i->a);
    } else if (linked_has_two(i->op)) {
      linked_of_two(l, i);
    } else {
      linked_of_one(l, i);
    }
    if (l->stored[k]) {
      linked_emit(l, LINKED_STORE, i->dst, NO_REGISTER, 0);
    }
    l->acc = i->dst;
  }
  linked_emit(l, LINKED_END, NO_REGISTER, NO_REGISTER, 0);
}

/* FETCHED: see linked_order(). */
static HyLinked *linked_new(const HyProgram *p, HyReg *reg, guint8 *fetched, gboolean apart)
{
  g_return_val_if_fail(p->plain && p->n_modes == 0, NULL);
  HyLinkedRun *run = run_of(p->lanes);
  Linker l = {.p = p,
              .reg = reg,
              .from = g_array_new(FALSE, FALSE, sizeof(HyIns)),
              .apart = apart,
              .acc = NO_REGISTER,
              .code = run(NULL, NULL, NULL, 0.0),
              .ins = g_array_new(FALSE, FALSE, sizeof(HyLinkedIns))};
  linked_order(&l, fetched);
  g_autofree guint8 *stored = g_new0(guint8, (gsize)l.from->len + 1);
  l.stored = stored;
  linked_find_stored(&l);
  linked_all(&l);
  g_array_free(l.from, TRUE);
  HyLinked *linked = g_new(HyLinked, 1);
  *linked = (HyLinked){.run = run};
  linked->ins = (HyLinkedIns *)(gpointer)g_array_free(l.ins, FALSE);
  return linked;
}

static guint8 *linked_all_fetched(const HyProgram *p)
{
  guint8 *fetched = g_new(guint8, (gsize)p->n_in + 1);
  memset(fetched, 1, (gsize)p->n_in + 1);
  return fetched;
}

HyLinked *hy_linked_new(const HyProgram *p, HyReg *reg)
{
  g_autofree guint8 *fetched = linked_all_fetched(p);
  return linked_new(p, reg, fetched, FALSE);
}

HyLinked *hy_linked_new_from(const HyProgram *p, HyReg *reg, gboolean apart)
{
  g_autofree guint8 *fetched = linked_all_fetched(p);
  for (guint k = 0; k < p->n_load; k++) {
    fetched[p->load[k]] = 0;
  }
  return linked_new(p, reg, fetched, apart);
}

void hy_linked_free(HyLinked *l)
{
  if (l != NULL) {
    g_free(l->ins);
    g_free(l);
  }
}

/* Running ------------------------------------------------------------------------------------- */

/* By name, so that each lane is a variable of its own. Lanes from n on are not looked at. */
typedef struct {
  double c0, c1, c2, c3;
} Lanes;

#define LANES static inline __attribute__((always_inline)) Lanes

LANES lanes_load(const double *a, const int n)
{
  return (Lanes){a[0], n > 1 ? a[1] : 0.0, n > 2 ? a[2] : 0.0, n > 3 ? a[3] : 0.0};
}

EACH_LANES lanes_store(Lanes x, double *r, const int n)
{
  r[0] = x.c0;
  if (n > 1) {
    r[1] = x.c1;
  }
  if (n > 2) {
    r[2] = x.c2;
  }
  if (n > 3) {
    r[3] = x.c3;
  }
}

static inline const HyPiece *linked_piece(const void *in, gsize bytes)
{
  return (const HyPiece *)(const void *)((const guint8 *)in + bytes);
}

static inline const HyPiece *linked_piece_from(const void *in, gsize k)
{
  return ((const HyPiece *const *)in)[k];
}

/* An input from T on; a piece of this very instant is not moved, for its slopes may be infinite. */
LANES lanes_fetch(const HyPiece *u, double t, const int n)
{
  double c[4] = {0.0, 0.0, 0.0, 0.0};
  for (int k = 0; k < n; k++) {
    c[k] = u->c[k];
  }
  hy_poly_shift(c, n, t - u->t);
  return lanes_load(c, n);
}

LANES lanes_sum(Lanes a, Lanes b)
{
  return (Lanes){a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2, a.c3 + b.c3};
}

LANES lanes_difference(Lanes a, Lanes b)
{
  return (Lanes){a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2, a.c3 - b.c3};
}

LANES lanes_product(Lanes a, Lanes b)
{
  return (Lanes){a.c0 * b.c0, a.c0 * b.c1 + a.c1 * b.c0, a.c0 * b.c2 + a.c1 * b.c1 + a.c2 * b.c0,
                 a.c0 * b.c3 + a.c1 * b.c2 + a.c2 * b.c1 + a.c3 * b.c0};
}

/* a a, each product of two different ones once. */
LANES lanes_square(Lanes a)
{
  double p1 = a.c0 * a.c1, p2 = a.c0 * a.c2, p3 = a.c0 * a.c3, q3 = a.c1 * a.c2;
  return (Lanes){a.c0 * a.c0, p1 + p1, p2 + a.c1 * a.c1 + p2, p3 + q3 + q3 + p3};
}

LANES lanes_quotient(Lanes a, Lanes b)
{
  Lanes x = {.c0 = a.c0 / b.c0};
  x.c1 = (a.c1 - x.c0 * b.c1) / b.c0;
  x.c2 = (a.c2 - (x.c0 * b.c2 + x.c1 * b.c1)) / b.c0;
  x.c3 = (a.c3 - (x.c0 * b.c3 + x.c1 * b.c2 + x.c2 * b.c1)) / b.c0;
  return x;
}

LANES lanes_negative(Lanes a)
{
  return (Lanes){-a.c0, -a.c1, -a.c2, -a.c3};
}

LANES lanes_scaled(double k, Lanes a)
{
  return (Lanes){k * a.c0, k * a.c1, k * a.c2, k * a.c3};
}

LANES lanes_divided(Lanes a, double k)
{
  return (Lanes){a.c0 / k, a.c1 / k, a.c2 / k, a.c3 / k};
}

/* The same slopes behind another value. */
LANES lanes_with_first(double first, Lanes a)
{
  a.c0 = first;
  return a;
}

/* Each instruction ends by jumping to the code of the next one, whose address it holds: there is no
 * table to look it up in, and no loop around (Bell: Threaded code, 1973). Labels as values are an
 * extension of C that gcc and clang have. */
#define LINKED_OPERATIONS(OP)                                                                      \
  OP(LINKED_LOAD, lanes_load(i->a, n))                                                             \
  OP(LINKED_FETCH, lanes_fetch(linked_piece(in, i->number), t, n))                                 \
  OP(LINKED_FETCH_FROM, lanes_fetch(linked_piece_from(in, i->number), t, n))                       \
  OP(LINKED_ADD, lanes_sum(lanes_load(i->a, n), lanes_load(i->b, n)))                              \
  OP(LINKED_SUB, lanes_difference(lanes_load(i->a, n), lanes_load(i->b, n)))                       \
  OP(LINKED_MUL, lanes_product(lanes_load(i->a, n), lanes_load(i->b, n)))                          \
  OP(LINKED_SQUARE, lanes_square(lanes_load(i->a, n)))                                             \
  OP(LINKED_SCALE, lanes_scaled(number[i->number], lanes_load(i->a, n)))                           \
  OP(LINKED_ACC_ADD, lanes_sum(x, lanes_load(i->a, n)))                                            \
  OP(LINKED_ACC_SUB, lanes_difference(x, lanes_load(i->a, n)))                                     \
  OP(LINKED_SUB_ACC, lanes_difference(lanes_load(i->a, n), x))                                     \
  OP(LINKED_ACC_MUL, lanes_product(x, lanes_load(i->a, n)))                                        \
  OP(LINKED_MUL_ACC, lanes_product(lanes_load(i->a, n), x))                                        \
  OP(LINKED_ACC_DIV, lanes_quotient(x, lanes_load(i->a, n)))                                       \
  OP(LINKED_DIV_ACC, lanes_quotient(lanes_load(i->a, n), x))                                       \
  OP(LINKED_NEG, lanes_negative(x))                                                                \
  OP(LINKED_ADD_K, lanes_with_first(x.c0 + number[i->number], x))                                  \
  OP(LINKED_SUB_K, lanes_with_first(x.c0 - number[i->number], x))                                  \
  OP(LINKED_K_SUB, lanes_with_first(number[i->number] - x.c0, lanes_negative(x)))                  \
  OP(LINKED_MUL_K, lanes_scaled(number[i->number], x))                                             \
  OP(LINKED_DIV_K, lanes_divided(x, number[i->number]))                                            \
  OP(LINKED_K_DIV, lanes_quotient((Lanes){number[i->number], 0.0, 0.0, 0.0}, x))

#define LINKED_PLACE(name, result) [name] = &&at_##name,
#define LINKED_NEXT                                                                                \
  i++;                                                                                             \
  goto * i->code;
#define LINKED_CODE(name, result)                                                                  \
  at_##name : x = (result);                                                                        \
  LINKED_NEXT

#define LINKED_RUN(name, lanes)                                                                    \
  static const void *const *name(const HyLinkedIns *i, const double *number, const void *in,       \
                                 double t)                                                         \
  {                                                                                                \
    static const void *const place[] = {                                                           \
        [LINKED_END] = &&at_end, [LINKED_STORE] = &&at_store, LINKED_OPERATIONS(LINKED_PLACE)};    \
    const int n = (lanes);                                                                         \
    Lanes x = {0.0, 0.0, 0.0, 0.0};                                                                \
    if (i != NULL) {                                                                               \
      goto * i->code;                                                                              \
    }                                                                                              \
  at_end:                                                                                          \
    return place;                                                                                  \
  at_store:                                                                                        \
    lanes_store(x, i->a, n);                                                                       \
    LINKED_NEXT                                                                                    \
    LINKED_OPERATIONS(LINKED_CODE)                                                                 \
  }

LINKED_RUN(run1, 1)
LINKED_RUN(run2, 2)
LINKED_RUN(run3, 3)
LINKED_RUN(run4, 4)

static HyLinkedRun *run_of(guint lanes)
{
  static HyLinkedRun *const run[] = {run1, run2, run3, run4};
  return run[lanes - 1];
}
