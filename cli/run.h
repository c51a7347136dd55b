/* A run of a model from file to recording, for the verbs run and plot. */
#ifndef HY_CLI_RUN_H
#define HY_CLI_RUN_H

#include "model.h"
#include "snapshots.h"

typedef enum { CLI_STATS_NONE, CLI_STATS_TEXT, CLI_STATS_JSON } CliStats;

typedef struct {
  const char *verb, *file;
  const char *const *out; /* as hy_run_record_files() takes it */
  const char *html;       /* a page of it is made, too; NULL: none */
  const char *command;    /* as it was called, for the page */
  CliStats stats;
  gboolean quiet;       /* no word about what was written */
  const char *picture;  /* what will be drawn of it; NULL: nothing */
  gboolean from_steady; /* it begins in the periodic steady state, */
  CliSearch search;     /* found so */
  CliSnapshots snapshots;
} CliTask;

/* The exit status. */
int cli_run_model(const CliTask *task, const CliModel *m);

#endif
