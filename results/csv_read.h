/* A recording as columns of doubles, read back (RFC 4180 with a head line) or as it is kept. */
#ifndef HY_CSV_READ_H
#define HY_CSV_READ_H

#include "hydevs/error.h"
#include "hydevs/record.h"

G_BEGIN_DECLS

typedef struct {
  char *name;
  double *v;    /* [n_rows]; NaN where there is no number */
  gsize n_text; /* fields that are neither empty nor a number */
} HyTableColumn;

typedef struct {
  gsize n_rows;
  guint n;
  HyTableColumn *column;
} HyTable;

/* Errors begin with PATH, and where it is a line's fault with "PATH:LINE". Empty lines are passed
 * over. */
HyTable *hy_table_read(const char *path, GError **error);
/* What RECORDER has in memory. */
HyTable *hy_table_kept(const HyRecorder *recorder);
void hy_table_free(HyTable *table); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTable, hy_table_free)

G_END_DECLS
#endif
