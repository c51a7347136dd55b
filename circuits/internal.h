/* What the files of this room share.
 *
 * Everything that adds without factors is a Label: a sum of names with whole numbers before them,
 * kept exact, so that what cancels cancels, whatever its size. A potential is a label, so are
 * currents into a node. A name is a signal that is given, or a definition. */
#ifndef HY_CIRCUITS_INTERNAL_H
#define HY_CIRCUITS_INTERNAL_H

#include "circuits/circuit.h"

#include <string.h>

#define NONE         G_MAXUINT32
#define MOST_TERMS   (1U << 23)         /* of all labels: names that stand in a row */
#define MOST_PARTS   (1U << 19)         /* conductances, with those that eliminations make */
#define MOST_GROUP   500                /* coils or capacitors of one matrix */
#define MOST_FACTORS (1U << 25)         /* of names by sources that read the circuit */
#define NO_STATE     (G_MAXUINT32 - 1U) /* in place of a derivative: it is no coil or capacitor */

/* n times the name. */
typedef struct {
  guint32 name;
  gint32 n;
} Term;

/* Sorted by name; never changed once it is there; the circuit's. */
typedef struct {
  guint n;
  Term term[];
} Label;

typedef struct {
  const HyFormula *f;          /* a reference to it, or a number */
  const HyFormula *definition; /* NULL: it is given */
  guint32 branch;              /* whose state or source it is; NONE */
  enum { NEED_NOT, NEED_MET, NEED_OPEN, NEED_LISTED } needed; /* for answers */
} Name;

/* A conductance between two nodes: i = g (v(x) - v(y) + e) from x to y. */
typedef struct {
  guint32 x, y;
  const HyFormula *g, *r; /* a name or a number; r: NULL where only g is known */
  const Label *e;
  guint32 branch; /* NONE: made by an elimination */
  gboolean gone;  /* one of its ends has been eliminated */
  const Label *current;
} Part;

/* What leads from member `inner` of an eliminated supernode to `outer`: i = g (v(outer) - v + eps),
 * v being that of the supernode. */
typedef struct {
  guint32 inner, outer;
  GArray *parts;          /* guint32 */
  const HyFormula *g, *r; /* of all parts together; r: NULL where only g is known */
  const HyFormula *w;     /* g over the sum of all spokes; NULL: it is alone */
  const Label *eps;
  const Label *current; /* from outer to inner */
} Spoke;

/* An eliminated supernode. */
typedef struct {
  guint32 super;
  GArray *spokes;       /* Spoke */
  GArray *mesh;         /* guint32: the part between spokes b < c, row by row */
  const HyFormula *sum; /* of g; NULL: one spoke */
  const Label *into;    /* known currents into it */
} Star;

/* Known currents into a supernode: a label, and parts of others. */
typedef struct {
  const HyFormula *w;
  const Label *j;
} Share;
typedef struct {
  GArray *known;  /* Term: a tally */
  GArray *shares; /* Share, or NULL */
  GArray *parts;  /* guint32: those that end here */
  const Label *v; /* its potential, seen from the root of its part of the circuit */
  guint32 degree;
  gboolean gone;
} Super;

/* n times the slope of a state or source. */
typedef struct {
  guint32 name;
  double n;
} Rate;

typedef struct {
  HyBranch is;
  gboolean tree, dependent; /* of coils and capacitors */
  guint32 name;             /* of its state or source; NONE */
  guint32 slope;            /* its name; NONE: not known */
  gboolean sloped;          /* of a source: dependent states have its slope */
  guint32 derivative;       /* of a state: its name, once known; NO_STATE: of another branch */
  guint32 place;            /* among the coils */
  guint32 other;            /* of a winding: that of the same transformer; NONE */
  double times;             /* of a winding: its voltage is so many times that of the other */
  guint32 as_voltage, as_current;     /* of a winding: its names */
  guint32 as_slope;                   /* of a winding: the name of its slope, once there; NONE */
  GArray *rates;                      /* of a winding with a slope: Rate, of which it is made */
  gboolean asked;                     /* of a winding: whether it has a slope is being looked at */
  const HyFormula *rest;              /* of a controlled source: what it does not read; else NULL */
  guint32 control, n_controls;        /* of a controlled source: the first of its controls */
  const Label *current;               /* once known */
  const HyFormula *offered, *against; /* of a junction, once solved: i = offered - against drop */
  const HyFormula *across;            /* of a coil: L di/dt, once asked for */
} Branch;

typedef struct {
  guint32 a, b, element; /* coils, by place */
  double mutual;
} Mutual;

struct HyCircuit {
  HyFormulaPool *pool;
  GPtrArray *nodes;    /* their names */
  GArray *branches;    /* Branch */
  GArray *names;       /* Name */
  GHashTable *taken;   /* a new name -> the last number behind it, where it was taken */
  GHashTable *by_name; /* of the pool -> number in names + 1 */
  GPtrArray *labels;   /* owned */
  GArray *controls;    /* HyControl */
  GArray *order;       /* guint32: names to be given out */
  guint given;
  const Label *nothing;

  /* tree.c */
  guint32 *super;    /* [nodes]: the first node of its supernode (0 if that is in it) */
  guint32 *cluster;  /* [nodes]: of its part, that resistances hold together */
  guint32 *island;   /* [nodes]: coils counted, too */
  guint32 *up;       /* [nodes]: the branch of the tree that leads to the reference; NONE */
  GArray *walk;      /* guint32: nodes, each behind the one it hangs on */
  const Label **off; /* [nodes] */

  /* coils.c */
  GArray *coils;      /* guint32: branches */
  GArray *coil_walk;  /* guint32: clusters, each behind the one it hangs on; if coils of the tree
                         are there */
  guint32 *coil_up;   /* [nodes]: of a cluster by its number: the coil that it hangs on; NONE */
  GArray *mutual;     /* Mutual */
  const Label **from; /* [nodes]: of a cluster by its number: from the reference of the island */

  /* star.c */
  Super *supers; /* [nodes], by the number of the supernode */
  GArray *parts; /* Part */
  GArray *stars; /* Star, in the order of elimination */
  guint32 *seen; /* [nodes]: working memory */
  guint32 round;

  guint64 n_terms;
  gboolean large; /* a limit was passed */
  HyCircuitFault *fault;
};

static inline Branch *circuit_branch(const HyCircuit *c, guint32 k)
{
  return &g_array_index(c->branches, Branch, k);
}

static inline const char *circuit_node_name(const HyCircuit *c, guint32 node)
{
  return g_ptr_array_index(c->nodes, node);
}

/* ---- label.c ---- */
const Label *label_of(HyCircuit *c, guint32 name, gint32 n);
const Label *label_plus(HyCircuit *c, const Label *a, gint32 n, const Label *b); /* a + n b */
/* Adds n LABEL to a sum that becomes a label in the end: an array of Term, in any order. */
void tally_add(GArray *tally, gint32 n, const Label *label);
const Label *tally_end(HyCircuit *c, GArray *tally); /* which is sorted then */
static inline gboolean label_equal(const Label *a, const Label *b)
{
  return a->n == b->n && memcmp(a->term, b->term, a->n * sizeof *a->term) == 0;
}

/* How often NAME stands in it. */
gint32 label_factor(const Label *label, guint32 name);

/* ---- names.c ---- */
/* That of a signal that is given; a number is one, too. */
guint32 name_given(HyCircuit *c, const char *signal, double value, guint32 branch);
/* A new one, "WHAT:WHERE", for the formula; its label. */
const Label *name_define(HyCircuit *c, const char *what, const char *where, const HyFormula *f);
/* LABEL if it is one name or nothing, else that of a new name for it. */
const Label *name_single(HyCircuit *c, const char *what, const char *where, const Label *label);
/* "x_y" for two nodes. Newly allocated. */
char *name_of_pair(const HyCircuit *c, guint32 x, guint32 y);
/* It is the number 0. */
gboolean name_is_zero(const HyCircuit *c, guint32 name);
static inline Name *circuit_name(const HyCircuit *c, guint32 k)
{
  return &g_array_index(c->names, Name, k);
}

/* A sum that is being written. */
typedef struct {
  HyCircuit *c;
  GPtrArray *child;
  GString *ops;
} Sum;
Sum sum_begin(HyCircuit *c);
void sum_add(Sum *s, gint sign, const HyFormula *f);
void sum_label(Sum *s, gint sign, const Label *label);
/* FACTOR times LABEL; FACTOR: a name or a number. */
void sum_scaled(Sum *s, gint sign, const HyFormula *factor, const Label *label);
const HyFormula *sum_end(Sum *s);
const HyFormula *formula_of(HyCircuit *c, const Label *label);
/* A product or, with '/', a quotient; numbers are computed. */
const HyFormula *formula_join(HyCircuit *c, const HyFormula *a, char op, const HyFormula *b);
/* LABEL times g, or where r is known better, divided by it. */
const HyFormula *formula_conducted(HyCircuit *c, const HyFormula *g, const HyFormula *r,
                                   const Label *label);
gboolean formula_is(const HyFormula *f, double v);
/* What of C or L is a number. */
static inline double branch_number(const HyBranch *b)
{
  return b->size != NULL ? 0.0 : b->value;
}
/* C or L of a state. */
const HyFormula *branch_size(HyCircuit *c, const HyBranch *b);
/* What stands across a resistor besides r i. */
const HyFormula *branch_drop(HyCircuit *c, const HyBranch *b);
/* A formula of numbers and names that is to be one name or number. */
const HyFormula *factor_define(HyCircuit *c, const char *what, const char *where,
                               const HyFormula *f);

/* ---- tree.c ---- */
gboolean tree_find(HyCircuit *c);
/* What is wrong: BEFORE, the names of BRANCHES, AFTER. Always FALSE. */
gboolean circuit_wrong(HyCircuit *c, const GArray *branches, const char *before, const char *after);
/* The same, naming only branch K of them. */
gboolean circuit_wrong_but(HyCircuit *c, const GArray *branches, guint k, const char *before,
                           const char *after);
/* Branches of the tree of KIND (HY_BRANCH_COIL: at clusters; else sources and capacitors, at
 * nodes), by node, in FIRST [nodes + 2] where those of each begin. */
guint32 *tree_at_nodes(const HyCircuit *c, HyBranchKind kind, guint32 *first);
GArray *tree_loop(const HyCircuit *c, guint32 k); /* that branch K closes: branches, K first */

/* Numbers that are joined to groups, each called by its first. */
guint32 *groups_alone(guint n);
gboolean groups_join(guint32 *of, guint32 a, guint32 b); /* FALSE: they are one already */
void groups_flatten(guint32 *of, guint n);
/* [n]: of flattened groups the next of the same one; NONE. */
guint32 *groups_lists(const guint32 *of, guint n);

/* ---- star.c ---- */
void star_solve(HyCircuit *c);

/* ---- coils.c ---- */
gboolean coils_currents(HyCircuit *c);    /* before currents into supernodes are known */
gboolean coils_derivatives(HyCircuit *c); /* after all potentials are */
/* Potentials of parts, one seen from another through coils. */
void coils_bridge(HyCircuit *c);
const HyFormula *coil_across(HyCircuit *c, guint32 branch);
/* Of a label of states and sources: one of these whose slope is not known; NONE. */
guint32 label_no_slope(HyCircuit *c, const Label *label);
/* FALSE: BRANCH does not start as the label says that it does; LAW: what the others do. */
gboolean label_starts(HyCircuit *c, guint32 branch, const Label *label, const char *law);

/* What a state or source is when the run starts; NAN: that is not known. */
double name_start(const HyCircuit *c, guint32 k);

/* Of a state or source whose slope is known, once derivatives are there. */
const HyFormula *name_slope(const HyCircuit *c, guint32 name);

/* ---- windings.c ---- */
/* Of a state or source: its slope is known, and will be asked for. */
gboolean branch_has_slope(HyCircuit *c, guint32 k);
/* Of a winding that has a slope: what it starts with. */
double winding_start(const HyCircuit *c, const Branch *b);
void windings_forget(Branch *b);    /* for another try */
void windings_define(HyCircuit *c); /* those that have a slope become definitions */

/* ---- unknown.c ---- */
/* Sources that read the circuit, once all else is a formula of them: each becomes a definition. */
gboolean unknown_solve(HyCircuit *c);

/* ---- capacitors.c ---- */
/* FALSE: a loop of capacitors has a source whose slope is not known. */
gboolean capacitors_allowed(HyCircuit *c);
void capacitors_derivatives(HyCircuit *c);

/* ---- matrix.c ---- */
/* A [n][n], positive definite, becomes its factor. FALSE: it is not. */
gboolean matrix_factor(double *a, guint n);
void matrix_solve(const double *factor, guint n, double *x);
/* x' = M^-1 (drive - H slope) of n states: a name for each. */
typedef struct {
  guint n, n_slopes;
  const double *factor; /* of M */
  const double *h;      /* [n_slopes][n] */
  const Label *const *drive;
  const guint32 *slope; /* names */
  const guint32 *branch;
  const char *what;
} MatrixRows;
void matrix_rows(HyCircuit *c, const MatrixRows *m);
/* The same of a matrix that has signals: its numbers NUMBER, H and in place of each further
 * element of the sums i, j (or i, n + slope) n times a signal. */
#define MOST_SIGNALS 40 /* states of one such matrix */
typedef struct {
  guint i, j;
  gint32 n;
  const HyFormula *f;
} MatrixTerm;
void matrix_eliminate(HyCircuit *c, const MatrixRows *m, const double *number, const GArray *terms);

/* ---- linear.c ---- */
/* A y = b: N rows of N formulas and the right side, and beside each the largest number that it was
 * made of. Names and numbers, no longer formulas. */
typedef struct {
  HyCircuit *c;
  guint n;
  guint n_given;       /* the last of them stay names: their rows are only cleared of the others */
  const guint32 *y;    /* [n] names, which get definitions */
  const HyFormula **a; /* [n][n + 1] */
  double *scale;       /* [n][n + 1] */
} Linear;
/* FALSE: unknown OPEN is left open, whatever else is so. */
gboolean linear_solve(Linear *l, guint *open);

#endif
