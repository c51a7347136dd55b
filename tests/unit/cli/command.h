/* For tests: the command `hydevs` as a user calls it. */
#ifndef COMMAND_H
#define COMMAND_H

#include "base/hint.h"
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unity.h>

#define WORDS 20 /* of one call, and NULL */

/* Calls hydevs with WORDS in the folder DIR (NULL: here); returns the exit status. */
static inline int hydevs(const char *dir, const char *const *words, char **out, char **err)
{
  const char *argv[WORDS + 2] = {HY_PROGRAM};
  for (guint k = 0; k < WORDS && words[k] != NULL; k++) {
    argv[k + 1] = words[k];
  }
  g_autoptr(GError) error = NULL, status = NULL;
  int wait;
  gboolean started =
      g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_DEFAULT, NULL, NULL, out, err, &wait, &error);
  TEST_ASSERT_TRUE_MESSAGE(started, error != NULL ? error->message : "");
  return g_spawn_check_wait_status(wait, &status) ? 0 : status->code;
}

/* The same with the words of CALL, one blank between two. */
static inline int hydevs_call(const char *dir, const char *call, char **out, char **err)
{
  g_auto(GStrv) words = g_strsplit(call, " ", -1);
  TEST_ASSERT_LESS_OR_EQUAL_UINT_MESSAGE(WORDS, g_strv_length(words), call);
  const char *given[WORDS] = {NULL};
  for (guint k = 0; words[k] != NULL; k++) {
    given[k] = words[k];
  }
  return hydevs(dir, given, out, err);
}

/* A file of the repository; newly allocated. */
static inline char *repository(const char *path)
{
  return g_build_filename(HY_SOURCE_DIR, path, NULL);
}

static inline char *contents(const char *file)
{
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &text, NULL, NULL), file);
  return text;
}

/* Removes the folder DIR and the files in it; of a link, not what it leads to. */
static inline void remove_folder(const char *dir)
{
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  const char *name;
  while (files != NULL && (name = g_dir_read_name(files)) != NULL) {
    g_autofree char *file = g_build_filename(dir, name, NULL);
    g_unlink(file);
  }
  g_rmdir(dir);
}

#endif
