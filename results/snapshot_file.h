/* A snapshot as bytes: a line that says what it is, with a digest of the next; a head of JSON on
 * one line, which a person can read; and the parts of two tapes (base/tape_file.h), of which the
 * head has lengths and digests: what the simulation is made of, and what it remembers.
 *
 *   hydevs snapshot 1 SHA256-OF-THE-HEAD
 *   {"hydevs":"0.2.0","t":2.5, ... ,"parts":[["made","names",120,"SHA256"], ...]}
 *   bytes of all parts, one after the other
 *
 * The same state of the same model is the same bytes, whichever engine has come to it, but for the
 * part "work", the counters. */
#ifndef HY_SNAPSHOT_FILE_H
#define HY_SNAPSHOT_FILE_H

#include "base/tape_file.h"
#include "hydevs/json.h"
#include "hydevs/sim.h"

G_BEGIN_DECLS

#define HY_SNAPSHOT_VERSION 1

/* A recording that its run had begun. */
typedef struct {
  char *file;
  guint64 bytes, rows;
} HySnapshotRecording;

/* The head; what is not there is NULL, NaN or 0. */
typedef struct {
  char *build, *model, *digest, *parameters, *experiment, *method, *extra;
  double t, t0;
  guint64 seed, events;
  gboolean restarts;  /* something in it can only be started anew */
  GArray *recordings; /* HySnapshotRecording */
} HySnapshotHead;

typedef struct {
  char *file; /* its name, for messages */
  HySnapshotHead head;
  char *text;           /* of the head */
  HyTapeReader *made;   /* parameters */
  HyTapeReader *is;     /* the state */
  gsize size;           /* bytes */
  GPtrArray *part_name; /* "is/block", their names */
  GArray *part_size;    /* gsize */
} HySnapshotFile;

/* BYTES of FILE: all of them are understood, and have the digests that they say; NULL: ERROR says
 * what is wrong. */
HySnapshotFile *hy_snapshot_file_parse(const char *file, const guint8 *bytes, gsize size,
                                       GError **error);
HySnapshotFile *hy_snapshot_file_open(const char *file, GError **error);
void hy_snapshot_file_free(HySnapshotFile *s); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySnapshotFile, hy_snapshot_file_free)

/* What is written and read beside a simulation. */
typedef struct {
  gpointer user;
  /* Members of the head, behind those of the simulation; NULL: none. */
  void (*head)(gpointer user, HyJsonOut *json);
  /* Sections behind those of the simulation; NULL: none. Refused: the tape is. */
  void (*tape)(gpointer user, HyTape *tape);
  /* All has been read and fits: what can fail beside it, such as files that are cut; NULL: nothing.
   * FALSE: the simulation is put back. */
  gboolean (*done)(gpointer user, GError **error);
} HySnapshotMore;

/* SIM as bytes, appended to OUT. FALSE: it cannot be, and OUT is as it was. */
gboolean hy_snapshot_write(HySim *sim, const HySnapshotMore *more, GByteArray *out, GError **error);
/* S goes into SIM, which has done its first instant: of the same model with the same parameters.
 * RESTART: what can only be started anew may be. FALSE: it does not fit, and SIM is as it was. */
gboolean hy_snapshot_read(HySim *sim, const HySnapshotFile *s, gboolean restart,
                          const HySnapshotMore *more, GError **error);
/* As hy_snapshot_read() asks first. */
gboolean hy_snapshot_fits(HySim *sim, const HySnapshotFile *s, GError **error);

G_END_DECLS
#endif
