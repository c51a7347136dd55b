/* What a campaign comes to: how long the runs take beside CVODE by hand, and which circuits are
 * off, and why. */
#ifndef CAMPAIGN_REPORT_H
#define CAMPAIGN_REPORT_H

#include "judge.h"

typedef struct Report Report;

/* SETTING: the method and tolerance, kept by the caller; it is counted. */
Report *report_new(const Setting *setting);
void report_add(Report *r, const Circuit *c, const Exact *exact);
void report_head(void);
void report_row(const Report *r);       /* of a table of all methods */
void report_off(const Report *r);       /* each circuit that is off */
gboolean report_ended(const Report *r); /* every run has come to its end */
void report_free(Report *r);            /* NULL is fine */

#endif
