/* The messages of a run, as a page keeps them. */
#ifndef HY_TOLD_H
#define HY_TOLD_H

#include "hydevs/pages.h"

#define HY_TOLD_BYTES 2700000 /* of messages in a page */

void hy_told_json(const HyTold *told, GString *out); /* all but the lines */
const char *hy_told_lines(const HyTold *told);       /* lives as long as TOLD */

#endif
