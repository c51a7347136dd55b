/* Files that are written: whole, and never over what is read. */
#include "hydevs/error.h"
#include "hydevs/text.h"
#include "out_file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as many as the system follows */

static gboolean cannot_write(const char *path, const char *why, GError **error)
{
  g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot be written: %s", path, why);
  return FALSE;
}

/* Where PATH leads through symbolic links, also if nothing is there yet; newly allocated. NULL:
 * they go round in a circle. */
static char *end_of_links(const char *path)
{
  g_autofree char *at = g_strdup(path), *to = NULL;
  for (guint k = 0; k <= MOST_LINKS; k++) {
    to = g_file_read_link(at, NULL);
    if (to == NULL) {
      return g_steal_pointer(&at);
    }
    g_autofree char *folder = g_path_get_dirname(at);
    g_free(at);
    at = g_path_is_absolute(to) ? g_strdup(to) : g_build_filename(folder, to, NULL);
    g_clear_pointer(&to, g_free);
  }
  return NULL;
}

/* Writing ------------------------------------------------------------------------------------- */

/* As it stands: a device or a pipe, which a new file under its name would take the place of. */
static gboolean write_through(const char *path, const char *text, gsize n, GError **error)
{
  FILE *out = fopen(path, "wb");
  gboolean ok = out != NULL && fwrite(text, 1, n, out) == n && fflush(out) == 0;
  int why = errno;
  if (out != NULL) {
    ok = fclose(out) == 0 && ok;
  }
  return ok || cannot_write(path, g_strerror(why), error);
}

/* GLib speaks of a file of its own, which becomes this one; the reason stands at the end. */
static gboolean replace(const char *path, const char *text, gsize n, GError **error)
{
  g_autofree char *file = end_of_links(path);
  g_autoptr(GError) why = NULL;
  if (file == NULL) {
    return cannot_write(path, g_strerror(ELOOP), error);
  }
  if (!g_file_set_contents(file, text, (gssize)n, &why)) {
    const char *last = strrchr(why->message, ':');
    return cannot_write(path, last != NULL ? last + 2 : why->message, error);
  }
  return TRUE;
}

gboolean hy_write_file(const char *path, const char *text, gssize n, GError **error)
{
  g_return_val_if_fail(path != NULL && text != NULL, FALSE);
  GStatBuf is;
  gsize length = n < 0 ? strlen(text) : (gsize)n;
  gboolean there = g_stat(path, &is) == 0;
  if (there && S_ISDIR(is.st_mode)) {
    return cannot_write(path, g_strerror(EISDIR), error);
  }
  return (there && !S_ISREG(is.st_mode) ? write_through : replace)(path, text, length, error);
}

/* Piece by piece ------------------------------------------------------------------------------- */

struct HyOutFile {
  FILE *stream;
  char *path, *end; /* END: where the links of PATH lead; NULL: it is written to as it stands */
  char *part;       /* its name until then */
};

static void out_free(HyOutFile *out)
{
  g_free(out->path);
  g_free(out->end);
  g_free(out->part);
  g_free(out);
}

static gboolean open_part(HyOutFile *out, GError **error)
{
  out->end = end_of_links(out->path);
  if (out->end == NULL) {
    return cannot_write(out->path, g_strerror(ELOOP), error);
  }
  out->part = g_strdup_printf("%s.%ld.part", out->end, (long)getpid());
  out->stream = fopen(out->part, "wb");
  return out->stream != NULL || cannot_write(out->path, g_strerror(errno), error);
}

HyOutFile *hy_out_open(const char *path, GError **error)
{
  HyOutFile *out = g_new0(HyOutFile, 1);
  GStatBuf is;
  out->path = g_strdup(path);
  gboolean there = g_stat(path, &is) == 0, ok = TRUE;
  if (strcmp(path, "-") == 0) {
    out->stream = stdout;
  } else if (there && S_ISDIR(is.st_mode)) {
    ok = cannot_write(path, g_strerror(EISDIR), error);
  } else if (there && !S_ISREG(is.st_mode)) {
    out->stream = fopen(path, "wb");
    ok = out->stream != NULL || cannot_write(path, g_strerror(errno), error);
  } else {
    ok = open_part(out, error);
  }
  if (!ok) {
    g_clear_pointer(&out, out_free);
  }
  return out;
}

FILE *hy_out_stream(const HyOutFile *out)
{
  return out->stream;
}

gboolean hy_out_commit(HyOutFile *out, GError **error)
{
  gboolean own = out->stream != stdout;
  errno = 0;
  gboolean ok = fflush(out->stream) == 0 && !ferror(out->stream);
  ok = ok && (out->part == NULL || fsync(fileno(out->stream)) == 0);
  int why = errno;
  if (own && fclose(out->stream) != 0 && ok) {
    ok = FALSE;
    why = errno;
  }
  if (ok && out->part != NULL && g_rename(out->part, out->end) != 0) {
    ok = FALSE;
    why = errno;
  }
  if (!ok && out->part != NULL) {
    g_unlink(out->part);
  }
  gboolean done =
      ok || cannot_write(out->path, why != 0 ? g_strerror(why) : "an earlier write failed", error);
  out_free(out);
  return done;
}

void hy_out_abandon(HyOutFile *out)
{
  if (out == NULL) {
    return;
  }
  if (out->stream != stdout) {
    fclose(out->stream);
  }
  if (out->part != NULL) {
    g_unlink(out->part);
  }
  out_free(out);
}

/* Which files are one ------------------------------------------------------------------------- */

/* Of two that are not there yet. */
static gboolean will_be_one(const char *a, const char *b)
{
  g_autofree char *at = end_of_links(a), *bt = end_of_links(b);
  if (at == NULL || bt == NULL) {
    return FALSE;
  }
  g_autofree char *name = g_path_get_basename(at), *other = g_path_get_basename(bt);
  g_autofree char *folder = g_path_get_dirname(at), *beside = g_path_get_dirname(bt);
  GStatBuf in, out;
  return strcmp(name, other) == 0 && g_stat(folder, &in) == 0 && g_stat(beside, &out) == 0 &&
         in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

gboolean hy_same_file(const char *a, const char *b)
{
  g_return_val_if_fail(a != NULL && b != NULL, FALSE);
  GStatBuf one, other;
  gboolean there = g_stat(a, &one) == 0;
  if (there != (g_stat(b, &other) == 0)) {
    return FALSE;
  }
  return there ? S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino
               : will_be_one(a, b);
}

static gboolean is_among(const char *path, const char *const *files)
{
  for (; files != NULL && *files != NULL; files++) {
    if (hy_same_file(path, *files)) {
      return TRUE;
    }
  }
  return FALSE;
}

gboolean hy_output_is_free(const char *path, const char *const *inputs, const char *const *outputs,
                           GError **error)
{
  g_return_val_if_fail(path != NULL, FALSE);
  if (is_among(path, inputs)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: this file is read; write into another one",
                path);
    return FALSE;
  }
  if (is_among(path, outputs)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: something else is written into this file, too; name another one", path);
    return FALSE;
  }
  return TRUE;
}
