/* A model file on the command line: the options that say how to load it, and a simulation of it as
 * the experiment wants it. Shared by the verbs run, trace and plot. */
#ifndef HY_CLI_MODEL_H
#define HY_CLI_MODEL_H

#include "cli.h"
#include "hydevs/load.h"

/* What the options fill in. Zeroed to begin with; cli_model_clear() frees. */
typedef struct {
  char *experiment, *method, *partition, *engine, *progress, *evaluate, *jacobian, *refresh;
  char **set, **record, **library;
  char *until, *grid, *tol, *dqrel, *dqmin,
      *hstep;         /* numbers, as in a model file; NULL: not given */
  gint64 seed, limit; /* -1: not given */
  gint64 max_blocks;  /* 0: the default */
  gboolean strict;
  gboolean told; /* its warnings have been said before */
} CliModel;

#define CLI_MODEL_NONE ((CliModel){.seed = -1, .limit = -1})

GOptionEntry *cli_model_entries(CliModel *m); /* newly allocated, ends with a NULL name */
void cli_model_clear(CliModel *m);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliModel, cli_model_clear)

/* Messages go to stderr. NULL: *STATUS is the exit status. */
HyLoaded *cli_model_load(const char *verb, const CliModel *m, const char *file, int *status);

/* A simulation, initialised by nobody yet: engine, seed and limit are set. */
typedef struct {
  HySim *sim;
  HyEngine engine;
  double t0, tf;
  guint64 seed;
} CliRun;
gboolean cli_model_sim(const char *verb, const CliModel *m, const HyLoaded *loaded,
                       const char *engine, CliRun *run, int *status);

#endif
