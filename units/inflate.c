/* RFC 1951 bit by bit: units are small, and what is read comes from anybody. Every byte that is
 * taken and given is counted. */
#include "units/inflate.h"

#include <string.h>

#define LONGEST  15  /* bits of a code */
#define LITERALS 288 /* codes of literals and lengths */
#define OFFSETS  30

typedef struct {
  const guint8 *in;
  gsize n, at;
  guint32 bits; /* taken from IN and not used yet, the lowest first */
  guint have;   /* so many */
  guint8 *out;
  gsize size, len;
  gboolean bad;
} Flow;

/* A canonical Huffman code: how many codes have each length, and their symbols in order. */
typedef struct {
  guint16 count[LONGEST + 1], symbol[LITERALS];
} Code;

static guint take(Flow *f, guint n)
{
  while (f->have < n && f->at < f->n) {
    f->bits |= (guint32)f->in[f->at++] << f->have;
    f->have += 8;
  }
  if (f->have < n) {
    f->bad = TRUE;
    return 0;
  }
  guint v = f->bits & ((1U << n) - 1);
  f->bits >>= n;
  f->have -= n;
  return v;
}

/* Of N symbols with these lengths (0: not used). FALSE: more codes than there is room for, or
 * fewer, unless there is one alone. */
static gboolean code_make(Code *c, const guint8 *length, guint n)
{
  guint16 at[LONGEST + 1] = {0};
  memset(c, 0, sizeof *c);
  for (guint k = 0; k < n; k++) {
    c->count[length[k]]++;
  }
  int left = 1;
  for (guint k = 1; k <= LONGEST; k++) {
    left = 2 * left - c->count[k];
    if (left < 0) {
      return FALSE;
    }
    at[k] = (guint16)(at[k - 1] + (k > 1 ? c->count[k - 1] : 0));
  }
  for (guint k = 0; k < n; k++) {
    if (length[k] != 0) {
      c->symbol[at[length[k]]++] = (guint16)k;
    }
  }
  return left == 0 || n - c->count[0] <= 1;
}

static guint decode(Flow *f, const Code *c)
{
  int code = 0, first = 0, index = 0;
  for (guint k = 1; k <= LONGEST && !f->bad; k++) {
    code |= (int)take(f, 1);
    int count = c->count[k];
    if (code - count < first) {
      return c->symbol[index + (code - first)];
    }
    index += count;
    first = 2 * (first + count);
    code *= 2;
  }
  f->bad = TRUE;
  return 0;
}

static void copy_back(Flow *f, gsize length, gsize offset)
{
  if (offset > f->len || length > f->size - f->len) {
    f->bad = TRUE;
    return;
  }
  for (; length > 0; length--, f->len++) {
    f->out[f->len] = f->out[f->len - offset];
  }
}

static void read_codes(Flow *f, const Code *literals, const Code *offsets)
{
  static const guint16 length[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const guint16 offset[OFFSETS] = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
      193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  for (;;) {
    guint symbol = decode(f, literals);
    if (f->bad || symbol == 256) {
      return;
    }
    if (symbol < 256) {
      if (f->len == f->size) {
        f->bad = TRUE;
        return;
      }
      f->out[f->len++] = (guint8)symbol;
      continue;
    }
    guint k = symbol - 257;
    if (k >= G_N_ELEMENTS(length)) {
      f->bad = TRUE;
      return;
    }
    gsize n = length[k] + take(f, k < 8 || k == 28 ? 0 : k / 4 - 1);
    guint far = decode(f, offsets);
    if (f->bad || far >= OFFSETS) {
      f->bad = TRUE;
      return;
    }
    copy_back(f, n, offset[far] + take(f, far < 4 ? 0 : far / 2 - 1));
    if (f->bad) {
      return;
    }
  }
}

static void read_stored(Flow *f)
{
  f->bits = f->have = 0; /* the rest of the byte is left out */
  guint n = take(f, 16), inverse = take(f, 16);
  if (f->bad || (n ^ inverse) != 0xffff || n > f->n - f->at || n > f->size - f->len) {
    f->bad = TRUE;
    return;
  }
  memcpy(f->out + f->len, f->in + f->at, n);
  f->at += n;
  f->len += n;
}

static void read_fixed(Flow *f)
{
  guint8 length[LITERALS], five[OFFSETS];
  Code literals, offsets;
  for (guint k = 0; k < LITERALS; k++) {
    length[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
  }
  memset(five, 5, sizeof five);
  code_make(&literals, length, LITERALS);
  code_make(&offsets, five, OFFSETS);
  read_codes(f, &literals, &offsets);
}

/* The lengths of N codes, which are coded themselves: 16 to 18 repeat. */
static void read_lengths(Flow *f, const Code *code, guint8 *length, guint n)
{
  guint k = 0;
  while (k < n && !f->bad) {
    guint symbol = decode(f, code), again = 1;
    guint8 value = (guint8)symbol;
    if (symbol >= 16) {
      value = symbol == 16 && k > 0 ? length[k - 1] : 0;
      f->bad = f->bad || (symbol == 16 && k == 0);
      again = symbol == 16 ? 3 + take(f, 2) : symbol == 17 ? 3 + take(f, 3) : 11 + take(f, 7);
    }
    if (again > n - k) {
      f->bad = TRUE;
      return;
    }
    memset(length + k, value, again);
    k += again;
  }
}

static void read_dynamic(Flow *f)
{
  static const guint8 order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  guint8 length[LITERALS + 32] = {0};
  guint n = take(f, 5) + 257, far = take(f, 5) + 1, codes = take(f, 4) + 4;
  Code literals, offsets;
  if (n > 286 || far > OFFSETS) {
    f->bad = TRUE;
    return;
  }
  for (guint k = 0; k < codes; k++) {
    length[order[k]] = (guint8)take(f, 3);
  }
  if (f->bad || !code_make(&literals, length, G_N_ELEMENTS(order))) {
    f->bad = TRUE;
    return;
  }
  memset(length, 0, sizeof length);
  read_lengths(f, &literals, length, n + far);
  if (f->bad || length[256] == 0 || !code_make(&literals, length, n) ||
      !code_make(&offsets, length + n, far)) {
    f->bad = TRUE;
    return;
  }
  read_codes(f, &literals, &offsets);
}

gboolean hy_inflate(const guint8 *in, gsize n, guint8 *out, gsize size)
{
  Flow f = {.in = in, .n = n, .out = out, .size = size};
  guint last = 0;
  while (!last && !f.bad) {
    last = take(&f, 1);
    guint kind = take(&f, 2);
    if (f.bad || kind == 3) {
      return FALSE;
    }
    (kind == 0 ? read_stored : kind == 1 ? read_fixed : read_dynamic)(&f);
  }
  return !f.bad && f.len == size;
}
