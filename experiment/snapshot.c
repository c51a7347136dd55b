/* Snapshots of a run: its simulation, and what it has recorded and measured so far. */
#include "hydevs/snapshot.h"

#include "audit/audit.h"
#include "base/out_file.h"
#include "results/measures.h"
#include "results/record_internal.h"
#include "results/snapshot_file.h"
#include "run.h"
#include "sim/engine.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  HyRun *run;
  const char *extra;
  HyTape before; /* of a run that is read: what it was, */
  gboolean kept; /* once it is there */
} Of;

static HyRecorder *recorder_at(const HyRun *run, guint k)
{
  return hy_run_recorder(run, k);
}

/* Writing -------------------------------------------------------------------------------------- */

static void put_recordings(const HyRun *run, HyJsonOut *json)
{
  hy_json_begin(json, "recordings", '[');
  for (guint k = 0; k < hy_run_n_recorders(run); k++) {
    const HyRecorder *r = recorder_at(run, k);
    if (k < run->n_files) {
      hy_json_begin(json, NULL, '{');
      hy_json_text(json, "file", hy_run_file(run, k));
      hy_json_count(json, "bytes", hy_recorder_bytes(r));
      hy_json_count(json, "rows", hy_recorder_rows(r));
      hy_json_end(json, '}');
    }
  }
  hy_json_end(json, ']');
}

static void put_head(gpointer user, HyJsonOut *json)
{
  const Of *of = user;
  const HyExperiment *x = hy_loaded_experiment(of->run->loaded);
  g_autofree char *methods = hy_run_methods(of->run);
  hy_json_text(json, "experiment", x->name);
  hy_json_text(json, "method", methods);
  if (of->extra != NULL) {
    hy_json_begin(json, "extra", '{');
    g_string_append(json->out, of->extra);
    hy_json_end(json, '}');
  }
  put_recordings(of->run, json);
}

/* All that RUN remembers beside its simulation. */
static void tape_all(HyRun *run, HyTape *tape)
{
  for (guint k = 0; k < hy_run_n_recorders(run); k++) {
    HyRecorder *r = recorder_at(run, k);
    g_autofree char *section = g_strdup_printf("recorder %u", k + 1), *tail = NULL;
    g_autoptr(GError) why = NULL;
    hy_tape_section(tape, section);
    hy_recorder_all_tape(r, tape);
    if (!hy_tape_files(tape)) {
      continue;
    }
    hy_recorder_tail_tape(r, tape, &tail);
    if (hy_tape_loads(tape) && tape->refused == NULL && !run->anew &&
        !hy_recorder_may_go_on(r, tail, &why)) {
      hy_tape_refuse(tape, "%s", why->message);
    }
  }
  if (run->measures != NULL) {
    hy_tape_section(tape, "measures");
    hy_measures_tape(run->measures, tape);
  }
  hy_tape_section(tape, "audit");
  hy_audit_tape(run->audit, tape);
}

static void save_all(gpointer user, HyTape *tape)
{
  tape_all(((const Of *)user)->run, tape);
}

static gboolean write_file(const char *file, const GByteArray *bytes, GError **error)
{
  HyOutFile *out = hy_out_open(file, error);
  if (out == NULL) {
    return FALSE;
  }
  fwrite(bytes->data, 1, bytes->len, hy_out_stream(out));
  return hy_out_commit(out, error);
}

gboolean hy_run_write_snapshot(HyRun *run, const char *file, const char *extra, GError **error)
{
  g_return_val_if_fail(run != NULL && file != NULL, FALSE);
  Of of = {.run = run, .extra = extra};
  const HySnapshotMore more = {&of, put_head, save_all, NULL};
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  hy_run_flush(run);
  return hy_snapshot_write(run->sim, &more, bytes, error) && write_file(file, bytes, error);
}

/* Reading -------------------------------------------------------------------------------------- */

/* What is not the simulation's is kept, so that it can be put back if what is read does not fit. */
static void load_all(gpointer user, HyTape *tape)
{
  Of *of = user;
  hy_tape_begin(&of->before, HY_TAPE_SAVE);
  tape_all(of->run, &of->before);
  hy_tape_begin(&of->before, HY_TAPE_DROP);
  tape_all(of->run, &of->before);
  of->kept = TRUE;
  tape_all(of->run, tape);
}

static void put_back(Of *of)
{
  if (of->kept) {
    hy_tape_begin(&of->before, HY_TAPE_DROP);
    tape_all(of->run, &of->before);
    hy_tape_begin(&of->before, HY_TAPE_LOAD);
    tape_all(of->run, &of->before);
  }
}

/* All files are cut before any recorder goes on. */
static gboolean files_go_on(gpointer user, GError **error)
{
  HyRun *run = ((const Of *)user)->run;
  guint n = hy_run_n_recorders(run);
  for (guint k = 0; k < n && !run->anew; k++) {
    if (!hy_recorder_cut_off(recorder_at(run, k), error)) {
      return FALSE;
    }
  }
  for (guint k = 0; k < n; k++) {
    HyRecorder *r = recorder_at(run, k);
    if (run->anew) {
      hy_recorder_begin_anew(r);
    } else {
      hy_recorder_go_on(r);
    }
  }
  return TRUE;
}

void hy_run_record_anew(HyRun *run)
{
  g_return_if_fail(run != NULL);
  run->anew = TRUE;
}

/* Recordings go on with those of the snapshot, so who records nothing cannot go on from one that
 * has some. */
static gboolean somebody_records(const HyRun *run, const HySnapshotFile *s, GError **error)
{
  if (s->head.recordings->len == 0 || hy_run_n_recorders(run) > 0) {
    return TRUE;
  }
  const HySnapshotRecording *r = &g_array_index(s->head.recordings, HySnapshotRecording, 0);
  g_set_error(
      error, HY_ERROR, HY_ERROR_USAGE,
      "%s: its run has recorded into %s, and only one that goes on with that, as `hydevs run "
      "--from` does, goes on from it",
      s->file, r->file);
  return FALSE;
}

gboolean hy_run_read_snapshot(HyRun *run, const char *file, HyRead how, char **extra,
                              GError **error)
{
  g_return_val_if_fail(run != NULL && file != NULL, FALSE);
  g_autoptr(HySnapshotFile) s = hy_snapshot_file_open(file, error);
  if (s == NULL) {
    return FALSE;
  }
  if (!somebody_records(run, s, error)) {
    return FALSE;
  }
  Of of = {.run = run};
  const HySnapshotMore more = {&of, NULL, load_all, files_go_on};
  hy_tape_init(&of.before);
  gboolean ok = hy_snapshot_read(run->sim, s, how == HY_READ_RESTART, &more, error);
  if (!ok) {
    put_back(&of);
  }
  hy_tape_clear(&of.before);
  if (!ok) {
    return FALSE;
  }
  run->restarted = s->head.restarts ? s->head.t : 0.0;
  if (extra != NULL) {
    *extra = g_strdup(s->head.extra);
  }
  return TRUE;
}
