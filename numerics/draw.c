/* Philox4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2,
 * 3, 2011): a bijection of 128 bits under a key of 64, ten rounds of it. The key is the seed; half
 * of the block is the number k, the other half a hash of the name and of what it is drawn for. */
#include "numerics/draw.h"

#include <math.h>
#include <stddef.h>

typedef struct {
  uint32_t w[4];
} Block;

static Block philox(Block c, uint32_t key0, uint32_t key1)
{
  for (int round = 0; round < 10; round++) {
    uint64_t p = UINT64_C(0xd2511f53) * c.w[0], q = UINT64_C(0xcd9e8d57) * c.w[2];
    c = (Block){{(uint32_t)(q >> 32) ^ c.w[1] ^ key0, (uint32_t)q,
                 (uint32_t)(p >> 32) ^ c.w[3] ^ key1, (uint32_t)p}};
    key0 += 0x9e3779b9;
    key1 += 0xbb67ae85;
  }
  return c;
}

static uint64_t draw(uint64_t seed, uint64_t stream, uint64_t k)
{
  Block c = {{(uint32_t)k, (uint32_t)(k >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
  c = philox(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  return c.w[0] | (uint64_t)c.w[1] << 32;
}

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo) of what it is for and of the name. */
static uint64_t stream_of(char purpose, const char *name)
{
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t hash = (UINT64_C(0xcbf29ce484222325) ^ (unsigned char)purpose) * prime;
  for (; *name != '\0'; name++) {
    hash = (hash ^ (unsigned char)*name) * prime;
  }
  return hash;
}

uint64_t hy_draw_bits(uint64_t seed, const char *name, uint64_t k)
{
  return draw(seed, stream_of('b', name), k);
}

/* With 2^53 cells the last middle would round to 1. */
static double middle(uint64_t cell)
{
  return ((double)cell + 0.5) * 0x1p-52;
}

double hy_draw_unit(uint64_t seed, const char *name, uint64_t k)
{
  return middle(draw(seed, stream_of('u', name), k) >> 12);
}

static unsigned bits_of(uint64_t n)
{
  unsigned bits = 0;
  for (; n > 0; n >>= 1) {
    bits++;
  }
  return bits;
}

/* A permutation of 0 .. n - 1 without memory: a Feistel network (M. Luby, C. Rackoff, How to
 * construct pseudorandom permutations, 1988) permutes the smallest 4^h >= n numbers; it is applied
 * again while it leads out of 0 .. n - 1 (J. Black, P. Rogaway, Ciphers with arbitrary finite
 * domains, 2002), fewer than four times in the mean. */
enum { FEISTEL_ROUNDS = 8 };

static uint64_t permuted(uint64_t seed, uint64_t stream, uint64_t k, uint64_t n)
{
  unsigned half = (bits_of(n - 1) + 1) / 2;
  uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint64_t round = 0; round < FEISTEL_ROUNDS; round++) {
      uint64_t next = left ^ (draw(seed, stream, right | round << 56) & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

/* The place in a part has so many bits that their sum with the number of the part is exact and the
 * quotient stays inside. */
double hy_draw_latin(uint64_t seed, const char *name, uint64_t k, uint64_t n)
{
  if (k >= n || n >= HY_LATIN_MOST) {
    return (double)NAN;
  }
  uint64_t part = permuted(seed, stream_of('l', name), k, n);
  unsigned bits = 50 - bits_of(n);
  double place = (double)(draw(seed, stream_of('p', name), k) >> (64 - bits)) + 0.5;
  return ((double)part + ldexp(place, -(int)bits)) / (double)n;
}

/* A digit's coin is that of its node in the tree of all digits before it. */
double hy_draw_owen(uint64_t seed, const char *name, unsigned dimension, uint64_t k)
{
  uint64_t x = (uint64_t)ldexp(hy_draw_sobol(dimension, k), 52), stream = stream_of('o', name);
  uint64_t turned = 0;
  for (unsigned digit = 0; digit < 52; digit++) {
    uint64_t node = UINT64_C(1) << digit | x >> (52 - digit);
    turned = turned << 1 | (draw(seed, stream, node) & 1);
  }
  return middle(x ^ turned);
}
