/* CSV reader: one pass over the file in pieces, a field at a time. */
#include "csv_read.h"

#include "hydevs/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PIECE     262144
#define MAX_FIELD 1048576
#define ZERO_BYTE "a zero byte: this is not a text file"

typedef struct {
  const char *path;
  FILE *file;
  guint line;   /* of the character at hand */
  guint opened; /* where the quoted field began */
  char *piece;
  gsize at, size;
  GString *field;
  GPtrArray *names; /* of the head line */
  GArray **values;  /* [names->len] of double */
  gsize *n_text;    /* likewise */
  guint n;          /* fields of this record so far */
  GError **error;
} Reader;

G_GNUC_PRINTF(3, 4)
static gboolean fault(const Reader *r, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error(r->error, HY_ERROR, HY_ERROR_RUN, "%s:%u: %s", r->path, line, what);
  return FALSE;
}

/* The next character; EOF at the end, also after an error of reading. */
static inline int next(Reader *r)
{
  if (r->at == r->size) {
    r->at = 0;
    r->size = fread(r->piece, 1, PIECE, r->file);
    if (r->size == 0) {
      return EOF;
    }
  }
  return (guchar)r->piece[r->at++];
}

static inline int look(Reader *r)
{
  int c = next(r);
  r->at -= c != EOF;
  return c;
}

/* Numbers and names -----------------------------------------------------------------------------
 */

static double number_of(Reader *r)
{
  if (r->field->len == 0) {
    return NAN;
  }
  char *end;
  double v = g_ascii_strtod(r->field->str, &end);
  if (end != r->field->str + r->field->len) {
    r->n_text[r->n]++;
    return NAN;
  }
  return v;
}

static void add_field(Reader *r)
{
  if (r->values == NULL) {
    g_ptr_array_add(r->names, hy_plain_text(r->field->str, FALSE));
    return;
  }
  if (r->n < r->names->len) {
    double v = number_of(r);
    g_array_append_val(r->values[r->n], v);
  }
  r->n++;
}

static gboolean end_record(Reader *r, guint line)
{
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
  return n == r->names->len ||
         fault(r, line, "%u field%s, but the head has %u", n, n == 1 ? "" : "s", r->names->len);
}

/* Fields ------------------------------------------------------------------------------------------
 */

static gboolean add_char(Reader *r, int c)
{
  if (c == '\0') {
    return fault(r, r->line, ZERO_BYTE);
  }
  if (r->field->len >= MAX_FIELD) {
    return fault(r, r->opened, "a field of more than %d bytes", MAX_FIELD);
  }
  g_string_append_c(r->field, (char)c);
  return TRUE;
}

/* After the opening quote, past the closing one. */
static gboolean read_quoted(Reader *r)
{
  r->opened = r->line;
  for (;;) {
    int c = next(r);
    if (c == EOF) {
      return fault(r, r->opened, "the quote that opens here is not closed");
    }
    if (c == '"' && look(r) != '"') {
      break;
    }
    if (c == '"') {
      next(r);
    }
    r->line += c == '\n';
    if (!add_char(r, c)) {
      return FALSE;
    }
  }
  int c = look(r);
  return c == ',' || c == '\r' || c == '\n' || c == EOF ||
         fault(r, r->line, "\"%c\" after a closing quote", c);
}

static gboolean read_plain(Reader *r)
{
  while (look(r) != EOF) {
    const char *from = r->piece + r->at, *end = r->piece + r->size, *to = from;
    while (to < end && *to != ',' && *to != '\n' && *to != '\r' && *to != '"' && *to != '\0') {
      to++;
    }
    g_string_append_len(r->field, from, to - from);
    r->at += (gsize)(to - from);
    if (r->field->len > MAX_FIELD) {
      return fault(r, r->line, "a field of more than %d bytes", MAX_FIELD);
    }
    if (to < end) { /* else the field goes on in the next piece */
      return *to == '"' ? fault(r, r->line, "a quote inside a field that does not begin with one")
             : *to == '\0' ? fault(r, r->line, ZERO_BYTE)
                           : TRUE;
    }
  }
  return TRUE;
}

/* Passes the end of a line, if it is there. */
static gboolean read_end(Reader *r)
{
  int c = look(r);
  if (c == '\r') {
    next(r);
    c = look(r);
  }
  if (c == '\n') {
    next(r);
  }
  return c == '\n';
}

static gboolean read_record(Reader *r)
{
  guint line = r->line;
  for (;;) {
    g_string_truncate(r->field, 0);
    if (look(r) == '"') {
      next(r);
      if (!read_quoted(r)) {
        return FALSE;
      }
    } else if (!read_plain(r)) {
      return FALSE;
    }
    add_field(r);
    if (look(r) != ',') {
      break;
    }
    next(r);
  }
  if (!end_record(r, line)) {
    return FALSE;
  }
  if (!read_end(r) && look(r) != EOF) {
    return fault(r, r->line, "a carriage return that ends no line");
  }
  r->line++;
  return TRUE;
}

/* The file ----------------------------------------------------------------------------------------
 */

static gboolean read_all(Reader *r)
{
  static const char mark[] = "\357\273\277"; /* a byte order mark, as spreadsheets write it */
  look(r);
  if (r->size >= 3 && memcmp(r->piece, mark, 3) == 0) {
    r->at = 3;
  }
  while (look(r) != EOF) {
    if (read_end(r)) {
      r->line++;
    } else if (!read_record(r)) {
      return FALSE;
    }
  }
  if (ferror(r->file)) {
    g_set_error(r->error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", r->path,
                g_strerror(errno));
    return FALSE;
  }
  if (r->values == NULL) {
    g_set_error(r->error, HY_ERROR, HY_ERROR_RUN, "%s: is empty; a head line was expected",
                r->path);
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
  g_string_free(r->field, TRUE);
  g_free(r->piece);
  fclose(r->file);
}

HyTable *hy_table_read(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", path, g_strerror(errno));
    return NULL;
  }
  Reader r = {.path = path,
              .file = file,
              .line = 1,
              .piece = g_malloc(PIECE),
              .field = g_string_new(NULL),
              .names = g_ptr_array_new_with_free_func(g_free),
              .error = error};
  HyTable *table = read_all(&r) ? table_of(&r) : NULL;
  reader_clear(&r);
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
