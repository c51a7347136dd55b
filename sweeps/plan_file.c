/* Rows of a file, found once and taken apart again whenever they are asked for. */
#include "plan_file.h"

#include "base/hint.h"
#include "results/csv_fields.h"

#include <string.h>

struct HyPlanFile {
  char *path, *bytes;
  gsize size;
  char separator;
  GPtrArray *head; /* ends with NULL */
  GArray *at;      /* guint64: where rows begin */
  guint n;         /* fields so far, while it is read */
};

void hy_plan_file_free(HyPlanFile *f)
{
  if (f != NULL) {
    g_free(f->path);
    g_free(f->bytes);
    g_ptr_array_unref(f->head);
    g_array_unref(f->at);
    g_free(f);
  }
}

static void take_head(HyCsv *csv)
{
  HyPlanFile *f = csv->user;
  if (f->at->len == 0 && f->n == f->head->len) {
    g_ptr_array_add(f->head, g_strstrip(g_strdup(csv->text->str)));
  }
  f->n++;
}

/* The first record is the head; its place is kept as if it were a row until all are read. */
static gboolean take_record(HyCsv *csv, guint line)
{
  HyPlanFile *f = csv->user;
  guint n = f->n;
  f->n = 0;
  g_array_append_val(f->at, csv->begin);
  return n == f->head->len || hy_csv_fault(csv, line, "%u field%s, but the head has %u", n,
                                           n == 1 ? "" : "s", f->head->len);
}

static gboolean check_head(const HyPlanFile *f, GError **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint k = 0; k < f->head->len; k++) {
    const char *name = g_ptr_array_index(f->head, k);
    const char *wrong = *name == '\0'                           ? "has no name in the head"
                        : !g_utf8_validate(name, -1, NULL)      ? "has a name that is not UTF-8"
                        : !g_hash_table_add(seen, hy_key(name)) ? "is in the head twice"
                                                                : NULL;
    if (wrong != NULL) {
      g_autofree char *plain = g_utf8_make_valid(name, -1);
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s:1: column %u%s%s%s %s", f->path, k + 1,
                  *name != '\0' ? " \"" : "", plain, *name != '\0' ? "\"" : "", wrong);
      return FALSE;
    }
  }
  const char *first = f->head->len > 0 ? g_ptr_array_index(f->head, 0) : "";
  const char *between = f->head->len == 1 ? strpbrk(first, ";\t") : NULL;
  if (between != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s:1: one column \"%s\": separate columns by commas, or by tabs in a file .tsv",
                f->path, first);
  } else if (f->at->len < 2) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: has no rows%s", f->path,
                f->at->len == 0 ? "; a head line was expected" : "");
  }
  return between == NULL && f->at->len >= 2;
}

static gboolean read_rows(HyPlanFile *f, GError **error)
{
  HyCsv csv = {.path = f->path,
               .separator = f->separator,
               .user = f,
               .field = take_head,
               .record = take_record};
  hy_csv_open_memory(&csv, f->bytes, f->size, error);
  gboolean ok = hy_csv_read_all(&csv);
  hy_csv_close(&csv);
  if (ok && check_head(f, error)) {
    g_ptr_array_add(f->head, NULL);
    return TRUE;
  }
  return FALSE;
}

HyPlanFile *hy_plan_file_read(const char *path, GError **error)
{
  HyPlanFile *f = g_new0(HyPlanFile, 1);
  g_autoptr(GError) why = NULL;
  f->path = g_strdup(path);
  f->separator = g_str_has_suffix(path, ".tsv") ? '\t' : ',';
  f->head = g_ptr_array_new_with_free_func(g_free);
  f->at = g_array_new(FALSE, FALSE, sizeof(guint64));
  gboolean ok = g_file_get_contents(path, &f->bytes, &f->size, &why);
  if (!ok) {
    const char *last = strrchr(why->message, ':');
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", path,
                last != NULL ? last + 2 : why->message);
  }
  if (!ok || !read_rows(f, error)) {
    g_clear_pointer(&f, hy_plan_file_free);
  }
  return f;
}

guint64 hy_plan_file_n(const HyPlanFile *f)
{
  return f->at->len - 1;
}

const char *const *hy_plan_file_head(const HyPlanFile *f)
{
  return (const char *const *)f->head->pdata;
}

static void keep_field(HyCsv *csv)
{
  g_ptr_array_add(csv->user, g_strdup(csv->text->str));
}

static gboolean keep_record(HyCsv *csv, guint line)
{
  (void)csv, (void)line;
  return TRUE;
}

char **hy_plan_file_row(const HyPlanFile *f, guint64 i)
{
  gsize at = g_array_index(f->at, guint64, i + 1);
  GPtrArray *fields = g_ptr_array_new();
  HyCsv csv = {.path = f->path,
               .separator = f->separator,
               .user = fields,
               .field = keep_field,
               .record = keep_record};
  hy_csv_open_memory(&csv, f->bytes + at, f->size - at, NULL);
  hy_csv_read_record(&csv);
  hy_csv_close(&csv);
  g_ptr_array_add(fields, NULL);
  return (char **)g_ptr_array_free(fields, FALSE);
}

guint hy_plan_file_line(const HyPlanFile *f, guint64 i)
{
  gsize end = g_array_index(f->at, guint64, i + 1);
  guint line = 1;
  for (gsize k = 0; k < end; k++) {
    line += f->bytes[k] == '\n';
  }
  return line;
}

char *hy_plan_file_digest(const HyPlanFile *f)
{
  return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)f->bytes, f->size);
}
