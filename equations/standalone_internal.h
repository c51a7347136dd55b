/* What the files that write a standalone C file share. */
#ifndef HYDEVS_EQUATIONS_STANDALONE_INTERNAL_H
#define HYDEVS_EQUATIONS_STANDALONE_INTERNAL_H

#include "room_internal.h"
#include "standalone.h"

/* A mode, and the rows whose signs decide it. */
typedef struct {
  guint32 flag, rises, falls;
} HyStandaloneMode;

typedef struct {
  const HyRoom *room;
  const HyStandalone *with;
  HyRows rows;
  HyDeriver *d;
  guint n;             /* states */
  GArray *row;         /* guint32: of states, then as they are met */
  GHashTable *row_met; /* row -> its place in ROW + 1 */
  guint8 *follows;     /* [atomics]: states, or the ports of the root */
  guint32 *place;      /* [slots]: in v, + 1; 0: nobody reads it */
  guint32 *flag_at;    /* [flags]: its place in MODE + 1 */
  GArray *source;      /* guint32: slots */
  GArray *hub;         /* guint32: slots, ascending */
  GArray *mode;        /* HyStandaloneMode */
  GPtrArray *form;     /* HyTemplate, with their numbers in FORM_OF */
  GHashTable *form_of;
  GString *out;
} HyStandaloneMaker;

static inline guint32 hy_nth(const GArray *a, guint k)
{
  return g_array_index(a, guint32, k);
}

/* FALSE, and WHY with the path of ATOMIC. */
gboolean hy_standalone_refuse(const HyStandaloneMaker *m, guint atomic, const char *why,
                              GError **error);
/* FALSE: sources say too much. */
gboolean hy_standalone_may(const HyStandalone *with, GError **error);
/* Whether what is said at SLOT is one sine for ever. */
gboolean hy_standalone_sine(const HyRoom *room, guint slot, HySine *sine);
#define HY_STANDALONE_SILENT "the equations read it, and it says nothing at the start"
/* All that the rows read, and places in v. */
gboolean hy_standalone_meet(HyStandaloneMaker *m, GError **error);
/* The place of a row in the list of them. */
guint hy_standalone_place(const HyStandaloneMaker *m, guint32 row);
/* ROOM is set. */
void hy_standalone_init(HyStandaloneMaker *m);
void hy_standalone_clear(HyStandaloneMaker *m);

#endif
