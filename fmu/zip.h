/* An archive of files as they are, without compression, in the format of PKWARE's APPNOTE. Equal
 * files in equal order make equal bytes: no time of the clock and no owner is in it. */
#ifndef HY_FMU_ZIP_H
#define HY_FMU_ZIP_H

#include <glib.h>

typedef struct {
  GByteArray *bytes;   /* what is there so far */
  GByteArray *listing; /* the central directory */
  guint n;
} HyZip;

void hy_zip_init(HyZip *zip);
/* FALSE: more than a plain archive holds, 4 GB or 65535 files. */
gboolean hy_zip_add(HyZip *zip, const char *name, const void *bytes, gsize size);
/* The whole archive, the caller's. */
GByteArray *hy_zip_end(HyZip *zip);
void hy_zip_clear(HyZip *zip);

#endif
