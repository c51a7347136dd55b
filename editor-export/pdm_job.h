/* One block of PowerDEVS on its way to an element, for the files that know kinds of them. */
#ifndef HY_PDM_JOB_H
#define HY_PDM_JOB_H

#include "editor-export/pdm_import.h"

G_BEGIN_DECLS

/* A child on its way. */
typedef struct {
  Import *im;
  const PdmBlock *scope, *b;
  const PdmClass *klass;
  int k;
  xmlNode *parent, *node;
  const char *path; /* of the scope, for records */
} Job;

/* NAME = a formatted text. */
void pdm_job_set(xmlNode *node, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* The text of row ROW as a part of a formula: in parentheses if it is more than a word. */
char *pdm_job_part(const Job *j, guint row);
/* <let name="NAME" value="VALUE"/> before the block. */
void pdm_job_let(const Job *j, const char *name, const char *value);

/* The element ELEMENT with name, label and doc of the block. */
xmlNode *pdm_job_add(Job *j, const char *element);
/* What comes at the inputs FROM .. up to TO as a list. */
char *pdm_job_list(const Job *j, int from, int to);
/* A formula over u0, u1, ...; OWN: the name of the block itself, which it has as y (NULL: none). */
void pdm_job_formula(Job *j, const char *formula, const char *own);

/* A block of a class that is not in the table. */
void pdm_job_unknown(Job *j);
/* A block whose inputs are parts of a vector. FALSE: it is none of them. */
gboolean pdm_job_vector(Job *j);
/* A plot, a file, a display: what leads there is recorded. */
void pdm_job_records(Job *j);

G_END_DECLS
#endif
