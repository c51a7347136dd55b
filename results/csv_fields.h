/* CSV as records of fields (RFC 4180), or with another separator: the one reader of its form. */
#ifndef HY_CSV_FIELDS_H
#define HY_CSV_FIELDS_H

#include "hydevs/error.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Begins as {.path = ..., .field = ..., .record = ...}. */
typedef struct HyCsv HyCsv;
struct HyCsv {
  const char *path; /* for messages */
  char separator;   /* 0: a comma */
  gpointer user;
  void (*field)(HyCsv *csv);                  /* text has a field; */
  gboolean (*record)(HyCsv *csv, guint line); /* it was the last of the record that began at LINE */
  GString *text;
  GError **error;
  guint line;    /* of the character at hand */
  guint opened;  /* where the quoted field began */
  guint64 begin; /* of the file: where the record began */
  FILE *file;    /* NULL: of memory */
  char *own;     /* the piece of the file at hand */
  const char *piece;
  gsize at, size;
  guint64 before; /* bytes of the file before the piece */
};

gboolean hy_csv_open(HyCsv *csv, GError **error);
void hy_csv_open_memory(HyCsv *csv, const char *bytes, gsize size, GError **error);
void hy_csv_close(HyCsv *csv);

/* All records, empty lines are passed over. FALSE: ERROR is set, which begins with "PATH:LINE"
 * where it is a line's fault. */
gboolean hy_csv_read_all(HyCsv *csv);
/* One. */
gboolean hy_csv_read_record(HyCsv *csv);
void hy_csv_pass_mark(HyCsv *csv); /* of the byte order, if it is there */
/* Sets the error; always FALSE. */
gboolean hy_csv_fault(const HyCsv *csv, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Writing: TEXT as a field, in quotes where it must be, or always; those inside are doubled. */
void hy_csv_append(GString *line, const char *text);
void hy_csv_quote(GString *line, const char *text);

G_END_DECLS
#endif
