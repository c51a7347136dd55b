/* The operations of formulas: one table, a row each. The lexer and the parser find functions by its
 * names, folding and the loader's arithmetic by its values, programs by its Taylor series, partial
 * derivatives by its rules, print and faults by its signs. A row that has a series is a node of an
 * expression (builder.h); one that is composed is written with those when a formula becomes an
 * expression; the others are computed while loading.
 *
 * To add an operation: its row in ops.c, with its domain and its names in the languages of exports,
 * and its recurrence in numerics/taylor.c unless that is composed of others.
 * tests/unit/expr/test_ops.c goes over the table. */
#ifndef HYDEVS_EXPR_OPS_H
#define HYDEVS_EXPR_OPS_H

#include "hydevs/expression.h"

#define HY_OP_ANY 255U /* arguments: any number of them */

/* What the degree in time of a result is, where its operands are polynomials. */
typedef enum {
  HY_GROWS_BEYOND, /* no polynomial, unless its operands are numbers */
  HY_GROWS_AS_SUM,
  HY_GROWS_AS_PRODUCT,
  HY_GROWS_AS_QUOTIENT,
  HY_GROWS_AS_POWER
} HyGrowth;

/* For which finite operands its value is finite, but for sums and products that are too large: for
 * all, for those that the second one lets be (/ ^), or not for all (sqrt log asin; exp overflows).
 */
typedef enum { HY_TOTAL = 1, HY_BY_OPERAND, HY_PARTIAL } HyDomain;

/* Languages that models are exported to, and where in HyOp.called each has its name. */
typedef enum { HY_IN_C, HY_IN_MODELICA, HY_IN_MICROMODELICA, HY_IN_SPICE } HyLanguage;

/* A node of an expression, or with no builder (NULL) a number: so a rule of differentiation is
 * written once, for partial derivatives as expressions and as values. */
typedef union {
  HyX x;
  double v;
} HyTerm;

typedef struct {
  const char *name; /* as formulas write it; of + - * / ^ the sign */
  const char *doc;
  guint8 operands; /* of its node: 1 or 2; 0: it is no node */
  guint8 min, max; /* arguments of the function; 0: it is a sign */
  guint8 growth;   /* HyGrowth */
  guint8 domain;   /* HyDomain; of a node */
  guint8 slices;   /* takes u[*] as arguments */
  guint8 of_none;  /* has a value where a slice is empty */
  guint8 loading;  /* only while loading */
  guint8 choice;   /* if */
  guint8 counts;   /* its arguments may be signals, and only how many they are matters */
  /* As other languages write it, by HyLanguage; NULL: they have none, and the export refuses it. */
  const char *called[HY_IN_SPICE + 1];
  /* On numbers: one of three. */
  double (*of_one)(double a);
  double (*of_two)(double a, double c);
  double (*of_all)(const double *arg, guint n);
  /* The first n coefficients; R may be an operand. */
  void (*series_one)(int n, const double *a, double *r);
  void (*series_two)(int n, const double *a, const double *c, double *r);
  /* dy/da of y = f(a); the derivative of y = a op c, those of a and c being DA and DC. */
  HyTerm (*slope)(HyXBuilder *b, HyTerm y, HyTerm a);
  HyTerm (*rule)(HyXBuilder *b, HyTerm y, const HyTerm *a, const HyTerm *d);
  /* What it is made of: argument by argument, then of all (joined ones: ARG is the result so far).
   */
  HyX (*joined)(HyXBuilder *b, HyX so_far, HyX a);
  HyX (*composed)(HyXBuilder *b, const HyX *arg, guint n);
} HyOp;

extern const HyOp hy_ops[];
extern const guint hy_n_ops;

/* The row of the function whose name is the N bytes at NAME; hy_n_ops: there is none. */
guint hy_op_find(const char *name, gsize n);
/* On numbers, N of them; not for if. */
double hy_op_value(guint op, const double *arg, guint n);

/* a op c, where 0 x is 0 and 0 + x is x: derivatives are made with it. */
HyTerm hy_term(HyXBuilder *b, guint32 op, HyTerm a, HyTerm c);
/* The derivative of y = op(a[0], a[1]), D being those of its operands, of which one is not 0. */
HyTerm hy_op_rule(HyXBuilder *b, guint32 op, HyTerm y, const HyTerm *a, const HyTerm *d);

#endif
