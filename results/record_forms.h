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
} HyRow;

typedef struct {
  guint n;
  const HyColumn *const *column; /* [n] */
  const char *about;             /* what was run, on one line */
  double until;                  /* no row is beyond it */
} HyRowHead;

typedef struct {
  const char *suffix;
  gboolean binary; /* rows are doubles, the time and those of the columns; else lines of text */
  char mark;       /* of text: stands once in each row */
  /* What stands before the rows, appended to OUT. Where in it their number has HY_COUNT_SIZE
   * places; 0: nowhere. */
  gsize (*head)(GString *out, const HyRowHead *head);
  void (*row)(GString *out, const HyRowHead *head, HyRow *row); /* of text */
} HyRecordForm;

#define HY_COUNT_SIZE 20

/* By the end of the name FILE; one that has none, as a device or "-", is CSV. NULL: unknown. */
const HyRecordForm *hy_record_form(const char *file, GError **error);
const char *hy_record_suffix(const char *file); /* ".raw", "" */

G_END_DECLS
#endif
