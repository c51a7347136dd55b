/* Where libraries are looked for. The program, the shared library, or the program of somebody else
 * into which the static one was linked knows where it was loaded from, so a tree that was installed
 * can be moved, and what was built is used from where it was built without any trace of that folder
 * in it. */
#include "hydevs/load.h"

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

/* The folder of the file that this code was loaded from, a program or a shared library, as the
 * system knows it: what a program is called, what the loader was told and the folder that one is
 * in may all be others by now. NULL: the system does not tell. Newly allocated. */
static char *own_folder(void)
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

/* The real one of FOLDER below BASE (NULL: by itself), if it is there and no other name of one that
 * FOLDERS has. */
static void add_real(GPtrArray *folders, const char *base, const char *folder)
{
  g_autofree char *path = base != NULL ? g_build_filename(base, folder, NULL) : g_strdup(folder);
  char *real = realpath(path, NULL);
  if (real != NULL && !g_ptr_array_find_with_equal_func(folders, real, g_str_equal, NULL)) {
    g_ptr_array_add(folders, g_strdup(real));
  }
  free(real);
}

static void add_named(GPtrArray *folders, const char *list)
{
  g_auto(GStrv) words = g_strsplit(list != NULL ? list : "", G_SEARCHPATH_SEPARATOR_S, -1);
  for (char **word = words; *word != NULL; word++) {
    if (**word != '\0') {
      g_ptr_array_add(folders, g_strdup(*word));
    }
  }
}

/* HYDEVS_LIBRARY_BESIDE: how the folder is reached from one of programs, from one of shared
 * libraries, and in a folder that holds both side by side, as a build does. */
static void add_installed(GPtrArray *folders)
{
  g_autofree char *own = own_folder();
  g_auto(GStrv) ways = g_strsplit(HYDEVS_LIBRARY_BESIDE, G_SEARCHPATH_SEPARATOR_S, -1);
  for (char **way = ways; own != NULL && *way != NULL; way++) {
    add_real(folders, own, *way);
  }
  add_real(folders, NULL, HYDEVS_LIBRARY_INSTALLED);
}

char **hy_library_folders(const char *const *first)
{
  GPtrArray *folders = g_ptr_array_new();
  for (; first != NULL && *first != NULL; first++) {
    g_ptr_array_add(folders, g_strdup(*first));
  }
  add_named(folders, g_getenv("HYDEVS_LIBRARY"));
  add_installed(folders);
  g_ptr_array_add(folders, NULL);
  return (char **)g_ptr_array_free(folders, FALSE);
}
