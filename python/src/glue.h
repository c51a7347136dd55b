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

/* What nobody says. */
void settings_init(HyRunSettings *settings);
void plan_options_init(HyPlanOptions *options);
void sweep_options_init(HySweepOptions *options);
void steady_settings_init(HySteadySettings *settings);
void bode_settings_init(HyBodeSettings *settings);

/* SIM, on the tree, tells each message to hydevs_message(). */
void trace_messages(HySim *sim, gpointer user);

/* A block in Python: its object there is number KEY; the parameters follow. */
typedef struct {
  gint64 key;
  guint8 *bytes; /* all that it remembers, when it was last asked for; */
  gsize n;       /* so many */
} PythonState;
/* A class whose functions are in Python; the caller fills in names, ports and parameters. */
HyAtomicClass *python_class_new(void);
void python_refuse(GError **error, const char *why);

/* In Python. */
void hydevs_message(gpointer user, const HyMessage *message);
gboolean hydevs_atomic_init(void *state, double t, const HySetup *setup, GError **error);
void hydevs_atomic_clear(void *state);
double hydevs_atomic_ta(const void *state);
void hydevs_atomic_lambda(const void *state, double t, HyEvent *event);
void hydevs_atomic_dint(void *state, double t);
void hydevs_atomic_dext(void *state, double t, double e, const HyEvent *x);
void hydevs_atomic_print(const void *state, GString *out);
char *hydevs_atomic_fault(const void *state);
void hydevs_atomic_freeze(void *state);
void hydevs_atomic_thaw(void *state);

#endif
