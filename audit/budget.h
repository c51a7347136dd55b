/* What a run pays for being looked at, where not every stretch is: a part of its own counted work.
 * Then it is looked at in parts, one block or state at a time, as that earns it. */
#ifndef HYDEVS_AUDIT_BUDGET_H
#define HYDEVS_AUDIT_BUDGET_H

#include "audit.h"

/* The run has come to T, and everything before is final. */
void hy_audit_turn(HyAudit *a, double t);
/* Whether what it has earned pays for what is looked at in the end. */
gboolean hy_audit_may_end(HyAudit *a);

#endif
