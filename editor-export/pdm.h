/* A PowerDEVS model as it is drawn: blocks inside blocks, ports, lines, junctions, parameters. This
 * is what the text of a .pdm or .pds says and no more; what it means to us is in pdm_model.h.
 * Numbers of blocks, ports, lines and points are those of the file, from 1. */
#ifndef HY_PDM_H
#define HY_PDM_H

#include "hydevs/report.h"

G_BEGIN_DECLS

#define PDM_MAX_NESTED 200 /* coupled models inside each other */

/* `name = type; value ; doc`. RAW is what stands behind the "=", as it was written. */
typedef struct {
  const char *name, *type, *value, *doc, *raw;
  guint line;
} PdmParam;

typedef enum { PDM_BLOCK, PDM_PORT, PDM_POINT, PDM_LOOSE } PdmEndKind;

/* An end of a line: port PORT of the N-th block, the N-th port drawing, or the N-th point. */
typedef struct {
  PdmEndKind kind;
  int n, port, flag; /* flag: of a block, -1 is an input, 0 an output */
} PdmEnd;

/* A line as it is drawn: from end[0] to end[1] by way of n_xy points. It has no direction. */
typedef struct {
  PdmEnd end[2];
  const char *x, *y; /* lists, as written */
  guint line;
} PdmLine;

/* A junction: the numbers of the lines that meet there. */
typedef struct {
  GArray *lines; /* int */
  const char *ends;
  int x, y;
  guint line;
} PdmPoint;

/* The drawing of a port of a coupled model, inside of it. NUMBER: that of the port outside. */
typedef struct {
  const char *name, *doc, *direction;
  const char *ours; /* its name here, of one that is exported */
  gboolean out;
  int number, x, y, size;
  guint line;
} PdmPort;

/* Who says something to whom, in one coupled model: block FROM (from 0; -1: the model itself), its
 * port, from 0. */
typedef struct {
  int from, from_port, to, to_port;
  guint line; /* of the drawn line, or of the first of several */
} PdmCoupling;

typedef struct PdmBlock PdmBlock;
struct PdmBlock {
  PdmBlock *parent; /* NULL: the root */
  gboolean coupled;
  const char *name, *path, *doc;
  const char *ours; /* of one that is exported: its name here; NULL: it is of theirs */
  int n_in, n_out;
  gboolean drawn; /* it has what follows */
  int x, y, width, height, color;
  const char *direction, *icon, *window;
  GArray *params;    /* PdmParam */
  GPtrArray *blocks; /* of a coupled one: PdmBlock */
  GArray *ports;     /* PdmPort */
  GArray *points;    /* PdmPoint */
  GArray *lines;     /* PdmLine */
  GArray *couplings; /* PdmCoupling: what the lines mean, by pdm_couple() */
  GArray *extra;     /* const char *: lines of text */
  guint line;
};

typedef struct {
  const char *file;
  GStringChunk *strings;
  PdmBlock *root;
} PdmFile;

/* TEXT with lines that end by \n. NULL: the reasons are in REPORT. The couplings are there, too. */
PdmFile *pdm_read(const char *file, const char *text, HyReport *report);
/* The same of a .pds, which has neither names nor a drawing: names of blocks are empty, parameters
 * have no names and are of type Str or Val. */
PdmFile *pds_read(const char *file, const char *text, HyReport *report);
void pdm_free(PdmFile *file); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PdmFile, pdm_free)

PdmFile *pdm_file_new(const char *file);
/* A new last child of PARENT; NULL: the root. */
PdmBlock *pdm_block_new(PdmBlock *parent, gboolean coupled, guint line);
const char *pdm_keep(PdmFile *file, const char *text);

/* From the drawing of BLOCK and all inside to couplings. FALSE: the reasons are in REPORT. */
gboolean pdm_couple(const PdmFile *file, PdmBlock *block, HyReport *report);

/* The parameter NAME of BLOCK; NULL: none. */
const PdmParam *pdm_param(const PdmBlock *block, const char *name);
/* Whose value stands for P, a parameter inside of BLOCK, which may be a reference %name to one
 * further out; *WHERE: the block that has it. NULL: nobody has it. %Inputs and %Outputs are no
 * parameters. */
const PdmParam *pdm_resolve(const PdmBlock *block, const PdmParam *p, const PdmBlock **where);
/* The text that the block gets: of a list the chosen option. Newly allocated; NULL: a reference
 * that leads nowhere. */
char *pdm_value(const PdmBlock *block, const PdmParam *p);
/* What RAW says of type, value and description; how many parts it has, with ";" between. */
guint pdm_param_parse(PdmFile *file, PdmParam *p);
/* The chosen option of a list "k%a%b%". Newly allocated; NULL: there is none. */
char *pdm_option(const char *value);
/* The list with the option WORD chosen. Newly allocated; NULL: it has no such option. */
char *pdm_choose(const char *list, const char *word);

/* The texts of files. */
void pdm_write(const PdmFile *file, GString *out);
void pds_write(const PdmFile *file, GString *out);

G_END_DECLS
#endif
