/* A model file on the command line: the options that say how to load it, and a simulation of it as
 * the experiment wants it. Shared by the verbs run, trace and plot. */
#ifndef HY_CLI_MODEL_H
#define HY_CLI_MODEL_H

#include "cli.h"

/* What the options fill in. Zeroed to begin with; cli_model_clear() frees. */
typedef struct {
  char *experiment, *method, *partition, *engine, *progress, *evaluate, *jacobian, *refresh;
  char **set, **record, **library, **files; /* files: of blocks */
  HyBlocks *blocks;                         /* of FILES */
  char *until, *grid, *tol, *dqrel, *dqmin,
      *hstep;         /* numbers, as in a model file; NULL: not given */
  gint64 seed, limit; /* -1: not given */
  gint64 max_blocks;  /* 0: the default */
  const char *audit;  /* HyLoadOptions.audit; not an option of all verbs */
  char **measure;     /* likewise, HyLoadOptions.measure */
  gboolean strict;
  gboolean elements; /* of circuits are kept, for export */
  gboolean warned;   /* its warnings have been reported before */
  GString *told;     /* takes what has been warned of, too; NULL: stderr is enough */
} CliModel;

#define CLI_MODEL_NONE ((CliModel){.seed = -1, .limit = -1})

/* Newly allocated, ends with a NULL name. WITHOUT: those of CliPage. */
GOptionEntry *cli_model_entries(CliModel *m, const char *const *without);
/* The first option that has been given; NULL: none. */
const char *cli_model_given(const CliModel *m);
/* Those that have been given, as words that say the same: "--set=N=8". */
void cli_model_words(const CliModel *m, GPtrArray *words);
void cli_model_clear(CliModel *m);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliModel, cli_model_clear)

/* cli_options() with those of M as the shared ones, and one word left, the model. WHICH: what is
 * said where there is none; NULL: the words are not counted. */
gboolean cli_model_options(const CliPage *page, CliModel *m, int *argc, char ***argv,
                           const char *which, int *status);
gboolean cli_model_progress(const char *verb, const CliModel *m, CliProgressKind *kind,
                            int *status);

/* The messages of REPORT, to where M says. */
void cli_model_tell(const CliModel *m, HyReport *report);
/* Messages go to stderr. NULL: *STATUS is the exit status. */
HyLoaded *cli_model_load(const char *verb, const CliModel *m, const char *file, int *status);
/* What that is loaded with, and the run is made with, for who does so himself: strings are those of
 * M. FALSE: *STATUS is the exit status. */
gboolean cli_model_load_options(const char *verb, const CliModel *m, HyLoadOptions *options,
                                int *status);
gboolean cli_model_settings(const char *verb, const CliModel *m, HyRunSettings *settings,
                            int *status);
/* A run that is ready to start; ENGINE in place of the one of M, if not NULL. NULL likewise, and
 * where LOADED is NULL. */
HyRun *cli_model_run(const char *verb, const CliModel *m, const HyLoaded *loaded,
                     const char *engine, int *status);
/* steady.c. What options say of a search for a steady state. */
typedef struct {
  const char *period; /* NULL: not given */
  gint64 events;      /* 0: any number */
  gint memory;        /* MiB, likewise */
} CliSearch;
#define CLI_SEARCH ((CliSearch){NULL, HY_STEADY_EVENTS, HY_STEADY_BYTES >> 20})
#define CLI_SEARCH_LIMITS(search)                                                                  \
  {"max-events",                                                                                   \
   0,                                                                                              \
   0,                                                                                              \
   G_OPTION_ARG_INT64,                                                                             \
   &(search).events,                                                                               \
   "Events in one period (10 million); 0: any number",                                             \
   "N"},                                                                                           \
  {                                                                                                \
    "max-memory", 0, 0, G_OPTION_ARG_INT, &(search).memory,                                        \
        "MiB for what is kept of one period (1024); 0: any", "MIB"                                 \
  }
/* SET becomes what SEARCH says. FALSE: *STATUS is the exit status. */
gboolean cli_search_settings(const char *verb, const CliSearch *search, HySteadySettings *set,
                             int *status);
/* PROGRESS must live as long as what is found. NULL: *STATUS is the exit status. */
HySteady *cli_search(const HyLoaded *loaded, HySteadySettings *set, CliProgress *progress,
                     int *status);
/* What analyses of a period need not be told: the end of a run, and fine tolerances. */
void cli_steady_prepare(CliModel *m);

/* The exit status of a run that ERROR has ended, having told it: if the blocks could not start,
 * with all of them. */
int cli_failed_blocks(const HyLoaded *loaded, const GError *error);

#endif
