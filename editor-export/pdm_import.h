/* What the files of the importer of PowerDEVS models share: one model on its way into our language.
 */
#ifndef HY_PDM_IMPORT_H
#define HY_PDM_IMPORT_H

#include "editor-export/format.h"
#include "editor-export/pdm_classes.h"
#include "editor-export/scilab.h"

G_BEGIN_DECLS

#define PDM_NAMESPACE "urn:hydevs:powerdevs:1" /* of what only PowerDEVS needs, in <view> */

typedef struct {
  const PdmFile *file;
  HyReport *report;
  GPtrArray *further; /* names of other files that are read; NULL: nobody asks */
  Scilab *scilab;
  GHashTable *names;    /* PdmBlock, PdmPort, PdmParam, ScilabVariable -> its name here (char *) */
  xmlNode *experiment;  /* where records go */
  GHashTable *recorded; /* paths */
  GHashTable *told;     /* warnings that are said once */
} Import;

/* FILE, which is freed, as a tree of our language; NULL: reported, or FILE is NULL. FURTHER: see
 * Import. */
xmlDoc *pdm_import(PdmFile *file, GPtrArray *further, HyReport *report);

/* Messages about BLOCK, which name it. */
void pdm_error(Import *im, const PdmBlock *block, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void pdm_warn(Import *im, const PdmBlock *block, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* Once for a file. */
void pdm_warn_once(Import *im, guint line, const char *text);

/* Names: legal ones, each once where it may be seen. */
void pdm_name_all(Import *im);
const char *pdm_name(const Import *im, gconstpointer thing);
/* The name of port NUMBER (from 0) of a coupled block. Newly allocated. */
char *pdm_port_name(const Import *im, const PdmBlock *coupled, gboolean out, int number);

/* Values. Each is newly allocated or NULL: reported, or the row has none. */
const PdmParam *pdm_find(const PdmBlock *block, const PdmClass *klass, guint row);
char *pdm_number_text(Import *im, const PdmBlock *block, const PdmParam *p);
gboolean pdm_matrix(Import *im, const PdmBlock *block, const PdmParam *p, ScilabValue *value);
/* The number of row ROW; FALLBACK where there is none. */
double pdm_number(Import *im, const PdmBlock *block, const PdmClass *klass, guint row,
                  double fallback);
/* The text of row ROW, also where the file has none; never NULL. */
char *pdm_text(const PdmBlock *block, const PdmClass *klass, guint row);
/* The row called THEIRS. */
guint pdm_row(const PdmClass *klass, const char *theirs);
/* All attributes of BLOCK that are values. */
void pdm_set_values(Import *im, xmlNode *node, const PdmBlock *block, const PdmClass *klass);
/* "1, 2, 3", column by column. */
char *pdm_list_text(const ScilabValue *value);

/* Wires -----------------------------------------------------------------------------------------
 */

/* How long what output PORT of child K of SCOPE says is; 0: a number. K = -1: input PORT. */
guint pdm_size(Import *im, const PdmBlock *scope, int k, int port, guint depth);
/* How long what comes at input PORT of child K is (the root's outputs: K = -1). */
guint pdm_size_at(Import *im, const PdmBlock *scope, int k, int port);
/* What leads there, " " between, each with SUFFIX if it is a vector; N: how many. */
char *pdm_sources(Import *im, const PdmBlock *scope, int k, int port, const char *suffix, guint *n);
/* The same where there must be one: "0" without any. */
char *pdm_signal(Import *im, const PdmBlock *scope, int k, int port, const char *suffix);

/* Blocks ----------------------------------------------------------------------------------------
 */

/* Child K of SCOPE, an atomic, as an element in PARENT. PATH: of the scope, "a/b/" or "". */
void pdm_add_block(Import *im, xmlNode *parent, const PdmBlock *scope, guint k, const char *path);
/* The drawing of SCOPE, and what the language has no words for. */
void pdm_add_view(Import *im, xmlNode *parent, const PdmBlock *scope);

G_END_DECLS
#endif
