/* What a run records: the columns that the experiment and the options name, in one table, or one
 * for each grid that is asked for. */
#include "run.h"

#include "hydevs/text.h"
#include "results/record_internal.h"
#include "results/sidecar.h"
#include "results/sources.h"
#include "sim/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A further source of a column: of a port of a coupled model that several blocks feed. */
typedef struct {
  guint column;
  HySource at;
} Further;

typedef struct {
  double grid;         /* 0: at events; NaN: at instants */
  HyInstants instants; /* of the load */
  GArray *columns;     /* HyColumn */
  GArray *further;     /* Further */
  GHashTable *paths;   /* of the columns, owned here */
  char *file;          /* NULL: in memory */
  const HyRecordForm *form;
  FILE *out;
  gboolean regular, made; /* a file of a disk; which was not there before */
  int name;               /* of such a one: a socket that holds its name; -1: there is none */
  char *beside, *begun;   /* the file of its provenance, and what stands there at first */
  gboolean over;          /* until the run is over */
  HyRecorder *recorder;
} Table;

static void table_free(gpointer data)
{
  Table *t = data;
  g_array_unref(t->columns);
  g_array_unref(t->further);
  g_hash_table_unref(t->paths);
  hy_recorder_free(t->recorder);
  if (t->out != NULL && t->out != stdout) { /* the run has not begun */
    fclose(t->out);
    if (t->made && t->regular) {
      char *made = realpath(t->file, NULL); /* a link that led to nothing stays one */
      if (made != NULL) {
        g_unlink(made);
      }
      free(made);
    }
  }
  if (t->name >= 0) {
    close(t->name);
  }
  g_free(t->file);
  g_free(t->beside);
  g_free(t->begun);
  g_free(t);
}

static Table *table_at(const HyRun *run, guint k)
{
  return g_ptr_array_index(run->tables, k);
}

static gboolean has_grid(const Table *t, double grid, HyInstants instants)
{
  return instants.n > 0 ? t->instants.n == instants.n &&
                              memcmp(t->instants.t, instants.t, instants.n * sizeof(double)) == 0
                        : t->grid == grid;
}

/* Of those from number FROM on. */
static Table *table_for(HyRun *run, guint from, double grid, HyInstants instants)
{
  for (guint k = from; k < run->tables->len; k++) {
    if (has_grid(table_at(run, k), grid, instants)) {
      return table_at(run, k);
    }
  }
  Table *t = g_new0(Table, 1);
  t->grid = instants.n > 0 ? NAN : grid;
  t->name = -1;
  t->instants = instants;
  t->columns = g_array_new(FALSE, FALSE, sizeof(HyColumn));
  t->further = g_array_new(FALSE, FALSE, sizeof(Further));
  t->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add(run->tables, t);
  return t;
}

/* Columns ------------------------------------------------------------------------------------- */

static gboolean add_column(Table *t, const HySignalAt *s, const HyRun *run, const char *label,
                           GError **error)
{
  if (g_hash_table_contains(t->paths, s->path)) {
    return TRUE; /* asked for twice; a key that is added again would take the place of the first */
  }
  g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(HySource));
  HyColumn column;
  if (!hy_run_column(run, s, t->grid != 0, &column, more, error)) {
    return FALSE;
  }
  char *path = g_strdup(s->path);
  g_hash_table_add(t->paths, path);
  column.path = path;
  column.label = label != NULL ? label : column.label;
  for (guint k = 0; k < more->len; k++) {
    Further further = {t->columns->len, g_array_index(more, HySource, k)};
    g_array_append_val(t->further, further);
  }
  g_array_append_val(t->columns, column);
  return TRUE;
}

/* What is wrong with a path has in front where it was asked for. */
static gboolean add_columns(Table *t, const HyRecord *record, const HyRun *run, GError **error)
{
  g_autoptr(GArray) matches = hy_loaded_match(run->loaded, record->path, error);
  if (matches == NULL) {
    g_autofree char *line = record->line > 0 ? g_strdup_printf(":%u", record->line) : g_strdup("");
    g_prefix_error(error, "%s%s: ", record->file, line);
    return FALSE;
  }
  for (guint k = 0; k < matches->len; k++) {
    if (!add_column(t, &g_array_index(matches, HySignalAt, k), run, record->label, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Tables -------------------------------------------------------------------------------------- */

static gboolean cannot_write(const Table *t, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", t->file,
              g_strerror(errno));
  return FALSE;
}

/* What the tables before T write; ends with NULL. */
static GPtrArray *written_before(const Table *t, const HyRun *run)
{
  GPtrArray *files = g_ptr_array_new();
  for (guint k = 0; k < run->tables->len && table_at(run, k) != t; k++) {
    const Table *other = table_at(run, k);
    if (other->regular) {
      g_ptr_array_add(files, other->file);
      g_ptr_array_add(files, other->beside);
    }
  }
  g_ptr_array_add(files, NULL);
  return files;
}

static gboolean is_free(const Table *t, const HyRun *run, const char *path, GError **error)
{
  g_autoptr(GPtrArray) written = written_before(t, run);
  return hy_output_is_free(path, hy_loaded_inputs(run->loaded), (const char *const *)written->pdata,
                           error);
}

static gboolean is_taken(const Table *t, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "%s: another run is recording into this file; record into another one", t->file);
  return FALSE;
}

/* The name is this run's as long as the run records, also if the file is moved away: what stands
 * beside it goes by the name. A name that no file has, the digest of PATH, holds it on this
 * machine; the system gives it back, however a process ends. */
static gboolean take_name(Table *t, const char *path, GError **error)
{
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);
  int n = g_snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "hydevs-recording-%s", digest);
  t->name = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return t->name < 0 ||
         bind(t->name, (const struct sockaddr *)&at,
              (socklen_t)(G_STRUCT_OFFSET(struct sockaddr_un, sun_path) + 1 + (gsize)n)) == 0 ||
         errno != EADDRINUSE || is_taken(t, error);
}

/* The file has one run that writes it, whatever it is called, and so has its name. */
static gboolean take_lock(Table *t, GError **error)
{
  char *path = realpath(t->file, NULL);
  gboolean ok = (flock(fileno(t->out), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
                 is_taken(t, error)) &&
                (path == NULL || take_name(t, path, error));
  free(path);
  return ok;
}

/* What stands beside T is none of its own lines, nor anything else that is read or written. */
static gboolean beside_is_free(Table *t, const HyRun *run, GError **error)
{
  t->beside = hy_sidecar_path(t->file);
  if (hy_same_file(t->beside, t->file)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: this is the recording itself under another name, where its provenance would "
                "be written; remove it",
                t->beside);
    return FALSE;
  }
  return is_free(t, run, t->beside, error);
}

/* Leaves what is in the file as it is until the run has something to write. */
static gboolean open_file(Table *t, const HyRun *run, GError **error)
{
  t->made = !g_file_test(t->file, G_FILE_TEST_EXISTS);
  int descriptor = open(t->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  t->out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  struct stat file;
  if (t->out == NULL || fstat(descriptor, &file) != 0) {
    return cannot_write(t, error);
  }
  t->regular = S_ISREG(file.st_mode);
  if (!t->regular && t->form->binary) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: such a recording needs a file on a disk; only CSV goes through pipes",
                t->file);
    return FALSE;
  }
  if (!t->regular) {
    return TRUE;
  }
  return beside_is_free(t, run, error) && take_lock(t, error);
}

static gboolean stdout_is_free(const Table *t, const HyRun *run, GError **error)
{
  for (guint k = 0; table_at(run, k) != t; k++) {
    if (table_at(run, k)->out == stdout) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "stdout takes one recording: say -o - once, and name a file for the other");
      return FALSE;
    }
  }
  return TRUE;
}

/* NAME.csv, OUT, and for further tables OUT-2.csv ... */
static gboolean open_table(Table *t, guint number, const HyRun *run, const char *out,
                           GError **error)
{
  const char *name = hy_model_name(hy_loaded_model(run->loaded));
  gboolean to_stdout = out != NULL && strcmp(out, "-") == 0;
  if (to_stdout && number > 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "the records have several grids, and so several tables: name a file with -o");
    return FALSE;
  }
  if (out != NULL && *out == '\0') {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the name of the file to record into is empty");
    return FALSE;
  }
  g_autofree char *file = out != NULL ? g_strdup(out) : g_strdup_printf("%s.csv", name);
  if (number > 0) {
    const char *suffix = hy_record_suffix(file);
    t->file = g_strdup_printf("%.*s-%u%s", (int)(strlen(file) - strlen(suffix)), file, number + 1,
                              suffix);
  } else {
    t->file = g_steal_pointer(&file);
  }
  if (to_stdout) {
    t->out = stdout;
    return stdout_is_free(t, run, error);
  }
  t->form = is_free(t, run, t->file, error) ? hy_record_form(t->file, error) : NULL;
  return t->form != NULL && open_file(t, run, error);
}

/* What stands beside the file is of another run, and if it is a link, of another recording, too: it
 * goes, and a new file takes its place. A device stays; then FALSE. */
static gboolean clear_beside(const Table *t)
{
  struct stat is;
  if (stat(t->beside, &is) == 0 && !S_ISREG(is.st_mode)) {
    return FALSE;
  }
  g_unlink(t->beside);
  return TRUE;
}

/* The first rows are about to be written. Without asking for memory. Where this fails, so will the
 * end. */
static void begin_file(gpointer user)
{
  const Table *t = user;
  gboolean cleared = !t->over && clear_beside(t);
  int beside = t->over ? -1 : open(t->beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (beside >= 0) {
    gboolean ok = write(beside, t->begun, strlen(t->begun)) == (gssize)strlen(t->begun);
    if ((close(beside) != 0 || !ok) && cleared) {
      g_unlink(t->beside);
    }
  }
}

static gboolean set_rows(Table *t, const HyRun *run, GError **error)
{
  if (t->instants.n > 0) {
    return hy_recorder_set_times(t->recorder, t->instants.t, t->instants.n, run->t0, run->tf,
                                 error);
  }
  return t->grid == 0 || hy_recorder_set_grid(t->recorder, t->grid, run->t0, run->tf, error);
}

/* ABOUT: what is run, for the head of its file. */
static gboolean start_table(Table *t, const HyRun *run, const char *about, GError **error)
{
  HyColumn *columns = (HyColumn *)(gpointer)t->columns->data;
  hy_columns_describe(run->sim, columns, t->columns->len);
  t->recorder = hy_recorder_new(t->out, t->file, columns, t->columns->len);
  if (!set_rows(t, run, error) ||
      (t->out != NULL && !hy_recorder_set_form(t->recorder, t->file, about, run->tf, error))) {
    return FALSE;
  }
  if (t->regular) {
    hy_recorder_set_fresh(t->recorder, begin_file, t);
  }
  for (guint k = 0; k < t->further->len; k++) {
    Further f = g_array_index(t->further, Further, k);
    hy_recorder_add_source(t->recorder, f.column, f.at.atomic, f.at.port);
  }
  return TRUE;
}

/* Whose grid a record has: the settings' of the run, its own, the experiment's. */
static Table *table_of(HyRun *run, guint from, const HyExperiment *x, const HyRecord *r)
{
  if (!isnan(run->grid)) {
    return table_for(run, from, run->grid, (HyInstants){0});
  }
  if (!isnan(r->grid) || r->instants.n > 0) {
    return table_for(run, from, r->grid, r->instants);
  }
  return table_for(run, from, isnan(x->grid) ? 0 : x->grid, x->instants);
}

/* The tables of a file, each with its columns; they begin at number FROM. */
static gboolean find_tables(HyRun *run, guint from, GError **error)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  for (guint k = 0; k < x->n_records; k++) {
    const HyRecord *record = &x->records[k];
    if (!add_columns(table_of(run, from, x, record), record, run, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* What stands beside the file of T while the run goes on. */
static char *begun_text(HyRun *run, const Table *t)
{
  if (run->told == NULL) {
    hy_run_tell(run);
  }
  g_autofree char *told = hy_run_tell_begun(run);
  return hy_sidecar_print(t->recorder, told);
}

/* Of FILE, NULL: NAME.csv; or in memory. Each of the run's recorders gives on what it sees. */
static gboolean add_tables(HyRun *run, gboolean memory, const char *file, const char *about,
                           GError **error)
{
  guint from = run->tables->len;
  if (!find_tables(run, from, error)) {
    return FALSE;
  }
  for (guint k = from; k < run->tables->len; k++) {
    Table *t = table_at(run, k);
    if ((!memory && !open_table(t, k - from, run, file, error)) ||
        !start_table(t, run, about, error)) {
      return FALSE;
    }
    if (k > 0) {
      hy_recorder_set_next(t->recorder, &run->trace);
    }
    run->trace = hy_recorder_trace(t->recorder);
  }
  return TRUE;
}

/* Where tables are: both may be asked for. */
typedef enum { IN_FILES = 1, IN_MEMORY = 2 } Where;

/* FILES ends with NULL; NULL: one, NAME.csv. */
static gboolean make_tables(HyRun *run, Where where, const char *const *files, GError **error)
{
  g_autofree char *about = hy_run_about(run);
  gboolean ok = TRUE;
  hy_run_clear_tables(run);
  run->tables = g_ptr_array_new_with_free_func(table_free);
  if ((where & IN_FILES) && files == NULL) {
    ok = add_tables(run, FALSE, NULL, about, error);
  }
  for (guint k = 0; files != NULL && files[k] != NULL && ok; k++) {
    ok = add_tables(run, FALSE, files[k], about, error);
  }
  run->n_files = run->tables->len;
  if (!ok || ((where & IN_MEMORY) && !add_tables(run, TRUE, NULL, about, error))) {
    return FALSE;
  }
  hy_run_watch(run);
  for (guint k = 0; k < run->tables->len; k++) {
    Table *t = table_at(run, k);
    if (t->beside != NULL) {
      t->begun = begun_text(run, t);
    }
    if (t->beside != NULL && t->made) { /* nothing is lost by a recording without rows */
      clear_beside(t);
      hy_record_lay(t->recorder);
    }
  }
  return TRUE;
}

/* In place of a recording that the simulation may still know. */
static gboolean record(HyRun *run, Where where, const char *const *files, GError **error)
{
  if (!hy_sim_may_call(run->sim, "hy_run_record", error)) {
    return FALSE;
  }
  hy_sim_set_trace(run->sim, NULL);
  run->trace = (HyTrace){0};
  run->ended = FALSE;
  g_clear_pointer(&run->provenance, g_free);
  g_clear_pointer(&run->told, g_free); /* files may be others by now */
  if (!make_tables(run, where, files, error)) {
    hy_run_clear_tables(run);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_run_record(HyRun *run, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  return record(run, IN_MEMORY, NULL, error);
}

gboolean hy_run_record_files(HyRun *run, const char *const *files, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  return record(run, IN_FILES, files, error);
}

gboolean hy_run_record_csv(HyRun *run, const char *file, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  const char *const files[] = {file, NULL};
  return record(run, IN_FILES, file != NULL ? files : NULL, error);
}

gboolean hy_run_record_both(HyRun *run, const char *const *files, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  return record(run, IN_FILES | IN_MEMORY, files, error);
}

/* The name may lead to another file by now: what is beside that is no matter of T. FALSE also if
 * nothing leads to the file any more. */
static gboolean still_has_name(const Table *t, GError **error)
{
  struct stat is, named;
  if (fstat(fileno(t->out), &is) != 0 || is.st_nlink == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                "%s: the file has been removed while the run recorded into it", t->file);
    return FALSE;
  }
  return stat(t->file, &named) == 0 && named.st_dev == is.st_dev && named.st_ino == is.st_ino;
}

/* Writes what is left and closes the file. */
static gboolean finish_table(Table *t, double end, GError **error)
{
  gboolean ok = hy_recorder_finish(t->recorder, end, error);
  if (t->out != NULL && t->regular && !still_has_name(t, ok ? error : NULL)) {
    g_clear_pointer(&t->beside, g_free);
  }
  gboolean closed = t->out == NULL || (t->out == stdout ? fflush(stdout) : fclose(t->out)) == 0;
  t->out = NULL;
  return ok && (closed || cannot_write(t, error));
}

gboolean hy_run_finish(HyRun *run, double t, GError **error)
{
  g_return_val_if_fail(run != NULL, FALSE);
  if (!hy_sim_may_call(run->sim, G_STRFUNC, error)) {
    return FALSE;
  }
  guint n = run->sim->ready && run->tables != NULL ? run->tables->len : 0;
  hy_run_end_audit(run, t);
  hy_run_end_measures(run, t);
  g_autoptr(GError) why = NULL;
  for (guint k = 0; k < n; k++) {
    table_at(run, k)->over = TRUE;
    finish_table(table_at(run, k), t, why == NULL ? &why : NULL);
  }
  g_autofree char *told = n > 0 && run->told != NULL ? hy_run_tell_end(run, t, why) : NULL;
  for (guint k = 0; told != NULL && k < n; k++) {
    const Table *table = table_at(run, k);
    if (table->beside != NULL) {
      g_autofree char *text = hy_sidecar_print(table->recorder, told);
      if (g_file_test(table->beside, G_FILE_TEST_IS_SYMLINK)) {
        clear_beside(table);
      }
      hy_write_file(table->beside, text, -1, why == NULL ? &why : NULL);
    }
  }
  g_free(run->provenance);
  run->provenance = told != NULL ? hy_sidecar_print(table_at(run, 0)->recorder, told) : NULL;
  if (why != NULL) {
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
  }
  return TRUE;
}

void hy_run_flush(const HyRun *run)
{
  g_return_if_fail(run != NULL);
  for (guint k = 0; k < hy_run_n_tables(run); k++) {
    hy_recorder_flush(table_at(run, k)->recorder);
  }
}

gboolean hy_run_broken(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, FALSE);
  for (guint k = 0; k < hy_run_n_tables(run); k++) {
    if (hy_recorder_failed(table_at(run, k)->recorder)) {
      return TRUE;
    }
  }
  return FALSE;
}

guint hy_run_n_tables(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, 0);
  return run->tables == NULL ? 0 : run->n_files > 0 ? run->n_files : run->tables->len;
}

const HyRecorder *hy_run_table(const HyRun *run, guint table)
{
  g_return_val_if_fail(run != NULL && table < hy_run_n_tables(run), NULL);
  return table_at(run, table)->recorder;
}

guint hy_run_n_recorders(const HyRun *run)
{
  return run->tables != NULL ? run->tables->len : 0;
}

HyRecorder *hy_run_recorder(const HyRun *run, guint k)
{
  return table_at(run, k)->recorder;
}

const char *hy_run_file(const HyRun *run, guint table)
{
  g_return_val_if_fail(run != NULL, NULL);
  return table < hy_run_n_tables(run) ? table_at(run, table)->file : NULL;
}

const HyRecorder *hy_run_kept(const HyRun *run, guint k)
{
  g_return_val_if_fail(run != NULL, NULL);
  gboolean there = run->tables != NULL && k < run->tables->len - run->n_files;
  return there ? table_at(run, run->n_files + k)->recorder : NULL;
}

const char *hy_run_provenance(const HyRun *run)
{
  g_return_val_if_fail(run != NULL, NULL);
  return run->provenance;
}

void hy_run_clear_tables(HyRun *run)
{
  g_clear_pointer(&run->tables, g_ptr_array_unref);
}
