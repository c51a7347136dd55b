/* The inside of a run. */
#ifndef HY_EXPERIMENT_RUN_H
#define HY_EXPERIMENT_RUN_H

#include "hydevs/measure.h"

#include "numerics/methods.h"

struct HyRun {
  const HyLoaded *loaded;
  const HyRun *like; /* has chosen methods; NULL: none. Until this one has */
  HySim *sim;
  HyEngine engine;
  const char *partition; /* stated or auto; NULL: nobody says it */
  double t0, tf, grid;   /* grid: of all records; NaN: as each says */
  guint64 seed;
  char *engine_asked;
  double steady;     /* it begins in the steady state of this period; 0: as the model says */
  GPtrArray *tables; /* Table, in recording.c: of files, then in memory; */
  guint n_files;     /* so many of the first kind */
  HyTrace trace;
  char *provenance; /* of its first table, once it is finished; NULL: of none */
  char *told;       /* what it was made of: members of the JSON beside recordings */
  gboolean anew;    /* reading a snapshot, recordings begin anew */
  double restarted; /* groups of CVODE have begun anew then; 0: they have not */
  gboolean ended;   /* how: */
  int status;
  char *message;               /* NULL: none */
  struct HyAudit *audit;       /* NULL: there is none */
  struct HyMeasures *measures; /* likewise; */
  GArray *measured;            /* Measure, in measures.c */
};

void hy_run_clear_tables(HyRun *run);
/* Of all tables, those of files first (n_files). */
guint hy_run_n_recorders(const HyRun *run);
HyRecorder *hy_run_recorder(const HyRun *run, guint k);
/* Who says S: COLUMN, and others that speak there, too (MORE, of HySource, empty). Its path is that
 * of S, other texts are the model's. ASKED: who is asked may be a state in place of what it says.
 */
gboolean hy_run_column(const HyRun *run, const HySignalAt *s, gboolean asked, HyColumn *column,
                       GArray *more, GError **error);
/* As the experiment says, for RUN->sim. */
gboolean hy_run_start_audit(HyRun *run, GError **error);
/* Those of the experiment. */
gboolean hy_run_start_measures(HyRun *run, GError **error);
void hy_run_restart_measures(HyRun *run);
void hy_run_end_measures(HyRun *run, double t); /* it has come to T */
void hy_run_clear_measures(HyRun *run);
/* RUN->sim tells the recorders, before them the measures, and first of all the audit. */
void hy_run_watch(HyRun *run);
/* The run has come to T. */
void hy_run_end_audit(HyRun *run, double t);
/* FALSE: the audit has found something, and is asked to end runs by that. */
gboolean hy_run_is_sound(const HyRun *run, GError **error);
/* "c/L1.i: 0.08662 at t = 1.5e-6, its equation says 0.09195 (audit D: allowed 3.5e-4)"; newly
 * allocated. */
char *hy_run_breach_text(const HyRun *run, const HyAuditBreach *b);
/* The methods of RUN->sim, for partition="auto". */
gboolean hy_run_partition(const HyRun *run, GError **error);
/* The methods of RUN->sim, for states whose method is auto or that nobody states. */
gboolean hy_run_auto(HyRun *run, GError **error);
/* Nobody states a method of the block, or auto. */
gboolean hy_method_is_auto(const HyBlockInfo *info);
/* A method for such states, for SIM to be looked at and not to be run. */
void hy_run_try_methods(const HyLoaded *loaded, HySim *sim);
/* Finds RUN->told, before the run. */
void hy_run_tell(HyRun *run);
/* The same of a run that goes on, newly allocated, and with how it ended, at T; UNWRITTEN: what
 * could not be written, or NULL. Newly allocated.
 */
char *hy_run_tell_begun(const HyRun *run);
char *hy_run_tell_end(HyRun *run, double t, const GError *unwritten);
/* The member "states" of that: by method and tolerances. */
void hy_run_print_states(const HyRun *run, HyJsonOut *json);
/* "mliqss2 dqrel=0.001 dqmin=1e-06", for each kind of states; newly allocated. */
char *hy_run_methods(const HyRun *run);
/* What is run, in a line for the heads of recordings: model, version, methods, tolerances, seed;
 * newly allocated. */
char *hy_run_about(const HyRun *run);
/* By what the state of ATOMIC is integrated; NULL: it has none. */
const HyMethod *hy_run_method(const HyRun *run, guint atomic);
/* What the file says of an atomic of SIM. */
void hy_run_block(const HyLoaded *loaded, const HySim *sim, guint atomic, HyBlockInfo *info);

#endif
