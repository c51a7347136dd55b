/* The model or suite that hydevs bench is given: a file, or the name of an example. */
#include "bench.h"

#include <string.h>

static const char *const homes[] = {"examples/thesis", "examples/power", "examples"};

/* NAME/model.xml, or NAME/suite.xml, below the examples beside FOLDER, a folder of libraries. NULL:
 * not there. */
static char *example_beside(const char *folder, const char *home, const char *name)
{
  static const char *const files[] = {"model.xml", "suite.xml"};
  g_autofree char *above = g_path_get_dirname(folder);
  for (guint k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autofree char *file = g_build_filename(above, home, name, files[k], NULL);
    if (g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
      return g_steal_pointer(&file);
    }
  }
  return NULL;
}

static void offer_examples(HyNearest *nearest, const char *folder, const char *home,
                           GPtrArray *names)
{
  g_autofree char *above = g_path_get_dirname(folder);
  g_autofree char *path = g_build_filename(above, home, NULL);
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *file = example_beside(folder, home, name);
    if (file != NULL) {
      g_ptr_array_add(names, g_strdup(name));
      hy_nearest_offer(nearest, g_ptr_array_index(names, names->len - 1));
    }
  }
}

char *bench_model_find(const char *word, const char *const *library, gboolean *example, int *status)
{
  g_auto(GStrv) folders = hy_library_folders(library);
  *example = FALSE;
  if (strchr(word, G_DIR_SEPARATOR) != NULL || g_str_has_suffix(word, ".xml") ||
      g_file_test(word, G_FILE_TEST_IS_REGULAR)) {
    return g_strdup(word);
  }
  HyNearest nearest = {.word = word};
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  char *file = NULL;
  for (char **folder = folders; *folder != NULL && file == NULL; folder++) {
    for (guint k = 0; k < G_N_ELEMENTS(homes) && file == NULL; k++) {
      file = example_beside(*folder, homes[k], word);
      offer_examples(&nearest, *folder, homes[k], names);
    }
  }
  if (file == NULL) {
    g_autofree char *meant =
        nearest.best != NULL ? g_strdup_printf(" (did you mean \"%s\"?)", nearest.best) : NULL;
    *status = cli_usage("bench", "there is no file and no example \"%s\"%s", word,
                        meant != NULL ? meant : "");
  }
  *example = file != NULL;
  return file;
}
