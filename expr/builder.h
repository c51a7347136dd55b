/* The nodes of an expression: what hydevs/expression.h builds and the other files of this room
 * read. A node comes after its operands, so one pass upwards meets operands first and one pass
 * downwards meets them last. */
#ifndef HYDEVS_EXPR_BUILDER_H
#define HYDEVS_EXPR_BUILDER_H

#include "ops.h"

/* Nodes that are no operations; those are numbered by their rows in hy_ops. */
enum {
  HY_X_CONST = 128, /* v; b = 1: the number at place a of a table (program.h), else a only tells
                  nodes apart */
  HY_X_IN,          /* a: the input port */
  HY_X_MODE,        /* 1 from a > 0 on, 0 from c < 0 on; a == c for a plain crossing */
  HY_X_SELECT,      /* a: a mode or a flag; b if it is set, else c */
  HY_X_FLAG,        /* a: which; a mode that somebody else decides */
};

typedef struct {
  guint32 op;
  HyX a, b, c;
  double v;
} HyNode;

/* MORE >= LESS holds wherever what is being built is taken (signs.h). */
typedef struct {
  HyX more, less;
} HyXFact;
#define HY_X_FACTS 8 /* further ones are not used */

struct HyXBuilder {
  HyNode *node;
  guint n, room;
  HyX *table; /* node + 1 by hash, 0: free; mask + 1 places */
  guint mask;
  HyXFact fact[HY_X_FACTS];
  guint n_facts;
  guint entered; /* so many nodes stand in it; those behind them when the next is asked for */
};

HyXBuilder *hy_x_builder_new(void);
void hy_x_builder_free(HyXBuilder *b); /* NULL is fine */
void hy_x_builder_reset(HyXBuilder *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyXBuilder, hy_x_builder_free)

guint hy_node_hash(const HyNode *node);

/* N further nodes as another builder has made them of the nodes that are here: what they are made
 * of has the same numbers. */
void hy_x_append(HyXBuilder *b, const HyNode *node, guint n);
HyX hy_x_in(HyXBuilder *b, guint port);
HyX hy_x_literal(HyXBuilder *b, double v); /* a number that is no other node, though it be equal */
HyX hy_x_flag(HyXBuilder *b, guint which);
/* A mode with memory: becomes 1 when RISES gets above 0 and 0 when FALLS gets below 0; FALLS is
 * above RISES. It starts as 0 between them. */
HyX hy_x_latch(HyXBuilder *b, HyX rises, HyX falls);
/* a > c ? yes : no, by a mode. */
HyX hy_x_if_above(HyXBuilder *b, HyX a, HyX c, HyX yes, HyX no);
/* A mode as the number 1 or 0; other nodes as they are. */
HyX hy_x_number(HyXBuilder *b, HyX x);

static inline gboolean hy_x_is_const(const HyXBuilder *b, HyX x)
{
  return b->node[x].op == HY_X_CONST;
}

/* How many of a, b, c of a node are operands: its values are needed to compute it. */
static inline guint hy_x_operands(guint32 op)
{
  return op < HY_X_CONST ? hy_ops[op].operands : 0;
}

/* The first N coefficients of one operation. R may be an operand. */
void hy_x_series(guint32 op, int n, const double *a, const double *b, double *r);

/* need[x] = 1 for the nodes that OUT is made of, else 0 ([b->n]). THROUGH_MODES: also what only
 * decides modes. */
void hy_x_reach(const HyXBuilder *b, const HyX *out, guint n_out, gboolean through_modes,
                guint8 *need);

/* The degree in time of an expression whose inputs are polynomials in time and whose modes stand
 * still; HY_X_MOST: at least that, or it is no polynomial. */
#define HY_X_MOST 64
typedef struct {
  guint8 *in;     /* [inputs] */
  guint8 *node;   /* [nodes]: room for theirs */
  guint degree;   /* that of all nodes that are needed, unless */
  gboolean stale; /* the inputs have changed since */
} HyTimeDegree;

void hy_x_degree_init(HyTimeDegree *d, guint n_in, guint n_nodes, guint of_inputs);
void hy_x_degree_clear(HyTimeDegree *d);
/* NEED may be NULL: all. */
guint hy_x_degree(HyTimeDegree *d, const HyNode *node, guint n, const guint8 *need);
/* Input IN is a piece of N coefficients. */
static inline void hy_x_degree_take(HyTimeDegree *d, guint in, const double *c, guint n)
{
  while (n > 1 && c[n - 1] == 0.0) {
    n--;
  }
  d->stale |= d->in[in] != n - 1;
  d->in[in] = (guint8)(n - 1);
}

/* Copying nodes from one builder to another: operations and choices are the same of what their
 * operands became; LEAF says what inputs, numbers and, at the choices, modes become. */
typedef HyX (*HyXLeaf)(gpointer user, HyXBuilder *b, HyX x, const HyNode *n);
typedef struct {
  HyXBuilder *b;
  const HyNode *node; /* those that are copied */
  HyX *map;           /* and what they became */
  HyXLeaf leaf;
  gpointer user;
} HyXMap;

HyX hy_x_map_node(const HyXMap *m, HyX x);
/* The first N nodes, or of them those of NEED. */
void hy_x_map(const HyXMap *m, guint n, const guint8 *need);
/* A leaf as it is. */
HyX hy_x_same_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n);

/* What a class says: nodes of IN and OUT (arrays of the caller). CONSTANT[k] != NULL: a number
 * stands for input k. CONSTANT itself may be NULL. The builder is reset first. */
gboolean hy_x_describe(HyXBuilder *b, const HyAtomicClass *klass, const void *state, guint n_in,
                       guint n_out, const double *const *constant, HyX *out, GError **error);

#endif
