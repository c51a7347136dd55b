/* Snapshots of a run on the command line: when they are written, and where it begins. */
#ifndef HY_CLI_SNAPSHOTS_H
#define HY_CLI_SNAPSHOTS_H

#include "cli.h"

typedef struct {
  char **at; /* FILE@T or FILE; NULL: none */
  char *every, *from;
  gint keep;
  gboolean anew;
} CliSnapshots;

#define CLI_SNAPSHOTS_OPTIONS(s)                                                                     \
  {"snapshot",                                                                                       \
   0,                                                                                                \
   0,                                                                                                \
   G_OPTION_ARG_FILENAME_ARRAY,                                                                      \
   &(s).at,                                                                                          \
   "Write the state at T; without @T at the end, also if that comes by SIGINT or "                   \
   "SIGTERM; may be repeated",                                                                       \
   "FILE[@T]"},                                                                                      \
      {"snapshot-every",                                                                             \
       0,                                                                                            \
       0,                                                                                            \
       G_OPTION_ARG_STRING,                                                                          \
       &(s).every,                                                                                   \
       "Likewise every DT of the run's time: MODEL.1.hysnap, MODEL.2.hysnap ...",                    \
       "DT"},                                                                                        \
      {"keep", 0, 0, G_OPTION_ARG_INT, &(s).keep, "How many of these stay (2)", "N"},                \
      {"from", 0, 0, G_OPTION_ARG_FILENAME, &(s).from, "Go on from a snapshot, with its recordings", \
       "FILE"},                                                                                      \
  {                                                                                                  \
    "new-recording", 0, 0, G_OPTION_ARG_NONE, &(s).anew,                                             \
        "With --from: recordings begin there, whatever the files hold", NULL                         \
  }

/* FALSE: *STATUS is the exit status. */
gboolean cli_snapshots_check(const char *verb, const CliSnapshots *s, int *status);
void cli_snapshots_clear(CliSnapshots *s);
/* RUN, initialised, goes to its first instant and from the snapshot on, if there is one; FALSE:
 * ERROR is set. */
gboolean cli_snapshots_begin(const CliSnapshots *s, HyRun *run, GError **error);
/* RUN goes to its end, with snapshots on the way; *FAILED: the status of the first that could not
 * be written, which ends nothing, else 0. */
gboolean cli_snapshots_run(const CliSnapshots *s, HyRun *run, int *failed, GError **error);

#endif
