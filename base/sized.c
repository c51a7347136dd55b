/* Structs that may grow, copied between a program and the library. */
#include "base/sized.h"

#include "hydevs/error.h"
#include "hydevs/version.h"

#include <string.h>

gboolean hy_sized_copy_in(void *to, gsize known, const void *from, gsize size, const char *name,
                          GError **error)
{
  if (from == NULL) {
    return TRUE;
  }
  memcpy(to, from, MIN(size, known));
  const guint8 *bytes = from;
  for (gsize k = known; k < size; k++) {
    if (bytes[k] != 0) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "the program was made for a newer libhydevs than this one, which is %s: it says "
                  "something in %s that is not known here",
                  hy_version(), name);
      return FALSE;
    }
  }
  return TRUE;
}

void hy_sized_copy_out(void *to, gsize size, const void *from, gsize known)
{
  memcpy(to, from, MIN(size, known));
  if (size > known) {
    memset((guint8 *)to + known, 0, size - known);
  }
}
