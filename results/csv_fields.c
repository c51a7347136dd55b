/* CSV, field by field: one pass in pieces. */
#include "csv_fields.h"

#include <errno.h>
#include <string.h>

#define PIECE     262144
#define MAX_FIELD 1048576
#define ZERO_BYTE "a zero byte: this is not a text file"

gboolean hy_csv_fault(const HyCsv *csv, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error(csv->error, HY_ERROR, HY_ERROR_RUN, "%s:%u: %s", csv->path, line, what);
  return FALSE;
}

/* The next character; EOF at the end, also after an error of reading. */
static inline int next(HyCsv *csv)
{
  if (csv->at == csv->size) {
    if (csv->file == NULL) {
      return EOF;
    }
    csv->before += csv->size;
    csv->at = 0;
    csv->size = fread(csv->own, 1, PIECE, csv->file);
    if (csv->size == 0) {
      return EOF;
    }
  }
  return (guchar)csv->piece[csv->at++];
}

static inline int look(HyCsv *csv)
{
  int c = next(csv);
  csv->at -= c != EOF;
  return c;
}

gboolean hy_csv_open(HyCsv *csv, GError **error)
{
  csv->error = error;
  csv->line = 1;
  if (csv->separator == '\0') {
    csv->separator = ',';
  }
  csv->file = fopen(csv->path, "rb");
  if (csv->file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", csv->path, g_strerror(errno));
    return FALSE;
  }
  csv->own = g_malloc(PIECE);
  csv->piece = csv->own;
  csv->text = g_string_new(NULL);
  return TRUE;
}

void hy_csv_open_memory(HyCsv *csv, const char *bytes, gsize size, GError **error)
{
  csv->error = error;
  csv->line = 1;
  if (csv->separator == '\0') {
    csv->separator = ',';
  }
  csv->piece = bytes;
  csv->size = size;
  csv->text = g_string_new(NULL);
}

void hy_csv_close(HyCsv *csv)
{
  g_free(csv->own);
  if (csv->text != NULL) {
    g_string_free(csv->text, TRUE);
  }
  if (csv->file != NULL) {
    fclose(csv->file);
  }
}

/* Fields ------------------------------------------------------------------------------------- */

static gboolean add_char(HyCsv *csv, int c)
{
  if (c == '\0') {
    return hy_csv_fault(csv, csv->line, ZERO_BYTE);
  }
  if (csv->text->len >= MAX_FIELD) {
    return hy_csv_fault(csv, csv->opened, "a field of more than %d bytes", MAX_FIELD);
  }
  g_string_append_c(csv->text, (char)c);
  return TRUE;
}

/* After the opening quote, past the closing one. */
static gboolean read_quoted(HyCsv *csv)
{
  csv->opened = csv->line;
  for (;;) {
    int c = next(csv);
    if (c == EOF) {
      return hy_csv_fault(csv, csv->opened, "the quote that opens here is not closed");
    }
    if (c == '"' && look(csv) != '"') {
      break;
    }
    if (c == '"') {
      next(csv);
    }
    csv->line += c == '\n';
    if (!add_char(csv, c)) {
      return FALSE;
    }
  }
  int c = look(csv);
  return c == csv->separator || c == '\r' || c == '\n' || c == EOF ||
         hy_csv_fault(csv, csv->line, "\"%c\" after a closing quote", c);
}

static gboolean read_plain(HyCsv *csv)
{
  while (look(csv) != EOF) {
    const char *from = csv->piece + csv->at, *end = csv->piece + csv->size, *to = from;
    while (to < end && *to != csv->separator && *to != '\n' && *to != '\r' && *to != '"' &&
           *to != '\0') {
      to++;
    }
    g_string_append_len(csv->text, from, to - from);
    csv->at += (gsize)(to - from);
    if (csv->text->len > MAX_FIELD) {
      return hy_csv_fault(csv, csv->line, "a field of more than %d bytes", MAX_FIELD);
    }
    if (to < end) { /* else the field goes on in the next piece */
      return *to == '"'    ? hy_csv_fault(csv, csv->line,
                                          "a quote inside a field that does not begin with one")
             : *to == '\0' ? hy_csv_fault(csv, csv->line, ZERO_BYTE)
                           : TRUE;
    }
  }
  return TRUE;
}

/* Passes the end of a line, if it is there. */
static gboolean read_end(HyCsv *csv)
{
  int c = look(csv);
  if (c == '\r') {
    next(csv);
    c = look(csv);
  }
  if (c == '\n') {
    next(csv);
  }
  return c == '\n';
}

gboolean hy_csv_read_record(HyCsv *csv)
{
  guint line = csv->line;
  for (;;) {
    g_string_truncate(csv->text, 0);
    if (look(csv) == '"') {
      next(csv);
      if (!read_quoted(csv)) {
        return FALSE;
      }
    } else if (!read_plain(csv)) {
      return FALSE;
    }
    csv->field(csv);
    if (look(csv) != csv->separator) {
      break;
    }
    next(csv);
  }
  if (!csv->record(csv, line)) {
    return FALSE;
  }
  if (!read_end(csv) && look(csv) != EOF) {
    return hy_csv_fault(csv, csv->line, "a carriage return that ends no line");
  }
  csv->line++;
  return TRUE;
}

/* The whole ---------------------------------------------------------------------------------- */

void hy_csv_pass_mark(HyCsv *csv)
{
  static const char mark[] = "\357\273\277"; /* a byte order mark, as spreadsheets write it */
  look(csv);
  if (csv->size >= 3 && memcmp(csv->piece, mark, 3) == 0) {
    csv->at = 3;
  }
}

gboolean hy_csv_read_all(HyCsv *csv)
{
  hy_csv_pass_mark(csv);
  while (look(csv) != EOF) {
    csv->begin = csv->before + csv->at;
    if (read_end(csv)) {
      csv->line++;
    } else if (!hy_csv_read_record(csv)) {
      return FALSE;
    }
  }
  if (csv->file != NULL && ferror(csv->file)) {
    g_set_error(csv->error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", csv->path,
                g_strerror(errno));
    return FALSE;
  }
  return TRUE;
}

void hy_csv_quote(GString *line, const char *text)
{
  g_string_append_c(line, '"');
  for (; *text != '\0'; text++) {
    g_string_append_len(line, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
  }
  g_string_append_c(line, '"');
}

void hy_csv_append(GString *line, const char *text)
{
  if (strpbrk(text, ",\"\r\n") == NULL) {
    g_string_append(line, text);
  } else {
    hy_csv_quote(line, text);
  }
}
