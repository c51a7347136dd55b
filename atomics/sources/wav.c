/* Sound files: RIFF, a size, WAVE, then chunks of a name, a size and as many bytes, filled up to an
 * even number (Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0).
 * All numbers are little-endian. "fmt " says how the samples of "data" are coded:
 *
 *   0 code (1 PCM, 3 float, 0xfffe: the code is at 24)  2 channels  4 rate  12 bytes of a frame
 *   14 bits of a sample
 *
 * A frame has a sample of each channel. PCM of 8 bits goes from 0 to 255 with 128 for 0, of more
 * bits from -2^(bits - 1) on; both become -1 to 1 with -1 for the lowest. Floats stay as they are.
 */
#include "sources/wav.h"

#include <math.h>
#include <string.h>

enum { PCM = 1, FLOAT = 3, EXTENSIBLE = 0xfffe };

typedef struct {
  guint code, channels, frame, bits;
  double rate;
} Format;

static guint64 number(const guint8 *at, guint bytes)
{
  guint64 v = 0;
  for (guint k = 0; k < bytes; k++) {
    v |= (guint64)at[k] << (8 * k);
  }
  return v;
}

static gboolean wrong(char **why, const char *format, ...) G_GNUC_PRINTF(2, 3);
static gboolean wrong(char **why, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  *why = g_strdup_vprintf(format, args);
  va_end(args);
  return FALSE;
}

static gboolean read_format(const guint8 *at, gsize size, Format *f, char **why)
{
  if (size < 16) {
    return wrong(why, "its chunk \"fmt \" has %" G_GSIZE_FORMAT " bytes, and not 16 or more", size);
  }
  f->code = (guint)number(at, 2);
  f->code = f->code == EXTENSIBLE && size >= 26 ? (guint)number(at + 24, 2) : f->code;
  f->channels = (guint)number(at + 2, 2);
  f->rate = (double)number(at + 4, 4);
  f->frame = (guint)number(at + 12, 2);
  f->bits = (guint)number(at + 14, 2);
  gboolean whole = f->bits == 16 || f->bits == 24 || f->bits == 32;
  if (!(f->code == PCM && (f->bits == 8 || whole)) &&
      !(f->code == FLOAT && (f->bits == 32 || f->bits == 64))) {
    return wrong(why,
                 "its samples have code %u and %u bits; PCM (1) of 8, 16, 24 or 32 bits and floats "
                 "(3) of 32 or 64 are read",
                 f->code, f->bits);
  }
  if (f->channels == 0 || f->rate == 0 || f->frame != f->channels * (f->bits / 8)) {
    return wrong(why, "%u channels at %g Hz with frames of %u bytes: this cannot be", f->channels,
                 f->rate, f->frame);
  }
  return TRUE;
}

static double sample(const Format *f, const guint8 *at)
{
  guint64 v = number(at, f->bits / 8);
  if (f->code == FLOAT && f->bits == 32) {
    guint32 low = (guint32)v;
    float x;
    memcpy(&x, &low, sizeof x);
    return (double)x;
  }
  if (f->code == FLOAT) {
    double x;
    memcpy(&x, &v, sizeof x);
    return x;
  }
  if (f->bits == 8) {
    return ((double)v - 128) / 128;
  }
  double half = ldexp(1, (int)f->bits - 1), x = (double)v;
  return (x >= half ? x - 2 * half : x) / half;
}

static gboolean read_samples(const Format *f, const guint8 *at, gsize size, guint channel,
                             HyWav *wav, char **why)
{
  if (channel > f->channels) {
    return wrong(why, "there is no channel %u; it has %u", channel, f->channels);
  }
  wav->n = size / f->frame;
  wav->rate = f->rate;
  if (wav->n == 0 || wav->n > HY_WAV_SAMPLES) {
    return wrong(why, "it has %" G_GSIZE_FORMAT " samples; 1 to %u are read", wav->n,
                 HY_WAV_SAMPLES);
  }
  wav->sample = g_new(double, wav->n);
  for (gsize k = 0; k < wav->n; k++) {
    wav->sample[k] = sample(f, at + k * f->frame + (gsize)(channel - 1) * (f->bits / 8));
    if (!isfinite(wav->sample[k])) {
      g_clear_pointer(&wav->sample, g_free);
      return wrong(why, "sample %" G_GSIZE_FORMAT " is not a finite number", k + 1);
    }
  }
  return TRUE;
}

gboolean hy_wav_read(const guint8 *bytes, gsize size, guint channel, HyWav *wav, char **why)
{
  Format f = {0};
  if (size < 12 || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0) {
    return wrong(why, "this is no sound file: it does not begin with RIFF and WAVE");
  }
  for (gsize at = 12; at + 8 <= size;) {
    const guint8 *chunk = bytes + at;
    gsize n = (gsize)number(chunk + 4, 4), left = size - at - 8;
    gboolean data = memcmp(chunk, "data", 4) == 0;
    /* Who writes to a pipe does not know how much will come. */
    n = data && (n == 0 || n == G_MAXUINT32) ? left : n;
    if (n > left) {
      return wrong(why,
                   "it is cut off: a chunk of %" G_GSIZE_FORMAT " bytes, of which %" G_GSIZE_FORMAT
                   " are there",
                   n, left);
    }
    if (memcmp(chunk, "fmt ", 4) == 0 && !read_format(chunk + 8, n, &f, why)) {
      return FALSE;
    }
    if (data && f.code == 0) {
      return wrong(why, "no chunk \"fmt \" says how its samples are coded");
    }
    if (data) {
      return read_samples(&f, chunk + 8, n, channel, wav, why);
    }
    at += 8 + n + n % 2;
  }
  return wrong(why, "it has no chunk \"data\"");
}
