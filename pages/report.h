/* Recordings as a page keeps them. */
#ifndef HY_REPORT_PAGE_H
#define HY_REPORT_PAGE_H

#include "hydevs/json.h"
#include "results/csv_read.h"
#include "results/sidecar.h"

#define HY_PAGE_POINTS  100000U /* of a signal */
#define HY_PAGE_ALL     210000U /* of all of them: 2.2 MB */
#define HY_PAGE_COLUMNS 64U
#define HY_PANEL_MOST   8U /* signals in one picture */

/* The plots of TABLE, as an item of DATA; what is not in them is told in OUT. */
void hy_page_recording(GString *out, HyJsonOut *data, const HyTable *table,
                       const HySidecar *sidecar);

/* How many points each of N signals may have. */
guint hy_page_points(guint n);
/* N points as text: their times as 32 bit steps of (to - from)/(2^32 - 1), then their values as
 * floats, both little endian, in base 64. Newly allocated. */
char *hy_page_pack(const double *t, const double *v, gsize n, double from, double to);

#endif
