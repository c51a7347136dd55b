/* The inside of HyTape (hydevs/atomic.h): a walk over everything that is state, to copy it out or
 * to put it back. The same functions do both, so they cannot come to differ. */
#ifndef HYDEVS_BASE_TAPE_H
#define HYDEVS_BASE_TAPE_H

#include "hydevs/atomic.h"

typedef enum {
  HY_TAPE_SAVE, /* out of the state, which stays as it is */
  HY_TAPE_DROP, /* the state gives back what it holds a reference on, or has allocated anew */
  HY_TAPE_LOAD, /* then: back into the state */
} HyTapePass;

struct HyTape {
  HyTapePass pass;
  GByteArray *bytes;
  gsize at;            /* LOAD: in BYTES */
  GPtrArray *payloads; /* GVariant: one reference each, of the tape */
  GPtrArray *dropped;  /* memory that goes when the pass DROP is over */
  char *refused;       /* SAVE: why it cannot be done; NULL: it can */
};

void hy_tape_init(HyTape *tape);
void hy_tape_clear(HyTape *tape);
/* A pass over the state begins. */
void hy_tape_begin(HyTape *tape, HyTapePass pass);
/* The first refusal counts. */
void hy_tape_refuse(HyTape *tape, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The contents of ARRAY, which may have another length at LOAD. */
void hy_tape_array(HyTape *tape, GArray *array);
/* *TEXT, which the state owns; NULL is fine. */
void hy_tape_text(HyTape *tape, char **text);

#endif
