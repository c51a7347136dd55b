/* The program of one block: its expression as instructions on registers. A register holds the first
 * n Taylor coefficients of a value at the instant of evaluation. A program never changes after
 * hy_program_new(); whoever evaluates brings inputs, registers and modes. */
#ifndef HYDEVS_EXPR_PROGRAM_H
#define HYDEVS_EXPR_PROGRAM_H

#include "builder.h"

typedef struct {
  guint8 op, pad;
  guint16 dst, a, b; /* registers; b of a K-form is a number of the program */
} HyIns;

typedef double HyReg[4];

/* A signal as a block keeps it: a polynomial in the time since t. */
typedef struct {
  double c[4], t;
} HyPiece;

/* A mode is decided between two stretches of instructions. */
typedef struct {
  guint until;           /* instructions before it */
  guint16 rises, falls;  /* registers of its expressions; equal for a plain crossing */
  gboolean reads_others; /* they change with other modes */
} HyProgramMode;

typedef struct {
  guint lanes;    /* n: 1 .. 4 */
  gboolean plain; /* only + - * / and the sign */
  guint n_in, n_out, n_ins, n_modes, n_regs;
  guint n_load;
  guint16 *load; /* [n_load]: inputs that are read; input k is register k */
  HyIns *ins;
  double *number;
  HyProgramMode *mode;
  guint16 *out;          /* [n_out]: registers */
  guint n_fixed;         /* registers that hold numbers */
  guint16 *fixed;        /* [n_fixed] */
  guint16 *fixed_number; /* [n_fixed] */
} HyProgram;

HyProgram *hy_program_new(const HyXBuilder *b, const HyX *out, guint n_out, guint n_in, guint lanes,
                          GError **error);
void hy_program_free(HyProgram *p); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyProgram, hy_program_free)

/* Zeroes and sets what stays the same: once, before the first evaluation with these registers. */
void hy_program_prepare(const HyProgram *p, HyReg *reg);
/* Programs that are shared by expressions of one shape and different numbers: a number of theirs is
 * a CONST node with b = 1, a being its place in NUMBER. */
void hy_program_prepare_with(const HyProgram *p, const double *number, HyReg *reg);
/* After that, for other numbers. */
void hy_program_fix(const HyProgram *p, const double *number, HyReg *reg);
void hy_program_run_with(const HyProgram *p, const double *number, HyReg *reg, const guint8 *mode);

/* The inputs at instant T; then instructions FROM .. TO. MODE: 1 or 0 for each mode. */
void hy_program_load(const HyProgram *p, const HyPiece *in, double t, HyReg *reg);
void hy_program_run(const HyProgram *p, guint from, guint to, HyReg *reg, const guint8 *mode);
/* Of values alone, the first lane. */
void hy_program_run_value(const HyProgram *p, guint from, guint to, HyReg *reg, const guint8 *mode);
/* Both, all instructions: for programs whose modes are known (or that have none). */
void hy_program_evaluate(const HyProgram *p, const HyPiece *in, double t, HyReg *reg,
                         const guint8 *mode);

gboolean hy_program_is_plain(const HyIns *ins, guint n);

/* The same without modes, each input being read where IN points to. */
void hy_program_evaluate_from(const HyProgram *p, const HyPiece *const *in, double t, HyReg *reg);

/* Instructions beside those of HyXOp with registers a and b: the operand b is a number. */
enum {
  HY_I_ADD_K = 64, /* a + k */
  HY_I_SUB_K,      /* a - k */
  HY_I_K_SUB,      /* k - a */
  HY_I_MUL_K,      /* k a */
  HY_I_DIV_K,      /* a / k */
  HY_I_K_DIV,      /* k / a */
  HY_I_POW_K,      /* a ^ k */
  HY_I_SELECT,     /* a if the mode is set, else b; the mode is dst of the word that follows */
};

#endif
