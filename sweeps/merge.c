/* Parts of a table, one for each shard, become the table: lines as they are, in the order of their
 * runs. What says that they belong together, and that none is missing, is the JSON beside each. */
#include "hydevs/sweep.h"

#include "base/out_file.h"
#include "hydevs/text.h"
#include "results/csv_fields.h"
#include "results/json.h"
#include "results/sidecar.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  char *bytes, *told; /* TOLD: of the JSON beside it */
  char *digest;
  gsize size;
  guint64 n;    /* runs of the whole plan */
  GArray *line; /* Line; the first is the head */
  guint at;     /* the next of them, while they are put together */
  guint fields; /* of the record that is read, so far */
  guint64 run;
} Part;

typedef struct {
  guint64 run;
  gsize from, size;
} Line;

static void part_clear(gpointer data)
{
  Part *p = data;
  g_free(p->bytes);
  g_free(p->told);
  g_free(p->digest);
  if (p->line != NULL) {
    g_array_unref(p->line);
  }
}

static gboolean fail(const Part *p, const char *what, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", p->path, what);
  return FALSE;
}

/* Reading ------------------------------------------------------------------------------------- */

static void read_plan(Part *p, HyJson *j)
{
  for (hy_json_open(j, '{'); hy_json_more(j, '}');) {
    g_autofree char *key = hy_json_key(j);
    if (g_strcmp0(key, "sha256") == 0) {
      g_free(p->digest);
      p->digest = hy_json_read_string(j);
    } else if (g_strcmp0(key, "runs") == 0) {
      p->n = (guint64)hy_json_read_number(j);
    } else {
      hy_json_skip(j);
    }
  }
}

static gboolean read_told(Part *p, GError **error)
{
  g_autofree char *path = hy_sidecar_path(p->path);
  if (!g_file_get_contents(path, &p->told, NULL, NULL)) {
    return fail(p, "its .json is not beside it, which says what it is a part of", error);
  }
  HyJson j = {.at = p->told};
  for (hy_json_open(&j, '{'); hy_json_more(&j, '}');) {
    g_autofree char *key = hy_json_key(&j);
    if (g_strcmp0(key, "plan") == 0) {
      read_plan(p, &j);
    } else {
      hy_json_skip(&j);
    }
  }
  return (j.at != NULL && p->digest != NULL && p->n > 0) ||
         fail(p, "what is beside it is not what hydevs sweep writes", error);
}

/* The first field of each record but the head is its run. */
static void take_field(HyCsv *csv)
{
  Part *p = csv->user;
  if (p->fields++ == 0) {
    char *end;
    p->run = g_ascii_strtoull(csv->text->str, &end, 10);
    p->run = *end == '\0' && end != csv->text->str ? p->run : G_MAXUINT64;
  }
}

static gboolean take_line(HyCsv *csv, guint line)
{
  Part *p = csv->user;
  Line l = {p->run, (gsize)csv->begin, csv->at - (gsize)csv->begin};
  gboolean first = p->line->len < 2; /* the head is none */
  gboolean rises = first || g_array_index(p->line, Line, p->line->len - 1).run < l.run;
  p->fields = 0;
  g_array_append_val(p->line, l);
  return p->line->len == 1 || (l.run < p->n && rises) ||
         hy_csv_fault(csv, line, "does not begin with the number of a run after those before");
}

static gboolean read_part(Part *p, GError **error)
{
  g_autoptr(GError) why = NULL;
  p->line = g_array_new(FALSE, FALSE, sizeof(Line));
  if (!g_file_get_contents(p->path, &p->bytes, &p->size, &why)) {
    const char *last = strrchr(why->message, ':');
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", p->path,
                last != NULL ? last + 2 : why->message);
    return FALSE;
  }
  if (!read_told(p, error)) {
    return FALSE;
  }
  HyCsv csv = {.path = p->path, .user = p, .field = take_field, .record = take_line};
  hy_csv_open_memory(&csv, p->bytes, p->size, error);
  gboolean ok = hy_csv_read_all(&csv);
  hy_csv_close(&csv);
  return ok && (p->line->len > 0 || fail(p, "is empty", error));
}

/* Putting together ---------------------------------------------------------------------------- */

static const Line *line_of(const Part *p, guint k)
{
  return &g_array_index(p->line, Line, k);
}

static gboolean same_plan(const Part *a, const Part *b, GError **error)
{
  const Line *x = line_of(a, 0), *y = line_of(b, 0);
  if (strcmp(a->digest, b->digest) != 0 || x->size != y->size ||
      memcmp(a->bytes + x->from, b->bytes + y->from, x->size) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: is of another plan or model than %s", b->path,
                a->path);
    return FALSE;
  }
  return TRUE;
}

/* The part whose next line is that of RUN; a second one with the same is wrong. NULL: ERROR. */
static Part *part_with(GArray *parts, guint64 run, GError **error)
{
  Part *found = NULL;
  for (guint k = 0; k < parts->len; k++) {
    Part *p = &g_array_index(parts, Part, k);
    if (p->at >= p->line->len || line_of(p, p->at)->run != run) {
      continue;
    }
    if (found != NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s and %s both have run %" G_GUINT64_FORMAT,
                  found->path, p->path, run);
      return NULL;
    }
    found = p;
  }
  if (found == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "run %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " is in none of the parts: a shard is missing",
                run, g_array_index(parts, Part, 0).n);
  }
  return found;
}

static void put_line(const Part *p, const Line *l, FILE *to)
{
  fwrite(p->bytes + l->from, 1, l->size, to);
  fputc('\n', to);
}

static gboolean put_all(GArray *parts, FILE *to, GError **error)
{
  Part *first = &g_array_index(parts, Part, 0);
  put_line(first, line_of(first, 0), to);
  for (guint k = 0; k < parts->len; k++) {
    g_array_index(parts, Part, k).at = 1;
  }
  for (guint64 run = 0; run < first->n; run++) {
    Part *p = part_with(parts, run, error);
    if (p == NULL) {
      return FALSE;
    }
    put_line(p, line_of(p, p->at++), to);
  }
  return TRUE;
}

/* The JSON of the first part, without what is of it alone. */
static gboolean tell(const GArray *parts, const char *out, GError **error)
{
  const Part *first = &g_array_index(parts, Part, 0);
  const char *end = strstr(first->told, "\n  \"shard\":");
  g_autofree char *path = hy_sidecar_path(out);
  g_autoptr(GString) text =
      g_string_new_len(first->told, end != NULL ? end - first->told - (end[-1] == ',') : 0);
  HyJsonOut json = HY_SIDECAR_GOES_ON(text);
  hy_json_count(&json, "rows", first->n);
  hy_json_begin(&json, "parts", '[');
  for (guint k = 0; k < parts->len; k++) {
    const Part *p = &g_array_index(parts, Part, k);
    g_autofree char *digest =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)p->bytes, p->size);
    hy_json_begin(&json, NULL, '{');
    hy_json_text(&json, "file", p->path);
    hy_json_text(&json, "sha256", digest);
    hy_json_end(&json, '}');
  }
  hy_json_end(&json, ']');
  hy_json_end(&json, '}');
  g_string_append_c(text, '\n');
  return hy_write_file(path, text->str, (gssize)text->len, error);
}

static gboolean read_parts(GArray *parts, const char *const *paths, GError **error)
{
  for (; *paths != NULL; paths++) {
    Part part = {.path = *paths};
    g_array_append_val(parts, part);
    if (!read_part(&g_array_index(parts, Part, parts->len - 1), error) ||
        !same_plan(&g_array_index(parts, Part, 0), &g_array_index(parts, Part, parts->len - 1),
                   error)) {
      return FALSE;
    }
  }
  return TRUE;
}

gboolean hy_sweep_merge(const char *const *paths, const char *out, guint64 *rows, GError **error)
{
  g_return_val_if_fail(paths != NULL && paths[0] != NULL && out != NULL && rows != NULL, FALSE);
  g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(Part));
  g_array_set_clear_func(parts, part_clear);
  if (!hy_output_is_free(out, paths, NULL, error) || !read_parts(parts, paths, error)) {
    return FALSE;
  }
  HyOutFile *file = hy_out_open(out, error);
  if (file == NULL) {
    return FALSE;
  }
  if (!put_all(parts, hy_out_stream(file), error)) {
    hy_out_abandon(file);
    return FALSE;
  }
  *rows = g_array_index(parts, Part, 0).n;
  return hy_out_commit(file, error) && (strcmp(out, "-") == 0 || tell(parts, out, error));
}
