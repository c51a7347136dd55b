/* Evaluating a program. The loops below are compiled once for each number of lanes, so that a sum
 * of two signals is as many additions as it has coefficients. The recurrences of + - * / stand here
 * in that form; all others are those of numerics/taylor.h. */
#include "lanes.h"
#include "numerics/poly.h"
#include "numerics/taylor.h"
#include "program.h"

/* What has been read before anything is written can be done two at a time. */
EACH_LANES store(double *r, const double *x, const int n)
{
  for (int k = 0; k < n; k++) {
    r[k] = x[k];
  }
}

EACH_LANES load_one(const HyPiece *u, double t, double *r, const int n)
{
  double x[4];
  store(x, u->c, n);
  hy_poly_shift(x, n, t - u->t);
  store(r, x, n);
}

EACH_LANES load(const HyProgram *p, const HyPiece *in, double t, HyReg *reg, const int n)
{
  const guint16 *at = p->load, *end = at + p->n_load;
  for (; at < end; at++) {
    load_one(&in[*at], t, reg[*at], n);
  }
}

EACH_LANES add(double *r, const double *a, const double *b, double sign, const int n)
{
  double x[4];
  for (int k = 0; k < n; k++) {
    x[k] = sign > 0.0 ? a[k] + b[k] : a[k] - b[k];
  }
  store(r, x, n);
}

/* From the top: r may be a or b. */
EACH_LANES mul(double *r, const double *a, const double *b, const int n)
{
  if (n > 3) {
    r[3] = a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0];
  }
  if (n > 2) {
    r[2] = a[0] * b[2] + a[1] * b[1] + a[2] * b[0];
  }
  if (n > 1) {
    r[1] = a[0] * b[1] + a[1] * b[0];
  }
  r[0] = a[0] * b[0];
}

EACH_LANES quotient(double *r, const double *a, const double *b, const int n)
{
  double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
  r[0] = a[0] / b0;
  if (n > 1) {
    r[1] = (a[1] - r[0] * b1) / b0;
  }
  if (n > 2) {
    r[2] = (a[2] - (r[0] * b2 + r[1] * b1)) / b0;
  }
  if (n > 3) {
    r[3] = (a[3] - (r[0] * b3 + r[1] * b2 + r[2] * b1)) / b0;
  }
}

/* FIRST, and behind it the coefficients of a, where a number does not reach. */
EACH_LANES first_and_rest(double *r, double first, const double *a, double sign, const int n)
{
  r[0] = first;
  for (int k = 1; k < n; k++) {
    r[k] = sign > 0.0 ? a[k] : -a[k];
  }
}

EACH_LANES scale(double *r, const double *a, double k, const int n)
{
  double x[4];
  for (int i = 0; i < n; i++) {
    x[i] = k * a[i];
  }
  store(r, x, n);
}

EACH_LANES divide(double *r, const double *a, double k, const int n)
{
  double x[4];
  for (int i = 0; i < n; i++) {
    x[i] = a[i] / k;
  }
  store(r, x, n);
}

/* Operations that are calls, and the choice, which takes two instructions; the result is the last.
 */
static inline __attribute__((always_inline)) const HyIns *run_call(const HyIns *i, double *r,
                                                                   const double *a, HyReg *reg,
                                                                   const double *number,
                                                                   const guint8 *mode, const int n)
{
  if (i->op == HY_I_SELECT) {
    store(r, mode[i[1].dst] ? a : reg[i->b], n);
    return i + 1;
  }
  if (i->op == HY_I_POW_K) {
    hy_taylor_pow_real(n, a, number[i->b], r);
  } else {
    hy_x_series(i->op, n, a, reg[i->b], r);
  }
  return i;
}

/* PLAIN: of the operations without a call, which then need no registers to survive one. */
EACH_LANES run(const HyIns *i, const HyIns *end, HyReg *reg, const double *number,
               const guint8 *mode, const int n, const gboolean plain)
{
#define OP(name, call)                                                                             \
  case (name):                                                                                     \
    (call);                                                                                        \
    break
  for (; i < end; i++) {
    double *r = reg[i->dst];
    const double *a = reg[i->a];
    switch (i->op) {
      OP(HY_X_ADD, add(r, a, reg[i->b], 1.0, n));
      OP(HY_X_SUB, add(r, a, reg[i->b], -1.0, n));
      OP(HY_X_MUL, mul(r, a, reg[i->b], n));
      OP(HY_X_DIV, quotient(r, a, reg[i->b], n));
      OP(HY_X_NEG, first_and_rest(r, -a[0], a, -1.0, n));
      OP(HY_I_ADD_K, first_and_rest(r, a[0] + number[i->b], a, 1.0, n));
      OP(HY_I_SUB_K, first_and_rest(r, a[0] - number[i->b], a, 1.0, n));
      OP(HY_I_K_SUB, first_and_rest(r, number[i->b] - a[0], a, -1.0, n));
      OP(HY_I_MUL_K, scale(r, a, number[i->b], n));
      OP(HY_I_DIV_K, divide(r, a, number[i->b], n));
      OP(HY_I_K_DIV, quotient(r, (const double[4]){number[i->b]}, a, n));
    default:
      if (plain) {
        __builtin_unreachable();
      }
      i = run_call(i, r, a, reg, number, mode, n);
    }
  }
#undef OP
}

gboolean hy_program_is_plain(const HyIns *ins, guint n)
{
  for (guint k = 0; k < n; k++) {
    guint8 op = ins[k].op;
    gboolean operation = op == HY_X_ADD || op == HY_X_SUB || op == HY_X_MUL || op == HY_X_DIV;
    gboolean number = op >= HY_I_ADD_K && op <= HY_I_K_DIV;
    if (!operation && !number && op != HY_X_NEG) {
      return FALSE;
    }
  }
  return TRUE;
}

void hy_program_load(const HyProgram *p, const HyPiece *in, double t,
                     HyReg *reg){WITH_LANES(p->lanes, load, p, in, t, reg)}

EACH_LANES run_any(const HyProgram *p, guint from, guint to, const double *number, HyReg *reg,
                   const guint8 *mode, const int n)
{
  if (p->plain) {
    run(p->ins + from, p->ins + to, reg, number, NULL, n, TRUE);
  } else {
    run(p->ins + from, p->ins + to, reg, number, mode, n, FALSE);
  }
}

void hy_program_run(const HyProgram *p, guint from, guint to, HyReg *reg, const guint8 *mode)
{
  WITH_LANES(p->lanes, run_any, p, from, to, p->number, reg, mode)
}

void hy_program_run_value(const HyProgram *p, guint from, guint to, HyReg *reg, const guint8 *mode)
{
  run_any(p, from, to, p->number, reg, mode, 1);
}

void hy_program_run_with(const HyProgram *p, const double *number, HyReg *reg, const guint8 *mode){
    WITH_LANES(p->lanes, run_any, p, 0, p->n_ins, number, reg, mode)}

EACH_LANES evaluate_plain(const HyProgram *p, const HyPiece *in, double t, HyReg *reg, const int n)
{
  load(p, in, t, reg, n);
  run(p->ins, p->ins + p->n_ins, reg, p->number, NULL, n, TRUE);
}

static G_GNUC_NO_INLINE void evaluate_any(const HyProgram *p, const HyPiece *in, double t,
                                          HyReg *reg, const guint8 *mode)
{
  hy_program_load(p, in, t, reg);
  hy_program_run(p, 0, p->n_ins, reg, mode);
}

void hy_program_evaluate(const HyProgram *p, const HyPiece *in, double t, HyReg *reg,
                         const guint8 *mode)
{
  if (!p->plain) {
    evaluate_any(p, in, t, reg, mode);
    return;
  }
  WITH_LANES(p->lanes, evaluate_plain, p, in, t, reg)
}

EACH_LANES load_from(const HyProgram *p, const HyPiece *const *in, double t, HyReg *reg,
                     const int n)
{
  const guint16 *at = p->load, *end = at + p->n_load;
  for (; at < end; at++) {
    load_one(in[*at], t, reg[*at], n);
  }
}

EACH_LANES evaluate_from(const HyProgram *p, const HyPiece *const *in, double t, HyReg *reg,
                         const int n)
{
  load_from(p, in, t, reg, n);
  run(p->ins, p->ins + p->n_ins, reg, p->number, NULL, n, TRUE);
}

static G_GNUC_NO_INLINE void evaluate_any_from(const HyProgram *p, const HyPiece *const *in,
                                               double t, HyReg *reg)
{
  static const guint8 no_mode = 0;
  WITH_LANES(p->lanes, load_from, p, in, t, reg)
  hy_program_run(p, 0, p->n_ins, reg, &no_mode);
}

void hy_program_evaluate_from(const HyProgram *p, const HyPiece *const *in, double t, HyReg *reg)
{
  if (!p->plain) {
    evaluate_any_from(p, in, t, reg);
    return;
  }
  WITH_LANES(p->lanes, evaluate_from, p, in, t, reg)
}
