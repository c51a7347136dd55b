/* Records a running simulation, as CSV or in memory: chosen ports, exact at every event or on a
 * grid. A recorder watches through the trace of the simulation; it is no component and
 * never changes the order of events. A run of a model file makes its recorders itself
 * (experiment.h). */
#ifndef HYDEVS_RECORD_H
#define HYDEVS_RECORD_H

#include "hydevs/error.h"
#include "hydevs/sim.h"
#include <stdio.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
  HY_COLUMN_OUTPUT, /* what an atomic sends at an output port */
  HY_COLUMN_STATE,  /* what it is, as hy_sim_value() says: rows at its transitions */
  HY_COLUMN_INPUT,  /* what arrives at an input port of an atomic, for blocks without outputs */
} HyColumnKind;

/* One column of the table. The recorder copies it, strings too. */
typedef struct {
  HyColumnKind kind;
  guint atomic, port;
  const HySim *sim;  /* of a state: whom to ask */
  HyPortKind holds;  /* HY_SIGNAL: the polynomial goes on between events; HY_EVENT: the value stands
                        still */
  const char *path;  /* the head of the column */
  const char *unit;  /* NULL: not stated */
  const char *label; /* NULL: none */
} HyColumn;

/* Fills `holds`, and `unit` where it is NULL, from the class tables: of the port, or for an input
 * of what is wired to it. */
void hy_columns_describe(const HySim *sim, HyColumn *columns, guint n);
/* "C/D/Q.out" of the port that COLUMN names; newly allocated. */
char *hy_column_path(const HySim *sim, const HyColumn *column);

/* For one run: where the simulation goes back in time the recording ends, and
 * hy_recorder_finish() says so. */
typedef struct HyRecorder HyRecorder;

/* Rows stand at events: a jump has two, what was just before and what is after it; each event of an
 * instant has one; a bent piece has some between; and the last is the end of the run. Writes CSV to
 * OUT, which the caller opens, and closes after hy_recorder_free(). FILE is its name, for messages.
 * OUT NULL: the rows are kept in memory. */
HyRecorder *hy_recorder_new(FILE *out, const char *file, const HyColumn *columns, guint n);
void hy_recorder_free(HyRecorder *recorder); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyRecorder, hy_recorder_free)

/* Before the run: OUT gets the form that the end of FILE says in place of CSV: ".jsonl" lines of
 * JSON, ".h5" HDF5, ".mat" of MATLAB, ".npy" an array of NumPy, ".raw" of ngspice, ".vcd" value
 * changes, ".wav" sound with a channel for each column, whose -1 to 1 are 16 bits, on a grid that
 * is set before. ABOUT stands in its head; no row is beyond UNTIL. All but .jsonl and .vcd tell the
 * number of rows in their heads, so OUT must be a file of a disk. FALSE: unknown, or too many
 * columns. */
gboolean hy_recorder_set_form(HyRecorder *recorder, const char *file, const char *about,
                              double until, GError **error);
const char *hy_recorder_form(const HyRecorder *recorder); /* ".csv" */
/* ".csv, .h5 (HDF5), ... or .wav (sound)": all there are; newly allocated. */
char *hy_record_forms(void);
/* How many numbers were cut to what the form can hold: beyond -1 to 1 in a sound. */
guint64 hy_recorder_cut(const HyRecorder *recorder);
/* Before the run: what ATOMIC sends at its output PORT counts in COLUMN, too. For a port of a
 * coupled model that several blocks feed. */
void hy_recorder_add_source(HyRecorder *recorder, guint column, guint atomic, guint port);
/* Before the run: rows at T0 + k DT up to TF instead of at events; both ends where they fall on the
 * grid. A value on an instant with events is the one after them. FALSE: there is no such grid. */
gboolean hy_recorder_set_grid(HyRecorder *recorder, double dt, double t0, double tf,
                              GError **error);
/* Before the run: rows at N instants that increase, as far as they lie in T0 .. TF. FALSE: none
 * does.
 */
gboolean hy_recorder_set_times(HyRecorder *recorder, const double *times, guint n, double t0,
                               double tf, GError **error);
/* Before the run: the file OUT is emptied when the first bytes go there, not before. BEGUN (NULL:
 * nobody) is called with USER then; it may be that no memory is left. */
void hy_recorder_set_fresh(HyRecorder *recorder, void (*begun)(gpointer user), gpointer user);
/* Before the run: another watcher, which sees everything first. Copied. */
void hy_recorder_set_next(HyRecorder *recorder, const HyTrace *next);
/* What to give to hy_sim_set_trace(); valid as long as the recorder. */
HyTrace hy_recorder_trace(HyRecorder *recorder);

/* The run has come to T, by success or failure: writes what is left. FALSE: something could not be
 * written, now or before. */
gboolean hy_recorder_finish(HyRecorder *recorder, double t, GError **error);
/* Hands what has been written so far on to the file; a recorder does so itself, about twice a
 * second, when it writes rows. */
void hy_recorder_flush(HyRecorder *recorder);
/* Whether something could not be written, so that the run may as well stop. */
gboolean hy_recorder_failed(const HyRecorder *recorder);

/* Looking at a recorder. The columns are its own. */
guint hy_recorder_n(const HyRecorder *recorder);
const HyColumn *hy_recorder_column(const HyRecorder *recorder, guint column);
guint hy_recorder_order(const HyRecorder *recorder,
                        guint column); /* highest power of the time seen so far, 0 .. 3 */
guint64 hy_recorder_rows(const HyRecorder *recorder);
/* What a column is at T, not before the last event: also where nothing is written down then. It is
 * exact where the recorder is on a grid, which the run knows beforehand. NaN: nothing yet, or a
 * payload. */
double hy_recorder_now(HyRecorder *recorder, guint column, double t);
/* Of the column with this path. FALSE: there is none. */
gboolean hy_recorder_find(const HyRecorder *recorder, const char *path, guint *column);
double hy_recorder_grid(const HyRecorder *recorder); /* 0: exact at events; NaN: a list */
/* The instants of its rows, of hy_recorder_set_times(); NULL: it has no list. */
const double *hy_recorder_times(const HyRecorder *recorder, guint *n);
double hy_recorder_end(const HyRecorder *recorder); /* T of finish; NaN before */

/* Rows in memory, 0 .. hy_recorder_rows() - 1: the time of one, and what stands in a column. NaN:
 * nothing yet, or a payload, which is the recorder's own (NULL: none). */
double hy_recorder_time(const HyRecorder *recorder, guint64 row);
double hy_recorder_value(const HyRecorder *recorder, guint64 row, guint column);
GVariant *hy_recorder_payload(const HyRecorder *recorder, guint64 row, guint column);
/* All of them as one block: *ROWS rows of *STRIDE doubles, the time and then the columns. It stays
 * where it is once hy_recorder_finish() has been called, until the recorder is freed. NULL: they
 * are not in memory, or there is no row. */
const double *hy_recorder_data(const HyRecorder *recorder, guint64 *rows, guint *stride);
/* How many rows in memory have a payload in COLUMN; their numbers, increasing, go to ROWS (NULL:
 * nobody asks), which has room for them. */
guint64 hy_recorder_payload_rows(const HyRecorder *recorder, guint column, guint64 *rows);

#pragma GCC visibility pop
G_END_DECLS
#endif
