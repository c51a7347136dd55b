/* A model file, read, checked and expanded: an HyModel ready to run and what the file says beside
 * it. */
#ifndef HYDEVS_LOAD_H
#define HYDEVS_LOAD_H

#include "hydevs/blocks.h"
#include "hydevs/model.h"
#include "hydevs/report.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct HyLoaded HyLoaded;
struct HyFormat;

/* Files that have been read and parsed, with their digests, for many loads of one model, also in
 * several threads at once: each is read when a load first asks for it, and is for all loads what it
 * was then. They outlive the loads, not what comes of them. */
typedef struct HyDocuments HyDocuments;
HyDocuments *hy_documents_new(void);
void hy_documents_free(HyDocuments *documents); /* NULL is fine */
/* PATH has these N BYTES for all loads by DOCUMENTS, whether there is such a file or not. FORMATS:
 * as HyLoadOptions.formats. FALSE: REPORT says what is wrong with it, or that PATH is there
 * already. */
gboolean hy_documents_add(HyDocuments *documents, const char *path, const char *bytes, gsize n,
                          const struct HyFormat *formats, HyReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyDocuments, hy_documents_free)

/* Limits of what is read; 0: the usual ones. */
typedef struct {
  gsize max_bytes;      /* of a file */
  guint max_nested;     /* elements inside each other */
  gsize max_value;      /* bytes of an attribute */
  guint64 max_elements; /* that arrays become in all formulas together */
} HyReadLimits;
#define HY_READ_LIMITS                                                                             \
  (HY_LITERAL(HyReadLimits){.max_bytes = (gsize)4 << 30,                                           \
                            .max_nested = 250,                                                     \
                            .max_value = 1 << 20,                                                  \
                            .max_elements = 100000000U})

typedef struct {
  const char *experiment;     /* its name; NULL: the first */
  const char *const *set;     /* "stage[2].L1=120u", "N=8"; ends with NULL; NULL: none */
  const char *const *record;  /* paths beside those of the experiment; likewise */
  const char *const *measure; /* "max(x)" or "NAME=max(x)", likewise */
  const char *grid;    /* of all records: "10u", "0, logspace(1m, 1, 31)"; NULL: as they say */
  const char *method;  /* in place of the experiment's; NULL: as it says */
  double dqrel, dqmin; /* in place of the experiment's; 0: as it says; below 0: an error */
  double tol;          /* in place of the experiment's reltol and abstol; likewise */
  double hstep;        /* in place of the experiment's; likewise */
  const char *audit;   /* off, warn, strict or full; NULL: as the experiment says */
  const char *const
      *library; /* folders to look for libraries in, before HYDEVS_LIBRARY and the installed one */
  const struct HyFormat
      *formats;           /* other languages that files may be in (hydevs/format.h); NULL: none */
  const HyBlocks *blocks; /* what elements may be beside the language; NULL: the built-in ones */
  gboolean strict;        /* warnings are errors */
  gboolean elements;      /* keeps what formats need that write circuits (HyFormat.write) */
  gboolean fed; /* somebody feeds the input ports of the model (hy_sim_input()): a block called as
                   the port stands behind each, so that equations know what comes there */
  guint64 max_blocks; /* the limits; 0: as below */
  guint max_recursion, max_files;
  HyReadLimits read;
  HyDocuments *documents; /* takes files from there; NULL: reads them */
} HyLoadOptions;
#define HY_MAX_BLOCKS     20000000U
#define HY_COUPLED_WEIGHT 20U
#define HY_MAX_RECURSION  10000U
#define HY_MAX_FILES      1000U

/* NULL: the errors are in REPORT, which also takes the warnings. OPTIONS may be NULL. */
HyLoaded *hy_load_file_sized(const char *path, const HyLoadOptions *options, gsize size,
                             HyReport *report);
static inline HyLoaded *hy_load_file(const char *path, const HyLoadOptions *options,
                                     HyReport *report)
{
  return hy_load_file_sized(path, options, sizeof(HyLoadOptions), report);
}
/* The same from memory; FILE is its name in messages and where files it names are looked for. */
HyLoaded *hy_load_memory_sized(const char *bytes, gsize n, const char *file,
                               const HyLoadOptions *options, gsize size, HyReport *report);
static inline HyLoaded *hy_load_memory(const char *bytes, gsize n, const char *file,
                                       const HyLoadOptions *options, HyReport *report)
{
  return hy_load_memory_sized(bytes, n, file, options, sizeof(HyLoadOptions), report);
}
/* NULL is fine; frees the model, too; not before all simulations and runs of it. */
void hy_loaded_free(HyLoaded *loaded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyLoaded, hy_loaded_free)

/* Lives as long as LOADED. A library without blocks gives a model without components. Already
 * checked. */
HyModel *hy_loaded_model(const HyLoaded *loaded);

/* What was asked for: the file, and the method in place of the experiment's (NULL: none). */
const char *hy_loaded_file(const HyLoaded *loaded);
const char *hy_loaded_method(const HyLoaded *loaded);
/* All that hy_load_file() was given; strings live as long as LOADED, `library` and `blocks` are
 * left out. */
const HyLoadOptions *hy_loaded_options(const HyLoaded *loaded);
/* All files that it was made from, those that its blocks read, and shared objects of blocks; ends
 * with NULL. */
const char *const *hy_loaded_inputs(const HyLoaded *loaded);
/* SHA-256 of the K-th of them in hexadecimal, newly allocated: of XML as it was read, else as the
 * file is now. NULL: it cannot be read, or is no regular file. */
char *hy_loaded_digest(const HyLoaded *loaded, guint input);

/* The parameters of the root as they are in force, in the order of the file. */
typedef struct {
  const char *name;
  const char *text;      /* NULL: numbers */
  const double *numbers; /* [n] */
  guint n;
  gboolean array;         /* also of one number */
  const char *unit, *doc; /* NULL: not stated */
} HyParameter;
guint hy_loaded_n_parameters(const HyLoaded *loaded);
const HyParameter *hy_loaded_parameter(const HyLoaded *loaded, guint parameter);

/* Experiments. All strings and instants live as long as LOADED; NULL and NaN: not said. */
typedef struct {
  guint n;
  const double *t; /* increasing; NULL: none */
} HyInstants;

typedef struct {
  const char *path;  /* stage[*]/uC.out, indices as numbers */
  const char *label; /* NULL: not said */
  double grid;       /* the step; 0: at events; NaN: as the experiment, unless there are instants */
  HyInstants instants;
  const char *file; /* where it was asked for; "--record" for an option */
  guint line;
} HyRecord;

/* What signals were, as a number (hydevs/measure.h). */
typedef struct {
  const char *name; /* NULL: not said */
  const char *text; /* with numbers for what has a value while loading */
  const char *said; /* as it was written */
  const char *unit, *label;
  double min, max;  /* bounds; NaN: not said */
  const char *file; /* where it was asked for; "--measure ..." for an option */
  guint line;
} HyMeasureSaid;

typedef struct {
  const char *name, *doc, *label;
  double start, stop;    /* start is 0 if not said */
  const char *engine;    /* auto tree flat fused */
  const char *partition; /* stated auto */
  const char *audit;     /* off warn strict full; also as the options say */
  double grid;           /* likewise, NaN: at events */
  HyInstants instants;
  double seed;
  double events_at_instant;
  guint n_records;
  const HyRecord *records;
  guint n_measures;
  const HyMeasureSaid *measures;
} HyExperiment;

/* The one in force; all fields unsaid if the file has none. */
const HyExperiment *hy_loaded_experiment(const HyLoaded *loaded);
/* Names of all experiments of the file in their order ("" for one without), ends with NULL. */
const char *const *hy_loaded_experiments(const HyLoaded *loaded);

/* What the file says of a block. */
typedef struct {
  const char *file;
  guint line;
  const char *unit;    /* of its first output; NULL: not stated */
  const char *label;   /* NULL: none */
  const char *formula; /* of a function, as written; NULL: no function */
  const char *method;  /* in force; NULL: nobody states one */
  guint group;         /* blocks with the same number inherit the method from the same element */
  gboolean stated;     /* an element nearer than the experiment states it */
  double dqrel, dqmin, reltol, abstol;
  double hstep; /* NaN: not stated */
} HyBlockInfo;
void hy_loaded_block_sized(const HyLoaded *loaded, const HyModel *model, guint component,
                           HyBlockInfo *info, gsize size);
static inline void hy_loaded_block(const HyLoaded *loaded, const HyModel *model, guint component,
                                   HyBlockInfo *info)
{
  hy_loaded_block_sized(loaded, model, component, info, sizeof(HyBlockInfo));
}

/* Ports that a path matches: "uC", "stage[*]/iL1.out", "T.*", ".y", "v:in". Without a port a block
 * stands for its first output, a block without outputs for its inputs. Only ports of atomic blocks
 * and the ports of coupled models. */
#define HY_STATE G_MAXUINT /* as a port: the state x of an integrator, not its output q */
typedef struct {
  const HyModel *model;
  guint component; /* HY_SELF: a port of the root */
  guint port;
  gboolean input;
  char *path; /* with its port only where it was asked for; freed by the array */
} HySignalAt;
/* A GArray of HySignalAt, in the order of the model. NULL: the path is wrong, or nothing matches.
 */
GArray *hy_loaded_match(const HyLoaded *loaded, const char *path, GError **error);
/* "; did you mean \"uC\"?" where nothing matches PATH, or ""; newly allocated. */
char *hy_loaded_meant(const HyLoaded *loaded, const char *path);

/* Whether the language has a method of this name. */
gboolean hy_is_method(const char *name);

/* Where libraries are looked for, in this order: FIRST (ends with NULL; NULL: none),
 * HYDEVS_LIBRARY, the folder that was installed with the program or shared library that runs,
 * wherever that is now, and that of the prefix for which it was configured. Newly allocated. */
char **hy_library_folders(const char *const *first);

#pragma GCC visibility pop
G_END_DECLS
#endif
