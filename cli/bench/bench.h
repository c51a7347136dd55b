/* hydevs bench: one model under several methods, side by side. Every run is a process of its own.
 */
#ifndef HY_CLI_BENCH_H
#define HY_CLI_BENCH_H

#include "model.h"

#define BENCH_SAMPLES 5000 /* uniform instants at which the error of a run is taken */

/* How a run has ended. */
typedef enum {
  BENCH_FAILED, /* why: says it */
  BENCH_DONE,
  BENCH_NO_END,    /* within the limit */
  BENCH_NO_MEMORY, /* half of the machine's was not enough */
} BenchEnd;

/* What a run tells of itself, in memory that it shares with the process that watches it. */
typedef struct {
  BenchEnd end;
  double t;              /* how far it has come */
  double since;          /* CPU of its process when the simulation began; NaN: it has not */
  double seconds;        /* of CPU, from the first event to the last */
  double start;          /* of CPU before, once the model was read */
  double instructions;   /* of those seconds; NaN: not known */
  guint64 steps, events; /* new pieces of states and steps of solvers; root cycles */
  guint64 f_evals;       /* scalar derivatives */
  guint64 toggles;       /* of modes, between the start and the end: what both decide is left out */
  guint groups, gave_way; /* that see several states; of these another method has taken the place */
  char instead[32];       /* of the first of them: this one, */
  char because[256];      /* for that reason, */
  double instead_since;   /* from then on */
  char why[512];
} BenchRun;

/* A row of the table. */
typedef struct {
  char *method,
      *experiment;     /* its name; the experiment that says its methods, NULL: the name is one */
  char *tol, *engine;  /* NULL: as the model says; NULL: none, it was written by hand */
  double tolerance;    /* TOL; NaN: not one for all states */
  GArray *seconds;     /* double, of each run */
  BenchRun run;        /* the first, or the one that did not end */
  double error, worst; /* NaN: not known */
  char *chosen;        /* of auto: which method, and why; NULL: it is another */
} BenchRow;

/* The method of ROW, and what has taken its place in the run, if any has: "block_liqss2 ->
 * cvode_bdf"; newly allocated. */
char *bench_row_name(const BenchRow *row);

/* What is measured, and how. */
typedef struct {
  const CliModel *m; /* of all rows */
  const char *file, *name;
  const char *method, *tol, *engine; /* lists of words; NULL: not asked for */
  guint repeat;
  double limit;               /* seconds of CPU of a run */
  const char *const *written; /* files that are to be written, ends with NULL; NULL: none */
  gboolean brief;             /* no reference and no errors */
  gboolean count;             /* instructions by callgrind, where the kernel does not count them */
} BenchTask;

/* The file that WORD names: itself, or an example's. NULL: *STATUS is the exit status. */
char *bench_model_find(const char *word, const char *const *library, gboolean *example,
                       int *status);
/* The rows (BenchRow) of TASK, each of which can be loaded: for each tolerance and engine every
 * method, and last those of the program written by hand, if HAND. LOADED is the model as all rows
 * have it. NULL: *STATUS is the exit status. */
GPtrArray *bench_rows(const BenchTask *task, const HyLoaded *loaded, const GArray *states,
                      gboolean hand, int *status);
/* What the command line of a run of ROW would be; its strings belong to TASK and ROW. */
CliModel bench_options(const BenchTask *task, const BenchRow *row);

/* In another process: BODY says in RUN what it does, what it writes comes back as *SAID (newly
 * allocated). LIMIT: seconds of CPU from `since` on. */
typedef void (*BenchBody)(gpointer user, BenchRun *run);
void bench_child(BenchBody body, gpointer user, double limit, BenchRun *run, char **said);
double bench_cpu(void); /* seconds of this process */
/* Memory that other processes see, too; NULL: there is none. */
void *bench_shared(gsize size);
void bench_unshare(void *memory, gsize size); /* NULL is fine */

/* A simulation. */
typedef struct {
  const CliModel *m;
  const char *file;
  double *samples; /* [BENCH_SAMPLES * states], instant by instant; NULL: nobody looks */
} BenchSim;
void bench_sim(gpointer sim, BenchRun *run); /* a BenchBody */
/* The continuous states of LOADED, in the order of the samples: BenchState. */
typedef struct {
  guint atomic;
  char *path;
  const char *method; /* NULL: nobody states one */
  double dqrel, dqmin;
  gboolean solver; /* tolerances for solvers are stated, other than these */
} BenchState;
GArray *bench_states(const HyLoaded *loaded);

/* A program with CVODE, written by hand for the model (bench/cvode.c). */
typedef struct {
  const char *program, *name, *experiment;
  const char *n; /* NULL: as the program has it */
  double tf, rtol, atol;
  const char *samples; /* a file for them; NULL: nobody looks */
} BenchPeer;
char *bench_peer_find(void);                   /* beside this program; NULL: there is none */
void bench_peer(gpointer peer, BenchRun *run); /* a BenchBody */
/* Its command line; newly allocated. */
GPtrArray *bench_peer_words(const BenchPeer *peer);
/* What it has SAID. FALSE: it is another system than the one with STATES, for it does not name them
 * in this order. */
gboolean bench_peer_read(const char *said, const GArray *states, BenchRun *run);

/* Instructions by callgrind; NaN: it is not installed, or has not come to its end. */
double bench_count_row(const BenchTask *task, const BenchRow *row);
double bench_count_peer(const BenchPeer *peer, double limit);

/* What is said of all rows. */
typedef struct {
  const char *model;
  guint n; /* states */
  double tf;
  guint repeat;
  double limit;
  const char *reference; /* where errors are from; NULL: there is none */
  const char *no_reference;
  GPtrArray *rows; /* BenchRow */
} BenchTable;
/* Thesis eq. 4.11: over all states in one quotient, and of the worst state alone. */
void bench_error(const double *reference, const double *samples, guint n, double *error,
                 double *worst);
/* BenchShow: */
void bench_show_text(gpointer nothing, const BenchTable *table);
void bench_show_json(gpointer nothing, const BenchTable *table);
/* In milliseconds, of all runs of ROW; NaN: it has not come to its end. */
void bench_times(const BenchRow *row, double *least, double *median);
/* Why there are no numbers of ROW; newly allocated. */
char *bench_fate(const BenchTable *table, const BenchRow *row);

/* Runs all rows of TASK, and has them shown; EXAMPLE: its name is that of an example. Returns the
 * exit status; 3: a row has not come to its end. */
typedef void (*BenchShow)(gpointer user, const BenchTable *table);
int bench_compare(BenchTask *task, gboolean example, BenchShow shown, gpointer user);

#endif
