/* Sound files (RIFF WAVE): the samples of one channel. */
#ifndef HYDEVS_ATOMICS_SOURCES_WAV_H
#define HYDEVS_ATOMICS_SOURCES_WAV_H

#include <glib.h>

#define HY_WAV_SAMPLES 20000000U /* at most: seven minutes at 48 kHz */

typedef struct {
  double rate; /* samples a second */
  gsize n;
  double *sample; /* [n]; freed by the caller */
} HyWav;

/* Channel CHANNEL, from 1, of the SIZE bytes of a file. FALSE: *WHY says what is wrong, newly
 * allocated. */
gboolean hy_wav_read(const guint8 *bytes, gsize size, guint channel, HyWav *wav, char **why);

#endif
