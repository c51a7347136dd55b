/* Reads a table back: RFC 4180 with a head line, as columns of doubles. */
#ifndef HY_CSV_READ_H
#define HY_CSV_READ_H

#include "hydevs/error.h"

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
void hy_table_free(HyTable *table); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTable, hy_table_free)

G_END_DECLS
#endif
