/* Any bytes as a sound file: never a crash or a leak; either samples or a reason. */
#include "atomics/sources/wav.h"
#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  for (guint channel = 1; channel < 3; channel++) {
    HyWav wav = {0};
    g_autofree char *why = NULL;
    gboolean ok = hy_wav_read(data, size, channel, &wav, &why);
    if (ok != (why == NULL) || ok != (wav.sample != NULL)) {
      abort();
    }
    for (gsize k = 0; k < (ok ? wav.n : 0); k++) {
      if (!isfinite(wav.sample[k])) {
        abort();
      }
    }
    g_free(wav.sample);
  }
  return 0;
}
