/* What the files that draw a model of ours for PowerDEVS share: a model and one of its components
 * on their way. */
#ifndef HY_PDM_EXPORT_JOB_H
#define HY_PDM_EXPORT_JOB_H

#include "coupled/model_internal.h"
#include "editor-export/pdm_classes.h"
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_export.h"
#include "expr/builder.h"

G_BEGIN_DECLS

typedef struct {
  const HyLoaded *loaded;
  HyReport *report;
  PdmFile *file;
  HyXBuilder *builder;
  const xmlDoc *doc; /* of the model file; NULL: it is no XML */
  Scilab *scilab;    /* has the parameters of the root that are numbers ... */
  GString *script;   /* ... assigned here, */
  gboolean is_used;  /* and an expression of a block names them */
  gboolean is_asked; /* Scilab, for a value */
  int *place;        /* of the root's components: their blocks */
  gboolean failed;
} Export;

/* A component on its way. */
typedef struct {
  Export *e;
  const HyModel *m;
  guint c;
  const HyComponent *component;
  const HyAtomicClass *klass;
  guint8 *state; /* its parameters, as its struct begins */
  PdmBlock *b;
  const xmlNode *element; /* what it was written as; NULL: not known */
} ExportJob;

/* An error about the component. */
void pdm_refuse(ExportJob *j, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* TEXT as a file of PowerDEVS can have it. */
const char *pdm_keep_text(Export *e, const char *text);

/* Parameters as they were written -----------------------------------------------------------------
 */

/* The parameters of the root become a start script, to be placed by pdm_add_script(). */
void pdm_begin_script(Export *e);
/* A block for it, before all others, if an expression names its variables. */
void pdm_add_script(Export *e);
/* The parameters that ELEMENT, a coupled model in the file, declares become those of B. */
void pdm_export_parameters(Export *e, PdmBlock *b, const xmlNode *element);
/* What ATTRIBUTE of the element says, or its PLACE-th part from 0 if it is a list, as an expression
 * whose value is V. Newly allocated; NULL: it is a number, or says it in other words. */
char *pdm_kept_expression(const ExportJob *j, const char *attribute, int place, double v);

gboolean pdm_is_class(const ExportJob *j, const char *name);
double pdm_real_of(const ExportJob *j, const char *name);
/* A parameter of the block; in place of what it was. */
void pdm_set_param(ExportJob *j, const char *name, const char *type, const char *value);
/* The block becomes one of KLASS: its parameters are what the component says, else what is usual.
 */
void pdm_take(ExportJob *j, const PdmClass *klass);
/* The block becomes what the component is. */
void pdm_take_class(ExportJob *j);
/* Which of the block's inputs input PORT of the component is; -1: none, it is left out. */
int pdm_input_of(const ExportJob *j, guint port);
/* A block with one output, the number V, which feeds input TO_PORT of block TO. */
void pdm_add_constant(Export *e, PdmBlock *scope, int to, int to_port, double v);

G_END_DECLS
#endif
