/* Inside the loader: what the files of a model define, and the instances made from it. load.c says
 * which pass stands in which file.
 *
 * A Define is one <hydevs>, <type> or <coupled> as written; its Entries are the elements in it. A
 * Scope is one instance of a Define: values of its parameters, its HyModel, its components. Scopes
 * are made by their parent and worked off one after the other (no recursion over the depth of the
 * model). */
#ifndef HY_EXPAND_H
#define HY_EXPAND_H

#include "base/arena.h"
#include "base/hint.h"
#include "expr/expression.h"
#include "expr/formula_memo.h"
#include "hydevs/error.h"
#include "hydevs/load.h"
#include "language/placed.h"
#include "language/schema.h"

#define HY_MAX_INDICES  3
#define HY_NO_COMPONENT G_MAXUINT32
#define HY_LEFT_OUT     (G_MAXUINT32 - 1) /* a copy whose `if` does not hold */
#define HY_PARAM_DEPTH  100               /* parameters that need each other to be computed */
#define HY_TEXT_BYTES   1000000U          /* of a text with {...}, after that was replaced */
#define HY_TEXTS_BYTES  100000000U        /* of all of them */
#define HY_LISTED       2000000U          /* numbers of one list */
#define HY_NUMBERS      40000000U         /* of all arrays of all scopes */
#define HY_FOLDED_DEPTH                                                                            \
  (HY_FORMULA_DEPTH + 50) /* of a formula, the lists and ifs around it counted */

typedef struct Define Define;
typedef struct Entry Entry;
typedef struct Scope Scope;
typedef struct Loader Loader;
typedef struct Network Network;
typedef struct Again Again;
typedef struct MachineSaid MachineSaid;

typedef struct {
  HyTree *tree;
  const char *name; /* in messages */
  char *folder;     /* where the files it names are looked for */
  HyVocabulary *vocabulary;
  guint8 *bad;       /* [elements] */
  GHashTable *types; /* name -> Define; made when first asked for */
  Define *root;
} HyFile;

typedef enum { E_PARAM, E_LET, E_IN, E_OUT, E_BLOCK, E_WIRE } EntryKind;

/* What an attribute of a block is for. */
typedef enum { R_INPUT, R_PARAM, R_CHILD_PARAM, R_CHILD_IN, R_CHILD_NODE, R_NAMED } Role;

/* What a parameter is, by its kind="...", in the order of hy_choices_of(); those from KIND_TEXT on
 * are no numbers. */
typedef enum { KIND_REAL, KIND_INTEGER, KIND_BOOLEAN, KIND_TEXT, KIND_PAYLOAD } ValueKind;

/* What a port carries; one that does not say is looked at when first asked. */
typedef enum {
  PORT_NOT_LOOKED,
  PORT_SIGNAL,
  PORT_EVENT,
  PORT_UNKNOWN,
  PORT_IN_WORK /* it depends on itself: unknown */
} PortKind;

typedef struct {
  const HyAttribute *attribute;
  const HyFormula *formula; /* if parsed; NULL: wrong */
  Entry *direct;            /* the text is only the name of this block or port */
  Entry *child;             /* of a coupled block: its parameter, input port or node */
  guint16 index;            /* of an atomic: number of the port or parameter */
  guint8 role;
  gboolean parsed; /* its formula: when first needed */
} Item;

typedef struct {
  Item *item; /* [n]: parameters first, then inputs in the order of the ports */
  guint n;
  gboolean numerics; /* it states one of method dqrel ... */
} Plan;

struct Entry {
  const char *name; /* of the pool; NULL: a wire */
  Entry *same;      /* the next of this name: their ifs exclude each other */
  Define *define;
  const HyAttribute *count, *cond, *value; /* value: of param and let; from: of out */
  union {
    struct { /* of a block */
      const HyAttribute *before, *after;
    };
    struct { /* of a wire */
      const HyAttribute *from, *to;
    };
  };
  struct { /* of these attributes; parsed when first needed */
    const HyFormula *count, *cond, *value;
    union {
      struct {
        const HyFormula *before, *after;
      };
      struct {
        const HyFormula *from, *to;
      };
    };
  } f;
  const char *index[HY_MAX_INDICES];
  const HyAtomicClass *klass; /* of a block; NULL: coupled */
  Define *inside;             /* of a coupled one */
  const char *type;           /* of a block whose type="...{p}..." holds names: for which text of it
                                 this entry stands; each has its own, and NULL is for none yet */
  const MachineSaid *machine; /* of a <machine>: what it says */
  const Plan *plan;
  const char *unit;
  guint32 element, line;
  guint32 slot;              /* among the values, inputs, outputs or blocks of the define */
  guint32 last_n;            /* copies in the last scope that was expanded */
  guint32 row, row_numerics; /* the last row of information made for it, + 1 */
  guint8 *image;             /* parameters of the last copy, if ALIKE (block.c) */
  guint8 kind;               /* EntryKind */
  guint8 n_index;
  guint8 used;         /* param, let: somebody named it */
  guint8 bad;          /* left out */
  guint8 value_kind;   /* param: ValueKind */
  guint8 port_kind;    /* in, out: PortKind */
  guint8 cond_indexed; /* block: its `if` reads an index */
  guint8 type_looked;  /* block: klass and inside are known */
  guint8 open_type;    /* block: its type holds names in {} */
  guint8 variant;      /* one of the further entries of such a block */
  guint8 nodes_known;  /* block: the nodes that it names are entries */
  guint8 alike;        /* block: its copies with the same row have the same parameters */
  guint8 node_port;    /* a node of the circuit that is joined to one of the circuit around */
};

struct Define {
  HyFile *file;
  guint32 element;
  const char *name;
  Define *around;                        /* lexically, of a <coupled> */
  Entry *entry;                          /* the <coupled> itself */
  GPtrArray *entries;                    /* Entry, in document order */
  GHashTable *inner;                     /* name -> Entry: blocks, in ports, params, lets */
  GHashTable *elements;                  /* of a circuit: those whose name a value has, too */
  GHashTable *outs;                      /* name -> Entry */
  GPtrArray *values, *in, *out, *blocks; /* the same entries by slot */
  gboolean used, is_type;
  gboolean is_circuit; /* elements and nodes may stand in it */
};

typedef enum { V_NOT_YET, V_BUSY, V_DONE, V_BAD } ValueState;
typedef enum { V_NUMBER, V_NUMBERS, V_TEXT } ValueShape;
typedef struct {
  guint8 state, shape;
  guint n; /* of numbers */
  union {
    double number;
    double *numbers;
    const char *text;
  };
} Value;

/* Copies of a block in one scope. */
typedef struct {
  guint32 n; /* copies; 0: none */
  guint32 extent[HY_MAX_INDICES];
  guint32 *component; /* [n]; n == 1 without count: &one */
  guint32 one;
  Scope **child; /* [n], of a coupled one */
  Scope *one_child;
  guint8 bad;
} Copies;

typedef struct {
  guint first, n;
} PortRange;

/* Where something comes from, or goes to, before all components are there. */
typedef struct {
  Entry *entry;     /* a block or an in or out port of the model itself; NULL: component says it */
  const char *port; /* of the pool; NULL: the first one */
  guint32 copy;
  guint32 port_index; /* 1...; 0: none written */
  guint32 component;
  guint32 number; /* of the port, if entry is NULL */
} End;
#define COPY_BEFORE (G_MAXUINT32 - 1)
#define COPY_AFTER  (G_MAXUINT32 - 2)

/* One line to be drawn once all components are there; WIRE: a wire element to be expanded then. */
typedef struct {
  End from, to;
  const HyAttribute *attribute;
  const HyFile *file;
  Entry *wire;
  double number; /* a constant, if constant */
  gboolean constant;
} Line;

/* What before= or after= of a repeated block says. */
typedef enum {
  BOUNDARY_NOTHING,
  BOUNDARY_NUMBER,
  BOUNDARY_END,
  BOUNDARY_WRONG,
  BOUNDARY_FORMULA
} BoundaryState;
typedef struct {
  BoundaryState state;
  double number;
  End end;
  const HyFormula *formula; /* of the main pool */
} Boundary;

typedef struct {
  const struct SetGroup *set;
  guint part;
} ActiveSet;

/* Which copies an active set may meet, to find those of a copy (sets.c). */
typedef struct {
  const char *name; /* "": any */
  gint64 at;        /* the first index; 0: none is stated */
  guint place;      /* in the list of active sets */
} SetKey;

struct Scope {
  Define *define;
  HyModel *model;
  Scope *around;      /* lexically; NULL: sealed */
  Scope *parent;      /* the model around; NULL: the root */
  const Entry *entry; /* as what it was placed; NULL: the root */
  gint64 at[HY_MAX_INDICES];
  guint depth, number;
  guint32 numerics; /* row */
  Value *values;
  PortRange *in, *out;
  guint n_in, n_out;
  guint8 *in_state; /* [n_in] HyInputState */
  double *in_const; /* [n_in] */
  GArray *active;   /* ActiveSet, or NULL */
  SetKey *set_keys; /* of these, sorted: by hy_sets_sort() */
  GArray *rows;     /* guint32 per component: row of block information */
  GArray *parts;    /* HyLookPart, of a circuit, or NULL: for drawings (look.c) */

  /* While it is being worked on. */
  Copies *copies;
  Boundary *boundary; /* [2 * blocks], or NULL */
  GArray *lines;      /* Line */
  Scope **child_of;   /* [components], or NULL */
  guint32 *in_base;   /* [components + 1] */
  guint32 *source;    /* line + 1 of each input of each component */
  guint32 *out_source;
  Network *network;       /* of a circuit: its own, or that of the outermost around it */
  const char *in_network; /* its path there: "", "h[2]/"; of the network's pool */
  guint32 *first_element; /* [blocks of the define]: of the copies of an entry, in the network */
  guint32 clock;          /* the hidden block that `t` means here, + 1; 0: none yet */
};

/* Numbers that integrators inherit. */
typedef struct {
  const char *method;
  guint32 group;
  guint stated;    /* bit per field, in the order of HY_W_METHOD .. HY_W_HSTEP */
  double value[6]; /* the same order; [0] not used */
} Numerics;

typedef struct {
  const char *file, *unit, *label, *formula;
  const char *type; /* the word or type that it is placed by; NULL: none */
  guint32 line, numerics;
} Row;

/* Attributes of one <set block="..."> or --set. */
typedef struct {
  const char *name, *text;
  const HyPath *elements; /* of a parameter that is an array: w[2], w[2..3]; NULL: all of it */
  const HyAttribute *attribute; /* NULL: of the command line */
  guint16 word;
} SetItem;
typedef struct SetGroup {
  const HyPath *path; /* NULL: parameters of the root */
  const char *path_text, *experiment, *file;
  guint line;
  const HyAttribute *attribute; /* block="..." */
  GArray *items;                /* SetItem */
  guint matches;
} SetGroup;

/* Written by files.c. */
typedef struct {
  GPtrArray *all;      /* HyFile */
  GPtrArray *data;     /* names of files that blocks read */
  GHashTable *by_path; /* canonical path -> HyFile */
  HyFile *standard;    /* library/standard.xml */
  char **standard_types;
  gboolean standard_looked;
} LoadedFiles;

/* Written by experiment.c and sets.c. */
typedef struct {
  HyExperiment experiment;
  GArray *records;  /* HyRecord */
  GPtrArray *names; /* of all experiments */
  GPtrArray *times; /* double *: the instants of grids */
  GArray *chain;    /* guint32: elements of the one in force, the most basic first */
  GPtrArray *sets;  /* SetGroup */
} Chosen;

/* Parameters whose value is being computed, each needed by the one before it (params.c). */
typedef struct {
  const Entry *entry[HY_PARAM_DEPTH];
  guint n;
} Computing;

/* The lines of a model by the component that they lead to (slopes.c). */
typedef struct {
  const HyModel *model; /* NULL: none has been asked for */
  guint *last;          /* [components]: the last of its lines, + 1; 0: none */
  guint *before;        /* [lines]: the one before it, likewise */
} LinesInto;

struct Loader {
  HyLoadOptions options;
  HyReport *report;
  guint before;              /* errors that it had already */
  struct HyNetlist *netlist; /* of all circuits, if it is asked for (netlist.h) */
  GHashTable *reported;      /* attribute or entry -> what was reported of it (Reported) */
  HyFormulaPool *pool, *scratch;
  Again *again;    /* formulas of inputs that come again (function.c), or NULL */
  GPtrArray *made; /* nodes of formulas that live as long as what is in scratch */
  GStringChunk *strings;
  gsize text_bytes; /* that hy_env_text() has made */
  gsize n_numbers;  /* that keep_numbers() has kept */
  guint n_unknown;  /* messages of names that nobody has */
  HyArena *entries; /* all of them */
  GString *names;   /* scratch for names of copies */
  LoadedFiles files;
  GPtrArray *defines;
  Chosen chosen;
  Computing computing;

  /* The scopes, as expand.c and place.c make them. */
  HyModel *model;
  GPtrArray *scopes;
  GPtrArray *waiting; /* still to be worked on; last first */
  guint placing;      /* blocks that others need placed first, one inside the other */
  guint64 n_blocks, n_wires, n_lines;
  gboolean stopped; /* a limit was passed */

  GPtrArray *machines_said; /* MachineSaid (machine.h) */
  GPtrArray *machines;      /* HyMachine */

  /* What is known of blocks: numerics.c, function.c. */
  GArray *rows;     /* Row */
  GArray *numerics; /* Numerics */
  GHashTable *groups;
  LinesInto into;
};

/* Where an attribute's text is read: which scope, which copy. */
typedef enum { MODE_CONSTANT, MODE_SOURCE } Mode;
typedef struct {
  Loader *loader;
  Scope *scope;
  const Entry *entry; /* whose attribute it is; NULL: of the scope's own element */
  const HyFile *file;
  const HyAttribute *attribute;
  const char *what; /* attribute name for messages; NULL: a let or param */
  const char *index[HY_MAX_INDICES];
  gint64 at[HY_MAX_INDICES];
  guint n_index;
  Mode mode;
  const Plan *named; /* of a formula block: its named inputs, */
  const char *const
      *unknown; /* and names of what it computes (of the pool, ends with NULL), or NULL */
  const HyFormula *formula; /* that is folded, so that all its unknown names are told at once */
  Again *again;             /* where what it becomes is remembered, or NULL */
  enum { NAMES_SIGNALS, NAMES_NODES, NAMES_INDUCTORS } names; /* what names stand for */
} Env;

#define HY_TIME "t" /* what the time is called in formulas, if nothing else is */

/* ---- messages.c ---- */
/* What was reported of an attribute or an entry; nothing is reported twice. */
typedef enum {
  REPORTED_ERROR = 1,
  REPORTED_WARNING = 2,
  REPORTED_ELSEWHERE = 4, /* it is wrong because of something that was reported */
  REPORTED_OPEN = 8,      /* that an input has no source */
  REPORTED_ANYTHING = 15
} Reported;
gboolean hy_was_reported(const Loader *l, const void *about, guint what);
gboolean hy_note_once(Loader *l, const void *about,
                      Reported what); /* notes it; TRUE: the first time */
#define HY_SILENT (hy_silent_quark()) /* an error that was reported already */
GQuark hy_silent_quark(void);
void hy_scope_path(const Scope *scope, GString *out);
void hy_copy_name(const Entry *entry, const gint64 *at, GString *out);
/* "path: what", once per attribute. */
void hy_problem(const Env *env, const char *format, ...) G_GNUC_PRINTF(2, 3);
void hy_problem_error(const Env *env, GError *error); /* frees it; silent ones are not shown */
/* About a whole element, once. */
void hy_entry_problem(Loader *l, const Scope *scope, const Entry *e, const gint64 *at,
                      const char *format, ...) G_GNUC_PRINTF(5, 6);

/* ---- env.c, names.c, ends.c: what names mean ---- */
Env hy_env(Loader *l, Scope *scope, const Entry *entry, const HyAttribute *attribute);
void hy_env_copy(Env *env, const Entry *entry, const gint64 *at); /* the indices of one copy */
extern const HyFormulaScope hy_env_scope; /* user is filled in by hy_env_fold */
const HyFormula *hy_env_parse(const Env *env, HyTextKind kind, const char *text);
const HyFormula *hy_env_fold(Env *env, const HyFormula *formula);
/* A folded formula with u[0] and u[N+1] replaced where before= and after= are formulas. */
const HyFormula *hy_env_boundaries(Env *env, const HyFormula *folded);
gboolean hy_env_number(Env *env, const HyFormula *formula, double *v);
gboolean hy_env_count(Env *env, const HyFormula *formula, gint64 *n);
/* The entry that REF names in this scope itself; NULL: none. */
Entry *hy_scope_find(const Scope *scope, const char *name);
/* The same of a reference: with a port, as in L.i, it is the element and not the value L. */
Entry *hy_scope_find_ref(const Scope *scope, const HyFormula *ref);
Entry *hy_define_find(const Define *d, const char *name, gboolean with_port);
/* The end that a folded reference stands for (blocks and own ports). FALSE: reported. */
gboolean hy_env_end(Env *env, const HyFormula *ref, gboolean outgoing, End *end);
/* The same for a text that is just "block" or "block.port" of a block without copies; FALSE: it is
 * not, or it is wrong: read it as a formula. Most files without repetition consist of these. */
gboolean hy_plain_end(const Env *env, const char *text, gboolean outgoing, End *end);
/* Text with {N} replaced. NULL: reported. */
const char *hy_env_text(Env *env, const char *text);

/* ---- params.c: values of parameters ---- */
const Value *hy_scope_value(Loader *l, Scope *scope, const Entry *e);
/* TEXT, read in ENV, as a value for parameter P. FALSE: reported. */
gboolean hy_value_read(Env *env, const Entry *p, const char *text, const HyFormula *parsed,
                       Value *value);
/* The same from the place of use of SCOPE, with the length that P wants. */
gboolean hy_value_take(Env *env, Scope *scope, const Entry *p, const char *text,
                       const HyFormula *parsed, Value *value);
/* No value any more; what it kept is freed. */
void hy_value_spoil(Value *value);
gboolean hy_value_check(Env *env, Scope *scope, const Entry *p, const Value *value);

/* ---- define.c, types.c, plan.c, port_kinds.c ---- */
const char *hy_text_of(const HyFile *f, const HyElement *e, guint16 word); /* NULL: not said */
char *hy_define_path(const Define *d, const char *name); /* "type/cell/x"; newly allocated */
void hy_complain(Loader *l, const Define *d, Entry *e, const char *format, ...)
    G_GNUC_PRINTF(4, 5); /* the entry is left out then */
Define *hy_define_new(Loader *l, HyFile *file, guint32 element, Define *around, Entry *entry);
void hy_define_free(Define *d);
const char *hy_entry_what(const Entry *e); /* as messages call it: parameter, resistor */
/* Adds an entry, and its name. */
void hy_define_add(Loader *l, Define *d, Entry *e);
gboolean hy_entry_type(Loader *l, Entry *e); /* klass or inside; FALSE: reported */
/* Entries for the types that blocks with an open type have in S. Before it has copies. */
void hy_open_types(Loader *l, Scope *s);
/* Whether E stands for the type that its block has in S; also where that is wrong. */
gboolean hy_open_type_is(Loader *l, Scope *s, const Entry *e);
/* Whether E is not there in all instances: it has an `if`, or stands for one of several types. */
gboolean hy_is_choice(const Entry *e);
/* A word that means the same at every block, and so is neither its parameter nor its port. */
gboolean hy_is_fixed(guint16 word, gboolean block);
const Plan *hy_entry_plan(Loader *l, Entry *e);
void hy_plan_free(const Plan *plan);
PortKind hy_port_kind(Loader *l, Define *d, Entry *port); /* signal, event or unknown */

/* ---- files.c ---- */
HyFile *hy_file_new(Loader *l, HyTree *tree);
void hy_file_free(gpointer p);
char *hy_digest_file(const char *path); /* as hy_loaded_digest(), of any file as it is now */
HyFile *hy_loader_file(Loader *l, const char *path, const Env *asked);
HyFile *hy_loader_standard(Loader *l);
char *hy_beside(const HyFile *from,
                const char *name); /* a path relative to the file; newly allocated */
Define *hy_file_type(Loader *l, HyFile *file, const char *name);
char *hy_loader_find_library(Loader *l, const HyFile *from, const char *name);

/* The ports of the model of a scope that is prepared. */
void hy_scope_ports(Loader *l, Scope *child);
/* ---- expand.c: scopes ---- */
void hy_expand_all(Loader *l, Define *root);
void hy_scope_free(Scope *s);

/* ---- place.c: how many copies, and the scopes of coupled ones ---- */
Scope *hy_scope_new(Loader *l, Define *d, Scope *parent, const Entry *entry, const gint64 *at);
void hy_scope_prepare(Loader *l, Scope *s); /* ports, once its parameters were given */
void hy_scope_place(Loader *l, Scope *s);
void hy_too_many_blocks(Loader *l, const Scope *s, const Entry *e); /* a limit was passed */
/* ---- lines.c ---- A line for when all components are there; too many are reported. */
void hy_keep_line(Loader *l, Scope *s, const Line *line);
/* ---- least.c ---- Before any block is made. */
gboolean hy_least_is_too_much(Loader *l, Scope *root);
/* Places E if that has not been done, since somebody needs its copies. FALSE: reported. */
gboolean hy_scope_placed(Loader *l, Scope *s, Entry *e);
/* Of an input port or a parameter of a model, <in name="u" count="N"/> where N is a parameter
 * without a value: N, which is as long as the list of u where the model is placed, if nobody says
 * it. NULL: it is none. */
Entry *hy_length_of(const Entry *array);
/* The first port or parameter of D whose length that is; NULL: none. */
const Entry *hy_measures(const Define *d, const Entry *param);
void hy_copy_indices(const Entry *e, const Copies *c, guint32 number, gint64 *at);

/* ---- nodes.c, network.c, network_blocks.c: circuits ---- */
/* It is an element of a circuit, or a node. */
gboolean hy_is_element(const Entry *e);
/* Adds the nodes that elements name to the entries of D, a circuit. */
void hy_nodes_define(Loader *l, Define *d);
/* The same of the blocks in it, whose types are looked at for that. */
void hy_nodes_of_blocks(Loader *l, Define *d);
/* E, a <node> of D. */
void hy_node_port_read(Loader *l, Define *d, Entry *e);
/* The first of its nodes that are joined to others from outside; NULL: there is none. */
const Entry *hy_node_port(const Define *d);
/* Node E with these indices, as a place in the list of the network; HY_NO_COMPONENT: an error. */
guint32 hy_node_copy(const Env *env, const Entry *e, const gint64 *at, GError **error);
/* Whether CHILD belongs to the network of the circuit that it stands in. */
gboolean hy_is_nested(const Scope *child);
/* The network that S is in has no equations, as S is wrong, which has been reported. */
void hy_network_fail(Scope *s);
/* The elements of S and of all circuits in it, once their copies are known: equations, or a
 * message. */
void hy_network_solve(Loader *l, Scope *s);
/* The blocks of element E in their place; after all blocks of all these circuits, what they read.
 */
void hy_network_blocks(Loader *l, Scope *s, const Entry *e);
void hy_network_finish(Loader *l, Scope *s);
/* The reading at END, of an element or a node, will be asked for. */
void hy_network_want(Scope *s, const End *end);
/* Where it is. FALSE: there are no equations, which has been reported. */
gboolean hy_network_place(Scope *s, const End *end, guint *component, guint *port);
/* What the user calls the element or node at END, in its circuit. */
const char *hy_network_element_name(const Scope *s, const End *end);
/* F, which becomes function NAME, where in a circuit what is compared is a function by itself. */
const HyFormula *hy_network_compare(Env *env, const HyFormula *f, const char *name,
                                    const char *text);
void hy_network_free(Network *n);
void hy_into_clear(LinesInto *into);

/* ---- block.c, outputs.c: components and what their attributes say ---- */
void hy_scope_blocks(Loader *l, Scope *s);
const HyFormula *hy_item_parse(Env *env, Item *i, HyTextKind kind);

/* ---- function.c: hidden functions ---- */
gboolean hy_formula_mentions(const HyFormula *f, const char *name);
/* A function of the folded expression F, or HY_NO_COMPONENT. */
guint32 hy_function_add(Env *env, const HyFormula *f, const char *name, const char *text);
guint32 hy_formula_add(Env *env, const HyAtomicClass *klass, const HyFormula *f, const char *name,
                       const char *text);
/* What is remembered of F, the text of an input; NULL: it is there for the first time. */
Again *hy_again_find(const Env *env, const HyFormula *f);
void hy_again_free(Loader *l);
HyFormulaTrace *hy_again_trace(Again *a); /* for folding; NULL: nobody asks */
/* Folded in ENV, which has it, it became this FORMULA with these REFS. */
void hy_again_keep(Env *env, const HyFormulaRefs *refs, const HyExpression *formula, guint32 kept);
/* Whether it becomes the same in ENV, but for its indices; and the hidden function NAME of it. */
gboolean hy_again_holds(Env *env, Again *a);
guint32 hy_again_add(Env *env, Again *a, const char *name);
guint32 hy_row_add(Loader *l, const Row *row);
void hy_scope_add_row(Scope *s, guint32 row); /* of the component that was added last */

/* The end of a line that comes from the time: `t` where nothing else has this name. FALSE:
 * reported.
 */
gboolean hy_clock_end(Env *env, const HyFormula *ref, End *end);

/* ---- inputs.c, lines.c, wires.c: couplings ---- */
void hy_scope_lines(Loader *l, Scope *s);
/* Whether a wire goes to this output port. */
gboolean hy_is_wired(const Define *d, const Entry *out);

/* ---- numerics.c ---- */
guint32 hy_numerics_state(Loader *l, guint32 from, Env *env, const HyElement *e, guint group,
                          gboolean weak);
guint32 hy_numerics_set(Loader *l, guint32 from, Env *env, guint16 word, const char *text,
                        guint group);
/* The group that a block of KLASS belongs to by its numerics; 0: it has no method. */
guint32 hy_numerics_group(const Loader *l, const HyAtomicClass *klass, guint32 numerics);
void hy_numerics_apply(Loader *l, Scope *s, const Entry *e, const gint64 *at, guint component,
                       const HyAtomicClass *klass, guint32 numerics);
guint hy_group(Loader *l, const void *scope, const void *element);
/* Of a scope whose active sets are all known, before they are matched. */
void hy_sets_sort(Scope *s);
/* The sets that match a copy; those that go on inside it are added to *INSIDE (made when needed).
 */
void hy_sets_match(const Scope *s, const Entry *e, const gint64 *at, GPtrArray *matched,
                   GArray **inside);

/* The environment of an item of a set: the parameters of the root. FROM is filled to name the file.
 */
void hy_set_env(Loader *l, const SetGroup *g, const SetItem *item, Env *env, HyFile *from);

/* ---- units.c ---- */
/* Warns if ATTRIBUTE is just one parameter and states another unit than the one it is given to. */
void hy_unit_of_param(Env *env, const HyAttribute *attribute, const char *unit, const char *name);
gboolean hy_units_differ(const char *a, const char *b);

/* unit_check.c: warns where a formula adds or compares what states different units. */
void hy_check_units(Loader *l);

/* ---- experiment.c, sets.c ---- */
/* Chooses the experiment of FILE and collects its sets. FALSE: reported. */
gboolean hy_experiments_read(Loader *l, HyFile *file);
/* grid.c: what grid= says, the STEP or else INSTANTS, which are the loader's. FALSE: reported. */
gboolean hy_grid_read(Env *env, const char *text, double *step, HyInstants *instants);
/* Numbers of the experiment, its records, sets that met nothing. */
void hy_experiment_finish(Loader *l, Scope *root);
/* Whether runs are audited, and how; NULL: nobody says. */
const char *hy_experiment_audit(Loader *l, const HyFile *f);
const char *hy_said_in(const HyFile *f, guint32 element, guint16 word); /* NULL: not said */
char *hy_experiment_who(const HyFile *f, guint32 element); /* "experiment fine"; newly allocated */
void hy_set_read(Loader *l, const HyFile *f, guint32 experiment, guint32 element);
void hy_set_option(Loader *l, const char *option); /* stage[2].L1=120u */
void hy_set_free(gpointer set);
void hy_sets_finish(Loader *l, Scope *root);
guint32 hy_experiment_numerics(Loader *l, Scope *root, HyFile *file);

/* ---- check.c ---- */
void hy_check_loops(Loader *l, const GArray *loops);
const Row *hy_row_of(const Loader *l, const HyModel *m, guint component);
/* The same, SAYing something of it: placed.h. */
void hy_say_of(const Loader *l, HySay say, const HyModel *m, guint component, const char *text);

/* look.c: the word, type or file by which an entry is placed. */
const char *hy_placed_by(const HyFile *f, const Entry *e);

/* ---- placed.c ---- */
typedef const Row *(*HyRowOf)(gconstpointer of, const HyModel *m, guint component);
/* Of the element of FILE that has the component, by itself or inside; else its own. */
const Row *hy_placed_row(HyRowOf row_of, gconstpointer of, const char *file, const HyModel *m,
                         guint component);
void hy_say_placed(HySay say, HyReport *report, HyRowOf row_of, gconstpointer of, const char *file,
                   const HyModel *m, guint component, const char *text);
/* check_trials.c: warns where something with a memory reads trial values. */
void hy_check_trials(Loader *l);
void hy_check_samples(Loader *l);
void hy_check_method(const Loader *l); /* --method */
void hy_check_unused(Loader *l, const HyFile *file, const Define *root);

/* ---- load.c ---- */
void hy_loader_init(Loader *l, const HyLoadOptions *options, HyReport *report);
void hy_loader_clear(Loader *l);
struct HyLoaded {
  HyModel *model;
  GHashTable *scopes; /* HyModel -> GArray of guint32: rows by component */
  GArray *rows, *numerics;
  const char *file;      /* as asked for */
  GPtrArray *inputs;     /* names of files, ends with NULL */
  GPtrArray *sha256;     /* of the first of them, those of XML, as they were read */
  HyLoadOptions options; /* as asked for; lists are of SET and RECORD */
  char **set, **record;
  GArray *parameters; /* HyParameter */
  guint group;        /* of blocks whose method is that of the experiment */
  GStringChunk *strings;
  struct HyNetlist *netlist;
  HyExperiment experiment;
  GArray *records;
  GPtrArray *experiments, *times;
  GHashTable *looks;       /* HyModel -> ScopeLook (look.h) */
  GPtrArray *define_looks; /* what they share */
  GPtrArray *machines;     /* classes of blocks of the model */
};

#endif
