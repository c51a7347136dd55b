/* What a block computes, as an expression of its inputs: stated once, from which programs, partial
 * derivatives and text are made. Nodes are numbers of the builder; equal nodes are one node. */
#ifndef HYDEVS_EXPRESSION_H
#define HYDEVS_EXPRESSION_H

#include "hydevs/atomic.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
  HY_X_ADD,
  HY_X_SUB,
  HY_X_MUL,
  HY_X_DIV,
  HY_X_POW, /* any exponent; a whole constant one is repeated multiplication */
  HY_X_NEG,
  HY_X_ABS,
  HY_X_SQRT,
  HY_X_EXP,
  HY_X_LOG,
  HY_X_LOG10,
  HY_X_SIN,
  HY_X_COS,
  HY_X_TAN,
  HY_X_ASIN,
  HY_X_ACOS,
  HY_X_ATAN,
  HY_X_ATAN2,
  HY_X_SINH,
  HY_X_COSH,
  HY_X_TANH,
  HY_X_WLOG,     /* the y with y + e^y = a */
  HY_X_ROOT,     /* sqrt of what is never below 0 by its making; the builder takes it by itself */
  HY_X_ROOT_POW, /* likewise a power that is not whole */
  HY_X_NAMED,    /* how many there are here; formulas know more */
} HyXOp;

/* How a crossing looks at its expression z. */
typedef enum {
  HY_CROSS_BOTH,
} HyCrossingKind;

HyX hy_x_const(HyXBuilder *b, double v);
HyX hy_x_op(HyXBuilder *b, HyXOp op, HyX a, HyX c); /* c is ignored by functions of one argument */
/* A mode of the block: 1 while z > 0, else 0; it changes at located instants. */
HyX hy_x_crossing(HyXBuilder *b, HyX z, HyCrossingKind how);
HyX hy_x_select(HyXBuilder *b, HyX mode, HyX if_set, HyX if_clear);

/* The functions of a static class: its state begins with an HyStatic, then come its parameters.
 * DQREL and DQMIN bound what is said of a nonlinear function; a class may have them as parameters,
 * else they are 1e-3 and 1e-6. */
typedef struct {
  struct HyStaticState *own; /* made by init, freed by clear */
  double dqrel, dqmin;
} HyStatic;
gboolean hy_static_init(void *state, double t, const HySetup *setup, GError **error);
double hy_static_next(const void *state);
HyEvent hy_static_lambda(const void *state, double t);
void hy_static_dint(void *state, double t);
void hy_static_dext(void *state, double t, double e, const HyEvent *x);
void hy_static_clear(void *state);
void hy_static_tape(void *state, HyTape *tape);
void hy_static_print(const void *state, GString *out);
char *hy_static_fault(const void *state);

/* What TEXT, a formula of the language, comes to where NAMED says what its names mean (PORT: NULL,
 * or what stands behind a dot). FALSE: it is no formula, or NAMED has failed. */
typedef gboolean (*HyNamed)(gpointer user, const char *name, const char *port, double *value,
                            GError **error);
gboolean hy_formula_value(const char *text, HyNamed named, gpointer user, double *value,
                          GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
