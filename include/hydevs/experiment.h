/* One run of a loaded model: by which engine, from when to when, and what is recorded of it. What
 * nobody states is as the experiment of the file states it. Methods and tolerances belong to the
 * blocks, so they are stated when the model is loaded (HyLoadOptions). */
#ifndef HYDEVS_EXPERIMENT_H
#define HYDEVS_EXPERIMENT_H

#include "hydevs/audited.h"
#include "hydevs/json.h"
#include "hydevs/load.h"
#include "hydevs/record.h"
#include "hydevs/sim.h"
#include "hydevs/stats.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
  const char *engine;       /* auto, tree, flat or fused; NULL: as the experiment */
  const char *partition;    /* stated or auto; likewise */
  double stop;              /* the end, included; NaN: likewise */
  double grid;              /* of all records; 0: rows at events; NaN: likewise */
  gint64 seed;              /* -1: likewise */
  gint64 limit;             /* cycles at one instant, as for hy_sim_set_limit(); -1: likewise */
  gboolean estimate;        /* implicit methods learn their partial derivatives */
  gboolean stale;           /* and take no x' fresh from nonlinear equations */
  gboolean rows;            /* derivatives in one piece: hy_sim_set_rows() */
  gboolean unmeasured;      /* without the measures of the experiment */
  const struct HyRun *like; /* where nobody states a method, the one that this run of the same file
                               has chosen (hy_run_chosen); NULL: the equations decide */
} HyRunSettings;
#define HY_RUN_SETTINGS                                                                            \
  (HY_LITERAL(HyRunSettings){.stop = NAN, .grid = NAN, .seed = -1, .limit = -1})

typedef struct HyRun HyRun;

/* A simulation that nobody has initialised yet. SETTINGS: NULL: all as the experiment. LOADED must
 * outlive the run. States whose method is auto, or that nobody states, get one that is chosen from
 * the equations (hy_run_chosen). With partition="auto" the equations decide: discontinuous states
 * and those that read them get the quantized method of the experiment (liqss2, if it states none),
 * the others cvode_bdf; states whose method an element nearer than the experiment states keep it.
 */
HyRun *hy_run_new_sized(const HyLoaded *loaded, const HyRunSettings *settings, gsize size,
                        GError **error);
static inline HyRun *hy_run_new(const HyLoaded *loaded, const HyRunSettings *settings,
                                GError **error)
{
  return hy_run_new_sized(loaded, settings, sizeof(HyRunSettings), error);
}
void hy_run_free(HyRun *run); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyRun, hy_run_free)

HySim *hy_run_sim(const HyRun *run); /* the run's own */
const HyLoaded *hy_run_loaded(const HyRun *run);
HyEngine hy_run_engine(const HyRun *run);
/* "mliqss2, chosen for you: WHY", of states whose method is auto, or that nobody states; newly
 * allocated. NULL: there are none. */
char *hy_run_chosen(const HyRun *run);
double hy_run_start(const HyRun *run);
double hy_run_stop(const HyRun *run);

/* Before the run, one of these: what the experiment and the options of the load record, as tables
 * in memory, or as files, all of which hold the same. FILE: of the first table, "-" for stdout,
 * NULL for NAME.csv; its end says the form (record.h). FILES end with NULL. Each grid that is asked
 * for has a table of its own, in each of the files; nothing to record is no table. */
gboolean hy_run_record(HyRun *run, GError **error);
gboolean hy_run_record_files(HyRun *run, const char *const *files, GError **error);
gboolean hy_run_record_csv(HyRun *run, const char *file, GError **error);
/* As files, and in memory: hy_run_kept(). */
gboolean hy_run_record_both(HyRun *run, const char *const *files, GError **error);

/* The whole run: from the start to the stop, then hy_run_finish(). FALSE: it could not go on, or
 * the recording could not be written; all rows up to there are recorded. Going again starts over,
 * and what is recorded needs a new hy_run_record() before. */
gboolean hy_run_go(HyRun *run, GError **error);
/* As hy_sim_set_progress(): who is asked now and then whether hy_run_go() is to go on. */
void hy_run_set_progress(HyRun *run, HyProgress progress, gpointer user);
/* For those who initialise and run hy_run_sim() themselves: it has come to T. Writes what is left,
 * and the provenance beside each file. */
gboolean hy_run_finish(HyRun *run, double t, GError **error);
/* Before that: the exit status and message (NULL: none) that the run ends with, for the provenance;
 * if nobody says it, what hy_run_sim() knows. */
void hy_run_ended(HyRun *run, int status, const char *message);
/* What has been recorded so far goes to the files; recorders do so on the way when they write. */
void hy_run_flush(const HyRun *run);
gboolean hy_run_broken(const HyRun *run); /* something could not be written: better stop */

/* What is recorded. The strings are the run's. */
guint hy_run_n_tables(const HyRun *run);
const HyRecorder *hy_run_table(const HyRun *run, guint table);
const char *hy_run_file(const HyRun *run, guint table); /* NULL: in memory */
/* The tables in memory, if there are; number K has what is in hy_run_file() number K. NULL: no such
 * table. */
const HyRecorder *hy_run_kept(const HyRun *run, guint k);
/* The JSON beside the first of its files, as it is at the end; NULL: there is none. */
const char *hy_run_provenance(const HyRun *run);

/* What the audit of the run has found so far, or at its end; valid until the run goes on or is
 * freed. FALSE: the run is not audited. Whether it is is said when the model is loaded
 * (HyLoadOptions.audit). One that is asked to be strict makes hy_run_go() fail with HY_ERROR_AUDIT,
 * after all is recorded. */
gboolean hy_run_audit_sized(const HyRun *run, HyAudited *result, gsize size);
static inline gboolean hy_run_audit(const HyRun *run, HyAudited *result)
{
  return hy_run_audit_sized(run, result, sizeof(HyAudited));
}
/* As warnings, the worst of it; */
void hy_report_audit(HyReport *report, const HyRun *run);
/* "audit: 0 breaches in 312 checks, 4 not judged; 80 of 80 stretches", newly allocated, NULL if
 * there is none; a member "audit" of JSON, or nothing; what hy_stats_json() tells, and that member.
 */
char *hy_run_audit_text(const HyRun *run);
void hy_run_audit_json(const HyRun *run, HyJsonOut *json);
void hy_run_stats_json(const HyRun *run, const HyCost *cost, GString *out);

/* REPORT gets what a file can only be told when its blocks are asked to start: those that cannot,
 * with their places in the file, */
void hy_report_blocks(HyReport *report, const HyLoaded *loaded);
/* paths of the experiment that name nothing, */
void hy_report_records(HyReport *report, const HyLoaded *loaded);
/* and as warnings, once hy_run_sim() is initialised, tolerances of classic methods that are far
 * below the quanta of what they read. */
void hy_report_groups(HyReport *report, const HyRun *run);
/* Likewise: settings of the run that change nothing with the methods that its states have. */
void hy_report_options(HyReport *report, const HyRun *run);
/* Likewise: input signals of the model itself that blocks read. Only a program feeds them
 * (hy_sim_input()); what reads one that nobody does waits. */
void hy_report_inputs(HyReport *report, const HyRun *run);
/* As warnings, once the run has ended, also before its time: what smells in it. A state that is
 * stiff for its method, states that pairs cannot settle, a mode that chatters, a state that blows
 * up, what is heard and wrong by the quanta of states, blocks that wait for each other; each with
 * what to try. */
void hy_report_run(HyReport *report, const HyRun *run);

#pragma GCC visibility pop
G_END_DECLS
#endif
