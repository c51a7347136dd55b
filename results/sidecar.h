/* What a recording was made of, in a JSON file beside the CSV: run.csv has run.csv.json. The same
 * run gives the same bytes. */
#ifndef HY_SIDECAR_H
#define HY_SIDECAR_H

#include "hydevs/record.h"

G_BEGIN_DECLS

/* NULL and NaN: not known, left out. */
typedef struct {
  const char *version;            /* of hydevs */
  const char *file, *model;       /* as it was called; the name of its root */
  const char *experiment, *title; /* name and label of the experiment */
  const char *engine, *method, *partition;
  guint64 seed;
  double t0, tf, dqrel, dqmin;
  const HySim *sim; /* what smells in it is told */
} HyProvenance;
#define HY_PROVENANCE_UNKNOWN ((HyProvenance){.t0 = NAN, .tf = NAN, .dqrel = NAN, .dqmin = NAN})

char *hy_sidecar_path(const char *csv); /* newly allocated */
/* After hy_recorder_finish(); CSV is the name of the recording. */
gboolean hy_record_sidecar(const HyRecorder *recorder, const char *csv,
                           const HyProvenance *provenance, GError **error);

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

/* NULL without ERROR: there is none. */
HySidecar *hy_sidecar_read(const char *csv, GError **error);
void hy_sidecar_free(HySidecar *sidecar); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySidecar, hy_sidecar_free)
const HySidecarColumn *hy_sidecar_find(const HySidecar *sidecar, const char *path); /* NULL: none */

G_END_DECLS
#endif
