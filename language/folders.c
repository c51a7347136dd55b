/* Where libraries are looked for. The program, the shared library, or the program of somebody else
 * into which the static one was linked knows where it was loaded from, so a tree that was installed
 * can be moved, and what was built is used from where it was built without any trace of that folder
 * in it. */
#include "base/folder.h"
#include "hydevs/load.h"

#include <stdlib.h>

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
  g_autofree char *own = hy_own_folder();
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
