/* DEFLATE, RFC 1951, the way back: what a ZIP archive has compressed. */
#ifndef HY_UNITS_INFLATE_H
#define HY_UNITS_INFLATE_H

#include <glib.h>

/* The N bytes at IN become exactly SIZE bytes at OUT. FALSE: they are not what they should be. */
gboolean hy_inflate(const guint8 *in, gsize n, guint8 *out, gsize size);

#endif
