/* SHA-256 of bytes that come piece by piece: the digest of a file as it was read (FIPS 180-4).
 * Where the processor has instructions for it they are used, as a large model costs more to digest
 * than to read otherwise; elsewhere it is GLib's. */
#ifndef HYDEVS_BASE_DIGEST_H
#define HYDEVS_BASE_DIGEST_H

#include <glib.h>

#define HY_DIGEST_BLOCK 64

typedef struct {
  GChecksum *sum; /* GLib's; NULL: what follows counts */
  guint32 state[8];
  guint64 size; /* bytes so far; the last of them, less than a block, are in */
  guint8 rest[HY_DIGEST_BLOCK];
} HyDigest;

void hy_digest_init(HyDigest *d);
/* By GLib, whatever the processor has. */
void hy_digest_init_plain(HyDigest *d);
void hy_digest_take(HyDigest *d, const void *bytes, gsize size);
/* 64 hexadecimal digits, newly allocated; D is to be initialised again. */
char *hy_digest_end(HyDigest *d);

#endif
