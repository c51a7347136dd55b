/* What a model file says of sweeps: <sweep>, and the names of its parameters, before any value is
 * known. */
#ifndef HY_SWEEPS_SAID_H
#define HY_SWEEPS_SAID_H

#include "language/xml_read.h"

typedef struct {
  const char *experiment;   /* in which it stands; NULL: the first one, without a name */
  GPtrArray *vary, *random; /* char *, as options say it */
  const char *sampling;     /* NULL: not said */
  gboolean together;
  guint64 n; /* 0: not said */
} HySweepSaid;

char **hy_said_parameters(const HyTree *tree); /* g_strfreev() */
/* The one called NAME; "": the first. NULL: REPORT says why. Its strings are the tree's. */
HySweepSaid *hy_said_sweep(const HyTree *tree, const char *name, HyReport *report);
void hy_said_free(HySweepSaid *said); /* NULL is fine */

#endif
