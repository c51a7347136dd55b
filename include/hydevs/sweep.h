/* Many runs of one model: a plan says which, each is loaded with its parameters and run as
 * `hydevs run` does it, and its measures are a row of a table. Run k is the same whoever computes
 * it, in whichever order, so the table has the same bytes for every number of threads and shards,
 * and after every interruption. */
#ifndef HYDEVS_SWEEP_H
#define HYDEVS_SWEEP_H

#include "hydevs/experiment.h"
#include "hydevs/measure.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The plan ---------------------------------------------------------------------------------------
 *
 * A pure function from k = 0 .. n-1 to what run k is set to. Axes make all combinations: the rows
 * of a file, then each of VARY, then the draws of RANDOM, the last one fastest. */

/* What is asked for; all strings and what LOAD and RUN point to outlive the plan. New members come
 * at the end: SIZE says which a program knows. */
typedef struct {
  gsize size;
  const HyLoadOptions *load; /* NULL: nothing is asked for beside the file */
  const HyRunSettings *run;  /* likewise; its seed is the one that those of the runs are made of */
  const char *sweep;         /* the <sweep> of the file; NULL: none, "": the first */
  const char *const *vary; /* "R=5:20:4", "f=log 1k:1M:7", "C=1u,2u"; ends with NULL; NULL: none */
  gboolean together;       /* the values of VARY go along with each other */
  const char *const *random; /* "L=normal 10m 5%"; likewise */
  const char *sampling;      /* plain, latin, sobol, or saltelli for indices; NULL: latin */
  guint64 n; /* draws (of saltelli: bases, parameters + 2 runs each), or runs with seeds of their
                own; 0: 1 */
  const char *file; /* CSV, or TSV; NULL: none */
  const char *const
      *measures;        /* "mean(uC, 5m)", "NAME=...", after those of the experiment; likewise */
  gboolean each;        /* each run chooses its method, where nobody states one */
  guint64 limit_events; /* of a run; 0: HY_SWEEP_EVENTS */
  double limit_time;    /* seconds of CPU time of a run; 0: any */
  /* A formula of columns, status and events: runs for which it holds are recorded, too; NULL: none
   */
  const char *keep;
  /* Ends of RANDOM in place of draws: "all" combinations, or "each" alone, the others in their
   * middles, after a run with all of them there; NULL: draws */
  const char *corners;
} HyPlanOptions;
#define HY_PLAN_OPTIONS (HY_LITERAL(HyPlanOptions){.size = sizeof(HyPlanOptions)})
#define HY_SWEEP_EVENTS G_GUINT64_CONSTANT(1000000000)
#define HY_SWEEP_RUNS   G_GUINT64_CONSTANT(1000000000) /* at most */

typedef struct HyPlan HyPlan;
/* OPTIONS may be NULL. NULL: what is wrong is in REPORT, all of it, as are warnings. Documents of
 * the load, if there are, outlive the plan. */
HyPlan *hy_plan_new_sized(const char *file, const HyPlanOptions *options, gsize load, gsize run,
                          HyReport *report); /* LOAD, RUN: sizes of what these point to */
static inline HyPlan *hy_plan_new(const char *file, const HyPlanOptions *options, HyReport *report)
{
  return hy_plan_new_sized(file, options, sizeof(HyLoadOptions), sizeof(HyRunSettings), report);
}
void hy_plan_free(HyPlan *plan); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyPlan, hy_plan_free)

guint64 hy_plan_n(const HyPlan *plan);
const char *hy_plan_name(const HyPlan *plan); /* of the model */
/* What is set or carried: those that set something come first. NULL: there is no such column. */
const char *hy_plan_column(const HyPlan *plan, guint k);
guint hy_plan_n_columns(const HyPlan *plan);
guint hy_plan_n_set(const HyPlan *plan);
/* The texts of the columns in run K; ends with NULL; g_strfreev(). */
char **hy_plan_row(const HyPlan *plan, guint64 k);
/* "hydevs run" for run K, as words behind it: "--set=R=5" ...; likewise. */
char **hy_plan_words(const HyPlan *plan, guint64 k);
guint hy_plan_n_measures(const HyPlan *plan);
const char *hy_plan_measure(const HyPlan *plan, guint k);
/* SHA-256 of all that the table depends on: plan, files, options, method, this program. */
const char *hy_plan_digest(const HyPlan *plan);
/* "mliqss2, chosen for you at the middle of the plan: WHY"; NULL: the model states methods, or each
 * run chooses. */
const char *hy_plan_method(const HyPlan *plan);

/* One run ----------------------------------------------------------------------------------------
 */

/* Beside the exit statuses of a run (HyErrorCode; 0: all is well). */
#define HY_SWEEP_LIMIT 256 /* it would take more events than it may */
#define HY_SWEEP_TIME                                                                              \
  257                      /* it has taken more time than it may: tried again when a sweep goes on \
                            */
#define HY_SWEEP_CRASH 258 /* it has ended the process, twice */
/* "0", "limit"; BUFFER has HY_DOUBLE_SIZE bytes. */
const char *hy_sweep_status_text(char *buffer, int status);

typedef struct {
  int status;
  guint64 events;
  double *measures; /* [hy_plan_n_measures()]; NaN: there is none */
  char *why;        /* NULL: all is well */
} HySweepRow;
void hy_sweep_row_clear(HySweepRow *row);

/* Run K of PLAN, on any thread. STOP (NULL: never) ends it when it is set, and then FALSE: there is
 * no row. */
gboolean hy_sweep_run(const HyPlan *plan, guint64 k, gint *stop, HySweepRow *row);

/* It once more, and what the experiment records of it in memory (hy_run_kept()); HY_SWEEP_MIDDLE:
 * the run in the middle of the plan, where each parameter has its median. LOADED has to outlive it.
 * NULL: ERROR says why it has not ended well; out of its bounds it may be. */
#define HY_SWEEP_MIDDLE G_MAXUINT64
HyRun *hy_sweep_again(const HyPlan *plan, guint64 k, HyLoaded **loaded, GError **error);

/* All of them ------------------------------------------------------------------------------------
 */

typedef struct {
  guint64 n;        /* rows of the table: of the plan, or of its shard */
  guint64 done;     /* of them */
  guint64 restored; /* of these, from a journal */
  guint64 failed;   /* of these: every status but 0 and HY_ERROR_AUDIT */
  guint64 breached; /* that have ended, and are not what they should be: HY_ERROR_AUDIT */
  guint64 by[HY_SWEEP_CRASH + 1]; /* rows by status */
  guint64 first;                  /* the first that has failed; G_MAXUINT64: none */
  const char *why;                /* it has */
  double cpu;                     /* seconds of all runs */
  double wall;
  guint threads;
} HySweepTotals;

/* Called a few times a second. FALSE: the sweep is to end. */
typedef gboolean (*HySweepProgress)(gpointer user, const HySweepTotals *so_far);

/* The processes that mpirun has started, each with the same words: they do one sweep. */
typedef struct HySweepTeam HySweepTeam;
/* Begins MPI. NULL without an error: this process is alone. */
HySweepTeam *hy_sweep_team_new(GError **error);
guint hy_sweep_team_n(const HySweepTeam *team);
guint hy_sweep_team_rank(const HySweepTeam *team); /* 0 has the rows and writes the table */
/* To be called by each of them before the sweep: OK: this one has its plan. TRUE: all have. FALSE:
 * *SAME says whether none has, as where the command line is wrong. Of those that are not 0 each
 * knows of itself alone. */
gboolean hy_sweep_team_agrees(const HySweepTeam *team, gboolean ok, gboolean *same);
/* DONE: this one has come to its end, as all will. FALSE: it could not go on, and all of them end,
 * with this exit status. NULL is fine. */
void hy_sweep_team_free(HySweepTeam *team, gboolean done, int status);

typedef struct {
  gsize size;
  guint threads;       /* 0: as many as the process may use */
  const char *out;     /* the table; "-": stdout; NULL: in memory alone */
  gboolean fresh;      /* rows that an earlier sweep has left behind are computed again */
  guint shard, shards; /* rows k with k % shards = shard; 0, 0: all */
  const char *command; /* for the JSON beside the table; NULL: nothing is said */
  HySweepProgress progress;
  gpointer user;
  gboolean isolate;  /* each run in a process of its own: what ends it is a row. Not beside threads
                        of the program */
  HySweepTeam *team; /* NULL: this process alone */
  const char *keep_as; /* the form of recordings that are kept, OUT.runs/K.FORM; NULL: csv */
} HySweepOptions;
#define HY_SWEEP_OPTIONS (HY_LITERAL(HySweepOptions){.size = sizeof(HySweepOptions)})

typedef struct HySweep HySweep;
/* OPTIONS may be NULL. NULL: ERROR says why, before anything has been computed: the table could not
 * be written. */
HySweep *hy_sweep_new(const HyPlan *plan, const HySweepOptions *options, GError **error);
void hy_sweep_free(HySweep *sweep); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySweep, hy_sweep_free)
/* FALSE: interrupted, or something could not be written; what is done is in the journal. */
gboolean hy_sweep_go(HySweep *sweep, GError **error);
void hy_sweep_totals_sized(const HySweep *sweep, HySweepTotals *totals, gsize size);
static inline void hy_sweep_totals(const HySweep *sweep, HySweepTotals *totals)
{
  hy_sweep_totals_sized(sweep, totals, sizeof(HySweepTotals));
}
/* Row number PLACE, of those of its shard. */
guint64 hy_sweep_k(const HySweep *sweep, guint64 place);
int hy_sweep_status(const HySweep *sweep, guint64 place);
double hy_sweep_value(const HySweep *sweep, guint64 place, guint measure);
guint64 hy_sweep_events(const HySweep *sweep, guint64 place);
const char *hy_sweep_why(const HySweep *sweep, guint64 place); /* "": all is well */

/* Which draw matters, from a plan by saltelli whose runs have all ended: the shares of the variance
 * of a measure (I. Sobol), and 95 % of what they may be. */
typedef struct {
  double value, low, high;
} HySweepIndex;
typedef struct {
  HySweepIndex first; /* what this parameter makes of it alone, */
  HySweepIndex total; /* and together with others: what is left if all others are known */
} HySweepIndices;
/* Of each column that is set, in their order; newly allocated. NULL: another plan, a run without a
 * number, no variance. */
HySweepIndices *hy_sweep_indices(const HySweep *sweep, guint measure, GError **error);

/* PATHS (ends with NULL), tables of all shards of one plan, as OUT ("-": stdout). */
gboolean hy_sweep_merge(const char *const *paths, const char *out, guint64 *rows, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
