/* All that is known while a model is loaded (load.c), and what of it stays. */
#ifndef HY_LANGUAGE_LOADER_H
#define HY_LANGUAGE_LOADER_H

#include "base/arena.h"
#include "base/hint.h"
#include "expr/formula_memo.h"
#include "language/placed.h"
#include "language/scope.h"

#define HY_PARAM_DEPTH 100        /* parameters that need each other to be computed */
#define HY_TEXT_BYTES  1000000U   /* of a text with {...}, after that was replaced */
#define HY_TEXTS_BYTES 100000000U /* of all of them */
#define HY_LISTED      2000000U   /* numbers of one list */
#define HY_NUMBERS     40000000U  /* of all arrays of all scopes */

typedef struct Again Again;

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
  GArray *measures; /* HyMeasureSaid */
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

/* What a program asks for, of which it knows SIZE bytes. FALSE: for a newer library; REPORT says
 * so. */
gboolean hy_take_load_options(HyLoadOptions *taken, const HyLoadOptions *options, gsize size,
                              const char *file, HyReport *report);
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
  char **set, **record, **measure;
  GArray *parameters; /* HyParameter */
  guint group;        /* of blocks whose method is that of the experiment */
  GStringChunk *strings;
  struct HyNetlist *netlist;
  HyExperiment experiment;
  GArray *records, *measures;
  GPtrArray *experiments, *times;
  GHashTable *looks;       /* HyModel -> ScopeLook (look.h) */
  GPtrArray *define_looks; /* what they share */
  GPtrArray *machines;     /* classes of blocks of the model */
};

/* function.c: rows of information */
guint32 hy_row_add(Loader *l, const Row *row);
void hy_scope_add_row(Scope *s, guint32 row); /* of the component that was added last */
const Row *hy_row_of(const Loader *l, const HyModel *m, guint component);
/* The same, SAYing something of it: placed.h. */
void hy_say_of(const Loader *l, HySay say, const HyModel *m, guint component, const char *text);

/* placed.c */
typedef const Row *(*HyRowOf)(gconstpointer of, const HyModel *m, guint component);
/* Of the element of FILE that has the component, by itself or inside; else its own. */
const Row *hy_placed_row(HyRowOf row_of, gconstpointer of, const char *file, const HyModel *m,
                         guint component);
void hy_say_placed(HySay say, HyReport *report, HyRowOf row_of, gconstpointer of, const char *file,
                   const HyModel *m, guint component, const char *text);
void hy_into_clear(LinesInto *into);

#endif
