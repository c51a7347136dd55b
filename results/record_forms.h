/* How a recording stands in a file; the end of the file's name chooses. CSV is the recorder's own
 * work, for its speed (record.c). */
#ifndef HY_RECORD_FORMS_H
#define HY_RECORD_FORMS_H

#include "hydevs/record.h"

G_BEGIN_DECLS

/* What all forms but CSV make a row of. */
typedef struct {
  double t;
  guint n;
  double *v;          /* [n]; NaN: nothing yet, or a payload */
  GVariant **payload; /* [n]; NULL: a number */
  double *shown;      /* [n]: kept from row to row for the form, NaN at first */
  guint64 cut;        /* numbers so far that the form has no place for */
} HyRow;

typedef struct {
  guint n;
  const HyColumn *const *column; /* [n] */
  const char *about;             /* what was run, on one line */
  double until;                  /* no row is beyond it */
  double dt;                     /* from one row to the next; 0 or NaN: they are no grid */
} HyRowHead;

/* Places in the head where what follows from the number of rows stands, as PLUS + EACH rows. */
typedef enum {
  HY_COUNT_TEXT,
  HY_COUNT_U32,
  HY_COUNT_U64
} HyRecordCountKind; /* U64: little-endian */
typedef struct {
  gsize at;
  HyRecordCountKind kind;
  guint64 plus, each;
  gboolean early; /* it may say more than there is, and never less: told before the rows */
} HyRecordCount;
typedef struct {
  guint n;
  HyRecordCount count[4];
} HyRecordCounts;

typedef struct {
  const char *suffix;
  const char *words; /* what it is called, beside the suffix; NULL: that says it */
  gboolean binary;   /* rows are doubles, the time and those of the columns; else lines of text */
  guint sample; /* of a binary form with a function for rows: bytes of a number; there is no time */
  gboolean exact; /* of a binary form: what the head does not count must not be there */
  char mark;      /* of text: stands once in each row, at its beginning or its end */
  goffset most;   /* bytes of a file; 0: any number */
  /* What stands before the rows, appended to OUT, for 0 rows. FALSE: it cannot be said. */
  gboolean (*head)(GString *out, const HyRowHead *head, HyRecordCounts *counts, GError **error);
  void (*row)(GString *out, const HyRowHead *head, HyRow *row); /* of text, and of samples */
} HyRecordForm;

#define HY_COUNT_SIZE 20 /* of a text */

/* form_hdf5.c, form_mat.c */
gboolean hy_form_hdf5_head(GString *out, const HyRowHead *h, HyRecordCounts *counts,
                           GError **error);
gboolean hy_form_mat_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error);

/* For the head of a form: the time's name and those of the columns, h->n + 1 words, each another
 * one, with FOLD also but for capital letters. Ends with NULL; newly allocated. */
char **hy_form_names(const HyRowHead *h, gboolean fold);

/* By the end of the name FILE; one that has none, as a device or "-", is CSV. NULL: unknown. */
const HyRecordForm *hy_record_form(const char *file, GError **error);
const char *hy_record_suffix(const char *file); /* ".raw", "" */

G_END_DECLS
#endif
