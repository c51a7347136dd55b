/* The items of a tape as bytes, and back: what lies between the head of a snapshot and its end.
 *
 * A file has parts, each a word; "block" has a record for each section "block PATH" of the tape.
 * The first part, "names", has the names of all items, each once, and the shapes of records: the
 * kinds, names and lengths of their items. A record is the number of its shape, its own name as far
 * as that of the one before does not have it, and values. The same state is the same bytes.
 *
 *   number   7 bits a byte, the lowest first, the highest bit says that there are more; of signed
 *            ones v < 0 is -2 v - 1, else 2 v
 *   F64      a byte, and what it says (tape_file.c): numbers that have come before are short
 *   U8       as they are
 *   TEXT     its length and 1, or 0 for none; the bytes
 *   VALUE    four F64, a TEXT: the type of the payload; if there is one, a length, and its bytes in
 *            normal form, little endian */
#ifndef HYDEVS_BASE_TAPE_FILE_H
#define HYDEVS_BASE_TAPE_FILE_H

#include "tape.h"

typedef struct {
  char *name;
  GByteArray *bytes;
} HyTapePart;

/* FILE is for HyTape.file, at SAVE. */
typedef struct HyTapeWriter HyTapeWriter;
HyTapeWriter *hy_tape_writer_new(void);
void hy_tape_writer_free(HyTapeWriter *w); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTapeWriter, hy_tape_writer_free)
HyTapeFile *hy_tape_writer_file(HyTapeWriter *w);
/* Nothing more will come: all parts, of HyTapePart; the writer's own. */
const GArray *hy_tape_writer_end(HyTapeWriter *w);

/* Likewise, at LOAD. All of the bytes is read and understood before anything is asked for. */
typedef struct HyTapeReader HyTapeReader;
HyTapeReader *hy_tape_reader_new(void);
void hy_tape_reader_free(HyTapeReader *r); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTapeReader, hy_tape_reader_free)
/* The next part; BYTES are read now. FALSE: *WHY says why they are none, newly allocated. */
gboolean hy_tape_reader_take(HyTapeReader *r, const char *part, const guint8 *bytes, gsize size,
                             char **why);
HyTapeFile *hy_tape_reader_file(HyTapeReader *r);
/* All records up to END have been asked for; FALSE: the tape is refused. */
gboolean hy_tape_reader_end(HyTapeReader *r, HyTape *tape);

/* Looking at them. */
guint hy_tape_reader_n(const HyTapeReader *r);
const char *hy_tape_reader_name(const HyTapeReader *r, guint record); /* "block a/b" */
guint hy_tape_reader_n_items(const HyTapeReader *r, guint record);
const char *hy_tape_reader_item(const HyTapeReader *r, guint record, guint item);
/* "1 0.5 inf", appended to OUT. */
void hy_tape_reader_print(const HyTapeReader *r, guint record, guint item, GString *out);
/* Both are the same, bit for bit. */
gboolean hy_tape_reader_equal(const HyTapeReader *r, guint record, guint item,
                              const HyTapeReader *other, guint other_record, guint other_item);

#endif
