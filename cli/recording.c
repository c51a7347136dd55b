#include "recording.h"

#include "coupled/model_internal.h"
#include "results/sidecar.h"
#include "results/sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  double grid;               /* 0: at events */
  GArray *columns, *sources; /* HyColumn; GArray * of HySource or NULL for each */
  GHashTable *paths;
  GStringChunk *strings; /* of the columns */
  char *file;
  FILE *out;
  HyRecorder *recorder;
  guint64 rows; /* once finished */
} Table;

static void table_free(gpointer data)
{
  Table *t = data;
  for (guint k = 0; k < t->sources->len; k++) {
    GArray *sources = g_array_index(t->sources, GArray *, k);
    g_clear_pointer(&sources, g_array_unref);
  }
  g_array_unref(t->columns);
  g_array_unref(t->sources);
  g_hash_table_unref(t->paths);
  g_string_chunk_free(t->strings);
  hy_recorder_free(t->recorder);
  if (t->out != NULL && t->out != stdout) {
    fclose(t->out);
  }
  g_free(t->file);
  g_free(t);
}

static Table *table_for(CliRecording *r, double grid)
{
  for (guint k = 0; k < r->tables->len; k++) {
    Table *t = g_ptr_array_index(r->tables, k);
    if (t->grid == grid) {
      return t;
    }
  }
  Table *t = g_new0(Table, 1);
  t->grid = grid;
  t->columns = g_array_new(FALSE, FALSE, sizeof(HyColumn));
  t->sources = g_array_new(FALSE, FALSE, sizeof(GArray *));
  t->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  t->strings = g_string_chunk_new(256);
  g_ptr_array_add(r->tables, t);
  return t;
}

/* Columns ---------------------------------------------------------------------------------------
 */

static const char *keep(const Table *t, const char *text)
{
  return text != NULL ? g_string_chunk_insert(t->strings, text) : NULL;
}

/* The column of a port of an atomic, or of the atomics that speak at a port of a coupled model. */
static gboolean add_column(Table *t, const HySignalAt *s, const HyLoaded *loaded, const CliRun *run,
                           const char *label, GError **error)
{
  if (!g_hash_table_add(t->paths, g_strdup(s->path))) {
    return TRUE; /* asked for twice */
  }
  HyColumn column = {.kind = s->input              ? HY_COLUMN_INPUT
                             : s->port == HY_STATE ? HY_COLUMN_STATE
                                                   : HY_COLUMN_OUTPUT,
                     .port = s->port,
                     .sim = run->sim};
  GArray *sources = NULL;
  HyBlockInfo info = {0};
  gboolean own = s->component == HY_SELF;
  if (!own && hy_model_class(s->model, s->component) != NULL) {
    column.atomic = hy_component(s->model, s->component)->number;
    hy_loaded_block(loaded, s->model, s->component, &info);
  } else {
    const HyModel *inside = own ? s->model : hy_model_coupled(s->model, s->component);
    sources = s->input ? hy_sources_of(s->model, s->component, s->port)
                       : hy_sources_of(inside, HY_SELF, s->port);
    column.kind = HY_COLUMN_OUTPUT;
    if (sources->len == 0) {
      g_array_unref(sources);
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: nothing is connected there to record",
                  s->path);
      return FALSE;
    }
    column.atomic = g_array_index(sources, HySource, 0).atomic;
    column.port = g_array_index(sources, HySource, 0).port;
  }
  column.path = keep(t, s->path);
  gboolean own_unit = !s->input && (s->port == 0 || s->port == HY_STATE);
  column.unit = keep(t, own_unit ? info.unit : NULL);
  column.label = keep(t, label != NULL ? label : info.label);
  g_array_append_val(t->columns, column);
  g_array_append_val(t->sources, sources);
  return TRUE;
}

/* Where it was asked for, in front of what is wrong with it. */
static void prefix_place(const HyRecord *record, GError **error)
{
  g_autofree char *line = record->line > 0 ? g_strdup_printf(":%u", record->line) : g_strdup("");
  g_prefix_error(error, "%s%s: ", record->file, line);
}

static gboolean add_columns(Table *t, const HyRecord *record, const HyLoaded *loaded,
                            const CliRun *run, GError **error)
{
  g_autoptr(GArray) matches = hy_loaded_match(loaded, record->path, error);
  if (matches == NULL) {
    prefix_place(record, error);
    return FALSE;
  }
  for (guint k = 0; k < matches->len; k++) {
    if (!add_column(t, &g_array_index(matches, HySignalAt, k), loaded, run, record->label, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Tables ----------------------------------------------------------------------------------------
 */

static gboolean open_table(Table *t, guint number, const char *name, const char *out,
                           GError **error)
{
  gboolean to_stdout = out != NULL && strcmp(out, "-") == 0;
  if (to_stdout && number > 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "the records have several grids, and so several tables: name a file with -o");
    return FALSE;
  }
  g_autofree char *file = out != NULL ? g_strdup(out) : g_strdup_printf("%s.csv", name);
  if (number > 0) {
    char *dot = g_str_has_suffix(file, ".csv") ? file + strlen(file) - 4 : file + strlen(file);
    t->file = g_strdup_printf("%.*s-%u%s", (int)(dot - file), file, number + 1, dot);
  } else {
    t->file = g_steal_pointer(&file);
  }
  t->out = to_stdout ? stdout : fopen(t->file, "we");
  if (t->out == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", t->file,
                g_strerror(errno));
    return FALSE;
  }
  return TRUE;
}

static gboolean start_table(Table *t, const CliRun *run, GError **error)
{
  hy_columns_describe(run->sim, (HyColumn *)(gpointer)t->columns->data, t->columns->len);
  t->recorder = hy_recorder_new(t->out, t->file, (const HyColumn *)(gpointer)t->columns->data,
                                t->columns->len);
  for (guint k = 0; k < t->sources->len; k++) {
    const GArray *sources = g_array_index(t->sources, GArray *, k);
    for (guint j = 1; sources != NULL && j < sources->len; j++) {
      HySource s = g_array_index(sources, HySource, j);
      hy_recorder_add_source(t->recorder, k, s.atomic, s.port);
    }
  }
  return t->grid == 0 || hy_recorder_set_grid(t->recorder, t->grid, run->t0, run->tf, error);
}

gboolean cli_recording_open(CliRecording *r, const CliModel *m, const HyLoaded *loaded,
                            const CliRun *run, const char *out, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  r->tables = g_ptr_array_new_with_free_func(table_free);
  double all = NAN;
  if (m->grid != NULL && (!cli_number(m->grid, &all) || !(all >= 0) || isinf(all))) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "--grid=%s is not a time, 0 or more", m->grid);
    return FALSE;
  }
  for (guint k = 0; k < x->n_records; k++) {
    const HyRecord *record = &x->records[k];
    double grid = !isnan(all) ? all : !isnan(record->grid) ? record->grid : x->grid;
    if (!add_columns(table_for(r, isnan(grid) ? 0 : grid), record, loaded, run, error)) {
      return FALSE;
    }
  }
  for (guint k = 0; k < r->tables->len; k++) {
    Table *t = g_ptr_array_index(r->tables, k);
    if (!open_table(t, k, hy_model_name(hy_loaded_model(loaded)), out, error) ||
        !start_table(t, run, error)) {
      return FALSE;
    }
    if (k > 0) {
      hy_recorder_set_next(t->recorder, &r->trace);
    }
    r->trace = hy_recorder_trace(t->recorder);
  }
  return TRUE;
}

/* Writes what is left and the provenance, and closes the file. */
static gboolean finish_table(Table *t, const HyProvenance *p, double t_end, GError **error)
{
  gboolean to_stdout = t->out == stdout;
  gboolean alone = to_stdout || !g_file_test(t->file, G_FILE_TEST_IS_REGULAR); /* or a device */
  gboolean ok = hy_recorder_finish(t->recorder, t_end, error) &&
                (alone || hy_record_sidecar(t->recorder, t->file, p, error));
  t->rows = hy_recorder_rows(t->recorder);
  g_clear_pointer(&t->recorder, hy_recorder_free);
  gboolean closed = to_stdout ? fflush(stdout) == 0 : fclose(t->out) == 0;
  t->out = NULL;
  if (ok && !closed) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", t->file,
                g_strerror(errno));
  }
  return ok && closed;
}

gboolean cli_recording_finish(CliRecording *r, const CliModel *m, const HyLoaded *loaded,
                              const CliRun *run, const char *model_file, double t_end,
                              GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  HyProvenance p = HY_PROVENANCE_UNKNOWN;
  p.version = HY_VERSION;
  p.file = model_file;
  p.model = hy_model_name(hy_loaded_model(loaded));
  p.experiment = x->name;
  p.title = x->label;
  p.engine = hy_engine_name(run->engine);
  p.method = m->method;
  p.partition = m->partition != NULL ? m->partition : x->partition;
  p.seed = run->seed;
  p.t0 = run->t0;
  p.tf = run->tf;
  gboolean ok = TRUE;
  for (guint k = 0; k < r->tables->len; k++) {
    ok &= finish_table(g_ptr_array_index(r->tables, k), &p, t_end, ok ? error : NULL);
  }
  return ok;
}

gboolean cli_recording_broken(gpointer recording)
{
  const CliRecording *r = recording;
  for (guint k = 0; k < r->tables->len; k++) {
    if (hy_recorder_failed(((const Table *)g_ptr_array_index(r->tables, k))->recorder)) {
      return TRUE;
    }
  }
  return FALSE;
}

void cli_recording_report(const CliRecording *r)
{
  for (guint k = 0; k < r->tables->len; k++) {
    const Table *t = g_ptr_array_index(r->tables, k);
    fprintf(stderr, "%s: %u column%s, %" G_GUINT64_FORMAT " row%s\n", t->file, t->columns->len,
            t->columns->len == 1 ? "" : "s", t->rows, t->rows == 1 ? "" : "s");
  }
}

const char *cli_recording_file(const CliRecording *r)
{
  return r->tables->len > 0 ? ((const Table *)g_ptr_array_index(r->tables, 0))->file : NULL;
}

void cli_recording_clear(CliRecording *r)
{
  g_clear_pointer(&r->tables, g_ptr_array_unref);
}
