/* The hydevs command: each verb is a function of this form in a file of its own. It gets its own
 * words as argv (argv[0] is the verb) and returns the exit status: that of HyErrorCode, 0 if all
 * went well. */
#ifndef HY_CLI_H
#define HY_CLI_H

#include <hydevs/hydevs.h>

int cli_devstone(int argc, char **argv);
int cli_ring(int argc, char **argv);
int cli_trace(int argc, char **argv);

/* Parses ARGV by ENTRIES; leftover words stay in it. TEACH is shown below the options: examples.
 * FALSE: an error has been printed and *STATUS is the exit status; likewise after --help, with
 * status 0. */
gboolean cli_options(const char *usage, const char *summary, const char *teach,
                     const GOptionEntry *entries, int *argc, char ***argv, int *status);
/* "hydevs VERB: MESSAGE" on stderr; returns HY_ERROR_USAGE. */
int cli_usage(const char *verb, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* "hydevs: MESSAGE" on stderr; returns the error's exit status. */
int cli_failed(const GError *error);
gboolean cli_engine(const char *name, HyEngine *engine); /* FALSE: no such engine */

/* Progress on stderr, on a terminal only, for runs over a second; ends the run after an interrupt
 * (Ctrl-C). */
typedef struct {
  double t0, tf; /* all events at one instant: tf = t0 */
  gint64 start, shown;
  gboolean terminal;
} CliProgress;
void cli_progress_start(CliProgress *p, HySim *sim, double t0, double tf);
void cli_progress_end(const CliProgress *p); /* wipes the line */

#endif
