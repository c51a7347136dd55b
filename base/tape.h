/* The inside of HyTape (hydevs/atomic.h): a walk over everything that is state, to copy it out or
 * to put it back. The same functions do both, so they cannot come to differ.
 *
 * In memory whole structs are copied as they lie (hy_tape_whole()); items that lie within are there
 * then, and cost a comparison. In files there are items alone. */
#ifndef HYDEVS_BASE_TAPE_H
#define HYDEVS_BASE_TAPE_H

#include "hydevs/atomic.h"

typedef enum {
  HY_TAPE_SAVE, /* out of the state, which stays as it is */
  HY_TAPE_DROP, /* the state gives back what it holds a reference on, or has allocated anew; in
                   memory alone, also before a file is read */
  HY_TAPE_LOAD, /* then: back into the state */
} HyTapePass;

/* Who writes and reads the items of a file. Whoever makes one embeds it. */
typedef struct HyTapeFile HyTapeFile;
struct HyTapeFile {
  void (*section)(HyTapeFile *f, HyTape *tape, const char *name);
  /* N elements of KIND at DATA: SAVE writes, LOAD reads them. What cannot be read is refused
   * (hy_tape_refuse()), and DATA stays as it is; so does all from then on. At LOAD payloads and
   * texts in DATA are NULL before. */
  void (*item)(HyTapeFile *f, HyTape *tape, const char *name, HyItemKind kind, gpointer data,
               gsize n);
  gsize left; /* LOAD: of the bytes; there are not more items */
};

struct HyTape {
  HyTapePass pass;
  HyTapeFile *file; /* not the tape's; NULL: in memory */
  GByteArray *bytes;
  gsize at;             /* LOAD: in BYTES */
  const guint8 *copied; /* the last struct that was copied as it lies, and its bytes */
  gsize copied_size;
  GPtrArray *payloads;            /* GVariant: one reference each, of the tape */
  GPtrArray *dropped;             /* memory that goes when the pass DROP is over */
  gboolean restarts, may_restart; /* in files: a group does not say all that it remembers, and
                                     begins anew; that is allowed */
  gboolean keeps; /* in memory, while a file is read: what no file changes need not be there */
  char *section;  /* NULL: none yet */
  char *refused;  /* why it cannot be done; NULL: it can */
};

void hy_tape_init(HyTape *tape);
void hy_tape_clear(HyTape *tape);
/* A pass over the state begins. */
void hy_tape_begin(HyTape *tape, HyTapePass pass);
/* The first refusal counts. In files the section is put before it. */
void hy_tape_refuse(HyTape *tape, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A struct that stays where it is, as it lies: in memory alone. What changes in it is named after
 * it. */
void hy_tape_whole(HyTape *tape, void *data, gsize size);
/* The contents of ARRAY, which may have another length at LOAD; in files its length alone, and its
 * elements are named after it. */
void hy_tape_array(HyTape *tape, const char *name, GArray *array);
/* ARRAY of numbers of KIND, all of it. */
void hy_tape_numbers(HyTape *tape, HyItemKind kind, const char *name, GArray *array);

#endif
