/* The worked examples of the blackboard, E1 .. E7, as models. */
#ifndef HY_BLACKBOARD_H
#define HY_BLACKBOARD_H

#include <hydevs/hydevs.h>

typedef struct {
  const char *name, *doc;
  double tf;
  guint64 limit; /* of zero-time cycles; 0: the default */
  gboolean (*build)(HyModel *root, GError **error);
} Blackboard;

extern const Blackboard blackboard[]; /* ends with a NULL name */

#endif
