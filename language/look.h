/* What is kept of a file for people who look at a model (hydevs/look.h). */
#ifndef HY_LANGUAGE_LOOK_H
#define HY_LANGUAGE_LOOK_H

#include "language/network.h"
#include "language/scope.h"

/* Of what a file defines once: arrays of HyAt, HyRoute, HyNote, HySaid. */
typedef struct {
  const char *doc;
  gboolean circuit;
  GArray *at, *routes, *notes, *ports, *blocks;
} DefineLook;

/* Of an instance. */
typedef struct {
  const DefineLook *define;
  GArray *parts; /* HyLookPart, or NULL */
} ScopeLook;

/* From now on all models of LOADER can be asked: model -> ScopeLook. Strings stay in the loader's
 * chunk. *DEFINES owns what they share. */
GHashTable *hy_looks_keep(Loader *l, GPtrArray **defines);
/* The components of circuit S, before its network goes; freed by whoever frees the scope. */
GArray *hy_look_parts(Network *n, const Scope *s);
void hy_parts_free(GArray *parts); /* NULL is fine */

#endif
