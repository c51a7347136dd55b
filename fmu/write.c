/* A unit is made: its files are laid out in a folder of their own, opened there as an importer will
 * open them, described, and packed. */
#include "hydevs/fmu.h"

#include "base/digest.h"
#include "base/folder.h"
#include "base/sized.h"
#include "description.h"
#include "hydevs/text.h"
#include "instance_internal.h"
#include "jumps.h"
#include "results/sources.h"
#include "sim/engine.h"
#include "texts.h"
#include "zip.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __aarch64__
#define PLATFORM "aarch64-linux"
#else
#define PLATFORM "x86_64-linux"
#endif

typedef struct {
  const HyLoadOptions *options;
  const char *const *library;
  const HyRunSettings *settings;
  const HyLoaded *loaded; /* from where its files are */
  char *folder;           /* of the unit that is made, for a while */
  char *resources;        /* in it */
  char *model;            /* the path of the model below that */
  HyReport *report;
} Making;

/* Files --------------------------------------------------------------------------------------- */

/* What PATH is called below FOLDER; NULL: it is not there. */
static const char *below(const char *path, const char *folder)
{
  gsize n = strlen(folder);
  if (strncmp(path, folder, n) != 0) {
    return NULL;
  }
  return n > 0 && folder[n - 1] == '/' ? path + n : path[n] == '/' ? path + n + 1 : NULL;
}

/* Likewise below one of the folders of libraries. */
static const char *below_library(const Making *m, const char *path, char *const *folders)
{
  g_autofree char *main = g_canonicalize_filename(hy_loaded_file(m->loaded), NULL);
  g_autofree char *own = g_path_get_dirname(main);
  if (below(path, own) != NULL) {
    return NULL;
  }
  for (; *folders != NULL; folders++) {
    g_autofree char *folder = g_canonicalize_filename(*folders, NULL);
    const char *name = below(path, folder);
    if (name != NULL) {
      return name;
    }
  }
  return NULL;
}

/* For a while, so it need not survive the machine. */
static gboolean put_bytes(const char *path, const char *bytes, gsize size, GError **error)
{
  return g_file_set_contents_full(path, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0644, error);
}

static gboolean copy_file(const char *from, const char *to, GError **error)
{
  g_autofree char *bytes = NULL, *folder = g_path_get_dirname(to);
  gsize size;
  if (g_mkdir_with_parents(folder, 0755) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be made", folder);
    return FALSE;
  }
  return g_file_get_contents(from, &bytes, &size, error) && put_bytes(to, bytes, size, error);
}

/* The innermost folder that has the model and all files beside it. */
static char *common_folder(const Making *m, char *const *folders)
{
  g_autofree char *main = g_canonicalize_filename(hy_loaded_file(m->loaded), NULL);
  char *common = g_path_get_dirname(main);
  for (const char *const *file = hy_loaded_inputs(m->loaded); *file != NULL; file++) {
    g_autofree char *path = g_canonicalize_filename(*file, NULL);
    while (below_library(m, path, folders) == NULL && below(path, common) == NULL) {
      char *up = g_path_get_dirname(common);
      g_free(common);
      common = up;
    }
  }
  return common;
}

static gboolean lay_files(Making *m, GError **error)
{
  g_auto(GStrv) folders = hy_library_folders(m->library);
  g_autofree char *common = common_folder(m, folders);
  g_autofree char *main = g_canonicalize_filename(hy_loaded_file(m->loaded), NULL);
  m->model = g_build_filename("model", below(main, common), NULL);
  for (const char *const *file = hy_loaded_inputs(m->loaded); *file != NULL; file++) {
    g_autofree char *path = g_canonicalize_filename(*file, NULL);
    const char *library = below_library(m, path, folders);
    g_autofree char *to = library != NULL
                              ? g_build_filename(m->resources, "library", library, NULL)
                              : g_build_filename(m->resources, "model", below(path, common), NULL);
    if (!copy_file(path, to, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* A model that names a file by its whole path would look for it on every machine. */
static gboolean is_all_inside(const Making *m, const HyFmu *f, GError **error)
{
  for (const char *const *file = hy_loaded_inputs(hy_fmu_loaded(f)); *file != NULL; file++) {
    g_autofree char *path = g_canonicalize_filename(*file, NULL);
    if (below(path, m->resources) == NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "%s: a unit takes its files along, and this one is named by its whole path; name "
                  "it as it lies from the file that names it",
                  *file);
      return FALSE;
    }
  }
  return TRUE;
}

/* What is in it ------------------------------------------------------------------------------- */

/* Output ports of the root that somebody feeds, then what options ask for. */
static GPtrArray *find_records(const Making *m)
{
  HyModel *root = hy_loaded_model(m->loaded);
  GPtrArray *record = g_ptr_array_new_with_free_func(g_free);
  for (guint k = 0; k < hy_model_n_out(root, HY_SELF); k++) {
    g_autofree char *name = hy_model_out_name(root, HY_SELF, k);
    g_autoptr(GArray) sources = hy_sources_of(root, HY_SELF, k, NULL);
    if (sources->len > 0) {
      g_ptr_array_add(record, g_strdup_printf(".%s", name));
    }
  }
  for (const char *const *path = m->options->record; path != NULL && *path != NULL; path++) {
    g_ptr_array_add(record, g_strdup(*path));
  }
  g_ptr_array_add(record, NULL);
  return record;
}

/* The columns of signals that jump alone: "0 3". */
static char *find_jumps(const HyFmu *f)
{
  const HySim *sim = hy_run_sim(hy_fmu_run(f));
  const HyRecorder *r = hy_run_n_tables(hy_fmu_run(f)) > 0 ? hy_run_table(hy_fmu_run(f), 0) : NULL;
  GString *jumps = g_string_new(NULL);
  if (!sim->ready || r == NULL) {
    return g_string_free(jumps, FALSE);
  }
  g_autofree guint8 *moves = hy_moving_slots(sim);
  g_autofree guint8 *moving = g_new0(guint8, (gsize)r->n + 1);
  for (guint k = 0; k < r->watch->len; k++) {
    const HyColumnWatch *w = &g_array_index(r->watch, HyColumnWatch, k);
    moving[w->column] |=
        w->kind != HY_COLUMN_OUTPUT || moves[sim->graph->first_out[w->atomic] + w->port] != 0;
  }
  for (guint k = 0; k < r->n; k++) {
    if (!moving[k] && r->column[k].is.holds == HY_SIGNAL) {
      g_string_append_printf(jumps, "%s%u", jumps->len > 0 ? " " : "", k);
    }
  }
  return g_string_free(jumps, FALSE);
}

/* A name of C. */
static char *find_identifier(const Making *m)
{
  const char *name = hy_model_name(hy_loaded_model(m->loaded));
  g_autofree char *word = g_strcanon(g_strdup(name),
                                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_",
                                     '_');
  return g_ascii_isdigit(word[0]) || word[0] == '\0' ? g_strdup_printf("_%s", word)
                                                     : g_steal_pointer(&word);
}

/* Packing ------------------------------------------------------------------------------------- */

static gint by_name(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of FOLDER and of all below, by name, as paths from there. */
static void list_files(const char *folder, const char *at, GPtrArray *list)
{
  g_autofree char *path = g_build_filename(folder, at, NULL);
  GDir *dir = g_dir_open(path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *file = *at != '\0' ? g_build_filename(at, name, NULL) : g_strdup(name);
    g_autofree char *whole = g_build_filename(folder, file, NULL);
    if (g_file_test(whole, G_FILE_TEST_IS_DIR)) {
      list_files(folder, file, list);
    } else {
      g_ptr_array_add(list, g_steal_pointer(&file));
    }
  }
  if (dir != NULL) {
    g_dir_close(dir);
  }
}

static gboolean pack(const char *folder, HyZip *zip, HyDigest *digest, GError **error)
{
  g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
  list_files(folder, "", list);
  g_ptr_array_sort(list, by_name);
  for (guint k = 0; k < list->len; k++) {
    const char *name = g_ptr_array_index(list, k);
    g_autofree char *path = g_build_filename(folder, name, NULL), *bytes = NULL;
    gsize size;
    if (!g_file_get_contents(path, &bytes, &size, error)) {
      return FALSE;
    }
    if (digest != NULL) {
      hy_digest_take(digest, name, strlen(name) + 1);
      hy_digest_take(digest, bytes, size);
    } else if (!hy_zip_add(zip, name, bytes, size)) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: too large for an archive", name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Of all that is in it so far: two units with the same one are the same. */
static char *make_token(const Making *m, GError **error)
{
  HyDigest digest;
  hy_digest_init(&digest);
  gboolean ok = pack(m->folder, NULL, &digest, error);
  g_autofree char *hex = hy_digest_end(&digest);
  return ok ? g_strdup_printf("{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12, hex + 16,
                              hex + 20)
            : NULL;
}

static gboolean put_text(const Making *m, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename(m->folder, name, NULL);
  g_autofree char *folder = g_path_get_dirname(path);
  g_mkdir_with_parents(folder, 0755);
  return put_bytes(path, text, strlen(text), error);
}

/* The page that the standard asks for. */
static gboolean put_page(const Making *m, const HyFmu *f, GError **error)
{
  g_autoptr(GString) page =
      g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n");
  g_autofree char *name = g_markup_escape_text(hy_model_name(hy_loaded_model(m->loaded)), -1);
  g_string_append_printf(page,
                         "<title>%s</title>\n<h1>%s</h1>\n<p>A model of hydevs: %s in "
                         "resources/.</p>\n<table>\n<tr><th>variable<th>of the model<th>unit<th>\n",
                         name, name, m->model);
  for (guint k = 0; k < hy_fmu_n(f); k++) {
    const HyFmuVariable *v = hy_fmu_variable(f, k);
    g_autofree char *row =
        g_markup_printf_escaped("<tr><td>%s<td>%s<td>%s<td>%s\n", v->name, v->path,
                                v->unit != NULL ? v->unit : "", v->doc != NULL ? v->doc : "");
    g_string_append(page, row);
  }
  g_string_append(page, "</table>\n</html>\n");
  return put_text(m, "documentation/index.html", page->str, error);
}

static gboolean put_papers(const Making *m, const HyFmu *f, GError **error)
{
  return put_page(m, f, error) &&
         put_text(m, "documentation/licenses/license.txt", hy_license_txt, error) &&
         put_text(m, "documentation/licenses/lgpl-2.1.txt", hy_lgpl_txt, error);
}

/* The shared object of all units ----------------------------------------------------------------
 */

static char *find_object(GError **error)
{
  g_autofree char *own = hy_own_folder();
  g_auto(GStrv) ways = g_strsplit(HYDEVS_FMI3_BESIDE, ":", -1);
  for (char **way = ways; own != NULL && *way != NULL; way++) {
    g_autofree char *path = g_build_filename(own, *way, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
      return g_steal_pointer(&path);
    }
  }
  if (g_file_test(HYDEVS_FMI3_INSTALLED, G_FILE_TEST_IS_REGULAR)) {
    return g_strdup(HYDEVS_FMI3_INSTALLED);
  }
  g_set_error(error, HY_ERROR, HY_ERROR_RUN,
              "%s: the shared object that runs units is not there; it is installed with hydevs",
              HYDEVS_FMI3_INSTALLED);
  return NULL;
}

static gboolean put_object(const Making *m, const char *object, const char *identifier,
                           GError **error)
{
  g_autofree char *found = object == NULL ? find_object(error) : g_strdup(object);
  g_autofree char *file = g_strdup_printf("%s.so", identifier);
  g_autofree char *to = g_build_filename(m->folder, "binaries", PLATFORM, file, NULL);
  return found != NULL && copy_file(found, to, error);
}

/* The whole ----------------------------------------------------------------------------------- */

/* What of states can be done. Values at the start are of no matter here, so a model that cannot
 * start with all inputs at 0 is only told of. */
static void try_states(const Making *m, HyFmu *f, HyFmuAbout *about)
{
  g_autoptr(GError) error = NULL;
  if (!hy_fmu_begin(f, hy_run_start(hy_fmu_run(f)), FALSE, &error)) {
    hy_report_warning(m->report, hy_loaded_file(m->loaded), 0,
                      "it cannot start with all inputs at 0, as an importer has them that does not "
                      "set them: %s",
                      error->message);
    return;
  }
  g_autoptr(HyFmuState) state = hy_fmu_save(f, NULL);
  about->saves = state != NULL;
  about->writes = hy_fmu_writes_states(f);
}

/* What is opened is what an importer will have. */
static gboolean describe(const Making *m, HyFmuPlan *plan, const char *identifier, GError **error)
{
  g_autoptr(HyFmu) f = hy_fmu_open(m->resources, NULL, NULL, error);
  if (f == NULL || !is_all_inside(m, f, error)) {
    return FALSE;
  }
  HyFmuAbout about = {.identifier = identifier};
  try_states(m, f, &about);
  g_autofree char *jumps = find_jumps(f), *names = NULL, *token = NULL;
  hy_fmu_plan_set(plan, "jumps", jumps);
  if (!hy_fmu_plan_write(plan, m->resources, error)) {
    return FALSE;
  }
  hy_fmu_free(f);
  f = hy_fmu_open(m->resources, NULL, NULL, error); /* which outputs jump it knows now */
  token = f != NULL && put_papers(m, f, error) ? make_token(m, error) : NULL;
  if (token == NULL) {
    return FALSE;
  }
  if (hy_run_n_tables(hy_fmu_run(f)) == 0) {
    hy_report_warning(m->report, hy_loaded_file(m->loaded), 0,
                      "the unit has no outputs: the model has no output ports and records nothing "
                      "(--record PATH)");
  }
  names = hy_fmu_names_digest(f);
  hy_fmu_plan_set(plan, "variables", names);
  hy_fmu_plan_set(plan, "token", token);
  g_autoptr(GString) text = g_string_new(NULL);
  about.token = token;
  hy_fmu_describe(f, &about, text);
  return hy_fmu_plan_write(plan, m->resources, error) &&
         put_text(m, "modelDescription.xml", text->str, error);
}

static gboolean make(Making *m, const char *object, HyZip *zip, GError **error)
{
  for (const char *const *file = hy_loaded_inputs(m->loaded); *file != NULL; file++) {
    if (g_str_has_suffix(*file, ".so")) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "%s: blocks of shared objects cannot be part of a unit", *file);
      return FALSE;
    }
  }
  g_autoptr(GPtrArray) record = find_records(m);
  g_autofree char *identifier = find_identifier(m);
  HyFmuPlan plan = {NULL};
  gboolean ok = lay_files(m, error) && put_object(m, object, identifier, error);
  if (ok) {
    hy_fmu_plan_make(&plan, m->model, m->options, m->settings, (const char *const *)record->pdata);
    ok = hy_fmu_plan_write(&plan, m->resources, error) && describe(m, &plan, identifier, error) &&
         pack(m->folder, zip, NULL, error);
  }
  hy_fmu_plan_clear(&plan);
  return ok;
}

static void remove_folder(const char *folder)
{
  GDir *dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
      remove_folder(path);
    } else {
      g_unlink(path);
    }
  }
  if (dir != NULL) {
    g_dir_close(dir);
  }
  g_rmdir(folder);
}

gboolean hy_fmu_write_sized(const HyLoaded *loaded, const char *const *library,
                            const HyRunSettings *settings, gsize size, const char *object,
                            GString *out, HyReport *report, GError **error)
{
  g_return_val_if_fail(loaded != NULL && out != NULL && report != NULL, FALSE);
  HyRunSettings taken = HY_RUN_SETTINGS;
  if (!hy_sized_take(&taken, settings, size, "HyRunSettings", error)) {
    return FALSE;
  }
  Making m = {.options = hy_loaded_options(loaded),
              .library = library,
              .settings = &taken,
              .loaded = loaded,
              .report = report,
              .folder = g_dir_make_tmp("hydevs-fmu-XXXXXX", error)};
  if (m.folder == NULL) {
    return FALSE;
  }
  m.resources = g_build_filename(m.folder, "resources", NULL);
  g_mkdir_with_parents(m.resources, 0755);
  HyZip zip;
  hy_zip_init(&zip);
  gboolean ok = make(&m, object, &zip, error);
  if (ok) {
    g_autoptr(GByteArray) bytes = hy_zip_end(&zip);
    g_string_append_len(out, (const char *)bytes->data, bytes->len);
  }
  hy_zip_clear(&zip);
  remove_folder(m.folder);
  g_free(m.folder);
  g_free(m.resources);
  g_free(m.model);
  return ok;
}
