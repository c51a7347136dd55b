/* What the files share that make equations and blocks of a <circuit> and of the circuits in it,
 * which are one network: elements.c (what there is), nodes.c (texts of nodes), network.c (elements
 * to branches), network_blocks.c (answers to blocks), network_placed.c (what is kept of them),
 * carry.c (signals through the models between).
 *
 * Names in the network are those that the outermost circuit would call them by: "L1", "h[2]/L1". */
#ifndef HY_NETWORK_H
#define HY_NETWORK_H

#include "circuits/circuit.h"
#include "language/block.h"
#include "language/env.h"

/* What may stand in a circuit, and how many ends it has; in the order of hy_circuit_elements(). Its
 * class stands in elements.c, what it is in equations and in other languages in switches that name
 * every kind. */
#define HY_ELEMENTS(ELEMENT)                                                                       \
  ELEMENT(RESISTOR, 2)                                                                             \
  ELEMENT(CAPACITOR, 2)                                                                            \
  ELEMENT(INDUCTOR, 2)                                                                             \
  ELEMENT(COUPLING, 0)                                                                             \
  ELEMENT(VOLTAGE, 2)                                                                              \
  ELEMENT(CURRENT, 2)                                                                              \
  ELEMENT(SWITCH, 2)                                                                               \
  ELEMENT(DIODE, 2)                                                                                \
  ELEMENT(TRANSISTOR, 2)                                                                           \
  ELEMENT(THYRISTOR, 2)                                                                            \
  ELEMENT(PROBE, 2)                                                                                \
  ELEMENT(TRANSFORMER, 4)                                                                          \
  ELEMENT(EXPONENTIAL, 2)

#define ELEMENT(kind, ends) HY_##kind,
typedef enum { HY_ELEMENTS(ELEMENT) } HyElementKind;
#undef ELEMENT
HyElementKind hy_element_kind(const HyAtomicClass *klass); /* of an element */
guint hy_element_ends(HyElementKind kind);

#define HY_NO_BRANCH G_MAXUINT

/* One copy of an element. */
typedef struct {
  Scope *scope; /* that it stands in */
  Entry *entry;
  gint64 at[HY_MAX_INDICES];
  HyElementKind kind;
  const char *name; /* "L1", "h[2]/R[2]" */
  guint node[4];
  guint branch, second; /* of the circuit; HY_NO_BRANCH; second: the diode of a transistor, the
                           other winding of a transformer, Roff of an exponential diode */
  guint junction;       /* of an exponential diode with a Cj: that branch; HY_NO_BRANCH */
  double is, vt;        /* of an exponential diode */
  double ron, roff, rd, knee;
  double start;        /* of a state */
  guint valve;         /* of a diode or thyristor: its component */
  gboolean warm;       /* a switch or diode whose Ron is a formula */
  gboolean shaped;     /* a coil with a flux, a capacitor with a charge */
  gboolean signal;     /* of a source or resistor: its value is no number */
  gboolean sloped;     /* a source of signals whose slope is known: "NAME:slope" */
  gboolean controlled; /* a source whose value reads its own circuit, and is affine in that */
  gboolean left_out;   /* by its if */
} Element;

/* Two coils, by their branches, as a coupling has them. */
typedef struct {
  guint first, second;
  double k;
} Coupling;

/* Somebody reads v, i or on of an element, or v of a node. */
typedef struct {
  const char *name; /* of the pool */
  guint32 element;  /* HY_NO_BRANCH: of the node */
  guint node;
  char what;         /* v, i, o */
  guint winding;     /* of a transformer: 1, 2 */
  gboolean recorded; /* a path leads to it, so it has a block of its own */
} Want;

/* A name of a node, and its number; several names may have one. */
typedef struct {
  const char *key; /* "x[2]", "h[1]/p" */
  guint number;
} NodeAt;

/* A signal: output PORT of a component of SCOPE's model. */
typedef struct {
  Scope *scope;
  guint component, port;
} Made;

/* A <circuit> as one instance has it, with all circuits in it. */
struct Network {
  Loader *loader;
  Scope *scope; /* the outermost; the hidden blocks stand there */
  HyFormulaPool *pool;
  HyCircuit *circuit;
  GPtrArray *circuits; /* Scope: the outermost, and those in it, in the order of the file */
  GHashTable *scopes;  /* the same by their paths: "", "h[1]/" */
  GArray *elements;    /* Element */
  GArray *couplings;   /* Coupling */
  GArray *nodes;       /* NodeAt */
  GHashTable *by_key;  /* a name of a node -> its place in them + 1 */
  GHashTable *joined;  /* a name of a node port -> that of the node which it is joined to */
  GArray *node_uses;   /* guint: by how many ends and formulas each is named */
  guint *names_at;     /* once all are there: the names of each node (look.c); NULL */
  GArray *made;        /* Made */
  GHashTable *signal;  /* its name -> its place in them + 1 */
  GHashTable *carried; /* "INSTANCE PLACE" of a signal that was carried there -> its port there */
  GArray *wants;       /* Want */
  GHashTable *wanted;  /* their names */
  guint ports, depth;  /* that may still be followed; that are being followed */
  gboolean failed;     /* there are no equations, and why has been said */
};

extern const HyAtomicClass hy_node_class; /* of entries that are nodes */

static inline gboolean hy_is_node(const Entry *e)
{
  return e->klass == &hy_node_class;
}

static inline Element *hy_network_element(const Network *n, guint32 k)
{
  return &g_array_index(n->elements, Element, k);
}

/* ---- nodes.c ---- */
/* The words of nodes="a x[i + 1] 0"; COMMAS: of ac="a, b, c". Newly allocated. */
char **hy_nodes_split(const char *text, gboolean commas);
/* Numbers of the ENDS nodes of an element. FALSE: reported. */
gboolean hy_nodes_read(Network *n, Env *env, const char *text, guint ends, guint *node);
/* What the node ports of CHILD are joined to, as its block says. FALSE: reported. */
gboolean hy_nodes_join(Network *n, const Scope *child);
/* Lists all node ports that elements are at, also those that nobody inside names. */
void hy_nodes_of_ports(Network *n);
static inline const NodeAt *hy_network_node(const Network *n, guint32 place)
{
  return &g_array_index(n->nodes, NodeAt, place);
}

HyNameKind hy_network_name(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                           GError **error);

/* ---- said.c ---- */
/* What stands in the attribute that is port or parameter NAME of a copy: a number, or a formula of
 * signals, which lives until the scratch is cleared. FALSE: reported. */
typedef struct {
  gboolean stated;
  double number;
  const HyFormula *formula; /* NULL: it is the number */
  const char *text;         /* as written; NULL: not written */
  Env env;                  /* where it is read */
} Said;
gboolean hy_element_said(Network *n, const Element *e, const char *name, Said *said);
/* The same where a set says it in place of the attribute, a number; FALSE: none does. */
gboolean hy_element_set(Network *n, const Element *e, const char *name, Said *said);
/* A number; STATED NULL, or whether it was. FALSE: reported. */
gboolean hy_element_number(Network *n, const Element *e, const char *name, double *v,
                           gboolean *stated);
Item *hy_element_item(const Entry *e, const char *name); /* an attribute as written; NULL: none */
/* Reports that it needs NAME (UNIT, or NULL): DOC, or NULL. */
void hy_element_lacks(Network *n, const Element *e, const char *name, const char *unit,
                      const char *doc);

/* ---- branches.c ---- */
/* Of element NUMBER; FALSE: reported. Sources that read the circuit and couplings need all others.
 */
gboolean hy_branch_add(Network *n, Element *e, guint32 number);
/* Of a transistor: what its channel or body has by itself, that conducts with R beside the other.
 */
double hy_transistor_share(const Element *e, double r);
gboolean hy_controls_add(Network *n, const Element *e);
gboolean hy_coupling_add(Network *n, const Element *e, guint32 number);

/* ---- network.c ---- */
/* "NAME.what", of the pool. */
const char *hy_network_signal(Network *n, const char *name, const char *what);
/* A node that one end alone is at, and no formula reads, is legal, and mostly a misspelt one. */
void hy_network_warn_of_nodes(const Network *n);

/* ---- readings.c ---- */
/* The element or node of this circuit whose reading REF is, and which copy; NULL: it is a state's,
 * or a signal. */
const Entry *hy_reading_of(const Env *env, const HyFormula *ref, guint32 *copy);
/* What stands behind REF in ENV, a port between circuits of this network, opened; NULL: it is none,
 * or too many have been followed. After it hy_behind_done(). */
const HyFormula *hy_behind(const Env *env, const HyFormula *ref, Env *out);
void hy_behind_done(const Env *env);
/* Whether F follows at once from such readings; what decides modes does not count. */
gboolean hy_reads_at_once(const Env *env, const HyFormula *f);
/* F, folded, with the formulas of functions that read the circuit at once in place of their names,
 * and choices in place of min, max, abs and limit of readings; in the scratch. */
const HyFormula *hy_readings_open(Env *env, const HyFormula *f);
/* ---- through.c ---- */
/* What REF, read in ENV, stands for at the other side of a port of a circuit of this network, and
 * where that is read; in the scratch. NULL: it is no such port. */
const HyFormula *hy_network_through(Network *n, const Env *env, const HyFormula *ref, Env *out);
/* Ports that are followed for one source, and one behind the other: they may lead in a circle. */
#define HY_MOST_PORTS      100000
#define HY_MOST_PORT_DEPTH 32

/* ---- controls.c ---- */
/* A value as the rest and what it reads of its own circuit times factors, all in the scratch. */
typedef struct {
  GArray *controls; /* HyControl */
  const HyFormula *rest;
  GPtrArray *modes; /* conditions that factors and rest name as "NAME:if1" ... */
} Affine;
void hy_affine_clear(Affine *a);
/* What source NAME says; FALSE: it reads nothing that could follow from it, or is not affine in
 * that; OUT has nothing. */
gboolean hy_controls_split(Network *n, const char *name, Said *said, Affine *out);

/* ---- slopes.c ---- */
/* What a block that is known sends, times a factor. */
typedef struct {
  const HyModel *model;
  guint component, port;
  double factor;
} SlopeTerm;
typedef struct {
  GArray *terms; /* SlopeTerm */
  double rest;   /* of the time */
} Slope;
/* FALSE: it is not known; OUT has nothing. Components of the circuit's own model are right only
 * once its blocks are there. */
gboolean hy_slope_find(Network *n, Said *said, Slope *out);
/* A block NAME that sends d/dt of TERM; its component. */
guint hy_slope_block(const SlopeTerm *term, HyModel *model, const char *name,
                     const HyAtomicClass **klass);

/* ---- network_blocks.c ---- */
/* The signals of an element, as blocks in their place: states, valves, sources. */
void hy_network_add(Network *n, Element *e);
/* Output PORT of COMPONENT of S is the signal NAME, of the pool. */
void hy_network_made(Network *n, const char *name, Scope *s, guint component, guint port);
/* The hidden signal of a circuit that REF names; FALSE: none does. */
gboolean hy_network_hidden(Scope *s, const HyFormula *ref, End *end);

/* ---- network_placed.c ---- */
/* Its elements are kept with the model, if that keeps what is written. */
void hy_network_keep(Network *n);

/* ---- wants.c ---- */
void hy_network_want_records(Network *n); /* what the experiment records */
const HyFormula *hy_want_formula(Network *n, const Want *w);
/* Of all copies of E. */
void hy_network_want_all(Network *n, Scope *s, const Entry *e, const char *port);

/* ---- carry.c ---- */
void hy_made_add(Network *n, const char *name, const Made *made);
/* NULL: no block has said this signal. */
const Made *hy_made_find(const Network *n, const char *name);
/* Where signal NAME, which there is, comes from for the components of SCOPE: one of them, or an
 * input port that was made for it (HY_SELF). */
Made hy_network_carry(Network *n, const char *name, Scope *scope);
/* Where what is called NAME stands, and its name there. */
Scope *hy_network_home(const Network *n, const char *name, const char **local);

#endif
