/* Snapshots for people: what one holds, and where two are different. */
#include "hydevs/snapshot.h"

#include "snapshot_file.h"

#include <string.h>

static void print_state(const HySnapshotFile *s, GString *out)
{
  for (guint k = 0; k < hy_tape_reader_n(s->is); k++) {
    for (guint i = 0; i < hy_tape_reader_n_items(s->is, k); i++) {
      g_autofree char *name = hy_plain_text(hy_tape_reader_name(s->is, k), FALSE);
      g_autofree char *item = hy_plain_text(hy_tape_reader_item(s->is, k, i), FALSE);
      g_string_append_printf(out, "%s: %s ", name, item);
      hy_tape_reader_print(s->is, k, i, out);
      g_string_append_c(out, '\n');
    }
  }
}

gboolean hy_snapshot_print(const char *file, gboolean blocks, GString *out, GError **error)
{
  g_return_val_if_fail(file != NULL && out != NULL, FALSE);
  g_autoptr(HySnapshotFile) s = hy_snapshot_file_open(file, error);
  if (s == NULL) {
    return FALSE;
  }
  const HySnapshotHead *h = &s->head;
  char t[HY_DOUBLE_SIZE], t0[HY_DOUBLE_SIZE];
  const char *const texts[] = {h->model, h->experiment, h->method, h->build};
  static const char *const words[] = {"model", "experiment", "method", "hydevs"};
  g_string_append_printf(out, "t %s, from t0 %s, %" G_GUINT64_FORMAT " events\n",
                         hy_double_text(t, h->t), hy_double_text(t0, h->t0), h->events);
  for (guint k = 0; k < G_N_ELEMENTS(texts); k++) {
    g_autofree char *plain = texts[k] != NULL ? hy_plain_text(texts[k], FALSE) : NULL;
    if (plain != NULL) {
      g_string_append_printf(out, "%s %s\n", words[k], plain);
    }
  }
  g_string_append_printf(out, "digest %s\nparameters %s\n", h->digest, h->parameters);
  if (h->restarts) {
    g_string_append(out, "what CVODE integrates can only begin anew (--restart)\n");
  }
  for (guint k = 0; k < h->recordings->len; k++) {
    const HySnapshotRecording *r = &g_array_index(h->recordings, HySnapshotRecording, k);
    g_autofree char *name = r->file != NULL ? hy_plain_text(r->file, FALSE) : g_strdup("?");
    g_string_append_printf(
        out, "recording %s, %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT " rows\n", name,
        r->bytes, r->rows);
  }
  for (guint k = 0; k < s->part_name->len; k++) {
    g_string_append_printf(out, "part %s, %" G_GSIZE_FORMAT " bytes\n",
                           (const char *)g_ptr_array_index(s->part_name, k),
                           g_array_index(s->part_size, gsize, k));
  }
  if (blocks) {
    print_state(s, out);
  }
  return TRUE;
}

/* Two ------------------------------------------------------------------------------------------ */

static GHashTable *records_of(const HyTapeReader *r)
{
  GHashTable *place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (guint k = 0; k < hy_tape_reader_n(r); k++) {
    g_hash_table_insert(place, g_strdup(hy_tape_reader_name(r, k)), GUINT_TO_POINTER(k + 1));
  }
  return place;
}

static void only_in(const char *record, const char *file, GString *out)
{
  g_autofree char *plain = hy_plain_text(record, FALSE);
  g_string_append_printf(out, "%s: only in %s\n", plain, file);
}

static guint compare_item(const HySnapshotFile *a, guint k, const HySnapshotFile *b, guint j,
                          guint i, GString *out)
{
  if (strcmp(hy_tape_reader_item(a->is, k, i), hy_tape_reader_item(b->is, j, i)) == 0 &&
      hy_tape_reader_equal(a->is, k, i, b->is, j, i)) {
    return 0;
  }
  g_autofree char *name = hy_plain_text(hy_tape_reader_name(a->is, k), FALSE);
  g_autofree char *item = hy_plain_text(hy_tape_reader_item(a->is, k, i), FALSE);
  g_string_append_printf(out, "%s: %s ", name, item);
  hy_tape_reader_print(a->is, k, i, out);
  g_string_append(out, " | ");
  hy_tape_reader_print(b->is, j, i, out);
  g_string_append_c(out, '\n');
  return 1;
}

static guint compare_record(const HySnapshotFile *a, guint k, const HySnapshotFile *b, guint j,
                            GString *out)
{
  guint n = hy_tape_reader_n_items(a->is, k), m = hy_tape_reader_n_items(b->is, j), found = 0;
  for (guint i = 0; i < MIN(n, m); i++) {
    found += compare_item(a, k, b, j, i, out);
  }
  if (n != m) {
    g_autofree char *name = hy_plain_text(hy_tape_reader_name(a->is, k), FALSE);
    g_string_append_printf(out, "%s: %u items | %u\n", name, n, m);
    found++;
  }
  return found;
}

/* What depends on the engine, and is no state. */
static gboolean is_work(const char *record)
{
  return strcmp(record, "work") == 0;
}

/* The part work, or all others. */
static guint compare_records(const HySnapshotFile *a, const HySnapshotFile *b, gboolean work,
                             GString *out)
{
  g_autoptr(GHashTable) of_a = records_of(a->is), of_b = records_of(b->is);
  guint found = 0;
  for (guint k = 0; k < hy_tape_reader_n(a->is); k++) {
    const char *name = hy_tape_reader_name(a->is, k);
    if (is_work(name) != work) {
      continue;
    }
    guint j = GPOINTER_TO_UINT(g_hash_table_lookup(of_b, name));
    if (j == 0) {
      only_in(name, a->file, out);
    }
    found += j > 0 ? compare_record(a, k, b, j - 1, out) : 1;
  }
  for (guint k = 0; k < hy_tape_reader_n(b->is); k++) {
    const char *name = hy_tape_reader_name(b->is, k);
    if (is_work(name) == work && !g_hash_table_contains(of_a, name)) {
      only_in(name, b->file, out);
      found++;
    }
  }
  return found;
}

guint hy_snapshot_compare(const char *file, const char *other, GString *out, GError **error)
{
  g_return_val_if_fail(file != NULL && other != NULL && out != NULL, G_MAXUINT);
  g_autoptr(HySnapshotFile) a = hy_snapshot_file_open(file, error);
  g_autoptr(HySnapshotFile) b = a != NULL ? hy_snapshot_file_open(other, error) : NULL;
  if (b == NULL) {
    return G_MAXUINT;
  }
  g_autoptr(GString) counters = g_string_new(NULL);
  guint state = compare_records(a, b, FALSE, out), work = compare_records(a, b, TRUE, counters);
  if (work > 0) {
    g_string_append_printf(out, "%s part work, what the engine has counted:\n%s",
                           state > 0 ? "apart from the state," : "the state is the same;",
                           counters->str);
  }
  return state + work;
}
