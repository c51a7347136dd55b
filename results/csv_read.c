/* CSV reader: columns of doubles, made field by field. */
#include "csv_read.h"

#include "csv_fields.h"
#include "hydevs/text.h"

#include <math.h>

typedef struct {
  GPtrArray *names; /* of the head line */
  GArray **values;  /* [names->len] of double */
  gsize *n_text;    /* likewise */
  guint n;          /* fields of this record so far */
} Reader;

/* Numbers and names -----------------------------------------------------------------------------
 */

static double number_of(Reader *r, const GString *text)
{
  if (text->len == 0) {
    return NAN;
  }
  char *end;
  double v = g_ascii_strtod(text->str, &end);
  if (end != text->str + text->len) {
    r->n_text[r->n]++;
    return NAN;
  }
  return v;
}

static void add_field(HyCsv *csv)
{
  Reader *r = csv->user;
  if (r->values == NULL) {
    g_ptr_array_add(r->names, hy_plain_text(csv->text->str, FALSE));
    return;
  }
  if (r->n < r->names->len) {
    double v = number_of(r, csv->text);
    g_array_append_val(r->values[r->n], v);
  }
  r->n++;
}

static gboolean end_record(HyCsv *csv, guint line)
{
  Reader *r = csv->user;
  if (r->values == NULL) {
    r->values = g_new0(GArray *, r->names->len);
    r->n_text = g_new0(gsize, r->names->len);
    for (guint k = 0; k < r->names->len; k++) {
      r->values[k] = g_array_new(FALSE, FALSE, sizeof(double));
    }
    return TRUE;
  }
  guint n = r->n;
  r->n = 0;
  return n == r->names->len || hy_csv_fault(csv, line, "%u field%s, but the head has %u", n,
                                            n == 1 ? "" : "s", r->names->len);
}

/* The file ----------------------------------------------------------------------------------------
 */

static gboolean read_all(HyCsv *csv)
{
  const Reader *r = csv->user;
  if (!hy_csv_read_all(csv)) {
    return FALSE;
  }
  if (r->values == NULL) {
    g_set_error(csv->error, HY_ERROR, HY_ERROR_RUN, "%s: is empty; a head line was expected",
                csv->path);
  }
  return r->values != NULL;
}

static HyTable *table_of(Reader *r)
{
  HyTable *table = g_new0(HyTable, 1);
  table->n = r->names->len;
  table->n_rows = r->values[0]->len;
  table->column = g_new0(HyTableColumn, table->n);
  for (guint k = 0; k < table->n; k++) {
    table->column[k] = (HyTableColumn){.name = g_strdup(r->names->pdata[k]),
                                       .n_text = r->n_text[k],
                                       .v = (double *)(gpointer)g_array_free(r->values[k], FALSE)};
    r->values[k] = NULL;
  }
  return table;
}

static void reader_clear(Reader *r)
{
  for (guint k = 0; r->values != NULL && k < r->names->len; k++) {
    if (r->values[k] != NULL) {
      g_array_unref(r->values[k]);
    }
  }
  g_free(r->values);
  g_free(r->n_text);
  g_ptr_array_unref(r->names);
}

HyTable *hy_table_read(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  Reader r = {0};
  HyCsv csv = {.path = path, .user = &r, .field = add_field, .record = end_record};
  if (!hy_csv_open(&csv, error)) {
    return NULL;
  }
  r.names = g_ptr_array_new_with_free_func(g_free);
  HyTable *table = read_all(&csv) ? table_of(&r) : NULL;
  reader_clear(&r);
  hy_csv_close(&csv);
  return table;
}

void hy_table_free(HyTable *table)
{
  for (guint k = 0; table != NULL && k < table->n; k++) {
    g_free(table->column[k].name);
    g_free(table->column[k].v);
  }
  if (table != NULL) {
    g_free(table->column);
    g_free(table);
  }
}

/* In the recorder rows stand behind one another. */
HyTable *hy_table_kept(const HyRecorder *r)
{
  HyTable *table = g_new0(HyTable, 1);
  table->n_rows = hy_recorder_rows(r);
  table->n = hy_recorder_n(r) + 1;
  table->column = g_new0(HyTableColumn, table->n);
  for (guint k = 0; k < table->n; k++) {
    HyTableColumn *c = &table->column[k];
    c->name = g_strdup(k > 0 ? hy_recorder_column(r, k - 1)->path : "time");
    c->v = g_new(double, table->n_rows + 1);
    for (gsize row = 0; row < table->n_rows; row++) {
      c->v[row] = k > 0 ? hy_recorder_value(r, row, k - 1) : hy_recorder_time(r, row);
    }
  }
  return table;
}
