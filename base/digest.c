/* The compression function of FIPS 180-4, section 6.2.2, by the instructions of x86: SHA256RNDS2
 * does two rounds on the state as ABEF and CDGH, SHA256MSG1 and SHA256MSG2 the schedule of four
 * words (Intel, "New instructions supporting the Secure Hash Algorithm", 2013). */
#include "digest.h"

#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#include <cpuid.h>
#include <immintrin.h>

static const guint32 rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* SHA, SSSE3 and SSE4.1. */
static gboolean has_instructions(void)
{
  unsigned a, b, c, d;
  gboolean sse = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) != 0 && (c & bit_SSE4_1) != 0;
  return sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) != 0;
}

__attribute__((target("sha,ssse3,sse4.1"))) static void compress(guint32 *state, const guint8 *at,
                                                                 gsize blocks)
{
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i low = _mm_loadu_si128((const __m128i *)(const void *)state);
  __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(state + 4));
  low = _mm_shuffle_epi32(low, 0xb1);           /* CDAB */
  high = _mm_shuffle_epi32(high, 0x1b);         /* EFGH */
  __m128i abef = _mm_alignr_epi8(low, high, 8); /* of A to H */
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; blocks > 0; blocks--, at += HY_DIGEST_BLOCK) {
    const __m128i abef_was = abef, cdgh_was = cdgh;
    __m128i w[4];
    for (guint k = 0; k < 16; k++) { /* four rounds each */
      __m128i *now = &w[k % 4];
      if (k < 4) {
        *now = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * (gsize)k));
        *now = _mm_shuffle_epi8(*now, order);
      } else { /* W[t] = s1(W[t-2]) + W[t-7] + s0(W[t-15]) + W[t-16] */
        const __m128i last = w[(k + 3) % 4];
        *now = _mm_sha256msg1_epu32(*now, w[(k + 1) % 4]);
        *now = _mm_add_epi32(*now, _mm_alignr_epi8(last, w[(k + 2) % 4], 4));
        *now = _mm_sha256msg2_epu32(*now, last);
      }
      const __m128i *constant = (const __m128i *)(const void *)(rounds + 4 * (gsize)k);
      __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128(constant));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_was);
    cdgh = _mm_add_epi32(cdgh, cdgh_was);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);  /* FEBA */
  high = _mm_shuffle_epi32(cdgh, 0xb1); /* DCHG */
  _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

#else

static gboolean has_instructions(void)
{
  return FALSE;
}

static void compress(guint32 *state, const guint8 *at, gsize blocks)
{
  (void)state, (void)at, (void)blocks;
  g_assert_not_reached();
}

#endif

void hy_digest_init_plain(HyDigest *d)
{
  *d = (HyDigest){.sum = g_checksum_new(G_CHECKSUM_SHA256)};
}

void hy_digest_init(HyDigest *d)
{
  if (!has_instructions()) {
    hy_digest_init_plain(d);
    return;
  }
  *d = (HyDigest){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};
}

void hy_digest_take(HyDigest *d, const void *bytes, gsize size)
{
  if (d->sum != NULL) {
    g_checksum_update(d->sum, bytes, (gssize)size);
    return;
  }
  const guint8 *at = bytes;
  gsize held = d->size % HY_DIGEST_BLOCK;
  d->size += size;
  if (held > 0) {
    gsize n = MIN(size, HY_DIGEST_BLOCK - held);
    memcpy(d->rest + held, at, n);
    at += n;
    size -= n;
    if (held + n < HY_DIGEST_BLOCK) {
      return;
    }
    compress(d->state, d->rest, 1);
  }
  compress(d->state, at, size / HY_DIGEST_BLOCK);
  memcpy(d->rest, at + (size - size % HY_DIGEST_BLOCK), size % HY_DIGEST_BLOCK);
}

/* A one, zeros, and the number of bits in 8 bytes end the last block. */
char *hy_digest_end(HyDigest *d)
{
  if (d->sum != NULL) {
    char *text = g_strdup(g_checksum_get_string(d->sum));
    g_clear_pointer(&d->sum, g_checksum_free);
    return text;
  }
  guint8 end[HY_DIGEST_BLOCK + 8] = {0x80};
  guint64 bits = GUINT64_TO_BE(8 * d->size);
  gsize held = d->size % HY_DIGEST_BLOCK;
  gsize zeros = (held < 56 ? 56 : 120) - held;
  memcpy(end + zeros, &bits, sizeof bits);
  hy_digest_take(d, end, zeros + sizeof bits);
  GString *text = g_string_sized_new(64);
  for (guint k = 0; k < 8; k++) {
    g_string_append_printf(text, "%08x", d->state[k]);
  }
  return g_string_free(text, FALSE);
}
