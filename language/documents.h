/* Trees that loads share (HyDocuments). */
#ifndef HY_LANGUAGE_DOCUMENTS_H
#define HY_LANGUAGE_DOCUMENTS_H

#include "language/xml_read.h"

G_BEGIN_DECLS

/* The tree of PATH: its reader's alone if DOCUMENTS is NULL, to be freed, else for all to look at.
 * NULL: errors in REPORT. */
HyTree *hy_documents_read(HyDocuments *documents, const struct HyFormat *formats, const char *path,
                          const HyReadLimits *limits, HyReport *report);

G_END_DECLS
#endif
