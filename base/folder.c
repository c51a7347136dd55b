/* Where the code that runs was loaded from: one line of what the system has mapped holds it. */
#include "base/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The path of a LINE of /proc/self/maps, if the addresses that it maps hold AT. NULL: they do not.
 * Newly allocated. */
static char *path_of_map(const char *line, guintptr at)
{
  char *end;
  guintptr from = (guintptr)g_ascii_strtoull(line, &end, 16);
  guintptr to = *end == '-' ? (guintptr)g_ascii_strtoull(end + 1, &end, 16) : 0;
  const char *path = strchr(end, '/');
  if (at < from || at >= to || path == NULL) {
    return NULL;
  }
  gsize n = strcspn(path, "\n");
  static const char gone[] = " (deleted)"; /* replaced by an update, which is as good */
  if (n > strlen(gone) && strncmp(path + n - strlen(gone), gone, strlen(gone)) == 0) {
    n -= strlen(gone);
  }
  return g_strndup(path, n);
}

char *hy_own_folder(void)
{
  static const char here = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  g_autofree char *file = NULL;
  char *line = NULL;
  gsize size = 0;
  while (maps != NULL && file == NULL && getline(&line, &size, maps) > 0) {
    file = path_of_map(line, (guintptr)&here);
  }
  free(line);
  if (maps != NULL) {
    fclose(maps);
  }
  return file != NULL ? g_path_get_dirname(file) : NULL;
}
