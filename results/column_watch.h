/* What those have in common that watch columns while a run goes on: recorders and measures. */
#ifndef HY_COLUMN_WATCH_H
#define HY_COLUMN_WATCH_H

#include "hydevs/record.h"
#include "hydevs/trace.h"

typedef struct {
  guint atomic, port, column; /* COLUMN: in the list of whoever watches */
  HyColumnKind kind;
} HyColumnWatch;

/* TR is a word at the port of W, which is no state. */
gboolean hy_column_watch_hears(const HyColumnWatch *w, const HyTransition *tr);
/* Sorts WATCH, of HyColumnWatch: those of atomic a < *N_ATOMICS are number first[a] .. first[a + 1]
 * - 1. Newly allocated. */
guint *hy_column_watch_index(GArray *watch, guint *n_atomics);
/* What NEXT wants of each atomic, of N_ATOMICS at least, *N of them; newly allocated. */
guint8 *hy_column_watch_others(const HyTrace *next, guint n_atomics, guint *n);

#endif
