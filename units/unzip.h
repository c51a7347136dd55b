/* A ZIP archive that is read (PKWARE's APPNOTE): files as they are, or by DEFLATE. */
#ifndef HY_UNITS_UNZIP_H
#define HY_UNITS_UNZIP_H

#include <glib.h>

typedef struct {
  const guint8 *bytes; /* the caller's */
  gsize size;
  GArray *entries; /* of its own, in the order of the listing */
} HyUnzip;

/* FALSE: BYTES are no such archive, or one that is not read here: WHY, newly allocated. */
gboolean hy_unzip_open(HyUnzip *z, const guint8 *bytes, gsize size, char **why);
void hy_unzip_clear(HyUnzip *z);

guint hy_unzip_n(const HyUnzip *z);
/* "binaries/x86_64-linux/tank.so"; lives as long as Z. Never a way out of where it is unpacked:
 * such an archive is refused. */
const char *hy_unzip_name(const HyUnzip *z, guint k);
/* Newly allocated, with a 0 behind it. NULL: WHY. */
guint8 *hy_unzip_file(const HyUnzip *z, guint k, gsize *size, char **why);

#endif
