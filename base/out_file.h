/* A file that is written piece by piece, and takes its name when all of it is there. */
#ifndef HYDEVS_BASE_OUT_FILE_H
#define HYDEVS_BASE_OUT_FILE_H

#include <glib.h>
#include <stdio.h>

typedef struct HyOutFile HyOutFile;

/* PATH, or "-" for stdout. A symbolic link stays one; what is no ordinary file, a device or a pipe,
 * is written to as it stands. NULL: ERROR says why it cannot be written. */
HyOutFile *hy_out_open(const char *path, GError **error);
FILE *hy_out_stream(const HyOutFile *out);
/* All has been written: the file is PATH from now on. FALSE: it could not be, and what was there
 * before still is. Frees OUT. */
gboolean hy_out_commit(HyOutFile *out, GError **error);
/* Nothing has been written, as far as PATH goes. NULL is fine. */
void hy_out_abandon(HyOutFile *out);

#endif
