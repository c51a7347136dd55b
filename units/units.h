/* Units (FMUs) of the Functional Mock-up Interface 3.0 for co-simulation that somebody else has
 * made, as classes of blocks. */
#ifndef HY_UNITS_UNITS_H
#define HY_UNITS_UNITS_H

#include "hydevs/atomic.h"
#include "hydevs/error.h"

typedef struct HyUnit HyUnit;

/* FILE.fmu is unpacked into a folder of its own, and its shared object opened. NULL: it is no unit,
 * or none that can be run here. */
HyUnit *hy_unit_open(const char *file, GError **error);
void hy_unit_close(HyUnit *unit); /* NULL is fine; not before all that is made of it */
/* A block is one instance of it; called as the file is. The unit's. */
const HyAtomicClass *hy_unit_class(const HyUnit *unit);

#endif
