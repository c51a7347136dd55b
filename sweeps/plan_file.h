/* A plan as a file: CSV, or TSV if its name ends so. It stays in memory as it was read, with the
 * place of each row: eight bytes beside it. */
#ifndef HY_SWEEPS_PLAN_FILE_H
#define HY_SWEEPS_PLAN_FILE_H

#include "hydevs/error.h"

typedef struct HyPlanFile HyPlanFile;

/* NULL: it cannot be read, has no rows, or one of another length than its head, or a name twice. */
HyPlanFile *hy_plan_file_read(const char *path, GError **error);
void hy_plan_file_free(HyPlanFile *file); /* NULL is fine */
guint64 hy_plan_file_n(const HyPlanFile *file);
const char *const *hy_plan_file_head(const HyPlanFile *file); /* ends with NULL */
/* The fields of row I; g_strfreev(). */
char **hy_plan_file_row(const HyPlanFile *file, guint64 i);
guint hy_plan_file_line(const HyPlanFile *file, guint64 i); /* counted anew: for messages */
char *hy_plan_file_digest(const HyPlanFile *file);

#endif
