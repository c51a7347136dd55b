/* Rows of one shape. A row is what a derivative is made of once all static blocks between are
 * composed: an expression of quantized states and sources (slots), of numbers, and of flags, the
 * modes of blocks. Numbers are no part of the shape, so sections with other parameters share their
 * templates. */
#ifndef HYDEVS_EXPR_TEMPLATE_H
#define HYDEVS_EXPR_TEMPLATE_H

#include "linked.h"

#define HY_NO_SLOT G_MAXUINT
#define HY_WIDE    32U /* slots: rows with more are differentiated in one go */

/* Of an expression in its slots, the flags held fixed. */
typedef enum { HY_DEGREE_0, HY_DEGREE_1, HY_NONLINEAR } HyDegree;

typedef struct HySlopes HySlopes;
/* A program of a row and the registers on which it runs. */
typedef struct {
  HyProgram *program; /* NULL: it has not been asked for */
  HyReg *reg;
  HyLinked *linked;      /* where it is plain; else NULL */
  const double *numbers; /* those in REG */
} HyForm;

typedef struct HyTemplate HyTemplate;
struct HyTemplate {
  guint n_slots, n_numbers, n_flags;
  guint self;    /* the slot of the state itself, or HY_NO_SLOT */
  guint n_nodes; /* the last one is the row */
  HyNode *node;  /* leaves: IN a = slot, CONST a = number, FLAG a = flag */
  HyDegree degree;
  gboolean exact, whole; /* as those of a block (kind.h) */
  gboolean nearly;       /* or of two coefficients more, and 4 in all */
  HyTimeDegree time;     /* of its pieces at hand */
  guint n_rows;          /* that share it */
  HyProgram *value;      /* all lanes of the model, and one more where it is not exact */
  HyReg *reg;            /* of VALUE */
  HyLinked *linked;      /* VALUE on them, where it is plain; else NULL, and so below */
  const double *numbers; /* those in REG */
  guint32 last;          /* place of the numbers of the row found last */
  HyProgram **partial;   /* [n_slots], one lane, made when asked for: inputs are the slots, then the
                            numbers */
  HyReg **partial_reg;   /* [n_slots] */
  HyLinked **partial_linked;
  HyProgram *linear; /* all coefficients of a linear row, made when asked for */
  HyReg *linear_reg;
  double *work;        /* of hy_template_gradient() */
  HyForm one;          /* VALUE on the value lane */
  HyForm further;      /* and with one lane more than it has */
  HyProgram *partials; /* all of PARTIAL as one, made when asked for */
  HyReg *partials_reg;
  HyLinked *partials_linked;
  guint32 asked;    /* slots whose partials are wanted together at every step: a bit for each; */
  HySlopes *slopes; /* these (slopes.h), when they are all known */
  /* The row as a sum of two, where one of its slots is read by the straight part alone; else NULL
   * (split.c). Numbers and flags are those of the row in both, slots in the curved one. */
  HyTemplate *straight, *curved;
  guint32 *straight_slot; /* [of the straight part]: which of the row's it is */
  guint *straight_place;  /* [n_slots]: and where one of these is there, or HY_NO_SLOT */
  guint8 *bends;          /* [n_slots]: it is read by the curved part */
};

/* The canonical form of an expression: slots, numbers and flags are counted in the order of the
 * nodes. Kept from row to row, so that nothing is allocated for each. */
typedef struct {
  HyTemplate as; /* its nodes are borrowed from NODE */
  GArray *slot, *number,
      *flag; /* what they stand for: the `a` of IN, the number, the `a` of FLAG */
  GArray *node, *need, *map;
} HyShape;

void hy_shape_init(HyShape *s);
void hy_shape_clear(HyShape *s);
void hy_shape_take(HyShape *s, const HyXBuilder *b, HyX root);

/* NODE with its operands as MAP has them; a leaf as it is. */
HyNode hy_node_moved(const HyNode *node, const HyX *map);

HyTemplate *hy_template_new(const HyShape *s);
/* Into its two parts, for N lanes, if that is worth while. */
void hy_template_split(HyTemplate *t, guint lanes);
void hy_template_free(HyTemplate *t); /* NULL is fine */
guint hy_template_hash(gconstpointer t);
gboolean hy_template_equal(gconstpointer a, gconstpointer b);
/* For N lanes; before the next two. FALSE: too large. */
gboolean hy_template_compile(HyTemplate *t, guint lanes);

/* VALUE, on inputs that stand in REG. NUMBER: of the row. The result is in REG, too. */
void hy_template_run(HyTemplate *t, const double *number, const guint8 *flag);
/* The same with one coefficient more, on inputs that stand in the registers of FURTHER, which has
 * to be there before. All coefficients. */
void hy_template_go_further(HyTemplate *t);
const double *hy_template_run_further(HyTemplate *t, const double *number, const guint8 *flag);
/* The row on the value lane. */
double hy_template_at(HyTemplate *t, const double *value, const double *number, const guint8 *flag);
/* The partial derivative by a slot, on the value lane. VALUE: of the slots. */
double hy_template_partial(HyTemplate *t, guint slot, const double *value, const double *number,
                           const guint8 *flag);
/* The same in two parts, for whoever puts the inputs of its program into PARTIAL_REG himself: the
 * slots, then the numbers. NULL: too large. */
const HyProgram *hy_template_partial_program(HyTemplate *t, guint slot);
double hy_template_partial_run(const HyTemplate *t, guint slot, const guint8 *flag);
/* All of them, [n_slots]: the same numbers; what several of them compute is computed once. */
void hy_template_all_partials(HyTemplate *t, const double *value, const double *number,
                              const guint8 *flag, double *partial);
/* The row, and all its partial derivatives, as programs on the value lane, for whoever runs them
 * himself. Inputs of the latter are the slots, then the numbers. NULL: too large. */
const HyProgram *hy_template_one(HyTemplate *t);
const HyProgram *hy_template_partials(HyTemplate *t);
/* By all slots, in one go: [n_slots]. To rounding the same. */
void hy_template_gradient(HyTemplate *t, const double *value, const double *number,
                          const guint8 *flag, double *gradient);
/* How far the row may be from the exact one where operations round and slots are WRONG by so much;
 * 0 where nothing can be said. */
double hy_template_rounding(HyTemplate *t, const double *value, const double *wrong,
                            const double *number, const guint8 *flag);
/* Of a row that is linear in its slots: the factors, and in coef[n_slots] the rest. */
void hy_template_coefficients(HyTemplate *t, const double *number, const guint8 *flag,
                              double *coef);
/* The partial derivative as an expression in B: slots are IN 0 .., numbers IN n_slots .. */
HyX hy_template_differentiate(const HyTemplate *t, guint slot, HyXBuilder *b);
/* All of them, to OUT [n_slots], in B, which is empty. */
void hy_template_differentiate_all(const HyTemplate *t, HyXBuilder *b, HyX *out);
/* dy/dby in the builder that both stand in; modes are held fixed. */
HyX hy_x_differentiate(HyXBuilder *b, HyX y, HyX by);

#endif
