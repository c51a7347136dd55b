/* What the files of a model define, as it is written (define.c, types.c, plan.c, port_kinds.c,
 * files.c). A Define is one <hydevs>, <type> or <coupled>; its Entries are the elements in it. */
#ifndef HY_LANGUAGE_DEFINE_H
#define HY_LANGUAGE_DEFINE_H

#include "expr/expression.h"
#include "hydevs/error.h"
#include "hydevs/load.h"
#include "language/schema.h"

#define HY_MAX_INDICES  3
#define HY_NO_COMPONENT G_MAXUINT32

typedef struct Define Define;
typedef struct Entry Entry;
typedef struct Scope Scope;
typedef struct Loader Loader;
typedef struct MachineSaid MachineSaid;

typedef struct {
  HyTree *tree;
  const char *name; /* in messages */
  char *folder;     /* where the files it names are looked for */
  HyVocabulary *vocabulary;
  guint8 *bad;       /* [elements] */
  GHashTable *types; /* name -> Define; made when first asked for */
  Define *root;
  gboolean shared; /* the tree is of the documents of the load */
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
  const Entry *param;         /* of the lever behind a parameter that may change; else NULL */
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

const char *hy_text_of(const HyFile *f, const HyElement *e, guint16 word); /* NULL: not said */
char *hy_define_path(const Define *d, const char *name); /* "type/cell/x"; newly allocated */
/* The entry of this name; of a lever that is a parameter that one. NULL: there is none. */
Entry *hy_define_param(const Define *d, const char *name);
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
void hy_block_plan_free(const Plan *plan);
PortKind hy_port_kind(Loader *l, Define *d, Entry *port); /* signal, event or unknown */
/* The word, type or file by which an entry is placed. */
const char *hy_placed_by(const HyFile *f, const Entry *e);

/* files.c */
HyFile *hy_file_new(Loader *l, HyTree *tree);
void hy_file_free(gpointer p);
char *hy_digest_file(const char *path); /* as hy_loaded_digest(), of any file as it is now */
HyFile *hy_loader_standard(Loader *l);
char *hy_beside(const HyFile *from,
                const char *name); /* a path relative to the file; newly allocated */
Define *hy_file_type(Loader *l, HyFile *file, const char *name);
char *hy_loader_find_library(Loader *l, const HyFile *from, const char *name);

#endif
