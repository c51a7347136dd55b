/* Snapshots: the state of a run as a file, when all events at an instant are done, from which
 * another process, on any engine, goes on bit for bit. docs/howto/snapshots.md. */
#ifndef HYDEVS_SNAPSHOT_H
#define HYDEVS_SNAPSHOT_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
  HY_READ_EXACT,  /* it goes on as it did; what cannot is refused */
  HY_READ_RESTART /* groups of CVODE, which does not say all that it remembers, begin anew from
                     their states */
} HyRead;

/* The run as it is now goes to FILE, a new file in place of the old one once all is written; what
 * it has recorded is handed on before, and the file knows how much that is. EXTRA: members of JSON
 * for the head, "\"log\":1", NULL: none. FALSE: the old file stands. */
gboolean hy_run_write_snapshot(HyRun *run, const char *file, const char *extra, GError **error);
/* The run, initialised and with its first instant done (hy_sim_run() to its start), is where that
 * of FILE was. What it records are the same files: what has been written to them since is cut off.
 * EXTRA, if not NULL, gets what was given then, newly allocated (NULL: nothing). FALSE: nothing
 * has changed, neither the run nor a file; but where a file fails while it is cut (status 3), those
 * before it are cut already. */
gboolean hy_run_read_snapshot(HyRun *run, const char *file, HyRead how, char **extra,
                              GError **error);
/* Before that: recordings begin anew, whatever those of the snapshot are. */
void hy_run_record_anew(HyRun *run);

/* The same of a simulation alone, in memory: what a program does with the bytes is its own affair.
 * SIM has done its first instant. Appended to OUT. */
gboolean hy_sim_write_state(HySim *sim, GByteArray *out, GError **error);
gboolean hy_sim_read_state(HySim *sim, const guint8 *bytes, gsize n, GError **error);

/* What stands in FILE, for people, appended to OUT: its head, and how large its parts are; with
 * BLOCKS all that it remembers, a line each. */
gboolean hy_snapshot_print(const char *file, gboolean blocks, GString *out, GError **error);
/* Where two are different: "block a/b: x[0] 1.5 | 1.75", a line each, appended to OUT; the part
 * work, which differs between engines, behind a line that says whether the state is the same.
 * Returns how many items differ, G_MAXUINT: one cannot be read. */
guint hy_snapshot_compare(const char *file, const char *other, GString *out, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
