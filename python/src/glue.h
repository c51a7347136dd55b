/* What the Python package needs beside libhydevs: who holds whom, and a look for signals that costs
 * little. No Python here: cffi makes the module _hydevs of declarations.cdef and this. */
#ifndef HYDEVS_PYTHON_GLUE_H
#define HYDEVS_PYTHON_GLUE_H

#include <hydevs/hydevs.h>

/* Python frees what nobody can reach in any order, in circles too. So each object of the library is
 * counted: an owned one holds its parent, and goes when nobody holds it any more. */
typedef enum {
  OWNED_DOCUMENTS,
  OWNED_BLOCKS,
  OWNED_LOADED,
  OWNED_RUN,
  OWNED_SNAPSHOT,
  OWNED_PLAN,
  OWNED_SWEEP,
  OWNED_STEADY,
  OWNED_BODE,
  OWNED_KINDS, /* how many */
} OwnedKind;

typedef struct Owned Owned;
/* Takes WHAT over. PARENT (NULL: none) is held. */
Owned *owned_new(OwnedKind kind, gpointer what, Owned *parent);
Owned *owned_hold(Owned *owned);
void owned_release(Owned *owned);
/* So many of a kind are alive in the process: for tests. */
int owned_alive(OwnedKind kind);

/* Whether a run is to go on is asked of LOOK, not more often than every 4 ms. */
typedef struct {
  gboolean (*look)(gpointer user, double t, guint64 cycles);
  gpointer user;
  gint64 last;
} Watch;
void watch_start(Watch *watch, gboolean (*look)(gpointer user, double t, guint64 cycles),
                 gpointer user);
gboolean watch_progress(gpointer user, double t, guint64 cycles); /* USER is a Watch */

/* All as the experiment says. */
void settings_init(HyRunSettings *settings);

#endif
