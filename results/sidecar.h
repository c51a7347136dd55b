/* What a recording was made of, in a JSON file beside the CSV: run.csv has run.csv.json. The same
 * run gives the same bytes. */
#ifndef HY_SIDECAR_H
#define HY_SIDECAR_H

#include "hydevs/json.h"
#include "hydevs/record.h"

G_BEGIN_DECLS

char *hy_sidecar_path(const char *csv); /* newly allocated */

/* It is an object whose members have a line each. Its text is begun by the run and ended by a
 * recorder: in between it goes on so. */
#define HY_SIDECAR_GOES_ON(text)                                                                   \
  {                                                                                                \
    .out = (text), .depth = 1, .lines = 1                                                          \
  }

/* Nothing if V is NaN; null if it is infinite. */
void hy_sidecar_number(HyJsonOut *json, const char *key, double v);
/* A number, as text where it is not finite; an array of them, of more than a hundred only their
 * number and a digest of their text. */
void hy_sidecar_value(HyJsonOut *json, const char *key, double v);
void hy_sidecar_numbers(HyJsonOut *json, const char *key, const double *v, guint n);

/* The whole text: TOLD is what the run has begun; then what RECORDER knows. Of one that is not
 * finished yet this is less. Newly allocated. */
char *hy_sidecar_print(const HyRecorder *recorder, const char *told);

/* Reading one. */
typedef struct {
  char *path, *unit, *label; /* unit and label: NULL: not stated */
  gboolean event;
  guint order; /* of a signal: the highest power of the time that its pieces had */
} HySidecarColumn;

typedef struct {
  char *model, *experiment, *title; /* NULL: not stated */
  double t0, tf, end, grid;         /* NaN: not stated */
  GArray *columns;                  /* HySidecarColumn */
} HySidecar;

HySidecar *hy_sidecar_new(void); /* nothing is stated */
/* Of the columns, as they are in memory. */
HySidecar *hy_sidecar_kept(const HyRecorder *recorder);
/* NULL without ERROR: there is none. */
HySidecar *hy_sidecar_read(const char *csv, GError **error);
void hy_sidecar_free(HySidecar *sidecar); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySidecar, hy_sidecar_free)
const HySidecarColumn *hy_sidecar_find(const HySidecar *sidecar, const char *path); /* NULL: none */

G_END_DECLS
#endif
