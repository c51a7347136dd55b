/* The inside of a sweep: its rows, as they come. */
#ifndef HY_SWEEPS_SWEEP_INTERNAL_H
#define HY_SWEEPS_SWEEP_INTERNAL_H

#include "internal.h"
#include "journal.h"

#include <pthread.h> /* ThreadSanitizer knows what its locks mean, and not those of GLib */

#define HY_SWEEP_OPEN G_MAXUINT16 /* in place of a status: there is no row yet */

struct HySweep {
  const HyPlan *plan;
  HySweepOptions options;
  guint64 n;          /* rows */
  guint16 *status;    /* [n] */
  guint64 *events;    /* likewise */
  guint64 *why;       /* likewise: where in whys; 0: nowhere */
  double *measures;   /* [n][measures of the plan] */
  GString *whys;      /* texts with their 0; the first is empty */
  HyJournal *journal; /* NULL: none is kept */
  HySweepTotals totals;
  pthread_mutex_t lock; /* what follows, and all of the above while threads run */
  pthread_cond_t ended; /* one of them has */
  guint64 next;
  guint running;
  gint stop;                     /* atomic */
  gint64 began, looked, flushed; /* when the threads did, when it was last told and written */
  GError *broken;                /* the journal cannot be written */
};

/* sweep.c */
void hy_sweep_keep(HySweep *sweep, guint64 place, const HySweepRow *row);
/* The same, and the journal has it. */
void hy_sweep_end_run(HySweep *sweep, guint64 place, const HySweepRow *row);
/* How far it has come is told and written, ten times a second at most; the lock is held. */
void hy_sweep_look_round(HySweep *sweep);
double hy_sweep_thread_seconds(void);
/* team.c: whether this process is one of several; their runs, instead of threads here alone. */
gboolean hy_sweep_in_team(const HySweep *sweep);
void hy_sweep_run_team(HySweep *sweep, guint threads);
gboolean hy_sweep_goes_on(gpointer stop, double t, guint64 cycles); /* as HyProgress */
/* keep.c: the recording of run K, if it is to be kept. FALSE: it cannot be written. */
gboolean hy_keep_run(HySweep *sweep, guint64 k, const HySweepRow *row, GError **error);
/* table.c: the table in its file. */
gboolean hy_sweep_write(const HySweep *sweep, GError **error);
/* told.c: the JSON beside it. */
gboolean hy_sweep_tell(const HySweep *sweep, GError **error);
/* alone.c: rows by processes of their own, N at a time; NEXT says which, FALSE: there is none
 * further. */
typedef gboolean (*HySweepNext)(gpointer user, HySweep *sweep, guint64 *place);
void hy_sweep_alone(HySweep *sweep, guint n, HySweepNext next, gpointer user);

#endif
