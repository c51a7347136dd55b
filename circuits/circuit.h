/* A circuit: branches between nodes, and the equations that they make.
 *
 * Whoever has one adds its nodes and branches, solves it, and asks for what he wants: derivatives
 * of the states, currents, voltages. Each answer is a formula whose names are those that were given
 * (states, sources, conductances) or definitions of the circuit, each of which is a formula of the
 * same kind. Only definitions that some answer needs have to be placed anywhere.
 *
 * No blocks and no files in here: names are texts that whoever adds them gives a meaning. */
#ifndef HY_CIRCUITS_CIRCUIT_H
#define HY_CIRCUITS_CIRCUIT_H

#include "expr/formula.h"

G_BEGIN_DECLS

typedef enum {
  HY_BRANCH_VOLTAGE,   /* v(a) - v(b) is given */
  HY_BRANCH_CAPACITOR, /* v is a state, or follows from others */
  HY_BRANCH_RESISTOR,  /* i = g (v(a) - v(b) - drop): also switches and diodes */
  HY_BRANCH_COIL,      /* i is a state, or follows from others */
  HY_BRANCH_CURRENT,   /* i is given */
} HyBranchKind;

/* A branch from node A (plus) to B: v = v(A) - v(B), and i flows from A through it to B. */
typedef struct {
  HyBranchKind kind;
  const char *name; /* of its element, in messages and names: "L1", "h[2]/S" */
  guint element;    /* whatever the caller knows it by */
  guint a, b;

  /* What is given, or is a state: the name of its signal. NULL, of sources: the number `value`. Of
   * a resistor its resistance as a signal, or NULL: the number `value`. */
  const char *signal;
  const char *reading;     /* of a resistor: what its current is called; NULL: it is hidden */
  double value;            /* C, L, R, or the value of a source */
  const char *size;        /* of a state: C or L as a signal, dq/dv or dpsi/di; NULL: `value` */
  const char *conductance; /* of a resistor: signal, 1 over the resistance; NULL: it is computed */
  const char *on; /* of a resistor: 0 or 1; there is a drop of `drop` volts while 1; NULL: always */
  double drop;
  const char *drop_signal; /* the drop as a signal; NULL: the number */
  gboolean junction;       /* of a resistor: `drop_signal` is what its current makes of it */
  gboolean stated;         /* of a state: its start was given */
  double start;
  gboolean has_slope; /* of a source: d/dt is known, */
  const char *slope;  /* as a signal, or the number `slope_value` */
  double slope_value;
} HyBranch;

/* Why there are no equations. */
typedef struct {
  char *text;       /* newly allocated; NULL: all is well */
  GArray *elements; /* guint: those that it names */
} HyCircuitFault;
void hy_circuit_fault_clear(HyCircuitFault *fault);

/* A formula that has a name. */
typedef struct {
  const char *name; /* of the pool */
  const HyFormula *formula;
} HyDefinition;

typedef struct HyCircuit HyCircuit;

/* Formulas and names are of POOL, which must live longer. Node 0 is there: the reference. */
HyCircuit *hy_circuit_new(HyFormulaPool *pool);
void hy_circuit_free(HyCircuit *c); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyCircuit, hy_circuit_free)
guint hy_circuit_node(HyCircuit *c, const char *name); /* a new one; its number */
const char *hy_circuit_node_name(const HyCircuit *c, guint node);
guint hy_circuit_add(HyCircuit *c, const HyBranch *branch);
/* An ideal transformer: its windings are two branches, which are numbered from the result on. Which
 * of them is a source of voltage and which of current is found while solving. */
typedef struct {
  const char *name;
  guint element;
  guint node[4]; /* of the first winding, of the second: plus, minus */
  double ratio;  /* v1 = ratio v2, i2 = -ratio i1 */
} HyTransformer;
guint hy_circuit_transformer(HyCircuit *c, const HyTransformer *transformer);
/* What a source reads of the circuit that it stands in, times FACTOR: a number, or the name of a
 * signal. */
typedef struct {
  enum {
    HY_CONTROL_CURRENT, /* of branch A */
    HY_CONTROL_ACROSS,  /* the voltage of branch A */
    HY_CONTROL_BETWEEN, /* that of node A less that of node B */
  } kind;
  guint a, b;
  const HyFormula *factor;
} HyControl;
/* Source BRANCH, whose signal has no meaning yet, is REST (a number or a name) and its N controls
 * together: its signal becomes a definition. */
void hy_circuit_control(HyCircuit *c, guint branch, const HyFormula *rest, const HyControl *control,
                        guint n);
/* Coils A and B have the mutual inductance k sqrt(La Lb). */
void hy_circuit_couple(HyCircuit *c, guint a, guint b, double k, guint element);
/* What was added: the N controls of source BRANCH and its rest; coupling K, FALSE: there are not so
 * many. */
const HyControl *hy_circuit_controls(const HyCircuit *c, guint branch, const HyFormula **rest,
                                     guint *n);
gboolean hy_circuit_coupling(const HyCircuit *c, guint k, guint *a, guint *b, double *factor,
                             guint *element);
/* FALSE: FAULT says why. */
gboolean hy_circuit_solve(HyCircuit *c, HyCircuitFault *fault);

/* Then: */
gboolean hy_circuit_is_state(const HyCircuit *c, guint branch); /* of coils and capacitors */
double hy_circuit_start(const HyCircuit *c, guint branch);
/* Whether it stands in a loop of capacitors or a cut of coils, so that equations have its slope. */
gboolean hy_circuit_uses_slope(const HyCircuit *c, guint branch);
const HyFormula *hy_circuit_derivative(HyCircuit *c, guint branch); /* of a state */
const HyFormula *hy_circuit_current(HyCircuit *c, guint branch);    /* a, through it, to b */
const HyFormula *hy_circuit_across(HyCircuit *c, guint branch);     /* its v */
/* The current of a junction is I - G times its drop, whatever that is; G is above 0. */
void hy_circuit_junction(HyCircuit *c, guint branch, const HyFormula **i, const HyFormula **g);
/* Between any two nodes; to 0 where that is not reached: to the reference of that part. */
const HyFormula *hy_circuit_voltage(HyCircuit *c, guint a, guint b);
const HyFormula *hy_circuit_potential(HyCircuit *c, guint node);
/* Capacitors and sources that read nothing join them: v(a) - v(b) is known before any current. */
gboolean hy_circuit_is_held(HyCircuit *c, guint a, guint b);
guint hy_circuit_island(const HyCircuit *c, guint node); /* the first node of its part */
/* Nothing ties the part of NODE to another: no branch, winding, coupling or controlled source. */
gboolean hy_circuit_is_alone(const HyCircuit *c, guint node);

/* A definition that was asked for, or that one of these needs, each once, after those it is made
 * of; FALSE: there is none any more that has not been given out. FORMULA is asked for. */
void hy_circuit_need(HyCircuit *c, const HyFormula *formula);
gboolean hy_circuit_next(HyCircuit *c, HyDefinition *definition);

G_END_DECLS
#endif
