/* The blocks of PowerDEVS' palettes, in one table: what each is here, input by input and parameter
 * by parameter. The importer, the exporter and docs/powerdevs.md are made from it. */
#ifndef HY_PDM_CLASSES_H
#define HY_PDM_CLASSES_H

#include "editor-export/pdm.h"
#include "hydevs/atomic.h"

G_BEGIN_DECLS

typedef enum {
  PDM_NUMBER,  /* an expression whose value is a number */
  PDM_LIST,    /* a matrix, as a list of its numbers column by column */
  PDM_TEXT,    /* as it is */
  PDM_METHOD,  /* the name of a method */
  PDM_PERCENT, /* a number of hundredths */
  PDM_SPECIAL, /* the block's own function looks at it */
  PDM_IGNORED, /* it has no meaning here */
} PdmHow;

/* A parameter, in the order of the palette. */
typedef struct {
  const char *theirs;
  const char *ours; /* the attribute; NULL: none */
  PdmHow how;
  const char *usual; /* its value in the palette */
} PdmRow;

typedef enum { PDM_EQUAL, PDM_MEANS, PDM_NOT } PdmSame;

/* What is made of a block that is more than an element with attributes. */
typedef enum {
  PDM_PLAIN,
  PDM_SUM,       /* the factors K[] */
  PDM_FUNCTION,  /* a formula over u0, u1, ... */
  PDM_IMPLICIT,  /* an equation in y */
  PDM_PULSE,     /* levels from a base and an amplitude */
  PDM_WAVE,      /* between -a and a */
  PDM_RAISED,    /* between 0 and a */
  PDM_NOISE,     /* normal, of a variance */
  PDM_POISSON,   /* a value at random times */
  PDM_COMPARE,   /* of two inputs */
  PDM_DELAYED,   /* a delay with a history */
  PDM_RECORD,    /* its inputs are recorded */
  PDM_SCRIPT,    /* a start script */
  PDM_WORKSPACE, /* a table over time, from variables */
  PDM_PETRI,     /* a place, which hears of the transitions that it feeds */
  PDM_MATRIX,    /* a matrix times a vector */
  PDM_PICK,      /* one of a vector */
  PDM_PUT,       /* a vector with one element */
  PDM_SELECT,    /* some of a vector */
  PDM_MAPPED,    /* others of a vector */
  PDM_SHIFTED,   /* of a vector, moved on */
  PDM_TOTAL,     /* the sum of a vector */
  PDM_ROUNDED,   /* a quantizer, whose hysteresis is Yes or No */
  PDM_ABSENT,    /* nothing */
} PdmKindOfBlock;

/* What a block has that is no parameter of it; NULL: nothing. */
typedef struct {
  const char *formula; /* of a function that states none */
  const char *set;     /* attributes: "n=2" */
  const char *remark;  /* told once of a model */
} PdmSpecial;

typedef struct {
  const char *path; /* "qss/qss_integrator", lower case */
  const char *palette, *block;
  PdmSame same;
  PdmKindOfBlock kind;
  gboolean vector; /* as many as Size says */
  int in, out;     /* in the palette */
  const char *element;
  const char *inputs; /* attributes by input, " " between; "in," is a list of all that follow */
  const PdmRow *rows; /* ends with NULL */
  const char *how;    /* in words, for the table of docs/powerdevs.md */
  const PdmSpecial *special; /* NULL: nothing */
} PdmClass;

/* All of them, by palette; ends with a NULL path. */
const PdmClass *pdm_classes(void);
/* That of a Path as models write it; NULL: not known. */
const PdmClass *pdm_class(const char *path);
/* The path as the table has it: small letters, "/", today's names of folders, no suffix. Newly
 * allocated. */
char *pdm_class_path(const char *path);
/* That of ours which a drawing has as hydevs/NAME.h; NULL: it is none. */
const HyAtomicClass *pdm_own_class(const char *path);
/* Row K; NULL: there are fewer. */
const PdmRow *pdm_class_row(const PdmClass *klass, guint k);
/* Our method for one of theirs; *EQUAL: it is the same one. NULL: not known. */
const char *pdm_method(const char *theirs, gboolean *equal);
/* The other way: PowerDEVS' name of a method of ours; NULL: it has none. */
const char *pdm_method_theirs(const char *ours);

G_END_DECLS
#endif
