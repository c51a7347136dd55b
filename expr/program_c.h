/* A program on the value lane as a function in C: the same operations in the same order, so the
 * same bits (where the compiler makes no fused operation of two). */
#ifndef HYDEVS_EXPR_PROGRAM_C_H
#define HYDEVS_EXPR_PROGRAM_C_H

#include "program.h"

/* Appends `static void NAME(const double *u, const double *c, const unsigned char *m, double *y)`:
 * inputs 0 .. N_SLOTS - 1 are u, those behind them c, modes m, outputs y. ROW_NUMBERS: the numbers
 * of P are those of a row (hy_program_run_with()), c; else its own ones. The functions `power` and
 * `wlog` are those of hy_program_c_helpers(). */
void hy_program_c(const HyProgram *p, const char *name, guint n_slots, gboolean row_numbers,
                  GString *out);
const char *hy_program_c_helpers(void);
/* A number as C reads it back, appended. */
void hy_c_number(GString *out, double v);

#endif
