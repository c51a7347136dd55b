/* Writing a file whole. */
#include "hydevs/text.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* As it stands: a device or a pipe, which a new file under its name would take the place of. */
static gboolean write_through(const char *path, const char *text, gsize n, GError **error)
{
  FILE *out = fopen(path, "wb");
  gboolean ok = out != NULL && fwrite(text, 1, n, out) == n && fflush(out) == 0;
  int why = errno;
  if (out != NULL) {
    ok = fclose(out) == 0 && ok;
  }
  if (!ok) {
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(why), "%s: %s", path,
                g_strerror(why));
  }
  return ok;
}

gboolean hy_write_file(const char *path, const char *text, gssize n, GError **error)
{
  g_return_val_if_fail(path != NULL && text != NULL, FALSE);
  GStatBuf is;
  gsize length = n < 0 ? strlen(text) : (gsize)n;
  if (g_stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode)) {
    return write_through(path, text, length, error);
  }
  return g_file_set_contents(path, text, (gssize)length, error);
}
