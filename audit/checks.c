/* The checks, in the order of their turns. */
#include "look.h"

const HyAuditCheck *const hy_audit_checks[] = {
    &hy_audit_words,     &hy_audit_readings, &hy_audit_modes,
    &hy_audit_turns,     &hy_audit_defects,  &hy_audit_drift,
    &hy_audit_kirchhoff, &hy_audit_silence,  NULL};
