/* A module lies beside the program or library that opens it, or where it is installed, seen from
 * there. */
#include "base/module.h"
#include "base/folder.h"
#include "hydevs/error.h"

#include <dlfcn.h>

/* HYDEVS_MODULES: where modules are, seen from the folder of a program or library. */
gconstpointer hy_module_find(const char *file, const char *name, GError **error)
{
  g_autofree char *own = hy_own_folder();
  g_auto(GStrv) ways = g_strsplit(HYDEVS_MODULES, G_SEARCHPATH_SEPARATOR_S, -1);
  for (char **way = ways; own != NULL && *way != NULL; way++) {
    g_autofree char *path = g_build_filename(own, *way, file, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
      continue;
    }
    void *object = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI opens parts that look for it */
    gconstpointer found = object != NULL ? dlsym(object, name) : NULL;
    if (found == NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s cannot be used: %s", file, dlerror());
    }
    return found;
  }
  return NULL;
}
