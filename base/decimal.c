/* The digits of v = m 2^e: w = v 10^k has 17 or 18 digits before the point, and v rounded to fewer
 * is w rounded to a multiple of u = 10, 100, ... This reads back as v if it is not further from w
 * than the doubles half-way to the next ones, d = 2^(e-1) 10^k (half of this below a power of two);
 * at exactly d if m is even, for readers round half to even.
 *
 * 10^k is known to 128 bits, by two factors: 10^(28a) of the first table, cut off, times the exact
 * 10^b = 5^b 2^b of the second one. So w is known as a number with 64 bits behind the point which
 * the true one exceeds by less than ERROR of the last of them, d likewise; what is nearer to a
 * decision than that is left to the caller. For 0 <= k <= EXACT nothing is cut off: 5^k has at most
 * 56 bits, so the last 72 of its 128 are 0, and w and d lose no more than 66. What lies exactly
 * between has such a k (2w or w +- d is a multiple of 5^k below 4e17) or is beyond 1e17.
 *
 * To compute with a bound of the error and to give up where that leaves a doubt is an idea of
 * F. Loitsch, Printing floating-point numbers quickly and accurately with integers. */
#include "decimal.h"

#ifdef __SIZEOF_INT128__

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

#define PART  28 /* 5^27 is the last power of five in 64 bits */
#define LEAST (-11)
#define ERROR 2
#define EXACT 24

/* The first 128 bits of 10^(28a), a = LEAST .... */
static const guint64 large[][2] = {
    {0xe61acf033d1a45df, 0x6fb92487298e33bd}, {0xe858ad248f5c22c9, 0xd1b3400f8f9cff68},
    {0xea9c227723ee8bcb, 0x465e15a979c1cadc}, {0xece53cec4a314ebd, 0xa4f8bf5635246428},
    {0xef340a98172aace4, 0x86fb897116c87c34}, {0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1},
    {0xf3e2f893dec3f126, 0x5a89dba3c3efccfa}, {0xf64335bcf065d37d, 0x4d4617b5ff4a16d5},
    {0xf8a95fcf88747d94, 0x75a44c6397ce912a}, {0xfb158592be068d2e, 0xeed6e2f0f0d56712},
    {0xfd87b5f28300ca0d, 0x8bca9d6e188853fc}, {0x8000000000000000, 0x0000000000000000},
    {0x813f3978f8940984, 0x4000000000000000}, {0x82818f1281ed449f, 0xbff8f10e7a8921a4},
    {0x83c7088e1aab65db, 0x792667c6da79e0fa}, {0x850fadc09923329e, 0x03e2cf6bc604ddb0},
    {0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2}, {0x87aa9aff79042286, 0x90fb44d2f05d0842},
    {0x88fcf317f22241e2, 0x441fece3bdf81f03}, {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f},
    {0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e}, {0x8d07e33455637eb2, 0xdb0b487b6423e1e8},
    {0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648},
};

/* 5^b in 64 bits, the first of which is 1. */
static const guint64 small[PART] = {
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
    0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
    0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
    0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
    0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a,
};

typedef struct {
  guint64 digits; /* n of them, without zeros at the end */
  int n;
  int exponent;  /* the number is digits 10^exponent, */
  int precision; /* found by rounding to so many digits: 15, 16 or 17 */
} Decimal;

/* w and d of one number, with 64 bits behind the point. */
typedef struct {
  Wide w, above, below; /* half-way to the next double, up and down */
  guint error;          /* of the last bit; 0: all three are exact */
  gboolean even;        /* m is */
} Scaled;

/* The first 128 bits of the 192 of A x B. */
static Wide times(Wide a, guint64 b)
{
  Wide low = (Wide)(guint64)a * b;
  return (a >> 64) * b + (low >> 64);
}

static Wide power_of_ten(int k)
{
  guint at = (guint)(k - LEAST * PART);
  const guint64 *part = large[at / PART];
  Wide p = times((Wide)part[0] << 64 | part[1], small[at % PART]);
  return p >> 127 == 0 ? p << 1 : p;
}

/* floor(k log2 10), floor(e log10 2): the factors are near enough for all k, e of doubles. */
static int log2_of_power(int k)
{
  return (k * 217706) >> 16;
}

static int log10_of_power(int e)
{
  return (e * 78913) >> 18;
}

void hy_power_of_ten(int k, guint64 bits[2], int *exponent)
{
  Wide p = power_of_ten(k);
  bits[0] = (guint64)(p >> 64);
  bits[1] = (guint64)p;
  *exponent = log2_of_power(k) - 127;
}

/* By less than 64. */
static Wide shift(Wide a, guint right)
{
  guint64 high = (guint64)(a >> 64), low = (guint64)a;
  return (Wide)(high >> right) << 64 | (high << (64 - right) | low >> right);
}

/* V = m 2^e, m with 53 bits; K so that w is between 1e16 and 2e17. */
static Scaled scale(double v, int *k)
{
  guint64 bits;
  memcpy(&bits, &v, sizeof bits);
  guint64 m = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
  int e = (int)(bits >> 52) - 1075;
  *k = 16 - log10_of_power(e + 52);
  Wide power = power_of_ten(*k);
  guint right = (guint)(10 - e - log2_of_power(*k)); /* 6 ... 9, for the first of 192 bits */
  Scaled s = {.w = shift(times(power, m << 11), right),
              .above = shift(power >> 54, right),
              .error = (guint)*k <= EXACT ? 0 : ERROR,
              .even = (m & 1) == 0};
  s.below = m == 1ULL << 52 ? s.above >> 1 : s.above;
  return s;
}

typedef enum { LESS, EQUAL, MORE, UNSURE } Order;

/* Of A to B, where their difference may be off by ERROR. */
static Order compare(Wide a, Wide b, guint error)
{
  if (a + error < b) {
    return LESS;
  }
  return a > b + error ? MORE : error > 0 ? UNSURE : EQUAL;
}

/* w is OFF beyond a multiple of UNIT: where that is to half of it. */
static Order compare_half(const Scaled *s, Wide off, guint unit)
{
  Order order = compare(off, (Wide)unit << 63, s->error);
  gboolean odd = ((guint64)(s->w >> 64) / unit & 1) != 0;
  return order != EQUAL ? order : odd ? MORE : LESS;
}

/* Whether w rounded to that multiple, or to the next one, UP, reads back: then it is LESS off than
 * the doubles half-way. */
static Order reads_back(const Scaled *s, Wide off, guint unit, gboolean up)
{
  Wide by = up ? ((Wide)unit << 64) - off : off;
  Order order = compare(by, up ? s->above : s->below, 2 * s->error);
  return order != EQUAL ? order : s->even ? LESS : MORE;
}

/* 15 digits may end with zeros; with more of them, fewer would have done. 99... may have become
 * 100... */
static void drop_zeros(Decimal *d)
{
  int exponent = d->exponent;
  for (; d->digits % 10000 == 0; d->digits /= 10000) {
    d->exponent += 4;
  }
  for (; d->digits % 10 == 0; d->digits /= 10) {
    d->exponent++;
  }
  d->n = MAX(d->n - (d->exponent - exponent), 1);
}

/* The first of V > 0 rounded to 15, 16, 17 digits that reads back. */
static gboolean find_digits(double v, Decimal *d)
{
  int k;
  Scaled s = scale(v, &k);
  guint64 whole = (guint64)(s.w >> 64);
  guint longer = whole >= 100000000000000000; /* 18 digits */
  guint end = (guint)(whole % 1000), unit = longer ? 1000 : 100;
  guint reach = (guint)(s.above >> 64) + 1; /* what is off by more does not read back */
  Order half, back = MORE;
  for (d->n = 15;; d->n++, unit /= 10) {
    guint more = end % unit;
    if (d->n < 17 && more > reach && unit - more > reach + 1) {
      continue;
    }
    Wide off = (Wide)more << 64 | (guint64)s.w;
    half = compare_half(&s, off, unit);
    if (half == UNSURE || d->n == 17) { /* so many always do */
      break;
    }
    back = reads_back(&s, off, unit, half == MORE);
    if (back != MORE) {
      break;
    }
  }
  d->digits = whole / unit + (half == MORE);
  d->precision = d->n;
  d->exponent = 17 - d->n + (int)longer - k;
  if (d->n == 15) {
    drop_zeros(d);
  }
  return half != UNSURE && back != UNSURE;
}

/* Text ---------------------------------------------------------------------------------------- */

/* The two digits of V < 100. */
static void put_two(char *at, guint32 v)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  memcpy(at, pairs + (gsize)2 * v, 2);
}

static void put_eight(char *at, guint32 v)
{
  guint32 high = v / 10000, low = v % 10000;
  put_two(at, high / 100);
  put_two(at + 2, high % 100);
  put_two(at + 4, low / 100);
  put_two(at + 6, low % 100);
}

/* The digits of V > 0, the last one before END. */
static void put_digits(char *end, guint64 v)
{
  for (; v >= 10000000; v /= 100000000) {
    end -= 8;
    put_eight(end, (guint32)(v % 100000000));
  }
  guint32 rest = (guint32)v;
  for (; rest >= 10; rest /= 100) {
    end -= 2;
    put_two(end, rest % 100);
  }
  if (rest > 0) {
    end[-1] = (char)('0' + rest);
  }
}

/* d.ddde-05, d.ddde+123 */
static char *put_scientific(char *at, const Decimal *d, int exponent)
{
  guint size = abs(exponent);
  put_digits(at + 1 + d->n, d->digits);
  at[0] = at[1];
  at[1] = '.';
  at += d->n > 1 ? d->n + 1 : 1;
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  *at = '0';
  at += size < 100 ? 2 : 3;
  put_digits(at, size);
  return at;
}

/* As "%.*g" has it: with an exponent if this is below -4 or not below the precision. Returns where
 * the text ends. */
static char *put_decimal(char *at, const Decimal *d)
{
  int point = d->n + d->exponent; /* so many digits stand before it */
  if (point < -3 || point > d->precision) {
    return put_scientific(at, d, point - 1);
  }
  if (point <= 0) {
    memset(at, '0', 5);
    at[1] = '.';
    put_digits(at + 2 - point + d->n, d->digits);
    return at + 2 - point + d->n;
  }
  if (point >= d->n) {
    put_digits(at + d->n, d->digits);
    memset(at + d->n, '0', (gsize)(point - d->n));
    return at + point;
  }
  put_digits(at + 1 + d->n, d->digits);
  at[0] = at[1];
  for (int k = 1; k < point; k++) {
    at[k] = at[k + 1];
  }
  at[point] = '.';
  return at + 1 + d->n;
}

gsize hy_decimal_quick(char *buffer, double v)
{
  Decimal d;
  double size = fabs(v);
  if (!(size > DBL_MIN && size <= DBL_MAX && find_digits(size, &d))) {
    return 0;
  }
  buffer[0] = '-';
  char *end = put_decimal(buffer + (v < 0), &d);
  *end = '\0';
  return (gsize)(end - buffer);
}

#else

gsize hy_decimal_quick(char *buffer, double v)
{
  (void)v;
  *buffer = '\0';
  return 0;
}

void hy_power_of_ten(int k, guint64 bits[2], int *exponent)
{
  (void)k;
  bits[0] = bits[1] = 0;
  *exponent = 0;
}

#endif
