/* What a run records: the columns that the experiment and the options name, in one table, or one
 * for each grid that is asked for. */
#ifndef HY_RECORDING_H
#define HY_RECORDING_H

#include "hydevs/record.h"
#include "model.h"

typedef struct {
  GPtrArray *tables; /* Table, in recording.c */
  HyTrace trace;     /* for hy_sim_set_trace() */
} CliRecording;

/* OUT: the file of the first table, "-" for stdout, NULL for NAME.csv. A recording without tables
 * if nothing is to be recorded. */
gboolean cli_recording_open(CliRecording *r, const CliModel *m, const HyLoaded *loaded,
                            const CliRun *run, const char *out, GError **error);
/* The run has come to T. Writes what is left and the provenance beside each file. */
gboolean cli_recording_finish(CliRecording *r, const CliModel *m, const HyLoaded *loaded,
                              const CliRun *run, const char *model_file, double t, GError **error);
gboolean cli_recording_broken(gpointer recording); /* something could not be written */
/* "queue.csv: 5 columns, 17 rows", a line each, on stderr. */
void cli_recording_report(const CliRecording *r);
const char *cli_recording_file(const CliRecording *r); /* of the first table; NULL: none */
void cli_recording_clear(CliRecording *r);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliRecording, cli_recording_clear)

#endif
