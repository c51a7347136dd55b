#include "zip.h"

#include "base/crc.h"

#include <string.h>

#define ZIP_LOCAL   0x04034b50U
#define ZIP_LISTED  0x02014b50U
#define ZIP_END     0x06054b50U
#define ZIP_VERSION 10          /* stored files */
#define ZIP_UNIX    0x031eU     /* made by: permissions are those of Unix */
#define ZIP_UTF8    0x0800U     /* names */
#define ZIP_DAY     0x0021U     /* 1980-01-01, the first there is */
#define ZIP_MODE    0x81a40000U /* an ordinary file that all may read */

static void put(GByteArray *out, guint64 v, guint bytes)
{
  for (guint k = 0; k < bytes; k++) {
    guint8 byte = (guint8)(v >> 8 * k);
    g_byte_array_append(out, &byte, 1);
  }
}

void hy_zip_init(HyZip *zip)
{
  *zip = (HyZip){.bytes = g_byte_array_new(), .listing = g_byte_array_new()};
}

/* What stands in front of a file and in the list alike. */
static void put_entry(GByteArray *out, guint32 crc, gsize size, gsize name)
{
  put(out, ZIP_VERSION, 2);
  put(out, ZIP_UTF8, 2);
  put(out, 0, 2); /* stored */
  put(out, 0, 2); /* midnight */
  put(out, ZIP_DAY, 2);
  put(out, crc, 4);
  put(out, size, 4);
  put(out, size, 4);
  put(out, name, 2);
  put(out, 0, 2);
}

gboolean hy_zip_add(HyZip *zip, const char *name, const void *bytes, gsize size)
{
  gsize n = strlen(name), at = zip->bytes->len;
  gsize end = at + size + 2 * n + zip->listing->len + 200;
  if (zip->n == G_MAXUINT16 || n > G_MAXUINT16 || size > G_MAXUINT32 || end > G_MAXUINT32) {
    return FALSE;
  }
  guint32 crc = hy_crc32(bytes, size);
  put(zip->bytes, ZIP_LOCAL, 4);
  put_entry(zip->bytes, crc, size, n);
  g_byte_array_append(zip->bytes, (const guint8 *)name, (guint)n);
  g_byte_array_append(zip->bytes, bytes, (guint)size);
  put(zip->listing, ZIP_LISTED, 4);
  put(zip->listing, ZIP_UNIX, 2);
  put_entry(zip->listing, crc, size, n);
  put(zip->listing, 0, 6); /* no comment, first disk, no text */
  put(zip->listing, ZIP_MODE, 4);
  put(zip->listing, at, 4);
  g_byte_array_append(zip->listing, (const guint8 *)name, (guint)n);
  zip->n++;
  return TRUE;
}

GByteArray *hy_zip_end(HyZip *zip)
{
  gsize at = zip->bytes->len;
  g_byte_array_append(zip->bytes, zip->listing->data, zip->listing->len);
  put(zip->bytes, ZIP_END, 4);
  put(zip->bytes, 0, 4);
  put(zip->bytes, zip->n, 2);
  put(zip->bytes, zip->n, 2);
  put(zip->bytes, zip->listing->len, 4);
  put(zip->bytes, at, 4);
  put(zip->bytes, 0, 2);
  return g_steal_pointer(&zip->bytes);
}

void hy_zip_clear(HyZip *zip)
{
  g_clear_pointer(&zip->bytes, g_byte_array_unref);
  g_clear_pointer(&zip->listing, g_byte_array_unref);
}
